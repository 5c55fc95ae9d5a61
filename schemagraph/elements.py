"""A property graph in memory to a graph folder: types inferred, written, read back and compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from graphmill.errors import LosslessError
from schemagraph import naming
from schemagraph.graphdata import SOURCE, TARGET, edge_rows, node_rows
from schemagraph.json_values import JsonColumn, column_of, same
from schemagraph.manifest import TableEntry
from schemagraph.model import EdgeType, NodeType, Property, SchemaGraph
from schemagraph.report import ConversionReport, TableCheck
from schemagraph.writer import GraphWriter, edge_layout, node_layout

KEY = "id"
_BATCH = 65_536

type Labels = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """A node: what identifies it, and its properties (absent ones are not there)."""

    id: Any
    properties: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge between the nodes with these ids."""

    source: Any
    target: Any
    properties: dict[str, Any]


@dataclass
class Elements:
    """All nodes by label set and all edges by (source's labels, label, target's labels)."""

    name: str
    nodes: dict[Labels, list[Node]] = field(default_factory=dict)
    edges: dict[tuple[Labels, str, Labels], list[Edge]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


@dataclass
class _Names:
    """Names that engines can tell apart: what differs in case only gets a number."""

    what: str
    taken: tuple[str, ...] = ()
    given: dict[str, str] = field(default_factory=dict)

    def of(self, name: str, elements: Elements) -> str:
        if name not in self.given:
            made = naming.distinct(name or "p", [*self.taken, *self.given.values()])
            self.given[name] = made
            if made != name:
                elements.warnings.append(f"{self.what} '{name}' is called '{made}'.")
        return self.given[name]


@dataclass(frozen=True, slots=True)
class _Table:
    """How the properties of a type are stored: name in the graph and column by source's name."""

    names: dict[str, str]
    columns: dict[str, JsonColumn]

    def properties(self) -> tuple[Property, ...]:
        return tuple(
            Property(self.names[name], column.type, column.type.nullable, column.note)
            for name, column in self.columns.items()
        )

    def arrays(self, rows: Sequence[dict[str, Any]]) -> list[Any]:
        return [
            column.encode([row.get(name) for row in rows]) for name, column in self.columns.items()
        ]

    def restored(self, row: dict[str, Any]) -> dict[str, Any]:
        found = {
            name: column.decode(row[self.names[name]]) for name, column in self.columns.items()
        }
        return {name: value for name, value in found.items() if value is not None}


def convert_elements(
    elements: Elements, out: Path, *, kind: str, origin: dict[str, Any], licence: str
) -> ConversionReport:
    """Write the graph of `elements` to `out` and compare it with them.

    Raises:
        LosslessError, GraphmillError: see `schemagraph.convert.convert`.
    """
    labels = _Names("Label")
    types = {
        source: tuple(labels.of(label, elements) for label in source) for source in elements.nodes
    }
    edge_labels = _Names("Edge label")
    tables: dict[Any, _Table] = {}
    ids: dict[Labels, JsonColumn] = {}
    nodes, edges = [], []
    for source, found in elements.nodes.items():
        ids[source] = column_of([node.id for node in found])
        table = _table(elements, [node.properties for node in found], "&".join(source), (KEY,))
        tables[source] = table
        key = Property(KEY, ids[source].type, False, ids[source].note)
        nodes.append(NodeType(types[source], (key, *table.properties()), (KEY,)))
    for triple, links in elements.edges.items():
        first, label, second = triple
        taken = (SOURCE + KEY, TARGET + KEY)
        table = _table(elements, [edge.properties for edge in links], label, taken)
        tables[triple] = table
        ends = ("&".join(types[first]), "&".join(types[second]))
        name = edge_labels.of(label, elements)
        edges.append(EdgeType(name, *ends, table.properties()))
    schema = SchemaGraph(elements.name, tuple(nodes), tuple(edges))
    with GraphWriter(out) as writer:
        entries = []
        for node, (source, found) in zip(schema.nodes, elements.nodes.items(), strict=True):
            batches = _node_batches(node, found, tables[source], ids[source])
            entries.append(writer.nodes(node, batches))
        for edge, (triple, links) in zip(schema.edges, elements.edges.items(), strict=True):
            ends_of = (ids[triple[0]], ids[triple[2]])
            edge_batches = _edge_batches(edge, schema, links, tables[triple], ends_of)
            entries.append(writer.edges(edge, schema, edge_batches))
        checks = tuple(_checks(writer.folder, schema, elements, tables, ids, entries))
        manifest = writer.commit(schema, None, origin=origin, licence=licence)
    counts = [entry.rows for entry in entries]
    return ConversionReport(
        elements.name,
        str(out),
        kind,
        dict(zip((node.name for node in nodes), counts, strict=False)),
        dict(zip((edge.name for edge in edges), counts[len(nodes) :], strict=True)),
        tuple(_decisions(schema, counts)),
        tuple(elements.warnings),
        tuple(elements.notes),
        checks,
        manifest.fingerprint,
    )


def _table(
    elements: Elements, rows: Sequence[dict[str, Any]], owner: str, taken: tuple[str, ...]
) -> _Table:
    names = _Names(f"Property of {owner}:", taken)
    values: dict[str, None] = {}
    for row in rows:
        values |= dict.fromkeys(row)
    columns = {name: column_of([row.get(name) for row in rows]) for name in values}
    given = {name: names.of(name, elements) for name in columns}
    for name, column in columns.items():
        if column.note:
            note = f"{column.note[0].lower()}{column.note[1:]}"
            elements.warnings.append(f"Property {owner}.{given[name]} is text: {note}")
    return _Table(given, columns)


def _node_batches(
    node: NodeType, found: Sequence[Node], table: _Table, key: JsonColumn
) -> Iterator[Any]:
    import pyarrow as pa

    layout = node_layout(node)
    for start in range(0, len(found), _BATCH):
        part = found[start : start + _BATCH]
        arrays = [key.encode([item.id for item in part])]
        arrays += table.arrays([item.properties for item in part])
        yield pa.record_batch(arrays, schema=layout)


def _edge_batches(
    edge: EdgeType,
    schema: SchemaGraph,
    links: Sequence[Edge],
    table: _Table,
    ends: tuple[JsonColumn, JsonColumn],
) -> Iterator[Any]:
    import pyarrow as pa

    layout = edge_layout(edge, schema)
    for start in range(0, len(links), _BATCH):
        part = links[start : start + _BATCH]
        arrays = [
            ends[0].encode([item.source for item in part]),
            ends[1].encode([item.target for item in part]),
            *table.arrays([item.properties for item in part]),
        ]
        yield pa.record_batch(arrays, schema=layout)


def _decisions(schema: SchemaGraph, counts: Sequence[int]) -> Iterator[str]:
    for node, count in zip(schema.nodes, counts, strict=False):
        yield f"{count} nodes with the labels {', '.join(node.labels)}: key {KEY}."
    for edge, count in zip(schema.edges, counts[len(schema.nodes) :], strict=True):
        yield f"{count} edges ({edge.source})-[:{edge.label}]->({edge.target})."


# --- the inverse ---------------------------------------------------------------------------


def _checks(
    folder: Path,
    schema: SchemaGraph,
    elements: Elements,
    tables: dict[Any, _Table],
    ids: dict[Labels, JsonColumn],
    entries: Sequence[TableEntry],
) -> Iterator[TableCheck]:
    written = iter(entries)
    for node, (source, found) in zip(schema.nodes, elements.nodes.items(), strict=True):
        table, key = tables[source], ids[source]
        back = (
            ({"id": key.decode(row[KEY])}, table.restored(row)) for row in node_rows(folder, node)
        )
        origin = (({"id": item.id}, item.properties) for item in found)
        yield _check(node.name, origin, back, next(written))
    for edge, (triple, links) in zip(schema.edges, elements.edges.items(), strict=True):
        table, first, second = tables[triple], ids[triple[0]], ids[triple[2]]
        edges_back = (
            (
                {"source": first.decode(row.source[0]), "target": second.decode(row.target[0])},
                table.restored(row.properties),
            )
            for row in edge_rows(folder, edge, schema)
        )
        edge_origin = (({"source": e.source, "target": e.target}, e.properties) for e in links)
        yield _check(edge.name, edge_origin, edges_back, next(written))


type _Rows = Iterator[tuple[dict[str, Any], dict[str, Any]]]


def _check(name: str, origin: _Rows, back: _Rows, entry: TableEntry) -> TableCheck:
    rows = values = 0
    for before, after in zip_longest(origin, back):
        rows += 1
        if before is None or after is None:
            raise LosslessError(f"{name}: source and graph have different numbers of elements.")
        kept = {key: value for key, value in before[1].items() if value is not None}
        for mine, theirs in ((before[0], after[0]), (kept, after[1])):
            values += len(mine)
            for key in {**mine, **theirs}:
                if not same(mine.get(key), theirs.get(key)):
                    raise LosslessError(
                        f"{name}, element {rows}, property {key}: the source has "
                        f"{mine.get(key)!r}, and the graph gives {theirs.get(key)!r} back."
                    )
    return TableCheck(name, rows, values, entry.hash)
