"""SQL over staged tables that is true where the source's `=` is (sqlite.org/datatype3.html, 4.2).

Values of one storage class on both sides are compared as they are. Else both sides become texts
that are equal where the source finds the values equal: `n1` for the integer 1, the real 1.0 and,
beside a numeric column, the text `01`; `t…` for text, `b…` for a blob. Between two columns of which
none is numeric nothing is converted, whatever their affinities.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

from schemagraph.mapping import Affinity, Column
from schemagraph.model import Kind
from schemagraph.relational import SourceColumn
from schemagraph.staging.staging import lane_name
from schemagraph.storage_classes import Lane, Lanes, arrow_type

_NUMERIC = frozenset({Affinity.INTEGER, Affinity.REAL, Affinity.NUMERIC})


@dataclass(frozen=True, slots=True)
class Stored:
    """A staged column: its position, what is declared, the storage classes it holds."""

    position: int
    source: SourceColumn
    classes: frozenset[Lane]


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
            f"{at(c, child)} = {at(p, parent)}"
            for c, p in zip(self.child, self.parent, strict=True)
        )

    def filled(self, child: str) -> str:
        """That no referencing column of the alias is NULL."""
        return " AND ".join(f"{at(c, child)} IS NOT NULL" for c in self.child)


def at(expression: str, alias: str) -> str:
    """A side of a `Match` for the table called `alias`."""
    return expression.replace("{t}", alias)


def compare(pairs: Sequence[tuple[Stored, Stored]], *, fold: bool = False) -> Match:
    """How the columns of a reference are compared with those it names.

    With `fold`, text that the columns' collations may equate is equal too.
    """
    child_side, parent_side, all_direct = [], [], True
    for child, parent in pairs:
        same = child.classes == parent.classes and len(child.classes) == 1
        if same and not fold and not {Lane.REAL, Lane.NUMBER} & child.classes:
            (lane,) = child.classes
            child_side.append(f'{{t}}."{lane_name(child.position, lane)}"')
            parent_side.append(f'{{t}}."{lane_name(parent.position, lane)}"')
            continue
        all_direct = False
        cased = {child.source.collation.upper(), parent.source.collation.upper()} != {"BINARY"}
        folded = (_folded if cased else _trimmed) if fold else None
        child_side.append(_comparable(child, parent.source.affinity, folded))
        parent_side.append(_comparable(parent, child.source.affinity, folded))
    return Match(tuple(child_side), tuple(parent_side), all_direct)


_SAME_TEXT = "CAST({p} AS VARCHAR) = CAST({c} AS VARCHAR)"
_SAME_NUMBER = "{p} = {c} AND abs({p}) <= 9007199254740992"
# By the lanes of the referenced value and of the one that references it: whether that is the
# other in the one way in which `restored` makes it.
_RESTORED = {
    (Lane.INTEGER, Lane.TEXT): _SAME_TEXT,
    (Lane.TEXT, Lane.INTEGER): _SAME_TEXT,
    (Lane.INTEGER, Lane.REAL): _SAME_NUMBER,
    (Lane.REAL, Lane.INTEGER): _SAME_NUMBER,
    **{(lane, lane): _SAME_TEXT for lane in Lane},
}


def restorable(pairs: Sequence[tuple[Stored, Stored]]) -> str | None:
    """SQL that is true of rows `c` and `p` where `restored` makes the columns of `c` out of those
    of `p`; None where it cannot for some."""
    conditions = []
    for child, parent in pairs:
        if len(child.classes) != 1 or len(parent.classes) != 1:
            return None
        (own,), (other,) = child.classes, parent.classes
        test = _RESTORED.get((other, own))
        if test is None:
            return None
        names = {
            "c": f'c."{lane_name(child.position, own)}"',
            "p": f'p."{lane_name(parent.position, other)}"',
        }
        conditions.append(f"({test.format(**names)})")
    return " AND ".join(conditions)


def restored(cells: Lanes, classes: frozenset[Lane]) -> Lanes:
    """Referenced values as what references them stores them: `1` as `'1'`, or the other way."""
    if len(cells) != 1 or len(classes) != 1 or cells.keys() == classes:
        return cells
    (array,), (lane,) = cells.values(), classes
    return {lane: array.cast(arrow_type(lane))}


def is_collated(column: Stored) -> bool:
    """Whether texts of the column may be equal for the source that differ as stored."""
    collated = column.source.pads or column.source.collation.upper() != "BINARY"
    return collated and Lane.TEXT in column.classes


def compare_properties(child: Column, parent: Column) -> str:
    """The same over GraphData: that a property of `c` references a property of `p`."""
    mine, theirs = f'c."{child.property}"', f'p."{parent.property}"'
    if child.type.kind is parent.type.kind and _plain(child) and _plain(parent):
        return f"{mine} = {theirs}"
    pairs = product(
        _readings(mine, child, parent.affinity), _readings(theirs, parent, child.affinity)
    )
    return f"({' OR '.join(f'{own} = {other}' for own, other in pairs)})"


def _plain(column: Column) -> bool:
    is_text = column.type.kind is Kind.STRING
    return not (column.mixed or column.undecodable or (is_text and column.decimals is not None))


def _readings(name: str, column: Column, other: Affinity) -> list[str]:
    """The comparable texts that a property may stand for, as `_comparable` makes them.

    There are two for a mixed column where nothing is converted: `1` is a number, `01` is not.
    """
    reading = _property(name, column, other)
    if column.mixed and not column.literals and not {column.affinity, other} & _NUMERIC:
        return [reading, f"'t' || {name}"]
    return [reading]


def _property(name: str, column: Column, other: Affinity) -> str:
    to_number = column.affinity not in _NUMERIC and other in _NUMERIC
    if column.literals:
        unquoted = f"replace({name}[2:-2], chr(39) || chr(39), chr(39))"
        inner = f"'t' || {unquoted}"
        if to_number:
            inner = f"coalesce({_as_number(unquoted)}, {inner})"
        return (
            f"CASE WHEN {name}[1] = chr(39) THEN {inner} "
            f"WHEN {name}[1] = 'X' THEN 'b' || {name}[3:-2] "
            f"WHEN {name}[1] = 'C' THEN 'r' || {name}[8:-11] "
            f"WHEN {name} = '9e999' THEN 'ninf' WHEN {name} = '-9e999' THEN 'n-inf' "
            f"ELSE {_as_number(name)} END"
        )
    if column.undecodable:
        return f"'r' || hex({name})"
    match column.type.kind:
        case Kind.INTEGER | Kind.BOOLEAN:
            return f"'n' || CAST({name} AS BIGINT)"
        case Kind.FLOAT:
            return _real(name)
        case Kind.BYTES:
            return f"'b' || hex({name})"
    if column.decimals is not None:
        return _digits(name)
    text = f"'t' || {name}"
    if column.mixed:
        infinite = f"CASE WHEN {name} IN ('inf', '-inf') THEN 'n' || {name} END"
        return f"coalesce({infinite}, {_as_number(name)}, {text})"
    return f"coalesce({_as_number(name)}, {text})" if to_number else text


def _comparable(own: Stored, other: Affinity, fold: Callable[[str], str] | None) -> str:
    """A text that is equal for values the source's `=` finds equal; `{t}` is the table's alias."""
    to_number = own.source.affinity not in _NUMERIC and other in _NUMERIC
    parts = []
    for lane in Lane:
        if lane not in own.classes:
            continue
        name = f'{{t}}."{lane_name(own.position, lane)}"'
        if lane is Lane.INTEGER:
            parts.append(f"'n' || {name}")
        elif lane is Lane.REAL:
            parts.append(_real(name))
        elif lane is Lane.NUMBER:
            parts.append(_digits(name))
        elif lane is Lane.TEXT:
            text = f"'t' || {fold(name) if fold else name}"
            parts.append(f"coalesce({_as_number(name)}, {text})" if to_number else text)
        else:
            parts.append(f"'{'b' if lane is Lane.BLOB else 'r'}' || hex({name})")
    return f"coalesce({', '.join(parts)})" if parts else "NULL::VARCHAR"


def _digits(name: str) -> str:
    """Printed decimals without zeros at the end."""
    return rf"'n' || regexp_replace({name}, '(\.[0-9]*[1-9])0+$|\.0*$', '\1')"


def _trimmed(name: str) -> str:
    return f"rtrim({name}, ' ')"


def _folded(name: str) -> str:
    upper = "".join(map(chr, range(65, 91)))
    return _trimmed(f"translate({name}, '{upper}', '{upper.lower()}')")


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
