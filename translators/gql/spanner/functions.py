"""Scalar functions and temporal values in Spanner's GQL.

A TIMESTAMP is an instant: the offset with which a moment was stored is gone, so that only what
every offset gives alike, or a moment whose offset the query says, has parts (year, hour, the date).

Pages are those of the GoogleSQL reference for Spanner: "String functions", "Date functions",
"Timestamp functions", "Mathematical functions".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import TEMPORAL, Kind
from translators.gql.emit import temporal
from translators.gql.emit.dialect import Gql
from translators.gql.emit.operators import CALL, OPERATORS, PLUS, PRIMARY
from translators.gql.emit.text import string
from translators.gql.emit.values import kind_of
from translators.gql.spanner import values, white_space
from translators.gql.spanner.floats import in_integers
from translators.gql.spanner.types import known, offset_of
from translators.printing import Code, wrap

if TYPE_CHECKING:
    from translators.gql.spanner.dialect import Spanner


# Spanner has no COT, DEGREES, RADIANS, LEFT and RIGHT; TRIM takes the set of characters, too.
_SAME = {
    **{name: name.upper() for name in ("abs", "acos", "asin", "atan", "atan2", "ceil", "cos")},
    **{name: name.upper() for name in ("cosh", "exp", "floor", "log10", "ltrim", "normalize")},
    **{name: name.upper() for name in ("rtrim", "sin", "sinh", "sqrt", "tan", "tanh", "trim")},
    "btrim": "TRIM",
    "log": "LN",
    "isNaN": "IS_NAN",
    "toLower": "LOWER",
    "toUpper": "UPPER",
}
_NAN, _LEAST, _MOST = (f"CAST('{word}' AS FLOAT64)" for word in ("nan", "-inf", "inf"))
# "Mathematical functions": an error outside of the domain and of FLOAT64, where Cypher has NaN or
# an infinite value. (test, value) in the order of asking; the bounds are the largest floats whose
# value is finite.
_DOMAINS: dict[str, tuple[tuple[str, str], ...]] = {
    "acos": (("{0} < -1 OR {0} > 1", _NAN),),
    "asin": (("{0} < -1 OR {0} > 1", _NAN),),
    "cosh": (("ABS({0}) > 710.4758600739439", _MOST),),
    "exp": (("{0} > 709.782712893384", _MOST),),
    "log": (("{0} < 0", _NAN), ("{0} = 0", _LEAST)),
    "log10": (("{0} < 0", _NAN), ("{0} = 0", _LEAST)),
    "sinh": (("{0} > 710.4758600739439", _MOST), ("{0} < -710.4758600739439", _LEAST)),
    "sqrt": (("{0} < 0", _NAN),),
}
_OF_TEXT = frozenset({"btrim", "ltrim", "rtrim", "trim", "toLower", "toUpper", "normalize"})
_JAVA = "'" + "".join(f"\\u{ord(each):04x}" for each in white_space.JAVA) + "'"
_TRIMS = frozenset({"btrim", "ltrim", "rtrim", "trim"})
_MOMENTS = frozenset({Kind.DATETIME, Kind.ZONED_DATETIME})
# EXTRACT's part, of a date or a moment, and of a moment only. ISO weeks are Cypher's weeks.
_DAYS = {
    "year": "YEAR",
    "month": "MONTH",
    "day": "DAY",
    "quarter": "QUARTER",
    "week": "ISOWEEK",
    "weekYear": "ISOYEAR",
    "ordinalDay": "DAYOFYEAR",
}
_CLOCK = {
    "hour": "HOUR",
    "minute": "MINUTE",
    "second": "SECOND",
    "millisecond": "MILLISECOND",
    "microsecond": "MICROSECOND",
}
_WEEKDAYS = ("dayOfWeek", "weekDay")
_IN_EVERY_ZONE = ("millisecond", "microsecond")
# The parts of a duration in the order in which Cypher adds them.
_SHORT = ("HOUR", "MINUTE", "SECOND")
_UNITS = {
    **{"years": "YEAR", "months": "MONTH", "weeks": "WEEK", "days": "DAY"},
    **{f"{unit.lower()}s": unit for unit in _SHORT},
}
_EPOCH = {"epochSeconds": "UNIX_SECONDS", "epochMillis": "UNIX_MILLIS"}


def call(gql: Spanner, node: ir.Call) -> str:
    if node.name != "coalesce":
        for arg in node.args:
            known(arg, f"{node.name}()")
    if node.name in gql.CALLS:
        return Gql.emit_Call(gql, node)
    if node.name not in _SAME:
        raise Refused(
            "function",
            f"{node.name}()",
            f"Spanner has no function like {node.name}().",
            node.span,
        )
    if node.name == "normalize" and len(node.args) > 1:
        raise Refused("normalize", "normalize()", "The form is no value in Spanner.", node.span)
    wanted = {Kind.STRING} if node.name in _OF_TEXT else {Kind.INTEGER, Kind.FLOAT}
    kind = kind_of(node.args[0])
    if kind not in {*wanted, Kind.ANY}:
        raise Refused("type", f"{node.name}()", f"{node.name}() of a {kind}.", node.span)
    texts = _trimmed(gql, node) if node.name in _TRIMS else map(gql.emit, node.args)
    arguments = ", ".join(texts)
    text = Code(f"{_SAME[node.name]}({arguments})", CALL)
    if node.name not in _DOMAINS or _inside_domain(node):
        return text
    given = _number(node.args[0])
    if given is not None and node.name in ("acos", "asin", "log", "log10", "sqrt"):
        return _LEAST if given == 0 else _NAN
    value = gql.operand(node.args[0], PLUS)
    cases = (f"WHEN {test.format(value)} THEN {far}" for test, far in _DOMAINS[node.name])
    return f"CASE {' '.join(cases)} ELSE {text} END"


def _trimmed(gql: Spanner, node: ir.Call) -> list[str]:
    """The arguments of TRIM: without characters it takes what is white space to Unicode."""
    text = gql.emit(node.args[0])
    if len(node.args) == 1:
        return [text, _JAVA]
    if white_space.is_set(node.args[1], white_space.UNICODE):
        return [text]
    return [text, gql.emit(node.args[1])]


def substring(gql: Spanner, node: ir.Call) -> str:
    # SUBSTR counts from 1; a negative position would count from the end.
    start, *count = node.args[1:]
    first = start.value if isinstance(start, ir.Literal) else None
    if not isinstance(first, int) or first < 0:
        raise Refused("substring", "substring()", "The start is no number from 0 on.", node.span)
    parts = [gql.emit(node.args[0]), str(first + 1), *map(gql.emit, count)]
    return Code(f"SUBSTR({', '.join(parts)})", CALL)


def left_text(gql: Spanner, node: ir.Call) -> str:
    return Code(f"SUBSTR({gql.emit(node.args[0])}, 1, {gql.emit(node.args[1])})", CALL)


def right_text(gql: Spanner, node: ir.Call) -> str:
    count = node.args[1]
    if not (isinstance(count, ir.Literal) and isinstance(count.value, int) and count.value > 0):
        # SUBSTR(s, -0) is the whole text.
        raise Refused("substring", "right()", "The length is no positive number.", node.span)
    return Code(f"SUBSTR({gql.emit(node.args[0])}, -{count.value})", CALL)


def split_text(gql: Spanner, node: ir.Call) -> str:
    return Code(f"SPLIT({_with_text(gql, node, 'empty-separator')})", CALL)


def replaced(gql: Spanner, node: ir.Call) -> str:
    if len(node.args) > 3:
        raise Refused("replace", "replace()", "Spanner's REPLACE has no limit.", node.span)
    return Code(f"REPLACE({_with_text(gql, node, 'replace')})", CALL)


def _with_text(gql: Spanner, node: ir.Call, code: str) -> str:
    """The arguments, the second of which is a text that is not empty."""
    wanted = node.args[1]
    if not (isinstance(wanted, ir.Literal) and isinstance(wanted.value, str) and wanted.value):
        # GoogleSQL and Cypher differ on empty texts.
        reason = "What is looked for is empty or computed."
        raise Refused(code, f"{node.name}()", reason, node.span)
    return ", ".join(gql.emit(arg) for arg in node.args)


def reversed_text(gql: Spanner, node: ir.Call) -> str:
    match kind_of(node.args[0]):
        case Kind.STRING:
            return Code(f"REVERSE({gql.emit(node.args[0])})", CALL)
        case Kind.LIST:
            return Code(f"ARRAY_REVERSE({gql.emit(node.args[0])})", CALL)
        case kind:
            raise Refused("type", "reverse()", f"reverse() of a {kind}.", node.span)


def day_text(gql: Spanner, moment: str, size: str) -> str:
    day = f"CAST(EXTRACT(DATE FROM {moment} AT TIME ZONE 'UTC') AS STRING)"
    return Code(f"SUBSTR({day}, 1, {size})", CALL)


def to_string(gql: Spanner, node: ir.Call) -> str:
    if kind_of(node.args[0]) in _MOMENTS:
        raise Refused("text-of-value", "toString()", "Timestamps print in another form.", node.span)
    return Gql.to_string(gql, node)


def to_integer(gql: Spanner, node: ir.Call) -> str:
    match kind_of(node.args[0]):
        case Kind.FLOAT:
            in_integers(node)
            # CAST rounds half away from zero, toInteger() truncates.
            return Code(f"CAST(TRUNC({gql.emit(node.args[0])}) AS INT64)", CALL)
        case Kind.INTEGER | Kind.BOOLEAN:
            return Gql.to_integer(gql, node)
        case _:
            raise _no_number(gql, node)


def to_float(gql: Spanner, node: ir.Call) -> str:
    if kind_of(node.args[0]) not in (Kind.INTEGER, Kind.FLOAT):
        raise _no_number(gql, node)
    return Gql.to_float(gql, node)


def _no_number(gql: Spanner, node: ir.Call) -> Refused:
    return Refused(
        "text-to-number",
        f"{node.name}()",
        "GoogleSQL reads numbers from text by other rules (0x1F, inf).",
        node.span,
    )


def path_part(gql: Spanner, node: ir.Call) -> str:
    # "SQL functions for graphs": NODES and EDGES keep the order of the path.
    return Code(f"{'NODES' if node.name == 'nodes' else 'EDGES'}({gql.variable_of(node)})", CALL)


def labels_of(gql: Spanner, node: ir.Call) -> str:
    # "SQL functions for graphs": LABELS keeps the case, in an order of its own.
    schema = gql.names.schema
    of = [t for t in schema.nodes if not node.args[0].type.of or t.name in node.args[0].type.of]
    names = [label for each in of for label in each.labels]
    if any(gql.names.label(name, edge=False) != name for name in names):
        raise Refused(
            "labels-function", "labels()", "A label has another name in Spanner.", node.span
        )
    return Code(f"LABELS({gql.variable_of(node)})", CALL)


def now(gql: Spanner, name: str) -> str:
    # The default time zone of Spanner is America/Los_Angeles; Cypher's is UTC.
    return Code("CURRENT_DATE('UTC')" if name == "date" else "CURRENT_TIMESTAMP()", CALL)


def instant_of(gql: Spanner, node: ir.Call) -> str:
    arg = node.args[0] if node.args else None
    if node.name not in ("date", "datetime", "localdatetime"):
        raise Refused("temporal", f"{node.name}()", "Spanner has no times of day.", node.span)
    if arg is None or isinstance(arg, ir.MapOf):
        return Gql.instant_of(gql, node)
    if isinstance(arg, ir.Literal) and isinstance(arg.value, str):
        return Gql.instant_of(gql, node)
    kind = kind_of(arg)
    if node.name == "date" and kind in _MOMENTS:
        return Code(f"DATE({gql.emit(arg)}, {string(_zone(gql, arg, 'date()'))})", CALL)
    if {"date": Kind.DATE, "datetime": Kind.ZONED_DATETIME}.get(
        node.name, Kind.DATETIME
    ) is not kind:
        # A text that is no date is an error in both, but other texts are dates.
        code = "temporal-text" if kind is Kind.STRING else "temporal"
        raise Refused(code, f"{node.name}()", f"{node.name}() of a {kind}.", node.span)
    return gql.emit(arg)


def instant(gql: Spanner, name: str, text: str) -> str:
    if name == "date":
        return f"DATE {string(text)}"
    return f"TIMESTAMP {string(text if name == 'datetime' else text + 'Z')}"


def from_map(gql: Spanner, node: ir.Call, parts: ir.MapOf) -> str:
    given = {entry.key: entry.value for entry in parts.entries}
    constants = all(isinstance(value, ir.Literal) for value in given.values())
    if constants or node.name != "date" or "year" not in given:
        return Gql.from_map(gql, node, parts)
    if set(given) - {"year", "month", "day"}:
        raise Refused("temporal-map", "date({…})", "A date of other parts.", node.span)
    keys = ("year", "month", "day")
    values = (gql.emit(given[key]) if key in given else "1" for key in keys)
    return Code(f"DATE({', '.join(values)})", CALL)


def duration_of(gql: Spanner, node: ir.Call) -> str:
    raise Refused("duration", "duration()", "A duration is no value in Spanner.", node.span)


def year_test(gql: Spanner, node: ir.Compare) -> str | None:
    return None  # EXTRACT says it


def component(gql: Spanner, node: ir.Prop) -> str:
    kind, base = kind_of(node.base), gql.emit(node.base)
    if kind is Kind.DATE:
        source = base
    elif kind in _MOMENTS:
        if node.key in _EPOCH:
            return Code(f"{_EPOCH[node.key]}({base})", CALL)
        zone = ""
        if node.key in _IN_EVERY_ZONE:
            zone = "'UTC'"
        elif node.key in {*_CLOCK, *_DAYS, *_WEEKDAYS}:
            zone = string(_zone(gql, node.base, f".{node.key}"))
        if node.key in _CLOCK:
            return Code(f"EXTRACT({_CLOCK[node.key]} FROM {base} AT TIME ZONE {zone})", CALL)
        source = f"{base} AT TIME ZONE {zone}"
    else:
        source = ""
    if source and node.key in _DAYS:
        return Code(f"EXTRACT({_DAYS[node.key]} FROM {source})", CALL)
    if source and node.key in _WEEKDAYS:
        # 1 is Sunday for EXTRACT, Monday for Cypher.
        return OPERATORS[ir.ArithOp.ADD](f"MOD(EXTRACT(DAYOFWEEK FROM {source}) + 5, 7)", "1")
    raise Refused(
        "temporal-component",
        f".{node.key}",
        f"Spanner has no function for the {node.key} of a {kind}.",
        node.span,
    )


def _zone(gql: Spanner, node: ir.Expr, what: str) -> str:
    """The time zone in which Cypher reads the parts of a moment.

    Raises:
        Refused: it is that of a stored value, or of a computed one.
    """
    if kind_of(node) is Kind.DATETIME:
        return "UTC"
    zone = offset_of(node)
    if zone is None:
        raise Refused(
            "stored-offset",
            what,
            "A TIMESTAMP of Spanner does not keep the offset that this part is read in.",
            node.span,
        )
    return zone


def arith(gql: Spanner, node: ir.Arith) -> str:
    if node.op is ir.ArithOp.POW:
        return _power(gql, node)
    kind = kind_of(node.left)
    if kind in TEMPORAL and node.op in (ir.ArithOp.ADD, ir.ArithOp.SUB):
        return _moved(gql, node, kind)
    return values.arith(gql, node)


def _power(gql: Spanner, node: ir.Arith) -> str:
    """POWER, an error of a negative base and a fraction, and of 0 and a negative exponent."""
    text = values.arith(gql, node)
    base, exponent = _number(node.left), _number(node.right)
    if (base is not None and base > 0) or (
        exponent is not None and exponent >= 0 and exponent == int(exponent)
    ):
        return text
    x, y = gql.operand(node.left, PLUS), gql.operand(node.right, PLUS)
    cases = []
    if exponent is None and kind_of(node.right) is not Kind.INTEGER:
        cases.append(f"WHEN {x} < 0 AND {y} <> FLOOR({y}) THEN {_NAN}")
    elif exponent is not None and exponent != int(exponent):
        cases.append(f"WHEN {x} < 0 THEN {_NAN}")
    # IEEE_DIVIDE has the sign of the zero.
    if exponent is None:
        flipped = f"POWER({x}, -{wrap(y, PRIMARY)})"
        cases.append(f"WHEN {x} = 0 AND {y} < 0 THEN IEEE_DIVIDE(1, {flipped})")
    elif exponent < 0:
        flipped = f"POWER({x}, {gql.emit(ir.Literal(-exponent))})"
        cases.append(f"WHEN {x} = 0 THEN IEEE_DIVIDE(1, {flipped})")
    return f"CASE {' '.join(cases)} ELSE {text} END" if cases else text


def _moved(gql: Spanner, node: ir.Arith, kind: Kind) -> str:
    """A date or moment plus or minus a constant duration: months, then days, then seconds."""
    parts = _duration_parts(node.right)
    sign = 1 if node.op is ir.ArithOp.ADD else -1
    if "years" in parts and "months" in parts:
        # Added one after the other, each could be cut to a month's end.
        parts["months"] += 12 * parts.pop("years")
    steps = {unit: parts.pop(name, 0) for name, unit in _UNITS.items()}
    on_date = kind is Kind.DATE
    if kind not in {Kind.DATE, *_MOMENTS} or parts or any(int(n) != n for n in steps.values()):
        raise Refused("duration", "duration()", "This duration has no exact form.", node.span)
    if on_date and any(steps[unit] for unit in _SHORT):
        raise Refused("temporal", "+", "Seconds are added to a date.", node.span)
    if not on_date and (steps["YEAR"] or steps["MONTH"]):
        # "TIMESTAMP_ADD": a timestamp takes days and less.
        raise Refused("month-arithmetic", "+", "Spanner adds no months to a timestamp.", node.span)
    text: str = gql.emit(node.left)
    for unit, count in steps.items():
        if count:
            count = sign * int(count)
            if unit == "WEEK" and not on_date:
                unit, count = "DAY", 7 * count
            function = ("DATE" if on_date else "TIMESTAMP") + ("_ADD" if count > 0 else "_SUB")
            text = Code(f"{function}({text}, INTERVAL {abs(count)} {unit})", CALL)
    return text


def _number(node: ir.Expr) -> float | None:
    """The value of a number that is written out."""
    if isinstance(node, ir.Neg):
        value = _number(node.arg)
        return None if value is None else -value
    if isinstance(node, ir.Literal) and type(node.value) in (int, float):
        return float(node.value or 0)
    return None


def _inside_domain(node: ir.Call) -> bool:
    """Whether a function of a number that is written out has a finite value."""
    value = _number(node.args[0])
    if value is None:
        return False
    match node.name:
        case "acos" | "asin":
            return abs(value) <= 1
        case "log" | "log10":
            return value > 0
        case "sqrt":
            return value >= 0
        case _:
            return abs(value) <= 709


def _duration_parts(node: ir.Expr) -> dict[str, int | float]:
    """The parts of `duration('P1D')` or `duration({days: 1})`.

    Raises:
        Refused: it is no constant.
    """
    arg = node.args[0] if isinstance(node, ir.Call) and node.name == "duration" else None
    if isinstance(arg, ir.Literal) and isinstance(arg.value, str):
        return temporal.duration_parts(arg.value)
    if isinstance(arg, ir.MapOf):
        values = {e.key: e.value.value for e in arg.entries if isinstance(e.value, ir.Literal)}
        numbers = {key: v for key, v in values.items() if isinstance(v, int | float)}
        if len(numbers) == len(arg.entries):
            return numbers
    raise Refused("duration", "duration()", "This duration is not a constant.", node.span)
