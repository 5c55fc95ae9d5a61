"""Confine this process, then run one script in it.

The runner starts this with a socket of messages to it, and sends the order first: arguments,
limits, what is readable, whether fewer layers will do. Three processes follow each other:

1. the one that was started enters namespaces and waits;
2. the first in them makes a root folder of its own and waits for the program, ends what it leaves
   behind, and says how it ended;
3. the program: resource limits, Landlock, capabilities, the filter of system calls; then it says
   which of them are in force, closes the socket and runs the script.

The layers go on after the interpreter has started and before one line of the script runs. A layer
that cannot be had ends the program with status 97, unless fewer were allowed.
"""

from __future__ import annotations

import _socket
import marshal
import os
import resource
import struct
import sys
import types

from generators.sandbox.confinement import landlock, namespaces, seccomp
from generators.sandbox.confinement.kernel import (
    CAP_DAC_READ_SEARCH,
    CAP_KILL,
    PR_SET_DUMPABLE,
    PR_SET_PDEATHSIG,
    Unavailable,
    keep_capabilities,
    prctl,
)

TYPE_CHECKING = False  # `typing` itself takes milliseconds, of each run
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn

SIGKILL = 9
UNAVAILABLE = 97

READABLE = (
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/usr/share/zoneinfo",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/sys/devices/system/cpu",
)
PROCESS = ("/dev/urandom", "/proc/self", "/proc/meminfo", "/proc/cpuinfo", "/proc/stat")


class Line:
    """The socket to the runner: a message is a dictionary, with open files beside it.

    By `marshal` (version 2, which every Python reads), because importing `json` takes longer than
    all that is said here. The program has no part in it.
    """

    def __init__(self, descriptor: int) -> None:
        self._socket = _socket.socket(fileno=descriptor)

    def receive(self) -> dict[str, Any]:
        """The next message; ends this process where the runner is gone."""
        raw = self._socket.recv(1 << 20)
        if not raw:
            os._exit(UNAVAILABLE)
        message: dict[str, Any] = marshal.loads(raw)  # noqa: S302 - from the runner
        return message

    def send(self, message: dict[str, Any], files: Sequence[int] = ()) -> None:
        """Send a message; ends this process where the runner is gone."""
        raw = marshal.dumps(message, 2)
        try:
            if files:
                rights = struct.pack(f"={len(files)}i", *files)
                self._socket.sendmsg([raw], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, rights)])
            else:  # by a call that the filter lets pass
                os.write(self._socket.fileno(), raw)
        except OSError:
            os._exit(UNAVAILABLE)

    def close(self) -> None:
        """This process has no more to say."""
        self._socket.close()


def limit_resources(limits: dict[str, int], counted: bool) -> None:
    """Soft and hard limits alike, so that the script cannot raise them.

    `counted`: the processes of this user are this run's alone, so that threads can be counted.
    """
    wanted = {
        resource.RLIMIT_AS: limits["memory"],
        resource.RLIMIT_CPU: limits["cpu"],
        resource.RLIMIT_FSIZE: limits["file"],
        resource.RLIMIT_CORE: 1,  # 0 would still start the program of a `core_pattern`
        resource.RLIMIT_NOFILE: limits["open_files"],
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_SIGPENDING: 256,
        resource.RLIMIT_NICE: 0,
        resource.RLIMIT_RTPRIO: 0,
    }
    if counted:
        wanted[resource.RLIMIT_NPROC] = limits["threads"]
    for kind, value in wanted.items():
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        try:
            resource.setrlimit(kind, (value, value))
        except (OSError, ValueError) as problem:
            raise Unavailable(f"setrlimit {kind}: {problem}") from problem


def readable(order: dict[str, Any]) -> list[str]:
    """The system's libraries, the interpreter's, its packages, and what the order names."""
    prefixes = {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}
    own = [path for path in sys.path if any(path.startswith(f"{top}/") for top in prefixes)]
    return [*READABLE, *(f"{top}/lib" for top in sorted(prefixes)), *own, *order["readable"]]


def confine(order: dict[str, Any], folder: str) -> tuple[list[str], dict[str, str]]:
    """Apply every layer: the names of those in force, and what is missing, with its reason."""
    held = ["namespaces"] if order["namespaces"] else []
    missing: dict[str, str] = dict(order["missing"])
    paths = [*readable(order), *PROCESS]
    steps: list[tuple[str, Callable[[], None]]] = [
        ("rlimits", lambda: limit_resources(order["limits"], order["namespaces"])),
        ("landlock", lambda: landlock.restrict(folder, paths)),
        ("capabilities", lambda: keep_capabilities(1 << CAP_DAC_READ_SEARCH)),
        ("seccomp", seccomp.restrict),
    ]
    for name, apply in steps:
        try:
            apply()
        except (Unavailable, OSError, AttributeError) as problem:
            missing[name] = str(problem)
        else:
            held.append(name)
    return held, missing


