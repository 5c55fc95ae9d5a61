"""Whether a graph beside a corpus is still the one that was put there."""

from __future__ import annotations

from pathlib import Path

from graphmill.errors import GraphmillError
from graphmill.files import digest, file_digest
from pipelines.configuration.progress import Watch
from pipelines.synth.synthesis import PROGRAM
from schemagraph.folder.graphdata import graph_fingerprint
from schemagraph.folder.manifest import load_manifest
from schemagraph.specification.model import FILE as SPECIFICATION


def unharmed(folder: Path, fingerprint: str, watch: Watch) -> bool:
    """Whether every file of the graph in `folder` is as it was written; damage is told.

    Other bytes with the same rows count as damage, too: engines trust a file's statistics.
    """
    if not folder.exists():
        return False
    try:
        changed = changed_files(folder)
        if not changed and graph_fingerprint(folder, deep=True) == fingerprint:
            return True
        names = ", ".join(Path(name).name for name in changed[:3]) or "its schema"
        reason = f"{names} is not as it was written"
    except (GraphmillError, OSError) as problem:
        reason = str(problem).rstrip(".")
    watch.warn(f"warning: the graph {folder} is damaged: {reason}. It is made anew.")
    return False


def changed_files(folder: Path) -> list[str]:
    """The files of a graph whose bytes are not those that the manifest has the hash of: tables,
    and the program and specification of a drawn one. Its lexicon is for people to edit.

    Raises:
        GraphmillError: the manifest is missing or damaged.
        OSError: a table is missing.
    """
    manifest = load_manifest(folder)
    changed = [
        table.file for table in manifest.tables if file_digest(folder / table.file) != table.sha256
    ]
    program = manifest.origin.get("program")
    hashes = {
        PROGRAM: program.get("hash") if isinstance(program, dict) else None,
        SPECIFICATION: manifest.origin.get("specification"),
    }
    for name, expected in hashes.items():
        path = folder / name
        if isinstance(expected, str) and path.is_file() and _text_digest(path) != expected:
            changed.append(name)
    return changed


def _text_digest(path: Path) -> str:
    try:
        return digest(path.read_text("utf-8"))
    except UnicodeDecodeError:
        return ""
