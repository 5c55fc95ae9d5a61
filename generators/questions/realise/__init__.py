"""Phrases for the parts of a plan."""
