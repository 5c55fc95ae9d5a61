"""What the records of some splits have beside those of all: further languages, further engines.

Splits are dealt when all databases are built, and by what was released. So this comes last: the
records of a split that asks for more are said and proven once more by workers, as units like any
others, which are finished work. A record that an engine answers differently is not released; those
that are keep the split that they were dealt.

All engines together take more memory than a worker should, so they are dealt into passes, each over
all databases. A record gathers trials from pass to pass, and is judged by all of them at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from graph_ir.cypher.pair import Pair
from graphmill.record import Record, Reject, Split
from pipelines.build.context import REFEREE, Graph, engine_class
from pipelines.build.plan import opened
from pipelines.build.query_oracle import statistics_from
from pipelines.build.stages import SPLIT, proven_in_split
from pipelines.configuration.config import Config
from pipelines.configuration.progress import Tick
from pipelines.configuration.store import unpack
from pipelines.database import Run
from pipelines.funnel import Funnel
from pipelines.jobs.executor import in_order
from pipelines.jobs.spool import Spool
from pipelines.jobs.work import Work

type _Outcomes = dict[int, Pair | Reject]  # of records of one database, by their places

PASS_MB = 1100  # of a pass's engines, the referee apart; two workers fit into 4 GB with these


@dataclass(frozen=True, slots=True)
class Dealt:
    """What a database released, and the split of each of its records; None of what is left out."""

    spool: Spool
    splits: Sequence[Split | None]

    def __len__(self) -> int:
        return sum(split is not None for split in self.splits)

    def records(self) -> list[Record]:
        """The records with their splits, without those that are left out."""
        return [
            replace(record, split=split)
            for record, split in zip(self.spool.records(), self.splits, strict=True)
            if split is not None
        ]


def prove_splits(
    run: Run, graphs: Mapping[str, Graph], dealt: Sequence[Dealt], funnel: Funnel
) -> list[Dealt]:
    """Say and prove the records of all splits with languages or engines of their own; what is
    dropped is counted and has its lines in the ledger.

    Raises:
        GraphmillError: an engine that is asked for by name cannot be had.
    """
    wide = {split: run.config.of_split(split) for split in run.config.split}
    wide = {split: config for split, config in wide.items() if config is not run.config}
    if not wide:
        return list(dealt)
    mine = [
        each
        for each in dealt
        if each.spool.db in graphs and not wide.keys().isdisjoint(each.splits)
    ]
    passes = {split: _passes(run, config) for split, config in wide.items()}
    last = max(map(len, passes.values()))
    active = min(each.active for runs in passes.values() for each in runs)
    number = sum(len(passes.get(split, ())) for each in mine for split in each.splits if split)
    proven = {each.spool.db: each for each in dealt}
    rejects: list[Reject] = []
    with run.watch.stage("proof of splits", number) as tick:

        def tried(place: int, each: Dealt, records: Sequence[Record]) -> _Outcomes:
            return _tried(graphs[each.spool.db], records, passes, place, tick)

        def before(place: int, each: Dealt) -> None:
            tried(place, each, each.records())  # finished work, which the last pass reads

        def one(each: Dealt) -> tuple[Dealt, list[Reject], Mapping[str, str]]:
            records = each.records()
            return _proven(run, each, records, wide, tried(last, each, records))

        for place in range(1, last):
            for _ in in_order(partial(before, place), mine, active):
                pass
        for each, dropped, renamed in in_order(one, mine, active):
            proven[each.spool.db] = each
            rejects += dropped
            for grown in funnel.grown:
                if grown["db"] == each.spool.db:
                    absent = grown["asks_absence"]
                    grown["asks_absence"] = [renamed.get(one, one) for one in absent]
    funnel.count(SPLIT, sum(map(len, proven.values())), rejects)
    return [*proven.values()]


def dealt_engines(engines: Sequence[str]) -> list[tuple[str, ...]]:
    """Engines in groups of at most PASS_MB, as far as that can be, each in the given order; the
    first has the referee, which works in all passes.

    >>> dealt_engines(["grafeo", "duckdb", "oxigraph", "ladybug", "neo4j"])
    [('duckdb', 'oxigraph', 'neo4j'), ('grafeo', 'ladybug')]
    """
    mb = {name: engine_class(name).needs.usual_mb for name in engines if name != REFEREE}
    groups: list[list[str]] = [[]]
    for name in sorted(mb, key=mb.__getitem__, reverse=True):
        rooms = [group for group in groups if sum(map(mb.__getitem__, group)) + mb[name] <= PASS_MB]
        if rooms or not groups[0]:
            (rooms or groups)[0].append(name)
        else:
            groups.append([name])
    groups[0].append(REFEREE)
    return [tuple(name for name in engines if name in group) for group in groups]


def _passes(run: Run, config: Config) -> list[Run]:
    """The build with what each pass over the records of a split has: all languages the first."""
    runs: list[Run] = []
    for engines in dealt_engines(config.certify.engines):
        also = () if runs else config.corpus.also
        corpus = config.corpus.model_copy(update={"also": also})
        certify = config.certify.model_copy(update={"engines": engines})
        own = config.model_copy(update={"corpus": corpus, "certify": certify})
        runs.append(replace(run, config=own))
    return runs


def _tried(
    graph: Graph,
    records: Sequence[Record],
    passes: Mapping[Split, Sequence[Run]],
    last: int,
    tick: Tick,
) -> _Outcomes:
    """What the first passes, up to the `last`, make of the records of such splits, by place."""
    outcomes: _Outcomes = {
        n: Pair.read(record)
        for split in passes
        for n, record in enumerate(records)
        if record.split == split
    }
    for split, runs in passes.items():
        for number, run in enumerate(runs[:last], 1):
            done = tick if number == last else (lambda: None)
            mine = {n: pair for n, pair in outcomes.items() if records[n].split == split}
            left = {n: pair for n, pair in mine.items() if isinstance(pair, Pair)}
            if left:
                outcomes.update(zip(left, _pass(run, graph, [*left.values()], done), strict=True))
            for _ in range(len(mine) - len(left)):
                done()
    return outcomes


def _pass(run: Run, graph: Graph, pairs: Sequence[Pair], tick: Tick) -> list[Pair | Reject]:
    """What one pass makes of the records of one database."""
    packed = run.statistics(graph)
    with opened(run.config, graph, run.store, lambda: statistics_from(unpack(packed))) as build:
        work = Work(build, run.site(graph, packed), run.store, run.executor, run.summary)
        return work.plan(SPLIT, pairs, tick)


def _proven(
    run: Run,
    dealt: Dealt,
    kept: Sequence[Record],
    wide: Mapping[Split, Config],
    tried: _Outcomes,
) -> tuple[Dealt, list[Reject], Mapping[str, str]]:
    """One database with what all passes made of its records, what was dropped, and the new ids of
    records by their old ones: an id is a hash of all texts."""
    shapes = [form for form, split in zip(dealt.spool.shapes, dealt.splits, strict=True) if split]
    outcomes = dict(tried)
    for split, config in wide.items():
        for n, each in tried.items():
            if isinstance(each, Pair) and each.record.split == split:
                outcomes[n] = proven_in_split(each, config.certify.engines, config.corpus.also)
    rejects = [each for each in outcomes.values() if isinstance(each, Reject)]
    run.watch.tally.reject(each.code for each in rejects)
    renamed = {kept[n].id: each.record.id for n, each in outcomes.items() if isinstance(each, Pair)}
    records = []
    for n, record in enumerate(kept):
        outcome = outcomes.get(n)
        if not isinstance(outcome, Reject):
            proven = record if outcome is None else outcome.record
            made_by = proven.provenance
            parent = renamed.get(made_by.parent, made_by.parent)
            records.append(replace(proven, provenance=replace(made_by, parent=parent)))
    left = [form for n, form in enumerate(shapes) if not isinstance(outcomes.get(n), Reject)]
    ledger = [*dealt.spool.rejects(), *rejects]
    spool = Spool.written(dealt.spool.db, run.store.folder, left, records, ledger)
    spool.key = "" if rejects else dealt.spool.key
    return Dealt(spool, [record.split for record in records]), rejects, renamed
