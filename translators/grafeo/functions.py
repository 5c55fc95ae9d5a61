"""Functions that grafeo lacks, or whose odd arguments it answers where Cypher raises an error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import ends_before, unused_names
from graph_ir.walk import rewrite
from graphmill.errors import Refused
from schemagraph.model import ANY, NUMERIC, TEMPORAL, Kind, SchemaGraph, Type
from translators.gql.emit.values import kind_of, nullable
from translators.grafeo.construction import duration, instant
from translators.grafeo.extremes import extreme
from translators.grafeo.percentiles import continuous_percentile, percentile
from translators.grafeo.primitives import FAILS, NULL, both, case, either, matches, own, with_value
from translators.grafeo.quotients import has_spans, product_or_quotient
from translators.grafeo.sums import difference_of_unknown, sum_of_unknown

UNKNOWN = frozenset(
    (
        *("cosh", "coth", "point", "randomUUID", "sinh", "tanh", "valueType"),
        *("toBooleanOrNull", "toFloatOrNull", "toIntegerOrNull", "toStringOrNull"),
    )
)
"""Functions of Cypher that grafeo 0.6 does not have."""

_ZERO = ir.Literal(0)
_SPELLED = 1000  # items of a range at the end of 64 bits that a text spells out
_LISTS = {
    "toBooleanList": ("toBooleanOrNull", Kind.BOOLEAN),
    "toFloatList": ("toFloatOrNull", Kind.FLOAT),
    "toIntegerList": ("toIntegerOrNull", Kind.INTEGER),
    "toStringList": ("toStringOrNull", Kind.STRING),
}
_ROUNDED = "-?P.*(?:[.][0-9]{9}S|T(?:2[4-9]|[3-9][0-9]|[0-9]{3,})H.*)"
"""Means of durations that grafeo rounds, or leaves whole days in their hours."""
_RUNNING = "-?P[^T]+T.*|-?P.*[.].*|-?P[^T]*M[^T]*D.*"
"""Means of more than two of which a part is broken, where Neo4j's running mean may be cut."""
_SINGLE = NUMERIC | TEMPORAL | {Kind.STRING, Kind.BOOLEAN, Kind.DURATION, Kind.POINT, Kind.MAP}
_NUMBERS = NUMERIC | {Kind.STRING, Kind.NULL, Kind.ANY}
_READS = {
    "toBooleanOrNull": frozenset((Kind.STRING, Kind.INTEGER, Kind.BOOLEAN, Kind.NULL)),
    "toFloatOrNull": _NUMBERS,
    "toIntegerOrNull": _NUMBERS | {Kind.BOOLEAN},
    "toStringOrNull": frozenset(
        (
            *(Kind.STRING, Kind.INTEGER, Kind.FLOAT, Kind.BOOLEAN, Kind.NULL, Kind.DATE),
            *(Kind.TIME, Kind.ZONED_TIME, Kind.DATETIME, Kind.ZONED_DATETIME, Kind.DURATION),
        )
    ),
}


