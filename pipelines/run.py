"""`graphmill build`: the stages one after the other, with progress, resume and ledger."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from runpy import run_path
from typing import Any

from graph_ir.constants import most_asked
from graph_ir.cypher.reader import parse, parsed
from graphmill.errors import GraphmillError, SourceError
from graphmill.files import canonical, file_digest, remove_leftovers, write_text
from graphmill.llm.cache import books
from graphmill.record import Record, Reject
from pipelines.author.authors import REPLIES, Author, ModelAuthor
from pipelines.build.augmentation import Harvest, Order, grow
from pipelines.build.candidates import Grown
from pipelines.build.context import Graph
from pipelines.build.damage import unharmed
from pipelines.build.estimate import estimate_by_stage
from pipelines.build.estimate_review import missed
from pipelines.build.plan import PLANS, Stage, opened, sorted_out
from pipelines.build.query_oracle import raw_statistics, statistics_from
from pipelines.build.quotas import Quotas, traits
from pipelines.build.splits import splits_of
from pipelines.build.synthetic_source import drawn
from pipelines.claim import SUMMARY, WORK, claimed, writable
from pipelines.configuration.config import FILES, Config, RelationalSource, Source, SyntheticSource
from pipelines.configuration.progress import Watch
from pipelines.configuration.proposals import Candidate, pairs_of
from pipelines.configuration.store import Store, pack, unpack
from pipelines.jobs.bundle import check_travels, send, without_secrets
from pipelines.jobs.collector import few_collections
from pipelines.jobs.executor import Executor, InProcess, Stopped, WorkerLost, called
from pipelines.jobs.shared import shared_store
from pipelines.jobs.spool import Spool
from pipelines.jobs.summary import Summary
from pipelines.jobs.units import Site, most_open
from pipelines.jobs.work import LOST, Work
from pipelines.lexicon import place_lexicon
from pipelines.pseudonyms.stand_in import StandIn, check_leaks, stand_in
from pipelines.release.earlier import Earlier
from pipelines.release.folder import release
from qa.dedup import Seen
from schemagraph.convert.service import content_of, convert, takes_wishes
from schemagraph.folder.graphdata import graph_fingerprint
from schemagraph.folder.statistics import GraphStatistics

MOST_ASKED = 40  # values of one property that data is made for


@dataclass
class Funnel:
    """How many candidates came in, were left after each stage, and why the others went."""

    stages: dict[str, int] = field(default_factory=dict)
    rejects: Counter[tuple[str, str]] = field(default_factory=Counter)
    grown: list[dict[str, Any]] = field(default_factory=list)

    def count(self, stage: str, survivors: int, rejects: Iterable[Reject]) -> None:
        """Add one database's figures for `stage`."""
        self.stages[stage] = self.stages.get(stage, 0) + survivors
        self.rejects.update((reject.stage, reject.code) for reject in rejects)

    def count_plan(self, plan: Sequence[Stage], items: int, rejects: Sequence[Reject]) -> None:
        """Add one database's figures for all stages of a plan that `items` went into."""
        gone = Counter(reject.stage for reject in rejects)
        if gone[LOST]:
            items -= gone[LOST]
            self.stages[LOST] = self.stages.get(LOST, 0) + items
        for stage in plan:
            items -= gone[stage.name]
            self.stages[stage.name] = self.stages.get(stage.name, 0) + items
        self.rejects.update((reject.stage, reject.code) for reject in rejects)

    def add(self, other: Funnel) -> None:
        """Add all figures of another funnel."""
        for stage, count in other.stages.items():
            self.stages[stage] = self.stages.get(stage, 0) + count
        self.rejects.update(other.rejects)
        self.grown += other.grown

    def add_grown(self, db: str, quotas: Quotas, harvest: Harvest) -> None:
        """Add what growing brought to one database, stage by stage."""
        left = harvest.candidates_in_all
        gone = Counter(reject.stage for reject in harvest.rejects)
        lost = (LOST,) if gone[LOST] else ()
        for stage in ("candidates", *lost, *(each.name for each in PLANS["grown"]), "select"):
            left -= gone[stage]
            self.stages[f"grown: {stage}"] = self.stages.get(f"grown: {stage}", 0) + left
        self.stages["released"] = self.stages.get("released", 0) + len(harvest.records)
        self.rejects.update((reject.stage, reject.code) for reject in harvest.rejects)
        self.grown.append({"db": db, **quotas.to_json(), **harvest.to_json()})

    def to_json(self) -> dict[str, Any]:
        """The summary as it is printed and stored."""
        reasons = [
            {"stage": stage, "code": code, "count": count}
            for (stage, code), count in sorted(self.rejects.items())
        ]
        return {"stages": self.stages, "rejects": reasons, "grown": self.grown}


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
) -> Funnel:
    """Build or resume the corpus in `out`; with `replace`, nothing is left of what is there.

    `executor` makes what does the units of work; `store` is the address of finished work that is
    shared with other machines. `since` is an earlier release, whose grown queries are asked again
    of sources that have changed.

    Raises:
        GraphmillError: the command cannot work at all (a source is unreadable, `out` is not
            writable, an engine is missing). What was finished before is kept.
    """
    with few_collections(), claimed(config, out, watch.warn, replace=replace):
        workers = executor()
        try:
            return build_with(workers, config, out, watch, limit, store, since)
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
) -> Funnel:
    """As `build`, in a folder that is held, by workers that run on."""
    if executor.remote:
        check_travels(config)
    finished = open_store(out, watch, store)
    standing: StandIn | None = None
    if config.privacy.pseudonyms and not config.private.name:
        standing = stand_in(config, out, watch, brought)
        config = standing.config
    summary = Summary(executor.jobs, executor.kind)
    earlier = None if since is None else Earlier.of(since, finished.folder)
    run = Run(config, out, finished, watch, executor, summary, limit, store, earlier)
    whole = Funnel()
    graphs, spools = [], []
    with watch.whole("databases", len(config.source)) as tick:

        def one(source: Source) -> tuple[Graph | None, Spool, Funnel]:
            made = run.one_database(source)
            tick()
            return made

        for graph, spool, funnel in in_order(one, config.source, run.active):
            graphs += [] if graph is None else [graph]
            spools.append(spool)
            whole.add(funnel)
    watch.note(f"Writing {sum(map(len, spools))} records to {out}")
    finish(config, out, graphs, spools, whole)
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


