"""Source tables on disk as lanes, read once: what types, keys and edges are decided and made from.

A staged table is a row of Parquet files ("segments"). A column's lanes are the columns `<n>.<lane>`
with n its position; `#` numbers the rows from 1. A new segment begins when a lane appears that
the segment lacks, so that a column which turns out mixed costs nothing before it does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemagraph.cells import Lane, Lanes, arrow_type, lanes
from schemagraph.hashing import TableDigest
from schemagraph.sources.relational import RelationalSource, SourceTable

ROW = "#"


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
                wanted = [
                    (lane, lane_name(n, lane))
                    for n in columns
                    for lane in Lane
                    if lane_name(n, lane) in present
                ]
                for group in range(file.num_row_groups):
                    length = file.metadata.row_group(group).num_rows
                    block = file.read_row_group(group, [name for _, name in wanted])
                    yield first, length, [_lanes_of(block, n) for n in columns]
                    first += length

    def column(self, position: int) -> Iterator[Lanes]:
        """The lanes of one column, batch by batch."""
        return (cells for _, _, (cells,) in self.batches([position]))


def lane_name(position: int, lane: Lane) -> str:
    """The staged column that holds a lane."""
    return f"{position}.{lane.value}"


def _lanes_of(block: Any, position: int) -> Lanes:
    found = {}
    for lane in Lane:
        name = lane_name(position, lane)
        if name in block.column_names:
            array = block.column(name).combine_chunks()
            if array.null_count < len(array):
                found[lane] = array
    return found


def stage(source: RelationalSource, table: SourceTable, folder: Path) -> StagedTable:
    """Read a table to the end and lay it down under `folder`."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    width = range(len(table.columns))
    digest = TableDigest(tuple(column.name for column in table.columns))
    classes: list[set[Lane]] = [set() for _ in width]
    files: list[Path] = []
    writer: Any = None
    folder.mkdir(parents=True)
    try:
        for rows in source.rows(table):
            batch = [lanes(values) for values in zip(*rows, strict=True)]
            digest.add(batch, len(rows))
            fresh = False
            for n, cells in enumerate(batch):
                fresh = fresh or not cells.keys() <= classes[n]
                classes[n] |= cells.keys()
            layout = _layout(classes)
            if writer is None or fresh:
                if writer is not None:
                    writer.close()
                files.append(folder / f"{len(files)}.parquet")
                writer = pq.ParquetWriter(
                    files[-1], layout, compression="lz4", use_dictionary=False,
                    write_statistics=False, store_schema=False,
                )  # fmt: skip
            first = digest.rows - len(rows) + 1
            columns = [pa.array(range(first, first + len(rows)), pa.int64())]
            for n, cells in enumerate(batch):
                for lane in Lane:
                    if lane in classes[n]:
                        columns.append(cells.get(lane, pa.nulls(len(rows), arrow_type(lane))))
            writer.write_batch(pa.record_batch(columns, schema=layout))
    finally:
        if writer is not None:
            writer.close()
    return StagedTable(table, tuple(files), digest, tuple(map(frozenset, classes)))


def _layout(classes: list[set[Lane]]) -> Any:
    import pyarrow as pa

    fields = [(ROW, pa.int64())]
    for n, found in enumerate(classes):
        fields += [(lane_name(n, lane), arrow_type(lane)) for lane in Lane if lane in found]
    return pa.schema(fields)
