"""Where a build's time went, by worker and kind of unit: for people, in no released file."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from graphmill.secrets import conceal
from pipelines.jobs.units import Done, Unit

SHOWN = 20  # lost workers that are told of


@dataclass
class _Spent:
    units: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    mb: float = 0.0


@dataclass
class Summary:
    """What units took; filled by several threads."""

    jobs: int = 1
    kind: str = ""
    began: float = field(default_factory=monotonic)
    kinds: dict[str, _Spent] = field(default_factory=lambda: defaultdict(_Spent))
    workers: dict[str, _Spent] = field(default_factory=lambda: defaultdict(_Spent))
    losses: Counter[str] = field(default_factory=Counter)
    stories: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, unit: Unit, done: Done) -> None:
        """Count a unit."""
        with self._lock:
            for one in (self.kinds[type(unit).__name__], self.workers[done.worker or "0"]):
                one.units += 1
                one.seconds += done.seconds
                one.cpu += done.cpu
                one.mb = max(one.mb, done.mb)

    def lost(self, problem: Exception) -> None:
        """Count a worker that was lost."""
        with self._lock:
            self.losses[str(getattr(problem, "code", "worker-died"))] += 1
            if len(self.stories) < SHOWN:
                self.stories.append(conceal(str(problem)))

    def to_json(self) -> dict[str, Any]:
        """Seconds and megabytes, by kind of unit and by worker."""
        return {
            "jobs": self.jobs,
            "workers_are": self.kind,
            "seconds": round(monotonic() - self.began, 1),
            "units": {name: _plain(one) for name, one in sorted(self.kinds.items())},
            "workers": {name: _plain(one) for name, one in sorted(self.workers.items())},
            "lost": dict(sorted(self.losses.items())),
            "stories": self.stories,
        }

    def text(self) -> str:
        """One line for people."""
        took = monotonic() - self.began
        worked = sum(one.seconds for one in self.workers.values())
        most = max((one.mb for one in self.workers.values()), default=0.0)
        lost = f", {self.losses.total()} workers lost" if self.losses else ""
        return (
            f"{took:.0f} s by the clock, {worked:.0f} s of work in {self.jobs} "
            f"{'worker' if self.jobs == 1 else 'workers'} ({self.kind}), a worker and its engines "
            f"had {most:.0f} MB at most{lost}"
        )


def _plain(one: _Spent) -> dict[str, float]:
    return {
        "units": one.units,
        "seconds": round(one.seconds, 2),
        "cpu": round(one.cpu, 2),
        "mb": round(one.mb),
    }
