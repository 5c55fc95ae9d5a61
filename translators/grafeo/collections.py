"""Lists and maps item by item: grafeo has no order of them, and takes null in them for a value.

Cypher orders lists by the first items that are not equal, then by length; where those items have no
order, nor have the lists (openCypher 9, "Comparability"). Of NaN in a list Neo4j says so, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from operator import ge, gt, le, lt

from graph_ir import nodes as ir
from graph_ir.reference.folding import magnitude
from schemagraph.encoding import EXACT
from schemagraph.model import ANY, NUMERIC, Kind, Type
from translators.gql.emit.values import kind_of
from translators.grafeo.primitives import (
    FAILS,
    FALSE,
    NULL,
    ONE,
    TRUE,
    both,
    case,
    either,
    equal,
    numbers_to,
    own,
    with_value,
)
from translators.grafeo.shared import holds_null

_BOOLEAN, _INTEGER = Type(Kind.BOOLEAN), Type(Kind.INTEGER, nullable=False)
_ZERO = ir.Literal(0)
_LENGTHS = {
    ir.CompareOp.LT: lt,
    ir.CompareOp.LE: le,
    ir.CompareOp.GT: gt,
    ir.CompareOp.GE: ge,
}
_COUNTS = frozenset(("size", "length", "char_length", "character_length"))

SHORTENED = 2.0**54
"""From here on the shortest text of a float may not be its value."""
OFFSETS = frozenset((Kind.ZONED_DATETIME, Kind.ZONED_TIME))
"""Kinds of which two values of one instant differ where their offsets do."""
WITH_OFFSET = r"[0-9T:.-]+(?:Z|[+-][0-9]{2}:[0-9]{2})"
"""What such a value prints."""
_TOLD = NUMERIC | OFFSETS | {Kind.STRING, Kind.DATETIME, Kind.ANY}
_TOLD_BY_TEXT = rf"(?s){WITH_OFFSET}|[\[{{].*(?:\"|:[0-9]).*"
"""A time with an offset, or a list or map with texts or times in it: as printed, texts have
quotation marks and numbers have none, and instants have their offsets."""
_ODDLY_PRINTED = r"(?s).*(?:-0[,\]}]|[0-9]{17}).*"
"""Numbers that may print otherwise than their equals: -0.0, and those of 17 digits and more."""

type Test = Callable[[ir.Expr, ir.Expr], ir.Expr]


def same_items(left: ir.Expr, right: ir.Expr, same: Test) -> ir.Expr | None:
    """`left = right` of two maps, or of two lists with nulls, with nodes or edges beside other
    values or with integers and floats beyond 2^53, whose items the query spells out."""
    if isinstance(left, ir.MapOf) and isinstance(right, ir.MapOf):
        one, other = ({e.key: e.value for e in side.entries} for side in (left, right))
        if len(one) < len(left.entries) or len(other) < len(right.entries):
            return None
        if one.keys() != other.keys():
            return FALSE
        tests = [same(one[key], other[key]) for key in one]
    elif isinstance(left, ir.ListOf) and isinstance(right, ir.ListOf):
        apart = _hold_elements(left, right) or _hold_wide(left, right)
        if not (apart or holds_null(left) or holds_null(right)):
            return None
        if len(left.items) != len(right.items):
            return FALSE
        tests = [same(*pair) for pair in zip(left.items, right.items, strict=True)]
    else:
        return None
    return both(*tests) if tests else TRUE


def _hold_elements(left: ir.ListOf, right: ir.ListOf) -> bool:
    """Whether nodes or edges stand at the same places of two lists, and other values beside."""
    elements = (Kind.NODE, Kind.EDGE)
    pairs = [(x.type.kind, y.type.kind) for x, y in zip(left.items, right.items, strict=False)]
    alike = all(x is y or not {x, y} & set(elements) for x, y in pairs)
    return alike and 0 < sum(x in elements for x, _ in pairs) < len(pairs)


def _hold_wide(left: ir.ListOf, right: ir.ListOf) -> bool:
    """Whether an integer and a float beyond 2^53 stand at the same place of two lists, at any depth
    that the query spells out."""
    return any(
        _hold_wide(x, y)
        if isinstance(x, ir.ListOf) and isinstance(y, ir.ListOf)
        else wide_pair(x, y) or _wide_constants(x, y)
        for x, y in zip(left.items, right.items, strict=False)
    )


def _wide_constants(left: ir.Expr, right: ir.Expr) -> bool:
    """An integer and a float of which both are so large; computed constants, too."""
    kinds = {left.type.kind, right.type.kind}
    return kinds == NUMERIC and min(magnitude(left), magnitude(right)) >= EXACT


def wide_pair(left: ir.Expr, right: ir.Expr) -> bool:
    """Whether these are an integer and a float that both may be 2^54 or more."""
    kinds = {kind_of(left), kind_of(right)}
    return kinds == NUMERIC and all(map(_may_be_wide, (left, right)))


def _may_be_wide(value: ir.Expr) -> bool:
    match value:
        case ir.Literal(value=int(number) | float(number)):
            return abs(number) >= SHORTENED
        case ir.Agg("count") | ir.CountOf():
            return False
        case ir.Call(name):
            return name not in _COUNTS
    return True


def list_order(node: ir.Compare, free: Iterator[str], same: Test, less: Test) -> ir.Expr:
    """`<`, `<=`, `>` or `>=` of two lists; `less` is `<` or `>` of two items."""
    left, right = node.left, node.right
    if isinstance(left, ir.ListOf) and isinstance(right, ir.ListOf):
        lengths = len(left.items), len(right.items)
        result: ir.Expr = ir.Literal(_LENGTHS[node.op](*lengths), type=_BOOLEAN)
        for x, y in list(zip(left.items, right.items, strict=False))[::-1]:
            equals = ir.Call("coalesce", (same(x, y), FALSE), type=_BOOLEAN)
            result = case((equals, result), default=_ordered(x, y, less), type=_BOOLEAN)
        return result

    def of_left(a: ir.Expr) -> ir.Expr:
        return with_value(right, free, lambda b: _by_place(node, a, b), Kind.BOOLEAN)

    def _by_place(node: ir.Compare, a: ir.Expr, b: ir.Expr) -> ir.Expr:
        place = ir.Var(next(free), type=_INTEGER)
        places = ir.Var(next(free), type=Type(Kind.LIST, _INTEGER))
        sizes = [_size(side) for side in (a, b)]
        shorter = case((ir.Compare(ir.CompareOp.LT, *sizes), sizes[0]), default=sizes[1])
        last = ir.Arith(ir.ArithOp.SUB, shorter, ONE, type=_INTEGER)
        differ = ir.Not(ir.Call("coalesce", (same(_item(a, place), _item(b, place)), FALSE)))
        first = own("[]", places, _ZERO, kind=Kind.INTEGER)
        ordered = case(
            (equal(own("size", places), _ZERO), replace(node, left=sizes[0], right=sizes[1])),
            default=_ordered(_item(a, first), _item(b, first), less),
            type=_BOOLEAN,
        )
        listed = ir.ListComp(place.name, numbers_to(last), differ)
        whole = ir.Call("=let", (places, listed, ordered), type=_BOOLEAN)
        missing = either(ir.IsNull(a), ir.IsNull(b))
        return case((missing, NULL), default=whole, type=_BOOLEAN)

    return with_value(left, free, of_left, Kind.BOOLEAN)


def map_order(node: ir.Compare, free: Iterator[str], same: Test, less: Test) -> ir.Expr:
    """The same of two maps, which Neo4j orders by size, then by keys, then by values."""

    def ordered(a: ir.Expr, b: ir.Expr) -> ir.Expr:
        kind = Type(Kind.LIST, Type(Kind.STRING, nullable=False))
        keys = [replace(own("keys", side), type=kind) for side in (a, b)]
        sizes = [_size(each) for each in keys]
        printed = (own("toString", each, kind=Kind.STRING) for each in keys)
        key = ir.Var(next(free), type=Type(Kind.STRING, nullable=False))
        unlike = ir.Var(next(free), type=kind)
        listed = ir.ListComp(
            key.name,
            keys[0],
            ir.Not(ir.Call("coalesce", (same(_item(a, key), _item(b, key)), FALSE))),
        )
        first = own("[]", unlike, _ZERO, kind=Kind.STRING)
        values = case(
            (equal(own("size", unlike), _ZERO), ir.Literal(_LENGTHS[node.op](0, 0))),
            default=_ordered(_item(a, first), _item(b, first), less),
            type=_BOOLEAN,
        )
        by_keys = list_order(
            replace(node, left=keys[0], right=keys[1]),
            free,
            equal,
            lambda x, y: ir.Compare(strict(node.op), x, y),
        )
        return case(
            (either(ir.IsNull(a), ir.IsNull(b)), NULL),
            (ir.Compare(ir.CompareOp.NE, *sizes), replace(node, left=sizes[0], right=sizes[1])),
            (ir.Compare(ir.CompareOp.NE, *printed), by_keys),
            default=ir.Call("=let", (unlike, listed, values), type=_BOOLEAN),
            type=_BOOLEAN,
        )

    def of_left(a: ir.Expr) -> ir.Expr:
        return with_value(node.right, free, lambda b: ordered(a, b), Kind.BOOLEAN)

    return with_value(node.left, free, of_left, Kind.BOOLEAN)


def strict(op: ir.CompareOp) -> ir.CompareOp:
    """`<` of `<=`, `>` of `>=`."""
    return ir.CompareOp.LT if op in (ir.CompareOp.LT, ir.CompareOp.LE) else ir.CompareOp.GT


def _item(of: ir.Expr, place: ir.Expr) -> ir.Expr:
    return replace(own("[]", of, place), type=replace(of.type.item or ANY, nullable=True))


def _ordered(x: ir.Expr, y: ir.Expr, less: Test) -> ir.Expr:
    """The order of two items that are not equal: of NaN there is none."""
    floats = [side for side in (x, y) if kind_of(side) in (Kind.FLOAT, Kind.ANY)]
    if not floats:
        return less(x, y)
    nan = either(*(ir.Compare(ir.CompareOp.NE, side, side) for side in floats))
    return case((nan, NULL), default=less(x, y), type=_BOOLEAN)


def same_lists(a: ir.Expr, b: ir.Expr, free: Iterator[str], same: Test) -> ir.Expr:
    """`a = b` of two lists, not alike, of which one holds null: false or null."""
    place = ir.Var(next(free), type=_INTEGER)
    places = numbers_to(ir.Arith(ir.ArithOp.SUB, _size(a), ONE, type=_INTEGER))
    differ = ir.Compare(ir.CompareOp.NE, _size(a), _size(b))
    return _false_or_null(differ, ir.ListComp(place.name, places, _differ(a, b, place, same)))


def same_maps(a: ir.Expr, b: ir.Expr, free: Iterator[str], same: Test) -> ir.Expr:
    """`a = b` of two maps, not alike, of which one holds null: false or null."""
    key = ir.Var(next(free), type=Type(Kind.STRING, nullable=False))
    keys = [own("keys", side, kind=Kind.LIST) for side in (a, b)]
    printed = (own("toString", each, kind=Kind.STRING) for each in keys)
    differ = ir.Compare(ir.CompareOp.NE, *printed)
    return _false_or_null(differ, ir.ListComp(key.name, keys[0], _differ(a, b, key, same)))


def _size(of: ir.Expr) -> ir.Call:
    return replace(own("size", of), type=_INTEGER)


def _differ(a: ir.Expr, b: ir.Expr, place: ir.Expr, same: Test) -> ir.Expr:
    return ir.Call("coalesce", (ir.Not(same(_item(a, place), _item(b, place))), FALSE))


def _false_or_null(differ: ir.Expr, unlike: ir.ListComp) -> ir.Expr:
    some = ir.Compare(ir.CompareOp.GT, own("size", unlike), _ZERO)
    return case((differ, FALSE), (some, FALSE), default=NULL, type=_BOOLEAN)


# --- equality by what is printed -----------------------------------------------------------


def printed(value: ir.Expr) -> ir.Expr:
    """The text of a value as grafeo prints it."""
    return own("toString", value, kind=Kind.STRING)


def prints(value: ir.Expr, form: str) -> ir.Expr:
    """Whether the text of a value matches a pattern."""
    return own("~", printed(value), ir.Literal(form), kind=Kind.BOOLEAN)


def doubtful_items(left: ir.Expr, right: ir.Expr) -> bool:
    """Whether what stands in two lists, at any depth, may be equal for grafeo alone."""
    kinds = leaves(left) | leaves(right)
    if Kind.ANY in kinds:
        return bool((kinds - {Kind.ANY} or {Kind.ANY}) & _TOLD)
    moments = bool(kinds & OFFSETS)
    return moments or (Kind.STRING in kinds and bool(kinds & NUMERIC))


def leaves(value: ir.Expr) -> set[Kind]:
    """The kinds of what stands in a list or a map, at any depth, without null."""
    match value:
        case ir.ListOf(items=items):
            return {kind for item in items for kind in leaves(item)}
        case ir.MapOf(entries=entries):
            return {kind for entry in entries for kind in leaves(entry.value)}
        case ir.Literal(value=None):
            return set()
    inner = Type(kind_of(value)) if value.type.kind is Kind.ANY else value.type
    while inner.kind is Kind.LIST and inner.item is not None:
        inner = inner.item
    return {Kind.ANY if inner.kind in (Kind.LIST, Kind.MAP) else inner.kind}


def alike(plain: ir.Expr, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Whether two values that are equal for grafeo (`plain`) are so for Cypher, too, told by what
    they print: texts and numbers, and the offsets of times, at any depth of lists and maps."""
    same = own("same-texts", left, right, kind=Kind.BOOLEAN)
    kinds = leaves(left) | leaves(right)
    if kind_of(left) is kind_of(right) is Kind.LIST and not kinds & {Kind.ANY, Kind.FLOAT}:
        return same
    differing = either(
        *(ir.Call("coalesce", (prints(s, _TOLD_BY_TEXT), FALSE)) for s in (left, right))
    )
    odd = either(*(prints(side, _ODDLY_PRINTED) for side in (left, right)))
    return case(
        (same, TRUE),
        (ir.Not(differing), TRUE),
        (both(plain, odd), FAILS),
        default=FALSE,
        type=_BOOLEAN,
    )
