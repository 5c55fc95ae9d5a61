"""Functions, literals and types of GQL as expressions of Graph-IR.

Sources: ISO/IEC 39075:2024 clauses 20.7 to 20.29. Each entry is the inverse of what
`translators.gql.emit.functions` writes, or an exact rewriting.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from graph_ir import nodes as ir
from graph_ir.cypher.scanning import Token, failed
from graph_ir.functions import AGGREGATES, canonical, signatures
from graphmill.errors import QueryTextError, Refused, Span
from translators.gql.emit import temporal
from translators.gql.reader.flavours import Flavour

_PLAIN = {
    "ABS": "abs", "ACOS": "acos", "ASIN": "asin", "ATAN": "atan", "BTRIM": "btrim",
    "CARDINALITY": "size", "CEIL": "ceil", "CEILING": "ceil", "CHARACTER_LENGTH": "size",
    "CHAR_LENGTH": "size", "COALESCE": "coalesce", "COS": "cos", "COSH": "cosh", "COT": "cot",
    "DEGREES": "degrees", "ELEMENT_ID": "elementId", "EXP": "exp", "FLOOR": "floor",
    "LEFT": "left", "LN": "log", "LOG10": "log10", "LOWER": "toLower", "LTRIM": "ltrim",
    "NORMALIZE": "normalize", "NULLIF": "nullIf", "PATH_LENGTH": "length", "RADIANS": "radians",
    "RIGHT": "right", "RTRIM": "rtrim", "SIN": "sin", "SINH": "sinh", "SIZE": "size",
    "SQRT": "sqrt", "TAN": "tan", "TANH": "tanh", "TRIM": "trim", "UPPER": "toUpper",
}  # fmt: skip
_ARITIES = {
    "BTRIM": (1, 2), "LTRIM": (1, 2), "RTRIM": (1, 2), "COALESCE": (1, None), "NULLIF": (2, 2),
    "LEFT": (2, 2), "RIGHT": (2, 2), "NORMALIZE": (1, 2),
}  # fmt: skip
_AGGREGATES = {
    "AVG": "avg",
    "COLLECT_LIST": "collect",
    "COUNT": "count",
    "MAX": "max",
    "MIN": "min",
    "PERCENTILE_CONT": "percentileCont",
    "PERCENTILE_DISC": "percentileDisc",
    "STDDEV_POP": "stDevP",
    "STDDEV_SAMP": "stDev",
    "SUM": "sum",
}
_NOW = {
    "CURRENT_DATE": "date",
    "CURRENT_TIME": "time",
    "CURRENT_TIMESTAMP": "datetime",
    "LOCAL_TIME": "localtime",
    "LOCAL_TIMESTAMP": "localdatetime",
}
_INSTANTS = {
    "DATE": "date",
    "LOCAL_DATETIME": "localdatetime",
    "LOCAL_TIME": "localtime",
    "LOCAL_TIMESTAMP": "localdatetime",
    "ZONED_DATETIME": "datetime",
    "ZONED_TIME": "time",
}
_UNSAID = {
    "DURATION_BETWEEN": "Durations between two points are counted otherwise in Cypher.",
    "LOG": "A logarithm of another base is rounded otherwise in Cypher.",
    "ELEMENTS": "The nodes and edges of a path in one list have no form in Cypher.",
    "BYTE_LENGTH": "Bytes are not translated.",
    "OCTET_LENGTH": "Bytes are not translated.",
}
# What models write for a function that GQL calls otherwise.
_MEANT = {
    "COLLECT": "Write COLLECT_LIST(x).",
    "LENGTH": "Write CHAR_LENGTH(x) for strings, PATH_LENGTH(p) for paths.",
    "TOLOWER": "Write LOWER(x).",
    "TOUPPER": "Write UPPER(x).",
    "TOINTEGER": "Write CAST(x AS INT).",
    "TOFLOAT": "Write CAST(x AS FLOAT).",
    "TOSTRING": "Write CAST(x AS STRING).",
    "SUBSTRING": "Write LEFT(RIGHT(x, n), m).",
    "ID": "Write ELEMENT_ID(x).",
    "TYPE": "Test e IS LABELED name.",
    "LABELS": "Test n IS LABELED name.",
    "DATETIME": "Write ZONED_DATETIME('…').",
    "ROUND": "ISO GQL has no ROUND.",
    "HEAD": "ISO GQL has no HEAD.",
    "STDEV": "Write STDDEV_SAMP(x).",
}


def call(token: Token, args: tuple[ir.Expr, ...], flavour: Flavour, span: Span | None) -> ir.Expr:
    """A function applied to its arguments.

    Raises:
        QueryTextError: there is no such function, or it takes other arguments.
        Refused: Graph-IR has no form of it.
    """
    name = token.text.upper()
    special = _SPECIAL.get(name)
    if flavour.extended:
        known = canonical(token.text)
        own = known in signatures() or "." in known
        if own and known.lower() != "exists" and name not in _BOTH:
            return _cypher(token, known, args, span)
    if name in _AGGREGATES:
        return aggregate(token, args, False, flavour, span)
    if special is not None:
        least, most, make = special
        _check_count(token, len(args), least, most)
        return make(args, span)
    if name in _INSTANTS:
        return _instant(token, args, span)
    if name in _PLAIN:
        least, most = _ARITIES.get(name, (1, 1))
        _check_count(token, len(args), least, most)
        if name == "NORMALIZE" and len(args) == 2:
            raise Refused("normalize", "NORMALIZE", "Normal forms are not translated.", span)
        return ir.Call(_PLAIN[name], args, span=span)
    if name in _UNSAID:
        raise Refused("gql-function", f"{name}()", _UNSAID[name], span)
    if name == "EXISTS" and flavour.extended and len(args) == 1:
        return ir.IsNull(args[0], True, span=span)
    meant = _MEANT.get(name.replace("_", ""), "")
    raise failed(token, f"GQL has no function {token.text}(). {meant}".rstrip(), "unknown-function")


# Names that GQL and Cypher share for one thing that is read the GQL way.
_BOTH = frozenset(("COALESCE", "LOG10", "SIZE"))


def _cypher(token: Token, name: str, args: tuple[ir.Expr, ...], span: Span | None) -> ir.Expr:
    if name in AGGREGATES:
        if not args:
            raise failed(token, f"{name}() needs an argument.", "wrong-arity")
        return ir.Agg(name, args, span=span)
    return ir.Call(name, args, span=span)


def aggregate(
    token: Token, args: tuple[ir.Expr, ...], distinct: bool, flavour: Flavour, span: Span | None
) -> ir.Expr:
    """An aggregate function; null over nothing where Cypher's is not."""
    name = token.text.upper()
    known = _AGGREGATES.get(name)
    if known is None and flavour.extended and canonical(token.text) in AGGREGATES:
        return ir.Agg(canonical(token.text), args, distinct, span=span)
    if known is None:
        raise failed(token, f"{token.text}() is no aggregate.", "distinct-argument")
    _check_count(token, len(args), *((2, 2) if known.startswith("percentile") else (1, 1)))
    if known == "count" and distinct and flavour.draws:
        args = (_undrawn(args[0]),)
    plain = ir.Agg(known, args, distinct, span=span)
    count = ir.Agg("count", args, distinct, span=span)
    if flavour.extended and token.text.upper() not in ("STDDEV_SAMP", "STDDEV_POP", "COLLECT_LIST"):
        return plain
    if known == "sum":
        empty = ir.Compare(ir.CompareOp.EQ, count, ir.Literal(0), span=span)
        return ir.Case((ir.When(empty, ir.Literal(None)),), plain, span=span)
    if known == "stDev":
        few = ir.Compare(ir.CompareOp.LT, count, ir.Literal(2), span=span)
        return ir.Case((ir.When(few, ir.Literal(None)),), plain, span=span)
    if known == "stDevP":
        empty = ir.Compare(ir.CompareOp.EQ, count, ir.Literal(0), span=span)
        return ir.Case((ir.When(empty, ir.Literal(None)),), plain, span=span)
    return plain


