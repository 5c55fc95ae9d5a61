"""MATCH: a walk from node to node, which leaves labels where something is asked for later.

A path begins where a node of it is known, else at its head. Conditions are tested as soon as their
variables are known. No edge is bound twice in a MATCH: two edges that could be the same one are
compared (openCypher 9, "Uniqueness"); whether they could, the schema tells.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from graph_ir import nodes as ir
from graph_ir.lowerings import conjuncts
from graph_ir.walk import find
from graphmill.errors import Refused
from schemagraph.model import Kind, Type
from translators.gremlin.labels import holds, label_steps, names_of
from translators.gremlin.paths import every
from translators.gremlin.rows import NOT_NULL, Binding, Compiler, Piece, Rows, inline, properties
from translators.gremlin.steps.text import (
    Kept,
    Label,
    Step,
    Than,
    Traversal,
    by,
    quoted,
    select,
    step,
    where,
)
from translators.gremlin.unsaid import unsaid

NODE = Type(Kind.NODE)
EDGE = Type(Kind.EDGE)
_OUT = ("outE", "inV")
_IN = ("inE", "outV")
SHORT = 5  # hops; walks round a circle are many
_NO_PATH = Binding((), Type(Kind.PATH), nullable=False)


@dataclass
class Pattern:
    """One MATCH while it is walked: what is still to be tested, and the edges passed so far.

    `alike` are all its edges, where it makes no difference how often a row is there. `apart` are
    nodes that the conditions keep from being one; `ends` are those of each edge, as directed.
    """

    cx: Compiler
    rows: Rows
    mode: ir.MatchMode
    names: frozenset[str]
    pending: list[ir.Expr]
    edges: list[tuple[str, ir.EdgePattern, bool]] = field(default_factory=list)
    alike: tuple[ir.EdgePattern, ...] = ()
    apart: frozenset[frozenset[str]] = frozenset()
    ends: dict[str, tuple[str, str]] = field(default_factory=dict)

    def test(self) -> None:
        """Append the conditions whose variables are known by now."""
        waiting: list[ir.Expr] = []
        for test in self.pending:
            if mentioned(test) & self.names <= self.rows.vars.keys():
                self.rows.add(*self.cx.truth(test, self.rows))
            else:
                waiting.append(test)
        self.pending = waiting


def match(cx: Compiler, node: ir.Match, rows: Rows) -> None:
    """Append a MATCH or OPTIONAL MATCH to the rows.

    Raises:
        Refused: there is no exact form of it.
    """
    if not node.optional:
        _required(cx, node, rows)
        return
    rows.begin()
    inner = rows.child()
    _required(cx, node, inner)
    rows.add(Step("optional", (tuple(inner.steps),)))
    for name, binding in inner.vars.items():
        if name not in rows.vars:
            rows.vars[name] = replace(binding, nullable=True)
    rows.here = ""


def _required(cx: Compiler, node: ir.Match, rows: Rows) -> None:
    names = frozenset(name for path in node.paths for name in _bound(path)) - rows.vars.keys()
    pattern = Pattern(cx, rows, node.mode, names, list(conjuncts(node.where)))
    pattern.apart = nodes_apart(pattern.pending)
    alike, cx.alike = cx.alike, False  # a subquery in a condition has rows of its own
    if alike and all(path.var is None for path in node.paths):
        pattern.alike = tuple(edge for path in node.paths for edge in find(path, ir.EdgePattern))
    for path in node.paths:
        _path(pattern, path)
    pattern.test()
    if pattern.pending:
        raise Refused("scope", "WHERE", "A condition reads what is not known here.", node.span)


def variables(node: ir.Node) -> set[str]:
    """The variables that a pattern binds."""
    names: set[str | None] = {each.var for each in find(node, ir.NodePattern)}
    names |= {each.var for each in find(node, ir.EdgePattern)}
    names |= {each.var for each in find(node, ir.Path)}
    return {name for name in names if name is not None}


def _bound(path: ir.Path) -> set[str]:
    """The variables that a path of a MATCH binds, without those inside its conditions."""
    parts: list[ir.NodePattern | ir.EdgePattern | ir.Quantified] = [path.head]
    for each in path.steps:
        parts += [each.edge, each.node]
    names = {each.var for each in parts if not isinstance(each, ir.Quantified)}
    return {name for name in (*names, path.var) if name is not None}


def mentioned(expr: ir.Node) -> set[str]:
    """The variables that an expression reads, and those of patterns in it."""
    return {each.name for each in find(expr, ir.Var)} | variables(expr)


def _path(pattern: Pattern, path: ir.Path) -> None:
    if path.selector is not None:
        raise unsaid(path.selector)
    if path.mode not in (None, ir.PathMode.WALK):
        raise Refused("path-mode", str(path.mode), "Gremlin has no such path mode.", path.span)
    nodes = [path.head, *(each.node for each in path.steps)]
    edges = [_single(each.edge) for each in path.steps]
    known = pattern.rows.vars
    start = next((n for n, each in enumerate(nodes) if each.var in known), 0)
    labels = [""] * len(nodes)
    pieces = [Piece()] * len(edges)
    labels[start] = _start(pattern, nodes[start])
    for place in range(start, len(edges)):
        ends = (nodes[place], nodes[place + 1])
        labels[place + 1], pieces[place] = _hop(pattern, edges[place], ends, forward=True)
    if start:
        _stand(pattern, labels[start])
    for place in range(start - 1, -1, -1):
        ends = (nodes[place + 1], nodes[place])
        labels[place], pieces[place] = _hop(pattern, edges[place], ends, forward=False)
    if path.var is not None:
        _bind_path(pattern, path, labels, pieces, start)


def _bind_path(
    pattern: Pattern, path: ir.Path, labels: list[str], pieces: list[Piece], start: int
) -> None:
    if start and any(each.edges for each in pieces):
        raise Refused("path-function", "path", "A walk to a node that is known.", path.span)
    whole = [Piece(node=labels[0])]
    for label, piece in zip(labels[1:], pieces, strict=True):
        whole += [piece] if piece.edges else [piece, Piece(node=label)]
    binding = replace(pattern.rows.vars.get(path.var or "", _NO_PATH), pieces=tuple(whole))
    pattern.rows.vars[path.var or ""] = binding


def _single(edge: ir.EdgePattern | ir.Quantified) -> ir.EdgePattern:
    """The edge of a step; a quantified pattern of one plain edge is a walk."""
    if isinstance(edge, ir.EdgePattern):
        return edge
    (only, *more) = edge.path.steps
    ends = (edge.path.head, only.node)
    bare = all(each == ir.NodePattern() for each in ends)
    if more or not bare or edge.where is not None or not isinstance(only.edge, ir.EdgePattern):
        raise Refused("quantified-path", "Quantified", "Only one plain edge is repeated here.")
    if only.edge.hops is not None:
        raise Refused("quantified-path", "Quantified", "A walk is repeated here.", edge.span)
    return replace(only.edge, hops=edge.hops)


def _start(pattern: Pattern, node: ir.NodePattern) -> str:
    """Stand on the first node of a walk; its label."""
    rows = pattern.rows
    if node.var is not None and node.var in rows.vars:
        known = rows.vars[node.var]
        label = known.label
        if not label:
            label = pattern.cx.fresh(node.var)
            rows.move(label, *inline(pattern.cx.access(node.var, rows)))
            rows.vars[node.var] = replace(
                known, path=(select(label),), label=label, computed=None, explicit=False
            )
        else:
            _stand(pattern, label)
            if known.explicit and known.nullable:
                rows.add(NOT_NULL)
        rows.vars[node.var] = replace(rows.vars[node.var], nullable=False)
        rows.add(*_own(pattern, node, label))
        pattern.test()
        return label
    return _arrive(pattern, node, (step("V"),))


def _stand(pattern: Pattern, label: str) -> None:
    """Make the object that `label` names the current one."""
    rows = pattern.rows
    if rows.here != label:
        rows.add(select(label))
        rows.here = label


def _arrive(
    pattern: Pattern, node: ir.NodePattern, steps: Traversal, ends: frozenset[str] = frozenset()
) -> str:
    """Stand on a node by these steps, which lead to the node types `ends`; its label."""
    cx, rows = pattern.cx, pattern.rows
    if node.var is not None and node.var in rows.vars:
        known = rows.vars[node.var]
        if not known.label:
            raise Refused("rebound", node.var, "A computed node is matched again.", node.span)
        if known.nullable:
            rows.add(where((select(known.label),)))
        rows.add(*steps, Step("where", (Than("eq", known.label),)))
        rows.here = known.label
        rows.vars[node.var] = replace(known, nullable=False)
        rows.add(*_own(pattern, node, known.label))
        pattern.test()
        return known.label
    label = cx.fresh(node.var or "n")
    tests = () if _implied(cx, node, ends) else _labelled(pattern, node)
    rows.move(label, *steps, *tests)
    if node.var is not None:
        rows.bind(node.var, label, _typed(node.type, NODE))
    rows.add(*_own(pattern, node, label, labelled=True))
    pattern.test()
    return label


def _implied(cx: Compiler, node: ir.NodePattern, ends: frozenset[str]) -> bool:
    """Whether the edge that leads to a node tells its labels."""
    if cx.schema is None or node.labels is None or not ends:
        return False
    own = (cx.schema.node_by_name[name].labels for name in ends)
    return all(holds(node.labels, labels) for labels in own)


def _ends(cx: Compiler, edge: ir.EdgePattern, *, forward: bool) -> frozenset[str]:
    """The node types that a single edge of the pattern leads to; none where that is not known."""
    if cx.schema is None:
        return frozenset()
    kinds = [
        kind for kind in cx.schema.edges if edge.types is None or holds(edge.types, (kind.label,))
    ]
    targets = frozenset(kind.target for kind in kinds)
    sources = frozenset(kind.source for kind in kinds)
    if edge.direction is ir.Direction.BOTH:
        return targets | sources
    return targets if (edge.direction is ir.Direction.OUT) == forward else sources


def _typed(kind: Type, default: Type) -> Type:
    return kind if kind.kind is default.kind else default


def _labelled(pattern: Pattern, node: ir.NodePattern) -> Traversal:
    return label_steps(pattern.cx, node.labels, edge=False) if node.labels is not None else ()


def _own(
    pattern: Pattern, node: ir.NodePattern, label: str, *, labelled: bool = False
) -> Traversal:
    """The conditions that a node pattern holds itself, tested where it stands."""
    tests = () if labelled else _labelled(pattern, node)
    return (*tests, *_conditions(pattern, node, label, _typed(node.type, NODE)))


def _conditions(
    pattern: Pattern, node: ir.NodePattern | ir.EdgePattern, label: str, kind: Type
) -> Traversal:
    if isinstance(node.props, ir.Param):
        raise Refused("parameter", node.props.name, "Give the parameter's value.", node.span)
    cx, rows = pattern.cx, pattern.rows
    name = node.var or f" {label}"
    if node.var is None:
        rows.bind(name, label, kind)
    entries = node.props.entries if node.props is not None else ()
    made: list[Step] = []
    for each in entries:
        base = ir.Var(name, type=kind)
        own = ir.Prop(base, each.key, type=_property_type(cx, kind, each.key))
        test = ir.Compare(ir.CompareOp.EQ, own, each.value)
        if mentioned(each.value) & pattern.names <= rows.vars.keys():
            made += cx.truth(test, rows)
        else:
            pattern.pending.append(test)
    if node.where is not None:
        pattern.pending += conjuncts(node.where)
    return tuple(made)


def _property_type(cx: Compiler, kind: Type, key: str) -> Type:
    """The type that a property has in all types of an element."""
    if cx.schema is None:
        return Type(Kind.ANY)
    kinds = {each.type for each in properties(cx.schema, kind, key) if each is not None}
    return kinds.pop() if len(kinds) == 1 else Type(Kind.ANY)


def _hop(
    pattern: Pattern,
    edge: ir.EdgePattern,
    ends: tuple[ir.NodePattern, ir.NodePattern],
    *,
    forward: bool,
) -> tuple[str, Piece]:
    """Walk one edge pattern to the next node; that node's label and what was passed."""
    node = ends[1]
    if edge.hops is not None:
        return _walk(pattern, edge, node, forward=forward)
    cx, rows = pattern.cx, pattern.rows
    steps, onward = _edge_steps(cx, edge, forward=forward)
    if edge.var is not None and edge.var in rows.vars:
        known = rows.vars[edge.var]
        if not known.label or any(label == known.label for label, _, _ in pattern.edges):
            raise Refused("repeated-edge", edge.var, "An edge is matched again.", edge.span)
        label = known.label
        if known.nullable:
            rows.add(where((select(label),)))  # what an optional part did not find has no label
        rows.add(*steps, Step("where", (Than("eq", label),)))
        rows.here = label
        rows.vars[edge.var] = replace(known, nullable=False)
    else:
        label = cx.fresh(edge.var or "e")
        rows.move(label, *steps)
        if edge.var is not None:
            rows.bind(edge.var, label, _typed(edge.type, EDGE))
    if edge.direction is not ir.Direction.BOTH:
        along = (edge.direction is ir.Direction.OUT) == forward
        names = (ends[0].var or "", node.var or "")
        pattern.ends[label] = names if along else names[::-1]
    rows.add(*_distinct(pattern, edge, label))
    rows.add(*_conditions(pattern, edge, label, _typed(edge.type, EDGE)))
    pattern.edges.append((label, edge, False))
    pattern.test()
    return _arrive(pattern, node, onward, _ends(cx, edge, forward=forward)), Piece(edge=label)


