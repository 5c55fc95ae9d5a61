"""Expressions of the IR in SQL, by theme."""
