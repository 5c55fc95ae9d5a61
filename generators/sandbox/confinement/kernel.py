"""Calls to the kernel that Python has no functions for, and what it says when it has no such call.

Numbers and structures: Linux's `include/uapi`; `man 2 unshare`, `man 2 capget`, `man 2 prctl`.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_KEEPCAPS = 1, 4, 8
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, PR_SET_THP_DISABLE = 22, 38, 41
CAP_DAC_READ_SEARCH, CAP_KILL, CAP_SETUID, CAP_SYS_ADMIN = 2, 5, 7, 21

libc = ctypes.CDLL(None, use_errno=True)


class Unavailable(Exception):
    """A layer cannot be had on this machine."""


def failure(what: str) -> Unavailable:
    """The last call's error, as `what: EPERM`."""
    code = ctypes.get_errno()
    return Unavailable(f"{what}: {errno.errorcode.get(code, code)}")


def call(what: str, number: int, *arguments: Any) -> int:
    """A system call by number; raises Unavailable where it fails."""
    result: int = libc.syscall(number, *arguments)
    if result < 0:
        raise failure(what)
    return result


def prctl(what: str, option: int, *arguments: int) -> None:
    """`prctl` with all of its arguments; raises Unavailable where it fails."""
    values = [ctypes.c_ulong(value) for value in (*arguments, 0, 0, 0, 0)[:4]]
    if libc.prctl(option, *values) != 0:
        raise failure(what)


def machine() -> tuple[int, int]:
    """The audit number of this architecture, and its column in the tables of system calls."""
    name = os.uname().machine
    if name not in MACHINES or sys.maxsize < 2**32:
        raise Unavailable(f"no table of system calls for {name}")
    return MACHINES[name]


def capabilities() -> int:
    """The capabilities that this process may use, as a set of bits."""
    header = ctypes.create_string_buffer(struct.pack("=Ii", 0x20080522, 0))
    sets = ctypes.create_string_buffer(24)
    if libc.capget(header, sets) != 0:
        raise failure("capget")
    words = struct.unpack_from("=6I", sets)
    permitted: int = words[1] | words[4] << 32
    return permitted


def keep_capabilities(kept: int) -> None:
    """Give up every capability but those of `kept`, which this process has."""
    header = ctypes.create_string_buffer(struct.pack("=Ii", 0x20080522, 0))
    kept &= capabilities()
    low, high = kept & 0xFFFFFFFF, kept >> 32
    sets = ctypes.create_string_buffer(struct.pack("=6I", low, low, 0, high, high, 0))
    if libc.capset(header, sets) != 0:
        raise failure("capset")
