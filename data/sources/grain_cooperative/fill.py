"""Write the example database of a grain cooperative.

`fill(path)` is deterministic: the same seed gives the same rows, and with one SQLite version the
same bytes. It needs the standard library only and reads `schema.sql` and `vocabulary.toml` beside
it, so it can be run by path: `python fill.py grain_cooperative.sqlite`.
"""

from __future__ import annotations

import sqlite3
import sys
import tomllib
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).resolve().parent
TODAY = date(2025, 10, 12)  # the data end here; some maize still stands on its field
SEASONS = (2023, 2024, 2025)
FARMS = 110
LOT_TONNES = {"collection point": 190, "elevator": 620, "terminal": 1600}
GRADES = {"premium": 1.07, "standard": 1.0, "feed": 0.88, "organic": 1.42}
HARVEST = {"RP": (7, 1), "WW": (7, 10), "RY": (7, 14), "SB": (7, 8), "DU": (7, 12)}
HARVEST |= {"SO": (9, 10), "MZ": (9, 28)}

type Row = tuple[Any, ...]


@dataclass
class Lot:
    """Grain that lies together, what came into it and what is left of it."""

    number: int
    kind: tuple[int, str, int]  # crop, grade, season
    site: int
    opened: date
    last: date  # when grain last came in
    tonnes: float = 0.0
    left: float = 0.0
    gone: date | None = None  # when grain last went out

    def take_in(self, day: date, tonnes: float) -> None:
        """Grain comes."""
        self.last = max(self.last, day)
        self.tonnes = round(self.tonnes + tonnes, 1)
        self.left = round(self.left + tonnes, 1)

    def give(self, day: date, tonnes: float) -> None:
        """Grain goes."""
        self.left = round(self.left - tonnes, 1)
        self.gone = max(self.gone or day, day)


@dataclass
class Site:
    """Where grain lies."""

    number: int
    name: str
    kind: str
    sends_to: str | None
    lots: list[Lot] = field(default_factory=list)


