"""The hand-written texts of the movies' questions as predictions for the corpus built of them.

    graphmill build example:movies --out CORPUS
    python benchmarks/movies.py CORPUS

Prints EX, EX on the small graphs, GAM and EM of Cypher, Gremlin and SPARQL (AT-27): the corpus's
own texts in the last two are translations of the Cypher, so EX is 100 % and the others tell how
far native texts are from them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

import graphmill as gm  # noqa: E402
from graphmill.files import example, read_records  # noqa: E402
from graphmill.record import SPLITS  # noqa: E402
from pipelines.release.folder import split_file  # noqa: E402

LANGUAGES = ("cypher", "gremlin", "sparql")


def main() -> None:
    """Print a line a language."""
    corpus = Path(sys.argv[1])
    source = example("movies").with_name("questions.jsonl").read_text(encoding="utf-8")
    pairs = {pair["question"]: pair for pair in map(json.loads, source.splitlines())}
    files = [path for path in (split_file(corpus, split) for split in SPLITS) if path.is_file()]
    records = [record for path in files for _, record in read_records(path)]
    lines = [
        {"id": record.id, "queries": {name: pair[name] for name in LANGUAGES}}
        for record in records
        for pair in [pairs[record.questions.original]]
    ]
    figures = gm.evaluate(corpus, lines, out=Path(sys.argv[2]) if len(sys.argv) > 2 else None)
    for name in LANGUAGES:
        own = figures["languages"][name]
        shares = {"EX": own["ex"], "suite": own["suite_ex"], "GAM": own["gam"]["mean"]}
        text = ", ".join(f"{what} {share:.1%}" for what, share in shares.items())
        sys.stdout.write(f"{name}: n {own['n']}, {text}, EM {own['em_text']['mean']:.1%}\n")


if __name__ == "__main__":
    main()
