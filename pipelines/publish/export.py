"""`graphmill export --to huggingface`: a corpus as a folder that others load, prove and describe.

The folder is a corpus still: `verify`, `serve` and `report` run on it. Beside what a corpus has,
each row carries the schema as text for a prompt, and a canary; `languages/NAME` has one row for
each query in that language; `croissant.json` and `licences.json` describe the whole.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from graphmill.errors import ConfigError, GraphmillError
from graphmill.files import (
    checked,
    copying,
    digest,
    new_folder,
    read_batches,
    read_rows,
    stored_rows,
    whole_file,
    write_text,
)
from graphmill.record import SPLITS
from graphmill.record_rows import CANARY, EXPORTED, SCHEMA_TEXT
from graphmill.regular import check_empty
from pipelines.publish.croissant import croissant
from pipelines.publish.licences import Licences, licences_of
from pipelines.release.corpus import Corpus
from pipelines.release.description import FUNNEL, Description
from pipelines.release.exported_columns import text_of_schema
from pipelines.release.folder import split_file
from pipelines.release.held import CROISSANT, LICENCES, digests, held_files
from pipelines.release.hub import APART, CONFIGURATIONS, UNANSWERABLE
from pipelines.release.ledger import LEDGER
from pipelines.release.lock import write_lock
from pipelines.release.masked import BESIDE
from pipelines.release.nearest import NEAREST
from pipelines.release.pages import write_pages
from pipelines.verification.integrity import refuse_damaged

_COPIED = ("id", "db", "domain", "subdomain", "difficulty", "constructs")
_LEVELS = ("question_business", "question_logical", "question_syntactic")


@dataclass(frozen=True, slots=True)
class Exported:
    """Where it lies, rows of each configuration, and licences."""

    folder: Path
    rows: Mapping[str, int]
    licences: Licences


def export(source: Path, out: Path) -> Exported:
    """Write the corpus in `source` to `out`, all or nothing; the lock comes last. Same corpus, same
    bytes.

    Raises:
        ConfigError: `out` is not empty, or lies in the corpus.
        GraphmillError: `source` is no finished corpus, its lock was edited, a file of it is
            damaged, or `out` cannot be written.
    """
    corpus = Corpus(source)
    refuse_damaged(corpus.folder, corpus.lock)
    check_empty(out)
    if out.resolve().is_relative_to(source.resolve()):
        raise ConfigError(f"{out} lies in the corpus itself; give another folder.")
    with new_folder(out) as draft:
        made = _export(corpus, draft)
        refuse_damaged(corpus.folder, corpus.lock)  # a build may have changed it meanwhile
    return replace(made, folder=out)


def _export(corpus: Corpus, out: Path) -> Exported:
    canary = str(uuid5(NAMESPACE_URL, digest(corpus.lock["files"], corpus.lock["graphs"])))
    try:
        _copy(corpus, out)
    except OSError as problem:
        raise GraphmillError(f"Cannot copy {corpus.folder}: {copying(problem)}.") from problem
    rows = _write_rows(corpus, out, canary)
    licences = licences_of(out, corpus.lock)
    write_text(out / LICENCES, json.dumps(licences.to_json(), indent=1, sort_keys=True) + "\n")
    lock = {**corpus.lock, "canary": canary}
    about = Description.of(out, lock)
    write_pages(out, about)
    description = croissant(out, about, licences, canary)
    write_text(out / CROISSANT, json.dumps(description, indent=1, ensure_ascii=False) + "\n")
    write_lock(out, {**lock, "files": digests(out, held_files(out, lock["graphs"]))})
    return Exported(out, rows, licences)


def _copy(corpus: Corpus, out: Path) -> None:
    """Graphs, sources, ledger and ratings; nothing hidden, nothing half-written."""
    out.mkdir(parents=True, exist_ok=True)
    for db in corpus.lock["graphs"]:
        place = corpus.folder / "graphs" / db
        if place.resolve().parent != (corpus.folder / "graphs").resolve():
            raise GraphmillError(f"corpus.lock names a graph outside of the corpus: {db}.")
        shutil.copytree(place, out / "graphs" / db, ignore=shutil.ignore_patterns(".*"))
    files = corpus.lock["files"]
    names = [name for name in files if name.startswith("sources/") or name in (*BESIDE, NEAREST)]
    names += [LEDGER, FUNNEL]
    names += [path.name for path in corpus.folder.glob("ratings*.jsonl")]
    for name in sorted(names):
        file = corpus.folder / name
        if not file.resolve().is_relative_to(corpus.folder.resolve()):
            raise GraphmillError(f"corpus.lock names a file outside of the corpus: {name}.")
        if file.is_file() or name != FUNNEL:
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, out / name)


def _write_rows(corpus: Corpus, out: Path, canary: str) -> dict[str, int]:
    """The rows of every split, with schema text and canary, and those of each language."""
    texts = {db: text_of_schema(corpus.folder / "graphs" / db) for db in corpus.lock["graphs"]}
    numbers: dict[str, int] = {}
    for split in SPLITS:
        file = split_file(corpus.folder, split)
        if file.relative_to(corpus.folder).as_posix() in corpus.lock["files"]:
            for name, number in _write_split(file, out, split, texts, canary).items():
                numbers[name] = numbers.get(name, 0) + number
        for name in APART:
            place = f"{name}/{file.name}"
            inside = (corpus.folder / place).resolve().is_relative_to(corpus.folder.resolve())
            if place in corpus.lock["files"] and inside:
                written = _write_apart(corpus.folder / place, out / place, texts, canary)
                numbers[name] = numbers.get(name, 0) + written
    return numbers


def _write_apart(file: Path, place: Path, texts: Mapping[str, str], canary: str) -> int:
    """The rows of a configuration beside the records, with schema text and canary; how many."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with stored_rows(file) as stored, whole_file(place) as stream:
        layout = _with_added(stored.schema_arrow)
        number = 0
        with pq.ParquetWriter(stream, layout, compression="zstd") as writer:
            for rows in read_batches(file, stored):
                if place.parent.name == UNANSWERABLE:  # those of the others are no records
                    rows = list(checked(file, rows, number + 1))
                for row in rows:
                    row |= {SCHEMA_TEXT: texts.get(str(row.get("db")), ""), CANARY: canary}
                writer.write_table(pa.Table.from_pylist(rows, schema=layout))
                number += len(rows)
    return number


