"""Propose: questions, queries, schemas and data. A generator never judges its own product."""
