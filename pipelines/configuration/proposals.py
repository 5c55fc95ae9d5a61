"""Candidates: the (question, query) pairs that a source brings, with the line they stand on.

Read as they are published: our own {"question", "sql"} and {"question", "cypher", "parameters"},
text2cypher (`cypher`, `database`), Spider (`query`, `db_id`), BIRD (`SQL`, `evidence`, `db_id`),
and files whose `query` is in the language of the source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from graphmill.errors import ConfigError, GraphmillError, did_you_mean, shortened
from graphmill.json_lines import parse_json
from graphmill.record import Reject
from pipelines.configuration.config import Config, RelationalSource, Source
from pipelines.configuration.pair_files import read_items

type Language = Literal["sql", "cypher"]

_QUERIES: dict[str, Language] = {"sql": "sql", "SQL": "sql", "cypher": "cypher"}
_ANY = "query"  # in the source's own language
_DATABASES = ("db_id", "db", "database")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question (may be empty) with its source SQL or its Cypher.

    `knowledge` is what the source says beside the question; `parameters` are values for those of
    the query.
    """

    db: str
    line: int
    question: str
    sql: str = ""
    cypher: str = ""
    knowledge: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def query(self) -> str:
        """The text that the source brought."""
        return self.sql or self.cypher


def pairs_of(config: Config, source: Source) -> Iterator[Candidate | Reject]:
    """What the source's file of pairs holds for it; nothing where it has none.

    Raises:
        GraphmillError: the file cannot be read, has pairs of other databases only, or has items of
            which none is a pair, as a file of another kind has.
    """
    if not source.pairs:
        return iter(())
    language: Language = "sql" if isinstance(source, RelationalSource) else "cypher"
    path, names = config.path(source.pairs), config.names(source)
    return _some_good(path, read_pairs(path, config.database(source), language, names))


def _some_good(path: Path, items: Iterator[Candidate | Reject]) -> Iterator[Candidate | Reject]:
    """The same items, of which one at least must be a pair: none is passed on before there is one,
    so that who takes a few of them is told, too."""
    broken: list[Reject] = []
    for item in items:
        if isinstance(item, Candidate):
            yield from broken
            yield item
            yield from items
            return
        broken.append(item)
    if broken:
        raise ConfigError(
            f"{path} has no pair: none of its {len(broken):,} items can be read, the first "
            f"because: {broken[0].reason} "
            "Pairs are JSON lines, a JSON array, CSV with a header, or a Cypher script."
        )


def read_pairs(
    path: Path, db: str, language: Language = "sql", names: Iterable[str] = ()
) -> Iterator[Candidate | Reject]:
    """The pairs of a file for the database `db`, which the file may call by one of `names`.

    A pair of another database is passed over. An item that is no pair is a reject with its line;
    the others go on.

    Raises:
        ConfigError: the file has pairs, but none for this database.
        GraphmillError: the file cannot be read.
    """
    wanted = {name.casefold() for name in (db, *names)}
    others: dict[str, None] = {}
    has_pairs = False
    for line, raw in read_items(path):
        databases = _databases(raw)
        if databases and not wanted & {name.casefold() for name in databases}:
            others |= dict.fromkeys(databases[:1])
            continue
        has_pairs = True
        if isinstance(raw, GraphmillError):
            # the ledger travels, and says the same wherever the file lies
            yield _broken(db, line, str(raw).replace(str(path), path.name))
        else:
            yield _candidate(raw, db, line, language)
    if others and not has_pairs:
        near = did_you_mean(db, others)
        raise ConfigError(f"{path} has no pair for the database {db}.{near}")


def _databases(raw: Any) -> list[str]:
    """What the item calls its database: a name, or the file that it is."""
    if not isinstance(raw, dict):
        return []
    databases = [raw[key] for key in _DATABASES if isinstance(raw.get(key), str) and raw[key]]
    stems = [PurePosixPath(name).stem for name in databases]
    return list(dict.fromkeys([*databases, *stems]))


def _candidate(raw: Any, db: str, line: int, language: Language) -> Candidate | Reject:
    if not isinstance(raw, dict):
        return _broken(db, line, f"Line {line} is {type(raw).__name__}, not an object.")
    question = raw.get("question") or ""
    queries = {key: raw[key] for key in (*_QUERIES, _ANY) if raw.get(key)}
    if len(queries) > 1:  # what is named for its language goes before what is not
        queries.pop(_ANY, None)
    if len(queries) != 1 or not isinstance(question, str):
        keys = shortened(", ".join(map(str, raw))) or "none"
        return _broken(
            db,
            line,
            f'Line {line} needs "question" and one of "sql", "cypher", "query"; it has {keys}.',
        )
    (key, text), *_ = queries.items()
    if not isinstance(text, str):
        return _broken(db, line, f'Line {line}: "{key}" is no text.')
    parameters, knowledge = raw.get("parameters") or {}, raw.get("evidence") or ""
    if isinstance(parameters, str):
        parameters = _loaded(parameters)
    if not isinstance(parameters, dict):
        return _broken(db, line, f'Line {line}: "parameters" is an object from names to values.')
    if not isinstance(knowledge, str):
        return _broken(db, line, f'Line {line}: "evidence" is no text.')
    return Candidate(
        db,
        line,
        question.strip(),
        knowledge=knowledge.strip(),
        parameters=parameters,
        **{_QUERIES.get(key, language): text},
    )


def _loaded(text: str) -> Any:
    try:
        return parse_json(text)
    except GraphmillError:
        return None


def _broken(db: str, line: int, reason: str) -> Reject:
    return Reject("propose", "broken-line", reason, db, line=line)
