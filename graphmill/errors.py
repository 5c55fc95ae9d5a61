"""Every exception a caller may catch, and `Diagnostic`, one finding about a text or an artefact.

The message of each error says what, where, what exists and what to do. The command line prints
it as one sentence and exits with status 1.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

from graphmill.messages import one_line


class GraphmillError(Exception):
    """Root of all errors that graphmill raises on purpose."""


class ConfigError(GraphmillError):
    """A configuration is invalid; `violations` lists all that is wrong with it."""

    def __init__(self, message: str, violations: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.violations = tuple(violations)


class ShadowedError(GraphmillError, ImportError):
    """Another module stands before one of graphmill's packages; the message names its file."""


class SourceError(GraphmillError):
    """A source database, graph or file cannot be read as what it claims to be."""


class EmptySourceError(SourceError):
    """A source can be read, and there is nothing in it: no tables, or no rows."""

    code = "empty-source"


class SchemaError(GraphmillError):
    """A SchemaGraph, a mapping or graph data contradicts itself."""


class LexiconError(SchemaError):
    """A lexicon is wrong; `problems` has all that is, each with its file and line.

    `name` is the file. The message says what to do about it, too.
    """

    def __init__(self, name: str, problems: Sequence[str]) -> None:
        advice = (
            f"Mend {name}, or remove it: without it words come by rule, and `graphmill lexicon "
            "--graph DIR` writes those to a file to edit."
        )
        super().__init__("\n".join(map(one_line, [*problems, advice])))
        self.name = name
        self.problems = tuple(problems)


class LosslessError(GraphmillError):
    """Source and graph differ after a conversion."""


class UnknownNameError(GraphmillError):
    """A name is not among those that exist; the message offers the closest one."""


@dataclass(frozen=True, slots=True)
class Span:
    """Where something stands in a text: 1-based line and column, and the end (exclusive)."""

    line: int
    column: int
    end_line: int = 0
    end_column: int = 0

    def as_json(self) -> dict[str, int]:
        """The form written into results."""
        return asdict(self)


class QueryTextError(GraphmillError):
    """A query text is wrong; `kind` says whether grammar or meaning refuses it.

    `code` is stable and lower-case with dashes (`unexpected-token`, `unknown-label`, …).
    """

    def __init__(
        self,
        message: str,
        *,
        kind: Literal["syntax", "semantic"] = "syntax",
        code: str = "syntax",
        line: int = 1,
        column: int = 1,
    ) -> None:
        super().__init__(brief(message))
        self.kind = kind
        self.code = code
        self.line = line
        self.column = column

    def as_json(self) -> dict[str, Any]:
        """The `error` object of a `translate` result."""
        return {
            "kind": self.kind,
            "code": self.code,
            "message": str(self),
            "line": self.line,
            "column": self.column,
        }


class Refused(GraphmillError):
    """A translator declines, because it cannot say exactly the same in the target.

    `code` is one of `translators.refusals.CODES`; `construct` is the piece of the input (or the
    IR node) that cannot be said; `reason` is the sentence the user sees.
    """

    def __init__(self, code: str, construct: str, reason: str, span: Span | None = None) -> None:
        super().__init__(f"{reason} [{code}: {construct}]")
        self.code = code
        self.construct = construct
        self.reason = reason
        self.span = span

    def as_json(self) -> dict[str, Any]:
        """The `refused` object of a `translate` result."""
        return {
            "code": self.code,
            "construct": self.construct,
            "reason": self.reason,
            "span": self.span.as_json() if self.span else None,
        }


class EngineError(GraphmillError):
    """Root of what can go wrong while an engine runs a query."""

    kind = "engine"


class QueryError(EngineError):
    """The engine rejected the query or failed on it; `kind` is syntax, semantic or engine."""

    def __init__(self, message: str, kind: str = "engine") -> None:
        super().__init__(brief(message))
        self.kind = kind


class QueryTimeout(EngineError):
    """The query ran into its time limit and was stopped."""

    kind = "timeout"


