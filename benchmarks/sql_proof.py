"""Prove source SQL by execution: SQLite against the graph engines, for a folder of databases.

    python benchmarks/sql_proof.py FOLDER GOLD.jsonl [--only DB] [--limit N] [--engines …]
        [--work DIR] [--out RESULTS.jsonl] [--show 3]

GOLD has lines {"database": path below FOLDER, "sql": …}. Every distinct SQL is translated,
printed as Cypher and read back, rendered for every engine and run; answers are compared with
ties under LIMIT as ties. `proven`: SQLite and all engines give the same answer, except for a
language that cannot say it, which is counted. `refused`: by the translation, with a code.
`not rendered`: no SQL for the referee. `disagrees`: an answer differs. `error`: an engine
failed. Queries with `uses_now` are left out. Exits with 1 when an answer differs.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from engines.base import Result
from engines.compare import allowed
from engines.isolation import IsolatedEngine
from engines.sources._texts import as_typed
from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graph_ir.rewrites import Probe, has_inner_window, probe
from graphmill.errors import (
    EngineError,
    GraphmillError,
    QueryTextError,
    Refused,
)
from schemagraph.convert.service import convert
from schemagraph.folder.serde import load_mapping, load_schema
from translators.from_sql.reader import SqlTranslator
from translators.language import DIALECTS
from translators.render import render

# What is run: engine, language, dialect (the first that exists).
RUNS = {
    "cypher": ("grafeo", "cypher", ("cypher-grafeo", "cypher")),
    "gql": ("grafeo", "gql", ("gql-grafeo",)),
    "sql": ("duckdb", "sql", ("sql",)),
    "neo4j": ("neo4j", "cypher", ("cypher",)),
}


@dataclass
class Outcome:
    """What became of one SQL text."""

    database: str
    sql: str
    state: str
    code: str = ""
    detail: str = ""
    texts: dict[str, str] = field(default_factory=dict)
    rows: int = 0
    not_in: str = ""
    milliseconds: float = 0.0


def main() -> int:
    """Run the proof."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("gold", type=Path)
    arguments.add_argument("--only", action="append", default=[])
    arguments.add_argument("--limit", type=int)
    arguments.add_argument("--part", default="0/1", help="k/n: every n-th database from the k-th")
    arguments.add_argument("--engines", default="cypher,gql,sql")
    arguments.add_argument("--work", type=Path, help="where graphs are kept between runs")
    arguments.add_argument("--out", type=Path)
    arguments.add_argument("--show", type=int, default=3)
    arguments.add_argument("--timeout", type=float, default=30.0)
    options = arguments.parse_args()
    with ExitStack() as stack:
        work = options.work or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        out = stack.enter_context(options.out.open("w")) if options.out else None
        outcomes = []
        for outcome in _all(options, work):
            outcomes.append(outcome)
            if out is not None:
                out.write(json.dumps(outcome.__dict__) + "\n")
                out.flush()
    report(outcomes, options.show)
    return int(any(outcome.state == "disagrees" for outcome in outcomes))


def _all(options: argparse.Namespace, work: Path) -> Iterator[Outcome]:
    gold: dict[str, dict[str, None]] = defaultdict(dict)
    for line in options.gold.read_text().splitlines():
        record = json.loads(line)
        wanted = not options.only or any(name in record["database"] for name in options.only)
        if wanted and not record.get("uses_now"):
            gold[record["database"]][record["sql"]] = None
    part, parts = map(int, options.part.split("/"))
    names = {name: run for name, run in RUNS.items() if name in options.engines.split(",")}
    count = 0
    with Proof(names, options.timeout) as proof:
        for database, texts in sorted(gold.items())[part::parts]:
            print(f"{database}: {len(texts)} queries", file=sys.stderr)
            kept = list(texts)[: None if options.limit is None else max(options.limit - count, 0)]
            count += len(kept)
            if kept:
                path = options.folder / database
                graph = work / path.stem
                yield from proof.database(path, graph, kept)


class Proof:
    """Engines that go from database to database; `runs` is what is run beside the source."""

    def __init__(self, runs: dict[str, tuple[str, str, tuple[str, ...]]], timeout: float) -> None:
        self.runs = runs
        self.timeout = timeout
        self.engines = {name: IsolatedEngine(name, None) for name, _, _ in runs.values()}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        for engine in self.engines.values():
            engine.close()

    def database(self, path: Path, graph: Path, texts: list[str]) -> Iterator[Outcome]:
        """What becomes of each SQL text over one database; its graph is made if there is none."""
        try:
            if not (graph / "schema.json").is_file():
                convert(str(path), graph)
        except GraphmillError as problem:
            for sql in texts:
                yield Outcome(path.stem, sql, "error", "convert", str(problem))
            return
        for engine in self.engines.values():
            engine.use(graph)
        mapping, schema = load_mapping(graph), load_schema(graph)
        assert mapping is not None
        translator = SqlTranslator(mapping, schema)
        with IsolatedEngine("sqlite", None, source=str(path)) as source:
            engines = {**self.engines, "sqlite": source}
            for sql in texts:
                outcome = Outcome(path.stem, sql, "proven")
                statement = translate(outcome, translator)
                if statement is not None:
                    try:
                        prove(outcome, statement, schema, engines, self.runs, self.timeout)
                    except Exception as problem:  # noqa: BLE001 - in a printer too
                        outcome.state, outcome.code = "crash", type(problem).__name__
                        outcome.detail = repr(problem)
                yield outcome


