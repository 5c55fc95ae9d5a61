"""Conditions of three-valued logic as filters: one table of what is true, one of what is false.

A comparison with null is neither, and needs no words: a traversal without a result passes no
filter. Of values that cannot be compared Gremlin's `gt` and its relatives are false, as in Cypher
both the comparison and its negation are null (TinkerPop 3.8, "Comparability semantics").
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from graph_ir import nodes as ir
from graph_ir.walk import find
from graphmill.errors import Refused
from schemagraph.model import NUMERIC, Kind, Type
from translators.gremlin.dates import DATES, moment_text
from translators.gremlin.labels import label_steps
from translators.gremlin.lists import quantified
from translators.gremlin.rows import NOTHING, Compiler, Rows
from translators.gremlin.steps.text import (
    Label,
    Step,
    Than,
    Traversal,
    by,
    is_plain,
    literal,
    passing,
    where,
)

_OPS = {
    ir.CompareOp.EQ: "eq",
    ir.CompareOp.NE: "neq",
    ir.CompareOp.LT: "lt",
    ir.CompareOp.LE: "lte",
    ir.CompareOp.GT: "gt",
    ir.CompareOp.GE: "gte",
}
_OPPOSITE = {
    "eq": "neq",
    "neq": "eq",
    "lt": "gte",
    "lte": "gt",
    "gt": "lte",
    "gte": "lt",
    "within": "without",
    "containing": "notContaining",
    "startingWith": "notStartingWith",
    "endingWith": "notEndingWith",
    "regex": "notRegex",
}
_SWAPPED = {"lt": "gt", "lte": "gte", "gt": "lt", "gte": "lte"}
_TEXT = {
    ir.TextOp.STARTS: "startingWith",
    ir.TextOp.ENDS: "endingWith",
    ir.TextOp.CONTAINS: "containing",
    ir.TextOp.REGEX: "regex",
}
_ELEMENTS = frozenset({Kind.NODE, Kind.EDGE})
_OTHERWISE = frozenset(
    {Kind.LIST, Kind.MAP, Kind.PATH, Kind.POINT, Kind.DURATION, Kind.BYTES}
    | {Kind.ZONED_DATETIME, Kind.ZONED_TIME}
)
_DATES = frozenset({Kind.DATE, Kind.DATETIME, Kind.TIME})
_ORDERED = (*NUMERIC, Kind.STRING, Kind.BOOLEAN, Kind.ANY, Kind.DATE, Kind.DATETIME, Kind.TIME)


def tested(cx: Compiler, expr: ir.Expr, predicate: str, rows: Rows) -> Traversal:
    """A filter: the value of `expr` meets the predicate, such as `gt(30)`."""
    return passing(cx.value(expr, rows), predicate)


def compared(cx: Compiler, left: ir.Expr, word: str, right: ir.Expr, rows: Rows) -> Traversal:
    """A filter: both values are there, and `left` is to `right` as the predicate says."""
    first, second = (_label(cx, side, rows) for side in (left, right))
    if first and second and left.type.kind in _ELEMENTS and word in ("eq", "neq"):
        head = () if rows.here == first else (Label(first),)
        return (Step("where", (*head, Than(word, second))),)
    one, other = cx.value(left, rows), cx.value(right, rows)
    sure = {known.label for known in rows.vars.values() if not known.nullable} - {""} | cx.groups
    short = _by_labels(one, word, other, sure) or _by_labels(
        other, _SWAPPED.get(word, word), one, sure
    )
    if short:
        return short
    inner = (
        Step("project", (Label("x"), Label("y"))),
        by(one),
        by(other),
        Step("select", (Label("x"), Label("y"))),
        Step("where", (Label("x"), Than(word, "y"))),
    )
    return (where(inner),)


def _by_labels(one: Traversal, word: str, other: Traversal, sure: set[str]) -> Traversal:
    """`where(gt('b')).by('age')`, where `other` is said of a label and `one` of a label or of the
    current object; a value that is not there lets no traverser pass (TinkerPop 3.6).

    Nothing where a label may be missing from a row (not in `sure`), or another is read besides.
    """
    label = _begins(other)
    if word not in ("eq", "neq", *_SWAPPED) or label not in sure or not one:
        return ()
    head: tuple[Label, ...] = ()
    own = one
    if start := _begins(one):
        if start not in sure or len(one) < 2:
            return ()
        head, own = (Label(start),), one[1:]
    rest = other[1:]
    if not (is_plain(own) and is_plain(rest)):
        return ()
    modulators = (by(own),) if own == rest else (by(own), by(rest))
    return (Step("where", (*head, Than(word, label))), *modulators)


def _begins(own: Traversal) -> str:
    """The label that a traversal begins with, if it selects the last object of one."""
    match own:
        case (Step("select", (Label(name),)), *_):
            return name
    return ""


def _label(cx: Compiler, expr: ir.Expr, rows: Rows) -> str:
    """The label of a variable that is surely an object."""
    if not isinstance(expr, ir.Var):
        return ""
    known = rows.vars.get(expr.name)
    return known.label if known is not None and not known.nullable else ""


def _compare(cx: Compiler, node: ir.Compare, rows: Rows, *, holds: bool) -> Traversal:
    word = _OPS[node.op]
    if not holds:
        word = _OPPOSITE[word]
    left, right = node.left, node.right
    if constant(left) is not None and constant(right) is None:
        left, right, word = right, left, _SWAPPED.get(word, word)
    kinds = {left.type.kind, right.type.kind}
    if ir.Literal(None) in (left, right):
        return NOTHING
    _refuse_odd(cx, node, kinds)
    if word not in ("eq", "neq"):
        if any(kind not in _ORDERED for kind in kinds):
            raise Refused("comparison", str(node.op), "Gremlin does not order these values.")
        if Kind.ANY not in kinds and not _alike(left.type, right.type):
            return NOTHING
    if not holds and word not in ("eq", "neq") and (_may_be_nan(left) or _may_be_nan(right)):
        # what is no number is neither more nor less: false, and not null
        true = _compare(cx, node, rows, holds=True)
        present = (where(cx.value(left, rows)), where(cx.value(right, rows)))
        return (*present, Step("not", (true,)))
    text = constant(right)
    if text is not None:
        return tested(cx, left, text if word == "eq" else f"{word}({text})", rows)
    return compared(cx, left, word, right, rows)


def _may_be_nan(expr: ir.Expr) -> bool:
    """Whether a computed float may be no number; none is stored (`engines.jvm.tinkergraph`)."""
    computed = find(expr, ir.Arith, ir.Call, ir.Agg)
    if any(each.type.kind in (Kind.FLOAT, Kind.ANY) for each in computed):
        return True
    return any(var.type.kind is Kind.FLOAT for var in find(expr, ir.Var))


def _refuse_odd(cx: Compiler, node: ir.Node, kinds: set[Kind]) -> None:
    """Refuse what Gremlin compares by other rules than Cypher."""
    if kinds & _OTHERWISE:
        raise Refused(
            "comparison", type(node).__name__, "Gremlin compares these values by other rules."
        )
    untyped = Kind.ANY in kinds and cx.schema is not None
    untyped = untyped and (Kind.STRING in kinds or len(kinds) == 1)
    if (kinds & _DATES and len(kinds) > 1) or untyped:
        raise Refused(
            "comparison",
            type(node).__name__,
            "TinkerPop has no dates, so they are texts: what is compared must be known to be "
            "both dates, or both texts.",
        )


def constant(expr: ir.Expr) -> str | None:
    """A constant as a literal, if `expr` is one: a date is a text."""
    match expr:
        case ir.Literal(value=value) if value is not None:
            return literal(value)
        case ir.Call(name=name, args=(ir.Literal(value=str() as text),)) if name in DATES:
            return literal(moment_text(name, text))
    return None


def _alike(a: Type, b: Type) -> bool:
    return a.kind is b.kind or (a.kind in NUMERIC and b.kind in NUMERIC)


def _bool(cx: Compiler, node: ir.Bool, rows: Rows, *, holds: bool) -> Traversal:
    if node.op is ir.BoolOp.XOR:
        return _xor(cx, node, rows, holds=holds)
    make = cx.truth if holds else cx.falsity
    parts = [make(each, rows) for each in node.args]
    if (node.op is ir.BoolOp.AND) == holds:
        return tuple(each for part in parts for each in part)
    return (Step("or", tuple(parts)),)


def _xor(cx: Compiler, node: ir.Bool, rows: Rows, *, holds: bool) -> Traversal:
    first, *rest = node.args
    second = rest[0] if len(rest) == 1 else ir.Bool(ir.BoolOp.XOR, tuple(rest), type=node.type)
    true, false = cx.truth, cx.falsity
    other, same = (false, true) if holds else (true, false)
    a = (*true(first, rows), *other(second, rows))
    b = (*false(first, rows), *same(second, rows))
    return (Step("or", (a, b)),)


def _not(cx: Compiler, node: ir.Not, rows: Rows, *, holds: bool) -> Traversal:
    return cx.falsity(node.arg, rows) if holds else cx.truth(node.arg, rows)


def _literal(_: Compiler, node: ir.Literal, __: Rows, *, holds: bool) -> Traversal:
    if node.value is holds:
        return ()
    if node.value is None or isinstance(node.value, bool):
        return NOTHING
    raise Refused("type", "Literal", "The condition is no boolean.", node.span)


def _null(cx: Compiler, node: ir.IsNull, rows: Rows, *, holds: bool) -> Traversal:
    own = cx.value(node.arg, rows)
    if not own:
        return () if node.negated is holds else NOTHING
    if node.negated is holds:
        return (Step("has", own[0].args),) if _values(own) else (where(own),)
    return (Step("hasNot", own[0].args),) if _values(own) else (Step("not", (own,)),)


def _values(own: Traversal) -> bool:
    return len(own) == 1 and own[0].name == "values"


def _text(cx: Compiler, node: ir.Text, rows: Rows, *, holds: bool) -> Traversal:
    word = _TEXT[node.op]
    if ir.Literal(None) in (node.left, node.right):
        return NOTHING
    for side in (node.left, node.right):
        if side.type.kind not in (Kind.STRING, Kind.ANY, Kind.NULL):
            return NOTHING  # a test of a text that is none is null
        _refuse_other_texts(cx, side)
    if not holds:
        word = _OPPOSITE[word]
    if isinstance(node.right, ir.Literal):
        pattern = str(node.right.value)
        if node.op is ir.TextOp.REGEX:
            pattern = rf"\A(?:{pattern})\z"
        return tested(cx, node.left, f"{word}({literal(pattern)})", rows)
    if node.op is ir.TextOp.REGEX:
        raise Refused("regular-expression", "=~", "The pattern is no constant.", node.span)
    return compared(cx, node.left, word, node.right, rows)


def _refuse_other_texts(cx: Compiler, expr: ir.Expr) -> None:
    """Refuse a test of what may be no text: TinkerGraph has moments as texts, which would pass,
    and fails at numbers and truth values."""
    if expr.type.kind is not Kind.ANY or cx.schema is None:
        return
    if cx.kinds_read(expr) != {Kind.STRING}:
        reason = "Not all of these values are texts in the graph, and dates are on TinkerGraph."
        raise Refused("dynamic-value", type(expr).__name__, reason, expr.span)


def _in(cx: Compiler, node: ir.In, rows: Rows, *, holds: bool) -> Traversal:
    item = node.list.type.item
    kinds = {node.item.type.kind} | ({item.kind} if item is not None else set())
    if isinstance(node.list, ir.ListOf):
        kinds |= {each.type.kind for each in node.list.items if each != ir.Literal(None)}
        kinds -= {Kind.ANY} if node.item.type.kind is not Kind.ANY else set()
    _refuse_odd(cx, node, kinds)
    if isinstance(node.list, ir.ListOf):
        items = node.list.items
        values = [item.value for item in items if isinstance(item, ir.Literal)]
        if len(values) == len(items):
            return _in_literals(cx, node, values, rows, holds=holds)
        tests = tuple(ir.Compare(ir.CompareOp.EQ, node.item, each) for each in items)
        whole = tests[0] if len(tests) == 1 else ir.Bool(ir.BoolOp.OR, tests)
        return cx.truth(whole, rows) if holds else cx.falsity(whole, rows)
    if node.list.type.kind not in (Kind.LIST, Kind.ANY):
        raise Refused("type", "IN", "What stands after IN is no list.", node.span)
    if not holds and may_hold_null(node.list, cx.gappy):
        raise Refused("null-in-list", "IN", "The list may hold a null.", node.span)
    if holds:
        return compared(cx, node.item, "within", node.list, rows)
    absent = compared(cx, node.item, "without", node.list, rows)
    if not cx.nullable(node.item, rows):
        return absent
    # even a null is not in a list without items
    empty = where((*cx.value(node.list, rows), Step("not", ((Step("unfold"),),))))
    return (Step("or", (absent, (empty,))),)


def may_hold_null(node: ir.Expr, gappy: Container[str]) -> bool:
    """Whether a list may hold a null: those of properties and aggregates do not, nor variables of
    them; `gappy` are the other variables."""
    if isinstance(node, ir.Var):
        return node.name in gappy
    return not isinstance(node, ir.Prop | ir.Agg)


def _in_literals(
    cx: Compiler, node: ir.In, values: Sequence[object], rows: Rows, *, holds: bool
) -> Traversal:
    known = [value for value in values if value is not None]
    if holds:
        if not known:
            return NOTHING
        if len(known) == 1:
            return tested(cx, node.item, literal(known[0]), rows)
        return tested(cx, node.item, f"within({', '.join(map(literal, known))})", rows)
    if not values:
        return ()
    if len(known) < len(values):
        return NOTHING
    return tested(cx, node.item, f"without({', '.join(map(literal, known))})", rows)


def _label_test(cx: Compiler, node: ir.LabelTest, rows: Rows, *, holds: bool) -> Traversal:
    own = cx.value(node.arg, rows)
    steps = label_steps(cx, node.labels, edge=node.arg.type.kind is Kind.EDGE)
    if not holds:
        steps = (Step("not", (steps,)),)
    return steps if not own else (where((*own, *steps)),)


def _exists(cx: Compiler, node: ir.Exists, rows: Rows, *, holds: bool) -> Traversal:
    inner = rows.child()
    cx.statement(cx, node.query, inner)
    own = tuple(inner.steps)
    return (where(own),) if holds else (Step("not", (own,)),)


def _side(make: Callable[..., Traversal], *, holds: bool) -> Callable[..., Traversal]:
    return lambda cx, node, rows: make(cx, node, rows, holds=holds)


_MAKERS: dict[type[ir.Node], Callable[..., Traversal]] = {
    ir.Compare: _compare,
    ir.Bool: _bool,
    ir.Not: _not,
    ir.Literal: _literal,
    ir.IsNull: _null,
    ir.Text: _text,
    ir.In: _in,
    ir.LabelTest: _label_test,
    ir.Exists: _exists,
    ir.Quantifier: quantified,
}
TRUTHS = {node: _side(make, holds=True) for node, make in _MAKERS.items()}
FALSITIES = {node: _side(make, holds=False) for node, make in _MAKERS.items()}
