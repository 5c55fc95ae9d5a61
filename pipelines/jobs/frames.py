"""Frames of bytes over a pipe, each with its length in front; an empty one is a sign of life."""

from __future__ import annotations

import os
import select

HEAD = 8
CHUNK = 1 << 20


class Ended(Exception):
    """The other side has closed the pipe."""


def write_frame(fd: int, body: bytes) -> None:
    """Write a whole frame.

    Raises:
        Ended: the reader is gone.
    """
    for part in (len(body).to_bytes(HEAD, "big"), body):
        view = memoryview(part)
        try:
            while view:
                view = view[os.write(fd, view[:CHUNK]) :]
        except OSError as problem:
            raise Ended from problem


class Frames:
    """The frames that come from a pipe."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._held = bytearray()
        self._poll = select.poll()
        self._poll.register(fd, select.POLLIN | select.POLLHUP)

    def next(self, seconds: float | None = None) -> bytes | None:
        """The next frame; None where none is whole within so many seconds.

        Raises:
            Ended: the writer is gone.
        """
        while True:
            if len(self._held) >= HEAD:
                size = int.from_bytes(self._held[:HEAD], "big")
                if len(self._held) >= HEAD + size:
                    frame = bytes(self._held[HEAD : HEAD + size])
                    del self._held[: HEAD + size]
                    return frame
            if not self._poll.poll(None if seconds is None else seconds * 1000):
                return None
            try:
                part = os.read(self._fd, CHUNK)
            except OSError as problem:
                raise Ended from problem
            if not part:
                raise Ended
            self._held += part
