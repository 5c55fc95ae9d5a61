"""Files that spare work and may be lost at any time: downloads, indexes, tables of grammars."""

from __future__ import annotations

import hashlib
import os
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

_CHECKSUM = 32  # bytes of a SHA-256, before what is kept


def cache_folder() -> Path:
    """Where they lie: GRAPHMILL_CACHE, else the user's cache folder.

    Raises:
        RuntimeError: this user has no home.
    """
    given = os.environ.get("GRAPHMILL_CACHE")
    if given:
        return Path(given).absolute()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "graphmill"
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "graphmill"


def kept(name: str) -> bytes | None:
    """What `keep` kept under `name`; None where it is not there, not whole or not readable."""
    try:
        content = (cache_folder() / name).read_bytes()
    except (OSError, RuntimeError):
        return None
    checksum, body = content[:_CHECKSUM], content[_CHECKSUM:]
    return body if hashlib.sha256(body).digest() == checksum else None


def keep(name: str, body: bytes) -> None:
    """Keep `body` for later processes, whole or not at all; nothing where nothing can be written.

    `name` has to tell everything that `body` depends on.
    """
    try:
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=folder, prefix=f".{name}-", delete=False) as draft:
            draft_path = Path(draft.name)
            draft.write(hashlib.sha256(body).digest() + body)
    except (OSError, RuntimeError):
        return
    try:
        draft_path.replace(folder / name)
    except OSError:
        with suppress(OSError):
            draft_path.unlink()