def translate(outcome: Outcome, translator: SqlTranslator) -> ir.Statement | None:
    """The meaning of the SQL text; None where the outcome says why there is none."""
    start = time.process_time()
    try:
        return translator.translate(outcome.sql)
    except Refused as problem:
        outcome.state, outcome.code = "refused", problem.code
        outcome.detail = problem.reason
    except QueryTextError as problem:
        outcome.state, outcome.code = "refused", f"text:{problem.code}"
        outcome.detail = str(problem)
    except Exception as problem:  # noqa: BLE001 - a crash is what this looks for
        outcome.state, outcome.code = "crash", type(problem).__name__
        outcome.detail = repr(problem)
    finally:
        outcome.milliseconds = (time.process_time() - start) * 1000
    return None


def prove(
    outcome: Outcome,
    statement: ir.Statement,
    schema: Any,
    engines: dict[str, IsolatedEngine],
    runs: dict[str, tuple[str, str, tuple[str, ...]]],
    timeout: float,
) -> None:
    """Run a translation on every engine and note what comes of it."""
    try:
        text = render(statement, "cypher", schema).text
        outcome.texts["cypher"] = text
        if parse(text) != statement:
            outcome.state, outcome.code = "crash", "round-trip"
            return
        asked = probe(statement)
        assert asked is not None, "the window of a translated query is made of numbers"
        referee = _referee(outcome, asked, schema, engines, runs, timeout)
    except (GraphmillError, AssertionError) as problem:
        _failed(outcome, "probe", problem)
        return
    answers: list[tuple[str, Result]] = []
    try:
        given = engines["sqlite"].run(outcome.sql, language="sql")
        kinds = [kind.kind for _, kind in bind(statement, schema).columns]
        answers.append(("sqlite", as_typed(given, kinds)))
    except EngineError as problem:
        _failed(outcome, "sqlite", problem)
        return
    outcome.rows = len(answers[0][1].rows)
    for name, (engine, language, dialects) in runs.items():
        try:
            text = render(statement, _dialect(dialects), schema).text
            outcome.texts[name] = text
            answers.append((name, engines[engine].run(text, language=language, timeout=timeout)))
        except Refused as problem:
            outcome.not_in += f"{name}:{problem.code} "
        except GraphmillError as problem:
            _failed(outcome, name, problem)
    for name, answer in answers:
        verdict = allowed(
            answer,
            referee,
            keys=asked.keys,
            skip=asked.skip,
            limit=asked.limit,
            booleans=False,
        )
        if not verdict.ok:
            window = "inner-window:" if has_inner_window(statement) else ""
            outcome.state, outcome.code = "disagrees", f"{window}{name}"
            outcome.detail = (
                f"{verdict.reason} only {name}: {list(verdict.extra[:3])} "
                f"only referee: {list(verdict.missing[:3])}"
            )
            return


def _referee(
    outcome: Outcome,
    asked: Probe,
    schema: Any,
    engines: dict[str, IsolatedEngine],
    runs: dict[str, tuple[str, str, tuple[str, ...]]],
    timeout: float,
) -> Result:
    name = "sql" if "sql" in runs else next(iter(runs))
    engine, language, dialects = runs[name]
    text = render(asked.statement, _dialect(dialects), schema).text
    outcome.texts["probe"] = text
    return engines[engine].run(text, language=language, timeout=timeout)


def _dialect(names: tuple[str, ...]) -> str:
    known = DIALECTS.names()
    return next((name for name in names if name in known), names[-1])


def _failed(outcome: Outcome, where: str, problem: Exception) -> None:
    if isinstance(problem, Refused):
        outcome.state, outcome.code = "not rendered", f"{where}:{problem.code}"
    else:
        kind = getattr(problem, "kind", type(problem).__name__)
        outcome.state, outcome.code = "error", f"{where}:{kind}"
    outcome.detail = str(problem)


def report(outcomes: list[Outcome], show: int) -> None:
    """Print the shares, and examples of all that is not proven."""
    if not outcomes:
        print("no queries")
        return
    states = Counter(outcome.state for outcome in outcomes)
    print(f"{len(outcomes)} distinct queries, {len({o.database for o in outcomes})} databases")
    for state, number in states.most_common():
        print(f"{state:13} {number:6} {number / len(outcomes):7.2%}")
    proven = [outcome for outcome in outcomes if outcome.state == "proven"]
    print(f"proven with rows {sum(bool(o.rows) for o in proven)}")
    for why, number in Counter(o.not_in for o in proven if o.not_in).most_common():
        print(f"proven, but not said in {why}: {number}")
    times = sorted(outcome.milliseconds for outcome in outcomes)
    if any(times):
        print(f"translation: {1000 / (sum(times) / len(times)):.0f} queries/s of processor time")
    codes = Counter((o.state, o.code) for o in outcomes if o.state != "proven")
    for (state, code), number in codes.most_common():
        print(f"\n== {state} {code}: {number}")
        for outcome in [o for o in outcomes if (o.state, o.code) == (state, code)][:show]:
            print(f"   {outcome.database}: {' '.join(outcome.sql.split())}")
            print(f"      {outcome.detail[:400]}")


if __name__ == "__main__":
    sys.exit(main())
