"""Read a folder of CSV, TSV and Parquet files: each file is a table, its first line the names.

CSV is as RFC 4180 has it, in UTF-8 if nothing else is said: a field without a character is NULL,
`""` an empty text. Nothing is declared in such files, so types, keys and foreign keys are found
(`schemagraph.sources.formats.csv_types`, `schemagraph.convert.inference`); `tables.toml` in the
folder, or the file given to the command, says otherwise.
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from graphmill.decoded import Together, check_gzip, check_pages, check_parquet
from graphmill.errors import SourceError, is_exhausted, shortened
from graphmill.files import file_digest
from graphmill.regular import check_regular, shown
from schemagraph.convert.table_choices import Choice
from schemagraph.convert.table_source import TableSource
from schemagraph.convert.tables_to_graph import TableOptions
from schemagraph.relational import SourceTable
from schemagraph.sources.duckdb import (
    DuckTable,
    DuckTables,
    connect,
    first_line,
    quoted,
    typed_columns,
)
from schemagraph.sources.formats.csv_types import find_types
from schemagraph.staging.scratch import quoted_file, quoted_text

_CHOICES = "tables.toml"
_ENDINGS = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet")
_DELIMITERS = ",;\t|"
_LONGEST_HEADER = 1 << 20
_LONGEST_NAME = 1 << 17
MOST_COLUMNS = 2000  # as many as SQLite has; DuckDB holds 2048 cells of each in memory


class TableFolder(TableSource):
    """Folders with at least one file of tables."""

    name = "table-folder"
    says = "a folder of CSV or Parquet files"
    infers = True
    takes_the_rest = True

    def accepts(self, source: str, path: Path | None, head: bytes) -> bool:
        """By the names of files."""
        return path is not None and path.is_dir() and bool(_files(path))

    def choices_file(self, source: str) -> Path | None:
        """`tables.toml` in the folder."""
        path = Path(source) / _CHOICES
        return path if path.is_file() else None

    @contextmanager
    def opened(
        self, source: str, options: TableOptions
    ) -> Iterator[tuple[DuckTables, dict[str, Any]]]:
        """See `TableSource`."""
        import duckdb

        folder = Path(source)
        files = _files(folder)
        _same_name(folder, files)
        connection = connect()
        try:
            packed = [file for file in files if file.name.lower().endswith((".gz", ".parquet"))]
            together = Together(folder, packed)
            for file in packed:  # all of them, before anything is read
                _check(file, together)
            tables = [
                _table(connection, file, options.choices.get(_stem(file), Choice()))
                for file in files
            ]
            others = sorted(
                shown(p.name) for p in folder.iterdir() if p not in files and p.name != _CHOICES
            )
            notes = [f"Other files are ignored: {', '.join(others)}."] if others else []
            yield (
                DuckTables(connection, folder.resolve().name, "duckdb", tables, notes),
                {"folder": folder.resolve().name, "files": {f.name: file_digest(f) for f in files}},
            )
        except duckdb.Error as problem:
            if is_exhausted(problem):
                raise
            raise SourceError(f"{folder} cannot be read: {first_line(problem)}") from None
        finally:
            connection.close()


def _files(folder: Path) -> list[Path]:
    named = sorted(p for p in folder.iterdir() if p.name.lower().endswith(_ENDINGS))
    for path in (*named, folder / _CHOICES):
        check_regular(path)
        if path.is_symlink() and not path.exists():
            raise SourceError(
                f"{path} is a link that leads to no file. Take it away, or mend it: its rows would "
                "be missing."
            )
    return [path for path in named if path.is_file()]


def _stem(file: Path) -> str:
    name = file.name
    for ending in sorted(_ENDINGS, key=len, reverse=True):
        if name.lower().endswith(ending):
            return name[: -len(ending)]
    return name


def _same_name(folder: Path, files: list[Path]) -> None:
    seen: dict[str, Path] = {}
    for file in files:
        other = seen.setdefault(_stem(file).casefold(), file)
        if other is not file:
            raise SourceError(f"{folder}: {other.name} and {file.name} are the same table.")


def _table(connection: Any, file: Path, choice: Choice) -> DuckTable:
    import duckdb

    name = _stem(file)
    try:
        if file.name.lower().endswith(".parquet"):
            origin = f"read_parquet({quoted_file(file)})"
            described = connection.execute(f"DESCRIBE SELECT * FROM {origin}").fetchall()
            columns, ways = typed_columns([(row[0], row[1]) for row in described])
            return DuckTable(SourceTable(name, columns), origin, ways)
        names, origin = _csv(file, choice)
        unknown = [column for column in choice.types if column not in names]
        if unknown:
            raise SourceError(f"{file} has no column {unknown[0]}. There are: {', '.join(names)}.")
        wanted = {quoted(column): kind for column, kind in choice.types.items()}
        types = find_types(connection, origin, [quoted(column) for column in names], wanted)
    except duckdb.Error as problem:
        if is_exhausted(problem):
            raise
        raise SourceError(f"{file} cannot be read: {_line(problem)}") from None
    made = tuple(
        carrier.column(column, declared)
        for column, (declared, carrier, _) in zip(names, types, strict=True)
    )
    return DuckTable(
        SourceTable(name, made), origin, tuple((carrier, text) for _, carrier, text in types)
    )


def _check(file: Path, together: Together) -> None:
    import pyarrow as pa

    try:
        if file.name.lower().endswith(".gz"):
            check_gzip(file, together)
            return
        check_parquet(file, together)
        check_pages(file)
    except (OSError, pa.ArrowException) as problem:
        if is_exhausted(problem):
            raise
        raise SourceError(f"{file} cannot be read: {problem}.") from None


def _line(problem: Exception) -> str:
    """What a CSV error says before it gives advice: which line of the file it is about."""
    message = str(problem).split("Possible")[0]
    return shortened(" ".join(line.strip() for line in message.split("\n") if line.strip()))


def _csv(file: Path, choice: Choice) -> tuple[list[str], str]:
    """The names of the columns, and the SQL that reads every field as text."""
    encoding = choice.encoding or "utf-8"
    opener = gzip.open if file.name.lower().endswith(".gz") else open
    try:
        with opener(file, "rt", encoding=encoding, newline="") as stream:
            head = stream.readline(_LONGEST_HEADER).removeprefix("\ufeff")
            while head.count('"') % 2 and (more := stream.readline(_LONGEST_HEADER)):
                head += more
    except (UnicodeDecodeError, LookupError) as problem:
        raise SourceError(
            f"{file} is not {encoding} text: {problem}. Say `encoding` of its table in tables.toml."
        ) from None
    except (OSError, EOFError) as problem:
        raise SourceError(f"{file} cannot be read: {problem}.") from None
    if not head.strip():
        raise SourceError(f"{file} has no line with the names of its columns.")
    delimiter = choice.delimiter or _delimiter(file, head)
    csv.field_size_limit(_LONGEST_NAME)  # of the whole process: who read pairs before had another
    try:
        (names,) = list(csv.reader([head], delimiter=delimiter, strict=True))[:1]
    except csv.Error as problem:
        raise SourceError(f"{file}: the names of its columns cannot be read: {problem}.") from None
    names = [name.strip() for name in names]
    if len(names) > MOST_COLUMNS:
        raise SourceError(
            f"{file} has {len(names):,} columns, and at most {MOST_COLUMNS:,} are read. Leave out "
            "those that no query needs, or make rows of them."
        )
    seen: set[str] = set()
    for n, name in enumerate(names, 1):
        if not name:
            raise SourceError(f"{file}: column {n} has no name.")
        if name.casefold() in seen:
            raise SourceError(f"{file}: two columns are called {name}.")
        seen.add(name.casefold())
    columns = ", ".join(f"{quoted_text(name)}: 'VARCHAR'" for name in names)
    options = (
        f"delim={quoted_text(delimiter)}, encoding={quoted_text(encoding)}, "
        f"columns={{{columns}}}, header=true, quote='\"', escape='\"', nullstr='', "
        "allow_quoted_nulls=false, auto_detect=false, strict_mode=true, null_padding=false"
    )
    return names, f"read_csv({quoted_file(file)}, {options})"


def _delimiter(file: Path, head: str) -> str:
    if ".tsv" in file.name.lower():
        return "\t"
    outside = "".join(head.split('"')[::2])
    return max(_DELIMITERS, key=outside.count)


SOURCE = TableFolder()
