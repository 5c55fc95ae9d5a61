"""One build a folder: a lock that names its holder and ends with it.

It is a lock of the process (POSIX `fcntl`), not of an open file: children inherit none of it, so
that a worker which outlives a killed build keeps nothing, and the system takes it back whatever
ended the holder.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from graphmill.errors import GraphmillError
from graphmill.files import canonical, is_alive
from graphmill.regular import check_regular

WORK = ".work"
"""The folder within a corpus's that a build works in."""

LOCK = "lock"
_HELD_ELSEWHERE = (errno.EACCES, errno.EAGAIN)
_mine: set[Path] = set()  # the system lets one process lock a file twice
_guard = threading.Lock()


@contextmanager
def held(work: Path) -> Iterator[None]:
    """Hold the folder `work` while the block runs.

    Raises:
        GraphmillError: somebody else holds it, who is named; or it cannot be written.
    """
    path = work.resolve() / LOCK
    with _guard:
        if path in _mine:
            raise _busy(work, _me())
        _mine.add(path)
    try:
        descriptor = _taken(path, work)
        try:
            yield
        finally:
            os.ftruncate(descriptor, 0)
            os.close(descriptor)
    finally:
        with _guard:
            _mine.discard(path)


@contextmanager
def held_corpus(folder: Path) -> Iterator[None]:
    """Hold a corpus's folder while the block changes its files, where it is one of a build.

    Raises:
        GraphmillError: a build is at work there, or another such block.
    """
    with held(folder / WORK) if (folder / WORK).is_dir() else nullcontext():
        yield


def _taken(path: Path, work: Path) -> int:
    check_regular(path)
    try:
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW  # what a link leads to stays
        descriptor = os.open(path, flags, 0o666)
    except IsADirectoryError as problem:
        raise GraphmillError(
            f"{path} is a folder, where the lock of a build belongs. Remove it."
        ) from problem
    except OSError as problem:
        raise GraphmillError(f"Cannot write {path}: {problem.strerror}.") from problem
    try:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as problem:
        holder = _holder(descriptor)
        here = holder.get("host") == socket.gethostname()
        gone = here and isinstance(holder.get("pid"), int) and not is_alive(holder["pid"])
        if problem.errno in _HELD_ELSEWHERE or (holder and not gone):
            os.close(descriptor)
            raise _busy(work, holder) from None
        # A file system without locks: whoever is written there counts as long as it lives.
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, canonical(_me()).encode() + b"\n", 0)
    except OSError as problem:
        os.close(descriptor)
        raise GraphmillError(f"Cannot write {path}: {problem.strerror}.") from problem
    return descriptor


def _me() -> dict[str, Any]:
    since = datetime.now(UTC).isoformat(timespec="seconds")
    return {"pid": os.getpid(), "host": socket.gethostname(), "since": since}


def _holder(descriptor: int) -> dict[str, Any]:
    try:
        holder = json.loads(os.pread(descriptor, 4096, 0))
    except (ValueError, RecursionError):
        return {}
    return holder if isinstance(holder, dict) else {}


def _busy(work: Path, holder: dict[str, Any]) -> GraphmillError:
    who = "another process"
    if holder:
        who = "process {pid} on {host}, since {since}".format_map(
            {name: holder.get(name, "?") for name in ("pid", "host", "since")}
        )
    return GraphmillError(
        f"{work.parent} is being built by {who}. Wait for it or stop it; a build takes another "
        "folder with --out."
    )
