"""Engines of relational origins answer on the source itself, read-only and within limits."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engines import ENGINE_OF, SOURCE_ENGINES
from engines.isolation import IsolatedEngine
from graphmill.errors import EngineUnavailable, QueryError, QueryTimeout
from tests.schemagraph.cases import duck_database
from tests.servers import PASSWORD, execute

pytestmark = pytest.mark.slow

SCRIPT = [
    "CREATE TABLE t (id INTEGER PRIMARY KEY, d DECIMAL(8, 2), day DATE, moment TIMESTAMP NULL, "
    "clock TIME)",
    "INSERT INTO t VALUES (1, 1.50, DATE '2024-02-29', TIMESTAMP '2024-02-29 12:00:00', "
    "TIME '10:00:00'), (2, NULL, NULL, NULL, NULL)",
]
SLOW = {
    "duckdb-file": "SELECT count(*) FROM range(9999999) a, range(9999999) b WHERE a < b",
    "postgresql": "SELECT pg_sleep(20)",
    "mysql": "SELECT count(*) FROM seq_1_to_10000000 a, seq_1_to_10000000 b",
}


@pytest.fixture(params=SOURCE_ENGINES.names())
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A source engine's name and a database for it."""
    name = request.param
    if name == "duckdb-file":
        address = str(duck_database(tmp_path, ";".join(SCRIPT)))
    else:
        server = "postgres_server" if name == "postgresql" else "mariadb_server"
        address = request.getfixturevalue(server)
        execute(address, ["DROP TABLE IF EXISTS t", *SCRIPT])
    yield name, address
    if name != "duckdb-file":
        execute(address, ["DROP TABLE t"])


def test_every_engine_is_of_a_dialect() -> None:
    assert set(ENGINE_OF.values()) == {*SOURCE_ENGINES.names(), "sqlite"}


def test_answers_errors_and_limits(source: tuple[str, str]) -> None:
    name, address = source
    with IsolatedEngine(name, None, kinds=SOURCE_ENGINES, source=address) as engine:
        answer = engine.run(
            "SELECT id, d, day, moment, clock, 'ü' AS u FROM t ORDER BY id", language="sql"
        )
        assert answer.columns == ("id", "d", "day", "moment", "clock", "u")
        assert answer.rows == (
            (1, 1.5, "2024-02-29", "2024-02-29T12:00:00", "10:00:00", "ü"),
            (2, None, None, None, None, "ü"),
        )
        assert engine.version()[:1].isdigit()
        for text, kind in [
            ("SELECT FROM WHERE", "syntax"),
            ("SELECT nothing FROM t", "semantic"),
            ("INSERT INTO t (id) VALUES (3)", "semantic"),
        ]:
            with pytest.raises(QueryError) as caught:
                engine.run(text, language="sql")
            assert caught.value.kind == kind, text
        for text in ("SELECT 1; DELETE FROM t", "DROP TABLE t", ""):
            with pytest.raises(QueryError):
                engine.run(text, language="sql")
        start = time.monotonic()
        with pytest.raises(QueryTimeout):
            engine.run(SLOW[name], language="sql", timeout=1)
        assert time.monotonic() - start < 10
        assert engine.run("SELECT count(*) FROM t", language="sql").rows == ((2,),)


def test_types_that_a_graph_keeps_as_texts(postgres_server: str) -> None:
    address = postgres_server
    with IsolatedEngine("postgresql", None, kinds=SOURCE_ENGINES, source=address) as engine:
        answer = engine.run(
            "SELECT '6B29FC40-CA47-1067-B31D-00DD010662DA'::uuid, '10.0.0.1/8'::inet, "
            """'{"b": 1, "a": [1.50]}'::jsonb, '[1,5)'::int4range, interval '2 years -3.5 s', """
            "interval '1 month', ARRAY[interval '1 day'], true",
            language="sql",
        )
    assert answer.rows == (
        (
            *("6b29fc40-ca47-1067-b31d-00dd010662da", "10.0.0.1/8"),
            *('{"a": [1.50], "b": 1}', "[1,5)", "P2YT-3.5S", "P1M", ["P1D"], True),
        ),
    )


def test_an_address_that_does_not_answer(source: tuple[str, str]) -> None:
    name, address = source
    wrong = address.replace("s3cret", "wr0ng").replace("shop.duckdb", "gone.duckdb")
    with (
        IsolatedEngine(name, None, kinds=SOURCE_ENGINES, source=wrong) as engine,
        pytest.raises(EngineUnavailable) as caught,
    ):
        engine.run("SELECT 1", language="sql")
    assert PASSWORD not in str(caught.value)
    assert "wr0ng" not in str(caught.value)