class QueryTooLarge(EngineError):
    """The query ran into its memory cap and was stopped."""

    kind = "memory"


class QueryKilled(EngineError):
    """Somebody killed the engine's process while it worked on the query, or loaded for it."""

    kind = "killed"


class QueryUnsound(EngineError):
    """The engine is known to answer this construct wrongly, so it was not asked."""

    kind = "unsound"


class EngineUnavailable(EngineError):
    """The engine cannot be started or reached; the message says what to install or set."""


class EngineStarved(GraphmillError):
    """The machine lacks what an engine needs: disk, open files, memory for its graph. It says
    nothing of a query, so that it is none of its errors (`EngineError`) and ends the work."""


class EngineLost(GraphmillError):
    """Somebody killed an engine's process, and the one that took its place. It says nothing of a
    query, and nothing of the engine: who has other work tries it again."""

    code = "engine-killed"


class LLMError(GraphmillError):
    """A model could not be asked, or its answer cannot be used.

    `code` is stable: `rate-limit`, `server`, `timeout`, `connection`, `broken-reply` (all worth a
    retry), `authentication`, `quota`, `request`, `usage` (its counts are none), `refusal`, `empty`,
    `truncated`, `not-json`, `invalid`, `budget`, `stopped`, `unrecorded`, `script`. `retry_after`
    is what the server asked for, in seconds; `evidence` what the model said.
    """

    def __init__(
        self,
        message: str,
        code: str,
        *,
        retry_after: float | None = None,
        evidence: str = "",
    ) -> None:
        super().__init__(message)
        self.code = code
        self.retry_after = retry_after
        self.evidence = evidence


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding of a check over a query text, a schema or a configuration."""

    severity: Literal["error", "warning"]
    code: str
    message: str
    line: int = 1
    column: int = 1

    def as_json(self) -> dict[str, Any]:
        """The form written into `diagnostics`."""
        return {**asdict(self), "message": brief(self.message)}


def unknown_name(kind: str, name: str, names: Iterable[str]) -> UnknownNameError:
    """The error for a name that is none of `names`: the nearest, and all that there are.

    >>> print(unknown_name("language", "gpl", ["cypher", "gql"]))
    Unknown language 'gpl'. Did you mean 'gql'? There are: cypher, gql.
    """
    names = sorted(set(names))
    close = did_you_mean(name, names)
    there = f" There are: {', '.join(names)}." if names else " There is none."
    return UnknownNameError(f"Unknown {kind} '{name}'.{'' if close == there else close}{there}")


LONGEST = 300  # characters of what a message quotes: enough to find it, and no more


def shortened(text: str, most: int = LONGEST) -> str:
    """A text as a message may quote it: of a long one how it begins and ends, and how much more
    there is.

    >>> shortened("abcdefghi", 6)
    'abcd… (3 more characters) …hi'
    """
    more, end = len(text) - most, most // 3
    if more <= 0:
        return text
    return f"{text[: most - end]}… ({more:,} more characters) …{text[-end:]}"


_LINE, _WHOLE = 1_000, 4_000  # characters of a message


def brief(message: str) -> str:
    """A message of which long lines are cut, whatever names and queries it repeats; one that was
    cut is left as it is.

    >>> brief("No label 'a'."), len(brief("a" * 100_000)), brief(brief("a" * 2_000)).count("more")
    ("No label 'a'.", 1028, 1)
    """
    lines = [shortened(x, _LINE) if len(x) > _LINE + _MARK else x for x in message.split("\n")]
    whole = "\n".join(lines)
    return shortened(whole, _WHOLE) if len(whole) > _WHOLE + _MARK else whole


_MARK = 50  # characters, at most, that say what was cut
SHOWN = 40  # names that exist, in an error: all languages and constructs, not all of a schema


def did_you_mean(name: str, existing: Iterable[str]) -> str:
    """A tail for an error message: the closest existing name, else what exists.

    >>> did_you_mean("Persn", ["Person", "City"])
    " Did you mean 'Person'?"
    >>> did_you_mean("x", ["Person", "City"])
    ' There are: City, Person.'
    """
    names = sorted(set(existing))
    folded = {item.casefold(): item for item in names}
    close = get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    if close:
        return f" Did you mean '{folded[close[0]]}'?"
    if not names:
        return ""
    shown = ", ".join(names[:SHOWN]) + (", …" if len(names) > SHOWN else "")
    return f" There are: {shown}."


_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # which only writing meets


@contextmanager
def naming(draft: Path, place: Path) -> Iterator[None]:
    """A block that writes into `draft`, which gets the name `place` at its end: its errors name
    that, and what cannot be written there is an error of ours.

    Raises:
        GraphmillError: the place cannot be written. Else what the block raises.
    """
    try:
        yield
    except (GraphmillError, OSError) as problem:
        before = getattr(problem, "filename", None)
        name_place(problem, draft, place)
        if isinstance(problem, GraphmillError) or is_exhausted(problem):
            raise
        if before is None and problem.errno in _FULL:
            problem.filename = place
        elif before is None or problem.filename == str(before):
            raise
        raise GraphmillError(f"Cannot write {problem.filename}: {problem.strerror}.") from problem


def name_place(problem: BaseException, draft: Path, place: Path) -> None:
    """Have an error name `place` where it names `draft`."""

    def named(value: Any) -> Any:
        if isinstance(value, list | tuple):  # of what `shutil` could not copy
            return type(value)(map(named, value))
        return value.replace(str(draft), str(place)) if isinstance(value, str) else value

    problem.args = named(problem.args)
    for name in ("filename", "filename2"):
        if (path := getattr(problem, name, None)) is not None:
            setattr(problem, name, named(str(path)))


MEMORY_MARKS = (
    "memory allocation of",  # Rust
    "bad_alloc",  # C++
    "allocate memory",  # the system: "Cannot allocate memory" in files, memory and threads
    "failed to map segment",  # the loader, of a library
    "can't start new thread",  # Python
    "Failed to launch worker thread",  # Arrow
)
"""What is in a message of a process that has no more memory."""
_MEMORY_TYPES = frozenset({"OutOfMemoryException", "ArrowMemoryError"})  # of DuckDB, of Arrow


def is_exhausted(problem: BaseException) -> bool:
    """Whether memory ended; not of errors of ours, which say what they are.

    >>> is_exhausted(ImportError("x.so: failed to map segment from shared object"))
    True
    >>> is_exhausted(ImportError("No module named 'x'"))
    False
    """
    if isinstance(problem, GraphmillError):
        return False
    if isinstance(problem, MemoryError) or getattr(problem, "errno", None) == errno.ENOMEM:
        return True
    return type(problem).__name__ in _MEMORY_TYPES or any(
        mark in str(problem) for mark in MEMORY_MARKS
    )


def exhausted(problem: BaseException) -> str:
    """What is said of it."""
    what = str(problem).partition("Possible solutions")[0]  # those of DuckDB are of its settings
    words = " ".join(f"{type(problem).__name__}: {what}".rstrip(": ").split())
    return (
        f"There is too little memory ({shortened(words)}). Give the process more (`ulimit -v`, the "
        "limit of its container), or less work at a time; what is finished is kept."
    )


def has_too_many_digits(problem: ValueError) -> bool:
    """Whether an integer has more digits than Python converts from text, or to it: its own error
    of that speaks of a setting of Python.
    """
    return "integer string conversion" in str(problem)


def in_words(problem: Exception) -> str:
    """What is wrong with a value of JSON or TOML that somebody else wrote, without a full stop.

    >>> in_words(KeyError("files")), in_words(RecursionError("maximum recursion depth exceeded"))
    ("it has no 'files'", 'it is nested too deeply')
    """
    match problem:
        case KeyError(args=(name, *_)):
            return f"it has no {name!r}"
        case RecursionError():
            return "it is nested too deeply"
        case ValueError() if has_too_many_digits(problem):
            return "a number has too many digits"
        case AttributeError() | IndexError() | TypeError():
            return "its parts are not of the kinds that they have to be"
    return str(problem).rstrip(".")
