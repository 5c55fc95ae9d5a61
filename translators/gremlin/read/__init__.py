"""Gremlin text: its tree, its check, and what it means as Graph-IR."""
