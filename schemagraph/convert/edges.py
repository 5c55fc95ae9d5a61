"""Rows of edge tables, made from staged tables: of foreign keys, and of link tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from schemagraph.convert.facts import References
from schemagraph.encoding import encode
from schemagraph.mapping import Column, EdgeTable, ForeignKey, Mapping, NodeTable
from schemagraph.relational import Reference, SourceTable
from schemagraph.staging.scratch import Scratch, select
from schemagraph.staging.staging import ROW, lane_name
from schemagraph.storage_classes import Lane, numbers

_NUMBER = -1  # the position that stands for the row's number


@dataclass(frozen=True, slots=True)
class _Part:
    """One column of an edge table: where its lanes are, and how they become values.

    `column` None is a row number.
    """

    alias: str
    position: int
    column: Column | None

    @property
    def prefix(self) -> str:
        return f"{self.alias}:"

    def selected(self, classes: frozenset[Lane]) -> list[str]:
        """The SQL items that bring its lanes."""
        if self.column is None:
            return [f'{self.alias}."{ROW}" AS "{self.prefix}{ROW}"']
        names = [lane_name(self.position, lane) for lane in Lane if lane in classes]
        return [f'{self.alias}."{name}" AS "{self.prefix}{name}"' for name in names]

    def array(self, batch: Any) -> Any:
        """Its values out of an answer."""
        if self.column is None:
            return batch.column(f"{self.prefix}{ROW}")
        cells = select(batch, self.prefix, self.position)
        return encode(self.column, cells, batch.num_rows)


def _key_parts(alias: str, node: NodeTable) -> list[_Part]:
    if node.row_key:
        return [_Part(alias, _NUMBER, None)]
    position = {column.name: n for n, column in enumerate(node.columns)}
    return [_Part(alias, position[name], node.columns[position[name]]) for name in node.key]


def reference_batches(
    scratch: Scratch,
    mapping: Mapping,
    node: NodeTable,
    reference: ForeignKey,
    facts: References,
    layout: Any,
) -> Iterator[Any]:
    """Edges of a foreign key, in the order of the referencing rows."""
    parent = mapping.node_by_table[reference.table]
    resolved = Reference(reference.columns, reference.table, reference.referenced)
    direct = _direct(node.columns, parent, resolved, facts)
    if direct is not None:
        yield from _filled(scratch, node, direct, layout)
        return
    table = scratch.staged[node.table].table
    parts = [*_key_parts("c", node), *_key_parts("p", parent)]
    yield from _joined(scratch, table, parts, [("p", resolved)], layout)


def link_batches(
    scratch: Scratch,
    mapping: Mapping,
    link: EdgeTable,
    facts: References,
    layout: Any,
) -> Iterator[Any]:
    """Edges of a link table, in the order of its rows."""
    table = scratch.staged[link.table].table
    by_name = {column.name: column for column in (*link.columns, *link.end_columns)}
    columns = tuple(by_name[column.name] for column in table.columns)
    ends = [Reference(end.columns, end.table, end.referenced) for end in (link.source, link.target)]
    positions = {column.name: n for n, column in enumerate(columns)}
    own = [_Part("c", positions[column.name], column) for column in link.columns]
    parts: list[_Part] = []
    joins = []
    for alias, end in zip(("p", "q"), ends, strict=True):
        parent = mapping.node_by_table[end.table]
        direct = _direct(columns, parent, end, facts)
        if direct is None:
            parts += _key_parts(alias, parent)
            joins.append((alias, end))
        else:
            parts += direct
    if joins:
        yield from _joined(scratch, table, [*parts, *own], joins, layout)
    else:
        yield from _plain(scratch, link.table, [*parts, *own], layout)


def _direct(
    columns: Sequence[Column], parent: NodeTable, reference: Reference, facts: References
) -> list[_Part] | None:
    """The referencing columns as the parent's key, where they can stand for it."""
    if parent.row_key or set(parent.key) != set(reference.referenced):
        return None
    reference_facts = facts[reference]
    if reference_facts.matched != reference_facts.filled or not reference_facts.exact:
        return None
    positions = {column.name: n for n, column in enumerate(columns)}
    by_referenced = dict(zip(reference.referenced, reference.columns, strict=True))
    parents = {column.name: column for column in parent.columns}
    return [_Part("c", positions[by_referenced[name]], parents[name]) for name in parent.key]


def _filled(
    scratch: Scratch, node: NodeTable, target: Sequence[_Part], layout: Any
) -> Iterator[Any]:
    import pyarrow as pa
    import pyarrow.compute as pc

    source = _key_parts("c", node)
    for columns in _arrays(scratch, node.table, [*source, *target]):
        keep = None
        for array in columns[len(source) :]:
            valid = pc.is_valid(array)
            keep = valid if keep is None else pc.and_(keep, valid)
        batch = pa.record_batch(columns, names=layout.names).filter(keep)
        yield pa.record_batch(batch.columns, schema=layout)


def _plain(scratch: Scratch, table: str, parts: Sequence[_Part], layout: Any) -> Iterator[Any]:
    import pyarrow as pa

    for columns in _arrays(scratch, table, parts):
        yield pa.record_batch(columns, schema=layout)


def _arrays(scratch: Scratch, table: str, parts: Sequence[_Part]) -> Iterator[list[Any]]:

    positions = [part.position for part in parts if part.column is not None]
    for first, length, cells in scratch.staged[table].batches(positions):
        by_position = dict(zip(positions, cells, strict=True))
        yield [
            numbers(first, length)
            if part.column is None
            else encode(part.column, by_position[part.position], length)
            for part in parts
        ]


def _joined(
    scratch: Scratch,
    table: SourceTable,
    parts: Sequence[_Part],
    joins: Sequence[tuple[str, Reference]],
    layout: Any,
) -> Iterator[Any]:
    import pyarrow as pa

    staged = {"c": scratch.staged[table.name]}
    origin = f"{scratch.view(table.name)} c"
    for alias, reference in joins:
        staged[alias] = scratch.staged[reference.table]
        match = scratch.match(table, reference)
        origin += f" JOIN {scratch.view(reference.table)} {alias} ON {match.on('c', alias)}"
    items: dict[str, None] = {}
    for part in parts:
        classes = staged[part.alias].classes[part.position] if part.column else frozenset[Lane]()
        items |= dict.fromkeys(part.selected(classes))
    text = f'SELECT {", ".join([*items, "1 AS one"])} FROM {origin} ORDER BY c."{ROW}"'
    for batch in scratch.stream(text):
        yield pa.record_batch([part.array(batch) for part in parts], schema=layout)
