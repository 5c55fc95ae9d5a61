"""How many bytes a Parquet or gzip file becomes, and whether it is damaged, told before it is read.

A few kilobytes can decode to any number: values that repeat are stored once. It lies on the lowest
layer because corpora, sources and tables of foreign programs are all read like this.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from graphmill.errors import ConfigError, SourceError
from graphmill.parquet_pages import decompressed, is_damaged
from graphmill.regular import check_regular

OPTION = "GRAPHMILL_MAX_DECODED_MB"
_FLOOR = 1 << 30  # bytes that any file may become
_TIMES = 100  # or as many times its own size, if that is more
_WIDTHS = {"BOOLEAN": 1, "INT32": 4, "INT64": 8, "INT96": 12, "FLOAT": 4, "DOUBLE": 8}
_ROWS = 16_384
_ROW = 48  # bytes that a row of a file counts for at least: rows that repeat cost time, too


def limit(path: Path) -> int:
    """Bytes that a file may decode to: GRAPHMILL_MAX_DECODED_MB, else 1 GB, or 100 times its size
    where that is more.

    Raises:
        ConfigError: the variable is no number of megabytes.
    """
    return _limit(path.stat().st_size)


def _limit(size: int) -> int:
    text = os.environ.get(OPTION, "")
    if not text:
        return max(_FLOOR, _TIMES * size)
    if not text.isdecimal() or not int(text):
        raise ConfigError(f"{OPTION} is a number of megabytes, not '{text[:40]}'.")
    return int(text) << 20


class TooLargeError(SourceError):
    """A file, or a folder's files together, decode to more than `most` bytes.

    `path` is the file or the folder.
    """

    def __init__(self, path: Path, most: int, what: str) -> None:
        self.path = path
        self.most = most
        self.what = what
        super().__init__(
            f"{what} and {'decode' if path.is_dir() else 'decodes'} to more than {most >> 20:,} "
            f"MB, the limit. If that is meant, set {OPTION} to more."
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.path, self.most, self.what)


class Together:
    """The compressed files of a folder, which together may decode to what one of their size may."""

    def __init__(self, folder: Path, files: Sequence[Path]) -> None:
        self._folder = folder
        self._size = sum(path.stat().st_size for path in files)
        self._most = _limit(self._size)
        self._length = 0
        self.share = self._most // max(1, len(files))
        """Bytes that each may become without being counted exactly."""

    def add(self, length: int) -> None:
        """Count a file that decodes to so many bytes.

        Raises:
            TooLargeError: it is too much.
        """
        self._length += length
        if self._length > self._most:
            what = f"The files of {self._folder} have {self._size:,} bytes"
            raise TooLargeError(self._folder, self._most, what)


def check_parquet(path: Path, together: Together | None = None) -> None:
    """Refuse a Parquet file that decodes to more than it may, alone or `together` with others.

    Texts and bytes are counted with their dictionaries as they are stored, and pages by what their
    headers say, so that nothing large is ever made.

    Raises:
        SourceError: it would be larger; the message names file, limit and option.
        OSError, pyarrow.ArrowException: it cannot be read.
    """
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    check_regular(path)
    most = limit(path)
    with pq.ParquetFile(path) as file, path.open("rb") as stream:
        if file.metadata.num_rows * _ROW > most:
            raise too_large(path, most)
        fixed = open_ended = stored = 0
        texts = []
        for group in range(file.metadata.num_row_groups):
            part = file.metadata.row_group(group)
            for number in range(part.num_columns):
                chunk = part.column(number)
                width = _WIDTHS.get(chunk.physical_type)
                if width is None and chunk.physical_type == "FIXED_LEN_BYTE_ARRAY":
                    width = file.schema.column(number).length
                fixed += chunk.num_values * (width or 4)
                whole = max(chunk.total_uncompressed_size, decompressed(stream, chunk))
                if whole > most:
                    raise too_large(path, most)
                if width is None:
                    stored += whole
                    open_ended += chunk.num_values * whole
                    texts.append(chunk.path_in_schema)
        if fixed > most or stored > most:
            raise too_large(path, most)
        if fixed + open_ended <= (most if together is None else min(most, together.share)):
            return
    length = fixed
    with pq.ParquetFile(path, read_dictionary=sorted(set(texts))) as file:
        # one group after the other: Arrow cannot convert nested columns across them
        groups = range(file.metadata.num_row_groups if texts else 0)
        parts = (file.iter_batches(_ROWS, [n], columns=sorted(set(texts))) for n in groups)
        for batch in chain.from_iterable(parts):
            for column in batch.columns:
                while pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
                    column = column.flatten()
                if pa.types.is_dictionary(column.type):
                    sizes = pc.take(pc.binary_length(column.dictionary), column.indices)
                    length += pc.sum(sizes, min_count=0).cast(pa.int64()).as_py()
                else:
                    length += column.nbytes
                if length > most:
                    raise too_large(path, most)
    if together is not None:
        together.add(length)


def check_gzip(path: Path, together: Together | None = None) -> None:
    """Refuse a gzip file that decodes to more than it may (`check_parquet`), or whose checksums are
    not its data's.

    It is decoded once for both, a piece at a time: who reads tables (DuckDB) looks at no checksum.

    Raises:
        SourceError: it would be larger, or is damaged.
    """
    check_regular(path)
    most = limit(path)
    length = 0
    try:
        with gzip.open(path) as stream:
            while piece := stream.read(1 << 20):
                length += len(piece)
                if length > most:
                    raise too_large(path, most)
    except (OSError, EOFError, zlib.error) as problem:
        raise SourceError(f"{path} is damaged: {problem}. Fetch or write it again.") from None
    if together is not None:
        together.add(length)


def check_pages(path: Path) -> None:
    """Refuse a Parquet file with a page that is not what its checksum says, where it has one.

    Nothing is decoded: checksums are of pages as they are stored. Where the header of a page
    cannot be read, its reader says so.

    Raises:
        SourceError: a page is damaged; with its column and row group.
        OSError, pyarrow.ArrowException: the file cannot be read.
    """
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file, path.open("rb") as stream:
        for group in range(file.metadata.num_row_groups):
            part = file.metadata.row_group(group)
            for number in range(part.num_columns):
                chunk = part.column(number)
                if is_damaged(stream, chunk):
                    raise SourceError(
                        f"{path} is damaged: a page of {chunk.path_in_schema} in row group "
                        f"{group + 1} is not what its checksum says. Fetch or write it again."
                    )


def too_large(path: Path, most: int) -> TooLargeError:
    """What to say of a file that decodes to more than `most` bytes."""
    return TooLargeError(path, most, f"{path} has {path.stat().st_size:,} bytes")
