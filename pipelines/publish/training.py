"""`graphmill export --to chat|alpaca|text2gql-bench|spider`: rows that models are trained with.

A row has the prompt that the system `zero-shot` asks (rules, schema, knowledge, question) and the
query, so what is trained so is evaluated by that system as it is. Rows of train that share their
question or their query with another split are left out. With `hold_out` the queries of a split lie
in a folder beside, for a leaderboard.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from evaluation.answering.rules import language_name, rules
from evaluation.answering.schema_text import CYPHER, SCHEMA_FORMS, schema_text
from evaluation.base import FORMS, forms_asked
from evaluation.foreign import driver_record
from evaluation.metrics.text import normalised
from evaluation.prompts import prompt
from evaluation.systems.few_shot import knowledge_text
from graphmill.errors import ConfigError, GraphmillError, did_you_mean, unknown_name
from graphmill.files import new_folder, nothing_left, read_records, write_json_lines, write_text
from graphmill.record import SPLITS, Record, Split
from graphmill.regular import check_empty, check_regular
from pipelines.publish.spider import spider_tables
from pipelines.release.folder import split_file
from pipelines.release.lock import LOCK, format_of
from pipelines.verification.integrity import intact_lock, refuse_damaged
from schemagraph.folder.serde import load_schema
from schemagraph.model import SchemaGraph

type Target = Literal["chat", "alpaca", "text2gql-bench", "spider"]

TARGETS: tuple[Target, ...] = ("chat", "alpaca", "text2gql-bench", "spider")
ALL = "all"
COUNTS = "counts.json"
_PIECE = re.compile(r"\w{1,6}|[^\w\s]")
_SPIDER_FILES: Mapping[Split, str] = {"train": "train", "validation": "dev", "test": "test"}


@dataclass(frozen=True, slots=True)
class Choice:
    """What is exported: `language` of the queries, `question` a form or `all`, `knowledge` whether
    external knowledge is in prompts, `schema` its form, `hold_out` splits without their queries,
    `tokenizer` a file `tokenizer.json` that counts tokens (else they are estimated)."""

    to: Target
    language: str
    question: str = "business"
    knowledge: bool = True
    schema: str = CYPHER
    hold_out: tuple[str, ...] = ()
    tokenizer: Path | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One question with its query."""

    record: Record
    form: str
    question: str
    query: str
    schema: SchemaGraph


def export_training(source: Path, out: Path, choice: Choice) -> dict[str, Any]:
    """Write the files to `out`, all or none; returned is what `counts.json` has. Same corpus, same
    bytes.

    Raises:
        ConfigError: `out` is not empty or lies in the corpus, options contradict each other,
            or no record has a question in the form.
        UnknownNameError: there is no such form of question, schema or split, or no query in the
            language.
        GraphmillError: `source` is no finished corpus, or `out` cannot be written.
    """
    _check(source, out, choice)
    lock = intact_lock(source)
    schemas = {db: load_schema(source / "graphs" / db) for db in sorted(lock["graphs"])}
    rows = {split: list(_rows(source, split, choice, schemas, lock)) for split in SPLITS}
    if not any(rows.values()):
        raise _nothing(source, choice, lock)
    unasked = {split: _unasked(source, split, choice, lock) for split in SPLITS}
    kept, leaks = _without_leaks(rows)
    count = _counter(choice.tokenizer)
    counts: dict[str, Any] = {
        "language": choice.language,
        "question": choice.question,
        "tokens": "tokenizer" if choice.tokenizer else "estimated",
        "left_out": dict(sorted(leaks.items())),
        "without_question": {split: number for split, number in unasked.items() if number},
        "splits": {},
    }
    apart = any(kept[split] for split in SPLITS if split in choice.hold_out)
    with ExitStack() as stack:
        stack.enter_context(nothing_left(out, gold_folder(out)))
        draft = stack.enter_context(new_folder(out))
        beside = stack.enter_context(new_folder(gold_folder(out))) if apart else draft
        for split, own in kept.items():
            if not own:
                continue
            held = split in choice.hold_out
            _WRITERS[choice.to](draft, split, own, choice, held)
            counts["splits"][split] = _counted(own, choice, count)
            if held:
                gold = [{"id": row.record.id, "form": row.form, "query": row.query} for row in own]
                write_json_lines(beside / f"{split}.jsonl", gold)
        _finish(draft, kept, choice, schemas)
        write_text(draft / COUNTS, json.dumps(counts, indent=1, sort_keys=True) + "\n")
        refuse_damaged(source, lock)  # a build may have changed it meanwhile
    return counts


