"""How much of a file of Cypher can be said in SPARQL, whether both parsers take it, how fast.

    python -m benchmarks.sparql_emission QUERIES.jsonl SCHEMAS.jsonl [--show 10]

Files as for `agreement`. Each distinct text without `syntax_error` is rendered with its schema and
without one. Prints shares, codes of refusals, and texts that a parser refuses; exits with 1 when
there is one.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

from benchmarks.agreement import _texts
from benchmarks.random_graphs import read_schemas, schema_of
from engines.judges.sparql import SparqlJudge
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryTextError, Refused
from translators.render import render


def main() -> int:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("queries", type=Path)
    arguments.add_argument("schemas", type=Path)
    arguments.add_argument("--show", type=int, default=10)
    options = arguments.parse_args()
    schemas = {
        name: schema_of(name, found) for name, found in read_schemas(options.schemas).items()
    }
    statements = []
    for database, text in _texts(options.queries, []):
        try:
            statements.append((schemas[database], parse(text)))
        except QueryTextError:
            continue
    texts: list[str] = []
    for with_schema in (True, False):
        codes: Counter[str] = Counter()
        said, start = [], time.process_time()
        for schema, statement in statements:
            try:
                said.append(render(statement, "sparql", schema if with_schema else None).text)
            except Refused as problem:
                codes[f"{problem.code} {problem.construct}"] += 1
            except QueryTextError as problem:
                codes[f"not valid: {problem.code}"] += 1
        spent = time.process_time() - start
        texts += said
        print(f"{'with' if with_schema else 'without'} schema: {len(said)} of {len(statements)}")
        print(f"  {len(said) / len(statements):.1%}, {len(statements) / spent:,.0f} texts/s")
        for code, count in codes.most_common(options.show):
            print(f"  {count:5} {code}")
    with SparqlJudge() as judge:
        found = [(judge.run(text, language="sparql", timeout=10).rows, text) for text in texts]
    refused = [(rows, text) for rows, text in found if rows]
    parsers = "both parsers" if judge._java is not None else "Oxigraph's parser"
    print(f"accepted by {parsers}: {len(texts) - len(refused)} of {len(texts)}")
    for rows, text in refused[: options.show]:
        print(rows, text)
    return int(bool(refused))


if __name__ == "__main__":
    sys.exit(main())
