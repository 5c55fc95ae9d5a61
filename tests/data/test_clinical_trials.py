"""The example of clinical trials: the same bytes each time, rows that make sense, questions with
answers."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.data import examples

NAME = "clinical_trials"

CONTRADICTIONS = [
    "SELECT 1 FROM sponsor WHERE parent_id = sponsor_id",
    # a code of ICD-10 lies within its parent's
    "SELECT 1 FROM condition c JOIN condition p ON c.parent_code = p.code"
    " WHERE substr(c.code, 1, 3) NOT BETWEEN substr(p.code, 1, 3) AND substr(p.code, -3)"
    " AND substr(c.code, 1, 3) <> substr(p.code, 1, 3)",
    "SELECT 1 FROM condition WHERE (parent_code IS NULL) <> (code LIKE '___-___')",
    "SELECT 1 FROM drug d JOIN drug o ON d.derived_from = o.drug_id"
    " WHERE d.first_made <= o.first_made OR d.drug_class <> o.drug_class",
    # a trial follows the phase before it, of the same sponsor and condition, when that is over
    "SELECT 1 FROM trial t JOIN trial b ON t.continuation_of = b.trial_id"
    " WHERE t.phase <> b.phase + 1 OR t.sponsor_id <> b.sponsor_id"
    " OR t.condition_code <> b.condition_code OR b.ended_on IS NULL"
    " OR t.started_on <= b.ended_on OR b.status = 'stopped'",
    "SELECT 1 FROM trial WHERE ended_on <= started_on OR patients > target OR patients = 0"
    " OR (ended_on IS NULL) <> (status IN ('recruiting', 'running'))"
    " OR substr(number, 4, 4) <> substr(started_on, 1, 4)",
    "SELECT 1 FROM trial t WHERE patients <>"
    " (SELECT count(*) FROM enrolment e WHERE e.trial_id = t.trial_id)",
    # a placebo has no drug, each trial an active arm, none the same twice
    "SELECT 1 FROM arm WHERE (kind = 'placebo') <> (drug_id IS NULL)"
    " OR (drug_id IS NULL) <> (dose_mg IS NULL)",
    "SELECT trial_id FROM arm GROUP BY trial_id HAVING sum(kind = 'active') = 0 OR count(*) < 2"
    " OR count(*) <> count(DISTINCT coalesce(drug_id, 0) || ' ' || coalesce(dose_mg, 0))",
    "SELECT 1 FROM arm a JOIN trial t USING (trial_id) JOIN drug d USING (drug_id)"
    " WHERE d.first_made > CAST(substr(t.started_on, 1, 4) AS INTEGER)",
    # who leads a centre, or holds a visit, works there
    "SELECT 1 FROM centre c JOIN investigator i ON c.lead_id = i.investigator_id"
    " WHERE i.hospital_id <> c.hospital_id",
    "SELECT 1 FROM visit v JOIN investigator i USING (investigator_id)"
    " JOIN patient p USING (patient_id) WHERE i.hospital_id <> p.hospital_id",
    "SELECT 1 FROM visit v JOIN investigator i USING (investigator_id) JOIN centre c"
    " USING (trial_id) JOIN investigator l ON c.lead_id = l.investigator_id"
    " WHERE c.hospital_id = i.hospital_id AND i.specialty <> l.specialty",
    "SELECT 1 FROM investigator i JOIN investigator t ON i.trained_by = t.investigator_id"
    " WHERE i.licensed_on <= t.licensed_on OR i.specialty <> t.specialty",
    "SELECT 1 FROM centre c JOIN trial t USING (trial_id) WHERE c.opened_on < t.started_on"
    " OR c.closed_on <= c.opened_on OR c.closed_on > t.ended_on"
    " OR (c.closed_on IS NULL) <> (t.ended_on IS NULL)",
    # patients are grown up, ill with what the trial is about, and at a hospital that takes part
    "SELECT 1 FROM patient WHERE diagnosed_on < date(born_on, '+18 years', '-1 day')",
    "SELECT 1 FROM enrolment e JOIN patient p USING (patient_id) JOIN trial t USING (trial_id)"
    " WHERE substr(p.condition_code, 1, 3) <> t.condition_code"
    " OR p.diagnosed_on >= e.consented_on"
    " OR date(p.born_on, '+18 years') > e.consented_on"
    " OR date(p.born_on, '+81 years') < e.consented_on",
    "SELECT 1 FROM enrolment e JOIN patient p USING (patient_id) LEFT JOIN centre c"
    " ON c.trial_id = e.trial_id AND c.hospital_id = p.hospital_id"
    " WHERE c.trial_id IS NULL OR e.consented_on < c.opened_on OR e.randomised_on > c.closed_on",
    "SELECT 1 FROM enrolment WHERE randomised_on <= consented_on OR left_on < randomised_on"
    " OR (left_on IS NULL) <> (left_for IS NULL)",
    # nobody is in two trials at a time
    "SELECT 1 FROM enrolment a JOIN enrolment b USING (patient_id) JOIN trial t"
    " ON a.trial_id = t.trial_id WHERE a.trial_id <> b.trial_id"
    " AND a.consented_on <= b.consented_on"
    " AND (SELECT max(coalesce(held_on, planned_on)) FROM visit v"
    " WHERE v.trial_id = a.trial_id AND v.patient_id = a.patient_id) >= b.consented_on",
    # who left for an adverse event had one
    "SELECT 1 FROM enrolment e WHERE left_for = 'adverse event' AND NOT EXISTS"
    " (SELECT 1 FROM adverse_event a WHERE a.trial_id = e.trial_id"
    " AND a.patient_id = e.patient_id AND a.related = 1 AND a.started_on <= e.left_on)",
    # visits in their order, one a day, none after the patient left or the trial ended
    "SELECT 1 FROM visit a JOIN visit b USING (trial_id, patient_id) WHERE a.visit_no < b.visit_no"
    " AND (a.planned_on >= b.planned_on OR a.held_on >= b.held_on)",
    "SELECT patient_id, held_on FROM visit WHERE held_on IS NOT NULL"
    " GROUP BY patient_id, held_on HAVING count(*) > 1",
    "SELECT 1 FROM visit v JOIN enrolment e USING (trial_id, patient_id) JOIN trial t"
    " USING (trial_id) WHERE v.held_on < e.randomised_on OR v.held_on > e.left_on"
    " OR v.held_on > t.ended_on OR (v.kind = 'baseline') <> (v.visit_no = 1)",
    "SELECT 1 FROM visit WHERE (held_on IS NULL) <> (investigator_id IS NULL)"
    " OR (held_on IS NULL) <> (weight_kg IS NULL) OR held_on > '2025-09-30'",
    # samples are taken at visits that were held, and cost what their tests cost
    "SELECT 1 FROM sample s JOIN visit v USING (visit_id) WHERE v.held_on IS NULL"
    " OR date(s.taken_at) <> v.held_on OR s.received_at <= s.taken_at",
    "SELECT 1 FROM sample s WHERE abs(cost - (SELECT coalesce(sum(t.price), 0) FROM result r"
    " JOIN lab_test t ON r.test_code = t.code WHERE r.sample_id = s.sample_id)) > 0.001",
    "SELECT 1 FROM result r JOIN sample s USING (sample_id) JOIN lab_test t"
    " ON r.test_code = t.code WHERE t.material <> s.material"
    " OR r.measured_on < date(s.received_at) OR r.measured_on > '2025-09-30' OR r.value <= 0"
    " OR r.flag <> CASE WHEN r.value < t.lower_limit THEN 'low'"
    " WHEN r.value > t.upper_limit THEN 'high' ELSE 'normal' END",
    "SELECT 1 FROM adverse_event a JOIN enrolment e USING (trial_id, patient_id)"
    " WHERE a.started_on < e.randomised_on OR a.started_on > e.left_on"
    " OR a.ended_on < a.started_on OR a.ended_on > '2025-09-30'"
    " OR (a.serious = 1 AND a.severity <> 'severe')",
]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return examples.filled(NAME, tmp_path_factory.mktemp(NAME))


@pytest.fixture(scope="module")
def connection(database: Path) -> Iterator[sqlite3.Connection]:
    with examples.quick_copy(database) as copy:
        yield copy


def test_same_seed_same_bytes_and_another_seed_others(database: Path, tmp_path: Path) -> None:
    examples.check_seeds(NAME, database, tmp_path)


def test_keys_hold(connection: sqlite3.Connection) -> None:
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.mark.parametrize("contradiction", CONTRADICTIONS)
def test_rows_make_sense(connection: sqlite3.Connection, contradiction: str) -> None:
    assert connection.execute(contradiction).fetchall() == []


@pytest.mark.parametrize(
    ("table", "reference", "key"),
    [
        ("sponsor", "parent_id", "sponsor_id"),
        ("trial", "continuation_of", "trial_id"),
        ("investigator", "trained_by", "investigator_id"),
        ("laboratory", "refers_to", "laboratory_id"),
    ],
)
def test_nothing_comes_back_to_itself(
    connection: sqlite3.Connection, table: str, reference: str, key: str
) -> None:
    around = (
        f"WITH RECURSIVE way(first, last) AS (SELECT {key}, {reference} FROM {table}"
        f" WHERE {reference} IS NOT NULL UNION SELECT w.first, t.{reference} FROM way w"
        f" JOIN {table} t ON t.{key} = w.last WHERE t.{reference} IS NOT NULL)"
        " SELECT first FROM way WHERE first = last"
    )
    assert connection.execute(around).fetchall() == []


def test_questions_have_answers(connection: sqlite3.Connection) -> None:
    examples.check_questions(NAME, connection, at_least=80)
