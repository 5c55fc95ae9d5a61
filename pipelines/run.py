"""`graphmill build`: the stages one after the other, with progress, resume and ledger."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path

from graphmill.errors import GraphmillError
from graphmill.files import canonical, remove_leftovers, write_text
from graphmill.llm.cache import books
from graphmill.record import Record, Reject, Split
from pipelines.author.authors import REPLIES, Author, ModelAuthor
from pipelines.build.context import Graph
from pipelines.build.estimate import estimate_by_stage
from pipelines.build.estimate_review import missed
from pipelines.build.splits import Unit, splits_of
from pipelines.claim import COSTS, SUMMARY, claimed, writable
from pipelines.configuration.config import Config, Source
from pipelines.configuration.feasibility import warnings
from pipelines.configuration.lock import WORK
from pipelines.configuration.progress import Watch
from pipelines.configuration.reach import check_engines, check_key, idle_engines
from pipelines.configuration.store import Finished, Store
from pipelines.database import Run
from pipelines.funnel import Funnel
from pipelines.jobs.bundle import check_travels
from pipelines.jobs.collector import few_collections
from pipelines.jobs.executor import Executor, InProcess, called, in_order
from pipelines.jobs.shared import shared_store
from pipelines.jobs.spool import Spool
from pipelines.jobs.summary import Summary
from pipelines.jobs.telemetry import Silent, Trace, tracing
from pipelines.prepare import brought
from pipelines.pseudonyms.stand_in import StandIn, check_leaks, stand_in
from pipelines.release.earlier import Earlier
from pipelines.release.folder import release
from pipelines.release.ledger import checked_text, ledger_text, ranked
from pipelines.release.nearest import Apart, here
from pipelines.split_proof import Dealt, prove_splits
from pipelines.verification.integrity import settled


def build(
    config: Config,
    out: Path,
    watch: Watch,
    limit: int | None = None,
    *,
    replace: bool = False,
    executor: Callable[[], Executor] = InProcess,
    store: str = "",
    since: Path | None = None,
    collector: str = "",
) -> Funnel:
    """Build or resume the corpus in `out`; with `replace`, nothing is left of what is there.

    `executor` makes what does the units of work; `store` is the address of finished work that is
    shared with other machines. `since` is an earlier release, whose grown queries are asked again
    of sources that have changed. `collector` is the URL of an OpenTelemetry collector.

    Raises:
        GraphmillError: the command cannot work at all (a source is unreadable, `out` is not
            writable, an engine is missing). What was finished before is kept.
    """
    check_key(config, out / WORK)
    check_engines(config)
    held = claimed(config, out, watch.warn, replace=replace)
    with tracing(collector) as trace, few_collections(), held:
        remove_leftovers(out)  # of builds that were killed
        workers = executor()
        try:
            return build_with(workers, config, out, watch, limit, store, since, trace)
        finally:
            workers.close()


def build_with(
    executor: Executor,
    config: Config,
    out: Path,
    watch: Watch,
    limit: int | None,
    store: str = "",
    since: Path | None = None,
    trace: Trace | None = None,
) -> Funnel:
    """As `build`, in a folder that is held, by workers that run on."""
    trace = trace or Silent()
    span = trace.span("build", {"corpus": config.corpus.name, "jobs": executor.jobs})
    with span, settled(out, watch.warn):
        try:
            return _build_with(executor, config, out, watch, limit, store, since, trace)
        except BaseException:
            with suppress(GraphmillError, OSError):  # which would hide why the build ends
                write_costs(config.author, out / WORK)
            raise


def _build_with(
    executor: Executor,
    config: Config,
    out: Path,
    watch: Watch,
    limit: int | None,
    store: str,
    since: Path | None,
    trace: Trace,
) -> Funnel:
    if executor.remote:
        check_travels(config)
    finished = open_store(out, watch, store)
    standing: StandIn | None = None
    if config.privacy.pseudonyms and not config.private.name:
        standing = stand_in(config, out, watch, brought)
        config = standing.config
    for warning in warnings(config):
        watch.note(f"warning: {warning}")
    summary = Summary(executor.jobs, executor.kind, trace)
    earlier = None if since is None else Earlier.of(since, finished.folder)
    run = Run(config, out, finished, watch, executor, summary, limit, store, earlier)
    whole = Funnel()
    graphs, spools = [], []
    with watch.whole("databases", len(config.source)) as tick:

        def one(source: Source) -> tuple[Graph | None, Spool, Funnel]:
            with trace.span("database", {"database": config.database(source)}):
                made = run.one_database(source)
                trace.note({"released": len(made[1])})
            tick()
            return made

        for graph, spool, funnel in in_order(one, config.source, run.active):
            graphs += [] if graph is None else [graph]
            spools.append(spool)
            whole.add(funnel)
    watch.note(f"Writing {sum(map(len, spools))} records to {out}")
    with trace.span("release", {"records": sum(map(len, spools))}):
        apart = partial(called, executor, label="nearest questions", lost=summary.lost)
        finish(run, graphs, spools, whole, apart)
    if standing is not None:
        check_leaks(out, standing)
    for spool in spools:
        spool.remove()
    finished.sweep()
    remove_leftovers(out)
    used = costs(config.author, out / WORK)
    summary.usd = {stage: spent["usd"] for stage, spent in used.items()}
    summary.missed = missed(estimate_by_stage(config, limit), used, whole.rejects) if used else []
    write_text(out / WORK / SUMMARY, json.dumps(summary.to_json(), indent=2) + "\n")
    watch.spending(summary.text(), summary.to_json())
    return whole


def open_store(out: Path, watch: Watch, shared: str = "") -> Store:
    """The store of finished work of the corpus in `out`, which must be writable; `watch` is told
    of damaged entries, and of a store that stays away. `shared` is the address of finished work of
    other machines.

    Raises:
        GraphmillError: it is not, or holds something else.
    """
    others = shared_store(shared)
    if others is not None:
        others.begin(watch.warn)
    return Store(writable(out) / WORK, watch.warn, others)


def finish(
    run: Run,
    graphs: Sequence[Graph],
    spools: Sequence[Spool],
    funnel: Funnel,
    apart: Apart = here,
) -> None:
    """Splits, and the corpus folder, from what the databases left on disk; what an earlier release
    has in a split stays in it. Who watches is told of engines that proved nothing of a database,
    and of plots that could not be drawn."""
    config, out, tell = run.config, run.out, run.watch.note
    shapes = [shape for spool in spools for shape in spool.shapes]
    gone = config.duplicates.across(
        lambda: (one for spool in spools for one in spool.records()), shapes
    )
    twins = list(gone.values())
    if twins:
        funnel.count("across", sum(map(len, spools)) - len(twins), twins)
    deal = partial(_deal, config, {graph.db: graph.domain for graph in graphs})
    databases = [spool.db for spool in spools for _ in spool.shapes]
    both = enumerate(zip(databases, shapes, strict=True))
    kept = [one for number, one in both if number not in gone]
    given = iter(deal(kept, earlier=run.earlier.splits) if run.earlier else deal(kept))
    number, dealt = count(), []
    for spool in spools:
        splits = [None if next(number) in gone else next(given) for _ in spool.shapes]
        dealt.append(Dealt(spool, splits))
    dealt = prove_splits(run, {graph.db: graph for graph in graphs}, dealt, funnel)
    ran: dict[str, set[str]] = {}

    def records() -> Iterator[tuple[str, list[Record]]]:
        for each in dealt:
            mine = each.records()
            if mine:
                ran[each.spool.db] = {run.engine for record in mine for run in record.certificates}
            yield each.spool.db, mine

    write_costs(config.author, out / WORK)
    release(
        config,
        out,
        graphs,
        records(),
        _ledger([each.spool for each in dealt], twins, run.store),
        funnel.to_json(),
        finished=run.store,
        dealt=_by_shares(dealt, deal),
        tell=tell,
        apart=apart,
    )
    homes = {each.spool.db: {*filter(None, each.splits)} for each in dealt}
    for engine, names in idle_engines(config.model_dump(mode="json"), ran, homes).items():
        tell(f"warning: {engine} proved no record of {', '.join(names)}.")


def _deal(
    config: Config,
    domains: Mapping[str, str],
    kept: Sequence[tuple[str, str]],
    earlier: Callable[[Unit], Mapping[str, Split]] = lambda _: {},
) -> list[Split]:
    """The splits of records, of which database and shape are given, as a configuration has them."""
    corpus = config.corpus
    synthesised = frozenset(
        config.database(source) for source in config.source if source.kind == "synthetic"
    )
    return splits_of(
        kept,
        corpus.splits,
        corpus.seed,
        by=corpus.split_by,
        domains=domains,
        synthesised=synthesised,
        synthetic_only=corpus.test == "synthetic-only",
        earlier=earlier,
    )


def _by_shares(
    dealt: Sequence[Dealt], deal: Callable[[Sequence[tuple[str, str]]], list[Split]]
) -> bool:
    """Whether the splits are those that the shares alone deal the records that are left."""
    homes = [
        (each.spool.db, shape, split)
        for each in dealt
        for shape, split in zip(each.spool.shapes, each.splits, strict=True)
        if split is not None
    ]
    return deal([(db, shape) for db, shape, _ in homes]) == [split for _, _, split in homes]


def _ledger(spools: Sequence[Spool], twins: Sequence[Reject], finished: Finished) -> Iterator[str]:
    """The ledger's text by database; the lines of one that is as it was are finished work."""
    for spool in sorted(spools, key=lambda each: each.db):
        own = [twin for twin in twins if twin.db == spool.db]
        if own or not spool.key:
            yield ledger_text(ranked([*spool.rejects(), *own]))
        else:
            key = finished.key("ledger", spool.key)
            yield finished.done(key, partial(_lines, spool), checked_text)


def _lines(spool: Spool) -> str:
    return ledger_text(ranked(spool.rejects()))


def costs(author: Author, work: Path) -> dict[str, dict[str, float]]:
    """What a model's answers cost, of this run and earlier ones, by stage."""
    replies = work / REPLIES
    if not isinstance(author, ModelAuthor) or not replies.is_file():
        return {}
    return {
        stage: {
            "calls": each.calls,
            "prompt_tokens": each.prompt_tokens,
            "completion_tokens": each.completion_tokens,
            "usd": round(each.usd, 6),
        }
        for stage, each in books(replies, author.rates()).items()
    }


def write_costs(author: Author, work: Path) -> None:
    """Leave what a model's answers cost beside the finished work."""
    if isinstance(author, ModelAuthor) and (work / REPLIES).is_file():
        write_text(work / COSTS, canonical(costs(author, work)) + "\n")
