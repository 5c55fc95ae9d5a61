// One query a line, over the graphs of benchmarks/hostile_reads.py; the heading says what is hard.

// sums and means near the ends of 64 and 53 bits
MATCH (n:A) RETURN sum(n.i) AS s
MATCH (n:B) RETURN sum(n.i) AS s, count(*) AS c
MATCH (n:A) RETURN n.b AS b, sum(n.i) AS s
MATCH (n:A) RETURN sum(DISTINCT n.i) AS s
UNWIND [9223372036854775807, 1] AS x RETURN sum(x) AS s
UNWIND [9223372036854775807, 1, -1] AS x RETURN sum(x) AS s
UNWIND [-9223372036854775808, -1] AS x RETURN sum(x) AS s
UNWIND [9223372036854775806, 1] AS x RETURN sum(x) AS s
UNWIND [9007199254740993, 1.0] AS x RETURN sum(x) AS s
UNWIND [9007199254740993, 9007199254740993] AS x RETURN avg(x) AS v
UNWIND [9007199254740993, 9007199254740995, 9007199254740997] AS x RETURN avg(x) AS v
UNWIND [9223372036854775807, 9223372036854775807] AS x RETURN avg(x) AS v
UNWIND [9007199254740993] AS x RETURN avg(x) AS v, sum(x) AS s, max(x) AS m
MATCH (n:A) RETURN avg(n.i) AS v
MATCH (n:A) WHERE n.i > 4503599627370496 RETURN avg(n.i) AS v
MATCH (n:A) RETURN sum(n.i) > 0 AS positive
MATCH (n:A) WITH n.b AS b, sum(n.i) AS s WHERE s > 9223372036854775806 RETURN b
MATCH (n:A) WITH n ORDER BY n.id WITH collect(n.i) AS l RETURN reduce(t = 0, x IN l | t + x) AS s
MATCH (n:A) RETURN sum(n.i * 2) AS s
MATCH (n:A) RETURN sum(n.i) / 2 AS s
MATCH (n:A) RETURN sum(n.i + 0.0) AS s
MATCH (n:A) RETURN sum(coalesce(n.i, n.f)) AS s
MATCH (a:A) OPTIONAL MATCH (a)-[:R]->(c) RETURN a.id AS id, sum(c.i) AS s
MATCH (a:A) OPTIONAL MATCH (a)-[:R]->(c:A) RETURN a.id AS id, avg(c.i) AS v

// integers beyond 2^53 beside floats
MATCH (n:A) WHERE n.i = 9007199254740992.0 RETURN n.id AS id
MATCH (n:A) WHERE n.i > 9007199254740992.0 RETURN n.id AS id
MATCH (n:A) WHERE n.i >= 9223372036854775807.0 RETURN n.id AS id
MATCH (n:A), (m:A) WHERE n.i = m.i + 0.0 RETURN n.id AS a, m.id AS b
MATCH (n:A), (m:A) WHERE n.i < m.i * 1.0 RETURN n.id AS a, m.id AS b
MATCH (n:A) WHERE n.i IN [9007199254740992.0, 1.0] RETURN n.id AS id
MATCH (n:A) WHERE toFloat(n.i) = n.i RETURN n.id AS id
MATCH (n:A) RETURN n.id AS id, CASE n.i WHEN 9007199254740992.0 THEN 'even' ELSE 'other' END AS c
UNWIND [9007199254740993, 9007199254740992.0] AS x RETURN DISTINCT x
UNWIND [9007199254740993, 9007199254740992.0] AS x RETURN x, count(*) AS c
UNWIND [9007199254740993, 9007199254740992.0] AS x RETURN x ORDER BY x
UNWIND [9007199254740993, 9007199254740992.0] AS x RETURN max(x) AS hi, min(x) AS lo
UNWIND [9007199254740992.0, 9007199254740993] AS x RETURN count(DISTINCT x) AS c
MATCH (n:A) WITH n.i AS x UNWIND [x, x + 0.0] AS y RETURN DISTINCT y
MATCH (n:A) WHERE n.i = n.f RETURN n.id AS id
MATCH (n:A), (m:A) WHERE n.i = m.f RETURN n.id AS a, m.id AS b
MATCH (n:A) WHERE n.i <> n.f RETURN n.id AS id
MATCH (n:A) WHERE NOT n.i > n.f RETURN n.id AS id
RETURN 9007199254740993 = 9007199254740992.0 AS x, 9007199254740993 > 9007199254740992.0 AS y
MATCH (n:A) WHERE [n.i] = [9007199254740992.0] RETURN n.id AS id
MATCH (n:A) RETURN n.id AS id ORDER BY coalesce(n.i, n.f), id
MATCH (n:A) WHERE n.i / 1.0 = n.i RETURN n.id AS id
MATCH (n:A) WHERE n.i - 9007199254740992.0 > 0 RETURN n.id AS id

