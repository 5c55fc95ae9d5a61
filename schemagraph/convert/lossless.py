"""Prove that a graph holds its source: rebuild each table from the graph and compare.

A node table gives its rows back by decoding its properties. A link table's end columns are the
referenced columns of the nodes at both ends. Rows are compared by counts, NULLs and hashes of each
column and of whole rows (`schemagraph.staging.hashing`), with what was read from the source. The
edges of a foreign key must be exactly the pairs that its property and the referenced one say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from graphmill.errors import LosslessError
from schemagraph.convert.facts import ReferenceFacts, References
from schemagraph.encoding import decode
from schemagraph.folder.graphdata import (
    SOURCE,
    TARGET,
    batches,
    edge_file,
    edge_layout,
    node_file,
    node_layout,
)
from schemagraph.mapping import Column, EdgeTable, ForeignKey, Mapping, NodeTable
from schemagraph.model import SchemaGraph
from schemagraph.relational import Reference
from schemagraph.report import TableCheck
from schemagraph.staging.background import Behind
from schemagraph.staging.comparison import compare_properties, restored
from schemagraph.staging.hashing import TableDigest
from schemagraph.staging.scratch import Scratch, quoted_file
from schemagraph.staging.staging import StagedTable
from schemagraph.storage_classes import Lanes, values


def check_table(
    scratch: Scratch,
    mapping: Mapping,
    schema: SchemaGraph,
    folder: Path,
    table: NodeTable | EdgeTable,
    facts: References,
) -> TableCheck:
    """Compare one table with what the graph in `folder` gives back.

    Raises:
        LosslessError: they differ; the message names table, column and an example.
    """
    staged = scratch.staged[table.table]
    digest = TableDigest(tuple(column.name for column in staged.table.columns))
    with Behind(digest.add) as behind:
        for length, batch in _rebuilt(scratch, mapping, schema, folder, table, staged):
            behind.put(batch, length)
    if digest != staged.digest:
        again = _rebuilt(scratch, mapping, schema, folder, table, staged)
        raise LosslessError(_difference(staged, digest, again))
    edges = 0
    if isinstance(table, NodeTable):
        for reference in table.foreign_keys:
            reference_facts = facts[
                Reference(reference.columns, reference.table, reference.referenced)
            ]
            edges += _check_edges(
                scratch, mapping, schema, folder, table, reference, reference_facts
            )
    nulls = sum(column.nulls for column in digest.columns.values())
    filled = digest.rows * len(digest.columns) - nulls
    return TableCheck(table.table, digest.rows, filled, digest.text, edges)


def _rebuilt(
    scratch: Scratch,
    mapping: Mapping,
    schema: SchemaGraph,
    folder: Path,
    table: NodeTable | EdgeTable,
    staged: StagedTable,
) -> Iterator[tuple[int, list[Lanes]]]:
    if isinstance(table, NodeTable):
        node = schema.node_by_name[table.label]
        for batch in batches(node_file(folder, node), node_layout(node)):
            yield (
                batch.num_rows,
                [decode(column, batch.column(column.property)) for column in table.columns],
            )
        return
    sources: dict[str, tuple[str, Column]] = {c.name: (c.property, c) for c in table.columns}
    edge = schema.edge_by_name[
        mapping.edge_name(table.source.table, table.edge, table.target.table)
    ]
    origin = f"{_parquet(edge_file(folder, edge))} e"
    items = ['e."' + column.property.replace('"', '""') + '"' for column in table.columns]
    joined = False
    for prefix, alias, end in ((SOURCE, "p", table.source), (TARGET, "q", table.target)):
        parent = mapping.node_by_table[end.table]
        columns = {column.name: column for column in parent.columns}
        inside = not parent.row_key and set(end.referenced) <= set(parent.key)
        for own, other in zip(end.columns, end.referenced, strict=True):
            name = prefix + columns[other].property
            sources[own] = (name, columns[other])
            shown = f'e."{name}"' if inside else f'{alias}."{columns[other].property}"'
            items.append(f'{shown} AS "{name}"')
        if not inside:
            joined = True
            origin += f" JOIN {_parquet(node_file(folder, schema.node_by_name[parent.label]))} "
            origin += f"{alias} ON {_ends(prefix, alias, parent)}"
    source = (
        scratch.stream(f"SELECT {', '.join(items)} FROM {origin}")
        if joined
        else batches(edge_file(folder, edge), edge_layout(edge, schema))
    )
    order = [sources[column.name] for column in staged.table.columns]
    ends = {name for end in (table.source, table.target) for name in end.columns}
    wanted = [
        classes if column.name in ends else None
        for column, classes in zip(staged.table.columns, staged.classes, strict=True)
    ]
    for batch in source:
        cells = [decode(column, batch.column(name)) for name, column in order]
        yield (
            batch.num_rows,
            [
                sources if classes is None else restored(sources, classes)
                for sources, classes in zip(cells, wanted, strict=True)
            ],
        )


def _key_properties(node: NodeTable) -> list[str]:
    by_name = {column.name: column.property for column in node.columns}
    return [node.row_key] if node.row_key else [by_name[name] for name in node.key]


def _ends(prefix: str, alias: str, node: NodeTable) -> str:
    return " AND ".join(f'e."{prefix}{name}" = {alias}."{name}"' for name in _key_properties(node))


def _parquet(path: Path) -> str:
    return f"read_parquet({quoted_file(path)})"


def _difference(
    staged: StagedTable, digest: TableDigest, again: Iterator[tuple[int, list[Lanes]]]
) -> str:
    name = staged.table.name
    if digest.rows != staged.rows:
        return f"Table {name} has {staged.rows} rows, and the graph gives {digest.rows} back."
    width = range(len(staged.table.columns))
    source = (row for _, n, cells in staged.batches(width) for row in _rows(cells, n))
    rebuilt = (row for n, cells in again for row in _rows(cells, n))
    changed = [
        column for column, entry in digest.columns.items() if entry != staged.digest.columns[column]
    ]
    for number, (before, after) in enumerate(zip_longest(source, rebuilt), 1):
        for n, column in enumerate(staged.table.columns):
            same = type(before[n]) is type(after[n]) and before[n] == after[n]
            if not same and (not changed or column.name in changed):
                return (
                    f"Table {name}, column {column.name}, row {number}: the source has "
                    f"{before[n]!r}, and the graph gives {after[n]!r} back."
                )
    return f"Table {name} does not come back whole from the graph (columns {', '.join(changed)})."


def _rows(cells: Sequence[Lanes], length: int) -> Iterator[tuple[Any, ...]]:
    return zip(*(values(column, length) for column in cells), strict=True)


def _check_edges(
    scratch: Scratch,
    mapping: Mapping,
    schema: SchemaGraph,
    folder: Path,
    node: NodeTable,
    reference: ForeignKey,
    facts: ReferenceFacts,
) -> int:
    """The edges of a foreign key: as many as rows that find one, each from its row to that one."""
    parent = mapping.node_by_table[reference.table]
    edge = schema.edge_by_name[mapping.edge_name(node.table, reference.edge, reference.table)]
    file = _parquet(edge_file(folder, edge))
    own = {column.name: column for column in node.columns}
    others = {column.name: column for column in parent.columns}
    same = " AND ".join(
        compare_properties(own[column], others[other])
        for column, other in zip(reference.columns, reference.referenced, strict=True)
    )
    keys = ", ".join(f'e."{SOURCE}{name}"' for name in _key_properties(node))
    (count, right, sources) = scratch.one(
        f"SELECT (SELECT count(*) FROM {file}), "
        f"(SELECT count(*) FROM {file} e "
        f"JOIN {_parquet(node_file(folder, schema.node_by_name[node.label]))} c "
        f"ON {_ends(SOURCE, 'c', node)} "
        f"JOIN {_parquet(node_file(folder, schema.node_by_name[parent.label]))} p "
        f"ON {_ends(TARGET, 'p', parent)} WHERE {same}), "
        f"(SELECT count(*) FROM (SELECT DISTINCT {keys} FROM {file} e))"
    )
    if not count == right == sources == facts.matched:
        raise LosslessError(
            f"Table {node.table}, column {', '.join(reference.columns)}: {facts.matched} rows "
            f"reference a row of {reference.table}, and the graph has {count} edges "
            f"{edge.label}, {right} of them between the right nodes."
        )
    return int(count)
