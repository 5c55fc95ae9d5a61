"""Values of a line's `parameters` in the text that `graphmill run` gives to an engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.values import as_json
from graphmill.errors import QueryTextError
from pipelines.execution import Runner
from pipelines.placeholders import filled
from qa.fuzz.graphs import read_graph
from translators.service import Translator


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("cypher", "MATCH (p:P) WHERE p.name = $name AND p.id IN $ids RETURN p.id - $`less` AS x"),
        ("gql", "MATCH (p:P) WHERE p.name = $name AND p.id IN $ids RETURN p.id - $less AS x"),
        ("sql", "SELECT id - $less AS x FROM P WHERE name = $name AND id IN $ids -- $name"),
    ],
)
def test_each_language_runs_with_parameters(tmp_path: Path, language: str, text: str) -> None:
    graph = read_graph('P(id!: INTEGER, name: STRING?)\n\nP [1, "it\'s \\\\ $ids"]\nP [2, "x"]')
    graph.write(tmp_path / "g")
    values = {"name": "it's \\ $ids", "ids": [1, 2], "less": -1, "unused": None}
    with Runner(
        engine=None,
        language=language,
        graph=tmp_path / "g",
        source=None,
        timeout=60,
        memory_mb=1024,
        neo4j_url=None,
    ) as runner:
        assert runner.result(text, values)["rows"] == [[2]]


def test_quotations_and_comments_are_left_alone() -> None:
    text = "RETURN '$a' AS `$a`, \"$a\" AS b, $a AS c, $b AS d // $a"
    assert filled(text, "cypher", {"a": 1}) == (
        "RETURN '$a' AS `$a`, \"$a\" AS b, 1 AS c, $b AS d // $a"
    )
    assert filled("SELECT '$a''$a', $a", "sql", {"a": {"k": ["it's", None]}}) == (
        "SELECT '$a''$a', {'k': ['it''s', NULL]}"
    )


def test_a_value_beyond_64_bits_is_an_error() -> None:
    with pytest.raises(QueryTextError):
        filled("SELECT $a", "sql", {"a": 2**63})


@pytest.mark.parametrize("language", ["cypher", "sql"])
def test_a_float_that_json_has_not_is_given_as_it_comes_back(tmp_path: Path, language: str) -> None:
    """It came back as a map with a text."""
    read_graph("P(id!: INTEGER)\n\nP [1]").write(tmp_path / "g")
    given = {"x": {"$float": "nan"}, "y": {"$float": "-inf"}, "z": {"$float": 1, "a": 2}}
    with Runner(
        engine=None,
        language=language,
        graph=tmp_path / "g",
        source=None,
        timeout=60,
        memory_mb=1024,
        neo4j_url=None,
    ) as runner:
        word = "SELECT" if language == "sql" else "RETURN"
        result = runner.result(f"{word} $x AS x, $y AS y, $z AS z", given)
    assert as_json(result["rows"]) == [[given["x"], given["y"], given["z"]]]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([1, None, "a"], "numbers beside texts"),
        ([[1], ["a"]], "numbers beside texts"),
        ([True, 1], "truth values beside numbers"),
        ([1, [2]], "numbers beside lists"),
        ([{"a": 1}, {"b": 2}], "maps with other keys"),
        ({"a": [1, "b"]}, "numbers beside texts"),
    ],
)
def test_lists_that_sql_has_not_are_refused_by_name(value: object, said: str) -> None:
    """DuckDB failed of a conversion, or changed the values."""
    with pytest.raises(QueryTextError, match=said) as caught:
        filled("SELECT $a", "sql", {"a": value})
    assert caught.value.code == "bad-parameter"


TAGS = [
    ({"$float": "zzz"}, r"parameter \$p: {\"\$float\": …} has one of \"nan\", \"inf\", \"-inf\""),
    ({"$float": "1"}, "write other floats as numbers"),
    ({"$float": {"a": 1}}, "has one of"),
    ({"$float": ["nan"]}, "has one of"),
    ([1, {"a": {"$float": None}}], r"parameter \$p at \[1\]\.a: "),
    ({"$date": "2024-01-31"}, r"no tag \"\$date\"\. .*{\"\$float\": …} .*{\"\$bytes\": …}"),
    ({"$": 1}, "no tag"),
    ({"$" + "x" * 5000: 1}, "more characters"),
    ({"$bytes": "AA=="}, "bytes .* are no value"),
]


@pytest.mark.parametrize("language", ["cypher", "gql", "sql"])
@pytest.mark.parametrize(("value", "said"), TAGS)
def test_tags_that_are_none_are_refused(language: str, value: object, said: str) -> None:
    """They were maps with such a key."""
    with pytest.raises(QueryTextError, match=said) as caught:
        filled("RETURN $p", language, {"p": value})
    assert caught.value.code == "bad-parameter"
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(("value", "said"), TAGS)
def test_tags_that_are_none_are_refused_in_translations(value: object, said: str) -> None:
    translator = Translator(origin="cypher", to="gql", graph=None)
    with pytest.raises(QueryTextError, match=said):
        translator.translation("RETURN $p AS x", {"p": value})
    assert translator.result("RETURN 1 AS x", {"p": value})["ok"], "what nobody uses is not read"


@pytest.mark.parametrize("value", [{"$float": "zzz", "a": 1}, {"$a": 1, "$b": 2}, {"a$": 1}, {}])
def test_maps_with_such_keys_beside_others_are_maps(value: dict[str, object]) -> None:
    written = filled("RETURN $p", "cypher", {"p": value})
    assert all(key in written for key in value)


def test_lists_of_one_type_are_written() -> None:
    given = {"a": [1, None, 2.5], "b": [{"k": None}, {"k": "x"}], "c": [[], ["x"], None]}
    assert filled("SELECT $a, $b, $c", "sql", given) == (
        "SELECT [1, NULL, 2.5e0], [{'k': NULL}, {'k': 'x'}], [[], ['x'], NULL]"
    )


def test_an_error_in_a_text_with_values_says_which_text(tmp_path: Path) -> None:
    read_graph("P(id!: INTEGER)\n\nP [1]").write(tmp_path / "g")
    with Runner(graph=tmp_path / "g", timeout=60) as runner:
        backtick = runner.result("RETURN $p AS x", {"p": {"a b`c": 1}})["error"]
        assert "reads no name with a backtick in it, as `a b``c` is" in backtick["message"]
        wrong = runner.result("RETURN $p AS x WHERE", {"p": 12345})["error"]
        assert "of the text with the values in it: RETURN 12345 AS x WHERE" in wrong["message"]
        plain = runner.result("RETURN 1 AS x WHERE")["error"]
        assert "with the values" not in plain["message"]
    with Runner(graph=tmp_path / "g", language="gql", timeout=60) as runner:
        assert runner.result("RETURN $p AS x", {"p": {"a b`c": 1}})["rows"] == [[{"a b`c": 1}]]
