"""A property graph to a graph folder: read once, types inferred, written, read back and compared.

A source says which element types there are and adds their rows to an `Elements`; nothing of the
graph but names is held in memory. `convert_elements` does the rest.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from graphmill.errors import LosslessError, SourceError
from schemagraph import naming
from schemagraph.convert.element_checks import Checker
from schemagraph.convert.element_values import ValueColumn, same
from schemagraph.convert.spool import Batch, Spool, SpoolTable
from schemagraph.folder.graphdata import (
    SOURCE,
    TARGET,
    batches,
    edge_file,
    edge_layout,
    node_file,
    node_layout,
)
from schemagraph.folder.manifest import TableEntry
from schemagraph.folder.writer import GraphWriter
from schemagraph.model import EdgeType, NodeType, Property, SchemaGraph
from schemagraph.report import ConversionReport, TableCheck

type Labels = tuple[str, ...]
type Triple = tuple[Labels, str, Labels]


@dataclass
class Elements:
    """All nodes by label set and all edges by (source's labels, label, target's labels).

    `describe` tells people where in the source the element with a given place is. `required` are
    properties that the source declares every element to have, `unique` sets of properties that it
    declares no two nodes to agree in.
    """

    name: str
    spool: Spool
    describe: Callable[[int], str]
    nodes: dict[Labels, SpoolTable] = field(default_factory=dict)
    keys: dict[Labels, tuple[str, ...]] = field(default_factory=dict)
    edges: dict[Triple, SpoolTable] = field(default_factory=dict)
    decisions: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    required: dict[Labels | Triple, frozenset[str]] = field(default_factory=dict)
    unique: dict[Labels, tuple[tuple[str, ...], ...]] = field(default_factory=dict)

    def node_table(self, labels: Labels, key: tuple[str, ...]) -> SpoolTable:
        """Where nodes with exactly these labels go; `key` are the properties that tell them apart.

        The rows have to hold all of `key`, in every row.
        """
        if labels not in self.nodes:
            self.nodes[labels] = self.spool.table()
            self.keys[labels] = key
        return self.nodes[labels]

    def edge_table(self, source: Labels, label: str, target: Labels) -> SpoolTable:
        """Where edges of this type go; both node tables have been asked for before."""
        triple = (source, label, target)
        if triple not in self.edges:
            arity = len(self.keys[source]) + len(self.keys[target])
            self.edges[triple] = self.spool.table(arity)
        return self.edges[triple]


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
    """How the properties of a type are stored: name in the graph and column by source's name.

    `ends` are the names and columns of the keys of an edge's ends.
    """

    rows: SpoolTable
    names: dict[str, str]
    columns: dict[str, ValueColumn]
    ends: tuple[tuple[str, ValueColumn], ...] = ()

    def properties(
        self, required: Collection[str] = (), unique: Collection[str] = ()
    ) -> tuple[Property, ...]:
        """The properties; those `required` and `unique` are so by the source's constraints."""
        return tuple(
            Property(
                self.names[name],
                column.type,
                name not in required,
                column.note,
                unique=name in unique,
            )
            for name, column in self.columns.items()
        )

    def arrays(self, batch: Batch) -> list[Any]:
        ends = [
            column.encode(values) for (_, column), values in zip(self.ends, batch.ends, strict=True)
        ]
        return ends + [column.encode(batch.column(name)) for name, column in self.columns.items()]

    def restored(self, stored: Any) -> Iterator[tuple[str, Sequence[Any]]]:
        """The columns of a stored batch as they were in the source."""
        for name, column in self.ends:
            yield name, column.decode(stored.column(name).to_pylist())
        for name, column in self.columns.items():
            yield name, column.decode(stored.column(self.names[name]).to_pylist())


