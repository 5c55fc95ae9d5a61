"""The author that needs no model: from the query to a goal, and from there to its sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar

from generators.questions.author import NotExpressible, NoWording, QuestionSet
from generators.questions.goals.model import Ask
from generators.questions.goals.recognise import recognise
from generators.questions.levels.syntactic import syntactic
from generators.questions.lexicon.model import Lexicon
from generators.questions.plan.analysis import analyse
from generators.questions.plan.simplify import simplified
from generators.questions.plan.types import Types
from generators.questions.realise.conditions.knowledge import knowledge
from generators.questions.realise.legibility import risk
from generators.questions.realise.realiser import Wording, realise
from graph_ir import nodes as ir
from graph_ir.values import mentioned_values, missing
from graphmill.record import Questions
from graphmill.seed import rng as derived
from schemagraph.model import SchemaGraph

_REMEMBERED = 4_096  # statements of one graph
_BEGUN = 256  # of which also what is asked is remembered


@dataclass(frozen=True, slots=True)
class _Begun:
    """What a statement asks, and its wording of level 3."""

    ask: Ask
    third: Wording


class RuleAuthor:
    """Writes questions by rule, with the words of a lexicon; without one, level 1 only."""

    name: ClassVar[str] = "rules"
    version: ClassVar[str] = "2"

    def __init__(self, lexicon: Lexicon | None = None) -> None:
        self.lexicon = lexicon or Lexicon()
        self._known: dict[ir.Statement, QuestionSet | NotExpressible] = {}
        self._begun: dict[ir.Statement, _Begun | NotExpressible] = {}
        self._risks: dict[ir.Statement, float] = {}

    def write(
        self, statement: ir.Statement, schema: SchemaGraph | None, rng: Random
    ) -> QuestionSet:
        """The questions of a statement.

        Raises:
            NoWording: nobody would ask for it, or there is no good way to.
            NotExpressible: level 1 has no words for a piece of it.
        """
        worded = self._worded(statement, schema)
        first = syntactic(statement, derived(rng.getrandbits(32), "syntactic"))
        _see_values(statement, (first,), worded.knowledge)
        return replace(worded, questions=replace(worded.questions, syntactic=first))

    def _worded(self, statement: ir.Statement, schema: SchemaGraph | None) -> QuestionSet:
        """All but level 1, which alone depends on a seed; growth asks for it several times."""
        known = self._known.get(statement)
        if known is None:
            try:
                known = self._realised(statement, schema)
            except NotExpressible as problem:
                known = problem
            except RecursionError as problem:
                raise NotExpressible("nesting", "The query is nested too deeply.") from problem
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[statement] = known
        if isinstance(known, NotExpressible):
            raise known.with_traceback(None)
        return known

    def _realised(self, statement: ir.Statement, schema: SchemaGraph | None) -> QuestionSet:
        begun = self._begin(statement, schema)
        ask, third = begun.ask, begun.third
        second = realise(ask, self.lexicon, "explicit", unlike=third.plain)
        search = realise(ask, self.lexicon, "search")
        notes = knowledge(ask, self.lexicon, Types(schema))
        levels = (search, second, third)
        texts = [each.text for each in levels]
        _see_values(statement, texts, notes)
        questions = Questions(search.text, logical=second.text, business=third.text)
        return QuestionSet(questions, notes, goal=ask.goal, risk=risk(levels, ask, self.lexicon))

    def _begin(self, statement: ir.Statement, schema: SchemaGraph | None) -> _Begun:
        """What is asked, and level 3 of it: who has seen that much wants the rest next, or never.

        Raises:
            NoWording, NotExpressible: as `write`.
        """
        begun = self._begun.get(statement)
        if begun is None:
            try:
                ask = _recognised(statement, schema, self.lexicon)
                begun = _Begun(ask, realise(ask, self.lexicon, "contracted"))
            except NotExpressible as problem:
                begun = problem
            if len(self._begun) >= _BEGUN:
                self._begun.clear()
            self._begun[statement] = begun
        if isinstance(begun, NotExpressible):
            raise begun.with_traceback(None)
        return begun

    def first_risk(self, statement: ir.Statement, schema: SchemaGraph | None) -> float:
        """As `risk`, of level 3 alone, which is sooner known."""
        known = self._risks.get(statement)
        if known is None:
            try:
                begun = self._begin(statement, schema)
                known = risk([begun.third], begun.ask, self.lexicon)
            except (NotExpressible, RecursionError):
                known = 1.0
            if len(self._risks) >= _REMEMBERED:
                self._risks.clear()
            self._risks[statement] = known
        return known

    def goal(self, statement: ir.Statement, schema: SchemaGraph | None) -> str:
        """What people ask with a query, "" where they do not, or there are no good words for it."""
        try:
            return self._worded(statement, schema).goal
        except NotExpressible:
            return ""

    def risk(self, statement: ir.Statement, schema: SchemaGraph | None) -> float:
        """How likely, 0 to 1, readers find a question of it clumsy; 1 where it has no words."""
        try:
            return self._worded(statement, schema).risk
        except NotExpressible:
            return 1.0

    def engineer(self, statement: ir.Statement, rng: Random) -> str:
        """The question of level 1 alone.

        Raises:
            NotExpressible: it has no words for a piece of it.
        """
        return syntactic(statement, derived(rng.getrandbits(32), "syntactic"))


def _recognised(statement: ir.Statement, schema: SchemaGraph | None, lexicon: Lexicon) -> Ask:
    """What is asked."""
    types = Types(schema)
    return recognise(analyse(simplified(statement), types), lexicon, types)


def _see_values(statement: ir.Statement, texts: Sequence[str], notes: str) -> None:
    """See that no constant of the query is lost.

    Raises:
        NoWording: one is.
    """
    values = mentioned_values(statement)
    for text in texts:
        if gone := missing(values, f"{text} {notes}"):
            shown = ", ".join(map(repr, gone))
            raise NoWording("value", f"{text!r} would lose {shown} of the query.")
