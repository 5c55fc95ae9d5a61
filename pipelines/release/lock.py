"""`corpus.lock`: written last, so that with it a corpus is finished; it names files and graphs.

Its `sha256` is the hash of all else that it says, so that an edit is noticed; locks of before
format 3 may have none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from graphmill.errors import GraphmillError, in_words
from graphmill.files import digest, missing, write_text
from graphmill.json_lines import parse_json
from graphmill.record import FORMAT
from graphmill.regular import check_regular
from pipelines.configuration.lock import WORK

LOCK = "corpus.lock"
DEALT = "dealt"
"""What `splits` of a lock says where the shares alone dealt out the records that are there, and
neither an earlier release nor a review had a say in it."""
_SEAL = "sha256"
_SEALED = 3  # the first format of which each lock has its own hash


def write_lock(out: Path, lock: dict[str, Any]) -> None:
    """Write `corpus.lock`, which comes last: with it the corpus is finished."""
    sealed = {**lock, _SEAL: _seal(lock)}
    write_text(out / LOCK, json.dumps(sealed, indent=2, sort_keys=True) + "\n")


def lay_aside(out: Path) -> None:
    """Take the lock of the release in `out` out of its place, before a file of it is replaced: what
    is stopped then is no finished corpus. A later build with `--since` still reads it."""
    with suppress(FileNotFoundError):
        (out / LOCK).replace(out / WORK / LOCK)


def is_whole(lock: Mapping[str, Any]) -> bool:
    """Whether a lock that was read is as it was written; an older one cannot tell, and is."""
    return can_not_tell(lock) or lock.get(_SEAL) == _seal(lock)


def can_not_tell(lock: Mapping[str, Any]) -> bool:
    """Whether a lock is of before all had a hash of their own, and has none."""
    return _SEAL not in lock and format_of(lock) < _SEALED


def refuse_edited(folder: Path, lock: Mapping[str, Any]) -> None:
    """Refuse the lock of the corpus in `folder` where it was edited, which a new one would hide.

    Raises:
        GraphmillError: it was.
    """
    if not is_whole(lock):
        raise GraphmillError(
            f"{folder / LOCK} was edited after it was written, so that it is not written again. "
            "`graphmill verify` says what else was; take the file of the release."
        )


def _seal(lock: Mapping[str, Any]) -> str:
    return digest({name: value for name, value in lock.items() if name != _SEAL})


def load_lock(folder: Path) -> dict[str, Any]:
    """What `corpus.lock` says.

    Raises:
        GraphmillError: it is missing or damaged, or no file.
    """
    path = folder / LOCK
    check_regular(path)
    again = f"`graphmill build CONFIG --out {folder}` makes a corpus, or goes on with one"
    if not path.exists() and (folder / WORK / LOCK).is_file():
        raise GraphmillError(
            f"{folder} is no finished corpus: a build is replacing the files of its release, or "
            f"was stopped at that. `graphmill build CONFIG --out {folder}` goes on."
        )
    if not path.is_file():
        why = f"{path} is a folder." if path.is_dir() else missing(path)
        raise GraphmillError(
            f"{folder} is no finished corpus. {why} {again}; it is finished when {LOCK} is there."
        )
    try:
        lock: dict[str, Any] = _parsed(path.read_text(encoding="utf-8"))
        if not isinstance(lock, dict):
            raise ValueError("it is no JSON object")
        form = format_of(lock)
        if not (isinstance(lock["files"], dict) and isinstance(lock["graphs"], dict)):
            damage = "it does not list files and graphs"
        elif wrong := _wrong_part(lock):
            damage = f"{wrong} is of another kind"
        elif strange := [name for name, entry in lock["graphs"].items() if _is_none(name, entry)]:
            damage = f"{strange[0]!r} of its graphs is no name with a fingerprint"
        elif not isinstance(form, int) or isinstance(form, bool) or form < 1:
            damage = f"its format is {form!r}, and no number from 1 on"
        elif form <= FORMAT:
            return lock
        else:
            raise GraphmillError(
                f"{folder} has format {form}, and this graphmill reads those up to {FORMAT}. A "
                "newer one made the corpus and reads it."
            )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
        damage = in_words(problem)
    raise GraphmillError(f"{path} is damaged ({damage}). {again}.")


def _wrong_part(lock: Mapping[str, Any]) -> str:
    """The first part that is not of its kind, with its dotted name; "" where all are."""
    config = lock.get("config", {})
    if not isinstance(config, dict):
        return "config"
    tables = ("corpus", "queries", "certify", "questions", "duplicates", "author", "privacy")
    for name in (*tables, "split", "masked"):
        if not isinstance(config.get(name, {}), dict):
            return f"config.{name}"
    sources = config.get("source", [])
    if not isinstance(sources, list) or not all(isinstance(each, dict) for each in sources):
        return "config.source"
    libraries = lock.get("libraries", {})
    if not isinstance(libraries, dict):
        return "libraries"
    return ""


def _is_none(name: str, entry: object) -> bool:
    """Whether an entry is of no graph: its name leads elsewhere, or it has no fingerprint."""
    known = isinstance(entry, dict) and isinstance(entry.get("fingerprint"), str)
    return not known or name in ("", ".", "..") or "/" in name


def _parsed(text: str) -> Any:
    """The value of a JSON text, which must be strict: of two equal keys one would be lost.

    Raises:
        ValueError: it is none.
    """
    try:
        return parse_json(text)
    except GraphmillError as problem:
        raise ValueError(str(problem)) from problem


def format_of(lock: Mapping[str, Any]) -> int:
    """The format of a corpus; before there was a second, its lock did not name it."""
    form: int = lock.get("format", 1)
    return form


def setting(lock: Mapping[str, Any], *names: str) -> Any:
    """What the configuration in a lock says there; None where it says nothing, or is none.

    >>> setting({"config": {"corpus": {"seed": 7}}}, "corpus", "seed")
    7
    """
    value = lock.get("config")
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
