// One query a line, over the graphs of benchmarks/hostile_reads.py: where the hard cases meet.

// nulls and three-valued logic, in unusual places
MATCH (a:A) WHERE a.b AND a.i > 0 OR a.f IS NULL XOR a.k = 1 RETURN a.id AS id
MATCH (a:A) RETURN a.id AS id, (a.i > a.k) = (a.f > 0) AS x
MATCH (a:A) RETURN a.id AS id, [a.i, a.k] = [a.k, a.i] AS x
MATCH (a:A) RETURN a.id AS id, [a.i, a.k] <> [a.i, a.k] AS x
MATCH (a:A) WHERE NOT (a.s IN ['a', a.ws[0], null]) RETURN a.id AS id
MATCH (a:A) RETURN a.id AS id, a.i IN a.xs AS x, a.k IN a.xs AS y
MATCH (a:A) RETURN a.id AS id, null IN a.xs AS x, a.i IN [a.k, null, 1] AS y
MATCH (a:A) RETURN a.id AS id, CASE WHEN a.b THEN 1 WHEN NOT a.b THEN 2.5 END AS x
MATCH (a:A) RETURN a.id AS id, CASE WHEN null THEN 1 ELSE a.i END AS x
MATCH (a:A) RETURN a.id AS id, coalesce(a.b, a.i > 0, false) AS x
MATCH (a:A) RETURN a.id AS id, nullIf(a.k, 1) AS x, nullIf(a.s, '') AS y
MATCH (a:A) WHERE all(x IN a.xs WHERE x > a.k) RETURN a.id AS id
MATCH (a:A) WHERE none(x IN a.xs WHERE x = a.k) RETURN a.id AS id
MATCH (a:A) WHERE single(x IN a.xs WHERE x <> a.k) RETURN a.id AS id
MATCH (a:A) RETURN a.id AS id, any(x IN [a.i, a.k, null] WHERE x > 1) AS x, all(x IN [a.i, null] WHERE x > 1) AS y
MATCH (a:A) RETURN a.id AS id, a.k < a.f < a.i AS x
MATCH (a:A) WHERE NOT (a.d < a.t) RETURN a.id AS id
MATCH (a:A) RETURN a.id AS id, a.s < a.i AS x, a.s = a.k AS y, a.b < a.k AS z
MATCH (a:A) RETURN a.id AS id, a.b > false AS x, a.b = true AS y
MATCH (n) RETURN n.id AS id, n.b IS NULL AS x, n.x IS NULL AS y

