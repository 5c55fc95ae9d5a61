"""Days, times and durations that grafeo makes of texts, of maps and of other values.

It reads texts of fewer forms than Neo4j, gives null for what is no value, and takes a map with a
null for null, where Neo4j takes the least value of the part. Constant maps become texts; of maps
whose parts the rows know it is looked at first what grafeo would read otherwise, which fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from graph_ir import nodes as ir
from graph_ir.temporal.construct import moment, span, with_least
from graph_ir.temporal.values import SECOND, Span, TemporalError
from graphmill.errors import Refused
from schemagraph.model import Kind, Type
from translators.gql.emit.values import kind_of, nullable
from translators.grafeo.primitives import (
    FAILS,
    NULL,
    TRUE,
    both,
    case,
    either,
    matches,
    own,
    with_value,
)

_ZERO = ir.Literal(0)
_DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_CLOCK = "[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.][0-9]{1,6})?)?"
_ZONE = "(?:Z|[+-](?:0[0-9]|1[0-7]):[0-5][0-9]|[+-]18:00)"
_FORMS = {
    "date": _DAY,
    "localtime": _CLOCK,
    "time": f"{_CLOCK}{_ZONE}?",
    "localdatetime": f"{_DAY}T{_CLOCK}",
    "datetime": f"{_DAY}T{_CLOCK}{_ZONE}",
}
"""Texts that grafeo reads as Neo4j does, which reads more."""
_MAKES = {"datetime": "zoned_datetime", "time": "zoned_time"}
_CHAINS = {
    "date": ("year", "month", "day"),
    "localtime": ("hour", "minute", "second", "nanosecond"),
    "localdatetime": ("year", "month", "day", "hour", "minute", "second", "nanosecond"),
}
_CHAINS = {**_CHAINS, "time": _CHAINS["localtime"], "datetime": _CHAINS["localdatetime"]}
"""Parts that grafeo reads as Neo4j does where each has those before it."""
_SPAN = (
    "P(?:-?[0-9]{1,9}Y)?(?:-?[0-9]{1,9}M)?(?:-?[0-9]{1,9}W)?(?:-?[0-9]{1,9}D)?"
    "(?:T(?:-?[0-9]{1,9}H)?(?:-?[0-9]{1,9}M)?(?:-?[0-9]{1,9}S|[0-9]{1,9}[.][0-9]{1,6}S)?)?"
)
_NEGATIVE = (
    "-P(?:[0-9]{1,9}Y)?(?:[0-9]{1,9}M)?(?:[0-9]{1,9}W)?(?:[0-9]{1,9}D)?"
    "(?:T(?:[0-9]{1,9}H)?(?:[0-9]{1,9}M)?(?:[0-9]{1,9}S)?)?"
)
_CLOCKS = ("time", "localtime")
_FROM = {Kind.DATE: ("date",), Kind.TIME: _CLOCKS, Kind.ZONED_TIME: _CLOCKS}
"""What can be made of a value that is no whole moment."""
_CLOCKED = (Kind.ZONED_DATETIME, Kind.ZONED_TIME)
_OF_MONTHS = {"years", "months"}
_FINE = {"milliseconds", "microseconds"}
_PARTS = ("years", "months", "weeks", "days", "hours", "minutes", "seconds", "nanoseconds")


# --- days and times ------------------------------------------------------------------------


def instant(node: ir.Call, free: Iterator[str]) -> ir.Expr:
    """`date(value)` and its relatives.

    Raises:
        Refused: there is no such value, or grafeo makes another.
    """
    value, kind = node.args[0], kind_of(node.args[0])
    if kind is Kind.ANY and not isinstance(value, ir.Literal):
        is_text = ir.Compare(ir.CompareOp.GE, value, ir.Literal(""))
        return case((is_text, _read(node)), default=_failing(value), type=node.type)
    if kind is Kind.STRING:
        return _read(node)
    if isinstance(value, ir.MapOf):
        return _of_parts(node, value)
    if node.name not in _FROM.get(kind, (node.name,)):
        reason = f"A {kind.value} is no {node.type.kind.value}."
        raise Refused("engine-limit", f"{node.name}()", reason, node.span)
    if kind is Kind.MAP:
        return with_value(value, free, lambda v: _of_map(node, v, free), node.type.kind)
    if node.name in ("localdatetime", "localtime") and kind in _CLOCKED:
        return with_value(value, free, lambda v: _without_offset(node, v), node.type.kind)
    if node.name == "localdatetime" and kind is Kind.DATE:
        raise Refused("engine-limit", "localdatetime()", "grafeo makes one of a date.", node.span)
    return node


def _of_parts(node: ir.Call, parts: ir.MapOf) -> ir.Expr:
    """A value from a map whose keys stand in the query."""
    given = {e.key: e.value.value for e in parts.entries if isinstance(e.value, ir.Literal)}
    if len(given) == len(parts.entries):
        try:
            text = str(moment(node.type.kind, with_least(given)))
        except TemporalError as problem:
            raise Refused("temporal-map", f"{node.name}()", f"{problem}.", node.span) from problem
        if "[" in text or not re.match(r"(?!0000)\d{4}-|\d\d:", text):
            raise Refused("engine-limit", f"{node.name}()", "grafeo has no such value.", node.span)
        return _read(replace(node, args=(ir.Literal(text, type=Type(Kind.STRING)),)))
    chain = _CHAINS["date"]
    keys = {entry.key for entry in parts.entries}
    if keys != set(chain[: len(keys)]):
        return node
    entries = tuple(replace(e, value=_or_least(e.key, e.value)) for e in parts.entries)
    made = replace(node, args=(ir.MapOf(entries),))
    return ir.Call("coalesce", (made, FAILS), type=node.type)


def _or_least(part: str, value: ir.Expr) -> ir.Expr:
    if not nullable(value):
        return value
    least = FAILS if part == "year" else ir.Literal(1)
    return ir.Call("coalesce", (value, least), type=value.type)


def _of_map(node: ir.Call, parts: ir.Expr, free: Iterator[str]) -> ir.Expr:
    """A value from a map that the rows know."""
    chain = _CHAINS[node.name]
    there = [ir.IsNull(own("[]", parts, ir.Literal(name)), negated=True) for name in chain]
    gaps = [both(ir.Not(a), b) for a, b in pairwise(there)]
    fits = both(there[0], ir.Not(either(*gaps)), _is_whole(parts, chain, "[0-9]{1,9}", free))
    if chain[-1] == "nanosecond":
        nanos = own("toString", own("[]", parts, ir.Literal(chain[-1])), kind=Kind.STRING)
        micros = ir.Call("coalesce", (matches(nanos, "0|[0-9]+000"), TRUE), type=Type(Kind.BOOLEAN))
        fits = both(fits, micros)
    made = ir.Call("coalesce", (_cast(node, parts), FAILS), type=node.type)
    branches = [(ir.IsNull(parts), NULL)] if nullable(parts) else []
    return case(*branches, (fits, made), default=FAILS, type=node.type)


def _cast(node: ir.Call, value: ir.Expr) -> ir.Call:
    return own(_MAKES.get(node.name, node.name), value, kind=node.type.kind)


def _is_whole(parts: ir.Expr, known: tuple[str, ...], number: str, free: Iterator[str]) -> ir.Expr:
    """Whether a map has known keys alone, and integers for them."""
    key = ir.Var(next(free), type=Type(Kind.STRING))
    named = ir.In(key, ir.ListOf(tuple(map(ir.Literal, known))))
    whole = matches(own("toString", own("[]", parts, key), kind=Kind.STRING), number)
    odd = ir.ListComp(
        key.name,
        own("keys", parts),
        ir.Not(ir.Call("coalesce", (both(named, whole), ir.Literal(False)))),
    )
    return ir.Compare(ir.CompareOp.EQ, own("size", odd), _ZERO)


def _failing(value: ir.Expr) -> ir.Expr:
    return case((ir.IsNull(value), NULL), default=FAILS)


def _read(node: ir.Call) -> ir.Expr:
    """A day or a time from a text; of other forms than both read alike, the query fails."""
    (text,) = node.args
    if isinstance(text, ir.Literal):
        if re.search(r"[.,][0-9]{7}", str(text.value)):
            raise Refused("engine-limit", f"{node.name}()", "grafeo keeps microseconds.", node.span)
        return node
    sure = ir.Call("coalesce", (_cast(node, text), FAILS), type=node.type)
    plain = own("~", text, ir.Literal(_FORMS[node.name]), kind=Kind.BOOLEAN)
    return case((ir.IsNull(text), NULL), (plain, sure), default=FAILS, type=node.type)


def _without_offset(node: ir.Call, value: ir.Expr) -> ir.Expr:
    """What the clocks show there where an instant or a time has its offset."""
    text = own("toString", value, kind=Kind.STRING)
    length = replace(own("size", text), type=Type(Kind.INTEGER))
    utc = ir.Text(ir.TextOp.ENDS, text, ir.Literal("Z"))
    end = case((utc, ir.Literal(1)), default=ir.Literal(6), type=Type(Kind.INTEGER))
    kept = own("left", text, ir.Arith(ir.ArithOp.SUB, length, end, type=Type(Kind.INTEGER)))
    if node.name == "localtime" and kind_of(value) is Kind.ZONED_DATETIME:
        kept = own("substring", kept, ir.Literal(11))
    if node.name == "localdatetime" and kind_of(value) is Kind.ZONED_TIME:
        return node
    return own(node.name, kept, kind=node.type.kind)


# --- durations -----------------------------------------------------------------------------


def duration(node: ir.Call, free: Iterator[str]) -> ir.Expr:
    """`duration(value)`.

    Raises:
        Refused: the duration has no part.
    """
    value, kind = node.args[0], kind_of(node.args[0])
    if isinstance(value, ir.MapOf):
        return _span_of_parts(node, value)
    if isinstance(value, ir.Literal):
        return _span_of_constant(node, value)
    if kind is Kind.STRING:
        return with_value(value, free, _span_of_text, Kind.DURATION)
    if kind in (Kind.MAP, Kind.ANY):
        return with_value(value, free, lambda v: _span_of_map(v, free), Kind.DURATION)
    if kind is Kind.DURATION:
        raise Refused("temporal-map", "duration()", "It takes a text or a map.", node.span)
    return node


def _span_of_parts(node: ir.Call, parts: ir.MapOf) -> ir.Expr:
    """A duration whose parts stand in the query: those that are null are none."""
    kept = [e for e in parts.entries if e.value != NULL]
    odd = {e.key for e in kept} - {*_PARTS, *_FINE}
    if not kept or odd:
        reason = f"A duration has no part {min(odd)}." if odd else "A duration has a part."
        raise Refused("temporal-map", "duration()", reason, node.span)
    constant = _constant_span(node, kept)
    if constant is not None:
        return constant
    if {e.key for e in kept} & _FINE:
        raise Refused("engine-limit", "duration()", "grafeo has no such parts.", node.span)
    if any(kind_of(e.value) is Kind.FLOAT for e in kept):
        raise Refused("engine-limit", "duration()", "grafeo cuts fractions of parts.", node.span)
    entries = tuple(
        replace(e, value=ir.Call("coalesce", (_whole(e.value), _ZERO), type=e.value.type))
        if nullable(e.value)
        else replace(e, value=_whole(e.value))
        for e in kept
    )
    made = replace(node, args=(ir.MapOf(entries),))
    if not all(nullable(e.value) for e in kept):
        return made
    return case((both(*(ir.IsNull(e.value) for e in kept)), FAILS), default=made, type=node.type)


def _whole(value: ir.Expr) -> ir.Expr:
    """A value that fails where it is no integer."""
    if kind_of(value) is not Kind.ANY:
        return value
    text = own("toString", value, kind=Kind.STRING)
    odd = ir.Not(ir.Call("coalesce", (matches(text, "-?[0-9]+"), TRUE), type=Type(Kind.BOOLEAN)))
    return case((odd, FAILS), default=value, type=value.type)


def _constant_span(node: ir.Call, parts: list[ir.Entry]) -> ir.Expr | None:
    """The duration of numbers that stand in the query, by whole parts alone."""
    numbers = {e.key: e.value.value for e in parts if isinstance(e.value, ir.Literal)}
    given = {key: n for key, n in numbers.items() if isinstance(n, int | float)}
    if len(given) < len(parts):
        return None
    plain = all(isinstance(n, int) for n in given.values()) and not given.keys() & _FINE
    if plain and (given.keys() <= _OF_MONTHS or not given.keys() & _OF_MONTHS):
        return None
    try:
        value = span(given)
    except TemporalError as problem:
        raise Refused("temporal-map", "duration()", f"{problem}.", node.span) from problem
    return _of_whole_parts(value)


def _span_of_constant(node: ir.Call, text: ir.Literal) -> ir.Expr:
    """A text that stands in the query: of months and seconds, or fractions, by its parts."""
    try:
        value = span(str(text.value))
    except TemporalError:
        return node
    mixed = value.months and (value.days or value.nanos)
    return _of_whole_parts(value) if mixed else node


def _of_whole_parts(value: Span) -> ir.Call:
    seconds, nanos = divmod(value.nanos, SECOND)
    names = ("months", "days", "seconds", "nanoseconds")
    made = zip(names, (value.months, value.days, seconds, nanos), strict=True)
    entries = tuple(ir.Entry(name, ir.Literal(number)) for name, number in made)
    return own("duration", ir.MapOf(entries), kind=Kind.DURATION)


def _span_of_text(text: ir.Expr) -> ir.Expr:
    """A duration from a text; it fails where grafeo reads no sign of a fraction, or no fraction."""
    known = either(matches(text, _SPAN), matches(text, _NEGATIVE))
    plain = both(known, ir.Not(matches(text, ".*[PT]")))
    made = ir.Call("coalesce", (own("duration", text), FAILS), type=Type(Kind.DURATION))
    branches = [(ir.IsNull(text), NULL)] if nullable(text) else []
    return case(*branches, (plain, made), default=FAILS, type=Type(Kind.DURATION))


def _span_of_map(parts: ir.Expr, free: Iterator[str]) -> ir.Expr:
    """A duration from a map whose parts are known at run time only: whole numbers, or it fails."""
    some = ir.Compare(ir.CompareOp.GT, own("size", own("keys", parts)), _ZERO)
    plain = both(some, _is_whole(parts, _PARTS, "-?[0-9]+", free))
    made = own("duration", parts, kind=Kind.DURATION)
    return case((ir.IsNull(parts), NULL), (plain, made), default=FAILS, type=Type(Kind.DURATION))
