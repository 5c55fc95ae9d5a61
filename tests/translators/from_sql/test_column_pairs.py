"""Every comparison of columns of all affinities and storages has SQLite's answer, or is refused."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from benchmarks.column_pairs import TABLES
from benchmarks.sql_proof import RUNS, Proof

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("name", "drawn"), [("columns", 150), ("links", 60)])
def test_drawn(name: str, drawn: int, tmp_path: Path) -> None:
    """Some of all of them, the same each time."""
    fill, queries = TABLES[name]
    database = tmp_path / f"{name}.sqlite"
    fill(database)
    texts = random.Random(7).sample(list(dict.fromkeys(queries())), drawn)
    with Proof({run: RUNS[run] for run in ("cypher", "sql")}, 30.0) as proof:
        outcomes = list(proof.database(database, tmp_path / "graph", texts))
    assert [o for o in outcomes if o.state not in ("proven", "refused", "not rendered")] == []
    assert sum(o.state == "proven" for o in outcomes) > drawn // 3
