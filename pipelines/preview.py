"""`graphmill preview`: the stages of a build on a handful of candidates, in a folder that goes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from graphmill.errors import GraphmillError
from graphmill.files import read_json_lines, read_rows
from graphmill.messages import one_line
from graphmill.record import SPLITS
from graphmill.record_rows import json_in
from pipelines.configuration.config import Config
from pipelines.configuration.progress import Watch
from pipelines.release.folder import split_file
from pipelines.run import build

_QUESTIONS = ("question", "question_syntactic", "question_logical", "question_business")
_ABOUT = ("db", "domain", "subdomain", "split", "difficulty")
_LONGEST = 300  # characters of a value


def preview(config: Config, limit: int, watch: Watch) -> Iterator[dict[str, Any]]:
    """Records of a small build, with the names and values of the fields as they are released.

    `limit` is how many given and how many grown candidates of each database are tried.

    Raises:
        GraphmillError: as `pipelines.run.build`.
    """
    with TemporaryDirectory(prefix="graphmill-preview-") as folder:
        try:
            build(config, Path(folder), watch, limit)
        except GraphmillError as problem:
            ledger = Path(folder) / "rejects.jsonl"
            if not ledger.is_file():
                raise
            lines = [row for _, row in read_json_lines(ledger) if isinstance(row, dict)]
            codes = Counter(str(row["code"]) for row in lines)
            shown = ", ".join(f"{code} {number}" for code, number in codes.most_common(5))
            raise GraphmillError(
                f"No pair was released: {shown or 'nothing was tried'}. "
                "`graphmill build` keeps the reason of each in rejects.jsonl. Of names that are no "
                "English words, a lexicon says the words (docs/lexicon.md)."
            ) from problem
        for split in SPLITS:
            file = split_file(Path(folder), split)
            yield from read_rows(file) if file.is_file() else ()


def readable(row: Mapping[str, Any]) -> str:
    """A released record as lines for people; texts are printed whole, values of answers cut."""
    lines = [f"id: {row['id']}", ", ".join(f"{name}: {row[name]}" for name in _ABOUT if row[name])]
    for name in (*_QUESTIONS, "external_knowledge"):
        if row[name]:
            lines += _field(name, str(row[name]))
    for language, text in row["queries"].items():
        if text:
            lines += _field(f"queries.{language}", text)
    if row["source_sql"]:
        lines += _field("source_sql", row["source_sql"])
    answer = row["answer"]
    if answer is not None:
        lines += _field("answer", f"{answer['rows']} rows of {', '.join(answer['columns'])}")
        for values in json_in(row, "answer", "sample") or []:
            text = json.dumps(values, ensure_ascii=False)
            lines.append(f"    {text[:_LONGEST]}{'…' if len(text) > _LONGEST else ''}")
    proven = sorted({f"{each['engine']} ({each['dialect']})" for each in row["certificates"]})
    lines += _field("certificates", ", ".join(proven))
    return "".join(f"{one_line(line)}\n" for line in lines)


def _field(name: str, text: str) -> list[str]:
    """A field on one line, or its lines below its name."""
    lines = text.splitlines() or [""]
    return (
        [f"{name}: {lines[0]}"] if len(lines) == 1 else [f"{name}:", *(f"    {x}" for x in lines)]
    )
