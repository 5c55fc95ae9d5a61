"""The interpreter answers as the referee does, over random queries and random graphs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from engines.backends.duckdb import DuckDB
from engines.base import Result
from engines.compare import allowed
from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graph_ir.rewrites import leaves_lists_open, probe
from graphmill.errors import EngineError, Refused
from qa.fuzz.graphs import SmallGraph, random_graph, read_graph
from qa.fuzz.shrink import is_valid
from qa.fuzz.statements import random_statement
from qa.mutation.interpreter.clauses import Outcome, Program, Trace
from qa.mutation.interpreter.elements import MemoryGraph
from qa.mutation.interpreter.expressions import TooMuch
from qa.mutation.interpreter.values import Fault, Unsupported
from qa.mutation.mutants import mutants
from translators.render import render

pytestmark = pytest.mark.slow


SEEDS = range(9000, 9080)
PER_GRAPH = 40

TINY = """
A(id!: INTEGER, s: STRING?)
A-[R(w: INTEGER?)]->A

A [1, "x"]
A [2, "y"]
A [3, null]
A-R-A [1, 2, 5]
A-R-A [2, 3, null]
A-R-A [2, 2, 7]
"""


def test_it_answers_as_the_referee(tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    for start in range(SEEDS.start, SEEDS.stop, PER_GRAPH):
        graph = random_graph(start // PER_GRAPH)
        with DuckDB() as engine:
            engine.load(graph.write(tmp_path / str(start)))
            for seed in range(start, start + PER_GRAPH):
                said = _compare(seed, graph, engine)
                counts[said.split(" ")[0]] += 1
                assert not said.startswith("differs"), said
    assert counts["same"] > 0.6 * len(SEEDS)


def _compare(seed: int, graph: SmallGraph, engine: DuckDB) -> str:
    statement = random_statement(seed, graph.schema)
    asked = probe(statement)
    if asked is None or not is_valid(statement, graph.schema):
        return "invalid"
    try:
        program = Program(bind(statement, graph.schema).statement)
        own, memory = "", MemoryGraph(graph)
        is_open, found = program.run(memory).open, program.result(memory)
    except (Unsupported, Fault, TooMuch) as problem:
        own = type(problem).__name__
    text, referee = "", Result((), ())
    try:
        text = render(asked.statement, "sql", graph.schema).text
        referee = engine.run(text, language="sql", timeout=20)
    except (Refused, EngineError):
        return "unanswered"
    if own:
        return f"differs {seed}: fault" if own == "Fault" else own.lower()
    verdict = allowed(
        found,
        referee,
        keys=asked.keys,
        skip=asked.skip,
        limit=asked.limit,
        unordered_lists=leaves_lists_open(statement),
    )
    return "same" if verdict or is_open else f"differs {seed}: {verdict.reason} {verdict.extra}"


def test_a_variant_answers_beside_its_query_as_it_does_alone() -> None:
    """What programs share, of code and of rows, changes no answer."""
    shared = same = 0
    for seed in range(120):
        graph = random_graph(seed // 6)
        statement = random_statement(seed, graph.schema)
        if not is_valid(statement, graph.schema):
            continue
        query, memory = bind(statement, graph.schema).statement, MemoryGraph(graph)
        try:
            program = Program(query)
            trace = program.trace(memory)
        except (Unsupported, Fault, TooMuch):
            continue
        assert trace.outcome == program.run(memory) == Program(query).run(MemoryGraph(graph))
        if trace.outcome.open:
            continue
        for mutant in mutants(query, graph.schema, Random(seed)):
            alone, beside = (
                _outcome(mutant.statement, own, memory, trace) for own in (None, program)
            )
            shared += 1
            same += beside is trace.outcome
            assert alone == beside, mutant
    assert shared > 300
    assert same > 50


def _outcome(
    statement: ir.Statement, beside: Program | None, graph: MemoryGraph, trace: Trace
) -> Outcome | None:
    try:
        program = Program(statement, beside)
        return program.run(graph) if beside is None else program.run_beside(trace, graph)
    except (Unsupported, Fault, TooMuch):
        return None


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("MATCH (a:A)-[r:R]->(b) RETURN a.id, b.id ORDER BY a.id, b.id", [(1, 2), (2, 2), (2, 3)]),
        ("MATCH (a)-[:R]->(b)-[:R]->(c) RETURN a.id, c.id ORDER BY a.id, c.id",
         [(1, 2), (1, 3), (2, 3)]),
        ("MATCH (a {id: 1})-[:R*2..3]->(b) RETURN b.id ORDER BY b.id", [(2,), (3,), (3,)]),
        ("MATCH (a:A) WHERE NOT (a)-[:R]->() RETURN a.id", [(3,)]),
        ("MATCH (a:A) WHERE COUNT { (a)-[:R]->() } > 1 RETURN a.id", [(2,)]),
        ("MATCH (a:A) OPTIONAL MATCH (a)-[r:R]->() WHERE r.w > 6 RETURN a.id, r.w ORDER BY a.id",
         [(1, None), (2, 7), (3, None)]),
        ("MATCH (a:A) RETURN count(a.s), count(*), max(a.s)", [(2, 3, "y")]),
        ("MATCH (a:A) RETURN percentileCont(a.id, 0.5) / 4, percentileCont(a.id, 0.25) / 4",
         [(0, 0.375)]),
        ("MATCH (a:A) WHERE a.s <> 'x' RETURN a.id", [(2,)]),
        ("MATCH (a:A) RETURN a.s ORDER BY a.s DESC LIMIT 2", [(None,), ("y",)]),
        ("MATCH p = shortestPath((a:A {id: 1})-[:R*]->(b:A {id: 3})) RETURN length(p)", [(2,)]),
        ("UNWIND [1, 1, 2] AS x WITH x, count(*) AS n WHERE n > 1 RETURN x, n", [(1, 2)]),
        ("MATCH (a:A) RETURN a.id AS x UNION MATCH (a:A) WHERE a.id < 2 RETURN a.id AS x",
         [(1,), (2,), (3,)]),
    ],
)  # fmt: skip
def test_small_answers(query: str, rows: list[tuple[object, ...]]) -> None:
    graph = read_graph(TINY)
    program = Program(bind(parse(query), graph.schema).statement)
    assert list(program.result(MemoryGraph(graph)).rows) == rows


def test_a_query_that_explodes_is_stopped() -> None:
    graph = MemoryGraph(read_graph(TINY))
    program = Program(parse("MATCH (a), (b), (c), (d) RETURN count(*) AS n"))
    with pytest.raises(TooMuch):
        program.run(graph, steps=50)
    assert program.run(graph).rows == [(81,)]


def test_a_choice_among_ties_inside_is_open() -> None:
    graph = MemoryGraph(read_graph(TINY))
    assert Program(parse("MATCH (a:A) WITH a LIMIT 1 RETURN a.id AS x")).run(graph).open
    ordered = Program(parse("MATCH (a:A) WITH a ORDER BY a.id LIMIT 1 RETURN a.id AS x"))
    assert not ordered.run(graph).open
