"""Three experts rate 300 pairs each on the pages of `graphmill review`, which is killed 20 times.

    python -m benchmarks.review_kills CORPUS [--items 300] [--kills 20]

CORPUS needs 300 pairs (records times levels). Experts post their ratings as their browsers do, at
once; the server is killed (SIGKILL) at moments drawn by a seed, and begun again. A rating that was
answered must be there once, as it was given; one whose answer never came is given again.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx

from pipelines.review.store import Store


class Review:
    """The command as a process, killed and begun again; experts find its newest addresses."""

    def __init__(self, corpus: Path, ratings: Path, items: int) -> None:
        self._command = [sys.executable, "-m", "graphmill", "review", str(corpus), "--port", "0"]
        self._command += ["--ratings", str(ratings), "--sample", str(items), "--experts", "3"]
        self.addresses: dict[str, str] = {}
        self.process = self._begun()

    def _begun(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            self._command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
        )
        assert process.stderr is not None
        found: dict[str, str] = {}
        while len(found) < 3:
            line = process.stderr.readline()
            if match := re.match(r"(expert-\d): (http\S+)", line):
                found[match[1]] = match[2]
            elif not line:
                raise SystemExit("graphmill review ended by itself")
        self.addresses = found
        return process

    def killed(self) -> None:
        """Kill it, and begin it again."""
        self.process.kill()
        self.process.wait()
        self.process = self._begun()


def expert(
    review: Review, name: str, answered: dict[tuple[str, int], int], problems: list[str]
) -> None:
    """Rate until all is rated; `answered` has what the server confirmed."""
    draw = random.Random(name)
    client, at = httpx.Client(timeout=20), ""
    while True:
        try:
            if at != review.addresses[name]:
                at = review.addresses[name]
                client = httpx.Client(timeout=20, base_url=at.split("/?")[0])
                client.get(at)
            page = client.get("/").text
            if "pairs are rated" in page:
                return
            action = re.search(r'action="(/rate/(\d+)\?key=\w+)"', page)
            if action is None:
                time.sleep(0.1)
                continue
            number, grade = int(action[2]), draw.randint(1, 5)
            if (name, number) in answered:
                problems.append(f"{name} is asked for {number} again")
            reply = client.post(action[1], data={"alignment": str(grade), "note": f"{grade}"})
            if reply.status_code == 303:
                answered[name, number] = grade
        except httpx.HTTPError:
            at = ""
            time.sleep(0.1)


def main() -> int:
    """Measure and print one JSON object; the status is 1 where a rating was lost or doubled."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--items", type=int, default=300)
    parser.add_argument("--kills", type=int, default=20)
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    file = folder / "ratings.sqlite"
    review = Review(given.corpus, file, given.items)
    answered: dict[tuple[str, int], int] = {}
    problems: list[str] = []
    began = time.monotonic()
    threads = [
        threading.Thread(target=expert, args=(review, f"expert-{n}", answered, problems))
        for n in (1, 2, 3)
    ]
    for thread in threads:
        thread.start()
    draw, kills, whole = random.Random(7), 0, 3 * given.items
    while any(thread.is_alive() for thread in threads):
        time.sleep(draw.random() * 0.05)
        if kills < given.kills and len(answered) >= (kills + 1) * whole / (given.kills + 2):
            review.killed()
            kills += 1
    store = Store(file)
    ratings = store.ratings()
    kept = Counter((rating.expert, rating.item) for rating in ratings)
    as_given = {(r.expert, r.item): r.alignment for r in ratings}
    found: dict[str, Any] = {
        "experts": 3,
        "items": len(store.items()),
        "ratings": len(ratings),
        "kills": kills,
        "confirmed": len(answered),
        "lost": sum(key not in kept for key in answered),
        "doubled": sum(number > 1 for number in kept.values()),
        "changed": sum(as_given.get(key) != grade for key, grade in answered.items()),
        "asked_again": len(problems),
        "note_is_of_its_rating": all(r.note == str(r.alignment) for r in ratings),
        "seconds": round(time.monotonic() - began, 1),
    }
    review.process.kill()
    shutil.rmtree(folder)
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
    bad = found["lost"] + found["doubled"] + found["changed"] + found["asked_again"]
    return int(bad > 0 or len(ratings) != 3 * found["items"])


if __name__ == "__main__":
    sys.exit(main())
