"""Random SQL over any SQLite database: SQLite against the graph engines.

    python benchmarks/random_sql.py FOLDER [--queries 100] [--seed 1] [--only NAME] [--work DIR]
        [--engines cypher,sql] [--out RESULTS.jsonl] [--show 5]

Draws queries over every database below FOLDER, from its columns, keys and stored values: joins
of all kinds, grouping, subqueries, set operations, derived tables, windows, functions, and
values of other types than the column's. Same seed, same queries. Prints what `sql_proof`
prints; exits with 1 when an answer differs or the translation crashes.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.fill_databases import tables_of
from benchmarks.sql_proof import RUNS, Outcome, Proof, report

type Column = tuple[str, str, str]  # alias, column, kind
type Join = tuple[str, list[str], str, list[str]]  # table, columns, other table, its columns

_NUMERAL = re.compile(r"-?\d{1,9}")
_DATE = re.compile(r"\d{4}-\d\d-\d\d( .*)?")


@dataclass(frozen=True)
class Shape:
    """What queries are drawn from: columns with kinds, joins, and values, by quoted names.

    Kinds: i integer, f real, b boolean, d date or time, n numerals as text, t text.
    """

    columns: dict[str, dict[str, str]]
    joins: list[Join]
    values: dict[tuple[str, str], list[Any]]


def shape_of(path: Path, rng: random.Random) -> Shape:
    """The shape of a database; some joins are on columns that no key relates."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        tables = tables_of(connection)
    columns: dict[str, dict[str, str]] = {}
    values: dict[tuple[str, str], list[Any]] = {}
    joins: list[Join] = []
    for table in tables.values():
        name = quoted(table.name)
        columns[name] = {}
        for low, declared in table.columns.items():
            found = [row[low] for row in table.rows if row[low] is not None]
            column = quoted(table.exact[low])
            columns[name][column] = kind_of(declared, found)
            values[name, column] = rng.sample(found, min(len(found), 12))
        for own, parent, other in table.foreign:
            target = tables.get(parent)
            if target is not None and set(other) <= set(target.exact):
                pairs = (
                    [quoted(table.exact[c]) for c in own],
                    [quoted(target.exact[c]) for c in other],
                )
                joins.append((name, pairs[0], quoted(target.name), pairs[1]))
    for _ in range(max(2, len(columns) // 2)):
        (one, first), (two, second) = (rng.choice(list(columns.items())) for _ in range(2))
        pairs_ = [(a, b) for a, k in first.items() for b, m in second.items() if k == m]
        if pairs_:
            a, b = rng.choice(pairs_)
            joins.append((one, [a], two, [b]))
    return Shape(columns, joins, values)


def quoted(name: str) -> str:
    """A name as it is or in double quotes."""
    plain = re.fullmatch(r"[A-Za-z_]\w*", name) and name.upper() not in _WORDS
    return name if plain else '"' + name.replace('"', '""') + '"'


_KEYWORDS = """
GROUP ORDER TABLE INDEX CASE CAST FROM TO IN IS AS BY SELECT WHERE HAVING LIMIT JOIN ON
REFERENCES CHECK KEY PRIMARY FOREIGN DEFAULT UNIQUE VALUES SET UPDATE DELETE INSERT LEFT RIGHT
OUTER INNER CROSS NATURAL USING UNION EXCEPT INTERSECT DISTINCT ALL EXISTS BETWEEN LIKE GLOB
MATCH ESCAPE NULL NOT AND OR THEN ELSE END WHEN WITH TRANSACTION COMMIT ADD ALTER COLLATE
CONSTRAINT CREATE DROP OF ROW ROWS RANGE FULL CURRENT FILTER OVER WINDOW PARTITION RECURSIVE
"""
_WORDS = frozenset(_KEYWORDS.split())


def kind_of(declared: str, values: list[Any]) -> str:
    """The kind of a column by its declared type and its values."""
    if "BOOL" in declared:
        return "b"
    if any(isinstance(value, str) for value in values) or not values:
        texts = [value for value in values if isinstance(value, str)]
        if texts and all(_DATE.fullmatch(text) for text in texts):
            return "d"
        if texts and all(_NUMERAL.fullmatch(text) for text in texts):
            return "n"
        return "t" if texts or "CHAR" in declared or "TEXT" in declared else "i"
    return "f" if any(isinstance(value, float) for value in values) else "i"


class Writer:
    """Draws queries."""

    def __init__(self, rng: random.Random, shape: Shape) -> None:
        self.rng = rng
        self.shape = shape
        self.tables: dict[str, str] = {}  # alias -> table
        self.count = 0
        self.late: list[str] = []

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def query(self, depth: int = 2) -> str:
        """A SELECT or a set operation."""
        if depth and self.chance(0.1):
            word = self.rng.choice(["UNION", "UNION ALL", "INTERSECT", "EXCEPT"])
            kinds = [self.rng.choice(self.kinds()) for _ in range(self.rng.randint(1, 2))]
            sides = [self.plain(kinds) for _ in range(2)]
            tail = " ORDER BY 1" if self.chance(0.3) else ""
            return f" {word} ".join(sides) + tail
        return self.select(depth)

    def kinds(self) -> list[str]:
        """The kinds of columns that there are."""
        return sorted({k for columns in self.shape.columns.values() for k in columns.values()})

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
        tables = [rng.choice(list(self.shape.columns))]
        aliases = [self.alias()]
        text = f"{tables[0]} AS {aliases[0]}"
        late: list[str] = []
        for _ in range(rng.choice([0, 0, 1, 1, 2, size - 1])):
            options = []
            for n, table in enumerate(tables):
                for child, columns, parent, keys in self.shape.joins:
                    if child == table:
                        options.append((n, columns, parent, keys))
                    if parent == table:
                        options.append((n, keys, child, columns))
            if not options:
                break
            n, own, other, its = rng.choice(options)
            alias = self.alias()
            pairs = [f"{aliases[n]}.{a} = {alias}.{b}" for a, b in zip(own, its, strict=True)]
            on = " AND ".join(pairs)
            if self.chance(0.2):
                pool = [(aliases[n], c, k) for c, k in self.shape.columns[tables[n]].items()]
                mine = [(alias, c, k) for c, k in self.shape.columns[other].items()]
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
        self.tables |= dict(zip(aliases, tables, strict=True))
        pairs_ = zip(aliases, tables, strict=True)
        return text, [(a, c, k) for a, t in pairs_ for c, k in self.shape.columns[t].items()]

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

    def literal(self, column: Column) -> str:
        """A stored value, one near it, or one of another type."""
        rng = self.rng
        if self.chance(0.08):
            others = [
                "NULL",
                "'10'",
                "10",
                "'x'",
                "1.5",
                "'2011-05-12'",
                "''",
                "'1.0'",
                "-1",
                "TRUE",
            ]
            return rng.choice(others)
        known = self.shape.values.get((self.tables.get(column[0], ""), column[1])) or [0, "a"]
        value = rng.choice(known)
        if isinstance(value, int | float) and self.chance(0.3):
            value += rng.choice([-1, 1])
        if isinstance(value, bytes):
            return "X'" + value.hex() + "'"
        if isinstance(value, str):
            if self.chance(0.1):
                value = rng.choice([value.upper(), value.lower(), value[:4]])
            return "'" + value.replace("'", "''") + "'"
        return repr(value)

    def pattern(self, column: Column) -> str:
        """A LIKE pattern from a stored value."""
        rng = self.rng
        known = self.shape.values.get((self.tables.get(column[0], ""), column[1])) or ["abc"]
        value = str(rng.choice(known)).replace("'", "''")
        cut = value[: rng.randint(0, 4)]
        shapes = [f"{cut}%", f"%{cut}%", f"%{value[-2:]}", f"_{value[1:3]}%", value, "%", "_%_"]
        return rng.choice(shapes)

    def simple(self, columns: list[Column]) -> str:
        """One predicate on one column."""
        rng = self.rng
        chosen = rng.choice(columns)
        alias, name, kind = chosen
        column = f"{alias}.{name}"
        match rng.randint(0, 12):
            case 0:
                return f"{column} IS {rng.choice(['', 'NOT '])}NULL"
            case 1:
                items = ", ".join(self.literal(chosen) for _ in range(rng.randint(1, 3)))
                return f"{column} {rng.choice(['', 'NOT '])}IN ({items})"
            case 2:
                low, high = self.literal(chosen), self.literal(chosen)
                return f"{column} {rng.choice(['', 'NOT '])}BETWEEN {low} AND {high}"
            case 3 if kind in "tndi":
                return f"{column} {rng.choice(['', 'NOT '])}LIKE '{self.pattern(chosen)}'"
            case 4:
                other = self.pick(columns, kind)
                if other is not None:
                    word = rng.choice(["=", "<", ">=", "IS", "IS NOT"])
                    return f"{column} {word} {other[0]}.{other[1]}"
            case 5:
                other = rng.choice(columns)
                word = rng.choice(["=", "<>", "<", ">="])
                return f"{column} {word} {other[0]}.{other[1]}"
            case 6:
                return f"{column} IS {rng.choice(['', 'NOT '])}{self.literal(chosen)}"
            case 7 if kind in "ifb":
                return column
            case 8:
                word = rng.choice(["=", "<", ">", "<>"])
                return f"{self.expression(columns)} {word} {self.literal(chosen)}"
        return (
            f"{column} {rng.choice(['=', '=', '<>', '<', '>', '<=', '>='])} {self.literal(chosen)}"
        )

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
        chosen = rng.choice(columns)
        alias, name, kind = chosen
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
        if kind in "tn":
            options += [f"upper({column})", f"replace({column}, 'a', 'bc')", f"trim({column})"]
            options += [f"instr({column}, 'a')", f"substr({column}, -3)", f"lower({column}) = 'x'"]
        if kind == "f":
            options += [f"round({column})", f"round({column}, 1)", f"CAST({column} AS INTEGER)"]
        options += [f"coalesce({column}, {self.literal(chosen)})", f"{column} IS NULL"]
        options += [f"CASE WHEN {self.simple(columns)} THEN {column} END"]
        options += [f"iif({self.simple(columns)}, 1, 0)"]
        if self.chance(0.1):
            return f"({self.condition(columns, 1)})"
        return rng.choice(options)

    def window(self, columns: list[Column]) -> str:
        """A window function."""
        rng = self.rng

        def names(number: int) -> str:
            return ", ".join(f"{c[0]}.{c[1]}" for c in rng.choices(columns, k=number))

        partition = f"PARTITION BY {names(rng.randint(1, 2))} " if self.chance(0.5) else ""
        order = f"ORDER BY {names(rng.randint(1, 3))}{rng.choice(['', ' DESC'])}"
        over = f"OVER ({partition}{order if self.chance(0.8) else ''})"
        ranks = ["rank()", "dense_rank()", "row_number()", "ntile(2)", "percent_rank()"]
        function = rng.choice([*ranks, self.aggregate(columns), f"lag({names(1)}) "])
        if "DISTINCT" in function or "*" in function.replace("(*)", "") or " - " in function:
            function = "count(*)"
        return f"{function} {over}"

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
        elif self.chance(0.1):
            items.append(self.window(columns))
        order = self.order(items)
        return f"SELECT {distinct}{', '.join(items)} FROM {origin}{where}{order}"

    def order(self, items: list[str]) -> str:
        rng = self.rng
        if not self.chance(0.35):
            return " LIMIT 3" if self.chance(0.1) else ""
        ways = ["", "DESC", "DESC NULLS FIRST"]
        keys = [f"{n + 1} {rng.choice(ways)}" for n in range(len(items))]
        if self.chance(0.2):
            keys.insert(0, rng.choice(items))
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
            having += f" AND count(*) <= (SELECT {self.scalar(columns)})"
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
        other = rng.choice(list(self.shape.columns))
        join = ""
        if self.chance(0.4):
            column = rng.choice(list(self.shape.columns[other]))
            join = f" JOIN {other} AS o ON o.{column} = d.k"
        outer = rng.choice(["d.k, d.v", "max(d.v)", "count(*), count(d.v)", "d.v"])
        last = rng.choice(["", " WHERE d.v > 1", " WHERE d.k IS NOT NULL"])
        if self.chance(0.4):
            return f"WITH d AS ({inner}) SELECT {outer} FROM d{join}{last}"
        return f"SELECT {outer} FROM ({inner}) AS d{join}{last}"


def main() -> int:
    """Run the comparison."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--queries", type=int, default=100)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--only", action="append", default=[])
    arguments.add_argument("--work", type=Path)
    arguments.add_argument("--engines", default="cypher,sql")
    arguments.add_argument("--out", type=Path)
    arguments.add_argument("--show", type=int, default=5)
    options = arguments.parse_args()
    with ExitStack() as stack:
        work = options.work or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        out = stack.enter_context(options.out.open("w")) if options.out else None
        outcomes = []
        for outcome in _all(options, work):
            outcomes.append(outcome)
            if out is not None:
                out.write(json.dumps(outcome.__dict__) + "\n")
    report(outcomes, options.show)
    return int(any(outcome.state in ("disagrees", "crash") for outcome in outcomes))


def _all(options: argparse.Namespace, work: Path) -> Iterator[Outcome]:
    runs = {name: run for name, run in RUNS.items() if name in options.engines.split(",")}
    with Proof(runs, 30.0) as proof:
        for path in sorted(options.folder.rglob("*.sqlite")):
            if options.only and not any(name in path.stem for name in options.only):
                continue
            rng = random.Random(f"{options.seed} {path.stem}")
            writer = Writer(rng, shape_of(path, rng))
            texts = list(dict.fromkeys(writer.query() for _ in range(options.queries)))
            yield from proof.database(path, work / path.stem, texts)


if __name__ == "__main__":
    sys.exit(main())
