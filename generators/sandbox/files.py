"""What goes into a program's folder, and what is taken out of it."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from generators.sandbox.watch import Limits
from graphmill.errors import GraphmillError

SCRIPT = "program.py"
DEPTH = 16  # folders in folders that are taken
LONGEST = 1_000  # bytes of a path that is taken: below any folder, it is still a path
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Unwelcome(Exception):
    """The output folder holds more than a few regular files of plain names."""


class UnwritableError(GraphmillError):
    """What a program wrote cannot be copied to where it is to go; `reason` is the system's."""

    def __init__(self, out: Path, reason: str) -> None:
        super().__init__(f"Cannot write what the program made to {out}: {reason}.")
        self.out = out
        self.reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.out, self.reason)


class TooMuch(Exception):
    """The files of the output folder are longer than the disk limit, if mostly holes."""


def check_names(inputs: Mapping[str, bytes | Path]) -> None:
    """Raises GraphmillError where an input has no name of its own in the folder."""
    for name in inputs:
        if name in ("", ".", "..", "out", SCRIPT) or Path(name).name != name or "\0" in name:
            raise GraphmillError(f"An input of a program cannot be called '{name}'.")


def size_of(script: str, inputs: Mapping[str, bytes | Path]) -> int:
    """Bytes of the program and its inputs, in whole pages."""
    sizes = [len(encoded(script))]
    for content in inputs.values():
        sizes.append(len(content) if isinstance(content, bytes) else content.stat().st_size)
    return sum(size // 4096 + 1 for size in sizes) * 4096


def encoded(script: str) -> bytes:
    """The program as a file. Halves of letters stay halves, which Python says are wrong."""
    return script.encode("utf-8", "surrogatepass")


def place(folder: int, script: str, inputs: Mapping[str, bytes | Path]) -> None:
    """Write the program and its inputs into an open folder."""
    contents: dict[str, bytes | Path] = {SCRIPT: encoded(script), **inputs}
    for name, content in contents.items():
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        with open(os.open(name, flags, 0o644, dir_fd=folder), "wb") as target:
            os.fchmod(target.fileno(), 0o644)
            if isinstance(content, bytes):
                target.write(content)
            else:
                with content.open("rb") as source:
                    shutil.copyfileobj(source, target, 1 << 20)


def take(folder: int, out: Path, limits: Limits) -> tuple[str, ...]:
    """Copy the regular files below `out` of an open folder into `out`: their paths, sorted.

    Raises:
        Unwelcome: there is something else, or too many.
        TooMuch: they are too long.
        UnwritableError: `out` cannot be written.
    """
    try:
        origin = os.open("out", FOLDER, dir_fd=folder)
    except OSError as problem:
        raise Unwelcome from problem
    try:
        if not is_readable(os.fstat(origin)):
            raise Unwelcome
        names = []
        length = 0
        for name, size in regular(origin, "", DEPTH):
            names.append(name)
            length += size
            if len(names) > limits.files:
                raise Unwelcome
        if length > limits.disk:
            raise TooMuch
        with _writing(out):
            out.mkdir(parents=True, exist_ok=True)
            readable = stat.S_IMODE(out.stat().st_mode) & 0o666
        for name in names:
            target = out / name
            with open(os.open(name, FILE, dir_fd=origin), "rb") as source, _writing(out):
                target.parent.mkdir(parents=True, exist_ok=True)
                with target.open("wb") as copy:
                    shutil.copyfileobj(source, copy, 1 << 20)
                    os.fchmod(copy.fileno(), readable)
    finally:
        os.close(origin)
    return tuple(sorted(names))


@contextlib.contextmanager
def _writing(out: Path) -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        raise UnwritableError(out, problem.strerror or str(problem)) from problem


def is_readable(status: os.stat_result) -> bool:
    """Whether it is a folder that its owner may read: root may read any, and is asked the same."""
    return stat.S_ISDIR(status.st_mode) and status.st_mode & 0o500 == 0o500


def regular(folder: int, above: str, depth: int) -> Iterator[tuple[str, int]]:
    """Path and length of each file below an open folder; raises Unwelcome."""
    if not depth:
        raise Unwelcome
    with os.scandir(folder) as entries:
        for entry in entries:
            name, status = entry.name, entry.stat(follow_symlinks=False)
            if not name.isprintable():  # line breaks, or bytes that are no text
                raise Unwelcome
            if len(f"{above}{name}".encode()) > LONGEST:
                raise Unwelcome
            if (
                stat.S_ISREG(status.st_mode)
                and status.st_nlink == 1
                and status.st_mode & stat.S_IRUSR
            ):
                yield f"{above}{name}", status.st_size
            elif is_readable(status):
                try:
                    inner = os.open(name, FOLDER, dir_fd=folder)
                except OSError as problem:
                    raise Unwelcome from problem
                try:
                    yield from regular(inner, f"{above}{name}/", depth - 1)
                finally:
                    os.close(inner)
            else:
                raise Unwelcome


@contextlib.contextmanager
def disk_folder(out: Path) -> Iterator[Path]:
    """A folder of mode 700 beside `out`, removed in any case: for the degraded sandbox."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        made = Path(mkdtemp(prefix=f".{out.name}.", dir=out.parent))
        folder = made.rename(made.with_name(f"{made.name}.{os.getpid()}.part")).resolve()
    except OSError as problem:
        raise GraphmillError(
            f"Cannot make a folder beside {out} for the program: {problem.strerror}."
        ) from problem
    try:
        yield folder
    finally:
        remove(folder)


def remove(folder: Path) -> None:
    """Remove a folder, whatever modes its folders have and however deep they lie."""
    shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():  # a folder that its owner may not list: it may after this
        for _, names, _, place in os.fwalk(folder):
            for name in names:
                with contextlib.suppress(OSError):
                    status = os.stat(name, dir_fd=place, follow_symlinks=False)
                    if stat.S_ISDIR(status.st_mode):  # and no link to one
                        os.chmod(name, 0o700, dir_fd=place)
        shutil.rmtree(folder, ignore_errors=True)
