"""How much of a set of Cypher queries is said in ISO GQL, and is valid there.

    python benchmarks/gql_validity.py QUERIES.jsonl SCHEMAS.jsonl [--only DB] [--limit N]
        [--flagged] [--out RESULTS.jsonl] [--show 5]

QUERIES has lines {"cypher", "database", "syntax_error"}, SCHEMAS lines {"database",
"structured_schema"}. Every distinct text without the flag is parsed, bound and rendered as strict
GQL, which graphglot's parser judges. Prints shares and refusals by code. Exits with 1 when a text
is invalid, or lacks a label, type or constant. That it means the same is `agreement.py`'s matter.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.random_graphs import read_schemas, schema_of
from benchmarks.words import lost
from engines.judges.gql import check
from graph_ir import nodes as ir
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryTextError, Refused
from translators.render import render


@dataclass
class Outcome:
    """One query: its GQL, or why there is none."""

    database: str
    cypher: str
    state: str = "translated"
    code: str = ""
    gql: str = ""
    invalid: str = ""
    lost: str = ""


def main() -> int:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("queries", type=Path)
    arguments.add_argument("schemas", type=Path)
    arguments.add_argument("--only", action="append", default=[])
    arguments.add_argument("--limit", type=int)
    arguments.add_argument("--flagged", action="store_true", help="those a Neo4j refused instead")
    arguments.add_argument("--out", type=Path)
    arguments.add_argument("--show", type=int, default=5)
    arguments.add_argument("--no-check", action="store_true")
    options = arguments.parse_args()
    texts: dict[str, dict[str, None]] = defaultdict(dict)
    for line in options.queries.read_text("utf-8").splitlines():
        record = json.loads(line)
        wanted = not options.only or record["database"] in options.only
        if wanted and bool(record.get("syntax_error")) == options.flagged:
            texts[record["database"]][record["cypher"]] = None
    schemas = read_schemas(options.schemas)
    outcomes: list[Outcome] = []
    for database, found in sorted(texts.items()):
        kept = list(found)[: options.limit]
        outcomes += _database(options, database, kept, schemas[database])
    if options.out:
        lines = (json.dumps(vars(outcome)) for outcome in outcomes)
        options.out.write_text("".join(f"{line}\n" for line in lines))
    return _report(outcomes, options.show)


def _database(
    options: argparse.Namespace, database: str, texts: list[str], found: dict[str, object]
) -> Iterator[Outcome]:
    schema = schema_of(database, found)
    done: list[tuple[Outcome, ir.Statement]] = []
    start = time.perf_counter()
    for text in texts:
        outcome = Outcome(database, text)
        try:
            statement = parse(text)
            done.append((outcome, statement))
            outcome.gql = render(statement, "gql", schema).text
        except QueryTextError as problem:
            outcome.state, outcome.code = "error", problem.code
            outcome.invalid = str(problem)
        except Refused as problem:
            outcome.state, outcome.code = "refused", problem.code
        if outcome.state != "translated":
            yield outcome
    spent = time.perf_counter() - start
    print(f"{database}: {len(texts)} queries, {len(texts) / spent:.0f}/s", flush=True)
    translated = [pair for pair in done if pair[0].state == "translated"]
    if not options.no_check:
        for outcome, statement in translated:
            outcome.invalid = "; ".join(d.message for d in check(outcome.gql))
            outcome.lost = ", ".join(lost(statement, outcome.gql))
    yield from (outcome for outcome, _ in translated)


def _report(outcomes: list[Outcome], show: int) -> int:
    total = len(outcomes)
    states = Counter(outcome.state for outcome in outcomes)
    invalid = [o for o in outcomes if o.state == "translated" and o.invalid]
    print(f"queries {total}", *(f"{state} {n} ({n / total:.2%})" for state, n in states.items()))
    poorer = [o for o in outcomes if o.lost]
    print(f"invalid {len(invalid)}, without a label, type or constant {len(poorer)}")
    for state in ("refused", "error"):
        codes = Counter(o.code for o in outcomes if o.state == state)
        print(state, ", ".join(f"{code} {n}" for code, n in codes.most_common()))
    for outcome in invalid[:show]:
        print("INVALID", outcome.cypher, "\n ", outcome.gql, "\n ", outcome.invalid)
    for outcome in poorer[:show]:
        print("LOST", outcome.lost, "\n ", outcome.cypher, "\n ", outcome.gql)
    return int(bool(invalid or poorer))


if __name__ == "__main__":
    raise SystemExit(main())
