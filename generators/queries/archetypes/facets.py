"""What each property of a graph is good for in a question: a name, an amount, a category, …

Decided by its type, its figures and the words of its name. Keys, references to other nodes,
contact data and constants are no use to a filter, and nobody asks about them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from generators.queries.archetypes.numbers import Sort, sort_of_number
from generators.questions.lexicon.derive.names import Names
from generators.questions.lexicon.model import Lexicon
from graphmill.english.lists import word_set
from graphmill.english.spoken import half_name, spoken
from schemagraph.folder.statistics import GraphStatistics, PropertyStatistics, are_dated
from schemagraph.model import NUMERIC, EdgeType, Kind, NodeType, Property, SchemaGraph

MOMENTS = frozenset({Kind.DATE, Kind.DATETIME, Kind.ZONED_DATETIME})


class Use(StrEnum):
    """The kinds of property slot that an archetype can declare."""

    NUMBER = "number"  # an ordered number of any sort
    AMOUNT = "amount"  # a number that can be averaged
    TOTAL = "total"  # an amount of which a sum means something: of fees, not of ages
    MOMENT = "moment"  # a date or a date with a time, also as text that sorts like one
    CALENDAR = "calendar"  # one of which the year can be taken
    CATEGORY = "category"  # a text that many rows share
    FLAG = "flag"  # a boolean of which both values occur
    TEXT = "text"  # a text in which words can be looked for
    DETAIL = "detail"  # anything that an answer can show
    GAPPED = "gapped"  # anything that some rows have and some lack
    MEASURE = "measure"  # a number or a moment


_ORDERED = (Use.NUMBER, Use.MEASURE)
_NUMBERS = {
    Sort.CODE: (),
    Sort.ORDER: _ORDERED,
    Sort.MEAN: (*_ORDERED, Use.AMOUNT),
    Sort.SUM: (*_ORDERED, Use.AMOUNT, Use.TOTAL),
}
_DAY = len("2024-05-01")
_NAMES = ("name", "title", "full name", "label", "display name", "caption", "subject", "headline")
_TITLES = ("name", "title", "full name", "display name", "caption", "headline")
_FEW = 40  # more values than that are no category
_SHORT = 60  # a longer text is no name and no category
_TELLS = 0.9  # a name that tells so many of the nodes apart is enough to show
_HALF = 0.5  # and so many, to ask for a node by


@dataclass(frozen=True, slots=True)
class Shown:
    """How an answer shows a node: the properties that name it, and those that tell it apart.

    `sole` is the one property by which a question names the node, empty where there is none.
    """

    name: tuple[str, ...]
    key: tuple[str, ...]
    unique: bool
    sole: str

    @property
    def whole(self) -> tuple[str, ...]:
        """The name, with the key before it where the name alone tells too few nodes apart."""
        if self.unique:
            return self.name
        return tuple(dict.fromkeys((*self.key, *self.name)))


class Facets:
    """The uses of all properties of a graph, and how its nodes are shown."""

    def __init__(
        self, schema: SchemaGraph, statistics: GraphStatistics, lexicon: Lexicon | None = None
    ) -> None:
        self.schema = schema
        self.statistics = statistics
        self._lexicon = lexicon or Lexicon()
        self._words = Names(schema)
        self._nouns = {label: self._words.noun(label) for label in schema.labels}
        self._references = {(e.source, self._words.reference(e)) for e in schema.edges}
        self._uses: dict[str, dict[str, frozenset[Use]]] = {}
        owners: tuple[NodeType | EdgeType, ...] = (*schema.nodes, *schema.edges)
        for owner in owners:
            keys = owner.key if isinstance(owner, NodeType) else ()
            self._uses[owner.name] = {
                p.name: frozenset(self._of(owner, p, keys)) for p in owner.properties
            }
        self.shown = {node.name: self._shown(node) for node in schema.nodes}
        for node in schema.nodes:  # things are not sorted by what they are called
            for prop in node.properties:
                if prop.name in self.shown[node.name].name or _own_words(node, prop) in _TITLES:
                    self._uses[node.name][prop.name] -= {Use.CATEGORY}

    def properties(self, owner: str, use: Use) -> list[str]:
        """The properties of a node or edge type that have this use, in the schema's order."""
        return [name for name, uses in self._uses[owner].items() if use in uses]

    def figures(self, owner: str, name: str) -> PropertyStatistics:
        """The figures of one property."""
        return self.statistics.properties[owner, name]

    def property(self, owner: str, name: str) -> Property:
        """The property of a node or edge type."""
        element: NodeType | EdgeType | None = self.schema.node_by_name.get(owner)
        prop = (element or self.schema.edge_by_name[owner]).property(name)
        assert prop is not None  # noqa: S101 - names come from here
        return prop

    def _of(
        self, owner: NodeType | EdgeType, prop: Property, keys: tuple[str, ...]
    ) -> Iterable[Use]:
        figures = self.statistics.properties.get((owner.name, prop.name))
        if figures is None or figures.distinct < 2 or self._is_reference(owner, prop, keys):
            return
        if self._is_hidden(owner.name, prop.name):
            return
        words = [word.lower() for word in spoken(prop.name)]
        kind = prop.type.kind
        serial = words[-1] in word_set("serial") and len(words) + (kind is not Kind.STRING) > 1
        if serial and (prop.name in keys or kind is Kind.INTEGER):
            return
        if kind in NUMERIC:
            wording = self._words.property(owner, prop.name)
            own = owner.labels if isinstance(owner, NodeType) else ()
            others = [noun for label, noun in self._nouns.items() if label not in own]
            sort = sort_of_number(prop, words, figures, self._nouns.values(), others)
            if wording.reference or sort is Sort.IDENTIFIER:
                return
            yield from _NUMBERS[sort] if figures.distinct > 3 else ()
        elif kind in MOMENTS:
            yield from (Use.MOMENT, Use.CALENDAR, Use.MEASURE) if figures.distinct > 3 else ()
        elif kind is Kind.BOOLEAN:
            yield Use.FLAG
        elif kind is Kind.STRING and not serial:
            yield from _text(words, figures)
        elif kind is not Kind.STRING:
            return
        yield Use.DETAIL
        if figures.nulls and figures.nulls * 50 >= figures.count + figures.nulls:
            yield Use.GAPPED

    def _is_hidden(self, owner: str, name: str) -> bool:
        words = self._lexicon.property(owner, name)
        return words is not None and words.hidden

    def _is_reference(
        self, owner: NodeType | EdgeType, prop: Property, keys: tuple[str, ...]
    ) -> bool:
        """Whether the property holds another node's key, or is a key that says nothing."""
        if (owner.name, prop.name) in self._references:
            return True
        serial = spoken(prop.name)[-1].lower() in ("id", "uuid", "guid", "key")
        return serial and (len(keys) != 1 or prop.name in keys or len(spoken(prop.name)) > 1)

    def _shown(self, node: NodeType) -> Shown:
        rows = self.statistics.nodes[node.name]
        known = {p.name: self.statistics.properties[node.name, p.name] for p in node.properties}
        name = self._name(node, known)
        if not name:
            return Shown(node.key, node.key, True, node.key[0] if len(node.key) == 1 else "")
        tells = known[name[-1]].distinct >= _TELLS * rows
        pairs = known[name[0]].distinct * known[name[-1]].distinct  # were all equally likely
        unique = tells or (len(name) == 2 and 5 * rows * rows < pairs)
        return Shown(name, node.key, unique, self._sole(node, name, known))

    def _sole(
        self, node: NodeType, name: tuple[str, ...], known: Mapping[str, PropertyStatistics]
    ) -> str:
        """The property by which a question names a node that has a name."""
        rows = self.statistics.nodes[node.name]
        enough = _HALF if len(name) == 1 else _TELLS
        if known[name[-1]].distinct >= enough * rows:
            return name[-1]
        for prop in node.properties:
            is_name = prop.type.kind is Kind.STRING and spoken(prop.name)[-1].lower() == "name"
            if is_name and known[prop.name].distinct >= _TELLS * rows:
                return prop.name
        return node.key[0] if len(node.key) == 1 else ""

    def _natural(self, node: NodeType) -> bool:
        """Whether the key is a text, which people use as they use a name."""
        single = node.property(node.key[0]) if len(node.key) == 1 else None
        return single is not None and single.type.kind is Kind.STRING

    def _name(self, node: NodeType, known: Mapping[str, PropertyStatistics]) -> tuple[str, ...]:
        thing = self._lexicon.thing(node.name)
        declared = thing.name if thing is not None else ()
        if declared and all(known[n].distinct > 1 for n in declared):
            return declared
        rows = self.statistics.nodes[node.name]
        texts: dict[str, str] = {}
        for prop in node.properties:
            figures = known[prop.name]
            filled = figures.nulls * 10 <= figures.count and figures.distinct > 1
            hidden = self._is_hidden(node.name, prop.name)
            if prop.type.kind is Kind.STRING and filled and _is_short(figures) and not hidden:
                texts.setdefault(_own_words(node, prop), prop.name)
        halves = {half_name(phrase): name for phrase, name in reversed(texts.items())}
        if {"first", "last"} <= halves.keys():
            return halves["first"], halves["last"]
        for phrase in _NAMES:
            if phrase in texts:
                return (texts[phrase],)
        for phrase, name in texts.items():
            telling = known[name].distinct >= _TELLS * rows
            if telling and phrase.split()[-1] in ("name", "title"):
                return (name,)
        if self._natural(node):
            return ()
        for phrase, name in texts.items():
            nameless = {*word_set("contact"), *word_set("serial")} & set(phrase.split())
            if known[name].distinct >= _TELLS * rows and not nameless and not known[name].dated:
                return (name,)
        return ()


