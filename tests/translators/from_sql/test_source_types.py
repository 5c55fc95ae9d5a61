"""Columns of types whose comparisons, order, arithmetic and texts no property's values have."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graphmill.errors import Refused
from schemagraph.mapping import Column, Mapping, Semantics
from tests.translators.from_sql.conftest import Library
from translators.from_sql.reader import SqlTranslator
from translators.from_sql.statement.source_types import is_single
from translators.render import render

# The book's title, language, price, pages and published are of these.
_TYPES = {
    "language": Semantics.LABELS,
    "title": Semantics.UUID,
    "price": Semantics.SINGLE,
    "pages": Semantics.YEAR,
    "published": Semantics.OWN,
    "author_id": Semantics.ROW,
}
_KEPT = """
SELECT language, title, price, pages, published FROM book
SELECT id FROM book WHERE price IN (0.5, 3)
SELECT coalesce(price, 0) FROM book UNION ALL SELECT price FROM book
SELECT coalesce(title, '6b29fc40-ca47-1067-b31d-00dd010662da') FROM book
SELECT CASE WHEN id > 2 THEN title END FROM book
SELECT author_id, count(author_id) OVER () FROM book
SELECT b.id FROM book b JOIN author a ON a.id = b.author_id
SELECT count(published), count(price) FROM book WHERE published IS NOT NULL
SELECT id FROM book WHERE language = 'en' OR language IN ('de', 'fr') OR language <> 'it'
SELECT language, count(*) FROM book GROUP BY language
SELECT DISTINCT coalesce(language, 'none') FROM book
SELECT id FROM book WHERE language::text > 'e' ORDER BY language::text
SELECT a.id FROM book a JOIN book b ON a.title = b.title AND a.price = b.price
SELECT id FROM book WHERE title = '6b29fc40-ca47-1067-b31d-00dd010662da' ORDER BY title
SELECT id FROM book WHERE price > 4.3 AND price < id ORDER BY price
SELECT min(price), avg(price), price::double precision * 2 AS d FROM book GROUP BY price
SELECT price * 2, id + price, price / 2 FROM book
SELECT id FROM book WHERE pages = 2024 OR pages BETWEEN 1990 AND 2000
SELECT p FROM (SELECT published AS p FROM book) AS s
SELECT published FROM book UNION ALL SELECT published FROM book
SELECT published FROM book WHERE id = 1 OR (id = 2 AND (published) IS NULL)
SELECT (SELECT published FROM book AS b WHERE b.id = 1) AS x FROM book
"""
_REFUSED = """
SELECT id FROM book ORDER BY language
SELECT id FROM book WHERE language < 'fr'
SELECT id FROM book WHERE language BETWEEN 'de' AND 'fr'
SELECT max(language) FROM book
SELECT greatest(language, 'fr') FROM book
SELECT language FROM book UNION SELECT language FROM book ORDER BY 1
SELECT l FROM (SELECT language AS l FROM book) AS s ORDER BY l
SELECT id FROM book ORDER BY coalesce(language, 'fr')
SELECT rank() OVER (ORDER BY language) FROM book
SELECT id FROM book WHERE title = '6B29FC40-CA47-1067-B31D-00DD010662DA'
SELECT id FROM book WHERE title IN ('6b29fc40ca471067b31d00dd010662da')
SELECT id FROM book WHERE price = '0.1'
SELECT id FROM book WHERE price IN ('0.1', '0.5')
SELECT id FROM book WHERE price IN (0.1, 0.5)
SELECT price * price FROM book
SELECT id FROM book WHERE author_id IS NULL
SELECT price + (SELECT max(price) FROM book) FROM book
SELECT sum(price) FROM book
SELECT round(price::numeric, 2) FROM book
SELECT coalesce(price, 0) * price FROM book
SELECT coalesce(price, 0.1) FROM book
SELECT price FROM book UNION SELECT 0.1
SELECT price FROM book EXCEPT SELECT id FROM book
SELECT max(price) * max(price) FROM book
SELECT coalesce(title, '6B29FC40-CA47-1067-B31D-00DD010662DA') FROM book
SELECT title FROM book UNION ALL SELECT 'x'
SELECT id FROM book WHERE pages = 20 + 4
SELECT id FROM book WHERE pages IN (SELECT 24)
SELECT m FROM (SELECT max(pages) AS m FROM book) AS s WHERE m = 24
SELECT id FROM book WHERE pages = 24
SELECT id FROM book WHERE pages IN (1999, 24)
SELECT id FROM book WHERE pages = '99'
SELECT id FROM book ORDER BY published
SELECT id FROM book ORDER BY published + 1
SELECT published FROM book ORDER BY 1
SELECT published AS p FROM book ORDER BY p
SELECT id FROM book WHERE published = '1951-01-01'
SELECT id FROM book WHERE '1951-01-01' IN (SELECT published FROM book)
SELECT a.id FROM book a JOIN book b ON a.published = b.published
SELECT a.id FROM book a JOIN book b USING (published)
SELECT published, count(*) FROM book GROUP BY published
SELECT published, count(*) FROM book GROUP BY 1
SELECT DISTINCT published FROM book
SELECT count(DISTINCT published) FROM book
SELECT published FROM book UNION SELECT published FROM book
SELECT published FROM book EXCEPT SELECT published FROM book
SELECT min(published) FROM book
SELECT published::text FROM book
SELECT 'x' || published FROM book
SELECT concat(published) FROM book
SELECT published + 1 FROM book
SELECT coalesce(published, published) FROM book
SELECT CASE WHEN id > 1 THEN published END FROM book
SELECT rank() OVER (PARTITION BY published ORDER BY id) FROM book
SELECT EXTRACT(YEAR FROM published) FROM book
SELECT p FROM (SELECT published AS p FROM book) AS s WHERE p > '1951-01-01'
"""


def _of_type(column: Column) -> Column:
    return replace(column, semantics=_TYPES.get(column.name, column.semantics))


@pytest.fixture
def typed(library: Library) -> SqlTranslator:
    """The library, as if some columns of the books were of such types."""
    mapping = library.translator.mapping
    nodes = tuple(
        replace(node, columns=tuple(map(_of_type, node.columns))) if node.table == "book" else node
        for node in mapping.nodes
    )
    given: Mapping = replace(mapping, nodes=nodes)
    return SqlTranslator(given, library.schema, "postgres")


@pytest.mark.parametrize("query", _KEPT.strip().splitlines())
def test_what_every_type_answers_alike_is_kept(
    query: str, typed: SqlTranslator, library: Library
) -> None:
    plain = SqlTranslator(library.translator.mapping, library.schema, "postgres")
    shown, expected = (
        render(each.translate(query), "cypher", library.schema).text for each in (typed, plain)
    )
    assert shown == expected


@pytest.mark.parametrize("query", _REFUSED.strip().splitlines())
def test_what_a_type_answers_in_its_own_way_is_refused(
    query: str, typed: SqlTranslator, library: Library
) -> None:
    assert SqlTranslator(library.translator.mapping, library.schema, "postgres").translate(query)
    with pytest.raises(Refused) as caught:
        typed.translate(query)
    assert caught.value.code in ("source-type", "cast")


@pytest.mark.parametrize(
    ("query", "refused"),
    [
        ("SELECT id FROM book WHERE price = 0.1", True),
        ("SELECT id FROM book WHERE price = 0.5", False),
        ("SELECT id FROM book WHERE price > 3", False),
        ("SELECT price * 2 FROM book", True),
        ("SELECT id FROM book WHERE price = 0.1::real", True),
        ("SELECT 0.5::real FROM book", False),
    ],
)
def test_duckdb_compares_floats_of_32_bits(
    query: str, refused: bool, typed: SqlTranslator, library: Library
) -> None:
    duck = SqlTranslator(typed.mapping, library.schema, "duckdb")
    if refused:
        with pytest.raises(Refused):
            duck.translate(query)
    else:
        assert duck.translate(query)


@pytest.mark.parametrize("value", [0.5, 3, 2**24, -1.25, 0.1, 2**24 + 1, 1e300])
def test_numbers_of_32_bits(value: float) -> None:
    numpy = pytest.importorskip("numpy")
    with numpy.errstate(over="ignore"):
        assert is_single(value) == (float(numpy.float32(value)) == value)


def _with_bits(library: Library) -> SqlTranslator:
    """The library as one of MySQL in which the pages of a book are declared `bit(4)`."""
    nodes = tuple(
        replace(
            node,
            columns=tuple(
                replace(column, declared="bit(4)") if column.name == "pages" else column
                for column in node.columns
            ),
        )
        for node in library.translator.mapping.nodes
    )
    mapping = replace(library.translator.mapping, dialect="mysql", nodes=nodes)
    return SqlTranslator(mapping, library.schema)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT concat('n', pages) FROM book",
        "SELECT CAST(pages AS CHAR) FROM book",
        "SELECT lpad(pages, 3, '0') FROM book",
        "SELECT id FROM book WHERE pages LIKE '5'",
        "SELECT concat('n', p) FROM (SELECT max(pages) AS p FROM book) t",
        "SELECT concat('n', p) FROM (SELECT pages AS p FROM book) t",
    ],
)
def test_the_text_of_bits_is_their_bytes(query: str, library: Library) -> None:
    """MySQL's BIT is a number, but for its text."""
    with pytest.raises(Refused) as caught:
        _with_bits(library).translate(query)
    assert caught.value.code == "source-type"


