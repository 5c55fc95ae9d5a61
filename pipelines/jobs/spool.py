"""What databases released, on disk until the corpus is written: memory holds one database a time.

A spool is a file of `.work` with a packed value a line; it ends with the build.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graph_ir.canonical import shape
from graph_ir.cypher.pair import Pair
from graphmill.errors import GraphmillError
from graphmill.files import remove
from graphmill.record import Record, Reject
from pipelines.configuration.store import MOST, a_text, pack, unpack


@dataclass
class Spool:
    """The records and rejects of one database, and what splits need to know of them; `key` is that
    of the finished work that has them, if any."""

    db: str
    path: Path
    shapes: list[str] = field(default_factory=list)
    key: str = ""
    _records: int = 0
    _rejects: int = 0

    @classmethod
    def of(cls, db: str, work: Path, pairs: Sequence[Pair], rejects: Iterable[Reject]) -> Spool:
        """Write a spool of pairs into the folder `work`.

        Raises:
            GraphmillError: it cannot be written.
        """
        shapes = [shape(pair.statement) for pair in pairs]
        return cls.written(db, work, shapes, [pair.record for pair in pairs], rejects)

    @classmethod
    def written(
        cls,
        db: str,
        work: Path,
        shapes: list[str],
        records: Iterable[Record],
        rejects: Iterable[Reject],
    ) -> Spool:
        """Write a spool of records with the shapes of their queries into the folder `work`, where
        it takes the place of the database's.

        Raises:
            GraphmillError: it cannot be written.
        """
        path = _path(work, db)
        made = cls(db, path, shapes)
        try:
            with path.open("xb") as lines:
                for record in records:
                    lines.write(pack(record.to_json()) + b"\n")
                    made._records += 1
                for reject in rejects:
                    lines.write(pack(reject.to_json()) + b"\n")
                    made._rejects += 1
        except OSError as problem:
            raise GraphmillError(f"Cannot write {path}: {problem.strerror}.") from problem
        return made

    def to_json(self) -> dict[str, Any]:
        """All of it as a JSON value, the inverse of `from_json`."""
        return {
            "shapes": self.shapes,
            "records": self._records,
            "rejects": self._rejects,
            "lines": [line.decode() for line in self._lines()],
        }

    @staticmethod
    def check(raw: dict[str, Any]) -> None:
        """See that `from_json` can read a value.

        Raises:
            ValueError: it cannot. Others: it is none (`HARMED`).
        """
        records, shapes, lines = raw["records"], raw["shapes"], raw["lines"]
        if (len(shapes), len(lines)) != (records, records + raw["rejects"]):
            raise ValueError("not as many lines as it says")
        for each in (*shapes, *lines):
            a_text(each)
        for number, line in enumerate(lines):
            (Record if number < records else Reject).from_json(unpack(line, MOST))

    @classmethod
    def from_json(cls, db: str, work: Path, raw: dict[str, Any], key: str) -> Spool:
        """Write a spool that was kept under `key` into the folder `work`.

        Raises:
            GraphmillError: it cannot be written.
        """
        counts = raw["records"], raw["rejects"]
        made = cls(db, _path(work, db), raw["shapes"], key, *counts)
        try:
            with made.path.open("x", encoding="ascii") as lines:
                lines.writelines(f"{line}\n" for line in raw["lines"])
        except OSError as problem:
            raise GraphmillError(f"Cannot write {work}: {problem.strerror}.") from problem
        return made

    def __len__(self) -> int:
        return self._records

    def records(self) -> Iterator[Record]:
        """The released records, in their order."""
        for number, line in enumerate(self._lines()):
            if number == self._records:
                return
            yield Record.from_json(unpack(line))

    def rejects(self) -> Iterator[Reject]:
        """The ledger's lines, in their order."""
        for number, line in enumerate(self._lines()):
            if number >= self._records:
                yield Reject.from_json(unpack(line))

    def remove(self) -> None:
        """Remove the file."""
        self.path.unlink(missing_ok=True)

    def _lines(self) -> Iterator[bytes]:
        with self.path.open("rb") as lines:
            for line in lines:
                yield line.rstrip(b"\n")


def _path(work: Path, db: str) -> Path:
    """Where the spool of a database is written; nothing is there, and no link to a file."""
    path = work / f".{db}.spool.{os.getpid()}.part"
    remove(path)
    return path
