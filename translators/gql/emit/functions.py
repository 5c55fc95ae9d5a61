"""Scalar functions of Cypher in ISO GQL: by name, by type, or by an exact rewriting.

One function a rewriting and the tables that name them are one module of over 600 lines.

Sources: ISO/IEC 39075:2024 clauses 20.7 to 20.29; the Cypher manual's pages on functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph_ir import nodes as ir
from graph_ir.numbers import holds_huge
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.gql.emit import lists, temporal
from translators.gql.emit.lists import ENDS
from translators.gql.emit.operators import CALL, IS_NOT_NULL, OPERATORS, PLUS
from translators.gql.emit.text import string
from translators.gql.emit.values import as_label_test, day_text, kind_of, nullable
from translators.printing import Code, wrap

if TYPE_CHECKING:
    from translators.gql.emit.dialect import Gql


_SAME = {
    "abs": "ABS",
    "acos": "ACOS",
    "asin": "ASIN",
    "atan": "ATAN",
    "btrim": "BTRIM",
    "ceil": "CEIL",
    "cos": "COS",
    "cosh": "COSH",
    "cot": "COT",
    "degrees": "DEGREES",
    "exp": "EXP",
    "floor": "FLOOR",
    "ltrim": "LTRIM",
    "left": "LEFT",
    "log": "LN",
    "log10": "LOG10",
    "normalize": "NORMALIZE",
    "rtrim": "RTRIM",
    "radians": "RADIANS",
    "right": "RIGHT",
    "sin": "SIN",
    "sinh": "SINH",
    "sqrt": "SQRT",
    "tan": "TAN",
    "tanh": "TANH",
    "toLower": "LOWER",
    "toUpper": "UPPER",
    "trim": "TRIM",
}
# Those whose value is a primary (clause 20.2), the others are calls.
_PRIMARY = {"coalesce": "COALESCE", "nullIf": "NULLIF"}
_NOW = {
    "date": "CURRENT_DATE",
    "datetime": "CURRENT_TIMESTAMP",
    "localdatetime": "LOCAL_TIMESTAMP",
    "time": "CURRENT_TIME",
    "localtime": "LOCAL_TIME",
}
TYPES = {
    "date": "DATE",
    "datetime": "ZONED DATETIME",
    "localdatetime": "LOCAL DATETIME",
    "time": "ZONED TIME",
    "localtime": "LOCAL TIME",
}
_KINDS = {
    "date": Kind.DATE,
    "datetime": Kind.ZONED_DATETIME,
    "localdatetime": Kind.DATETIME,
    "time": Kind.ZONED_TIME,
    "localtime": Kind.TIME,
}
# Where a part stands in the text of a value: (first character, length); clause 20.8.
_PLACES = {"year": (0, 4), "month": (5, 2), "day": (8, 2), "hour": (11, 2), "minute": (14, 2)}
_CLOCKS = (Kind.TIME, Kind.ZONED_TIME)
_PLAIN_TEXT = (Kind.INTEGER, Kind.DATE, Kind.STRING)
# Parts of temporal values that a language may have.
COMPONENTS = frozenset(_PLACES) | {
    "second",
    "week",
    "quarter",
    "weekYear",
    "dayOfWeek",
    "weekDay",
    "dayOfQuarter",
    "ordinalDay",
    "millisecond",
    "microsecond",
    "nanosecond",
    "timezone",
    "offset",
    "epochSeconds",
    "epochMillis",
    "years",
    "months",
    "weeks",
    "days",
    "hours",
    "minutes",
    "seconds",
    "milliseconds",
}
# Cypher's function -> the attribute of the dialect that says it.
CALLS = {
    "coalesce": "coalesced",
    "date": "instant_of",
    "datetime": "instant_of",
    "duration": "duration_of",
    "elementId": "element_id",
    "head": "list_end",
    "id": "element_key",
    "isEmpty": "is_empty",
    "labels": "labels_of",
    "last": "list_end",
    "length": "length_of",
    "localdatetime": "instant_of",
    "localtime": "instant_of",
    "range": "range_items",
    "round": "rounded",
    "sign": "sign_of",
    "size": "size_of",
    "substring": "substring",
    "tail": "tail_of",
    "time": "instant_of",
    "toBoolean": "to_boolean",
    "toFloat": "to_float",
    "toInteger": "to_integer",
    "toString": "to_string",
    "type": "edge_type",
}


def value(gql: Gql, query: ir.Query, column: str, node: ir.Expr) -> str:
    """The one value that `query` returns as `column`; statements say how."""
    raise NotImplementedError


def call(gql: Gql, node: ir.Call) -> str:
    method = gql.CALLS.get(node.name)
    if method is not None:
        text: str = getattr(gql, method)(node)
        return text
    moment = day_text(node)
    if moment is not None:
        return gql.day_text(gql.emit(moment), gql.emit(node.args[1]))
    if node.name in ("ceil", "floor") and kind_of(node.args[0]) is Kind.INTEGER:
        # The standard's are integers then, which divide otherwise (clause 20.22).
        return gql.emit(ir.Call("toFloat", node.args, type=node.type))
    arguments = ", ".join(gql.emit(arg) for arg in node.args)
    if node.name in _PRIMARY:
        return f"{_PRIMARY[node.name]}({arguments})"
    if node.name in _SAME:
        return Code(f"{_SAME[node.name]}({arguments})", CALL)
    raise Refused(
        "function", f"{node.name}()", f"ISO GQL has no function like {node.name}().", node.span
    )


def day_text_of(gql: Gql, moment: str, size: str) -> str:
    """The first `size` characters of a date and time, which are of its day."""
    return f"LEFT(CAST({moment} AS STRING), {size})"


def coalesced(gql: Gql, node: ir.Call) -> str:
    if len(node.args) == 1:
        return gql.emit(node.args[0])
    return f"COALESCE({', '.join(gql.emit(arg) for arg in node.args)})"


def size_of(gql: Gql, node: ir.Call) -> str:
    arg = node.args[0]
    if isinstance(arg, ir.Agg) and arg.name == "collect":
        return gql.emit(ir.Agg("count", arg.args, arg.distinct))
    if isinstance(arg, ir.Call) and isinstance(arg.args[0] if arg.args else None, ir.Var):
        if arg.name == "relationships":
            return Code(f"PATH_LENGTH({gql.emit(arg.args[0])})", CALL)
        if arg.name == "nodes":
            return OPERATORS[ir.ArithOp.ADD](f"PATH_LENGTH({gql.emit(arg.args[0])})", "1")
    if isinstance(arg, ir.PatternComp):
        body = ir.Query((ir.Match((arg.path,), arg.where),))
        return gql.emit(ir.CountOf(body, span=arg.span))
    if isinstance(arg, ir.ListComp):
        return gql.counted(arg)
    match kind_of(arg):
        case Kind.LIST:
            return Code(f"{gql.LIST_LENGTH}({gql.operand(arg, PLUS)})", CALL)
        case Kind.STRING:
            return Code(f"CHAR_LENGTH({gql.emit(arg)})", CALL)
        case Kind.ANY:
            raise Refused(
                "untyped-size",
                "size()",
                "GQL counts the items of a list and the characters of a string by different "
                "functions, and the type of this value is not known.",
                node.span,
            )
        case kind:
            raise Refused("function", "size()", f"There is no size of a {kind}.", node.span)


def is_empty(gql: Gql, node: ir.Call) -> str:
    size = gql.size_of(ir.Call("size", node.args, span=node.span))
    return OPERATORS[ir.CompareOp.EQ](size, "0")


def length_of(gql: Gql, node: ir.Call) -> str:
    if kind_of(node.args[0]) in (Kind.STRING, Kind.LIST):
        return gql.size_of(node)
    return Code(f"PATH_LENGTH({gql.emit(node.args[0])})", CALL)


def substring(gql: Gql, node: ir.Call) -> str:
    text = gql.emit(node.args[0])
    start = node.args[1]
    count = f", {gql.emit(node.args[2])})" if len(node.args) == 3 else None
    if start == ir.Literal(0):
        return Code(f"LEFT({text}{count}", CALL) if count else text
    if not (isinstance(start, ir.Literal) and isinstance(start.value, int)):
        raise Refused(
            "substring",
            "substring()",
            "The start of substring() is not a number in the text.",
            node.span,
        )
    length = f"CHAR_LENGTH({text})"
    rest = f"RIGHT({text}, {length} - {start.value})"
    part = f"LEFT({rest}{count}" if count else rest
    return (
        f"CASE WHEN {length} > {start.value} THEN {part} WHEN {length} <= {start.value} THEN '' END"
    )


def to_string(gql: Gql, node: ir.Call) -> str:
    arg = node.args[0]
    text = gql.emit(arg)
    match kind_of(arg):
        case Kind.STRING:
            return text
        case Kind.BOOLEAN:
            no = gql.negation(text)
            return f"CASE WHEN {text} THEN 'true' WHEN {no} THEN 'false' END"
        case kind if kind in _PLAIN_TEXT:
            return f"CAST({text} AS STRING)"
        case Kind.ANY:
            raise Refused(
                "untyped-text",
                "toString()",
                "The text of a value depends on its type, which is not known here.",
                node.span,
            )
        case kind:
            raise Refused(
                "text-of-value",
                "toString()",
                f"Cypher and ISO GQL print a {kind} in different forms.",
                node.span,
            )


def to_integer(gql: Gql, node: ir.Call) -> str:
    arg = node.args[0]
    text = gql.emit(arg)
    match kind_of(arg):
        case Kind.INTEGER:
            return text
        case Kind.FLOAT:
            down, up = f"CAST(FLOOR({text}) AS INT)", f"CAST(CEIL({text}) AS INT)"
            return f"CASE WHEN {wrap(text, PLUS)} < 0 THEN {up} ELSE {down} END"
        case Kind.BOOLEAN:
            return f"CASE WHEN {text} THEN 1 WHEN {gql.negation(text)} THEN 0 END"
        case _:
            return f"CAST({text} AS INT)"


def to_float(gql: Gql, node: ir.Call) -> str:
    if kind_of(node.args[0]) is Kind.FLOAT:
        return gql.emit(node.args[0])
    return f"CAST({gql.emit(node.args[0])} AS FLOAT64)"


def to_boolean(gql: Gql, node: ir.Call) -> str:
    text, kind = gql.emit(node.args[0]), kind_of(node.args[0])
    if kind is Kind.BOOLEAN:
        return text
    if kind is Kind.INTEGER:
        return OPERATORS[ir.CompareOp.NE](text, "0")
    if kind not in (Kind.STRING, Kind.NULL, Kind.ANY):
        raise Refused("type", "toBoolean()", f"toBoolean() of a {kind}.", node.span)
    word = f"LOWER(TRIM({text}))"
    return f"CASE WHEN {word} = 'true' THEN TRUE WHEN {word} = 'false' THEN FALSE END"


def rounded(gql: Gql, node: ir.Call) -> str:
    if len(node.args) != 1:
        raise Refused("round", "round()", "ISO GQL does not round to decimal places.", node.span)
    if holds_huge(node.args[0]):
        raise Refused("round", "round()", "Cypher rounds to integers of 64 bits.", node.span)
    text = gql.emit(node.args[0])
    if kind_of(node.args[0]) is Kind.INTEGER:
        return gql.emit(ir.Call("toFloat", node.args, type=node.type))
    value, down = wrap(text, PLUS), f"FLOOR({text})"
    # Exact for floats: the fraction of a float is a float.
    return f"CASE WHEN {value} - {down} >= 0.5 THEN {down} + 1 ELSE {down} END"


def sign_of(gql: Gql, node: ir.Call) -> str:
    text = gql.emit(node.args[0])
    value, is_there = wrap(text, PLUS), IS_NOT_NULL(text)
    # of NaN it is 0
    return f"CASE WHEN {value} > 0 THEN 1 WHEN {value} < 0 THEN -1 WHEN {is_there} THEN 0 END"


def list_end(gql: Gql, node: ir.Call) -> str:
    arg = node.args[0]
    if node.name == "head" and isinstance(arg, ir.CollectOf):
        column = _one_row(arg.query)
        if column and isinstance(arg.query, ir.Query):
            return gql.value(arg.query, column, node)
    return gql.item_at(node.args[0], ir.Literal(ENDS[node.name]))


def tail_of(gql: Gql, node: ir.Call) -> str:
    return gql.emit(ir.Slice(node.args[0], ir.Literal(1), span=node.span))


def range_items(gql: Gql, node: ir.Call) -> str:
    return gql.range_of(node)


def variable_of(gql: Gql, node: ir.Call) -> str:
    """The one argument of a function of elements, which GQL wants as a variable."""
    if not isinstance(node.args[0], ir.Var):
        raise Refused(
            "element-expression",
            f"{node.name}()",
            f"{node.name}() has no form in GQL for what is no variable.",
            node.span,
        )
    return gql.emit(node.args[0])


def element_id(gql: Gql, node: ir.Call) -> str:
    return f"ELEMENT_ID({gql.variable_of(node)})"


def element_key(gql: Gql, node: ir.Call) -> str:
    raise Refused("id", "id()", "ELEMENT_ID of ISO GQL is opaque, it is no integer.", node.span)


def edge_type(gql: Gql, node: ir.Call) -> str:
    edge = gql.variable_of(node)
    if gql.schema is None:
        raise Refused(
            "type-function",
            "type()",
            "ISO GQL has no function type(); without a schema its values are not known.",
            node.span,
        )
    known = gql.schema.edge_by_name
    of = [known[name].label for name in node.args[0].type.of if name in known]
    labels = list(dict.fromkeys(of)) or list(gql.schema.edge_labels)
    if len(labels) == 1 and not nullable(node.args[0]):
        return string(labels[0])
    tests = (
        f"WHEN {gql.label_test(edge, ir.LabelName(label), edge=True)} THEN {string(label)}"
        for label in labels
    )
    return f"CASE {' '.join(tests)} END"


def labels_of(gql: Gql, node: ir.Call) -> str:
    element = gql.variable_of(node)
    types = [] if gql.schema is None else list(gql.schema.nodes)
    if node.args[0].type.of:
        types = [t for t in types if t.name in node.args[0].type.of]
    if not types or any(len(t.labels) != 1 for t in types):
        raise Refused(
            "labels-function",
            "labels()",
            "ISO GQL has no function labels(); only one label a node, known from the schema, "
            "can be written out.",
            node.span,
        )
    if len(types) == 1 and not nullable(node.args[0]):
        return f"[{string(types[0].labels[0])}]"
    tests = (
        f"WHEN {gql.label_test(element, ir.LabelName(t.labels[0]), edge=False)} "
        f"THEN [{string(t.labels[0])}]"
        for t in types
    )
    return f"CASE {' '.join(tests)} END"


def compare_special(gql: Gql, node: ir.Compare) -> str | None:
    equal = node.op is ir.CompareOp.EQ
    if node.op not in (ir.CompareOp.EQ, ir.CompareOp.NE):
        return gql.year_test(node)
    for left, right in ((node.left, node.right), (node.right, node.left)):
        if not isinstance(left, ir.Call) or not left.args:
            continue
        name = right.value if isinstance(right, ir.Literal) else None
        if left.name == "type" and isinstance(name, str):
            variable = gql.variable_of(left)
            return gql.label_test(variable, ir.LabelName(name), edge=True, negated=not equal)
        if left.name == "id" and isinstance(right, ir.Call) and right.name == "id":
            return OPERATORS[node.op](gql.variable_of(left), gql.variable_of(right))
    return gql.year_test(node)


def in_list(gql: Gql, node: ir.In) -> str:
    item, listed = node.item, node.list
    if (
        isinstance(listed, ir.Call)
        and listed.name == "labels"
        and isinstance(item, ir.Literal)
        and isinstance(item.value, str)
    ):
        return gql.label_test(gql.variable_of(listed), ir.LabelName(item.value), edge=False)
    if (
        isinstance(item, ir.Call)
        and item.name == "type"
        and isinstance(listed, ir.ListOf)
        and listed.items
    ):
        names = [part.value for part in listed.items if isinstance(part, ir.Literal)]
        texts = [ir.LabelName(name) for name in names if isinstance(name, str)]
        if len(texts) == len(listed.items):
            labels = texts[0] if len(texts) == 1 else ir.LabelOr(tuple(texts))
            return gql.label_test(gql.variable_of(item), labels, edge=True)
    return lists.in_list(gql, node)


def member_true(gql: Gql, node: ir.In) -> str:
    if isinstance(node.list, ir.Call) and node.list.name == "labels":
        return gql.emit_In(node)
    return lists.member_true(gql, node)


def member_false(gql: Gql, node: ir.In) -> str:
    test = as_label_test(node)
    if test is not node:
        return gql.is_false(test)
    if isinstance(node.list, ir.Call) and node.list.name == "labels":
        return gql.negation(gql.emit_In(node))
    return lists.member_false(gql, node)


def now(gql: Gql, name: str) -> str:
    """The present date or time: Cypher's `date()` and its relatives."""
    return Code(_NOW[name], CALL)


