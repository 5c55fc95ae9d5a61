"""MATCH: bindings of a pattern's variables, found step by step.

A pattern is compiled into moves, each of which binds one more element in the one row that they
share, and hands it on to the next; the last gives it to whoever asked. So nothing is copied but
what is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter

from graph_ir import nodes as ir
from graph_ir.variables import pattern_names
from graph_ir.walk import find
from qa.mutation.interpreter.elements import EdgeValue, NodeValue, PathValue, Way
from qa.mutation.interpreter.expressions import Env, Expressions, Fn, TooMuch, label_test
from qa.mutation.interpreter.values import Unsupported, equals

type Used = list[EdgeValue]
type Sink = Callable[[Env], bool | None]
"""Takes a row, which it has to copy if it keeps it; True ends the search."""
type Search = Callable[[Env, Sink], bool]
type Move = Callable[[Env, Used, Sink], bool]
type Stage = Callable[[Move], Move]
type NodeTest = Callable[[NodeValue, Env], bool]
type Test = Callable[[Env], bool]
type Condition = tuple[frozenset[str], Test]

_SHORTEST = (
    ir.SelectorKind.FUNCTION_ONE,
    ir.SelectorKind.FUNCTION_ALL,
    ir.SelectorKind.ANY_SHORTEST,
    ir.SelectorKind.ALL_SHORTEST,
)
_ONE = (ir.SelectorKind.FUNCTION_ONE, ir.SelectorKind.ANY_SHORTEST)


class _Frame:
    """The nodes and edges at the places of one path, while it is searched."""

    __slots__ = ("nodes", "walked")

    def __init__(self, size: int) -> None:
        self.nodes: list[NodeValue] = [None] * size  # type: ignore[list-item] # set by each search
        self.walked: list[Sequence[EdgeValue]] = [()] * size

    def path(self) -> PathValue:
        nodes, edges = [self.nodes[0]], []
        for walked in self.walked[:-1]:
            for edge in walked:
                here = nodes[-1]
                nodes.append(edge.target if edge.source is here else edge.source)
                edges.append(edge)
        return PathValue(tuple(nodes), tuple(edges))


class Patterns(Expressions):
    """Patterns over the expressions that stand in them."""

    measured: frozenset[str] = frozenset()
    """Paths of which only the length is asked."""

    def pattern(
        self, paths: tuple[ir.Path, ...], where: ir.Expr | None, mode: ir.MatchMode, scope: set[str]
    ) -> Search:
        """All bindings of `paths` that fulfil `where`, for a row with the variables `scope`."""
        repeats = mode is ir.MatchMode.REPEATABLE
        conditions = list(self._conditions(paths, where, scope))
        stages: list[Stage] = []
        known = set(scope)
        for path in paths:
            if path.selector is not None:
                self._refuse_search_conditions(path, conditions)
            stages += self._path(path, known, conditions, repeats)
            known.update(pattern_names(path))
        late = [test for _, test in conditions]

        def last(env: Env, used: Used, sink: Sink) -> bool:
            return all(test(env) for test in late) and sink(env) is True

        move: Move = last if late else _given
        for stage in reversed(stages):
            move = stage(move)
        return lambda env, sink: move(dict(env), [], sink)

    def _conditions(
        self, paths: tuple[ir.Path, ...], where: ir.Expr | None, scope: set[str]
    ) -> Iterator[Condition]:
        """Every conjunct, with the variables that it needs; inline WHERE included."""
        parts: list[ir.Expr] = []
        bound = scope.union(*map(pattern_names, paths))
        for path in paths:
            for element in (
                path.head,
                *(s.node for s in path.steps),
                *(s.edge for s in path.steps),
            ):
                if isinstance(element, ir.Quantified):
                    raise Unsupported("Quantified")
                for entry in element.props.entries if isinstance(element.props, ir.MapOf) else ():
                    if _reads(entry.value):
                        hops = isinstance(element, ir.EdgePattern) and element.hops is not None
                        if element.var is None or hops:
                            raise Unsupported("a property map that reads variables")
                        stored = ir.Prop(ir.Var(element.var), entry.key)
                        parts.append(ir.Compare(ir.CompareOp.EQ, stored, entry.value))
                if element.where is not None:
                    if isinstance(element, ir.EdgePattern) and element.hops is not None:
                        raise Unsupported("a condition inside a variable-length edge")
                    parts.append(element.where)
        if where is not None:
            parts.append(where)
        conjuncts: list[ir.Expr] = []
        for part in parts:
            whole = isinstance(part, ir.Bool) and part.op is ir.BoolOp.AND
            conjuncts += part.args if isinstance(part, ir.Bool) and whole else (part,)
        compiled = []
        for each in conjuncts:
            condition = self.machine.conditions.get(each)
            if condition is None:
                searches = any(True for _ in find(each, ir.Path))
                condition = self.machine.conditions[each] = (
                    searches,
                    _names(each),
                    self.truth(each),
                )
            compiled.append(condition)
        compiled.sort(key=itemgetter(0))  # cheap ones first
        for _, names, test in compiled:
            yield names & bound, test

    def _refuse_search_conditions(self, path: ir.Path, conditions: list[Condition]) -> None:
        """Predicates on what a search finds take part in it, which is not said here."""
        inside = {path.var} | {
            step.edge.var for step in path.steps if isinstance(step.edge, ir.EdgePattern)
        }
        if any(names & inside for names, _ in conditions):
            raise Unsupported("a condition on a path that is searched")

    def _path(
        self, path: ir.Path, known: set[str], conditions: list[Condition], repeats: bool
    ) -> list[Stage]:
        if path.mode not in (None, ir.PathMode.TRAIL):
            raise Unsupported(f"path mode {path.mode}")
        nodes = [path.head, *(step.node for step in path.steps)]
        edges = [step.edge for step in path.steps if isinstance(step.edge, ir.EdgePattern)]
        first = next((i for i, n in enumerate(nodes) if n.var is not None and n.var in known), 0)
        if any(edge.hops is not None for edge in edges[:first]) or path.selector is not None:
            first = 0
        frame = _Frame(len(nodes))
        bound = set(known)

        def checks(*names: str | None) -> list[Test]:
            """The conditions that can be asked when these are bound, too."""
            bound.update(name for name in names if name is not None)
            ready = [each for each in conditions if each[0] <= bound]
            for each in ready:
                conditions.remove(each)
            return [test for _, test in ready]

        head = nodes[first]
        is_known = head.var in bound
        stages = [self._start(head, first, is_known, checks(head.var), frame)]
        order = [(i, i + 1) for i in range(first, len(edges))]
        order += [(i, i - 1) for i in range(first, 0, -1)]
        for origin, place in order:
            edge, node = edges[min(origin, place)], nodes[place]
            known_ends = (edge.var in bound, node.var in bound)
            hop = _Hop(edge, node, origin, place, known_ends, checks(node.var, edge.var), frame)
            stages.append(self._hop(hop, path, repeats))
        if path.var is not None:
            stages.append(_named(path.var, frame))
        return [self._searched(path, stages, frame)] if path.selector is not None else stages

    def _start(
        self, node: ir.NodePattern, place: int, is_known: bool, checks: list[Test], frame: _Frame
    ) -> Stage:
        label = node.labels.name if isinstance(node.labels, ir.LabelName) else None
        test = self._node(node, labelled=label is not None and not is_known)
        var, machine, nodes = node.var, self.machine, frame.nodes

        def stage(proceed: Move) -> Move:
            def move(env: Env, used: Used, sink: Sink) -> bool:
                starts: Sequence[NodeValue]
                if is_known:
                    value = env[var]  # type: ignore[index] # what is known has a name
                    if value is None:
                        return False
                    if not isinstance(value, NodeValue):
                        raise Unsupported("a pattern that starts at no node")
                    starts = (value,)
                else:
                    graph = machine.graph
                    starts = graph.nodes if label is None else graph.by_label.get(label, ())
                machine.left -= len(starts)
                if machine.left < 0:
                    raise TooMuch
                for node in starts:
                    if test is not None and not test(node, env):
                        continue
                    if var is not None:
                        env[var] = node
                    nodes[place] = node
                    for check in checks:
                        if not check(env):
                            break
                    else:
                        if proceed(env, used, sink):
                            return True
                return False

            return move

        return stage

    def _hop(self, hop: _Hop, path: ir.Path, repeats: bool) -> Stage:
        """From a node over an edge, or over several, to the next."""
        edge, node = hop.edge, hop.node
        label = node.labels.name if isinstance(node.labels, ir.LabelName) else None
        hops = edge.hops if path.selector is None else edge.hops or ir.Hops(1, 1)
        if hops is not None and repeats:
            raise Unsupported("repeatable elements in a variable-length edge")
        if hops is not None and hop.known[0]:
            raise Unsupported("a list of edges that is matched again")
        if hops is None:
            test = self._node(node, labelled=label is not None)
            return self._single(hop, hop.way(label), test, path.var is not None, repeats)
        return self._long(hop, hop.way(None), self._node(node), hops)

    def _single(
        self, hop: _Hop, way: Way, test: NodeTest | None, keeps: bool, repeats: bool
    ) -> Stage:
        machine, nodes, walked, checks = self.machine, hop.frame.nodes, hop.frame.walked, hop.checks
        origin, place, spot = hop.origin, hop.place, min(hop.origin, hop.place)
        edge_var, node_var = hop.edge.var, hop.node.var
        edge_known, node_known = hop.known
        props = self._props(hop.edge.props)

        def stage(proceed: Move) -> Move:
            def move(env: Env, used: Used, sink: Sink) -> bool:
                links = nodes[origin].along(way)
                machine.left -= len(links)
                if machine.left < 0:
                    raise TooMuch
                for edge, end in links:
                    if not repeats and edge in used:
                        continue
                    if props and not _has(edge, props, env):
                        continue
                    if edge_var is not None:
                        if not edge_known:
                            env[edge_var] = edge
                        elif env[edge_var] is not edge:
                            continue
                    if node_var is not None:
                        if not node_known:
                            env[node_var] = end
                        elif env[node_var] is not end:
                            continue
                    if test is not None and not test(end, env):
                        continue
                    for check in checks:
                        if not check(env):
                            break
                    else:
                        nodes[place] = end
                        if keeps:
                            walked[spot] = (edge,)
                        used.append(edge)
                        if proceed(env, used, sink):
                            return True
                        used.pop()
                return False

            return move

        return stage

    def _long(self, hop: _Hop, way: Way, test: NodeTest | None, hops: ir.Hops) -> Stage:
        machine, nodes, walked, checks = self.machine, hop.frame.nodes, hop.frame.walked, hop.checks
        origin, place, spot = hop.origin, hop.place, min(hop.origin, hop.place)
        edge_var, node_var, node_known = hop.edge.var, hop.node.var, hop.known[1]
        props = self._props(hop.edge.props)

        def ends(start: NodeValue, env: Env, used: Used) -> Iterator[tuple[NodeValue, Taken]]:
            """All ends, and the edges on the way there, the near ones first."""
            layer: list[tuple[NodeValue, Taken]] = [(start, ())]
            length = 0
            while layer:
                if length >= hops.lo:
                    yield from layer
                if hops.hi is not None and length >= hops.hi:
                    return
                longer: list[tuple[NodeValue, Taken]] = []
                for end, taken in layer:
                    for edge, further in end.along(way):
                        if edge in taken or edge in used or not _has(edge, props, env):
                            continue
                        machine.step()
                        longer.append((further, (*taken, edge)))
                layer, length = longer, length + 1

        def stage(proceed: Move) -> Move:
            def move(env: Env, used: Used, sink: Sink) -> bool:
                count = len(used)
                for end, taken in ends(nodes[origin], env, used):
                    machine.step()
                    if edge_var is not None:
                        env[edge_var] = list(taken)
                    if node_var is not None:
                        if not node_known:
                            env[node_var] = end
                        elif env[node_var] is not end:
                            continue
                    if test is not None and not test(end, env):
                        continue
                    if all(check(env) for check in checks):
                        nodes[place], walked[spot] = end, taken
                        used += taken
                        if proceed(env, used, sink):
                            return True
                        del used[count:]
                return False

            return move

        return stage

    def _searched(self, path: ir.Path, stages: list[Stage], frame: _Frame) -> Stage:
        """The shortest of the paths between the same ends."""
        selector = path.selector
        assert selector is not None  # noqa: S101 # the caller has looked
        edge = path.steps[0].edge if len(path.steps) == 1 else None
        if selector.kind not in _SHORTEST or not isinstance(edge, ir.EdgePattern):
            raise Unsupported(f"search {selector.kind}")
        machine, one = self.machine, selector.kind in _ONE
        any_does = edge.var is None and (path.var is None or path.var in self.measured)
        best: dict[tuple[int, int], list[tuple[Env, Sequence[EdgeValue]]]] = {}

        def note(env: Env, used: Used, sink: Sink) -> bool:
            start, end = frame.nodes
            kept = best.setdefault((start.number, end.number), [])
            taken = frame.walked[0]
            if kept and len(taken) < len(kept[0][1]):
                kept.clear()
            if not kept or len(taken) == len(kept[0][1]):
                kept.append((dict(env), taken))
            return False

        inner: Move = note
        for each in reversed(stages):
            inner = each(inner)

        def stage(proceed: Move) -> Move:
            def move(env: Env, used: Used, sink: Sink) -> bool:
                best.clear()
                inner(env, used, sink)
                count = len(used)
                for kept in list(best.values()):
                    if one and len(kept) > 1 and not any_does:
                        machine.open = True
                    for row, taken in kept[:1] if one else kept:
                        used += taken
                        if proceed(row, used, sink):
                            return True
                        del used[count:]
                return False

            return move

        return stage

    def _node(self, node: ir.NodePattern, *, labelled: bool = False) -> NodeTest | None:
        """The test of a node's labels and properties; `labelled`: it is known to have them."""
        props = self._props(node.props)
        if node.labels is None or labelled:
            return (lambda value, env: _has(value, props, env)) if props else None
        label = label_test(node.labels)
        if not props:
            return lambda value, env: label(value.labels)
        return lambda value, env: label(value.labels) and _has(value, props, env)

    def _props(self, props: ir.MapOf | ir.Param | None) -> list[tuple[str, Fn]]:
        if props is None:
            return []
        if isinstance(props, ir.Param):
            raise Unsupported("Param")
        return [(e.key, self.expr(e.value)) for e in props.entries if not _reads(e.value)]


