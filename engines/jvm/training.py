"""Neo4j doing what it usually does, so that its classes can be archived (`engines.jvm.archive`).

    python -m engines.jvm.training FILE

starts a local Neo4j, loads a few nodes and asks them; FILE then tells Java which classes that took.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import traceback
from contextlib import suppress
from pathlib import Path

from engines.bolt import PATIENCE, Bolt
from engines.jvm.neo4j import Local
from graphmill.errors import QueryError
from graphmill.files import write_text
from schemagraph.folder.serde import save_schema
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type

NODE = NodeType(
    ("A", "B"),
    (
        Property("i", Type(Kind.INTEGER)),
        Property("s", Type(Kind.STRING)),
        Property("x", Type(Kind.FLOAT)),
        Property("d", Type(Kind.DATE)),
    ),
    ("i",),
)
SCHEMA = SchemaGraph(
    "training",
    (NODE,),
    (EdgeType("R", NODE.name, NODE.name, (Property("w", Type(Kind.INTEGER)),)),),
)
ROWS = {
    NODE.name: [[i, str(i), i / 2, "2020-01-01"] for i in range(4)],
    SCHEMA.edges[0].name: [[0, 3, 0], [1, 2, 1], [2, 1, 2], [3, 0, 3], [0, 2, 4]],
}
# One text for each kind of clause, pattern and expression that plans differ by.
READS = (
    "MATCH (a:A) WHERE a.i > 1 AND a.s = '2' RETURN DISTINCT a.s AS s ORDER BY s DESC LIMIT 2",
    "MATCH (a:A)-[r:R]->(b:A)-[:R]-(c:B) WHERE r.w >= 1 AND NOT a.s IN ['7', '8'] "
    "RETURN a.s AS s, count(*) AS n, avg(r.w) AS m, collect(DISTINCT b.i) AS l ORDER BY n DESC, s",
    "MATCH (a:A {i: 1}) OPTIONAL MATCH (a)<-[r:R]-(b) RETURN a.i AS i, count(b) AS n, a, r",
    "MATCH (a:A) WITH a.i % 2 AS k, max(a.x) AS m WHERE m > 0 MATCH (b:A) WHERE b.x < m "
    "RETURN k, sum(b.i) AS n, min(b.d) AS d",
    "MATCH (a:A) WITH avg(a.x) AS m MATCH (b:A) WHERE b.x > m RETURN b.s AS s",
    "MATCH (a:A), (b:A) WHERE a.i < b.i AND EXISTS { (a)-[:R]->(:B {i: 2}) } RETURN a.i, b.i",
    "MATCH (a:A) WHERE NOT EXISTS { MATCH (a)-[:R]->(b) WHERE b.d >= date('2019-01-01') } "
    "RETURN a.i AS i, COUNT { (a)--() } AS n",
    "MATCH p = (a:A {i: 0})-[:R*1..2]-(b:A) RETURN DISTINCT b.s AS s, length(p) AS n",
    "MATCH (a:A {i: 0})-[:R]->{1,2}(b:A) RETURN count(DISTINCT b) AS n",
    "MATCH p = ANY SHORTEST (a:A {i: 0})-[:R]-+(b:A {i: 3}) RETURN length(p) AS n",
    "MATCH (a:A) RETURN a.s AS s UNION MATCH (b:B) RETURN b.s AS s",
    "MATCH (a:A) CALL (a) { MATCH (a)-[r:R]->(b) RETURN b.i AS i ORDER BY r.w DESC LIMIT 1 } "
    "RETURN a.i AS a, CASE WHEN i > 1 THEN 'x' ELSE toLower(a.s) END AS c",
    "MATCH (a:A) UNWIND [1, null, 2.5] AS v RETURN v, coalesce(a.s, '') + 'x' AS s, a.d.year AS y",
    "MATCH (a:A) WHERE a.s STARTS WITH '1' OR a.s CONTAINS '2' OR a.s IS NULL RETURN count(a) AS n",
    "MATCH (a:A)-[:R]->(b:B) WITH a, count(b) AS n WHERE n > 0 RETURN a.s, n ORDER BY n DESC",
    "MATCH (a:A) WITH a.i % 2 AS k, a ORDER BY a.x DESC WITH k, collect(a)[0] AS top "
    "RETURN k, top.s AS s, top.x AS x",
    "MATCH (a:A) RETURN toFloat(sum(CASE WHEN a.i > 1 THEN 1 ELSE 0 END)) / count(*) AS share, "
    "stDev(a.x) AS d, size(collect(a.s)) AS n",
    "MATCH (a:A) WHERE a.d >= date('2019-12-31') AND a.d < date('2020-02-01') + duration('P1D') "
    "RETURN a.d.month AS m, [x IN collect(a.i) WHERE x > 0 | x * 2] AS l",
    "MATCH (a:A) WHERE NOT (a)-[:R]->(:B {i: 9}) AND any(x IN [1, 2] WHERE x = a.i) RETURN a.s",
    "MATCH (a:A)-[r:R]->(b:A)<-[q:R]-(c:A) WHERE a <> c AND r.w <> q.w RETURN DISTINCT c.s AS s",
)
GQL = (
    "MATCH (a:A) LET k = a.i % 2 RETURN k, count(*) AS n GROUP BY k NEXT FILTER n > 1 RETURN k",
    "MATCH (a:A) FILTER a.i > 1 RETURN a.s AS s ORDER BY s LIMIT 2",
    "MATCH TRAIL (a:A)-[:R]-{1,2}(b:A) WHERE a.i = 0 RETURN count(DISTINCT b) AS n",
)
WRONG = ("MATCH (a:A RETURN a", "RETURN b")


def train(recorded: Path) -> None:
    """Start, load, ask, and end Java in order, which writes `recorded`."""
    bolt = Bolt(Local(recorded).start())
    with tempfile.TemporaryDirectory() as folder:
        save_schema(Path(folder), SCHEMA)
        rows = Path(folder, "instances", "rows.json")
        write_text(rows, json.dumps(ROWS))
        bolt.load(rows, SCHEMA)
    for text in (*READS, *(f"CYPHER 25 {text}" for text in (*READS, *GQL)), *WRONG):
        with suppress(QueryError):
            bolt.run(text, PATIENCE)
    bolt.close()


if __name__ == "__main__":
    import jpype

    try:
        train(Path(sys.argv[1]))
    except BaseException:  # noqa: BLE001 - whatever it is, it is told
        traceback.print_exc()
        os._exit(1)  # Java's threads would keep this process
    jpype.java.lang.System.exit(0)
