"""One way from a statement to a text: bind, then generate."""

from __future__ import annotations

from graph_ir import nodes as ir
from graph_ir.bind import TOLERATED, bind
from graphmill.errors import QueryTextError
from schemagraph.model import SchemaGraph
from translators.base import Rendered
from translators.dialects import DIALECTS


def render(statement: ir.Statement, to: str, schema: SchemaGraph | None = None) -> Rendered:
    """The text of `statement` in the language or profile `to`.

    What the checker calls an error stops it, but for findings that have a meaning all the same
    (`graph_ir.bind.TOLERATED`): a property that the schema does not have is null, a label or a
    direction that it does not have matches nothing. `graphmill check` reports those too.

    Raises:
        UnknownNameError: no dialect has that name.
        QueryTextError: the statement is wrong; the first error of the checker.
        Refused: the language cannot say exactly this.
    """
    dialect = DIALECTS.get(to)
    bound = bind(statement, schema)
    for found in bound.errors:
        if found.code not in TOLERATED:
            raise QueryTextError(
                f"{found.message} (line {found.line}, column {found.column})",
                kind="semantic",
                code=found.code,
                line=found.line,
                column=found.column,
            )
    return dialect(schema).generate(bound.statement)
