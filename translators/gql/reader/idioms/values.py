"""What GQL says by arithmetic, parts of texts and aggregates, as the one function it is."""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.rewrites import sum_or_null
from graph_ir.walk import rewrite
from schemagraph.model import TEMPORAL, Kind
from translators.gql.emit.values import kind_of, nullable
from translators.gql.reader.idioms.rows import is_bare


def is_truncated(node: ir.Arith) -> bool:
    """Whether a quotient is that of integers, made exact: `(a - MOD(a, b)) / b`."""
    match node.left:
        case ir.Arith(ir.ArithOp.SUB, whole, rest):
            return rest == ir.Arith(ir.ArithOp.MOD, whole, node.right)
    return False


def affix_test(node: ir.Compare, left: ir.Call, right: ir.Expr) -> ir.Expr | None:
    """`LEFT(x, 2) = 'ab'` asks how x begins, RIGHT how it ends."""
    if left.name not in ("left", "right") or len(left.args) != 2:
        return None
    text, length = left.args
    known = isinstance(right, ir.Literal) and isinstance(right.value, str)
    if known and isinstance(right, ir.Literal):
        same = length == ir.Literal(len(str(right.value)))
    else:
        same = length == ir.Call("size", (right,))
    if not same:
        return None
    op = ir.TextOp.STARTS if left.name == "left" else ir.TextOp.ENDS
    return ir.Text(op, text, right, span=node.span)


def collected_rows(query: ir.Statement) -> ir.Expr | None:
    """`VALUE { … RETURN COLLECT_LIST(x) }` of what is never null, as a COLLECT of its rows."""
    if isinstance(query, ir.Union):
        return None
    *before, last = query.clauses
    match last:
        case ir.Project(items=(ir.Item(ir.Agg("collect", (value,), False), alias),), group=()):
            pass
        case _:
            return None
    if nullable(value) or last.order or last.skip is not None or last.limit is not None:
        return None
    span = query.span
    if before and isinstance(before[-1], ir.Project) and len(before[-1].items) == 1:
        stage = before[-1]
        windowed = not is_bare(stage) and stage.where is None
        if windowed and value == ir.Var(stage.items[0].alias):
            rows = ir.Query((*before[:-1], replace(stage, final=True)), span=span)
            return ir.CollectOf(rows, span=span)
    row = ir.Project((ir.Item(value, alias),), final=True, span=span)
    return ir.CollectOf(ir.Query((*before, row), span=span), span=span)


def is_zero(node: ir.Expr) -> bool:
    """Whether it is what a sum of nothing is."""
    return node == ir.Literal(0) or node == ir.Call("duration", (ir.Literal("P0D"),))


def non_null_sums(project: ir.Project) -> ir.Project:
    """A projection with groups, which have rows: their sums of no null are no null."""

    def change(node: ir.Node) -> ir.Node:
        total = sum_or_null(node)
        if total is not None and not any(nullable(arg) for arg in total.args):
            return total
        return node

    items = tuple(rewrite(item, change) for item in project.items)
    order = tuple(rewrite(key, change) for key in project.order)
    return replace(project, items=items, order=order)


_PLACES = {(0, 4): "year", (5, 2): "month", (8, 2): "day", (11, 2): "hour", (14, 2): "minute"}

_CLOCK = {(0, 2): "hour", (3, 2): "minute"}


def date_component(text: ir.Expr) -> ir.Expr | None:
    """`CAST(RIGHT(LEFT(CAST(x AS STRING), 7), 2) AS INT)` is the month of a date x."""
    match text:
        case ir.Call("left", (ir.Call("toString", (value,)), ir.Literal(int(end)))):
            place = (0, end)
        case ir.Call(
            "right",
            (
                ir.Call("left", (ir.Call("toString", (value,)), ir.Literal(int(end)))),
                ir.Literal(int(size)),
            ),
        ):
            place = (end - size, size)
        case _:
            return None
    kind = kind_of(value)
    if kind not in TEMPORAL or kind is Kind.DURATION:
        return None
    key = (_CLOCK if kind in (Kind.TIME, Kind.ZONED_TIME) else _PLACES).get(place)
    if key is None or (kind is Kind.DATE and place[0] > 8):
        return None
    return ir.Prop(value, key, span=text.span)
