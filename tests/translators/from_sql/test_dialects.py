"""Other dialects of SQL: `dialects/NAME.pairs`, and their own engines' answers.

A server's test runs the SQL of the fixtures there, over the rows of `library.sql`, and the
translation on the graph engines.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.dialect_proof import prove_dialect
from benchmarks.random_sql import Writer, shape_of
from graph_ir.cypher.reader import parse
from graphmill.errors import ConfigError, QueryTextError, Refused
from tests.translators.from_sql.conftest import Library
from tests.translators.from_sql.test_pairs import HERE, Case, cases
from translators.from_sql.reader import SqlTranslator
from translators.from_sql.statement.rules import DIALECTS
from translators.refusals import CODES
from translators.render import render

CASES = {name: list(cases(HERE / "dialects" / f"{name}.pairs")) for name in DIALECTS[1:]}
ALL = [(name, case) for name, found in CASES.items() for case in found]


@pytest.mark.parametrize(("dialect", "case"), ALL, ids=lambda value: getattr(value, "place", ""))
def test_pair(dialect: str, case: Case, library: Library) -> None:
    """SQL of a dialect becomes the Cypher of the fixture, or is refused with its code."""
    mapping = library.translator.mapping
    translator = SqlTranslator(mapping, library.schema, dialect)
    if case.expected.startswith("!"):
        with pytest.raises((Refused, QueryTextError)) as caught:
            translator.translate(case.sql)
        problem = caught.value
        assert isinstance(problem, Refused | QueryTextError)
        assert f"!{problem.code}" == case.expected
        assert isinstance(problem, QueryTextError) or problem.code in CODES
        return
    statement = translator.translate(case.sql)
    assert " ".join(render(statement, "cypher", library.schema).text.split()) == case.expected
    assert parse(render(statement, "cypher", library.schema).text) == statement


def test_unknown_dialect(library: Library) -> None:
    """A dialect that is not known is an error that names those that are."""
    with pytest.raises(ConfigError, match=r"Did you mean 'postgres'\?"):
        SqlTranslator(library.translator.mapping, library.schema, "postgre")


def test_sums_of_short_integers_divide_as_integers(library: Library) -> None:
    """PostgreSQL's sum(integer) is a bigint: only a source with its types tells of integers."""
    sql = "SELECT sum(pages) / count(*) AS x FROM book GROUP BY language"
    typed = replace(library.translator.mapping, dialect="postgres")
    text = render(
        SqlTranslator(typed, library.schema, "postgres").translate(sql), "cypher", library.schema
    ).text
    assert "sum(book.pages)" in text
    assert "toFloat" not in text
    with pytest.raises(Refused, match="integers"):
        SqlTranslator(library.translator.mapping, library.schema, "postgres").translate(sql)
    more = sql.replace("pages", "pages * 2 + length(title)")
    made = SqlTranslator(typed, library.schema, "postgres").translate(more)
    text = render(made, "cypher", library.schema).text
    assert "sum(book.pages * 2 + size(book.title)) AS sumPages" in text
    assert "toFloat" not in text
    with pytest.raises(Refused, match="integers"):
        SqlTranslator(typed, library.schema, "postgres").translate(
            sql.replace("pages", "pages * 3000000000")
        )


def test_decimals_of_columns_are_rounded_to_integers(library: Library) -> None:
    """PostgreSQL rounds halves of a numeric away from zero and of a float to the even neighbour."""
    sql = "SELECT price::int AS x FROM book"
    texts = []
    for declared in ("numeric(10,2)", "double precision"):
        nodes = tuple(
            replace(
                node,
                columns=tuple(
                    replace(c, declared=declared) if c.name == "price" else c for c in node.columns
                ),
            )
            for node in library.translator.mapping.nodes
        )
        typed = replace(library.translator.mapping, dialect="postgres", nodes=nodes)
        translator = SqlTranslator(typed, library.schema, "postgres")
        if declared == "double precision":
            with pytest.raises(Refused, match="rounds halves by the type"):
                translator.translate(sql)
        else:
            texts.append(render(translator.translate(sql), "cypher", library.schema).text)
    case = "CASE WHEN book.price < 0 THEN -round(-book.price) ELSE round(book.price) END"
    assert texts == [f"MATCH (book:Book)\nRETURN toInteger({case}) AS x"]


def test_dialect_of_the_source(library: Library) -> None:
    """Without a dialect the rules are those of the source."""
    assert SqlTranslator(library.translator.mapping, library.schema).rules.name == "sqlite"


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """The address of an empty PostgreSQL database."""
    servers = pytest.importorskip("tests.servers", reason="tests/servers.py is not there")
    with servers.postgresql() as url:
        yield url


def test_duckdb(library: Library, tmp_path: Path) -> None:
    """DuckDB answers the SQL as the graph engines do its translation."""
    _proven("duckdb", library, tmp_path, None)


def test_postgres(library: Library, tmp_path: Path, postgres: str) -> None:
    """PostgreSQL answers the SQL as the graph engines do its translation."""
    _proven("postgres", library, tmp_path, postgres)


def test_mysql(library: Library, tmp_path: Path, mariadb_server: str) -> None:
    """MariaDB answers the SQL as the graph engines do its translation."""
    _proven("mysql", library, tmp_path, mariadb_server)


def _proven(dialect: str, library: Library, folder: Path, url: str | None) -> None:
    texts = [case.sql for case in CASES[dialect] if not case.expected.startswith("!")]
    texts = [sql for sql in texts if "VALUES ROW" not in sql]  # of MySQL 8, not of MariaDB
    outcomes = prove_dialect(dialect, library.database, folder / "graph", texts, ("sql",), url)
    assert {outcome.sql: outcome.state for outcome in outcomes} == dict.fromkeys(texts, "proven")


def test_drawn_duckdb(library: Library, tmp_path: Path) -> None:
    """No drawn query that DuckDB takes is answered otherwise there."""
    rng = random.Random(11)
    writer = Writer(rng, shape_of(library.database, rng))
    texts = [writer.query() for _ in range(30)]
    found = list(prove_dialect("duckdb", library.database, tmp_path / "graph", texts, ("sql",)))
    assert not [one for one in found if one.state in ("disagrees", "crash")]
    # Some tables are there for columns without types, of which most queries are refused.
    assert sum(one.state == "proven" for one in found) > 4


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("born IS NOT NULL", "author.born IS NOT NULL"),
        ("NOT born IS NULL", "author.born IS NOT NULL"),
        ("NOT (born IS NOT NULL)", "author.born IS NULL"),
        ("born NOT IN (1, 2)", "NOT author.born IN [1, 2]"),
        ("born NOT BETWEEN 1 AND 2", "NOT (author.born >= 1 AND author.born <= 2)"),
    ],
)
def test_denials_are_read_in_every_dialect(
    dialect: str, condition: str, expected: str, library: Library
) -> None:
    """sqlglot keeps NOT of PostgreSQL's IS NOT NULL as a mark of the test, which was not read."""
    mapping = replace(library.translator.mapping, dialect=dialect)
    translator = SqlTranslator(mapping, library.schema, dialect)
    statement = translator.translate(f"SELECT id FROM author WHERE {condition}")
    assert expected in " ".join(render(statement, "cypher", library.schema).text.split())
