"""Whether the files of a corpus are those that it was released with, and no others."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from generators.questions.lexicon.model import FILE as LEXICON
from graphmill.errors import GraphmillError, SourceError
from graphmill.files import canonical, digest, file_digest
from graphmill.json_lines import parse_json
from graphmill.regular import check_regular, kind_of, shown
from pipelines.build.damage import changed_files
from pipelines.build.suites import FOLDER
from pipelines.configuration.lock import WORK
from pipelines.release.card import FIGURES
from pipelines.release.held import CARD, CHANGES, REPORT, holds_all
from pipelines.release.hub import APART, CONFIGURATIONS
from pipelines.release.lock import LOCK, is_whole, lay_aside, load_lock
from schemagraph.folder.graphdata import graph_fingerprint
from schemagraph.folder.manifest import MANIFEST
from schemagraph.folder.serde import MAPPING_FILE, SCHEMA_FILE

MISSING = "file-missing"
DAMAGED = "file-damaged"  # a graph that no engine can load; its records are not repeated
# A build's own, and what git and the Hub's client keep beside the files: nothing reads it as ours.
# Each as what it is there: of git a file leads to the repository in a worktree.
_BESIDE_FOLDERS, _BESIDE_FILES = (WORK, ".git", ".cache"), (".git", ".gitattributes")
_ROWS = tuple(f"{place}/" for place in ("data", *APART))  # what a lock of any format has all of
_READ = (f"{CONFIGURATIONS}/", "graphs/", "sources/")  # folders of which all that is there counts
_PAGES = (CARD, REPORT, CHANGES, f"{FIGURES}/")
_SHOWN = 3  # problems of a corpus that is refused
_FOLDERS = ("data", "graphs", "sources", FIGURES, *APART)  # that may be empty, as may a graph's
_OF_GRAPH = ("nodes", "edges", FOLDER)


@dataclass(frozen=True, slots=True)
class Problem:
    """What does not hold: in which file or record, and how."""

    where: str
    code: str
    detail: str

    def to_json(self) -> dict[str, str]:
        """One line of output."""
        return {"where": self.where, "code": self.code, "detail": self.detail}


type _Mark = tuple[int, int, int, int]


class _Contents(NamedTuple):
    """What lies in a corpus, by names relative to it: files, links, folders, and what is none of
    these with what it is; but for what others keep beside it. What is behind a link is not looked
    at."""

    files: set[str]
    links: set[str]
    folders: set[str]
    others: dict[str, str]


def lock_problems(lock: Mapping[str, Any]) -> Iterator[Problem]:
    """What is wrong with `corpus.lock` itself."""
    if not is_whole(lock):
        detail = "It was edited: its content is not what its own hash (`sha256`) is of."
        if "sha256" not in lock:
            detail = "It was edited: its own hash (`sha256`) is gone, which all of its format have."
        yield Problem(LOCK, "file-changed", detail)
    if not any(name.startswith("data/") for name in lock["files"]):
        yield Problem(LOCK, "lock-empty", "It has no file with records, which every corpus has.")


def file_problems(folder: Path, lock: dict[str, Any]) -> Iterator[Problem]:
    """Files that are missing, changed or not of this corpus, and graphs that changed."""
    there = _contents(folder)
    held = list(_held_problems(folder, lock, there))
    bad = {problem.where for problem in held if problem.code != "file-changed"}
    for name in lock["files"]:
        if name in there.files and name not in bad and not _has_link(name, there):
            held += _json_problems(folder, name)
    graphs = list(_graph_problems(folder, lock, there))
    known = {(each.where, each.code) for each in held}
    yield from held
    yield from (each for each in graphs if (each.where, each.code) not in known)


def _graph_problems(folder: Path, lock: Mapping[str, Any], there: _Contents) -> Iterator[Problem]:
    """Graphs that are missing, damaged or changed."""
    for db, entry in lock["graphs"].items():
        if not (folder / "graphs" / db).is_dir():
            yield Problem(f"graphs/{db}", MISSING, "The graph is not here.")
            continue
        try:
            for name, kind in sorted(there.others.items()):
                if _is_read(name, f"graphs/{db}"):
                    raise GraphmillError(f"{name} is {kind}, no file.")
            changed = graph_fingerprint(folder / "graphs" / db, deep=True) != entry["fingerprint"]
        except GraphmillError as problem:
            yield Problem(f"graphs/{db}", DAMAGED, str(problem))
            continue
        if changed:
            yield Problem(f"graphs/{db}", "file-changed", "The graph's content has changed.")
        yield from _changed_tables(folder / "graphs" / db, f"graphs/{db}")


def intact_lock(folder: Path) -> dict[str, Any]:
    """What `corpus.lock` says of a corpus that is as it says; see `refuse_damaged`.

    Raises:
        GraphmillError: the corpus is not finished, or not as it was released.
    """
    lock = load_lock(folder)
    refuse_damaged(folder, lock)
    return lock


@contextmanager
def settled(folder: Path, tell: Callable[[str], None]) -> Iterator[None]:
    """See to the lock of a corpus where the block that replaces its files ends before its time: it
    is in its place where every file that was replaced is as it was released, and else not, which
    `tell` is told. What was damaged before is not replaced."""
    before: dict[str, _Mark] | None = None
    with suppress(OSError):
        before = _marks(folder) if (folder / LOCK).exists() else None
    try:
        yield
    except BaseException:
        with suppress(GraphmillError, OSError):  # which would hide why the block ends
            _settle(folder, before, tell)
        raise


def _settle(folder: Path, before: Mapping[str, _Mark] | None, tell: Callable[[str], None]) -> None:
    if not (folder / LOCK).exists():
        with suppress(FileNotFoundError):
            (folder / WORK / LOCK).replace(folder / LOCK)
    if not (folder / LOCK).exists():
        return
    now = _marks(folder)
    if any(
        not problem.code.endswith("-unknown")
        and (before is None or now.get(problem.where) != before.get(problem.where))
        for problem in _held_problems(folder, load_lock(folder), _contents(folder))
    ):
        lay_aside(folder)
        tell(
            f"warning: the release in {folder} is replaced in part: it is no finished corpus until "
            "the build has run again."
        )


def _marks(folder: Path) -> dict[str, _Mark]:
    """Of all that lies in a corpus, by name, what changes when it is replaced."""
    there = _contents(folder)
    marks = {}
    for name in (*there.files, *there.links, *there.folders, *there.others):
        status = (folder / name).lstat()
        marks[name] = (status.st_mode, status.st_ino, status.st_size, status.st_mtime_ns)
    return marks


def refuse_damaged(folder: Path, lock: Mapping[str, Any]) -> None:
    """Refuse a corpus that is not what its lock says, as far as the hashes of its files tell: what
    is made of it would pass for what is made of the release. Pages are made of all else, and do
    not count.

    Raises:
        GraphmillError: a file is missing, changed or not of the corpus, or the lock was edited.
    """
    problems = [
        problem
        for problem in (*lock_problems(lock), *_held_problems(folder, lock, _contents(folder)))
        if not problem.where.startswith(_PAGES) and not _is_harmless(problem, folder, lock)
    ]
    if problems:
        each = [f"{problem.where}: {problem.detail}" for problem in problems[:_SHOWN]]
        more = len(problems) - len(each)
        text = " ".join([*each, *([f"There are {more} more such problems."] if more else [])])
        raise GraphmillError(
            f"{folder} is not as it was released. {text} `graphmill verify` says all; run its "
            "build again, or take the files of the release."
        )


def _is_harmless(problem: Problem, folder: Path, lock: Mapping[str, Any]) -> bool:
    """Whether somebody who reads the corpus reads the release all the same: a note lies there, or
    a file is a link to what it should hold, as in the cache of the Hub's client."""
    name, path = problem.where, folder / problem.where
    if problem.code == "file-link":
        known = path.name == LEXICON or (name in lock["files"] and path.is_file())
        return known and lock["files"].get(name) in (None, file_digest(path))
    is_taken = name.startswith(_READ) or (name.startswith(_ROWS) and name.endswith(".parquet"))
    return problem.code.endswith("-unknown") and not is_taken


