"""`inspect eval evaluation/text2graph`, with Inspect's mock model for a model."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from graphmill.errors import UnknownNameError
from pipelines.evaluate.samples import Samples

PROGRAM = """
import json, sys
import inspect_ai
from inspect_ai.model import ModelOutput, ModelUsage, get_model

corpus, out, texts, arguments = json.loads(sys.argv[1])
outputs = [ModelOutput.from_content("mockllm/model", text) for text in texts]
for output in outputs:
    output.usage = ModelUsage()  # where it is missing, Inspect fetches a tokenizer to count
(log,) = inspect_ai.eval(
    "evaluation/text2graph",
    task_args={"corpus": corpus, **arguments},
    model=get_model("mockllm/model", custom_outputs=outputs),
    log_dir=out,
    display="none",
    max_samples=1,
    max_connections=1,
)
assert log.status == "success", log.error
lines = [sample.scores["execution"].metadata for sample in log.samples]
means = {score.name: score.metrics["mean"].value for score in log.results.scores}
print(json.dumps({"means": means, "lines": lines, "task": log.eval.task}))
"""


@pytest.mark.slow
def test_gold_is_right_and_what_is_wrong_has_its_class(corpus: Path, tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai", reason="the extra `inspect` is not installed")
    golds = [s.gold for s in Samples(corpus, "gql", "original", split="train").samples]
    assert len(golds) > 2
    texts = [f"Here it is:\n```gql\n{gold}\n```" for gold in golds]
    texts[0] = "MATCH (s:Ship) RETURN s.weight"
    texts[1] = "NO QUERY"
    asked = {"language": "gql", "question": "original", "split": "train"}
    given = json.dumps([str(corpus), str(tmp_path), texts, asked])
    # A process of its own: Inspect leaves an event loop and handlers behind.
    command = [sys.executable, "-c", PROGRAM, given]
    run = json.loads(subprocess.check_output(command, text=True, cwd=tmp_path, timeout=300))
    right = (len(golds) - 2) / len(golds)
    assert run["task"] == "evaluation/text2graph"
    assert run["means"]["ex"] == run["means"]["suite_ex"] == pytest.approx(right)
    by_class = [line.get("class") for line in run["lines"]]
    assert by_class == ["schema", "abstained", *[None] * (len(golds) - 2)]


def test_prompts_are_those_of_the_systems(corpus: Path) -> None:
    samples = Samples(corpus, question="original", shots=2)
    for sample in samples.samples:
        (_, told), (_, asked) = sample.messages
        assert "Cypher" in told
        assert "Ship" in asked, "the schema"
        assert asked.count("Example query:") == 2
        assert sample.gold not in asked


@pytest.mark.parametrize("wrong", [{"language": "klingon"}, {"question": "x"}, {"split": "x"}])
def test_wrong_names_are_sentences(corpus: Path, wrong: dict[str, Any]) -> None:
    with pytest.raises(UnknownNameError, match="There are: "):
        Samples(corpus, **wrong)
