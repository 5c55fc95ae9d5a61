"""How the Cypher front end and the checker fare on a set of queries.

    python benchmarks/cypher_front_end.py QUERIES.jsonl [--schemas SCHEMAS.jsonl] [--show 5]

QUERIES has lines {"cypher" or "query"}, optionally with "database" and "syntax_error" (a real
server refused it), or scenarios of the openCypher TCK ({"steps"}). SCHEMAS has lines {"database",
"structured_schema"}. Every distinct text is parsed, checked (against its schema where there is
one), printed as Cypher and read back. Prints one JSON line: shares of valid texts that are parsed
and accepted, of invalid ones that are refused, what the checker found by code, texts whose round
trip is not equal, and speeds on one core. Exits with 1 when a valid text is not parsed or a round
trip is not equal.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.random_graphs import read_schemas, schema_of
from graph_ir.bind.statements import TOLERATED, bind
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryTextError
from schemagraph.model import SchemaGraph
from translators.cypher.dialect import Cypher


@dataclass(frozen=True)
class Text:
    """One query, the database it is for, and whether it is valid (None: fails at run time)."""

    cypher: str
    database: str
    valid: bool | None


def texts(path: Path) -> list[Text]:
    """The distinct texts of a file."""
    found: dict[Text, None] = {}
    for line in path.read_text("utf-8").splitlines():
        record = json.loads(line)
        found |= dict.fromkeys(_scenario(record) if "steps" in record else [_plain(record)])
    return list(found)


def _plain(record: dict[str, Any]) -> Text:
    text = record.get("cypher") or record["query"]
    return Text(text, record.get("database", ""), not record.get("syntax_error", False))


def _scenario(record: dict[str, Any]) -> Iterator[Text]:
    steps = record["steps"]
    raised = " ".join(step["text"] for step in steps if "should be raised" in step["text"])
    for step in steps:
        if step["text"] == "executing query:":
            valid = False if "compile time" in raised else None if raised else True
            yield Text(step["doc"], "", valid)
        elif step["text"] in ("having executed:", "executing control query:"):
            yield Text(step["doc"], "", True)


def main() -> int:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("queries", type=Path)
    arguments.add_argument("--schemas", type=Path)
    arguments.add_argument("--show", type=int, default=0, help="this many failures of each sort")
    options = arguments.parse_args()
    schemas = {}
    if options.schemas:
        schemas = {db: schema_of(db, s) for db, s in read_schemas(options.schemas).items()}
    found = texts(options.queries)
    result, failures = _judge(found, schemas)
    result["speed"] = _speeds([t for t in found if t.valid], schemas)
    print(json.dumps(result))
    for kind, each in failures.items():
        for text, why in each[: options.show]:
            print(f"--- {kind}\n{text.cypher}\n>>> {why}", file=sys.stderr)
    return 1 if failures["not parsed"] or failures["round trip"] else 0


type Failures = dict[str, list[tuple[Text, str]]]


def _judge(found: list[Text], schemas: dict[str, SchemaGraph]) -> tuple[dict[str, Any], Failures]:
    counts: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    kinds = ("not parsed", "round trip", "valid, yet an error", "invalid, yet accepted")
    failures: Failures = {kind: [] for kind in kinds}
    for text in found:
        sort = {True: "valid", False: "invalid", None: "run time"}[text.valid]
        counts[sort] += 1
        try:
            statement = parse(text.cypher)
        except QueryTextError as problem:
            counts[f"{sort}, not parsed"] += 1
            if text.valid is not False:
                failures["not parsed"].append((text, str(problem)))
            continue
        printed = Cypher().generate(statement).text
        if parse(printed) != statement:
            failures["round trip"].append((text, printed))
        errors = bind(statement, schemas.get(text.database)).errors
        wrong = [error for error in errors if error.code not in TOLERATED]
        if errors:
            counts[f"{sort}, error"] += 1
            codes[f"{sort}: {errors[0].code}"] += 1
        if wrong:
            counts[f"{sort}, refused by render"] += 1
        if wrong and text.valid:
            failures["valid, yet an error"].append((text, wrong[0].message))
        if not errors and text.valid is False:
            failures["invalid, yet accepted"].append((text, ""))
    refused = counts["invalid, not parsed"] + counts["invalid, error"]
    shares = {
        "parsed": _share(counts["valid"] - counts["valid, not parsed"], counts["valid"]),
        "accepted": _share(
            counts["valid"] - counts["valid, not parsed"] - counts["valid, refused by render"],
            counts["valid"],
        ),
        "refused": _share(refused, counts["invalid"]),
        "different round trips": len(failures["round trip"]),
    }
    return {**shares, "counts": dict(counts), "errors": dict(codes.most_common())}, failures


def _share(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 2) if whole else None


def _speeds(found: list[Text], schemas: dict[str, SchemaGraph]) -> dict[str, int]:
    """Queries a second of processor time, each step with those before it."""
    dialect = Cypher()
    steps: dict[str, Callable[[Text], object]] = {
        "parse": lambda t: parse(t.cypher),
        "parse, check": lambda t: bind(parse(t.cypher), schemas.get(t.database)),
        "parse, check, print": lambda t: dialect.generate(
            bind(parse(t.cypher), schemas.get(t.database)).statement
        ),
    }
    return {name: _speed(found, step) for name, step in steps.items()}


def _speed(found: list[Text], step: Callable[[Text], object]) -> int:
    start, done = time.process_time(), 0
    for text in found:
        try:
            step(text)
        except QueryTextError:
            continue
        done += 1
    return round(done / max(time.process_time() - start, 1e-9))


if __name__ == "__main__":
    sys.exit(main())
