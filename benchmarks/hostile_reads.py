"""Hostile queries on small random graphs: every language's answer is held against Neo4j's.

    python -m benchmarks.hostile_reads [--runs sparql,jena-sparql,gremlin,ladybug-cypher]
        [--graphs 3] [--seed 0] [--like REGEX] [--known FILE] [--show 40] [--queries FILE]

The queries are benchmarks/hostile/reads.cypher; beside it are `limits.cypher` (sums and means, wide
integers, -0.0, division by zero, UNION, windows over zoned moments) and `meetings.cypher`. The odd
graphs have integers near 2^63, the even ones small ones; all have nulls, loops, parallel edges,
texts with quotes and characters of four bytes, moments with offsets, and a property that is a
number here and a text there; from seed 100 on also infinities and 2^53 as a float (a stored NaN is
refused by DuckDB). Of each query and graph a run is equal, refused, declared, differs, raises where
Neo4j answers, or answers where Neo4j raises. Exits with 1 where one differs or answers. `--known`
keeps Neo4j's answers.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engines import ENGINES
from engines.base import Result
from engines.compare import allowed
from engines.isolation import IsolatedEngine
from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graph_ir.rewrites import leaves_lists_open, probe
from graphmill.errors import EngineError, EngineUnavailable, QueryTextError, QueryUnsound, Refused
from qa.agreement import MEMORY_MB, RUNS
from qa.conformance.matrix import NO_VALUE, STORED
from qa.fuzz.graphs import SmallGraph, read_graph
from translators.render import render

QUERIES = Path(__file__).with_name("hostile") / "reads.cypher"
SCHEMA = """\
A(id!: INTEGER, i: INTEGER?, k: INTEGER?, f: FLOAT?, s: STRING?, b: BOOLEAN?, d: DATE?, \
t: DATETIME?, z: ZONED_DATETIME?, xs: LIST<INTEGER>, ws: LIST<STRING>, m: INTEGER?)
B(id!: INTEGER, i: INTEGER?, x: FLOAT?, s: STRING?, m: STRING?)
A-[R(w: INTEGER?, k: STRING?)]->A
A-[R(w: INTEGER?, k: STRING?)]->B
A-[S(at: DATE?)]->B"""
UNUSUAL_FROM = 100  # the first seed whose floats may be infinite
SMALL = (0, 1, 1, 2, 3, -1, 7)
WIDE = (*SMALL, 2**63 - 1, -(2**63), 2**53 + 1, 2**53, 2**62, -(2**62))
EDGES = (*WIDE, 2**53 - 1, -(2**53) - 1, -(2**53))
FLOATS = (0.0, -0.0, 1.0, 1.5, -2.5, 2.0, 0.1, 1e308, 1e-320, 2.5, -1.5)
UNUSUAL = (*FLOATS, float("inf"), float("-inf"), 9007199254740992.0)
TEXTS = ("a", "b", "ab", "Ann", "ann", "", "1", "1.9", " 2 ", "it's", 'q"\\x', "a\\b", "Zoë",
    "Zoe\u0308", "😀a", "a😀b",
    "tab\there\nline", "b\n", "\u00a0x\u2003", "ß", "İ", "NaN", "true", "\U00010000",
    "\uffff", "9223372036854775808")  # fmt: skip
DATES = ("2020-01-31", "2020-02-29", "2019-12-30", "2021-06-15", "0001-01-01", "9999-12-31")
MOMENTS = ("2020-01-31T10:30:00", "2020-02-29T23:59:59.25", "2019-12-30T00:00:00")
ZONED = ("2020-01-31T10:30:00Z", "2020-01-31T12:30:00+02:00", "2020-01-31T10:30:00-05:00",
    "2020-02-01T00:15:00+14:00")  # fmt: skip


def graph_of(seed: int) -> SmallGraph:
    """A random graph; the same seed, the same graph."""
    rng = random.Random(f"hostile {seed}")
    whole: tuple[int, ...] = WIDE if seed % 2 else SMALL
    floats: tuple[float, ...] = FLOATS
    if seed >= UNUSUAL_FROM:
        whole, floats = EDGES, UNUSUAL

    def maybe(pool: tuple[Any, ...]) -> Any:
        return None if rng.random() < 0.25 else rng.choice(pool)

    def several(pool: tuple[Any, ...]) -> Any:
        return [rng.choice(pool) for _ in range(rng.randrange(4))]

    a = tuple(
        (number, maybe(whole), maybe(SMALL), maybe(floats), maybe(TEXTS), maybe((True, False)),
         maybe(DATES), maybe(MOMENTS), maybe(ZONED), several(SMALL), several(TEXTS), maybe(SMALL))
        for number in range(8)
    )  # fmt: skip
    b = tuple(
        (number, maybe(whole), maybe(floats), maybe(TEXTS), maybe(("1", "a", "2", "10")))
        for number in range(20, 24)
    )
    ends = {"A": range(8), "B": range(20, 24)}
    graph = read_graph(SCHEMA)
    rows: dict[str, tuple[tuple[Any, ...], ...]] = {"A": a, "B": b}
    for edge in graph.schema.edges:
        made: list[tuple[Any, ...]] = []
        for _ in range(9 if edge.target == "A" else 5):
            source, target = rng.choice(ends[edge.source]), rng.choice(ends[edge.target])
            own = (maybe(DATES),) if edge.label == "S" else (maybe(SMALL), maybe(("x", "y")))
            made += [(source, target, *own)] * rng.choice((1, 1, 1, 2))
            if edge.target == "A" and rng.random() < 0.2:
                made.append((source, source, *own))
        rows[edge.name] = tuple(made)
    return SmallGraph(graph.schema, rows)


@dataclass(frozen=True)
class Truth:
    """Neo4j's rows without the window, or its error."""

    rows: Result | None
    error: str = ""


