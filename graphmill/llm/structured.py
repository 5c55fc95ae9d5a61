"""A typed value out of a model's text: one request, one repair round, then a clear error."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from pydantic import BaseModel, ValidationError

from graphmill.errors import LLMError
from graphmill.files import canonical
from graphmill.llm.base import Ask, Message, Model, Reply, excerpt, quoted, usable

TRIES = 50  # places in a text where a JSON object may begin


@dataclass(frozen=True, slots=True)
class Filled[T: BaseModel]:
    """A value, and the replies that it took (two where the first had to be repaired)."""

    value: T
    replies: tuple[Reply, ...]


async def fill[T: BaseModel](model: Model, ask: Ask, shape: type[T]) -> Filled[T]:
    """Ask for a `shape`; a reply that is none is sent back once with what is wrong with it.

    Raises:
        LLMError: `refusal`, `empty`; or, after the repair round, `truncated`, `not-json`,
            `invalid`, with the last reply as evidence.
    """
    ask = replace(ask, schema=canonical(shape.model_json_schema()))
    first = await model.answer(ask)
    try:
        return Filled(parse(first, shape), (first,))
    except LLMError as problem:
        if problem.code in ("refusal", "empty"):
            raise
        second = await model.answer(_repair(ask, first, problem))
    return Filled(parse(second, shape), (first, second))


def parse[T: BaseModel](reply: Reply, shape: type[T]) -> T:
    """The value that a reply holds, alone, fenced, or between words.

    Raises:
        LLMError: the reply is not usable (`base.usable`), has no JSON object (`not-json`), or an
            object of another shape (`invalid`; the message has every place that is wrong).
    """
    text = usable(reply).text
    raw = json_object(text)
    if raw is None:
        raise LLMError(
            f"The model {reply.model} answered without a JSON object: {excerpt(text, 120)}",
            "not-json",
            evidence=text,
        )
    try:
        return shape.model_validate_json(raw)
    except ValidationError as problem:
        wrong = "; ".join(
            f"{'.'.join(map(str, error['loc'])) or 'the answer'}: {error['msg']}"
            for error in problem.errors()
        )
        raise LLMError(
            f"The answer of {reply.model} has another shape than asked for: {excerpt(wrong, 6000)}",
            "invalid",
            evidence=text,
        ) from problem


def json_object(text: str) -> str | None:
    """The text of the largest JSON object among the first ones in `text`.

    >>> json_object('Here it is: ```json\\n{"a": {"b": 1}}\\n``` as you wished {}')
    '{"a": {"b": 1}}'
    >>> json_object('{"a": 1')
    """
    decoder = json.JSONDecoder()
    largest = ""
    start = text.find("{")
    for _ in range(TRIES):
        if start < 0:
            break
        try:
            _, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            largest = max(largest, text[start:end], key=len)
        start = text.find("{", end)
    return largest or None


def _repair(ask: Ask, reply: Reply, problem: LLMError) -> Ask:
    """The request again, with an excerpt of the reply and what is wrong with it; twice the room if
    it was cut."""
    correction = (
        f"That answer cannot be used. {problem}\n"
        "Answer again with the whole JSON object, corrected, and nothing else."
    )
    turns = (Message("assistant", quoted(reply.text)), Message("user", correction))
    room = ask.max_tokens * (2 if problem.code == "truncated" else 1)
    return replace(ask, messages=(*ask.messages, *turns), max_tokens=room)
