// One plain query for each construct, over music.schema: the rows of docs/coverage.md. A heading
// is `// # heading`; a row is `name: query`. Every function that the binder knows has a row.

// # Clauses
match: MATCH (p:Person) RETURN p.name AS name
several patterns: MATCH (p:Person), (b:Band) RETURN p.name AS name, b.name AS band
optional match: MATCH (p:Person) OPTIONAL MATCH (p)-[:MEMBER_OF]->(b:Band) RETURN p.name AS name, b.name AS band
optional match with a condition: MATCH (p:Person) OPTIONAL MATCH (p)-[:KNOWS]->(q:Person) WHERE q.born > p.born RETURN p.name AS name, q.name AS other
where: MATCH (p:Person) WHERE p.born > 1950 RETURN p.name AS name
with: MATCH (p:Person) WITH p.name AS name RETURN name
with where: MATCH (p:Person)-[:MEMBER_OF]->(b:Band) WITH b, count(*) AS n WHERE n > 2 RETURN b.name AS band, n
with order and limit: MATCH (p:Person) WITH p ORDER BY p.id LIMIT 3 MATCH (p)-[:KNOWS]->(q:Person) RETURN q.name AS name
distinct: MATCH (p:Person) RETURN DISTINCT p.born AS born
grouping: MATCH (p:Person)-[:MEMBER_OF]->(b:Band) RETURN b.name AS band, count(p) AS n
order by: MATCH (p:Person) RETURN p.name AS name ORDER BY name
order by what is not returned: MATCH (p:Person) RETURN p.name AS name ORDER BY p.born DESC
skip and limit: MATCH (p:Person) RETURN p.name AS name ORDER BY p.id SKIP 2 LIMIT 3
unwind: UNWIND [1, 2, 3] AS n RETURN n
unwind of a property: MATCH (b:Band) UNWIND b.genres AS genre RETURN genre, count(*) AS n
union: MATCH (p:Person) RETURN p.name AS name UNION MATCH (b:Band) RETURN b.name AS name
union all: MATCH (p:Person) RETURN p.name AS name UNION ALL MATCH (b:Band) RETURN b.name AS name
call subquery: MATCH (b:Band) CALL (b) { MATCH (b)-[:MADE]->(r:Record) RETURN count(r) AS n } RETURN b.name AS band, n
procedure: CALL db.labels() YIELD label RETURN label
procedure of the user's: CALL risk(3) YIELD score RETURN score
returned node: MATCH (b:Band) RETURN b
returned edge: MATCH (:Person)-[k:KNOWS]->(:Person) RETURN k
returned path: MATCH p = (:Person)-[:KNOWS]->(:Person) RETURN p

// # Writes
create: CREATE (:Band {name: 'x'})
create beside what is there: MATCH (b:Band) CREATE (b)-[:MADE {sales: 1}]->(:Record {id: 1})
set a property: MATCH (b:Band) SET b.founded = date('1970-01-01')
set a label: MATCH (p:Person) SET p:Producer
set all properties: MATCH (b:Band) SET b = {name: 'x'}
set all properties from a parameter: MATCH (b:Band) SET b = $properties
set what several rows may share: MATCH (b:Band)-[:MADE]->(r:Record) SET r.title = b.name
remove: MATCH (b:Band) REMOVE b.founded
delete: MATCH (:Person)-[k:KNOWS]->(:Person) DELETE k
detach delete: MATCH (b:Band) DETACH DELETE b
merge: MERGE (b:Band {name: 'x'})
foreach at the end: FOREACH (n IN [1, 2] | CREATE (:Order {id: n}))
option of a server: CYPHER runtime=slotted MATCH (p:Person) RETURN p.name AS name
load csv: LOAD CSV FROM 'bands.csv' AS line CREATE (:Band {name: line[0]})

