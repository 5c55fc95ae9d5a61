// One query a line, over the graphs of benchmarks/hostile_reads.py; the heading says what is hard.

// three-valued logic
MATCH (a:A) WHERE a.i > 1 OR a.f < 0 RETURN a.id AS id
MATCH (a:A) WHERE NOT (a.i > 1 AND a.f < 0) RETURN a.id AS id
MATCH (a:A) WHERE a.i > 1 XOR a.b RETURN a.id AS id
MATCH (a:A) WHERE NOT a.b RETURN a.id AS id
MATCH (a:A) WHERE (a.i = 1) IS NULL RETURN a.id AS id
MATCH (a:A) WHERE (a.i = 1 AND a.b) IS NOT NULL RETURN a.id AS id
MATCH (a:A) WHERE a.i <> 1 RETURN a.id AS id
MATCH (a:A) WHERE a.i IN [1, 2, null] RETURN a.id AS id
MATCH (a:A) WHERE NOT a.i IN [1, 2, null] RETURN a.id AS id
MATCH (a:A) WHERE NOT a.i IN [1, 2] RETURN a.id AS id
MATCH (a:A) RETURN a.id AS id, a.i IN [1, null] AS x, a.i IN [] AS y, null IN [] AS z
MATCH (a:A) RETURN a.id AS id, a.b AND a.i > 0 AS x, a.b OR a.i > 0 AS y, a.b XOR a.i > 0 AS z, NOT a.b AS n
MATCH (a:A) WHERE NOT (a.s STARTS WITH 'a' OR a.i = 3) RETURN a.id AS id
MATCH (a:A) RETURN a.id AS id, CASE WHEN a.i > 1 THEN 'big' WHEN a.i IS NULL THEN 'none' ELSE 'small' END AS size
MATCH (a:A) RETURN a.id AS id, CASE a.i WHEN 1 THEN 'one' WHEN null THEN 'never' ELSE 'else' END AS x
MATCH (a:A) RETURN a.id AS id, coalesce(a.i, a.f, 0) AS x
MATCH (a:A) WHERE coalesce(a.b, false) = false RETURN a.id AS id
MATCH (a:A) WHERE 1 < a.i < 5 RETURN a.id AS id
MATCH (a:A) WHERE NOT 1 < a.i < 5 RETURN a.id AS id
MATCH (a:A) WHERE null RETURN a.id AS id
MATCH (a:A) WHERE NOT null RETURN a.id AS id
MATCH (a:A) RETURN a.id AS id, null = null AS x, null <> a.i AS y
MATCH (a:A) WHERE a.i = a.i RETURN a.id AS id
MATCH (a:A) WHERE a.b = (a.i > 0) RETURN a.id AS id
MATCH (a:A) WHERE (a.b IS NULL) = (a.i IS NULL) RETURN a.id AS id

// absent properties and labels
MATCH (a:A) WHERE a.i IS NULL RETURN a.id AS id
MATCH (n) WHERE n.x IS NOT NULL RETURN n.id AS id
MATCH (n) RETURN labels(n) AS l, n.id AS id, n.x AS x, n.i AS i
MATCH (n) WHERE NOT n:A RETURN n.id AS id
MATCH (n) WHERE n:A AND n:B RETURN n.id AS id
MATCH (n:A|B) RETURN n.id AS id, n:A AS a, n:B AS b
MATCH (n:!A) RETURN n.id AS id
MATCH (n:A&!B) RETURN n.id AS id
MATCH (n) WHERE n.i = n.x RETURN n.id AS id
MATCH (n) RETURN n.s AS s, count(*) AS c
MATCH (n) RETURN DISTINCT n.i AS i
MATCH (a:A) OPTIONAL MATCH (a)-[:S]->(b:B) RETURN a.id AS a, b.x AS x, b IS NULL AS none, labels(b) AS l
MATCH (a:A)-[r:R]->() RETURN a.id AS id, r.w AS w, r.k AS k
MATCH ()-[r]->() WHERE r.w IS NULL RETURN type(r) AS t, r.k AS k
MATCH ()-[r]->() RETURN type(r) AS t, count(r.w) AS c, count(*) AS n

