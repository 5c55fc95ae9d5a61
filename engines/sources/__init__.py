"""Engines of relational origins: what runs a pair's source SQL where its data come from.

They load no graph. A module exports its class as `ENGINE`; SQLite is `engines.backends.sqlite`.
"""

from __future__ import annotations

from engines.base import Engine
from engines.sources._texts import as_typed
from graphmill.registry import Registry

__all__ = ["ENGINE_OF", "NUMBERS_AS_BOOLEANS", "SERVERS", "SOURCE_ENGINES", "as_typed"]

SOURCE_ENGINES: Registry[type[Engine]] = Registry(
    "source engine", __name__, "ENGINE", internal=frozenset()
)
# by the dialect of a mapping
ENGINE_OF = {
    "sqlite": "sqlite",
    "duckdb": "duckdb-file",
    "postgres": "postgresql",
    "mysql": "mysql",
}
SERVERS = frozenset({"postgresql", "mysql"})  # their data do not travel with a corpus
NUMBERS_AS_BOOLEANS = frozenset({"sqlite", "mysql"})  # there true is 1
