"""GoogleSQL's functions and casts as expressions of Graph-IR.

What depends on the types of its arguments becomes a call whose name begins with `spanner.`;
`translators.gql.spanner.reading.typed` decides when they are known. Pages are those of the
GoogleSQL reference for Spanner: "String functions", "Array functions", "Date functions",
"Timestamp functions", "Mathematical functions", "Conditional expressions".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from graph_ir import nodes as ir
from graph_ir.cypher.scanning import Token, failed
from graphmill.errors import Refused, Span
from translators.gql.spanner import white_space
from translators.gql.spanner.reading import instants

type Args = tuple[ir.Expr, ...]
type Make = Callable[[Args, Span | None], ir.Expr]

OPEN: Final = "spanner."
"""Begins the names of calls that are decided when the types of their arguments are known."""


def open_call(name: str, *args: ir.Expr, span: Span | None) -> ir.Call:
    """A call that `typed` decides."""
    return ir.Call(OPEN + name, args, span=span)


_PLAIN = {
    "ABS": "abs", "ACOS": "acos", "ARRAY_LENGTH": "size", "ARRAY_REVERSE": "reverse",
    "ASIN": "asin", "ATAN": "atan", "CEIL": "ceil", "CEILING": "ceil", "CHARACTER_LENGTH": "size",
    "CHAR_LENGTH": "size", "COS": "cos", "COSH": "cosh", "CURRENT_TIMESTAMP": "datetime",
    "EDGES": "relationships", "ELEMENT_ID": "elementId", "EXP": "exp", "FLOOR": "floor",
    "IS_NAN": "isNaN", "LABELS": "labels", "LENGTH": "size", "LN": "log", "LOG10": "log10",
    "LOWER": "toLower", "NODES": "nodes", "PATH_LENGTH": "length", "REVERSE": "reverse",
    "SIN": "sin", "SINH": "sinh", "SQRT": "sqrt", "TAN": "tan", "TANH": "tanh",
    "UPPER": "toUpper",
}  # fmt: skip
_SEVERAL = {
    "ATAN2": ("atan2", 2, 2),
    "COALESCE": ("coalesce", 1, None),
    "GENERATE_ARRAY": ("range", 2, 3),
    "IFNULL": ("coalesce", 2, 2),
    "NULLIF": ("nullIf", 2, 2),
}
_AGGREGATES = {
    "ARRAY_AGG": "collect",
    "AVG": "avg",
    "COUNT": "count",
    "COUNTIF": "count",
    "MAX": "max",
    "MIN": "min",
    "STDDEV": "stDev",
    "STDDEV_SAMP": "stDev",
    "SUM": "sum",
}
# EXTRACT's part, and the property of a temporal value of Cypher.
PARTS: Final = {
    "DAY": "day", "DAYOFWEEK": "dayOfWeek", "DAYOFYEAR": "ordinalDay", "HOUR": "hour",
    "ISOWEEK": "week", "ISOYEAR": "weekYear", "MICROSECOND": "microsecond",
    "MILLISECOND": "millisecond", "MINUTE": "minute", "MONTH": "month", "QUARTER": "quarter",
    "SECOND": "second", "YEAR": "year",
}  # fmt: skip
_UNITS = {
    "YEAR": "P{}Y", "QUARTER": "P{3}M", "MONTH": "P{}M", "WEEK": "P{7}D", "DAY": "P{}D",
    "HOUR": "PT{}H", "MINUTE": "PT{}M", "SECOND": "PT{}S",
}  # fmt: skip


def call(token: Token, args: Args, span: Span | None) -> ir.Expr:
    """A function applied to its arguments.

    Raises:
        QueryTextError: there is no such function, or it takes other arguments.
        Refused: Graph-IR has no form of it.
    """
    name = token.text.upper()
    if name in _AGGREGATES:
        _check(token, args, 1, 1)
        return aggregate(token, args[0], False, "", span)
    if name in _PLAIN:
        fewest = 0 if name == "CURRENT_TIMESTAMP" else 1
        _check(token, args, fewest, fewest)
        return ir.Call(_PLAIN[name], args, span=span)
    if name in _SEVERAL:
        known, least, most_of = _SEVERAL[name]
        _check(token, args, least, most_of)
        return ir.Call(known, args, span=span)
    if name not in _SPECIAL:
        raise failed(token, f"Spanner's GQL has no function {token.text}().", "unknown-function")
    least, most_of, make = _SPECIAL[name]
    _check(token, args, least, most_of)
    return make(args, span)


def _check(token: Token, args: Args, least: int, most: int | None) -> None:
    if len(args) < least or (most is not None and len(args) > most):
        takes = (
            f"{least}" if most == least else f"{least} to {most}" if most else f"{least} or more"
        )
        raise failed(token, f"{token.text}() takes {takes} arguments.", "wrong-arity")


def aggregate(token: Token, arg: ir.Expr, distinct: bool, nulls: str, span: Span | None) -> ir.Expr:
    """An aggregate function; null over nothing where Cypher's is not.

    `nulls` is IGNORE or RESPECT where the text says it.
    """
    name = token.text.upper()
    known = _AGGREGATES.get(name)
    if known is None or (nulls and known != "collect"):
        raise failed(token, f"{token.text}() is no such aggregate.", "distinct-argument")
    if name == "COUNTIF":
        arg = ir.Case((ir.When(arg, ir.Literal(1)),), span=span)
    if known == "count" and isinstance(arg, ir.Call) and arg.name == "elementId":
        arg = arg.args[0]
    made = ir.Agg(known, (arg,), distinct, span=span)
    nothing: ir.Expr
    match known:
        case "sum":
            nothing = _is(ir.Agg("count", (arg,), distinct, span=span), ir.Literal(0))
        case "stDev":
            few = ir.Agg("count", (arg,), distinct, span=span)
            nothing = ir.Compare(ir.CompareOp.LT, few, ir.Literal(2), span=span)
        case "collect":
            if nulls != "IGNORE":
                # "Aggregate functions": ARRAY_AGG keeps nulls, collect() drops them.
                made = ir.Agg(known, (open_call("kept", arg, span=span),), distinct, span=span)
            nothing = _is(made, ir.ListOf(()))
        case _:
            return made
    return ir.Case((ir.When(nothing, ir.Literal(None)),), made, span=span)


def _is(left: ir.Expr, right: ir.Expr) -> ir.Compare:
    return ir.Compare(ir.CompareOp.EQ, left, right, span=left.span)


def whole(node: ir.Expr) -> int | None:
    """The integer that is written out; None where none is."""
    if isinstance(node, ir.Literal) and type(node.value) is int:
        return node.value
    if isinstance(node, ir.Neg):
        value = whole(node.arg)
        return None if value is None else -value
    return None


def _substring(args: Args, span: Span | None) -> ir.Expr:
    """SUBSTR counts from 1; from the end where it is negative."""
    start = whole(args[1])
    if start is None or start == 0 or (start < 0 and len(args) == 3):
        raise Refused("substring", "SUBSTR()", "The start is no number from 1 on.", span)
    if start < 0:
        return ir.Call("right", (args[0], ir.Literal(-start)), span=span)
    if start == 1 and len(args) == 3:
        return ir.Call("left", (args[0], args[2]), span=span)
    return ir.Call("substring", (args[0], ir.Literal(start - 1), *args[2:]), span=span)


def _replaced(args: Args, span: Span | None) -> ir.Expr:
    """REPLACE of an empty text replaces nothing; replace() finds it between all characters."""
    text, wanted, by = args
    empty = ir.Literal("")
    plain = ir.Call("replace", args, span=span)
    if isinstance(wanted, ir.Literal) and wanted != empty:
        return plain
    tests: list[ir.Expr] = []
    if wanted != empty:
        tests.append(_is(wanted, empty))
    if not isinstance(by, ir.Literal) or by.value is None:
        tests.append(ir.IsNull(by, negated=True))  # else it is null
    if not tests:
        return text
    test = tests[0] if len(tests) == 1 else ir.Bool(ir.BoolOp.AND, tuple(tests))
    return ir.Case((ir.When(test, text),), None if wanted == empty else plain, span=span)


def _logarithm(args: Args, span: Span | None) -> ir.Expr:
    if len(args) == 2:
        raise Refused("gql-function", "LOG()", "Logarithms of a base are not translated.", span)
    return ir.Call("log", args, span=span)


def _rounded(args: Args, span: Span | None) -> ir.Expr:
    if len(args) > 1:
        raise Refused("round", "ROUND()", "Rounding to decimal places is not translated.", span)
    return open_call("rounded", *args, span=span)


def _split(args: Args, span: Span | None) -> ir.Expr:
    if len(args) == 2 and not (isinstance(args[1], ir.Literal) and args[1].value):
        # Cypher would cut characters beyond U+FFFF in two.
        raise Refused("empty-separator", "SPLIT()", "It may split at an empty text.", span)
    return ir.Call("split", args if len(args) == 2 else (*args, ir.Literal(",")), span=span)


def _trimmed(plain: str, named: str) -> Make:
    """TRIM, LTRIM, RTRIM: of white space as Unicode has it, or of the characters that are named."""

    def make(args: Args, span: Span | None) -> ir.Expr:
        if len(args) == 2 and white_space.is_set(args[1], white_space.JAVA):
            return ir.Call(plain, args[:1], span=span)
        if len(args) == 1:
            args = (*args, ir.Literal(white_space.UNICODE))
        trimmed = ir.Call(named, args, span=span)
        if named != "rtrim":
            return trimmed
        # Neo4j 2026.08 leaves the first character of a text that has no other ones.
        empty = ir.Literal("")
        nothing = ir.When(_is(ir.Call("btrim", args), empty), empty)
        return ir.Case((nothing,), trimmed, span=span)

    return make


def _slice(args: Args, span: Span | None) -> ir.Expr:
    low, high = whole(args[1]), whole(args[2])
    if low is None or high is None:
        raise Refused("slice-bound", "ARRAY_SLICE()", "A bound is no number.", span)
    end = None if high == -1 else ir.Literal(high + 1)
    return ir.Slice(args[0], ir.Literal(low) if low else None, end, span=span)


def _joined(args: Args, span: Span | None) -> ir.Expr:
    """CONCAT is null where a part is, as `+` is."""
    joined = args[0]
    for part in args[1:]:
        joined = ir.Arith(ir.ArithOp.ADD, joined, part, span=span)
    return joined


def _choice(args: Args, span: Span | None) -> ir.Expr:
    return ir.Case((ir.When(args[0], args[1]),), args[2], span=span)


def _normal_form(args: Args, span: Span | None) -> ir.Expr:
    if len(args) == 2:
        raise Refused("normalize", "NORMALIZE", "Normal forms are not translated.", span)
    return ir.Call("normalize", args, span=span)


def _text_test(op: ir.TextOp) -> Make:
    return lambda args, span: ir.Text(op, args[0], args[1], span=span)


def _arith(op: ir.ArithOp) -> Make:
    return lambda args, span: ir.Arith(op, args[0], args[1], span=span)


def _ieee_divided(args: Args, span: Span | None) -> ir.Expr:
    """IEEE_DIVIDE, which is infinite or NaN by zero, as floats are in Cypher."""
    left, right = (
        ir.Literal(float(x.value), span=x.span)
        if isinstance(x, ir.Literal) and isinstance(x.value, int)
        else ir.Call("toFloat", (x,), span=x.span)
        for x in args
    )
    return ir.Arith(ir.ArithOp.DIV, left, right, span=span)


def _opened(name: str) -> Make:
    return lambda args, span: open_call(name, *args, span=span)


def _today(args: Args, span: Span | None) -> ir.Expr:
    if args != (ir.Literal("UTC"),):
        raise Refused(
            "time-zone", "CURRENT_DATE()", "Days are those of UTC: CURRENT_DATE('UTC').", span
        )
    return ir.Call("date", (), span=span)


def _date(args: Args, span: Span | None) -> ir.Expr:
    if len(args) == 3:
        keys = ("year", "month", "day")
        entries = tuple(ir.Entry(key, arg) for key, arg in zip(keys, args, strict=True))
        return ir.Call("date", (ir.MapOf(entries),), span=span)
    zone = args[1].value if len(args) == 2 and isinstance(args[1], ir.Literal) else None
    if not isinstance(zone, str):
        raise Refused("time-zone", "DATE()", "The day of a moment names its zone: 'UTC'.", span)
    return open_call(f"day:{zone}", _literal(args[0], instants.moment), span=span)


def _literal(arg: ir.Expr, read: Callable[[str, Span | None], ir.Expr]) -> ir.Expr:
    """An argument, which is a date or a moment where it is a text literal."""
    match arg:
        case ir.Literal(str(text)):
            return read(text, arg.span)
    return arg


def _epoch(part: str) -> Make:
    def make(args: Args, span: Span | None) -> ir.Expr:
        return open_call(f"part:{part}", _literal(args[0], instants.moment), span=span)

    return make


def _moved(sign: int, read: Callable[[str, Span | None], ir.Expr]) -> Make:
    def make(args: Args, span: Span | None) -> ir.Expr:
        match args[1]:
            case ir.Call(name="spanner.interval", args=(ir.Literal(str(unit)), count)):
                amount = whole(count)
            case _:
                amount = None
        if amount is None:
            raise Refused(
                "duration", "INTERVAL", "What is added is no number of days or another unit.", span
            )
        form, times = _UNITS[unit], 1
        for factor in (3, 7):
            if f"{{{factor}}}" in form:
                form, times = form.replace(f"{{{factor}}}", "{}"), factor
        span_of = ir.Call("duration", (ir.Literal(form.format(abs(amount) * times)),), span=span)
        back = (sign < 0) is not (amount < 0)
        op = ir.ArithOp.SUB if back else ir.ArithOp.ADD
        return ir.Arith(op, _literal(args[0], read), span_of, span=span)

    return make


def _days_between(args: Args, span: Span | None) -> ir.Expr:
    if args[2] != ir.Var("DAY"):
        raise Refused(
            "duration", "DATE_DIFF()", "Months and years between days count otherwise.", span
        )
    between = ir.Call("duration.inDays", (args[1], args[0]), span=span)
    return ir.Prop(between, "days", span=span)


_SPECIAL: dict[str, tuple[int, int | None, Make]] = {
    "ARRAY_CONCAT": (1, None, _joined),
    "ARRAY_SLICE": (3, 3, _slice),
    "CONCAT": (1, None, _joined),
    "CURRENT_DATE": (0, 1, _today),
    "DATE": (1, 3, _date),
    "DATE_ADD": (2, 2, _moved(1, instants.day)),
    "DATE_DIFF": (3, 3, _days_between),
    "DATE_SUB": (2, 2, _moved(-1, instants.day)),
    "DIV": (2, 2, _opened("div")),
    "GREATEST": (1, None, _opened("extreme:>")),
    "LEAST": (1, None, _opened("extreme:<")),
    "LOG": (1, 2, _logarithm),
    "OFFSET": (1, 1, _opened("sure_offset")),
    "ORDINAL": (1, 1, _opened("sure_ordinal")),
    "ROUND": (1, 3, _rounded),
    "ENDS_WITH": (2, 2, _text_test(ir.TextOp.ENDS)),
    "IEEE_DIVIDE": (2, 2, _ieee_divided),
    "IF": (3, 3, _choice),
    "LTRIM": (1, 2, _trimmed("ltrim", "ltrim")),
    "MOD": (2, 2, _arith(ir.ArithOp.MOD)),
    "NORMALIZE": (1, 2, _normal_form),
    "POW": (2, 2, _arith(ir.ArithOp.POW)),
    "POWER": (2, 2, _arith(ir.ArithOp.POW)),
    "REPLACE": (3, 3, _replaced),
    "RTRIM": (1, 2, _trimmed("rtrim", "rtrim")),
    "SAFE_OFFSET": (1, 1, _opened("offset")),
    "SAFE_ORDINAL": (1, 1, _opened("ordinal")),
    "SIGN": (1, 1, _opened("sign")),
    "SPLIT": (1, 2, _split),
    "STARTS_WITH": (2, 2, _text_test(ir.TextOp.STARTS)),
    "STRPOS": (2, 2, _opened("position")),
    "SUBSTR": (2, 3, _substring),
    "SUBSTRING": (2, 3, _substring),
    "TIMESTAMP_ADD": (2, 2, _moved(1, instants.moment)),
    "TIMESTAMP_SUB": (2, 2, _moved(-1, instants.moment)),
    "TRIM": (1, 2, _trimmed("trim", "btrim")),
    "TRUNC": (1, 1, _opened("trunc")),
    "UNIX_MILLIS": (1, 1, _epoch("epochMillis")),
    "UNIX_SECONDS": (1, 1, _epoch("epochSeconds")),
    "UNNEST": (1, 1, _opened("unnest")),
}


_CASTS = {
    "BOOL": "toBoolean",
    "DATE": "date",
    "FLOAT64": "toFloat",
    "INT64": "toInteger",
    "STRING": "toString",
}


# The values of FLOAT64 that no literal has, as quotients.
_NO_NUMBERS = {
    **dict.fromkeys(("inf", "infinity"), (1.0, 0.0)),
    **dict.fromkeys(("-inf", "-infinity"), (-1.0, 0.0)),
    "nan": (0.0, 0.0),
}


def cast(value: ir.Expr, type: str, span: Span | None, *, safe: bool = False) -> ir.Expr:
    """`CAST(value AS type)`; `safe` is SAFE_CAST, null where CAST is an error.

    Raises:
        Refused: there is no conversion to the type.
    """
    match value:
        case ir.Literal(str(text)) if type in ("DATE", "TIMESTAMP"):
            return (instants.day if type == "DATE" else instants.moment)(text, span)
    if type not in _CASTS:
        raise Refused("cast", f"CAST AS {type}", f"A conversion to {type} is not translated.", span)
    if value == ir.Literal(None):
        return value
    if type == "FLOAT64" and isinstance(value, ir.Literal) and isinstance(value.value, str):
        parts = _NO_NUMBERS.get(value.value.lower().removeprefix("+"))
        if parts is not None:
            return ir.Arith(ir.ArithOp.DIV, *map(ir.Literal, parts), span=span)
    if (
        not safe
        and type == "INT64"
        and isinstance(value, ir.Call)
        and value.name == "spanner.trunc"
    ):
        return open_call("truncated", *value.args, span=span)
    return open_call(f"cast:{_CASTS[type]}", value, span=span)
