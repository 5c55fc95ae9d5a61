"""Cypher's text of a value, as toString() and `+` give it."""

from __future__ import annotations

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import TEMPORAL, Kind
from translators.duckdb.expressions.temporal.texts import temporal_text
from translators.duckdb.model import tags
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.sql import Sql
from translators.duckdb.model.types import STRING


def as_text(cx: Compiler, arg: Sql, node: ir.Expr) -> Sql:
    """Cypher's text of a value."""
    of = arg.type
    match of.kind:
        case Kind.STRING:
            return arg
        case Kind.NULL:
            return Sql("NULL::VARCHAR", STRING)
        case Kind.INTEGER | Kind.BOOLEAN:
            return Sql(f"{arg.operand}::VARCHAR", STRING, null=arg.null)
        case Kind.FLOAT:
            if of.whole:
                raise Refused(
                    "mixed-numbers",
                    "toString",
                    "Whether this is an integer is known only when the query runs.",
                    node.span,
                )
            return Sql(f"{cx.macro('cy_float_text')}({arg.text})", STRING, null=arg.null)
        case Kind.ANY:
            return tags.as_text(cx, arg)
        case _ if of.kind in TEMPORAL:
            return temporal_text(cx, arg)
    raise Refused("type", "toString", f"A {of.kind.value} value has no text.", node.span)
