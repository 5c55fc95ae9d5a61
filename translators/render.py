"""One way from a statement to a text: bind, then generate."""

from __future__ import annotations

from graph_ir import nodes as ir
from schemagraph.model import SchemaGraph
from translators.base import Rendered
from translators.dialects import DIALECTS


def render(statement: ir.Statement, to: str, schema: SchemaGraph | None = None) -> Rendered:
    """The text of `statement` in the language or profile `to`.

    Raises:
        UnknownNameError: no dialect has that name.
        Refused: the language cannot say exactly this.
    """
    return DIALECTS.get(to)(schema).generate(statement)
