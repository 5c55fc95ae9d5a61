"""Every paid answer is recorded before anyone uses it, so that a run replays exactly.

The record is one file of JSON lines, `{"key", "stage", "reply", "sum"}`, only ever appended to: it
is the cache of a run that is resumed, and the replay file of a run that is repeated elsewhere. The
line's checksum is its `sum`: an answer that is not as it was written is asked for anew. What was
paid for and is no answer has a line, too, whose key ends in `+` and a number: it is asked for
again, and a later run knows what it cost. How many lines there are stands in a file of its own
beside it (`.NAME.count`): one that lost its last lines is as whole as one that never had them.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, NamedTuple

from graphmill.errors import GraphmillError, LLMError
from graphmill.files import canonical, digest, write_bytes
from graphmill.json_lines import bounded_lines
from graphmill.llm.base import Ask, Model, Reply, Uncounted
from graphmill.llm.budget import Budget, Prices, Spent
from graphmill.regular import check_regular

MOST_LINE = 64 << 20
"""Bytes of a line: an answer has 8 MiB at most, of which a control character takes six here."""


_BUFFER = 1 << 20  # with the usual one, a line of gigabytes takes ten seconds each


class Harm(NamedTuple):
    """What happened to a record since it was written: lines that are damaged, and that are gone."""

    damaged: int
    gone: int

    def text(self, path: Path) -> str:
        """It as a warning; empty where nothing happened."""
        numbers = {"damaged": self.damaged, "gone": self.gone}
        parts = [f"{n} {'is' if n == 1 else 'are'} {what}" for what, n in numbers.items() if n]
        if not parts:
            return ""
        asked = "what is missing is asked anew, and paid for"
        return f"warning: {path}: of its replies {' and '.join(parts)}; {asked}."


class Record:
    """The file of recorded answers. A line that is cut or damaged is passed over (`damaged` counts
    them); the first of a key counts. `harm` is what happened to it since it was opened the last
    time. `read_only` neither makes the file nor changes it.

    Raises:
        GraphmillError: the file cannot be read or written.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._read_only = read_only
        self.tokens = (0, 0)  # of all replies that were there: of prompts, of answers
        self.damaged = 0
        self._lines = 0
        self._counter = -1
        self._places: dict[str, tuple[int, int]] = {}
        self._lock = asyncio.Lock()
        self._written = self._safe = 0  # lines of this process, and those that a fsync has covered
        check_regular(path)
        try:
            if read_only:
                self._descriptor = os.open(path, os.O_RDONLY)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
        except OSError as problem:
            raise GraphmillError(
                f"Cannot open the recorded replies {path}: {problem.strerror}."
            ) from problem
        self._index()
        lines, damaged = counted(path)
        self.harm = Harm(max(0, self.damaged - damaged), max(0, lines - self._lines))
        if not read_only:
            self._counter = _open_counter(path)
            _count(self._counter, self._lines, self.damaged)

    def __len__(self) -> int:
        return len(self._places)

    def get(self, key: str) -> Reply | None:
        """The recorded answer to the request of that key."""
        if key not in self._places:
            return None
        start, length = self._places[key]
        try:
            return _read(os.pread(self._descriptor, length, start))[1]
        except _UNREADABLE:  # since it was indexed
            del self._places[key]
            self.damaged += 1
            return None

    async def put(self, key: str, stage: str, reply: Reply) -> None:
        """Append an answer, and be sure of it (fsync) before returning.

        The line is written at once, so that the end of this process does not lose it; one fsync
        serves all lines that were written by then.
        """
        if key in self._places:
            return
        line = _line({"key": key, "stage": stage, "reply": reply.to_json()})
        place = self._append(line.encode() + b"\n")
        self._written += 1
        mine = self._written
        async with self._lock:
            if self._safe < mine:
                upto = self._written
                await asyncio.to_thread(self._sync)
                self._safe = upto
                _count(self._counter, self._lines + upto, self.damaged)
        self._places.setdefault(key, place)

    async def waste(self, key: str, stage: str, reply: Reply) -> None:
        """Append what the request of that key cost without an answer."""
        await self.put(f"{key}+{len(self.wasted(key))}", stage, reply)

    def wasted(self, key: str) -> list[Reply]:
        """What the request of that key cost besides its answer, in the order in which it came."""
        replies: list[Reply] = []
        while (reply := self.get(f"{key}+{len(replies)}")) is not None:
            replies.append(reply)
        return replies

    def close(self) -> None:
        """Close the file."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
        if self._counter >= 0:
            os.close(self._counter)
            self._counter = -1

    def _append(self, line: bytes) -> tuple[int, int]:
        try:
            written = os.write(self._descriptor, line)
            if written != len(line):
                raise OSError(28, "no space left on the device")
        except OSError as problem:
            raise self._failed(problem) from problem
        return os.lseek(self._descriptor, 0, os.SEEK_CUR) - written, written

    def _sync(self) -> None:
        try:
            os.fsync(self._descriptor)
        except OSError as problem:
            raise self._failed(problem) from problem

    def _failed(self, problem: OSError) -> GraphmillError:
        return GraphmillError(f"Cannot record a reply in {self.path}: {problem.strerror}.")

    def _index(self) -> None:
        """Note where each answer stands; begin a new line after one that was cut."""
        start = 0
        with self.path.open("rb", _BUFFER) as stream:
            for line, size in _lines(stream):
                self._lines += bool(line.strip())
                try:
                    key, reply = _read(line)
                except _UNREADABLE:
                    self.damaged += bool(line.strip())
                else:
                    if key not in self._places:
                        self._places[key] = (start, size)
                        prompt, answer = self.tokens
                        self.tokens = prompt + reply.prompt_tokens, answer + reply.completion_tokens
                start += size
        if start and not self._read_only and os.pread(self._descriptor, 1, start - 1) != b"\n":
            self._append(b"\n")


def books(path: Path, prices: Prices) -> dict[str, Spent]:
    """What all recorded answers cost, by stage: of every run that wrote to the file.

    Raises:
        GraphmillError: the file cannot be read.
    """
    by_stage: dict[str, Spent] = {}
    seen: set[str] = set()
    check_regular(path)
    try:
        with path.open("rb", _BUFFER) as stream:
            for line, _ in _lines(stream):
                with suppress(*_UNREADABLE):
                    key, reply = _read(line)
                    if key not in seen:
                        seen.add(key)
                        stage = by_stage.setdefault(str(json.loads(line)["stage"]), Spent())
                        stage.calls += 1
                        stage.prompt_tokens += reply.prompt_tokens
                        stage.completion_tokens += reply.completion_tokens
                        stage.usd += prices.cost(reply.prompt_tokens, reply.completion_tokens)
    except OSError as problem:
        raise GraphmillError(f"Cannot read the replies {path}: {problem.strerror}.") from problem
    return dict(sorted(by_stage.items()))


def _lines(stream: IO[bytes]) -> Iterator[tuple[bytes, int]]:
    """Lines with the bytes that they have; in the place of one that is longer than any answer's,
    which is not held, one that cannot be read."""
    for line, size in bounded_lines(stream, MOST_LINE):
        yield (b"too long" if line is None else line), size


def _read(line: bytes) -> tuple[str, Reply]:
    """The key and the answer of a whole line.

    Raises:
        ValueError, KeyError, TypeError, RecursionError: it is none.
    """
    value: Any = json.loads(line)
    if value.pop("sum") != digest("reply", value):
        raise ValueError("the line is not as it was written")
    reply = Reply(**{**value["reply"], "cached": True})
    tokens = (reply.prompt_tokens, reply.completion_tokens)
    if not isinstance(reply.text, str) or not all(isinstance(n, int) and n >= 0 for n in tokens):
        raise TypeError("it is no answer")  # the checksum is one that anybody can make
    return str(value["key"]), reply


_UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


def _line(value: dict[str, Any]) -> str:
    return canonical({**value, "sum": digest("reply", value)})


def mend(path: Path, known: int = 0) -> Harm:
    """Take the damaged lines out of a record that nobody has open; what happened to it.

    `known` lines are remembered elsewhere. What is gone is counted once.

    Raises:
        GraphmillError: the file cannot be read or written.
    """
    good, damaged = [], 0
    known = max(known, counted(path)[0])
    if path.exists():
        check_regular(path)
        try:
            with path.open("rb", _BUFFER) as stream:
                for line, _ in _lines(stream):
                    try:
                        _read(line)
                    except _UNREADABLE:
                        damaged += bool(line.strip())
                    else:
                        good.append(line.rstrip(b"\n") + b"\n")
        except OSError as problem:
            reason = problem.strerror
            raise GraphmillError(f"Cannot read the replies {path}: {reason}.") from problem
        if damaged:
            write_bytes(path, b"".join(good))
    if known:
        counter = _open_counter(path)
        _count(counter, len(good), 0)
        if counter >= 0:
            os.close(counter)
    return Harm(damaged, max(0, known - len(good) - damaged))


def counter_of(path: Path) -> Path:
    """The file beside a record that says how many lines it has."""
    return path.with_name(f".{path.name}.count")


def counted(path: Path) -> tuple[int, int]:
    """How many lines a record had, as far as is known, and how many of them were damaged."""
    beside = counter_of(path)
    with suppress(OSError, ValueError):
        if beside.is_file():
            lines, damaged = beside.read_bytes()[: 2 * _WIDTH + 1].split()
            return int(lines), int(damaged)
    return 0, 0


_WIDTH = 20  # digits of a count, always as many, so that it is written over in place


def _open_counter(path: Path) -> int:
    """The open file of a record's count; -1 where it cannot be had, which ends nothing."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC  # who opens a pipe may wait
    with suppress(OSError):
        return os.open(counter_of(path), flags, 0o644)
    return -1


