"""Benchmarks of others, read as they are: their gold queries, without a graph to run them on.

| file | is told by | id, question, gold |
|---|---|---|
| text2cypher (Neo4j) | `cypher` and `question` | `instance_id`, `question`, `cypher` |
| CypherBench | `gold_cypher` | `qid`, `nl_question`, `gold_cypher` |
| StockGQL | `GQL` and `Query` | `Qid`, `Query`, `GQL` |
| SpCQL | `cypher` and `query` | its number, `query`, `cypher` |
| the driver of Text2GQL-Bench | `initial_gql` | `id`, `initial_question`, `initial_gql` |

A file is a JSON list, JSON lines, CSV or Parquet. An id that is missing is the record's number,
from 1.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphmill.errors import GraphmillError, SourceError
from graphmill.files import read_json_lines, read_rows
from graphmill.json_lines import parse_json
from graphmill.regular import check_regular


@dataclass(frozen=True, slots=True)
class Form:
    """How one benchmark calls what we need."""

    name: str
    language: str
    id: str
    question: str
    gold: str
    database: str
    difficulty: str = ""


FORMS = (
    Form("cypherbench", "cypher", "qid", "nl_question", "gold_cypher", "graph"),
    Form("stockgql", "ngql", "Qid", "Query", "GQL", ""),
    Form(
        "text2gql-bench", "gql", "id", "initial_question", "initial_gql", "database", "difficulty"
    ),
    Form("text2cypher", "cypher", "instance_id", "question", "cypher", "database_reference_alias"),
    Form("spcql", "cypher", "id", "query", "cypher", ""),
)
"""The first whose question and gold a record has is its form."""


@dataclass(frozen=True, slots=True)
class Item:
    """One record of a benchmark."""

    id: str
    db: str
    question: str
    gold: str
    difficulty: str = ""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """The records of a file, in one language."""

    name: str
    language: str
    items: tuple[Item, ...]


def load_benchmark(path: Path) -> Benchmark:
    """Read a benchmark's file.

    Raises:
        SourceError: it cannot be read, or is in no form that is known.
    """
    rows = list(_rows(path))
    if not rows:
        raise SourceError(f"{path} has no records.")
    form = _form(path, rows[0])
    items = []
    known: set[str] = set()
    for number, row in enumerate(rows, 1):
        item = _item(path, number, row, form)
        if item.id in known:
            raise SourceError(f"{path}, record {number}: the id {item.id[:40]} is there twice.")
        known.add(item.id)
        items.append(item)
    return Benchmark(form.name, form.language, tuple(items))


def _form(path: Path, row: Mapping[str, Any]) -> Form:
    for form in FORMS:
        if form.question in row and form.gold in row:
            return form
    there = ", ".join(sorted(map(str, row))[:12])
    wanted = "; ".join(f"{f.name}: {f.question}, {f.gold}" for f in FORMS)
    raise SourceError(f"{path} has records with {there}. Known are {wanted}.")


def _item(path: Path, number: int, row: Mapping[str, Any], form: Form) -> Item:
    question, gold = row.get(form.question), row.get(form.gold)
    if not isinstance(question, str) or not isinstance(gold, str):
        raise SourceError(
            f"{path}, record {number}: {form.question} and {form.gold} are to be texts."
        )
    id = row.get(form.id)
    database = row.get(form.database) if form.database else None
    difficulty = row.get(form.difficulty) if form.difficulty else None
    return Item(
        str(number) if id is None else str(id),
        str(database or "unknown"),
        question,
        gold,
        str(difficulty or ""),
    )


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    try:
        if path.suffix == ".parquet":
            rows: Iterable[Any] = read_rows(path)
        elif path.suffix == ".csv":
            rows = _csv(path)
        elif path.suffix == ".json":
            rows = _json(path)
        else:
            rows = _lines(path)
        for number, row in enumerate(rows, 1):
            if not isinstance(row, dict):
                raise SourceError(f"{path}, record {number}, is no object.")
            yield row
    except SourceError:
        raise
    except GraphmillError as problem:
        raise SourceError(f"Cannot read {path}: {problem}") from problem
    except (OSError, UnicodeDecodeError, csv.Error) as problem:
        raise SourceError(f"Cannot read {path}: {problem}.") from problem


def _json(path: Path) -> Iterable[Any]:
    check_regular(path)
    value = parse_json(path.read_text(encoding="utf-8-sig"))
    if isinstance(value, list):
        return value
    raise SourceError(f"{path} is no list of records.")


def _lines(path: Path) -> Iterator[Any]:
    for _, value in read_json_lines(path):
        if isinstance(value, GraphmillError):
            raise value
        yield value


def _csv(path: Path) -> Iterator[Any]:
    check_regular(path)
    with path.open(encoding="utf-8-sig", newline="") as stream:
        yield from csv.DictReader(stream)


def driver_record(record: Mapping[str, Any], language: str) -> str:
    """A released record as the reference's driver has it, one line of JSON (TB-L1)."""
    queries = record["queries"] or {}
    return json.dumps(
        {
            "id": record["id"],
            "database": record["db"],
            "initial_question": record["question"],
            "initial_gql": queries.get(language) or "",
            "level_1": record["question_syntactic"],
            "level_2": record["question_logical"],
            "level_3": record["question_business"],
            "level_4": record["question"],
            "external_knowledge": record["external_knowledge"],
            "difficulty": record["difficulty"],
            "source": record["provenance"]["source"],
        },
        ensure_ascii=False,
    )
