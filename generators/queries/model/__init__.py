"""Queries that a model writes: prompts, reading, checks."""
