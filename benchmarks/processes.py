"""What processes use, from Linux' /proc: megabytes and seconds; 0 where a process is gone."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def high_water(pid: int) -> float:
    """Megabytes that a process had at most."""
    return _kilobytes(Path(f"/proc/{pid}/status"), "VmHWM") / 1024


def proportional(pid: int) -> float:
    """Megabytes of a process, what it shares divided among those that share it."""
    return _kilobytes(Path(f"/proc/{pid}/smaps_rollup"), "Pss:") / 1024


def processor_seconds(pid: int) -> float:
    """Seconds of processor time that a process has had."""
    with suppress(OSError, IndexError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def family(pid: int) -> list[int]:
    """A process and all below it."""
    members, waiting = [], [pid]
    while waiting:
        members.append(waiting.pop())
        for task in Path(f"/proc/{members[-1]}/task").glob("*/children"):
            with suppress(OSError):
                waiting += map(int, task.read_text().split())
    return members


def _kilobytes(path: Path, key: str) -> int:
    with suppress(OSError, StopIteration):
        lines = path.read_text(encoding="utf-8").splitlines()
        return int(next(line for line in lines if line.startswith(key)).split()[1])
    return 0
