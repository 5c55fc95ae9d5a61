"""Every sub-domain, several seeds and levels: do all graphs pass, and do schemas differ?

    PYTHONPATH=. python benchmarks/synthesis_domains.py [--seeds 3] [--levels 2,4] [--nodes 2000]
        [--only TEXT] [--sandbox] [--taxonomy FOLDER]

For each: the schema by rule, the program, the graph, its verification. Prints a line for each
graph that fails the first time, and at the end how many passed, integrity violations, and pairs of
schemas that are alike in structure (the same graph of types) or in vocabulary (the same names).
Without `--sandbox`, programs run in this process, which is as good for right ones and much faster.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from generators.synthesis.sizes import sized
from generators.synthesis.writer import write_program
from graphmill.errors import GraphmillError
from pipelines.synth.domains import Order, names, order_for_domain
from qa.synthesis import Report, verify_graph
from schemagraph.folder.intake import check_intake, take_in
from schemagraph.folder.writer import GraphWriter
from schemagraph.model import SchemaGraph
from schemagraph.specification.check import check_synthesis
from schemagraph.specification.model import specification_to_json

INTEGRITY = ("edges without their", "keys that come again", "rows without", "several edges")


def draw_here(order: Order) -> Report:
    """The graph of an order, drawn in this process, and its measures."""
    found = check_synthesis(order.schema, order.specification)
    given = sized(order.schema, order.specification, order.nodes, order.edges)
    found += check_synthesis(order.schema, given)
    wrong = [finding.message for finding in found if finding.severity == "error"]
    if wrong:
        raise GraphmillError("; ".join(wrong))
    space: dict[str, Any] = {"__name__": "program"}
    exec(compile(write_program(order.schema, given), "program.py", "exec"), space)
    with TemporaryDirectory() as place, GraphWriter(order.out) as writer:
        drawn = Path(place)
        spec = specification_to_json(given, complete=True)
        space["generate"](spec, np.random.default_rng(order.seed), drawn)
        counts = {n: part.count or 0 for n, part in given.nodes.items()}
        counts |= {n: part.count or 0 for n, part in given.edges.items()}
        problems = check_intake(drawn, order.schema, counts)
        if problems:
            raise GraphmillError("; ".join(finding.message for finding in problems))
        take_in(drawn, order.schema, writer)
        return verify_graph(writer.folder, order.schema, given)


def structure(schema: SchemaGraph) -> str:
    """The graph of types without names: a canonical text of degrees, loops and neighbours."""
    import networkx as nx

    graph: Any = nx.MultiDiGraph()
    for node in schema.nodes:
        kinds = Counter(str(p.type) for p in node.properties)
        graph.add_node(node.name, kinds=str(sorted(kinds.items())))
    for edge in schema.edges:
        graph.add_edge(edge.source, edge.target, count=str(len(edge.properties)))
    flat: Any = nx.DiGraph()
    flat.add_nodes_from(graph.nodes(data=True))
    for source, target, kind in graph.edges(data="count"):
        label = flat.get_edge_data(source, target, {"count": ""})["count"] + kind
        flat.add_edge(source, target, count=label)
    return str(
        nx.weisfeiler_lehman_graph_hash(flat, edge_attr="count", node_attr="kinds", iterations=4)
    )


def vocabulary(schema: SchemaGraph) -> frozenset[str]:
    """All names of a schema."""
    elements = [*(n.name for n in schema.nodes), *(e.label for e in schema.edges)]
    columns = [f"{n.name}.{p.name}" for n in schema.nodes for p in n.properties]
    return frozenset([*elements, *columns])


def main() -> None:
    """Measure and print."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--seeds", type=int, default=3)
    ask.add_argument("--levels", default="2,4")
    ask.add_argument("--nodes", type=int, default=2_000)
    ask.add_argument("--only", default="")
    ask.add_argument("--sandbox", action="store_true")
    ask.add_argument("--taxonomy", type=Path, action="append", default=[])
    given = ask.parse_args()
    start = time.perf_counter()
    schemas: dict[tuple[str, int, int], SchemaGraph] = {}
    graphs = passed = broken = 0
    with TemporaryDirectory() as place:
        for name in names(given.taxonomy):
            for level in map(int, given.levels.split(",")) if given.only in name else ():
                for seed in range(1, given.seeds + 1):
                    graphs += 1
                    what = f"{name} level {level} seed {seed}"
                    try:
                        order = order_for_domain(
                            name,
                            Path(place) / "g",
                            nodes=given.nodes,
                            seed=seed,
                            level=level,
                            taxonomy=given.taxonomy,
                        )
                        schemas[name, level, seed] = order.schema
                        if given.sandbox:
                            order.make()
                            passed += 1
                            continue
                        report = draw_here(order)
                    except (GraphmillError, ValueError) as problem:
                        print(f"{what}: {type(problem).__name__}: {problem}", flush=True)
                        continue
                    passed += report.ok
                    faults = [f for f in report.failures if f.what.startswith(INTEGRITY)]
                    broken += len(faults)
                    if not report.ok:
                        print(f"{what}: {report.problem()}", flush=True)
    alike = [
        (one, other)
        for (one, a), (other, b) in combinations(
            {key: structure(schema) for key, schema in schemas.items()}.items(), 2
        )
        if a == b
    ]
    words = {key: vocabulary(schema) for key, schema in schemas.items()}
    overlaps = [len(a & b) / len(a | b) for a, b in combinations(words.values(), 2)]
    for one, other in alike:
        print(f"alike in structure: {one} and {other}")
    result = {
        "graphs": graphs,
        "passed_first_time": passed,
        "integrity_violations": broken,
        "alike_in_structure": len(alike),
        "alike_in_vocabulary": sum(overlap == 1 for overlap in overlaps),
        "largest_overlap_of_names": round(max(overlaps, default=0), 3),
        "seconds": round(time.perf_counter() - start, 1),
    }
    print(json.dumps(result))
    sys.exit(0 if passed == graphs else 1)


if __name__ == "__main__":
    main()
