"""MATCH in Spanner's GQL: declared names, edge uniqueness, bound variables in subqueries.

Sources: GoogleSQL, "GQL patterns", "GQL query statements", "GQL subqueries"; Spanner, "openCypher
reference".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations, count, product
from typing import TYPE_CHECKING, Protocol

from graph_ir import nodes as ir
from graph_ir.lowerings import conjunction
from graph_ir.walk import find
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.base import check_length
from translators.gql.emit.dialect import Gql
from translators.gql.emit.uniqueness import can_repeat_edge, edges_of, overlap, unbounded
from translators.gql.spanner.undirected import both_ways

if TYPE_CHECKING:
    from translators.gql.spanner.dialect import Spanner


_SEARCHES = (ir.SelectorKind.FUNCTION_ONE, ir.SelectorKind.ANY, ir.SelectorKind.ANY_SHORTEST)
_MODES = (ir.PathMode.WALK, ir.PathMode.TRAIL, ir.PathMode.ACYCLIC)


def linear(gql: Spanner, query: ir.Query, outputs: Mapping[str, str] | None) -> list[str]:
    outer = gql.foreign
    gql.foreign = frozenset(gql.scope.names) if gql.depth else frozenset()
    try:
        return Gql.linear(gql, query, outputs)
    finally:
        gql.foreign = outer


def match_text(gql: Spanner, node: ir.Match) -> str:
    for path in node.paths:
        possible(gql, path)
    gql.no_edge_twice(node)
    node = opened_tests(gql, node)
    if gql.rows_count:
        node = both_ways(node, gql.names.schema, invented(gql, "end", node))
    return Gql.match(gql, _own_variables(gql, different_edges(gql, node)))


def opened_tests(gql: Spanner, node: ir.Match) -> ir.Match:
    """Tests inside an element that name another variable, as tests of the whole MATCH.

    The analyser: names of previous statements "can only be referenced in the outermost WHERE
    clause of MATCH"; "GQL patterns": no property filter names another element.
    """
    tests: list[ir.Expr] = []
    names = invented(gql, "element", node)
    searched = False

    def change[P: (ir.NodePattern, ir.EdgePattern)](part: P) -> P:
        entries = part.props.entries if isinstance(part.props, ir.MapOf) else ()
        moved = tuple(e for e in entries if _names_others(e.value, part.var))
        where = part.where if part.where and _names_others(part.where, part.var) else None
        if not moved and where is None:
            return part
        if isinstance(part, ir.EdgePattern) and (part.hops is not None or searched):
            raise Refused(
                "hop-predicate",
                "WHERE",
                "A test of each edge of a path names another variable.",
                part.span,
            )
        name = part.var or next(names)
        kind = Kind.EDGE if isinstance(part, ir.EdgePattern) else Kind.NODE
        element = ir.Var(name, type=replace(part.type, kind=kind))
        for entry in moved:
            of = gql.type_of(element.type, entry.key, gql.asked(part))
            prop = ir.Prop(element, entry.key, type=of)
            tests.append(ir.Compare(ir.CompareOp.EQ, prop, entry.value))
        if where is not None:
            tests.append(where)
        kept = tuple(e for e in entries if e not in moved)
        return replace(
            part,
            var=name,
            props=ir.MapOf(kept) if kept else None if entries else part.props,
            where=part.where if where is None else None,
        )

    paths = []
    for path in node.paths:
        searched = path.selector is not None
        paths.append(_patterns(path, change))
    return replace(node, paths=tuple(paths), where=conjunction(node.where, *tests))


def match_mode(gql: Spanner, node: ir.Match, paths: tuple[ir.Path, ...]) -> str:
    return ""  # "GQL patterns" has none; `different_edges` says it


def invented(gql: Spanner, hint: str, node: ir.Match) -> Iterator[str]:
    """Names of no variable of this MATCH, nor of one that can be seen here: what a clause before
    has called so would be joined on."""
    own = {part.var for part in find(node, ir.NodePattern)}
    own |= {part.var for part in find(node, ir.EdgePattern)}
    names = (f"\0{hint} {number}" for number in count())
    return (name for name in names if name not in gql.scope.names and name not in own)


def possible(gql: Spanner, path: ir.Path) -> None:
    if unbounded(path):
        # "Quantified path pattern": the upper bound must be specified.
        raise Refused(
            "unbounded-path", "*", "A quantifier of Spanner has an upper bound.", path.span
        )
    if path.mode is not None and path.mode not in _MODES:
        raise Refused("path-mode", path.mode.value, "Spanner has no such mode.", path.span)
    if path.selector is not None:
        _searchable(gql, path, path.selector)


def _searchable(gql: Spanner, path: ir.Path, selector: ir.Selector) -> None:
    # "Path search prefix": ANY, ANY SHORTEST; ALL SHORTEST is not implemented, k needs a
    # feature, and no path mode stands beside one. A shortest walk of one hop or more between
    # two nodes repeats no edge when it goes one way; others could.
    plain = (
        all(step.edge.hops is None or step.edge.hops.lo <= 1 for step in path.steps)
        and len(path.steps) == 1
    )
    one_way = all(edge.direction is not ir.Direction.BOTH for edge in edges_of(path))
    if selector.kind not in _SEARCHES or path.mode is not None or not (plain and one_way):
        raise Refused("path-search", selector.kind.value, "Spanner has no such search.", path.span)


def different_edges(gql: Spanner, node: ir.Match) -> ir.Match:
    """The same MATCH with its edges kept apart by TRAIL in a path, by `<>` between paths.

    "openCypher reference": TRAIL returns the paths without a repeated edge, one path pattern
    at a time.
    """
    if node.mode is ir.MatchMode.REPEATABLE or not can_repeat_edge(node.paths):
        return node
    names = invented(gql, "edge", node)
    tests: list[ir.Expr] = []
    paths = [*node.paths]
    for first, second in combinations(range(len(paths)), 2):
        places = (range(len(paths[first].steps)), range(len(paths[second].steps)))
        for one, other in product(*places):
            edges = (paths[first].steps[one].edge, paths[second].steps[other].edge)
            if not _overlapping(*edges):
                continue
            ends = []
            for place, number in ((first, one), (second, other)):
                paths[place], edge = _named(paths[place], number, names)
                if isinstance(edge, ir.Quantified) or edge.hops is not None:
                    raise Refused(
                        "edge-uniqueness",
                        "MATCH",
                        "Two paths could share an edge of a part of variable length.",
                        node.span,
                    )
                ends.append(ir.Var(edge.var or "", type=replace(edge.type, kind=Kind.EDGE)))
            tests.append(ir.Compare(ir.CompareOp.NE, *ends))
            check_length(len(tests), node)
    kept = [
        replace(path, mode=ir.PathMode.TRAIL)
        if path.selector is None
        and path.mode in (None, ir.PathMode.WALK)
        and can_repeat_edge((path,))
        else path
        for path in paths
    ]
    where = conjunction(node.where, *tests)
    return replace(node, paths=tuple(kept), where=where)


def _own_variables(gql: Spanner, node: ir.Match) -> ir.Match:
    """In a subquery: bound elements under new names, with a test that they are the same.

    The analyser: "redefining graph element variables in a subquery is not allowed. To refer
    to the same graph element, use a different name and add an explicit filter".
    """
    renamed: dict[str, ir.Var] = {}
    tests: list[ir.Expr] = []

    def change[P: (ir.NodePattern, ir.EdgePattern)](part: P) -> P:
        if part.var is None or part.var not in gql.foreign:
            return part
        kind = Kind.EDGE if isinstance(part, ir.EdgePattern) else Kind.NODE
        of = replace(part.type, kind=kind)
        if isinstance(part, ir.EdgePattern) and part.hops is not None:
            raise Refused("rebound", part.var, "A bound path is matched again.", part.span)
        if part.var not in renamed:
            renamed[part.var] = ir.Var(f"\0{part.var} {len(gql.scope.taken)}", type=of)
            tests.append(ir.Compare(ir.CompareOp.EQ, renamed[part.var], ir.Var(part.var, type=of)))
        return replace(part, var=renamed[part.var].name)

    if not gql.foreign:
        return node
    paths = []
    for path in node.paths:
        if any(isinstance(s.edge, ir.Quantified) for s in path.steps) and _inner_names(path) & set(
            gql.foreign
        ):
            raise Refused("rebound", "MATCH", "A quantified part is bound again.", path.span)
        if path.var in gql.foreign:
            raise Refused("rebound", "MATCH", "A bound path is matched again.", path.span)
        paths.append(_patterns(path, change))
    return replace(node, paths=tuple(paths), where=conjunction(node.where, *tests))


class _Change(Protocol):
    def __call__[P: (ir.NodePattern, ir.EdgePattern)](self, part: P) -> P: ...


def _patterns(path: ir.Path, change: _Change) -> ir.Path:
    """`path` with its own element patterns changed; those of quantified parts stay."""
    steps = tuple(
        replace(
            step,
            edge=change(step.edge) if isinstance(step.edge, ir.EdgePattern) else step.edge,
            node=change(step.node),
        )
        for step in path.steps
    )
    return replace(path, head=change(path.head), steps=steps)


def _inner_names(path: ir.Path) -> set[str]:
    names: set[str] = set()
    for step in path.steps:
        if isinstance(step.edge, ir.Quantified):
            inner = step.edge.path
            parts: list[ir.NodePattern | ir.EdgePattern] = [inner.head, *edges_of(inner)]
            parts += [each.node for each in inner.steps]
            names |= {part.var for part in parts if part.var}
    return names


def _names_others(node: ir.Expr, own: str | None) -> bool:
    """Whether an expression has a variable other than `own`."""
    return any(var.name != own for var in find(node, ir.Var))


def _overlapping(
    first: ir.EdgePattern | ir.Quantified, second: ir.EdgePattern | ir.Quantified
) -> bool:
    """Whether two steps could pass the same edge."""
    sides = [[e] if isinstance(e, ir.EdgePattern) else [*edges_of(e.path)] for e in (first, second)]
    return any(overlap(one, other) for one in sides[0] for other in sides[1])


def _named(
    path: ir.Path, number: int, names: Iterator[str]
) -> tuple[ir.Path, ir.EdgePattern | ir.Quantified]:
    """`path` with a variable on its edge `number`."""
    step = path.steps[number]
    edge = step.edge
    if isinstance(edge, ir.EdgePattern) and edge.var is None:
        edge = replace(edge, var=next(names))
        steps = (*path.steps[:number], replace(step, edge=edge), *path.steps[number + 1 :])
        path = replace(path, steps=steps)
    return path, edge
