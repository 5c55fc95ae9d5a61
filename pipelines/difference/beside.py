"""What two corpora have beside records and graphs, compared by content.

Pages and figures are made of all else, and not compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from graphmill.errors import GraphmillError
from graphmill.files import canonical, digest, file_digest, read_json_lines, read_rows
from graphmill.json_lines import read_json
from graphmill.record_rows import CANARY, EXPORTED
from pipelines.release.corpus import Corpus
from pipelines.release.description import FUNNEL
from pipelines.release.held import CROISSANT, LICENCES
from pipelines.release.hub import CONFIGURATIONS
from pipelines.release.masked import BESIDE
from pipelines.release.nearest import NEAREST

_OF_FILES = ("sha256", "contentSize")  # in croissant.json: the bytes of a file, not its content


def contents(corpus: Corpus, other: Corpus) -> dict[str, str]:
    """The digest of each file's content, without what differs in equal ones. What an export adds
    is there where the `other` is exported, too: a corpus and its export are equal.

    Raises:
        GraphmillError: a file cannot be read.
    """
    exported = all(CANARY in each.lock for each in (corpus, other))
    digests = {}
    for name in sorted(corpus.lock["files"]):
        digest_of = _digest_of(name, exported)
        if digest_of is not None:
            try:
                digests[name] = digest_of(corpus.folder / name, corpus.lock)
            except OSError as problem:
                why = problem.strerror or problem
                raise GraphmillError(f"{problem.filename} cannot be read: {why}.") from problem
    return digests


def _digest_of(name: str, exported: bool) -> Callable[[Path, Mapping[str, Any]], str] | None:
    """How the content of a file is told; None for one that is not compared here."""
    place = PurePosixPath(name)
    if name.startswith("sources/") or name in BESIDE:
        return lambda path, _: file_digest(path)
    if name == FUNNEL:
        return lambda path, _: digest(read_json(path))
    if name == NEAREST or place.match("ratings*.jsonl"):
        return lambda path, _: digest(sorted(canonical(line) for line in _lines(path)))
    if exported and name == LICENCES:
        return lambda path, _: digest(read_json(path))
    if exported and name == CROISSANT:
        return lambda path, lock: _described(read_json(path), str(lock[CANARY]))
    if exported and name.startswith(f"{CONFIGURATIONS}/") and place.suffix == ".parquet":
        return lambda path, _: digest(rows_of([path]))
    return None


def _lines(path: Path) -> Iterator[Any]:
    for _, line in read_json_lines(path):
        if isinstance(line, GraphmillError):
            raise line
        yield line


def _described(value: Any, canary: str) -> str:
    """The digest of a description, whatever the bytes of its files and its canary are."""

    def plain(part: Any) -> Any:
        if isinstance(part, dict):
            return {name: plain(each) for name, each in part.items() if name not in _OF_FILES}
        if isinstance(part, list):
            return [plain(each) for each in part]
        return part.replace(canary, "") if isinstance(part, str) else part

    return digest(plain(value))


def rows_of(files: list[Path]) -> dict[str, str]:
    """The rows of each record, by its id, in files that hold other rows than records: a digest,
    without what an export adds.

    Raises:
        GraphmillError: one is no file of rows.
    """
    rows: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for file in files:
        for row in read_rows(file):
            kept = {name: value for name, value in row.items() if name not in EXPORTED}
            rows[str(row.get("id"))].append({"file": file.name, **kept})
    return {id: digest(sorted(mine, key=canonical)) for id, mine in rows.items()}
