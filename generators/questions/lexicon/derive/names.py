"""What the types of one schema and their properties are called, and which keys are references."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from generators.questions.lexicon.derive.data import kind_of
from generators.questions.lexicon.derive.property_words import PropertyWords
from generators.questions.lexicon.derive.words import node_noun, read_property
from generators.questions.lexicon.model import ThingKind
from graphmill.english.lists import word_map, word_set
from graphmill.english.names import singular
from graphmill.english.spoken import abbreviates, half_name, split, spoken
from schemagraph.model import EdgeType, Kind, NodeType, SchemaGraph

_HAPPENING = (ThingKind.EVENT, ThingKind.TRANSACTION, ThingKind.DOCUMENT)
_DONE = {(kind, "kind-noun") for kind in _HAPPENING}
_FILLER = frozenset({"has", "in", "of", "at", "on", "from", "is", "ID", "key", "code", "number"})


class Names:
    """The nouns of a schema's labels and the words of its properties, by name alone."""

    def __init__(self, schema: SchemaGraph) -> None:
        self.schema = schema
        self._known: dict[str, dict[str, PropertyWords]] = {}

    def noun(self, label: str) -> str:
        """The noun for one node of a label."""
        noun = self._without_ends(label, self._noun(label))
        noun = self._row(label, noun) if noun in word_set("containers") else noun
        last = noun.rpartition(" ")[2].lower()
        if last == "code" and noun.count(" ") > 1:
            return noun.removesuffix(" code")  # the problem status, by its code
        if last in word_set("masses"):
            return f"{noun} item"
        return f"{noun} member" if last == "faculty" and self._has_people(label) else noun

    def _without_ends(self, label: str, noun: str) -> str:
        """The noun without those of two things that its rows refer to: the estimation of a film and
        a market, where no other label has it then."""
        parts = noun.split(" ")
        if len(parts) < 2:
            return noun
        ends = {
            self._noun(self.schema.node_by_name[edge.target].labels[0]).lower()
            for edge in self.schema.edges
            if label in self.schema.node_by_name[edge.source].labels and edge.source != edge.target
        }
        rest = next((i for i, part in enumerate(parts) if part.lower() not in ends), len(parts))
        last = " ".join(parts[rest:])
        others = {self._noun(other) for other in self.schema.labels if other != label}
        done = kind_of(last) in _DONE  # the order of a customer
        kept = rest < 2 - done or rest + 1 != len(parts) or last in others
        return noun if kept or last in word_set("containers") | word_set("masses") else last

    def _row(self, label: str, noun: str) -> str:
        """What a row is where the label only says that there are rows: the thing of its key, or
        somebody with a first and a last name, by what is known of them."""
        node = next((n for n in self.schema.nodes if n.labels[0] == label), None)
        key = spoken(node.key[0]) if node is not None and len(node.key) == 1 else []
        if (
            node is not None
            and len(key) > 1
            and len(key[0]) > 1
            and key[-1] in ("ID", "key", "code", "number")
        ):
            return " ".join(key[:-1])
        if node is None or not self._has_people(label):
            return noun
        known = [word.lower() for p in node.properties for word in spoken(p.name)]
        roles = word_map("people_by_property")
        return next((roles[word] for word in known if word in roles), "person")

    def _has_people(self, label: str) -> bool:
        """Whether things of a label have a first and a last name."""
        node = next((n for n in self.schema.nodes if n.labels[0] == label), None)
        names = {" ".join(spoken(p.name)).lower() for p in node.properties} if node else set()
        return {"first", "last"} <= {half_name(name) for name in names}

    def _noun(self, label: str) -> str:
        """The noun without what only sorts tables, where no other label has it then."""
        noun = node_noun(label)
        first, _, rest = noun.partition(" ")
        if rest and first in word_set("table_sorts"):
            others = [node_noun(other) for other in self.schema.labels if other != label]
            return noun if rest in others else rest
        return noun

    def property(self, element: NodeType | EdgeType, name: str) -> PropertyWords:
        """The words of a property; its owner's are left out where it still differs from others."""
        owner = self.noun(element.labels[0]) if isinstance(element, NodeType) else ""
        if not owner:
            given = element.property(name)
            return read_property(name, given.type) if given else read_property(name)
        if element.name not in self._known:
            self._known[element.name] = _words_of(element, owner, self._nouns)
        words = self._known[element.name][name]
        if words.noun == owner and words.kind is Kind.STRING:
            return replace(words, noun="name", identity=True)  # the tag of a hashtag
        return words

    @cached_property
    def _nouns(self) -> set[str]:
        return {self.noun(name) for name in self.schema.labels}

    def reference(self, edge: EdgeType) -> str:
        """The source's property that holds the target's key, "" where there is none."""
        node = self.schema.node_by_name.get(edge.source)
        target = self.schema.node_by_name.get(edge.target)
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
        candidates = [p.name for p in node.properties if p.name in shared and _stem(p.name)]
        ends = [(e.source, e.target) for e in self.schema.edges]
        only = edge.source != edge.target and ends.count((edge.source, edge.target)) == 1
        return next(iter(candidates), "") or (_beginning(node, target) if only else "")


