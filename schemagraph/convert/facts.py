"""What the data says about types, keys and references: what the mapping rules decide on."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from schemagraph.convert.column_types import ColumnType, column_type
from schemagraph.relational import Reference, SourceTable
from schemagraph.staging.comparison import at, is_collated, restorable
from schemagraph.staging.scratch import Scratch, select
from schemagraph.staging.staging import ROW, lane_name
from schemagraph.storage_classes import Lane, values

_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """A column's type, how many NULLs it has, whether it is declared unique and is so."""

    type: ColumnType
    nulls: int = 0
    unique: bool = False


@dataclass(frozen=True, slots=True)
class ReferenceFacts:
    """How a foreign key fares: rows without NULL in it, and how many of them find their row.

    `unique`: no two rows of the referenced table have the same values there. `folded`: the
    collation of the columns equates values that differ, so that an SQL join finds other pairs.
    `exact`: a value and the one it finds are stored alike, so that either stands for both.
    `restored`: it can at least be made of the one it finds
    (`schemagraph.staging.comparison.restored`). `orphans` are a few values that find no row.
    """

    filled: int = 0
    matched: int = 0
    unique: bool = True
    folded: bool = False
    exact: bool = True
    restored: bool = True
    orphans: tuple[tuple[Any, ...], ...] = ()


