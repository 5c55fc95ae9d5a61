"""What every random expression is drawn with: a scope, names, constants, a wanted shape."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from graph_ir import nodes as ir
from qa.fuzz.graphs import VALUES
from qa.fuzz.shapes import (
    COMMON,
    INTEGER,
    SCALARS,
    Shape,
)
from schemagraph.model import Kind, SchemaGraph, Type

_TEMPORAL = {
    Kind.DATE: "date",
    Kind.TIME: "localtime",
    Kind.DATETIME: "localdatetime",
    Kind.ZONED_DATETIME: "datetime",
    Kind.DURATION: "duration",
}
_UNMAKEABLE = frozenset({Kind.NODE, Kind.EDGE, Kind.PATH, Kind.ANY})

type Scope = dict[str, Shape]
type Maker = Callable[[int], ir.Expr | None]


class Drawing:
    """Expressions over a scope. `depth` bounds how deep they nest; None: there is no such value."""

    def __init__(self, rng: random.Random, schema: SchemaGraph) -> None:
        self.rng = rng
        self.schema = schema
        self.scope: Scope = {}
        self.names = 0
        self.subqueries = 1
        self.nesting = rng.choice((0.25, 0.25, 0.6))  # most queries are plain, some are not
        self.properties = {
            Kind.NODE: sorted(
                {(p.name, _shape(p.type)) for n in schema.nodes for p in n.properties}, key=str
            ),
            Kind.EDGE: sorted(
                {(p.name, _shape(p.type)) for e in schema.edges for p in e.properties}, key=str
            ),
        }
        self.makers: Mapping[Kind, tuple[Maker, ...]] = {}

    # --- choices ---------------------------------------------------------------------------

    def chance(self, share: float) -> bool:
        """True with this probability."""
        return self.rng.random() < share

    def fresh(self, letter: str = "v") -> str:
        """A name that no other variable of the statement has."""
        self.names += 1
        return f"{letter}{self.names}"

    @contextmanager
    def inside(self, **more: Shape) -> Iterator[None]:
        """A scope with more variables, left again at the end."""
        outer = self.scope
        self.scope = {**outer, **more}
        try:
            yield
        finally:
            self.scope = outer

    def variables(self, kind: Kind, *, loose: bool = False) -> list[str]:
        """Variables in scope of a kind; those that are loose only where asked for."""
        return [n for n, s in self.scope.items() if s.kind is kind and (loose or not s.loose)]

    # --- entry -----------------------------------------------------------------------------

    def expr(self, want: Shape, depth: int = 2) -> ir.Expr:
        """An expression of this shape."""
        if depth > 0 and self.chance(self.nesting):
            if want.kind is Kind.LIST:
                made = self._list(want, depth - 1)
            elif self.chance(0.16):
                made = self._general(want, depth - 1)
            else:
                makers = self.makers.get(want.kind, ())
                made = self.rng.choice(makers)(depth - 1) if makers else None
            if made is not None:
                return made
        return self.leaf(want, depth)

    def leaf(self, want: Shape, depth: int = 0) -> ir.Expr:
        """A variable, a property or a constant."""
        known: list[ir.Expr] = [ir.Var(n) for n, s in self.scope.items() if s == want]
        for kind, properties in self.properties.items():
            fitting = [name for name, shape in properties if shape == want]
            for variable in self.variables(kind):
                known += [ir.Prop(ir.Var(variable), name) for name in fitting]
        if known and self.chance(0.75 if want.kind not in _UNMAKEABLE else 1.0):
            return self.rng.choice(known)
        return self.constant(want, depth)

    def constant(self, want: Shape, depth: int = 0) -> ir.Expr:
        """A constant; now and then null."""
        if self.chance(0.06) or want.kind in _UNMAKEABLE:
            return ir.Literal(None)
        if want.kind is Kind.LIST:
            item = want.item or INTEGER
            if item.kind in _UNMAKEABLE and not self.variables(item.kind):
                return ir.ListOf()
            return ir.ListOf(tuple(self.leaf(item) for _ in range(self.rng.randint(0, 3))))
        if want.kind is Kind.MAP:
            return ir.MapOf(tuple(ir.Entry(k, self.leaf(s)) for k, s in want.fields))
        value = self.rng.choice(VALUES[want.kind])
        function = _TEMPORAL.get(want.kind)
        literal = ir.Literal(value)
        return ir.Call(function, (literal,)) if function else literal

    def condition(self, depth: int = 2) -> ir.Expr:
        """A boolean expression, mostly no constant."""
        condition = self.expr(Shape(Kind.BOOLEAN), depth)
        return self._compare(1) if isinstance(condition, ir.Literal) else condition

    def scalar(self) -> Shape:
        """A shape that can be compared, common ones first."""
        return self.rng.choice(COMMON if self.chance(0.7) else SCALARS)

    # --- any kind --------------------------------------------------------------------------

    def _general(self, want: Shape, depth: int) -> ir.Expr | None:
        match self.rng.randint(0, 4):
            case 0:
                whens = tuple(
                    ir.When(self.condition(depth), self.expr(want, depth))
                    for _ in range(self.rng.randint(1, 2))
                )
                return ir.Case(whens, self.expr(want, depth) if self.chance(0.7) else None)
            case 1:
                shape = self.rng.choice(COMMON)
                whens = tuple(
                    ir.When(self.leaf(shape), self.expr(want, depth))
                    for _ in range(self.rng.randint(1, 2))
                )
                default = self.expr(want, depth) if self.chance(0.7) else None
                return ir.Case(whens, default, self.expr(shape, depth))
            case 2:
                args = (self.expr(want, depth), self.expr(want, depth))
                return ir.Call("coalesce", args)
            case 3:
                items = self.list_of(want, depth)
                return ir.Index(items, ir.Literal(self.rng.choice([0, 1, -1, 5])))
        return ir.Call(self.rng.choice(["head", "last"]), (self.list_of(want, depth),))

    def list_of(self, item: Shape, depth: int = 1) -> ir.Expr:
        """A list with items of this shape, in an order that the query fixes."""
        return self.expr(Shape(Kind.LIST, item), depth)

    def _list(self, want: Shape, depth: int) -> ir.Expr | None:
        raise NotImplementedError

    def _compare(self, depth: int) -> ir.Expr:
        raise NotImplementedError


def _shape(type: Type) -> Shape:
    """The shape of a stored value."""
    return Shape(type.kind, _shape(type.item) if type.item else None)
