"""`manifest.json`: counts, hashes, versions, origin and licence of a graph folder."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

from graphmill import __version__
from graphmill.errors import SchemaError, in_words
from graphmill.files import digest
from graphmill.json_lines import read_json
from schemagraph.folder.serde import fingerprint, mapping_to_json, no_graph
from schemagraph.mapping import Mapping
from schemagraph.model import SchemaGraph
from schemagraph.staging.hashing import TableDigest
from schemagraph.storage_classes import Lane, Lanes

MANIFEST = "manifest.json"
VERSION = 1


@dataclass(frozen=True, slots=True)
class ColumnEntry:
    """A column of a table: its NULLs, and the hash of its content without order."""

    name: str
    nulls: int
    hash: str


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A Parquet file: rows, the hash of its content without order, SHA-256 of its bytes."""

    file: str
    rows: int
    hash: str
    sha256: str
    columns: tuple[ColumnEntry, ...]

    @classmethod
    def of(cls, file: str, table_digest: TableDigest, sha256: str) -> Self:
        """The entry of a table that has been digested."""
        columns = tuple(ColumnEntry(n, c.nulls, c.text) for n, c in table_digest.columns.items())
        return cls(file, table_digest.rows, table_digest.text, sha256, columns)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a graph folder holds. `fingerprint` covers schema, mapping and content."""

    schema: str
    fingerprint: str
    tables: tuple[TableEntry, ...]
    origin: dict[str, Any]
    licence: str
    versions: dict[str, str]

    @classmethod
    def of(
        cls,
        schema: SchemaGraph,
        mapping: Mapping | None,
        tables: tuple[TableEntry, ...],
        origin: dict[str, Any],
        licence: str,
    ) -> Self:
        """The manifest of a graph that has been written."""
        versions = {"graphmill": __version__, "pyarrow": version("pyarrow")}
        whole = whole_fingerprint(schema, mapping, tables)
        return cls(fingerprint(schema), whole, tables, origin, licence, versions)


def whole_fingerprint(
    schema: SchemaGraph, mapping: Mapping | None, tables: tuple[TableEntry, ...]
) -> str:
    """SHA-256 over schema, mapping and the content of all tables, whatever their order."""
    contents = sorted([t.file, t.rows, t.hash, [asdict(c) for c in t.columns]] for t in tables)
    mapped = None if mapping is None else mapping_to_json(mapping)
    return digest("graph", VERSION, fingerprint(schema), mapped, contents)


def manifest_text(manifest: Manifest) -> str:
    """The manifest as it is written."""
    value = {"version": VERSION, **asdict(manifest)}
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def load_manifest(folder: Path) -> Manifest:
    """The manifest of the graph in `folder`.

    Raises:
        SchemaError: there is none, or it is damaged.
    """
    path = folder / MANIFEST
    if not path.exists():
        raise no_graph(path)
    value = read_json(path, SchemaError)
    if not isinstance(value, dict):
        raise SchemaError(f"{path} is damaged: it is no JSON object. Write the graph again.")
    try:
        if (written := value.pop("version", None)) != VERSION:
            raise SchemaError(
                f"{path} has the version {written!r}; this graphmill reads version {VERSION}. "
                "Write the graph again."
            )
        value["tables"] = tuple(
            TableEntry(**{**t, "columns": tuple(ColumnEntry(**c) for c in t["columns"])})
            for t in value["tables"]
        )
        return Manifest(**value)
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise SchemaError(
            f"{path} is damaged: {in_words(problem)}. Write the graph again."
        ) from problem


def content(array: Any) -> Lanes:
    """An Arrow array of GraphData as lanes, for its hash."""
    import pyarrow as pa

    if array.null_count == len(array):
        return {}
    kind = array.type
    if pa.types.is_integer(kind):
        return {Lane.INTEGER: array}
    if pa.types.is_floating(kind):
        return {Lane.REAL: array}
    if pa.types.is_string(kind):
        return {Lane.TEXT: array}
    if pa.types.is_binary(kind):
        return {Lane.BLOB: array}
    if pa.types.is_list(kind):
        texts = [None if v is None else json.dumps(v, default=str) for v in array.to_pylist()]
        return {Lane.TEXT: pa.array(texts, pa.string())}
    if pa.types.is_date32(kind):
        return {Lane.INTEGER: array.cast(pa.int32()).cast(pa.int64())}
    return {Lane.INTEGER: array.cast(pa.int64())}
