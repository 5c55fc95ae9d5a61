"""Content hashes of columns and tables that do not depend on the order of rows.

Each cell gets 64 bits from its storage class and content; a column's hash is the sum over its
cells, a table's the sum over its rows, each row mixing its cells in the order of the columns, so
that two values that change places show. The hashes guard against mistakes, not against attackers:
the manifest has SHA-256 of the files for that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from schemagraph.cells import Lane, Lanes

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15
_TAGS = {Lane.INTEGER: 0x1F83D9ABFB41BD6B, Lane.REAL: 0x5BE0CD19137E2179}
_PERSONS = {Lane.TEXT: b"text", Lane.RAW: b"text", Lane.BLOB: b"blob"}


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
    found = pc.coalesce(*parts) if len(parts) > 1 else parts[0]
    return pc.fill_null(found, _word(0))


def _lane_hashes(lane: Lane, array: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    if lane in _TAGS:
        return _mix(pc.bit_wise_xor(array.view(pa.uint64()), _word(_TAGS[lane])))
    person = _PERSONS[lane]
    coded = array.dictionary_encode()
    raw = coded.dictionary.to_pylist()
    content = [value.encode() for value in raw] if lane is Lane.TEXT else raw
    joined = b"".join([blake2b(value, digest_size=8, person=person).digest() for value in content])
    # stored least significant byte first, which Arrow buffers are on all platforms it supports
    hashes = pa.Array.from_buffers(pa.uint64(), len(content), [None, pa.py_buffer(joined)])
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
        for digest, cells in zip(self.columns.values(), batch, strict=True):
            hashes = cell_hashes(cells, length)
            digest.nulls += length - sum(len(a) - a.null_count for a in cells.values())
            digest.total = (digest.total + _sum(hashes)) & _MASK
            shifted = hashes if row is None else pc.bit_wise_xor(row, hashes)
            row = _mix(pc.add(shifted, _word(_STEP)))
        self.rows += length
        if row is not None:
            self.total = (self.total + _sum(row)) & _MASK


def _sum(hashes: Any) -> int:
    import pyarrow.compute as pc

    return int(pc.sum(hashes).as_py() or 0)
