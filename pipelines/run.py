"""`graphmill build`: the stages one after the other, with progress, resume and ledger."""

from __future__ import annotations

import gc
import os
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
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
from pipelines.build.augmentation import Harvest, Remember, grow
from pipelines.build.context import Graph
from pipelines.build.damage import unharmed
from pipelines.build.generation import drafter
from pipelines.build.plan import (
    GROWN_PLAN,
    PLAN,
    BuildContext,
    Item,
    apply,
    apply_plan,
    opened,
    sorted_out,
)
from pipelines.build.quotas import Quotas, traits
from pipelines.build.splits import assign
from pipelines.build.synthetic_source import drawn
from pipelines.claim import WORK, claimed, writable
from pipelines.configuration.config import FILES, Config, RelationalSource, Source, SyntheticSource
from pipelines.configuration.progress import Watch
from pipelines.configuration.proposals import Candidate, pairs_of
from pipelines.configuration.store import Store
from pipelines.release.folder import release
from qa.dedup import Seen
from schemagraph.convert.service import content_of, convert, takes_wishes
from schemagraph.folder.graphdata import graph_fingerprint

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
        for stage in ("candidates", *(each.name for each in GROWN_PLAN), "select"):
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
    config: Config, out: Path, watch: Watch, limit: int | None = None, *, replace: bool = False
) -> Funnel:
    """Build or resume the corpus in `out`; with `replace`, nothing is left of what is there.

    Raises:
        GraphmillError: the command cannot work at all (a source is unreadable, `out` is not
            writable, an engine is missing). What was finished before is kept.
    """
    with few_collections(), claimed(config, out, watch.warn, replace=replace):
        return _build(config, out, watch, limit)


@contextmanager
def few_collections() -> Iterator[None]:
    """Look for cycles of garbage seldom.

    Queries are trees, which free themselves, and there are millions of their nodes: with Python's
    own thresholds the search takes a tenth of a build.
    """
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _build(config: Config, out: Path, watch: Watch, limit: int | None) -> Funnel:
    store = open_store(out, watch)
    funnel = Funnel()
    graphs, records, rejects = [], [], []
    for source in config.source:
        graph = prepare(config, source, out, store, watch)
        graphs.append(graph)
        released, dropped = one_database(config, source, graph, store, watch, funnel, limit)
        records += released
        rejects += dropped
    watch.note(f"Writing {len(records)} records to {out}")
    finish(config, out, graphs, records, rejects, funnel)
    store.sweep()
    remove_leftovers(out)
    return funnel


def open_store(out: Path, watch: Watch) -> Store:
    """The store of finished work of the corpus in `out`, which must be writable; `watch` is told
    of damaged entries.

    Raises:
        GraphmillError: it is not, or holds something else.
    """
    return Store(writable(out) / WORK, watch.warn)


def finish(
    config: Config,
    out: Path,
    graphs: Sequence[Graph],
    records: Sequence[Record],
    rejects: Sequence[Reject],
    funnel: Funnel,
) -> None:
    """Splits, and the corpus folder."""
    records, twins = config.duplicates.across(records)
    rejects = [*rejects, *twins]
    if twins:
        funnel.count("across", len(records), twins)
    records = assign(records, config.corpus.splits, config.corpus.seed)
    write_costs(config.author, out / WORK)
    release(config, out, graphs, records, rejects, funnel.to_json())


def write_costs(author: Author, work: Path) -> None:
    """What a model's answers cost, of this run and earlier ones, by stage."""
    replies = work / REPLIES
    if isinstance(author, ModelAuthor) and replies.is_file():
        spent = books(replies, author.rates())
        raw = {
            stage: {
                "calls": each.calls,
                "prompt_tokens": each.prompt_tokens,
                "completion_tokens": each.completion_tokens,
                "usd": round(each.usd, 6),
            }
            for stage, each in spent.items()
        }
        write_text(work / "costs.json", canonical(raw) + "\n")