def _write_split(
    file: Path, out: Path, split: str, texts: Mapping[str, str], canary: str
) -> dict[str, int]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    counts: dict[str, int] = {"default": 0}
    with ExitStack() as stack:
        stored = stack.enter_context(stored_rows(file))
        layout = _with_added(stored.schema_arrow)
        flat = _flat_layout()
        for _ in checked(file, islice(read_rows(file), 1)):
            pass  # the languages of a file are those of its records
        languages = [field.name for field in stored.schema_arrow.field("queries").type]
        writers: dict[str, Any] = {}

        def write(name: str, place: Path, schema: Any, rows: list[dict[str, Any]]) -> None:
            if not rows:
                return
            if name not in writers:
                stream = stack.enter_context(whole_file(place))
                writers[name] = stack.enter_context(
                    pq.ParquetWriter(stream, schema, compression="zstd")
                )
            writers[name].write_table(pa.Table.from_pylist(rows, schema=schema))
            counts[name] = counts.get(name, 0) + len(rows)

        for batch in read_batches(file, stored):
            rows = list(checked(file, batch, counts["default"] + 1))
            for row in rows:
                row |= {SCHEMA_TEXT: texts.get(row["db"], ""), CANARY: canary}
            write("default", split_file(out, split), layout, rows)
            for language in languages:
                chosen = [_flat_row(row, language) for row in rows if row["queries"][language]]
                place = out / CONFIGURATIONS / language / split_file(out, split).name
                write(language, place, flat, chosen)
    return counts


def _with_added(layout: Any) -> Any:
    """The columns of a file with those that an export adds, once each: an export has them."""
    import pyarrow as pa

    added = [pa.field(name, pa.string()) for name in EXPORTED if name not in layout.names]
    return pa.schema([*layout, *added], layout.metadata)


def _flat_layout() -> Any:
    """The columns of a language's configuration."""
    import pyarrow as pa

    text = pa.string()
    copied = [(name, pa.list_(text) if name == "constructs" else text) for name in _COPIED]
    names = ("question", *_LEVELS, "external_knowledge", SCHEMA_TEXT, "query", "language", CANARY)
    return pa.schema([*copied, *((name, text) for name in names)])


def _flat_row(row: Mapping[str, Any], language: str) -> dict[str, Any]:
    """One query; `question` is the source's own, or else the most natural that there is."""
    asked = next((row[name] for name in ("question", *_LEVELS) if row[name]), "")
    return {
        **{name: row[name] for name in (*_COPIED, *_LEVELS, "external_knowledge")},
        "question": asked,
        "query": row["queries"][language],
        "language": language,
        SCHEMA_TEXT: row[SCHEMA_TEXT],
        CANARY: row[CANARY],
    }
