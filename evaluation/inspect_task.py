"""Tasks of Inspect (inspect_ai), by `inspect eval evaluation/text2graph -T corpus=…`.

Inspect finds them by the entry point `evaluation` of its group and names them by the top-level
module; nothing else of graphmill imports this module, so that the extra `inspect` is not needed
elsewhere. What reads a corpus lies in a higher layer and is looked up by name: this is the third
of the doors that do so.
"""

from __future__ import annotations

import asyncio
import site
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState, generate

FIGURES = ("ex", "suite_ex", "exec", "grammar", "gam", "em_text", "jaro_winkler")
"""Of the line of a trace; each becomes a mean with its standard error."""

_MESSAGES = {
    "system": ChatMessageSystem,
    "user": ChatMessageUser,
    "assistant": ChatMessageAssistant,
}


# Inspect puts the top-level module before the names of what is installed, and before those of an
# editable checkout only where the distribution is called as the module is, which ours is not.
_INSTALLED = any(
    Path(__file__).is_relative_to(folder)
    for folder in (*site.getsitepackages(), site.getusersitepackages())
)


@task(name="text2graph" if _INSTALLED else "evaluation/text2graph")
def text2graph(
    corpus: str,
    language: str = "cypher",
    question: str = "business",
    knowledge: bool = False,
    split: str = "test",
    shots: int = 0,
    schema: str = "cypher",
    timeout: float = 10.0,
    seed: int = 7,
) -> Task:
    """The answerable questions of a corpus's split; a query is right when its answer is.

    The prompts are those of the systems `zero-shot` and, with `shots`, `few-shot`.
    """
    samples = import_module("pipelines.evaluate.samples").Samples(
        Path(corpus),
        language,
        question,
        knowledge=knowledge,
        split=split,
        shots=shots,
        schema=schema,
        timeout=timeout,
        seed=seed,
    )
    dataset = MemoryDataset(
        [
            Sample(
                id=each.id,
                input=[_MESSAGES[role](content=text) for role, text in each.messages],
                target=each.gold,
                metadata={"db": each.db, "tier": each.tier},
            )
            for each in samples.samples
        ],
        name=f"{Path(corpus).name}: {split}",
    )
    return Task(dataset=dataset, solver=generate(), scorer=execution(samples))


@scorer(metrics={name: [mean(), stderr()] for name in FIGURES})
def execution(samples: Any) -> Scorer:
    """Scores as `graphmill evaluate` does: `ex` first, and what the ladder, the small graphs and
    the class of the error say in the sample's metadata."""

    async def score(state: TaskState, target: Target) -> Score:
        line: Mapping[str, Any] = await asyncio.wrap_future(
            samples.score(str(state.sample_id), state.output.completion)
        )
        return Score(
            value={name: _figure(line, name) for name in FIGURES},
            answer=state.output.completion,
            explanation="; ".join(line.get("repair", ())) or line.get("message"),
            metadata=dict(line),
        )

    return score


def _figure(line: Mapping[str, Any], name: str) -> float:
    """A figure of a line; what is right on the shipped graph, and has no small ones, is right."""
    if name == "suite_ex":
        return float(bool(line.get("ex")) and line.get("suite_ex") is not False)
    return float(line.get(name) or 0)
