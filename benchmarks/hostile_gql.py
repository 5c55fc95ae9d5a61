"""GQL on Neo4j as it is, and as the Cypher that our reader makes of it: are the answers equal?

    python -m benchmarks.hostile_gql [--seed 2] [--show 40] [--known FILE]

Texts are those of benchmarks/hostile/reads.gql, and what `gql-neo4j` writes of reads.cypher beside
it. Neo4j runs each behind `CYPHER 25`, then the Cypher that `translate --from gql-neo4j` makes of
it. What Neo4j does not take is left out, what is not read is counted. Exits with 1 where they
differ.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from benchmarks.hostile_reads import QUERIES, Known, graph_of, queries
from engines.compare import allowed
from graph_ir.cypher.reader import parse
from graph_ir.rewrites import leaves_lists_open, probe
from graphmill.errors import QueryTextError, Refused
from schemagraph.model import SchemaGraph
from translators.language import Origin, Read, reader
from translators.render import render

OWN = QUERIES.with_suffix(".gql")


def main() -> int:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    arguments.add_argument("--seed", type=int, default=2)
    arguments.add_argument("--show", type=int, default=40)
    arguments.add_argument("--known", type=Path)
    options = arguments.parse_args()
    graph = graph_of(options.seed)
    texts = list(queries(OWN))
    for text in queries(QUERIES):
        try:
            texts.append(render(parse(text), "gql-neo4j", graph.schema).text)
        except (Refused, QueryTextError):
            continue
    read = reader("gql-neo4j", Origin(schema=graph.schema))
    states: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        known = Known(options.known, stack)
        path = graph.write(Path(folder) / f"graph-{options.seed}")
        for text in texts:
            state, why = _judged(text, read, known, path, graph.schema)
            states[state] += 1
            if state in ("differs", "not read", "not taken") and options.show:
                options.show -= 1
                print(f"{state.upper()}: {' '.join(text.split())}\n    {why}")
    print(f"{len(texts)} texts:", ", ".join(f"{s} {n}" for s, n in states.most_common()))
    return int(states["differs"] > 0)


def _judged(
    text: str, read: Read, known: Known, path: Path, schema: SchemaGraph
) -> tuple[str, str]:
    """What became of a text, and why."""
    truth = known.answer(text if text.startswith("CYPHER 25") else f"CYPHER 25 {text}", path)
    if truth.rows is None and "ero" not in truth.error and "overflow" not in truth.error:
        return "not taken", truth.error[:200]
    try:
        statement = read(text)
        cypher = render(statement, "cypher", schema).text
    except (Refused, QueryTextError) as problem:
        return "not read", str(problem).splitlines()[0]
    asked = probe(statement)
    if asked is None:
        return "open window", ""
    whole = truth
    if asked.keys or asked.limit is not None or asked.skip:
        whole = known.answer(render(asked.statement, "cypher", schema).text, path)
    answer = known.answer(cypher, path)
    if truth.rows is None or answer.rows is None:
        alike = truth.rows is None and answer.rows is None
        return ("equal" if alike else "differs"), f"{truth.error} {answer.error}\n    {cypher}"
    if whole.rows is None:
        return "differs", f"{whole.error}\n    {cypher}"
    open_lists = leaves_lists_open(statement)
    for rows in (answer.rows, truth.rows):
        verdict = allowed(rows, whole.rows, keys=asked.keys, skip=asked.skip,
                          limit=asked.limit, unordered_lists=open_lists)  # fmt: skip
        if not verdict:
            shown = " ".join(cypher.split())
            return (
                "differs",
                f"{verdict.reason} {verdict.extra[:3]} {verdict.missing[:3]}\n    {shown}",
            )
    return "equal", ""


if __name__ == "__main__":
    sys.exit(main())
