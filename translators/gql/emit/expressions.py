"""Expressions of ISO GQL: operators, CASE, aggregates and what typed Cypher says by one spelling.

Source: ISO/IEC 39075:2024 clauses 19 and 20.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph_ir import nodes as ir
from graph_ir.rewrites import sum_or_null
from graph_ir.types import sum_over_integer
from graphmill.errors import Refused
from schemagraph.model import TEMPORAL, Kind
from translators.gql.emit.operators import (
    CALL,
    COMPARE,
    CONCAT,
    IS_NOT_NULL,
    IS_NULL,
    MINUS,
    NEGATION,
    NOT,
    OPERATORS,
    PLUS,
    PRIMARY,
    SIGN,
)
from translators.gql.emit.text import CYPHERS, delimited, identifier, number, string
from translators.gql.emit.values import as_label_test, kind_of, nullable
from translators.printing import Code, level_of, wrap

if TYPE_CHECKING:
    from translators.gql.emit.dialect import Gql


_AGGREGATES = {
    "count": "COUNT",
    "sum": "SUM",
    "avg": "AVG",
    "min": "MIN",
    "max": "MAX",
    "collect": "COLLECT_LIST",
    "stDev": "STDDEV_SAMP",
    "stDevP": "STDDEV_POP",
    "percentileCont": "PERCENTILE_CONT",
    "percentileDisc": "PERCENTILE_DISC",
}
EXISTS = "EXISTS {"
_ORDERED = (ir.CompareOp.LT, ir.CompareOp.LE, ir.CompareOp.GT, ir.CompareOp.GE)
_ELEMENTS = frozenset({Kind.NODE, Kind.EDGE, Kind.PATH})
_TEXTS = frozenset({Kind.STRING, Kind.ANY, Kind.NULL})


def identifier_text(gql: Gql, name: str) -> str:
    """A label, property, field or column name, delimited where it must be."""
    return identifier(name)


def standing(gql: Gql, name: str) -> str:
    """The same where no colon and no dot stands before it: a column's name."""
    return delimited(name) if name.upper() in CYPHERS else gql.identifier(name)


def column(gql: Gql, hint: str) -> str:
    """The name of a column that only a subquery here has: no variable is called so."""
    return gql.scope.inner().fresh(hint)


def operand(gql: Gql, node: ir.Expr, level: int) -> str:
    """The text of `node`, in parentheses where it binds less tightly than `level`."""
    return wrap(gql.emit(node), level)


def infix(gql: Gql, node: ir.Compare | ir.Arith | ir.Text) -> Code:
    """An operator between its two operands."""
    return OPERATORS[node.op](gql.emit(node.left), gql.emit(node.right))


def text(gql: Gql, value: str) -> str:
    """A character string literal."""
    return string(value)


def literal(gql: Gql, node: ir.Literal) -> str:
    value = node.value
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return gql.text(value)
    return gql.number_text(value)


def number_text(gql: Gql, value: int | float, exact: bool = False) -> str:
    text = number(value, exact)
    return Code(text, SIGN) if text.startswith("-") else text


def param(gql: Gql, node: ir.Param) -> str:
    # Digits are no identifier, but a parameter may be named so (clause 21.3).
    return f"${node.name if node.name.isdigit() else gql.identifier(node.name)}"


def variable(gql: Gql, node: ir.Var) -> str:
    name = gql.scope.names.get(node.name)
    if name is None:
        raise Refused(
            "scope", node.name, f"The variable '{node.name}' is not in scope here.", node.span
        )
    return name


def prop(gql: Gql, node: ir.Prop) -> str:
    kind = kind_of(node.base)
    if kind in TEMPORAL:
        return gql.component(node)
    if kind is Kind.ANY and isinstance(node.base, ir.Prop) and node.key in gql.components:
        raise Refused(
            "untyped-component",
            node.key,
            f"'.{node.key}' is a field of a record or a part of a date; the type of what "
            "stands before it is not known.",
            node.span,
        )
    return f"{_base(gql, node.base)}.{gql.identifier(node.key)}"


def _base(gql: Gql, node: ir.Expr) -> str:
    """What a property is taken of; parsers want parentheses around all but names."""
    text = gql.emit(node)
    return text if isinstance(node, ir.Var | ir.Prop | ir.Param) else f"({text})"


def component(gql: Gql, node: ir.Prop) -> str:
    """A part of a temporal value; `functions` says which can be had."""
    raise NotImplementedError