// empty lists and lists with nulls
MATCH (a:A) RETURN a.id AS id, size(a.xs) AS n, a.xs[0] AS h, a.xs[-1] AS l, head(a.xs) AS hh, last(a.xs) AS ll
MATCH (a:A) RETURN a.id AS id, a.xs[1..] AS x, a.xs[..-1] AS y, a.xs[5..] AS z
MATCH (a:A) WHERE a.xs = [] RETURN a.id AS id
MATCH (a:A) WHERE a.xs <> [] RETURN a.id AS id, a.xs AS xs
MATCH (a:A) RETURN a.xs AS xs, count(*) AS c
MATCH (a:A) RETURN DISTINCT a.ws AS ws
MATCH (a:A) RETURN a.id AS id ORDER BY a.xs, id
MATCH (a:A) RETURN a.id AS id ORDER BY a.xs DESC, id LIMIT 4
MATCH (a:A), (c:A) WHERE a.xs < c.xs RETURN a.id AS a, c.id AS c
MATCH (a:A) RETURN max(a.xs) AS hi, min(a.xs) AS lo
MATCH (a:A) RETURN a.id AS id, a.xs + a.i AS x
MATCH (a:A) RETURN a.id AS id, a.xs + [null] AS x, [] + a.ws AS y
MATCH (a:A) RETURN a.id AS id, [x IN a.xs WHERE x > a.k | x * a.k] AS x
MATCH (a:A) RETURN a.id AS id, reduce(t = 0, x IN a.xs | t * 10 + x) AS x
MATCH (a:A) RETURN a.id AS id, reduce(t = '', x IN a.ws | t + x) AS x
MATCH (a:A) RETURN a.id AS id, reverse(a.xs) AS x, tail(a.xs) AS y
MATCH (a:A) UNWIND a.xs AS x WITH a, x WHERE x > 0 RETURN a.id AS id, collect(x) AS l
MATCH (a:A) UNWIND (CASE WHEN size(a.xs) = 0 THEN [null] ELSE a.xs END) AS x RETURN a.id AS id, x
MATCH (a:A) UNWIND a.xs + [a.i] AS x RETURN x, count(*) AS c
MATCH (a:A) WITH collect(a.i) AS l RETURN size(l) AS n, null IN l AS x
MATCH (a:A) WITH collect(a.xs) AS l RETURN size(l) AS n
MATCH (a:A) WITH a.b AS b, collect(a.k) AS l RETURN b, size(l) AS n, l[0] IS NULL AS e
MATCH (a:A) RETURN a.id AS id, [1, null, a.k][1] AS x, [1, 2][a.k] AS y
MATCH (a:A) RETURN a.id AS id, isEmpty(a.xs) AS x, isEmpty(a.s) AS y
MATCH (a:A) RETURN a.id AS id, range(0, a.k) AS r
MATCH (a:A) RETURN a.id AS id, [[a.k], [a.i]] AS l, [a.k, [a.k]] AS m
MATCH (a:A) RETURN a.id AS id, toIntegerList(a.ws) AS l
MATCH (a:A) RETURN a.id AS id, [1, a.f, a.k] AS l
MATCH (a:A) RETURN a.id AS id, a.xs = a.xs AS x, [a.f] = [a.f] AS y
UNWIND [[], [null], [1], null] AS l RETURN l, size(l) AS n, l = l AS e
UNWIND [[1, null], [1, 2], [1]] AS l RETURN l ORDER BY l
UNWIND [1, 'a', true, null, 2.5, [1], {a: 1}] AS x RETURN x ORDER BY x
UNWIND [1, 'a', true, null, 2.5] AS x RETURN min(x) AS lo, max(x) AS hi, count(x) AS c
UNWIND [1, '1', 1.0, true, 'true', null, null] AS x RETURN DISTINCT x

// numbers at their ends
MATCH (a:A) WHERE a.i > 9007199254740991 RETURN a.id AS id, a.i AS i ORDER BY i, id
MATCH (a:A) RETURN a.id AS id, toFloat(a.i) AS f, toString(a.i) AS s
MATCH (a:A) RETURN a.id AS id, a.i % 10 AS m, a.i / 10 AS d
MATCH (a:A) RETURN a.id AS id, toInteger(toFloat(a.i)) AS i
MATCH (a:A) RETURN a.id AS id, a.i * 1.0 AS f
MATCH (a:A) RETURN a.id AS id, a.f * 0.5 AS f
MATCH (a:A) RETURN a.id AS id, toInteger(a.f) AS i, toInteger(toString(a.k)) AS j
MATCH (a:A) RETURN a.id AS id, a.f ^ 2 AS p, a.k ^ 0.5 AS q, a.k ^ -1 AS r
MATCH (a:A) RETURN a.id AS id, sqrt(a.f) AS s, log(a.f) AS l, exp(a.k) AS e
MATCH (a:A) WHERE abs(a.f) < 1e15 RETURN a.id AS id, round(a.f) AS r, ceil(a.f) AS c, floor(a.f) AS f
MATCH (a:A) RETURN a.id AS id, round(a.f, 1) AS r, round(a.f * 10) / 10 AS q
MATCH (a:A) RETURN a.id AS id, abs(a.k) AS x, sign(a.k) AS y, -a.k AS z, - -a.k AS w
MATCH (a:A) RETURN a.id AS id, a.k / 2 AS x, a.k / 2.0 AS y, a.k % -2 AS z, -7 / 2 AS w
MATCH (a:A) WHERE a.k <> 0 RETURN a.id AS id, 7 / a.k AS x, 7 % a.k AS y, 7.5 / a.k AS z
MATCH (a:A) RETURN sum(a.k) AS s, sum(a.f) AS f, avg(a.k) AS v, stDev(a.k) AS d, stDevP(a.k) AS e
MATCH (a:A) RETURN percentileCont(a.k, 0.3) AS c, percentileDisc(a.k, 0.3) AS d
MATCH (a:A) RETURN percentileCont(a.i, 0.5) AS c, percentileDisc(a.i, 0.9) AS d
MATCH (a:A) RETURN a.id AS id, isNaN(a.f) AS x, a.f = a.f AS y, a.f <> a.f AS z
MATCH (a:A) WHERE a.f > 0 OR a.f <= 0 RETURN a.id AS id
MATCH (a:A) WHERE NOT a.f > 0 RETURN a.id AS id
MATCH (a:A) RETURN a.id AS id, a.f + a.i AS x, a.f - a.f AS y
MATCH (a:A) RETURN max(a.f) AS hi, min(a.f) AS lo, count(a.f) AS c
MATCH (a:A) RETURN a.f AS f, count(*) AS c ORDER BY f DESC, c
MATCH (a:A) WITH a ORDER BY a.f DESC, a.id LIMIT 3 RETURN a.id AS id, a.f AS f
MATCH (a:A) RETURN a.id AS id, CASE WHEN a.f > 1 THEN 'over' WHEN a.f <= 1 THEN 'under' ELSE 'none' END AS c
MATCH (a:A) RETURN a.id AS id, a.f IN [a.f] AS x, a.f IN [1.5, 2] AS y
MATCH (a:A), (c:A) WHERE a.f = c.f RETURN a.id AS a, c.id AS c
MATCH (a:A), (c:A) WHERE a.f >= c.f AND a.id <> c.id RETURN a.id AS a, c.id AS c
MATCH (a:A) RETURN a.id AS id, toBoolean(a.k) AS x, toBoolean(a.s) AS y
MATCH (a:A) RETURN a.id AS id, toFloat(a.s) AS f, toInteger(a.s) AS i

