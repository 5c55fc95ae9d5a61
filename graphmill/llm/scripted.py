"""A model that answers from a list or by a function: for tests, and to try a pipeline offline."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from graphmill.errors import LLMError
from graphmill.llm.base import Ask, Reply
from graphmill.llm.budget import prompt_tokens

type Line = str | Reply | LLMError


class Scripted:
    """Gives its lines one after the other, or what `lines` returns for a request.

    `asks` are the requests so far. An LLMError among the lines is raised.
    """

    def __init__(
        self, lines: Iterable[Line] | Callable[[Ask], Line], name: str = "scripted"
    ) -> None:
        self.name = name
        self.asks: list[Ask] = []
        self._by_rule = lines if callable(lines) else None
        self._lines = iter(()) if callable(lines) else iter(lines)

    async def answer(self, ask: Ask) -> Reply:
        """The next line.

        Raises:
            LLMError: `script`; there is no line left.
        """
        self.asks.append(ask)
        line = self._by_rule(ask) if self._by_rule else next(self._lines, None)
        if line is None:
            raise LLMError(f"The script has no line for request {len(self.asks)}.", "script")
        if isinstance(line, LLMError):
            raise line
        if isinstance(line, Reply):
            return line
        return Reply(line, self.name, prompt_tokens(ask), len(line) // 3 + 1)

    async def close(self) -> None:
        """Nothing is held."""