def _words_of(
    element: NodeType | EdgeType, owner: str, others: set[str]
) -> dict[str, PropertyWords]:
    """Words for all properties of a type, no two of them the same or those for other things."""
    prefixes = _prefixes([p.name for p in element.properties], owner)
    by_name: dict[str, PropertyWords] = {}
    mixed = any(letter.islower() for p in element.properties for letter in p.name)
    for p in element.properties:
        parts = split(p.name)
        rest = "_".join(parts[1:])
        short = rest if rest and parts[0].lower() in prefixes else p.name
        by_name[p.name] = read_property(short, p.type, owner)
        if mixed and p.name.isupper() and by_name[p.name].noun == " ".join(parts).lower():
            by_name[p.name] = replace(by_name[p.name], noun=" ".join(parts))  # FTE_AY
    if not any(words.identity for words in by_name.values()):
        ends = [name for name, words in by_name.items() if _is_name(words)]
        by_name |= {name: replace(by_name[name], identity=True) for name in ends if len(ends) == 1}
    key = element.key if isinstance(element, NodeType) else ()
    if len(key) == 1 and by_name[key[0]].noun.endswith(" ID"):
        by_name[key[0]] = replace(by_name[key[0]], noun="ID")
    for part in element.properties if len(key) > 1 else ():
        if part.name in key and by_name[part.name].noun == "ID":
            by_name[part.name] = read_property(part.name, part.type)  # of what it joins
    nouns = [words.noun for words in by_name.values()]
    for p in element.properties:
        bare = read_property(p.name, p.type).noun
        clash = by_name[p.name].noun in others and by_name[p.name].noun != bare
        if clash or nouns.count(by_name[p.name].noun) > 1:
            by_name[p.name] = read_property(p.name, p.type)
    return by_name


def _is_name(words: PropertyWords) -> bool:
    """Whether a property is a name of the whole thing: `company_name`."""
    first, _, last = words.noun.rpartition(" ")
    return last == "name" and words.kind is Kind.STRING and first not in word_set("part_names")


def _prefixes(names: list[str], owner: str) -> set[str]:
    """Short forms of the owner that names of its properties start with: `emp_name`, `emp_no`."""
    prefixes: set[str] = set()
    parts = [[word.lower() for word in split(name)] for name in names]
    firsts = [words[0] for words in parts if len(words) > 1]
    for first in dict.fromkeys(firsts):
        short = abbreviates(first, owner) or abbreviates(first, owner.rpartition(" ")[2])
        if not short or len(first) > 4 or first in owner.split():
            continue
        if firsts.count(first) > 1 or any([first, end] in parts for end in ("name", "id", "title")):
            prefixes.add(first)
    return prefixes


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
