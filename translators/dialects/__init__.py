"""One file per target language or profile; the file's name is the dialect's public name.

A module exports its class as `DIALECT`. Adding a file adds a dialect (see CONTRIBUTING.md).
"""

from __future__ import annotations

from graphmill.registry import Registry
from translators.base import Dialect

DIALECTS: Registry[type[Dialect]] = Registry("dialect", __name__, "DIALECT")
