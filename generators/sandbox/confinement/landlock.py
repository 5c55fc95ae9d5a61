"""Landlock: which files a program opens (https://docs.kernel.org/userspace-api/landlock.html)."""

from __future__ import annotations

import ctypes
import os
import struct

from generators.sandbox.confinement.kernel import PR_SET_NO_NEW_PRIVS, call, prctl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

CREATE, ADD, RESTRICT = 444, 445, 446
EXECUTE, WRITE_FILE, READ_FILE, READ_FOLDER, TRUNCATE = 1, 2, 4, 8, 1 << 14


def restrict(folder: str, readable: Iterable[str]) -> None:
    """Allow reads below `readable` and all but execution below `folder`.

    No TCP, no signals to and no abstract sockets of others, where the kernel knows these rules.
    Raises Unavailable.
    """
    abi = call("landlock", CREATE, None, ctypes.c_size_t(0), 1)
    files = (1 << 13) - 1
    files |= (abi >= 2) << 13 | (abi >= 3) << 14 | (abi >= 5) << 15
    network, scope = 3 * (abi >= 4), 3 * (abi >= 6)
    size = 8 if abi < 4 else 16 if abi < 6 else 24
    attributes = ctypes.create_string_buffer(struct.pack("=QQQ", files, network, scope))
    ruleset = call("landlock rules", CREATE, attributes, ctypes.c_size_t(size), 0)

    def allow(path: str, rights: int) -> None:
        try:
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            return
        if not os.path.isdir(path):
            rights &= WRITE_FILE | READ_FILE | TRUNCATE
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights & files, place))
        call(f"landlock rule for {path}", ADD, ruleset, 1, rule, 0)
        os.close(place)

    for path in readable:
        allow(path, READ_FILE | READ_FOLDER)
    allow("/dev/null", READ_FILE | WRITE_FILE)
    allow(folder, files & ~EXECUTE)
    prctl("no new privileges", PR_SET_NO_NEW_PRIVS, 1)
    call("landlock in force", RESTRICT, ruleset, 0)
    os.close(ruleset)