type Taken = tuple[EdgeValue, ...]


class _Hop:
    """A step of a path, with what is known when it is taken."""

    __slots__ = ("checks", "edge", "frame", "known", "node", "origin", "place")

    def __init__(
        self,
        edge: ir.EdgePattern,
        node: ir.NodePattern,
        origin: int,
        place: int,
        known: tuple[bool, bool],
        checks: list[Test],
        frame: _Frame,
    ) -> None:
        self.edge = edge
        self.node = node
        self.origin = origin
        self.place = place
        self.known = known
        self.checks = checks
        self.frame = frame

    def way(self, label: str | None) -> Way:
        """Which edges lead on, to nodes with a label."""
        backwards = self.place < self.origin
        out = self.edge.direction is not (ir.Direction.OUT if backwards else ir.Direction.IN)
        into = self.edge.direction is not (ir.Direction.IN if backwards else ir.Direction.OUT)
        types = self.edge.types
        if types is None or isinstance(types, ir.LabelName):
            return Way(out, into, None if types is None else types.name, label)
        return Way(out, into, repr(types), label, label_test(types))


def _given(env: Env, used: Used, sink: Sink) -> bool:
    return sink(env) is True


def _named(name: str, frame: _Frame) -> Stage:
    def stage(proceed: Move) -> Move:
        def move(env: Env, used: Used, sink: Sink) -> bool:
            env[name] = frame.path()
            return proceed(env, used, sink)

        return move

    return stage


def _has(value: NodeValue | EdgeValue, props: Iterable[tuple[str, Fn]], env: Env) -> bool:
    return all(equals(value.props.get(key), of(env)) is True for key, of in props)


def _names(expr: ir.Expr) -> frozenset[str]:
    """Every variable that an expression names, those of the patterns inside it too."""
    names = {variable.name for variable in find(expr, ir.Var)}
    for path in find(expr, ir.Path):
        names.update(pattern_names(path))
    return frozenset(names)


def _reads(expr: ir.Expr) -> bool:
    """Whether an entry of a property map reads variables: then it is a condition of its own."""
    return any(True for _ in find(expr, ir.Var))
