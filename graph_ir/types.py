"""What the binder knows of types: the common type of several, and the types of operators."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from graph_ir.nodes import ArithOp
from schemagraph.model import ANY, NUMERIC, TEMPORAL, Kind, Type

BOOLEAN = Type(Kind.BOOLEAN)
TRUTH = Type(Kind.BOOLEAN, nullable=False)
INTEGER = Type(Kind.INTEGER)
COUNT = Type(Kind.INTEGER, nullable=False)
FLOAT = Type(Kind.FLOAT)
STRING = Type(Kind.STRING)
MAP = Type(Kind.MAP, nullable=False)
NULL = Type(Kind.NULL)
PATH = Type(Kind.PATH, nullable=False)

UNKNOWN = frozenset({Kind.ANY, Kind.NULL})
"""Kinds that say nothing about what a value is."""

# Components of temporal and spatial values (Neo4j Cypher manual 5, "Temporal values", "Spatial").
_DATE_PARTS = "year quarter month week weekYear dayOfQuarter quarterDay day ordinalDay dayOfWeek"
_TIME_PARTS = "hour minute second millisecond microsecond nanosecond"
_ZONE_PARTS = "timezone offset offsetMinutes offsetSeconds"
_DURATION_PARTS = (
    "years quarters months weeks days hours minutes seconds milliseconds microseconds nanoseconds"
    " quartersOfYear monthsOfQuarter monthsOfYear daysOfWeek minutesOfHour secondsOfMinute"
    " millisecondsOfSecond microsecondsOfSecond nanosecondsOfSecond"
)
_TEXT_PARTS = frozenset(("timezone", "offset"))
COMPONENTS: dict[Kind, frozenset[str]] = {
    Kind.DATE: frozenset(f"{_DATE_PARTS} weekDay".split()),
    Kind.TIME: frozenset(_TIME_PARTS.split()),
    Kind.ZONED_TIME: frozenset(f"{_TIME_PARTS} {_ZONE_PARTS}".split()),
    Kind.DATETIME: frozenset(f"{_DATE_PARTS} weekDay {_TIME_PARTS}".split()),
    Kind.ZONED_DATETIME: frozenset(
        f"{_DATE_PARTS} weekDay {_TIME_PARTS} {_ZONE_PARTS} epochMillis epochSeconds".split()
    ),
    Kind.DURATION: frozenset(_DURATION_PARTS.split()),
    Kind.POINT: frozenset(["x", "y", "z", "longitude", "latitude", "height", "crs", "srid"]),
}


_SPELLINGS = {key.lower(): key for keys in COMPONENTS.values() for key in keys}


def component_key(kind: Kind, key: str) -> str | None:
    """The spelling of a component, which Cypher reads in any case; None when there is none."""
    spelling = _SPELLINGS.get(key.lower())
    return spelling if spelling in COMPONENTS[kind] else None


def component(kind: Kind, key: str, *, nullable: bool) -> Type:
    """The type of `value.key` for temporal and spatial kinds."""
    if kind is Kind.POINT:
        part_kind = {"crs": Kind.STRING, "srid": Kind.INTEGER}.get(key, Kind.FLOAT)
    else:
        part_kind = Kind.STRING if key in _TEXT_PARTS else Kind.INTEGER
    return Type(part_kind, nullable=nullable)


def nullable(type: Type, also: bool = True) -> Type:
    """`type`, which can be null when it already could or `also` says so."""
    if type.nullable or not also:
        return type
    return replace(type, nullable=True)


def not_null(type: Type) -> Type:
    """`type` without null."""
    return replace(type, nullable=False) if type.nullable else type


def list_of(item: Type, *, nullable: bool = False) -> Type:
    """A list of `item`."""
    return Type(Kind.LIST, item, (), nullable)


def join(types: Iterable[Type]) -> Type:
    """The type that holds values of all `types`; numbers widen to FLOAT, else ANY."""
    result: Type | None = None
    null = False
    for type in types:
        null = null or type.nullable
        if type.kind is Kind.NULL:
            continue
        result = type if result is None else _join(result, type)
    if result is None:
        return NULL if null else ANY
    return nullable(result, null)


def _join(a: Type, b: Type) -> Type:
    if a == b:
        return a
    null = a.nullable or b.nullable
    if a.kind is b.kind:
        if a.kind is Kind.LIST:
            return Type(Kind.LIST, join((a.item or ANY, b.item or ANY)), (), null)
        of = tuple(dict.fromkeys((*a.of, *b.of))) if a.of and b.of else ()
        nothing = max(a.of_nothing, b.of_nothing)  # "any" is more than "0"
        return Type(a.kind, None, of, null, a.mixed or b.mixed, nothing)
    if a.kind in NUMERIC and b.kind in NUMERIC:
        return Type(Kind.FLOAT, nullable=null, mixed=True)
    return Type(Kind.ANY, nullable=null)


def item_of(type: Type) -> Type:
    """The type of a list's items, ANY when it is not known."""
    return type.item or ANY if type.kind is Kind.LIST else ANY


