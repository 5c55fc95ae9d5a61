"""Queries that nobody gave us: seeds from archetypes, and harder ones evolved from them."""
