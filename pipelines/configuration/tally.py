"""What a run has come to so far, told by many threads: rejects by reason, releases, dollars."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

SHOWN = 4  # reasons that a line has room for


class Tally:
    """Counts of one run. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rejects: Counter[str] = Counter()
        self._released = 0
        self._usd = 0.0
        self._meters: list[Callable[[], float]] = []

    def reject(self, codes: Iterable[str]) -> None:
        """Count rejects by the code of their reason."""
        with self._lock:
            self._rejects.update(codes)

    def release(self, records: int) -> None:
        """Count pairs that are released."""
        with self._lock:
            self._released += records

    @contextmanager
    def metered(self, dollars: Callable[[], float]) -> Iterator[None]:
        """Count what `dollars` says is spent, while the block runs and from then on."""
        with self._lock:
            self._meters.append(dollars)
        try:
            yield
        finally:
            with self._lock:
                self._meters.remove(dollars)
                self._usd += dollars()

    def to_json(self) -> dict[str, Any]:
        """Released pairs, rejects by code (the most frequent first), US dollars of this run."""
        with self._lock:
            usd = self._usd + sum(meter() for meter in self._meters)
            rejects = sorted(self._rejects.items(), key=lambda item: (-item[1], item[0]))
            return {"released": self._released, "rejects": dict(rejects), "usd": round(usd, 6)}

    def text(self) -> str:
        """One line for people; empty where nothing was counted.

        >>> tally = Tally()
        >>> tally.release(12)
        >>> tally.reject(["tier-full", "duplicate-query", "tier-full"])
        >>> tally.text()
        '12 released, 3 rejected (tier-full 2, duplicate-query 1)'
        """
        now = self.to_json()
        rejects: dict[str, int] = now["rejects"]
        parts = [f"{now['released']:,} released"] if now["released"] else []
        if rejects:
            first = [f"{code} {count:,}" for code, count in list(rejects.items())[:SHOWN]]
            rest = len(rejects) - len(first)
            more = [f"{rest} other reasons"] if rest > 0 else []
            parts.append(f"{sum(rejects.values()):,} rejected ({', '.join(first + more)})")
        if now["usd"]:
            parts.append(f"{now['usd']:.4f} USD")
        return ", ".join(parts)
