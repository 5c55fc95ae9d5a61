"""How much of a set of Cypher queries is said in nGQL, is accepted, and reads back as it was meant.

    python benchmarks/ngql_emission.py QUERIES.jsonl SCHEMAS.jsonl [--only DB] [--limit N]
        [--graphs N] [--show 3]

QUERIES has lines {"cypher", "database", "syntax_error"}, SCHEMAS lines {"database",
"structured_schema"}. Every distinct text without the flag is rendered as nGQL; the text must be
accepted by the grammar, read back as the IR that was written and binds to the schema, and name
every label, type and constant of the query. With --graphs N, the IR read back is run over N
random graphs of the schema, through the `sql` dialect on DuckDB, and must answer as the query
does; ties under LIMIT count as equal. Prints shares and refusals by code; exits with 1 when
something is wrong.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.random_graphs import examples, read_schemas, schema_of, write_graph
from benchmarks.words import lost
from engines.compare import allowed
from engines.isolation import IsolatedEngine
from graph_ir import nodes as ir
from graph_ir.bind.statements import TOLERATED, bind
from graph_ir.canonical import fingerprint
from graph_ir.cypher.reader import parse
from graph_ir.features import constants
from graph_ir.rewrites import has_inner_window, leaves_lists_open, probe
from graphmill.errors import GraphmillError, QueryTextError, Refused
from schemagraph.model import SchemaGraph
from translators.ngql.emit.dialect import Ngql
from translators.ngql.emit.native import native_form
from translators.ngql.grammar.check import check
from translators.ngql.read.reader import read_back
from translators.render import render


@dataclass
class Outcome:
    """One query and what became of it; `state` is refused, error, wrong or said."""

    database: str
    cypher: str
    state: str = "said"
    code: str = ""
    text: str = ""
    again: ir.Statement | None = None
    same: bool = False
    notes: Counter[str] = field(default_factory=Counter)


def main() -> int:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("queries", type=Path)
    arguments.add_argument("schemas", type=Path)
    arguments.add_argument("--only", action="append", default=[])
    arguments.add_argument("--limit", type=int)
    arguments.add_argument("--graphs", type=int, default=0)
    arguments.add_argument("--timeout", type=float, default=10.0)
    arguments.add_argument("--show", type=int, default=3)
    options = arguments.parse_args()
    texts: dict[str, dict[str, None]] = defaultdict(dict)
    for line in options.queries.read_text("utf-8").splitlines():
        record = json.loads(line)
        if (not options.only or record["database"] in options.only) and not record.get(
            "syntax_error"
        ):
            texts[record["database"]][record["cypher"]] = None
    schemas = read_schemas(options.schemas)
    outcomes: list[Outcome] = []
    start = time.perf_counter()
    for database, found in sorted(texts.items()):
        schema = schema_of(database, schemas[database])
        done = [_say(database, text, schema) for text in list(found)[: options.limit]]
        outcomes += done
        if options.graphs:
            with tempfile.TemporaryDirectory() as folder:
                _run(options, done, schema, schemas[database], Path(folder))
    return _report(outcomes, options.show, time.perf_counter() - start)


def _say(database: str, cypher: str, schema: SchemaGraph) -> Outcome:
    outcome = Outcome(database, cypher)
    try:
        statement = parse(cypher)
        outcome.text = render(statement, "ngql", schema).text
    except QueryTextError as problem:
        outcome.state, outcome.code = "error", problem.code
        return outcome
    except Refused as problem:
        outcome.state, outcome.code = "refused", problem.code
        return outcome
    outcome.state = "wrong"
    if check(outcome.text):
        outcome.code = "not accepted"
        return outcome
    bound = bind(statement, schema).statement
    lowered = Ngql(schema).lowered(bound)
    try:
        outcome.again = read_back(outcome.text)
    except GraphmillError as problem:
        outcome.code = f"not read back: {problem}"
        return outcome
    if outcome.again != lowered:
        outcome.code = "reads back differently"
        return outcome
    for found in bind(outcome.again, schema).errors:
        if found.code not in TOLERATED:
            outcome.code = f"what reads back is an error: {found.message}"
            return outcome
    if missing := lost(statement, outcome.text):
        outcome.notes["words not in the text"] += 1
        outcome.code = f"lost {missing}"
    if native_form(bound, schema):
        outcome.notes["has a native form, too"] += 1
    outcome.state = "said"
    outcome.same = fingerprint(outcome.again) == fingerprint(statement)
    return outcome


def _run(
    options: argparse.Namespace,
    done: list[Outcome],
    schema: SchemaGraph,
    found: dict[str, object],
    folder: Path,
) -> None:
    """Compare the answers of what was read back with those of the query."""
    said = [outcome for outcome in done if outcome.state == "said"]
    asked = constants(parse(outcome.cypher) for outcome in said)
    for seed in range(options.graphs):
        graph = folder / str(seed)
        write_graph(schema, graph, seed, known=examples(found), asked=asked)
        with IsolatedEngine("duckdb", graph, memory_mb=1500) as engine:
            for outcome in said:
                if outcome.state == "said":
                    _compare(outcome, schema, engine, options.timeout)


def _compare(outcome: Outcome, schema: SchemaGraph, engine: IsolatedEngine, timeout: float) -> None:
    statement = parse(outcome.cypher)
    wanted = probe(statement)
    if wanted is None or outcome.again is None:
        outcome.notes["window"] += 1
        return
    try:
        text = render(wanted.statement, "sql", schema).text
        referee = engine.run(text, language="sql", timeout=timeout)
    except GraphmillError as problem:
        outcome.notes[f"sql of the query: {str(problem).splitlines()[0][:70]}"] += 1
        return
    try:
        text = render(outcome.again, "sql", schema).text
        answer = engine.run(text, language="sql", timeout=timeout)
    except GraphmillError as problem:
        outcome.notes[f"sql of the text: {str(problem).splitlines()[0][:70]}"] += 1
        return
    verdict = allowed(
        answer,
        referee,
        keys=wanted.keys,
        skip=wanted.skip,
        limit=wanted.limit,
        unordered_lists=leaves_lists_open(statement),
    )
    outcome.notes["rows" if referee.rows else "empty"] += 1
    if verdict:
        outcome.notes["equal"] += 1
    elif has_inner_window(statement):
        outcome.notes["a window inside: a tie or a difference"] += 1
    else:
        outcome.state, outcome.code = "wrong", f"answers differ: {verdict.reason}"


def _report(outcomes: list[Outcome], show: int, seconds: float) -> int:
    total = len(outcomes)
    states = Counter(outcome.state for outcome in outcomes)
    print(f"queries {total}, {seconds:.1f} s")
    for state, number in states.most_common():
        print(f"  {state} {number} ({number / total:.2%})")
    same = sum(outcome.same for outcome in outcomes)
    print(f"  the IR read back has the query's own fingerprint: {same}")
    for state in ("refused", "error"):
        codes = Counter(o.code for o in outcomes if o.state == state)
        print(f"{state}:", ", ".join(f"{code} {n}" for code, n in codes.most_common()))
    notes: Counter[str] = Counter()
    for outcome in outcomes:
        notes += outcome.notes
    for note, number in notes.most_common():
        print(f"  {number:6} {note}")
    wrong = [outcome for outcome in outcomes if outcome.state == "wrong"]
    odd = [outcome for outcome in outcomes if outcome.state == "said" and outcome.code]
    for outcome in [*wrong, *odd][:show]:
        print(outcome.code, "\n ", outcome.cypher, "\n ", outcome.text)
    return int(bool(wrong))


if __name__ == "__main__":
    raise SystemExit(main())
