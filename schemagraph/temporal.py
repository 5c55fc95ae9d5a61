"""Dates and times that are stored as text: how they are written, and which texts printing a typed
value in that way gives back.

A **print format** is the one way in which all texts of a column are written: `2024-01-31` and
`12:30:00` with `T` or a space between, and a fraction. It is said as a pattern, in which letters
stand for digits: `YYYY-MM-DD hh:mm:ss`, `YYYY-MM-DDThh:mm:ss.fff`, `hh:mm:ss.000` (a fraction that
is zero in all texts), `YYYY-MM-DD hh:mm:ss[.ffffff]` (six digits where there is a fraction). The
empty pattern is ISO 8601 as Python writes it, with `T` and the last of these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from schemagraph.arrow import arrow_type
from schemagraph.model import Kind, Type

PRINTED = frozenset({Kind.DATE, Kind.TIME, Kind.DATETIME})
_MICROS = 1_000_000
_FIRST = datetime(1, 1, 1)
_PATTERN = re.compile(r"(?:YYYY-MM-DD([T ]))?hh:mm:ss(\[\.ffffff\]|\.0{1,6}|\.f{1,6})?")


@dataclass(frozen=True, slots=True)
class Format:
    """How dates and times are written; see the module's text.

    `digits` of a fraction are written always; -1: six where there is one. `zero`: all of them
    are 0 in the data.
    """

    separator: str = "T"
    digits: int = -1
    zero: bool = False

    def pattern(self, kind: Kind) -> str:
        """The format as text; empty for ISO 8601.

        >>> Format(" ", 3).pattern(Kind.DATETIME), Format().pattern(Kind.TIME)
        ('YYYY-MM-DD hh:mm:ss.fff', '')
        """
        if kind is Kind.DATE or self == Format():
            return ""
        fraction = "." + ("0" if self.zero else "f") * self.digits
        fraction = "[.ffffff]" if self.digits < 0 else fraction
        clock = f"hh:mm:ss{fraction if self.digits else ''}"
        return f"YYYY-MM-DD{self.separator}{clock}" if kind is Kind.DATETIME else clock

    def alike(self, other: Format) -> bool:
        """Whether texts of both formats are equal and in order just where the values are."""
        same = self.separator == other.separator
        return same and max(self.digits, 0) == max(other.digits, 0)

    @property
    def whole(self) -> bool:
        """Whether no value has a fraction of a second."""
        return self.digits == 0 or self.zero

    @property
    def grain(self) -> int:
        """Microseconds between two values that the format can tell apart."""
        return 1 if self.digits < 0 else _MICROS if self.whole else 10 ** (6 - self.digits)


ISO = Format()


def format_of(pattern: str) -> Format:
    """The format that a pattern says.

    Raises:
        ValueError: it is none.
    """
    if not pattern:
        return ISO
    match = _PATTERN.fullmatch(pattern)
    if match is None:
        raise ValueError(f"{pattern!r} is no format of dates and times")
    fraction = match[2] or ""
    digits = -1 if "[" in fraction else max(len(fraction) - 1, 0)
    return Format(match[1] or "T", digits, zero="0" in fraction)


def text_of(kind: Kind, form: Format, micros: int) -> str:
    """A value as text: a day, a moment or a time of day, in microseconds since the first of all.

    >>> text_of(Kind.DATETIME, Format(" ", 2), 250_000)
    '0001-01-01 00:00:00.25'
    """
    moment = _FIRST + timedelta(microseconds=micros)
    if kind is Kind.DATE:
        return moment.date().isoformat()
    clock, fraction = moment.time().replace(microsecond=0).isoformat(), f"{moment.microsecond:06}"
    if form.digits < 0:
        clock += f".{fraction}" if moment.microsecond else ""
    elif form.digits:
        clock += f".{fraction[: form.digits]}"
    day = f"{moment.date().isoformat()}{form.separator}" if kind is Kind.DATETIME else ""
    return day + clock


def least_from(kind: Kind, form: Format, text: str) -> tuple[str, bool] | None:
    """The least value whose text is not below `text`, in ISO 8601, and whether it is `text`.

    None where the texts of all values are below. Texts are in the order of their values, so that
    comparing a column with any text is comparing values with this one.

    >>> least_from(Kind.DATETIME, Format(" ", 0), "2024-05")
    ('2024-05-01T00:00:00', False)
    """
    grain = 86_400 * _MICROS if kind is Kind.DATE else form.grain
    span = timedelta(1) if kind is Kind.TIME else datetime.max - _FIRST + timedelta.resolution
    low, high = 0, span // timedelta(microseconds=grain)
    end = high
    while low < high:
        middle = (low + high) // 2
        if text_of(kind, form, middle * grain) < text:
            low = middle + 1
        else:
            high = middle
    if low == end:
        return None
    least = low * grain
    return text_of(kind, ISO, least), text_of(kind, form, least) == text


def formats(kind: Kind, texts: Any) -> Iterator[Format]:
    """The formats to try, given some of the texts of a column: the plainest first."""
    import pyarrow.compute as pc

    if kind is Kind.DATE:
        yield ISO
        return
    start = 11 if kind is Kind.DATETIME else 0
    first = texts.drop_null()[:1].to_pylist()
    separator = " " if first and first[0][10:11] == " " and start else "T"
    sizes = set(pc.unique(pc.utf8_length(texts)).to_pylist()) - {None}
    if sizes == {start + 8}:
        yield Format(separator, 0)
    elif len(sizes) == 1:
        digits = sizes.pop() - start - 9
        if 1 <= digits <= 6:
            yield Format(separator, digits, zero=True)
            yield Format(separator, digits)
    yield Format(separator)


_LENGTHS = {Kind.DATE: 0, Kind.TIME: 8, Kind.DATETIME: 19}


def prints_exactly(kind: Kind, form: Format, texts: Any) -> bool:
    """Whether every text is what printing its typed value in the format gives."""
    import pyarrow as pa
    import pyarrow.compute as pc

    size = _LENGTHS[kind]
    sizes = [size, size + 7] if form.digits < 0 else [size + form.digits + (form.digits > 0)]
    sizes = [10] if kind is Kind.DATE else sizes
    lengths = pc.is_in(pc.utf8_length(texts), value_set=pa.array(sizes, pa.int32()))
    if not pc.all(pc.or_kleene(lengths, texts.is_null())).as_py():
        return False
    if kind is not Kind.TIME and (pc.min(texts).as_py() or "1") < "0001-01-01":
        return False
    try:
        printed = print_all(kind, form, typed(kind, texts))
    except pa.ArrowInvalid:
        return False
    return bool(printed.equals(texts))


def print_all(kind: Kind, form: Format, array: Any) -> Any:
    """Typed values as texts of the format."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = array.cast(pa.string())
    if kind is Kind.DATE:
        return texts
    if form.digits < 0:
        texts = pc.replace_substring_regex(texts, r"\.000000$", "")
    else:
        start = _LENGTHS[kind]
        end = start + 1 + form.digits if form.digits else start
        kept = pc.utf8_slice_codeunits(texts, start, end)
        if form.zero:
            kept = pc.if_else(texts.is_valid(), "." + "0" * form.digits, None)
        texts = pc.binary_join_element_wise(pc.utf8_slice_codeunits(texts, 0, start), kept, "")
    if kind is Kind.DATETIME and form.separator == "T":
        texts = pc.replace_substring(texts, " ", "T", max_replacements=1)
    return texts


