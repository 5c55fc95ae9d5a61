"""All that can be wrong with a mapping beside its schema, as diagnostics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphmill.errors import Diagnostic, did_you_mean
from schemagraph.mapping import Column, EdgeTable, Mapping, NodeTable
from schemagraph.model import Property, SchemaGraph


def _error(code: str, message: str) -> Diagnostic:
    return Diagnostic("error", code, message)


def check_mapping(mapping: Mapping, schema: SchemaGraph) -> list[Diagnostic]:
    """Where a mapping contradicts itself or its schema."""
    diagnostics: list[Diagnostic] = []
    names = [*(node.table for node in mapping.nodes), *(link.table for link in mapping.edges)]
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            diagnostics.append(_error("repeated-table", f"The table {name} is mapped twice."))
    covered: set[str] = set()
    for node in mapping.nodes:
        covered.add(node.label)
        diagnostics += _check_node_table(node, mapping, schema, covered)
    for link in mapping.edges:
        diagnostics += _check_edge_table(link, mapping, schema, covered)
    for name in (*schema.node_by_name, *schema.edge_by_name):
        if name not in covered:
            diagnostics.append(_error("unmapped-type", f"No table becomes the type {name}."))
    return diagnostics


def _check_node_table(
    node: NodeTable, mapping: Mapping, schema: SchemaGraph, covered: set[str]
) -> Iterator[Diagnostic]:
    where = f"Table {node.table}"
    kind = schema.node_by_name.get(node.label)
    if kind is None:
        near = did_you_mean(node.label, schema.node_by_name)
        yield _error("unknown-type", f"{where}: there is no node type {node.label}.{near}")
        return
    yield from _check_columns(where, node.columns, kind.properties)
    columns = {column.name: column for column in node.columns}
    yield from _unknown(where, node.key, columns)
    if bool(node.key) == bool(node.row_key):
        yield _error("no-key", f"{where} needs either key columns or a row key.")
    key = (
        (node.row_key,)
        if node.row_key
        else tuple(columns[name].property for name in node.key if name in columns)
    )
    if key != kind.key:
        yield _error("other-key", f"{where} has the key {key}, its node type {kind.key}.")
    for reference in node.foreign_keys:
        yield from _unknown(where, reference.columns, columns)
        parent = mapping.node_by_table.get(reference.table)
        yield from _check_end(where, reference.table, reference.referenced, parent)
        if parent is not None:
            name = mapping.edge_name(node.table, reference.edge, reference.table)
            covered.add(name)
            if name not in schema.edge_by_name:
                yield _error("unknown-type", f"{where}: there is no edge type {name}.")


def _check_edge_table(
    link: EdgeTable, mapping: Mapping, schema: SchemaGraph, covered: set[str]
) -> Iterator[Diagnostic]:
    where = f"Table {link.table}"
    ends = {column.name: column for column in link.end_columns}
    whole = True
    for end in (link.source, link.target):
        yield from _unknown(where, end.columns, ends)
        parent = mapping.node_by_table.get(end.table)
        whole = whole and parent is not None
        yield from _check_end(where, end.table, end.referenced, parent)
    yield from _unknown(where, link.key, {**ends, **{c.name: c for c in link.columns}})
    if not whole:
        return
    name = mapping.edge_name(link.source.table, link.edge, link.target.table)
    covered.add(name)
    edge = schema.edge_by_name.get(name)
    if edge is None:
        yield _error("unknown-type", f"{where}: there is no edge type {name}.")
    else:
        yield from _check_columns(where, link.columns, edge.properties)


def _check_columns(
    where: str, columns: Sequence[Column], properties: Sequence[Property]
) -> Iterator[Diagnostic]:
    by_name = {given.name: given for given in properties}
    for column in columns:
        given = by_name.get(column.property)
        if given is None:
            near = did_you_mean(column.property, by_name)
            yield _error(
                "unknown-property",
                f"{where}, column {column.name}: no property {column.property}.{near}",
            )
        elif (given.type.kind, given.type.item) != (column.type.kind, column.type.item) or (
            column.nullable and not given.holds_null
        ):
            yield _error(
                "other-type",
                f"{where}, column {column.name} is {column.type} and its property {given.type}, "
                "or holds NULL where that has none.",
            )


def _unknown(where: str, names: Sequence[str], columns: dict[str, Column]) -> Iterator[Diagnostic]:
    for name in names:
        if name not in columns:
            near = did_you_mean(name, columns)
            yield _error("unknown-column", f"{where} has no column {name}.{near}")


def _check_end(
    where: str, table: str, referenced: Sequence[str], parent: NodeTable | None
) -> Iterator[Diagnostic]:
    if parent is None:
        yield _error("unknown-table", f"{where} references {table}, which is no node table.")
    else:
        columns = {column.name: column for column in parent.columns}
        yield from _unknown(f"Table {table}", referenced, columns)
