"""Hostile values of every kind, in named pools, and the graph that stores them.

A pool is a tuple of Cypher expressions of one kind. Those that a graph can store are also a node
type, whose nodes have the value's place in the pool as `id` and the value as `v`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from graph_ir import nodes as ir
from graph_ir.cypher.reader import parse
from qa.conformance.drawn import drawn
from qa.fuzz.graphs import KEY, SmallGraph
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from translators.cypher.dialect import Cypher


@dataclass(frozen=True)
class Value:
    """One value: as an expression, and as a row of a small graph has it (if it can)."""

    expr: ir.Expr
    stored: Any = None
    storable: bool = True

    @cached_property
    def text(self) -> str:
        """The value in Cypher."""
        return shown(self.expr)


@dataclass(frozen=True)
class Pool:
    """Values of one kind; `type` is that of the property which stores them, None for none."""

    name: str
    values: tuple[Value, ...]
    type: Type | None = None

    @property
    def kept(self) -> tuple[int, ...]:
        """Places of the values that a graph can store."""
        return tuple(n for n, value in enumerate(self.values) if value.storable)


NULL = Value(ir.Literal(None))


def shown(expr: ir.Expr) -> str:
    """An expression as Cypher text."""
    statement = ir.Query((ir.Project((ir.Item(expr, "r"),), final=True),))
    return Cypher().generate(statement).text.removeprefix("RETURN ").removesuffix(" AS r")


def expression(text: str) -> ir.Expr:
    """The IR of one Cypher expression."""
    statement = parse(f"RETURN {text} AS r")
    assert isinstance(statement, ir.Query)  # noqa: S101 # it is no UNION
    project = statement.clauses[0]
    assert isinstance(project, ir.Project)  # noqa: S101 # it is a RETURN
    return project.items[0].expr


TEXTS = (
    *(
        "",
        " ",
        "a",
        "A",
        "abc",
        "ABC",
        "aa",
        "b a",
        "a,b,,c",
        ".",
        "it's",
        'say "x"',
        "back\\slash",
    ),
    *("straße", "ŉ", "ﬁ", "İ", "ı", "ΣΑΣ", "ς", "ẞ", "ǅ", "ﬀi", "é", "e\u0301", "n\u0303o"),
    *("😀", "a😀b", "👩\u200d👧", "🇩🇪", "\u2003x\u2003", "\u000bx\u000b", "\u00a0x\u00a0", "\tx\n"),
    *("\u0085x", "\u200bx", "\ufeffx", "\u2028", "\x01", "\x1f a", "a\r\nb", "%", "_", "a_b%"),
    *("1", "01", " 7 ", "-1", "+1", "0x1F", "1e3", "-1.5", ".5", "5.", "1_000", "NaN", "Infinity"),
    *("9223372036854775807", "9223372036854775808", "9007199254740993", "1e400", "１２"),
    *("true", "TRUE", " true ", "False", "no", "null", "T", "2024-02-29", "P1M", "[1]", "{}"),
)
WHOLES = (
    *(0, 1, -1, 2, 3, -2, 5, 7, -7, 10, 12, 60, 100, 255, 256, 1000, 3600, 86400, 999999999),
    *(2**31 - 1, 2**31, -(2**31), 2**32, 2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1, 2**62),
    *(2**63 - 1, 2**63 - 2, -(2**63) + 1, -(2**63), 10**18, 4611686018427387905),
)
REALS = (
    *(0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 3.0, 7.0, 0.1, 0.30000000000000004),
    *(2.675, 1e-3, 1e-4, 1e-10, 123.456, 9999999.0, 1e7, 12345678.9, 1e10, 1e15, 1e16, 1e21, 1e22),
    *(9007199254740992.0, 9223372036854775807.0, -9223372036854775808.0, 1e19, 1e100),
    *(1.7976931348623157e308, 5e-324, 100.0, -7.25),
)
DAYS = (
    *("2024-02-29", "2023-02-28", "2000-02-29", "1900-02-28", "2100-02-28", "2024-01-31"),
    *("2024-03-31", "2024-04-30", "2024-05-31", "2024-12-31", "2023-12-31", "2025-01-01"),
    *("2020-12-31", "2021-01-03", "2021-01-04", "2018-12-31", "2019-12-30", "2016-01-03"),
    *("1970-01-01", "1969-12-31", "0001-01-01", "9999-12-31", "1582-10-04", "1582-10-15"),
    *("2024-07-01", "2024-06-30", "2024-10-27", "2024-03-10", "1999-12-31", "2001-09-09"),
    *("2024-02-28", "2024-03-01"),
)
CLOCKS = (
    *("00:00", "00:00:01", "12:00", "23:59", "23:59:59", "23:59:59.999999", "10:30", "10:30:15"),
    *(
        "10:30:15.5",
        "10:30:15.25",
        "10:30:15.123",
        "10:30:15.123456",
        "10:30:00.000001",
        "01:02:03",
    ),
    *("09:59:59.9", "11:11:11.1", "06:00", "18:45:30", "00:00:00.1", "00:59:59.000999", "13:00"),
    *("20:20:20.02", "05:05", "07:07:07.07", "08:08:08.888", "03:00:00", "02:30", "16:16:16.160"),
    *("22:22", "21:21:21.212121", "04:04:04.4"),
)
MOMENTS = tuple(f"{day}T{clock}" for day, clock in zip(DAYS, (*CLOCKS, "00:00"), strict=True))
OFFSETS = (
    *(
        "Z",
        "+02:00",
        "-05:00",
        "+05:30",
        "+14:00",
        "-12:00",
        "+00:00",
        "-09:30",
        "+01:00",
        "+05:45",
    ),
)
INSTANTS = (
    "2024-01-31T12:00Z",
    "2024-01-31T14:00+02:00",
    "2024-01-31T07:00-05:00",
    *(f"{moment}{OFFSETS[n % len(OFFSETS)]}" for n, moment in enumerate(MOMENTS[:29])),
)
NAMED_INSTANTS = (
    "2024-01-31T12:00[Europe/Berlin]",
    "2024-03-31T02:30[Europe/Berlin]",
    "2024-10-27T02:30[Europe/Berlin]",
    "2024-10-27T02:30+01:00[Europe/Berlin]",
    "2024-07-01T00:00[America/New_York]",
    "1970-01-01T00:00[Asia/Kolkata]",
)
ZONED_CLOCKS = tuple(f"{clock}{OFFSETS[n % len(OFFSETS)]}" for n, clock in enumerate(CLOCKS))
SPANS = (
    *("PT0S", "P1D", "P1M", "P1Y", "P30D", "P31D", "P12M", "P1W", "PT24H", "PT1H", "PT60M", "PT1S"),
    *("PT0.5S", "PT0.000001S", "P1Y2M3DT4H5M6S", "P1Y2M3DT4H5M6.789S", "P-1D", "P-1M", "PT-1S"),
    *("PT-0.5S", "P1M-1D", "P1DT-1H", "P-1Y", "P400D", "P14M", "PT3661S", "PT86400S", "P2W3D"),
    *("PT25H", "P1M30D", "P100Y", "PT59.999999S"),
)
UNITS = (
    *("millennium", "century", "decade", "year", "weekYear", "quarter", "month", "week", "day"),
    *("hour", "minute", "second", "millisecond", "microsecond"),
)
TEXT_LISTS: tuple[list[Any], ...] = (
    *([], [""], ["a"], ["a", "b"], ["b", "a"], ["a", "a"], ["ab", "A", "a"], ["é", "e\u0301"]),
    *(["1"], ["true", "x"], ["straße", "ŉ"], ["😀", "a"], ["c", "b", "a"], [" ", ""], ["x"] * 5),
)
WHOLE_LISTS: tuple[list[Any], ...] = (
    *([], [0], [1], [1, 2], [2, 1], [1, 1], [1, 2, 3], [-1, 0, 1], [2**53, 2**53 + 1]),
    *([2**63 - 1], [-(2**63)], [10, 9], [1, 2, 3, 4, 5], [0, 0, 0], [2**31]),
)
REAL_LISTS: tuple[list[Any], ...] = (
    *([], [0.0], [-0.0], [1.0], [1.5, 2.5], [2.5, 1.5], [0.1, 0.2, 0.3], [1e16], [-1.0, 1.0]),
)
LISTS = (
    *("[]", "[null]", "[1]", "[1.0]", "[1, 2.0]", "[1, null]", "[null, null]", "['a']", "[[]]"),
    *(
        "[[1], [2]]",
        "[1, '1', true]",
        "[[1, null]]",
        "[0.0/0.0]",
        "[{a: 1}]",
        "[[[]]]",
        "['', ' ']",
    ),
    *("[true, false]", "[true, null]", "[date('2024-02-29')]", "[3, 1, 2]", "['b', 'a', 'B']"),
    *("[1, 1.0, 1]", "['1', 1]", "[9007199254740993, 9007199254740992.0]", "[-0.0, 0.0]"),
    *("[[1, 2], [1]]", "['é', 'e\u0301']", "[duration('P1M'), duration('P30D')]"),
    *("[datetime('2024-01-01T00:00Z'), datetime('2024-01-01T01:00+01:00')]", "[1, [2, 'x']]"),
    *("['1', '0x1F', ' 7 ', 'x', null]", "['true', 'no', ' true ', null]", "[1, 2, 3, 4, 5]"),
)
MAPS = (
    *("{}", "{a: null}", "{a: 1}", "{a: 1.0}", "{a: '1'}", "{a: 1, b: 'x'}", "{b: 'x', a: 1}"),
    *("{a: {b: null}}", "{a: []}", "{a: [1, null]}", "{A: 1}", "{a: true}", "{`a b`: 1}"),
    *("{a: date('2024-02-29')}", "{a: 0.0/0.0}", "{a: duration('P1M')}", "{a: -0.0}", "{id: 1}"),
)
POINTS = (
    *("point({x: 0, y: 0})", "point({x: 1, y: 2})", "point({x: 1, y: 2, z: 3})"),
    *("point({longitude: 12.5, latitude: 55.7})", "point({x: -1.5, y: 1e10})"),
)
DATE_TEXTS = (
    *(
        "2024-02-29",
        "2023-02-29",
        "2024-02",
        "2024",
        "20240229",
        "202402",
        "2024-W09-4",
        "2024W094",
    ),
    *("2024-W09", "2024-060", "2024060", "2024-Q1-60", "", " 2024-02-29", "2024-2-9", "2024-13-01"),
    *("2024-00-10", "-0001-01-01", "+2024-01-01", "0000-01-01", "2024-12-32", "2024-02-29T00:00"),
    *("x", "2020-W53-7", "2021-W53-1", "2024-366", "2023-366", "9999-12-31", "1970-01-01"),
)
CLOCK_TEXTS = (
    *("10:30", "10:30:15", "10:30:15.5", "1030", "10", "103015", "103015.123", "24:00", "23:59:60"),
    *("10:30:15.123456789", "10:30Z", "", "x", "10:30+02:00", " 10:30", "1:30", "00:00:00.000"),
)
MOMENT_TEXTS = (
    *("2024-02-29T10:30", "2024-02-29T10:30:15", "2024-02-29T10:30:15.5", "20240229T103015"),
    *("2024-02-29", "2024-060T10:30", "2024-W09-4T10", "2024-02-29T24:00", "2024-02-29 10:30"),
    *("2024-02-29T10:30:15.123456789", "2023-02-29T10:30", "", "x", "2024-02-29T10:30Z"),
)
INSTANT_TEXTS = (
    *("2024-02-29T10:30Z", "2024-02-29T10:30:15+02:00", "2024-02-29T10:30:15.5-0500"),
    *("2024-02-29T10:30+01", "20240229T1030Z", "2024-02-29T10:30", "2024-02-29", "", "x"),
    *("2024-02-29T10:30[Europe/Berlin]", "2024-03-31T02:30[Europe/Berlin]"),
    *("2024-10-27T02:30+01:00[Europe/Berlin]", "2024-02-29T10:30+25:00", "2023-02-29T10:30Z"),
)
SPAN_TEXTS = (
    *SPANS,
    *("P", "PT", "", "x", "P0.5D", "P1.5M", "PT1.5H", "P1Y1D", "P2012-02-02T14:37:21.545", "-P1D"),
    *("P1W", "PT1H30M", "P0.5Y", "PT-3.25S", "p1d", "P1D ", "P1H"),
)
DATE_MAPS = (
    *("{year: 2024}", "{year: 2024, month: 2}", "{year: 2024, month: 2, day: 29}"),
    *("{year: 2023, month: 2, day: 29}", "{year: 2024, week: 9, dayOfWeek: 4}", "{month: 2}"),
    *("{year: 2024, ordinalDay: 60}", "{year: 2024, quarter: 1, dayOfQuarter: 60}", "{}"),
    *("{date: date('2024-02-29'), year: 2023, month: 3}", "{year: 2024, month: null}"),
    *("{date: date('2024-01-31'), month: 3}", "{year: -1}", "{year: 2024, month: 13}"),
)
CLOCK_MAPS = (
    *("{hour: 10}", "{hour: 10, minute: 30}", "{hour: 10, minute: 30, second: 15}", "{hour: 24}"),
    *(
        "{hour: 10, minute: 30, second: 15, millisecond: 5}",
        "{hour: 10, minute: 30, second: 15, microsecond: 5}",
        "{minute: 5}",
        "{}",
        "{hour: 1, minute: 2, second: 3, nanosecond: 5000}",
    ),
)
MOMENT_MAPS = (
    *("{year: 2024, month: 2, day: 29, hour: 10}", "{year: 2024, month: 2, day: 29}"),
    *("{date: date('2024-02-29'), time: localtime('10:30')}", "{year: 2024, hour: 10}"),
    *("{date: date('2024-02-29'), hour: 5, minute: 6}", "{}", "{epochSeconds: 1}"),
)
INSTANT_MAPS = (
    *MOMENT_MAPS,
    "{year: 2024, month: 2, day: 29, hour: 10, timezone: '+02:00'}",
    "{year: 2024, month: 7, day: 1, hour: 10, timezone: 'Europe/Berlin'}",
    "{epochMillis: 1500}",
    "{datetime: datetime('2024-01-31T12:00Z'), timezone: '+02:00'}",
)
SPAN_MAPS = (
    *("{days: 1}", "{months: 1}", "{years: 1, months: 2, days: 3}", "{hours: 24}", "{weeks: 1}"),
    *("{seconds: 1.5}", "{days: 0.5}", "{months: 0.5}", "{milliseconds: 1500}", "{quarters: 1}"),
    *("{minutes: -1}", "{days: null}", "{}", "{microseconds: 1}", "{nanoseconds: 1000}"),
    *("{years: 1.5}", "{hours: 1, minutes: 30}", "{days: 1, hours: -1}", "{weeks: 1.5}"),
)
PATTERNS = (
    *("", "a", "a.*", ".*", ".", "A", "(?i)abc", "(?i)É", "(?i)STRASSE", "[a-z]+", r"\d+", r"\w+"),
    *(r"\s*x\s*", r"\s+", "a|b", "(a|b c)*", "a?", "a{2}", "^a$", "(?s).*", "(?m)^b$", r"\Qa.b\E"),
    *("(?=a).*", "(?!a).*", r"\p{L}+", r"\p{Lu}", r"[^\x00-\x7F]+", "[", "(", "*", r"\.", r"(a)\1"),
    *("[[:alpha:]]+", r"\bx\b", "(?x) a b c", "x*+", "a++", r"\h*x", r"\R", r"[a&&[^b]]"),
)
CHARACTERS = ("", " ", "a", "ab", "x", "😀", "\u2003", "b", ".", "é", "aa", "A", "\t")
SMALL = (0, 1, 2, 3, 4, 5, -1, -2, 10, 100, 2**31 - 1, 2**31, -(2**31), 2**63 - 1, -(2**63))
STEPS = (0, 1, 2, 3, 5, 7, 10, 40, -1, -2, -3, -7, -10)  # no more: a range holds all between
SHARES = ("0", "1", "0.5", "0.25", "0.9", "0.333", "-0.1", "1.1", "null", "0.0/0.0")
MODES = ("UP", "DOWN", "CEILING", "FLOOR", "HALF_UP", "HALF_DOWN", "HALF_EVEN", "half_up", "x", "")
FORMS = ("NFC", "NFD", "NFKC", "NFKD")
EMPTY = ("{}", "{day: 5}")
TEXT_POOLS = (
    *("DateText", "ClockText", "MomentText", "InstantText", "SpanText", "Pattern", "Character"),
)
WRITTEN_POOLS = (
    *("List", "Map", "Point", "DateMap", "ClockMap", "MomentMap", "InstantMap", "SpanMap", "Share"),
)


def _literals(values: Iterable[Any]) -> tuple[Value, ...]:
    return (*(Value(ir.Literal(value), value) for value in values), NULL)


def _calls(function: str, texts: Iterable[str]) -> tuple[Value, ...]:
    made = (Value(ir.Call(function, (ir.Literal(text),)), text) for text in texts)
    return (*made, NULL)


def _written(texts: Iterable[str]) -> tuple[Value, ...]:
    return (*(Value(expression(text), storable=False) for text in texts), NULL)


def _lists(lists: Iterable[list[Any]]) -> tuple[Value, ...]:
    made = (Value(ir.ListOf(tuple(ir.Literal(i) for i in items)), items) for items in lists)
    return (*made, NULL)


_NOT_FINITE = ("0.0/0.0", "1.0/0.0", "-1.0/0.0")
LISTED: Mapping[str, tuple[Any, ...]] = {
    "Text": TEXTS,
    "Whole": WHOLES,
    "Real": REALS,
    "Day": DAYS,
    "Clock": CLOCKS,
    "ZonedClock": ZONED_CLOCKS,
    "Moment": MOMENTS,
    "Instant": INSTANTS,
    "NamedInstant": NAMED_INSTANTS,
    "Span": SPANS,
    "Texts": TEXT_LISTS,
    "Wholes": WHOLE_LISTS,
    "Reals": REAL_LISTS,
    "List": LISTS,
    "Map": MAPS,
    "Point": POINTS,
    "DateText": DATE_TEXTS,
    "ClockText": CLOCK_TEXTS,
    "MomentText": MOMENT_TEXTS,
    "InstantText": INSTANT_TEXTS,
    "SpanText": SPAN_TEXTS,
    "DateMap": DATE_MAPS,
    "ClockMap": CLOCK_MAPS,
    "MomentMap": MOMENT_MAPS,
    "InstantMap": INSTANT_MAPS,
    "SpanMap": SPAN_MAPS,
    "Pattern": PATTERNS,
    "Character": CHARACTERS,
    "Small": SMALL,
    "Step": STEPS,
    "Share": SHARES,
}
"""What the pools are made of, by their names."""


def _reals(values: Iterable[Any]) -> tuple[Value, ...]:
    special = (Value(expression(text), storable=False) for text in _NOT_FINITE)
    return (*_literals(values), *special)


def _zoned(texts: Iterable[str], named: Iterable[str]) -> tuple[Value, ...]:
    more = (Value(ir.Call("datetime", (ir.Literal(t),)), storable=False) for t in named)
    return (*_calls("datetime", texts), *more)


def _list_type(kind: Kind) -> Type:
    return Type(Kind.LIST, Type(kind, nullable=False))


@cache
def pools(seed: int = 0) -> Mapping[str, Pool]:
    """Every pool by its name, which is also the label of its nodes: of the values that are listed
    here, or of those that a seed other than 0 draws."""
    of = drawn(seed) if seed else LISTED
    text = Type(Kind.STRING)
    made = (
        Pool("Text", _literals(of["Text"]), text),
        Pool("Whole", _literals(of["Whole"]), Type(Kind.INTEGER)),
        Pool("Real", _reals(of["Real"]), Type(Kind.FLOAT)),
        Pool("Flag", _literals((True, False)), Type(Kind.BOOLEAN)),
        Pool("Day", _calls("date", of["Day"]), Type(Kind.DATE)),
        Pool("Clock", _calls("localtime", of["Clock"]), Type(Kind.TIME)),
        Pool("ZonedClock", _calls("time", of["ZonedClock"]), Type(Kind.ZONED_TIME)),
        Pool("Moment", _calls("localdatetime", of["Moment"]), Type(Kind.DATETIME)),
        Pool("Instant", _zoned(of["Instant"], of["NamedInstant"]), Type(Kind.ZONED_DATETIME)),
        Pool("Span", _calls("duration", of["Span"]), Type(Kind.DURATION)),
        Pool("Texts", _lists(of["Texts"]), _list_type(Kind.STRING)),
        Pool("Wholes", _lists(of["Wholes"]), _list_type(Kind.INTEGER)),
        Pool("Reals", _lists(of["Reals"]), _list_type(Kind.FLOAT)),
        *(Pool(name, _literals(of[name]), text) for name in TEXT_POOLS),
        Pool("Small", _literals(of["Small"]), Type(Kind.INTEGER)),
        *(Pool(name, _literals(of[name])) for name in ("Step",)),
        *(Pool(name, _literals(own)) for name, own in (("Unit", UNITS), ("Mode", MODES))),
        *(Pool(name, _written(of[name])) for name in WRITTEN_POOLS),
        *(Pool(name, _written(own)) for name, own in (("Form", FORMS), ("Empty", EMPTY))),
    )
    return {pool.name: pool for pool in made}


KINDS: Mapping[Kind, str] = {
    Kind.BOOLEAN: "Flag",
    Kind.INTEGER: "Whole",
    Kind.FLOAT: "Real",
    Kind.STRING: "Text",
    Kind.DATE: "Day",
    Kind.TIME: "Clock",
    Kind.ZONED_TIME: "ZonedClock",
    Kind.DATETIME: "Moment",
    Kind.ZONED_DATETIME: "Instant",
    Kind.DURATION: "Span",
    Kind.LIST: "List",
    Kind.MAP: "Map",
    Kind.POINT: "Point",
}
"""The pool of each kind of value."""

MIXES: Mapping[str, tuple[str, ...]] = {
    "TextOrWhole": ("Text", "Whole"),
    "WholeOrReal": ("Whole", "Real"),
    "TextOrFlag": ("Text", "Flag"),
    "DayOrText": ("Day", "DateText"),
}
"""Labels whose nodes store values of several kinds in one property."""

MIXED_STEP = 3  # of the values of a pool, every so many is also in a mix


_OF_LINKS = (
    ("w", Type(Kind.INTEGER)),
    ("s", Type(Kind.STRING)),
    ("d", Type(Kind.DATE)),
)
LINKS = (
    *((0, 1, 1, "x", "2024-02-29"), (0, 1, 1, "x", "2024-02-29"), (0, 2, 0, "y", None)),
    *((1, 2, 2, "x", "2023-12-31"), (2, 0, 3, None, "2024-02-29"), (2, 3, None, "x", None)),
    *((3, 3, -1, "", "2024-01-31"), (3, 4, 2, "x", "2024-03-01"), (4, 1, 5, "xy", None)),
    *((5, 4, 0, "y", "2024-02-29"), (0, 5, 7, "x", "2023-02-28")),
)
"""Edges of the nodes `Small` by their ids: with a loop, a circle and two that are alike."""


@cache
def graph(seed: int = 0) -> SmallGraph:
    """The graph that stores every pool, and the mixes."""
    every = pools(seed)
    nodes: list[NodeType] = []
    rows: dict[str, tuple[tuple[Any, ...], ...]] = {}

    def add(labels: tuple[str, ...], pool: Pool, places: Iterable[int], first: int) -> int:
        assert pool.type is not None  # noqa: S101 # only those that are stored
        node = NodeType(labels, (KEY, Property("v", pool.type)), ("id",))
        own = tuple((first + n, pool.values[p].stored) for n, p in enumerate(places))
        nodes.append(node)
        rows[node.name] = own
        return first + len(own)

    for pool in every.values():
        if pool.type is not None:
            own = NodeType((pool.name,), (KEY, Property("v", pool.type)), ("id",))
            nodes.append(own)
            rows[own.name] = tuple((p, pool.values[p].stored) for p in pool.kept)
    for name, parts in MIXES.items():
        first = 0
        for part in parts:
            pool = every[part]
            places = pool.kept[:: MIXED_STEP if len(pool.kept) > 9 else 1]
            first = add((name, f"{name}{part}"), pool, places, first)
    edges = (
        EdgeType("NEXT", "Whole", "Whole"),
        EdgeType("LINK", "Small", "Small", tuple(Property(*own) for own in _OF_LINKS)),
    )
    schema = SchemaGraph("values", tuple(nodes), edges)
    rows["Whole-NEXT-Whole"] = tuple((n, n + 1) for n in range(9))
    rows["Small-LINK-Small"] = LINKS
    return SmallGraph(schema, rows)
