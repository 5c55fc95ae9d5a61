"""One value of a category with what is known of it, and the shapes that several rules give it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from lemminflect import getAllLemmas

from generators.questions.goals.model import Test
from generators.questions.lexicon.derive.data import kind_of
from generators.questions.lexicon.model import Thing, ThingKind
from generators.questions.phrases.tree import Clause, Text
from generators.questions.realise.conditions.options import Option
from graphmill.english.inflection import a
from graphmill.english.lists import word_set

SORTS = frozenset({"type", "kind", "category", "class"})  # "the type of a document"
STANDINGS = frozenset(
    {"status", "state", "condition", "result", "outcome", "verdict", "decision", "stage"}
)
STATIVE = frozenset({"in", "on", "out", "under"})  # what is so is under construction
ENDINGS = ("ed", "ing", "wn", "ive", "able", "ible", "ary", "ous", "ful")


@dataclass(frozen=True, slots=True)
class CategoryValue:
    """What a test holds a property against: `noun` is that of the property, `one` the value as it
    is said, "" where there are several, `thing` what has it; `no`: it is any other."""

    test: Test
    noun: str
    one: str
    thing: Thing | None
    no: bool

    @property
    def head(self) -> str:
        """The last word of the noun."""
        return self.noun.rpartition(" ")[2]

    @property
    def word(self) -> str:
        """The value as it stands within a sentence."""
        return self.one.lower()


def phrase_options(test: Test, phrase: str) -> list[Option]:
    """Behind the noun, and of what is so: "films rated PG-13", "are rated PG-13"."""
    atoms = (test,)
    return [Option("post", Text(phrase, atoms)), Option("pred", Clause(be=phrase, atoms=atoms))]


def had(test: Test, what: str) -> list[Option]:
    """ "with a manual transmission", "have a manual transmission"."""
    atoms = (test,)
    return [
        Option("post", Text(f"with {what}", atoms), 0.0),
        Option("pred", Clause(verb="have", object=Text(what), atoms=atoms), 0.3),
    ]


def channel(one: str) -> str:
    """A way by which something reaches somebody, with its article: "the ticket office", "an agent";
    "" of what has none, as phones and abbreviations.

    >>> channel("App"), channel("Travel agent"), channel("phone"), channel("POS")
    ('the app', 'a travel agent', '', '')
    """
    what, _, last = one.lower().rpartition(" ")
    if last not in word_set("channels") or one.isupper():
        return ""
    plain = one.lower() if not what or one[1:].islower() else one  # "the Apple Store"
    return a(plain) if kind_of(last)[0] is ThingKind.PERSON else f"the {plain}"


@cache
def is_trait(word: str) -> bool:
    """Whether a word stands before a noun of what it is a value of."""
    known = word in word_set("adjectives") or word.endswith(ENDINGS) or "ADJ" in getAllLemmas(word)
    return known and not word.endswith("ing")
