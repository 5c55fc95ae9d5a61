"""Progress and the summary on standard error: bars on a terminal, plain lines elsewhere, or JSON.

A run has one `Watch`. Any number of databases may be at their stages at the same time.
"""

from __future__ import annotations

import json
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from time import monotonic
from typing import Any, Literal, Protocol

from rich.console import Console
from rich.table import Table

from graphmill.messages import message, plain
from graphmill.processes import wake_at_interrupt
from graphmill.secrets import conceal
from pipelines.configuration.bars import Bars, duration, pace
from pipelines.configuration.tally import Tally

type LogFormat = Literal["text", "json"]

_GROWN = "grown: "  # before the name of a stage that grown pairs were left after
# stages in which given and grown pairs are one
_TOGETHER = ("released", "across", "split", "review")


class Tick(Protocol):
    """Called once for each finished item."""

    def __call__(self) -> None: ...


class Watch:
    """Tells a person, or with the format `json` a program, what is going on.

    `tally` is what the run has come to. `clock` gives seconds.
    """

    def __init__(
        self,
        *,
        quiet: bool = False,
        log_format: LogFormat = "text",
        console: Console | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.tally = Tally()
        self.quiet = quiet
        self.console = console or Console(stderr=True, highlight=False, soft_wrap=True)
        self._json = log_format == "json"
        self._clock = clock
        self._lock = threading.Lock()
        self._bars = Bars(self.console, self.tally.text)
        self._draws = self.console.is_terminal and not quiet and not self._json

    def note(self, text: str) -> None:
        """One line."""
        self._tell("note", text, {"text": text})

    def warn(self, text: str) -> None:
        """One line, which no quiet keeps back: something was not as it was left."""
        self._tell("warning", text, {"text": text}, always=True)

    def error(self, text: str) -> None:
        """Why a command could not work; no quiet keeps it back."""
        self._tell("error", text, {"text": text}, always=True)

    @contextmanager
    def stage(self, name: str, total: int) -> Iterator[Tick]:
        """A bar for `total` items; without a terminal, a line at each tenth."""
        wake_at_interrupt()
        count = _Count()
        if self._draws:
            move = self._bars.open(name, total)
            try:
                yield lambda: move(count.one_more())
            finally:
                move(-1)
                self.note(f"{name}: {count.done}/{total}")
            return
        began = self._clock()

        def tick() -> None:
            done = count.one_more()
            if done == total or done * 10 // (total or 1) > (done - 1) * 10 // (total or 1):
                self._progress(name, done, total, self._clock() - began)

        self._progress(name, 0, total, 0.0)
        yield tick

    @contextmanager
    def whole(self, name: str, total: int) -> Iterator[Tick]:
        """The bar of all that is to be done, above those of its stages; nothing is drawn after
        it. Where there is one item, it has no bar of its own."""
        try:
            if total > 1:
                with self.stage(name, total) as tick:
                    yield tick
            else:
                yield lambda: None
        finally:
            self._bars.stop()

    def summary(self, funnel: dict[str, Any]) -> None:
        """The funnel: what was left after each stage, and why the rest went."""
        if self._json:
            figures = {name: funnel[name] for name in ("stages", "rejects")}
            self._tell("summary", "", figures)
            return
        self._print(_left_after_stages(funnel["stages"]))
        if funnel["rejects"]:
            gone = Table("stage", "code", "count", title="Rejected (see rejects.jsonl)")
            for row in funnel["rejects"]:
                gone.add_row(row["stage"], row["code"], str(row["count"]))
            self._print(gone)

    def spending(self, text: str, figures: dict[str, Any]) -> None:
        """Where time and money went, as lines and as figures."""
        self._tell("spending", text, figures)

    def _progress(self, name: str, done: int, total: int, seconds: float) -> None:
        """A line, or an event, of one stage."""
        rate = done / seconds if done and seconds > 0 else 0.0
        left = max(0, total - done) / rate if rate else None
        parts = [f"{name}: {done}/{total}"]
        if rate and seconds >= 1:  # what is over at once has no rate worth telling
            parts.append(pace(rate))
            if left:
                parts.append(f"{duration(left)} left")
        figures = {
            "stage": name,
            "done": done,
            "total": total,
            "seconds": round(seconds, 3),
            "per_second": round(rate, 3),
            "seconds_left": None if left is None else round(left, 1),
            **(self.tally.to_json() if self._json else {}),
        }
        self._tell("progress", ", ".join(parts), figures)

    def _tell(
        self, event: str, text: str, figures: dict[str, Any], *, always: bool = False
    ) -> None:
        if self.quiet and not always:
            return
        if self._json:
            now = datetime.now(UTC).isoformat(timespec="milliseconds")
            line = json.dumps({"time": now, "event": event, **figures}, ensure_ascii=False)
            with self._lock:
                self.console.file.write(f"{conceal(line)}\n")  # rich would wrap and colour it
                self.console.file.flush()
        elif text:
            # Lines of a summary are its own.
            safe = plain if event == "spending" else message
            self._print(safe(conceal(text)), always=always)

    def _print(self, what: str | Table, *, always: bool = False) -> None:
        if not self.quiet or always:
            styled = not isinstance(what, str)
            self.console.print(what, markup=styled, crop=styled, emoji=styled, highlight=False)


class Listener(Watch):
    """Tells a function of the caller's, line by line, or nobody; warnings are Python's."""

    def __init__(self, listen: Callable[[str], object] | None) -> None:
        super().__init__(console=Console(quiet=True, force_terminal=False))
        self._listen = listen

    def note(self, text: str) -> None:
        """One line."""
        if self._listen is not None:
            self._listen(conceal(text))

    def warn(self, text: str) -> None:
        """A warning, whoever listens."""
        warnings.warn(conceal(text), stacklevel=2)

    def _tell(
        self, event: str, text: str, figures: dict[str, Any], *, always: bool = False
    ) -> None:
        if text:
            self.note(text)


class _Count:
    """Finished items, counted by any thread."""

    def __init__(self) -> None:
        self.done = 0
        self._lock = threading.Lock()

    def one_more(self) -> int:
        with self._lock:
            self.done += 1
            return self.done


def _left_after_stages(counts: Mapping[str, int]) -> Table:
    """What was left after each stage: of given pairs, of grown ones, and of both together from
    where they are one. An origin that brought nothing has no column."""
    origins: dict[str, dict[str, int]] = {"given": {}, "grown": {}, "together": {}}
    for stage, count in counts.items():
        name = stage.removeprefix(_GROWN)
        origin = "together" if stage in _TOGETHER else "given" if name == stage else "grown"
        origins[origin][name] = count
    for origin in ("given", "grown"):
        if not origins[origin].get("candidates"):
            del origins[origin]
    table = Table("stage", *origins, title="From candidates to records")
    for stage in dict.fromkeys(name for left in origins.values() for name in left):
        cells = (left.get(stage) for left in origins.values())
        table.add_row(stage, *("" if cell is None else str(cell) for cell in cells))
    return table