// bags
MATCH (a:A)-[:R]->(b) RETURN b.s AS s
MATCH (a:A)-[:R]->(b) RETURN a.id AS a, b.id AS b
MATCH (a:A)-[:R]->(b) RETURN DISTINCT a.id AS a, b.id AS b
MATCH (a:A) RETURN a.i AS i UNION ALL MATCH (b:B) RETURN b.i AS i
MATCH (a:A) RETURN a.i AS i UNION MATCH (b:B) RETURN b.i AS i
MATCH (a:A) RETURN a.i AS v UNION MATCH (a:A) RETURN a.f AS v
MATCH (a:A), (b:B) RETURN a.i AS x, b.i AS y
MATCH (a:A), (b:A) WHERE a.i = b.i RETURN a.id AS x, b.id AS y
MATCH (a:A), (b:A) WHERE a.s = b.s AND a.id < b.id RETURN a.id AS x, b.id AS y
MATCH (a:A)-[:R]->(b)<-[:R]-(c) RETURN a.id AS a, b.id AS b, c.id AS c
MATCH (a:A)-[:R]->(b)-[:R]->(c) RETURN a.id AS a, c.id AS c
MATCH (a:A)-[:R]->(b), (b)-[:R]->(c) RETURN a.id AS a, c.id AS c
MATCH (a:A)-[:R]->(b) MATCH (b)-[:R]->(c) RETURN a.id AS a, c.id AS c
MATCH (a:A)-[:R]->(b), (a)-[:R]->(c) RETURN a.id AS a, b.id AS b, c.id AS c
MATCH (a:A)-[:R]->(b) MATCH (a)-[:R]->(c) RETURN a.id AS a, b.id AS b, c.id AS c
MATCH (a:A) WITH a.i AS i RETURN i, count(*) AS c
UNWIND [1, 1, 2, null] AS x RETURN x, count(*) AS c
UNWIND [1, 1.0, 2] AS x RETURN DISTINCT x
UNWIND [] AS x RETURN x
MATCH (a:A) UNWIND a.xs AS x RETURN a.id AS id, x
MATCH (a:A) UNWIND a.xs AS x RETURN x, count(*) AS c

// OPTIONAL and filters
MATCH (a:A) OPTIONAL MATCH (a)-[r:R]->(b) WHERE r.w > 1 RETURN a.id AS a, b.id AS b, r.w AS w
MATCH (a:A) OPTIONAL MATCH (a)-[r:R]->(b) WITH a, b, r WHERE r.w > 1 RETURN a.id AS a, b.id AS b
MATCH (a:A) OPTIONAL MATCH (a)-[:R]->(b) WHERE a.i > 1 RETURN a.id AS a, b.id AS b
MATCH (a:A) OPTIONAL MATCH (a)-[:R]->(b) WHERE b.i IS NULL RETURN a.id AS a, b.id AS b
MATCH (a:A) OPTIONAL MATCH (a)-[:R]->(b) OPTIONAL MATCH (b)-[:S]->(c) RETURN a.id AS a, b.id AS b, c.id AS c
MATCH (a:A) OPTIONAL MATCH (a)-[:R]->(b)-[:S]->(c) RETURN a.id AS a, b.id AS b, c.id AS c
MATCH (a:A) OPTIONAL MATCH (a)-[:S]->(b) WITH a, b WHERE b IS NULL RETURN a.id AS a
MATCH (a:A) OPTIONAL MATCH (a)-[:S]->(b:B) RETURN a.id AS a, count(b) AS c, count(*) AS n, sum(b.i) AS s
OPTIONAL MATCH (z:A {i: 12345}) RETURN z.id AS id, z IS NULL AS none
OPTIONAL MATCH (z:A {i: 12345}) OPTIONAL MATCH (z)-[:R]->(b) RETURN b.id AS b
MATCH (a:A) OPTIONAL MATCH (a)-[:S]->(b) OPTIONAL MATCH (c:B {id: b.id}) RETURN a.id AS a, c.id AS c
MATCH (a:A) OPTIONAL MATCH (b:B) WHERE b.i = a.i RETURN a.id AS a, b.id AS b
MATCH (a:A) OPTIONAL MATCH (a)-[:R]->(b:B) WHERE b.s = a.s OR b.i = a.i RETURN a.id AS a, b.id AS b
MATCH (a:A) OPTIONAL MATCH (a)-[:R]->(b:A) WHERE NOT b.b RETURN a.id AS a, b.id AS b
MATCH (a:A) OPTIONAL MATCH (a)-[:R]->(b) MATCH (b)-[:S]->(c) RETURN a.id AS a, c.id AS c

