"""Things: what a node type is called, what kind it is, which of its properties name it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from generators.questions.lexicon.derive.clear import is_clear
from generators.questions.lexicon.derive.data import kind_of, precision
from generators.questions.lexicon.derive.facts import Facts
from generators.questions.lexicon.derive.property_words import PropertyWords
from generators.questions.lexicon.model import Noun, Provenance, Thing, ThingKind
from graphmill.english.inflection import plural
from graphmill.english.lists import word_set
from graphmill.english.names import singular
from graphmill.english.spoken import half_name
from schemagraph.folder.statistics import PropertyStatistics
from schemagraph.model import NUMERIC, Kind, NodeType, Property

_NAMES = ("name", "full name", "title", "label", "short name", "caption", "heading")
_CODES = ("code", "number", "symbol", "abbreviation")
_TABLES = frozenset({"detail", "information", "info", "structure"})  # no things, but tables
_UNCOUNTED = frozenset(
    {
        *("weather", "traffic", "climate", "news", "safety", "security", "temperature"),
        *("humidity", "rainfall", "precipitation", "statistics", "demographics", "calendar"),
    }
)
_STATES = frozenset(
    {
        *("status", "season", "log", "history", "measurement", "standing", "result"),
        *("header", "content", "attendance", "rank", "ranking"),
    }
)  # rows of something else
_BUYERS = frozenset({"buyer", "client", "consignee", "customer", "seller", "shipper", "subscriber"})
_BRIEF = 40  # characters, above which a description is no name
_TERSE = 2  # characters, up to which it is a code itself
_REPEATS = 0.6  # a name of which fewer of the values differ is a category


def derive_things(facts: Facts) -> dict[str, Thing]:
    """The entries of all node types, in the schema's order."""
    return {node.name: _thing(facts, node) for node in facts.schema.nodes}


def _thing(facts: Facts, node: NodeType) -> Thing:
    noun = facts.nouns[node.name]
    clear = (
        is_clear(noun)
        and len(noun) > 1
        and (" " not in noun or noun.split()[-1].lower() not in _TABLES)
    )
    rule = "thing-noun" if clear else "thing-unclear"
    if node.name in facts.junctions:
        joins = tuple(edge.target for edge in facts.junctions[node.name])
        counted = clear and not noun.endswith(("record", "item")) and _is_event(facts, node)
        row = Noun(singular=noun, plural=plural(noun)) if counted else None
        rule = "junction"
        kind = ThingKind.JUNCTION
        return Thing(
            kind=kind, joins=joins, row=row, source=Provenance.RULE, sure=precision(rule), rule=rule
        )
    kind, kind_rule = facts.kinds[node.name]
    name = _name(facts, node, kind)
    if _is_link(facts, node, named=bool(name)):
        rule = "thing-unclear"
    sure = min(precision(rule), precision(kind_rule))
    return Thing(
        singular=noun,
        plural=plural(noun),
        kind=kind,
        name=name,
        source=Provenance.RULE,
        sure=sure,
        rule=rule if precision(rule) <= precision(kind_rule) else kind_rule,
    )


def _is_link(facts: Facts, node: NodeType, *, named: bool) -> bool:
    """Whether a noun is for rows that join others, or only a verb: a "membership register branch"
    of members and branches, "working records", "qualifyings"."""
    *before, last = facts.nouns[node.name].lower().split()
    rowless = word_set("uncounted") | word_set("plural_only")
    if last in _UNCOUNTED | rowless - word_set("unchanged"):
        return True  # rows are counted: "the two music" are nothing
    if any(p.type.kind in NUMERIC and p.name.lower() == plural(last) for p in node.properties):
        return True  # monthly downloads, each with a number of downloads: nobody counts the rows
    ends = {e.target for e in facts.schema.edges if e.source == node.name}
    joins = len(ends) > 1 and not named and kind_of(last)[1] != "kind-noun"
    if last.endswith("ship") and joins:
        return True  # an authorship of an author, a paper, and an institution
    if last in _STATES and not named:
        return True  # the statuses of stations, the match seasons of players
    if named:
        return False
    if last.endswith("ing") and kind_of(last)[1] != "kind-noun":
        return True  # claim processings
    if not before:
        return False
    if last == "record":
        return True
    person = facts.kinds[node.name][0] is ThingKind.PERSON
    if len(before) > 1 and "of" not in before and not person:
        return True  # customer event notes
    return _repeats_ends(facts, node, before, last)


def _repeats_ends(facts: Facts, node: NodeType, before: list[str], last: str) -> bool:
    """Whether the words of a noun are those of the things that its rows join."""
    nouns = [facts.nouns[e.target].lower() for e in facts.schema.edges if e.source == node.name]
    heads = {part for noun in nouns for part in noun.split()} | {
        "person" if facts.kinds[e.target][0] is ThingKind.PERSON else ""
        for e in facts.schema.edges
        if e.source == node.name
    }
    return (
        len(set(nouns)) > 1
        and singular(last) in heads
        and any(word.startswith(head) for word in before for head in heads if len(head) > 3)
    )


def _is_event(facts: Facts, node: NodeType) -> bool:
    kinds = (ThingKind.EVENT, ThingKind.TRANSACTION, ThingKind.RECORD, ThingKind.DOCUMENT)
    return facts.kinds[node.name][0] in kinds


