"""The nGQL grammar and checker: what NebulaGraph's parser takes, and what it refuses and where."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

from graphmill.errors import QueryTextError
from translators.ngql.grammar.check import check, statement_kinds
from translators.ngql.grammar.keywords import KEYWORDS, must_quote, quote
from translators.ngql.grammar.lexer import tokens

HERE = Path(__file__).parent


def _cases(name: str) -> list[tuple[str, str]]:
    """Pairs of (comment, statement) of a fixture; a case ends with an empty line."""
    cases = []
    for block in (HERE / name).read_text(encoding="utf-8").split("\n\n"):
        lines = block.strip("\n").split("\n")
        comment = lines[0].removeprefix("-- ") if lines[0].startswith("-- ") else ""
        cases.append((comment, "\n".join(lines[1:] if comment else lines)))
    return cases


@pytest.mark.parametrize("text", [text for _, text in _cases("accepted.ngql")])
def test_accepts(text: str) -> None:
    assert check(text) == []


@pytest.mark.parametrize(("comment", "text"), _cases("refused.ngql"))
def test_refuses_with_code(comment: str, text: str) -> None:
    found = check(text)
    assert [d.code for d in found] == [comment.split(":")[0]]
    assert found[0].severity == "error"


def test_says_where_and_what_was_expected() -> None:
    (found,) = check("MATCH (v:City)\nWHERE v.City.name = 'x'\nRETURN v")
    assert (found.line, found.column) == (2, 19)
    assert "'=='" in found.message
    assert found.message.endswith(" " * 18 + "^")


def test_finds_every_refusal_of_the_actions() -> None:
    found = check("MATCH (a) WHERE count(a) > nosuch(1) RETURN abs(1, 2) AS x")
    assert [(d.code, d.column) for d in found] == [
        ("aggregate-in-where", 11),
        ("unknown-function", 28),
        ("wrong-arity", 45),
    ]


def test_classifies_statements() -> None:
    text = (
        "CREATE TAG t(); INSERT VERTEX t() VALUES 'x':(); MATCH (a) RETURN a; USE s; $a = YIELD 1"
    )
    assert statement_kinds(text) == [
        "schema_definition",
        "insert_vertices",
        "match_statement",
        "use",
        "assignment",
    ]
    assert statement_kinds("PROFILE { YIELD 1; GO FROM 'a' OVER e YIELD edge AS e }") == [
        "yield",
        "go",
    ]


@pytest.mark.parametrize("word", sorted(KEYWORDS))
def test_every_keyword_is_a_name_when_quoted(word: str) -> None:
    assert must_quote(word.lower())
    assert check(f"MATCH ({quote(word)}:{quote(word)}) RETURN {quote(word)} AS x") == []


@pytest.mark.parametrize(
    "name", ["a b", "a`b", "a\\b", "a\nb", "é", "_x", "1", "-", "\u00a0", "😀"]
)
def test_quoted_names_keep_their_text(name: str) -> None:
    (token,) = tokens(quote(name))
    assert (token.type, str(token)) == ("NAME", name)


@pytest.mark.parametrize("name", ["", "a.b"])
def test_names_without_notation(name: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(name)}$"):
        quote(name)


def test_words_are_the_longest() -> None:
    text = "a<-b a<-[b]-(c)-->1..2 1.5 NOT  IN is not null $a $-.b 1.2.3.4 0x10 010"
    assert [token.type for token in tokens(text)] == [
        *("NAME", "CMP", "DASH", "NAME"),
        *("NAME", "OPEN_EDGE", "NAME", "CLOSE_EDGE", "_LPAR", "NAME", "_RPAR", "BARE_EDGE"),
        *("INTEGER", "DOTS", "INTEGER", "DECIMAL", "NOT_IN", "IS_NOT_NULL", "VARIABLE"),
        *("INPUT_REF", "_DOT", "NAME", "IPV4", "INTEGER", "INTEGER"),
    ]
    assert [str(t) for t in tokens("0x10 010 089")] == ["16", "8", "89"]


def test_tokens_know_their_place() -> None:
    token = list(tokens("RETURN 'a',\n  /* x\n y */ b"))[-1]
    assert (str(token), token.line, token.column) == ("b", 3, 7)


def test_lone_escape_at_the_end() -> None:
    with pytest.raises(QueryTextError) as caught:
        list(tokens('RETURN "a\\'))
    assert caught.value.code == "open-string"


@pytest.mark.parametrize(
    "text",
    [
        "RETURN " + "(" * 10_000 + "1" + ")" * 10_000,
        "RETURN " + "[" * 10_000,
        "RETURN " + "NOT " * 10_000 + "true",
        "RETURN " + "count(" * 3_000 + "1" + ")" * 3_000,
        "MATCH (a)" + "-->(b)" * 3_000 + " RETURN a",
        "YIELD " + "9" * 10_000,
        "\ud800",
        'RETURN "\ud800"',
        "RETURN `\ud800`",
    ],
)
def test_hostile_texts_end_soon(text: str) -> None:
    check("YIELD 1")  # builds the parser
    start = time.perf_counter()
    check(text)
    assert time.perf_counter() - start < 5


def test_nebula_test_suite(shared: Path) -> None:
    """The suite's own statements: texts that fail to parse there do here, and few others."""
    lines = (shared / "data/nebula_tck/queries.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    bad = [r["query"] for r in rows if "SyntaxError" in r["expect"]]
    assert sum(bool(check(text)) for text in bad) >= 0.9 * len(bad)
    good = [r["query"] for r in rows if r["expect"].startswith("Then the result should be")]
    assert sum(not check(text) for text in good) >= 0.98 * len(good)