def in_order[T, R](work: Callable[[T], R], items: Sequence[T], active: int) -> Iterator[R]:
    """The results of all items, in their order; `active` of them are worked on at a time.

    The first error that was not of its stopping ends all.
    """
    if active == 1:
        yield from map(work, items)
        return
    pool = ThreadPoolExecutor(active, thread_name_prefix="database")
    context = copy_context()
    try:
        futures = [pool.submit(context.copy().run, work, item) for item in items]
        waiting = list(futures)
        while waiting:
            ended, left = wait(waiting, return_when=FIRST_EXCEPTION)
            failed = [future.exception() for future in ended]
            problems = [each for each in failed if each is not None]
            for problem in sorted(problems, key=lambda each: isinstance(each, Stopped)):
                raise problem
            waiting = list(left)
        for future in futures:
            yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def open_store(out: Path, watch: Watch, shared: str = "") -> Store:
    """The store of finished work of the corpus in `out`, which must be writable; `watch` is told
    of damaged entries. `shared` is the address of finished work of other machines.

    Raises:
        GraphmillError: it is not, or holds something else.
    """
    return Store(writable(out) / WORK, watch.warn, shared_store(shared))


def finish(
    config: Config, out: Path, graphs: Sequence[Graph], spools: Sequence[Spool], funnel: Funnel
) -> None:
    """Splits, and the corpus folder, from what the databases left on disk."""
    gone, twins = _twins(config, spools)
    if twins:
        funnel.count("across", sum(map(len, spools)) - len(twins), twins)
    kept = [(spool.db, shape) for spool in spools for shape in spool.shapes]
    kept = [one for number, one in enumerate(kept) if number not in gone]
    corpus = config.corpus
    domains = {graph.db: graph.domain for graph in graphs}
    splits = iter(splits_of(kept, corpus.splits, corpus.seed, by=corpus.split_by, domains=domains))

    def records() -> Iterator[tuple[str, list[Record]]]:
        number = 0
        for spool in spools:
            mine = []
            for record in spool.records():
                if number not in gone:
                    mine.append(replace(record, split=next(splits)))
                number += 1
            yield spool.db, mine

    write_costs(config.author, out / WORK)
    release(config, out, graphs, records(), _ledger(spools, twins), funnel.to_json())


