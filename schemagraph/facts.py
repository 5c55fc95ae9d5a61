"""What the data says about keys and references: asked of DuckDB over the staged tables.

DuckDB joins and groups what is larger than memory; it is a tool here, no source and no judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from schemagraph.cells import Lane, Lanes, values
from schemagraph.encoding import ColumnType, column_type
from schemagraph.mapping import Affinity
from schemagraph.sources.relational import Reference, SourceColumn, SourceTable
from schemagraph.staging import ROW, StagedTable, lane_name

_NUMERIC = frozenset({Affinity.INTEGER, Affinity.REAL, Affinity.NUMERIC})
_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """A column's type, how many NULLs it has, whether all other values differ."""

    type: ColumnType
    nulls: int = 0
    unique: bool = False


@dataclass(frozen=True, slots=True)
class ReferenceFacts:
    """How a foreign key fares: rows without NULL in it, and how many of them find their row.

    `unique`: no two rows of the referenced table have the same values there. `folded`: the
    collation of the columns equates values that differ, so that an SQL join finds other pairs.
    `exact`: a value and the one it finds are stored alike, so that either stands for both.
    `orphans` are a few values that find no row.
    """

    filled: int = 0
    matched: int = 0
    unique: bool = True
    folded: bool = False
    exact: bool = True
    orphans: tuple[tuple[Any, ...], ...] = ()


