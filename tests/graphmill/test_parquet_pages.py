"""Headers of pages that lie: whoever reads them ends, and takes no more than the file has."""

from __future__ import annotations

import io
from types import SimpleNamespace

import pytest

from graphmill.parquet_pages import decompressed, is_damaged
from tests.timing import processor_seconds

_FIELD_1 = 0x10  # one field further, of the kind in the low half
_LIST, _BYTE, _DOUBLE = 9, 3, 7
_HUGE = bytes([*[0xFF] * 8, 0x0F])  # 2^60 - 1 as a varint, nearly


def _header(*octets: int) -> bytes:
    return bytes([0x15, 0x00, 0x15, 0x80, 0x01, 0x15, 0x02, *octets, 0x00])


@pytest.mark.parametrize(
    "data",
    [
        bytes([_FIELD_1 | _LIST, 0xF0 | _BYTE]) + _HUGE,
        bytes([_FIELD_1 | _LIST, 0xF0 | _DOUBLE]) + _HUGE,
        bytes([_FIELD_1 | _LIST, *[0x10 | _LIST] * 5000]),
        bytes([_FIELD_1 | 12] * 5000),
        bytes([_FIELD_1 | 8]) + _HUGE,
        bytes([0x15] + [0xFF] * 200),
        bytes([_FIELD_1 | 14, 0]),
        b"",
    ],
    ids=["bytes", "doubles", "lists", "structs", "text", "number", "kind", "nothing"],
)
def test_a_header_that_lies_ends(data: bytes) -> None:
    chunk = SimpleNamespace(
        dictionary_page_offset=None, data_page_offset=4, total_compressed_size=len(data)
    )
    stream = io.BytesIO(b"PAR1" + data)
    assert decompressed(stream, chunk) == 0
    assert not is_damaged(stream, chunk)
    assert processor_seconds(lambda: decompressed(stream, chunk), limit=1) < 1
    assert processor_seconds(lambda: is_damaged(stream, chunk), limit=1) < 1


def test_sizes_of_pages_are_added_up_to_a_header_that_lies() -> None:
    # a data page of 64 bytes, decompressed, that are one byte here
    page = _header() + b"x"
    data = page + page + bytes([_FIELD_1 | _LIST, 0xF0 | _BYTE]) + _HUGE
    chunk = SimpleNamespace(
        dictionary_page_offset=None, data_page_offset=4, total_compressed_size=len(data)
    )
    assert decompressed(io.BytesIO(b"PAR1" + data), chunk) == 2 * 64