def instant_of(gql: Gql, node: ir.Call) -> str:
    name = node.name
    if not node.args:
        return gql.now(name)
    arg = node.args[0]
    if isinstance(arg, ir.Literal) and isinstance(arg.value, str):
        return gql.instant(name, temporal.constant(name, arg.value))
    if isinstance(arg, ir.MapOf):
        return gql.from_map(node, arg)
    if kind_of(arg) is _KINDS[name]:
        return gql.emit(arg)
    return f"CAST({gql.emit(arg)} AS {gql.TYPES[name]})"


def instant(gql: Gql, name: str, text: str) -> str:
    """A constant point in time."""
    if name == "date":
        return f"DATE {string(text)}"
    function = TYPES[name].replace(" ", "_")
    return Code(f"{function}({string(text)})", CALL)


def from_map(gql: Gql, node: ir.Call, parts: ir.MapOf) -> str:
    constant = _constants(parts)
    if node.name != "date" or (constant is None and _keys(parts) - {"year", "month", "day"}):
        raise Refused(
            "temporal-map",
            f"{node.name}({{…}})",
            "A point in time from a map has no exact form in ISO GQL.",
            node.span,
        )
    if constant is not None:
        return gql.instant("date", temporal.date_of(constant))
    entries = [*parts.entries]
    for key in ("year", "month", "day"):
        if key not in _keys(parts):
            entries.append(ir.Entry(key, ir.Literal(1)))
    return Code(f"DATE({gql.emit(ir.MapOf(tuple(entries)))})", CALL)


