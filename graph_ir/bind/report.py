"""The list of findings that a binder fills."""

from __future__ import annotations

from graph_ir.nodes import Node
from graphmill.errors import Diagnostic


class Report:
    """Findings in the order in which they were made."""

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []

    def error(self, at: Node, code: str, message: str) -> None:
        """Something that makes the query wrong."""
        line, column = position(at)
        self.diagnostics.append(Diagnostic("error", code, message, line, column))

    def warning(self, at: Node, code: str, message: str) -> None:
        """Something that is allowed and rarely meant."""
        line, column = position(at)
        self.diagnostics.append(Diagnostic("warning", code, message, line, column))

    def sorted(self) -> tuple[Diagnostic, ...]:
        """Each finding once, by place."""
        unique = dict.fromkeys(self.diagnostics)
        return tuple(sorted(unique, key=lambda each: (each.line, each.column)))


def position(node: Node) -> tuple[int, int]:
    """Line and column of a node, the first of the text where it came from no text."""
    return (node.span.line, node.span.column) if node.span else (1, 1)
