"""The seams of query generation: what is proposed, and what its authors may know of a graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from engines.base import Result
from graph_ir import nodes as ir
from graphmill.record import Difficulty, Evolved
from schemagraph.folder.statistics import GraphStatistics
from schemagraph.model import SchemaGraph


@dataclass(frozen=True, slots=True)
class Proposal:
    """A query proposed for one graph, with how it came about.

    `maker` is who wrote it (`archetypes`, `evolution`, `llm`), `archetype` the seed that it goes
    back to, `trace` the steps since, oldest first. `question` is the model's own, empty where a
    question author is to write it. `may_be_empty`: the question asks for absence, so that no
    row, a 0 or a NULL is an answer. `place` is the archetype with the types that fill it.
    """

    statement: ir.Statement
    maker: str
    archetype: str = ""
    trace: tuple[Evolved, ...] = ()
    question: str = ""
    may_be_empty: bool = False
    place: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a corpus still lacks, so that authors propose such queries first.

    `tiers` and `groups` (names of `graph_ir.coverage.GROUPS`) are numbers of queries still to be
    released; a tier that is not there, or 0, is full, and a query of it goes to waste.
    `proposed` counts what each archetype and operator brought so far: the rarest come first.
    `released` counts what of that was released: those that no released query shows come before.
    """

    tiers: Mapping[Difficulty, int] = field(default_factory=dict)
    groups: Mapping[str, int] = field(default_factory=dict)
    proposed: Mapping[str, int] = field(default_factory=dict)
    released: Mapping[str, int] = field(default_factory=dict)


class Ground(Protocol):
    """What those who write queries may know of a graph: schema, figures of its data, answers."""

    @property
    def schema(self) -> SchemaGraph:
        """The graph's schema."""
        ...

    @property
    def statistics(self) -> GraphStatistics:
        """What its data is like: counts, values, degrees."""
        ...

    def ask(self, statement: ir.Statement, limit: int | None = None) -> Result | None:
        """The referee's answer, at most `limit` rows of it; None where it has none to give."""
        ...
