"""How the values of a property are distributed: one frozen model for each kind.

They are what people edit and language models write, so unknown fields are refused. Numbers and
dates are JSON values; dates are ISO text (`2024-03-01`, `2024-03-01T08:30:00`). A column may refer
to other columns of its row by name; a column of an edge also to those of its ends, as
`source.NAME` and `target.NAME`. A column of a node may refer to those of the one node that an edge
type joins it with, as `EDGE TYPE.NAME` (`Order-PLACED_BY-Customer.registered_on`), and so on from
there (`Line-OF-Order.Order-PLACED_BY-Customer.country`); it is NULL where there is no such edge.

The kinds are one union that refers to itself, so they stand in one module of over 600 lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, time
from itertools import pairwise
from string import Formatter
from typing import Annotated, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    model_validator,
)

from schemagraph.specification.codes import Check, alike, misfit

type Scalar = StrictBool | StrictInt | StrictFloat | StrictStr
type Share = Annotated[float, Field(ge=0, le=1)]
type Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
type Number = Annotated[float, Field(allow_inf_nan=False)]
type Decimals = Annotated[int, Field(ge=-6, le=9)]
type Weights = tuple[Annotated[float, Field(ge=0, allow_inf_nan=False)], ...]
type Unit = Literal["seconds", "minutes", "hours", "days"]


class Part(BaseModel):
    """The base of all models of a specification: frozen, without unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Categorical(Part):
    """One of `values`, by `weights` (equal ones where there are none): an enumeration."""

    kind: Literal["categorical"] = "categorical"
    values: Annotated[tuple[Scalar, ...], Field(min_length=1)]
    weights: Weights = ()

    @model_validator(mode="after")
    def _paired(self) -> Self:
        if len(set(map(_typed, self.values))) < len(self.values):
            raise ValueError("a value is there twice")
        if self.weights and len(self.weights) != len(self.values):
            raise ValueError(f"{len(self.weights)} weights for {len(self.values)} values")
        if self.weights and not sum(self.weights) > 0:
            raise ValueError("all weights are 0")
        return self


class Zipf(Part):
    """One of `values`; the n-th of them in proportion to n to the power of minus `exponent`."""

    kind: Literal["zipf"] = "zipf"
    values: Annotated[tuple[Scalar, ...], Field(min_length=1)]
    exponent: Positive = 1.0

    @model_validator(mode="after")
    def _distinct(self) -> Self:
        if len(set(map(_typed, self.values))) < len(self.values):
            raise ValueError("a value is there twice")
        return self


class Flag(Part):
    """True in this share of the rows."""

    kind: Literal["flag"] = "flag"
    share: Share = 0.5


class Uniform(Part):
    """Numbers from `low` to `high`, both included, all as likely."""

    kind: Literal["uniform"] = "uniform"
    low: Number
    high: Number
    decimals: Decimals = 2

    @model_validator(mode="after")
    def _range(self) -> Self:
        return _ordered(self, self.low, self.high)


class Normal(Part):
    """Numbers around `mean`; those outside `low` and `high` are drawn again."""

    kind: Literal["normal"] = "normal"
    mean: Number
    deviation: Positive
    low: Number | None = None
    high: Number | None = None
    decimals: Decimals = 2

    @model_validator(mode="after")
    def _range(self) -> Self:
        _within(self.mean, self.deviation, self.low, self.high)
        return _ordered(self, self.low, self.high)


class LogNormal(Part):
    """Positive numbers with a long tail: amounts, sizes, durations.

    Half of them are below `median`; `sigma` is the standard deviation of the natural logarithm
    (0.5 mild, 1 usual for money, 2 extreme). Those outside `low` and `high` are drawn again.
    """

    kind: Literal["lognormal"] = "lognormal"
    median: Positive
    sigma: Positive = 1.0
    low: Number | None = None
    high: Number | None = None
    decimals: Decimals = 2

    @model_validator(mode="after")
    def _range(self) -> Self:
        if self.low is not None and self.low > self.median * 2:
            raise ValueError("low is more than twice the median, so most values are drawn again")
        if self.high is not None and self.high < self.median / 2:
            raise ValueError("high is less than half the median, so most values are drawn again")
        return _ordered(self, self.low, self.high)


class Weighted(Part):
    """A part of a mixture."""

    weight: Positive = 1.0
    of: Numeric


class Mixture(Part):
    """Each number is drawn from one of the parts."""

    kind: Literal["mixture"] = "mixture"
    parts: Annotated[tuple[Weighted, ...], Field(min_length=2)]


