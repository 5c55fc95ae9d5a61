-- One harder query of each operator of query evolution over tests/generators/queries/stages.py:
-- the operator, the parent, the query. Each was read: the step makes sense, and can be said.

-- operator: summarise
MATCH (p:Play) WHERE p.genre = 'comedy' RETURN p.title
MATCH (p:Play) WHERE p.genre = 'comedy' RETURN avg(p.ticket_price) AS average_ticket_price

-- operator: count-values
MATCH (p:Play)-[:HAS_THEATRE]->(t:Theatre) WHERE t.open_air = true RETURN p.title
MATCH (p:Play)-[:HAS_THEATRE]->(t:Theatre) WHERE t.open_air = true RETURN count(DISTINCT p.genre) AS different_genres

-- operator: group-by-value
MATCH (p:Play)-[:HAS_THEATRE]->(t:Theatre) WHERE t.open_air = true RETURN p.title
MATCH (p:Play)-[:HAS_THEATRE]->(t:Theatre) WHERE t.open_air = true RETURN p.genre, count(p) AS plays

-- operator: group-by-node
MATCH (p:Play)-[:HAS_THEATRE]->(t:Theatre) WHERE t.open_air = true RETURN p.title
MATCH (p:Play)-[:HAS_THEATRE]->(t:Theatre) WHERE t.open_air = true WITH t, count(p) AS plays RETURN t.name, plays

-- operator: filter-groups
MATCH (p:Play)-[:HAS_THEATRE]->(t:Theatre) WITH t, count(p) AS plays RETURN t.name, plays
MATCH (p:Play)-[:HAS_THEATRE]->(t:Theatre) WITH t, count(p) AS plays WHERE plays >= 3 RETURN t.name, plays

-- operator: average-groups
MATCH (p:Play)-[:HAS_THEATRE]->(t:Theatre) WITH t, count(p) AS plays RETURN t.name, plays
MATCH (p:Play)-[:HAS_THEATRE]->(t:Theatre) WITH t, count(p) AS plays RETURN avg(plays) AS average_plays

-- operator: share
MATCH (p:Play) WHERE p.genre = 'comedy' RETURN p.title
MATCH (p:Play) WHERE p.genre = 'comedy' RETURN 100.0 * sum(CASE WHEN p.ticket_price > 10 THEN 1 ELSE 0 END) / count(*) AS percentage

-- operator: compare-with-average
MATCH (p:Play) WHERE p.genre = 'comedy' RETURN p.title
MATCH (other_play:Play) WITH avg(other_play.ticket_price) AS average_ticket_price MATCH (p:Play) WHERE p.genre = 'comedy' AND p.ticket_price > average_ticket_price RETURN p.title

-- operator: compare-with-group-average
MATCH (p:Play)-[:HAS_THEATRE]->(t:Theatre) WHERE t.open_air = true RETURN p.title
MATCH (t:Theatre)<-[:HAS_THEATRE]-(other_play:Play) WITH t, avg(other_play.minutes) AS average_minutes MATCH (p:Play)-[:HAS_THEATRE]->(t:Theatre) WHERE t.open_air = true AND p.minutes < average_minutes RETURN p.title, p.minutes

-- operator: compare-pair
MATCH (a:Actor)-[:HAS_TEACHER]->(t:Actor) RETURN a.name, t.name
MATCH (a:Actor)-[:HAS_TEACHER]->(t:Actor) WHERE t.birth_year > a.birth_year RETURN a.name, t.name

-- operator: add-constraint
MATCH (p:Play) WHERE p.genre = 'comedy' RETURN p.title
MATCH (p:Play) WHERE p.genre = 'comedy' AND p.premiered_on < date('2017-01-01') RETURN p.title

-- operator: widen-to-category
MATCH (p:Play) WHERE p.genre = 'comedy' RETURN p.title
MATCH (p:Play) WHERE p.genre IN ['comedy', 'tragedy'] RETURN p.title

-- operator: widen-to-range
MATCH (a:Actor) WHERE a.birth_year = 1961 RETURN a.name
MATCH (a:Actor) WHERE a.birth_year >= 1960 AND a.birth_year <= 1969 RETURN a.name

-- operator: add-range
MATCH (p:Play) WHERE p.genre = 'comedy' RETURN p.title
MATCH (p:Play) WHERE p.genre = 'comedy' AND p.ticket_price >= 10 AND p.ticket_price <= 30 RETURN p.title

-- operator: add-period
MATCH (p:Play) WHERE p.genre = 'comedy' RETURN p.title
MATCH (p:Play) WHERE p.genre = 'comedy' AND p.premiered_on >= date('2017-01-01') AND p.premiered_on < date('2018-01-01') RETURN p.title

-- operator: either-or
MATCH (p:Play) WHERE p.genre = 'comedy' RETURN p.title
MATCH (p:Play) WHERE p.genre = 'comedy' OR p.ticket_price < 20 RETURN p.title

-- operator: exclude-value
MATCH (p:Play)-[:HAS_THEATRE]->(t:Theatre) WHERE t.open_air = true RETURN p.title
MATCH (p:Play)-[:HAS_THEATRE]->(t:Theatre) WHERE t.open_air = true AND p.genre <> 'tragedy' RETURN p.title