// the zero below zero
MATCH (n:A) WHERE n.f = 0 RETURN n.id AS id, 1 / n.f AS q
MATCH (n:A) WHERE n.f = 0 RETURN n.id AS id, 1.0 / n.f > 0 AS q
MATCH (n:A) RETURN n.f AS f, count(*) AS c
MATCH (n:A) RETURN DISTINCT n.f AS f
MATCH (n:A) RETURN count(DISTINCT n.f) AS c
MATCH (n:A) WHERE n.f = 0.0 RETURN DISTINCT n.f = -0.0 AS x, n.f < 0 AS y
MATCH (n:A) RETURN n.id AS id, toString(n.f) AS s
MATCH (n:A) WHERE n.f = 0 RETURN n.id AS id, 'f' + n.f AS s
MATCH (n:A) RETURN n.id AS id ORDER BY n.f, id
MATCH (n:A) WHERE n.f < 0.0 RETURN n.id AS id
MATCH (n:A) WHERE n.f >= 0.0 RETURN n.id AS id
MATCH (n:A) WHERE n.f IN [0.0] RETURN n.id AS id
MATCH (n:A), (m:A) WHERE n.f = m.f AND n.id < m.id RETURN n.id AS a, m.id AS b
MATCH (n:A), (m:A) WHERE n.f < m.f RETURN n.id AS a, m.id AS b
MATCH (n:A) RETURN max(n.f) AS hi, min(n.f) AS lo
MATCH (n:A) RETURN n.f AS f UNION MATCH (n:A) RETURN -n.f AS f
MATCH (n:A) RETURN collect(DISTINCT n.f) AS l
MATCH (n:A) WHERE n.f = 0 RETURN n.id AS id, sign(n.f) AS s, abs(n.f) AS a, -n.f AS m
MATCH (n:A) WHERE n.f = 0 RETURN n.id AS id, [n.f] = [0.0] AS e, n.f IN [-0.0] AS i
MATCH (n:A) WITH n.f AS f WHERE f = 0 WITH f ORDER BY f LIMIT 1 RETURN 1 / f AS q
UNWIND [0.0, -0.0, 0] AS x RETURN DISTINCT x
UNWIND [0.0, -0.0, 0] AS x RETURN x, count(*) AS c
UNWIND [0.0, -0.0] AS x RETURN toString(x) AS s
MATCH (n:A) WHERE n.f = 0 RETURN sum(n.f) AS s, avg(n.f) AS v
RETURN 0.0 = -0.0 AS e, 0.0 < -0.0 AS l, -0.0 < 0.0 AS m, toString(-0.0) AS s, 1 / -0.0 AS q
MATCH (n:A) RETURN n.id AS id, n.f * 0 AS z
MATCH (n:A) WHERE abs(n.f) < 1e15 RETURN n.id AS id, round(n.f) AS r
MATCH (n:A) RETURN n.id AS id, toInteger(n.f * 0) AS z

