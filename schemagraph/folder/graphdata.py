"""Node and edge tables as Parquet beside `schema.json`, with a manifest: one graph on disk.

    DIR/schema.json  mapping.json  manifest.json
    DIR/nodes/<Type>.parquet                    key columns first, then the other properties
    DIR/edges/<Source>__<LABEL>__<Target>.parquet
        columns `source.<key>…`, `target.<key>…`, then the edge's properties

The file's stem is also the table's name in the `sql` language. In names, runs of `_`, and `&`,
`/`, `%` and what a file system forbids are percent-encoded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from graphmill.decoded import Together, check_parquet
from graphmill.errors import SchemaError, is_exhausted
from graphmill.files import file_digest
from graphmill.regular import check_regular
from schemagraph.arrow import arrow_type
from schemagraph.folder.manifest import (
    MANIFEST,
    TableEntry,
    content,
    load_manifest,
    whole_fingerprint,
)
from schemagraph.folder.serde import load_mapping, load_schema
from schemagraph.folder.small import column_types, is_small, read_rows, stored
from schemagraph.model import EdgeType, NodeType, SchemaGraph
from schemagraph.staging.hashing import TableDigest

SOURCE = "source."
TARGET = "target."
_LONGEST = 200  # bytes of a table's name; file systems take 255, with its ending
_FEW = 10_000  # rows up to which threads cost more than they gain


def encode(name: str) -> str:
    """`name` as part of a file and table name.

    >>> encode("order__item"), encode("A&B"), encode("in/out")
    ('order%5F%5Fitem', 'A%26B', 'in%2Fout')
    """

    def escape(match: re.Match[str]) -> str:
        return "".join(f"%{byte:02X}" for byte in match[0].encode())

    return re.sub(r'_{2,}|^_|_$|[&/%\\:*?"<>|\x00-\x1f]|^\.|[. ]$', escape, name)


def decode(name: str) -> str:
    """The inverse of `encode`."""
    return unquote(name)


def node_table(node: NodeType) -> str:
    """The table that holds nodes of this type: its encoded labels joined with `&`.

    Nodes without a label are in the table `%`, which no label is encoded to. Of a name longer than
    file systems take, the rest is a hash.
    """
    return _fitting("&".join(encode(label) for label in node.labels) or "%")


def edge_table(edge: EdgeType) -> str:
    """The table that holds edges of this type."""
    source, target = (
        "&".join(encode(label) for label in end.split("&")) or "%"
        for end in (edge.source, edge.target)
    )
    return _fitting(f"{source}__{encode(edge.label)}__{target}")


def _fitting(table: str) -> str:
    """`table`, or its beginning and a hash after `%~`, which no name is encoded to."""
    octets = table.encode()
    if len(octets) <= _LONGEST:
        return table
    begin = octets[: _LONGEST - 40].decode(errors="ignore")
    return f"{begin}%~{sha256(octets).hexdigest()[:32]}"


def node_file(folder: Path, node: NodeType) -> Path:
    """The Parquet file of a node type."""
    return folder / "nodes" / f"{node_table(node)}.parquet"


def edge_file(folder: Path, edge: EdgeType) -> Path:
    """The Parquet file of an edge type."""
    return folder / "edges" / f"{edge_table(edge)}.parquet"


def node_layout(node: NodeType) -> Any:
    """The Arrow schema of a node table."""
    import pyarrow as pa

    return pa.schema(
        [pa.field(p.name, arrow_type(p.type), nullable=p.nullable) for p in node.properties]
    )


def edge_layout(edge: EdgeType, schema: SchemaGraph) -> Any:
    """The Arrow schema of an edge table."""
    import pyarrow as pa

    arrow_fields = []
    for prefix, name in ((SOURCE, edge.source), (TARGET, edge.target)):
        node = schema.node_by_name[name]
        for key in node.key:
            given = node.property(key)
            if given is not None:
                arrow_fields.append(pa.field(prefix + key, arrow_type(given.type), nullable=False))
    for given in edge.properties:
        arrow_fields.append(pa.field(given.name, arrow_type(given.type), nullable=given.nullable))
    return pa.schema(arrow_fields)


def check_tables(folder: Path) -> None:
    """Refuse a graph's folder that decodes to more than it may, before an engine reads it; values
    that repeat take no room in a file.

    Raises:
        SourceError: it would be larger (see `graphmill.decoded`).
        SchemaError: one is damaged.
    """
    import pyarrow as pa

    files = sorted(folder.glob("*/*.parquet"))
    together = Together(folder, files)
    for path in files:
        try:
            check_parquet(path, together)
        except (OSError, pa.ArrowException) as problem:
            if is_exhausted(problem):
                raise
            raise SchemaError(f"{path} cannot be read as Parquet: {problem}.") from problem


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """An edge: the keys of both ends in the order of their `NodeType.key`, and properties."""

    source: tuple[Any, ...]
    target: tuple[Any, ...]
    properties: dict[str, Any]


def layout_fault(path: Path, given: Any, layout: Any) -> str:
    """A sentence on what of a table's Arrow schema is not as its type's layout has it: the columns,
    or the type of one; "" where all are."""
    if given.names != layout.names:
        return (
            f"{path} has the columns {', '.join(given.names)}; the schema says "
            f"{', '.join(layout.names)}."
        )
    for own, wanted in zip(given, layout, strict=True):
        if own.type != wanted.type:
            return f"{path}: {own.name} is {own.type}; the schema says {wanted.type}."
    return ""


def batches(path: Path, layout: Any) -> Iterator[Any]:
    """A table's Arrow record batches, one a row group; `layout` is the one of its type.

    Raises:
        SchemaError: the file is missing or damaged, or has other columns or types.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    check_regular(path)
    try:
        with pq.ParquetFile(path) as file:
            if fault := layout_fault(path, file.schema_arrow, layout):
                raise SchemaError(fault)
            for group in range(file.num_row_groups):
                many = file.metadata.row_group(group).num_rows > _FEW
                block = file.read_row_group(group, use_threads=many)
                yield from block.combine_chunks().to_batches()
    except (OSError, pa.ArrowException) as problem:
        if is_exhausted(problem):
            raise
        raise SchemaError(f"{path} cannot be read as Parquet: {problem}.") from problem


