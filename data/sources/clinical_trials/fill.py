"""Write the example database of clinical trials.

`fill(path)` is deterministic: the same seed gives the same rows, and with one SQLite version the
same bytes. It needs the standard library only and reads `schema.sql` and `vocabulary.toml` beside
it, so it can be run by path: `python fill.py clinical_trials.sqlite`.
"""

from __future__ import annotations

import sqlite3
import sys
import tomllib
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).resolve().parent
TODAY = date(2025, 9, 30)  # the data end here; some trials are still going on
DOCTORS = 6  # of a hospital
TARGET = {1: 12, 2: 24, 3: 36, 4: 30}  # patients, by phase
RECRUITING = {1: 120, 2: 240, 3: 420, 4: 300}  # days in which patients come
SCHEDULE = {  # days after randomisation on which a visit is planned; the last is the follow-up
    1: (0, 7, 14, 42),
    2: (0, 14, 28, 56, 112),
    3: (0, 14, 42, 84, 126, 168, 224),
    4: (0, 60, 120, 180),
}
PAUSE = 60  # days between two trials of a patient
LEAVING = {"own wish": 3, "moved away": 2, "no effect": 2}

type Row = tuple[Any, ...]


@dataclass(frozen=True)
class Trial:
    """A trial as far as its rows are drawn from it."""

    number: int
    phase: int
    condition: str
    arms: tuple[str, ...]  # kinds, in their order
    start: date
    end: date | None
    stopped: bool
    full: date  # nobody comes after that day
    centres: tuple[tuple[int, int, date], ...]  # hospital, who leads, open since


@dataclass
class Patient:
    """A person, and until when a trial has them."""

    number: int
    condition: str
    born: date
    diagnosed: date
    hospital: int
    busy: date
    trials: set[int] = field(default_factory=set)


