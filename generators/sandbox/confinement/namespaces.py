"""Namespaces of its own for a program: its processes, its files, its memory that others could see.

Root does without a user namespace and lets the program run as a user that nobody else is; other
users make one, where the machine lets them. The program's folder is a tmpfs of a fixed size and
number of inodes, which the kernel holds and which ends with the last process in it
(`man 7 namespaces`, `man 5 tmpfs`, `man 2 pivot_root`, `man 2 mount_setattr`).
"""

from __future__ import annotations

import ctypes
import os
import struct

from generators.sandbox.confinement.kernel import (
    CAP_DAC_READ_SEARCH,
    CAP_SETUID,
    CAP_SYS_ADMIN,
    PR_SET_DUMPABLE,
    PR_SET_KEEPCAPS,
    Unavailable,
    call,
    capabilities,
    failure,
    keep_capabilities,
    libc,
    machine,
    prctl,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

NEWNS, NEWCGROUP, NEWUTS, NEWIPC = 0x20000, 0x2000000, 0x4000000, 0x8000000
NEWUSER, NEWPID, NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
MNT_DETACH = 2
PIVOT_ROOT = (155, 41)
MOUNT_SETATTR = 442
AT_RECURSIVE = 0x8000
DEVICES = ("/dev/null", "/dev/urandom")
FOLDER = "/program"
NAME = b"localhost"
# Users that no distribution gives to anybody: one a run, so that its threads are counted alone.
FIRST_USER = 0x70000000


def enter() -> bool:
    """New namespaces, all but that of mounts; whether this process is root and needed no user's.

    The next child is the first process of them. Raises Unavailable.
    """
    needed = 1 << CAP_SYS_ADMIN | 1 << CAP_SETUID
    root = capabilities() & needed == needed and mapped(FIRST_USER)
    wanted = NEWPID | NEWIPC | NEWNET | NEWUTS | NEWCGROUP
    if root:
        if libc.unshare(wanted) != 0:
            raise failure("namespaces")
        name_machine()
        return True
    user, group = os.geteuid(), os.getegid()
    if user == 0 and mapped(FIRST_USER):
        raise Unavailable("namespaces: root without capabilities")
    if libc.unshare(wanted | NEWUSER) != 0:
        raise failure("user namespace")
    prctl("access to its own files of /proc", PR_SET_DUMPABLE, 1)
    write("/proc/self/setgroups", "deny")
    write("/proc/self/uid_map", f"{user} {user} 1")
    write("/proc/self/gid_map", f"{group} {group} 1")
    name_machine()
    return False


def name_machine() -> None:
    """Another name for the machine in this namespace; raises Unavailable."""
    for rename in (libc.sethostname, libc.setdomainname):
        if rename(NAME, ctypes.c_size_t(len(NAME))) != 0:
            raise failure("name of the machine")


def mapped(user: int) -> bool:
    """Whether this user namespace has such a user, as the machine's first one has."""
    with open("/proc/self/uid_map", encoding="utf-8") as stream:
        rows = [[int(word) for word in line.split()] for line in stream]
    return any(first <= user < first + many for first, _, many in rows)


def write(path: str, text: str) -> None:
    """Write one of the kernel's files; raises Unavailable."""
    try:
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
    except OSError as problem:
        raise Unavailable(f"user namespace: {path}: {problem.strerror}") from problem


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """`mount`; raises Unavailable."""
    texts = [text.encode() or None for text in (source, target, kind)]
    if libc.mount(*texts, ctypes.c_ulong(flags), options.encode() or None) != 0:
        raise failure(f"mount {target}")


def harden(target: str, attributes: int) -> None:
    """Set attributes of a mount and of all below it; raises Unavailable."""
    structure = ctypes.create_string_buffer(struct.pack("=QQQQ", attributes, 0, 0, 0))
    arguments = (-100, target.encode(), AT_RECURSIVE, structure, ctypes.c_size_t(32))
    call(f"attributes of {target}", MOUNT_SETATTR, *arguments)


def root(readable: Iterable[str], size: int, inodes: int) -> None:
    """A root folder of its own, of `readable` (read-only) and an empty FOLDER; raises Unavailable.

    FOLDER takes `size` bytes and `inodes` files, folders and links. This process is the first of
    its process namespace.
    """
    os.umask(0o022)
    if libc.unshare(NEWNS) != 0:
        raise failure("mount namespace")
    mount("none", "/", flags=MS_REC | MS_PRIVATE)
    base = "/tmp"  # noqa: S108 - a folder that every machine has: its place in the new root
    mount("tmpfs", base, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,nr_inodes=4k,mode=755")
    os.mkdir(f"{base}/old")
    number = PIVOT_ROOT[machine()[1]]
    call("pivot_root", number, base.encode(), f"{base}/old".encode())
    os.chdir("/")
    for path in places(readable):
        bind(path)
    processes()
    for device in DEVICES:
        touch(device)
        mount(f"/old{device}", device, flags=MS_BIND)
        harden(device, MS_NOSUID | MS_NOEXEC)
    os.mkdir(FOLDER)
    options = f"size={size},nr_inodes={inodes},mode=777,huge=never"
    mount("tmpfs", FOLDER, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, options)
    if libc.umount2(b"/old", MNT_DETACH) != 0:
        raise failure("umount")
    os.rmdir("/old")
    structure = ctypes.create_string_buffer(struct.pack("=QQQQ", MS_RDONLY, 0, 0, 0))
    call("attributes of /", MOUNT_SETATTR, -100, b"/", 0, structure, ctypes.c_size_t(32))


def places(readable: Iterable[str]) -> list[str]:
    """The paths that exist, without those below others, `/proc` and `/dev`."""
    kept: list[str] = []
    for path in sorted({os.path.normpath(path) for path in readable}):
        special = path.split("/")[1] in ("proc", "dev", "old", "")
        below = any(path == other or path.startswith(f"{other}/") for other in kept)
        if not special and not below and os.path.exists(resolve(path)):
            kept.append(path)
    return kept


def bind(path: str) -> None:
    """Show a file or folder of the old root, read-only, under its own name."""
    source = resolve(path)
    if os.path.isdir(source):
        os.makedirs(path, exist_ok=True)
    else:
        touch(path)
    mount(source, path, flags=MS_BIND | MS_REC)
    harden(path, MS_RDONLY | MS_NOSUID | MS_NODEV)


def resolve(path: str) -> str:
    """Where a path leads in the old root, links followed: a path below `/old`."""
    done = "/old"
    parts = path.split("/")[:0:-1]
    for _ in range(256):
        if not parts:
            return done
        part = parts.pop()
        if part == "..":
            done = os.path.dirname(done) if done != "/old" else done
        elif part not in ("", "."):
            here = f"{done}/{part}"
            if os.path.islink(here):
                link = os.readlink(here)
                done = "/old" if link.startswith("/") else done
                parts += link.split("/")[::-1]
            else:
                done = here
    raise Unavailable(f"too many links: {path}")


def touch(path: str) -> None:
    """An empty file to mount another over."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))


def processes() -> None:
    """`/proc` of the new processes; in a container that forbids it, three files of the old one."""
    os.mkdir("/proc")
    flags = MS_NOSUID | MS_NODEV | MS_NOEXEC
    try:
        mount("proc", "/proc", "proc", flags)
    except Unavailable:
        for name in ("meminfo", "cpuinfo", "stat"):
            if os.path.exists(f"/old/proc/{name}"):
                touch(f"/proc/{name}")
                mount(f"/old/proc/{name}", f"/proc/{name}", flags=MS_BIND)
                harden(f"/proc/{name}", MS_RDONLY)
    else:
        harden("/proc", MS_RDONLY)


def another_user(number: int) -> None:
    """Let root become a user of its own; raises Unavailable.

    It may still read what Landlock lets it: the libraries may be for root alone.
    """
    try:
        os.setgroups([])
        prctl("keep capabilities", PR_SET_KEEPCAPS, 1)
        for user in (FIRST_USER + number, 65534):
            try:
                os.setresgid(user, user, user)
                os.setresuid(user, user, user)
            except OSError:
                continue
            keep_capabilities(1 << CAP_DAC_READ_SEARCH)
            prctl("access to its own files of /proc", PR_SET_DUMPABLE, 1)
            return
    except OSError as problem:
        raise Unavailable(f"another user: {problem.strerror}") from problem
    raise Unavailable("another user: none can be had")
