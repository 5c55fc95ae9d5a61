"""The example of a grain cooperative: the same bytes each time, rows that make sense, questions
with answers."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.data import examples

NAME = "grain_cooperative"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return examples.filled(NAME, tmp_path_factory.mktemp(NAME))


@pytest.fixture(scope="module")
def connection(database: Path) -> Iterator[sqlite3.Connection]:
    with examples.quick_copy(database) as copy:
        copy.execute("CREATE INDEX wettest ON delivery (season, moisture)")
        yield copy


def test_same_seed_same_bytes_and_another_seed_others(database: Path, tmp_path: Path) -> None:
    examples.check_seeds(NAME, database, tmp_path)


def test_keys_hold(connection: sqlite3.Connection) -> None:
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.mark.parametrize(
    "contradiction",
    [
        "SELECT 1 FROM farm f JOIN farm s ON f.sponsor_id = s.farm_id"
        " WHERE s.joined_on >= f.joined_on",
        "SELECT 1 FROM farm WHERE left_on <= joined_on",
        "SELECT 1 FROM certificate c JOIN farm f USING (farm_id) WHERE c.issued_on < f.joined_on"
        " OR c.issued_on > f.left_on OR c.expires_on < c.issued_on"
        " OR c.revoked_on NOT BETWEEN c.issued_on AND c.expires_on",
        "SELECT 1 FROM variety v JOIN variety p ON v.bred_from = p.variety_id"
        " WHERE v.crop_id <> p.crop_id OR v.registered_year <= p.registered_year",
        "SELECT 1 FROM sowing WHERE harvested_on <= sown_on"
        " OR substr(harvested_on, 1, 4) <> CAST(season AS TEXT)"
        " OR (harvested_on IS NULL) <> (yield_t IS NULL)",
        # a farm delivers no more than the field bore, after harvest, into a lot of that crop
        "SELECT 1 FROM delivery d JOIN sowing s USING (farm_id, field_no, season)"
        " GROUP BY farm_id, field_no, season HAVING sum(d.tonnes) > s.yield_t + 0.01"
        " OR min(date(d.delivered_at)) < s.harvested_on",
        "SELECT 1 FROM delivery d JOIN sowing s USING (farm_id, field_no, season)"
        " JOIN variety v USING (variety_id) JOIN lot l USING (lot_id)"
        " WHERE l.crop_id <> v.crop_id OR l.season <> d.season",
        "SELECT 1 FROM delivery d JOIN lot l USING (lot_id) JOIN site t USING (site_id)"
        " JOIN farm f USING (farm_id) WHERE t.kind <> 'collection point'"
        " OR t.district_id <> f.district_id",
        # what is paid is the price of the day, less the drying
        "SELECT 1 FROM delivery d JOIN lot l USING (lot_id) JOIN price p"
        " ON p.crop_id = l.crop_id AND p.grade = l.grade AND date(d.delivered_at)"
        " BETWEEN p.valid_from AND coalesce(p.valid_until, '9999')"
        " WHERE abs(d.tonnes * p.euros_per_t - d.drying_cost - d.paid) > 0.011",
        "SELECT 1 FROM price p JOIN price q USING (crop_id, grade)"
        " WHERE p.valid_from < q.valid_from AND (p.valid_until IS NULL"
        " OR p.valid_until >= q.valid_from)",
        # a lot weighs what came into it, and gives no more than it had
        "SELECT 1 FROM lot l WHERE abs(l.tonnes"
        " - (SELECT coalesce(sum(tonnes), 0) FROM delivery d WHERE d.lot_id = l.lot_id)"
        " - (SELECT coalesce(sum(tonnes), 0) FROM mixing m WHERE m.into_lot_id = l.lot_id)) > 0.05",
        "SELECT 1 FROM lot l WHERE (emptied_on IS NOT NULL) <> (l.tonnes"
        " - (SELECT coalesce(sum(tonnes), 0) FROM shipment s WHERE s.lot_id = l.lot_id)"
        " - (SELECT coalesce(sum(tonnes), 0) FROM mixing m WHERE m.from_lot_id = l.lot_id) < 0.05)",
        "SELECT 1 FROM mixing m JOIN lot a ON m.from_lot_id = a.lot_id"
        " JOIN lot b ON m.into_lot_id = b.lot_id WHERE a.crop_id <> b.crop_id"
        " OR a.grade <> b.grade OR a.season <> b.season OR m.mixed_on < a.opened_on"
        " OR m.mixed_on < b.opened_on OR a.lot_id = b.lot_id",
        "SELECT 1 FROM mixing m JOIN mixing n ON m.into_lot_id = n.from_lot_id"
        " WHERE m.mixed_on > n.mixed_on",
        "SELECT 1 FROM lot JOIN silo USING (site_id, silo_no) WHERE tonnes > capacity_t",
        # one lot in a silo at a time
        "SELECT 1 FROM lot a JOIN lot b USING (site_id, silo_no) WHERE a.lot_id <> b.lot_id"
        " AND a.opened_on <= b.opened_on AND coalesce(a.emptied_on, '9999') >= b.opened_on",
        "SELECT 1 FROM shipment s JOIN contract k USING (contract_id) JOIN lot l USING (lot_id)"
        " WHERE s.shipped_on <= k.signed_on OR s.arrived_on < s.shipped_on"
        " OR l.crop_id <> k.crop_id OR l.grade <> k.grade"
        " OR abs(s.amount - s.tonnes * k.euros_per_t) > 0.011",
        "SELECT 1 FROM contract k WHERE (k.status = 'fulfilled') <> (k.tonnes <="
        " (SELECT coalesce(sum(tonnes), 0) FROM shipment s"
        " WHERE s.contract_id = k.contract_id) + 0.05)",
    ],
)
def test_rows_make_sense(connection: sqlite3.Connection, contradiction: str) -> None:
    assert connection.execute(contradiction).fetchall() == []


def test_no_lot_comes_back_into_itself(connection: sqlite3.Connection) -> None:
    around = (
        "WITH RECURSIVE way(first, last) AS (SELECT from_lot_id, into_lot_id FROM mixing UNION"
        " SELECT w.first, m.into_lot_id FROM way w JOIN mixing m ON m.from_lot_id = w.last)"
        " SELECT 1 FROM way WHERE first = last"
    )
    assert connection.execute(around).fetchall() == []


def test_questions_have_answers(connection: sqlite3.Connection) -> None:
    examples.check_questions(NAME, connection, at_least=70)
