"""Expressions of SQL/PGQ: those that SQL:2023 and GoogleSQL's analyser write alike.

Inside GRAPH_TABLE an expression is over elements, outside over columns. What the standard leaves
open (the scale of a quotient of integers, the mean of integers) is written so that it does not
matter, what neither side says alike is refused.
Source: ISO/IEC 9075-2:2023 clauses 6, 8 and 10.9.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from graph_ir import nodes as ir
from graph_ir.lowerings import from_zero
from graphmill.errors import Refused
from schemagraph.model import NUMERIC, Kind
from translators.gql.emit import temporal
from translators.gql.emit.dialect import READS_ONLY, Gql
from translators.gql.emit.operators import CALL, COMPARE, OPERATORS
from translators.gql.emit.values import kind_of, nullable
from translators.gql.spanner.dialect import Spanner
from translators.gql.spanner.types import comparable, one_type
from translators.pgq import text as spelling
from translators.pgq.stages import column_name, is_element
from translators.printing import Code

if TYPE_CHECKING:
    from translators.pgq.dialect import Pgq

_LIST = ("function", "Lists have no form that SQL's dialects share.")
_PATTERN = ("subquery", "Subqueries of patterns are not said in SQL/PGQ yet.")
_MAP = ("map-value", "SQL has no map as a value.")
UNSAID: Final[Mapping[type[ir.Node], tuple[str, str]]] = {
    **Gql.UNSUPPORTED,
    **READS_ONLY,
    ir.CollectOf: _PATTERN,
    ir.CountOf: _PATTERN,
    ir.Exists: _PATTERN,
    ir.Index: _LIST,
    ir.ListComp: _LIST,
    ir.ListOf: _LIST,
    ir.MapOf: _MAP,
    ir.MapProjection: _MAP,
    ir.Param: ("parameter", "A parameter of SQL has a place or a type, not a name alone."),
    ir.PatternComp: _PATTERN,
    ir.Procedure: ("procedure", "SQL/PGQ calls no procedures."),
    ir.Quantifier: _LIST,
    ir.Selector: ("path-search", "Path searches are not said in SQL/PGQ yet."),
    ir.Slice: _LIST,
    ir.Subquery: ("call-subquery", "SQL/PGQ has no CALL subquery."),
    ir.Unwind: ("unsupported-clause", "SQL/PGQ has one pattern, and no such clause beside it."),
    ir.Yield: ("procedure", "SQL/PGQ calls no procedures."),
}
_SCALARS = frozenset(
    {Kind.BOOLEAN, Kind.INTEGER, Kind.FLOAT, Kind.STRING, Kind.DATE, Kind.DATETIME}
)
_FUNCTIONS: Final = {
    "toLower": ("LOWER", Kind.STRING),
    "lower": ("LOWER", Kind.STRING),
    "toUpper": ("UPPER", Kind.STRING),
    "upper": ("UPPER", Kind.STRING),
    "ceil": ("CEILING", Kind.FLOAT),
    "floor": ("FLOOR", Kind.FLOAT),
}
_PARTS = {"year": "YEAR", "month": "MONTH", "day": "DAY"}
_CLOCK = {"hour": "HOUR", "minute": "MINUTE"}
_AGGREGATES = {"count": "COUNT", "sum": "SUM", "avg": "AVG", "min": "MIN", "max": "MAX"}


def identifier_text(pgq: Pgq, name: str) -> str:
    return spelling.identifier(name)


def string_text(pgq: Pgq, value: str) -> str:
    return spelling.string(value)


def number_text(pgq: Pgq, value: int | float, exact: bool = False) -> str:
    """A number; `1.5` is an exact one in SQL, whose sums are no floats (9075-2, clause 5.3)."""
    if isinstance(value, int):
        return Spanner.number_text(pgq, value)
    return Gql.number_text(pgq, value)


def scalar(node: ir.Expr, what: str) -> ir.Expr:
    """`node`, whose values a column holds.

    Raises:
        Refused: its type is another one, or not known.
    """
    kind = kind_of(node)
    if type(node) in UNSAID:
        code, reason = UNSAID[type(node)]
        raise Refused(code, what, reason, node.span)
    if kind in (Kind.NODE, Kind.EDGE, Kind.PATH):
        raise Refused(
            "element-output", what, "A table of SQL holds no nodes, edges and paths.", node.span
        )
    if kind not in _SCALARS:
        code = "dynamic-value" if kind in (Kind.ANY, Kind.NULL) else "type"
        raise Refused(code, what, f"A column or value of SQL whose type is {kind}.", node.span)
    return node


def variable(pgq: Pgq, node: ir.Var) -> str:
    name = column_name(node)
    if name is not None:
        return pgq.source.column(name)
    if pgq.outside or not is_element(node):
        raise Refused(
            "element-expression", node.name, "Outside of a pattern SQL has no elements.", node.span
        )
    return Gql.emit_Var(pgq, node)


def prop(pgq: Pgq, node: ir.Prop) -> str:
    if pgq.outside and is_element(node.base):
        return pgq.source.column(pgq.source.holds(node, node.key))
    return Spanner.emit_Prop(pgq, node)


def component(pgq: Pgq, node: ir.Prop) -> str:
    kind = kind_of(node.base)
    if kind in (Kind.DATE, Kind.DATETIME) and node.key in _PARTS:
        return Code(f"EXTRACT({_PARTS[node.key]} FROM {pgq.emit(node.base)})", CALL)
    if kind is Kind.DATETIME and node.key in _CLOCK:
        return Code(f"EXTRACT({_CLOCK[node.key]} FROM {pgq.emit(node.base)})", CALL)
    raise Refused(
        "temporal-component", f".{node.key}", f"The {node.key} of a {kind} in SQL.", node.span
    )


def is_null(pgq: Pgq, node: ir.IsNull) -> str:
    scalar(node.arg, "IS NULL")
    return Gql.emit_IsNull(pgq, node)


def compare(pgq: Pgq, node: ir.Compare) -> str:
    if is_element(node.left) and is_element(node.right) and not pgq.outside:
        # Clause 8 of part 16: elements are no values, but they can be the same.
        same = Code(f"SAME({pgq.emit(node.left)}, {pgq.emit(node.right)})", CALL)
        if node.op is ir.CompareOp.EQ:
            return same
        if node.op is ir.CompareOp.NE:
            return pgq.negation(same)
    for side in (node.left, node.right):
        scalar(side, node.op.value)
    equality = node.op in (ir.CompareOp.EQ, ir.CompareOp.NE)
    comparable(node, node.left, node.right, equality=equality)
    return OPERATORS[node.op](pgq.side(node.left), pgq.side(node.right))


def connective(pgq: Pgq, node: ir.Bool) -> str:
    for arg in node.args:
        scalar(arg, node.op.value)
    return Spanner.emit_Bool(pgq, node)


def negation(pgq: Pgq, text: str) -> str:
    return Gql.negation(pgq, text)


def not_(pgq: Pgq, node: ir.Not) -> str:
    scalar(node.arg, "NOT")
    return Gql.emit_Not(pgq, node)


def text_test(pgq: Pgq, node: ir.Text) -> str:
    one_type(node, (node.left, node.right), node.op.value)
    scalar(node.left, node.op.value)
    if node.op is ir.TextOp.REGEX:
        raise Refused(
            "regular-expression", "=~", "SQL's patterns are XQuery's, not Java's.", node.span
        )
    right = node.right
    if not isinstance(right, ir.Literal) or not isinstance(right.value, str):
        raise Refused("like-pattern", "LIKE", "The text that is looked for is computed.", node.span)
    if set(right.value) & set("%_\\"):
        # ESCAPE is not in GoogleSQL, and engines differ on the backslash.
        raise Refused(
            "like-pattern",
            "LIKE",
            "The text that is looked for has %, _ or a backslash.",
            node.span,
        )
    before = "" if node.op is ir.TextOp.STARTS else "%"
    after = "" if node.op is ir.TextOp.ENDS else "%"
    pattern = pgq.text(f"{before}{right.value}{after}")
    return Code(f"{_operand(pgq, node.left)} LIKE {pattern}", COMPARE)


def _operand(pgq: Pgq, node: ir.Expr) -> str:
    return pgq.side(node)


def in_list(pgq: Pgq, node: ir.In) -> str:
    scalar(node.item, "IN")
    listed = node.list
    if not isinstance(listed, ir.ListOf):
        raise Refused(
            "unsupported-expression", "IN", "SQL looks in a list that is written out.", node.span
        )
    for item in listed.items:
        scalar(item, "IN")
        comparable(node, node.item, item, equality=True)
    if not listed.items:
        return "FALSE"
    items = ", ".join(pgq.side(item) for item in listed.items)
    return OPERATORS["IN"](pgq.side(node.item), f"({items})")


def member_true(pgq: Pgq, node: ir.In) -> str:
    return pgq.emit_In(node)


def member_false(pgq: Pgq, node: ir.In) -> str:
    return pgq.negation(pgq.emit_In(node))


def arith(pgq: Pgq, node: ir.Arith) -> str:
    kinds = {kind_of(scalar(side, node.op.value)) for side in (node.left, node.right)}
    if node.op is ir.ArithOp.ADD and kinds == {Kind.STRING}:
        return Gql.emit_Arith(pgq, node)
    if not kinds <= NUMERIC:
        names = " and ".join(sorted(kinds))
        raise Refused("type", node.op.value, f"Arithmetic on {names}.", node.span)
    return Gql.emit_Arith(pgq, node)


def neg(pgq: Pgq, node: ir.Neg) -> str:
    scalar(node.arg, "-")
    taken = from_zero(node)
    return Gql.emit_Neg(pgq, node) if isinstance(taken, ir.Neg) else arith(pgq, taken)


def case_of(pgq: Pgq, node: ir.Case) -> str:
    results = [when.result for when in node.whens]
    results += [] if node.default is None else [node.default]
    for result in results:
        if result != ir.Literal(None):
            scalar(result, "CASE")
    one_type(node, results, "CASE")
    if all(result == ir.Literal(None) for result in results):
        raise Refused("dynamic-value", "CASE", "A CASE of nothing but nulls.", node.span)
    if node.operand is not None:
        for when in node.whens:
            comparable(node, scalar(node.operand, "CASE"), when.condition, equality=True)
    return Gql.emit_Case(pgq, node)


def call(pgq: Pgq, node: ir.Call) -> str:
    make = _CALLS.get(node.name)
    if make is not None:
        return make(pgq, node)
    name, kind = _FUNCTIONS.get(node.name, ("", Kind.ANY))
    if not name or len(node.args) != 1 or kind_of(node.args[0]) is not kind:
        raise Refused(
            "function", f"{node.name}()", "SQL and Cypher have no such function alike.", node.span
        )
    return Code(f"{name}({pgq.emit(node.args[0])})", CALL)


def _coalesce(pgq: Pgq, node: ir.Call) -> str:
    for arg in node.args:
        scalar(arg, "coalesce()")
    one_type(node, node.args, "coalesce()")
    if len(node.args) == 1:
        return pgq.emit(node.args[0])
    return Code(f"COALESCE({', '.join(map(pgq.emit, node.args))})", CALL)


def _null_if(pgq: Pgq, node: ir.Call) -> str:
    value, other = node.args
    comparable(node, scalar(value, "nullIf()"), scalar(other, "nullIf()"), equality=True)
    if kind_of(value) is not kind_of(other):
        raise Refused("mixed-types", "nullIf()", "The values have two types.", node.span)
    return Code(f"NULLIF({pgq.emit(value)}, {pgq.emit(other)})", CALL)


def _abs(pgq: Pgq, node: ir.Call) -> str:
    if kind_of(node.args[0]) not in NUMERIC:
        raise Refused("type", "abs()", "abs() of no number.", node.span)
    return Code(f"ABS({pgq.emit(node.args[0])})", CALL)


def _size(pgq: Pgq, node: ir.Call) -> str:
    if kind_of(node.args[0]) is not Kind.STRING:
        raise Refused("type", f"{node.name}()", "The size of no text.", node.span)
    return Code(f"CHAR_LENGTH({pgq.emit(node.args[0])})", CALL)


def _to_float(pgq: Pgq, node: ir.Call) -> str:
    if kind_of(node.args[0]) not in NUMERIC:
        raise Refused("text-to-number", "toFloat()", "A number is read from a text.", node.span)
    return Code(f"CAST({pgq.emit(node.args[0])} AS DOUBLE PRECISION)", CALL)


def _instant(pgq: Pgq, node: ir.Call) -> str:
    arg = node.args[0] if len(node.args) == 1 else None
    if not isinstance(arg, ir.Literal) or not isinstance(arg.value, str):
        raise Refused("temporal", f"{node.name}()", "A date that is no constant.", node.span)
    value = temporal.constant(node.name, arg.value)
    if node.name == "date":
        return f"DATE {spelling.string(value)}"
    return f"TIMESTAMP {spelling.string(value.replace('T', ' '))}"


_CALLS: Final[dict[str, Callable[[Pgq, ir.Call], str]]] = {
    "coalesce": _coalesce,
    "nullIf": _null_if,
    "abs": _abs,
    "size": _size,
    "char_length": _size,
    "character_length": _size,
    "toFloat": _to_float,
    "date": _instant,
    "localdatetime": _instant,
}


def agg(pgq: Pgq, node: ir.Agg) -> str:
    if node.name not in _AGGREGATES:
        raise Refused("aggregate", node.name, f"No '{node.name}' is said alike.", node.span)
    if not node.args:
        return "COUNT(*)"
    (arg,) = node.args
    if is_element(arg):
        if node.name != "count":
            raise Refused("type", node.name, f"{node.name}() of elements.", node.span)
        if not node.distinct:
            return "COUNT(*)"
        keys = pgq.key_of(arg)
        if len(keys) != 1:
            raise Refused(
                "element-key", "count()", "Elements with a key of several parts.", node.span
            )
        arg = keys[0]
    kind = kind_of(scalar(arg, f"{node.name}()"))
    if node.name in ("sum", "avg") and kind not in NUMERIC:
        raise Refused("type", node.name, f"{node.name}() of a {kind}.", node.span)
    if node.name in ("min", "max") and kind is Kind.BOOLEAN:
        raise Refused("type", node.name, "SQL has no least truth value.", node.span)
    operand = pgq.emit(arg)
    if node.name == "avg" and kind is Kind.INTEGER:
        # The standard leaves open the scale of a mean of integers.
        operand = f"CAST({operand} AS DOUBLE PRECISION)"
    distinct = "DISTINCT " if node.distinct else ""
    made = f"{_AGGREGATES[node.name]}({distinct}{operand})"
    if node.name == "sum" and (not pgq.grouped or nullable(arg)):
        return f"COALESCE({made}, 0)"
    return made