def condition(gql: Gql, node: ir.Expr) -> str:
    """A predicate where null and false do the same: WHERE, FILTER, WHEN."""
    if isinstance(node, ir.Bool) and node.op is not ir.BoolOp.XOR:
        return OPERATORS[node.op].chain(map(gql.condition, node.args))
    if isinstance(node, ir.Not):
        return gql.is_false(node.arg)
    return gql.is_true(node)


def is_true(gql: Gql, node: ir.Expr) -> str:
    """A text that is true where `node` is true, and false or null elsewhere."""
    return gql.emit(node)


def is_false(gql: Gql, node: ir.Expr) -> str:
    """A text that is true where `node` is false, and false or null elsewhere."""
    if isinstance(node, ir.Not):
        return gql.condition(node.arg)
    return _denied(gql, node)


def negation(gql: Gql, text: str) -> str:
    """NOT before a predicate."""
    return Code(f"NOT {text}", NOT) if text.startswith(EXISTS) else NEGATION(text)


def compare(gql: Gql, node: ir.Compare) -> str:
    if node.op in _ORDERED and {kind_of(node.left), kind_of(node.right)} & _ELEMENTS:
        raise Refused(
            "element-comparison", node.op.value, "GQL does not order elements.", node.span
        )
    special = gql.compare_special(node)
    if special is not None:
        return special
    return OPERATORS[node.op](gql.side(node.left), gql.side(node.right))


def compare_special(gql: Gql, node: ir.Compare) -> str | None:
    """A comparison that GQL says in another way, or None."""
    return None


def side(gql: Gql, node: ir.Expr) -> str:
    if isinstance(node, ir.Literal) and isinstance(node.value, float):
        return gql.number_text(node.value, exact=True)
    return gql.operand(node, PLUS)


def connective(gql: Gql, node: ir.Bool) -> str:
    return OPERATORS[node.op].chain(map(gql.emit, node.args))


def not_(gql: Gql, node: ir.Not) -> str:
    return _denied(gql, node.arg)


def _denied(gql: Gql, node: ir.Expr) -> str:
    node = as_label_test(node)
    if isinstance(node, ir.LabelTest) and isinstance(node.arg, ir.Var):
        edge = _is_edge(gql, node.arg)
        return gql.label_test(gql.emit(node.arg), node.labels, edge=edge, negated=True)
    return gql.negation(gql.emit(node))


def is_null(gql: Gql, node: ir.IsNull) -> str:
    return (IS_NOT_NULL if node.negated else IS_NULL)(gql.emit(node.arg))


def label_test_of(gql: Gql, node: ir.LabelTest) -> str:
    if not isinstance(node.arg, ir.Var):
        raise Refused(
            "label-test",
            "label test",
            "GQL tests the labels of a variable, not of an expression.",
            node.span,
        )
    return gql.label_test(gql.emit(node.arg), node.labels, edge=_is_edge(gql, node.arg))


def _is_edge(gql: Gql, node: ir.Var) -> bool:
    """Whether a variable stands for an edge."""
    return kind_of(node) is Kind.EDGE or gql.scope.names.get(node.name) in gql.edges


def label_test(
    gql: Gql, variable: str, labels: ir.LabelExpr, *, edge: bool, negated: bool = False
) -> str:
    """`variable IS [NOT] LABELED labels`; `edge` says what the variable stands for."""
    middle = "IS NOT LABELED" if negated else "IS LABELED"
    return Code(f"{variable} {middle} {gql.emit(labels)}", COMPARE)


def text_test(gql: Gql, node: ir.Text) -> str:
    sides = (node.left, node.right)
    if ir.Literal(None) in sides or any(kind_of(side) not in _TEXTS for side in sides):
        return "NULL"  # what is no string has no parts
    match node.op:
        case ir.TextOp.STARTS:
            return gql.affix("LEFT", node)
        case ir.TextOp.ENDS:
            return gql.affix("RIGHT", node)
        case ir.TextOp.CONTAINS | ir.TextOp.REGEX if gql.TEXT_TESTS:
            return gql.infix(node)
        case ir.TextOp.CONTAINS:
            raise Refused(
                "contains", "CONTAINS", "ISO GQL has no test for a part of a string.", node.span
            )
        case ir.TextOp.REGEX:
            raise Refused(
                "regular-expression", "=~", "ISO GQL has no regular expressions.", node.span
            )


