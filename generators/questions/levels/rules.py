"""The author that needs no model: from Graph-IR and schema to three questions, by rule."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from generators.questions.author import NotExpressible, QuestionSet
from generators.questions.levels.business import business, knowledge
from generators.questions.levels.logical import logical
from generators.questions.levels.syntactic import syntactic
from generators.questions.lexicon.relations import Lexicon
from generators.questions.lexicon.vocabulary import Vocabulary
from generators.questions.plan.analysis import analyse
from generators.questions.realise import style
from generators.questions.realise.simplify import simplified
from graph_ir import nodes as ir
from graph_ir.values import Value, mentioned_values, missing
from graphmill.record import Questions
from graphmill.seed import rng as derived
from schemagraph.model import SchemaGraph


class RuleAuthor:
    """Writes questions by rule. `lexicon` replaces words that the rules would choose."""

    name: ClassVar[str] = "rules"
    version: ClassVar[str] = "1"

    def __init__(self, lexicon: Lexicon | None = None) -> None:
        self.lexicon = lexicon

    def write(
        self, statement: ir.Statement, schema: SchemaGraph | None, rng: Random
    ) -> QuestionSet:
        """The questions of a statement.

        Raises:
            NotExpressible: the rules have no good English for a piece of it, or would lose a
                value.
        """
        words = Vocabulary(schema, self.lexicon)
        values = mentioned_values(statement)
        simple = simplified(statement)
        seed = rng.getrandbits(32)
        try:
            first = syntactic(statement, words, derived(seed, "syntactic"))
            plain = logical(analyse(simple, words), words, derived(seed, "logical"))
            second = style.user(plain, derived(seed, "user"))
            third = business(
                analyse(simple, words),
                words,
                derived(seed, "business"),
                lambda text: _keeps(values, "business", text),
            )
        except RecursionError as problem:
            raise NotExpressible("nesting", "The query is nested too deeply.") from problem
        said = knowledge(third.notes)
        for level, text in (("syntactic", first), ("logical", second), ("business", third.text)):
            _keeps(values, level, f"{text} {said}")
        return QuestionSet(Questions(syntactic=first, logical=second, business=third.text), said)


def _keeps(values: tuple[Value, ...], level: str, text: str) -> None:
    """See that a text carries every value of the query.

    Raises:
        NotExpressible: it does not.
    """
    if gone := missing(values, text):
        shown = ", ".join(map(repr, gone))
        raise NotExpressible("value", f"The {level} question would lose {shown} of the query.")
