"""Run one untrusted program, confined and limited, and take what it wrote."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, BinaryIO

from generators.sandbox.bubblewrap import bubblewrap, wrap
from generators.sandbox.watch import Limits, Stopped, Watch
from graphmill.errors import GraphmillError

LAYERS = ("rlimits", "landlock", "capabilities", "seccomp")
BOOTSTRAP = Path(__file__).with_name("_bootstrap.py")
KEPT = 8_000  # characters of each output stream


class SandboxUnavailable(GraphmillError):
    """This machine lacks a layer of the sandbox; the message names it and the way out."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a program ended. `files` are paths below `out`, empty unless it ended well.

    `exit` is negative for a signal; `stopped` names the limit that ended it (`files`: it left
    more than regular files). `stdout` and `stderr` keep their beginning and their end. `wall`
    and `cpu` are seconds, `peak` bytes of memory in use. `layers` were in force.
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

    @property
    def ok(self) -> bool:
        """Whether the program ended by itself, with status 0 and only regular files."""
        return self.exit == 0 and not self.stopped

    @property
    def degraded(self) -> bool:
        """Whether a layer was missing (see `allow_degraded`)."""
        return not set(LAYERS) <= set(self.layers)

    def problem(self) -> str:
        """What went wrong, for the author of the program: a sentence, then its error output."""
        if self.ok:
            return ""
        said = {
            "": f"The program ended with status {self.exit}.",
            "wall": f"The program was stopped after {self.wall:.0f} seconds.",
            "cpu": f"The program used up its {self.cpu:.0f} seconds of processor time.",
            "output": "The program printed too much and was stopped.",
            "disk": "The program wrote too many or too large files and was stopped.",
            "threads": "The program started too many threads and was stopped.",
            "files": "The program left something that is no regular file in its output folder.",
        }[self.stopped]
        return f"{said}\n{self.stderr}".strip()


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
    outer: bool = False,
) -> Outcome:
    """Run `script` (Python source text) in the sandbox and move what it wrote into `out`.

    The program runs in a private folder that holds `inputs` under their names (contents, or
    files to copy), the program itself as `program.py`, and an empty folder `out`. It is run as
    `__main__` with `sys.argv[1:]` = `arguments`; its folder is on `sys.path`, so an input
    `contract.py` can be imported. It sees the interpreter's installed packages (not this one
    where that is installed editable), no network, no other process, no file but its own and the
    libraries, no variable of this process's environment, hash seed 0. When it ends with status 0,
    the regular files below its `out` are moved into the folder `out`, which is made if need be;
    otherwise `out` is not touched. The private folder lies beside `out` and is always removed.

    `readable` are more files or folders that it may read. `allow_degraded` runs it with fewer
    layers where the machine lacks one: runaways still end, but files, network and programs are
    then open to it; `Outcome.layers` says what held. `outer` adds bubblewrap round it all.

    Raises:
        SandboxUnavailable: a layer cannot be had and `allow_degraded` is not set, or `outer`
            is set and bubblewrap does not work here.
        GraphmillError: the private folder cannot be made.
    """
    limits = limits or Limits()
    if sys.platform != "linux":
        raise SandboxUnavailable("Generated programs run on Linux only: their sandbox needs it.")
    if outer and not bubblewrap():
        raise SandboxUnavailable("The outer sandbox needs a bubblewrap that works: none was found.")
    out = out.absolute()
    with _private_folder(out) as folder:
        _place(folder, script, inputs)
        order = {
            "folder": str(folder),
            "script": "program.py",
            "arguments": list(arguments),
            "readable": [str(path.resolve()) for path in readable],
            "degraded": allow_degraded,
            "parent": 0 if outer else os.getpid(),
            "limits": {
                "memory": limits.memory,
                "cpu": limits.cpu,
                "file": limits.file,
                "open_files": limits.open_files,
            },
        }
        outcome = _run(order, folder, limits, interpreter, outer)
        if not outcome.ok:
            return outcome
        try:
            files = _take(folder / "out", out, limits)
        except _Unwelcome:
            return replace(outcome, stopped="files")
        return replace(outcome, files=files)


class _Unwelcome(Exception):
    """The output folder holds more than a few regular files."""


