"""Queries and graphs that are hard to answer alike: of `benchmarks.hostile_reads`."""
