"""Structured schemas as text2cypher's files hold them, checked.

    {"node_props": {LABEL: [PROPERTY, …]}, "rel_props": {TYPE: [PROPERTY, …]},
     "relationships": [{"start": LABEL, "type": TYPE, "end": LABEL}, …],
     "metadata": {"constraint": [{"type": "UNIQUENESS", "labelsOrTypes", "properties"}], …}}

It is what neo4j-graphrag and LangChain make of a Neo4j database. A PROPERTY has `property`, `type`
and, as far as known, `values` (examples), `min`, `max`, `distinct_count`, `min_size`, `max_size`.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphmill.errors import GraphmillError, SourceError, did_you_mean
from graphmill.files import read_json_lines
from schemagraph.model import Kind
from schemagraph.sources.formats.csv_rows import csv_rows
from schemagraph.sources.formats.json_text import BOM, load_json

_KINDS = {
    "BOOLEAN": Kind.BOOLEAN,
    "INTEGER": Kind.INTEGER,
    "FLOAT": Kind.FLOAT,
    "STRING": Kind.STRING,
    "LIST": Kind.LIST,
    "POINT": Kind.POINT,
    "DATE": Kind.DATE,
    "TIME": Kind.ZONED_TIME,
    "LOCAL_TIME": Kind.TIME,
    "DATE_TIME": Kind.ZONED_DATETIME,
    "LOCAL_DATE_TIME": Kind.DATETIME,
    "DURATION": Kind.DURATION,
}


@dataclass(frozen=True, slots=True)
class Shape:
    """A property with what is known of its values; sizes are those of a list."""

    name: str
    kind: Kind
    values: tuple[str, ...] = ()
    low: str | None = None
    high: str | None = None
    distinct: int = 0
    sizes: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Structured:
    """A schema: properties by label and by relationship type, triples, unique properties."""

    name: str
    nodes: dict[str, tuple[Shape, ...]]
    edges: dict[str, tuple[Shape, ...]]
    triples: tuple[tuple[str, str, str], ...]
    unique: dict[str, list[str]] = field(default_factory=dict)


def records(path: Path) -> Iterator[tuple[str, str, Any]]:
    """Where it stands, name and structured schema of each database of the file.

    The file is one object, a list of objects, JSON lines, or CSV with a header; objects have
    `structured_schema` (an object, or its text) and `database`, or are a structured schema.

    Raises:
        SourceError: it is nothing of that.
    """
    for where, content in _objects(path):
        if not isinstance(content, dict):
            raise SourceError(f"{where}: a schema is an object.")
        if "structured_schema" not in content:
            yield where, path.stem, content
            continue
        schema = content["structured_schema"]
        if isinstance(schema, str):
            schema = _from_text(where, schema)
        yield where, str(content.get("database") or path.stem), schema


def _objects(path: Path) -> Iterator[tuple[str, Any]]:
    with path.open("rb") as stream:
        start = stream.read(64).removeprefix(BOM).lstrip()[:1]
    if start not in (b"{", b"["):
        rows = csv_rows(path)
        _, header = next(rows)
        for line, row in rows:
            yield f"{path}, line {line}", dict(zip(header, row, strict=False))
        return
    if start == b"{":
        lines = list(read_json_lines(path))
        if len(lines) > 1 and not isinstance(lines[0][1], GraphmillError):
            for number, value in lines:
                if isinstance(value, GraphmillError):
                    raise SourceError(str(value))
                yield f"{path}, line {number}", value
            return
    content = load_json(path)
    if isinstance(content, list):
        yield from ((f"{path}, item {n}", item) for n, item in enumerate(content, 1))
    else:
        yield str(path), content


def _from_text(where: str, text: str) -> Any:
    """JSON, or the same as Python prints it."""
    for read in (json.loads, ast.literal_eval):
        try:
            return read(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    raise SourceError(f'{where}: "structured_schema" is no JSON.')


def read_structured(where: str, name: str, content: Any) -> Structured:
    """A structured schema.

    Raises:
        SourceError: it is none; the message says what is wrong.
    """
    if not isinstance(content, dict) or not isinstance(content.get("node_props"), dict):
        raise SourceError(f'{where}: a structured schema has an object "node_props".')
    nodes = _shapes(f"{where}, node_props", content["node_props"])
    edges = _shapes(f"{where}, rel_props", content.get("rel_props") or {})
    triples = []
    for number, item in enumerate(content.get("relationships") or (), 1):
        parts = [item.get(k) if isinstance(item, dict) else None for k in ("start", "type", "end")]
        if not all(isinstance(part, str) and part for part in parts):
            raise SourceError(
                f'{where}, relationship {number}: an object with texts "start", "type", "end".'
            )
        triples.append((str(parts[0]), str(parts[1]), str(parts[2])))
    for start, _, end in triples:
        nodes.setdefault(start, ())
        nodes.setdefault(end, ())
    if not nodes:
        raise SourceError(f"{where}: the schema has no label.")
    bad = [label for label in nodes if not label.strip() or "&" in label]
    if bad:
        raise SourceError(f'{where}: {bad[0]!r} is no label: it is blank or has a "&".')
    unique = _unique(content.get("metadata"), nodes)
    return Structured(name, nodes, edges, tuple(dict.fromkeys(triples)), unique)


def _unique(metadata: Any, nodes: dict[str, tuple[Shape, ...]]) -> dict[str, list[str]]:
    unique: dict[str, list[str]] = {}
    given = metadata.get("constraint") if isinstance(metadata, dict) else None
    for item in given if isinstance(given, list) else ():
        if not isinstance(item, dict) or item.get("type") not in ("UNIQUENESS", "NODE_KEY"):
            continue
        labels, properties = item.get("labelsOrTypes"), item.get("properties")
        if not isinstance(labels, list) or not isinstance(properties, list) or len(properties) != 1:
            continue
        for label in labels:
            if any(shape.name == properties[0] for shape in nodes.get(label, ())):
                unique.setdefault(label, []).append(properties[0])
    return unique


def _shapes(where: str, given: Any) -> dict[str, tuple[Shape, ...]]:
    if not isinstance(given, dict):
        raise SourceError(f"{where}: it is an object from names to lists of properties.")
    shapes_by_owner = {}
    for owner, properties in given.items():
        if not isinstance(properties, list):
            raise SourceError(f"{where}, {owner}: its properties are a list.")
        shapes = [_shape(f"{where}, {owner}", item) for item in properties]
        names = [shape.name for shape in shapes]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise SourceError(f"{where}, {owner}: property {twice} is there twice.")
        shapes_by_owner[owner] = tuple(shapes)
    return shapes_by_owner


def _shape(where: str, item: Any) -> Shape:
    if not isinstance(item, dict) or not isinstance(item.get("property"), str):
        raise SourceError(f'{where}: a property is an object with a text "property".')
    name = item["property"]
    kind = _KINDS.get(str(item.get("type")).upper())
    if kind is None:
        near = did_you_mean(str(item.get("type")), _KINDS)
        raise SourceError(f"{where}, {name}: unknown type {item.get('type')!r}.{near}")
    values = item.get("values") or []
    if not isinstance(values, list):
        raise SourceError(f'{where}, {name}: "values" is a list.')
    low, high = (None if item.get(k) is None else str(item[k]) for k in ("min", "max"))
    sizes = (_count(item.get("min_size")), _count(item.get("max_size")))
    texts = tuple(str(value) for value in values if value is not None)
    return Shape(name, kind, texts, low, high, _count(item.get("distinct_count")), sizes)


def _count(value: Any) -> int:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return max(0, int(value)) if is_number and abs(value) < 2**53 else 0
