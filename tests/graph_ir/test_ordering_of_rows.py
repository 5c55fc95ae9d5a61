"""Where the order of a WITH is said again: what goes in and comes out, as Cypher."""

from __future__ import annotations

import pytest

from graph_ir.cypher.reader import parse
from graph_ir.ordering import order_at_end
from graphmill.errors import Refused
from translators.render import render

PAIRS = [
    (
        "MATCH (n) WITH n ORDER BY n.x DESC RETURN n.y AS y",
        "MATCH (n) WITH n ORDER BY n.x DESC RETURN n.y AS y ORDER BY n.x DESC",
    ),
    (  # by the column that shows the key
        "MATCH (n) WITH n.x AS x ORDER BY x WITH x AS z LIMIT 2 RETURN z, z + 1 AS x",
        "MATCH (n) WITH n.x AS x ORDER BY x WITH x AS z ORDER BY z LIMIT 2 "
        "RETURN z, z + 1 AS x ORDER BY z",
    ),
    (  # a key that is gone is carried
        "MATCH (n) WITH n.y AS y ORDER BY n.x LIMIT 3 RETURN y",
        "MATCH (n) WITH n.y AS y, n.x AS key_1 ORDER BY n.x LIMIT 3 RETURN y ORDER BY key_1",
    ),
    (
        "MATCH (n) WITH n.y AS y, count(*) AS c ORDER BY count(*) RETURN y",
        "MATCH (n) WITH n.y AS y, count(*) AS c ORDER BY count(*) RETURN y ORDER BY c",
    ),
    (
        "MATCH (n) WITH n ORDER BY n.x MATCH (n)-->(m) RETURN DISTINCT n.x AS x",
        "MATCH (n) WITH n ORDER BY n.x MATCH (n)-->(m) RETURN DISTINCT n.x AS x ORDER BY x",
    ),
    # groups, and rows in another order, have lost it
    *[
        (same, same)
        for same in (
            "MATCH (n) WITH n ORDER BY n.x RETURN n.y AS y, count(*) AS c",
            "MATCH (n) WITH n ORDER BY n.x RETURN n.y AS y ORDER BY y",
            "MATCH (n) WITH n ORDER BY n.x WITH DISTINCT n.y AS y RETURN max(y) AS m",
        )
    ],
]


@pytest.mark.parametrize(("before", "after"), PAIRS)
def test_order_is_said_where_rows_come_out(before: str, after: str) -> None:
    shown = " ".join(render(order_at_end(parse(before)), "cypher").text.split())
    assert shown == after


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (n) WITH n ORDER BY n.x RETURN DISTINCT n.y AS y",
        "MATCH (n) WITH n, n.x AS x ORDER BY x + 1 RETURN n.y AS x",
    ],
)
def test_an_order_that_cannot_be_said_is_refused(query: str) -> None:
    with pytest.raises(Refused) as caught:
        order_at_end(parse(query))
    assert caught.value.code == "open-order"
