"""Give SQLite databases rows that their gold queries find: empty ones, or more to small ones.

    python benchmarks/fill_databases.py FOLDER GOLD.jsonl OUT [--rows 40] [--seed 1] [--enlarge]

Writes each database that GOLD names to OUT under the same path, so that the other scripts take
OUT for FOLDER. A database without any row gets generated ones; with `--enlarge` the others get
`--rows` more in each table, without it they are copied. Declared keys and foreign keys are
kept. Values are drawn from the constants that the queries compare a column with, and columns
that queries equate draw from the same values; for every SELECT there is a set of rows that
meets its equalities, bounds and patterns. Same input and seed, same rows.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sqlite3
import sys
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import sqlglot
from sqlglot import exp

type Place = tuple[str, str]  # table, column, in lower case
type Spot = tuple[int, str, str]  # SELECT, alias, column

NULLS = 0.08
POOL = 10


@dataclass
class Table:
    """What SQLite says of a table."""

    name: str
    columns: dict[str, str] = field(default_factory=dict)  # lower-case name -> declared type
    exact: dict[str, str] = field(default_factory=dict)
    required: set[str] = field(default_factory=set)
    key: list[str] = field(default_factory=list)
    foreign: list[tuple[list[str], str, list[str]]] = field(default_factory=list)
    rows: list[dict[str, Any]] = field(default_factory=list)
    known: int = 0  # how many of the rows were there before


class Classes:
    """Union-find."""

    def __init__(self) -> None:
        self.up: dict[Any, Any] = {}

    def find(self, key: Any) -> Any:
        """The representative of the key's class."""
        while (above := self.up.get(key, key)) != key:
            key = above
        return key

    def union(self, one: Any, other: Any) -> None:
        """The two are in one class."""
        self.up[self.find(one)] = self.find(other)


def tables_of(connection: sqlite3.Connection, *, rows: bool = True) -> dict[str, Table]:
    """The tables of a database, with their rows if wanted."""
    names = [
        row[0]
        for row in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        )
    ]
    found = {}
    for name in names:
        table = Table(name)
        for _, column, kind, notnull, _, key in connection.execute(f'PRAGMA table_info("{name}")'):
            low = column.lower()
            table.columns[low], table.exact[low] = kind.upper(), column
            if notnull or key:
                table.required.add(low)
            if key:
                table.key.append(low)
        keys = defaultdict(list)
        for row in connection.execute(f'PRAGMA foreign_key_list("{name}")'):
            keys[row[0]].append((row[2].lower(), row[3].lower(), (row[4] or row[3]).lower()))
        for parts in keys.values():
            table.foreign.append(([p[1] for p in parts], parts[0][0], [p[2] for p in parts]))
        cursor = connection.execute(f'SELECT * FROM "{name}"{"" if rows else " LIMIT 0"}')
        table.rows = [dict(zip(table.columns, row, strict=True)) for row in cursor]
        table.known = len(table.rows)
        found[name.lower()] = table
    return found


class Spots:
    """Resolves the columns of one query: which SELECT, alias and table each belongs to."""

    def __init__(self, tables: dict[str, Table], tree: exp.Expr) -> None:
        self.tables = tables
        self.sources: dict[tuple[int, str], str] = {}
        for table in tree.find_all(exp.Table):
            select = table.find_ancestor(exp.Select)
            if table.name.lower() in tables and select is not None:
                self.sources[id(select), table.alias_or_name.lower()] = table.name.lower()

    def place(self, spot: Spot) -> Place:
        """The table and column of a spot."""
        return self.sources[spot[0], spot[1]], spot[2]

    def find(self, node: exp.Expr | None) -> Spot | None:
        """Where a column comes from; None for what is no column of a table."""
        node = node.unalias().unnest() if node is not None else None
        if not isinstance(node, exp.Column):
            return None
        name, select = node.name.lower(), node.find_ancestor(exp.Select)
        while select is not None:
            for (owner, alias), table in self.sources.items():
                fits = node.table.lower() == alias if node.table else True
                if owner == id(select) and fits and name in self.tables[table].columns:
                    return (owner, alias, name)
            select = select.find_ancestor(exp.Select)
        return None


