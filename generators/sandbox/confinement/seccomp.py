"""The filter of system calls (https://docs.kernel.org/userspace-api/seccomp_filter.html).

A list of what is allowed, as classic BPF. Everything else fails with EPERM, and what a newer
kernel may have brought with ENOSYS.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from pathlib import Path

from generators.sandbox.confinement.calls import (
    ALLOWED,
    FILTERED,
    FIRST_NEW,
    NEEDLESS,
    UNKNOWN,
    UNSUPPORTED,
)
from generators.sandbox.confinement.kernel import (
    PR_SET_NO_NEW_PRIVS,
    PR_SET_SECCOMP,
    PR_SET_THP_DISABLE,
    machine,
    prctl,
)

Step = tuple[int, int, int, int]

LOAD, EQUAL, GREATER_EQUAL, MASKED, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
AND = 0x54
ALLOW, KILL, FAIL = 0x7FFF0000, 0x80000000, 0x00050000

# What `pthread_create` of glibc and of musl asks for, and nothing else: a thread that shares the
# descriptors, the memory and the working folder of its process.
THREAD = (0x3D0F00, 0x7D0F00)
FCNTL = {
    "F_DUPFD": 0,
    "F_GETFD": 1,
    "F_SETFD": 2,
    "F_GETFL": 3,
    "F_SETFL": 4,
    "F_DUPFD_CLOEXEC": 1030,
    "F_GETPIPE_SZ": 1032,
}
IOCTL = {
    "TCGETS": 0x5401,
    "TIOCGWINSZ": 0x5413,
    "FIONREAD": 0x541B,
    "FIONBIO": 0x5421,
    "FIONCLEX": 0x5450,
    "FIOCLEX": 0x5451,
}
PRCTL = {"PR_GET_DUMPABLE": 3, "PR_SET_NAME": 15, "PR_GET_NAME": 16, "PR_SET_VMA": 0x53564D41}
# Not: to have pages compared with those of others (MADV_MERGEABLE), put onto a disk or out of
# memory (MADV_PAGEOUT, MADV_COLD), or taken for broken; nor to have huge ones (MADV_HUGEPAGE,
# MADV_COLLAPSE), of which all memory stays while a small part of its addresses is held.
MADVISE = {
    "MADV_NORMAL": 0,
    "MADV_RANDOM": 1,
    "MADV_SEQUENTIAL": 2,
    "MADV_WILLNEED": 3,
    "MADV_DONTNEED": 4,
    "MADV_FREE": 8,
    "MADV_REMOVE": 9,
    "MADV_NOHUGEPAGE": 15,
    "MADV_DONTDUMP": 16,
    "MADV_DODUMP": 17,
    "MADV_POPULATE_READ": 22,
    "MADV_POPULATE_WRITE": 23,
    "MADV_GUARD_INSTALL": 102,
    "MADV_GUARD_REMOVE": 103,
}
# Not to make a table of descriptors for the calling thread alone (CLOSE_RANGE_UNSHARE), which would
# have as many as all others together may have.
CLOSE_RANGE = {"close": 0, "CLOSE_RANGE_CLOEXEC": 4}
MAP_LOCKED_OR_HUGE = 0x2000 | 0x40000
# Memory that is shared and no file's stays whole while any part of its addresses is held, so that a
# limit of addresses is none of it.
MAP_SHARED_ANONYMOUS = 0x01 | 0x20
POSIX_FADV_DONTNEED = 4
# An open file can be watched once for each number that it ever had, in each list of watches: over
# a million times with 256 numbers, in memory of the kernel that no limit of its own counts, and out
# of a number that all processes of the user share. Polars watches one file, of a low number.
WATCHED = 64
NUMBER, ARCHITECTURE = 0, 4


def argument(at: int) -> int:
    """Where the lower half of an argument lies in what the filter sees."""
    return 16 + 8 * at


_REFUSED: Step = (RETURN, 0, 0, FAIL | errno.EPERM)
_ALLOWED: Step = (RETURN, 0, 0, ALLOW)
_UNKNOWN: Step = (RETURN, 0, 0, FAIL | errno.ENOSYS)


def program(architecture: int, column: int, pid: int) -> list[Step]:
    """The filter for a process `pid` (as it knows itself) on an architecture."""
    steps: list[Step] = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, KILL),  # another architecture's numbers
        (LOAD, 0, 0, NUMBER),
    ]
    if architecture == 0xC000003E:  # the numbers of x32
        steps += [(GREATER_EQUAL, 0, 1, 0x40000000), _REFUSED]
    for name, at, values in (
        ("clone", 0, THREAD),
        ("tgkill", 0, (pid,)),
        ("fcntl", 1, tuple(FCNTL.values())),
        ("ioctl", 1, tuple(IOCTL.values())),
        ("prctl", 0, tuple(PRCTL.values())),
        ("madvise", 2, tuple(MADVISE.values())),
        ("close_range", 2, tuple(CLOSE_RANGE.values())),
        ("preadv2", 5, (0,)),  # flags tell which pages lie in memory, or drop them
        ("pwritev2", 5, (0,)),
    ):
        steps += _listed(FILTERED[name][column], at, values)
    steps += _by_argument(column, pid)
    numbers = sorted(row[column] or 0 for row in ALLOWED.values() if row[column] is not None)
    for value in numbers:
        steps += [(EQUAL, 0, 1, value), _ALLOWED]
    for row in NEEDLESS.values():
        steps += [(EQUAL, 0, 1, row[column]), (RETURN, 0, 0, FAIL)]
    for row in UNSUPPORTED.values():
        steps += [(EQUAL, 0, 1, row[column]), (RETURN, 0, 0, FAIL | errno.ENOTSUP)]
    for row in UNKNOWN.values():
        steps += [(EQUAL, 0, 1, row[column]), _UNKNOWN]
    return [*steps, (GREATER_EQUAL, 0, 1, FIRST_NEW), _UNKNOWN, _REFUSED]


def _listed(number: int, at: int, values: tuple[int, ...]) -> list[Step]:
    """A call passes where the lower half of its argument `at` is one of `values`."""
    many = len(values)
    return [
        (EQUAL, 0, many + 3, number),
        (LOAD, 0, 0, argument(at)),
        *((EQUAL, many - place, 0, value) for place, value in enumerate(values)),
        _REFUSED,
        _ALLOWED,
    ]


def _by_argument(column: int, pid: int) -> list[Step]:
    """The calls that pass unless an argument says something."""
    return [
        (EQUAL, 0, 7, FILTERED["mmap"][column]),
        (LOAD, 0, 0, argument(3)),
        (MASKED, 0, 1, MAP_LOCKED_OR_HUGE),
        _REFUSED,
        (AND, 0, 0, MAP_SHARED_ANONYMOUS),
        (EQUAL, 0, 1, MAP_SHARED_ANONYMOUS),
        _REFUSED,
        _ALLOWED,
        (EQUAL, 0, 4, FILTERED["fadvise64"][column]),
        (LOAD, 0, 0, argument(3)),
        (EQUAL, 0, 1, POSIX_FADV_DONTNEED),
        _REFUSED,
        _ALLOWED,
        (EQUAL, 0, 4, FILTERED["epoll_ctl"][column]),
        (LOAD, 0, 0, argument(2)),
        (GREATER_EQUAL, 0, 1, WATCHED),
        _REFUSED,
        _ALLOWED,
        # prlimit64 reads limits too: its own, and with nothing to set.
        (EQUAL, 0, 9, FILTERED["prlimit64"][column]),
        (LOAD, 0, 0, argument(0)),
        (EQUAL, 1, 0, 0),
        (EQUAL, 0, 4, pid),
        (LOAD, 0, 0, argument(2)),
        (EQUAL, 0, 2, 0),
        (LOAD, 0, 0, argument(2) + 4),
        (EQUAL, 1, 0, 0),
        _REFUSED,
        _ALLOWED,
    ]


def restrict() -> None:
    """Put the filter in force for this process; raises Unavailable."""
    steps = program(*machine(), os.getpid())
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    pointer = ctypes.create_string_buffer(struct.pack("@HP", len(steps), ctypes.addressof(code)))
    if Path("/sys/kernel/mm/transparent_hugepage").exists():
        prctl("no huge pages", PR_SET_THP_DISABLE, 1)  # also where the kernel gives them unasked
    prctl("no new privileges", PR_SET_NO_NEW_PRIVS, 1)
    prctl("seccomp", PR_SET_SECCOMP, 2, ctypes.addressof(pointer))
