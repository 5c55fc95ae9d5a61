"""Conditions from observed values: one value, a range, a category, a period, a part of a name."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random

from generators.queries.facets import Use
from generators.queries.operator import Operator, Step, effect, shuffled
from generators.queries.parts import conjuncts, constant, is_year
from generators.queries.site import Observed, Place, Site
from graph_ir import nodes as ir
from graph_ir.walk import substitute
from schemagraph.model import NUMERIC, Kind, Property

TESTED = (Use.CATEGORY, Use.FLAG, Use.NUMBER, Use.MOMENT)
_SHARES = (0.25, 0.4, 0.5, 0.6, 0.75)


# --- one more condition ----------------------------------------------------------------------


def _can_constrain(site: Site) -> bool:
    return site.narrows and any(site.free(place, *TESTED) for place in site.places)


def _constrain(site: Site, rng: Random) -> Iterator[Step]:
    for place, prop in _chosen(site, rng, *TESTED):
        one_value = prop.type.kind in (Kind.STRING, Kind.BOOLEAN) or site.grouped
        if one_value and site.returns(place, prop):
            continue  # nobody asks for what the question says
        found = site.observed(place, prop)
        if found is None:
            continue
        made = condition(place.var, prop, found, rng)
        if made is not None:
            yield Step(site.where(place.var, made), evidence(place, prop, found))


def condition(
    var: str, prop: Property, found: Observed, rng: Random, total: int = 0, *, rare: bool = False
) -> ir.Expr | None:
    """A condition that some of the observed nodes meet and others do not.

    `total` is the number of nodes where that is not the sum of those with each value. `rare`: of
    several neighbours few should meet it, as one of them is enough.
    """
    total = total or found.total
    value = ir.Prop(ir.Var(var), prop.name)
    if prop.type.kind in (Kind.STRING, Kind.BOOLEAN):
        some = [v for v, n in found.values if 0 < n < total and v != ""]
        if not some:
            return None
        return ir.Compare(ir.CompareOp.EQ, value, constant(rng.choice(some), prop))
    above = rng.random() < 0.6
    share = (0.9 if above else 0.1) if rare else rng.choice(_SHARES)
    limit = threshold(prop, found, share)
    if limit is None:
        return None
    exact = is_year(prop) or prop.type.kind not in NUMERIC
    op = (ir.CompareOp.GE if exact else ir.CompareOp.GT) if above else ir.CompareOp.LT
    return ir.Compare(op, value, constant(limit, prop))


def threshold(prop: Property, found: Observed, share: float) -> int | float | str | None:
    """A value as people say it, with observed values on both sides of it; None: there is none."""
    if len(found.values) < 3:
        return None
    low, high, middle = found.values[0][0], found.values[-1][0], found.at(share)
    for wished in (*_rounder(prop, middle), middle):
        if low < wished < high:
            return wished  # type: ignore[no-any-return] # of the property's own kind
    return None


def _rounder(prop: Property, value: int | float | str) -> Iterator[int | float | str]:
    """The value rounded, the roundest first."""
    if isinstance(value, str):
        tail = value[10:] and "T00:00:00" + _zone(value)
        yield value[:4] + "-01-01" + tail
        yield value[:7] + "-01" + tail
        return
    if is_year(prop):
        yield int(value) // 10 * 10
        return
    if not value or isinstance(value, bool) or not math.isfinite(value):
        return
    size = 10 ** math.floor(math.log10(abs(value)))
    for step in (size, size / 2, size / 10):
        near = math.floor(value / step) * step
        if prop.type.kind is Kind.INTEGER:
            if step >= 1:
                yield round(near)
        else:
            yield round(near, 6)


def _zone(value: str) -> str:
    """What follows the seconds of a moment or time with a zone."""
    text = value.split("T")[-1]
    for sign in ("Z", "+", "-"):
        if sign in text:
            return text[text.index(sign) :]
    return ""


# --- a value becomes a category, a range, a period ------------------------------------------


def equalities(site: Site) -> Iterator[tuple[Place, Property, ir.Compare]]:
    """Conditions `place.property = constant` among those that must all hold."""
    for clause in site.body:
        assert isinstance(clause, ir.Match | ir.Project)  # noqa: S101 # a site has no others
        for part in conjuncts(clause.where):
            if (
                isinstance(part, ir.Compare)
                and part.op is ir.CompareOp.EQ
                and isinstance(part.left, ir.Prop)
                and isinstance(part.left.base, ir.Var)
                and isinstance(part.right, ir.Literal | ir.Call)
            ):
                place = site.place(part.left.base.name)
                prop = place.type.property(part.left.key) if place else None
                if place is not None and prop is not None:
                    yield place, prop, part


def _replaced(site: Site, old: ir.Expr, new: ir.Expr) -> ir.Query:
    return substitute(site.statement, lambda node: new if node is old else None)


def without(site: Site, part: ir.Expr) -> tuple[ir.Clause, ...]:
    """The clauses before the final one, with a condition taken away."""
    return _replaced(site, part, ir.Literal(True)).clauses[:-1]


def _can_widen(site: Site) -> bool:
    return any(site.is_category(p, prop) for p, prop, _ in equalities(site))


def _widen(site: Site, rng: Random) -> Iterator[Step]:
    for place, prop, part in shuffled(rng, list(equalities(site))):
        if not site.is_category(place, prop) or not isinstance(part.right, ir.Literal):
            continue
        found = site.observe(without(site, part), place.var, prop)
        others = [v for v, _ in found.common if v not in (part.right.value, "")] if found else []
        if found is None or len(others) < 2:
            continue
        chosen = rng.sample(others[:6], min(rng.choice((1, 1, 2)), len(others) - 1))
        items = (part.right, *(constant(value, prop) for value in chosen))
        listed = ir.In(part.left, ir.ListOf(items))
        yield Step(_replaced(site, part, listed), evidence(place, prop, found))


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
        found = site.observe(without(site, part), place.var, prop)
        if found is None or not isinstance(value, int | float):
            continue
        low, high = _around(prop, value, found)
        if low is None or high is None:
            continue
        at_least = ir.Compare(ir.CompareOp.GE, part.left, ir.Literal(low))
        at_most = ir.Compare(ir.CompareOp.LE, part.left, ir.Literal(high))
        wider = ir.Bool(ir.BoolOp.AND, (at_least, at_most))
        yield Step(_replaced(site, part, wider), evidence(place, prop, found))


def _around(
    prop: Property, value: int | float, found: Observed
) -> tuple[int | float | None, int | float | None]:
    """Bounds below and above a value, where other observed values lie within them."""
    if is_year(prop):
        first = int(value) // 10 * 10
        return first, first + 9
    below = [v for v, _ in found.values if v < value]
    above = [v for v, _ in found.values if v > value]
    return (below[-min(len(below), 3)] if below else None), (
        above[min(len(above), 3) - 1] if above else None
    )


def _can_range(site: Site) -> bool:
    return site.narrows and any(site.free(place, Use.NUMBER) for place in site.places)


def _range(site: Site, rng: Random) -> Iterator[Step]:
    for place, prop in _chosen(site, rng, Use.NUMBER):
        found = site.observed(place, prop)
        if found is None:
            continue
        low, high = (threshold(prop, found, share) for share in (0.2, 0.8))
        if low is None or high is None or not low < high:  # type: ignore[operator] # one kind
            continue
        value = ir.Prop(ir.Var(place.var), prop.name)
        at_least = ir.Compare(ir.CompareOp.GE, value, constant(low, prop))
        at_most = ir.Compare(ir.CompareOp.LE, value, constant(high, prop))
        query = site.where(place.var, ir.Bool(ir.BoolOp.AND, (at_least, at_most)))
        yield Step(query, evidence(place, prop, found))


def _can_date(site: Site) -> bool:
    return site.narrows and any(site.free(place, Use.MOMENT) for place in site.places)


def _date(site: Site, rng: Random) -> Iterator[Step]:
    for place, prop in _chosen(site, rng, Use.MOMENT):
        found = site.observed(place, prop)
        if found is None or len(found.values) < 3:
            continue
        year = int(found.at(rng.choice(_SHARES))[:4])
        long = 1 if rng.random() < 0.6 else 2
        value = ir.Prop(ir.Var(place.var), prop.name)
        zone = "Z" if prop.type.kind is Kind.ZONED_DATETIME else ""
        time = "" if prop.type.kind is Kind.DATE else f"T00:00:00{zone}"
        start, end = (f"{y:04}-01-01{time}" for y in (year, year + long))
        if not found.values[0][0] < start and not end <= found.values[-1][0]:
            continue
        since = ir.Compare(ir.CompareOp.GE, value, constant(start, prop))
        before = ir.Compare(ir.CompareOp.LT, value, constant(end, prop))
        query = site.where(place.var, ir.Bool(ir.BoolOp.AND, (since, before)))
        yield Step(query, evidence(place, prop, found))


# --- either, or; not; a part of a text ------------------------------------------------------


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
            found = site.observe(rest, place.var, other)
            if found is None or other.name == prop.name:
                continue
            made = condition(place.var, other, found, rng)
            if made is not None:
                choice = ir.Bool(ir.BoolOp.OR, (part, made))
                yield Step(_replaced(site, part, choice), evidence(place, other, found))


def _can_exclude(site: Site) -> bool:
    return site.narrows and any(site.free(place, Use.CATEGORY) for place in site.places)


def _exclude(site: Site, rng: Random) -> Iterator[Step]:
    for place, prop in _chosen(site, rng, Use.CATEGORY):
        found = site.observed(place, prop)
        common = [v for v, n in found.common if n < found.total and v != ""] if found else []
        if found is None or len(found.values) < 3 or not common:
            continue
        value = ir.Prop(ir.Var(place.var), prop.name)
        differs = ir.Compare(ir.CompareOp.NE, value, constant(rng.choice(common[:4]), prop))
        yield Step(site.where(place.var, differs), evidence(place, prop, found))


def _can_match_text(site: Site) -> bool:
    return site.narrows and bool(_named(site))


def _named(site: Site) -> list[tuple[Place, Property]]:
    found = [(place, site.name(place.type)) for place in site.places]
    return [(p, name) for p, name in found if name and (p.var, name.name) not in site.tested]


def _match_text(site: Site, rng: Random) -> Iterator[Step]:
    """A first word that several observed names share."""
    for place, prop in shuffled(rng, _named(site)):
        found = site.observed(place, prop)
        if found is None or found.total < 4:
            continue
        words: dict[str, int] = {}
        for name, number in found.values:
            word = str(name).split(" ")[0]
            if word.isalpha() and len(word) > 2:
                words[word] = words.get(word, 0) + number
        shared = [word for word, number in words.items() if 2 <= number <= found.total // 2]
        if not shared:
            continue
        word = rng.choice(sorted(shared, key=lambda w: (-words[w], w))[:8])
        value = ir.Prop(ir.Var(place.var), prop.name)
        query = site.where(place.var, ir.Text(ir.TextOp.STARTS, value, ir.Literal(word)))
        yield Step(query, f"{word!r} begins {words[word]} of {found.total} {place.var}.{prop.name}")


def _chosen(site: Site, rng: Random, *uses: Use) -> list[tuple[Place, Property]]:
    """Free properties with these uses, in random order."""
    pairs = [(p, prop) for p in site.places for prop in site.free(p, *uses)]
    return [(p, prop) for p, prop in shuffled(rng, pairs) if site.population(p) > 1]


def evidence(place: Place, prop: Property, found: Observed) -> str:
    """What was observed of a property, as a trace keeps it."""
    return f"{place.type.labels[0]}.{prop.name}: {found}"


OPERATORS = (
    Operator(
        "add-constraint", "one more condition", effect(conditions=1), _can_constrain, _constrain
    ),
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
        "either-or", "or another condition", effect("logic-or", conditions=1), _can_choose, _either
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
