"""Random patterns: nodes, edges, hops, quantified paths, path searches."""

from __future__ import annotations

from graph_ir import nodes as ir
from qa.fuzz.drawing import Scope
from qa.fuzz.expressions import Expressions
from qa.fuzz.shapes import EDGE, NODE, PATH, Shape
from schemagraph.model import Kind

_FUNCTIONS = (ir.SelectorKind.FUNCTION_ONE, ir.SelectorKind.FUNCTION_ALL)
_SEARCHES = (
    ir.SelectorKind.ANY,
    ir.SelectorKind.ANY_SHORTEST,
    ir.SelectorKind.ALL_SHORTEST,
    ir.SelectorKind.SHORTEST_K,
    ir.SelectorKind.SHORTEST_GROUPS,
)
_DIRECTIONS = (ir.Direction.OUT, ir.Direction.OUT, ir.Direction.IN, ir.Direction.BOTH)
_HOPS = ((1, 2), (0, 1), (2, 2), (1, None), (0, 2), (1, 3))


class Patterns(Expressions):
    """Patterns over a scope. What they bind is gathered in `bound`, a part of the scope behind."""

    def match(self, *, optional: bool = False, depth: int = 2) -> tuple[ir.Match, Scope]:
        """A MATCH and the variables that it binds."""
        bound: Scope = {}
        self.edges_taken: set[str] = set()
        paths = [self.path(bound, depth)]
        while len(paths) < 3 and not paths[0].selector and self.chance(0.2):
            paths.append(self.path(bound, depth, search=False))  # a search stands alone
        where = None
        if self.chance(0.45):
            with self.inside(**bound):
                where = self.condition(depth)
        mode = ir.MatchMode.DIFFERENT_EDGES
        if self.chance(0.02):
            mode = ir.MatchMode.REPEATABLE
        return ir.Match(tuple(paths), where, optional, mode), bound

    def path(self, bound: Scope, depth: int = 1, *, search: bool = True) -> ir.Path:
        """One path; what it binds is added to `bound`."""
        if search and self.chance(0.06):
            return self._searched(bound, depth)
        name = self.fresh("p") if self.chance(0.25) else None
        head = self.node(bound, depth)
        steps: list[ir.Step] = []
        while len(steps) < 3 and self.chance(0.75 if not steps else 0.35):
            steps.append(self._step(bound, depth))
        mode = None
        if name is not None:
            bound[name] = PATH
        if steps and self.chance(0.02):
            mode = self.rng.choice([ir.PathMode.TRAIL, ir.PathMode.ACYCLIC, ir.PathMode.SIMPLE])
        return ir.Path(head, tuple(steps), name, None, mode)

    def node(self, bound: Scope, depth: int = 1, *, bare: bool = False) -> ir.NodePattern:
        """A node, new or known."""
        known = [n for n, s in {**self.scope, **bound}.items() if s == NODE]
        if known and self.chance(0.25):
            return ir.NodePattern(self.rng.choice(known))
        name = self.fresh("n") if self.chance(0.8) else None
        labels = self.labels(Kind.NODE) if self.chance(0.55) else None
        props, where = None, None
        if not bare:
            props = self._props(Kind.NODE) if self.chance(0.1) else None
            if name and self.chance(0.1):
                with self.inside(**{name: NODE}):
                    where = self.condition(min(depth, 1))
        if name:
            bound[name] = NODE
        return ir.NodePattern(name, labels, props, where)

    def edge(self, bound: Scope, depth: int = 1, *, hops: bool = True) -> ir.EdgePattern:
        """An edge, perhaps of variable length."""
        name = self.fresh("r") if self.chance(0.5) else None
        types = self.labels(Kind.EDGE) if self.chance(0.6) else None
        long = hops and self.chance(0.2)
        props = self._props(Kind.EDGE) if self.chance(0.08) else None
        where = None
        if name and not long and self.chance(0.08):
            with self.inside(**{name: EDGE}):
                where = self.condition(min(depth, 1))
        if name:
            bound[name] = Shape(Kind.LIST, EDGE) if long else EDGE
        direction = self.rng.choice(_DIRECTIONS)
        return ir.EdgePattern(name, types, direction, self._hops() if long else None, props, where)

    def _hops(self) -> ir.Hops:
        return ir.Hops(*self.rng.choice(_HOPS))

    def _step(self, bound: Scope, depth: int) -> ir.Step:
        edge: ir.EdgePattern | ir.Quantified
        edge = self._quantified(bound, depth) if self.chance(0.05) else self.edge(bound, depth)
        return ir.Step(edge, self.node(bound, depth))

    def _quantified(self, bound: Scope, depth: int) -> ir.Quantified:
        inner: Scope = {}
        outer, self.scope = self.scope, {}  # a quantified pattern sees nothing from outside
        head = self.node(inner, depth)
        steps = []
        for _ in range(self.rng.choice([1, 1, 2])):
            edge = self.edge(inner, depth, hops=False)
            steps.append(ir.Step(edge, self._end(inner, depth)))
        where = None
        if self.chance(0.3) and inner:
            with self.inside(**inner):
                where = self.condition(1)
        self.scope = outer
        for name, shape in inner.items():
            bound[name] = Shape(Kind.LIST, shape)
        return ir.Quantified(ir.Path(head, tuple(steps)), self._hops(), where)

    def _end(self, inner: Scope, depth: int) -> ir.NodePattern:
        return self.node(inner, depth, bare=True)

    def _props(self, kind: Kind) -> ir.MapOf | None:
        scalars = [(name, s) for name, s in self.properties[kind] if s.kind is not Kind.LIST]
        if not scalars:
            return None
        name, shape = self.rng.choice(scalars)
        return ir.MapOf((ir.Entry(name, self.leaf(shape)),))

    def _searched(self, bound: Scope, depth: int) -> ir.Path:
        """A path with a search prefix, or in shortestPath()."""
        if self.chance(0.5):
            return self._function(bound, depth)
        kind = self.rng.choice(_SEARCHES)
        head = self.node(bound, depth)
        edge = self.edge({}, depth, hops=False)
        inner = ir.Path(ir.NodePattern(), (ir.Step(_anonymous(edge), ir.NodePattern()),))
        group = ir.Quantified(inner, ir.Hops(self.rng.choice([0, 1]), self.rng.choice([None, 3])))
        step = ir.Step(group, self.node(bound, depth))
        name = None
        if kind is not ir.SelectorKind.ANY and self.chance(0.6):
            name = self.fresh("p")
            one = kind in (ir.SelectorKind.ANY_SHORTEST, ir.SelectorKind.SHORTEST_K)
            bound[name] = Shape(Kind.PATH, loose=one)
        count = 2 if kind in _SEARCHES[3:] and self.chance(0.5) else 1
        return ir.Path(head, (step,), name, ir.Selector(kind, count))

    def _function(self, bound: Scope, depth: int) -> ir.Path:
        kind = self.rng.choice(_FUNCTIONS)
        head = self.node(bound, depth)
        edge = _anonymous(self.edge({}, depth, hops=False))
        hops = ir.Hops(self.rng.choice([0, 1]), self.rng.choice([None, 2, 3]))
        edge = ir.EdgePattern(None, edge.types, edge.direction, hops)
        step = ir.Step(edge, self.node(bound, depth))
        name = None
        if self.chance(0.6):
            name = self.fresh("p")
            bound[name] = Shape(Kind.PATH, loose=kind is ir.SelectorKind.FUNCTION_ONE)
        return ir.Path(head, (step,), name, ir.Selector(kind))

    # --- patterns as values ------------------------------------------------------------------

    def _searched_length(self, depth: int) -> ir.Expr | None:
        nodes = self.variables(Kind.NODE)
        if len(nodes) < 2:
            return None
        a, b = self.rng.sample(nodes, 2)
        edge = _anonymous(self.edge({}, 0, hops=False))
        edge = ir.EdgePattern(
            None, edge.types, edge.direction, ir.Hops(1, self.rng.choice([None, 3]))
        )
        step = ir.Step(edge, ir.NodePattern(b))
        selector = ir.Selector(ir.SelectorKind.FUNCTION_ONE)
        path = ir.Path(ir.NodePattern(a), (step,), None, selector)
        return ir.Call("length", (ir.PathExpr(path),))

    def pattern_comprehension(self, depth: int) -> tuple[ir.Expr, Shape] | None:
        """`[(a)-->(b) | b.x]`, which leaves its order open."""
        nodes = self.variables(Kind.NODE)
        if not nodes:
            return None
        bound: Scope = {}
        steps = [ir.Step(self.edge(bound, 1), self.node(bound, 1))]
        if self.chance(0.2):
            steps.append(ir.Step(self.edge(bound, 1), self.node(bound, 1)))
        name = None
        if self.chance(0.15):
            name = self.fresh("p")
            bound[name] = PATH
        path = ir.Path(ir.NodePattern(self.rng.choice(nodes)), tuple(steps), name)
        item = self.scalar()
        with self.inside(**bound):
            where = self.condition(depth) if self.chance(0.4) else None
            result = self.expr(item, depth)
        return ir.PatternComp(path, result, where), item

    def pattern_predicate(self) -> ir.Exists | None:
        """`(a)-->(:B)` as a condition: it binds nothing."""
        nodes = self.variables(Kind.NODE)
        if not nodes:
            return None
        start = ir.NodePattern(self.rng.choice(nodes))
        end = ir.NodePattern(self.rng.choice([None, *nodes]))
        if end.var is None and self.chance(0.5):
            end = ir.NodePattern(None, self.labels(Kind.NODE))
        edge = _anonymous(self.edge({}, 0))
        path = ir.Path(start, (ir.Step(edge, end),))
        form = self.rng.choice([ir.ExistsForm.PATTERN, ir.ExistsForm.FUNCTION])
        return ir.Exists(ir.Query((ir.Match((path,)),)), form)


def _anonymous(edge: ir.EdgePattern) -> ir.EdgePattern:
    return ir.EdgePattern(None, edge.types, edge.direction, edge.hops, edge.props)
