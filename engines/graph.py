"""GraphData's rows as the values that drivers take, for engines that load row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime, time
from itertools import batched
from pathlib import Path
from typing import Any

from engines.values import parse_duration
from graphmill.errors import EngineUnavailable
from schemagraph.folder.graphdata import EdgeRow, edge_rows, node_rows
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type

BATCH = 10_000

type Row = dict[str, Any]
type Key = tuple[Any, ...]


def node_batches(folder: Path, node: NodeType, size: int = BATCH) -> Iterator[tuple[Row, ...]]:
    """All nodes of one type, each with its properties that are not null.

    Raises:
        SchemaError: the table cannot be read.
        EngineUnavailable: a stored text is not of its property's type.
    """
    make = _maker(node.properties)
    return batched(map(make, node_rows(folder, node)), size)


def edge_batches(
    folder: Path, schema: SchemaGraph, edge: EdgeType, size: int = BATCH
) -> Iterator[tuple[EdgeRow, ...]]:
    """All edges of one type; keys and properties as `node_batches` gives them.

    Raises:
        SchemaError: the table cannot be read.
        EngineUnavailable: a stored text is not of its property's type.
    """
    make = _maker(edge.properties)
    source, target = (_key_maker(schema.node_by_name[end]) for end in (edge.source, edge.target))

    def changed(row: EdgeRow) -> EdgeRow:
        return EdgeRow(source(row.source), target(row.target), make(row.properties))

    return batched(map(changed, edge_rows(folder, edge, schema)), size)


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


def _maker(properties: tuple[Property, ...]) -> Callable[[Row], Row]:
    texts = {p.name: p.type for p in properties if _is_text(p.type)}

    def make(row: Row) -> Row:
        if not texts:
            return {name: value for name, value in row.items() if value is not None}
        return {
            name: native(value, texts[name]) if name in texts else value
            for name, value in row.items()
            if value is not None
        }

    return make


def _key_maker(node: NodeType) -> Callable[[Key], Key]:
    kinds = [p.type for key in node.key if (p := node.property(key)) is not None]
    if not any(map(_is_text, kinds)):
        return tuple
    return lambda key: tuple(native(v, kind) for v, kind in zip(key, kinds, strict=True))


def _is_text(kind: Type) -> bool:
    return kind.kind in _PARSERS or (kind.item is not None and _is_text(kind.item))