// aggregates over nothing and over nulls
MATCH (a:A) WHERE a.i = 12345 RETURN count(*) AS c, count(a.i) AS n, sum(a.i) AS s, avg(a.i) AS v, min(a.i) AS lo, max(a.i) AS hi, collect(a.i) AS l
MATCH (a:A) WHERE a.i = 12345 RETURN a.s AS k, count(*) AS c
MATCH (a:A) RETURN count(a.i) AS c, count(DISTINCT a.i) AS d, sum(a.f) AS s, avg(a.f) AS v
MATCH (a:A) RETURN a.b AS b, min(a.s) AS lo, max(a.s) AS hi
MATCH (a:A) RETURN a.b AS b, min(a.d) AS lo, max(a.d) AS hi, count(DISTINCT a.d) AS c
MATCH (a:A) RETURN a.i AS i, collect(a.s) AS l
MATCH (a:A) RETURN a.b AS b, collect(DISTINCT a.i) AS l
MATCH (a:A) RETURN sum(DISTINCT a.f) AS s, avg(DISTINCT a.f) AS v
MATCH (a:A) RETURN a.s AS s, avg(a.i) AS v, sum(a.f) AS f
MATCH (a:A) RETURN a.i + 1 AS k, count(*) AS c
MATCH (a:A) RETURN a.b AS b, max(a.f) - min(a.f) AS r
MATCH (a:A) WITH a.b AS b, count(*) AS c WHERE c > 1 RETURN b, c
MATCH (a:A) WITH count(a.i) AS c WHERE c > 1000 RETURN c
MATCH (a:A) WITH max(a.i) AS m MATCH (b:A) WHERE b.i = m RETURN b.id AS id
MATCH (a:A) WITH avg(a.f) AS v MATCH (b:A) WHERE b.f > v RETURN b.id AS id
MATCH (a:A)-[r:R]->(b) RETURN a.id AS a, count(DISTINCT b) AS d, count(b) AS n, count(r) AS e
MATCH (a:A)-[r:R]->(b) WITH a, sum(r.w) AS s RETURN a.id AS a, s
MATCH (a:A) OPTIONAL MATCH (a)-[r:R]->() RETURN a.id AS a, max(r.w) AS hi, avg(r.w) AS v
MATCH (a:A) RETURN min(a.b) AS lo, max(a.b) AS hi
MATCH (a:A) RETURN stdev(a.f) AS s
MATCH (a:A) RETURN percentileCont(a.f, 0.5) AS m
MATCH (a:A) RETURN percentileDisc(a.f, 0.5) AS m
MATCH (a:A) WHERE a.i = 12345 RETURN avg(a.f) AS v, stdev(a.f) AS s
MATCH (a:A) RETURN count(DISTINCT a.f) AS c
MATCH (a:A) RETURN sum(a.i) + 1 AS x, count(*) * 2 AS y
MATCH (n) RETURN min(n.i) AS lo, max(n.i) AS hi

// parallel edges and loops
MATCH (a)-[r:R]->(b) RETURN a.id AS a, b.id AS b, r.w AS w
MATCH (a)-[r:R]->(a) RETURN a.id AS a, r.w AS w
MATCH (a)-[:R]-(a) RETURN a.id AS a
MATCH (a)-[r:R]->(b)-[q:R]->(a) RETURN a.id AS a, b.id AS b, r.w AS w, q.w AS x
MATCH (a)-[r:R]->(b), (a)-[q:R]->(b) RETURN a.id AS a, b.id AS b, r.w AS w, q.w AS x
MATCH (a)-[r:R]->(b) MATCH (a)-[q:R]->(b) RETURN a.id AS a, b.id AS b, r = q AS same
MATCH (a:A)-[:R]->(b)-[:R]->(c)-[:R]->(a) RETURN a.id AS a, b.id AS b, c.id AS c
MATCH (a)-->(b) RETURN a.id AS a, b.id AS b
MATCH (a:A) WHERE (a)-[:R]->(a) RETURN a.id AS a
MATCH (a:A) WHERE NOT (a)-[:R]->(a) RETURN a.id AS a
MATCH (a:A) RETURN a.id AS a, COUNT { (a)-[:R]->() } AS o, COUNT { (a)<-[:R]-() } AS i, COUNT { (a)-[:R]-() } AS u
MATCH (a:A) WHERE COUNT { (a)-[:R]->(:A) } > 1 RETURN a.id AS a
MATCH (a:A) WHERE EXISTS { (a)-[r:R]->(b) WHERE r.w > 1 AND b.i = a.i } RETURN a.id AS a
MATCH (a:A) WHERE EXISTS { MATCH (a)-[:R]->(b) MATCH (b)-[:R]->(a) } RETURN a.id AS a
MATCH (a:A) WHERE EXISTS { MATCH (a)-[:R]->(b), (b)-[:R]->(a) } RETURN a.id AS a
MATCH (a)-[r]->(b) WHERE startNode(r) = a AND endNode(r) = b RETURN a.id AS a, b.id AS b
MATCH (a:A)-[r:R]->(b:A) RETURN a.id AS a, [x IN [r.w, r.k] WHERE x IS NOT NULL] AS l

