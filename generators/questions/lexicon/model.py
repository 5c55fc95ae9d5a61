"""What a lexicon holds: the words of one graph, each with where it is from and how sure it is.

Things are node types, paths are what people say along one edge or several, properties have the
frames in which their values are said, the glossary has the terms of the trade. It is data:
`lexicon.toml` beside `schema.json`, read and written by `toml.py`, derived by `derive/`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, ClassVar

from graphmill.english.inflection import article

FILE = "lexicon.toml"
_EDGE = 3  # parts of a path along one edge
_LINES = frozenset({"detail", "line"})  # of an order, a sale
CONFIDENCE = 0.6  # what an entry must have for levels 2 and 3, where nobody sets another


class Provenance(StrEnum):
    """Who says it."""

    DECLARED = "declared"  # the source's own comments, the example's hand-written words
    DOMAIN = "domain"  # a taxonomy file of a sub-domain
    MODEL = "model"  # a language model, checked
    RULE = "rule"  # derived from names, keys, kinds and data
    USER = "user"  # somebody wrote or edited the entry: never overwritten


class ThingKind(StrEnum):
    """What sort of thing a node is; prepositions, pronouns and verbs follow from it."""

    PERSON = "person"
    ORGANISATION = "organisation"
    PLACE = "place"
    EVENT = "event"
    WORK = "work"  # films, songs, books, courses: what is made once and known by its title
    DOCUMENT = "document"
    PRODUCT = "product"
    VEHICLE = "vehicle"
    ANIMAL = "animal"
    CATEGORY = "category"  # genres, statuses, languages: says what sort of another thing
    PERIOD = "period"
    TRANSACTION = "transaction"  # orders, payments, bookings
    RECORD = "record"  # measurements, results, log lines
    THING = "thing"  # anything else
    JUNCTION = "junction"  # links two things and has nothing of its own that people name


class Role(StrEnum):
    """What a property is for: whether people filter by it, average it, show it."""

    NAME = "name"
    CODE = "code"  # an identifier people know: an ISBN, a flight number
    KEY = "key"  # an identifier only the database knows
    REFERENCE = "reference"  # a foreign key that an edge says
    CATEGORY = "category"
    FLAG = "flag"
    MEASURE = "measure"
    MONEY = "money"
    COUNT = "count"
    SHARE = "share"  # percentages, rates
    RATING = "rating"
    RANK = "rank"  # 1 is best
    YEAR = "year"
    DATE = "date"
    TIME = "time"
    DURATION = "duration"
    PLACE = "place"
    CONTACT = "contact"  # telephone numbers, addresses of mail and web
    TEXT = "text"  # descriptions, comments


QUANTITIES = frozenset(
    {Role.MEASURE, Role.MONEY, Role.COUNT, Role.SHARE, Role.RATING, Role.DURATION}
)
MOMENTS = frozenset({Role.YEAR, Role.DATE, Role.TIME})


class Tense(StrEnum):
    """The tense in which a verb is said."""

    PRESENT = "present"
    PAST = "past"
    PERFECT = "perfect"


class Standing(StrEnum):
    """Where the word of a value stands, seen from the noun of its owner."""

    BEFORE = "before"  # "female customers"
    AFTER = "after"  # "orders on hold"
    HEAD = "head"  # it takes the noun's place: "lamps" for products of type lamp


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What all entries have.

    `sure` is the confidence, 0 to 1: for rules the measured precision of the class `rule`.
    `unsure` has the parts that are less sure than the entry, with their confidence. What a user
    gives a confidence of 0 is refused: never used, whatever confidence is wanted, nor asked for.
    """

    source: Provenance = Provenance.USER
    sure: float = 1.0
    rule: str = ""
    unsure: Mapping[str, float] = field(default_factory=dict)

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}

    def confidence(self, part: str) -> float:
        """How sure one part is: `most` of a property, `backward` of a path."""
        return min(self.sure, self.unsure.get(part, 1.0))

    def refused(self, part: str = "") -> bool:
        """Whether a user refused the entry, or one part of it."""
        sure = self.confidence(part) if part else self.sure
        return self.source is Provenance.USER and sure == 0

    def at(self, confidence: float) -> Entry | None:
        """The entry without its parts below `confidence`; None where it is below itself."""
        if self.sure < confidence or self.refused():
            return None
        low = {name for name, sure in self.unsure.items() if sure < confidence}
        low |= {name for name in self.unsure if self.refused(name)}
        if not low:
            return self
        kept = {name: value for name, value in self.unsure.items() if name not in low}
        defaults = {f.name: _default(f) for f in dataclasses.fields(self) if f.name in low}
        return replace(self, **defaults, unsure=kept)


def _default(part: dataclasses.Field[Any]) -> Any:
    made = part.default_factory
    return part.default if made is dataclasses.MISSING else made()


