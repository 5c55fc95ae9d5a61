"""Operators, aggregates and lists in Spanner's GQL: GoogleSQL's expressions.

The reason of each difference stands beside it; pages are those of the GoogleSQL reference for
Spanner. Values said to be equal were computed with GoogleSQL's reference implementation.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from graph_ir import nodes as ir
from graph_ir.lowerings import ends_before
from graph_ir.numbers import may_be_nan
from graph_ir.types import arithmetic
from graphmill.errors import Refused
from schemagraph.model import NUMERIC, Kind
from schemagraph.spanner import spanner_type
from translators.gql.emit.dialect import Gql
from translators.gql.emit.expressions import no_integer
from translators.gql.emit.lists import Rows
from translators.gql.emit.operators import (
    CALL,
    COMPARE,
    CONCAT,
    IS_NOT_NULL,
    IS_NULL,
    OPERATORS,
    PLUS,
    PRIMARY,
)
from translators.gql.emit.text import GOOGLESQL, delimited, identifier, is_variable
from translators.gql.emit.values import kind_of, nullable
from translators.gql.spanner.floats import (
    beside,
    in_one_type,
    in_range,
    meet_as_floats,
    mixed,
    not_a_number,
)
from translators.gql.spanner.types import (
    ELEMENTS,
    comparable,
    item_kind,
    known,
    one_type,
    only_nulls,
    storable,
    typed_null,
    with_items,
)
from translators.printing import Code, Infix, wrap

if TYPE_CHECKING:
    from translators.gql.spanner.dialect import Spanner


# STDDEV_POP and the percentiles are not among Spanner's aggregate functions.
_AGGREGATES = {
    "count": "COUNT",
    "sum": "SUM",
    "avg": "AVG",
    "min": "MIN",
    "max": "MAX",
    "collect": "ARRAY_AGG",
    "stDev": "STDDEV_SAMP",
}
_UNKNOWN = "CAST(NULL AS BOOL)"
_PLAIN = frozenset({Kind.BOOLEAN, Kind.INTEGER, Kind.FLOAT, Kind.STRING, Kind.DATE})
_MEASURED = frozenset({*_PLAIN, Kind.DATETIME, Kind.ZONED_DATETIME, Kind.ANY})


def allowed_variable(name: str) -> bool:
    """Whether GoogleSQL takes `name` as a variable without quotes (ASCII, not reserved).

    >>> allowed_variable("movie"), allowed_variable("hash"), allowed_variable("café")
    (True, False, False)
    """
    return is_variable(name) and name.isascii() and name.upper() not in GOOGLESQL


def identifier_text(gql: Spanner, name: str) -> str:
    # "Lexical structure": unquoted identifiers are ASCII; quoted ones take escapes.
    text = identifier(name)
    if text == name and (not name.isascii() or name.upper() in GOOGLESQL):
        return delimited(name)
    return text


def graph(gql: Spanner) -> str:
    """`GRAPH name`, with which a text begins, and a subquery that matches nothing first."""
    return f"GRAPH {gql.identifier(gql.names.schema.name)}"


def body(gql: Spanner, text: str) -> str:
    """The inside of a subquery; without MATCH in front it must name its graph."""
    return text if text.startswith(("MATCH ", "OPTIONAL MATCH ")) else f"{gql.graph()} {text}"


def number_text(gql: Spanner, value: int | float, exact: bool = False) -> str:
    if isinstance(value, int) and not -(2**63) < value < 2**63:
        raise Refused("integer-range", str(value), "An INT64 has 64 bits.")
    return Gql.number_text(gql, value, exact=True)  # 1.5 is a FLOAT64, "Lexical structure"


def param(gql: Spanner, node: ir.Param) -> str:
    # "Query parameters" are @name; the name is an identifier.
    if not node.name.isidentifier() or not node.name.isascii():
        raise Refused(
            "parameter", f"${node.name}", "Spanner's parameters have plain names.", node.span
        )
    return f"@{node.name}"


def compare(gql: Spanner, node: ir.Compare) -> str:
    special = gql.compare_special(node)
    if special is not None:
        return special
    equality = node.op in (ir.CompareOp.EQ, ir.CompareOp.NE)
    comparable(node, node.left, node.right, equality=equality)
    gql.instants(node.op.value, node.left, node.right)
    node = replace(
        node, left=beside(gql, node.left, node.right), right=beside(gql, node.right, node.left)
    )
    sides = []
    for side, other in ((node.left, node.right), (node.right, node.left)):
        text = gql.side(side)
        if side == ir.Literal(None):
            # "Operands of = cannot be literal NULL": the same null with a type.
            text = typed_null(other) or "CAST(NULL AS INT64)"
        sides.append(text)
    return OPERATORS[node.op](*sides)


def is_null(gql: Spanner, node: ir.IsNull) -> str:
    # IS NULL takes no elements; an element and its identifier are null together.
    match kind_of(node.arg):
        case Kind.NODE | Kind.EDGE:
            text = f"ELEMENT_ID({gql.emit(node.arg)})"
        case Kind.PATH:
            text = f"PATH_LENGTH({gql.emit(node.arg)})"
        case _:
            return Gql.emit_IsNull(gql, node)
    return (IS_NOT_NULL if node.negated else IS_NULL)(text)


# No XOR: of BOOL it is this, unknown where a side is.
_UNEQUAL = Infix(" <> ", COMPARE, PRIMARY, CONCAT)


def connective(gql: Spanner, node: ir.Bool) -> str:
    if node.op is not ir.BoolOp.XOR:
        return Gql.emit_Bool(gql, node)
    text = _truth(gql, node.args[0])
    for arg in node.args[1:]:
        text = _UNEQUAL(text, _truth(gql, arg))
    return text


def _truth(gql: Spanner, node: ir.Expr) -> str:
    # "Operands of <> cannot be literal NULL".
    return _UNKNOWN if node == ir.Literal(None) else gql.emit(node)


def negation(gql: Spanner, text: str) -> str:
    # "Operands of NOT cannot be literal NULL".
    return _UNKNOWN if text == "NULL" else Gql.negation(gql, text)


def text_test(gql: Spanner, node: ir.Text) -> str:
    # "String functions": of an empty text all three are true, of NULL they are NULL.
    one_type(node, (node.left, node.right), node.op.value)
    left, right = gql.emit(node.left), gql.emit(node.right)
    if ir.Literal(None) in (node.left, node.right):
        return _UNKNOWN
    if kind_of(node.left) not in (Kind.STRING, Kind.ANY):
        raise Refused("type", node.op.value, "The left side is no text.", node.span)
    match node.op:
        case ir.TextOp.STARTS:
            return Code(f"STARTS_WITH({left}, {right})", CALL)
        case ir.TextOp.ENDS:
            return Code(f"ENDS_WITH({left}, {right})", CALL)
        case ir.TextOp.CONTAINS:
            return OPERATORS[ir.CompareOp.GT](f"STRPOS({left}, {right})", "0")
        case ir.TextOp.REGEX:
            # RE2 and Java's patterns differ in classes, in line ends and in case.
            raise Refused(
                "regular-expression", "=~", "RE2 is not Java's language of patterns.", node.span
            )


def among(gql: Spanner, node: ir.In, listed: ir.ListOf) -> str:
    # "Operators", IN: three-valued as an OR of equalities is.
    if any(kind_of(item) in ELEMENTS for item in (node.item, *listed.items)):
        return Gql.among(gql, node, listed)
    if meet_as_floats(node.item, *listed.items):
        return Gql.among(gql, node, listed)
    for item in listed.items:
        comparable(node, node.item, item, equality=True)
    gql.instants("IN", node.item, *listed.items)
    listed = replace(listed, items=tuple(beside(gql, item, node.item) for item in listed.items))
    if not listed.items:
        return "FALSE"
    null = typed_null(listed.items[0]) if node.item == ir.Literal(None) else None
    text = null or gql.emit(node.item)
    return OPERATORS["IN"](text, f"({', '.join(gql.side(i) for i in listed.items)})")


def member_true(gql: Spanner, node: ir.In) -> str:
    if isinstance(node.list, ir.ListOf) or _among_labels(gql, node):
        return gql.emit_In(node)
    if not _plain_list(gql, node):
        return Gql.member_true(gql, node)
    return _unnested(gql, node)


def member_false(gql: Spanner, node: ir.In) -> str:
    if isinstance(node.list, ir.ListOf) or _among_labels(gql, node):
        return gql.negation(gql.emit_In(node))
    if not _plain_list(gql, node):
        return Gql.member_false(gql, node)
    text = gql.negation(_unnested(gql, node))
    if not nullable(node.list):
        return text
    return f"CASE WHEN {IS_NOT_NULL(gql.emit(node.list))} THEN {text} END"


def in_list(gql: Spanner, node: ir.In) -> str:
    if not isinstance(node.list, ir.ListOf) and node.list.type.item is not None:
        node = replace(node, item=beside(gql, node.item, ir.Var("", type=node.list.type.item)))
    if not _plain_list(gql, node):
        return Gql.emit_In(gql, node)
    text = _unnested(gql, node)
    if not nullable(node.list):
        return text
    # "IN": of an UNNEST of a NULL array it is FALSE, in Cypher null.
    return f"CASE WHEN {IS_NOT_NULL(gql.emit(node.list))} THEN {text} END"


def _plain_list(gql: Spanner, node: ir.In) -> bool:
    """Whether membership is that of an array, and nothing that the schema answers."""
    if isinstance(node.list, ir.ListOf):
        return False
    if kind_of(node.item) is Kind.FLOAT and item_kind(node.list.type) is Kind.INTEGER:
        return False  # "IN": no float is looked for in an array of integers
    return not _among_labels(gql, node)


def _among_labels(gql: Spanner, node: ir.In) -> bool:
    return isinstance(node.list, ir.Call) and node.list.name == "labels"


def _unnested(gql: Spanner, node: ir.In) -> str:
    known(node.list, "IN")
    kind = item_kind(node.list.type)
    comparable(
        node, node.item, ir.Var("", type=node.list.type.item or node.item.type), equality=True
    )
    if kind in ELEMENTS or kind_of(node.item) in ELEMENTS:
        raise Refused(
            "element-comparison", "IN", "Spanner unnests no lists of elements here.", node.span
        )
    gql.instants("IN", node.item)
    return OPERATORS["IN"](gql.emit(node.item), f"UNNEST({gql.emit(node.list)})")


def arith(gql: Spanner, node: ir.Arith) -> str:
    left, right = kind_of(node.left), kind_of(node.right)
    kinds = {left, right} - {Kind.NULL}
    for side in (node.left, node.right):
        if side == ir.Literal(None):
            known(side, node.op.value)  # "Operands of + cannot be literal NULL"
    if node.op is ir.ArithOp.ADD and kinds & {Kind.LIST, Kind.STRING}:
        if Kind.LIST in kinds:
            first, second = with_items((node.left, node.right))
            node = replace(node, left=first, right=second)
            _joinable(gql, node)
        return Gql.emit_Arith(gql, node)
    if not kinds <= {*NUMERIC, Kind.ANY}:
        names = " and ".join(sorted(kinds))
        raise Refused("type", node.op.value, f"Arithmetic on {names}.", node.span)
    if Kind.ANY in kinds and node.op in (ir.ArithOp.ADD, ir.ArithOp.DIV, ir.ArithOp.MOD):
        raise Refused(
            "untyped-plus", node.op.value, "The types of the operands are not known.", node.span
        )
    in_range(node)
    if node.op is ir.ArithOp.DIV:
        return _divided(gql, node, kinds)
    return Gql.emit_Arith(gql, node)


def neg(gql: Spanner, node: ir.Neg) -> str:
    known(node.arg, "-")
    return Gql.emit_Neg(gql, node)


def _joinable(gql: Spanner, node: ir.Arith) -> None:
    for part in (node.left, node.right):
        storable(part, "+")
    parts = [
        item_kind(p.type) if kind_of(p) is Kind.LIST else kind_of(p)
        for p in (node.left, node.right)
    ]
    if len({*parts} - {Kind.ANY, Kind.NULL}) > 1:
        raise Refused("mixed-types", "+", "A list would hold several types.", node.span)


def _divided(gql: Spanner, node: ir.Arith, kinds: set[Kind]) -> str:
    """`/` of GoogleSQL is that of FLOAT64, and an error where the divisor is 0."""
    left, right = gql.emit(node.left), gql.emit(node.right)
    if kinds == {Kind.INTEGER}:
        # DIV truncates as Cypher does; both raise an error for 0.
        return Code(f"DIV({left}, {right})", CALL)
    if not no_integer(node):
        spread = _spread(node)
        if spread is not None:
            return gql.emit(spread)
        gql.known_number(node)
    divisor = node.right.value if isinstance(node.right, ir.Literal) else 0
    if isinstance(divisor, int | float) and divisor != 0:
        return OPERATORS[ir.ArithOp.DIV](left, right)
    # 1.0 / 0 is infinite in Cypher.
    return Code(f"IEEE_DIVIDE({left}, {right})", CALL)


def case_of(gql: Spanner, node: ir.Case) -> str:
    match node:
        case ir.Case(
            (ir.When(ir.Compare(ir.CompareOp.EQ, ir.Call("btrim", args), empty), result),),
            ir.Call("rtrim", trimmed) as rest,
        ) if args == trimmed and empty == result == ir.Literal(""):
            return gql.emit(rest)  # which leaves nothing then, anyway
    results = [when.result for when in node.whens]
    typed = with_items([*results, *([node.default] if node.default is not None else [])])
    one_type(node, typed, "CASE")
    mixed(gql, "CASE", *typed)
    node = replace(
        node,
        whens=tuple(replace(w, result=r) for w, r in zip(node.whens, typed, strict=False)),
        default=None if node.default is None else typed[-1],
    )
    if node.operand is not None:
        operand = node.operand
        for when in node.whens:
            comparable(node, operand, when.condition, equality=True)
        whens = (
            replace(when, condition=beside(gql, when.condition, operand)) for when in node.whens
        )
        node = replace(node, whens=tuple(whens))
    return Gql.emit_Case(gql, node)


def coalesced(gql: Spanner, node: ir.Call) -> str:
    typed = with_items(node.args)
    one_type(node, typed, "coalesce()")
    in_one_type(*node.args)
    mixed(gql, "coalesce()", *typed)
    return Gql.coalesced(gql, replace(node, args=typed))


def null_if(gql: Spanner, node: ir.Call) -> str:
    """`nullIf(a, b)`, whose type is that of `a` in Cypher and that of both in GoogleSQL."""
    value, other = node.args
    comparable(node, value, other, equality=True)
    gql.instants("nullIf()", value, other)
    first, second = gql.emit(value), gql.emit(other)
    if ir.Literal(None) in node.args or kind_of(value) is kind_of(other):
        return Code(f"NULLIF({first}, {second})", CALL)
    beside(gql, value, other)
    beside(gql, other, value)
    return Code(f"IF({gql.side(value)} = {gql.side(other)}, NULL, {first})", CALL)


def aggregate(gql: Spanner, node: ir.Agg) -> str:
    if node.name not in _AGGREGATES:
        raise Refused("aggregate", node.name, f"Spanner has no aggregate '{node.name}'.", node.span)
    if not node.args:
        return "COUNT(*)"
    arg = node.args[0]
    kind = kind_of(arg)
    text = gql.emit(arg)
    if node.name == "count" and kind in (Kind.NODE, Kind.EDGE):
        # COUNT takes no elements; an element and its identifier are null together.
        if not node.distinct and not nullable(arg):
            return "COUNT(*)"
        text = f"ELEMENT_ID({text})"
    elif node.name in ("min", "max", "sum", "avg") and kind not in _MEASURED:
        raise Refused("type", node.name, f"{node.name}() of a {kind}.", node.span)
    elif node.name == "collect" or node.distinct:
        storable(arg, f"{node.name}()")
        if kind is Kind.LIST:
            raise Refused("nested-list", f"{node.name}()", "An array holds no arrays.", node.span)
    elif kind in (Kind.PATH, Kind.MAP):
        storable(arg, f"{node.name}()")
    if node.name == "collect" and gql.ordered:
        raise Refused(
            "collected-order",
            "collect()",
            "Rows are ordered before they are collected; ARRAY_AGG keeps no order.",
            node.span,
        )
    if node.distinct:
        gql.instants("DISTINCT", arg)
    if node.name in ("min", "max"):
        gql.instants(f"{node.name}()", arg)
    if node.name == "min" and kind is Kind.FLOAT and may_be_nan(arg, gql.nan):
        not_a_number(gql, arg)
    distinct = "DISTINCT " if node.distinct else ""
    # ARRAY_AGG keeps nulls, collect() drops them.
    ignored = " IGNORE NULLS" if node.name == "collect" else ""
    return f"{_AGGREGATES[node.name]}({distinct}{text}{ignored})"


def agg(gql: Spanner, node: ir.Agg) -> str:
    text = Gql.emit_Agg(gql, node)
    if node.name != "collect":
        return text
    # "Aggregate functions": ARRAY_AGG of no rows is NULL.
    sure = gql.grouped and not nullable(node.args[0])
    return text if sure else f"COALESCE({text}, [])"


def sort_key(gql: Spanner, text: str, key: ir.SortKey, meaning: ir.Expr) -> str:
    # "Query syntax", ORDER BY: NULLs are the least; NULLS LAST is not in Spanner's profile.
    plain = Gql.sort_key(gql, text, key, meaning)
    storable(meaning, "ORDER BY")
    gql.instants("ORDER BY", meaning)
    if " NULLS " not in plain:
        return plain
    first = IS_NULL(text)
    return f"{first} DESC, {text} DESC" if key.descending else f"{first}, {text}"


def list_of(gql: Spanner, node: ir.ListOf) -> str:
    one_type(node, node.items, "A list")
    mixed(gql, "list", *node.items)
    for item in node.items:
        storable(item, "list")
        if kind_of(item) is Kind.LIST:
            raise Refused("nested-list", "[ ]", "An array holds no arrays.", node.span)
    of = spanner_type(node.type) if only_nulls(node) else None
    if of is not None and item_kind(node.type) is not Kind.NULL:
        return f"{of}{Gql.emit_ListOf(gql, node)}"  # else of INT64
    return Gql.emit_ListOf(gql, node)


def some(gql: Spanner, rows: Rows, test: str) -> str:
    filtered = f"FOR {rows.item} IN {wrap(rows.list, PRIMARY)} FILTER {test} "
    filtered += f"RETURN 1 AS {gql.column('one')}"
    return Code(f"EXISTS {{{gql.body(filtered)}}}", COMPARE)


def number_of(gql: Spanner, rows: Rows) -> str:
    filtered = f"FOR {rows.item} IN {wrap(rows.list, PRIMARY)} FILTER {rows.test}"
    return f"VALUE {{{gql.body(filtered)} RETURN COUNT(*) AS {gql.column('total')}}}"


def unknown(gql: Spanner, test: str) -> str:
    return f"{wrap(test, PRIMARY)} IS NULL"  # no IS UNKNOWN


def counted(gql: Spanner, node: ir.ListComp) -> str:
    text = _from_rows(gql, node, f"COUNT(*) AS {gql.column('total')}")
    if not nullable(node.list):
        return f"VALUE {{{text}}}"
    listed = gql.operand(node.list, PRIMARY)
    return f"CASE WHEN {listed} IS NOT NULL THEN VALUE {{{text}}} END"


def list_comp(gql: Spanner, node: ir.ListComp) -> str:
    # "GQL subqueries", ARRAY: keeps nulls, never NULL; the offset keeps the order.
    if node.result is not None:
        storable(node.result, "list comprehension")
        known(node.result, "A list")
        if kind_of(node.result) is Kind.LIST:
            raise Refused("nested-list", "[ | ]", "An array holds no arrays.", node.span)
    text = f"ARRAY {{{_from_rows(gql, node, None)}}}"
    if not nullable(node.list):
        return text
    return f"CASE WHEN {IS_NOT_NULL(gql.emit(node.list))} THEN {text} END"


def _from_rows(gql: Spanner, node: ir.ListComp, counted: str | None) -> str:
    _known_list(gql, node.list)
    listed = gql.operand(node.list, PRIMARY)
    outer, gql.scope = gql.scope, gql.scope.inner()
    item, place = gql.scope.bind(node.var), gql.scope.fresh("place")
    test = f" FILTER {gql.condition(node.where)}" if node.where is not None else ""
    result = gql.emit(node.result) if node.result is not None else item
    value = gql.scope.fresh("result")
    gql.scope = outer
    shown = counted or f"{result} AS {value} ORDER BY {place}"
    offset = "" if counted else f" WITH OFFSET AS {place}"
    return gql.body(f"FOR {item} IN {listed}{offset}{test} RETURN {shown}")


def item_at(gql: Spanner, base: ir.Expr, index: ir.Expr, suffix: str = "") -> str:
    # "Operators", array subscript: SAFE_OFFSET is NULL outside of the array.
    _known_list(gql, base)
    listed = gql.operand(base, PRIMARY)
    end = f"ARRAY_LENGTH({listed})"
    if isinstance(index, ir.Literal) and isinstance(index.value, int):
        number = gql.number_text(abs(index.value))
        at = number if index.value >= 0 else f"{end} - {number}"
    elif kind_of(index) is Kind.INTEGER:
        place = gql.operand(index, PLUS)
        at = f"IF({place} < 0, {end} + {place}, {place})"
    else:
        raise Refused("type", "[ ]", "An index is no integer.", index.span)
    return f"{listed}[SAFE_OFFSET({at})]{suffix}"


def slice_of(gql: Spanner, node: ir.Slice) -> str:
    # "Array functions", ARRAY_SLICE: both ends belong to it, negative ones count from the end.
    _known_list(gql, node.base)
    bounds = []
    for bound in (node.lo, node.hi):
        value = bound.value if isinstance(bound, ir.Literal) else None
        if bound is not None and not isinstance(value, int):
            raise Refused(
                "slice-bound", "[ .. ]", "The bound of a slice is no number here.", node.span
            )
        bounds.append(value)
    low = bounds[0] if isinstance(bounds[0], int) else 0
    high = bounds[1] - 1 if isinstance(bounds[1], int) else -1
    if bounds[1] == 0:
        low, high = 1, 0  # nothing
    ends = f"{gql.number_text(low)}, {gql.number_text(high)}"
    return Code(f"ARRAY_SLICE({gql.emit(node.base)}, {ends})", CALL)


def range_of(gql: Spanner, node: ir.Call) -> str:
    # "Array functions", GENERATE_ARRAY: both ends belong to it, as in range().
    if any(kind_of(arg) is not Kind.INTEGER for arg in node.args):
        raise Refused("range", "range()", "The bounds of a range are no integers.", node.span)
    whole = [a.value for a in node.args if isinstance(a, ir.Literal) and isinstance(a.value, int)]
    if len(whole) == 3 and whole[2] and ends_before(whole[0], whole[1], whole[2]):
        return Code(f"[{gql.emit(node.args[0])}]", CALL)
    texts = [gql.emit(arg) for arg in node.args]
    text = f"GENERATE_ARRAY({', '.join(texts)})"
    if len(texts) == 3 and len(whole) < 3:
        start, end, step = (f"({each})" for each in texts)
        away = f"SIGN({end} - {start}) = -SIGN({step}) AND ABS({end} - {start}) < ABS({step})"
        return Code(f"CASE WHEN {away} THEN [{start}] ELSE {text} END", CALL)
    return Code(text, CALL)


def quantified(gql: Spanner, node: ir.Quantifier) -> Rows:
    _known_list(gql, node.list)
    return Gql.quantified(gql, node)


def _known_list(gql: Spanner, node: ir.Expr) -> None:
    """FOR and subscripts want an array; an undeclared parameter is none."""
    known(node, "A list")
    if isinstance(node, ir.Param):
        raise Refused("parameter", f"${node.name}", "A parameter is no list here.", node.span)


def unwind(gql: Spanner, node: ir.Unwind) -> str:
    _known_list(gql, node.expr)
    if kind_of(node.expr) in (*ELEMENTS, Kind.MAP):
        storable(node.expr, "UNWIND")
    return Gql.emit_Unwind(gql, node)


def map_of(gql: Spanner, node: ir.MapOf) -> str:
    raise Refused("map-value", "{ }", "A map has no exact form in Spanner's GQL.", node.span)


def _spread(node: ir.Arith) -> ir.Case | None:
    """`coalesce(a, b) / c` as CASE of `a / c` and `b / c`: each is of integers or of floats."""
    for side in (node.left, node.right):
        branches = _branches(side) if side.type.mixed else None
        if branches is None:
            continue

        def divided(value: ir.Expr, side: ir.Expr = side) -> ir.Expr:
            parts = (value, node.right) if side is node.left else (node.left, value)
            of = arithmetic(node.op, parts[0].type, parts[1].type)
            return ir.Arith(node.op, *parts, span=node.span, type=of or node.type)

        whens = tuple(replace(when, result=divided(when.result)) for when in branches.whens)
        default = None if branches.default is None else divided(branches.default)
        return replace(branches, whens=whens, default=default, type=node.type)
    return None


def _branches(node: ir.Expr) -> ir.Case | None:
    """The CASE that an expression is, or `coalesce` stands for."""
    if isinstance(node, ir.Call) and node.name == "coalesce":
        whens = tuple(ir.When(ir.IsNull(arg, negated=True), arg) for arg in node.args[:-1])
        return ir.Case(whens, node.args[-1], span=node.span, type=node.type)
    return node if isinstance(node, ir.Case) else None
