"""Tables in the making, column by column."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from generators.synthesis.library.values import as_type, distinct, draw


class Rows:
    """The rows of one table; a column is drawn as its part of the specification says."""

    def __init__(self, spec: dict[str, Any], count: int, rng: np.random.Generator) -> None:
        self.spec = spec
        self.count = count
        self.rng = rng
        self.columns: dict[str, pl.Series] = {}
        self.leads: dict[str, tuple[Rows, np.ndarray]] = {}
        self.joined: dict[str, tuple[Rows, np.ndarray]] = {}

    def add(self, name: str, dtype: Any) -> None:
        """Draw a column: its values, then which of them are NULL."""
        wanted, rng = self.spec["properties"][name], self.rng.spawn(1)[0]
        make = distinct if wanted["unique"] else draw
        values = as_type(make(wanted["of"], self, rng), dtype)
        if wanted["null"]:
            values = values.set(pl.Series(rng.random(self.count) < wanted["null"]), None)
        self.columns[name] = values.alias(name)

    def __getitem__(self, name: str) -> pl.Series:
        if name in self.columns:
            return self.columns[name]
        lead = max((lead for lead in self.leads if name.startswith(f"{lead}.")), key=len)
        others, partner = self.leads[lead]
        values = others[name[len(lead) + 1 :]].gather(np.maximum(partner, 0))
        return values.set(pl.Series(partner < 0), None)

    def lead(self, name: str, others: Rows, mine: np.ndarray, theirs: np.ndarray) -> None:
        """Let columns refer over the edge type `name`: `mine` and `theirs` are its ends."""
        partner = np.full(self.count, -1)
        partner[mine] = theirs
        self.leads[name] = others, partner

    def join(self, name: str, edges: Rows, mine: np.ndarray) -> None:
        """Let columns be made of the edges of the type `name`: `mine` are their ends here."""
        self.joined[name] = edges, mine

    def changed(self, name: str, change: Callable[[pl.Series], pl.Series]) -> pl.Series:
        """A column with every value changed, each distinct row of its origin once."""
        return change(self[name])

    def take(self, places: np.ndarray) -> Rows:
        """The rows at these places; a column is copied when it is asked for."""
        return Taken(self, places)

    def write(self, path: Path) -> None:
        """Write all columns: the keys of an edge's ends first, then as in the specification."""
        path.parent.mkdir(parents=True, exist_ok=True)
        keys = [name for name in self.columns if name not in self.spec["properties"]]
        names = [*keys, *self.spec["properties"]]
        table = pl.DataFrame([self.columns[name] for name in names])
        table.write_parquet(path, compression="lz4", statistics=False)


class Taken(Rows):
    """Some rows of others."""

    def __init__(self, whole: Rows, places: np.ndarray) -> None:
        super().__init__(whole.spec, len(places), whole.rng)
        self.whole = whole
        self.places = places

    def __getitem__(self, name: str) -> pl.Series:
        return self.whole[name].gather(self.places)

    def changed(self, name: str, change: Callable[[pl.Series], pl.Series]) -> pl.Series:
        if self.whole.count > self.count:
            return change(self[name])
        return self.whole.changed(name, change).gather(self.places)


class EdgeRows(Rows):
    """The rows of an edge table: the keys of both ends, then properties.

    A property may depend on those of the ends, by the names `source.x` and `target.x`.
    """

    def __init__(
        self,
        spec: dict[str, Any],
        rng: np.random.Generator,
        ends: tuple[np.ndarray, np.ndarray],
        **nodes: Rows,
    ) -> None:
        super().__init__(spec, len(ends[0]), rng)
        self.ends = {
            side: rows.take(places)
            for (side, rows), places in zip(nodes.items(), ends, strict=True)
        }

    def __getitem__(self, name: str) -> pl.Series:
        side, _, inner = name.partition(".")
        return self.ends[side][inner] if side in self.ends and inner else self.columns[name]

    def changed(self, name: str, change: Callable[[pl.Series], pl.Series]) -> pl.Series:
        side, _, inner = name.partition(".")
        if side in self.ends and inner:
            return self.ends[side].changed(inner, change)
        return change(self.columns[name])

    def add_keys(self, *names: str) -> None:
        """Add the key columns of the ends."""
        for name in names:
            self.columns[name] = self[name].alias(name)

    def mirror(self) -> None:
        """Add each edge in the other direction, with the same properties."""
        other = {"source": "target", "target": "source"}
        turned = {}
        for name in self.columns:
            side, dot, inner = name.partition(".")
            turned[name] = self.columns[f"{other[side]}.{inner}" if dot else name].alias(name)
        self.columns = {name: pl.concat([self.columns[name], turned[name]]) for name in turned}


def ready(spec: dict[str, Any], rng: np.random.Generator, rows: Rows) -> Rows:
    """Rows that were made before the others, as columns of nodes are made of them."""
    return rows


def save(path: Path, make: Callable[..., Rows], *given: Any) -> None:
    """Make rows and write them."""
    make(*given).write(path)
