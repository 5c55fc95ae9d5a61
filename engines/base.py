"""What every engine offers: load a graph, run a text, say what it gets wrong."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from engines.tables import as_arrow
from graph_ir import nodes as ir

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

MAX_ROWS = 1_000_000  # more are no answer that a corpus could hold
MEMORY = "GRAPHMILL_MEMORY_MB"
AGAIN = "GRAPHMILL_AGAIN"
LISTENERS: list[Callable[[str], None]] = []


@dataclass(frozen=True, slots=True)
class Result:
    """An answer: column names and rows of plain values.

    Values are what JSON can say: None, bool, int, float, str, list, dict. Decimals are numbers,
    temporal values ISO text, binary `{"$bytes": base64}`, nodes
    `{"labels": […], "key": {…}, "properties": {…}}`, edges `{"type", "source", "target",
    "properties"}` with source and target as `{"labels", "key"}`, paths `{"nodes", "edges"}`.
    Columns need not have distinct names. `ms` is how long the engine took for the query alone, in
    milliseconds, where it was measured. `text` is what ran where that is another than the text
    given, `unsound` what makes the answer doubtful (`code` and `message` each): `gm.run` and
    `Runner` tell both.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    ms: float = field(default=0.0, compare=False)
    text: str = field(default="", compare=False)
    unsound: tuple[dict[str, str], ...] = field(default=(), compare=False)

    def to_arrow(self) -> pa.Table:
        """The answer as an Arrow table.

        A column of one kind of value gets the type that Arrow has for it; integers among floats
        are floats where none loses a digit. Any other mixture, and nodes, edges, paths, maps and
        lists of them, are JSON text, value by value (a text keeps its quotes); such a column's
        field has the metadata `{"graphmill": "json"}`. The second column called `n` is `n_2`.
        """
        return as_arrow(self.columns, self.rows)

    def to_polars(self) -> pl.DataFrame:
        """The answer as a polars frame, with the columns of `to_arrow`."""
        import polars as pl

        frame = pl.from_arrow(self.to_arrow())
        if not isinstance(frame, pl.DataFrame):
            raise TypeError("polars makes a frame of every table")
        return frame


@dataclass(frozen=True, slots=True)
class Unsound:
    """A construct that an engine is known to answer wrongly in one of its dialects."""

    code: str
    dialects: tuple[str, ...]
    why: str
    applies: Callable[[ir.Statement], bool]


@dataclass(frozen=True, slots=True)
class Needs:
    """What an engine's worker process needs beyond the rule.

    `environment` names the variables that it may see beside the harmless ones. An engine with
    `grace` stops a query at the limit by itself, and has so many seconds for it before it is
    killed. `address_space` is False where the memory cap cannot be one of address space (a Java
    machine reserves more than it uses). An engine that `reloads` can load another graph in the
    same process, in place of the first. `farewell` is how long it may take to put things back in
    their place at the end. `usual_mb` is what all its processes take together once they have run
    queries on a graph of some ten thousand nodes, in megabytes.
    """

    environment: tuple[str, ...] = ()
    grace: float = 0.0
    address_space: bool = True
    reloads: bool = False
    farewell: float = 5.0
    usual_mb: int = 200


def memory_cap() -> int:
    """The worker's memory cap in megabytes, for engines that can be told; 0 is none."""
    return int(os.environ.get(MEMORY, 0))


def over_memory(own: str = "") -> str:
    """What is told of a query that needs more than the worker's cap, or than `own`, which its
    engine has of that."""
    cap = memory_cap()
    limits = [each for each in (own, f"the memory cap of {cap} MB" if cap else "") if each]
    return f"The query needs more than {' of '.join(limits) or 'the memory that there is'}."


def again() -> bool:
    """Whether this worker replaces one that was killed after it had loaded the graph."""
    return AGAIN in os.environ


def progress(text: str) -> None:
    """Tell the user what a long start is about; the worker passes it on."""
    for listener in LISTENERS:
        listener(text)


class Engine(Protocol):
    """One engine in its worker process. Callers use `engines.isolation`, never this directly.

    `languages` are the text languages it accepts (`cypher`, `gql`, `sql`, …); `profiles` names,
    for each, the dialect that translators should render for it (`gql` -> `gql-grafeo`).
    `default_for` are the languages that it runs where no engine is named. Engines of one `family`
    share code and are one witness of an answer; one without runs no rendering of Graph-IR. Of two
    that disagree the one of the higher `trust` is asked first. `packages` are the modules without
    which it cannot start; one that is `by_name` is no part of "all" engines. `url_variable` is the
    variable of the environment with the URL of a server that it cannot be without.
    """

    name: ClassVar[str]
    languages: ClassVar[tuple[str, ...]]
    profiles: ClassVar[dict[str, str]]
    unsound: ClassVar[tuple[Unsound, ...]]
    default_for: ClassVar[tuple[str, ...]] = ()
    family: ClassVar[str] = ""
    trust: ClassVar[int] = 0
    packages: ClassVar[tuple[str, ...]] = ()
    by_name: ClassVar[bool] = False
    url_variable: ClassVar[str] = ""
    needs: ClassVar[Needs] = Needs()

    def __enter__(self) -> Self: ...
    def __exit__(self, *exc: object) -> None: ...

    def version(self) -> str:
        """The engine's own version."""
        ...

    def load(self, graph: Path) -> None:
        """Load the graph in the folder `graph` (see `schemagraph.folder.graphdata`)."""
        ...

    def run(self, text: str, *, language: str, timeout: float) -> Result:
        """Run one read query.

        Raises:
            QueryError, QueryTimeout, QueryTooLarge, EngineUnavailable
        """
        ...