def comparable(a: Type, b: Type) -> bool:
    """Whether values of both types can ever be equal or ordered (False only when certain)."""
    if a.kind in UNKNOWN or b.kind in UNKNOWN or a.kind is b.kind:
        return True
    return a.kind in NUMERIC and b.kind in NUMERIC


_EQUALS = frozenset(Kind) - {Kind.ANY, Kind.NULL, Kind.LIST, Kind.MAP}
_ORDERS = _EQUALS - {Kind.DURATION, Kind.POINT, Kind.NODE, Kind.EDGE, Kind.PATH, Kind.BYTES}


def decided(a: Type, b: Type, *, ordering: bool) -> Type:
    """The type of a comparison: not null only where both sides are and their kinds compare.

    Lists and maps may hold nulls, and values of different kinds have no order (openCypher 9,
    "Comparability and equality").
    """
    known = _ORDERS if ordering else _EQUALS
    sure = a.kind in known and b.kind in known and (comparable(a, b) or not ordering)
    return BOOLEAN if a.nullable or b.nullable or not sure else TRUTH


def _of_nothing(op: ArithOp, a: Type, b: Type) -> str:
    """What two numbers of which some are sums make where these are sums of nothing."""
    sums = (a.of_nothing, b.of_nothing)
    if op is ArithOp.POW or not any(sums) or not (a.may_be_whole and b.may_be_whole):
        return ""
    if op in (ArithOp.ADD, ArithOp.SUB):
        return "0" if sums == ("0", "0") else "any"
    zero = "0" in sums if op is ArithOp.MUL else a.of_nothing == "0"
    return "0" if zero else "any"


def sum_over_integer(a: Type, b: Type) -> bool:
    """Whether `a` is a sum of floats and `b` an integer that divides it: of nothing, too, the
    quotient is 0."""
    return a.kind is Kind.FLOAT and not a.mixed and a.of_nothing == "0" and b.kind is Kind.INTEGER


def arithmetic(op: ArithOp, a: Type, b: Type) -> Type | None:
    """The type of `a op b`; None when no values of these types can be combined.

    Source: openCypher 9, "Mathematical operators", "String operators", "List operators"; Neo4j
    Cypher manual 5, "Temporal operators".
    """
    null = a.nullable or b.nullable
    left, right = a.kind, b.kind
    if op is ArithOp.ADD and Kind.LIST in (left, right):
        items = tuple(item_of(t) if t.kind is Kind.LIST else t for t in (a, b))
        return Type(Kind.LIST, join(items), (), null)
    if left in UNKNOWN or right in UNKNOWN:
        return _half_known(op, a, b)
    if left in NUMERIC and right in NUMERIC:
        whole = left is right is Kind.INTEGER and op is not ArithOp.POW
        sure = op is ArithOp.POW or any(t.kind is Kind.FLOAT and not t.mixed for t in (a, b))
        kind = Kind.INTEGER if whole else Kind.FLOAT
        nothing = _of_nothing(op, a, b)
        return Type(kind, nullable=null, mixed=not (whole or sure), of_nothing=nothing)
    if op is ArithOp.ADD and Kind.STRING in (left, right):
        other = right if left is Kind.STRING else left
        joins = other in NUMERIC or other in TEMPORAL or other in (Kind.STRING, Kind.BOOLEAN)
        return Type(Kind.STRING, nullable=null) if joins or other is Kind.POINT else None
    return _temporal(op, left, right, null)


def _half_known(op: ArithOp, a: Type, b: Type) -> Type | None:
    known = b if a.kind in UNKNOWN else a
    if known.kind in UNKNOWN:
        return ANY
    if op is ArithOp.POW:
        return FLOAT if known.kind in NUMERIC else None
    if known.kind in NUMERIC or known.kind in TEMPORAL:
        return ANY
    if op is ArithOp.ADD and known.kind in (Kind.STRING, Kind.BOOLEAN, Kind.POINT):
        return ANY
    return ANY if op is ArithOp.ADD and known.kind in _LIST_ITEMS else None


_LIST_ITEMS = frozenset({Kind.MAP, Kind.NODE, Kind.EDGE, Kind.PATH, Kind.BYTES})
"""Kinds that can only be added to a list."""


def _temporal(op: ArithOp, left: Kind, right: Kind, null: bool) -> Type | None:
    adds = op in (ArithOp.ADD, ArithOp.SUB)
    if left is right is Kind.DURATION:
        return Type(Kind.DURATION, nullable=null) if adds else None
    if adds and left in TEMPORAL and right is Kind.DURATION:
        return Type(left, nullable=null)
    if op is ArithOp.ADD and left is Kind.DURATION and right in TEMPORAL:
        return Type(right, nullable=null)
    scales = left is Kind.DURATION and right in NUMERIC and op in (ArithOp.MUL, ArithOp.DIV)
    if scales or (op is ArithOp.MUL and left in NUMERIC and right is Kind.DURATION):
        return Type(Kind.DURATION, nullable=null)
    return None
