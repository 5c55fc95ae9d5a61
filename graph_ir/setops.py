"""Set operations that a translator says as one CALL: which queries they combine, and how."""

from __future__ import annotations

from dataclasses import dataclass, replace

from graph_ir import nodes as ir


@dataclass(frozen=True, slots=True)
class SetOperation:
    """`union`, `union all`, `intersect` or `except` of `parts`; `final` orders the results."""

    kind: str
    parts: tuple[ir.Statement, ...]
    final: ir.Project


def recognise(query: ir.Query) -> SetOperation | None:
    """The set operation that a query stands for, if it is one.

    INTERSECT and EXCEPT come as a UNION ALL inside CALL whose branches mark their side with 1 and
    2, grouped by the other columns: both marks, or the first alone
    (`translators.from_sql.selects.setops`).
    """
    match query.clauses:
        case (ir.Subquery(ir.Union() as union, (), False), ir.Project(final=True) as final):
            if final.group is None and not final.distinct and _plain(final):
                return SetOperation("union all" if union.all else "union", _parts(union), final)
        case (
            ir.Subquery(ir.Union(left, right, True), (), False),
            ir.Project() as grouped,
            ir.Project(final=True) as final,
        ):
            kind = _marked(left, right, grouped)
            if kind and final.group is None and not final.distinct and _plain(final):
                return SetOperation(kind, (_unmarked(left), _unmarked(right)), final)
    return None


def _parts(union: ir.Union) -> tuple[ir.Statement, ...]:
    if isinstance(union.left, ir.Union) and union.left.all == union.all:
        return (*_parts(union.left), union.right)
    return union.left, union.right


def _plain(project: ir.Project) -> bool:
    return all(isinstance(item.expr, ir.Var) for item in project.items)


def _mark(statement: ir.Statement) -> tuple[str, int] | None:
    """The name and the number of a branch's mark."""
    if isinstance(statement, ir.Union):
        return None
    last = statement.clauses[-1]
    if not isinstance(last, ir.Project) or not last.items:
        return None
    item = last.items[-1]
    if isinstance(item.expr, ir.Literal) and isinstance(item.expr.value, int):
        return item.alias, item.expr.value
    return None


def _marked(left: ir.Statement, right: ir.Statement, grouped: ir.Project) -> str:
    one, two = _mark(left), _mark(right)
    if one is None or two is None or (one[1], two[1]) != (1, 2) or one[0] != two[0]:
        return ""
    marks = {
        item.alias: item.expr.name
        for item in grouped.items
        if isinstance(item.expr, ir.Agg) and item.expr.args == (ir.Var(one[0]),)
    }
    names = {name: alias for alias, name in marks.items()}
    match grouped.where:
        case ir.Compare(ir.CompareOp.LT, ir.Var(low), ir.Var(high)):
            if names.get("min") == low and names.get("max") == high:
                return "intersect"
        case ir.Compare(ir.CompareOp.EQ, ir.Var(high), ir.Literal(1)):
            if names.get("max") == high:
                return "except"
    return ""


def _unmarked(statement: ir.Statement) -> ir.Statement:
    assert isinstance(statement, ir.Query)  # noqa: S101 - _mark says so
    *rest, last = statement.clauses
    assert isinstance(last, ir.Project)  # noqa: S101 - _mark says so
    group = last.group
    if group is not None:
        group = tuple(key for key in group if not isinstance(key, ir.Literal))
    return ir.Query((*rest, replace(last, items=last.items[:-1], group=group)))
