"""Pieces of descriptions: verb phrases filled in, clauses listed, conditions made one."""

from __future__ import annotations

import re

from generators.questions.lexicon.nouns import is_person
from generators.questions.lexicon.relations import Predicate
from generators.questions.plan.model import Entity, EntityRef, Link, LinkRef, Range, TrailRef
from generators.questions.plan.wording import constant
from graph_ir import nodes as ir
from graph_ir.walk import find
from graphmill.english.inflection import a, listing

# Marks of verb phrases, which follow "that", and of relative clauses, which stand alone.
VERB, RELATIVE = "\0", "\1"
MARKS = VERB + RELATIVE

INSIDE = re.compile(
    r"whose .* (?:whose|who|which|whom) |whose .* all .* (?:that|with|in|called|of the) "
)


def same_one(predicate: Predicate, noun: str, *, brief: bool) -> Predicate | None:
    """A predicate about the same thing as that of another: "has the same owner as {}".

    What has a role is named, too, unless it is to be `brief`: "has as owner the same person as {}".
    """
    if predicate.relative or not predicate.singular.endswith(" {}"):
        have, _, role = predicate.singular.partition(" {} as ")
        if have != "has" or not role:
            return None
        plain = role.removeprefix("a ").removeprefix("an ")
        if not brief and plain.split()[-1] != noun.split()[-1]:
            return Predicate(*(f"{h} as {role} the same {noun} as {{}}" for h in ("has", "have")))
        noun = plain
        predicate = Predicate("has {}", "have {}")
    same = f"the same {noun} as {{}}"
    return Predicate(predicate.singular.format(same), predicate.plural.format(same))


def apart(clauses: list[str]) -> str:
    """Clauses as a list; a comma parts two of which the first compares with other things."""
    if len(clauses) == 2 and INSIDE.match(clauses[0]):
        return f"{clauses[0]}, and {clauses[1]}"
    return listing(clauses)


def either(text: str) -> bool:
    """Whether a clause offers alternatives, to which what follows could seem to belong."""
    return text.startswith(("for which either ", "for whom either "))


def crowded(text: str) -> bool:
    """Whether a clause holds so many others that what follows it could seem theirs."""
    return len(re.findall(r" (?:that|who|whose|which|whom) ", text)) > 2


def later(text: str) -> int:
    """How late a clause comes by what it introduces: after "a book" comes "another book"."""
    first = re.search(r"\b(another|an?) (second|third|fourth|fifth)?", text)
    if first is None:
        return 0
    return 1 if first[1] == "another" or first[2] == "second" else 2 if first[2] else 0


def in_turn(clauses: list[str]) -> list[str]:
    """Clauses in an order in which "the other book" comes after "another book".

    >>> in_turn(["that cite the other book", "that won", "that are cited by another book"])
    ['that are cited by another book', 'that cite the other book', 'that won']
    """
    found = list(clauses)
    for clause in clauses:
        for named in _DEFINITE.finditer(clause):
            first = r"another" if named[1] == "other" else rf"a {named[1]}"
            opening = re.compile(rf"\b{first} {named[2]}\b")
            if opening.search(clause[: named.start()]):
                continue
            here = found.index(clause)
            source = next((c for c in found[here + 1 :] if opening.search(c)), None)
            if source is not None and not any(opening.search(c) for c in found[:here]):
                found.remove(source)
                found.insert(here, source)
    return found


_DEFINITE = re.compile(r"\bthe (other|second|third|fourth|fifth) (\w+)")


def aside(link: Link, *, apart: bool = True) -> str:
    """What is said of a link in brackets: " (the first transfer, in either direction)".

    `apart`: the link is told apart from others, where there are some.
    """
    said = [f"the {link.name}"] if link.numbered and apart else []
    if link.edge.direction is ir.Direction.BOTH and link.edge.hops is None and link.edge.types:
        said.append("in either direction")
    return f" ({', '.join(said)})" if said else ""


def gathers(condition: ir.Expr) -> bool:
    """Whether a condition speaks of a path, which `rest` says."""
    return any(True for _ in find(condition, TrailRef))


def fill(predicate: Predicate, other: str, link: Link, entity: Entity, *, many: bool) -> str:
    """The verb phrase with the other end in it; relative clauses are marked."""
    if predicate.relative:
        return RELATIVE + relative(predicate, entity).format(other)
    verb = verb_about(predicate, link.other(entity).noun, many=many)
    if said := denied(verb, other):
        return said
    have, _, role = verb.partition(" {} as ")
    if role and have in ("has", "have"):
        short = _as_role(other, role, link.other(entity).noun)
        if short:
            return f"{have} {short}"
        if other.count(" ") > 2:
            return f"{have} as {role} {other}"
    return verb.format(other)


