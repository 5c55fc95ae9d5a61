"""Cypher's temporal values in plain Python, exact to the nanosecond: for constants in queries."""
