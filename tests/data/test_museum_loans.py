"""The example source: the same bytes each time, sound keys, questions that have answers."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

SOURCE = Path(__file__).parents[2] / "data" / "sources" / "museum_loans"
PAIRS = [
    json.loads(line)
    for line in (SOURCE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
]


def fill(path: Path, seed: int = 7) -> Path:
    run_path(str(SOURCE / "fill.py"))["fill"](path, seed)
    return path


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fill(tmp_path_factory.mktemp("museum_loans") / "museum_loans.sqlite")


@pytest.fixture
def connection(database: Path) -> Iterator[sqlite3.Connection]:
    opened = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    yield opened
    opened.close()


def rows(connection: sqlite3.Connection, sql: str) -> list[Any]:
    return connection.execute(sql).fetchall()


def tables(connection: sqlite3.Connection) -> list[str]:
    found = rows(connection, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    return [name for (name,) in found]


def test_same_seed_same_bytes(database: Path, tmp_path: Path) -> None:
    assert fill(tmp_path / "again.sqlite").read_bytes() == database.read_bytes()


def test_other_seed_other_rows(connection: sqlite3.Connection, tmp_path: Path) -> None:
    other = sqlite3.connect(fill(tmp_path / "other.sqlite", seed=8))
    sql = "SELECT title FROM artwork ORDER BY artwork_id"
    assert rows(other, sql) != rows(connection, sql)
    other.close()


def test_runs_as_a_program(database: Path, tmp_path: Path) -> None:
    target = tmp_path / "program.sqlite"
    subprocess.run([sys.executable, SOURCE / "fill.py", target], check=True, cwd=tmp_path)
    assert target.read_bytes() == database.read_bytes()


def test_never_overwrites(tmp_path: Path) -> None:
    target = tmp_path / "mine.sqlite"
    target.write_text("precious")
    with pytest.raises(FileExistsError, match="is there already"):
        fill(target)
    assert target.read_text() == "precious"


def test_size(connection: sqlite3.Connection) -> None:
    assert len(tables(connection)) == 16
    counts = [rows(connection, f'SELECT count(*) FROM "{t}"')[0][0] for t in tables(connection)]
    assert min(counts) > 0
    assert 8_000 <= sum(counts) <= 15_000


def test_keys_hold(connection: sqlite3.Connection) -> None:
    assert rows(connection, "PRAGMA foreign_key_check") == []
    assert rows(connection, "PRAGMA integrity_check") == [("ok",)]


def test_what_real_databases_have(connection: sqlite3.Connection) -> None:
    references = {
        table: rows(connection, f'PRAGMA foreign_key_list("{table}")')
        for table in tables(connection)
    }
    keyless = [
        table
        for table in tables(connection)
        if not any(column[5] for column in rows(connection, f'PRAGMA table_info("{table}")'))
    ]
    assert keyless == ["climate_reading"]
    assert "staff" in [fk[2] for fk in references["staff"]]
    assert [fk[2] for fk in references["loan"]].count("museum") == 2
    composite = [table for table, keys in references.items() if any(fk[1] == 1 for fk in keys)]
    assert composite == ["artwork", "climate_reading", "placement"]


@pytest.mark.parametrize(
    ("table", "column", "form"),
    [
        ("loan", "starts_on", r"\d{4}-\d\d-\d\d"),
        ("museum", "opens_at", r"\d\d:\d\d:\d\d"),
        ("tour", "starts_at", r"\d\d:\d\d:\d\d"),
        ("climate_reading", "taken_at", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"),
    ],
)
def test_temporal_text_is_iso(
    connection: sqlite3.Connection, table: str, column: str, form: str
) -> None:
    for (value,) in rows(connection, f"SELECT DISTINCT {column} FROM {table}"):
        assert re.fullmatch(form, value)


@pytest.mark.parametrize(
    "contradiction",
    [
        "SELECT 1 FROM artist WHERE death_year <= birth_year + 20",
        "SELECT 1 FROM artist a JOIN artist t ON a.teacher_id = t.artist_id"
        " WHERE a.birth_year - t.birth_year NOT BETWEEN 17 AND 45",
        'SELECT 1 FROM artwork w JOIN "artwork creator" c USING (artwork_id)'
        " JOIN artist a USING (artist_id)"
        " WHERE c.role = 'painter' AND w.year_made NOT BETWEEN a.birth_year AND a.birth_year + 75",
        "SELECT 1 FROM artwork WHERE acquired_on < year_made || '-01-01'",
        "SELECT 1 FROM exhibition WHERE closes_on <= opens_on",
        "SELECT 1 FROM exhibition WHERE visitors IS NOT NULL AND closes_on > '2025-06-30'",
        "SELECT 1 FROM loan WHERE NOT signed_on < starts_on OR NOT starts_on < ends_on",
        "SELECT 1 FROM loan WHERE lender_id = borrower_id",
        "SELECT 1 FROM loan l JOIN artwork w USING (artwork_id) WHERE l.lender_id <> w.owner_id",
        "SELECT 1 FROM loan a JOIN loan b ON a.artwork_id = b.artwork_id AND a.loan_id < b.loan_id"
        " WHERE a.starts_on <= b.ends_on AND b.starts_on <= a.ends_on",
        "SELECT 1 FROM placement p JOIN exhibition e USING (exhibition_id)"
        " WHERE p.museum_id <> e.museum_id OR p.hung_on >= e.opens_on",
        "SELECT 1 FROM staff s JOIN staff b ON s.supervisor_id = b.staff_id"
        " WHERE s.museum_id <> b.museum_id",
        "SELECT 1 FROM tour t WHERE duration_min <="
        ' (SELECT sum(minutes) FROM "tour stop" s WHERE s.tour_id = t.tour_id)',
    ],
)
def test_rows_make_sense(connection: sqlite3.Connection, contradiction: str) -> None:
    assert rows(connection, contradiction) == []


def test_questions_are_many_and_different() -> None:
    assert len(PAIRS) >= 100
    assert all(set(pair) == {"question", "sql"} for pair in PAIRS)
    assert len({pair["question"].casefold() for pair in PAIRS}) == len(PAIRS)
    assert len({pair["sql"].casefold() for pair in PAIRS}) == len(PAIRS)


@pytest.mark.parametrize("pair", PAIRS, ids=[pair["question"] for pair in PAIRS])
def test_question_has_an_answer(connection: sqlite3.Connection, pair: dict[str, str]) -> None:
    assert re.search(r"[.?]$", pair["question"])
    found = rows(connection, pair["sql"])
    assert found
    assert found not in ([(0,)], [(None,)])
