"""Expressions of SQL, by theme."""
