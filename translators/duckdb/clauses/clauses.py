"""The pipeline of clauses: each query becomes one SELECT over common table expressions."""

from __future__ import annotations

from collections.abc import Sequence

from graph_ir import nodes as ir
from graph_ir.walk import find
from graphmill.errors import Refused
from schemagraph.model import Kind, Type
from translators.duckdb.clauses.patterns import Matcher
from translators.duckdb.clauses.pipeline import Pipeline
from translators.duckdb.clauses.projection import Projection, distinct_keys
from translators.duckdb.expressions.bindings import whole
from translators.duckdb.expressions.conversion import common, convert
from translators.duckdb.expressions.frame import Frame, columns_of, values_of
from translators.duckdb.expressions.output import contains_element, output, shows
from translators.duckdb.model import tags
from translators.duckdb.model.compiler import Compiler, Relation
from translators.duckdb.model.names import ident
from translators.duckdb.model.sql import Scope, Sql, Value
from translators.duckdb.model.types import ANY, T, distinguishable, list_of


def statement(cx: Compiler, node: ir.Statement, scope: Scope, *, shown: bool = False) -> Relation:
    """A query with a RETURN, as a relation; `shown` gives values the form that users see."""
    if isinstance(node, ir.Union):
        relation = _union(cx, node, scope)
        return _shown(cx, relation) if shown else relation
    pipeline = body(cx, node, scope)
    last = node.clauses[-1] if node.clauses else None
    if not isinstance(last, ir.Project):
        raise Refused("no-result", "Query", "The query returns nothing.", node.span)
    return Projection(cx, pipeline, last).final(shown=shown)


def body(cx: Compiler, node: ir.Query, scope: Scope) -> Pipeline:
    """All clauses of a query but its RETURN."""
    pipeline = Pipeline(cx, Frame(dict(scope.env)), dict(scope.env))
    for clause, ordered in zip(node.clauses, _orders_matter(node.clauses), strict=True):
        match clause:
            case ir.Match(optional=False):
                Matcher(cx, pipeline.frame, clause).run()
            case ir.Match():
                _optional(cx, pipeline, clause)
            case ir.Unwind():
                _unwind(cx, pipeline, clause, ordered)
            case ir.Project(final=True):
                break
            case ir.Project():
                Projection(cx, pipeline, clause).intermediate(keep=ordered)
            case ir.Subquery():
                _subquery(cx, pipeline, clause)
            case ir.Procedure():
                raise Refused("procedure", clause.name, "Procedures have no SQL form.", clause.span)
            case _:
                raise Refused(
                    "write",
                    type(clause).__name__,
                    "The referee only reads.",
                    clause.span,
                )
    return pipeline


def _orders_matter(clauses: Sequence[ir.Clause]) -> list[bool]:
    """For each clause, whether the order of its rows shows in what those after it make of them."""
    orders: list[bool] = []
    matters = picks = False
    for clause in reversed(clauses):
        orders.append(matters)
        shows = _shows_order(clause)
        matters = matters if shows is None else shows
        if isinstance(clause, ir.Project):
            picks = _picks(clause) or (picks and clause.group is None)
            matters = matters or picks
    return orders[::-1]


def _shows_order(clause: ir.Clause) -> bool | None:
    """Whether the order of rows shows in what a clause makes of them; None where that is up to the
    clauses after it."""
    if not isinstance(clause, ir.Project):
        return None
    if any(agg.name == "collect" for agg in find(clause, ir.Agg)):
        return True
    if clause.group is not None or clause.order:
        return False
    if clause.skip is not None or clause.limit is not None or clause.final:
        return True
    return None


def _picks(clause: ir.Project) -> bool:
    """Whether of values that are equal, and may show a difference, the first stay or come first."""
    picked = [a for agg in find(clause, ir.Agg) if _keeps_first(agg) for a in agg.args]
    picked += [*(clause.group or ()), *(key.expr for key in clause.order)]
    if clause.distinct:
        picked += [item.expr for item in clause.items]
    return any(_has_twins(expr.type) for expr in picked)


def _keeps_first(agg: ir.Agg) -> bool:
    return agg.name in ("min", "max") or (agg.name == "sum" and agg.distinct)