// mixed types under one name
MATCH (n) RETURN n.m AS m, count(*) AS c
MATCH (n) WHERE n.m = '1' OR n.m = 1 RETURN n.id AS id
MATCH (n) WHERE n.m IN ['1', 2] RETURN n.id AS id
MATCH (n) WHERE n.m > 0 RETURN n.id AS id
MATCH (n) WHERE n.m > '0' RETURN n.id AS id
MATCH (n) WHERE NOT n.m > 0 RETURN n.id AS id
MATCH (n) RETURN n.id AS id ORDER BY n.m, id
MATCH (n) RETURN n.id AS id ORDER BY n.m DESC, id LIMIT 5
MATCH (n) RETURN max(n.m) AS hi, min(n.m) AS lo
MATCH (n) RETURN n.id AS id, toString(n.m) AS s
MATCH (n), (q) WHERE n.m = q.m AND n.id < q.id RETURN n.id AS a, q.id AS b
MATCH (n) WITH n.m AS m WHERE m IS NOT NULL RETURN m, m = 1 AS x, m = '1' AS y, m <> 1 AS z
MATCH (n) WITH collect(n.m) AS l RETURN 1 IN l AS x, '1' IN l AS y, 12345 IN l AS z
MATCH (n) RETURN n.id AS id, CASE n.m WHEN 1 THEN 'one' WHEN '1' THEN 'text' ELSE 'other' END AS c
MATCH (n) RETURN n.id AS id, coalesce(n.m, n.x, n.i) AS x
MATCH (n) RETURN n.id AS id, coalesce(n.x, n.f) = coalesce(n.f, n.x) AS x
MATCH (n) RETURN n.id AS id, [n.m, n.i] AS l
MATCH (n) RETURN n.id AS id, {m: n.m, i: n.i} AS o
MATCH (n) RETURN n.id AS id, properties(n).i AS x, n['k'] AS y
MATCH (n) RETURN n.id AS id, size(keys(n)) AS k
MATCH (n) RETURN labels(n) AS l, count(n.m) AS c, count(DISTINCT n.m) AS d

