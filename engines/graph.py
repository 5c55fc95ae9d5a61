"""GraphData's rows as Python values, for the engines that load a graph row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from engines.values import parse_duration
from graphmill.errors import EngineUnavailable
from schemagraph.graphdata import SOURCE, TARGET, edge_table, node_table
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type

BATCH = 10_000

type Row = dict[str, Any]
type Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """One edge: the keys of its ends, and its properties that are not null."""

    source: Key
    target: Key
    properties: Row


def node_batches(folder: Path, node: NodeType, size: int = BATCH) -> Iterator[list[Row]]:
    """All nodes of one type, each with its properties that are not null."""
    read = _readers(node.properties)
    for columns, count in _batches(folder / "nodes" / f"{node_table(node)}.parquet", size):
        named = [(name, make, columns[name]) for name, make in read]
        yield [_row(named, number) for number in range(count)]


def edge_batches(
    folder: Path, schema: SchemaGraph, edge: EdgeType, size: int = BATCH
) -> Iterator[list[EdgeRow]]:
    """All edges of one type."""
    read = _readers(edge.properties)
    ends = []
    for name, prefix in ((edge.source, SOURCE), (edge.target, TARGET)):
        node = schema.node_by_name[name]
        keys = tuple(p for key in node.key if (p := node.property(key)) is not None)
        ends.append([(prefix + key, make) for key, make in _readers(keys)])
    for columns, count in _batches(folder / "edges" / f"{edge_table(edge)}.parquet", size):
        named = [(name, make, columns[name]) for name, make in read]
        source, target = (
            list(zip(*([make(v) for v in columns[name]] for name, make in end), strict=True))
            for end in ends
        )
        yield [
            EdgeRow(source[number], target[number], _row(named, number)) for number in range(count)
        ]


def key_of(node: NodeType, row: Row) -> Key:
    """The values of the key, in the order of `NodeType.key`."""
    return tuple(row.get(name) for name in node.key)


def native(value: Any, kind: Type) -> Any:
    """A stored value as the Python value that drivers take.

    What Parquet has no type for (offsets of their own, durations) is stored as text.

    Raises:
        EngineUnavailable: the text is no such value.
    """
    if isinstance(value, str) and kind.kind in _PARSERS:
        try:
            return _PARSERS[kind.kind](value)
        except ValueError as problem:
            raise EngineUnavailable(f"'{value}' is no {kind}: {problem}") from problem
    if isinstance(value, list) and kind.item is not None:
        return [native(item, kind.item) for item in value]
    return value


_PARSERS: dict[Kind, Callable[[str], Any]] = {
    Kind.DATE: date.fromisoformat,
    Kind.TIME: time.fromisoformat,
    Kind.ZONED_TIME: time.fromisoformat,
    Kind.DATETIME: datetime.fromisoformat,
    Kind.ZONED_DATETIME: datetime.fromisoformat,
    Kind.DURATION: parse_duration,
}


def _readers(properties: tuple[Property, ...]) -> list[tuple[str, Callable[[Any], Any]]]:
    return [(p.name, _reader(p.type)) for p in properties]


def _reader(kind: Type) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        return native(value, kind)

    return read


def _row(named: list[tuple[str, Callable[[Any], Any], list[Any]]], number: int) -> Row:
    return {
        name: make(column[number]) for name, make, column in named if column[number] is not None
    }


def _batches(path: Path, size: int) -> Iterator[tuple[dict[str, list[Any]], int]]:
    """Columns of a Parquet file as lists, a slice of rows at a time."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(size, use_threads=False):
                names = batch.schema.names
                columns = {n: batch.column(i).to_pylist() for i, n in enumerate(names)}
                yield columns, batch.num_rows
    except (OSError, pa.ArrowException) as problem:
        raise EngineUnavailable(f"Cannot read {path}: {problem}") from problem
