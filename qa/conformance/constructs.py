"""Every construct of expressions: the functions of the table, the operators of the IR, its nodes.

A construct is a template with places `a`, `b`, `c`, each with the pools of values it takes. The
functions come from `graph_ir.functions`, the operators from the enumerations of `graph_ir.nodes`,
so that a new one joins by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from graph_ir import nodes as ir
from graph_ir.functions import AGGREGATES, Signature, signatures
from qa.conformance.values import KINDS, expression
from schemagraph.model import Kind

PLACES = ("a", "b", "c", "d")

type Pools = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Construct:
    """`template` is an expression over the variables `a`, `b`, …; `slots` their pools.

    With `pairs`, the slots take pools in step (the first of each, the second of each, …), else
    in every combination. Without `slots` it is one expression.
    """

    name: str
    template: ir.Expr
    slots: Pools = ()
    pairs: bool = False
    open_lists: bool = False

    def combinations(self) -> Iterator[tuple[str, ...]]:
        """The pools of the slots."""
        if self.pairs:
            yield from zip(*self.slots, strict=True)
            return
        chosen: list[tuple[str, ...]] = [()]
        for slot in self.slots:
            chosen = [(*before, name) for before in chosen for name in slot]
        yield from chosen


SCALARS = (
    *("Text", "Whole", "Real", "Flag", "Day", "Clock", "ZonedClock", "Moment", "Instant", "Span"),
)
COMPOSED = ("Texts", "Wholes", "List", "Map")
EVERY = (*SCALARS, *COMPOSED)
INSTANTS = ("Day", "Moment", "Instant", "Clock", "ZonedClock")
LISTS = ("List", "Texts", "Wholes", "Reals")
ALIKE = tuple((name, name) for name in (*SCALARS, "List", "Map", "Texts", "Point"))
UNLIKE = (
    *(("Whole", "Real"), ("Real", "Whole"), ("Text", "Whole"), ("Whole", "Text"), ("Text", "Flag")),
    *(("Text", "Day"), ("Day", "Moment"), ("Moment", "Instant"), ("Wholes", "Reals")),
    *(("Whole", "List"), ("Flag", "Whole"), ("List", "Wholes"), ("Map", "Text"), ("Span", "Whole")),
)

FEW = (
    *(
        ("Text", "Text"),
        ("Real", "Whole"),
        ("Instant", "Instant"),
        ("Span", "Span"),
        ("List", "List"),
    ),
    *(("Map", "Map"), ("Text", "Whole"), ("Flag", "Flag")),
)
"""The pairs of constructs that are built on comparisons."""

SLOTS: Mapping[str, tuple[Pools, ...]] = {
    "date": ((), (("DateText", "DateMap", "Day", "Moment", "Instant"),)),
    "localtime": ((), (("ClockText", "ClockMap", "Clock", "ZonedClock", "Moment", "Instant"),)),
    "time": ((), (("ClockText", "ClockMap", "Clock", "ZonedClock", "Moment", "Instant"),)),
    "localdatetime": ((), (("MomentText", "MomentMap", "Day", "Moment", "Instant"),)),
    "datetime": ((), (("InstantText", "InstantMap", "Moment", "Instant"),)),
    "duration": ((("SpanText", "SpanMap", "Span"),),),
    "date.truncate": ((("Unit",), ("Day", "Moment", "Instant")), (("Unit",), ("Day",), ("Empty",))),
    "datetime.truncate": ((("Unit",), ("Day", "Moment", "Instant")),),
    "localdatetime.truncate": ((("Unit",), ("Day", "Moment", "Instant")),),
    "localtime.truncate": ((("Unit",), ("Clock", "ZonedClock", "Moment", "Instant")),),
    "time.truncate": ((("Unit",), ("Clock", "ZonedClock", "Moment", "Instant")),),
    "round": (
        (("Whole", "Real"),),
        (("Real", "Whole"), ("Small",)),
        (("Real",), ("Small",), ("Mode",)),
    ),
    "left": ((("Text",), ("Small",)),),
    "right": ((("Text",), ("Small",)),),
    "substring": ((("Text",), ("Small",)), (("Text",), ("Small",), ("Small",))),
    "split": ((("Text",), ("Character",)), (("Text",), ("Texts",))),
    "replace": ((("Text",), ("Character",), ("Character",)),),
    "trim": ((("Text",),), (("Character",), ("Text",))),
    "btrim": ((("Text",),), (("Text",), ("Character",))),
    "ltrim": ((("Text",),), (("Text",), ("Character",))),
    "rtrim": ((("Text",),), (("Text",), ("Character",))),
    "range": ((("Step",), ("Step",)), (("Step",), ("Step",), ("Step",))),
    "normalize": ((("Text",),),),
    "head": ((LISTS,),),
    "last": ((LISTS,),),
    "tail": ((LISTS,),),
    "coalesce": ((EVERY, ("Text",)), (("Whole",), ("Real",))),
    "toBoolean": ((("Text", "Whole", "Flag"),),),
    "toInteger": ((("Text", "Whole", "Real", "Flag"),),),
    "toFloat": ((("Text", "Whole", "Real"),),),
    "toString": ((SCALARS,),),
    "toBooleanOrNull": ((EVERY,),),
    "toIntegerOrNull": ((EVERY,),),
    "toFloatOrNull": ((EVERY,),),
    "toStringOrNull": ((EVERY,),),
    "valueType": ((EVERY,),),
    "isNaN": ((("Real", "Whole"),),),
    "datetime.fromEpoch": ((("Small", "Whole"), ("Small",)),),
    "datetime.fromEpochMillis": ((("Whole",),),),
    "point": ((("Map",),),),
    "point.withinBBox": ((("Point",), ("Point",), ("Point",)),),
    "vector.similarity.cosine": ((("Reals",), ("Reals",)),),
    "vector.similarity.euclidean": ((("Reals",), ("Reals",)),),
    "log10": ((("Whole", "Real"),),),
}
"""The pools of the arguments of functions whose kinds alone say too little."""

WRAPPED: Mapping[str, str] = {
    "rand": "rand() >= 0",
    "randomUUID": "size(randomUUID())",
    "timestamp": "timestamp() > 0",
    **{
        f"{name}{suffix}": f"{name}{suffix}() IS NOT NULL"
        for name in ("date", "time", "localtime", "datetime", "localdatetime")
        for suffix in (".realtime", ".statement", ".transaction")
    },
}
"""Functions of the clock and of chance: what can be asked of them."""
CLOCKS = ("date", "time", "localtime", "datetime", "localdatetime")

PAIRED = frozenset(
    {"nullIf", "duration.between", "duration.inDays", "duration.inMonths", "duration.inSeconds"}
)
BETWEEN = (
    *(("Day", "Day"), ("Moment", "Moment"), ("Instant", "Instant"), ("Clock", "Clock")),
    *(("Day", "Moment"), ("Moment", "Instant"), ("Clock", "Moment"), ("Instant", "Day")),
)

ELEMENTS: Mapping[str, tuple[str, ...]] = {
    "elementId": ("elementId(n) IS NOT NULL", "elementId(e) = elementId(e)"),
    "id": ("id(n) IS NOT NULL", "id(e) = id(e)"),
    "endNode": ("endNode(e).id", "endNode(e) = m"),
    "startNode": ("startNode(e).id", "startNode(e) = n"),
    "exists": ("exists((n)-->())",),
    "keys": ("keys(n)", "keys(e)", "keys({a: 1, b: null})", "keys(null)"),
    "labels": ("labels(n)", "labels(null)", "size(labels(n))"),
    "length": ("length(p)", "length(null)"),
    "nodes": ("[x IN nodes(p) | x.id]", "size(nodes(p))", "nodes(null)"),
    "properties": ("properties(n)", "properties(e)", "properties({a: null})", "properties(null)"),
    "relationships": ("size(relationships(p))", "[x IN relationships(p) | type(x)]"),
    "type": ("type(e)", "type(null)"),
}
"""Functions of nodes `n`, `m`, edges `e` and paths `p`."""


@cache
def constructs() -> tuple[Construct, ...]:
    """Every construct of expressions, in a fixed order."""
    return (*_functions(), *_operators(), *_others())


def _functions() -> Iterator[Construct]:
    for name, signature in signatures().items():
        if name in AGGREGATES or name in ELEMENTS or name in PAIRED:
            continue
        if name in WRAPPED:
            yield Construct(name, expression(WRAPPED[name]))
            continue
        for slots in SLOTS.get(name) or _by_kinds(signature):
            places = ", ".join(PLACES[: len(slots)])
            text = f"{name}({places})"
            if not slots and name in CLOCKS:
                text = f"{text} IS NOT NULL"
            yield Construct(name, expression(text), slots)
    for name in ("duration.between", "duration.inDays", "duration.inMonths", "duration.inSeconds"):
        text = f"{name}(a, b)"
        yield Construct(name, expression(text), _paired(BETWEEN), pairs=True)
    yield Construct("nullIf", expression("nullIf(a, b)"), _paired(FEW), pairs=True)
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        yield Construct("normalize", expression(f"normalize(a, {form})"), (("Text",),))


def _by_kinds(signature: Signature) -> Iterator[Pools]:
    slots = tuple(
        tuple(KINDS[kind] for kind in Kind if kind in kinds and kind in KINDS)
        for kinds in signature.params
    )
    for count in range(signature.least, len(slots) + 1):
        yield slots[:count]


def _operators() -> Iterator[Construct]:
    pairs = _paired((*ALIKE, *UNLIKE))
    for compare in ir.CompareOp:
        node = ir.Compare(compare, ir.Var("a"), ir.Var("b"))
        yield Construct(compare.value, node, pairs, pairs=True)
    for arith in ir.ArithOp:
        node_ = ir.Arith(arith, ir.Var("a"), ir.Var("b"))
        yield Construct(arith.value, node_, _paired(ARITHMETIC[arith]), pairs=True)
    for connective in ir.BoolOp:
        yield Construct(
            connective.value,
            ir.Bool(connective, (ir.Var("a"), ir.Var("b"))),
            (("Flag",), ("Flag",)),
        )
    for test in ir.TextOp:
        right = ("Pattern",) if test is ir.TextOp.REGEX else ("Character", "Text")
        yield Construct(test.value, ir.Text(test, ir.Var("a"), ir.Var("b")), (("Text",), right))
    for kind in ir.QuantifierKind:
        for where in ("x = 1", "x IS NULL", "x > 1", "x <> 'a'"):
            yield Construct(kind.value, expression(f"{kind.value}(x IN a WHERE {where})"), (LISTS,))


def _paired(pairs: tuple[tuple[str, str], ...]) -> Pools:
    return (tuple(a for a, _ in pairs), tuple(b for _, b in pairs))


_NUMBERS = (("Whole", "Whole"), ("Whole", "Real"), ("Real", "Whole"), ("Real", "Real"))
_SHIFTS = tuple((name, "Span") for name in (*INSTANTS, "Span"))
ARITHMETIC: Mapping[ir.ArithOp, tuple[tuple[str, str], ...]] = {
    ir.ArithOp.ADD: (
        *_NUMBERS,
        *_SHIFTS,
        *(("Span", "Day"), ("Text", "Text"), ("Text", "Whole"), ("Whole", "Text")),
        *(
            ("Text", "Real"),
            ("Real", "Text"),
            ("Text", "Flag"),
            ("Text", "Day"),
            ("Text", "Moment"),
        ),
        *(("Text", "Instant"), ("Text", "Clock"), ("Text", "Span"), ("List", "List")),
        *(("List", "Whole"), ("Whole", "List"), ("Wholes", "Wholes"), ("Texts", "Text")),
    ),
    ir.ArithOp.SUB: (*_NUMBERS, *_SHIFTS),
    ir.ArithOp.MUL: (*_NUMBERS, ("Span", "Small"), ("Small", "Span"), ("Span", "Real")),
    ir.ArithOp.DIV: (*_NUMBERS, ("Span", "Small"), ("Span", "Real")),
    ir.ArithOp.MOD: _NUMBERS,
    ir.ArithOp.POW: _NUMBERS,
}

PARTS: Mapping[str, tuple[str, ...]] = {
    "Day": (
        *("year", "month", "day", "quarter", "week", "weekYear", "dayOfWeek", "ordinalDay"),
        *("dayOfQuarter", "weekDay"),
    ),
    "Clock": ("hour", "minute", "second", "millisecond", "microsecond", "nanosecond"),
    "ZonedClock": ("hour", "second", "offset", "offsetMinutes", "timezone"),
    "Moment": ("year", "month", "day", "week", "hour", "minute", "second", "millisecond"),
    "Instant": (
        *("year", "day", "hour", "second", "offset", "offsetMinutes", "offsetSeconds", "timezone"),
        *("epochSeconds", "epochMillis", "quarter", "dayOfWeek"),
    ),
    "Span": (
        *("years", "quarters", "months", "weeks", "days", "hours", "minutes", "seconds"),
        *("milliseconds", "microseconds", "nanoseconds", "quartersOfYear", "monthsOfYear"),
        *("monthsOfQuarter", "daysOfWeek", "minutesOfHour", "secondsOfMinute"),
        *("millisecondsOfSecond", "microsecondsOfSecond", "nanosecondsOfSecond"),
    ),
}

_OTHERS: tuple[tuple[str, str, Pools], ...] = (
    ("value", "a", (EVERY,)),
    ("NOT", "NOT a", (("Flag",),)),
    ("unary -", "-a", (("Whole", "Real"),)),
    ("IS NULL", "a IS NULL", (EVERY,)),
    ("IS NOT NULL", "a IS NOT NULL", (EVERY,)),
    ("list", "[a, b]", (SCALARS, ("Whole",))),
    ("map", "{k: a, j: [a]}", (EVERY,)),
    ("map entry", "{k: a}.k", (EVERY,)),
    ("CASE null", "CASE WHEN a IS NULL THEN 'none' ELSE a END", (SCALARS,)),
    ("CASE result", "CASE WHEN true THEN a END", (EVERY,)),
    ("CASE flag", "CASE WHEN a THEN 1 ELSE 0 END", (("Flag",),)),
    ("index", "a[b]", (LISTS, ("Small",))),
    ("index by name", "a['a']", (("Map",),)),
    ("slice", "a[b..c]", (LISTS, ("Small",), ("Small",))),
    ("slice from", "a[b..]", (LISTS, ("Small",))),
    ("slice to", "a[..b]", (LISTS, ("Small",))),
    ("list comprehension", "[x IN a | x]", (LISTS,)),
    (
        "list comprehension where",
        "[x IN a WHERE x IS NOT NULL | toString(x)]",
        (("Texts", "Wholes"),),
    ),
    ("list comprehension test", "[x IN a WHERE x > 1]", (LISTS,)),
    ("reduce", "reduce(s = 0, x IN a | s + x)", (("Wholes", "Reals"),)),
    ("reduce text", "reduce(s = '', x IN a | s + x)", (("Texts",),)),
    ("half", "a / 2", (("Whole", "Real"),)),
    *(
        (f"half of {name}()", f"{name}(a) / 2", (("Small", "Whole", "Real"),))
        for name in ("abs", "ceil", "floor", "round", "sign", "sqrt", "toFloat", "toInteger")
    ),
)


def _others() -> Iterator[Construct]:
    for name, text, slots in _OTHERS:
        if slots:
            yield Construct(name, expression(text), slots)
    both, few = _paired((*ALIKE, *UNLIKE)), _paired(FEW)
    case = "CASE WHEN a = b THEN 'same' WHEN a > b THEN 'more' ELSE 'else' END"
    yield Construct("CASE", expression(case), few, pairs=True)
    yield Construct("CASE value", expression("CASE a WHEN b THEN 1 ELSE 2 END"), few, pairs=True)
    yield Construct("IN", expression("a IN [b, b]"), both, pairs=True)
    yield Construct("IN null", expression("a IN [b, null]"), few, pairs=True)
    yield Construct(
        "IN list",
        expression("a IN b"),
        _paired(
            (
                ("Whole", "Wholes"),
                ("Real", "Wholes"),
                ("Text", "Texts"),
                ("Real", "Reals"),
                ("Whole", "List"),
                ("Text", "List"),
                ("List", "List"),
                ("Flag", "List"),
            )
        ),
        pairs=True,
    )
    yield Construct("list =", expression("[a] = [b]"), few, pairs=True)
    yield Construct("list <", expression("[a] < [b]"), few, pairs=True)
    yield Construct("map =", expression("{k: a} = {k: b}"), few, pairs=True)
    yield Construct("CASE join", expression("CASE WHEN a = b THEN a ELSE b END"), few, pairs=True)
    for pool, parts in PARTS.items():
        for part in parts:
            yield Construct(f".{part}", ir.Prop(ir.Var("a"), part), ((pool,),))
