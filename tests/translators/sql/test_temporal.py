"""Temporal expressions over stored values, computed by DuckDB, against the same with constants.

The constants are computed in Python (`graph_ir.temporal`), the rows by the macros of
`translators/duckdb/clauses/temporal.sql`: two programs with nothing in common.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from random import Random

import duckdb
import pytest

from graph_ir.cypher.reader import parse
from graphmill.errors import Refused
from schemagraph.folder.tables import tables
from schemagraph.model import Kind, NodeType, Property, SchemaGraph, Type
from tests.translators.sql.graphs import answer, create
from translators.render import render

pytestmark = pytest.mark.slow


KINDS = {
    "d": Kind.DATE,
    "l": Kind.DATETIME,
    "z": Kind.ZONED_DATETIME,
    "t": Kind.TIME,
    "o": Kind.ZONED_TIME,
    "p": Kind.DURATION,
}
FUNCTIONS = {
    "d": "date",
    "l": "localdatetime",
    "z": "datetime",
    "t": "localtime",
    "o": "time",
    "p": "duration",
}
ROWS = 5
SCHEMA = SchemaGraph(
    "temporal",
    (
        NodeType(
            ("V",),
            (
                Property("id", Type(Kind.INTEGER)),
                *(Property(f"{name}{i}", Type(kind)) for name, kind in KINDS.items() for i in "12"),
            ),
            ("id",),
        ),
    ),
)
DATE_PARTS = (
    *("year", "quarter", "month", "week", "weekYear"),
    *("day", "ordinalDay", "dayOfWeek", "dayOfQuarter"),
)
CLOCK_PARTS = ("hour", "minute", "second", "millisecond", "microsecond", "nanosecond")
ZONE_PARTS = ("timezone", "offset", "offsetMinutes", "offsetSeconds")
SPAN_PARTS = (
    *("years", "quarters", "months", "weeks", "days", "hours", "minutes", "seconds"),
    *("milliseconds", "microseconds", "nanoseconds", "monthsOfYear", "daysOfWeek", "minutesOfHour"),
    *("secondsOfMinute", "nanosecondsOfSecond"),
)
EXPRESSIONS = [
    *(f"$d1.{part}" for part in DATE_PARTS),
    *(f"$l1.{part}" for part in DATE_PARTS + CLOCK_PARTS),
    *(f"$z1.{part}" for part in (*DATE_PARTS, *CLOCK_PARTS, *ZONE_PARTS, "epochMillis")),
    *(f"$t1.{part}" for part in CLOCK_PARTS),
    *(f"$o1.{part}" for part in CLOCK_PARTS + ZONE_PARTS),
    *(f"$p1.{part}" for part in SPAN_PARTS),
    *(f"toString(${name}1)" for name in KINDS),
    *(f"$%s1 {sign} $p1" % name for name in "dltzo" for sign in "+-"),
    *("$p1 + $p2", "$p1 - $p2", "$p1 * 3", "$p1 * 0.5", "$p1 / 7"),
    *(
        f"duration.{unit}(${a}1, ${b}2)"
        for unit in ("between", "inMonths", "inDays", "inSeconds")
        for a in "dltz"
        for b in "dltz"
        # Two times are not months or days apart: Neo4j refuses it.
        if not (a == b == "t" and unit in ("inMonths", "inDays"))
    ),
    *(f"{fn}(${name}1)" for fn, name in (("date", "l"), ("date", "z"), ("localdatetime", "z"))),
    *("datetime($l1)", "localtime($l1)"),
    *(f"date.truncate('{unit}', $d1)" for unit in ("year", "quarter", "month", "week", "decade")),
    *(f"localdatetime.truncate('{unit}', $l1)" for unit in ("month", "hour", "second")),
    *(f"${name}1 {sign} ${name}2" for name in "dltzo" for sign in ("<", ">=", "=")),
    *("$p1 = $p2", "$p1 < $p2", "$d1 = $l1", "$d1 < $l1"),
]


def rows(count: int) -> list[dict[str, str]]:
    """Values as Cypher's functions read them, most of them odd in some way."""
    random = Random(20261121)
    zones = [0, 3600, -12600, 5400, 34200, -43200]

    def day() -> date:
        years = random.choice([(1, 9998), (1890, 2100), (2019, 2021)])
        return date(random.randint(*years), 1, 1) + timedelta(random.randint(0, 364))

    def clock() -> time:
        micros = random.choice([0, 0, 1, 500_000, 999_999, random.randint(0, 999_999)])
        return (datetime(2000, 1, 1) + timedelta(0, random.randint(0, 86399), micros)).time()

    def zone() -> str:
        seconds = random.choice(zones)
        sign = "-" if seconds < 0 else "+"
        return f"{sign}{abs(seconds) // 3600:02}:{abs(seconds) // 60 % 60:02}"

    def span() -> str:
        months, days = random.randint(-40, 40), random.randint(-40, 40)
        seconds = random.randint(-200_000, 200_000)
        fraction = random.choice(["", ".5", ".000000001", ".25"])
        return f"P{months}M{days}DT{seconds}{fraction}S"

    found = []
    for _ in range(count):
        row = {}
        for i in "12":
            row[f"d{i}"] = day().isoformat()
            row[f"l{i}"] = f"{day().isoformat()}T{clock().isoformat()}"
            row[f"z{i}"] = f"{day().isoformat()}T{clock().isoformat()}{zone()}"
            row[f"t{i}"] = clock().isoformat()
            row[f"o{i}"] = clock().isoformat() + zone()
            row[f"p{i}"] = span()
        found.append(row)
    return found


