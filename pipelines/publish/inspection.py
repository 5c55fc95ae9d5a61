"""What keeps a folder from being published: secrets, absolute paths, missing licences, damage, and
whatever else `verify` tells without running a query.

Secrets are looked for in every file, in the cells of Parquet files and the bytes of others.
Absolute paths are looked for where graphmill writes of itself (lock, manifests, provenance, …) and
not in data, where a path may be a value like any other.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from graphmill.errors import GraphmillError
from graphmill.files import canonical, read_rows
from graphmill.json_lines import read_json, values_of
from graphmill.secrets import has_secret
from pipelines.publish.licences import licences_of
from pipelines.release.held import CROISSANT
from pipelines.release.lock import load_lock
from pipelines.verification.consistency import consistency
from pipelines.verification.integrity import Problem

_TOKENS = re.compile(
    r"\bhf_[A-Za-z0-9]{30,}|\bsk-(?:[a-z]+-)?[A-Za-z0-9_-]{20,}|\bgh[pousr]_[A-Za-z0-9]{30,}"
    r"|\bgithub_pat_[A-Za-z0-9_]{30,}|\bglpat-[\w-]{20,}|\bxox[abprs]-[\w-]{10,}"
    r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{35}|\bnpm_[A-Za-z0-9]{30,}|\bpypi-[\w-]{50,}"
    r"|-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----|\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}"
)
# With a user and a password: in a file of a database other cells may follow without a gap.
_URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[\w.%+~-]*:[^\s/@:\"'<>\\\x00-\x1f]{3,}@[\w.-]+")
_NAMED = re.compile(r"key|token|secret|passw|pwd|credential", re.IGNORECASE)
_SHORTEST = 12  # characters of a variable's value that is looked for
_PATH = re.compile(
    r"(?:\b(?:file|sqlite|duckdb)://+|(?<![\w.~:/<*-]))"
    r"/(?:home|Users|root|tmp|private|mnt|media|srv|opt|var|work|workspace|workspaces|data|usr|etc"
    r"|Volumes|scratch|nfs|app|builds?|github)/[^\s\"'<>|,;)]+"
    r"|(?<!\w)[A-Za-z]:(?:\\|/)(?!/)[\w.$-]+|(?<!\w)\\\\[\w.$-]+\\[\w.$-]+"
)
_OWN = ("manifest.json", "mapping.json", "schema.json", "funnel.json", "corpus.lock", CROISSANT)
_PRIVATE = "pseudonyms.json"
_BLOCK = 1 << 20  # bytes of a file that are read at a time


def inspect(folder: Path) -> list[Problem]:
    """All that keeps the exported corpus in `folder` from being published.

    Raises:
        GraphmillError: it is no finished corpus.
    """
    lock = load_lock(folder)
    if CROISSANT not in lock["files"]:
        raise GraphmillError(
            f"{folder} is no exported corpus: `graphmill export {folder} --to huggingface DIR` "
            "makes one, which can be published."
        )
    problems = consistency(folder, lock).problems
    problems += [
        Problem(name.removeprefix("graph "), "no-licence", f"No licence is stated for {name}.")
        for name in licences_of(folder, lock).missing
    ]
    known, named = _own_secrets(), {problem.where for problem in problems}
    for path in sorted(folder.rglob("*")):
        where = path.relative_to(folder).as_posix()
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            if where not in named:
                problems.append(Problem(where, "no-file", "It is a link or a device, and no file."))
        elif path.name.startswith("."):
            problems.append(Problem(where, "hidden", "Hidden files are no part of a corpus."))
        elif path.name == _PRIVATE:
            problems.append(Problem(where, "private", "It tells the real names of pseudonyms."))
        elif path.is_file():
            problems += inspected(path, where, known)
    return problems


def _own_secrets() -> list[str]:
    """Values of variables of this process that are named like keys."""
    values = {value for name, value in os.environ.items() if _NAMED.search(name)}
    return sorted(value for value in values if len(value) >= _SHORTEST and not _is_path(value))


def _is_path(value: str) -> bool:
    return value.startswith(("/", "~", "./"))


def inspected(path: Path, where: str, known: list[str]) -> Iterator[Problem]:
    """What is wrong with the content of one file; `known` are secrets of this process."""
    secret = ""
    paths: list[str] = []
    try:
        for text in _texts(path):
            secret = secret or _secret(text, known)
        for text in _own_texts(path):
            paths += [match[0] for match in _PATH.finditer(text)]
    except (OSError, ValueError, GraphmillError) as problem:
        yield Problem(where, "damaged", f"It cannot be read: {problem}")
        return
    if secret:
        yield Problem(where, "secret", f"It holds what looks like {secret}.")
    for place in sorted(set(paths))[:3]:
        yield Problem(where, "absolute-path", f"It names a place of the machine: {place}")


def _secret(text: str, known: list[str]) -> str:
    """What kind of secret a text holds; the secret itself is never repeated."""
    if any(each in text for each in known):
        return "the value of a variable of yours that is named like a key"
    token = _TOKENS.search(text)
    if token:
        return f"a key ({token[0][:4]}…)"
    for url in _URL.finditer(text) if "://" in text else ():
        if has_secret(url[0]):
            return "an address with a password"
    return ""


def _texts(path: Path) -> Iterator[str]:
    """The texts of a file, piece by piece; pieces overlap, so that nothing is cut in two."""
    if path.suffix == ".parquet":
        for row in read_rows(path):
            yield from _leaves(row)
        return
    tail = b""
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            yield (tail + block).decode("utf-8", "replace")
            tail = block[-512:]


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _leaves(each)
    elif isinstance(value, list):
        for each in value:
            yield from _leaves(each)


def _own_texts(path: Path) -> Iterator[str]:
    """The texts in which graphmill, and not the data, speaks."""
    if path.name in _OWN:
        yield from _leaves(read_json(path))
    elif path.name == "rejects.jsonl":
        with path.open("rb") as stream:
            for _, line in values_of(stream):
                if isinstance(line, dict):
                    yield str(line.get("reason", ""))
    elif path.suffix == ".parquet" and path.parent.name == "data":
        for row in read_rows(path):
            made = dict(row.get("provenance") or {})
            made.pop("trace", None)
            yield canonical(made)