def convert_elements(
    out: Path,
    name: str,
    read: Callable[[Elements], None],
    describe: Callable[[int], str],
    *,
    kind: str,
    origin: dict[str, Any],
    licence: str,
) -> ConversionReport:
    """Write the graph that `read` tells to `out`, and compare the two.

    Raises:
        SourceError: a key occurs twice, or an edge has an end that does not exist; else what
            `read` raises.
        LosslessError, GraphmillError: see `schemagraph.convert.convert`.
    """
    with GraphWriter(out) as writer:
        elements = Elements(name, Spool(writer.folder / "spool"), describe)
        read(elements)
        elements.spool.flush()
        schema, tables = _decide(elements)
        entries = []
        for node, table in zip(schema.nodes, tables, strict=False):
            entries.append(writer.nodes(node, _batches(table, node_layout(node))))
        for edge, table in zip(schema.edges, tables[len(schema.nodes) :], strict=True):
            layout = edge_layout(edge, schema)
            entries.append(writer.edges(edge, schema, _batches(table, layout)))
        _check_references(writer.folder, schema, elements)
        checks = tuple(_checks(writer.folder, schema, tables, entries))
        shutil.rmtree(elements.spool.folder, ignore_errors=True)
        manifest = writer.commit(schema, None, origin=origin, licence=licence)
    counts = [entry.rows for entry in entries]
    return ConversionReport(
        elements.name,
        str(out),
        kind,
        dict(zip((node.name for node in schema.nodes), counts, strict=False)),
        dict(zip((edge.name for edge in schema.edges), counts[len(schema.nodes) :], strict=True)),
        (*_decisions(schema, counts), *elements.decisions),
        tuple(elements.warnings),
        tuple(elements.notes),
        checks,
        manifest.fingerprint,
    )


def _decide(elements: Elements) -> tuple[SchemaGraph, list[_Table]]:
    """The schema, and how each of its types is stored: node types first, then edge types."""
    labels, edge_labels = _Names("Label"), _Names("Edge label")
    types = {
        source: tuple(labels.of(label, elements) for label in source) for source in elements.nodes
    }
    nodes: dict[Labels, tuple[NodeType, _Table]] = {}
    edges, tables = [], []
    for source, rows in elements.nodes.items():
        first = dict.fromkeys(elements.keys[source])
        _check_filled(elements, source, rows)
        names = list(first | dict.fromkeys(rows.declared) | dict.fromkeys(rows.facts))
        table = _table(elements, rows, names, "&".join(source), ())
        for name in first:  # where there is no row, nothing has shown that each has one
            column = table.columns[name]
            table.columns[name] = replace(column, type=replace(column.type, nullable=False))
        key = tuple(table.names[name] for name in first)
        sets = elements.unique.get(source, ())
        single = {name for names in sets for name in names if len(names) == 1} - first.keys()
        given = table.properties(elements.required.get(source, frozenset()) | first.keys(), single)
        several = tuple(
            tuple(table.names[name] for name in names)
            for names in sets
            if len(names) > 1 and set(names) <= table.names.keys() and names != tuple(first)
        )
        nodes[source] = (NodeType(types[source], given, key, unique=several), table)
        tables.append(table)
    for (first_end, label, second_end), rows in elements.edges.items():
        ends = []
        for prefix, end in ((SOURCE, first_end), (TARGET, second_end)):
            kind, of = nodes[end]
            keys = zip(kind.key, elements.keys[end], strict=True)
            ends += [(prefix + name, of.columns[own]) for name, own in keys]
        _check_end_kinds(elements, (first_end, label, second_end), rows, [c for _, c in ends])
        names = list(dict.fromkeys(rows.declared) | dict.fromkeys(rows.facts))
        table = _table(elements, rows, names, label, tuple(ends))
        pair = (nodes[first_end][0].name, nodes[second_end][0].name)
        needed = elements.required.get((first_end, label, second_end), frozenset())
        edges.append(EdgeType(edge_labels.of(label, elements), *pair, table.properties(needed)))
        tables.append(table)
    schema = SchemaGraph(elements.name, tuple(kind for kind, _ in nodes.values()), tuple(edges))
    return schema, tables


def _table(
    elements: Elements,
    rows: SpoolTable,
    properties: Sequence[str],
    owner: str,
    ends: tuple[tuple[str, ValueColumn], ...],
) -> _Table:
    names = _Names(f"Property of {owner}:", tuple(name for name, _ in ends))
    given = {name: names.of(name, elements) for name in properties}
    columns = {}
    for name in properties:
        facts = rows.facts.get(name)
        if (facts is None or not facts.present) and name in rows.declared:
            columns[name] = ValueColumn(rows.declared[name])
        elif facts is not None:
            columns[name] = facts.column(rows.rows, lambda name=name: rows.values(name))  # type: ignore[misc]
        if columns[name].note:
            note = f"{columns[name].note[0].lower()}{columns[name].note[1:]}"
            elements.warnings.append(f"Property {owner}.{given[name]} is text: {note}")
    return _Table(rows, given, columns, ends)


def _batches(table: _Table, layout: Any) -> Iterator[Any]:
    import pyarrow as pa

    for batch in table.rows.batches():
        yield pa.record_batch(table.arrays(batch), schema=layout)


