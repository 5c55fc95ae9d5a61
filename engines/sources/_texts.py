"""Answers of a source without types for dates: its texts in the form that graph engines give."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from engines.base import Result
from schemagraph.model import Kind

_CLOCK = r"(\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?"
_FORMS = {
    Kind.DATETIME: re.compile(rf"(\d{{4}}-\d\d-\d\d)[T ]{_CLOCK}", re.ASCII),
    Kind.TIME: re.compile(rf"(){_CLOCK}", re.ASCII),
}


def as_typed(answer: Result, kinds: Sequence[Kind]) -> Result:
    """`answer` with the texts of each column of a temporal kind as `engines.values` writes them.

    `kinds` are those that the query's meaning has in the graph, column by column. What is no text
    of its column's kind stays as it is, and so differs from what the graph gives.

    >>> as_typed(Result(("at",), (("2024-05-01 10:00:00.250",),)), [Kind.DATETIME]).rows
    (('2024-05-01T10:00:00.250000',),)
    """
    forms = [_FORMS.get(kind) for kind in kinds]
    if not any(forms) or len(forms) != len(answer.columns):
        return answer
    rows = tuple(
        tuple(_read(form, value) for form, value in zip(forms, row, strict=True))
        for row in answer.rows
    )
    return Result(answer.columns, rows)


def _read(form: re.Pattern[str] | None, value: Any) -> Any:
    match = form.fullmatch(value) if form is not None and isinstance(value, str) else None
    if match is None:
        return value
    day, clock, digits = match.groups()
    fraction = (digits or "").ljust(6, "0")
    whole = f"{day}T{clock}" if day else clock
    return whole if fraction == "000000" else f"{whole}.{fraction}"
