"""Things by their names: "Ann Lee", "the customer Ann Lee", "order 10248"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generators.questions.author import NoWording
from generators.questions.goals.model import Test, Thing
from generators.questions.lexicon.derive.data import kind_of
from generators.questions.lexicon.model import Lexicon, Property, Role, ThingKind
from generators.questions.phrases.tree import NP
from generators.questions.realise.conditions.options import Form
from generators.questions.realise.conditions.values import has_plain_words, proper, value_text
from generators.questions.realise.pieces import of_owner
from graphmill.english.lists import word_set

type _Label = tuple[str, str]  # a name, maybe with its noun, and its article

TELLING = frozenset({ThingKind.PERSON, ThingKind.ORGANISATION, ThingKind.PLACE})
_SITES = TELLING - {ThingKind.PERSON}
_BY_NUMBER = frozenset(
    {
        *(ThingKind.TRANSACTION, ThingKind.DOCUMENT, ThingKind.THING, ThingKind.PRODUCT),
        *(ThingKind.VEHICLE, ThingKind.WORK, ThingKind.RECORD),
    }
)  # what people know by its number: an order, a room, a part
_MARKS = frozenset("§*†‡^|~<>{}[]")  # what lists put beside names
_BEHIND = frozenset(
    {
        *("department", "division", "faculty", "office", "team", "committee"),
        *("basin", "catchment", "subbasin", "watershed"),  # called as their rivers are
    }
)
_UNITS = frozenset(
    {
        *("branch", "campus", "clinic", "depot", "district", "office", "region", "station"),
        "warehouse",
    }
)  # which short names of letters stand before: "the Blackburn branch"
_PLACES = word_set("places") - {"area", "location", "neighborhood", "neighbourhood", "place"}
_TITLED = frozenset(["party", "award", "prize", "cup", "festival", "championship", "line", "river"])
_FEW = 3  # words from which on a name stands before no noun


@dataclass(frozen=True, slots=True)
class _Name:
    """A name as it is written, and the noun and kind of what it names.

    `whole`: it needs its noun, as no verb says what is named.
    """

    text: str
    noun: str
    kind: ThingKind
    form: Form
    whole: bool

    @property
    def coded(self) -> bool:
        """Whether it has digits."""
        return any(map(str.isdigit, self.text))

    @property
    def before_noun(self) -> bool:
        """Whether it is short and its noun one that names stand before."""
        return self.noun in _BEHIND and not self.coded and len(self.text.split()) < _FEW


def named(
    thing: Thing, noun: str, lexicon: Lexicon, form: Form, *, whole: bool
) -> tuple[NP, float]:
    """A thing by its name, with what that costs; `whole`: the name needs its noun.

    Raises:
        NoWording: nobody knows it by that name.
    """
    words = lexicon.thing(thing.type)
    order = list(words.name) if words is not None else []
    tests = sorted(thing.name, key=lambda t: order.index(t.key) if t.key in order else 0)
    kind = words.kind if words is not None else ThingKind.THING
    prop = lexicon.property(tests[0].owner, tests[0].key)
    if prop is not None and prop.kind in (Role.KEY, Role.CODE) and tests[0].key not in order:
        (label, det), cost = _by_code(tests[0], prop, noun, kind, form), 1.0
    else:
        name = _Name(_written(tests, noun, kind), noun, kind, form, whole)
        if _is_numbered(tests):
            label, det, cost = f"{noun} {name.text}", "", 0.3
        else:
            labels = (rule(name) for rule in _LABELS)
            (label, det), cost = next(each for each in labels if each is not None), 0.0
    return NP(label, label, det=det, who=kind is ThingKind.PERSON, atoms=tuple(tests)), cost


def _by_code(test: Test, prop: Property, noun: str, kind: ThingKind, form: Form) -> _Label:
    """ "Order 10248", "the person with the ID 12"."""
    by_row = prop.kind is Role.KEY and kind not in _BY_NUMBER
    if by_row and f"{test.values[0].value}".isdigit():
        raise NoWording("a thing by its row", f"Nobody knows a {noun} by its number.")
    code = value_text(test.values[0], prop)
    if code.isalpha() and code.isupper():
        raise NoWording("a thing by its code", f"Who knows what {noun} {code} is?")
    if form == "explicit" and not any(map(str.isalpha, code)):
        return f"{noun} with the {of_owner(prop.noun, noun) or 'ID'} {code}", "the"
    return f"{noun} {code}", "the" if kind is ThingKind.PERSON else ""


def _is_numbered(tests: Sequence[Test]) -> bool:
    """Whether a name is a number."""
    return all(f"{test.values[0].value}".isdigit() for test in tests)


def _written(tests: Sequence[Test], noun: str, kind: ThingKind) -> str:
    """A name, in quotation marks where it would be read as something else."""
    parts = [value_text(test.values[0], None) for test in tests]
    if len(parts) > 1:  # "Sienna van de Leemput"
        parts = [part.strip('"') for part in parts]
    name = " ".join(parts)
    if set(name) & _MARKS or "( " in name:
        raise NoWording("a name with marks", "Only a table has such names.")
    name = proper(name, noun)
    quote = kind is ThingKind.WORK and not _is_numbered(tests)
    quote = quote or has_plain_words(name)
    coded = any(map(str.isdigit, name))
    quote = quote or (kind not in TELLING and name[:1].islower() and not coded)
    name = name if name.startswith('"') or not quote else f'"{name}"'
    return name.replace('" "', " ") if len(tests) > 1 else name


def _alone(name: _Name) -> _Label | None:
    """Where it tells what it names: nobody says "the person Ann"."""
    lettered = any(map(str.isalpha, name.text))
    known = name.kind in TELLING and name.noun not in _BEHIND and lettered
    tells = name.form == "contracted" and (known or name.kind is ThingKind.WORK)
    typed = name.form == "search"
    bare = typed or name.noun == "person" or tells
    if name.whole or not bare or (typed and name.before_noun):
        return None
    if " and " in name.text and not typed and name.kind in _SITES and name.text[0] != '"':
        return None  # "the team Rhinog and Cadair" is one
    own = f" {name.text}".lower().endswith(f" {name.noun.lower()}")
    return name.text, _titled(name.noun) if own and not typed else ""


def _before_noun(name: _Name) -> _Label | None:
    """ "The Surgery department"."""
    if not name.before_noun or not name.text[0].isalpha():
        return None
    return f"{name.text} {name.noun}", "the"


def _with_noun_inside(name: _Name) -> _Label | None:
    """Where it has its noun, or another that tells as much: "Barker College"."""
    text, noun = name.text, name.noun.lower()
    tells = name.kind in _SITES and " " in text and text[:1].isupper()
    tells = tells and kind_of(text.rpartition(" ")[2])[0] in _SITES
    if not tells and f" {noun} " not in f" {text} ".lower():  # nobody says it twice
        return None
    headed = text.lower().startswith(f"{noun} of ")  # "the Ministry of"
    return text, "the" if headed or text.islower() else _titled(name.noun)


def _before_unit(name: _Name) -> _Label | None:
    """ "The Blackburn branch", but "the branch Alamo Pawn - Military Drive"."""
    words = name.text.split()
    unit = name.noun.rpartition(" ")[2] in _UNITS and len(words) < _FEW
    if not unit or not all(map(str.isalpha, words)) or not name.text[0].isupper():
        return None
    return f"{name.text} {name.noun}", "the"


def _behind_noun(name: _Name) -> _Label:
    """ "The customer Ann Lee", "the city of Lyon"."""
    of = "of " if name.noun in _PLACES else ""
    bare = name.coded and " " not in name.text
    return f"{name.noun} {of}{name.text}", "" if bare else "the"


# The first that has one holds.
_LABELS = (_alone, _before_noun, _with_noun_inside, _before_unit, _behind_noun)


def _titled(noun: str) -> str:
    """The article of a name that ends in such a noun: "the Labour Party", but "Kew Airport"."""
    return "the" if noun.rpartition(" ")[2] in _TITLED else ""
