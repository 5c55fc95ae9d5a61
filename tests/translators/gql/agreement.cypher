-- Queries over tests/translators/music.schema whose Cypher and GQL must give one answer.
MATCH (p:Person) RETURN p.name, count(*) ORDER BY count(*) DESC, p.name LIMIT 5
MATCH (p:Person) RETURN DISTINCT p.born ORDER BY p.born DESC
MATCH (p:Person) RETURN p.name AS name, p.born AS born ORDER BY born DESC, p.id LIMIT 7
MATCH (p:Person) RETURN p.born AS born, sum(p.id) AS s, avg(p.id) AS a, max(p.id) - min(p.id) AS d
MATCH (p:Person) WHERE p.id > 1000 RETURN sum(p.id) AS s, avg(p.id) AS a, count(p) AS c, collect(p.id) AS l
MATCH (p:Person) WITH p.born AS count, count(*) AS value WHERE value > 1 RETURN count, value ORDER BY value DESC, count
MATCH (p:Person)-[:KNOWS]->(q:Person) WITH p, count(q) AS friends WHERE friends > 1 RETURN p.id AS id, friends
MATCH (p:Person) WITH max(p.born) AS last MATCH (q:Person {born: last}) RETURN q.id AS id
MATCH (a:Person)-[:KNOWS]->(b:Person)-[:KNOWS]->(c:Person) RETURN a.id AS a, c.id AS c
MATCH (a:Person)-[:KNOWS]->(b), (c)-[:KNOWS]->(b) RETURN a.id AS a, c.id AS c
MATCH (a:Person)-[:KNOWS]-(b)-[:KNOWS]-(a) RETURN count(*) AS n
MATCH (a:Person)-[:KNOWS]->(b) MATCH (c)-[:KNOWS]->(b) RETURN count(*) AS n
MATCH (a:Person {id: 1})-[:KNOWS*1..3]->(b) RETURN b.id AS b
MATCH (a:Person {id: 1})-[:KNOWS*0..2]-(b) RETURN b.id AS b
MATCH (a:Person {id: 1})-[k:KNOWS*2]->(b) RETURN size(k) AS n, b.id AS b
MATCH p = (a:Person {id: 2})-[:KNOWS*]->(b:Person {id: 3}) RETURN length(p) AS n
MATCH p = (a:Person)-[:KNOWS*1..2]->(b:Person) RETURN [n IN nodes(p) | coalesce(n.id, 0)] AS ids, size(relationships(p)) AS n
MATCH p = shortestPath((a:Person {id: 1})-[:KNOWS*]-(b:Person)) WHERE b.id <> 1 RETURN b.id AS b, length(p) AS n
MATCH p = allShortestPaths((a:Person {id: 1})-[:KNOWS*]-(b:Person {id: 4})) RETURN length(p) AS n
MATCH (a:Person {id: 1}), (b:Person {id: 5}), p = shortestPath((a)-[:KNOWS*..6]-(b)) RETURN length(p) AS n
MATCH (p:Person) OPTIONAL MATCH (p)-[m:MEMBER_OF]->(b:Band) WHERE m.since > 2 RETURN p.id AS id, b.name AS band
MATCH (p:Person) OPTIONAL MATCH (p)-[:KNOWS]->(q:Person) RETURN p.id AS id, count(q) AS n, collect(q.id) AS l
MATCH (n:Person|Band) RETURN count(*) AS n
MATCH (n) WHERE n:Person AND NOT n:Producer RETURN n.id AS id
MATCH (n:Person&Producer)-[:PRODUCED]->(r) RETURN n.id AS n, r.id AS r
MATCH (a)-[e]->(b) WHERE type(e) = 'KNOWS' OR e:MADE RETURN count(*) AS n
MATCH (a:Person)-[e:KNOWS|PLACED]->(b) RETURN type(e) AS t, count(*) AS n
MATCH (p:Person WHERE p.born > 2)-[k:KNOWS {weight: 1.5}]->(q) RETURN p.id AS p, q.id AS q
MATCH (r:Record) WHERE r.live OR r.seconds IS NULL RETURN r.id AS id
MATCH (r:Record) WHERE NOT (r.live AND r.seconds > 3) RETURN r.id AS id
MATCH (r:Record) WHERE r.live XOR r.seconds > 3 RETURN r.id AS id
MATCH (r:Record) WHERE r.released >= date('2001-06') AND r.released.year < 2003 RETURN r.id AS id
MATCH (r:Record) RETURN r.released.year AS y, r.released.month AS m, count(*) AS n
MATCH (r:Record) WHERE r.released + duration('P1Y') > date('2003-01-01') RETURN r.id AS id
MATCH (r:Record) RETURN r.seconds % 3 AS m, r.seconds / 2 AS d, -r.seconds AS n, r.seconds * 1.5 AS x
MATCH (r:Record) RETURN toString(r.id) + '-' + r.title AS t, toUpper(r.title) AS u, substring(r.title, 1, 2) AS s
MATCH (r:Record) WHERE r.title STARTS WITH 'a' OR r.title ENDS WITH 'b' RETURN r.title AS t
MATCH (r:Record) RETURN CASE WHEN r.seconds > 3 THEN 'long' WHEN r.seconds IS NULL THEN 'unknown' ELSE 'short' END AS k, count(*) AS n
MATCH (r:Record) RETURN coalesce(r.seconds, 0) AS s, CASE r.seconds WHEN 1 THEN 'one' WHEN 2 THEN 'two' END AS w
MATCH (b:Band) WHERE 'rock' IN b.genres RETURN b.name AS name
MATCH (b:Band) WHERE NOT 'rock' IN b.genres RETURN b.name AS name
MATCH (b:Band) RETURN b.name AS name, any(g IN b.genres WHERE g = 'rock') AS a, all(g IN b.genres WHERE g = 'rock') AS l, none(g IN b.genres WHERE g = 'rock') AS n
MATCH (b:Band) WHERE single(g IN b.genres WHERE g = 'rock') RETURN b.name AS name
MATCH (b:Band) RETURN b.genres[0] AS f, b.genres[-1] AS l, size(b.genres) AS n, head(b.genres) AS h
MATCH (b:Band) UNWIND b.genres AS g RETURN g, count(*) AS n
MATCH (b:Band) RETURN b.name AS name, [g IN b.genres WHERE g <> 'rock' | g + '!'] AS l
MATCH (p:Person) RETURN p.id IN [1, 2] AS a, p.born IN [1, null] AS b, NOT p.born IN [3] AS c
UNWIND [1, 2, null] AS x RETURN x, x IN [1] AS a, any(y IN [x, 1] WHERE y = 2) AS b
MATCH (p:Person) WHERE (p)-[:MEMBER_OF]->() AND NOT exists((p)-[:PLACED]->()) RETURN p.id AS id
MATCH (p:Person) WHERE EXISTS { MATCH (p)-[:KNOWS]->(q) WHERE q.born > p.born } RETURN p.id AS id
MATCH (p:Person) RETURN p.id AS id, COUNT { (p)-[:KNOWS]->(:Person)-[:KNOWS]->() } AS n
MATCH (p:Person) RETURN avg(COUNT { (p)-[:KNOWS]->() }) AS v
MATCH (p:Person) RETURN [(p)-[:KNOWS]->(q:Person) | q.id] AS l
MATCH (p:Person) CALL (p) { MATCH (p)-[k:KNOWS]->(q) RETURN q.id AS q ORDER BY k.weight DESC, q LIMIT 1 } RETURN p.id AS p, q
CALL () { MATCH (p:Person) RETURN p.id AS x UNION ALL MATCH (r:Record) RETURN r.id AS x } RETURN x, count(*) AS n
CALL () { MATCH (p:Person) RETURN p.id AS x UNION MATCH (r:Record) WITH r.id AS x, count(*) AS n RETURN x } RETURN x
MATCH (p:Person) RETURN p.id AS x UNION MATCH (r:Record) RETURN r.id AS x
MATCH (p:Person) WITH p ORDER BY p.born DESC, p.id LIMIT 3 MATCH (p)-[:KNOWS]->(q) RETURN p.id AS p, q.id AS q
MATCH (p:Person) WITH p.name AS p MATCH (q:Band) RETURN p, q.name AS q
MATCH (p:Person) WITH collect(p) AS all UNWIND all AS p RETURN p.id AS id
MATCH (p:Person) WITH p.born AS born, collect(p.id) AS ids WHERE size(ids) > 1 RETURN born, ids[0] IS NULL AS none
MATCH (p:Person {id: 1}) RETURN p {.id, .name, twice: p.id * 2} AS m
MATCH (o:Order)-[c:CONTAINS]->(r:Record) RETURN o.total * c.quantity AS t, r.title AS title ORDER BY t DESC, title SKIP 1 LIMIT 4
MATCH (p:Person) RETURN p.born AS x ORDER BY p.born IS NULL, p.born DESC, p.id LIMIT 3
MATCH (p:Person) RETURN p.born AS x ORDER BY x + p.id, p.born DESC, p.name, p.id LIMIT 4
MATCH (r:Record) RETURN r.seconds AS s ORDER BY coalesce(r.seconds, 9) % 3, r.title, r.id LIMIT 5
