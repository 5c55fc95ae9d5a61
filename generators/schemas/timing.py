"""Which end of a relation is there first: what is about a thing comes after the thing began."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from generators.taxonomy.model import Cell, Entity, Hint, Moment, Number, Relation

# A day that does not tell when a thing began to be known here.
NO_START = re.compile(
    r"birth|born|founded|built(?!_on)|construct|manufactur|introduc|launch|valid|expir|^last_|updated|^next_"
)
_LASTS = re.compile(
    r"since|open|join|hire|regist|creat|install|activ|commission|list|enrol|sign|issue|start|licens"
)
_ONWARD = re.compile(
    r"(?:was|is) (?:followed|relisted|replaced|passed)|(?:led|leads|connects) to|trigger|parent"
    r"|precede|was paid by|became"
)
_BACK = re.compile(
    r"results? from|reviews|^ends|is over|settles|based on|issued for|is for|made by|harvest"
    r"|is a return"
)
_ABOUT = re.compile(r"covers|reviews|combines|bundles|settles|contains|includes|groups|merges")

BIRTH = re.compile(r"birth_date|born_on")


def begins(entity: Entity) -> Hint | None:
    """The day or moment from which on an entity is there, if its properties tell."""
    for hint in entity.properties:
        if isinstance(hint.value, Moment) and not hint.null and not NO_START.search(hint.name):
            return None if hint.value.after else hint
    return None


def in_time(relation: Relation, entities: Mapping[str, Entity]) -> Relation:
    """The relation with an order of its ends, where one follows from what they are.

    Chains lead onward or back in time, as their verb says. Where one has many (a customer with
    orders), the one began before each of the many, if it lasts and its days begin earlier.
    """
    source, target = begins(entities[relation.source]), begins(entities[relation.target])
    if relation.anchor is not None or relation.anytime:
        return relation
    alone = not (relation.order or relation.match or relation.symmetric or relation.reciprocity)
    if source is None or target is None or not alone:
        return relation
    ends = (f"source.{source.name}", f"target.{target.name}")
    if relation.source == relation.target:
        if relation.role != "chain":
            return relation
        onward = _ONWARD.search(relation.wording.active) is not None
        return replace(relation, order=(ends if onward else ends[::-1],), timed=True)
    many = relation.many.rstrip("?")
    if many == "1:1" or relation.role == "chain":
        if _BACK.search(relation.wording.active):
            return replace(relation, order=(ends[::-1],), timed=True)
        if _ONWARD.search(relation.wording.active):
            return replace(relation, order=(ends,), timed=True)
    if many == "n:1" and _before(target, source):
        return replace(relation, order=(ends[::-1],), timed=True)
    if many == "1:n" and _before(source, target) and not _ABOUT.search(relation.wording.active):
        return replace(relation, order=(ends,), timed=True)
    return relation


def _before(one: Hint, many: Hint) -> bool:
    first, then = one.value, many.value
    return (
        isinstance(first, Moment)
        and isinstance(then, Moment)
        and first.clock <= then.clock
        and first.first < then.first
        and first.last <= then.last
        and _LASTS.search(one.name) is not None
    )


def origin(entity: Entity) -> Hint | None:
    """The day from which on an entity is there, or a thing is sold."""
    return begins(entity) or next(
        (h for h in entity.properties if re.match(r"launch|introduc|releas", h.name) and _fixed(h)),
        None,
    )


_YEARS = (1500, 2100)


def year_of(entity: Entity) -> Hint | None:
    """The year from which on an entity is there, where a number tells it: `installed_in`."""
    for hint in entity.properties:
        value = hint.value
        if isinstance(value, Cell) and hint.name in ("founded", "first_found", "opened_in"):
            return hint
        if not isinstance(value, Number) or not value.whole or hint.null:
            continue
        named = hint.name.endswith("_in") or "year" in hint.name or hint.name == "founded"
        years = value.shape in ("uniform", "normal") and len(value.parameters) > 0
        if named and years and _YEARS[0] <= value.parameters[0] <= _YEARS[1]:
            return hint
    return None


def _last(hint: Hint) -> int:
    """The last year of a date, or of a number that is one."""
    if isinstance(hint.value, Moment):
        return hint.value.last
    if isinstance(hint.value, Cell):
        return _YEARS[1]
    assert isinstance(hint.value, Number)  # noqa: S101 - `year_of` gives no other
    return int(hint.value.high if hint.value.high is not None else hint.value.parameters[1])


def _fixed(hint: Hint) -> bool:
    return isinstance(hint.value, Moment) and not hint.value.after and not hint.null


def could_be_late(one: Hint, other: Hint) -> bool:
    """Whether the first day of one could lie after that of the other."""
    return isinstance(other.value, Moment) and _last(one) >= other.value.first
