"""How much of a set of Cypher queries is said in Spanner's GQL, and what its analyser says of it.

    python benchmarks/spanner_emission.py QUERIES.jsonl SCHEMAS.jsonl [--dialect pgq] [--only DB]
        [--limit N] [--show 3] [--out RESULTS.jsonl]

QUERIES has lines {"cypher", "database", "syntax_error"}, SCHEMAS lines {"database",
"structured_schema"}. Every distinct text without the flag is rendered as `spanner` (or `pgq`);
GoogleSQL's analyser judges each text in the profile of that, over the catalogue of the schema; and
every label, edge type and constant of the query must stand in the text. Prints the shares emitted
and accepted, refusals by code, each text that is not accepted with the analyser's message, and
texts that lost a word. Exits with 1 when there is one of either. Nothing is executed.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from benchmarks.random_graphs import read_schemas, schema_of
from benchmarks.words import lost
from engines.judges.process import Judge
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryTextError, Refused
from schemagraph.model import SchemaGraph
from translators.render import render


@dataclass
class Outcome:
    """One query and what became of it; `state` is refused, error, rejected, lost or accepted."""

    database: str
    cypher: str
    state: str = "accepted"
    code: str = ""
    text: str = ""
    message: str = ""


def main() -> int:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("queries", type=Path)
    arguments.add_argument("schemas", type=Path)
    arguments.add_argument("--dialect", default="spanner", choices=("spanner", "pgq"))
    arguments.add_argument("--only", action="append", default=[])
    arguments.add_argument("--limit", type=int)
    arguments.add_argument("--show", type=int, default=3)
    arguments.add_argument("--out", type=Path)
    options = arguments.parse_args()
    texts: dict[str, dict[str, None]] = defaultdict(dict)
    for line in options.queries.read_text("utf-8").splitlines():
        record = json.loads(line)
        wanted = not options.only or record["database"] in options.only
        if wanted and not record.get("syntax_error"):
            texts[record["database"]][record["cypher"]] = None
    schemas = read_schemas(options.schemas)
    outcomes: list[Outcome] = []
    said = judged = 0.0
    dialect = options.dialect
    with Judge("googlesql" if dialect == "spanner" else dialect, None) as judge:
        for database, found in sorted(texts.items()):
            schema = schema_of(database, schemas[database])
            start = time.perf_counter()
            queries = list(found)[: options.limit]
            done = [_say(database, text, schema, dialect) for text in queries]
            middle = time.perf_counter()
            judge.use(schema)
            for outcome in done:
                if outcome.text:
                    _judge(outcome, judge)
            outcomes += done
            said, judged = said + middle - start, judged + time.perf_counter() - middle
    if options.out:
        options.out.write_text("".join(json.dumps(vars(each)) + "\n" for each in outcomes))
    return _report(outcomes, options.show, said, judged)


def _say(database: str, cypher: str, schema: SchemaGraph, dialect: str) -> Outcome:
    outcome = Outcome(database, cypher)
    try:
        statement = parse(cypher)
        outcome.text = render(statement, dialect, schema).text
    except QueryTextError as problem:
        outcome.state, outcome.code = "error", problem.code
    except Refused as problem:
        outcome.state, outcome.code, outcome.message = "refused", problem.code, str(problem)
    else:
        if missing := lost(statement, outcome.text):
            outcome.state, outcome.message = "lost", ", ".join(missing)
    return outcome


def _judge(outcome: Outcome, judge: Judge) -> None:
    found = judge.check(outcome.text)
    if found:
        first = found[0]
        outcome.state = "rejected"
        outcome.message = f"{first.line}:{first.column} {first.message}"


def _report(outcomes: list[Outcome], show: int, said: float, judged: float) -> int:
    states = Counter(outcome.state for outcome in outcomes)
    total = len(outcomes)
    emitted = sum(1 for outcome in outcomes if outcome.text)
    accepted = emitted - states["rejected"]
    print(f"{total} queries; {total / said:.0f}/s rendered, {emitted / judged:.0f}/s judged")
    print(f"emitted {emitted} ({emitted / total:.2%}), accepted {accepted} of them")
    print(f"without a label, type or constant: {states['lost']}; errors {states['error']}")
    for code, count in Counter(o.code for o in outcomes if o.state == "refused").most_common():
        print(f"{count:6} refused {code}")
        for outcome in [o for o in outcomes if o.code == code][:show]:
            print(f"         {' '.join(outcome.cypher.split())[:160]}")
    for outcome in outcomes:
        if outcome.state in ("rejected", "lost"):
            print(f"{outcome.state}: {outcome.message}\n  {outcome.cypher!r}\n  {outcome.text!r}")
    return 1 if states["rejected"] or states["lost"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
