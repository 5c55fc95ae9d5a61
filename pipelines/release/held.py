"""The files of a corpus that `corpus.lock` has the hashes of.

They are all but the lock itself, what is hidden (`.work`), and the lexicons of the graphs, which
are for people to edit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from generators.questions.lexicon.model import FILE as LEXICON
from graphmill.files import file_digest
from pipelines.configuration.config import FILES
from pipelines.release.card import FIGURES
from pipelines.release.description import FUNNEL
from pipelines.release.hub import APART, CONFIGURATIONS
from pipelines.release.ledger import LEDGER
from pipelines.release.lock import refuse_edited
from pipelines.release.masked import BESIDE
from pipelines.release.nearest import NEAREST

CARD, REPORT = "README.md", "report.html"
CROISSANT, LICENCES = "croissant.json", "licences.json"  # of an exported corpus
CHANGES = "CHANGES.md"  # of a scheduled release
_AT_TOP = (CARD, REPORT, LEDGER, FUNNEL, NEAREST, *BESIDE, CROISSANT, LICENCES, CHANGES)
_ROWS = ("data", *APART)  # of which all Parquet is theirs; notes of people may lie beside it
_FOLDERS = (CONFIGURATIONS, FIGURES)


def held_files(folder: Path, graphs: Iterable[str]) -> list[str]:
    """Such files as are in `folder`, sorted, relative to it; `graphs` are the names of its
    graphs."""
    held = {name for name in _AT_TOP if (folder / name).is_file()}
    held |= {path.name for path in folder.glob("ratings*.jsonl") if path.is_file()}
    for place in _ROWS:
        held |= {name for name in _below(folder, place) if name.endswith(".parquet")}
    for place in _FOLDERS:
        held |= _below(folder, place)
    for db in graphs:
        held |= _below(folder, f"graphs/{db}") - {f"graphs/{db}/{LEXICON}"}
        sources = (f"sources/{db}{ending}" for ending in FILES)
        held |= {name for name in sources if (folder / name).is_file()}
    return sorted(held)


def digests(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """The SHA-256 of each of these files that is there."""
    return {name: file_digest(folder / name) for name in names if (folder / name).is_file()}


def replaced(folder: Path, lock: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """`lock` with the hashes of these files as they are now; others stay held to what they were.

    Raises:
        GraphmillError: the lock was edited, which a new one would hide.
    """
    refuse_edited(folder, lock)
    chosen = set(names)
    kept = {name: sha256 for name, sha256 in lock["files"].items() if name not in chosen}
    return {**lock, "files": kept | digests(folder, chosen)}


def holds_all(lock: Mapping[str, Any]) -> bool:
    """Whether a lock has the hashes of all files; older ones have those of rows, ledger and card,
    so that nothing can be said of other files that they do not have."""
    return any(name.startswith("graphs/") for name in lock["files"])


def _below(folder: Path, place: str) -> set[str]:
    """The files in a folder of the corpus, but for hidden ones."""
    return set(_visible(folder / place, place))


def _visible(folder: Path, place: str) -> Iterator[str]:
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.name.startswith("."):
            continue
        if path.is_dir():
            yield from _visible(path, f"{place}/{path.name}")
        elif path.is_file():
            yield f"{place}/{path.name}"
