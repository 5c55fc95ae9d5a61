"""A released query reads; it never writes and never calls a procedure."""

from __future__ import annotations

from typing import ClassVar

from graph_ir import nodes as ir
from graph_ir.walk import find
from graphmill.record import Finding
from qa.base import Subject


class ReadOnly:
    """Refuses write clauses, LOAD CSV and procedures anywhere in the query."""

    name: ClassVar[str] = "read-only"
    order: ClassVar[int] = 1

    def check(self, subject: Subject) -> Finding:
        """Codes: `writes`."""
        write = next(find(subject.statement, *ir.WRITES, ir.Procedure), None)
        if write is None:
            return Finding(self.name, ok=True)
        clause = type(write).__name__
        return Finding(self.name, ok=False, code="writes", detail=f"{clause} is not a read.")


CHECK = ReadOnly
