"""What the data of a graph is like without being declared so: facts beside its constraints.

Nothing follows from them but that they hold in these data: exports leave them out, prompts and
`check` say that they were observed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from schemagraph.model import EdgeType, Kind, NodeType, Observed, Property, SchemaGraph

MOST_VALUES = 20  # of a set that is taken for closed
REPEATED = 10  # rows for each value on average, so that another value would have shown
LONGEST = 60  # characters of such a value
ENDS = ("source.", "target.")  # before the keys of an edge's ends


@dataclass
class Observer:
    """Looks at the batches of one table as they are written."""

    rows: int = 0
    batches: int = 0
    nulls: dict[str, int] = field(default_factory=dict)
    once: set[str] = field(default_factory=set)
    values: dict[str, set[str]] = field(default_factory=dict)
    infinite: set[str] = field(default_factory=set)

    def add(self, batch: Any) -> None:
        """Take in one Arrow record batch."""
        import pyarrow as pa
        import pyarrow.compute as pc

        first = not self.batches
        self.rows += batch.num_rows
        self.batches += 1
        if not first:
            self.once.clear()  # only what lies in one batch is looked at whole
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            self.nulls[name] = self.nulls.get(name, 0) + column.null_count
            if _is_infinite(column):
                self.infinite.add(name)
            plain = not pa.types.is_nested(column.type) and not pa.types.is_null(column.type)
            if not plain or (not first and name not in self.values):
                continue
            filled = column.drop_null()
            distinct = pc.count_distinct(filled).as_py()
            if first and len(filled) > 1 and distinct == len(filled):
                self.once.add(name)
            if pa.types.is_string(column.type):
                known = self.values.setdefault(name, set())
                if distinct <= MOST_VALUES:
                    known.update(filled.unique().to_pylist())
                if distinct > MOST_VALUES or len(known) > MOST_VALUES:
                    del self.values[name]
        if first and batch.num_rows > 1:
            self.once.update(end for end in ENDS if _differ(pa.table(batch), end))

    def of(self, given: Property) -> Property:
        """The property with what its column is like."""
        if not self.rows:
            return given
        filled = self.rows - self.nulls.get(given.name, 0)
        distinct = self.values.get(given.name, set())
        closed = (
            given.type.kind is Kind.STRING
            and len(distinct) > 1
            and filled >= REPEATED * len(distinct)
            and all(len(value) <= LONGEST for value in distinct)
        )
        observed = Observed(
            nullable=filled < self.rows or not given.nullable,
            unique=given.name in self.once and not given.unique,
            values=tuple(sorted(distinct)) if closed and not given.values else (),
            infinite=given.name in self.infinite,
        )
        return replace(given, observed=observed)


def observed(schema: SchemaGraph, tables: Mapping[str, Observer]) -> SchemaGraph:
    """The schema with what was seen of each type, by its name."""

    def seen[T: (NodeType, EdgeType)](kind: T) -> T:
        table = tables.get(kind.name)
        if table is None:
            return kind
        return replace(kind, properties=tuple(table.of(p) for p in kind.properties))

    edges = []
    for edge in map(seen, schema.edges):
        table = tables.get(edge.name)
        if table is not None and table.rows:
            ends = []
            for prefix, end in zip(ENDS, (edge.source, edge.target), strict=True):
                key = schema.node_by_name[end].key
                ends.append((prefix if len(key) > 1 else f"{prefix}{key[0]}") in table.once)
            edge = replace(edge, observed_one=(ends[0], ends[1]))
        edges.append(edge)
    return replace(schema, nodes=tuple(map(seen, schema.nodes)), edges=tuple(edges))


def _is_infinite(column: Any) -> bool:
    """Whether a column of floats, or of lists of them, holds an infinite one."""
    import pyarrow as pa
    import pyarrow.compute as pc

    floats = pc.list_flatten(column) if pa.types.is_list(column.type) else column
    return bool(pa.types.is_floating(floats.type) and pc.any(pc.is_inf(floats)).as_py())


def _differ(table: Any, end: str) -> bool:
    """Whether a key of several columns occurs once."""
    import pyarrow as pa

    names = [
        field.name
        for field in table.schema
        if field.name.startswith(end) and not pa.types.is_nested(field.type)
    ]
    if len(names) < 2:
        return False
    return bool(table.group_by(names).aggregate([]).num_rows == table.num_rows)
