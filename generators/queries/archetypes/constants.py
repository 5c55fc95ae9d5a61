"""Constants of a query, drawn from the graph's values by how much they keep."""

from __future__ import annotations

from random import Random
from typing import Any

from generators.queries.archetypes.load import Value
from graph_ir import nodes as ir
from schemagraph.folder.statistics import EdgeStatistics, PropertyStatistics
from schemagraph.model import Kind, Type

READABLE = 600  # rows of an answer that is listed
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
    return min(max(1, quantile), degrees[-1] - 1)


def _between(
    at: tuple[float, float], figures: PropertyStatistics, kind: Type, taken: set[Any], rng: Random
) -> Any | None:
    steps = figures.quantiles
    if not steps:
        return None
    last = len(steps) - 1
    lo, hi = (round(share * last) for share in at)
    spot = rng.randint(lo, max(lo, hi))
    value = steps[spot]
    if value in (steps[0], steps[-1]) or value in taken:
        fit = [v for v in steps[lo : hi + 1] if v not in (steps[0], steps[-1]) and v not in taken]
        if not fit:
            return None
        value = rng.choice(fit)
    around = steps[max(0, spot - 1)], steps[min(last, spot + 1)]
    rounded = _rounded(value, around, (steps[0], steps[-1]), kind)
    return value if rounded in taken else rounded


def _rounded(value: Any, around: tuple[Any, Any], whole: tuple[Any, Any], kind: Type) -> Any:
    """A rounder value, as people ask with: between its neighbours, else of two digits between the
    least and the most; itself where there is none."""
    lo, hi = around
    if kind.kind is Kind.INTEGER or kind.kind is Kind.FLOAT:
        made = int if kind.kind is Kind.INTEGER else float
        year = kind.kind is Kind.INTEGER and 1000 <= value <= 2200
        wide = around if year else whole
        for digits, (least, most) in ((1, around), (2, around), (2, wide), (3, around)):
            near = made(float(f"{value:.{digits}g}"))
            if least < near < most:
                return near
        return value
    clock = "T00:00:00" if kind.kind is Kind.DATETIME else ""
    if kind.kind in (Kind.DATE, Kind.DATETIME, Kind.STRING) and isinstance(value, str):
        for day in (f"{value[:4]}-01-01", f"{value[:7]}-01", value[:10]):
            if lo < day + clock < hi:
                return day + clock
    return value


def _is_plain_text(text: str) -> bool:
    return bool(text.strip()) and "\n" not in text
