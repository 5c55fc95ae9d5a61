"""Of the pairs of a corpus: which are said in all of six languages, and how often each was run.

    python -m benchmarks.six_languages CORPUS [CORPUS …]

A corpus is one that `graphmill build` made with `languages = ["cypher", "gql"]`, which every pair
has, and `also = ["ngql", "sql", "gremlin", "sparql"]`, which are there where they can be said.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import polars as pl

SIX = ("cypher", "gql", "ngql", "sql", "gremlin", "sparql")


def main() -> None:
    """Count and print."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("corpus", type=Path, nargs="+")
    options = arguments.parse_args()
    for corpus in options.corpus:
        for db, frame in pl.read_parquet(corpus / "data" / "*.parquet").group_by("db"):
            records = frame.to_dicts()
            said = Counter(name for each in records for name in SIX if each["queries"].get(name))
            every = sum(all(each["queries"].get(name) for name in SIX) for each in records)
            runs = sum(len(each["certificates"]) for each in records)
            engines = Counter(
                name
                for each in records
                for name in {certificate["engine"] for certificate in each["certificates"]}
            )
            print(f"{db[0]}: {len(records)} pairs, in all six {every / len(records):.1%}")
            print("  " + ", ".join(f"{name} {said[name]}" for name in SIX))
            print(f"  {runs / len(records):.1f} executions a pair: ", end="")
            print(", ".join(f"{name} {count}" for name, count in sorted(engines.items())))


if __name__ == "__main__":
    main()
