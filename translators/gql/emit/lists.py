"""Lists in ISO GQL, which has no indexing, no IN and no comprehensions: `FOR` does it all.

`VALUE {FOR x IN l …}` and `EXISTS {FOR x IN l …}` (ISO/IEC 39075:2024 clauses 14.8, 19.4, 20.6)
see the items as rows. Predicates keep three-valued logic: where a null and false do the same, one
EXISTS says it; elsewhere a CASE tells true, unknown and false apart. COLLECT_LIST drops nulls, so
a list whose items can be null cannot be rebuilt and is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from graph_ir import nodes as ir
from graph_ir.lowerings import range_items
from graph_ir.reference.folding import member_test
from graphmill.errors import Refused
from schemagraph.model import TEMPORAL, Kind
from translators.gql.emit import expressions
from translators.gql.emit.expressions import EXISTS
from translators.gql.emit.operators import (
    BOTH,
    COMPARE,
    EITHER,
    IS_NOT_NULL,
    IS_NULL,
    NOT,
    OPERATORS,
    PLUS,
    PRIMARY,
)
from translators.gql.emit.values import item_nullable, kind_of, nullable
from translators.printing import Code, wrap

if TYPE_CHECKING:
    from translators.gql.emit.dialect import Gql


_UNROLLED = 1000
# The functions that take one end of a list, as indexes.
ENDS = {"head": 0, "last": -1}


@dataclass(frozen=True, slots=True)
class Rows:
    """A list seen as rows: its text, the variable of an item, what can be said of them."""

    list: str
    item: str
    test: str
    test_nullable: bool
    list_nullable: bool


def list_of(gql: Gql, node: ir.ListOf) -> str:
    return "[" + ", ".join(gql.emit(item) for item in node.items) + "]"


def some(gql: Gql, rows: Rows, test: str) -> str:
    """Whether some item passes `test`; false for a list that is null or empty."""
    rows_of = f"{_rows(rows.item, rows.list)} FILTER {test} RETURN {rows.item}"
    return Code(f"{EXISTS}{rows_of}}}", COMPARE)


def unknown(gql: Gql, test: str) -> str:
    """Whether a test is neither true nor false."""
    return f"{wrap(test, PRIMARY)} IS UNKNOWN"


def is_not(gql: Gql, test: str, truth: str) -> str:
    """Whether a test is not TRUE, or not FALSE; unknown is neither."""
    return f"{wrap(test, PRIMARY)} IS NOT {truth}"


def number_of(gql: Gql, rows: Rows) -> str:
    """How many items pass the test of `rows`."""
    filtered = f"{_rows(rows.item, rows.list)} FILTER {rows.test}"
    return f"VALUE {{{filtered} RETURN COUNT(*) AS {gql.column('total')}}}"


def _none_but(gql: Gql, rows: Rows, truth: str) -> str:
    """Whether the test is `truth` for every item, of a list that is not null."""
    if rows.test_nullable:
        test = gql.is_not(rows.test, truth)
    else:
        test = rows.test if truth == "FALSE" else _negated(rows.test)
    text = gql.negation(gql.some(rows, test))
    if not rows.list_nullable:
        return text
    return BOTH(IS_NOT_NULL(rows.list), text)


def in_list(gql: Gql, node: ir.In) -> str:
    if isinstance(node.list, ir.ListOf):
        return gql.among(node, node.list)
    rows = _membership(gql, node)
    return _three_valued(gql, rows)


def among(gql: Gql, node: ir.In, listed: ir.ListOf) -> str:
    """`item IN [a, b]` as an OR of equalities, which keeps three-valued logic."""
    tests = tuple(
        member_test(node.item, item, node.span)
        if gql.FOLDS
        else ir.Compare(ir.CompareOp.EQ, node.item, item, span=node.span)
        for item in listed.items
    )
    if not tests:
        return "FALSE"
    return gql.emit(tests[0] if len(tests) == 1 else ir.Bool(ir.BoolOp.OR, tests))


def _membership(gql: Gql, node: ir.In) -> Rows:
    item = gql.scope.fresh("item")
    test = OPERATORS[ir.CompareOp.EQ](item, gql.emit(node.item))
    can_be_null = nullable(node.item) or item_nullable(node.list)
    return Rows(gql.emit(node.list), item, test, can_be_null, nullable(node.list))


def quantifier(gql: Gql, node: ir.Quantifier) -> str:
    rows = gql.quantified(node)
    match node.kind:
        case ir.QuantifierKind.ANY:
            return _three_valued(gql, rows)
        case ir.QuantifierKind.NONE:
            return _three_valued(gql, rows, hit="FALSE", otherwise="TRUE")
        case ir.QuantifierKind.ALL:
            opposite = Rows(
                rows.list,
                rows.item,
                _negated(rows.test),
                rows.test_nullable,
                rows.list_nullable,
            )
            return _three_valued(gql, opposite, hit="FALSE", otherwise="TRUE")
        case ir.QuantifierKind.SINGLE:
            if rows.test_nullable or rows.list_nullable:
                return _one_or_unknown(gql, rows)
            return _one(gql, rows)


def quantified(gql: Gql, node: ir.Quantifier) -> Rows:
    listed = gql.emit(node.list)
    outer, gql.scope = gql.scope, gql.scope.inner()
    item = gql.scope.bind(node.var)
    test = gql.emit(node.where)
    gql.scope = outer
    return Rows(listed, item, test, nullable(node.where), nullable(node.list))


def _one(gql: Gql, rows: Rows) -> str:
    return OPERATORS[ir.CompareOp.EQ](gql.number_of(rows), "1")


def _one_or_unknown(gql: Gql, rows: Rows) -> str:
    parts = []
    if rows.list_nullable:
        parts.append(f"WHEN {IS_NULL(rows.list)} THEN NULL")
    if rows.test_nullable:
        parts.append(f"WHEN {gql.number_of(rows)} > 1 THEN FALSE")
        parts.append(f"WHEN {gql.some(rows, gql.unknown(rows.test))} THEN NULL")
    return f"CASE {' '.join(parts)} ELSE {_one(gql, rows)} END"


def _three_valued(gql: Gql, rows: Rows, hit: str = "TRUE", otherwise: str = "FALSE") -> str:
    if not rows.test_nullable and not rows.list_nullable:
        text = gql.some(rows, rows.test)
        return text if hit == "TRUE" else gql.negation(text)
    parts = [f"CASE WHEN {gql.some(rows, rows.test)} THEN {hit}"]
    unknown = []
    if rows.test_nullable:
        unknown.append(gql.some(rows, gql.unknown(rows.test)))
    if rows.list_nullable:
        unknown.append(IS_NULL(rows.list))
    parts.append(f"WHEN {EITHER.chain(unknown)} THEN NULL")
    return " ".join([*parts, f"ELSE {otherwise} END"])


def is_true(gql: Gql, node: ir.Expr) -> str:
    if isinstance(node, ir.In) and not isinstance(node.list, ir.ListOf):
        return gql.member_true(node)
    if isinstance(node, ir.Quantifier):
        return gql.quantifier_true(node)
    return expressions.is_true(gql, node)


def member_true(gql: Gql, node: ir.In) -> str:
    """True where `item IN list` is true."""
    rows = _membership(gql, node)
    return gql.some(rows, rows.test)


def quantifier_true(gql: Gql, node: ir.Quantifier) -> str:
    """True where the quantifier is true."""
    rows = gql.quantified(node)
    match node.kind:
        case ir.QuantifierKind.ANY:
            return gql.some(rows, rows.test)
        case ir.QuantifierKind.ALL:
            return _none_but(gql, rows, "TRUE")
        case ir.QuantifierKind.NONE:
            return _none_but(gql, rows, "FALSE")
        case ir.QuantifierKind.SINGLE:
            if not rows.test_nullable:
                return _one(gql, rows)
            sure = gql.negation(gql.some(rows, gql.unknown(rows.test)))
            return BOTH(_one(gql, rows), sure)


def is_false(gql: Gql, node: ir.Expr) -> str:
    if isinstance(node, ir.In) and not isinstance(node.list, ir.ListOf):
        return gql.member_false(node)
    if isinstance(node, ir.Quantifier):
        return gql.quantifier_false(node)
    return expressions.is_false(gql, node)


def member_false(gql: Gql, node: ir.In) -> str:
    """True where `item IN list` is false."""
    rows = _membership(gql, node)
    return _none_but(gql, rows, "FALSE")


def quantifier_false(gql: Gql, node: ir.Quantifier) -> str:
    """True where the quantifier is false."""
    rows = gql.quantified(node)
    match node.kind:
        case ir.QuantifierKind.ANY:
            return _none_but(gql, rows, "FALSE")
        case ir.QuantifierKind.NONE:
            return gql.some(rows, rows.test)
        case ir.QuantifierKind.ALL:
            return gql.some(rows, _negated(rows.test))
        case ir.QuantifierKind.SINGLE:
            return gql.negation(gql.emit_Quantifier(node))


def index_of(gql: Gql, node: ir.Index) -> str:
    kind = kind_of(node.base)
    key = node.index
    if isinstance(key, ir.Literal) and isinstance(key.value, str):
        return gql.emit(ir.Prop(node.base, key.value, type=node.type, span=node.span))
    if kind in (Kind.NODE, Kind.EDGE, Kind.MAP) or kind_of(key) is Kind.STRING:
        raise Refused(
            "dynamic-property",
            "[ ]",
            "ISO GQL cannot choose a property by a computed name.",
            node.span,
        )
    return gql.item_at(node.base, key)


def prop(gql: Gql, node: ir.Prop) -> str:
    base = node.base
    if kind_of(base) not in TEMPORAL:
        suffix = f".{gql.identifier(node.key)}"
        if isinstance(base, ir.Index) and kind_of(base.index) is not Kind.STRING:
            return gql.item_at(base.base, base.index, suffix)
        if isinstance(base, ir.Call) and base.name in ENDS:
            return gql.item_at(base.args[0], ir.Literal(ENDS[base.name]), suffix)
    return expressions.prop(gql, node)


def item_at(gql: Gql, base: ir.Expr, index: ir.Expr, suffix: str = "") -> str:
    """The item of `base` at a 0-based `index`, counted from the end where it is negative.

    `suffix` is a property to take of it: parsers take none of a VALUE.
    """
    listed = gql.emit(base)
    item, place = gql.scope.fresh("item"), gql.scope.fresh("place")
    if isinstance(index, ir.Literal) and isinstance(index.value, int):
        wanted = _place(listed, index.value)
    else:
        at = gql.operand(index, PLUS)
        end = f"CARDINALITY({listed}) + {at}"
        wanted = f"CASE WHEN {at} < 0 THEN {end} ELSE {at} END"
    rows = f"{_rows(item, listed)} WITH OFFSET {place}"
    return f"VALUE {{{rows} FILTER {place} = {wanted} RETURN {item}{suffix}}}"


def slice_of(gql: Gql, node: ir.Slice) -> str:
    listed = gql.emit(node.base)
    tests = []
    item, place = gql.scope.fresh("item"), gql.scope.fresh("place")
    _no_null_items(gql, node)
    for bound, sign in ((node.lo, ">="), (node.hi, "<")):
        if bound is None:
            continue
        if not (isinstance(bound, ir.Literal) and isinstance(bound.value, int)):
            raise Refused(
                "slice-bound",
                "[ .. ]",
                "The bound of a slice can be negative or null here, which GQL cannot tell.",
                node.span,
            )
        tests.append(f"{place} {sign} {_place(listed, bound.value)}")
    return _rebuilt(gql, node.base, listed, item, place, " AND ".join(tests), item)


def list_comp(gql: Gql, node: ir.ListComp) -> str:
    _no_null_items(gql, node)
    listed = gql.emit(node.list)
    outer, gql.scope = gql.scope, gql.scope.inner()
    item = gql.scope.bind(node.var)
    place = gql.scope.fresh("place")
    test = gql.condition(node.where) if node.where is not None else ""
    result = gql.emit(node.result) if node.result is not None else item
    gql.scope = outer
    return _rebuilt(gql, node.list, listed, item, place, test, result)


def _no_null_items(gql: Gql, node: ir.ListComp | ir.Slice) -> None:
    if item_nullable(node):
        raise Refused(
            "list-with-null",
            "list",
            "COLLECT_LIST drops nulls, and an item of this list can be null.",
            node.span,
        )


def _rebuilt(
    gql: Gql, base: ir.Expr, listed: str, item: str, place: str, test: str, result: str
) -> str:
    """A list made of the rows of another, in its order."""
    filtered = f" FILTER {test}" if test else ""
    rows = f"{_rows(item, listed)} WITH OFFSET {place}{filtered}"
    if "VALUE {" in result:
        # No aggregate inside an aggregate.
        value = gql.scope.fresh("result")
        rows, result = f"{rows} LET {value} = {result}", value
    rows = f"{rows} ORDER BY {place}"
    text = f"VALUE {{{rows} RETURN COLLECT_LIST({result}) AS {gql.column('list_1')}}}"
    if not nullable(base):
        return text
    return f"CASE WHEN {IS_NOT_NULL(listed)} THEN {text} END"


def counted(gql: Gql, node: ir.ListComp) -> str:
    """The length of a list comprehension: nulls count."""
    listed = gql.emit(node.list)
    outer, gql.scope = gql.scope, gql.scope.inner()
    item = gql.scope.bind(node.var)
    filtered = f" FILTER {gql.condition(node.where)}" if node.where is not None else ""
    gql.scope = outer
    number = f"COUNT(*) AS {gql.column('total')}"
    text = f"VALUE {{{_rows(item, listed)}{filtered} RETURN {number}}}"
    if not nullable(node.list):
        return text
    return f"CASE WHEN {IS_NOT_NULL(listed)} THEN {text} END"


def range_of(gql: Gql, node: ir.Call) -> str:
    """`range(a, b, step)` of literals, written out."""
    values = [arg.value for arg in node.args if isinstance(arg, ir.Literal)]
    bounds = [value for value in values if isinstance(value, int)]
    if len(bounds) != len(node.args) or not 2 <= len(bounds) <= 3 or bounds[2:] == [0]:
        raise Refused(
            "range", "range()", "ISO GQL has no range; only literal bounds fit.", node.span
        )
    items = range_items(*bounds)
    if len(items) > _UNROLLED:
        raise Refused("range", "range()", f"The range has more than {_UNROLLED} items.", node.span)
    return "[" + ", ".join(map(str, items)) + "]"


def _rows(item: str, listed: str) -> str:
    return f"FOR {item} IN {wrap(listed, PRIMARY)}"


def _place(listed: str, index: int) -> str:
    """Where an index points, counted from 0; a negative one from the end."""
    return str(index) if index >= 0 else f"CARDINALITY({listed}) - {-index}"


def _negated(test: str) -> str:
    return Code(f"NOT {test if test.startswith(EXISTS) else wrap(test, PRIMARY)}", NOT)
