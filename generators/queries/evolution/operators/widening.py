"""A condition that lets more pass: one of several values, a range round it, or another one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from generators.queries.archetypes.facets import Use
from generators.queries.archetypes.parts import constant, is_year
from generators.queries.archetypes.rounding import steps
from generators.queries.rewriting.conditions import (
    condition,
    equalities,
    evidence,
    replaced,
    usual,
    without,
)
from generators.queries.rewriting.operator import Operator, Step, effect, shuffled
from generators.queries.rewriting.scope import Place
from generators.queries.rewriting.site import Observed, Site
from graph_ir import nodes as ir
from schemagraph.model import Kind, Property


def _can_widen(site: Site) -> bool:
    return any(site.is_category(p, prop) for p, prop, _ in equalities(site))


def _widen(site: Site, rng: Random) -> Iterator[Step]:
    for place, prop, part in shuffled(rng, list(equalities(site))):
        if not site.is_category(place, prop) or not isinstance(part.right, ir.Literal):
            continue
        known = site.statistics.properties[place.type.name, prop.name].common
        likely = [value for value, _ in known if value not in (part.right.value, "")][:1]
        if likely and not site.sayable(_listed(site, part, prop, likely)):
            continue
        observed = site.observe(without(site, part), place.var, prop)
        others = (
            [v for v, _ in observed.common if v not in (part.right.value, "")] if observed else []
        )
        if observed is None or len(others) < 2:
            continue
        chosen = rng.sample(others[:6], min(rng.choice((1, 1, 2)), len(others) - 1))
        yield Step(_listed(site, part, prop, chosen), evidence(place, prop, observed))


def _listed(site: Site, part: ir.Compare, prop: Property, values: Sequence[Any]) -> ir.Query:
    items = (part.right, *(constant(value, prop) for value in values))
    return replaced(site, part, ir.In(part.left, ir.ListOf(items)))


def _widened(site: Site) -> list[tuple[Place, Property, ir.Compare]]:
    """Equalities of numbers that are no codes."""
    return [
        (place, prop, part)
        for place, prop, part in equalities(site)
        if prop in site.telling(place.type, Use.NUMBER) and isinstance(part.right, ir.Literal)
    ]


def _can_widen_number(site: Site) -> bool:
    return bool(_widened(site))


def _widen_number(site: Site, rng: Random) -> Iterator[Step]:
    """A number becomes the range round it: a year its decade, an amount between round numbers."""
    for place, prop, part in shuffled(rng, _widened(site)):
        value = part.right.value if isinstance(part.right, ir.Literal) else None
        observed = site.observe(without(site, part), place.var, prop)
        if observed is None or not isinstance(value, int | float):
            continue
        low, high = _around(prop, value, observed)
        if low is None or high is None:
            continue
        at_least = ir.Compare(ir.CompareOp.GE, part.left, ir.Literal(low))
        at_most = ir.Compare(ir.CompareOp.LE, part.left, ir.Literal(high))
        wider = ir.Bool(ir.BoolOp.AND, (at_least, at_most))
        yield Step(replaced(site, part, wider), evidence(place, prop, observed))


def _around(
    prop: Property, value: int | float, observed: Observed
) -> tuple[int | float | None, int | float | None]:
    """Round bounds below and above a value, where other observed values lie within them; None where
    there are none: nobody asks for what is between 50 and 52.9."""
    if is_year(prop):
        first = int(value) // 10 * 10
        return first, first + 9
    seen = [v for v, _ in observed.values]
    whole = prop.type.kind is Kind.INTEGER
    for step in steps(value, whole=whole):
        low, high = (round(edge(value / step) * step, 9) for edge in (math.floor, math.ceil))
        if low == high:  # it is round itself
            low, high = round(low - step, 9), round(high + step, 9)
        inside = [v for v in seen if low <= v <= high]
        if 1 < len(inside) < len(seen):
            return (int(low), int(high)) if whole else (low, high)
    return None, None


def _can_choose(site: Site) -> bool:
    return any(
        site.is_category(place, prop) and site.free(place, Use.CATEGORY, Use.NUMBER)
        for place, prop, _ in equalities(site)
    )


def _either(site: Site, rng: Random) -> Iterator[Step]:
    """`a = x` becomes `a = x OR b …` with another property of the same node."""
    for place, prop, part in shuffled(rng, list(equalities(site))):
        if not site.is_category(place, prop):
            continue
        rest = without(site, part)
        for other in shuffled(rng, site.free(place, Use.CATEGORY, Use.NUMBER)):
            guess = usual(site, place.type, place.var, other)
            if other.name == prop.name or (
                guess is not None
                and not site.sayable(replaced(site, part, ir.Bool(ir.BoolOp.OR, (part, guess))))
            ):
                continue
            observed = site.observe(rest, place.var, other)
            made = condition(place.var, other, observed, rng) if observed else None
            if observed and made is not None:
                choice = ir.Bool(ir.BoolOp.OR, (part, made))
                yield Step(replaced(site, part, choice), evidence(place, other, observed))


OPERATORS = (
    Operator(
        "widen-to-category",
        "one of several values",
        effect("in-list"),
        _can_widen,
        _widen,
    ),
    Operator(
        "widen-to-range",
        "a range round the value",
        effect("comparison", conditions=1),
        _can_widen_number,
        _widen_number,
    ),
    Operator(
        "either-or", "or another condition", effect("logic-or", conditions=1), _can_choose, _either
    ),
)
