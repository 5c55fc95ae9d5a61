"""Messages between a process and its worker: JSON, each with its length in front."""

from __future__ import annotations

import json
import os
import select
from collections.abc import Callable
from time import monotonic
from typing import Any

from graphmill.errors import (
    EngineError,
    EngineUnavailable,
    QueryError,
    QueryKilled,
    QueryTimeout,
    QueryTooLarge,
    QueryUnsound,
)

HEAD = 8
CHUNK = 1 << 20
TICK = 0.05  # seconds between two looks at a silent worker

type Message = dict[str, Any]


class Closed(EngineError):
    """The other side is gone."""


class Late(EngineError):
    """Nothing arrived before the deadline."""


def encode(message: Message) -> bytes:
    """One frame."""
    body = json.dumps(message, separators=(",", ":")).encode()
    return len(body).to_bytes(HEAD, "big") + body


def send(fd: int, frame: bytes) -> None:
    """Write a whole frame.

    Raises:
        Closed: the reader is gone.
    """
    view = memoryview(frame)
    try:
        while view:
            view = view[os.write(fd, view[:CHUNK]) :]
    except OSError as problem:
        raise Closed("The other side has closed the pipe.") from problem


class Reader:
    """Frames from a pipe, each before a deadline.

    `tick` is called now and then while nothing arrives; what it raises ends the waiting.
    """

    def __init__(
        self, fd: int, largest: int | None = None, tick: Callable[[], None] | None = None
    ) -> None:
        self.fd = fd
        self.largest = largest
        self.tick = tick
        self._deadline: float | None = None
        self._more: Callable[[], float] = lambda: 0
        self._poll = select.poll()
        self._poll.register(fd, select.POLLIN | select.POLLHUP)

    def receive(
        self, deadline: float | None = None, more: Callable[[], float] = lambda: 0
    ) -> Message:
        """The next message. At the deadline `more` says how many seconds it is put off.

        Raises:
            Closed: the writer is gone.
            Late: the deadline (of `time.monotonic`) has passed.
            QueryTooLarge: the message is larger than this side takes.
        """
        self._deadline, self._more = deadline, more
        size = int.from_bytes(self._read(HEAD), "big")
        if self.largest is not None and size > self.largest:
            raise QueryTooLarge(f"The worker's message has {size:,} bytes.")
        message: Message = json.loads(self._read(size))
        return message

    def _read(self, size: int) -> bytes:
        parts = []
        while size:
            self._wait()
            part = os.read(self.fd, min(size, CHUNK))
            if not part:
                raise Closed("The other side has closed the pipe.")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _wait(self) -> None:
        while True:
            deadline = self._deadline
            left = TICK if deadline is None else min(TICK, deadline - monotonic())
            if self._poll.poll(max(0.0, left) * 1000):
                return
            if self.tick is not None:
                self.tick()
            if deadline is not None and monotonic() >= deadline:
                put_off = self._more()
                if not put_off:
                    raise Late("No message before the deadline.")
                self._deadline = monotonic() + put_off


_ERRORS = (QueryTimeout, QueryTooLarge, QueryKilled, QueryUnsound, EngineUnavailable)


def error_message(problem: EngineError) -> Message:
    """An error as a message."""
    name = next((e.__name__ for e in _ERRORS if isinstance(problem, e)), "QueryError")
    return {"error": name, "kind": problem.kind, "message": str(problem)}


def error_of(message: Message) -> EngineError:
    """The inverse of `error_message`."""
    text = message["message"]
    for known in _ERRORS:
        if known.__name__ == message["error"]:
            return known(text)
    return QueryError(text, message["kind"])
