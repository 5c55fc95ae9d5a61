"""Files of pairs: one bad item never ends the others."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from graphmill.errors import GraphmillError
from pipelines.configuration.pair_files import read_items

PAIR = b'{"question": "q", "sql": "SELECT 1"}'
NINES = b"9" * 5000


def outline(path: Path) -> list[tuple[int, bool]]:
    """The line of each item, and whether it is one."""
    return [(line, not isinstance(item, GraphmillError)) for line, item in read_items(path)]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.jsonl", b"\xff\xfe" + PAIR + b"\n" + PAIR, [(1, False), (2, True)]),
        ("a.jsonl", b"\x00, {\n" + PAIR, [(1, False), (2, True)]),
        ("a.jsonl", PAIR + b'\n{"n": NaN}\n' + PAIR, [(1, True), (2, False), (3, True)]),
        ("a.jsonl", PAIR + b"\n[[[\n\n" + PAIR, [(1, True), (2, False), (4, True)]),
        ("a.json", b"[" + PAIR + b', {"n": ' + NINES + b"}]", [(1, True), (2, False)]),
        ("a.json", b'[{"a": "\xff]"}, ' + PAIR + b"]", [(1, False), (2, True)]),
        ("a.json", b'[{"a": 1, "a": 2},\n' + PAIR + b"]\n", [(1, False), (2, True)]),
        ("a.json", b'[Infinity, "\\ud800", ' + PAIR + b"]", [(1, False), (2, False), (3, True)]),
        ("a.csv", b"question,sql\nq,SELECT 1\n\xff,SELECT 2\n", [(2, True), (3, False)]),
        ("a.csv", b"question,sql\rq,SELECT 1\r\x00,SELECT 2\r", [(2, True), (3, False)]),
        (
            "a.cypher",
            b"// q\rMATCH (n) RETURN n;\r// r\r\nMATCH (m) RETURN m;\r",
            [(2, True), (4, True)],
        ),
        (
            "a.cypher",
            b"// q\nMATCH (n) RETURN n;\n// \xff\nMATCH (m) RETURN m;\n",
            [(2, True), (4, False)],
        ),
    ],
)
def test_a_bad_item_is_one_of_several(
    tmp_path: Path, name: str, content: bytes, expected: list[tuple[int, bool]]
) -> None:
    (tmp_path / name).write_bytes(content)
    assert outline(tmp_path / name) == expected


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("a.json", b"[1, 2", "not JSON"),
        ("a.csv", b"SQLite format 3\0\x10\x00,\r\xf1", "line 1: no header of a table"),
        ("a.jsonl", b"SQLite format 3\0,\r\n\xf1", "line 1: no header of a table"),
        ("a.csv", b"question,question,sql\n1,2,3\n", "there twice"),
    ],
)
def test_a_file_without_a_form_is_refused(
    tmp_path: Path, name: str, content: bytes, text: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(GraphmillError, match=text):
        list(read_items(tmp_path / name))


@pytest.mark.parametrize("ending", [".jsonl", ".csv", ".cypher", ".json"])
def test_a_pipe_is_no_file_of_pairs(tmp_path: Path, ending: str) -> None:
    os.mkfifo(tmp_path / f"pairs{ending}")
    with pytest.raises(GraphmillError, match="named pipe"):
        list(read_items(tmp_path / f"pairs{ending}"))


def test_lines_of_a_table_may_end_with_a_carriage_return(tmp_path: Path) -> None:
    """What stands in quotes keeps its own line ends."""
    path = tmp_path / "a.txt"
    path.write_bytes(b'question,sql\r"of {which}","SELECT\r1"\rr,SELECT 2\r')
    assert list(read_items(path)) == [
        (2, {"question": "of {which}", "sql": "SELECT\r1"}),
        (4, {"question": "r", "sql": "SELECT 2"}),
    ]
