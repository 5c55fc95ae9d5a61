"""Constants of a query, drawn from the graph's values by how much they keep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from generators.queries.archetypes.load import Value
from generators.queries.archetypes.rounding import round_count, round_days, rounder
from graph_ir import nodes as ir
from schemagraph.folder.statistics import EdgeStatistics, PropertyStatistics
from schemagraph.model import Kind, Type

READABLE = 600  # rows of an answer that is listed
_REACH = 2  # quantiles, up to which a round value may be away
LONGEST = 80  # characters of a text that somebody would write into a question
_MAKERS = {
    Kind.DATE: "date",
    Kind.TIME: "localtime",
    Kind.DATETIME: "localdatetime",
    Kind.ZONED_DATETIME: "datetime",
    Kind.DURATION: "duration",
}


def literal(value: Any, kind: Type) -> ir.Expr:
    """A plain value as an expression of the property's type."""
    maker = _MAKERS.get(kind.kind)
    if maker is not None:
        return ir.Call(maker, (ir.Literal(str(value)),))
    return ir.Literal(value)


def draw(
    way: Value, figures: PropertyStatistics, kind: Type, taken: set[Any], rng: Random
) -> Any | None:
    """A value for one parameter that is not in `taken`; None where the data have none."""
    if way.share is not None:
        lo, hi = (share * figures.count for share in way.share)
        fit = [v for v, times in figures.common if lo <= times <= hi and v not in taken]
        return rng.choice(fit) if fit else None
    if way.at is not None:
        return _between(way.at, figures, kind, taken, rng)
    fit = [v for v in figures.sample if v not in taken and len(str(v)) <= LONGEST]
    if way.sample:
        return rng.choice(fit) if fit else None
    texts = [text for value in fit if _is_plain_text(text := str(value))]
    if not texts:
        return None
    text = rng.choice(texts)
    if way.word:
        words = [w for w in text.split() if len(w) > 3 and w.isalpha()]
        return rng.choice(words) if words else None
    first = text.split()[0]
    if way.prefix is not None:
        size = rng.randint(*way.prefix)
        part = first[:size]
        return part if len(part) >= way.prefix[0] and part.isalnum() else None
    assert way.suffix is not None  # noqa: S101 - a value has one way
    part = text.split()[-1][-rng.randint(*way.suffix) :]
    return part if len(part) >= way.suffix[0] and part.isalnum() else None


def kept(way: Value, rows: float, above: bool | None) -> Value:
    """The way to draw a value of which so many rows are left that they can be read.

    `above`: whether the condition keeps what is above the value, or below; None for others.
    """
    most = min(1.0, READABLE / max(rows, 1.0))
    if way.share is not None:
        hi = min(way.share[1], most)
        return way.model_copy(update={"share": (min(way.share[0], hi / 8), hi)})
    if way.at is not None and above is not None:
        lo, hi = way.at
        at = (max(lo, 1 - most), max(hi, 1 - most)) if above else (min(lo, most), min(hi, most))
        return way.model_copy(update={"at": at})
    return way


def degree(way: Value, figures: EdgeStatistics, forward: bool, rng: Random) -> int | None:
    """How many edges of a type a node has, at a quantile; None where all have the same."""
    assert way.degree is not None  # noqa: S101 - it was asked for that
    degrees = figures.out_degrees if forward != way.end else figures.in_degrees
    if not degrees or degrees[-1] < 2:
        return None
    last = len(degrees) - 1
    lo, hi = (round(share * last) for share in way.degree)
    quantile = degrees[rng.randint(lo, max(lo, hi))]
    return round_count(min(max(1, quantile), degrees[-1] - 1), 1, degrees[-1] - 1)


def _between(
    at: tuple[float, float], figures: PropertyStatistics, kind: Type, taken: set[Any], rng: Random
) -> Any | None:
    steps = figures.quantiles
    if not steps:
        return None
    lo, hi = (round(share * (len(steps) - 1)) for share in at)
    spot = rng.randint(lo, max(lo, hi))
    value = steps[spot]
    if value in (steps[0], steps[-1]) or value in taken:
        spots = range(lo, max(lo, hi) + 1)
        fit = [n for n in spots if steps[n] not in (steps[0], steps[-1], *taken)]
        if not fit:
            return None
        spot = rng.choice(fit)
        value = steps[spot]
    rounded = _rounded(spot, steps, kind)
    return value if rounded in taken else rounded


def _rounded(spot: int, steps: Sequence[Any], kind: Type) -> Any:
    """A rounder value than that at a spot of the quantiles, as people ask with, the rounder the
    farther away it may be; the value itself where there is none."""
    value, last = steps[spot], len(steps) - 1
    near, far = (
        (steps[max(0, spot - reach)], steps[min(last, spot + reach)]) for reach in (1, _REACH)
    )
    if kind.kind is Kind.INTEGER or kind.kind is Kind.FLOAT:
        whole = kind.kind is Kind.INTEGER
        if whole and 1000 <= value <= 2200:  # a year
            return next((y for y in _tens(value) if near[0] < y < near[1]), value)
        least, most = far
        above = min((step for step in steps if value < step < steps[-1]), default=value)
        fits = (n for n in rounder(value, whole=whole) if least < n < most or value < n <= above)
        return next(fits, value)  # of what comes often, up to the next value
    clock = "T00:00:00" if kind.kind is Kind.DATETIME else ""
    if kind.kind in (Kind.DATE, Kind.DATETIME, Kind.STRING) and isinstance(value, str):
        for day, (least, most) in zip(
            (*round_days(value), value[:10]), (near, far, near), strict=True
        ):
            if least < day + clock < most:
                return day + clock
    return value


def _tens(year: int) -> Iterator[int]:
    """The century and the decade next to a year, as people speak of them."""
    yield round(year / 100) * 100
    yield round(year / 10) * 10


def _is_plain_text(text: str) -> bool:
    return bool(text.strip()) and "\n" not in text