def _edge_steps(
    cx: Compiler, edge: ir.EdgePattern, *, forward: bool
) -> tuple[Traversal, Traversal]:
    """Steps from a node to its edges that fit, and on to the other end."""
    names = names_of(edge.types)
    types = tuple(map(quoted, names))
    rest: Traversal = ()
    if edge.types is not None and not names:
        rest = label_steps(cx, edge.types, edge=True)
    if edge.direction is ir.Direction.BOTH:
        if _may_loop(cx, edge):
            # from a loop both ends lead to it, and it is one edge
            once = (step("bothE", *types), step("dedup"))
            return (step("flatMap", once), *rest), (step("otherV"),)
        return (step("bothE", *types), *rest), (step("otherV"),)
    out, onward = _OUT if (edge.direction is ir.Direction.OUT) == forward else _IN
    return (step(out, *types), *rest), (step(onward),)


def _may_loop(cx: Compiler, edge: ir.EdgePattern) -> bool:
    """Whether an edge of the pattern may lead from a node to itself."""
    if cx.schema is None:
        return True
    return any(
        kind.source == kind.target
        for kind in cx.schema.edges
        if edge.types is None or holds(edge.types, (kind.label,))
    )


def _distinct(pattern: Pattern, edge: ir.EdgePattern, label: str) -> Traversal:
    """Tests that the edge just bound is none of those before."""
    if pattern.mode is not ir.MatchMode.DIFFERENT_EDGES:
        return ()
    made: list[Step] = []
    for other, known, walk in pattern.edges:
        if not _may_be_one(pattern.cx, edge, known) or _are_apart(pattern, label, other):
            continue
        if walk:
            among = (every(other), step("unfold"), Step("where", (Than("eq", label),)))
            made.append(Step("not", (among,)))
        else:
            made.append(Step("where", (Than("neq", other),)))
    pattern.cx.bounded(edge, len(made))
    return tuple(made)


