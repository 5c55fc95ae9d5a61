"""Whose folder it is: a corpus's folder belongs to one `[corpus] name`, and to one build a time."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from generators.questions.lexicon.model import FILE as LEXICON
from graphmill.errors import ConfigError, GraphmillError, SourceError
from graphmill.files import canonical, digest, remove, write_text
from graphmill.llm.cache import counter_of, mend
from graphmill.record import SPLITS
from graphmill.regular import check_regular
from pipelines.author.authors import REPLIES
from pipelines.configuration.config import FILES, Config
from pipelines.configuration.lock import LOCK as HOLDER
from pipelines.configuration.lock import WORK, held
from pipelines.configuration.store import WHOLE
from pipelines.release.card import FIGURES
from pipelines.release.hub import APART
from pipelines.release.lock import LOCK
from pipelines.synth.synthesis import PROGRAM, REPORT
from schemagraph.folder.manifest import MANIFEST
from schemagraph.folder.serde import MAPPING_FILE, SCHEMA_FILE
from schemagraph.folder.writer import is_graph
from schemagraph.specification.model import FILE as DISTRIBUTIONS

COSTS = "costs.json"  # in WORK: what a model's answers cost
SUMMARY = "summary.json"  # in WORK: what the last run took, and where
CLAIM = "corpus.json"  # in WORK: the corpus's name, and the databases that it has or had
_MOST = 64 << 20  # bytes of such a file, and of a lock
type Note = Callable[[str], None]

# All that a build writes; what has another name is somebody else's, and stays.
_ROOT = re.compile(
    r"README\.md|report\.html|corpus\.lock|(funnel|coverage)\.json|(rejects|pairs|nearest)\.jsonl"
)
_SPLIT = re.compile(rf"({'|'.join(SPLITS)})-\d+-of-\d+\.parquet")
_WORK = re.compile(
    rf"finished(\.\d+\.\d+)?\.jsonl|{re.escape(REPLIES)}|{re.escape(counter_of(Path(REPLIES)).name)}|(.+\.)?costs\.json|.+\.rejects\.jsonl"
    rf"|{re.escape(LOCK)}|{re.escape(CLAIM)}|{re.escape(SUMMARY)}|{HOLDER}|\..+\.\d+\.(part|old)(-\w+)?"
)
_FOLDERS = ("data", "graphs", "sources", FIGURES, *APART)
_FIGURE = re.compile(r"(schema-\d+|[a-z]+)\.svg")
_GRAPH = {  # by the folder in a graph's folder
    "": re.compile(
        "|".join(
            map(
                re.escape,
                (
                    *(SCHEMA_FILE, MAPPING_FILE, MANIFEST, DISTRIBUTIONS),
                    *(LEXICON, PROGRAM, REPORT),
                ),
            )
        )
    ),
    "nodes": re.compile(r".+\.(parquet|csv)"),
    "edges": re.compile(r".+__.+\.(parquet|csv)"),
    "instances": re.compile(r"[0-9a-f]{12}\.json"),
}


@contextmanager
def claimed(config: Config, out: Path, note: Note, *, replace: bool = False) -> Iterator[None]:
    """Hold the corpus folder `out`, made where it is not there, for this configuration's corpus.

    With `replace`, nothing is left of the corpus that is there. Otherwise one of another name is
    refused. Damaged replies of a model are taken out, with a note, and so are told that are gone.

    Raises:
        ConfigError: the folder is another corpus's, or no corpus.
        GraphmillError: it cannot be written, or another process builds in it.
    """
    work = writable(out) / WORK
    with held(work):
        name, databases = _claim(out, note)
        if replace:
            _clear(out, databases)
            name, databases = None, ()
        elif name is not None and name != config.corpus.name:
            raise ConfigError(
                f"{out} holds the corpus '{name}', and the configuration is of "
                f"'{config.corpus.name}'. Give another folder with --out; with --replace, nothing "
                f"is left of '{name}'."
            )
        mine = {config.database(source) for source in config.source}
        _write(work / CLAIM, config.corpus.name, sorted({*databases, *mine}))
        if warning := mend(work / REPLIES, _replies(work)).text(work / REPLIES):
            note(warning)
        if (work / SUMMARY).is_file() and not any(work.glob("finished*.jsonl")):
            note(f"warning: {work / WHOLE} is gone; what is missing is made anew.")
        yield


def writable(out: Path) -> Path:
    """`out`, made and marked as ours before anything is written into it.

    Raises:
        ConfigError: it holds something else than a corpus; where a build writes is a link, a file
            in the place of a folder, or a folder in the place of a file.
        GraphmillError: it cannot be written.
    """
    try:
        if out.exists() and not out.is_dir():
            raise ConfigError(f"{out} is a file: give a folder with --out.")
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()) and not _is_corpus(out):
            raise ConfigError(_no_corpus(out))
        (out / WORK).mkdir(exist_ok=True)
        obstacle = _obstacle(out)
    except OSError as problem:
        reason = problem.strerror or problem
        raise GraphmillError(f"Cannot write the corpus to {out}: {reason}.") from problem
    if obstacle:
        raise ConfigError(f"{obstacle}, or give another folder with --out.")
    if not os.access(out / WORK, os.W_OK):
        raise GraphmillError(f"Cannot write the corpus to {out}: it is read-only.")
    return out


def _obstacle(out: Path) -> str:
    """What stands where a build writes and must not be written through, or cannot be replaced, with
    what to do, as a sentence without its end; "" for nothing. A build that met it at its end would
    have replaced half of a release."""
    for path in _written_into(out):
        if path.is_symlink():
            return (
                f"{path} is a link to {os.readlink(path)}, and a build would write there. Put what "
                "it leads to in its place or remove it"
            )
    for path in (out / name for name in _FOLDERS):
        if path.exists() and not path.is_dir():
            return f"{path} is a file, where a folder of the corpus belongs. Move it elsewhere"
    for path in _named(out):
        if path.is_dir() and not path.is_symlink():
            return f"{path} is a folder, where a file of the corpus belongs. Move it elsewhere"
    return ""


def _named(out: Path) -> Iterator[Path]:
    """What has the name of a file that a build replaces, but for graphs and sources."""
    places = [(out, _ROOT), (out / FIGURES, _FIGURE)]
    places += [(out / name, _SPLIT) for name in ("data", *APART)]
    for folder, ours in places:
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if ours.fullmatch(path.name):
                yield path


def _written_into(out: Path) -> Iterator[Path]:
    """The folders that a build writes into, those within another after it, and the files that it
    opens where they are; others are replaced."""
    yield from (out / name for name in _FOLDERS)
    yield from (out / WORK / name for name in (HOLDER, REPLIES, counter_of(Path(REPLIES)).name))
    for graph in sorted((out / "graphs").glob("*")):
        if not graph.is_file():
            yield graph
            yield from (graph / name for name in _GRAPH if name)


def _is_corpus(out: Path) -> bool:
    """Whether the folder's `.work` is one of ours: it has nothing else, or says whose it is."""
    work = out / WORK
    if not work.is_dir() or work.is_symlink():
        return False
    names = [path.name for path in work.iterdir()]
    return CLAIM in names or all(_WORK.fullmatch(name) for name in names)


