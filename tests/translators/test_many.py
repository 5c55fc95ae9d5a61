"""Queries of 1,000 parts are checked and translated in time that grows with their number."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import pytest

from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.canonical import fingerprint
from graph_ir.cypher.reader import parse
from graph_ir.serde import from_json, to_json
from graphmill.errors import QueryTextError, Refused
from tests.schema_text import read_schema
from tests.timing import processor_seconds
from translators.gql.reader import read as gql
from translators.render import render

MANY = 1_000
FEW = 100
CHAINED = 280
QUERIES = {
    "unconnected": ("MATCH ", "(n{0})", ", ", " RETURN count(*) AS c"),
    "connected": ("MATCH ", "(n{0})-[:T]->(n{1})", ", ", " RETURN count(*) AS c"),
    "stages": ("MATCH (n) ", "WITH n, n.a AS a{0}", " ", " RETURN n.a AS c"),
    "conditions": ("MATCH (n) WHERE ", "n.a <> {0}", " AND ", " RETURN n.a AS c"),
    "columns": ("MATCH (n) RETURN ", "n.a AS c{0}", ", ", ""),
    "grouped": ("MATCH (n) RETURN count(*) AS c, ", "n.a{0} AS c{0}", ", ", ""),
}


def _seconds(name: str, number: int, dialect: str, limit: float = inf) -> float:
    before, part, between, after = QUERIES[name]
    parts = between.join(part.format(n, n + 1) for n in range(number))
    return processor_seconds(lambda: render(parse(f"{before}{parts}{after}"), dialect), limit)


@pytest.mark.parametrize("dialect", ["cypher", "gql", "cypher-grafeo", "gql-grafeo"])
@pytest.mark.parametrize("name", list(QUERIES))
def test_ten_times_the_parts_take_some_ten_times_as_long(name: str, dialect: str) -> None:
    _seconds(name, 3, dialect)
    few = max(_seconds(name, FEW, dialect), 0.05)  # below, what is fixed counts more
    assert _seconds(name, MANY, dialect, 40 * few) < 40 * few  # a square would be 100


def test_stars_stand_for_so_many_columns() -> None:
    stages = " ".join(f"WITH *, {n} AS a{n}" for n in range(MANY))
    with pytest.raises(QueryTextError, match="more than 20,000 columns") as caught:
        parse(f"MATCH (n) {stages} RETURN n.a AS c")
    assert caught.value.code == "too-many-columns"


CHAINS = {
    "sum": "MATCH (n) RETURN " + " + ".join(["n.a"] * CHAINED) + " AS c",
    "joined": "MATCH (n) RETURN " + " || ".join(["n.a"] * CHAINED) + " AS c",
    "lists": "RETURN " + " || ".join(f"[{n}]" for n in range(CHAINED)) + " AS c",
    "differences": "MATCH (n) RETURN " + " - ".join(["n.a"] * CHAINED) + " AS c",
    "union": " UNION ".join(f"MATCH (n) RETURN n.a{n} AS c" for n in range(CHAINED)),
    "union all": " UNION ALL ".join(["MATCH (n) RETURN n.a AS c"] * CHAINED),
    "or": "MATCH (n) WHERE " + " OR ".join(f"n.a = {n}" for n in range(CHAINED)) + " RETURN n.a",
}


@pytest.mark.parametrize("read", [parse, gql.parse])
@pytest.mark.parametrize("name", list(CHAINS))
def test_what_stands_side_by_side_is_not_nested(
    name: str, read: Callable[[str], ir.Statement]
) -> None:
    statement = read(CHAINS[name])
    assert parse(render(statement, "cypher").text) == statement  # whatever it joins, in its order
    assert hash(from_json(to_json(statement))) == hash(statement)
    assert fingerprint(bind(statement).statement)
    if name in ("union", "or"):
        assert read(render(statement, "gql").text)


def test_chains_end_somewhere() -> None:
    for between, part in ((" UNION ", "RETURN 1 AS c"), (" + ", "1")):
        text = f"RETURN {between.join(['1 AS c' if 'UNION' in between else part, *[part] * MANY])}"
        with pytest.raises(QueryTextError) as caught:
            parse(text)
        assert caught.value.code == "nesting-too-deep"


def test_chains_nest_within_each_other() -> None:
    inner = "1"
    for _ in range(2):
        inner = f"abs({inner}{' + 1' * 130})"
    assert parse(f"RETURN {inner} AS c")
    with pytest.raises(QueryTextError) as caught:
        parse("RETURN " + "CASE WHEN true THEN 1 + " * 60 + "1" + " END" * 60)
    assert caught.value.code == "nesting-too-deep"


def test_lists_are_written_once() -> None:
    lists = "RETURN " + " + ".join(f"[{n}]" for n in range(100)) + " AS c"
    assert render(parse(lists), "gql-grafeo").text.count("[57]") == 1


def test_operands_that_are_written_twice_end_somewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("translators.base.MOST_CHARACTERS", 50_000)
    schema = read_schema("N(a: INTEGER)")
    text = "MATCH (n:N) RETURN " + " / ".join(["n.a"] * CHAINED) + " AS c"
    with pytest.raises(Refused) as caught:
        render(parse(text), "gql", schema)
    assert caught.value.code == "text-too-long"
