"""Days of work, whole minutes and whole months: drawn, and measured where they are wrong."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from shutil import copytree

import polars as pl
import pytest

from generators.schemas.national import LOCALES
from generators.schemas.tell import Teller
from generators.synthesis.library.days import is_holiday
from generators.synthesis.sizes import sized
from generators.synthesis.spec import (
    After,
    Column,
    Dates,
    Nodes,
    Normal,
    Scaled,
    Sequence,
    Specification,
    Uniform,
)
from generators.taxonomy.load import load_taxonomy
from generators.taxonomy.values import hint
from qa.synthesis import curves, verify_graph
from schemagraph.folder.graphdata import node_file
from schemagraph.model import Kind, NodeType, Property, SchemaGraph, Type
from tests.generators.synthesis.drawing import draw

KINDS = {
    "no": Kind.INTEGER,
    "traded_at": Kind.DATETIME,
    "settled_on": Kind.DATE,
    "called_at": Kind.DATETIME,
    "due_on": Kind.DATE,
    "ends_on": Kind.DATE,
    "expires_on": Kind.DATE,
    "season_end": Kind.DATE,
    "sits_on": Kind.DATE,
    "quarter_end": Kind.DATE,
    "starts_on": Kind.DATE,
    "sent_on": Kind.DATE,
    "sold_at": Kind.DATETIME,
    "delivered_on": Kind.DATE,
    "score": Kind.FLOAT,
}
FREE = {(1, 1), (1, 6), (5, 1), (8, 15), (11, 1), (12, 25), (12, 26)}
# Good Friday, Easter Monday, Ascension, Whit Monday, Corpus Christi, a bank holiday, Thanksgiving,
# midsummer's eve, the national day of Sweden
MOVING = (
    *(date(2025, 4, 18), date(2025, 4, 21), date(2025, 5, 29), date(2025, 6, 9), date(2025, 6, 19)),
    *(date(2024, 8, 26), date(2024, 11, 28), date(2022, 6, 24), date(2022, 6, 6)),
)


def test_holidays_of_the_countries() -> None:
    assert all(is_holiday(pl.Series(MOVING)))
    late = [date(1981, 4, 20), date(2049, 4, 19), date(1954, 4, 19)]  # Gauss's exceptions
    assert all(is_holiday(pl.Series(late)))
    assert not any(is_holiday(pl.Series([date(2025, 4, 22), date(2024, 8, 19), date(2022, 6, 23)])))
    days = [date(1960, 1, 1) + timedelta(days=number) for number in range(30_000)]
    assert is_holiday(pl.Series(days)).to_list() == [curves.is_holiday(day) for day in days]


@pytest.fixture(scope="module")
def trades(tmp_path_factory: pytest.TempPathFactory) -> tuple[SchemaGraph, Specification, Path]:
    gap = Uniform(low=2, high=2)
    columns = {
        "no": Column(of=Sequence(), unique=True),
        "traded_at": Column(of=Dates(start="2021-01-01", end="2022-12-31", workdays=True)),
        "settled_on": Column(of=After(columns=("traded_at",), gap=gap, workdays=True)),
        "called_at": Column(of=After(columns=("traded_at",), gap=gap, unit="hours", every=15)),
        "due_on": Column(
            of=After(columns=("settled_on",), gap=Uniform(low=20, high=400), monthly=True)
        ),
        "ends_on": Column(
            of=After(columns=("settled_on",), gap=Uniform(low=400, high=2000), day="year")
        ),
        "expires_on": Column(
            of=After(columns=("settled_on",), gap=Uniform(low=20, high=400), day="last")
        ),
        "season_end": Column(
            of=After(columns=("settled_on",), gap=Uniform(low=400, high=900), day="06-30")
        ),
        "sits_on": Column(
            of=After(
                columns=("settled_on",),
                gap=Uniform(low=30, high=90),
                until="2023-12-31",
                workdays=True,
                months=(1, 2, 3, 4, 5, 6, 9, 10, 11),
            )
        ),
        "quarter_end": Column(
            of=After(
                columns=("settled_on",),
                gap=Uniform(low=10, high=300),
                until="2024-12-31",
                day="last",
                months=(3, 6, 9, 12),
            )
        ),
        "starts_on": Column(of=Dates(start="2021-01-01", end="2022-12-31", day="first")),
        "sent_on": Column(
            of=After(columns=("settled_on",), gap=Uniform(low=15, high=30), until="2023-01-10")
        ),
        "sold_at": Column(of=Dates(start="2021-01-01", end="2022-12-31", shopdays=True)),
        "delivered_on": Column(of=After(columns=("sold_at",), gap=gap, shopdays=True)),
        "score": Column(of=Normal(mean=0, deviation=0.2, decimals=0)),
    }
    properties = tuple(Property(name, Type(kind), nullable=False) for name, kind in KINDS.items())
    schema = SchemaGraph("desk", (NodeType(("Trade",), properties, ("no",)),), ())
    given = Specification(nodes={"Trade": Nodes(properties=columns)}, edges={})
    given = sized(schema, given, 1_500, None)
    out = tmp_path_factory.mktemp("desk")
    draw(schema, given, 3, out)
    return schema, given, out


def test_days_minutes_and_months(trades: tuple[SchemaGraph, Specification, Path]) -> None:
    schema, given, out = trades
    rows = pl.read_parquet(node_file(out, schema.nodes[0]))
    for day in [at.date() for at in rows["traded_at"]] + rows["settled_on"].to_list():
        assert day.weekday() < 5
        assert (day.month, day.day) not in FREE
    open_days = [at.date() for at in rows["sold_at"]] + rows["delivered_on"].to_list()
    assert {day.weekday() for day in open_days} == {0, 1, 2, 3, 4, 5}
    assert not any((day.month, day.day) in FREE for day in open_days)
    for settled, sent in rows.select("settled_on", "sent_on").iter_rows():
        assert (sent - settled).days >= 15 or settled > date(2022, 12, 24)
    assert {at.minute % 15 for at in rows["called_at"]} == {0}
    for settled, due in rows.select("settled_on", "due_on").iter_rows():
        assert due.day == settled.day or (due.day < settled.day and due.day > 27)
    assert all(day.month not in (7, 8, 12) and day.weekday() < 5 for day in rows["sits_on"])
    ends = {(3, 31), (6, 30), (9, 30), (12, 31)}
    assert {(day.month, day.day) for day in rows["quarter_end"]} <= ends
    assert not any(str(score) == "-0.0" for score in rows["score"])
    assert verify_graph(out, schema, given).ok


@pytest.mark.parametrize(
    ("column", "wrong"),
    [
        ("settled_on", pl.lit(date(2023, 1, 1))),
        ("delivered_on", pl.lit(date(2023, 1, 8))),  # a Sunday
        ("called_at", pl.col("called_at") + pl.duration(minutes=1)),
        ("due_on", pl.col("due_on") + pl.duration(days=9)),
    ],
)
def test_what_is_wrong_is_found(
    trades: tuple[SchemaGraph, Specification, Path], column: str, wrong: pl.Expr
) -> None:
    schema, given, out = trades
    path = node_file(out, schema.nodes[0])
    right = pl.read_parquet(path)
    right.with_columns(wrong.alias(column)).write_parquet(path)
    report = verify_graph(out, schema, given)
    right.write_parquet(path)
    assert any(column in measure.place for measure in report.failures)


def test_tax_is_that_of_the_country() -> None:
    tax = hint("tax", "money of net vat").value
    domain = next(iter(load_taxonomy()))
    rates = {}
    for locale, country in LOCALES.items():
        of = Teller(domain, str, locale=locale).value(tax)
        assert isinstance(of, Scaled)
        assert isinstance(of.factor, Uniform)
        rates[country] = of.factor.low
    assert (rates["Sweden"], rates["Germany"], rates["Poland"]) == (0.25, 0.19, 0.23)


def test_contracts_and_cards_end_on_their_days(
    trades: tuple[SchemaGraph, Specification, Path],
) -> None:
    schema, given, out = trades
    file = node_file(out, schema.nodes[0])
    rows = pl.read_parquet(file)
    for settled, ends in rows.select("settled_on", "ends_on").iter_rows():
        assert ends.month == settled.month
        assert ends.day == settled.day or (settled.day, ends.day) == (29, 28)
        assert ends.year > settled.year
    assert {(day + timedelta(days=1)).day for day in rows["expires_on"]} == {1}
    assert {(day.month, day.day) for day in rows["season_end"]} == {(6, 30)}
    assert {day.day for day in rows["starts_on"]} == {1}
    for name in ("ends_on", "expires_on", "season_end", "starts_on"):
        other = rows.with_columns(pl.col(name) + pl.duration(days=1))
        folder = out.parent / name
        copytree(out, folder)
        other.write_parquet(node_file(folder, schema.nodes[0]))
        assert not verify_graph(folder, schema, given).ok


def test_a_date_keeps_one_calendar() -> None:
    with pytest.raises(ValueError, match="workdays or shopdays, not both"):
        Dates(start="2021-01-01", end="2021-12-31", workdays=True, shopdays=True)
