"""Reads of the openCypher TCK in a language: share translated, share with the expected table.

    python -m benchmarks.tck [--language sql|gremlin|sparql] [--engine NAME]
                             [--only TEXT] [--verbose]

The graph of a scenario is made by grafeo from its CREATE statements, read back, given an inferred
schema and written as GraphData, which the engine loads. Exits with 1 when an answer
is another.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import grafeo

from benchmarks.tck.graphs import KEY, build, created, schema_of, write
from benchmarks.tck.notation import Cell, canonical, plain
from benchmarks.tck.scenarios import SHARED, Scenario, scenarios, with_parameters
from engines import ENGINES, default_engines
from engines.base import Engine
from graph_ir.cypher.reader import parse
from graphmill.errors import EngineError, EngineUnavailable, QueryTextError, Refused
from schemagraph.model import SchemaGraph
from translators.render import render


class Runner:
    """Loads each set-up once and judges the scenarios over it."""

    def __init__(self, folder: Path, language: str, engine: str = "") -> None:
        self.folder = folder
        self.language = language
        self.name = engine or default_engines()[language]
        self.setup: list[str] | None = None
        self.engine: Engine | None = None
        self.schema = SchemaGraph("tck", ())
        self.text = ""
        self.number = 0

    def load(self, setup: list[str]) -> Engine:
        """The engine with the graph of a set-up; DuckDB, which is quick to start, anew."""
        if self.setup == setup and self.engine is not None:
            return self.engine
        if self.engine is not None and self.language == "sql":
            self.engine.__exit__()
            self.engine = None
        self.setup = None
        graph = created(setup) or build(setup)
        self.schema = schema_of(graph)
        self.number += 1
        path = self.folder / str(self.number)
        write(graph, self.schema, path)
        if self.engine is None:
            self.engine = ENGINES.get(self.name)().__enter__()
        self.engine.load(path)
        self.setup = setup
        return self.engine

    def judge(self, scenario: Scenario) -> tuple[str, str]:
        """A status and what it is about."""
        try:
            engine = self.load(scenario.setup)
        except (grafeo.GrafeoError, TypeError, EngineUnavailable) as problem:
            return "no graph", str(problem)
        self.text = ""
        try:
            statement = with_parameters(parse(scenario.query), scenario.parameters)
            self.text = render(statement, self.language, self.schema).text
        except Refused as problem:
            return "refused", f"{problem.code} {problem}"
        except QueryTextError as problem:
            return "not parsed", str(problem)
        try:
            result = engine.run(self.text, language=self.language, timeout=20)
        except EngineError as problem:
            return "failed", str(problem)
        if any(fault.applies(statement) for fault in engine.unsound):
            return "declared unsound", ""
        # A traversal of one value has no name for it; SPARQL's names are none of the kit's.
        value = result.columns == ("value",) and len(scenario.header) == 1
        unnamed = value or self.language == "sparql"
        if scenario.header and list(result.columns) != scenario.header and not unnamed:
            return "columns", f"{list(result.columns)} not {scenario.header}"
        rows = [plain(list(row)) for row in result.rows if KEY not in row]
        expected = [[Cell(cell).read() for cell in row] for row in scenario.rows]
        return compared(scenario, rows, expected)


def compared(scenario: Scenario, rows: list[Any], expected: list[Any]) -> tuple[str, str]:
    """Whether the rows are those of the expected table, with and without types of numbers."""
    for status, strict in (("equal", True), ("equal but for number types", False)):
        sides = [
            [canonical(row, scenario.bags, strict) for row in side] for side in (rows, expected)
        ]
        if not scenario.ordered:
            sides = [sorted(side) for side in sides]
        if sides[0] == sides[1]:
            return status, ""
    return "different", f"{rows[:6]} not {expected[:6]}"


def main() -> int:
    """Run all, print the figures."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--verbose", action="store_true", help="print what is not equal")
    arguments.add_argument("--only", default="", help="a part of the scenario's id")
    arguments.add_argument("--language", choices=("sql", "gremlin", "sparql"), default="sql")
    arguments.add_argument("--engine", default="", help="another than the language's own")
    options = arguments.parse_args()
    counts: dict[bool, Counter[str]] = {False: Counter(), True: Counter()}
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(Path(folder), options.language, options.engine)
        for scenario in scenarios(SHARED / "data/opencypher_tck/scenarios.jsonl"):
            if options.only not in scenario.id:
                continue
            status, why = runner.judge(scenario)
            counts["/temporal/" in scenario.id][status] += 1
            if status in ("different", "failed") or (options.verbose and status != "equal"):
                print(f"{status}: {scenario.id}\n  {scenario.query!r}\n  {why}")
                if status in ("different", "failed"):
                    print("  " + runner.text.replace("\n", "\n  "))
    print(f"duckdb {duckdb.__version__}, grafeo {grafeo.__version__}")
    for temporal_part, statuses in counts.items():
        total = sum(statuses.values())
        if total:
            print(f"{'temporal' if temporal_part else 'not temporal'}: {total}")
            for status, count in statuses.most_common():
                print(f"  {status}: {count} ({count / total:.1%})")
    return int(any(each["different"] + each["failed"] for each in counts.values()))


if __name__ == "__main__":
    sys.exit(main())
