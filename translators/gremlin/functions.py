"""Cypher's functions in Gremlin: a table of small functions, by canonical name."""

from __future__ import annotations

from collections.abc import Callable

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import NUMERIC, Kind
from translators.gremlin import paths
from translators.gremlin.arithmetic import sacked
from translators.gremlin.dates import DATES
from translators.gremlin.labels import BETWEEN
from translators.gremlin.predicates import constant
from translators.gremlin.rows import NOT_NULL, Compiler, Rows
from translators.gremlin.steps.text import Step, Traversal, quoted, step

type Function = Callable[[Compiler, ir.Call, Rows], Traversal]


def call(cx: Compiler, node: ir.Call, rows: Rows) -> Traversal:
    """The value of a call."""
    make = FUNCTIONS.get(node.name)
    if make is None:
        raise Refused("function", node.name, f"Gremlin has no function {node.name}.", node.span)
    return make(cx, node, rows)


def _after(*steps: Step, kinds: frozenset[Kind] = frozenset()) -> Function:
    """The first argument's value, and steps after it; `kinds` are those that it must have."""

    def make(cx: Compiler, node: ir.Call, rows: Rows) -> Traversal:
        kind = node.args[0].type.kind
        if kinds and kind not in kinds:
            raise Refused(
                "type", node.name, f"The argument of {node.name} is of another type.", node.span
            )
        return (*cx.value(node.args[0], rows), *steps)

    return make


def _size(cx: Compiler, node: ir.Call, rows: Rows) -> Traversal:
    (arg,) = node.args
    own = cx.value(arg, rows)
    if arg.type.kind is Kind.LIST:
        return (*own, step("count", "local"))
    if arg.type.kind is Kind.STRING:
        return (*own, step("length"), *((step("asNumber", "GType.LONG"),) if cx.wide else ()))
    raise Refused("untyped-size", "size", "Is this a list or a text? Its type is not known.")


def _coalesce(cx: Compiler, node: ir.Call, rows: Rows) -> Traversal:
    return (Step("coalesce", tuple(cx.value(each, rows) for each in node.args)),)


def _labels(cx: Compiler, node: ir.Call, rows: Rows) -> Traversal:
    own = (*cx.value(node.args[0], rows), step("label"))
    if cx.schema is None or all(len(kind.labels) == 1 for kind in cx.schema.nodes):
        if cx.schema is None:
            cx.caveat(
                "label-expression", "labels", "Every vertex has one label, as TinkerPop has it."
            )
        return _there(cx, node.args[0], rows, (step("label"), step("fold")))
    if any(not kind.labels for kind in cx.schema.nodes):
        raise Refused("label-expression", "labels", "A node without a label has one in Gremlin.")
    return (*own, step("split", quoted(BETWEEN)))


def _there(cx: Compiler, arg: ir.Expr, rows: Rows, fold: Traversal) -> Traversal:
    """A fold of what is there: of null there is none, where `fold` gives an empty list."""
    own = cx.value(arg, rows)
    return (*own, Step("map", (fold,))) if cx.nullable(arg, rows) else (*own, *fold)


def _keys(cx: Compiler, node: ir.Call, rows: Rows) -> Traversal:
    (arg,) = node.args
    if arg.type.kind not in (Kind.NODE, Kind.EDGE):
        raise Refused("type", "keys", "This is not known to be a node or an edge.", node.span)
    names = (step("properties"), step("key"), step("fold"))
    return _there(cx, arg, rows, names)


def _properties(cx: Compiler, node: ir.Call, rows: Rows) -> Traversal:
    (arg,) = node.args
    if arg.type.kind is Kind.NODE:
        return (*cx.value(arg, rows), step("valueMap"), step("by", (step("unfold"),)))
    if arg.type.kind is Kind.EDGE:
        return (*cx.value(arg, rows), step("valueMap"))
    raise Refused("type", "properties", "This is not known to be a node or an edge.", node.span)


def _to_string(cx: Compiler, node: ir.Call, rows: Rows) -> Traversal:
    (arg,) = node.args
    own = cx.value(arg, rows)
    if arg.type.kind in (Kind.STRING, Kind.DATE):
        return own
    if arg.type.kind in (Kind.INTEGER, Kind.BOOLEAN):
        return (*own, step("asString"))
    raise Refused("text-of-value", "toString", "The text of this value depends on its type.")


def _to_integer(cx: Compiler, node: ir.Call, rows: Rows) -> Traversal:
    (arg,) = node.args
    own = cx.value(arg, rows)
    if arg.type.kind is Kind.INTEGER:
        return own
    if arg.type.kind is Kind.FLOAT:
        return (*own, step("asNumber", "GType.LONG"))
    raise Refused("text-to-number", node.name, "Gremlin reads numbers from text otherwise.")


def _absolute(cx: Compiler, node: ir.Call, rows: Rows) -> Traversal:
    (arg,) = node.args
    own = cx.value(arg, rows)
    if arg.type.kind not in NUMERIC:
        raise Refused("type", "abs", "This is not known to be a number.", node.span)
    less = sacked((), "mult", (step("constant", "-1"),))
    return (*own, Step("choose", ((step("is", "lt(0)"),), less, (step("identity"),))))


