"""Paths that close a pattern, said step by step, use no edge twice: the referee says the same."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from engines.isolation import IsolatedEngine
from graph_ir.cypher.reader import parsed
from qa.fuzz.graphs import SmallGraph
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from translators.render import render

pytestmark = pytest.mark.slow

NODE = NodeType(("N",), (Property("id", Type(Kind.INTEGER)),), key=("id",))
SCHEMA = SchemaGraph("loops", (NODE,), (EdgeType("K", "N", "N"), EdgeType("L", "N", "N")))
EDGES = ("-[:K]->", "<-[:K]-", "-[:K]-", "-[:L]->", "<-[:L]-")
PATTERNS = (
    "(a){}(b){}(a)",
    "(a){}(b), (a){}(c){}(b)",
    "(a){}(){}(b){}(a)",
    "(a){}(b){}(c), (c){}(){}(a)",
    "(a){}(){}(b), (a){}(b)",
    "(a){}(c){}(b), (b){}(a)",
    "(a:N){}(){}(c){}(b:N), (b){}(a)",
    "(b){}(c), (a){}(c){}(b), (a){}(b)",
)


def edges(rng: Random, count: int) -> tuple[tuple[int, int], ...]:
    """Some edges between five nodes, loops among them."""
    return tuple(dict.fromkeys((rng.randint(1, 5), rng.randint(1, 5)) for _ in range(count)))


@pytest.mark.parametrize("seed", [1, 2])
def test_answers(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    rows = {"N": tuple((n,) for n in range(1, 6)), "N-K-N": edges(rng, 9), "N-L-N": edges(rng, 7)}
    graph = SmallGraph(SCHEMA, rows).write(tmp_path / "graph")
    found = 0
    with IsolatedEngine("duckdb", graph) as referee, IsolatedEngine("grafeo", graph) as engine:
        for _ in range(60):
            pattern = rng.choice(PATTERNS)
            drawn = pattern.format(*(rng.choice(EDGES) for _ in range(pattern.count("{}"))))
            query = parsed(f"MATCH {drawn} RETURN a.id AS a, b.id AS b, count(*) AS n")
            text = render(query, "sql", SCHEMA).text
            wanted = sorted(referee.run(text, language="sql").rows)
            found += len(wanted)
            for language in ("cypher", "gql"):
                text = render(query, f"{language}-grafeo", SCHEMA).text
                assert sorted(engine.run(text, language=language).rows) == wanted, text
    assert found > 60