// undirected
MATCH (a)-[:R]-(b) RETURN a.id AS a, b.id AS b
MATCH (a)--(b) RETURN a.id AS a, b.id AS b
MATCH (a:A)-[r]-(b:B) RETURN a.id AS a, b.id AS b, type(r) AS t
MATCH (a)-[:R]-(b)-[:R]-(c) RETURN a.id AS a, b.id AS b, c.id AS c
MATCH (a:A)-[r:R]-(b) WHERE r.w > 0 RETURN a.id AS a, b.id AS b
MATCH (a)-[r:R]-(b) RETURN a.id AS a, startNode(r).id AS s
MATCH (a:A)-[:R]-(b:A)-[:S]-(c) RETURN a.id AS a, c.id AS c
MATCH (a)-[r:R]-(b) RETURN count(r) AS c, count(DISTINCT r) AS d
MATCH (a:A) OPTIONAL MATCH (a)-[r:R]-(b) WHERE b.i > 0 RETURN a.id AS a, b.id AS b

// variable length
MATCH (a:A)-[:R*1..2]->(b) RETURN a.id AS a, b.id AS b
MATCH (a:A)-[:R*0..1]->(b) RETURN a.id AS a, b.id AS b
MATCH (a:A)-[:R*2]->(b) RETURN a.id AS a, b.id AS b
MATCH (a:A)-[:R*2..3]-(b) RETURN a.id AS a, b.id AS b
MATCH (a:A)-[:R*0..2]-(a) RETURN a.id AS a
MATCH (a:A)-[:R*]->(b) RETURN DISTINCT a.id AS a, b.id AS b
MATCH (a:A)-[:R*]->(a) RETURN DISTINCT a.id AS a
MATCH (a:A)-[r:R*1..2]->(b) RETURN a.id AS a, size(r) AS n, [x IN r | x.w] AS ws
MATCH p = (a:A)-[:R*1..2]->(b) RETURN a.id AS a, length(p) AS n
MATCH p = (a:A)-[:R*1..2]->(b) RETURN [n IN nodes(p) | n.id] AS ids
MATCH (a:A)-[:R*1..2 {w: 1}]->(b) RETURN a.id AS a, b.id AS b
MATCH (a:A)-[r:R*1..2]->(b) WHERE all(x IN r WHERE x.w > 0) RETURN a.id AS a, b.id AS b
MATCH (a:A)-[:R*1..2]->(b)-[:S]->(c) RETURN a.id AS a, c.id AS c
MATCH (a:A)-[:R|S*1..2]->(b) RETURN a.id AS a, b.id AS b
MATCH (a:A)-[*1..2]->(b:B) RETURN a.id AS a, b.id AS b
MATCH (a:A)-[:R*1..2]->(b)<-[:R]-(c) RETURN a.id AS a, c.id AS c
MATCH (a:A) WHERE EXISTS { (a)-[:R*2..3]->(a) } RETURN a.id AS a
MATCH (a:A) WHERE EXISTS { (a)-[:R*]->(:A {i: 3}) } RETURN a.id AS a
MATCH (a:A {id: 0}), (b:A {id: 2}) MATCH p = shortestPath((a)-[:R*]->(b)) RETURN length(p) AS n
MATCH (a:A {id: 0}) OPTIONAL MATCH p = shortestPath((a)-[:R*..3]-(b:A)) WHERE a <> b RETURN b.id AS b, length(p) AS n
MATCH (a:A), (b:A) WHERE a.id < b.id MATCH p = allShortestPaths((a)-[:R*]-(b)) RETURN a.id AS a, b.id AS b, length(p) AS n
MATCH (a:A) OPTIONAL MATCH (a)-[:R*2..2]->(b) RETURN a.id AS a, count(b) AS c
MATCH (a:A)-[:R*3..2]->(b) RETURN a.id AS a, b.id AS b
MATCH (a:A)-[:R*0]->(b) RETURN a.id AS a, b.id AS b

// order with nulls
MATCH (a:A) RETURN a.i AS i ORDER BY i
MATCH (a:A) RETURN a.i AS i ORDER BY i DESC
MATCH (a:A) RETURN a.id AS id ORDER BY a.f, a.id LIMIT 3
MATCH (a:A) RETURN a.id AS id ORDER BY a.f DESC, a.id LIMIT 3
MATCH (a:A) RETURN a.id AS id ORDER BY a.s DESC, a.id SKIP 1 LIMIT 3
MATCH (a:A) RETURN a.id AS id ORDER BY a.b, a.i DESC, a.id
MATCH (a:A) RETURN a.id AS id ORDER BY a.d DESC, id
MATCH (a:A) RETURN a.id AS id ORDER BY a.t, id
MATCH (a:A) RETURN a.id AS id ORDER BY a.z, id
MATCH (a:A) RETURN a.id AS id ORDER BY a.z DESC, id
MATCH (a:A) RETURN a.id AS id ORDER BY a.i IS NULL, a.i, id
MATCH (a:A) RETURN a.id AS id ORDER BY a.i > 1, id
MATCH (a:A) WITH a ORDER BY a.i DESC, a.id LIMIT 2 RETURN a.id AS id, a.i AS i
MATCH (a:A) WITH a ORDER BY a.i, a.id RETURN collect(a.id) AS ids
MATCH (a:A) RETURN a.s AS s, count(*) AS c ORDER BY c DESC, s LIMIT 2
MATCH (n) RETURN n.s AS s ORDER BY s
MATCH (a:A) RETURN a.i AS i ORDER BY -a.i, a.id
MATCH (a:A) RETURN a.id AS id ORDER BY a.i LIMIT 0
MATCH (a:A) OPTIONAL MATCH (a)-[:S]->(b) RETURN a.id AS x, b.id AS y ORDER BY b.i, x, y
MATCH (a:A) RETURN DISTINCT a.s AS s ORDER BY s DESC
MATCH (a:A) RETURN a.f AS f ORDER BY f

