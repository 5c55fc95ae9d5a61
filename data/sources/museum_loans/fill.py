"""Write the example database: museums that lend works of art to each other.

`fill(path)` is deterministic: the same seed gives the same rows, and with one SQLite version the
same bytes. It needs the standard library only and reads `schema.sql` and `vocabulary.toml` beside
it, so it can be run by path: `python fill.py museum_loans.sqlite`.
"""

from __future__ import annotations

import sqlite3
import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).resolve().parent
TODAY = date(2025, 6, 30)  # the data ends here; later loans are agreed, not under way
ARTISTS = 320
ARTWORKS = 1700
EXHIBITIONS = 170
TOURS = 120

type Row = tuple[Any, ...]

# What a museum of a kind collects: genres with weights, and when its artists were born.
COLLECTS: dict[str, tuple[dict[str, int], tuple[int, int]]] = {
    "fine art": (
        {"portrait": 6, "landscape": 6, "history": 5, "still life": 4, "everyday life": 4},
        (1490, 1900),
    ),
    "modern art": (
        {"abstract": 8, "sculpture": 2, "portrait": 2, "everyday life": 1, "photograph": 1},
        (1840, 1995),
    ),
    "sculpture": ({"sculpture": 1}, (1490, 1995)),
    "photography": ({"photograph": 1}, (1830, 1995)),
    "decorative arts": ({"ornament": 1}, (1490, 1995)),
    "prints and drawings": (
        {"portrait": 3, "landscape": 4, "everyday life": 3, "history": 1},
        (1490, 1995),
    ),
}
MEDIA: dict[str, tuple[str, ...]] = {
    "portrait": ("oil on canvas", "oil on canvas", "oil on panel", "pastel"),
    "landscape": ("oil on canvas", "oil on canvas", "oil on panel", "watercolour"),
    "still life": ("oil on canvas", "oil on panel"),
    "history": ("oil on canvas", "fresco transferred to canvas"),
    "everyday life": ("oil on canvas", "oil on panel", "watercolour"),
    "abstract": ("oil on canvas", "acrylic on canvas", "acrylic on canvas", "collage"),
    "sculpture": ("bronze", "bronze", "marble", "limewood", "steel"),
    "photograph": ("gelatin silver print", "gelatin silver print", "chromogenic print"),
    "ornament": ("porcelain", "glazed earthenware", "silk", "glass", "silver"),
}
PAPER = ("etching", "woodcut", "lithograph", "chalk on paper", "ink on paper")
# Relative value and usual height in centimetres.
WORTH = {"oil on canvas": 10, "bronze": 8, "marble": 12, "oil on panel": 9, "silver": 4}
HEIGHT = {"history": 180, "sculpture": 120, "ornament": 45, "photograph": 50, "abstract": 130}


@dataclass(frozen=True)
class Museum:
    """What the rest of the data has to know about a museum."""

    number: int
    name: str
    kind: str
    city: int
    people: str
    founded: int
    size: int
    visitors: int


@dataclass(frozen=True)
class Artist:
    """An artist; `rank` 0 is the most famous."""

    number: int
    name: str
    people: str
    born: int
    died: int | None
    movement: int
    rank: int


@dataclass(frozen=True)
class Artwork:
    """A work, its owner, the room it hangs in, its value."""

    number: int
    owner: int
    artist: Artist
    room: int | None
    acquired: date | None
    value: int


@dataclass(frozen=True)
class Exhibition:
    """An exhibition and when it is open."""

    number: int
    museum: Museum
    opens: date
    closes: date


