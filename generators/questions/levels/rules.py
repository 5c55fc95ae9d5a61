"""The author that needs no model: from the query to a goal, and from there to its sentences."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from generators.questions.author import NotExpressible, NoWording, QuestionSet
from generators.questions.goals.recognise import recognise
from generators.questions.levels.syntactic import syntactic
from generators.questions.lexicon.model import Lexicon
from generators.questions.plan.analysis import analyse
from generators.questions.plan.simplify import simplified
from generators.questions.plan.types import Types
from generators.questions.realise.knowledge import knowledge
from generators.questions.realise.realiser import realise
from graph_ir import nodes as ir
from graph_ir.values import mentioned_values, missing
from graphmill.record import Questions
from graphmill.seed import rng as derived
from schemagraph.model import SchemaGraph


class RuleAuthor:
    """Writes questions by rule, with the words of a lexicon; without one, level 1 only."""

    name: ClassVar[str] = "rules"
    version: ClassVar[str] = "2"

    def __init__(self, lexicon: Lexicon | None = None) -> None:
        self.lexicon = lexicon or Lexicon()

    def write(
        self, statement: ir.Statement, schema: SchemaGraph | None, rng: Random
    ) -> QuestionSet:
        """The questions of a statement.

        Raises:
            NoWording: nobody would ask for it, or there is no good way to.
            NotExpressible: level 1 has no words for a piece of it.
        """
        seed = rng.getrandbits(32)
        try:
            types = Types(schema)
            ask = recognise(analyse(simplified(statement), types), self.lexicon, types)
            third = realise(ask, self.lexicon, "contracted")
            second = realise(ask, self.lexicon, "explicit", unlike=third)
            search = realise(ask, self.lexicon, "search")
            first = syntactic(statement, derived(seed, "syntactic"))
        except RecursionError as problem:
            raise NotExpressible("nesting", "The query is nested too deeply.") from problem
        known = knowledge(ask, self.lexicon)
        values = mentioned_values(statement)
        for text in (first, second, third, search):
            if gone := missing(values, f"{text} {known}"):
                shown = ", ".join(map(repr, gone))
                raise NoWording("value", f"{text!r} would lose {shown} of the query.")
        questions = Questions(search, syntactic=first, logical=second, business=third)
        return QuestionSet(questions, known, goal=ask.goal)

    def goal(self, statement: ir.Statement, schema: SchemaGraph | None) -> str:
        """What people ask with a query, "" where they do not, or there are no good words for it."""
        try:
            return self.write(statement, schema, Random(0)).goal  # noqa: S311 - no secret
        except NotExpressible:
            return ""

    def engineer(self, statement: ir.Statement, rng: Random) -> str:
        """The question of level 1 alone.

        Raises:
            NotExpressible: it has no words for a piece of it.
        """
        return syntactic(statement, derived(rng.getrandbits(32), "syntactic"))