def typed(kind: Kind, texts: Any) -> Any:
    """ISO texts, also with a space for the `T`, as an array of the temporal kind.

    Arrow parses no times, so they get a day.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if kind is Kind.TIME:
        dated = pc.binary_join_element_wise("1970-01-01", texts, "T")
        return dated.cast(pa.timestamp("us")).cast(pa.time64("us"))
    return texts.cast(arrow_type(Type(kind)))


_CLOCK = r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?"
_ZONE = r"(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
_READABLE = {
    Kind.ZONED_DATETIME: rf"^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}T{_CLOCK}{_ZONE}$",
    Kind.ZONED_TIME: rf"^{_CLOCK}{_ZONE}$",
    Kind.DURATION: r"^P(-?[0-9]+Y)?(-?[0-9]+M)?(-?[0-9]+D)?"
    r"(T(-?[0-9]+H)?(-?[0-9]+M)?(-?[0-9]+(\.[0-9]{1,6})?S)?)?$",
}


def is_readable(kind: Kind, texts: Any) -> bool:
    """Whether all texts are values of a kind that GraphData keeps as ISO 8601 text."""
    import pyarrow.compute as pc

    if kind not in _READABLE:
        return True
    if not pc.all(pc.match_substring_regex(texts, _READABLE[kind])).as_py():
        return False
    if kind is Kind.DURATION:
        return bool(pc.all(pc.match_substring_regex(texts, "[0-9][YMDHS]$")).as_py())
    return kind is not Kind.ZONED_DATETIME or bool(pc.min(texts).as_py() >= "0001-01-01")
