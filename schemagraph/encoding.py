"""From the storage classes of a source column to the one type of a property, and back.

`column_type` decides, `encode` and `decode` convert whole batches; decode(encode(x)) is x for
every column, which `schemagraph.lossless` checks on the data itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from schemagraph.arrow import arrow_type
from schemagraph.cells import Lane, Lanes, lanes, values
from schemagraph.mapping import Affinity, Column, TextForm
from schemagraph.model import Kind, Type
from schemagraph.sources.relational import RawText, SourceColumn
from schemagraph.temporal import PRINTS, prints_exactly, typed
from schemagraph.text_forms import are_words, candidates, has_form

_EXACT = 2**53  # integers up to here are exact in a FLOAT
_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)\Z")
_REAL = re.compile(r"-?([0-9.e+-]+|inf)\Z")
_NUMERIC_CLASSES = frozenset({Lane.INTEGER, Lane.REAL})


@dataclass(frozen=True, slots=True)
class ColumnType:
    """What a column becomes; see `schemagraph.mapping.Column` for the flags."""

    type: Type
    mixed: bool = False
    integers: bool = False
    literals: bool = False
    undecodable: bool = False
    form: TextForm = TextForm.FREE
    ascii: bool = False


def declared_kind(column: SourceColumn) -> Kind:
    """The kind a declaration speaks of, before any value is seen."""
    word = column.declared.upper().split("(")[0].strip()
    if word.startswith("BOOL"):
        return Kind.BOOLEAN
    if word in ("DATE", "TIME"):
        return Kind(word)
    if word in ("DATETIME", "TIMESTAMP"):
        return Kind.DATETIME
    if column.affinity is Affinity.BLOB:
        return Kind.BYTES if word else Kind.STRING
    return {
        Affinity.INTEGER: Kind.INTEGER,
        Affinity.REAL: Kind.FLOAT,
        Affinity.NUMERIC: Kind.FLOAT,
        Affinity.TEXT: Kind.STRING,
    }[column.affinity]


def column_type(
    column: SourceColumn, classes: frozenset[Lane], batches: Callable[[], Iterable[Lanes]]
) -> ColumnType:
    """The type for a column that holds values of `classes`; `batches` are all its values."""
    declared = declared_kind(column)
    if not classes:
        return ColumnType(Type(declared), form=TextForm.EMPTY, ascii=True)
    if classes == {Lane.INTEGER}:
        boolean = declared is Kind.BOOLEAN and all(_is_boolean(cells) for cells in batches())
        return ColumnType(Type(Kind.BOOLEAN if boolean else Kind.INTEGER))
    if classes == {Lane.REAL}:
        return ColumnType(Type(Kind.FLOAT))
    if classes == {Lane.BLOB}:
        return ColumnType(Type(Kind.BYTES))
    if classes == {Lane.TEXT}:
        return _text_type(declared, batches())
    if classes <= {Lane.TEXT, Lane.RAW}:
        return ColumnType(Type(Kind.BYTES), undecodable=True)
    if classes == _NUMERIC_CLASSES and all(_is_float(cells) for cells in batches()):
        return ColumnType(Type(Kind.FLOAT), integers=True)
    if classes <= {*_NUMERIC_CLASSES, Lane.TEXT} and not any(
        _looks_numeric(cells) for cells in batches()
    ):
        words = all(are_words(cells) for cells in batches())
        form = TextForm.WORD if words else TextForm.FREE
        return ColumnType(Type(Kind.STRING), mixed=True, form=form)
    return ColumnType(Type(Kind.STRING), mixed=True, literals=True)


def _text_type(declared: Kind, batches: Iterable[Lanes]) -> ColumnType:
    """The type of a column of texts, in one pass: how all of them are written."""
    import pyarrow.compute as pc

    exact, ascii_only = declared in PRINTS, True
    forms: list[TextForm] | None = None
    for texts in (cells[Lane.TEXT] for cells in batches if cells):
        exact = exact and prints_exactly(declared, texts)
        ascii_only = ascii_only and bool(pc.all(pc.string_is_ascii(texts)).as_py())
        forms = candidates(texts) if forms is None else forms
        forms = [form for form in forms if has_form(form, texts)]
        if not (exact or ascii_only or forms):
            break
    if exact:
        return ColumnType(Type(declared))
    form = forms[0] if forms else TextForm.FREE
    return ColumnType(Type(Kind.STRING), form=form, ascii=ascii_only)


def _is_boolean(cells: Lanes) -> bool:
    import pyarrow.compute as pc

    if not cells:
        return True
    found = pc.min_max(cells[Lane.INTEGER]).as_py()
    return bool(found["min"] >= 0 and found["max"] <= 1)


def _is_float(cells: Lanes) -> bool:
    """Whether integers are exact as floats and no real could be taken for an integer."""
    import pyarrow.compute as pc

    if Lane.INTEGER in cells:
        found = pc.min_max(cells[Lane.INTEGER]).as_py()
        if found["min"] < -_EXACT or found["max"] > _EXACT:
            return False
    if Lane.REAL in cells:
        reals = cells[Lane.REAL]
        whole = pc.and_(
            pc.equal(pc.floor(reals), reals), pc.less_equal(pc.abs(reals), float(_EXACT))
        )
        return not pc.any(whole).as_py()
    return True


def _looks_numeric(cells: Lanes) -> bool:
    if Lane.TEXT not in cells:
        return False
    return any(_number(text) is not None for text in cells[Lane.TEXT].unique().to_pylist() if text)


def _number(text: str) -> int | float | None:
    """The number whose shortest text is `text`."""
    if _INTEGER.match(text) and text != "-0":
        number = int(text)
        return number if -(2**63) <= number < 2**63 else None
    if _REAL.match(text):
        try:
            real = float(text)
        except ValueError:
            return None
        return real if repr(real) == text else None
    return None


def encode(column: Column, cells: Lanes, length: int) -> Any:
    """The values of a column as an Arrow array of its property's type."""
    import pyarrow as pa
    import pyarrow.compute as pc

    target = arrow_type(column.type)
    if not cells:
        return pa.nulls(length, target)
    if column.literals:
        return pa.array([_literal(value) for value in values(cells, length)], target)
    if column.mixed:
        parts = [cells[Lane.TEXT]] if Lane.TEXT in cells else []
        for lane in _NUMERIC_CLASSES & cells.keys():
            parts.append(_each(cells[lane], repr))
        return pc.coalesce(*parts)
    if column.undecodable:
        return pc.coalesce(*(array.cast(target) for array in cells.values()))
    if column.integers:
        return pc.coalesce(*(array.cast(target) for array in cells.values()))
    (array,) = cells.values()
    if column.type.kind in PRINTS:
        return typed(column.type.kind, array)
    return array if array.type == target else array.cast(target)


