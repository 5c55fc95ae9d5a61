"""Systems that ask a model, end to end over HTTP against the simulated model of benchmarks/."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.simulated_model import KINDS, Rates, Simulated
from evaluation.answering.schema_text import schema_text
from graphmill.llm.stub import Stub
from pipelines.cli.commands import main
from schemagraph.folder.serde import load_schema

RIGHT = dict.fromkeys(KINDS, 0.0)

type Ask = Callable[..., dict[str, Any]]


def ask(corpus: Path, url: str, out: Path, *more: str) -> dict[str, Any]:
    """The figures of one run on the questions of train and its exit status 0."""
    options = ["--question", "original", "--base-url", url, "--model", "simulated", "--quiet"]
    arguments = ["evaluate", str(corpus), *options, "--no-suites", "--out", str(out), *more]
    assert main(arguments) == 0
    found: dict[str, Any] = json.loads((out / "scores.json").read_text())
    return found


def served(corpus: Path, **rates: Any) -> tuple[Simulated, Stub]:
    """A simulated model, and its server."""
    model = Simulated.of(corpus, rates=Rates(**rates))
    return model, Stub(model.answer)


@pytest.mark.parametrize("system", ["zero-shot", "few-shot"])
def test_a_model_without_errors_is_right_and_one_call_a_question(
    corpus: Path, tmp_path: Path, system: str
) -> None:
    _, server = served(corpus, errors=RIGHT)
    with server:
        figures = ask(corpus, server.url, tmp_path / "run", "--system", system)
    own = figures["languages"]["cypher"]
    assert own["ex"] == 1.0
    assert own["costs"]["calls"] == own["n"] == len(server.calls)
    assert own["costs"]["prompt_parts"]["schema"] > 0
    assert own["costs"]["seconds"] is None  # they differ from run to run, and stand apart
    assert (tmp_path / "run" / "latency.jsonl").is_file()


def test_a_run_that_is_repeated_pays_nothing_and_writes_the_same_bytes(
    corpus: Path, tmp_path: Path
) -> None:
    _, server = served(corpus)
    out = tmp_path / "run"
    with server:
        ask(corpus, server.url, out, "--system", "few-shot")
        paid = len(server.charged)
        before = {p.name: p.read_bytes() for p in out.iterdir()}
        ask(corpus, server.url, out, "--system", "few-shot")
        assert len(server.charged) == paid
    ask(corpus, server.url, out, "--system", "few-shot", "--replay")  # nobody answers there now
    assert before == {p.name: p.read_bytes() for p in out.iterdir()}


def test_errors_of_the_model_are_found_as_what_they_are(corpus: Path, tmp_path: Path) -> None:
    model, server = served(corpus, errors={**RIGHT, "syntax": 1.0})
    with server:
        options = ("--system", "zero-shot", "--split", "train")
        figures = ask(corpus, server.url, tmp_path / "run", *options)
    own = figures["languages"]["cypher"]
    assert own["n"] > 1
    assert own["ex"] == 0.0
    assert set(own["classes"]) == {"syntax"}
    assert model.counts["syntax"] == own["n"]


def test_the_fixed_shots_are_the_same_in_every_prompt(corpus: Path, tmp_path: Path) -> None:
    _, server = served(corpus, errors=RIGHT)
    with server:
        for shots in ("3", "4"):  # 4 is the control of NS-18
            more = ("--system", "few-shot", "--set", f"shots={shots}", "--split", "test")
            ask(corpus, server.url, tmp_path / shots, *more)
    for most in (3, 4):
        run = tmp_path / str(most) / "predictions.jsonl"
        lines = [json.loads(line) for line in run.read_text().splitlines()]
        assert len({tuple(line["trace"]["shots"]) for line in lines}) == 1
        assert 0 < len(lines[0]["trace"]["shots"]) <= most
    prompts = [call.text for call in server.calls]
    assert all("Examples" in text and "Question: " in text for text in prompts)


def test_schema_forms(corpus: Path) -> None:
    schema = load_schema(corpus / "graphs" / "ferries")
    ddl, cypher, as_json = (schema_text(schema, form) for form in ("ddl", "cypher", "json"))
    assert ddl.startswith("CREATE GRAPH TYPE")
    assert "-[:CALLS_AT" in cypher
    parsed = json.loads(as_json)
    assert {"from": "Ship", "to": "Port", "type": "CALLS_AT"}.items() <= next(
        edge for edge in parsed["edges"] if edge["type"] == "CALLS_AT"
    ).items()
    sampled = schema_text(schema, "cypher", {("Port", "name"): "Kiel"})
    assert 'name: STRING = "Kiel"' in sampled  # MA-6: one sampled value a property


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--system", "few-shot"], "model"),
        (["--system", "few-shot", "--model", "m"], "base-url"),
        (["--system", "few-shot", "--model", "a,b", "--base-url", "http://localhost/v1"], "twice"),
        (["--system", "few-shots"], "few-shot"),
    ],
)  # fmt: skip
def test_what_is_missing_is_said(
    corpus: Path, tmp_path: Path, more: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["evaluate", str(corpus), "--quiet", "--out", str(tmp_path / "run"), *more]
    assert main(arguments) == 1
    assert told in capsys.readouterr().err


def test_a_model_for_one_role_has_its_own_record(corpus: Path, tmp_path: Path) -> None:
    _, server = served(corpus, errors=RIGHT)
    out = tmp_path / "run"
    with server:
        arguments = ["--system", "zero-shot", "--model", "small,generator=large"]
        ask(corpus, server.url, out, *arguments)
    assert (out / "replies.large.jsonl").stat().st_size > 0
    assert {body["model"] for body in server.bodies} == {"large"}
    assert json.loads((out / "run.json").read_text())["models"] == {
        "": "small",
        "generator": "large",
    }
