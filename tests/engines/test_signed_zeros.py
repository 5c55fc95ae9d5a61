"""-0.0 is before 0.0 in an order, as in Neo4j; DuckDB and grafeo take them for one number."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from engines.isolation import IsolatedEngine
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryUnsound
from qa.fuzz.graphs import read_graph
from translators.render import render

pytestmark = pytest.mark.slow

GRAPH = read_graph(
    "A(id!: INTEGER, f: FLOAT?, g: INTEGER)\nA-[R(w: FLOAT?)]->A\n\n"
    "A [1, -0.0, 0]\nA [2, 0.0, 0]\nA [3, 1.5, 1]\nA [4, null, 1]\nA [5, 0.0, 2]\n"
    "A-R-A [1, 2, 0.0]\nA-R-A [2, 1, -0.0]\nA-R-A [3, 1, 2.5]"
)
ANSWERS = {
    "MATCH (a:A) WHERE a.f = 0 RETURN a.id AS i ORDER BY a.f LIMIT 1": [[1]],
    "MATCH (a:A) WHERE a.id < 3 RETURN a.id AS i ORDER BY a.f DESC": [[2], [1]],
    "MATCH (a:A) WHERE a.id < 3 RETURN a.id AS i ORDER BY a.f DESC SKIP 1": [[1]],
    "MATCH (a:A) WHERE a.id < 3 RETURN a.f AS f, a.id AS i ORDER BY f DESC LIMIT 1": [[0.0, 2]],
    "MATCH (a:A) WHERE a.id < 3 WITH a ORDER BY a.f DESC LIMIT 1 RETURN a.id AS i": [[2]],
    "MATCH (a:A) WHERE a.id < 3 WITH a ORDER BY a.f DESC RETURN collect(a.id) AS i": [[[2, 1]]],
    "MATCH (a:A)-[r:R]->() RETURN a.id AS i ORDER BY r.w LIMIT 1": [[2]],
    "MATCH (a:A) WHERE a.id < 3 RETURN a.id AS i ORDER BY a.f / 2 DESC LIMIT 1": [[2]],
    "MATCH (a:A) WHERE a.id < 3 RETURN a.id AS i ORDER BY a.f * -1 DESC LIMIT 1": [[1]],
    "MATCH (a:A) WHERE a.id < 3 RETURN a.id AS i ORDER BY coalesce(a.f, 1.0) DESC LIMIT 1": [[2]],
    "MATCH (a:A) WHERE a.id < 3 RETURN a.id AS i ORDER BY coalesce(a.f, 0) DESC LIMIT 1": [[2]],
    "MATCH (a:A) WHERE a.id < 3 RETURN a.id AS i ORDER BY -a.f, i DESC LIMIT 1": [[2]],
    "MATCH (a:A) RETURN a.id AS i, a.f AS f, count(*) AS n ORDER BY f, i LIMIT 2": [
        [1, -0.0, 1],
        [2, 0.0, 1],
    ],
    "MATCH (a:A) RETURN DISTINCT a.f AS f, a.id AS i ORDER BY f, i DESC LIMIT 2": [
        [-0.0, 1],
        [0.0, 5],
    ],
    "MATCH (a:A) WHERE a.f <= 0 RETURN 1 / min(a.f) < 0 AS a, 1 / max(a.f) < 0 AS b": [
        [True, False]
    ],
    "MATCH (a:A) WHERE a.f = 0 WITH min(a.f) AS l, max(a.f) AS m RETURN l < 0.0 AS a, m < 0 AS b": [
        [True, False]
    ],
    "MATCH (a:A) WHERE a.f = 0 RETURN 1 / percentileDisc(a.f, 0.0) < 0 AS a": [[True]],
    "MATCH (a:A) RETURN a.g AS g, max(a.f) > 1 AS m ORDER BY g": [
        [0, False],
        [1, True],
        [2, False],
    ],
}
LISTS = {
    "MATCH (a:A) WHERE a.id < 3 RETURN a.id AS i ORDER BY [a.f] DESC, i LIMIT 1": [[2]],
    "MATCH (a:A) WHERE a.id < 3 WITH [a.f, 1.0] AS l, a.id AS i RETURN i ORDER BY l DESC LIMIT 1": [
        [2]
    ],
    "MATCH (a:A) WHERE a.id < 3 RETURN a.id AS i ORDER BY {f: a.f} DESC LIMIT 1": [[2]],
}
DIALECTS = {
    "sql": ("duckdb", "sql"),
    "cypher-grafeo": ("grafeo", "cypher"),
    "gql-grafeo": ("grafeo", "gql"),
}


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, IsolatedEngine]]:
    """Both engines over the graph."""
    folder = GRAPH.write(tmp_path_factory.mktemp("zeros") / "graph")
    with IsolatedEngine("duckdb", folder) as duckdb, IsolatedEngine("grafeo", folder) as grafeo:
        yield {"duckdb": duckdb, "grafeo": grafeo}


def _rows(engines: dict[str, IsolatedEngine], dialect: str, text: str) -> str:
    engine, language = DIALECTS[dialect]
    rendered = render(parse(text), dialect, GRAPH.schema).text
    rows = engines[engine].run(rendered, language=language, timeout=60).rows
    return json.dumps([list(row) for row in rows])


def _is_declared(dialect: str, text: str) -> bool:
    """Whether `sql` sorts by stored floats last and has no sign of them, which the graph's both
    zeros would need."""
    rendered = render(parse(text), dialect, GRAPH.schema).text
    by_floats = re.search(r"ORDER BY (?:f|a\.f|r\.w|coalesce|-a\.f)(?!\w)", text) is not None
    return dialect == "sql" and by_floats and "signbit" not in rendered


def _check(engines: dict[str, IsolatedEngine], dialect: str, text: str, rows: object) -> None:
    if _is_declared(dialect, text):
        with pytest.raises(QueryUnsound, match="where rows are sorted"):
            _rows(engines, dialect, text)
    else:
        assert _rows(engines, dialect, text) == json.dumps(rows)


def test_a_sign_is_written_where_it_is_not_stored() -> None:
    declared = [text for text in (*ANSWERS, *LISTS) if _is_declared("sql", text)]
    assert declared
    assert not any(" * -1" in text or "ORDER BY f, i" in text for text in declared)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("text", ANSWERS)
def test_minus_zero_is_before_zero(
    engines: dict[str, IsolatedEngine], dialect: str, text: str
) -> None:
    _check(engines, dialect, text, ANSWERS[text])


@pytest.mark.parametrize("dialect", ["sql", "cypher-grafeo"])
@pytest.mark.parametrize("text", LISTS)
def test_it_is_so_in_lists(engines: dict[str, IsolatedEngine], dialect: str, text: str) -> None:
    _check(engines, dialect, text, LISTS[text])


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_order_by_either_zero_is_refused(
    engines: dict[str, IsolatedEngine], dialect: str
) -> None:
    """Of stored zeros either is the least or greatest, which is declared where it is sorted by."""
    text = "MATCH (a:A) WITH a.g AS g, max(a.f) AS m RETURN g ORDER BY m, g"
    made = "MATCH (a:A) RETURN a.g AS g, max(a.f) * 2 AS m ORDER BY m DESC, g"
    for each in (text, made):
        with pytest.raises(QueryUnsound, match="least or greatest"):
            _rows(engines, dialect, each)
    between = "MATCH (a:A) WITH a.g AS g, max(a.f) - min(a.f) AS d RETURN g ORDER BY d, g"
    assert _rows(engines, dialect, between) == "[[0], [1], [2]]"
    edges = "MATCH (a:A)-[r:R]->() WITH a.g AS g, sum(r.w) AS m RETURN g ORDER BY m, g"
    assert _rows(engines, dialect, edges) == "[[0], [1]]"


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a:A) UNWIND [a.f, 1.0] AS x RETURN x, a.id AS i ORDER BY x, i",
        "MATCH (a:A) CALL (a) { RETURN a.f AS z ORDER BY z } RETURN a.id AS i ORDER BY z DESC",
    ],
)
def test_what_duckdb_makes_once_for_both_zeros_is_refused(
    engines: dict[str, IsolatedEngine], text: str
) -> None:
    with pytest.raises(QueryUnsound, match=r"for each of them|where rows are sorted"):
        _rows(engines, "sql", text)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_extremes_of_computed_floats_are_sorted(
    engines: dict[str, IsolatedEngine], dialect: str
) -> None:
    made = "UNWIND [1, 2] AS h MATCH (a:A) WHERE a.id < 3 AND (h = 1 OR a.id = 2)"
    text = f"{made} WITH h, max((1.5 - a.id) * 0.0) AS m RETURN h ORDER BY m DESC, h DESC"
    assert _rows(engines, dialect, text) == "[[1], [2]]"


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("RETURN a.id AS i ORDER BY a.f", ""),
        ("RETURN a.id AS i ORDER BY a.f, i", "signbit(a.f) DESC"),
        ("RETURN a.id AS i ORDER BY a.f * -1", "signbit"),
        ("RETURN a.g AS g, avg(a.f) AS m ORDER BY m", ""),
        ("WITH a.g AS g, sum(a.f) AS m RETURN g ORDER BY m", ""),
        ("RETURN a.f AS f, count(*) AS n ORDER BY f", ""),
        ("RETURN a.g AS g, max(a.f) AS m ORDER BY m DESC", ""),
        ("RETURN a.g AS g, max(a.f) AS m ORDER BY m DESC, g", "bool_and(signbit(a.f))"),
        ("RETURN a.id AS i ORDER BY round(a.f)", ""),
        ("RETURN min(a.f) AS m", ""),
    ],
)
def test_signs_are_told_where_they_may_show(text: str, sign: str) -> None:
    """Means, sums and what is rounded are never -0.0, nor are there two zeros of one group."""
    rendered = render(parse(f"MATCH (a:A) {text}"), "sql", GRAPH.schema).text
    assert ("signbit" in rendered) is bool(sign)
    assert sign in rendered