def _twins(config: Config, spools: Sequence[Spool]) -> tuple[set[int], list[Reject]]:
    """The records that databases have twice among them, by number, and the ledger's lines."""
    if config.duplicates.scope == "database":
        return set(), []
    light = [
        replace(record, findings=(), certificates=(), discrimination={}, meta=_line(record))
        for spool in spools
        for record in spool.records()
    ]
    kept, twins = config.duplicates.across(light)
    there = {id(record) for record in kept}
    return {number for number, record in enumerate(light) if id(record) not in there}, twins


def _line(record: Record) -> dict[str, Any]:
    return {"line": record.meta["line"]} if "line" in record.meta else {}


def _ledger(spools: Sequence[Spool], twins: Sequence[Reject]) -> Iterator[Reject]:
    """All rejects by database, line, stage and code; those of one database in memory."""
    for spool in sorted(spools, key=lambda each: each.db):
        mine = [*spool.rejects(), *(twin for twin in twins if twin.db == spool.db)]
        yield from sorted(mine, key=lambda r: (r.db, r.line, r.stage, r.code))


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
        write_text(work / "costs.json", canonical(costs(author, work)) + "\n")


def prepare(
    config: Config, source: Source, out: Path, store: Store, watch: Watch, executor: Executor
) -> Graph:
    """The source beside the corpus, and the graph made of it, with the source's lexicon."""
    graph = _prepared(config, source, out, store, watch, executor)
    place_lexicon(config, source, graph.folder)
    return graph


def _prepared(
    config: Config, source: Source, out: Path, store: Store, watch: Watch, executor: Executor
) -> Graph:
    db = config.database(source)
    folder = out / "graphs" / db
    database: Path | str | None = None
    asked: dict[str, list[Any]] = {}
    if isinstance(source, SyntheticSource):
        return drawn(config, source, folder, store, watch)
    if isinstance(source, RelationalSource) and source.is_server:
        database = origin = config.address(source)
        content = []
    elif isinstance(source, RelationalSource):
        database = _origin(config, source, out, store, watch, executor)
        origin, content = str(database), [file_digest(database)]
    else:
        origin = config.origin(source)
        content = content_of(origin)
        asked = _asked(config, source, origin)
    key = store.key("convert", content, db, source.licence, asked)

    def work() -> str:
        watch.note(f"Converting {db}")
        label = f"{db}: conversion"
        wanted = (origin, folder, db, source.licence, asked)
        fingerprint, warnings = called(executor, converted, *wanted, label=label)
        for warning in warnings:
            watch.note(f"warning: {db}: {warning}")
        return fingerprint

    if "://" in origin:  # a server, whose content is not known before it is read
        return Graph(db, folder, work(), source.domain, source.subdomain, database)
    fingerprint = str(store.done(key, work))
    if not unharmed(folder, fingerprint, watch):
        fingerprint = work()
    return Graph(db, folder, fingerprint, source.domain, source.subdomain, database)


def converted(
    origin: str, folder: Path, db: str, licence: str, asked: dict[str, list[Any]]
) -> tuple[str, list[str]]:
    """Convert a source to the graph in `folder`: its fingerprint, and warnings.

    Raises:
        SourceError: it has no rows.
    """
    report = convert(origin, folder, licence=licence, asked=asked)
    if not sum(report.nodes.values()):
        raise SourceError(f"{db} has no rows, so no answer of its queries could be proven.")
    return graph_fingerprint(folder), list(report.warnings)


def _asked(config: Config, source: Source, origin: str) -> dict[str, list[Any]]:
    """What the pairs of a source without data compare its properties with."""
    if not takes_wishes(origin):
        return {}
    statements = []
    for item in pairs_of(config, source):
        if isinstance(item, Candidate) and item.cypher:
            try:
                statements.append(parse(item.cypher))
            except GraphmillError:
                continue  # the stage that translates says what is wrong
    return most_asked(statements, MOST_ASKED)