def _nothing(source: Path, choice: Choice, lock: dict[str, Any]) -> GraphmillError:
    """Why no record becomes a row."""
    records = list(_records(source, lock))
    having = [record for record in records if _queries(record).get(choice.language)]
    if having:
        form = "" if choice.question == ALL else f"{choice.question} "
        others = did_you_mean("", forms_asked(having))
        return ConfigError(
            f"No record of {source} with a query in {choice.language} has a {form}question."
            + (f"{others} Name one with --question." if others else "")
        )
    there = sorted({name for record in records for name in _queries(record)})
    return unknown_name("language with queries", choice.language, there)


def gold_folder(out: Path) -> Path:
    """Where the queries of splits that are held out lie: beside the export, not in it."""
    return out.with_name(f"{out.name}.gold")


def _check(source: Path, out: Path, choice: Choice) -> None:
    if choice.question not in (*FORMS, ALL):
        raise unknown_name("form of question", choice.question, (*FORMS, ALL))
    if choice.schema not in SCHEMA_FORMS:
        raise unknown_name("form of schema", choice.schema, SCHEMA_FORMS)
    for split in choice.hold_out:
        if split not in SPLITS:
            raise unknown_name("split", split, SPLITS)
    folders = (out, gold_folder(out)) if choice.hold_out else (out,)
    for folder in folders:
        check_empty(folder)
        if folder.resolve().is_relative_to(source.resolve()):
            raise ConfigError(f"{folder} lies in the corpus itself; give another folder.")


def _records(source: Path, lock: dict[str, Any]) -> Iterator[Record]:
    for split in SPLITS:
        path = split_file(source, split)
        if path.is_file():
            yield from (record for _, record in read_records(path, format_of(lock)))


def _queries(record: Record) -> dict[str, str]:
    sql = {"sql": record.source_sql} if record.source_sql else {}
    return {**record.queries, **sql}


def _rows(
    source: Path,
    split: Split,
    choice: Choice,
    schemas: Mapping[str, SchemaGraph],
    lock: dict[str, Any],
) -> Iterator[Row]:
    path = split_file(source, split)
    forms = FORMS if choice.question == ALL else (choice.question,)
    for _, record in read_records(path, format_of(lock)) if path.is_file() else ():
        if record.db not in schemas:
            raise GraphmillError(
                f"{path}: the record {record.id} is of the graph {record.db}, which {LOCK} does "
                "not have. `graphmill verify` says what else is wrong."
            )
        query = _queries(record).get(choice.language)
        if not query:
            continue
        asked = {form: getattr(record.questions, form) for form in forms}
        if choice.to == "text2gql-bench":
            yield Row(record, choice.question, record.questions.business, query, schemas[record.db])
            continue
        for form, question in asked.items():
            if question:
                yield Row(record, form, question, query, schemas[record.db])


def _unasked(source: Path, split: Split, choice: Choice, lock: dict[str, Any]) -> int:
    """How many records of a split have a query in the language and no question in the form."""
    path = split_file(source, split)
    forms = FORMS if choice.question == ALL else (choice.question,)
    return sum(
        not any(getattr(record.questions, form) for form in forms)
        for _, record in (read_records(path, format_of(lock)) if path.is_file() else ())
        if _queries(record).get(choice.language)
    )


def _without_leaks(
    rows: Mapping[Split, Sequence[Row]],
) -> tuple[dict[Split, list[Row]], Counter[str]]:
    """The rows without those of train, and of validation, that a later split has, too: the same
    question, or the same query on the same database."""
    kept: dict[Split, list[Row]] = {}
    left_out: Counter[str] = Counter()
    questions: set[str] = set()
    queries: set[tuple[str, str]] = set()
    for split in reversed(SPLITS):
        own = []
        for row in rows[split]:
            query = (row.record.db, normalised(row.query))
            if _plain(row.question) in questions or query in queries:
                left_out[split] += 1
            else:
                own.append(row)
        questions |= {_plain(row.question) for row in rows[split]}
        queries |= {(row.record.db, normalised(row.query)) for row in rows[split]}
        kept[split] = own
    return {split: kept[split] for split in SPLITS}, left_out


def _plain(question: str) -> str:
    return " ".join(re.findall(r"\w+", question.casefold()))


# --- rows -----------------------------------------------------------------------------------


def _messages(row: Row, choice: Choice) -> list[dict[str, str]]:
    rendered = prompt("shots").render(
        language=language_name(choice.language),
        rules=rules(choice.language),
        schema=schema_text(row.schema, choice.schema),
        shots="",
        knowledge=knowledge_text(row.record.external_knowledge if choice.knowledge else ""),
        question=row.question,
    )
    return [{"role": message.role, "content": _tidy(message.text)} for message in rendered]