// division by zero
MATCH (n:A) RETURN n.id AS id, n.f / 0 AS q
MATCH (n:A) RETURN n.id AS id, n.f / 0.0 AS q
MATCH (n:A) RETURN n.id AS id, n.f / n.k AS q
MATCH (n:A) WHERE n.f / 0 > 0 RETURN n.id AS id
MATCH (n:A) RETURN n.id AS id, n.k / n.f AS q
MATCH (n:A) RETURN n.id AS id, n.f % 0 AS q
MATCH (n:A) RETURN n.id AS id, n.f % n.k AS q
MATCH (n:A) RETURN n.id AS id, n.k % n.f AS q
MATCH (n:A) RETURN n.id AS id, n.i / n.f AS q
MATCH (n:A) WHERE n.f / n.k = n.f / n.k RETURN n.id AS id
RETURN 1.0 / 0 AS a, -1.0 / 0 AS b, 0.0 / 0 AS c, 1 / 0.0 AS d
MATCH (n:A) RETURN sum(n.f / 0.0) AS s
MATCH (n:A) RETURN max(n.f / 0) AS hi, min(n.f / 0) AS lo
MATCH (n:A) RETURN n.f / 0 AS q, count(*) AS c
MATCH (n:A) RETURN n.id AS id ORDER BY n.f / 0, id
MATCH (n:A) RETURN n.id AS id, isNaN(n.f / 0.0) AS x
MATCH (n:A) RETURN n.id AS id, toString(n.f / 0.0) AS x
MATCH (n:A) RETURN n.id AS id, toInteger(1.0 / n.f) AS x
MATCH (n:A) RETURN n.id AS id, n.f / 0 = n.f / 0 AS x, n.f / 0 <> n.f / 0 AS y
MATCH (n:A) RETURN n.id AS id, n.f / 0 IN [n.f / 0] AS x

// UNION
MATCH (a:A) RETURN a.id AS x, a.s AS y UNION MATCH (b:B) RETURN b.id AS x, b.s AS y
MATCH (a:A) RETURN a.id AS x, a.s AS y UNION ALL MATCH (b:B) RETURN b.s AS y, b.id AS x
MATCH (a:A) RETURN a.id AS x, a.k AS y UNION ALL MATCH (a:A) RETURN a.k AS y, a.id AS x
MATCH (a:A) RETURN a.id AS x, a.k AS y UNION MATCH (a:A) RETURN a.k + 1 AS y, a.id AS x
MATCH (a:A) RETURN a.i AS x UNION MATCH (b:B) RETURN b.x AS x
MATCH (a:A) RETURN a.i AS x UNION ALL MATCH (b:B) RETURN b.s AS x
MATCH (a:A) RETURN a.m AS x UNION MATCH (b:B) RETURN b.m AS x
MATCH (a:A) RETURN a.k AS x UNION MATCH (b:B) RETURN b.x AS x UNION MATCH (a:A) RETURN a.f AS x
MATCH (a:A) RETURN a.b AS x UNION MATCH (b:B) RETURN b.i AS x
RETURN 1 AS x UNION RETURN 1.0 AS x
RETURN 1 AS x UNION ALL RETURN '1' AS x
RETURN null AS x UNION RETURN null AS x
RETURN 1 AS x UNION RETURN null AS x
RETURN 1 AS x, 'a' AS y UNION RETURN 'a' AS y, 1 AS x
RETURN [] AS x UNION RETURN [1] AS x
RETURN [1] AS x UNION RETURN ['a'] AS x
RETURN 0.0 AS x UNION RETURN -0.0 AS x
MATCH (a:A) RETURN a.d AS x UNION MATCH (a:A) RETURN a.t AS x
MATCH (a:A) RETURN a.xs AS x UNION MATCH (a:A) RETURN a.ws AS x
MATCH (a:A) RETURN a.i AS x UNION ALL MATCH (a:A) RETURN a.i + 0.5 AS x
MATCH (a:A) RETURN sum(a.k) AS x UNION ALL MATCH (b:B) RETURN count(b) AS x
MATCH (a:A) RETURN a.k AS x UNION ALL MATCH (b:B) WHERE b.id < 0 RETURN b.i AS x

