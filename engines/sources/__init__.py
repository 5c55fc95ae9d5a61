"""Engines of relational origins: what runs a pair's source SQL where its data come from.

They load no graph. A module exports its class as `ENGINE`; SQLite is `engines.backends.sqlite`.
"""