def _are_apart(pattern: Pattern, label: str, other: str) -> bool:
    """Whether two edges begin or end in nodes that the conditions keep from being one."""
    if label not in pattern.ends or other not in pattern.ends:
        return False
    pairs = zip(pattern.ends[label], pattern.ends[other], strict=True)
    return any(frozenset(pair) in pattern.apart for pair in pairs)


def nodes_apart(tests: list[ir.Expr]) -> frozenset[frozenset[str]]:
    """Pairs of variables that differ where all the tests hold: of one thing, and its like."""
    pairs: set[frozenset[str]] = set()
    strict = (ir.CompareOp.LT, ir.CompareOp.GT, ir.CompareOp.NE)
    for test in tests:
        if not isinstance(test, ir.Compare) or test.op not in strict:
            continue
        match test.left, test.right:
            case (ir.Var(name=a), ir.Var(name=b)) if test.left.type.kind is Kind.NODE:
                pairs.add(frozenset((a, b)))
            case (ir.Prop(base=ir.Var(name=a), key=one), ir.Prop(base=ir.Var(name=b), key=other)):
                if one == other:
                    pairs.add(frozenset((a, b)))
    return frozenset(each for each in pairs if len(each) > 1)


def _may_be_one(cx: Compiler, a: ir.EdgePattern, b: ir.EdgePattern) -> bool:
    """Whether one edge may fit both patterns."""
    if a.type.of and b.type.of:
        return bool(set(a.type.of) & set(b.type.of))
    first, second = names_of(a.types), names_of(b.types)
    return not first or not second or bool(set(first) & set(second))


