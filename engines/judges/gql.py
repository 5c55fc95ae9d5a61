"""Check of an ISO GQL text by graphglot's parser, until we have a grammar of our own.

Source of the parser: https://pypi.org/project/graphglot (its dialect `fullgql`: the whole of
ISO/IEC 39075:2024). No other module of the program knows it. It tries alternatives without
remembering them, so that a nested CASE costs it ten times the time of the one inside: the program
asks it in a worker process (`engines.judges.process`), which the kernel kills at a limit of time.
"""

from __future__ import annotations

import re
import signal
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar, Self

from engines.base import Needs, Result, Unsound
from graphmill.errors import ConfigError, Diagnostic, EngineUnavailable, QueryTextError
from graphmill.query_text import check_text

LIMIT = 0.8  # seconds of processor time; what people write takes milliseconds
LIMIT_PER_CHARACTER = 0.00005  # for texts that are long and not deep
MOST = 2.0
_DEPTH = 20_000  # frames of Python; a bracket takes its parser about ten
# Texts and quoted names are passed over; a number is the first group.
_MANY_DIGITS = re.compile(
    r"'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\"|`[^`]*+`|(\d(?:_?\d){4299,})", re.DOTALL
)
_TOO_DEEP = "The text is nested too deeply to be judged. Nest it less deeply."
_LONGEST_MESSAGE = 400  # characters


class GqlJudge:
    """See `engines.base.Engine`; `run` gives the findings."""

    name: ClassVar[str] = "gql"
    languages: ClassVar[tuple[str, ...]] = ("gql",)
    profiles: ClassVar[dict[str, str]] = {"gql": "gql"}
    unsound: ClassVar[tuple[Unsound, ...]] = ()
    needs: ClassVar[Needs] = Needs()

    def __enter__(self) -> Self:
        try:
            check("RETURN 1")
        except ConfigError as problem:
            raise EngineUnavailable(str(problem)) from problem
        sys.setrecursionlimit(_DEPTH)
        return self

    def __exit__(self, *exc: object) -> None:
        pass

    def version(self) -> str:
        """graphglot's version."""
        return version("graphglot")

    def load(self, graph: Path) -> None:
        """The parser knows no schema."""

    def run(self, text: str, *, language: str, timeout: float) -> Result:
        """The findings, each a row. At the limit the kernel ends this process (SIGPROF)."""
        limit = min(max(LIMIT, LIMIT_PER_CHARACTER * len(text)), MOST)
        signal.setitimer(signal.ITIMER_PROF, limit)
        try:
            findings = check(text)
        except RecursionError:
            findings = [Diagnostic("error", "too-complex", _TOO_DEEP)]
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        rows = tuple((d.code, d.message, d.line, d.column) for d in findings)
        return Result(("code", "message", "line", "column"), rows)


def check(text: str) -> list[Diagnostic]:
    """All findings about `text`, however long it takes; empty when it is valid GQL.

    Raises:
        ConfigError: graphglot is not installed.
        RecursionError: the text is nested too deeply.
    """
    dialect = _dialect()
    try:
        check_text(text)
        if number := next((n for n in _MANY_DIGITS.finditer(text) if n[1]), None):
            return [_too_many_digits(text, number.start())]
        validation = dialect.validate(text)
    except QueryTextError as problem:
        return [Diagnostic("error", problem.code, str(problem), problem.line, problem.column)]
    except (RecursionError, MemoryError):
        raise
    except Exception as problem:  # noqa: BLE001 - a fault of a foreign parser is a finding
        return [_failed(problem)]
    if validation.success:
        return []
    return [_diagnostic(item) for item in validation.all_diagnostics]


def _too_many_digits(text: str, start: int) -> Diagnostic:
    before = text[:start]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return Diagnostic("error", "integer-overflow", "A number has too many digits.", line, column)


def _failed(problem: Exception) -> Diagnostic:
    message = f"The parser cannot judge this text: {type(problem).__name__}: {problem}"
    return Diagnostic("error", "parser-failed", _short(message))


@cache
def _dialect() -> Any:
    try:
        from graphglot.dialect.fullgql import FullGQL
    except ImportError as problem:
        raise ConfigError(
            "Checking GQL needs graphglot, which is not installed: pip install graphglot."
        ) from problem
    return FullGQL()


def _diagnostic(item: Any) -> Diagnostic:
    line, column = (item.span.start_line, item.span.start_column) if item.span else (1, 1)
    return Diagnostic("error", str(item.code).lower(), _short(str(item.message)), line, column)


def _short(message: str) -> str:
    return message if len(message) <= _LONGEST_MESSAGE else f"{message[:_LONGEST_MESSAGE]}…"


JUDGE = GqlJudge