// # Patterns
directed edge: MATCH (p:Person)-[:KNOWS]->(q:Person) RETURN q.name AS name
undirected edge: MATCH (p:Person)-[:KNOWS]-(q:Person) RETURN q.name AS name
edge of any type: MATCH (p:Person)-[k]->(x) RETURN p.name AS name, count(*) AS n
one edge type or another: MATCH (p:Person)-[:PLACED|MEMBER_OF]->(x) RETURN p.name AS name
two edges, unique: MATCH (a:Person)-[:KNOWS]->(b:Person)-[:KNOWS]->(c:Person) RETURN a.name AS a, c.name AS c
cycle: MATCH (a:Person)-[:KNOWS]->(b:Person)-[:KNOWS]->(a) RETURN a.name AS a
property map: MATCH (p:Person {born: 1950}) RETURN p.name AS name
condition inside a node: MATCH (p:Person WHERE p.born > 1950) RETURN p.name AS name
label or: MATCH (x:Person|Band) RETURN x.name AS name
label and: MATCH (x:Person&Producer) RETURN x.name AS name
any label: MATCH (x:%) RETURN count(*) AS n
label not: MATCH (x:!Order) RETURN count(*) AS n
variable length, bounded: MATCH (a:Person)-[:KNOWS*1..3]->(b:Person) RETURN a.name AS a, b.name AS b
variable length, open: MATCH (a:Person)-[:KNOWS*]->(b:Person) RETURN a.name AS a, b.name AS b
variable length from zero: MATCH (a:Person)-[:KNOWS*0..2]->(b:Person) RETURN a.name AS a, b.name AS b
quantified edge: MATCH (a:Person) (()-[:KNOWS]->()){1,3} (b:Person) RETURN a.name AS a, b.name AS b
quantified path: MATCH (a:Person) ((x:Person)-[:KNOWS]->(y:Person)){1,3} (b:Person) RETURN a.name AS a, b.name AS b
shortest path: MATCH p = shortestPath((a:Person {id: 1})-[:KNOWS*]->(b:Person {id: 2})) RETURN length(p) AS n
shortest path as a value: MATCH (a:Person {id: 1}), (b:Person {id: 2}) RETURN shortestPath((a)-[:KNOWS*..3]->(b)) IS NULL AS apart
all shortest paths: MATCH p = allShortestPaths((a:Person {id: 1})-[:KNOWS*]->(b:Person {id: 2})) RETURN length(p) AS n

// # Predicates and subqueries
equality: MATCH (p:Person) WHERE p.name = 'Ann' RETURN p.born AS born
inequality: MATCH (p:Person) WHERE p.name <> 'Ann' RETURN p.born AS born
and, or, not: MATCH (p:Person) WHERE NOT (p.born > 1950 OR p.born < 1900) AND p.id > 1 RETURN p.name AS name
xor: MATCH (p:Person) WHERE p.born > 1950 XOR p.id > 3 RETURN p.name AS name
is null: MATCH (p:Person) WHERE p.email IS NULL RETURN p.name AS name
in a list: MATCH (p:Person) WHERE p.born IN [1950, 1960] RETURN p.name AS name
in a list property: MATCH (b:Band) WHERE 'jazz' IN b.genres RETURN b.name AS name
starts with: MATCH (p:Person) WHERE p.name STARTS WITH 'A' RETURN p.name AS name
ends with: MATCH (p:Person) WHERE p.name ENDS WITH 'n' RETURN p.name AS name
contains: MATCH (p:Person) WHERE p.name CONTAINS 'nn' RETURN p.name AS name
regular expression: MATCH (p:Person) WHERE p.name =~ 'A.*' RETURN p.name AS name
label test: MATCH (x) WHERE x:Person RETURN count(*) AS n
exists subquery: MATCH (p:Person) WHERE EXISTS { (p)-[:MEMBER_OF]->(:Band) } RETURN p.name AS name
pattern as a condition: MATCH (p:Person) WHERE NOT (p)-[:MEMBER_OF]->(:Band) RETURN p.name AS name
exists with a condition: MATCH (p:Person) WHERE EXISTS { MATCH (p)-[:KNOWS]->(q:Person) WHERE q.born > p.born } RETURN p.name AS name
count subquery: MATCH (p:Person) WHERE COUNT { (p)-[:KNOWS]->(:Person) } > 2 RETURN p.name AS name
collect subquery: MATCH (p:Person) RETURN p.name AS name, COLLECT { MATCH (p)-[:KNOWS]->(q:Person) RETURN q.name ORDER BY q.id } AS known
collect subquery in no order: MATCH (p:Person) RETURN p.name AS name, COLLECT { MATCH (p)-[:KNOWS]->(q:Person) RETURN q.id } AS known
all of a list: MATCH (b:Band) WHERE all(g IN b.genres WHERE g <> 'pop') RETURN b.name AS name
any of a list: MATCH (b:Band) WHERE any(g IN b.genres WHERE g = 'pop') RETURN b.name AS name
any of a list that is written: MATCH (p:Person) WHERE any(x IN [1, 2] WHERE x = p.id) RETURN p.name AS name
none of a list: MATCH (b:Band) WHERE none(g IN b.genres WHERE g = 'pop') RETURN b.name AS name
single of a list: MATCH (b:Band) WHERE single(g IN b.genres WHERE g = 'pop') RETURN b.name AS name

