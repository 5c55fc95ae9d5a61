"""Runs the fixtures of this folder: texts of GQL, and what becomes of them.

A block is a text and the Cypher that means the same; `!code` for a refusal; `!code line:column`
for what is no GQL. `-- language: name` reads what follows as that profile, `-- schema: name` over
the schema of that name.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from graph_ir.cypher.reader import parse as parse_cypher
from graphmill.errors import QueryTextError, Refused
from tests.blocks import Block, blocks
from tests.translators.test_pairs import schema_of
from translators.language import Origin, checker, reader
from translators.render import render

HERE = Path(__file__).parent
BLOCKS = [block for path in sorted(HERE.glob("*.pairs")) for block in blocks(path)]


@pytest.mark.parametrize("block", BLOCKS, ids=[block.place for block in BLOCKS])
def test_pair(block: Block) -> None:
    text, expected = block.lines
    language = block.settings.get("language", "gql")
    schema = schema_of(block.settings.get("schema", ""))
    read = reader(language, Origin(schema=schema))
    code, _, place = expected.removeprefix("!").partition(" ")
    if expected.startswith("!") and place:
        with pytest.raises(QueryTextError) as wrong:
            read(text)
        assert (wrong.value.code, f"{wrong.value.line}:{wrong.value.column}") == (code, place)
        if language != "spanner":  # whose texts GoogleSQL's analyser checks
            assert [found.code for found in checker("gql", None)(text)] == [code]
    elif expected.startswith("!"):
        with pytest.raises(Refused) as refused:
            render(read(text), "cypher", schema)
        assert refused.value.code == code
    else:
        assert render(read(text), "cypher", schema).text.split() == expected.split()
        parse_cypher(expected)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("gql", "a.x * 0.7 * toInteger(10)"),
        ("gql-grafeo", "a.x * 0.7 * toInteger(10)"),
        ("spanner", "a.x * 0.7 * toInteger(10)"),
        ("gql-neo4j", "a.x * (0.7 * 10)"),
    ],
)
def test_a_product_of_constants_keeps_its_order_on_neo4j(language: str, text: str) -> None:
    """Neo4j multiplies the constants first, in GQL too; the others go from left to right."""
    graph = "GRAPH g " if language == "spanner" else ""
    statement = reader(language, Origin())(f"{graph}MATCH (a:A) RETURN a.x * 0.7 * 10 AS v")
    assert render(statement, "cypher").text == f"MATCH (a:A)\nRETURN {text} AS v"