class Known:
    """Neo4j's answers, kept in a file; Neo4j starts when one is not known."""

    def __init__(self, path: Path | None, stack: ExitStack) -> None:
        self._path, self._stack = path, stack
        self._engine: IsolatedEngine | None = None
        self._graph = ""
        lines = path.read_text("utf-8").splitlines() if path and path.exists() else []
        self._known: dict[str, Any] = dict(json.loads(line) for line in lines)

    def answer(self, text: str, graph: Path) -> Truth:
        """What Neo4j answers to a text."""
        key = f"{graph.name} {text}"
        if key not in self._known:
            self._known[key] = self._asked(text, graph)
            if self._path:
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([key, self._known[key]]) + "\n")
        kept = self._known[key]
        if isinstance(kept, str):
            return Truth(None, kept)
        return Truth(Result(tuple(kept["columns"]), tuple(map(tuple, kept["rows"]))))

    def _asked(self, text: str, graph: Path) -> Any:
        if self._engine is None:
            engine = IsolatedEngine("neo4j", graph, memory_mb=2048)
            self._engine = self._stack.enter_context(engine)
        elif self._graph != graph.name:
            self._engine.use(graph)
        self._graph = graph.name
        try:
            result = self._engine.run(text, language="cypher", timeout=60)
        except EngineUnavailable:
            raise
        except EngineError as problem:
            return str(problem).splitlines()[0] or "error"
        return {"columns": result.columns, "rows": result.rows}


