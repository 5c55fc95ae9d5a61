"""The words for one schema: what its labels, properties and edges are called."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from generators.questions.author import NotExpressible
from generators.questions.lexicon.nouns import (
    Body,
    Person,
    abbreviates,
    half_name,
    node_noun,
    property_words,
    spoken,
)
from generators.questions.lexicon.properties import PropertyWords
from generators.questions.lexicon.relations import EdgeWords, Lexicon, Predicate, edge_words
from graph_ir import nodes as ir
from graphmill.english.inflection import listing, plural
from graphmill.english.lists import word_set
from graphmill.english.verbs import by_base, by_past
from schemagraph.model import ANY, EdgeType, Kind, NodeType, SchemaGraph, Type
from schemagraph.naming import singular
from schemagraph.naming import words as split

_FILLER = frozenset({"has", "in", "of", "at", "on", "from", "is", "ID", "key", "code", "number"})


class Vocabulary:
    """Words for the types of a schema, or for bare names where there is none."""

    def __init__(self, schema: SchemaGraph | None, lexicon: Lexicon | None = None) -> None:
        self.schema = schema
        self.lexicon = lexicon or Lexicon()
        self.fixed: set[str] = set()  # phrases that no synonym takes the place of
        self._known: dict[tuple[str, str], dict[str, PropertyWords]] = {}
        self._beings: dict[str, type[Person | Body] | None] = {}

    def noun(self, label: str) -> str:
        """The noun for one node of a label."""
        noun = self.lexicon.nouns.get(label) or self._noun(label)
        if noun.rpartition(" ")[2].lower() in word_set("masses"):
            noun = f"{noun} item"
        if " " in noun:  # a known error is not any recorded one
            self.fixed |= {noun, plural(noun)}
        if label not in self._beings:
            self._beings[label] = self._being(label)
        kind = self._beings[label]
        if kind is Person and noun.rpartition(" ")[2] == "faculty":
            noun = f"{noun} member"
        return kind(noun) if kind is not None else noun

    def _being(self, label: str) -> type[Person | Body] | None:
        """Whether things of a label are people or bodies, as far as their properties tell."""
        for node in self.schema.nodes if self.schema is not None else ():
            if node.labels[0] == label:
                names = {" ".join(spoken(p.name)).lower() for p in node.properties}
                if {"first", "last"} <= {half_name(name) for name in names}:
                    return Person
                return Body if names & _BODIES else None
        return None

    def _noun(self, label: str) -> str:
        """The noun without what only sorts tables, where no other label has it then."""
        noun = node_noun(label)
        first, _, rest = noun.partition(" ")
        if rest and first in word_set("table_sorts") and self.schema is not None:
            others = [node_noun(other) for other in self.schema.labels if other != label]
            return noun if rest in others else rest
        return noun

    def node_types(self, labels: ir.LabelExpr | None) -> tuple[str, ...]:
        """Names of the node types that a label expression admits."""
        if self.schema is None:
            return tuple(_names(labels))
        return tuple(n.name for n in self.schema.nodes if admits(labels, n.labels))

    def entity_noun(self, labels: ir.LabelExpr | None, types: tuple[str, ...]) -> str:
        """The noun for what a node pattern matches."""
        match labels:
            case ir.LabelName(name):
                return self.noun(name)
            case ir.LabelOr(args) if all(isinstance(arg, ir.LabelName) for arg in args):
                return listing([self.noun(name) for name in _names(labels)], "or")
            case ir.LabelAnd(args) if all(isinstance(arg, ir.LabelName) for arg in args):
                telling = self._telling(list(_names(labels)))
                return " ".join(self.noun(name) for name in telling[::-1])
            case None if len(types) == 1:
                return self.noun(types[0].split("&")[0])
            case None if types and len(types) <= 3:
                return listing([self.noun(name.split("&")[0]) for name in types], "or")
            case None:
                return "item"
        raise NotExpressible("label expression")

    def _telling(self, labels: list[str]) -> list[str]:
        """The labels that no other of them implies: an employee is a person."""
        nodes = self.schema.nodes if self.schema is not None else ()
        kept = list(labels)
        for name in reversed(labels):
            those = [set(node.labels) for node in nodes if {*kept} - {name} & {*node.labels}]
            if len(kept) > 1 and those and all(name in each for each in those):
                kept.remove(name)
        return kept

    def property(self, types: Iterable[str], key: str, owner: str = "") -> PropertyWords:
        """The words for a property of a node or edge of one of `types`."""
        words = self._property(types, key, owner)
        if _RANKED.match(words.noun):  # no synonym for what is a name
            self.fixed |= {words.noun, plural(words.noun)}
        if words.noun == owner and words.kind is Kind.STRING:
            return replace(words, noun="name", identity=True)  # the tag of a hashtag
        if words.noun == "number" and owner:
            return replace(words, many=f"{_telling(owner)} numbers")
        return words

    def _property(self, types: Iterable[str], key: str, owner: str) -> PropertyWords:
        found: Type = ANY
        for name in types:
            element = self._element(name)
            known = element.property(key) if element else None
            if known is not None:
                found = known.type
                break
        said = next(filter(None, (self.lexicon.properties.get((n, key)) for n in types)), "")
        words = property_words(said, found) if said else self._by_name(types, key, found, owner)
        if said and words.noun.replace(" ", "").casefold() == said.replace(" ", "").casefold():
            words = replace(words, noun=said)  # with its own capitals
        unit = next(filter(None, (self.lexicon.units.get((n, key)) for n in types)), "")
        if not unit:
            return words
        noun = words.noun.removesuffix(f" {unit}") or words.noun
        first, _, last = noun.rpartition(" ")
        if first and last.lower() == "".join(w[0] for w in unit.split() if w != "per").lower():
            noun = first  # weight_gsm in grams per square metre
        if noun.casefold().endswith(f" {unit}".casefold()):
            noun = noun[: -len(unit) - 1]
            if by_past(noun) is not None:  # rated_mva
                return replace(words, noun=f"{noun} {unit}")
        if unit == "%" and ("percent" in noun or noun.endswith("percentage")):
            return words
        if noun.startswith(f"{unit} "):
            return words  # a USD value
        return replace(words, unit=unit if unit.casefold() != noun.casefold() else "", noun=noun)

    def _by_name(self, types: Iterable[str], key: str, found: Type, owner: str) -> PropertyWords:
        """The words of a name; its owner's are left out where it still differs from others."""
        element = next((e for name in types if (e := self._element(name)) is not None), None)
        if element is None or not owner:
            return property_words(key, found, owner)
        known = self._known.get((element.name, owner))
        if known is None:
            others = {self.noun(name) for name in self.schema.labels} if self.schema else set()
            known = self._known[element.name, owner] = _told(element, owner, others)
        return known.get(key) or property_words(key, found, owner)

    def _element(self, name: str) -> NodeType | EdgeType | None:
        if self.schema is None:
            return None
        return self.schema.node_by_name.get(name) or self.schema.edge_by_name.get(name)

    def nouns(self, types: Iterable[str], owner: str = "") -> set[str]:
        """What all properties of a thing or a link are called."""
        elements = [e for name in types if (e := self._element(name)) is not None]
        return {self.property([e.name], p.name, owner).noun for e in elements for p in e.properties}

    def keys(self, types: Iterable[str]) -> tuple[str, ...]:
        """The key properties of a node type."""
        for name in types:
            element = self._element(name)
            if isinstance(element, NodeType):
                return element.key
        return ()

    def edge_types(
        self, types: ir.LabelExpr | None, source: tuple[str, ...], target: tuple[str, ...]
    ) -> tuple[EdgeType, ...]:
        """Edge types that a pattern from `source` to `target` can be."""
        if self.schema is None:
            return ()
        return tuple(
            e
            for e in self.schema.edges
            if admits(types, (e.label,))
            and (not source or e.source in source)
            and (not target or e.target in target)
        )

    def edge(
        self, types: ir.LabelExpr | None, source: str, target: str, found: tuple[EdgeType, ...]
    ) -> EdgeWords:
        """Words for an edge pattern between two nouns."""
        labels = list(_names(types))
        if types is not None and not isinstance(types, ir.LabelName | ir.LabelOr):
            raise NotExpressible("edge type expression")
        if not labels:
            linked = Predicate("is linked to {}", "are linked to {}")
            return EdgeWords(linked, linked)
        functional = bool(found) and all(self.is_reference(e) for e in found)
        words = [self._words_of(label, source, target, found, functional) for label in labels]
        found_words = words[0] if len(words) == 1 else _either(words, labels)
        self.fixed |= phrases(found_words)
        return found_words

    def _words_of(
        self, label: str, source: str, target: str, found: tuple[EdgeType, ...], functional: bool
    ) -> EdgeWords:
        """Words for one label; chosen ones that have no noun take it from the label."""
        ruled = edge_words(label, source, target, reference=functional)
        chosen = self._chosen(label, found)
        if chosen is None or chosen.noun != "link":
            return chosen or ruled
        plain = " " not in ruled.noun and ruled.noun not in {"link", *word_set("prepositions")}
        plain = plain and (by_base(ruled.noun) is None or ruled.noun in word_set("also_nouns"))
        return replace(chosen, noun=ruled.noun if plain else f"“{' '.join(spoken(label))}” link")

    def _chosen(self, label: str, found: tuple[EdgeType, ...]) -> EdgeWords | None:
        """Words chosen for the edge type, where there is one, or for its label."""
        same = [e for e in found if e.label == label]
        said = [self.lexicon.edges.get(e.name) for e in same]
        if said and said[0] is not None and all(words == said[0] for words in said):
            return said[0]
        return self.lexicon.edges.get(label)

    def places(self, types: Iterable[str]) -> tuple[str, ...]:
        """The properties of a thing that say where it is."""
        elements = [e for name in types if (e := self._element(name)) is not None]
        names = [p.name for e in elements for p in e.properties]
        return tuple(name for name in dict.fromkeys(names) if self.property(types, name).place)

    def alone(self, labels: Iterable[str]) -> bool:
        """Whether edges of these types are the only ones between their ends."""
        if self.schema is None:
            return True
        mine = [e for e in self.schema.edges if e.name in labels]
        ends = [{e.source, e.target} for e in mine]
        others = [e for e in self.schema.edges if {e.source, e.target} in ends]
        return len({e.label for e in others}) <= len({e.label for e in mine})

    def is_reference(self, edge: EdgeType) -> bool:
        """Whether the edge is a foreign key of its source: many-to-one, with a property kept."""
        return bool(self.reference(edge))

    def reference(self, edge: EdgeType) -> str:
        """The source's property that holds the target's key, "" where there is none."""
        node = self.schema.node_by_name.get(edge.source) if self.schema else None
        target = self.schema.node_by_name.get(edge.target) if self.schema else None
        if node is None or target is None or edge.properties:
            return ""
        shared = set(target.key) if edge.source != edge.target else set()
        own = set(node.key) if edge.source == edge.target else set()
        for stem in (_stem(edge.label), _stem(target.labels[0])):
            for p in node.properties:
                if p.name in own:
                    continue
                if stem and _stem(p.name) == stem:
                    return p.name
        role = set(_stem(edge.label)) - set(_stem(target.labels[0]))
        if len(target.key) == 1 and role:
            for p in node.properties:  # src_airport_id, src_apid: the key after the role
                before = p.name.lower().removesuffix(target.key[0].lower())
                if before != p.name.lower() and set(_stem(before)) == role:
                    return p.name
        shared -= set(node.key) if len(node.key) == 1 else set()  # a number of its own
        found = [p.name for p in node.properties if p.name in shared and _stem(p.name)]
        ends = [(e.source, e.target) for e in self.schema.edges] if self.schema else []
        only = edge.source != edge.target and ends.count((edge.source, edge.target)) == 1
        return next(iter(found), "") or (_beginning(node, target) if only else "")

    def referred(self, types: Iterable[str], key: str) -> str:
        """What a foreign key stands for, as a noun: `owner_id` is an owner; "" if it is none."""
        for name in types:
            for edge in self.schema.edges if self.schema else ():
                if edge.source == name and self.reference(edge) == key:
                    words = [w for w in spoken(key) if w not in ("ID", "code", "key", "number")]
                    return " ".join(words) if words else self.noun(edge.target.split("&")[0])
        return ""


