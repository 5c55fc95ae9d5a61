"""The index of a corpus: records and rejects in one SQLite file, for facets and full text (FTS5).

It lies outside the corpus, which is never written to, and is made once for each state of its
files. Bodies are compressed JSON, so that one record is read without the file it came from; they
lie apart, so that a page of titles reads few pages of the file. Each value of a facet is a token of
the full text too: what fits words and facets is where lists of the index meet, however rare the
one and frequent the other.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from graphmill.errors import GraphmillError, naming
from graphmill.files import digest, read_json_lines
from pipelines.release.figures import asked, rows
from pipelines.release.lock import LOCK, load_lock

VERSION = 5  # of the layout; another one is made anew
_BATCH = 2_000
_TEXT = 20_000  # characters of one record that are searched
type Note = Callable[[str], None]

_LAYOUT = """
CREATE TABLE items (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL, db TEXT NOT NULL,
  tier TEXT NOT NULL, split TEXT NOT NULL, stage TEXT NOT NULL, code TEXT NOT NULL,
  title TEXT NOT NULL, line TEXT NOT NULL, sum TEXT NOT NULL);
CREATE TABLE bodies (id INTEGER PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE facets (
  id INTEGER PRIMARY KEY, facet TEXT NOT NULL, value TEXT NOT NULL, number INTEGER NOT NULL);
CREATE TABLE tags (item INTEGER, facet INTEGER, PRIMARY KEY (item, facet)) WITHOUT ROWID;
CREATE TABLE lineage (parent TEXT NOT NULL, item INTEGER NOT NULL);
CREATE VIRTUAL TABLE texts USING fts5(
  text, tokens, content='', tokenize="unicode61 remove_diacritics 2");
"""
_INDEXES = """
CREATE INDEX by_key ON items (key);
CREATE INDEX by_parent ON lineage (parent, item);
INSERT INTO texts (texts) VALUES ('optimize');
"""
COLUMNS = ("kind", "db", "tier", "split", "code")  # facets with one value an item
FACETS = (*COLUMNS, "level", "construct", "language", "maker")


@lru_cache(4096)
def token(facet: str, value: str) -> str:
    """The word that stands for a value of a facet in the full text."""
    return f"f{digest(facet, value)[:20]}"


def index_file(corpus: Path, folder: Path) -> Path:
    """The index of the corpus as it is now, in `folder`; the name holds the state of its files.

    Raises:
        GraphmillError: it is no finished corpus.
    """
    load_lock(corpus)
    state = [VERSION, str(corpus.resolve())]
    for path in (corpus / LOCK, corpus / "rejects.jsonl", *sorted(corpus.glob("data/*.parquet"))):
        about = path.stat() if path.is_file() else None
        state += [path.name, about.st_size if about else 0, about.st_mtime_ns if about else 0]
    return folder / f"{digest(state)[:24]}.sqlite"


def indexed(corpus: Path, folder: Path, note: Note) -> Path:
    """The index of a corpus, made where there is none; others of that corpus are removed by hand.

    Raises:
        GraphmillError: it is no finished corpus, a file of it is damaged, or the folder cannot be
            written to.
    """
    path = index_file(corpus, folder)
    if path.is_file():
        return path
    note(f"Indexing {corpus}")
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with naming(draft, path):
            draft.unlink(missing_ok=True)
            with closing(sqlite3.connect(draft, isolation_level=None)) as connection:
                _fill(connection, corpus, note)
            draft.replace(path)
    except (OSError, sqlite3.Error) as problem:
        raise GraphmillError(f"Cannot write the index {path}: {problem}.") from problem
    finally:
        draft.unlink(missing_ok=True)
    return path


def _fill(connection: sqlite3.Connection, corpus: Path, note: Note) -> None:
    connection.execute("PRAGMA journal_mode = OFF")  # a draft: it is whole, or it is not there
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("PRAGMA cache_size = -65536")
    connection.executescript(_LAYOUT)
    connection.execute("BEGIN")
    number = 0
    numbers: Counter[tuple[str, str]] = Counter()
    known: dict[tuple[str, str], int] = {}
    for batch in _batches(_items(corpus)):
        rows: dict[str, list[tuple[Any, ...]]] = {name: [] for name in _INSERTS}
        for item in batch:
            number += 1
            values = dict.fromkeys(item.facets)
            numbers.update(values.keys())
            tokens = " ".join(token(*each) for each in values)
            rows["items"].append((number, *item.columns))
            rows["bodies"].append((number, item.body))
            rows["tags"] += [(number, known.setdefault(each, len(known))) for each in values]
            rows["lineage"] += [(item.parent, number)] if item.parent else []
            rows["texts"].append((number, item.text[:_TEXT], tokens))
        for name, insert in _INSERTS.items():
            connection.executemany(insert, rows[name])
        if number % 20_000 == 0:
            note(f"{number:,} records and rejects")
    counted = [(known[each], *each, n) for each, n in numbers.items()]
    connection.executemany("INSERT INTO facets VALUES (?, ?, ?, ?)", counted)
    connection.execute("COMMIT")
    connection.executescript(_INDEXES)
    connection.execute("ANALYZE")
    connection.execute("PRAGMA user_version = 1")


_INSERTS = {
    "items": "INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "bodies": "INSERT INTO bodies VALUES (?, ?)",
    "tags": "INSERT INTO tags VALUES (?, ?)",
    "lineage": "INSERT INTO lineage VALUES (?, ?)",
    "texts": "INSERT INTO texts (rowid, text, tokens) VALUES (?, ?, ?)",
}


@dataclass(frozen=True, slots=True)
class Item:
    """A record or reject: the columns of `items` but for its number, its values of facets, its
    parent's key, the text that is searched, and the whole of it, packed."""

    columns: tuple[str, ...]
    facets: Sequence[tuple[str, str]]
    parent: str
    text: str
    body: bytes


def _batches(items: Iterator[Item]) -> Iterator[list[Item]]:
    while batch := list(islice(items, _BATCH)):
        yield batch


def _items(corpus: Path) -> Iterator[Item]:
    """Records, then rejects: columns, tags, and the text that is searched."""
    for row in rows(corpus):
        yield _record(row)
    for number, reject in read_json_lines(corpus / "rejects.jsonl"):
        if isinstance(reject, GraphmillError):
            raise reject
        yield _reject(number, reject)


def _record(row: dict[str, Any]) -> Item:
    texts = asked(row)
    queries = {name: text for name, text in row["queries"].items() if text}
    title = texts.get("business") or next(iter(texts.values()), "")
    line = queries.get("cypher") or next(iter(queries.values()), "")
    tags = [("level", level) for level in texts]
    tags += [("construct", name) for name in row["constructs"]]
    tags += [("language", name) for name in queries]
    tags.append(("maker", row["provenance"]["maker"] or ""))
    words = [row["id"], *texts.values(), *queries.values(), row["external_knowledge"] or ""]
    words += [row["source_sql"] or "", row["domain"] or "", row["subdomain"] or "", row["db"]]
    content = [queries, texts, row["answer"], row["external_knowledge"], row["split"]]
    columns = (
        *("record", row["id"], row["db"], row["difficulty"] or "", row["split"] or "", "", ""),
        *(title[:400], line[:400], digest(json.dumps(content, sort_keys=True))[:16]),
    )
    parent = row["provenance"]["parent"] or ""
    return Item(columns, _facets(columns, tags), parent, "\n".join(words), _packed(row))


def _reject(number: int, row: dict[str, Any]) -> Item:
    title = str(row.get("question") or row.get("reason") or "")
    line = str(row.get("query") or "")
    texts = [str(row.get(name) or "") for name in ("code", "stage", "reason", "question", "query")]
    texts.append(str(row.get("db") or ""))
    columns = (
        *("reject", f"reject-{number}", str(row.get("db") or ""), "", ""),
        *(str(row.get("stage") or ""), str(row.get("code") or "")),
        *(title[:400], line[:400], ""),
    )
    safe = tuple(map(_plain, columns))
    return Item(safe, _facets(safe), "", _plain("\n".join(texts)), _packed(row))


def _facets(
    columns: tuple[str, ...], tags: Iterable[tuple[str, str]] = ()
) -> list[tuple[str, str]]:
    """The values of facets: those of columns that have one, and tags."""
    kind, _, db, tier, split, _, code, *_ = columns
    mine = zip(COLUMNS, (kind, db, tier, split, code), strict=True)
    return [*((facet, value) for facet, value in mine if value), *tags]


def _plain(text: str) -> str:
    """A text without lone surrogates, which SQLite does not store."""
    return text.encode("utf-8", "replace").decode()


def _packed(row: dict[str, Any]) -> bytes:
    return zlib.compress(json.dumps(row, default=str).encode(), 1)


def unpacked(body: bytes) -> dict[str, Any]:
    """A record or reject, as its file has it."""
    value: dict[str, Any] = json.loads(zlib.decompress(body))
    return value