_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def _name(facts: Facts, node: NodeType, kind: ThingKind) -> tuple[str, ...]:
    """The properties that together name one thing of the type; none where nothing does."""
    texts = [p for p in node.properties if p.type.kind in (Kind.STRING, Kind.ANY)]
    nouns = {p.name: facts.words(node, p).noun.lower() for p in texts}
    named = _Named(facts, node, kind, nouns)
    return next((name for way in _WAYS if (name := way(named))), ())


@dataclass(frozen=True, slots=True)
class _Named:
    """A node type whose name is looked for, with the nouns of those properties that are texts."""

    facts: Facts
    node: NodeType
    kind: ThingKind
    nouns: dict[str, str]

    def full_name(self) -> tuple[str, ...]:
        """What is called a name, and does not repeat."""
        return self._called(("name", "full name"))

    def halves(self) -> tuple[str, ...]:
        """A first and a last name, or a person's last name alone."""
        halves = {half_name(noun): name for name, noun in reversed(self.nouns.items())}
        if "last" not in halves:
            return ()
        if "first" in halves:
            return (halves["first"], halves["last"])
        return (halves["last"],) if self.kind is ThingKind.PERSON else ()

    def label(self) -> tuple[str, ...]:
        """A title, a label, a caption."""
        return self._called(_NAMES)

    def own_name(self) -> tuple[str, ...]:
        """A name of the thing under longer words, or under its own noun."""
        for name in self._owned():
            foreign = self.nouns[name].rpartition(" ")[0] in word_set("part_names")
            if self._repeats(name) or (foreign and not self._differs(name)):
                continue
            return (name,)
        return ()

    def description(self) -> tuple[str, ...]:
        """What a code means."""
        described = (name for name, noun in self.nouns.items() if noun.endswith("description"))
        return next(((name,) for name in described if self._describes(name)), ())

    def code(self) -> tuple[str, ...]:
        """A code that each has another of."""
        for wanted in _CODES:
            for name, noun in self.nouns.items():
                if noun.endswith(wanted) and self._differs(name):
                    return (name,)
        return ()

    def key(self) -> tuple[str, ...]:
        """A text that is a key: a language, an airport's code."""
        key = self.node.key
        if len(key) != 1 or key[0] not in self.nouns or key[0] == "row_number":
            return ()
        sample = self._figures(key[0]).sample
        dated = bool(sample) and all(_DAY.fullmatch(str(text)) for text in sample)
        return () if dated else key  # the market of a day

    def _called(self, wanted: Sequence[str]) -> tuple[str, ...]:
        """The first property that has one of the nouns, the first noun first."""
        for each in wanted:
            for name, noun in self.nouns.items():
                if noun == each and not self._repeats(name):
                    return (name,)
        return ()

    def _owned(self) -> list[str]:
        """Properties that may be the thing's own name, the likeliest first."""
        own = set(self.facts.nouns[self.node.name].lower().split())
        identities = [n for n in self.nouns if self._words(n).identity]
        ended = [n for n, noun in self.nouns.items() if noun.endswith((" name", " title"))]
        owned = [n for n in (*identities, *ended) if _is_own(self.nouns[n], own, self.kind)]
        spoken = {n: self.facts.spoken(self.node, n) for n in self.nouns}
        return owned + [n for n in spoken if {word.lower() for word in spoken[n]} <= own]

    def _words(self, name: str) -> PropertyWords:
        return self.facts.words(self.node, _property(self.node, name))

    def _figures(self, name: str) -> PropertyStatistics:
        return self.facts.figures(self.node, _property(self.node, name))

    def _differs(self, name: str) -> bool:
        """Whether no two have the same."""
        figures = self._figures(name)
        return bool(figures.count) and figures.distinct == figures.count

    def _describes(self, name: str) -> bool:
        """Whether descriptions are as good as names: short, no codes, and each only once."""
        texts = [str(text) for text in self._figures(name).sample]
        brief = bool(texts) and all(_TERSE < len(text) <= _BRIEF for text in texts)
        return brief and len(self.node.key) == 1 and self._differs(name)

    def _repeats(self, name: str) -> bool:
        figures = self._figures(name)
        return figures.count > 5 and figures.distinct < _REPEATS * figures.count


_WAYS = (
    _Named.full_name,
    _Named.halves,
    _Named.label,
    _Named.own_name,
    _Named.description,
    _Named.code,
    _Named.key,
)
"""Ways to find a name, the best first."""


def _is_own(noun: str, own: set[str], kind: ThingKind) -> bool:
    """Whether a name is that of the thing, not of another: the vendor's name of a payment."""
    before = [word for word in noun.split()[:-1] if word not in own]
    if not before:
        return True
    other, rule = kind_of(before[-1])
    if other is ThingKind.ORGANISATION and own & _BUYERS:
        return True  # the company name of a customer, who has no name of a person's
    return rule == "kind-unknown" or other is kind or before[-1] in ("common", "display", "full")


def _property(node: NodeType, name: str) -> Property:
    column = node.property(name)
    if column is None:
        raise KeyError(name)
    return column
