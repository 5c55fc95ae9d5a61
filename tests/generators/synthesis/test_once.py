"""What comes once comes once, what is busy elsewhere is busy, and loans are paid back in equal
parts."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import polars as pl
import pytest

from generators.synthesis import spec
from generators.synthesis.sizes import sized
from qa.synthesis import verify_graph
from schemagraph.folder.graphdata import edge_file, node_file
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from schemagraph.specification.check import check_synthesis
from tests.generators.synthesis.drawing import draw

TEXT, DAY, WHOLE, REAL = (Type(kind) for kind in (Kind.STRING, Kind.DATE, Kind.INTEGER, Kind.FLOAT))
GAME = NodeType(
    ("Game",),
    (
        Property("no", TEXT, False),
        Property("played", DAY, False),
        Property("stake", REAL, False),
        Property("rate", REAL, False),
        Property("months", WHOLE, False),
        Property("part", REAL, False),
    ),
    ("no",),
)
CLUB = NodeType(("Club",), (Property("name", TEXT, False),), ("name",))
HOST, GUEST = EdgeType("HOST", "Game", "Club"), EdgeType("GUEST", "Game", "Club")
SEEN = EdgeType("SEEN_BY", "Club", "Game")
ALSO = (spec.Also(many=f"{HOST.name}.name", one="name"),)
TWICE = spec.Once(at="target", columns=(f"{HOST.name}.name",), start="played", days=200)
NEVER = spec.Once(at="source", columns=(f"{HOST.name}.name",))


def graph(
    folder: Path, *edges: tuple[EdgeType, spec.Edges], seed: int = 7
) -> tuple[SchemaGraph, spec.Specification]:
    """300 games of 20 clubs in three years, drawn with these edges beside those of the hosts."""

    def column(of: spec.Distribution, *, unique: bool = False) -> spec.Column:
        return spec.Column(of=of, unique=unique)

    hosts = spec.Edges(cardinality="n:1", alone=spec.Alone(start="played", days=2))
    schema = SchemaGraph("league", (GAME, CLUB), (HOST, *(edge for edge, _ in edges)))
    given = spec.Specification(
        nodes={
            "Game": spec.Nodes(
                weight=15,
                properties={
                    "no": column(spec.Sequence(prefix="G", digits=5), unique=True),
                    "played": column(spec.Dates(start="2022-01-01", end="2024-12-31")),
                    "stake": column(spec.LogNormal(median=9000, sigma=0.4)),
                    "rate": column(spec.Categorical(values=(0.0, 1.25, 6.4))),
                    "months": column(spec.Categorical(values=(12, 48, 72))),
                    "part": column(spec.Annuity(amount="stake", rate="rate", months="months")),
                },
            ),
            "Club": spec.Nodes(
                fixed=20,
                properties={"name": column(spec.Sequence(prefix="Club ", digits=2), unique=True)},
            ),
        },
        edges={HOST.name: hosts, **{edge.name: part for edge, part in edges}},
    )
    assert not [d for d in check_synthesis(schema, given) if d.severity == "error"]
    whole = sized(schema, given, 320)
    draw(schema, whole, seed, folder)
    return schema, whole


def games(folder: Path) -> pl.DataFrame:
    """The games with the names of both clubs."""
    table = pl.read_parquet(node_file(folder, GAME))
    for edge, name in ((HOST, "host"), (GUEST, "guest")):
        pairs = pl.read_parquet(edge_file(folder, edge))
        pairs = pairs.rename({"source.no": "no", "target.name": name})
        table = table.join(pairs, on="no")
    return table


def test_who_is_a_guest_is_no_host_that_day(tmp_path: Path) -> None:
    alone = spec.Alone(start="played", days=2, also=ALSO)
    schema, whole = graph(tmp_path, (GUEST, spec.Edges(cardinality="n:1", alone=alone)))
    table = games(tmp_path)
    assert len(table) > 280
    for club in table["host"].unique():
        days = table.filter((pl.col("host") == club) | (pl.col("guest") == club))["played"].sort()
        assert all((other - one).days >= 2 for one, other in pairwise(days))
    assert verify_graph(tmp_path, schema, whole).ok


def test_a_pair_comes_again_after_its_days_alone(tmp_path: Path) -> None:
    part = spec.Edges(
        cardinality="n:1",
        once=(TWICE,),
        apart=(spec.Apart(source=f"{HOST.name}.name", target="name"),),
    )
    schema, whole = graph(tmp_path, (GUEST, part))
    table = games(tmp_path)
    assert len(table) > 280
    pairs = table.sort("played").with_columns(gap=pl.col("played").diff().over("host", "guest"))
    again = pairs["gap"].drop_nulls().dt.total_days()
    assert len(again) > 5  # in another season
    assert again.min() >= 200  # type: ignore[operator]  # there is one
    assert verify_graph(tmp_path, schema, whole).ok


@pytest.mark.parametrize(
    ("edge", "many", "at"),
    [(GUEST, "n:1", "target"), (SEEN, "1:n", "source"), (SEEN, "n:m", "source")],
)
def test_what_comes_once_comes_once(
    edge: EdgeType,
    many: Literal["n:1", "1:n", "n:m"],
    at: Literal["source", "target"],
    tmp_path: Path,
) -> None:
    once = spec.Once(at=at, columns=(f"{HOST.name}.name",))
    schema, whole = graph(tmp_path, (edge, spec.Edges(cardinality=many, weight=15, once=(once,))))
    hosts = pl.read_parquet(edge_file(tmp_path, HOST))
    hosts = hosts.rename({"source.no": "no", "target.name": "host"})
    pairs = pl.read_parquet(edge_file(tmp_path, edge))
    pairs = pairs.rename(lambda name: name.partition(".")[2]).join(hosts, on="no")
    assert len(pairs) > 200
    assert len(pairs.select("name", "host").unique()) == len(pairs)
    assert verify_graph(tmp_path, schema, whole).ok


def test_the_same_seed_gives_the_same_pairs(tmp_path: Path) -> None:
    alone = spec.Alone(start="played", days=2, also=ALSO)
    part = spec.Edges(cardinality="n:1", alone=alone, once=(TWICE,))
    tables = []
    for name in ("one", "other"):
        graph(tmp_path / name, (GUEST, part))
        tables.append(edge_file(tmp_path / name, GUEST).read_bytes())
    assert tables[0] == tables[1]


@pytest.mark.parametrize(
    ("edge", "changed", "what"),
    [
        (GUEST, {"alone": spec.Alone(start="played", days=30, also=ALSO)}, "overlap"),
        (GUEST, {"once": (TWICE,)}, "agree in"),
        (SEEN, {"once": (NEVER,)}, "agree in"),
    ],
    ids=["alone", "once in some days", "once"],
)
def test_what_breaks_it_is_measured(
    edge: EdgeType, changed: dict[str, Any], what: str, tmp_path: Path
) -> None:
    many: Literal["n:1", "n:m"] = "n:1" if edge is GUEST else "n:m"
    schema, whole = graph(tmp_path, (edge, spec.Edges(cardinality=many, weight=15)))
    part = whole.edges[edge.name].model_copy(update=changed)
    wanted = whole.model_copy(update={"edges": {**whole.edges, edge.name: part}})
    failures = verify_graph(tmp_path, schema, wanted).failures
    assert [m.place for m in failures if what in m.what] == [f"edges.{edge.name}"]


@pytest.mark.parametrize(
    ("part", "codes"),
    [
        (spec.Edges(cardinality="n:1", once=(TWICE.model_copy(update={"start": "no"}),)),
         ["wrong-kind"]),
        (spec.Edges(once=(spec.Once(at="source", columns=("colour",)),)), ["unknown-column"]),
        (
            spec.Edges(
                cardinality="n:1",
                alone=spec.Alone(
                    start="played", days=2, also=(spec.Also(many="played", one="town"),)
                ),
            ),
            ["unknown-column"],
        ),
        (
            spec.Edges(
                cardinality="n:1",
                alone=spec.Alone(
                    start="played", days=2, also=(spec.Also(many="played", one="name"),)
                ),
            ),
            ["wrong-kind"],
        ),
    ],
)  # fmt: skip
def test_what_is_no_such_column_is_told(part: spec.Edges, codes: list[str], tmp_path: Path) -> None:
    schema, whole = graph(tmp_path, (GUEST, spec.Edges(cardinality="n:1")))
    given = whole.model_copy(update={"edges": {**whole.edges, GUEST.name: part}})
    found = [d for d in check_synthesis(schema, given) if d.severity == "error"]
    assert [d.code for d in found] == codes


@pytest.mark.parametrize(
    ("many", "once", "message"),
    [
        ("1:1", NEVER, "once is not for 1:1"),
        ("n:1", NEVER, "once is at the target"),
    ],
)
def test_once_is_where_one_has_many(
    many: Literal["1:1", "n:1"], once: spec.Once, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        spec.Edges(cardinality=many, once=(once,))
    with pytest.raises(ValueError, match="a start and days, or neither"):
        spec.Once(at="source", columns=("no",), days=3)


def test_equal_parts_pay_a_loan_back(tmp_path: Path) -> None:
    schema, whole = graph(tmp_path)
    for row in pl.read_parquet(node_file(tmp_path, GAME)).to_dicts():
        owed = row["stake"]
        for _ in range(row["months"]):
            owed += owed * row["rate"] / 1200 - row["part"]
        assert abs(owed) < 0.01 * row["months"]  # half a cent each month, with its interest
    assert verify_graph(tmp_path, schema, whole).ok
    file = node_file(tmp_path, GAME)
    pl.read_parquet(file).with_columns(part=pl.col("stake") * 0.0185).write_parquet(file)
    failures = verify_graph(tmp_path, schema, whole).failures
    assert "do not pay back stake" in failures[0].what