-- operator: match-text
MATCH (a:Actor) WHERE a.birth_year < 1985 RETURN a.name, a.birth_year
MATCH (a:Actor) WHERE a.birth_year < 1985 AND a.name STARTS WITH 'Emil' RETURN a.name, a.birth_year

-- operator: optional-neighbour
MATCH (a:Actor) WHERE a.birth_year < 1985 RETURN a.name, a.birth_year
MATCH (a:Actor) WHERE a.birth_year < 1985 OPTIONAL MATCH (a)-[:HAS_TEACHER]->(teacher:Actor) RETURN a.name, a.birth_year, teacher.name

-- operator: optional-count
MATCH (a:Actor) WHERE a.birth_year < 1985 RETURN a.name, a.birth_year
MATCH (a:Actor) WHERE a.birth_year < 1985 OPTIONAL MATCH (a)-[:ACTS_IN]->(play:Play) WITH a, count(play) AS plays RETURN a.name, a.birth_year, plays

-- operator: extend-path
MATCH (p:Play) WHERE p.genre = 'comedy' RETURN p.title
MATCH (p:Play)<-[:ACTS_IN]-(actor:Actor) WHERE p.genre = 'comedy' AND actor.salary < 30000 RETURN DISTINCT p.title

-- operator: variable-length
MATCH (a:Actor) WHERE a.birth_year < 1985 RETURN a.name, a.birth_year
MATCH (a:Actor) WHERE a.birth_year < 1985 MATCH (a)-[:HAS_TEACHER*1..3]->(teacher:Actor) WHERE teacher.birth_year < 1960 RETURN DISTINCT a.name, a.birth_year

-- operator: close-cycle
MATCH (a:Actor)-[:HAS_BIRTH_CITY]->(c:City) WHERE c.country = 'Norway' RETURN a.name
MATCH (a:Actor)-[:HAS_BIRTH_CITY]->(c:City), (a)-[:HAS_HOME_CITY]->(c) WHERE c.country = 'Norway' RETURN a.name

-- operator: rank
MATCH (p:Play) WHERE p.genre = 'comedy' RETURN p.title
MATCH (p:Play) WHERE p.genre = 'comedy' RETURN p.title, p.premiered_on ORDER BY p.premiered_on LIMIT 5

-- operator: distinct
MATCH (p:Play) WHERE p.genre = 'comedy' RETURN p.title
MATCH (p:Play) WHERE p.genre = 'comedy' RETURN DISTINCT p.title

-- operator: union
MATCH (a:Actor)-[:HAS_BIRTH_CITY]->(c:City) WHERE c.country = 'Norway' RETURN a.name
MATCH (a:Actor)-[:HAS_BIRTH_CITY]->(c:City) WHERE c.country = 'Norway' RETURN a.name UNION MATCH (a:Actor)-[:HAS_HOME_CITY]->(c:City) WHERE c.country = 'Norway' RETURN a.name

-- operator: both-of
MATCH (a:Actor)-[:HAS_BIRTH_CITY]->(c:City), (a)-[:ACTS_IN]->(p:Play) WHERE p.genre = 'musical' RETURN a.name
MATCH (a:Actor)-[:HAS_BIRTH_CITY]->(c:City), (a)-[:ACTS_IN]->(p:Play), (a)-[:ACTS_IN]->(play:Play) WHERE p.genre = 'musical' AND play.genre = 'farce' RETURN DISTINCT a.name

-- operator: top-then-match
MATCH (p:Play) WHERE p.genre = 'comedy' RETURN p.title
MATCH (p:Play) WHERE p.genre = 'comedy' WITH p ORDER BY p.premiered_on LIMIT 3 MATCH (p)-[:HAS_THEATRE]->(theatre:Theatre) RETURN p.title, theatre.name

-- operator: group-then-match
MATCH (p:Play)-[:HAS_THEATRE]->(t:Theatre) WITH t, count(p) AS plays RETURN t.name, plays
MATCH (p:Play)-[:HAS_THEATRE]->(t:Theatre) WITH t, count(p) AS plays WHERE plays >= 3 MATCH (t)-[:IN_CITY]->(city:City) RETURN t.name, plays, city.name

-- operator: require-neighbour
MATCH (p:Play) WHERE p.genre = 'comedy' RETURN p.title
MATCH (p:Play) WHERE p.genre = 'comedy' AND EXISTS { MATCH (p)<-[:ACTS_IN]-(actor:Actor) WHERE actor.salary < 30000 } RETURN p.title

-- operator: forbid-neighbour
MATCH (p:Play) WHERE p.genre = 'comedy' RETURN p.title
MATCH (p:Play) WHERE p.genre = 'comedy' AND NOT EXISTS { MATCH (p)<-[:ACTS_IN]-(actor:Actor) WHERE actor.salary < 30000 } RETURN p.title

-- operator: count-neighbours
MATCH (a:Actor) WHERE a.birth_year < 1985 RETURN a.name, a.birth_year
MATCH (a:Actor) WHERE a.birth_year < 1985 AND COUNT { MATCH (a)-[:ACTS_IN]->(:Play) } > 2 RETURN a.name, a.birth_year
