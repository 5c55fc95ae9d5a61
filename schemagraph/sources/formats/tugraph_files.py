"""The files that a TuGraph import configuration lists, as nodes and edges."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from graphmill.errors import GraphmillError, SourceError, did_you_mean
from graphmill.json_lines import values_of
from graphmill.regular import check_regular
from schemagraph.convert.elements import Elements
from schemagraph.sources.formats.csv_rows import csv_rows, place, read_value
from schemagraph.sources.formats.tugraph_schema import Field, Label, Labels, vertex

_ABOVE = 3  # folders over the configuration's in which paths may begin
_ENDS = ("SRC_ID", "DST_ID")
_SKIP = "SKIP"


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file with the label of its rows; `ends` are the vertex labels of an edge's ends.

    `columns` are fields, or one of `SRC_ID`, `DST_ID`, None for a column that is skipped.
    """

    path: Path
    label: Label
    is_json: bool
    header: int
    columns: tuple[Field | str | None, ...]
    ends: tuple[str, str] | None
    keys: dict[str, Field]


def find_files(config: Path, given: list[Any], labels: Labels) -> list[ListedFile]:
    """All files that are listed; a folder stands for the files in it.

    Raises:
        SourceError: an entry is wrong, or a file is not there.
    """
    for number, item in enumerate(given, 1):
        if not isinstance(item, dict) or not isinstance(item.get("path"), str):
            raise SourceError(f'{config}, file {number}: a file is an object with a text "path".')
        where = f"{config}, file {number} ({item['path'][:200]!r})"
        if not item["path"]:
            raise SourceError(f'{where}: its "path" is empty; give a file, or a folder of files.')
        if "\0" in item["path"]:
            raise SourceError(f"{where}: no path has a zero character.")
        if Path(item["path"]).is_absolute():
            raise SourceError(
                f"{where}: the path is absolute. Paths are relative to the folder of the "
                f"configuration, {config.resolve().parent}, or to one of the {_ABOVE} above it."
            )
    texts = [item["path"] for item in given]
    bases = [config.resolve().parent, *islice(config.resolve().parent.parents, _ABOVE)]
    base = next((b for b in bases if all((b / text).exists() for text in texts)), None)
    if base is None:
        near = min(bases, key=lambda b: sum(not (b / text).exists() for text in texts))
        missing = next(text for text in texts if not (near / text).exists())
        looked = ", ".join(map(str, bases))
        raise SourceError(f"{config} lists {missing}, which is not there; looked in {looked}.")
    files = []
    for number, item in enumerate(given, 1):
        path = base / item["path"]
        where = f"{config}, file {number} ({item['path']})"
        _check_place(config, where, path)
        paths = sorted(p for p in path.iterdir() if not p.is_dir()) if path.is_dir() else [path]
        for one in paths:
            _check_place(config, where, one)
            check_regular(one)
            if one.resolve() == config.resolve():
                raise SourceError(
                    f"{where}: the configuration itself is among the files. Put the data into a "
                    "folder of its own, or list the files one by one."
                )
        files += [_listed(where, one, item, labels) for one in paths]
    return files


def _check_place(config: Path, where: str, path: Path) -> None:
    """The file lies below the configuration's folder, wherever links lead."""
    if not path.resolve().is_relative_to(config.resolve().parent):
        raise _outside(config, where)


def _outside(config: Path, where: str) -> SourceError:
    return SourceError(
        f"{where}: the file lies outside of {config.resolve().parent}. Paths may begin in one of "
        f"the {_ABOVE} folders above, but a configuration reads only what lies below its own "
        "folder: put the data there, or move the configuration."
    )


def _listed(where: str, path: Path, item: dict[str, Any], labels: Labels) -> ListedFile:
    name, form = item.get("label"), str(item.get("format", "CSV")).upper()
    if form not in ("CSV", "JSON"):
        raise SourceError(f'{where}: "format" is CSV or JSON, not {form}.')
    header = item.get("header", 0)
    if not isinstance(header, int) or isinstance(header, bool) or header < 0:
        raise SourceError(f'{where}: "header" is the number of header lines, not {header!r}.')
    if name in labels.vertices:
        label, ends, keys = labels.vertices[name], None, {}
    elif name in labels.edges:
        label = labels.edges[name]
        ends_of = [vertex(f"{where}, {end}", item.get(end), labels) for end in _ENDS]
        ends = (ends_of[0].name, ends_of[1].name)
        if label.pairs and ends not in label.pairs:
            allowed = "; ".join(f"{a}, {b}" for a, b in label.pairs)
            raise SourceError(
                f"{where}: edges {name} do not go from {ends[0]} to {ends[1]}; "
                f"the constraints allow {allowed}."
            )
        keys = {end: of.properties[of.primary] for end, of in zip(_ENDS, ends_of, strict=True)}
    else:
        near = did_you_mean(str(name), [*labels.vertices, *labels.edges])
        raise SourceError(f"{where}: there is no label {name!r}.{near}")
    columns = _columns(where, item.get("columns"), label, keys)
    return ListedFile(path, label, form == "JSON", header, columns, ends, keys)


