"""A build whose questions a model writes: paid once, checked like all others, costs by stage."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from graphmill.files import read_records
from graphmill.llm.stub import Stub
from graphmill.record import Record
from pipelines.cli.commands import main
from pipelines.release.folder import split_file

pytestmark = pytest.mark.slow

pytest.importorskip("openai", reason="needs the package openai (extra llm)")

AUTHOR = """
[author]
kind = "llm"
base_url = "{url}"
model = "stub-model"
prices = {{ input = 2, output = 8 }}
{more}
"""
LEVELS = {"are an engineer": "Match", "every day": "Which", "are an analyst": "Where"}


def answer(messages: list[dict[str, str]]) -> str:
    """Questions with every value of the query; one about reservoirs never has a business form."""
    system, user = messages[0]["content"], messages[1]["content"]
    for persona, first in LEVELS.items():
        if persona in system.splitlines()[0]:
            if persona == "are an analyst" and "Reservoir" in user.partition("The query:")[2]:
                return json.dumps({"question": "MATCH (n) RETURN n"})
            values = user.rpartition(": ")[2]
            query = user.partition("The query:")[2]
            names = " ".join(re.findall(r":(\w+)", query))
            said = {"Match": f"{query} ", "Which": f"{names.replace('_', ' ').lower()}: "}
            return json.dumps(
                {"question": f"{first} {said.get(first, '')}this and that of {values}?"}
            )
    return json.dumps({"knowledge": "Rivers flow downhill."})


def configured(lakes: Path, server: Stub, more: str = "") -> Path:
    path = lakes.with_name("model.toml")
    path.write_text(lakes.read_text() + AUTHOR.format(url=server.url, more=more))
    return path


def released(out: Path) -> list[Record]:
    files = [split_file(out, split) for split in ("train", "validation", "test")]
    return [record for file in files if file.is_file() for _, record in read_records(file)]


def test_questions_are_the_models_where_they_pass_and_costs_are_counted(
    lakes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "corpus"
    with Stub(answer) as server:
        config = configured(lakes, server)
        assert main(["build", str(config), "--estimate"]) == 0
        estimate = json.loads(capsys.readouterr().out)
        assert estimate["calls_by_stage"] == {"knowledge": [4, 16], "questions": [12, 48]}
        assert server.calls == []
        for _ in range(2):
            assert main(["build", str(config), "--out", str(out)]) == 0
            capsys.readouterr()
            # three levels and the knowledge of two pairs, and a business level once more
            assert len(server.calls) == 2 * 4 + 1
        charged = sum((2 * asked + 8 * said) / 1e6 for asked, said in server.charged)
    (record,) = released(out)
    assert record.questions.business == "Where this and that of 'Vättern'?"
    assert record.external_knowledge == "Rivers flow downhill."
    assert record.provenance.model == "stub-model"
    (step,) = record.provenance.trace
    origin = json.loads(step.evidence)
    assert (step.operation, origin["author"]) == ("write-questions", "llm")
    assert re.fullmatch("[0-9a-f]{16}", origin["prompts"])
    ledger = [json.loads(line) for line in (out / "rejects.jsonl").read_text().splitlines()]
    assert ("questions", "level-mixed") in {(line["stage"], line["code"]) for line in ledger}
    costs = json.loads((out / ".work" / "costs.json").read_text())
    assert {stage: each["calls"] for stage, each in costs.items()} == {
        "knowledge": 2,
        "questions": 7,
    }
    assert sum(each["usd"] for each in costs.values()) == pytest.approx(charged, abs=1e-5)


def test_the_rules_may_take_over_where_the_model_fails(lakes: Path, tmp_path: Path) -> None:
    out = tmp_path / "corpus"
    with Stub(answer) as server:
        config = configured(lakes, server, 'fallback = "rules"')
        assert main(["build", str(config), "--out", str(out)]) == 0
    assert {record.provenance.model for record in released(out)} == {"stub-model", ""}


def test_a_budget_that_is_up_ends_the_build_and_rejects_nothing(
    lakes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "corpus"
    with Stub(answer) as server:
        config = configured(lakes, server, "budget_usd = 0.001")
        assert main(["build", str(config), "--out", str(out)]) == 1
        assert "budget of 0.00 USD is used up" in capsys.readouterr().err
        config = configured(lakes, server, "budget_usd = 5")
        assert main(["build", str(config), "--out", str(out)]) == 0
    assert len(released(out)) == 1