class Gold:
    """What the queries over one database say about its columns."""

    def __init__(self, tables: dict[str, Table], texts: list[str]) -> None:
        self.tables = tables
        self.equal = Classes()  # places that queries or foreign keys equate
        self.constants: dict[Place, list[Any]] = defaultdict(list)
        self.witnesses: list[tuple[dict[tuple[int, str], str], Classes, dict[Spot, Any]]] = []
        for name, table in tables.items():
            for own, parent, other in table.foreign:
                for a, b in zip(own, other, strict=True):
                    self.equal.union((name, a), (parent, b))
        for text in texts:
            try:
                tree = sqlglot.parse_one(text, dialect="sqlite")
            except sqlglot.errors.SqlglotError:
                continue
            self._read(tree)

    def _read(self, tree: exp.Expr) -> None:
        spots = Spots(self.tables, tree)
        classes, wanted = Classes(), dict[Spot, Any]()
        for node in tree.find_all(exp.Predicate):
            self._predicate(node, spots, classes, wanted)
        self.witnesses.append((spots.sources, classes, wanted))

    def _predicate(
        self, node: exp.Expr, spots: Spots, classes: Classes, wanted: dict[Spot, Any]
    ) -> None:
        one = spots.find(node.this)
        if one is None:
            return
        place = spots.place(one)
        other_node = node.args.get("expression") or node.args.get("query")
        if isinstance(other_node, exp.Subquery | exp.Select) and isinstance(node, exp.EQ | exp.In):
            selects = other_node.unnest().args.get("expressions") or [None]
            other_node = selects[0]
        other = spots.find(other_node)
        if other is not None and isinstance(node, exp.EQ | exp.In):
            classes.union(one, other)
            self.equal.union(place, spots.place(other))
        literals = [node.args.get(n) for n in ("expression", "low", "high")]
        literals += node.args.get("expressions") or []
        for value in [_constant(item) for item in literals if item is not None]:
            if value is None:
                continue
            if isinstance(node, exp.Like):
                value = str(value).replace("%", "").replace("_", "x")
            above = isinstance(node, exp.GT) and isinstance(value, int | float)
            below = isinstance(node, exp.LT) and isinstance(value, int | float)
            self.constants[place].append(value)
            if above or below:
                self.constants[place].append(value + 1 if above else value - 1)
            if not isinstance(node, exp.NEQ) and not node.find_ancestor(exp.Not):
                wanted.setdefault(one, value + 1 if above else value - 1 if below else value)


def _constant(node: exp.Expr) -> Any:
    node = node.unnest()
    if isinstance(node, exp.Neg):
        value = _constant(node.this)
        return -value if isinstance(value, int | float) else None
    if isinstance(node, exp.Literal):
        if node.is_string:
            return node.name
        try:
            return int(node.name)
        except ValueError:
            return float(node.name)
    quoted = isinstance(node, exp.Column) and not node.table and node.this.args.get("quoted")
    return node.name if quoted else None


