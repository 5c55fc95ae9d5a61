"""Gremlin: what is said of text2cypher, taken by both parsers, and how quickly; what is read.

    python -m benchmarks.gremlin QUERIES.jsonl SCHEMAS.jsonl [--scenarios SCENARIOS.jsonl]

QUERIES has lines {"cypher", "database", "syntax_error"?}, SCHEMAS lines {"database",
"structured_schema"}; SCENARIOS lines {"traversal", "graph", "initializer", "parameters", "then"}.
Prints the share of distinct valid texts that become Gremlin, with their schemas and without, texts
a second of processor time, and texts that our check or TinkerPop's own parser rejects; then the
share of TinkerPop's scenarios that only query one of its fixed graphs which become Graph-IR.
Whether answers are equal is measured by benchmarks/agreement.py, `--runs sql,gremlin`. Exits with 1
when a text is rejected.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.random_graphs import read_schemas, schema_of
from engines.judges.process import Judge
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryTextError, Refused
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from translators.gremlin.dialect import Gremlin
from translators.gremlin.read.check import checker
from translators.gremlin.read.reader import reader
from translators.gremlin.read.steps import BEYOND, WRITES
from translators.language import Origin

_OTHER = re.compile(
    r"\b(" + "|".join(WRITES | BEYOND | {"addLabel", "dropLabel", "match"}) + ")[(]"
)
_MODERN = {"marko": 1, "vadas": 2, "lop": 3, "josh": 4, "ripple": 5, "peter": 6}


def main() -> int:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("queries", type=Path)
    arguments.add_argument("schemas", type=Path)
    arguments.add_argument("--scenarios", type=Path)
    options = arguments.parse_args()
    schemas = {name: schema_of(name, own) for name, own in read_schemas(options.schemas).items()}
    lines = [json.loads(line) for line in options.queries.read_text("utf-8").splitlines()]
    texts = dict.fromkeys(
        (line["database"], line["cypher"]) for line in lines if not line.get("syntax_error")
    )
    rejected = 0
    with Judge("gremlin", None) as judge:
        for with_schema in (True, False):
            made = _translated(list(texts), schemas if with_schema else {})
            check = checker(None)
            ours = sum(bool(check(text)) for text in made)
            theirs = sum(bool(judge.check(text)) for text in made)
            print(f"rejected by our check {ours}, by TinkerPop's parser {theirs}")
            rejected += ours + theirs
    if options.scenarios:
        _scenarios([json.loads(line) for line in options.scenarios.open(encoding="utf-8")])
    return int(bool(rejected))


def _translated(texts: list[tuple[str, str]], schemas: dict[str, SchemaGraph]) -> list[str]:
    """The Gremlin of the texts that have one; prints shares."""
    made: list[str] = []
    reasons: Counter[str] = Counter()
    valid, spent = 0, 0.0
    for database, text in texts:
        schema = schemas.get(database)
        try:
            statement = bind(parse(text), schema).statement
        except QueryTextError:
            continue
        valid += 1
        start = time.process_time()
        try:
            made.append(Gremlin(schema).generate(statement).text)
        except Refused as problem:
            reasons[problem.code] += 1
        spent += time.process_time() - start
    kind = "with schema" if schemas else "without schema"
    print(f"{kind}: {len(made)} of {valid} said ({len(made) / valid:.1%}), {valid / spent:,.0f}/s")
    print("  refused: " + ", ".join(f"{code} {n}" for code, n in reasons.most_common(12)))
    return made


def _scenarios(lines: list[dict[str, Any]]) -> None:
    """Print the share of scenarios that are read."""
    number = Type(Kind.INTEGER)
    nodes = tuple(
        NodeType((label,), (Property("id", number),), ("id",)) for label in ("person", "software")
    )
    edge = EdgeType("knows", "person", "person")
    read = reader(Origin(schema=SchemaGraph("modern", nodes, (edge,))))
    asked = list(filter(queries_only, lines))
    reasons: Counter[str] = Counter()
    for line in asked:
        try:
            read(with_values(line["traversal"], line["parameters"]))
        except (Refused, QueryTextError) as problem:
            reasons[getattr(problem, "construct", "syntax")] += 1
    known = len(asked) - reasons.total()
    print(f"scenarios that only query: {known} of {len(asked)} read ({known / len(asked):.1%})")
    print("  not read: " + ", ".join(f"{what} {n}" for what, n in reasons.most_common(12)))


def queries_only(line: dict[str, Any]) -> bool:
    """Whether a scenario only reads one of TinkerPop's fixed graphs."""
    other = _OTHER.search(line["traversal"]) or line["initializer"]
    return not other and "raise an error" not in line["then"]


def with_values(text: str, parameters: dict[str, str]) -> str:
    """A scenario's text with its numbers, texts and ids of vertices in place."""
    for name, written in parameters.items():
        value = _value(written)
        if value is not None:
            text = re.sub(rf"\b{name}\b", value.replace("\\", "\\\\"), text)
    return text


def _value(written: str) -> str | None:
    if found := re.fullmatch(r"d\[(-?[\d.]+)\]\.\w", written):
        return found[1]
    if found := re.fullmatch(r"v\[(\w+)\]\.id", written):
        return str(_MODERN.get(found[1], 0))
    if found := re.fullmatch(r"l\[(.*)\]", written):
        items = [_value(item) for item in found[1].split(",")]
        return f"[{', '.join(str(item) for item in items)}]" if None not in items else None
    return json.dumps(written) if "[" not in written else None


if __name__ == "__main__":
    sys.exit(main())