type References = Mapping[Reference, ReferenceFacts]


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What the data says of one table; columns in the table's order.

    `keys` are those of the declared keys (primary, then unique ones) that hold in the data,
    `unique` those of several columns, in which some rows may lack a value.
    """

    rows: int
    columns: tuple[ColumnFacts, ...]
    keys: tuple[tuple[str, ...], ...]
    references: References
    unique: tuple[tuple[str, ...], ...] = ()


def gather(scratch: Scratch) -> dict[str, TableFacts]:
    """Facts of every staged table, by its name."""
    unique: dict[tuple[str, tuple[str, ...]], bool] = {}
    with ThreadPoolExecutor(max_workers=2) as pool:  # Arrow and DuckDB work beside each other
        types = {
            name: [
                pool.submit(column_type, *each)
                for each in zip(staged.table.columns, staged.classes, staged.readers(), strict=True)
            ]
            for name, staged in scratch.staged.items()
        }
        return {name: _table(scratch, name, unique, types[name]) for name in scratch.staged}


def _table(
    scratch: Scratch,
    name: str,
    unique: dict[tuple[str, tuple[str, ...]], bool],
    types: list[Future[ColumnType]],
) -> TableFacts:
    staged = scratch.staged[name]
    table = staged.table
    nulls = {column: digest.nulls for column, digest in staged.digest.columns.items()}
    holding = [key for key in (table.key, *table.unique) if key and _distinct(scratch, table, key)]
    lacking = {column for column, count in nulls.items() if count}
    if not staged.rows:  # no data show that none is NULL; a primary key says it
        lacking = {column.name for column in table.columns if column.nullable} - {*table.key}
    keys = tuple(key for key in holding if lacking.isdisjoint(key))
    references = {r: _reference(scratch, table, r, unique) for r in table.references}
    columns = tuple(
        ColumnFacts(pending.result(), nulls[column.name], (column.name,) in holding)
        for column, pending in zip(table.columns, types, strict=True)
    )
    sets = tuple(key for key in dict.fromkeys(holding) if len(key) > 1)
    return TableFacts(staged.rows, columns, keys, references, sets)


def _distinct(scratch: Scratch, table: SourceTable, columns: tuple[str, ...]) -> bool:
    """Whether no two rows without NULL in `columns` agree in all of them."""
    stored = [scratch.stored(table, name) for name in columns]
    names = [
        [f'"{lane_name(column.position, lane)}"' for lane in Lane if lane in column.classes]
        for column in stored
    ]
    if not all(names):
        return True  # a column without any value: no row to compare
    filled = [f"({' OR '.join(f'{name} IS NOT NULL' for name in lanes)})" for lanes in names]
    listed = [name for lanes in names for name in lanes]
    return _no_repeats(scratch, f"{scratch.view(table.name)} p", listed, filled)


def _no_repeats(scratch: Scratch, origin: str, listed: list[str], conditions: list[str]) -> bool:
    (repeats,) = scratch.one(
        f"SELECT count(*) FROM (SELECT 1 FROM {origin} WHERE {' AND '.join(conditions)} "
        f"GROUP BY {', '.join(listed)} HAVING count(*) > 1 LIMIT 1)"
    )
    return not repeats


def _reference(
    scratch: Scratch,
    table: SourceTable,
    reference: Reference,
    unique: dict[tuple[str, tuple[str, ...]], bool],
) -> ReferenceFacts:
    if not reference.referenced:
        return ReferenceFacts(unique=False)
    match = scratch.match(table, reference)
    child, parent = (f"{scratch.view(table.name)} c", f"{scratch.view(reference.table)} p")
    filled_in = match.filled("c")
    (filled,) = scratch.one(f"SELECT count(*) FROM {child} WHERE {filled_in}")
    asked = (reference.table, match.parent)
    if asked not in unique:
        sides = [at(side, "p") for side in match.parent]
        unique[asked] = _no_repeats(
            scratch, parent, sides, [f"{side} IS NOT NULL" for side in sides]
        )
    if not unique[asked]:
        return ReferenceFacts(filled, unique=False)
    exists = f"EXISTS (SELECT 1 FROM {parent} WHERE {match.on('c', 'p')})"
    (matched,) = scratch.one(f"SELECT count(*) FROM {child} WHERE {filled_in} AND {exists}")
    orphans: tuple[tuple[Any, ...], ...] = ()
    if matched < filled:
        orphans = _orphans(scratch, table, reference, f"{filled_in} AND NOT {exists}")
    folded = _folded(scratch, table, reference, matched)
    if matched < filled and not folded:
        folded = _may_fold(scratch, table, reference, f"{filled_in} AND NOT {exists}")
    exact = match.direct or not filled
    restored = exact
    test = None if exact else restorable(scratch.pairs(table, reference))
    if test is not None:
        joined = f"{child} JOIN {parent} ON {match.on('c', 'p')}"
        (others,) = scratch.one(f"SELECT count(*) FROM {joined} WHERE NOT ({test})")
        restored = not others
    return ReferenceFacts(filled, matched, True, folded, exact, restored, orphans)


def _folded(scratch: Scratch, table: SourceTable, reference: Reference, matched: int) -> bool:
    """Whether the collation of a column makes the source join more than what is equal."""
    parent = scratch.staged[reference.table].table
    columns = [scratch.stored(table, name) for name in reference.columns]
    columns += [scratch.stored(parent, name) for name in reference.referenced]
    if not any(map(is_collated, columns)):
        return False
    loose = scratch.match(table, reference, fold=True)
    views = f"{scratch.view(table.name)} c, {scratch.view(reference.table)} p"
    (joined,) = scratch.one(f"SELECT count(*) FROM {views} WHERE {loose.on('c', 'p')}")
    return bool(joined != matched)


def _may_fold(scratch: Scratch, table: SourceTable, reference: Reference, orphans: str) -> bool:
    """Whether a collation may find a row for what finds none, as there are letters beyond ASCII."""
    parent = scratch.staged[reference.table].table
    sides = [
        (scratch.view(table.name), orphans, scratch.stored(table, own), "c")
        for own in reference.columns
    ] + [
        (scratch.view(parent.name), "true", scratch.stored(parent, other), "p")
        for other in reference.referenced
    ]
    for view, condition, column, alias in sides:
        if not column.source.folds or Lane.TEXT not in column.classes:
            continue
        name = f'{alias}."{lane_name(column.position, Lane.TEXT)}"'
        beyond = f"regexp_matches({name}, '[^\\x00-\\x7f]')"
        (count,) = scratch.one(
            f"SELECT count(*) FROM {view} {alias} WHERE {condition} AND {beyond}"
        )
        if count:
            return True
    return False


def _orphans(
    scratch: Scratch, table: SourceTable, reference: Reference, condition: str
) -> tuple[tuple[Any, ...], ...]:
    stored = [scratch.stored(table, name) for name in reference.columns]
    listed = ", ".join(
        f'"{lane_name(column.position, lane)}"'
        for column in stored
        for lane in Lane
        if lane in column.classes
    )
    orphans: list[tuple[Any, ...]] = []
    for batch in scratch.stream(
        f'SELECT {listed}, min("{ROW}") AS first FROM {scratch.view(table.name)} c '
        f"WHERE {condition} GROUP BY {listed} ORDER BY first LIMIT {_EXAMPLES}"
    ):
        columns = [values(select(batch, "", c.position), batch.num_rows) for c in stored]
        orphans += zip(*columns, strict=True)
    return tuple(orphans)
