"""A build whose queries a model writes, among bad ones: released, lineage, ledger, money."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path

import pytest

from generators.questions.levels.rules import RuleAuthor
from generators.questions.lexicon.derive import derive
from graph_ir.cypher.reader import parse
from graphmill.files import read_records
from graphmill.llm.stub import Stub
from graphmill.record import Record
from graphmill.seed import rng
from pipelines.build.rule_generation import EVOLVED
from pipelines.cli.commands import main
from pipelines.release.folder import split_file
from schemagraph.folder.serde import load_schema
from tests.generators.queries.waters import written

pytestmark = pytest.mark.slow

pytest.importorskip("openai", reason="needs the package openai (extra llm)")

CONFIG = """
[corpus]
name = "waters"
[[source]]
kind = "graph"
path = "waters.json"
domain = "nature"
subdomain = "waters"
[queries]
per_database = 4
discrimination = 0
alike = 1
difficulty = {{ easy = 0.5, medium = 0.5, hard = 0, extra_hard = 0 }}
constructs = {{ variable-length = 0, three-hops = 0, optional-or-negation = 0, multi-stage = 0 }}
[author]
kind = "llm"
base_url = "{url}"
model = "stub-model"
prices = {{ input = 2, output = 8 }}
fallback = "rules"
back_translations = 1
"""
GOOD = [
    ("Which lakes are deeper than 110?", "MATCH (l:Lake) WHERE l.depth > 110 RETURN l.name AS n"),
    ("Which lakes are in Sweden?", "MATCH (l:Lake) WHERE l.country = 'Sweden' RETURN l.name AS n"),
    ("What are the lengths of rivers?", "MATCH (r:River) RETURN r.name AS n, r.length AS length"),
    ("Which rivers are longer than 10?", "MATCH (r:River) WHERE r.length > 10 RETURN r.name AS n"),
]
BAD = [
    ("Remove the lakes.", "MATCH (l:Lake) DETACH DELETE l"),
    ("Which seas are there?", "MATCH (s:Sea) RETURN s.name AS n"),
    ("Which lakes are deeper than 9000?", "MATCH (l:Lake) WHERE l.depth > 9000 RETURN l.name"),
    ("Lakes over 110?", "MATCH (x:Lake) WHERE 110 < x.depth RETURN x.name AS lake"),
]
SEEDS = [GOOD[0], BAD[3], *BAD[:3], *GOOD[1:]]


class Model:
    """Seeds with bad ones among them, a good step for each parent, questions by the rules."""

    def __init__(self, graph: Path) -> None:
        self.schema = load_schema(graph)
        self.author = RuleAuthor(derive(self.schema).at())
        self.steps = count(2)
        self.turns = count()

    def __call__(self, messages: list[dict[str, str]]) -> str:
        head, user = messages[0]["content"], messages[1]["content"]
        query = user.partition("The query:\n\n")[2].partition("\n\n")[0]
        if "questions that people ask" in head:
            if len(messages) > 2:
                return json.dumps({"pairs": []})
            turn = 3 * next(self.turns) % len(SEEDS)
            pairs = [{"question": q, "cypher": c} for q, c in (*SEEDS[turn:], *SEEDS[:turn])]
            return json.dumps({"pairs": pairs})
        if "harder" in head:
            if len(messages) == 2:
                return json.dumps({"operation": "negate", "question": "?", "cypher": "nonsense"})
            label, var = ("Lake", "l") if "Lake" in query else ("River", "r")
            key = next(self.steps)
            text = f"MATCH ({var}:{label}) WHERE {var}.id <> '{key}' RETURN count({var}) AS n"
            question = f"How many {label.lower()}s are there besides {key}?"
            return json.dumps({"operation": "aggregate", "question": question, "cypher": text})
        if "explain how" in head:
            return json.dumps({"knowledge": ""})
        if "translate questions" in head:
            return json.dumps({"cypher": "MATCH (n) RETURN n"})
        if "engineer" in head:
            return json.dumps({"question": self.author.engineer(parse(query), rng(7))})
        if "<>" in query:  # the rules would not ask for keys
            things, number = "lakes" if "Lake" in query else "rivers", query.split("'")[1]
            return json.dumps({"question": f'How many {things} have an ID other than "{number}"?'})
        asked = self.author.write(parse(query), self.schema, rng(7)).questions
        return json.dumps({"question": asked.logical})


def released(out: Path) -> list[Record]:
    files = [split_file(out, split) for split in ("train", "validation", "test")]
    return [record for file in files if file.is_file() for _, record in read_records(file)]


def test_only_good_queries_are_released_with_lineage_ledger_and_costs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph, config, out = written(tmp_path), tmp_path / "c.toml", tmp_path / "out"
    with Stub(Model(graph)) as server:
        more = "back_translations = 1\n"
        config.write_text(CONFIG.format(url=server.url).replace(more, ""))
        assert main(["build", str(config), "--estimate"]) == 0
        said = json.loads(capsys.readouterr().out)
        assert [source["grown"] for source in said["sources"]] == [[4, 4]]
        stages = said["calls_by_stage"]
        # drafts of three rounds, 4, 2 and 1: each request twice, with a repair
        assert stages["seeds"] == [1, 3 * 2 * 2]
        assert stages["evolution"] == [0, 2 * 4 * 2]
        assert stages["questions"] == [3 * 4, 3 * 7 * 2 * 2]
        assert server.calls == []
        assert main(["build", str(config), "--out", str(out), "--quiet"]) == 0
        charged = sum((2 * asked + 8 * said) / 1e6 for asked, said in server.charged)
    capsys.readouterr()
    records = released(out)
    assert {record.difficulty for record in records} <= {"easy", "medium"}
    assert len(records) >= 3
    queries = {parse(record.queries["cypher"]) for record in records}
    good = {parse(query) for _, query in GOOD}
    assert queries & good
    for record in records:
        assert record.provenance.model == "stub-model"
        for step in record.provenance.trace:
            if step.operation.startswith("llm:"):
                assert parse(step.before) in good
                assert record.provenance.parent
    ledger = [json.loads(line) for line in (out / "rejects.jsonl").read_text().splitlines()]
    codes = {(line["stage"], line["code"]) for line in ledger}
    assert {
        ("seeds", "writes"),
        ("seeds", "unknown-label"),
        ("seeds", "empty-answer"),
        ("seeds", "duplicate"),
    } <= codes
    costs = json.loads((out / ".work" / "costs.json").read_text())
    for stage in ("seeds", "questions", "knowledge"):
        assert stages[stage][0] <= costs[stage]["calls"] <= stages[stage][1]
    assert sum(each["usd"] for each in costs.values()) == pytest.approx(charged, abs=1e-5)


def test_an_estimate_counts_seeds_evolution_and_questions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path)
    for tier in ("medium", "hard"):
        monkeypatch.setitem(EVOLVED, tier, 0.5)
    config, text = tmp_path / "c.toml", CONFIG.format(url="http://127.0.0.1:9/v1")
    text = text.replace("per_database = 4", "per_database = 264").replace(
        "easy = 0.5, medium = 0.5, hard = 0, extra_hard = 0",
        "easy = 0, medium = 0.5, hard = 0.5, extra_hard = 0",
    )
    config.write_text(text)

    def stages(*options: str) -> dict[str, list[int]]:
        assert main(["build", str(config), "--estimate", *options]) == 0
        found: dict[str, list[int]] = json.loads(capsys.readouterr().out)["calls_by_stage"]
        return found

    whole = stages()
    # at least rounds of 64, 64, 64, 64, 8; at most seven of 64, then 40, 20, 10, 5, 3, 2, 1
    seeds = 8 + 6 * 4 + 3 + 2 + 1 + 1 + 1 + 1 + 1
    assert whole["seeds"] == [8 + 3 * 4 + 1, seeds * 2 * 2]
    assert whole["evolution"] == [3 * 32 + 4, (6 * 32 + 20 + 10 + 5 + 3 + 2 + 1 + 1) * 4 * 2]
    drafts = 7 * 64 + 40 + 20 + 10 + 5 + 3 + 2 + 1
    assert whole["knowledge"] == [264, drafts * 2 * 2]
    assert whole["recovery"] == [2 * 264, 2 * drafts * 2]
    few = stages("--limit", "80")  # 64 and 16
    assert few["seeds"] == [8 + 1, (8 + 1) * 2 * 2]
    assert few["evolution"] == [8, 8 * 4 * 2]
    assert few["knowledge"] == [80, 80 * 2 * 2]
    config.write_text(text.replace('kind = "llm"', 'kind = "llm"\nqueries = "rules"'))
    assert set(stages()) == {"questions", "knowledge", "recovery"}


def test_a_question_that_never_leads_back_is_not_released(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph, config, out = written(tmp_path), tmp_path / "c.toml", tmp_path / "out"
    with Stub(Model(graph)) as server:
        config.write_text(CONFIG.format(url=server.url))
        assert main(["build", str(config), "--out", str(out), "--quiet", "--limit", "2"]) == 1
    assert "No pair was released" in capsys.readouterr().err
    ledger = [json.loads(line) for line in (out / "rejects.jsonl").read_text().splitlines()]
    assert "not-recovered" in {line["code"] for line in ledger}
