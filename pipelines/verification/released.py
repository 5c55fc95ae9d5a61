"""The records of a corpus as `verify` reads them: all files of rows, and each row by itself.

What cannot be read is a problem of its place, and the others are proven all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from graphmill.errors import GraphmillError
from graphmill.files import (
    columns_missing,
    columns_unknown,
    format_written,
    read_rows,
    stored_layout,
)
from graphmill.record import SPLITS, Record, Split
from graphmill.record_rows import EXPORTED, record_of
from pipelines.release.folder import split_file
from pipelines.release.hub import APART, UNANSWERABLE
from pipelines.release.lock import LOCK, format_of
from pipelines.verification.integrity import Problem

_SPLIT = re.compile(rf"({'|'.join(SPLITS)})-")  # how the name of a split's file begins
_PARQUET = ".parquet"
DAMAGED_ROW = "record-damaged"  # a row that is no record
DAMAGED_ROWS = "rows-damaged"  # a file of rows that is none
_LONGEST = 20  # characters that are shown of what should be the number of a format
# Null says something there, or what else is wrong with it is told: a language without a text, a
# question without an answer, a record that nobody told from its mutants, what an export added.
_MAY_BE_NULL = frozenset(
    (
        *("difficulty", "split", "queries", "answer", "discrimination", "unanswerable"),
        *("certificates.agrees", *EXPORTED),
    )
)


class Released(NamedTuple):
    """A record with the id that stands in its row, and the split that its file is of, if any."""

    split: Split | None
    stored: str
    record: Record


def read_released(folder: Path, lock: dict[str, Any]) -> tuple[list[Released], list[Problem]]:
    """All records of the corpus in `folder`, and what is wrong with the files that have them.

    Hidden files and those in folders below are read, too; behind a link to a folder nothing is.
    """
    rows: list[Released] = []
    problems = list(_names(folder, lock))
    for path in sorted(_files(folder / "data")):
        name = path.relative_to(folder).as_posix()
        begins = _SPLIT.match(path.name)
        split = next((each for each in SPLITS if begins and each == begins[1]), None)
        try:
            problems += layout_problems(path, name, lock)
            for number, row in enumerate(read_rows(path), 1):
                try:
                    record = record_of(row, format_of(lock))
                except GraphmillError as problem:
                    where = f"{row.get('id') or f'row {number}'} ({name})"
                    problems.append(Problem(where, DAMAGED_ROW, str(problem)))
                    continue
                problems += [*null_problems(row["id"], row), *_columns(row, record)]
                if record.unanswerable:
                    what = "It says that it is unanswerable, which no record with an answer is."
                    problems.append(Problem(row["id"], "unanswerable", what))
                rows.append(Released(split, row["id"], record))
        except GraphmillError as problem:
            problems.append(Problem(name, DAMAGED_ROWS, str(problem)))
    return rows, problems


def lost_splits(folder: Path, lock: Mapping[str, Any], unread: Iterable[Problem]) -> set[str]:
    """The splits of which not all records could be read, as `unread` and the missing files tell:
    what does not fit to the records that are known is no other fault."""
    damaged = [each.where for each in unread if each.code in (DAMAGED_ROW, DAMAGED_ROWS)]
    lost: set[str] = set()
    for split in SPLITS:
        path = split_file(folder, split)
        name = path.relative_to(folder).as_posix()
        if any(name in where for where in damaged) or is_told(path, name, lock):
            lost.add(split)
    return lost


def is_told(path: Path, name: str, lock: Mapping[str, Any]) -> bool:
    """Whether a file is not there that the lock has, which is told of it."""
    return name in lock.get("files", ()) and not path.is_file()


def layout_problems(path: Path, name: str, lock: Mapping[str, Any]) -> Iterator[Problem]:
    """A file of records that says it is of another format than its lock, and columns that it lacks
    or that no record has.

    Raises:
        GraphmillError: the file is no Parquet.
    """
    layout = stored_layout(path)
    written, form = format_written(layout), format_of(lock)
    if written and written != str(form):
        shown = written if len(written) < _LONGEST else f"{written[:_LONGEST]}…"
        detail = f"It was written for format {shown}, and {LOCK} is of {form}."
        yield Problem(name, "format", detail)
    if not written and UNANSWERABLE in lock:  # whose files all say it
        detail = f"It does not say the format that it was written for; {LOCK} is of {form}."
        yield Problem(name, "format", detail)
    if missing := columns_missing(layout):
        detail = f"Columns that each file of its format has are gone: {', '.join(missing)}."
        yield Problem(name, "columns-missing", detail)
    if unknown := columns_unknown(layout):
        detail = f"Columns that no record has: {', '.join(unknown)}."
        yield Problem(name, "columns-unknown", detail)


def null_problems(where: str, row: Mapping[str, Any]) -> Iterator[Problem]:
    """Fields of a row that are null, which they are in none that a build writes."""
    fields = {name: value for name, value in row.items() if name not in _MAY_BE_NULL}
    if absent := sorted({name for name in _nulls(fields) if name not in _MAY_BE_NULL}):
        detail = f"Null, which they are in no record: {', '.join(absent)}."
        yield Problem(where, "null", detail)


def _nulls(value: object, name: str = "") -> Iterator[str]:
    """The dotted names of what is null in a value; an item of a list has the name of the list.

    >>> list(_nulls({"a": None, "b": [{"c": 1, "d": None}]}))
    ['a', 'b.d']
    """
    if value is None:
        yield name
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _nulls(each, f"{name}.{key}" if name else key)
    elif isinstance(value, list):
        for each in value:
            yield from _nulls(each, name)


def _columns(row: Mapping[str, Any], record: Record) -> Iterator[Problem]:
    """Columns that say again what `discrimination.detail` says, and say something else."""
    columns, detail = row["discrimination"], record.discrimination
    if columns is None:
        return
    for name, expected in (
        ("score", detail.get("score")),
        ("instances", detail.get("instances", [])),
    ):
        if columns.get(name) != expected:
            what = f"`{name}` of discrimination is not the one of its `detail`."
            yield Problem(row["id"], "discrimination", what)


def _files(place: Path) -> Iterator[Path]:
    return (path for path in place.rglob("*") if path.suffix == _PARQUET and path.is_file())


def _names(folder: Path, lock: Mapping[str, Any]) -> Iterator[Problem]:
    """Files of rows that no release has: it has one for each split, `SPLIT-00000-of-00001`."""
    names = {split_file(folder, split).name for split in SPLITS}
    for place in ("data", *APART):
        there = {path.relative_to(folder).as_posix() for path in _files(folder / place)}
        held = {name for name in lock["files"] if name.startswith(f"{place}/")}
        for name in sorted(there | held):
            if name.removeprefix(f"{place}/") not in names:
                detail = f"A release has no such file, but {', '.join(sorted(names))}."
                yield Problem(name, "rows-name", detail)
