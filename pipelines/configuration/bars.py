"""The one live display of a terminal: a bar for each stage that is going on, and what it came to.

A terminal can be drawn on by one display alone; databases that are built at the same time have
their bars in the same one. It is there while any stage is open.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from rich.console import Console, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text

from graphmill.messages import one_line


class _Rate(ProgressColumn):
    """The pace since the stage began, and what is left at that pace: items come in batches, so
    that the pace of the last moment says nothing."""

    def render(self, task: Task) -> Text:
        rate = task.completed / task.elapsed if task.completed and task.elapsed else 0.0
        left = ((task.total or 0) - task.completed) / rate if rate else 0.0
        return Text(f"{pace(rate):>9}" + (f"  {duration(left)} left" if left > 0 else ""))


class _Display(Progress):
    """Bars, and one line below them."""

    def __init__(self, console: Console, line: Callable[[], str]) -> None:
        self._line = line
        super().__init__(
            TextColumn("{task.description:<28}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            _Rate(),
            console=console,
            refresh_per_second=4,
        )

    def get_renderables(self) -> Iterable[RenderableType]:
        """The table of bars, and the line."""
        yield from super().get_renderables()
        line = self._line()
        if line:
            yield Text(line, overflow="ellipsis", no_wrap=True)


class Bars:
    """Bars that any thread may open, move and close."""

    def __init__(self, console: Console, line: Callable[[], str]) -> None:
        self._console = console
        self._line = line
        self._lock = threading.Lock()
        self._display: _Display | None = None
        self._open: set[TaskID] = set()

    def open(self, name: str, total: int) -> Callable[[int], None]:
        """A new bar, which is moved to so many items by calling it, and closed by a negative
        number."""
        with self._lock:
            if self._display is None:
                self._display = _Display(self._console, self._line)
                self._display.start()
            display = self._display
            task = display.add_task(one_line(name), total=total)
            self._open.add(task)

        def move(done: int) -> None:
            if done >= 0:
                display.update(task, completed=done)
            else:
                self._close(display, task)

        return move

    def stop(self) -> None:
        """Leave the terminal as it was, whatever is still open."""
        with self._lock:
            display, self._display = self._display, None
            self._open.clear()
        if display is not None:
            display.stop()

    def _close(self, display: _Display, task: TaskID) -> None:
        with self._lock:
            if display is not self._display:
                return  # it was stopped meanwhile
            self._open.discard(task)
            display.remove_task(task)
            if not self._open:
                self._display = None
                display.stop()


def duration(seconds: float) -> str:
    """A time for people.

    >>> duration(7), duration(190), duration(7300)
    ('7 s', '3 min 10 s', '2 h 1 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def pace(per_second: float) -> str:
    """A rate for people.

    >>> pace(12.34), pace(0.5), pace(0)
    ('12.3/s', '30.0/min', '')
    """
    if per_second <= 0:
        return ""
    return f"{per_second:.1f}/s" if per_second >= 1 else f"{per_second * 60:.1f}/min"
