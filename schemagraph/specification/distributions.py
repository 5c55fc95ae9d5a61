"""How the values of a property are distributed: one frozen model for each kind.

They are what people edit and language models write, so unknown fields are refused. Numbers and
dates are JSON values; dates are ISO text (`2024-03-01`, `2024-03-01T08:30:00`). A column may refer
to other columns of its row by name; a column of an edge also to those of its ends, as
`source.NAME` and `target.NAME`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
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
    are in this order, as of things that are numbered as they come.
    """

    kind: Literal["dates"] = "dates"
    start: StrictStr
    end: StrictStr
    months: Weights = ()
    weekdays: Weights = ()
    hours: Weights = ()
    growth: Positive = 1.0
    ascending: bool = False

    @model_validator(mode="after")
    def _range(self) -> Self:
        _ordered(self, moment(self.start), moment(self.end))
        for name, size in (("months", 12), ("weekdays", 7), ("hours", 24)):
            weights = getattr(self, name)
            if weights and (len(weights) != size or not sum(weights) > 0):
                raise ValueError(f"{name} must be {size} weights that are not all 0")
        return self


class After(Part):
    """A day or moment not before those in `columns` (NULL where one of these is NULL).

    With `gap`, that much later than the latest of them, in `unit`s, yet not after `until`. Without
    it, anywhere between the latest of them and `until`.
    """

    kind: Literal["after"] = "after"
    columns: Annotated[tuple[StrictStr, ...], Field(min_length=1)]
    gap: Numeric | None = None
    unit: Unit = "days"
    until: StrictStr | None = None

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        if self.gap is None and self.until is None:
            raise ValueError("give gap, until or both")
        if self.until is not None:
            moment(self.until)
        if self.gap is not None and not lowest(self.gap) >= 0:
            raise ValueError("gap can be negative; give it a low of at least 0")
        return self


class Sequence(Part):
    """Numbers one after the other: as they are, or as text, `prefix` and at least `digits`."""

    kind: Literal["sequence"] = "sequence"
    start: int = 1
    step: Annotated[int, Field(ge=1)] = 1
    prefix: str = ""
    digits: Annotated[int, Field(ge=0, le=18)] = 0


class Pattern(Part):
    """Text with each `#` replaced by a digit, `?` by a capital letter, `*` by a hex digit.

    Any other character stands for itself: `DE## #### ####`, `INV-2024-#####`. With `check`, digits
    are put right: `iban` those at places 3 and 4 (ISO 13616), `lei` the last two (ISO 17442),
    `luhn` the last one (cards, IMEI), `gtin` the last one (EAN, ISBN).
    """

    kind: Literal["pattern"] = "pattern"
    text: Annotated[StrictStr, Field(max_length=200, pattern=r"[#?*]")]
    check: Literal["", "iban", "lei", "luhn", "gtin"] = ""

    @model_validator(mode="after")
    def _has_room(self) -> Self:
        bare = [mark for mark in self.text if mark.isalnum() or mark in "#?"]
        room = {"iban": bare[2:4], "lei": bare[-2:], "luhn": bare[-1:], "gtin": bare[-1:]}
        if self.check and (
            not self.text.isascii() or set(room[self.check]) != {"#"} or "*" in self.text
        ):
            raise ValueError(f"a code with the check digits of {self.check} has # in their places")
        if self.check in ("luhn", "gtin") and any(m.isalpha() or m == "?" for m in bare):
            raise ValueError(f"a code with the check digit of {self.check} has digits only")
        return self

    def size(self) -> int:
        """How many different texts there are."""
        counts = {"#": 10, "?": 26, "*": 16}
        found = 1
        for mark in self.text:
            found *= counts.get(mark, 1)
        return found // {"": 1, "iban": 100, "lei": 100}.get(self.check, 10)


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

    `{name:slug}` gives it in lower case with `.` between words, for addresses and user names.
    The items of a list are as likely; a list may repeat none.
    """

    kind: Literal["template"] = "template"
    text: Annotated[StrictStr, Field(min_length=1)]
    lists: dict[str, Annotated[tuple[StrictStr, ...], Field(min_length=1)]] = Field(
        default_factory=dict
    )

    @model_validator(mode="after")
    def _readable(self) -> Self:
        fields = list(self.fields())
        if not fields:
            raise ValueError("the text has no {name} in it")
        unused = sorted(set(self.lists) - {name for name, _ in fields})
        if unused:
            raise ValueError(f"the text does not use the list {unused[0]}")
        for name, form in fields:
            if not name or form not in ("", "slug"):
                raise ValueError("write {name} or {name:slug}")
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
    | Absent
    | Several,
    Field(discriminator="kind"),
]


for _model in (Weighted, Mixture, After, Correlated, Scaled, Conditional):
    _model.model_rebuild()


def moment(text: str) -> datetime:
    """A day or moment in ISO text, without a zone.

    Raises:
        ValueError: it is none.
    """
    try:
        found = datetime.fromisoformat(text)
    except ValueError as problem:
        raise ValueError(f"'{text}' is no ISO day or moment") from problem
    if found.tzinfo is not None or not date(1678, 1, 1) <= found.date() <= date(2261, 12, 31):
        raise ValueError(f"'{text}' has a zone or lies outside the years 1678 to 2261")
    return found


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
