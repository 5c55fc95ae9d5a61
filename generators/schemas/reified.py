"""A relation with properties as a node type of its own, with an edge to either end.

What the relation says of its two ends together (an order in time, values that go together) holds
between the nodes that the new one leads to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypedDict

from generators.taxonomy.load import PLACEHOLDER
from generators.taxonomy.model import (
    Anchor,
    Bend,
    By,
    Cell,
    Copy,
    Entity,
    Fits,
    Foremost,
    Fraction,
    Made,
    Moment,
    Number,
    Phrase,
    Place,
    Relation,
    Stake,
    SubDomain,
    Value,
)

_ENDS = ("source", "target")


def reified(domain: SubDomain, relation: Relation) -> tuple[Entity, list[Relation]]:
    """A relation as a node type with two edges."""
    made = relation.reified
    assert made is not None  # noqa: S101 - the caller looks
    name = made.singular.replace(" ", "_").lower()
    types = {"source": made.source[0], "target": made.target[0]}
    properties = tuple(
        replace(p, value=value, needed=True, copied=_of_end(p.value, types) or p.copied)
        for p in relation.properties
        if (value := _of_table(domain, relation, p.value) or _without_ends(p.value, types))
        is not None
    )
    node = Entity(name, made.singular, made.plural, share=4.0, properties=properties)
    (to_source, source_words), (to_target, target_words) = made.source, made.target
    # What has a date of its own from one end is joined with that end freely, and with the other
    # end by what the relation says.
    anchored = _anchor_at("target", relation) is not None
    return node, [
        Relation(
            name,
            to_source,
            relation.source,
            source_words,
            many="n:1",
            incoming=relation.outgoing,
            role="event",
            anchor=_anchor_at("source", relation),
            always=True,  # an activity on a target says nothing without its compound
            anytime=relation.anytime,
            **(_over(relation, "target", types) if anchored else _NOTHING),
        ),
        Relation(
            name,
            to_target,
            relation.target,
            target_words,
            many="n:1",
            incoming=relation.incoming,
            role="event",
            anchor=_anchor_at("target", relation),
            always=True,
            anytime=relation.anytime,
            **(_NOTHING if anchored else _over(relation, "source", types)),
        ),
    ]


class _Tied(TypedDict):
    """What a relation says of its two ends together."""

    order: tuple[tuple[str, str], ...]
    gap: int
    within: int | None
    fits: tuple[Fits, ...]
    via: tuple[tuple[str, str], ...]


_NOTHING = _Tied(order=(), gap=0, within=None, fits=(), via=())


def _over(relation: Relation, end: str, types: dict[str, str]) -> _Tied:
    """What holds between the ends of a relation, from a node that leads to one `end` of it: said of
    the edge to the other end."""
    kind = types[end]

    def over(reference: str) -> str:
        side, _, name = reference.partition(".")
        return f"source.{kind}.{name}" if side == end else f"target.{name}"

    pairs = (*relation.match, *relation.via)
    fits = relation.fits
    if end == "target":
        pairs = tuple((theirs, ours) for ours, theirs in pairs)
        fits = tuple(replace(f, ours=f.theirs, theirs=f.ours, back=not f.back) for f in fits)
    return {
        "order": tuple((over(first), over(then)) for first, then in relation.order),
        "gap": relation.gap,
        "within": relation.within,
        "fits": tuple(replace(fit, ours=f"{kind}.{fit.ours}") for fit in fits),
        "via": tuple((f"{kind}.{ours}", theirs) for ours, theirs in pairs),
    }


def _anchor_at(end: str, relation: Relation) -> Anchor | None:
    """When a node begins that a relation has become: after what its date follows."""
    for hint in relation.properties:
        if isinstance(hint.value, Moment):
            side, dot, name = hint.value.after.partition(".")
            if dot and side == end:
                return Anchor(hint.value.gap, hint.value.unit, name)
            return None
    return None


def _of_end(value: Value, types: dict[str, str]) -> tuple[Copy, ...]:
    """A share of a number of an edge's end, as a node that is joined with it has it."""
    if not isinstance(value, Fraction) or "." not in value.of:
        return ()
    end, _, name = value.of.partition(".")
    return (Copy(types[end], name, value.low, value.high),)


def _of_table(domain: SubDomain, relation: Relation, value: Value) -> Number | None:
    """One of the numbers of a table that an end of the relation is made of, where the value is a
    share of it: the price of a line, in a schema that lacks the products."""
    if not isinstance(value, Fraction) or "." not in value.of:
        return None
    end, _, name = value.of.partition(".")
    entity = domain.entities[relation.source if end == "source" else relation.target]
    hint = entity.property(name)
    rows = domain.rows.get(entity.rows)
    if hint is None or not isinstance(hint.value, Cell) or rows is None:
        return None
    middle = (value.low + value.high) / 2
    numbers = (float(number) * middle for number in rows.column(hint.value.column))
    return Number("one", tuple(round(number, value.places) for number in numbers), value.places)


def _without_ends(value: Value, types: dict[str, str]) -> Value | None:
    """A date that followed one of an edge's end is anchored there by the relation; cases of an end
    are those of the element that is led to, and so are numbers among the edges of an end and the
    first of them; what else is made of the ends is left out."""
    if isinstance(value, By) and value.of.partition(".")[0] in _ENDS:
        end, _, name = value.of.partition(".")
        inner = [case for _, case in value.cases] + [value.otherwise or value.cases[0][1]]
        if any("." in need for case in inner for need in needs(case)):
            return None
        return replace(value, of=f"{types[end]}.{name}")
    if isinstance(value, Moment) and "." in value.after:
        return replace(value, after="", gap=(0, 0))
    if isinstance(value, Place | Foremost) and value.of in _ENDS:
        return replace(value, of=types[value.of])
    if isinstance(value, Stake):
        return Number("uniform", (5, 30), value.places)
    if isinstance(value, Fraction) and "." in value.of:
        return Number("lognormal", (50, 0.5), value.places)
    if any("." in need for need in needs(value)):
        return None
    return value


def needs(value: Value) -> Iterator[str]:
    """Properties that a value depends on; `source.NAME` and `target.NAME` for an edge's ends."""
    match value:
        case Fraction(of=of) | Bend(of=of):
            yield of
        case Made(of=several):
            yield from several
        case By(of=of, cases=cases, otherwise=otherwise):
            if "." not in of or of.partition(".")[0] in _ENDS:
                yield of
            for _, case in cases:
                yield from needs(case)
            if otherwise is not None:
                yield from needs(otherwise)
        case Moment(after=after) if after:
            yield after
        case Place(by=by) if by:
            yield by
        case Phrase(template):
            for name, _ in PLACEHOLDER.findall(template):
                yield name
