"""The labels of a TuGraph import configuration, checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphmill.errors import SourceError, did_you_mean
from schemagraph.model import Kind, Type
from schemagraph.sources.formats.csv_rows import blob, day, moment, real, truth, whole

_TYPES: dict[str, tuple[Kind, Callable[[str], Any]]] = {
    "BOOL": (Kind.BOOLEAN, truth),
    "INT8": (Kind.INTEGER, whole(8)),
    "INT16": (Kind.INTEGER, whole(16)),
    "INT32": (Kind.INTEGER, whole(32)),
    "INT64": (Kind.INTEGER, whole(64)),
    "FLOAT": (Kind.FLOAT, real),
    "DOUBLE": (Kind.FLOAT, real),
    "STRING": (Kind.STRING, str),
    "DATE": (Kind.DATE, day),
    "DATETIME": (Kind.DATETIME, moment),
    "BLOB": (Kind.BYTES, blob),
    # geometries are the hexadecimal text of their EWKB form, and stay that
    "POINT": (Kind.STRING, str),
    "LINESTRING": (Kind.STRING, str),
    "POLYGON": (Kind.STRING, str),
    "SPATIAL": (Kind.STRING, str),
}


@dataclass(frozen=True, slots=True)
class Field:
    """A property as declared; `read` makes its value of a text."""

    name: str
    declared: str
    optional: bool

    @property
    def type(self) -> Type:
        """Its type in the graph."""
        return Type(_TYPES[self.declared][0])

    @property
    def read(self) -> Callable[[str], Any]:
        """What makes its value of a text; raises ValueError."""
        return _TYPES[self.declared][1]


@dataclass(frozen=True, slots=True)
class Label:
    """A vertex label (with `primary`) or an edge label (with the `pairs` of ends it may have)."""

    name: str
    properties: dict[str, Field]
    primary: str = ""
    pairs: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Labels:
    """All labels by name."""

    vertices: dict[str, Label] = field(default_factory=dict)
    edges: dict[str, Label] = field(default_factory=dict)


def read_labels(path: Path, schema: list[Any]) -> Labels:
    """The labels of `schema`.

    Raises:
        SourceError: one is not as TuGraph wants it; the message says which and what.
    """
    labels = Labels()
    for number, item in enumerate(schema, 1):
        where = f"{path}, schema {number}"
        if (
            not isinstance(item, dict)
            or not isinstance(item.get("label"), str)
            or not item["label"]
        ):
            raise SourceError(f'{where}: a label is an object with a text "label".')
        where = f"{where} ({item['label']})"
        name, kind = item["label"], item.get("type")
        if kind not in ("VERTEX", "EDGE"):
            raise SourceError(f'{where}: "type" is VERTEX or EDGE, not {kind!r}.')
        if name in labels.vertices or name in labels.edges:
            raise SourceError(f"{where}: a second label of that name.")
        properties = _fields(where, item.get("properties", []))
        if kind == "EDGE":
            labels.edges[name] = Label(name, properties, pairs=_pairs(where, item))
            continue
        primary = item.get("primary")
        if primary not in properties:
            near = did_you_mean(str(primary), properties)
            raise SourceError(f'{where}: its "primary" {primary!r} is no property of it.{near}')
        labels.vertices[name] = Label(name, properties, primary)
    if not labels.vertices:
        raise SourceError(f"{path}: the schema has no vertex label.")
    for edge in labels.edges.values():
        for end in (end for pair in edge.pairs for end in pair):
            vertex(f"{path}, constraints of {edge.name}", end, labels)
    return labels


def vertex(where: str, name: Any, labels: Labels) -> Label:
    """The vertex label called `name`.

    Raises:
        SourceError: there is none.
    """
    if name not in labels.vertices:
        near = did_you_mean(str(name), labels.vertices)
        raise SourceError(f"{where}: there is no vertex label {name!r}.{near}")
    return labels.vertices[name]


def _pairs(where: str, item: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    given = item.get("constraints", [])
    if not isinstance(given, list) or not all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(end, str) for end in pair)
        for pair in given
    ):
        raise SourceError(f'{where}: "constraints" is a list of pairs of vertex labels.')
    return tuple((pair[0], pair[1]) for pair in given)


def _fields(where: str, given: Any) -> dict[str, Field]:
    if not isinstance(given, list):
        raise SourceError(f'{where}: "properties" is a list.')
    fields: dict[str, Field] = {}
    for item in given:
        if not isinstance(item, dict) or not isinstance(item.get("name"), str) or not item["name"]:
            raise SourceError(f'{where}: a property is an object with a text "name".')
        name, declared = item["name"], str(item.get("type")).upper()
        if declared not in _TYPES:
            near = did_you_mean(declared, _TYPES)
            raise SourceError(f"{where}: property {name} has the unknown type {declared}.{near}")
        if name in fields:
            raise SourceError(f"{where}: property {name} is there twice.")
        fields[name] = Field(name, declared, item.get("optional") is True)
    return fields
