"""Restrictions in their places around a noun."""

from __future__ import annotations

import pytest

from generators.questions.phrases.tree import NP, Text
from generators.questions.realise.conditions.options import Option
from generators.questions.realise.placing import placed


@pytest.mark.parametrize(
    ("kind", "noun", "before"),
    [
        ("car loan", "loan agreement", "car"),
        ("car loan", "loan", "car"),
        ("fixed", "loan agreement", "fixed"),
        ("short term", "loan", "short term"),
    ],
)
def test_a_kind_that_ends_as_the_noun_begins_is_said_with_it_once(
    kind: str, noun: str, before: str
) -> None:
    phrase = placed(NP(noun, f"{noun}s", many=True), (Option("pre", Text(kind, ())),), deep=False)
    assert phrase is not None
    assert [part.words for part in phrase.pre if isinstance(part, Text)] == [before]
    assert phrase.one == noun


@pytest.mark.parametrize(
    ("kind", "noun"), [("tractor", "farm machine"), ("supplier", "third party company")]
)
def test_a_noun_does_not_stand_before_two_others(kind: str, noun: str) -> None:
    base = NP(noun, f"{noun}s", many=True)
    assert placed(base, (Option("pre", Text(kind, ())),), deep=False) is None