// # Expressions
arithmetic: MATCH (r:Record) RETURN r.id + 2 * r.id - 1 AS n
division of integers: MATCH (r:Record) RETURN r.seconds / 60 AS minutes
division of floats: MATCH (o:Order) RETURN o.total / 1.5 AS net
negative of a value: MATCH (r:Record) RETURN -r.seconds AS seconds
remainder: MATCH (r:Record) RETURN r.seconds % 60 AS seconds
power: MATCH (r:Record) RETURN r.id ^ 2 AS n
concatenation: MATCH (p:Person) RETURN p.name + '!' AS name
list concatenation: MATCH (b:Band) RETURN b.genres + ['pop'] AS genres
case: MATCH (p:Person) RETURN CASE WHEN p.born > 1950 THEN 'young' ELSE 'old' END AS age
case that goes on with its operand: MATCH (p:Person) RETURN CASE p.born WHEN > 1950 THEN 'young' WHEN IS NULL THEN 'unknown' ELSE 'old' END AS age
simple case: MATCH (p:Person) RETURN CASE p.born WHEN 1950 THEN 'fifty' ELSE 'other' END AS age
parameter as a value: RETURN $year AS year
parameter: MATCH (p:Person) WHERE p.born = $year RETURN p.name AS name
list: MATCH (p:Person) RETURN [p.id, 0] AS ids
map: MATCH (p:Person) RETURN {name: p.name, born: p.born} AS person
map projection: MATCH (p:Person) RETURN p {.name, .born} AS person
index of a list that is written: RETURN [1, 2, 3][0] AS first
slice of a list that is written: RETURN [1, 2, 3][0..2] AS some
index: MATCH (b:Band) RETURN b.genres[0] AS first
slice: MATCH (b:Band) RETURN b.genres[0..2] AS some
list comprehension: MATCH (b:Band) RETURN [g IN b.genres WHERE g <> 'pop' | toUpper(g)] AS genres
pattern comprehension: MATCH (p:Person) RETURN p.name AS name, [(p)-[:KNOWS]->(q:Person) | q.name] AS known
reduce: MATCH (b:Band) RETURN reduce(text = '', g IN b.genres | text + g) AS text
date component: MATCH (r:Record) RETURN r.released.year AS year
comparison of dates: MATCH (r:Record) WHERE r.released >= date('1990-01-01') RETURN r.title AS title
date plus duration: MATCH (r:Record) RETURN r.released + duration('P1M') AS later

// # Aggregates
count of rows: MATCH (p:Person) RETURN count(*) AS n
count: MATCH (p:Person) RETURN count(p.email) AS n
count distinct: MATCH (p:Person) RETURN count(DISTINCT p.born) AS n
sum: MATCH (o:Order) RETURN sum(o.total) AS total
avg: MATCH (o:Order) RETURN avg(o.total) AS total
min: MATCH (p:Person) RETURN min(p.born) AS born
max: MATCH (p:Person) RETURN max(p.born) AS born
collect: MATCH (p:Person) RETURN collect(p.name) AS names
percentileCont: MATCH (o:Order) RETURN percentileCont(o.total, 0.5) AS median
percentileDisc: MATCH (o:Order) RETURN percentileDisc(o.total, 0.5) AS median
stDev: MATCH (o:Order) RETURN stDev(o.total) AS deviation
stDevP: MATCH (o:Order) RETURN stDevP(o.total) AS deviation

// # Functions of text
btrim: MATCH (p:Person) RETURN btrim(p.name) AS x
left: MATCH (p:Person) RETURN left(p.name, 2) AS x
ltrim: MATCH (p:Person) RETURN ltrim(p.name) AS x
normalize: MATCH (p:Person) RETURN normalize(p.name) AS x
replace: MATCH (p:Person) RETURN replace(p.name, 'a', 'b') AS x
reverse: MATCH (p:Person) RETURN reverse(p.name) AS x
right: MATCH (p:Person) RETURN right(p.name, 2) AS x
rtrim: MATCH (p:Person) RETURN rtrim(p.name) AS x
size: MATCH (p:Person) RETURN size(p.name) AS x
split: MATCH (p:Person) RETURN split(p.name, ' ') AS x
substring: MATCH (p:Person) RETURN substring(p.name, 1, 2) AS x
toLower: MATCH (p:Person) RETURN toLower(p.name) AS x
toUpper: MATCH (p:Person) RETURN toUpper(p.name) AS x
trim: MATCH (p:Person) RETURN trim(p.name) AS x

