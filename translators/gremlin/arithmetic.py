"""Numbers: `sack` keeps integers whole, where `math` would make floats of them."""

from __future__ import annotations

from graph_ir import nodes as ir
from graph_ir.lowerings import from_zero
from graph_ir.walk import children
from graphmill.errors import Refused
from schemagraph.model import NUMERIC, Kind
from translators.gremlin.rows import NOT_NULL, Compiler, Rows
from translators.gremlin.steps.text import (
    Label,
    Step,
    Traversal,
    by,
    is_plain,
    literal,
    quoted,
    step,
    where,
)

_OPERATORS = {
    ir.ArithOp.ADD: "sum",
    ir.ArithOp.SUB: "minus",
    ir.ArithOp.MUL: "mult",
    ir.ArithOp.DIV: "div",
}


def arith(cx: Compiler, node: ir.Arith, rows: Rows) -> Traversal:
    """A binary operator; null where an operand is null."""
    kinds = (node.left.type.kind, node.right.type.kind)
    if node.op is ir.ArithOp.ADD:
        if Kind.LIST in kinds:
            return _joined(cx, node, rows)
        if Kind.STRING in kinds:
            return _concatenated(cx, node, rows)
    if Kind.NULL in kinds:
        return (step("not", (step("identity"),)),)
    whole = kinds == (Kind.INTEGER, Kind.INTEGER)
    if not all(kind in NUMERIC for kind in kinds):
        code = "untyped-plus" if node.op is ir.ArithOp.ADD else "type"
        raise Refused(code, str(node.op), "What it is applied to is not known to be numbers.")
    if node.op in (ir.ArithOp.DIV, ir.ArithOp.MOD) and node.right == ir.Literal(0):
        raise Refused("division-by-zero", str(node.op), "Null by zero is an error.", node.span)
    left, right = cx.value(node.left, rows), cx.value(node.right, rows)
    if node.op is ir.ArithOp.DIV and node.right == ir.Literal(0.0):
        # other places take -0.0 for 0.0, which Java tells apart; here its sign is the answer's
        sign = "-" if str(getattr(node.right, "value", "")).startswith("-") else ""
        right = (step("constant", f"{sign}0.0d"),)
    if node.op is ir.ArithOp.POW:
        return _formula("x ^ y", left, right)
    if node.op is ir.ArithOp.MOD:
        if not whole:
            raise Refused("division-by-zero", "%", "Gremlin divides no float by zero.", node.span)
        cx.bounded(node, 2 ** _remainders(node))  # both sides are written twice
        parts = (left, "div", right, "mult", right, "minus", left, "mult", _constant(-1))
        return sacked(*parts)
    return sacked(left, _OPERATORS[node.op], right)


def _remainders(node: ir.Node) -> int:
    """How many `%` stand inside of each other."""
    inside = max(map(_remainders, children(node)), default=0)
    return inside + (isinstance(node, ir.Arith) and node.op is ir.ArithOp.MOD)


def sacked(first: Traversal, *rest: Traversal | str) -> Traversal:
    """`first` and then operators with operands, from left to right."""
    steps = [step("sack", "assign"), by(first)]
    for part in rest:
        steps.append(step("sack", part) if isinstance(part, str) else by(part))
    return (*steps, step("sack"))


def _constant(value: int) -> Traversal:
    return (step("constant", literal(value)),)


def _formula(text: str, left: Traversal, right: Traversal) -> Traversal:
    keys = (Label("x"), Label("y"))
    both = (Step("project", keys), by(left), by(right), Step("select", keys))
    return (*both, step("math", quoted(text)))


def negated(cx: Compiler, node: ir.Neg, rows: Rows) -> Traversal:
    """Unary minus."""
    if node.arg.type.kind not in NUMERIC:
        raise Refused("type", "-", "What is negated is not known to be a number.", node.span)
    taken = from_zero(node)
    if isinstance(taken, ir.Arith):
        return cx.value(taken, rows)
    return sacked(cx.value(node.arg, rows), "mult", _constant(-1))


def _concatenated(cx: Compiler, node: ir.Arith, rows: Rows) -> Traversal:
    for side in (node.left, node.right):
        if side.type.kind not in (Kind.STRING, Kind.INTEGER):
            raise Refused(
                "untyped-plus", "+", "What is joined is not known to be texts.", node.span
            )
    left = cx.value(node.left, rows)
    if node.left.type.kind is not Kind.STRING:
        left = (*left, step("asString"))
    if isinstance(node.right, ir.Literal):
        return (*left, step("concat", quoted(str(node.right.value))))
    right = cx.value(node.right, rows.elsewhere())
    if node.right.type.kind is not Kind.STRING:
        right = (*right, step("asString"))
    tests = (where(cx.value(node.right, rows)),) if cx.nullable(node.right, rows) else ()
    if is_plain(right):
        return (*tests, *left, Step("concat", (right,)))
    # what a traversal within concat() selects may be forgotten before it (TinkerPop 3.8.0)
    if cx.nullable(node.left, rows):
        tests = (where(cx.value(node.left, rows)), *tests)
    # conjoin() of empty texts alone has null for the empty one
    text = (step("conjoin", quoted("")), NOT_NULL)
    empty = (step("constant", quoted("")),)
    both = (Step("union", (left, right)), step("fold"), Step("coalesce", (text, empty)))
    return (*tests, Step("map", (both,)))


def _joined(cx: Compiler, node: ir.Arith, rows: Rows) -> Traversal:
    sides = (node.left, node.right)
    if any(side.type.kind is not Kind.LIST for side in sides):
        raise Refused("untyped-plus", "+", "What is joined is not known to be lists.", node.span)
    parts = tuple((*cx.value(side, rows), step("unfold")) for side in sides)
    tests = tuple(where(cx.value(side, rows)) for side in sides if cx.nullable(side, rows))
    joined = (Step("union", parts), step("fold"))
    return (*tests, Step("map", (joined,))) if tests else joined
