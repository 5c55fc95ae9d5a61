"""What building a corpus whole costs, if need be in pieces: time, processor time, memory.

    python -m benchmarks.whole_build CONFIG.toml|example:bench --out DIR [--size full] [--jobs 2]

Each call appends a line to DIR.pieces.jsonl, also when it is interrupted; the next call goes on
where that one was, and the last line printed sums all pieces. `cpu_s` are processor seconds of the
coordinator and all that it started, also of what was killed (looked at every two seconds),
`coordinator_cpu_s` its own, `coordinator_mb` the most that it
had, `all_mb` the most that all processes had together (proportional set sizes, sampled every 10 s),
`pace_ms` how slow the processor was (`benchmarks/pace.py`), before, while and after.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

from benchmarks.pace import pace
from benchmarks.processes import family, high_water, processor_seconds, proportional

_SAMPLED, _LOOKED = 10.0, 2.0
_PACED = 300.0
_SUMMED = ("wall_s", "cpu_s", "coordinator_cpu_s")


def main() -> int:
    """Build, watch, and print a line for this piece and one for all."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("configuration")
    arguments.add_argument("--out", type=Path, required=True)
    arguments.add_argument("--size")
    arguments.add_argument("--jobs", type=int, default=2)
    options = arguments.parse_args()
    command = [sys.executable, "-m", "pipelines.cli", "build", options.configuration]
    command += ["--out", str(options.out), "--jobs", str(options.jobs), "--allow-degraded"]
    command += ["--size", options.size] if options.size else []
    piece = _piece(command)
    pieces = options.out.with_name(options.out.name + ".pieces.jsonl")
    with pieces.open("a", encoding="utf-8") as file:
        file.write(json.dumps(piece) + "\n")
    print(json.dumps(piece), flush=True)
    print(json.dumps(_all([json.loads(line) for line in pieces.read_text().splitlines()])))
    return int(piece["status"])


def _piece(command: list[str]) -> dict[str, Any]:
    """One call of the build, left alone unless this process is told to end."""
    before, began, paces = os.times(), time.monotonic(), [pace(3)]

    def end(number: int, frame: FrameType | None) -> None:
        process.send_signal(signal.SIGINT)

    # Before the build starts: one that is started in the background would inherit that Ctrl-C is
    # ignored, and killed otherwise it leaves no times of its workers.
    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    process = subprocess.Popen(command)
    coordinator = together = 0.0
    # The times of engines whose worker is killed reach nobody who waits for them.
    had: dict[int, float] = {}
    paced = sampled = time.monotonic()
    while process.poll() is None:
        members = family(process.pid)
        had |= {pid: seconds for pid in members if (seconds := processor_seconds(pid))}
        if time.monotonic() - sampled > _SAMPLED or not together:
            coordinator = max(coordinator, high_water(process.pid))
            together = max(together, sum(map(proportional, members)))
            sampled = time.monotonic()
        if time.monotonic() - paced > _PACED:
            paces.append(pace(3))
            paced = time.monotonic()
        with suppress(subprocess.TimeoutExpired):
            process.wait(_LOOKED)
    after = os.times()
    paces.append(pace(3))
    waited = after.children_user + after.children_system
    waited -= before.children_user + before.children_system
    return {
        "status": process.returncode,
        "wall_s": round(time.monotonic() - began, 1),
        "cpu_s": round(max(waited, sum(had.values())), 1),
        "coordinator_cpu_s": round(had.get(process.pid, 0.0), 1),
        "coordinator_mb": round(coordinator),
        "all_mb": round(together),
        "pace_ms": round(sum(paces) / len(paces)),
    }


def _all(pieces: list[dict[str, Any]]) -> dict[str, Any]:
    sums = {key: round(sum(each[key] for each in pieces), 1) for key in _SUMMED}
    most = {key: max(each[key] for each in pieces) for key in ("coordinator_mb", "all_mb")}
    return {"pieces": len(pieces), **sums, **most}


if __name__ == "__main__":
    sys.exit(main())
