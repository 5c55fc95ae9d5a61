"""DuckDB over the staged tables of one source: what joins and groups more than fits in memory.

DuckDB is a tool here, no source and no judge of answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from graphmill.errors import GraphmillError
from schemagraph.relational import Reference, SourceTable
from schemagraph.staging.comparison import Match, Stored, compare
from schemagraph.staging.staging import ROW, StagedTable, lane_name
from schemagraph.storage_classes import Lane, Lanes

_BATCH = 65_536


class Scratch:
    """All staged tables, each a view; `folder` takes what does not fit in `memory`."""

    def __init__(self, tables: Sequence[StagedTable], folder: Path, memory: str = "400MB") -> None:
        import duckdb

        self.staged = {staged.table.name: staged for staged in tables}
        self._problem: type[Exception] = duckdb.Error
        self._connection = duckdb.connect(
            config={
                "memory_limit": memory,
                "temp_directory": str(folder / "spill"),
                "threads": 2,
                "preserve_insertion_order": False,
                "autoinstall_known_extensions": False,
            }
        )
        self._connection.execute("SET enable_progress_bar = false")  # it goes to standard output
        self._views: dict[str, str] = {}
        for n, staged in enumerate(tables):
            view = f"staged_{n}"
            self._views[staged.table.name] = view
            if staged.files:
                files = ", ".join(quoted_file(path) for path in staged.files)
                body = f"SELECT * FROM read_parquet([{files}], union_by_name = true)"
            else:
                body = f'SELECT 0::BIGINT AS "{ROW}" WHERE false'
            self._connection.execute(f"CREATE VIEW {view} AS {body}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._connection.close()

    def declare(self, tables: Sequence[SourceTable]) -> None:
        """Take the tables as they are given now: with other keys and references."""
        for table in tables:
            self.staged[table.name] = replace(self.staged[table.name], table=table)

    def view(self, table: str) -> str:
        """The name under which a staged table is known in SQL."""
        return self._views[table]

    def one(self, text: str) -> tuple[Any, ...]:
        """The first row of an answer.

        Raises:
            GraphmillError: DuckDB runs out of memory or disk.
        """
        try:
            return tuple(self._connection.execute(text).fetchall()[0])
        except self._problem as problem:
            raise GraphmillError(f"The source cannot be analysed: {problem}") from problem

    def stream(self, text: str) -> Iterator[Any]:
        """An answer as Arrow record batches, all but the last of one size.

        Raises:
            GraphmillError: DuckDB runs out of memory or disk.
        """
        try:
            with self._connection.cursor() as cursor:
                yield from _even(cursor.sql(text).to_arrow_reader(_BATCH))
        except self._problem as problem:
            raise GraphmillError(f"The source cannot be analysed: {problem}") from problem

    def stored(self, table: SourceTable, name: str) -> Stored:
        """Where and how the column called `name` is staged."""
        position = next(n for n, column in enumerate(table.columns) if column.name == name)
        classes = self.staged[table.name].classes[position]
        return Stored(position, table.columns[position], classes)

    def match(self, table: SourceTable, reference: Reference, *, fold: bool = False) -> Match:
        """How the columns of a reference of `table` find their row; see `comparison.compare`."""
        return compare(self.pairs(table, reference), fold=fold)

    def pairs(self, table: SourceTable, reference: Reference) -> list[tuple[Stored, Stored]]:
        """The columns of a reference of `table` with those that it names."""
        parent = self.staged[reference.table].table
        names = zip(reference.columns, reference.referenced, strict=True)
        return [(self.stored(table, own), self.stored(parent, other)) for own, other in names]


def _even(batches: Iterable[Any]) -> Iterator[Any]:
    """The same rows in batches of one size, so that files do not depend on threads."""
    import pyarrow as pa

    held: Any = None
    for batch in batches:
        table = pa.Table.from_batches([batch])
        held = table if held is None else pa.concat_tables([held, table])
        while held.num_rows >= _BATCH:
            yield from held.slice(0, _BATCH).combine_chunks().to_batches()
            held = held.slice(_BATCH)
    if held is not None and held.num_rows:
        yield from held.combine_chunks().to_batches()


def quoted_text(text: str) -> str:
    """`text` as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def quoted_file(path: Path) -> str:
    """A path as an SQL literal that names this file only, not all that its name matches.

    >>> print(quoted_file(Path("why?.csv")))
    'why[?].csv'
    """
    return quoted_text(re.sub(r"[*?\[]", r"[\g<0>]", str(path)))


def select(batch: Any, prefix: str, position: int) -> Lanes:
    """The lanes of a column in a record batch whose columns are called `<prefix><n>.<lane>`."""
    lanes = {}
    for lane in Lane:
        name = prefix + lane_name(position, lane)
        if name in batch.schema.names:
            array = batch.column(name)
            if array.null_count < len(array):
                lanes[lane] = array
    return lanes