class Filler:
    """Adds rows to the tables of one database."""

    def __init__(self, tables: dict[str, Table], gold: Gold, rng: random.Random) -> None:
        self.tables, self.gold, self.rng = tables, gold, rng
        self.pools: dict[Place, list[Any]] = defaultdict(list)
        self.numbers = count(1)
        for name, table in tables.items():
            for column in table.columns:
                pool = self.pools[gold.equal.find((name, column))]
                pool += gold.constants[name, column]
                pool += [row[column] for row in table.rows if row[column] is not None]
        self.keys = {
            name: {tuple(row[c] for c in table.key) for row in table.rows}
            for name, table in tables.items()
        }

    def run(self, rows: int) -> None:
        """Rows for every SELECT of the queries, then random ones, then missing parents."""
        for sources, classes, wanted in self.gold.witnesses:
            self._witness(sources, classes, wanted)
        for name in self.tables:
            for _ in range(rows):
                self._add(name, {})
        for _ in range(8):
            if not self._parents():
                return

    def _witness(
        self, sources: dict[tuple[int, str], str], classes: Classes, wanted: dict[Spot, Any]
    ) -> None:
        values: dict[Any, Any] = {}
        for spot, value in wanted.items():
            values.setdefault(classes.find(spot), value)
        for (owner, alias), name in sources.items():
            fixed = {}
            for column in self.tables[name].columns:
                group = classes.find((owner, alias, column))
                if group in classes.up.values() or (owner, alias, column) in classes.up:
                    values.setdefault(group, self._value(name, column))
                if group in values:
                    fixed[column] = values[group]
            self._add(name, fixed)

    def _add(self, name: str, fixed: dict[str, Any]) -> None:
        table = self.tables[name]
        for attempt in range(30):
            row = {
                column: _stored(fixed[column], kind)
                if column in fixed
                else self._value(name, column, fresh=attempt > 5 and column in table.key)
                for column, kind in table.columns.items()
            }
            key = tuple(row[c] for c in table.key)
            if not table.key or (key not in self.keys[name] and None not in key):
                self.keys[name].add(key)
                table.rows.append(row)
                return
            if set(table.key) <= set(fixed):
                return

    def _value(self, name: str, column: str, *, fresh: bool = False) -> Any:
        table = self.tables[name]
        kind = table.columns[column]
        if column not in table.required and self.rng.random() < NULLS:
            return None
        pool = self.pools[self.gold.equal.find((name, column))]
        if fresh or len(pool) < POOL:
            number = next(self.numbers)
            if _is_number(kind):
                pool.append(_stored(number, kind))
            else:
                like = [v for v in pool if isinstance(v, str)]
                pool.append(f"{self.rng.choice(like) if like else column} {number}")
            if fresh:
                return pool[-1]
        value = self.rng.choice(pool)
        if _is_number(kind) and isinstance(value, int | float) and self.rng.random() < 0.2:
            value += self.rng.choice([-1, 1])
        return _stored(value, kind)

    def _parents(self) -> bool:
        """Add the rows that foreign keys refer to; True where some were missing."""
        added = False
        for table in list(self.tables.values()):
            for own, parent, other in table.foreign:
                target = self.tables.get(parent)
                if target is None or not set(other) <= set(target.columns):
                    continue
                there = {tuple(row[c] for c in other) for row in target.rows}
                for row in list(table.rows[table.known :]):
                    values = tuple(row[c] for c in own)
                    if None in values or values in there:
                        continue
                    before = len(target.rows)
                    self._add(parent, dict(zip(other, values, strict=True)))
                    there.add(values)
                    added |= len(target.rows) > before
        return added


def _is_number(kind: str) -> bool:
    return any(word in kind for word in ("INT", "REAL", "FLOA", "DOUB", "DEC", "NUM", "BOOL"))


def _stored(value: Any, kind: str) -> Any:
    """A value as a column of this type is expected to hold it."""
    if value is None or not _is_number(kind):
        return value if value is None or isinstance(value, str) else str(value)
    try:
        number = float(value)
    except ValueError:
        return value
    whole = "INT" in kind or "BOOL" in kind
    return int(number) if whole and number.is_integer() else number


def fill(source: Path, target: Path, texts: list[str], rows: int, seed: int, more: bool) -> int:
    """Copy a database and fill it where it is empty or `more` is wanted; the rows added."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    with closing(sqlite3.connect(target)) as connection, connection:
        tables = tables_of(connection)
        if any(table.rows for table in tables.values()) and not more:
            return 0
        gold = Gold(tables, texts)
        Filler(tables, gold, random.Random(f"{seed} {source.stem}")).run(rows)
        added = 0
        for table in tables.values():
            names = ", ".join(f'"{table.exact[c]}"' for c in table.columns)
            marks = ", ".join("?" * len(table.columns))
            statement = f'INSERT OR IGNORE INTO "{table.name}" ({names}) VALUES ({marks})'
            for row in table.rows[table.known :]:
                added += connection.execute(statement, list(row.values())).rowcount
    return added


def main() -> int:
    """Fill the databases."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("gold", type=Path)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--rows", type=int, default=40)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--enlarge", action="store_true")
    options = arguments.parse_args()
    texts: dict[str, dict[str, None]] = defaultdict(dict)
    for line in options.gold.read_text().splitlines():
        record = json.loads(line)
        texts[record["database"]][record["sql"]] = None
    for name, queries in sorted(texts.items()):
        added = fill(
            options.folder / name,
            options.out / name,
            list(queries),
            options.rows,
            options.seed,
            options.enlarge,
        )
        print(f"{name}: {added} rows added")
    return 0


if __name__ == "__main__":
    sys.exit(main())
