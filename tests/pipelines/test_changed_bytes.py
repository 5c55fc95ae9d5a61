"""One changed byte of a graph in a corpus is noticed, whatever it is that it changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmill.files import canonical, digest, write_text
from pipelines.api import synth
from pipelines.build.damage import changed_files
from pipelines.verification.integrity import file_problems
from qa.fuzz.graphs import read_graph
from schemagraph.folder.graphdata import graph_fingerprint

GRAPH = """
A(id!: INTEGER, s: STRING?)
A-[R(w: INTEGER?)]->A

A [1, "x"]
A [2, null]
A-R-A [1, 2, 3]
"""
ROWS = {"A": [[1, "x"]]}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A folder with one graph and one small graph, as a corpus has them."""
    graph = read_graph(GRAPH).write(tmp_path / "graphs" / "g")
    (graph / "instances").mkdir()
    write_text(graph / "instances" / f"{digest(ROWS)[:12]}.json", canonical(ROWS) + "\n")
    return tmp_path


def problems(corpus: Path, fingerprint: str) -> set[str]:
    lock = {"files": {}, "graphs": {"g": {"fingerprint": fingerprint}}}
    return {problem.where for problem in file_problems(corpus, lock)}


def test_every_byte_of_a_table_and_of_a_small_graph_counts(corpus: Path) -> None:
    graph = corpus / "graphs" / "g"
    fingerprint = graph_fingerprint(graph)
    assert not problems(corpus, fingerprint)
    files = [*graph.rglob("*.parquet"), *(graph / "instances").glob("*.json")]
    assert len(files) == 3
    for path in files:
        raw = path.read_bytes()
        for place in range(0, len(raw), max(1, len(raw) // 40)):
            path.write_bytes(raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :])
            where = problems(corpus, fingerprint)
            assert any(name.startswith("graphs/g") for name in where), (path, place)
        path.write_bytes(raw)
    assert not problems(corpus, fingerprint)


def test_a_changed_program_or_specification_is_noticed(tmp_path: Path) -> None:
    """A drawn graph names its program, which people may run again."""
    drawn = synth("travel/hotels", tmp_path / "hotels", nodes=200, seed=3).folder
    assert changed_files(drawn) == []
    for name in ("program.py", "distributions.json"):
        path = drawn / name
        path.write_bytes(path.read_bytes().replace(b"e", b"o", 1))
    assert changed_files(drawn) == ["program.py", "distributions.json"]
    (drawn / "program.py").write_bytes(b"\xff")
    assert "program.py" in changed_files(drawn)
