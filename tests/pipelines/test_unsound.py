"""What `graphmill run --as-is` tells beside the answer to a text that the engine gets wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipelines.execution import Runner
from qa.fuzz.graphs import read_graph

GRAPH = "P(id!: INTEGER, age: INTEGER?, no: INTEGER)\n\nP [1, 30, 1]\nP [2, 20, 2]\nP [3, null, 3]"


@pytest.fixture(scope="module", params=["cypher", "gql"])
def runner(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Runner]:
    folder = read_graph(GRAPH).write(tmp_path_factory.mktemp("own") / "graph")
    options: dict[str, Any] = {"language": request.param, "engine": "grafeo", "timeout": 60}
    with Runner(graph=folder, as_is=True, **options) as opened:
        yield opened


def test_a_lost_sort_key_is_told_beside_the_rows(runner: Runner) -> None:
    result = runner.result("MATCH (p:P) RETURN p.id AS id, p.age AS a ORDER BY -id, p.no")
    assert result["rows"] != [[3, None], [2, 20], [1, 30]]
    (fault,) = result["unsound"]
    assert fault["code"] == "sort-by-alias"
    assert fault["message"].startswith("grafeo answers this wrongly: a sort key")
    assert "text" not in result


def test_a_parameter_takes_part(runner: Runner) -> None:
    text = "MATCH (p:P) WHERE $list < p.id RETURN p.id AS id"
    assert runner.result(text, {"list": [1]})["unsound"][0]["code"] == "order-of-values"
    assert "unsound" not in runner.result(text, {"list": 1})


def test_what_is_right_has_no_such_key(runner: Runner) -> None:
    result = runner.result("MATCH (p:P) RETURN coalesce(sum(p.age), 0) AS s")
    assert result["rows"] == [[50]]
    assert "unsound" not in result


def test_a_text_that_graphmill_cannot_read_says_so(runner: Runner) -> None:
    own = {"cypher": "MATCH (p:P) RETURN p.id LIMIT 3 SKIP 1", "gql": "UNWIND [1, 2] AS x RETURN x"}
    result = runner.result(own[runner.language])
    assert result["ok"]
    assert [fault["code"] for fault in result["unsound"]] == ["unread"]


def test_an_engine_without_declared_faults_is_not_asked(tmp_path: Path) -> None:
    folder = read_graph(GRAPH).write(tmp_path / "graph")
    with Runner(graph=folder, language="sql", timeout=60) as opened:
        assert "unsound" not in opened.result("SELECT id FROM P AS p ORDER BY -id, age")
