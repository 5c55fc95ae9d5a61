"""`graphmill run` gives an engine its own dialect of a text, and tells where it cannot."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import graphmill as gm
from engines import ENGINES, SOURCE_ENGINES
from engines.base import Engine
from pipelines.cli.commands import main
from pipelines.engine_texts import EngineText, EngineTexts
from pipelines.execution import Runner
from qa.fuzz.graphs import read_graph
from translators.base import Dialect
from translators.language import DIALECTS, Origin, readable, reader
from translators.render import render

GRAPH = """
P(id!: INTEGER, age: INTEGER?, no: INTEGER)
Case(id!: INTEGER)
P-[HAS(cost: INTEGER?)]->Case

P [1, 30, 1]
P [2, 20, 2]
P [3, null, 3]
Case [1]
Case [2]
P-HAS-Case [1, 1, 5]
P-HAS-Case [2, 2, null]
"""
TEXTS = {
    "cypher": "MATCH (p:P) RETURN p.id AS id, sum(p.age) AS s ORDER BY s, id LIMIT 2",
    "gql": "MATCH (p:P) RETURN p.id AS id, p.age AS a ORDER BY -id, p.no LIMIT 2",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return read_graph(GRAPH).write(tmp_path_factory.mktemp("own") / "graph")


@pytest.fixture(scope="module")
def runners(folder: Path) -> Iterator[dict[str, Runner]]:
    with ExitStack() as stack:
        yield {
            language: stack.enter_context(Runner(graph=folder, language=language, timeout=60))
            for language in ("cypher", "gql")
        }


def test_a_sum_of_nulls_is_0_and_no_null(runners: dict[str, Runner]) -> None:
    text = (
        "MATCH (c:`Case`)<-[h:HAS]-(p:P) WITH c, sum(h.cost) AS s RETURN c.id AS id, s ORDER BY s"
    )
    result = runners["cypher"].result(text)
    assert result["rows"] == [[2, 0], [1, 5]]
    assert result["text"] != text
    assert "coalesce(sum(h.cost), 0)" in result["text"]
    assert "unsound" not in result


@pytest.mark.parametrize("language", ["cypher", "gql"])
def test_a_sort_key_that_the_engine_loses_sorts(runners: dict[str, Runner], language: str) -> None:
    result = runners[language].result(
        "MATCH (p:P) RETURN p.id AS id, p.age AS a ORDER BY -id, p.no"
    )
    assert result["rows"] == [[3, None], [2, 20], [1, 30]]
    assert list(result) == ["ok", "columns", "rows", "ms", "text"]


def test_a_label_that_is_a_word_of_the_engine_is_read(runners: dict[str, Runner]) -> None:
    assert runners["cypher"].result("MATCH (c:Case) RETURN count(c) AS n")["rows"] == [[2]]


@pytest.mark.parametrize("language", ["cypher", "gql"])
def test_columns_are_called_as_in_the_given_text(runners: dict[str, Runner], language: str) -> None:
    result = runners[language].result("MATCH (p:P) RETURN count( * ), min(p.id  +  1)")
    assert result["columns"] == ["count( * )", "min(p.id  +  1)"]
    assert result["rows"] == [[3, 2]]


def test_a_text_that_is_its_own_rendering_is_not_told_again(runners: dict[str, Runner]) -> None:
    assert "text" not in runners["cypher"].result("MATCH (p:P)\nRETURN p.id AS id")


def test_values_of_parameters_are_in_the_text_that_ran(runners: dict[str, Runner]) -> None:
    result = runners["cypher"].result("MATCH (p:P) WHERE p.id = $id RETURN p.no AS no", {"id": 2})
    assert result["rows"] == [[2]]
    assert "p.id = 2" in result["text"]


@pytest.mark.parametrize(
    ("language", "text", "codes"),
    [
        ("cypher", "MATCH (p:P) RETURN p.id LIMIT 3 SKIP 1", ["unread"]),
        ("gql", "UNWIND [1, 2] AS x RETURN x", ["unread"]),
        ("cypher", "RETURN toInteger('9223372036854775808') AS x", ["engine-limit"]),
        ("cypher", "RETURN date('x') AS d", ["temporal-text", "temporal-text"]),
        ("cypher", "RETURN 1 AS x, abs('1') AS y", ["argument-type", "invalid"]),
    ],
)
def test_what_has_no_rendering_is_run_as_it_is_and_told(
    runners: dict[str, Runner], language: str, text: str, codes: list[str]
) -> None:
    result = runners[language].result(text)
    assert result["ok"]
    assert "text" not in result
    assert [fault["code"] for fault in result["unsound"]] == codes
    assert runners[language].unsound(text) == result["unsound"]


def test_errors_keep_their_place_in_the_given_text(runners: dict[str, Runner]) -> None:
    result = runners["cypher"].result("MATCH (p:P)\n\n\n RETURN (p.id AS id")
    assert result["error"]["kind"] == "syntax"
    assert "query:4:" in result["error"]["message"]


def _given(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Let every text be rendered as `text`."""
    own = EngineText(text, columns=("x",), faults=({"code": "known", "message": ""},))
    monkeypatch.setattr(EngineTexts, "ready", lambda _self, _text: own)


