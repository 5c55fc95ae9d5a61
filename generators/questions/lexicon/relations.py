"""Verb phrases for edges: how a sentence says that two things are linked, in both directions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from generators.questions.lexicon.nouns import is_person, spoken
from graphmill.english.inflection import a, is_plural, ordinal, plural
from graphmill.english.lists import word_map, word_set
from graphmill.english.names import is_agent
from graphmill.english.verbs import Verb, by_base, by_past, by_third, supposed
from schemagraph.naming import singular

_NO_VERBS = frozenset({"address", "addresses", "note", "notes", "photos", "files", "records"})
_BESIDE = {"adjacent": "to", "equivalent": "to", "similar": "to", "dependent": "on"}
_ANYBODY = frozenset({"person", "individual", "user", "human", "man", "woman"})
_ROLE_END = re.compile(r"(?:[^e]er|or|ist|ee|eer|ian)$")
_EVENT_END = re.compile(r"(?:[^u]ment|ing)$")
# Before these, a word in -s that is no known verb is one: FLOWS_INTO, unlike FRIENDS_WITH.
_MOVING = frozenset(
    {
        "across",
        "after",
        "against",
        "before",
        "from",
        "into",
        "onto",
        "over",
        "through",
        "to",
        "toward",
        "towards",
        "under",
    }
)


@dataclass(frozen=True, slots=True)
class Predicate:
    """What one end says of the other; `{}` is the other end.

    `relative` replaces "that <verb> {}" where the other end is the subject of the verb: "in which
    {} acted".
    """

    singular: str
    plural: str
    relative: str = ""

    def verb(self, *, plural: bool) -> str:
        """The verb phrase for a subject of this number."""
        return self.plural if plural else self.singular


def _is(rest: str) -> Predicate:
    return Predicate(f"is {rest}", f"are {rest}")


def _one_of(noun: str) -> Predicate:
    return Predicate(f"is {a(noun)} of {{}}", f"are {plural(noun)} of {{}}")


def _was(rest: str) -> Predicate:
    return Predicate(f"was {rest}", f"were {rest}")


def _has(rest: str) -> Predicate:
    return Predicate(f"has {rest}", f"have {rest}")


@dataclass(frozen=True, slots=True)
class EdgeWords:
    """How to speak of an edge type.

    `role` is what the target is to the source ("lender"); `noun` names the edge itself.
    """

    forward: Predicate
    backward: Predicate
    role: str = ""
    noun: str = "link"


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words chosen by people that replace those found by rule.

    `nouns`: label to singular noun. `properties`: (label, property) to noun phrase. `edges`:
    label, or name of the edge type, to what source says of target and target of source, for one
    subject and for many. `units`: (type, property) to the unit of its numbers.
    """

    nouns: Mapping[str, str] = field(default_factory=dict)
    properties: Mapping[tuple[str, str], str] = field(default_factory=dict)
    edges: Mapping[str, EdgeWords] = field(default_factory=dict)
    units: Mapping[tuple[str, str], str] = field(default_factory=dict)


