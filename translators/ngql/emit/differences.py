"""Values that NebulaGraph compares, groups or orders otherwise than Cypher: refused, or a caveat.

A DATETIME is kept in UTC without its offset, by which Neo4j tells moments of one instant apart.
Floats are equal up to 1e-8, and integers become floats beside them. Durations have seconds for
days, and no order. Nulls in lists are equal. Values of several types have an order of their own,
and 1 and 1.0 are two keys. Zeros are one number, and NaN has no place among numbers.

Source: vesoft-inc/nebula, src/common/datatypes/{Value.cpp,Value.h,Duration.h} and
src/common/function/AggFunctionManager.cpp. Two stored floats that differ by less than 1e-8 are not
known here; docs/faithful.md says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from graph_ir import nodes as ir
from graph_ir.reference.signs import nans_apart, zeros_apart
from graph_ir.walk import find
from schemagraph.model import NUMERIC, Kind, SchemaGraph, Type
from translators.base import Caveat
from translators.ngql.emit.scope import refuse

_EXACT = 2**53
_NEAR = Decimal("1e-8")
_EQUALITY = (ir.CompareOp.EQ, ir.CompareOp.NE)
_EXTREMES = frozenset(("min", "max"))
_MEANS = frozenset(("sum", "avg"))
_CLOCKS = frozenset(("date", "time", "localtime", "localdatetime", "toString", "toStringOrNull"))
_SMALL = frozenset(("size", "length", "char_length", "character_length"))
_OFFSET = re.compile(r"T.*?(Z|[+-]\d{2}(?::?\d{2})?)$")
_UTC = frozenset(("Z", "+00", "+0000", "+00:00"))


def differences(statement: ir.Statement, schema: SchemaGraph | None) -> tuple[Caveat, ...]:
    """What must hold for a statement, bound with `schema` if there is one, to mean the same.

    Raises:
        Refused: it does not mean the same.
    """
    caveats: dict[str, Caveat] = {}
    typed = schema is not None
    for node, left, right, equality in _compared(statement, schema):
        _refuse_compared(node, left, right, equality=equality)
        _instants(caveats, node, left, right)
        _wide(caveats, node, left, right)
    for node, key in _keys(statement):
        _refuse_key(node, key, typed=typed)
        _instants(caveats, node, key)
    for node, value in _ordered(statement):
        _refuse_order(node, value, typed=typed)
        _instants(caveats, node, value)
        _wide_order(caveats, node, value)
    for union, left, right in _united(statement):
        _refuse_united(union, left, right)
    for agg in find(statement, ir.Agg):
        if agg.name in _MEANS and agg.args[0].type.kind is Kind.DURATION:
            raise refuse("duration", agg, agg.name, "nGQL adds up no durations.")
    _refuse_clocks(statement)
    _zeros_and_nans(caveats, statement)
    return tuple(caveats.values())


# --- what is compared --------------------------------------------------------------------


def _compared(
    statement: ir.Statement, schema: SchemaGraph | None
) -> Iterator[tuple[ir.Node, ir.Expr, ir.Expr, bool]]:
    for compare in find(statement, ir.Compare):
        for left, right in _pairs(compare.left, compare.right):
            yield compare, left, right, compare.op in _EQUALITY
    for member in find(statement, ir.In):
        for item in _items(member.list):
            yield member, member.item, item, True
    for case in find(statement, ir.Case):
        if case.operand is not None:
            yield from ((case, case.operand, when.condition, True) for when in case.whens)
    for call in find(statement, ir.Call):
        if call.name == "nullIf":
            yield call, call.args[0], call.args[1], True
    for pattern in find(statement, ir.NodePattern, ir.EdgePattern):
        assert isinstance(pattern, ir.NodePattern | ir.EdgePattern)  # noqa: S101 # asked for
        if isinstance(pattern.props, ir.MapOf):
            for entry in pattern.props.entries:
                for of in _property_types(pattern, entry, schema):
                    yield pattern.props, entry.value, ir.Var("property", type=of), True


def _pairs(left: ir.Expr, right: ir.Expr) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    """Two values, and what stands at one place in lists and maps that are written out."""
    yield left, right
    if isinstance(left, ir.ListOf) and isinstance(right, ir.ListOf):
        for one, other in zip(left.items, right.items, strict=False):
            yield from _pairs(one, other)
    if isinstance(left, ir.MapOf) and isinstance(right, ir.MapOf):
        values = {entry.key: entry.value for entry in right.entries}
        for entry in left.entries:
            if entry.key in values:
                yield from _pairs(entry.value, values[entry.key])


def _property_types(
    pattern: ir.NodePattern | ir.EdgePattern, entry: ir.Entry, schema: SchemaGraph | None
) -> set[Type]:
    """The types of a property that a pattern holds against a value: where both are numbers, as the
    schema has them, else as that of the value."""
    own = entry.value.type
    if schema is None or own.kind not in NUMERIC:
        return {own}
    kinds = schema.nodes if isinstance(pattern, ir.NodePattern) else schema.edges
    of = pattern.type.item.of if pattern.type.item else pattern.type.of
    given = [each.property(entry.key) for each in kinds if not of or each.name in of]
    return {each.type for each in given if each and each.type.kind in NUMERIC} or {own}


def _united(statement: ir.Statement) -> Iterator[tuple[ir.Node, ir.Expr, ir.Expr]]:
    """Columns of one name on two sides of a UNION that drops rows."""
    for union in find(statement, ir.Union):
        columns: dict[str, list[ir.Expr]] = {}
        for project in find(union, ir.Project) if not union.all else ():
            for item in project.items if project.final else ():
                columns.setdefault(item.alias, []).append(item.expr)
        for exprs in columns.values():
            yield from ((union, exprs[0], other) for other in exprs[1:])


def _items(listed: ir.Expr) -> tuple[ir.Expr, ...]:
    if isinstance(listed, ir.ListOf):
        return listed.items
    return (ir.Var("item", type=listed.type.item),) if listed.type.item else ()


def _keys(statement: ir.Statement) -> Iterator[tuple[ir.Node, ir.Expr]]:
    """What tells rows apart: groups, DISTINCT, UNION."""
    united = [union for union in find(statement, ir.Union) if not union.all]
    for project in find(statement, ir.Project):
        yield from ((project, key) for key in project.group or ())
        if project.distinct or (united and project.final):
            yield from ((project, item.expr) for item in project.items)
    for agg in find(statement, ir.Agg):
        if agg.distinct:
            yield from ((agg, arg) for arg in agg.args)


def _ordered(statement: ir.Statement) -> Iterator[tuple[ir.Node, ir.Expr]]:
    """What is ordered: sort keys, and extremes."""
    for project in find(statement, ir.Project):
        columns = {item.alias: item.expr for item in project.items}
        for key in project.order:
            expr = key.expr
            yield key, columns.get(expr.name, expr) if isinstance(expr, ir.Var) else expr
    for agg in find(statement, ir.Agg):
        if agg.name in _EXTREMES:
            yield agg, agg.args[0]


# --- refusals ----------------------------------------------------------------------------


def _refuse_compared(node: ir.Node, left: ir.Expr, right: ir.Expr, *, equality: bool) -> None:
    kinds = {left.type.kind, right.type.kind}
    if kinds == {Kind.DURATION}:
        raise refuse("duration", node, "=", "nGQL has a day for 24 hours, and durations no order.")
    if kinds == {Kind.LIST} and any(map(_may_hold_null, (left, right))):
        raise refuse("comparison", node, "=", "nGQL has nulls in lists for equal.")
    if equality and Kind.FLOAT in kinds and kinds <= NUMERIC and _may_be_near(left, right):
        raise refuse("comparison", node, "=", "nGQL has floats for equal up to 1e-8.")
    for side, other in ((left, right), (right, left)):
        number = _number(side)
        if number is None or abs(number) < _EXACT or kinds != NUMERIC:
            continue
        if isinstance(number, int) or _number(other) is None:
            raise refuse(
                "float-range",
                node,
                str(number),
                "nGQL compares integers with floats as floats.",
            )


def _refuse_key(node: ir.Node, key: ir.Expr, *, typed: bool) -> None:
    if _may_hold(key, Kind.DURATION):
        raise refuse("duration", node, "DISTINCT", "nGQL has a day for 24 hours.")
    if _is_mixed(key, typed=typed):
        raise refuse("mixed-types", node, "DISTINCT", "nGQL has 1 and 1.0 for two keys.")


def _refuse_united(node: ir.Node, left: ir.Expr, right: ir.Expr) -> None:
    if {left.type.kind, right.type.kind} == NUMERIC:
        raise refuse("mixed-types", node, "UNION", "nGQL has 1 and 1.0 for two rows.")


def _refuse_order(node: ir.Node, value: ir.Expr, *, typed: bool) -> None:
    if _may_hold(value, Kind.DURATION):
        raise refuse("duration", node, "ORDER BY", "nGQL has no order of durations.")
    if typed and value.type.kind is Kind.ANY and not isinstance(value, ir.Param):
        raise refuse("mixed-types", node, "ORDER BY", "nGQL orders types in another way.")


def _refuse_clocks(statement: ir.Statement) -> None:
    """Parts and texts of a moment, which are those of its offset in Cypher."""
    parts: list[tuple[ir.Expr, ir.Expr, str]] = [
        (prop, prop.base, f".{prop.key}") for prop in find(statement, ir.Prop)
    ]
    parts += [
        (call, call.args[0], f"{call.name}()")
        for call in find(statement, ir.Call)
        if call.name in _CLOCKS and call.args
    ]
    for node, moment, construct in parts:
        if moment.type.kind is Kind.ZONED_DATETIME and _offset(moment) != "Z":
            raise refuse(
                "stored-offset",
                node,
                construct,
                "NebulaGraph does not keep the offset that this part is read in.",
            )


# --- caveats -----------------------------------------------------------------------------


def _instants(caveats: dict[str, Caveat], node: ir.Node, *values: ir.Expr) -> None:
    moments = [each for each in values if _may_hold(each, Kind.ZONED_DATETIME)]
    offsets = {_offset(each) for each in moments}
    if not moments or (len(offsets) < 2 and None not in offsets):
        return
    reason = "Moments are compared as instants"
    if None not in offsets:
        raise refuse("stored-offset", node, "datetime", f"{reason}, without their offsets.")
    caveats.setdefault(
        "stored-offset",
        Caveat(
            "stored-offset",
            "datetime",
            f"{reason}: this is the same if equal instants are stored with one offset.",
            node.span,
        ),
    )


def _wide(caveats: dict[str, Caveat], node: ir.Node, left: ir.Expr, right: ir.Expr) -> None:
    if {left.type.kind, right.type.kind} != NUMERIC:
        return
    whole = left if left.type.kind is Kind.INTEGER else right
    if any(_number(side) is not None for side in (left, right)) or _is_small(whole):
        return
    _warn_wide(caveats, node)


def _wide_order(caveats: dict[str, Caveat], node: ir.Node, value: ir.Expr) -> None:
    """An order or extreme of integers beside floats, one of which may be a constant."""
    of = value.type.item or value.type
    if of.kind is not Kind.FLOAT or not of.mixed:
        return
    for constant in find(value, ir.Literal):
        number = _number(constant)
        if number is not None and abs(number) >= _EXACT:
            reason = "nGQL compares integers with floats as floats."
            raise refuse("float-range", node, str(number), reason)
    _warn_wide(caveats, node)


def _warn_wide(caveats: dict[str, Caveat], node: ir.Node) -> None:
    reason = "Beside a float, integers are compared as floats: this is the same up to 2^53."
    caveats.setdefault("float-range", Caveat("float-range", "comparison", reason, node.span))


def _zeros_and_nans(caveats: dict[str, Caveat], statement: ir.Statement) -> None:
    zero = "NebulaGraph has -0.0 and 0.0 for one: this is the same where no two such zeros meet."
    nan = "NebulaGraph has no place for NaN among numbers: this is the same where no value is NaN."
    doubtful = nans_apart(statement, extremes=True)
    for reason, values in ((zero, zeros_apart(statement)), (nan, doubtful)):
        for construct, value in values:
            caveats.setdefault(
                f"{construct} {reason}", Caveat("float-range", construct, reason, value.span)
            )


# --- values ------------------------------------------------------------------------------


def _number(expr: ir.Expr) -> int | float | None:
    match expr:
        case ir.Literal(value=bool()):
            return None
        case ir.Literal(value=int() | float() as number):
            return number
        case ir.Neg(arg):
            inner = _number(arg)
            return None if inner is None else -inner
    return None


def _is_small(expr: ir.Expr) -> bool:
    if isinstance(expr, ir.Agg) and expr.name == "count":
        return True
    return isinstance(expr, ir.Call) and expr.name in _SMALL


def _may_be_near(left: ir.Expr, right: ir.Expr) -> bool:
    """Whether constants are equal to 1e-8 and not quite, or one has digits beyond that."""
    numbers = [_number(side) for side in (left, right)]
    known = [Decimal(repr(number)) for number in numbers if number is not None]
    if any(not number.is_finite() for number in known):
        return False
    if len(known) == 2:
        return known[0] != known[1] and abs(known[0] - known[1]) <= _NEAR
    constant = not any(
        True for side in (left, right) for _ in find(side, ir.Var, ir.Prop, ir.Param, ir.Agg)
    )
    return constant or any(number % _NEAR for number in known if abs(number) < _EXACT)


def _may_hold_null(expr: ir.Expr) -> bool:
    if isinstance(expr, ir.ListOf):
        return any(
            item == ir.Literal(None) or (item.type.nullable and not isinstance(item, ir.Literal))
            for item in expr.items
        )
    item = expr.type.item
    stored = isinstance(expr, ir.Prop)  # no stored list holds a null
    return not stored and (item is None or item.nullable)


def _may_hold(expr: ir.Expr, kind: Kind) -> bool:
    return expr.type.kind is kind or (expr.type.item is not None and expr.type.item.kind is kind)


def _is_mixed(expr: ir.Expr, *, typed: bool) -> bool:
    of = expr.type.item or expr.type
    if of.kind is Kind.FLOAT:
        return of.mixed
    return typed and of.kind is Kind.ANY and not isinstance(expr, ir.Literal | ir.Param)


def _offset(expr: ir.Expr) -> str | None:
    """The offset of a moment that the query writes; None of every other."""
    if isinstance(expr, ir.Arith):
        return _offset(expr.left)
    if isinstance(expr, ir.Call) and expr.name == "datetime":
        if not expr.args:
            return "Z"
        text = expr.args[0].value if isinstance(expr.args[0], ir.Literal) else None
        match = _OFFSET.search(text) if isinstance(text, str) else None
        if match is not None:
            return "Z" if match[1] in _UTC else match[1]
        return "Z" if isinstance(text, str) and "[" not in text else None
    return None
