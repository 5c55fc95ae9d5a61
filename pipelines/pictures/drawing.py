"""Vega-Lite drawn in a process of its own, so that what V8 dies of costs plots and nothing else.

The process (`pipelines.pictures._vega`) starts with the first picture, and ends with the one that
asked.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Any

from engines.isolation import HARMLESS
from graphmill.errors import GraphmillError
from graphmill.processes import module_path

_LIMIT = 120.0  # seconds a picture; one takes a tenth of a second


class NotDrawn(GraphmillError):
    """A picture could not be drawn here; the message says why."""


class _Drawer:
    """The process, which several threads may ask one after the other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = os.getpid()

    def draw(self, spec: dict[str, Any]) -> str:
        with self._lock:
            if self._process is None or self._owner != os.getpid():  # this one was forked
                self._process, self._owner = _started(), os.getpid()
            process, line = self._process, b""
            assert process.stdin is not None  # noqa: S101 - both are pipes
            assert process.stdout is not None  # noqa: S101
            with suppress(BrokenPipeError):  # it died, which is told below
                process.stdin.write(json.dumps(spec).encode() + b"\n")
                process.stdin.flush()
                if select.select([process.stdout], [], [], _LIMIT)[0]:
                    line = process.stdout.readline()
            if not line:
                why = self._ended()
                raise NotDrawn(f"The process that draws plots (vl-convert) {why}.")
        answer = json.loads(line)
        if "error" in answer:
            raise NotDrawn(f"vl-convert does not draw the plot: {answer['error']}.")
        return str(answer["svg"])

    def _ended(self) -> str:
        """End the process: what became of it."""
        process, self._process = self._process, None
        if process is None:
            return "is not there"
        late = False
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            late = True
            process.kill()
        status = process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()
        if late:
            return f"was stopped after {_LIMIT:g} s"
        return f"died of signal {-status}" if status < 0 else f"ended with status {status}"

    def close(self) -> None:
        """End the process; the next picture would start another one."""
        with self._lock:
            if self._process is not None and self._owner == os.getpid():
                self._process.kill()
                self._ended()


def _started() -> subprocess.Popen[bytes]:
    kept = {name: os.environ[name] for name in HARMLESS if name in os.environ}
    return subprocess.Popen(
        (sys.executable, "-P", "-m", "pipelines.pictures._vega"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**kept, "PYTHONPATH": module_path()},
    )


_DRAWER = _Drawer()
atexit.register(_DRAWER.close)


def drawn(spec: dict[str, Any]) -> str:
    """The SVG text of a Vega-Lite specification.

    Raises:
        NotDrawn: the process that draws died, or the specification is none.
    """
    return _DRAWER.draw(spec)