def prepare(config: Config, source: Source, out: Path, store: Store, watch: Watch) -> Graph:
    """The source beside the corpus, and the graph made of it."""
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
        database = _origin(config, source, out, store, watch)
        origin, content = str(database), [file_digest(database)]
    else:
        origin = config.origin(source)
        content = content_of(origin)
        asked = _asked(config, source, origin)
    key = store.key("convert", content, db, source.licence, asked)

    def work() -> str:
        watch.note(f"Converting {db}")
        report = convert(origin, folder, licence=source.licence, asked=asked)
        for warning in report.warnings:
            watch.note(f"warning: {db}: {warning}")
        if not sum(report.nodes.values()):
            raise SourceError(f"{db} has no rows, so no answer of its queries could be proven.")
        return graph_fingerprint(folder)

    if "://" in origin:  # a server, whose content is not known before it is read
        return Graph(db, folder, work(), source.domain, source.subdomain, database)
    fingerprint = str(store.done(key, work))
    if not unharmed(folder, fingerprint, watch):
        fingerprint = work()
    return Graph(db, folder, fingerprint, source.domain, source.subdomain, database)


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


def one_database(
    config: Config,
    source: Source,
    graph: Graph,
    store: Store,
    watch: Watch,
    funnel: Funnel,
    limit: int | None,
) -> tuple[list[Record], list[Reject]]:
    """The whole plan for one database: released records and the ledger's lines."""
    items: Sequence[Item]
    items, rejects = propose(config, source, graph, limit, funnel)
    with opened(config, graph, store) as build:
        for stage in PLAN:
            with watch.stage(f"{graph.db}: {stage.name}", len(items)) as tick:
                records, dropped = sorted_out(apply(stage, items, build, tick))
            funnel.count(stage.name, len(records), dropped)
            rejects += dropped
            items = records
        records, dropped = select(records, config.queries.per_database, config.duplicates.seen())
        funnel.count("released", len(records), dropped)
        rejects += dropped
        if config.queries.grow:
            grown, dropped = augment(build, watch, funnel, limit, records)
            records, rejects = records + grown, rejects + dropped
    return records, rejects


def augment(
    build: BuildContext,
    watch: Watch,
    funnel: Funnel,
    limit: int | None,
    given: Sequence[Record],
) -> tuple[list[Record], list[Reject]]:
    """Queries of our own beside those that were given; released records and the ledger's lines."""
    config, db = build.config, build.database.graph.db
    quotas = quotas_of(config, given, limit)
    with watch.stage(f"{db}: grow", quotas.open) as tick:
        harvest = grow(
            db,
            config.corpus.seed,
            quotas,
            given,
            drafter(config, build.database, build.store),
            lambda candidates: apply_plan(GROWN_PLAN, candidates, build),
            remember(build),
            config.duplicates.seen(),
            limit,
            tick,
        )
    funnel.add_grown(db, quotas, harvest)
    if harvest.stopped:
        watch.note(f"{db}: {harvest.stopped}")
    return harvest.records, harvest.rejects


def quotas_of(config: Config, given: Sequence[Record], limit: int | None) -> Quotas:
    """The quotas of one database, of which `given` have their places."""
    total = config.queries.per_database
    if limit is not None:
        total = min(total, len(given) + limit)
    return Quotas.of(
        config.queries, total, [traits(parsed(record.queries["cypher"])) for record in given]
    )


def remember(build: BuildContext) -> Remember:
    """Keeps the drafts of a round under all that they depend on."""
    settings = [build.database.settings, build.config.queries.model_dump(mode="json")]
    return lambda name, work: build.store.done(build.store.key("draft", settings, name), work)


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
    config: Config, source: RelationalSource, out: Path, store: Store, watch: Watch
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
        copy.parent.mkdir(parents=True, exist_ok=True)
        draft = copy.with_name(f".{copy.name}.{os.getpid()}.part")
        if script:
            _fill(origin, draft)
        else:
            shutil.copyfile(origin, draft)
        draft.replace(copy)
        return file_digest(copy)

    known, there = store.done(key, work), file_digest(copy) if copy.is_file() else ""
    if known != there:
        if there:
            watch.warn(f"warning: {copy} is not as it was written; it is made anew.")
        work()
    return copy


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
