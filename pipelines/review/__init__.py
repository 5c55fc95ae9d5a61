"""Experts rate a sample of a corpus: which pairs, their ratings, what these say."""
