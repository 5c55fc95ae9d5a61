"""Scalar functions of Cypher in SQL, by theme."""
