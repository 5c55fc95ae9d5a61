"""Calls that fail in passing are made again; calls in flight are bounded in number and rate."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace

from graphmill.errors import LLMError
from graphmill.llm.base import Ask, Model, Reply, Unusable, stopped
from graphmill.llm.cache import Record
from graphmill.seed import rng

RETRYABLE = frozenset({"rate-limit", "server", "timeout", "connection", "broken-reply"})
PAID = 3  # calls for one request whose answers are paid for and come to nothing
PATIENCE = 120.0  # seconds; a server that asks for more is not waited for


class Retrying:
    """Exponential back-off with jitter from a seed, or what Retry-After says where that is more.

    An answer that is paid for and comes to nothing (empty, or none that can be read) is asked for
    `PAID` times at most; what each that is given up cost is put in `record`. The last failure is
    raised as it came.
    """

    def __init__(
        self,
        model: Model,
        *,
        attempts: int = 8,
        base: float = 0.2,
        longest: float = 30.0,
        seed: int = 0,
        record: Record | None = None,
    ) -> None:
        self.name = model.name
        self._model = model
        self._record = record
        self._attempts = attempts
        self._base = base
        self._longest = longest
        self._seed = seed
        self._closing = asyncio.Event()

    async def answer(self, ask: Ask) -> Reply:
        """The answer of the first attempt that comes to something."""
        wasted = 0
        for attempt in range(1, self._attempts + 1):
            after = 0.0
            try:
                reply = await self._model.answer(ask)
            except LLMError as problem:
                after = problem.retry_after or 0.0
                last = problem.code not in RETRYABLE or after > PATIENCE
                if isinstance(problem, Unusable):
                    wasted += 1
                    ask = await self._given_up(ask, problem.reply)
                if last or attempt == self._attempts or wasted == PAID:
                    raise
            else:
                wasted += 1
                whole = reply.text.strip() or reply.finish == "refusal"
                if whole or attempt == self._attempts or wasted == PAID:
                    return reply
                ask = await self._given_up(ask, reply)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), max(after, self.delay(ask, attempt)))
                raise stopped()
        raise AssertionError("the last attempt returns or raises")

    async def _given_up(self, ask: Ask, reply: Reply) -> Ask:
        """The request that is made next. What did not come whole is the same request: a server that
        honours its key may send it again for nothing."""
        if self._record is not None:
            await self._record.waste(ask.key(self.name), ask.stage, reply)
        return ask if reply.finish == "cut" else replace(ask, attempt=ask.attempt + 1)

    def delay(self, ask: Ask, attempt: int) -> float:
        """Seconds to wait after attempt number `attempt` (from 1): half fixed, half jitter."""
        jitter = rng(self._seed, "retry", ask.key(self.name), attempt).random()
        full = min(self._longest, self._base * 2.0 ** (attempt - 1))
        return full * (0.5 + jitter / 2)

    async def close(self) -> None:
        """Wait for nothing more, and close the model inside."""
        self._closing.set()
        await self._model.close()


class Bounded:
    """At most `concurrency` calls in flight, and at most `per_minute` begun a minute (0: any).

    A call that waits for its next attempt holds no place. Closing lets the calls in flight end,
    for they are paid for, and begins no other; `closing` tells those inside, which wait, too.
    """

    def __init__(
        self,
        model: Model,
        concurrency: int,
        per_minute: float = 0,
        closing: asyncio.Event | None = None,
    ) -> None:
        self.name = model.name
        self._model = model
        self._places = asyncio.Semaphore(concurrency)
        self._concurrency = concurrency
        self._apart = 60.0 / per_minute if per_minute else 0.0
        self._next = 0.0
        self._closing = closing or asyncio.Event()

    async def answer(self, ask: Ask) -> Reply:
        """Wait for a place and a turn, then ask.

        Raises:
            LLMError: `stopped`; the client was closed while the call waited.
        """
        async with self._places:
            if self._apart:
                now = asyncio.get_running_loop().time()
                turn = max(now, self._next)
                self._next = turn + self._apart
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._closing.wait(), turn - now)
            if self._closing.is_set():
                raise stopped()
            return await self._model.answer(ask)

    async def close(self) -> None:
        """Wait for the calls in flight, then close the model inside."""
        self._closing.set()
        for _ in range(self._concurrency):
            await self._places.acquire()
        await self._model.close()
        for _ in range(self._concurrency):
            self._places.release()
