"""The taxonomy as data: industries, sub-domains, their entities, relations and kinds of value.

Nothing here is a schema yet: `generators.schemas` chooses from it, names things in one style and
says how values are distributed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from schemagraph.specification.codes import Check

# --- what values look like -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a closed list of texts, each with its weight."""

    values: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Number:
    """A number: `shape` with its `parameters`, kept between `low` and `high`, to `places`.

    Shapes: `one NUMBER NUMBER …`, `lognormal MEDIAN SIGMA`,
    `normal MEAN DEVIATION`, `uniform LOW HIGH`,
    `poisson MEAN`, `zipf EXPONENT MAXIMUM`.
    """

    shape: str
    parameters: tuple[float, ...]
    places: int = 0
    low: float | None = None
    high: float | None = None

    @property
    def whole(self) -> bool:
        """Whether values are integers."""
        return self.places <= 0


@dataclass(frozen=True, slots=True)
class Fraction:
    """A number that is `low` to `high` times the property `of` of the same element; with `vat`,
    the usual rate of value-added tax in the graph's country times it."""

    of: str
    low: float
    high: float
    places: int = 2
    vat: bool = False

    @property
    def whole(self) -> bool:
        """Whether values are integers."""
        return self.places <= 0


@dataclass(frozen=True, slots=True)
class Moment:
    """A date, or a date with a time, between two years (inclusive).

    `after` names a property of the same element that is earlier by `gap`, in `unit`. `busy` months
    have twice as many values as the others, or with `only` all of them; `workdays` leaves week-ends
    and holidays out, `shopdays` Sundays and holidays; `hours` are the first and the last hour of
    the day; with `every`, moments are at whole so many minutes; `monthly` ones are whole months
    after what they follow; `day` is `year` (whole years after it), `first` or `last` (of a month),
    or a day of each year (`06-30`).
    """

    clock: bool
    first: int
    last: int
    after: str = ""
    gap: tuple[int, int] = (0, 0)
    unit: Literal["days", "hours", "minutes"] = "days"
    busy: tuple[int, ...] = ()
    only: bool = False
    workdays: bool = False
    shopdays: bool = False
    planned: bool = False
    hours: tuple[int, int] | None = None
    every: int = 0
    monthly: bool = False
    day: str = ""


@dataclass(frozen=True, slots=True)
class Flag:
    """True with a probability."""

    share: float


@dataclass(frozen=True, slots=True)
class Code:
    """A code as people write it: `#` is a digit, `?` a capital letter, `*` a hexadecimal digit,
    the rest stands as it is.

    `check` are check digits (see `Pattern` of the specification). `national` says which code of
    the graph's country it is; `pattern` then is how it looks in Germany, and the country says what
    check digits it has.
    """

    pattern: str
    check: Check = ""
    national: str = ""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text of a template: `{name}` is a value of the list `name` or of the property `name`,
    `{name:slug}` the latter in small letters for addresses, `{##}` a number of two digits."""

    template: str


@dataclass(frozen=True, slots=True)
class Fake:
    """A value of a provider of Faker, such as `first_name`."""

    provider: str


@dataclass(frozen=True, slots=True)
class Cell:
    """The column of the row that the element has been given (see `Entity.rows`)."""

    column: str


@dataclass(frozen=True, slots=True)
class By:
    """A kind of value for each value of the property `of` of the same element, or with a dot of the
    one element that a relation joins with (`FROM_SENSOR.quantity`): where a schema has not that
    relation, it is `otherwise`. With `upto`, the cases are ranges of a number, a date or a time of
    day, each up to its text, and what is above all of them is `otherwise`."""

    of: str
    cases: tuple[tuple[str, Value], ...]
    otherwise: Value | None = None
    upto: bool = False


@dataclass(frozen=True, slots=True)
class Made:
    """A number made of other properties of the element: their `product`, `sum`, the `annuity` of an
    amount at a yearly rate in so many months, the time `elapsed` between two, or the `year` of one.
    `factor` is a range that a product is multiplied with, or of the years that it lies back."""

    how: Literal["product", "sum", "annuity", "elapsed", "year"]
    of: tuple[str, ...]
    places: int = 2
    factor: tuple[float, float] | None = None
    unit: Literal["days", "hours", "minutes"] = "days"

    @property
    def whole(self) -> bool:
        """Whether values are integers."""
        return self.places <= 0


@dataclass(frozen=True, slots=True)
class Bend:
    """A number that follows the property `of` along a curve through `points`, give or take
    `deviation`, a share of it."""

    of: str
    points: tuple[tuple[float, float], ...]
    deviation: float = 0.0
    places: int = 2

    @property
    def whole(self) -> bool:
        """Whether values are integers."""
        return self.places <= 0


@dataclass(frozen=True, slots=True)
class Place:
    """1, 2, 3 … among those that the relation `of` joins with the same element, in the order of the
    property `by`; where a schema has not that relation, a number drawn from `otherwise`. For edges
    `of` is `source` or `target`, the end that they agree in. Where `otherwise` is a range that
    begins later than at 1, so do they."""

    of: str
    otherwise: Number
    by: str = ""

    @property
    def start(self) -> int:
        """The first number."""
        uniform = self.otherwise.shape == "uniform"
        return max(1, int(self.otherwise.parameters[0])) if uniform else 1


@dataclass(frozen=True, slots=True)
class Foremost:
    """One kind of value for the first edge of an end (`source` or `target`), another for its
    others: a car has one main driver."""

    of: str
    first: Value
    otherwise: Value


@dataclass(frozen=True, slots=True)
class Stake:
    """Parts of `whole` that the edges of an end (`source` or `target`) share out among them;
    together they are `low` to `high` times it."""

    of: str
    whole: float
    low: float
    high: float
    places: int = 2

    @property
    def whole_number(self) -> bool:
        """Whether values are integers."""
        return self.places <= 0


@dataclass(frozen=True, slots=True)
class Nothing:
    """No value: a case of `By`."""


type Value = (
    Choice
    | Number
    | Fraction
    | Moment
    | Flag
    | Code
    | Phrase
    | Fake
    | Cell
    | By
    | Made
    | Bend
    | Place
    | Foremost
    | Stake
    | Nothing
)


# --- entities and relations ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hint:
    """A property: what it is called, what its values look like.

    `name` and `also` are words joined by `_`; `noun` is what people say. `becomes` is set for
    lists that may become a node type of their own, joined by that relation. A schema with a
    relation of a type in `without` lacks the property, as what it says would contradict it.
    """

    name: str
    value: Value
    also: tuple[str, ...] = ()
    noun: str = ""
    unit: str = ""
    null: float = 0.0
    key: bool = False
    unique: bool = False
    needed: bool = False
    becomes: Becomes | None = None
    recent: Recent | None = None
    copied: tuple[Copy, ...] = ()
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Copy:
    """The value is that of `property` of the one element that `relation` joins with, or `low` to
    `high` times it; as `part`, all that are joined with it have so much of it together. The others
    are made of all elements or edges that `relation` joins with; `times` multiplies the element's
    `own` property with that of the other; as `prefix` the value begins with the other's, and `own`
    are the digits behind it (`###`), or it is an `iban` of the bank with that BIC. Where a schema
    has not that relation, the property's own values are taken."""

    relation: str
    property: str
    low: float | None = None
    high: float | None = None
    how: Literal["copied", "part", "sum", "count", "least", "most", "times", "prefix"] = "copied"
    own: str = ""
    even: bool = False


