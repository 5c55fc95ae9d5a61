"""Random statements: clauses, projections, subqueries, unions."""

from __future__ import annotations

import random

from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from qa.fuzz.drawing import Scope
from qa.fuzz.patterns import Patterns
from qa.fuzz.shapes import (
    ANY,
    COMMON,
    EDGE,
    FLOAT,
    INTEGER,
    MAP,
    NODE,
    ORDERED,
    PATH,
    SCALARS,
    Shape,
)
from schemagraph.model import Kind, SchemaGraph

_OUTPUT = (*COMMON, *COMMON, *SCALARS, NODE, NODE, EDGE, PATH, MAP)


def random_statement(seed: str | int, schema: SchemaGraph) -> ir.Statement:
    """A random read query over `schema`, every part of Graph-IR in play.

    It has a meaning that does not depend on luck: windows inside the query are ordered in full,
    nothing is computed from a list whose order is open, or from a float that was rounded. Most
    statements have no error in `graph_ir.bind`; callers drop the others. Parameters, procedures
    and writes do not occur.
    """
    rng = random.Random(f"statement {seed}")  # noqa: S311 # no secret
    return Statements(rng, schema).statement()


class Statements(Patterns):
    """Clauses over a scope that changes as they follow one another."""

    def statement(self) -> ir.Statement:
        """A whole query."""
        if not self.chance(0.12):
            return self._query(self.rng.choice([1, 1, 2, 2, 3]))
        shapes = [self.scalar() for _ in range(self.rng.randint(1, 2))]
        names = [self.fresh("u") for _ in shapes]
        every = self.chance(0.5)
        statement: ir.Statement = self._side(names, shapes)
        for _ in range(self.rng.choice([1, 1, 2])):
            statement = ir.Union(statement, self._side(names, shapes), every)
        return statement

    def _side(self, names: list[str], shapes: list[Shape]) -> ir.Query:
        """A query with these columns."""
        outer = self.scope
        clauses = self._clauses(self.rng.choice([0, 1, 1, 2]))
        items = tuple(
            ir.Item(self.expr(shape), name) for name, shape in zip(names, shapes, strict=True)
        )
        self.scope = outer
        return ir.Query((*clauses, ir.Project(items, self.chance(0.2), final=True)))

    def _query(self, size: int, depth: int = 2) -> ir.Query:
        clauses = self._clauses(size, depth)
        project = self._grouped(final=True) if self.chance(0.35) else self._returned(depth)
        return ir.Query((*clauses, project))

    def _clauses(self, size: int, depth: int = 2) -> list[ir.Clause]:
        clauses: list[ir.Clause] = []
        for number in range(size):
            clauses.append(self._clause(first=number == 0, depth=depth))
        return clauses

    def _clause(self, *, first: bool, depth: int) -> ir.Clause:
        roll = self.rng.random()
        if roll < 0.6 or (first and roll < 0.75):
            optional = self.chance(0.12 if first else 0.35)
            match, bound = self.match(optional=optional, depth=depth)
            self.scope = {**self.scope, **bound}
            return match
        if roll < 0.72:
            return self._unwind(depth)
        if roll < 0.82 and depth > 1:
            return self._call(depth - 1)
        return self._with(depth)

    def _unwind(self, depth: int) -> ir.Unwind:
        name = self.fresh("x")
        if self.chance(0.12):
            mixed = tuple(self.constant(self.rng.choice(COMMON)) for _ in range(3))
            self.scope = {**self.scope, name: ANY}
            return ir.Unwind(ir.ListOf(mixed), name)
        items, item = self.some_list(depth)
        self.scope = {**self.scope, name: item}
        return ir.Unwind(items, name)

    # --- projections -------------------------------------------------------------------------

    def _with(self, depth: int) -> ir.Project:
        if self.chance(0.3):
            return self._grouped(final=False)
        items: list[ir.Item] = []
        after: Scope = {}
        kept = [n for n in self.scope if self.chance(0.8)]
        for name in kept:
            items.append(ir.Item(ir.Var(name), name))
            after[name] = self.scope[name]
        for _ in range(self.rng.choice([0, 1, 1]) if items else 1):
            name, shape = self.fresh(), self._output_shape()
            items.append(ir.Item(self.expr(shape, depth), name))
            after[name] = shape
        distinct = self.chance(0.2) and not any(s.loose for s in after.values())
        project = ir.Project(tuple(items), distinct)
        return self._finish(project, after)

    def _finish(self, project: ir.Project, after: Scope) -> ir.Project:
        """A WITH with its order, window and condition; the scope goes on behind it."""
        order: tuple[ir.SortKey, ...] = ()
        skip, limit = None, None
        if after and all(s in ORDERED for s in after.values()) and self.chance(0.4):
            names = self.rng.sample(list(after), len(after))  # all columns: ties are equal rows
            order = tuple(ir.SortKey(ir.Var(n), self.chance(0.4)) for n in names)
            skip = ir.Literal(1) if self.chance(0.3) else None
            limit = ir.Literal(self.rng.choice([1, 2, 3, 5])) if self.chance(0.7) else None
        self.scope = after
        where = self.condition(1) if after and self.chance(0.25) else None
        return ir.Project(
            project.items, project.distinct, order, skip, limit, where, group=project.group
        )

    def _grouped(self, *, final: bool) -> ir.Project:
        """Items with aggregates; the others are the grouping keys."""
        items: list[ir.Item] = []
        after: Scope = {}
        exact = [n for n, s in self.scope.items() if not s.loose and s.kind in _KEYS]
        for _ in range(self.rng.choice([0, 1, 1, 2])):
            name = self.fresh("k")
            if exact and self.chance(0.4):
                known = self.rng.choice(exact)
                items.append(ir.Item(ir.Var(known), name))
                after[name] = self.scope[known]
                continue
            shape = self.scalar()
            items.append(ir.Item(self.expr(shape, 1), name))
            after[name] = shape
        for _ in range(self.rng.choice([1, 1, 2])):
            name = self.fresh("g")
            expr, shape = self.aggregate()
            items.append(ir.Item(expr, name))
            after[name] = shape
        self.rng.shuffle(items)
        keys = tuple(item.expr for item in items if not has_aggregate(item.expr))
        project = ir.Project(tuple(items), group=keys)
        if not final:
            return self._finish(project, after)
        return self._ordered(project, {n: s for n, s in after.items() if s in ORDERED})

    def aggregate(self) -> tuple[ir.Expr, Shape]:
        """An aggregate, now and then with something computed from it."""
        rough = Shape(Kind.FLOAT, loose=True)
        match self.rng.randint(0, 9):
            case 0 | 1:
                typed: tuple[ir.Expr, Shape] = ir.Agg("count"), INTEGER
            case 2:
                variables = [ir.Var(n) for n, s in self.scope.items() if s.kind in _KEYS]
                shown = self.rng.choice(variables) if variables else self.expr(INTEGER, 1)
                exact = not isinstance(shown, ir.Var) or not self.scope[shown.name].loose
                typed = ir.Agg("count", (shown,), exact and self.chance(0.5)), INTEGER
            case 3:
                shape = self.rng.choice([INTEGER, FLOAT])
                typed = ir.Agg("sum", (self.expr(shape, 1),), self.chance(0.2)), shape
            case 4 | 5:
                shape = self.rng.choice([INTEGER, FLOAT, *ORDERED])
                name = self.rng.choice(["min", "max"])
                typed = ir.Agg(name, (self.expr(shape, 1),), self.chance(0.1)), shape
            case 6:
                name = self.rng.choice(["avg", "stDev", "stDevP", "percentileCont"])
                shape = self.rng.choice([INTEGER, FLOAT])
                share = (ir.Literal(0.5),) if name == "percentileCont" else ()
                return ir.Agg(name, (self.expr(shape, 1), *share), self.chance(0.1)), rough
            case 7:
                share = (ir.Literal(self.rng.choice([0.0, 0.25, 0.5, 1.0])),)
                return ir.Agg("percentileDisc", (self.expr(INTEGER, 1), *share)), INTEGER
            case _:
                shape = self._output_shape()
                exact = shape.kind is not Kind.MAP
                agg = ir.Agg("collect", (self.expr(shape, 1),), exact and self.chance(0.3))
                if self.chance(0.3):
                    return ir.Call("size", (agg,)), INTEGER
                return agg, Shape(Kind.LIST, shape, loose=True)
        expr, shape = typed
        if shape == INTEGER and self.chance(0.2):
            expr = ir.Arith(ir.ArithOp.ADD, expr, ir.Literal(1))
        return expr, shape

    def _returned(self, depth: int) -> ir.Project:
        distinct = self.chance(0.2)
        items: list[ir.Item] = []
        after: Scope = {}
        for _ in range(self.rng.randint(1, 3)):
            name = self.fresh("c")
            loose = None
            if not distinct and self.chance(0.12):
                loose = self._loose_output(depth)
            if loose is not None:
                items.append(ir.Item(loose, name))
                continue
            shape = self._output_shape()
            if shape == MAP and distinct:
                shape = INTEGER
            items.append(ir.Item(self.expr(shape, depth), name))
            after[name] = shape
        project = ir.Project(tuple(items), distinct)
        return self._ordered(project, {n: s for n, s in after.items() if s in ORDERED})

    def _loose_output(self, depth: int) -> ir.Expr | None:
        """What may be put out and nothing else."""
        if self.chance(0.5):
            loose_list = self.loose_list(depth)
            return loose_list[0] if loose_list else None
        nodes, edges = self.variables(Kind.NODE), self.variables(Kind.EDGE)
        match self.rng.randint(0, 4):
            case 0 if nodes or edges:
                return ir.Call("properties", (ir.Var(self.rng.choice(nodes + edges)),))
            case 1 if nodes:
                entries = (ir.Entry("extra", self.expr(INTEGER, 1)),)
                name = self.rng.choice(nodes)
                return ir.MapProjection(ir.Var(name), entries, all_properties=True)
            case 2:
                name = self.rng.choice(["sqrt", "exp", "sin", "log10", "atan"])
                return ir.Call(name, (self.expr(INTEGER, 1),)) if name != "log10" else None
        loose = [n for n, s in self.scope.items() if s.loose and s.kind is not Kind.PATH]
        return ir.Var(self.rng.choice(loose)) if loose else None

    def _ordered(self, project: ir.Project, columns: Scope) -> ir.Project:
        """A RETURN, perhaps with an order and a window; `columns` can be sorted by."""
        order: list[ir.SortKey] = []
        if self.chance(0.4):
            free = not project.distinct and project.group is None
            for _ in range(self.rng.choice([1, 1, 2])):
                if columns and (not free or self.chance(0.6)):
                    expr: ir.Expr = ir.Var(self.rng.choice(list(columns)))
                elif free:
                    expr = self.expr(self.rng.choice(ORDERED), 1)
                else:
                    break
                order.append(ir.SortKey(expr, self.chance(0.4)))
        skip = ir.Literal(self.rng.choice([0, 1, 2])) if order and self.chance(0.2) else None
        limit = ir.Literal(self.rng.choice([0, 1, 2, 5])) if self.chance(0.15) else None
        return ir.Project(
            project.items, project.distinct, tuple(order), skip, limit, None, True, project.group
        )

    def _output_shape(self) -> Shape:
        shape = self.rng.choice(_OUTPUT)
        if shape.kind in (Kind.NODE, Kind.EDGE, Kind.PATH) and not self.variables(shape.kind):
            return INTEGER
        if self.chance(0.12):
            return Shape(Kind.LIST, self.rng.choice(COMMON))
        return shape

    # --- subqueries --------------------------------------------------------------------------

    def _call(self, depth: int) -> ir.Subquery:
        outer = self.scope
        imports = tuple(n for n in outer if self.chance(0.6))
        self.scope = {n: outer[n] for n in imports}
        names = [self.fresh("s") for _ in range(self.rng.randint(1, 2))]
        shapes = [self.scalar() for _ in names]
        clauses = self._clauses(self.rng.choice([1, 1, 2]), depth)
        if self.chance(0.3):
            expr, shape = self.aggregate()
            items, names, shapes = [ir.Item(expr, names[0])], names[:1], [shape]
            project = ir.Project(tuple(items), group=(), final=True)
        else:
            items = [ir.Item(self.expr(s, 1), n) for n, s in zip(names, shapes, strict=True)]
            project = ir.Project(tuple(items), self.chance(0.15), final=True)
        self.scope = {**outer, **dict(zip(names, shapes, strict=True))}
        return ir.Subquery(ir.Query((*clauses, project)), imports, self.chance(0.2))

    def _exists(self, depth: int) -> ir.Expr | None:
        if self.chance(0.4):
            return self.pattern_predicate()
        body = self._body(depth)
        return ir.Exists(body) if body else None

    def _count_of(self, depth: int) -> ir.Expr | None:
        body = self._body(depth)
        return ir.CountOf(body) if body else None

    def _body(self, depth: int) -> ir.Statement | None:
        """A subquery that may end without RETURN."""
        if self.subqueries <= 0 or depth <= 0:
            return None
        outer, self.subqueries = self.scope, self.subqueries - 1
        match, bound = self.match(depth=0)
        clauses: list[ir.Clause] = [match]
        if self.chance(0.3):
            self.scope = {**outer, **bound}
            item = ir.Item(self.expr(self.scalar(), 1), self.fresh("c"))
            distinct = self.chance(0.5)
            limit = ir.Literal(self.rng.choice([1, 2])) if self.chance(0.2) else None
            clauses.append(ir.Project((item,), distinct, (), None, limit, final=True))
        self.scope, self.subqueries = outer, self.subqueries + 1
        return ir.Query(tuple(clauses))

    def collect_of(self, depth: int) -> tuple[ir.Expr, Shape] | None:
        """`COLLECT { … }` without an order."""
        if self.subqueries <= 0 or depth <= 0:
            return None
        outer, self.subqueries = self.scope, self.subqueries - 1
        match, bound = self.match(depth=0)
        self.scope = {**outer, **bound}
        shape = self.scalar()
        item = ir.Item(self.expr(shape, 1), self.fresh("c"))
        project = ir.Project((item,), self.chance(0.3), final=True)
        self.scope, self.subqueries = outer, self.subqueries + 1
        return ir.CollectOf(ir.Query((match, project))), shape


_KEYS = frozenset((*(shape.kind for shape in SCALARS), Kind.NODE, Kind.EDGE, Kind.ANY))
