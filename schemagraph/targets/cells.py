"""Rows of GraphData as cells of CSV files, streamed."""

from __future__ import annotations

import base64
import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from schemagraph.folder.graphdata import edge_rows, node_rows
from schemagraph.model import EdgeType, NodeType, SchemaGraph


@dataclass(frozen=True, slots=True)
class Row:
    """A node (with no ends) or an edge: its properties, the keys of both ends, its number."""

    properties: dict[str, Any]
    source: tuple[Any, ...] = ()
    target: tuple[Any, ...] = ()
    number: int = 0


def read_rows(folder: Path, schema: SchemaGraph, of: NodeType | EdgeType) -> Iterator[Row]:
    """All rows of a type, numbered from 1."""
    if isinstance(of, NodeType):
        for number, properties in enumerate(node_rows(folder, of), 1):
            yield Row(properties, number=number)
        return
    for number, edge in enumerate(edge_rows(folder, of, schema), 1):
        yield Row(edge.properties, edge.source, edge.target, number)


def write_csv(
    path: Path,
    header: Sequence[str] | None,
    values: Sequence[Callable[[Row], Any]],
    rows: Iterable[Row],
) -> int:
    """Write a CSV file (RFC 4180, UTF-8); texts are quoted, absent values are empty. Counts rows.

    An empty text is `""`, so that it differs from an absent value.
    """
    count = 0
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, quoting=csv.QUOTE_STRINGS, lineterminator="\n")
        if header is not None:
            csv.writer(stream, lineterminator="\n").writerow(header)
        for row in rows:
            writer.writerow([value(row) for value in values])
            count += 1
    return count


def cell(value: Any) -> Any:
    """A value as a number or text: ISO dates and times, base64, JSON lists."""
    match value:
        case bool():
            return "true" if value else "false"
        case datetime() | date() | time():
            return value.isoformat()
        case bytes():
            return base64.b64encode(value).decode()
        case list() | tuple() | dict():
            return json.dumps(value, ensure_ascii=False, default=_plain)
        case _:
            return value


def _plain(value: Any) -> Any:
    return cell(value)


def text(value: Any) -> str | None:
    """A value as text."""
    made = cell(value)
    return None if made is None else str(made)


def of_property(name: str, form: Callable[[Any], Any] = cell) -> Callable[[Row], Any]:
    """The cell of a property."""

    def value(row: Row) -> Any:
        stored = row.properties.get(name)
        return None if stored is None else form(stored)

    return value


def key_text(values: Sequence[Any]) -> str:
    """A node's key as one text: itself, or a JSON list of its parts.

    >>> key_text((7,)), key_text(("a", 7))
    ('7', '["a", 7]')
    """
    if len(values) == 1:
        return str(cell(values[0]))
    return json.dumps([cell(value) for value in values], ensure_ascii=False)


def node_key(node: NodeType) -> Callable[[Row], Any]:
    """The cell of a node's key as one text, or the key property's own value."""
    if len(node.key) == 1:
        return of_property(node.key[0])
    return lambda row: key_text([row.properties[name] for name in node.key])


def end_key(end: str) -> Callable[[Row], Any]:
    """The cell of the key at one end of an edge; `end` is `source` or `target`."""

    def value(row: Row) -> Any:
        values = row.source if end == "source" else row.target
        return cell(values[0]) if len(values) == 1 else key_text(values)

    return value
