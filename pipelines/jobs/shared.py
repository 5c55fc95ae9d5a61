"""Finished work that many machines share: an fsspec folder, such as `s3://bucket/prefix`.

One object a key, `KEY[:2]/KEY`, written whole: an object store puts atomically, a folder by a
rename. Each object has its checksum, so that a damaged one is done again. A store that fails is
asked again; when it goes on failing, work is done without it.
"""

from __future__ import annotations

import os
import random
import time
import uuid
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

from graphmill.errors import ConfigError
from graphmill.secrets import conceal, keep_url, without_user
from pipelines.configuration.store import entry, packed_of

TRIES = 6  # of a call; with one in ten failing, one in a million calls is given up
PAUSE = 0.05  # seconds before the second try; twice as long before each further one


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

    def get(self, key: str) -> bytes | None:
        """The packed value under a key; None where it is not there, or damaged, or unreachable."""

        def read() -> bytes | None:
            try:
                return bytes(self._fs.cat_file(self._path(key)))
            except FileNotFoundError:
                return None

        line = self._persistently(read, f"read {key[:12]}")
        return None if line is None else packed_of(key, line)

    def has(self, key: str) -> bool:
        """Whether there is something under a key."""
        return bool(self._persistently(lambda: self._fs.exists(self._path(key)), "look"))

    def put(self, key: str, packed: bytes) -> None:
        """Keep a packed value; where that fails, others have to do it again."""
        path, line = self._path(key), entry(key, packed)

        def write() -> None:
            if not self._local:
                self._fs.pipe_file(path, line)
                return
            draft = f"{path}.{uuid.uuid4().hex}.part"
            self._fs.makedirs(path.rpartition("/")[0], exist_ok=True)
            self._fs.pipe_file(draft, line)
            os.replace(draft, path)

        self._persistently(write, f"write {key[:12]}")

    def _path(self, key: str) -> str:
        return f"{self._root}/{key[:2]}/{key}"

    def _persistently[T](self, call: Callable[[], T], what: str) -> T | None:
        for attempt in range(TRIES):
            try:
                return call()
            except Exception as problem:  # noqa: BLE001 - each file system has errors of its own
                if attempt + 1 == TRIES:
                    where = without_user(self.url)
                    text = f"The store {where} cannot {what}: {conceal(str(problem))}"
                    warnings.warn(text, RuntimeWarning, stacklevel=3)
                    return None
                # Jitter for those who wait for one another, not for any result.
                time.sleep(PAUSE * 2**attempt * (0.5 + random.random()))  # noqa: S311
        return None


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