def _count(counter: int, lines: int, damaged: int) -> None:
    if counter >= 0:
        with suppress(OSError):
            os.pwrite(counter, f"{lines:0{_WIDTH}} {damaged:0{_WIDTH}}\n".encode(), 0)


class Recorded:
    """Answers from the record where it can, and records what it had to ask.

    `replay`: nothing is asked; a request without a recorded answer is an LLMError `unrecorded`.
    The same request twice at the same time is asked once. All that is recorded counts in
    `budget`: it was paid for.
    """

    def __init__(
        self, model: Model, record: Record, budget: Budget, *, replay: bool = False
    ) -> None:
        self.name = model.name
        self._model = model
        self._record = record
        self._budget = budget
        budget.earlier += budget.prices.cost(*record.tokens)
        self._replay = replay
        self._asked: dict[str, asyncio.Task[Reply]] = {}

    async def answer(self, ask: Ask) -> Reply:
        """The recorded answer, else a new one, recorded."""
        key = ask.key(self.name)
        known = self._record.get(key)
        if known is not None:
            whole = self._whole(key, known)
            self._budget.count(ask, whole)
            return whole
        if self._replay:
            gone = self._record.harm.gone + self._record.damaged
            lost = f" ({gone:,} of its replies are gone or damaged)" if gone else ""
            raise LLMError(
                f"{self._record.path} has no reply to this request (key {key[:12]}): it was "
                f"recorded with another prompt, model or version{lost}. Run it without replay.",
                "unrecorded",
            )
        if key not in self._asked:
            task = asyncio.create_task(self._ask(key, ask))
            # Its failure is of interest only to those who still wait for it.
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
            self._asked[key] = task
        return await asyncio.shield(self._asked[key])

    def _whole(self, key: str, reply: Reply) -> Reply:
        """The reply with the tokens of all that was paid for it."""
        for wasted in self._record.wasted(key):
            reply = replace(
                reply,
                prompt_tokens=reply.prompt_tokens + wasted.prompt_tokens,
                completion_tokens=reply.completion_tokens + wasted.completion_tokens,
            )
        return reply

    async def close(self) -> None:
        """Close the model, record what it still answers, and close the file."""
        await self._model.close()
        await asyncio.gather(*self._asked.values(), return_exceptions=True)
        self._record.close()

    async def _ask(self, key: str, ask: Ask) -> Reply:
        earlier = self._record.wasted(key)
        for wasted in earlier:
            self._budget.count(ask, wasted)
        attempt = ask.attempt + sum(wasted.finish != "cut" for wasted in earlier)
        try:
            reply = await self._model.answer(replace(ask, attempt=attempt))
            await self._record.put(key, ask.stage, reply)
        except Uncounted as problem:  # a later run finds it, and pays for no other
            await self._record.put(key, ask.stage, problem.reply)
            raise
        finally:
            del self._asked[key]
        return self._whole(key, reply)
