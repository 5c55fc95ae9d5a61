"""Two hundred hostile predictions: none may write, reach out, hang or be right.

    .venv/bin/python benchmarks/hostile_predictions.py CORPUS

Prints how many were wrong, how long the slowest took, and whether a file of the corpus changed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from time import perf_counter

import graphmill as gm
from graphmill.files import file_digest

COUNT = 200

WRITES = {
    "cypher": [
        "CREATE (:{0})",
        "MATCH (n) DETACH DELETE n",
        "MATCH (n:{0}) SET n.x = 1 RETURN n",
        "MATCH (n:{0}) REMOVE n.name RETURN n",
        "MERGE (n:{0} {{id: 0}}) RETURN n",
        "MATCH (n:{0}) CALL {{ WITH n DELETE n }} RETURN 1",
        "FOREACH (x IN [1] | CREATE (:{0}))",
        "CREATE INDEX FOR (n:{0}) ON (n.name)",
        "DROP DATABASE neo4j",
    ],
    "gql": [
        "INSERT (:{0})",
        "MATCH (n:{0}) DETACH DELETE n",
        "MATCH (n:{0}) SET n.x = 1 RETURN n",
        "DROP GRAPH g",
        "SESSION CLOSE",
    ],
    "ngql": [
        "INSERT VERTEX {0}(name) VALUES 'a':('b')",
        "DELETE VERTEX 'a'",
        "DROP SPACE x",
        "UPDATE VERTEX ON {0} 'a' SET name = 'x'",
    ],
    "sql": [
        "DROP TABLE {0}",
        "DELETE FROM {0}",
        "INSERT INTO {0} VALUES (1)",
        "SELECT 1; DROP TABLE {0}",
        "ATTACH DATABASE '/tmp/graphmill-hostile' AS x",
        "PRAGMA writable_schema = 1",
        "VACUUM INTO '/tmp/graphmill-hostile'",
        "SELECT load_extension('/tmp/x')",
        "WITH x AS (DELETE FROM {0} RETURNING *) SELECT * FROM x",
        "SELECT writefile('/tmp/graphmill-hostile', 'x')",
    ],
}
REACHING = {
    "cypher": [
        "LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row",
        "LOAD CSV FROM 'http://127.0.0.1:1/' AS row RETURN row",
        "CALL apoc.load.json('http://127.0.0.1:1/') YIELD value RETURN value",
        "CALL apoc.export.csv.all('/tmp/graphmill-hostile', {{}})",
        "CALL apoc.cypher.runWrite('CREATE (:X)', {{}})",
        "CALL dbms.components()",
        "CALL db.labels()",
        "\\u004cOAD CSV FROM 'file:///etc/passwd' AS row RETURN row",
        "MATCH (n) RETURN n /* */ UNION LOAD CSV FROM 'x' AS n RETURN n",
    ],
    "gql": ["CALL apoc.load.json('http://127.0.0.1:1/') YIELD value RETURN value"],
    "ngql": ["SHOW HOSTS", "SUBMIT JOB BALANCE DATA"],
    "sql": [
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT readfile('/etc/passwd')",
        "SERVICE <http://127.0.0.1:1/> {{ ?s ?p ?o }}",
    ],
}
ENDLESS = {
    "cypher": [
        "MATCH p = (a)-[*]-(b)-[*]-(c) RETURN count(*)",
        "MATCH (a), (b), (c), (d), (e), (f), (g), (h) RETURN count(*)",
        "UNWIND range(1, 1000000000) AS x RETURN x",
        "UNWIND range(1, 100000) AS x UNWIND range(1, 100000) AS y RETURN sum(x * y)",
        "RETURN reduce(s = 'a', x IN range(1, 60) | s + s)",
        "MATCH p = allShortestPaths((a)-[*]-(b)) RETURN p",
        "MATCH (a) WHERE a.name =~ '(a+)+$' RETURN a",
    ],
    "sql": [
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t",
        "SELECT count(*) FROM {0} a, {0} b, {0} c, {0} d, {0} e, {0} f, {0} g, {0} h, {0} i",
        "SELECT hex(randomblob(1000000000))",
    ],
}
MALFORMED = [
    "",
    " ",
    "\x00",
    ";",
    "'",
    "`",
    "/*",
    "🛳" * 50,
    "(" * 5000,
    "RETURN " + "(" * 5000 + "1" + ")" * 5000,
    "RETURN " + "-" * 15_000 + "1",
    "RETURN [" + "1," * 500_000 + "1]",
    "x" * 1_000_000,
    "MATCH " + "(a)-->" * 3000 + "(b) RETURN 1",
    "RETURN $p",
    "RETURN 1 AS \u202e",
    "```cypher\nMATCH (n) RETURN n\n```",
    "I cannot answer that.",
    "{{7*7}}",
    "<script>alert(1)</script>",
]


def predictions(name: str) -> list[tuple[str, str]]:
    """Languages with hostile texts; `name` is a label, and a table, of the corpus."""

    def drawn() -> Iterator[tuple[str, str]]:
        for group in (WRITES, REACHING, ENDLESS):
            for language, texts in group.items():
                yield from ((language, text.format(name)) for text in texts)
        for text in MALFORMED:
            yield from ((language, text) for language in ("cypher", "gql", "ngql", "sql"))
        for number in range(COUNT):  # each write in a place where a read is expected, too
            text = WRITES["cypher"][number % 5].format(name)
            yield "cypher", f"MATCH (x{number}) WITH x{number} LIMIT {number} {text}"

    return list(islice(drawn(), COUNT))


def main() -> None:
    corpus = Path(sys.argv[1])
    before = {p: file_digest(p) for p in sorted(corpus.rglob("*")) if p.is_file()}
    own = gm.Corpus(corpus)
    records = [r for r in own.records() if r["source_sql"] and all(r["queries"].values())]
    name = next(iter(own.graphs.values())).schema.nodes[0].name
    right, slowest, number = 0, 0.0, 0
    texts = predictions(name)
    for start in range(0, len(texts), len(records)):
        lines = [
            {"id": record["id"], "query": text, "language": language}
            for record, (language, text) in zip(records, texts[start:], strict=False)
        ]
        begun = perf_counter()
        figures = gm.evaluate(corpus, lines, timeout=2.0, suites=False)
        slowest = max(slowest, perf_counter() - begun)
        for language in figures["languages"].values():
            right += round(language["ex"] * language["n"])
            number += language["answered"]
    changed = [str(p) for p, digest in before.items() if file_digest(p) != digest]
    result = {"predictions": number, "right": right, "changed": changed}
    print(json.dumps({**result, "slowest_batch_seconds": round(slowest, 1)}))


if __name__ == "__main__":
    main()
