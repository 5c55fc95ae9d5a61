"""Run one untrusted program, confined and limited, and take what it wrote."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from generators.sandbox.files import (
    SCRIPT,
    TooMuch,
    Unwelcome,
    check_names,
    disk_folder,
    place,
    size_of,
    take,
)
from generators.sandbox.process import Process
from generators.sandbox.watch import Limits, Stopped
from graphmill.errors import GraphmillError
from graphmill.llm.repeatable import repeatable, timeless

LAYERS = ("namespaces", "rlimits", "landlock", "capabilities", "seccomp")
ALWAYS = ("environment", "private-folder", "process-group")
IN_MEMORY = "/program"  # the folder, where the program mounts one for itself
SPARE_THREADS = 16  # above the limit, so that it can be seen to be broken


class SandboxUnavailable(GraphmillError):
    """This machine lacks a layer of the sandbox; the message names it and the way out.

    `missing` are the layers, each with its reason.
    """

    def __init__(self, message: str, missing: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.missing = dict(missing or {})


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a program ended. `files` are paths below `out`, empty unless it ended well.

    `exit` is negative for a signal; `stopped` names the limit that ended it (`files`: it left
    more than regular files). `stdout` and `stderr` keep their beginning and their end; `stderr` is
    without what differs from run to run (`graphmill.llm.repeatable`). `wall` and `cpu` are seconds,
    `peak` bytes of memory in use. `layers` and `limits` were in force.
    """

    exit: int
    stopped: Stopped
    stdout: str
    stderr: str
    wall: float
    cpu: float
    peak: int
    layers: tuple[str, ...]
    files: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)

    @property
    def ok(self) -> bool:
        """Whether the program ended by itself, with status 0 and only regular files."""
        return self.exit == 0 and not self.stopped

    @property
    def degraded(self) -> bool:
        """Whether a layer was missing (see `allow_degraded`)."""
        return not set(LAYERS) <= set(self.layers)

    def problem(self) -> str:
        """What went wrong, for the author of the program: a sentence, then its error output.

        The same program has the same words in every run. What it had printed by the time at which
        it was stopped depends on how fast it ran, and is left out.
        """
        if self.ok:
            return ""
        sentence = {
            "": f"The program ended with status {self.exit}.",
            "signal": f"The program was ended by the signal {_signal(self.exit)}.",
            "wall": f"The program was stopped after {self.limits.wall:.0f} seconds.",
            "cpu": f"The program used up its {self.limits.cpu:.0f} seconds of processor time.",
            "output": "The program printed too much and was stopped.",
            "disk": "The program wrote too many or too large files and was stopped.",
            "threads": "The program started too many threads and was stopped.",
            "files": "The program left something that is no regular file in its output folder.",
        }[self.stopped or ("signal" if self.exit < 0 else "")]
        was_stopped = self.exit < 0 and self.stopped
        return sentence if was_stopped else f"{sentence}\n{self.stderr}".strip()


def _signal(status: int) -> str:
    """The name of the signal behind a negative status."""
    try:
        return signal.Signals(-status).name
    except ValueError:
        return str(-status)


def run_program(
    script: str,
    inputs: Mapping[str, bytes | Path],
    out: Path,
    limits: Limits | None = None,
    *,
    arguments: Sequence[str] = (),
    interpreter: str = sys.executable,
    readable: Sequence[Path] = (),
    allow_degraded: bool = False,
) -> Outcome:
    """Run `script` (Python source text) in the sandbox and copy what it wrote into `out`.

    The program runs in a private folder that holds `inputs` under their names (contents, or
    files to copy), the program itself as `program.py`, and an empty folder `out`. It is run as
    `__main__` with `sys.argv[1:]` = `arguments`; its folder is on `sys.path`, so an input
    `contract.py` can be imported. It sees the interpreter's installed packages (not this one
    where that is installed editable), no network, no other process, no file but its own and the
    libraries, no variable of this process's environment, hash seed 0. When it ends with status 0,
    the regular files below its `out` are copied into the folder `out`, which is made if need be;
    otherwise `out` is not touched. The private folder lies in memory and ends with the program.

    `readable` are more files or folders that it may read. `allow_degraded` runs it with fewer
    layers where the machine lacks one: most runaways still end, but files, network and programs
    may then be open to it; `Outcome.layers` says what held.

    Raises:
        SandboxUnavailable: a layer cannot be had and `allow_degraded` is not set.
        UnwritableError: `out` cannot be written.
        GraphmillError: an input or the interpreter cannot be read.
    """
    limits = limits or Limits()
    if sys.platform != "linux":
        raise SandboxUnavailable("Generated programs run on Linux only: their sandbox needs it.")
    check_names(inputs)
    try:
        order = {
            "script": SCRIPT,
            "arguments": list(arguments),
            "readable": [str(path.resolve()) for path in readable],
            "degraded": allow_degraded,
            "namespaces": True,
            "missing": {},
            "parent": os.getpid(),
            **_bounds(limits, script, inputs),
        }
        with contextlib.ExitStack() as folders:
            run = _Run(script, inputs, out.absolute(), limits, interpreter, folders)
            try:
                return run.go(order)
            except SandboxUnavailable as problem:
                if not (allow_degraded and "namespaces" in problem.missing):
                    raise
                return run.go({**order, "namespaces": False, "missing": problem.missing})
    except OSError as problem:
        where = problem.filename or interpreter
        raise GraphmillError(f"Cannot run a program: {where}: {problem.strerror}.") from problem


