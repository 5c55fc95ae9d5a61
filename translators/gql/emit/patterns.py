"""Graph patterns of ISO GQL (ISO/IEC 39075:2024 clauses 16.3 to 16.11)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from graph_ir import nodes as ir
from graphmill.errors import Refused
from translators.gql.emit.operators import BOTH, CONCAT, LABEL_NOT, LABELS_AND, LABELS_OR
from translators.gql.emit.uniqueness import (
    can_repeat_edge,
    edges_of,
    may_be_cycle,
    overlap,
    search_can_repeat_edge,
    unbounded,
)
from translators.printing import Code
from translators.searches import FUNCTIONS, into_search

if TYPE_CHECKING:
    from translators.gql.emit.dialect import Gql


_PREFIX = {
    ir.SelectorKind.FUNCTION_ONE: "ANY SHORTEST",
    ir.SelectorKind.FUNCTION_ALL: "ALL SHORTEST",
    ir.SelectorKind.ANY: "ANY",
    ir.SelectorKind.ANY_SHORTEST: "ANY SHORTEST",
    ir.SelectorKind.ALL_SHORTEST: "ALL SHORTEST",
    ir.SelectorKind.SHORTEST_K: "SHORTEST {k}",
    ir.SelectorKind.SHORTEST_GROUPS: "SHORTEST {k}",
}
# No name that a query can write, so it meets no other.
_ARROWS = {
    ir.Direction.OUT: ("-[", "]->"),
    ir.Direction.IN: ("<-[", "]-"),
    ir.Direction.BOTH: ("-[", "]-"),
}


def label_name(gql: Gql, node: ir.LabelName) -> str:
    return gql.identifier(node.name)


def label_and(gql: Gql, node: ir.LabelAnd) -> str:
    return LABELS_AND.chain(map(gql.emit, node.args))


def label_or(gql: Gql, node: ir.LabelOr) -> str:
    return LABELS_OR.chain(map(gql.emit, node.args))


def label_not(gql: Gql, node: ir.LabelNot) -> str:
    return LABEL_NOT(gql.emit(node.arg))


def label_any(gql: Gql, node: ir.LabelAny) -> str:
    return "%"


def match_clause(gql: Gql, node: ir.Match) -> str:
    searches = [path for path in node.paths if path.selector is not None]
    if not searches or len(node.paths) == 1:
        return gql.match(node)
    return _split(gql, node, searches)


def _split(gql: Gql, node: ir.Match, searches: list[ir.Path]) -> str:
    """A path search stands alone in its MATCH (clause 16.4), so it follows the others."""
    others = tuple(path for path in node.paths if path.selector is None)
    groups = [others, *((path,) for path in searches)]
    for number, group in enumerate(groups):
        for later in groups[number + 1 :]:
            _no_shared_edges(gql, group, later, node)
    matches = [replace(node, paths=group, where=None, optional=False) for group in groups if group]
    matches[-1] = replace(matches[-1], where=node.where)
    for path in node.paths:
        gql.declare(path)
    texts = [gql.match(match) for match in matches]
    return gql.optional(texts, node) if node.optional else " ".join(texts)


def optional(gql: Gql, matches: list[str], node: ir.Match) -> str:
    """Several MATCH statements that are optional together."""
    return f"OPTIONAL {{{' '.join(matches)}}}"


def _no_shared_edges(
    gql: Gql, first: tuple[ir.Path, ...], second: tuple[ir.Path, ...], node: ir.Match
) -> None:
    if node.mode is ir.MatchMode.REPEATABLE:
        return
    for one in (edge for path in first for edge in edges_of(path)):
        for other in (edge for path in second for edge in edges_of(path)):
            if overlap(one, other):
                raise Refused(
                    "search-beside-edges",
                    "shortestPath",
                    "A path search and another pattern of this MATCH could share an edge, "
                    "which GQL cannot forbid across a path search.",
                    node.span,
                )


def match_text(gql: Gql, node: ir.Match) -> str:
    """One MATCH statement; declares its variables first, the predicates see them all."""
    where = node.where
    paths = node.paths
    if any(path.selector is not None and path.selector.kind in FUNCTIONS for path in paths):
        searched, where = into_search(paths[0], where)
        paths = (searched,)
    if node.mode is ir.MatchMode.DIFFERENT_EDGES and gql.SEARCHES_WALKS:
        # Clause 16.6: a search that names no path mode is one for walks.
        trail = ir.PathMode.TRAIL
        paths = tuple(
            replace(path, mode=trail)
            if search_can_repeat_edge(path, partial(may_be_cycle, apart=gql.apart))
            else path
            for path in paths
        )
    for path in paths:
        gql.declare(path)
    text = "OPTIONAL MATCH " if node.optional else "MATCH "
    text += gql.match_mode(node, paths)
    text += ", ".join(gql.emit(path) for path in paths)
    if where is not None:
        text += f" WHERE {gql.condition(where)}"
    return text


def match_mode(gql: Gql, node: ir.Match, paths: tuple[ir.Path, ...]) -> str:
    """The match mode, where it makes a difference."""
    gql.no_edge_twice(node)
    if any(path.selector is not None for path in paths) or not can_repeat_edge(paths):
        return ""
    if node.mode is ir.MatchMode.REPEATABLE:
        return f"{gql.REPEATABLE} "
    return f"{gql.DIFFERENT} "


def no_edge_twice(gql: Gql, node: ir.Match) -> None:
    named = [edge.var for path in node.paths for edge in edges_of(path) if edge.var]
    if len(set(named)) != len(named) and node.mode is ir.MatchMode.DIFFERENT_EDGES:
        raise Refused(
            "repeated-edge",
            "MATCH",
            "An edge variable stands twice in one MATCH: no edge may be bound twice there.",
            node.span,
        )


def declare(gql: Gql, path: ir.Path) -> None:
    """Make the variables of `path` known; those that are known keep their name."""
    names = [path.var, path.head.var]
    edges = set()
    for step in path.steps:
        if isinstance(step.edge, ir.Quantified):
            gql.declare(step.edge.path)
        else:
            names.append(step.edge.var)
            edges.add(step.edge.var)
        names.append(step.node.var)
    for name in names:
        if name is not None and name not in gql.scope.names:
            declared = gql.scope.bind(name)
            if name in edges:
                gql.edges.add(declared)


def path_pattern(gql: Gql, node: ir.Path) -> str:
    text = ""
    if node.var is not None:
        name = gql.scope.names[node.var]
        text = f"{name} = "
        if node.var in gql.opened and not gql.PATH_FUNCTIONS:
            return text + _opened(gql, node, name)
    steps = "".join(gql.emit(step) for step in node.steps)
    return f"{text}{_prefix(gql, node)}{gql.emit(node.head)}{steps}"


def _prefix(gql: Gql, node: ir.Path) -> str:
    parts = []
    groups = node.selector is not None and node.selector.kind is ir.SelectorKind.SHORTEST_GROUPS
    if node.selector is not None:
        parts.append(gql.emit(node.selector))
    if node.mode is not None:
        parts.append(node.mode.value)
    elif unbounded(node) and node.selector is None:
        # Clause 16.7: an open quantifier needs a restrictive mode.
        parts.append(gql.open_mode())
    if groups:
        parts.append("GROUPS")
    return "".join(f"{part} " for part in parts if part)


def open_mode(gql: Gql) -> str:
    """The path mode of a path with an open quantifier."""
    return "TRAIL"


def selector(gql: Gql, node: ir.Selector) -> str:
    return _PREFIX[node.kind].format(k=node.count)


def _opened(gql: Gql, node: ir.Path, name: str) -> str:
    """A path of which every node and edge gets a variable, to rebuild nodes(p) from."""
    head = _named(gql, node.head)
    text = _prefix(gql, node) + gql.node_text(node.head, head)
    nodes, edges = [f"[{head}]"], []
    for step in node.steps:
        last = _named(gql, step.node)
        if isinstance(step.edge, ir.Quantified):
            raise Refused(
                "path-elements",
                "nodes()",
                "The nodes of a path with a quantified part cannot be listed.",
                node.span,
            )
        edge = _named(gql, step.edge)
        if step.edge.hops is None:
            text += _edge(gql, step.edge, edge)
            nodes.append(f"[{last}]")
            edges.append(f"[{edge}]")
        else:
            between, passed = gql.scope.fresh("from_node"), gql.scope.fresh("to_node")
            inner = _edge(gql, replace(step.edge, hops=None), edge)
            hops = gql.emit(step.edge.hops)
            text += f"(({between}){inner}({passed})){hops}"
            nodes.append(passed)
            edges.append(edge)
        text += gql.node_text(step.node, last)
    gql.parts[name] = (_joined(nodes), _joined(edges))
    return text


def _named(gql: Gql, node: ir.NodePattern | ir.EdgePattern) -> str:
    if node.var is not None:
        return gql.scope.names[node.var]
    return gql.scope.fresh("node" if isinstance(node, ir.NodePattern) else "edge")


def path_part(gql: Gql, node: ir.Call) -> str:
    """nodes(p) or relationships(p) as a list value."""
    path = gql.variable_of(node)
    if path not in gql.parts:
        raise Refused(
            "path-elements",
            f"{node.name}()",
            f"The pattern of the path is not at hand, and ISO GQL has no {node.name}().",
            node.span,
        )
    nodes, edges = gql.parts[path]
    text = nodes if node.name == "nodes" else edges
    return Code(text, CONCAT) if " || " in text else text


def step(gql: Gql, node: ir.Step) -> str:
    return f"{gql.emit(node.edge)}{gql.emit(node.node)}"


def node_pattern(gql: Gql, node: ir.NodePattern) -> str:
    return gql.node_text(node, None if node.var is None else gql.scope.names[node.var])


def edge_pattern(gql: Gql, node: ir.EdgePattern) -> str:
    return _edge(gql, node, None if node.var is None else gql.scope.names[node.var])


def node_text(gql: Gql, node: ir.NodePattern, name: str | None) -> str:
    labels = "" if node.labels is None else gql.node_labels(node.labels)
    return f"({gql.filled(node, name, labels)})"


def _edge(gql: Gql, node: ir.EdgePattern, name: str | None) -> str:
    left, right = _ARROWS[node.direction]
    labels = "" if node.types is None else gql.edge_labels(node.types)
    hops = "" if node.hops is None else gql.emit(node.hops)
    return f"{left}{gql.filled(node, name, labels)}{right}{hops}"


def node_labels(gql: Gql, labels: ir.LabelExpr) -> str:
    """The label expression of a node pattern."""
    return f":{gql.emit(labels)}"


def edge_labels(gql: Gql, labels: ir.LabelExpr) -> str:
    """The label expression of an edge pattern."""
    return f":{gql.emit(labels)}"


def filled(gql: Gql, node: ir.NodePattern | ir.EdgePattern, name: str | None, labels: str) -> str:
    if isinstance(node.props, ir.Param):
        raise Refused(
            "parameter-map",
            f"${node.props.name}",
            "The properties of a pattern are named in ISO GQL, a parameter cannot hold them.",
            node.span,
        )
    entries = () if node.props is None else node.props.entries
    where = "" if node.where is None else gql.condition(node.where)
    if entries and where:
        # Clause 16.7: an element has a property map or a WHERE, not both.
        name = name or gql.scope.fresh("element")
        tests = [f"{name}.{gql.identifier(e.key)} = {gql.side(e.value)}" for e in entries]
        return f"{name}{labels} WHERE {BOTH.chain([*tests, where])}"
    text = (name or "") + labels
    if entries:
        text += " " if text else ""
        return text + gql.property_map(entries)
    if where:
        return f"{text} WHERE {where}".lstrip()
    return text


def property_map(gql: Gql, entries: tuple[ir.Entry, ...]) -> str:
    """The properties that an element pattern asks for."""
    return gql.emit(ir.MapOf(entries))


def hops(gql: Gql, node: ir.Hops) -> str:
    if node.hi is not None and (node.hi < node.lo or node.hi == 0):
        raise Refused(
            "hops",
            f"*{node.lo}..{node.hi}",
            "ISO GQL has no quantifier of nothing: the upper bound is at least one and not "
            "below the lower bound.",
            node.span,
        )
    if node.hi is None:
        return {0: "*", 1: "+"}.get(node.lo, f"{{{node.lo},}}")
    return f"{{{node.lo}}}" if node.lo == node.hi else f"{{{node.lo},{node.hi}}}"


def quantified(gql: Gql, node: ir.Quantified) -> str:
    edge = _only_edge(node)
    if edge is not None:
        return f"{gql.emit(edge)}{gql.emit(node.hops)}"
    where = "" if node.where is None else f" WHERE {gql.condition(node.where)}"
    return f"({gql.emit(node.path)}{where}){gql.emit(node.hops)}"


def _only_edge(node: ir.Quantified) -> ir.EdgePattern | None:
    """The one edge that is repeated, without anything said of its ends."""
    plain = ir.NodePattern()
    path = node.path
    if node.where is not None or path != ir.Path(plain, path.steps) or len(path.steps) != 1:
        return None
    edge = path.steps[0].edge
    if path.steps[0].node != plain or not isinstance(edge, ir.EdgePattern):
        return None
    return edge if edge.hops is None else None


def _joined(lists: list[str]) -> str:
    return " || ".join(lists).replace("] || [", ", ") if lists else "[]"
