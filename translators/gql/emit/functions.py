"""Scalar functions of Cypher in ISO GQL: by name, by type, or by an exact rewriting.

Sources: ISO/IEC 39075:2024 clauses 20.7 to 20.29; the Cypher manual's pages on functions.
"""

from __future__ import annotations

from typing import ClassVar

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.gql.emit import temporal
from translators.gql.emit.lists import ENDS, Lists
from translators.gql.emit.text import CALL, COMPARE, PLUS, Code, string, wrap
from translators.gql.emit.values import day_text, kind_of, nullable

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
_TYPES = {
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


class Functions(Lists):
    """Emits calls of scalar functions and parts of temporal values."""

    def value(self, query: ir.Query, column: str, node: ir.Expr) -> str:
        """The one value that `query` returns as `column`; statements say how."""
        raise NotImplementedError

    components: ClassVar[frozenset[str]] = frozenset(_PLACES) | {
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

    # The function that counts the items of a list.
    LIST_LENGTH: ClassVar[str] = "CARDINALITY"
    # Cypher's constructor of a point in time -> the type that CAST makes.
    TYPES: ClassVar[dict[str, str]] = _TYPES

    def emit_Call(self, node: ir.Call) -> str:
        method = self.CALLS.get(node.name)
        if method is not None:
            text: str = getattr(self, method)(node)
            return text
        moment = day_text(node)
        if moment is not None:
            return self._day_text(self.emit(moment), self.emit(node.args[1]))
        arguments = ", ".join(self.emit(arg) for arg in node.args)
        if node.name in _PRIMARY:
            return f"{_PRIMARY[node.name]}({arguments})"
        if node.name in _SAME:
            return Code(f"{_SAME[node.name]}({arguments})", CALL)
        raise Refused(
            "function", f"{node.name}()", f"ISO GQL has no function like {node.name}().", node.span
        )

    def _day_text(self, moment: str, size: str) -> str:
        """The first `size` characters of a date and time, which are of its day."""
        return f"LEFT(CAST({moment} AS STRING), {size})"

    def _coalesce(self, node: ir.Call) -> str:
        if len(node.args) == 1:
            return self.emit(node.args[0])
        return f"COALESCE({', '.join(self.emit(arg) for arg in node.args)})"

    # --- length ----------------------------------------------------------------------------

    def _size(self, node: ir.Call) -> str:
        arg = node.args[0]
        if isinstance(arg, ir.Agg) and arg.name == "collect":
            return self.emit(ir.Agg("count", arg.args, arg.distinct))
        if isinstance(arg, ir.Call) and isinstance(arg.args[0] if arg.args else None, ir.Var):
            if arg.name == "relationships":
                return Code(f"PATH_LENGTH({self.emit(arg.args[0])})", CALL)
            if arg.name == "nodes":
                return Code(f"PATH_LENGTH({self.emit(arg.args[0])}) + 1", PLUS)
        if isinstance(arg, ir.PatternComp):
            body = ir.Query((ir.Match((arg.path,), arg.where),))
            return self.emit(ir.CountOf(body, span=arg.span))
        if isinstance(arg, ir.ListComp):
            return self.counted(arg)
        match kind_of(arg):
            case Kind.LIST:
                return Code(f"{self.LIST_LENGTH}({self.operand(arg, PLUS)})", CALL)
            case Kind.STRING:
                return Code(f"CHAR_LENGTH({self.emit(arg)})", CALL)
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

    def _is_empty(self, node: ir.Call) -> str:
        size = self._size(ir.Call("size", node.args, span=node.span))
        return Code(f"{size} = 0", COMPARE)

    def _length(self, node: ir.Call) -> str:
        if kind_of(node.args[0]) in (Kind.STRING, Kind.LIST):
            return self._size(node)
        return Code(f"PATH_LENGTH({self.emit(node.args[0])})", CALL)

    # --- strings ---------------------------------------------------------------------------

    def _substring(self, node: ir.Call) -> str:
        text = self.emit(node.args[0])
        start = node.args[1]
        count = f", {self.emit(node.args[2])})" if len(node.args) == 3 else None
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
            f"CASE WHEN {length} > {start.value} THEN {part} "
            f"WHEN {length} <= {start.value} THEN '' END"
        )

    def _to_string(self, node: ir.Call) -> str:
        arg = node.args[0]
        text = self.emit(arg)
        match kind_of(arg):
            case Kind.STRING:
                return text
            case Kind.BOOLEAN:
                no = self.negation(text)
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

    def _to_integer(self, node: ir.Call) -> str:
        arg = node.args[0]
        text = self.emit(arg)
        match kind_of(arg):
            case Kind.INTEGER:
                return text
            case Kind.FLOAT:
                down, up = f"CAST(FLOOR({text}) AS INT)", f"CAST(CEIL({text}) AS INT)"
                return f"CASE WHEN {wrap(text, PLUS)} < 0 THEN {up} ELSE {down} END"
            case Kind.BOOLEAN:
                return f"CASE WHEN {text} THEN 1 WHEN {self.negation(text)} THEN 0 END"
            case _:
                return f"CAST({text} AS INT)"

    def _to_float(self, node: ir.Call) -> str:
        if kind_of(node.args[0]) is Kind.FLOAT:
            return self.emit(node.args[0])
        return f"CAST({self.emit(node.args[0])} AS FLOAT64)"

    def _to_boolean(self, node: ir.Call) -> str:
        text = self.emit(node.args[0])
        if kind_of(node.args[0]) is Kind.BOOLEAN:
            return text
        if kind_of(node.args[0]) is Kind.INTEGER:
            return Code(f"{wrap(text, PLUS)} <> 0", COMPARE)
        word = f"LOWER(TRIM({text}))"
        return f"CASE WHEN {word} = 'true' THEN TRUE WHEN {word} = 'false' THEN FALSE END"

    # --- numbers ---------------------------------------------------------------------------

    def _round(self, node: ir.Call) -> str:
        if len(node.args) != 1:
            raise Refused(
                "round", "round()", "ISO GQL does not round to decimal places.", node.span
            )
        text = self.emit(node.args[0])
        if kind_of(node.args[0]) is Kind.INTEGER:
            return text
        value, down = wrap(text, PLUS), f"FLOOR({text})"
        # Exact for floats: the fraction of a float is a float.
        return f"CASE WHEN {value} - {down} >= 0.5 THEN {down} + 1 ELSE {down} END"

    def _sign(self, node: ir.Call) -> str:
        value = wrap(self.emit(node.args[0]), PLUS)
        return f"CASE WHEN {value} > 0 THEN 1 WHEN {value} < 0 THEN -1 WHEN {value} = 0 THEN 0 END"

    # --- lists -----------------------------------------------------------------------------

    def _end(self, node: ir.Call) -> str:
        arg = node.args[0]
        if node.name == "head" and isinstance(arg, ir.CollectOf):
            column = _one_row(arg.query)
            if column and isinstance(arg.query, ir.Query):
                return self.value(arg.query, column, node)
        return self.item_at(node.args[0], ir.Literal(ENDS[node.name]))

    def _tail(self, node: ir.Call) -> str:
        return self.emit(ir.Slice(node.args[0], ir.Literal(1), span=node.span))

    def _range(self, node: ir.Call) -> str:
        return self.range_of(node)

    # --- elements --------------------------------------------------------------------------

    def _variable(self, node: ir.Call) -> str:
        """The one argument of a function of elements, which GQL wants as a variable."""
        if not isinstance(node.args[0], ir.Var):
            raise Refused(
                "element-expression",
                f"{node.name}()",
                f"{node.name}() has no form in GQL for what is no variable.",
                node.span,
            )
        return self.emit(node.args[0])

    def _element_id(self, node: ir.Call) -> str:
        return f"ELEMENT_ID({self._variable(node)})"

    def _id(self, node: ir.Call) -> str:
        raise Refused("id", "id()", "ELEMENT_ID of ISO GQL is opaque, it is no integer.", node.span)

    def _type(self, node: ir.Call) -> str:
        edge = self._variable(node)
        if self.schema is None:
            raise Refused(
                "type-function",
                "type()",
                "ISO GQL has no function type(); without a schema its values are not known.",
                node.span,
            )
        known = self.schema.edge_by_name
        of = [known[name].label for name in node.args[0].type.of if name in known]
        labels = list(dict.fromkeys(of)) or list(self.schema.edge_labels)
        if len(labels) == 1 and not nullable(node.args[0]):
            return string(labels[0])
        tests = (
            f"WHEN {self.label_test(edge, ir.LabelName(label), edge=True)} THEN {string(label)}"
            for label in labels
        )
        return f"CASE {' '.join(tests)} END"

    def _labels(self, node: ir.Call) -> str:
        element = self._variable(node)
        types = [] if self.schema is None else list(self.schema.nodes)
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
            f"WHEN {self.label_test(element, ir.LabelName(t.labels[0]), edge=False)} "
            f"THEN [{string(t.labels[0])}]"
            for t in types
        )
        return f"CASE {' '.join(tests)} END"

    def compare_special(self, node: ir.Compare) -> str | None:
        equal = node.op is ir.CompareOp.EQ
        if node.op not in (ir.CompareOp.EQ, ir.CompareOp.NE):
            return self._year_test(node)
        for left, right in ((node.left, node.right), (node.right, node.left)):
            if not isinstance(left, ir.Call) or not left.args:
                continue
            name = right.value if isinstance(right, ir.Literal) else None
            if left.name == "type" and isinstance(name, str):
                variable = self._variable(left)
                return self.label_test(variable, ir.LabelName(name), edge=True, negated=not equal)
            if left.name == "id" and isinstance(right, ir.Call) and right.name == "id":
                return Code(
                    f"{self._variable(left)} {node.op.value} {self._variable(right)}", COMPARE
                )
        return self._year_test(node)

    def emit_In(self, node: ir.In) -> str:
        item, listed = node.item, node.list
        if (
            isinstance(listed, ir.Call)
            and listed.name == "labels"
            and isinstance(item, ir.Literal)
            and isinstance(item.value, str)
        ):
            return self.label_test(self._variable(listed), ir.LabelName(item.value), edge=False)
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
                return self.label_test(self._variable(item), labels, edge=True)
        return super().emit_In(node)

    def member_true(self, node: ir.In) -> str:
        if isinstance(node.list, ir.Call) and node.list.name == "labels":
            return self.emit_In(node)
        return super().member_true(node)

    def member_false(self, node: ir.In) -> str:
        if isinstance(node.list, ir.Call) and node.list.name == "labels":
            return self.negation(self.emit_In(node))
        return super().member_false(node)

    # --- dates, times, durations -----------------------------------------------------------

    def now(self, name: str) -> str:
        """The present date or time: Cypher's `date()` and its relatives."""
        return Code(_NOW[name], CALL)

    def _instant(self, node: ir.Call) -> str:
        name = node.name
        if not node.args:
            return self.now(name)
        arg = node.args[0]
        if isinstance(arg, ir.Literal) and isinstance(arg.value, str):
            return self.instant(name, temporal.constant(name, arg.value))
        if isinstance(arg, ir.MapOf):
            return self._from_map(node, arg)
        if kind_of(arg) is _KINDS[name]:
            return self.emit(arg)
        return f"CAST({self.emit(arg)} AS {self.TYPES[name]})"

    def instant(self, name: str, text: str) -> str:
        """A constant point in time."""
        if name == "date":
            return f"DATE {string(text)}"
        function = _TYPES[name].replace(" ", "_")
        return Code(f"{function}({string(text)})", CALL)

    def _from_map(self, node: ir.Call, parts: ir.MapOf) -> str:
        constant = _constants(parts)
        if node.name != "date" or (constant is None and _keys(parts) - {"year", "month", "day"}):
            raise Refused(
                "temporal-map",
                f"{node.name}({{…}})",
                "A point in time from a map has no exact form in ISO GQL.",
                node.span,
            )
        if constant is not None:
            return self.instant("date", temporal.date_of(constant))
        entries = [*parts.entries]
        for key in ("year", "month", "day"):
            if key not in _keys(parts):
                entries.append(ir.Entry(key, ir.Literal(1)))
        return Code(f"DATE({self.emit(ir.MapOf(tuple(entries)))})", CALL)

    def _duration(self, node: ir.Call) -> str:
        arg = node.args[0]
        if isinstance(arg, ir.Literal) and isinstance(arg.value, str):
            return f"DURATION {string(temporal.duration_text(arg.value))}"
        if isinstance(arg, ir.MapOf):
            constant = _constants(arg)
            if constant is not None:
                return f"DURATION {string(temporal.duration_of(constant))}"
            temporal.duration_of(dict.fromkeys(_keys(arg), 1))
            return Code(f"DURATION({self.emit(arg)})", CALL)
        raise Refused(
            "duration", "duration()", "The parts of this duration are not known.", node.span
        )

    def component(self, node: ir.Prop) -> str:
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
        text = f"CAST({self.emit(node.base)} AS STRING)"
        if node.key == "second":  # engines leave seconds away that are zero, or do not
            there = f"CAST(RIGHT(LEFT({text}, {place[0] + 2}), 2) AS INT)"
            return f"CASE WHEN CHAR_LENGTH({text}) < {place[0] + 2} THEN 0 ELSE {there} END"
        first, length = place
        part = f"LEFT({text}, {first + length})"
        if first:
            part = f"RIGHT({part}, {length})"
        return f"CAST({part} AS INT)"

    def _year_test(self, node: ir.Compare) -> str | None:
        """`d.year < 2022` of a date as a test of the date itself."""
        tests = year_bounds(node)
        if tests is None:
            return None
        if len(tests) == 1:
            return self.emit(tests[0])
        joint = ir.BoolOp.AND if node.op is ir.CompareOp.EQ else ir.BoolOp.OR
        return self.emit(ir.Bool(joint, tests))

    # Cypher's function -> the method that says it.
    CALLS: ClassVar[dict[str, str]] = {
        "coalesce": "_coalesce",
        "date": "_instant",
        "datetime": "_instant",
        "duration": "_duration",
        "elementId": "_element_id",
        "head": "_end",
        "id": "_id",
        "isEmpty": "_is_empty",
        "labels": "_labels",
        "last": "_end",
        "length": "_length",
        "localdatetime": "_instant",
        "localtime": "_instant",
        "range": "_range",
        "round": "_round",
        "sign": "_sign",
        "size": "_size",
        "substring": "_substring",
        "tail": "_tail",
        "time": "_instant",
        "toBoolean": "_to_boolean",
        "toFloat": "_to_float",
        "toInteger": "_to_integer",
        "toString": "_to_string",
        "type": "_type",
    }


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
    found: dict[str, int] = {}
    for entry in parts.entries:
        value = entry.value.value if isinstance(entry.value, ir.Literal) else None
        if not isinstance(value, int):
            return None
        found[entry.key] = value
    return found


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