def judged(
    statement: ir.Statement, run: str, truth: Truth, graph: SmallGraph, engine: IsolatedEngine
) -> tuple[str, str]:
    """What became of a run, and what it says."""
    way = RUNS[run]
    try:
        own = bind(statement, graph.schema).statement
        if any(fault.applies(own) for fault in ENGINES.get("neo4j").unsound):
            return "declared", "of Neo4j"
        for fault in ENGINES.get(way.engine).unsound:
            if way.dialect in fault.dialects and fault.applies(own):
                return "declared", fault.code
        text = render(statement, way.dialect, graph.schema).text
    except (Refused, QueryTextError) as problem:
        return "refused", problem.code
    try:
        answer = engine.run(text, language=way.language, timeout=60)
    except EngineUnavailable:
        raise
    except QueryUnsound:
        return "declared", "stored"
    except EngineError as problem:
        return ("raises" if truth.rows else "equal"), f"{problem}\n{text}"
    if truth.rows is None and NO_VALUE in truth.error:
        return "refused", "no value of the driver"
    if truth.rows is None and STORED in truth.error:
        return "declared", "of Neo4j"
    if truth.rows is None:
        return "answers", f"{answer.rows[:3]}, Neo4j: {truth.error}\n{text}"
    asked = probe(statement)
    keys, skip, limit = (asked.keys, asked.skip, asked.limit) if asked else (0, 0, None)
    verdict = allowed(answer, truth.rows, keys=keys, skip=skip, limit=limit,
                      unordered_lists=leaves_lists_open(statement))  # fmt: skip
    if verdict:
        return "equal", ""
    return (
        "differs",
        f"{verdict.reason} extra {verdict.extra[:3]} missing {verdict.missing[:3]}\n{text}",
    )


def queries(path: Path) -> Iterator[str]:
    """The queries of a file, one a line."""
    for line in path.read_text("utf-8").splitlines():
        if line.strip() and not line.startswith("//"):
            yield line


def main() -> int:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    arguments.add_argument("--runs", default="sparql,jena-sparql,gremlin,ladybug-cypher")
    arguments.add_argument("--graphs", type=int, default=3)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--like", default="")
    arguments.add_argument("--known", type=Path)
    arguments.add_argument("--queries", type=Path, default=QUERIES)
    arguments.add_argument("--show", type=int, default=40)
    options = arguments.parse_args()
    runs = options.runs.split(",")
    chosen = [text for text in queries(options.queries) if re.search(options.like, text)]
    states: dict[str, Counter[str]] = {run: Counter() for run in runs}
    codes: dict[str, Counter[str]] = {run: Counter() for run in runs}
    shown: dict[tuple[str, str, str], str] = {}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        known = Known(options.known, stack)
        engines: dict[str, IsolatedEngine] = {}
        for seed in range(options.seed, options.seed + options.graphs):
            graph = graph_of(seed)
            path = graph.write(Path(folder) / f"graph-{seed}")
            for run in runs:
                name = RUNS[run].engine
                if name not in engines:
                    limit = MEMORY_MB.get(name, 1500)
                    engine = IsolatedEngine(name, path, memory_mb=limit)
                    engines[name] = stack.enter_context(engine)
                else:
                    engines[name].use(path)
            for text in chosen:
                statement = parse(text)
                try:
                    asked = probe(statement)
                    shown_whole = asked.statement if asked else statement
                    whole = render(shown_whole, "cypher", graph.schema).text
                except (Refused, QueryTextError) as problem:
                    shown.setdefault(("cypher", "invalid", text), str(problem))
                    continue
                truth = known.answer(whole, path)
                for run in runs:
                    state, why = judged(statement, run, truth, graph, engines[RUNS[run].engine])
                    states[run][state] += 1
                    if state in ("refused", "declared"):
                        codes[run][f"{state} {why}"] += 1
                    elif state != "equal":
                        shown.setdefault((run, state, text), f"graph {seed}: {why}")
    for run in runs:
        print(f"{run}:", ", ".join(f"{state} {n}" for state, n in states[run].most_common()))
        print("   ", ", ".join(f"{code} {n}" for code, n in codes[run].most_common()))
    for (run, state, text), why in list(shown.items())[: options.show]:
        print(f"\n{run} {state.upper()}: {text}\n  {why}")
    return int(any(states[run][bad] for run in runs for bad in ("differs", "answers")))


if __name__ == "__main__":
    sys.exit(main())
