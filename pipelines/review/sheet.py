"""Ratings as CSV, out and in; no cell of it is a formula to a spreadsheet."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Sequence

from graphmill.errors import GraphmillError, shortened
from pipelines.review.sample import Item
from pipelines.review.store import FLAGS, Rating

COLUMNS = ("item", "expert", "alignment", "level", "flags", "note", "seconds")
_TEXTS = ("record", "question", "query")
_LONGEST = 1 << 17  # characters of a cell
_LEVELS = ("", "syntactic", "logical", "business")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def defused(text: str) -> str:
    """A cell that no spreadsheet takes for a formula: an apostrophe stands before what looks like
    one, and before an apostrophe, so that `fused` gives back the same text.

    >>> defused("=1+1"), defused("a=1"), fused(defused("'@x"))
    ("'=1+1", 'a=1', "'@x")
    """
    return f"'{text}" if text.startswith(("'", *_FORMULA)) else text


def fused(text: str) -> str:
    """The inverse of `defused`."""
    return text[1:] if text.startswith("'") else text


def written(items: Sequence[Item], ratings: Sequence[Rating]) -> str:
    """All ratings, with the texts that they are of."""
    out = io.StringIO()
    sheet = csv.writer(out, lineterminator="\n")
    sheet.writerow([*COLUMNS, *_TEXTS])
    for r in ratings:
        item = items[r.item]
        cells = (r.item, r.expert, r.alignment, r.level, " ".join(r.flags), r.note, r.seconds)
        texts = (item.record, item.question, item.query)
        sheet.writerow([defused(str(cell)) for cell in (*cells, *texts)])
    return out.getvalue()


def read(text: str, items: Sequence[Item]) -> list[Rating]:
    """The ratings of a sheet; texts are looked at no more.

    Raises:
        GraphmillError: a line is none of a rating; it says which and why.
    """
    ratings = []
    csv.field_size_limit(_LONGEST)  # of the whole process: who read pairs before had another
    sheet = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), strict=True)
    try:
        missing = [name for name in COLUMNS if name not in (sheet.fieldnames or ())]
        rows = [] if missing else [(sheet.line_num, row) for row in sheet]
    except csv.Error as problem:
        line = sheet.line_num + 1
        raise GraphmillError(f"Line {line} of the sheet is not CSV: {problem}.") from problem
    if missing:
        there = shortened(", ".join(sheet.fieldnames or ())) or "none"
        raise GraphmillError(f"The sheet has no column {missing[0]}; it has {there}.")
    for line, row in rows:
        cells = {name: fused(row[name] or "") for name in COLUMNS}
        try:
            rating = rating_of(cells, len(items))
        except ValueError as problem:
            raise GraphmillError(f"Line {line} of the sheet: {problem}.") from problem
        ratings.append(rating)
    return ratings


def rating_of(cells: dict[str, str], size: int) -> Rating:
    """The rating that cells are, of one of `size` items.

    Raises:
        ValueError: they are none; it says why.
    """
    item, alignment = _whole(cells, "item"), _whole(cells, "alignment")
    flags = tuple(cells["flags"].split())
    if not 0 <= item < size:
        raise ValueError(f"there is no item {item}")
    if not 1 <= alignment <= 5:
        raise ValueError(f"alignment is {alignment}, and not 1 to 5")
    if not set(flags) <= set(FLAGS):
        raise ValueError(f"flags are {', '.join(FLAGS)}, and not {shortened(cells['flags'])}")
    if cells["level"] not in _LEVELS:
        raise ValueError(f"there is no level {shortened(cells['level'])}")
    if not cells["expert"]:
        raise ValueError("the expert is missing")
    return Rating(
        cells["expert"],
        item,
        alignment,
        cells["level"],
        flags,
        cells["note"],
        _seconds(cells["seconds"]),
    )


def _whole(cells: dict[str, str], name: str) -> int:
    text = cells[name]
    if not re.fullmatch(r"\s*-?\d{1,18}\s*", text, re.ASCII):
        raise ValueError(f"{name} is {shortened(text, 60)!r}, and no whole number")
    return int(text)


def _seconds(text: str) -> float:
    """How long a rating took; 0 where nobody says."""
    try:
        seconds = float(text or 0)
    except ValueError:
        seconds = -1
    if not 0 <= seconds < math.inf:
        raise ValueError(f"seconds is {shortened(text, 60)!r}, and no number of seconds")
    return seconds
