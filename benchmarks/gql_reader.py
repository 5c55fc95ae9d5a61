"""How GQL texts of ours are read back: the share that is equal, and texts a second.

    python -m benchmarks.gql_reader QUERIES.jsonl SCHEMAS.jsonl [--language gql|gql-neo4j]

QUERIES has lines {"cypher", "database", "syntax_error"}, SCHEMAS lines {"database",
"structured_schema"}. Every distinct text without the flag is written as GQL, read, compared with
what it was made of in canonical IR, and written again. Exits with 1 where a text comes back as
another.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path

from benchmarks.random_graphs import read_schemas, schema_of
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryTextError, Refused
from translators.gql.reader.proof import is_equal
from translators.language import Origin, reader
from translators.render import render


def main() -> int:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("queries", type=Path)
    arguments.add_argument("schemas", type=Path)
    arguments.add_argument("--language", default="gql")
    options = arguments.parse_args()
    language: str = options.language
    schemas = {n: schema_of(n, given) for n, given in read_schemas(options.schemas).items()}
    readers = {n: reader(language, Origin(schema=schema)) for n, schema in schemas.items()}
    texts: dict[tuple[str, str], None] = {}
    for line in options.queries.read_text("utf-8").splitlines():
        record = json.loads(line)
        if not record.get("syntax_error"):
            texts[record["database"], record["cypher"]] = None
    outcomes: Counter[str] = Counter()
    spent = 0.0
    for database, query in texts:
        schema = schemas[database]
        try:
            statement = parse(query)
            text = render(statement, language, schema).text
        except (QueryTextError, Refused):
            outcomes["not said"] += 1
            continue
        start = time.process_time()
        again = readers[database](text)
        spent += time.process_time() - start
        same = render(again, language, schema).text == text
        outcomes["the same text" if same else "another text"] += 1
        equal = is_equal(statement, again, schema)
        outcomes["equal in canonical IR" if equal else "another canonical IR"] += 1
    read = outcomes["the same text"] + outcomes["another text"]
    print(dict(outcomes), f"{read / spent:.0f} texts a second of processor time")
    return int(outcomes["another text"] > 0)


if __name__ == "__main__":
    raise SystemExit(main())
