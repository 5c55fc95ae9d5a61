"""Subqueries used as values: their only row's column, NULL without a row."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from translators.from_sql.statement.context import Site, ValueTable
from translators.from_sql.statement.terms import bound_by, piped, variables
from translators.from_sql.statement.values import Value

VALUES = ValueTable()


@VALUES.of(exp.Subquery)
def scalar(site: Site, node: exp.Subquery) -> Value:
    """`(SELECT …)` as a value: its only row's column, NULL without a row."""
    query = node.unnest()
    if not isinstance(query, exp.Query):
        return site.value(query)
    return scalar_query(site, query)


@VALUES.of(exp.Select)
def bare_select(site: Site, node: exp.Select) -> Value:
    """A SELECT as a value, where the parser left out the parentheses."""
    return scalar_query(site, node)


def scalar_query(site: Site, query: exp.Query) -> Value:
    """A query's one value; NULL where it has no row."""
    wish = "value"
    name = site.names.column(_wish(query) or wish)
    translated = site.house.queries.query(query, site, columns=(name,))
    if len(translated.columns) != 1:
        raise site.error("column-count", query, "A subquery used as a value needs one column.")
    value = translated.columns[0][1]
    statement = translated.statement
    if _counts(statement):
        counted = _count_of(site, statement)
        if counted is not None:
            return value.like(counted)
    one_row = _one_row(statement)
    if not one_row:
        # Of several rows SQLite takes one, and leaves open which: as LIMIT without an order.
        if not translated.single:
            statement = _first(statement)
        statement, name = _headed(site, statement, name)
    site.attach(statement)
    return replace(value.like(ir.Var(name)), nullable=value.nullable or not one_row)


def _headed(site: Site, statement: ir.Statement, name: str) -> tuple[ir.Query, str]:
    """The statement's one row as one row for sure: its value, or NULL without a row."""
    *rest, last = piped(statement)
    plain = isinstance(last, ir.Project) and last == ir.Project(last.items)
    if plain and isinstance(last, ir.Project):
        expr, result = last.items[0].expr, name
    else:
        rest.append(last)
        expr, result = ir.Var(name), site.names.column(name)
    first = ir.Call("head", (ir.Agg("collect", (expr,)),))
    ending = ir.Project((ir.Item(first, result),), final=True, group=())
    return ir.Query((*rest, ending)), result


def _first(statement: ir.Statement) -> ir.Query:
    """The statement with one row at most."""
    one = ir.Literal(1)
    *rest, last = piped(statement)
    if isinstance(last, ir.Project) and last.limit is None:
        return ir.Query((*rest, replace(last, limit=one, final=True)))
    names = bound_by(last)
    items = tuple(ir.Item(ir.Var(name), name) for name in names)
    return ir.Query((*rest, last, ir.Project(items, limit=one, final=True)))


def _wish(query: exp.Query) -> str:
    """A name for the value: that of its column."""
    first = query.selects[0] if query.selects else None
    if first is None:
        return ""
    if isinstance(first, exp.Alias):
        return str(first.alias)
    column = first.find(exp.Column)
    word = type(first).__name__.lower() if isinstance(first, exp.AggFunc) else ""
    name = column.name if column is not None else ""
    return f"{word}{name[:1].upper()}{name[1:]}" if word and name else name or word


def _one_row(statement: ir.Statement) -> bool:
    """Whether there is always exactly one row: an aggregate without keys."""
    if isinstance(statement, ir.Union):
        return False
    last = statement.clauses[-1]
    if not isinstance(last, ir.Project) or last.skip is not None or last.where is not None:
        return False
    if last.limit is not None and last.limit == ir.Literal(0):
        return False
    if last.group == () and any(has_aggregate(item.expr) for item in last.items):
        return True
    before = statement.clauses[-2] if len(statement.clauses) > 1 else None
    grouped = isinstance(before, ir.Project) and before.group == () and before.where is None
    return grouped or len(statement.clauses) == 1


def _counts(statement: ir.Statement) -> bool:
    """Whether the query is `MATCH … RETURN count(*)`."""
    if isinstance(statement, ir.Union) or len(statement.clauses) < 2:
        return False
    *rest, last = statement.clauses
    counts = isinstance(last, ir.Project) and [i.expr for i in last.items] == [ir.Agg("count")]
    plain = isinstance(last, ir.Project) and last.skip is None and last.limit is None
    return counts and plain and all(isinstance(c, ir.Match) and not c.optional for c in rest)


def _count_of(site: Site, statement: ir.Statement) -> ir.Expr | None:
    """`COUNT { … }` for a correlated count."""
    assert isinstance(statement, ir.Query)  # noqa: S101 - _counts says so
    if not variables(statement) & set(site.row_names()):
        return None
    return ir.CountOf(ir.Query(statement.clauses[:-1]))
