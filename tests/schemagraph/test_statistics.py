"""Figures of a graph's data, counted by hand on small graphs and by sorting on drawn ones."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmill.errors import SchemaError
from schemagraph.convert.service import convert
from schemagraph.folder.serde import load_schema
from schemagraph.folder.statistics import (
    GraphStatistics,
    are_dated,
    different_rows,
    gather_statistics,
)
from tests.engines.graphs import KNOWS, SCHEMA, write_graph
from tests.schemagraph.cases import database

FERRIES = """
CREATE TABLE port (id INTEGER PRIMARY KEY, name TEXT, opened DATE, fee DECIMAL(5,2));
CREATE TABLE ship (id INTEGER PRIMARY KEY, name TEXT, home INTEGER REFERENCES port);
INSERT INTO port VALUES (1, 'Kiel', '1990-01-01', 9.5), (2, 'Oslo', '1980-01-01', 10),
  (3, 'Kiel', NULL, NULL), (4, NULL, '2001-05-06', 10), (5, 'Bodø', '1980-01-01', 10);
INSERT INTO ship VALUES (1, 'Brim', 2), (2, 'Aurora', NULL), (3, 'Stena', 2), (4, 'Vik', 1);
"""


@pytest.fixture(scope="module")
def ferries(tmp_path_factory: pytest.TempPathFactory) -> GraphStatistics:
    folder = tmp_path_factory.mktemp("ferries")
    convert(str(database(folder, FERRIES)), folder / "graph")
    return gather_statistics(folder / "graph", load_schema(folder / "graph"), 7)


def test_nodes_edges_and_degrees(ferries: GraphStatistics) -> None:
    assert ferries.nodes == {"Port": 5, "Ship": 4}
    (edges,) = ferries.edges.values()
    assert (edges.count, edges.sources, edges.targets) == (3, 3, 2)
    assert edges.out_degrees == (1,) * 21
    assert (edges.in_degrees[0], edges.in_degrees[-1], len(edges.in_degrees)) == (1, 2, 21)


def test_edges_that_go_both_ways(tmp_path: Path) -> None:
    rows = "(1, NULL), (2, 3), (3, 2), (4, 4), (5, 1), (6, 7), (7, 5)"
    script = f"""
        CREATE TABLE person (id INTEGER PRIMARY KEY, likes INTEGER REFERENCES person);
        INSERT INTO person VALUES {rows};
    """
    convert(str(database(tmp_path, script)), tmp_path / "graph")
    found = gather_statistics(tmp_path / "graph", load_schema(tmp_path / "graph"), 7)
    (edges,) = found.edges.values()
    assert (edges.count, edges.mutual) == (6, 2)  # 2 and 3; 4 likes itself


def test_values_by_frequency_and_order(ferries: GraphStatistics) -> None:
    name = ferries.properties["Port", "name"]
    assert (name.count, name.nulls, name.distinct) == (4, 1, 3)
    assert name.common == (("Kiel", 2), ("Bodø", 1), ("Oslo", 1))
    assert (name.quantiles[0], name.quantiles[10], name.quantiles[20]) == ("Bodø", "Kiel", "Oslo")
    opened = ferries.properties["Port", "opened"]
    assert opened.common[0] == ("1980-01-01", 2)
    assert opened.quantiles[20] == "2001-05-06"
    fee = ferries.properties["Port", "fee"]
    assert fee.common == ((10.0, 3), (9.5, 1))
    assert sorted(fee.sample) == [9.5, 10.0, 10.0, 10.0]


def test_every_kind_of_value_is_plain(tmp_path: Path) -> None:
    found = gather_statistics(write_graph(tmp_path / "graph"), SCHEMA, 1)
    for statistics in found.properties.values():
        json.dumps([statistics.common, statistics.quantiles, statistics.sample], allow_nan=False)
    kinds = {name: value for (owner, name), value in found.properties.items() if owner == "Kinds"}
    assert kinds["bytes"].distinct
    assert not kinds["bytes"].common
    for unordered in ("duration", "integers", "zoned_time"):
        assert kinds[unordered].common
        assert not kinds[unordered].quantiles
    assert isinstance(kinds["dates"].common[0][0], list)
    # Ann has three edges to Bob, who has one to himself: parallel edges and loops count
    assert found.edges[KNOWS.name].out_degrees[-1] == 3
    assert found.edges[KNOWS.name].in_degrees[-1] == 4
    assert found.edges[KNOWS.name].targets == 2


def test_moments_are_ordered_by_when_they_are(tmp_path: Path) -> None:
    found = gather_statistics(write_graph(tmp_path / "graph"), SCHEMA, 1)
    zoned = found.properties["Kinds", "zoned_datetime"]
    moments = [datetime.fromisoformat(text) for text in zoned.quantiles]
    assert moments == sorted(moments)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["2020-01-07T15:46:07Z", "2021-12-13T16:18:33Z"], True),
        (["2020-01-07T15:46Z"], True),
        (["2020-01-07T15:46:07", "2021-12-13T16:18:33Z"], False),  # another form sorts otherwise
        (["2020-01-07T15:46:07+01:00"], False),
    ],
)
def test_moments_in_utc_are_written_in_one_form(texts: list[str], expected: bool) -> None:
    assert are_dated(texts) is expected


def test_different_rows_of_several_properties_are_counted(tmp_path: Path) -> None:
    folder = tmp_path / "graph"
    convert(str(database(tmp_path, FERRIES)), folder)
    (port,) = (node for node in load_schema(folder).nodes if node.name == "Port")
    assert different_rows(folder, port, ("name",)) == (4, 5)
    assert different_rows(folder, port, ("name", "opened")) == (5, 5)


def test_the_seed_draws_the_samples(tmp_path: Path) -> None:
    rows = ", ".join(f"({number}, 'n{number}')" for number in range(200))
    script = f"CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT); INSERT INTO a VALUES {rows}"
    convert(str(database(tmp_path, script)), tmp_path / "graph")
    schema = load_schema(tmp_path / "graph")
    first, again, other = (gather_statistics(tmp_path / "graph", schema, s) for s in (1, 1, 2))
    assert first == again
    key = next(key for key in first.properties if key[1] == "x")
    assert first.properties[key].sample != other.properties[key].sample
    assert len(set(first.properties[key].sample)) == 20


def test_a_missing_table_is_said(tmp_path: Path) -> None:
    write_graph(tmp_path / "graph")
    (tmp_path / "graph" / "nodes" / "Log.parquet").unlink()
    with pytest.raises(SchemaError, match="Log"):
        gather_statistics(tmp_path / "graph", SCHEMA, 1)


@settings(max_examples=6, deadline=None)
@given(st.lists(st.integers(-5, 5) | st.none(), min_size=1, max_size=40))
def test_figures_are_those_of_the_rows(
    tmp_path_factory: pytest.TempPathFactory, values: list[int | None]
) -> None:
    folder = tmp_path_factory.mktemp("drawn")
    rows = ", ".join(f"({n}, {'NULL' if v is None else v})" for n, v in enumerate(values))
    script = f"CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER); INSERT INTO a VALUES {rows}"
    convert(str(database(folder, script)), folder / "graph")
    schema = load_schema(folder / "graph")
    found = gather_statistics(folder / "graph", schema, 0).properties[schema.nodes[0].name, "x"]
    known = sorted(value for value in values if value is not None)
    assert (found.count, found.nulls) == (len(known), len(values) - len(known))
    assert dict(found.common) == Counter(known)
    times = [number for _, number in found.common]
    assert times == sorted(times, reverse=True)
    if known:
        assert found.quantiles[0] == known[0]
        assert found.quantiles[-1] == known[-1]
        assert found.quantiles[10] == known[(len(known) - 1) // 2]