def _walk(
    pattern: Pattern, edge: ir.EdgePattern, node: ir.NodePattern, *, forward: bool
) -> tuple[str, Piece]:
    """Walk an edge pattern of several hops: a `repeat` of distinct edges."""
    cx, rows = pattern.cx, pattern.rows
    hops = edge.hops or ir.Hops()
    if pattern.mode is not ir.MatchMode.DIFFERENT_EDGES and hops.hi is None:
        raise Refused("unbounded-path", "*", "A walk that may repeat edges has no end.", edge.span)
    if edge.var is not None and edge.var in rows.vars:
        raise Refused("rebound", edge.var, "A list of edges is matched again.", edge.span)
    if hops.hi is not None and (hops.hi < hops.lo or hops.hi == 0):
        return _no_hop(pattern, edge, node, hops)
    label, inner = cx.fresh(edge.var or "e"), cx.fresh("hop")
    steps, onward = _edge_steps(cx, edge, forward=forward)
    marked = (*steps, Step("as", (Label(label),)))
    before = Rows(dict(rows.vars), label, [], inner=True)
    single = Pattern(cx, before, pattern.mode, pattern.names, [], pattern.edges)
    one = replace(edge, var=None, hops=None)
    tests = (*_conditions(single, one, label, _typed(ir.EdgePattern().type, EDGE)),)
    single.test()
    if single.pending or before.steps:
        raise Refused("hop-predicate", "WHERE", "A condition on each edge of a walk.", edge.span)
    if _reaches(pattern, edge, hops):
        body = (*marked, *tests, *onward)
    elif pattern.mode is ir.MatchMode.DIFFERENT_EDGES and hops.hi != 1:
        body = (*marked, *tests, *onward, _once(pattern, one, label))
    else:
        body = (*marked, *tests, *_distinct(pattern, one, label), *onward)
    # A label on a filter in a repeat is not told from its namesakes (TinkerPop 3.8.0), unless what
    # follows has a label, too.
    filtered = bool(tests) or len(steps) > 1
    body = (*body, Step("as", (Kept(inner) if filtered else Label(inner),)))
    ends = _ends(cx, edge, forward=forward) if hops.lo else frozenset()
    arrived = _arrive(pattern, node, _repeat(body, hops), ends)
    pattern.edges.append((label, edge, True))
    if edge.var is not None:
        if not forward and hops.hi != 1:
            raise Refused("rebound", edge.var, "A list of edges from its other end.", edge.span)
        rows.bind(edge.var, label, Type(Kind.LIST, EDGE))
        path: Traversal = (every(label),)
        if hops.lo == 0:
            path = (Step("coalesce", (path, (step("constant", "[]"),))),)
        rows.vars[edge.var] = replace(rows.vars[edge.var], path=path, label="")
    return arrived, Piece(edges=label, nodes=inner)


