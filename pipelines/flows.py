"""The same build as a Prefect flow: for schedules, retries, observability and scale-out.

A task is a unit with seconds of work, never one record (one task an item costs 3 to 60 times
as much). Resume is the store's, by content, so that a flow and
`graphmill build` can take over from one another. Where tasks run is the flow's task runner:
`build_flow.with_options(task_runner=RayTaskRunner(...))` takes them to a Ray cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from prefect import flow, task
from prefect.artifacts import create_markdown_artifact, create_table_artifact
from prefect.cache_policies import NO_CACHE
from prefect.client.orchestration import get_client
from prefect.exceptions import ObjectNotFound
from prefect.futures import PrefectFuture
from prefect.schedules import Cron, Schedule
from prefect.settings import get_current_settings

from graphmill.errors import ConfigError, GraphmillError, shortened
from graphmill.messages import one_line
from graphmill.secrets import without_user
from pipelines.claim import claimed
from pipelines.configuration.config import load
from pipelines.configuration.progress import Watch
from pipelines.configuration.reach import check_engines
from pipelines.difference.releases import Releases
from pipelines.jobs.choose import cores
from pipelines.jobs.desks import DESKS
from pipelines.jobs.telemetry import tracing
from pipelines.jobs.units import CallUnit, Done, Unit
from pipelines.run import build_with
from pipelines.synth.domains import order_for_domain
from pipelines.verification.verify import verify


@contextmanager
def served() -> Iterator[None]:
    """What is done with Prefect's server, which is asked first: that of PREFECT_API_URL or of the
    profile, else a temporary one, which Prefect starts.

    Raises:
        GraphmillError: it cannot be reached, is not up in time, or was lost.
    """
    try:
        with get_client(sync_client=True) as client:
            problem = client.api_healthcheck()
    except (RuntimeError, ValueError, httpx.HTTPError) as given:  # none is there, none could start
        problem = given
    if problem is not None:
        raise _unreachable("cannot be reached", problem) from problem
    try:
        yield
    except httpx.HTTPError as lost:
        raise _unreachable("was lost", lost) from lost
    except RuntimeError as lost:  # of Prefect; others are not of its server
        if "Failed to reach API" not in str(lost):
            raise
        raise _unreachable("was lost", lost) from lost


def _unreachable(what: str, problem: Exception) -> GraphmillError:
    url = get_current_settings().api.url
    why = one_line(shortened(str(problem) or type(problem).__name__)).rstrip(".")
    if url:
        cure = "see that it runs, or unset PREFECT_API_URL for a temporary one"
    else:
        cure = (
            "start one with 'prefect server start' and set PREFECT_API_URL, or wait longer for a "
            "temporary one with PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS"
        )
    where = f" at {without_user(url)}" if url else ""
    return GraphmillError(
        f"Prefect's server{where} {what} ({why}): {cure}. What is finished is kept; without --flow "
        "a build needs no server."
    )


@task(name="unit", task_run_name="{label}", retries=1, cache_policy=NO_CACHE)
def unit_task(unit: Unit, label: str) -> Done:
    """A unit of work, by a desk of the process that it comes to."""
    with DESKS.borrowed(unit.place) as desk:
        return desk.do(unit)


class Tasks:
    """Units as tasks of the flow that runs. Conversions are tasks, too, so that they are seen."""

    kind = "Prefect tasks"
    remote = True

    def __init__(self) -> None:
        self.jobs = max(2, cores())

    def submit(self, unit: Unit) -> Future[Done]:
        """Give a unit to the flow's task runner."""
        future: Future[Done] = Future()

        def ended(given: PrefectFuture[Done]) -> None:
            try:
                future.set_result(given.result())
            except BaseException as problem:  # noqa: BLE001 - it is raised where it is waited for
                future.set_exception(problem)

        unit_task.submit(unit, unit.label).add_done_callback(ended)
        return future

    def call[T](self, function: Callable[..., T], *arguments: object, label: str) -> Future[Done]:
        """Call a function, as a task."""
        return self.submit(CallUnit(function, arguments, label))

    def close(self) -> None:
        """End the engines of this process."""
        DESKS.close()


@flow(name="graphmill-build")
def build_flow(
    config_path: str,
    out: str,
    limit: int | None = None,
    replace: bool = False,
    allow_degraded: bool = False,
    store: str = "",
    size: str = "",
    since: str = "",
    telemetry: str = "",
    without: list[str] | None = None,
) -> dict[str, Any]:
    """Build or resume the corpus in `out`; returns the funnel as JSON values.

    The flow holds the folder, whoever runs its tasks. With `replace`, nothing is left of the
    corpus that is there. `store` is the address of finished work that is shared, `size` one of the
    configuration's sizes, `since` an earlier release whose queries are asked again, `telemetry` the
    URL of an OpenTelemetry collector; `without` are engines of the configuration that are left out.
    """
    config, folder = load(Path(config_path)).chosen(size, without or ()), Path(out)
    config = config.degraded() if allow_degraded else config
    check_engines(config)
    quiet, workers = Watch(quiet=True), Tasks()
    with tracing(telemetry) as trace, claimed(config, folder, quiet.warn, replace=replace):
        try:
            before = Path(since) if since else None
            funnel = build_with(workers, config, folder, quiet, limit, store, before, trace)
            return funnel.to_json()
        finally:
            workers.close()


