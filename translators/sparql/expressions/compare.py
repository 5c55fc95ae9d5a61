"""Comparisons, tests of texts, IN: three-valued, decided by static types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_ir import nodes as ir
from schemagraph.model import NUMERIC, TEMPORAL, Kind
from translators.printing import ATOM, LOOSE, Code, wrap
from translators.sparql.expressions.core import (
    BOOLEAN,
    NEGATION,
    NULL,
    OPERATORS,
    bound,
    expression,
    known,
    refused,
)
from translators.sparql.expressions.regex import pattern
from translators.sparql.expressions.wide import doubles_around, two_constants
from translators.sparql.model import terms
from translators.sparql.model.compiler import Compiler, Emits, Sx
from translators.sparql.model.group import Group, inline

EMITS = Emits()

_SIGNS = {ir.CompareOp.EQ: "=", ir.CompareOp.NE: "!="}
_COMPARED = frozenset({Kind.BOOLEAN, Kind.INTEGER, Kind.FLOAT, Kind.STRING, Kind.DATE})
_MOMENTS = frozenset({Kind.TIME, Kind.DATETIME})
_TURNED = {
    ir.CompareOp.LT: ir.CompareOp.GT,
    ir.CompareOp.LE: ir.CompareOp.GE,
    ir.CompareOp.GT: ir.CompareOp.LT,
    ir.CompareOp.GE: ir.CompareOp.LE,
}
_EQUALITIES = (ir.CompareOp.EQ, ir.CompareOp.NE)


@EMITS.of(ir.Compare)
def _compare(cx: Compiler, node: ir.Compare) -> Sx:
    left, right = expression(cx, node.left), expression(cx, node.right)
    left, right = two_constants(node, left, right)
    test = compared(node.op, left, right, node)
    if test.type.kind is Kind.NULL:
        return test
    answer = node.op is ir.CompareOp.NE
    test = _unless_nan(test, right, left, answer) if cx.may_be_nan(node.right) else test
    return _unless_nan(test, left, right, answer) if cx.may_be_nan(node.left) else test


def _unless_nan(test: Sx, number: Sx, other: Sx, answer: bool) -> Sx:
    """A test of what may be NaN, with this answer where it is, but for null where `other` is.

    Oxigraph makes an error of a comparison with NaN, and Jena has it after all numbers.
    """
    shown = "true" if answer else "false"
    if other.null:
        shown = f'STR({other.text}) {"!=" if answer else "="} ""'
    return Sx(f'IF(STR({number.text}) = "NaN", {shown}, {test.text})', BOOLEAN, test.null)


def compared(op: ir.CompareOp, left: Sx, right: Sx, node: ir.Expr) -> Sx:
    """One comparison.

    Raises:
        Refused: values of these types are compared in another way, or it is not known how.
    """
    kinds = (left.type.kind, right.type.kind)
    if Kind.NULL in kinds:
        return NULL
    _comparable(op, left, right, node)
    sign = _SIGNS.get(op, op.value)
    null = left.null or right.null
    if kinds[0] is kinds[1] and kinds[0] in (Kind.ZONED_DATETIME,):
        return _zoned(op, left, right, null)
    if Kind.ANY not in kinds and kinds[0] is not kinds[1] and not set(kinds) <= NUMERIC:
        if op not in _EQUALITIES:
            return NULL
        return _answer(op, (left, right))
    if Kind.BOOLEAN in kinds and op not in _EQUALITIES:
        # Oxigraph has no order of truth values
        left, right = (replace(sx, text=f"xsd:integer({sx.text})") for sx in (left, right))
    a, b = (_side(sx, node) for sx in (left, right))
    if (around := doubles_around(left, right)) is not None:
        return _beside_wide(op, left, around)
    if (around := doubles_around(right, left)) is not None:
        return _beside_wide(_TURNED.get(op, op), right, around)
    return Sx(OPERATORS[sign](a, b), BOOLEAN, null)


def _beside_wide(op: ir.CompareOp, value: Sx, around: tuple[str, str]) -> Sx:
    """A test of a float against what lies between two doubles."""
    below, above = around
    match op:
        case ir.CompareOp.LT | ir.CompareOp.LE:
            return Sx(OPERATORS["<="](value.text, below), BOOLEAN, value.null)
        case ir.CompareOp.GT | ir.CompareOp.GE:
            return Sx(OPERATORS[">="](value.text, above), BOOLEAN, value.null)
    return _answer(op, [value])


def _answer(op: ir.CompareOp, sides: Sequence[Sx]) -> Sx:
    """The test of what is never equal, null where one of these is."""
    answer = "true" if op is ir.CompareOp.NE else "false"
    tests = " && ".join(bound(sx) for sx in sides if sx.null)
    if not tests:
        return Sx(answer, BOOLEAN, null=False)
    return Sx(f"IF({tests}, {answer}, {terms.ERROR})", BOOLEAN)


def _side(sx: Sx, node: ir.Expr) -> str:
    """A side of a comparison; constants with a point need no exponent here."""
    if (
        sx.type.kind is Kind.FLOAT
        and sx.text.endswith("e0")
        and "." in sx.text
        and sx.text[:-2].lstrip("-").replace(".", "", 1).isdigit()
    ):
        return sx.text[:-2]
    return sx.text


def _zoned(op: ir.CompareOp, left: Sx, right: Sx, null: bool) -> Sx:
    """Moments with offsets: equal ones have the same offset, and of the same instant the one whose
    clock shows more is the later."""
    if op in _EQUALITIES:
        test = f"sameTerm({left.text}, {right.text})"
        return Sx(test if op is ir.CompareOp.EQ else f"!{test}", BOOLEAN, null)
    strict = op.value[0]
    tie = f"STR({left.text}) {op.value} STR({right.text})"
    a, b = left.operand, right.operand
    return Sx(Code(f"{a} {strict} {b} || ({a} = {b} && {tie})", LOOSE), BOOLEAN, null)


def _comparable(op: ir.CompareOp, left: Sx, right: Sx, node: ir.Expr) -> None:
    kinds = {left.type.kind, right.type.kind}
    if any(sx.form for sx in (left, right) if sx.form != "joined") or kinds & {Kind.LIST, Kind.MAP}:
        raise refused("unsupported-expression", node, "SPARQL does not compare lists or maps.")
    if kinds & {Kind.NODE, Kind.EDGE, Kind.PATH}:
        if len(kinds) > 1 or op not in _EQUALITIES or Kind.PATH in kinds:
            raise refused("element-comparison", node, "Elements are compared with elements.")
        return
    if Kind.DURATION in kinds or Kind.ZONED_TIME in kinds or Kind.BYTES in kinds:
        raise refused("temporal", node, "SPARQL has no comparison of these values.")
    if Kind.ANY in kinds:
        other = kinds - {Kind.ANY}
        if not other:
            raise refused("dynamic-value", node, "Whether lists are compared here is not known.")
        if other & (TEMPORAL - {Kind.DATE}):
            raise refused("dynamic-value", node, "Whether these moments have offsets is not known.")


@EMITS.of(ir.In)
def _in(cx: Compiler, node: ir.In) -> Sx:
    item = expression(cx, node.item)
    if isinstance(node.list, ir.ListOf):
        items = [expression(cx, each) for each in node.list.items]
        if not items:
            return Sx("false", BOOLEAN, null=False)
        null = item.null
        shown = []
        for each in items:
            if each.type.kind is Kind.NULL:
                null = True
                shown.append(each.text)
                continue
            test = compared(ir.CompareOp.EQ, item, each, node)
            exact = (item.type.kind, each.type.kind) == (Kind.INTEGER, Kind.FLOAT)  # as decimals
            other = test.text in ("false", "true") or test.text.startswith(("IF(", "sameTerm("))
            if other and not exact:
                raise refused("type", node, "The list holds values of another type.")
            null = null or each.null
            shown.append(wrap(_side(each, node), ATOM))
        return Sx(OPERATORS["IN"](item.text, f"({', '.join(shown)})"), BOOLEAN, null)
    stored = expression(cx, node.list)
    if stored.form != "stored":
        raise refused("unsupported-expression", node, "Only stored lists can be searched.")
    inner = Group()
    var = cx.name("item")
    inner.triple(stored.text, "rdf:rest*/rdf:first", var)
    of = stored.type.item
    if of is None or item.type.kind is Kind.ANY:
        raise refused("dynamic-value", node, "The type of the list's items is not known.")
    test = compared(ir.CompareOp.EQ, item, Sx(var, of, null=False), node)
    inner.line(f"FILTER({test.text})")
    exists = f"EXISTS {inline(inner)}"
    tests = [bound(sx) for sx in (stored,) if sx.null]
    if item.null:
        # null is in no list that is empty, and perhaps in any other
        raise_null = f"{bound(item)} || {stored.operand} = rdf:nil"
        tests.append(f"({raise_null})")
    if not tests:
        return Sx(exists, BOOLEAN, null=False)
    return Sx(f"IF({' && '.join(tests)}, {exists}, {terms.ERROR})", BOOLEAN)


_FUNCTIONS = {
    ir.TextOp.STARTS: "STRSTARTS",
    ir.TextOp.ENDS: "STRENDS",
    ir.TextOp.CONTAINS: "CONTAINS",
}


@EMITS.of(ir.Text)
def _text(cx: Compiler, node: ir.Text) -> Sx:
    left, right = expression(cx, node.left), expression(cx, node.right)
    null = left.null or right.null
    for sx in (left, right):
        if sx.type.kind not in (Kind.STRING, Kind.ANY):
            return NULL
    if node.op is not ir.TextOp.REGEX:
        return Sx(f"{_FUNCTIONS[node.op]}({left.text}, {right.text})", BOOLEAN, null)
    if not isinstance(node.right, ir.Literal) or not isinstance(node.right.value, str):
        raise refused("regular-expression", node, "A computed pattern has no exact form.")
    literal = terms.string(pattern(node.right.value, node))
    return Sx(f"REGEX({left.text}, {literal})", BOOLEAN, null)


@EMITS.of(ir.Quantifier)
def _quantifier(cx: Compiler, node: ir.Quantifier) -> Sx:
    stored = expression(cx, node.list)
    if stored.form != "stored" or stored.type.item is None:
        raise refused("unsupported-expression", node, "Only stored lists can be searched.")
    if node.kind is ir.QuantifierKind.SINGLE:
        raise refused("single", node, "SPARQL does not count in an expression.")
    inner = Group(outer=cx.group)
    var = cx.name(node.var)
    inner.triple(stored.text, "rdf:rest*/rdf:first", var)
    with cx.inside(inner):
        cx.env[node.var] = Sx(var, stored.type.item, null=False)
        test = expression(cx, node.where)
    if test.null:
        raise refused("dynamic-value", node, "The condition can be null.")
    if node.kind is ir.QuantifierKind.ALL:
        test = Sx(NEGATION(test.text), BOOLEAN, null=False)
    inner.line(f"FILTER({known(test).text})")
    word = "EXISTS" if node.kind is ir.QuantifierKind.ANY else "NOT EXISTS"
    made = f"{word} {inline(inner)}"
    if not stored.null:
        return Sx(made, BOOLEAN, null=False)
    return Sx(f"IF({bound(stored)}, {made}, {terms.ERROR})", BOOLEAN)
