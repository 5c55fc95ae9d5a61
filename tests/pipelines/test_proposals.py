"""Pairs files: a broken line is a reject with its number, and the others go on."""

from __future__ import annotations

from pathlib import Path

from graphmill.record import Reject
from pipelines.proposals import Candidate, read_pairs

LINES = """\
{"question": "How many?", "sql": "SELECT count(*) FROM t"}
{"question": "Broken", "sql":

[1, 2]
{"question": null, "cypher": "MATCH (n) RETURN n"}
{"question": "Both", "sql": "SELECT 1", "cypher": "RETURN 1"}
{"question": "Neither"}
{"question": "Number", "sql": 7}
"""


def test_good_lines_survive_broken_ones(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(LINES)
    items = list(read_pairs(path, "db"))
    assert [(type(item), item.line) for item in items] == [
        (Candidate, 1),
        (Reject, 2),
        (Reject, 4),
        (Candidate, 5),
        (Reject, 6),
        (Reject, 7),
        (Reject, 8),
    ]
    rejects = [item for item in items if isinstance(item, Reject)]
    assert {reject.code for reject in rejects} == {"broken-line"}
    assert "line 2" in rejects[0].reason
    assert items[3] == Candidate("db", 5, "", cypher="MATCH (n) RETURN n")