def edge_words(label: str, source: str, target: str, *, reference: bool = False) -> EdgeWords:
    """Words for an edge label between two nouns; `reference` edges are many-to-one.

    >>> edge_words("ACTED_IN", "person", "movie").backward.relative
    'in which {} acted'
    >>> edge_words("HAS_LENDER", "loan", "museum").forward.singular
    'has {} as lender'
    >>> edge_words("FOLLOWS", "user", "user").backward.plural
    'are followed by {}'
    >>> edge_words("IN_CITY", "museum", "city").forward.plural
    'are in {}'
    """
    parts = spoken(label)
    if not parts:
        return _linked(label)
    if parts[0] in ("is", "are", "was") and len(parts) > 1:
        parts = parts[1:]
        if " ".join(parts) == target != source:  # IS_TOURIST_ATTRACTION
            each = Predicate("is {}", "are each {}")
            return EdgeWords(each, each)
    if parts[0] in ("has", "have"):
        return _having(role_words(parts[1:], source, target), source, target, reference=reference)
    if parts[0] in word_set("prepositions") and len(parts) > 1:
        return _preposed(parts, source, target)
    if len(parts) > 2 and parts[-2] in word_set("prepositions"):
        verbal = by_past(parts[0]) or by_third(parts[0])
        counted = target.removesuffix(" member").removesuffix(" item").split()[-1]
        if parts[-2] == "to" and by_base(parts[-1]) is not None:
            said = f"linked by “{' '.join(parts)}” to {{}}"  # REQUIRED_TO_FIX
            return EdgeWords(_is(said), _is(said), noun=f"“{' '.join(parts)}” record")
        if _named(parts[-1:], counted) or (len(parts) == 3 and verbal is not None):
            parts = parts[:-1]  # PRODUCED_IN_COUNTRY, CREATED_BY_USER of persons
    verb = by_third(parts[0]) or by_base(parts[0]) or by_past(parts[0])
    if len(parts) == 1 and verb is not None and verb.base in word_map("followed_by"):
        parts = [parts[0], word_map("followed_by")[verb.base]]
    words = _last_preposition(parts, source) or _verb(parts, source, target)
    if words is not None:
        return words
    if len(parts) == 1 and (parts[0] in _BESIDE or parts[0].endswith("ible")):
        beside = _is(f"{parts[0]} {_BESIDE.get(parts[0], 'with')} {{}}")  # COMPATIBLE
        return EdgeWords(beside, beside, noun=f"“{parts[0]}” link")
    noun = " ".join([*parts[:-1], singular(parts[-1])])
    if len(parts) > 1 and _named(parts[-1:], target.split()[-1]):
        return _role(noun)
    if parts[-1] in word_set("roles") or is_person(noun) or _does(parts[-1]):
        if is_person(source) and not is_person(target):
            # AUTHOR from a person to a paper: the person is the author.
            return EdgeWords(_one_of(noun), _has(f"{{}} as {noun}"), noun=f"{noun} entry")
        return _role(noun)
    return _linked(noun)


def is_event(noun: str) -> bool:
    """Whether a noun is for what happens or is noted down: it is for things, not theirs.

    >>> is_event("loan"), is_event("shipment"), is_event("apartment")
    (True, True, False)
    """
    last = noun.rpartition(" ")[2]
    if last in word_set("no_events"):
        return False
    return last in word_set("events") or bool(_EVENT_END.search(last))


def _does(word: str) -> bool:
    """Whether a word says who does something, by its end: a lender, no committee and no letter."""
    return bool(_ROLE_END.search(word)) and word not in word_set("no_roles")


def _acts(noun: str) -> bool:
    """Whether things of this kind give and send by themselves."""
    return is_person(noun) or noun.rpartition(" ")[2] in word_set("agents")


def deed(verb: Verb | None, parts: list[str]) -> str:
    """What one edge of a verb is: a transfer, a payment.

    >>> deed(by_past("transferred"), ["transferred", "to"]), deed(by_third("pays"), ["pays"])
    ('transfer', 'payment')
    """
    if verb is not None:
        if verb.base in word_map("deeds"):
            return word_map("deeds")[verb.base]
        if verb.base in word_set("also_nouns") and verb.base not in word_set("no_deeds"):
            return verb.base
    return f"“{' '.join(parts)}” record"


def _named(parts: list[str], noun: str) -> bool:
    """Whether the words are the noun itself."""
    return [singular(p).lower() for p in parts] == [singular(p).lower() for p in noun.split()]


def role_words(parts: list[str], source: str, target: str) -> list[str]:
    """What a reference calls its target, without sorts of tables, its owner, and the target's noun.

    Nothing is left of HAS_STAFF for a staff member; HAS_DRIVER_EMPLOYEE is the driver.
    """
    noun = target.removesuffix(" member").removesuffix(" item").removesuffix(" record").split()
    while len(parts) > 1 and parts[0] in word_set("table_sorts"):
        parts = parts[1:]
    own = source.removesuffix(" member").split()
    parts = [part for part in parts if part != "ID"] or parts
    if len(parts) > 1 and parts[-1] in ("is", "has"):
        parts = parts[:-1]
    if len(parts) > 1 and parts[-1].isdigit():
        parts = [ordinal(int(parts[-1])), *parts[:-1]]
    if len(parts) == 1 and len(parts[0]) == 1:
        return []
    if parts[: len(own)] == own and _named(parts[len(own) :], target):
        parts = parts[len(own) :]
    if _named(parts, " ".join(noun)) or _named(parts, " ".join(noun[-len(parts) :])):
        return []
    before = parts[: -len(noun)]
    if before and _named(parts[-len(noun) :], " ".join(noun)):
        acts = is_person(target) or _acts(target)
        if acts and (is_person(before[-1]) or is_agent(before[-1])):
            return before
    elif len(parts) == 1 and parts[0] in word_set("adjectives"):
        return [*parts, target]
    return parts


