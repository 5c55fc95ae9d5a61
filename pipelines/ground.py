"""What query authors may know of a graph: its figures, and answers of the referee."""

from __future__ import annotations

from engines.base import Result
from graph_ir import nodes as ir
from graphmill.errors import EngineError, EngineUnavailable, QueryTextError, Refused
from pipelines.workshop import Workshop
from schemagraph.model import SchemaGraph
from schemagraph.statistics import GraphStatistics
from translators.render import render


class WorkshopGround:
    """The `generators.queries.base.Ground` of a workshop's graph."""

    def __init__(self, shop: Workshop, statistics: GraphStatistics) -> None:
        self._shop = shop
        self._statistics = statistics

    @property
    def schema(self) -> SchemaGraph:
        """The graph's schema."""
        return self._shop.graph.schema

    @property
    def statistics(self) -> GraphStatistics:
        """What its data is like."""
        return self._statistics

    def ask(self, statement: ir.Statement, limit: int | None = None) -> Result | None:
        """The referee's answer, at most `limit` rows of it; None where it has none to give."""
        try:
            answer = self._shop.run("duckdb", render(statement, "sql", self.schema).text, "sql")
        except EngineUnavailable:
            raise
        except (Refused, QueryTextError, EngineError):
            return None
        return Result(answer.columns, answer.rows[:limit])
