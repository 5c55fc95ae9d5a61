"""What the rules look at: a schema, the words of its names, what its data are like."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property

from generators.questions.lexicon.derive.data import head_word, is_firm, kind_of, listed_pair, table
from generators.questions.lexicon.derive.moments import (
    DAYS,
    clock_noun,
    ends_in_deed,
    is_deed,
    kind_by_values,
    year_of_done,
)
from generators.questions.lexicon.derive.names import Names
from generators.questions.lexicon.derive.property_words import PropertyWords
from generators.questions.lexicon.model import Phrase, ThingKind
from graphmill.english.lists import word_set
from graphmill.english.spoken import guessed, half_name, spoken
from schemagraph.folder.statistics import GraphStatistics, PropertyStatistics
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type

_HAPPENING = (ThingKind.EVENT, ThingKind.TRANSACTION, ThingKind.DOCUMENT)
_ORDINALS = frozenset({"first", "last", "latest", "next", "previous"})
_DATES = frozenset({"date", "day", "deadline", "month", "period", "season", "time", "year"})
_LOOKUP = 4  # properties, above which a table is of things of its own
_ON = word_set("on_places")
_NO_DATA = PropertyStatistics(0, 0, 0)
_OF_THE_LIVING = frozenset(
    {"birth date", "date of birth", "birth year", "year of birth", "birthday"}
)
_CODED = re.compile(r"(?=.*\d)[\w./-]+")  # 221, A-17


@dataclass(frozen=True)
class Facts:
    """A schema with its data's figures, where there are any, and the words of its names."""

    schema: SchemaGraph
    statistics: GraphStatistics | None = None
    names: Names = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", Names(self.schema))

    @cached_property
    def nouns(self) -> dict[str, str]:
        """The noun of each node type."""
        return {node.name: self.names.noun(node.labels[0]) for node in self.schema.nodes}

    @cached_property
    def kinds(self) -> dict[str, tuple[ThingKind, str]]:
        """The kind of each node type and the class of the rule that says so."""
        return {node.name: self._kind(node) for node in self.schema.nodes}

    def _kind(self, node: NodeType) -> tuple[ThingKind, str]:
        halves = {half_name(self.words(node, p).noun) for p in node.properties}
        if {"first", "last"} <= halves:
            return ThingKind.PERSON, "person-names"
        kind, rule = kind_of(self.nouns[node.name])
        nouns = {self.words(node, p).noun for p in node.properties}
        if kind is ThingKind.ORGANISATION and nouns & _OF_THE_LIVING:  # a maker of furniture
            return ThingKind.PERSON, rule
        if kind is ThingKind.PERSON and "company name" in nouns and "name" not in nouns:
            return ThingKind.ORGANISATION, rule  # the customers of a wholesaler
        if kind is ThingKind.WORK and nouns & _OF_THE_LIVING:  # the subjects of a trial
            return ThingKind.PERSON, rule
        if kind is ThingKind.PERSON and self._are_firms(node):
            return ThingKind.ORGANISATION, rule
        if rule == "kind-unknown" and "date" in nouns:  # what has a date, and no more, happens
            return ThingKind.EVENT, rule
        return kind, rule

    def _are_firms(self, node: NodeType) -> bool:
        """Whether the names of clients and the like are those of organisations, or of many."""
        names = [p for p in node.properties if self.names.property(node, p.name).identity]
        if len(names) != 1:
            return False
        sample = [str(text) for text in self.figures(node, names[0]).sample]
        return 3 * sum(map(is_firm, sample)) > len(sample)

    def words(self, element: NodeType | EdgeType, given: Property) -> PropertyWords:
        """The words of a property's name; what its values are says which moment it is, and a day of
        something is none of it: the date of a first donation."""
        read = self._read(element, given)
        first, _, rest = read.noun.partition(" ")
        head = head_word(read.noun)
        kind, rule = kind_of(head)
        happens = kind in _HAPPENING and rule == "kind-noun" and first in _ORDINALS
        if not (happens and rest) and head not in map(head_word, self.nouns.values()):
            return read
        timed = given.type.kind in DAYS or (
            self.statistics is not None
            and kind_by_values(self.figures(element, given), given.type.kind) in DAYS
        )
        plain = timed and read.verb is None and not read.identity and head not in _DATES
        return replace(read, noun=f"{read.noun} date") if plain else read

    def _read(self, element: NodeType | EdgeType, given: Property) -> PropertyWords:
        known = self.names.property(element, given.name)
        if self.statistics is None:
            return known
        if known.noun == "name" and known.identity and isinstance(element, NodeType):
            sample = self.figures(element, given).sample if element.key == (given.name,) else ()
            if sample and all(_CODED.fullmatch(str(text)) for text in sample):
                known = replace(known, noun="code")  # the assembly 221
        shown = kind_by_values(self.figures(element, given), given.type.kind)
        if shown is None:
            return known
        parts = self.spoken(element, given.name)
        if shown is Kind.TIME and not is_deed(parts):
            noun = clock_noun(known.noun)
            return replace(known, noun=noun, kind=shown) if noun else known
        if shown is Kind.INTEGER:
            return (year_of_done(parts) if not known.year else None) or known
        if known.temporal or known.identity or not (is_deed(parts) or ends_in_deed(parts)):
            return known
        read = self.names.read(element, given.name, Type(shown))
        return read if shown is Kind.TIME else replace(read, kind=given.type.kind)

    def particle(self, source: ThingKind, target: ThingKind, noun: str) -> str:
        """The preposition that is safe between two kinds, where the second is called `noun`; "" for
        none."""
        return self.placed(table("links")["kinds"].get(f"{source} > {target}", ""), noun)

    @staticmethod
    def placed(particle: str, noun: str) -> str:
        """A preposition before what is called `noun`: one is "at" a clinic and "on" a path, and not
        "in" them."""
        if particle != "in":
            return particle
        head = head_word(noun)
        return "at" if head in word_set("at_places") else "on" if head in _ON else "in"

    def pair(self, edge: EdgeType) -> tuple[Phrase | None, Phrase | None] | None:
        """What is listed for the ends of an edge; who signs a language knows it, and what is kept
        somewhere is in it: an animal in its tank."""
        kind = str(self.kinds[edge.source][0])
        target = self.nouns[edge.target]
        kept = kind == "animal" or head_word(self.nouns[edge.source]) in word_set("kept_things")
        if kept and self.functional(edge) and head_word(target) in word_set("keeping_places"):
            return Phrase(particle="in"), None
        if target == "language" and self._has_values_in(edge.target, "Sign Language"):
            target = "sign language"
        return listed_pair(self.nouns[edge.source], target, kind)

    def _has_values_in(self, node: str, words: str) -> bool:
        """Whether one of the values of a type ends in some words."""
        figures = self.statistics.properties.items() if self.statistics is not None else ()
        texts = [text for (owner, _), each in figures if owner == node for text in each.sample]
        return any(str(text).endswith(words) for text in texts)

    def is_brought(self, edge: EdgeType) -> bool:
        """Whether the source of an edge goes or is brought to its target, the only place it has: a
        flight, to a hut."""
        edges = [each for each in self.schema.edges if each.source == edge.source]
        places = [e for e in edges if self.kinds[e.target][0] is ThingKind.PLACE]
        starts = head_word(self.nouns[edge.target]) in word_set("starting_places")
        brought = head_word(self.nouns[edge.source]) in word_set("brought")
        return brought and places == [edge] and not starts

    def spoken(self, element: NodeType | EdgeType, name: str) -> list[str]:
        """The words of a name of an element, its own or a property's, as people write them."""
        return spoken(name, self.names.around(element))

    def guessed(self, element: NodeType | EdgeType, name: str) -> bool:
        """Whether other names had to say what an abbreviation in a name means."""
        return guessed(name, self.names.around(element))

    def figures(self, element: NodeType | EdgeType, given: Property) -> PropertyStatistics:
        """What its values are like; zeros without data."""
        if self.statistics is None:
            return _NO_DATA
        return self.statistics.properties.get((element.name, given.name), _NO_DATA)

    @cached_property
    def newest(self) -> str:
        """The last moment at which something was done, "" where the data tell of none."""
        done = [""]
        for node in self.schema.nodes:
            for each in node.properties:
                words = self.words(node, each)
                if words.verb is not None and not words.active and words.temporal:
                    done += map(str, self.figures(node, each).quantiles[-1:])
        return max(done)

    def functional(self, edge: EdgeType) -> bool:
        """Whether no source has two targets."""
        declared = edge.targets in ("1", "0..1")
        return declared or edge.observed_one[0] or bool(self.names.reference(edge))

    @cached_property
    def references(self) -> dict[tuple[str, str], EdgeType]:
        """The edges that say foreign keys, by type and property."""
        references: dict[tuple[str, str], EdgeType] = {}
        for edge in self.schema.edges:
            name = self.names.reference(edge)
            if name:
                references.setdefault((edge.source, name), edge)
        return references

    @cached_property
    def lookups(self) -> frozenset[str]:
        """Node types that say what codes mean: a code as the key, a description, hardly more."""
        refer = {edge.source for edge in self.schema.edges}
        return frozenset(
            node.name
            for node in self.schema.nodes
            if len(node.key) == 1 and len(node.properties) <= _LOOKUP and node.name not in refer
            if any(self.words(node, p).noun.endswith("description") for p in node.properties)
            if self.spoken(node, node.key[0])[-1] in ("code", "type", "status", "category")
        )

    @cached_property
    def junctions(self) -> dict[str, tuple[EdgeType, ...]]:
        """Node types that only link others: two references or more and nothing of their own."""
        junctions: dict[str, tuple[EdgeType, ...]] = {}
        for node in self.schema.nodes:
            edges = tuple(e for e in self.schema.edges if e.source == node.name)
            into = any(e.target == node.name for e in self.schema.edges)
            single = [e for e in edges if self.functional(e)]
            if len(edges) != 2 or len(single) != 2 or into:
                continue
            own = [p for p in node.properties if not self._says_nothing(node, p)]
            if not own:
                junctions[node.name] = edges
        return junctions

    def _says_nothing(self, node: NodeType, given: Property) -> bool:
        """Whether a property of a junction is a key, a reference, or the number of a row."""
        if (node.name, given.name) in self.references or given.name == "row_number":
            return True
        keyed = given.name in node.key
        last = self.spoken(node, given.name)[-1:]
        return (keyed and len(node.key) == 1) or last == ["ID"]
