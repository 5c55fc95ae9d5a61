"""What names of labels and properties are called, one rule a line of `words.cases`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generators.questions.lexicon.derive.property_words import PropertyWords
from generators.questions.lexicon.derive.table_names import node_noun
from generators.questions.lexicon.derive.words import read_property
from graphmill.english.inflection import is_plural
from schemagraph.model import NUMERIC, Kind, Type

LINES = [
    line
    for line in (Path(__file__).parent / "words.cases").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


def full(words: PropertyWords) -> str:
    counted = words.kind in NUMERIC and not words.year and not words.reference
    if counted and is_plural(words.noun) and not words.unit:
        return f"number of {words.noun}"
    return f"{words.noun} in {words.unit}" if words.unit else words.noun


def called(what: str) -> str:
    if found := re.fullmatch(r"property (\w+) ([A-Z]+) (.+)", what):
        return full(read_property(found[1], Type(Kind(found[2])), found[3]))
    if found := re.fullmatch(r"flag (\w+) (.+)", what):
        words = read_property(found[1], Type(Kind.BOOLEAN), found[2])
        if words.does:
            return f"{found[2]} that {words.does[0]}"
        return f"{found[2]} that is {words.adjective}" if words.adjective else f"with {words.noun}"
    found = re.fullmatch(r"label (\w+)", what)
    assert found, what
    return node_noun(found[1])


@pytest.mark.parametrize("line", LINES)
def test_names(line: str) -> None:
    what, _, expected = line.partition(" = ")
    assert called(what) == expected
