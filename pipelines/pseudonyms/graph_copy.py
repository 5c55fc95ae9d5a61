"""A graph folder with its texts replaced: in nodes, edges, keys, and its schema's value sets."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from graphmill.errors import naming
from graphmill.files import file_digest, write_text
from graphmill.regular import check_empty
from pipelines.pseudonyms.columns import holds_texts, names_by_number
from pipelines.pseudonyms.sqlite_copy import Values
from pipelines.pseudonyms.words import Pseudonyms
from schemagraph.folder.graphdata import edge_file, node_file
from schemagraph.folder.manifest import (
    MANIFEST,
    Manifest,
    TableEntry,
    content,
    load_manifest,
    manifest_text,
)
from schemagraph.folder.serde import MAPPING_FILE, load_schema, save_schema
from schemagraph.model import EdgeType, NodeType, Property, SchemaGraph
from schemagraph.staging.hashing import TableDigest

_LEFT = (MAPPING_FILE, "lexicon*", "report*", "distributions*")  # they may hold values


def values_of(folder: Path) -> Values:
    """What is replaced in a graph.

    Raises:
        SchemaError: the graph is damaged.
    """
    schema = load_schema(folder)
    texts: set[str] = set()
    numbers: set[int] = set()
    numbered: set[tuple[str, str]] = set()
    for _, path in _files(folder, schema):
        for name, values in _columns(path):
            strings = {each for each in values if isinstance(each, str) and each}
            if strings and holds_texts(strings):
                texts |= strings
            whole = {each for each in values if isinstance(each, int) and each is not True}
            unique = len(whole) == len(values)
            if names_by_number(name, whole, is_key=unique):
                numbers |= whole
                numbered.add((path.name, name))
    owners: list[NodeType | EdgeType] = [*schema.nodes, *schema.edges]
    names = {schema.name, *schema.labels, *(edge.name for edge in schema.edges)}
    names |= {edge.label for edge in schema.edges}
    names |= {each.name for owner in owners for each in owner.properties}
    for owner in owners:
        for each in owner.properties:
            samples = {v for v in (*each.values, *each.observed.values) if isinstance(v, str)}
            texts |= samples if samples and holds_texts(samples) else set()
    return Values(frozenset(texts), frozenset(numbers), frozenset(names), frozenset(numbered))


def copied(folder: Path, out: Path, made: Pseudonyms, kind: str, seed: int) -> None:
    """Write the graph in `folder` to `out`, replaced; how tables became it, which may name values,
    is left out.

    Raises:
        ConfigError: `out` is not empty.
        SchemaError: the graph is damaged.
    """
    check_empty(out)
    schema, manifest = load_schema(folder), load_manifest(folder)
    shutil.copytree(
        folder,
        out,
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns("instances", ".*", "*.toml", "*.py", *_LEFT),
    )
    entries = {entry.file: entry for entry in manifest.tables}
    for _, path in _files(out, schema):
        entry = _replaced(path, out, made)
        entries[entry.file] = entry
    tables = tuple(entries[entry.file] for entry in manifest.tables)
    schema = _schema(schema, made)
    save_schema(out, schema)
    origin = {"kind": kind, "pseudonyms": seed}
    whole = Manifest.of(schema, None, tables, origin, manifest.licence)
    write_text(out / MANIFEST, manifest_text(whole))


def _files(folder: Path, schema: SchemaGraph) -> Iterator[tuple[NodeType | EdgeType, Path]]:
    for node in schema.nodes:
        yield node, node_file(folder, node)
    for edge in schema.edges:
        if edge_file(folder, edge).is_file():
            yield edge, edge_file(folder, edge)


def _columns(path: Path) -> Iterator[tuple[str, set[Any]]]:
    """The distinct values of each column, those in lists too."""
    import pyarrow.parquet as pq

    for name in pq.read_schema(path).names:
        values: set[Any] = set()
        for value in pq.read_table(path, columns=[name]).column(0).to_pylist():
            values.update(value if isinstance(value, list) else (value,))
        values.discard(None)
        yield name, {each for each in values if isinstance(each, str | int)}


def _replaced(path: Path, out: Path, made: Pseudonyms) -> TableEntry:
    """The table with its values replaced in place, and its entry of the manifest."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    def one(value: Any) -> Any:
        if isinstance(value, str):
            return made.texts.get(value, value)
        if isinstance(value, list):
            return [one(each) for each in value]
        if isinstance(value, bytes):
            return b""
        return made.numbers[value] if isinstance(value, int) else value

    table = pq.read_table(path)
    numbered = {
        name
        for name, values in (_columns(path) if made.numbers else ())
        if values and all(each in made.numbers for each in values)
    }
    for place, column in enumerate(table.schema):
        kind = column.type.value_type if pa.types.is_list(column.type) else column.type
        texts = pa.types.is_string(kind) or pa.types.is_large_string(kind)
        if texts or pa.types.is_binary(kind) or column.name in numbered:
            values = [one(value) for value in table.column(place).to_pylist()]
            table = table.set_column(place, column, pa.array(values, column.type))
    draft = path.with_name(f".{path.name}.part")
    with naming(draft, path):
        pq.write_table(table, draft, compression="zstd")
        draft.replace(path)
    digest: Any = TableDigest(tuple(table.schema.names))
    for batch in table.to_batches():
        digest.add([content(each) for each in batch.columns], batch.num_rows)
    return TableEntry.of(path.relative_to(out).as_posix(), digest, file_digest(path))


def _schema(schema: SchemaGraph, made: Pseudonyms) -> SchemaGraph:
    """The schema with the texts of its value sets replaced, and without notes."""

    def one(given: Property) -> Property:
        seen = given.observed
        return replace(
            given,
            note="",
            # integers may be replaced in the data, and then are no closed set there
            values=tuple(made.text(each) for each in given.values if isinstance(each, str)),
            observed=replace(seen, values=tuple(sorted(map(made.text, seen.values)))),
        )

    return replace(
        schema,
        nodes=tuple(
            replace(node, properties=tuple(map(one, node.properties))) for node in schema.nodes
        ),
        edges=tuple(
            replace(edge, properties=tuple(map(one, edge.properties))) for edge in schema.edges
        ),
    )
