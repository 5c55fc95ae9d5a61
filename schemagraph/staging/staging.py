"""Source tables on disk as lanes, read once: what types, keys and edges are decided and made from.

A staged table is a row of Parquet files ("segments"). A column's lanes are the columns `<n>.<lane>`
with n its position; `#` numbers the rows from 1. A new segment begins when a lane appears that
the segment lacks, so that a column which turns out mixed costs nothing before it does.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

from schemagraph.relational import RelationalSource, SourceTable
from schemagraph.staging.background import Behind
from schemagraph.staging.hashing import TableDigest
from schemagraph.storage_classes import Lane, Lanes, arrow_type, numbers

ROW = "#"
_FEW_CELLS = 100_000  # of a table that may be held in memory
_FEW = 10_000  # rows up to which threads cost more than they gain


@dataclass(frozen=True, slots=True)
class StagedTable:
    """A table's content: `classes` are the storage classes seen, by column."""

    table: SourceTable
    files: tuple[Path, ...]
    digest: TableDigest
    classes: tuple[frozenset[Lane], ...]

    @property
    def rows(self) -> int:
        """How many rows the table has."""
        return self.digest.rows

    def batches(self, columns: Sequence[int]) -> Iterator[tuple[int, int, list[Lanes]]]:
        """First row number, length and lanes of the columns at the given positions."""
        import pyarrow.parquet as pq

        first = 1
        for path in self.files:
            with pq.ParquetFile(path) as file:
                present = set(file.schema_arrow.names)
                named = [{lane: lane_name(n, lane) for lane in Lane} for n in columns]
                wanted = [name for names in named for name in names.values() if name in present]
                for group in range(file.num_row_groups):
                    length = file.metadata.row_group(group).num_rows
                    block = file.read_row_group(group, wanted, use_threads=length > _FEW)
                    arrays = dict(zip(block.column_names, block.columns, strict=True))
                    yield first, length, [_lanes_of(arrays, names) for names in named]
                    first += length

    def readers(self) -> list[Callable[[], Iterator[Lanes]]]:
        """For each column what reads its lanes, batch by batch. A table of a few cells is read
        once for all of them: opening a file takes as long as it has columns."""
        positions = range(len(self.table.columns))
        if self.rows * len(positions) > _FEW_CELLS:
            return [partial(self._column, n) for n in positions]
        held = [cells for _, _, cells in self.batches(positions)]
        return [partial(map, itemgetter(n), held) for n in positions]

    def _column(self, position: int) -> Iterator[Lanes]:
        return (cells for _, _, (cells,) in self.batches([position]))


def lane_name(position: int, lane: Lane) -> str:
    """The staged column that holds a lane."""
    return f"{position}.{lane.value}"


def _lanes_of(arrays: Mapping[str, Any], names: Mapping[Lane, str]) -> Lanes:
    lanes = {}
    for lane, name in names.items():
        if name in arrays:
            array = arrays[name].combine_chunks()
            if array.null_count < len(array):
                lanes[lane] = array
    return lanes


def stage(source: RelationalSource, table: SourceTable, folder: Path) -> StagedTable:
    """Read a table to the end and lay it down under `folder`, with one zero among its floats."""
    folder.mkdir(parents=True)
    staging = _Staging(table, folder)
    collecting = gc.isenabled()
    gc.disable()  # millions of tuples that form no cycle: a quarter of the time of reading
    try:
        with Behind(staging.add) as behind:
            for length, cells in source.batches(table):
                behind.put([_with_one_zero(lanes) for lanes in cells], length)
    finally:
        if collecting:
            gc.enable()
        staging.close()
    classes = tuple(map(frozenset, staging.classes))
    return StagedTable(table, tuple(staging.files), staging.digest, classes)


def _with_one_zero(cells: Lanes) -> Lanes:
    """The lanes with 0.0 for -0.0: tables have one zero, and graphs have -0.0 before 0.0."""
    if Lane.REAL not in cells:
        return cells
    import pyarrow.compute as pc

    return {**cells, Lane.REAL: pc.add(cells[Lane.REAL], 0.0)}


class _Staging:
    """The segments of one table, being written."""

    def __init__(self, table: SourceTable, folder: Path) -> None:
        self.folder = folder
        self.digest = TableDigest(tuple(column.name for column in table.columns))
        self.classes: list[set[Lane]] = [set() for _ in table.columns]
        self.files: list[Path] = []
        self._writer: Any = None

    def add(self, batch: Sequence[Lanes], length: int) -> None:
        """Digest and write one batch."""
        import pyarrow as pa

        self.digest.add(batch, length)
        fresh = any(not b.keys() <= seen for b, seen in zip(batch, self.classes, strict=True))
        for cells, seen in zip(batch, self.classes, strict=True):
            seen.update(cells)
        layout = _layout(self.classes)
        if fresh or self._writer is None:
            self._begin(layout)
        columns = [numbers(self.digest.rows - length + 1, length)]
        for cells, seen in zip(batch, self.classes, strict=True):
            columns += [
                cells.get(lane, pa.nulls(length, arrow_type(lane))) for lane in Lane if lane in seen
            ]
        self._writer.write_batch(pa.record_batch(columns, schema=layout))

    def _begin(self, layout: Any) -> None:
        import pyarrow.parquet as pq

        self.close()
        self.files.append(self.folder / f"{len(self.files)}.parquet")
        self._writer = pq.ParquetWriter(
            self.files[-1],
            layout,
            compression="lz4",
            use_dictionary=False,
            write_statistics=False,
            store_schema=False,
        )

    def close(self) -> None:
        """End the segment that is open."""
        if self._writer is not None:
            self._writer.close()


def _layout(classes: list[set[Lane]]) -> Any:
    import pyarrow as pa

    fields = [(ROW, pa.int64())]
    for n, lanes in enumerate(classes):
        fields += [(lane_name(n, lane), arrow_type(lane)) for lane in Lane if lane in lanes]
    return pa.schema(fields)