def _has_twins(of: Type) -> bool:
    """Whether values may be equal and differ in what is made of them, as 7 and 7.0 are and do."""
    return (
        of.mixed or of.kind in (Kind.ANY, Kind.MAP) or (of.item is not None and _has_twins(of.item))
    )


def _shown(cx: Compiler, relation: Relation) -> Relation:
    if any(contains_element(kind) for _, _, kind in relation.columns):
        cx.whole_elements()
    if not any(shows(kind) for _, _, kind in relation.columns):
        return relation
    alias = ident(cx.names.fresh("_q"))
    items = [
        (name, output(cx, Sql(f"{alias}.{ident(own)}", kind)))
        for name, own, kind in relation.columns
    ]
    selected, columns = columns_of(cx, items, exact=True)
    text = f"SELECT {', '.join(selected)} FROM (\n{relation.text}\n) AS {alias}"
    return Relation(text, tuple(columns))


def existence(cx: Compiler, node: ir.Statement, scope: Scope) -> str:
    """The body of an EXISTS."""
    if isinstance(node, ir.Union):
        return f"{existence(cx, node.left, scope)} UNION ALL {existence(cx, node.right, scope)}"
    if _changes_number(node):
        return statement(cx, node, scope).text
    pipeline = body(cx, node, scope)
    return pipeline.text("SELECT 1" + pipeline.frame.tail())


def _changes_number(node: ir.Query, *, distinct: bool = False) -> bool:
    """Whether its RETURN, if it has one, makes more or fewer rows; `distinct`: or drops repeats."""
    last = node.clauses[-1] if node.clauses else None
    if not isinstance(last, ir.Project) or not last.final:
        return False
    windowed = last.skip is not None or last.limit is not None
    return windowed or last.group is not None or (distinct and last.distinct)


def count_of(cx: Compiler, node: ir.Statement, scope: Scope) -> str:
    """The body of a COUNT subquery."""
    if isinstance(node, ir.Query) and not _changes_number(node, distinct=True):
        pipeline = body(cx, node, scope)
        return pipeline.text("SELECT count(*)" + pipeline.frame.tail())
    inner = statement(cx, node, scope)
    name = cx.names.fresh("_q")
    return f"SELECT count(*) FROM ({inner.text}) AS {ident(name)}"


def collect_of(cx: Compiler, node: ir.Statement, scope: Scope) -> tuple[str, T]:
    """The body of a COLLECT subquery, and the type of its items."""
    inner = statement(cx, node, scope)
    if len(inner.columns) != 1:
        raise Refused("collect", "CollectOf", "COLLECT takes one column.", node.span)
    name = ident(cx.names.fresh("_q"))
    _, own, kind = inner.columns[0]
    text = f"SELECT coalesce(list({name}.{ident(own)}), []) FROM ({inner.text}) AS {name}"
    return text, kind


def _optional(cx: Compiler, pipeline: Pipeline, clause: ir.Match) -> None:
    """A lateral left join; the variables bound inside are NULL where nothing matches."""
    outer = pipeline.frame
    inner = Frame(dict(outer.env))
    Matcher(cx, inner, clause).run()
    new = {name: b for name, b in inner.env.items() if outer.env.get(name) is not b}
    items = [(name, whole(cx, bound)) for name, bound in new.items()]
    alias = cx.names.fresh("_o")
    selected, columns = columns_of(cx, items)
    text = f"SELECT {', '.join(selected) or '1 AS _'}{inner.tail()}"
    outer.left(f"LATERAL (\n{text}\n) AS {ident(alias)}")
    outer.env.update(values_of(ident(alias), columns))