// mixed types
MATCH (n) WHERE n.m = 1 RETURN n.id AS id
MATCH (n) WHERE n.m < 2 RETURN n.id AS id
MATCH (n) WHERE n.m = '1' RETURN n.id AS id
MATCH (n) RETURN n.m AS m ORDER BY m
MATCH (n) RETURN DISTINCT n.m AS m
MATCH (n) RETURN n.m AS m, count(*) AS c
MATCH (a:A), (b:B) WHERE a.m = b.m RETURN a.id AS a, b.id AS b
MATCH (a:A), (b:B) WHERE a.i = b.x RETURN a.id AS a, b.id AS b
MATCH (a:A) WHERE a.i = 1.0 RETURN a.id AS id
MATCH (a:A) WHERE a.i = '1' RETURN a.id AS id
MATCH (a:A) WHERE a.i < '1' RETURN a.id AS id
MATCH (a:A) WHERE a.i <> '1' RETURN a.id AS id
MATCH (a:A) WHERE a.i IN [1, 'a', 2.0] RETURN a.id AS id
MATCH (a:A) RETURN a.id AS id, a.s + a.i AS x
MATCH (a:A) RETURN a.id AS id, toString(a.i) AS i, toString(a.b) AS b
MATCH (a:A) RETURN a.id AS id, toString(a.f) AS f
MATCH (a:A) RETURN a.id AS id, toInteger(a.s) AS i
MATCH (a:A) RETURN a.id AS id, toFloat(a.s) AS f
MATCH (a:A) RETURN a.id AS id, toInteger(a.f) AS i
MATCH (a:A) RETURN a.id AS id, a.s STARTS WITH 'a' AS x, a.s CONTAINS '' AS y, a.s ENDS WITH 'b' AS z
MATCH (n) WHERE n.m STARTS WITH '1' RETURN n.id AS id
MATCH (n) RETURN count(DISTINCT n.m) AS c
MATCH (n) RETURN sum(n.i) AS s

// -0.0, NaN, infinities
MATCH (a:A) WHERE a.f = 0 RETURN a.id AS id
MATCH (a:A) WHERE a.f = -0.0 RETURN a.id AS id
MATCH (a:A) RETURN a.id AS id, -a.f AS f, a.f * -1 AS g
MATCH (a:A) RETURN a.id AS id, 1.0 / a.f AS q
MATCH (a:A) RETURN a.id AS id, a.f / a.f AS q
MATCH (a:A) WHERE a.f / a.f = 1 RETURN a.id AS id
MATCH (a:A) WHERE NOT a.f / a.f = 1 RETURN a.id AS id
MATCH (a:A) WHERE a.f / 0.0 > 1 RETURN a.id AS id
MATCH (a:A) RETURN a.id AS id, 0.0 / 0.0 = 0.0 / 0.0 AS x, 0.0 / 0.0 <> 0.0 / 0.0 AS y
MATCH (a:A) RETURN a.id AS id ORDER BY a.f / a.f, id
MATCH (a:A) RETURN count(DISTINCT a.f / a.f) AS c
MATCH (a:A) RETURN DISTINCT a.f * 0.0 AS z
MATCH (a:A) RETURN max(a.f / a.f) AS hi, min(a.f / a.f) AS lo
MATCH (a:A) RETURN a.id AS id, abs(a.f) AS a, sign(a.f) AS s, floor(a.f) AS l, ceil(a.f) AS h
MATCH (a:A) WHERE abs(a.f) < 1000 RETURN a.id AS id, round(a.f) AS r
MATCH (a:A) RETURN a.id AS id, sqrt(a.f) AS r
MATCH (a:A) RETURN a.id AS id, log(a.f) AS r
MATCH (a:A) RETURN a.id AS id, round(a.f, 1) AS r
MATCH (a:A) WHERE a.f + 1e308 + 1e308 > 0 RETURN a.id AS id
RETURN 0.1 + 0.2 AS x, 1e-320 AS y, -0.0 AS z

