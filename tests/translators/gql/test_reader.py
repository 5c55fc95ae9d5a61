"""The reader of GQL: texts that we write come back as they are, others are read or refused."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest

from graph_ir.cypher.tables import as_text, grammar, make
from tests.translators.test_pairs import CASES, flat, schema_of
from translators.language import Origin, reader
from translators.render import render

WRITTEN = [
    case
    for case in CASES
    if case.dialect in ("gql", "gql-neo4j")
    and case.expected[0] != "!"
    and "FINISH" not in case.expected
]


@pytest.mark.parametrize("case", WRITTEN, ids=[case.place for case in WRITTEN])
def test_a_text_that_we_write_comes_back(case: Any) -> None:
    schema = schema_of(case.schema)
    statement = reader(case.dialect, Origin(schema=schema))(case.expected)
    assert flat(render(statement, case.dialect, schema).text) == case.expected


def test_the_stored_tables_are_those_of_the_grammar() -> None:
    package = "translators.gql.reader"
    stored = files(package).joinpath("tables.json").read_text("utf-8")
    again = f"run: python -m graph_ir.cypher.tables {package} gql.lark"
    assert stored == as_text(make(grammar(package, "gql.lark"))), again