def exact_functions(statement: ir.Statement, schema: SchemaGraph | None) -> ir.Statement:
    """The statement with calls that grafeo answers as Cypher does."""
    free = unused_names(statement, "value")
    spans = has_spans(statement, schema)

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Call():
                return _call(node, free)
            case ir.Prop(base=ir.Literal(value=None)) | ir.Index(base=ir.Literal(value=None)):
                return replace(NULL, type=node.type)
            case ir.Prop(base=ir.MapProjection() as shown):
                return _entry(node, shown)
            case ir.Slice():
                return _slice(node, free)
            case ir.Agg():
                return _aggregate(node, spans)
            case ir.Unwind(expr=listed) if kind_of(listed) is Kind.ANY:
                is_text = ir.Compare(ir.CompareOp.GE, listed, ir.Literal(""))
                printed = own("toString", listed, kind=Kind.STRING)
                is_list = own("~", printed, ir.Literal(r"(?s)\[.*"), kind=Kind.BOOLEAN)
                one = ir.ListOf((listed,))
                items = case(
                    (ir.IsNull(listed), ir.ListOf(())),
                    (is_text, one),
                    (is_list, listed),
                    default=one,
                    type=Type(Kind.LIST, ANY),
                )
                return replace(node, expr=items)
            case ir.Arith(op=ir.ArithOp.ADD) if Kind.ANY in map(kind_of, (node.left, node.right)):
                return sum_of_unknown(node, free)
            case ir.Arith(op=ir.ArithOp.SUB) if spans:
                return difference_of_unknown(node, free)
            case ir.Arith(op=ir.ArithOp.MUL | ir.ArithOp.DIV):
                return product_or_quotient(node, free, spans)
            case ir.Unwind(expr=listed) if kind_of(listed) in _SINGLE:
                one = ir.ListOf((listed,))
                return replace(node, expr=case((ir.IsNull(listed), ir.ListOf(())), default=one))
            case ir.Arith(op=ir.ArithOp.ADD, left=left, right=right) if (
                kind_of(left) is Kind.STRING and kind_of(right) in TEMPORAL
            ):
                return replace(node, right=ir.Call("toString", (right,), type=Type(Kind.STRING)))
        return node

    return rewrite(statement, change)


def _slice(node: ir.Slice, free: Iterator[str]) -> ir.Expr:
    """A slice with bounds below 0, which count from the end, or that are computed."""
    bounds = [bound for bound in (node.lo, node.hi) if bound is not None]
    whole = [b.value for b in bounds if isinstance(b, ir.Literal) and type(b.value) is int]
    if any(kind_of(bound) is not Kind.INTEGER for bound in bounds):
        return node
    if any(not -(2**31) <= value < 2**31 for value in whole):
        return node
    if len(whole) == len(bounds) and all(value >= 0 for value in whole):
        return node
    unknown = [ir.IsNull(bound) for bound in bounds if nullable(bound)]

    def cut(listed: ir.Expr) -> ir.Expr:
        size = own("size", listed, kind=Kind.INTEGER)
        low = _ZERO if node.lo is None else _from_start(node.lo, size)
        high = size if node.hi is None else _from_start(node.hi, size)
        part = replace(own("[..]", listed, low, high), type=node.type)
        return case((either(*unknown), NULL), default=part, type=node.type) if unknown else part

    return replace(with_value(node.base, free, cut, Kind.LIST), type=node.type)


def _from_start(bound: ir.Expr, size: ir.Expr) -> ir.Expr:
    """A bound that counts from the start of a list."""

    def less(value: ir.Expr, than: ir.Expr) -> ir.Expr:
        return ir.Compare(ir.CompareOp.LT, value, than)

    behind = ir.Arith(ir.ArithOp.ADD, size, bound, type=Type(Kind.INTEGER))
    from_end = case((less(behind, _ZERO), _ZERO), default=behind, type=Type(Kind.INTEGER))
    if isinstance(bound, ir.Literal):
        return bound if bound.value >= 0 else from_end  # type: ignore[operator] # an integer
    large = either(less(ir.Literal(2**31 - 1), bound), less(bound, ir.Literal(-(2**31))))
    return case((large, FAILS), (less(bound, _ZERO), from_end), default=bound, type=bound.type)


def _entry(node: ir.Prop, shown: ir.MapProjection) -> ir.Expr:
    """`t {.v}.v`: grafeo reads no keys of a CASE, which such a map is where `t` may be null."""
    absent = ir.Prop(shown.base, node.key, type=node.type) if shown.all_properties else NULL
    value = next((e.value for e in shown.entries if e.key == node.key), absent)
    if not nullable(shown.base):
        return value
    return case((ir.IsNull(shown.base), NULL), default=value, type=node.type)


