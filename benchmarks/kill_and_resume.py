"""Kill a build with SIGKILL at random points, resume it, and compare with one that ran through.

    python benchmarks/kill_and_resume.py CONFIG [--kills 5] [--seed 1] [--limit N]

Prints one JSON line; exits with 1 when a file differs.
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

from graphmill.files import file_digest


def main() -> int:
    """Run the comparison."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("config")
    arguments.add_argument("--kills", type=int, default=5)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--limit", type=int)
    options = arguments.parse_args()
    command = [sys.executable, "-m", "pipelines.cli", "build", options.config, "--quiet"]
    if options.limit:
        command += ["--limit", str(options.limit)]
    random = Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        whole, killed = Path(folder) / "whole", Path(folder) / "killed"
        start = time.perf_counter()
        subprocess.run([*command, "--out", str(whole)], check=True, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - start
        points = sorted(random.uniform(0.02, 0.95) * seconds for _ in range(options.kills))
        for point in points:
            _kill_after([*command, "--out", str(killed)], point)
        start = time.perf_counter()
        subprocess.run([*command, "--out", str(killed)], check=True, stdout=subprocess.DEVNULL)
        resumed = time.perf_counter() - start
        differing = sorted(_differing(whole, killed))
    print(
        json.dumps(
            {
                "whole_s": round(seconds, 1),
                "killed_at_s": [round(point, 1) for point in points],
                "last_resume_s": round(resumed, 1),
                "differing": len(differing),
                "first": differing[:5],
            }
        )
    )
    return 1 if differing else 0


def _kill_after(command: list[str], seconds: float) -> None:
    """Start the build in a process group of its own and kill the whole group."""
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)


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
