"""The same stages as Prefect flows: for schedules, retries, observability and scale-out.

A task is a batch with seconds of work, never one record (one task an item costs 3 to 60 times
as much, see docs/measurements.md). Resume is the store's, by content, so that a flow and
`graphmill build` can take over from one another.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from prefect import flow, task
from prefect.futures import PrefectFuture

from graphmill.record import Record, Reject
from pipelines.build.context import Graph
from pipelines.build.mutation import BATCH
from pipelines.build.plan import PLAN, Item, apply, opened, sorted_out
from pipelines.claim import claimed
from pipelines.configuration.config import Config, Source, load
from pipelines.configuration.progress import Watch
from pipelines.run import Funnel, augment, finish, open_store, prepare, propose, select
from pipelines.synth.domains import order_for_domain


@task(name="prepare", retries=1)
def prepare_task(config: Config, source: Source, out: Path) -> Graph:
    """One source, converted."""
    watch = Watch(quiet=True)
    return prepare(config, source, out, open_store(out, watch), watch)


@task(name="stage", task_run_name="{stage}", retries=1)
def stage_task(
    config: Config, graph: Graph, out: Path, stage: str, batch: Sequence[Item]
) -> tuple[list[Record], list[Reject]]:
    """A batch of items through one stage of the plan, with engines of its own."""
    (step,) = (each for each in PLAN if each.name == stage)
    with opened(config, graph, open_store(out, Watch(quiet=True))) as build:
        return sorted_out(apply(step, batch, build))


@task(name="grow", task_run_name="grow {graph.db}", retries=1)
def grow_task(
    config: Config, graph: Graph, out: Path, given: Sequence[Record], limit: int | None
) -> tuple[list[Record], list[Reject], Funnel]:
    """All that grows on one database: its rounds follow from one another, so that they are one
    task, which goes on where it was when it is run again."""
    quiet, funnel = Watch(quiet=True), Funnel()
    with opened(config, graph, open_store(out, quiet)) as build:
        records, rejects = augment(build, quiet, funnel, limit, given)
    return records, rejects, funnel


@task(name="release")
def release_task(
    config: Config,
    out: Path,
    graphs: Sequence[Graph],
    records: Sequence[Record],
    rejects: Sequence[Reject],
    funnel: Funnel,
) -> None:
    """The corpus folder."""
    finish(config, out, graphs, records, rejects, funnel)


@flow(name="graphmill-build")
def build_flow(
    config_path: str,
    out: str,
    limit: int | None = None,
    replace: bool = False,
    allow_degraded: bool = False,
) -> dict[str, Any]:
    """Build or resume the corpus in `out`; returns the funnel as JSON values.

    The flow holds the folder, whoever runs its tasks. With `replace`, nothing is left of the
    corpus that is there.
    """
    config, folder = load(Path(config_path)), Path(out)
    config = config.degraded() if allow_degraded else config
    with claimed(config, folder, Watch(quiet=True).warn, replace=replace):
        return _build(config, folder, limit)


def _build(config: Config, folder: Path, limit: int | None) -> dict[str, Any]:
    funnel = Funnel()
    graphs, released, growing, ledger = [], [], [], []
    for source in config.source:
        graph = prepare_task(config, source, folder)
        graphs.append(graph)
        items: Sequence[Item]
        items, rejects = propose(config, source, graph, limit, funnel)
        for stage in PLAN:
            futures = [
                stage_task.submit(config, graph, folder, stage.name, b) for b in _batches(items)
            ]
            items = records = _collect(futures, stage.name, rejects, funnel)
        kept, dropped = select(records, config.queries.per_database, config.duplicates.seen())
        funnel.count("released", len(kept), dropped)
        released.append(kept)
        ledger += rejects + dropped
        if config.queries.grow:
            growing.append(grow_task.submit(config, graph, folder, kept, limit))
    for given, future in zip_longest(released, growing):
        if future is not None:
            records, dropped, mine = future.result()
            given += records
            ledger += dropped
            funnel.add(mine)
    release_task(config, folder, graphs, list(chain(*released)), ledger, funnel)
    return funnel.to_json()


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


def _batches(items: Sequence[Item]) -> list[Sequence[Item]]:
    return [items[at : at + BATCH] for at in range(0, len(items), BATCH)]


def _collect(
    futures: Sequence[PrefectFuture[tuple[list[Record], list[Reject]]]],
    stage: str,
    rejects: list[Reject],
    funnel: Funnel,
) -> list[Record]:
    """What all batches of one stage left over, in order; rejects go to the ledger."""
    outcomes = [future.result() for future in futures]
    records = [record for kept, _ in outcomes for record in kept]
    dropped = [reject for _, gone in outcomes for reject in gone]
    rejects += dropped
    funnel.count(stage, len(records), dropped)
    return records
