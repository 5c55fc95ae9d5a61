"""Small graphs go to engines as files of rows, one after the other, and their answers agree."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from engines.isolation import IsolatedEngine
from graphmill.errors import EngineError, EngineUnavailable
from qa.fuzz.graphs import SmallGraph, random_graph
from qa.mutation.analysis import discriminate
from qa.mutation.pool import Pool
from qa.mutation.suite import Case, Suites
from schemagraph.folder.graphdata import edge_rows, node_rows
from schemagraph.folder.serde import save_schema
from tests.qa.mutation.test_mutants import bound, schema_of

pytestmark = pytest.mark.slow

QUERIES = (
    "MATCH (p:Person)-[:MEMBER_OF]->(b:Band) WHERE b.name = 'Blur' RETURN p.name AS name",
    "MATCH (r:Record) WHERE r.released >= date('1990-01-01') RETURN r.title AS t"
    " ORDER BY r.released DESC, r.id LIMIT 3",
    "MATCH (b:Band)-[:MADE]->(r:Record) WITH b, count(r) AS n WHERE n > 2 RETURN b.name AS name, n",
)


def test_a_file_of_rows_is_the_graph_that_the_folder_is(tmp_path: Path) -> None:
    for seed in range(6):
        graph = random_graph(seed)
        folder = graph.write(tmp_path / str(seed))
        file = small(folder, "x", graph)
        for node in graph.schema.nodes:
            assert list(node_rows(file, node)) == list(node_rows(folder, node))
        for edge in graph.schema.edges:
            mine, theirs = (list(edge_rows(p, edge, graph.schema)) for p in (file, folder))
            assert mine == theirs


def small(folder: Path, name: str, graph: SmallGraph) -> Path:
    path = folder / "instances" / f"{name}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({of: rows for of, rows in graph.rows.items() if rows}))
    return path


@pytest.mark.parametrize(
    ("engine", "language", "text"),
    [
        ("duckdb", "sql", 'SELECT count(*) AS n FROM "Person"'),
        ("grafeo", "cypher", "MATCH (p:Person) RETURN count(*) AS n"),
    ],
)
def test_engines_take_one_small_graph_after_the_other(
    engine: str, language: str, text: str, tmp_path: Path
) -> None:
    schema = schema_of("music")
    save_schema(tmp_path, schema)
    rows = ((1, "Ann", 1950, None), (2, "Bo", None, None))
    graphs = [SmallGraph(schema, {"Person": rows[:n]}) for n in (2, 0, 1)]
    with IsolatedEngine(engine, None, memory_mb=1024, reloads=True) as worker:
        for number, graph in enumerate(graphs):
            worker.use(small(tmp_path, str(number), graph))
            found = worker.run(text, language=language, timeout=10)
            assert found.rows == ((len(graph.rows["Person"]),),)
        broken = tmp_path / "instances" / "broken.json"
        for content in ("[1]", "{", '{"Person": 3}', '{"Nobody": [[1]]}'):
            broken.write_text(content)
            worker.use(broken)
            if engine == "duckdb" or "Nobody" not in content:
                with pytest.raises(EngineUnavailable):
                    worker.run(text, language=language, timeout=10)


def test_a_referee_that_reloads_reads_no_file(tmp_path: Path) -> None:
    schema = schema_of("music")
    save_schema(tmp_path, schema)
    secret = tmp_path / "secret.csv"
    secret.write_text("a\n1\n")
    with IsolatedEngine("duckdb", None, memory_mb=1024, reloads=True) as worker:
        worker.use(small(tmp_path, "x", SmallGraph(schema, {})))
        with pytest.raises(EngineError):
            worker.run(f"SELECT * FROM '{secret}'", language="sql", timeout=10)


def test_suites_are_certified_by_two_engines() -> None:
    schema = schema_of("music")
    pool = Pool(schema)
    cases = []
    for number, text in enumerate(QUERIES):
        query = bound(text, schema)
        cases.append(Case(query, discriminate(query, schema, None, pool, Random(number)).instances))
    failing = bound("MATCH (r:Record) RETURN r.id / (r.id - r.id) AS x", schema)
    named = tuple(each.name for each in pool.instances if each.small.rows.get("Record"))
    window = bound("MATCH (r:Record) RETURN r.id AS x LIMIT 1 + 1", schema)
    with Suites(schema) as suites:
        found = suites.certify([*cases, Case(failing, named), Case(window, named)], pool)
    assert [each.code for each in found] == ["", "", "", "instance-fails", "instance-fails"]
    assert all(case.instances for case in cases)
