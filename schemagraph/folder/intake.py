"""Take tables that a program wrote into a graph folder: nothing of them is trusted.

A program writes below one folder, for each type, `nodes/<table>.parquet` or `edges/<table>.parquet`
(or `.csv`), named and with columns as in GraphData. Files and columns are looked at first, all
that is wrong with them is said at once; then the tables are read and written anew.
"""

from __future__ import annotations

import csv as plain
import io
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from graphmill.decoded import Together, TooLargeError, check_parquet
from graphmill.errors import Diagnostic, SchemaError, SourceError, did_you_mean, is_exhausted
from schemagraph.folder.graphdata import edge_layout, edge_table, node_layout, node_table
from schemagraph.folder.writer import GraphWriter
from schemagraph.model import SchemaGraph

_ROWS = 131_072  # of a batch
_BLOCK = 1 << 20  # bytes that Arrow reads of a CSV file at once, which its header lies in
_MORE = 100  # columns that a CSV file may have too many, to be named: Arrow takes 9 KB for each
_DAYS = (-719_162, 2_932_896)  # from 1970 to the first and the last day that Python has
_DAY = 86_400_000_000  # microseconds


def check_intake(folder: Path, schema: SchemaGraph, counts: Mapping[str, int]) -> list[Diagnostic]:
    """What is wrong with files and columns below `folder`; [] where they can be taken in.

    Nothing that is said depends on where `folder` lies. `counts` are the most rows of each type by
    name. Codes: missing-file, unknown-file, bad-file,
    missing-column, unknown-column, wrong-type, wrong-rows,
    too-large.
    """
    diagnostics: list[Diagnostic] = []
    wanted = _tables(schema)
    there = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    together = Together(folder, [folder / name for name in there if name.endswith(".parquet")])
    for table, (name, layout) in wanted.items():
        files = [table + ending for ending in (".parquet", ".csv") if table + ending in there]
        there -= set(files)
        if not files:
            near = did_you_mean(f"{table}.parquet", there) if there else ""
            diagnostics.append(_error("missing-file", f"{table}.parquet is missing.{near}"))
        else:
            diagnostics += _check_file(folder, files[0], layout, counts[name], together)
    names = [f"{table}.parquet" for table in wanted]
    for name in sorted(there):
        message = f"{name} belongs to no type of the schema.{did_you_mean(name, names)}"
        diagnostics.append(_error("unknown-file", message))
    return diagnostics


def take_in(folder: Path, schema: SchemaGraph, writer: GraphWriter) -> None:
    """Write all tables of `folder`, which `check_intake` found right, with `writer`; two at a time.

    Raises:
        SchemaError: a value does not fit its column, or is NULL where that is forbidden.
    """
    with ThreadPoolExecutor(2) as pool:
        tasks = []
        for node in schema.nodes:
            batches = _batches(folder, f"nodes/{node_table(node)}", node_layout(node))
            tasks.append(pool.submit(writer.nodes, node, batches))
        for edge in schema.edges:
            layout = edge_layout(edge, schema)
            batches = _batches(folder, f"edges/{edge_table(edge)}", layout)
            tasks.append(pool.submit(writer.edges, edge, schema, batches))
        try:
            for task in tasks:
                task.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def write_csv(folder: Path, schema: SchemaGraph) -> None:
    """Write each table of the graph in `folder` as CSV beside its Parquet file.

    NULL is an empty field, an empty text is a quoted one. Lists are JSON.
    """
    import pyarrow.csv as csv
    import pyarrow.parquet as pq

    for table, (_, layout) in _tables(schema).items():
        flat = _flat(layout)
        with (
            pq.ParquetFile(folder / f"{table}.parquet") as file,
            csv.CSVWriter(folder / f"{table}.csv", flat) as out,
        ):
            for batch in file.iter_batches(_ROWS):
                out.write_batch(_flattened(batch, flat))


def _flat(layout: Any) -> Any:
    import pyarrow as pa

    return pa.schema(
        [pa.field(f.name, pa.string()) if pa.types.is_list(f.type) else f for f in layout]
    )


def _flattened(batch: Any, flat: Any) -> Any:
    import json

    import pyarrow as pa

    columns = []
    for field, column in zip(flat, batch.columns, strict=True):
        if pa.types.is_list(column.type):
            texts = [
                None if v is None else json.dumps(v, ensure_ascii=False, default=str)
                for v in column.to_pylist()
            ]
            column = pa.array(texts, field.type)
        columns.append(column)
    return pa.record_batch(columns, schema=flat)


def _tables(schema: SchemaGraph) -> dict[str, tuple[str, Any]]:
    """The path of each table without its ending: the type's name and the Arrow layout."""
    nodes = {f"nodes/{node_table(n)}": (n.name, node_layout(n)) for n in schema.nodes}
    edges = {f"edges/{edge_table(e)}": (e.name, edge_layout(e, schema)) for e in schema.edges}
    return nodes | edges


