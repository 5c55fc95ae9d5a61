"""A corpus's questions as prompts, and answers scored one by one: for harnesses of others.

`evaluation.inspect_task` finds this module by its name, as the layers have it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, cast

from evaluation.answering.asking import query_of
from evaluation.answering.schema_text import CYPHER, SCHEMA_FORMS
from evaluation.base import FORMS, Form, forms_asked
from evaluation.languages import evaluable
from evaluation.predictions import Predictions
from evaluation.prompts import prompt
from evaluation.score import Prediction
from evaluation.systems.few_shot import PROMPT, fixed_shots, prompt_values
from graphmill.errors import ConfigError, did_you_mean, unknown_name
from graphmill.record import SPLITS, Record
from pipelines.evaluate.answering import Order, examples_of, tasks_of
from pipelines.evaluate.database import SQL, Batch, Options
from pipelines.evaluate.run import records_of
from pipelines.jobs.processes import Processes
from pipelines.verification.integrity import intact_lock
from schemagraph.folder.serde import load_schema


@dataclass(frozen=True, slots=True)
class Sample:
    """One question: what a model is told (`role` and text), and the gold query."""

    id: str
    db: str
    messages: tuple[tuple[str, str], ...]
    gold: str
    tier: str


class Samples:
    """The answerable questions of a split in one language and form of question.

    Prompts are those of `zero-shot`, or of `few-shot` with so many `shots` of `train`. Answers are
    scored in a worker process, which starts with the first and ends with this one.

    Raises:
        UnknownNameError: there is no such language, form of question or of schema, or split.
        ConfigError: there is nothing to ask.
        GraphmillError: `corpus` is none.
    """

    def __init__(
        self,
        corpus: Path,
        language: str = "cypher",
        question: str = "business",
        *,
        knowledge: bool = False,
        split: str = "test",
        shots: int = 0,
        schema: str = CYPHER,
        timeout: float = 10.0,
        seed: int = 7,
    ) -> None:
        for what, name, known in (
            ("language to evaluate", language, evaluable()),
            ("form of question", question, FORMS),
            ("form of schema", schema, SCHEMA_FORMS),
            ("split", split, SPLITS),
        ):
            if name not in known:
                raise unknown_name(what, name, known)
        lock = intact_lock(corpus)
        self._corpus = corpus
        self._language = language
        self._variant = question, knowledge
        self._options = Options(languages=(language,), split=split, timeout=timeout, seed=seed)
        own = records_of(corpus, split, lock)
        self._records = {record.id: record for records in own.values() for record in records}
        schemas = {db: load_schema(corpus / "graphs" / db) for db in sorted(lock["graphs"])}
        order = Order(
            corpus,
            PROMPT,
            language=language,
            form=cast(Form, question),
            knowledge=knowledge,
            split=split,
            seed=seed,
        )
        fixed = fixed_shots(list(examples_of(order, schemas)), shots, seed)
        self.samples: Sequence[Sample] = [
            Sample(
                task.id,
                task.db,
                tuple(
                    (message.role, message.text)
                    for message in prompt(PROMPT).render(**prompt_values(task, fixed, schema))
                ),
                self._gold(self._records[task.id]),
                self._records[task.id].difficulty or "unknown",
            )
            for task in tasks_of(order, schemas)
            if self._records[task.id].queries
        ]
        if not self.samples:
            lack = f"{corpus} has no {question} question for {language} in {split}."
            raise ConfigError(lack + did_you_mean("", forms_asked(self._records.values())))
        self._worker: Processes | None = None

    def _gold(self, record: Record) -> str:
        return record.source_sql if self._language == SQL else record.queries[self._language]

    def score(self, id: str, answer: str) -> Future[Mapping[str, Any]]:
        """The line of the trace of a model's answer; one that gives no query abstains."""
        if self._worker is None:
            self._worker = Processes(1, unit_seconds=inf)
        record, (form, knowledge) = self._records[id], self._variant
        key = id, self._language, form, knowledge
        prediction = Prediction(id, self._language, query_of(answer), form, knowledge)
        batch = Batch(
            self._corpus,
            record.db,
            [record],
            Predictions({key: prediction}),
            {self._language: [self._variant]},
            self._options,
            traces=True,
        )
        line: Future[Mapping[str, Any]] = Future()
        self._worker.submit(batch).add_done_callback(lambda done: _pass_on(done, line))
        return line

    def close(self) -> None:
        """End the worker."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None


def _pass_on(done: Future[Any], line: Future[Mapping[str, Any]]) -> None:
    problem = done.exception()
    if problem is not None:
        line.set_exception(problem)
        return
    scored = done.result().value
    if scored.lines:
        line.set_result(scored.lines[0])
    else:
        line.set_result({"left_out": scored.left_out.to_json()[0]["why"]})
