"""Every GQL text of the fixtures is valid, and means on grafeo what the Cypher means."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from engines.compare import allowed
from engines.isolation import IsolatedEngine
from engines.judges.gql import check
from graph_ir.cypher.reader import parse
from graph_ir.rewrites import leaves_lists_open, probe
from graphmill.errors import Refused
from schemagraph.folder.graphdata import edge_layout, node_layout
from schemagraph.folder.writer import GraphWriter
from schemagraph.model import Kind, Property, SchemaGraph
from tests.translators.test_pairs import CASES, schema_of
from translators.render import render

pytestmark = pytest.mark.slow


TEXTS = [case for case in CASES if case.dialect == "gql" and not case.expected.startswith("!")]
QUERIES = [
    line
    for line in (Path(__file__).parent / "agreement.cypher").read_text("utf-8").splitlines()
    if line and not line.startswith("--")
]
WORDS = ("rock", "folk", "ab", "abc", "bab")


@pytest.mark.parametrize("case", TEXTS, ids=[case.place for case in TEXTS])
def test_fixture_is_valid_gql(case: Any) -> None:
    assert check(case.expected) == []


def test_the_checker_finds_errors() -> None:
    found = check("MATCH (a)\nRETURN a.x IN [1]")
    assert [item.severity for item in found] == ["error"]
    assert check("MATCH (a) RETURN b")[0].code == "undefined-variable"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IsolatedEngine]:
    """grafeo over a small random graph of the music schema."""
    folder = tmp_path_factory.mktemp("music") / "graph"
    schema = schema_of("music")
    assert schema is not None
    write(schema, folder, random.Random(7))
    with IsolatedEngine("grafeo", folder, memory_mb=1024) as found:
        yield found


@pytest.mark.parametrize("query", QUERIES)
def test_cypher_and_gql_agree(engine: IsolatedEngine, query: str) -> None:
    schema = schema_of("music")
    statement = parse(query)
    assert check(render(statement, "gql", schema).text) == []
    asked = probe(statement)
    assert asked is not None
    wide = render(asked.statement, "cypher-grafeo", schema).text
    referee = engine.run(wide, language="cypher", timeout=10)
    texts = {"gql": render(statement, "gql-grafeo", schema).text}
    texts["cypher"] = render(statement, "cypher-grafeo", schema).text
    for language, text in texts.items():
        verdict = allowed(
            engine.run(text, language=language, timeout=10),
            referee,
            keys=asked.keys,
            skip=asked.skip,
            limit=asked.limit,
            rough=asked.rough,
            unordered_lists=leaves_lists_open(statement),
        )
        assert verdict, f"{text}\n{verdict}"


def test_most_answers_have_rows(engine: IsolatedEngine) -> None:
    schema = schema_of("music")
    filled = 0
    for query in QUERIES:
        text = render(parse(query), "cypher-grafeo", schema).text
        filled += bool(engine.run(text, language="cypher", timeout=10).rows)
    assert filled / len(QUERIES) > 0.9


def test_nothing_is_said_of_what_gql_lacks() -> None:
    with pytest.raises(Refused) as caught:
        render(parse("MATCH (a) WHERE a.x CONTAINS 'b' RETURN a"), "gql")
    assert (caught.value.code, caught.value.construct) == ("contains", "CONTAINS")
    assert caught.value.span is not None


def write(schema: SchemaGraph, folder: Path, chance: random.Random) -> None:
    """Eight nodes a type, and three edges a node."""
    with GraphWriter(folder) as writer:
        keys: dict[str, list[dict[str, Any]]] = {}
        for number, node in enumerate(schema.nodes):
            rows = [
                {
                    p.name: value(p, chance, p.name in node.key, 100 * number + place)
                    for p in node.properties
                }
                for place in range(1, 9)
            ]
            keys[node.name] = [{name: row[name] for name in node.key} for row in rows]
            layout = node_layout(node)
            writer.nodes(node, [pa.RecordBatch.from_pylist(rows, schema=layout)])
        for edge in schema.edges:
            rows = []
            for _ in range(24):
                source, target = chance.choice(keys[edge.source]), chance.choice(keys[edge.target])
                row = {f"source.{name}": key for name, key in source.items()}
                row |= {f"target.{name}": key for name, key in target.items()}
                row |= {p.name: value(p, chance, False, 0) for p in edge.properties}
                rows.append(row)
            layout = edge_layout(edge, schema)
            writer.edges(edge, schema, [pa.RecordBatch.from_pylist(rows, schema=layout)])
        writer.commit(schema, None, origin={"test": "music"})


def value(of: Property, chance: random.Random, is_key: bool, number: int) -> Any:
    """A value of a property; keys are distinct, others often the same, some null."""
    if is_key:
        return number % 100 if of.type.kind is Kind.INTEGER else f"band {number}"
    if of.nullable and chance.random() < 0.2:
        return None
    match of.type.kind:
        case Kind.INTEGER:
            return chance.randrange(5)
        case Kind.FLOAT:
            return chance.choice([0.5, 1.5, 2.5])
        case Kind.BOOLEAN:
            return chance.random() < 0.5
        case Kind.DATE:
            return date(2001, 1, 1) + timedelta(chance.randrange(900))
        case Kind.LIST:
            return [chance.choice(WORDS) for _ in range(chance.randrange(4))]
        case _:
            return chance.choice(WORDS)
