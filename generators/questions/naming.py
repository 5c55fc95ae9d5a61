"""What a sentence calls each entity, so that "the lender" and "the borrower" are told apart."""

from __future__ import annotations

from collections.abc import Iterable

from generators.questions.english import ordinal
from generators.questions.plan import Block, Entity, Inner, Link, Scalar, refs
from graph_ir import nodes as ir
from graph_ir.walk import descend


def name_all(block: Block, taken: Iterable[Entity] = ()) -> None:
    """Give every entity and link of a block, and of its subqueries, a name of its own."""
    earlier = list(taken)
    if block.previous is not None:
        name_all(block.previous, earlier)
        earlier += block.carried
    own = [e for e in block.every_entity() if e not in block.carried]
    links = block.every_link()
    roles = {
        id(link.target): link.words.role
        for link in links
        if link.words.role and link.edge.hops is None
    }
    used = {entity.name for entity in earlier}
    for entity in own:
        entity.role = roles.get(id(entity), "")
        alike = [e for e in own if e.noun == entity.noun]
        alone = len(alike) == 1 and entity.noun not in used
        wished = entity.noun if alone or not entity.role else entity.role
        if not entity.var and entity.noun in used and wished in used:
            entity.name = f"other {entity.noun}"  # never spoken of again
            continue
        entity.name = _free(wished, entity.noun, used)
        used.add(entity.name)
    spoken = _spoken_links(block)
    for link in links:
        same = [k for k in links if k.words.noun == link.words.noun]
        link.numbered = len(same) > 1 and any(k is t for k in same for t in spoken)
        which = f"{ordinal(same.index(link) + 1)} " if link.numbered else ""
        link.name = f"{which}{link.words.noun}"
    inside = [*block.conditions, *block.having, *(item.expr for item in block.items)]
    inside += [key.expr for key in block.order]
    for part in block.optional:
        inside += part.conditions
    for expr in inside:
        for found in subplans(expr):
            name_all(found, [*earlier, *own])


def _spoken_links(block: Block) -> list[Link]:
    """Links that conditions or results speak of."""
    exprs = [*block.conditions, *block.having, *(i.expr for i in block.items)]
    exprs += [key.expr for key in block.order]
    exprs += [c for part in block.optional for c in part.conditions]
    return [thing for expr in exprs for thing in refs(expr) if isinstance(thing, Link)]


def subplans(expr: ir.Node) -> list[Block]:
    """Blocks of the subqueries directly inside an expression."""
    found: list[Block] = []
    for node in descend(expr):
        if isinstance(node, Inner | Scalar):
            found.append(node.block)
    return found


def _free(wished: str, noun: str, used: set[str]) -> str:
    if wished not in used:
        return wished
    if f"other {noun}" not in used:
        return f"other {noun}"
    number = 3
    while f"{ordinal(number)} {noun}" in used:
        number += 1
    return f"{ordinal(number)} {noun}"


def introduced(entity: Entity) -> str:
    """The entity's noun where it is mentioned first: "another museum" for "other museum"."""
    if entity.name.startswith("other "):
        return f"another {entity.noun}"
    first, _, rest = entity.name.partition(" ")
    if rest == entity.noun and first in _COUNTED:
        return f"a {entity.name}"
    return entity.noun


_COUNTED = frozenset(ordinal(number) for number in range(3, 20))
