"""What the tests of the relational examples share."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from runpy import run_path

SOURCES = Path(__file__).parents[2] / "data" / "sources"


def filled(name: str, folder: Path, seed: int = 7) -> Path:
    """The database of an example, as its program writes it."""
    path = folder / f"{name}-{seed}.sqlite"
    run_path(str(SOURCES / name / "fill.py"))["fill"](path, seed)
    return path


@contextmanager
def quick_copy(database: Path) -> Iterator[sqlite3.Connection]:
    """A copy in memory in which references have indexes, so that checks over all rows are quick."""
    with (
        closing(sqlite3.connect(":memory:")) as copy,
        closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as original,
    ):
        original.backup(copy)
        _index(copy)
        yield copy


def _index(copy: sqlite3.Connection) -> None:
    for (table,) in copy.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
        references = copy.execute('SELECT id, "from" FROM pragma_foreign_key_list(?)', (table,))
        columns: dict[int, list[str]] = {}
        for number, column in references.fetchall():
            columns.setdefault(number, []).append(column)
        for number, names in columns.items():
            copy.execute(f'CREATE INDEX "{table}_{number}" ON "{table}" ({", ".join(names)})')
    copy.execute("ANALYZE")


def check_seeds(name: str, database: Path, folder: Path) -> None:
    """The same seed gives the same bytes, another one others."""
    assert filled(name, folder).read_bytes() == database.read_bytes()
    assert filled(name, folder, seed=8).read_bytes() != database.read_bytes()


def check_questions(name: str, connection: sqlite3.Connection, at_least: int) -> None:
    """No query occurs twice, and each has an answer that says something."""
    lines = (SOURCES / name / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    pairs = [json.loads(line) for line in lines]
    assert len(pairs) >= at_least
    assert len({pair["sql"].casefold() for pair in pairs}) == len(pairs)
    for pair in pairs:
        assert re.search(r"[.?]$", pair["question"])
        rows = connection.execute(pair["sql"]).fetchall()
        assert rows not in ([], [(0,)], [(None,)]), pair["question"]
