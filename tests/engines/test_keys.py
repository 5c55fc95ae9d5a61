"""Numbers as keys, windows of windows, nulls in subqueries: Gremlin and SPARQL answer as the
referee does, or refuse."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from engines.isolation import IsolatedEngine
from graph_ir.cypher.reader import parse
from qa.agreement import State, agree, engines_of
from qa.fuzz.graphs import read_graph
from tests.translators.random_keys import keyed_statement
from tests.translators.random_nested import GRAPH

pytestmark = pytest.mark.slow

RUNS = ("sql", "gremlin", "sparql")
SMALL = read_graph(f"{GRAPH}P-K-P [1, 2, 7]\n")  # two edges of the same ends


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, IsolatedEngine]]:
    folder = SMALL.write(tmp_path_factory.mktemp("keys") / "graph")
    with engines_of(RUNS, folder) as found:
        yield found


@pytest.mark.parametrize("seed", [1, 2])
def test_keys_windows_and_nulls(engines: dict[str, IsolatedEngine], seed: int) -> None:
    rng = Random(seed)
    compared, wrong = 0, []
    for _ in range(60):
        query = keyed_statement(rng)
        found = agree(parse(query), SMALL.schema, engines, RUNS)
        compared += found.compared
        bad = (State.DIFFERS, State.FAULT, State.ERROR)
        wrong += [(query, run) for run, each in found.outcomes.items() if each.state in bad]
    assert not wrong
    assert compared > 20
