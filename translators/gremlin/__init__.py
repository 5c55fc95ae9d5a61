"""Gremlin of TinkerPop 3.8: written from Graph-IR, checked and read."""

from __future__ import annotations

from translators.language import Language

LANGUAGE = Language(
    name="gremlin",
    title="Gremlin",
    dialect="translators.gremlin.dialect:Gremlin",
    reader="translators.gremlin.read.reader:reader",
    checker="translators.gremlin.read.check:checker",
)
