"""Temporal constants against values worked out by hand, and against Python's own calendar."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_ir.temporal.arithmetic import between, component, plus, product, quotient, sum_of
from graph_ir.temporal.construct import from_epoch, moment, span, truncate
from graph_ir.temporal.parse import parse_span
from graph_ir.temporal.values import Moment, Span, TemporalError, date_of, days_of, week_of
from schemagraph.model import Kind

DATE, TIME, DATETIME = Kind.DATE, Kind.TIME, Kind.DATETIME
ZONED, ZONED_TIME = Kind.ZONED_DATETIME, Kind.ZONED_TIME
DAYS = st.dates().map(lambda day: (day - date(1970, 1, 1)).days)


@given(st.dates())
def test_calendar_agrees_with_python(day: date) -> None:
    days = (day - date(1970, 1, 1)).days
    assert date_of(days) == (day.year, day.month, day.day)
    assert days_of(day.year, day.month, day.day) == days
    assert week_of(days) == day.isocalendar()[:2]
    assert str(Moment(DATE, days)) == day.isoformat()
    value = Moment(DATE, days)
    assert component(value, "dayOfWeek") == day.isoweekday()
    assert component(value, "ordinalDay") == day.timetuple().tm_yday


@given(DAYS, DAYS)
def test_what_lies_between_leads_from_one_to_the_other(a: int, b: int) -> None:
    first, last = Moment(DATE, a), Moment(DATE, b)
    assert plus(first, between(first, last, "inDays")) == last
    whole = between(first, last)
    assert whole.nanos == 0
    assert plus(plus(first, Span(whole.months)), Span(0, whole.days)) == last
    assert abs(whole.days) < 31


@given(st.integers(-(10**12), 10**12), st.integers(-(10**6), 10**6), st.integers(-(10**18), 10**18))
def test_a_duration_is_read_as_it_is_written(months: int, days: int, nanos: int) -> None:
    value = Span(months, days, nanos)
    assert parse_span(str(value)) == value


@pytest.mark.parametrize(
    ("kind", "given_", "text"),
    [
        (DATE, "2024-02-29", "2024-02-29"),
        (DATE, "20240229", "2024-02-29"),
        (DATE, "2024-060", "2024-02-29"),
        (DATE, "2024-W09-4", "2024-02-29"),
        (DATE, "2024-Q1-60", "2024-02-29"),
        (DATE, "-0044-03-15", "-0044-03-15"),
        (TIME, "07:05", "07:05:00"),
        (TIME, "070501.5", "07:05:01.5"),
        (ZONED_TIME, "07:05+0230", "07:05:00+02:30"),
        (DATETIME, "2024-02-29T07:05:01.000000001", "2024-02-29T07:05:01.000000001"),
        (ZONED, "2024-02-29T07:05Z", "2024-02-29T07:05:00Z"),
        (ZONED, "2024-07-01T12:00[Europe/Berlin]", "2024-07-01T12:00:00+02:00[Europe/Berlin]"),
        # In the hour that comes twice the earlier offset counts, unless the text says otherwise.
        (ZONED, "2024-10-27T02:30[Europe/Berlin]", "2024-10-27T02:30:00+02:00[Europe/Berlin]"),
        (
            ZONED,
            "2024-10-27T02:30+01:00[Europe/Berlin]",
            "2024-10-27T02:30:00+01:00[Europe/Berlin]",
        ),
        # In the hour that is left out the clock is set forward.
        (ZONED, "2024-03-31T02:30[Europe/Berlin]", "2024-03-31T03:30:00+02:00[Europe/Berlin]"),
        (DATE, {"year": 2024, "month": 2}, "2024-02-01"),
        (DATE, {"year": 2024, "week": 9, "dayOfWeek": 4}, "2024-02-29"),
        (DATE, {"year": 2024, "quarter": 2, "dayOfQuarter": 2}, "2024-04-02"),
        (DATE, {"date": Moment(DATE, days_of(2023, 5, 6)), "year": 2024}, "2024-05-06"),
        (
            TIME,
            {"hour": 1, "minute": 0, "second": 0, "millisecond": 2, "microsecond": 3},
            "01:00:00.002003",
        ),
        (ZONED, {"epochSeconds": 1, "nanosecond": 5}, "1970-01-01T00:00:01.000000005Z"),
    ],
)
def test_construction(kind: Kind, given_: Any, text: str) -> None:
    assert str(moment(kind, given_)) == text


@pytest.mark.parametrize(
    ("kind", "given_"),
    [
        (DATE, "2023-02-29"),
        (DATE, "2024-2-1"),
        (DATE, ""),
        (DATE, {"month": 1}),
        (DATE, {"year": 2024, "day": 0}),
        (DATE, {"year": 2024, "moon": 1}),
        (TIME, "24:00"),
        (ZONED, "2024-01-01T00:00[Mars/Base]"),
        (ZONED, "2024-01-01T00:00+19:00"),
        (TIME, {"second": 60}),
    ],
)
def test_what_is_no_temporal_value(kind: Kind, given_: Any) -> None:
    with pytest.raises(TemporalError):
        moment(kind, given_)


def test_durations() -> None:
    assert str(span({"years": 1.5, "days": 0.5, "seconds": -1})) == "P1Y6MT11H59M59S"
    assert str(parse_span("P1.5M")) == "P1M15DT5H14M33S"
    assert quotient(Span(1, 1, 0), 2) == Span(0, 15, 62_073_000_000_000)
    # Neo4j reckons in 64-bit floats.
    assert str(quotient(Span(1200), 7)) == "P14Y3M13DT1H3M53.999999967S"
    assert str(product(Span(1), -0.1)) == "P-3DT-1H-2M-54.599999999S"
    assert str(quotient(Span(0, 400), 3.7)) == "P108DT2H35M40.540540539S"
    assert str(quotient(Span(0, 17), 10)) == "P1DT16H48M"
    assert str(product(Span(0, 0, -1), 3)) == "PT-0.000000003S"
    assert sum_of(Span(1, 2, 3), Span(1, 1, 1), -1) == Span(0, 1, 2)
    assert component(Span(14, 10, -1), "monthsOfYear") == 2
    assert component(Span(14, 10, -1), "seconds") == -1
    assert component(Span(14, 10, -1), "nanosecondsOfSecond") == 999_999_999
    with pytest.raises(TemporalError):
        parse_span("P")


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("PT-1.665072S", "milliseconds", -1666),  # the second before, and 334 of it
        ("PT-1.665072S", "seconds", -2),
        ("PT-0.0000005S", "microseconds", -1),
        ("PT-3599.5S", "hours", -1),
        ("PT-59.5S", "minutes", -1),
        ("P-20M", "years", -1),
        ("P-20M", "monthsOfYear", -8),
    ],
)
def test_parts_of_negative_durations(text: str, key: str, value: int) -> None:
    assert component(parse_span(text), key) == value


def test_sums_follow_the_calendar() -> None:
    end = moment(DATE, "2024-01-31")
    assert str(plus(end, Span(1))) == "2024-02-29"
    assert str(plus(end, Span(nanos=25 * 3_600_000_000_000))) == "2024-02-01"
    noon = moment(ZONED, "2024-03-30T12:00[Europe/Berlin]")
    assert str(plus(noon, Span(days=1))) == "2024-03-31T12:00:00+02:00[Europe/Berlin]"
    assert str(plus(noon, Span(nanos=24 * 3_600_000_000_000))) == (
        "2024-03-31T13:00:00+02:00[Europe/Berlin]"
    )
    assert str(plus(moment(TIME, "23:00"), Span(days=9, nanos=2 * 3_600_000_000_000))) == "01:00:00"


def test_between_takes_zone_and_day_from_the_other() -> None:
    a = moment(ZONED, "2024-03-01T10:00+02:00")
    assert str(between(a, moment(DATETIME, "2024-04-02T09:00"))) == "P1MT23H"
    assert str(between(a, moment(ZONED, "2024-03-01T10:00Z"))) == "PT2H"
    assert str(between(moment(TIME, "10:00"), moment(DATE, "2024-01-01"))) == "PT-10H"
    assert between(moment(TIME, "10:00"), moment(DATE, "2024-01-01"), "inDays") == Span()


@pytest.mark.parametrize(
    ("unit", "text"),
    [
        ("millennium", "2000-01-01T00:00:00"),
        ("century", "2000-01-01T00:00:00"),
        ("decade", "2020-01-01T00:00:00"),
        ("weekYear", "2024-01-01T00:00:00"),
        ("quarter", "2024-04-01T00:00:00"),
        ("week", "2024-05-27T00:00:00"),
        ("hour", "2024-05-30T17:00:00"),
        ("millisecond", "2024-05-30T17:18:19.123"),
    ],
)
def test_truncation(unit: str, text: str) -> None:
    value = moment(DATETIME, "2024-05-30T17:18:19.123456789")
    assert str(truncate(DATETIME, unit, value, {})) == text


def test_truncation_sets_parts() -> None:
    value = moment(DATE, "2024-05-30")
    assert str(truncate(DATE, "month", value, {"day": 3})) == "2024-05-03"
    with pytest.raises(TemporalError):
        truncate(DATE, "hour", value, {})


@pytest.mark.parametrize(
    ("kind", "parts"),
    [
        (TIME, {"minute": 5}),
        (TIME, {"hour": 1, "second": 5}),
        (TIME, {"hour": 1, "minute": 2, "nanosecond": 5}),
        (TIME, {}),
        (DATETIME, {"year": 2024, "hour": 10}),
        (DATETIME, {"year": 2024, "week": 2, "hour": 1}),
        (DATETIME, {"date": Moment(DATE, 1), "minute": 1}),
        (DATE, {"year": 2024, "day": 2}),
    ],
)
def test_no_part_is_left_out(kind: Kind, parts: dict[str, Any]) -> None:
    """Neo4j 2026.08 refuses each of these."""
    with pytest.raises(TemporalError):
        moment(kind, parts)


@pytest.mark.parametrize(
    "text",
    [
        *("P1.5YT0S", "P1.0Y1M", "P1.5M2W-1D", "P1.5W1D", "P1.5DT1H", "P1M1.5DT1H", "PT1.5H1M"),
        *("P1.51Y0D", "P1,5Y-2M", "PT1.5M1S", "PT1.1234567891S"),
    ],
)
def test_a_fraction_stands_last(text: str) -> None:
    """Neo4j 2026.08 refuses each of these."""
    with pytest.raises(TemporalError):
        parse_span(text)


@pytest.mark.parametrize("seconds", [-(2**63), -31557014167219200, 31556889864403199, 2**63 - 1])
def test_no_instant_beyond_the_years_of_java(seconds: int) -> None:
    """Neo4j 2026.08 refuses each of these."""
    with pytest.raises(TemporalError):
        from_epoch(seconds, 0)
