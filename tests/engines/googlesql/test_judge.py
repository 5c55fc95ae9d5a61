"""GoogleSQL's analyser over the catalogue of a schema: what it takes, and what it finds wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engines.judges.process import Judge
from graphmill.errors import EngineUnavailable
from pipelines.cli.commands import main
from schemagraph.folder.serde import save_schema
from schemagraph.model import SchemaGraph
from schemagraph.spanner import SpannerNames
from tests.schema_text import read_schema

pytestmark = pytest.mark.slow

SCHEMA = """
Person(id!: INTEGER, name: STRING?, tags: LIST<STRING>, seen: ZONED_DATETIME?, wait: DURATION?)
Person&Admin(id!: INTEGER, name: STRING?, level: INTEGER)
City(name!: STRING, country!: STRING, id: STRING, Name: FLOAT)
Odd `one`(time!: TIME, a b\\: STRING)
Person-[LIVES_IN(since: DATE)]->City
Person&Admin-[LIVES_IN(rank: FLOAT)]->City
City-[city]->Odd `one`
"""


@pytest.fixture(scope="module")
def schema() -> SchemaGraph:
    return read_schema(SCHEMA)


@pytest.fixture
def judge(googlesql: Judge, schema: SchemaGraph) -> Judge:
    googlesql.use(schema)
    return googlesql


def test_a_schema_is_left_behind(judge: Judge) -> None:
    text = "GRAPH fixture MATCH (n:Nowhere) RETURN n.id AS id"
    assert judge.check(text)
    judge.use(None)
    assert judge.check(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (p:Person) WHERE p.id > 1 AND p.seen < CURRENT_TIMESTAMP() RETURN p.name AS n",
        "MATCH (p:Person&Admin) RETURN p.level + 1 AS n, p.tags[SAFE_OFFSET(0)] AS t",
        "MATCH (p:Person)-[e:LIVES_IN]->(c:City) RETURN e.since AS s, e.rank AS r, c.country AS c",
        # The text `id` of a city is another property than the number `id` of a person.
        "MATCH (c:City) WHERE STARTS_WITH(c.id_2, 'x') RETURN c.name AS n, c.Name_2 * 0.5 AS m",
        # The edges `city` and the nodes `City` are one name to Spanner.
        "MATCH (c:City)-[e:city_2]->(o:`Odd \\`one\\``) RETURN o.`a b\\\\` AS x",
        "MATCH (n) RETURN n.name AS n, LABELS(n) AS l",
    ],
)
def test_valid_texts_are_taken(judge: Judge, text: str) -> None:
    assert judge.check(f"GRAPH fixture {text}") == []


@pytest.mark.parametrize(
    ("text", "code", "place", "said"),
    [
        ("MATCH (p:Person)\nRETURN p.nam AS n", "analysis", (2, 10), "nam"),
        ("MATCH (p:Persn) RETURN 1 AS n", "analysis", (1, 24), "Persn"),
        ("MATCH (p:Person) RETURN p.name + 1 AS n", "analysis", (1, 39), "+"),
        ("MATCH (p:Person) RETURN p", "analysis", (1, 39), "graph-typed"),
        ("MATCH (p:Person) RETURN p.wait AS w", "analysis", (1, 41), "wait"),
        ("MATCH (p:Person RETURN 1 AS n", "syntax", (1, 31), "Syntax error"),
        ("MATCH (p:Person) RETURN p.name AS n ORDER BY n NULLS LAST", "analysis", (1, 62), "NULLS"),
        ("MATCH (p)-[]->{1,}(q) RETURN 1 AS n", "analysis", (1, 29), "bound"),
        # Functions of GoogleSQL that Spanner lacks.
        ("RETURN COT(1.0) AS n", "analysis", (1, 22), "cot"),
    ],
)
def test_errors_have_a_place(
    judge: Judge, text: str, code: str, place: tuple[int, int], said: str
) -> None:
    (found,) = judge.check(f"GRAPH fixture {text}")
    assert (found.severity, found.code, said.lower() in found.message.lower()) == (
        "error",
        code,
        True,
    ), found
    assert (found.line, found.column) == place


def test_declared_names_are_told_apart_as_spanner_does(schema: SchemaGraph) -> None:
    names = SpannerNames(schema)
    assert names.declared["id"] == "INT64"
    assert names.declared["id_2"] == "STRING"
    assert len({name.casefold() for name in names.declared}) == len(names.declared)
    assert names.label("city", edge=True) == "city_2"
    assert set(names.of_label("LIVES_IN", edge=True)) == {"since", "rank"}


def test_without_a_schema_the_grammar_is_checked(googlesql: Judge) -> None:
    googlesql.close()
    with Judge("googlesql", None) as judge:
        assert judge.check("GRAPH g MATCH (n:Thing) RETURN n.x AS x") == []
        assert [d.code for d in judge.check("GRAPH g MATCH (n RETURN 1")] == ["syntax"]
        # Hostile texts end as findings, and the next text is answered.
        deep = "GRAPH g RETURN " + "(" * 90_000 + "1" + ")" * 90_000 + " AS n"
        assert judge.check(deep) == []
        for text in ("\0", "", "GRAPH g RETURN '\ud800' AS n", deep.replace(")", "]")):
            assert judge.check(text), text[:40]
        assert judge.check("GRAPH g MATCH (n) RETURN 1 AS n") == []
        worker = judge._worker._worker
        assert worker is not None
        os.kill(worker.process.pid, signal.SIGKILL)
        worker.process.wait()
        assert judge.check("GRAPH g MATCH (n) RETURN 1 AS n") == []


def test_check_from_the_command_line(
    googlesql: Judge, schema: SchemaGraph, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_schema(tmp_path, schema)
    lines = tmp_path / "in.jsonl"
    texts = ["GRAPH fixture MATCH (c:City) RETURN c.name", "GRAPH fixture MATCH (c:City) RETURN c"]
    lines.write_text("".join(json.dumps({"query": text}) + "\n" for text in texts))
    assert main(["check", "--language", "spanner", "--graph", str(tmp_path), str(lines)]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [len(answer["diagnostics"]) for answer in answers] == [0, 1]
    assert answers[1]["diagnostics"][0]["code"] == "analysis"


def test_a_missing_extra_is_one_sentence(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['jgo'] = None; sys.modules['jpype'] = None\n"
        "from engines.judges.googlesql import GoogleSql\n"
        "GoogleSql().__enter__()"
    )
    environment = {**os.environ, "GRAPHMILL_CACHE": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    last = run.stderr.strip().splitlines()[-1]
    assert last.startswith(f"{EngineUnavailable.__module__}.{EngineUnavailable.__name__}: ")
    assert last.endswith("pip install 'graphmill[spanner]'.")
