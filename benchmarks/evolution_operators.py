"""What each operator of query evolution brings on given graphs.

    python benchmarks/evolution_operators.py GRAPH [GRAPH ...] [--pairs GRAPH=PAIRS.jsonl]
        [--parents 60] [--seed 7] [--agree 200] [--show DIR]

GRAPH is a folder of `graphmill convert` or `graphmill synth`. Parents are seeds from easy and
medium archetypes and the pairs (Cypher, or source SQL where the graph has a mapping); each is
evolved step by step. Per operator: steps that were run (`tried`), kept, kept and sayable
by the rule author, and, for a sample of `--agree` per graph, those of which DuckDB and grafeo (by
Cypher and by GQL) give one answer. Then tiers by depth, milliseconds a kept step (wall and
processor; engines are processes of their own, and are in the wall time only), and what was dropped
by reason. Every disagreement is printed; exits with 1 where there is one. `--show` writes
the queries with their questions, a file a graph.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from time import perf_counter, process_time

from engines.base import Result
from engines.isolation import IsolatedEngine
from generators.queries.archetypes.seeds import RuleSeeds, SeedRequest
from generators.queries.base import Proposal, Wanted
from generators.queries.evolution.evolve import RuleEvolver
from generators.queries.evolution.operators import all_operators
from generators.questions.author import NotExpressible
from generators.questions.levels.authors import author_named
from graph_ir import nodes as ir
from graph_ir.cypher.reader import parse
from graph_ir.difficulty import tier
from graph_ir.features import features
from graphmill.errors import EngineError, GraphmillError, Refused
from graphmill.record import DIFFICULTIES
from graphmill.seed import rng
from pipelines.configuration.pair_files import read_items
from qa.agreement import State, agree, engines_of
from schemagraph.folder.serde import load_mapping, load_schema
from schemagraph.folder.statistics import gather_statistics
from schemagraph.mapping import Mapping as TableMapping
from translators.from_sql.reader import SqlTranslator
from translators.render import render

RUNS = ("sql", "cypher", "gql")


class Referee:
    """The `Ground` of a graph folder, with DuckDB as the referee."""

    def __init__(self, folder: Path, engine: IsolatedEngine, seed: int) -> None:
        self.schema = load_schema(folder)
        self.statistics = gather_statistics(folder, self.schema, seed)
        self._engine = engine
        self.asked = 0

    def ask(self, statement: ir.Statement, limit: int | None = None) -> Result | None:
        """The answer, cut at `limit` rows."""
        self.asked += 1
        try:
            text = render(statement, "sql", self.schema).text
            found = self._engine.run(text, language="sql", timeout=5.0)
        except (EngineError, Refused):
            return None
        return Result(found.columns, found.rows[:limit])


class Count:
    """What came of everything."""

    def __init__(self) -> None:
        self.kept: Counter[str] = Counter()
        self.dropped: dict[str, Counter[str]] = defaultdict(Counter)
        self.said: Counter[str] = Counter()
        self.stopped: Counter[str] = Counter()
        self.same: Counter[str] = Counter()
        self.compared: Counter[str] = Counter()
        self.tiers: dict[int, Counter[str]] = defaultdict(Counter)
        self.wall = self.processor = 0.0
        self.asked = self.parents = self.differing = 0

    def table(self) -> Iterator[str]:
        """The figures as lines."""
        yield f"{'operator':28} tried  kept  said  same/compared  dropped"
        for operator in all_operators():
            name = operator.name
            why = ", ".join(f"{code} {n}" for code, n in self.dropped[name].most_common())
            tried = self.kept[name] + self.dropped[name].total()
            same = f"{self.same[name]}/{self.compared[name]}"
            yield f"{name:28} {tried:5} {self.kept[name]:5} {self.said[name]:5} {same:>14}  {why}"
        kept = self.kept.total()
        tried = kept + sum(each.total() for n, each in self.dropped.items() if n != "evolution")
        yield f"{'all':28} {tried:5} {kept:5} {self.said.total():5}"
        for depth, found in sorted(self.tiers.items()):
            shown = ", ".join(f"{name} {found[name]}" for name in DIFFICULTIES)
            yield f"depth {depth}: {shown}"
        for construct, number in self.stopped.most_common(15):
            yield f"not said, {construct}: {number}"
        yield (
            f"{self.parents} parents, {self.asked} questions to the referee; a kept step took "
            f"{1000 * self.wall / max(kept, 1):.1f} ms, {1000 * self.processor / max(kept, 1):.1f}"
            f" ms of them on this process's processor"
        )


def parents(
    ground: Referee, folder: Path, pairs: Path | None, count: int, seed: int
) -> Iterator[Proposal]:
    """Seeds of easy and medium archetypes, and the pairs that can be translated."""
    request = SeedRequest(count, tiers=("easy", "medium"), absence=False)
    yield from RuleSeeds(ground).generate(request, rng(seed, "parents", ground.schema.name))
    mapping = load_mapping(folder)
    for _, item in read_items(pairs) if pairs else ():
        if isinstance(item, dict):
            try:
                yield Proposal(_meaning(item, ground, mapping), "pairs")
            except GraphmillError:
                continue


def _meaning(
    item: Mapping[str, str], ground: Referee, mapping: TableMapping | None
) -> ir.Statement:
    text = item.get("cypher")
    if text:
        return parse(text)
    return SqlTranslator(mapping, ground.schema).translate(item["sql"])  # type: ignore[arg-type]


def evolve(
    ground: Referee, parent: Proposal, number: int, seed: int, found: Count
) -> list[Proposal]:
    """All steps of one parent, counted."""
    evolver = RuleEvolver(ground)
    wall, processor = perf_counter(), process_time()
    wanted = Wanted(proposed=found.kept)
    made = list(evolver.evolve(parent, rng(seed, "evolve", ground.schema.name, number), wanted))
    found.wall += perf_counter() - wall
    found.processor += process_time() - processor
    for reject in evolver.rejects:
        found.dropped[str(reject.evidence["maker"])][reject.code] += 1
    for proposal in made:
        found.kept[proposal.trace[-1].operation] += 1
        found.tiers[len(proposal.trace)][tier(features(proposal.statement))] += 1
    return made


def question_lines(ground: Referee, made: list[Proposal], seed: int, found: Count) -> Iterator[str]:
    """Questions of the proposals, counted; texts to read."""
    author = author_named("rules")
    for number, proposal in enumerate(made):
        step = proposal.trace[-1]
        text = render(proposal.statement, "cypher").text
        head = f"-- {step.operation}: {step.evidence}\n{text}"
        try:
            wrote = author.write(proposal.statement, ground.schema, rng(seed, "say", number))
        except NotExpressible as problem:
            found.stopped[problem.construct] += 1
            yield f"{head}\n! {problem.construct}\n"
            continue
        found.said[step.operation] += 1
        yield f"{head}\nL: {wrote.questions.logical}\nB: {wrote.questions.business}\n"


def agreeing(
    ground: Referee, made: list[Proposal], engines: Mapping[str, IsolatedEngine], found: Count
) -> None:
    """Run proposals everywhere, and count and print."""
    for proposal in made:
        name = proposal.trace[-1].operation
        whole = agree(proposal.statement, ground.schema, engines, RUNS, timeout=20)
        if not whole.compared:
            continue
        found.compared[name] += 1
        if not whole.differing:
            found.same[name] += 1
            continue
        found.differing += 1
        print(f"\nDISAGREE {name}\n{render(proposal.statement, 'cypher').text}")
        for run, told in whole.outcomes.items():
            if told.state is State.DIFFERS:
                print(f"{run}: {told.text}\n{told.verdict}")


def main() -> int:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("graphs", type=Path, nargs="+")
    arguments.add_argument("--pairs", action="append", default=[])
    arguments.add_argument("--parents", type=int, default=60)
    arguments.add_argument("--seed", type=int, default=7)
    arguments.add_argument("--agree", type=int, default=200)
    arguments.add_argument("--show", type=Path)
    options = arguments.parse_args()
    pairs = dict(item.split("=", 1) for item in options.pairs)
    every = Count()
    for folder in options.graphs:
        print(f"\n== {folder.name}", flush=True)
        with engines_of(RUNS, folder) as engines:
            ground = Referee(folder, engines["duckdb"], options.seed)
            given = pairs.get(str(folder))
            chosen = parents(
                ground, folder, Path(given) if given else None, options.parents, options.seed
            )
            texts: list[str] = []
            made: list[Proposal] = []
            before = ground.asked
            for number, parent in enumerate(list(chosen)):
                every.parents += 1
                asked = ground.asked
                steps = evolve(ground, parent, number, options.seed, every)
                every.asked += ground.asked - asked
                made += steps
                texts += question_lines(ground, steps, options.seed, every)
            draw = rng(options.seed, "agree", folder.name)
            agreeing(ground, draw.sample(made, min(options.agree, len(made))), engines, every)
            print(f"{len(made)} queries, {ground.asked - before} questions to the referee")
        if options.show:
            options.show.mkdir(parents=True, exist_ok=True)
            (options.show / f"{folder.name}.txt").write_text("\n".join(texts), encoding="utf-8")
    print()
    print("\n".join(every.table()))
    print(f"disagreements: {every.differing}")
    return int(bool(every.differing))


if __name__ == "__main__":
    sys.exit(main())
