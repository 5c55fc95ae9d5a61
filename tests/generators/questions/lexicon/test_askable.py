"""What no question can ask for is hidden from those who write queries."""

from __future__ import annotations

from generators.questions.lexicon.askable import askable, count_wordless
from generators.questions.lexicon.derive import derive
from tests.schema_text import read_schema

SCHEMA = read_schema("Kiln(id!: INTEGER, name: STRING, remarks: STRING, zqx: INTEGER)")


def test_what_has_no_words_or_says_nothing_is_hidden() -> None:
    words = derive(SCHEMA)
    seen = askable(words, words.at(0.6))
    hidden = [name for name, each in seen.properties["Kiln"].items() if each.hidden]
    assert hidden == ["id", "remarks", "zqx"]
    assert seen.things == words.things


def test_properties_without_words_are_counted() -> None:
    words = derive(SCHEMA)
    assert count_wordless(words, words.at(0.6)) == (1, 3)  # zqx, beside a name and remarks