def _held_problems(folder: Path, lock: Mapping[str, Any], there: _Contents) -> Iterator[Problem]:
    for name, expected in lock["files"].items():
        if _has_link(name, there):
            continue  # the link is told
        if name not in there.files:
            kind = there.others.get(name, "a folder" if name in there.folders else "")
            if kind:
                yield Problem(name, "file-kind", f"It is {kind}, no file.")
            else:
                yield Problem(name, MISSING, "The file is in corpus.lock and not here.")
            continue
        try:
            if file_digest(folder / name) != expected:
                yield Problem(name, "file-changed", "The file's hash is not that of corpus.lock.")
        except OSError as problem:
            yield Problem(name, MISSING, f"It cannot be read: {problem.strerror or problem}.")
            continue
    yield from _strangers(there, lock)


def _json_problems(folder: Path, name: str) -> Iterator[Problem]:
    """What readers of JSON would not take alike in a file, or not take at all: a key that is twice
    in an object, what is no JSON. A ledger may have NaN, as Python writes it."""
    kind = PurePosixPath(name).suffix
    if kind not in (".json", ".jsonl"):
        return
    first, more = "", 0
    with (folder / name).open("rb") as stream:
        for number, text in enumerate(stream if kind == ".jsonl" else [stream.read()], 1):
            place = f"line {number}, " if kind == ".jsonl" else ""
            try:
                if text.strip() or kind == ".json":  # of lines there may be none
                    parse_json(text.decode(), bare=True)
            except (GraphmillError, UnicodeDecodeError) as problem:
                more += bool(first)
                first = first or f"{place}{problem}."
    if first:
        others = f" {more:,} more of its lines are damaged." if more else ""
        yield Problem(name, "json-damaged", f"{first}{others}")


