"""Pairs files: a broken line is a reject with its number, and the others go on."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from graphmill.errors import ConfigError, GraphmillError
from graphmill.record import Reject
from pipelines.configuration.proposals import Candidate, read_pairs

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
    assert rejects[0].reason.startswith(f"{path.name}, line 2")
    assert items[3] == Candidate("db", 5, "", cypher="MATCH (n) RETURN n")


SPIDER = [
    {"db_id": "zoo", "question": "How many?", "query": "SELECT count(*) FROM t", "query_toks": []},
    {"db_id": "farm", "question": "Who?", "query": "SELECT 1"},
]
BIRD = [
    {"question_id": 0, "db_id": "zoo", "question": "Big?", "evidence": "big refers to kg > 50",
     "SQL": "SELECT name FROM t WHERE kg > 50", "difficulty": "simple"},
]  # fmt: skip


def written(folder: Path, name: str, content: Any) -> Path:
    """A file of pairs."""
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


@pytest.mark.parametrize("form", ["array", "lines"])
def test_spider_and_bird_as_they_are(tmp_path: Path, form: str) -> None:
    items = [*SPIDER, *BIRD]
    text = json.dumps(items, indent=1) if form == "array" else "\n".join(map(json.dumps, items))
    path = written(tmp_path, "dev.json", text)
    assert list(read_pairs(path, "zoo")) == [
        Candidate("zoo", 1, "How many?", sql="SELECT count(*) FROM t"),
        Candidate(
            "zoo",
            3,
            "Big?",
            sql="SELECT name FROM t WHERE kg > 50",
            knowledge="big refers to kg > 50",
        ),
    ]


def test_the_database_may_be_called_by_its_file(tmp_path: Path) -> None:
    lines = [
        {"db": "zoo_1", "database": "database/zoo.sqlite", "sql": "SELECT 1", "question": None},
        {"db": "zoo_2", "database": "database/other.sqlite", "sql": "SELECT 2", "question": None},
    ]
    path = written(tmp_path, "gold.jsonl", "\n".join(map(json.dumps, lines)))
    assert [c.query for c in read_pairs(path, "animals", "sql", ["zoo"])] == ["SELECT 1"]


def test_a_file_for_other_databases_is_an_error(tmp_path: Path) -> None:
    path = written(tmp_path, "dev.json", SPIDER)
    with pytest.raises(ConfigError, match="no pair for the database zoos"):
        list(read_pairs(path, "zoos"))


def test_text2cypher_as_a_table(tmp_path: Path) -> None:
    path = tmp_path / "queries.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["question", "cypher", "type", "database", "syntax_error"])
        writer.writerow(["Which\nships?", "MATCH (s:Ship)\nRETURN s", "x", "harbour", "False"])
        writer.writerow(["Others?", "MATCH (n) RETURN n", "x", "choir", "False"])
    (candidate,) = read_pairs(path, "harbour", "cypher")
    assert candidate == Candidate("harbour", 2, "Which\nships?", cypher="MATCH (s:Ship)\nRETURN s")


def test_a_query_is_in_the_language_of_its_source(tmp_path: Path) -> None:
    path = written(tmp_path, "q.jsonl", {"name": "tsr-1", "query": "MATCH (n) RETURN n"})
    (candidate,) = read_pairs(path, "db", "cypher")
    assert isinstance(candidate, Candidate)
    assert (candidate.cypher, candidate.sql) == ("MATCH (n) RETURN n", "")


def test_a_script_has_its_questions_in_comments(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "q.cypher",
        "# who is\n# here?\nMATCH (n)\nRETURN n // all\n\n// how many\n"
        "MATCH (n) RETURN count(n);\nMATCH (m) RETURN m;",
    )
    assert list(read_pairs(path, "db", "cypher")) == [
        Candidate("db", 3, "who is here?", cypher="MATCH (n)\nRETURN n // all"),
        Candidate("db", 7, "how many", cypher="MATCH (n) RETURN count(n);"),
        Candidate("db", 8, "", cypher="MATCH (m) RETURN m;"),
    ]


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ({"cypher": "RETURN $a", "parameters": [1]}, '"parameters" is an object'),
        ({"cypher": "RETURN $a", "parameters": "{"}, '"parameters" is an object'),
        ({"cypher": "RETURN $a", "parameters": "[" * 5_000}, '"parameters" is an object'),
        ({"z" * 100_000: 1}, "more characters"),
        ({"sql": "SELECT 1", "evidence": 3}, '"evidence" is no text'),
        ({"sql": "SELECT 1", "SQL": "SELECT 2"}, 'one of "sql"'),
    ],
)
def test_wrong_items(tmp_path: Path, item: Any, said: str) -> None:
    (reject,) = read_pairs(written(tmp_path, "q.jsonl", item), "db")
    assert isinstance(reject, Reject)
    assert said in reject.reason


def test_a_line_that_is_not_utf_8_is_rejected_alone(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_bytes(b'\xff\xfe\x00\n{"sql": "SELECT 1"}\n')
    reject, candidate = read_pairs(path, "db")
    assert isinstance(reject, Reject)
    assert "UTF-8" in reject.reason
    assert isinstance(candidate, Candidate)


@pytest.mark.parametrize("content", ["[1, 2", "[{}"])
def test_what_cannot_be_read(tmp_path: Path, content: str) -> None:
    path = tmp_path / "q.json"
    path.write_text(content)
    with pytest.raises(GraphmillError, match=str(path)):
        list(read_pairs(path, "db"))
