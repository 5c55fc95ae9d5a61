"""Twelve hostile programs that must come to nothing: the sandbox, tried on this very machine.

`python -m generators.sandbox.probes` prints one JSON line a probe. `attack(plainly)` runs the
same programs without a sandbox, which shows that a probe can succeed where nothing stops it.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from generators.sandbox.runner import Outcome, run_program
from generators.sandbox.watch import Limits

SECRET = "GRAPHMILL_PROBE_SECRET"  # noqa: S105 - a name of a variable
LIMITS = Limits(wall=10, cpu=1)


@dataclass(frozen=True, slots=True)
class Probe:
    """A hostile program. It prints `done` when it got through; `$NAME` is filled in.

    `endless`: it has no end of its own; it succeeded if nothing but the test's patience ended it.
    """

    name: str
    script: str
    endless: bool = False


PROBES = (
    Probe(
        "loopback socket",
        "import socket\nsocket.create_connection(('127.0.0.1', $PORT), 2)\nprint('done')",
    ),
    Probe("read /etc/passwd", "assert 'root' in open('/etc/passwd').read()\nprint('done')"),
    Probe("read home", "assert open('$HOME/private').read()\nprint('done')"),
    Probe("write outside", "open('$HOME/written', 'w').write('x')\nprint('done')"),
    Probe("exec", "import os\nos.execv('/bin/echo', ['echo', 'done'])"),
    Probe(
        "fork bomb",
        "import os, time\n"
        "for _ in range(50):\n"
        "    if os.fork() == 0:\n"
        "        time.sleep(1)\n"
        "        os._exit(0)\n"
        "print('done')",
    ),
    Probe("kill parent", f"import os\nos.kill(os.getppid(), {int(signal.SIGUSR1)})\nprint('done')"),
    Probe("10 GB memory", "held = bytearray(10 << 30)\nprint('done')"),
    Probe(
        "600 MB file",
        "with open('big', 'wb') as stream:\n    stream.truncate(600 << 20)\nprint('done')",
    ),
    Probe("endless output", "while True:\n    print('x' * 10_000)", endless=True),
    Probe("endless loop", "while True:\n    pass", endless=True),
    Probe(
        "parent's environment",
        "import os\n"
        f"found = os.environ.get('{SECRET}')\n"
        "if not found:\n"
        "    text = open(f'/proc/{os.getppid()}/environ', 'rb').read()\n"
        f"    assert b'{SECRET}' in text\n"
        "print('done')",
    ),
)

type Run = Callable[[str, Path], Outcome]


def confined(script: str, folder: Path, interpreter: str = sys.executable) -> Outcome:
    """Run a probe as the product runs a program."""
    return run_program(script, {}, folder / "out", LIMITS, interpreter=interpreter)


def plainly(script: str, folder: Path) -> Outcome:
    """Run a probe with nothing round it, for as long as the sandbox would."""
    environment = {**os.environ, SECRET: "1"}
    command = [sys.executable, "-c", script]
    with (folder / "seen").open("w+b") as seen:
        try:
            done = subprocess.run(  # noqa: S603 - our own script
                command,
                stdout=seen,
                stderr=subprocess.DEVNULL,
                timeout=1,
                cwd=folder,
                env=environment,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return _plain(-int(signal.SIGKILL), "")
        seen.seek(0)
        return _plain(done.returncode, seen.read(100).decode())


def _plain(status: int, printed: str) -> Outcome:
    return Outcome(status, "", printed, "", 0, 0, 0, ())


def attack(run: Run = confined, probes: tuple[Probe, ...] = PROBES) -> Iterator[tuple[str, bool]]:
    """The name of each probe, and whether it succeeded."""
    killed: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, _: killed.append(number))
    os.environ[SECRET] = "1"
    try:
        with (
            tempfile.TemporaryDirectory() as scratch,
            socket.create_server(("127.0.0.1", 0)) as port,
        ):
            home = Path(scratch, "home")
            home.mkdir()
            (home / "private").write_text("secret", encoding="utf-8")
            port.settimeout(0.01)
            for number, probe in enumerate(probes):
                folder = Path(scratch, str(number))
                folder.mkdir()
                script = probe.script.replace("$PORT", str(port.getsockname()[1]))
                outcome = run(script.replace("$HOME", str(home)), folder)
                through = "done" in outcome.stdout
                if probe.endless:
                    through = not outcome.stopped
                yield probe.name, through or bool(killed) or (home / "written").exists()
                killed.clear()
    finally:
        signal.signal(signal.SIGUSR1, before)
        del os.environ[SECRET]


def main() -> int:
    """Print each probe with its result; status 1 when one succeeded."""
    import resource  # noqa: F401 - for wait4, which may not read the library after the change below

    arguments = argparse.ArgumentParser(description="Try the sandbox on this machine.")
    arguments.add_argument("--interpreter", default=sys.executable, help="a Python, 3.11 or later")
    arguments.add_argument("--user", type=int, help="become this user first (needs root)")
    options = arguments.parse_args()
    if options.user is not None:
        os.setgroups([])
        os.setgid(options.user)
        os.setuid(options.user)
        os.chdir("/")
    results = dict(attack(lambda script, folder: confined(script, folder, options.interpreter)))
    for name, succeeded in results.items():
        sys.stdout.write(json.dumps({"probe": name, "succeeded": succeeded}) + "\n")
    return 1 if any(results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
