"""All that can be wrong with a schema and with graph data, as diagnostics.

Codes are stable. An error means that the artefact contradicts itself or that engines cannot hold
it; a warning, that some engine may confuse names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from graphmill.errors import Diagnostic, did_you_mean, is_exhausted
from graphmill.files import file_digest
from schemagraph.folder.check_mapping import check_mapping
from schemagraph.folder.graphdata import (
    SOURCE,
    TARGET,
    edge_file,
    edge_layout,
    edge_table,
    node_file,
    node_layout,
    node_table,
)
from schemagraph.folder.manifest import load_manifest
from schemagraph.folder.serde import load_mapping, load_schema
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from schemagraph.staging.scratch import quoted_file

_UNREADABLE = frozenset({"missing-file", "bad-file", "other-columns"})
_NO_PROPERTY = frozenset({Kind.NODE, Kind.EDGE, Kind.PATH, Kind.NULL, Kind.MAP, Kind.ANY})


def _error(code: str, message: str) -> Diagnostic:
    return Diagnostic("error", code, message)


def _warning(code: str, message: str) -> Diagnostic:
    return Diagnostic("warning", code, message)


# --- schema --------------------------------------------------------------------------------


def check_schema(schema: SchemaGraph) -> list[Diagnostic]:
    """What is wrong with a schema on its own."""
    diagnostics: list[Diagnostic] = []
    if not schema.nodes:
        diagnostics.append(_error("no-nodes", "The schema has no node type."))
    diagnostics += _repeated("node type", [node.name for node in schema.nodes])
    diagnostics += _repeated("edge type", [edge.name for edge in schema.edges])
    tables = [*map(node_table, schema.nodes), *map(edge_table, schema.edges)]
    diagnostics += _same_but_case("Tables", tables, "error")
    diagnostics += _same_but_case("Labels", schema.labels, "warning")
    diagnostics += _same_but_case("Edge labels", schema.edge_labels, "warning")
    for node in schema.nodes:
        diagnostics += _check_node(node)
    for edge in schema.edges:
        diagnostics += _check_edge(edge, schema)
    return diagnostics


def _repeated(what: str, names: Sequence[str]) -> Iterator[Diagnostic]:
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            yield _error("repeated-type", f"The {what} {name} is there {names.count(name)} times.")


def _same_but_case(what: str, names: Iterable[str], severity: str) -> Iterator[Diagnostic]:
    folded: dict[str, str] = {}
    for name in dict.fromkeys(names):
        other = folded.setdefault(name.casefold(), name)
        if other != name:
            make = _error if severity == "error" else _warning
            yield make("case-only", f"{what} {other} and {name} differ in case only.")


def _check_node(node: NodeType) -> Iterator[Diagnostic]:
    where = f"Node type {node.name}"
    if not node.labels or not all(label.strip() and "&" not in label for label in node.labels):
        yield _error("bad-label", f'{where}: a label is a text that is not blank and has no "&".')
    if len(set(node.labels)) < len(node.labels):
        yield _error("bad-label", f"{where} has a label twice.")
    yield from _check_properties(where, node.properties, ())
    if not node.key:
        yield _error("no-key", f"{where} has no key.")
    for name in node.key:
        given = node.property(name)
        if given is None:
            names = [p.name for p in node.properties]
            yield _error(
                "unknown-key", f"{where} has no key property {name}.{did_you_mean(name, names)}"
            )
        elif given.nullable:
            yield _error("nullable-key", f"{where}: the key property {name} can be NULL.")


def _check_edge(edge: EdgeType, schema: SchemaGraph) -> Iterator[Diagnostic]:
    where = f"Edge type {edge.name}"
    if not edge.label.strip():
        yield _error("bad-label", f"{where} has a blank label.")
    taken = []
    for prefix, end in ((SOURCE, edge.source), (TARGET, edge.target)):
        node = schema.node_by_name.get(end)
        if node is None:
            near = did_you_mean(end, schema.node_by_name)
            yield _error("unknown-end", f"{where}: there is no node type {end}.{near}")
        else:
            taken += [prefix + key for key in node.key]
    yield from _check_properties(where, edge.properties, taken)


def _check_properties(
    where: str, properties: Sequence[Property], taken: Sequence[str]
) -> Iterator[Diagnostic]:
    names = [*taken, *(given.name for given in properties)]
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            yield _error("repeated-property", f"{where} has the property {name} twice.")
    yield from _same_but_case(f"{where}: properties", names, "error")
    for given in properties:
        if not given.name:
            yield _error("bad-property", f"{where} has a property without a name.")
        if not _is_storable(given.type):
            yield _error("bad-type", f"{where}.{given.name}: no property is of type {given.type}.")


def _is_storable(kind: Type) -> bool:
    if kind.kind is Kind.LIST:
        return kind.item is not None and kind.item.kind is not Kind.LIST and _is_storable(kind.item)
    return kind.kind not in _NO_PROPERTY


# --- data ----------------------------------------------------------------------------------


def check_graph(folder: Path) -> list[Diagnostic]:
    """What is wrong with the graph in `folder`: schema, mapping, files and the data in them.

    Raises:
        SchemaError: schema, mapping or manifest cannot be read at all.
    """
    schema = load_schema(folder)
    mapping = load_mapping(folder)
    diagnostics = check_schema(schema)
    if mapping is not None:
        diagnostics += check_mapping(mapping, schema)
    if any(finding.severity == "error" for finding in diagnostics):
        return diagnostics
    diagnostics += _check_files(folder, schema)
    if any(finding.code in _UNREADABLE for finding in diagnostics):
        return diagnostics
    return [*diagnostics, *_check_data(folder, schema)]


def _check_files(folder: Path, schema: SchemaGraph) -> Iterator[Diagnostic]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    entries = {entry.file: entry for entry in load_manifest(folder).tables}
    layouts: dict[Path, Any] = {node_file(folder, n): node_layout(n) for n in schema.nodes}
    layouts |= {edge_file(folder, e): edge_layout(e, schema) for e in schema.edges}
    names = {path.relative_to(folder).as_posix() for path in layouts}
    for name in entries:
        if name not in names:
            yield _error("unknown-file", f"The manifest lists {name}, which no type has.")
    for path, layout in layouts.items():
        name = path.relative_to(folder).as_posix()
        if name not in entries or not path.is_file():
            yield _error("missing-file", f"{name} is missing in the folder or in the manifest.")
            continue
        if file_digest(path) != entries[name].sha256:
            yield _error("changed-file", f"{name} is not the file that the manifest describes.")
        try:
            with pq.ParquetFile(path) as file:
                rows, there = file.metadata.num_rows, file.schema_arrow
        except (OSError, pa.ArrowException) as problem:
            if is_exhausted(problem):
                raise
            yield _error("bad-file", f"{name} cannot be read as Parquet: {problem}.")
            continue
        if not there.equals(layout):
            yield _error("other-columns", f"{name} has other columns than the schema says.")
        if rows != entries[name].rows:
            yield _error("other-rows", f"{name} has {rows} rows, not {entries[name].rows}.")


def _check_data(folder: Path, schema: SchemaGraph) -> Iterator[Diagnostic]:
    import duckdb

    with duckdb.connect() as connection:

        def count(text: str) -> int:
            return int(connection.execute(text).fetchall()[0][0])

        for node in schema.nodes:
            table = f"read_parquet({quoted_file(node_file(folder, node))})"
            keys = ", ".join(map(_quoted, node.key))
            twice = count(
                f"SELECT count(*) FROM (SELECT 1 FROM {table} GROUP BY {keys} HAVING count(*) > 1)"
            )
            if twice:
                yield _error("repeated-key", f"Node type {node.name}: {twice} keys occur twice.")
        for edge in schema.edges:
            edges = f"read_parquet({quoted_file(edge_file(folder, edge))})"
            for prefix, end in ((SOURCE, edge.source), (TARGET, edge.target)):
                node = schema.node_by_name[end]
                nodes = f"read_parquet({quoted_file(node_file(folder, node))})"
                same = " AND ".join(f"n.{_quoted(k)} = e.{_quoted(prefix + k)}" for k in node.key)
                lost = count(
                    f"SELECT count(*) FROM {edges} e "
                    f"WHERE NOT EXISTS (SELECT 1 FROM {nodes} n WHERE {same})"
                )
                if lost:
                    yield _error(
                        "dangling-edge", f"Edge type {edge.name}: {lost} edges lack their {end}."
                    )


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
