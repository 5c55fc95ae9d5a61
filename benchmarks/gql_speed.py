"""Cypher to ISO GQL on one core: parse, bind and text, beside graphglot's transpiler in one run.

    python benchmarks/gql_speed.py QUERIES.jsonl SCHEMAS.jsonl [--count 1200] [--peer 200]

QUERIES has lines {"cypher", "database", "syntax_error"}, SCHEMAS lines {"database",
"structured_schema"}. Distinct texts without the flag are drawn by a seed; graphglot, which is
slower and takes no schema, gets the first `--peer` of them. Prints queries a second of both, how
many each has said, and the ratio.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.random_graphs import read_schemas, schema_of
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryTextError, Refused
from translators.render import render

type Query = tuple[str, str]


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("queries", type=Path)
    parser.add_argument("schemas", type=Path)
    parser.add_argument("--count", type=int, default=1200)
    parser.add_argument("--peer", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    found: dict[Query, None] = {}
    for line in options.queries.read_text("utf-8").splitlines():
        record = json.loads(line)
        if not record.get("syntax_error"):
            found[record["database"], record["cypher"]] = None
    texts = sorted(found)
    drawn = random.Random(options.seed).sample(texts, min(options.count, len(texts)))
    schemas = {n: schema_of(n, given) for n, given in read_schemas(options.schemas).items()}

    def ours(query: Query) -> bool:
        try:
            render(parse(query[1]), "gql", schemas[query[0]])
        except (Refused, QueryTextError):
            return False
        return True

    from graphglot.dialect.fullgql import FullGQL
    from graphglot.dialect.neo4j import Neo4j

    source, target = Neo4j(), FullGQL()

    def theirs(query: Query) -> bool:
        try:
            target.generate(source.parse(query[1])[0])
        except Exception:  # noqa: BLE001 # its refusals have many types
            return False
        return True

    _timed(ours, drawn[:200])  # tables and caches
    own, said = _timed(ours, drawn)
    other, peer_said = _timed(theirs, drawn[: options.peer])
    shown = {"queries_a_second": round(own), "said": said, "of": len(drawn)}
    peer = {"queries_a_second": round(other), "said": peer_said, "of": options.peer}
    print(json.dumps({"graphmill": shown, "graphglot": peer, "ratio": round(own / other, 1)}))


def _timed(say: Callable[[Query], bool], queries: Sequence[Query]) -> tuple[float, int]:
    start = time.perf_counter()
    said = sum(map(say, queries))
    return len(queries) / (time.perf_counter() - start), said


if __name__ == "__main__":
    main()