def affix(gql: Gql, function: str, node: ir.Text) -> str:
    right = gql.side(node.right)
    if isinstance(node.right, ir.Literal) and isinstance(node.right.value, str):
        length = str(len(node.right.value))
    else:
        length = f"CHAR_LENGTH({right})"
    return OPERATORS[ir.CompareOp.EQ](f"{function}({gql.emit(node.left)}, {length})", right)


def arith(gql: Gql, node: ir.Arith) -> str:
    left, right = kind_of(node.left), kind_of(node.right)
    match node.op:
        case ir.ArithOp.ADD if Kind.LIST in (left, right):
            return gql.joined_lists(node, left, right)
        case ir.ArithOp.ADD if Kind.STRING in (left, right):
            return _joined_texts(gql, node)
        case ir.ArithOp.ADD | ir.ArithOp.SUB:
            return gql.infix(node)
        case ir.ArithOp.MUL:
            return gql.infix(node)
        case ir.ArithOp.DIV:
            return _quotient(gql, node, both={left, right} == {Kind.INTEGER})
        case ir.ArithOp.MOD:
            if Kind.FLOAT in (left, right):
                raise Refused(
                    "modulo-float", "%", "GQL has a remainder of integers only.", node.span
                )
            gql.known_number(node)
            return gql.remainder(node)
        case ir.ArithOp.POW:
            return Code(f"POWER({gql.emit(node.left)}, {gql.emit(node.right)})", CALL)


def known_number(gql: Gql, node: ir.Arith) -> None:
    """Refuse an operation of numbers that may both be integers, and may not be."""
    known = {kind_of(node.left), kind_of(node.right)} == {Kind.INTEGER}
    mere = isinstance(node.left, ir.Agg | ir.Var | ir.Call)  # what is made of it is not read back
    if node.op is ir.ArithOp.DIV and mere and sum_over_integer(node.left.type, node.right.type):
        return
    if not gql.DIVISION_TRUNCATES and not known and not no_integer(node):
        raise Refused(
            "mixed-numbers",
            node.op.value,
            "Whether these numbers are integers is not known; GQL leaves open the scale of "
            "a quotient of integers, which Cypher truncates.",
            node.span,
        )


def remainder(gql: Gql, node: ir.Arith) -> str:
    """The remainder of the two integers of `node`."""
    return Code(f"MOD({gql.emit(node.left)}, {gql.emit(node.right)})", CALL)


def _quotient(gql: Gql, node: ir.Arith, *, both: bool) -> str:
    right = gql.emit(node.right)
    left = gql.emit(node.left)
    if both and not gql.DIVISION_TRUNCATES:
        # Exact under every precision that an implementation may choose.
        left = OPERATORS[ir.ArithOp.SUB](left, gql.remainder(node))
    else:
        gql.known_number(node)
    return OPERATORS[ir.ArithOp.DIV](left, right)


def joined_lists(gql: Gql, node: ir.Arith, left: Kind, right: Kind) -> str:
    """`+` with a list: both lists, or a list and one more item."""
    check_joined(node)
    parts: list[str] = []
    for kind, part in ((left, node.left), (right, node.right)):
        if kind is Kind.LIST:
            parts.append(_link(gql, part, last=bool(parts)))
        else:
            parts.append(f"[{gql.emit(part)}]")
    return Code(" || ".join(parts), CONCAT)


def check_joined(node: ir.Arith) -> None:
    """Refuse a list and what may be null, or a list, added."""
    for part in (node.left, node.right):
        kind = kind_of(part)
        if kind is not Kind.LIST and (kind is Kind.ANY or nullable(part)):
            raise Refused(
                "untyped-plus",
                "+",
                "A list and a value that can be null or a list are added.",
                node.span,
            )


def _joined_texts(gql: Gql, node: ir.Arith) -> str:
    parts = [_link(gql, _as_text(gql, node.left), last=False)]
    parts.append(_link(gql, _as_text(gql, node.right), last=True))
    return Code(" || ".join(parts), CONCAT)


def _as_text(gql: Gql, node: ir.Expr) -> ir.Expr:
    """`node` beside a string: what is no string is printed, as Cypher prints it."""
    if kind_of(node) in (Kind.STRING, Kind.ANY, Kind.NULL):
        return node
    return ir.Call("toString", (node,), span=node.span)


