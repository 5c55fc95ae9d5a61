"""Make a SQLite database N times as large: keys shifted copy by copy, foreign keys kept.

    python -m benchmarks.enlarge_database FILE OUT [--times 100]

Every column of a primary key, a UNIQUE set or a foreign key belongs to a group with the columns
that it references, directly or not. Copy k adds k times the group's span to integers and appends
`~k` to texts, so that every copy holds the same references among its own rows and none repeats a
key. All other values are copied as they are. Triggers and views are left out.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path

from schemagraph.relational import SourceTable
from schemagraph.sources.sqlite import SqliteDatabase, quoted

type Place = tuple[str, str]


def main(argv: Sequence[str] | None = None) -> int:
    """Write the larger database."""
    parser = argparse.ArgumentParser(description="Multiply the rows of a SQLite database.")
    parser.add_argument("file", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--times", type=int, default=100)
    arguments = parser.parse_args(argv)
    print(f"{arguments.out}: {enlarge(arguments.file, arguments.out, arguments.times)} rows")
    return 0


def enlarge(file: Path, out: Path, times: int) -> int:
    """Write `times` copies of the rows of `file` to the new database `out`; how many rows."""
    database = SqliteDatabase(file)
    tables = database.tables
    database.close()
    out.unlink(missing_ok=True)
    connection = sqlite3.connect(out, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("ATTACH ? AS old", (str(file),))
        connection.execute("BEGIN")
        created = connection.execute(
            "SELECT sql FROM old.sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' "
            "ORDER BY type = 'index', rowid"
        ).fetchall()
        wanted = [text for (text,) in created if text.split()[1].upper() in _KEPT]
        for text in (text for text in wanted if text.split()[1].upper() == "TABLE"):
            connection.execute(text)
        spans = _spans(connection, tables)
        rows = 0
        for table in tables:
            items = ", ".join(_item(table.name, c.name, spans) for c in table.columns)
            names = ", ".join(quoted(c.name) for c in table.columns)
            copies = (
                f"WITH RECURSIVE k(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM k LIMIT {times})"
            )
            connection.execute(
                f"INSERT INTO main.{quoted(table.name)} ({names}) {copies} "
                f"SELECT {items} FROM k, old.{quoted(table.name)}"
            )
            rows += connection.execute("SELECT changes()").fetchone()[0]
        for text in (text for text in wanted if text.split()[1].upper() != "TABLE"):
            connection.execute(text)
        connection.execute("COMMIT")
        return rows
    finally:
        connection.close()


_KEPT = ("TABLE", "INDEX", "UNIQUE")


def _item(table: str, column: str, spans: dict[Place, int]) -> str:
    name = quoted(column)
    span = spans.get((table, column))
    if span is None:
        return name
    return (
        f"CASE typeof({name}) WHEN 'integer' THEN {name} + n * {span} "
        f"WHEN 'text' THEN {name} || CASE WHEN n THEN '~' || n ELSE '' END ELSE {name} END"
    )


def _spans(connection: sqlite3.Connection, tables: Sequence[SourceTable]) -> dict[Place, int]:
    """What is added for each copy, by column that has to differ from copy to copy."""
    group: dict[Place, Place] = {}

    def root(place: Place) -> Place:
        while group.setdefault(place, place) != place:
            place = group[place]
        return place

    for table in tables:
        for reference in table.references:
            for own, other in zip(reference.columns, reference.referenced, strict=False):
                group[root((table.name, own))] = root((reference.table, other))
    shifted = {root(place) for place in list(group)}
    for table in tables:
        for key in (table.key, *table.unique):
            if key and not any(root((table.name, name)) in shifted for name in key):
                shifted.add(root((table.name, key[0])))
    spans: dict[Place, int] = {}
    for place in list(group):
        text = f"SELECT max(abs({quoted(place[1])})) FROM old.{quoted(place[0])} "
        (most,) = connection.execute(
            f"{text} WHERE typeof({quoted(place[1])}) = 'integer'"
        ).fetchone()
        spans[root(place)] = max(spans.get(root(place), 0), 2 * (most or 0) + 1)
    return {place: spans[root(place)] for place in group if root(place) in shifted}


if __name__ == "__main__":
    sys.exit(main())
