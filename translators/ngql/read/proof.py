"""Whether a text of nGQL is read back as what it was printed from."""

from __future__ import annotations

from graph_ir import nodes as ir
from graph_ir.bind.statements import bound
from graphmill.errors import QueryTextError, Refused
from schemagraph.model import SchemaGraph
from translators.ngql.emit.dialect import Ngql
from translators.ngql.read.reader import read_back


def difference(
    statement: ir.Statement, text: str, language: str, schema: SchemaGraph | None
) -> str:
    """Why `text`, read back, is not the lowered form of `statement`; empty where it is."""
    lowered = Ngql(schema).lowered(bound(statement, schema).statement)
    try:
        again = read_back(text)
    except (QueryTextError, Refused) as problem:
        return f"The text is not read back: {problem}"
    return "" if again == lowered else "The text is read back as another query."
