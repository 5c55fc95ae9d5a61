"""Who does the units of a build."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmill.errors import ConfigError
from pipelines.build.context import DatabaseContext, Graph
from pipelines.configuration.certify import Certify
from pipelines.configuration.config import Config, load
from pipelines.jobs.choose import JOBS, cores, executor_for
from pipelines.jobs.executor import Executor, InProcess
from pipelines.jobs.processes import Processes


def _jobs(executor: Executor) -> int:
    executor.close()
    return executor.jobs


def test_the_cores_are_used_unless_a_number_is_given(
    farms: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = load(farms)
    assert _jobs(executor_for(config, 3)) == 3
    assert isinstance(executor_for(config, 1), InProcess)
    monkeypatch.setenv(JOBS, "4")
    assert _jobs(executor_for(config)) == 4
    monkeypatch.delenv(JOBS)
    assert _jobs(executor_for(config)) == cores()


@pytest.mark.parametrize("text", ["two", "1.5", "-2", "0"])
def test_no_number_of_workers(farms: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv(JOBS, text)
    with pytest.raises(ConfigError):
        executor_for(load(farms))


def test_a_server_that_holds_one_graph_has_one_worker(
    farms: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    by_url = _with(load(farms), engines=("grafeo", "duckdb", "neo4j"), neo4j_url="bolt://host:7687")
    assert isinstance(executor_for(by_url, 3, warn=told.append), InProcess)
    assert "one worker" in told.pop()
    local = _with(by_url, neo4j_url="")
    workers = executor_for(local, 3)
    assert isinstance(workers, Processes)
    workers.close()
    monkeypatch.setenv("GRAPHMILL_NEO4J_URL", "bolt://host:7687")
    assert isinstance(executor_for(local, 2, warn=told.append), InProcess)
    assert told
    with pytest.raises(ConfigError, match="GRAPHMILL_NEO4J_URL"):
        executor_for(local, 2, "local")
    assert _jobs(executor_for(load(farms), 2)) == 2  # no Neo4j there


def test_a_server_goes_on_with_the_next_database(tmp_path: Path) -> None:
    certify = Certify(engines=("grafeo", "duckdb", "neo4j"))
    first, second = (
        DatabaseContext(Graph(name, tmp_path / name, name), ("cypher",), certify=certify)
        for name in ("first", "second")
    )
    server, embedded = first.engine("neo4j"), first.engine("grafeo")
    second.spare = first.hand_over()
    assert second.engine("neo4j") is server
    assert server._graph == tmp_path / "second"
    assert second.engine("grafeo") is not embedded
    assert first.engine("neo4j") is not server


def _with(config: Config, **settings: object) -> Config:
    certify = config.certify.model_copy(update=settings)
    return config.model_copy(update={"certify": certify})
