"""Lakes and rivers with an engine behind them: what authors of queries know of a graph."""

from __future__ import annotations

import json
from pathlib import Path

from engines import ENGINES
from engines.base import Engine, Result
from graph_ir import nodes as ir
from graphmill.errors import GraphmillError
from schemagraph.convert.service import convert
from schemagraph.folder.serde import load_schema
from schemagraph.folder.statistics import GraphStatistics, gather_statistics
from schemagraph.model import SchemaGraph
from translators.render import render

LAKES = [("Vänern", 106, "Sweden"), ("Vättern", 128, "Sweden"), ("Mjøsa", 453, "Norway")]
RIVERS = [("Gudå", 37.5), ("Tresa", 13.0), ("Dale", 50.25), ("Esk", 8.0)]
FLOWS = [("Gudå", "Vänern"), ("Tresa", "Vänern"), ("Dale", "Vättern"), ("Esk", "Mjøsa")]


def written(folder: Path) -> Path:
    """The graph as a folder."""
    nodes = [
        {"id": name, "labels": ["Lake"], "name": name, "depth": depth, "country": country}
        for name, depth, country in LAKES
    ]
    nodes += [{"id": n, "labels": ["River"], "name": n, "length": length} for n, length in RIVERS]
    links = [{"source": a, "target": b, "type": "FLOWS_INTO"} for a, b in FLOWS]
    source = folder / "waters.json"
    source.write_text(json.dumps({"directed": True, "nodes": nodes, "links": links}))
    convert(str(source), folder / "waters")
    return folder / "waters"


class Waters:
    """A `Ground` over DuckDB."""

    def __init__(self, folder: Path) -> None:
        self._schema = load_schema(folder)
        self._statistics = gather_statistics(folder, self._schema, 7)
        self._engine: Engine = ENGINES.get("duckdb")()
        self._engine.__enter__()
        self._engine.load(folder)
        self.asked = 0

    @property
    def schema(self) -> SchemaGraph:
        return self._schema

    @property
    def statistics(self) -> GraphStatistics:
        return self._statistics

    def ask(self, statement: ir.Statement, limit: int | None = None) -> Result | None:
        self.asked += 1
        try:
            text = render(statement, "sql", self._schema).text
            found = self._engine.run(text, language="sql", timeout=10)
        except GraphmillError:
            return None
        return Result(found.columns, found.rows[:limit])

    def close(self) -> None:
        self._engine.__exit__(None, None, None)
