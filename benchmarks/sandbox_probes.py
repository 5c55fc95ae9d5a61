"""Attack the sandbox of generated programs, and measure what it costs to start.

    python benchmarks/sandbox_probes.py [--runs 20] [--interpreter /usr/bin/python3]

Runs twelve hostile programs (generators/sandbox/probes.py) without a sandbox, confined as this
user, and, when this user is root, confined as the user nobody under `--interpreter`, which nobody
must be able to read. Prints one JSON line a probe, and one with the time of an empty program:
median milliseconds, plain and confined, alternating in one run.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from generators.sandbox import Limits, run_program
from generators.sandbox.probes import SECRET, attack, plainly

NOBODY = "65534"


def confined(*arguments: str) -> dict[str, bool]:
    """The probes in a process of their own, whose environment holds a secret."""
    done = subprocess.run(
        [sys.executable, "-m", "generators.sandbox.probes", *arguments],
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin", SECRET: "1"},
        check=False,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    if not lines:
        sys.stderr.write(done.stderr)
    return {line["probe"]: line["succeeded"] for line in lines}


def overhead(runs: int) -> dict[str, float]:
    """Median milliseconds of an empty program, plain and confined."""
    plain, boxed = [], []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(runs):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", "pass"], check=True)
            between = time.perf_counter()
            outcome = run_program("pass", {}, Path(folder, "out"), Limits())
            boxed.append(time.perf_counter() - between)
            plain.append(between - start)
            assert outcome.ok
    medians = (statistics.median(plain) * 1000, statistics.median(boxed) * 1000)
    return {
        "plain_ms": round(medians[0], 1),
        "confined_ms": round(medians[1], 1),
        "overhead_ms": round(medians[1] - medians[0], 1),
    }


def main() -> int:
    """Attack, measure, print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=20)
    arguments.add_argument("--interpreter", default="/usr/bin/python3")
    options = arguments.parse_args()
    users = {"own": confined()}
    if os.getuid() == 0:
        users["nobody"] = confined("--user", NOBODY, "--interpreter", options.interpreter)
    for name, succeeded in attack(plainly):
        found = {user: results.get(name) for user, results in users.items()}
        print(json.dumps({"probe": name, "plain": succeeded, **found}))
    print(json.dumps(overhead(options.runs)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