def duration_of(gql: Gql, node: ir.Call) -> str:
    arg = node.args[0]
    if isinstance(arg, ir.Literal) and isinstance(arg.value, str):
        return f"DURATION {string(temporal.duration_text(arg.value))}"
    if isinstance(arg, ir.MapOf):
        constant = _constants(arg)
        if constant is not None:
            return f"DURATION {string(temporal.duration_of(constant))}"
        temporal.duration_of(dict.fromkeys(_keys(arg), 1))
        return Code(f"DURATION({gql.emit(arg)})", CALL)
    raise Refused("duration", "duration()", "The parts of this duration are not known.", node.span)


def component(gql: Gql, node: ir.Prop) -> str:
    kind = kind_of(node.base)
    place = _PLACES.get(node.key)
    if node.key == "second" and kind in (Kind.DATETIME, Kind.TIME):
        place = (17, 2)
    if kind in _CLOCKS and place is not None:
        place = (place[0] - 11, place[1])
    on_date = kind is Kind.DATE and node.key in ("hour", "minute")
    if place is None or place[0] < 0 or on_date or kind is Kind.DURATION:
        raise Refused(
            "temporal-component",
            f".{node.key}",
            f"ISO GQL has no function for the {node.key} of a {kind}.",
            node.span,
        )
    text = f"CAST({gql.emit(node.base)} AS STRING)"
    if node.key == "second":  # engines leave seconds away that are zero, or do not
        there = f"CAST(RIGHT(LEFT({text}, {place[0] + 2}), 2) AS INT)"
        return f"CASE WHEN CHAR_LENGTH({text}) < {place[0] + 2} THEN 0 ELSE {there} END"
    first, length = place
    part = f"LEFT({text}, {first + length})"
    if first:
        part = f"RIGHT({part}, {length})"
    return f"CAST({part} AS INT)"


