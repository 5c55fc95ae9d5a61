"""Ratings as CSV, out and in; no cell of it is a formula to a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from graphmill.errors import GraphmillError
from pipelines.review.sample import Item
from pipelines.review.store import FLAGS, Rating

COLUMNS = ("item", "expert", "alignment", "level", "flags", "note", "seconds")
_TEXTS = ("record", "question", "query")
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
    sheet = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    missing = [name for name in COLUMNS if name not in (sheet.fieldnames or ())]
    if missing:
        raise GraphmillError(f"The sheet has no column {missing[0]}; it has {sheet.fieldnames}.")
    for row in sheet:
        cells = {name: fused(row[name] or "") for name in COLUMNS}
        try:
            rating = rating_of(cells, len(items))
        except ValueError as problem:
            raise GraphmillError(f"Line {sheet.line_num} of the sheet: {problem}.") from problem
        ratings.append(rating)
    return ratings


def rating_of(cells: dict[str, str], size: int) -> Rating:
    """The rating that cells are, of one of `size` items.

    Raises:
        ValueError: they are none; it says why.
    """
    item, alignment = int(cells["item"]), int(cells["alignment"])
    flags = tuple(cells["flags"].split())
    if not 0 <= item < size:
        raise ValueError(f"there is no item {item}")
    if not 1 <= alignment <= 5:
        raise ValueError(f"alignment is {alignment}, and not 1 to 5")
    if not set(flags) <= set(FLAGS):
        raise ValueError(f"flags are {', '.join(FLAGS)}, and not {cells['flags']}")
    if cells["level"] not in _LEVELS:
        raise ValueError(f"there is no level {cells['level']}")
    if not cells["expert"]:
        raise ValueError("the expert is missing")
    return Rating(
        cells["expert"],
        item,
        alignment,
        cells["level"],
        flags,
        cells["note"],
        float(cells["seconds"] or 0),
    )
