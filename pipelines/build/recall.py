"""What stages made of an item before, taken where the data that they asked still say the same.

A stage that `recalls` is a function of its item, the schema, settings, and answers that it asks the
data for. So its outcome is remembered with these questions and a hash of each answer (a verifying
trace; Mokhov, Mitchell and Peyton Jones 2018, "Build systems à la carte"). It holds as long as
each question has the same answer. A question whose tables have not changed is not asked again.
What certifies a pair is no such stage: it is run on the data of today, always.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from graphmill.errors import EngineError, EngineUnavailable
from graphmill.files import digest
from pipelines.build.context import DatabaseContext, Lookup, answer_digest
from pipelines.build.mutation import common_values
from schemagraph.folder.statistics import GraphStatistics

type Statistics = Callable[[], GraphStatistics]


@dataclass
class Memory:
    """What is remembered of one item: by stage the item's hash there, the questions with what the
    data said and the tables that they name, and the outcome. `learnt` is whether there is more than
    there was."""

    stages: dict[str, dict[str, Any]] = field(default_factory=dict)
    learnt: bool = False

    @classmethod
    def of(cls, raw: dict[str, dict[str, Any]]) -> Memory:
        """What was remembered, as JSON values.

        Raises:
            KeyError, TypeError, ValueError, AttributeError: it is none.
        """
        for known in raw.values():
            known["of"], known["made"].keys()
            for entry in known["heard"]:
                entry["answer"], entry["tables"]
                kind, first, *rest = entry["question"]
                if (kind, len(rest)) not in (("sql", 2), ("values", 1)) or first != str(first):
                    raise ValueError("it is no question")
        return cls(raw)

    def recall(
        self, stage: str, of: str, database: DatabaseContext, statistics: Statistics
    ) -> Any | None:
        """The outcome of a stage for the item with the hash `of`, as a JSON value; None where there
        is none, or where the data say something else by now."""
        known = self.stages.get(stage)
        if known is None or known["of"] != of:
            return None
        moved = False
        for entry in known["heard"]:
            tables = _tables(entry["question"], database)
            if tables and tables == entry["tables"]:
                continue
            if _answer(entry["question"], database, statistics) != entry["answer"]:
                return None
            entry["tables"], moved = tables, True
        self.learnt = self.learnt or moved
        return known["made"]

    @contextmanager
    def learning(
        self, stage: str, of: str, database: DatabaseContext
    ) -> Iterator[Callable[[Any], None]]:
        """The block does a stage and hands in the outcome, which is remembered with what it asked.

        Nothing is, where the data had no answer: that may be for want of time.
        """
        heard: dict[str, dict[str, Any]] = {}
        made: list[Any] = []

        def hear(one: Lookup) -> None:
            question = list(one.question)
            entry = {
                "question": question,
                "answer": one.answer,
                "tables": _tables(question, database),
            }
            heard[digest(question)] = entry

        database.on_lookup = hear
        try:
            yield made.append
        finally:
            database.on_lookup = None
        if made and all(entry["answer"] for entry in heard.values()):
            self.stages[stage] = {"of": of, "heard": list(heard.values()), "made": made[0]}
            self.learnt = True


def _tables(question: list[Any], database: DatabaseContext) -> str:
    """A hash of the tables that a question to the data names; empty where it is not about them."""
    return database.tables_named(str(question[1])) if question[0] == "sql" else ""


def _answer(question: list[Any], database: DatabaseContext, statistics: Statistics) -> str:
    """The hash of what the data say today; empty where they have no answer."""
    kind, *rest = question
    if kind == "values":
        return digest(repr(common_values(statistics(), *rest)))
    try:
        return answer_digest(database.refer(*rest))
    except EngineUnavailable:
        raise
    except EngineError:
        return ""
