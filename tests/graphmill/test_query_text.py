"""What is no query text, whatever its language."""

from __future__ import annotations

import pytest

from graphmill.errors import QueryTextError
from graphmill.query_text import MAX_LENGTH, check_text


def test_half_characters_in_a_query_have_a_place() -> None:
    with pytest.raises(QueryTextError) as caught:
        check_text("RETURN 'ß',\n '\udc00'")
    assert (caught.value.code, caught.value.line, caught.value.column) == ("lone-surrogate", 2, 3)


def test_long_texts_are_refused_from_one_character_on() -> None:
    check_text("x" * MAX_LENGTH)
    with pytest.raises(QueryTextError, match="200,001 characters, more than 200,000"):
        check_text("x" * (MAX_LENGTH + 1))
