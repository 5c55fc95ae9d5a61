"""The seam between the pipeline and whoever writes questions: rules, or a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar, Protocol

from graph_ir import nodes as ir
from graphmill.errors import GraphmillError
from graphmill.record import Questions
from schemagraph.model import SchemaGraph


class NotExpressible(GraphmillError):
    """The author knows no good sentence for a query; `construct` is the piece that stopped it."""

    code = "question-not-expressible"

    def __init__(self, construct: str, reason: str = "") -> None:
        why = reason or f"The rules have no good English for {construct}."
        super().__init__(f"{why} [{self.code}: {construct}]")
        self.construct = construct


class NoWording(NotExpressible):
    """There is no good way to ask for what a query gives; `construct` is what stopped it."""

    code = "no-wording"


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """The levels, and what one has to know to get from them to the query.

    `origin` says which model and prompts wrote them; empty for the rules. `goal` is what is asked
    for, where the rules recognised it, `risk` how likely readers find one of its sentences clumsy.
    """

    questions: Questions
    knowledge: str = ""
    origin: Mapping[str, str] = field(default_factory=dict)
    goal: str = ""
    risk: float = 0.0


class QuestionAuthor(Protocol):
    """Writes the questions of one query. The same statement, schema and seed give the same."""

    name: ClassVar[str]
    version: ClassVar[str]

    def write(
        self, statement: ir.Statement, schema: SchemaGraph | None, rng: Random
    ) -> QuestionSet:
        """Questions that keep every value, direction and condition of the query.

        Raises:
            NotExpressible: there is no good way to say it.
        """
        ...
