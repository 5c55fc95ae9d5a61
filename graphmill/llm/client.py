"""The client that the other layers call: synchronous outside, asynchronous inside."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel

from graphmill.errors import LLMError
from graphmill.llm.base import Ask, Model, Reply, stopped, usable
from graphmill.llm.budget import FREE, Budget, Budgeted, Prices
from graphmill.llm.cache import Record, Recorded
from graphmill.llm.retry import Bounded, Retrying
from graphmill.llm.structured import Filled, fill
from graphmill.processes import result

HELD = 10_000  # answers that wait for an earlier one, at most


@dataclass(frozen=True, slots=True)
class Settings:
    """How a model is reached and what it may cost; times in seconds, prices a million tokens.

    `api_key_env` names the environment variable that holds the key; empty for a server that
    takes none. `max_tokens` bounds every answer, where the endpoint gives no longer ones.
    """

    base_url: str
    model: str
    api_key_env: str = ""
    budget_usd: float | None = None
    prices: Prices = FREE
    concurrency: int = 16
    per_minute: float = 0
    timeout: float = 120.0
    attempts: int = 8
    max_tokens: int | None = None
    seed: int = 0


class Client:
    """A model with its books. One event loop in a thread of its own serves every caller."""

    def __init__(self, model: Model, budget: Budget | None = None, *, window: int = 128) -> None:
        self.model = model
        self.budget = budget or Budget()
        self._window = window
        self._closing = False
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        """The model's name, for provenance."""
        return self.model.name

    def ask(self, ask: Ask) -> Reply:
        """A usable answer to one request.

        Raises:
            LLMError: no answer came, or it is empty, cut or a refusal.
        """
        return _waited(self._submit(self._usable(ask)))

    def ask_many(self, asks: Iterable[Ask]) -> Iterator[Reply | LLMError]:
        """Answers or errors in the order of the requests; the calls run side by side."""
        return self._many(self._usable, asks)

    def fill[T: BaseModel](self, ask: Ask, shape: type[T]) -> Filled[T]:
        """A value of `shape` (see `structured.fill`).

        Raises:
            LLMError: no answer came, or it is none after the repair round.
        """
        return _waited(self._submit(fill(self.model, ask, shape)))

    def fill_many[T: BaseModel](
        self, asks: Iterable[Ask], shape: type[T]
    ) -> Iterator[Filled[T] | LLMError]:
        """Values or errors in the order of the requests; the calls run side by side."""
        return self._many(lambda ask: fill(self.model, ask, shape), asks)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Wait for the calls in flight, which are paid for and recorded, and let everything go."""
        if self._loop.is_closed():
            return
        self._closing = True
        result(asyncio.run_coroutine_threadsafe(self._shut(), self._loop))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _submit[R](self, work: Coroutine[Any, Any, R]) -> Future[R]:
        """Begin `work` in the loop.

        Raises:
            LLMError: `stopped`; the client is closed, or about to be.
        """
        if not self._closing:
            with suppress(RuntimeError):  # the loop was closed meanwhile
                return asyncio.run_coroutine_threadsafe(work, self._loop)
        work.close()
        raise stopped()

    def _many[R](
        self, work: Callable[[Ask], Coroutine[Any, Any, R]], asks: Iterable[Ask]
    ) -> Iterator[R | LLMError]:
        begun: deque[Future[R]] = deque()
        places = threading.Semaphore(self._window)
        try:
            for ask in asks:
                places.acquire()
                begun.append(self._submit(work(ask)))
                begun[-1].add_done_callback(lambda _: places.release())
                # One that waits for its next attempt does not hold the others up.
                while begun and (begun[0].done() or len(begun) > HELD):
                    yield _result(begun.popleft())
            while begun:
                yield _result(begun.popleft())
        finally:
            for future in begun:
                future.cancel()

    async def _usable(self, ask: Ask) -> Reply:
        return usable(await self.model.answer(ask))

    async def _shut(self) -> None:
        await self.model.close()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)


def _waited[R](future: Future[R]) -> R:
    try:
        return result(future)
    except CancelledError:  # another thread closed the client
        raise stopped() from None


def _result(future: Future[Any]) -> Any:
    try:
        return _waited(future)
    except LLMError as problem:
        return problem


def connect(
    settings: Settings,
    replies: Path,
    *,
    replay: bool = False,
    note: Callable[[str], None] = lambda _: None,
) -> Client:
    """A client of the endpoint in `settings`, whose answers are recorded in the file `replies`.

    `replay`: answers come from that file alone; no endpoint, no key and no package is needed.
    `note` is told where the file has lost answers, which are to be asked for and paid for again.

    Raises:
        LLMError: the package openai or the key is missing.
        GraphmillError: the file cannot be read or written.
    """
    budget = Budget(settings.budget_usd, settings.prices)
    model: Model = Absent(settings.model)
    bounded: Model | None = None
    if not replay:
        from graphmill.llm.openai import OpenAI

        endpoint = OpenAI(
            settings.base_url,
            settings.model,
            settings.api_key_env,
            settings.timeout,
            settings.max_tokens,
        )
        closing = asyncio.Event()
        bounded = Bounded(
            Budgeted(endpoint, budget, closing), settings.concurrency, settings.per_minute, closing
        )
    record = Record(replies, read_only=replay)
    if not replay and (warning := record.harm.text(replies)):
        note(warning)
    if bounded is not None:
        model = Retrying(bounded, attempts=settings.attempts, seed=settings.seed, record=record)
    recorded = Recorded(model, record, budget, replay=replay)
    return Client(recorded, budget, window=max(64, 8 * settings.concurrency))


class Absent:
    """The model of a replay: its name is known, and it is never asked."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def answer(self, ask: Ask) -> Reply:
        """Never called: the record answers or refuses."""
        raise LLMError(f"The model {self.name} is not connected.", "connection")

    async def close(self) -> None:
        """Nothing is held."""