def _having(parts: list[str], source: str, target: str, *, reference: bool) -> EdgeWords:
    if not parts or _named(parts, target):
        if reference:
            if is_person(source) and target in ("person", "individual"):
                same = _is("recorded as {}")  # what is known of them as people
                return EdgeWords(same, same)
            held = target.split()[-1] in word_set("held") | word_set("workers")
            belongs_there = target.split()[-1] in word_set("groups") | word_set("places")
            held = held or (is_person(source) and not belongs_there)
            if held or target.endswith("staff member"):
                return EdgeWords(_has("{}"), _has("{}"))
            belongs = Predicate("belongs to {}", "belong to {}")
            return EdgeWords(_is("for {}") if is_event(source) else belongs, _has("{}"))
        belongs = Predicate("belongs to {}", "belong to {}")
        who = is_person(target) and target not in _ANYBODY
        if who or _does(target.split()[-1]):  # a supplier of a product
            belongs = _one_of(target)
        return EdgeWords(_has("{}"), belongs, noun=f"“has {target}” link")
    return _role(" ".join([*parts[:-1], singular(parts[-1])]), only=reference)


def _role(noun: str, *, only: bool = False) -> EdgeWords:
    mine = _is(f"the {noun} of {{}}") if only else _one_of(noun)
    return EdgeWords(_has(f"{{}} as {noun}"), mine, role=noun, noun=f"{noun} entry")


def _linked(noun: str) -> EdgeWords:
    one = a(noun) if a(noun) != noun or is_plural(noun) else a(f"{noun} entry")  # stock
    by = f"linked by {one} to {{}}"
    return EdgeWords(_is(by), _is(by), noun=noun)


def _preposed(parts: list[str], source: str, target: str) -> EdgeWords:
    """IN_CITY, OF_INVOICE, FROM_STATION, IN_HOME_CITY."""
    preposition, rest = parts[0], parts[1:]
    if not _named(rest, target):
        if preposition in ("at", "on", "under") and not (
            rest[-1] in word_set("roles") | word_set("places") or rest[-1] == target.split()[-1]
        ):
            said = " ".join(parts)  # ON_CALL, UNDER_CONTRACT
            return EdgeWords(
                _is(f"{said} for {{}}"), Predicate("", "", f"for which {{}} is {said}")
            )
        return _role(" ".join([*rest[:-1], singular(rest[-1])]))
    if preposition == "of":
        belongs = Predicate("belongs to {}", "belong to {}")
        return EdgeWords(_is("for {}") if is_event(source) else belongs, _has("{}"))
    if preposition in ("in", "at", "on", "with", "within", "under", "inside"):
        return EdgeWords(_is(f"{preposition} {{}}"), _has("{}"))
    return EdgeWords(_is(f"{preposition} {{}}"), _is(f"linked by “{' '.join(parts)}” to {{}}"))