def _reaches(pattern: Pattern, edge: ir.EdgePattern, hops: ir.Hops) -> bool:
    """Whether only which nodes are reached matters: where a walk along the edges leads to one, so
    does a walk without an edge twice, which is no longer."""
    return (
        edge.var is None
        and edge.direction is not ir.Direction.BOTH
        and hops.lo <= 1
        and hops.hi is not None
        and hops.hi <= SHORT
        and any(other is edge for other in pattern.alike)
        and not any(
            other is not edge and _may_be_one(pattern.cx, edge, other) for other in pattern.alike
        )
    )


def _no_hop(
    pattern: Pattern, edge: ir.EdgePattern, node: ir.NodePattern, hops: ir.Hops
) -> tuple[str, Piece]:
    raise Refused("path-range", "*", "A walk of no length.", edge.span)


def _once(pattern: Pattern, edge: ir.EdgePattern, label: str) -> Step:
    """A filter: no edge of a walk is passed twice, nor one that was bound before the walk.

    One test for both: a `where(neq('e'))` inside the `repeat` makes TinkerPop (3.8.0) forget the
    edges of the hops before, so that a loop is passed twice.
    """
    others = [known for known in pattern.edges if _may_be_one(pattern.cx, edge, known[1])]
    local = () if others else ("local",)
    passed: Traversal = (every(label),)
    if others:
        parts: list[Traversal] = [
            (every(other), step("unfold")) if walk else (select(other),)
            for other, _, walk in others
        ]
        passed = (Step("union", (*parts, (every(label), step("unfold")))),)
    return where(
        (
            Step("project", (Label("x"), Label("y"))),
            by((*passed, step("count", *local))),
            by((*passed, step("dedup", *local), step("count", *local))),
            Step("where", (Label("x"), Than("eq", "y"))),
        )
    )


def _repeat(body: Traversal, hops: ir.Hops) -> Traversal:
    """`body` as often as `hops` says."""
    again = Step("repeat", (body,))
    times = (step("times", str(hops.hi)),) if hops.hi is not None else ()
    if hops.hi == hops.lo:
        return (again, *times)
    if hops.lo == 0 and any(each.name == "flatMap" for each in body):
        # emit() before a repeat with flatMap() loses what it emits (TinkerPop 3.8.0)
        return (Step("union", ((step("identity"),), (again, step("emit"), *times))),)
    if hops.lo == 0:
        return (step("emit"), again, *times)
    if hops.lo == 1:
        return (again, step("emit"), *times)
    return (again, step("emit", (step("loops"), step("is", f"gte({hops.lo})"))), *times)
