"""Judges: programs that say whether a text is valid, and execute nothing.

A module exports its class as `JUDGE`. It has the form of an engine (`engines.base`), because it
lives in the same kind of worker process: `run` returns the findings as rows.
"""
