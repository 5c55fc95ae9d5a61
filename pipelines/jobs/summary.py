"""Where a build's time and money went: for people, in no released file."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from resource import RUSAGE_SELF, getrusage
from time import monotonic
from typing import Any

from graphmill.messages import one_line
from graphmill.secrets import conceal
from pipelines.jobs.telemetry import Silent, Trace
from pipelines.jobs.units import Done, Unit

SHOWN = 20  # lost workers that are told of
SLOWEST = 5  # databases that the text tells of
PREPARED = "sources"  # what is done once a database: its source, its graph, the figures of its data
DRAFTS = "drafts"


@dataclass
class _Spent:
    units: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    mb: float = 0.0


@dataclass
class Summary:
    """What units took; filled by several threads, and told to `trace`. `usd` is the cost of a
    model's answers by stage, of this run and of those before it; `missed` are sentences about what
    an estimate would have missed."""

    jobs: int = 1
    kind: str = ""
    trace: Trace = field(default_factory=Silent)
    began: float = field(default_factory=monotonic)
    kinds: dict[str, _Spent] = field(default_factory=lambda: defaultdict(_Spent))
    workers: dict[str, _Spent] = field(default_factory=lambda: defaultdict(_Spent))
    stages: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    databases: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    losses: Counter[str] = field(default_factory=Counter)
    stories: list[str] = field(default_factory=list)
    usd: dict[str, float] = field(default_factory=dict)
    missed: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, unit: Unit, done: Done) -> None:
        """Count a unit."""
        with self._lock:
            for one in (self.kinds[type(unit).__name__], self.workers[done.worker or "0"]):
                one.units += 1
                one.seconds += done.seconds
                one.cpu += done.cpu
                one.mb = max(one.mb, done.mb)
        self.spend(unit.label.partition(":")[0], done.stages or {DRAFTS: done.seconds})
        figures: dict[str, str | float] = {
            "unit": unit.label,
            "worker": done.worker,
            "cpu": done.cpu,
            "mb": done.mb,
        }
        stages = {f"stage.{name}": seconds for name, seconds in done.stages.items()}
        self.trace.past(type(unit).__name__, done.seconds, figures | stages)

    def spend(self, db: str, stages: Mapping[str, float]) -> None:
        """Count seconds of stages of one database."""
        with self._lock:
            for name, seconds in stages.items():
                self.stages[name] += seconds
                self.databases[db] += seconds

    @contextmanager
    def preparing(self, db: str) -> Iterator[None]:
        """Count the block's time by the clock, in which workers may be waited for."""
        began = monotonic()
        try:
            with self.trace.span(PREPARED, {"database": db}):
                yield
        finally:
            self.spend(db, {PREPARED: monotonic() - began})

    def lost(self, problem: Exception) -> None:
        """Count a worker that was lost."""
        with self._lock:
            self.losses[str(getattr(problem, "code", "worker-died"))] += 1
            if len(self.stories) < SHOWN:
                self.stories.append(conceal(str(problem)))

    def to_json(self) -> dict[str, Any]:
        """Seconds, dollars and megabytes, by stage, database, kind of unit and worker."""
        return {
            "jobs": self.jobs,
            "workers_are": self.kind,
            "seconds": round(monotonic() - self.began, 1),
            "coordinator_mb": round(getrusage(RUSAGE_SELF).ru_maxrss / 1024),  # at most
            "stages": {name: round(s, 2) for name, s in _most(self.stages)},
            "databases": {name: round(s, 2) for name, s in _most(self.databases)},
            "usd": {name: round(dollars, 6) for name, dollars in _most(self.usd)},
            "estimate_missed": self.missed,
            "units": {name: _plain(one) for name, one in sorted(self.kinds.items())},
            "workers": {name: _plain(one) for name, one in sorted(self.workers.items())},
            "lost": dict(sorted(self.losses.items())),
            "stories": self.stories,
        }

    def text(self) -> str:
        """A few lines for people."""
        took = monotonic() - self.began
        worked = sum(one.seconds for one in self.workers.values())
        most = max((one.mb for one in self.workers.values()), default=0.0)
        lost = f", {self.losses.total()} workers or engines lost" if self.losses else ""
        lines = [
            f"{took:.0f} s by the clock, {worked:.0f} s of work in {self.jobs} "
            f"{'worker' if self.jobs == 1 else 'workers'} ({self.kind}), a worker and its engines "
            f"had {most:.0f} MB at most{lost}"
        ]
        if sum(self.stages.values()) >= 1:
            lines.append(f"Time: {_shares(self.stages)}")
        if len(self.databases) > 1:
            slowest = [f"{db} {s:.0f} s" for db, s in _most(self.databases)[:SLOWEST]]
            lines.append(f"Longest: {', '.join(slowest)}")
        if sum(self.usd.values()):
            spent = [f"{name} {dollars:.4f} USD" for name, dollars in _most(self.usd)]
            lines.append(f"Money: {', '.join(spent)}")
        return "\n".join(map(one_line, [*lines, *self.missed]))


def _most(figures: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(figures.items(), key=lambda item: (-item[1], item[0]))


def _shares(seconds: Mapping[str, float]) -> str:
    whole = sum(seconds.values())
    return ", ".join(f"{name} {s:.0f} s ({s / whole:.0%})" for name, s in _most(seconds))


def _plain(one: _Spent) -> dict[str, float]:
    return {
        "units": one.units,
        "seconds": round(one.seconds, 2),
        "cpu": round(one.cpu, 2),
        "mb": round(one.mb),
    }
