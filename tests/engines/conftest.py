"""Engines by name over one graph, and the expected failures that each engine declares.

`tests/engines/<engine>/expected.toml` lists tests that fail on that engine, with kind (`notyet`:
ours to do, `upstream`: the engine's to do, `never`), the exception and the reason. They become
strict expected failures: a fault that is mended is as loud as a new one.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engines import ENGINES
from engines.isolation import IsolatedEngine
from graphmill.errors import EngineUnavailable, QueryError, QueryTimeout
from tests.engines.graphs import write_graph, write_sqlite

HERE = Path(__file__).parent
RAISES: dict[str, type[Exception]] = {
    "AssertionError": AssertionError,
    "QueryError": QueryError,
    "QueryTimeout": QueryTimeout,
}
MEMORY_MB = {"tinkergraph": 1500, "jena": 768}

# Engines whose packages or downloads a machine may lack. In CI they may not be lacking.
OPTIONAL = frozenset({"jena", "ladybug", "tinkergraph"})

# Engines that are servers of the user's: the suite runs on those whose URL is given.
HERE_TOO = [
    name
    for name in ENGINES.names()
    if not ENGINES.get(name).url_variable or os.environ.get(ENGINES.get(name).url_variable)
]


def expected(engine: str) -> dict[str, dict[str, str]]:
    """What is known to fail on `engine`, by test name."""
    return tomllib.loads((HERE / engine / "expected.toml").read_text(encoding="utf-8"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark expected failures; an entry that names no test is an error."""
    contract = {item.name: item for item in items if item.path.name == "test_contract.py"}
    for engine in ENGINES.names() if contract else ():
        for name, entry in expected(engine).items():
            if entry["kind"] not in ("notyet", "upstream", "never"):
                raise pytest.UsageError(f"{engine}/expected.toml: {name}: {entry['kind']}?")
            if name in contract:
                mark = pytest.mark.xfail(reason=entry["reason"], raises=RAISES[entry["raises"]])
                contract[name].add_marker(mark)
            elif not any("::" in argument for argument in config.args):
                raise pytest.UsageError(f"{engine}/expected.toml: there is no test {name}")


@pytest.fixture(scope="session")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The contract graph's folder."""
    return write_graph(tmp_path_factory.mktemp("contract") / "graph")


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The contract graph's tables as a SQLite file."""
    return write_sqlite(tmp_path_factory.mktemp("contract") / "source.sqlite")


@pytest.fixture(scope="session")
def running(graph: Path, source: Path) -> Iterator[dict[str, IsolatedEngine]]:
    """Engines that were asked for, started once."""
    engines = _Engines(graph, source)
    yield engines
    for engine in engines.values():
        engine.close()


class _Engines(dict[str, IsolatedEngine]):
    def __init__(self, graph: Path, source: Path) -> None:
        self.graph = graph
        self.source = source

    def __missing__(self, name: str) -> IsolatedEngine:
        options: dict[str, Any] = {"source": str(self.source)} if name == "sqlite" else {}
        engine = IsolatedEngine(name, self.graph, memory_mb=MEMORY_MB.get(name, 1024), **options)
        self[name] = engine
        return engine


@pytest.fixture
def engine(
    request: pytest.FixtureRequest, running: dict[str, IsolatedEngine], graph: Path
) -> IsolatedEngine:
    """The engine of an indirect parameter, with the graph loaded; skipped by name if it is
    optional and cannot be had."""
    if request.param == "neo4j":
        shared: IsolatedEngine = request.getfixturevalue("local_neo4j")
        if shared._graph != graph:
            shared.use(graph)
        return shared
    found = running[request.param]
    try:
        found.version()
    except EngineUnavailable as problem:
        if request.param in OPTIONAL and not os.environ.get("CI"):
            pytest.skip(f"no {request.param} here: {problem}")
        raise
    return found