def _no_corpus(out: Path) -> str:
    """Why a folder is not built into, as a sentence."""
    work, other = out / WORK, "give an empty folder with --out"
    if work.is_symlink() or (work.exists() and not work.is_dir()):
        kind = "a link" if work.is_symlink() else "a file"
        belongs = "where the folder of a build's finished work belongs"
        return f"{work} is {kind}, {belongs}. Put an empty folder in its place, or {other}."
    if work.is_dir():
        foreign = min(path.name for path in work.iterdir() if not _WORK.fullmatch(path.name))
        return f"{work} has {foreign}, which is no build's. Move it elsewhere, or {other}."
    if (out / LOCK).is_file():
        lacks = f"has a finished corpus, and no {WORK} with a build's finished work"
        return f"{out} {lacks}. To build on, make an empty folder {work}; else {other}."
    return f"{out} is not empty and no corpus of graphmill; {other}."


def _claim(out: Path, note: Note) -> tuple[str | None, tuple[str, ...]]:
    """The name of the corpus that is in `out`, if any, and its databases."""
    path = out / WORK / CLAIM
    raw = _json(path)
    try:
        if raw.pop("sum") == digest("corpus", raw):
            return str(raw["name"]), tuple(map(str, raw["databases"]))
    except (KeyError, TypeError, AttributeError):
        pass
    if path.exists():
        note(f"warning: {path} is damaged; it is made anew.")
    raw = _last_lock(out)
    try:
        return str(raw["config"]["corpus"]["name"]), tuple(map(str, raw["graphs"]))
    except (KeyError, TypeError):
        return None, ()


