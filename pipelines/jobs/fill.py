"""The process of a source's own program: it fills a database, and says why it did not.

A process of its own, so that whatever ends it (`os._exit`, a signal, a library that crashes) ends
no build, and whatever it prints, by whatever means, goes to standard error.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import traceback
from pathlib import Path
from runpy import run_path

from graphmill.errors import SourceError
from graphmill.processes import leave_with, module_path


def fill(script: Path, target: Path) -> None:
    """Run the user's own fill program; it is configuration, and as trusted as that.

    Raises:
        SourceError: it has no `fill`, fails, ends its process, or writes nothing to the path that
            it is given.
    """
    answers, saying = os.pipe()
    command = [
        sys.executable,
        "-P",
        "-m",
        "pipelines.jobs.fill",
        str(script),
        str(target),
        str(saying),
    ]
    try:
        with subprocess.Popen(  # noqa: S603 - our own module, and the user's program
            [*command, str(os.getpid())],
            stdout=2,  # standard output is for lines of JSON
            pass_fds=(saying,),
            env={**os.environ, "PYTHONPATH": module_path()},
        ) as process:
            os.close(saying)
            try:
                with os.fdopen(answers, "rb") as stream:
                    text = stream.read()
                status = process.wait()
            except BaseException:
                process.kill()
                raise
    except OSError as problem:
        raise SourceError(f"{script} cannot be run: {problem.strerror or problem}.") from problem
    if text:
        reason, trace = json.loads(text)
        if reason:
            raise SourceError(f"{script}{reason}") from (_ProgramError(trace) if trace else None)
    else:
        raise SourceError(f"{script} {_ended(status)} before fill(path) returned.")
    if not target.is_file():
        raise SourceError(
            f"{script}: fill(path) wrote no file. It is to write a SQLite database to the path "
            "that it is given."
        )


class _ProgramError(Exception):
    """What the program raised, with its own traceback, for `--debug`."""

    def __init__(self, trace: str) -> None:
        super().__init__(f"\n{trace}")


def _ended(status: int) -> str:
    """How a program's process ended.

    >>> _ended(3), _ended(-9)
    ('ended its process with the exit status 3', 'was ended by SIGKILL')
    """
    if status >= 0:
        return f"ended its process with the exit status {status}"
    known = {each.value: each.name for each in signal.Signals}
    return f"was ended by {known.get(-status, f'the signal {-status}')}"


def _run(script: str, target: Path) -> tuple[str, str]:
    """Why nothing was filled, as a message goes on behind the script's name, with the traceback;
    both are empty where it was."""
    try:
        given = run_path(script).get("fill")
        if not callable(given):
            what = " has no function fill(path), which is to write the database."
            return what, ""
        given(target)
    except BaseException as problem:  # noqa: BLE001 - whatever the user's code raises
        reason = f"{type(problem).__name__}: {problem}".rstrip(": ")
        return f" failed: {reason}. `--debug` shows where.", traceback.format_exc()
    return "", ""


def main(script: str, target: str, saying: str, build: str) -> None:
    """Fill the database, and write to the descriptor `saying` what came of it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C is for the build, which tells of it
    os.set_inheritable(int(saying), False)  # what the program starts may outlive it
    threading.Thread(target=leave_with, args=(int(build),), daemon=True).start()
    answer = json.dumps(_run(script, Path(target)))
    with os.fdopen(int(saying), "w", encoding="utf-8") as stream:
        stream.write(answer)


if __name__ == "__main__":
    main(*sys.argv[1:])
