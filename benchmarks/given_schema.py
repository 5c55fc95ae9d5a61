"""The schema that a generator is given (NS-23, NAT-NL2GQL's Table 4), with the simulated model.

    python benchmarks/given_schema.py CORPUS [--language cypher] [--rate 0.05]

Three runs of `three-agents` without its refiner: questions are given node types and edges that the
gold query does not need (as many as it needs), the whole schema, or just what it needs. The
model cannot write a query whose schema it is not shown, and errs in names at half the rate
where there are no others: the figures show that what is given reaches it, and say nothing of any
model of the paper.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.simulated_model import KINDS, Rates, Simulated  # noqa: E402
from evaluation.metrics.elements import related  # noqa: E402
from evaluation.systems.three_agents import linked  # noqa: E402
from graph_ir.bind.statements import bind  # noqa: E402
from graph_ir.cypher.reader import parse  # noqa: E402
from graphmill.files import read_records, write_json_lines  # noqa: E402
from graphmill.llm.stub import Stub  # noqa: E402
from graphmill.record import Record  # noqa: E402
from graphmill.seed import rng  # noqa: E402
from pipelines.release.folder import split_file  # noqa: E402
from pipelines.release.lock import format_of, load_lock  # noqa: E402
from schemagraph.folder.serde import load_schema  # noqa: E402
from schemagraph.model import SchemaGraph  # noqa: E402

GIVEN = ("wrong", "full", "gold")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--language", default="cypher")
    parser.add_argument("--split", default="test")
    parser.add_argument("--question", default="business")
    parser.add_argument("--rate", type=float, default=0.05, help="of each kind of error")
    given = parser.parse_args()
    rates = Rates(dict.fromkeys(KINDS, given.rate), exact=0.5)
    model = Simulated.of(given.corpus, language=given.language, rates=rates)
    sys.stdout.write("| schema given | n | EM | EX |\n|---|---|---|---|\n")
    with Stub(model.answer) as server, tempfile.TemporaryDirectory() as scratch:
        for kind, lines in files(given.corpus, given.split).items():
            path = Path(scratch) / f"{kind}.jsonl"
            write_json_lines(path, lines)
            own = figures(given, server.url, Path(scratch) / kind, path)
            em = own["em_clauses"]["mean"]
            sys.stdout.write(f"| {kind} | {own['n']} | {em:.1%} | {own['ex']:.1%} |\n")
            sys.stdout.flush()


def files(corpus: Path, split: str) -> Mapping[str, list[dict[str, Any]]]:
    """For each kind, the line of each question."""
    schemas: dict[str, SchemaGraph] = {}
    lines: dict[str, list[dict[str, Any]]] = {kind: [] for kind in GIVEN}
    for _, record in read_records(split_file(corpus, split), format_of(load_lock(corpus))):
        if record.db not in schemas:
            schemas[record.db] = load_schema(corpus / "graphs" / record.db)
        for kind, names in given_to(record, schemas[record.db]).items():
            lines[kind].append({"id": record.id, "schema": names})
    return lines


def given_to(record: Record, schema: SchemaGraph) -> Mapping[str, list[str]]:
    """Node types and labels of edges of each kind."""
    needed = related(bind(parse(record.queries["cypher"]), schema).statement)
    labels = {schema.edge_by_name[name].label for name in needed.edges}
    edges = [
        edge.label
        for edge in schema.edges
        if edge.label not in labels and not {edge.source, edge.target} & needed.nodes
    ]
    nodes = [node.name for node in schema.nodes if node.name not in needed.nodes]
    draw = rng(7, "wrong schema", record.id)
    draw.shuffle(nodes)
    draw.shuffle(edges)
    return {
        "wrong": sorted({*nodes[: len(needed.nodes)], *edges[: len(labels)]}),
        "full": linked(schema),
        "gold": sorted({*needed.nodes, *labels}),
    }


def figures(given: argparse.Namespace, url: str, out: Path, path: Path) -> dict[str, Any]:
    """The figures of one run in a process of its own."""
    command = [sys.executable, "-m", "graphmill", "evaluate", str(given.corpus), "--quiet"]
    command += ["--system", "three-agents", "--split", given.split, "--question", given.question]
    command += ["--language", given.language, "--base-url", url, "--model", "simulated"]
    command += ["--no-suites", "--set", "refiner=no", "--set", f"given={path}", "--out", str(out)]
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)  # ours
    scores: dict[str, Any] = json.loads((out / "scores.json").read_text())
    own: dict[str, Any] = scores["languages"][given.language]
    return own


if __name__ == "__main__":
    main()
