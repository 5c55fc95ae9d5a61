"""Constants that belong together: drawn from the rows that a pattern has without them.

Two names drawn one by one rarely have a neighbour in common. Here the referee is asked for what
the pattern binds where the conditions with constants are left out, and one of its rows gives the
constants. The answer also tells whether the pattern has a row at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import replace

from generators.queries.archetypes.parts import conjuncts
from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from graph_ir.walk import find, rewrite

ROWS = 400  # of which one is drawn


def skeleton(statement: ir.Statement) -> tuple[ir.Query, tuple[str, ...]] | None:
    """The query for the values of parameters, and their names as its columns.

    Every parameter that a property equals is a column; what else reads a parameter is left out.
    None where a set operation or a window stands between pattern and result.
    """
    if not isinstance(statement, ir.Query):
        return None
    known: dict[str, ir.Expr] = {}
    clauses: list[ir.ReadClause] = []
    for clause in statement.clauses:
        match clause:
            case ir.Match(optional=False, where=where):
                known |= dict(_equalities(where))
                known |= {n: p for path in clause.paths for n, p in _in_maps(path)}
                paths = tuple(map(_short, clause.paths))
                gone = {p.var for p, q in zip(clause.paths, paths, strict=True) if p.var != q.var}
                clauses.append(replace(clause, paths=paths, where=_without(where, gone)))
            case ir.Match():
                continue
            case ir.Project(final=True):
                clauses.append(_columns(known))
            case ir.Project(limit=None, skip=None):
                clauses.append(_carried(clause, known))
            case _:
                return None
    return ir.Query(tuple(clauses)), tuple(known)


def _short(path: ir.Path) -> ir.Path:
    """The path without maps of parameters, and with few steps and no search: pairs that are near
    are connected, too.
    """
    path = rewrite(path, _without_map)
    if path.selector is None and not any(_is_long(step.edge) for step in path.steps):
        return path
    steps = []
    for step in path.steps:
        edge = step.edge
        if _is_long(edge) and isinstance(edge, ir.EdgePattern) and edge.hops is not None:
            first = 2 if path.selector is not None else edge.hops.lo
            edge = replace(edge, hops=ir.Hops(first, max(first, 2)))
        steps.append(replace(step, edge=edge))
    return replace(path, var=None, selector=None, steps=tuple(steps))


def _in_maps(path: ir.Path) -> Iterator[tuple[str, ir.Expr]]:
    for node in find(path, ir.NodePattern):
        for entry in node.props.entries if isinstance(node.props, ir.MapOf) else ():
            if isinstance(entry.value, ir.Param) and node.var:
                yield entry.value.name, ir.Prop(ir.Var(node.var), entry.key)


def _without_map(node: ir.Node) -> ir.Node:
    if not isinstance(node, ir.NodePattern) or not isinstance(node.props, ir.MapOf):
        return node
    kept = tuple(e for e in node.props.entries if next(find(e, ir.Param), None) is None)
    return replace(node, props=ir.MapOf(kept) if kept else None)


def _is_long(edge: ir.EdgePattern | ir.Quantified) -> bool:
    return isinstance(edge, ir.EdgePattern) and edge.hops is not None


def _columns(known: dict[str, ir.Expr]) -> ir.Project:
    if not known:
        return ir.Project((ir.Item(ir.Literal(1), "one"),), limit=ir.Literal(1), final=True)
    items = tuple(ir.Item(expr, name) for name, expr in known.items())
    return ir.Project(items, distinct=True, limit=ir.Literal(ROWS), final=True)


def _carried(project: ir.Project, known: dict[str, ir.Expr]) -> ir.Project:
    """The projection with the known values as columns more."""
    more = [ir.Item(expr, f"drawn_{name}") for name, expr in known.items()]
    known |= {name: ir.Var(f"drawn_{name}") for name in known}
    items = (*project.items, *more)
    group = project.group
    if group is not None:
        group = tuple(item.expr for item in items if not has_aggregate(item.expr))
    return replace(project, items=items, group=group, order=(), where=_without(project.where))


def _equalities(where: ir.Expr | None) -> Iterator[tuple[str, ir.Expr]]:
    for each in conjuncts(where):
        match each:
            case ir.Compare(ir.CompareOp.EQ, ir.Prop() as prop, ir.Param(name)):
                yield name, prop


def _without(where: ir.Expr | None, gone: Set[str | None] = frozenset()) -> ir.Expr | None:
    """The condition without what reads a parameter or a variable that is gone."""
    kept = tuple(
        each
        for each in conjuncts(where)
        if next(find(each, ir.Param), None) is None
        and not any(var.name in gone for var in find(each, ir.Var))
    )
    if len(kept) > 1:
        return ir.Bool(ir.BoolOp.AND, kept)
    return kept[0] if kept else None
