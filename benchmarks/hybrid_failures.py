"""How the wrong answers of a run of `hybrid` fail, by the five kinds of its paper (HR-19).

    python benchmarks/hybrid_failures.py RUN

RUN is the folder that `graphmill evaluate --system hybrid --out RUN` wrote.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from evaluation.systems.hybrid import failure


def main() -> None:
    """Print a count for each kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    run = parser.parse_args().run
    lines = [json.loads(line) for line in (run / "predictions.jsonl").read_text().splitlines()]
    traces = {line["id"]: line["trace"] for line in lines}
    scores = [json.loads(line) for line in (run / "trace.jsonl").read_text().splitlines()]
    kinds = Counter(failure(traces.get(score["id"], {}), score) for score in scores)
    for kind, number in sorted(kinds.items()):
        sys.stdout.write(f"{kind or 'right'}: {number}\n")


if __name__ == "__main__":
    main()
