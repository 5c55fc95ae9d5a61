"""Progress and the summary on standard error; bars on a terminal, plain lines elsewhere."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from graphmill.secrets import conceal


class Tick(Protocol):
    """Called once for each finished item."""

    def __call__(self) -> None: ...


class Watch:
    """Tells a person what is going on."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.console = Console(stderr=True, quiet=quiet, highlight=False, soft_wrap=True)
        self._warnings = Console(stderr=True, highlight=False, soft_wrap=True)

    def note(self, text: str) -> None:
        """One line."""
        self.console.print(conceal(text), markup=False)

    def warn(self, text: str) -> None:
        """One line, which no quiet keeps back: something was not as it was left."""
        self._warnings.print(conceal(text), markup=False)

    @contextmanager
    def stage(self, name: str, total: int) -> Iterator[Tick]:
        """A bar for `total` items; without a terminal, a line at each tenth."""
        if self.console.is_terminal:
            columns = (
                TextColumn("{task.description:<28}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
            )
            with Progress(*columns, console=self.console) as progress:
                task = progress.add_task(name, total=total)
                yield lambda: progress.advance(task)
            return
        done = 0

        def tick() -> None:
            nonlocal done
            done += 1
            if done == total or done * 10 // total > (done - 1) * 10 // total:
                self.note(f"{name}: {done}/{total}")

        self.note(f"{name}: 0/{total}")
        yield tick

    def summary(self, funnel: dict[str, Any]) -> None:
        """The funnel: what was left after each stage, and why the rest went."""
        left = Table("stage", "left", title="From candidates to records")
        for stage, count in funnel["stages"].items():
            left.add_row(stage, str(count))
        self.console.print(left)
        if funnel["rejects"]:
            gone = Table("stage", "code", "count", title="Rejected (see rejects.jsonl)")
            for row in funnel["rejects"]:
                gone.add_row(row["stage"], row["code"], str(row["count"]))
            self.console.print(gone)


class Listener(Watch):
    """Tells a function of the caller's, line by line, or nobody; warnings are Python's."""

    def __init__(self, listen: Callable[[str], object] | None) -> None:
        self.console = Console(quiet=True, force_terminal=False)
        self._listen = listen

    def note(self, text: str) -> None:
        """One line."""
        if self._listen is not None:
            self._listen(conceal(text))

    def warn(self, text: str) -> None:
        """A warning, whoever listens."""
        warnings.warn(conceal(text), stacklevel=2)
