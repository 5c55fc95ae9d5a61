"""`multi-agent`: seven roles and an executor (Multi-Agent GraphRAG; MA-2 to MA-7, MA-10, MA-16).

Generate, run, evaluate; a graded answer is accepted, or its query written anew: after "incorrect"
with the evaluator's feedback, after an error or an empty answer with corrections of what the query
names and the graph does not have. At most four attempts in all. The accepted result is told in
words. `roles=no` is the paper's control "Single": generator, executor, interpreter.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from evaluation.answering.asking import OutOfCalls, Talk, query_of
from evaluation.answering.options import Options
from evaluation.answering.rules import language_name, rules
from evaluation.answering.running import Ran, Runner
from evaluation.answering.schema_text import schema_text
from evaluation.answering.verification import verify
from evaluation.base import Attempt, Setting, Task
from evaluation.systems.few_shot import knowledge_text
from graphmill.llm.structured import json_object
from schemagraph.folder.statistics import gather_statistics

ACCEPT, INCORRECT, ERROR = "accept", "incorrect", "error or empty"


class MultiAgent:
    """Settings: `attempts` in all; `words` = no leaves the answer in words out; ablations: `roles`,
    `verification` = no."""

    name: ClassVar[str] = "multi-agent"
    needs_model: ClassVar[bool] = True
    defaults: ClassVar[Mapping[str, str]] = {
        "attempts": "4",
        "words": "yes",
        "roles": "yes",
        "verification": "yes",
    }

    def __init__(self, setting: Setting) -> None:
        options = Options(self.name, setting, self.defaults)
        self._setting = setting
        self._attempts = options.whole("attempts", 1, 20)
        self._speaks = options.flag("words")
        self._roles = options.flag("roles")
        self._verifies = options.flag("verification")
        self._runner = Runner(setting.language)
        self._cypher = Runner("cypher")
        self._schemas: dict[str, str] = {}

    def close(self) -> None:
        """End the workers."""
        self._runner.close()
        self._cypher.close()

    def answer(self, task: Task) -> Attempt:
        """The accepted query, or that of the last attempt, and the answer in words."""
        talk = Talk(self._setting, self.name)
        query: str | None = ""
        grades: list[str] = []
        words = ""
        try:
            feedback = ""
            while True:
                query = self._generated(talk, task, query or "", feedback)
                if query is None:
                    break
                ran = self._runner.run(task, query)
                grade, feedback = self._graded(talk, task, query, ran)
                grades.append(grade)
                if grade == ACCEPT or len(grades) == self._attempts:
                    break
                if grade == ERROR and self._roles:
                    feedback = self._corrections(talk, task, query, feedback)
            if query is not None and self._speaks:
                words = self._ask(talk, task, "interpreter", "ma-interpret", result=ran.text())
        except OutOfCalls:
            pass
        trace = {"grades": grades, "repairs": max(0, len(grades) - 1), "words": words}
        return Attempt(query, tuple(talk.calls), trace)

    def _generated(self, talk: Talk, task: Task, query: str, feedback: str) -> str | None:
        reply = self._ask(
            talk,
            task,
            "generator",
            "ma-generate",
            language=language_name(task.language),
            rules=rules(task.language),
            schema=self._schema(task),
            knowledge=knowledge_text(task.knowledge),
            query=query or "none",
            feedback=feedback or "none",
        )
        return query_of(reply)

    def _graded(self, talk: Talk, task: Task, query: str, ran: Ran) -> tuple[str, str]:
        """MA-3: the grade and the feedback. A failure is one whatever a model says of it."""
        failed = ran.outcome != "rows"
        if not self._roles:
            return (ERROR, ran.message) if failed else (ACCEPT, "")
        reply = _object(
            self._ask(
                talk,
                task,
                "evaluator",
                "ma-evaluate",
                language=language_name(task.language),
                query=query,
                result=ran.text(),
            )
        )
        grade = str(reply.get("grade", "")).casefold()
        feedback = str(reply.get("feedback", ""))
        if failed:
            accepted = ran.outcome == "empty" and grade == ACCEPT
            return (ACCEPT if accepted else ERROR), f"{ran.message}\n{feedback}".strip()
        return (ACCEPT if grade == ACCEPT else INCORRECT), feedback

    def _corrections(self, talk: Talk, task: Task, query: str, feedback: str) -> str:
        """What is wrong with the names of a query, with the evaluator's feedback as one text."""
        instructions = "none"
        if self._verifies:
            spoken = language_name(task.language)
            reply = self._ask(talk, task, "extractor", "ma-extract", language=spoken, query=query)

            def rank(owner: str, key: str, value: str, names: Sequence[str]) -> Sequence[str]:
                shown = "\n".join(names)
                more = {"owner": owner, "key": key, "value": value, "names": shown}
                ranked = _object(self._ask(talk, task, "verifier", "ma-rank", **more)).get("ranked")
                return [str(name) for name in ranked] if isinstance(ranked, list) else []

            checks = verify(task, self._cypher, _object(reply), rank)
            report = "\n".join(check.text() for check in checks) or "nothing was named"
            instructions = self._ask(talk, task, "instructor", "ma-instruct", checks=report)
        more = {"feedback": feedback or "none", "instructions": instructions}
        return self._ask(talk, task, "aggregator", "ma-aggregate", **more)

    def _ask(self, talk: Talk, task: Task, role: str, name: str, **values: str) -> str:
        """Ask anew each time: a later attempt at the same words is another call."""
        repetition = len(talk.calls)
        return talk.ask(role, name, repetition=repetition, question=task.question, **values)

    def _schema(self, task: Task) -> str:
        """MA-6: patterns, each property with one value of the data."""
        if task.db not in self._schemas:
            figures = gather_statistics(task.graph, task.schema, self._setting.seed).properties
            samples = {name: own.sample[0] for name, own in figures.items() if own.sample}
            self._schemas[task.db] = schema_text(task.schema, samples=samples)
        return self._schemas[task.db]


SYSTEM = MultiAgent


def _object(text: str) -> dict[str, Any]:
    raw = json_object(text)
    value = json.loads(raw) if raw else {}
    return value if isinstance(value, dict) else {}
