"""Which executor a build gets: this process, processes of this machine, or a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable

from graphmill.errors import ConfigError
from pipelines.author.authors import ModelAuthor
from pipelines.configuration.config import Config
from pipelines.jobs.executor import Executor, InProcess
from pipelines.jobs.processes import Processes

_MOST = 1024  # workers; more than any one machine has processors for
JOBS = "GRAPHMILL_JOBS"  # the variable that says how many workers there are unless told


def cores() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def executor_for(
    config: Config,
    jobs: int | None = None,
    scheduler: str = "",
    warn: Callable[[str], None] = lambda text: None,
) -> Executor:
    """What does the units of a build; `jobs` is how many at a time: unless given, GRAPHMILL_JOBS,
    else the cores. `scheduler` is the address of a Dask cluster, or `local` for a temporary one.

    Raises:
        ConfigError: it is no number of workers, or there is no such cluster.
    """
    number = _default() if jobs is None else jobs
    if not 1 <= number <= _MOST:
        raise ConfigError(
            f"--jobs takes a number of workers from 1 to {_MOST} of this machine, not {number}; "
            "those of a cluster are reached with --scheduler."
        )
    url = _server(config)
    if url and scheduler:
        raise ConfigError(
            "A Neo4j by URL holds one graph at a time, so that workers of a cluster cannot share "
            "it: give each its own in its environment (GRAPHMILL_NEO4J_URL), and none here."
        )
    if url and number > 1:
        if jobs is not None:
            warn(
                f"warning: --jobs {jobs}: a Neo4j by URL holds one graph at a time, so that one "
                "worker builds."
            )
        number = 1
    if scheduler:
        from pipelines.jobs.cluster import Dask

        return Dask(scheduler, number, warn)
    if number == 1:
        return InProcess()
    return Processes(number, hidden=secrets_of(config))


def secrets_of(config: Config) -> tuple[str, ...]:
    """Variables of the environment with keys that no worker needs."""
    author = config.author
    return (author.api_key_env,) if isinstance(author, ModelAuthor) and author.api_key_env else ()


def _server(config: Config) -> str:
    """The address of the Neo4j that all workers would use, if any."""
    if "neo4j" not in config.engines:
        return ""
    return config.certify.neo4j_url or os.environ.get("GRAPHMILL_NEO4J_URL", "")


def _default() -> int:
    text = os.environ.get(JOBS, "").strip()
    if not text:
        return cores()
    if not text.isdecimal():
        raise ConfigError(f"{JOBS} is a number of workers, not '{text}'.")
    return int(text)