@dataclass(frozen=True, slots=True)
class Run:
    """One build: its configuration and folder, its store, its workers."""

    config: Config
    out: Path
    store: Store
    watch: Watch
    executor: Executor
    summary: Summary
    limit: int | None = None
    shared: str = ""
    earlier: Earlier | None = None

    @property
    def active(self) -> int:
        """How many databases are worked on at a time; one where a model is asked, whose budget
        and whose record of replies are one."""
        if self.executor.jobs == 1 or isinstance(self.config.author, ModelAuthor):
            return 1
        return most_open(self.config) * self.executor.jobs

    def one_database(self, source: Source) -> tuple[Graph | None, Spool, Funnel]:
        """The whole plan for one database: its graph, released records and the ledger's lines,
        figures. No graph, where the workers that were to make it were lost."""
        config, store, watch, funnel = self.config, self.store, self.watch, Funnel()
        try:
            with self.summary.preparing(config.database(source)):
                graph = prepare(config, source, self.out, store, watch, self.executor)
                packed = self._statistics(graph)
        except WorkerLost as problem:
            reject = Reject(LOST, problem.code, f"{problem}", config.database(source))
            funnel.rejects[LOST, problem.code] += 1
            watch.warn(f"warning: {reject.db} is left out: {problem}")
            return None, Spool.of(reject.db, store.folder, (), [reject]), funnel
        items, rejects = propose(config, source, graph, self.limit, funnel)
        known: list[GraphStatistics] = []

        def statistics() -> GraphStatistics:
            if not known:
                known.append(statistics_from(unpack(packed)))
            return known[0]

        with (
            opened(config, graph, store, statistics) as build,
            watch.tally.metered(build.database.dollars),
        ):
            site = self._site(graph, packed)
            tally = watch.tally
            work = Work(build, site, store, self.executor, self.summary, tally.reject)
            with watch.stage(f"{graph.db}: pairs", len(items)) as tick:
                records, dropped = sorted_out(work.plan("given", items, tick))
            funnel.count_plan(PLANS["given"], len(items), dropped)
            rejects += dropped
            seen = config.duplicates.seen()
            records, dropped = select(records, config.queries.per_database, seen)
            funnel.count("released", len(records), dropped)
            tally.reject(reject.code for reject in dropped)
            tally.release(len(records))
            rejects += dropped
            if config.queries.grow:
                grown, dropped = self._augment(work, funnel, records)
                records, rejects = records + grown, rejects + dropped
        return graph, Spool.of(graph.db, store.folder, records, rejects), funnel

    def _site(self, graph: Graph, packed: bytes) -> Site:
        """The database as units name it: with what remote workers need, and nothing secret."""
        if not self.executor.remote:
            return Site(self.config, replace(graph, rejects=()), packed, self.shared)
        shared = shared_store(self.shared)
        bundle = "" if shared is None else send(self.config, graph, shared)
        return Site(self.config, without_secrets(graph), packed, self.shared, bundle)

    def _statistics(self, graph: Graph) -> bytes:
        """The packed figures of a graph's data, which are work of their own."""
        seed = self.config.corpus.seed
        key = self.store.key("statistics", graph.fingerprint, seed)
        label, bare = f"{graph.db}: statistics", replace(graph, rejects=())
        raw = self.store.done(
            key, lambda: called(self.executor, raw_statistics, bare, seed, label=label)
        )
        return pack(raw)

    def _augment(
        self, work: Work, funnel: Funnel, given: Sequence[Record]
    ) -> tuple[list[Record], list[Reject]]:
        """Queries of our own beside those that were given; released records and the ledger's
        lines."""
        config, build = self.config, work.build
        db = build.database.graph.db
        quotas = quotas_of(config, given, self.limit)
        again: Iterable[Grown] = ()
        if self.earlier is not None:
            again = self.earlier.queries(db, build.database.graph.fingerprint)
        settings = [build.database.settings, config.queries.model_dump(mode="json")]

        def drafts(name: str, order: Callable[[], Order]) -> Sequence[dict[str, Any]]:
            return work.drafts(self.store.key("draft", settings, name), order)

        with self.watch.stage(f"{db}: grow", quotas.open) as tick:
            harvest = grow(
                db,
                config.corpus.seed,
                quotas,
                given,
                drafts,
                lambda candidates: work.plan("grown", candidates),
                config.duplicates.seen(),
                self.limit,
                tick,
                again,
            )
        funnel.add_grown(db, quotas, harvest)
        told = {stage.name for stage in PLANS["grown"]} | {LOST}
        self.watch.tally.reject(each.code for each in harvest.rejects if each.stage not in told)
        self.watch.tally.release(len(harvest.records))
        if harvest.stopped:
            self.watch.note(f"{db}: {harvest.stopped}")
        return harvest.records, harvest.rejects