@task(name="synthesise")
def synthesise_task(domain: str, out: Path, options: dict[str, Any]) -> dict[str, Any]:
    """One graph of a domain, drawn, measured and put in its place."""
    return order_for_domain(domain, out, **options).make().to_json()


@flow(name="graphmill-synth")
def synth_flow(
    domain: str,
    out: str,
    nodes: int = 10_000,
    edges: int | None = None,
    seed: int = 7,
    level: int = 3,
    graphs: int = 1,
) -> list[dict[str, Any]]:
    """`graphs` graphs of a domain, with seeds that follow one another; once or on a schedule.

    With one graph it is at `out`, else they are `out/<seed>`. The same seeds make the same
    graphs, so that a flow that runs again replaces them by equals.
    """
    size = {"nodes": nodes, "edges": edges, "level": level}
    futures = [
        synthesise_task.submit(
            domain, Path(out) if graphs == 1 else Path(out, str(one)), {**size, "seed": one}
        )
        for one in range(seed, seed + graphs)
    ]
    return [future.result() for future in futures]


@flow(name="graphmill-release")
def release_flow(
    config_path: str,
    out: str,
    keep: int = 4,
    size: str = "",
    limit: int | None = None,
    store: str = "",
    telemetry: str = "",
    without: list[str] | None = None,
) -> dict[str, Any]:
    """Build what is new, prove it again, tell how it differs from the last release, keep `keep`.

    `out` has a folder for each release, with numbers that go up, and `build`, where a later run
    goes on with all work that is finished. A corpus that equals the last release is no new one.
    `telemetry` is the URL of an OpenTelemetry collector; `without` are engines of the configuration
    that are left out.

    Raises:
        GraphmillError: the build failed, or what was built did not verify. The releases stay.
    """
    releases = Releases(Path(out), keep)
    since = releases.last
    funnel = build_flow(
        config_path,
        str(releases.draft),
        limit,
        store=store,
        size=size,
        since=since,
        telemetry=telemetry,
        without=without,
    )
    verified = verify(releases.draft, Watch(quiet=True))
    rows = [problem.to_json() for problem in verified.problems]
    create_table_artifact(
        key="graphmill-verify",
        table=rows or [{"where": "all", "code": "ok"}],
        description=str(verified),
    )
    if rows:
        raise GraphmillError(
            f"{releases.draft} is not released: {len(rows)} problems, first {rows[0]}."
        )
    version, difference = releases.take()
    text = f"# Release {version}\n\n{difference}\n\n[Report]({releases.report(version)})\n"
    create_markdown_artifact(key="graphmill-release", markdown=text)
    create_table_artifact(
        key="graphmill-stages",
        table=[{"stage": stage, "left": left} for stage, left in funnel["stages"].items()],
    )
    return {"version": version, "difference": difference, "verified": str(verified)}


def schedule(
    config: Path,
    cron: str,
    out: Path,
    *,
    keep: int,
    size: str,
    pool: str,
    limit: int | None,
    without: Sequence[str] = (),
) -> None:
    """Release on a schedule: by this process until it ends, or by the workers of a work pool.

    Raises:
        ConfigError: `cron` is no expression, or the pool does not exist.
        GraphmillError: Prefect's server cannot be reached.
    """
    name = load(config, here=not pool).chosen(size, without).corpus.name
    try:
        when = Cron(cron)
    except ValueError as problem:
        raise ConfigError(
            f"'{cron}' is no cron expression, such as '0 3 * * 1' (Mondays at three)."
        ) from problem
    parameters: dict[str, Any] = {
        "config_path": str(config.resolve()),
        "out": str(out.resolve()),
        "keep": keep,
        "size": size,
        "limit": limit,
        "without": list(without),
    }
    with served():
        _deploy(name, when, parameters, pool)


def _deploy(name: str, when: Schedule, parameters: dict[str, Any], pool: str) -> None:
    """Serve the flow of releases, or give it to a work pool."""
    if not pool:
        release_flow.serve(name=name, schedule=when, parameters=parameters, limit=1)
        return
    here = Path(__file__).resolve()
    given = release_flow.from_source(
        source=str(here.parent.parent), entrypoint=f"pipelines/{here.name}:release_flow"
    )
    try:
        given.deploy(  # type: ignore[union-attr]  # it is awaited only where a loop runs
            name=name,
            work_pool_name=pool,
            schedule=when,
            parameters=parameters,
            concurrency_limit=1,
            print_next_steps=False,
        )
    except (ValueError, ObjectNotFound) as problem:
        raise ConfigError(f"The work pool '{pool}' cannot be used: {problem}") from problem
