"""`Pipeline`, one query body under construction, and the relations that it has closed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from translators.duckdb.expressions.frame import Frame, columns_of, values_of
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.names import ident
from translators.duckdb.model.sql import Binding, Sql
from translators.duckdb.model.types import T


@dataclass(slots=True)
class Pipeline:
    """One query body: the frame under construction and the relations it has closed.

    `outer` are the variables of the query around it, which every clause sees.
    """

    cx: Compiler
    frame: Frame
    outer: dict[str, Binding]
    ctes: list[tuple[str, str]] = field(default_factory=list)

    def close(self, items: Sequence[tuple[str, Sql]]) -> None:
        """Make the frame a relation of `items`, and go on from there."""
        selected, columns = columns_of(self.cx, items)
        self.begin(f"SELECT {', '.join(selected) or '1 AS _'}{self.frame.tail()}", columns)

    def begin(self, text: str, columns: Sequence[tuple[str, str, T]]) -> None:
        """Go on from the relation `text`."""
        name = self.cx.names.fresh("_t")
        self.ctes.append((name, text))
        env = {**self.outer, **values_of(ident(name), columns)}
        self.frame = Frame(env, [ident(name)])

    def text(self, select: str) -> str:
        """`select` with the relations that it stands on."""
        if not self.ctes:
            return select
        parts = [f"{ident(name)} AS (\n{body}\n)" for name, body in self.ctes]
        return f"WITH {', '.join(parts)}\n{select}"
