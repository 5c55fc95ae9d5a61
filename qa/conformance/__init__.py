"""The matrix of every construct of Graph-IR, hostile values and dialects, against Neo4j."""