def test_a_rendering_that_fails_gives_way_to_the_text(
    runners: dict[str, Runner], monkeypatch: pytest.MonkeyPatch
) -> None:
    _given(monkeypatch, "RETURN 1 / 0 AS x")
    result = runners["cypher"].result("RETURN 1 AS y")
    assert (result["columns"], result["rows"]) == (["y"], [[1]])
    assert [fault["code"] for fault in result["unsound"]] == ["rejected", "known"]
    assert "division by zero" in result["unsound"][0]["message"]
    assert "text" not in result


def test_no_error_tells_a_place_in_a_rendering(
    runners: dict[str, Runner], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = "RETURN\n1 AS 1"
    _given(monkeypatch, "\n\n\n\nRETURN 1 AS 1")
    assert "query:2:" in runners["cypher"].result(wrong)["error"]["message"]
    _given(monkeypatch, "RETURN 1 / 0 AS x")
    assert "division by zero: 1 / 0" in runners["cypher"].result(wrong)["error"]["message"]
    fails = "RETURN 2 / 0 AS x"
    assert "division by zero: 2 / 0" in runners["cypher"].result(fails)["error"]["message"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("MATCH (p:P) RETURN duration.between(date(), date()) AS d", "(engine-limit)"),
        ("MATCH (p:P) RETURN date.truncate('month', date()) AS d", "cypher-grafeo"),
        (
            "MATCH (p:P) RETURN COLLECT { MATCH (p)-->(c) RETURN c.id ORDER BY c.id } AS l",
            "COLLECT",
        ),
        ("MATCH (p:P) RETURN EXISTS { RETURN 1 AS x UNION RETURN 2 AS x } AS e", "EXISTS"),
        ("RETURN 'ab' =~ 'a(?=b).*' AS m", "looking around"),
        ("UNWIND [1, 'a'] AS x RETURN toBooleanOrNull(x) AS b", "no such function"),
    ],
)
def test_a_right_text_that_the_engine_does_not_read_is_not_called_wrong(
    runners: dict[str, Runner], text: str, reason: str
) -> None:
    error = runners["cypher"].result(text)["error"]
    assert error["kind"] == "engine"
    assert reason in error["message"]


def test_an_error_on_purpose_says_so(runners: dict[str, Runner]) -> None:
    (fault,) = runners["cypher"].result("RETURN split('\U0001d518x', '') AS b")["unsound"]
    assert fault["code"] == "rejected"
    assert "on purpose" in fault["message"]


