"""Questions that a graph cannot answer, though they look as if it could.

They are made of answered ones, with the same frames: one word of the lexicon is exchanged for that
of something the graph lacks, or one value for another that its data do not have; or a word is left
so bare that two properties fit it. Each is checked against the words of the schema and against the
data, and says why it has no answer (docs/questions.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any, Literal

from generators.questions.author import NotExpressible
from generators.questions.goals.model import Ask, Column, Figure, Test
from generators.questions.goals.recognise import recognise
from generators.questions.lexicon.derive.data import table
from generators.questions.lexicon.model import QUANTITIES, Lexicon, Property, Role
from generators.questions.plan.analysis import analyse
from generators.questions.plan.simplify import simplified
from generators.questions.plan.types import Types
from generators.questions.realise.conditions.options import Form
from generators.questions.realise.realiser import realise
from graph_ir import nodes as ir
from graph_ir.walk import rewrite
from graphmill.english.inflection import plural
from graphmill.english.spoken import spoken
from graphmill.record import Questions
from schemagraph.folder.statistics import GraphStatistics
from schemagraph.model import EdgeType, NodeType, SchemaGraph

type Reason = Literal["no-value", "no-time", "no-property", "no-thing", "two-readings"]
type Values = Callable[[str, str], list[Any]]
"""All values of a property of a node or edge type, as the data have them."""

REASONS: tuple[Reason, ...] = ("no-value", "no-property", "two-readings", "no-thing", "no-time")
_AWAY = 3  # years after the last one of the data
_APART = 0.5  # share of rows in which two properties differ that one word would do for


@dataclass(frozen=True, slots=True)
class Unanswerable:
    """A question without an answer, why it has none, and what is missing or in doubt."""

    questions: Questions
    reason: Reason
    missing: str


class Spoiler:
    """Makes questions that one graph cannot answer from queries that it can."""

    def __init__(
        self, schema: SchemaGraph, lexicon: Lexicon, statistics: GraphStatistics, values: Values
    ) -> None:
        self.schema = schema
        self.lexicon = lexicon
        self.statistics = statistics
        self.values = values
        self._types = Types(schema)

    def spoil(self, statement: ir.Query, reason: Reason, rng: Random) -> Unanswerable | None:
        """A question like that of the query for which the graph has no answer, for this reason;
        None where there is none."""
        try:
            ask = self._ask(statement)
        except NotExpressible:
            return None
        ways: dict[Reason, Callable[[ir.Query, Ask, Random], Iterator[Unanswerable]]] = {
            "no-value": self._no_value,
            "no-time": self._no_time,
            "no-property": self._no_property,
            "no-thing": self._no_thing,
            "two-readings": self._two_readings,
        }
        return next(ways[reason](statement, ask, rng), None)

    def _ask(self, statement: ir.Query) -> Ask:
        return recognise(analyse(simplified(statement), self._types), self.lexicon, self._types)

    def _questions(
        self, statement: ir.Query, lexicon: Lexicon, reason: Reason, missing: str
    ) -> Iterator[Unanswerable]:
        """The question in the words of a lexicon, where it says what is missing."""
        try:
            plan = analyse(simplified(statement), self._types)
            ask = recognise(plan, lexicon, self._types)
            forms: tuple[Form, ...] = ("search", "explicit", "contracted")
            texts = [realise(ask, lexicon, form).text for form in forms]
        except NotExpressible:
            return
        search, logical, business = texts
        heads = (missing.casefold(), plural(missing).casefold())
        if all(any(head in text.casefold() for head in heads) for text in texts):
            yield Unanswerable(
                Questions(search, logical=logical, business=business), reason, missing
            )

    # --- values and times ----------------------------------------------------------------

    def _no_value(self, statement: ir.Query, ask: Ask, rng: Random) -> Iterator[Unanswerable]:
        """A name or a category that looks like those of the data, and is none of them."""
        for test in self._tests(ask):
            old = test.values[0].value if len(test.values) == 1 else None
            words = self.lexicon.property(test.owner, test.key)
            if test.op != "=" or not isinstance(old, str) or (words and words.word(old)):
                continue
            for new in self._made_up(test, rng):
                changed = _exchanged(statement, {old: new})
                yield from self._questions(changed, self.lexicon, "no-value", new)

    def _made_up(self, test: Test, rng: Random) -> Iterator[str]:
        """Values of halves of two that there are, which nothing of the type has."""
        texts = sorted({v for v in self.values(test.owner, test.key) if isinstance(v, str)})
        pairs = [text.split() for text in texts if len(text.split()) > 1]
        known = self._texts_of(test.owner)
        for _ in range(20 if len(pairs) > 1 else 0):
            one, other = rng.sample(pairs, 2)
            made = " ".join([one[0], *other[1:]])
            if made.casefold() not in known and made.replace(" ", "").isalnum():
                yield made

    def _texts_of(self, owner: str) -> set[str]:
        element = self._types.element(owner)
        columns = [p.name for p in element.properties] if element is not None else []
        return {
            value.casefold()
            for name in columns
            for value in self.values(owner, name)
            if isinstance(value, str)
        }

    def _no_time(self, statement: ir.Query, ask: Ask, rng: Random) -> Iterator[Unanswerable]:
        """A year after all that the data have."""
        for test in self._tests(ask):
            words = self.lexicon.property(test.owner, test.key)
            year = words is not None and words.kind is Role.YEAR
            old = test.values[0].value if len(test.values) == 1 else None
            if not year or test.op not in ("=", ">", ">=") or not isinstance(old, int):
                continue
            years = [v for v in self.values(test.owner, test.key) if isinstance(v, int)]
            if years:
                new = max(years) + rng.randint(_AWAY, 3 * _AWAY)
                changed = _exchanged(statement, {old: new})
                yield from self._questions(changed, self.lexicon, "no-time", str(new))

    def _tests(self, ask: Ask) -> list[Test]:
        return [atom for atom in ask.atoms() if isinstance(atom, Test)]

    # --- words -----------------------------------------------------------------------------

    def _no_property(self, statement: ir.Query, ask: Ask, rng: Random) -> Iterator[Unanswerable]:
        """A property that such things have elsewhere, in the place of one that is asked for."""
        for owner, key in self._asked(ask):
            words = self.lexicon.property(owner, key)
            thing = self.lexicon.thing(owner)
            if words is None or thing is None:
                continue
            number = words.kind in QUANTITIES
            if not number and words.kind is not Role.CATEGORY:
                continue
            sort = "quantities" if number else "categories"
            kind = Role.MEASURE if number else Role.CATEGORY
            for noun in _shuffled(_typical(thing.kind, sort), rng):
                if not self._known(noun):
                    bare = Property(noun=noun, kind=kind, source=words.source)
                    lexicon = _with_property(self.lexicon, owner, key, bare)
                    yield from self._questions(statement, lexicon, "no-property", noun)

    def _no_thing(self, statement: ir.Query, ask: Ask, rng: Random) -> Iterator[Unanswerable]:
        """A kind of thing that the graph has not, in the place of the one that is asked for."""
        thing = self.lexicon.thing(ask.focus.type)
        own = any(isinstance(test, Test) for test in ask.focus.tests)
        if thing is None or thing.junction or own or self._asked(ask):
            return  # what one says of artworks, nobody says of podcasts
        for noun in _shuffled(_typical(thing.kind, "things"), rng):
            if not self._known(noun):
                other = replace(thing, singular=noun, plural=plural(noun), also=())
                things = {**self.lexicon.things, ask.focus.type: other}
                yield from self._questions(
                    statement, replace(self.lexicon, things=things), "no-thing", noun
                )

    def _two_readings(self, statement: ir.Query, ask: Ask, rng: Random) -> Iterator[Unanswerable]:
        """A word that two properties of a thing share, where either may be meant."""
        asked = self._asked(ask)
        for owner, key in asked:
            words = self.lexicon.property(owner, key)
            if words is None or " " not in words.noun:
                continue
            head = words.noun.rpartition(" ")[2]
            others = self.lexicon.properties.get(owner, {})
            nouns = [w.noun for w in others.values() if not w.hidden]
            twins = [
                (name, w.noun)
                for name, w in others.items()
                if name != key and not w.hidden and w.kind is words.kind
                and w.noun != words.noun and w.noun.endswith(f" {head}")
            ]  # fmt: skip
            if head in nouns or head in ("name", "number", "code") or len(twins) != 1:
                continue
            tested = {(test.owner, test.key) for test in self._tests(ask)}
            if (owner, twins[0][0]) in asked or (owner, key) in tested:
                continue  # the other one is what is left; "with a year before" is no English
            if self._differ(owner, key, twins[0][0]):
                bare = Property(noun=head, kind=words.kind, unit=words.unit)
                lexicon = _with_property(self.lexicon, owner, key, bare)
                for made in self._questions(statement, lexicon, "two-readings", head):
                    both = f"{head}: {words.noun} or {twins[0][1]}"
                    yield replace(made, missing=both)

    def _differ(self, owner: str, one: str, other: str) -> bool:
        """Whether two properties have other values in most of the rows."""
        pairs = list(zip(self.values(owner, one), self.values(owner, other), strict=True))
        return bool(pairs) and sum(a != b for a, b in pairs) >= _APART * len(pairs)

    def _asked(self, ask: Ask) -> list[tuple[str, str]]:
        """The properties that the answer shows or is figured from."""
        atoms = ask.atoms()
        shown = [(a.owner, a.key) for a in atoms if isinstance(a, Column) and a.key]
        named = {(thing.type, key) for thing in (ask.focus,) for key in ask.named}
        figures = [(a.owner, a.key) for a in atoms if isinstance(a, Figure) and a.key]
        return [each for each in dict.fromkeys([*shown, *figures]) if each not in named]

    def _known(self, noun: str) -> bool:
        """Whether the graph has something that people may call so: a thing, a property, a value,
        or what a name shortens (`vet` for a veterinarian)."""
        words = noun.casefold().split()
        if any(word.startswith(stem) for word in words for stem in self._stems):
            return True
        head = words[-1] if len(words[-1]) > 4 else noun.casefold()
        return any(
            noun.casefold() in known or known in (noun.casefold(), head) for known in self._words
        )

    @cached_property
    def _stems(self) -> frozenset[str]:
        """The words of all that has a name, of three letters and more."""
        names = [edge.label for edge in self.schema.edges]
        words = [word for known in self._words for word in known.split()]
        words += [word.casefold() for name in names for word in spoken(name)]
        return frozenset(word for word in words if len(word) > 2)

    @cached_property
    def _words(self) -> frozenset[str]:
        lexicon = self.lexicon
        words = [w for t in lexicon.things.values() for w in (t.singular, t.plural, *t.also)]
        for owner, entries in lexicon.properties.items():
            for name, entry in entries.items():
                words += [entry.noun, entry.group, *entry.also, *entry.values.values()]
                words.append(" ".join(spoken(name)))
                figures = self.statistics.properties.get((owner, name))
                common = figures.common if figures is not None else ()
                words += [str(value) for value, _ in common if isinstance(value, str)]
        for path in lexicon.paths.values():
            for phrase in (path.forward, path.backward):
                words.append(phrase.noun if phrase is not None else "")
            words.append(path.link.singular if path.link is not None else "")
        elements: list[NodeType | EdgeType] = [*self.schema.nodes, *self.schema.edges]
        words += [" ".join(spoken(p.name)) for element in elements for p in element.properties]
        return frozenset(word.casefold() for word in words if word)


def _exchanged(statement: ir.Query, values: Mapping[Any, Any]) -> ir.Query:
    """A query with other constants."""

    def change(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.Literal) and type(node.value) in (str, int):
            new = values.get(node.value)
            return node if new is None else replace(node, value=new)
        return node

    return rewrite(statement, change)


def _with_property(lexicon: Lexicon, owner: str, key: str, words: Property) -> Lexicon:
    entries = {**lexicon.properties.get(owner, {}), key: words}
    return replace(lexicon, properties={**lexicon.properties, owner: entries})


def _typical(kind: str, sort: str) -> list[str]:
    return [noun.strip() for noun in table("typical")[str(kind)][sort].split(",")]


def _shuffled(nouns: list[str], rng: Random) -> list[str]:
    return rng.sample(nouns, len(nouns))
