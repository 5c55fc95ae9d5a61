"""Items and ratings in SQLite: each rating is a transaction of its own, and written through."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from graphmill.errors import GraphmillError, naming
from graphmill.regular import check_regular
from graphmill.seed import rng
from pipelines.review.sample import Item

FLAGS = ("mismatch", "ambiguous", "ill-specified", "unnatural")
MOST_NOTE = 2_000  # characters
_TABLES = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE items (number INTEGER PRIMARY KEY, item TEXT NOT NULL);
CREATE TABLE ratings (
  expert TEXT NOT NULL, item INTEGER NOT NULL REFERENCES items (number), turn INTEGER NOT NULL,
  alignment INTEGER NOT NULL CHECK (alignment BETWEEN 1 AND 5), level TEXT NOT NULL,
  flags TEXT NOT NULL, note TEXT NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (expert, item));
"""


@dataclass(frozen=True, slots=True)
class Rating:
    """What one expert says of one item; `level` is the one that the question seems to have."""

    expert: str
    item: int
    alignment: int
    level: str = ""
    flags: tuple[str, ...] = ()
    note: str = ""
    seconds: float = 0.0

    @property
    def passes(self) -> bool:
        """Whether the expert finds the pair right: 4 or 5, and no flag."""
        return self.alignment >= 4 and not self.flags


class Store:
    """The file of one review; opened again, it goes on where it was."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writing = threading.Lock()

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        check_regular(self.path)
        try:
            with closing(sqlite3.connect(self.path, timeout=30)) as connection:
                connection.execute("PRAGMA synchronous = FULL")
                with connection:  # one transaction
                    yield connection
        except sqlite3.Error as problem:
            raise GraphmillError(f"{self.path} is no file of a review: {problem}.") from problem

    def create(self, items: Sequence[Item], corpus: str, seed: int) -> None:
        """Begin a review, unless it is there: then of the same corpus.

        Raises:
            GraphmillError: the file is of another corpus, or none of a review.
        """
        if self.path.exists():
            if self.about("corpus") != corpus:
                raise GraphmillError(
                    f"{self.path} has ratings of another corpus: give another file (--ratings)."
                )
            return
        draft = self.path.with_name(f".{self.path.name}.part")
        try:
            draft.parent.mkdir(parents=True, exist_ok=True)
            with naming(draft, self.path):
                draft.unlink(missing_ok=True)
            with closing(sqlite3.connect(draft)) as connection, connection:
                connection.executescript(_TABLES)
                pairs = [("corpus", corpus), ("seed", str(seed))]
                connection.executemany("INSERT INTO about VALUES (?, ?)", pairs)
                lines = [(number, json.dumps(asdict(i))) for number, i in enumerate(items)]
                connection.executemany("INSERT INTO items VALUES (?, ?)", lines)
            draft.replace(self.path)
        except (OSError, sqlite3.Error) as problem:
            raise GraphmillError(f"Cannot write {self.path}: {problem}.") from problem

    def about(self, name: str) -> str:
        """What the file says of itself: `corpus` or `seed`."""
        with self._open() as connection:
            row = connection.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def items(self) -> list[Item]:
        """All items, by number."""
        with self._open() as connection:
            rows = connection.execute("SELECT item FROM items ORDER BY number").fetchall()
        try:
            return [Item(**json.loads(text)) for (text,) in rows]
        except (ValueError, TypeError) as problem:
            raise GraphmillError(f"{self.path} is no file of a review: {problem}.") from problem

    def rate(self, rating: Rating) -> None:
        """Keep a rating; one that is there already of this expert is replaced."""
        with self._writing, self._open() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO ratings VALUES (?, ?, (SELECT coalesce(max(turn), 0) + 1 "
                "FROM ratings), ?, ?, ?, ?, ?)",
                (
                    rating.expert,
                    rating.item,
                    rating.alignment,
                    rating.level,
                    json.dumps(rating.flags),
                    rating.note[:MOST_NOTE],
                    rating.seconds,
                ),
            )

    def undo(self, expert: str) -> int | None:
        """Take the expert's last rating back, and give its item."""
        with self._writing, self._open() as connection:
            row = connection.execute(
                "SELECT item FROM ratings WHERE expert = ? ORDER BY turn DESC LIMIT 1", (expert,)
            ).fetchone()
            if row is None:
                return None
            connection.execute(
                "DELETE FROM ratings WHERE expert = ? AND item = ?", (expert, row[0])
            )
            return int(row[0])

    def ratings(self) -> list[Rating]:
        """All ratings, by item and expert."""
        with self._open() as connection:
            rows = connection.execute(
                "SELECT expert, item, alignment, level, flags, note, seconds FROM ratings "
                "ORDER BY item, expert"
            ).fetchall()
        try:
            return [
                Rating(e, i, a, lv, tuple(json.loads(f)), n, s) for e, i, a, lv, f, n, s in rows
            ]
        except (ValueError, TypeError) as problem:
            raise GraphmillError(f"{self.path} is no file of a review: {problem}.") from problem

    def rated(self, expert: str) -> set[int]:
        """The items that an expert has rated."""
        with self._open() as connection:
            rows = connection.execute("SELECT item FROM ratings WHERE expert = ?", (expert,))
            return {number for (number,) in rows}

    def order(self, expert: str, size: int) -> list[int]:
        """The items in this expert's own order."""
        numbers = list(range(size))
        rng(int(self.about("seed")), "order", expert).shuffle(numbers)
        return numbers