def _aggregate(node: ir.Agg, spans: bool) -> ir.Expr:
    match node:
        case ir.Agg(name="percentileDisc", args=(_, ir.Literal(value=int() | float() as share))):
            return percentile(node, share)
        case ir.Agg(name="percentileCont"):
            return continuous_percentile(node)
        case ir.Agg(name="min" | "max"):
            return extreme(node)
        case ir.Agg(name="avg") if kind_of(node.args[0]) is Kind.DURATION:
            raise Refused("engine-limit", "avg()", "grafeo rounds means of durations.", node.span)
        case ir.Agg(name="stDevP", args=(value,)) if kind_of(value) in (
            Kind.FLOAT,
            Kind.ANY,
        ) and not _is_stored(value):
            # That of one value is 0.0 for Neo4j, NaN and infinities too.
            number = ir.Agg("count", node.args, node.distinct, type=Type(Kind.INTEGER))
            alone = ir.Compare(ir.CompareOp.EQ, number, ir.Literal(1))
            return case((alone, ir.Literal(0.0)), default=node, type=node.type)
        case ir.Agg(name="avg") if spans and kind_of(node.args[0]) is Kind.ANY:
            text = own("toString", node, kind=Kind.STRING)
            number = ir.Agg("count", node.args, node.distinct, type=Type(Kind.INTEGER))
            several = ir.Compare(ir.CompareOp.GT, number, ir.Literal(2))
            running = both(several, matches(text, _RUNNING))
            rounded = either(matches(text, _ROUNDED), running)
            return case((rounded, FAILS), default=node, type=node.type)
    return node


def _is_stored(value: ir.Expr) -> bool:
    return isinstance(value, ir.Prop) and kind_of(value.base) in (Kind.NODE, Kind.EDGE)


def _is_empty(value: ir.Expr) -> ir.Expr:
    """Whether a value of an unknown kind is: of maps, which begin with a brace, by their keys."""
    opens = own("~", own("toString", value), ir.Literal(r"(?s)\{.*"))
    is_text = ir.Compare(ir.CompareOp.GE, value, ir.Literal(""))
    is_map = ir.Bool(ir.BoolOp.AND, (ir.IsNull(is_text), opens))
    size = case((is_map, own("size", own("keys", value))), default=own("size", value))
    return ir.Compare(ir.CompareOp.EQ, size, _ZERO)


def _known_range(node: ir.Call, free: Iterator[str]) -> ir.Expr:
    """A range, which Neo4j does not give of null."""
    args = node.args
    unknown = [ir.IsNull(a) for a in args if a.type.nullable and not _is_constant(a)]
    if (spelled := _at_the_end(node)) is not None:
        return spelled
    if len(args) == 3:
        node = replace(node, args=(*args[:2], _step(node, args[2], free)))
    listed = _range(node) if len(args) == 3 else node
    return case((either(*unknown), FAILS), default=listed) if unknown else listed


