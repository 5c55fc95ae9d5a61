"""`Corpus`, a finished corpus on disk as a notebook or a program holds it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from graphmill.errors import unknown_name
from graphmill.files import checked, read_rows
from graphmill.record import SPLITS
from pipelines.release.folder import split_file
from pipelines.release.ledger import LEDGER, ledger_lines
from pipelines.release.lock import load_lock
from schemagraph.folder.graph import Graph


class Corpus:
    """The corpus in a folder that `build` wrote.

    `funnel` says, where this process built it, how many candidates were left after each stage,
    and why the others went; else it is empty, and `report.html` in the folder has it.

    Raises:
        GraphmillError: the folder is no finished corpus, or its lock is damaged.
    """

    def __init__(self, folder: str | PathLike[str], funnel: dict[str, Any] | None = None) -> None:
        self.folder = Path(folder)
        self.funnel = funnel or {}
        self.lock: dict[str, Any] = load_lock(self.folder)

    @property
    def name(self) -> str:
        """The corpus's name in its configuration; the folder's where that says none."""
        config = self.lock.get("config", {})
        return str(config.get("corpus", {}).get("name", self.folder.name))

    def records(self, split: str | None = None) -> Iterator[dict[str, Any]]:
        """Released records, field by field as the files have them (docs/record.md), split after
        split; with `split`, those of `train`, `validation` or `test`.

        Raises:
            UnknownNameError: there is no such split.
            GraphmillError: a file is missing or damaged.
        """
        if split is not None and split not in SPLITS:
            raise unknown_name("split", split, SPLITS)
        return self._records(SPLITS if split is None else (split,))

    def _records(self, splits: tuple[str, ...]) -> Iterator[dict[str, Any]]:
        for split in splits:
            file = split_file(self.folder, split)
            if file.relative_to(self.folder).as_posix() in self.lock["files"]:
                yield from checked(file, read_rows(file))

    def rejects(self) -> Iterator[dict[str, Any]]:
        """The ledger: every candidate that was not released, with stage, code and reason.

        Raises:
            GraphmillError: the file is missing or damaged.
        """
        return ledger_lines(self.folder / LEDGER)

    @cached_property
    def graphs(self) -> dict[str, Graph]:
        """The graphs that the queries run on, by the name of their database.

        Raises:
            SchemaError: one of them is missing or damaged.
        """
        return {db: Graph(self.folder / "graphs" / db) for db in self.lock["graphs"]}

    def __repr__(self) -> str:
        return f"Corpus({str(self.folder)!r}: {', '.join(self.lock['graphs'])})"
