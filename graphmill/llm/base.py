"""What a model is asked and what it answers; every model and every wrapper has one method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol

from graphmill.errors import LLMError
from graphmill.files import digest

type Finish = Literal["stop", "length", "refusal", "broken", "cut"]

# Errors of one answer, paid for and of no use; what is left of the codes ends the work.
WASTED = frozenset({"not-json", "invalid", "truncated", "empty", "refusal"})


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A whole request as a value, so that it can be a cache key.

    `schema` is the JSON Schema (as text) that the answer has to meet. `repetition` tells two
    requests of one text apart that are to be answered anew. No part of the key: `stage`, which
    says whose cost it is, and `attempt`, which counts the answers that came to nothing. Where the
    last message is `varying` (what a program printed before it failed) it is no part either: what
    was answered stands for what comes of it, and a run that is repeated pays for nothing anew.
    """

    messages: tuple[Message, ...]
    temperature: float = 0.0
    max_tokens: int = 2048
    seed: int | None = None
    schema: str | None = None
    repetition: int = 0
    stage: str = ""
    attempt: int = 0
    varying: bool = False

    def key(self, model: str, *, whole: bool = False) -> str:
        """The content address of the request to `model`; `whole`: with what is no part of it."""
        known = self.messages[:-1] if self.varying and not whole else self.messages
        return digest(
            "ask",
            model,
            [[message.role, message.text] for message in known],
            self.temperature,
            self.max_tokens,
            self.seed,
            self.schema,
            self.repetition,
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer and what it cost in tokens; where a record is kept, all paid attempts
    included.

    `finish`: it ended by itself, was cut at `max_tokens`, or the model declined (`text` then
    says why). `broken` cannot be read, `cut` broke off on its way: they are in books and record
    alone. `cached`: it was answered before and cost nothing now.
    """

    text: str
    model: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    finish: Finish = "stop"
    cached: bool = False

    def to_json(self) -> dict[str, Any]:
        """What is recorded of it."""
        return {
            "text": self.text,
            "model": self.model,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "finish": self.finish,
        }


class Paid(LLMError):
    """An answer came and is paid for, whatever it is worth. `reply` is what books and record keep
    of it before anybody fails."""

    def __init__(self, problem: str, code: str, reply: Reply) -> None:
        super().__init__(problem, code)
        self.reply = reply


class Uncounted(Paid):
    """An answer whose tokens are no count (`usage`). `reply` is the answer, with an estimate."""

    def __init__(self, problem: str, reply: Reply) -> None:
        super().__init__(problem, "usage", reply)


class Unusable(Paid):
    """An answer of status 200 that cannot be read, or that did not come whole. `reply` has no
    text of the model, and the tokens that it told or an estimate of them."""


class Model(Protocol):
    """A model, or a wrapper round one (record, retry, budget, bound)."""

    name: str

    async def answer(self, ask: Ask) -> Reply:
        """Answer one request, whatever the answer is worth; raises LLMError where none came."""
        ...

    async def close(self) -> None:
        """Let connections and files go."""
        ...


def stopped() -> LLMError:
    """The error of a call that was not begun."""
    return LLMError("The work was stopped before this request was sent.", "stopped")


def usable(reply: Reply) -> Reply:
    """The reply, if it says something whole.

    Raises:
        LLMError: the model declined (`refusal`), said nothing (`empty`) or was cut (`truncated`).
    """
    if reply.finish == "refusal":
        why = f": {excerpt(reply.text)}" if reply.text.strip() else ", and gave no reason."
        raise LLMError(f"The model {reply.model} declined{why}", "refusal")
    if not reply.text.strip():
        raise LLMError(f"The model {reply.model} answered with an empty text.", "empty")
    if reply.finish == "length":
        raise LLMError(
            f"The answer of {reply.model} was cut after {reply.completion_tokens} tokens; "
            "allow more (max_tokens).",
            "truncated",
        )
    return reply


def excerpt(text: str, length: int = 300) -> str:
    """A foreign text, safe for a message: one line, printable, cut."""
    flat = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return flat if len(flat) <= length else f"{flat[:length]}…"


QUOTED = 2000  # characters of an answer that could not be read
LETTERS = 4  # characters of a token; an answer that was asked for in so many tokens is quoted whole


def quoted(text: str, length: int = QUOTED) -> str:
    """An answer as a repair sends it back: whole if it is short, else its beginning and its end.

    What a request costs is then known beforehand, whatever was answered.

    >>> quoted("a" * 9 + "b" * 9, 12)
    'aaaaaaaa … bbbb'
    """
    if len(text) <= length:
        return text
    return f"{text[: length * 2 // 3]} … {text[-(length // 3) :]}"
