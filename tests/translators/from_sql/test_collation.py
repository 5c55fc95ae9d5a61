"""Texts that a source orders by the collation of a language (ICU's in PostgreSQL), where Cypher
goes by the numbers of their characters: equality is the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graphmill.errors import Refused
from tests.translators.from_sql.conftest import Library
from translators.from_sql.reader import SqlTranslator

_ORDERED = """
SELECT id FROM book WHERE title > 'in'
SELECT id FROM book WHERE title BETWEEN 'a' AND 'f'
SELECT max(title) FROM book
SELECT id FROM book ORDER BY title LIMIT 2
SELECT id FROM book ORDER BY upper(title)
SELECT id, rank() OVER (ORDER BY title) FROM book
SELECT greatest(title, 'in') FROM book
SELECT string_agg(title, ',' ORDER BY title) FROM book
SELECT id FROM book WHERE ('b', title) < ('b', 'in')
SELECT title FROM book UNION SELECT title FROM book ORDER BY 1
"""
_EQUAL = """
SELECT id FROM book WHERE title = 'in' OR title IN ('a', 'b') OR title LIKE 'i%'
SELECT title, count(*) FROM book GROUP BY title
SELECT DISTINCT title FROM book
SELECT id FROM book ORDER BY pages, published
"""


@pytest.mark.parametrize("query", _ORDERED.strip().splitlines())
def test_an_order_of_texts_is_refused(query: str, library: Library) -> None:
    by_character = SqlTranslator(library.translator.mapping, library.schema, "postgres")
    mapping = replace(library.translator.mapping, ordering="en-US")
    by_language = SqlTranslator(mapping, library.schema, "postgres")
    assert by_character.translate(query)
    with pytest.raises(Refused) as caught:
        by_language.translate(query)
    assert caught.value.code == "collation"
    assert "en-US" in str(caught.value)


@pytest.mark.parametrize("query", _EQUAL.strip().splitlines())
def test_equality_is_the_same(query: str, library: Library) -> None:
    plain = SqlTranslator(library.translator.mapping, library.schema, "postgres")
    mapping = replace(library.translator.mapping, ordering="en-US")
    other = SqlTranslator(mapping, library.schema, "postgres")
    assert other.translate(query) == plain.translate(query)