def quotas_of(config: Config, given: Sequence[Record], limit: int | None) -> Quotas:
    """The quotas of one database, of which `given` have their places."""
    total = config.queries.per_database
    if limit is not None:
        total = min(total, len(given) + limit)
    return Quotas.of(
        config.queries, total, [traits(parsed(record.queries["cypher"])) for record in given]
    )


def propose(
    config: Config, source: Source, graph: Graph, limit: int | None, funnel: Funnel
) -> tuple[list[Candidate], list[Reject]]:
    """The candidates that the source brings; its broken lines, and the graph's own rejects."""
    proposed = list(islice(pairs_of(config, source), limit))
    candidates = [item for item in proposed if isinstance(item, Candidate)]
    rejects = [*graph.rejects, *(item for item in proposed if isinstance(item, Reject))]
    funnel.count("candidates", len(proposed), rejects)
    return candidates, rejects


def select(records: Sequence[Record], most: int, seen: Seen) -> tuple[list[Record], list[Reject]]:
    """Without duplicates, and at most `most` of one database."""
    kept: list[Record] = []
    rejects = []
    for record in records:
        finding = seen.judge(record)
        if finding.ok and len(kept) < most:
            kept.append(record.judged(finding))
            continue
        code = finding.code or "over-quota"
        reason = finding.detail or f"The database already releases {most} pairs."
        rejects.append(
            Reject(
                stage="select",
                code=code,
                reason=reason,
                db=record.db,
                question=record.questions.original,
                query=record.queries["cypher"],
                line=int(record.meta.get("line", 0)),
                evidence=finding.evidence,
            )
        )
    return kept, rejects


def _origin(
    config: Config,
    source: RelationalSource,
    out: Path,
    store: Store,
    watch: Watch,
    executor: Executor,
) -> Path:
    """The source's file beside the corpus, so that the corpus can be verified alone."""
    db = config.database(source)
    endings = {scheme: ending for ending, scheme in FILES.items()}
    ending = endings.get(source.url.partition("///")[0] + "///", ".sqlite")
    origin, copy = config.path(source.url or source.script), out / "sources" / f"{db}{ending}"
    script = bool(source.script)
    key = store.key("source", [file_digest(path) for path in _inputs(origin, script)], db)

    def work() -> str:
        watch.note(f"Filling {db}" if script else f"Copying {origin.name}")
        return called(executor, brought, origin, copy, script, label=f"{db}: source")

    known, there = store.done(key, work), file_digest(copy) if copy.is_file() else ""
    if known != there:
        if there:
            watch.warn(f"warning: {copy} is not as it was written; it is made anew.")
        work()
    return copy


def brought(origin: Path, copy: Path, script: bool) -> str:
    """Put a source's file in its place, or have the user's program fill it; its hash."""
    copy.parent.mkdir(parents=True, exist_ok=True)
    draft = copy.with_name(f".{copy.name}.{os.getpid()}.part")
    if script:
        _fill(origin, draft)
    else:
        shutil.copyfile(origin, draft)
    draft.replace(copy)
    return file_digest(copy)


def _inputs(origin: Path, script: bool) -> list[Path]:
    """The files that a source's content depends on: for a program, all that lie beside it."""
    return (
        sorted(path for path in origin.parent.iterdir() if path.is_file()) if script else [origin]
    )


def _fill(script: Path, target: Path) -> None:
    """Run the user's own fill program; it is configuration, and as trusted as that."""
    fill = run_path(str(script)).get("fill")
    if not callable(fill):
        raise SourceError(f"{script} has no function fill(path, seed).")
    fill(target)
