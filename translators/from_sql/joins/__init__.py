"""Joins become patterns: which tables are nodes, links and paths."""
