"""Questions to the index of a corpus: which items fit, how many, and one of them whole."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipelines.web.explorer.index import FACETS, token, unpacked

PAGE = 25  # items of a page
MOST = 10_000  # fitting items that are counted; of more it is said that there are more
_COUNTED = 1_000  # fitting items up to which facets are counted among them
_RANKED = 2_000  # up to which the best come first
_REMEMBERED = 128  # pages
_WORDS = 12  # of a search


@dataclass(frozen=True, slots=True)
class Wish:
    """What is looked for: words, one value of each of some facets, and the page."""

    words: str = ""
    facets: Mapping[str, str] = field(default_factory=dict)
    page: int = 1

    @classmethod
    def of(cls, parameters: Mapping[str, str]) -> Wish:
        """What an address asks for; what it cannot ask for is left out."""
        facets = {name: parameters[name][:200] for name in FACETS if parameters.get(name)}
        number = parameters.get("page", "1")
        page = int(number) if number.isascii() and number.isdecimal() and len(number) < 6 else 1
        return cls(parameters.get("q", "")[:300], facets, max(1, page))

    def query(self, **changes: str | None) -> dict[str, str]:
        """The address's parameters with changes; None takes one out."""
        parameters = {"q": self.words, **self.facets, **{"page": str(self.page)}}
        parameters.update({name: value or "" for name, value in changes.items()})
        if parameters.get("page") == "1" or ("page" not in changes and changes):
            parameters.pop("page", None)
        return {name: value for name, value in parameters.items() if value}


@dataclass(frozen=True, slots=True)
class Hits:
    """Items of one page, how many fit (`more`: there are more than counted), and the facets.

    `exact` says whether the numbers of the facets are those of the fitting items, or of all.
    """

    items: list[dict[str, Any]]
    number: int
    more: bool
    facets: dict[str, list[tuple[str, int]]]
    exact: bool


def match_text(words: str) -> str:
    """What FTS5 is asked for: every word, the last one as a beginning; nothing else is syntax.

    >>> match_text('museum "city AND')
    '"museum" "city" "AND"*'
    """
    tokens = re.findall(r"\w+", words)[:_WORDS]
    quoted = [f'"{word}"' for word in tokens]
    return " ".join(quoted) + "*" if quoted else ""


def _match(wish: Wish) -> str:
    """What FTS5 is asked for, of words and facets; empty where everything fits.

    >>> _match(Wish("city")), _match(Wish())
    ('text : ("city"*)', '')
    """
    words = match_text(wish.words)
    parts = [f"text : ({words})"] if words else []
    parts += [f'tokens : "{token(*each)}"' for each in wish.facets.items()]
    return " AND ".join(parts)


