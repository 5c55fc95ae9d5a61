"""The example of night trains: the same bytes each time, rows that make sense, questions with
answers."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from runpy import run_path

import pytest

SOURCE = Path(__file__).parents[2] / "data" / "sources" / "night_trains"


def fill(path: Path, seed: int = 7) -> Path:
    run_path(str(SOURCE / "fill.py"))["fill"](path, seed)
    return path


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fill(tmp_path_factory.mktemp("night_trains") / "night_trains.sqlite")


@pytest.fixture
def connection(database: Path) -> Iterator[sqlite3.Connection]:
    opened = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    yield opened
    opened.close()


def test_same_seed_same_bytes_and_another_seed_others(database: Path, tmp_path: Path) -> None:
    assert fill(tmp_path / "again.sqlite").read_bytes() == database.read_bytes()
    assert fill(tmp_path / "other.sqlite", seed=8).read_bytes() != database.read_bytes()


def test_keys_hold(connection: sqlite3.Connection) -> None:
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize(
    "contradiction",
    [
        "SELECT 1 FROM line JOIN operator USING (operator_id) WHERE opened_year < founded_year",
        # times of a line run forwards
        "SELECT 1 FROM line_stop a JOIN line_stop b ON a.line_id = b.line_id"
        " AND b.stop_no = a.stop_no + 1 WHERE b.km_from_start <= a.km_from_start"
        " OR a.nights_later > b.nights_later"
        " OR a.nights_later = b.nights_later AND b.arrives_at <= a.departs_at",
        # a track is no shorter than the crow flies, some 111 km a degree of latitude
        "SELECT 1 FROM track t JOIN station a ON t.from_station_id = a.station_id"
        " JOIN station b ON t.to_station_id = b.station_id"
        " WHERE t.length_km < 110 * abs(a.latitude - b.latitude)",
        "SELECT 1 FROM coach WHERE refurbished_year <= built_year OR built_year > 2025",
        "SELECT 1 FROM formation f JOIN train t USING (train_id) JOIN line l USING (line_id)"
        " JOIN coach c USING (coach_id) WHERE c.operator_id <> l.operator_id",
        # neither a coach nor a person is in two trains of one night
        "SELECT 1 FROM formation JOIN train USING (train_id) GROUP BY coach_id, runs_on"
        " HAVING count(*) > 1",
        "SELECT 1 FROM duty JOIN train USING (train_id) GROUP BY employee_id, runs_on"
        " HAVING count(*) > 1",
        "SELECT 1 FROM duty d JOIN train t USING (train_id) JOIN employee e USING (employee_id)"
        " WHERE e.hired_on > t.runs_on OR t.status = 'cancelled'",
        "SELECT 1 FROM train WHERE (delay_min IS NULL) = (status = 'ran')",
        "SELECT 1 FROM incident JOIN train USING (train_id) WHERE status <> 'ran'",
        "SELECT 1 FROM train t WHERE delay_min > 4 + (SELECT coalesce(sum(minutes_lost), 0)"
        " FROM incident i WHERE i.train_id = t.train_id)",
        "SELECT 1 FROM employee e JOIN employee m ON e.mentor_id = m.employee_id"
        " WHERE m.hired_on >= e.hired_on OR m.operator_id <> e.operator_id",
        # a place is sold once, from one stop of the line to a later one, before the train runs
        "SELECT 1 FROM journey_leg GROUP BY train_id, position, place_no HAVING count(*) > 1",
        "SELECT 1 FROM journey_leg j WHERE NOT EXISTS (SELECT 1 FROM train t"
        " JOIN line_stop a USING (line_id) JOIN line_stop b USING (line_id)"
        " WHERE t.train_id = j.train_id AND a.station_id = j.from_station_id"
        " AND b.station_id = j.to_station_id AND a.stop_no < b.stop_no)",
        "SELECT 1 FROM booking JOIN journey_leg USING (booking_id) JOIN train USING (train_id)"
        " WHERE date(booked_at) >= runs_on",
        "SELECT 1 FROM complaint c JOIN journey_leg j USING (booking_id) JOIN train t USING"
        " (train_id) WHERE j.leg_no = 1 AND c.filed_on <= t.runs_on OR c.answered_on < c.filed_on",
        "SELECT 1 FROM traveller t JOIN traveller r ON t.referred_by = r.traveller_id"
        " WHERE r.traveller_id >= t.traveller_id",
    ],
)
def test_rows_make_sense(connection: sqlite3.Connection, contradiction: str) -> None:
    assert connection.execute(contradiction).fetchall() == []


def test_questions_have_answers(connection: sqlite3.Connection) -> None:
    lines = (SOURCE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    pairs = [json.loads(line) for line in lines]
    assert len(pairs) >= 100
    assert len({pair["sql"].casefold() for pair in pairs}) == len(pairs)
    for pair in pairs:
        assert re.search(r"[.?]$", pair["question"])
        rows = connection.execute(pair["sql"]).fetchall()
        assert rows not in ([], [(0,)], [(None,)]), pair["question"]
