"""How long a database of many tables takes to convert: as DDL text, and as a SQLite file.

    python -m benchmarks.many_tables [--tables 2000] [--kind ddl|sqlite]

Every table has six columns, a foreign key to the one before it, and three rows in the file.
"""

from __future__ import annotations

import argparse
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from schemagraph.convert.service import convert


def main(argv: Sequence[str] | None = None) -> int:
    """Measure both, or the one that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--kind", choices=("ddl", "sqlite"))
    options = parser.parse_args(argv)
    for kind in (options.kind,) if options.kind else ("ddl", "sqlite"):
        with tempfile.TemporaryDirectory() as folder:
            source = made(Path(folder), kind, options.tables)
            wall, busy = time.perf_counter(), time.process_time()
            report = convert(str(source), Path(folder) / "graph")
            wall, busy = time.perf_counter() - wall, time.process_time() - busy
            print(
                f"{kind}: {len(report.nodes)} node types, {wall:.1f} s, {busy:.1f} s of processor"
            )
    return 0


def made(folder: Path, kind: str, tables: int) -> Path:
    """The source: DDL text or a file of SQLite."""
    script = "".join(map(_table, range(tables)))
    path = folder / ("many.sql" if kind == "ddl" else "many.sqlite")
    if kind == "ddl":
        path.write_text(script)
        return path
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
        for number in range(tables):
            connection.executemany(
                f"INSERT INTO thing_{number} VALUES (?, ?, 'x', 1.5, '2024-05-01 10:00:00', 1)",
                [(row, f"name {row}") for row in range(1, 4)],
            )
        connection.commit()
    return path


def _table(number: int) -> str:
    before = f" REFERENCES thing_{number - 1}(id)" if number else ""
    return (
        f"CREATE TABLE thing_{number} (id INTEGER PRIMARY KEY, name TEXT NOT NULL, note TEXT, "
        f"price REAL, made_at DATETIME, before_id INTEGER{before});\n"
    )


if __name__ == "__main__":
    raise SystemExit(main())
