"""What the records of some splits have beside those of all: further languages, further engines.

Splits are dealt when all databases are built, and by what was released. So this comes last: the
records of a split that asks for more are said and proven once more by workers, as units like any
others, which are finished work. A record that an engine answers differently is not released; those
that are keep the split that they were dealt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graph_ir.cypher.pair import Pair
from graphmill.record import Record, Reject, Split
from pipelines.build.context import Graph
from pipelines.build.plan import opened
from pipelines.build.query_oracle import statistics_from
from pipelines.build.stages import SPLIT
from pipelines.configuration.config import Config
from pipelines.configuration.progress import Tick
from pipelines.configuration.store import unpack
from pipelines.database import Run
from pipelines.funnel import Funnel
from pipelines.jobs.executor import in_order
from pipelines.jobs.spool import Spool
from pipelines.jobs.work import Work


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
    number = sum(split in wide for each in dealt for split in each.splits)
    proven: list[Dealt] = []
    rejects: list[Reject] = []
    with run.watch.stage("proof of splits", number) as tick:

        def one(each: Dealt) -> tuple[Dealt, list[Reject], Mapping[str, str]]:
            graph = graphs.get(each.spool.db)
            if graph is None or wide.keys().isdisjoint(each.splits):
                return each, [], {}
            return _proven(run, graph, each, wide, tick)

        active = min(replace(run, config=config).active for config in wide.values())
        for each, dropped, renamed in in_order(one, dealt, active):
            proven.append(each)
            rejects += dropped
            for grown in funnel.grown:
                if grown["db"] == each.spool.db:
                    absent = grown["asks_absence"]
                    grown["asks_absence"] = [renamed.get(one, one) for one in absent]
    funnel.count(SPLIT, sum(map(len, proven)), rejects)
    return proven


def _proven(
    run: Run, graph: Graph, dealt: Dealt, wide: Mapping[Split, Config], tick: Tick
) -> tuple[Dealt, list[Reject], Mapping[str, str]]:
    """One database with the records of such splits proven, what was dropped, and the new ids of
    records by their old ones: an id is a hash of all texts."""
    kept = dealt.records()
    shapes = [form for form, split in zip(dealt.spool.shapes, dealt.splits, strict=True) if split]
    outcomes: dict[int, Pair | Reject] = {}
    for split, config in wide.items():
        places = [n for n, record in enumerate(kept) if record.split == split]
        if places:
            made = _again(replace(run, config=config), graph, [kept[n] for n in places], tick)
            outcomes.update(zip(places, made, strict=True))
    rejects = [each for each in outcomes.values() if isinstance(each, Reject)]
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
    spool = Spool.written(graph.db, run.store.folder, left, records, ledger)
    spool.key = "" if rejects else dealt.spool.key
    return Dealt(spool, [record.split for record in records]), rejects, renamed


def _again(run: Run, graph: Graph, records: Sequence[Record], tick: Tick) -> list[Pair | Reject]:
    """The outcomes of records that are said and proven as their split asks."""
    packed = run.statistics(graph)
    pairs = [Pair.read(record) for record in records]
    with opened(run.config, graph, run.store, lambda: statistics_from(unpack(packed))) as build:
        site = run.site(graph, packed)
        work = Work(build, site, run.store, run.executor, run.summary, run.watch.tally.reject)
        return work.plan(SPLIT, pairs, tick)
