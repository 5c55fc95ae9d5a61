"""Write the example database of night trains.

`fill(path)` is deterministic: the same seed gives the same rows, and with one SQLite version the
same bytes. It needs the standard library only and reads `schema.sql` and `vocabulary.toml` beside
it, so it can be run by path: `python fill.py night_trains.sqlite`.
"""

from __future__ import annotations

import sqlite3
import sys
import tomllib
import unicodedata
from collections import defaultdict
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import count, pairwise
from math import asin, cos, radians, sin, sqrt
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).resolve().parent
TODAY = date(2025, 8, 20)  # the data end here; later trains are scheduled, not run
FIRST_NIGHT = date(2025, 6, 2)
NIGHTS = 96  # the timetable is open until 5 September
TRAVELLERS = 900
BOOKINGS = 2100
CRUISE_KMH = 74  # what a night train makes of its kilometres, stops left out

KINDS = {"sleeping car": (30, 95), "couchette car": (54, 48), "seated coach": (66, 24)}
POSTS = {"train manager": 3300, "driver": 3900, "attendant": 2500}

type Row = tuple[Any, ...]


@dataclass(frozen=True)
class Stop:
    """Where a line calls, minutes after its first departure, kilometres from its start."""

    station: int
    arrives: int
    departs: int
    km: int


@dataclass(frozen=True)
class Line:
    """What the rest of the data has to know about a line."""

    number: int
    operator: int
    leaves: int
    stops: tuple[Stop, ...]


@dataclass(frozen=True)
class Train:
    """One night of a line, with the coaches in their positions."""

    number: int
    line: Line
    night: date
    status: str
    delay: int
    coaches: tuple[tuple[int, str, int], ...]

    @property
    def ran(self) -> bool:
        """Whether it has run."""
        return self.status == "ran"