@dataclass(frozen=True, slots=True, kw_only=True)
class Noun:
    """A countable noun; `plural` is the same word where it is not counted ("staff")."""

    singular: str
    plural: str

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """What one end of a path says of the other, uninflected: the lineariser makes the forms.

    One of these, with what stands between it and the other thing in `particle` ("part in"):
    - `verb`, a lemma: "act" + "in" gives acts in, acted in, acting in;
    - `be`, what stands behind a form of "to be": "staged" + "at", "part" + "of";
    - `noun`, the role of the other thing: "manager" gives "whose manager is", "the manager of";
    - none of them, `particle` alone: a preposition that is safe where no verb is known, as an
      adjunct: "orders of Ann Lee", "shops in Lyon", "customers with an order".
    """

    verb: str = ""
    be: str = ""
    noun: str = ""
    particle: str = ""
    tense: Tense = Tense.PRESENT

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing(Entry):
    """The words of a node type.

    `name` are the properties that together are its name, in the order said. Those of a person
    are joined by blanks; `name_form` says another form, as "{title} ({season})". `nameless` says
    that nothing names one: `name = []` in the file, where a name left out is not known yet.
    A junction `joins` two or more things; `row` is the noun for one of its rows, used only where
    rows are counted; a junction without it is never named. `also` are other nouns for the thing.
    """

    singular: str = ""
    plural: str = ""
    kind: ThingKind = ThingKind.THING
    name: tuple[str, ...] = ()
    nameless: bool = False
    name_form: str = ""
    joins: tuple[str, ...] = ()
    row: Noun | None = None
    also: tuple[str, ...] = ()

    @property
    def junction(self) -> bool:
        """Whether the type only links others."""
        return self.kind is ThingKind.JUNCTION

    @property
    def noun(self) -> Noun | None:
        """The noun for one and for many; that of the rows for a junction; None without one."""
        if self.singular:
            return Noun(singular=self.singular, plural=self.plural or self.singular)
        return self.row


@dataclass(frozen=True, slots=True, kw_only=True)
class Path(Entry):
    """What is said along edges, from the first type of `along` to the last.

    `along` alternates names of node types and edge labels; an edge has `>` behind it where it is
    followed forwards, `<` before it where backwards: `Actor <OF_ACTOR ActorInPlay HAS_PLAY> Play`.
    `forward` is said by the first thing of the last, `backward` by the last of the first.
    `together`: what two of the first kind do with each other over one of the last ("share a stage
    with"). `link` is the noun of one such link where links are counted or chained: "stop",
    "flight", "friendship". `symmetric`: the direction of the edge says nothing (friends).
    `pairs_unique`: no two things are linked twice in the data.
    """

    along: tuple[str, ...] = ()
    forward: Phrase | None = None
    backward: Phrase | None = None
    together: str = ""
    link: Noun | None = None
    symmetric: bool = False
    pairs_unique: bool | None = None

    @property
    def start(self) -> str:
        """The node type at which it begins."""
        return self.along[0]

    @property
    def end(self) -> str:
        """The node type at which it ends."""
        return self.along[-1]

    def turned(self) -> Path:
        """The same path from its other end; `together` belongs to this direction alone."""
        return replace(
            self,
            along=turned(self.along),
            forward=self.backward,
            backward=self.forward,
            together="",
        )


def edges(path: Path) -> tuple[str, ...]:
    """The same for two paths along the same edges, whichever way each of them goes."""
    return min(path.along, turned(path.along))