def _undrawn(value: ir.Expr) -> ir.Expr:
    """The value of which NaN is a number drawn for each, so that each counts as in Cypher."""
    match value:
        case ir.Case(
            (ir.When(ir.Compare(ir.CompareOp.NE, left, right), ir.Call("rand")),), ir.Expr() as same
        ) if left == right == same and value.operand is None:
            return same
    return value


def _check_count(token: Token, number: int, least: int, most: int | None) -> None:
    if number < least or (most is not None and number > most):
        takes = (
            str(least)
            if least == most
            else f"{least} or more"
            if most is None
            else (f"{least} to {most}")
        )
        message = f"{token.text}() takes {takes} argument{'s' if takes != '1' else ''}."
        raise failed(token, message, "wrong-arity")


def _modulo(args: tuple[ir.Expr, ...], span: Span | None) -> ir.Expr:
    return ir.Arith(ir.ArithOp.MOD, args[0], args[1], span=span)


def _power(args: tuple[ir.Expr, ...], span: Span | None) -> ir.Expr:
    return ir.Arith(ir.ArithOp.POW, args[0], args[1], span=span)


def _all_different(args: tuple[ir.Expr, ...], span: Span | None) -> ir.Expr:
    pairs = tuple(
        ir.Compare(ir.CompareOp.NE, one, other, span=span)
        for number, one in enumerate(args)
        for other in args[number + 1 :]
    )
    return pairs[0] if len(pairs) == 1 else ir.Bool(ir.BoolOp.AND, pairs, span=span)


def _same(args: tuple[ir.Expr, ...], span: Span | None) -> ir.Expr:
    pairs = tuple(ir.Compare(ir.CompareOp.EQ, args[0], other, span=span) for other in args[1:])
    return pairs[0] if len(pairs) == 1 else ir.Bool(ir.BoolOp.AND, pairs, span=span)


def _property_exists(args: tuple[ir.Expr, ...], span: Span | None) -> ir.Expr:
    element, key = args
    if not isinstance(element, ir.Var) or not isinstance(key, ir.Var):
        place = span or Span(1, 1)
        raise QueryTextError(
            "PROPERTY_EXISTS takes a variable and the name of a property.",
            code="wrong-argument",
            line=place.line,
            column=place.column,
        )
    return ir.IsNull(ir.Prop(element, key.name, span=span), True, span=span)


