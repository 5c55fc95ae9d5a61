"""A released query is right by its schema: names, types, directions, aggregates."""

from __future__ import annotations

from typing import ClassVar

from graph_ir.bind.statements import bound
from graphmill.record import Finding
from qa.base import Subject


class Binds:
    """Refuses what the static checker calls an error."""

    name: ClassVar[str] = "binds"
    order: ClassVar[int] = 2

    def check(self, subject: Subject) -> Finding:
        """Codes: those of the checker's first error."""
        for diagnostic in bound(subject.statement, subject.schema).diagnostics:
            if diagnostic.severity == "error":
                return Finding(self.name, ok=False, code=diagnostic.code, detail=diagnostic.message)
        return Finding(self.name, ok=True)


CHECK = Binds
