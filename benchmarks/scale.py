"""How a build grows, what a second worker brings, and whether kills change a byte.

    python -m benchmarks.scale growth [--pairs 200,800,2400] [--databases 4] [--jobs 2]
    python -m benchmarks.scale workers [--pairs 200] [--databases 4]
    python -m benchmarks.scale kills [--pairs 40] [--databases 2] [--kills 20] [--seed 1]
    python -m benchmarks.scale cluster [--pairs 40] [--databases 4]
    … [--nodes 500] [--engines grafeo,duckdb]

The databases are synthetic graphs of the taxonomy. `growth` builds corpora of these sizes in fresh
folders and fits the exponents of processor time and of the coordinator's memory. `workers` builds
one with one worker and with two. `kills` builds one with two workers, of which it kills one at
random moments, then the coordinator at random moments, as often, over as many builds as that takes;
all must equal, byte by byte, a build that was left alone. `cluster` builds one with two workers and
one on a Dask LocalCluster of four. Each prints JSON lines; the exit status is 1 where bytes differ.
Times on a machine that does other work tell little: processor seconds are of the coordinator and
all that it started, and `pace` says how fast the processor was.
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
from contextlib import suppress
from math import log
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.pace import pace
from benchmarks.processes import high_water
from graphmill.files import file_digest
from pipelines.synth.domains import names


def main() -> int:
    """Run one of the four."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("what", choices=("growth", "workers", "kills", "cluster"))
    arguments.add_argument("--pairs", default="")
    arguments.add_argument("--databases", type=int, default=4)
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--nodes", type=int, default=500)
    arguments.add_argument("--engines", default="grafeo,duckdb")
    arguments.add_argument("--kills", type=int, default=20)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="graphmill-scale-") as folder:
        run = {"growth": growth, "workers": workers, "kills": kills, "cluster": cluster}[
            options.what
        ]
        return run(options, Path(folder))


def growth(options: argparse.Namespace, folder: Path) -> int:
    """Corpora of several sizes."""
    found = []
    for pairs in _sizes(options, "200,800,2400"):
        config = _config(options, folder, pairs)
        found.append(_built(config, folder / f"out-{pairs}", options.jobs, pairs))
    first, last = found[0], found[-1]
    if len(found) > 1:
        scale = log(last["released"] / first["released"])
        print(
            json.dumps(
                {
                    "exponent_cpu": round(log(last["cpu_s"] / first["cpu_s"]) / scale, 3),
                    "exponent_mb": round(log(last["mb"] / first["mb"]) / scale, 3),
                }
            )
        )
    return 0


def workers(options: argparse.Namespace, folder: Path) -> int:
    """One corpus by one worker and by two."""
    (pairs,) = _sizes(options, "200")
    config = _config(options, folder, pairs)
    one = _built(config, folder / "one", 1, pairs)
    two = _built(config, folder / "two", 2, pairs)
    differing = _differing(folder / "one", folder / "two")
    quicker = round(one["wall_s"] / two["wall_s"], 2)
    print(json.dumps({"times_quicker": quicker, "differing": differing}))
    return 1 if differing else 0


def cluster(options: argparse.Namespace, folder: Path) -> int:
    """One corpus by two workers and by four of a temporary Dask cluster."""
    (pairs,) = _sizes(options, "40")
    config = _config(options, folder, pairs)
    _built(config, folder / "two", 2, pairs)
    _built(config, folder / "dask", 4, pairs, "--scheduler", "local")
    differing = _differing(folder / "two", folder / "dask")
    print(json.dumps({"differing": differing}))
    return 1 if differing else 0


def kills(options: argparse.Namespace, folder: Path) -> int:
    """Kills of workers, then of coordinators, at random moments of as many builds as it takes."""
    (pairs,) = _sizes(options, "40")
    config, random = _config(options, folder, pairs), Random(options.seed)
    alone = _built(config, folder / "whole", 2, pairs)
    worst = 0
    for whose in ("worker", "coordinator"):
        hit = builds = 0
        differing: set[str] = set()
        while hit < options.kills:
            out = folder / f"{whose}-{builds}"
            builds += 1
            while True:
                process = _started(config, out, 2)
                while hit < options.kills and process.poll() is None:
                    ends = time.monotonic() + random.uniform(0.5, alone["wall_s"] / 3)
                    while time.monotonic() < ends and process.poll() is None:
                        time.sleep(0.02)
                    hit += _killed(process, whose, random)
                if process.wait() == 0:
                    break
            differing |= set(_differing(folder / "whole", out))
        worst += len(differing)
        print(
            json.dumps(
                {"killed": whose, "kills": hit, "builds": builds, "differing": sorted(differing)}
            ),
            flush=True,
        )
    return 1 if worst else 0