def node_rows(folder: Path, node: NodeType) -> Iterator[dict[str, Any]]:
    """All nodes of a type as property dictionaries; values are Python's, absent ones None.

    `folder` may be the file of a small graph (`schemagraph.folder.small`).
    """
    if is_small(folder):
        names = [p.name for p in node.properties]
        types = [p.type for p in node.properties]
        for row in read_rows(folder).get(node.name, ()):
            yield {n: stored(t, v) for n, t, v in zip(names, types, row, strict=True)}
        return
    for batch in batches(node_file(folder, node), node_layout(node)):
        yield from batch.to_pylist()


def edge_rows(folder: Path, edge: EdgeType, schema: SchemaGraph) -> Iterator[EdgeRow]:
    """All edges of a type; `folder` may be the file of a small graph."""
    if is_small(folder):
        first = len(schema.node_by_name[edge.source].key)
        width = first + len(schema.node_by_name[edge.target].key)
        names = [p.name for p in edge.properties]
        types = column_types(schema, edge)
        for row in read_rows(folder).get(edge.name, ()):
            values = [stored(t, v) for t, v in zip(types, row, strict=True)]
            properties = dict(zip(names, values[width:], strict=True))
            yield EdgeRow(tuple(values[:first]), tuple(values[first:width]), properties)
        return
    sources = [SOURCE + key for key in schema.node_by_name[edge.source].key]
    targets = [TARGET + key for key in schema.node_by_name[edge.target].key]
    for batch in batches(edge_file(folder, edge), edge_layout(edge, schema)):
        for row in batch.to_pylist():
            source = tuple(row.pop(name) for name in sources)
            target = tuple(row.pop(name) for name in targets)
            yield EdgeRow(source, target, row)


def graph_fingerprint(folder: Path, deep: bool = False) -> str:
    """SHA-256 over schema, mapping and content of the graph in `folder`.

    With `deep` it is computed again from all files, so that any change of one shows.

    Raises:
        SchemaError: the folder is no graph, or (`deep`) a table is missing or damaged.
    """
    manifest = load_manifest(folder)
    if not deep:
        return manifest.fingerprint
    schema = load_schema(folder)
    layouts = _layouts(folder, schema)
    entries = []
    for entry in manifest.tables:
        path = folder / entry.file
        try:
            sha256 = file_digest(path)
        except OSError as problem:
            raise SchemaError(f"{path} cannot be read: {problem.strerror}.") from problem
        if sha256 != entry.sha256:  # other bytes may hold the same rows: that is for them to say
            digest = TableDigest(tuple(column.name for column in entry.columns))
            if entry.file not in layouts:
                raise SchemaError(f"{path} is in {MANIFEST}, and the schema has no such type.")
            for batch in batches(path, layouts[entry.file]):
                if tuple(batch.schema.names) != digest.names:
                    raise SchemaError(f"{path} has other columns than {MANIFEST} says.")
                digest.add([content(column) for column in batch.columns], batch.num_rows)
            entry = TableEntry.of(entry.file, digest, sha256)
        elif entry.file in layouts:  # the manifest may be of the same hand as the file
            _check_layout(path, layouts[entry.file])
        entries.append(entry)
    return whole_fingerprint(schema, load_mapping(folder), tuple(entries))


def _check_layout(path: Path, layout: Any) -> None:
    """Refuse a table whose columns or types are not those of its type.

    Raises:
        SchemaError: they are not, or the file is damaged.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        given = pq.read_schema(path)
    except (OSError, pa.ArrowException) as problem:
        if is_exhausted(problem):
            raise
        raise SchemaError(f"{path} cannot be read as Parquet: {problem}.") from problem
    if fault := layout_fault(path, given, layout):
        raise SchemaError(fault)


def _layouts(folder: Path, schema: SchemaGraph) -> dict[str, Any]:
    """The layout of each table by the name of its file in the folder.

    Raises:
        SchemaError: an edge type's end is no node type.
    """
    layouts = {f"nodes/{node_table(node)}.parquet": node_layout(node) for node in schema.nodes}
    for edge in schema.edges:
        for end in (edge.source, edge.target):
            if end not in schema.node_by_name:
                raise SchemaError(f"{folder}: an edge type ends at {end}, which is no node type.")
        layouts[f"edges/{edge_table(edge)}.parquet"] = edge_layout(edge, schema)
    return layouts
