"""How well queries are told from their mutants, at which cost, and what survives.

    python benchmarks/discrimination.py GRAPH [--pairs QUERIES.jsonl] [--draw N] [--save FILE]
        [--seed 0] [--cap 14] [--no-shipped] [--show 10]

GRAPH is a folder that `graphmill convert` or `graphmill synth` wrote. QUERIES has lines with
"cypher", or "sql" where the graph comes from tables. `--draw N` draws N queries from archetypes
and evolves them; `--save` writes what was drawn as such lines. Prints the mean score, the share of
queries at 0.8 and above, CPU time a query, the number of small graphs, and the survivors.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.pace import pace
from engines.base import Result
from engines.isolation import IsolatedEngine
from generators.queries.archetypes.seeds import RuleSeeds, SeedRequest
from generators.queries.base import Proposal
from generators.queries.evolution.evolve import RuleEvolver
from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graphmill.errors import EngineError, GraphmillError, Refused
from graphmill.seed import rng
from qa.mutation.analysis import THRESHOLD, Ask, Discrimination, discriminate, shown_text
from qa.mutation.pool import Pool
from schemagraph.folder.serde import load_mapping, load_schema
from schemagraph.folder.statistics import GraphStatistics, gather_statistics
from schemagraph.model import SchemaGraph
from translators.from_sql.reader import SqlTranslator
from translators.render import render


@dataclass
class Shipped:
    """A graph on the referee, as query authors and the analysis ask it."""

    schema: SchemaGraph
    statistics: GraphStatistics
    engine: IsolatedEngine
    asked: int = 0

    def ask(self, statement: ir.Statement, limit: int | None = None) -> Result | None:
        """The referee's answer."""
        self.asked += 1
        try:
            text = render(statement, "sql", self.schema).text
            found = self.engine.run(text, language="sql", timeout=5)
        except (Refused, EngineError):
            return None
        return found if limit is None else Result(found.columns, found.rows[:limit])


def main() -> int:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("graph", type=Path)
    arguments.add_argument("--pairs", type=Path)
    arguments.add_argument("--draw", type=int, default=0)
    arguments.add_argument("--save", type=Path)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--cap", type=int, default=14)
    arguments.add_argument("--no-shipped", action="store_true")
    arguments.add_argument("--show", type=int, default=10)
    options = arguments.parse_args()
    schema = load_schema(options.graph)
    with IsolatedEngine("duckdb", options.graph, memory_mb=2048) as engine:
        known = gather_statistics(options.graph, schema, options.seed)
        shipped = Shipped(schema, known, engine)
        found = list(_given(options.pairs, options.graph, schema)) if options.pairs else []
        found += _drawn(shipped, options.draw, options.seed)
        if options.save:
            lines = (json.dumps({"cypher": shown_text(each)}) for each in found)
            options.save.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        ask = None if options.no_shipped else shipped.ask
        return _measure(found, shipped, ask, options)


def _given(path: Path, folder: Path, schema: SchemaGraph) -> Iterator[ir.Statement]:
    mapping = load_mapping(folder)
    seen = set()
    for line in path.read_text("utf-8").splitlines():
        record = json.loads(line)
        try:
            if "cypher" in record:
                statement = parse(record["cypher"])
            elif mapping is not None:
                statement = SqlTranslator(mapping, schema, mapping.dialect).translate(record["sql"])
            else:
                continue
            render(statement, "sql", schema)
        except GraphmillError:
            continue
        if statement not in seen:
            seen.add(statement)
            yield statement


def _drawn(shipped: Shipped, count: int, seed: int) -> list[ir.Statement]:
    """Seeds of archetypes, and what they evolve into, half and half."""
    found: list[ir.Statement] = []
    if not count:
        return found
    evolver = RuleEvolver(shipped)
    seeds = RuleSeeds(shipped).generate(SeedRequest(count), rng(seed, "seeds"))
    for number, proposal in enumerate(seeds):
        if len(found) >= count:
            break
        line: list[Proposal] = [proposal]
        line += evolver.evolve(proposal, rng(seed, "evolve", number))
        found += [each.statement for each in (line[:1] + line[-1:] if len(line) > 1 else line)]
    return found[:count]


def _measure(
    statements: list[ir.Statement], shipped: Shipped, ask: Ask | None, options: argparse.Namespace
) -> int:
    known = shipped.statistics.properties
    pool = Pool(
        shipped.schema,
        lambda owner, name: (
            [value for value, _ in known[owner, name].common] if (owner, name) in known else ()
        ),
    )
    results: list[Discrimination] = []
    spent: list[float] = []
    shipped.asked = 0
    for number, statement in enumerate(statements):
        bound = bind(statement, shipped.schema).statement
        start = time.process_time()
        found = discriminate(
            bound, shipped.schema, ask, pool, rng(options.seed, "mutants", number), cap=options.cap
        )
        spent.append(1000 * (time.process_time() - start))
        results.append(found)
        if found.survivors and options.show > 0:
            options.show -= 1
            print(f"{found.score:.2f}  {_flat(shown_text(bound))}")
            for each in found.survivors:
                print(f"      {each.operator}: {_flat(each.cypher)}")
    if not results:
        print("no queries", file=sys.stderr)
        return 1
    scores = [each.score for each in results]
    mutants = sum((each.mutants for each in results), Counter[str]())
    left = Counter(s.operator for each in results for s in each.survivors)
    proven = Counter(e.proof for each in results for e in each.equivalent)
    used = {name for each in results for name in each.instances}
    print(f"queries {len(results)}, mutants {mutants.total()}, equivalent {proven.total()}")
    print(
        f"mean score {statistics.mean(scores):.4f}, whole {1 - left.total() / mutants.total():.4f}"
    )
    print(f"at {THRESHOLD} or above: {sum(s >= THRESHOLD for s in scores) / len(scores):.4f}")
    print(
        f"CPU ms a query: mean {statistics.mean(spent):.1f}, median {statistics.median(spent):.1f}"
    )
    print(f"yardstick: a loop over a million squares takes {pace():.0f} CPU ms here and now")
    print(f"asked of the shipped graph: {shipped.asked / len(results):.2f} a query")
    per = statistics.mean(len(each.instances) for each in results)
    print(f"small graphs: {len(pool.instances)}, needed {len(used)}, {per:.2f} a query")
    print("proofs:", dict(proven.most_common()))
    for operator, count in mutants.most_common():
        print(f"{operator:24} {count:6} {left[operator]:5} survive")
    return 0


def _flat(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    sys.exit(main())
