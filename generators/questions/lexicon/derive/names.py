"""What the types of one schema and their properties are called, and which keys are references."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cached_property

from generators.questions.lexicon.derive.clear import are_words, is_clear, is_noun_phrase
from generators.questions.lexicon.derive.data import head_word, heads, kind_of
from generators.questions.lexicon.derive.property_words import PropertyWords
from generators.questions.lexicon.derive.table_names import node_noun, plain_noun, short_name
from generators.questions.lexicon.derive.words import read_property
from generators.questions.lexicon.model import ThingKind
from graphmill.english.inflection import is_done
from graphmill.english.lists import word_map, word_set
from graphmill.english.names import singular
from graphmill.english.senses import Around, calls_tables, meanings, table_sense
from graphmill.english.spoken import half_name, is_skeleton, plain_words, senses_in, split, spoken
from graphmill.english.verbs import by_base, by_past
from schemagraph.model import ANY, NUMERIC, EdgeType, Kind, NodeType, SchemaGraph, Type

_START = 4  # letters of what a module puts before its tables: py_, pl_, crm_
_CLIPPED = re.compile(r"[a-z]{3,4}")
_SHORT_FORM = re.compile(r"[a-z]{3,5}")
_WORD = 4  # letters, from which a word of its own may be the beginning of what it refers to
_DEEDS = frozenset({"al", "age", "ance", "ation", "ence", "ery", "ing", "ion", "ment"})
_HAPPENING = (ThingKind.EVENT, ThingKind.TRANSACTION, ThingKind.DOCUMENT)
_ACTING = (ThingKind.PERSON, ThingKind.ORGANISATION)
_DONE = {(kind, "kind-noun") for kind in _HAPPENING}
_MEASURES = frozenset({"count", "measure", "money", "rating", "share"})
_FACTORS = frozenset({"band", "coefficient", "factor", "high", "low", "multiplier", "step", "unit"})
_COUNTS = frozenset({"amount", "count", "no", "number", "quantity", "sum", "total"})
_KEY_ENDS = frozenset({"cd", "code", "id", "key", "no", "nr", "num", "number"})
_SMALL = frozenset(  # words that names have for what they say
    {"age", "all", "and", "day", "due", "end", "has", "is", "max", "net", "new", "no", "not", "old"}
    | {"in", "off", "on", "or", "out", "own", "per", "sum", "top", "up"}
)
_FIRST = 3  # columns behind the key, among which a table of people has their names
_OF_PEOPLE = frozenset({"birth", "birthday", "gender", "sex"})
_FILLER = frozenset(
    {"has", "in", "of", "at", "on", "from", "is", "ID", "key", "code", "number", "no"}
)


class Names:
    """The nouns of a schema's labels and the words of its properties, by name alone."""

    def __init__(self, schema: SchemaGraph) -> None:
        self.schema = schema
        self._known: dict[str, dict[str, PropertyWords]] = {}
        self._around: dict[str, Around] = {}
        # By label: each is asked for again for every other label and property.
        self._whole_nouns: dict[str, str] = {}
        self._plain_nouns: dict[str, str] = {}
        self._label_nouns: dict[str, str] = {}
        self._columns: dict[str, list[list[str]]] = {}

    def noun(self, label: str) -> str:
        """The noun for one node of a label."""
        if label not in self._whole_nouns:
            self._whole_nouns[label] = self._read_noun(label)
        return self._whole_nouns[label]

    def _read_noun(self, label: str) -> str:
        noun = self._undone(label, self._without_ends(label, self._noun(label)))
        noun = self._row(label, noun) if noun in word_set("containers") else noun
        last = noun.rpartition(" ")[2].lower()
        if last == "code" and noun.count(" ") > 1:
            return noun.removesuffix(" code")  # the problem status, by its code
        if last in word_set("masses"):
            return f"{noun} item"
        if noun.endswith("crew member") and "member" not in label.lower():
            return self._crew(label, noun.removesuffix(" member"))
        return f"{noun} member" if last == "faculty" and self._has_people(label) else noun

    def _crew(self, label: str, crew: str) -> str:
        """A crew that has members, what assigns somebody to one, or a member of one."""
        own = [e for e in self.schema.edges if label in (e.source, e.target)]
        if any("member" in e.label.lower() and "member" not in e.target.lower() for e in own):
            return crew
        refers = (e.target for e in own if e.source == label != e.target)
        nouns = (self._noun(self.schema.node_by_name[end].labels[0]) for end in refers)
        return f"{crew} {'assignment' if any(map(_is_somebody, nouns)) else 'member'}"

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
        # The order of a customer alone; not a school's visit to a show, nor the payment of a hire.
        done = kind_of(last) in _DONE and len(ends) == 1
        done = done and (kind_of(last)[0] is ThingKind.EVENT or kind_of(*ends)[0] in _ACTING)
        kept = rest < 2 - done or rest + 1 != len(parts) or last in others
        return noun if kept or last in word_set("containers") | word_set("masses") else last

    def _undone(self, label: str, noun: str) -> str:
        """The thing that something was done with, where no other label has it: the office of an
        office held."""
        what, _, done = noun.rpartition(" ")
        others = (self._noun(other) for other in self.schema.labels if other != label)
        is_deed = is_done(done) and by_base(done) is None  # no print run
        known = bool(what) and is_deed and is_clear(what) and " and " not in what
        if known and what == "person":
            return f"{done} person"  # people are many things else
        return what if known and what not in others else noun

    def _row(self, label: str, noun: str) -> str:
        """What a row is where the label only says that there are rows: the thing of its key, or
        somebody with a first and a last name, by what is known of them."""
        node = next((n for n in self.schema.nodes if n.labels[0] == label), None)
        columns = self._column_nouns(label)
        key = columns[0] if node is not None and len(node.key) == 1 else []
        if (
            node is not None
            and len(key) > 1
            and len(key[0]) > 1
            and key[-1] in ("ID", "key", "code", "number")
        ):
            return " ".join(key[:-1])
        if node is None or not self._has_people(label):
            return noun
        known = [word.lower() for words in columns for word in words]
        roles = word_map("people_by_property")
        return next((roles[word] for word in known if word in roles), "person")

    def _has_people(self, label: str) -> bool:
        """Whether things of a label have a first and a last name."""
        names = {" ".join(words).lower() for words in self._column_nouns(label)}
        return {"first", "last"} <= {half_name(name) for name in names}

    def _noun(self, label: str) -> str:
        """The noun without what only sorts tables, where no other label has it then."""
        if label not in self._plain_nouns:
            noun = self._label_noun(label)
            others = {self._label_noun(other) for other in self.schema.labels if other != label}
            self._plain_nouns[label] = plain_noun(noun, others, self._column_nouns(label))
        return self._plain_nouns[label]

    def _label_noun(self, label: str) -> str:
        """The noun of a label, without what starts most of them: t_customer, py_employee."""
        if label not in self._label_nouns:
            self._label_nouns[label] = node_noun(
                self._bare(label), self._around_label(label), self._single_nouns
            )
        return self._label_nouns[label]

    def linked(self, label: str) -> frozenset[tuple[str, str]]:
        """The first word of a label that refers to the one thing that is its deed, and that: the
        SHIP_ITEM of a SHIPMENT, where nothing else is a ship. A PLAN_ITEM is none of a PLANET."""
        first, *rest = [word.lower() for word in split(self._bare(label))] or [""]
        if not rest or len(first) < _WORD or first in self._head_nouns:
            return frozenset()
        targets = self._targets.get(label, frozenset())
        longer = [word for word in targets if word.removeprefix(first) in _DEEDS]
        return frozenset({(first, longer[0])} if len(longer) == 1 else ())

    @cached_property
    def _targets(self) -> dict[str, frozenset[str]]:
        """The things of one word that those of each label refer to."""
        targets: dict[str, set[str]] = {}
        for edge in self.schema.edges:
            thing = self._single_noun(self.schema.node_by_name[edge.target].labels[0])
            for label in self.schema.node_by_name[edge.source].labels:
                targets.setdefault(label, set()).add(thing)
        return {label: frozenset(things) for label, things in targets.items()}

    def _single_noun(self, label: str) -> str:
        """The one word that a label is, "" where it has more."""
        parts = spoken(self._bare(label))
        return singular(parts[0]).lower() if len(parts) == 1 else ""

    @cached_property
    def _single_nouns(self) -> frozenset[str]:
        """The things of the schema that are called by one word."""
        return frozenset(map(self._single_noun, self.schema.labels)) - {""}

    @cached_property
    def _head_nouns(self) -> frozenset[str]:
        """The words that labels end with: what the schema's things are."""
        ends = [split(label)[-1:] for label in self.schema.labels]
        return frozenset(singular(word.lower()) for end in ends for word in end)

    @cached_property
    def _short_forms(self) -> frozenset[tuple[str, str]]:
        """Letters in names that are no word, each with the only word of the schema that they begin,
        or with its only thing of which they are the skeleton."""
        parts = {part.lower() for name in self._all_names for part in split(name)}
        nouns = {
            singular(word)
            for word in self._all_words
            if len(word) > _WORD and is_clear(word) and is_noun_phrase(word) and not by_past(word)
        }
        # Where CUST is a customer, CTR is none: a word is shortened in one way.
        shortened = {word_map("abbreviations").get(part, "") for part in parts}
        forms: set[tuple[str, str]] = set()
        for short in parts:
            if not _SHORT_FORM.fullmatch(short) or _has_meaning(short):
                continue
            things = {word for word in self._single_nouns if is_skeleton(short, word)}
            longer = things | {word for word in nouns if _begins(short, word)}
            longer = things if meanings(short) else longer  # "comm" may be no commission
            longer -= shortened
            if len(longer) == 1 and is_clear(word := longer.pop()):
                forms.add((short, word))
        return frozenset(forms | self._key_forms)

    @cached_property
    def _key_forms(self) -> set[tuple[str, str]]:
        """Letters before the key of a thing that they begin, though they are a word: the `art_no`
        of an article, where nothing is called an art."""
        kept = self._single_nouns | word_set("acronyms") | word_set("prepositions") | _SMALL
        kept |= word_map("units").keys() | self._usual_forms
        usual = word_map("abbreviations")
        forms: set[tuple[str, str]] = set()
        for node in self.schema.nodes:
            noun = self._single_noun(node.labels[0])
            for parts in ([part.lower() for part in split(key)] for key in node.key):
                short = parts[0] if len(parts) == 2 and parts[1] in _KEY_ENDS else ""
                own = 1 < len(short) <= _START
                if noun.removeprefix(short) in _DEEDS:  # a ship's number, but none of a don
                    own = own and len(short) < _WORD and by_base(short) is None
                if short in usual:  # a customer master is a customer all the same
                    own = own and is_clear(noun) and usual[short] != noun
                if own and short not in kept and _begins(short, noun):
                    forms.add((short, noun))
        many = Counter(short for short, _ in forms)
        return {form for form in forms if many[form[0]] == 1}

    @cached_property
    def _usual_forms(self) -> set[str]:
        """Abbreviations whose usual meaning some name of the schema writes out: elsewhere the
        `appl_no` of an appliance is no application's."""
        spelt = {singular(part.lower()) for name in self._all_names for part in split(name)}
        return {s for s, means in word_map("abbreviations").items() if spelt & {*means.split()}}

    @cached_property
    def _all_names(self) -> tuple[str, ...]:
        elements: list[NodeType | EdgeType] = [*self.schema.nodes, *self.schema.edges]
        names = (p.name for element in elements for p in element.properties)
        return (*self.schema.labels, *names)

    @cached_property
    def starts(self) -> frozenset[str]:
        """The letters that most labels start with and that are no word; none where they do not."""
        firsts = [split(label)[0].lower() for label in self.schema.labels if split(label)]
        return frozenset(
            first
            for first, many in Counter(firsts).items()
            if many > 1 and 2 * many > len(firsts) and len(first) <= _START
            if len(first) == 1 or not (is_clear(first) or first in word_map("abbreviations"))
        )

    def _column_nouns(self, label: str) -> list[list[str]]:
        """The words of the names of a label's properties, those of its key first."""
        if label not in self._columns:
            self._columns[label] = self._read_columns(label)
        return self._columns[label]

    def _read_columns(self, label: str) -> list[list[str]]:
        node = next((n for n in self.schema.nodes if n.labels[0] == label), None)
        if node is None:
            return []
        names = [*node.key, *(p.name for p in node.properties if p.name not in node.key)]
        return [spoken(name, self.around(node)) for name in names]

    def around(self, element: NodeType | EdgeType) -> Around:
        """The words that names of an element stand among."""
        if element.name not in self._around:
            ends = [element] if isinstance(element, NodeType) else self._ends(element)
            names = [p.name for each in (element, *ends) for p in each.properties]
            label = element.labels[0] if isinstance(element, NodeType) else element.label
            words = plain_words([label, *names])
            tables, clipped = self._clipped, self._short_forms
            if isinstance(element, NodeType):
                tables |= self.linked(label)
            whole = Around(words, self._all_words, tables=tables, clipped=clipped)
            if isinstance(element, NodeType):  # the LN_NO of a CTR_LN, which is a line
                own = senses_in(self._bare(label), whole)
                others = {form for form in clipped if form[0] not in own}
                whole = replace(whole, clipped=frozenset(others | own.items()))
            self._around[element.name] = whole
        return self._around[element.name]

    def _around_label(self, label: str) -> Around:
        node = next((n for n in self.schema.nodes if n.labels[0] == label), None)
        if node is None:
            schema = self._all_words
            return Around(schema=schema, tables=self._clipped, clipped=self._short_forms)
        return self.around(node)

    @cached_property
    def _clipped(self) -> frozenset[tuple[str, str]]:
        """What tables are whose whole names are clipped words: by their columns, or by the only
        word of the schema that is clipped so."""
        meanings: set[tuple[str, str]] = set()
        for node in self.schema.nodes:
            label = self._bare(node.labels[0]).lower()
            if not _CLIPPED.fullmatch(label):
                continue
            if person := _only_person(label, node):
                meanings.add((label, person))
                continue
            if is_clear(label) and not calls_tables(label):
                continue
            around = Around(plain_words(p.name for p in node.properties), self._all_words)
            longer = {
                singular(word)
                for word in self._all_words
                if word.startswith(label) and len(word) > len(label) + 1 and is_clear(word)
            }
            meant = table_sense(label, around) or (longer.pop() if len(longer) == 1 else "")
            if meant:
                meanings.add((label, meant))
        return frozenset(meanings)

    def _bare(self, label: str) -> str:
        """A label without what starts most of them."""
        parts = split(label)
        started = len(parts) > 1 and parts[0].lower() in self.starts
        return "_".join(parts[1:]) if started else label

    def _ends(self, edge: EdgeType) -> list[NodeType]:
        return [self.schema.node_by_name[end] for end in (edge.source, edge.target)]

    @cached_property
    def _all_words(self) -> frozenset[str]:
        return plain_words(self._all_names)

    def read(
        self,
        element: NodeType | EdgeType,
        name: str,
        type_: Type,
        owner: str = "",
        before: str = "",
    ) -> PropertyWords:
        """The words of a name of an element, whatever else it has (`read_property`).

        `before` is what was taken off the name's beginning.
        """
        around = self.around(element)
        name = _distinguished(element, name)
        if _is_least(element, name):  # "min" is no unit beside a "max"
            name = f"minimum_{name[:-3].rstrip('_')}"
        if before:
            lost = (word.lower() for word in spoken(before, around))
            around = replace(around, beside=frozenset(lost))
        return read_property(name, type_, owner, around)

    def property(self, element: NodeType | EdgeType, name: str) -> PropertyWords:
        """The words of a property; its owner's are left out where it still differs from others."""
        owner = self.noun(element.labels[0]) if isinstance(element, NodeType) else ""
        if not owner:
            given = element.property(name)
            return self.read(element, name, given.type if given else ANY)
        if element.name not in self._known:
            self._known[element.name] = _words_of(self, element, owner, self._nouns)
        words = self._known[element.name][name]
        key = isinstance(element, NodeType) and element.key == (name,)
        called = words.noun == owner or (key and owner.endswith(f" {words.noun}"))
        if called and words.kind is Kind.STRING:  # the tag of a hashtag, the site of a net site
            coded = words.noun.rpartition(" ")[2] == "code"  # of a closing code
            return replace(words, noun="code" if coded else "name", identity=True)
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
        around = self.around(node)
        for stem in (_stem(edge.label, around), _stem(target.labels[0], around)):
            for p in node.properties:
                if p.name in own:
                    continue
                if stem and _stem(p.name, around) == stem:
                    return p.name
        role = set(_stem(edge.label, around)) - set(_stem(target.labels[0], around))
        if len(target.key) == 1 and role:
            for p in node.properties:  # src_airport_id, src_apid: the key after the role
                before = p.name.lower().removesuffix(target.key[0].lower())
                if before != p.name.lower() and set(_stem(before, around)) == role:
                    return p.name
        shared -= set(node.key) if len(node.key) == 1 else set()  # a number of its own
        candidates = [p.name for p in node.properties if p.name in shared and _stem(p.name, around)]
        ends = [(e.source, e.target) for e in self.schema.edges]
        only = edge.source != edge.target and ends.count((edge.source, edge.target)) == 1
        return next(iter(candidates), "") or (_beginning(node, target, around) if only else "")


