"""Whether a graph beside a corpus is still the one that was put there."""

from __future__ import annotations

from pathlib import Path

from graphmill.errors import GraphmillError
from graphmill.files import file_digest
from pipelines.configuration.progress import Watch
from schemagraph.folder.graphdata import graph_fingerprint
from schemagraph.folder.manifest import load_manifest


def unharmed(folder: Path, fingerprint: str, watch: Watch) -> bool:
    """Whether every file of the graph in `folder` is as it was written; damage is told.

    Other bytes with the same rows count as damage, too: engines trust a file's statistics.
    """
    if not folder.is_dir():
        return False
    try:
        tables = [(folder / table.file, table.sha256) for table in load_manifest(folder).tables]
        changed = [path.name for path, sha256 in tables if file_digest(path) != sha256]
        if not changed and graph_fingerprint(folder, deep=True) == fingerprint:
            return True
        reason = f"{', '.join(changed[:3]) or 'its schema'} is not as it was written"
    except (GraphmillError, OSError) as problem:
        reason = str(problem).rstrip(".")
    watch.warn(f"warning: the graph {folder} is damaged: {reason}. It is made anew.")
    return False
