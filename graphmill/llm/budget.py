"""What the work may cost, what it cost so far by stage, and what it will cost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from graphmill.errors import LLMError
from graphmill.llm.base import Ask, Model, Paid, Reply, Unusable, stopped

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars for a million tokens. They are configuration: no price is known here."""

    input: float = 0.0
    output: float = 0.0

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """US dollars of one call.

        >>> Prices(2.0, 8.0).cost(1_000_000, 500_000)
        6.0
        """
        return (prompt_tokens * self.input + completion_tokens * self.output) / MILLION


FREE = Prices()


@dataclass(slots=True)
class Spent:
    """What one stage used: calls paid now, answers found in the record, tokens of both."""

    calls: int = 0
    recorded: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float = 0.0
    usd_now: float = 0.0
    accepted: int = 0

    def to_json(self) -> dict[str, Any]:
        """For reports; `usd_per_accepted` is null where nothing was accepted."""
        each = round(self.usd / self.accepted, 6) if self.accepted else None
        return {
            "calls": self.calls,
            "recorded": self.recorded,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "usd": round(self.usd, 6),
            "usd_now": round(self.usd_now, 6),
            "accepted": self.accepted,
            "usd_per_accepted": each,
        }


@dataclass(frozen=True, slots=True)
class Estimate:
    """What requests will cost at most: every answer as long as it may be."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    usd: float


@dataclass(slots=True)
class Budget:
    """A hard limit on the whole work's cost in US dollars (None: no limit), and its books.

    The limit covers `earlier`, what the replies that are recorded already have cost. A call
    reserves what it can cost at most, so the limit holds with many calls in flight.
    """

    limit: float | None = None
    prices: Prices = FREE
    stages: dict[str, Spent] = field(default_factory=dict)
    reserved: float = 0.0
    in_flight: int = 0
    earlier: float = 0.0

    @property
    def spent(self) -> float:
        """US dollars so far, in this run and in those whose replies were recorded."""
        return self.earlier + self.now

    @property
    def now(self) -> float:
        """US dollars spent in this run."""
        return sum(stage.usd_now for stage in self.stages.values())

    def most(self, ask: Ask) -> float:
        """The most that a call can cost, in US dollars."""
        return self.prices.cost(prompt_tokens(ask), ask.max_tokens)

    def allows(self, usd: float) -> bool:
        """Whether that much more can be spent, besides what is spent and reserved."""
        return self.limit is None or self.spent + self.reserved + usd <= self.limit

    def exhausted(self, usd: float) -> LLMError:
        """The error of a call that would break the limit."""
        return LLMError(
            f"The budget of {self.limit:.2f} USD is used up: {self.spent:.4f} USD are spent, and "
            f"the next call may cost {usd:.4f} USD. What is finished is kept; raise budget_usd to "
            "go on.",
            "budget",
        )

    def count(self, ask: Ask, reply: Reply) -> None:
        """Enter an answer in the books."""
        stage = self.stages.setdefault(ask.stage, Spent())
        usd = self.prices.cost(reply.prompt_tokens, reply.completion_tokens)
        stage.prompt_tokens += reply.prompt_tokens
        stage.completion_tokens += reply.completion_tokens
        stage.usd += usd
        if reply.cached:
            stage.recorded += 1
        else:
            stage.calls += 1
            stage.usd_now += usd

    def booked_for(self, reply: Reply) -> str:
        """What the books say of an answer that is of no use, for a message."""
        usd = self.prices.cost(reply.prompt_tokens, reply.completion_tokens)
        tokens = reply.prompt_tokens + reply.completion_tokens
        cost = f"{usd:.4f} USD" if usd else f"{tokens:,} tokens"
        spent = f", and {self.spent:.4f} USD are spent so far" if usd else ""
        return f"It counts as paid for: {cost} are booked for it{spent}."

    def accept(self, stage: str, records: int = 1) -> None:
        """Note that `records` products of a stage were accepted."""
        self.stages.setdefault(stage, Spent()).accepted += records

    def estimate(self, asks: Iterable[Ask]) -> Estimate:
        """What these requests will cost at most."""
        calls = prompt = completion = 0
        for ask in asks:
            calls += 1
            prompt += prompt_tokens(ask)
            completion += ask.max_tokens
        return Estimate(calls, prompt, completion, self.prices.cost(prompt, completion))

    def to_json(self) -> dict[str, Any]:
        """The books by stage, for reports."""
        return {name: self.stages[name].to_json() for name in sorted(self.stages)}


def prompt_tokens(ask: Ask) -> int:
    """A cautious guess at a request's tokens: a token for every three bytes, eight a message.

    Tokenisers give about four bytes of English and fewer of other texts; the true number comes
    back with the reply.
    """
    texts = [message.text for message in ask.messages] + ([ask.schema] if ask.schema else [])
    return sum(len(text.encode("utf-8", "replace")) // 3 + 8 for text in texts)


class Budgeted:
    """Asks only what the budget allows, and enters every paid call in its books.

    A call that fits only if those in flight cost less than they may waits for them. It stands
    inside of what bounds the calls (`Bounded`): one that waited for a place is held to what was
    spent meanwhile, for an answer may cost more than it was taken to cost at most. `closing`:
    nothing is begun once it is set.
    """

    def __init__(self, model: Model, budget: Budget, closing: asyncio.Event | None = None) -> None:
        self.name = model.name
        self.budget = budget
        self._model = model
        self._settled = asyncio.Condition()
        self._closing = closing or asyncio.Event()

    async def answer(self, ask: Ask) -> Reply:
        """Reserve, ask, count.

        Raises:
            LLMError: `budget`; the call could break the limit. What is finished is kept. `stopped`;
                the client was closed while the call waited.
        """
        budget, most = self.budget, self.budget.most(ask)
        async with self._settled:
            while not budget.allows(most):
                if not budget.in_flight:
                    raise budget.exhausted(most)
                await self._settled.wait()
            if self._closing.is_set():
                raise stopped()
            budget.in_flight += 1
            budget.reserved += most
        try:
            reply = await self._model.answer(ask)
            budget.count(ask, reply)
        except Paid as problem:
            budget.count(ask, problem.reply)
            if not isinstance(problem, Unusable):
                raise
            words = f"{problem} {budget.booked_for(problem.reply)}"
            raise Unusable(words, problem.code, problem.reply) from None
        finally:
            async with self._settled:
                budget.in_flight -= 1
                budget.reserved = budget.reserved - most if budget.in_flight else 0.0
                self._settled.notify_all()
        return reply

    async def close(self) -> None:
        """Close the model inside."""
        await self._model.close()
