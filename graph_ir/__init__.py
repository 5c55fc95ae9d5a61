"""The query as data: nodes, the Cypher front end, static checks and features."""
