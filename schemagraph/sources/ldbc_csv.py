"""Read folders of CSV in LDBC's layouts: a file an entity, a file a relation between two.

FinBench and the Social Network Benchmark write `account_0_0.csv` and
`account_transfer_account_0_0.csv` (the numbers are machine and part), FinBench's generator
`Account.csv` and `AccountTransferAccount.csv`, the benchmark's second version folders
`Person_knows_Person/part-….csv`. Columns are separated by `|` and named by the first line; a
relation's ends are its first two columns that are called an id (github.com/ldbc).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from graphmill.errors import SourceError, did_you_mean
from graphmill.files import digest, file_digest
from graphmill.regular import check_regular
from schemagraph.convert.elements import convert_elements
from schemagraph.report import ConversionReport
from schemagraph.sources.formats.csv_rows import csv_rows, described
from schemagraph.sources.formats.ldbc_rows import Entity, Relation, read_rows

DELIMITER = "|"
_PARTS = re.compile(r"(?:_\d+)+\Z")
_WORD = re.compile(r"[A-Z]+[a-z0-9]*|[a-z0-9]+")
_INSIDE = ("initial_snapshot", "snapshot", "historical_data", "social_network")
_BESIDE = ("static", "dynamic")


class LdbcCsvSource:
    """Folders whose files are named as entities and as relations between two of them."""

    name = "ldbc-csv"
    says = "a folder of CSV files in LDBC's layout"
    takes_the_rest = False

    def accepts(self, source: str, path: Path | None, head: bytes) -> bool:
        """By the names: all headers have `|`, and one relation is between two entities."""
        if path is None or not path.is_dir():
            return False
        files = _files(path)
        if not files or not all(_first_line(file).count(DELIMITER) for _, file in files):
            return False
        names = list(dict.fromkeys(name for name, _ in files))
        entities = {name.casefold() for name in names}
        return any(
            parts[0].casefold() in entities and parts[2].casefold() in entities
            for name in names
            if (parts := _relation(name, names)) is not None
        )

    def convert(self, source: str, out: Path, licence: str) -> ConversionReport:
        """See `schemagraph.convert.source.Source`."""
        path = Path(source)
        files = _files(path)
        layout = _layout(files)
        paths = [file for _, file in files]
        return convert_elements(
            out,
            path.resolve().name,
            lambda elements: read_rows(elements, layout.entities, layout.relations, paths),
            described(paths),
            kind=self.name,
            origin={
                "kind": self.name,
                "folder": path.resolve().name,
                "sha256": digest([[file.name, file_digest(file)] for file in paths]),
            },
            licence=licence,
        )

    def files(self, source: str) -> list[Path]:
        """See `schemagraph.convert.source.ListingSource`."""
        return [file for _, file in _files(Path(source))]


def _files(folder: Path) -> list[tuple[str, Path]]:
    """Names of entities and relations with their files, sorted."""
    inside = next((folder / name for name in _INSIDE if (folder / name).is_dir()), folder)
    files = []
    for place in (inside, *(inside / name for name in _BESIDE if (inside / name).is_dir())):
        for path in sorted(place.iterdir()):
            if not path.is_dir() and path.suffix.lower() == ".csv":
                files.append((_PARTS.sub("", path.stem), path))
            elif path.is_dir():
                files += [(path.name, part) for part in sorted(path.glob("part-*.csv"))]
    for _, path in files:
        check_regular(path)
    return files


def _first_line(path: Path) -> str:
    with path.open("rb") as stream:
        return stream.readline(1 << 16).decode("utf-8", "replace")


def _relation(name: str, names: list[str]) -> tuple[str, str, str] | None:
    """Source, label and target of a relation's name; None for an entity's.

    >>> _relation("account_transfer_account", [])
    ('account', 'transfer', 'account')
    >>> _relation("PersonOwnAccount", ["Person", "Account"])
    ('Person', 'own', 'Account')
    """
    parts = name.split("_")
    if len(parts) == 3 and all(parts):
        return parts[0], parts[1], parts[2]
    if len(parts) > 1:
        return None
    words = _WORD.findall(name)
    for first in range(1, len(words) - 1):
        for last in range(len(words) - 1, first, -1):
            source, target = "".join(words[:first]), "".join(words[last:])
            if source in names and target in names:
                verb = "".join(words[first:last])
                return source, verb[0].lower() + verb[1:], target
    return None


@dataclass(frozen=True, slots=True)
class _Layout:
    entities: dict[str, Entity]
    relations: list[Relation]


def _layout(files: list[tuple[str, Path]]) -> _Layout:
    """What the files hold, by their names and headers.

    Raises:
        SourceError: a file has no header, other columns than one before, or no ends.
    """
    names = list(dict.fromkeys(name for name, _ in files))
    headers: dict[str, list[str]] = {}
    numbers: dict[str, list[int]] = {}
    for number, (name, path) in enumerate(files):
        header = _header(path)
        first = headers.setdefault(name, header)
        if header != first:
            raise SourceError(
                f"{path}: the columns are {', '.join(header)}; those of "
                f"{files[numbers[name][0]][1].name} are {', '.join(first)}."
            )
        numbers.setdefault(name, []).append(number)
    entities: dict[str, Entity] = {}
    relations = []
    for name in names:
        if _relation(name, names) is None:
            label = name[0].upper() + name[1:]
            columns = headers[name]
            _no_repeats(files[numbers[name][0]][1], columns)
            wanted = ("id", f"{name}id")
            key = next((n for n, c in enumerate(columns) if c.casefold() in wanted), 0)
            entities[name.casefold()] = Entity(label, columns, key, numbers[name])
    for name in names:
        parts = _relation(name, names)
        if parts is None:
            continue
        columns, path = headers[name], files[numbers[name][0]][1]
        source, label, target = parts
        if source.casefold() not in entities:
            near = did_you_mean(source, names)
            raise SourceError(f"{path}: there is no file of the entity {source}.{near}")
        ends = [n for n, column in enumerate(columns) if column.casefold().endswith("id")][:2]
        values_only = target.casefold() not in entities
        if values_only and len(ends) == 1 and len(columns) == 2:
            ends = [ends[0], 1 - ends[0]]
        if len(ends) != 2:
            raise SourceError(f"{path}: a relation has two columns of ids; it has {columns}.")
        if values_only:
            made = target[0].upper() + target[1:]
            entities[target.casefold()] = Entity(made, [columns[ends[1]].split(".")[-1]], 0, [])
        _no_repeats(path, [c for n, c in enumerate(columns) if n not in ends])
        relations.append(
            Relation(
                source.casefold(),
                label,
                target.casefold(),
                columns,
                (ends[0], ends[1]),
                numbers[name],
                values_only,
            )
        )
    return _Layout(entities, relations)


def _header(path: Path) -> list[str]:
    rows: Iterator[tuple[int, list[str]]] = csv_rows(path, DELIMITER)
    first_row = next(rows, None)
    if first_row is None or not all(name.strip() for name in first_row[1]):
        raise SourceError(f"{path}: the first line does not name the columns.")
    return [name.strip().split(":")[0] for name in first_row[1]]


def _no_repeats(path: Path, columns: list[str]) -> None:
    twice = next((name for name in columns if columns.count(name) > 1), None)
    if twice is not None:
        raise SourceError(f"{path}: the column {twice} is there twice.")


SOURCE = LdbcCsvSource()
