"""Nearest train neighbours of each test pair: one JSON line each, the sums on standard error.

python benchmarks/leaks.py CORPUS [--split test] [--question business] [--encoder trigrams]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from evaluation.answering.leaks import neighbours
from graphmill.files import canonical, read_records
from graphmill.record import Record
from pipelines.release.folder import split_file
from pipelines.release.lock import format_of, load_lock


def main() -> None:
    """Print the lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--split", default="test")
    parser.add_argument("--question", default="business")
    parser.add_argument("--encoder", default="trigrams")
    given = parser.parse_args()
    train, test = (records(given.corpus, split) for split in ("train", given.split))
    found = list(neighbours(train, test, given.question, given.encoder))
    for each in found:
        sys.stdout.write(f"{canonical(each.to_json())}\n")
    cosines = sorted(each.cosine for each in found) or [0.0]
    sys.stderr.write(
        f"{len(found)} pairs; median cosine {cosines[len(cosines) // 2]:.3f}, "
        f"above 0.9: {sum(c > 0.9 for c in cosines)}; nearest's query: "
        f"{dict(Counter(each.query for each in found))}; anywhere in train: "
        f"{dict(Counter(each.known for each in found))}\n"
    )


def records(corpus: Path, split: str) -> list[Record]:
    """The records of a split."""
    path = split_file(corpus, split)
    form = format_of(load_lock(corpus))
    return [record for _, record in read_records(path, form)] if path.is_file() else []


if __name__ == "__main__":
    main()