@pytest.mark.parametrize(
    "query",
    [
        "SELECT concat('n', pages + 0) FROM book",
        "SELECT pages, max(pages), sum(pages) FROM book GROUP BY pages ORDER BY pages",
        "SELECT id FROM book WHERE pages = 5 OR coalesce(pages, 0) IN (1, 2)",
        "SELECT CAST(pages AS UNSIGNED) FROM book",
    ],
)
def test_bits_are_numbers(query: str, library: Library) -> None:
    """What asks for no text of bits is answered."""
    assert _with_bits(library).translate(query)


def test_labels(library: Library) -> None:
    """PostgreSQL reads no text but a label beside a column of an enumerated type."""
    mapping = library.translator.mapping
    nodes = tuple(
        replace(
            node,
            columns=tuple(
                replace(c, semantics=Semantics.LABELS, values=("en", "de"))
                if c.name == "language"
                else c
                for c in node.columns
            ),
        )
        for node in mapping.nodes
    )
    translator = SqlTranslator(replace(mapping, nodes=nodes), library.schema, "postgres")
    assert translator.translate("SELECT id FROM book WHERE language IN ('en', 'de')")
    assert translator.translate("SELECT id FROM book WHERE language::text = 'it'")
    for text in ("language = 'it'", "language IN ('en', 'it')"):
        with pytest.raises(Refused) as problem:
            translator.translate(f"SELECT id FROM book WHERE {text}")
        assert problem.value.code == "source-type"