type Numeric = Annotated[
    Uniform | Normal | LogNormal | Mixture,
    Field(discriminator="kind"),
]


class Dates(Part):
    """Days or moments from `start` up to `end` (both included), with seasons.

    `months`, `weekdays` (Monday first) and `hours` are relative frequencies. `growth` is how many
    times as frequent the end of the range is as its start. With `ascending` the rows of the table
    are in this order, as of things that are numbered as they come. `workdays` leaves out week-ends
    and the holidays of any country that graphs are at home in, `shopdays` Sundays and these days.
    With `every`, moments are at whole so many minutes; with `day`, on the first or the last
    days of months only.
    """

    kind: Literal["dates"] = "dates"
    start: StrictStr
    end: StrictStr
    months: Weights = ()
    weekdays: Weights = ()
    hours: Weights = ()
    growth: Positive = 1.0
    ascending: bool = False
    workdays: bool = False
    shopdays: bool = False
    every: Annotated[int, Field(ge=0, le=60)] = 0
    day: Literal["", "first", "last"] = ""

    @model_validator(mode="after")
    def _range(self) -> Self:
        _ordered(self, moment(self.start), moment(self.end))
        _one_calendar(self)
        for name, size in (("months", 12), ("weekdays", 7), ("hours", 24)):
            weights = getattr(self, name)
            if weights and (len(weights) != size or not sum(weights) > 0):
                raise ValueError(f"{name} must be {size} weights that are not all 0")
        return self


class After(Part):
    """A day or moment not before those in `columns` (NULL where one of these is NULL).

    With `gap`, that much later than the latest of them, in `unit`s, yet not after `until` nor after
    one of `before`, which does not count where it is NULL. Without it, anywhere between the latest
    of them and the earliest of these. Where nothing lies between, it is the former. `since` is one
    more day that it is not before, where that is not too late. With `hours`
    (24 weights), the time of the day is drawn anew where there is room for it; with `workdays`,
    `shopdays` and `every` (as of `Dates`), it is moved to the next such day or moment, if there is
    room; with `monthly`, back to whole months after the latest of them, as what is due is. With
    `day` as of contracts: `year` is back to whole years after it, `first` and `last` are such days
    of a month, `06-30` is that day of a year, where there is one between the bounds. With `months`
    (1 to 12), whole months on or back to one of these, if there is room: no sittings in August.
    """

    kind: Literal["after"] = "after"
    columns: Annotated[tuple[StrictStr, ...], Field(min_length=1)]
    before: tuple[StrictStr, ...] = ()
    gap: Numeric | None = None
    unit: Unit = "days"
    until: StrictStr | None = None
    since: StrictStr | None = None
    hours: Weights = ()
    workdays: bool = False
    shopdays: bool = False
    every: Annotated[int, Field(ge=0, le=60)] = 0
    monthly: bool = False
    day: Annotated[StrictStr, Field(pattern=r"^(year|first|last|\d\d-\d\d)?$")] = ""
    months: tuple[Annotated[int, Field(ge=1, le=12)], ...] = ()

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        _one_calendar(self)
        if self.gap is None and self.until is None:
            raise ValueError("give gap, until or both")
        if self.hours and (len(self.hours) != 24 or not sum(self.hours) > 0 or self.until is None):
            raise ValueError("hours are 24 weights that are not all 0, and need until")
        if self.before and self.until is None:
            raise ValueError("before needs until, for where its columns are NULL")
        if self.since is not None and self.until is None:
            raise ValueError("since needs until")
        for day in filter(None, (self.until, self.since)):
            moment(day)
        if self.gap is not None and not lowest(self.gap) >= 0:
            raise ValueError("gap can be negative; give it a low of at least 0")
        return self


def _one_calendar(given: Dates | After) -> None:
    if given.workdays and given.shopdays:
        raise ValueError("give workdays or shopdays, not both")


class Sequence(Part):
    """Numbers one after the other: as they are, or as text, `prefix` and at least `digits`.

    They are given out in the order of the rows, or in that of the column `by`.
    """

    kind: Literal["sequence"] = "sequence"
    start: int = 1
    step: Annotated[int, Field(ge=1)] = 1
    by: StrictStr | None = None
    prefix: str = ""
    digits: Annotated[int, Field(ge=0, le=18)] = 0


