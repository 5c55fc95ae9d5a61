"""The optional outer layer: the same command inside bubblewrap, with namespaces of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path


@cache
def bubblewrap() -> str:
    """The path of a bubblewrap that works here, else an empty text."""
    program = shutil.which("bwrap", path="/usr/bin:/bin:/usr/local/bin") or ""
    if not program:
        return ""
    trial = [program, "--unshare-all", "--ro-bind", "/", "/", "/bin/true"]
    try:
        done = subprocess.run(trial, capture_output=True, timeout=10, env={}, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return program if done.returncode == 0 else ""


def wrap(
    command: Sequence[str], folder: Path, interpreter: str, needed: Sequence[str | Path]
) -> list[str]:
    """`command` in namespaces of its own (files, processes, network, users), writing `folder`.

    It sees the system's libraries, the prefixes of `interpreter` and `needed`, read-only.
    """
    arguments = [bubblewrap(), "--unshare-all", "--die-with-parent", "--cap-drop", "ALL"]
    for path in ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime"):
        arguments += ["--ro-bind-try", path, path]
    arguments += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]  # noqa: S108
    prefixes = {Path(interpreter).parent.parent, Path(interpreter).resolve().parent.parent}
    if interpreter == sys.executable:
        prefixes |= {Path(sys.prefix), Path(sys.base_prefix)}
    for place in [*sorted(prefixes), *map(Path, needed)]:
        arguments += ["--ro-bind", str(place), str(place)]
    arguments += ["--bind", str(folder), str(folder), "--chdir", str(folder), "--"]
    return [*arguments, *command]
