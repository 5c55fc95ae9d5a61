"""The JSON lines that `translate`, `run` and `check` read and write.

One bad line never ends a batch: it has an error where the others have a result.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Any, cast

from engines.values import as_json
from graphmill.errors import Diagnostic, GraphmillError, exhausted, is_exhausted
from graphmill.json_lines import values_of
from graphmill.messages import plain
from graphmill.secrets import conceal


def json_lines(name: str) -> Iterator[dict[str, Any]]:
    """The input's lines; one that is no object with `query` is yielded as `_bad`, its message.

    Raises:
        GraphmillError: the input cannot be read at all.
    """
    try:
        with nullcontext(_standard_input()) if name == "-" else Path(name).open("rb") as stream:
            _check_end(name, stream)
            for number, value in values_of(stream):
                yield _checked(number, value)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        what = 'The input is a file of lines {"query": …}, or - for standard input.'
        raise GraphmillError(f"Cannot read {name}: {reason}. {what}") from problem


def _check_end(name: str, stream: IO[bytes]) -> None:
    """Refuse a device that never ends and has no lines, such as /dev/zero; a pipe, a terminal and
    /dev/null have an end.

    Raises:
        GraphmillError: it is one.
    """
    try:
        about = os.fstat(stream.fileno())
    except OSError:
        return  # a stand-in for standard input is no file
    ends = stream.isatty() or os.path.samestat(about, os.stat(os.devnull))
    if stat.S_ISCHR(about.st_mode) and not ends:
        raise GraphmillError(f"{name} is a device, and no file of lines.")


def _standard_input() -> IO[bytes]:
    return cast(IO[bytes], sys.stdin.buffer)


def _checked(number: int, value: Any) -> dict[str, Any]:
    if isinstance(value, GraphmillError):
        return {"_bad": f"Line {number}, {value}."}
    if not isinstance(value, dict) or not isinstance(value.get("query"), str):
        return {"_bad": f'Line {number} is no object with a text "query".'}
    if not isinstance(value.get("parameters", {}), dict | None):
        return {"_bad": f'In line {number} "parameters" is no object of values by name.'}
    return value


def bad_line(line: dict[str, Any]) -> dict[str, Any]:
    """The result of a line that is `_bad`."""
    error = {"kind": "syntax", "code": "broken-line", "message": line["_bad"]}
    return {"result": {"ok": False, "error": {**error, "line": 1, "column": 1}}}


def bad_diagnostics(line: dict[str, Any]) -> dict[str, Any]:
    """The same for `check`."""
    diagnostic = {"severity": "error", "code": "broken-line", "message": line["_bad"]}
    return {"diagnostics": [{**diagnostic, "line": 1, "column": 1}]}


def attempted(make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The result of a line, or the error that graphmill itself has with it, told on stderr, too.

    Raises:
        GraphmillError: no line can have a result.
    """
    try:
        return make()
    except GraphmillError:
        raise
    except Exception as problem:  # noqa: BLE001 # whatever it is, the other lines have results
        if is_exhausted(problem):
            error = {"kind": "memory", "code": "memory", "message": exhausted(problem)}
            return {"ok": False, "error": error}
        sys.stderr.write(plain(conceal(traceback.format_exc())))
        return {"ok": False, "error": _internal(problem)}


def diagnosed(check: Callable[[], Iterable[Diagnostic]]) -> list[dict[str, Any]]:
    """The same for the diagnostics of `check`."""
    try:
        return [diagnostic.as_json() for diagnostic in check()]
    except GraphmillError:
        raise
    except Exception as problem:  # noqa: BLE001 # as in `attempted`
        sys.stderr.write(plain(conceal(traceback.format_exc())))
        error = _internal(problem)
        place = {"line": 1, "column": 1}
        message = {"code": error["code"], "message": error["message"]}
        return [{"severity": "error", **message, **place}]


def _internal(problem: Exception) -> dict[str, Any]:
    reason = f"{type(problem).__name__}: {problem}".rstrip(": ")
    return {
        "kind": "internal",
        "code": "internal",
        "message": f"graphmill failed on this line ({reason}), which is an error of its own: "
        "please report it with the line and the traceback on standard error.",
    }


def write(value: dict[str, Any]) -> None:
    """One JSON value a line; what UTF-8 cannot say (an engine's half characters) is escaped, and
    floats that are no numbers are `{"$float": …}`."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:
        value = as_json(value)
        text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value)
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
