"""The record of one row of a corpus file, with what is wrong with a row said of its fields."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, fields
from typing import Any

from graphmill.errors import GraphmillError, in_words
from graphmill.json_lines import MAX_DEPTH
from graphmill.json_places import TwiceError, depth, once
from graphmill.record import FORMAT, Answer, Certificate, Evolved, Provenance, Reading, Record

SCHEMA_TEXT, CANARY = "schema_text", "canary"
EXPORTED = (SCHEMA_TEXT, CANARY)
"""Columns that an exported corpus has besides, which say nothing of a record."""
RECORD_TEXTS = (
    "id",
    "db",
    "schema",
    "domain",
    "subdomain",
    "split",
    "difficulty",
    "question",
    "question_syntactic",
    "question_logical",
    "question_business",
    "external_knowledge",
    "source_sql",
)
_LEVELS = ("syntactic", "logical", "business")
_PARTS = ("constructs", "queries", "answer", "certificates", "discrimination", "provenance")
_OPTIONAL = ("readings", "unanswerable")  # which older files lack
COLUMNS = frozenset((*RECORD_TEXTS, *_PARTS, *_OPTIONAL, *EXPORTED))
"""All columns that a file of records may have."""


def record_of(row: Mapping[str, Any], form: int = FORMAT) -> Record:
    """The record of one row of `read_rows`, which has an id; columns that no record has are passed
    over. `form` is the corpus's format.

    Raises:
        GraphmillError: the row is no record; the message says why, but not where it stands.
    """
    try:
        if wrong := "; ".join(_wrong_fields(row)):
            raise TypeError(wrong)
        record = _record(row, form)
        if wrong := "; ".join(_wrong_values(record)):
            raise TypeError(wrong)
    except TwiceError as problem:
        what = f"in its JSON the key {problem.key[:60]!r} is there twice in one object"
        raise GraphmillError(f"The row is no record ({what}).") from None
    except RecursionError as problem:
        raise GraphmillError("The row is no record (its JSON is nested too deeply).") from problem
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise GraphmillError(f"The row is no record ({problem}).") from problem
    return record


def _wrong_fields(row: Mapping[str, Any]) -> Iterator[str]:
    """What a row lacks, has besides, or has of another kind than Parquet would hold of a record."""
    absent = [name for name in (*RECORD_TEXTS, *_PARTS) if name not in row]
    if absent:
        yield f"it has no {', '.join(absent)}"
    for name in RECORD_TEXTS:
        needed = name in ("id", "db", "schema") or name.startswith("question")
        if name in row and not (isinstance(row[name], str) or (not needed and row[name] is None)):
            yield f"{name} is no text"
    answer, discrimination = row.get("answer"), row.get("discrimination")
    yield from _wrong_part("answer", answer, Answer, may_be_none=True)
    yield from _wrong_part("provenance", row.get("provenance"), Provenance)
    provenance = row.get("provenance")
    trace = provenance.get("trace", []) if isinstance(provenance, dict) else []
    yield from _wrong_parts("provenance.trace", trace, Evolved)
    yield from _wrong_parts("certificates", row.get("certificates"), Certificate)
    if row.get("readings") is not None:
        yield from _wrong_parts("readings", row["readings"], Reading)
    queries = row.get("queries")
    texts = queries.values() if isinstance(queries, dict) else [0]
    if not all(text is None or isinstance(text, str) for text in texts):
        yield "queries is no structure of texts by language"
    if not isinstance(row.get("constructs"), list):
        yield "constructs is no list"
    for name, part, value in (
        ("answer", "sample", answer),
        ("discrimination", "detail", discrimination),
    ):
        if value is not None and not (isinstance(value, dict) and isinstance(value.get(part), str)):
            yield f"{name}.{part} is no text of JSON"
    unanswerable = row.get("unanswerable")
    if unanswerable is not None and not isinstance(unanswerable, dict):
        yield "unanswerable is no structure"


def _wrong_parts(name: str, values: object, kind: type) -> Iterator[str]:
    if not isinstance(values, list):
        yield f"{name} is no list"
        return
    faults = {what: None for value in values for what in _wrong_part(name, value, kind)}
    yield from faults


def _wrong_part(
    name: str, value: object, kind: type, *, may_be_none: bool = False
) -> Iterator[str]:
    """Fields that a structure lacks or has besides."""
    if value is None and may_be_none:
        return
    if not isinstance(value, dict):
        yield f"{name} is {'null' if value is None else 'no structure'}"
        return
    known = {each.name: each for each in fields(kind)}
    needed = [
        each.name
        for each in known.values()
        if each.default is MISSING and each.default_factory is MISSING
    ]
    yield from _listed(f"{name} has no", (each for each in needed if each not in value))
    yield from _listed(f"{name} has the unknown", (each for each in value if each not in known))


def _listed(what: str, names: Iterable[str]) -> Iterator[str]:
    if listed := list(names):
        yield f"{what} {', '.join(listed)}"


def _record(row: Mapping[str, Any], form: int) -> Record:
    """The record of a row whose fields are those of a record."""
    answer, discrimination = row["answer"], row["discrimination"]
    detail = (
        {} if discrimination is None else _value(discrimination["detail"], "discrimination.detail")
    )
    if not isinstance(detail, dict):
        raise TypeError("discrimination.detail is no object")
    return Record.from_json(
        {
            **{name: row[name] for name in RECORD_TEXTS if not name.startswith("question")},
            "questions": {
                "original": row["question"],
                **{level: row[f"question_{level}"] for level in _LEVELS},
            },
            "queries": {name: text for name, text in row["queries"].items() if text is not None},
            "answer": answer and {**answer, "sample": _value(answer["sample"], "answer.sample")},
            "discrimination": detail,
            "unanswerable": row.get("unanswerable") or {},
            "readings": row.get("readings"),
            **{name: row[name] for name in ("constructs", "certificates", "provenance")},
            "findings": (),
            "meta": {},
            "format": form,
        }
    )


def _value(text: str, column: str) -> Any:
    """JSON in a column; an older corpus has NaN and Infinity there as bare words."""
    try:
        return json.loads(text, object_pairs_hook=once)
    except ValueError as problem:
        raise ValueError(f"{column} cannot be read: {in_words(problem)}") from None


def json_in(row: Mapping[str, Any], part: str, name: str) -> Any:
    """The JSON in a field of a structure of a row of `read_rows`; None where it has none.

    Raises:
        GraphmillError: it cannot be read.
    """
    column, text = f"{part}.{name}", (row[part] or {}).get(name)
    try:
        return _value(text, column) if text else None
    except (ValueError, TypeError, TwiceError, RecursionError) as problem:
        what = problem if isinstance(problem, ValueError) else f"{column} cannot be read"
        raise GraphmillError(
            f"The record {row['id']} is damaged ({what}). `graphmill verify` says what else is."
        ) from None


def _wrong_values(record: Record) -> Iterator[str]:
    """What is of another kind than those who compare it take it for."""
    answer, apart = record.answer, record.discrimination
    instances = apart.get("instances", [])
    kinds = {
        "constructs": all(isinstance(name, str) for name in record.constructs),
        "answer.rows": answer is None or isinstance(answer.rows, int),
        "answer.columns": answer is None or all(isinstance(name, str) for name in answer.columns),
        "answer.sample": answer is None or depth(answer.sample) <= MAX_DEPTH,
        "discrimination.detail.instances": isinstance(instances, list)
        and all(isinstance(name, str) for name in instances),
        **{
            f"discrimination.detail.{name}": isinstance(counts := apart.get(name, {}), dict)
            and all(isinstance(number, int) for number in counts.values())
            for name in ("mutants", "told_apart")
        },
        **{
            f"discrimination.detail.{name}": isinstance(each := apart.get(name, []), list)
            and all(isinstance(mutant, dict) for mutant in each)
            for name in ("survivors", "equivalent")
        },
    }
    yield from _listed(
        "of another kind, or nested too deeply:",
        (name for name, right in kinds.items() if not right),
    )
