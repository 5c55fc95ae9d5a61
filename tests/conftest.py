"""No test asks a live model, reads the user's home or leaves a cache behind."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from engines.isolation import IsolatedEngine
from engines.judges.process import Judge
from graphmill.errors import EngineUnavailable
from tests.servers import mariadb, neo4j, postgresql

SHARED = Path(os.environ.get("GRAPHMILL_SHARED", Path(__file__).parents[2] / "shared"))

hypothesis.settings.register_profile("graphmill", deadline=None)  # a busy machine is no failure
hypothesis.settings.load_profile("graphmill")


# Fixtures that start a server or a JVM.
NEO4J = {"local_neo4j", "neo4j_server"}
SERVERS = {"googlesql", "mariadb_server", "postgres_server", "server", "session", *NEO4J}


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a server: its fixtures tell, or the engine that it is parametrised by.

    Tests of a file run in one process, and all that ask Neo4j too, which takes a quarter of a
    minute of processor time to start.
    """
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        parameters = getattr(getattr(item, "callspec", None), "params", {})
        neo4j = bool(NEO4J & fixtures) or parameters.get("engine") == "neo4j"
        if neo4j or SERVERS & fixtures or "neo4j" in item.name.partition("[")[0]:
            item.add_marker(pytest.mark.server)
        item.add_marker(pytest.mark.xdist_group("neo4j" if neo4j else item.path.as_posix()))


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key of the user's reaches a test."""
    for name in [name for name in os.environ if name.endswith(("_API_KEY", "_TOKEN"))]:
        monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def _one_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Builds of tests start no processes of workers, unless they ask for them."""
    monkeypatch.setenv("GRAPHMILL_JOBS", "1")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with real databases; a test that needs it is skipped by name where it is not."""
    if not (SHARED / "data").is_dir():
        pytest.skip(f"no folder {SHARED}: set GRAPHMILL_SHARED to the shared folder")
    return SHARED


@pytest.fixture(scope="session")
def googlesql() -> Iterator[Judge]:
    """GoogleSQL's analyser in Spanner's profile, one for all tests; skipped where it is not."""
    with Judge("googlesql", None) as judge:
        try:
            judge.check("GRAPH g MATCH (n) RETURN 1 AS one")
        except EngineUnavailable as problem:
            if os.environ.get("CI"):
                raise
            pytest.skip(f"no analyser here: {problem}")
        yield judge


@pytest.fixture(scope="session")
def local_neo4j() -> Iterator[IsolatedEngine]:
    """A Neo4j of ours, one for all tests: `use` gives it a graph; skipped where it is not."""
    with IsolatedEngine("neo4j", None, memory_mb=2048) as engine:
        try:
            engine.version()
        except EngineUnavailable as problem:
            if os.environ.get("CI"):
                raise
            pytest.skip(f"no neo4j here: {problem}")
        yield engine


@pytest.fixture(scope="session")
def neo4j_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an empty Neo4j that is not ours, one for all tests, which leave it empty."""
    with neo4j(tmp_path_factory.mktemp("server")) as url:
        yield url


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a PostgreSQL on loopback, one for all tests."""
    with postgresql() as url:
        yield url


@pytest.fixture(scope="session")
def mariadb_server() -> Iterator[str]:
    """The address of a MariaDB on loopback, one for all tests."""
    with mariadb() as url:
        yield url
