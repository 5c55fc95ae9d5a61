"""Every sub-domain with few nodes: is its graph drawn, or is the least number of nodes told?

    PYTHONPATH=. python benchmarks/synthesis_small.py [--nodes 30,50,100,300] [--seeds 2]
        [--every N] [--only TEXT] [--taxonomy FOLDER]

In tables of a few rows there may be nobody at an end, no edge at all, or one value for all. A line
for each graph that is not drawn, and at the end how many are drawn, how many say the least number,
and how many fail. `--every 8` tries every eighth sub-domain. All is done in this process, which is
much faster than the command and draws the same; as there, a draw that misses a measure is repeated
with further seeds.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.synthesis_domains import draw_here
from generators.synthesis.sizes import sized
from graphmill.errors import ConfigError
from graphmill.seed import derive
from pipelines.synth.domains import Order, names, order_for_domain
from pipelines.synth.synthesis import draws_of


def outcome(order: Order) -> tuple[str, str]:
    """`drawn` or `failed`, and why or after how many draws."""
    given = sized(order.schema, order.specification, order.nodes, order.edges)
    problem = ""
    for again in range(draws_of(given)):
        seed = order.seed if not again else derive(order.seed, "draw", again) % 2**31
        try:
            report = draw_here(replace(order, seed=seed))
        except Exception as fault:  # noqa: BLE001 - of any kind: the program is what is tried
            problem = f"{type(fault).__name__}: {fault}"
            continue
        if report.ok:
            return "drawn", f"after {again + 1} draws" if again else ""
        problem = report.problem()
    return "failed", problem


def main() -> None:
    """Try all and print."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--nodes", default="30,50,100,300")
    ask.add_argument("--seeds", type=int, default=2)
    ask.add_argument("--every", type=int, default=1)
    ask.add_argument("--only", default="")
    ask.add_argument("--taxonomy", type=Path, action="append", default=[])
    given = ask.parse_args()
    start = time.perf_counter()
    tally: Counter[str] = Counter()
    tried = [name for name in names(given.taxonomy) if given.only in name][:: given.every]
    with TemporaryDirectory() as place:
        for name in tried:
            for seed in range(1, given.seeds + 1):
                for nodes in map(int, given.nodes.split(",")):
                    what = f"{name} --nodes {nodes} --seed {seed}"
                    try:
                        order = order_for_domain(
                            name,
                            Path(place) / "graph",
                            nodes=nodes,
                            seed=seed,
                            taxonomy=given.taxonomy,
                        )
                        kind, why = outcome(order)
                    except ConfigError as refusal:
                        kind = "least" if "at least" in str(refusal) else "failed"
                        why = str(refusal)
                    tally[kind] += 1
                    if why:
                        print(f"{kind}: {what}: {why}", flush=True)
    figures = {kind: tally[kind] for kind in ("drawn", "least", "failed")}
    seconds = round(time.perf_counter() - start, 1)
    print(json.dumps({"graphs": tally.total(), **figures, "seconds": seconds}))
    sys.exit(1 if tally["failed"] else 0)


if __name__ == "__main__":
    main()