def _bounds(
    limits: Limits, script: str, inputs: Mapping[str, bytes | Path]
) -> dict[str, int | dict[str, int]]:
    """The limits as the sandbox is told them, with room for what is put into it."""
    return {
        "size": (limits.disk // 4096 + 1) * 4096 + size_of(script, inputs),
        "inodes": limits.files + len(inputs) + 4,
        "limits": {
            "memory": limits.memory,
            "cpu": limits.cpu,
            "file": limits.file,
            "open_files": limits.open_files,
            "threads": limits.most_threads + SPARE_THREADS,
        },
    }


@dataclass(frozen=True, slots=True)
class _Run:
    """One program with its files and limits; `folders` are removed in the end."""

    script: str
    inputs: Mapping[str, bytes | Path]
    out: Path
    limits: Limits
    interpreter: str
    folders: contextlib.ExitStack

    def go(self, order: Mapping[str, Any]) -> Outcome:
        """Run it in the namespaces that the order asks for."""
        try:
            process = Process(self.interpreter, order, self.limits, self._place)
        except OSError as problem:
            reason = problem.strerror
            raise GraphmillError(f"Cannot start {self.interpreter}: {reason}.") from problem
        with contextlib.closing(process):
            end, wall = process.wait()
            stdout = process.printed[0].text()
            stderr = process.printed[1].text(lambda text: _cleaned(text, process.name))
            missing = end.missing or {}
            if missing and not (order["degraded"] and end.held is not None):
                raise SandboxUnavailable(_refusal(missing), missing)
            if end.held is None:
                last = stderr.strip().splitlines()[-1:] or ["no message"]
                raise SandboxUnavailable(f"The sandbox did not start: {last[0]}.")
            files: tuple[str, ...] = ()
            stopped = end.stopped
            if end.exit == 0 and not stopped:
                try:
                    files = take(process.folder, self.out, self.limits)
                except Unwelcome:
                    stopped = "files"
                except TooMuch:
                    stopped = "disk"
            elif not stopped and (
                end.exit == -signal.SIGBUS or os.strerror(errno.ENOSPC) in stderr
            ):
                # A mapped file found no more room, or any other: it ended of the limit before the
                # watcher looked; deleted files leave no trace.
                stopped = "disk"
            return Outcome(
                exit=-9 if end.exit is None else end.exit,
                stopped=stopped,
                stdout=stdout,
                stderr=stderr,
                wall=wall,
                cpu=end.cpu,
                peak=end.peak,
                layers=(*end.held, *ALWAYS),
                files=files,
                limits=self.limits,
            )

    def _place(self, folder: int) -> tuple[str, int]:
        """Put the program's files into its folder, or into one on disk."""
        path = IN_MEMORY
        if folder < 0:
            path = str(self.folders.enter_context(disk_folder(self.out)))
            folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        place(folder, self.script, self.inputs)
        return path, folder


def _cleaned(text: str, folder: str) -> str:
    """What a program printed, with paths below its folder, and nothing of this run's own."""
    if folder:
        text = text.replace(f"{folder}/", "").replace(folder, IN_MEMORY)
    return timeless(repeatable(text))


def _refusal(missing: Mapping[str, str]) -> str:
    reasons = ", ".join(f"{name} ({why})" for name, why in missing.items())
    return (
        f"Programs cannot be confined on this machine: {reasons}. docs/sandbox.md says what it "
        "takes. Allow the degraded sandbox (--allow-degraded) only for programs that you have read."
    )
