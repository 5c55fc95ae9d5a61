"""Content hashes of columns and tables that do not depend on the order of rows.

Each cell gets 64 bits from its storage class and content; a column's hash is the sum over its
cells, a table's the sum over its rows, each row mixing its cells weighed by their columns, so
that two values that change places show. The hashes guard against mistakes, not against attackers:
the manifest has SHA-256 of the files for that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from typing import Any

from schemagraph.storage_classes import Lane, Lanes, numbers

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15
_TAGS = {
    Lane.INTEGER: 0x1F83D9ABFB41BD6B,
    Lane.REAL: 0x5BE0CD19137E2179,
    Lane.TEXT: 0x6A09E667F3BCC908,
    Lane.RAW: 0x6A09E667F3BCC908,  # text as well, if no UTF-8
    Lane.BLOB: 0xBB67AE8584CAA73B,
    Lane.NUMBER: 0x3C6EF372FE94F82B,
}
_LONG = 64  # bytes from where on a value is hashed by itself


@cache
def _word(number: int) -> Any:
    import pyarrow as pa

    return pa.scalar(number & _MASK, pa.uint64())


def _mix(array: Any) -> Any:
    """The finalizer of splitmix64 (Steele, Lea and Flood 2014), vectorised; sums wrap around."""
    import pyarrow.compute as pc

    array = pc.multiply(
        pc.bit_wise_xor(array, pc.shift_right(array, _word(30))), _word(0xBF58476D1CE4E5B9)
    )
    array = pc.multiply(
        pc.bit_wise_xor(array, pc.shift_right(array, _word(27))), _word(0x94D049BB133111EB)
    )
    return pc.bit_wise_xor(array, pc.shift_right(array, _word(31)))


def cell_hashes(cells: Lanes, length: int) -> Any:
    """64 bits for each cell (an Arrow uint64 array); NULL gives 0."""
    import pyarrow as pa
    import pyarrow.compute as pc

    parts = [_lane_hashes(lane, array) for lane, array in cells.items()]
    if not parts:
        return pa.array([0] * length, pa.uint64())
    hashes = pc.coalesce(*parts) if len(parts) > 1 else parts[0]
    return pc.fill_null(hashes, _word(0))


def _lane_hashes(lane: Lane, array: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    if lane in (Lane.INTEGER, Lane.REAL):
        return _mix(pc.bit_wise_xor(array.view(pa.uint64()), _word(_TAGS[lane])))
    raw = array.cast(pa.binary())
    lengths = pc.binary_length(raw)
    is_long = pc.greater(lengths, _LONG)
    if not pc.any(is_long).as_py():
        return _short_hashes(raw, lengths, _TAGS[lane])
    empty = pa.scalar(b"", pa.binary())
    hashes = _short_hashes(pc.if_else(is_long, empty, raw), lengths, _TAGS[lane])
    long = _long_hashes(raw.filter(is_long), _TAGS[lane])
    return pc.replace_with_mask(hashes, pc.fill_null(is_long, False), long)


def _short_hashes(raw: Any, lengths: Any, tag: int) -> Any:
    """Byte strings as words of eight bytes, padded with zeros: the length tells the padding.

    Words are least significant byte first, as Arrow stores them on all platforms it supports.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    hashes = _mix(pc.bit_wise_xor(lengths.cast(pa.uint64()), _word(tag)))
    filled = pc.fill_null(raw, b"")
    width = -(-(pc.max(pc.binary_length(filled)).as_py() or 0) // 8)
    if not width:
        return hashes
    padded = pc.ascii_rpad(filled.view(pa.string()), width=8 * width, padding="\0")
    words = pa.Array.from_buffers(pa.uint64(), len(raw) * width, [None, padded.buffers()[2]])
    first = pc.multiply(numbers(0, len(raw)), width)
    for k in range(width):
        word = words if width == 1 else words.take(pc.add(first, k))
        longer = _mix(pc.add(pc.bit_wise_xor(hashes, word), _word(_STEP)))
        hashes = pc.if_else(pc.greater(lengths, 8 * k), longer, hashes)
    return hashes


def _long_hashes(raw: Any, tag: int) -> Any:
    import pyarrow as pa

    coded = raw.dictionary_encode()
    key = tag.to_bytes(8, "little")
    joined = b"".join(
        [blake2b(v, digest_size=8, key=key).digest() for v in coded.dictionary.to_pylist()]
    )
    hashes = pa.Array.from_buffers(pa.uint64(), len(coded.dictionary), [None, pa.py_buffer(joined)])
    return hashes.take(coded.indices)


@dataclass
class ColumnDigest:
    """What is known of the content of one column."""

    nulls: int = 0
    total: int = 0

    @property
    def text(self) -> str:
        """The hash in hex."""
        return f"{self.total:016x}"


@dataclass
class TableDigest:
    """Counts and hashes of a table, fed batch by batch."""

    names: tuple[str, ...]
    rows: int = 0
    total: int = 0
    columns: dict[str, ColumnDigest] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.columns = {name: ColumnDigest() for name in self.names}

    @property
    def text(self) -> str:
        """The hash of all rows, in hex."""
        return f"{self.total:016x}"

    def add(self, batch: Sequence[Lanes], length: int) -> None:
        """Take in `length` rows, given as the lanes of each column."""
        import pyarrow.compute as pc

        row = None
        weight = 0
        for digest, cells in zip(self.columns.values(), batch, strict=True):
            hashes = cell_hashes(cells, length)
            digest.nulls += length - sum(len(a) - a.null_count for a in cells.values())
            digest.total = (digest.total + _sum(hashes)) & _MASK
            weight = (weight + _STEP) & _MASK | 1  # odd, so that no bit of a cell is lost
            weighed = pc.multiply(hashes, _word(weight))
            row = weighed if row is None else pc.add(row, weighed)
        self.rows += length
        if row is not None:
            self.total = (self.total + _sum(_mix(row))) & _MASK


def _sum(hashes: Any) -> int:
    import pyarrow.compute as pc

    return int(pc.sum(hashes).as_py() or 0)
