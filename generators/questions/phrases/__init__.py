"""Phrases as trees, and the one place where they become English."""
