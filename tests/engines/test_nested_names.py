"""Queries whose subqueries use names again that groups, DISTINCT and renaming have dropped: every
engine that is there answers as the referee does, or its dialect refuses."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from engines.isolation import IsolatedEngine
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryTextError
from qa.agreement import State, agree, engines_of
from qa.fuzz.graphs import read_graph
from tests.translators.random_nested import GRAPH, nested_query

pytestmark = pytest.mark.slow

RUNS = ("sql", "cypher", "gql")
SMALL = read_graph(GRAPH)


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, IsolatedEngine]]:
    folder = SMALL.write(tmp_path_factory.mktemp("nested") / "graph")
    with engines_of(RUNS, folder) as found:
        yield found


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_names_that_are_used_again_are_their_own(
    engines: dict[str, IsolatedEngine], seed: int
) -> None:
    rng = Random(seed)
    compared, wrong = 0, []
    for _ in range(60):
        query = nested_query(rng)
        try:
            found = agree(parse(query), SMALL.schema, engines, RUNS)
        except QueryTextError:
            continue  # it binds a name wrongly
        compared += found.compared
        bad = (State.DIFFERS, State.FAULT)
        wrong += [(query, run) for run, each in found.outcomes.items() if each.state in bad]
        answered = [run for run, each in found.outcomes.items() if each.state is not State.ERROR]
        wrong += [(query, run) for run in RUNS[1:] if run not in answered]
    assert not wrong
    assert compared > 20