@dataclass(frozen=True, slots=True)
class Recent:
    """Values that a list has in the last `days` before the day of the graph only, by the date
    `of`: what is open or pending. What is older has the others."""

    of: str
    days: int
    values: Choice


@dataclass(frozen=True, slots=True)
class Wording:
    """What source says of target and target of source: "holds", "is held by"."""

    active: str
    passive: str


@dataclass(frozen=True, slots=True)
class Becomes:
    """How a property becomes a node type: relation types to choose from, and their words."""

    types: tuple[str, ...]
    wording: Wording


@dataclass(frozen=True, slots=True)
class Rows:
    """A table of real or real-looking values that belong together; the first column is unique."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def column(self, name: str) -> tuple[str, ...]:
        """All values of one column, in the order of the rows."""
        at = self.columns.index(name)
        return tuple(row[at] for row in self.rows)


@dataclass(frozen=True, slots=True)
class Entity:
    """A type of thing: its words, how many there are of it, its properties.

    `share` is the weight of its number of nodes; `most` bounds it. `parent` is the entity it is
    a special case of: its label may be carried too, its relations hold as well. `rows` names a
    table whose rows the nodes are (once each, where a column is the key) or are drawn from.
    `local` names a table of more rows: where no relation ties the nodes to others by their values,
    the rows are those of one country in both tables.
    """

    name: str
    singular: str
    plural: str
    also: tuple[str, ...] = ()
    share: float = 1.0
    most: int | None = None
    parent: str = ""
    rows: str = ""
    local: str = ""
    properties: tuple[Hint, ...] = ()
    note: str = ""

    def property(self, name: str) -> Hint | None:
        """The property called `name`, or None."""
        return next((p for p in self.properties if p.name == name), None)


@dataclass(frozen=True, slots=True)
class Degrees:
    """How many edges a node has: `power EXPONENT MAXIMUM`, `poisson MEAN`, `fixed N`,
    `uniform LOW HIGH`. An empty shape leaves it to the cardinality."""

    shape: str = ""
    parameters: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Turned:
    """A relation type that says the same the other way round: `HELD_BY` of `HOLDS`."""

    type: str


@dataclass(frozen=True, slots=True)
class Reified:
    """A relation as a node type of its own, with an edge to either end.

    The properties go to the node. `source` and `target` are the types of its edges with their
    words, from the node's side.
    """

    singular: str
    plural: str
    source: tuple[str, Wording]
    target: tuple[str, Wording]


ROLES = ("hub", "chain", "hierarchy", "bipartite", "event", "self", "cycle")


@dataclass(frozen=True, slots=True)
class Anchor:
    """When the many side of a relation begins, told by the one side: between its begin and its
    end, or with `gap` so much after `of` (its begin, where that is empty). With `by`, a number of
    the many, they begin one after the other: each in its part of `gap`, `sharp` on its
    first day."""

    gap: tuple[int, int] | None = None
    unit: Literal["days", "hours", "minutes"] = "days"
    of: str = ""
    by: str = ""
    sharp: bool = False


@dataclass(frozen=True, slots=True)
class Fits:
    """Properties of source and target of which certain values go together: for a value of `ours`
    those of `theirs` in `pairs`; a value that is not there goes with any. Without `pairs` they are
    those of one topic of the sub-domain, and `listed` is false until they are filled in. With
    `back` the pairs are for values of `theirs`. `ours` and `theirs` may be of what a relation leads
    to (`ISSUED_AT.kind`)."""

    ours: str
    theirs: str
    pairs: tuple[tuple[str, tuple[str, ...]], ...] = ()
    listed: bool = True
    back: bool = False


@dataclass(frozen=True, slots=True)
class Relation:
    """Edges from `source` to `target`.

    `many` tells how many targets a source has and how many sources a target: "n:1" gives each
    source one target, "n:1?" at most one. `order` are pairs of properties of the ends
    (`source.opened_on`, `target.raised_on`) of which the first is earlier; `match` are pairs of
    properties (of source and of target) that have equal values.
    `anchor` says when the many begin; `anytime`, that the ends know no order of time;
    `only`, which values a property of the one side has; `fits`, which values go together;
    `gap` and `within`, how many days lie between the ends at least and at most; `via`, pairs of
    properties that are equal as `match` has them, of which one or both are of what a relation
    leads to (`SOLD_BY.country`); they count where the schema has that relation. `apart` are
    relations of the source, or paths of them (`FOR_LISTING.POSTED`), that lead to another target
    than this one. `timed`: the order follows from what the ends are. `alone`: of the many of
    one, no two are there at the same time, each until it ends or for `alone_days` from its date
    `alone_by`, or its first; those of the relations `alone_over` of the many count as well.
    `once`: what the many (of "n:m", the targets) of one lead to over these paths together is
    another for each of them, or for those of `once_days`.
    `own`: it does not hold for what is a special case of its ends.
    `home`: the one side is in the country of the graph; `seat`: in this share, it is one town.
    `always`: a schema with both ends has it.
    `oneway`: no edge leads back, though longer circles may.
    `free`: amounts and kinds of the ends say nothing of each other.
    `noun` names one edge. `unless` names an entity that says the same in more detail: a schema
    has one of the two.
    """

    source: str
    type: str
    target: str
    wording: Wording
    also: tuple[str, ...] = ()
    turned: tuple[Turned, ...] = ()
    many: str = "n:m"
    outgoing: Degrees = Degrees()
    incoming: Degrees = Degrees()
    role: str = ""
    symmetric: bool = False
    reciprocity: float = 0.0
    oneway: bool = False
    order: tuple[tuple[str, str], ...] = ()
    unless: str = ""
    noun: str = ""
    match: tuple[tuple[str, str], ...] = ()
    properties: tuple[Hint, ...] = ()
    reified: Reified | None = None
    anchor: Anchor | None = None
    anytime: bool = False
    only: tuple[str, tuple[str, ...]] | None = None
    fits: tuple[Fits, ...] = ()
    gap: int = 0
    within: int | None = None
    via: tuple[tuple[str, str], ...] = ()
    apart: tuple[str, ...] = ()
    timed: bool = False
    home: bool = False
    seat: float | None = None
    alone: bool = False
    alone_days: int = 0
    alone_by: str = ""
    alone_over: tuple[str, ...] = ()
    once: tuple[str, ...] = ()
    once_days: int = 0
    own: bool = False
    always: bool = False
    free: bool = False


# --- sub-domains ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SubDomain:
    """One sub-domain with all that its schemas can be made of.

    `entities` and `relations` hold its own and those that it uses of its industry and of all
    industries; `own` names the first. `core` are the entities that no small schema lacks; `homes`
    the countries that graphs are at home in, where it is not any.
    """

    industry: str
    name: str
    title: str
    purpose: str
    questions: tuple[str, ...]
    core: tuple[str, ...]
    own: frozenset[str]
    entities: Mapping[str, Entity]
    relations: tuple[Relation, ...]
    lists: Mapping[str, Choice] = field(default_factory=dict)
    rows: Mapping[str, Rows] = field(default_factory=dict)
    homes: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """`industry/sub-domain`, the name that users give."""
        return f"{self.industry}/{self.name}"


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """All sub-domains, by `industry/sub-domain`; `industries` gives titles."""

    subdomains: Mapping[str, SubDomain]
    industries: Mapping[str, str]

    def names(self) -> tuple[str, ...]:
        """Every `industry/sub-domain`, sorted."""
        return tuple(sorted(self.subdomains))

    def __iter__(self) -> Iterator[SubDomain]:
        return (self.subdomains[name] for name in self.names())
