"""Which entities and relations of a sub-domain a schema has: a connected part of the whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from random import Random

from generators.schemas.reified import needs, reified
from generators.schemas.timing import in_time
from generators.taxonomy.model import (
    By,
    Cell,
    Choice,
    Entity,
    Hint,
    Moment,
    Relation,
    SubDomain,
)
from graphmill.english.inflection import plural
from graphmill.errors import GraphmillError


@dataclass(frozen=True, slots=True)
class Level:
    """Bounds of a level of complexity: node types, relations, properties of a node type."""

    nodes: tuple[int, int]
    edges: tuple[int, int]
    properties: tuple[int, int]


LEVELS = {
    1: Level((3, 5), (2, 7), (3, 5)),
    2: Level((6, 8), (6, 12), (3, 6)),
    3: Level((9, 12), (9, 18), (4, 7)),
    4: Level((13, 17), (13, 26), (4, 8)),
    5: Level((18, 25), (20, 35), (4, 9)),
}
# How often a relation that could be a node is one; how often a list becomes a node type.
_REIFIED = 0.4
_BECOMES = 0.5
_ENDS = ("source", "target")
_LEANT_ON = 2  # at most so many relations beyond the number drawn, on which others rest
_CLOSING = 2  # and so many that close a fact over two edges
_TRIES = 20  # some choices leave too few relations between the entities
_FOR_CHAIN = 8  # and some no chain, without which nothing can be asked over any number of steps


def bounds_of(level: int) -> Level:
    """How large schemas of a level are.

    Raises:
        GraphmillError: there is no such level.
    """
    if level not in LEVELS:
        shown = ", ".join(map(str, LEVELS))
        raise GraphmillError(f"There is no level {level}. There are: {shown}.")
    return LEVELS[level]


@dataclass(frozen=True, slots=True)
class Blueprint:
    """The chosen entities, with the properties they keep, and the chosen relations."""

    entities: tuple[Entity, ...]
    relations: tuple[Relation, ...]
    level: int


def blueprint(domain: SubDomain, level: int, rng: Random) -> Blueprint:
    """A connected part of a sub-domain, within the bounds of the level.

    Raises:
        GraphmillError: the sub-domain has too few entities that hang together.
    """
    bounds = LEVELS[level]
    for tried in range(_TRIES):
        entities, relations = _variant(domain, level, rng)
        wanted = rng.randint(*bounds.nodes)
        names = _grown(domain, entities, relations, wanted, rng)
        if len(names) < bounds.nodes[0]:
            # Without the alternatives there is too little: take all that there is.
            entities, relations = _everything(domain)
            names = _grown(domain, entities, relations, wanted, rng)
        chosen = _joined(names, relations, bounds, rng)
        chosen = tuple(relation for relation in chosen if not _ownerless(relation, chosen))
        if len(names) < bounds.nodes[0] or len(chosen) < bounds.edges[0]:
            continue
        if tried >= _FOR_CHAIN or any(map(_is_chain, chosen)):
            break
    else:
        raise GraphmillError(
            f"{domain.path} has {len(names)} entities and {len(chosen)} relations that hang "
            f"together; level {level} needs {bounds.nodes[0]} and {bounds.edges[0]}."
        )
    chosen = tuple(in_time(relation, entities) for relation in chosen)
    needed = _referred(chosen)
    _followed(chosen, entities, needed)
    kept = tuple(
        replace(
            entities[name],
            properties=_properties(
                entities[name],
                needed.get(name, set()) | _first(domain, entities[name]),
                bounds,
                rng,
            ),
        )
        for name in names
    )
    whole = kept
    kept = tuple(_without(entity, chosen) for entity in whole)
    gone = {
        (before.name, hint.name)
        for before, after in zip(whole, kept, strict=True)
        for hint in before.properties
        if hint not in after.properties
    }
    chosen = tuple(_of_what_is_there(_beside(relation, needed), gone) for relation in chosen)
    # A list that has become a node type is no property any more.
    moved = {
        (r.source, r.target.partition("#")[2]) for r in chosen if "#" in r.target and not r.match
    }
    kept = tuple(
        replace(e, properties=tuple(p for p in e.properties if (e.name, p.name) not in moved))
        for e in kept
    )
    return Blueprint(kept, chosen, level)


# --- variants ------------------------------------------------------------------------------


def _variant(
    domain: SubDomain, level: int, rng: Random
) -> tuple[dict[str, Entity], list[Relation]]:
    """Entities and relations after the choices between ways to model the same."""
    entities = dict(domain.entities)
    relations = []
    for relation in domain.relations:
        if relation.unless in entities:
            # Edges with properties are for small schemas, nodes for large ones.
            if rng.random() < 0.6 - 0.1 * level and relation.unless not in domain.core:
                del entities[relation.unless]
            else:
                continue
        if relation.reified is not None and rng.random() < _REIFIED:
            node, edges = reified(domain, relation)
            entities[node.name] = node
            relations += edges
        else:
            relations.append(relation)
    for entity in list(entities.values()):
        for hint in entity.properties:
            if hint.becomes is not None and level > 1 and rng.random() < _BECOMES:
                node, edge = promoted(domain, entity, hint)
                entities[node.name] = node
                relations.append(edge)
    there = [r for r in relations if r.source in entities and r.target in entities]
    return entities, _one_home(there)


LOCATED = re.compile(
    r"(?:(?:LOCATED|BASED|LIVES|RESIDES|STANDS|SITUATED|REGISTERED|HEADQUARTERED)_(?:IN|AT)|IN_CITY"
    r"|IN_COUNTRY|IN_REGION|HAS_SEAT_IN)$"
)


def _one_home(relations: Iterable[Relation]) -> list[Relation]:
    """The relations, of those that say where something is only the first for each kind of place:
    the taxonomy's own comes before what all companies have."""
    kept: list[Relation] = []
    there: set[tuple[str, str]] = set()
    for relation in relations:
        if LOCATED.match(relation.type) and relation.many.startswith("n:1"):
            if (relation.source, relation.target) in there:
                continue
            there.add((relation.source, relation.target))
        kept.append(relation)
    return kept