// # Functions of numbers
abs: MATCH (o:Order) RETURN abs(o.total) AS x
acos: MATCH (o:Order) RETURN acos(o.total) AS x
asin: MATCH (o:Order) RETURN asin(o.total) AS x
atan: MATCH (o:Order) RETURN atan(o.total) AS x
atan2: MATCH (o:Order) RETURN atan2(o.total, 2.0) AS x
ceil: MATCH (o:Order) RETURN ceil(o.total) AS x
cos: MATCH (o:Order) RETURN cos(o.total) AS x
cosh: MATCH (o:Order) RETURN cosh(o.total) AS x
cot: MATCH (o:Order) RETURN cot(o.total) AS x
coth: MATCH (o:Order) RETURN coth(o.total) AS x
degrees: MATCH (o:Order) RETURN degrees(o.total) AS x
e: RETURN e() AS x
exp: MATCH (o:Order) RETURN exp(o.total) AS x
floor: MATCH (o:Order) RETURN floor(o.total) AS x
haversin: MATCH (o:Order) RETURN haversin(o.total) AS x
isNaN: MATCH (o:Order) RETURN isNaN(o.total) AS x
log: MATCH (o:Order) RETURN log(o.total) AS x
log10: MATCH (o:Order) RETURN log10(o.total) AS x
pi: RETURN pi() AS x
radians: MATCH (o:Order) RETURN radians(o.total) AS x
rand: RETURN rand() AS x
round: MATCH (o:Order) RETURN round(o.total) AS x
round to places: MATCH (o:Order) RETURN round(o.total, 2) AS x
sign: MATCH (o:Order) RETURN sign(o.total) AS x
sin: MATCH (o:Order) RETURN sin(o.total) AS x
sinh: MATCH (o:Order) RETURN sinh(o.total) AS x
sqrt: MATCH (o:Order) RETURN sqrt(o.total) AS x
tan: MATCH (o:Order) RETURN tan(o.total) AS x
tanh: MATCH (o:Order) RETURN tanh(o.total) AS x

// # Functions of lists
head: MATCH (b:Band) RETURN head(b.genres) AS x
isEmpty: MATCH (b:Band) WHERE isEmpty(b.genres) RETURN b.name AS x
last: MATCH (b:Band) RETURN last(b.genres) AS x
range: RETURN range(1, 3) AS x
reverse of a list: MATCH (b:Band) RETURN reverse(b.genres) AS x
size of a list: MATCH (b:Band) RETURN size(b.genres) AS x
tail: MATCH (b:Band) RETURN tail(b.genres) AS x
toBooleanList: RETURN toBooleanList(['true']) AS x
toFloatList: RETURN toFloatList(['1.5']) AS x
toIntegerList: RETURN toIntegerList(['1']) AS x
toStringList: MATCH (b:Band) RETURN toStringList(b.genres) AS x

// # Functions of elements and paths
elementId: MATCH (p:Person) WITH p, elementId(p) AS x RETURN count(DISTINCT x) AS n
endNode: MATCH (:Person)-[k:KNOWS]->(:Person) RETURN endNode(k).name AS x
id: MATCH (p:Person) WITH p, id(p) AS x RETURN count(DISTINCT x) AS n
keys: MATCH (b:Band) RETURN keys(b) AS x
labels: MATCH (p:Person) RETURN labels(p) AS x
length: MATCH p = (:Person)-[:KNOWS*1..3]->(:Person) RETURN length(p) AS x
nodes: MATCH p = (:Person)-[:KNOWS]->(:Person) RETURN [n IN nodes(p) | n.name] AS x
properties: MATCH (b:Band) RETURN properties(b) AS x
relationships: MATCH p = (:Person)-[:KNOWS]->(:Person) RETURN [k IN relationships(p) | k.weight] AS x
startNode: MATCH (:Person)-[k:KNOWS]->(:Person) RETURN startNode(k).name AS x
type: MATCH (:Person)-[k]->() RETURN type(k) AS x

