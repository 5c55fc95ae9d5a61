"""Random SQL over a random small database: SQLite against the graph engines.

    python benchmarks/sql_fuzz.py [--seed 1] [--databases 3] [--queries 200] [--engines cypher,sql]
        [--show 5]

The schema is fixed (a self-reference, a link table with properties, a table without a key,
orphans, NULLs, booleans, dates, numerals as text); rows and queries are drawn. Prints what
`sql_proof` prints; exits with 1 when an answer differs.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.sql_proof import RUNS, Outcome, prove_database, report

SCHEMA = """
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER, city TEXT,
  boss INTEGER REFERENCES person(id), member BOOLEAN, joined DATE, points TEXT);
CREATE TABLE club (code TEXT PRIMARY KEY, title TEXT, founded INTEGER, fee REAL,
  head INTEGER REFERENCES person(id));
CREATE TABLE joins (person_id INTEGER NOT NULL REFERENCES person(id),
  club_code TEXT NOT NULL REFERENCES club(code), since INTEGER, role TEXT,
  PRIMARY KEY (person_id, club_code, since));
CREATE TABLE visit (person_id INTEGER REFERENCES person(id), place TEXT, cost REAL, n INTEGER);
CREATE TABLE badge (person_id INTEGER PRIMARY KEY REFERENCES person(id), colour TEXT);
CREATE TABLE "friend of" (a INTEGER NOT NULL REFERENCES person(id),
  b INTEGER NOT NULL REFERENCES person(id), [since when] DATE, PRIMARY KEY (a, b));
CREATE TABLE room (house TEXT NOT NULL, number INTEGER NOT NULL, "group" TEXT UNIQUE,
  PRIMARY KEY (house, number));
CREATE TABLE lesson (id INTEGER PRIMARY KEY, house TEXT, number INTEGER, "group" TEXT
  REFERENCES room("group"), n INTEGER, note TEXT COLLATE NOCASE,
  FOREIGN KEY (house, number) REFERENCES room(house, number));
