"""Any OpenAI-compatible endpoint (chat completions); the only module that knows openai.

https://platform.openai.com/docs/api-reference/chat. One call a request: retries, recording, budget
and bounds are wrappers of their own.
"""

from __future__ import annotations

import asyncio
import json
import os
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from graphmill.errors import LLMError, in_words
from graphmill.llm.base import Ask, Finish, Reply, Uncounted, Unusable, excerpt
from graphmill.llm.budget import prompt_tokens
from graphmill.secrets import conceal, keep, keep_url, without_user

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion

    from graphmill.llm.answers import Heard

# Options that some endpoints refuse (HTTP 400), in the order in which they are given up, with the
# words of messages that mean them.
OPTIONS = {
    "response_format": ("response_format", "schema", "grammar"),
    "max_tokens": ("max_tokens",),
    "temperature": ("temperature",),
    "seed": ("seed",),
}
CLOSING = 5.0  # seconds for the ends of connections
STATUS = {401: "authentication", 403: "authentication", 408: "timeout", 409: "server"}

# Codes of answers whose bodies could not be read, or not to their ends.
_UNREAD = frozenset({"timeout", "connection", "broken-reply"})
# Faults of a connection, as httpx names them, that was there.
_BROKEN_OFF = frozenset({"ReadError", "RemoteProtocolError"})