def _only_person(short: str, node: NodeType) -> str:
    """Who a thing is that is called by an abbreviation, where its columns begin with somebody's
    names and only one of its meanings is a person: an operator, not an operation."""
    columns = [p.name for p in node.properties if p.name not in node.key]
    first = [" ".join(spoken(name)).lower() for name in columns[:_FIRST]]
    halves = {half_name(noun) for noun in first}
    alive = "name" in first and not plain_words(columns).isdisjoint(_OF_PEOPLE)
    people = {word for word in meanings(short) if kind_of(word)[0] is ThingKind.PERSON}
    return people.pop() if len(people) == 1 and ({"first", "last"} <= halves or alive) else ""


def _begins(short: str, word: str) -> bool:
    """Whether letters are the beginning of a word that has more than one beyond them."""
    return word.startswith(short) and len(word) > len(short) + 1


def _has_meaning(short: str) -> bool:
    """Whether letters of a name are a word, or stand for one in all schemas."""
    known = word_set("acronyms") | word_set("known_codes") | word_map("units").keys()
    return short in known or short in word_map("abbreviations") or are_words(short)


def _words_of(
    names: Names, element: NodeType | EdgeType, owner: str, others: set[str]
) -> dict[str, PropertyWords]:
    """Words for all properties of a type, no two of them the same or those for other things."""
    by_name: dict[str, PropertyWords] = {}
    mixed = any(letter.islower() for p in element.properties for letter in p.name)
    for p in element.properties:
        parts = split(p.name)
        linked = names.linked(element.labels[0]) if isinstance(element, NodeType) else ()
        short, before = short_name(element, p.name, owner)
        if before.lower() in dict(linked):
            short, before = p.name, ""  # of what it refers to
        by_name[p.name] = names.read(element, short, p.type, owner, before)
        spelt = mixed and p.name.isupper() and not is_clear(by_name[p.name].noun)
        if spelt and by_name[p.name].noun == " ".join(parts).lower():
            by_name[p.name] = replace(by_name[p.name], noun=" ".join(parts))  # FTE_AY
    if not any(words.identity for words in by_name.values()):
        ends = [name for name, words in by_name.items() if _is_name(words)]
        by_name |= {name: replace(by_name[name], identity=True) for name in ends if len(ends) == 1}
    key = element.key if isinstance(element, NodeType) else ()
    if len(key) == 1 and _is_identifier(by_name[key[0]]):
        by_name[key[0]] = replace(by_name[key[0]], noun="ID", reference=True)
    for part in element.properties if len(key) > 1 else ():
        if part.name in key and by_name[part.name].noun == "ID":
            by_name[part.name] = names.read(element, part.name, part.type)  # of what it joins
    nouns = [words.noun for words in by_name.values()]
    for p in element.properties:
        bare = names.read(element, p.name, p.type).noun
        clash = by_name[p.name].noun in others and by_name[p.name].noun != bare
        if clash or nouns.count(by_name[p.name].noun) > 1:
            by_name[p.name] = names.read(element, p.name, p.type)
    return by_name


