"""What the archetypes of queries give on graphs of one's own.

    python benchmarks/archetypes.py GRAPH… [--draws 400] [--seed 7]

GRAPH is a folder that `graphmill convert` or `graphmill synth` wrote. For each one: archetypes
with a place on it, different shapes among the draws (values masked), processor time of a proposal
with the asking for values that belong together apart, and the shares of proposals whose answer on
DuckDB is not empty and at most 1,000 rows, that strict GQL can say, and that the rule author can
ask. Then, over all graphs, the archetypes that it cannot ask, and why.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from engines.base import Result
from engines.isolation import IsolatedEngine
from generators.queries.archetypes.load import own_archetypes
from generators.queries.archetypes.seeds import RuleSeeds, SeedRequest
from generators.queries.base import Proposal
from generators.questions.author import NotExpressible
from generators.questions.levels.authors import author_named
from generators.questions.lexicon.derive import derive
from graph_ir import nodes as ir
from graph_ir.canonical import shape
from graphmill.errors import EngineError, Refused
from graphmill.seed import rng
from schemagraph.folder.serde import load_schema
from schemagraph.folder.statistics import gather_statistics
from translators.render import render

TRIES = 3  # of an archetype before it has no place
READABLE = 1_000


class Ground:
    """A graph with DuckDB behind it; `asked` is the time that its answers took."""

    def __init__(self, folder: Path, engine: IsolatedEngine, seed: int) -> None:
        self.schema = load_schema(folder)
        self.statistics = gather_statistics(folder, self.schema, seed)
        self._engine = engine
        self.asked = 0.0

    def ask(self, statement: ir.Statement, limit: int | None = None) -> Result | None:
        """DuckDB's answer; None where it has none."""
        begun = time.perf_counter()
        try:
            text = render(statement, "sql", self.schema).text
            found = self._engine.run(text, language="sql")
        except (Refused, EngineError):
            return None
        finally:
            self.asked += time.perf_counter() - begun
        return Result(found.columns, found.rows[:limit])


def is_good(answer: Result | None) -> bool:
    """Whether somebody would read the answer: some rows, not too many, no lone 0 or NULL."""
    if answer is None or not 0 < len(answer.rows) <= READABLE:
        return False
    return len(answer.rows) > 1 or any(value not in (None, 0) for value in answer.rows[0])


def placed(seeds: RuleSeeds, seed: int) -> int:
    """How many archetypes have a place on the graph."""
    return sum(
        any(seeds.propose(each, rng(seed, each.name, number)) for number in range(TRIES))
        for each in seeds.archetypes
    )


def measure(
    folder: Path, draws: int, seed: int, unsaid: dict[str, Counter[str]]
) -> tuple[str, ...]:
    """One line of the table."""
    with IsolatedEngine("duckdb", folder) as engine:
        ground = Ground(folder, engine, seed)
        author = author_named("rules", derive(ground.schema, ground.statistics).at())
        seeds = RuleSeeds(ground)
        begun = time.process_time()
        drawn = list(seeds.generate(SeedRequest(draws), rng(seed, "draws")))
        spent = time.process_time() - begun
        asked = ground.asked
        good = said = in_gql = 0
        for number, proposal in enumerate(drawn):
            good += proposal.may_be_empty or is_good(ground.ask(proposal.statement))
            in_gql += _renders(proposal, ground)
            try:
                author.write(proposal.statement, ground.schema, rng(seed, "words", number))
                said += 1
            except NotExpressible as problem:
                unsaid[proposal.archetype][problem.construct] += 1
        shapes = len({shape(proposal.statement) for proposal in drawn})
        count = max(1, len(drawn))
        return (
            folder.name,
            f"{placed(seeds, seed)} of {len(seeds.archetypes)}",
            str(len(drawn)),
            str(shapes),
            f"{1000 * spent / count:.1f} ms",
            f"{1000 * asked / count:.1f} ms",
            *(f"{number / count:.1%}" for number in (good, in_gql, said)),
        )


def _renders(proposal: Proposal, ground: Ground) -> bool:
    try:
        render(proposal.statement, "gql", ground.schema)
    except Refused:
        return False
    return True


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Measure every graph that is named."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("graphs", nargs="+", type=Path)
    parser.add_argument("--draws", type=int, default=400)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    own_archetypes()  # read once, before anything is timed
    head = "graph|archetypes|draws|shapes|a proposal|asking|readable answer|in gql|sayable"
    lines = [_row(head.split("|")), _row(["---"] * 9)]
    unsaid: dict[str, Counter[str]] = defaultdict(Counter)
    for folder in given.graphs:
        lines.append(_row(measure(folder, given.draws, given.seed, unsaid)))
    if unsaid:
        lines += ["", _row(["archetype that the rule author cannot ask", "why"]), _row(["---"] * 2)]
        for name in sorted(unsaid):
            reasons = (f"{why} ({times})" for why, times in unsaid[name].most_common())
            lines.append(_row([name, ", ".join(reasons)]))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
