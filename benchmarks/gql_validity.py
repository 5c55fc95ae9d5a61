"""How much of a set of Cypher queries is said in ISO GQL, is valid, and means the same.

    python benchmarks/gql_validity.py QUERIES.jsonl SCHEMAS.jsonl [--only DB] [--limit N]
        [--flagged] [--graphs 3] [--runs cypher,gql] [--out RESULTS.jsonl] [--show 5]

QUERIES has lines {"cypher", "database", "syntax_error"}, SCHEMAS lines {"database",
"structured_schema"}. Every distinct text without the flag is parsed, bound and rendered as strict
GQL, which graphglot's parser judges. With --graphs N, the query is run as each of the runs
(Cypher and GQL on grafeo and on Neo4j, `sql` on DuckDB) over N random graphs of its schema, and
the answers are compared, ties under LIMIT as ties; the first run is the referee. Prints shares,
refusals by code, and what differs. Exits with 1 when an answer differs or a text is invalid.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.random_graphs import examples, read_schemas, schema_of, write_graph
from engines.base import Result
from engines.compare import allowed
from engines.isolation import IsolatedEngine
from graph_ir import nodes as ir
from graph_ir.constants import constants
from graph_ir.cypher import parse
from graph_ir.rewrites import has_inner_window, leaves_lists_open, probe
from graphmill.errors import EngineError, GraphmillError, QueryTextError, Refused
from schemagraph.model import SchemaGraph
from translators.gql_check import check
from translators.render import render

# run -> (engine, language, dialect)
RUNS = {
    "cypher": ("grafeo", "cypher", "cypher-grafeo"),
    "gql": ("grafeo", "gql", "gql-grafeo"),
    "sql": ("duckdb", "sql", "sql"),
    "neo4j-cypher": ("neo4j", "cypher", "cypher"),
    "neo4j-gql": ("neo4j", "gql", "gql-neo4j"),
}


@dataclass
class Outcome:
    """One query: its GQL, or why there is none, and what the runs said."""

    database: str
    cypher: str
    state: str = "translated"
    code: str = ""
    gql: str = ""
    invalid: str = ""
    answers: Counter[str] = field(default_factory=Counter)
    differs: list[str] = field(default_factory=list)


def main() -> int:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("queries", type=Path)
    arguments.add_argument("schemas", type=Path)
    arguments.add_argument("--only", action="append", default=[])
    arguments.add_argument("--limit", type=int)
    arguments.add_argument("--flagged", action="store_true", help="those a Neo4j refused instead")
    arguments.add_argument("--graphs", type=int, default=0)
    arguments.add_argument("--runs", default="cypher,gql")
    arguments.add_argument("--timeout", type=float, default=10.0)
    arguments.add_argument("--out", type=Path)
    arguments.add_argument("--show", type=int, default=5)
    arguments.add_argument("--no-check", action="store_true")
    options = arguments.parse_args()
    texts: dict[str, dict[str, None]] = defaultdict(dict)
    for line in options.queries.read_text("utf-8").splitlines():
        record = json.loads(line)
        wanted = not options.only or record["database"] in options.only
        if wanted and bool(record.get("syntax_error")) == options.flagged:
            texts[record["database"]][record["cypher"]] = None
    schemas = read_schemas(options.schemas)
    outcomes: list[Outcome] = []
    for database, found in sorted(texts.items()):
        kept = list(found)[: options.limit]
        outcomes += _database(options, database, kept, schemas[database])
    if options.out:
        lines = (json.dumps(vars(outcome)) for outcome in outcomes)
        options.out.write_text("".join(f"{line}\n" for line in lines))
    return _report(outcomes, options.show)


def _database(
    options: argparse.Namespace, database: str, texts: list[str], found: dict[str, object]
) -> Iterator[Outcome]:
    schema = schema_of(database, found)
    done: list[tuple[Outcome, ir.Statement]] = []
    start = time.perf_counter()
    for text in texts:
        outcome = Outcome(database, text)
        try:
            statement = parse(text)
            done.append((outcome, statement))
            outcome.gql = render(statement, "gql", schema).text
        except QueryTextError as problem:
            outcome.state, outcome.code = "error", problem.code
            outcome.invalid = str(problem)
        except Refused as problem:
            outcome.state, outcome.code = "refused", problem.code
        if outcome.state != "translated":
            yield outcome
    spent = time.perf_counter() - start
    print(f"{database}: {len(texts)} queries, {len(texts) / spent:.0f}/s", flush=True)
    translated = [pair for pair in done if pair[0].state == "translated"]
    if not options.no_check:
        for outcome, _ in translated:
            outcome.invalid = "; ".join(d.message for d in check(outcome.gql))
    if options.graphs:
        asked = constants(statement for _, statement in done)
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(options.graphs):
                graph = Path(folder) / f"{database}-{seed}"
                write_graph(schema, graph, seed, known=examples(found), asked=asked)
                _run_all(options, translated, schema, graph)
    yield from (outcome for outcome, _ in translated)


def _run_all(
    options: argparse.Namespace,
    done: list[tuple[Outcome, ir.Statement]],
    schema: SchemaGraph,
    graph: Path,
) -> None:
    runs = {name: RUNS[name] for name in options.runs.split(",")}
    with ExitStack() as stack:
        engines = {
            name: stack.enter_context(IsolatedEngine(name, graph, memory_mb=1500))
            for name in dict.fromkeys(engine for engine, _, _ in runs.values())
        }
        for outcome, statement in done:
            _run(outcome, statement, schema, engines, runs, options.timeout, graph.name)


def _run(
    outcome: Outcome,
    statement: ir.Statement,
    schema: SchemaGraph,
    engines: dict[str, IsolatedEngine],
    runs: dict[str, tuple[str, str, str]],
    timeout: float,
    graph: str,
) -> None:
    asked = probe(statement)
    if asked is None:
        outcome.answers["window"] += 1
        return
    inner = has_inner_window(statement)
    referee: Result | None = None
    said: dict[str, Result] = {}
    for name, (engine, language, dialect) in runs.items():
        try:
            if referee is None:
                text = render(asked.statement, dialect, schema).text
                referee = engines[engine].run(text, language=language, timeout=timeout)
            text = render(statement, dialect, schema).text
            said[name] = engines[engine].run(text, language=language, timeout=timeout)
        except Refused as problem:
            outcome.answers[f"{name}: {problem.code} {problem.construct}"] += 1
        except EngineError as problem:
            outcome.answers[f"{name}: {str(problem).splitlines()[0][:90]}"] += 1
        except GraphmillError as problem:
            outcome.answers[f"{name}: {problem}"] += 1
    if referee is None or len(said) < 2:
        return
    outcome.answers["empty" if not referee.rows else "rows"] += 1
    for name, answer in said.items():
        verdict = allowed(
            answer,
            referee,
            keys=asked.keys,
            skip=asked.skip,
            limit=asked.limit,
            unordered_lists=leaves_lists_open(statement),
        )
        if not verdict and inner:
            outcome.answers["window: another answer, a tie or a difference"] += 1
        elif not verdict:
            extra, missing = verdict.extra[:2], verdict.missing[:2]
            outcome.differs.append(
                f"{graph} {name}: {verdict.reason} extra {extra} missing {missing}"
            )


def _report(outcomes: list[Outcome], show: int) -> int:
    total = len(outcomes)
    states = Counter(outcome.state for outcome in outcomes)
    invalid = [o for o in outcomes if o.state == "translated" and o.invalid]
    print(f"queries {total}", *(f"{state} {n} ({n / total:.2%})" for state, n in states.items()))
    print(f"invalid {len(invalid)}")
    for state in ("refused", "error"):
        codes = Counter(o.code for o in outcomes if o.state == state)
        print(state, ", ".join(f"{code} {n}" for code, n in codes.most_common()))
    answers: Counter[str] = Counter()
    for outcome in outcomes:
        answers += outcome.answers
    differ = [outcome for outcome in outcomes if outcome.differs]
    if answers:
        compared = answers["rows"] + answers["empty"]
        print(f"compared {compared}, not empty {answers['rows'] / max(compared, 1):.1%}")
        print(f"queries that differ {len(differ)}")
        for reason, n in answers.most_common():
            if reason not in ("rows", "empty"):
                print(f"  {n:5} {reason}")
    for outcome in invalid[:show]:
        print("INVALID", outcome.cypher, "\n ", outcome.gql, "\n ", outcome.invalid)
    for outcome in differ[:show]:
        print("DIFFERS", outcome.cypher, "\n ", outcome.gql, "\n ", outcome.differs[0])
    return int(bool(invalid or differ))


if __name__ == "__main__":
    raise SystemExit(main())