def _link(gql: Gql, node: ir.Expr, *, last: bool) -> str:
    # Clause 20.23: what follows `||` is a primary.
    text = gql.emit(node)
    return text if not last and level_of(text) in (CALL, CONCAT) else wrap(text, PRIMARY)


def neg(gql: Gql, node: ir.Neg) -> str:
    return MINUS(gql.emit(node.arg))


def case_of(gql: Gql, node: ir.Case) -> str:
    total = sum_or_null(node)
    if total is not None:
        return gql.aggregate(total)
    if node.operand is not None and not _simple(node):
        node = _searched(node, node.operand)
    head = "CASE" if node.operand is None else f"CASE {gql.operand(node.operand, PRIMARY)}"
    parts = [head]
    for when in node.whens:
        test = gql.condition(when.condition) if node.operand is None else None
        test = test or gql.emit(when.condition)
        parts.append(f"WHEN {test} THEN {gql.emit(when.result)}")
    if node.default is not None:
        parts.append(f"ELSE {gql.emit(node.default)}")
    return " ".join([*parts, "END"])


def when(gql: Gql, node: ir.When) -> str:
    return f"WHEN {gql.condition(node.condition)} THEN {gql.emit(node.result)}"


def entry(gql: Gql, node: ir.Entry) -> str:
    return f"{gql.identifier(node.key)}: {gql.emit(node.value)}"


def map_of(gql: Gql, node: ir.MapOf) -> str:
    return "{" + ", ".join(gql.emit(entry) for entry in node.entries) + "}"


def map_projection(gql: Gql, node: ir.MapProjection) -> str:
    if node.all_properties:
        raise Refused(
            "all-properties",
            ".*",
            "ISO GQL cannot list the properties that an element has.",
            node.span,
        )
    record = gql.emit(ir.MapOf(node.entries))
    if not nullable(node.base):
        return record
    return f"CASE WHEN {IS_NOT_NULL(gql.emit(node.base))} THEN {record} END"


def agg(gql: Gql, node: ir.Agg) -> str:
    text = gql.aggregate(node)
    if node.name == "stDev":
        # Of one value it is 0 in Cypher, and null in GQL.
        number = gql.aggregate(ir.Agg("count", node.args, node.distinct))
        return f"CASE WHEN {number} = 1 THEN 0.0E0 ELSE {text} END"
    sure = gql.grouped and not any(nullable(arg) for arg in node.args)
    if node.name != "sum" or sure:
        return text
    zero = gql.NO_DURATIONS if kind_of(node.args[0]) is Kind.DURATION else "0"
    return f"COALESCE({text}, {zero})"


def aggregate(gql: Gql, node: ir.Agg) -> str:
    """The bare aggregate function, which is null over nothing where Cypher's is not."""
    if node.name not in _AGGREGATES:
        raise Refused("aggregate", node.name, f"ISO GQL has no aggregate '{node.name}'.", node.span)
    if not node.args:
        return "COUNT(*)"
    distinct = "DISTINCT " if node.distinct else ""
    arguments = ", ".join(gql.emit(arg) for arg in node.args)
    return f"{_AGGREGATES[node.name]}({distinct}{arguments})"


def _simple(node: ir.Case) -> bool:
    """Whether the simple form of CASE may be kept: primaries only (clause 20.7)."""
    operand = node.operand
    if not isinstance(operand, ir.Var | ir.Prop):
        return False
    if isinstance(operand, ir.Prop) and kind_of(operand.base) in TEMPORAL:
        return False
    return all(
        isinstance(when.condition, ir.Literal)
        and when.condition.value is not None
        and not (isinstance(when.condition.value, int | float) and when.condition.value < 0)
        for when in node.whens
    )


def _searched(node: ir.Case, operand: ir.Expr) -> ir.Case:
    whens = tuple(
        ir.When(ir.Compare(ir.CompareOp.EQ, operand, when.condition), when.result)
        for when in node.whens
    )
    return ir.Case(whens, node.default, type=node.type)


def no_integer(node: ir.Expr) -> bool:
    """Whether a value is certainly no integer: it is a float, or computed with one."""
    if isinstance(node, ir.Arith):
        if node.op is ir.ArithOp.POW:
            return True
        return no_integer(node.left) or no_integer(node.right)
    if isinstance(node, ir.Neg):
        return no_integer(node.arg)
    return node.type.kind is not Kind.ANY and not node.type.may_be_whole