class Filler:
    """Draws the rows of every table into `tables`, in an order that keeps all references."""

    def __init__(self, seed: int, words: dict[str, Any]) -> None:
        self.seed = seed
        self.words = words
        self.tables: dict[str, list[Row]] = {}
        self.places = {town[0]: n for n, town in enumerate(words["stations"], 1)}
        self.operators = {row[0]: n for n, row in enumerate(words["operators"], 1)}
        self.lines: list[Line] = []
        self.trains: list[Train] = []
        self.coaches: dict[int, list[tuple[int, str, int]]] = defaultdict(list)
        self.names: set[str] = set()

    def random(self, table: str) -> Random:
        """A generator for one table, so that a change in one leaves the others as they were."""
        return Random(f"{self.seed}:{table}")  # noqa: S311 - reproducibility, not secrecy

    def run(self) -> dict[str, list[Row]]:
        """All rows by table name."""
        self.fill_network()
        self.fill_coaches()
        self.fill_trains()
        self.fill_crews()
        self.fill_travellers()
        self.fill_bookings()
        return self.tables

    def add(self, table: str, *values: Any) -> None:
        """One row."""
        self.tables.setdefault(table, []).append(values)

    def person(self, draw: Random, people: str) -> str:
        """A name of one of the peoples; two people share one only now and then."""
        names = self.words["names"][people]
        for _ in range(4):
            name = f"{draw.choice(names['first'])} {draw.choice(names['last'])}"
            if name not in self.names:
                break
        self.names.add(name)
        return name

    def fill_network(self) -> None:
        """Stations, the tracks between neighbours, operators, lines and their stops."""
        draw = self.random("network")
        for number, (town, name, country, north, east, platforms, _) in enumerate(
            self.words["stations"], 1
        ):
            lounge = platforms >= 8 and draw.random() < 0.6
            self.add("station", number, name, town, country, north, east, platforms, lounge)
        lengths: dict[tuple[int, int], int] = {}
        for *_, towns in self.words["lines"]:
            for one, other in pairwise(self.places[town] for town in towns):
                pair = (min(one, other), max(one, other))
                lengths.setdefault(pair, round(self.distance(*pair) * draw.uniform(1.12, 1.3)))
        for pair in sorted(lengths):
            self.add("track", *pair, lengths[pair], draw.choice([120, 140, 160, 160, 200, 230]))
        for number, (name, country, founded) in enumerate(self.words["operators"], 1):
            self.add("operator", number, name, country, founded)
        for number, (code, name, operator, opened, bicycles, leaves, towns) in enumerate(
            self.words["lines"], 1
        ):
            self.add("line", number, code, name, self.operators[operator], opened, bicycles)
            hour, minute = map(int, leaves.split(":"))
            line = Line(
                number,
                self.operators[operator],
                hour * 60 + minute,
                tuple(self.stops(draw, [self.places[town] for town in towns], lengths)),
            )
            self.lines.append(line)
            for order, stop in enumerate(line.stops, 1):
                last = order == len(line.stops)
                at = stop.arrives if last else stop.departs
                self.add(
                    "line_stop",
                    *(number, order, stop.station),
                    clock(line.leaves + stop.arrives) if order > 1 else None,
                    None if last else clock(line.leaves + stop.departs),
                    *((line.leaves + at) // 1440, stop.km),
                )

    def stops(
        self, draw: Random, stations: list[int], lengths: dict[tuple[int, int], int]
    ) -> list[Stop]:
        """The stops of a line, as fast as its kilometres allow."""
        stops, minutes, km = [Stop(stations[0], 0, 0, 0)], 0, 0
        for one, other in pairwise(stations):
            length = lengths[min(one, other), max(one, other)]
            km += length
            minutes += round(length / CRUISE_KMH * 60)
            wait = draw.choice([4, 6, 9, 15, 25])
            stops.append(Stop(other, minutes, minutes + wait, km))
            minutes += wait
        return stops

    def distance(self, one: int, other: int) -> float:
        """Kilometres as the crow flies."""
        (_, _, _, lat1, lon1, *_), (_, _, _, lat2, lon2, *_) = (
            self.words["stations"][n - 1] for n in (one, other)
        )
        north = sin(radians(lat2 - lat1) / 2) ** 2
        east = sin(radians(lon2 - lon1) / 2) ** 2
        return 12742 * asin(sqrt(north + cos(radians(lat1)) * cos(radians(lat2)) * east))

    def fill_coaches(self) -> None:
        """Each operator has enough for all its lines in both directions, and some spare."""
        draw = self.random("coach")
        lines = defaultdict(int)
        for line in self.lines:
            lines[line.operator] += 1
        numbers = count(1)
        for operator, served in sorted(lines.items()):
            founded = self.words["operators"][operator - 1][2]
            for kind, (places, _) in KINDS.items():
                for _ in range(served * 2 + draw.randint(1, 3)):
                    number = next(numbers)
                    built = draw.randint(1978, 2023)
                    early = max(built + 12, founded)
                    renewed = draw.randint(early, 2025) if early <= 2020 else None
                    code = f"{draw.randint(50, 73)} {draw.randint(10, 99)} {number:03}"
                    size = places - draw.choice([0, 0, 0, 6])
                    access = built > 2008 or ((renewed or 0) > 2015 and draw.random() < 0.4)
                    self.add("coach", number, code, kind, operator, built, renewed, size, access)
                    self.coaches[operator].append((number, kind, size))

    def fill_trains(self) -> None:
        """Two or three nights of each line in a week; what happened to those that ran."""
        draw = self.random("train")
        numbers, incidents = count(1), count(1)
        used: dict[int, date] = {}
        for day in range(NIGHTS):
            night = FIRST_NIGHT + timedelta(days=day)
            for line in self.lines:
                if (day + line.number) % 3:
                    continue
                cancelled = draw.random() < 0.035
                ran = night < TODAY and not cancelled
                coaches = self.formation(draw, line, night, used)
                number = next(numbers)
                delay = self.incidents(draw, incidents, number, line) if ran else 0
                status = "cancelled" if cancelled else "ran" if ran else "scheduled"
                self.add("train", number, line.number, iso(night), status, delay if ran else None)
                for position, (coach, _, _) in enumerate(coaches, 1):
                    self.add("formation", number, position, coach)
                self.trains.append(Train(number, line, night, status, delay, coaches))

    def formation(
        self, draw: Random, line: Line, night: date, used: dict[int, date]
    ) -> tuple[tuple[int, str, int], ...]:
        """Coaches that were not under way in the night before or in this one."""
        free = [
            coach
            for coach in self.coaches[line.operator]
            if (night - used.get(coach[0], date.min)).days > 1
        ]
        wanted = ["sleeping car", "couchette car", "seated coach"]
        wanted += draw.choices(list(KINDS), [2, 3, 1], k=draw.randint(0, 2))
        chosen: list[tuple[int, str, int]] = []
        for kind in sorted(wanted, key=list(KINDS).index):
            fitting = [c for c in free if c[1] == kind and c not in chosen]
            if fitting:
                chosen.append(draw.choice(fitting))
        for coach in chosen:
            used[coach[0]] = night
        return tuple(chosen)

    def incidents(self, draw: Random, numbers: count[int], train: int, line: Line) -> int:
        """Write what went wrong; the minutes that the train was late at its last stop."""
        lost = 0
        for _ in range(draw.choices([0, 1, 2, 3], [58, 30, 9, 3])[0]):
            cause, usual = draw.choice(self.words["causes"])
            minutes = max(3, round(draw.triangular(0.3, 2.5, 0.9) * usual))
            stop = draw.choice(line.stops)
            place = stop.station if draw.random() < 0.7 or cause == "border check" else None
            police = cause in {"trespasser on the track", "border check"} and draw.random() < 0.6
            self.add("incident", next(numbers), train, place, cause, minutes, police)
            lost += minutes
        # Waiting times in the timetable make up for some of it.
        return max(0, lost - draw.randint(0, 18)) if lost else draw.choice([0, 0, 0, 1, 2, 4])

    def fill_crews(self) -> None:
        """A manager, a driver and attendants for each train that ran or will."""
        draw = self.random("employee")
        served: dict[int, int] = defaultdict(int)
        for line in self.lines:
            served[line.operator] += 1
        numbers = count(1)
        crews: dict[tuple[int, str], list[tuple[int, date]]] = defaultdict(list)
        homes = {"Austria": "german", "Germany": "german", "Italy": "italian", "France": "french"}
        homes |= {"Poland": "slavic", "Sweden": "nordic"}
        for operator, lines in sorted(served.items()):
            _, country, founded = self.words["operators"][operator - 1]
            for post, pay in POSTS.items():
                for _ in range(lines * (3 if post == "attendant" else 2) + 1):
                    number = next(numbers)
                    name = self.person(draw, homes[country])
                    hired = day_between(draw, date(founded, 3, 1), date(2025, 4, 30))
                    elder = [n for n, since in crews[operator, post] if (hired - since).days > 700]
                    mentor = draw.choice(elder) if elder and draw.random() < 0.8 else None
                    years = (TODAY - hired).days // 365
                    paid = pay + years * draw.randint(25, 70) + draw.randint(0, 12) * 10
                    self.add("employee", number, name, post, operator, mentor, iso(hired), paid)
                    crews[operator, post].append((number, hired))
        busy: dict[int, date] = {}
        for train in self.trains:
            if train.status == "cancelled":
                continue
            needed = ["train manager", "driver", *["attendant"] * max(1, len(train.coaches) // 2)]
            for post in needed:
                free = [
                    n
                    for n, hired in crews[train.line.operator, post]
                    if hired < train.night and (train.night - busy.get(n, date.min)).days > 1
                ]
                if not free:
                    continue
                employee = draw.choice(free)
                busy[employee] = train.night
                late = train.delay / 60 if train.ran else 0
                length = train.line.stops[-1].arrives / 60 + 1 + late
                shift = length / 2 + 0.5 if post == "driver" else length
                self.add("duty", train.number, employee, round(shift, 1))

    def fill_travellers(self) -> None:
        """Grown-ups who live near a station, some of whom were brought by another."""
        draw = self.random("traveller")
        towns = self.words["stations"]
        weights = [town[5] for town in towns]
        for number in range(1, TRAVELLERS + 1):
            home = draw.choices(range(len(towns)), weights)[0]
            name = self.person(draw, towns[home][6])
            born = day_between(draw, date(1941, 1, 1), date(2007, 5, 31))
            # Some have brought many others.
            friend = None
            if number > 9 and draw.random() < 0.35:
                friend = min(draw.randint(1, number - 1), draw.randint(1, number - 1))
            email = f"{plain(name)}.{number}@post.example" if draw.random() < 0.9 else None
            self.add(
                "traveller",
                *(number, name, iso(born), home + 1 if draw.random() < 0.94 else None),
                *(friend, email),
            )

    def fill_bookings(self) -> None:
        """Journeys out, and often back some nights later; complaints about some that ran."""
        draw = self.random("booking")
        taken: dict[tuple[int, int], set[int]] = defaultdict(set)
        by_line: dict[int, list[Train]] = defaultdict(list)
        for train in self.trains:
            by_line[train.line.number].append(train)
        drafts = []
        for _ in range(BOOKINGS):
            line = draw.choices(self.lines, [8 + 3 * (n % 4) for n in range(len(self.lines))])[0]
            drafts.append(self.journey(draw, draw.choice(by_line[line.number]), taken))
        complete = sorted((d for d in drafts if d), key=lambda d: d[0])
        complaints = count(1)
        for number, (booked, legs) in enumerate(complete, 1):
            trains = [train for train, *_ in legs]
            dropped = any(train.status == "cancelled" for train in trains)
            status = "refunded" if dropped else "cancelled" if draw.random() < 0.06 else "confirmed"
            # The loyal book more often: the lower of two numbers is taken.
            traveller = min(draw.randint(1, TRAVELLERS), draw.randint(1, TRAVELLERS))
            letters = "".join(draw.choices("ABCDEFGHJKLMNPQRSTUVWXYZ", k=4))
            channel = draw.choices(["app", "website", "counter", "telephone"], [9, 7, 2, 1])[0]
            self.add(
                "booking",
                *(number, f"{letters}{number:04}", traveller),
                *(booked.isoformat(), channel, status),
            )
            for order, (train, position, place, start, end, fare) in enumerate(legs, 1):
                self.add(
                    "journey_leg",
                    *(number, order, train.number, position, place, start, end, fare),
                )
            if status != "cancelled":
                self.complaint(draw, complaints, number, legs)

    def journey(
        self, draw: Random, train: Train, taken: dict[tuple[int, int], set[int]]
    ) -> tuple[datetime, list[Row]] | None:
        """When it was booked, and its legs: on this train and, where a line goes there, back."""
        first, last = sorted(draw.sample(range(len(train.line.stops)), 2))
        latest = min(train.night, TODAY) - timedelta(days=1)
        ahead = round(draw.triangular(0, 120, 21))
        booked_on = latest - timedelta(days=ahead)
        booked = datetime(booked_on.year, booked_on.month, booked_on.day, draw.randint(6, 22))
        booked += timedelta(minutes=draw.randint(0, 59))
        legs = [self.leg(draw, train, first, last, taken, ahead)]
        way = (train.line.stops[last].station, train.line.stops[first].station)
        for back in self.trains:
            stations = [stop.station for stop in back.line.stops]
            if (
                4 <= (back.night - train.night).days <= 14
                and set(way) <= set(stations)
                and stations.index(way[0]) < stations.index(way[1])
                and draw.random() < 0.3
            ):
                start, end = (stations.index(station) for station in way)
                legs.append(self.leg(draw, back, start, end, taken, ahead))
                break
        return None if None in legs else (booked, [leg for leg in legs if leg])

    def leg(
        self,
        draw: Random,
        train: Train,
        first: int,
        last: int,
        taken: dict[tuple[int, int], set[int]],
        ahead: int,
    ) -> Row | None:
        """A free place in a coach of the train, and what it cost."""
        position = draw.randint(1, len(train.coaches))
        _, kind, places = train.coaches[position - 1]
        free = sorted(set(range(11, 11 + places)) - taken[train.number, position])
        if not free:
            return None
        place = draw.choice(free)
        taken[train.number, position].add(place)
        start, end = train.line.stops[first], train.line.stops[last]
        price = KINDS[kind][1] * (0.45 + (end.km - start.km) / 900)
        price *= 1.25 - min(ahead, 90) / 180
        fare = max(9, round(price)) + draw.choice([0, 0.5, 0.9])
        return train, position, place, start.station, end.station, fare

    def complaint(self, draw: Random, numbers: count[int], booking: int, legs: list[Row]) -> None:
        """Late trains bring complaints about it, others about other things now and then."""
        train = legs[0][0]
        if not train.ran:
            return
        late = train.delay >= 60 and draw.random() < 0.4
        if not late and draw.random() > 0.04:
            return
        others = [topic for topic in self.words["topics"] if topic != "delay"]
        filed = train.night + timedelta(days=draw.randint(1, 12))
        if filed > TODAY:
            return
        answered = filed + timedelta(days=draw.randint(2, 30))
        known = answered <= TODAY and draw.random() < 0.85
        fare = sum(leg[-1] for leg in legs)
        granted = known and (late or draw.random() < 0.4)
        share = (0.5 if train.delay >= 120 else 0.25) if late else 0.1
        self.add(
            "complaint",
            *(next(numbers), booking, iso(filed), "delay" if late else draw.choice(others)),
            *(iso(answered) if known else None, round(fare * share, 2) if granted else None),
        )


def clock(minutes: int) -> str:
    """The time of day."""
    return f"{minutes // 60 % 24:02}:{minutes % 60:02}:00"


def plain(name: str) -> str:
    """A name as it stands in an address."""
    letters = unicodedata.normalize("NFD", name.casefold().replace(" ", "."))
    return "".join(c for c in letters if c.isascii() and (c.isalpha() or c == "."))


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
        connection.execute("PRAGMA foreign_keys = ON")
        with connection:
            order = ["station", "track", "operator", "line", "line_stop", "train", "coach"]
            for table in [*order, *(name for name in tables if name not in order)]:
                marks = ", ".join("?" * len(tables[table][0]))
                connection.executemany(f'INSERT INTO "{table}" VALUES ({marks})', tables[table])
    finally:
        connection.close()


if __name__ == "__main__":
    fill(sys.argv[1])
