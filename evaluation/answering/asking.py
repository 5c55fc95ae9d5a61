"""Asking a model on behalf of one question: its calls are counted, bounded and written down."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping

from evaluation.base import Call, Setting
from evaluation.prompts import prompt
from graphmill.errors import ConfigError, LLMError
from graphmill.llm.base import WASTED, Ask, Reply
from graphmill.llm.client import Client

LONGEST = 2048  # tokens of an answer
INSTRUCTIONS = "instructions"  # the part of a prompt that is none of its variables

_FENCED = re.compile(r"```[\w+-]*[ \t]*\n(.*?)```", re.DOTALL)
_LABELLED = re.compile(
    r"\A\s*(?:final\s+)?(?:query|cypher|gql|ngql|sparql|gremlin|sql)\s*:\s*", re.I
)
ABSTAINS = "NO QUERY"


class OutOfCalls(Exception):
    """The question's calls are used up (`--calls`, or the system's own bound)."""


class Talk:
    """The calls to models for one question. `calls` are those so far.

    Raises:
        ConfigError: the setting has no model.
    """

    def __init__(self, setting: Setting, stage: str) -> None:
        if setting.client is None:
            raise ConfigError(f"The system {stage} asks a model: name one.")
        self._client = setting.client
        self._roles = setting.roles
        self._most = setting.calls
        self._seed = setting.seed
        self._stage = stage
        self.calls: list[Call] = []

    @property
    def is_over(self) -> bool:
        """Whether no call is left."""
        return self._most is not None and len(self.calls) >= self._most

    def ask(self, role: str, name: str, *, repetition: int = 0, **values: str) -> str:
        """The answer to the prompt in the file `name`, by the model of a role; empty where the
        model gave nothing of use (it declined, or was cut).

        Raises:
            OutOfCalls: no call is left.
            LLMError: the model cannot be asked (any more).
        """
        if self.is_over:
            raise OutOfCalls
        file = prompt(name)
        client = self._roles.get(role, self._client)
        ask = Ask(
            file.render(**values),
            max_tokens=LONGEST,
            seed=self._seed,
            repetition=repetition,
            stage=f"{self._stage}: {role}",
        )
        begun = time.monotonic()
        try:
            reply = client.ask(ask)
        except LLMError as problem:
            if problem.code not in WASTED:
                raise
            self.calls.append(Call(client.name))
            return ""
        seconds = time.monotonic() - begun
        text = "".join(message.text for message in ask.messages)
        self.calls.append(_call(client, reply, seconds, shares(text, values, reply.prompt_tokens)))
        return reply.text


def _call(client: Client, reply: Reply, seconds: float, parts: Mapping[str, int]) -> Call:
    prices = client.budget.prices
    return Call(
        reply.model,
        reply.prompt_tokens,
        reply.completion_tokens,
        round(prices.cost(reply.prompt_tokens, reply.completion_tokens), 9),
        seconds,
        reply.cached,
        parts,
    )


def shares(text: str, values: Mapping[str, str], tokens: int) -> dict[str, int]:
    """The tokens of a prompt by part, in proportion to their bytes; they add up to `tokens`.

    >>> shares("Answer: abcd", {"question": "abcd"}, 6)
    {'question': 2, 'instructions': 4}
    """
    whole = max(1, len(text.encode()))
    parts = {
        name: round(tokens * len(value.encode()) / whole) for name, value in values.items() if value
    }
    return {**parts, INSTRUCTIONS: max(0, tokens - sum(parts.values()))}


def query_of(text: str) -> str | None:
    """The query in an answer: its last fenced block, else all of it without a label before it;
    None where it says that there is none.

    >>> query_of("Here it is:\\n```cypher\\nMATCH (n) RETURN n\\n```")
    'MATCH (n) RETURN n'
    >>> query_of("Query: RETURN 1")
    'RETURN 1'
    >>> query_of("NO QUERY") is None
    True
    >>> query_of("`RETURN 1 AS x`"), query_of("RETURN 1 AS `x`")
    ('RETURN 1 AS x', 'RETURN 1 AS `x`')
    """
    fenced = _FENCED.findall(text)
    query = fenced[-1] if fenced else _LABELLED.sub("", text)
    query = query.strip()
    if query.startswith("`") and query.endswith("`"):
        query = query.strip("`").strip()
    return None if query.rstrip(".").upper() == ABSTAINS else query