def decode(column: Column, array: Any) -> Lanes:
    """The inverse of `encode`: what the source stores for these property values."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if array.null_count == len(array):
        return {}
    if column.literals:
        return lanes([_from_literal(text) for text in array.to_pylist()])
    if column.mixed:
        return lanes([_from_mixed(text) for text in array.to_pylist()])
    if column.undecodable:
        return lanes([None if raw is None else RawText(raw) for raw in array.to_pylist()])
    if column.integers:
        whole = pc.equal(pc.floor(array), array)
        bounded = pc.less_equal(pc.abs(array), float(_EXACT))
        is_integer = pc.and_(whole, bounded)
        nothing = pa.scalar(None, pa.float64())
        found = {
            Lane.INTEGER: pc.if_else(is_integer, array, nothing).cast(pa.int64()),
            Lane.REAL: pc.if_else(is_integer, nothing, array),
        }
        return {lane: part for lane, part in found.items() if part.null_count < len(part)}
    kind = column.type.kind
    if kind in PRINTS:
        return {Lane.TEXT: PRINTS[kind](array)}
    if kind is Kind.BOOLEAN:
        return {Lane.INTEGER: array.cast(pa.int64())}
    plain = {Kind.INTEGER: Lane.INTEGER, Kind.FLOAT: Lane.REAL, Kind.BYTES: Lane.BLOB}
    return {plain.get(kind, Lane.TEXT): array}


def _each(array: Any, text: Callable[[Any], str]) -> Any:
    """Texts of an array's values, made once for each distinct value."""
    import pyarrow as pa

    coded = array.dictionary_encode()
    made = pa.array([text(value) for value in coded.dictionary.to_pylist()], pa.string())
    return made.take(coded.indices)


def _from_mixed(text: str | None) -> Any:
    number = None if text is None else _number(text)
    return text if number is None else number


def _literal(value: Any) -> str | None:
    """A value as an SQL literal.

    >>> [_literal(v) for v in (1, 1.0, float("-inf"), "it's", b"\\xff", RawText(b"\\xff"))]
    ['1', '1.0', '-9e999', "'it''s'", "X'FF'", "CAST(X'FF' AS TEXT)"]
    """
    match value:
        case None:
            return None
        case float() if value in (float("inf"), float("-inf")):
            return "9e999" if value > 0 else "-9e999"
        case int() | float():
            return repr(value)
        case str():
            return "'" + value.replace("'", "''") + "'"
        case RawText():
            return f"CAST(X'{value.hex().upper()}' AS TEXT)"
    return f"X'{value.hex().upper()}'"


def _from_literal(text: str | None) -> Any:
    if text is None:
        return None
    if text.startswith("'"):
        return text[1:-1].replace("''", "'")
    if text.startswith("X'"):
        return bytes.fromhex(text[2:-1])
    if text.startswith("CAST("):
        return RawText(bytes.fromhex(text[7:-10]))
    return int(text) if _INTEGER.match(text) else float(text)