def _everything(domain: SubDomain) -> tuple[dict[str, Entity], list[Relation]]:
    """The largest variant: all nodes that could be."""
    entities = dict(domain.entities)
    relations = []
    for relation in domain.relations:
        if relation.unless in entities:
            continue
        if relation.reified is None:
            relations.append(relation)
            continue
        node, edges = reified(domain, relation)
        entities[node.name] = node
        relations += edges
    for entity in list(entities.values()):
        for hint in entity.properties:
            if hint.becomes is not None:
                node, edge = promoted(domain, entity, hint)
                entities[node.name] = node
                relations.append(edge)
    return entities, _one_home(relations)


def promoted(domain: SubDomain, entity: Entity, hint: Hint) -> tuple[Entity, Relation]:
    """A property that is a list as a node type, called by its values."""
    assert hint.becomes is not None  # noqa: S101 - the caller looks
    singular = hint.noun or hint.name.replace("_", " ")
    value = hint.value
    match: tuple[tuple[str, str], ...] = ()
    if any(hint.name in needs(other.value) for other in entity.properties) or _spoken_of(
        domain.relations, entity, hint.name
    ):
        # What other properties depend on stays there, and the edges follow it.
        match = ((hint.name, "name"),)
    if isinstance(value, Cell):
        cells = domain.rows[entity.rows].column(value.column)
        value = Choice(tuple((cell, 1.0) for cell in dict.fromkeys(cells)))
        match = ((hint.name, "name"),)
    if isinstance(value, By):  # the edges follow what depends on another property
        cases = [case for _, case in value.cases]
        cases += [value.otherwise] if value.otherwise is not None else []
        texts = [text for case in cases if isinstance(case, Choice) for text, _ in case.values]
        value = Choice(tuple((text, 1.0) for text in dict.fromkeys(texts)))
        match = ((hint.name, "name"),)
    label = Hint("name", value, ("label", "title"), unique=True, needed=True)
    node = Entity(
        f"{entity.name}#{hint.name}", singular, plural(singular), share=0.03, properties=(label,)
    )
    usual, *others = hint.becomes.types
    return node, Relation(
        entity.name,
        usual,
        node.name,
        hint.becomes.wording,
        also=tuple(others),
        many="n:1",
        role="hub",
        match=match,
    )


