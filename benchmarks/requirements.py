"""Which numbered lines of the papers' checklists a test or a benchmark names, and which none does.

    python benchmarks/requirements.py [--where]

The numbers are those of the five papers' parts 2 to 6: AT (Adaptive Text2GQL), NS (NAT-NL2GQL), HR
(hybrid retrieval), MA (Multi-Agent GraphRAG), X (across them). A line is named by its number or by
a range on one line of a file: `AT-4 to AT-10`, `AT-4 to 10`. Ends with 1 where one is not named.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
LAST = {"AT": 43, "NS": 29, "HR": 19, "MA": 16, "X": 5}
_NAMED = re.compile(r"\b(AT|NS|HR|MA|X)-(\d{1,2})(?:\s*(?:to|–)\s*(?:\1-)?(\d{1,2}))?\b")


def numbers() -> list[str]:
    """Every number, in order."""
    return [f"{part}-{n}" for part, last in LAST.items() for n in range(1, last + 1)]


def named_in(text: str) -> Iterator[str]:
    """The numbers that a text names.

    >>> list(named_in("NS-3, then AT-4 to AT-6; HR-1 to 2"))
    ['NS-3', 'AT-4', 'AT-5', 'AT-6', 'HR-1', 'HR-2']
    """
    for part, first, last in _NAMED.findall(text):
        for number in range(int(first), int(last or first) + 1):
            yield f"{part}-{number}"


def places() -> dict[str, list[str]]:
    """The files that name each number."""
    found: dict[str, list[str]] = {number: [] for number in numbers()}
    files = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "benchmarks").glob("*.py")]
    for path in sorted(files):
        if path == Path(__file__):
            continue
        own = path.relative_to(ROOT).as_posix()
        for number in dict.fromkeys(named_in(path.read_text(encoding="utf-8"))):
            if number in found:
                found[number].append(own)
    return found


def main() -> int:
    """Print those without, or with `--where` all and where."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--where", action="store_true")
    given = parser.parse_args()
    found = places()
    lacking = [number for number, files in found.items() if not files]
    for number, files in found.items():
        if given.where and files:
            sys.stdout.write(f"{number}: {', '.join(files)}\n")
    sys.stdout.write(f"{len(found) - len(lacking)} of {len(found)} are named.\n")
    if lacking:
        sys.stdout.write(f"Named by none: {', '.join(lacking)}\n")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
