"""Rewrites that several layers need."""

from __future__ import annotations

import pytest

from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parsed
from graph_ir.rewrites import break_ties, probe, without_repeats
from qa.fuzz.graphs import read_graph
from translators.render import render


@pytest.mark.parametrize(
    ("query", "asked", "places"),
    [
        # The sort key is a column: the probe is the query itself.
        ("RETURN n.a AS a ORDER BY a", "RETURN n.a AS a ORDER BY a", (0, 0)),
        ("RETURN n.a AS a ORDER BY n.a DESC", "RETURN n.a AS a ORDER BY n.a DESC", (0, 0)),
        (
            "RETURN n.a AS a, count(*) AS c ORDER BY c DESC, a LIMIT 2",
            "RETURN n.a AS a, count(*) AS c ORDER BY c DESC, a",
            (0, 1, 1, 0),
        ),
        # It is none, and stays a column of its own.
        (
            "RETURN n.a AS a ORDER BY n.b",
            "RETURN n.a AS a, n.b AS sort_key_1 ORDER BY n.b",
            (),
        ),
        # 1 and 1.0 are two values.
        ("RETURN 1 AS a, 1.0 AS b, 1 AS c", "RETURN 1 AS a, 1.0 AS b", (0, 1, 0)),
        # A repeated column that rows are sorted by is kept under its name.
        ("RETURN n.a AS a, n.a AS b ORDER BY b", "RETURN n.a AS a, n.a AS b ORDER BY b", (0, 1, 0)),
    ],
)
def test_columns_that_repeat_are_asked_for_once(
    query: str, asked: str, places: tuple[int, ...]
) -> None:
    whole = probe(parsed(f"MATCH (n:N) {query}"))
    assert whole is not None
    found, there = without_repeats(whole.statement)
    wanted = render(parsed(f"MATCH (n:N) {asked}"), "cypher").text
    assert (render(found, "cypher").text, there) == (wanted, places)


def test_broken_ties_are_broken_once() -> None:
    schema = read_graph("A(id!: INTEGER, i: INTEGER?)\nA-[R(w: INTEGER?)]->A").schema
    query = (
        "MATCH (a:A)-[r:R]->() WITH a, r, a.i AS i ORDER BY i LIMIT 1 RETURN a.id AS id, r.w AS w"
    )
    once = break_ties(bind(parsed(query), schema).statement, schema)
    assert isinstance(once, ir.Query)
    sorting = once.clauses[1]
    assert isinstance(sorting, ir.Project)
    assert len(sorting.order) > 1
    again = bind(once, schema).statement
    assert break_ties(again, schema) == again
