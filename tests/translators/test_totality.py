"""Every node of Graph-IR is said by a rule of each language, or declared as what it cannot say.

A class that claims a node must say one query at least that has it. One that declares a node must
refuse a query that has it by the code that it declares, or say all of them, because a lowering has
made something else of the node. Queries are the rows of `constructs.cypher` and the fixtures of
the language.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from graph_ir import nodes as ir
from graph_ir.cypher.reader import parse
from graph_ir.walk import descend
from graphmill.errors import QueryTextError, Refused
from schemagraph.model import SchemaGraph
from tests.blocks import blocks
from tests.schema_text import read_schema
from translators.language import DIALECTS
from translators.render import render

HERE = Path(__file__).parent
MUSIC = "music"


@cache
def _schema(name: str) -> SchemaGraph:
    return read_schema((HERE / f"{name}.schema").read_text("utf-8"))


def _queries(dialect: str) -> Iterator[tuple[SchemaGraph, str]]:
    for line in (HERE / "constructs.cypher").read_text("utf-8").splitlines():
        if line and not line.startswith("//"):
            yield _schema(MUSIC), line.split(": ", 1)[1]
    for path in sorted((HERE / dialect).glob("*.pairs")):
        for block in blocks(path):
            yield _schema(block.settings.get("schema") or MUSIC), block.lines[0]


def _outcomes(dialect: str) -> tuple[set[type[ir.Node]], set[tuple[type[ir.Node], str]]]:
    """The nodes of the queries that are said; those of each refused one, with its code."""
    said: set[type[ir.Node]] = set()
    refused: set[tuple[type[ir.Node], str]] = set()
    for schema, text in _queries(dialect):
        try:
            statement = parse(text)
        except QueryTextError:
            continue
        nodes = {type(node) for node in descend(statement)}
        try:
            render(statement, dialect, schema)
        except Refused as refusal:
            refused |= {(node, refusal.code) for node in nodes}
        except QueryTextError:
            continue
        else:
            said |= nodes
    return said, refused


@pytest.mark.parametrize("name", DIALECTS.names())
def test_what_a_language_claims_it_says_and_what_it_declares_it_refuses(name: str) -> None:
    dialect = DIALECTS.get(name)
    said, refused = _outcomes(name)
    claimed = {node.__name__ for node in ir.NODE_CLASSES.values() if node in dialect._emit}
    assert claimed - {node.__name__ for node in said} == set()
    declared = {node: code for node, (code, _) in dialect.UNSUPPORTED.items() if node not in said}
    assert {n.__name__: code for n, code in declared.items() if (n, code) not in refused} == {}
