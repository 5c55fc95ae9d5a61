"""Values for small graphs: at a query's constants, beside them, and any of a type."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from graph_ir import nodes as ir
from graph_ir.temporal.arithmetic import plus
from graph_ir.temporal.construct import moment
from graph_ir.temporal.values import Span, TemporalError
from qa.mutation.interpreter.elements import stored
from qa.mutation.interpreter.expressions import Expressions, Fn
from qa.mutation.interpreter.values import Fault, Unsupported
from qa.mutation.plan import Demand, Place, Plan
from schemagraph.model import NUMERIC, TEMPORAL, Kind, Type

_ANY: dict[Kind, tuple[Any, ...]] = {
    Kind.BOOLEAN: (True, False),
    Kind.INTEGER: (1, 2, 3, 4, 5, 7, 10, 0, 1000),
    Kind.FLOAT: (0.5, 1.0, 1.5, 2.0, 3.0, 4.25, 10.0, 1000.0),
    # nobody's names: a small graph of a private database has no text of it by chance
    Kind.STRING: ("Anq", "Bq", "Cq", "Deqo", "Elq", "anq", "Bqu", "Deq"),
    Kind.DATE: ("2020-01-31", "2020-02-29", "2019-12-30", "2021-06-15", "2020-02-01"),
    Kind.TIME: ("10:30:00", "23:59:59", "00:00:00", "12:00:00"),
    Kind.ZONED_TIME: ("10:30:00Z", "12:00:00Z"),
    Kind.DATETIME: ("2020-01-31T10:30:00", "2020-02-29T23:59:59", "2019-12-30T00:00:00"),
    Kind.ZONED_DATETIME: ("2020-01-31T10:30:00Z", "2020-02-29T12:30:00Z", "2021-06-15T00:00:00Z"),
    Kind.DURATION: ("P1D", "P1M", "PT12H"),
}
_UNIT = {
    Kind.DATE: Span(days=1),
    Kind.DATETIME: Span(days=1),
    Kind.ZONED_DATETIME: Span(days=1),
    Kind.TIME: Span(nanos=3_600_000_000_000),
    Kind.ZONED_TIME: Span(nanos=3_600_000_000_000),
}


def candidates(of: Type, constants: Sequence[Any]) -> list[Any]:
    """Values of a type at and beside constants, in the form in which graphs store them."""
    nearby: dict[Any, None] = {}
    for constant in dict.fromkeys(constants):
        nearby.update(dict.fromkeys(_beside(of.kind, constant, of.item and of.item.kind)))
    return [list(value) if isinstance(value, tuple) else value for value in nearby]


@lru_cache(maxsize=4096)
def _beside(kind: Kind, constant: Any, item: Kind | None) -> tuple[Any, ...]:
    number = isinstance(constant, int | float) and not isinstance(constant, bool)
    match kind:
        case Kind.INTEGER if number and abs(constant) < 2**53:
            value = int(constant)
            return (value, value + 1, value - 1, value + 10)
        case Kind.FLOAT if number:
            real = float(constant)
            return (real, real + 1, real - 1, real + 0.5, real * 2)
        case Kind.BOOLEAN:
            return (True, False)
        case Kind.STRING if isinstance(constant, str):
            return _texts(constant)
        case Kind.LIST if item is not None:
            single = _beside(item, constant, None)[:3]
            return (single[:1], single, single[1:2], ()) if single else ()
        case _ if kind in TEMPORAL and kind in _UNIT:
            return _moments(kind, constant)
    return ()


def _texts(constant: str) -> tuple[str, ...]:
    """The text, texts that it begins, ends or is inside of, and one in other letters."""
    plain = re.sub(r"[.*+?^$()\[\]|\\]", "", constant) or "x"
    variants = (
        constant,
        f"{constant}x",
        f"x{constant}",
        f"x{constant}x",
        plain,
        constant.swapcase(),
    )
    return (*variants, constant.upper(), constant.lower(), constant.title())


def _moments(kind: Kind, constant: Any) -> tuple[Any, ...]:
    if isinstance(constant, int) and not isinstance(constant, bool) and 1000 < constant < 3000:
        constant = f"{constant}-06-15"  # a year
    if not isinstance(constant, str):
        return ()
    try:
        day = re.match(r"\d{4}-\d\d-\d\d$", constant)
        value = moment(Kind.DATE if day else kind, constant)
    except TemporalError:
        return ()
    if value.kind is not kind:
        value = value.as_kind(kind)
    unit = _UNIT[kind]
    around = [value, plus(value, unit), plus(value, unit, -1), plus(value, Span(months=2))]
    if kind not in (Kind.TIME, Kind.ZONED_TIME):
        around += [plus(value, Span(months=12)), plus(value, Span(months=-12))]
    return tuple(each.shown() for each in around)


class Fitting:
    """Values of one property at and beside the constants of a plan, and which demands they meet."""

    def __init__(
        self, plan: Plan, place: Place, of: Type, nullable: bool, also: Sequence[Any] = ()
    ) -> None:
        self.values = candidates(of, [*plan.constants.get(place, ()), *also])
        if not self.values:
            self.values = [*_ANY.get(of.kind, ())]
        if nullable:
            self.values.append(None)
        self.demands = plan.demands.get(place, [])
        self._known: dict[tuple[int | None, ...], tuple[list[Any], list[Any]]] = {}
        self.met = [[_holds(d, place[1], stored(of, v)) for d in self.demands] for v in self.values]

    def good(self, chosen: Mapping[int, int]) -> list[Any]:
        """Values that are all that is asked, and nothing of the alternatives not chosen."""
        return self._parted(chosen)[0]

    def bad(self, chosen: Mapping[int, int]) -> list[Any]:
        """Values that are not all that is asked."""
        return self._parted(chosen)[1]

    def _parted(self, chosen: Mapping[int, int]) -> tuple[list[Any], list[Any]]:
        key = tuple([chosen.get(d.choice[0]) for d in self.demands if d.choice is not None])
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = ([], [])
            for value, met in zip(self.values, self.met, strict=True):
                known[0 if self._all(met, chosen) else 1].append(value)
        return known

    def _all(self, met: list[bool], chosen: Mapping[int, int]) -> bool:
        return all(
            holds is (d.choice is None or chosen.get(d.choice[0]) == d.choice[1])
            for holds, d in zip(met, self.demands, strict=True)
        )


def fitting(
    plan: Plan, place: Place, of: Type, nullable: bool, also: tuple[Any, ...] = ()
) -> Fitting:
    """The values for a property of a plan, worked out once."""
    key = (place, of.kind, nullable, also, tuple(map(type, also)))
    fit: Fitting | None = plan.fitting.get(key)
    if fit is None:
        fit = plan.fitting[key] = Fitting(plan, place, of, nullable, also)
    return fit


def _holds(demand: Demand, key: str, value: Any) -> bool:
    """Whether a demand is met by a value in the interpreter's form."""
    try:
        test = _compiled(demand.condition)
        return test({demand.variable: {key: value}}) is demand.positive
    except (Unsupported, Fault, KeyError):
        return False


