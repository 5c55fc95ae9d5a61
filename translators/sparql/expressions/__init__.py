"""Expressions of the IR as expressions of SPARQL: null is an error or an unbound variable."""
