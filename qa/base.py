"""What a check looks at and what it returns: one subject in, one finding out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

from graph_ir import nodes as ir
from graph_ir.features import Features
from graphmill.record import Answer, Finding, Record
from schemagraph.model import SchemaGraph


@dataclass(frozen=True, slots=True)
class Subject:
    """A record with what it stands for: its meaning, that meaning's features, its answer."""

    record: Record
    statement: ir.Statement
    features: Features
    schema: SchemaGraph
    answer: Answer


class Check(Protocol):
    """Judges one property of a subject; never changes it. `order` is when it is asked."""

    name: ClassVar[str]
    order: ClassVar[int]

    def check(self, subject: Subject) -> Finding:
        """The finding; `ok` False rejects the record with the finding's code."""
        ...
