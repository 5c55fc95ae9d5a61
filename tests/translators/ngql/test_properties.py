"""Properties of the nGQL dialect over random queries with hostile names and constants."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graph_ir.walk import descend, find
from graphmill.errors import QueryTextError, Refused
from tests.translators.random_queries import NAMES, TEXTS, queries, quoted, schemas, string_text
from tests.translators.test_pairs import schema_of
from translators.ngql.emit.dialect import Ngql
from translators.ngql.emit.native import native_form
from translators.ngql.grammar.check import check
from translators.ngql.read.reader import read_back
from translators.render import render

pytestmark = pytest.mark.slow


@settings(deadline=None)
@given(st.data())
def test_what_is_said_is_accepted_and_reads_back(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    query = data.draw(queries(schema))
    statement = parse(query)
    try:
        text = render(statement, "ngql", schema).text
    except (Refused, QueryTextError):
        return
    bound = bind(statement, schema).statement
    lowered = Ngql(schema).lowered(bound)
    assert check(text) == []
    assert read_back(text) == lowered
    assert _constants(bound) <= _constants(lowered)
    native = native_form(bound, schema)
    assert native is None or check(native) == []


def _constants(statement: ir.Statement) -> set[str]:
    """The constants and labels; numbers as text, so that 1 and 1.0 differ."""
    values = {repr(literal.value) for literal in find(statement, ir.Literal)}
    return values | {n.name for n in descend(statement) if isinstance(n, ir.LabelName)}


@settings(deadline=None)
@given(TEXTS, NAMES)
def test_constants_and_names_come_back(value: str, name: str) -> None:
    query = f"RETURN {string_text(value)} AS {quoted(name)}"
    if "." in name:
        with pytest.raises(Refused, match="dot-in-name"):
            render(parse(query), "ngql", None)
        return
    found = read_back(render(parse(query), "ngql", None).text)
    (item,) = find(found, ir.Item)
    assert item.alias == name
    assert item.expr == ir.Literal(value)


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_judged(text: str) -> None:
    problems = check(text)
    try:
        read_back(text)
    except QueryTextError:
        pass
    except Refused:
        assert problems == []
    else:
        assert problems == []


@pytest.mark.parametrize(
    ("query", "constructs"),
    [
        ("RETURN o.id AS x ORDER BY o.total LIMIT 1", ["ORDER BY"]),
        ("RETURN o.id AS x, avg(o.total) AS a ORDER BY a", []),
        ("RETURN 1.0 / min(o.total) AS m", ["min()"]),
        ("RETURN o.total / 0.0 AS x, count(*) AS n", ["GROUP BY"]),
        ("RETURN max(sqrt(o.total)) AS m", ["max()"]),
    ],
)
def test_zeros_and_nans_are_declared(query: str, constructs: list[str]) -> None:
    """NebulaGraph has one zero, and no place for NaN among numbers."""
    caveats = render(parse(f"MATCH (o:Order) {query}"), "ngql", schema_of("music")).caveats
    assert [(each.code, each.construct) for each in caveats] == [
        ("float-range", construct) for construct in constructs
    ]
