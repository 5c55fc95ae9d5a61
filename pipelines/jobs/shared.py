"""Finished work that many machines share: an fsspec folder, such as `s3://bucket/prefix`.

One object a key, `KEY[:2]/KEY`, written whole: an object store puts atomically, a folder by a
rename. Each object has its checksum, so that a damaged one is done again; what is larger than any
of ours, or no file, is damaged too, and never read. A store that fails is asked again; when it goes
on failing, work is done without it, and it is asked again now and then.
"""

from __future__ import annotations

import errno
import os
import random
import stat
import threading
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from time import monotonic
from typing import Any, Literal

from graphmill.errors import ConfigError
from graphmill.regular import kind_of
from graphmill.secrets import conceal, keep_url, without_user
from pipelines.configuration.store import MOST, entry, packed_of

TRIES = 6  # of a call; with one in ten failing, one in a million calls is given up
PAUSE = 0.05  # seconds before the second try; twice as long before each further one
ENOUGH = 3  # calls given up in a row, of which those after the first are tried once: it stays away
REST = 60.0  # seconds for which a store that stays away is not asked
_LASTING = (PermissionError, NotADirectoryError, IsADirectoryError)  # no further try helps

type _Way = Literal["read", "written"]


class SharedStore:
    """The objects below an address.

    Raises:
        ConfigError: there is no such kind of address, or its package is missing.
    """

    def __init__(self, url: str) -> None:
        keep_url(url)
        self.url = url
        self._fs, self._root = _file_system(url)
        self._local = "file" in _protocols(self._fs)
        self._lock = threading.Lock()
        self.begin(lambda text: None)

    def begin(self, tell: Callable[[str], None]) -> None:
        """Forget what was wrong; `tell` hears, once of a kind, what is from now on."""
        self._tell = tell
        self._known: set[str] = set()
        self._failed: dict[_Way, int] = {"read": 0, "written": 0}  # calls in a row
        self._rests: dict[_Way, float] = {"read": 0.0, "written": 0.0}  # until then

    def get(self, key: str) -> bytes | None:
        """The packed value under a key; None where it is not there, or damaged, or unreachable."""

        def read() -> bytes | str | None:
            with suppress(FileNotFoundError):
                return self._object(self._path(key))
            return None

        line = self._persistently(read, "read")
        packed = packed_of(key, line) if isinstance(line, bytes) else None
        if line is not None and packed is None:
            self.harmed(key, line if isinstance(line, str) else "it is not as it was written")
        return packed

    def has(self, key: str) -> bool:
        """Whether there is something under a key."""
        return bool(self._persistently(lambda: self._fs.exists(self._path(key)), "read"))

    def put(self, key: str, packed: bytes) -> None:
        """Keep a packed value, unless it is larger than what is read; where that fails, others have
        to do it again."""
        path, line = self._path(key), entry(key, packed)

        def write() -> None:
            if not self._local:
                self._fs.pipe_file(path, line)
                return
            draft = f"{path}.{uuid.uuid4().hex}.part"
            self._fs.makedirs(path.rpartition("/")[0], exist_ok=True)
            try:
                self._fs.pipe_file(draft, line)
                os.replace(draft, path)
            except OSError:
                with suppress(OSError):
                    os.unlink(draft)
                if not os.path.isdir(path):  # of which `get` tells
                    raise

        if len(line) <= MOST:
            self._persistently(write, "written")

    def harmed(self, key: str, why: str) -> None:
        """Tell that an object is damaged, of the first of a store."""
        self._once(
            "harmed",
            f"warning: The store {without_user(self.url)} has damaged objects ({key[:2]}/{key}: "
            f"{why}); what they had is made anew.",
        )

    def _object(self, path: str) -> bytes | str:
        """What is at a path, or why it is none of ours."""
        if self._local:
            status = os.stat(path)
            if not stat.S_ISREG(status.st_mode):  # who reads from a pipe waits for ever
                folder = stat.S_ISDIR(status.st_mode)
                return f"it is {'a folder' if folder else kind_of(status.st_mode)}"
            return _TOO_LARGE if status.st_size > MOST else bytes(self._fs.cat_file(path))
        try:
            line = bytes(self._fs.cat_file(path, start=0, end=MOST + 1))
        except OSError as problem:
            if problem.errno != errno.EINVAL:  # an empty object has no such range
                raise
            return b""
        return line if len(line) <= MOST else _TOO_LARGE

    def _path(self, key: str) -> str:
        return f"{self._root}/{key[:2]}/{key}"

    def _persistently[T](self, call: Callable[[], T], way: _Way) -> T | None:
        """What a call gives; None where it fails for good, or all have failed of late."""
        if monotonic() < self._rests[way]:
            return None
        tries = 1 if self._failed[way] else TRIES
        for attempt in range(tries):
            try:
                value = call()
            except Exception as problem:  # noqa: BLE001 - each file system has errors of its own
                if attempt + 1 == tries or isinstance(problem, _LASTING):
                    self._give_up(way, problem)
                    return None
                # Jitter for those who wait for one another, not for any result.
                time.sleep(PAUSE * 2**attempt * (0.5 + random.random()))  # noqa: S311
            else:
                self._failed[way] = 0
                return value
        return None

    def _give_up(self, way: _Way, problem: Exception) -> None:
        self._failed[way] += 1
        if self._failed[way] >= ENOUGH:
            self._rests[way] = monotonic() + REST
            why = conceal(" ".join(str(problem).split()) or type(problem).__name__).rstrip(".")
            left = {"read": "the work is done here", "written": "what is finished stays here"}[way]
            where = without_user(self.url)
            self._once(way, f"warning: The store {where} cannot be {way} ({why}); {left}.")

    def _once(self, kind: str, text: str) -> None:
        with self._lock:
            if kind in self._known:
                return
            self._known.add(kind)
        self._tell(text)


_TOO_LARGE = f"it has more than {MOST:,} bytes"


@cache
def shared_store(url: str) -> SharedStore | None:
    """The store at an address, one for this process; None without an address.

    Raises:
        ConfigError: as `SharedStore`.
    """
    return SharedStore(url) if url else None


def _file_system(url: str) -> tuple[Any, str]:
    try:
        import fsspec
    except ImportError as problem:
        raise ConfigError(
            "A store by URL needs the package fsspec: pip install 'graphmill[store]'."
        ) from problem
    try:
        fs, root = fsspec.core.url_to_fs(url, use_listings_cache=False)
    except ImportError as problem:
        raise ConfigError(
            f"The store {without_user(url)} needs a package: {problem}. "
            "`pip install 'graphmill[store]'` has S3's."
        ) from problem
    except ValueError as problem:
        text = f"The store {without_user(url)} is no address that fsspec knows"
        raise ConfigError(f"{text}: {conceal(str(problem))}.") from problem
    return fs, str(root).rstrip("/")


def _protocols(fs: Any) -> tuple[str, ...]:
    given = fs.protocol
    return (given,) if isinstance(given, str) else tuple(given)
