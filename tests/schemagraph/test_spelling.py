"""How texts are spelled: of a column what it is of all of its texts."""

from __future__ import annotations

import operator
import random
from functools import reduce

import pyarrow as pa
import pytest

from schemagraph.text_forms import NO_TEXT, SIGNS, Casing, accented, cased, of_word, spelling

_WORDS = ["ann", "Ann", "ANN", "o'Hara", "O'hara", "2nd", "x-y", "X-Y", "Tab\there", "é", "", "a b"]


def test_a_column_is_spelled_as_its_texts_are() -> None:
    generator = random.Random(5)
    letters = [*_WORDS, *sorted(SIGNS), *accented(), "ß", "\x01", "e\u0301", "日"]
    for size in (1, 2, 3, 8) * 200:
        few = generator.choices(letters if size < 8 else _WORDS, k=size)
        texts = ["".join(generator.choices(few, k=generator.randint(0, 3))) for _ in range(size)]
        assert spelling(pa.array(texts)) == reduce(operator.or_, map(of_word, texts), NO_TEXT)


@pytest.mark.parametrize("casing", Casing)
def test_texts_of_a_casing_are_in_one_order_with_their_case_and_without(casing: Casing) -> None:
    """Signs between the capital letters and the small ones have another place beside each."""
    signs = sorted(sign for sign in SIGNS if not "Z" < sign < "a")
    generator = random.Random(6)
    texts = [
        cased("".join(generator.choices([*"abcXYZ19", *signs], k=generator.randint(0, 5))), casing)
        for _ in range(3000)
    ]
    assert len({text.lower() for text in texts}) == len(set(texts))
    assert sorted(set(texts)) == sorted(set(texts), key=str.lower)
