"""Made-up texts: alike for alike, none that was there, parts and capitals kept."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmill.files import write_records
from pipelines.pseudonyms.columns import holds_texts, names_by_number
from pipelines.pseudonyms.leaks import texts_of
from pipelines.pseudonyms.statements import (
    LongTexts,
    replaced_constant,
    replaced_prose,
    replaced_query,
    says,
)
from pipelines.pseudonyms.words import Pseudonyms
from tests.pipelines.pages.corpora import LANGUAGES, record

TEXTS = ["Ada Berg", "BERG", "berg & Søn", "Oslo", "ada@berg.no", "+47 (403) 262-3443", "M", "F"]
MADE = Pseudonyms(TEXTS, [40312345678], ["Person", "name"], seed=7)


@settings(max_examples=60)
@given(st.lists(st.text(min_size=1, max_size=8), max_size=12), st.integers(0, 9))
def test_no_made_up_text_is_an_original_or_stands_twice(texts: list[str], seed: int) -> None:
    made = Pseudonyms(texts, seed=seed)
    assert not set(made.texts.values()) & set(texts)
    assert len(set(made.texts.values())) == len(made.texts)
    assert made.texts.keys() == {text for text in texts if text.strip()}


def test_words_are_the_same_in_every_text() -> None:
    berg = MADE.texts["Ada Berg"].split()[1]
    assert MADE.texts["BERG"] == berg.upper()
    assert MADE.texts["berg & Søn"].split(" & ")[0] == berg.lower()
    assert MADE.texts["ada@berg.no"].split("@")[1].split(".")[0] == berg.lower()
    assert [len(one) for one in MADE.texts["Ada Berg"].split()] == [3, 4]
    assert re.fullmatch(r"\+47 \(\d{3}\) \d{3}-\d{4}", MADE.texts["+47 (403) 262-3443"])


def test_who_lacks_the_texts_cannot_guess() -> None:
    assert Pseudonyms(["Oslo"], seed=7).texts["Oslo"] != MADE.texts["Oslo"]


def test_constants_of_queries() -> None:
    names = frozenset({"name", "city"})
    text = (
        'SELECT "name" FROM p -- of Oslo\nWHERE city = "Oslo" AND name LIKE \'%berg%\' AND '
        "card = 40312345678 AND year > 2009 AND strftime('%M', d) = '01' AND x = 'it''s'"
    )
    query = replaced_query(text, "sql", MADE, names)
    oslo, berg = MADE.texts["Oslo"], MADE.texts["BERG"].lower()
    assert f'city = "{oslo}"' in query.text
    assert f"'%{berg}%'" in query.text
    assert str(MADE.numbers[40312345678]) in query.text
    assert "2009" in query.text
    assert "strftime('%M', d)" in query.text
    assert "'it''s'" in query.text
    assert 'SELECT "name"' in query.text
    assert query.constants == ("Oslo", "%berg%", "40312345678")
    cypher = replaced_query(
        "MATCH (p:`M` {name: 'M', c: \"Oslo\"}) RETURN p", "cypher", MADE, names
    )
    assert cypher.text == f"MATCH (p:`M` {{name: '{MADE.texts['M']}', c: \"{oslo}\"}}) RETURN p"


@pytest.mark.parametrize("text", ["2009-01-01", "month", "%Y-%m", "Bergen"])
def test_what_is_no_original_stays(text: str) -> None:
    assert replaced_constant(text, MADE) == text


def test_questions_say_the_same_constants() -> None:
    long = LongTexts(MADE)
    said = replaced_prose("Who is from OSLO, like 'Ada Berg'?", ["Oslo"], MADE, long)
    assert said == f"Who is from {MADE.texts['Oslo'].upper()}, like '{MADE.texts['Ada Berg']}'?"
    assert not says("Who is Norwegian?", "Oslo")
    assert "Ada Berg" not in replaced_prose("Is Ada Berg's city big?", (), MADE, long)


def test_which_columns_are_kept() -> None:
    assert not holds_texts({"1999-01-02 00:00:00", "2001-12-31"})
    assert not holds_texts({"true", "false"})
    assert holds_texts({"M", "F"})
    assert names_by_number("ssn", [123_456_789], is_key=False)
    assert names_by_number("id", [5_000_001, 95_000_002, 73_000_000], is_key=True)
    assert not names_by_number("id", list(range(1_000_000, 1_000_050)), is_key=True)
    assert not names_by_number("salary", [50_000, 61_000], is_key=False)


def test_texts_that_only_look_like_json_are_texts(tmp_path: Path) -> None:
    """A value of a source may be whatever it likes."""
    deep = "[" * 100_000
    write_records(tmp_path / "a.parquet", [replace(record(1), external_knowledge=deep)], LANGUAGES)
    assert (deep, True) in list(texts_of(tmp_path / "a.parquet"))
    (tmp_path / "a.jsonl").write_text(f"{deep}\n[1]\n", encoding="utf-8")
    assert list(texts_of(tmp_path / "a.jsonl")) == [(deep, False)]
