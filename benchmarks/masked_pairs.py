"""Coverage of masked pairs by hops: which sub-schemas and properties have a proven pair.

    python benchmarks/masked_pairs.py [--graph DIR] [--hops 6] [--most 0] [--language en]

Without --graph, on the example graph of 12 node types, 13 edge types and 62 properties. Prints a
table by hops, the properties that no pair reads, the ledger by code, similarities of right pairs
and of questions and queries put together at random, and seconds.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from graphmill.files import data_folder
from graphmill.similarity.texts import similarity_named
from pipelines.author.authors import RulesAuthor
from pipelines.configuration.progress import Watch
from pipelines.masked.builder import Settings, masked
from schemagraph.convert.service import convert

EXAMPLE = data_folder() / "masked" / "orchestras.json"
WORDS = data_folder() / "masked" / "orchestras.zh.toml"


def run(graph: Path, out: Path, settings: Settings) -> None:
    """One language."""
    start = time.monotonic()
    found = masked(graph, out, settings, RulesAuthor(), Watch(quiet=True))
    seconds = time.monotonic() - start
    print(f"\n{settings.language}: | hops | sub-schemas | tried | with a proven pair | pairs |")
    for row in found["hops"]:
        keys = ("hops", "sub_schemas", "tried", "covered", "pairs")
        print("| " + " | ".join(str(row[key]) for key in keys) + " |")
    print(f"properties: {found['properties']}")
    print(f"ledger: {found['rejects']}")
    records = [json.loads(line) for line in (out / "pairs.jsonl").read_text().splitlines()]
    print(f"similarity of right pairs: {quantiles(similarities(records, settings, 0))}")
    print(f"of pairs put together at random: {quantiles(similarities(records, settings, 1))}")
    print(f"seconds: {seconds:.0f}, for a pair: {seconds / max(1, len(records)):.3f}")


def similarities(records: list[dict[str, Any]], settings: Settings, shift: int) -> list[float]:
    """Of each question with a query told back: its own, or (shift) one drawn from all."""
    if not shift:
        return sorted(record["graphmill"]["similarity"] for record in records)
    way, random = similarity_named(settings.similarity), Random(settings.seed)
    drawn = [(record, random.choice(records)) for record in records]
    return sorted(
        way.of(one["Query"], other["graphmill"]["told_back"])
        for one, other in drawn
        if one is not other
    )


def quantiles(values: list[float]) -> dict[str, float]:
    """Some quantiles."""
    shares = (0.0, 0.05, 0.5, 0.9, 0.95)
    return {f"{s:.0%}": round(values[int(s * (len(values) - 1))], 3) for s in shares if values}


def main() -> int:
    """Run the languages asked for."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--graph", type=Path)
    arguments.add_argument("--hops", type=int, default=6)
    arguments.add_argument("--most", type=int, default=0)
    arguments.add_argument("--language", choices=("en", "zh"), action="append")
    arguments.add_argument("--similarity", default="trigrams")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        graph = options.graph
        if graph is None:
            graph = Path(folder) / "orchestras"
            convert(str(EXAMPLE), graph)
        for language in options.language or ["en"]:
            words = WORDS if language == "zh" and options.graph is None else None
            settings = Settings(
                language=language,
                hops=options.hops,
                most=options.most,
                similarity=options.similarity,
                lexicon=words,
            )
            run(graph, Path(folder) / f"out-{language}", settings)
    return 0


if __name__ == "__main__":
    sys.exit(main())
