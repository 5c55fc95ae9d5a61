"""Edges whose values go in one by one load in time that grows with their number."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import pytest

from engines.isolation import IsolatedEngine
from pipelines.execution import Runner
from schemagraph.convert.service import convert
from tests.schemagraph.cases import duck_database

pytestmark = pytest.mark.slow

pytest.importorskip("grafeo")


def graph(folder: Path, edges: int, hub: str) -> Path:
    """Edges with a moment in a zone, all of which have one node as their `hub`."""
    ends = "0, i" if hub == "source" else "i, 0"
    script = f"""
    SET TimeZone = 'UTC';
    CREATE TABLE p (id INTEGER PRIMARY KEY);
    CREATE TABLE r (a INTEGER REFERENCES p(id), b INTEGER REFERENCES p(id), seen TIMESTAMPTZ,
      no INTEGER);
    INSERT INTO p SELECT range FROM range({edges});
    INSERT INTO r SELECT {ends}, TIMESTAMPTZ '2024-01-01 10:00:00+00' + INTERVAL 1 MINUTE
      * (i % 60), i
    FROM range(1, {edges}) t(i);
    """
    convert(str(duck_database(folder, script)), folder / "graph")
    return folder / "graph"


@pytest.mark.parametrize("hub", ["source", "target"])
def test_many_edges_of_one_node(hub: str, tmp_path: Path) -> None:
    folder = graph(tmp_path, 3000, hub)
    with IsolatedEngine("grafeo", folder) as engine:
        start = perf_counter()
        text = "MATCH ()-[r:R]->() WHERE r.seen IS NOT NULL RETURN count(r) AS n, max(r.no) AS m"
        assert engine.run(text, language="cypher", timeout=30.0).rows == ((2999, 2999),)
        found = engine.run("MATCH ()-[r:R {no: 61}]->() RETURN r.seen AS seen", language="cypher")
        assert found.rows == (("2024-01-01T10:01:00Z",),)
    assert perf_counter() - start < 30


def test_the_time_of_a_query_is_without_loading(tmp_path: Path) -> None:
    folder = graph(tmp_path, 3000, "source")
    with Runner(
        engine=None,
        language="cypher",
        graph=folder,
        source=None,
        timeout=30.0,
        memory_mb=4096,
        neo4j_url=None,
    ) as runner:
        first, second = (runner.result("MATCH (p:P) RETURN count(p) AS n") for _ in range(2))
    assert first["rows"] == second["rows"] == [[3000]]
    assert 0 < first["ms"] < 150
