-- Simple queries over tests/generators/queries/stages.py, a line each, that evolution starts from.
MATCH (p:Play) WHERE p.genre = 'comedy' RETURN p.title
MATCH (a:Actor) WHERE a.birth_year < 1985 RETURN a.name, a.birth_year
MATCH (t:Theatre) RETURN t.name
MATCH (p:Play)-[:HAS_THEATRE]->(t:Theatre) WHERE t.open_air = true RETURN p.title
MATCH (a:Actor)-[:ACTS_IN]->(p:Play) RETURN a.name, p.title
MATCH (a:Actor)-[:HAS_BIRTH_CITY]->(c:City) WHERE c.country = 'Norway' RETURN a.name
MATCH (a:Actor)-[:HAS_TEACHER]->(t:Actor) RETURN a.name, t.name
MATCH (t:Theatre)-[:IN_CITY]->(c:City) RETURN c.name AS city, count(t) AS theatres
MATCH (p:Play)-[:HAS_THEATRE]->(t:Theatre) WITH t, count(p) AS plays RETURN t.name, plays
MATCH (a:Actor)-[:ACTS_IN]->(p:Play) WHERE p.genre = 'tragedy' RETURN p.genre AS genre, count(DISTINCT a) AS actors
MATCH (p:Play)-[:HAS_THEATRE]->(t:Theatre)-[:IN_CITY]->(c:City) WHERE c.country = 'Chile' RETURN p.title, c.name
MATCH (a:Actor)-[:HAS_BIRTH_CITY]->(c:City), (a)-[:ACTS_IN]->(p:Play) WHERE p.genre = 'musical' RETURN a.name
MATCH (p:Play) RETURN p.title, p.ticket_price ORDER BY p.ticket_price DESC LIMIT 3
MATCH (a:Actor) WHERE a.birth_year = 1961 RETURN a.name
MATCH (a:Actor) WHERE a.birth_year = 1961 AND a.name <> 'Nobody' RETURN a.name
