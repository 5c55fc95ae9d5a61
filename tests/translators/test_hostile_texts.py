"""What no query has, in every language that is read: an error or a refusal in a sentence."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from graphmill import convert
from graphmill.errors import QueryError, QueryTextError, Refused
from pipelines.checking import opened
from schemagraph.folder.serde import load_schema
from translators.language import Origin, reader
from translators.service import Translator

DEEP = 10_000
DIGITS = "9" * 5_000
VALUES = {
    "a list": "[" * DEEP + "]" * DEEP,
    "a map": "{a:" * DEEP + "1" + "}" * DEEP,
    "parentheses": "(" * DEEP + "1" + ")" * DEEP,
    "signs": "- " * DEEP + "1",
    "calls": "abs(" * DEEP + "1" + ")" * DEEP,
    "an integer": DIGITS,
    "a negative integer": f"-{DIGITS}",
    "a float": f"{DIGITS}.5",
    "a fraction": f"0.{DIGITS}",
    "an exponent": f"1e{DIGITS}",
    "a small exponent": f"1e-{DIGITS}",
    "hexadecimal digits": "0x" + "f" * 5_000,
    "a duration": f"duration('P{DIGITS}D')",
    "a date": f"date('{DIGITS}-01-01')",
    "a map of digits": f"duration({{days: {DIGITS}}})",
}
FRAMES = {
    "cypher": "RETURN {} AS x",
    "gql": "RETURN {} AS x",
    "spanner": "GRAPH g RETURN {} AS x",
    "sql": "SELECT {} AS x",
    "gremlin": "g.inject({})",
}
LONGEST = 1_000  # characters of a message


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    with sqlite3.connect(folder / "a.sqlite") as db:
        db.execute("CREATE TABLE things (id INTEGER PRIMARY KEY)")
    db.close()
    convert(folder / "a.sqlite", folder / "a")
    return folder / "a"


def _message(result: dict[str, Any]) -> str:
    """What a result says; the text where there is one."""
    if result["ok"]:
        return ""
    about = result.get("refused") or result["error"]
    return str(about.get("reason") or about["message"])


@pytest.mark.parametrize("origin", FRAMES)
@pytest.mark.parametrize("to", ["cypher", "ngql", "sql"])
def test_values_that_no_query_has(origin: str, to: str, graph: Path) -> None:
    translator = Translator(origin=origin, to=to, graph=graph)
    for name, value in VALUES.items():
        said = _message(translator.result(FRAMES[origin].format(value)))
        assert len(said) < LONGEST, (name, said)


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("g.inject(" + "[" * DEEP + "]" * DEEP + ")", "nesting", 110),
        ("g.inject(" + "{" * DEEP + "}" * DEEP + ")", "nesting", 110),
        (f"g.inject({DIGITS})", "integer-overflow", 10),
        (f"g.V().limit({DIGITS})", "integer-overflow", 13),
    ],
)
def test_gremlin_says_where(text: str, code: str, column: int) -> None:
    error = Translator(origin="gremlin", to="cypher", graph=None).result(text)["error"]
    assert (error["code"], error["line"], error["column"]) == (code, 1, column)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('g.inject(1).math("1' + "+1" * 3000 + '")', "nesting"),
        ("g.inject(1)" + '.math("_+1")' * 3000, "nesting"),
        ("g.inject(1)" + ".map(inject(2))" * 5000, "unsupported-expression"),
    ],
)
def test_long_chains_of_gremlin_are_refused_where_they_are_read(
    text: str, code: str, graph: Path
) -> None:
    result = Translator(origin="gremlin", to="cypher", graph=graph).result(text)
    assert result["refused"]["code"] == code
    read = reader("gremlin", Origin(graph, load_schema(graph)))
    with pytest.raises(Refused) as caught:
        read(text)
    assert caught.value.code == code


def test_lists_of_gremlin_beside_each_other_are_not_deep() -> None:
    text = f"g.inject({', '.join(['[1, [:]]'] * 200)})"
    error = Translator(origin="gremlin", to="cypher", graph=None).result(text)
    assert "nested too deeply" not in _message(error)


def test_a_formula_that_python_cannot_parse_is_refused() -> None:
    text = f"g.V().values('age').math('{'-' * DEEP}_')"
    assert _message(Translator(origin="gremlin", to="cypher", graph=None).result(text))


def test_sql_says_where_too_many_digits_are(graph: Path) -> None:
    translator = Translator(origin="sql", to="cypher", graph=graph)
    error = translator.result(f"SELECT 1,\n  0x{'f' * 5_000}")["error"]
    assert (error["code"], error["line"], error["column"]) == ("integer-overflow", 2, 5)


@pytest.mark.parametrize("language", ["cypher", "gql", "ngql"])
def test_what_a_check_says_of_them_is_short(language: str, graph: Path) -> None:
    with opened(language, graph) as check:
        for name, value in VALUES.items():
            for diagnostic in check(f"RETURN {value} AS x"):
                assert len(diagnostic.message) < LONGEST, (name, diagnostic.message)


@pytest.mark.parametrize("language", ["cypher", "gql", "gremlin"])
def test_long_names_are_cut_in_findings(language: str, graph: Path) -> None:
    name = "x" * 100_000
    text = (
        f'g.V().hasLabel("{name}")' if language == "gremlin" else f"MATCH (n:`{name}`) RETURN n.a"
    )
    with opened(language, graph) as check:
        finding = check(text)[0]
    said = finding.as_json()["message"]
    assert len(said) < 1_500
    assert "more characters" in said


def test_long_texts_are_cut_in_errors_of_engines() -> None:
    query = "\n".join(["RETURN " + "1 + " * 4000 + "1 AS x"] * 20)
    said = str(QueryError(f"syntax error\n{query}"))
    assert said.startswith("syntax error\nRETURN 1 + 1")
    assert len(said) < 4_100
    assert str(QueryError(said)) == said
    assert len(QueryTextError(query).as_json()["message"]) < 4_100