class Filler:
    """Draws the rows of every table into `tables`, in an order that keeps all references."""

    def __init__(self, seed: int, words: dict[str, Any]) -> None:
        self.seed = seed
        self.words = words
        self.tables: dict[str, list[Row]] = {}
        self.parents = {code: parent for code, _, parent in words["conditions"]}
        self.hospitals = dict(enumerate(words["hospitals"], 1))
        self.doctors: dict[tuple[int, str], list[tuple[int, date]]] = defaultdict(list)
        self.patients: dict[int, list[Patient]] = defaultdict(list)  # by hospital
        self.specialty: dict[int, str] = {}  # by trial
        self.trials: list[Trial] = []

    def random(self, table: str) -> Random:
        """A generator for one table, so that a change in one leaves the others as they were."""
        return Random(f"{self.seed}:{table}")  # noqa: S311 - reproducibility, not secrecy

    def run(self) -> dict[str, list[Row]]:
        """All rows by table name."""
        self.fill_words()
        self.fill_doctors()
        self.fill_trials()
        self.fill_enrolments()
        self.fill_samples()
        return self.tables

    def add(self, table: str, *values: Any) -> None:
        """One row."""
        self.tables.setdefault(table, []).append(values)

    def fill_words(self) -> None:
        """Sponsors, conditions, drugs, hospitals, laboratories, tests."""
        sponsors = {row[0]: n for n, row in enumerate(self.words["sponsors"], 1)}
        for name, kind, country, parent in self.words["sponsors"]:
            self.add("sponsor", sponsors[name], name, kind, country, sponsors.get(parent))
        for code, name, parent in self.words["conditions"]:
            self.add("condition", code, name, parent or None)
        drugs = {row[0]: n for n, row in enumerate(self.words["drugs"], 1)}
        for name, kind, form, year, parent in self.words["drugs"]:
            self.add("drug", drugs[name], name, kind, form, year, drugs.get(parent))
        for number, row in self.hospitals.items():
            self.add("hospital", number, *row)
        laboratories = {row[0]: n for n, row in enumerate(self.words["laboratories"], 1)}
        for name, country, to in self.words["laboratories"]:
            self.add("laboratory", laboratories[name], name, country, laboratories.get(to))
        for row in self.words["tests"]:
            self.add("lab_test", *row[:7])

    def fill_doctors(self) -> None:
        """Investigators of every hospital, many trained by an older one of their specialty."""
        draw = self.random("investigator")
        specialties = list(dict.fromkeys(row[2] for row in self.words["programmes"]))
        first, last = self.words["words"]["first"], self.words["words"]["last"]
        names = [f"{one} {other}" for one in first for other in last]
        draw.shuffle(names)
        licensed = sorted(
            day_between(draw, date(1988, 3, 1), date(2017, 11, 30))
            for _ in range(DOCTORS * len(self.hospitals))
        )
        older: dict[str, list[tuple[int, date]]] = defaultdict(list)
        for number, day in enumerate(licensed, 1):
            hospital = 1 + number % len(self.hospitals)
            # Each hospital has three specialties, and two doctors of each.
            turn = (number - 1) // len(self.hospitals) % 3
            specialty = specialties[(2 * turn + hospital) % len(specialties)]
            teachers = [who for who, since in older[specialty] if since < years_before(day, 4)]
            teacher = draw.choice(teachers) if teachers and draw.random() < 0.7 else None
            older[specialty].append((number, day))
            self.doctors[hospital, specialty].append((number, day))
            self.add("investigator", number, names[number], hospital, specialty, iso(day), teacher)

    def fill_trials(self) -> None:
        """Programmes of trials, one phase after the other, with their arms and centres."""
        draw = self.random("trial")
        sponsors = {row[1]: row[0] for row in self.tables["sponsor"]}
        drugs = {row[1]: row[0] for row in self.tables["drug"]}
        drafts = []
        for row in self.words["programmes"]:
            start, before = date.fromisoformat(row[8]), None
            for phase in row[9]:
                full = start + timedelta(days=RECRUITING[phase])
                end = full + timedelta(days=SCHEDULE[phase][-1] + draw.randint(10, 40))
                stopped = phase == row[9][-1] and draw.random() < 0.3
                if stopped:
                    end = day_between(draw, start + timedelta(days=90), full)
                if start > TODAY - timedelta(days=60):
                    break
                drafts.append((start, row, phase, full, end, stopped, before))
                before = (row[0], row[3], phase)
                if stopped:
                    break
                start = end + timedelta(days=draw.randint(60, 200))
        numbers: dict[tuple[str, str, int], int] = {}
        in_year: dict[int, int] = defaultdict(int)
        for number, draft in enumerate(sorted(drafts, key=lambda each: each[0]), 1):
            start, row, phase, full, end, stopped, before = draft
            numbers[row[0], row[3], phase] = number
            in_year[start.year] += 1
            self.specialty[number] = row[2]
            name = next(each[1] for each in self.words["conditions"] if each[0] == row[1])
            what = f"{row[3]} against {row[6]}" if phase > 2 else row[3]
            kinds = ("active", "comparator") if phase > 2 else ("active", "active", "placebo")
            over = end <= TODAY
            recruiting = "recruiting" if full > TODAY else "running"
            self.add(
                "trial",
                *(number, f"CT-{start.year}-{in_year[start.year]:03}"),
                *(f"{what} in {name}, phase {phase}", phase, sponsors[row[0]], row[1]),
                *(numbers.get(before) if before else None, iso(start), iso(end) if over else None),
                ("stopped" if stopped else "completed") if over else recruiting,
                *(TARGET[phase], 0),
            )
            for arm, kind in enumerate(kinds, 1):
                new = (drugs[row[3]], row[4] * (1 if arm == 1 else 2), row[5])
                old, none = (drugs[row[6]], row[7], row[5]), (None, None, row[5])
                given = {"active": new, "comparator": old, "placebo": none}[kind]
                self.add("arm", number, arm, kind, *given)
            ended = end if over else None
            centres = self.open_centres(draw, number, row[2], start, full, ended)
            full = min(full, end - timedelta(days=1), TODAY)
            self.trials.append(
                Trial(number, phase, row[1], kinds, start, ended, stopped, full, centres)
            )

    def open_centres(
        self, draw: Random, trial: int, specialty: str, start: date, full: date, end: date | None
    ) -> tuple[tuple[int, int, date], ...]:
        """Hospitals that have a doctor of the specialty, each with one who leads the trial."""
        fitting = [n for n in self.hospitals if self.doctors[n, specialty]]
        centres = []
        for hospital in sorted(draw.sample(fitting, min(len(fitting), draw.randint(4, 7)))):
            opened = start + timedelta(days=draw.randint(0, 30))
            lead = draw.choice(self.doctors[hospital, specialty])[0]
            closed = None
            if end is not None:
                early = end - timedelta(days=draw.choice([0, 0, 0, 5, 9]))
                closed = iso(max(early, opened + timedelta(days=14)))
            self.add("centre", trial, hospital, lead, iso(opened), closed)
            centres.append((hospital, lead, opened))
        return tuple(centres)

    def fill_enrolments(self) -> None:
        """Patients in the order of the days on which they consent, into arms in turn."""
        draw = self.random("enrolment")
        places = []
        for trial in self.trials:
            wanted = TARGET[trial.phase] + draw.randint(-3, 0)
            for _ in range(wanted):
                hospital, lead, opened = draw.choice(trial.centres)
                day = day_between(draw, opened, trial.start + timedelta(RECRUITING[trial.phase]))
                if day + timedelta(days=12) <= trial.full:
                    places.append((day, trial.number, hospital, lead))
        counts: dict[int, int] = defaultdict(int)
        drafts: list[Row] = []
        for day, number, hospital, lead in sorted(places):
            trial = self.trials[number - 1]
            patient = self.one_patient(draw, trial, hospital, day)
            patient.trials.add(number)
            randomised = day + timedelta(days=draw.randint(1, 12))
            arm = 1 + counts[number] % len(trial.arms)
            counts[number] += 1
            last = randomised + timedelta(days=SCHEDULE[trial.phase][-1] + 5)
            events = self.events(draw, trial, arm, randomised, min(last, trial.end or TODAY, TODAY))
            left, reason = self.leaving(draw, randomised, min(last, trial.end or TODAY), events)
            patient.busy = left or min(last, trial.end or last)
            self.add(
                "enrolment",
                *(number, patient.number, arm, iso(day), iso(randomised)),
                *(iso(left) if left else None, reason),
            )
            for event in events:
                if left is None or event[3] <= left:
                    drafts.append((event[3], number, patient.number, event))
            self.visits(draw, trial, patient, lead, randomised, left)
        for place, (_, number, who, event) in enumerate(sorted(drafts, key=lambda d: d[:3]), 1):
            term, severity, (serious, related), start, end = event
            ends = iso(end) if end else None
            self.add(
                "adverse_event",
                *(place, number, who, term, severity, serious, related, iso(start), ends),
            )
        rows = self.tables["trial"]
        self.tables["trial"] = [(*row[:-1], counts[row[0]]) for row in rows]
        visits = sorted(self.tables["visit"], key=lambda row: (row[4], row[0], row[1]))
        self.tables["visit"] = [(n, *row) for n, row in enumerate(visits, 1)]

    def one_patient(self, draw: Random, trial: Trial, hospital: int, day: date) -> Patient:
        """Somebody whom the hospital knows and who is free, or a new patient."""
        free = [
            each
            for each in self.patients[hospital]
            if trial.number not in each.trials
            and self.is_within(each.condition, trial.condition)
            and each.busy + timedelta(days=PAUSE) < day
            and years_before(day, 80) < each.born
        ]
        if free and draw.random() < 0.45:
            return draw.choice(free)
        number = 1 + sum(map(len, self.patients.values()))
        fitting = [code for code in self.parents if self.is_within(code, trial.condition)]
        # Migraine is diagnosed in younger people than the others.
        young, old = (20, 58) if trial.condition.startswith("G43") else (33, 77)
        born = day_between(draw, years_before(day, old), years_before(day, young))
        adult = born.replace(year=born.year + 18, day=min(born.day, 28))
        diagnosed = max(adult, years_before(day, 14))
        diagnosed = day_between(draw, diagnosed, day - timedelta(days=30))
        condition = draw.choice(fitting[1:] or fitting)
        women = 0.72 if condition.startswith("G43") else 0.49
        sex = "female" if draw.random() < women else "male"
        patient = Patient(number, condition, born, diagnosed, hospital, date.min)
        self.patients[hospital].append(patient)
        country = self.hospitals[hospital][2]
        self.add(
            "patient",
            *(number, f"{country[:2].upper()}{hospital:02}-{number:04}", sex, iso(born)),
            *(draw.random() < 0.22, hospital, condition, iso(diagnosed)),
        )
        return patient

    def is_within(self, code: str, category: str) -> bool:
        """Whether a condition is a category or a subdivision of it."""
        while code and code != category:
            code = self.parents[code]
        return bool(code)

    def block(self, code: str) -> str:
        """The block of ICD-10 that a condition belongs to."""
        while self.parents[code]:
            code = self.parents[code]
        return code

    def events(
        self, draw: Random, trial: Trial, arm: int, first: date, last: date
    ) -> list[tuple[str, str, tuple[bool, bool], date, date | None]]:
        """What happens to a patient during a trial, in the order of days."""
        words = self.words["events"]
        own = words["by_block"][self.block(trial.condition)]
        placebo = trial.arms[arm - 1] == "placebo"
        found = []
        for _ in range(draw.choices([0, 1, 2, 3], [10, 6, 3, 1])[0]):
            related = draw.random() < (0.15 if placebo else 0.5)
            kinds = own if related else words["general"]
            term = draw.choices(kinds, range(len(kinds), 0, -1))[0]
            severity = draw.choices(["mild", "moderate", "severe"], [6, 4, 1.5])[0]
            if term in self.words["events"]["grave"]:
                severity = draw.choice(["moderate", "severe"])
            elif term in self.words["events"]["slight"]:
                severity = draw.choice(["mild", "mild", "moderate"])
            serious = severity == "severe" and draw.random() < 0.6
            start = day_between(draw, first, last)
            lasts = {"mild": (1, 9), "moderate": (2, 25), "severe": (5, 60)}[severity]
            end = start + timedelta(days=draw.randint(*lasts))
            found.append((term, severity, (serious, related), start, end if end <= TODAY else None))
        found.sort(key=lambda event: event[3])
        # The same is not reported again while it lasts.
        return [e for n, e in enumerate(found) if e[0] not in {f[0] for f in found[:n]}]

    def leaving(
        self, draw: Random, first: date, last: date, events: list[Any]
    ) -> tuple[date | None, str | None]:
        """When and why a patient leaves before the end, if so."""
        for _, severity, (serious, related), start, _ in events:
            if related and (serious or severity == "severe") and draw.random() < 0.7:
                day = start + timedelta(days=draw.randint(0, 4))
                return (day, "adverse event") if day <= min(last, TODAY) else (None, None)
        if draw.random() < 0.09:
            day = day_between(draw, first + timedelta(days=3), last)
            if first + timedelta(days=3) <= day <= min(last, TODAY):
                return day, draw.choices(list(LEAVING), list(LEAVING.values()))[0]
        return None, None

    def visits(
        self,
        draw: Random,
        trial: Trial,
        patient: Patient,
        lead: int,
        first: date,
        left: date | None,
    ) -> None:
        """The visits that are planned for a patient, and those that were held."""
        ended = trial.end
        doctors = [who for who, _ in self.doctors[patient.hospital, self.specialty[trial.number]]]
        weight = draw.triangular(52, 118, 78)
        pressure = draw.gauss(148 if self.block(trial.condition) == "I10-I15" else 126, 9)
        schedule = SCHEDULE[trial.phase]
        for number, days in enumerate(schedule, 1):
            planned = first + timedelta(days=days)
            if (left and planned > left) or (ended and planned > ended):
                return
            kind = "treatment" if 1 < number < len(schedule) else "follow-up"
            kind = "baseline" if number == 1 else kind
            held = planned + timedelta(days=draw.choice([-2, -1, 0, 0, 0, 1, 1, 2, 3]))
            held = planned if number == 1 else held
            held = min(held, left or held, ended or held)
            missed = number > 1 and draw.random() < 0.06
            weight += draw.uniform(-1.4, 1.1)
            pressure += draw.uniform(-6, 4)
            seen: Row = (None, None, None, None)
            if held <= TODAY and not missed:
                doctor = lead if draw.random() < 0.7 else draw.choice(doctors)
                seen = (iso(held), doctor, round(weight, 1), round(pressure))
            self.add("visit", trial.number, patient.number, number, kind, iso(planned), *seen)

    def fill_samples(self) -> None:
        """What was taken at visits, and what the laboratories of the country, or of one next to it,
        found."""
        draw = self.random("sample")
        near = {"Austria": "Styria Laboratory", "Belgium": "Schelde Laboratory"}
        near |= {row[1]: row[0] for row in self.words["laboratories"] if row[1] not in near}
        numbers = {row[1]: row[0] for row in self.tables["laboratory"]}
        homes = {who.number: place for place, mine in self.patients.items() for who in mine}
        trials = {trial.number: trial for trial in self.trials}
        base: dict[tuple[int, str], float] = {}
        taken = []
        for visit, number, who, _, kind, _, held, *_ in self.tables["visit"]:
            if held is None or (kind == "treatment" and draw.random() < 0.6):
                continue
            block = self.block(trials[number].condition)
            for material in ("blood", "urine") if kind != "treatment" else ("blood",):
                tests = [
                    row
                    for row in self.words["tests"]
                    if row[2] == material and (not row[9] or block in row[9])
                ]
                if tests:
                    minute = timedelta(minutes=draw.randint(7 * 60 + 20, 11 * 60 + 40))
                    at = datetime.fromisoformat(held) + minute
                    taken.append((at, visit, material, who, tests))
        for sample, (at, visit, material, who, tests) in enumerate(sorted(taken), 1):
            laboratory = numbers[near[self.hospitals[homes[who]][2]]]
            received = at + timedelta(minutes=draw.randint(50, 25 * 60))
            measured = received.date() + timedelta(days=draw.choice([0, 0, 1, 1, 2]))
            cost = 0.0
            for code, _, _, _, low, high, price, middle, spread, _ in tests:
                if measured > TODAY or draw.random() < 0.04:
                    continue  # it was lost, or is not ready
                level = base.setdefault((who, code), draw.gauss(middle, spread))
                value = max(level + draw.gauss(0, spread / 4), middle / 20)
                value = float(round(value) if high > 40 else round(value, 1))
                flag = "low" if value < low else "high" if value > high else "normal"
                self.add("result", sample, code, iso(measured), value, flag)
                cost += price
            barcode = f"{material[0].upper()}{at:%y%m}{sample:05}"
            times = (at.isoformat(), received.isoformat())
            self.add("sample", sample, barcode, visit, material, *times, laboratory, round(cost, 2))


