"""A relational database to a graph folder: stage, decide, write, prove."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from collections.abc import Mapping as Dict
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from schemagraph.convert.beside import stage_all
from schemagraph.convert.edges import link_batches, reference_batches
from schemagraph.convert.facts import TableFacts, gather
from schemagraph.convert.inference import Proposal, propose_keys, propose_references
from schemagraph.convert.lossless import check_table
from schemagraph.convert.mapping_rules import decide, schema_of
from schemagraph.convert.table_choices import Choices, apply_choices, write_choices
from schemagraph.encoding import encode
from schemagraph.folder.graphdata import edge_layout, node_layout
from schemagraph.folder.writer import GraphWriter
from schemagraph.mapping import EdgeTable, Mapping, NodeTable
from schemagraph.model import NodeType, SchemaGraph
from schemagraph.relational import RelationalSource, SourceTable
from schemagraph.report import ConversionReport
from schemagraph.staging.scratch import Scratch
from schemagraph.staging.staging import StagedTable
from schemagraph.storage_classes import numbers


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What a user says of the tables, and where to write what was found about them.

    `dialect` is that of DDL text. `infer`: keys and foreign keys that are found are taken, not
    proposed only.
    """

    choices: Choices = field(default_factory=dict)
    propose: Path | None = None
    infer: bool = False
    dialect: str = ""


def convert_tables(
    source: RelationalSource,
    out: Path,
    *,
    origin: dict[str, Any],
    licence: str,
    options: TableOptions,
) -> ConversionReport:
    """Write the graph of an open database to `out`.

    Raises:
        SourceError, LosslessError, GraphmillError: see `schemagraph.convert.convert`.
    """
    with GraphWriter(out) as writer:
        folder = writer.folder / "staged"
        staged = stage_all(source, folder)
        with Scratch(staged, folder) as scratch:
            tables, proposals = _declared(scratch, source.tables, options)
            scratch.declare(tables)
            facts = gather(scratch)
            decided = decide(source.dialect, tables, facts, options.choices)
            mapping = decided.mapping
            schema = schema_of(mapping, source.name)
            counts = _write(writer, scratch, mapping, schema, facts)
            parts: dict[str, NodeTable | EdgeTable] = {}
            parts |= {node.table: node for node in mapping.nodes}
            parts |= {link.table: link for link in mapping.edges}
            checks = tuple(
                check_table(
                    scratch,
                    mapping,
                    schema,
                    writer.folder,
                    parts[table.name],
                    facts[table.name].references,
                )
                for table in tables
            )
        shutil.rmtree(folder)
        if options.propose is not None:
            write_choices(options.propose, tables, proposals)
        manifest = writer.commit(schema, mapping, origin=origin, licence=licence)
    warnings = decided.warnings
    if not any(check.rows for check in checks):
        warnings = ("No table has a row: the graph is a schema alone.", *warnings)
    nodes = {node.name: counts[node.name] for node in schema.nodes}
    edges = {edge.name: counts[edge.name] for edge in schema.edges}
    return ConversionReport(
        source.name,
        str(out),
        source.dialect,
        nodes,
        edges,
        (*(f"Found: {p}" for p in proposals if options.infer and p.holds), *decided.decisions),
        warnings,
        source.notes,
        checks,
        manifest.fingerprint,
        tuple(str(p) for p in proposals if not (options.infer and p.holds)),
    )


def _declared(
    scratch: Scratch, given: Sequence[SourceTable], options: TableOptions
) -> tuple[tuple[SourceTable, ...], list[Proposal]]:
    """The tables with the keys and references that are chosen or found, and what was found."""
    choices = options.choices
    tables = apply_choices(given, choices)
    open_keys = [t for t in tables if t.name not in choices or choices[t.name].key is None]
    keys = propose_keys(scratch, open_keys)
    if options.infer:
        tables = tuple(
            replace(t, key=keys[t.name].columns) if t.name in keys else t for t in tables
        )
    chosen = {name for name, choice in choices.items() if choice.references is not None}
    references = [p for p in propose_references(scratch, tables) if p.table not in chosen]
    if options.infer:
        taken: dict[str, list[Any]] = {}
        for proposal in references:
            if proposal.holds:
                taken.setdefault(proposal.table, []).append(proposal.reference)
        tables = tuple(
            replace(t, references=(*t.references, *taken.get(t.name, ()))) for t in tables
        )
    return tables, [*keys.values(), *references]


def _write(
    writer: GraphWriter,
    scratch: Scratch,
    mapping: Mapping,
    schema: SchemaGraph,
    facts: Dict[str, TableFacts],
) -> dict[str, int]:
    counts: dict[str, int] = {}
    for node in mapping.nodes:
        kind = schema.node_by_name[node.label]
        batches = _node_batches(scratch.staged[node.table], node, kind)
        counts[kind.name] = writer.nodes(kind, batches).rows
    for node in mapping.nodes:
        for reference in node.foreign_keys:
            name = mapping.edge_name(node.table, reference.edge, reference.table)
            edge = schema.edge_by_name[name]
            layout = edge_layout(edge, schema)
            references = facts[node.table].references
            batches = reference_batches(scratch, mapping, node, reference, references, layout)
            counts[name] = writer.edges(edge, schema, batches).rows
    for link in mapping.edges:
        name = mapping.edge_name(link.source.table, link.edge, link.target.table)
        edge = schema.edge_by_name[name]
        layout = edge_layout(edge, schema)
        batches = link_batches(scratch, mapping, link, facts[link.table].references, layout)
        counts[name] = writer.edges(edge, schema, batches).rows
    return counts


def _node_batches(staged: StagedTable, node: NodeTable, kind: NodeType) -> Iterator[Any]:
    import pyarrow as pa

    layout = node_layout(kind)
    for first, length, cells in staged.batches(range(len(node.columns))):
        arrays = {
            column.property: encode(column, lanes, length)
            for column, lanes in zip(node.columns, cells, strict=True)
        }
        if node.row_key:
            arrays[node.row_key] = numbers(first, length)
        yield pa.record_batch([arrays[p.name] for p in kind.properties], schema=layout)
