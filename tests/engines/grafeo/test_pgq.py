"""SQL/PGQ on grafeo: what its profile says answers as Neo4j does, and only reads are run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engines.base import Result
from engines.compare import same_bag
from engines.isolation import IsolatedEngine
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryError, QueryTextError, QueryUnsound, Refused
from qa.fuzz.graphs import read_graph
from tests.engines.grafeo.test_profiles import GRAPH, Case, cases
from translators.render import render


@pytest.fixture(scope="module")
def grafeo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IsolatedEngine]:
    """The engine over the graph of `profiles.graph`."""
    folder = GRAPH.write(tmp_path_factory.mktemp("pgq") / "graph")
    with IsolatedEngine("grafeo", folder) as engine:
        yield engine


# Queries of the same graph that SQL/PGQ says, and Neo4j's rows.
SAID = {
    "MATCH (p:P) WHERE p.name IN ['Ann', 'Bob'] AND p.age > 1 RETURN p.name AS n ORDER BY n": None,
    "MATCH (p:P)-[:R]->(q:P) RETURN q.name AS n, count(*) AS c ORDER BY c DESC, n LIMIT 2": None,
    "MATCH (p:P)-[:R]->(q:P)-[:R]->(r:P) RETURN p.name AS a, r.name AS b": None,
    "MATCH (p:P)-[:R]-(q:P) RETURN p.name AS a, q.name AS b": None,
    "MATCH (p:P) RETURN DISTINCT p.age AS a ORDER BY a DESC": None,
    "MATCH (p:P) WHERE NOT p.age > 20 OR p.name IS NULL RETURN p.id AS i": None,
    "MATCH (p:P) RETURN p.age AS a UNION MATCH (p:P)-[:R]->(q:P) RETURN q.age AS a": None,
    "MATCH (p:P) RETURN p.age AS a UNION ALL MATCH (p:P)-[:R]->(q:P) RETURN q.age AS a": None,
    "MATCH (p:P) RETURN p.name AS a, count(*) AS n UNION MATCH (p:P)-[:R]->(q:P) "
    "RETURN q.name AS a, count(*) AS n": None,
    "MATCH (p:P) WHERE 0.1 + 0.2 <> 0.3 AND 1.1 * 1.1 > 1.21 RETURN p.id AS i": None,
    "MATCH (p:P) RETURN sum(p.age) AS s, avg(p.age) AS m, count(p.name) AS n": None,
}


@pytest.mark.parametrize("query", SAID)
def test_it_answers_as_the_referee(grafeo: IsolatedEngine, query: str) -> None:
    text = render(parse(query), "pgq-grafeo", GRAPH.schema).text
    rows = grafeo.run(text, language="pgq", timeout=60)
    cypher = render(parse(query), "cypher-grafeo", GRAPH.schema).text
    assert same_bag(rows, grafeo.run(cypher, language="cypher", timeout=60)), text
    assert rows.rows


CASES = [case for param in cases() for case in param.values if case.dialect == "cypher-grafeo"]


@pytest.mark.parametrize("case", CASES, ids=[case.text for case in CASES])
def test_what_it_says_of_hard_queries_is_right(grafeo: IsolatedEngine, case: Case) -> None:
    try:
        text = render(parse(case.text), "pgq-grafeo", GRAPH.schema).text
        rows = grafeo.run(text, language="pgq", timeout=60)
    except (Refused, QueryTextError):
        return
    assert case.rows is not None
    assert same_bag(rows, Result(rows.columns, case.rows)), text


ZEROS = read_graph("A(id!: INTEGER, z: FLOAT)\n\nA [1, -0.0]\nA [2, 0.0]")


@pytest.mark.parametrize(
    "text", ["WHERE a.z < 0.0 RETURN a.id AS i", "RETURN a.id AS i ORDER BY a.z DESC"]
)
def test_the_zero_below_zero_is_unsound(tmp_path: Path, text: str) -> None:
    said = render(parse(f"MATCH (a:A) {text}"), "pgq-grafeo", ZEROS.schema).text
    right = render(
        parse("MATCH (a:A) WHERE a.z < 0.5 RETURN a.id AS i"), "pgq-grafeo", ZEROS.schema
    )
    with IsolatedEngine("grafeo", ZEROS.write(tmp_path / "graph")) as engine:
        assert len(engine.run(right.text, language="pgq", timeout=60).rows) == 2
        with pytest.raises(QueryUnsound, match=r"-0\.0"):
            engine.run(said, language="pgq", timeout=60)


@pytest.mark.parametrize(
    ("condition", "ids"),
    [
        ("a.z * -1 < 0.0", None),
        ("a.z * -1 < a.z", None),
        ("a.z * -1 >= 0", None),
        # What makes no difference is said.
        ("a.z * -1 <= 0", [1]),
        ("a.z * -1 > 0", []),
        ("a.z * -1 < 5", [1]),
        ("-a.z < 0.0", []),
    ],
)
def test_a_computed_zero_below_zero_is_refused(
    tmp_path: Path, condition: str, ids: list[int] | None
) -> None:
    graph = read_graph("A(id!: INTEGER, z: FLOAT)\n\nA [1, 0.0]")
    statement = parse(f"MATCH (a:A) WHERE {condition} RETURN a.id AS i")
    if ids is None:
        with pytest.raises(Refused, match=r"-0\.0"):
            render(statement, "pgq-grafeo", graph.schema)
        return
    said = render(statement, "pgq-grafeo", graph.schema).text
    with IsolatedEngine("grafeo", graph.write(tmp_path / "graph")) as engine:
        assert engine.run(said, language="pgq", timeout=60).rows == tuple((i,) for i in ids)


@pytest.mark.parametrize(
    "text", ["CREATE PROPERTY GRAPH g VERTEX TABLES (a)", "INSERT (:P)", "DROP TABLE P"]
)
def test_only_reads_are_run(grafeo: IsolatedEngine, text: str) -> None:
    with pytest.raises(QueryError, match="Only reads are run"):
        grafeo.run(text, language="pgq", timeout=60)