def _beside(relation: Relation, needed: Mapping[str, Set[str]]) -> Relation:
    """The relation to a node type made of a property; one that stays, as values or relations of
    others depend on it, says the same as the node."""
    name = relation.target.partition("#")[2]
    if relation.match or not name or name not in needed.get(relation.source, set()):
        return relation
    return replace(relation, match=((name, "name"),))


def _spoken_of(relations: Iterable[Relation], entity: Entity, name: str) -> bool:
    """Whether relations say something of a property, which then stays beside its node type."""
    for relation in relations:
        pairs = [(f.ours, f.theirs) for f in relation.fits] + list(relation.match)
        for side, end in enumerate((relation.source, relation.target)):
            if end in (entity.name, entity.parent) and any(pair[side] == name for pair in pairs):
                return True
        paths = [path for pair in (*pairs, *relation.via) for path in pair]
        paths += [relation.only[0]] if relation.only else []
        if any(path.endswith(f".{name}") for path in paths):
            return True
    return False


# --- the choice ----------------------------------------------------------------------------


def _grown(
    domain: SubDomain,
    entities: dict[str, Entity],
    relations: Iterable[Relation],
    wanted: int,
    rng: Random,
) -> list[str]:
    """A connected set of entities around the core, in the order of the taxonomy."""
    near: dict[str, set[str]] = {name: set() for name in entities}
    for relation in relations:
        if relation.source != relation.target:
            near[relation.source].add(relation.target)
            near[relation.target].add(relation.source)
    starts = [name for name in domain.core if near.get(name)]
    if not starts:
        return []
    chosen = {rng.choice(starts)}
    while len(chosen) < wanted:
        frontier = sorted({other for name in chosen for other in near[name]} - chosen)
        if not frontier:
            break
        weights = [_pull(domain, name) for name in frontier]
        chosen.add(rng.choices(frontier, weights)[0])
    return [name for name in entities if name in chosen]


def _pull(domain: SubDomain, name: str) -> float:
    if name in domain.core:
        return 8.0
    if name in domain.own:
        return 4.0
    if "#" in name:
        return 0.6
    return 1.2


