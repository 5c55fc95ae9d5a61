"""`hybrid`: verified reasoning examples, chosen by meaning and by structure (HR-1 to HR-11).

A library is built from the schemas alone, before the first question (`answering.library`).
For a question a first query, zero-shot, serves as structural proxy (HR-10); examples are chosen by
α · cosine of the questions + (1 − α) · cosine of the structures (HR-5 to HR-8: α = 0.5, k = 3);
the final prompt has question, full schema and examples with their reasoning (HR-11).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from evaluation.answering.asking import OutOfCalls, Talk, query_of
from evaluation.answering.library import Entry, Library, build
from evaluation.answering.neighbours import Neighbours
from evaluation.answering.options import Options
from evaluation.answering.rules import language_name, rules
from evaluation.answering.running import Runner
from evaluation.answering.schema_text import schema_text
from evaluation.answering.structure import cosine, structure
from evaluation.base import Attempt, Setting, Task
from evaluation.systems.few_shot import knowledge_text
from graphmill.seed import rng
from graphmill.similarity.texts import TRIGRAMS

LOW = 0.5  # a similarity below is low (the paper states no bound)


@dataclass(frozen=True, slots=True)
class Chosen:
    """An example with its two similarities."""

    entry: Entry
    meaning: float
    structure: float


class Hybrid:
    """Settings: `alpha`, `k`, `encoder`; `templates` a structure and graph, `rounds` (N) of the
    library; `retrieval` = `hybrid`, `random` or `none` (HR-17); `leave-out` = yes takes no example
    of the tested graph (control, HR 4.5, note 2)."""

    name: ClassVar[str] = "hybrid"
    needs_model: ClassVar[bool] = True
    defaults: ClassVar[Mapping[str, str]] = {
        "alpha": "0.5",
        "k": "3",
        "encoder": TRIGRAMS,
        "templates": "3",
        "rounds": "3",
        "retrieval": "hybrid",
        "leave-out": "no",
    }

    def __init__(self, setting: Setting) -> None:
        options = Options(self.name, setting, self.defaults)
        self._setting = setting
        self._alpha = options.number("alpha", 0, 1)
        self._k = options.whole("k", 0, 32)
        self._encoder = options.text("encoder")
        self._templates = options.whole("templates", 0, 100)
        self._rounds = options.whole("rounds", 1, 20)
        self._retrieval = options.text("retrieval", ("hybrid", "random", "none"))
        self._leaves_out = options.flag("leave-out")
        self._runner = Runner(setting.language)
        self._library: Library | None = None
        self._index: Neighbours | None = None

    def close(self) -> None:
        """End the workers."""
        self._runner.close()

    def answer(self, task: Task) -> Attempt:
        """A proxy, the choice of examples, the query."""
        library = self._built()
        talk = Talk(self._setting, self.name)
        query: str | None = ""
        chosen: list[Chosen] = []
        reply = ""
        try:
            query = self._proxy(talk, task)
            chosen = self._chosen(task, query or "")
            reply = talk.ask(
                "generator",
                "hr-answer",
                language=language_name(task.language),
                rules=rules(task.language),
                schema=schema_text(task.schema),
                examples=examples_text(chosen),
                knowledge=knowledge_text(task.knowledge),
                question=task.question,
            )
            query = query_of(reply)
        except OutOfCalls:
            pass
        trace: dict[str, Any] = {
            "library": library.to_json(),
            "examples": [each.entry.question for each in chosen],
            "meaning": round(max((c.meaning for c in chosen), default=0.0), 6),
            "structure": round(max((c.structure for c in chosen), default=0.0), 6),
        }
        return Attempt(query, tuple(talk.calls), trace)

    def _built(self) -> Library:
        if self._library is None:
            self._library = build(
                self._setting, self._runner, self.name, self._templates, self._rounds
            )
            entries = self._library.entries
            self._index = Neighbours([entry.question for entry in entries], self._encoder)
        return self._library

    def _proxy(self, talk: Talk, task: Task) -> str | None:
        reply = talk.ask(
            "generator",
            "shots",
            language=language_name(task.language),
            rules=rules(task.language),
            schema=schema_text(task.schema),
            shots="",
            knowledge=knowledge_text(task.knowledge),
            question=task.question,
        )
        return query_of(reply)

    def _chosen(self, task: Task, proxy: str) -> list[Chosen]:
        library, index = self._built(), self._index
        if index is None or self._retrieval == "none":
            return []
        statement = self._runner.statement(task, proxy)
        own = None if statement is None else structure(statement)
        candidates = []
        for entry, meaning in zip(library.entries, index.cosines(task.question), strict=True):
            if not (self._leaves_out and entry.db == task.db):
                alike = 0.0 if own is None else cosine(own, entry.structure)
                candidates.append(Chosen(entry, meaning, alike))
        if self._retrieval == "random":
            rng(self._setting.seed, "random", task.id).shuffle(candidates)
            return candidates[: self._k]
        candidates.sort(key=lambda each: (-self._score(each), each.entry.question))
        return candidates[: self._k]

    def _score(self, each: Chosen) -> float:
        return self._alpha * each.meaning + (1 - self._alpha) * each.structure


SYSTEM = Hybrid


def examples_text(chosen: list[Chosen]) -> str:
    """Examples with their reasoning as the prompt has them."""
    if not chosen:
        return ""
    shown = [
        f"Example question: {each.entry.question}\nReasoning: {each.entry.reasoning}\n"
        f"Example query: {' '.join(each.entry.query.split())}"
        for each in chosen
    ]
    return "\n\n".join(shown)


def failure(trace: Mapping[str, Any], score: Mapping[str, Any]) -> str:
    """Which of five kinds a wrong answer is (HR-19): `trace` is a prediction's, `score` the line
    of the evaluation's trace. Empty where it is right.

    The paper gives names, no rules. Ours, in this order: it does not parse; no example was near in
    meaning, or in structure; the query reads another part of the schema than it needs; the rest
    is a misunderstanding of the question.
    """
    if score.get("ex"):
        return ""
    if not score.get("grammar"):
        return "syntax error"
    if float(trace.get("meaning", 0.0)) < LOW:
        return "low semantic similarity"
    if float(trace.get("structure", 0.0)) < LOW:
        return "low structural similarity"
    return "reasoning failure" if score.get("related_schema") is False else "misunderstanding"