def _is_least(element: NodeType | EdgeType, name: str) -> bool:
    """Whether a name, or its end, ends in "min" as another of its element does in "max"."""
    low = name.lower()
    others = (p.name.lower() for p in element.properties)
    ends = len(low) > 3 and split(name)[-1].lower() == "min"
    return ends and any(other.endswith(f"{low[:-3]}max") for other in others)


def _distinguished(element: NodeType | EdgeType, name: str) -> str:
    """A name of a number with the word before its measure that tells it apart from another of its
    element: size_upper beside size_lower."""
    measure, last, unit = _measure_in(name)
    if not measure or not _is_quality(last):
        return name
    for other in element.properties:
        beside = _measure_in(other.name) if other.type.kind in NUMERIC else ([], "", [])
        alike = beside[0][-len(measure) :] == measure and beside[2] == unit
        if alike and beside[1] != last and _is_quality(beside[1]):
            return "_".join([last, *measure, *unit])
    return name


def _measure_in(name: str) -> tuple[list[str], str, list[str]]:
    """The words of a name up to its measure, the word behind that and the unit; none of others."""
    parts = [part.lower() for part in split(name)]
    unit = [part for part in parts[-1:] if part in word_map("units")]
    *measure, last = parts[: len(parts) - len(unit)] or [""]
    noun = word_map("abbreviations").get(measure[-1], measure[-1]) if measure else ""
    roles = {head.role for head in heads() if noun in head.words}
    known = roles & _MEASURES and noun not in word_set("behind_amounts") | _COUNTS
    return (measure, last, unit) if known else ([], "", [])