class OpenAI:
    """`model` at `base_url`. The key is read from the environment variable `api_key_env`.

    `timeout` is seconds for a whole call, from the name's look-up to the last byte. `max_tokens` is
    the longest answer that the endpoint gives. Whatever an endpoint says is cleaned (`conceal`)
    before anything is done with it.

    Raises:
        LLMError: the package openai or the key is missing.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key_env: str = "",
        timeout: float = 120.0,
        max_tokens: int | None = None,
    ) -> None:
        try:
            import openai

            from graphmill.llm import answers
        except ImportError as problem:
            raise LLMError(
                "A model needs the package openai: pip install 'graphmill[llm]'.", "request"
            ) from problem
        key = os.environ.get(api_key_env, "") if api_key_env else "none"
        if not key:
            raise LLMError(
                f"The model {model} needs a key: set the environment variable {api_key_env}.",
                "authentication",
            )
        keep(key)
        keep_url(base_url)
        self.name = model
        self._openai = openai
        self._answers = answers
        self._place = without_user(base_url)
        self._timeout = timeout
        self._client = openai.AsyncOpenAI(
            base_url=base_url,
            api_key=key,
            timeout=timeout,
            max_retries=0,
            # Texts of some kilobytes: a coding saves nothing, and is a way to send very long ones.
            default_headers={"Accept-Encoding": "identity"},
            # What is asked has schemas and values of the data, and goes where the user said alone.
            http_client=openai.DefaultAsyncHttpxClient(
                event_hooks={"request": [answers.listen], "response": [answers.limit]},
                follow_redirects=False,
            ),
        )
        self._without: set[str] = set()
        self._max_tokens = max_tokens

    async def answer(self, ask: Ask) -> Reply:
        """One call. The answer may be empty, cut or a refusal: the reply says so.

        Endpoints differ in the options they take; one that is refused is said in another way,
        now and from then on.
        """
        while True:
            try:
                return await self._call(ask)
            except LLMError as problem:
                evidence = problem.evidence.casefold()
                refused = [
                    option
                    for option, words in OPTIONS.items()
                    if option not in self._without and any(word in evidence for word in words)
                ]
                if problem.code != "request" or not refused:
                    raise
                self._without.add(refused[0])

    async def close(self) -> None:
        """Close the connections; one whose other side does not let go is left to the system."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSING):
                await self._client.close()

    def _options(self, ask: Ask) -> dict[str, Any]:
        """Messages and settings of a call, in the words this endpoint takes."""
        messages = [{"role": message.role, "content": message.text} for message in ask.messages]
        options: dict[str, Any] = {"messages": messages}
        room = "max_completion_tokens" if "max_tokens" in self._without else "max_tokens"
        options[room] = min(ask.max_tokens, self._max_tokens or ask.max_tokens)
        if "temperature" not in self._without:
            options["temperature"] = ask.temperature
        if ask.seed is not None and "seed" not in self._without:
            options["seed"] = ask.seed
        if ask.schema and "response_format" in self._without:
            instruction = f"Answer with one JSON object that meets this JSON Schema:\n{ask.schema}"
            messages[-1]["content"] += f"\n\n{instruction}"
        elif ask.schema:
            shape = {"name": "answer", "schema": json.loads(ask.schema)}
            options["response_format"] = {"type": "json_schema", "json_schema": shape}
        return options

    async def _call(self, ask: Ask) -> Reply:
        """The reply to one call.

        Raises:
            Unusable: an answer of status 200 came and is none: it is paid for.
            LLMError: no answer came. Where its status did, that says what to do, whatever became of
                the rest.
        """
        heard = self._answers.Heard()
        self._answers.HEARD.set(heard)
        try:
            return await self._called(ask)
        except Uncounted:
            raise
        except LLMError as problem:
            if heard.status >= 300 and problem.code in _UNREAD:
                raise self._answered(heard.status, str(problem)) from None
            if not heard.is_paid:
                raise
            broke_off = problem.code in ("timeout", "connection")
            reply = self._paid(heard, ask, "cut" if broke_off else "broken")
            raise Unusable(str(problem), problem.code, reply) from None

    def _paid(self, heard: Heard, ask: Ask, finish: Finish) -> Reply:
        """What an answer that is none is booked as: the tokens that it tells, else those that its
        bytes may be, and of one that is no whole JSON as many as were asked for at most."""
        body = b"".join(heard.chunks)
        usage, is_json = self._answers.usage_of(body)

        def counted(name: str, guess: int) -> int:
            try:
                count: int = self._answers.tokens(usage, name, guess, self.name)
            except LLMError:
                return guess
            return count

        most = ask.max_tokens
        answered = min(len(body) // 3 + 1, most) if is_json else most
        return Reply(
            text="",
            model=self.name,
            prompt_tokens=counted("prompt_tokens", prompt_tokens(ask)),
            completion_tokens=counted("completion_tokens", answered),
            finish=finish,
        )

    async def _called(self, ask: Ask) -> Reply:
        """The reply, or an error. Errors have no cause: what they come from is not clean."""
        openai = self._openai
        try:
            # The client's own limit is for each piece of an answer, and a piece may be one byte.
            async with asyncio.timeout(self._timeout):
                key = ask.key(self.name, whole=True)
                completion: ChatCompletion = await self._client.chat.completions.create(
                    model=self.name,
                    # A call made again after a timeout or a kill can be told from a new one.
                    extra_headers={"Idempotency-Key": f"{key}-{ask.attempt}"},
                    **self._options(ask),
                )
        except (TimeoutError, openai.APITimeoutError):
            raise LLMError(
                f"The model {self.name} did not answer within {self._timeout:g} s.", "timeout"
            ) from None
        except self._answers.TooLong as problem:
            raise self._broken(problem) from None
        except openai.APIResponseValidationError as problem:
            raise self._broken(problem) from None
        except openai.APIConnectionError as problem:
            cause = problem.__cause__ or problem
            if isinstance(cause, self._answers.TooLong):
                raise self._broken(cause) from None
            what = "broke off" if type(cause).__name__ in _BROKEN_OFF else "cannot be reached"
            raise LLMError(
                f"The endpoint {self._place} {what}: {_quoted(cause)}.", "connection"
            ) from None
        except openai.APIStatusError as problem:
            raise self._status(problem) from None
        except (openai.OpenAIError, ValueError, TypeError, RecursionError) as problem:
            raise self._broken(problem) from None
        return self._reply(completion, ask)

    def _reply(self, completion: ChatCompletion, ask: Ask) -> Reply:
        """The answer; where the endpoint does not count tokens, the budget's guess stands."""
        choices = _part(completion, "choices")
        if not isinstance(choices, list) or not choices:
            raise self._broken(_unlike("choices", "a list of answers", choices))
        message = _part(choices[0], "message")
        if all(_part(message, name) is None for name in ("role", "content", "refusal")):
            raise self._broken(_unlike("choices[0].message", "an object with a text", message))
        text, refusal = _part(message, "content"), _part(message, "refusal")
        finish = _part(choices[0], "finish_reason")
        usage, model = _part(completion, "usage"), _part(completion, "model")
        content: Any = refusal or text or ""
        if not isinstance(content, str):
            raise self._broken(_unlike("choices[0].message.content", "a text", content))
        content = conceal(_encodable(content))
        declined = bool(refusal) or finish == "content_filter"
        counted = self._answers.tokens
        reply = Reply(
            text=content,
            model=_quoted(model, 200) if isinstance(model, str) and model else self.name,
            prompt_tokens=prompt_tokens(ask),
            completion_tokens=len(content.encode()) // 3 + 1,
            finish="refusal" if declined else "length" if finish == "length" else "stop",
        )
        try:
            return replace(
                reply,
                prompt_tokens=counted(usage, "prompt_tokens", reply.prompt_tokens, self.name),
                completion_tokens=counted(
                    usage, "completion_tokens", reply.completion_tokens, self.name
                ),
            )
        except LLMError as problem:
            raise Uncounted(str(problem), reply) from None

    def _status(self, problem: Any) -> LLMError:
        """The typed error of an HTTP status."""
        return self._answered(
            int(problem.status_code),
            _quoted(problem.message),
            problem.response.headers.get("retry-after"),
            param=_quoted(getattr(problem, "param", "")),
            is_quota=getattr(problem, "code", "") == "insufficient_quota",
        )

    def _answered(
        self,
        status: int,
        message: str,
        after: str | None = None,
        *,
        param: str = "",
        is_quota: bool = False,
    ) -> LLMError:
        """The typed error of a status and what came with it."""
        if 300 <= status < 400:
            return LLMError(
                f"The endpoint {self._place} answered {status}: what is asked is to be asked "
                "elsewhere, where nothing is sent. Set base_url to that place, if it is yours.",
                "request",
            )
        if status == 429:
            code = "quota" if is_quota else "rate-limit"
        else:
            code = STATUS.get(status, "server" if status >= 500 else "request")
        return LLMError(
            f"The endpoint {self._place} answered {status}: {message}",
            code,
            retry_after=_seconds(after),
            evidence=f"{param} {message}",
        )

    def _broken(self, problem: Exception | str) -> LLMError:
        words = problem if isinstance(problem, str) else in_words(problem)
        reason = _quoted(words) or type(problem).__name__
        return LLMError(f"The reply of {self.name} cannot be read: {reason}.", "broken-reply")


def _part(whole: Any, name: str) -> Any:
    """A part of an answer, whose types are what the endpoint made them."""
    return whole.get(name) if isinstance(whole, dict) else getattr(whole, name, None)


def _unlike(name: str, expected: str, given: Any) -> str:
    """What is wrong with a part of an answer: what it should be, and is."""
    kind = {list: "an empty list" if not given else "a list", type(None): "null or missing"}
    kinds = {**kind, dict: "an object", str: "a text", bool: "a truth value", int: "a number"}
    what = kinds.get(type(given), "a number" if isinstance(given, float) else "an object")
    return f"its `{name}` is {what}, and should be {expected}"


def _quoted(foreign: object, length: int = 300) -> str:
    """What an endpoint says, for a message: cleaned while it is whole, then cut."""
    return excerpt(conceal(_encodable(str(foreign))), length)


def _encodable(text: str) -> str:
    """JSON can say halves of characters, which no file can hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _seconds(header: str | None) -> float | None:
    """`Retry-After` in seconds, from either of its forms: a number, and a date."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        date = parsedate_to_datetime(header)
        left = date.replace(tzinfo=date.tzinfo or UTC) - datetime.now(UTC)
    except (ValueError, OverflowError):
        return None
    return max(0.0, left.total_seconds())
