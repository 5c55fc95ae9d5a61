"""A predicted text becomes a statement, or an error of a known kind. Nothing is run here.

A prediction is hostile: its length, its depth and the time that reading it takes are bounded, and
what writes or calls a procedure is told before any engine sees it.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import FrameType

from graph_ir import nodes as ir
from graph_ir.bind.statements import TOLERATED, Bound, bind
from graph_ir.walk import find
from graphmill.errors import Diagnostic, QueryTextError, Refused
from schemagraph.model import SchemaGraph

LONGEST = 20_000  # characters of a query; the longest gold that we know has some 2,000
PATIENCE = 10.0  # seconds of computing for reading, binding and rendering one text


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of a text: its bound statement, or why there is none.

    `kind` is empty where the statement may be run, else `syntax`, `semantic` (it parses and means
    nothing), `writes`, `unread` (it parses, and our reader cannot say it in Graph-IR), `limit`
    (too long or too slow to read) or `fault` (the reader fell over).
    """

    text: str
    parses: bool
    bound: Bound | None = None
    kind: str = ""
    code: str = ""
    message: str = ""

    @property
    def statement(self) -> ir.Statement | None:
        """The statement with types, where there is one."""
        return None if self.bound is None else self.bound.statement

    @property
    def runs(self) -> bool:
        """Whether it may be executed."""
        return self.bound is not None and not self.kind


type Judge = Callable[[str], list[Diagnostic]]


def read(text: str, reader: Callable[[str], ir.Statement], schema: SchemaGraph | None) -> Reading:
    """Read, check and bind one predicted text."""
    if len(text) > LONGEST:
        detail = f"The text has {len(text):,} characters; at most {LONGEST:,} are read."
        return Reading(text, False, kind="limit", code="too-long", message=detail)
    try:
        with patience(PATIENCE):
            return _read(text, reader, schema)
    except TooSlow:
        return Reading(text, False, None, "limit", "too-slow", "Reading it took too long.")
    except RecursionError:
        return Reading(text, False, None, "limit", "nesting-too-deep", "It is nested too deep.")


def _read(text: str, reader: Callable[[str], ir.Statement], schema: SchemaGraph | None) -> Reading:
    try:
        statement = reader(text)
        bound = bind(statement, schema)
    except QueryTextError as problem:
        semantic = problem.kind == "semantic"
        return Reading(text, semantic, None, problem.kind, problem.code, first_line(problem))
    except Refused as problem:
        return Reading(text, True, None, "unread", problem.code, problem.reason)
    except (TooSlow, RecursionError):
        raise
    except Exception as problem:  # noqa: BLE001 # a hostile text ends no batch, whatever it meets
        detail = f"{type(problem).__name__}: {problem}"
        return Reading(text, False, None, "fault", "fault", detail[:200])
    for node in find(statement, *ir.WRITES, ir.Procedure):
        name = type(node).__name__
        return Reading(text, True, bound, "writes", "writes", f"{name} is not a read.")
    for node in find(statement, ir.Param):
        detail = f"The parameter ${node.name} has no value."
        return Reading(text, True, bound, "semantic", "parameter", detail)
    for error in bound.errors:
        if error.code not in TOLERATED:
            return Reading(text, True, bound, "semantic", error.code, error.message)
    return Reading(text, True, bound)


def judged(text: str, judge: Judge) -> Reading:
    """What a language without a reader says of a text: its judge's first error, or none."""
    if len(text) > LONGEST:
        detail = f"The text has {len(text):,} characters; at most {LONGEST:,} are read."
        return Reading(text, False, kind="limit", code="too-long", message=detail)
    for diagnostic in judge(text):
        if diagnostic.severity == "error":
            return Reading(text, False, None, "syntax", diagnostic.code, diagnostic.message)
    return Reading(text, True)


def with_meaning(reading: Reading, bound: Bound) -> Reading:
    """A text whose meaning is known otherwise: it is the record's own."""
    return replace(reading, bound=bound, parses=True, kind="", code="", message="")


def first_line(problem: Exception) -> str:
    """The first line of an error, which is its sentence."""
    return (str(problem).splitlines() or [""])[0]


class TooSlow(Exception):
    """Something took longer than it may."""


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Raise TooSlow in the block after this process has computed for some seconds.

    Time in which others have the processor does not count: what a text is worth depends on no
    other work of the machine, nor on a reader that is loaded for the first text. It is held by a
    signal, which only the main thread of a system that has them can take; there
    is no limit elsewhere.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
