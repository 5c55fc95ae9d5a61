"""The process of one worker: takes units, gives back what they brought, ends with its coordinator.

Started by `pipelines.jobs.processes` as `python -m pipelines.jobs.worker`. Units come on standard
input and results leave on what was standard output; whatever else is written goes to standard
error.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import sys
import threading
import time

from graphmill.errors import GraphmillError
from graphmill.secrets import conceal
from pipelines.jobs.collector import few_collections
from pipelines.jobs.executor import WorkerLost
from pipelines.jobs.frames import Ended, Frames, write_frame
from pipelines.jobs.units import Desk, Unit

BEAT = 2.0  # seconds between two signs of life
PARENT_CHECK = 500  # milliseconds


def _end_with_parent(requests: int, parent: int) -> None:
    """Kill this process group when the coordinator is gone; engines end with this process."""
    poll = select.poll()
    poll.register(requests, 0)  # only whether the other side hung up
    while True:
        if poll.poll(PARENT_CHECK) or os.getppid() != parent:
            os.killpg(0, signal.SIGKILL)


def main(arguments: list[str]) -> int:
    """Do units until the pipe is closed, or None comes in the place of one."""
    requests, answers = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    watch = {"args": (requests, int(arguments[0])), "daemon": True}
    threading.Thread(target=_end_with_parent, **watch).start()  # type: ignore[arg-type]
    lock = threading.Lock()

    def send(body: bytes) -> None:
        with lock:
            write_frame(answers, body)

    def beat() -> None:
        while True:
            time.sleep(BEAT)
            try:
                send(b"")
            except Ended:
                return

    threading.Thread(target=beat, daemon=True).start()
    desk, frames = Desk(), Frames(requests)
    with few_collections():
        while True:
            try:
                body = frames.next()
                if body is None:
                    continue
                unit: Unit | None = pickle.loads(body)  # noqa: S301 - of what started this one
                if unit is None:  # another process takes its place
                    desk.close()
                    return 0
                send(_answer(desk, unit, arguments[1]))
            except Ended:
                desk.close()
                return 0


def _answer(desk: Desk, unit: Unit, number: str) -> bytes:
    try:
        return pickle.dumps((True, desk.do(unit, number)), pickle.HIGHEST_PROTOCOL)
    except MemoryError:
        text = f"{unit.label}: its worker ran out of memory."
        lost = WorkerLost(text, "worker-out-of-memory")
        return pickle.dumps((False, lost), pickle.HIGHEST_PROTOCOL)
    except GraphmillError as problem:
        return pickle.dumps((False, _portable(problem)), pickle.HIGHEST_PROTOCOL)
    except Exception as problem:  # noqa: BLE001 - it is raised where the unit is waited for
        import traceback

        text = conceal(traceback.format_exc())
        kind = type(problem).__name__
        error = RuntimeError(f"{unit.label} failed in a worker with {kind}:\n{text}")
        return pickle.dumps((False, error), pickle.HIGHEST_PROTOCOL)


def _portable(problem: GraphmillError) -> GraphmillError:
    """The error itself where it can be sent, else its message."""
    try:
        body = pickle.dumps(problem)
        pickle.loads(body)  # noqa: S301 - our own
    except (pickle.PickleError, TypeError, AttributeError):
        return GraphmillError(str(problem))
    return problem


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