"""
WORDS = ["ann", "Bob", "bo", "a_b", "50%", "", "x", "10", "9", "Zoë", "it's"]
CITIES = ["Rome", "rome", "Oslo", "Bonn"]
COLUMNS = {
    "person": {
        "id": "i", "name": "t", "age": "i", "city": "t", "boss": "i", "member": "b",
        "joined": "d", "points": "n",
    },
    "club": {"code": "t", "title": "t", "founded": "i", "fee": "f", "head": "i"},
    "joins": {"person_id": "i", "club_code": "t", "since": "i", "role": "t"},
    "visit": {"person_id": "i", "place": "t", "cost": "f", "n": "i"},
    "badge": {"person_id": "i", "colour": "t"},
    '"friend of"': {"a": "i", "b": "i", "[since when]": "d"},
    "room": {"house": "t", "number": "i", '"group"': "t"},
    "lesson": {"id": "i", "house": "t", "number": "i", '"group"': "t", "n": "i", "note": "t"},
}  # fmt: skip
KEYS = [
    ("person", ["boss"], "person", ["id"]),
    ("club", ["head"], "person", ["id"]),
    ("joins", ["person_id"], "person", ["id"]),
    ("joins", ["club_code"], "club", ["code"]),
    ("visit", ["person_id"], "person", ["id"]),
    ("badge", ["person_id"], "person", ["id"]),
    ('"friend of"', ["a"], "person", ["id"]),
    ('"friend of"', ["b"], "person", ["id"]),
    ("lesson", ["house", "number"], "room", ["house", "number"]),
    ("lesson", ['"group"'], "room", ['"group"']),
    # No declared keys: values are compared.
    ("visit", ["place"], "person", ["city"]),
    ("lesson", ["n"], "person", ["id"]),
]

type Column = tuple[str, str, str]  # alias, column, kind


def fill(path: Path, rng: random.Random) -> None:
    """A database with random rows."""
    connection = sqlite3.connect(path)
    connection.executescript(SCHEMA)
    size = rng.randint(0, 9)

    def maybe(value: Any) -> Any:
        return None if rng.random() < 0.25 else value

    for i in range(1, size + 1):
        day = f"20{rng.randint(10, 12)}-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}"
        connection.execute(
            "INSERT INTO person VALUES (?,?,?,?,?,?,?,?)",
            (
                i, rng.choice(WORDS), maybe(rng.randint(1, 4) * 10), maybe(rng.choice(CITIES)),
                maybe(rng.randint(1, size + 1)), maybe(rng.randint(0, 1)), maybe(day),
                maybe(str(rng.randint(-3, 12))),
            ),
        )  # fmt: skip
    codes = rng.sample(["A", "B", "c", "10", "zz"], rng.randint(1, 4))
    for code in codes:
        connection.execute(
            "INSERT INTO club VALUES (?,?,?,?,?)",
            (
                code, maybe(rng.choice(WORDS)), maybe(rng.randint(1990, 1993)),
                maybe(rng.choice([0.0, 1.5, 2.0, 10.25])), maybe(rng.randint(1, size + 2)),
            ),
        )  # fmt: skip
    for _ in range(rng.randint(0, 12) if size else 0):
        connection.execute(
            "INSERT OR IGNORE INTO joins VALUES (?,?,?,?)",
            (
                rng.randint(1, size), rng.choice(codes), rng.randint(1, 3),
                maybe(rng.choice(["x", "y"])),
            ),
        )  # fmt: skip
    for _ in range(rng.randint(0, 9)):
        connection.execute(
            "INSERT INTO visit VALUES (?,?,?,?)",
            (
                maybe(rng.randint(1, size + 1)), maybe(rng.choice(CITIES)),
                maybe(rng.choice([0.5, 3.25, 7.125])), rng.randint(0, 3),
            ),
        )  # fmt: skip
    for i in rng.sample(range(1, size + 1), size // 2):
        connection.execute("INSERT INTO badge VALUES (?,?)", (i, maybe(rng.choice(WORDS))))
    for _ in range(rng.randint(0, 8) if size else 0):
        row = (rng.randint(1, size), rng.randint(1, size), maybe(f"2020-01-0{rng.randint(1, 9)}"))
        connection.execute('INSERT OR IGNORE INTO "friend of" VALUES (?,?,?)', row)
    for number in range(rng.randint(0, 4)):
        room = (rng.choice("AB"), number, maybe(f"r{number}"))
        connection.execute("INSERT INTO room VALUES (?,?,?)", room)
    for number in range(rng.randint(0, 7)):
        lesson = (
            number, maybe(rng.choice("AB")), maybe(rng.randint(0, 3)),
            maybe(f"r{rng.randint(0, 3)}"), maybe(rng.randint(1, 3)), maybe(rng.choice(WORDS)),
        )  # fmt: skip
        connection.execute("INSERT INTO lesson VALUES (?,?,?,?,?,?)", lesson)
    connection.commit()
    connection.close()


class Writer:
    """Draws queries."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.count = 0
        self.late: list[str] = []

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def query(self, depth: int = 2) -> str:
        """A SELECT or a set operation."""
        if depth and self.chance(0.1):
            word = self.rng.choice(["UNION", "UNION ALL", "INTERSECT", "EXCEPT"])
            kinds = [self.rng.choice("it") for _ in range(self.rng.randint(1, 2))]
            sides = [self.plain(kinds) for _ in range(2)]
            tail = " ORDER BY 1" if self.chance(0.3) else ""
            return f" {word} ".join(sides) + tail
        return self.select(depth)

    def plain(self, kinds: list[str]) -> str:
        """A SELECT of columns of these kinds."""
        while True:
            origin, columns = self.origin()
            picked = [self.pick(columns, kind) for kind in kinds]
            if all(picked):
                names = ", ".join(f"{c[0]}.{c[1]}" for c in picked if c)
                where = self.where(columns, 1)
                return f"SELECT {names} FROM {origin}{where}"

    def origin(self, size: int = 3) -> tuple[str, list[Column]]:
        """FROM and the columns it offers."""
        rng = self.rng
        tables = [rng.choice(list(COLUMNS))]
        aliases = [self.alias()]
        text = f"{tables[0]} AS {aliases[0]}"
        late: list[str] = []
        for _ in range(rng.choice([0, 0, 1, 1, 2, size - 1])):
            options = []
            for n, table in enumerate(tables):
                for child, columns, parent, keys in KEYS:
                    if child == table:
                        options.append((n, columns, parent, keys))
                    if parent == table:
                        options.append((n, keys, child, columns))
            n, own, other, its = rng.choice(options)
            alias = self.alias()
            pairs = [f"{aliases[n]}.{a} = {alias}.{b}" for a, b in zip(own, its, strict=True)]
            on = " AND ".join(pairs)
            if self.chance(0.2):
                pool = [(aliases[n], c, k) for c, k in COLUMNS[tables[n]].items()]
                mine = [(alias, c, k) for c, k in COLUMNS[other].items()]
                on = f"{on} AND {self.simple(mine)}" if self.chance(0.5) else self.pair(pool, mine)
            style = rng.random()
            if own == its and style < 0.3 and len(tables) == 1:
                text += f" {rng.choice(['JOIN', 'LEFT JOIN'])} {other} AS {alias}"
                text += f" USING ({', '.join(own)})"
            elif style < 0.15 and "JOIN" not in text:
                text += f", {other} AS {alias}"
                late.append(on)
            elif style < 0.2 and len(tables) == 1:
                text += f" RIGHT JOIN {other} AS {alias} ON {on}"
            else:
                word = rng.choice(["JOIN", "JOIN", "LEFT JOIN"])
                text += f" {word} {other} AS {alias} ON {on}"
            tables.append(other)
            aliases.append(alias)
        self.late = late
        pairs_ = zip(aliases, tables, strict=True)
        return text, [(a, c, k) for a, t in pairs_ for c, k in COLUMNS[t].items()]

    def where(self, columns: list[Column], depth: int, share: float = 0.7) -> str:
        """WHERE, with the conditions of comma joins."""
        parts = self.late
        self.late = []
        if self.chance(share):
            parts = [*parts, self.condition(columns, depth)]
        return f" WHERE {' AND '.join(parts)}" if parts else ""

    def alias(self) -> str:
        self.count += 1
        return f"q{self.rng.choice('abcdefgh')}{self.count}"

    def pair(self, ones: list[Column], others: list[Column]) -> str:
        """A comparison of two columns of one kind."""
        if not ones:
            return "1 = 1"
        one = self.rng.choice(ones)
        same = [c for c in others if c[2] == one[2]] or others
        other = self.rng.choice(same)
        if one[2] != other[2]:
            return f"{one[0]}.{one[1]} IS NOT NULL"
        return f"{one[0]}.{one[1]} {self.rng.choice(['=', '=', '<', '<>'])} {other[0]}.{other[1]}"

    def pick(self, columns: list[Column], kind: str) -> Column | None:
        found = [c for c in columns if c[2] == kind]
        return self.rng.choice(found) if found else None

    def literal(self, kind: str) -> str:
        rng = self.rng
        if self.chance(0.08):
            return rng.choice(["NULL", "'10'", "10", "'x'", "1.5", "'2011-05-12'"])
        match kind:
            case "i":
                return str(rng.choice([0, 1, 2, 3, 5, 10, 20, 30, 1991]))
            case "f":
                return rng.choice(["0", "1.5", "2", "3.25", "10"])
            case "b":
                return rng.choice(["0", "1", "TRUE"])
            case "d":
                return rng.choice(["'2011-05-12'", "'2011'", "'2011-06'", "'2010-01-10'"])
            case "n":
                return rng.choice(["'5'", "5", "'10'", "'-1'"])
        return "'" + rng.choice([*WORDS, *CITIES]).replace("'", "''") + "'"

    def simple(self, columns: list[Column]) -> str:
        """One predicate on one column."""
        rng = self.rng
        alias, name, kind = rng.choice(columns)
        column = f"{alias}.{name}"
        match rng.randint(0, 9):
            case 0:
                return f"{column} IS {rng.choice(['', 'NOT '])}NULL"
            case 1:
                items = ", ".join(self.literal(kind) for _ in range(rng.randint(1, 3)))
                return f"{column} {rng.choice(['', 'NOT '])}IN ({items})"
            case 2:
                low, high = self.literal(kind), self.literal(kind)
                return f"{column} {rng.choice(['', 'NOT '])}BETWEEN {low} AND {high}"
            case 3 if kind in "tnd":
                pattern = rng.choice(["%o%", "b%", "%B", "a_b", "1%", "%", "_", "Rome", "2011-%"])
                return f"{column} {rng.choice(['', 'NOT '])}LIKE '{pattern}'"
            case 4:
                other = self.pick(columns, kind)
                if other is not None:
                    return f"{column} {rng.choice(['=', '<', '>='])} {other[0]}.{other[1]}"
        return f"{column} {rng.choice(['=', '=', '<>', '<', '>', '<=', '>='])} {self.literal(kind)}"

    def condition(self, columns: list[Column], depth: int) -> str:
        """A condition, perhaps with subqueries."""
        rng = self.rng
        roll = rng.random()
        if depth and roll < 0.2:
            word = rng.choice([" AND ", " OR "])
            parts = [self.condition(columns, depth - 1) for _ in range(2)]
            return f"({word.join(parts)})"
        if depth and roll < 0.28:
            return f"NOT ({self.condition(columns, depth - 1)})"
        if depth and roll < 0.42:
            return self.subquery(columns)
        return self.simple(columns)

    def subquery(self, columns: list[Column]) -> str:
        """A condition with a subquery."""
        rng = self.rng
        alias, name, kind = rng.choice(columns)
        origin, inner = self.origin(2)
        parts = self.late
        self.late = []
        if self.chance(0.35):
            parts = [*parts, self.pair(columns, inner)]
        if self.chance(0.35):
            parts = [*parts, self.simple(inner)]
        correlated = f" WHERE {' AND '.join(parts)}" if parts else ""
        match rng.randint(0, 4):
            case 0:
                word = rng.choice(["", "NOT "])
                return f"{word}EXISTS (SELECT 1 FROM {origin}{correlated})"
            case 1:
                number = self.pick(inner, "i")
                most = [f"max({number[0]}.{number[1]})"] if number else []
                query = f"(SELECT {rng.choice(['count(*)', *most])} FROM {origin}{correlated})"
                mine = self.pick(columns, "i")
                left = f"{mine[0]}.{mine[1]}" if mine else "2"
                return f"{left} {rng.choice(['>', '<=', '='])} {query}"
        same = self.pick(inner, kind)
        if same is None:
            return f"{alias}.{name} IS NOT NULL"
        grouped = ""
        if self.chance(0.2):
            grouped = f" GROUP BY {same[0]}.{same[1]} HAVING count(*) > 1"
        word = rng.choice(["", "NOT "])
        return (
            f"{alias}.{name} {word}IN (SELECT {same[0]}.{same[1]} FROM {origin}"
            f"{correlated}{grouped})"
        )

    def expression(self, columns: list[Column]) -> str:
        """An output expression."""
        rng = self.rng
        alias, name, kind = rng.choice(columns)
        column = f"{alias}.{name}"
        number = self.pick(columns, rng.choice("if"))
        options = [column, column, column]
        if number is not None:
            n = f"{number[0]}.{number[1]}"
            options += [f"{n} + 1", f"{n} / 2.0", f"abs({n})", f"-{n}", f"{n} * {n}"]
            options += [f"coalesce({n}, 0)", f"nullif({n}, 10)"]
            options += [f"CASE WHEN {n} > 2 THEN 'hi' ELSE 'lo' END"]
            if number[2] == "i":
                options += [f"{n} / 3", f"{n} % 3", f"10 / {n}", f"{n} || '!'"]
                options += [f"CAST({n} AS TEXT)"]
        if kind == "t":
            options += [f"length({column})", f"substr({column}, 1, 2)", f"{column} || '-'"]
        if self.chance(0.12):
            return f"(SELECT {self.scalar(columns)})"
        if kind == "d":
            options += [f"date({column})", f"date({column}, '+3 days')"]
            options += [f"strftime('%Y', {column})", f"strftime('%m-%d', {column})"]
        if kind == "n":
            options += [f"{column} + 1", f"CAST({column} AS INTEGER)"]
        return rng.choice(options)

    def scalar(self, columns: list[Column]) -> str:
        """The inside of a scalar subquery, often correlated, of one row."""
        origin, inner = self.origin(2)
        where = self.where(inner, 0, 0.3)
        if self.chance(0.5):
            where += f" {'AND' if where else 'WHERE'} {self.pair(columns, inner)}"
        return f"{self.aggregate(inner)} FROM {origin}{where}"

    def aggregate(self, columns: list[Column]) -> str:
        """An aggregate."""
        rng = self.rng
        alias, name, _ = rng.choice(columns)
        number = self.pick(columns, rng.choice("ifbn"))
        options = ["count(*)", f"count({alias}.{name})", f"count(DISTINCT {alias}.{name})"]
        if number is not None:
            n = f"{number[0]}.{number[1]}"
            options += [f"sum({n})", f"avg({n})", f"sum({n}) * 2", f"sum(DISTINCT {n})"]
            options += [f"total({n})"]
            if number[2] != "n":
                options += [f"max({n})", f"min({n})", f"max({n}) - min({n})"]
        return rng.choice(options)

    def select(self, depth: int) -> str:
        """A SELECT, perhaps grouped."""
        rng = self.rng
        if depth and self.chance(0.12):
            return self.derived(depth)
        origin, columns = self.origin()
        where = self.where(columns, depth)
        if self.chance(0.35):
            return self.grouped(origin, columns, where)
        items = [self.expression(columns) for _ in range(rng.randint(1, 3))]
        distinct = "DISTINCT " if self.chance(0.2) else ""
        if self.chance(0.15):
            items = [self.aggregate(columns) for _ in items]
            distinct = ""
        order = self.order(items)
        return f"SELECT {distinct}{', '.join(items)} FROM {origin}{where}{order}"

    def order(self, items: list[str]) -> str:
        rng = self.rng
        if not self.chance(0.35):
            return " LIMIT 3" if self.chance(0.1) else ""
        ways = ["", "DESC", "DESC NULLS FIRST"]
        keys = [f"{n + 1} {rng.choice(ways)}" for n in range(len(items))]
        limit = f" LIMIT {rng.randint(0, 4)}" if self.chance(0.4) else ""
        if limit and self.chance(0.3):
            limit += f" OFFSET {rng.randint(0, 2)}"
        return f" ORDER BY {', '.join(keys)}{limit}"

    def grouped(self, origin: str, columns: list[Column], where: str) -> str:
        """GROUP BY with aggregates, HAVING and an order by what is not put out."""
        rng = self.rng
        keys = [f"{c[0]}.{c[1]}" for c in rng.sample(columns, rng.randint(1, 2))]
        aggregates = [self.aggregate(columns) for _ in range(rng.randint(0, 2))]
        shown = rng.sample(keys, rng.randint(0, len(keys)))
        if self.chance(0.2):
            extra = rng.choice(columns)
            shown.append(f"{extra[0]}.{extra[1]}")
        items = [*shown, *aggregates] or ["count(*)"]
        having = f" HAVING {self.aggregate(columns)} > 1" if self.chance(0.3) else ""
        if having and self.chance(0.3):
            having += f" AND count(*) <= (SELECT {self.scalar([])})"
        order = self.order(items)
        if not order and self.chance(0.3):
            order = f" ORDER BY count(*) DESC, {keys[0]} LIMIT 2"
        group = ", ".join(keys)
        return f"SELECT {', '.join(items)} FROM {origin}{where} GROUP BY {group}{having}{order}"

    def derived(self, depth: int) -> str:
        """A SELECT from a derived table or CTE."""
        rng = self.rng
        origin, columns = self.origin(2)
        alias, name, _ = rng.choice(columns)
        key = f"{alias}.{name}"
        where = self.where(columns, 1, 0.3)
        inner = (
            f"SELECT {key} AS k, {self.aggregate(columns)} AS v FROM {origin}{where} GROUP BY {key}"
            if self.chance(0.7)
            else f"SELECT {key} AS k, {self.expression(columns)} AS v FROM {origin}{where}"
        )
        other = rng.choice(list(COLUMNS))
        join = ""
        if self.chance(0.4):
            column = rng.choice(list(COLUMNS[other]))
            join = f" JOIN {other} AS o ON o.{column} = d.k"
        outer = rng.choice(["d.k, d.v", "max(d.v)", "count(*), count(d.v)", "d.v"])
        last = rng.choice(["", " WHERE d.v > 1", " WHERE d.k IS NOT NULL"])
        if self.chance(0.4):
            return f"WITH d AS ({inner}) SELECT {outer} FROM d{join}{last}"
        return f"SELECT {outer} FROM ({inner}) AS d{join}{last}"


def main() -> int:
    """Run the comparison."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--databases", type=int, default=3)
    arguments.add_argument("--queries", type=int, default=200)
    arguments.add_argument("--engines", default="cypher,gql,sql")
    arguments.add_argument("--show", type=int, default=5)
    options = arguments.parse_args()
    runs = {name: run for name, run in RUNS.items() if name in options.engines.split(",")}
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.databases):
            rng = random.Random(options.seed * 1000 + number)
            path = Path(folder) / f"drawn{number}.sqlite"
            fill(path, rng)
            writer = Writer(rng)
            texts = list(dict.fromkeys(writer.query() for _ in range(options.queries)))
            outcomes += prove_database(path, Path(folder) / path.stem, texts, runs, 30.0)
    report(outcomes, options.show)
    return int(any(outcome.state == "disagrees" for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