// offsets and dates
MATCH (a:A), (c:A) WHERE a.z = c.z AND a.id < c.id RETURN a.id AS a, c.id AS c
MATCH (a:A), (c:A) WHERE a.z <= c.z AND a.id <> c.id RETURN a.id AS a, c.id AS c
MATCH (a:A) RETURN a.z AS z, count(*) AS c
MATCH (a:A) RETURN DISTINCT a.z AS z
MATCH (a:A) RETURN count(DISTINCT a.z) AS c, min(a.z) AS lo, max(a.z) AS hi
MATCH (a:A) RETURN a.id AS id, a.z IN [datetime('2020-01-31T10:30Z')] AS x
MATCH (a:A) RETURN a.id AS id, a.z.hour AS h, a.z.offset AS o, a.z.epochSeconds AS e
MATCH (a:A) RETURN a.id AS id, toString(a.z) AS s, toString(a.t) AS t, toString(a.d) AS d
MATCH (a:A) RETURN a.id AS id, date(a.z) AS d, localdatetime(a.z) AS l
MATCH (a:A) WHERE a.d < date('9000-01-01') RETURN a.id AS id, a.d + duration('P1M') AS x, a.t - duration('PT36H') AS y
MATCH (a:A) RETURN a.id AS id, a.z + duration('P1M') AS x, a.z - duration({hours: 25}) AS y
MATCH (a:A) RETURN a.id AS id, duration.between(a.d, a.t) AS x, duration.inDays(a.d, date('2020-03-01')) AS y
MATCH (a:A) RETURN a.id AS id, a.d.week AS w, a.d.weekYear AS y, a.d.ordinalDay AS o, a.d.quarter AS q
MATCH (a:A) RETURN a.id AS id, date.truncate('month', a.d) AS m, datetime.truncate('day', a.z) AS d
MATCH (a:A) WHERE a.d > date('2020-01-01') AND a.t < localdatetime('2020-02-01T00:00') RETURN a.id AS id
MATCH (a:A) RETURN a.d.year AS y, count(*) AS c, collect(a.d.month) AS l
MATCH (a:A) RETURN a.id AS id, a.d = a.t AS x, a.t = a.z AS y, a.d < a.z AS z
MATCH (a:A)-[r:S]->(c) RETURN a.id AS id, r.at AS at, r.at < a.d AS x, duration.between(r.at, a.d).days AS y
MATCH (a:A) WITH a.z AS z ORDER BY z RETURN collect(z) AS l
UNWIND [datetime('2020-01-01T00:00Z'), datetime('2020-01-01T01:00+01:00')] AS x RETURN x, count(*) AS c
UNWIND [duration('P1M'), duration('P30D'), duration('P12M'), duration('P1Y')] AS x RETURN DISTINCT x
UNWIND [duration('P1M'), duration('P30D'), duration('P12M'), duration('P1Y')] AS x RETURN x ORDER BY x

// texts
MATCH (a:A) RETURN a.id AS id, size(a.s) AS n, reverse(a.s) AS r, left(a.s, 2) AS l, right(a.s, 1) AS q
MATCH (a:A) RETURN a.id AS id, substring(a.s, 1) AS x, substring(a.s, 0, 1) AS y
MATCH (a:A) RETURN a.id AS id, split(a.s, 'a') AS x, replace(a.s, 'b', 'a') AS y
MATCH (a:A) RETURN a.id AS id, toUpper(a.s) AS u, toLower(a.s) AS l, trim(a.s) AS t
MATCH (a:A) WHERE a.s CONTAINS '' AND a.s STARTS WITH '' RETURN a.id AS id
MATCH (a:A) WHERE a.s =~ '.*' RETURN a.id AS id
MATCH (a:A) WHERE a.s =~ '(?i)an+' OR a.s =~ '\\d+' RETURN a.id AS id
MATCH (a:A) RETURN a.s AS s, count(*) AS c ORDER BY s DESC, c LIMIT 3
MATCH (a:A), (c:B) WHERE a.s < c.s RETURN a.id AS a, c.id AS c
MATCH (a:A) UNWIND a.ws AS w RETURN w, count(*) AS c ORDER BY w
MATCH (a:A) RETURN a.id AS id, a.s + a.k AS x, a.k + a.s AS y, a.s + a.b AS z
MATCH (a:A) RETURN min(a.s) AS lo, max(a.s) AS hi, max(size(a.s)) AS n

