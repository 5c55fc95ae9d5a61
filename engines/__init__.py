"""Engines that execute queries, each in a worker process that can be killed.

A module of `engines.backends` exports its class as `ENGINE`; the file's name is the engine's
public name.
"""

from __future__ import annotations

from engines.base import Engine
from graphmill.registry import Registry

ENGINES: Registry[type[Engine]] = Registry("engine", "engines.backends", "ENGINE")