def _call(node: ir.Call, free: Iterator[str]) -> ir.Expr:
    args = node.args
    match node.name:
        case "toBooleanOrNull" | "toFloatOrNull" | "toIntegerOrNull" | "toStringOrNull":
            kind = kind_of(args[0])
            if kind in _READS[node.name]:
                return replace(node, name=node.name.removesuffix("OrNull"))
            if kind is not Kind.ANY:
                return replace(NULL, type=node.type)
            if node.name in ("toBooleanOrNull", "toStringOrNull"):
                reason = "grafeo has no such function of values of several types."
                raise Refused("engine-limit", f"{node.name}()", reason, node.span)
        case "toBooleanList" | "toFloatList" | "toIntegerList" | "toStringList":
            return _converted(node, free)
        case "haversin":
            difference = ir.Arith(ir.ArithOp.SUB, ir.Literal(1.0), ir.Call("cos", args))
            return ir.Arith(ir.ArithOp.DIV, difference, ir.Literal(2.0), type=Type(Kind.FLOAT))
        case "cot":
            tangent = ir.Call("tan", args, type=Type(Kind.FLOAT))
            return ir.Arith(ir.ArithOp.DIV, ir.Literal(1.0), tangent, type=Type(Kind.FLOAT))
        case "isEmpty" if kind_of(args[0]) is Kind.MAP:
            return ir.Compare(ir.CompareOp.EQ, own("size", own("keys", *args)), _ZERO)
        case "isEmpty" if kind_of(args[0]) is Kind.ANY:
            return _is_empty(args[0])
        case "ceil" | "floor" | "round" if len(args) == 1 and kind_of(args[0]) is Kind.INTEGER:
            return ir.Call("toFloat", args, type=node.type)
        case "ceil" | "floor" if _may_be_integer(args[0]):
            return _as_float(node)
        case "round" if len(args) == 1 and kind_of(args[0]) in (Kind.FLOAT, Kind.ANY):
            return with_value(args[0], free, _rounded, Kind.FLOAT)
        case "date" | "datetime" | "localdatetime" | "localtime" | "time" if args:
            return instant(node, free)
        case "sign" if kind_of(args[0]) in (Kind.FLOAT, Kind.ANY):
            there = case((ir.IsNull(args[0], negated=True), _ZERO), default=NULL)
            return ir.Call("coalesce", (node, there), type=node.type)
        case "left" | "right":
            return replace(node, args=(args[0], _no_negative(node, args[1], free)))
        case "substring":
            return replace(
                node, args=(args[0], *(_no_negative(node, arg, free) for arg in args[1:]))
            )
        case "range" if any(arg == NULL for arg in args):
            raise Refused(
                "engine-limit", "range()", "Neo4j raises where range is given null.", node.span
            )
        case "range":
            return _known_range(node, free)
        case "trim" if len(args) == 2:
            raise Refused("engine-limit", "trim()", "grafeo trims white space alone.", node.span)
        case "duration":
            return duration(node, free)
        case name if name in UNKNOWN:
            raise Refused("engine-limit", f"{name}()", "grafeo has no such function.", node.span)
    return node


def _may_be_integer(value: ir.Expr) -> bool:
    return kind_of(value) is Kind.ANY or value.type.mixed


def _as_float(number: ir.Expr) -> ir.Expr:
    """The same number; a whole one has no fraction in grafeo, and divides integers as one."""
    return ir.Arith(ir.ArithOp.MUL, number, ir.Literal(1.0), type=Type(Kind.FLOAT))


def _rounded(value: ir.Expr) -> ir.Expr:
    """Halves go up; what is larger than any integer becomes the largest."""
    down: ir.Expr = own("floor", value, kind=Kind.FLOAT)
    if _may_be_integer(value):
        down = _as_float(down)
    part = ir.Arith(ir.ArithOp.SUB, value, down, type=Type(Kind.FLOAT))
    up = ir.Arith(ir.ArithOp.ADD, down, ir.Literal(1.0), type=Type(Kind.FLOAT))
    most = ir.Literal(9.223372036854775807e18)
    least = ir.Literal(-9.223372036854775807e18)
    finite = ir.Literal(1.7976931348623157e308)
    return case(
        (ir.Compare(ir.CompareOp.GT, own("abs", value), finite), value),
        (ir.Compare(ir.CompareOp.GE, value, most), most),
        (ir.Compare(ir.CompareOp.LE, value, least), least),
        (ir.Compare(ir.CompareOp.GE, part, ir.Literal(0.5)), up),
        default=ir.Arith(ir.ArithOp.ADD, down, ir.Literal(0.0), type=Type(Kind.FLOAT)),  # no -0.0
        type=Type(Kind.FLOAT),
    )


