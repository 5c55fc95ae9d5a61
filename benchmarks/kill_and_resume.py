"""Kill a build with SIGKILL at random points, resume it, and compare with one that ran through.

    python benchmarks/kill_and_resume.py CONFIG [--kills 5] [--seed 1] [--limit N]

A point is a share of the finished work (its bytes in `.work`), so that each run is killed further
on than the one before, also while queries grow. Prints one JSON line: the points, where finished
work stood when the signal came and the stage that was last told; exits with 1 when a file differs.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from graphmill.files import file_digest


def main() -> int:
    """Run the comparison."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("config")
    arguments.add_argument("--kills", type=int, default=5)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--limit", type=int)
    options = arguments.parse_args()
    command = [sys.executable, "-m", "pipelines.cli", "build", options.config]
    if options.limit:
        command += ["--limit", str(options.limit)]
    random = Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        whole, killed = Path(folder) / "whole", Path(folder) / "killed"
        seconds = _run(command, whole)
        work = _finished(whole)
        points = sorted(random.uniform(0.02, 0.95) for _ in range(options.kills))
        deaths = [_kill_at(command, killed, point, work) for point in points]
        resumed = _run(command, killed)
        differing = sorted(_differing(whole, killed))
    print(
        json.dumps(
            {
                "whole_cpu_s": round(seconds, 1),
                "points": [round(point, 2) for point in points],
                "killed": deaths,
                "last_resume_cpu_s": round(resumed, 1),
                "differing": len(differing),
                "first": differing[:5],
            }
        )
    )
    return 1 if differing else 0


def _run(command: list[str], out: Path) -> float:
    """A build that is left alone; seconds of processor time."""
    before = os.times()
    subprocess.run([*command, "--out", str(out), "--quiet"], check=True, stdout=subprocess.DEVNULL)

    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])


def _finished(out: Path) -> int:
    """Bytes of finished work."""
    return sum(path.stat().st_size for path in (out / ".work").glob("finished*.jsonl"))


def _kill_at(command: list[str], out: Path, point: float, work: int) -> dict[str, Any]:
    """Start the build in a process group of its own and kill the whole group at a point.

    Where and at which line of progress; empty when it ended before.
    """
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as told,
        subprocess.Popen(
            [*command, "--out", str(out)],
            stdout=subprocess.DEVNULL,
            stderr=told,
            start_new_session=True,
        ) as process,
    ):
        while process.poll() is None:
            if _finished(out) >= point * work:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                told.seek(0)
                lines = told.read().splitlines()
                return {"at": round(_finished(out) / work, 2), "told": lines[-1] if lines else ""}
            time.sleep(0.01)
    return {}


def _differing(left: Path, right: Path) -> set[str]:
    """Relative names of files that are not the same bytes on both sides."""
    files = [
        {
            path.relative_to(top).as_posix(): file_digest(path)
            for path in top.rglob("*")
            if path.is_file()
        }
        for top in (left, right)
    ]
    return {name for name in {*files[0], *files[1]} if files[0].get(name) != files[1].get(name)}


if __name__ == "__main__":
    sys.exit(main())
