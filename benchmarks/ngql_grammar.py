"""Measure the nGQL grammar on statements of a test suite whose outcome is known.

    python benchmarks/ngql_grammar.py STATEMENTS.jsonl [--show]

A line is {"query", "expect"}: `expect` is the step that follows in the suite. Statements whose
step says nothing of the outcome, and outlines with <placeholders>, are counted apart. Prints one
JSON line: how many reads that succeed are accepted, how many syntax errors are refused.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter
from pathlib import Path

from translators.ngql.grammar.check import check

READS = re.compile(
    r"^\s*(?:(?:\$\w+\s*=\s*|\(|EXPLAIN\s+|PROFILE\s+)*)"
    r"(MATCH|OPTIONAL|GO|LOOKUP|FETCH|YIELD|UNWIND|WITH|RETURN|FIND|GET\s+SUBGRAPH)\b",
    re.IGNORECASE,
)


def outcome(expect: str) -> str:
    """What the suite says happens: success, syntax, later (an error after parsing), unknown."""
    if "SyntaxError" in expect:
        return "syntax"
    if "Error" in expect:
        return "later"
    if "the result should" in expect or "should be successful" in expect:
        return "success"
    return "unknown"


def main() -> int:
    """Read, check, print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("statements", type=Path)
    arguments.add_argument("--show", action="store_true", help="print what differs")
    options = arguments.parse_args()
    counts: Counter[str] = Counter()
    start = time.perf_counter()
    for line in options.statements.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        text, result = row["query"], outcome(row["expect"])
        kind = "read" if READS.match(text) else "other"
        if re.search(r"<\w+>", text) and result != "syntax":
            kind = "outline"
        found = check(text)
        said = "refused" if found else "accepted"
        counts[f"{result} {kind} {said}"] += 1
        wrong = (result == "syntax") != bool(found) and result != "unknown"
        if options.show and wrong and kind != "outline":
            sys.stderr.write(f"{said} ({row['expect'][:60]}): {text}\n")
    seconds = time.perf_counter() - start
    report = dict(sorted(counts.items()))
    reads = counts["success read accepted"] + counts["success read refused"]
    bad = sum(n for key, n in counts.items() if key.startswith("syntax"))
    refused = sum(n for key, n in counts.items() if key.startswith("syntax") and "refused" in key)
    print(
        json.dumps(
            {
                "reads_accepted": round(counts["success read accepted"] / max(reads, 1), 4),
                "syntax_errors_refused": round(refused / max(bad, 1), 4),
                "seconds": round(seconds, 2),
                "counts": report,
            }
        )
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
