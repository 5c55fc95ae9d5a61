"""min() and max() of values that grafeo orders otherwise, by texts that are ordered as they are.

Neo4j orders times with offsets and date-times by their instants, then by their clocks, and
durations by their mean lengths, then by months and days; grafeo has the first of one instant, and
orders durations by months, then days.
"""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.reference.signs import shown_extremes
from graph_ir.walk import substitute
from graphmill.errors import Refused
from schemagraph.model import Kind, Type
from translators.gql.emit.values import kind_of
from translators.grafeo.comparisons import utc_seconds
from translators.grafeo.primitives import FAILS, NULL, both, case, equal, matches, own

_STRING, _INTEGER, _FLOAT = Type(Kind.STRING), Type(Kind.INTEGER), Type(Kind.FLOAT)
_ZONE = "(?:Z|[+-][0-9]{2}:[0-9]{2})"
_CLOCK = "[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.][0-9]{1,6})?)?"
_FORMS = {
    Kind.ZONED_TIME: _CLOCK + _ZONE,
    Kind.ZONED_DATETIME: f"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}T{_CLOCK}{_ZONE}",
    Kind.DURATION: "-?P[0-9].*|-?PT[0-9].*|-?P-.*",
}
_MONTH, _DAY = 2_629_746_000_000_000, 86_400_000_000_000  # nanoseconds
_AHEAD = 5 * 10**18  # makes every length that is looked at a number of 19 digits
_LONGEST = 4e18  # nanoseconds, some 126 years
_PART = 5 * 10**9  # makes months and days numbers of 10 digits


def extreme(node: ir.Agg) -> ir.Expr:
    """min() or max() as Cypher has it."""
    (value,) = node.args
    kind = kind_of(value)
    if kind in _FORMS:
        return _of_kind(node, kind)
    if kind is not Kind.ANY:
        return node
    text = own("toString", node, kind=Kind.STRING)
    no_text = ir.IsNull(ir.Compare(ir.CompareOp.GE, node, ir.Literal("")))
    branches = []
    for each, form in _FORMS.items():
        alike = case(
            (matches(own("toString", value, kind=Kind.STRING), form), ir.Literal(1)), default=NULL
        )
        every = equal(ir.Agg("count", (alike,)), ir.Agg("count", (value,)))
        typed = replace(node, args=(replace(value, type=replace(value.type, kind=each)),))
        exact = case((every, _of_kind(typed, each)), default=FAILS)
        branches.append((both(no_text, matches(text, form)), exact))
    return case(*branches, default=node, type=node.type)


def signed_extremes(statement: ir.Statement) -> ir.Statement:
    """The statement with least and greatest floats of which it shows what zero they are: grafeo
    takes -0.0 and 0.0 for one, whose reciprocals tell them apart."""
    shown = shown_extremes(statement, sorts=lambda _: True)

    def change(node: ir.Node) -> ir.Node | None:
        return _signed(node) if isinstance(node, ir.Agg) and node in shown else None

    return substitute(statement, change) if shown else statement


def _signed(node: ir.Agg) -> ir.Expr:
    value, *shares = node.args
    if kind_of(value) is Kind.LIST:
        reason = "Cypher orders -0.0 before 0.0, which are one number in lists here."
        raise Refused("comparison", f"{node.name}()", reason, node.span)
    if kind_of(value) is not Kind.FLOAT or value.type.mixed:
        return node
    if shares:
        share = shares[0].value if isinstance(shares[0], ir.Literal) else None
        if share not in (0, 1):
            return node
        node = replace(node, name="max" if share else "min", args=(value,))
    beyond = ir.Arith(ir.ArithOp.DIV, ir.Literal(1.0, type=_FLOAT), value, type=_FLOAT)
    is_zero = equal(node, ir.Literal(0, type=_INTEGER))
    below = ir.Compare(
        ir.CompareOp.LT, replace(node, args=(beyond,), type=_FLOAT), ir.Literal(0, type=_INTEGER)
    )
    signs = [(both(is_zero, below), ir.Literal(-0.0, type=_FLOAT))]
    if node.name == "max":
        signs.append((is_zero, ir.Literal(0.0, type=_FLOAT)))
    return case(*signs, default=node, type=node.type)