class Catalogue:
    """One index, read only; each thread has its own connection."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._local = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._remembered: dict[tuple[object, ...], Hits] = {}
        self._totals: dict[str, list[tuple[str, int]]] = {}
        for facet, value, number in self._all(
            "SELECT facet, value, number FROM facets ORDER BY facet, number DESC, value"
        ):
            self._totals.setdefault(facet, []).append((value, number))
        self.records = dict(self._totals.get("kind", ())).get("record", 0)
        self.rejects = dict(self._totals.get("kind", ())).get("reject", 0)

    def _connection(self) -> sqlite3.Connection:
        known: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if known is None or known not in self._opened:
            address = f"{self._path.resolve().as_uri()}?mode=ro&immutable=1"
            known = sqlite3.connect(address, uri=True, check_same_thread=False)
            known.execute("PRAGMA query_only = 1")
            known.execute("PRAGMA cache_size = -8192")
            self._local.connection = known
            self._opened.append(known)
        return known

    def close(self) -> None:
        """Close all connections; the next question opens one again."""
        while self._opened:
            self._opened.pop().close()

    def _all(self, text: str, values: Any = ()) -> list[Any]:
        return self._connection().execute(text, values).fetchall()

    def find(self, wish: Wish) -> Hits:
        """One page of what fits; the last ones are remembered, since an index never changes."""
        key = (wish.words, tuple(sorted(wish.facets.items())), wish.page)
        known = self._remembered.get(key)
        if known is None:
            known = self._page(wish)
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            self._remembered[key] = known
        return known

    def _page(self, wish: Wish) -> Hits:
        match = _match(wish)
        start = (wish.page - 1) * PAGE
        if not match:  # numbers have no gap
            first = list(range(start + 1, start + PAGE + 1))
            return Hits(self._items(first), self.records + self.rejects, False, self._totals, True)
        counted = f"SELECT count(*) FROM (SELECT 1 FROM texts WHERE texts MATCH ? LIMIT {MOST + 1})"
        number = self._all(counted, (match,))[0][0]
        ranked = match_text(wish.words) and number <= _RANKED
        order = "bm25(texts, 1.0, 0.0), rowid" if ranked else "rowid"
        ids = [
            row[0]
            for row in self._all(
                f"SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY {order} "
                f"LIMIT {PAGE} OFFSET {start}",
                (match,),
            )
        ]
        more, exact = number > MOST, number <= _COUNTED
        facets = self._facets(match) if exact else self._totals
        return Hits(self._items(ids), min(number, MOST), more, facets, exact)

    def _items(self, ids: Sequence[int]) -> list[dict[str, Any]]:
        """Items by their numbers, in that order; a number that is none is left out."""
        names = ("id", "kind", "key", "db", "tier", "split", "stage", "code", "title", "line")
        marks = ", ".join("?" * len(ids))
        rows = self._all(f"SELECT {', '.join(names)} FROM items WHERE id IN ({marks})", list(ids))
        items = {row[0]: dict(zip(names, row, strict=True)) for row in rows}
        return [items[number] for number in ids if number in items]

    def _facets(self, match: str) -> dict[str, list[tuple[str, int]]]:
        """How many of the fitting items have each value."""
        facets: dict[str, list[tuple[str, int]]] = {}
        for facet, value, number in self._all(
            "WITH fitting AS MATERIALIZED (SELECT rowid AS id FROM texts WHERE texts MATCH ?), "
            "counted AS MATERIALIZED (SELECT tags.facet, count(*) AS number FROM fitting "
            "CROSS JOIN tags ON tags.item = fitting.id GROUP BY 1) "
            "SELECT facets.facet, value, counted.number FROM counted "
            "JOIN facets ON facets.id = counted.facet ORDER BY 1, 3 DESC, 2",
            (match,),
        ):
            facets.setdefault(facet, []).append((value, number))
        return facets

    def item(self, key: str) -> tuple[str, dict[str, Any]] | None:
        """The kind and the whole of the record or reject of this key."""
        rows = self._all(
            "SELECT kind, body FROM items JOIN bodies USING (id) WHERE key = ?", (key,)
        )
        return (rows[0][0], unpacked(rows[0][1])) if rows else None

    def beside(self, key: str) -> tuple[str | None, str | None]:
        """The keys before and after one, in the order of the corpus."""
        rows = self._all(
            "SELECT (SELECT key FROM items AS b WHERE b.id = a.id - 1), "
            "(SELECT key FROM items AS b WHERE b.id = a.id + 1) FROM items AS a WHERE key = ?",
            (key,),
        )
        return (rows[0][0], rows[0][1]) if rows else (None, None)

    def children(self, key: str) -> list[tuple[str, str]]:
        """Keys and questions of the records that were made of this one, where that is known."""
        return self._all(
            "SELECT key, title FROM lineage JOIN items ON items.id = lineage.item "
            "WHERE parent = ? ORDER BY lineage.item LIMIT 20",
            (key,),
        )

    def total(self, facet: str) -> dict[str, int]:
        """How many items have each value of a facet."""
        return dict(self._totals.get(facet, ()))

    def compare(self, other: Path) -> dict[str, Any]:
        """Records that only one of two corpora has, and how many both have; some of each."""
        connection = sqlite3.connect(
            f"{self._path.resolve().as_uri()}?mode=ro&immutable=1", uri=True
        )
        try:
            address = f"{other.resolve().as_uri()}?mode=ro&immutable=1"
            connection.execute("ATTACH ? AS other", (address,))
            return {
                "both": connection.execute(
                    "SELECT count(*) FROM main.items AS a JOIN other.items AS b USING (key) "
                    "WHERE a.kind = 'record' AND b.kind = 'record'"
                ).fetchone()[0],
                "moved": connection.execute(
                    "SELECT a.key, a.title, a.sum <> b.sum FROM main.items AS a "
                    "JOIN other.items AS b USING (key) "
                    "WHERE a.kind = 'record' AND a.sum <> b.sum LIMIT 50"
                ).fetchall(),
                "first": _only(connection, "main", "other"),
                "second": _only(connection, "other", "main"),
            }
        finally:
            connection.close()


def _only(connection: sqlite3.Connection, one: str, other: str) -> dict[str, Any]:
    where = (
        f"FROM {one}.items AS a WHERE a.kind = 'record' AND NOT EXISTS "
        f"(SELECT 1 FROM {other}.items AS b WHERE b.key = a.key AND b.kind = 'record')"
    )
    return {
        "number": connection.execute(f"SELECT count(*) {where}").fetchone()[0],
        "items": connection.execute(
            f"SELECT a.key, a.title {where} ORDER BY a.id LIMIT 25"
        ).fetchall(),
    }
