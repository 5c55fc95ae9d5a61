"""What the nGQL says is what the query means: texts are read back and their meaning executed.

Each query of the fixtures that nGQL can say is written, must be accepted by the grammar, must
read back as the IR that was written, and the IR read back must have the answer of the query on
the fixture graph, through the `sql` dialect on DuckDB.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import duckdb
import pytest

from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graph_ir.ordering import columns_first
from graph_ir.rewrites import is_repeatable, leaves_lists_open
from graph_ir.walk import find
from graphmill.errors import QueryTextError, Refused
from tests.translators.sql.graphs import answer
from tests.translators.sql.test_answers import CASES as ANSWERS
from tests.translators.sql.test_answers import canonical, graph
from tests.translators.test_pairs import CASES as PAIRS
from tests.translators.test_pairs import schema_of
from translators.language import difference
from translators.ngql.emit.dialect import Ngql
from translators.ngql.grammar.check import check
from translators.ngql.read.reader import read_back
from translators.render import render

SCHEMA = "music"


def _queries() -> list[str]:
    answers = [case.query for case in ANSWERS if case.graph == SCHEMA]
    pairs = [case.query for case in PAIRS if case.schema == SCHEMA]
    return list(dict.fromkeys([*answers, *pairs]))


@cache
def _written(query: str, schema: str) -> tuple[str, ir.Statement]:
    """The nGQL of a query, and the lowered IR it was made of.

    Raises:
        Refused: nGQL cannot say it.
        QueryTextError: the query is wrong.
    """
    known = schema_of(schema)
    text = render(parse(query), "ngql", known).text
    dialect = Ngql(known)
    return text, dialect.lowered(columns_first(bind(parse(query), known).statement))


def _sayable(queries: list[tuple[str, str]]) -> list[tuple[str, str]]:
    kept = []
    for query, schema in queries:
        try:
            _written(query, schema)
        except (Refused, QueryTextError):
            continue
        kept.append((query, schema))
    return kept


ALL = _sayable(
    [*((query, SCHEMA) for query in _queries())]
    + [(case.query, case.schema) for case in PAIRS if case.dialect in ("ngql", "cypher")]
)


@pytest.mark.parametrize(("query", "schema"), list(dict.fromkeys(ALL)))
def test_text_is_accepted_and_reads_back(query: str, schema: str) -> None:
    text, lowered = _written(query, schema)
    assert check(text) == []
    assert read_back(text) == lowered


def test_a_text_of_another_query_is_told() -> None:
    schema = schema_of(SCHEMA)
    query = "MATCH (p:Person) WHERE p.born > 1980 RETURN p.name AS name"
    text = render(parse(query), "ngql", schema).text
    assert difference("ngql", parse(query), text, schema) == ""
    for other in (text.replace("1980", "1981"), text.replace(" > ", " >= "), text[:-5], "YIELD 1"):
        assert difference("ngql", parse(query), other, schema)


@pytest.mark.parametrize(
    "query", [query for query, schema in ALL if schema == SCHEMA and is_repeatable(parse(query))]
)
def test_text_means_the_same(query: str) -> None:
    schema = schema_of(SCHEMA)
    text, _ = _written(query, SCHEMA)
    statement = parse(query)
    open_lists = leaves_lists_open(statement)
    if any(isinstance(item.base, ir.PatternComp) for item in find(statement, ir.Index)):
        pytest.skip("the query itself leaves open which item of its list is the first")
    try:
        expected = _rows(render(statement, "sql", schema).text, open_lists)
    except Refused as problem:
        pytest.skip(f"the sql dialect refuses the query: {problem.code}")
    except duckdb.Error as problem:
        pytest.skip(f"the query itself has no answer: {problem}")
    found = _rows(render(read_back(text), "sql", schema).text, open_lists)
    assert found == expected, text


def _rows(text: str, open_lists: bool) -> list[Any]:
    """The answer as a bag; lists as bags too, where the query leaves their order open."""
    rows = answer(graph(SCHEMA), text)
    if open_lists:
        rows = [[sorted(v, key=str) if isinstance(v, list) else v for v in row] for row in rows]
    return sorted(canonical(row) for row in rows)


def test_enough_is_said() -> None:
    assert len(ALL) > 150
