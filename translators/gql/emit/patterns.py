"""Graph patterns of ISO GQL (ISO/IEC 39075:2024 clauses 16.3 to 16.11)."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from graph_ir import nodes as ir
from graphmill.errors import Refused
from translators.gql.emit.functions import Functions
from translators.gql.emit.text import AND, CONCAT, NOT, OR, PRIMARY, Code, wrap
from translators.gql.emit.uniqueness import can_repeat_edge, edges_of, overlap, unbounded
from translators.searches import FUNCTIONS, into_search

_PREFIX = {
    ir.SelectorKind.FUNCTION_ONE: "ANY SHORTEST",
    ir.SelectorKind.FUNCTION_ALL: "ALL SHORTEST",
    ir.SelectorKind.ANY: "ANY",
    ir.SelectorKind.ANY_SHORTEST: "ANY SHORTEST",
    ir.SelectorKind.ALL_SHORTEST: "ALL SHORTEST",
    ir.SelectorKind.SHORTEST_K: "SHORTEST {k}",
    ir.SelectorKind.SHORTEST_GROUPS: "SHORTEST {k} GROUPS",
}
# No name that a query can write, so it meets no other.
_ARROWS = {
    ir.Direction.OUT: ("-[", "]->"),
    ir.Direction.IN: ("<-[", "]-"),
    ir.Direction.BOTH: ("-[", "]-"),
}


class Patterns(Functions):
    """Emits MATCH with its match mode, paths, elements and label expressions."""

    # The words of the two match modes.
    DIFFERENT: ClassVar[str] = "DIFFERENT EDGES"
    REPEATABLE: ClassVar[str] = "REPEATABLE ELEMENTS"
    # Whether nodes(p) and relationships(p) are rebuilt from the variables of the pattern.
    PATH_FUNCTIONS: ClassVar[bool] = False

    CALLS: ClassVar[dict[str, str]] = Functions.CALLS | {
        "nodes": "path_part",
        "relationships": "path_part",
    }

    # IR names of paths whose nodes() or relationships() the query asks for.
    opened: frozenset[str] = frozenset()
    # GQL path variable -> (its nodes, its edges) as list values.
    parts: dict[str, tuple[str, str]]

    # --- labels ----------------------------------------------------------------------------

    def emit_LabelName(self, node: ir.LabelName) -> str:
        return self.identifier(node.name)

    def emit_LabelAnd(self, node: ir.LabelAnd) -> str:
        return Code("&".join(wrap(self.emit(arg), NOT) for arg in node.args), AND)

    def emit_LabelOr(self, node: ir.LabelOr) -> str:
        return Code("|".join(wrap(self.emit(arg), AND) for arg in node.args), OR)

    def emit_LabelNot(self, node: ir.LabelNot) -> str:
        return Code(f"!{wrap(self.emit(node.arg), PRIMARY)}", PRIMARY)

    def emit_LabelAny(self, node: ir.LabelAny) -> str:
        return "%"

    # --- MATCH -----------------------------------------------------------------------------

    def emit_Match(self, node: ir.Match) -> str:
        searches = [path for path in node.paths if path.selector is not None]
        if not searches or len(node.paths) == 1:
            return self.match(node)
        return self._split(node, searches)

    def _split(self, node: ir.Match, searches: list[ir.Path]) -> str:
        """A path search stands alone in its MATCH (clause 16.4), so it follows the others."""
        others = tuple(path for path in node.paths if path.selector is None)
        groups = [others, *((path,) for path in searches)]
        for number, group in enumerate(groups):
            for later in groups[number + 1 :]:
                self._no_shared_edges(group, later, node)
        matches = [
            replace(node, paths=group, where=None, optional=False) for group in groups if group
        ]
        matches[-1] = replace(matches[-1], where=node.where)
        for path in node.paths:
            self.declare(path)
        texts = [self.match(match) for match in matches]
        return self.optional(texts, node) if node.optional else " ".join(texts)

    def optional(self, matches: list[str], node: ir.Match) -> str:
        """Several MATCH statements that are optional together."""
        return f"OPTIONAL {{{' '.join(matches)}}}"

    def _no_shared_edges(
        self, first: tuple[ir.Path, ...], second: tuple[ir.Path, ...], node: ir.Match
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

    def match(self, node: ir.Match) -> str:
        """One MATCH statement; declares its variables first, the predicates see them all."""
        where = node.where
        paths = node.paths
        if any(path.selector is not None and path.selector.kind in FUNCTIONS for path in paths):
            searched, where = into_search(paths[0], where)
            paths = (searched,)
        for path in paths:
            self.declare(path)
        text = "OPTIONAL MATCH " if node.optional else "MATCH "
        text += self.match_mode(node, paths)
        text += ", ".join(self.emit(path) for path in paths)
        if where is not None:
            text += f" WHERE {self.condition(where)}"
        return text

    def match_mode(self, node: ir.Match, paths: tuple[ir.Path, ...]) -> str:
        """The match mode, where it makes a difference."""
        self._no_edge_twice(node)
        if any(path.selector is not None for path in paths) or not can_repeat_edge(paths):
            return ""
        if node.mode is ir.MatchMode.REPEATABLE:
            return f"{self.REPEATABLE} "
        return f"{self.DIFFERENT} "

    def _no_edge_twice(self, node: ir.Match) -> None:
        named = [edge.var for path in node.paths for edge in edges_of(path) if edge.var]
        if len(set(named)) != len(named) and node.mode is ir.MatchMode.DIFFERENT_EDGES:
            raise Refused(
                "repeated-edge",
                "MATCH",
                "An edge variable stands twice in one MATCH: no edge may be bound twice there.",
                node.span,
            )

    # --- paths -----------------------------------------------------------------------------

    def declare(self, path: ir.Path) -> None:
        """Make the variables of `path` known; those that are known keep their name."""
        names = [path.var, path.head.var]
        edges = set()
        for step in path.steps:
            if isinstance(step.edge, ir.Quantified):
                self.declare(step.edge.path)
            else:
                names.append(step.edge.var)
                edges.add(step.edge.var)
            names.append(step.node.var)
        for name in names:
            if name is not None and name not in self.scope.names:
                found = self.scope.bind(name)
                if name in edges:
                    self.edges.add(found)

    def emit_Path(self, node: ir.Path) -> str:
        text = ""
        if node.var is not None:
            name = self.scope.names[node.var]
            text = f"{name} = "
            if node.var in self.opened and not self.PATH_FUNCTIONS:
                return text + self._opened(node, name)
        steps = "".join(self.emit(step) for step in node.steps)
        return f"{text}{self._prefix(node)}{self.emit(node.head)}{steps}"

    def _prefix(self, node: ir.Path) -> str:
        parts = []
        if node.selector is not None:
            parts.append(self.emit(node.selector))
        if node.mode is not None:
            parts.append(node.mode.value)
        elif unbounded(node) and node.selector is None:
            # Clause 16.7: an open quantifier needs a restrictive mode.
            parts.append(self.open_mode())
        return "".join(f"{part} " for part in parts if part)

    def open_mode(self) -> str:
        """The path mode of a path with an open quantifier."""
        return "TRAIL"

    def emit_Selector(self, node: ir.Selector) -> str:
        return _PREFIX[node.kind].format(k=node.count)

    def _opened(self, node: ir.Path, name: str) -> str:
        """A path of which every node and edge gets a variable, to rebuild nodes(p) from."""
        head = self._named(node.head)
        text = self._prefix(node) + self._node(node.head, head)
        nodes, edges = [f"[{head}]"], []
        for step in node.steps:
            last = self._named(step.node)
            if isinstance(step.edge, ir.Quantified):
                raise Refused(
                    "path-elements",
                    "nodes()",
                    "The nodes of a path with a quantified part cannot be listed.",
                    node.span,
                )
            edge = self._named(step.edge)
            if step.edge.hops is None:
                text += self._edge(step.edge, edge)
                nodes.append(f"[{last}]")
                edges.append(f"[{edge}]")
            else:
                between, passed = self.scope.fresh("from_node"), self.scope.fresh("to_node")
                inner = self._edge(replace(step.edge, hops=None), edge)
                hops = self.emit(step.edge.hops)
                text += f"(({between}){inner}({passed})){hops}"
                nodes.append(passed)
                edges.append(edge)
            text += self._node(step.node, last)
        self.parts[name] = (_joined(nodes), _joined(edges))
        return text

    def _named(self, node: ir.NodePattern | ir.EdgePattern) -> str:
        if node.var is not None:
            return self.scope.names[node.var]
        return self.scope.fresh("node" if isinstance(node, ir.NodePattern) else "edge")

    def path_part(self, node: ir.Call) -> str:
        """nodes(p) or relationships(p) as a list value."""
        path = self._variable(node)
        if path not in self.parts:
            raise Refused(
                "path-elements",
                f"{node.name}()",
                f"The pattern of the path is not at hand, and ISO GQL has no {node.name}().",
                node.span,
            )
        nodes, edges = self.parts[path]
        text = nodes if node.name == "nodes" else edges
        return Code(text, CONCAT) if " || " in text else text

    def emit_Step(self, node: ir.Step) -> str:
        return f"{self.emit(node.edge)}{self.emit(node.node)}"

    # --- elements --------------------------------------------------------------------------

    def emit_NodePattern(self, node: ir.NodePattern) -> str:
        return self._node(node, None if node.var is None else self.scope.names[node.var])

    def emit_EdgePattern(self, node: ir.EdgePattern) -> str:
        return self._edge(node, None if node.var is None else self.scope.names[node.var])

    def _node(self, node: ir.NodePattern, name: str | None) -> str:
        labels = "" if node.labels is None else self.node_labels(node.labels)
        return f"({self._filled(node, name, labels)})"

    def _edge(self, node: ir.EdgePattern, name: str | None) -> str:
        left, right = _ARROWS[node.direction]
        labels = "" if node.types is None else self.edge_labels(node.types)
        hops = "" if node.hops is None else self.emit(node.hops)
        return f"{left}{self._filled(node, name, labels)}{right}{hops}"

    def node_labels(self, labels: ir.LabelExpr) -> str:
        """The label expression of a node pattern."""
        return f":{self.emit(labels)}"

    def edge_labels(self, labels: ir.LabelExpr) -> str:
        """The label expression of an edge pattern."""
        return f":{self.emit(labels)}"

    def _filled(self, node: ir.NodePattern | ir.EdgePattern, name: str | None, labels: str) -> str:
        if isinstance(node.props, ir.Param):
            raise Refused(
                "parameter-map",
                f"${node.props.name}",
                "The properties of a pattern are named in ISO GQL, a parameter cannot hold them.",
                node.span,
            )
        entries = () if node.props is None else node.props.entries
        where = "" if node.where is None else self.condition(node.where)
        if entries and where:
            # Clause 16.7: an element has a property map or a WHERE, not both.
            name = name or self.scope.fresh("element")
            tests = [f"{name}.{self.identifier(e.key)} = {self._side(e.value)}" for e in entries]
            return f"{name}{labels} WHERE {' AND '.join([*tests, wrap(where, AND)])}"
        text = (name or "") + labels
        if entries:
            text += " " if text else ""
            return text + self.property_map(entries)
        if where:
            return f"{text} WHERE {where}".lstrip()
        return text

    def property_map(self, entries: tuple[ir.Entry, ...]) -> str:
        """The properties that an element pattern asks for."""
        return self.emit(ir.MapOf(entries))

    def emit_Hops(self, node: ir.Hops) -> str:
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

    def emit_Quantified(self, node: ir.Quantified) -> str:
        edge = _only_edge(node)
        if edge is not None:
            return f"{self.emit(edge)}{self.emit(node.hops)}"
        where = "" if node.where is None else f" WHERE {self.condition(node.where)}"
        return f"({self.emit(node.path)}{where}){self.emit(node.hops)}"


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
