"""Cypher text: to IR by the parser of `graph_ir`, and checked by its binder."""

from __future__ import annotations

from collections.abc import Callable

from graph_ir import nodes as ir
from graph_ir.bind.closed_sets import outside
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graphmill.errors import Diagnostic, QueryTextError
from schemagraph.model import SchemaGraph
from translators.language import Origin


def reader(_: Origin) -> Callable[[str], ir.Statement]:
    """The parser; it needs no graph."""
    return parse


def checker(schema: SchemaGraph | None) -> Callable[[str], list[Diagnostic]]:
    """The static check against `schema`, or against the text itself without one."""

    def check(text: str) -> list[Diagnostic]:
        try:
            own = bind(parse(text), schema)
            values = outside(own.statement, schema) if schema is not None else ()
            return sorted([*own.diagnostics, *values], key=lambda each: (each.line, each.column))
        except QueryTextError as problem:
            return [Diagnostic("error", problem.code, str(problem), problem.line, problem.column)]

    return check
