"""Queries are told from their mutants, the same way every time, and what is left is said."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from engines.backends.duckdb import DuckDB
from graph_ir import nodes as ir
from qa.fuzz.graphs import SmallGraph, random_graph
from qa.mutation.analysis import SHIPPED, Discrimination, Survivor, discriminate
from qa.mutation.interpreter.clauses import Outcome
from qa.mutation.interpreter.elements import MemoryGraph
from qa.mutation.pool import Pool, united
from qa.mutation.verdict import permits, tells_apart
from schemagraph.folder.graphdata import graph_fingerprint
from schemagraph.model import Kind, NodeType, Property, SchemaGraph, Type
from tests.qa.mutation.test_mutants import bound, schema_of
from translators.render import render

QUERIES = (
    "MATCH (p:Person)-[:MEMBER_OF]->(b:Band) WHERE b.name = 'Blur' RETURN p.name AS name",
    "MATCH (p:Person) WHERE p.born > 1950 AND p.email IS NULL RETURN p.name AS name ORDER BY name",
    "MATCH (p:Person)-[:KNOWS*1..2]->(q:Person) RETURN p.id AS a, q.id AS b",
    "MATCH (b:Band)-[:MADE]->(r:Record) WITH b, count(r) AS n WHERE n > 2 RETURN b.name AS name, n",
    "MATCH (p:Person) WHERE NOT EXISTS { (p)-[:KNOWS]->(:Person) } RETURN p.name AS name",
    "MATCH (b:Band) OPTIONAL MATCH (b)-[:MADE]->(r:Record) RETURN b.name AS name, count(r) AS n",
    "MATCH (r:Record) WHERE r.released >= date('1990-01-01') RETURN r.title AS t"
    " ORDER BY r.released DESC, r.id LIMIT 3",
    "MATCH (p:Person) WHERE p.name = 'x' RETURN p.name AS n"
    " UNION MATCH (r:Record) RETURN r.title AS n",
)


def analysed(text: str, schema: SchemaGraph, pool: Pool, seed: int = 1) -> Discrimination:
    return discriminate(bound(text, schema), schema, None, pool, Random(seed))


def test_plain_queries_are_told_from_their_mutants_by_small_graphs() -> None:
    schema = schema_of("music")
    pool = Pool(schema)
    found = [analysed(text, schema, pool) for text in QUERIES]
    scores = [each.score for each in found]
    assert sum(scores) / len(scores) >= 0.95
    assert min(scores) >= 0.8
    for each in found:
        assert each.instances
        assert each.finding().ok
        assert each.told_apart.total() + len(each.survivors) == each.mutants.total()


def test_the_same_seed_gives_the_same_pool_and_scores() -> None:
    schema = schema_of("music")
    runs = []
    for _ in range(2):
        pool = Pool(schema)
        found = [analysed(text, schema, pool).to_json() for text in QUERIES[:4]]
        runs.append((found, [each.small.text() for each in pool.instances]))
    assert runs[0] == runs[1]


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (p:Person) WHERE p.name = 'O\\'Neil \\\\\"; DROP TABLE x -- \\n' RETURN p.id AS id",
        "MATCH (p:Person) WHERE p.name CONTAINS '%_' OR p.email STARTS WITH '' RETURN p.id AS id",
        "MATCH (p:Person {name: '\u202e\U0001f600 `x`'}) RETURN p.id AS id",
        "MATCH (p:Person) WHERE p.name =~ '(a+)+[' RETURN p.id AS id",
        "MATCH (p:Person) WHERE p.born = 9223372036854775807 RETURN p.id AS id",
    ],
)
def test_hostile_constants_are_values(text: str, tmp_path: Path) -> None:
    schema = schema_of("music")
    pool = Pool(schema)
    found = analysed(text, schema, pool)
    assert found.mutants.total() > 2
    graph_fingerprint(pool.write(found.instances[-1], tmp_path))


def test_odd_names_and_instances_load_in_an_engine(tmp_path: Path) -> None:
    schema = schema_of("odd")
    pool = Pool(schema)
    text = (
        "MATCH (a:City)-[:NEAR]->(b:City)-[:COUNTRY]->(c:Country) WHERE a.größe > 1.5 "
        "AND b.`open` = localtime('10:00:00') RETURN a.hash AS `x y`, c.Name AS n"
    )
    query = bound(text, schema)
    found = discriminate(query, schema, None, pool, Random(2))
    assert found.score >= 0.9
    sql = render(query, "sql", schema).text
    for name in found.instances:
        with DuckDB() as engine:
            engine.load(pool.write(name, tmp_path))
            engine.run(sql, language="sql", timeout=10)


def test_what_small_graphs_do_not_tell_apart_the_shipped_graph_may(tmp_path: Path) -> None:
    """A search of a kind that only engines know: its mutants are asked on the shipped graph."""
    graph = next(g for g in map(random_graph, range(50)) if len(g.rows["A"]) > 3)
    schema = graph.schema
    query = bound("MATCH (a:A) WHERE toBoolean('true') AND a.i > 1 RETURN a.id AS id", schema)
    with DuckDB() as engine:
        engine.load(graph.write(tmp_path / "graph"))

        def ask(statement: ir.Statement, limit: int | None) -> object:
            text = render(statement, "sql", schema).text
            return engine.run(text, language="sql", timeout=10)

        found = discriminate(query, schema, ask, Pool(schema), Random(1))  # type: ignore[arg-type]
    assert found.instances == (SHIPPED,)
    assert found.score > 0
    assert not discriminate(query, schema, None, Pool(schema), Random(1)).instances


def test_a_weak_pair_has_a_code_and_its_survivors() -> None:
    weak = Discrimination(
        Counter({"lost-limit": 1}),
        Counter({"lost-limit": 1, "lost-order": 1}),
        (Survivor("lost-order", "MATCH (n) RETURN n"),),
    )
    assert weak.score == 0.5
    finding = weak.finding()
    assert (finding.ok, finding.code) == (False, "weak-discrimination")
    assert "lost-order: MATCH (n) RETURN n" in finding.detail
    assert weak.finding(0.5).ok
    assert Discrimination(Counter(), Counter()).score == 1.0


def test_ties_and_orders() -> None:
    rows: list[tuple[object, ...]] = [(1,), (2,), (3,)]
    tied = Outcome(rows, [(0,), (0,), (1,)], 0, 2)
    assert permits(tied, [(2,), (1,)])
    assert not permits(tied, [(1,), (3,)])
    assert not tells_apart(tied, Outcome([(2,), (1,)]))
    ordered = Outcome(rows, [(1,), (2,), (3,)])
    assert tells_apart(ordered, Outcome([(2,), (1,), (3,)]), loses_order=True)
    assert not tells_apart(Outcome(rows), Outcome([(2,), (1,), (3,)]))
    assert tells_apart(Outcome(rows), Outcome([(1,), (1,), (3,)]))
    assert not tells_apart(Outcome(rows), Outcome([(9,)], open=True))


def test_small_graphs_are_united_without_losing_an_element() -> None:
    schema = schema_of("music")
    people = {"Person": ((1, "Ann", 1950, None), (2, "Bo", None, None))}
    one = SmallGraph(schema, {**people, "Person-KNOWS-Person": ((1, 2, 0.5),)})
    other = SmallGraph(
        schema,
        {
            "Person": ((1, "Cy", None, None), (2, "Bo", None, None)),
            "Band": (("Blur", None, []),),
            "Person-KNOWS-Person": ((2, 1, 1.5), (1, 1, 2.5)),
            "Person-MEMBER_OF-Band": ((1, "Blur", None),),
        },
    )
    both = united([one, other])
    names = {row[0]: row[1] for row in both.rows["Person"]}
    assert sorted(names.values()) == ["Ann", "Bo", "Cy"]
    known = {(names[a], names[b], w) for a, b, w in both.rows["Person-KNOWS-Person"]}
    assert known == {("Ann", "Bo", 0.5), ("Bo", "Cy", 1.5), ("Cy", "Cy", 2.5)}
    ((member, band, _),) = both.rows["Person-MEMBER_OF-Band"]
    assert (names[member], band) == ("Cy", "Blur")
    assert united([one]).rows == {**united([SmallGraph(schema, {})]).rows, **one.rows}


def test_most_queries_need_few_small_graphs() -> None:
    schema = schema_of("music")
    pool = Pool(schema)
    found = [analysed(text, schema, pool) for text in QUERIES]
    named = {each.name for each in pool.instances}
    assert all(set(each.instances) <= named for each in found)
    assert sum(len(each.instances) for each in found) <= 3 * len(found)


def test_a_moment_that_is_taken_as_a_key_stays_a_moment() -> None:
    time, name = Property("at", Type(Kind.TIME)), Property("name", Type(Kind.STRING))
    schema = SchemaGraph("clock", (NodeType(("Slot",), (time, name), ("at",)),))
    one, other = (SmallGraph(schema, {"Slot": (("00:00:00", text),)}) for text in ("a", "b"))
    assert united([one, other]).rows["Slot"] == (("00:00:00", "a"),)
    MemoryGraph(united([one, other]))  # reads every value as its type
