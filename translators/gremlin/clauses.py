"""The clauses of a statement, one after the other, and its parts: subqueries and unions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.multiplicity import counts_once
from graphmill.errors import Refused
from schemagraph.model import ANY, TEMPORAL, Kind, Type
from translators.gremlin.patterns import match
from translators.gremlin.projections import project
from translators.gremlin.reductions import aggregate_columns, drops_empty
from translators.gremlin.rows import Binding, Compiler, Rows, inline
from translators.gremlin.steps.text import Label, Step, Traversal, select, step
from translators.gremlin.unsaid import unsaid


def statement(cx: Compiler, node: ir.Statement, rows: Rows) -> tuple[str, ...]:
    """Append a whole statement to the rows; the names of its columns.

    Raises:
        Refused: there is no exact form of it.
    """
    if isinstance(node, ir.Union):
        return _union(cx, node, rows)
    columns: tuple[str, ...] = ()
    for place, clause in enumerate(node.clauses, 1):
        make = cx.clauses.get(type(clause))
        if make is None:
            raise unsaid(clause)
        cx.alike = isinstance(clause, ir.Match) and counts_once(node.clauses[place:], after=False)
        cx.unread = _unread(node.clauses[place - 1 : place + 1])
        merged = cx.merged
        if not (isinstance(clause, ir.Project) and clause.final):
            cx.merged = None  # only the last rows are those of a side
        make(cx, clause, rows)
        cx.merged = merged
        if isinstance(clause, ir.Project) and clause.final:
            columns = tuple(item.alias for item in clause.items)
    return columns


def _unread(clauses: Sequence[ir.Clause]) -> dict[str, str]:
    """The aggregates of a WITH whose row the MATCH after it drops, where they are of nothing."""
    if len(clauses) < 2 or not isinstance(clauses[0], ir.Project):
        return {}
    after = clauses[1]
    if not isinstance(after, ir.Match) or after.optional:
        return {}
    columns = aggregate_columns(clauses[0])
    return {a: n for a, n in columns.items() if drops_empty(after.where, {a: n})}


def _union(cx: Compiler, node: ir.Union, rows: Rows) -> tuple[str, ...]:
    sides: list[ir.Query] = []
    alls: set[bool] = set()
    current: ir.Statement = node
    while isinstance(current, ir.Union):
        sides.insert(0, current.right)
        alls.add(current.all)
        current = current.left
    sides.insert(0, current)
    if len(alls) > 1:
        raise Refused("unsupported", "UNION", "UNION and UNION ALL are mixed.", node.span)
    branches: list[Traversal] = []
    columns: tuple[str, ...] = ()
    before, cx.merged = cx.merged, None if all(alls) else {}
    for side in sides:
        inner = rows.child()
        own = statement(cx, side, inner)
        if columns and set(own) != set(columns):
            raise Refused("union-columns", "UNION", "The sides have other columns.", node.span)
        columns = columns or own
        branches.append(tuple(inner.steps))
        _same_kinds(cx, node, side)
    if not all(alls):
        _no_texts_beside_moments(sides)
    if any(len(forms) > 1 for forms in (cx.merged or {}).values()):
        reason = "A null that is an object is no null that is absent, in Gremlin."
        raise Refused("mixed-keys", "UNION", reason, node.span)
    cx.merged = before
    if not rows.inner and not all(branch[0].name == "V" for branch in branches):
        rows.add(step("inject", "0"))
    rows.move(cx.fresh("row"), Step("union", tuple(branches)))
    if not all(alls):
        rows.add(step("dedup"))
    rows.vars = {name: Binding((select(rows.here), _key(name)), ANY) for name in columns}
    return columns


def _key(name: str) -> Step:
    return Step("select", (Label(name),))


def _same_kinds(cx: Compiler, node: ir.Union, side: ir.Query) -> None:
    """UNION compares rows, where Gremlin tells 1 from 1.0."""
    last = side.clauses[-1]
    if node.all or not isinstance(last, ir.Project):
        return
    for item in last.items:
        kind = item.expr.type.kind
        plain = isinstance(item.expr, ir.Prop | ir.Var)
        if kind is Kind.ANY and plain and cx.schema is None:
            continue
        if kind in (Kind.ANY, Kind.FLOAT, Kind.LIST, Kind.MAP):
            raise Refused("mixed-keys", "UNION", "Gremlin tells 1 from 1.0 among rows.", item.span)


def _no_texts_beside_moments(sides: Sequence[ir.Query]) -> None:
    """UNION compares rows, where TinkerGraph has a moment or a duration as its text."""
    kinds: dict[str, set[Kind]] = {}
    for last in (side.clauses[-1] for side in sides):
        for item in last.items if isinstance(last, ir.Project) else ():
            own = kinds.setdefault(item.alias, set())
            own.add(item.expr.type.kind)
            if Kind.STRING in own and own & TEMPORAL:
                reason = "A moment is its text on TinkerGraph, and is no text in a graph."
                raise Refused("mixed-keys", "UNION", reason, item.span)


def _unwind(cx: Compiler, node: ir.Unwind, rows: Rows) -> None:
    kind = node.expr.type
    if kind.kind not in (Kind.LIST, Kind.ANY):
        raise Refused("type", "UNWIND", "This is not known to be a list.", node.span)
    rows.begin()
    label = cx.fresh(node.alias)
    own = inline(cx.value(node.expr, rows))
    rows.move(label, *own, step("unfold"))
    rows.bind(node.alias, label, kind.item or ANY, nullable=True)
    rows.vars[node.alias] = replace(rows.vars[node.alias], explicit=True)


def _subquery(cx: Compiler, node: ir.Subquery, rows: Rows) -> None:
    rows.begin()
    inner = rows.child()
    if node.imports != ("*",):
        inner.vars = {name: own for name, own in rows.vars.items() if name in node.imports}
    columns = statement(cx, node.query, inner)
    if not columns:
        raise Refused("subquery", "CALL", "The subquery returns nothing.", node.span)
    label = cx.fresh("row")
    made: Step = Step("flatMap", (tuple(inner.steps),))
    if node.optional:
        made = Step("optional", ((made, Step("as", (Label(label),))),))
    rows.move(label, made)
    types = _types(node.query)
    for name in columns:
        path = (select(label), _key(name))
        rows.vars[name] = Binding(path, types.get(name, ANY), nullable=True, explicit=True)


def _types(query: ir.Statement) -> dict[str, Type]:
    last = query.left if isinstance(query, ir.Union) else query
    while isinstance(last, ir.Union):
        last = last.left
    final = last.clauses[-1]
    if isinstance(final, ir.Project):
        return {item.alias: item.expr.type for item in final.items}
    return {}


CLAUSES: dict[type[ir.Node], Callable[..., None]] = {
    ir.Match: match,
    ir.Project: project,
    ir.Unwind: _unwind,
    ir.Subquery: _subquery,
}
