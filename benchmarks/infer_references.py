"""Forget the declared keys and foreign keys of databases, find them again, and compare.

    python -m benchmarks.infer_references FOLDER_OR_FILE… [--verbose]

Single-column foreign keys between tables with rows, to a declared key, are what can be found; a
declared one that is not found is missed, a found one that is not declared is extra (which need not
be wrong: owners forget some). Keys likewise: declared single-column primary keys of such tables.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.convert_databases import databases_in
from graphmill.errors import GraphmillError
from schemagraph.convert.inference import propose_keys, propose_references
from schemagraph.relational import Reference, SourceTable
from schemagraph.sources.sqlite import SqliteDatabase
from schemagraph.staging.scratch import Scratch
from schemagraph.staging.staging import stage


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description="Find foreign keys that were forgotten.")
    parser.add_argument("sources", nargs="+", type=Path, metavar="FOLDER_OR_FILE")
    parser.add_argument("--verbose", action="store_true", help="name what is missed and extra")
    arguments = parser.parse_args(argv)
    keys = [0, 0, 0]
    edges = [0, 0, 0]
    for path in databases_in(arguments.sources):
        try:
            one(path, keys, edges, arguments.verbose)
        except GraphmillError as problem:
            print(f"{path}: {problem}")
    for what, (hit, missed, extra) in (("keys", keys), ("foreign keys", edges)):
        recall, precision = hit / max(hit + missed, 1), hit / max(hit + extra, 1)
        print(
            f"{what}: {hit} found, {missed} missed, {extra} extra: "
            f"recall {recall:.1%}, precision {precision:.1%}"
        )
    return 0


def one(path: Path, keys: list[int], edges: list[int], verbose: bool) -> None:
    """Compare what is found in one database with what it declares."""
    database = SqliteDatabase(path)
    try:
        with tempfile.TemporaryDirectory() as folder:
            staged = [
                stage(database, table, Path(folder) / str(n))
                for n, table in enumerate(database.tables)
            ]
            with Scratch(staged, Path(folder)) as scratch:
                bare = [replace(t, key=(), unique=(), references=()) for t in database.tables]
                proposed = propose_keys(scratch, bare)
                keyed = [
                    replace(t, key=proposed[t.name].columns if t.name in proposed else ())
                    for t in bare
                ]
                references = {
                    (p.table, p.reference)
                    for p in propose_references(scratch, keyed)
                    if p.holds and p.reference is not None
                }
                full = {s.table.name for s in staged if s.rows}
    finally:
        database.close()
    wanted_keys = {(t.name, t.key) for t in database.tables if len(t.key) == 1 and t.name in full}
    found_keys = {(name, p.columns) for name, p in proposed.items()}
    count(path, wanted_keys, found_keys, keys, verbose)
    wanted = {
        (t.name, r)
        for t in database.tables
        for r in t.references
        if {t.name, r.table} <= full
        if len(r.columns) == 1 and r.referenced and is_key(database.tables, r)
    }
    count(path, wanted, references, edges, verbose)


def is_key(tables: Sequence[SourceTable], reference: Reference) -> bool:
    """Whether the referenced columns are declared to identify a row."""
    table = next(t for t in tables if t.name == reference.table)
    return reference.referenced in (table.key, *table.unique)


def count(path: Path, wanted: set[Any], got: set[Any], totals: list[int], verbose: bool) -> None:
    """Add to found, missed and extra."""
    for n, items in enumerate((wanted & got, wanted - got, got - wanted)):
        totals[n] += len(items)
        if verbose and n:
            for item in sorted(items, key=str):
                print(f"{path.stem}: {'missed' if n == 1 else 'extra'}: {item}")


if __name__ == "__main__":
    sys.exit(main())