def verb_about(predicate: Predicate, noun: str, *, many: bool) -> str:
    """The verb phrase about things called `noun`: no "reviews as review"."""
    verb = predicate.verb(plural=many)
    return verb.removesuffix(f" as {noun}") if verb.endswith(f" {{}} as {noun}") else verb


def denied(verb: str, other: str) -> str:
    """ "are not linked by a report to any event" for "are linked … to no event"; "" for others."""
    be, _, rest = verb.partition(" ")
    if be not in ("is", "are", "was", "were") or not other.startswith("no "):
        return ""
    thing = other.removeprefix("no ")
    if rest in ("{}", "each {}"):
        return f"{be} not {a(thing)}"
    return f"{be} not {rest.format(f'any {thing}')}"


def relative(predicate: Predicate, entity: Entity) -> str:
    """The relative clause about a thing or a person: "to which {} reports", "to whom …"."""
    said = predicate.relative
    return re.sub(r"\bwhich\b", "whom", said, count=1) if is_person(entity.noun) else said


def _as_role(other: str, role: str, noun: str) -> str:
    """ "a birth city whose …" for "a city whose … as birth city"."""
    bare = role.removeprefix("a ").removeprefix("an ")
    determiner, _, rest = other.partition(" ")
    if bare.split()[-1] != noun.split()[-1] or determiner not in ("a", "an", "no"):
        return ""
    if not rest.startswith(noun):
        return ""
    if noun.endswith(f" {bare}"):
        return other  # a premium payment as payment
    named = f"no {bare}" if determiner == "no" else a(bare)
    return f"{named}{rest[len(noun) :]}"


def merged(conditions: list[ir.Expr]) -> list[ir.Expr]:
    """Conditions with `lo <= x` and `x <= hi`, or `x < hi`, made one."""
    found: list[ir.Expr] = []
    for condition in conditions:
        place = next((n for n, c in enumerate(found) if _bounds(c, condition) is not None), None)
        if place is None:
            found.append(condition)
        else:
            whole = _bounds(found[place], condition)
            assert whole is not None  # noqa: S101 - that is how the place was found
            found[place] = whole
    return found


def _bounds(one: ir.Expr, two: ir.Expr) -> Range | None:
    """The range that two bounds of one thing make; half open ones only of moments."""
    for low, high in ((one, two), (two, one)):
        match low, high:
            case (
                ir.Compare(ir.CompareOp.GE, subject, lo),
                ir.Compare(ir.CompareOp.LE | ir.CompareOp.LT as op, other, hi),
            ) if same(subject, other):
                bounds = constant(lo), constant(hi)
                if bounds[0] is None or bounds[1] is None:
                    return None
                if op is ir.CompareOp.LE:
                    return Range(subject, lo, hi)
                if bounds[0].timely and bounds[1].timely:
                    return Range(subject, lo, hi, open=True)
    return None


def same(one: ir.Expr, other: ir.Expr) -> bool:
    """Whether two resolved expressions are the same property of the same thing."""
    match one, other:
        case ir.Prop(base, key), ir.Prop(base2, key2):
            return key == key2 and same(base, base2)
        case EntityRef(entity=entity), EntityRef(entity=other_entity):
            return entity is other_entity
        case LinkRef(link=link), LinkRef(link=other_link):
            return link is other_link
        case ir.Call(name, args), ir.Call(name2, args2):
            return name == name2 and len(args) == len(args2) and all(map(same, args, args2))
    return one == other


def subject_of(test: ir.In | ir.IsNull) -> ir.Expr:
    """What IN and IS NULL are said of."""
    if isinstance(test, ir.IsNull):
        return test.arg
    return test.list if isinstance(test.list, ir.Prop) else test.item


def base_of(expr: ir.Expr) -> Entity | Link | None:
    match expr:
        case ir.Prop(EntityRef(entity=entity), _):
            return entity
        case ir.Prop(LinkRef(link=link), _):
            return link
    return None


def stripped(condition: ir.Expr) -> tuple[bool, ir.Expr]:
    negated = False
    while isinstance(condition, ir.Not):
        negated, condition = not negated, condition.arg
    return negated, condition
