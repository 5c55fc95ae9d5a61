"""The judge of answers in words: a model compares them with the rows of the gold (MA-11).

A question without an answer in words is wrong and nobody is asked (the paper left questions out),
so that `n` is the number of questions. The judge is of the role `judge`; its calls are no part of
the system's costs, nor of its bound of calls.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from evaluation.answering.asking import Talk
from evaluation.answering.running import Runner
from evaluation.base import Setting, Task
from graphmill.files import canonical
from graphmill.llm.structured import json_object

ROLE, PROMPT = "judge", "ma-judge"
MOST = 200  # rows that a judge is shown


def judge(
    lines: Sequence[dict[str, Any]],
    tasks: Sequence[Task],
    golds: Mapping[str, str],
    setting: Setting,
) -> None:
    """Write into the trace of each line whether its answer in words is right.

    `golds` are the gold queries by id; a question that has none is not judged. A gold that gives
    no answer here (an error) is not judged either.

    Raises:
        LLMError: the model cannot be asked (any more).
    """
    runner = Runner(setting.language)
    setting = replace(setting, calls=None)
    try:
        for line, task in zip(lines, tasks, strict=True):
            gold = golds.get(task.id)
            if gold is None:
                continue
            answer = runner.run(task, gold)
            if answer.failed:
                continue
            shown = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows[:MOST]]
            words = str(line["trace"].get("words", ""))
            line["trace"]["judged"] = bool(words) and _right(setting, task, words, shown)
    finally:
        runner.close()


def _right(setting: Setting, task: Task, words: str, rows: Sequence[Mapping[str, Any]]) -> bool:
    talk = Talk(setting, ROLE)
    reply = json_object(
        talk.ask(ROLE, PROMPT, rows=canonical(rows), words=words, question=task.question)
    )
    verdict = json.loads(reply) if reply else {}
    return isinstance(verdict, dict) and verdict.get("right") is True
