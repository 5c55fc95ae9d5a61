"""Measures columns against their part of the specification."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from datetime import datetime

import numpy as np
import polars as pl

from qa.synthesis import curves
from qa.synthesis.aggregates import measure_allotted
from qa.synthesis.check_digits import valid
from qa.synthesis.report import Measure, limit, none_of, rounded
from schemagraph.model import Kind, Property
from schemagraph.specification import distributions as d
from schemagraph.specification.columns import passes_null
from schemagraph.specification.model import Column

type Look = Callable[[str], pl.Series]

_CHECKED = 20_000  # codes whose check digits are computed again
SAMPLE = 200_000  # rows that distances and texts are measured on, spread over the table


def measure_column(
    place: str, given: Property, column: Column, values: pl.Series, look: Look
) -> Iterator[Measure]:
    """All measures of one property. `look` gives any column that the property depends on."""
    rows = len(values)
    if not given.nullable:
        yield none_of(place, "values that are NULL", values.null_count())
    missing = _missing(column.of, look, rows)
    inherited = 0.0 if missing is None or not rows else float(missing.sum()) / rows
    expected = 1 - (1 - column.null) * (1 - inherited)
    share = values.null_count() / rows if rows else 0.0
    noise = 6 * math.sqrt(max(expected * (1 - expected), 1 / max(1, rows)) / max(1, rows))
    unknown = isinstance(column.of, d.Aggregated) and column.of.how in ("least", "most")
    if (expected or share) and not unknown:  # what has no edge has none
        off = abs(share - expected)
        yield limit(
            place, "share of NULL", rounded(expected), share, off=off, most=max(0.01, noise)
        )
    there = values.is_not_null()
    present = values.filter(there)
    if column.unique:
        yield none_of(place, "values that come again", len(present) - present.n_unique())
    if not len(present):
        return

    def seen(name: str) -> pl.Series:
        return look(name).filter(there)

    yield from _measure(place, column.of, given, present, seen, column.unique)


def _missing(of: d.Distribution, look: Look, rows: int) -> pl.Series | None:
    """The rows in which a value has to be NULL: where what it is made from is; None for no row."""
    if isinstance(of, d.Absent):
        return pl.Series([True]).new_from_index(0, rows)
    missing: pl.Series | None = None
    for name in dict.fromkeys(passes_null(of)):
        without = look(name).is_null()
        missing = without if missing is None else missing | without
    if isinstance(of, d.Conditional | d.Banded | d.First):
        for _, part, chosen in _parts(of, look, rows):
            missing = _either(missing, chosen, _missing(part, look, rows))
    return missing


def _parts(
    of: d.Conditional | d.Banded | d.First, look: Look, rows: int
) -> Iterator[tuple[str, d.Distribution, pl.Series]]:
    """The cases or bands of a distribution, what they are called, and their rows."""
    rest = pl.Series([True]).new_from_index(0, rows)
    if isinstance(of, d.First):
        chosen = look(of.column).is_first_distinct()
        rest = ~chosen
        yield f"first {of.column}", of.of, chosen
    elif isinstance(of, d.Conditional):
        key = look(of.column).cast(pl.String)
        for case, part in of.cases.items():
            chosen = (key == case).fill_null(False)
            rest = rest & ~chosen
            yield f"{of.column}={case}", part, chosen
    else:
        column = look(of.column)
        for band in of.bands:
            if d.is_time(band.upto):
                chosen = (column.dt.strftime("%H:%M") <= band.upto).fill_null(False) & rest
            elif isinstance(band.upto, str):
                last = pl.Series([curves.last_moment(band.upto)], dtype=pl.Datetime("us"))
                chosen = (column.cast(pl.Datetime("us")) <= last).fill_null(False) & rest
            else:
                chosen = (column.cast(pl.Float64) <= float(band.upto)).fill_null(False) & rest
            rest = rest & ~chosen
            yield f"{of.column}≤{band.upto}", band.of, chosen
    yield "otherwise", of.otherwise, rest


def _either(
    missing: pl.Series | None, chosen: pl.Series, more: pl.Series | None
) -> pl.Series | None:
    if more is None:
        return missing
    return chosen & more if missing is None else missing | (chosen & more)


def _measure(
    place: str, of: d.Distribution, given: Property, values: pl.Series, look: Look, unique: bool
) -> Iterator[Measure]:
    match of:
        case d.Categorical() | d.Zipf() | d.Flag():
            yield from _enumeration(place, of, values, unique)
        case d.Uniform() | d.Normal() | d.LogNormal() | d.Mixture():
            yield from _numbers(place, of, values, unique)
        case d.Correlated():
            yield from _numbers(place, of.of, values, unique)
            yield from _correlation(place, of, values, look(of.column))
        case d.Scaled():
            yield from _scaled(place, of, given, values, look(of.column))
        case d.Copied():
            yield none_of(place, f"values other than {of.column}", _differ(values, look(of.column)))
        case d.Dates():
            yield from _dates(place, of, given, values, unique)
        case d.After():
            yield from _after(place, of, given, values, look)
        case d.Sequence():
            yield from _sequence(place, of, values, look)
        case d.Product() | d.Sum() | d.Annuity() | d.Elapsed() | d.Curve():
            yield _computed(place, of, given, values, look)
        case d.Allotted():
            by = look(of.by)
            whole = pl.Series([of.whole]).new_from_index(0, len(by))
            whole = look(of.column) if of.column is not None else whole
            yield from measure_allotted(place, of, values, whole, by)
        case d.Ordinal():
            table = pl.DataFrame({"group": look(of.column), "value": values})
            if of.by is not None:  # sorted by what they are numbered by, they count
                order = pl.DataFrame({"group": look(of.column), "by": look(of.by)})
                table = table.hstack([order["by"]]).sort("group", "value", maintain_order=True)
                back = pl.col("by") < pl.col("by").shift(1).over("group")
                wrong = int(table.select(back.sum()).item())
                yield none_of(place, f"values out of the order of {of.by}", wrong)
            wanted = pl.int_range(pl.len()).over("group") + of.start
            wrong = int((table["value"] != table.select(wanted).to_series()).sum())
            yield none_of(place, f"values that do not count within {of.column}", wrong)
        case d.Pattern():
            yield _texts(place, _pattern(of.text), values)
            yield from _checked(place, of.check, values)
        case d.Faker():
            yield none_of(place, "blank values", int((values.str.strip_chars() == "").sum()))
        case d.Template():
            yield _texts(place, _template(of, unique), values)
            yield from _checked(place, of.check, values)
        case d.Several():
            yield from _several(place, of, values)
        case d.Absent():
            yield none_of(place, "values that have to be NULL", len(values))
        case d.Conditional() | d.Banded() | d.First():
            for name, part, chosen in _parts(of, look, len(values)):
                yield from _case(f"{place}[{name}]", part, given, values, look, chosen, unique)


def _case(
    place: str,
    of: d.Distribution,
    given: Property,
    values: pl.Series,
    look: Look,
    chosen: pl.Series,
    unique: bool,
) -> Iterator[Measure]:
    if chosen.any():
        yield from _measure(
            place, of, given, values.filter(chosen), lambda n: look(n).filter(chosen), unique
        )


# --- enumerations and lists --------------------------------------------------------------------


def _enumeration(
    place: str, of: d.Categorical | d.Zipf | d.Flag, values: pl.Series, unique: bool
) -> Iterator[Measure]:
    names, shares = _shares(of)
    counted = values.alias("value").value_counts(name="rows")
    counts = {_key(v): n for v, n in counted.iter_rows()}
    keys = [_key(_as(name, values.dtype)) for name in names]
    foreign = sorted(str(key) for key in set(counts) - set(keys))
    yield none_of(
        place, "values outside the enumeration", sum(counts[k] for k in set(counts) - set(keys))
    )
    if not foreign and not unique:
        effect, most = curves.chi_square([counts.get(k, 0) for k in keys], shares)
        yield limit(
            place, "effect size w of chi-square", f"≤ {most:.3g}", effect, off=effect, most=most
        )


def _shares(of: d.Categorical | d.Zipf | d.Flag) -> tuple[list[d.Scalar], list[float]]:
    if isinstance(of, d.Flag):
        return [True, False], [of.share, 1 - of.share]
    if isinstance(of, d.Zipf):
        weights = [rank**-of.exponent for rank in range(1, len(of.values) + 1)]
    else:
        weights = list(of.weights or [1.0] * len(of.values))
    return list(of.values), [weight / sum(weights) for weight in weights]


def _as(value: d.Scalar, dtype: pl.DataType) -> object:
    """A value of the specification as it stands in the column."""
    if dtype in (pl.Date, pl.Datetime("us")) and isinstance(value, str):
        moment = d.moment(value)
        return moment.date() if dtype == pl.Date else moment
    return float(value) if dtype == pl.Float64 else value


def _key(value: object) -> tuple[str, object]:
    return type(value).__name__, value


def _several(place: str, of: d.Several, values: pl.Series) -> Iterator[Measure]:
    lengths = values.list.len()
    outside = int(((lengths < of.fewest) | (lengths > of.most)).sum())
    yield none_of(place, f"lists without {of.fewest} to {of.most} values", outside)
    allowed = pl.Series(list(of.values), dtype=values.dtype.inner, strict=False)  # type: ignore[attr-defined]
    items = values.explode().drop_nulls()
    yield none_of(
        place, "items outside the enumeration", int((~items.is_in(allowed.implode())).sum())
    )
    yield none_of(place, "lists with an item twice", int((values.list.n_unique() != lengths).sum()))
    sizes = range(of.fewest, of.most + 1)
    counts = [int((lengths == size).sum()) for size in sizes]
    effect, most = curves.chi_square(counts, [1 / len(counts)] * len(counts))
    yield limit(place, "effect size w of lengths", f"≤ {most:.3g}", effect, off=effect, most=most)


# --- numbers -----------------------------------------------------------------------------------


def _numbers(place: str, of: d.Numeric, values: pl.Series, unique: bool) -> Iterator[Measure]:
    low, high = curves.bounds_of(of)
    slack = 1e-9 * max(
        1.0, abs(low) if math.isfinite(low) else 1, abs(high) if math.isfinite(high) else 1
    )
    outside = int(((values < low - slack) | (values > high + slack)).sum())
    yield none_of(place, f"values outside {low:g} to {high:g}", outside)
    if not unique:
        yield _distance(place, of, _sample(values).to_numpy().astype(float), "")


def _distance(place: str, of: d.Numeric, values: np.ndarray, what: str) -> Measure:
    most = curves.distance_allowed(len(values))
    off = curves.distance(values, curves.curve(of), curves.steps_of(of))
    name = f"distance from {of.kind}{what} (Kolmogorov, Smirnov)"
    return limit(place, name, f"≤ {most:.3g}", off, off=off, most=most)


def _correlation(
    place: str, of: d.Correlated, values: pl.Series, other: pl.Series
) -> Iterator[Measure]:
    both = pl.DataFrame({"a": _sample(values), "b": _sample(other)}).drop_nulls()
    if len(both) < 30 or both["a"].n_unique() < 2 or both["b"].n_unique() < 2:
        return
    ranks = both.select(pl.col("a").rank(), pl.col("b").rank())
    measured = float(np.corrcoef(ranks["a"].to_numpy(), ranks["b"].to_numpy())[0, 1])
    # Ties take away from a rank correlation: a column with few values cannot reach it.
    ties = 1 - min(both["a"].n_unique(), both["b"].n_unique()) / len(both)
    most = 0.03 + 4 / math.sqrt(len(both)) + (0.12 if ties > 0.5 else 0.02)
    off = abs(measured - of.correlation)
    what = f"rank correlation with {of.column}"
    yield limit(place, what, of.correlation, measured, off=off, most=most)


def _scaled(
    place: str, of: d.Scaled, given: Property, values: pl.Series, other: pl.Series
) -> Iterator[Measure]:
    step = max(1.0 if given.type.kind is Kind.INTEGER else 0.0, 10.0**-of.decimals)
    base = other.cast(pl.Float64).to_numpy()
    product = values.cast(pl.Float64).to_numpy()
    low, high = curves.bounds_of(of.factor)
    ends = np.sort(np.stack([base * low, base * high]), axis=0)
    slack = step / 2 + 1e-9 * np.maximum(1, np.abs(product))
    outside = int(((product < ends[0] - slack) | (product > ends[1] + slack)).sum())
    yield none_of(place, f"values that are not {low:g} to {high:g} times {of.column}", outside)
    exact = np.abs(base) * curves.steps_of(of.factor) > 20 * step
    if exact.sum() > 30 and low < high:
        yield _distance(place, of.factor, (product[exact] / base[exact])[:SAMPLE], " as factor")


def _computed(
    place: str,
    of: d.Product | d.Sum | d.Annuity | d.Elapsed | d.Curve,
    given: Property,
    values: pl.Series,
    look: Look,
) -> Measure:
    """Numbers that follow from others: within what factor or deviation allow, once rounded."""

    def number(name: str) -> np.ndarray:
        return look(name).cast(pl.Float64).to_numpy()

    match of:
        case d.Product():
            low, high = (1.0, 1.0) if of.factor is None else curves.bounds_of(of.factor)
            base = np.prod([number(name) for name in of.columns], axis=0)
            what = f"values that are not {' times '.join(of.columns)}"
        case d.Sum():
            low = high = 1.0
            base = np.sum([number(name) for name in of.columns], axis=0)
            base = base - np.sum([number(name) for name in of.minus], axis=0)
            what = f"values that are not the sum of {', '.join(of.columns)}"
        case d.Annuity():
            low = high = 1.0
            monthly, months = number(of.rate) / 1200, number(of.months)
            # What all parts are worth on the first day: the sum of (1 + i)^-n over the months.
            safe = np.where(monthly == 0, 1.0, monthly)
            worth = np.where(monthly == 0, months, (1 - (1 + safe) ** -months) / safe)
            base = number(of.amount) / worth
            what = f"values that do not pay back {of.amount} in {of.months} months at {of.rate}"
        case d.Elapsed():
            low = high = 1.0
            unit = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86400}[of.unit]
            start, end = (look(name).cast(pl.Datetime("us")) for name in (of.start, of.end))
            base = ((end - start).dt.total_microseconds() / (unit * 1e6)).to_numpy()
            what = f"values that are not the {of.unit} from {of.start} to {of.end}"
        case d.Curve():
            low, high = 1 - of.deviation, 1 + of.deviation
            xs, ys = [point.x for point in of.points], [point.y for point in of.points]
            base = np.interp(number(of.column), xs, ys)
            what = f"values off the curve of {of.column}"
    step = max(10.0**-of.decimals, 1.0 if given.type.kind is Kind.INTEGER else 0.0)
    ends = np.sort(np.stack([base * low, base * high]), axis=0)
    numbers = values.cast(pl.Float64).to_numpy()
    slack = 0.5001 * step + 1e-9 * np.maximum(1, np.abs(numbers))
    return none_of(
        place, what, int(((numbers < ends[0] - slack) | (numbers > ends[1] + slack)).sum())
    )


def _differ(values: pl.Series, other: pl.Series) -> int:
    return int((~values.eq_missing(other.cast(values.dtype))).sum())


# --- days and moments --------------------------------------------------------------------------


def _dates(
    place: str, of: d.Dates, given: Property, values: pl.Series, unique: bool
) -> Iterator[Measure]:
    first, last = d.moment(of.start), curves.last_moment(of.end)
    moments = values.cast(pl.Datetime("us"))
    start = first.replace(hour=0, minute=0, second=0) if given.type.kind is Kind.DATE else first
    if of.ascending:
        back = int((moments.diff().dt.total_microseconds() < 0).sum())
        yield none_of(place, "rows out of order", back)
    outside = int(((moments < start) | (moments > last)).sum())
    yield none_of(place, f"values outside {of.start} to {of.end}", outside)
    if of.day:
        other = values.cast(pl.Date).dt.offset_by("1d" if of.day == "last" else "0d")
        yield none_of(
            place, f"days that are not the {of.day} of a month", int((other.dt.day() != 1).sum())
        )
    if outside or unique:
        return
    sample = _sample(moments)
    day, expected = curves.days_curve(of)
    numbers = (sample.to_numpy().astype("datetime64[D]") - day).astype(int)
    counts = np.bincount(numbers, minlength=len(expected)) / len(numbers)
    off, most = (
        float(np.abs(np.cumsum(counts) - expected).max()),
        curves.distance_allowed(len(numbers)),
    )
    what = "distance from the seasons (Kolmogorov, Smirnov)"
    yield limit(place, what, f"≤ {most:.3g}", off, off=off, most=most)
    if of.every and given.type.kind is Kind.DATETIME:
        yield _at_whole(place, of.every, moments)
    if of.hours and given.type.kind is Kind.DATETIME:
        hours = np.bincount(sample.dt.hour().to_numpy(), minlength=24)
        effect, most = curves.chi_square(list(hours), [h / sum(of.hours) for h in of.hours])
        yield limit(place, "effect size w of hours", f"≤ {most:.3g}", effect, off=effect, most=most)


def _after(
    place: str, of: d.After, given: Property, values: pl.Series, look: Look
) -> Iterator[Measure]:
    dtype = pl.Date if given.type.kind is Kind.DATE else pl.Datetime("us")
    latest = look(of.columns[0]).cast(dtype)
    for name in of.columns:
        other = look(name).cast(dtype)
        yield none_of(place, f"values before {name}", int((values < other).sum()))
        latest = pl.select(pl.max_horizontal(latest, other)).to_series()
    if of.until is not None:
        last = pl.Series([curves.last_moment(of.until)], dtype=pl.Datetime("us"))
        late = (values.cast(pl.Datetime("us")) > last) & (values != latest)
        yield none_of(place, f"values after {of.until}", int(late.sum()))
        for name in of.before:
            late = (values > look(name).cast(dtype)) & (values != latest)
            yield none_of(place, f"values after {name}", int(late.sum()))
        if of.since is not None:
            yield none_of(place, f"values before {of.since}", _too_early(of, values, look))
    elif of.gap is not None and given.type.kind is Kind.DATETIME and not _shifted(of):
        seconds = (values - latest).dt.total_seconds()
        unit = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86400}[of.unit]
        yield _distance(place, of.gap, _sample(seconds).to_numpy() / unit, " as gap")
    if of.every and given.type.kind is Kind.DATETIME:
        yield _at_whole(place, of.every, values.filter(values != latest))
    opening = of.workdays or of.shopdays
    if of.day and not opening:
        yield none_of(
            place, f"values on other days than {of.day}", _off_days(of, values, latest, look)
        )
    if of.monthly and not opening:
        short = values.dt.day() < latest.dt.day()  # of the 31st, the last day of a shorter month
        short = short & (values.dt.offset_by("1d").dt.day() == 1)
        off = int(((values.dt.day() != latest.dt.day()) & ~short).sum())
        yield none_of(place, "values that are not whole months later", off)
    if opening:
        off = _on_free(of, values, look)
        yield none_of(place, "values on free days with room to the next open day", off)
    if of.months:
        off = _off_season(of, values, look)
        yield none_of(place, "values in other months with room to the next of theirs", off)


def _too_early(of: d.After, values: pl.Series, look: Look) -> int:
    """How many values are before `since`, though that is before all that they are not after."""
    first = pl.Series([datetime.fromisoformat(of.since or "")], dtype=pl.Datetime("us"))
    early = values.cast(pl.Datetime("us")) < first
    for name in of.before:
        early = early & (first <= look(name).cast(pl.Datetime("us"))).fill_null(True)
    return int(early.sum())


def _at_whole(place: str, minutes: int, moments: pl.Series) -> Measure:
    off = int((moments.dt.truncate(f"{minutes}m") != moments).sum())
    return none_of(place, f"values that are not at whole {minutes} minutes", off)


def _shifted(of: d.After) -> bool:
    """Whether moments are moved from where the gap put them."""
    return bool(of.workdays or of.shopdays or of.every or of.monthly or of.day or of.months)


def _off_days(of: d.After, values: pl.Series, latest: pl.Series, look: Look) -> int:
    """How many values are not on the day of `of`, though there is one between their bounds."""
    table = pl.DataFrame({"is": values.cast(pl.Date), "from": latest.cast(pl.Date)})
    bounds = [look(name).cast(pl.Date) for name in of.before]
    if of.until is not None:
        bounds.append(pl.Series([curves.last_moment(of.until).date()]))
    off = 0
    for row, (value, start) in enumerate(table.iter_rows()):
        if value is None or curves.is_on(of.day, value, start):
            continue
        ends = [bound[row if len(bound) > 1 else 0] for bound in bounds]
        off += curves.day_between(of.day, value, start, [end for end in ends if end is not None])
    return off


def _on_free(of: d.After, values: pl.Series, look: Look) -> int:
    """How many values are on free days though five days later were not too late."""
    moments = values.cast(pl.Datetime("us"))
    free = curves.is_free(moments, of)
    if of.months:
        free = free & moments.dt.offset_by("5d").dt.month().is_in(list(of.months))
    if of.until is not None:
        latest = moments.dt.offset_by("5d")
        free = free & (latest <= curves.last_moment(of.until))
        for name in of.before:
            free = free & (latest <= look(name).cast(pl.Datetime("us"))).fill_null(True)
    return int(free.sum())


def _off_season(of: d.After, values: pl.Series, look: Look) -> int:
    """How many values are in other months though the next of theirs, and a week, were not late."""
    moments = values.cast(pl.Datetime("us"))
    off = ~moments.dt.month().is_in(list(of.months))
    rest = "".join("x" if n % 12 + 1 in of.months else "." for n in range(24)).split("x")
    latest = moments.dt.offset_by(f"{max(map(len, rest))}mo").dt.offset_by("7d")
    if of.until is not None:
        off = off & (latest <= curves.last_moment(of.until))
        for name in of.before:
            off = off & (latest <= look(name).cast(pl.Datetime("us"))).fill_null(True)
    return int(off.sum())


# --- text --------------------------------------------------------------------------------------


def _sequence(place: str, of: d.Sequence, values: pl.Series, look: Look) -> Iterator[Measure]:
    numbers = values
    if values.dtype == pl.String:
        digits = f"[0-9]{{{max(1, of.digits)},}}"
        yield _texts(place, re.escape(of.prefix) + digits, values)
        numbers = values.str.slice(len(of.prefix)).cast(pl.Int64, strict=False)
    expected = pl.Series(of.start + of.step * np.arange(len(values)))
    wrong = int((~numbers.sort().eq_missing(expected)).sum())
    yield none_of(place, f"values that are not {of.start}, {of.start + of.step}, …", wrong)
    if of.by is not None:
        order = look(of.by).gather(numbers.arg_sort()).drop_nulls()
        back = int((order < order.shift(1)).sum())
        yield none_of(place, f"values out of the order of {of.by}", back)


def _pattern(text: str) -> str:
    marks = {"#": "[0-9]", "?": "[A-Z]", "*": "[0-9a-f]"}
    return "".join(marks.get(mark, re.escape(mark)) for mark in text)


def _checked(place: str, check: str, values: pl.Series) -> Iterator[Measure]:
    if check:
        bad = sum(not valid(text, check) for text in _sample(values).to_list()[:_CHECKED])
        yield none_of(place, f"codes with wrong check digits ({check})", bad)


def _template(of: d.Template, unique: bool) -> str:
    from string import Formatter

    pattern = ""
    for text, name, form, _ in Formatter().parse(of.text):
        pattern += re.escape(text)
        if name is not None:
            items = of.lists.get(name, ()) if not form else ()
            pattern += "(?:" + "|".join(map(re.escape, items)) + ")" if items else "(?s:.*)"
    return pattern if not unique else "(?s:.*)"  # a number may have been put into it


def _texts(place: str, pattern: str, values: pl.Series) -> Measure:
    wrong = int((~_sample(values).str.contains(f"^(?:{pattern})$")).sum())
    return none_of(place, "values of another form", wrong)


def _sample(values: pl.Series) -> pl.Series:
    """At most `SAMPLE` values, spread evenly over the column."""
    if len(values) <= SAMPLE:
        return values
    return values.gather(np.linspace(0, len(values) - 1, SAMPLE).astype(int))
