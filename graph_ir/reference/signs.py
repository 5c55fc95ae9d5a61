"""Where the sign of a zero shows: Neo4j has -0.0 before 0.0, and 1 / -0.0 is below zero; and where
NaN does: it is after all numbers there, and each a value of its own.

Unlike `graph_ir.numbers`, which looks at what is computed, stored floats may be -0.0 here.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass

from graph_ir import nodes as ir
from graph_ir.numbers import (
    ORDERED,
    below_zero_names,
    holds_below_zero,
    may_be_nan,
    may_be_zero,
    nan_names,
)
from graph_ir.walk import find
from schemagraph.model import NUMERIC, Kind

_EXTREMES = frozenset({"min", "max", "percentileDisc"})
_SHOWING = frozenset({"toString", "toStringOrNull", "atan2"})


@dataclass(frozen=True, slots=True)
class SignedNames(Container[str]):
    """All names but those of floats that are never -0.0, such as a mean."""

    never: frozenset[str]

    def __contains__(self, name: object) -> bool:
        return name not in self.never


def signed_names(statement: ir.Statement) -> SignedNames:
    """The names of what may be -0.0 or hold it."""
    made: dict[str, list[ir.Expr]] = {}
    for item in find(statement, ir.Item):
        made.setdefault(item.alias, []).append(item.expr)
    numbers = {name for name, exprs in made.items() if all(e.type.kind in NUMERIC for e in exprs)}
    names = SignedNames(frozenset(numbers - {name for name, _ in _of_lists(statement)}))
    while True:
        never = frozenset(
            name
            for name in names.never
            if not any(may_be_signed(expr, names) for expr in made[name])
        )
        if never == names.never:
            return names
        names = SignedNames(never)


def _of_lists(statement: ir.Statement) -> Iterator[tuple[str, ir.Expr]]:
    """The names of items of lists, with the lists."""
    for node in find(statement, ir.Unwind, ir.ListComp, ir.Quantifier, ir.Reduce):
        match node:
            case ir.Unwind(expr=listed, alias=name):
                yield name, listed
            case (
                ir.ListComp(list=listed, var=name)
                | ir.Quantifier(list=listed, var=name)
                | ir.Reduce(list=listed, var=name)
            ):
                yield name, listed


def may_be_signed(expr: ir.Expr, names: SignedNames) -> bool:
    """Whether a value may be -0.0 to Neo4j, or a list that holds it, where `names` may be.

    What lies between the least and the greatest is 0.0 where they are zeros.
    """
    match expr:
        case ir.Arith(
            op=ir.ArithOp.SUB,
            left=ir.Agg(name="max", args=greatest),
            right=ir.Agg(name="min", args=least),
        ) if greatest == least:
            return False
    return holds_below_zero(expr, names, reference=True)


def shown_extremes(
    statement: ir.Statement, sorts: Callable[[ir.Expr], bool] | None = None
) -> frozenset[ir.Agg]:
    """The least and greatest of which it shows what zero they are: by a division, as a text, or by
    an order against what may be zero.

    Those of computed floats, too, that ORDER BY reads in what `sorts` is true of: of what is stored
    the graph tells whether it has both zeros.
    """
    of: dict[str, frozenset[ir.Agg]] = {}

    def extremes(expr: ir.Expr) -> frozenset[ir.Agg]:
        own = {agg for agg in find(expr, ir.Agg) if agg.name in _EXTREMES}
        return frozenset(own).union(*(of.get(var.name, ()) for var in find(expr, ir.Var)))

    items = [(item.alias, item.expr) for item in find(statement, ir.Item)]
    items += _of_lists(statement)
    if not any(map(extremes, (expr for _, expr in items))):
        return frozenset()
    while True:
        new = dict(of)
        for name, expr in items:
            new[name] = new.get(name, frozenset()) | extremes(expr)
        if new == of:
            break
        of = new
    names = signed_names(statement)
    shown = frozenset[ir.Agg]().union(*map(extremes, _showing(statement)))
    shown = frozenset(agg for agg in shown if may_be_signed(agg.args[0], names))
    if sorts is None:
        return shown
    made = below_zero_names(statement, reference=True)
    keys = (
        value for _, value in _sorted(statement) if sorts(value) and may_be_signed(value, names)
    )
    return shown | {
        agg
        for agg in frozenset[ir.Agg]().union(*map(extremes, keys))
        if holds_below_zero(agg.args[0], made, reference=True)
    }


def _sorted(statement: ir.Statement) -> Iterator[tuple[ir.Project, ir.Expr]]:
    """What each projection is sorted by, where it is a column the expression of that."""
    for project in find(statement, ir.Project):
        given = {item.alias: item.expr for item in project.items}
        for key in project.order:
            name = key.expr.name if isinstance(key.expr, ir.Var) else ""
            yield project, given.get(name, key.expr)


def _showing(statement: ir.Statement) -> Iterator[ir.Expr]:
    for arith in find(statement, ir.Arith):
        if arith.op is ir.ArithOp.DIV and arith.type.kind is not Kind.INTEGER:
            yield arith.right
        elif arith.op is ir.ArithOp.POW:
            yield arith
    for call in find(statement, ir.Call):
        if call.name in _SHOWING:
            yield call
    for compare in find(statement, ir.Compare):
        if _orders_zeros(compare):
            yield compare


def zeros_apart(statement: ir.Statement) -> Iterator[tuple[str, ir.Expr]]:
    """Values of which Neo4j orders -0.0 before 0.0, each with the construct that does so."""
    names = signed_names(statement)
    for project, value in _sorted(statement):
        apart = project.group
        if apart is None and project.distinct:
            apart = tuple(item.expr for item in project.items)
        if _of_floats(value) and apart != (value,) and may_be_signed(value, names):
            yield "ORDER BY", value
    yield from ((f"{agg.name}()", agg) for agg in shown_extremes(statement))
    for compare in find(statement, ir.Compare):
        sides = (compare.left, compare.right)
        if _orders_zeros(compare) and any(
            _of_floats(side) and may_be_signed(side, names) for side in sides
        ):
            yield compare.op.value, compare


def nans_apart(statement: ir.Statement, *, extremes: bool = False) -> Iterator[tuple[str, ir.Expr]]:
    """Values that may be NaN where they are sorted or told apart, each with the construct.

    `extremes`: and where the least or greatest is looked for.
    """
    names = nan_names(statement)
    known: list[tuple[str, ir.Expr]] = [("ORDER BY", value) for _, value in _sorted(statement)]
    for project in find(statement, ir.Project):
        known += (("GROUP BY", key) for key in project.group or ())
        known += (("DISTINCT", item.expr) for item in project.items if project.distinct)
    known += (
        ("DISTINCT", arg) for agg in find(statement, ir.Agg) if agg.distinct for arg in agg.args
    )
    for agg in find(statement, ir.Agg):
        if agg.name in _EXTREMES and extremes:
            known.append((f"{agg.name}()", agg.args[0]))
    for union in find(statement, ir.Union):
        known += (("UNION", item.expr) for item in find(union, ir.Item) if not union.all)
    yield from (each for each in known if _of_floats(each[1]) and may_be_nan(each[1], names))


def _of_floats(expr: ir.Expr) -> bool:
    of = expr.type
    while of.kind is Kind.LIST and of.item is not None:
        of = of.item
    return of.kind is Kind.FLOAT


def _orders_zeros(compare: ir.Compare) -> bool:
    sides = (compare.left, compare.right)
    return compare.op in ORDERED and all(map(may_be_zero, sides)) and not _is_safe(compare)


def _is_safe(compare: ir.Compare) -> bool:
    """Whether one side is 0, which no zero is above."""
    for side, ways in (
        (compare.right, (ir.CompareOp.GT, ir.CompareOp.LE)),
        (compare.left, (ir.CompareOp.LT, ir.CompareOp.GE)),
    ):
        if isinstance(side, ir.Literal) and str(side.value) in ("0", "0.0"):
            return compare.op in ways
    return False