@cache
def graph() -> duckdb.DuckDBPyConnection:
    """The rows as a table, made once."""
    given = rows(ROWS)
    connection = duckdb.connect(config={"threads": 1})
    table = tables(SCHEMA).nodes["V"]
    create(connection, table, {p.name: p.type for p in SCHEMA.nodes[0].properties})
    for number, row in enumerate(given):
        values = [number, *(row[name] for name, _ in table.columns[1:])]
        connection.execute(f"INSERT INTO V VALUES ({', '.join('?' * len(values))})", values)
    return connection


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_rows_agree_with_constants(expression: str) -> None:
    given, connection = rows(ROWS), graph()
    stored, constant = expression, []
    for name in given[0]:
        stored = stored.replace(f"${name}", f"v.{name}")
    for row in given:
        text = expression
        for name, value in row.items():
            text = text.replace(f"${name}", f"{FUNCTIONS[name[0]]}('{value}')")
        constant.append(text)
    query = f"MATCH (v:V) RETURN {stored} AS x ORDER BY v.id"
    found = answer(connection, render(parse(query), "sql", SCHEMA).text)
    wanted = f"RETURN {', '.join(f'{text} AS x{i}' for i, text in enumerate(constant))}"
    (expected,) = answer(connection, render(parse(wanted), "sql", SCHEMA).text)
    assert [plain(row[0]) for row in found] == [plain(value) for value in expected]


@pytest.mark.parametrize("function", ["localdatetime", "datetime", "localtime", "time"])
def test_a_date_has_no_time_that_a_function_could_take(function: str) -> None:
    """Neo4j 2026.08: "Cannot get the time of: 2024-01-01"."""
    with pytest.raises(Refused, match="no exact form of a DATE"):
        render(parse(f"MATCH (v:V) RETURN {function}(v.d1) AS x"), "sql", SCHEMA)


def plain(value: object) -> object:
    """Texts of one form: DuckDB's own types come back through Python's."""
    if isinstance(value, str) and "T" in value and value[:1].isdigit() and "." in value:
        return value.rstrip("0").rstrip(".") if value[-1].isdigit() and "+" not in value else value
    return value


def test_now_is_one_moment() -> None:
    text = "RETURN date() = date(datetime()) AS a, duration.inSeconds(datetime(), datetime()) AS b"
    (row,) = answer(duckdb.connect(), render(parse(text), "sql", SCHEMA).text)
    assert row == [True, "PT0S"]
    (row,) = answer(
        duckdb.connect(), render(parse("RETURN datetime().epochSeconds AS s"), "sql", SCHEMA).text
    )
    assert abs(row[0] - datetime.now(UTC).timestamp()) < 60
