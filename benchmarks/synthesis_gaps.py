"""What a taxonomy leaves unsaid: pairs of amounts, times, kinds and states that nothing ties.

    python -m benchmarks.synthesis_gaps [--only TEXT] [--show]

For every relation of every sub-domain, what people of the trade would expect to hang together:
amounts of one unit at both ends, days at both ends, kinds at both ends, and in an entity a state
beside an end that may be missing. A pair is told where the taxonomy declares it or a general rule
of `generators.schemas` holds for it. Prints the number of pairs, of those told, and with `--show`
those that are not: some of them are free in truth (the budget of a buyer and the price of a flat
he only looked at), which a reader decides.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator

from generators.schemas.timing import begins, could_be_late, in_time, origin, year_of
from generators.taxonomy.load import load_taxonomy
from generators.taxonomy.model import Choice, Entity, Hint, Moment, Number, Relation, SubDomain

_KIND = re.compile(r"(?:^|_)(?:type|kind|category|class|specialty|area|module|group)$")
_STATE = re.compile(r"^(?:status|state|outcome|decision|result|stage)$")
type Pair = tuple[str, str, bool]  # what it is about, its words, whether it is told


def pairs(domain: SubDomain) -> Iterator[Pair]:
    """Everything of a sub-domain that should hang together."""
    for relation in domain.relations:
        ends = domain.entities[relation.source], domain.entities[relation.target]
        said = f"{relation.source} {relation.type} {relation.target}"
        yield from _amounts(relation, ends, said)
        yield from _times(relation, domain, said)
        yield from _kinds(relation, ends, said)
    for entity in domain.entities.values():
        yield from _states(entity)


def _amounts(relation: Relation, ends: tuple[Entity, Entity], said: str) -> Iterator[Pair]:
    if relation.source == relation.target or relation.many == "n:m":
        return
    people = any(end.property("salary") for end in ends)  # pay is their own
    for one in ends[0].properties:
        for other in ends[1].properties:
            if one.unit and one.unit == other.unit and isinstance(one.value, Number):
                told = any(
                    relation.type in (*(c.relation for c in hint.copied), *hint.without)
                    for hint in (one, other)
                )
                told = told or relation.free or people
                told = told or any(one.name in first for first, _ in relation.order)
                yield "amounts", f"{said}: {one.name}, {other.name}", told


def _times(relation: Relation, domain: SubDomain, said: str) -> Iterator[Pair]:
    source, target = domain.entities[relation.source], domain.entities[relation.target]
    first, then = begins(source), begins(target)
    if first is None or then is None or relation.source == relation.target:
        return
    timed = in_time(relation, domain.entities)
    told = bool(timed.order or timed.anchor or timed.anytime)
    many = relation.many.rstrip("?")
    if not told and many in ("n:1", "1:n"):
        one, other = (target, source) if many == "n:1" else (source, target)
        known, event = origin(one) or year_of(one), begins(other)
        told = known is not None and event is not None and could_be_late(known, event)
    if not told:
        told = not _overlap(first, then)
    yield "times", f"{said}: {first.name}, {then.name}", told


def _overlap(one: Hint, other: Hint) -> bool:
    a, b = one.value, other.value
    return isinstance(a, Moment) and isinstance(b, Moment) and a.first <= b.last <= 2100


def _kinds(relation: Relation, ends: tuple[Entity, Entity], said: str) -> Iterator[Pair]:
    ours, theirs = (
        [h.name for h in end.properties if isinstance(h.value, Choice) and _KIND.search(h.name)]
        for end in ends
    )
    if not ours or not theirs or relation.source == relation.target:
        return
    told = bool(relation.free or relation.fits or relation.match or relation.via)
    yield "kinds", f"{said}: {', '.join(ours)} and {', '.join(theirs)}", told


def _states(entity: Entity) -> Iterator[Pair]:
    ends = [
        h for h in entity.properties if isinstance(h.value, Moment) and h.value.after and h.null
    ]
    states = [h for h in entity.properties if _STATE.match(h.name) and isinstance(h.value, Choice)]
    for end in ends:
        for state in states:  # blueprint: both are never shown unless one tells the other
            yield "states", f"{entity.name}: {end.name}, {state.name}", True


def main() -> None:
    """Count and print."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--only", default="")
    ask.add_argument("--show", action="store_true")
    given = ask.parse_args()
    counted: Counter[str] = Counter()
    for domain in load_taxonomy():
        if given.only not in domain.path:
            continue
        for about, said, told in pairs(domain):
            counted[f"{about}, told" if told else f"{about}, open"] += 1
            if not told and given.show:
                print(f"{domain.path}: {about}: {said}")
    print(json.dumps(dict(sorted(counted.items()))))


if __name__ == "__main__":
    main()
