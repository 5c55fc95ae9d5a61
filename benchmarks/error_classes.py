"""The classes of errors on mutants of known kind, over a corpus.

    .venv/bin/python -m benchmarks.error_classes CORPUS

Each mutant is classified as it is and with other variables and parts in another order.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from random import Random

from evaluation.metrics.difference import classify
from graph_ir.bind.statements import bind
from graph_ir.canonical import canonical, fingerprint
from graph_ir.cypher.reader import parse
from graphmill.files import read_records
from qa.mutation.mutants import mutants
from schemagraph.folder.serde import load_schema
from tests.evaluation.test_classes import CLASS_OF


def main() -> None:
    corpus = Path(sys.argv[1])
    whole: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for path in sorted((corpus / "data").glob("*.parquet")):
        for _, record in read_records(path):
            schema = load_schema(corpus / "graphs" / record.db)
            gold = bind(parse(record.queries["cypher"]), schema).statement
            for mutant in mutants(gold, schema, Random(1), cap=None):
                if fingerprint(mutant.statement) == fingerprint(gold):
                    continue
                for statement in (mutant.statement, canonical(mutant.statement)):
                    predicted = bind(statement, schema).statement
                    found = classify(gold, predicted, right=False, code="", parses=True)
                    expected = CLASS_OF[mutant.operator]
                    whole[expected] += 1
                    right[expected] += found.category == expected
    shares = {name: [right[name], whole[name]] for name in sorted(whole)}
    print(json.dumps({"right": right.total(), "of": whole.total(), "by class": shares}))


if __name__ == "__main__":
    main()
