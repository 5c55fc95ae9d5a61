"""Texts a second of processor time, one core: read as GQL, and written in each language.

    python -m benchmarks.language_speed QUERIES.jsonl SCHEMAS.jsonl [--sample 400] [--to gql,sparql]
    python -m benchmarks.language_speed … --profile gql-read

QUERIES has lines {"cypher", "database", "syntax_error"}, SCHEMAS lines {"database",
"structured_schema"}. A sample of the distinct texts is drawn by a seed; each measure takes
processor time, is warmed by other texts first, and is shown with the pace of the processor in the
same second (`benchmarks/pace.py`), which other work beside changes by half and more. "at 40 ms" is
the figure scaled to a quiet machine's pace. `--profile` prints where the time of one measure goes.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.pace import pace
from benchmarks.random_graphs import read_schemas, schema_of
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryTextError, Refused
from schemagraph.model import SchemaGraph
from translators.language import Origin, reader
from translators.render import render

QUIET = 40.0
"""Milliseconds of `pace()` on a machine with nothing beside."""
LANGUAGES = ("gql", "spanner", "pgq", "cypher-ladybug", "ngql", "sparql", "gremlin", "sql")

type Text = tuple[str, SchemaGraph]


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("queries", type=Path)
    arguments.add_argument("schemas", type=Path)
    arguments.add_argument("--sample", type=int, default=400)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--to", default=",".join(("gql-read", *LANGUAGES)))
    arguments.add_argument("--profile", default="")
    options = arguments.parse_args()
    schemas = {n: schema_of(n, each) for n, each in read_schemas(options.schemas).items()}
    distinct: dict[tuple[str, str], None] = {}
    for line in options.queries.read_text("utf-8").splitlines():
        record = json.loads(line)
        if not record.get("syntax_error"):
            distinct[record["cypher"], record["database"]] = None
    drawn = random.Random(options.seed).sample(sorted(distinct), min(2 * options.sample, 2000))
    texts = [(query, schemas[database]) for query, database in drawn]
    names = (options.profile or options.to).split(",")
    gql = [(text, schema) for query, schema in texts if (text := _gql(query, schema))]
    for name in names:
        given = gql if name == "gql-read" else texts
        work = _read if name == "gql-read" else _writer(name)
        half = len(given) // 2
        _timed(work, given[half:])
        if options.profile:
            with cProfile.Profile() as profile:
                _timed(work, given[:half])
            pstats.Stats(profile).sort_stats("tottime").print_stats(45)
            continue
        before = pace()
        spent, said = _timed(work, given[:half])
        beside = (before + pace()) / 2
        rate = half / spent
        print(
            f"{name}: {rate:,.0f} texts a second, said {said} of {half}, pace {beside:.0f} ms,"
            f" at {QUIET:.0f} ms {rate * beside / QUIET:,.0f}",
            flush=True,
        )


def _gql(query: str, schema: SchemaGraph) -> str:
    try:
        return render(parse(query), "gql", schema).text
    except (QueryTextError, Refused):
        return ""


def _read(text: Text) -> bool:
    reader("gql", Origin(schema=text[1]))(text[0])
    return True


def _writer(language: str) -> Callable[[Text], bool]:
    def written(text: Text) -> bool:
        try:
            render(parse(text[0]), language, text[1])
        except (QueryTextError, Refused):
            return False
        return True

    return written


def _timed(work: Callable[[Text], bool], texts: Sequence[Text]) -> tuple[float, int]:
    start = time.process_time()
    said = sum(map(work, texts))
    return time.process_time() - start, said


if __name__ == "__main__":
    main()
