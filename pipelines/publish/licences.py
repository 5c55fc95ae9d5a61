"""Under which licence a corpus and each of its graphs may be used; one without is named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemagraph.folder.manifest import load_manifest

_NONE = ("", "not stated")


@dataclass(frozen=True, slots=True)
class Licences:
    """As stated (SPDX identifiers, or names): the corpus's, each graph's; empty where none is."""

    corpus: str
    graphs: Mapping[str, str]

    @property
    def missing(self) -> list[str]:
        """Graphs without a licence, and `the corpus` where it has none."""
        names = [f"graph {db}" for db, licence in self.graphs.items() if not licence]
        return names if self.corpus else ["the corpus", *names]

    def to_json(self) -> dict[str, Any]:
        """The file `licences.json`; null where none is stated."""
        graphs = {db: licence or None for db, licence in self.graphs.items()}
        return {"corpus": self.corpus or None, "graphs": graphs}


def licences_of(folder: Path, lock: Mapping[str, Any]) -> Licences:
    """Those of the corpus in `folder`, from its configuration and its graphs' manifests.

    Raises:
        SchemaError: a graph's manifest is missing or damaged.
    """
    config = lock.get("config") or {}
    graphs = {}
    for db in sorted(lock["graphs"]):
        sources = config.get("source") or []
        stated = [load_manifest(folder / "graphs" / db).licence]
        stated += [str(s.get("licence", "")) for s in sources if s.get("name") == db]
        graphs[db] = next((each for each in stated if each not in _NONE), "")
    whole = str((config.get("corpus") or {}).get("licence", ""))
    return Licences("" if whole in _NONE else whole, graphs)