def _of_kind(node: ir.Agg, kind: Kind) -> ir.Expr:
    (value,) = node.args
    key = {
        Kind.ZONED_TIME: _time_key,
        Kind.ZONED_DATETIME: _instant_key,
        Kind.DURATION: _span_key,
    }[kind](value)
    chosen = replace(node, args=(key,), type=_STRING)
    parts = own("split", chosen, ir.Literal(" "), kind=Kind.LIST)
    if kind is Kind.DURATION:
        made: ir.Expr = _span_of(parts)
    else:
        name = "zoned_time" if kind is Kind.ZONED_TIME else "zoned_datetime"
        made = own(name, own("last", parts, kind=Kind.STRING), kind=kind)
    return case((ir.IsNull(chosen, negated=True), made), default=NULL, type=node.type)


def _joined(*parts: ir.Expr) -> ir.Expr:
    text = parts[0]
    for part in parts[1:]:
        text = ir.Arith(ir.ArithOp.ADD, text, part, type=_STRING)
    return text


def _time_key(value: ir.Expr) -> ir.Expr:
    seconds = ir.Arith(ir.ArithOp.ADD, utc_seconds(value), ir.Literal(200000.0), type=_FLOAT)
    return _joined(_text(seconds), ir.Literal(" "), _text(value))


def _instant_key(value: ir.Expr) -> ir.Expr:
    """Seconds since 1970 in 13 digits, the fraction of a second, and the text."""
    seconds = _plus(_part(value, "epochSeconds"), 2 * 10**12)
    text = _text(value)
    after = own("substring", text, ir.Literal(19), kind=Kind.STRING)
    length = own("size", after, kind=Kind.INTEGER)
    zone = case(
        (ir.Text(ir.TextOp.ENDS, text, ir.Literal("Z")), ir.Literal(1)),
        default=ir.Literal(6),
        type=_INTEGER,
    )
    fraction = own("left", after, ir.Arith(ir.ArithOp.SUB, length, zone, type=_INTEGER))
    return _joined(_text(seconds), fraction, ir.Literal(" "), text)


def span_length(value: ir.Expr) -> ir.Expr:
    """The mean length of a duration in nanoseconds, as a float."""
    parts = (
        _times(_part(value, "months"), float(_MONTH)),
        _times(_part(value, "days"), float(_DAY)),
    )
    long = ir.Arith(ir.ArithOp.ADD, *parts, type=_FLOAT)
    return ir.Arith(ir.ArithOp.ADD, long, _part(value, "nanoseconds"), type=_FLOAT)


def span_order(value: ir.Expr) -> tuple[ir.Expr, ...]:
    """What durations are ordered by: their lengths, then months, then days."""
    # grafeo loses a key that is computed beside one that is a part, so all are computed.
    return (span_length(value), *(_plus(_part(value, name), 0) for name in ("months", "days")))


def _span_key(value: ir.Expr) -> ir.Expr:
    months, days, rest = (_part(value, name) for name in ("months", "days", "nanoseconds"))
    whole = ir.Arith(
        ir.ArithOp.ADD,
        ir.Arith(ir.ArithOp.ADD, _times(months, _MONTH), _times(days, _DAY), type=_INTEGER),
        rest,
        type=_INTEGER,
    )
    space = ir.Literal(" ")
    key = _joined(
        _text(_plus(whole, _AHEAD)),
        *(space, _text(_plus(months, _PART)), space, _text(_plus(days, _PART)), space, _text(rest)),
    )
    long = ir.Compare(ir.CompareOp.GT, own("abs", span_length(value)), ir.Literal(_LONGEST))
    return case((long, FAILS), default=key, type=_STRING)


def _span_of(parts: ir.Expr) -> ir.Expr:
    def number(place: int, ahead: int) -> ir.Expr:
        text = own("[]", parts, ir.Literal(place), kind=Kind.STRING)
        return _plus(own("toInteger", text, kind=Kind.INTEGER), -ahead)

    entries = (("months", 1, _PART), ("days", 2, _PART), ("nanoseconds", 3, 0))
    made = ir.MapOf(tuple(ir.Entry(name, number(at, ahead)) for name, at, ahead in entries))
    return own("duration", made, kind=Kind.DURATION)


def _part(value: ir.Expr, name: str) -> ir.Expr:
    return own(".", value, ir.Literal(name), kind=Kind.INTEGER)


def _text(value: ir.Expr) -> ir.Expr:
    return own("toString", value, kind=Kind.STRING)


def _plus(value: ir.Expr, number: int) -> ir.Expr:
    return ir.Arith(ir.ArithOp.ADD, value, ir.Literal(number), type=_INTEGER)


def _times(value: ir.Expr, number: float) -> ir.Expr:
    return ir.Arith(ir.ArithOp.MUL, value, ir.Literal(number))