def _tidy(text: str) -> str:
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _chat(out: Path, split: Split, rows: Sequence[Row], choice: Choice, held: bool) -> None:
    lines = []
    for row in rows:
        messages = _messages(row, choice)
        if not held:
            messages.append({"role": "assistant", "content": row.query})
        lines.append({"id": row.record.id, "db": row.record.db, "messages": messages})
    write_json_lines(out / f"{split}.jsonl", lines)


def _alpaca(out: Path, split: Split, rows: Sequence[Row], choice: Choice, held: bool) -> None:
    lines = []
    for row in rows:
        system, user = (message["content"] for message in _messages(row, choice))
        output = {} if held else {"output": row.query}
        lines.append({"id": row.record.id, "instruction": system, "input": user, **output})
    _write_list(out / f"{split}.json", lines)


def _bench(out: Path, split: Split, rows: Sequence[Row], choice: Choice, held: bool) -> None:
    lines = []
    for row in rows:
        asked = row.record.questions
        line = json.loads(
            driver_record(
                {
                    "id": row.record.id,
                    "db": row.record.db,
                    "question": asked.original,
                    "question_syntactic": asked.syntactic,
                    "question_logical": asked.logical,
                    "question_business": asked.business,
                    "queries": {} if held else {choice.language: row.query},
                    "external_knowledge": row.record.external_knowledge,
                    "difficulty": row.record.difficulty,
                    "provenance": {"source": row.record.provenance.source},
                },
                choice.language,
            )
        )
        lines.append(line)
    _write_list(out / f"{split}.json", lines)


def _spider(out: Path, split: Split, rows: Sequence[Row], choice: Choice, held: bool) -> None:
    name = _SPIDER_FILES[split]
    lines = []
    for row in rows:
        line = {"db_id": row.record.db, "question": row.question, "id": row.record.id}
        if choice.knowledge:
            line["evidence"] = row.record.external_knowledge
        if not held:
            line["query"] = row.query
        lines.append({**line, "hardness": (row.record.difficulty or "").replace("_", " ")})
    _write_list(out / f"{name}.json", lines)
    if not held:
        gold = [f"{' '.join(row.query.split())}\t{row.record.db}" for row in rows]
        write_text(out / f"{name}_gold.txt", "\n".join(gold) + "\n")


type Writer = Callable[[Path, Split, Sequence[Row], Choice, bool], None]

_WRITERS: Mapping[Target, Writer] = {
    "chat": _chat,
    "alpaca": _alpaca,
    "text2gql-bench": _bench,
    "spider": _spider,
}


def _finish(
    out: Path,
    kept: Mapping[Split, Sequence[Row]],
    choice: Choice,
    schemas: Mapping[str, SchemaGraph],
) -> None:
    """Files beside the rows: what LLaMA-Factory reads of them; the tables of Spider."""
    if choice.to == "alpaca":
        columns = {"prompt": "input", "response": "output", "system": "instruction"}
        about = {
            split: {"file_name": f"{split}.json", "columns": columns}
            for split, rows in kept.items()
            if rows and split not in choice.hold_out
        }
        write_text(out / "dataset_info.json", json.dumps(about, indent=1) + "\n")
    if choice.to == "spider":
        used = sorted({row.record.db for rows in kept.values() for row in rows})
        _write_list(out / "tables.json", [spider_tables(db, schemas[db]) for db in used])


def _write_list(path: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    body = ",\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    write_text(path, f"[\n{body}\n]\n")


# --- tokens ---------------------------------------------------------------------------------


def _counter(path: Path | None) -> Callable[[str], int]:
    """What counts tokens: a tokeniser, else an estimate (words in pieces of six letters, signs)."""
    if path is None:
        return lambda text: len(_PIECE.findall(text))
    try:
        from tokenizers import Tokenizer
    except ImportError as problem:
        raise ConfigError(
            "Counting with a tokeniser needs tokenizers: pip install 'graphmill[embeddings]'."
        ) from problem
    check_regular(path)
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as problem:  # the library raises nothing narrower
        raise GraphmillError(f"{path} is no tokenizer.json: {problem}") from problem
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


def _counted(rows: Sequence[Row], choice: Choice, count: Callable[[str], int]) -> dict[str, Any]:
    """Rows, databases and the tokens of prompts and queries of a split."""
    prompts = sorted(sum(count(m["content"]) for m in _messages(row, choice)) for row in rows)
    queries = sorted(count(row.query) for row in rows)
    return {
        "rows": len(rows),
        "databases": len({row.record.db for row in rows}),
        "prompt_tokens": _spread(prompts),
        "query_tokens": _spread(queries),
    }


def _spread(numbers: Sequence[int]) -> dict[str, float]:
    return {
        "mean": round(sum(numbers) / len(numbers), 1),
        "p95": numbers[min(len(numbers) - 1, int(0.95 * len(numbers)))],
        "most": numbers[-1],
        "sum": sum(numbers),
    }
