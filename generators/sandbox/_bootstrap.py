"""Confine this process, then run one script in it; started by path, standard library only.

`python -s -P -B _bootstrap.py JSON`, where JSON is what `generators.sandbox.runner` writes: folder,
script, arguments, limits, the descriptor for the report, and whether fewer layers will do. The
layers go on after the interpreter has started and before one line of the script runs:

1. resource limits;
2. Landlock: reads only of the interpreter and the system's libraries, writes only in the folder,
   no TCP, no signals to others (https://docs.kernel.org/userspace-api/landlock.html);
3. no capabilities (for root), no new privileges;
4. seccomp: no sockets, no programs, no processes, no signals, no change of modes, owners, times
   or limits (https://docs.kernel.org/userspace-api/seccomp_filter.html).

The layers in force are reported through a descriptor that is closed before the script runs. A
layer that cannot be had ends the process with status 97, unless fewer were allowed. This
file runs under the interpreter that runs the script, which may be a Python 3.11.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import resource
import struct
import sys
import types
from collections.abc import Callable
from typing import Any

UNAVAILABLE = 97

MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}

# System calls by name: their numbers on x86_64 and on aarch64 (None: there is none).
NO_CALLS = {
    # network
    "socket": (41, 198),
    "socketpair": (53, 199),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
    "sendto": (44, 206),
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
    "io_uring_setup": (425, 425),
    # programs, processes, signals
    "execve": (59, 221),
    "execveat": (322, 281),
    "fork": (57, None),
    "vfork": (58, None),
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_send_signal": (424, 424),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "setpriority": (141, 140),
    # modes, owners, times and attributes, which Landlock does not govern
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
    # limits, and memory that outlives the process or is not counted by its limit
    "setrlimit": (160, 164),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    # the machine
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "unshare": (272, 97),
    "setns": (308, 268),
    "chroot": (161, 51),
    "open_by_handle_at": (304, 265),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "acct": (163, 89),
    "quotactl": (179, 60),
}
CLONE, CLONE3, PRLIMIT64, PRCTL = (56, 220), (435, 435), (302, 261), (157, 167)
FCNTL, IOCTL = (72, 25), (16, 29)
CLONE_THREAD = 0x10000
# Ways round `kill`: signals that a descriptor sends, and input that a terminal is made to read.
NO_FCNTL = {"F_SETOWN": 8, "F_SETSIG": 10, "F_SETOWN_EX": 15}
NO_IOCTL = {"FIOSETOWN": 0x8901, "SIOCSPGRP": 0x8902, "TIOCSTI": 0x5412, "TIOCLINUX": 0x541C}
PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 22, 38

READABLE = (
    "/usr",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/dev/null",
    "/dev/urandom",
    "/sys/devices/system/cpu",
    "/proc/self",
    "/proc/meminfo",
    "/proc/cpuinfo",
    "/proc/stat",
)

libc = ctypes.CDLL(None, use_errno=True)


class Unavailable(Exception):
    """A layer cannot be had on this machine."""


def call(what: str, number: int, *arguments: Any) -> int:
    """A system call by number; raises Unavailable where it fails."""
    result: int = libc.syscall(number, *arguments)
    if result < 0:
        code = ctypes.get_errno()
        raise Unavailable(f"{what}: {errno.errorcode.get(code, code)}")
    return result


def prctl(what: str, option: int, *arguments: int) -> None:
    """`prctl` with all of its arguments; raises Unavailable where it fails."""
    values = [ctypes.c_ulong(value) for value in (*arguments, 0, 0, 0, 0)[:4]]
    if libc.prctl(option, *values) != 0:
        code = ctypes.get_errno()
        raise Unavailable(f"{what}: {errno.errorcode.get(code, code)}")


def limit_resources(limits: dict[str, int]) -> None:
    """Soft and hard limits alike, so that the script cannot raise them."""
    wanted = {
        resource.RLIMIT_AS: limits["memory"],
        resource.RLIMIT_CPU: limits["cpu"],
        resource.RLIMIT_FSIZE: limits["file"],
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: limits["open_files"],
    }
    for kind, value in wanted.items():
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        try:
            resource.setrlimit(kind, (value, value))
        except (OSError, ValueError) as problem:
            raise Unavailable(f"setrlimit {kind}: {problem}") from problem


def landlock(folder: str, readable: list[str]) -> None:
    """Allow reads below `readable` and everything but execution below `folder`; no network."""
    create, add, restrict = 444, 445, 446
    abi = call("landlock", create, None, ctypes.c_size_t(0), 1)
    files = (1 << 13) - 1
    files |= (abi >= 2) << 13 | (abi >= 3) << 14 | (abi >= 5) << 15
    network, scope = 3 * (abi >= 4), 3 * (abi >= 6)
    size = 8 if abi < 4 else 16 if abi < 6 else 24
    attributes = ctypes.create_string_buffer(struct.pack("=QQQ", files, network, scope))
    ruleset = call("landlock rules", create, attributes, ctypes.c_size_t(size), 0)
    execute, write_file, read_file, read_folder, truncate = 1, 2, 4, 8, 1 << 14

    def allow(path: str, rights: int) -> None:
        try:
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            return
        if not os.path.isdir(path):
            rights &= write_file | read_file | truncate
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights & files, place))
        call(f"landlock rule for {path}", add, ruleset, 1, rule, 0)
        os.close(place)

    for path in readable:
        allow(path, read_file | read_folder)
    allow("/dev/null", read_file | write_file)
    allow(folder, files & ~execute)
    prctl("no new privileges", PR_SET_NO_NEW_PRIVS, 1)
    call("landlock in force", restrict, ruleset, 0)
    os.close(ruleset)


def drop_capabilities() -> None:
    """Root without its powers, but for reading what Landlock lets it read (DAC_READ_SEARCH)."""
    header = ctypes.create_string_buffer(struct.pack("=Ii", 0x20080522, 0))
    sets = ctypes.create_string_buffer(24)
    if libc.capget(header, sets) == 0:
        kept = struct.unpack_from("=6I", sets)[1] & 1 << 2
        struct.pack_into("=6I", sets, 0, kept, kept, 0, 0, 0, 0)
        if libc.capset(header, sets) == 0:
            return
    code = ctypes.get_errno()
    raise Unavailable(f"capset: {errno.errorcode.get(code, code)}")


def seccomp() -> None:
    """Refuse the calls above with EPERM; let threads be, but no processes."""
    machine = os.uname().machine
    if machine not in MACHINES or sys.maxsize < 2**32:
        raise Unavailable(f"seccomp: no table of system calls for {machine}")
    architecture, column = MACHINES[machine]
    load, equal, greater_equal, masked, leave = 0x20, 0x15, 0x35, 0x45, 0x06
    allowed, refused = 0x7FFF0000, 0x00050000 | errno.EPERM
    number, first, second, third = 0, 16, 24, 32
    program: list[tuple[int, int, int, int]] = [
        (load, 0, 0, 4),
        (equal, 1, 0, architecture),
        (leave, 0, 0, 0x80000000),  # another architecture's numbers: kill
        (load, 0, 0, number),
    ]
    if machine == "x86_64":  # the numbers of x32
        program += [(greater_equal, 0, 1, 0x40000000), (leave, 0, 0, refused)]
    # The C library falls back from clone3, whose flags cannot be seen, to clone.
    program += [(equal, 0, 1, CLONE3[column]), (leave, 0, 0, 0x00050000 | errno.ENOSYS)]
    program += [
        (equal, 0, 4, CLONE[column]),
        (load, 0, 0, first),
        (masked, 0, 1, CLONE_THREAD),
        (leave, 0, 0, allowed),
        (leave, 0, 0, refused),
    ]
    # prlimit64 reads limits too: refused where it would set one (a pointer that is not null).
    program += [
        (equal, 0, 6, PRLIMIT64[column]),
        (load, 0, 0, third),
        (equal, 0, 2, 0),
        (load, 0, 0, third + 4),
        (equal, 1, 0, 0),
        (leave, 0, 0, refused),
        (leave, 0, 0, allowed),
    ]
    for call_number, place, values in (
        (PRCTL[column], first, (PR_SET_PDEATHSIG, PR_SET_DUMPABLE)),
        (FCNTL[column], second, tuple(NO_FCNTL.values())),
        (IOCTL[column], second, tuple(NO_IOCTL.values())),
    ):
        many = len(values)
        program += [(equal, 0, many + 3, call_number), (load, 0, 0, place)]
        program += [(equal, many - at, 0, value) for at, value in enumerate(values)]
        program += [(leave, 0, 0, allowed), (leave, 0, 0, refused)]
    for numbers in NO_CALLS.values():
        refuse = numbers[column]
        if refuse is not None:
            program += [(equal, 0, 1, refuse), (leave, 0, 0, refused)]
    program.append((leave, 0, 0, allowed))
    code = b"".join(struct.pack("=HBBI", *step) for step in program)
    steps = ctypes.create_string_buffer(code)
    pointer = ctypes.create_string_buffer(struct.pack("@HP", len(program), ctypes.addressof(steps)))
    prctl("no new privileges", PR_SET_NO_NEW_PRIVS, 1)
    prctl("seccomp", PR_SET_SECCOMP, 2, ctypes.addressof(pointer))


def confine(order: dict[str, Any]) -> tuple[list[str], dict[str, str]]:
    """Apply every layer: the names of those in force, and what is missing, with its reason."""
    held: list[str] = []
    missing: dict[str, str] = {}
    readable = [*READABLE, sys.prefix, sys.base_prefix, *order["readable"]]
    steps: list[tuple[str, Callable[[], None]]] = [
        ("rlimits", lambda: limit_resources(order["limits"])),
        ("landlock", lambda: landlock(order["folder"], readable)),
        ("capabilities", drop_capabilities),
        ("seccomp", seccomp),
    ]
    for name, apply in steps:
        try:
            apply()
        except (Unavailable, OSError, AttributeError) as problem:
            missing[name] = str(problem)
        else:
            held.append(name)
    return held, missing


def main() -> None:
    """Confine, report, run."""
    order = json.loads(sys.argv[1])
    script = os.path.join(order["folder"], order["script"])
    os.umask(0o077)
    os.chdir(order["folder"])
    if sys.platform == "linux":
        prctl("end with the parent", PR_SET_PDEATHSIG, 9)
        if order["parent"] and os.getppid() != order["parent"]:
            sys.exit(UNAVAILABLE)
    with open(script, "rb") as stream:
        source = stream.read()
    held, missing = confine(order)
    report = json.dumps({"held": held, "missing": missing})
    os.write(order["report"], report.encode())
    os.close(order["report"])
    if missing and not order["degraded"]:
        sys.exit(UNAVAILABLE)
    module = types.ModuleType("__main__")
    module.__file__ = script
    sys.modules["__main__"] = module
    sys.argv = [script, *order["arguments"]]
    sys.path.append(order["folder"])
    try:
        exec(compile(source, script, "exec"), module.__dict__)  # noqa: S102 - the purpose of it all
    except Exception as problem:  # noqa: BLE001 - printed as Python prints it, without this file
        trace = problem.__traceback__ and problem.__traceback__.tb_next
        sys.excepthook(type(problem), problem.with_traceback(trace), trace)
        sys.exit(1)


if __name__ == "__main__":
    main()
