"""One more condition from observed values: a value, a range, a period, a part of a name."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from generators.queries.archetypes.facets import Use
from generators.queries.archetypes.parts import constant
from generators.queries.rewriting.conditions import (
    SHARES,
    TESTED,
    condition,
    evidence,
    threshold,
    usual,
)
from generators.queries.rewriting.operator import Operator, Step, effect, shuffled
from generators.queries.rewriting.scope import Place
from generators.queries.rewriting.site import Observed, Site
from graph_ir import nodes as ir
from schemagraph.model import Kind, Property, Type


def _can_constrain(site: Site) -> bool:
    return site.narrows and any(site.free(place, *TESTED) for place in site.places)


def _constrain(site: Site, rng: Random) -> Iterator[Step]:
    for place, prop in _chosen(site, rng, *TESTED):
        one_value = prop.type.kind in (Kind.STRING, Kind.BOOLEAN) or site.grouped
        if one_value and site.returns(place, prop):
            continue  # nobody asks for what the question says
        guess = usual(site, place.type, place.var, prop)
        if guess is not None and not site.sayable(site.where(place.var, guess)):
            continue
        who = site.holder(place)
        rare, total = not site.reaches(who, place), 0
        observed = None
        if who is place:
            observed = _several(site, place, prop)
        elif site.population(place) > 1:
            observed, total = (
                site.observe(site.seen, place.var, prop, who.var),
                site.population(who),
            )
        test = condition(place.var, prop, observed, rng, total, rare=rare) if observed else None
        if observed and test is not None:
            yield Step(site.where(place.var, test), evidence(place, prop, observed))


def _can_range(site: Site) -> bool:
    return site.narrows and any(site.free(place, Use.NUMBER) for place in site.places)


def _range(site: Site, rng: Random) -> Iterator[Step]:
    for place, prop in _chosen(site, rng, Use.NUMBER):
        known = site.statistics.properties[place.type.name, prop.name].quantiles
        if known and not site.sayable(_between(site, place, prop, known[0], known[-1])):
            continue
        observed = _several(site, place, prop)
        if observed is None:
            continue
        low, high = (threshold(prop, observed, share) for share in (0.2, 0.8))
        if low is None or high is None or not low < high:  # type: ignore[operator] # one kind
            continue
        yield Step(_between(site, place, prop, low, high), evidence(place, prop, observed))


def _between(site: Site, place: Place, prop: Property, low: Any, high: Any) -> ir.Query:
    value = ir.Prop(ir.Var(place.var), prop.name)
    at_least = ir.Compare(ir.CompareOp.GE, value, constant(low, prop))
    at_most = ir.Compare(ir.CompareOp.LE, value, constant(high, prop))
    return site.where(place.var, ir.Bool(ir.BoolOp.AND, (at_least, at_most)))


def _can_date(site: Site) -> bool:
    return site.narrows and any(site.free(place, Use.MOMENT) for place in site.places)


def _date(site: Site, rng: Random) -> Iterator[Step]:
    for place, prop in _chosen(site, rng, Use.MOMENT):
        long = 1 if rng.random() < 0.6 else 2
        if not site.sayable(
            _within(site, place, prop, new_year(2020, prop.type), new_year(2020 + long, prop.type))
        ):
            continue
        observed = _several(site, place, prop)
        if observed is None or len(observed.values) < 3:
            continue
        year = int(observed.at(rng.choice(SHARES))[:4])
        start, end = (new_year(y, prop.type) for y in (year, year + long))
        if not observed.values[0][0] < start and not end <= observed.values[-1][0]:
            continue
        yield Step(_within(site, place, prop, start, end), evidence(place, prop, observed))


def new_year(year: int, of: Type) -> str:
    """The beginning of a year as a value of a type; of texts that write days, the first of them.

    >>> new_year(2024, Type(Kind.STRING)), new_year(2024, Type(Kind.ZONED_DATETIME))
    ('2024-01-01', '2024-01-01T00:00:00Z')
    """
    zone = "Z" if of.kind is Kind.ZONED_DATETIME else ""
    return f"{year:04}-01-01" + ("" if of.kind in (Kind.DATE, Kind.STRING) else f"T00:00:00{zone}")


def _within(site: Site, place: Place, prop: Property, start: str, end: str) -> ir.Query:
    value = ir.Prop(ir.Var(place.var), prop.name)
    since = ir.Compare(ir.CompareOp.GE, value, constant(start, prop))
    before = ir.Compare(ir.CompareOp.LT, value, constant(end, prop))
    return site.where(place.var, ir.Bool(ir.BoolOp.AND, (since, before)))


def _can_exclude(site: Site) -> bool:
    return site.narrows and any(site.free(place, Use.CATEGORY) for place in site.places)


def _exclude(site: Site, rng: Random) -> Iterator[Step]:
    for place, prop in _chosen(site, rng, Use.CATEGORY):
        known = site.statistics.properties[place.type.name, prop.name].common
        if known and not site.sayable(_without(site, place, prop, known[0][0])):
            continue
        observed = _several(site, place, prop)
        common = (
            [v for v, n in observed.common if n < observed.total and v != ""] if observed else []
        )
        if observed is None or len(observed.values) < 3 or not common:
            continue
        query = _without(site, place, prop, rng.choice(common[:4]))
        yield Step(query, evidence(place, prop, observed))


def _without(site: Site, place: Place, prop: Property, value: Any) -> ir.Query:
    own = ir.Prop(ir.Var(place.var), prop.name)
    return site.where(place.var, ir.Compare(ir.CompareOp.NE, own, constant(value, prop)))


def _can_match_text(site: Site) -> bool:
    return site.narrows and bool(_named(site))


def _named(site: Site) -> list[tuple[Place, Property]]:
    pairs = [(place, site.name(place.type)) for place in site.places]
    return [(p, name) for p, name in pairs if name and (p.var, name.name) not in site.tested]


def _match_text(site: Site, rng: Random) -> Iterator[Step]:
    """A first word that several observed names share."""
    for place, prop in shuffled(rng, _named(site)):
        if not site.sayable(_beginning(site, place, prop, "Word")):
            continue
        observed = site.observed(place, prop)
        if observed is None or observed.total < 4:
            continue
        words: dict[str, int] = {}
        for name, number in observed.values:
            word = str(name).split(" ")[0]
            if word.isalpha() and len(word) > 2:
                words[word] = words.get(word, 0) + number
        shared = [word for word, number in words.items() if 2 <= number <= observed.total // 2]
        if not shared:
            continue
        word = rng.choice(sorted(shared, key=lambda w: (-words[w], w))[:8])
        seen = f"{word!r} begins {words[word]} of {observed.total} {place.var}.{prop.name}"
        yield Step(_beginning(site, place, prop, word), seen)


def _beginning(site: Site, place: Place, prop: Property, word: str) -> ir.Query:
    value = ir.Prop(ir.Var(place.var), prop.name)
    return site.where(place.var, ir.Text(ir.TextOp.STARTS, value, ir.Literal(word)))


def _chosen(site: Site, rng: Random, *uses: Use) -> list[tuple[Place, Property]]:
    """Free properties with these uses, in random order."""
    return shuffled(rng, [(p, prop) for p in site.places for prop in site.free(p, *uses)])


def _several(site: Site, place: Place, prop: Property) -> Observed | None:
    """What was observed of a property where the place has several nodes."""
    observed = site.observed(place, prop)
    return observed if observed is not None and observed.total > 1 else None


OPERATORS = (
    Operator(
        "add-constraint", "one more condition", effect(conditions=1), _can_constrain, _constrain
    ),
    Operator(
        "add-range",
        "between two values",
        effect("comparison", conditions=2),
        _can_range,
        _range,
    ),
    Operator(
        "add-period",
        "within a period",
        effect("comparison", conditions=2),
        _can_date,
        _date,
    ),
    Operator(
        "exclude-value",
        "but not this value",
        effect("inequality", conditions=1),
        _can_exclude,
        _exclude,
    ),
    Operator(
        "match-text",
        "a first word of the name",
        effect("starts-with", conditions=1),
        _can_match_text,
        _match_text,
    ),
)
