"""Columns of values: one function for each kind of distribution.

Each takes its part of the specification, the rows (for their number, and for columns that it
depends on) and a random generator. One function a kind and the table that lists them are one
module of over 600 lines.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import partial
from string import Formatter
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from generators.synthesis.library.days import is_holiday, on_day, whole_months
from generators.synthesis.library.digits import with_check_digits

if TYPE_CHECKING:
    from generators.synthesis.library.rows import Rows

type Of = dict[str, Any]
type Rng = np.random.Generator


def draw(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """Values of any kind."""
    return KINDS[of["kind"]](of, rows, rng)


def as_type(values: pl.Series, dtype: Any) -> pl.Series:
    """Values as the property's type; days and moments may come as text."""
    if dtype in (pl.Date, pl.Datetime("us")) and values.dtype == pl.String:
        values = values.str.to_datetime(time_unit="us")
    if dtype == pl.Int64 and values.dtype == pl.Float64:
        values = values.round(0)
    values = values.cast(dtype)
    if dtype == pl.Float64:  # no -0.0, to which Polars adds 0.0 without a change
        values = pl.select(pl.when(values == 0).then(0.0).otherwise(values)).to_series()
    return values


def distinct(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """Values that differ from one another: what comes twice is drawn again.

    Text that still comes twice after 20 times gets a number.
    """
    if of["kind"] in ("categorical", "zipf"):
        places = rng.choice(len(of["values"]), rows.count, replace=False, p=shares(of))
        return pl.Series(of["values"], strict=False).gather(places)
    values = draw(of, rows, rng)
    for _ in range(20):
        again = np.flatnonzero(~values.is_first_distinct().to_numpy())
        if not len(again) or of["kind"] == "sequence":
            return values
        values = values.scatter(again, draw(of, rows.take(again), rng))
    if values.dtype != pl.String:
        raise ValueError(f"{rows.count} different values of kind {of['kind']} could not be drawn")
    return numbered(values)


def numbered(values: pl.Series) -> pl.Series:
    """Text with a number where it comes again: `Smith & Co 2`, `jane2@example.org`."""
    table = pl.DataFrame({"text": values}).with_columns(
        time=pl.int_range(pl.len()).over("text") + 1
    )
    again = (
        pl.when(pl.col("text").str.contains("@"))
        .then(pl.col("text").str.replace("@", pl.format("{}@", "time")))
        .otherwise(pl.format("{} {}", "text", "time"))
    )
    return table.select(pl.when(pl.col("time") > 1).then(again).otherwise("text")).to_series()


# --- enumerations ------------------------------------------------------------------------------


def categorical(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """One of some values; `zipf` is the same with other weights."""
    places = np.searchsorted(np.cumsum(shares(of)), rng.random(rows.count), side="right")
    return pl.Series(of["values"], strict=False).gather(np.minimum(places, len(of["values"]) - 1))


def shares(of: Of) -> np.ndarray:
    """The probabilities of enumerated values."""
    size = len(of["values"])
    if of["kind"] == "zipf":
        weights = np.arange(1, size + 1) ** -float(of["exponent"])
    else:
        weights = np.array(of["weights"] or [1] * size, dtype=float)
    return np.asarray(weights / weights.sum())


def flag(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """True in a share of the rows."""
    return pl.Series(rng.random(rows.count) < of["share"])


def several(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """Lists of different values, those with more weight in more of them (Efraimidis, Spirakis)."""
    values, size = pl.Series(of["values"], strict=False), len(of["values"])
    weights = np.array(of["weights"] or [1] * size, dtype=float)
    rank = np.argsort(-np.log(rng.random((rows.count, size))) / weights, axis=1)
    lengths = rng.integers(of["fewest"], of["most"], size=rows.count, endpoint=True)
    row, place = np.nonzero(np.arange(size) < lengths[:, None])
    chosen = pl.DataFrame({"row": row, "value": values.gather(rank[row, place])})
    lists = chosen.group_by("row", maintain_order=True).agg("value")
    everyone = pl.DataFrame({"row": np.arange(rows.count)}).join(
        lists, on="row", how="left", maintain_order="left"
    )
    return everyone["value"].fill_null([])


# --- numbers -----------------------------------------------------------------------------------


def number(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """Numbers: uniform, normal, lognormal or a mixture of these."""
    return pl.Series(sample(of, rows.count, rng))


def sample(of: Of, count: int, rng: Rng) -> np.ndarray:
    """Numbers as an array."""
    if of["kind"] == "mixture":
        return mixture(of, count, rng)
    if of["kind"] == "uniform":
        step = 10.0 ** -of["decimals"]
        steps = rng.integers(0, round((of["high"] - of["low"]) / step), size=count, endpoint=True)
        return np.asarray(np.round(of["low"] + steps * step, of["decimals"]))
    low = -np.inf if of["low"] is None else of["low"]
    high = np.inf if of["high"] is None else of["high"]
    values = unbounded(of, count, rng)
    while len(outside := np.flatnonzero((values < low) | (values > high))):
        values[outside] = unbounded(of, len(outside), rng)
    return values


def unbounded(of: Of, count: int, rng: Rng) -> np.ndarray:
    """Normal or log-normal numbers."""
    if of["kind"] == "normal":
        values = rng.normal(of["mean"], of["deviation"], count)
    else:
        values = of["median"] * np.exp(of["sigma"] * rng.standard_normal(count))
    return np.round(values, of["decimals"])


def mixture(of: Of, count: int, rng: Rng) -> np.ndarray:
    """Each number from one of the parts."""
    weights = np.array([part["weight"] for part in of["parts"]])
    which = rng.choice(len(weights), count, p=weights / weights.sum())
    values = np.empty(count)
    for number, part in enumerate(of["parts"]):
        values[which == number] = sample(part["of"], int((which == number).sum()), rng)
    return values


def correlated(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """Numbers whose rank correlation with another column is given (a Gaussian copula)."""
    values = np.sort(sample(of["of"], rows.count, rng))
    column = rows[of["column"]]
    score = rng.standard_normal(rows.count)
    there = np.flatnonzero(column.is_not_null().to_numpy())
    rank = column.gather(there).rank("random", seed=int(rng.integers(2**32))).to_numpy() - 1
    slope = 2 * np.sin(np.pi * of["correlation"] / 6)  # of normal scores, for this rank correlation
    other = np.sort(rng.standard_normal(len(there)))[rank]
    score[there] = slope * other + np.sqrt(1 - slope**2) * score[there]
    numbers = np.empty(rows.count)
    numbers[np.argsort(score)] = values
    return pl.Series(numbers)


def scaled(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """Another column's number times a factor."""
    factor = pl.Series(sample(of["factor"], rows.count, rng))
    return rounded(rows[of["column"]].cast(pl.Float64) * factor, of["decimals"])


def rounded(values: pl.Series, decimals: int) -> pl.Series:
    """Numbers to so many decimals, or to tens and hundreds."""
    if decimals >= 0:
        return values.round(decimals)
    step = 10.0**-decimals
    return (values / step).round(0) * step


# --- days and moments --------------------------------------------------------------------------


def dates(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """Moments with seasons, weekdays, hours and growth; a property of days drops the time."""
    first, last = datetime.fromisoformat(of["start"]), end_of(of["end"])
    days = np.datetime64(first, "D") + np.arange((last.date() - first.date()).days + 1)
    weights = of["growth"] ** (np.arange(len(days)) / max(1, len(days) - 1))
    if of["months"]:
        weights *= np.array(of["months"])[days.astype("datetime64[M]").astype(int) % 12]
    if of["weekdays"]:
        weights *= np.array(of["weekdays"])[(days.astype(int) + 3) % 7]  # 1970-01-01: a Thursday
    if of["workdays"] or of["shopdays"]:
        weights *= ~is_free(pl.Series(days), of).to_numpy()
    if of["day"]:
        weights *= pl.Series(days).eq(on_day(pl.Series(days), of["day"])).to_numpy()
    hours = np.array(of["hours"] or [1] * 24, dtype=float)
    seconds = pick(hours, rows.count, rng) * 3600 + rng.integers(3600, size=rows.count)
    if of["every"]:
        seconds -= seconds % (60 * of["every"])
    moments = days[pick(weights, rows.count, rng)] + seconds.astype("timedelta64[s]")
    moments = np.clip(moments, np.datetime64(first, "s"), np.datetime64(last, "s"))
    if of["ascending"]:
        moments.sort()  # drawn by itself, so that the other columns do not care
    return pl.Series(moments.astype("datetime64[us]"))


def pick(weights: np.ndarray, count: int, rng: Rng) -> np.ndarray:
    """Places in proportion to weights."""
    total = np.cumsum(weights)
    places = np.searchsorted(total, rng.random(count) * total[-1], side="right")
    return np.asarray(np.minimum(places, len(weights) - 1))


def is_free(days: pl.Series, of: Of) -> pl.Series:
    """Which days are no working days, or no days on which shops are open: week-ends or Sundays, and
    holidays of one of the countries."""
    last = 6 if of["shopdays"] else 5
    return (days.dt.weekday() > last) | is_holiday(days)


def end_of(text: str) -> datetime:
    """A moment; for a day, its last second."""
    moment = datetime.fromisoformat(text)
    return moment if len(text) > 10 else moment + timedelta(days=1, seconds=-1)


def after(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """Moments not before those of other columns; NULL where one of these is."""
    base = pl.DataFrame([rows[c].cast(pl.Datetime("us")).alias(c) for c in of["columns"]])
    start = base.max_horizontal().set(
        base.select(pl.any_horizontal(pl.all().is_null())).to_series(), None
    )
    if of["until"] is None:
        return fitted(start + spans(of, rows.count, rng), start, None, of)
    # What would come too late lies anywhere in the time that is left, so that nothing piles up;
    # where there is room for it, not before the shortest gap.
    last = pl.Series([end_of(of["until"])], dtype=pl.Datetime("us"))
    if of["before"]:
        last = last.new_from_index(0, rows.count)
        bounds = [rows[name].cast(pl.Datetime("us")) for name in of["before"]]
        last = pl.select(pl.min_horizontal(last, *bounds)).to_series()
    if of["since"] is not None:
        first = datetime.fromisoformat(of["since"])
        early = (start < first) & (last >= first)
        start = pl.select(pl.when(early).then(pl.lit(first)).otherwise(start)).to_series()
    left = (last - start).dt.total_seconds().clip(0).cast(pl.Float64)
    least = shortest(of)
    wait = (left > least).cast(pl.Float64) * least
    seconds = (wait + (left - wait) * pl.Series(rng.random(rows.count))).cast(pl.Int64)
    moments = start + (seconds * 1_000_000).cast(pl.Duration("us"))
    if of["gap"] is not None:
        wanted = start + spans(of, rows.count, rng)
        moments = pl.select(pl.when(wanted <= last).then(wanted).otherwise(moments)).to_series()
    if of["hours"]:
        moments = at_hours(moments, start, last, of, rng)
    return fitted(moments, start, last, of)


def fitted(moments: pl.Series, start: pl.Series, last: pl.Series | None, of: Of) -> pl.Series:
    """Moments on working days and at whole minutes, where that lies between the bounds."""

    def kept(wanted: pl.Series, otherwise: pl.Series) -> pl.Series:
        there = wanted >= start
        if last is not None:
            there = there & (wanted <= last)
        if of["months"]:
            there = there & (in_season(wanted, of) | ~in_season(moments, of))
        return pl.select(pl.when(there).then(wanted).otherwise(otherwise)).to_series()

    if of["monthly"]:
        moments = whole_months(start, moments, 1)
    if of["day"] == "year":
        moments = whole_months(start, moments, 12)
    elif of["day"]:
        day = on_day(moments, of["day"])
        other = on_day(moments, of["day"], 1 if of["day"] == "first" else -1)
        moments = kept(day, kept(other, moments))
    if of["months"]:
        on, back = moments, moments
        for _ in range(11):
            on, back = in_months(on, of, 1), in_months(back, of, -1)
        if of["day"] in ("first", "last"):  # a month after 30 June is 30 July
            on, back = on_day(on, of["day"]), on_day(back, of["day"])
        moments = kept(on, kept(back, moments))
    if of["workdays"] or of["shopdays"]:
        on, back = moments, moments
        for _ in range(5):  # the longest row of free days: Christmas before a week-end, and one
            on = moved(on, 1, of)
            back = moved(back, -1, of)
        moments = kept(on, kept(back, moments))
    if of["every"]:
        step = f"{of['every']}m"
        whole = moments.dt.truncate(step)
        moments = kept(whole, kept(whole.dt.offset_by(step), start))
    return moments


def in_season(moments: pl.Series, of: Of) -> pl.Series:
    """Whether moments lie in the months of `of`."""
    return moments.dt.month().is_in(list(of["months"])).fill_null(True)


def in_months(moments: pl.Series, of: Of, months: int) -> pl.Series:
    """Moments in other months than those of `of` a month on or back."""
    other = moments.dt.offset_by(f"{months}mo")
    return pl.select(pl.when(in_season(moments, of)).then(moments).otherwise(other)).to_series()


def moved(moments: pl.Series, days: int, of: Of) -> pl.Series:
    """Moments of free days a day on or back."""
    other = moments.dt.offset_by(f"{days}d")
    return pl.select(pl.when(is_free(moments, of)).then(other).otherwise(moments)).to_series()


def at_hours(moments: pl.Series, start: pl.Series, last: pl.Series, of: Of, rng: Rng) -> pl.Series:
    """Moments at another time of their days, where that lies between the bounds."""
    seconds = pick(np.array(of["hours"], dtype=float), len(moments), rng) * 3600
    seconds = seconds + rng.integers(3600, size=len(moments))
    usual = moments.dt.truncate("1d") + pl.Series(seconds * 1_000_000).cast(pl.Duration("us"))
    within = (usual >= start) & (usual <= last)
    return pl.select(pl.when(within).then(usual).otherwise(moments)).to_series()


UNITS = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86400}


def shortest(of: Of) -> float:
    """The seconds of the shortest gap of `after`, where there is one."""
    gap = of["gap"]
    least: float = gap["low"] if gap is not None and gap["kind"] == "uniform" else 0
    return max(least, 0) * UNITS[of["unit"]]


def spans(of: Of, count: int, rng: Rng) -> pl.Series:
    """The gaps of `after` as durations."""
    seconds = np.round(sample(of["gap"], count, rng) * UNITS[of["unit"]])
    return pl.Series(seconds.astype("timedelta64[s]").astype("timedelta64[us]"))


# --- text --------------------------------------------------------------------------------------


def sequence(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """Numbers one after the other, as text where there is a prefix or a number of digits."""
    numbers = pl.Series(of["start"] + of["step"] * np.arange(rows.count))
    if of["by"] is not None:
        numbers = numbers.gather(rows[of["by"]].rank("ordinal").fill_null(1).cast(pl.Int64) - 1)
    if not of["prefix"] and not of["digits"]:
        return numbers
    return pl.Series([of["prefix"]]) + numbers.cast(pl.String).str.zfill(of["digits"])


def pattern(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """Text with digits for `#`, capital letters for `?` and hexadecimal digits for `*`."""
    marks = {"#": "0123456789", "?": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "*": "0123456789abcdef"}
    parts = []
    for run in re.findall(r"#{1,4}|\?{1,3}|\*{1,4}|[^#?*]+", of["text"]):
        alphabet = marks.get(run[0])
        if alphabet is None:
            parts.append(pl.lit(run))
            continue
        texts = [""]
        for _ in run:
            texts = [text + letter for text in texts for letter in alphabet]
        parts.append(pl.lit(pl.Series(texts).gather(rng.integers(len(texts), size=rows.count))))
    values = pl.select(pl.concat_str(parts)).to_series()
    return with_check_digits(values, of["check"]) if of["check"] else values


def faker(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """Values of a Faker provider; many rows share a pool, and names are put together from two."""
    from faker import Faker

    fake = Faker(of["locale"])
    fake.seed_instance(int(rng.integers(2**32)))

    def pool(provider: str) -> pl.Series:
        make = partial(getattr(fake, provider), **of["arguments"])
        size = min(rows.count, of["pool"])
        made = [make() for _ in range(size)]
        if provider in ("name", "last_name"):  # Faker's names have ordinals, `auch X` and `X, van`
            odd = r"(?:^| )[IVX]+$|,.*$| van$|\bauch "
            made = [re.sub(odd, "", name) or make() for name in made]
        if provider == "last_name" and of["locale"] == "pl_PL":  # Leśna, Piaseczna: no man's name
            neutral = [n for n in made if not re.search(r"(?:ska|cka|dzka|[śźżz]na)$", n)] or made
            made = [neutral[i % len(neutral)] for i in range(size)]
        values = pl.Series(made, dtype=pl.String)
        return values if size == rows.count else values.gather(rng.integers(size, size=rows.count))

    if of["provider"] == "name" and rows.count > of["pool"]:
        return pool("first_name") + " " + pool("last_name")
    return pool(of["provider"])


def template(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """Text with parts from lists or other columns; NULL where one of these is."""
    parts = []
    for text, name, form, _ in Formatter().parse(of["text"]):
        if text:
            parts.append(pl.lit(text))
        if name is not None:
            values = (
                pl.Series(of["lists"][name]) if name in of["lists"] else rows[name].cast(pl.String)
            )
            if form:
                values = slug(values) if form == "slug" else shortened(values, form)
            if name in of["lists"]:
                values = values.gather(rng.integers(len(values), size=rows.count))
            parts.append(pl.lit(values))
    made = pl.select(pl.concat_str(parts)).to_series()
    return with_check_digits(made, of["check"]) if of["check"] else made


def shortened(values: pl.Series, form: str) -> pl.Series:
    """Texts as a `form` of `?`, their first marks, or of `#` and blanks: up to eight digits that
    follow from the text and do not begin with 0, so that equal texts have equal digits."""
    if "?" in form:
        return values.str.slice(0, len(form))

    def digits(text: str) -> str:
        number = iter(str(10_000_000 + int.from_bytes(text.encode()) % 79_999_987))
        return "".join(mark if mark == " " else next(number) for mark in form)

    made = [None if text is None else digits(text) for text in values]
    return pl.Series(made, dtype=pl.String)


def slug(values: pl.Series) -> pl.Series:
    """Lower case without accents, words joined by dots: `Zoë O'Neill` becomes `zoe.oneill`."""
    plain = values.str.to_lowercase().str.replace_many(
        ["ß", "ø", "ł", "đ", "æ", "œ"], ["ss", "o", "l", "d", "ae", "oe"]
    )
    plain = plain.str.normalize("NFKD").str.replace_all(r"[^a-z0-9\s_.-]", "")
    return plain.str.replace_all(r"[\s_.-]+", ".").str.strip_chars(".")


# --- made of other columns ---------------------------------------------------------------------


def product(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """The product of columns, times a factor."""
    products = pl.Series(np.ones(rows.count))
    if of["factor"] is not None:
        products = pl.Series(sample(of["factor"], rows.count, rng))
    for name in of["columns"]:
        products = products * rows[name].cast(pl.Float64)
    return rounded(products, of["decimals"])


def total(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """The sum of columns, less others."""
    sums = pl.Series(np.zeros(rows.count))
    for sign, names in ((1, of["columns"]), (-1, of["minus"])):
        for name in names:
            sums = sums + sign * rows[name].cast(pl.Float64)
    return rounded(sums, of["decimals"])


def annuity(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """The equal part of a loan that is paid each month."""
    amount, rate, months = (
        rows[of[name]].cast(pl.Float64) for name in ("amount", "rate", "months")
    )
    monthly = rate / 1200
    growth = (1 + monthly) ** -1.0
    discount = 1 - (growth.log() * months).exp()
    level = pl.DataFrame({"monthly": monthly, "discount": discount, "months": months}).select(
        pl.when(pl.col("monthly") == 0)
        .then(1 / pl.col("months"))
        .otherwise(pl.col("monthly") / pl.col("discount"))
    )
    return rounded(amount * level.to_series(), of["decimals"])


def elapsed(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """The time between two columns."""
    unit = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86400}[of["unit"]]
    start, end = (rows[of[name]].cast(pl.Datetime("us")) for name in ("start", "end"))
    return ((end - start).dt.total_microseconds() / (unit * 1e6)).round(of["decimals"])


def curve(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """A number that follows another along a curve, give or take a share of it."""
    column = rows[of["column"]].cast(pl.Float64)
    xs, ys = ([point[axis] for point in of["points"]] for axis in ("x", "y"))
    there = np.interp(column.fill_null(0).to_numpy(), xs, ys)
    there = there * (1 + of["deviation"] * rng.uniform(-1, 1, rows.count))
    return pl.Series(np.round(there, of["decimals"])).set(column.is_null(), None)


def ordinal(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """Numbers from `start` within the rows that agree in a column."""
    table = pl.DataFrame({"group": rows[of["column"]]})
    if of["by"] is None:
        return table.select(pl.int_range(pl.len()).over("group") + of["start"]).to_series()
    table = table.with_columns(by=rows[of["by"]])
    rank = pl.col("by").rank("ordinal").over("group").fill_null(1).cast(pl.Int64)
    return table.select(rank - 1 + of["start"]).to_series()


def first(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """One distribution for the first of the rows that agree in a column, another for the others."""
    case = (~rows[of["column"]].is_first_distinct()).to_numpy().astype(int)
    return chosen([(0, of["of"]), (1, of["otherwise"])], case, rows, rng)


def allotted(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """Parts of a number that the rows which agree in a column share out; their sum is exact."""
    share = of["low"] + (of["high"] - of["low"]) * rng.random(rows.count)
    whole = np.full(rows.count, of["whole"])
    table = pl.DataFrame(
        {
            "group": rows[of["by"]],
            "whole": rows[of["column"]].cast(pl.Float64) if of["column"] else whole,
            "share": share,
            "weight": np.exp(of["spread"] * rng.standard_normal(rows.count)),
        }
    )
    weight = pl.col("weight")
    upto = (weight.cum_sum() / weight.sum()).over("group")
    upto = pl.col("whole") * pl.col("share").first().over("group") * upto
    reached = rounded(table.select(upto).to_series(), of["decimals"])
    table = table.with_columns(reached=reached)
    part = pl.col("reached") - pl.col("reached").shift(1, fill_value=0).over("group")
    values = rounded(table.select(part).to_series(), of["decimals"])
    return values.set(table["group"].is_null(), None)


def aggregated(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """A number made of all edges of a type that a node has."""
    edges, mine = rows.joined[of["edge"]]
    if of["how"] == "count":
        return pl.Series(np.bincount(mine, minlength=rows.count).astype(np.int64))
    value = pl.col("value")
    how = {"sum": value.sum(), "least": value.min(), "most": value.max()}
    table = pl.DataFrame({"node": mine, "value": edges[of["column"]]}).drop_nulls()
    made = table.group_by("node").agg(how[of["how"]])
    everyone = pl.DataFrame({"node": np.arange(rows.count)})
    numbers = everyone.join(made, on="node", how="left", maintain_order="left")["value"]
    if of["otherwise"] is not None:
        alone = np.flatnonzero(np.bincount(mine, minlength=rows.count) == 0)
        if len(alone):
            values = as_type(draw(of["otherwise"], rows.take(alone), rng), numbers.dtype)
            numbers = numbers.scatter(alone, values)
    if of["how"] == "sum":
        numbers = numbers.fill_null(0)
    return rounded(numbers, of["decimals"]) if numbers.dtype.is_float() else numbers


def banded(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """Another distribution for each range of a column, or of the time of its days."""
    column, bounds = rows[of["column"]], [band["upto"] for band in of["bands"]]
    if str(bounds[0])[2:3] == ":":
        column = column.dt.strftime("%H:%M")
    elif column.dtype in (pl.Date, pl.Datetime("us")):
        column, bounds = column.cast(pl.Datetime("us")), [end_of(upto) for upto in bounds]
    else:
        column, bounds = column.cast(pl.Float64), [float(upto) for upto in bounds]
    case = np.full(rows.count, -1)
    for number, upto in reversed(list(enumerate(bounds))):
        case[(column <= upto).fill_null(False).to_numpy()] = number
    return chosen(
        [*enumerate(band["of"] for band in of["bands"]), (-1, of["otherwise"])], case, rows, rng
    )


# --- other columns -----------------------------------------------------------------------------


def copied(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """The value of another column."""
    return rows[of["column"]]


def absent(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """NULL."""
    return pl.Series([None], dtype=pl.Null).new_from_index(0, rows.count)


def conditional(of: Of, rows: Rows, rng: Rng) -> pl.Series:
    """Another distribution for each value of a column."""

    def number_of(key: pl.Series) -> pl.Series:
        text, names = key.cast(pl.String).fill_null(""), list(of["cases"])
        return text.replace_strict(names, list(range(len(names))), default=-1)

    case = rows.changed(of["column"], number_of).to_numpy()
    return chosen([*enumerate(of["cases"].values()), (-1, of["otherwise"])], case, rows, rng)


def chosen(parts: list[tuple[int, Of]], case: np.ndarray, rows: Rows, rng: Rng) -> pl.Series:
    """Values of one of several distributions: the one whose number is in `case`."""
    places, values = [], []
    for number, inner in parts:
        rows_of_case = np.flatnonzero(case == number)
        if len(rows_of_case):
            places.append(rows_of_case)
            values.append(draw(inner, rows.take(rows_of_case), rng))
    kinds = {part.dtype for part in values} - {pl.Null}
    if kinds:
        mixed: Any = pl.Datetime("us") if pl.String in kinds else pl.Float64
        common = mixed if len(kinds) > 1 else kinds.pop()
        values = [as_type(part, common) for part in values]
    if not values:  # no rows: concat takes no empty list
        return pl.Series([], dtype=pl.Null)
    return pl.concat(values).gather(np.argsort(np.concatenate(places)))


KINDS = {
    "categorical": categorical,
    "zipf": categorical,
    "flag": flag,
    "uniform": number,
    "normal": number,
    "lognormal": number,
    "mixture": number,
    "dates": dates,
    "after": after,
    "sequence": sequence,
    "pattern": pattern,
    "faker": faker,
    "template": template,
    "correlated": correlated,
    "scaled": scaled,
    "copied": copied,
    "conditional": conditional,
    "banded": banded,
    "product": product,
    "annuity": annuity,
    "sum": total,
    "elapsed": elapsed,
    "curve": curve,
    "ordinal": ordinal,
    "first": first,
    "allotted": allotted,
    "aggregated": aggregated,
    "absent": absent,
    "several": several,
}
