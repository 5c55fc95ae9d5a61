"""Build a corpus from one database and its gold, verify it, and report what was proven.

    python benchmarks/build_corpus.py DATABASE.sqlite GOLD.jsonl [--engines grafeo,duckdb,neo4j]

GOLD has lines {"sql", "question"}; a question may be null. Prints one JSON line with the funnel,
the rejects by stage and code, and what `verify` found.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from pipelines.configuration.certify import Certify
from pipelines.configuration.config import Config, Corpus, RelationalSource
from pipelines.configuration.progress import Watch
from pipelines.configuration.targets import Queries
from pipelines.run import build
from pipelines.verification.verify import verify


def main() -> int:
    """Build, verify, print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("database", type=Path)
    arguments.add_argument("gold", type=Path)
    arguments.add_argument("--engines", default="grafeo,duckdb")
    arguments.add_argument("--keep", type=Path, help="keep the corpus in this folder")
    options = arguments.parse_args()
    config = Config(
        corpus=Corpus(name=options.database.stem, also=("ngql",)),
        source=(
            RelationalSource(
                kind="relational",
                url=f"sqlite:///{options.database.resolve()}",
                domain="benchmark",
                subdomain=options.database.stem,
                pairs=str(options.gold.resolve()),
            ),
        ),
        queries=Queries(per_database=100_000, grow=False),
        certify=Certify(engines=tuple(options.engines.split(","))),
    )
    with tempfile.TemporaryDirectory() as folder:
        out = options.keep or Path(folder)
        start = time.perf_counter()
        funnel = build(config, out, Watch()).to_json()
        built = time.perf_counter() - start
        found = verify(out, Watch(quiet=True))
    print(
        json.dumps(
            {
                **funnel,
                "build_s": round(built, 1),
                "verified": found.runs,
                "problems": [problem.to_json() for problem in found.problems],
            }
        )
    )
    return 1 if found.problems else 0


if __name__ == "__main__":
    sys.exit(main())
