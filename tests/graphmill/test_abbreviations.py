"""No abbreviation that names are read by is a word that people use as it is."""

from __future__ import annotations

import tomllib

from lemminflect import getAllLemmas

from generators.questions.lexicon.derive.data import heads, kind_of
from graphmill.english.lists import word_map, word_set
from graphmill.english.senses import meanings
from graphmill.english.verbs import by_base, by_past, by_third
from graphmill.files import data_folder

WORDS = (
    *("short_nouns", "adjectives", "prepositions", "people", "places", "uncounted", "acronyms"),
    *("known_codes", "also_nouns", "groups"),
)
_HARDLY_MEANT = """
avail cat cd dims equip err errs lat lng lob loco locos lon mob pct pop pos prim ref rep sched
stud temp temps thresh tot vend zip
"""
HARDLY_MEANT = frozenset(_HARDLY_MEANT.split())
"""Words of the dictionary that names of tables and columns hardly ever have as such."""

DEFAULTS = frozenset({"appl", "cred", "dist", "doc", "insp", "loc", "ref", "tel", "vol"})
"""What an abbreviation means where nothing speaks for one of its rarer senses."""


def _is_word(short: str) -> bool:
    verb = by_base(short) or by_past(short) or by_third(short)
    listed = any(short in word_set(words) for words in WORDS)
    known = verb is not None or kind_of(short)[1] == "kind-noun"
    return listed or known or any(short in head.words for head in heads())


def test_no_abbreviation_is_a_word() -> None:
    shorts = word_map("abbreviations").keys() - HARDLY_MEANT
    assert [short for short in sorted(shorts) if _is_word(short) or getAllLemmas(short)] == []


def test_abbreviations_are_shorter_than_what_they_mean() -> None:
    for short, means in word_map("abbreviations").items():
        assert short == short.lower(), short
        assert short != means, short


def test_no_abbreviation_is_a_unit_by_accident() -> None:
    both = word_map("abbreviations").keys() & word_map("units").keys()
    assert both == {"deg", "hrs", "min", "mins", "mths", "nm", "pct", "secs"}


def test_one_meaning_or_several() -> None:
    text = (data_folder() / "english" / "senses.toml").read_text(encoding="utf-8")
    senses = tomllib.loads(text)
    assert word_map("abbreviations").keys() & senses.keys() == DEFAULTS
    for short, several in senses.items():
        assert meanings(short), short
        for means, where in several.items():
            assert where.keys() <= {"beside", "among", "table", "itself"}, (short, means)
            assert all(words == words.strip() and words for words in where.values()), short


def test_no_word_in_id_is_read_as_a_key() -> None:
    """`valid` is no ID of a value."""
    keys = {f"{short}id" for short in word_map("abbreviations")} - word_set("no_ids")
    assert [key for key in sorted(keys) if getAllLemmas(key)] == []
