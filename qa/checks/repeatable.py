"""A released query has the same answer tomorrow."""

from __future__ import annotations

from typing import ClassVar

from graph_ir.rewrites import is_repeatable
from graphmill.record import Finding
from qa.base import Subject


class Repeatable:
    """Refuses queries that read the clock or draw random values."""

    name: ClassVar[str] = "repeatable"
    order: ClassVar[int] = 1

    def check(self, subject: Subject) -> Finding:
        """Codes: `not-repeatable`."""
        if is_repeatable(subject.statement):
            return Finding(self.name, ok=True)
        detail = "The query reads the clock or draws random values."
        return Finding(self.name, ok=False, code="not-repeatable", detail=detail)


CHECK = Repeatable
