"""Units of work: what a worker is given, what it gives back, and how it does it.

A unit names its database by value (configuration, graph, figures of its data), so that any worker
can take it; `Desk` is what a worker keeps between units: open databases, whose engines run on.
"""

from __future__ import annotations

import socket
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property, partial
from time import monotonic, process_time
from typing import Any, Protocol

from engines.isolation import IsolatedEngine
from graph_ir.cypher.pair import Pair
from graphmill.errors import GraphmillError
from pipelines.build.augmentation import Drafter, Order
from pipelines.build.candidates import stored_drafts
from pipelines.build.context import REFEREE, DatabaseContext, Graph, goes_on
from pipelines.build.generation import drafter
from pipelines.build.plan import (
    PLANS,
    BuildContext,
    Item,
    outcomes_of,
    run_segment,
    segment_key,
    segments,
    sorted_out,
)
from pipelines.build.query_oracle import statistics_from
from pipelines.build.recall import Memory
from pipelines.configuration.certify import Certify
from pipelines.configuration.config import Config
from pipelines.configuration.store import Finished, Gathered, sealed, unpack, unsealed
from pipelines.jobs.bundle import at_home, fetched
from pipelines.jobs.memory import own_mb, resident_mb
from pipelines.jobs.shared import shared_store
from schemagraph.folder.statistics import GraphStatistics

OPEN = 2  # databases that a worker has open at most; one, where a server serves them in turn
MARK_MB = 1024  # of the two usual engines, from which engines are started anew
ENGINE_MB = 512  # that each engine beyond these may have besides: LadybugDB and a JVM take as much
USUAL = 2
SOON = 8  # units: what started engines take within so many is their graph, and no growth


def most_open(config: Config) -> int:
    """How many databases of a build a worker has open at a time."""
    return 1 if any(map(goes_on, config.certify.engines)) else OPEN


def mark_mb(engines: Sequence[str]) -> int:
    """Megabytes of these engines, their worker apart, from which they are started anew.

    They have to be beyond what the engines take at once: to start six takes some ten seconds of
    processor time, and would be done after every unit.
    """
    return MARK_MB + ENGINE_MB * max(0, len({*engines, REFEREE}) - USUAL)


@dataclass(frozen=True, slots=True)
class Site:
    """The database that a unit works on. `statistics` are packed figures of its data; `store` is
    the address of the finished work that workers share, empty where they share none; `bundle` is
    the key under which it has the database for workers that see no folder of the coordinator."""

    config: Config
    graph: Graph
    statistics: bytes
    store: str = ""
    bundle: str = ""

    @property
    def name(self) -> str:
        """What tells it from other databases, also of other builds."""
        return f"{self.graph.db} {self.graph.fingerprint}"


@dataclass(frozen=True, slots=True)
class Done:
    """What a unit brought: its value, what is to be stored, what it cost and where.

    `seconds` is time by the clock, `cpu` processor seconds of the worker without its engines,
    `mb` megabytes with them and `own_mb` without, `stages` the seconds of each stage of a plan.
    """

    value: Any
    entries: Sequence[tuple[str, bytes]] = ()
    seconds: float = 0.0
    cpu: float = 0.0
    mb: float = 0.0
    worker: str = ""
    own_mb: float = 0.0
    stages: Mapping[str, float] = field(default_factory=dict)


class Unit(Protocol):
    """A piece of work of seconds; `place` is the database that it needs open, if any."""

    @property
    def place(self) -> str:
        """The name of its site; empty where any worker is as good as another."""
        ...

    @property
    def label(self) -> str:
        """What it is, for people."""
        ...

    def work(self, desk: Desk) -> tuple[Any, Sequence[tuple[str, bytes]]]:
        """Its value, and what is to be stored."""
        ...


@dataclass(frozen=True, slots=True)
class PlanUnit:
    """A batch of items through segments `first` to `last` (exclusive) of a plan; `memories`
    are key and packed value of what is remembered of each; without a key, nothing is to be."""

    site: Site
    plan: str
    first: int
    last: int
    items: tuple[Item, ...]
    memories: tuple[tuple[str, bytes | None], ...] = ()

    @property
    def place(self) -> str:
        """Its database."""
        return self.site.name

    @property
    def label(self) -> str:
        """What it is, for people."""
        return f"{self.site.graph.db}: {len(self.items)} {self.plan}"

    def work(self, desk: Desk) -> tuple[Any, Sequence[tuple[str, bytes]]]:
        """What was learnt of items, by key and packed, beside the stored outcomes of segments."""
        build, store = desk.open(self.site).build, Gathered(shared_store(self.site.store))
        items: Sequence[Item] = self.items
        keyed = [(key, packed) for key, packed in self.memories if key]
        known = [unsealed(key, old, Memory.of) if old else Memory() for key, old in keyed]
        left = known
        for segment in segments(PLANS[self.plan], self.site.config.author)[self.first : self.last]:
            key = segment_key(segment, items, build, store)
            work = partial(run_segment, segment, items, build, left)
            outcomes = store.done(key, work, partial(outcomes_of, number=len(items)))
            # there are memories of all items, or of none
            left = [memory for memory, one in zip(left, outcomes) if isinstance(one, Pair)]  # noqa: B905
            items = sorted_out(outcomes)[0]
            if not items:
                break
        both = zip(keyed, known, strict=True)
        return [
            (key, sealed(key, one.stages)) for (key, _), one in both if one.learnt
        ], store.entries


