"""The figures of a run as one page, without network and script."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from evaluation.tables import NOTE, Row, tables
from graphmill import __version__
from pipelines.pages.templates import environment, style, style_hash

_NUMBER = re.compile(r"([-+]?[\d.,]+(e[-+]\d+)?( %)?([–/][\d.,]+)?)?")


def page(figures: Mapping[str, Any]) -> str:
    """`report.html`: every text is escaped, and the page may load and run nothing."""
    return (
        environment()
        .get_template("evaluation.html")
        .render(
            version=__version__,
            style=Markup(style()),  # noqa: S704 - our own style sheet
            style_hash=style_hash(),
            name=f"{figures['corpus']}, {figures['split']}",
            note=NOTE,
            tables=tables(figures),
            numbers=_numbers,
        )
    )


def _numbers(rows: Sequence[Row]) -> list[int]:
    """The columns that hold numbers only, which stand to the right."""
    columns = zip(*rows, strict=True)
    return [n for n, cells in enumerate(columns) if all(map(_NUMBER.fullmatch, cells)) and n]
