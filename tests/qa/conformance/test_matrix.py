"""A sample of the matrix: no dialect differs from Neo4j in silence.

`python -m benchmarks.matrix` judges the whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from engines.isolation import IsolatedEngine
from graphmill.files import digest
from qa.agreement import RUNS
from qa.conformance.matrix import REFEREE, SILENT, Cell, Matrix, Status, engine_of, speaker
from qa.conformance.trials import trials
from qa.conformance.values import graph

pytestmark = pytest.mark.slow

STEP = 151  # one of so many trials is in the sample
KNOWN = Path(__file__).parent / "known.txt"
"""Constructs that still differ in a dialect, to be taken out when they are mended."""
EQUAL = {"sql": 0.9, "gql-neo4j": 0.75, "cypher-grafeo": 0.5, "gql-grafeo": 0.5}


@pytest.fixture(scope="session")  # tests of other modules come between its own
def cells(local_neo4j: IsolatedEngine, tmp_path_factory: pytest.TempPathFactory) -> list[Cell]:
    """Every cell of the sample."""
    small = graph()
    stored = small.write(Path(tmp_path_factory.mktemp("matrix")) / "graph")
    local_neo4j.use(stored)
    with ExitStack() as stack:
        engines = {"neo4j": local_neo4j}
        for name, run in RUNS.items():
            if run.engine not in engines:
                engines[run.engine] = stack.enter_context(engine_of(name, stored))
        speakers = {
            name: speaker(name, engines, small.schema, digest(small.text())) for name in RUNS
        }
        truth = speakers.pop(REFEREE)
        matrix = Matrix(truth, {each.dialect: each for each in speakers.values()})
        return list(_judged(matrix))


def _judged(matrix: Matrix) -> Iterator[Cell]:
    for trial in trials():
        if int(digest([trial.construct, trial.position])[:8], 16) % STEP == 0:
            yield from matrix.judge(trial)


def test_no_cell_differs_in_silence(cells: list[Cell]) -> None:
    known = set(KNOWN.read_text("utf-8").splitlines())
    silent = [cell for cell in cells if cell.status in SILENT]
    new = [cell for cell in silent if f"{cell.dialect} {cell.construct}" not in known]
    assert not new, "\n".join(f"{cell.key}: {cell.status}: {cell.reason}" for cell in new)


def test_the_sample_is_large_and_mostly_equal(cells: list[Cell]) -> None:
    for dialect, share in EQUAL.items():
        own = [cell for cell in cells if cell.dialect == dialect]
        equal = sum(cell.status is Status.EQUAL for cell in own)
        assert len(own) > 400
        assert equal > share * len(own), dialect
