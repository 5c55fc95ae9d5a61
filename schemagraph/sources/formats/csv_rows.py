"""CSV files as rows of texts with line numbers, and texts as values of a declared kind."""

from __future__ import annotations

import csv
import math
import re
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Callable, Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

from graphmill.errors import SourceError
from graphmill.json_places import integer
from graphmill.regular import check_regular

_LONGEST = 1 << 30
_LINES = 40  # bits of a place that are the line


def place(file: int, line: int) -> int:
    """File and line as the one number that elements carry."""
    return file << _LINES | line


def described(files: list[Path]) -> Callable[[int], str]:
    """What tells people a `place` in one of these files."""
    return lambda at: f"{files[at >> _LINES]}, line {at & ((1 << _LINES) - 1)}"


def csv_rows(path: Path, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Rows with the line each begins on (from 1); blank lines are none.

    Raises:
        SourceError: the file is missing, no UTF-8 or no CSV (a quote that nothing closes).
    """
    check_regular(path)
    csv.field_size_limit(_LONGEST)
    line = 0
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.reader(stream, delimiter=delimiter, strict=True)
            for row in reader:
                if row:
                    yield line + 1, row
                line = reader.line_num
    except UnicodeDecodeError as problem:
        raise SourceError(f"{path}, after line {line}: not UTF-8 ({problem.reason}).") from None
    except csv.Error as problem:
        raise SourceError(f"{path}, line {line + 1}: not CSV ({problem}).") from None
    except OSError as problem:
        raise SourceError(f"{path} cannot be read: {problem.strerror}.") from None


# --- texts as values -----------------------------------------------------------------------

_INTEGER = re.compile(r"[+-]?[0-9]+\Z")


def whole(bits: int) -> Callable[[str], int]:
    """What reads integers of so many bits.

    >>> whole(8)("-128")
    -128
    """

    def read(text: str) -> int:
        if not _INTEGER.match(text):
            raise ValueError("not an integer")
        value = integer(text)
        if not -(1 << bits - 1) <= value < 1 << bits - 1:
            raise ValueError(f"more than {bits} bits")
        return value

    return read


def real(text: str) -> float:
    """A number.

    >>> real("1e3")
    1000.0
    """
    value = float(text.replace("_", "?"))
    if math.isinf(value) and "inf" not in text.lower():
        raise ValueError("too large")
    return value


def truth(text: str) -> bool:
    """`true` and `false`, or 1 and 0."""
    truth_value = {"true": True, "1": True, "false": False, "0": False}.get(text.lower())
    if truth_value is None:
        raise ValueError("neither true nor false")
    return truth_value


def day(text: str) -> date:
    """A date, `2024-01-31`."""
    return date.fromisoformat(text)


def moment(text: str) -> datetime:
    """A date with a time, `2024-01-31 12:00:00` or with `T`."""
    if len(text) <= 10:
        raise ValueError("no time")
    return datetime.fromisoformat(text)


def blob(text: str) -> bytes:
    """Bytes in base64."""
    try:
        return b64decode(text, validate=True)
    except Base64Error as problem:
        raise ValueError(str(problem)) from None


def read_value(read: Callable[[str], Any], text: str, where: str, name: str, kind: str) -> Any:
    """`text` as a value.

    Raises:
        SourceError: it is none of its kind.
    """
    try:
        return read(text)
    except ValueError as problem:
        shown = text if len(text) <= 60 else f"{text[:60]}…"
        raise SourceError(f"{where}, column {name}: '{shown}' is no {kind} ({problem}).") from None
