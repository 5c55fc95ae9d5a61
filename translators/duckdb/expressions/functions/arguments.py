"""`Functions`, a table by name, and the arguments of a call by the type that they must have."""

from __future__ import annotations

from collections.abc import Callable

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.duckdb.model import tags
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.sql import (
    Scope,
    Sql,
)
from translators.duckdb.model.types import (
    FLOAT,
    INTEGER,
    STRING,
)
from translators.tables import Table

type Function = Callable[[Compiler, ir.Call, Scope], Sql]


class Functions(Table[str, Function]):
    """What emits a call, by the function's name in any case."""

    def add(self, handler: Function, *kinds: str) -> None:
        """Declare what emits calls of the functions called `kinds`."""
        super().add(handler, *map(str.casefold, kinds))

    def get(self, kind: str) -> Function | None:
        """What emits a call of the function called `kind`, or None."""
        return super().get(kind.casefold())


def arguments(
    cx: Compiler, node: ir.Call, scope: Scope, low: int, high: int | None = None
) -> list[Sql]:
    """The arguments of a call, `low` to `high` of them.

    Raises:
        Refused: there are more or fewer.
    """
    high = low if high is None else high
    if not low <= len(node.args) <= high:
        raise Refused(
            "arguments", node.name, f"{node.name} takes {low} to {high} arguments.", node.span
        )
    return [cx.expr(arg, scope) for arg in node.args]


def wrong(node: ir.Call, sql: Sql) -> Refused:
    """The refusal of an argument of a type that the function does not take."""
    return Refused(
        "type", node.name, f"{node.name} does not take a {sql.type.kind.value}.", node.span
    )


def as_string(cx: Compiler, sql: Sql, node: ir.Call) -> Sql:
    """A text, or what may be one.

    Raises:
        Refused: it is none.
    """
    if sql.type.kind is Kind.STRING:
        return sql
    if sql.type.kind is Kind.NULL:
        return Sql("NULL::VARCHAR", STRING)
    if sql.type.kind is Kind.ANY:
        return tags.string(cx, sql)
    raise wrong(node, sql)


def as_integer(cx: Compiler, sql: Sql, node: ir.Call) -> Sql:
    """An integer, or what may be one.

    Raises:
        Refused: it is none.
    """
    if sql.type.kind is Kind.INTEGER:
        return sql
    if sql.type.kind is Kind.NULL:
        return Sql("NULL::BIGINT", INTEGER)
    if sql.type.kind is Kind.ANY:
        return tags.integer(cx, sql)
    raise wrong(node, sql)


def as_number(cx: Compiler, sql: Sql, node: ir.Call) -> Sql:
    """A number, or what may be one.

    Raises:
        Refused: it is none.
    """
    if sql.type.number:
        return sql
    if sql.type.kind is Kind.NULL:
        return Sql("NULL::DOUBLE", FLOAT)
    if sql.type.kind is Kind.ANY:
        return tags.to_number(cx, sql)
    raise wrong(node, sql)
