"""Comparisons of every kind of SQLite column with every other: SQLite against the graph engines.

    python -m benchmarks.column_pairs [--tables columns,links] [--only WORD] [--sample N]
        [--engines cypher,sql] [--show 3] [--out RESULTS.jsonl]

Columns are of every affinity and every storage of their values, alone or mixed, as plain columns,
as keys that others refer to and as the ends of link tables; they are compared by every construct
that compares two values. Prints what `sql_proof` prints; exits with 1 when an answer differs.
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from benchmarks.sql_proof import RUNS, Proof, report

# Per column its declaration, and its values row by row.
COLUMNS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "i": ("INTEGER", (1, 2, 10, -3, None)),
    "r": ("REAL", (1.0, 2.5, 10.0, -3.0, None)),
    "n": ("NUMERIC", (1, 2.5, 10, -3, None)),
    "o": ("BOOLEAN", (1, 0, 1, None, 0)),
    "t": ("TEXT", ("1", "2", "10", "-3", None)),
    "td": ("TEXT", ("1.0", "2.5", "10", "-3", None)),
    "tw": ("TEXT", ("x", "y", "10", "-3", None)),
    "tf": ("TEXT", ("01", " 2", "1e1", "x", None)),
    "tc": ("TEXT COLLATE NOCASE", ("X", "x", "10", "1", None)),
    "d": ("DATE", ("2024-01-01", "2024-01-02", "2024-02-01", "1999-12-31", None)),
    "dt": ("DATETIME", (*(f"2024-01-0{n} 00:00:00" for n in (1, 2, 3, 4)), None)),
    "u": ("", (1, 2, 10, -3, None)),
    "ur": ("", (1.0, 2.5, 10.0, -3.0, None)),
    "un": ("", (1, 2.5, 10, -3, None)),
    "us": ("", (1, 1.0, 10, -3.0, None)),
    "ut": ("", ("1", "2", "10", "-3", None)),
    "um": ("", (1, "x", 10, "y", None)),
    "ux": ("", (1, 1.0, "x", 2.5, None)),
    "ul": ("", (1, "1", 10, "10", None)),
    "ub": ("BLOB", (1, 2, 10, -3, None)),
    "mi": ("INT", (1, "x", 10, -3, None)),
    "mf": ("INT", (1, "1x", 10, "", None)),
    "mn": ("NUMERIC", (1, "x", 2.5, -3, None)),
    "mr": ("REAL", (1.0, "x", 2.5, -3.0, None)),
    "mb": ("INT", (1, b"1", 10, "x", None)),
}
CONSTANTS = ("1", "1.0", "2.5", "-3", "'1'", "'1.0'", "'01'", "'x'", "''", "'2024-01-01'")
# {p} is a column of `x`, {q} one of `y`, which has other rows in another order, or of `x`.
OF_ONE_TABLE = """
SELECT count(*) FROM x WHERE {p} = {q}
SELECT count(*) FROM x WHERE {p} <> {q}
SELECT count(*) FROM x WHERE {p} < {q}
SELECT count(*) FROM x WHERE {p} >= {q}
SELECT count(*) FROM x WHERE {p} IS {q}
SELECT count(*) FROM x WHERE {p} IN ({q}, 2)
SELECT count(*) FROM x WHERE {p} NOT IN ({q})
SELECT count(*) FROM x WHERE {p} BETWEEN {q} AND {q}
SELECT id, CASE {p} WHEN {q} THEN 'same' ELSE 'other' END FROM x
SELECT count(*) FROM x WHERE ({p}, id) = ({q}, id)
SELECT count(*) FROM x WHERE ({p}, id) IN (SELECT {q}, id FROM x)
SELECT count(*) FROM x WHERE +{p} = {q}
SELECT count(*) FROM x WHERE {p} || '' = {q}
SELECT count(*) FROM x WHERE CAST({p} AS TEXT) = {q}
SELECT count(*) FROM x WHERE CAST({p} AS INTEGER) = {q}
SELECT id FROM x WHERE max({p}, {q}) = {p}
SELECT id, max({p}, {q}), min({p}, {q}) FROM x
SELECT id FROM x WHERE coalesce({p}, {q}) = {q}
SELECT id, coalesce({p}, {q}) FROM x
SELECT id, nullif({p}, {q}) IS NULL FROM x
SELECT id FROM x WHERE iif(id < 3, {p}, {q}) = {q}
""".strip().splitlines()
OF_TWO_TABLES = """
SELECT count(*) FROM x JOIN y ON x.{p} = y.{q}
SELECT count(*) FROM x JOIN y ON x.{p} < y.{q}
SELECT count(y.id) FROM x LEFT JOIN y ON x.{p} = y.{q}
SELECT count(*) FROM (SELECT {p} AS v FROM x) JOIN (SELECT {q} AS v FROM y) USING (v)
SELECT count(*) FROM (SELECT {p} AS v FROM x) NATURAL JOIN (SELECT {q} AS v FROM y)
SELECT count(*) FROM x WHERE {p} IN (SELECT {q} FROM y)
SELECT count(*) FROM x WHERE {p} NOT IN (SELECT {q} FROM y WHERE {q} IS NOT NULL)
SELECT count(*) FROM x WHERE {p} IN (SELECT {q} FROM y GROUP BY {q})
SELECT count(*) FROM x WHERE {p} IN (SELECT max({q}) FROM y)
SELECT count(*) FROM x WHERE {p} = (SELECT max({q}) FROM y)
SELECT count(*) FROM x WHERE {p} < (SELECT {q} FROM y WHERE id = 1)
SELECT count(*) FROM x WHERE EXISTS (SELECT 1 FROM y WHERE y.{q} = x.{p})
SELECT count(*) FROM (SELECT {p} FROM x UNION SELECT {q} FROM y)
SELECT {p} FROM x INTERSECT SELECT {q} FROM y
SELECT count(*) FROM (SELECT {p} FROM x EXCEPT SELECT {q} FROM y)
SELECT count(*) FROM (SELECT {p} AS v FROM x UNION ALL SELECT {q} FROM y) WHERE v = 1
SELECT count(*) FROM (SELECT {p} AS v FROM x UNION ALL SELECT {q} FROM y) WHERE v = '1'
SELECT count(*) FROM (SELECT {p} AS v FROM x UNION ALL SELECT {q} FROM y) GROUP BY v
SELECT count(DISTINCT v) FROM (SELECT {p} AS v FROM x UNION ALL SELECT {q} FROM y)
SELECT count(*) FROM x JOIN y ON x.{p} = y.{q} GROUP BY x.{p}, y.{q}
""".strip().splitlines()
WITH_CONSTANT = """
SELECT count(*) FROM x WHERE {p} = {q}
SELECT count(*) FROM x WHERE {p} <> {q}
SELECT count(*) FROM x WHERE {p} < {q}
SELECT count(*) FROM x WHERE {q} <= {p}
SELECT count(*) FROM x WHERE {p} IN ({q}, 10)
SELECT count(*) FROM x WHERE {q} IN (SELECT {p} FROM x)
SELECT count(*) FROM x WHERE {p} NOT IN ({q})
SELECT count(*) FROM x WHERE {p} BETWEEN {q} AND 10
SELECT id, CASE {p} WHEN {q} THEN 'same' ELSE 'other' END FROM x
SELECT id, nullif({p}, {q}) IS NULL FROM x
SELECT id FROM x WHERE max({p}, {q}) = {q}
SELECT id FROM x WHERE coalesce({p}, {q}) = {q}
SELECT count(*) FROM x WHERE +{p} = {q}
SELECT id, {p} IS {q} FROM x
SELECT count(*) FROM x WHERE ({p}, id) IN (({q}, 1), ({q}, 2))
""".strip().splitlines()
_DECLARED = {"i": "INTEGER", "t": "TEXT", "u": ""}
_KEYS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "i": ("INTEGER", (1, 2, 10)),
    "t": ("TEXT", ("1", "2", "x")),
}
OF_LINK = """
SELECT count(*) FROM {l} a JOIN {l} b ON a.s = b.c
SELECT count(*) FROM {l} WHERE s = c
SELECT count(*) FROM {l} WHERE s < c
SELECT count(*) FROM {l} WHERE s IN (SELECT c FROM {l})
SELECT count(*) FROM {l} WHERE s IN (1, '2', 2.5)
SELECT count(*) FROM {l} WHERE c = '1'
SELECT count(*) FROM {l} WHERE c = 1
SELECT count(*) FROM {l} WHERE c > 1.5
SELECT count(*) FROM {l} a JOIN {s} b ON a.s = b.id JOIN {c} d ON a.c = d.id
SELECT count(*) FROM {l} a JOIN {s} ON a.c = {s}.id
SELECT count(*) FROM {l} a JOIN {c} ON a.s = {c}.id
SELECT count(*) FROM {l} a JOIN {l} b ON a.s = b.s
SELECT count(*) FROM {l} a, {l} b WHERE a.c = b.c AND a.s <> b.s
SELECT count(*) FROM {s} WHERE id NOT IN (SELECT c FROM {l})
SELECT count(*) FROM (SELECT s FROM {l} UNION SELECT c FROM {l})
SELECT count(*) FROM {l} a JOIN {f} b ON a.s = b.s
SELECT count(*) FROM {l} a JOIN {f} b ON a.s = b.c
SELECT count(*) FROM {f} a JOIN {s} b ON a.s = b.id JOIN {c} d ON a.c = d.id
SELECT count(*) FROM {f} a JOIN {c} ON a.s = {c}.id
SELECT count(*) FROM {f} a WHERE a.s = a.c
SELECT count(*) FROM {f} a JOIN {f} b ON a.s = b.c
SELECT id, nullif(s, c) IS NULL FROM {f}
""".strip().splitlines()


def fill_columns(path: Path) -> None:
    """A database with tables `x` and `y` of all columns, without a reference."""
    connection = sqlite3.connect(path)
    declared = ", ".join(f"{name} {words}" for name, (words, _) in COLUMNS.items())
    rows = list(zip(*(values for _, values in COLUMNS.values()), strict=True))
    for table, kept in (("x", rows), ("y", [*rows[:0:-1], rows[2]])):
        connection.execute(f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, {declared})")
        places = ", ".join("?" * (len(COLUMNS) + 1))
        for number, row in enumerate(kept, 1):
            connection.execute(f"INSERT INTO {table} VALUES ({places})", (number, *row))
    connection.commit()
    connection.close()


def column_queries() -> Iterator[str]:
    """Each construct over each two columns, and over each column and constant."""
    for p, q in product(COLUMNS, repeat=2):
        for form in OF_ONE_TABLE if p != q else ():
            yield form.format(p=p, q=q)
        for form in OF_TWO_TABLES:
            yield form.format(p=p, q=q)
    for p, q, form in product(COLUMNS, CONSTANTS, WITH_CONSTANT):
        yield form.format(p=p, q=q)


def _links() -> Iterator[tuple[str, str, str, str, str]]:
    """Kinds of both keys, and of the columns that refer to them, and which pair it is."""
    for s, c in product(_KEYS, repeat=2):
        for own, other in product(_DECLARED, repeat=2):
            yield s, c, own, other, f"{s}{c}_{own}{other}"


def fill_links(path: Path) -> None:
    """A database of keys of every kind with link tables `l_…` and node tables `f_…` that refer to
    them by columns of every kind."""
    connection = sqlite3.connect(path)
    for kind, (words, values) in _KEYS.items():
        connection.execute(f"CREATE TABLE k_{kind} (id {words} PRIMARY KEY, name TEXT)")
        for value in values:
            connection.execute(f"INSERT INTO k_{kind} VALUES (?, 'n')", (value,))
    for s, c, own, other, name in _links():
        ends = f"s {_DECLARED[own]} REFERENCES k_{s}, c {_DECLARED[other]} REFERENCES k_{c}"
        connection.execute(f"CREATE TABLE l_{name} ({ends}, w INTEGER)")
        connection.execute(f"CREATE TABLE f_{name} (id INTEGER PRIMARY KEY, {ends}, w INTEGER)")
        for number, (a, b) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (2, 0)), 1):
            pair = (_KEYS[s][1][a], _KEYS[c][1][b], number)
            connection.execute(f"INSERT INTO l_{name} VALUES (?, ?, ?)", pair)
            connection.execute(f"INSERT INTO f_{name} VALUES (?, ?, ?, ?)", (number, *pair))
    connection.commit()
    connection.close()


def link_queries() -> Iterator[str]:
    """Each construct over each link table."""
    for s, c, _, _, name in _links():
        for form in OF_LINK:
            yield form.format(l=f"l_{name}", f=f"f_{name}", s=f"k_{s}", c=f"k_{c}")


TABLES = {"columns": (fill_columns, column_queries), "links": (fill_links, link_queries)}


def main() -> int:
    """Run the proof."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("--tables", default=",".join(TABLES))
    arguments.add_argument("--only", default="", help="queries with this word")
    arguments.add_argument("--sample", type=int, help="as many queries, drawn")
    arguments.add_argument("--engines", default="cypher,sql")
    arguments.add_argument("--show", type=int, default=3)
    arguments.add_argument("--out", type=Path)
    options = arguments.parse_args()
    runs = {name: run for name, run in RUNS.items() if name in options.engines.split(",")}
    outcomes: list[Any] = []
    with tempfile.TemporaryDirectory() as folder, Proof(runs, 30.0) as proof:
        for name in options.tables.split(","):
            fill, queries = TABLES[name]
            path = Path(folder, f"{name}.sqlite")
            fill(path)
            texts = [text for text in dict.fromkeys(queries()) if options.only in text]
            if options.sample is not None and options.sample < len(texts):
                texts = random.Random(1).sample(texts, options.sample)
            outcomes += proof.database(path, Path(folder, name), texts)
    if options.out is not None:
        lines = (json.dumps(outcome.__dict__) for outcome in outcomes)
        options.out.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    report(outcomes, options.show)
    return int(any(outcome.state in ("disagrees", "crash") for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
