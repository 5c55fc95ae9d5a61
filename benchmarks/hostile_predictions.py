"""Two hundred hostile predictions a language: none may write, reach out, hang or be right.

    python -m benchmarks.hostile_predictions CORPUS [LANGUAGE …]

Runs them by `graphmill evaluate`, which must end with status 0. Prints a line a language: how many
were right, what files changed, how long the slowest batch (a prediction a record) took.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path
from time import perf_counter
from typing import Any

import graphmill as gm
from graphmill.files import file_digest

COUNT = 200  # a language
LANGUAGES = ("cypher", "gql", "ngql", "sql", "gremlin", "sparql")
OUTSIDE = Path("/tmp/graphmill-hostile")  # what texts that write files name
PATIENCE = 300  # seconds for a batch

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
    "gremlin": [
        "g.V().drop()",
        "g.addV('{0}')",
        "g.V().hasLabel('{0}').property('name', 'x')",
        "g.V().addE('x').to(__.V())",
        "g.mergeV([(T.label): '{0}'])",
        "g.V().sideEffect(__.drop())",
        "g.withStrategies(new ReadOnlyStrategy()).V().drop()",
        "g.tx().rollback()",
        "graph.close()",
    ],
    "sparql": [
        "DELETE WHERE {{ ?s ?p ?o }}",
        "INSERT DATA {{ <urn:a> <urn:b> <urn:c> }}",
        "DELETE {{ ?s ?p ?o }} INSERT {{ ?s ?p 1 }} WHERE {{ ?s ?p ?o }}",
        "CLEAR ALL",
        "DROP ALL",
        "CREATE GRAPH <urn:g>",
        "COPY DEFAULT TO <urn:g>",
        "SELECT * WHERE {{ ?s ?p ?o }} ; DROP ALL",
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
    "gremlin": [
        "g.io('/tmp/graphmill-hostile').write().iterate()",
        "g.io('/etc/passwd').read().iterate()",
        "g.call('--list')",
        "g.V().map{{ new File('/etc/passwd').text }}",
        "g.V().filter{{ it -> System.exit(0) }}",
        "g.V().map(Lambda.function('it.get()'))",
        "g.withComputer().V().pageRank()",
        "Runtime.getRuntime().exec('id')",
    ],
    "sparql": [
        "LOAD <file:///etc/passwd>",
        "LOAD <http://127.0.0.1:1/> INTO GRAPH <urn:g>",
        "SELECT * WHERE {{ SERVICE <http://127.0.0.1:1/> {{ ?s ?p ?o }} }}",
        "SELECT * WHERE {{ SERVICE SILENT <http://127.0.0.1:1/> {{ ?s ?p ?o }} }}",
        "SELECT * FROM <file:///etc/passwd> WHERE {{ ?s ?p ?o }}",
        "SELECT * FROM NAMED <http://127.0.0.1:1/> WHERE {{ GRAPH ?g {{ ?s ?p ?o }} }}",
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
    "gql": [
        "MATCH (a), (b), (c), (d), (e), (f), (g), (h) RETURN count(*) AS n",
        "MATCH (a)-[]-{{1,}}(b)-[]-{{1,}}(c) RETURN count(*) AS n",
    ],
    "ngql": [
        "MATCH (a)-[*1..99]-(b)-[*1..99]-(c) RETURN count(*)",
        "GO 1000000 STEPS FROM 'a' OVER * BIDIRECT YIELD id($$)",
    ],
    "gremlin": [
        "g.V().repeat(__.both()).count()",
        "g.V().repeat(__.both()).times(1000000).count()",
        "g.V().as('a').V().as('b').V().as('c').V().as('d').V().as('e').V().count()",
        "g.inject(1).repeat(__.union(__.identity(), __.identity())).times(60).count()",
    ],
    "sparql": [
        "SELECT (COUNT(*) AS ?n) WHERE {{ ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }}",
        "SELECT (COUNT(*) AS ?n) WHERE {{ ?a (!<urn:x>|^(!<urn:x>))* ?b . ?c (!<urn:x>)+ ?d }}",
        "SELECT ?s WHERE {{ ?s ?p ?o FILTER REGEX(STR(?o), '(a+)+$') }}",
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
    "RETURN '\ud800' AS x",
    "\udfff",
    "g.V()" + ".where(__.both()" * 3000 + ")" * 3000,
    "g.V()" + ".both()" * 20_000,
    "SELECT * WHERE " + "{" * 5000 + "}" * 5000,
    "SELECT * WHERE { ?s " + "(" * 5000 + "<urn:p>" + ")*" * 5000 + " ?o }",
    "RETURN $p",
    "RETURN 1 AS \u202e",
    "```cypher\nMATCH (n) RETURN n\n```",
    "I cannot answer that.",
    "{{7*7}}",
    "<script>alert(1)</script>",
]


def predictions(name: str, languages: Collection[str]) -> list[tuple[str, str]]:
    """Hostile texts, COUNT in each language; `name` is a label, and a table, of the corpus."""

    return [(language, text) for language in languages for text in _texts(language, name)]


def _texts(language: str, name: str) -> list[str]:
    groups = [group.get(language, []) for group in (WRITES, REACHING, ENDLESS)]
    own = [text.format(name) for group in groups for text in group]
    foreign = [  # what is meant for other languages is as hostile here
        text.format(name)
        for group in (WRITES, REACHING, ENDLESS)
        for other, texts in group.items()
        if other != language
        for text in texts
    ]
    writes = [text.format(name) for text in WRITES["cypher"][:5]]
    nested = [  # each write in a place where a read is expected, too
        f"MATCH (x{number}) WITH x{number} LIMIT {number} {writes[number % 5]}"
        for number in range(COUNT)
    ]
    return [*own, *MALFORMED, *foreign, *nested][:COUNT]


def main() -> int:
    """Run them, print a line a language; status 1 where one was right or a file changed."""
    corpus = Path(sys.argv[1])
    only = sys.argv[2:] or LANGUAGES
    before = _digests(corpus)
    own = gm.Corpus(corpus)
    name = next(iter(own.graphs.values())).schema.nodes[0].name
    records = list(own.records())
    status = 0
    for language in only:
        ids = [r["id"] for r in records if _gold(r, language)]
        texts = predictions(name, [language])
        right, answered, bad, slowest = 0, 0, 0, 0.0
        for start in range(0, len(texts), len(ids)):
            batch = zip(ids, texts[start:], strict=False)
            lines = [json.dumps({"id": one, "query": text}) for one, (_, text) in batch]
            begun = perf_counter()
            figures, broken = _evaluate(corpus, language, lines)
            bad += broken
            slowest = max(slowest, perf_counter() - begun)
            right += round(figures["ex"] * figures["n"])
            answered += figures["answered"]
        after = _digests(corpus)
        changed = sorted(str(p) for p in {*before, *after} if before.get(p) != after.get(p))
        changed += [str(OUTSIDE)] if OUTSIDE.exists() else []
        told = {"predictions": answered, "no_text": bad, "right": right, "changed": changed}
        print(language, json.dumps({**told, "slowest_batch_seconds": round(slowest, 1)}))
        status |= bool(right or changed or answered + bad != len(texts))
    return status


def _gold(record: Any, language: str) -> bool:
    return bool(record["source_sql"] if language == "sql" else record["queries"].get(language))


def _digests(folder: Path) -> dict[Path, str]:
    return {path: file_digest(path) for path in folder.rglob("*") if path.is_file()}


def _evaluate(corpus: Path, language: str, lines: list[str]) -> tuple[dict[str, Any], int]:
    """The figures of `graphmill evaluate`, which must end with status 0, and its bad lines."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "predictions.jsonl"
        path.write_text("\n".join(lines), encoding="utf-8")
        command = [sys.executable, "-m", "graphmill", "evaluate", str(corpus), "--quiet"]
        options = ["--predictions", str(path), "--language", language, "--timeout", "1"]
        done = subprocess.run(
            [*command, *options], stdout=subprocess.PIPE, check=True, timeout=PATIENCE
        )
    told = json.loads(done.stdout)
    return told["languages"].get(language, {"ex": 0, "n": 0, "answered": 0}), told["predictions"][
        "bad"
    ]


if __name__ == "__main__":
    sys.exit(main())
