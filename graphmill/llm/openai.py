"""Any OpenAI-compatible endpoint (chat completions); the only module that knows openai.

https://platform.openai.com/docs/api-reference/chat. One call a request: retries, recording, budget
and bounds are wrappers of their own.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from graphmill.errors import LLMError
from graphmill.llm.base import Ask, Reply, excerpt
from graphmill.llm.budget import prompt_tokens

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion

# Options that some endpoints refuse (HTTP 400), in the order in which they are given up, with the
# words of messages that mean them.
OPTIONS = {
    "response_format": ("response_format", "schema", "grammar"),
    "max_tokens": ("max_tokens",),
    "temperature": ("temperature",),
    "seed": ("seed",),
}
STATUS = {401: "authentication", 403: "authentication", 408: "timeout", 409: "server"}


class OpenAI:
    """`model` at `base_url`. The key is read from the environment variable `api_key_env`.

    `max_tokens` is the longest answer that the endpoint gives.

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
        self.name = model
        self._openai = openai
        self._key = key
        self._client = openai.AsyncOpenAI(
            base_url=base_url, api_key=key, timeout=timeout, max_retries=0
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
                said = problem.evidence.casefold()
                refused = [
                    option
                    for option, words in OPTIONS.items()
                    if option not in self._without and any(word in said for word in words)
                ]
                if problem.code != "request" or not refused:
                    raise
                self._without.add(refused[0])

    async def close(self) -> None:
        """Close the connections."""
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
            said = f"Answer with one JSON object that meets this JSON Schema:\n{ask.schema}"
            messages[-1]["content"] += f"\n\n{said}"
        elif ask.schema:
            shape = {"name": "answer", "schema": json.loads(ask.schema)}
            options["response_format"] = {"type": "json_schema", "json_schema": shape}
        return options

    async def _call(self, ask: Ask) -> Reply:
        openai = self._openai
        try:
            completion: ChatCompletion = await self._client.chat.completions.create(
                model=self.name,
                # A call that is made again after a timeout or a kill can be told from a new one.
                extra_headers={"Idempotency-Key": f"{ask.key(self.name)}-{ask.attempt}"},
                **self._options(ask),
            )
        except openai.APITimeoutError as problem:
            raise LLMError(f"The model {self.name} did not answer in time.", "timeout") from problem
        except openai.APIResponseValidationError as problem:
            raise self._broken(problem) from problem
        except openai.APIConnectionError as problem:
            cause = excerpt(str(problem.__cause__ or problem))
            raise LLMError(
                f"The endpoint {self._client.base_url} cannot be reached: {self._clean(cause)}.",
                "connection",
            ) from problem
        except openai.APIStatusError as problem:
            raise self._status(problem) from problem
        except (openai.OpenAIError, ValueError) as problem:
            raise self._broken(problem) from problem
        return self._reply(completion, ask)

    def _reply(self, completion: ChatCompletion, ask: Ask) -> Reply:
        """The answer; where the endpoint does not count tokens, the budget's guess stands."""
        try:
            choice = completion.choices[0]
            text, refusal = choice.message.content, choice.message.refusal
            finish = choice.finish_reason
        except (AttributeError, IndexError, TypeError) as problem:
            raise self._broken(problem) from problem
        usage = completion.usage
        said = refusal or text or ""
        declined = bool(refusal) or finish == "content_filter"
        return Reply(
            text=said,
            model=completion.model or self.name,
            prompt_tokens=usage.prompt_tokens if usage else prompt_tokens(ask),
            completion_tokens=usage.completion_tokens if usage else len(said.encode()) // 3 + 1,
            finish="refusal" if declined else "length" if finish == "length" else "stop",
        )

    def _status(self, problem: Any) -> LLMError:
        """The typed error of an HTTP status."""
        status = int(problem.status_code)
        said = self._clean(excerpt(str(problem.message)))
        after = _seconds(problem.response.headers.get("retry-after"))
        if status == 429:
            code = "quota" if getattr(problem, "code", "") == "insufficient_quota" else "rate-limit"
        else:
            code = STATUS.get(status, "server" if status >= 500 else "request")
        return LLMError(
            f"The endpoint {self._client.base_url} answered {status}: {said}",
            code,
            retry_after=after,
            evidence=f"{getattr(problem, 'param', '')} {said}",
        )

    def _broken(self, problem: Exception) -> LLMError:
        said = self._clean(excerpt(str(problem)))
        return LLMError(f"The reply of {self.name} cannot be read: {said}.", "broken-reply")

    def _clean(self, text: str) -> str:
        """No server's message carries the key into a log."""
        return text.replace(self._key, "***") if self._key != "none" else text


def _seconds(header: str | None) -> float | None:
    """`Retry-After` in seconds; its other form, a date, is left to the back-off."""
    try:
        return max(0.0, float(header)) if header else None
    except ValueError:
        return None
