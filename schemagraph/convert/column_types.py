"""The one type that a property gets from what its source column declares and holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import ceil
from typing import Any

from schemagraph import decimals, json_lists
from schemagraph.encoding import EXACT, number_of
from schemagraph.mapping import Affinity, TextForm
from schemagraph.model import Kind, Type
from schemagraph.relational import SourceColumn
from schemagraph.storage_classes import Lane, Lanes
from schemagraph.temporal import ISO, PRINTED, Format, formats, is_readable, prints_exactly
from schemagraph.text_forms import (
    NO_TEXT,
    UNKNOWN_SPELLING,
    Blanks,
    Spelling,
    are_words,
    blanks,
    candidates,
    has_form,
    special_letters,
    spelling,
)

_MOMENTS = ("DATETIME", "DATETIME2", "SMALLDATETIME", "TIMESTAMP")
_DAYS = (Kind.DATE, Kind.DATETIME)
_NUMBERS = (
    *("NUM", "DEC", "FIXED", "MONEY", "SMALLMONEY", "CURRENCY", "YEAR", "BIT", "UNSIGNED"),
    *("SERIAL", "BIGSERIAL", "SMALLSERIAL", "AUTONUMBER", "COUNTER"),
)
_NUMERIC_CLASSES = frozenset({Lane.INTEGER, Lane.REAL})


@dataclass(frozen=True, slots=True)
class ColumnType:
    """What a column becomes; see `schemagraph.mapping.Column` for the flags."""

    type: Type
    mixed: bool = False
    integers: bool = False
    literals: bool = False
    undecodable: bool = False
    decimals: int | None = None
    digits: int | None = None
    most: int | None = None
    form: TextForm = TextForm.FREE
    ascii: bool = False
    special_casing: str | None = None
    blanks: tuple[Blanks, ...] = ()
    spelling: Spelling = UNKNOWN_SPELLING
    format: Format = ISO
    unseen: bool = False
    nan: bool = False
    nul: bool = False


_ANYTHING = ColumnType(Type(Kind.STRING), mixed=True, integers=True, unseen=True)


def declared_kind(column: SourceColumn) -> Kind:
    """The kind a declaration speaks of, before any value is seen."""
    word = column.declared.upper().split("(")[0].strip()
    if word.startswith("BOOL"):
        return Kind.BOOLEAN
    if word in ("DATE", "TIME"):
        return Kind(word)
    if word in _MOMENTS or word.startswith("TIMESTAMP WITH"):
        return Kind.DATETIME
    if column.affinity is Affinity.BLOB:
        return Kind.BYTES if word else Kind.STRING
    return {
        Affinity.INTEGER: Kind.INTEGER,
        Affinity.REAL: Kind.FLOAT,
        Affinity.NUMERIC: Kind.FLOAT,
        Affinity.TEXT: Kind.STRING,
    }[column.affinity]


def unseen_type(column: SourceColumn) -> ColumnType:
    """The type for a column of a table without rows: what its values are, its declaration says.

    How they are written, none shows. A NUMERIC column of SQLite stores whole numbers as integers.
    What is declared without a type there, or as one that SQLite does not know (`UUID`, `JSON`,
    `STRING` are NUMERIC to it, and hold text), may hold anything.
    """
    if column.type is not None:
        return _unread(column.type)
    kind = declared_kind(column)
    word = column.declared.upper().strip()
    if column.affinity is Affinity.BLOB and "BLOB" not in word:
        return _ANYTHING
    if column.affinity is not Affinity.NUMERIC or kind is not Kind.FLOAT:
        return _unread(Type(kind))
    return ColumnType(Type(kind), integers=True) if word.startswith(_NUMBERS) else _ANYTHING


def _unread(declared: Type) -> ColumnType:
    return ColumnType(declared, special_casing="" if declared.kind is Kind.STRING else None)


def column_type(
    column: SourceColumn, classes: frozenset[Lane], batches: Callable[[], Iterable[Lanes]]
) -> ColumnType:
    """The type for a column that holds values of `classes`; `batches` are all its values."""
    if column.type is not None:
        return _typed(column, column.type, classes, batches)
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
        kinds = sorted(_DAYS, key=declared.__ne__) if declared in _DAYS else [declared]
        return _text_type(kinds, batches(), ends=True)
    if classes <= {Lane.TEXT, Lane.RAW}:
        return ColumnType(Type(Kind.BYTES), undecodable=True)
    if classes == _NUMERIC_CLASSES and all(_is_float(cells) for cells in batches()):
        return ColumnType(Type(Kind.FLOAT), integers=True)
    reals = column.affinity is Affinity.BLOB and Lane.REAL in classes
    nul = any(_has_nul(cells[Lane.TEXT]) for cells in batches() if Lane.TEXT in cells)
    if classes <= {*_NUMERIC_CLASSES, Lane.TEXT} and not any(
        _looks_numeric(cells) for cells in batches()
    ):
        words = all(are_words(cells) for cells in batches())
        form = TextForm.WORD if words else TextForm.FREE
        return ColumnType(Type(Kind.STRING), mixed=True, form=form, integers=reals, nul=nul)
    return ColumnType(Type(Kind.STRING), mixed=True, literals=True, integers=reals, nul=nul)


def _typed(
    column: SourceColumn,
    declared: Type,
    classes: frozenset[Lane],
    batches: Callable[[], Iterable[Lanes]],
) -> ColumnType:
    """The type for a column whose engine allows one type of value only."""
    if not classes:
        return ColumnType(declared, form=TextForm.EMPTY, ascii=True, spelling=NO_TEXT)
    (lane,) = classes
    arrays = (cells[lane] for cells in batches() if cells)
    if lane is Lane.NUMBER:
        kind, places = decimals.kind_of(arrays)
        digits = _most_digits(column, batches()) if kind is Kind.INTEGER else None
        most = _most(column, batches()) if kind is not Kind.STRING else None
        return ColumnType(Type(kind), decimals=places, digits=digits, most=most)
    if declared.kind is Kind.BOOLEAN and not all(_is_boolean(cells) for cells in batches()):
        return ColumnType(Type(Kind.INTEGER))  # MySQL's BOOLEAN holds any small number
    if lane is Lane.INTEGER:
        most = _most(column, batches()) if declared.kind is Kind.INTEGER else None
        return ColumnType(declared, digits=_most_digits(column, batches()), most=most)
    if lane is not Lane.TEXT:
        if lane is not Lane.REAL:
            return ColumnType(declared)
        nan, digits = any(map(_has_nan, arrays)), _most_of_reals(column, batches())
        return ColumnType(declared, nan=nan, digits=digits)
    if declared.kind is Kind.LIST:
        item = json_lists.item_of(arrays)
        if item is not None:
            return ColumnType(Type(Kind.LIST, Type(item)))
    elif (
        declared.kind not in PRINTED
        and declared.kind is not Kind.STRING
        and all(is_readable(declared.kind, texts) for texts in arrays)
    ):
        return ColumnType(declared)
    return _text_type([declared.kind], batches(), pads=column.pads, folds=column.folds)


def _most_digits(column: SourceColumn, batches: Iterable[Lanes]) -> int | None:
    """How many digits the largest integer of a column has, where that is to be known."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not column.counts_digits:
        return None
    ends = [
        pc.min_max(array.cast(pa.int64())).as_py()
        for cells in batches
        for array in cells.values()
        if len(array) > array.null_count
    ]
    return max((len(str(abs(end))) for pair in ends for end in pair.values()), default=None)