def year_test(gql: Gql, node: ir.Compare) -> str | None:
    """`d.year < 2022` of a date as a test of the date itself."""
    tests = year_bounds(node)
    if tests is None:
        return None
    if len(tests) == 1:
        return gql.emit(tests[0])
    joint = ir.BoolOp.AND if node.op is ir.CompareOp.EQ else ir.BoolOp.OR
    return gql.emit(ir.Bool(joint, tests))


_MIRROR = {
    ir.CompareOp.EQ: ir.CompareOp.EQ,
    ir.CompareOp.NE: ir.CompareOp.NE,
    ir.CompareOp.LT: ir.CompareOp.GT,
    ir.CompareOp.GT: ir.CompareOp.LT,
    ir.CompareOp.LE: ir.CompareOp.GE,
    ir.CompareOp.GE: ir.CompareOp.LE,
}


def _one_row(query: ir.Statement) -> str:
    """The only column of a query that has one row at most; empty where that is not certain."""
    last = query.clauses[-1] if isinstance(query, ir.Query) else None
    if not isinstance(last, ir.Project) or len(last.items) != 1:
        return ""
    whole = last.group == () and last.skip is None and last.limit is None
    return last.items[0].alias if whole or last.limit == ir.Literal(1) else ""


def _keys(parts: ir.MapOf) -> set[str]:
    return {entry.key for entry in parts.entries}


