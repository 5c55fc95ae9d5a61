"""Small graphs hold what tells a kind of mutant apart, and nothing that no query reads."""

from __future__ import annotations

from random import Random

import pytest

from qa.fuzz.graphs import read_graph
from qa.mutation.instances import MODES, instance
from qa.mutation.interpreter.clauses import Program
from qa.mutation.interpreter.elements import MemoryGraph
from qa.mutation.plan import keys_read, plan_of
from qa.mutation.verdict import tells_apart
from tests.qa.mutation.test_mutants import bound, schema_of

READINGS = """
Reading(sensor!: INTEGER, at!: INTEGER, value: INTEGER?, note: STRING?)
Sensor(id!: INTEGER, place: STRING)
Sensor-[HAS]->Reading
Reading-[NEXT]->Reading

Sensor [1, "x"]
"""


@pytest.mark.parametrize(
    ("query", "mutant"),
    [
        # Groups by a value that several nodes have.
        (
            "MATCH (s:Sensor) WITH s.place AS place, count(*) AS n WHERE n > 3 RETURN place",
            "MATCH (s:Sensor) WITH s.place AS place, count(*) AS n WHERE n > 4 RETURN place",
        ),
        # What is equal to an average.
        (
            "MATCH (r:Reading) WITH avg(r.value) AS mean MATCH (q:Reading) WHERE q.value > mean"
            " RETURN q.at AS at",
            "MATCH (r:Reading) WITH avg(r.value) AS mean MATCH (q:Reading) WHERE q.value >= mean"
            " RETURN q.at AS at",
        ),
        # One part of a key that two nodes have in common.
        (
            "MATCH (r:Reading) RETURN r.value AS v ORDER BY r.sensor, r.at LIMIT 1",
            "MATCH (r:Reading) RETURN r.value AS v ORDER BY r.sensor, r.at DESC LIMIT 1",
        ),
        # A path that has to turn round on its way.
        (
            "MATCH (s:Sensor)-[:HAS*2..3]-(t:Sensor) WHERE s.id < t.id RETURN s.id AS a",
            "MATCH (s:Sensor)-[:HAS*3..3]-(t:Sensor) WHERE s.id < t.id RETURN s.id AS a",
        ),
    ],
)
def test_some_graph_tells_them_apart(query: str, mutant: str) -> None:
    schema = read_graph(READINGS).schema
    statements = [bound(text, schema) for text in (query, mutant)]
    plans = [plan_of(each, schema) for each in statements]
    programs = [Program(each) for each in statements]
    told = 0
    for seed in range(60):
        small = instance(plans, schema, Random(seed), MODES[seed % 6], keys_read(statements))
        graph = MemoryGraph(small)
        told += tells_apart(*(program.run(graph) for program in programs))
    assert told >= 3


def test_what_is_not_read_is_null() -> None:
    schema = schema_of("music")
    query = bound("MATCH (p:Person) WHERE p.born > 1950 RETURN p.name AS name", schema)
    assert keys_read([query]) == frozenset({"born", "name"})
    assert keys_read([bound("MATCH (p:Person) RETURN p {.*} AS p", schema)]) is None
    assert keys_read([bound("MATCH (p:Person) RETURN keys(p) AS k", schema)]) is None
    names = [p.name for p in schema.node_by_name["Person"].properties]
    made: dict[str, set[object]] = {name: set() for name in names}
    for seed, mode in enumerate(MODES):
        plans = [plan_of(query, schema)]
        small = instance(plans, schema, Random(seed), mode, keys_read([query]))
        for row in small.rows["Person"]:
            for name, value in zip(names, row, strict=True):
                made[name].add(value)
    assert len(made["id"]) > 3
    assert len(made["born"]) > 1
    assert made["email"] == {None}
