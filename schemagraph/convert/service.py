"""Any source to a graph folder: find out what the source is, and have its reader convert it."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

from graphmill.errors import GraphmillError, SourceError
from graphmill.files import copying, file_digest
from graphmill.regular import check_regular
from schemagraph.convert.source import (
    SOURCES,
    Asked,
    AskedSource,
    ListingSource,
    PartedSource,
    Source,
    parted,
)
from schemagraph.convert.table_choices import load_choices
from schemagraph.convert.table_source import TableSource
from schemagraph.convert.tables_to_graph import TableOptions
from schemagraph.report import ConversionReport

_HEAD = 4096
_BESIDE = ("-journal", "-wal", "-shm", ".wal")  # what databases open beside their file


def convert(
    source: str,
    out: Path,
    *,
    licence: str = "",
    tables: Path | None = None,
    propose: Path | None = None,
    dialect: str = "",
    asked: Asked | None = None,
) -> ConversionReport:
    """Write the graph of `source` (a file, a folder, or a database's address) to the folder `out`.

    `tables` is a file in which a user says what tables are (`schemagraph.convert.table_choices`),
    and `propose` one to write, with all that was found about keys and foreign keys. `dialect` is
    the one of DDL text. `asked` are values that a graph which has to be made up is to hold.

    A graph that is already there is replaced when the new one is finished and proven; after an
    error the folder is as it was. The same source gives the same bytes.

    Raises:
        SourceError: there is no such source, or it cannot be read as what it is.
        LosslessError: source and graph differ.
        GraphmillError: `out` cannot be written.
    """
    source, part = parted(source)
    kind = _kind_of(source)
    try:
        if asked and isinstance(kind, AskedSource):
            return kind.convert_asked(source, part, Path(out), licence, asked)
        return _convert(kind, source, part, Path(out), licence, tables, propose, dialect)
    except OSError as problem:
        if problem.errno in (errno.ENOSPC, errno.EDQUOT):  # only writing needs space
            raise GraphmillError(f"Cannot write {out}: {os.strerror(problem.errno)}.") from problem
        reason = copying(problem) if isinstance(problem, shutil.Error) else problem.strerror
        raise GraphmillError(f"{source} cannot be converted: {reason or problem}.") from problem


def content_of(source: str) -> list[str]:
    """What tells whether `source` has changed: the SHA-256 of all files that it is read from.

    Of the address of a database nothing but the address is known.

    Raises:
        SourceError: there is no such source, or it cannot be read as what it is.
    """
    origin, part = parted(source)
    if "://" in origin:
        return [origin]
    kind, path = _kind_of(origin), Path(origin)
    if isinstance(kind, ListingSource):
        files = kind.files(origin)
    else:
        files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
    return [part, *map(file_digest, files)]


def takes_wishes(source: str) -> bool:
    """Whether the graph of `source` is made up, so that it can hold what will be asked for.

    Raises:
        SourceError: there is no such source, or no kind takes it.
    """
    return isinstance(_kind_of(parted(source)[0]), AskedSource)


def _kind_of(source: str) -> Source:
    """The kind that takes the source.

    Raises:
        SourceError: there is no such source, or no kind takes it.
    """
    path = None if "://" in source else Path(source)
    head = b"" if path is None else _head(path)
    kinds = sorted(map(SOURCES.get, SOURCES.names()), key=lambda kind: kind.takes_the_rest)
    try:
        for kind in kinds:
            if kind.accepts(source, path, head):
                return kind
    except OSError as problem:  # of a file in a folder: a link to itself, one that may not be read
        where, reason = problem.filename or source, problem.strerror or problem
        raise SourceError(f"{where} cannot be read: {reason}.") from problem
    known = ", ".join(kind.says for kind in kinds)
    raise SourceError(f"{source} is none of the sources that can be read: {known}.")


def _convert(
    kind: Source,
    source: str,
    part: str,
    out: Path,
    licence: str,
    tables: Path | None,
    propose: Path | None,
    dialect: str,
) -> ConversionReport:
    if dialect and kind.name != "ddl":
        raise SourceError(f"{source} is {kind.says}; only DDL text is read in a dialect.")
    if isinstance(kind, TableSource) and not part:
        choices_file = tables if tables is not None else kind.choices_file(source)
        choices = load_choices(choices_file) if choices_file is not None else {}
        return kind.convert(source, out, licence, TableOptions(choices, propose, dialect=dialect))
    if tables is not None or propose is not None:
        raise SourceError(f"{source} is {kind.says}, which has no tables to choose.")
    if not part:
        return kind.convert(source, out, licence)
    if isinstance(kind, PartedSource):
        return kind.convert_part(source, part, out, licence)
    raise SourceError(f"{source} is {kind.says}, which has no parts such as #{part}.")


def _head(path: Path) -> bytes:
    """The first bytes of a file, none of a folder; neither is empty."""
    check_regular(path)
    try:
        if path.is_dir():
            if not any(path.iterdir()):
                raise SourceError(f"{path} is an empty folder: it holds no database and no graph.")
            return b""
        for ending in _BESIDE:
            check_regular(path.with_name(path.name + ending))
        with path.open("rb") as stream:
            head = stream.read(_HEAD)
    except FileNotFoundError:
        raise SourceError(f"There is no file {path}.") from None
    except OSError as problem:
        raise SourceError(f"{path} cannot be read: {problem.strerror}.") from problem
    if not head:
        raise SourceError(f"{path} is empty: it holds no database and no graph.")
    return head