def _constants(parts: ir.MapOf) -> dict[str, int] | None:
    """The entries of a map of integers, or None where one is computed."""
    constants: dict[str, int] = {}
    for entry in parts.entries:
        value = entry.value.value if isinstance(entry.value, ir.Literal) else None
        if not isinstance(value, int):
            return None
        constants[entry.key] = value
    return constants


def year_bounds(node: ir.Compare) -> tuple[ir.Compare, ...] | None:
    """The tests of a date that `d.year < 2022` stands for; None where it is none of a year."""
    left, right, op = node.left, node.right, node.op
    if isinstance(right, ir.Prop):
        left, right, op = right, left, _MIRROR[op]
    if not (
        isinstance(left, ir.Prop)
        and left.key == "year"
        and kind_of(left.base) is Kind.DATE
        and isinstance(right, ir.Literal)
        and isinstance(right.value, int)
        and 0 < right.value < 9999
    ):
        return None
    start = ir.Call("date", (ir.Literal(f"{right.value:04}-01-01"),))
    after = ir.Call("date", (ir.Literal(f"{right.value + 1:04}-01-01"),))
    bounds = {
        ir.CompareOp.LT: ((ir.CompareOp.LT, start),),
        ir.CompareOp.GE: ((ir.CompareOp.GE, start),),
        ir.CompareOp.LE: ((ir.CompareOp.LT, after),),
        ir.CompareOp.GT: ((ir.CompareOp.GE, after),),
        ir.CompareOp.EQ: ((ir.CompareOp.GE, start), (ir.CompareOp.LT, after)),
        ir.CompareOp.NE: ((ir.CompareOp.LT, start), (ir.CompareOp.GE, after)),
    }[op]
    return tuple(ir.Compare(bound, left.base, limit) for bound, limit in bounds)