def end_with_parent() -> None:
    """Be killed when the process that made this one ends."""
    prctl("end with the parent", PR_SET_PDEATHSIG, SIGKILL)


def start(line: Line, order: dict[str, Any]) -> None:
    """The first of the three processes; the second where there are no namespaces to enter."""
    end_with_parent()
    if os.getppid() != order["parent"]:
        sys.exit(UNAVAILABLE)
    try:  # where memory runs out, this goes first
        with open("/proc/self/oom_score_adj", "w", encoding="utf-8") as stream:
            stream.write("1000")
    except OSError:
        pass
    if not order["namespaces"]:
        supervise(line, order, root=False)
    try:
        root = namespaces.enter()
        end_with_parent()  # a new user namespace has forgotten it
    except Unavailable as problem:
        line.send({"unavailable": {"namespaces": str(problem)}})
        sys.exit(UNAVAILABLE)
    # The machine has no other process of this number, as long as this one waits for the others.
    order["number"] = os.getpid()
    first = os.fork()
    if first == 0:
        supervise(line, order, root)
    line.close()
    _, status = os.waitpid(first, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def supervise(line: Line, order: dict[str, Any], root: bool) -> NoReturn:
    """The second process: a root folder, the program, and how it ended."""
    inside = order["namespaces"]
    end_with_parent()
    files: list[int] = []
    if inside:
        try:
            namespaces.root(readable(order), order["size"], order["inodes"])
        except (Unavailable, OSError) as problem:
            line.send({"unavailable": {"namespaces": str(problem)}})
            os._exit(UNAVAILABLE)
        files.append(os.open(namespaces.FOLDER, os.O_RDONLY | os.O_DIRECTORY))
    child = os.fork()
    if child == 0:
        run(line, order, root)
    files = [os.pidfd_open(os.getpid()), os.pidfd_open(child), *files]
    line.send({"folder": namespaces.FOLDER if inside else ""}, files)
    for descriptor in files:
        os.close(descriptor)
    keep_capabilities(1 << CAP_KILL)
    _, status, usage = os.wait4(child, 0)
    if inside:
        # Nothing can be left over, for want of a call that makes a process; nothing will be.
        try:
            os.kill(-1, SIGKILL)
            while True:
                os.wait()
        except (ProcessLookupError, ChildProcessError):
            pass
    cpu, peak = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
    line.send({"exit": os.waitstatus_to_exitcode(status), "cpu": cpu, "peak": peak})
    os._exit(0)


def run(line: Line, order: dict[str, Any], root: bool) -> NoReturn:
    """The third process: confine, report, run the script."""
    end_with_parent()
    if root:
        namespaces.another_user(order["number"])
        end_with_parent()  # another user has forgotten it
    folder: str = line.receive()["folder"]
    os.chdir(folder)
    os.umask(0o077)
    os.mkdir("out")
    script = os.path.join(folder, order["script"])
    with open(script, "rb") as stream:
        source = stream.read()
    if order["namespaces"]:
        prctl("no core dumps", PR_SET_DUMPABLE, 0)
    held, missing = confine(order, folder)
    line.send({"held": held, "missing": missing})
    line.close()
    os.closerange(3, 65_536)
    if missing and not order["degraded"]:
        os._exit(UNAVAILABLE)
    execute(script, source, order["arguments"])


def execute(script: str, source: bytes, arguments: Sequence[str]) -> NoReturn:
    """Run a script as Python does, in this interpreter."""
    folder = os.path.dirname(script)
    os.environ["HOME"] = os.environ["TMPDIR"] = folder
    module = types.ModuleType("__main__")
    module.__file__ = script
    for name in [name for name in sys.modules if name.split(".")[0] == "generators"]:
        del sys.modules[name]
    sys.modules["__main__"] = module
    sys.argv = [script, *arguments]
    sys.path.append(folder)
    try:
        exec(compile(source, script, "exec"), module.__dict__)  # noqa: S102 - the purpose of it all
    except SystemExit:
        raise
    except BaseException as problem:  # noqa: BLE001 - printed as Python prints it, without this file
        trace = problem.__traceback__ and problem.__traceback__.tb_next
        sys.excepthook(type(problem), problem.with_traceback(trace), trace)
        sys.exit(1)
    sys.exit(0)


def main(descriptor: int) -> None:
    """Receive the order by a socket and follow it."""
    os.umask(0o077)
    line = Line(descriptor)
    start(line, line.receive())
