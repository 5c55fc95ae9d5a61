"""Statements in which constructs meet: what each does alone says little about them together.

Written as an adversary of the translators would, family by family; the labels are those of
`qa.conformance.values.graph`, whose `LINK` edges have properties. AND and OR promise no order: of
`WHERE a.v <> 0 AND 10 / a.v > 1` Neo4j's planner may compute either side first, and raises or not
by its statistics. So statements here that guard a division do it by CASE or by an earlier WITH.
"""

from __future__ import annotations

from collections.abc import Mapping

_MIXED = "[1, '1', 1.0, true, null, [1], {a: 1}, date('2024-02-29'), 0.0/0.0, '']"
_NUMBERS = "[0.0/0.0, 1, 1.0, null, -0.0, 0, 0.0/0.0, 1.0/0.0, -1.0/0.0]"

COMBINATIONS: Mapping[str, tuple[str, ...]] = {
    "nested subqueries": (
        "MATCH (a:Whole) WHERE a.id < 4 RETURN a.id AS a, COUNT { MATCH (a)-[:NEXT]->(b) WHERE "
        "EXISTS { (b)-[:NEXT]->(c) WHERE c.id > a.id + 1 } } AS c",
        "MATCH (a:Whole) WHERE EXISTS { MATCH (a)-[:NEXT]->(b) WHERE NOT EXISTS { (b)-[:NEXT]->() "
        "} } RETURN a.id AS a",
        "MATCH (a:Small) WHERE a.id < 6 RETURN a.id AS a, COLLECT { MATCH (a)-[e:LINK]->(b) WHERE "
        "COUNT { (b)-[:LINK]->() } > 0 RETURN e.w ORDER BY e.w } AS l",
        "MATCH (a:Small) CALL (a) { MATCH (a)-[e:LINK]->() CALL (e) { RETURN e.w + 1 AS w } "
        "RETURN sum(w) AS s } RETURN a.id AS a, s",
        "MATCH (a:Small) WHERE a.id < 5 CALL (a) { OPTIONAL MATCH (a)-[e:LINK {s: 'x'}]->(b) "
        "RETURN count(b) AS c, max(e.w) AS m } RETURN a.id AS a, c, m",
        "MATCH (a:Small) RETURN a.id AS a, EXISTS { (a)-[e:LINK]->() WHERE e.w IS NULL } AS x, "
        "NOT EXISTS { (a)<-[:LINK]-() } AS y",
        "MATCH (a:Whole) WHERE COUNT { (a)-[:NEXT]->() } = COUNT { (a)<-[:NEXT]-() } AND a.id < 12 "
        "RETURN a.id AS a",
        "UNWIND [1, 2, null] AS x CALL (x) { MATCH (a:Small) WHERE a.id = x RETURN count(*) AS c } "
        "RETURN x, c",
        "UNWIND [2, 3] AS x RETURN x, COLLECT { UNWIND range(1, x) AS y WITH y ORDER BY y DESC "
        "RETURN y * x } AS l",
        "MATCH (a:Small) WHERE a.id < 3 RETURN a.id AS a, COUNT { MATCH (b:Small) WHERE b.v > a.v "
        "} AS c, COUNT { MATCH (b:Small) WHERE b.v = a.v OR a.v IS NULL } AS d",
    ),
    "counts of nothing": (
        "MATCH (a:Small) RETURN COUNT { (a)-[:LINK]->() } AS k, count(*) AS c",
        "MATCH (a:Small) RETURN DISTINCT COUNT { (a)-[:LINK]->() } AS k",
        "MATCH (a:Small) WITH COUNT { (a)-[:LINK]->() } AS k RETURN k, collect(k) AS l",
        "MATCH (a:Small) RETURN avg(COUNT { (a)-[:LINK]->() }) AS m, min(COUNT { (a)-[:LINK]->() "
        "}) AS n",
        "MATCH (a:Small) RETURN CASE WHEN COUNT { (a)-[:LINK]->() } = 0 THEN 'none' ELSE 'some' "
        "END AS k, count(*) AS c",
        "MATCH (a:Small) WITH a.id AS i, COUNT { (a)-[:LINK]->() } AS k WITH i, k WHERE k < 1 "
        "RETURN i, k",
        "MATCH (a:Small) WHERE coalesce(COUNT { (a)-[:LINK]->() } > 1, false) RETURN a.id AS a",
        "MATCH (a:Small)-[:LINK]->(b) WITH a, b WHERE coalesce(a.v > 1, false) RETURN a.id AS a",
    ),
    "nodes out of lists": (
        "MATCH (a:Small) WITH collect(a) AS l UNWIND l AS x MATCH (x)-[:LINK]->(y) "
        "RETURN x.id AS x, y.id AS y",
        "MATCH (a:Small) WITH collect(a) AS l UNWIND l AS x WITH x MATCH (x)-[:LINK]->(y) "
        "RETURN x.id AS x, y.id AS y",
        "MATCH (a:Small) WITH collect(a) AS l UNWIND l AS x WITH x WHERE EXISTS { (x)-[:LINK]->() "
        "} RETURN x.id AS x",
        "MATCH (a:Small) WITH collect(a) AS l UNWIND l AS x RETURN x.id AS x, COUNT { "
        "(x)-[:LINK]->() } AS k, EXISTS { (x)<-[:LINK]-() } AS e",
        "MATCH (a:Small) WITH collect(a) AS l RETURN [x IN l | COUNT { (x)-[:LINK]->() }] AS k",
        "MATCH (a:Small) WITH a, [1, 2] AS x RETURN a.id AS a, [x IN x WHERE x > 1 | x + a.id] "
        "AS l",
    ),
    "numbers that are divided": (
        "MATCH (a:Whole) WITH ceil(max(a.id)) AS m RETURN m / 4 AS q",
        "MATCH (a:Small) WITH percentileCont(a.id, 0.5) AS m RETURN m / 4 AS q",
        "UNWIND [1, 2, 4] AS x WITH percentileCont(x, 0.5) AS m RETURN m / 4 AS q",
        "UNWIND [1, 2.5] AS x RETURN ceil(x) / 2 AS c, floor(x) / 2 AS f, round(x) / 2 AS r",
        "MATCH (a:Real) WHERE a.id < 0 WITH sum(a.v) AS s RETURN (s + 1) / 2 AS h",
    ),
    "optional, aggregates and CASE": (
        "MATCH (a:Small) OPTIONAL MATCH (a)-[e:LINK]->(b) RETURN a.id AS a, count(e) AS n, "
        "CASE WHEN count(b) = 0 THEN 'none' ELSE toString(sum(e.w)) END AS s",
        "MATCH (a:Small) OPTIONAL MATCH (a)-[e:LINK]->(b) WHERE e.w > 1 WITH a, collect(e.w) AS l "
        "RETURN a.id AS a, CASE size(l) WHEN 0 THEN null ELSE l[0] > 1 END AS m",
        "OPTIONAL MATCH (a:Small {id: -5}) RETURN coalesce(a.v, 'no') AS v, CASE WHEN a IS NULL "
        "THEN 1 ELSE 2 END AS n, count(*) AS c",
        "MATCH (a:Small) OPTIONAL MATCH (a)-[e:LINK]->() WITH a.id % 2 AS g, e.w AS w RETURN g, "
        "min(w) AS low, max(w) AS high, avg(w) AS mean, count(DISTINCT w) AS d",
        "MATCH (a:Small) OPTIONAL MATCH (a)-[e:LINK]->(b)-[f:LINK]->(c) RETURN a.id AS a, "
        "count(c) AS c, sum(CASE WHEN f.w > e.w THEN 1 ELSE 0 END) AS up",
        "MATCH (a:Small) WHERE a.id < 6 OPTIONAL MATCH (a)-[e:LINK]->(b) OPTIONAL MATCH "
        "(b)-[f:LINK]->(c) WHERE c.id <> a.id RETURN a.id AS a, b.id AS b, c.id AS c",
        "MATCH (a:Text) WITH a.v AS v, CASE WHEN a.v =~ '[0-9]+' THEN toInteger(a.v) END AS n "
        "RETURN count(*) AS c, count(n) AS k, max(n) AS m",
        "UNWIND [1, 2, 3, null] AS x RETURN sum(CASE WHEN x > 1 THEN x END) AS s, "
        "collect(CASE WHEN x IS NULL THEN 'n' ELSE x END) AS l, avg(CASE x WHEN 2 THEN null "
        "ELSE x END) AS a",
        "MATCH (a:Small) OPTIONAL MATCH (a)-[e:LINK {s: a.v}]->() RETURN count(*) AS c, e IS NULL "
        "AS n",
        "UNWIND [] AS x RETURN count(*) AS c, sum(x) AS s, avg(x) AS a, collect(x) AS l, "
        "CASE WHEN max(x) IS NULL THEN 0 ELSE 1 END AS m",
    ),
    "integers that floats become": (
        "MATCH (a:Real) WHERE a.id < 0 WITH sum(a.v) AS s RETURN (s + 1) / 2 AS a, s / 2 AS b, "
        "s = 0 AS c",
        "MATCH (a:Real) WHERE a.id < 0 RETURN toString(sum(a.v)) AS a, [sum(a.v), 1] AS l",
        "MATCH (a:Real) WHERE a.id < 0 RETURN 5 / (2 + sum(a.v)) AS a",
        "MATCH (a:Real) WHERE a.id < 0 RETURN 5.0 / sum(a.v) AS a",
        "UNWIND [1, 2] AS n UNWIND [0.5, null] AS x WITH n, CASE n WHEN 1 THEN x END AS x "
        "WITH n, sum(x) AS s RETURN n, (s + 1) / 2 AS a",
        "UNWIND [10, 20, 30] AS v RETURN percentileCont(v, 0.5) / 3 AS a, "
        "percentileCont(v, 0.3) / 3 AS b, percentileCont(v, 1) / 7 AS c",
        "UNWIND [1, 1.0, 2] AS v RETURN sum(DISTINCT v) / 2 AS a, count(DISTINCT v) AS b, "
        "collect(DISTINCT v) AS c",
        "UNWIND [1, 2.0, 3] AS v RETURN max(v) / 2 AS a, min(v) / 2 AS b",
        "UNWIND [3, 2.0, 5] AS x WITH collect(x) AS l RETURN [y IN l | y / 2] AS a, "
        "reduce(s = 0, y IN l | s + y) / 2 AS b",
        "RETURN floor(5) / 2 AS a, ceil(5) / 2 AS b, round(5) / 2 AS c, abs(5) / 2 AS d, "
        "sign(5) / 2 AS e, sqrt(4) / 4 AS f",
        "RETURN round(1e300) AS a, round(-1e300) AS b",
    ),
    "the order of a WITH": (
        "MATCH (a:Small) WITH a ORDER BY a.id DESC RETURN a.id AS id LIMIT 2",
        "MATCH (a:Small) WITH a.id AS id ORDER BY id DESC RETURN id LIMIT 2",
        "MATCH (a:Small) WITH a.id % 3 AS k ORDER BY a.id DESC LIMIT 4 RETURN k LIMIT 2",
        "MATCH (a:Small) WITH a ORDER BY a.id DESC WITH a WHERE a.id > 2 RETURN a.id AS id LIMIT 2",
        "MATCH (a:Small) WITH a.id % 3 AS k, count(*) AS c ORDER BY k DESC RETURN k LIMIT 1",
        "MATCH (a:Small) WITH a ORDER BY a.id DESC LIMIT 1 MATCH (a)-[:LINK]->(b) "
        "RETURN count(b) AS c",
    ),
    "integers as keys": (
        "UNWIND [1, 2] AS k RETURN k UNION MATCH (a:Small) RETURN a.v AS k",
        "UNWIND [1, null] AS k RETURN k UNION MATCH (a:Small) RETURN a.v AS k",
        "MATCH (a:Small) WITH coalesce(a.v, 2) AS k RETURN k, sum(1) AS s",
        "MATCH (a:Small) WITH coalesce(a.v, 2) AS k, a.id AS i RETURN k, collect(DISTINCT k) AS l",
        "MATCH (a:Small) UNWIND [a.v, 1, 2] AS x RETURN x, count(*) AS c",
        "MATCH (a:Small) UNWIND [a.v, 1, 2] AS x RETURN DISTINCT x",
        "MATCH (a:Small) WITH a, [2, 3] AS l WITH coalesce(a.v, l[0]) AS x RETURN "
        "count(DISTINCT x) AS c",
        "MATCH (a:Small) CALL (a) { RETURN 1 AS x UNION ALL WITH a RETURN a.v AS x } RETURN x, "
        "count(*) AS c",
        "MATCH (a:Small) RETURN a.v + 0 AS k UNION MATCH (a:Small) RETURN 2 AS k",
        "MATCH (a:Text) RETURN size(a.v) AS k UNION MATCH (a:Small) RETURN a.v AS k",
        "MATCH (a:Small) OPTIONAL MATCH (a)-[e:LINK]->() WITH a, sum(e.w) AS s RETURN s, "
        "count(*) AS c",
        "MATCH (a:Small) RETURN DISTINCT CASE WHEN a.v = 1 THEN [1] ELSE [a.v] END AS l",
        "MATCH p = (a:Small)-[:LINK]->() RETURN length(p) AS n UNION MATCH (a:Small) RETURN a.v "
        "AS n",
    ),
    "optional nodes in subqueries": (
        "OPTIONAL MATCH (a:Small {id: -5}) RETURN COUNT { MATCH (a) } AS c, EXISTS { (a) } AS e",
        "OPTIONAL MATCH (a:Small {id: -5}) RETURN COUNT { MATCH (a), (b:Flag) } AS c",
        "MATCH (a:Small) OPTIONAL MATCH (a)-[:LINK]->(b) RETURN a.id AS a, COUNT { MATCH (b) } AS "
        "c",
        "MATCH (a:Small) RETURN a.id AS a, COUNT { MATCH (a) WHERE a.v IS NULL } AS c",
        "MATCH (a:Small) OPTIONAL MATCH (a)-[e:LINK]->() WITH a, max(e.w) AS m WHERE m > 2 OR m "
        "IS NULL RETURN a.id AS a, m",
        "MATCH (a:Small) OPTIONAL MATCH (a)-[e:LINK]->(b) WITH a, b WHERE NOT EXISTS { (b) } "
        "RETURN a.id AS a",
    ),
    "windows of windows": (
        "MATCH (a:Small) WITH a ORDER BY a.id SKIP 2 WITH a SKIP 1 RETURN a.id AS a",
        "MATCH (a:Small) WITH a ORDER BY a.id LIMIT 4 WITH a LIMIT 3 RETURN a.id AS a",
        "MATCH (a:Small) WITH a ORDER BY a.id LIMIT 2 WITH a SKIP 3 RETURN a.id AS a",
        "MATCH (a:Small) WITH a ORDER BY a.id SKIP 1 WITH a LIMIT 3 WITH a ORDER BY a.v DESC, a.id "
        "LIMIT 2 RETURN a.id AS a",
        "MATCH (a:Small) WITH a ORDER BY a.id LIMIT 4 WITH a LIMIT 3 MATCH (a)-[:LINK]->(b) "
        "RETURN count(b) AS c",
        "MATCH (a:Small) WITH count(*) AS c WHERE c > 3 RETURN c",
        "MATCH (a:Small) WITH count(a.v) AS c WHERE c <> 2 AND c >= 1 RETURN c, c * 2 AS d",
    ),
    "texts of no length": (
        "MATCH (a:Text) RETURN left(a.v, 0) + left(a.v, 0) AS a",
        "RETURN '' + '' AS a, '' STARTS WITH null AS b, null ENDS WITH '' AS c",
        "MATCH (a:Small) UNWIND [a, null] AS b RETURN a.id AS a, COUNT { (b)-[:LINK]->() } AS c",
        "WITH 0.0 / 0.0 AS x RETURN x > 1 AS a, NOT x > 1 AS b, x = x AS c, x IN [x] AS d",
        "UNWIND [0.0 / 0.0, 1.0] AS x RETURN max(x) AS a, min(x) AS b",
        "UNWIND ['b', '\U0001d4b3', '\ufffd'] AS x RETURN max(x) AS a",
    ),
    "lists of several kinds": (
        f"RETURN [x IN {_MIXED} WHERE x = 1 | x] AS l",
        f"RETURN [x IN {_MIXED} WHERE x <> 1] AS l",
        f"RETURN [x IN {_MIXED} | x IS NULL] AS l",
        f"RETURN [x IN {_MIXED} | coalesce(x, 0)] AS l",
        f"UNWIND {_MIXED} AS x RETURN x IN [1, '1', true] AS r, x IN [] AS e",
        f"UNWIND {_MIXED} AS x WITH DISTINCT x RETURN count(*) AS c",
        f"UNWIND {_MIXED} AS x RETURN x ORDER BY x",
        f"UNWIND {_MIXED} AS x RETURN min(x) AS a, max(x) AS b",
        f"RETURN any(x IN {_MIXED} WHERE x > 0) AS a, none(x IN {_MIXED} WHERE x = 'q') AS n",
        f"RETURN size({_MIXED}) AS s, {_MIXED}[-1] AS l, {_MIXED}[2..4] AS m, "
        f"head(tail({_MIXED})) AS h",
        "RETURN reduce(s = 0, x IN [1, null, 2] | s + x) AS a, reduce(s = '', x IN ['a', 1, true] "
        "| s + toString(x)) AS b",
        "RETURN [x IN [[1, 2], [], null, [3]] | x[0]] AS a, [x IN [[1, 2], []] | size(x)] AS b",
        "RETURN [x IN range(0, 5) WHERE x % 2 = 0 | [y IN range(0, x) | y * x]] AS l",
        "WITH [3, 1, 2] AS l UNWIND l AS x WITH x, l WHERE x < size(l) RETURN collect(x) AS r",
        "RETURN [1, 2] + [null] AS a, [1] + 2 AS b, null + [1] AS c, [[1]] + [2] AS d",
    ),
    "UNWIND of null": (
        "UNWIND null AS x RETURN x",
        "UNWIND null AS x RETURN count(x) AS c",
        "UNWIND [null] AS x RETURN x, count(*) AS c",
        "MATCH (a:Small) UNWIND a.nothing AS x RETURN a.id AS a, x",
        "MATCH (a:Texts) UNWIND a.v AS x WITH x WHERE x <> '' RETURN x, count(*) AS c",
        "UNWIND [[1, 2], null, [], [3]] AS l UNWIND l AS x RETURN x",
        "UNWIND [1, 2] AS x UNWIND CASE WHEN x = 1 THEN [] ELSE [x, null] END AS y RETURN x, y",
        "OPTIONAL MATCH (a:Small {id: -5}) UNWIND coalesce(a.v, [7, 8]) AS x RETURN x",
        "MATCH (a:Wholes) UNWIND a.v AS x RETURN a.id AS a, sum(x % 7) AS s, count(x) AS c",
        "MATCH (a:Wholes) WITH a, size(a.v) AS n WHERE n > 1 UNWIND range(0, n - 1) AS i RETURN "
        "a.id AS a, i, a.v[i] AS v",
    ),
    "DISTINCT, ORDER BY and SKIP": (
        "MATCH (a:Small) WITH DISTINCT a.v % 3 AS m ORDER BY m SKIP 1 RETURN m",
        "MATCH (a:Small) WITH DISTINCT a.v % 3 AS m ORDER BY m DESC SKIP 1 LIMIT 2 RETURN m + 1 "
        "AS n ORDER BY n",
        "MATCH (a:WholeOrReal) WITH DISTINCT a.v AS v ORDER BY v SKIP 2 LIMIT 5 RETURN v",
        "MATCH (a:TextOrWhole) WITH DISTINCT a.v AS v ORDER BY v DESC SKIP 1 LIMIT 4 RETURN "
        "collect(v) AS l",
        "MATCH (a:Small)-[e:LINK]->(b) WITH DISTINCT e.s AS s, count(*) AS c ORDER BY c DESC, s "
        "SKIP 1 RETURN s, c ORDER BY s",
        "MATCH (a:Small)-[e:LINK]->() WITH a, max(e.w) AS m ORDER BY m DESC, a.id SKIP 1 LIMIT 3 "
        "MATCH (a)-[:LINK]->(b) RETURN a.id AS a, m, count(b) AS c",
        "UNWIND [3, 1, 2, 3, null, 1] AS x WITH DISTINCT x ORDER BY x SKIP 1 RETURN collect(x) "
        "AS l",
        "UNWIND [3, 1, 2] AS x WITH x ORDER BY x LIMIT 2 WITH collect(x) AS l RETURN l, size(l) "
        "AS s",
        "MATCH (a:Text) WITH DISTINCT toLower(a.v) AS v ORDER BY size(v), v SKIP 3 LIMIT 4 "
        "RETURN v",
        "MATCH (a:Span) WITH DISTINCT a.v AS v RETURN count(*) AS c",
        "MATCH (a:Instant) WITH DISTINCT a.v AS v ORDER BY v SKIP 2 LIMIT 3 RETURN v",
    ),
    "patterns in expressions": (
        "MATCH (a:Small) RETURN a.id AS a, [(a)-[e:LINK]->(b) WHERE e.w > 0 | b.id] AS l",
        "MATCH (a:Small) RETURN a.id AS a, size([(a)-[:LINK]-() | 1]) AS n",
        "MATCH (a:Small) RETURN a.id AS a, [p = (a)-[:LINK*1..2]->(b) | length(p)] AS l",
        "MATCH (a:Small) WITH a, [(a)-[e:LINK]->() | e.w] AS l RETURN a.id AS a, "
        "reduce(s = 0, x IN l | s + coalesce(x, 0)) AS s",
        "MATCH (a:Small) WHERE size([(a)-[e:LINK]->() WHERE e.s STARTS WITH 'x' | e]) > 0 RETURN "
        "a.id AS a",
        "MATCH (a:Small) RETURN a.id AS a, any(x IN [(a)-[e:LINK]->() | e.w] WHERE x > 1) AS y",
        "MATCH (a:Whole) WHERE (a)-[:NEXT]->({id: 3}) OR NOT (a)--() AND a.id < 12 RETURN a.id "
        "AS a",
        "MATCH (a:Small {id: 0}), (b:Small) WHERE (a)-[:LINK]->(b) RETURN b.id AS b",
        "MATCH (a:Small) RETURN count(*) AS c, EXISTS { (a)-[:LINK]->() } AS x",
    ),
    "variable length and properties": (
        "MATCH (a:Small)-[e:LINK*1..3 {s: 'x'}]->(b) RETURN a.id AS a, b.id AS b, size(e) AS n",
        "MATCH (a:Small {id: 0})-[e:LINK*1..3]->(b) RETURN b.id AS b, [x IN e | x.w] AS l",
        "MATCH (a:Small {id: 0})-[e:LINK*2]->(b) WHERE all(x IN e WHERE x.w >= 0) RETURN b.id AS b",
        "MATCH p = (a:Small)-[:LINK*1..2]->(b) WHERE any(r IN relationships(p) WHERE r.d = "
        "date('2024-02-29')) RETURN a.id AS a, b.id AS b",
        "MATCH p = (a:Small {id: 1})-[:LINK*0..2]->(b) RETURN b.id AS b, "
        "reduce(s = 0, r IN relationships(p) | s + coalesce(r.w, 0)) AS s",
        "MATCH (a:Small)-[e:LINK*1..2]-(b {id: 3}) RETURN a.id AS a, size(e) AS n",
        "MATCH p = (a:Small {id: 0})-[:LINK*1..4]->(a) RETURN length(p) AS l",
        "MATCH (a:Small)-[:LINK]->(b)-[:LINK]->(c)-[:LINK]->(a) RETURN a.id AS a, b.id AS b",
        "MATCH (a:Small)-[e:LINK]->(b)<-[f:LINK]-(c) WHERE e.w = f.w RETURN a.id AS a, c.id AS c",
        "MATCH (a:Small) ((x)-[e:LINK WHERE e.w > 0]->(y)){1,2} (b) RETURN a.id AS a, b.id AS b, "
        "[r IN e | r.w] AS l",
        "MATCH p = shortestPath((a:Small {id: 0})-[:LINK*..5]->(b:Small)) WHERE b.id > 0 RETURN "
        "b.id AS b, length(p) AS l",
    ),
    "UNION in CALL": (
        "CALL () { MATCH (a:Small) RETURN a.v AS v UNION ALL MATCH (a:Whole) RETURN a.v AS v } "
        "RETURN count(v) AS c, count(DISTINCT v) AS d",
        "MATCH (a:Small) WHERE a.id < 4 CALL (a) { RETURN a.v AS x UNION RETURN a.id AS x } RETURN "
        "a.id AS a, x",
        "MATCH (a:Small) WHERE a.id < 4 CALL (a) { MATCH (a)-[:LINK]->(b) RETURN b.id AS x UNION "
        "ALL MATCH (a)<-[:LINK]-(b) RETURN b.id AS x } RETURN a.id AS a, count(x) AS c",
        "UNWIND [1, 2] AS i CALL (i) { UNWIND [i, null] AS x RETURN x UNION UNWIND [i, 1.0] AS x "
        "RETURN x } RETURN i, x",
        "CALL () { RETURN 1 AS x, 'a' AS y UNION RETURN 1.0 AS x, 'a' AS y } RETURN x, y",
        "CALL () { RETURN null AS x UNION RETURN null AS x UNION ALL RETURN 2 AS x } RETURN "
        "count(*) AS c, count(x) AS d",
        "RETURN 1 AS x UNION RETURN 1.0 AS x UNION RETURN true AS x",
        "RETURN [1, null] AS x UNION RETURN [1.0, null] AS x UNION RETURN [1] AS x",
        "RETURN 0.0/0.0 AS x UNION RETURN 0.0/0.0 AS x",
        "RETURN -0.0 AS x UNION RETURN 0.0 AS x UNION RETURN 0 AS x",
    ),
    "maps": (
        "WITH {a: 1, b: null} AS m RETURN m.a AS a, m.b AS b, m.c AS c, m['a'] AS d, keys(m) AS k",
        "WITH {a: {b: [1, {c: 2}]}} AS m RETURN m.a.b[1].c AS x, m.a.z AS y, m.z.b AS z",
        "UNWIND [{a: 1}, {a: null}, {b: 1}, null] AS m RETURN m.a AS a, m.a IS NULL AS n",
        "UNWIND [{a: 1, b: 2}, {b: 2, a: 1}, {a: 1.0, b: 2}] AS m RETURN DISTINCT m",
        "UNWIND [{a: 1}, {a: 2}, {}] AS m WITH m ORDER BY m.a DESC RETURN collect(m.a) AS l",
        "RETURN {a: null} = {a: null} AS a, {a: 1} = {a: 1, b: null} AS b, {a: 1} = {a: 1.0} AS c",
        "MATCH (a:Small) WHERE a.id < 3 RETURN a {.v, w: a.nothing, x: size(keys(a))} AS m",
        "MATCH (a:Small) WITH {k: a.v % 3} AS m RETURN m, count(*) AS c",
        "RETURN [m IN [{a: 1}, {a: null}, {}] WHERE m.a IS NULL | keys(m)] AS l",
    ),
    "month ends, leap days and offsets": (
        "UNWIND ['2024-01-31', '2023-01-31', '2024-02-29', '2024-12-31'] AS d UNWIND ['P1M', "
        "'P-1M', 'P1Y', 'P13M', 'P1M1D', 'P-1Y2M'] AS p RETURN d, p, date(d) + duration(p) AS a, "
        "date(d) - duration(p) AS b",
        "UNWIND range(0, 14) AS n RETURN date('2024-01-31') + duration({months: n}) AS d",
        "UNWIND range(-3, 3) AS n RETURN date('2024-02-29') + duration({years: n}) AS d, "
        "(date('2024-02-29') + duration({years: n})).dayOfWeek AS w",
        "RETURN localdatetime('2024-02-28T23:59:59.5') + duration('PT0.5S') AS a, "
        "localdatetime('2024-03-01T00:00') - duration('P1D') AS b, "
        "localdatetime('2023-12-31T12:00') + duration('P2M1DT13H') AS c",
        "RETURN datetime('2024-03-31T01:30+01:00') + duration('PT1H') AS a, "
        "datetime('2024-02-29T23:30-05:00') + duration('P1Y') AS b",
        "RETURN duration.between(date('2024-01-31'), date('2024-02-29')) AS a, "
        "duration.between(date('2024-02-29'), date('2023-02-28')) AS b, "
        "duration.inMonths(date('2024-01-31'), date('2024-06-30')) AS c, "
        "duration.inDays(date('2024-03-01'), date('2023-03-01')) AS d",
        "RETURN date('2024-02-29') < date('2024-03-01') AS a, datetime('2024-01-01T00:00+02:00') < "
        "datetime('2023-12-31T23:00Z') AS b, datetime('2024-01-01T00:00Z') = "
        "datetime('2024-01-01T01:00+01:00') AS c",
        "MATCH (a:Day) RETURN a.v + duration('P1M') AS m, a.v - duration('P1Y1D') AS y, "
        "(a.v + duration('P1M')).month AS n",
        "MATCH (a:Day) RETURN date.truncate('month', a.v) AS m, date.truncate('week', a.v) AS w, "
        "date.truncate('quarter', a.v) + duration('P3M') - duration('P1D') AS q",
        "MATCH (a:Moment) RETURN a.v + duration('P1MT36H') AS m, date(a.v).week AS w",
        "MATCH (a:Day) WITH a.v.year AS y, a.v.month AS m RETURN y, m, count(*) AS c ORDER BY y, m",
        "MATCH (a:Day), (b:Day) WHERE a.id < 5 AND b.id < 9 RETURN duration.between(a.v, "
        "b.v).months "
        "AS m, duration.inDays(a.v, b.v).days AS d",
        "UNWIND [duration('P1M'), duration('P30D'), duration('PT720H'), duration('P1M'), null] AS "
        "d RETURN d, count(*) AS c",
        "RETURN duration('P1Y14M3DT25H61M') AS a, duration('P1Y14M3DT25H61M').months AS b, "
        "toString(duration('PT-1.5S')) AS c, duration({months: 1, days: -31}) AS d",
    ),
    "characters of four bytes": (
        "UNWIND ['a😀b', '😀', '👩\u200d💻x', 'e\u0301', '𝒜𝒷'] AS s RETURN size(s) AS n, "
        "left(s, 1) AS l, toUpper(s) AS u",
        "UNWIND ['a😀b', '😀', '𝒜𝒷c'] AS s RETURN s CONTAINS '😀' AS c, s STARTS WITH 'a' AS a, "
        "s ENDS WITH 'c' AS e, split(s, '😀') AS p",
        "UNWIND ['a😀b', 'é', 'ß', '日本'] AS s RETURN replace(s, '😀', '-') AS r, "
        "trim(' ' + s) AS t, s + s AS d, s < 'b' AS lt",
        "UNWIND ['😀', '\uffff', 'z', '日', 'é'] AS s RETURN s ORDER BY s",
        "UNWIND ['😀', '\uffff', 'z'] AS s RETURN min(s) AS a, max(s) AS b",
        "UNWIND ['a', '😀b'] AS s RETURN left(s, 1) AS l, size(s) / 2 AS h, substring(s, 1) AS t",
        "RETURN '😀' > '\uffff' AS a, '𝒜' < '日' AS b, 'e\u0301' = 'é' AS c",
        "UNWIND ['a😀b', 'ab'] AS s RETURN reverse(s) AS r, substring(s, 0, 1) AS t",
        "MATCH (a:Text) WHERE a.v =~ '.*[^ -~].*' RETURN count(*) AS c, max(size(a.v)) AS m",
    ),
    "integers at their end": (
        "RETURN 9223372036854775807 + 1 AS x",
        "RETURN -9223372036854775808 - 1 AS x",
        "RETURN 9223372036854775807 * 2 AS x",
        "UNWIND [9223372036854775807, 1] AS x RETURN x + 1 AS y",
        "UNWIND [9223372036854775807, -1] AS x RETURN sum(x) AS s",
        "RETURN -9223372036854775808 / -1 AS x",
        "UNWIND [-1] AS d RETURN -9223372036854775808 / d AS x, -9223372036854775808 % d AS y",
        "RETURN abs(-9223372036854775808) AS x",
        "UNWIND [-9223372036854775808] AS x RETURN -x AS y",
        "RETURN toInteger(9.3e18) AS a, toInteger(-9.3e18) AS b",
        "RETURN toInteger('9223372036854775807') AS a, 9007199254740993 = 9007199254740992.0 AS b",
        "RETURN 2 ^ 63 AS a, 10 ^ 2 AS b, 7 / 2 AS c, -7 / 2 AS d, -7 % 3 AS e, 7.0 % -3 AS f",
        "MATCH (a:Whole) RETURN max(a.v) - 1 AS m, min(a.v) + 1 AS n, count(DISTINCT a.v) AS c",
        "MATCH (a:Whole) WHERE a.v <> 0 RETURN a.id AS a, 100 / a.v AS q, a.v % 7 AS r",
        "MATCH (a:Small) WHERE CASE WHEN a.v <> 0 THEN 10 / a.v > 1 ELSE false END RETURN a.id AS "
        "a",
        "MATCH (a:Small) RETURN a.id AS a, CASE WHEN a.v = 0 THEN null ELSE 10 / a.v END AS q",
        "MATCH (a:Small) WITH a WHERE a.v <> 0 WITH a.id AS i, 10 / a.v AS q WHERE q > 1 RETURN i",
    ),
    "not a number": (
        f"UNWIND {_NUMBERS} AS x RETURN x ORDER BY x",
        f"UNWIND {_NUMBERS} AS x RETURN x ORDER BY x DESC",
        f"UNWIND {_NUMBERS} AS x RETURN DISTINCT x",
        f"UNWIND {_NUMBERS} AS x RETURN x, count(*) AS c",
        f"UNWIND {_NUMBERS} AS x RETURN min(x) AS a, max(x) AS b, count(x) AS c",
        f"UNWIND {_NUMBERS} AS x WITH x WHERE x > 0 RETURN x",
        f"UNWIND {_NUMBERS} AS x WITH x WHERE NOT x > 0 RETURN x",
        f"UNWIND {_NUMBERS} AS x RETURN x = x AS a, x <> x AS b, x IN [x] AS c, x < 1 AS d",
        "RETURN 0.0/0.0 IN [0.0/0.0] AS a, 0.0/0.0 = 0.0/0.0 AS b, [0.0/0.0] = [0.0/0.0] AS c, "
        "0.0/0.0 < 1 AS d, NOT 0.0/0.0 > 1 AS e",
        "UNWIND [1.0, 0.0/0.0] AS x RETURN avg(x) AS a, sum(x) AS s",
        "UNWIND [0.0/0.0, 2.0] AS x RETURN isNaN(x) AS n, round(x) AS r, toString(x) AS s, "
        "abs(x) AS a, sign(x) AS g, coalesce(x, 1) AS c",
        "UNWIND [0.5, -0.5, 1.5, -1.5, 2.5, -2.5] AS x RETURN round(x) AS r, ceil(x) AS c, "
        "floor(x) AS f, toInteger(x) AS i, round(x, 0, 'HALF_EVEN') AS e",
        "RETURN -0.0 < 0.0 AS a, -0.0 = 0.0 AS b, -0.0 <= 0 AS c, 1 / -0.0 AS d",
        "MATCH (a:Real) WITH a.v AS v WHERE v < 0.0 RETURN count(*) AS c",
        "MATCH (a:Real) WHERE a.id < 0 RETURN sum(a.v) AS s, avg(a.v) AS m, stDev(a.v) AS d",
        "MATCH (a:Whole) WHERE a.id < 0 RETURN sum(a.v) AS s, sum(a.v) / 2 AS h",
        "MATCH (a:Real) WHERE a.id < 0 RETURN sum(a.v) / 2 AS h, sum(a.v) + 1 AS p",
        "MATCH (a:Small) OPTIONAL MATCH (b:Real {id: -1}) RETURN a.id AS a, sum(b.v) AS s",
    ),
    "flags of regular expressions": (
        "UNWIND ['Ab', 'AB', 'a\nb', 'a.b', 'É', 'é', ''] AS s RETURN s =~ 'ab' AS a, s =~ "
        "'(?i)ab' AS b, s =~ 'a.b' AS c, s =~ '(?s)a.b' AS d, s =~ '(?i)é' AS e",
        "UNWIND ['x', 'xy', ' x', 'x\n', '٣', '3'] AS s RETURN s =~ '\\\\w' AS a, s =~ '\\\\d' AS "
        "b, s =~ 'x$' AS c, s =~ '^x' AS d, s =~ '(?m)x$' AS e, s =~ '\\\\s?x' AS f",
        "UNWIND ['abc', 'ABC', null] AS s RETURN s =~ '(?i)a.*' AS a, NOT s =~ 'a.*' AS b, s =~ "
        "null AS c",
        "MATCH (a:Text) WHERE a.v =~ '(?i).*[aeiou].*' RETURN count(*) AS c",
        "MATCH (a:Text) WHERE NOT a.v =~ '.*\\\\d.*' AND a.v =~ '\\\\S+' RETURN a.id AS a",
        "RETURN 'a+b' =~ 'a\\\\+b' AS a, 'aab' =~ 'a{2}b' AS b, 'ab' =~ '(a|b)+' AS c, 'a' =~ "
        "'[^a]' AS d, 'a-b' =~ '[a-b-]+' AS e",
    ),
    "filters and their order": (
        "MATCH (a:Small) WHERE a.v IS NOT NULL AND 1 / a.v >= 0 RETURN count(*) AS c",
        "MATCH (a:Text) WHERE a.v <> '' AND substring(a.v, 0, 1) = 'a' RETURN a.id AS a",
        "MATCH (a:DateText) WHERE a.v =~ '\\\\d{4}-0[1-9]-[01]\\\\d' RETURN date(a.v) AS d",
        "MATCH (a:Small) WHERE false AND 1 / 0 = a.v RETURN count(*) AS c",
        "MATCH (a:Small) WHERE a.id < 0 AND toInteger('x') / 0 IS NULL RETURN count(*) AS c",
        "MATCH (a:TextOrWhole) WHERE a.v > 3 RETURN a.id AS a",
        "MATCH (a:TextOrWhole) WHERE a.v > '3' AND NOT a.v = 'a' RETURN a.id AS a",
        "MATCH (a:TextOrFlag) WHERE a.v = true OR a.v = 'true' RETURN a.id AS a",
    ),
    "null beside values": (
        "WITH null AS p MATCH (a:Small) WHERE a.v = p OR p IS NULL RETURN count(*) AS c",
        "WITH null AS p MATCH (a:Small {v: p}) RETURN count(*) AS c",
        "WITH [1, null] AS p MATCH (a:Small) WHERE a.v IN p RETURN a.id AS a",
        "WITH [1, null] AS p MATCH (a:Small) WHERE NOT a.v IN p RETURN a.id AS a",
        "WITH null AS p RETURN p STARTS WITH 'a' AS a, 'a' + p AS b, p[0] AS c, p.x AS d, size(p) "
        "AS e, p IN [1] AS f, 1 IN p AS g, p AND false AS h, p XOR true AS i",
        "WITH null AS p MATCH (a:Small) RETURN a.id AS a ORDER BY coalesce(p, a.v), a.id LIMIT 3",
        "WITH null AS p RETURN CASE p WHEN null THEN 1 ELSE 2 END AS a, CASE WHEN p THEN 1 END "
        "AS b",
        "WITH null AS d RETURN date(d) AS a, date('2024-01-01') + d AS b, duration.between(d, d) "
        "AS c, d.year AS e",
    ),
    "computed nodes": (
        "MATCH p = (a:Whole)-[:NEXT*1..2]->(b) WHERE a.id < 4 RETURN a.id AS a, b.id AS b, "
        "last(nodes(p)) = b AS l, nodes(p)[0] = a AS f, b IN nodes(p) AS i, nodes(p)[1] <> b AS n",
        "MATCH p = (a:Whole)-[:NEXT*1..2]->(b) WHERE a.id < 4 AND a IN tail(nodes(p)) RETURN "
        "count(*) AS c",
        "MATCH (c:Whole) WHERE c.id < 4 RETURN c.id AS c, COUNT { MATCH p = (a:Whole)-[:NEXT*1..2]"
        "->(b) WHERE c IN nodes(p) } AS n",
        "MATCH p = (a:Whole)-[:NEXT]->(b) WITH collect(DISTINCT last(nodes(p))) AS l MATCH "
        "(z:Whole) WHERE z IN l RETURN z.id AS z",
        "MATCH p = (a:Whole)-[:NEXT]->(b) RETURN labels(nodes(p)[1]) AS l, nodes(p)[0]:Whole AS w, "
        "nodes(p)[5]:Whole AS o, count(*) AS c",
        "MATCH (a:Whole) WHERE a.id < 4 OPTIONAL MATCH (a)-[:NEXT]->(b) RETURN a.id AS a, "
        "coalesce(b, a).id AS b, labels(coalesce(b, a)) AS l",
        "MATCH (a:Whole) WITH a ORDER BY a.id WITH collect(a) AS l RETURN tail(l)[0].id AS t, "
        "reverse(l)[0].id AS r, [x IN l | x][1].id AS c, l[0]:Whole AS w",
        "MATCH (a:Whole) WHERE a.id < 4 RETURN a.id AS a, head([(a)-[:NEXT]->(b) | b]) = a AS h, "
        "a IN [(a)-[:NEXT]->(b) | b] AS i",
    ),
    "nodes that a list holds": (
        "MATCH p = (a:Whole)-[:NEXT*1..2]->(b) WHERE a.id < 4 WITH nodes(p) AS ns, a, b RETURN "
        "a.id AS a, b.id AS b, b = ns[-1] AS l, a IN ns AS i, ns[0] IN tail(ns) AS t, ns[1] = "
        "b AS s",
        "MATCH p = (a:Whole)-[:NEXT*1..2]->(b) WHERE a.id < 4 WITH nodes(p) AS ns RETURN [n IN "
        "ns WHERE n <> ns[0] | n.id] AS l, any(n IN ns WHERE n = ns[1]) AS s, ns[0].id AS f",
        "MATCH p = (a:Whole)-[:NEXT]->(b) WHERE a.id < 4 WITH nodes(p) AS ns MATCH (z:Whole) "
        "WHERE z = ns[0] RETURN z.id AS z, ns[1].id AS n, properties(ns[0]) AS p",
        "MATCH p = (a:Whole)-[:NEXT]->(b) WHERE a.id < 4 WITH nodes(p) AS ns MATCH (z:Whole) "
        "WHERE z.id < 6 AND NOT z IN ns RETURN count(*) AS c",
        "MATCH p = (a:Whole)-[:NEXT]->(b) WHERE a.id < 4 WITH relationships(p) AS rs, nodes(p) "
        "AS ns WHERE endNode(rs[0]) = ns[1] RETURN count(*) AS c",
        "MATCH p = (a:Whole)-[:NEXT*2]->(b) WHERE a.id < 6 WITH nodes(p)[1] AS m, count(*) AS "
        "c OPTIONAL MATCH (m)-[:NEXT]->(z) RETURN m.id AS m, c, z.id AS z",
        "MATCH p = (a:Whole)-[:NEXT]->(b) WHERE a.id < 4 WITH nodes(p) AS ns RETURN ns[0] AS "
        "n, count(*) AS c",
        "MATCH p = (a:Whole)-[:NEXT]->(b) WHERE a.id < 4 WITH nodes(p) AS ns, b RETURN CASE "
        "ns[1] WHEN b THEN 1 ELSE 2 END AS c, count(*) AS n",
        "MATCH (a:Whole) WHERE a.id < 4 WITH a, [(a)-[e:NEXT]->(b) | [b, b.id]] AS ps RETURN "
        "a.id AS a, [p IN ps WHERE p[0] <> a | p[1]] AS l",
        "MATCH (a:Whole) WHERE a.id < 4 WITH collect(a) AS l WITH [x IN l WHERE x.id > 1] AS "
        "xs RETURN size(xs) AS s, xs[0].id > 1 AS f",
        "MATCH (a:Whole) WHERE a.id < 4 WITH collect(a) AS l RETURN [x IN l WHERE x.id = 2] AS xs",
        "MATCH (a:Whole) WHERE a.id < 4 WITH collect(a) AS l WITH [x IN l WHERE x.id > 1] AS "
        "xs UNWIND xs AS x RETURN x, x.id AS i",
    ),
    "items of lists in maps and beside others": (
        "RETURN [x IN [1, 2] | {k: x, l: [x], m: {n: x}}] AS l, [x IN ['a', 'b'] | {k: x}] AS m",
        "MATCH (a:Whole) WHERE a.id < 4 WITH a.id AS id, collect(a.v) AS l RETURN id, [x IN l | "
        "{k: x, i: id}] AS m, [x IN l | [x, id]] AS n",
        "MATCH (a:Whole) WHERE a.id < 4 WITH a.id AS id, collect(a.v) AS l RETURN id, [x IN l "
        "WHERE x > 1 | {k: x, i: id}] AS m",
        "MATCH (a:Whole) WHERE a.id < 4 WITH a.id AS id, collect(a.v) AS l RETURN id, [x IN l "
        "WHERE x > id] AS m, [x IN l WHERE x <= id] AS n",
        "RETURN [x IN [1, 2, 3] WHERE any(y IN [2, 3] WHERE y < x)] AS l, [x IN [1, 2] | [y IN "
        "[3, 4] | x * y]] AS m",
        "MATCH (a:Whole) RETURN [min(a.id), max(a.id)] AS l, 1 IN [min(a.id), count(*)] AS b",
        "MATCH (a:Whole) RETURN a.id % 2 AS g, [count(*), max(a.id)] AS l",
    ),
    "searches beside other paths": (
        "MATCH (a:Small {id: 1}), (b:Small {id: 3}), p = shortestPath((a)-[:LINK*]->(b)) RETURN "
        "length(p) AS n",
        "MATCH (a:Small)-[e:LINK]->(b), p = shortestPath((a)-[:LINK*..4]->(b)) WHERE a <> b RETURN "
        "a.id AS a, b.id AS b, length(p) AS n",
        "MATCH (a:Small {id: 1}), p = allShortestPaths((a)-[:LINK*..4]->(b:Small)) WHERE a <> b "
        "RETURN b.id AS b, count(p) AS n",
    ),
    "sorted counts by values outside": (
        "MATCH (a:Whole) WHERE a.id < 9 RETURN a.id AS id, COUNT { MATCH (b:Whole) WHERE b.v < "
        "a.v } AS n ORDER BY n DESC, id",
        "MATCH (a:Small) RETURN a.id AS id, a.v AS v, COUNT { (a)-[:LINK]->(b) WHERE b.v > a.v } "
        "AS n ORDER BY id",
    ),
    "nodes and edges behind comprehensions": (
        "MATCH p = (a:Whole)-[:NEXT*1..2]->(b) WHERE a.id < 4 WITH nodes(p)[1..] AS ns RETURN "
        "ns[0].id AS i, size(ns) AS s, b IN ns AS m",
        "MATCH p = (a:Whole)-[:NEXT*1..2]->(b) WHERE a.id < 4 WITH reverse(nodes(p)) AS ns "
        "RETURN ns[0].id AS i, ns[0] = b AS s",
        "MATCH p = (a:Whole)-[:NEXT]->(b) WHERE a.id < 4 WITH {path: nodes(p), l: "
        "[nodes(p)[0], null]} AS m RETURN m.path[1].id AS i, m.l[0].id AS j, size(m.path) AS s",
        "MATCH p = (a:Small)-[e:LINK]->(b) WHERE a.id < 5 WITH [r IN relationships(p) WHERE "
        "r.w > 0] AS rs RETURN rs[0].w AS w, size(rs) AS s",
        "MATCH p = (a:Small)-[e:LINK]->(b) WHERE a.id < 5 UNWIND [r IN relationships(p) WHERE "
        "r.w > 0] AS r RETURN r.w AS w, count(*) AS c",
        "MATCH p = (a:Small)-[e:LINK]->(b) WHERE a.id < 5 WITH [r IN relationships(p) | {w: "
        "r.w, r: r}] AS ms UNWIND ms AS m RETURN m.r.s AS s, m.w AS w",
        "MATCH (a:Small)-[e:LINK]->(b) WHERE a.id < 5 WITH a, collect([e, b]) AS l WITH a, [x "
        "IN l WHERE x[0].w > 0] AS m RETURN a.id AS a, m[0][1].id AS i, size(m) AS s",
        "MATCH p = (a:Small)-[e:LINK]->(b) WHERE a.id < 5 WITH {k: [r IN relationships(p) WHERE "
        "r.w > 0]} AS m RETURN m.k[0].w AS w, size(m.k) AS s",
        "MATCH p = (a:Small)-[e:LINK]->(b) WHERE a.id < 5 RETURN [x IN [r IN relationships(p) "
        "WHERE r.w > 0] | x.w] AS w",
        "MATCH p = (a:Whole)-[:NEXT]->(b) WHERE a.id < 4 WITH coalesce([n IN nodes(p) WHERE n.id "
        "> 1], []) AS k, {l: [n IN nodes(p) WHERE n.id > 1], i: a.id} AS m RETURN k[0].id AS i, "
        "m.l[0].id AS j, m.i AS a",
        "MATCH (a:Small)-[e:LINK]->(b) WHERE a.id < 5 WITH a, collect({b: b}) AS l WITH a, [x IN "
        "l | x.b] AS k RETURN a.id AS a, k[0].id IS NULL AS n",
        "MATCH (a:Small) WHERE a.id < 5 WITH collect({i: a.id}) AS l WITH [x IN l WHERE x.i > 1] "
        "AS m RETURN size(m) AS s, m[0].i > 1 AS i",
        "MATCH p = (a:Whole)-[:NEXT]->(b) WHERE a.id < 4 WITH nodes(p) AS ns MATCH q = (x:Whole)"
        "-[:NEXT]->(y) WHERE x = ns[1] OR y = ns[0] RETURN count(*) AS c",
    ),
    "zeros told apart": (
        "UNWIND [0.0, 0.4, 1.5] AS x RETURN x, nullIf(x * -1, 0) AS n, CASE x * -1 WHEN 0 THEN 'z' "
        "ELSE 'o' END AS c, NOT x * -1 = 0 AS e, sign(x * -1) AS s",
        "UNWIND [0.0, 1.5] AS x UNWIND [1, -1] AS y RETURN x * y AS z, count(*) AS n ORDER BY z",
        "UNWIND [0.0, 1.5] AS x UNWIND [1, -1] AS y RETURN count(DISTINCT x * y) AS n",
        "MATCH (a:Real) WITH a.v * -1 AS s MATCH (b:Real {v: s}) RETURN count(*) AS n",
        "MATCH (a:Real), (b:Real) WHERE a.v * -1 = b.v * 0 RETURN a.id AS a, b.id AS b",
    ),
    "sums of nothing": (
        "MATCH (a:Small) OPTIONAL MATCH (b:Real {id: a.id + 1000}) WITH a, sum(b.v) * -1 AS s "
        "WHERE s >= 0 RETURN a.id AS a",
        "MATCH (a:Small) OPTIONAL MATCH (b:Real {id: a.id + 1000}) WITH a, sum(b.v) AS t WHERE NOT "
        "t * -1 < 0 RETURN a.id AS a",
    ),
    "quotients by zero": (
        "MATCH (a:Real) RETURN a.id AS a, a.v / 0.0 > 1 AS g, NOT a.v / 0.0 <= 1 AS l, a.v / 0.0 = "
        "1 AS e, a.v / 0.0 <> 1 AS n",
        "MATCH (a:Real) RETURN CASE WHEN a.v / (a.v * 0.0) > 5 THEN 'hi' ELSE 'lo' END AS u, "
        "count(*) AS n",
        "MATCH (a:Real) RETURN a.id AS a, a.v / (a.v - a.v) AS q ORDER BY q DESC, a",
    ),
    "parts of items": (
        "MATCH (a:Small)-[:LINK]->(b) WITH a, collect(b) AS l WHERE size(l) > 1 RETURN a.id AS a, "
        "size([x IN l WHERE x.id > 2]) AS n, size([x IN l WHERE x.v > 1]) AS m, any(x IN l WHERE "
        "x.id = 3) AS y",
        "MATCH (a:Small)-[e:LINK]->() WITH a, collect(e) AS l MATCH (b:Small {id: a.id}) RETURN "
        "b.id AS b, size([x IN l WHERE x.w > 1]) AS n",
        "MATCH (a:Small)-[:LINK]->(b) WITH a, collect(b) AS l RETURN a.id AS a, size([x IN l WHERE "
        "x.id > a.id]) AS n",
        "MATCH (a:Small)-[:LINK]->(b) WITH a, collect(b.id) AS l WITH a, [x IN l | CASE WHEN x > 2 "
        "THEN 'hi' ELSE 'lo' END] AS m, size(l) AS n RETURN a.id AS a, size(m) = n AS s",
    ),
    "nodes and edges that are joined or chosen": (
        "MATCH (a:Small)-[e:LINK]->(b) WHERE a.id < 5 WITH [a] + [b] AS l RETURN l[0].id AS a, "
        "last(l).id AS b, size(l) AS s",
        "MATCH (a:Small)-[e:LINK]->(b) WHERE a.id < 5 WITH CASE WHEN a.id > b.id THEN [a, b] ELSE "
        "[b, a] END AS l, count(*) AS c RETURN l[0].id AS a, l[1].id AS b, c",
        "MATCH (a:Small)-[e:LINK]->(b) WHERE a.id < 5 WITH coalesce([a, b], []) AS l RETURN [x IN "
        "l | x.id] AS i, any(x IN l WHERE x.id > 2) AS s, labels(head(l)) AS h",
        "MATCH (a:Small) WHERE a.id < 5 WITH a ORDER BY a.id WITH collect(a) AS l WITH l[..2] + "
        "l[3..] AS m RETURN m[0].id AS a, m[2].id AS b, size(m) AS s",
        "MATCH (a:Small)-[e:LINK]->(b) WHERE a.id < 5 WITH {x: CASE WHEN a.id > 2 THEN a ELSE b "
        "END, i: a.id} AS m WHERE m.x.id > 1 RETURN m.x.id AS x, m.i AS i",
        "MATCH (a:Small)-[e:LINK]->(b) WHERE a.id < 5 WITH CASE WHEN a.id > 2 THEN {x: a} ELSE "
        "{x: b} END AS m RETURN m.x.id AS x, properties(m.x) AS p",
        "MATCH (a:Small)-[e:LINK]->(b) WHERE a.id < 5 WITH collect(CASE WHEN a.id > 2 THEN a ELSE "
        "b END) AS l RETURN size([x IN l WHERE x.id > 2]) AS s, l[0].id IS NULL AS n",
        "MATCH p = (a:Small)-[e:LINK]->(b) WHERE a.id < 5 WITH nodes(p) AS ns, a UNWIND ns + [a] "
        "AS x RETURN x.id AS x, count(*) AS c",
        "MATCH p = (a:Small)-[e:LINK]->(b) WHERE a.id < 5 WITH nodes(p) AS ns, a UNWIND ns + [a] "
        "AS x RETURN count(DISTINCT x) AS c",
        "MATCH (a:Small)-[e:LINK]->(b) WHERE a.id < 5 WITH [a] + [b] AS l RETURN l",
        "MATCH (a:Small)-[e:LINK]->(b) WHERE a.id < 5 WITH [e] + [] AS l RETURN l[0].w AS w",
        "MATCH (a:Small)-[e:LINK]->(b) WHERE a.id < 5 UNWIND coalesce([e], []) AS x RETURN x.w AS "
        "w, type(x) AS t",
        "MATCH (a:Small)-[e:LINK]->(b) WHERE a.id < 5 WITH coalesce(e, null) AS x RETURN x.w AS w",
        "MATCH p = (a:Small)-[:LINK]->(b) WHERE a.id < 5 WITH collect(nodes(p)) AS ps MATCH q = "
        "(c:Small {id: 1})-[:LINK]->(d) WITH ps, nodes(q) AS ns RETURN ns IN ps AS i",
        "MATCH p = (a:Small)-[:LINK]->(b) WHERE a.id < 5 WITH nodes(p) AS ns MATCH q = "
        "(c:Small)-[:LINK]->(d) WHERE nodes(q)[0] = ns[1] RETURN count(*) AS c",
        "MATCH (a:Small)-[:LINK]->(b) WHERE a.id < 5 WITH a, b, [a, a.id] AS x RETURN x = [b, "
        "b.id] AS e, [a, 1] = [b, 1.0] AS f",
        "MATCH (a:Small) WHERE a.id < 5 CALL (a) { MATCH (a)-[:LINK]->(b) RETURN collect(b) + [] "
        "AS l } RETURN a.id AS a, size(l) AS s, size([x IN l WHERE x.id > 1]) AS t",
    ),
    "zeros that are computed": (
        "UNWIND [0.0, 0.4, 1.5] AS x RETURN x, round(x * -1) AS r, ceil(x * -1) AS c, 0.0 - x AS s",
        "UNWIND [0.0, 0.4, 1.5] AS x RETURN x, x * -1 = 0 AS e, x * -1 IN [0.0, 1.5] AS i, x * "
        "-1 < 0 AS l",
        "UNWIND [0.0, 0.4, -1.5] AS x WITH x * -1 AS y RETURN y ORDER BY y LIMIT 2",
        "UNWIND [0.0, 1.5] AS x UNWIND [1, -1] AS y RETURN DISTINCT x * y AS z",
        "UNWIND [0.0, 1.5] AS x UNWIND [1, -1] AS y RETURN x * y AS z, count(*) AS c",
        "MATCH (a:Small) WHERE a.id < 6 RETURN DISTINCT a.id / -40 AS q, toString(a.id / -40) AS s",
        "MATCH (a:Small) WHERE a.id < 6 RETURN a.id / -4 AS q, a.id AS a ORDER BY q, a LIMIT 3",
        "MATCH (a:Small) WHERE a.id < 6 RETURN DISTINCT CASE WHEN a.id < 3 THEN 1.0 ELSE 0.5 * "
        "2 END AS x",
    ),
    "lists that are joined": (
        "MATCH (a:Small) WHERE a.id < 6 WITH collect(a.id) + [1, 2, 9] AS l UNWIND l AS x "
        "RETURN x, count(*) AS c",
        "MATCH (a:Small) WHERE a.id < 6 WITH collect(a.id) AS l UNWIND [3] + l AS x RETURN "
        "DISTINCT x",
    ),
}
"""Statements by the family that they belong to."""
