"""What one row of a block stands for: which things a count counts."""

from __future__ import annotations

from itertools import combinations

from generators.questions.author import NotExpressible
from generators.questions.plan.model import Block, Entity, Link, Same, refs
from graph_ir import nodes as ir
from graphmill.english.inflection import listing, plural


def settled(block: Block, known: list[Entity]) -> set[int]:
    """Ids of the entities that `known` ones settle through many-to-one links."""
    found = {id(entity) for entity in known}
    links = [link for link in block.every_link() if link.functional]
    grown = True
    while grown:
        grown = False
        for link in links:
            if id(link.source) in found and id(link.target) not in found:
                found.add(id(link.target))
                grown = True
    return found


def grouped_by(block: Block) -> list[Entity]:
    """Entities that the grouping keys speak of, whether they settle them or not."""
    found = [e for key in block.keys or () for e in refs(key) if isinstance(e, Entity)]
    return list(dict.fromkeys(found))


def row_entities(block: Block, *, optional: bool = True, within_group: bool = True) -> list[Entity]:
    """The entities that together tell one row of a block from another, given its keys.

    A name is taken to identify where no other key leaves one kind of thing to count.
    """
    entities = block.every_entity() if optional else block.entities
    if not within_group:
        return _telling(block, entities, [])
    found = _telling(block, entities, [e for e in block.identified if e in entities])
    if len(found) > 1 and block.named:
        known = [e for e in (*block.identified, *block.named) if e in entities]
        by_name = _telling(block, entities, known)
        found = by_name if len(by_name) == 1 else found
    return found


def _telling(block: Block, entities: list[Entity], keys: list[Entity]) -> list[Entity]:
    everything = {id(entity) for entity in entities}
    spoken = grouped_by(block)
    free = [e for e in entities if e not in spoken] + [e for e in entities if e in spoken]
    for many in range(1, min(3, len(free)) + 1):
        for chosen in combinations(free, many):
            if everything <= settled(block, [*chosen, *keys]):
                return list(chosen)
    return free


def repeats(block: Block, entity: Entity) -> list[Entity]:
    """Entities for each of which one `entity` has a row of its own: a count counts it again."""
    known = settled(block, [entity, *block.identified, *block.named])
    return [other for other in row_entities(block) if id(other) not in known]


def only_between(block: Block, link: Link, entity: Entity) -> Link | None:
    """The link by which the same thing that `entity` refers to is referred to by another.

    Nothing else is said of that thing: "apartments in the same building as …".
    """
    hub = link.other(entity)
    if not link.functional or link.source is not entity or hub in block.carried:
        return None
    others = [k for k in block.every_link() if k is not link and hub in (k.left, k.right)]
    if len(others) != 1 or others[0] not in block.links or others[0].labels != link.labels:
        return None
    (other,) = others
    if not other.functional or other.target is not hub or other.source in (entity, *block.carried):
        return None
    exprs = [*block.conditions, *block.having, *(block.keys or ())]
    exprs += [i.expr for i in block.items] + [k.expr for k in block.order]
    exprs += [c for part in block.optional for c in part.conditions]
    return None if any(thing is hub for expr in exprs for thing in refs(expr)) else other


def single(block: Block) -> bool:
    """Whether the stage before kept one thing only."""
    before = block.previous
    return before is not None and before.limit == 1 and not before.once and len(block.carried) == 1


def row_nouns(block: Block | None) -> str:
    """The plural noun of what a block's rows are: "artworks", "combinations of a and b"."""
    if block is None:
        raise NotExpressible("count() outside of a query")
    if not block.every_entity():
        if block.previous is not None:
            return "results"
        raise NotExpressible("count() without a pattern")
    found = row_entities(block)
    if len(found) == 1:
        return plural(found[0].name)
    return f"combinations of {listing([entity.name for entity in found])}"


def ordered(items: list[ir.Item]) -> list[Entity]:
    """Entities that results speak of, in their order."""
    found = [e for item in items for e in refs(item.expr) if isinstance(e, Entity)]
    return list(dict.fromkeys(found))


def connected(block: Block) -> bool:
    """Whether links join all entities of a block."""
    entities = block.entities
    if not entities:
        return False
    together = {id(entity) for entity in block.carried}  # an earlier stage linked them
    reached = together or {id(entities[0])}
    grown = True
    while grown:
        grown = False
        for link in block.links:
            ends = {id(link.left), id(link.right)}
            if ends & reached and not ends <= reached:
                reached |= ends
                grown = True
    return all(id(entity) in reached for entity in entities)


def group_of(block: Block | None) -> str:
    """What things of one kind are that are counted in one order only: a pair, or more."""
    orders = [c for c in block.conditions if isinstance(c, Same) and c.ordered] if block else []
    return "such group" if len(orders) > 1 else "pair"