_RANKED = re.compile(r"(?:lowest|highest|total|average|latest|mean) ")
_BODIES = frozenset({"employees", "number of employees", "employee count", "headquarters"})


def _told(element: NodeType | EdgeType, owner: str, others: set[str]) -> dict[str, PropertyWords]:
    """Words for all properties of a type, no two of them the same or those for other things."""
    prefixes = _prefixes([p.name for p in element.properties], owner)
    found: dict[str, PropertyWords] = {}
    mixed = any(letter.islower() for p in element.properties for letter in p.name)
    for p in element.properties:
        parts = split(p.name)
        rest = "_".join(parts[1:])
        short = rest if parts[0].lower() in prefixes and rest else p.name
        found[p.name] = property_words(short, p.type, owner)
        if mixed and p.name.isupper() and found[p.name].noun == " ".join(parts).lower():
            found[p.name] = replace(found[p.name], noun=" ".join(parts))  # FTE_AY
    if not any(words.identity for words in found.values()):
        ends = [name for name, words in found.items() if _is_name(words)]
        found |= {name: replace(found[name], identity=True) for name in ends if len(ends) == 1}
    key = element.key if isinstance(element, NodeType) else ()
    if len(key) == 1 and found[key[0]].noun.endswith(" ID"):
        found[key[0]] = replace(found[key[0]], noun="ID")
    for part in element.properties if len(key) > 1 else ():
        if part.name in key and found[part.name].noun == "ID":
            found[part.name] = property_words(part.name, part.type)  # of what it joins
    nouns = [words.noun for words in found.values()]
    for p in element.properties:
        bare = property_words(p.name, p.type).noun
        clash = found[p.name].noun in others and found[p.name].noun != bare
        if clash or nouns.count(found[p.name].noun) > 1:
            found[p.name] = property_words(p.name, p.type)
    return found