def _columns(
    where: str, given: Any, label: Label, keys: dict[str, Field]
) -> tuple[Field | str | None, ...]:
    if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
        raise SourceError(f'{where}: "columns" is a list of names.')
    columns: list[Field | str | None] = []
    for name in given:
        if name != _SKIP and name not in label.properties and name not in keys:
            near = did_you_mean(name, [*label.properties, *keys, _SKIP])
            raise SourceError(f"{where}: {label.name} has no property {name}.{near}")
        columns.append(label.properties.get(name) or (None if name == _SKIP else name))
    names = [name for name in given if name != _SKIP]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SourceError(f"{where}: the column {twice[0]} is there twice.")
    needed = [p.name for p in label.properties.values() if not p.optional]
    missing = [name for name in [*keys, *needed] if name not in names]
    if missing:
        raise SourceError(f"{where}: there is no column for {', '.join(missing)}.")
    return tuple(columns)


# --- rows ----------------------------------------------------------------------------------


def read_file(elements: Elements, number: int, file: ListedFile) -> None:
    """Add all rows of a file to `elements`; `number` is the file's in their places.

    Raises:
        SourceError: a row has other columns than declared, or a value of another type.
    """
    name = file.label.name
    if file.ends is None:
        table = elements.node_table((name,), (file.label.primary,))
    else:
        table = elements.edge_table((file.ends[0],), name, (file.ends[1],))
    for line, cells in _rows(elements, file):
        properties, ends = _row(file, line, cells)
        table.add(properties, place(number, line), ends)


def _row(file: ListedFile, line: int, cells: list[Any]) -> tuple[dict[str, Any], tuple[Any, ...]]:
    where = f"{file.path}, line {line}"
    if len(cells) != len(file.columns):
        raise SourceError(
            f"{where}: {len(cells)} columns, where the configuration says {len(file.columns)}."
        )
    properties, ends = {}, {}
    for column, cell in zip(file.columns, cells, strict=True):
        if column is None:
            continue
        if isinstance(column, str):
            ends[column] = _value(where, file.keys[column], cell, column)
            continue
        value = _value(where, column, cell, column.name)
        if value is not None:
            properties[column.name] = value
    return properties, tuple(ends[end] for end in file.keys)


def _value(where: str, column: Field, cell: Any, name: str) -> Any:
    if cell is None or (cell == "" and (column.optional or column.declared != "STRING")):
        if column.optional and name not in _ENDS:
            return None
        raise SourceError(f"{where}, column {name}: no value, and {name} is not optional.")
    text = cell if isinstance(cell, str) else json.dumps(cell)
    return read_value(column.read, text, where, name, column.declared)


def _rows(elements: Elements, file: ListedFile) -> Iterator[tuple[int, list[Any]]]:
    if file.is_json:
        yield from _json_rows(file.path, file.header)
        return
    rows = csv_rows(file.path)
    head = list(islice(rows, file.header))
    if head and all(_is_data(file, cells) for _, cells in head):
        elements.warnings.append(
            f"{file.path.name} has no header, though the configuration says {file.header} lines: "
            f"its first lines are read as rows."
        )
        yield from head
    yield from rows


def _is_data(file: ListedFile, cells: list[str]) -> bool:
    """Whether what should be a header is plainly a row: it fits, and not all columns are text."""
    fields = [file.keys[c] if isinstance(c, str) else c for c in file.columns]
    if all(f is None or f.declared == "STRING" for f in fields):
        return False
    try:
        _row(file, 0, cells)
    except SourceError:
        return False
    return True


def _json_rows(path: Path, header: int) -> Iterator[tuple[int, list[Any]]]:
    """JSON lines: a list a line."""
    with path.open("rb") as stream:
        for line, cells in values_of(stream):
            if line <= header:
                continue
            if isinstance(cells, GraphmillError):
                raise SourceError(f"{path}, line {line}, {cells}.")
            if not isinstance(cells, list):
                raise SourceError(f"{path}, line {line}: not a JSON list.")
            yield line, cells