def _duration_call(args: tuple[ir.Expr, ...], span: Span | None) -> ir.Expr:
    if isinstance(args[0], ir.Literal) and isinstance(args[0].value, str):
        return duration(args[0].value, span)
    return ir.Call("duration", args, span=span)


type _Make = Callable[[tuple[ir.Expr, ...], Span | None], ir.Expr]
_SPECIAL: dict[str, tuple[int, int | None, _Make]] = {
    "MOD": (2, 2, _modulo),
    "POWER": (2, 2, _power),
    "ALL_DIFFERENT": (2, None, _all_different),
    "SAME": (2, None, _same),
    "PROPERTY_EXISTS": (2, 2, _property_exists),
    "DURATION": (1, 1, _duration_call),
}


def _instant(token: Token, args: tuple[ir.Expr, ...], span: Span | None) -> ir.Expr:
    name = _INSTANTS[token.text.upper()]
    _check_count(token, len(args), 0, 1)
    if args and isinstance(args[0], ir.Literal) and isinstance(args[0].value, str):
        return instant(name, args[0].value, span)
    return ir.Call(name, args, span=span)


_DATE_TIME = re.compile(r"(\S+?)[ T](\S+)")


def instant(name: str, text: str, span: Span | None) -> ir.Expr:
    """A constant point in time.

    Raises:
        QueryTextError: the text is none.
    """
    try:
        plain = text.strip().replace(" ", "T", 1) if "datetime" in name else text
        return ir.Call(name, (ir.Literal(temporal.constant(name, plain)),), span=span)
    except Refused as problem:
        raise _wrong(problem.reason, span) from problem


def duration(text: str, span: Span | None) -> ir.Expr:
    """A constant duration.

    Raises:
        QueryTextError: the text is none.
    """
    try:
        parts = temporal.duration_parts(text)
        plain = temporal.duration_of(parts)
    except Refused as problem:
        if problem.code == "mixed-duration":
            raise
        raise _wrong(problem.reason, span) from problem
    return ir.Call("duration", (ir.Literal(plain),), span=span)


def literal(kind: str, text: str, span: Span | None) -> ir.Expr:
    """`DATE '2024-01-01'` and its relatives (clause 21.2)."""
    if kind == "DURATION":
        return duration(text, span)
    if kind == "DATE":
        return instant("date", text, span)
    zoned = bool(re.search(r"(?:Z|[+-]\d\d(?::?\d\d)?)$", text.partition("T")[2] or text[10:]))
    if kind == "TIME":
        zoned = bool(re.search(r"(?:Z|[+-]\d\d(?::?\d\d)?)$", text))
        return instant("time" if zoned else "localtime", text, span)
    return instant("datetime" if zoned else "localdatetime", text, span)


def _wrong(message: str, span: Span | None) -> QueryTextError:
    place = span or Span(1, 1)
    return QueryTextError(message, code="temporal-text", line=place.line, column=place.column)


def constant(word: str, span: Span | None) -> ir.Expr:
    """A word that stands for a value."""
    if word in _NOW:
        return ir.Call(_NOW[word], (), span=span)
    raise Refused("gql-constant", word, f"{word} has no form outside GQL.", span)


_CASTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"STRING(?: NOT NULL)?|VARCHAR(?: NOT NULL)?"), "toString"),
    (
        re.compile(r"(?:SIGNED )?INT(?:EGER)?(?:64)?(?: NOT NULL)?|(?:SIGNED )?BIG ?INT"),
        "toInteger",
    ),
    (re.compile(r"FLOAT(?:64)?(?: NOT NULL)?|DOUBLE(?: PRECISION)?"), "toFloat"),
    (re.compile(r"BOOL(?:EAN)?(?: NOT NULL)?"), "toBoolean"),
    (re.compile(r"DATE(?: NOT NULL)?"), "date"),
    (re.compile(r"ZONED DATETIME|TIMESTAMP WITH TIME ZONE"), "datetime"),
    (re.compile(r"LOCAL DATETIME|TIMESTAMP(?: WITHOUT TIME ZONE)?"), "localdatetime"),
    (re.compile(r"ZONED TIME|TIME WITH TIME ZONE"), "time"),
    (re.compile(r"LOCAL TIME|TIME(?: WITHOUT TIME ZONE)?"), "localtime"),
    (re.compile(r"DATETIME"), "localdatetime"),
    (re.compile(r"DURATION(?: \( (?:YEAR TO MONTH|DAY TO SECOND) \))?"), "duration"),
)


def cast(value: ir.Expr, type: str, span: Span | None) -> ir.Expr:
    """`CAST(value AS type)`.

    Raises:
        Refused: there is no conversion to the type.
    """
    for pattern, name in _CASTS:
        if pattern.fullmatch(type):
            return ir.Call(name, (value,), span=span)
    raise Refused("cast", f"CAST AS {type}", f"A conversion to {type} is not translated.", span)