def _killed(process: subprocess.Popen[bytes], whose: str, random: Random) -> int:
    """Kill a worker of a build, or the build; how many were killed."""
    if process.poll() is not None:
        return 0
    victims = [process.pid] if whose == "coordinator" else _children(process.pid)
    if not victims:
        return 0
    with suppress(ProcessLookupError):
        os.kill(random.choice(victims), signal.SIGKILL)
        if whose == "coordinator":
            process.wait()
        return 1
    return 0


def _sizes(options: argparse.Namespace, default: str) -> list[int]:
    return [int(text) for text in (options.pairs or default).split(",")]


def _config(options: argparse.Namespace, folder: Path, pairs: int) -> Path:
    engines = json.dumps(options.engines.split(","))
    lines = ["[corpus]", 'name = "scale"', "[certify]", f"engines = {engines}", "[queries]"]
    lines.append(f"per_database = {pairs // options.databases}")
    for path in sorted(names())[: options.databases]:
        domain, _, subdomain = path.partition("/")
        lines += ["[[source]]", 'kind = "synthetic"', f'domain = "{domain}"']
        lines += [f'subdomain = "{subdomain}"', f"nodes = {options.nodes}"]
    config = folder / f"corpus-{pairs}.toml"
    config.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return config


def _started(config: Path, out: Path, jobs: int, *more: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "pipelines.cli", "build", str(config), "--out", str(out)]
    return subprocess.Popen(
        [*command, "--jobs", str(jobs), "--quiet", "--allow-degraded", *more],
        stdout=subprocess.DEVNULL,
    )


def _built(config: Path, out: Path, jobs: int, pairs: int, *more: str) -> dict[str, Any]:
    """A build that is left alone: seconds, processor seconds, the coordinator's megabytes."""
    before, began, slow = os.times(), time.monotonic(), pace(3)
    process = _started(config, out, jobs, *more)
    most = 0.0
    while process.poll() is None:
        most = max(most, high_water(process.pid))
        time.sleep(0.2)
    after = os.times()
    if process.returncode:
        raise SystemExit(f"the build of {pairs} pairs ended with {process.returncode}")
    lock = json.loads((out / "corpus.lock").read_text())
    cpu = (
        after.children_user + after.children_system - before.children_user - before.children_system
    )
    summary = out / ".work" / "summary.json"
    found: dict[str, Any] = {
        "pairs": pairs,
        "released": _released(out, lock),
        "jobs": jobs,
        "wall_s": round(time.monotonic() - began, 1),
        "cpu_s": round(cpu, 1),
        "mb": round(most),
        "work_mb": round(_size(out / ".work") / 1e6, 1),
        "pace_ms": round((slow + pace(3)) / 2),
        "lost": json.loads(summary.read_text())["lost"] if summary.is_file() else {},
    }
    print(json.dumps(found), flush=True)
    return found


def _released(out: Path, lock: dict[str, Any]) -> int:
    import pyarrow.parquet as pq

    names = [name for name in lock["files"] if name.startswith("data/")]
    return sum(pq.read_metadata(out / name).num_rows for name in names)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _children(pid: int) -> list[int]:
    """The workers: children whose program is the worker's."""
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return [each for each in found if b"pipelines.jobs.worker" in _command(each)]


def _command(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def _differing(left: Path, right: Path) -> list[str]:
    """Released files that are not the same bytes on both sides."""
    both = [
        {
            path.relative_to(top).as_posix(): file_digest(path)
            for path in top.rglob("*")
            if path.is_file() and ".work" not in path.parts
        }
        for top in (left, right)
    ]
    names = sorted({*both[0], *both[1]})
    return [name for name in names if both[0].get(name) != both[1].get(name)]


if __name__ == "__main__":
    sys.exit(main())