def _unwind(cx: Compiler, pipeline: Pipeline, clause: ir.Unwind, ordered: bool) -> None:
    frame = pipeline.frame
    sql = cx.expr(clause.expr, frame.scope())
    if sql.type.kind is Kind.ANY:
        sql = tags.rows(cx, sql)
    elif sql.type.kind is not Kind.LIST:
        item = sql.type
        shown = f"CASE WHEN {sql.operand} IS NOT NULL THEN [{sql.text}] END"
        sql = Sql(shown if sql.null else f"[{sql.text}]", list_of(item))
    item = sql.type.item or ANY
    text = sql.text
    if item.kind is Kind.NULL:
        text = f"{sql.operand}::INTEGER[]"
    if isinstance(clause.expr, ir.ListOf) and "cy_" in text:
        # DuckDB reads lambdas of macros otherwise where they are arguments of a table function.
        text = f"(SELECT {text})"
    alias = ident(cx.names.fresh("_u"))
    ordinal = " WITH ORDINALITY" if ordered else ""
    frame.add(f"unnest({text}){ordinal} AS {alias}(x{', i' if ordered else ''})")
    frame.env[clause.alias] = Value(Sql(f"{alias}.x", item))
    if ordered:
        frame.order = (*frame.order, f"{alias}.i")


def _subquery(cx: Compiler, pipeline: Pipeline, clause: ir.Subquery) -> None:
    frame = pipeline.frame
    seen = {name: frame.env[name] for name in clause.imports if name in frame.env}
    inner = statement(cx, clause.query, Scope(seen))
    alias = cx.names.fresh("_c")
    item = f"LATERAL (\n{inner.text}\n) AS {ident(alias)}"
    if clause.optional:
        frame.left(item)
    else:
        frame.add(item)
    frame.env.update(values_of(ident(alias), inner.columns))


def _union(cx: Compiler, node: ir.Union, scope: Scope) -> Relation:
    left = statement(cx, node.left, scope)
    right = statement(cx, node.right, scope)
    ordered = _aligned(left.columns, right.columns, node)
    pairs = zip(left.columns, ordered, strict=True)
    kinds = [common([Sql(a[1], a[2]), Sql(b[1], b[2])]) for a, b in pairs]
    sides = [
        _side(cx, left, list(left.columns), kinds),
        _side(cx, right, ordered, kinds),
    ]
    columns = tuple(
        (name, own, kind) for (name, own, _), kind in zip(left.columns, kinds, strict=True)
    )
    if node.all or all(distinguishable(kind) for kind in kinds):
        word = "UNION ALL" if node.all else "UNION"
        return Relation(f"{sides[0]}\n{word}\n{sides[1]}", columns)
    alias = ident(cx.names.fresh("_q"))
    keys = distinct_keys(cx, [Sql(f"{alias}.{ident(own)}", kind) for _, own, kind in columns])
    both = f"{sides[0]}\nUNION ALL\n{sides[1]}"
    shown = ", ".join(f"{alias}.{ident(own)}" for _, own, _ in columns)
    row = ident(cx.names.fresh("$row"))  # DISTINCT ON keeps the first of each
    numbered = f"SELECT *, row_number() OVER () AS {row} FROM ({both})"
    return Relation(
        f"SELECT DISTINCT ON ({keys}) {shown} FROM ({numbered}) AS {alias} ORDER BY {row}", columns
    )


def _aligned(
    left: Sequence[tuple[str, str, T]], right: Sequence[tuple[str, str, T]], node: ir.Union
) -> list[tuple[str, str, T]]:
    """The right side's columns in the order of the left's names."""
    names = [name for name, _, _ in left]
    if [name for name, _, _ in right] == names:
        return list(right)
    by_name = {name: column for column in right for name in (column[0],)}
    if set(by_name) != set(names) or len(by_name) != len(right) or len(left) != len(right):
        raise Refused(
            "union-columns", "Union", "Both sides of UNION need the same columns.", node.span
        )
    return [by_name[name] for name in names]


def _side(
    cx: Compiler, relation: Relation, columns: list[tuple[str, str, T]], kinds: list[T]
) -> str:
    same = all(column[2] == kind for column, kind in zip(columns, kinds, strict=True))
    if same and columns == list(relation.columns):
        return f"({relation.text})"
    alias = ident(cx.names.fresh("_q"))
    selected = []
    for (_, own, of), kind in zip(columns, kinds, strict=True):
        sql = convert(cx, Sql(f"{alias}.{ident(own)}", of), kind)
        selected.append(f"{sql.text} AS {ident(own)}")
    return f"(SELECT {', '.join(selected)} FROM ({relation.text}) AS {alias})"
