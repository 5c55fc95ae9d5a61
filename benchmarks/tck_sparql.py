"""Reads of the openCypher TCK as SPARQL on Oxigraph: share translated, share as expected.

    python -m benchmarks.tck_sparql [--verbose] [--only TEXT] [--engine oxigraph]

Graphs and expected tables are made as in `tck_sql`. Exits with 1 when an answer is another.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

import grafeo

from benchmarks.tck_sql import (
    KEY,
    SHARED,
    Cell,
    Scenario,
    build,
    canonical,
    created,
    plain,
    scenarios,
    schema_of,
    with_parameters,
    write,
)
from engines import ENGINES
from graph_ir.cypher.reader import parse
from graphmill.errors import EngineError, QueryTextError, Refused
from translators.render import render


class Runner:
    """Loads each set-up once and judges the scenarios over it."""

    def __init__(self, folder: Path, engine: str) -> None:
        self.folder = folder
        self.engine = ENGINES.get(engine)().__enter__()
        self.setup: list[str] | None = None
        self.number = 0
        self.text = ""

    def judge(self, scenario: Scenario) -> tuple[str, str]:
        """A status and what it is about."""
        try:
            if self.setup != scenario.setup:
                graph = created(scenario.setup) or build(scenario.setup)
                self.schema = schema_of(graph)
                self.number += 1
                write(graph, self.schema, self.folder / str(self.number))
                self.engine.load(self.folder / str(self.number))
                self.setup = scenario.setup
        except (grafeo.GrafeoError, TypeError) as problem:
            self.setup = None
            return "no graph", str(problem)
        self.text = ""
        try:
            statement = with_parameters(parse(scenario.query), scenario.parameters)
            self.text = render(statement, "sparql", self.schema).text
        except Refused as problem:
            return "refused", f"{problem.code} {problem}"
        except QueryTextError as problem:
            return "not parsed", str(problem)
        try:
            result = self.engine.run(self.text, language="sparql", timeout=20)
        except EngineError as problem:
            return "failed", str(problem)
        if any(fault.applies(statement) for fault in self.engine.unsound):
            return "declared unsound", ""
        answer = [plain(list(row)) for row in result.rows if KEY not in row]
        wanted = [[Cell(cell).read() for cell in row] for row in scenario.rows]
        for status, strict in (("equal", True), ("equal but for number types", False)):
            sides = [
                [canonical(row, scenario.bags, strict) for row in side] for side in (answer, wanted)
            ]
            if not scenario.ordered:
                sides = [sorted(side) for side in sides]
            if sides[0] == sides[1]:
                return status, ""
        return "different", f"{answer[:6]} not {wanted[:6]}"


def main() -> int:
    """Run all, print the figures."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--verbose", action="store_true", help="print what is not equal")
    arguments.add_argument("--only", default="", help="a part of the scenario's id")
    arguments.add_argument("--engine", default="oxigraph", choices=("oxigraph", "jena"))
    options = arguments.parse_args()
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(Path(folder), options.engine)
        for scenario in scenarios(SHARED / "data/opencypher_tck/scenarios.jsonl"):
            if options.only not in scenario.id:
                continue
            status, why = runner.judge(scenario)
            counts[status] += 1
            if status in ("different", "failed") or (options.verbose and status != "equal"):
                print(f"{status}: {scenario.id}\n  {scenario.query!r}\n  {why}")
                if status in ("different", "failed"):
                    print("  " + runner.text.replace("\n", "\n  "))
    total = sum(counts.values())
    for status, count in counts.most_common():
        print(f"{status}: {count} ({count / total:.1%})")
    return int(bool(counts["different"] + counts["failed"]))


if __name__ == "__main__":
    sys.exit(main())
