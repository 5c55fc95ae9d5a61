"""The authors of questions by name."""

from __future__ import annotations

from collections.abc import Callable

from generators.questions.author import NotExpressible, QuestionAuthor, QuestionSet
from generators.questions.levels.rules import RuleAuthor
from generators.questions.lexicon.model import Lexicon
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