// integers of 64 bits
MATCH (a:A) RETURN a.id AS id, a.i + 1 AS x
MATCH (a:A) RETURN a.id AS id, a.i - 1 AS x
MATCH (a:A) RETURN a.id AS id, a.i * 2 AS x
MATCH (a:A) RETURN a.id AS id, -a.i AS x
MATCH (a:A) RETURN a.id AS id, abs(a.i) AS x
MATCH (a:A) WHERE a.i + 1 > a.i RETURN a.id AS id
MATCH (a:A) WHERE NOT a.i + 1 > a.i RETURN a.id AS id
MATCH (a:A) WHERE (a.i * 2) IS NULL RETURN a.id AS id
MATCH (a:A) RETURN sum(a.i) AS s
MATCH (a:A) RETURN a.b AS b, sum(a.i) AS s
MATCH (a:A) RETURN avg(a.i) AS s
MATCH (a:A) RETURN a.i * a.i AS s
MATCH (a:A) RETURN a.id AS id, a.i / 2 AS h, a.i % 3 AS m
MATCH (a:A) RETURN a.id AS id, -7 / 2 AS x, -7 % 3 AS y, 7 % -3 AS z, 7 / 2 AS w
MATCH (a:A) RETURN a.id AS id, a.i / a.k AS h
MATCH (a:A) RETURN a.id AS id, a.i % a.k AS h
MATCH (a:A) WHERE a.i / a.k > 1 RETURN a.id AS id
MATCH (a:A) RETURN a.id AS id, 1 / 0 AS x
MATCH (a:A) RETURN a.id AS id, a.f / 0 AS x
MATCH (a:A) RETURN a.id AS id, 1.0 / 0 AS x, -1.0 / 0 AS y, 1 / 0.0 AS z
MATCH (a:A) RETURN a.id AS id, a.k / 0.0 AS x
MATCH (a:A) RETURN a.id AS id, a.k / 0 AS x
MATCH (a:A) WHERE a.k / 0 IS NULL RETURN a.id AS id
MATCH (a:A) RETURN a.id AS id, a.k % 0 AS x
MATCH (a:A) RETURN a.id AS id, 5 % 0.0 AS x, a.f % 2 AS y
MATCH (a:A) RETURN a.id AS id, 1.0 * a.i / a.k AS x
MATCH (a:A) RETURN a.id AS id, toFloat(a.i) / a.k AS x
MATCH (a:A) RETURN a.id AS id, 9223372036854775807 - a.k AS x
MATCH (a:A) WHERE a.i = 9223372036854775807 RETURN a.id AS id
MATCH (a:A) WHERE a.i > 9007199254740992 RETURN a.id AS id
MATCH (a:A) WHERE a.i = 9007199254740993.0 RETURN a.id AS id
MATCH (a:A), (b:A) WHERE a.i < b.f RETURN a.id AS a, b.id AS b
MATCH (a:A) RETURN a.id AS id ORDER BY a.i, id
MATCH (a:A) RETURN max(a.i) AS hi, min(a.i) AS lo
MATCH (a:A) RETURN DISTINCT a.i AS i
MATCH (a:A) RETURN a.id AS id, a.i ^ 2 AS p
MATCH (a:A) RETURN a.id AS id, toInteger('9223372036854775808') AS x, toInteger('1.9') AS y
MATCH (a:A) RETURN a.id AS id, 1.5 * a.i AS x
MATCH (a:A) WHERE a.i - a.k < 0 RETURN a.id AS id
MATCH (a:A) RETURN count(a.i + 1) AS c
MATCH (a:A) RETURN coalesce(a.i + 1, 0) AS c
MATCH (a:A) RETURN CASE WHEN a.i + 1 IS NULL THEN 'none' ELSE 'some' END AS c
MATCH (a:A) RETURN a.id AS id, abs(a.i - 1) AS x

