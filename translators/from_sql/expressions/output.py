"""Names, order and window of a SELECT's output."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.mapping import EdgeTable, TextForm
from schemagraph.model import Kind
from translators.from_sql.expressions.floats import check_ties, exactness, if_decimal
from translators.from_sql.statement.context import Site
from translators.from_sql.statement.from_items import edge_columns
from translators.from_sql.statement.names import distinct
from translators.from_sql.statement.selection import Sort
from translators.from_sql.statement.values import Value, by_length, microseconds_of

# Functions that the parser calls otherwise than SQLite does.
_SQLITE = {
    "substring": "substr",
    "greatest": "max",
    "least": "min",
    "time_to_str": "strftime",
    "if": "iif",
    "str_position": "instr",
}


def sorts(site: Site, term: exp.Ordered, value: Value) -> list[Sort]:
    """The sort keys of an ORDER BY term; of numbers and words, numbers come before words."""
    if not value.mixed or value.form is not TextForm.WORD:
        return [sorted_by(site, term, value)]
    number = ir.Call("toFloat", (value.expr,))
    word = Value(ir.IsNull(number), Kind.BOOLEAN, nullable=False)
    there = sorted_by(site, term, replace(value, mixed=False))
    keys = [replace(there, expr=word.expr, nulls_first=None)]
    keys.append(replace(there, expr=number, nulls_first=there.nulls_first))
    if there.nulls_first is not None:
        first = ir.IsNull(value.expr, negated=there.nulls_first)
        keys.insert(0, Sort(first, descending=False, nulls_first=None))
    return [*(replace(key, nulls_first=None) for key in keys), replace(there, nulls_first=None)]


def sorted_by(site: Site, term: exp.Ordered, value: Value) -> Sort:
    """An ORDER BY term over a value; SQLite has nulls first, unless the term says otherwise."""
    value = by_length(value)
    if (made := microseconds_of(value.expr)) is not None:
        value = Value(made[0], Kind.INTEGER, value.nullable)  # of which the float may be another's
    if value.mixed or value.kind is Kind.BYTES:
        raise site.refused("affinity", term, "orders by a column that mixes storage classes")
    if value.collation == "NOCASE" and value.ascii:
        value = value.like(ir.Call("toLower", (value.expr,)))
    else:
        (value,) = site.alike(term, (value,), order=True)
        site.grouped(term, value)
    known = exactness(site, value)
    if known is not None and known.large and known.drifts:
        raise site.refused("decimal-scale", term, "orders more digits than a float has")
    if known is not None and known.of_float is not None:
        raise site.refused("decimal-scale", term, "orders by 15 digits of a float")
    if known is not None and known.rough:
        raise site.refused("decimal-scale", term, "orders by digits of which a float has others")
    if isinstance(term.parent, exp.Order) and term is not term.parent.expressions[-1]:
        check_ties(site, term, value)
    value = if_decimal(site, value)
    descending = bool(term.args.get("desc"))
    nulls_first = bool(term.args.get("nulls_first")) if value.nullable else None
    return Sort(value.expr, descending, nulls_first)


def window(site: Site, node: exp.Query) -> tuple[int, int | None]:
    """OFFSET and LIMIT as numbers; a negative LIMIT is none, a negative OFFSET is 0."""
    limit, offset = node.args.get("limit"), node.args.get("offset")
    skip = _count(site, offset.expression) if offset is not None else 0
    if isinstance(limit, exp.Fetch):
        count = limit.args.get("count")
        return max(skip, 0), max(_count(site, count) if count is not None else 1, 0)
    every = isinstance(limit, exp.Limit) and limit.expression.name.upper() == "ALL"
    kept = _count(site, limit.expression) if isinstance(limit, exp.Limit) and not every else -1
    return max(skip, 0), None if kept < 0 else kept


def _count(site: Site, node: exp.Expr) -> int:
    value = site.value(node).expr
    if isinstance(value, ir.Literal) and type(value.value) is int:
        return value.value
    raise site.refused("limit-expression", node, "is a LIMIT or OFFSET that is no number")


def output_name(site: Site, expr: exp.Expr) -> str:
    """The name of an output column: SQL's where there is one, else a readable one."""
    if isinstance(expr, exp.Alias):
        return str(expr.alias)
    inner = expr.unnest()
    if isinstance(inner, exp.Column):
        holder = site.holder(inner)
        return holder[1] if holder else str(inner.name)
    return _named(expr)


def _named(expr: exp.Expr) -> str:
    """The name of an output column that is no plain column."""
    if isinstance(expr, exp.Alias):
        return str(expr.alias)
    inner = expr.unnest()
    if isinstance(inner, exp.Func) and not isinstance(inner, exp.Case):
        word = inner.name if isinstance(inner, exp.Anonymous) else inner.sql_name()
        word = _SQLITE.get(word.lower(), word.lower())
        column = inner.find(exp.Column)
        if inner.find(exp.Distinct):
            word = f"{word}_distinct"
        return f"{word}_{column.name}" if column is not None else word
    return "value"


def _is_column(expr: exp.Expr, name: str) -> bool:
    inner = expr.unnest()
    return isinstance(inner, exp.Column) and inner.name == name


def computed_names(node: exp.Select) -> list[str]:
    """The output columns that are more than a column of the same name."""
    exprs = [e for e in node.expressions if not e.is_star]
    names = distinct(
        e.unnest().name if isinstance(e.unnest(), exp.Column) else _named(e) for e in exprs
    )
    pairs = zip(names, exprs, strict=True)
    return [name for name, e in pairs if not _is_column(e.unalias(), name)]


def aliases(node: exp.Select) -> dict[str, exp.Expr]:
    """Output columns by their case-folded names, as SQLite finds them in other clauses."""
    return {
        e.alias.casefold(): e.this for e in reversed(node.expressions) if isinstance(e, exp.Alias)
    }


def likely_names(site: Site, node: exp.Select) -> list[str]:
    """The names that output columns will have, before the sources are known."""
    names = [e.alias_or_name for e in node.expressions]
    for table in node.find_all(exp.Table):
        known = site.house.mapping.by_table.get(table.name.casefold())
        if known is not None:
            columns = known.columns
            if isinstance(known, EdgeTable):
                names += edge_columns(known)
            names += [c.name for c in columns] + [c.property for c in columns]
    return [name for name in names if name]