def _formula(text: str) -> Function:
    return _after(step("math", quoted(text)), kinds=NUMERIC)


def _whole(expr: ir.Expr) -> int:
    if isinstance(expr, ir.Literal) and type(expr.value) is int and expr.value >= 0:
        return expr.value
    raise Refused("substring", "substring", "A bound is no constant from 0.", expr.span)


def _substring(cx: Compiler, node: ir.Call, rows: Rows) -> Traversal:
    text, start, *rest = node.args
    _want_text(text, node)
    lo = _whole(start)
    own = cx.value(text, rows)
    if not rest:
        return (*own, step("substring", str(lo)))
    return (*own, step("substring", str(lo), str(lo + _whole(rest[0]))))


def _left(cx: Compiler, node: ir.Call, rows: Rows) -> Traversal:
    _want_text(node.args[0], node)
    return (*cx.value(node.args[0], rows), step("substring", "0", str(_whole(node.args[1]))))


def _want_text(arg: ir.Expr, node: ir.Call) -> None:
    if arg.type.kind is not Kind.STRING:
        raise Refused("type", node.name, "This is not known to be a text.", node.span)


def _replace(cx: Compiler, node: ir.Call, rows: Rows) -> Traversal:
    texts = [each.value if isinstance(each, ir.Literal) else None for each in node.args[1:]]
    old, new = texts if len(texts) == 2 else (None, None)
    if not isinstance(old, str) or not isinstance(new, str) or not old:
        raise Refused("replace", "replace", "What is replaced is no constant.", node.span)
    _want_text(node.args[0], node)
    return (*cx.value(node.args[0], rows), step("replace", quoted(old), quoted(new)))


_MARK = "\uf8ff"  # the last character of private use: no text of a database has it


def _split(cx: Compiler, node: ir.Call, rows: Rows) -> Traversal:
    text, by_what = node.args
    _want_text(text, node)
    if not isinstance(by_what, ir.Literal) or not isinstance(by_what.value, str):
        raise Refused("function", "split", "What splits is no constant.", node.span)
    if not by_what.value:
        raise Refused("function", "split", "Gremlin splits otherwise at nothing.", node.span)
    at = by_what.value
    if _MARK in at:
        raise Refused("function", "split", "This separator stands for something else.", node.span)
    # Gremlin leaves out empty parts: a mark on both sides of each separator lets none be empty
    marked = (
        step("replace", quoted(at), quoted(f"{_MARK}{at}{_MARK}")),
        step("split", quoted(at)),
        step("replace", "local", quoted(_MARK), quoted("")),
    )
    nothing = (step("constant", "['']"),)
    return (
        *cx.value(text, rows),
        Step("choose", ((step("is", quoted("")),), nothing, marked)),
    )


def _date(cx: Compiler, node: ir.Call, rows: Rows) -> Traversal:
    text = constant(node)
    if text is not None:
        return (step("constant", text),)
    if node.name == "date" and len(node.args) == 1:
        (arg,) = node.args
        if arg.type.kind is Kind.DATE:
            return cx.value(arg, rows)
        if arg.type.kind is Kind.DATETIME:
            return (*cx.value(arg, rows), step("substring", "0", "10"))
    raise Refused("temporal", node.name, "Gremlin has no form of this temporal value.", node.span)


_TEXT = frozenset({Kind.STRING})
_LIST = frozenset({Kind.LIST})
_EDGE = frozenset({Kind.EDGE})
_FIRST = (step("limit", "local", "1"), step("unfold"), NOT_NULL)
_LAST = (step("tail", "local", "1"), step("unfold"), NOT_NULL)

FUNCTIONS: dict[str, Function] = {
    "toLower": _after(step("toLower"), kinds=_TEXT),
    "toUpper": _after(step("toUpper"), kinds=_TEXT),
    "size": _size,
    "coalesce": _coalesce,
    "type": _after(step("label"), kinds=_EDGE),
    "labels": _labels,
    "keys": _keys,
    "properties": _properties,
    "startNode": _after(step("outV"), kinds=_EDGE),
    "endNode": _after(step("inV"), kinds=_EDGE),
    "head": _after(*_FIRST, kinds=_LIST),
    "last": _after(*_LAST, kinds=_LIST),
    "tail": _after(step("skip", "local", "1"), kinds=_LIST),
    "reverse": _after(step("reverse"), kinds=_TEXT | _LIST),
    "toString": _to_string,
    "toInteger": _to_integer,
    "toFloat": _after(step("asNumber", "GType.DOUBLE"), kinds=NUMERIC),
    "abs": _absolute,
    "ceil": _formula("ceil(_)"),
    "floor": _formula("floor(_)"),
    "sqrt": _formula("sqrt(_)"),
    "exp": _formula("exp(_)"),
    "log": _formula("log(_)"),
    "substring": _substring,
    "left": _left,
    "replace": _replace,
    "split": _split,
    "length": paths.length,
    "nodes": paths.nodes,
    "relationships": paths.edges,
    **dict.fromkeys(DATES, _date),
}
