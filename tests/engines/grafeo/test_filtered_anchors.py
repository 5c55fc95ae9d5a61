"""Conditions and subqueries before an OPTIONAL MATCH: profiles say what the referee says."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from engines.backends.grafeo import Grafeo
from engines.isolation import IsolatedEngine
from graph_ir.cypher.reader import parsed
from qa.fuzz.graphs import SmallGraph
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from translators.render import render

pytestmark = pytest.mark.slow

INTEGER = Type(Kind.INTEGER)
NODES = tuple(
    NodeType((label,), (Property("id", INTEGER), Property("v", INTEGER)), key=("id",))
    for label in "ABC"
)
SCHEMA = SchemaGraph(
    "anchors", NODES, (EdgeType("R", "A", "B"), EdgeType("O", "A", "C"), EdgeType("T", "B", "C"))
)
PATTERNS = (
    "(a:A)-[:R]->(b:B)",
    "(b:B)<-[:R]-(a:A)",
    "(a:A)-[:R]->(b:B)<-[:R]-(d:A)",
    "(:C)<-[:O]-(a:A)-[:R]->(b:B), (b)<-[:R]-(d:A)",
)
ONWARD = {"a": "O", "b": "T", "d": "O"}
CONDITIONS = ("{}.v > 3", "{}.v = 2", "{}.v IN [1, 5]", "({}.v < 2 OR {}.v > 5)")
SUBQUERIES = (
    "NOT EXISTS {{ {} }}",
    "EXISTS {{ {} }}",
    "COUNT {{ {} }} < 2",
    "COUNT {{ {} }} > 1",
    "COUNT {{ {} }} = 1",
)
NODES_EACH = 40


def graph(rng: Random, folder: Path) -> Path:
    """Forty nodes of each type, eighty edges of each type."""

    def number() -> int:
        return rng.randint(1, NODES_EACH)

    rows: dict[str, Any] = {
        node.name: tuple((n, rng.randint(0, 7)) for n in range(1, NODES_EACH + 1)) for node in NODES
    }
    for edge in SCHEMA.edges:
        rows[edge.name] = tuple(dict.fromkeys((number(), number()) for _ in range(80)))
    return SmallGraph(SCHEMA, rows).write(folder)


def query(rng: Random) -> str:
    """Conditions and subqueries on any of the nodes, an optional part from one of them."""
    pattern = rng.choice(PATTERNS)
    names = [name for name in "abd" if f"({name}:" in pattern]
    onward = [f"({name})-[:{ONWARD[name]}]->(:C)" for name in rng.choices(names, k=2)]
    tests = [rng.choice(CONDITIONS).replace("{}", n) for n in rng.choices(names, k=2)]
    tests = tests[: rng.choice((0, 1, 1, 2))]
    tests += [rng.choice(SUBQUERIES).format(way) for way in onward[: rng.choice((1, 1, 2))]]
    rng.shuffle(tests)
    start = rng.choice(names)
    middle = rng.choice(("", "", f"WITH {', '.join(names)}", "MATCH (a)-[:R]->(e:B)"))
    columns = ", ".join(f"{name}.id AS {name}" for name in names)
    return (
        f"MATCH {pattern} WHERE {' AND '.join(tests)} {middle} "
        f"OPTIONAL MATCH ({start})-[:{ONWARD[start]}]->(c:C) RETURN {columns}, c.id AS c"
    )


def test_answers(tmp_path: Path) -> None:
    rng = Random(1)
    folder = graph(rng, tmp_path / "graph")
    wrong = 0
    with IsolatedEngine("duckdb", folder) as referee, IsolatedEngine("grafeo", folder) as engine:

        def answer(text: str, language: str) -> list[str]:
            chosen = referee if language == "sql" else engine
            return sorted(map(str, chosen.run(text, language=language).rows))

        for _ in range(150):
            text = query(rng)
            statement = parsed(text)
            wanted = answer(render(statement, "sql", SCHEMA).text, "sql")
            for language in ("cypher", "gql"):
                said = render(statement, f"{language}-grafeo", SCHEMA).text
                assert answer(said, language) == wanted, said
            declared = {fault.code for fault in Grafeo.unsound if fault.applies(statement)}
            if answer(text, "cypher") != wanted:
                assert "filtered-anchor" in declared, text
                wrong += 1
    assert wrong > 5
