"""Queries of 3,000 parts are checked and translated in time that grows with their number."""

from __future__ import annotations

import gc
import time

import pytest

from graph_ir.cypher.reader import parse
from graphmill.errors import QueryTextError
from translators.render import render

MANY = 3_000
FEW = 300
QUERIES = {
    "unconnected": ("MATCH ", "(n{0})", ", ", " RETURN count(*) AS c"),
    "connected": ("MATCH ", "(n{0})-[:T]->(n{1})", ", ", " RETURN count(*) AS c"),
    "stages": ("MATCH (n) ", "WITH n, n.a AS a{0}", " ", " RETURN n.a AS c"),
    "conditions": ("MATCH (n) WHERE ", "n.a <> {0}", " AND ", " RETURN n.a AS c"),
    "columns": ("MATCH (n) RETURN ", "n.a AS c{0}", ", ", ""),
    "grouped": ("MATCH (n) RETURN count(*) AS c, ", "n.a{0} AS c{0}", ", ", ""),
}


def _seconds(name: str, number: int, dialect: str) -> float:
    before, part, between, after = QUERIES[name]
    parts = between.join(part.format(n, n + 1) for n in range(number))
    gc.collect()
    gc.disable()  # what other tests have left in memory is not looked through within the time
    try:
        began = time.process_time()
        render(parse(f"{before}{parts}{after}"), dialect)
        return time.process_time() - began
    finally:
        gc.enable()


@pytest.mark.parametrize("dialect", ["cypher", "gql", "cypher-grafeo", "gql-grafeo"])
@pytest.mark.parametrize("name", list(QUERIES))
def test_ten_times_the_parts_take_some_ten_times_as_long(name: str, dialect: str) -> None:
    _seconds(name, 3, dialect)
    few = max(_seconds(name, FEW, dialect), 0.05)  # below, what is fixed counts more
    # Of three, as a processor that others use is slower for a while; a square would be 100.
    assert any(_seconds(name, MANY, dialect) < 40 * few for _ in range(3))


def test_stars_stand_for_so_many_columns() -> None:
    stages = " ".join(f"WITH *, {n} AS a{n}" for n in range(MANY))
    with pytest.raises(QueryTextError, match="more than 20,000 columns") as caught:
        parse(f"MATCH (n) {stages} RETURN n.a AS c")
    assert caught.value.code == "too-many-columns"


def test_unions_are_nested_so_deeply() -> None:
    text = " UNION ".join(["MATCH (n) RETURN n.a AS c"] * MANY)
    with pytest.raises(QueryTextError) as caught:
        parse(text)
    assert caught.value.code == "nesting-too-deep"