// zoned moments in windows inside of CALL
MATCH (a:A) CALL (a) { MATCH (a)-[:R]->(c:A) RETURN c.z AS z ORDER BY z LIMIT 1 } RETURN a.id AS id, z
MATCH (a:A) CALL (a) { MATCH (a)-[:R]->(c:A) RETURN c.id AS x ORDER BY c.z, x LIMIT 1 } RETURN a.id AS id, x
MATCH (a:A) CALL (a) { MATCH (a)-[:R]->(c:A) RETURN c.id AS x ORDER BY c.z DESC, x LIMIT 2 } RETURN a.id AS id, x
CALL { MATCH (c:A) RETURN c.z AS z ORDER BY z DESC LIMIT 3 } RETURN z
CALL { MATCH (c:A) RETURN c.z AS z, c.id AS id ORDER BY z, id LIMIT 3 } RETURN z, id ORDER BY id
MATCH (a:A) WITH a ORDER BY a.z, a.id LIMIT 3 RETURN a.id AS id
MATCH (a:A) WITH a.z AS z ORDER BY z DESC LIMIT 3 RETURN z
MATCH (a:A) WITH a.z AS z, a.id AS id ORDER BY z, id SKIP 2 LIMIT 3 RETURN id
MATCH (a:A) WITH DISTINCT a.z AS z ORDER BY z LIMIT 3 RETURN z
MATCH (a:A) WITH a.b AS b, max(a.z) AS z ORDER BY z, b LIMIT 2 RETURN b, z
MATCH (a:A) CALL (a) { MATCH (a)-[:R]->(c:A) WITH c.z AS z ORDER BY z LIMIT 2 RETURN collect(z) AS zs } RETURN a.id AS id, zs
MATCH (a:A) CALL (a) { OPTIONAL MATCH (a)-[:R]->(c:A) WHERE c.z > a.z RETURN c.id AS x ORDER BY c.z, x LIMIT 1 } RETURN a.id AS id, x

// aggregates of a window
MATCH (a:A) WITH a ORDER BY a.k DESC, a.id LIMIT 3 RETURN sum(a.id) AS s, count(*) AS c
MATCH (a:A) WITH a.id AS k ORDER BY k DESC LIMIT 3 RETURN sum(k) AS s, max(k) AS m
MATCH (a:A) WITH a.id AS k ORDER BY k DESC LIMIT 3 RETURN collect(k) AS l
MATCH (a:A) WITH a.id AS k ORDER BY k DESC SKIP 2 LIMIT 3 WITH k AS j RETURN min(j) AS m, avg(j) AS v
MATCH (a:A) WITH a.id AS k ORDER BY k DESC LIMIT 3 WITH k WHERE k > 5 RETURN sum(k) AS s
MATCH (a:A) WITH a.id AS k ORDER BY k DESC LIMIT 5 WITH k % 2 AS m, sum(k) AS s RETURN m, s
MATCH (a:A) WITH DISTINCT a.k AS k ORDER BY k DESC SKIP 1 LIMIT 2 RETURN sum(k) AS s
MATCH (a:A) WITH a.k AS k, count(*) AS c ORDER BY c DESC, k LIMIT 2 RETURN sum(c) AS s, count(k) AS n
MATCH (a:A) WITH a ORDER BY a.id DESC LIMIT 4 OPTIONAL MATCH (a)-[r:R]->(c) RETURN count(r) AS n, max(a.id) AS m
MATCH (a:A) WITH a ORDER BY a.id DESC LIMIT 4 RETURN count(DISTINCT a.b) AS n, max(a.s) AS m
MATCH (a:A) RETURN DISTINCT a.b AS b ORDER BY b LIMIT 2
MATCH (a:A) WITH a.b AS b, max(a.id) AS m ORDER BY m DESC LIMIT 2 RETURN min(m) AS x
MATCH (a:A)-[r:R]->(c) WITH a, count(r) AS n ORDER BY n DESC, a.id LIMIT 3 RETURN sum(n) AS s, collect(a.id) AS l
MATCH (a:A) WITH a.id AS k ORDER BY k LIMIT 6 WITH k ORDER BY k DESC LIMIT 2 RETURN sum(k) AS s
MATCH (a:A) WITH a.id AS k ORDER BY k SKIP 3 RETURN sum(k) AS s