def test_a_fault_of_graphmill_keeps_no_text_from_running(
    runners: dict[str, Runner], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_self: Dialect, _query: object) -> None:
        raise ZeroDivisionError("by 0")

    monkeypatch.setattr(DIALECTS.get("cypher-grafeo"), "generate", broken)
    result = runners["cypher"].result("MATCH (p:P) RETURN count(p) AS n")
    assert result["rows"] == [[3]]
    (fault,) = result["unsound"]
    assert fault["code"] == "fault"
    assert "ZeroDivisionError: by 0" in fault["message"]


def test_a_text_that_is_nested_too_deeply_is_unread(
    runners: dict[str, Runner], monkeypatch: pytest.MonkeyPatch
) -> None:
    def deep(_self: Dialect, _query: object) -> None:
        raise RecursionError("maximum recursion depth exceeded")

    monkeypatch.setattr(DIALECTS.get("cypher-grafeo"), "generate", deep)
    (fault,) = runners["cypher"].result("MATCH (p:P) RETURN count(p) AS n")["unsound"]
    assert fault["code"] == "unread"
    assert fault["message"].endswith("it is nested too deeply.")


def _with_own_dialect() -> list[tuple[type[Engine], str]]:
    kinds = [ENGINES.get(name) for name in ENGINES.names()]
    return [
        (kind, language)
        for kind in kinds
        for language in kind.languages
        if kind.profiles[language] != language and kind.profiles[language] in DIALECTS.names()
        if language in readable()
    ]


@pytest.mark.parametrize(
    ("kind", "language"),
    [pytest.param(kind, own, id=f"{kind.name}-{own}") for kind, own in _with_own_dialect()],
)
def test_every_engine_with_a_dialect_gets_it(
    folder: Path, kind: type[Engine], language: str
) -> None:
    schema = gm.Graph(folder).schema
    text = TEXTS[language]
    read = reader(language, Origin(folder, schema))
    expected = render(read(text), kind.profiles[language], schema).text
    own = EngineTexts(kind, language, folder).ready(text)
    assert (own.text, own.unsound) == (expected, ())
    assert own.text != text
    assert EngineTexts(kind, language, folder, as_is=True).ready(text).text == text


def test_there_are_such_engines() -> None:
    names = {kind.name for kind, _ in _with_own_dialect()}
    assert names >= {"grafeo", "neo4j", "memgraph", "tugraph", "ladybug"}


def test_a_language_without_a_reader_is_run_as_it_is_and_told(folder: Path) -> None:
    own = EngineTexts(ENGINES.get("grafeo"), "pgq", folder).ready("SELECT 1")
    assert own.text == "SELECT 1"
    assert [fault["code"] for fault in own.unsound] == ["unread"]


@pytest.mark.parametrize("name", SOURCE_ENGINES.names())
def test_sources_get_their_own_sql(name: str) -> None:
    text = "SELECT 1 FROM  t"
    assert EngineTexts(SOURCE_ENGINES.get(name), "sql", None).ready(text) == EngineText(text)


def test_programs_are_told_as_well(folder: Path) -> None:
    result = gm.run(TEXTS["cypher"], graph=folder)
    assert result.rows == ((3, 0), (2, 20))
    assert "coalesce" in result.text
    assert result.unsound == ()
    as_is = gm.run(TEXTS["cypher"], graph=folder, as_is=True)
    assert as_is.rows == ((2, 20), (1, 30))
    assert (as_is.text, as_is.unsound[0]["code"]) == ("", "sum-of-nothing")


@pytest.mark.parametrize(("more", "first"), [([], [3, 0]), (["--as-is"], [2, 20])])
def test_the_command_has_both_ways(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    more: list[str],
    first: list[int],
) -> None:
    line = json.dumps({"query": TEXTS["cypher"]}).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(line)))
    assert main(["run", "--graph", str(folder), *more]) == 0
    result = json.loads(capsys.readouterr().out)["result"]
    assert result["rows"][0] == first
    assert ("text" in result, "unsound" in result) == (not more, bool(more))
