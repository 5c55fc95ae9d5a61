"""The one interface that units are done through, and the executor that is this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from typing import Protocol, cast

from graphmill.errors import EngineLost, GraphmillError
from graphmill.processes import result
from pipelines.jobs.units import Desk, Done, Unit


class WorkerLost(GraphmillError):
    """A worker did not live to the end of its unit; `code` says why: `worker-died`,
    `worker-killed` (somebody sent the signal), `worker-hung`, `worker-out-of-memory`; or
    `engine-killed`, where it was its engines that somebody killed."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[type[WorkerLost], tuple[str, str]]:
        return WorkerLost, (str(self), self.code)


class Stopped(GraphmillError):
    """The build was stopped, so that a unit is not done."""


class Executor(Protocol):
    """Does units, in any order, and gives their results or errors as futures.

    `jobs` is how many units run at a time, `kind` what does them, for people; `remote` workers may
    be on other machines.
    """

    jobs: int
    kind: str
    remote: bool

    def submit(self, unit: Unit) -> Future[Done]:
        """Begin a unit. The future's error is WorkerLost where its worker was."""
        ...

    def call[T](self, function: Callable[..., T], *arguments: object, label: str) -> Future[Done]:
        """Begin a function of a module that reads and writes files of the coordinator's machine."""
        ...

    def close(self) -> None:
        """End all workers now, whatever they do."""
        ...


ATTEMPTS = 2  # that a unit has
KILLED = 6  # that it has where somebody kills its workers, which is no fault of the unit


def attempted(
    begin: Callable[[], Future[Done]], lost: Callable[[GraphmillError], None], first: Future[Done]
) -> Done:
    """What a unit brings that was given out as `first`; `begin` gives it out again, where its
    worker or that one's engine is lost, which `lost` hears of.

    Raises:
        WorkerLost: too many were lost.
    """
    future, left, killed = first, ATTEMPTS, KILLED
    while True:
        try:
            return result(future)
        except (WorkerLost, EngineLost) as problem:
            lost(problem)
            if problem.code.endswith("-killed"):
                killed -= 1
            else:
                left -= 1
            if not (left and killed):
                raise WorkerLost(str(problem), problem.code) from problem
        future = begin()


def called[T](
    executor: Executor,
    function: Callable[..., T],
    *arguments: object,
    label: str,
    lost: Callable[[GraphmillError], None] = lambda _: None,
) -> T:
    """The value of a function that a worker calls, another one where the first is lost.

    Raises:
        WorkerLost: too many were lost.
    """

    def begin() -> Future[Done]:
        return executor.call(function, *arguments, label=label)

    return cast(T, attempted(begin, lost, begin()).value)


def in_order[T, R](work: Callable[[T], R], items: Sequence[T], active: int) -> Iterator[R]:
    """The results of all items, in their order; `active` of them are worked on at a time.

    The first error that was not of its stopping ends all.
    """
    if active == 1:
        yield from map(work, items)
        return
    pool = ThreadPoolExecutor(active, thread_name_prefix="database")
    context = copy_context()
    try:
        futures = [pool.submit(context.copy().run, work, item) for item in items]
        waiting = list(futures)
        while waiting:
            ended, left = wait(waiting, return_when=FIRST_EXCEPTION)
            failed = [future.exception() for future in ended]
            problems = [each for each in failed if each is not None]
            for problem in sorted(problems, key=lambda each: isinstance(each, Stopped)):
                raise problem
            waiting = list(left)
        for future in futures:
            yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


class InProcess:
    """Units are done here, when they are submitted, one after the other."""

    jobs = 1
    kind = "this process"
    remote = False

    def __init__(self) -> None:
        self._desk = Desk()

    def submit(self, unit: Unit) -> Future[Done]:
        """Do a unit; an error of the unit is the future's."""
        future: Future[Done] = Future()
        try:
            future.set_result(self._desk.do(unit))
        except GraphmillError as problem:
            future.set_exception(problem)
        return future

    def call[T](self, function: Callable[..., T], *arguments: object, label: str) -> Future[Done]:
        """Call a function."""
        future: Future[Done] = Future()
        try:
            future.set_result(Done(function(*arguments)))
        except GraphmillError as problem:
            future.set_exception(problem)
        return future

    def close(self) -> None:
        """End the engines."""
        self._desk.close()
