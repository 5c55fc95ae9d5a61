"""No test asks a live model, reads the user's home or leaves a cache behind."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from engines.judges.process import Judge
from graphmill.errors import EngineUnavailable
from tests.servers import mariadb, postgresql

SHARED = Path(os.environ.get("GRAPHMILL_SHARED", Path(__file__).parents[2] / "shared"))

hypothesis.settings.register_profile("graphmill", deadline=None)  # a busy machine is no failure
hypothesis.settings.load_profile("graphmill")


# Fixtures that start a server or a JVM.
SERVERS = {"googlesql", "mariadb_server", "postgres_server", "server", "session"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a server: its fixtures tell, or the engine that it is parametrised by."""
    for item in items:
        if SERVERS & set(getattr(item, "fixturenames", ())) or "neo4j" in item.name:
            item.add_marker(pytest.mark.server)


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
def postgres_server() -> Iterator[str]:
    """The address of a PostgreSQL on loopback, one for all tests."""
    with postgresql() as url:
        yield url


@pytest.fixture(scope="session")
def mariadb_server() -> Iterator[str]:
    """The address of a MariaDB on loopback, one for all tests."""
    with mariadb() as url:
        yield url
