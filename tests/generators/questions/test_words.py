"""What names of labels, properties and edges are called, one rule a line of `words.cases`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generators.questions.lexicon.nouns import node_noun, property_words
from generators.questions.lexicon.relations import Predicate, edge_words
from schemagraph.model import Kind, Type

LINES = [
    line
    for line in (Path(__file__).parent / "words.cases").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


def called(what: str) -> str:
    if found := re.fullmatch(r"property (\w+) ([A-Z]+) (.+)", what):
        return property_words(found[1], Type(Kind(found[2])), found[3]).full
    if found := re.fullmatch(r"flag (\w+) (.+)", what):
        words = property_words(found[1], Type(Kind.BOOLEAN), found[2])
        if words.does:
            return f"{found[2]} that {words.does[0]}"
        return f"{found[2]} that is {words.adjective}" if words.adjective else f"with {words.noun}"
    if found := re.fullmatch(r"label (\w+)", what):
        return node_noun(found[1])
    found = re.fullmatch(r"edge (\w+) (.+) -> (.+?)( ref)?", what)
    assert found, what
    relation = edge_words(found[1], found[2], found[3], reference=bool(found[4]))

    def said(predicate: Predicate) -> str:
        return predicate.relative or predicate.plural

    return f"{said(relation.forward)} | {said(relation.backward)}"


@pytest.mark.parametrize("line", LINES)
def test_names(line: str) -> None:
    what, _, expected = line.partition(" = ")
    assert called(what) == expected
