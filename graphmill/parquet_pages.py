"""Pages of a Parquet file as their headers tell of them, without decoding one.

A page is a header in Thrift's compact protocol and its bytes; a header has what the page is once it
is decompressed, and may have the CRC-32 of its bytes (apache.org/docs/file-format, "Checksumming";
parquet.thrift, PageHeader; thrift-compact-protocol.md).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, BinaryIO

# fields of PageHeader: uncompressed_page_size, compressed_page_size, crc
_DECOMPRESSED, _SIZE, _CRC = 2, 3, 4
_MOSTLY = 1 << 10  # bytes that nearly all headers fit in
_LONGEST = 1 << 20  # bytes of a header, which may hold the least and the greatest value
_PIECE = 1 << 20
_DEEPEST = 8
_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
_NUMBERS = (4, 5, 6)


def decompressed(stream: BinaryIO, chunk: Any) -> int:
    """Bytes of all pages of a column in a row group once they are decompressed: who decompresses a
    page makes as much room, and takes no more."""
    fields = (fields for _, fields in _pages(stream, *_places(chunk)))
    return sum(max(each.get(_DECOMPRESSED, 0), 0) for each in fields)


def is_damaged(stream: BinaryIO, chunk: Any) -> bool:
    """Whether a page of a column in a row group is not what its checksum says, where it has one."""
    return any(
        _CRC in fields and _checksum(stream, place, fields[_SIZE]) != fields[_CRC] & 0xFFFFFFFF
        for place, fields in _pages(stream, *_places(chunk))
    )


def _places(chunk: Any) -> tuple[int, int]:
    """Where the pages of a column in a row group begin and end; a group without rows may have none,
    and begins at 0."""
    starts = (chunk.dictionary_page_offset, chunk.data_page_offset)
    start = min((place for place in starts if place), default=0)
    if not start:
        return 0, 0
    return start, start + chunk.total_compressed_size


class _HeaderError(ValueError):
    """No header of a page begins here."""


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
    if depth > _DEEPEST:
        raise _HeaderError
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
        if count > len(data) - at:  # each item has a byte, at least
            raise IndexError
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