// clauses that meet
MATCH (a:A) WITH a.b AS b, count(*) AS c ORDER BY c DESC, b LIMIT 1 MATCH (x:A) WHERE x.b = b RETURN x.id AS id
MATCH (a:A) OPTIONAL MATCH (a)-[r:S]->(c:B) WITH a, collect(c.x) AS l RETURN a.id AS id, size(l) AS n, l = [] AS e
MATCH (a:A) OPTIONAL MATCH (a)-[r:R]->(c) WITH a, r ORDER BY r.w, r.k, a.id RETURN a.id AS id, collect(r.w) AS l
MATCH (a:A) RETURN a.id AS id, COUNT { (a)-[:R]->(c) WHERE c.i > a.i } AS n
MATCH (a:A) WHERE EXISTS { (a)-[:R]->(c) WHERE c.m = a.m OR c.i IS NULL } RETURN a.id AS id
MATCH (a:A) WHERE NOT EXISTS { (a)-[:R]->(c) WHERE NOT c.i > 0 } RETURN a.id AS id
MATCH (a:A) RETURN a.id AS id, [(a)-[r:R]->(c) WHERE r.w > 0 | c.i] AS l
MATCH (a:A) RETURN a.id AS id, COLLECT { MATCH (a)-[r:R]->(c) RETURN c.k ORDER BY c.k, c.id LIMIT 2 } AS l
MATCH (a:A) CALL (a) { MATCH (a)-[r:R]->(c) RETURN sum(r.w) AS s, count(*) AS n } RETURN a.id AS id, s, n
MATCH (a:A) CALL (a) { OPTIONAL MATCH (a)-[r:S]->(c) RETURN max(c.x) AS s } RETURN a.id AS id, s
MATCH (a:A) CALL (a) { RETURN a.i AS x UNION RETURN a.k AS x } RETURN a.id AS id, x
MATCH (a:A)-[r:R*1..2]->(c) RETURN a.id AS a, c.id AS c, reduce(t = 0, e IN r | t + e.w) AS s
MATCH p = (a:A)-[:R*1..2]->(c:A) WHERE all(n IN nodes(p) WHERE n.k >= 0) RETURN [n IN nodes(p) | n.id] AS l
MATCH (a:A) RETURN DISTINCT a.b AS b, a.k > 0 AS p ORDER BY b, p
MATCH (a:A) WITH DISTINCT a.k AS k ORDER BY k DESC SKIP 1 LIMIT 2 RETURN collect(k) AS l
MATCH (a:A) WITH a.k AS k, avg(a.f) AS v WHERE v > 0 OR v IS NULL RETURN k, v
MATCH (a:A) WITH a.k AS k, count(a.s) AS c, max(a.i) AS m RETURN sum(c) AS s, max(m) AS hi
MATCH (a:A) WITH max(a.k) AS m MATCH (c:A {k: m}) RETURN c.id AS id
MATCH (a:A), (c:B) WHERE a.i = c.i OR (a.i IS NULL AND c.i IS NULL) RETURN a.id AS a, c.id AS c
MATCH (a:A) OPTIONAL MATCH (c:B {i: a.i}) RETURN a.id AS a, c.id AS c
MATCH (a:A) OPTIONAL MATCH (c:B) WHERE c.x = a.f AND c.s = a.s RETURN a.id AS a, count(c) AS n
MATCH (a:A)-[r:R]->(c) WHERE r.w = a.k RETURN a.id AS a, c.id AS c, type(r) AS t
MATCH (a:A)-[:R]->(c)<-[:R]-(d:A) WHERE a.id < d.id RETURN a.id AS a, d.id AS d, count(DISTINCT c) AS n
MATCH (a:A) WITH a, a.i AS i ORDER BY i DESC, a.id WITH collect(a.id)[0..3] AS l RETURN l
UNWIND [null, 1] AS x OPTIONAL MATCH (a:A {k: x}) RETURN x, count(a) AS n
UNWIND [] AS x RETURN count(x) AS c, sum(x) AS s, collect(x) AS l
