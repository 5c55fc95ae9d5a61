"""Whether a graph's tables are what its schema says, before an engine loads them.

What an engine makes of tables that contradict the schema differs from one to the other, and none
of it is an answer: so it is an error. `schemagraph.folder.check` says more, and takes longer.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from graphmill.errors import SchemaError, is_exhausted
from schemagraph.folder.check import check_schema
from schemagraph.folder.graphdata import (
    SOURCE,
    TARGET,
    check_tables,
    edge_file,
    edge_layout,
    layout_fault,
    node_file,
    node_layout,
)
from schemagraph.folder.manifest import MANIFEST, load_manifest
from schemagraph.folder.serde import SCHEMA_FILE, load_schema
from schemagraph.model import SchemaGraph

# Of `check_schema`'s errors those that no table can satisfy. Nodes without a key, and keys that
# can be null, are no such error: engines hold them.
_CONTRADICTIONS = frozenset({"repeated-type", "unknown-key", "unknown-end", "repeated-property"})


def check_loadable(folder: Path) -> None:
    """Refuse a graph's folder whose schema, tables and manifest contradict each other.

    Columns and their types, rows, nulls where the schema has none, keys that occur twice, and
    edges whose nodes are missing; digests are not taken. A key that the schema lets be null is no
    key where it is null: it may occur again, and no edge leads to it. A folder that was checked
    is not checked again while its files are the same.

    Raises:
        SchemaError: what is wrong first, and with which file.
        SourceError: a file decodes to more than it may.
    """
    files = sorted((*folder.glob("*.json"), *folder.glob("*/*.parquet")))
    states = tuple((str(path), (s := path.stat()).st_size, s.st_mtime_ns) for path in files)
    _check(folder, states)


@lru_cache(maxsize=256)
def _check(folder: Path, states: tuple[tuple[str, int, int], ...]) -> None:
    check_tables(folder)
    schema = load_schema(folder)
    for finding in check_schema(schema):
        if finding.code in _CONTRADICTIONS:
            raise SchemaError(f"{folder / SCHEMA_FILE}: {finding.message}")
    for problem in _contradictions(folder, schema):
        raise SchemaError(f"{problem} Convert the source again.")


def _contradictions(folder: Path, schema: SchemaGraph) -> Iterator[str]:
    """Sentences on what does not fit, one after the other."""
    rows = {}
    if (folder / MANIFEST).is_file():
        rows = {entry.file: entry.rows for entry in load_manifest(folder).tables}
    keys: dict[str, Any] = {}
    for node in schema.nodes:
        path = node_file(folder, node)
        yield from _of_table(folder, path, node_layout(node), rows)
        if not node.key:
            continue
        keys[node.name] = whole = _read(path, list(node.key)).drop_null()
        if twice := len(whole) - _distinct(whole):
            yield f"{path} has {twice:,} rows whose key ({', '.join(node.key)}) occurs before."
    for edge in schema.edges:
        path, layout = edge_file(folder, edge), edge_layout(edge, schema)
        yield from _of_table(folder, path, layout, rows)
        for prefix, name in ((SOURCE, edge.source), (TARGET, edge.target)):
            if name not in keys:
                continue
            node = schema.node_by_name[name]
            ends = _read(path, [prefix + key for key in node.key])
            if lost := _lost(ends, keys[name]):
                yield f"{path} has {lost:,} edges whose {name} is not in the graph."


def _read(path: Path, columns: list[str]) -> Any:
    import pyarrow.parquet as pq

    return pq.ParquetFile(path).read(columns)


def _of_table(folder: Path, path: Path, layout: Any, rows: dict[str, int]) -> Iterator[str]:
    """What is wrong with one table on its own.

    Raises:
        SchemaError: there is no such file, or it is no Parquet.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not path.is_file():
        raise SchemaError(f"The graph has no file {path}.")
    try:
        with pq.ParquetFile(path) as file:
            given, count = file.schema_arrow, file.metadata.num_rows
            if fault := layout_fault(path, given, layout):
                yield fault
            wanted_rows = rows.get(path.relative_to(folder).as_posix(), count)
            if wanted_rows != count:
                yield f"{path} has {count:,} rows; {MANIFEST} says {wanted_rows:,}."
            # As they are written, columns without nulls cannot have any: nothing is read then.
            doubtful = [
                own.name
                for own, wanted in zip(given, layout, strict=True)
                if own.nullable and not wanted.nullable
            ]
            table = file.read(doubtful) if doubtful else None
    except (OSError, pa.ArrowException) as problem:
        if is_exhausted(problem):
            raise
        raise SchemaError(f"{path} cannot be read as Parquet: {problem}.") from problem
    for name in doubtful:
        if table is not None and (nulls := table[name].null_count):
            yield f"{path}: {name} is null in {nulls:,} rows; the schema has it not null."


def _comparable(keys: Any) -> Any:
    """Keys of which Arrow can tell which are equal: lists, which it does not group, as text."""
    import pyarrow as pa

    columns = [
        pa.array(map(repr, column.to_pylist()), pa.string())
        if pa.types.is_nested(column.type)
        else column
        for column in keys.columns
    ]
    return pa.table(columns, names=[str(number) for number in range(len(columns))])


def _distinct(keys: Any) -> int:
    keys = _comparable(keys)
    return int(keys.group_by(keys.column_names).aggregate([]).num_rows)


def _lost(ends: Any, keys: Any) -> int:
    """How many edges have an end that is no node."""
    import pyarrow.compute as pc

    ends, keys = _comparable(ends), _comparable(keys)
    if ends.num_columns == 1:
        known = pc.sum(pc.is_in(ends["0"], value_set=keys["0"]), min_count=0).as_py()
        return int(len(ends) - known)
    return len(ends.join(keys, ends.column_names, join_type="left anti"))