@dataclass(frozen=True, slots=True)
class DraftUnit:
    """The drafts of one round, which are stored under `key`."""

    site: Site
    key: str
    order: Order

    @property
    def place(self) -> str:
        """Its database."""
        return self.site.name

    @property
    def label(self) -> str:
        """What it is, for people."""
        return f"{self.site.graph.db}: drafts"

    def work(self, desk: Desk) -> tuple[Any, Sequence[tuple[str, bytes]]]:
        """Nothing beside the stored drafts."""
        store = Gathered(shared_store(self.site.store))
        database = desk.open(self.site)
        work = partial(self.order.drafted_by, database.drafter)
        store.done(self.key, work, stored_drafts)
        return None, store.entries


@dataclass(frozen=True, slots=True)
class CallUnit:
    """A function of a module, with its arguments; its value is sent back."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    label: str
    place: str = ""

    def work(self, desk: Desk) -> tuple[Any, Sequence[tuple[str, bytes]]]:
        """The function's value."""
        return self.function(*self.arguments), ()


@dataclass
class OpenDatabase:
    """A database that a worker has open."""

    site: Site
    build: BuildContext

    @cached_property
    def drafter(self) -> Drafter:
        """Who drafts its queries."""
        return drafter(self.build.config, self.build.database, self.build.statistics())


@dataclass
class Desk:
    """What one worker keeps between units. Not to be used by two threads at once."""

    _open: OrderedDict[str, tuple[OpenDatabase, ExitStack]] = field(default_factory=OrderedDict)
    _spare: dict[str, IsolatedEngine] = field(default_factory=dict)
    _settings: Certify | None = None  # that the spare engines were started with
    _large_mb: float = 0.0  # the mark of a graph that takes more as soon as it is loaded
    _units: int = SOON  # since engines were started anew

    def open(self, site: Site) -> OpenDatabase:
        """The database of a site, as it was left, or opened now."""
        known = self._open.get(site.name)
        if known is None or known[0].site.config != site.config:
            for name, (other, _) in list(self._open.items()):
                if name == site.name or other.site.config.certify != site.config.certify:
                    self._close(name)  # with its engines, which are too many beside others
            while len(self._open) >= most_open(site.config):
                self._close(next(iter(self._open)))
            stack = ExitStack()
            known = OpenDatabase(site, _context(site, stack, self._take_spare(site))), stack
            self._open[site.name] = known
        self._open.move_to_end(site.name)
        return known[0]

    def do(self, unit: Unit, worker: str = "") -> Done:
        """Do a unit."""
        began, cpu = monotonic(), process_time()
        value, entries = unit.work(self)
        stages = self._stages()
        mb, own = self._tidy()
        seconds, cpu = monotonic() - began, process_time() - cpu
        return Done(value, entries, seconds, cpu, mb, worker, own, stages)

    def close(self) -> None:
        """Close all databases and end their engines."""
        for name in list(self._open):
            self._close(name)
        for engine in self._spare.values():
            engine.close()
        self._spare.clear()

    def _stages(self) -> dict[str, float]:
        """The seconds of each stage since this was last asked."""
        stages: dict[str, float] = {}
        for database, _ in self._open.values():
            for name, seconds in database.build.spent.items():
                stages[name] = stages.get(name, 0.0) + seconds
            database.build.spent.clear()
        return stages

    def _take_spare(self, site: Site) -> dict[str, IsolatedEngine]:
        """The servers that a closed database left, where they were started for such settings."""
        spare, self._spare = self._spare, {}
        if self._settings == site.config.certify:
            return spare
        for engine in spare.values():
            engine.close()
        return {}

    def _tidy(self) -> tuple[float, float]:
        """End engines that have grown beyond the mark; megabytes before, and those of this process
        alone, which starting engines anew does not change.

        Where they are beyond it again soon, it is their graph that is large: to load a million
        nodes takes a minute, and would be done after every unit. Then half as much again is the
        mark, until the database is closed.
        """
        mb, own = resident_mb(), own_mb()
        self._units += 1
        engines = [known.site.config.certify.engines for known, _ in self._open.values()]
        if mb - own <= max(self._large_mb, *map(mark_mb, engines), MARK_MB * (not engines)):
            return mb, own
        others = list(self._open)[:-1]
        for name in others:
            self._close(name)
        if self._units <= SOON and not others:
            self._large_mb, self._units = 1.5 * (mb - own), SOON
            return mb, own
        self._units = 0
        for database, _ in self._open.values():
            database.build.database.recycle()
        return mb, own

    def _close(self, name: str) -> None:
        known = self._open.pop(name, None)
        if known is not None:
            self._large_mb = 0.0
            self._spare.update(known[0].build.database.hand_over())
            self._settings = known[0].site.config.certify
            known[1].close()


def _context(site: Site, stack: ExitStack, spare: dict[str, IsolatedEngine]) -> BuildContext:
    config, graph = site.config, at_home(site.config, site.graph)
    shared = shared_store(site.store)
    if site.bundle and shared is not None:
        config, graph = fetched(config, graph, site.bundle, shared)
    elif not graph.folder.is_dir():
        raise GraphmillError(
            f"The worker on {socket.gethostname()} sees no folder {graph.folder}: give all "
            "machines a store with --store URL, or one file system."
        )
    database = stack.enter_context(
        DatabaseContext(
            graph=graph,
            languages=config.corpus.languages,
            also=config.corpus.also,
            certify=config.certify,
            author=config.author,
            seed=config.corpus.seed,
            confidence=config.questions.confidence,
            spare=spare,
        )
    )
    known: list[GraphStatistics] = []

    def statistics() -> GraphStatistics:
        if not known:
            known.append(statistics_from(unpack(site.statistics)))
        return known[0]

    store: Finished = Gathered()
    return BuildContext(config, database, store, statistics)