def _most(column: SourceColumn, batches: Iterable[Lanes]) -> int | None:
    """The size of a column's largest exact number as a whole one, where that is to be known."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not column.measured:
        return None
    ends = [
        pc.min_max(array if pa.types.is_integer(array.type) else array.cast(pa.float64())).as_py()
        for cells in batches
        for array in cells.values()
        if len(array) > array.null_count
    ]
    sizes = [abs(end) for pair in ends for end in pair.values()]
    return max((ceil(size) for size in sizes), default=None)


def _most_of_reals(column: SourceColumn, batches: Iterable[Lanes]) -> int | None:
    """How many digits the longest real of a column has as the shortest text that is it, where that
    is to be known; None where one is infinite."""
    import pyarrow.compute as pc

    if not column.counts_digits:
        return None
    most = 0
    for cells in batches:
        for array in cells.values():
            for value in pc.unique(array.drop_null()).to_pylist():
                digits = Decimal(repr(value)).normalize().as_tuple()
                if not isinstance(digits.exponent, int):
                    return None
                most = max(most, len(digits.digits))
    return most


def _text_type(
    kinds: Sequence[Kind],
    batches: Iterable[Lanes],
    *,
    pads: bool = False,
    folds: bool = False,
    ends: bool = False,
) -> ColumnType:
    """The type of a column of texts, in one pass: how all of them are written.

    It is the first of the temporal `kinds` in one format of which all texts are written. `ends`:
    the source takes U+0000 for the end of a text.
    """
    import pyarrow.compute as pc

    ascii_only, nul = True, False
    special: set[str] = set()
    blank: set[Blanks] = set()
    spelled = NO_TEXT
    forms: list[TextForm] | None = None
    prints: list[tuple[Kind, Format]] | None = None
    for texts in (cells[Lane.TEXT] for cells in batches if cells):
        if prints is None:
            temporal = [kind for kind in kinds if kind in PRINTED]
            prints = [(kind, form) for kind in temporal for form in formats(kind, texts)]
        prints = [(kind, form) for kind, form in prints if prints_exactly(kind, form, texts)]
        plain = bool(pc.all(pc.string_is_ascii(texts)).as_py())
        ascii_only = ascii_only and plain
        special |= set() if plain else special_letters(texts)
        blank |= blanks(texts) if pads else set()
        nul = nul or (ends and _has_nul(texts))
        spelled |= spelling(texts) if folds and spelled.signs is not None else spelled
        forms = candidates(texts) if forms is None else forms
        forms = [form for form in forms if has_form(form, texts)]
    if prints:
        kind, written = prints[0]
        return ColumnType(Type(kind), format=written)
    form = forms[0] if forms else TextForm.FREE
    letters = None if ascii_only else "".join(sorted(special))
    return ColumnType(
        Type(Kind.STRING),
        form=form,
        ascii=ascii_only,
        special_casing=letters,
        blanks=tuple(sorted(blank)),
        spelling=spelled,
        nul=nul,
    )


def _is_boolean(cells: Lanes) -> bool:
    import pyarrow.compute as pc

    if not cells:
        return True
    bounds = pc.min_max(cells[Lane.INTEGER]).as_py()
    return bool(bounds["min"] >= 0 and bounds["max"] <= 1)


def _is_float(cells: Lanes) -> bool:
    """Whether integers are exact as floats and no real could be taken for an integer."""
    import pyarrow.compute as pc

    if Lane.INTEGER in cells:
        bounds = pc.min_max(cells[Lane.INTEGER]).as_py()
        if bounds["min"] < -EXACT or bounds["max"] > EXACT:
            return False
    if Lane.REAL in cells:
        reals = cells[Lane.REAL]
        whole = pc.and_(
            pc.equal(pc.floor(reals), reals), pc.less_equal(pc.abs(reals), float(EXACT))
        )
        return not pc.any(whole).as_py()
    return True


def _has_nan(floats: Any) -> bool:
    import pyarrow.compute as pc

    return bool(pc.any(pc.is_nan(floats)).as_py())


def _has_nul(texts: Any) -> bool:
    import pyarrow.compute as pc

    return bool(pc.any(pc.match_substring(texts, "\0")).as_py())


def _looks_numeric(cells: Lanes) -> bool:
    if Lane.TEXT not in cells:
        return False
    return any(
        number_of(text) is not None for text in cells[Lane.TEXT].unique().to_pylist() if text
    )