class Filler:
    """Draws the rows of every table into `tables`, in an order that keeps all references."""

    def __init__(self, seed: int, words: dict[str, Any]) -> None:
        self.seed = seed
        self.words = words
        self.tables: dict[str, list[Row]] = {}
        self.districts = {row[0]: n for n, row in enumerate(words["districts"], 1)}
        self.crops = {row[0]: n for n, row in enumerate(words["crops"]["rows"], 1)}
        self.varieties: dict[int, list[int]] = defaultdict(list)
        self.sites: list[Site] = []
        self.points: dict[int, list[Site]] = defaultdict(list)
        self.silos: dict[int, dict[int, int]] = {}  # capacity by number
        self.prices: dict[tuple[int, str], list[tuple[date, int]]] = {}
        self.farms: dict[int, tuple[int, date, date | None, bool]] = {}
        self.lots: list[Lot] = []

    def random(self, table: str) -> Random:
        """A generator for one table, so that a change in one leaves the others as they were."""
        return Random(f"{self.seed}:{table}")  # noqa: S311 - reproducibility, not secrecy

    def run(self) -> dict[str, list[Row]]:
        """All rows by table name."""
        self.fill_words()
        self.fill_sites()
        self.fill_prices()
        self.fill_farms()
        self.fill_harvests()
        self.fill_mixing()
        self.fill_sales()
        self.fill_lots()
        return self.tables

    def add(self, table: str, *values: Any) -> None:
        """One row."""
        self.tables.setdefault(table, []).append(values)

    def fill_words(self) -> None:
        """Districts, crops, their varieties, measures, buyers."""
        draw = self.random("variety")
        for number, (name, province, altitude, _) in enumerate(self.words["districts"], 1):
            self.add("district", number, name, province, altitude)
        numbers = count(1)
        for crop, (code, name, sown, limit, _, _, varieties) in enumerate(
            self.words["crops"]["rows"], 1
        ):
            self.add("crop", crop, code, name, sown, limit)
            year, parent = draw.randint(1992, 2003), None
            for variety in varieties:
                number = next(numbers)
                self.add("variety", number, variety, crop, year, parent)
                self.varieties[crop].append(number)
                parent = number if parent is None or draw.random() < 0.7 else parent
                year += draw.randint(3, 6)
        for code, name, unit, most, *_ in self.words["measures"]["rows"]:
            self.add("measure", code, name, unit, most or None)
        buyers = {row[0]: n for n, row in enumerate(self.words["buyers"]["rows"], 1)}
        for name, kind, country, parent in self.words["buyers"]["rows"]:
            self.add("buyer", buyers[name], name, kind, country, buyers.get(parent))

    def fill_sites(self) -> None:
        """Terminals, elevators and one or two collection points in each district."""
        draw = self.random("site")
        terminals = dict.fromkeys(map(tuple, self.words["terminals"].values()))
        rows: list[tuple[str, str, str, str | None]] = [
            (name, "terminal", district, None) for name, district in terminals
        ]
        for district, (port, _) in self.words["terminals"].items():
            rows.append((f"{district} elevator", "elevator", district, port))
        for district, _, _, elevator in self.words["districts"]:
            for end in ["", " South"][: draw.choice([1, 1, 2])]:
                name = f"{district}{end} collection point"
                rows.append((name, "collection point", district, f"{elevator} elevator"))
        by_name = {row[0]: n for n, row in enumerate(rows, 1)}
        for number, (name, kind, district, to) in enumerate(rows, 1):
            opened = draw.randint(*{"collection point": (1978, 2019)}.get(kind, (1951, 1976)))
            place = self.districts[district]
            self.add("site", number, name, kind, place, by_name[to] if to else None, opened)
            self.sites.append(Site(number, name, kind, to))
            if kind == "collection point":
                self.points[place].append(self.sites[-1])
            self.silos[number] = {}
            for silo in range(1, draw.randint(4, 7) + (0 if kind == "collection point" else 4)):
                size = LOT_TONNES[kind] + draw.choice([110, 210, 310])
                self.add("silo", number, silo, size, draw.random() < 0.4)
                self.silos[number][silo] = size

    def fill_prices(self) -> None:
        """A walk for each crop and grade, with a new price every six to nine weeks."""
        draw = self.random("price")
        for crop, row in enumerate(self.words["crops"]["rows"], 1):
            level, day, walk = 1.0, date(2023, 5, 1), []
            while day <= TODAY:
                walk.append((day, level))
                level = min(1.3, max(0.75, level + draw.uniform(-0.07, 0.065)))
                day += timedelta(days=draw.randint(42, 63))
            for grade, factor in GRADES.items():
                steps = [(start, round(row[5] * factor * level)) for start, level in walk]
                self.prices[crop, grade] = steps
                ends = [iso(start - timedelta(days=1)) for start, _ in steps[1:]]
                for (start, euros), end in zip(steps, [*ends, None], strict=True):
                    self.add("price", crop, grade, iso(start), end, euros)

    def fill_farms(self) -> None:
        """Farms that joined over the years, some brought by others; their fields, certificates."""
        draw = self.random("farm")
        words = self.words["words"]
        names: set[str] = set()
        joined = sorted(day_between(draw, date(1996, 1, 8), date(2023, 2, 1)) for _ in range(FARMS))
        certificates = count(1)
        for number, since in enumerate(joined, 1):
            last = draw.choice(words["last"])
            name = f"{draw.choice(words['farms'])} {last}"
            while name in names:
                last = draw.choice(words["last"])
                name = f"{draw.choice(words['farms'])} {last}"
                if name in names and len(names) > 90:
                    name = f"{name} {draw.choice(['am Berg', 'am Bach', 'im Feld', 'am Wald'])}"
            names.add(name)
            district = draw.choices(range(1, 14), [6, 4, 7, 3, 8, 9, 6, 5, 3, 3, 4, 3, 4])[0]
            left = day_between(draw, date(2023, 12, 1), TODAY) if draw.random() < 0.06 else None
            earlier = [n for n, when in enumerate(joined[: number - 1], 1) if when < since]
            sponsor = min(draw.choices(earlier, k=2)) if earlier and draw.random() < 0.6 else None
            organic = draw.random() < 0.2
            self.farms[number] = (district, since, left, organic)
            farmer = f"{draw.choice(words['first'])} {last}"
            self.add(
                "farm",
                *(number, name, farmer, district, iso(since), iso(left) if left else None),
                *(sponsor, draw.choice([5, 10, 10, 20, 25, 40])),
            )
            schemes = ["organic"] if organic else []
            schemes += [s for s in words["schemes"][1:] if draw.random() < 0.25]
            for scheme in schemes:
                day = day_between(draw, max(since, date(2019, 1, 7)), date(2023, 6, 20))
                self.certify(draw, certificates, number, scheme, day, left)
            if draw.random() < 0.1:
                self.add("field", number, 1, 3.5, "loam", False)
                continue
            for place in range(1, draw.randint(2, 6) + 1):
                size = round(draw.triangular(2, 34, 7), 1)
                soil = draw.choices(words["soils"], [6, 4, 3, 3, 1])[0]
                self.add("field", number, place, size, soil, draw.random() < 0.15)

    def certify(
        self,
        draw: Random,
        numbers: count[int],
        farm: int,
        scheme: str,
        day: date,
        left: date | None,
    ) -> None:
        """A certificate of three years, and the ones that follow while the farm is a member."""
        while day <= min(left or TODAY, TODAY):
            ends = day.replace(year=day.year + 3) - timedelta(days=1)
            number = next(numbers)
            revoked = None
            if scheme != "organic" and draw.random() < 0.07:
                revoked = day_between(draw, day + timedelta(days=90), min(ends, TODAY))
                revoked = revoked if revoked <= TODAY else None
            code = f"{scheme[:3].upper()}-{day.year}-{number:04}"
            self.add(
                "certificate",
                *(number, code, farm, scheme, iso(day), iso(ends)),
                iso(revoked) if revoked else None,
            )
            if revoked or (scheme != "organic" and draw.random() < 0.3):
                return
            day = ends + timedelta(days=1)

    def fill_harvests(self) -> None:
        """What stood on each field, and the loads that came from it."""
        draw = self.random("sowing")
        loads: list[tuple[date, int, int, int, str, float]] = []
        before: dict[tuple[int, int], str] = {}
        for season in SEASONS:
            for farm, place, hectares, *_ in self.tables["field"]:
                _, _, left, organic = self.farms[farm]
                if (left and left.year <= season) or hectares == 3.5:
                    continue
                codes = [code for code in self.crops if code != before.get((farm, place))]
                weight = {"WW": 9, "MZ": 6, "SB": 4, "RP": 3, "DU": 2, "RY": 3, "SO": 3}
                code = draw.choices(codes, [weight[c] for c in codes])[0]
                before[farm, place] = code
                crop = self.crops[code]
                row = self.words["crops"]["rows"][crop - 1]
                autumn = row[2] == "autumn"
                sown = date(season - autumn, 9 if autumn else 3, 20) + timedelta(
                    days=draw.randint(0, 30)
                )
                cut = date(season, *HARVEST[code]) + timedelta(days=draw.randint(0, 22))
                ready = cut < TODAY - timedelta(days=4)
                tonnes = round(hectares * row[4] * draw.uniform(0.7, 1.2) * (0.8 if organic else 1))
                self.add(
                    "sowing",
                    *(farm, place, season, draw.choice(self.varieties[crop]), iso(sown)),
                    *((iso(cut), float(tonnes)) if ready else (None, None)),
                )
                if not ready:
                    continue
                grade = draw.choices(["premium", "standard", "feed"], [3, 5, 2])[0]
                rest = tonnes * draw.choice([1.0, 1.0, 0.9, 0.75])  # some stays at the farm
                while rest > 3:
                    load = round(min(rest, draw.uniform(14, 27)), 1)
                    rest -= load
                    day = cut + timedelta(days=draw.choice([0, 0, 0, 1, 1, 2, 3]))
                    loads.append((day, farm, place, crop, "organic" if organic else grade, load))
        self.deliver(loads)

    def deliver(self, loads: list[tuple[date, int, int, int, str, float]]) -> None:
        """Loads come to a collection point of the district, into a lot that is open."""
        draw = self.random("delivery")
        home = {farm: draw.choice(self.points[row[0]]) for farm, row in self.farms.items()}
        times = [(load, draw.randint(6 * 60, 21 * 60)) for load in loads]
        times.sort(key=lambda item: (item[0][0], item[1], item[0]))
        for number, ((day, farm, place, crop, grade, tonnes), minute) in enumerate(times, 1):
            lot = self.open_lot(home[farm], (crop, grade, day.year), day, tonnes)
            lot.take_in(day, tonnes)
            limit = self.words["crops"]["rows"][crop - 1][3]
            wet = max(0.0, draw.gauss(1.5 if grade == "feed" else -0.6, 1.3))
            moisture = round(limit - 1.2 + wet, 1)
            drying = round(max(0.0, moisture - limit) * tonnes * 4.5, 2)
            price = [euros for start, euros in self.prices[crop, grade] if start <= day][-1]
            at = datetime(day.year, day.month, day.day) + timedelta(minutes=minute)
            self.add(
                "delivery",
                *(number, f"T{day.year % 100}-{number:05}", farm, place, day.year, lot.number),
                *(at.isoformat(), tonnes, moisture, drying, round(price * tonnes - drying, 2)),
            )

    def open_lot(self, site: Site, kind: tuple[int, str, int], day: date, tonnes: float) -> Lot:
        """The last lot of the kind at a site where there is room, or a new one."""
        for lot in reversed(site.lots):
            if lot.kind == kind and not lot.gone:
                if lot.tonnes + tonnes <= LOT_TONNES[site.kind]:
                    return lot
                break
        lot = Lot(len(self.lots) + 1, kind, site.number, day, day)
        site.lots.append(lot)
        self.lots.append(lot)
        return lot

    def fill_mixing(self) -> None:
        """Lots go on to the next site, sometimes in two parts; some are mixed again there."""
        draw = self.random("mixing")
        by_name = {site.name: site for site in self.sites}
        for kind in ("collection point", "elevator"):
            for site in [site for site in self.sites if site.kind == kind]:
                if site.sends_to is None:
                    continue
                share = 0.93 if kind == "collection point" else 0.5
                for lot in sorted(site.lots, key=lambda lot: lot.last):
                    if draw.random() < share:
                        self.send(draw, lot, by_name[site.sends_to])
                if kind == "collection point":
                    continue
                for lot in list(site.lots):
                    others = [o for o in site.lots if o.kind == lot.kind and o.number > lot.number]
                    if lot.left == lot.tonnes and others and draw.random() < 0.3:
                        day = max(lot.last, others[0].opened) + timedelta(days=draw.randint(2, 20))
                        # What has been sent on already cannot be mixed with it any more.
                        if day < TODAY and not others[0].gone:
                            self.mix(lot, others[0], day, lot.left)

    def send(self, draw: Random, lot: Lot, to: Site) -> None:
        """All of a lot, in one part or two."""
        parts = [lot.left]
        if draw.random() < 0.25:
            first = round(lot.left * draw.uniform(0.3, 0.7), 1)
            parts = [first, round(lot.left - first, 1)]
        day = lot.last
        for tonnes in parts:
            day += timedelta(days=draw.randint(2, 16))
            if day > TODAY or tonnes <= 0:
                return
            target = self.open_lot(to, lot.kind, day, tonnes)
            rows = self.tables.setdefault("mixing", [])
            if rows and rows[-1][:2] == (lot.number, target.number):
                # Both parts go into one lot: that is one mixing, which ends with the second.
                tonnes_before = rows.pop()[3]
                self.mix(lot, target, day, tonnes)
                rows[-1] = (*rows[-1][:3], round(tonnes_before + tonnes, 1))
                continue
            target.opened = min(target.opened, day)
            self.mix(lot, target, day, tonnes)

    def mix(self, lot: Lot, target: Lot, day: date, tonnes: float) -> None:
        """Grain of one lot goes into another."""
        lot.give(day, tonnes)
        target.take_in(day, tonnes)
        self.add("mixing", lot.number, target.number, iso(day), tonnes)

    def fill_sales(self) -> None:
        """Contracts for what lies in elevators and terminals, and their shipments."""
        draw = self.random("contract")
        buyers = self.tables["buyer"]
        codes = {number: code for code, number in self.crops.items()}
        kinds = self.words["buyers"]["kinds"]
        stock: dict[tuple[int, str, int], list[Lot]] = defaultdict(list)
        for site in self.sites:
            if site.kind != "collection point":
                for lot in site.lots:
                    stock[lot.kind].append(lot)
        drafts: list[tuple[date, Row, list[Row]]] = []
        for kind, lots in sorted(stock.items()):
            crop, grade, season = kind
            fitting = [row[0] for row in buyers if row[2] in kinds[codes[crop]]]
            for _ in range(max(1, round(sum(lot.left for lot in lots) / 420))):
                signed = day_between(draw, date(season, 5, 10), min(TODAY, date(season + 1, 3, 1)))
                due = signed + timedelta(days=draw.randint(50, 210))
                known = [euros for start, euros in self.prices[crop, grade] if start <= signed]
                euros = round(known[-1] * draw.uniform(1.06, 1.17))
                tonnes = draw.choice([100, 150, 200, 250, 300, 400, 500, 750])
                buyer = draw.choice(fitting)
                cancelled = draw.random() < 0.04
                sent = [] if cancelled else self.ship(draw, lots, signed, due, tonnes, euros)
                if cancelled:
                    status = "cancelled"
                elif round(sum(row[-2] for row in sent), 1) >= tonnes:
                    status = "fulfilled"
                else:
                    status = "open" if due >= TODAY else "short"
                terms = draw.choices(["EXW", "FCA", "DAP", "CIF"], [2, 5, 6, 2])[0]
                head = (buyer, crop, grade, iso(signed), iso(due), tonnes, euros, terms, status)
                drafts.append((signed, head, sent))
        for number, (signed, head, sent) in enumerate(sorted(drafts, key=lambda d: d[:2]), 1):
            self.add("contract", number, f"GC-{signed.year}-{number:03}", *head)
            for order, row in enumerate(sorted(sent, key=lambda row: row[1]), 1):
                self.add("shipment", number, order, *row)

    def ship(
        self, draw: Random, lots: list[Lot], signed: date, due: date, tonnes: int, euros: int
    ) -> list[Row]:
        """Loads out of lots that are complete by then, until the contract has its tonnes."""
        sent: list[Row] = []
        rest = float(tonnes)
        for lot in lots:
            while lot.left > 0 and rest > 0 and len(sent) < 14:
                first = max(signed, lot.last, lot.gone or lot.last) + timedelta(days=2)
                day = first + timedelta(days=draw.randint(0, 9))
                if day > min(due + timedelta(days=12), TODAY):
                    break
                port = self.sites[lot.site - 1].kind == "terminal"
                carrier = draw.choices(["lorry", "rail", "barge"], [5, 3, 6 if port else 0])[0]
                most = {"lorry": 26, "rail": 130, "barge": 260}[carrier] - draw.randint(0, 20) / 10
                load = round(min(lot.left, rest, most), 1)
                lot.give(day, load)
                rest = round(rest - load, 1)
                way = {"lorry": (0, 1), "rail": (1, 4), "barge": (3, 11)}[carrier]
                there = day + timedelta(days=draw.randint(*way))
                arrived = iso(there) if there <= TODAY else None
                sent.append((lot.number, iso(day), arrived, carrier, load, round(load * euros, 2)))
        return sent

    def fill_lots(self) -> None:
        """Lots with a silo that no other lot has at the time, and what was measured in them."""
        draw = self.random("lot")
        busy: dict[tuple[int, int], date] = {}
        codes = {number: code for code, number in self.crops.items()}
        for lot in sorted(self.lots, key=lambda lot: (lot.opened, lot.number)):
            empty = lot.gone if lot.left <= 0 and lot.gone else None
            free = [
                silo
                for silo, size in self.silos[lot.site].items()
                if size >= lot.tonnes and busy.get((lot.site, silo), date.min) < lot.opened
            ]
            silo = draw.choice(free) if free else None
            if silo:
                busy[lot.site, silo] = empty or date.max
            crop, grade, season = lot.kind
            self.add(
                "lot",
                *(lot.number, f"{codes[crop]}{season % 100}-{lot.number:04}", crop, grade, season),
                *(lot.site, silo, iso(lot.opened), iso(empty) if empty else None, lot.tonnes),
            )
            day = min(lot.last + timedelta(days=draw.randint(0, 2)), lot.gone or TODAY, TODAY)
            for code, _, _, _, low, high in self.words["measures"]["rows"]:
                if code in {"HLW", "FAL"} and codes[crop] in {"SO", "RP"}:
                    continue
                if code != "MOI" and draw.random() < 0.25:
                    continue
                middle = low + (high - low) * {"premium": 0.3, "feed": 0.7}.get(grade, 0.45)
                if code in {"PRO", "HLW", "FAL"}:
                    middle = low + high - middle
                value = min(high, max(low, draw.gauss(middle, (high - low) / 6)))
                exact = round(value) if high > 100 else round(value, 1)
                self.add("measurement", lot.number, code, iso(day), float(exact))
        self.tables["lot"].sort()


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
