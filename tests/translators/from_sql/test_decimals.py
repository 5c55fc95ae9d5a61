"""Decimals and integers of 64 bits of a typed source, which are floats in the graph or beside them.

`decimals/NAME.pairs` are over the library as if `price` were a decimal and `pages` a BIGINT there.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from graph_ir.cypher.reader import parse
from graphmill.errors import Refused
from schemagraph.mapping import Affinity, Mapping
from tests.translators.from_sql.conftest import Library
from tests.translators.from_sql.test_pairs import HERE, Case, cases
from translators.from_sql.reader import SqlTranslator
from translators.render import render

TYPES = {
    "postgres": {"price": "numeric(10,2)", "pages": "bigint"},
    "duckdb": {"price": "DECIMAL(10,2)", "pages": "BIGINT"},
    "mysql": {"price": "decimal(10,2)", "pages": "bigint(20)"},
}
CASES = [(name, case) for name in TYPES for case in cases(HERE / "decimals" / f"{name}.pairs")]


def typed(mapping: Mapping, dialect: str) -> Mapping:
    """The mapping as of a source of that dialect."""
    exact = {"price": 2, "pages": None}
    most = {"price": 1000, "pages": None}
    types = TYPES[dialect]
    nodes = tuple(
        replace(
            node,
            columns=tuple(
                replace(
                    column,
                    declared=types[column.name],
                    decimals=exact[column.name],
                    most=most[column.name],
                    affinity=Affinity.NUMERIC,
                )
                if column.name in types
                else column
                for column in node.columns
            ),
        )
        for node in mapping.nodes
    )
    return replace(mapping, dialect=dialect, nodes=nodes)


@pytest.mark.parametrize(("dialect", "case"), CASES, ids=lambda value: getattr(value, "place", ""))
def test_pair(dialect: str, case: Case, library: Library) -> None:
    """SQL over decimals becomes the Cypher of the fixture, or is refused with its code."""
    mapping = typed(library.translator.mapping, dialect)
    translator = SqlTranslator(mapping, library.schema, dialect)
    if case.expected.startswith("!"):
        with pytest.raises(Refused) as caught:
            translator.translate(case.sql)
        assert f"!{caught.value.code}" == case.expected
        return
    statement = translator.translate(case.sql)
    text = render(statement, "cypher", library.schema).text
    assert " ".join(text.split()) == case.expected
    assert parse(text) == statement


def test_sqlite_has_no_decimals(library: Library) -> None:
    """SQLite computes with floats, as the graph does."""
    sql = "SELECT id FROM book WHERE price * 3 = 0.15 AND 0.1 + 0.2 > pages * 1.0"
    text = render(library.translator.translate(sql), "cypher", library.schema).text
    assert "WHERE book.price * 3 = 0.15 AND 0.1 + 0.2 > book.pages * 1.0" in text