def _telling(owner: str) -> str:
    """The word that numbers are of: permit numbers of building permits, staff numbers."""
    first, _, last = owner.partition(" of ")[0].rpartition(" ")
    return first.rpartition(" ")[2] if first and last == "member" else last


def _is_name(words: PropertyWords) -> bool:
    """Whether a property is a name of the whole thing: `company_name`."""
    first, _, last = words.noun.rpartition(" ")
    return last == "name" and words.kind is Kind.STRING and first not in word_set("part_names")


def _prefixes(names: list[str], owner: str) -> set[str]:
    """Short forms of the owner that names of its properties start with: `emp_name`, `emp_no`."""
    found: set[str] = set()
    parts = [[word.lower() for word in split(name)] for name in names]
    firsts = [words[0] for words in parts if len(words) > 1]
    for first in dict.fromkeys(firsts):
        short = abbreviates(first, owner) or abbreviates(first, owner.rpartition(" ")[2])
        if not short or len(first) > 4 or first in owner.split():
            continue
        if firsts.count(first) > 1 or any([first, end] in parts for end in ("name", "id", "title")):
            found.add(first)
    return found


def _stem(name: str) -> tuple[str, ...]:
    return tuple(singular(w).lower() for w in spoken(name) if w not in _FILLER)


def _beginning(node: NodeType, target: NodeType) -> str:
    """The property that names the target by the start of its label: `claim_id` of a ClaimHeader."""
    stem = _stem(target.labels[0])
    for p in node.properties:
        mine = _stem(p.name)
        if spoken(p.name)[-1:] == ["ID"] and mine and mine == stem[: len(mine)]:
            return p.name
    return ""


