"""MATCH: bindings of a pattern's variables, found step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from graph_ir import nodes as ir
from graph_ir.variables import pattern_names
from graph_ir.walk import find
from qa.discrimination.interpreter.elements import EdgeValue, NodeValue, PathValue
from qa.discrimination.interpreter.expressions import Env, Expressions, Fn, label_test
from qa.discrimination.interpreter.values import Unsupported, equals

type Used = tuple[EdgeValue, ...]
type NodeTest = Callable[[NodeValue, Env], bool]
type Condition = tuple[frozenset[str], Callable[[Env], bool]]

_SHORTEST = (
    ir.SelectorKind.FUNCTION_ONE,
    ir.SelectorKind.FUNCTION_ALL,
    ir.SelectorKind.ANY_SHORTEST,
    ir.SelectorKind.ALL_SHORTEST,
)
_ONE = (ir.SelectorKind.FUNCTION_ONE, ir.SelectorKind.ANY_SHORTEST)


class Patterns(Expressions):
    """Patterns over the expressions that stand in them."""

    measured: frozenset[str] = frozenset()
    """Paths of which only the length is asked."""

    def pattern(
        self, paths: tuple[ir.Path, ...], where: ir.Expr | None, mode: ir.MatchMode, scope: set[str]
    ) -> Callable[[Env], Iterator[Env]]:
        """All bindings of `paths` that fulfil `where`, for a row with the variables `scope`."""
        repeats = mode is ir.MatchMode.REPEATABLE
        conditions = list(self._conditions(paths, where, scope))
        moves: list[Callable[[Env, Used], Iterator[tuple[Env, Used]]]] = []
        known = set(scope)
        for path in paths:
            own = set(pattern_names(path))
            if path.selector is not None:
                self._refuse_search_conditions(path, conditions)
            moves.append(self._path(path, known, conditions, repeats))
            known |= own
        late = [test for names, test in conditions]

        def run(env: Env) -> Iterator[Env]:
            rows: Iterable[tuple[Env, Used]] = [(env, ())]
            for move in moves:
                rows = _chain(move, rows)
            return (row for row, _ in rows if all(test(row) for test in late))

        return run

    def _conditions(
        self, paths: tuple[ir.Path, ...], where: ir.Expr | None, scope: set[str]
    ) -> Iterator[tuple[frozenset[str], Callable[[Env], bool]]]:
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
        conjuncts.sort(key=lambda each: any(True for _ in find(each, ir.Path)))  # cheap ones first
        for each in conjuncts:
            yield _names(each) & bound, self.truth(each)

    def _refuse_search_conditions(self, path: ir.Path, conditions: list[Condition]) -> None:
        """Predicates on what a search finds take part in it, which is not said here."""
        inside = {path.var} | {
            step.edge.var for step in path.steps if isinstance(step.edge, ir.EdgePattern)
        }
        if any(names & inside for names, _ in conditions):
            raise Unsupported("a condition on a path that is searched")

    def _path(
        self, path: ir.Path, known: set[str], conditions: list[Condition], repeats: bool
    ) -> Callable[[Env, Used], Iterator[tuple[Env, Used]]]:
        if path.mode not in (None, ir.PathMode.TRAIL):
            raise Unsupported(f"path mode {path.mode}")
        nodes = [path.head, *(step.node for step in path.steps)]
        edges = [step.edge for step in path.steps]
        plain = [e for e in edges if isinstance(e, ir.EdgePattern)]
        first = next((i for i, n in enumerate(nodes) if n.var is not None and n.var in known), 0)
        if any(edge.hops is not None for edge in plain[:first]) or path.selector is not None:
            first = 0
        tests = [self._node(node, known) for node in nodes]
        order = [(i, i + 1) for i in range(first, len(edges))]
        order += [(i, i - 1) for i in range(first, 0, -1)]
        hops = [
            self._edge(plain[min(a, b)], backwards=b < a, path=path, repeats=repeats)
            for a, b in order
        ]
        bound = set(known)
        checks: list[list[Callable[[Env], bool]]] = []
        for at, place in enumerate([first, *(b for _, b in order)]):
            node = nodes[place]
            bound |= {node.var} if node.var else set()
            if at:
                edge = plain[min(order[at - 1])]
                bound |= {edge.var} if edge.var else set()
            ready = [c for c in conditions if c[0] <= bound]
            for each in ready:
                conditions.remove(each)
            checks.append([test for _, test in ready])
        labels = nodes[first].labels
        label = labels.name if isinstance(labels, ir.LabelName) else None
        start_var, machine, name = nodes[first].var, self.machine, path.var
        spots = [b for _, b in order]

        def starts(env: Env) -> Iterable[NodeValue]:
            if start_var is not None and start_var in env:
                value = env[start_var]
                if value is None:
                    return ()
                if not isinstance(value, NodeValue):
                    raise Unsupported("a pattern that starts at no node")
                return (value,)
            graph = machine.graph
            return graph.nodes if label is None else graph.by_label.get(label, ())

        def accept(place: int, at: int, node: NodeValue, env: Env) -> Env | None:
            var = nodes[place].var
            if var is not None:
                if var in env:
                    if env[var] is not node:
                        return None
                else:
                    env = {**env, var: node}
            if not tests[place](node, env) or not all(check(env) for check in checks[at]):
                return None
            return env

        def go(
            at: int, env: Env, used: Used, found: dict[int, NodeValue], walked: dict[int, Used]
        ) -> Iterator[tuple[Env, Used]]:
            if at == len(order):
                if name is not None:
                    env = {**env, name: _whole(found, walked, len(nodes))}
                yield env, used
                return
            origin, place = order[at]
            edge = plain[min(origin, place)]
            for end, taken in hops[at](found[origin], env, used):
                machine.step()
                row = env
                if edge.var is not None:
                    value: Any = taken[0] if edge.hops is None and path.selector is None else None
                    if value is None:
                        value = list(taken)
                    if edge.var in row:
                        if row[edge.var] is not value:
                            continue
                    else:
                        row = {**row, edge.var: value}
                after = accept(spots[at], at + 1, end, row)
                if after is None:
                    continue
                yield from go(
                    at + 1,
                    after,
                    used if repeats else (*used, *taken),
                    {**found, place: end},
                    {**walked, min(origin, place): taken},
                )

        def run(env: Env, used: Used) -> Iterator[tuple[Env, Used]]:
            for node in starts(env):
                machine.step()
                row = accept(first, 0, node, env)
                if row is not None:
                    yield from go(0, row, used, {first: node}, {})

        return self._searched(path, run) if path.selector is not None else run

    def _searched(
        self, path: ir.Path, run: Callable[[Env, Used], Iterator[tuple[Env, Used]]]
    ) -> Callable[[Env, Used], Iterator[tuple[Env, Used]]]:
        """The shortest of the paths between the same ends."""
        selector = path.selector
        assert selector is not None  # noqa: S101 # the caller has looked
        edge = path.steps[0].edge if len(path.steps) == 1 else None
        if selector.kind not in _SHORTEST or not isinstance(edge, ir.EdgePattern):
            raise Unsupported(f"search {selector.kind}")
        machine, one = self.machine, selector.kind in _ONE
        any_does = edge.var is None and (path.var is None or path.var in self.measured)

        def search(env: Env, used: Used) -> Iterator[tuple[Env, Used]]:
            best: dict[tuple[int, int], list[tuple[Env, Used]]] = {}
            for row, taken in run({**env, _ENDS: []}, used):
                steps = taken[len(used) :]
                ends = row.pop(_ENDS)
                kept = best.setdefault(ends, [])
                length = len(kept[0][1]) - len(used) if kept else len(steps)
                if len(steps) < length:
                    kept.clear()
                if len(steps) <= length:
                    kept.append((row, taken))
            for kept in best.values():
                if one and len(kept) > 1 and not any_does:
                    machine.open = True
                yield from kept[:1] if one else kept

        return search

    def _node(self, node: ir.NodePattern, known: set[str]) -> NodeTest:
        label = label_test(node.labels)
        props = self._props(node.props)
        if node.labels is None and not props:
            return lambda value, env: True

        def test(value: NodeValue, env: Env) -> bool:
            if not label(value.labels):
                return False
            return all(equals(value.props.get(key), of(env)) is True for key, of in props)

        return test

    def _props(self, props: ir.MapOf | ir.Param | None) -> list[tuple[str, Fn]]:
        if props is None:
            return []
        if isinstance(props, ir.Param):
            raise Unsupported("Param")
        return [(e.key, self.expr(e.value)) for e in props.entries if not _reads(e.value)]

    def _edge(
        self, edge: ir.EdgePattern, *, backwards: bool, path: ir.Path, repeats: bool
    ) -> Callable[[NodeValue, Env, Used], Iterator[tuple[NodeValue, Used]]]:
        """All ends that an edge pattern leads to from a node, with the edges taken."""
        name = edge.types.name if isinstance(edge.types, ir.LabelName) else None
        label = label_test(None if name is not None else edge.types)
        props = self._props(edge.props)
        out = edge.direction is not (ir.Direction.OUT if backwards else ir.Direction.IN)
        into = edge.direction is not (ir.Direction.IN if backwards else ir.Direction.OUT)

        def fits(found: EdgeValue, env: Env) -> bool:
            if name is not None and not props:
                return True
            return label(frozenset((found.label,))) and all(
                equals(found.props.get(key), of(env)) is True for key, of in props
            )

        def around(node: NodeValue, env: Env) -> Iterator[tuple[NodeValue, EdgeValue]]:
            if out:
                for found in node.out if name is None else node.out_by.get(name, ()):
                    if fits(found, env):
                        yield found.target, found
            if into:
                for found in node.into if name is None else node.into_by.get(name, ()):
                    if fits(found, env) and not (out and found.source is node):
                        yield found.source, found

        hops = edge.hops if path.selector is None else edge.hops or ir.Hops(1, 1)
        if hops is None:

            def single(node: NodeValue, env: Env, used: Used) -> Iterator[tuple[NodeValue, Used]]:
                for end, found in around(node, env):
                    if repeats or found not in used:
                        yield end, (found,)

            return single
        if repeats:
            raise Unsupported("repeatable elements in a variable-length edge")
        lo, hi, machine = hops.lo, hops.hi, self.machine
        searched = path.selector is not None

        def walk(node: NodeValue, env: Env, used: Used) -> Iterator[tuple[NodeValue, Used]]:
            layer: list[tuple[NodeValue, Used]] = [(node, ())]
            length = 0
            while layer:
                if length >= lo:
                    yield from layer
                if hi is not None and length >= hi:
                    return
                longer: list[tuple[NodeValue, Used]] = []
                for end, taken in layer:
                    for further, found in around(end, env):
                        if found in taken or found in used:
                            continue
                        machine.step()
                        longer.append((further, (*taken, found)))
                layer, length = longer, length + 1

        def noted(node: NodeValue, env: Env, used: Used) -> Iterator[tuple[NodeValue, Used]]:
            for end, taken in walk(node, env, used):
                env[_ENDS] = (node.number, end.number)
                yield end, taken

        return noted if searched else walk


_ENDS = "\x00ends"
"""The ends of a searched path, for as long as it is searched."""


def _names(expr: ir.Expr) -> frozenset[str]:
    """Every variable that an expression names, those of the patterns inside it too."""
    found = {variable.name for variable in find(expr, ir.Var)}
    for path in find(expr, ir.Path):
        found.update(pattern_names(path))
    return frozenset(found)


def _reads(expr: ir.Expr) -> bool:
    """Whether an entry of a property map reads variables: then it is a condition of its own."""
    return any(True for _ in find(expr, ir.Var))


def _chain(
    move: Callable[[Env, Used], Iterator[tuple[Env, Used]]], rows: Iterable[tuple[Env, Used]]
) -> Iterator[tuple[Env, Used]]:
    for env, used in rows:
        yield from move(env, used)


def _whole(found: dict[int, NodeValue], walked: dict[int, Used], count: int) -> PathValue:
    nodes, edges = [found[0]], []
    for at in range(count - 1):
        for edge in walked[at]:
            here = nodes[-1]
            nodes.append(edge.target if edge.source is here else edge.source)
            edges.append(edge)
    return PathValue(tuple(nodes), tuple(edges))
