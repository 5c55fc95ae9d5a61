"""Temporal values that come from rows: construction, components, sums, comparison, text."""
