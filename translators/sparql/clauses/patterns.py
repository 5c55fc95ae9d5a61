"""Patterns of a MATCH as triple patterns: nodes, edges, lengths, different edges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from graph_ir import nodes as ir
from graph_ir.lowerings import conjuncts
from graph_ir.walk import find
from schemagraph.model import Kind, Type
from translators.base import check_length
from translators.sparql.clauses.conditions import condition, equals
from translators.sparql.clauses.flat import constants
from translators.sparql.expressions import json
from translators.sparql.expressions.core import refused
from translators.sparql.expressions.subqueries import labels
from translators.sparql.model import terms
from translators.sparql.model.compiler import Compiler, Element, Walk
from translators.sparql.model.group import Block, Group

_STRICT = (ir.CompareOp.LT, ir.CompareOp.GT)
LONGEST = 8  # hops that are written out


@dataclass(slots=True)
class Edge:
    """An edge of a MATCH that may be the same as another: its variable (a new one, or one of
    those of a variable length, which a branch may leave unbound)."""

    var: str
    pattern: ir.EdgePattern
    sure: bool = True
    walk: int = -1


@dataclass(slots=True)
class Matcher:
    """One MATCH in the current group."""

    cx: Compiler
    match: ir.Match
    edges: list[Edge] = field(default_factory=list)
    walks: int = 0
    inside: list[Callable[[], None]] = field(default_factory=list)
    _ends: dict[int, tuple[str | None, str | None]] | None = None  # by an edge's pattern
    _different: set[frozenset[str | None]] | None = None

    def run(self) -> None:
        """Add its patterns, then what they hold inside, that its edges differ, and its conditions.

        What stands inside a pattern may read properties that can be absent. The OPTIONAL of such a
        one stands behind what binds its element: before it, it would bind the element itself.
        """
        seen: set[str] = set()
        for path in self.match.paths:
            for step in path.steps:
                name = step.edge.var if isinstance(step.edge, ir.EdgePattern) else None
                if name and name in seen:
                    raise refused("repeated-edge", step, f"'{name}' is matched twice.")
                seen |= {name} if name else set()
        for path in self.match.paths:
            self._path(path)
        for add in self.inside:
            add()
        if self.match.mode is ir.MatchMode.DIFFERENT_EDGES:
            self._differ()
        if self.match.where is not None:
            condition(self.cx, self.match.where)

    def _path(self, path: ir.Path) -> None:
        if path.selector is not None:
            raise refused("path-search", path, "SPARQL has no search for paths.")
        if path.mode is not None:
            raise refused("path-mode", path, "SPARQL has no path modes.")
        start = self._node(path.head, alone=not path.steps)
        parts, lengths, jsons = [start], [], []
        for step in path.steps:
            if isinstance(step.edge, ir.Quantified):
                raise refused("quantified-path", step, "Patterns are not repeated as a whole.")
            end = self._node(step.node, alone=False)
            if step.edge.hops is None:
                parts += [self._edge(step.edge, start, end, in_path=path.var is not None), end]
            else:
                walk = self._walk(step.edge, start, end, in_path=path.var is not None)
                lengths.append(walk.length)
                jsons.append(walk.json)
                parts.append("")
                parts.append(end)
            start = end
        if path.var is not None:
            if jsons and len(path.steps) > 1 and cx_uses(self.cx, path.var):
                raise refused("path-elements", path, "Only one part of this path may vary.")
            if jsons:
                self.cx.env[path.var] = Walk(json=jsons[0], length=lengths[0])
            else:
                self.cx.env[path.var] = Walk(tuple(parts))

    # --- nodes ---------------------------------------------------------------------------------

    def _node(self, node: ir.NodePattern, *, alone: bool) -> str:
        cx = self.cx
        known = cx.env.get(node.var) if node.var else None
        if known is not None:
            if not isinstance(known, Element) or known.is_edge:
                raise refused("dynamic-element", node, f"'{node.var}' is no node.")
            element = known
            var = cx.safe(element)
            if element.null:
                # what matches is bound from here on
                element = replace(element, var=var, null=False, home=cx.group, scope=cx.group)
                element = replace(element, inner=True)
                cx.env[node.var or ""] = element
                if alone or not node.labels:
                    cx.group.triple(var, "a", "pg:Node")
        else:
            var = cx.name(node.var or _hint(node), own=node.var is not None)
            element = Element(var, node.type, False, False, cx.group, cx.group)
            if node.var:
                cx.env[node.var] = element
        if node.labels is not None:
            self._labels(var, node.labels)
        positive = isinstance(node.labels, ir.LabelName | ir.LabelAnd)
        if alone and known is None and not positive:
            cx.group.triple(var, "a", "pg:Node")
        self._inside(element, node.props, node.where, node)
        return var

    def _labels(self, var: str, of: ir.LabelExpr) -> None:
        if isinstance(of, ir.LabelName):
            self.cx.group.triple(var, "a", terms.label(of.name))
        elif isinstance(of, ir.LabelAnd) and all(isinstance(a, ir.LabelName) for a in of.args):
            for arg in of.args:
                self._labels(var, arg)
        else:
            self.cx.group.triple(var, "a", "pg:Node")
            test = labels(var, of, is_edge=False, cx=self.cx)
            self.cx.group.line(f"FILTER({test.text})")

    def _inside(
        self,
        element: Element,
        props: ir.MapOf | ir.Param | None,
        where: ir.Expr | None,
        node: ir.Node,
    ) -> None:
        """Properties and conditions that stand inside a pattern: those that read no variable there,
        all others behind the patterns of the MATCH."""
        if isinstance(props, ir.Param):
            raise refused("parameter", node, "SPARQL needs the value of a parameter.")
        for entry in props.entries if props is not None else ():
            add = partial(equals, self.cx, element, entry.key, entry.value, node)
            if any(find(entry.value, ir.Var)):
                self.inside.append(add)
            else:
                add()
        if where is not None:
            self.inside.append(partial(condition, self.cx, where))

    # --- edges ---------------------------------------------------------------------------------

    def _edge(self, edge: ir.EdgePattern, start: str, end: str, *, in_path: bool) -> str:
        cx = self.cx
        known = cx.env.get(edge.var) if edge.var else None
        if known is not None:
            raise refused("rebound", edge, f"'{edge.var}' is matched again.")
        if not in_path and self._plain(edge):
            self._direct(edge, start, end)
            return ""
        var = cx.name(edge.var or "edge", own=edge.var is not None)
        element = Element(var, edge.type, True, False, cx.group, cx.group)
        if edge.var:
            cx.env[edge.var] = element
        self.edges.append(Edge(var, edge))
        self._link(cx.group, edge, var, start, end)
        self._inside(element, edge.props, edge.where, edge)
        return var

    def _plain(self, edge: ir.EdgePattern) -> bool:
        """Whether a triple of the ends says it: neither the edge itself nor the number of those
        beside it matters."""
        if edge.props is not None or edge.where is not None:
            return False
        if edge.var and self.cx.used[edge.var]:
            return False
        if not isinstance(edge.types, ir.LabelName | ir.LabelOr) or _names(edge) is None:
            return False
        if self._direction(edge) is ir.Direction.BOTH:
            return False
        if not (self.cx.alike or self._single(edge)):
            return False
        return not any(
            self._overlap(edge, other) and not self._apart(edge, other)
            for other in self._others(edge)
        )

    def _others(self, edge: ir.EdgePattern) -> list[ir.EdgePattern]:
        """The other edge patterns of the MATCH."""
        if self.match.mode is not ir.MatchMode.DIFFERENT_EDGES:
            return []
        return [
            step.edge
            for path in self.match.paths
            for step in path.steps
            if isinstance(step.edge, ir.EdgePattern) and step.edge is not edge
        ]

    def _single(self, edge: ir.EdgePattern) -> bool:
        """Whether the schema declares that no two such edges have the same ends."""
        schema = self.cx.schema
        if schema is None or not edge.type.of:
            return False
        types = [schema.edge_by_name[name] for name in edge.type.of]
        one = ("1", "0..1")
        return all(each.targets in one or each.sources in one for each in types)

    def _direct(self, edge: ir.EdgePattern, start: str, end: str) -> None:
        if self._direction(edge) is ir.Direction.IN:
            start, end = end, start
        names = _names(edge) or []
        predicate = _path_of(edge)
        if len(names) > 1 and not self.cx.alike:
            # Oxigraph (0.5.13) has what two steps of `a|b` reach once, where SPARQL has it twice
            predicate = self._one_of(self.cx.group, names)
        self.cx.group.triple(start, predicate, end)

    def _link(self, group: Group, edge: ir.EdgePattern, var: str, start: str, end: str) -> None:
        """The triples of an edge resource; an undirected one is that of either direction."""
        direction = self._direction(edge)
        if direction is ir.Direction.IN:
            start, end = end, start
        if direction is not ir.Direction.BOTH or start == end:
            self._one(group, edge, var, start, end)
            return
        there, back = Group(outer=group), Group(outer=group)
        self._one(there, edge, var, start, end)
        self._one(back, edge, var, end, start)
        back.line(f"FILTER({start} != {end})")  # a loop is met once
        group.parts.append(Block((there, back)))

    def _one(self, group: Group, edge: ir.EdgePattern, var: str, source: str, target: str) -> None:
        names = _names(edge)
        if edge.types is not None and names is None:
            test = labels(var, edge.types, is_edge=True, cx=self.cx)
            group.triple(var, "pg:from", source)
            group.triple(var, "pg:to", target)
            group.line(f"FILTER({test.text})")
            return
        if names and len(names) == 1:
            group.triple(var, "a", terms.edge(names[0]))
        elif names:
            group.triple(var, "a", self._one_of(group, names))
        group.triple(var, "pg:from", source)
        group.triple(var, "pg:to", target)

    def _one_of(self, group: Group, names: list[str]) -> str:
        """A variable for any of these types, each once."""
        kind = self.cx.name("type")
        group.line(f"VALUES {kind} {{ {' '.join(map(terms.edge, names))} }}")
        return kind

    def _direction(self, edge: ir.EdgePattern) -> ir.Direction:
        """The direction of a pattern; of an undirected one that which the schema leaves."""
        return self.directions.get(id(edge), edge.direction)

    @property
    def directions(self) -> dict[int, ir.Direction]:
        """Directions that the schema decides, by pattern."""
        return {}

    # --- variable length -----------------------------------------------------------------------

    def _walk(self, edge: ir.EdgePattern, start: str, end: str, *, in_path: bool) -> Walk:
        cx = self.cx
        assert edge.hops is not None  # noqa: S101 # the caller looked
        if edge.where is not None or (edge.props is not None and any(find(edge.props, ir.Var))):
            raise refused("hop-predicate", edge, "A condition on each edge of a length.")
        wanted = bool(edge.var and cx.used[edge.var]) or (in_path and self._path_used())
        lo, hi = edge.hops.lo, edge.hops.hi
        if hi is None:
            if wanted or not self._closes(edge):
                raise refused("unbounded-path", edge, "How many paths there are has no form.")
            self._closure(edge, start, end)
            return Walk()
        if hi < lo:
            raise refused("hops", edge, "No path has these lengths.")
        if 0 < hi <= LONGEST and not wanted and self._closes(edge):
            self._closure(edge, start, end)
            return Walk()
        if hi > LONGEST or self.match.mode is not ir.MatchMode.DIFFERENT_EDGES:
            raise refused("hops", edge, f"Only lengths up to {LONGEST} are written out.")
        self.walks += 1
        edges = [cx.name("hop") for _ in range(hi)]
        name = cx.name(edge.var or "walk") if wanted else ""
        number = cx.name("length") if wanted else ""
        branches = []
        for count in range(lo, hi + 1):
            branches.append(
                self._branch(edge, start, end, edges[:count], name, number, in_path=in_path)
            )
        cx.group.parts.append(Block(tuple(branches)))
        for place, var in enumerate(edges):
            self.edges.append(Edge(var, edge, sure=place < lo, walk=self.walks))
        walk = Walk(json=name, length=number, edges_only=not in_path)
        if edge.var:
            if in_path and cx.used[edge.var]:
                raise refused("path-elements", edge, "A path and a list of its edges.")
            cx.env[edge.var] = walk
        return walk

    def _path_used(self) -> bool:
        return any(path.var and self.cx.used[path.var] for path in self.match.paths)

    def _branch(
        self,
        edge: ir.EdgePattern,
        start: str,
        end: str,
        edges: list[str],
        name: str,
        number: str,
        *,
        in_path: bool,
    ) -> Group:
        """The edges of one length, all different."""
        cx = self.cx
        group = Group(outer=cx.group)
        nodes = [start]
        if not edges:
            group.triple(start, "a", "pg:Node")
            if start != end:
                group.line(f"BIND({start} AS {end})")
        for place, var in enumerate(edges):
            last = place == len(edges) - 1
            nodes.append(end if last else cx.name("via"))
            self._link(group, edge, var, nodes[-2], nodes[-1])
            element = Element(var, edge.type, True, False, group, group)
            with cx.inside(group):
                self._inside(element, edge.props, None, edge)
        for place, var in enumerate(edges):
            for other in edges[place + 1 :]:
                group.line(f"FILTER({var} != {other})")
        if name:
            parts = [nodes[0]]
            for var, node in zip(edges, nodes[1:], strict=True):
                parts += [var, node]
            text = json.path_text(tuple(parts)) if in_path else json.ids_text(tuple(edges))
            group.line(f"BIND({json.literal(text)} AS {name})")
            group.line(f"BIND({len(edges)} AS {number})")
        return group

    def _closes(self, edge: ir.EdgePattern) -> bool:
        """Whether a property path says it: only that there is a walk matters, and where there is
        one there is one without an edge twice, which is no longer."""
        hops = edge.hops
        return (
            self.cx.alike
            and edge.props is None
            and hops is not None
            and hops.lo <= 1
            and self._direction(edge) is not ir.Direction.BOTH
            and (edge.types is None or _names(edge) is not None)
            and not any(self._overlap(edge, other) for other in self._others(edge))
        )

    def _closure(self, edge: ir.EdgePattern, start: str, end: str) -> None:
        assert edge.hops is not None  # noqa: S101 # the caller looked
        if self._direction(edge) is ir.Direction.IN:
            start, end = end, start
        path = _path_of(edge) if edge.types is not None else "^pg:from/pg:to"
        if "|" in path or "/" in path:
            path = f"({path})"
        lo, hi = edge.hops.lo, edge.hops.hi
        if lo == 0:  # a path of no length begins at any term
            self.cx.group.triple(start, "a", "pg:Node")
        if hi is None:
            path += "+" if lo else "*"
        else:
            path = "/".join([path] * lo + [f"{path}?"] * (hi - lo))
        self.cx.group.triple(start, path, end)

    # --- different edges -----------------------------------------------------------------------

    def _differ(self) -> None:
        tests = 0
        for place, edge in enumerate(self.edges):
            for other in self.edges[place + 1 :]:
                if edge.walk >= 0 and edge.walk == other.walk:
                    continue  # each branch says it
                if not self._overlap(edge.pattern, other.pattern):
                    continue
                if self._apart(edge.pattern, other.pattern):
                    continue
                tests += 1
                check_length(tests, edge.pattern)
                test = f"{edge.var} != {other.var}"
                if not (edge.sure and other.sure):
                    test = f"COALESCE({test}, true)"
                self.cx.group.line(f"FILTER({test})")

    def _apart(self, a: ir.EdgePattern, b: ir.EdgePattern) -> bool:
        """Whether two edges begin or end at nodes that the condition tells apart."""
        if a.hops is not None or b.hops is not None:
            return False
        if ir.Direction.BOTH in (self._direction(a), self._direction(b)):
            return False
        ends = self.ends
        pairs = zip(ends[id(a)], ends[id(b)], strict=True)
        return any(frozenset(pair) in self.different for pair in pairs)

    @property
    def ends(self) -> dict[int, tuple[str | None, str | None]]:
        """Where each edge begins and ends, by its pattern; found once."""
        if self._ends is None:
            self._ends = {}
            for path in self.match.paths:
                before = path.head.var
                for step in path.steps:
                    if isinstance(step.edge, ir.EdgePattern):
                        out = self._direction(step.edge) is ir.Direction.OUT
                        ends = (before, step.node.var)
                        self._ends[id(step.edge)] = ends if out else ends[::-1]
                    before = step.node.var
        return self._ends

    @property
    def different(self) -> set[frozenset[str | None]]:
        """Pairs of variables of which a property is less or other: no node is both; found once."""
        if self._different is None:
            self._different = self._different_pairs()
        return self._different

    def _different_pairs(self) -> set[frozenset[str | None]]:
        pairs: set[frozenset[str | None]] = set()
        fixed: dict[tuple[str, str], str] = {}
        for name, key, value in constants(self.match):
            if isinstance(value, str):
                fixed.setdefault((name, key), value)
        for (a, key), value in fixed.items():
            for (b, same), other in fixed.items():
                if a != b and key == same and value != other:
                    pairs.add(frozenset((a, b)))
        for test in conjuncts(self.match.where):
            match test:
                case ir.Compare(op, ir.Prop(ir.Var(a), key) as one, ir.Prop(ir.Var(b), same)):
                    # NaN is other than itself
                    exact = op is ir.CompareOp.NE and one.type.kind in (Kind.INTEGER, Kind.STRING)
                    if key == same and (exact or op in _STRICT):
                        pairs.add(frozenset((a, b)))
                case ir.Compare(ir.CompareOp.NE, ir.Var(a), ir.Var(b)):
                    pairs.add(frozenset((a, b)))
        return pairs

    def _overlap(self, a: ir.EdgePattern, b: ir.EdgePattern) -> bool:
        """Whether two patterns may be of one edge: by their types, and by those of the schema."""
        if a.type.of and b.type.of and self.cx.schema is not None:
            return bool(set(a.type.of) & set(b.type.of))
        names, others = _names(a), _names(b)
        return names is None or others is None or bool(set(names) & set(others))


def _names(edge: ir.EdgePattern) -> list[str] | None:
    """The names of the types of a pattern; None for any, and for other expressions."""
    match edge.types:
        case ir.LabelName(name):
            return [name]
        case ir.LabelOr(args) if all(isinstance(arg, ir.LabelName) for arg in args):
            return list(dict.fromkeys(arg.name for arg in args if isinstance(arg, ir.LabelName)))
    return None


def _path_of(edge: ir.EdgePattern) -> str:
    """The predicates of a pattern's types."""
    return "|".join(map(terms.edge, _names(edge) or []))


def _hint(node: ir.NodePattern) -> str:
    return node.labels.name.lower() if isinstance(node.labels, ir.LabelName) else "node"


def cx_uses(cx: Compiler, name: str) -> bool:
    """Whether a variable is referred to."""
    return bool(cx.used[name])


NODE = Type(Kind.NODE)
