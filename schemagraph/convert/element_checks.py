"""Keys that occur twice, and edges without an end, found in the tables of a graph on disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from graphmill.errors import GraphmillError
from schemagraph.folder.graphdata import SOURCE, TARGET, edge_file, node_file
from schemagraph.model import EdgeType, NodeType, SchemaGraph
from schemagraph.staging.scratch import quoted_file


@dataclass(frozen=True, slots=True)
class RowsOfKey:
    """Numbers of rows (from 0) and the key that they are about."""

    rows: tuple[int, ...]
    values: tuple[Any, ...]

    @property
    def key(self) -> Any:
        """The key's one value, or all of them."""
        return self.values[0] if len(self.values) == 1 else self.values

    @property
    def shown(self) -> str:
        """The key for a message."""
        return ", ".join(map(repr, self.values))


class Checker:
    """Looks through the tables of the graph in `folder`; `spill` takes what memory does not hold.

    Raises:
        GraphmillError: DuckDB runs out of memory or disk.
    """

    def __init__(self, folder: Path, spill: Path) -> None:
        import duckdb

        self.folder = folder
        self._problem = duckdb.Error
        self._connection = duckdb.connect(
            config={
                "memory_limit": "400MB",
                "temp_directory": str(spill),
                "threads": 2,
                "autoinstall_known_extensions": False,
            }
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._connection.close()

    def repeated_key(self, node: NodeType) -> RowsOfKey | None:
        """The first two nodes of the type that have one key, if there are such."""
        keys = [_name(key) for key in node.key]
        table = _rows(node_file(self.folder, node))
        repeated = self._one(
            f"SELECT min(file_row_number) AS first, {', '.join(keys)} FROM {table} "
            f"GROUP BY ALL HAVING count(*) > 1 ORDER BY first LIMIT 1"
        )
        if repeated is None:
            return None
        first, *values = repeated
        equal = " AND ".join(f"t.{key} = f.{key}" for key in keys)
        again = self._one(
            f"SELECT min(t.file_row_number) FROM {table} t JOIN {table} f ON {equal} "
            f"WHERE f.file_row_number = {first} AND t.file_row_number > {first}"
        )
        return RowsOfKey((first, again[0] if again else first), tuple(values))

    def missing_end(self, edge: EdgeType, schema: SchemaGraph) -> RowsOfKey | None:
        """The first edge of the type that has an end which is no node, if there is such."""
        lacking = []
        for prefix, name in ((SOURCE, edge.source), (TARGET, edge.target)):
            node = schema.node_by_name[name]
            equal = " AND ".join(f"e.{_name(prefix + key)} = n.{_name(key)}" for key in node.key)
            ends = ", ".join(f"e.{_name(prefix + key)}" for key in node.key)
            row = self._one(
                f"SELECT e.file_row_number, {ends} FROM {_rows(edge_file(self.folder, edge))} e "
                f"ANTI JOIN {_rows(node_file(self.folder, node))} n ON {equal} "
                f"ORDER BY e.file_row_number LIMIT 1"
            )
            if row is not None:
                lacking.append(RowsOfKey((row[0],), tuple(row[1:])))
        return min(lacking, key=lambda item: item.rows, default=None)

    def _one(self, text: str) -> Sequence[Any] | None:
        try:
            row: Sequence[Any] | None = self._connection.execute(text).fetchone()
        except self._problem as problem:
            raise GraphmillError(f"The graph cannot be checked: {problem}") from problem
        return row


def _rows(path: Path) -> str:
    return f"read_parquet({quoted_file(path)}, file_row_number = true)"


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
