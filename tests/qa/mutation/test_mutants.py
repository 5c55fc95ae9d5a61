"""Runs `mutants.txt`: a query, and what each operator makes of it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from qa.fuzz.graphs import random_graph
from qa.fuzz.shrink import is_valid
from qa.fuzz.statements import random_statement
from qa.mutation.analysis import shown_text
from qa.mutation.mutants import CAP, OPERATORS, mutants
from schemagraph.model import SchemaGraph
from tests.blocks import Block, blocks
from tests.schema_text import read_schema
from translators.render import render

HERE = Path(__file__).parent
SCHEMAS = HERE.parents[1] / "translators"
BLOCKS = list(blocks(HERE / "mutants.txt"))


def schema_of(name: str) -> SchemaGraph:
    own = HERE / f"{name}.schema"
    path = own if own.is_file() else SCHEMAS / own.name
    return read_schema(path.read_text("utf-8"))


def bound(text: str, schema: SchemaGraph) -> ir.Statement:
    return bind(parse(text), schema).statement


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.place)
def test_operators_make_what_the_fixture_says(block: Block) -> None:
    schema = schema_of(block.settings["schema"])
    query, *lines = block.lines
    expected: dict[str, list[str]] = {}
    for line in lines:
        name, text = line.split(": ", 1)
        expected.setdefault(text if name == "none" else name, []).extend(
            [] if name == "none" else [text]
        )
    made: dict[str, list[str]] = {name: [] for name in expected}
    for mutant in mutants(bound(query, schema), schema, Random(0), cap=None):
        if mutant.operator in made:
            made[mutant.operator].append(" ".join(shown_text(mutant.statement).split()))
    assert {name: sorted(texts) for name, texts in made.items()} == {
        name: sorted(texts) for name, texts in expected.items()
    }


def test_every_operator_has_a_fixture() -> None:
    named = {line.split(": ", 1)[0] for block in BLOCKS for line in block.lines[1:]}
    assert set(OPERATORS) - named == set()
    assert named - set(OPERATORS) == {"none"}


def test_the_choice_is_stratified_capped_and_repeatable() -> None:
    schema = schema_of("music")
    text = (
        "MATCH (p:Person)-[:KNOWS*1..3]->(q:Person) WHERE p.born > 1950 AND q.name <> 'Ann' "
        "AND NOT q.email IS NULL RETURN DISTINCT p.name AS a, q.name AS b ORDER BY b, a LIMIT 3"
    )
    query = bound(text, schema)
    whole = mutants(query, schema, Random(1), cap=None)
    kinds = {m.operator for m in whole}
    assert len(kinds) > CAP
    chosen = mutants(query, schema, Random(1))
    assert len(chosen) == CAP
    assert len({m.operator for m in chosen}) == CAP
    assert chosen == mutants(query, schema, Random(1))
    assert len(mutants(query, schema, Random(1), cap=len(kinds))) == len(kinds)


def test_mutants_of_anything_bind_differ_and_render() -> None:
    rendered = 0
    for seed in range(60):
        schema = random_graph(seed // 20).schema
        statement = random_statement(seed, schema)
        if not is_valid(statement, schema):
            continue
        query = bind(statement, schema).statement
        try:
            render(query, "sql", schema)
        except Exception:  # noqa: BLE001 # what SQL cannot say of the query, it cannot of its mutants
            continue
        for mutant in mutants(query, schema, Random(seed), cap=6):
            assert mutant.statement != query
            assert bind(mutant.statement, schema).statement == mutant.statement
            rendered += bool(_text(mutant.statement, schema))
    assert rendered > 150


def _text(statement: ir.Statement, schema: SchemaGraph) -> str:
    from graphmill.errors import Refused

    try:
        return render(statement, "sql", schema).text
    except Refused:
        return ""
