"""Original values in any file of a release with pseudonyms: every file is read, Parquet decoded.

    python benchmarks/pseudonyms.py RELEASE --sqlite FILE | --postgresql ADDRESS

The originals are read anew from the source, and looked for by code of this script's own: as whole
cells (any string of Parquet, JSON, SQLite, CSV), as quoted constants, and, from eight characters,
anywhere. Dates, numbers and flags in texts are counted apart, and so are texts that the schema
says itself.
"""

from __future__ import annotations

import argparse
import json
import re
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

PLAIN = re.compile(r"[\d\s:./T+-]*|true|false", re.IGNORECASE)  # no letters: dates, numbers
QUOTED = re.compile(r"'((?:[^'\\]|\\.|'')*)'|\"((?:[^\"\\]|\\.)*)\"")


def of_sqlite(path: Path) -> Iterator[tuple[str, str]]:
    """Texts of the source, and the names of its tables and columns as `("name", …)`."""
    with closing(sqlite3.connect(path)) as connection:
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        for (table,) in tables.fetchall():
            cursor = connection.execute(f'SELECT * FROM "{table}"')
            yield "name", table
            yield from (("name", column[0]) for column in cursor.description)
            yield from (("text", v) for row in cursor for v in row if isinstance(v, str))


def of_postgresql(address: str) -> Iterator[tuple[str, str]]:
    """As `of_sqlite`, of the tables of a PostgreSQL database."""
    import sqlalchemy

    engine = sqlalchemy.create_engine(address.replace("postgresql://", "postgresql+psycopg://"))
    with engine.connect() as connection:
        for table in sqlalchemy.inspect(engine).get_table_names():
            rows = connection.execute(sqlalchemy.text(f'SELECT * FROM "{table}"'))
            yield "name", table
            yield from (("name", column) for column in tuple(rows.keys()))
            for row in rows:
                yield from (("text", value) for value in row if isinstance(value, str))


def strings(value: Any) -> Iterator[str]:
    """All texts of a value, JSON in texts too."""
    if isinstance(value, str):
        yield value
        if value[:1] in "[{":
            try:
                yield from strings(json.loads(value))
            except ValueError:
                return
    elif isinstance(value, dict):
        for each in value.values():
            yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)


def contents(path: Path) -> Iterator[str]:
    """The texts of a file, one at a time."""
    if path.suffix == ".parquet":
        for row in pq.read_table(path).to_pylist():
            yield from strings(row)
    elif path.suffix in (".sqlite", ".db"):
        yield from (text for _, text in of_sqlite(path))
        with closing(sqlite3.connect(path)) as connection:
            for (sql,) in connection.execute("SELECT sql FROM sqlite_master"):
                yield sql or ""
    else:
        text = path.read_bytes().decode("utf-8", "replace")
        for piece in [text] if path.suffix == ".json" else text.splitlines():
            try:
                yield from strings(json.loads(piece))
            except ValueError:
                yield piece


def main() -> int:
    """Print what is left, as JSON; the status is 1 where anything is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("release", type=Path)
    parser.add_argument("--sqlite", type=Path)
    parser.add_argument("--postgresql")
    given = parser.parse_args()
    both = list(of_sqlite(given.sqlite) if given.sqlite else of_postgresql(given.postgresql))
    names = {text.casefold() for kind, text in both if kind == "name"}
    texts = {text for kind, text in both if kind == "text"}
    originals = {t for t in texts if not PLAIN.fullmatch(t) and t.casefold() not in names}
    long: dict[str, set[str]] = {}
    for text in originals:
        if len(text) >= 8:
            long.setdefault(text[:8], set()).add(text)
    left: dict[str, Counter[str]] = {"cells": Counter(), "constants": Counter(), "long": Counter()}
    files, size, seen = 0, 0, set()
    for path in sorted(p for p in given.release.rglob("*") if p.is_file()):
        files, size = files + 1, size + path.stat().st_size
        for text in contents(path):
            if text in seen:
                continue
            seen.add(text)
            if text in originals:
                left["cells"][text] += 1
            for one, two in QUOTED.findall(text):
                for each in {one or two, (one or two).replace("''", "'")} & originals:
                    left["constants"][each] += 1
            for place in range(len(text) - 7):
                for each in long.get(text[place : place + 8], ()):
                    if text.startswith(each, place):
                        left["long"][each] += 1
    report = {
        "files": files,
        "megabytes": round(size / 1e6, 1),
        "texts_of_the_source": len(texts),
        "originals": len(originals),
        "of_eight_characters": sum(map(len, long.values())),
        "said_by_the_schema": sorted(t for t in texts if t.casefold() in names),
        "left": {kind: dict(counts.most_common(20)) for kind, counts in left.items()},
    }
    print(json.dumps(report, indent=1, ensure_ascii=False))
    return int(any(left.values()))


if __name__ == "__main__":
    sys.exit(main())