def _last_lock(out: Path) -> Any:
    """What the lock of the release in `out` says, or of one that a build lays aside, unchecked."""
    return _json(out / LOCK) or _json(out / WORK / LOCK)


def remove_ruin(out: Path, db: str) -> None:
    """Remove what is left of a graph of the corpus and is none any more, such as a folder without
    its schema or a file, so that a new one takes its place. What neither has a manifest nor is
    named by the corpus's lock stays, and is refused by who writes the graph."""
    graph = out / "graphs" / db
    if not graph.exists() or is_graph(graph):
        return
    released: Any = ()
    with suppress(KeyError, TypeError):
        released = _last_lock(out)["graphs"]
    if (graph / MANIFEST).is_file() or (isinstance(released, dict) and db in released):
        remove(graph)


def _replies(work: Path) -> int:
    """How many replies the books of the last run have."""
    try:
        return sum(int(stage["calls"]) for stage in _json(work / COSTS).values())
    except (AttributeError, KeyError, TypeError, ValueError):
        return 0


def _json(path: Path) -> Any:
    with suppress(OSError, ValueError, RecursionError, SourceError):
        check_regular(path)
        with path.open("rb") as stream:
            return json.loads(stream.read(_MOST))  # what is cut there is none
    return {}


def _write(path: Path, name: str, databases: list[str]) -> None:
    if path.is_dir():
        remove(path)
    claim = {"name": name, "databases": databases}
    write_text(path, canonical({**claim, "sum": digest("corpus", claim)}) + "\n")


def _clear(out: Path, databases: Iterable[str]) -> None:
    """Remove what a build wrote, the claim last; whatever else is there stays.

    Raises:
        GraphmillError: a file cannot be removed.
    """
    work = out / WORK
    files = list(_named(out))
    folders = [out / "data", *(out / name for name in APART), out / FIGURES]
    for db in databases:
        files += [out / "sources" / f"{db}{ending}" for ending in FILES]
        for name, ours in reversed(_GRAPH.items()):
            folder = out / "graphs" / db / name
            files += [path for path in _plain(folder) if ours.fullmatch(path.name)]
            folders.append(folder)
    files += [path for path in _plain(work) if _WORK.fullmatch(path.name)]
    kept, top = {work / HOLDER, work / CLAIM}, out.resolve()
    # Nothing behind a link, nor outside, whatever a claim calls a database.
    files = [path for path in files if path.parent.resolve() == top / path.parent.relative_to(out)]
    try:
        (out / LOCK).unlink(missing_ok=True)  # from here on it is no finished corpus
        for path in files:
            if path not in kept:
                path.unlink(missing_ok=True)
        for folder in [*folders, out / "sources", out / "graphs"]:
            inside = folder.resolve() == top / folder.relative_to(out)
            if inside and folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
        (work / CLAIM).unlink(missing_ok=True)
    except OSError as problem:
        raise GraphmillError(
            f"Cannot remove {problem.filename}: {problem.strerror}; the corpus is half replaced."
        ) from problem


def _plain(folder: Path) -> list[Path]:
    """The files of a folder, links to files too."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.is_symlink() or path.is_file())
