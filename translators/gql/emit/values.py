"""What is known of a value before a query runs: its kind, and whether it can be null."""

from __future__ import annotations

from graph_ir import nodes as ir
from schemagraph.model import Kind

_LITERAL = {"bool": Kind.BOOLEAN, "int": Kind.INTEGER, "float": Kind.FLOAT, "str": Kind.STRING}
_CALLS = {
    "toString": Kind.STRING,
    "toLower": Kind.STRING,
    "toUpper": Kind.STRING,
    "trim": Kind.STRING,
    "left": Kind.STRING,
    "right": Kind.STRING,
    "substring": Kind.STRING,
    "type": Kind.STRING,
    "toInteger": Kind.INTEGER,
    "size": Kind.INTEGER,
    "length": Kind.INTEGER,
    "toFloat": Kind.FLOAT,
    "nodes": Kind.LIST,
    "relationships": Kind.LIST,
    "labels": Kind.LIST,
    "range": Kind.LIST,
    "tail": Kind.LIST,
    "date": Kind.DATE,
    "datetime": Kind.ZONED_DATETIME,
    "localdatetime": Kind.DATETIME,
    "time": Kind.ZONED_TIME,
    "localtime": Kind.TIME,
    "duration": Kind.DURATION,
}
_BOOLEAN = (
    ir.Compare,
    ir.Bool,
    ir.Not,
    ir.Text,
    ir.In,
    ir.IsNull,
    ir.LabelTest,
    ir.Quantifier,
    ir.Exists,
)
_LISTS = (ir.ListOf, ir.ListComp, ir.PatternComp, ir.CollectOf, ir.Slice)
_NUMBERS = {Kind.INTEGER, Kind.FLOAT}


def day_text(node: ir.Call) -> ir.Expr | None:
    """The date and time of whose text `left(toString(…), n)` takes no more than the day, which
    all languages print alike."""
    match node:
        case ir.Call("left", (ir.Call("toString", (arg,)), ir.Literal(int(size)))):
            return arg if size <= 10 and kind_of(arg) is Kind.DATETIME else None
    return None


def kind_of(expr: ir.Expr) -> Kind:
    """The kind of `expr`: what the binder found, else what its form tells, else ANY."""
    if expr.type.kind is not Kind.ANY:
        return expr.type.kind
    if isinstance(expr, ir.Literal):
        return Kind.NULL if expr.value is None else _LITERAL[expr.kind]
    if isinstance(expr, _BOOLEAN):
        return Kind.BOOLEAN
    if isinstance(expr, _LISTS):
        return Kind.LIST
    if isinstance(expr, ir.CountOf) or (isinstance(expr, ir.Agg) and expr.name == "count"):
        return Kind.INTEGER
    if isinstance(expr, ir.Agg) and expr.name == "collect":
        return Kind.LIST
    if isinstance(expr, ir.Call):
        return _CALLS.get(expr.name, Kind.ANY)
    if isinstance(expr, ir.MapOf | ir.MapProjection):
        return Kind.MAP
    if isinstance(expr, ir.Arith):
        return _of_sum(kind_of(expr.left), kind_of(expr.right))
    return Kind.ANY


def _of_sum(left: Kind, right: Kind) -> Kind:
    """The kind of arithmetic on two kinds."""
    if left in _NUMBERS and right in _NUMBERS:
        return Kind.FLOAT if Kind.FLOAT in (left, right) else Kind.INTEGER
    if Kind.LIST in (left, right):
        return Kind.LIST
    if Kind.STRING in (left, right):
        return Kind.STRING
    return Kind.ANY


def nullable(expr: ir.Expr) -> bool:
    """Whether `expr` can be null; True where nothing is known."""
    match expr:
        case ir.Literal():
            return expr.value is None
        case ir.ListOf() | ir.MapOf() | ir.Exists() | ir.CountOf() | ir.CollectOf():
            return False
        case ir.PatternComp() | ir.IsNull():
            return False
        case ir.Compare() | ir.Text():
            return nullable(expr.left) or nullable(expr.right)
        case ir.Arith():
            return nullable(expr.left) or nullable(expr.right)
        case ir.Not() | ir.Neg():
            return nullable(expr.arg)
        case ir.LabelTest():
            return nullable(expr.arg)
        case ir.Bool():
            return any(nullable(arg) for arg in expr.args)
        case ir.Agg():
            return expr.name not in ("count", "collect", "sum")
        case ir.Case():
            return expr.default is None or any(
                nullable(result) for result in (expr.default, *(w.result for w in expr.whens))
            )
        case ir.Call(name="coalesce"):
            return all(nullable(arg) for arg in expr.args)
        case ir.ListComp():
            return nullable(expr.list)
        case _:
            return expr.type.nullable


def item_nullable(expr: ir.Expr) -> bool:
    """Whether an item of the list `expr` can be null."""
    match expr:
        case ir.ListOf():
            return any(nullable(item) for item in expr.items)
        case ir.Agg(name="collect"):
            return False
        case ir.Call(name="nodes" | "relationships" | "labels" | "range"):
            return False
        case ir.ListComp():
            if expr.result is not None:
                return nullable(expr.result)
            return item_nullable(expr.list)
        case ir.Slice():
            return item_nullable(expr.base)
        case _:
            return expr.type.item is None or expr.type.item.nullable


def as_label_test(node: ir.Expr) -> ir.Expr:
    """`'A' IN labels(n)` as a test of the label; any other expression as it is."""
    match node:
        case ir.In(
            item=ir.Literal(value=str() as name),
            list=ir.Call(name="labels", args=(ir.Var() as element,)),
        ):
            return ir.LabelTest(element, ir.LabelName(name), type=node.type, span=node.span)
    return node
