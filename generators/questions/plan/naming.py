"""What a sentence calls each entity, so that "the lender" and "the borrower" are told apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from generators.questions.plan.cardinality import ordered, row_entities
from generators.questions.plan.model import (
    Block,
    Entity,
    EntityRef,
    Inner,
    Link,
    Same,
    Scalar,
    refs,
)
from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from graph_ir.walk import descend
from graphmill.english.inflection import ordinal, plural


def name_all(block: Block, taken: Iterable[Entity] = ()) -> None:
    """Give every entity and link of a block, and of its subqueries, a name of its own."""
    earlier = list(taken)
    if block.previous is not None:
        name_all(block.previous, earlier)
        earlier += block.carried
    own = _by_weight(block, [e for e in block.every_entity() if e not in block.carried])
    links = block.every_link()
    roles = {
        id(link.target): link.words.role
        for link in links
        if link.words.role and link.edge.hops is None
    }
    used = {entity.name for entity in earlier}
    for entity in own:
        role = roles.get(id(entity), "")
        entity.role = role if list(roles.values()).count(role) == 1 else ""
        alike = [e for e in own if e.noun == entity.noun]
        alone = len(alike) == 1 and entity.noun not in used
        wished = entity.noun if alone or not entity.role else entity.role
        if not entity.var and entity.noun in used and wished in used:
            entity.name = _free(wished, entity.noun, used)  # never spoken of again
            continue
        before = [*earlier, *own[: own.index(entity)]]
        before = [e for e in before if e.noun == entity.noun]
        if wished in used and before and not any(_differ(block, entity, e) for e in before):
            entity.vague = not _spoken_of(block, entity)
            if entity.vague and not _asked_first(block, before):
                entity.vague, wished = False, f"second {entity.noun}"
            shown = any(_shows(item.expr, entity) for item in block.items)
            ends = [{link.left, link.right} for link in block.every_link()]
            shown = shown and not any({entity, e} in ends for e in before)
            shown = shown and f"other {entity.noun}" not in used
            wished = f"second {entity.noun}" if shown and not entity.vague else wished
        entity.name = _free(wished, entity.noun, used)
        if not entity.vague:
            used.add(entity.name)
    spoken = _spoken_links(block)
    for link in links:
        same = [k for k in links if k.words.noun == link.words.noun]
        told = [k for k in same if any(k is t for t in spoken)]
        link.numbered = len(same) > 1 and link in told
        which = f"{ordinal(told.index(link) + 1)} " if link.numbered else ""
        link.name = f"{which}{link.words.noun}"
    inside = [*block.conditions, *block.having, *(item.expr for item in block.items)]
    inside += [key.expr for key in block.order]
    for part in block.optional:
        inside += part.conditions
    for expr in inside:
        for found in subplans(expr):
            name_all(found, [*earlier, *own])


def _by_weight(block: Block, entities: list[Entity]) -> list[Entity]:
    """What is asked about first, then what is linked to it, as near as it is: what a sentence comes
    to first gets the plain name."""
    asked = [t for key in block.keys or () for t in refs(key) if isinstance(t, Entity)]
    about = ordered(block.items)
    if not asked and len(about) != 1 and block.entities:
        rows = row_entities(block, optional=False, within_group=False)
        asked = ([e for e in about if e in rows] or rows)[:1]
    asked += about
    found = [e for e in dict.fromkeys(asked) if e in entities] or entities[:1]
    links = block.every_link()
    far = {id(found[0]): 0} if found else {}
    reached = found[:1]
    for entity in reached:
        ends = [k.other(entity) for k in links if entity in (k.left, k.right)]
        ends = sorted(dict.fromkeys(ends), key=lambda end: end not in found)
        for end in ends:
            if id(end) not in far and end in entities:
                far[id(end)] = far[id(entity)] + 1
                reached.append(end)
    found = list(dict.fromkeys([*reached, *found, *entities]))
    return sorted(found, key=lambda entity: entity not in block.entities)  # then what may miss


def _differ(block: Block, one: Entity, two: Entity) -> bool:
    """Whether two things of one kind are surely not the same: conditions or edges tell them apart.

    No two edges of a MATCH are the same, and few things are linked to themselves.
    """
    links = block.every_link()
    if any({one, two} == {k.left, k.right} and k.edge.hops is None for k in links):
        return True
    for link in links:
        for other in links:
            ends = (link.source is one and other.source is two and link.target is other.target) or (
                link.target is one and other.target is two and link.source is other.source
            )
            if ends and link.labels == other.labels and link.clause == other.clause:
                return True
    values: dict[tuple[Entity, str], list[ir.Expr]] = {}
    for condition in block.conditions:
        about = [thing for thing in refs(condition) if thing is one or thing is two]
        match condition:
            case Same():
                if {condition.one, condition.two} == {one, two}:
                    return True
            case ir.Compare(ir.CompareOp.EQ, ir.Prop(EntityRef(entity=e), key), ir.Literal() as v):
                values.setdefault((e, key), []).append(v)
            case ir.Compare(op) if len(set(about)) > 1 and op in _STRICT:
                return True
    keys = [key for e, key in values if e is one]
    return (
        _before(block, one, two)
        or _before(block, two, one)
        or any(values[one, k] != values[two, k] for k in keys if (two, k) in values)
    )


def _before(block: Block, one: Entity, two: Entity) -> bool:
    """Whether conditions order one thing before the other, if over things between them."""
    steps: list[tuple[Entity, Entity, str]] = []
    for condition in block.conditions:
        match condition:
            case ir.Compare(
                ir.CompareOp.LT | ir.CompareOp.GT as op,
                ir.Prop(EntityRef(entity=left), key),
                ir.Prop(EntityRef(entity=right), same),
            ) if key == same:
                first, last = (left, right) if op is ir.CompareOp.LT else (right, left)
                steps.append((first, last, key))
    for key in dict.fromkeys(key for *_, key in steps):
        met = [one]
        for here in met:
            met += [b for a, b, k in steps if k == key and a is here and b not in met]
        if two in met:
            return True
    return False


def _asked_first(block: Block, things: list[Entity]) -> bool:
    """Whether of these things only those that the rows are about are shown as results."""
    rows = row_entities(block, optional=False, within_group=False)
    main = next((e for e in ordered(block.items) if e in rows), None)
    shown = [e for e in things if any(_shows(item.expr, e) for item in block.items)]
    return all(e is main for e in shown)


def _shows(expr: ir.Expr, entity: Entity) -> bool:
    """Whether a result is of the one thing, and no figure of many."""
    return not has_aggregate(expr) and any(thing is entity for thing in refs(expr))


_STRICT = (ir.CompareOp.NE, ir.CompareOp.LT, ir.CompareOp.GT)


def _spoken_of(block: Block, entity: Entity) -> bool:
    """Whether a sentence must come back to the entity after it was introduced."""
    if sum(entity in (link.left, link.right) for link in block.every_link()) != 1:
        return True
    return mentioned(block, entity)


def mentioned(block: Block, entity: Entity) -> bool:
    """Whether results or conditions on several things speak of the entity."""
    exprs = [*block.having, *(block.keys or ()), *(i.expr for i in block.items)]
    exprs += [key.expr for key in block.order]
    exprs += [c for part in block.optional for c in part.conditions]
    own = block.every_entity()
    exprs += [c for c in block.conditions if len({t for t in refs(c) if t in own}) > 1]
    return any(thing is entity for expr in exprs for thing in refs(expr))


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
    if entity.vague:
        return entity.noun
    if entity.name.startswith("other "):
        return f"another {entity.noun}"
    first, _, rest = entity.name.partition(" ")
    if rest == entity.noun and first in _COUNTED:
        return f"a {entity.name}"
    return entity.noun


def in_order(block: Block, say: Callable[[], str]) -> str:
    """What `say` says, things of one kind named as they come: another one is never the first."""
    groups: dict[str, list[Entity]] = {}
    for entity in dict.fromkeys(_all_entities(block)):
        if not entity.vague:
            groups.setdefault(entity.noun, []).append(entity)
    for _ in range(_TRIES):
        text = say()  # which orders its clauses by what they introduce
        if _unasked_roles(list(dict.fromkeys(_all_entities(block))), text):
            continue
        moved = [_as_they_come(noun, group, text) for noun, group in groups.items() if group[1:]]
        if not any(moved):
            return text
    return say()


def _unasked_roles(entities: list[Entity], text: str) -> bool:
    """Take the names of roles back that no clause introduces: "artists, … the teacher's name"."""
    told = _QUOTED.sub("", text)
    found = False
    for entity in entities:
        role = entity.role
        if not role or entity.name != role or role == entity.noun:
            continue
        first = re.search(rf"\bthe {role}\b(?! of)", told)
        given = rf"\b(?:as|an?|another|no|with|{entity.noun}'s) (?:\w+ )?{role}\b"
        if re.search(given, told[: first.start()] if first else told) is None:
            plain = next((other for other in entities if other.name == entity.noun), None)
            entity.role, entity.name, found = "", entity.noun, True
            if plain is not None:
                plain.name = _free(entity.noun, entity.noun, {other.name for other in entities})
    return found


def _all_entities(block: Block) -> Iterator[Entity]:
    """The entities of a block, of its earlier stages and of its subqueries."""
    yield from block.every_entity()
    for condition in block.conditions:
        for inner in subplans(condition):
            yield from _all_entities(inner)
    if block.previous is not None:
        yield from _all_entities(block.previous)


def _as_they_come(noun: str, group: list[Entity], text: str) -> bool:
    """Give the names of a group anew where the text has them in another order."""
    ranks = {name: place for place, name in enumerate((noun, f"other {noun}"))}
    ranks |= {f"{ordinal(n)} {noun}": n - 1 for n in range(3, 20)}
    named = {entity.name: entity for entity in group}
    roles = [name for name in named if name not in ranks]
    if len(named) < len(group) or roles:
        return len(roles) == 1 and _after_role(noun, roles[0], named, text)
    met: list[str] = []
    for found in re.finditer(rf"(?:\b(\w+) )?\b(?:{noun}|{plural(noun)})\b", _QUOTED.sub("", text)):
        before = "other" if found[1] == "another" else found[1]
        name = f"{before} {noun}" if f"{before} {noun}" in ranks else noun
        if name in named and name not in met:
            met.append(name)
    all_met = len(met) == len(group)
    wished = list(ranks)[: len(met)] if all_met else sorted(met, key=ranks.__getitem__)
    if met == wished:
        return False
    for old, new in zip(met, wished, strict=True):
        named[old].name = new
    return True


def _after_role(noun: str, role: str, named: dict[str, Entity], text: str) -> bool:
    """Call one the other where the first of its kind to come has a role: "as editor a person"."""
    first = re.search(rf"\b(?:{noun}|{plural(noun)})\b", _QUOTED.sub("", text))
    if first is None or noun not in named:
        return False
    if not re.search(rf"\bas {role} an? $", _QUOTED.sub("", text)[: first.start()]):
        return False
    later = [noun, f"other {noun}", *(f"{ordinal(n)} {noun}" for n in range(3, len(named) + 2))]
    for before, after in reversed(list(pairwise(later))):
        if before in named:
            named[before].name = after
    return True


def sole(
    link: Link, noun: str, block: Block, nouns: Callable[[Iterable[str], str], set[str]]
) -> bool:
    """Whether a property of a link without a noun of its own needs no owner to be clear.

    `nouns` are what the properties of things of some types are called, given their noun.
    """
    if not link.words.noun.endswith((" entry", "” link")) or link.numbered or noun in _BARE:
        return False
    others = [(e.types, e.noun) for e in block.every_entity()]
    others += [(k.labels, "") for k in block.every_link() if k is not link]
    return not any(noun in nouns(types, owner) for types, owner in others)


def another(entity: Entity, subquery: Block) -> bool:
    """Whether a condition tells it from one of its kind outside: "no other exhibition".

    No exhibition closes before itself.
    """
    for condition in subquery.conditions:
        match condition:
            case ir.Compare(
                ir.CompareOp.LT | ir.CompareOp.GT | ir.CompareOp.NE,
                ir.Prop(EntityRef(entity=left), key),
                ir.Prop(EntityRef(entity=right), same),
            ) if key == same and left.types == right.types and entity in (left, right):
                outer = right if entity is left else left
                if not any(outer is inner for inner in subquery.entities):
                    return True
    return False


_TRIES = 3
_BARE = frozenset({"date", "time", "year"})  # of what, nobody would know
_QUOTED = re.compile(r'"[^"]*"')
_COUNTED = frozenset(ordinal(number) for number in range(2, 20))