def _check_file(
    folder: Path, name: str, layout: Any, rows: int, together: Together
) -> Iterator[Diagnostic]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = folder / name
    try:
        if name.endswith(".parquet"):
            check_parquet(path, together)
            with pq.ParquetFile(path) as file:
                columns, count = file.schema_arrow, file.metadata.num_rows
        else:
            if wrong := _header(path, len(layout)):
                yield _error("bad-file", f"{name} cannot be read: {wrong}.")
                return
            with _csv(path, layout) as stream:
                columns, count = stream.schema, None
        names = columns.names
    except TooLargeError as problem:
        what = f"{name} decodes" if problem.path == path else "All files together decode"
        most = f"{problem.most >> 20:,} MB"
        yield _error("too-large", f"{what} to more than {most}, the limit of what is taken in.")
        return
    except SourceError as problem:
        yield _error("bad-file", _words(problem, folder))
        return
    except (OSError, pa.ArrowException, UnicodeDecodeError) as problem:
        if is_exhausted(problem):
            raise
        yield _error("bad-file", f"{name} cannot be read: {_words(problem, folder)}.")
        return
    for twice in sorted({given for given in names if names.count(given) > 1}):
        yield _error("unknown-column", f"{name} has more than one column {twice}.")
        return
    for field in layout:
        if field.name not in names:
            near = did_you_mean(field.name, names)
            yield _error("missing-column", f"{name} has no column {field.name}.{near}")
        elif not _can_hold(columns.field(field.name).type, field.type):
            kind = columns.field(field.name).type
            message = f"{name}: the column {field.name} is {kind}, and should be {field.type}."
            yield _error("wrong-type", message)
    for given in names:
        if given not in layout.names:
            near = did_you_mean(given, layout.names)
            yield _error("unknown-column", f"{name} has a column {given}, the schema none.{near}")
    if count is not None and count > rows:
        yield _error("wrong-rows", f"{name} has {count} rows, and should have {rows}.")


def _words(problem: Exception, folder: Path) -> str:
    """An error without where the folder lies, which is another one in every run."""
    return str(problem).replace(f"{folder}/", "").rstrip(".")


def _header(path: Path, wanted: int) -> str:
    """What is wrong with the first line of a CSV file, before Arrow makes columns of it."""
    with path.open(encoding="utf-8", errors="replace", newline="") as stream:
        text = stream.read(_BLOCK)
    try:
        columns = len(next(plain.reader(io.StringIO(text, newline="")), ()))
    except plain.Error as problem:
        return str(problem)
    return f"it has {columns:,} columns" if columns > wanted + _MORE else ""


def _can_hold(given: Any, wanted: Any) -> bool:
    """Whether a column of one Arrow type may become one of another without losing anything."""
    import pyarrow as pa

    types = pa.types
    if types.is_dictionary(given):
        return _can_hold(given.value_type, wanted)
    if types.is_null(given) or given == wanted:
        return True
    if types.is_list(wanted):
        lists = types.is_list(given) or types.is_large_list(given)
        return lists and _can_hold(given.value_type, wanted.value_type)
    text = (types.is_string, types.is_large_string, types.is_string_view)
    if types.is_string(wanted):
        return any(test(given) for test in text)
    if types.is_integer(wanted):
        return bool(types.is_integer(given))
    if types.is_floating(wanted):
        return bool(types.is_floating(given) or types.is_integer(given))
    if types.is_timestamp(wanted):
        return bool((types.is_timestamp(given) and given.tz is None) or types.is_date(given))
    return bool(types.is_date(wanted) and types.is_date32(given))


def _csv(path: Path, layout: Any) -> Any:
    import pyarrow.csv as csv

    return csv.open_csv(
        path,
        convert_options=csv.ConvertOptions(
            column_types={f.name: f.type for f in _flat(layout)},
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )


def _batches(folder: Path, table: str, layout: Any) -> Iterator[Any]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = folder / f"{table}.parquet"
    try:
        if path.is_file():
            with pq.ParquetFile(path) as file:
                for batch in file.iter_batches(_ROWS, columns=layout.names):
                    yield _fitted(batch, layout, path.name)
            return
        path = folder / f"{table}.csv"
        with _csv(path, layout) as stream:
            for batch in stream:
                yield _fitted(batch, layout, path.name)
    except (OSError, pa.ArrowException) as problem:
        if is_exhausted(problem):
            raise
        raise SchemaError(f"{path.name} cannot be read: {_words(problem, folder)}.") from problem


def _fitted(batch: Any, layout: Any, name: str) -> Any:
    """A batch with the columns, order and types of the layout, and values that all can read."""
    import pyarrow as pa

    columns = []
    for field in layout:
        column = batch.column(field.name)
        if column.null_count and not field.nullable:
            raise SchemaError(f"{name}: the column {field.name} has NULLs and must have none.")
        try:
            column.validate(full=True)  # texts that are none; positions beyond a dictionary's end
            column = column if column.type == field.type else column.cast(field.type)
        except pa.ArrowException as problem:
            raise SchemaError(f"{name}: the column {field.name}: {problem}.") from problem
        if values := _beyond(column):
            raise SchemaError(f"{name}: the column {field.name} has {values}.")
        columns.append(column)
    return pa.record_batch(columns, schema=layout)


def _beyond(column: Any) -> str:
    """Values that a column's type can hold, and no specification asks for: what they are, or ''."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_list(column.type):
        return _beyond(column.flatten())
    if pa.types.is_floating(column.type):
        return "" if pc.all(pc.is_finite(column), min_count=0).as_py() else "numbers without end"
    first, last = _DAYS
    if pa.types.is_timestamp(column.type):
        first, last = first * _DAY, (last + 1) * _DAY - 1
        column = column.cast(pa.timestamp("us")).cast(pa.int64())
    elif pa.types.is_date32(column.type):
        column = column.cast(pa.int32())
    else:
        return ""
    ends = pc.min_max(column).as_py()
    inside = ends["min"] is None or (first <= ends["min"] and ends["max"] <= last)
    return "" if inside else "moments before the year 1 or after 9999"


def _error(code: str, message: str) -> Diagnostic:
    return Diagnostic("error", code, message)
