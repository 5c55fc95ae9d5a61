"""Cypher → Graph-IR → Cypher: does Neo4j accept all that it accepted before?

    python benchmarks/cypher_accepted.py QUERIES.jsonl [--sample N] [--show 5]

QUERIES has lines {"cypher"}. Every distinct text is EXPLAINed by the local Neo4j, over an empty
graph; what it accepts is parsed, printed and EXPLAINed again, and read back into an equal IR.
Prints counts; exits with 1 when our text is refused or means something else.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from pathlib import Path

from engines.isolation import IsolatedEngine
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graphmill.errors import EngineError, EngineUnavailable, GraphmillError
from translators.render import render


def main() -> int:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("queries", type=Path)
    arguments.add_argument("--sample", type=int)
    arguments.add_argument("--show", type=int, default=5)
    options = arguments.parse_args()
    records = map(json.loads, options.queries.read_text("utf-8").splitlines())
    texts = list(dict.fromkeys(record["cypher"] for record in records))
    if options.sample:
        texts = random.Random(0).sample(texts, min(options.sample, len(texts)))
    counts: Counter[str] = Counter()
    shown: list[str] = []
    with IsolatedEngine("neo4j", None, memory_mb=2048) as neo4j:
        for text in texts:
            outcome, detail = _outcome(text, neo4j)
            counts[outcome] += 1
            if detail:
                shown.append(f"{outcome}: {text}\n   {detail}")
    accepted = sum(counts.values()) - counts["refused by Neo4j"]
    print(f"texts {len(texts)}, accepted by Neo4j as they are {accepted}")
    for outcome, number in counts.most_common():
        print(f"  {number:6} {outcome}")
    print(f"accepted again {counts['accepted again'] / max(accepted, 1):.3%}")
    print("\n".join(shown[: options.show]))
    return int(counts["accepted again"] < accepted)


def _outcome(text: str, neo4j: IsolatedEngine) -> tuple[str, str]:
    problem = _refused(text, neo4j)
    if problem:
        return "refused by Neo4j", ""
    try:
        statement = parse(text)
        ours = render(statement, "cypher").text
    except GraphmillError as found:
        return "not translated", str(found)
    if bind(parse(ours)).statement != bind(statement).statement:
        return "reads back otherwise", ours
    problem = _refused(ours, neo4j)
    return ("ours is refused", f"{ours}\n   {problem}") if problem else ("accepted again", "")


def _refused(text: str, neo4j: IsolatedEngine) -> str:
    try:
        neo4j.run(f"EXPLAIN {text}", language="cypher", timeout=30)
    except EngineUnavailable:
        raise
    except EngineError as problem:
        return str(problem).splitlines()[0]
    return ""


if __name__ == "__main__":
    sys.exit(main())
