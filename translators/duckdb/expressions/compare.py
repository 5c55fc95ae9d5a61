"""Equality and order of two values, three-valued, decided by their static types."""

from __future__ import annotations

from graph_ir import nodes as ir
from schemagraph.model import TEMPORAL, Kind
from translators.duckdb.expressions import dynamic, numbers
from translators.duckdb.expressions.temporal.arithmetic import temporal_comparison
from translators.duckdb.model import values
from translators.duckdb.model.catalog import ID
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.names import ident
from translators.duckdb.model.sql import GUARD, NEGATION, OPERATORS, Sql, composed, infix, operation
from translators.duckdb.model.types import ANY, BOOLEAN, INTEGER, T

UNKNOWN = Sql("NULL::BOOLEAN", BOOLEAN)
_ORDERED = frozenset({Kind.BOOLEAN, Kind.STRING, Kind.BYTES})
_ITEMS = frozenset({Kind.BOOLEAN, Kind.INTEGER, Kind.STRING})


def equal(cx: Compiler, a: Sql, b: Sql) -> Sql:
    """`a = b`: NULL when it cannot be known, false for values of different kinds."""
    of, other = a.type, b.type
    if Kind.NULL in (of.kind, other.kind):
        return UNKNOWN
    if of.number and other.number:
        return numbers.equal(cx, a, b)
    if Kind.ANY in (of.kind, other.kind):
        return dynamic.equal(cx, a, b)
    if of.kind is not other.kind:
        return _constant("false", a, b)
    if of.element:
        return Sql(OPERATORS["="](f"{a.operand}.{ident(ID)}", f"{b.operand}.{ident(ID)}"), BOOLEAN)
    if of.kind in TEMPORAL:
        return temporal_comparison(cx, "=", a, b) or UNKNOWN
    if of.kind is Kind.LIST:
        return _lists(cx, a, b)
    if of.kind is Kind.MAP:
        return _maps(cx, a, b)
    if of.kind is Kind.PATH:
        return _paths(cx, a, b)
    return infix("=", a, b, BOOLEAN)


def compare(cx: Compiler, op: ir.CompareOp, a: Sql, b: Sql) -> Sql:
    """One comparison; `<` and its kin are NULL for values of different kinds."""
    if op is ir.CompareOp.EQ:
        return equal(cx, a, b)
    if op is ir.CompareOp.NE:
        return negated(equal(cx, a, b))
    of, other = a.type, b.type
    if of.number and other.number:
        return numbers.compare(cx, op, a, b)
    if of.kind is other.kind is Kind.LIST and _items_ordered(of, other):
        order = f"{cx.macro('cy_order_lists')}({a.text}, {b.text})"
        return composed(f"{order} {numbers.ORDERS[op]}", BOOLEAN)
    if Kind.ANY in (of.kind, other.kind) or of.kind is other.kind in (Kind.LIST, Kind.MAP):
        return dynamic.compare(cx, op, a, b)
    if of.kind is other.kind and of.kind in TEMPORAL:
        return temporal_comparison(cx, op.value, a, b) or UNKNOWN
    if of.kind is other.kind and of.kind in _ORDERED:
        return infix(op.value, a, b, BOOLEAN)
    return UNKNOWN


def _items_ordered(of: T, other: T) -> bool:
    """Whether items of two lists are ordered by DuckDB as they are by Cypher."""
    item, against = of.item or ANY, other.item or ANY
    return item.kind is against.kind and item.kind in _ITEMS


def negated(sql: Sql) -> Sql:
    """NOT of a condition, short where an operator says it."""
    if sql.text == "true":
        return values.FALSE
    if sql.text == "false":
        return values.TRUE
    if sql is UNKNOWN:
        return sql
    return Sql(NEGATION(sql.text), BOOLEAN, null=sql.null)


def _constant(answer: str, a: Sql, b: Sql) -> Sql:
    """`answer`, or NULL where an operand is NULL."""
    nullable = [x for x in (a, b) if x.null]
    if not nullable:
        return Sql(answer, BOOLEAN, null=False)
    tests = " AND ".join(f"{x.operand} IS NOT NULL" for x in nullable)
    return Sql(f"(CASE WHEN {tests} THEN {answer} END)", BOOLEAN)


def _lists(cx: Compiler, a: Sql, b: Sql) -> Sql:
    item, other = a.type.item or ANY, b.type.item or ANY
    if not (plain(item) and plain(other)):
        return dynamic.equal(cx, a, b)
    name = cx.local("pair")
    inner = equal(cx, Sql(f"{name}[1]", item), Sql(f"{name}[2]", other))
    pairs = f"list_zip({a.text}, {b.text})"
    macro = cx.macro("cy_all")
    known = "".join(f"{side.operand} IS NOT NULL AND " for side in (a, b) if side.null)
    alike = f"{macro}(list_transform({pairs}, lambda {name}: {inner.text}))"
    # list_zip takes NULL for an empty list.
    branch = f"WHEN {known.removesuffix(' AND ')} THEN {alike}" if known else f"ELSE {alike}"
    return Sql(
        f"(CASE WHEN len({a.text}) <> len({b.text}) THEN false {branch} END)",
        BOOLEAN,
    )


def plain(of: T) -> bool:
    """Whether values of this type are compared without looking inside them."""
    return of.kind not in (Kind.ANY, Kind.LIST, Kind.MAP, Kind.PATH)


def _maps(cx: Compiler, a: Sql, b: Sql) -> Sql:
    left, right = dict(a.type.fields), dict(b.type.fields)
    if set(left) != set(right):
        return _constant("false", a, b)
    tests = [
        equal(
            cx,
            Sql(f"{a.operand}.{ident(key)}", left[key]),
            Sql(f"{b.operand}.{ident(key)}", right[key]),
        ).operand
        for key in left
    ]
    return Sql(GUARD.chain(tests) if tests else operation("true"), BOOLEAN)


def _paths(cx: Compiler, a: Sql, b: Sql) -> Sql:
    def ids(sql: Sql, part: str) -> Sql:
        name = cx.local("x")
        of = dict(sql.type.fields)[part].item or T(Kind.NODE)
        text = f"list_transform({sql.operand}.{part}, lambda {name}: {name}.{ident(ID)})"
        del of
        return Sql(text, INTEGER)

    tests = [infix("=", ids(a, part), ids(b, part), BOOLEAN).operand for part in ("nodes", "edges")]
    return Sql(GUARD.chain(tests), BOOLEAN)
