"""How much memory processes have, where the system tells (Linux)."""

from __future__ import annotations

import os
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE")


def resident_mb(pid: int | None = None) -> float:
    """Megabytes of a process and all that it started; 0 where the system does not tell."""
    root = os.getpid() if pid is None else pid
    total, waiting = 0, [root]
    while waiting:
        each = waiting.pop()
        total += _own(each)
        waiting += _children(each)
    return total / (1 << 20)


def own_mb() -> float:
    """Megabytes of this process alone; 0 where the system does not tell."""
    return _own(os.getpid()) / (1 << 20)


def _own(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError, ValueError):
        return 0


def _children(pid: int) -> list[int]:
    children: list[int] = []
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            children += map(int, (task / "children").read_text().split())
    except (OSError, ValueError):
        return children
    return children
