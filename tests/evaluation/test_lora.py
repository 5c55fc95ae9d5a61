"""A step of LoRA on a tiny random model takes the rows of an export (TB-J12)."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from benchmarks.lora_step import END, IGNORED, step, tokens


def row(question: str, query: str) -> dict[str, Any]:
    turns = [("system", "Write Cypher."), ("user", question), ("assistant", query)]
    return {"messages": [{"role": role, "content": text} for role, text in turns]}


def test_the_loss_is_of_the_answer_alone() -> None:
    given, wanted = tokens(row("How many?", "RETURN 1"))
    assert len(given) == len(wanted)
    learnt = [token for token in wanted if token != IGNORED]
    assert learnt == [*b"RETURN 1", END]
    assert given[-len(learnt) :] == learnt


def test_a_long_prompt_loses_its_beginning_and_no_answer() -> None:
    given, wanted = tokens(row("x" * 5000, "RETURN 1"))
    assert len(given) == len(wanted) == 2048
    assert bytes(given[-9:-1]) == b"RETURN 1"


@pytest.mark.filterwarnings("ignore")  # of libraries that this house does not choose
@pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("torch", "transformers", "peft")),
    reason="torch, transformers or peft is not installed",
)
def test_a_step_changes_the_adapters_alone() -> None:
    modules = [importlib.import_module(name) for name in ("torch", "transformers", "peft")]
    torch, transformers, peft = modules
    report = step(
        torch, transformers, peft, [row("How many?", "RETURN 1"), row("Which?", "RETURN 2")]
    )
    assert report["adapters changed"] > 0
    assert report["weights changed"] == 0
    assert report["loss after"] < report["loss"]