// # Conversions and other functions
coalesce: MATCH (p:Person) RETURN coalesce(p.email, 'none') AS x
exists: MATCH (p:Person) WHERE exists((p)-[:KNOWS]->()) RETURN p.name AS x
nullIf: MATCH (p:Person) RETURN nullIf(p.name, 'Ann') AS x
point: RETURN point({x: 1.0, y: 2.0}) AS x
point.distance: RETURN point.distance(point({x: 1.0, y: 2.0}), point({x: 1.0, y: 3.0})) AS x
point.withinBBox: WITH point({x: 1.0, y: 2.0}) AS p RETURN point.withinBBox(p, p, p) AS x
randomUUID: RETURN randomUUID() AS x
timestamp: RETURN timestamp() AS x
toBoolean: MATCH (p:Person) RETURN toBoolean(p.name) AS x
toBooleanOrNull: MATCH (p:Person) RETURN toBooleanOrNull(p.name) AS x
toFloat of an integer: MATCH (p:Person) RETURN toFloat(p.id) AS x
toFloat: MATCH (p:Person) RETURN toFloat(p.name) AS x
toFloatOrNull: MATCH (p:Person) RETURN toFloatOrNull(p.name) AS x
toInteger of a float: MATCH (o:Order) RETURN toInteger(o.total) AS x
toInteger: MATCH (p:Person) RETURN toInteger(p.name) AS x
toIntegerOrNull: MATCH (p:Person) RETURN toIntegerOrNull(p.name) AS x
toString of an integer: MATCH (p:Person) RETURN toString(p.id) AS x
toString: MATCH (o:Order) RETURN toString(o.total) AS x
toStringOrNull: MATCH (p:Person) RETURN toStringOrNull(p.id) AS x
valueType: MATCH (p:Person) RETURN valueType(p.name) AS x
vector.similarity.cosine: RETURN vector.similarity.cosine([1.0, 2.0], [2.0, 3.0]) AS x
vector.similarity.euclidean: RETURN vector.similarity.euclidean([1.0, 2.0], [2.0, 3.0]) AS x

// # Functions of dates and times
date: RETURN date('2024-02-29') AS x
date now: RETURN date() AS x
date of parts: RETURN date({year: 2024, month: 2, day: 29}) AS x
date.realtime: RETURN date.realtime() AS x
date.statement: RETURN date.statement() AS x
date.transaction: RETURN date.transaction() AS x
date.truncate: MATCH (r:Record) RETURN date.truncate('month', r.released) AS x
datetime: RETURN datetime('2024-02-29T10:00:00Z') AS x
datetime.fromEpoch: RETURN datetime.fromEpoch(1700000000, 0) AS x
datetime.fromEpochMillis: RETURN datetime.fromEpochMillis(1700000000000) AS x
datetime.realtime: RETURN datetime.realtime() AS x
datetime.statement: RETURN datetime.statement() AS x
datetime.transaction: RETURN datetime.transaction() AS x
datetime.truncate: RETURN datetime.truncate('hour', datetime('2024-02-29T10:11:00Z')) AS x
duration: RETURN duration('P1Y2M3DT4H') AS x
duration of parts: RETURN duration({days: 3, hours: 4}) AS x
duration.between: MATCH (r:Record) RETURN duration.between(r.released, date('2024-01-01')) AS x
duration.inDays: MATCH (r:Record) RETURN duration.inDays(r.released, date('2024-01-01')).days AS x
duration.inMonths: MATCH (r:Record) RETURN duration.inMonths(r.released, date('2024-01-01')).months AS x
duration.inSeconds: MATCH (r:Record) RETURN duration.inSeconds(r.released, date('2024-01-01')).seconds AS x
localdatetime: RETURN localdatetime('2024-02-29T10:00:00') AS x
localdatetime.realtime: RETURN localdatetime.realtime() AS x
localdatetime.statement: RETURN localdatetime.statement() AS x
localdatetime.transaction: RETURN localdatetime.transaction() AS x
localdatetime.truncate: RETURN localdatetime.truncate('hour', localdatetime('2024-02-29T10:11:00')) AS x
localtime: RETURN localtime('10:00:00') AS x
localtime.realtime: RETURN localtime.realtime() AS x
localtime.statement: RETURN localtime.statement() AS x
localtime.transaction: RETURN localtime.transaction() AS x
localtime.truncate: RETURN localtime.truncate('hour', localtime('10:11:00')) AS x
time: RETURN time('10:00:00+01:00') AS x
time.realtime: RETURN time.realtime() AS x
time.statement: RETURN time.statement() AS x
time.transaction: RETURN time.transaction() AS x
time.truncate: RETURN time.truncate('hour', time('10:11:00+01:00')) AS x