@lru_cache(maxsize=4096)
def _compiled(condition: ir.Expr) -> Fn:
    return Expressions().expr(condition)


def anything(of: Type, rng: Random) -> Any:
    """A value of a type; few of a kind, so that equal ones occur."""
    if of.kind is Kind.LIST and of.item is not None:
        return [anything(of.item, rng) for _ in range(rng.randint(0, 3))]
    pool = _ANY.get(of.kind)
    return rng.choice(pool) if pool else None


def plain(of: Type) -> Any:
    """A value for where it does not matter which."""
    return [] if of.kind is Kind.LIST else next(iter(_ANY.get(of.kind, ())), None)


def distinct(of: Type, number: int, rng: Random) -> Any:
    """A value for a key: the higher `number`, the less likely it was drawn before."""
    if of.kind in NUMERIC:
        value = number * 7 + rng.randint(1, 6)
        return value if of.kind is Kind.INTEGER else float(value)
    if of.kind is Kind.STRING:
        return f"{rng.choice('abcdefgh')}{number}"
    if of.kind in _UNIT and of.kind not in (Kind.TIME, Kind.ZONED_TIME):
        base = moment(
            of.kind,
            "2020-01-01"
            if of.kind is Kind.DATE
            else "2020-01-01T00:00:00Z"[: 20 if of.kind is Kind.ZONED_DATETIME else 19],
        )
        return plus(base, Span(days=number)).shown()
    return anything(of, rng)


def compares(a: Any, op: str, b: Any) -> bool:
    """Whether stored values of one type compare so; texts of dates order as dates do."""
    if a is None or b is None:
        return False
    try:
        return bool(_OPERATORS[op](a, b))
    except TypeError:
        return False


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "<>": operator.ne,
}
