"""Clauses of the IR in SQL: patterns, walks, projections, subqueries."""
