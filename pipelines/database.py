"""The whole plan for one database: given pairs through the stages, then queries of our own."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from generators.questions.lexicon.askable import count_wordless
from graph_ir.cypher.pair import Pair
from graphmill.errors import EmptySourceError
from graphmill.files import remove
from graphmill.record import Reject
from pipelines.author.authors import ModelAuthor
from pipelines.build.augmentation import Order, grow
from pipelines.build.candidates import Grown
from pipelines.build.context import DatabaseContext, Graph
from pipelines.build.plan import PLANS, opened, sorted_out
from pipelines.build.query_oracle import raw_statistics, statistics_from, stored_statistics
from pipelines.build.quotas import Quotas, traits
from pipelines.configuration.config import FILES, Config, Source
from pipelines.configuration.progress import Watch
from pipelines.configuration.proposals import Candidate, pairs_of
from pipelines.configuration.store import Store, a_text, pack, sealed, unpack
from pipelines.funnel import Funnel
from pipelines.jobs.bundle import send, without_secrets
from pipelines.jobs.executor import Executor, WorkerLost, called
from pipelines.jobs.shared import shared_store
from pipelines.jobs.spool import Spool
from pipelines.jobs.summary import Summary
from pipelines.jobs.units import Site, most_open
from pipelines.jobs.work import LOST, Work, is_lost
from pipelines.prepare import prepare
from pipelines.release.earlier import Earlier
from pipelines.synth.synthesis import NotDrawnError
from qa.dedup import Seen
from schemagraph.folder.statistics import GraphStatistics


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
        figures. No graph, where the workers that were to make it were lost, or where it is empty
        or cannot be drawn as specified and there are others.

        Raises:
            EmptySourceError: the only source has no rows.
            NotDrawnError: the only source cannot be drawn as specified.
        """
        config, store, watch, funnel = self.config, self.store, self.watch, Funnel()
        try:
            with self.summary.preparing(config.database(source)):
                graph = prepare(config, source, self.out, store, watch, self.executor)
                packed = self.statistics(graph)
        except (WorkerLost, EmptySourceError, NotDrawnError) as problem:
            if not isinstance(problem, WorkerLost) and len(config.source) == 1:
                raise
            return None, self._left_out(config.database(source), problem, funnel), funnel
        items, rejects = propose(config, source, graph, self.limit, funnel)
        again: Sequence[Grown] = ()
        if self.earlier is not None and config.queries.grow:
            again = list(self.earlier.queries(graph.db, graph.fingerprint))
        known: list[GraphStatistics] = []

        def statistics() -> GraphStatistics:
            if not known:
                known.append(statistics_from(unpack(packed)))
            return known[0]

        with (
            opened(config, graph, store, statistics) as build,
            watch.tally.metered(build.database.dollars),
            store.noting() as used,
        ):
            key = self._key(build.database, items, rejects, again)
            before = store.get(key, _as_stored)
            if before is not None:
                return graph, *self._as_before(graph.db, before, key)
            site = self.site(graph, packed)
            tally = watch.tally
            work = Work(build, site, store, self.executor, self.summary, tally.reject)
            with watch.stage(f"{graph.db}: pairs", len(items)) as tick:
                pairs, dropped = sorted_out(work.plan("given", items, tick))
            funnel.count_plan(PLANS["given"], len(items), dropped)
            rejects += dropped
            seen = config.duplicates.seen()
            pairs, dropped = select(pairs, config.queries.per_database, seen)
            funnel.count("released", len(pairs), dropped)
            tally.reject(reject.code for reject in dropped)
            tally.release(len(pairs))
            rejects += dropped
            if config.queries.grow:
                grown, dropped = self._augment(work, funnel, pairs, again)
                pairs, rejects = pairs + grown, rejects + dropped
            spool = Spool.of(graph.db, store.folder, pairs, rejects)
            if not any(is_lost(reject) for reject in rejects):  # those are tried the next time
                whole = {"spool": spool.to_json(), "funnel": funnel.to_text()}
                store.put(key, sealed(key, {**whole, "used": sorted(used - {key})}))
                spool.key = key
        return graph, spool, funnel

    def _left_out(
        self, db: str, problem: WorkerLost | EmptySourceError | NotDrawnError, funnel: Funnel
    ) -> Spool:
        """A database that is not part of the corpus: its folder goes, the ledger says why."""
        reason = str(problem).replace(f"{self.out}{os.sep}", "")
        funnel.rejects[LOST, problem.code] += 1
        self._remove(db)
        self.watch.warn(f"warning: {db} is left out: {reason}")
        reject = Reject(LOST, problem.code, reason, db)
        return Spool.of(db, self.store.folder, (), [reject])

    def _key(
        self,
        database: DatabaseContext,
        items: Sequence[Candidate],
        rejects: Sequence[Reject],
        again: Sequence[Grown],
    ) -> str:
        """The key of all that a database releases: everything that it depends on."""
        return self.store.key(
            "database",
            database.settings,
            self.config.queries.model_dump(mode="json"),
            self.config.duplicates.model_dump(mode="json"),
            self.limit,
            [asdict(item) for item in items],
            [reject.to_json() for reject in rejects],
            [each.to_json() for each in again],
            *([self._unfilled(database)] if again else ()),
        )

    def _growth(self, database: DatabaseContext) -> str:
        """The key of what growth depends on beside the data: with the same, what was looked for in
        vain is not worth as much time again."""
        queries = self.config.queries.model_dump(mode="json")
        return self.store.key("growth", database.given, database.graph.schema_fingerprint, queries)

    def _unfilled(self, database: DatabaseContext) -> int:
        """The places that the earlier release looked for in vain, with settings as these."""
        if self.earlier is None or isinstance(self.config.author, ModelAuthor):
            return 0
        places, settings = self.earlier.unfilled.get(database.graph.db, (0, ""))
        return places if settings == self._growth(database) else 0

    def _as_before(self, db: str, raw: dict[str, Any], key: str) -> tuple[Spool, Funnel]:
        """What a database released that was finished; its pieces of work stay in the store, for a
        build with other quotas."""
        self.store.use(raw["used"])
        spool = Spool.from_json(db, self.store.folder, raw["spool"], key)
        funnel = Funnel.from_text(raw["funnel"])
        self.watch.tally.release(len(spool))
        self.watch.tally.reject(code for (_, code), n in funnel.rejects.items() for _ in range(n))
        return spool, funnel

    def _remove(self, db: str) -> None:
        """What a source that is left out brought into the corpus."""
        remove(self.out / "graphs" / db)
        for ending in FILES:
            remove(self.out / "sources" / f"{db}{ending}")

    def site(self, graph: Graph, packed: bytes) -> Site:
        """The database as units name it: with what remote workers need, and nothing secret."""
        if not self.executor.remote:
            return Site(self.config, replace(graph, rejects=()), packed, self.shared)
        shared = shared_store(self.shared)
        bundle = "" if shared is None else send(self.config, graph, shared)
        return Site(self.config, without_secrets(graph), packed, self.shared, bundle)

    def statistics(self, graph: Graph) -> bytes:
        """The packed figures of a graph's data, which are work of their own."""
        seed = self.config.corpus.seed
        key = self.store.key("statistics", graph.fingerprint, seed)
        label, bare = f"{graph.db}: statistics", replace(graph, rejects=())
        raw = self.store.done(
            key,
            lambda: called(self.executor, raw_statistics, bare, seed, label=label),
            stored_statistics,
        )
        return pack(raw)

    def _augment(
        self, work: Work, funnel: Funnel, given: Sequence[Pair], again: Sequence[Grown]
    ) -> tuple[list[Pair], list[Reject]]:
        """Queries of our own beside those that were given; released pairs and the ledger's
        lines."""
        config, build = self.config, work.build
        db = build.database.graph.db
        quotas = quotas_of(config, given, self.limit)
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
                self._unfilled(build.database),
            )
        harvest.settings = self._growth(build.database)
        funnel.add_grown(db, quotas, harvest)
        told_before = {stage.name for stage in PLANS["grown"]} | {LOST}
        self.watch.tally.reject(
            each.code for each in harvest.rejects if each.stage not in told_before
        )
        self.watch.tally.release(len(harvest.pairs))
        if harvest.stopped:
            there, words = len(given) + len(harvest.pairs), ""
            if 2 * there < quotas.total:
                wordless = count_wordless(build.database.lexicon, build.database.sure_words)
                # The folder of a preview, which has a limit, goes: then it is that of a build.
                folder = (self.out if self.limit is None else Path()) / "graphs" / db
                words = missing_words(harvest.unworded.total(), harvest.drafted, wordless, folder)
            tell = self.watch.note if there else self.watch.warn  # others may have theirs
            tell(f"{db}: {harvest.stopped}{words}")
        return harvest.pairs, harvest.rejects


