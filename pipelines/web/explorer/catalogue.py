"""Questions to the index of a corpus: which items fit, how many, and one of them whole."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipelines.web.explorer.index import COLUMNS, TAGS, unpacked

PAGE = 25  # items of a page
MOST = 10_000  # fitting items that are counted; of more it is said that there are more
_COUNTED = 1_000  # fitting items up to which facets are counted among them
_RANKED = 2_000  # up to which the best come first
_REMEMBERED = 128  # pages
_WORDS = 12  # of a search
FACETS = (*COLUMNS, *TAGS)


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


class Catalogue:
    """One index, read only; each thread has its own connection."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._local = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._remembered: dict[tuple[object, ...], Hits] = {}
        self._totals: dict[str, list[tuple[str, int]]] = {}
        for facet, value, number in self._all(
            "SELECT facet, value, number FROM totals ORDER BY facet, number DESC, value"
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
            known = self._found(wish)
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            self._remembered[key] = known
        return known

    def _found(self, wish: Wish) -> Hits:
        where, values, searched = self._where(wish)
        source = "items" if not searched else "texts JOIN items ON items.id = texts.rowid"
        counted = f"SELECT count(*) FROM (SELECT 1 FROM {source} WHERE {where} LIMIT {MOST + 1})"
        if not wish.facets and not searched:
            number = self.records + self.rejects
        else:
            number = self._all(counted, values)[0][0]
        ranked = searched and number <= _RANKED
        order = "rank, items.id" if ranked else ("texts.rowid" if searched else "items.id")
        start = (wish.page - 1) * PAGE
        rows = self._all(
            "SELECT items.id, kind, key, db, tier, split, stage, code, title, line "
            f"FROM {source} WHERE {where} ORDER BY {order} LIMIT {PAGE} OFFSET {start}",
            values,
        )
        names = ("id", "kind", "key", "db", "tier", "split", "stage", "code", "title", "line")
        items = [dict(zip(names, row, strict=True)) for row in rows]
        exact = number <= _COUNTED
        whole = not wish.facets and not searched
        more = number > MOST and not whole
        facets = self._totals if whole or not exact else self._facets(source, where, values)
        return Hits(items, min(number, MOST) if more else number, more, facets, exact or whole)

    def _where(self, wish: Wish) -> tuple[str, list[Any], bool]:
        parts: list[str] = []
        values: list[Any] = []
        text = match_text(wish.words)
        if text:
            parts.append("texts MATCH ?")
            values.append(text)
        for name, value in wish.facets.items():
            if name in COLUMNS:
                parts.append(f"items.{name} = ?")
                values.append(value)
            else:
                parts.append(
                    "EXISTS (SELECT 1 FROM tags WHERE facet = ? AND value = ? AND item = items.id)"
                )
                values += [name, value]
        return " AND ".join(parts) or "1", values, bool(text)

    def _facets(
        self, source: str, where: str, values: list[Any]
    ) -> dict[str, list[tuple[str, int]]]:
        """How many of the fitting items have each value."""
        fitting = f"SELECT items.id FROM {source} WHERE {where}"
        facets: dict[str, list[tuple[str, int]]] = {}
        for name in COLUMNS:
            facets[name] = self._all(
                f"SELECT {name}, count(*) FROM items WHERE id IN ({fitting}) AND {name} <> '' "
                "GROUP BY 1 ORDER BY 2 DESC, 1",
                values,
            )
        for facet, value, number in self._all(
            f"SELECT facet, value, count(*) FROM ({fitting}) AS fit "
            "CROSS JOIN tags INDEXED BY by_item ON tags.item = fit.id "
            "GROUP BY 1, 2 ORDER BY 1, 3 DESC, 2",
            values,
        ):
            if facet in TAGS:
                facets.setdefault(facet, []).append((value, number))
        return facets

    def item(self, key: str) -> tuple[str, dict[str, Any]] | None:
        """The kind and the whole of the record or reject of this key."""
        rows = self._all("SELECT kind, body FROM items WHERE key = ?", (key,))
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
            "SELECT key, title FROM tags JOIN items ON items.id = tags.item "
            "WHERE facet = 'parent' AND value = ? ORDER BY items.id LIMIT 20",
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