// dates with offsets
MATCH (a:A) RETURN a.id AS id, a.d AS d, a.t AS t, a.z AS z
MATCH (a:A) WHERE a.d > date('2020-01-31') RETURN a.id AS id
MATCH (a:A) WHERE a.t >= localdatetime('2020-01-31T10:30:00') RETURN a.id AS id
MATCH (a:A) WHERE a.z > datetime('2020-01-31T11:30:00+01:00') RETURN a.id AS id
MATCH (a:A) WHERE a.z = datetime('2020-01-31T12:30:00+02:00') RETURN a.id AS id
MATCH (a:A) WHERE a.z <> datetime('2020-01-31T10:30:00Z') RETURN a.id AS id
MATCH (a:A), (b:A) WHERE a.z < b.z RETURN a.id AS a, b.id AS b
MATCH (a:A), (b:A) WHERE a.z = b.z AND a.id < b.id RETURN a.id AS a, b.id AS b
MATCH (a:A) RETURN DISTINCT a.z AS z
MATCH (a:A) RETURN a.z AS z, count(*) AS c
MATCH (a:A) RETURN max(a.z) AS hi, min(a.z) AS lo
MATCH (a:A) RETURN a.id AS id, a.d.year AS y, a.d.month AS m, a.d.day AS d
MATCH (a:A) RETURN a.id AS id, a.t.hour AS h, a.t.minute AS m, a.t.second AS s
MATCH (a:A) RETURN a.id AS id, a.z.hour AS h, a.z.offset AS o
MATCH (a:A) RETURN a.id AS id, a.z.epochSeconds AS e
MATCH (a:A) RETURN a.d.year AS y, count(*) AS c
MATCH (a:A) WHERE a.d.year = 2020 AND a.d.month > 1 RETURN a.id AS id
MATCH (a:A) WHERE a.d = a.t RETURN a.id AS id
MATCH (a:A) WHERE a.d < a.t RETURN a.id AS id
MATCH (a:A) RETURN a.id AS id, a.d + duration('P1M') AS x
MATCH (a:A) RETURN a.id AS id, toString(a.d) AS d
MATCH (a:A) RETURN a.id AS id, toString(a.z) AS d
MATCH (a:A) RETURN a.id AS id, date(a.t) AS d
MATCH (a:A) RETURN a.id AS id, a.d.week AS w, a.d.dayOfWeek AS x, a.d.quarter AS q
MATCH (a:A) RETURN a.id AS id, duration.between(a.d, date('2020-03-01')).days AS x
MATCH (a:A) WHERE a.d IN [date('2020-02-29'), null] RETURN a.id AS id
MATCH (a:A) WHERE a.z IN [datetime('2020-01-31T12:30:00+02:00')] RETURN a.id AS id
MATCH (a:A) RETURN max(a.t) AS hi, min(a.d) AS lo
MATCH (a:A) WITH a.z AS z ORDER BY z RETURN collect(z) AS l

// strings
MATCH (a:A) RETURN a.id AS id, a.s AS s, size(a.s) AS n
MATCH (a:A) WHERE a.s = 'it\'s' RETURN a.id AS id
MATCH (a:A) WHERE a.s = "q\"\\x" RETURN a.id AS id
MATCH (a:A) WHERE a.s CONTAINS '\\' RETURN a.id AS id
MATCH (a:A) WHERE a.s CONTAINS '"' RETURN a.id AS id
MATCH (a:A) WHERE a.s CONTAINS '😀' RETURN a.id AS id
MATCH (a:A) WHERE a.s = 'tab\there\nline' RETURN a.id AS id
MATCH (a:A) WHERE a.s = '' RETURN a.id AS id
MATCH (a:A) WHERE a.s STARTS WITH '' RETURN a.id AS id
MATCH (a:A) WHERE a.s = 'Zoe\u0308' RETURN a.id AS id
MATCH (a:A) WHERE a.s < 'b' RETURN a.id AS id
MATCH (a:A) RETURN a.s AS s ORDER BY s
MATCH (a:A) RETURN a.id AS id, toUpper(a.s) AS u, toLower(a.s) AS l
MATCH (a:A) RETURN a.id AS id, substring(a.s, 1, 2) AS x, left(a.s, 2) AS y, right(a.s, 1) AS z
MATCH (a:A) RETURN a.id AS id, replace(a.s, 'a', '$1') AS x
MATCH (a:A) RETURN a.id AS id, replace(a.s, '\\', '/') AS x
MATCH (a:A) RETURN a.id AS id, replace(a.s, '', 'x') AS x
MATCH (a:A) RETURN a.id AS id, split(a.s, 'a') AS x
MATCH (a:A) RETURN a.id AS id, reverse(a.s) AS x
MATCH (a:A) RETURN a.id AS id, trim(a.s) AS x, ltrim(a.s) AS y, rtrim(a.s) AS z
MATCH (a:A) WHERE a.s =~ 'a.*' RETURN a.id AS id
MATCH (a:A) WHERE a.s =~ '(?i)ANN' RETURN a.id AS id
MATCH (a:A) WHERE a.s =~ '.*' RETURN a.id AS id
MATCH (a:A) WHERE a.s =~ '.' RETURN a.id AS id
MATCH (a:A) WHERE NOT a.s =~ '[a-z]+' RETURN a.id AS id
MATCH (a:A) WHERE a.s =~ '\\w+' RETURN a.id AS id
MATCH (a:A) RETURN a.s + '!' + a.s AS x
MATCH (a:A) WHERE a.s + '' = a.s RETURN a.id AS id
MATCH (a:A) RETURN a.id AS id, 'x\u0041\'"\\' AS x, '$t {i} %s' AS y
MATCH (a:A) WHERE toLower(a.s) = 'ann' RETURN a.id AS id

