"""Sums of integers at the end of 64 bits: exact, or an error, in every dialect that runs here.

Neo4j goes on with floats there; the exact sum is equal to what it has, as a number.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from engines.isolation import IsolatedEngine
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryError, Refused
from qa.agreement import MEMORY_MB, RUNS
from qa.fuzz.graphs import read_graph
from translators.render import render

pytestmark = pytest.mark.slow

TOP = 2**63 - 1
NAMES = tuple(name for name, run in RUNS.items() if run.engine not in ("neo4j", "jena"))
SUMS = (
    (TOP - 1, 1),
    (TOP, 1),
    (TOP, 1, -1),
    (-TOP - 1, -1),
    (TOP, -TOP - 1, 2),
    (TOP, TOP, TOP),
    (2**53 + 1, 2**53 + 1),
)


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, IsolatedEngine]]:
    rows = "\n".join(
        f"A [{group * 10 + place}, {group}, {term}]"
        for group, terms in enumerate(SUMS)
        for place, term in enumerate(terms)
    )
    graph = read_graph(f"A(id!: INTEGER, g: INTEGER, i: INTEGER)\n\n{rows}")
    folder = graph.write(tmp_path_factory.mktemp("sums") / "graph")
    with ExitStack() as stack:
        engines = {
            name: IsolatedEngine(name, folder, memory_mb=MEMORY_MB.get(name, 1500))
            for name in {RUNS[name].engine for name in NAMES}
        }
        yield {name: stack.enter_context(engine) for name, engine in engines.items()}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("group", range(len(SUMS)), ids=lambda group: str(SUMS[group]))
@pytest.mark.parametrize("stored", [True, False], ids=["stored", "constants"])
def test_a_sum_is_exact_or_an_error(
    engines: dict[str, IsolatedEngine], name: str, group: int, stored: bool
) -> None:
    run, terms = RUNS[name], SUMS[group]
    schema = read_graph("A(id!: INTEGER, g: INTEGER, i: INTEGER)\n\nA [1, 1, 1]").schema
    source = f"MATCH (a:A) WHERE a.g = {group} WITH a.i AS x"
    if not stored:
        source = f"UNWIND {list(terms)} AS x"
    statement = parse(f"{source} RETURN sum(x) AS s")
    # all but SPARQL have to give sums of terms of one sign within 64 bits
    fits = -(2**63) <= sum(terms) < 2**63 and len({term < 0 for term in terms}) == 1
    try:
        text = render(statement, run.dialect, schema).text
        ((answer,),) = engines[run.engine].run(text, language=run.language, timeout=60).rows
    except (Refused, QueryError):
        unsaid = run.language == "pgq" and not stored  # which has no UNWIND
        assert not fits or unsaid or run.language == "sparql"
        return
    assert answer == sum(terms) or math.isclose(answer, sum(terms), rel_tol=1e-15)
