"""Aggregates, and every option of the clauses, as templates of whole statements.

`LABEL` in a template stands for a label whose nodes have an `id` and a value `v`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qa.conformance.combinations import COMBINATIONS

AGGREGATES: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "count": (("count(a)", "count(DISTINCT a)"), ("*",)),
    "collect": (("collect(a)", "collect(DISTINCT a)", "collect(a)[0..2]"), ("*",)),
    "min": (("min(a)", "min(DISTINCT a)"), ("*",)),
    "max": (("max(a)", "max(DISTINCT a)"), ("*",)),
    "sum": (("sum(a)", "sum(DISTINCT a)"), ("Small", "Whole", "Real", "Span")),
    "avg": (("avg(a)", "avg(DISTINCT a)"), ("Small", "Whole", "Real", "Span")),
    "stDev": (("stDev(a)", "stDev(DISTINCT a)"), ("Small", "Whole", "Real")),
    "stDevP": (("stDevP(a)", "stDevP(DISTINCT a)"), ("Small", "Whole", "Real")),
    "percentileCont": (
        (
            *("percentileCont(a, 0.5)", "percentileCont(a, 0.9)", "percentileCont(DISTINCT a, 1)"),
            *("percentileCont(a, 0.5) / 2", "percentileCont(a, 0) / 2"),
        ),
        ("Small", "Whole", "Real"),
    ),
    "percentileDisc": (
        ("percentileDisc(a, 0.5)", "percentileDisc(a, 0)", "percentileDisc(DISTINCT a, 0.3)"),
        ("Small", "Whole", "Real"),
    ),
}
"""What is asked of each aggregate, over which pools; `*` is every pool of scalars and lists."""

ANY_POOL = (
    *("Text", "Whole", "Real", "Flag", "Day", "Clock", "ZonedClock", "Moment", "Instant", "Span"),
    *("Texts", "Wholes", "List", "Map"),
)

CLAUSES: Mapping[str, tuple[str, ...]] = {
    "ORDER BY": (
        "MATCH (n:LABEL) RETURN n.v AS v ORDER BY v",
        "MATCH (n:LABEL) RETURN n.v AS v ORDER BY v DESC",
        "MATCH (n:LABEL) RETURN n.id AS id ORDER BY n.v, n.id",
        "MATCH (n:LABEL) RETURN n.id AS id ORDER BY n.v DESC, id DESC",
        "MATCH (n:LABEL) RETURN n.v AS v, n.id AS id ORDER BY v IS NULL, v, id LIMIT 5",
        "MATCH (n:LABEL) RETURN n AS n ORDER BY n.v, n.id LIMIT 3",
        "MATCH (n:LABEL) WITH n.v AS v ORDER BY v RETURN collect(v) AS r",
        "MATCH (n:LABEL) WITH n.v AS v, n.id AS id ORDER BY v DESC, id RETURN collect(id) AS r",
        "MATCH (n:LABEL) RETURN count(*) AS c, n.v AS v ORDER BY c DESC, v",
    ),
    "SKIP LIMIT": (
        "MATCH (n:LABEL) RETURN n.v AS v ORDER BY v SKIP 3 LIMIT 4",
        "MATCH (n:LABEL) RETURN n.v AS v ORDER BY v DESC LIMIT 0",
        "MATCH (n:LABEL) RETURN n.v AS v ORDER BY v SKIP 1000",
        "MATCH (n:LABEL) WITH n.v AS v ORDER BY v LIMIT 3 RETURN v ORDER BY v DESC",
        "MATCH (n:LABEL) WITH n.v AS v ORDER BY v LIMIT 3 RETURN count(v) AS c",
        "MATCH (n:LABEL) WITH n ORDER BY n.v DESC, n.id SKIP 2 LIMIT 3 RETURN n.id AS id",
        "MATCH (n:LABEL) WITH n.v AS v, n.id AS id ORDER BY v, id LIMIT 9 WITH v, id ORDER BY id "
        "SKIP 2 LIMIT 3 RETURN v, id ORDER BY id",
        "MATCH (n:LABEL) WITH n.v AS v ORDER BY v LIMIT 3 WHERE v IS NOT NULL RETURN v ORDER BY v",
        "MATCH (n:LABEL) WITH n.v AS v ORDER BY v LIMIT 3 WITH DISTINCT v RETURN v ORDER BY v",
        "MATCH (n:LABEL) WITH n ORDER BY n.id LIMIT 4 MATCH (m:LABEL) WHERE m.v = n.v "
        "RETURN n.id AS a, m.id AS b",
        "MATCH (n:LABEL) WITH n ORDER BY n.id LIMIT 1 + 2 RETURN n.v AS v",
        "MATCH (n:LABEL) WITH n SKIP 1 LIMIT 2 RETURN count(n) AS c",
    ),
    "DISTINCT": (
        "MATCH (n:LABEL) RETURN DISTINCT n.v AS v",
        "MATCH (n:LABEL) RETURN DISTINCT n.v AS v ORDER BY v LIMIT 3",
        "MATCH (n:LABEL) RETURN DISTINCT n.v IS NULL AS v, n.id % 2 AS m",
        "MATCH (n:LABEL) WITH DISTINCT n.v AS v RETURN count(*) AS c",
        "MATCH (n:LABEL), (m:LABEL) WHERE m.id < 3 RETURN DISTINCT n.v AS v",
        "MATCH (n:LABEL) RETURN DISTINCT [n.v] AS v",
        "MATCH (n:LABEL) RETURN DISTINCT {k: n.v} AS v",
    ),
    "group": (
        "MATCH (n:LABEL) RETURN n.v AS v, count(*) AS c",
        "MATCH (n:LABEL) RETURN n.v AS v, collect(n.id) AS ids",
        "MATCH (n:LABEL), (m:LABEL) WHERE m.id < 3 RETURN n.v AS v, count(m) AS c, sum(m.id) AS s",
        "MATCH (n:LABEL) WITH n.v AS v, count(*) AS c WHERE c > 1 RETURN v, c",
        "MATCH (n:LABEL) RETURN n.id % 3 AS g, count(n.v) AS c, count(DISTINCT n.v) AS d",
        "MATCH (n:LABEL) RETURN [n.v] AS v, count(*) AS c",
        "MATCH (n:LABEL) RETURN n.v = n.v AS v, count(*) AS c",
        "MATCH (n:LABEL) RETURN n.id % 3 AS g, min(n.v) AS low, max(n.v) AS high",
        "MATCH (n:LABEL) RETURN count(*) AS c, count(n.v) AS v, collect(n.v) AS l",
        "MATCH (n:LABEL) WHERE n.id < 0 RETURN count(*) AS c, max(n.v) AS m, collect(n.v) AS l",
        "MATCH (n:LABEL) WHERE n.id < 0 RETURN n.v AS v, count(*) AS c",
        "MATCH (n:LABEL) WITH n ORDER BY n.id DESC "
        "RETURN n.id % 3 AS g, collect(DISTINCT n.v) AS l",
    ),
    "join": (
        "MATCH (a:LABEL), (b:LABEL) WHERE a.v = b.v RETURN a.id AS a, b.id AS b",
        "MATCH (a:LABEL), (b:LABEL) WHERE a.v <> b.v AND a.id < 5 RETURN a.id AS a, b.id AS b",
        "MATCH (a:LABEL) MATCH (b:LABEL {v: a.v}) RETURN a.id AS a, b.id AS b",
        "MATCH (a:LABEL) WITH collect(a.v) AS l MATCH (b:LABEL) WHERE b.v IN l RETURN b.id AS b",
        "MATCH (a:LABEL) WITH a.v AS v MATCH (b:LABEL) WHERE b.v = v RETURN count(*) AS c",
        "MATCH (a:LABEL) WHERE a.v IN [a.v] RETURN a.id AS a",
        "MATCH (a:LABEL) WHERE NOT a.v IN [a.v] RETURN a.id AS a",
        "MATCH (a:LABEL) WHERE NOT (a.v = a.v) OR a.v IS NULL RETURN a.id AS a",
    ),
    "OPTIONAL MATCH": (
        "MATCH (a:LABEL) OPTIONAL MATCH (b:LABEL) WHERE b.v = a.v AND b.id <> a.id "
        "RETURN a.id AS a, b.id AS b",
        "MATCH (a:LABEL) WHERE a.id < 4 OPTIONAL MATCH (b:LABEL {v: a.v}) "
        "RETURN a.id AS a, b.v AS b",
        "OPTIONAL MATCH (a:LABEL) WHERE a.id < 0 RETURN a.v AS v, a IS NULL AS n",
        "OPTIONAL MATCH (a:LABEL) WHERE a.id < 0 RETURN count(a) AS c, count(*) AS d",
        "MATCH (a:LABEL) OPTIONAL MATCH (a)-[:NEXT]->(b) RETURN a.id AS a, b.id AS b, b.v = a.v "
        "AS s",
    ),
    "UNION": (
        "MATCH (a:LABEL) RETURN a.v AS v UNION MATCH (b:LABEL) RETURN b.v AS v",
        "MATCH (a:LABEL) RETURN a.v AS v UNION ALL MATCH (b:LABEL) RETURN b.v AS v",
        "MATCH (a:LABEL) RETURN a.v AS v, a.id AS i UNION MATCH (b:LABEL) RETURN b.id AS i, "
        "b.v AS v",
        "MATCH (a:LABEL) RETURN a.v AS v, 1 AS i UNION ALL MATCH (b:LABEL) RETURN 2 AS i, b.v AS v",
        "MATCH (a:LABEL) RETURN a.v AS v ORDER BY v LIMIT 2 UNION MATCH (b:LABEL) RETURN b.v AS v "
        "ORDER BY v DESC LIMIT 2",
        "MATCH (a:LABEL) RETURN a.v AS v UNION RETURN null AS v UNION RETURN 1 AS v",
        "CALL () { MATCH (a:LABEL) RETURN a.v AS v UNION MATCH (b:LABEL) RETURN b.v AS v } "
        "RETURN count(v) AS c",
    ),
    "subquery": (
        "MATCH (a:LABEL) WHERE EXISTS { MATCH (b:LABEL) WHERE b.v = a.v AND b.id <> a.id } "
        "RETURN a.id AS a",
        "MATCH (a:LABEL) RETURN a.id AS a, COUNT { MATCH (b:LABEL) WHERE b.v = a.v } AS c",
        "MATCH (a:LABEL) RETURN a.id AS a, COLLECT { MATCH (b:LABEL) WHERE b.v = a.v RETURN b.id "
        "ORDER BY b.id } AS c",
        "MATCH (a:LABEL) RETURN a.id AS a, COUNT { MATCH (b:LABEL) WHERE a.v IS NULL } AS c",
        "MATCH (a:LABEL) WHERE NOT EXISTS { MATCH (b:LABEL) WHERE b.v = a.v OR a.v IS NULL } "
        "RETURN a.id AS a",
        "MATCH (a:LABEL) WITH a.v AS v RETURN v, COUNT { MATCH (b:LABEL) WHERE b.v = v } AS c",
        "MATCH (a:LABEL) CALL (a) { MATCH (b:LABEL) WHERE b.v = a.v RETURN count(b) AS c } "
        "RETURN a.id AS a, c",
        "MATCH (a:LABEL) CALL (a) { WITH a.v AS v RETURN [v, v] AS l } RETURN a.id AS a, l",
        "MATCH (a:LABEL) WHERE NOT EXISTS { MATCH (b:LABEL) WHERE b.v > a.v } RETURN a.id AS a",
        "CALL () { MATCH (a:LABEL) RETURN a.v AS v ORDER BY a.v, a.id LIMIT 3 } RETURN v",
    ),
    "UNWIND": (
        "MATCH (a:LABEL) WITH collect(a) AS l UNWIND l AS x WITH x MATCH (x) RETURN x.v AS v",
        "MATCH (a:LABEL) WITH collect(a.v) AS l UNWIND l AS x RETURN x",
        "MATCH (a:LABEL) WITH collect(a.v) AS l UNWIND l AS x RETURN x ORDER BY x DESC LIMIT 3",
        "MATCH (a:LABEL) UNWIND [a.v, null] AS x RETURN a.id AS a, x",
        "MATCH (a:LABEL) UNWIND a.v AS x RETURN a.id AS a, x",
        "MATCH (a:LABEL) WITH a.v AS v UNWIND [1, 2] AS x RETURN v, x",
        "MATCH (a:LABEL) WITH collect(a.v) AS l RETURN size(l) AS s, l[0] IS NULL AS e",
    ),
    "WHERE": (
        "MATCH (a:LABEL) WHERE a.v = a.v RETURN a.id AS a",
        "MATCH (a:LABEL) WHERE a.v <= a.v RETURN a.id AS a",
        "MATCH (a:LABEL) WHERE a.v IS NULL OR a.id < 3 RETURN a.id AS a",
        "MATCH (a:LABEL {v: null}) RETURN a.id AS a",
        "MATCH (a:LABEL) WITH a.v AS v, a.id AS i WHERE v = v RETURN i",
        "MATCH (a:LABEL) WHERE CASE WHEN a.v IS NULL THEN true ELSE false END RETURN a.id AS a",
        "MATCH (a:LABEL) WHERE a.nothing = a.v RETURN a.id AS a",
        "MATCH (a) WHERE a:LABEL AND a.id < 3 RETURN a.v AS v",
        "MATCH (a:LABEL&!Nothing) WHERE a.id < 3 RETURN a.v AS v",
        "MATCH (a:LABEL|Flag) WHERE a.id < 3 RETURN a.id AS i, a:LABEL AS l",
    ),
    "element": (
        "MATCH (a:LABEL) WHERE a.id < 3 RETURN a AS a",
        "MATCH (a:LABEL) WHERE a.id < 3 RETURN properties(a) AS p, keys(a) AS k, labels(a) AS l",
        "MATCH (a:LABEL) RETURN a {.id, .v} AS m",
        "MATCH (a:LABEL) RETURN a {.*, w: a.v} AS m",
        "MATCH (a:LABEL) WITH a AS b WHERE b.id < 3 RETURN b.v AS v, b = b AS s",
        "MATCH (a:LABEL) WHERE a.id < 3 RETURN a['v'] AS v",
    ),
    "path": (
        "MATCH p = (a:Whole)-[:NEXT*1..3]->(b) WHERE a.id = 0 RETURN length(p) AS l, b.id AS b",
        "MATCH p = (a:Whole)-[:NEXT*0..2]-(b) WHERE a.id = 3 RETURN [n IN nodes(p) | n.id] AS l",
        "MATCH (a:Whole {id: 0})-[e:NEXT*2]->(b) RETURN size(e) AS s, b.v AS v",
        "MATCH p = shortestPath((a:Whole {id: 0})-[:NEXT*]->(b:Whole {id: 4})) "
        "RETURN length(p) AS l",
        "MATCH p = ANY SHORTEST (a:Whole {id: 0})-[:NEXT]->+(b:Whole {id: 4}) "
        "RETURN length(p) AS l",
        "MATCH (a:Whole {id: 0}) ((x)-[:NEXT]->(y)){1,3} (b) RETURN b.id AS b",
        "MATCH p = (a:Whole {id: 2})--(b) RETURN b.id AS b, length(p) AS l",
        "MATCH (a:Whole)<-[e]-(b) RETURN a.id AS a, type(e) AS t, startNode(e) = b AS s",
        "MATCH (a:Whole)-[:NEXT]->(b) RETURN [(a)-->(c) | c.id] AS l, a.id AS a",
        "MATCH (a:Whole) WHERE (a)-[:NEXT]->() RETURN a.id AS a",
        "MATCH (a:Whole) RETURN a.id AS a, COUNT { (a)--() } AS c",
        "MATCH p = (a:Whole {id: 1})-->(b) RETURN p AS p",
        "MATCH REPEATABLE ELEMENTS (a:Whole {id: 2})-[:NEXT]-{1,3}(b) RETURN b.id AS b",
        "MATCH (a:%) WHERE a.id = 0 RETURN labels(a) AS l, a.id AS a",
        "MATCH (a:!%) RETURN count(a) AS c",
        "MATCH (a:Whole {id: 0}), (b:Whole {id: 3}) "
        "RETURN length(shortestPath((a)-[:NEXT*]->(b))) AS l",
        "MATCH p = allShortestPaths((a:Whole {id: 0})-[:NEXT*]-(b:Whole {id: 4})) "
        "RETURN length(p) AS l",
        "MATCH p = ALL SHORTEST (a:Whole {id: 0})-[:NEXT]->+(b:Whole {id: 4}) "
        "RETURN length(p) AS l",
        "MATCH p = SHORTEST 2 (a:Whole {id: 0})-[:NEXT]->+(b:Whole {id: 4}) RETURN length(p) AS l",
        "MATCH p = SHORTEST 2 GROUPS (a:Whole {id: 0})-[:NEXT]->+(b:Whole) WHERE b.id < 3 "
        "RETURN length(p) AS l, b.id AS b",
        "MATCH p = ANY (a:Whole {id: 0})-[:NEXT]->+(b:Whole {id: 4}) RETURN length(p) AS l",
        "MATCH (a:Whole {id: 0})-[e*1..3]-(b) RETURN b.id AS b, size(e) AS s",
        "MATCH (a:Whole {id: 0})-[e:NEXT*0..1]->(b) RETURN b.id AS b, [x IN e | type(x)] AS t",
        "MATCH (a:Whole)-->(b)-->(c) WHERE a.id < 3 RETURN a.id AS a, c.id AS c",
        "MATCH (a:Whole)--(b)--(c) WHERE a.id < 3 RETURN a.id AS a, c.id AS c",
        "MATCH (a:Whole)--(b) MATCH (b)--(c) WHERE a.id < 3 RETURN a.id AS a, c.id AS c",
        "MATCH (a:Whole)-[e]->(b) WHERE a.v < b.v RETURN a.id AS a, b.v - a.v AS d",
        "MATCH (a:Whole)-[:NEXT]->(b) WITH a, collect(b.v) AS l WHERE size(l) > 0 "
        "RETURN a.id AS a, l",
        "OPTIONAL MATCH p = (a:Text)-[:NEXT]->(b) RETURN p AS p, length(p) AS l, nodes(p) AS n",
    ),
}
"""Templates by the name of what they are about."""

LABELS = (
    *("Text", "Whole", "Real", "Flag", "Day", "Clock", "ZonedClock", "Moment", "Instant", "Span"),
    *("Texts", "Wholes", "Small", "TextOrWhole", "WholeOrReal", "TextOrFlag", "DayOrText"),
)


def statements() -> Iterator[tuple[str, str, str, str]]:
    """Every clause: its name, the label, the template and the statement."""
    for name, templates in CLAUSES.items():
        for template in templates:
            for label in LABELS if "LABEL" in template else ("",):
                yield name, label, template, template.replace("LABEL", label)
    for family, texts in COMBINATIONS.items():
        for text in texts:
            yield "together", family, text, text
