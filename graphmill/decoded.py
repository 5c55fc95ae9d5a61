"""How many bytes a Parquet or gzip file becomes, and whether it is damaged, told before it is read.

A few kilobytes can decode to any number: values that repeat are stored once. It lies on the lowest
layer because corpora, sources and tables of foreign programs are all read like this.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from graphmill.errors import ConfigError, SourceError
from graphmill.regular import check_regular

OPTION = "GRAPHMILL_MAX_DECODED_MB"
_FLOOR = 1 << 30  # bytes that any file may become
_TIMES = 100  # or as many times its own size, if that is more
_WIDTHS = {"BOOLEAN": 1, "INT32": 4, "INT64": 8, "INT96": 12, "FLOAT": 4, "DOUBLE": 8}
_ROWS = 16_384
# fields of PageHeader: uncompressed_page_size, compressed_page_size, crc
_WHOLE, _SIZE, _CRC = 2, 3, 4
_MOSTLY = 1 << 10  # bytes that nearly all headers fit in
_LONGEST = 1 << 20  # bytes of a header, which may hold the least and the greatest value
_PIECE = 1 << 20
_DEEPEST = 8
_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
_NUMBERS = (4, 5, 6)


def limit(path: Path) -> int:
    """Bytes that a file may decode to: GRAPHMILL_MAX_DECODED_MB, else 1 GB, or 100 times its size
    where that is more.

    Raises:
        ConfigError: the variable is no number of megabytes.
    """
    text = os.environ.get(OPTION, "")
    if not text:
        return max(_FLOOR, _TIMES * path.stat().st_size)
    if not text.isdecimal() or not int(text):
        raise ConfigError(f"{OPTION} is a number of megabytes, not '{text[:40]}'.")
    return int(text) << 20


def check_parquet(path: Path) -> None:
    """Refuse a Parquet file that decodes to more than it may.

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
                whole = max(chunk.total_uncompressed_size, _whole(stream, *_places(chunk)))
                if whole > most:
                    raise too_large(path, most)
                if width is None:
                    stored += whole
                    open_ended += chunk.num_values * whole
                    texts.append(chunk.path_in_schema)
        if fixed > most or stored > most:
            raise too_large(path, most)
        if fixed + open_ended <= most:
            return
    length = fixed
    with pq.ParquetFile(path, read_dictionary=sorted(set(texts))) as file:
        # one group after the other: Arrow cannot convert nested columns across them
        groups = range(file.metadata.num_row_groups)
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


def check_gzip(path: Path) -> None:
    """Refuse a gzip file that decodes to more than it may, or whose checksums are not its data's.

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
        raise SourceError(f"{path} is damaged: {problem}.") from None


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
                if _damaged(stream, *_places(chunk)):
                    raise SourceError(
                        f"{path} is damaged: a page of {chunk.path_in_schema} in row group "
                        f"{group + 1} is not what its checksum says."
                    )


def too_large(path: Path, most: int) -> SourceError:
    """What to say of a file that decodes to more than `most` bytes."""
    return SourceError(
        f"{path} has {path.stat().st_size:,} bytes and decodes to more than {most >> 20:,} MB, the "
        f"limit. If that is meant, set {OPTION} to more."
    )


# --- pages of Parquet ------------------------------------------------------------------------
# A page is a header in Thrift's compact protocol and its bytes; a header may hold the CRC-32 of
# these (apache.org/docs/file-format, "Checksumming"; parquet.thrift, PageHeader).


class _HeaderError(ValueError):
    """No header of a page begins here."""


def _places(chunk: Any) -> tuple[int, int]:
    """Where the pages of a column in a row group begin and end."""
    starts = (chunk.dictionary_page_offset, chunk.data_page_offset)
    start = min(place for place in starts if place)
    return start, start + chunk.total_compressed_size


def _damaged(stream: BinaryIO, start: int, end: int) -> bool:
    """Whether one of the pages from `start` to `end` is not what its checksum says."""
    return any(
        _CRC in fields and _checksum(stream, place, fields[_SIZE]) != fields[_CRC] & 0xFFFFFFFF
        for place, fields in _pages(stream, start, end)
    )


def _whole(stream: BinaryIO, start: int, end: int) -> int:
    """Bytes of all pages from `start` to `end` once they are decompressed, as headers say: who
    decompresses a page makes as much room and takes no more."""
    return sum(max(fields.get(_WHOLE, 0), 0) for _, fields in _pages(stream, start, end))


def _pages(stream: BinaryIO, start: int, end: int) -> Iterator[tuple[int, dict[int, int]]]:
    """Where the bytes of each page begin, and its header; up to one that cannot be read."""
    while start < end:
        try:
            fields, length = _header_at(stream, start, end)
        except (_HeaderError, IndexError):
            return
        if fields.get(_SIZE, -1) < 0:
            return
        yield start + length, fields
        start += length + fields[_SIZE]


def _header_at(stream: BinaryIO, start: int, end: int) -> tuple[dict[int, int], int]:
    stream.seek(start)
    head = stream.read(min(_MOSTLY, end - start))
    with suppress(IndexError):
        return _header(head)
    return _header(head + stream.read(min(_LONGEST, end - start) - len(head)))


def _checksum(stream: BinaryIO, start: int, size: int) -> int:
    stream.seek(start)
    value, left = 0, size
    while left and (piece := stream.read(min(_PIECE, left))):
        value, left = zlib.crc32(piece, value), left - len(piece)
    return value


def _header(data: bytes) -> tuple[dict[int, int], int]:
    """The whole numbers of a header by their fields, and its length.

    Raises:
        _HeaderError, IndexError: it is none, or is longer.
    """
    numbers: dict[int, int] = {}
    return numbers, _struct(data, 0, numbers, 0)


def _struct(data: bytes, at: int, numbers: dict[int, int], depth: int) -> int:
    """Where the struct that begins at `at` ends; its whole numbers go into `numbers`."""
    if depth > _DEEPEST:
        raise _HeaderError
    field = 0
    while data[at]:
        delta, kind = data[at] >> 4, data[at] & 15
        at += 1
        if delta:
            field += delta
        else:
            coded, at = _varint(data, at)
            field = _signed(coded)
        if kind in _NUMBERS:
            coded, at = _varint(data, at)
            numbers[field] = _signed(coded)
        elif kind not in (_TRUE, _FALSE):  # which have no bytes of their own in a field
            at = _skipped(data, at, kind, depth)
    return at + 1


def _skipped(data: bytes, at: int, kind: int, depth: int) -> int:
    """Where the value of a kind that begins at `at` ends."""
    if kind in _NUMBERS:
        return _varint(data, at)[1]
    if kind in (_BYTE, _TRUE, _FALSE):
        return at + 1
    if kind == _DOUBLE:
        return at + 8
    if kind == _BINARY:
        length, at = _varint(data, at)
        return at + length
    if kind in (_LIST, _SET):
        count, kind = data[at] >> 4, data[at] & 15
        at += 1
        if count == 15:
            count, at = _varint(data, at)
        for _ in range(count):
            at = _skipped(data, at, kind, depth + 1)
        return at
    if kind == _STRUCT:
        return _struct(data, at, {}, depth + 1)
    raise _HeaderError


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        octet = data[at]
        at, value, shift = at + 1, value | (octet & 127) << shift, shift + 7
        if octet < 128:
            return value, at
        if shift > 63:
            raise _HeaderError


def _signed(coded: int) -> int:
    return (coded >> 1) ^ -(coded & 1)
