"""The authors of questions by name.

>>> from random import Random
>>> from graph_ir.cypher.reader import parse
>>> query = parse("MATCH (c:City) WHERE c.country = 'Chile' RETURN c.name")
>>> author_named("rules").write(query, None, Random(9)).questions.logical
'Show the names of cities whose country is "Chile".'
"""

from __future__ import annotations

from collections.abc import Callable

from generators.questions.author import NotExpressible, QuestionAuthor, QuestionSet
from generators.questions.levels.rules import RuleAuthor
from generators.questions.lexicon.relations import Lexicon
from graphmill.errors import UnknownNameError, did_you_mean

__all__ = ["NotExpressible", "QuestionAuthor", "QuestionSet", "author_named"]

_AUTHORS: dict[str, Callable[[Lexicon | None], QuestionAuthor]] = {"rules": RuleAuthor}


def author_named(kind: str, lexicon: Lexicon | None = None) -> QuestionAuthor:
    """The author that a configuration names, with the words that a graph brings.

    Raises:
        UnknownNameError: there is none of that name.
    """
    if kind not in _AUTHORS:
        raise UnknownNameError(f"Unknown author '{kind}'.{did_you_mean(kind, _AUTHORS)}")
    return _AUTHORS[kind](lexicon)
