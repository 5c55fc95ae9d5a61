"""Gremlin's reducing steps: aggregates, groups, order and windows of all traversers."""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from translators.gremlin.read.traversal import (
    EDGE,
    GROUP,
    NODE,
    PAIR,
    VALUE,
    Object,
    Reading,
    Step,
    current,
    only_argument,
    refused,
    whole_number,
)
from translators.gremlin.read.tree import Call, Chain, Token, Value
from translators.gremlin.read.values import modulated


def _count(reading: Reading, call: Call, _: list[Call]) -> None:
    if call.args:
        here = current(reading, VALUE)
        if not isinstance(call.args[0], Token) or call.args[0].name != "local":
            raise refused("count()")
        reading.here = Object(ir.Call("size", (here.expr,)))
        return
    current(reading)
    reading.only(ir.Agg("count"))


def _reduction(name: str) -> Step:
    """`sum()` and its relatives, which have no result of nothing."""

    def make(reading: Reading, call: Call, _: list[Call]) -> None:
        here = current(reading, VALUE)
        if call.args or here.nullable:
            raise refused(f"{call.name}()", "Only of the values of all traversers.")
        reading.only(ir.Agg(name, (here.expr,)))
        last = reading.clauses[-1]
        if name != "sum" or not isinstance(last, ir.Project):
            reading.clauses[-1] = (
                replace(last, where=ir.IsNull(ir.Var(last.items[0].alias), negated=True))
                if isinstance(last, ir.Project)
                else last
            )
            return
        many = reading.fresh("v")
        items = (*last.items, ir.Item(ir.Agg("count"), many))
        test = ir.Compare(ir.CompareOp.GT, ir.Var(many), ir.Literal(0))
        reading.clauses[-1] = replace(last, items=items, where=test)

    return make


def _fold(reading: Reading, call: Call, _: list[Call]) -> None:
    here = current(reading)
    if call.args or here.nullable or here.kind not in (VALUE, NODE, EDGE):
        raise refused("fold()", "A fold of one's own.")
    reading.only(ir.Agg("collect", (here.expr,)))


def _unfold(reading: Reading, call: Call, _: list[Call]) -> None:
    if reading.here is not None and reading.here.kind == GROUP:
        reading.here = replace(reading.here, kind=PAIR)
        return
    here = current(reading)
    collected = isinstance(here.expr, ir.Var) and reading.clauses
    last = reading.clauses[-1] if collected else None
    whole = isinstance(last, ir.Project) and isinstance(last.items[0].expr, ir.Agg)
    if not whole or not isinstance(last, ir.Project) or not _collects(last.items[0].expr):
        raise refused("unfold()", "What is unfolded is not known to be a list.")
    name = reading.fresh("v")
    reading.clauses.append(ir.Unwind(here.expr, name))
    reading.here = Object(ir.Var(name), here.kind)


def _collects(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Agg) and expr.name == "collect"


def _dedup(reading: Reading, call: Call, by: list[Call]) -> None:
    here = current(reading, NODE, EDGE, VALUE)
    if call.args or by:
        raise refused("dedup()", "Only of the current objects themselves.")
    reading.only(here.expr, distinct=True)


def _order(reading: Reading, call: Call, by: list[Call]) -> None:
    here = current(reading)
    if call.args:
        raise refused("order(local)", "An order within a list.")
    keys = []
    for each in by or [Call("by")]:
        args = [a for a in each.args if not (isinstance(a, Token) and a.name in ("asc", "desc"))]
        down = any(isinstance(a, Token) and a.name == "desc" for a in each.args)
        own = modulated(reading, replace(each, args=tuple(args)), here)
        if own.kind != VALUE:
            raise refused("order()", "Elements are ordered by their ids.")
        if own.nullable:
            reading.keep(ir.IsNull(own.expr, negated=True))
        keys.append(ir.SortKey(own.expr, down))
    reading.project(order=tuple(keys))
    reading.ordered = True


def _window(reading: Reading, call: Call, _: list[Call]) -> None:
    if any(isinstance(a, Token) for a in call.args):
        raise refused(f"{call.name}(local)", "A window of a list.")
    numbers = [whole_number(a) for a in call.args]
    skip, limit = 0, None
    if call.name == "limit":
        (limit,) = numbers
    elif call.name == "skip":
        (skip,) = numbers
    else:
        skip, end = numbers
        limit = max(0, end - skip)
    last = reading.clauses[-1] if reading.clauses else None
    fits = isinstance(last, ir.Project) and last.order and not last.skip and not last.limit
    if fits and isinstance(last, ir.Project) and last.where is None:
        reading.clauses.pop()
        order = last.order
    elif reading.ordered:
        raise refused(call.name, "A window of rows whose order came from further up.")
    else:
        order = ()
    reading.project(
        order=order,
        skip=ir.Literal(skip) if skip else None,
        limit=ir.Literal(limit) if limit is not None else None,
    )


def _group(reading: Reading, call: Call, by: list[Call]) -> None:
    here = current(reading)
    if call.args or len(by) > 2:
        raise refused("group('a')", "A group kept aside.")
    key = modulated(reading, by[0] if by else None, here)
    if key.nullable:
        reading.keep(ir.IsNull(key.expr, negated=True))
    if call.name == "groupCount":
        value: ir.Expr = ir.Agg("count")
    else:
        value = _group_reduction(reading, by[1] if len(by) > 1 else None, here)
    k = reading.fresh("n" if key.kind == NODE else "k")
    v = reading.fresh("v")
    items = (ir.Item(key.expr, k), ir.Item(value, v))
    reading.clauses.append(ir.Project(items, group=(key.expr,)))
    reading.labels = {}
    reading.kinds[k] = key.kind
    reading.here = Object(ir.ListOf((ir.Var(k), ir.Var(v))), GROUP)


def _group_reduction(reading: Reading, by: Call | None, here: Object) -> ir.Expr:
    if by is None:
        return ir.Agg("collect", (here.expr,))
    item = only_argument(by)
    match item:
        case Chain(calls=(Call(name="count", args=()),)):
            return ir.Agg("count")
        case Chain(calls=(Call(name="fold", args=()),)):
            return ir.Agg("collect", (here.expr,))
        case Chain(calls=(Call(name="values", args=(Value(value=str() as key),)), Call(name=name))):
            if name in ("fold", "count") and here.kind in (NODE, EDGE):
                kind = "collect" if name == "fold" else "count"
                return ir.Agg(kind, (ir.Prop(here.expr, key),))
        case Value(value=str() as key) if here.kind in (NODE, EDGE):
            raise refused("group()", "Values that may be absent from a group.")
    raise refused("group()", "This reduction of a group is not read.")


STEPS: dict[str, Step] = {
    "count": _count,
    "sum": _reduction("sum"),
    "mean": _reduction("avg"),
    "min": _reduction("min"),
    "max": _reduction("max"),
    "fold": _fold,
    "unfold": _unfold,
    "dedup": _dedup,
    "order": _order,
    "limit": _window,
    "skip": _window,
    "range": _window,
    "group": _group,
    "groupCount": _group,
}
