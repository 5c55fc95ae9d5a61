"""The worker process: holds one engine, answers one request after the other, dies when told.

Started by `engines.isolation` as `python -m engines._worker`. Requests come on standard input
and answers leave on what was standard output; whatever a driver prints goes to standard error.
It ends itself, and its scratch folder, when the process that started it is gone.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import sys
import threading
from pathlib import Path
from time import perf_counter
from typing import Any, NoReturn

from engines import ENGINES, JUDGES, SOURCE_ENGINES
from engines.base import LISTENERS, Engine, Needs
from engines.wire import Closed, Message, Reader, encode, error_message, send
from graphmill.errors import (
    EngineError,
    EngineUnavailable,
    QueryError,
    QueryTooLarge,
    SchemaError,
    SourceError,
    has_too_many_digits,
    is_exhausted,
    shortened,
)

PARENT_CHECK = 500  # milliseconds
PAGE = 1 << 20
_ENDING = threading.Lock()


class Worker:
    """One engine and the limits it works under."""

    def __init__(self, out: int) -> None:
        self.out = out
        self.engine: Engine | None = None
        self.memory = 0
        self.max_rows = 0
        self.max_bytes = 0

    def handle(self, request: Message) -> Message:
        """The answer to one request; an EngineError becomes a message, too."""
        try:
            answer: Message = getattr(self, f"do_{request['op']}")(request)
        except EngineError as problem:
            return error_message(problem)
        except MemoryError:
            return {**error_message(QueryTooLarge(self._over())), "stop": True}
        except RecursionError:
            return error_message(QueryError("The query is nested too deeply."))
        except UnicodeEncodeError as problem:
            return error_message(QueryError(f"The text is not Unicode: {problem}.", "syntax"))
        except UnicodeDecodeError as problem:
            text = f"The answer is not Unicode, as half a character is not: {problem}."
            return error_message(QueryError(text))
        except ValueError as problem:
            if not has_too_many_digits(problem):
                raise
            return error_message(QueryError(_of_digits(request.get("text", ""))))
        return answer

    def do_open(self, request: Message) -> Message:
        """Create the engine and set the memory cap for all that follows."""
        self.max_rows, self.max_bytes = request["max_rows"], request["max_bytes"]
        self.memory = request["memory_mb"]
        kinds = next(k for k in (JUDGES, SOURCE_ENGINES, ENGINES) if k.package == request["kinds"])
        kinds.look_in(request["folders"])
        kind = kinds.get(request["engine"])
        engine = kind(**request["options"])
        self.engine = engine.__enter__()
        needs: Needs = getattr(kind, "needs", Needs())
        if needs.address_space and self.memory:
            _cap_address_space(self.memory * PAGE)
        return {"version": self.engine.version()}

    def do_load(self, request: Message) -> Message:
        """Load the graph."""
        try:
            self._opened().load(Path(request["graph"]))
        except (SchemaError, SourceError) as problem:
            raise EngineUnavailable(str(problem)) from problem
        except MemoryError:
            raise  # at the cap of this process
        except Exception as problem:
            if not is_exhausted(problem):
                raise
            reason = f"{type(problem).__name__}: {shortened(str(problem))}"
            raise EngineUnavailable(reason) from problem
        return {}

    def do_run(self, request: Message) -> Message:
        """Run one query; its answer is refused when it is too large to hand over."""
        engine, start = self._opened(), perf_counter()
        answer = engine.run(
            request["text"], language=request["language"], timeout=request["timeout"]
        )
        took = (perf_counter() - start) * 1000
        if len(answer.rows) > self.max_rows:
            raise QueryTooLarge(
                f"The answer has {len(answer.rows):,} rows; the limit is {self.max_rows:,}."
            )
        return {"columns": answer.columns, "rows": answer.rows, "ms": took}

    def close(self) -> None:
        """Let the engine go."""
        if self.engine is not None:
            self.engine.__exit__(None, None, None)

    def reply(self, message: Message) -> None:
        """Send an answer, or that it is too large."""
        try:
            frame = encode(message)
        except (MemoryError, RecursionError) as problem:
            over = self._over() if isinstance(problem, MemoryError) else "The value is too deep."
            frame = encode(error_message(QueryTooLarge(over)))
        except ValueError as problem:
            if not has_too_many_digits(problem):
                raise
            frame = encode(error_message(QueryTooLarge(_of_digits(""))))
        if self.max_bytes and len(frame) > self.max_bytes:
            text = f"The answer has {len(frame):,} bytes; the limit is {self.max_bytes:,}."
            frame = encode(error_message(QueryTooLarge(text)))
        send(self.out, frame)

    def _opened(self) -> Engine:
        if self.engine is None:
            raise EngineUnavailable("The engine was not opened.")
        return self.engine

    def _over(self) -> str:
        return f"More was needed than the memory cap of {self.memory} MB."


def _of_digits(text: str) -> str:
    """What is wrong with a query that has an integer of thousands of digits, or with its answer."""
    most = sys.get_int_max_str_digits()
    long = re.search(rf"\d{{{most + 1},}}", text)
    if long is None:
        return f"The answer has an integer of more than {most:,} digits, which is not read."
    line, column = text.count("\n", 0, long.start()) + 1, text.rfind("\n", 0, long.start())
    return (
        f"Line {line}, column {long.start() - column}: a number has {len(long[0]):,} digits; more "
        f"than {most:,} are not read."
    )


def _cap_address_space(more: int) -> None:
    """Let this process grow by `more` bytes beyond what it has now (drivers included)."""
    import resource

    status = Path("/proc/self/statm")
    if status.is_file():
        more += int(status.read_text().split()[0]) * resource.getpagesize()
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if hard != resource.RLIM_INFINITY:
        more = min(more, hard)  # which this process may not raise
    resource.setrlimit(resource.RLIMIT_AS, (more, more))


def _end_with_parent(requests: int, parent: int) -> None:
    """Kill this process and what it started when the parent is gone; a thread of its own."""
    poll = select.poll()
    poll.register(requests, 0)  # only whether the other side hung up
    while True:
        gone = poll.poll(PARENT_CHECK)
        if gone or os.getppid() != parent:
            _end()


def _end() -> NoReturn:
    """Remove the scratch folder, and kill this process with all that it started.

    The first thread that comes here does it; others wait for the end.
    """
    _ENDING.acquire()
    with contextlib.suppress(OSError):
        os.close(0)  # an engine that may open no more files can open this one
    _remove(Path(os.environ["TMPDIR"]))
    os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _remove(folder: Path) -> None:
    """Remove a folder with one open file at a time, where `shutil.rmtree` needs one a level."""
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            path = folder / name
            if path.is_dir() and not path.is_symlink():
                _remove(path)
            else:
                path.unlink(missing_ok=True)
        folder.rmdir()


def main(arguments: list[str]) -> int:
    """Answer requests until the pipe is closed or a request says so."""
    requests, answers = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    watch: dict[str, Any] = {"args": (requests, int(arguments[0])), "daemon": True}
    threading.Thread(target=_end_with_parent, **watch).start()
    worker = Worker(answers)
    LISTENERS.append(lambda text: worker.reply({"progress": text}))
    reader = Reader(requests)
    while True:
        try:
            request = reader.receive()
        except Closed:
            _end()
        if request["op"] == "close":
            worker.close()
            worker.reply({})
            os._exit(0)  # threads of a driver would keep the process
        answer = worker.handle(request)
        worker.reply(answer)
        if answer.get("stop"):
            return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