@contextlib.contextmanager
def _private_folder(out: Path) -> Iterator[Path]:
    """A folder of mode 700 beside `out`, on its file system, removed in any case."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        made = Path(mkdtemp(prefix=f".{out.name}.", dir=out.parent))
        folder = made.rename(made.with_name(f"{made.name}.{os.getpid()}.part"))
    except OSError as problem:
        raise GraphmillError(
            f"Cannot make a folder beside {out} for the program: {problem.strerror}."
        ) from problem
    try:
        yield folder.resolve()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _place(folder: Path, script: str, inputs: Mapping[str, bytes | Path]) -> None:
    (folder / "out").mkdir()
    (folder / "program.py").write_text(script, encoding="utf-8")
    for name, content in inputs.items():
        if name in ("", "out", "program.py", "stdout", "stderr") or Path(name).name != name:
            raise GraphmillError(f"An input of a program cannot be called '{name}'.")
        if isinstance(content, bytes):
            (folder / name).write_bytes(content)
        else:
            shutil.copyfile(content, folder / name)


def _environment(folder: Path, threads: int) -> dict[str, str]:
    """All that the program knows of the environment: built from nothing, never copied."""
    return {
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        # Without -E, so that the hash seed counts; there is no other PYTHON variable to fear.
        "PYTHONHASHSEED": "0",
        "OPENBLAS_NUM_THREADS": str(threads),
        "OMP_NUM_THREADS": str(threads),
        "POLARS_MAX_THREADS": str(threads),
    }


def _run(
    order: Mapping[str, Any], folder: Path, limits: Limits, interpreter: str, outer: bool
) -> Outcome:
    read, write = os.pipe()
    try:
        command = [interpreter, "-s", "-P", "-B", str(BOOTSTRAP)]
        command.append(json.dumps({**order, "report": write}))
        if outer:
            command = wrap(command, folder, interpreter, [BOOTSTRAP, *order["readable"]])
        with (folder / "stdout").open("w+b") as stdout, (folder / "stderr").open("w+b") as stderr:
            start = time.monotonic()
            process = subprocess.Popen(  # noqa: S603 - this is what confines it
                command,
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                cwd=folder,
                env=_environment(folder, limits.threads),
                pass_fds=(write,),
                start_new_session=True,
            )
            os.close(write)
            write = -1
            watch = Watch(process.pid, folder, (stdout.fileno(), stderr.fileno()), limits)
            try:
                stopped = watch.until(start + limits.wall)
            finally:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            wall = time.monotonic() - start
            said = _cut(_ends(stdout)), _cut(_ends(stderr))
        layers = _layers(read, process.returncode, said[1], order["degraded"], outer)
    except OSError as problem:
        raise GraphmillError(f"Cannot start {interpreter}: {problem.strerror}.") from problem
    finally:
        os.close(read)
        if write >= 0:
            os.close(write)
    status = process.returncode
    if outer and status > 128:  # how bubblewrap reports a signal
        status = 128 - status
    cpu = max(usage.ru_utime + usage.ru_stime, watch.cpu)
    # The kernel counts by ticks for its limit and exactly here, which may differ by some tenths.
    if not stopped and status == -signal.SIGKILL and cpu >= 0.75 * limits.cpu:
        stopped = "cpu"
    return Outcome(
        exit=status,
        stopped=stopped,
        stdout=said[0],
        stderr=said[1].replace(f"{folder}/", ""),
        wall=wall,
        cpu=cpu,
        peak=watch.peak(usage.ru_maxrss * 1024),
        layers=layers,
    )


def _layers(read: int, status: int, said: str, degraded: bool, outer: bool) -> tuple[str, ...]:
    """What the bootstrap reported before it gave way to the program.

    Raises:
        SandboxUnavailable: it reported nothing, or a layer that is missing and was not waived.
    """
    try:
        report = json.loads(os.read(read, 65_536) or b"null")
    except ValueError:
        report = None
    if report is None:
        last = said.strip().splitlines()[-1:] or ["no message"]
        raise SandboxUnavailable(f"The sandbox did not start (status {status}): {last[0]}.")
    if report["missing"] and not degraded:
        reasons = ", ".join(f"{name} ({why})" for name, why in report["missing"].items())
        raise SandboxUnavailable(
            f"Programs cannot be confined on this machine: {reasons}. "
            "Allow the degraded sandbox only for programs that you have read."
        )
    always = ["environment", "private-folder", "process-group"]
    return (*report["held"], *always, *(["bubblewrap"] if outer else []))


def _ends(stream: BinaryIO) -> bytes:
    """A file's beginning and end, which is all that is kept of it."""
    stream.seek(0)
    head = stream.read(4 * KEPT)
    size = os.fstat(stream.fileno()).st_size
    if size <= 4 * KEPT:
        return head
    stream.seek(size - 4 * KEPT)
    return head + stream.read(4 * KEPT)


def _cut(raw: bytes) -> str:
    """Readable text of bounded length: a quarter from the beginning, the rest from the end."""
    text = raw.decode("utf-8", "replace")
    text = "".join(c if c.isprintable() or c in "\n\t" else "�" for c in text)
    if len(text) <= KEPT:
        return text
    return f"{text[: KEPT // 4]}\n…\n{text[-KEPT * 3 // 4 :]}"


def _take(origin: Path, out: Path, limits: Limits) -> tuple[str, ...]:
    """Move the regular files below `origin` into `out`: their paths, sorted.

    Raises:
        _Unwelcome: there is something else, or too much.
    """
    found: list[Path] = []
    if origin.is_symlink() or not origin.is_dir():
        raise _Unwelcome
    for place, folders, names in os.walk(origin):
        for name in (*folders, *names):
            path = Path(place, name)
            mode = path.lstat().st_mode
            if stat.S_ISREG(mode):
                found.append(path)
            elif not stat.S_ISDIR(mode):
                raise _Unwelcome
            if len(found) > limits.files:
                raise _Unwelcome
    out.mkdir(parents=True, exist_ok=True)
    readable = stat.S_IMODE(out.stat().st_mode) & 0o666
    for path in found:
        target = out / path.relative_to(origin)
        target.parent.mkdir(parents=True, exist_ok=True)
        path.chmod(readable)
        path.replace(target)
    return tuple(sorted(str(path.relative_to(origin)) for path in found))