// lists and maps
MATCH (a:A) WHERE 2 IN a.xs RETURN a.id AS id
MATCH (a:A) WHERE a.i IN a.xs RETURN a.id AS id
MATCH (a:A) WHERE NOT a.i IN a.xs RETURN a.id AS id
MATCH (a:A) RETURN a.id AS id, size(a.xs) AS n, a.xs[0] AS first, a.xs[-1] AS last
MATCH (a:A) RETURN a.id AS id, a.xs AS xs, a.ws AS ws
MATCH (a:A) WHERE a.xs = [] RETURN a.id AS id
MATCH (a:A) WHERE a.xs = [1, 2] RETURN a.id AS id
MATCH (a:A) RETURN a.xs AS xs, count(*) AS c
MATCH (a:A) WHERE any(x IN a.xs WHERE x > 2) RETURN a.id AS id
MATCH (a:A) WHERE all(x IN a.xs WHERE x > 0) RETURN a.id AS id
MATCH (a:A) WHERE none(x IN a.xs WHERE x > a.i) RETURN a.id AS id
MATCH (a:A) WHERE single(w IN a.ws WHERE w = 'a') RETURN a.id AS id
MATCH (a:A) RETURN a.id AS id, [x IN a.xs WHERE x > 1 | x * 2] AS l
MATCH (a:A) RETURN a.id AS id, reduce(t = 0, x IN a.xs | t + x) AS s
MATCH (a:A) RETURN a.id AS id, head(a.xs) AS h, last(a.xs) AS l, tail(a.xs) AS t
MATCH (a:A) RETURN a.id AS id, a.xs[1..3] AS l
MATCH (a:A) RETURN a.id AS id, a.xs + 1 AS l
MATCH (a:A) RETURN {id: a.id, i: a.i} AS m
MATCH (a:A) RETURN [a.i, a.f, a.s] AS l
MATCH (a:A) RETURN a AS a
MATCH (a:A)-[r:R]->(b:B) RETURN r AS r
MATCH p = (a:A)-[:S]->(b:B) RETURN p AS p
MATCH (a:A) RETURN collect({i: a.i, s: a.s}) AS l
MATCH (a:A) RETURN a.id AS id, [(a)-[:R]->(b) | b.id] AS l
MATCH (a:A) RETURN a.id AS id, COLLECT { MATCH (a)-[:R]->(b) RETURN b.i } AS l
MATCH (a:A) RETURN a.id AS id, size([(a)-[:S]->(b) WHERE b.i > 0 | b]) AS n
MATCH (a:A) RETURN range(0, a.k) AS r
MATCH (a:A) WITH a, [1, 2, null] AS l WHERE a.i IN l RETURN a.id AS id
MATCH (a:A) RETURN keys(a) AS k, a.id AS id
MATCH (a:A) RETURN properties(a) AS p

// pipelines
MATCH (a:A) WITH a, a.i AS i WHERE i > 1 MATCH (a)-[:R]->(b) RETURN a.id AS a, b.id AS b
MATCH (a:A) WITH DISTINCT a.b AS b MATCH (c:A) WHERE c.b = b RETURN c.id AS id, b
MATCH (a:A) WITH a.b AS b, collect(a) AS l UNWIND l AS x RETURN b, x.id AS id
MATCH (a:A) WITH a LIMIT 0 RETURN count(*) AS c
MATCH (a:A) WITH count(*) AS n MATCH (b:B) RETURN b.id AS id, n
MATCH (a:A) WITH a.i AS i, count(*) AS c RETURN c, count(*) AS n
MATCH (a:A) CALL { WITH a MATCH (a)-[:R]->(b) RETURN count(b) AS c } RETURN a.id AS a, c
MATCH (a:A) CALL { WITH a MATCH (a)-[:R]->(b) RETURN b.id AS b ORDER BY b LIMIT 1 } RETURN a.id AS a, b
MATCH (a:A) WITH a ORDER BY a.id LIMIT 2 MATCH (a)-[:R]->(b) RETURN a.id AS a, b.id AS b
MATCH (a:A) WITH a.i AS x, a.f AS y WHERE x > y RETURN x, y
MATCH (a:A) WITH *, a.i + 1 AS j RETURN a.id AS a, j
MATCH (a:A) WHERE a.i = 1 OR EXISTS { (a)-[:S]->() } RETURN a.id AS id
MATCH (a:A) WHERE NOT EXISTS { (a)-[:R]->(b) WHERE NOT b.i > 1 } RETURN a.id AS id
MATCH (a:A)-[:R]->(b) WITH b, count(a) AS c WHERE c >= 2 MATCH (b)-[:S]->(x) RETURN b.id AS b, c, x.id AS x
MATCH (a:A) WITH a MATCH (b:B) WHERE b.i = a.i WITH a, count(b) AS c RETURN a.id AS a, c
MATCH (a:A) RETURN a.id AS id, EXISTS { (a)-[:S]->(:B {i: 1}) } AS x, NOT (a)-[:S]->() AS y
