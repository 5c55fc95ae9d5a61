"""What an export adds to each row, a graph's schema as text and the canary, held against both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from generators.queries.model.context import schema_text
from graphmill.errors import GraphmillError
from graphmill.files import read_rows
from graphmill.record_rows import CANARY, SCHEMA_TEXT
from pipelines.release.hub import APART, CONFIGURATIONS
from schemagraph.folder.serde import load_schema
from schemagraph.folder.statistics import gather_statistics

_PLACES = ("data", *APART, f"{CONFIGURATIONS}/*")


def text_of_schema(folder: Path) -> str:
    """The schema of a graph's folder as each exported row has it, for a prompt."""
    schema = load_schema(folder)
    return schema_text(schema, gather_statistics(folder, schema, 0))


def exported_problems(folder: Path, lock: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Rows of an exported corpus, as its lock has a canary, with another schema or canary."""
    canary = lock.get(CANARY)
    if canary is None:
        return
    texts: dict[str, str | None] = {}
    for path in sorted(each for place in _PLACES for each in folder.glob(f"{place}/*.parquet")):
        name = path.relative_to(folder).as_posix()
        wrong: Counter[tuple[str, str]] = Counter()
        try:
            for row in read_rows(path):
                db = str(row.get("db"))
                if row.get(CANARY) != canary:
                    wrong[CANARY, "that of corpus.lock"] += 1
                if db in lock["graphs"]:
                    if db not in texts:
                        texts[db] = _text(folder / "graphs" / db)
                    if texts[db] is not None and row.get(SCHEMA_TEXT) != texts[db]:
                        wrong[SCHEMA_TEXT, f"the schema of graphs/{db}"] += 1
        except GraphmillError:
            continue  # which is told of the file
        for (column, meant), number in sorted(wrong.items()):
            yield name, column, f"In {number} of its rows `{column}` is not {meant}."


def _text(graph: Path) -> str | None:
    """None where the graph cannot be read, which is told of it."""
    try:
        return text_of_schema(graph)
    except (GraphmillError, OSError):
        return None
