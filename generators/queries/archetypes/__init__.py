"""Archetypes and how they are filled from a schema and its data."""