def _is_read(name: str, graph: str) -> bool:
    """Whether whoever loads the graph reads a file of this name, so that all waits for a pipe."""
    if name in (f"{graph}/{each}" for each in (SCHEMA_FILE, MAPPING_FILE, MANIFEST)):
        return True
    return name.startswith((f"{graph}/nodes", f"{graph}/edges"))


def _contents(folder: Path) -> _Contents:
    there = _Contents(set(), set(), set(), {})
    waiting = [""]
    while waiting:
        place = waiting.pop()
        with os.scandir(folder / place) as entries:
            for entry in entries:
                name = f"{place}/{entry.name}".lstrip("/")
                mode = entry.stat(follow_symlinks=False).st_mode
                if stat.S_ISLNK(mode):
                    there.links.add(name)
                elif stat.S_ISDIR(mode):
                    if name not in _BESIDE_FOLDERS:
                        there.folders.add(name)
                        waiting.append(name)
                elif stat.S_ISREG(mode):
                    if name not in _BESIDE_FILES:
                        there.files.add(name)
                else:
                    there.others[name] = kind_of(mode)
    return there


def _parents(name: str) -> list[str]:
    """The folders that a file or folder lies in.

    >>> _parents("graphs/g/nodes")
    ['graphs/g', 'graphs']
    """
    return [str(place) for place in PurePosixPath(name).parents][:-1]


def _has_link(name: str, there: _Contents) -> bool:
    return any(place in there.links for place in (name, *_parents(name)))


def _strangers(there: _Contents, lock: Mapping[str, Any]) -> Iterator[Problem]:
    """What lies in the corpus and is not in its lock.

    An older lock does not have all files: of these, only what it names and rows are told. A folder
    of somebody else's is told once, with what is in it.
    """
    lexicons = {f"graphs/{db}/{LEXICON}" for db in lock["graphs"]}  # for people to edit
    known = {LOCK, *lock["files"], *lexicons}
    folders = {*_FOLDERS, *(f"graphs/{db}/{each}" for db in lock["graphs"] for each in _OF_GRAPH)}
    for name in (*folders, *known):
        folders.update(_parents(name))
    whole = holds_all(lock)

    def counts(name: str) -> bool:
        return whole or name.startswith(_ROWS) or name in known or name in folders

    foreign = there.folders - folders - known if whole else set()
    for name in sorted(there.links):
        if counts(name):
            detail = "It is a link, which leads to what is not in the corpus."
            yield Problem(shown(name), "file-link", detail)
    for name, kind in sorted(there.others.items()):
        if counts(name) and name not in lock["files"]:  # which is told
            yield Problem(shown(name), "file-kind", f"It is {kind}, no file.")
    for name in sorted(foreign):
        if not foreign.intersection(_parents(name)):
            number = sum(each.startswith(f"{name}/") for each in there.files)
            detail = f"The folder, with {number} files, is not in corpus.lock."
            yield Problem(shown(name), "folder-unknown", detail)
    for name in sorted(there.files - known):
        rows = name.startswith(_ROWS) and name.endswith(".parquet")
        if (whole or rows) and not foreign.intersection(_parents(name)):
            yield Problem(shown(name), "file-unknown", "The file is not in corpus.lock.")


def _changed_tables(folder: Path, name: str) -> Iterator[Problem]:
    """Tables whose bytes are not those of the manifest, though their rows may be; so program and
    specification of a drawn graph."""
    for file in changed_files(folder):
        detail = "The file's hash is not that of manifest.json."
        yield Problem(f"{name}/{file}", "file-changed", detail)
    for path in sorted((folder / FOLDER).glob("*.json")):
        if _named(path) != path.stem:
            detail = "The small graph is not the one that its name is the hash of."
            yield Problem(f"{name}/{FOLDER}/{path.name}", "file-changed", detail)


def _named(path: Path) -> str:
    """The name that a small graph with the rows in a file has; "" where these are none."""
    try:
        check_regular(path)
        text = path.read_text("utf-8")
        rows = json.loads(text)
    except (SourceError, OSError, ValueError, RecursionError):
        return ""
    return digest(rows)[:12] if text == canonical(rows) + "\n" else ""
