"""A call of a function; a name that is in no table is refused."""

from __future__ import annotations

from graph_ir import nodes as ir
from graphmill.errors import Refused
from translators.duckdb.expressions.functions import conversions, elements, numbers, texts, values
from translators.duckdb.expressions.functions.arguments import Functions
from translators.duckdb.expressions.temporal.construction import temporal_call
from translators.duckdb.model.compiler import Compiler, Emits
from translators.duckdb.model.sql import Scope, Sql

EMITS = Emits()
_FUNCTIONS = Functions.joined(
    conversions.FUNCTIONS,
    elements.FUNCTIONS,
    numbers.FUNCTIONS,
    texts.FUNCTIONS,
    values.FUNCTIONS,
)


@EMITS.of(ir.Call)
def _call(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    made = _FUNCTIONS.get(node.name)
    if made is not None:
        return made(cx, node, scope)
    built = temporal_call(cx, node, scope)
    if built is None:
        raise Refused(
            "function", node.name, f"Function {node.name} has no exact SQL form.", node.span
        )
    return built
