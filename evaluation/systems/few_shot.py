"""`few-shot`: the schema, a few examples that are the same in every prompt, the question.

Three shots unless told; `shots=4` is the control of NAT-NL2GQL (NS-18: role, schema, naming and
`==` rules, k = 4 examples, question; the answer is the query only).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from evaluation.answering.asking import OutOfCalls, Talk, query_of
from evaluation.answering.options import Options
from evaluation.answering.rules import language_name, rules
from evaluation.answering.schema_text import CYPHER, SCHEMA_FORMS, schema_text
from evaluation.base import Attempt, Example, Setting, Task
from graphmill.record import DIFFICULTIES
from graphmill.seed import rng

PROMPT = "shots"  # its file


class FewShot:
    """Settings: `shots` how many examples, `schema` the form of the schema."""

    name: ClassVar[str] = "few-shot"
    needs_model: ClassVar[bool] = True
    concurrent: ClassVar[bool] = True
    defaults: ClassVar[Mapping[str, str]] = {"shots": "3", "schema": CYPHER}

    def __init__(self, setting: Setting) -> None:
        options = Options(self.name, setting, self.defaults)
        self._setting = setting
        self._form = options.text("schema", SCHEMA_FORMS)
        number = options.whole("shots", 0, 32) if "shots" in self.defaults else 0
        self._shots = fixed_shots(setting.examples, number, setting.seed)

    def answer(self, task: Task) -> Attempt:
        """One call, one query."""
        talk = Talk(self._setting, self.name)
        try:
            text = talk.ask("generator", PROMPT, **prompt_values(task, self._shots, self._form))
        except OutOfCalls:
            return Attempt("", tuple(talk.calls))
        shown = [example.record.id for example in self._shots]
        return Attempt(query_of(text), tuple(talk.calls), {"shots": shown})


SYSTEM = FewShot


def prompt_values(task: Task, shots: Sequence[Example], form: str) -> dict[str, Any]:
    """What fills the prompt of one question; `form` is that of the schema."""
    return {
        "language": language_name(task.language),
        "rules": rules(task.language),
        "schema": schema_text(task.schema, form),
        "shots": shots_text(shots),
        "knowledge": knowledge_text(task.knowledge),
        "question": task.question,
    }


def fixed_shots(examples: Sequence[Example], number: int, seed: int) -> list[Example]:
    """The shots of every prompt, drawn by the seed: tiers take turns, the easiest first."""
    order = sorted(examples, key=lambda example: example.record.id)
    rng(seed, "shots").shuffle(order)
    tiers: list[list[Example]] = [
        [e for e in order if e.record.difficulty == tier] for tier in (*DIFFICULTIES, None)
    ]
    chosen: list[Example] = []
    while len(chosen) < number and any(tiers):
        for tier in tiers:
            if tier and len(chosen) < number:
                chosen.append(tier.pop(0))
    return chosen


def shots_text(examples: Sequence[Example]) -> str:
    """Examples as a prompt has them."""
    if not examples:
        return ""
    shown = [
        f"Example question: {e.question}\nExample query: {' '.join(e.query.split())}"
        for e in examples
    ]
    return "Examples, some of other graphs:\n\n" + "\n\n".join(shown)


def knowledge_text(knowledge: str) -> str:
    """External knowledge as a prompt has it."""
    return f"What one has to know: {knowledge}" if knowledge else ""
