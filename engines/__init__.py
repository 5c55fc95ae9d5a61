"""Engines that execute queries, and judges of texts, each in a worker process that can be killed.

A module of `engines.backends` exports its class as `ENGINE`; the file's name is the engine's
public name. `engines.sources` has those that run a pair's source SQL where its data come from,
and `engines.judges` programs that say whether a text is valid. Folders are listed; a module is
imported when it is asked for.
"""

from __future__ import annotations

from importlib.util import find_spec

from engines.base import Engine
from graphmill.registry import Registry

ENGINES: Registry[type[Engine]] = Registry("engine", "engines.backends", "ENGINE")
SOURCE_ENGINES: Registry[type[Engine]] = Registry("source engine", "engines.sources", "ENGINE")
JUDGES: Registry[type[Engine]] = Registry(
    "judge", "engines.judges", "JUDGE", internal=frozenset({"catalog", "process", "profile"})
)
# the engine that runs source SQL, by the dialect of a mapping
ENGINE_OF = {
    "sqlite": "sqlite",
    "duckdb": "duckdb-file",
    "postgres": "postgresql",
    "mysql": "mysql",
}
SERVERS = frozenset({"postgresql", "mysql"})  # their data do not travel with a corpus
NUMBERS_AS_BOOLEANS = frozenset({"sqlite", "mysql"})  # there true is 1


def default_engines() -> dict[str, str]:
    """The engine that runs a language where none is named, by language."""
    return {
        language: name for name in ENGINES.names() for language in ENGINES.get(name).default_for
    }


def installed() -> list[str]:
    """The engines that "all" means here: those whose packages are there, the defaults first.

    Engines that are asked for by name alone (a server, a second engine of a family) are none.
    """
    kinds = [ENGINES.get(name) for name in ENGINES.names()]
    able = [
        kind
        for kind in kinds
        if not kind.by_name and all(find_spec(package) is not None for package in kind.packages)
    ]
    return [kind.name for kind in sorted(able, key=lambda kind: (-kind.trust, kind.name))]


def runnable() -> list[str]:
    """The languages that some engine over a graph runs."""
    return sorted({each for name in ENGINES.names() for each in ENGINES.get(name).languages})


def family(name: str) -> str:
    """The code base of an engine; empty where its answers prove no meaning of Graph-IR."""
    return ENGINES.get(name).family if name in ENGINES.names() else ""
