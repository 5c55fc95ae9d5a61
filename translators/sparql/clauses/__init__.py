"""Clauses of the IR as groups of SPARQL."""