def _is_quality(word: str) -> bool:
    """Whether a word behind a measure says which: the guest of a rate, not the code of an area."""
    small = word_set("prepositions") | word_set("general") | word_set("sorting") | _SMALL
    small = small - {"inside", "new", "old", "outside", "top"} | _FACTORS
    small |= word_set("behind_amounts") | word_set("behind_nouns") | word_map("units").keys()
    headed = any(word in head.words for head in heads())
    return len(word) > 2 and are_words(word) and not (word in small or headed or by_past(word))


def _is_somebody(noun: str) -> bool:
    return kind_of(head_word(noun))[0] is ThingKind.PERSON and not noun.endswith("member")


def _is_identifier(words: PropertyWords) -> bool:
    """Whether a key has no other noun than that it is one: "donor ID", and letters ("din")."""
    return words.noun.endswith(" ID") or not (words.identity or is_clear(words.noun))


def _is_name(words: PropertyWords) -> bool:
    """Whether a property is a name of the whole thing: `company_name`."""
    first, _, last = words.noun.rpartition(" ")
    return last == "name" and words.kind is Kind.STRING and first not in word_set("part_names")


def _stem(name: str, around: Around) -> tuple[str, ...]:
    return tuple(singular(w).lower() for w in spoken(name, around) if w not in _FILLER)


def _beginning(node: NodeType, target: NodeType, around: Around) -> str:
    """The property that names the target by the start of its label: `claim_id` of a ClaimHeader."""
    stem = _stem(target.labels[0], around)
    for p in node.properties:
        mine = _stem(p.name, around)
        if spoken(p.name)[-1:] == ["ID"] and mine and mine == stem[: len(mine)]:
            return p.name
    return ""
