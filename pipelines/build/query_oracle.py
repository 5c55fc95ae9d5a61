"""What query authors may know of a graph: figures of its data, answers of the referee."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from engines.base import Result
from graph_ir import nodes as ir
from graphmill.errors import EngineError, EngineUnavailable, QueryTextError, Refused
from pipelines.build.context import DatabaseContext, Graph
from schemagraph.folder.statistics import (
    EdgeStatistics,
    GraphStatistics,
    PropertyStatistics,
    gather_statistics,
)
from schemagraph.model import SchemaGraph

PATIENCE = 5.0  # seconds that a question about the data may take
WHOLE = 500  # rows from which a limit is there to stop what is far too large


class QueryOracle:
    """The `generators.queries.base.Ground` of a workshop's graph."""

    def __init__(self, database: DatabaseContext, statistics: GraphStatistics) -> None:
        self._shop = database
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
        """`asked_of` the graph."""
        return asked_of(self._shop, statement, limit)


def asked_of(
    database: DatabaseContext, statement: ir.Statement, limit: int | None = None
) -> Result | None:
    """The referee's answer, at most `limit` rows of it; None where it has none to give: it cannot
    say the query, or not within a few seconds."""
    try:
        return _answer(database, statement, limit)
    except EngineUnavailable:
        raise
    except (Refused, QueryTextError, EngineError):
        return None


def _answer(database: DatabaseContext, statement: ir.Statement, limit: int | None) -> Result:
    if limit is None:
        return database.answer(statement, PATIENCE)
    if limit < WHOLE:
        rows = database.answer(_limited(statement, limit), PATIENCE)
    else:  # nearly always the whole answer, which is then remembered for its proof
        rows = database.answer(statement, PATIENCE, None if _ends(statement) else limit)
    return rows if len(rows.rows) <= limit else Result(rows.columns, rows.rows[:limit])


def raw_statistics(graph: Graph, seed: int) -> dict[str, Any]:
    """The figures of the graph's data as JSON values.

    Raises:
        SchemaError: a table is missing or damaged.
    """
    return _plain(gather_statistics(graph.folder, graph.schema, seed))


def stored_statistics(raw: dict[str, Any]) -> dict[str, Any]:
    """Figures as they are stored, which can be read.

    Raises:
        ValueError, KeyError, TypeError, AttributeError: they are none.
    """
    statistics_from(raw)
    return raw


def statistics_from(raw: dict[str, Any]) -> GraphStatistics:
    """The inverse of `raw_statistics`."""
    return GraphStatistics(
        raw["nodes"],
        {name: EdgeStatistics(**_tuples(edge)) for name, edge in raw["edges"].items()},
        {
            (owner, name): PropertyStatistics(**_tuples(fields))
            for owner, name, fields in raw["properties"]
        },
    )


def _plain(statistics: GraphStatistics) -> dict[str, Any]:
    return {
        "nodes": dict(statistics.nodes),
        "edges": {name: asdict(edge) for name, edge in statistics.edges.items()},
        "properties": [[*key, asdict(value)] for key, value in statistics.properties.items()],
    }


def _tuples(raw: dict[str, Any]) -> dict[str, Any]:
    """Lists as the dataclasses have them: tuples, `common` one of pairs."""
    made = {name: tuple(v) if isinstance(v, list) else v for name, v in raw.items()}
    if "common" in made:
        made["common"] = tuple((value, times) for value, times in made["common"])
    return made


def _limited(statement: ir.Statement, limit: int) -> ir.Statement:
    """The statement with at most `limit` rows, where its end can take a limit."""
    last = statement.clauses[-1] if isinstance(statement, ir.Query) else None
    if not isinstance(statement, ir.Query) or not isinstance(last, ir.Project) or _ends(statement):
        return statement
    cut = replace(last, limit=ir.Literal(limit))
    return replace(statement, clauses=(*statement.clauses[:-1], cut))


def _ends(statement: ir.Statement) -> bool:
    """Whether the statement has a window of its own at its end."""
    last = statement.clauses[-1] if isinstance(statement, ir.Query) else None
    return isinstance(last, ir.Project) and (last.limit is not None or last.skip is not None)