class Pattern(Part):
    """Text with each `#` replaced by a digit, `?` by a capital letter, `*` by a hex digit.

    Any other character stands for itself: `DE## #### ####`, `INV-2024-#####`. With `check`, digits
    are put right: `iban` those at places 3 and 4 (ISO 13616), `lei` the last two (ISO 17442),
    `luhn` the last one (cards, IMEI), `gtin` the last one (EAN, ISBN, SSCC), and so `isin`
    (ISO 6166), `issn`, `orcid` (both without X), `imo` (ships) and `container` (ISO 6346); `vat`
    those of the country that the code begins with.
    """

    kind: Literal["pattern"] = "pattern"
    text: Annotated[StrictStr, Field(max_length=200, pattern=r"[#?*]")]
    check: Check = ""

    @model_validator(mode="after")
    def _has_room(self) -> Self:
        if why := misfit(self.text, self.check):
            raise ValueError(why)
        return self

    def size(self) -> int:
        """How many different texts there are."""
        counts = {"#": 10, "?": 26, "*": 16}
        texts = 1
        for mark in self.text:
            texts *= counts.get(mark, 1)
        return texts // alike(self.text, self.check)


class Faker(Part):
    """A provider of the library Faker, as `name`, `company` or `city` (faker.readthedocs.io).

    For many rows, values come from a pool of at most `pool` different ones.
    """

    kind: Literal["faker"] = "faker"
    provider: Annotated[StrictStr, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    locale: Annotated[StrictStr, Field(pattern=r"^[a-z]{2,3}_[A-Z]{2}$")] = "en_US"
    arguments: dict[str, Scalar] = Field(default_factory=dict)
    pool: Annotated[int, Field(ge=1, le=100_000)] = 2_000


class Template(Part):
    """Text with `{name}` replaced by one of `lists[name]`, else by the column `name` of the row.

    `{name:slug}` gives it in lower case with `.` between words, for addresses and user names;
    `{name:#### #}` digits that follow from it, the same for the same text, and `{name:????}` its
    first marks. The items of a list are as likely; a list may repeat none. With `check`, digits are
    put right: the last one of a `container` (ISO 6346), four letters and seven digits; those at
    places 3 and 4 of an `iban`.
    """

    kind: Literal["template"] = "template"
    text: Annotated[StrictStr, Field(min_length=1)]
    lists: dict[str, Annotated[tuple[StrictStr, ...], Field(min_length=1)]] = Field(
        default_factory=dict
    )
    check: Literal["", "container", "iban"] = ""

    @model_validator(mode="after")
    def _readable(self) -> Self:
        fields = list(self.fields())
        if not fields:
            raise ValueError("the text has no {name} in it")
        unused = sorted(set(self.lists) - {name for name, _ in fields})
        if unused:
            raise ValueError(f"the text does not use the list {unused[0]}")
        for name, form in fields:
            if not name or not re.fullmatch(r"|slug|(?: ?#){1,8}|\?{1,9}", form):
                raise ValueError("write {name}, {name:slug}, {name:####} or {name:????}")
        return self

    def fields(self) -> Iterator[tuple[str, str]]:
        """The names in braces and their forms, in order."""
        for _, name, form, conversion in Formatter().parse(self.text):
            if name is not None:
                yield ("" if conversion else name), form or ""


class Correlated(Part):
    """Numbers distributed as `of` whose rank correlation with `column` is `correlation`.

    `column` holds numbers, days or moments. Where it is NULL, the number is drawn freely.
    """

    kind: Literal["correlated"] = "correlated"
    column: StrictStr
    correlation: Annotated[float, Field(ge=-0.99, le=0.99)]
    of: Numeric


class Scaled(Part):
    """The number in `column` times a factor (NULL where that is NULL): net and gross, price."""

    kind: Literal["scaled"] = "scaled"
    column: StrictStr
    factor: Numeric
    decimals: Decimals = 2


class Copied(Part):
    """The value of another column, such as `source.currency` in an edge."""

    kind: Literal["copied"] = "copied"
    column: StrictStr


class Conditional(Part):
    """The distribution depends on the value in `column`, compared as text (`true`, `3`, `gold`).

    A value without a case, and NULL, has `otherwise`.
    """

    kind: Literal["conditional"] = "conditional"
    column: StrictStr
    cases: Annotated[dict[str, Distribution], Field(min_length=1)]
    otherwise: Distribution


class Band(Part):
    """The values of `of` up to and with `upto`: a number, a day, a moment, or a time of day
    (`05:59`)."""

    upto: StrictInt | StrictFloat | StrictStr
    of: Distribution


class Banded(Part):
    """The distribution depends on how large `column` is (numbers, days or moments), or at what time
    of its day a moment is.

    The first of `bands` whose `upto` is not less than the value is taken; above all of them, and
    where it is NULL, `otherwise`.
    """

    kind: Literal["banded"] = "banded"
    column: StrictStr
    bands: Annotated[tuple[Band, ...], Field(min_length=1)]
    otherwise: Distribution

    @model_validator(mode="after")
    def _ascending(self) -> Self:
        keys = [_band_key(band.upto) for band in self.bands]
        if len({type(key) for key in keys}) > 1:
            raise ValueError(
                "upto of the bands are numbers, days and moments, or times of day, of one sort"
            )
        if any(one >= other for one, other in pairwise(keys)):  # type: ignore[operator]
            raise ValueError("upto of the bands must ascend")
        return self


class Product(Part):
    """The product of the numbers in `columns`, times a factor (NULL where one of them is)."""

    kind: Literal["product"] = "product"
    columns: Annotated[tuple[StrictStr, ...], Field(min_length=2)]
    factor: Numeric | None = None
    decimals: Decimals = 2


class Sum(Part):
    """The sum of the numbers in `columns`, less those in `minus` (NULL where one of them is)."""

    kind: Literal["sum"] = "sum"
    columns: Annotated[tuple[StrictStr, ...], Field(min_length=1)]
    minus: tuple[StrictStr, ...] = ()
    decimals: Decimals = 2

    @model_validator(mode="after")
    def _several(self) -> Self:
        if len(self.columns) + len(self.minus) < 2:
            raise ValueError("give at least two columns")
        return self


class Annuity(Part):
    """What is paid each month so that a loan is paid back, with its interest, in equal parts.

    `amount`, `rate` (percent a year) and `months` are columns; NULL where one of them is.
    """

    kind: Literal["annuity"] = "annuity"
    amount: StrictStr
    rate: StrictStr
    months: StrictStr
    decimals: Decimals = 2


class Elapsed(Part):
    """How many `unit`s lie between the days or moments in `start` and `end`."""

    kind: Literal["elapsed"] = "elapsed"
    start: StrictStr
    end: StrictStr
    unit: Unit = "days"
    decimals: Decimals = 0


class Point(Part):
    """Where a curve goes through."""

    x: Number
    y: Number


class Curve(Part):
    """A number that follows another: the curve through `points`, straight between them and level
    beyond, give or take `deviation` (a share of it, at most so much): power of wind speed.
    """

    kind: Literal["curve"] = "curve"
    column: StrictStr
    points: Annotated[tuple[Point, ...], Field(min_length=2)]
    deviation: Annotated[float, Field(ge=0, lt=1)] = 0.0
    decimals: Decimals = 2

    @model_validator(mode="after")
    def _onward(self) -> Self:
        xs = [point.x for point in self.points]
        if any(one >= other for one, other in pairwise(xs)):
            raise ValueError("x of the points must ascend")
        return self


class Ordinal(Part):
    """1, 2, 3 … among the rows that agree in `column`, in their order or in that of the column
    `by`: lines of an order, bids from the cheapest on."""

    kind: Literal["ordinal"] = "ordinal"
    column: StrictStr
    by: StrictStr | None = None
    start: int = 1


class First(Part):
    """`of` in the first of the rows that agree in `column`, `otherwise` in the others: the one main
    driver of a car."""

    kind: Literal["first"] = "first"
    column: StrictStr
    of: Distribution
    otherwise: Distribution


class Allotted(Part):
    """A part of the number in `column`, or of `whole`, which the rows that agree in `by` share out
    among them: payments of a contract, lots of a harvest, the 100 percent of a company. Together
    they are `low` to `high` times it. With a `spread` of 0 all are alike."""

    kind: Literal["allotted"] = "allotted"
    column: StrictStr | None = None
    whole: Number | None = None
    by: StrictStr
    low: Share = 1.0
    high: Share = 1.0
    spread: Annotated[float, Field(ge=0, le=2)] = 0.4
    decimals: Decimals = 2

    @model_validator(mode="after")
    def _range(self) -> Self:
        if (self.column is None) == (self.whole is None):
            raise ValueError("give column or whole")
        return _ordered(self, self.low, self.high)


class Aggregated(Part):
    """A number made of all edges of the type `edge` that a node has: their `count`, or the `sum`,
    `least` or `most` of `column`, a property of theirs, or as `source.NAME` or `target.NAME` one
    of their ends. Without an edge it is `otherwise`; without that too, count and sum are 0, the
    others NULL."""

    kind: Literal["aggregated"] = "aggregated"
    edge: StrictStr
    how: Literal["sum", "count", "least", "most"] = "sum"
    column: StrictStr | None = None
    decimals: Decimals = 2
    otherwise: Distribution | None = None

    @model_validator(mode="after")
    def _of_what(self) -> Self:
        if (self.how == "count") != (self.column is None):
            raise ValueError("give column, and none for count")
        return self


class Absent(Part):
    """NULL: a case of `conditional`, as the closing day of what is still open."""

    kind: Literal["absent"] = "absent"


class Several(Part):
    """A list of `fewest` to `most` different values: tags, languages, skills."""

    kind: Literal["several"] = "several"
    values: Annotated[tuple[Scalar, ...], Field(min_length=1)]
    weights: Weights = ()
    fewest: Annotated[int, Field(ge=0)] = 1
    most: Annotated[int, Field(ge=1)] = 3

    @model_validator(mode="after")
    def _sizes(self) -> Self:
        if self.weights and len(self.weights) != len(self.values):
            raise ValueError(f"{len(self.weights)} weights for {len(self.values)} values")
        if self.weights and not min(self.weights) > 0:
            raise ValueError("a weight is 0")
        if not self.fewest <= self.most <= len(self.values):
            raise ValueError("fewest, most and the number of values must ascend")
        return self


type Distribution = Annotated[
    Categorical
    | Zipf
    | Flag
    | Uniform
    | Normal
    | LogNormal
    | Mixture
    | Dates
    | After
    | Sequence
    | Pattern
    | Faker
    | Template
    | Correlated
    | Scaled
    | Copied
    | Conditional
    | Banded
    | Product
    | Sum
    | Annuity
    | Elapsed
    | Curve
    | Ordinal
    | First
    | Allotted
    | Aggregated
    | Absent
    | Several,
    Field(discriminator="kind"),
]


for _model in (
    Weighted,
    Mixture,
    After,
    Correlated,
    Scaled,
    Conditional,
    Band,
    Banded,
    Product,
    First,
    Aggregated,
):
    _model.model_rebuild()


def moment(text: str) -> datetime:
    """A day or moment in ISO text, without a zone.

    Raises:
        ValueError: it is none.
    """
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError as problem:
        raise ValueError(f"'{text}' is no ISO day or moment") from problem
    if parsed.tzinfo is not None or not date(1678, 1, 1) <= parsed.date() <= date(2261, 12, 31):
        raise ValueError(f"'{text}' has a zone or lies outside the years 1678 to 2261")
    return parsed


def _band_key(upto: float | str) -> float | datetime | time:
    if isinstance(upto, str):
        return time.fromisoformat(upto) if is_time(upto) else moment(upto)
    return float(upto)


def is_time(upto: float | str) -> bool:
    """Whether a band ends at a time of day: `05:59`."""
    return isinstance(upto, str) and upto[2:3] == ":"


def inner(given: Distribution) -> tuple[Distribution, ...]:
    """The distributions that a distribution chooses among: its cases, its bands."""
    match given:
        case Conditional():
            return (*given.cases.values(), given.otherwise)
        case Banded():
            return (*(band.of for band in given.bands), given.otherwise)
        case Aggregated(otherwise=otherwise):
            return () if otherwise is None else (otherwise,)
        case First():
            return (given.of, given.otherwise)
    return ()


def lowest(given: Numeric) -> float:
    """The lowest number that can come out; minus infinity where there is no bound."""
    match given:
        case Uniform():
            return given.low
        case LogNormal():
            return max(0.0, given.low if given.low is not None else 0.0)
        case Normal():
            return given.low if given.low is not None else float("-inf")
        case Mixture():
            return min(lowest(part.of) for part in given.parts)


def _typed(value: Scalar) -> tuple[str, Scalar]:
    return type(value).__name__, value


def _ordered[Model](model: Model, low: object, high: object) -> Model:
    if low is not None and high is not None and low > high:  # type: ignore[operator]
        raise ValueError("the upper end of the range is below the lower one")
    return model


def _within(mean: float, deviation: float, low: float | None, high: float | None) -> None:
    if (low is not None and low > mean + 2 * deviation) or (
        high is not None and high < mean - 2 * deviation
    ):
        raise ValueError("the range is more than 2 deviations from the mean")