class Filler:
    """Draws the rows of every table into `tables`, in an order that keeps all references."""

    def __init__(self, seed: int, words: dict[str, Any]) -> None:
        self.seed = seed
        self.words = words
        self.tables: dict[str, list[Row]] = {}
        self.cities: list[tuple[str, str]] = []
        self.museums: list[Museum] = []
        self.rooms: dict[int, list[tuple[int, bool]]] = {}
        self.staff: dict[tuple[int, str], list[tuple[int, date]]] = {}
        self.artists: list[Artist] = []
        self.artworks: list[Artwork] = []
        self.exhibitions: list[Exhibition] = []
        self.people: set[str] = set()
        self.sitters = {
            people: [f"{first} {last}" for first in names["first"] for last in names["last"]]
            for people, names in words["names"].items()
        }
        self.away: dict[int, list[tuple[date, date]]] = {}

    def random(self, table: str) -> Random:
        """A generator for one table, so that a change in one leaves the others as they were."""
        return Random(f"{self.seed}:{table}")  # noqa: S311 - reproducibility, not secrecy

    def run(self) -> dict[str, list[Row]]:
        """All rows by table name."""
        self.places()
        self.fill_rooms()
        self.fill_staff()
        self.fill_artists()
        self.fill_artworks()
        self.fill_exhibitions()
        self.fill_loans()
        self.fill_placements()
        self.fill_tours()
        self.fill_climate()
        return self.tables

    def person(self, draw: Random, people: str) -> str:
        """A name of one of the peoples; two people share one only now and then."""
        names = self.words["names"][people]
        for _ in range(4):
            name = f"{draw.choice(names['first'])} {draw.choice(names['last'])}"
            if name not in self.people:
                break
        self.people.add(name)
        return name

    def places(self) -> None:
        """Cities, museums, profiles, movements."""
        draw = self.random("museum")
        numbers = {}
        for number, (name, country, population, coast, people) in enumerate(
            self.words["cities"], 1
        ):
            numbers[name] = number
            self.cities.append((name, people))
            self.add("city", number, name, country, population, coast)
        for number, (name, city, kind, founded, size) in enumerate(self.words["museums"], 1):
            visitors = size * size * draw.randint(9_000, 26_000) + draw.randint(2_000, 15_000)
            people = self.cities[numbers[city] - 1][1]
            museum = Museum(number, name, kind, numbers[city], people, founded, size, visitors)
            self.museums.append(museum)
            opens = draw.choice(["09:00:00", "09:30:00", "10:00:00", "10:00:00", "11:00:00"])
            closes = draw.choice(["17:00:00", "17:30:00", "18:00:00", "18:00:00", "20:00:00"])
            fee = 0 if draw.random() < 0.2 else size * 2 + draw.randint(2, 8) / 2
            sundays = fee > 0 and draw.random() < 0.3
            self.add(
                "museum",
                *(number, name, kind, numbers[city], founded, opens, closes),
                *(visitors, fee, sundays),
            )
            if size > 1 or draw.random() < 0.3:
                motto = draw.choice(self.words["mottos"]) if draw.random() < 0.6 else None
                site = "".join(c for c in name.casefold() if c.isascii() and c.isalpha())
                storage = size * draw.randint(900, 4_000) / 10
                lab = draw.random() < size / 7
                self.add("museum_profile", number, f"https://{site}.example", motto, lab, storage)
        for number, (name, start, end) in enumerate(self.words["movements"], 1):
            self.add("movement", number, name, start, end or None)

    def fill_rooms(self) -> None:
        """Three to twenty rooms a museum; some have a name."""
        draw = self.random("room")
        for museum in self.museums:
            self.rooms[museum.number] = []
            for room in range(1, museum.size * 3 + draw.randint(1, 4)):
                named = draw.random() < 0.35
                after = draw.choice(self.words["words"]["colour"] + ["Founders'", "Marble", "Long"])
                name = f"{after} {draw.choice(['Room', 'Gallery', 'Hall'])}" if named else None
                controlled = draw.random() < 0.3 + museum.size / 12
                self.rooms[museum.number].append((room, controlled))
                area = draw.randint(280, 1_600 + 250 * museum.size) / 10
                floor = min(room // 6, 3) - (draw.random() < 0.1)
                self.add("room", museum.number, room, name, floor, area, controlled)

    def fill_staff(self) -> None:
        """A director, whom curators and a registrar report to; the others report to those."""
        draw = self.random("staff")
        numbers = count(1)
        for museum in self.museums:
            heads: dict[str, int | None] = {"director": None}
            for title, reports_to, people, pay in (
                ("director", "director", 1, 78_000),
                ("curator", "director", 1 + museum.size, 51_000),
                ("registrar", "director", 1, 43_000),
                ("conservator", "curator", museum.size // 2 + 1, 46_000),
                ("courier", "registrar", museum.size // 2 + 1, 34_000),
                ("guide", "curator", museum.size + 1, 29_000),
                ("guard", "registrar", museum.size, 27_000),
            ):
                for _ in range(people):
                    number = next(numbers)
                    people_of = (
                        museum.people if draw.random() < 0.8 else draw.choice(self.cities)[1]
                    )
                    name = self.person(draw, people_of)
                    hired = day(draw, date(max(1992, museum.founded), 3, 1), date(2025, 1, 31))
                    years = (TODAY - hired).days / 365
                    salary = pay * (0.9 + museum.size / 30) + years * draw.randint(150, 420)
                    ascii_name = name.casefold().replace(" ", ".")
                    email = f"{ascii_name}@museum{museum.number}.example"
                    self.add(
                        "staff",
                        *(number, name, title, museum.number, heads.get(reports_to), iso(hired)),
                        *(round(salary, 2), email if draw.random() < 0.85 else None),
                    )
                    heads.setdefault(title, number)
                    if heads[title] is None:
                        heads[title] = number
                    self.staff.setdefault((museum.number, title), []).append((number, hired))

    def fill_artists(self) -> None:
        """Artists, their movements, and teachers who are a generation older."""
        draw = self.random("artist")
        movements = self.tables["movement"]
        weights = [3, 6, 3, 3, 5, 6, 7, 3, 5, 4, 6, 4, 3, 3, 5, 5, 4, 4, 2, 4]
        ranks = list(range(ARTISTS))
        draw.shuffle(ranks)
        drafts = []
        for rank in ranks:
            style = draw.choices(movements, weights)[0]
            home = draw.choice(range(len(self.cities)))
            end = style[3] or 2015
            born = draw.randint(style[2] - 30, max(style[2] - 10, end - 28))
            last = born + round(draw.triangular(33, 97, 72))
            drafts.append((born, rank, style[0], home, None if last > 2024 else last))
        for number, (born, rank, movement, home, died) in enumerate(
            sorted(drafts, key=lambda d: d[:2]), 1
        ):
            people = self.cities[home][1]
            artist = Artist(number, self.person(draw, people), people, born, died, movement, rank)
            older = [a for a in self.artists if 17 <= born - a.born <= 45]
            near = [a for a in older if a.people == people] or older
            taught = near and draw.random() < 0.6
            # The famous have more pupils: the better of two is taken.
            teacher = min(draw.choices(near, k=2), key=lambda a: a.rank).number if taught else None
            birthplace = home + 1 if draw.random() < 0.93 else None
            deathplace = None
            if died and draw.random() < 0.85:
                moved = draw.random() < 0.55
                deathplace = draw.randint(1, len(self.cities)) if moved else home + 1
            self.artists.append(artist)
            self.add("artist", number, artist.name, born, died, birthplace, deathplace, teacher)
            self.add("artist_movement", number, movement)
            if draw.random() < 0.3:
                others = [
                    m[0]
                    for m in movements
                    if m[0] != movement and m[2] < (died or 2024) and (m[3] or 2025) > born + 25
                ]
                if others:
                    self.add("artist_movement", number, draw.choice(others))

    def fill_artworks(self) -> None:
        """Works with a maker, a room or none, and a value that fame, medium and size explain."""
        draw = self.random("artwork")
        weights = [m.size * m.size for m in self.museums]
        chosen = sorted(draw.choices(self.museums, weights, k=ARTWORKS), key=lambda m: m.number)
        for number, museum in enumerate(chosen, 1):
            genres, (earliest, latest) = COLLECTS[museum.kind]
            genre = draw.choices(list(genres), list(genres.values()))[0]
            if genre == "photograph":
                earliest = 1830
            able = [a for a in self.artists if earliest <= a.born <= latest]
            artist = draw.choices(able, [1 / (a.rank + 8) for a in able])[0]
            paper = museum.kind == "prints and drawings"
            medium = draw.choice(PAPER if paper else MEDIA[genre])
            last = min(artist.died or 2024, artist.born + 75)
            year = draw.randint(min(artist.born + 20, last), last)
            usual = 35 if paper else HEIGHT.get(genre, 80)
            height = draw.randint(usual * 4, usual * 16) / 10
            width = round(height * draw.choice([0.6, 0.75, 0.8, 1.0, 1.25, 1.4, 1.6]), 1)
            fame = 4_000_000 / (artist.rank + 4)
            value = fame * WORTH.get(medium, 2) / 10 * (0.4 + height / 150) * draw.uniform(0.5, 1.8)
            value = max(500, round(value / 500) * 500)
            acquired = None
            first = max(year, museum.founded, 1850)
            if first <= 2024 and draw.random() < 0.9:
                acquired = day(draw, date(first, 1, 15), date(2025, 5, 31))
            shown = draw.random() < 0.72
            room = draw.choice(self.rooms[museum.number])[0] if shown else None
            self.artworks.append(Artwork(number, museum.number, artist, room, acquired, value))
            self.add(
                "artwork",
                *(number, f"{museum.number:02}-{(acquired or TODAY).year}/{number:04}"),
                *(self.title(draw, genre, artist), genre, medium),
                *(year if draw.random() < 0.92 else None, height, width, draw.random() < 0.6),
                *(museum.number, room, iso(acquired), value),
            )
            self.credit(draw, number, artist, genre)

    def credit(self, draw: Random, artwork: int, artist: Artist, genre: str) -> None:
        """Who made the work, as what, and whether that is certain."""
        roles = {"sculpture": "sculptor", "photograph": "photographer", "ornament": "designer"}
        certain = draw.random() < 0.88
        role = roles.get(genre, "painter") if certain else draw.choice(["follower", "workshop"])
        self.add("artwork creator", artwork, artist.number, role, certain)
        if draw.random() < 0.14:
            others = [a for a in self.artists if a != artist and abs(a.born - artist.born) < 30]
            if others:
                self.add(
                    "artwork creator",
                    *(artwork, draw.choice(others).number, "assistant", draw.random() < 0.6),
                )

    def title(self, draw: Random, genre: str, artist: Artist) -> str:
        """A title of the genre."""
        pattern = draw.choice(self.words["titles"][genre]["patterns"])
        # A sitter or a town has the name of the artist's own region more often than not.
        near = draw.random() < 0.7
        people = artist.people if near else draw.choice(self.cities)[1]
        town = draw.choice([name for name, of in self.cities if of == people])
        words = {key: draw.choice(items) for key, items in sorted(self.words["words"].items())}
        text: str = pattern.format(
            person=draw.choice(self.sitters[people]), city=town, number=draw.randint(1, 12), **words
        )
        return text

    def fill_exhibitions(self) -> None:
        """Exhibitions since 2015; visitors are counted when they have closed."""
        draw = self.random("exhibition")
        weights = [m.size for m in self.museums]
        drafts = sorted(
            (day(draw, date(2015, 2, 1), date(2025, 11, 15)), m.number)
            for m in draw.choices(self.museums, weights, k=EXHIBITIONS)
        )
        for number, (opens, where) in enumerate(drafts, 1):
            museum = self.museums[where - 1]
            closes = opens + timedelta(days=7 * draw.randint(6, 28))
            curators = [n for n, hired in self.staff[where, "curator"] if hired < opens]
            curator = draw.choice(curators) if curators and draw.random() < 0.9 else None
            share = (closes - opens).days / 365 * draw.uniform(0.3, 1.1)
            visitors = round(museum.visitors * share) if closes < TODAY else None
            theme, other = draw.sample(self.words["words"]["theme"], 2)
            movement = draw.choice(self.tables["movement"])[1]
            artist = min(draw.sample(self.artists, 4), key=lambda a: a.rank).name
            title = draw.choice(
                [
                    f"{theme} and {other}",
                    f"{movement}: {theme}",
                    f"Masters of {movement}",
                    f"{artist}. A Retrospective",
                    f"{artist} and {theme}",
                    theme,
                ]
            )
            self.exhibitions.append(Exhibition(number, museum, opens, closes))
            price = draw.choice([0, 5, 8, 9.5, 12, 14, 15.5]) if museum.size < 4 else 0
            self.add(
                "exhibition",
                *(number, title, where, curator, iso(opens), iso(closes)),
                *(price or museum.size * 2 + draw.randint(4, 12) / 2, visitors),
                draw.random() < 0.25,
            )

    def fill_loans(self) -> None:
        """Loans to exhibitions, and long ones to none; no work is lent twice at once."""
        draw = self.random("loan")
        drafts = []
        weights = [1 / (w.artist.rank + 20) for w in self.artworks]
        for exhibition in self.exhibitions:
            for work in draw.choices(self.artworks, weights, k=draw.randint(1, 9)):
                start = exhibition.opens - timedelta(days=draw.randint(7, 30))
                end = exhibition.closes + timedelta(days=draw.randint(5, 25))
                if work.owner != exhibition.museum.number and self.free(work, start, end):
                    drafts.append((start, end, work, exhibition.museum.number, exhibition.number))
        for work in draw.sample(self.artworks, 160):
            start = day(draw, date(2014, 6, 1), date(2025, 9, 1))
            end = start + timedelta(days=365 * draw.randint(1, 5))
            borrower = draw.choice(self.museums).number
            if borrower != work.owner and self.free(work, start, end):
                drafts.append((start, end, work, borrower, 0))
        drafts.sort(key=lambda d: (d[0], d[2].number))
        values = {w.number: w.value for w in self.artworks}
        for number, (start, end, work, borrower, shown) in enumerate(drafts, 1):
            signed = start - timedelta(days=draw.randint(40, 300))
            couriers = [n for n, hired in self.staff[work.owner, "courier"] if hired < start]
            courier = draw.choice(couriers) if couriers and draw.random() < 0.8 else None
            cancelled = draw.random() < 0.06
            running = "on loan" if end >= TODAY else "returned"
            status = "agreed" if start > TODAY else running
            fee = 250 + values[work.number] * draw.randint(4, 20) / 10_000
            fee = 0 if draw.random() < 0.15 else round(fee, 2)
            self.add(
                "loan",
                *(number, work.number, work.owner, borrower, shown or None, courier),
                *(iso(signed), iso(start), iso(end), fee, "cancelled" if cancelled else status),
            )

    def free(self, work: Artwork, start: date, end: date) -> bool:
        """Whether the work is at home in that time; if so, it is away from now on."""
        if work.acquired and work.acquired > start:
            return False
        taken = self.away.setdefault(work.number, [])
        if any(a <= end and start <= b for a, b in taken):
            return False
        taken.append((start, end))
        return True

    def fill_placements(self) -> None:
        """What hung where: the lent works and some of the house's own."""
        draw = self.random("placement")
        lent: dict[int, list[int]] = {}
        for loan in self.tables["loan"]:
            if loan[4] and loan[10] != "cancelled":
                lent.setdefault(loan[4], []).append(loan[1])
        own: dict[int, list[int]] = {}
        for work in self.artworks:
            own.setdefault(work.owner, []).append(work.number)
        sections = self.words["words"]["theme"]
        for exhibition in self.exhibitions:
            museum = exhibition.museum.number
            mine = own.get(museum, [])
            shown = draw.sample(mine, min(len(mine), draw.randint(3, 14)))
            rooms = draw.sample(self.rooms[museum], min(3, len(self.rooms[museum])))
            groups = [*draw.sample(sections, 3), None]
            for number in sorted({*shown, *lent.get(exhibition.number, [])}):
                hung = exhibition.opens - timedelta(days=draw.randint(1, 6))
                self.add(
                    "placement",
                    *(exhibition.number, number, museum, draw.choice(rooms)[0]),
                    *(draw.choice(groups), iso(hung)),
                )

    def fill_tours(self) -> None:
        """Guided tours of works on display, in order."""
        draw = self.random("tour")
        hanging: dict[int, list[Artwork]] = {}
        for work in self.artworks:
            if work.room:
                hanging.setdefault(work.owner, []).append(work)
        hosts = [m for m in self.museums if len(hanging.get(m.number, [])) >= 6]
        chosen = draw.choices(hosts, [m.size for m in hosts], k=TOURS)
        languages = ["English", "English", "French", "German", "Spanish", "Italian", "Polish"]
        kinds = ["Highlights", "Hidden Corners", "{} for Children", "{} in an Hour", "After Hours"]
        for number, museum in enumerate(sorted(chosen, key=lambda m: m.number), 1):
            works = hanging[museum.number]
            stops = draw.sample(works, min(len(works), draw.randint(4, 10)))
            minutes = [draw.choice([4, 5, 6, 8, 10]) for _ in stops]
            name = draw.choice(kinds).format(draw.choice(self.words["words"]["theme"]))
            guide = draw.choice(self.staff[museum.number, "guide"])[0]
            starts = time(draw.randint(10, 16), draw.choice([0, 15, 30]))
            self.add(
                "tour",
                *(number, name, museum.number, guide if draw.random() < 0.85 else None),
                *(draw.choice(languages), starts.isoformat(), sum(minutes) + len(stops) * 3),
            )
            for order, (work, spent) in enumerate(zip(stops, minutes, strict=True), 1):
                self.add("tour stop", number, order, work.number, spent)

    def fill_climate(self) -> None:
        """Readings every six hours of one week in June; a few arrive twice."""
        draw = self.random("climate_reading")
        rooms = [(m.number, *room) for m in self.museums for room in self.rooms[m.number]]
        start = datetime(2025, 6, 16)
        warmer = {0: -0.6, 6: -0.4, 12: 0.5, 18: 0.7}
        for museum, room, controlled in sorted(draw.sample(rooms, 110)):
            usual = 20.5 if controlled else draw.uniform(21, 25)
            fault = draw.randint(0, 27) if draw.random() < 0.12 else None
            for step in range(28):
                at = start + timedelta(hours=6 * step)
                swing = 0.4 if controlled else 1.5
                celsius = usual + (5 if step == fault else 0)
                celsius += warmer[at.hour] * swing + draw.uniform(-0.6, 0.6) * swing
                humidity = draw.randint(470, 530) if controlled else draw.randint(380, 680)
                alarm = not 18 <= celsius <= 24.5 or humidity > 650
                known = draw.random() < 0.97
                reading = (museum, room, at.isoformat(), round(celsius, 1))
                for _ in range(2 if draw.random() < 0.01 else 1):
                    self.add("climate_reading", *reading, humidity / 10 if known else None, alarm)

    def add(self, table: str, *values: Any) -> None:
        """One row."""
        self.tables.setdefault(table, []).append(values)


def day(draw: Random, first: date, last: date) -> date:
    """A day from `first` to `last`."""
    return first + timedelta(days=draw.randint(0, max(0, (last - first).days)))


def iso(when: date | None) -> str | None:
    """The day as text."""
    return when.isoformat() if when else None


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
            for table, rows in tables.items():
                insert(connection, table, rows)
    finally:
        connection.close()


def insert(connection: sqlite3.Connection, table: str, rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows as they are."""
    rows = list(rows)
    marks = ", ".join("?" * len(rows[0]))
    connection.executemany(f'INSERT INTO "{table}" VALUES ({marks})', rows)


if __name__ == "__main__":
    fill(sys.argv[1])