def phrases(words: EdgeWords) -> set[str]:
    """The verb phrases of an edge: "together with" in one of them is no connective."""
    said = [words.forward, words.backward]
    texts = [t for p in said for t in (p.singular, p.plural, p.relative)]
    pieces = {piece.strip(" ,") for text in texts for piece in text.split("{}")}
    return {piece for piece in pieces if " " in piece}


def _names(labels: ir.LabelExpr | None) -> Iterable[str]:
    match labels:
        case ir.LabelName(name):
            yield name
        case ir.LabelAnd(args) | ir.LabelOr(args):
            for arg in args:
                yield from _names(arg)
        case _:
            return


def admits(labels: ir.LabelExpr | None, carried: tuple[str, ...]) -> bool:
    """Whether an element that carries `carried` satisfies a label expression."""
    match labels:
        case ir.LabelName(name):
            return name in carried
        case ir.LabelAnd(args):
            return all(admits(arg, carried) for arg in args)
        case ir.LabelOr(args):
            return any(admits(arg, carried) for arg in args)
        case ir.LabelNot(arg):
            return not admits(arg, carried)
    return True


def _either(words: list[EdgeWords], labels: list[str]) -> EdgeWords:
    """One predicate for several edge labels: "acted in or directed {}"."""
    ways = []
    for side in ("forward", "backward"):
        said: list[Predicate] = [getattr(w, side) for w in words]
        ends = all(p.plural.endswith(" {}") and not p.relative for p in said)
        if ends:
            ways.append(
                Predicate(
                    listing([p.singular.removesuffix(" {}") for p in said], "or") + " {}",
                    listing([p.plural.removesuffix(" {}") for p in said], "or") + " {}",
                )
            )
            continue
        quoted = listing([f"“{' '.join(spoken(label))}”" for label in labels], "or")
        ways.append(Predicate(f"is linked to {{}} by {quoted}", f"are linked to {{}} by {quoted}"))
    return EdgeWords(ways[0], ways[1])
