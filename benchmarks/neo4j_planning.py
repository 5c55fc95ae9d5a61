"""What a local Neo4j takes to start, to load a graph and to answer texts that are all new to it.

    python -m benchmarks.neo4j_planning CORPUS DB [--options "-XX:TieredStopAtLevel=1 …"]
        [--prefix "CYPHER planner=dp"] [--plain]

CORPUS is a build of a graph DB with Neo4j among its engines. `--options` go to the Java machine
beside those of the engine, `--prefix` stands before each text in the place of the engine's,
`--plain` starts without archived classes. Prints one JSON line: seconds of processor time of the
three, of each 50 texts and of the threads that took most, the pace (`benchmarks.pace`) and a hash
of the answers.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from time import process_time

from benchmarks.pace import pace
from engines.backends.neo4j import GQL, Neo4j
from engines.jvm import neo4j as local
from graphmill.files import digest
from pipelines.release.corpus import Corpus

EVERY = 50  # texts


def main() -> None:
    """Start, load, ask."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("corpus", type=Path)
    arguments.add_argument("db")
    arguments.add_argument("--options", default="")
    arguments.add_argument("--prefix", default="")
    arguments.add_argument("--plain", action="store_true")
    given = arguments.parse_args()
    local.JVM = (*local.JVM, *given.options.split())
    if given.plain:
        object.__setattr__(local.NEO4J, "archived", False)
    texts = _texts(given.corpus, given.db)
    slow, marks = pace(3), [process_time()]
    engine = Neo4j().__enter__()
    marks.append(process_time())
    engine.load(given.corpus / "graphs" / given.db)
    marks.append(process_time())
    answers = []
    for number, (language, text) in enumerate(texts, 1):
        if given.prefix:
            text = (
                f"{given.prefix.replace('CYPHER', GQL if language == 'gql' else 'CYPHER')} {text}"
            )
        answers.append(sorted(map(repr, engine.run(text, language=language, timeout=60).rows)))
        if number % EVERY == 0:
            marks.append(process_time())
    start, load, *each = [round(b - a, 2) for a, b in pairwise(marks)]
    found = {"start": start, "load": load, f"each_{EVERY}": each, "texts": len(texts)}
    found |= {"threads": _threads(), "pace_ms": round((slow + pace(3)) / 2)}
    print(json.dumps({**found, "answers": digest(answers)[:12]}), flush=True)
    os._exit(0)  # Neo4j's threads would keep this process


def _texts(corpus: Path, db: str) -> list[tuple[str, str]]:
    """Language and text of all that Neo4j ran for a graph's records."""
    return [
        (certificate["dialect"].partition("-")[0], certificate["text"])
        for record in Corpus(corpus).records()
        if record["db"] == db
        for certificate in record["certificates"]
        if certificate["engine"] == "neo4j"
    ]


def _threads(most: int = 8) -> dict[str, float]:
    """Processor seconds of the threads of this process that took most, by name."""
    seconds: dict[str, float] = defaultdict(float)
    for task in Path("/proc/self/task").iterdir():
        name, _, fields = (task / "stat").read_text(encoding="utf-8").rpartition(")")
        ticks = sum(map(int, fields.split()[11:13]))
        seconds[name.partition("(")[2]] += ticks / os.sysconf("SC_CLK_TCK")
    ranked = sorted(seconds.items(), key=lambda item: -item[1])
    return {name: round(s, 1) for name, s in ranked[:most]}


if __name__ == "__main__":
    main()