def years_before(day: date, years: int) -> date:
    """The day some years before; the last of February is the 28th."""
    return day.replace(year=day.year - years, day=min(day.day, 28))


def day_between(draw: Random, first: date, last: date) -> date:
    """A day from `first` to `last`."""
    return first + timedelta(days=draw.randint(0, max(0, (last - first).days)))


def iso(when: date) -> str:
    """The day as text."""
    return when.isoformat()


def fill(path: str | Path, seed: int = 7) -> None:
    """Write the database to `path`, which must not exist or be empty.

    Raises:
        FileExistsError: there is a file with content already.
    """
    path = Path(path)
    if path.exists() and path.stat().st_size:
        raise FileExistsError(f"{path} is there already; give another path or remove it first.")
    words = tomllib.loads((HERE / "vocabulary.toml").read_text(encoding="utf-8"))
    tables = Filler(seed, words).run()
    connection = sqlite3.connect(path)
    try:
        connection.execute("PRAGMA page_size = 4096")
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript((HERE / "schema.sql").read_text(encoding="utf-8"))
        # Rows come in the order they were drawn; keys are looked at when all are there.
        connection.execute("PRAGMA foreign_keys = ON")
        with connection:
            connection.execute("PRAGMA defer_foreign_keys = ON")
            for table, rows in tables.items():
                marks = ", ".join("?" * len(rows[0]))
                connection.executemany(f'INSERT INTO "{table}" VALUES ({marks})', rows)
    finally:
        connection.close()


if __name__ == "__main__":
    fill(sys.argv[1])
