"""The rows of LDBC's files: types found in a first reading, elements made in a second."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from graphmill.errors import SourceError
from schemagraph.convert.elements import Elements
from schemagraph.model import Kind, Type
from schemagraph.sources.formats.csv_rows import csv_rows, place, read_value

_DELIMITER = "|"


@dataclass(frozen=True, slots=True)
class Entity:
    """A node label with its columns, the position of its key, and the numbers of its files."""

    label: str
    columns: list[str]
    key: int
    files: list[int]


@dataclass(frozen=True, slots=True)
class Relation:
    """An edge label between two entities; `ends` are the positions of their keys.

    With `values_only` the target has no file: it is what the relations say.
    """

    source: str
    label: str
    target: str
    columns: list[str]
    ends: tuple[int, int]
    files: list[int]
    values_only: bool


def read_rows(
    elements: Elements, entities: dict[str, Entity], relations: list[Relation], paths: list[Path]
) -> None:
    """Add all nodes and edges.

    Raises:
        SourceError: a row has other columns than the first line, or no key.
    """
    kinds = {}
    for name, entity in entities.items():
        key_kinds = {
            _kinds(relation.columns, relation.files, paths)[relation.ends[1]]
            for relation in relations
            if relation.values_only and relation.target == name
        }
        kinds[name] = _kinds(entity.columns, entity.files, paths)
        if key_kinds:
            kinds[name] = list(key_kinds) if len(key_kinds) == 1 else [Kind.STRING]
    empty = []
    for name, entity in entities.items():
        key = entity.columns[entity.key]
        table = elements.node_table((entity.label,), (key,))
        table.declared = _declared(entity.columns, kinds[name])
        readers = [(c, _READ[kind]) for c, kind in zip(entity.columns, kinds[name], strict=True)]
        for number in entity.files:
            for line, cells in _rows(paths[number], entity.columns):
                where = f"{paths[number]}, line {line}"
                row = _values(where, readers, cells)
                if key not in row:
                    raise SourceError(f"{where}: the column {key}, which is the key, is empty.")
                table.add(row, place(number, line))
        if entity.files and not table.rows and not table.weight:
            empty.append(entity.label)
    known: dict[str, set[Any]] = {relation.target: set() for relation in relations}
    for relation in relations:
        keys = known[relation.target]
        empty += _read_relation(elements, entities, kinds, relation, paths, keys)
    if empty:
        elements.notes.append(
            f"Without a row, and so with types by the names of their columns: {', '.join(empty)}."
        )


def _read_relation(
    elements: Elements,
    entities: dict[str, Entity],
    kinds: dict[str, list[Kind]],
    relation: Relation,
    paths: list[Path],
    known: set[Any],
) -> list[str]:
    """Add the edges of one relation, and the values it ends in that `known` does not hold."""
    source, target = entities[relation.source], entities[relation.target]
    rest = [n for n in range(len(relation.columns)) if n not in relation.ends]
    columns = [relation.columns[n] for n in rest]
    column_kinds = _kinds(relation.columns, relation.files, paths)
    own = [column_kinds[n] for n in rest]
    readers = [(column, _READ[kind]) for column, kind in zip(columns, own, strict=True)]
    table = elements.edge_table((source.label,), relation.label, (target.label,))
    table.declared = _declared(columns, own)
    ends = [
        (relation.columns[n], kinds[name][entity.key])
        for n, name, entity in zip(
            relation.ends, (relation.source, relation.target), (source, target), strict=True
        )
    ]
    count = 0
    for number in relation.files:
        for line, cells in _rows(paths[number], relation.columns):
            where, at = f"{paths[number]}, line {line}", place(number, line)
            keys = []
            for (column, kind), n in zip(ends, relation.ends, strict=True):
                if cells[n] == "":
                    raise SourceError(f"{where}: the column {column}, which is an end, is empty.")
                keys.append(read_value(_strict(kind), cells[n], where, column, kind.value))
            if relation.values_only and keys[1] not in known:
                known.add(keys[1])
                nodes = elements.node_table((target.label,), (target.columns[0],))
                nodes.add({target.columns[0]: keys[1]}, at)
            row = _values(where, readers, [cells[n] for n in rest])
            table.add(row, at, (keys[0], keys[1]))
            count += 1
    return [] if count else [relation.label]


def _rows(path: Path, columns: list[str]) -> Iterator[tuple[int, list[str]]]:
    """The rows after the header."""
    rows = csv_rows(path, _DELIMITER)
    next(rows, None)
    for line, cells in rows:
        if len(cells) == len(columns) + 1 and cells[-1] == "":
            cells = cells[:-1]  # some versions end each line with the separator
        if len(cells) != len(columns):
            raise SourceError(
                f"{path}, line {line}: {len(cells)} columns, where the first line names "
                f"{len(columns)}."
            )
        yield line, cells


def _values(
    where: str, readers: list[tuple[str, Callable[[str], Any]]], cells: list[str]
) -> dict[str, Any]:
    return {
        column: read_value(read, cell, where, column, "value of its column")
        for (column, read), cell in zip(readers, cells, strict=True)
        if cell != ""
    }


def _declared(columns: list[str], kinds: list[Kind]) -> dict[str, Type]:
    return {column: Type(kind) for column, kind in zip(columns, kinds, strict=True)}


# --- types ---------------------------------------------------------------------------------

_WHOLE = re.compile(r"-?(?:0|[1-9]\d{0,18})\Z")
_REAL = re.compile(r"-?\d+\.\d+(?:[eE][+-]?\d+)?\Z")
_DAY = re.compile(r"\d{4}-\d\d-\d\d\Z")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,6})?\Z")
_ZONED = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:?\d\d)\Z")

_READ: dict[Kind, Callable[[str], Any]] = {
    Kind.BOOLEAN: lambda text: text == "true",
    Kind.INTEGER: int,
    Kind.FLOAT: float,
    Kind.DATE: date.fromisoformat,
    Kind.DATETIME: datetime.fromisoformat,
    Kind.ZONED_DATETIME: datetime.fromisoformat,
    Kind.STRING: str,
}
_FITS: dict[Kind, Callable[[str], Any]] = {
    Kind.BOOLEAN: lambda text: text in ("true", "false"),
    Kind.INTEGER: lambda text: _WHOLE.match(text) and -(2**63) <= int(text) < 2**63,
    Kind.FLOAT: lambda text: _REAL.match(text) or _WHOLE.match(text),
    Kind.DATE: lambda text: _DAY.match(text) and _is_date(text),
    Kind.DATETIME: lambda text: _MOMENT.match(text) and _is_date(text),
    Kind.ZONED_DATETIME: lambda text: _ZONED.match(text) and _is_date(text),
}
_BY_NAME = {
    "isblocked": Kind.BOOLEAN,
    "amount": Kind.FLOAT,
    "balance": Kind.FLOAT,
    "loanamount": Kind.FLOAT,
    "interestrate": Kind.FLOAT,
    "ratio": Kind.FLOAT,
    "timestamp": Kind.ZONED_DATETIME,
    "createtime": Kind.ZONED_DATETIME,
    "creationdate": Kind.ZONED_DATETIME,
}
"""Types of columns without a value, as the benchmarks' specifications have them."""


def _strict(kind: Kind) -> Callable[[str], Any]:
    """What reads a key as its node writes it: `01` is not the integer 1."""

    def read(text: str) -> Any:
        if kind in _FITS and not _FITS[kind](text):
            raise ValueError("the nodes' keys are all written as such")
        return _READ[kind](text)

    return read


def _is_date(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _kinds(columns: list[str], files: list[int], paths: list[Path]) -> list[Kind]:
    """The kind of each column: the first that all its values fit, else text."""
    fits = [list(_FITS) for _ in columns]
    filled = [False] * len(columns)
    for number in files:
        for _, cells in _rows(paths[number], columns):
            for n, cell in enumerate(cells):
                if cell != "":
                    filled[n] = True
                    if fits[n]:
                        fits[n] = [kind for kind in fits[n] if _FITS[kind](cell)]
    return [
        (fits[n][0] if fits[n] else Kind.STRING)
        if filled[n]
        else _BY_NAME.get(column.casefold(), Kind.STRING)
        for n, column in enumerate(columns)
    ]
