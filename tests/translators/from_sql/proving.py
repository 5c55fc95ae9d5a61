"""Graphs of databases that a server holds, and what the engines answer to their translated SQL."""

from __future__ import annotations

from pathlib import Path

from benchmarks.sql_proof import RUNS, Outcome, prove, translate
from engines import ENGINES, SOURCE_ENGINES
from engines.isolation import IsolatedEngine
from schemagraph.convert.service import convert
from schemagraph.folder.serde import load_mapping, load_schema
from tests.servers import execute
from translators.from_sql.reader import SqlTranslator


def made(folder: Path, url: str, tables: str) -> Path:
    """The graph of the tables, which are the database of the server from now on."""
    execute(url, ["DROP DATABASE shop", "CREATE DATABASE shop"])
    execute(url, tables.strip().replace("\n ", " ").splitlines())
    convert(url, folder / "graph")
    return folder / "graph"


def states(graph: Path, url: str, texts: list[str], source_engine: str = "mysql") -> dict[str, str]:
    """What becomes of each text: proven, refused, or how it is wrong."""
    mapping, schema = load_mapping(graph), load_schema(graph)
    assert mapping is not None
    translator = SqlTranslator(mapping, schema)
    runs = {name: RUNS[name] for name in ("cypher", "sql")}
    kinds = ENGINES if source_engine in ENGINES.names() else SOURCE_ENGINES
    outcomes = {}
    with (
        IsolatedEngine(source_engine, None, kinds=kinds, source=url) as source,
        IsolatedEngine("grafeo", graph) as grafeo,
        IsolatedEngine("duckdb", graph) as duckdb,
    ):
        engines = {"sqlite": source, "grafeo": grafeo, "duckdb": duckdb}
        for sql in texts:
            outcome = Outcome("shop", sql, "proven")
            statement = translate(outcome, translator)
            if statement is not None:
                prove(outcome, statement, schema, engines, runs, 30.0)
            right = outcome.state in ("proven", "refused")
            outcomes[sql] = outcome.state if right else f"{outcome.code}: {outcome.detail}"
    return outcomes
