"""Temporal values."""

from __future__ import annotations

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import TEMPORAL, Kind
from translators.duckdb.compiler import Compiler
from translators.duckdb.sql import Scope, Sql
from translators.duckdb.types import STRING

KINDS = TEMPORAL


def call(cx: Compiler, node: ir.Call, scope: Scope) -> Sql | None:
    return None


def component(cx: Compiler, base: Sql, key: str, node: ir.Expr) -> Sql:
    raise Refused("temporal", key, "No SQL form.", node.span)


def arithmetic(cx: Compiler, op: ir.ArithOp, a: Sql, b: Sql, node: ir.Expr) -> Sql:
    raise Refused("temporal", op.value, "No SQL form.", node.span)


def aggregate(cx: Compiler, node: ir.Agg, arg: Sql) -> Sql:
    raise Refused("temporal", node.name, "No SQL form.", node.span)


def as_text(cx: Compiler, arg: Sql) -> Sql:
    if arg.type.kind is Kind.DATE:
        return Sql(f"{arg.operand}::VARCHAR", STRING, null=arg.null)
    raise Refused("temporal", "toString", "No SQL form.")


def tagged(cx: Compiler, sql: Sql) -> Sql:
    raise Refused("temporal", sql.type.kind.value, "No SQL form.")
