"""JSON lines in and out."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from graphmill.errors import GraphmillError


def json_lines(name: str) -> Iterator[dict[str, Any]]:
    """The input's JSON lines; a line that is no object with `query` is yielded with `_bad`."""
    try:
        with (
            nullcontext(sys.stdin)
            if name == "-"
            else Path(name).open(encoding="utf-8-sig") as stream
        ):
            for number, line in enumerate(stream, 1):
                if line.strip():
                    yield _object(number, line)
    except UnicodeDecodeError as problem:
        raise GraphmillError(f"{name} is not UTF-8 text: {problem.reason}.") from problem
    except OSError as problem:
        raise GraphmillError(f"Cannot read {name}: {problem.strerror}.") from problem


def _object(number: int, line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as problem:
        return {"_bad": f"Line {number} is not JSON: {problem}."}
    if not isinstance(value, dict) or not isinstance(value.get("query"), str):
        return {"_bad": f'Line {number} is no object with a text "query".'}
    if not isinstance(value.get("parameters", {}), dict | None):
        return {"_bad": f'In line {number} "parameters" is no object of values by name.'}
    return value


def write(value: dict[str, Any]) -> None:
    """One line of output, at once."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def bad_line(line: dict[str, Any]) -> dict[str, Any]:
    """The result of a line that cannot be read."""
    error = {"kind": "syntax", "code": "broken-line", "message": line["_bad"]}
    return {"result": {"ok": False, "error": {**error, "line": 1, "column": 1}}}
