"""What of a copy with pseudonyms could still tell a person: for its owner, before it is released.

Dates and numbers stay as they are. A row whose values in one such column, or in two together, no
other row has can be found by who knows them; long texts keep their length and punctuation.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import combinations
from pathlib import Path
from typing import Any

from pipelines.pictures.texts import count, listed, percent
from pipelines.pseudonyms.columns import is_time
from pipelines.pseudonyms.sqlite_copy import tables_of
from schemagraph.folder.graphdata import SOURCE, TARGET

_WORD = re.compile(r"[^\W\d_]{2,}")
MOST_ROWS = 20_000  # of a table that are looked at
_WORDS = 6  # words from which a text is free text
_COLUMNS = 8  # that are tried together
_SHARE = 0.05  # of rows that are alone, from which it is told


def risks(place: Path, db: str) -> dict[str, Any]:
    """Of each table: rows looked at, columns (alone or two together) by which rows can be told,
    with the share of rows that are alone, and columns of free text; and the same in sentences, the
    gravest first."""
    by_table = {}
    for table, names, rows in _tables(place):
        columns = list(zip(*rows, strict=True)) if rows else []
        kept = [
            number
            for number, values in enumerate(columns)
            if any(_stays(value) for value in values) and not _counts_up(values)
        ][:_COLUMNS]
        rare: dict[str, float] = {}
        for group in [(n,) for n in kept] + list(combinations(kept, 2)):
            seen = Counter(tuple(row[n] for n in group) for row in rows)
            alone = sum(number for number in seen.values() if number == 1) / len(rows)
            parts = [rare.get(names[n], 0.0) for n in group]
            if alone >= _SHARE and alone > max(parts) + _SHARE:
                rare[" and ".join(names[n] for n in group)] = round(alone, 3)
        free = [
            name
            for name, values in zip(names, columns, strict=False)
            if any(isinstance(each, str) and len(_WORD.findall(each)) >= _WORDS for each in values)
        ]
        by_table[table] = {"rows": len(rows), "rows_alone_by": rare, "free_text": free}
    return {"sentences": _sentences(by_table), "tables": by_table}


def _sentences(by_table: Mapping[str, Mapping[str, Any]]) -> list[str]:
    alone = [
        (share, table, columns, about["rows"])
        for table, about in by_table.items()
        for columns, share in about["rows_alone_by"].items()
    ]
    lines = [
        f"{table}: {percent(share)} of {count(rows, 'row')} {'has' if rows == 1 else 'have'} a "
        f"value of {columns} that no other row has; who knows it finds the row, and all that is "
        "linked with it."
        for share, table, columns, rows in sorted(alone, key=lambda each: (-each[0], *each[1:3]))
    ]
    free = [(table, about["free_text"]) for table, about in by_table.items() if about["free_text"]]
    return lines + [
        f"{table}: {listed(columns)} {'is' if len(columns) == 1 else 'are'} free text, whose words "
        "are made up, and whose length and punctuation are not."
        for table, columns in free
    ]


def _stays(value: Any) -> bool:
    return isinstance(value, float | int) or (isinstance(value, str) and is_time(value))


def _counts_up(values: Sequence[Any]) -> bool:
    """Whether they are numbers that merely count rows."""
    whole = [value for value in values if isinstance(value, int)]
    return len(whole) == len(values) and max(whole) - min(whole) < 2 * len(set(whole)) > len(whole)


def _tables(place: Path) -> Iterator[tuple[str, list[str], list[tuple[Any, ...]]]]:
    file = place.with_name(f"{place.name}.sqlite")
    if file.is_file():
        with closing(sqlite3.connect(f"file:{file.as_posix()}?mode=ro", uri=True)) as connection:
            for table in tables_of(connection):
                name = table.name.replace('"', '""')
                rows = connection.execute(f'SELECT * FROM "{name}" LIMIT {MOST_ROWS}').fetchall()
                yield table.name, [column.name for column in table.columns], rows
        return
    import pyarrow.parquet as pq

    for path in [
        p for kind in ("nodes", "edges") for p in sorted((place / kind).glob("*.parquet"))
    ]:
        with pq.ParquetFile(path) as stored:
            names = [n for n in stored.schema_arrow.names if not n.startswith((SOURCE, TARGET))]
            batch = next(stored.iter_batches(MOST_ROWS, columns=names), None)
        if batch is not None and names:
            columns = [_plain(column.to_pylist()) for column in batch.columns]
            yield path.stem, names, list(zip(*columns, strict=True))


def _plain(values: list[Any]) -> list[Any]:
    """Values that can be counted; times as texts."""
    return [v if isinstance(v, str | int | float | None) else str(v) for v in values]