def turned(along: tuple[str, ...]) -> tuple[str, ...]:
    """A path read from its end.

    >>> turned(("Actor", "<OF_ACTOR", "Part", "HAS_PLAY>", "Play"))
    ('Play', '<HAS_PLAY', 'Part', 'OF_ACTOR>', 'Actor')
    """
    return tuple(
        step if place % 2 == 0 else (f"{step[1:]}>" if step[:1] == "<" else f"<{step[:-1]}")
        for place, step in reversed(list(enumerate(along)))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Property(Entry):
    """The words of a property and the frames of its values.

    Frames with `{}` stand behind the owner's noun and suit one and many alike: "aged {}", "with
    more than {} seats", "from {}". `most`, `least`, `more`, `less` are words for the owner:
    "oldest", "older than"; `most` is always that of the *largest* value, also of a rank. `verb`
    is what the owner does with the value ("cost", "weigh", be "born" + "on"), `ask` asks for it
    ("how old", "when", "where … from": the verb's place is the ellipsis). `group` is the noun by
    which people group ("season" for a year of a season).

    `values` says what stored values mean, keyed by their text (`1`, `T`, `true`), where they
    stand `place`. `absent`, `present`
    say that the value is missing or not ("not yet returned"). `unit` is said behind a
    number: "metres", "EUR", "%". `hidden` is never said or asked. `sums`, `averages`: whether
    a total, an average of it means anything.
    """

    noun: str = ""
    plural: str = ""
    kind: Role | None = None
    also: tuple[str, ...] = ()
    hidden: bool = False
    unit: str = ""
    ask: str = ""
    equal: str = ""
    unequal: str = ""
    above: str = ""
    below: str = ""
    at_least: str = ""
    at_most: str = ""
    range: str = ""
    most: str = ""
    least: str = ""
    more: str = ""
    less: str = ""
    verb: Phrase | None = None
    group: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    place: Standing = Standing.AFTER
    absent: str = ""
    present: str = ""
    sums: bool = True
    averages: bool = True

    def word(self, value: object) -> str:
        """What a stored value means, "" where the lexicon does not say.

        >>> Property(values={"true": "male", "1": "first"}).word(True)
        'male'
        """
        return self.values.get(value_key(value), "")


def filled(frame: str, value: str) -> str:
    """A frame with its value; an article before the value is the one that it wants.

    >>> filled("with a {} engine", "electric"), filled("from {}", "Lyon")
    ('with an electric engine', 'from Lyon')
    """
    value = value.strip('"') if " a {} " in frame else value
    frame = frame.replace(" a {}", f" {article(value)} {{}}")
    return frame.replace("{}", value)


def value_key(value: object) -> str:
    """The text under which a stored value stands in `values`.

    >>> value_key(True), value_key(1), value_key(2.0), value_key("M")
    ('true', '1', '2.0', 'M')
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Term(Entry):
    """A term of the business: "veteran actors" are those over 60.

    `holds` (`is` in the file) is a Cypher condition on `n`, a node of type `of`; `means` is the
    sentence that defines it. `term` is in the plural, `singular` for one.
    """

    term: str = ""
    of: str = ""
    singular: str = ""
    holds: str = ""
    means: str = ""


@dataclass(frozen=True)
class Lexicon:
    """The words of one graph.

    `things` by `NodeType.name`, `properties` by `NodeType.name` or `EdgeType.name` and then by
    property, `paths` by names of their own. `domain` and `purpose` say what the graph is about,
    `questions` are examples of what people ask. `left_out` are the kinds of properties that
    `at` left out, whose words are not sure: they are there all the same, and may be meant.
    """

    things: Mapping[str, Thing] = field(default_factory=dict)
    paths: Mapping[str, Path] = field(default_factory=dict)
    properties: Mapping[str, Mapping[str, Property]] = field(default_factory=dict)
    glossary: tuple[Term, ...] = ()
    domain: str = ""
    purpose: str = ""
    questions: tuple[str, ...] = ()
    left_out: Mapping[str, frozenset[Role]] = field(default_factory=dict)

    def at(self, confidence: float = CONFIDENCE) -> Lexicon:
        """The lexicon without what is less sure: what levels 2 and 3 may say."""
        properties = {o: _sure(entries, confidence) for o, entries in self.properties.items()}
        left_out = {
            owner: frozenset(
                words.kind
                for name, words in entries.items()
                if name not in sure and words.kind is not None and not words.hidden
            )
            for owner, entries in self.properties.items()
            if len(sure := properties[owner]) < len(entries)
        }
        return replace(
            self,
            left_out=left_out or self.left_out,
            things=_sure(self.things, confidence),
            paths=_sure(self.paths, confidence),
            properties=properties,
            glossary=tuple(term for term in self.glossary if term.at(confidence) is not None),
        )

    def thing(self, node: str) -> Thing | None:
        """The words of a node type."""
        return self.things.get(node)

    def is_line(self, node: str) -> bool:
        """Whether a type is the lines of a document or an entry that joins two things or more,
        which nobody counts by themselves: order lines, heat entries."""
        words = self.thing(node)
        if words is None or words.name:
            return False
        whole, _, part = words.singular.rpartition(" ")
        if part in _LINES and any(thing.singular == whole for thing in self.things.values()):
            return True
        return bool(whole) and part in _LINES | {"entry"} and self._joins(node) > 1

    def _joins(self, node: str) -> int:
        """To how many things each of a type leads."""
        edges = (path for path in self.paths.values() if len(path.along) == _EDGE)
        return sum(path.start == node and path.pairs_unique is True for path in edges)

    def property(self, owner: str, name: str) -> Property | None:
        """The words of a property of a node or edge type."""
        return self.properties.get(owner, {}).get(name)

    def path(self, along: tuple[str, ...]) -> Path | None:
        """The phrases along these edges, turned so that `forward` goes the way of `along`."""
        return self._by_along.get(along)

    def path_id(self, along: tuple[str, ...]) -> str:
        """The name in the file of the path along these edges, either way; "" where none is."""
        ways = (along, turned(along))
        return next((name for name, path in self.paths.items() if path.along in ways), "")

    def terms(self, node: str) -> tuple[Term, ...]:
        """The glossary's terms for a node type."""
        return tuple(term for term in self.glossary if term.of == node)

    @cached_property
    def _by_along(self) -> dict[tuple[str, ...], Path]:
        by_along: dict[tuple[str, ...], Path] = {}
        for path in self.paths.values():
            by_along.setdefault(path.along, path)
        for path in self.paths.values():
            by_along.setdefault(turned(path.along), path.turned())
        return by_along


def _sure[E: Entry](entries: Mapping[str, E], confidence: float) -> dict[str, E]:
    sure = {name: entry.at(confidence) for name, entry in entries.items()}
    return {name: entry for name, entry in sure.items() if entry is not None}  # type: ignore[misc]