def _converted(node: ir.Call, free: Iterator[str]) -> ir.Expr:
    name, kind = _LISTS[node.name]
    item = ir.Var(next(free), type=node.args[0].type.item or ANY)
    result = _call(ir.Call(name, (item,), type=Type(kind)), free)
    if isinstance(result, ir.Call) and result.name in UNKNOWN:
        raise Refused("engine-limit", f"{node.name}()", "grafeo has no such function.", node.span)
    return ir.ListComp(item.name, node.args[0], result=result, type=node.type)


def _no_negative(node: ir.Call, number: ir.Expr, free: Iterator[str]) -> ir.Expr:
    """A length or a place, which must be from 0 to 2147483647: Neo4j raises an error."""
    if isinstance(number, ir.Literal):
        if isinstance(number.value, int) and not 0 <= number.value < 2**31:
            raise Refused(
                "engine-limit",
                f"{node.name}()",
                "grafeo raises no error for -1 and 2147483648.",
                node.span,
            )
        return number
    if isinstance(number, ir.Call) and number.name in ("size", "length", "=size"):
        return number
    negative = ir.Compare(ir.CompareOp.LT, number, _ZERO)
    large = ir.Compare(ir.CompareOp.GE, number, ir.Literal(2**31))
    return case((either(negative, large), FAILS), default=number, type=number.type)


def _is_constant(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Literal) and expr.value is not None


def _at_the_end(node: ir.Call) -> ir.Expr | None:
    """A range whose next number would be beyond 64 bits, item by item: grafeo counts on from the
    other end. None for every other one."""
    start, end, step = (*node.args, ir.Literal(1))[:3]
    by = step.value if isinstance(step, ir.Literal) else 1
    if not (isinstance(end, ir.Literal) and isinstance(end.value, int) and isinstance(by, int)):
        return None
    if by == 0 or -(2**63) <= end.value + by < 2**63:
        return None
    first = start.value if isinstance(start, ir.Literal) else None
    items = range(first, end.value + (1 if by > 0 else -1), by) if isinstance(first, int) else None
    if items is not None and (not items or -(2**63) <= items[-1] + by < 2**63):
        return None
    if items is None or items[_SPELLED:]:
        reason = "grafeo counts on from the other end of 64 bits."
        raise Refused("engine-limit", "range()", reason, node.span)
    return ir.ListOf(tuple(map(ir.Literal, items)), type=node.type)


def _range(node: ir.Call) -> ir.Expr:
    """`range()` with a step: one that leads away and is longer than the way leaves the start."""
    start, end, step = node.args
    whole = [a.value for a in node.args if isinstance(a, ir.Literal) and isinstance(a.value, int)]
    alone = ir.ListOf((start,), type=node.type)
    if len(whole) == len(node.args):
        return alone if ends_before(*whole) else node
    if isinstance(step, ir.Literal) and step.value in (1, -1):
        return node

    def test(op: ir.CompareOp, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        return ir.Compare(op, left, right)

    less, more = ir.CompareOp.LT, ir.CompareOp.GT
    away = either(
        both(test(less, end, start), test(more, step, _ZERO)),
        both(test(more, end, start), test(less, step, _ZERO)),
    )
    way = ir.Arith(ir.ArithOp.SUB, end, start, type=Type(Kind.INTEGER))
    longer = test(less, own("abs", way), own("abs", step))
    return case((both(away, longer), alone), default=node, type=node.type)


def _step(node: ir.Call, step: ir.Expr, free: Iterator[str]) -> ir.Expr:
    if isinstance(step, ir.Literal) and isinstance(step.value, int):
        if step.value == 0 or abs(step.value) > 10**9:
            raise Refused(
                "engine-limit", "range()", "grafeo counts by such steps otherwise.", node.span
            )
        return step
    large = ir.Compare(ir.CompareOp.GT, own("abs", step), ir.Literal(10**9))
    zero = ir.Compare(ir.CompareOp.EQ, step, _ZERO)
    return case((either(zero, large), FAILS), default=step, type=step.type)