def _as_stored(raw: dict[str, Any]) -> dict[str, Any]:
    """What a database released as it is stored, which can be read; else one of `HARMED`."""
    Spool.check(raw["spool"])
    Funnel.from_text(raw["funnel"])
    for key in raw["used"]:
        a_text(key)
    return raw


def missing_words(unworded: int, drafts: int, wordless: tuple[int, int], graph: Path) -> str:
    """What to do where many drafts have no wording, or many of the properties no words: say the
    words of the schema."""
    lacking, properties = wordless
    if 4 * unworded >= drafts:
        problem = f"{unworded} have no good wording"
    elif 4 * lacking >= properties:
        problem = f"{lacking} of {properties} properties have no words that are sure"
    else:
        return ""
    return (
        f" {problem}. The names of a schema that are no English words have "
        f"their words in a lexicon: `graphmill lexicon --graph {graph}` asks for "
        "those that are missing (docs/lexicon.md)."
    )


def quotas_of(config: Config, given: Sequence[Pair], limit: int | None) -> Quotas:
    """The quotas of one database, of which `given` have their places."""
    total = config.queries.per_database
    if limit is not None:
        total = min(total, len(given) + limit)
    return Quotas.of(config.queries, total, [traits(pair.statement) for pair in given])


def propose(
    config: Config, source: Source, graph: Graph, limit: int | None, funnel: Funnel
) -> tuple[list[Candidate], list[Reject]]:
    """The candidates that the source brings; its broken lines, and the graph's own rejects."""
    proposed = list(islice(pairs_of(config, source), limit))
    candidates = [item for item in proposed if isinstance(item, Candidate)]
    rejects = [*graph.rejects, *(item for item in proposed if isinstance(item, Reject))]
    funnel.count("candidates", len(proposed), rejects)
    return candidates, rejects


def select(pairs: Sequence[Pair], most: int, seen: Seen) -> tuple[list[Pair], list[Reject]]:
    """Without duplicates, and at most `most` of one database."""
    kept: list[Pair] = []
    rejects = []
    for pair in pairs:
        finding, record = seen.judge(pair), pair.record
        if finding.ok and len(kept) < most:
            kept.append(pair.judged(finding))
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