def _own_words(node: NodeType, prop: Property) -> str:
    """What a property is called beside its owner: `title` of a granted patent's `patent_title`."""
    own = {word.lower() for label in node.labels for word in spoken(label)}
    words = [word.lower() for word in spoken(prop.name)]
    return " ".join([word for word in words if word not in own] or words)


def _days(figures: PropertyStatistics) -> bool:
    """Whether all texts are days, which sort like days; with a time of day, "after 1 May" would
    be another bound."""
    return figures.dated and all(len(str(value)) == _DAY for value in figures.sample)


def _is_dated(value: object) -> bool:
    return isinstance(value, str) and are_dated([value])


def _text(words: list[str], figures: PropertyStatistics) -> Iterable[Use]:
    if word_set("contact") & set(words):
        return
    if figures.distinct > 3 and _days(figures):
        yield from (Use.MOMENT, Use.MEASURE)
        return
    if 2 * sum(map(_is_dated, figures.sample)) > len(figures.sample):
        return  # with exceptions, or times of day: neither in order nor a kind
    if (
        _is_short(figures, all_of_them=True)
        and figures.distinct <= _FEW
        and figures.count >= 2 * figures.distinct
        and words[-1].removesuffix("s") not in word_set("comments")
    ):
        yield Use.CATEGORY
    elif figures.distinct * 2 > figures.count and _has_words(figures):
        yield Use.TEXT


def _is_short(figures: PropertyStatistics, *, all_of_them: bool = False) -> bool:
    """Whether the texts are short, a quarter of them at most left aside."""
    values = (*figures.sample, *(value for value, _ in figures.common))
    long = sum(len(str(value)) > _SHORT for value in values)
    return not long if all_of_them else long * 4 <= len(values)


def _has_words(figures: PropertyStatistics) -> bool:
    """Whether most samples are words and not numbers or codes."""
    worded = [
        value
        for value in figures.sample
        if any(len(part) > 2 and part.isalpha() for part in str(value).split())
    ]
    return 2 * len(worded) > len(figures.sample)