def _last_preposition(parts: list[str], source: str) -> EdgeWords | None:
    """REPORTS_TO, CREATED_BY, ACTED_IN, LOCATED_IN, FRIEND_OF."""
    preposition = parts[-1]
    if preposition not in word_set("prepositions") or len(parts) < 2:
        return None
    head, middle = parts[0], " ".join(parts[1:-1])
    tail = f"{middle} {preposition}".strip()
    past = by_past(head)
    verb = by_third(head) or (by_base(head) if head not in word_set("also_nouns") else None)
    if verb is None and preposition in _MOVING and len(parts) == 2:
        verb = supposed(head)
    moved = by_base(head) if head in word_set("moved") and len(parts) == 2 else None
    if moved is not None and preposition in {*_MOVING, "via"} and not _acts(source):
        past, verb = moved, None  # SHIP_VIA
    done = _done_to(parts[:-1], source) if preposition == "by" else None
    if done is not None:
        return done
    which = f"{preposition} which {{}}" if preposition != "by" else "by which {}"
    name = deed(verb or past, parts)
    if past is not None and (verb is None or verb.base != head or past.past == past.base):
        if preposition == "by" and not middle:
            return EdgeWords(
                _was(f"{past.participle} by {{}}"),
                Predicate(f"{past.past} {{}}", f"{past.past} {{}}"),
                noun=name,
            )
        giving = preposition == "to" and past.base in word_set("giving") and _acts(source)
        if past.active or giving:
            said = f"{past.past} {tail} {{}}"
            relative = f"{which} {past.past} {middle}".strip()
            return EdgeWords(Predicate(said, said), Predicate("", "", relative), noun=name)
        then = past.base == "bear"  # one is born once
        said = f"{past.participle} {tail} {{}}"
        be = "was" if then else "is"
        return EdgeWords(
            _was(said) if then else _is(said),
            Predicate("", "", relative=f"{which} {be} {past.participle} {middle}".strip()),
            noun=name,
        )
    if verb is not None:
        relative = f"{which} {verb.third} {middle}".strip()
        return EdgeWords(
            Predicate(f"{verb.third} {tail} {{}}", f"{verb.base} {tail} {{}}"),
            Predicate("", "", relative=relative),
            noun=name,
        )
    if head.endswith("ing") and len(parts) == 2:
        return EdgeWords(
            _is(f"{head} {tail} {{}}"),
            Predicate("", "", relative=f"{which} is {head}"),
            noun=name,
        )
    noun = " ".join(parts[:-1])
    if noun == "part" and preposition == "of":
        return EdgeWords(_is("part of {}"), _has("{} as a part"), noun="part entry")
    if preposition == "of":
        return EdgeWords(_one_of(noun), _has(f"{{}} as {a(noun)}"), noun=f"{noun} entry")
    if noun in word_set("adjectives"):  # VALID_ON
        said = f"{preposition} which {{}} is {noun}"
        return EdgeWords(_is(f"{noun} {tail} {{}}"), Predicate("", "", said))
    return EdgeWords(
        _has(f"{a(noun)} {preposition} {{}}"),
        Predicate("", "", relative=f"{which} has {a(noun)}"),
        noun=noun,
    )


def _done_to(parts: list[str], source: str) -> EdgeWords | None:
    """DESTRUCTION_AUTHORISED_BY: what was done to something that the source has."""
    if len(parts) < 2 or parts[-1] in word_set("adjectives"):
        return None
    verb, noun = by_past(parts[-1]), " ".join(parts[:-1])
    if verb is None or by_past(parts[0]) is not None:
        return None
    its = "their" if is_person(source) else "its"
    return EdgeWords(
        Predicate(
            f"had {its} {noun} {verb.participle} by {{}}",
            f"had their {noun} {verb.participle} by {{}}",
        ),
        Predicate(f"{verb.past} the {noun} of {{}}", f"{verb.past} the {noun} of {{}}"),
        noun=f"{noun} entry",
    )


def _verb(parts: list[str], source: str, target: str) -> EdgeWords | None:
    """FOLLOWS, DIRECTED, OWNS_ACCOUNT, KNOW."""
    head, rest = parts[0], parts[1:]
    if rest and not _named(rest, target):
        return None
    if head in _NO_VERBS:
        return None
    third, past = by_third(head), by_past(head)
    people_do = is_person(source) and head in word_set("people_do")
    base = by_base(head) if people_do or head not in word_set("also_nouns") else None
    verb = third or base
    if verb is not None and not verb.intransitive and (past is None or head != past.past):
        return EdgeWords(
            Predicate(f"{verb.third} {{}}", f"{verb.base} {{}}"),
            _is(f"{verb.participle} by {{}}"),
            noun=deed(verb, parts),
        )
    if past is not None and past.base in word_set("giving") and not _acts(source):
        return EdgeWords(
            _was(f"{past.participle} to {{}}"),
            Predicate("", "", f"to which {{}} was {past.participle}"),
            noun=deed(past, parts),
        )
    if past is not None and not past.intransitive and not is_plural(head):
        return EdgeWords(
            Predicate(f"{past.past} {{}}", f"{past.past} {{}}"),
            _was(f"{past.participle} by {{}}"),
            noun=deed(past, parts),
        )
    return None
