"""Whatever is done to a text, the parser and checker end in findings, and soon."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from benchmarks.mutated_texts import given, judged, mutant
from translators.language import checker

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("language", ["cypher", "ngql"])
def test_mutants_raise_nothing_but_typed_errors(language: str) -> None:
    texts, random = given([]), Random(11)

    def mutants() -> Iterator[str]:
        for _ in range(1500):
            yield mutant(random.choice(texts), texts, random)

    ends, _ = judged(checker(language, None), mutants())
    assert ends.total() == 1500
    assert not [end for end in ends if end.startswith("FAULT")]
    assert ends["taken"] > 20  # so that more than the lexer was tried
