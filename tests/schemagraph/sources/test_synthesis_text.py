"""Values that are drawn for schemas that are given as text."""

from __future__ import annotations

from random import Random

from schemagraph.sources.formats.synthesis_text import _texts


def test_examples_of_thousands_of_digits_are_texts() -> None:
    long = "9" * 5000
    assert _texts((long,), 3, Random(0)) == [long, f"{long} 2", f"{long} 3"]
    assert _texts(("7",), 3, Random(0)) == ["7", "9", "10"]