def _joined(
    names: list[str], relations: list[Relation], bounds: Level, rng: Random
) -> tuple[Relation, ...]:
    """Relations that connect all the entities, and more of them up to a number drawn."""
    inside = [r for r in relations if r.source in names and r.target in names]
    order = list(inside)
    rng.shuffle(order)
    order.sort(key=lambda r: not r.always)
    group = {name: name for name in names}
    tree = []
    for relation in order:
        one, two = _root(group, relation.source), _root(group, relation.target)
        if one != two:
            group[one] = two
            tree.append(relation)
    low = max(bounds.edges[0], len(tree))
    high = min(bounds.edges[1], len(inside), low + max(2, len(names) // 2))
    wanted = rng.randint(min(low, high), high) if high > low else high
    rest = [relation for relation in order if relation not in tree]
    # What holds for many entities alike (who lives where) comes last, and not for all of them.
    alike = [(r.type, r.target) for r in inside]
    rest.sort(key=lambda r: (not r.always, alike.count((r.type, r.target)) > 2))
    chosen = [*tree, *rest[: max(0, wanted - len(tree))]]
    chosen += [r for r in rest if r not in chosen and r.always]
    chosen += [r for r in rest if r not in chosen and _leant_on(r, chosen)][:_LEANT_ON]
    if not any(map(_is_chain, chosen)):
        chains = [r for r in rest if _is_chain(r) and not _ownerless(r, chosen)]
        chosen += chains[: max(0, bounds.edges[1] - len(chosen))][:1]
    room = min(_CLOSING, max(0, bounds.edges[1] - len(chosen)))
    chosen += [r for r in rest if r not in chosen and _closes(r, chosen)][:room]
    return tuple(relation for relation in inside if relation in chosen)


def _is_chain(relation: Relation) -> bool:
    """Whether a relation leads on among things of one kind, as from a part to what it is built
    into: "directly or indirectly" is asked over these."""
    return relation.source == relation.target and not relation.symmetric


def _leant_on(relation: Relation, chosen: Iterable[Relation]) -> bool:
    """Whether what others of the schema say holds only over this relation: an order has dishes of
    the restaurant that it was sent to; who has an address and a city has the address there."""
    if relation.source == "address" and relation.target == "city":
        return True
    paths = [
        (other.source if side == 0 else other.target, path.split(".")[:-1])
        for other in chosen
        for pair in (*other.via, *((fit.ours, fit.theirs) for fit in other.fits))
        for side, path in enumerate(pair)
    ]
    return any(steps[:1] == [relation.type] and relation.source == start for start, steps in paths)


def _closes(relation: Relation, chosen: Iterable[Relation]) -> bool:
    """Whether two others of the schema say something together that holds over this relation only:
    a company is paid under a contract that it was awarded."""
    ways = [pair for other in chosen if (pair := _many_and_one(other))]
    mine = _many_and_one(relation)
    if mine is None or mine in ways or mine[1] in _LOOSE or relation.many.endswith("?"):
        return False
    many, middle = mine
    return any(
        (middle, one) in ways for start, one in ways if start == many and one not in (*_LOOSE, many)
    )


def _many_and_one(relation: Relation) -> tuple[str, str] | None:
    """The many and the one side of a relation between two entities; None where there is none."""
    if relation.source == relation.target or "#" in relation.source + relation.target:
        return None
    match relation.many.rstrip("?"):
        case "n:1":
            return relation.source, relation.target
        case "1:n":
            return relation.target, relation.source
    return None


def _root(group: dict[str, str], name: str) -> str:
    while group[name] != name:
        name = group[name]
    return name


def _ownerless(relation: Relation, chosen: Iterable[Relation]) -> bool:
    """Whether a chain of things of one kind has nothing in the schema that they share: what
    replaces or follows something is about the same."""
    chain = relation.source == relation.target and relation.many.startswith("1:1")
    if not chain or relation.match:
        return False
    return not any(
        other.source != other.target
        and other.many.rstrip("?") in ("n:1", "1:n")
        and relation.source == (other.source if other.many.startswith("n:1") else other.target)
        and other.target not in _LOOSE
        and "#" not in other.target
        for other in chosen
    )


_LOOSE = frozenset({"city", "country", "currency", "language", "address", "department"})


def _followed(
    chosen: Iterable[Relation], entities: dict[str, Entity], needed: dict[str, set[str]]
) -> None:
    """Add the properties that others follow over the relations of a schema: they are shown, too."""

    def need(entity: str, name: str) -> None:
        if entities[entity].property(name):
            needed.setdefault(entity, set()).add(name)

    for relation in chosen:
        for one, other in ((relation.source, relation.target), (relation.target, relation.source)):
            for hint in entities[one].properties:
                for copied in hint.copied:
                    if copied.relation == relation.type:
                        need(other, copied.property)
                if isinstance(hint.value, By) and hint.value.of.startswith(f"{relation.type}."):
                    need(other, hint.value.of.partition(".")[2])
        paths = [path for pair in relation.via for path in pair]
        paths += [ref.partition(".")[2] for pair in relation.order for ref in pair]
        paths += [path for fit in relation.fits for path in (fit.ours, fit.theirs)]
        paths += [relation.only[0]] if relation.only else []
        for *steps, name in (path.split(".") for path in paths):
            for over in chosen if steps else ():
                if over.type == steps[-1]:
                    need(over.source, name)
                    need(over.target, name)


# --- properties ----------------------------------------------------------------------------


def without_numbers(chosen: Blueprint) -> Blueprint:
    """The blueprint for nodes with keys that are made up: running numbers of the business would
    only repeat them. Keys that mean something outside (an IBAN, a VIN) stay."""
    referred = _referred(chosen.relations)
    kept = []
    for entity in chosen.entities:
        needed = {n for p in entity.properties for n in needs(p.value)}
        needed |= referred.get(entity.name, set())
        rest = tuple(
            p
            for p in entity.properties
            if not (p.key and not p.noun and _NUMBERED.search(p.name)) or p.name in needed
        )
        kept.append(replace(entity, properties=rest) if len(rest) > 1 else entity)
    return replace(chosen, entities=tuple(kept))


_NUMBERED = re.compile(r"_(?:no|id|number|code)$")


def _referred(relations: Iterable[Relation]) -> dict[str, set[str]]:
    """Properties of entities that relations speak of."""
    referred: dict[str, set[str]] = {}
    for relation in relations:
        ends = {"source": relation.source, "target": relation.target}
        fitting = ((f.ours, f.theirs) for f in relation.fits if "." not in f.ours + f.theirs)
        for ours, theirs in (*relation.match, *fitting):
            referred.setdefault(relation.source, set()).add(ours)
            referred.setdefault(relation.target, set()).add(theirs)
        for reference in (name for order in relation.order for name in order):
            end, _, name = reference.partition(".")
            referred.setdefault(ends[end], set()).add(name)
        for hint in relation.properties:
            for need in needs(hint.value):
                end, dot, name = need.partition(".")
                if dot:
                    referred.setdefault(getattr(relation, end), set()).add(name)
    return referred


def _first(domain: SubDomain, entity: Entity) -> set[str]:
    """The property by which rows of a table are told apart: the others depend on it."""
    rows = domain.rows.get(entity.rows)
    if rows is None:
        return set()
    return {p.name for p in entity.properties if p.value == Cell(rows.columns[0])}


def _properties(entity: Entity, referred: set[str], bounds: Level, rng: Random) -> tuple[Hint, ...]:
    """The properties that an entity keeps: what is needed, and some of the others."""
    by_name = {p.name: p for p in entity.properties}
    first = entity.properties[0].name
    kept = {p.name for p in entity.properties if p.key or p.needed or p.name in referred}
    kept.add(first)
    others = [p.name for p in entity.properties if p.name not in kept]
    wanted = rng.randint(*bounds.properties)
    rng.shuffle(others)
    kept |= set(others[: max(0, wanted - len(kept))])
    kept -= _contradicting(entity, kept, rng) - referred
    while missing := {n for name in kept for n in _all_needs(by_name[name])} - kept:
        kept |= missing & by_name.keys()
        if not missing & by_name.keys():
            break
    return tuple(p for p in entity.properties if p.name in kept)


def _of_what_is_there(relation: Relation, gone: set[tuple[str, str]]) -> Relation:
    """The relation without orders of dates that a schema lacks because of another relation."""
    ends = {"source": relation.source, "target": relation.target}

    def lost(reference: str) -> bool:
        end, _, name = reference.partition(".")
        return (ends[end], name) in gone

    order = tuple(pair for pair in relation.order if not any(map(lost, pair)))
    return relation if order == relation.order else replace(relation, order=order)


def _without(entity: Entity, relations: Iterable[Relation]) -> Entity:
    """The entity without what a relation of the schema would contradict: a total beside lines."""
    types = {r.type for r in relations if entity.name in (r.source, r.target)}
    gone = {p.name for p in entity.properties if types.intersection(p.without)}
    while more := {
        p.name
        for p in entity.properties
        if p.name not in gone and gone.intersection(needs(p.value))
    }:
        gone |= more
    rest = tuple(p for p in entity.properties if p.name not in gone)
    return replace(entity, properties=rest) if rest else entity


def _tells(state: Hint, end: Hint) -> bool:
    """Whether a state says when there is an end ("closed" and `closed_on`), which is then kept."""
    if not isinstance(state.value, Choice) or state.null:
        return False
    stem = re.sub("_(?:on|at)$", "", end.name)
    return any(value.split()[0].casefold() == stem for value, _ in state.value.values)


_STATES = frozenset({"status", "state", "outcome", "decision", "result", "stage"})


def _contradicting(entity: Entity, kept: set[str], rng: Random) -> set[str]:
    """Properties to leave out: an end that may be missing, and a state, would contradict each
    other in some rows ("closed" without a closing date), as the two are drawn apart."""
    ends = [
        p
        for p in entity.properties
        if p.name in kept and p.null and isinstance(p.value, Moment) and p.value.after
    ]
    states = [p for p in entity.properties if p.name in kept and p.name in _STATES]
    ends = [end for end in ends if not any(_tells(state, end) for state in states)]
    if not ends or not states:
        return set()
    if any(p.needed for p in states) or (rng.random() < 0.5 and not any(p.needed for p in ends)):
        return {p.name for p in ends}
    return {p.name for p in states}


def _all_needs(hint: Hint) -> Iterator[str]:
    yield from needs(hint.value)
    yield from (c.own for c in hint.copied if c.how == "times")