type References = Mapping[tuple[tuple[str, ...], str, tuple[str, ...]], ReferenceFacts]
"""Facts of a table's references by (columns, table, referenced)."""


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What the data says of one table, columns and references in the table's order.

    `keys` are those of the declared keys (primary, then unique ones) that hold in the data.
    """

    rows: int
    columns: tuple[ColumnFacts, ...]
    keys: tuple[tuple[str, ...], ...] = ()
    references: tuple[ReferenceFacts, ...] = ()


@dataclass(frozen=True, slots=True)
class Match:
    """SQL for both sides of a reference: equal texts where the source's `=` is true.

    `direct`: the stored values themselves are compared.
    """

    child: tuple[str, ...]
    parent: tuple[str, ...]
    direct: bool

    def on(self, child: str, parent: str) -> str:
        """The join condition between the two aliases."""
        return " AND ".join(
            f"{_at(c, child)} = {_at(p, parent)}"
            for c, p in zip(self.child, self.parent, strict=True)
        )

    def filled(self, child: str) -> str:
        """That no referencing column of the alias is NULL."""
        return " AND ".join(f"{_at(c, child)} IS NOT NULL" for c in self.child)


class StagedDatabase:
    """All staged tables of one source, open for questions."""

    def __init__(self, tables: Sequence[StagedTable], folder: Path, memory: str = "400MB") -> None:
        import duckdb

        self.staged = {staged.table.name: staged for staged in tables}
        self._connection = duckdb.connect(
            config={
                "memory_limit": memory,
                "temp_directory": str(folder / "spill"),
                "threads": 2,
                "preserve_insertion_order": False,
                "autoinstall_known_extensions": False,
            }
        )
        self._views: dict[str, str] = {}
        for n, staged in enumerate(tables):
            view = f"staged_{n}"
            self._views[staged.table.name] = view
            if staged.files:
                files = ", ".join("'" + str(path).replace("'", "''") + "'" for path in staged.files)
                body = f"SELECT * FROM read_parquet([{files}], union_by_name = true)"
            else:
                body = f'SELECT 0::BIGINT AS "{ROW}" WHERE false'
            self._connection.execute(f"CREATE VIEW {view} AS {body}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._connection.close()

    def view(self, table: str) -> str:
        """The name under which the staged table is known in SQL."""
        return self._views[table]

    def one(self, text: str) -> tuple[Any, ...]:
        """The first row of an answer."""
        return tuple(self._connection.execute(text).fetchall()[0])

    def stream(self, text: str, rows: int = 65_536) -> Iterator[Any]:
        """An answer as Arrow record batches."""
        with self._connection.cursor() as cursor:
            yield from cursor.sql(text).to_arrow_reader(rows)

    # --- facts -------------------------------------------------------------------------

    def references(self, table: SourceTable, facts: TableFacts) -> References:
        """The facts of each reference of `table`."""
        return {
            (r.columns, r.table, r.referenced): found
            for r, found in zip(table.references, facts.references, strict=True)
        }

    def facts(self, table: SourceTable) -> TableFacts:
        """What the data says of `table`."""
        staged = self.staged[table.name]
        columns = []
        for n, column in enumerate(table.columns):
            kind = column_type(column, staged.classes[n], partial(staged.column, n))
            nulls = staged.digest.columns[column.name].nulls
            unique = column.name not in staged.repeated and self._distinct(table, (column.name,))
            columns.append(ColumnFacts(kind, nulls, unique))
        declared = [key for key in (table.key, *table.unique) if key]
        keys = tuple(key for key in declared if self._is_key(table, key, columns))
        references = tuple(self._reference(table, reference) for reference in table.references)
        return TableFacts(staged.rows, tuple(columns), keys, references)

    def _is_key(
        self, table: SourceTable, key: tuple[str, ...], columns: Sequence[ColumnFacts]
    ) -> bool:
        by_name = dict(zip((c.name for c in table.columns), columns, strict=True))
        if any(by_name[name].nulls for name in key):
            return False
        return any(by_name[name].unique for name in key) or self._distinct(table, key)

    def _distinct(self, table: SourceTable, columns: Sequence[str]) -> bool:
        """Whether no two rows without NULL in `columns` agree in all of them."""
        lanes_of = [self._lanes(table, name) for name in columns]
        if not all(lanes_of):
            return True  # a column without any value: no row to compare
        filled = " AND ".join(
            f"({' OR '.join(f'{name} IS NOT NULL' for name in found)})" for found in lanes_of
        )
        listed = ", ".join(name for found in lanes_of for name in found)
        view = self.view(table.name)
        (repeats,) = self.one(
            f"SELECT count(*) FROM (SELECT 1 FROM {view} WHERE {filled} "
            f"GROUP BY {listed} HAVING count(*) > 1 LIMIT 1)"
        )
        return not repeats

    def _lanes(self, table: SourceTable, name: str) -> list[str]:
        position = _position(table, name)
        found = self.staged[table.name].classes[position]
        return [f'"{lane_name(position, lane)}"' for lane in Lane if lane in found]

    def _reference(self, table: SourceTable, reference: Reference) -> ReferenceFacts:
        if not reference.referenced:
            return ReferenceFacts(unique=False)
        parent = self.staged[reference.table].table
        match = self.match(table, reference)
        child_view, parent_view = self.view(table.name), self.view(parent.name)
        (filled,) = self.one(f"SELECT count(*) FROM {child_view} c WHERE {match.filled('c')}")
        if not self._unique(parent_view, match):
            return ReferenceFacts(filled, unique=False)
        exists = f"EXISTS (SELECT 1 FROM {parent_view} p WHERE {match.on('c', 'p')})"
        (matched,) = self.one(
            f"SELECT count(*) FROM {child_view} c WHERE {match.filled('c')} AND {exists}"
        )
        folded = False
        if self._collated(table, reference):
            loose = self.match(table, reference, fold=True)
            (pairs,) = self.one(
                f"SELECT count(*) FROM {child_view} c, {parent_view} p WHERE {loose.on('c', 'p')}"
            )
            folded = pairs != matched
        orphans: tuple[tuple[Any, ...], ...] = ()
        if matched < filled:
            orphans = self._orphans(table, reference, f"{match.filled('c')} AND NOT {exists}")
        exact = match.direct or not filled
        return ReferenceFacts(filled, matched, True, folded, exact, orphans)

    def _unique(self, view: str, match: Match) -> bool:
        sides = [_at(side, "p") for side in match.parent]
        filled = " AND ".join(f"{side} IS NOT NULL" for side in sides)
        (repeats,) = self.one(
            f"SELECT count(*) FROM (SELECT 1 FROM {view} p WHERE {filled} "
            f"GROUP BY {', '.join(sides)} HAVING count(*) > 1 LIMIT 1)"
        )
        return not repeats

    def _orphans(
        self, table: SourceTable, reference: Reference, condition: str
    ) -> tuple[tuple[Any, ...], ...]:
        positions = [_position(table, name) for name in reference.columns]
        listed = [name for column in reference.columns for name in self._lanes(table, column)]
        found: list[tuple[Any, ...]] = []
        view = self.view(table.name)
        text = (
            f'SELECT {", ".join(listed)}, min("{ROW}") AS first FROM {view} c '
            f"WHERE {condition} GROUP BY {', '.join(listed)} ORDER BY first LIMIT {_EXAMPLES}"
        )
        for batch in self.stream(text):
            columns = [values(select(batch, "", n), batch.num_rows) for n in positions]
            found += zip(*columns, strict=True)
        return tuple(found)

    def _collated(self, table: SourceTable, reference: Reference) -> bool:
        return any(
            column.collation.upper() != "BINARY"
            for pair in self._pairs(table, reference)
            for column, classes in pair
            if Lane.TEXT in classes
        )

    def _pairs(
        self, table: SourceTable, reference: Reference
    ) -> list[tuple[tuple[SourceColumn, frozenset[Lane]], tuple[SourceColumn, frozenset[Lane]]]]:
        parent = self.staged[reference.table].table
        return [
            (self._column(table, own), self._column(parent, other))
            for own, other in zip(reference.columns, reference.referenced, strict=True)
        ]

    def _column(self, table: SourceTable, name: str) -> tuple[SourceColumn, frozenset[Lane]]:
        return table.column(name), self.staged[table.name].classes[_position(table, name)]

    def match(self, table: SourceTable, reference: Reference, fold: bool = False) -> Match:
        """How values of a reference are compared (sqlite.org/datatype3.html, section 4.2).

        With `fold`, text that the columns' collations may equate is equal too.
        """
        parent = self.staged[reference.table].table
        child_side, parent_side, all_direct = [], [], True
        names = zip(reference.columns, reference.referenced, strict=True)
        for (own, other), ((c, c_has), (p, p_has)) in zip(
            names, self._pairs(table, reference), strict=True
        ):
            at_child, at_parent = _position(table, own), _position(parent, other)
            direct = not fold and c_has == p_has and len(c_has) == 1 and Lane.REAL not in c_has
            if direct:
                (lane,) = c_has
                child_side.append(f'{{t}}."{lane_name(at_child, lane)}"')
                parent_side.append(f'{{t}}."{lane_name(at_parent, lane)}"')
                continue
            all_direct = False
            child_side.append(_comparable(at_child, c_has, c.affinity, p.affinity, fold))
            parent_side.append(_comparable(at_parent, p_has, p.affinity, c.affinity, fold))
        return Match(tuple(child_side), tuple(parent_side), all_direct)


def select(batch: Any, prefix: str, position: int) -> Lanes:
    """The lanes of a column in a record batch whose columns are called `<prefix><n>.<lane>`."""
    found = {}
    for lane in Lane:
        name = prefix + lane_name(position, lane)
        if name in batch.schema.names:
            array = batch.column(name)
            if array.null_count < len(array):
                found[lane] = array
    return found


def _at(expression: str, alias: str) -> str:
    return expression.replace("{t}", alias)


def _position(table: SourceTable, name: str) -> int:
    return next(n for n, column in enumerate(table.columns) if column.name == name)


def _comparable(
    position: int, classes: frozenset[Lane], own: Affinity, other: Affinity, fold: bool
) -> str:
    """A text that is equal for values the source's `=` finds equal; `{t}` is the table's alias."""
    to_number = own not in _NUMERIC and other in _NUMERIC
    to_text = own is Affinity.BLOB and other is Affinity.TEXT
    parts = []
    for lane in Lane:
        if lane not in classes:
            continue
        name = f'{{t}}."{lane_name(position, lane)}"'
        if lane is Lane.INTEGER:
            parts.append(f"'{'t' if to_text else 'n'}' || {name}")
        elif lane is Lane.REAL:
            parts.append(f"'t' || {name}" if to_text else _real(name))
        elif lane is Lane.TEXT:
            text = f"'t' || {_folded(name) if fold else name}"
            parts.append(f"coalesce({_as_number(name)}, {text})" if to_number else text)
        else:
            parts.append(f"'{'b' if lane is Lane.BLOB else 'r'}' || hex({name})")
    return f"coalesce({', '.join(parts)})" if parts else "NULL::VARCHAR"


def _folded(name: str) -> str:
    upper = "".join(map(chr, range(65, 91)))
    return f"rtrim(translate({name}, '{upper}', '{upper.lower()}'), ' ')"


def _real(name: str) -> str:
    whole = f"{name} = floor({name}) AND abs({name}) < 9.2e18"
    return f"CASE WHEN {whole} THEN 'n' || CAST({name} AS BIGINT) ELSE 'n' || {name} END"


def _as_number(name: str) -> str:
    trimmed = f"trim({name}, ' \t\n\r\f\v')"
    number = r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?"
    real = f"TRY_CAST({trimmed} AS DOUBLE)"
    return (
        f"CASE WHEN regexp_full_match({trimmed}, '[+-]?[0-9]+') "
        f"AND TRY_CAST({trimmed} AS BIGINT) IS NOT NULL "
        f"THEN 'n' || TRY_CAST({trimmed} AS BIGINT) "
        f"WHEN regexp_full_match({trimmed}, '{number}') THEN {_real(real)} END"
    )


def all_facts(database: StagedDatabase) -> Mapping[str, TableFacts]:
    """Facts of every staged table, by its name."""
    return {name: database.facts(staged.table) for name, staged in database.staged.items()}
