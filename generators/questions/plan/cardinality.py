"""What one row of a block stands for: which things a count counts."""

from __future__ import annotations

from itertools import combinations

from generators.questions.plan.model import Block, Entity, refs


def settled(block: Block, known: list[Entity]) -> set[int]:
    """Ids of the entities that `known` ones settle through many-to-one links."""
    ids = {id(entity) for entity in known}
    links = [link for link in block.every_link() if link.functional]
    grown = True
    while grown:
        grown = False
        for link in links:
            if id(link.source) in ids and id(link.target) not in ids:
                ids.add(id(link.target))
                grown = True
    return ids


def grouped_by(block: Block) -> list[Entity]:
    """Entities that the grouping keys speak of, whether they settle them or not."""
    entities = [e for key in block.keys or () for e in refs(key) if isinstance(e, Entity)]
    return list(dict.fromkeys(entities))


def row_entities(block: Block, *, optional: bool = True, within_group: bool = True) -> list[Entity]:
    """The entities that together tell one row of a block from another, given its keys.

    A name is taken to identify where no other key leaves one kind of thing to count.
    """
    entities = block.every_entity() if optional else block.entities
    if not within_group:
        return _telling(block, entities, [])
    identifying = _telling(block, entities, [e for e in block.identified if e in entities])
    if len(identifying) > 1 and block.named:
        known = [e for e in (*block.identified, *block.named) if e in entities]
        by_name = _telling(block, entities, known)
        identifying = by_name if len(by_name) == 1 else identifying
    return identifying


def _telling(block: Block, entities: list[Entity], keys: list[Entity]) -> list[Entity]:
    everything = {id(entity) for entity in entities}
    spoken = grouped_by(block)
    free = [e for e in entities if e not in spoken] + [e for e in entities if e in spoken]
    for many in range(1, min(3, len(free)) + 1):
        for chosen in combinations(free, many):
            if everything <= settled(block, [*chosen, *keys]):
                return list(chosen)
    return free


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
