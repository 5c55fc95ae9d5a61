"""The constants of a query that its questions must carry, and whether a text carries them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph_ir import nodes as ir
from graph_ir.setops import recognise
from graph_ir.walk import children

type Value = str | int | float

_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)


_ONES = (ir.Literal(1), ir.Literal(1.0))
_ZEROS = (ir.Literal(0), ir.Literal(0.0))
# Counts that say no more than that there is one, or none.
_SOME = (
    *((ir.CompareOp.GT, 0), (ir.CompareOp.GE, 1), (ir.CompareOp.NE, 0)),
    *((ir.CompareOp.EQ, 0), (ir.CompareOp.LT, 1), (ir.CompareOp.LE, 0)),
)


class Month(int):
    """The number of a month, which people call by its name."""


class Steps(int):
    """How often a relation is followed; two steps lead through one other."""


class Rank(float):
    """The place of a percentile; 0.5 is the median."""


class Percent(int):
    """The factor that makes a share a percentage."""


# What is said twice within a few words: "who follow a member who follows", "friends of friends".
_TWICE = re.compile(r"\b(\w{4,}?)(?:e?s|e?d)?\b(?:\W+\w+){1,4}?\W+\1(?:e?s|e?d)?\b")


def mentioned_values(statement: ir.Statement) -> tuple[Value, ...]:
    """Every constant of a condition, and of SKIP and LIMIT, in the order of the text.

    Not among them: flags, NULL, what only marks the side of a set operation, the 0 of SQL's
    "sum or null", a constant compared with a constant, and LIMIT 1, which a superlative says.

    >>> from graph_ir.cypher.reader import parse
    >>> mentioned_values(parse("MATCH (n) WHERE n.a = 'x' AND n.b > 2 RETURN n.c LIMIT 5"))
    ('x', 2, 5)
    """
    return tuple(dict.fromkeys(_values(statement)))


def _values(node: ir.Node) -> Iterator[Value]:
    match node:
        case ir.Query():
            operation = recognise(node)
            if operation is not None:
                for part in operation.parts:
                    yield from _values(part)
                yield from _window(operation.final)
                return
        case ir.Case(
            (ir.When(ir.Compare(_, ir.Agg("count"), ir.Literal(0)), ir.Literal(None)),),
            ir.Agg("sum") as total,
        ):
            yield from _values(total)
            return
        case ir.Project():
            for inner in (*node.items, *node.order, *((node.where,) if node.where else ())):
                yield from _values(inner)
            yield from _window(node)
            return
        case ir.Compare(_, ir.Literal(), ir.Literal()):
            return  # says nothing of the data
        case ir.Compare(_, ir.Prop(_, "month"), ir.Literal(int() as number)):
            yield Month(number)
            return
        case ir.Agg("sum" | "count" | "avg", (ir.Case((ir.When(test, one),), rest, None),)):
            if one in _ONES and (rest is None or rest in _ZEROS):
                yield from _values(test)  # a count or a share of what passes the test
                return
        case ir.Agg("percentileCont" | "percentileDisc", (value, ir.Literal(float() as rank))):
            yield from _values(value)
            yield Rank(rank)
            return
        case ir.Arith(ir.ArithOp.MUL, one, two):
            for factor, rest in ((one, two), (two, one)):
                if isinstance(factor, ir.Literal) and factor.value in (1, 100):
                    yield from (Percent(100),) if factor.value == 100 else ()
                    yield from _values(rest)
                    return
        case ir.Index(base, ir.Literal(0 | -1)):
            yield from _values(base)
            return
        case ir.Compare(op, ir.CountOf(query), ir.Literal(0 | 1 as bound)) if (op, bound) in _SOME:
            yield from _values(query)
            return
        case ir.Literal(value):
            if value is not None and not isinstance(value, bool):
                yield value
            return
        case ir.EdgePattern(hops=ir.Hops(lo, hi)):
            if lo != 1 or hi == 1:  # from 1 on is what people mean by "up to"
                yield Steps(lo)
            if hi is not None:
                yield Steps(hi)
    for child in children(node):
        yield from _values(child)


def _window(project: ir.Project) -> Iterator[Value]:
    for expr in (project.skip, project.limit):
        if isinstance(expr, ir.Literal) and isinstance(expr.value, int) and expr.value != 1:
            yield expr.value


def carries(text: str, value: Value) -> bool:
    """Whether a text has the value: as it is, in other case, with commas, or as a word.

    >>> carries('more than 1,000 in "Old Town"', 1000), carries("more than 21000", 1000)
    (True, False)
    >>> carries("the top five", 5), carries("in old town", "Old Town")
    (True, True)
    >>> carries("customers that are charities", "Charity")
    True
    >>> carries("directly or through up to two others", Steps(3))
    True
    >>> carries("who follow a man who follows Ann", Steps(2)), carries("who follow Ann", Steps(2))
    (True, False)
    >>> carries("座位数大于2000的音乐厅", 2000), carries("座位数大于12000", 2000)
    (True, False)
    """
    folded = " ".join(text.casefold().split())
    if isinstance(value, str):
        low = " ".join(value.casefold().split())
        if low in folded or (low.endswith("y") and f"{low[:-1]}ies" in folded):
            return True
        return any(form in folded for form in spoken_forms(value))
    if isinstance(value, Percent) and re.search(r"percent|%", folded):
        return True
    if isinstance(value, Rank):
        if value == 0.5 and "median" in folded:
            return True
        return (
            re.search(rf"(?<![\w.]){value * 100:g}(?:st|nd|rd|th)? percentile", folded) is not None
        )
    if isinstance(value, Month) and 1 <= value <= 12 and _MONTHS[value - 1] in folded:
        return True
    if isinstance(value, Steps) and 1 < value <= len(_WORDS):
        between = _WORDS[value - 1]
        if re.search(rf"\b{between} (?:to \w+ )?others?\b", folded):
            return True
        if value == 2 and (_TWICE.search(folded) or " through another " in folded):
            return True
    plain = int(value) if isinstance(value, int) else value
    forms = {str(plain), f"{value:,}", f"{value:g}", str(plain).removesuffix(".0")}
    forms |= {form.removesuffix(".0") for form in forms}
    if isinstance(value, int) and 0 <= value < len(_WORDS):
        forms.add(_WORDS[value])
    return any(
        f in folded and re.search(rf"{_START}{re.escape(f)}(?!{_JOINED}|[.,]\d)", folded)
        for f in forms
    )


# Scripts without spaces put their words right beside a number.
_JOINED = r"(?![\u2e80-\u9fff])\w"
_START = rf"(?<!{_JOINED})(?<![.,])"


_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
_MOMENT = re.compile(
    r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)(?:[T ](?P<clock>\d\d:\d\d)(?P<rest>.*))?"
)
_UNITS = {"Y": "year", "M": "month", "W": "week", "D": "day", "H": "hour", "S": "second"}
_DURATION = re.compile(r"P(?:\d+[YMWD])*(?:T(?:\d+[HMS])+)?")


def spoken_forms(value: str) -> tuple[str, ...]:
    """How people write a moment or a duration, in lower case; () for any other text.

    >>> spoken_forms("2021-03-05")
    ('5 march 2021', 'march 5, 2021')
    >>> spoken_forms("2021-03-05T08:30:00")
    ('08:30 on 5 march 2021', 'march 5, 2021, 08:30', '2021-03-05 08:30')
    >>> spoken_forms("P1Y30D"), spoken_forms("Bergen")
    (('1 year and 30 days',), ())
    """
    if moment := _MOMENT.fullmatch(value):
        if not 1 <= int(moment["month"]) <= 12:
            return ()
        month, day = _MONTHS[int(moment["month"]) - 1], int(moment["day"])
        days = (f"{day} {month} {moment['year']}", f"{month} {day}, {moment['year']}")
        clock, rest = moment["clock"], moment["rest"] or ""
        if clock is None or (clock == "00:00" and not rest.strip(":0Z")):
            iso = () if clock is None else (value[:10],)
            return (*days, *iso)
        shown = clock if not rest.strip(":0Z") else f"{clock}{rest}".removesuffix("Z")
        return (f"{shown} on {days[0]}", f"{days[1]}, {shown}", f"{value[:10]} {shown}")
    if _DURATION.fullmatch(value) and len(value) > 2:
        date, _, time = value[1:].partition("T")
        parts = re.findall(r"(\d+)([YMWD])", date)
        parts += [(n, "MIN" if u == "M" else u) for n, u in re.findall(r"(\d+)([HMS])", time)]
        amounts = [
            f"{n} {'minute' if u == 'MIN' else _UNITS[u]}{'' if n == '1' else 's'}"
            for n, u in parts
        ]
        joined = amounts[0] if len(amounts) == 1 else f"{', '.join(amounts[:-1])} and {amounts[-1]}"
        return (joined,)
    return ()


def whole_period(lo: str, hi: str) -> str:
    """The month, quarter or year from a day up to another, without that; "" if it is none.

    >>> whole_period("2021-03-01", "2021-04-01T00:00:00"), whole_period("2021-04-01", "2021-07-01")
    ('March 2021', 'the second quarter of 2021')
    >>> whole_period("2021-01-01", "2022-01-01"), whole_period("2021-01-02", "2022-01-01")
    ('2021', '')
    """
    one, two = (_FIRST_DAY.fullmatch(text) for text in (lo, hi))
    if one is None or two is None:
        return ""
    start, end = (int(d["year"]) * 12 + int(d["month"]) - 1 for d in (one, two))
    year, month = divmod(start, 12)
    if end - start == 12 and month == 0:
        return f"{year:04}"
    if end - start == 3 and month % 3 == 0:
        return f"the {('first', 'second', 'third', 'fourth')[month // 3]} quarter of {year:04}"
    return f"{_MONTHS[month].capitalize()} {year:04}" if end - start == 1 else ""


_FIRST_DAY = re.compile(r"(?P<year>\d{4})-(?P<month>\d\d)-01(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?")


def _periods(values: tuple[Value, ...], text: str) -> set[str]:
    """Moments that the text carries as the ends of a month, a quarter or a year."""
    texts = [value for value in values if isinstance(value, str)]
    ends = [text for text in texts if _FIRST_DAY.fullmatch(text)]
    folded = " ".join(text.casefold().split())
    bounds: set[str] = set()
    for lo in ends:
        for hi in ends:
            whole = whole_period(lo, hi)
            if whole and re.search(rf"(?<![\w-]){re.escape(whole.casefold())}(?![\w-])", folded):
                bounds |= {lo, hi}
    return bounds


def lost(statement: ir.Statement, text: str) -> tuple[Value, ...]:
    """Values of the query that a text does not carry."""
    return missing(mentioned_values(statement), text)


def missing(values: tuple[Value, ...], text: str) -> tuple[Value, ...]:
    """Those of the values that a text does not carry."""
    gone = tuple(value for value in values if not carries(text, value))
    if not any(isinstance(value, str) for value in gone):
        return gone
    whole = _periods(values, text)
    return tuple(value for value in gone if value not in whole)
