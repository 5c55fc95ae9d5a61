"""Engines that execute queries, each in a worker process that can be killed.

A module exports its class as `ENGINE`; the file's name is the engine's public name.
"""

from __future__ import annotations

from engines.base import Engine
from graphmill.registry import Registry

ENGINES: Registry[type[Engine]] = Registry(
    "engine",
    __name__,
    "ENGINE",
    internal=frozenset(
        {
            "base",
            "bolt",
            "compare",
            "deadline",
            "graph",
            "guard",
            "isolation",
            "judge",
            "judges",
            "sources",
            "unsound_grafeo",
            "values",
            "wire",
        }
    ),
)
