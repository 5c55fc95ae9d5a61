"""What a model is asked and what it answers; every client and wrapper has this one method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from graphmill.errors import LLMError


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A whole request as a value, so that it can be a cache key."""

    messages: tuple[Message, ...]
    temperature: float = 0.0
    max_tokens: int = 2048
    seed: int | None = None
    schema: str | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer and what it cost in tokens."""

    text: str
    model: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached: bool = False


class LLM(Protocol):
    """A model, or a wrapper around one (cache, retry, budget)."""

    name: str

    def ask(self, ask: Ask) -> Reply:
        """Answer one request; raises LLMError."""
        ...

    def ask_many(self, asks: Sequence[Ask]) -> Iterator[Reply | LLMError]:
        """Answer many, in order, with bounded concurrency inside."""
        ...
