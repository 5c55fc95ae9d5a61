"""How long the search for near duplicates and leaks takes, and what it finds of all comparisons.

    python -m benchmarks.nearest_neighbours [--pairs 200000] [--test 0.14] [--vectors FILE.npy]
        [--texts LINES.txt] [--check 10000]

`--texts` are questions, one a line; without it they are made of those of the examples. `--pairs`
says how many pairs there are, each with four questions: a share of `--test` is looked up in the
others, form by form, as a release does it, and all are compared within groups of one
answer. `--vectors` (float32, rows of length 1) are searched in the same way, without encoding. The
last line compares the first `--check` of the texts with all comparisons one by one: `recall` is
the share whose nearest has the same cosine. Seconds are by the clock and of the processor.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from benchmarks.pace import pace
from graphmill.files import data_folder
from graphmill.similarity.neighbours import NearestTexts, Sketches, alike_vectors, nearest_vectors
from graphmill.similarity.texts import Trigrams

FORMS = 4
GROUP = 12  # pairs that have one answer, on average


def main() -> int:
    """Print a line for each of the measures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=200_000)
    parser.add_argument("--test", type=float, default=0.14)
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--texts", type=Path)
    parser.add_argument("--check", type=int, default=10_000)
    given = parser.parse_args()
    tested = int(given.pairs * given.test)
    if given.vectors is not None:
        vectors = np.load(given.vectors).astype(np.float32)
        with timed("search of given vectors", pairs=len(vectors)):
            split = int(len(vectors) * given.test)
            nearest_vectors(vectors[split:], vectors[:split], 1)
        return 0
    texts = given.texts.read_text(encoding="utf-8").splitlines() if given.texts else []
    for form in range(FORMS):
        asked = _questions(texts, given.pairs, form)
        with timed("nearest in train", form=form, train=given.pairs - tested, test=tested):
            NearestTexts(asked[tested:]).nearest(asked[:tested])
        with timed("near duplicates", form=form, pairs=given.pairs):
            found = _alike_in_groups(asked)
        print(json.dumps({"form": form, "alike": found}), flush=True)
    _check(_questions(texts, given.check, 0))
    return 0


@contextmanager
def timed(what: str, **about: Any) -> Iterator[None]:
    """Print how long the body takes."""
    began, spent = time.perf_counter(), time.process_time()
    yield
    seconds, cpu = time.perf_counter() - began, time.process_time() - spent
    line = {"what": what, **about, "seconds": round(seconds, 1), "cpu_s": round(cpu, 1)}
    print(json.dumps({**line, "pace_ms": round(pace())}), flush=True)


def _questions(texts: list[str], number: int, form: int) -> list[str]:
    """So many questions: the given ones, or those of the examples, each with a name and a number
    of its own, and with some of its words exchanged for words of others."""
    random = Random(form)
    bases = texts or _own()
    words = [word for text in bases for word in text.split()]
    made = []
    for place in range(number):
        text = bases[place % len(bases)].split()
        for _ in range(place // len(bases) % 5):
            text[random.randrange(len(text))] = random.choice(words)
        made.append(f"{' '.join(text)} {random.choice(words).title()} {random.randrange(3_000)}?")
    return made


def _own() -> list[str]:
    """The questions that our examples bring."""
    files = sorted((data_folder() / "sources").glob("*/questions.jsonl"))
    lines = (line for file in files for line in file.read_text(encoding="utf-8").splitlines())
    return [json.loads(line)["question"] for line in lines if line.strip()]


def _alike_in_groups(asked: list[str]) -> int:
    random = Random(1)
    groups: dict[int, list[int]] = {}
    for row in range(len(asked)):
        groups.setdefault(random.randrange(max(1, len(asked) // GROUP)), []).append(row)
    vectors = Sketches().encode(asked)
    return sum(
        1
        for rows in groups.values()
        for _ in alike_vectors(vectors[rows], [asked[row] for row in rows], 0.98, exact=True)
    )


def _check(texts: list[str]) -> None:
    """Recall and the time of all comparisons, of which a sample is made."""
    split = len(texts) // 10
    known, asked = texts[split:], texts[:split][:100]
    trigrams = Trigrams()
    with timed("all comparisons", known=len(known), asked=len(asked)):
        best = [max(trigrams.of(text, each) for each in known) for text in asked]
    found = NearestTexts(known).nearest(asked)
    same = sum(abs(cosine - most) < 1e-9 for (_, cosine), most in zip(found, best, strict=True))
    print(json.dumps({"recall": round(same / len(asked), 4), "of": len(asked)}))


if __name__ == "__main__":
    raise SystemExit(main())
