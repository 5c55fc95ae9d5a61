"""Equal answers: every query of a file, in every language on every engine, over random graphs.

    python benchmarks/agreement.py QUERIES.jsonl SCHEMAS.jsonl [--graphs 3] [--seed 0] [--sample N]
        [--only DB] [--runs sql,cypher,gql,neo4j-cypher,neo4j-gql] [--out RESULTS.jsonl] [--show 5]

QUERIES has lines {"cypher", "database", "syntax_error"?}, SCHEMAS lines {"database",
"structured_schema"}. Every distinct text without the flag is parsed and run in each of the ways
on random graphs of its schema, whose values come from the schema's examples and from the
queries' own constants. The referee's answer is `sql`'s, LIMIT stays, and ties under it are ties;
a way that chooses otherwise among the ties of an inner LIMIT has to agree on the query with more
sort keys.
A way that its dialect refuses, or that its engine declares unsound for this query, is counted
apart. Prints shares; exits with 1 when an answer differs.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.random_graphs import examples, read_schemas, schema_of, write_graph
from engines.isolation import IsolatedEngine
from graph_ir import nodes as ir
from graph_ir.cypher.reader import parse
from graph_ir.features import constants
from graphmill.errors import QueryTextError
from qa.agreement import Agreement, State, agree, engines_of
from schemagraph.model import SchemaGraph


@dataclass
class Outcome:
    """One query: how each way ended on each graph, and what differs."""

    database: str
    cypher: str
    error: str = ""
    states: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    reasons: Counter[str] = field(default_factory=Counter)
    differs: list[str] = field(default_factory=list)
    compared: int = 0
    answered: int = 0

    @property
    def state(self) -> str:
        """equal, differs, or why there is nothing to compare."""
        if self.error:
            return f"not valid: {self.error}"
        if self.differs:
            return "differs"
        return "equal" if self.compared else "not compared"


def main() -> int:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("queries", type=Path)
    arguments.add_argument("schemas", type=Path)
    arguments.add_argument("--graphs", type=int, default=3)
    arguments.add_argument("--seed", type=int, default=0, help="of the first graph")
    arguments.add_argument("--sample", type=int)
    arguments.add_argument("--only", action="append", default=[])
    arguments.add_argument("--runs", default="sql,cypher,gql")
    arguments.add_argument("--timeout", type=float, default=10.0)
    arguments.add_argument("--out", type=Path)
    arguments.add_argument("--show", type=int, default=5)
    options = arguments.parse_args()
    texts = _texts(options.queries, options.only)
    if options.sample:
        kept = set(random.Random(0).sample(sorted(texts), min(options.sample, len(texts))))
        texts = {key: None for key in texts if key in kept}
    by_database: dict[str, list[str]] = defaultdict(list)
    for database, text in texts:
        by_database[database].append(text)
    schemas = read_schemas(options.schemas)
    outcomes: list[Outcome] = []
    runs = options.runs.split(",")
    with tempfile.TemporaryDirectory() as folder, engines_of(runs, None) as engines:
        for database, found in sorted(by_database.items()):
            start = time.perf_counter()
            done = list(_database(options, database, found, schemas[database], engines, folder))
            spent = time.perf_counter() - start
            print(f"{database}: {len(found)} queries, {spent:.0f} s", file=sys.stderr, flush=True)
            outcomes += done
            if options.out:
                lines = (json.dumps({**vars(o), "state": o.state}) for o in outcomes)
                options.out.write_text("".join(f"{line}\n" for line in lines))
    return _report(outcomes, runs, options.show)


def _texts(path: Path, only: list[str]) -> dict[tuple[str, str], None]:
    """(database, text), each once, in the order of the file."""
    texts: dict[tuple[str, str], None] = {}
    for line in path.read_text("utf-8").splitlines():
        record = json.loads(line)
        if not record.get("syntax_error") and (not only or record["database"] in only):
            texts[record["database"], record["cypher"]] = None
    return texts


def _database(
    options: argparse.Namespace,
    database: str,
    texts: list[str],
    found: Mapping[str, Any],
    engines: Mapping[str, IsolatedEngine],
    folder: str,
) -> Iterator[Outcome]:
    schema = schema_of(database, found)
    done: list[tuple[Outcome, ir.Statement]] = []
    for text in texts:
        outcome = Outcome(database, text)
        try:
            done.append((outcome, parse(text)))
        except QueryTextError as problem:
            outcome.error = problem.code
            yield outcome
    asked = constants(statement for _, statement in done)
    for seed in range(options.seed, options.seed + options.graphs):
        graph = Path(folder) / f"{database}-{seed}"
        write_graph(schema, graph, seed, known=examples(found), asked=asked)
        for engine in engines.values():
            engine.use(graph)
        for outcome, statement in done:
            if not outcome.error:
                _ask(outcome, statement, schema, engines, options, seed)
    yield from (outcome for outcome, _ in done)


def _ask(
    outcome: Outcome,
    statement: ir.Statement,
    schema: SchemaGraph,
    engines: Mapping[str, IsolatedEngine],
    options: argparse.Namespace,
    seed: int,
) -> None:
    runs = options.runs.split(",")
    try:
        found = agree(statement, schema, engines, runs, timeout=options.timeout)
    except QueryTextError as problem:
        outcome.error = problem.code
        return
    outcome.compared += found.compared
    outcome.answered += found.compared and bool(found.rows)
    for run, ran in found.outcomes.items():
        outcome.states[run].append(ran.state.value)
        if ran.state not in (State.SAME, State.DIFFERS, State.TIE, State.OPEN, State.ALONE):
            outcome.reasons[f"{run}: {ran.state.value}: {ran.reason[:80]}"] += 1
        if ran.state is State.DIFFERS:
            outcome.differs.append(_difference(found, run, seed))


def _difference(found: Agreement, run: str, seed: int) -> str:
    verdict = found.outcomes[run].verdict
    extra, missing = (verdict.extra[:2], verdict.missing[:2]) if verdict else ((), ())
    reason = verdict.reason if verdict else ""
    return f"graph {seed}, {run}: {reason} extra {extra} missing {missing}"


def _report(outcomes: list[Outcome], runs: list[str], show: int) -> int:
    states = Counter(outcome.state for outcome in outcomes)
    valid = [o for o in outcomes if not o.error]
    differing = [o for o in valid if o.differs]
    print(f"queries {len(outcomes)}:", ", ".join(f"{s} {n}" for s, n in states.most_common()))
    compared = sum(o.compared for o in valid)
    answered = sum(o.answered for o in valid)
    print(f"answers compared {compared}, not empty {answered / max(compared, 1):.1%}")
    judged = sum(bool(o.compared) for o in valid)
    print(f"equal on all graphs {(judged - len(differing)) / max(judged, 1):.3%} of {judged}")
    for run in runs:
        counts = Counter(state for o in valid for state in o.states[run])
        print(f"  {run}:", ", ".join(f"{state} {n}" for state, n in counts.most_common()))
    reasons: Counter[str] = Counter()
    for outcome in valid:
        reasons += outcome.reasons
    for reason, n in reasons.most_common():
        print(f"  {n:6} {reason}")
    for outcome in differing[:show]:
        print("DIFFERS", outcome.database, outcome.cypher, "\n  ", outcome.differs[0])
    return int(bool(differing))


if __name__ == "__main__":
    sys.exit(main())