def _decisions(schema: SchemaGraph, counts: Sequence[int]) -> Iterator[str]:
    for node, count in zip(schema.nodes, counts, strict=False):
        labels, key = ", ".join(node.labels), ", ".join(node.key)
        yield f"{count} nodes with the labels {labels}: key {key}."
    for edge, count in zip(schema.edges, counts[len(schema.nodes) :], strict=True):
        yield f"{count} edges ({edge.source})-[:{edge.label}]->({edge.target})."


# --- keys and ends -------------------------------------------------------------------------


def _check_filled(elements: Elements, labels: Labels, rows: SpoolTable) -> None:
    for name in elements.keys[labels]:
        if name in rows.facts and rows.facts[name].present < rows.rows:
            places = (
                place
                for batch in rows.batches()
                for place, value in zip(batch.places, batch.column(name), strict=True)
                if value is None
            )
            raise SourceError(
                f"{elements.describe(next(places))}: a node {'&'.join(labels)} has no {name}, "
                f"which is its key."
            )


def _check_end_kinds(
    elements: Elements, triple: Triple, rows: SpoolTable, columns: Sequence[ValueColumn]
) -> None:
    """An end whose value is of no kind that the key has finds no node."""
    for n, (facts, column) in enumerate(zip(rows.end_facts, columns, strict=False)):
        if column.type.kind in facts.kinds and len(facts.kinds) == 1:
            continue
        for batch in rows.batches():
            for place, value in zip(batch.places, batch.ends[n], strict=True):
                try:
                    column.encode([value])
                except (ValueError, TypeError, OverflowError):
                    raise _no_node(elements, triple, place, value) from None


def _no_node(elements: Elements, triple: Triple, place: int, value: Any) -> SourceError:
    source, label, target = ("&".join(p) if isinstance(p, tuple) else p for p in triple)
    return SourceError(
        f"{elements.describe(place)}: an edge ({source})-[:{label}]->({target}) has the end "
        f"{value!r}, and there is no such node."
    )


def _check_references(folder: Path, schema: SchemaGraph, elements: Elements) -> None:
    """No key occurs twice in its type, and each end of an edge exists."""
    with Checker(folder, elements.spool.folder / "spill") as checker:
        for node, (labels, rows) in zip(schema.nodes, elements.nodes.items(), strict=True):
            twice = checker.repeated_key(node)
            if twice is not None:
                first, second = map(elements.describe, rows.places(twice.rows))
                raise SourceError(
                    f"{second}: a second node {'&'.join(labels)} with the key {twice.shown}; "
                    f"the first is {first}."
                )
        for edge, (triple, rows) in zip(schema.edges, elements.edges.items(), strict=True):
            missing = checker.missing_end(edge, schema)
            if missing is not None:
                raise _no_node(elements, triple, rows.places(missing.rows)[0], missing.key)


# --- the inverse ---------------------------------------------------------------------------


def _checks(
    folder: Path, schema: SchemaGraph, tables: Sequence[_Table], entries: Sequence[TableEntry]
) -> Iterator[TableCheck]:
    stored = [batches(node_file(folder, node), node_layout(node)) for node in schema.nodes]
    stored += [batches(edge_file(folder, edge), edge_layout(edge, schema)) for edge in schema.edges]
    names = [node.name for node in schema.nodes] + [edge.name for edge in schema.edges]
    for blocks, name, table, entry in zip(stored, names, tables, entries, strict=True):
        yield TableCheck(name, entry.rows, _compare(blocks, name, table), entry.hash)


def _compare(blocks: Iterator[Any], name: str, table: _Table) -> int:
    """How many values of the source the file gives back, which are all."""
    rows = values = 0
    for before, stored in zip_longest(table.rows.batches(), blocks):
        if before is None or stored is None or len(before.places) != stored.num_rows:
            raise LosslessError(f"{name}: source and graph have different numbers of elements.")
        own = [*before.ends, *(before.column(given) for given in table.columns)]
        for mine, (given, theirs) in zip(own, table.restored(stored), strict=True):
            values += len(mine) - mine.count(None)
            for number, (one, other) in enumerate(zip(mine, theirs, strict=True), rows + 1):
                if one is not other and not same(one, other):
                    raise LosslessError(
                        f"{name}, element {number}, property {given}: the source has "
                        f"{one!r}, and the graph gives {other!r} back."
                    )
        rows += stored.num_rows
    return values
