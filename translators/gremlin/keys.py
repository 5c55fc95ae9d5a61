"""Keys of groups and of distinct rows, among which Gremlin tells 1 from 1.0, and 1 of 32 bits from
1 of 64: stored integers have 64, those that a text writes or `length()` counts have 32."""

from __future__ import annotations

from graph_ir import nodes as ir
from graph_ir.walk import find
from graphmill.errors import Refused
from schemagraph.model import Kind, Type
from translators.gremlin.rows import Compiler
from translators.gremlin.steps.text import Traversal, step


def writes_keys(query: ir.Statement) -> bool:
    """Whether an integer that the text writes or counts may be a key, or become one on its way."""
    reached: set[ir.Node] = set()
    following = _keys(query)
    defined: dict[str, list[ir.Node]] = {}
    for part in find(query, ir.Item, ir.Unwind, ir.ListComp, ir.Quantifier):
        match part:
            case ir.Item() | ir.Unwind():
                defined.setdefault(part.alias, []).append(part.expr)
            case ir.ListComp() | ir.Quantifier():
                defined.setdefault(part.var, []).append(part.list)
    while following:
        key = following.pop()
        if key in reached:
            continue
        reached.add(key)
        if any(_is_short(each) for each in find(key, ir.Literal, ir.Call, ir.Agg)):
            return True
        following += [own for var in find(key, ir.Var) for own in defined.get(var.name, ())]
    return False


def _keys(query: ir.Statement) -> list[ir.Node]:
    """What is told apart: groups, distinct rows, distinct arguments of aggregates."""
    keys: list[ir.Node] = []
    for each in find(query, ir.Project, ir.Agg, ir.Union):
        match each:
            case ir.Agg(distinct=True):
                keys += each.args
            case ir.Project(distinct=True):
                keys += [item.expr for item in each.items]
            case ir.Project():
                keys += each.group or ()
            case ir.Union(all=False):
                keys += [i.expr for p in find(each, ir.Project) if p.final for i in p.items]
    return keys


def _is_short(node: ir.Node) -> bool:
    """Whether a part of a key may be an integer that is not stored."""
    match node:
        case ir.Literal(value=value):
            return type(value) is int
        case ir.Call(name=name):
            return name in ("size", "length")
        case ir.Agg(name=name):
            return name == "sum"  # 0 of nothing
    return False


def one_float(expr: ir.Expr, own: Traversal) -> Traversal:
    """A number that is made, as the one kind of float that it is among keys."""
    if isinstance(expr, ir.Prop | ir.Var) or not own or expr.type.kind is not Kind.FLOAT:
        return own
    return (*own, step("asNumber", "GType.DOUBLE"))


def refuse_mixed(cx: Compiler, expr: ir.Expr) -> None:
    """Refuse keys among which Gremlin would tell 1 from 1.0."""
    kind: Type | None = expr.type
    while kind is not None and kind.kind is Kind.LIST:
        kind = kind.item
    if cx.schema is not None and kind is not None and kind.kind is Kind.ANY:
        raise Refused("mixed-keys", "DISTINCT", "Gremlin tells 1 from 1.0 among keys.", expr.span)
    if kind is not None and (kind.mixed or kind.kind is Kind.MAP):
        raise Refused("mixed-keys", "DISTINCT", "Gremlin tells 1 from 1.0 among keys.", expr.span)
