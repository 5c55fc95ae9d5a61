"""Random queries over the whole of Graph-IR on random graphs: do all engines agree?

    python benchmarks/agreement_fuzz.py [--seed 0] [--seconds 60] [--queries N]
        [--runs sql,cypher,gql] [--out FOUND.txt] [--show 5] [--shrink 60]

Runs are sql (DuckDB), neo4j-cypher, neo4j-gql, cypher and gql (grafeo). Every disagreement is
shrunk and printed with its graph, texts and answers; two that shrink to the same query are one.
Prints counts; exits with 1 when something disagrees.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

from graph_ir import nodes as ir
from qa.agreement import RUNS, engines_of
from qa.fuzz.search import Search, cypher


def main() -> int:
    """Search and print."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--seconds", type=float, default=60.0)
    arguments.add_argument("--queries", type=int)
    arguments.add_argument("--runs", default="sql,cypher,gql")
    arguments.add_argument("--out", type=Path)
    arguments.add_argument("--show", type=int, default=5)
    arguments.add_argument("--shrink", type=float, default=60.0)
    options = arguments.parse_args()
    runs = options.runs.split(",")
    unknown = [run for run in runs if run not in RUNS]
    if unknown:
        arguments.error(f"no run {', '.join(unknown)}; there are {', '.join(RUNS)}")
    found: dict[str, str] = {}
    end = monotonic() + options.seconds
    with tempfile.TemporaryDirectory() as folder, engines_of(runs, None) as engines:
        search = Search(engines, runs, Path(folder), shrink_seconds=options.shrink)
        for finding in search.findings(_seeds(options.seed, options.queries, end)):
            query = cypher(finding.statement)
            if query not in found and len(found) < options.show:
                print(finding.text(), end="\n\n", flush=True)
            found[query] = finding.text()
    for name, count in sorted(search.counts.items()):
        print(f"{count:7} {name}")
    missing = sorted(set(ir.NODE_CLASSES) - search.produced)
    print(f"IR nodes not drawn: {', '.join(missing)}")
    print(f"disagreements: {len(found)}")
    if options.out:
        options.out.write_text("\n\n\n".join(found.values()), encoding="utf-8")
    return int(bool(found))


def _seeds(first: int, count: int | None, end: float) -> Iterator[int]:
    for seed in itertools.count(first):
        if monotonic() > end or (count is not None and seed >= first + count):
            return
        yield seed


if __name__ == "__main__":
    sys.exit(main())
