"""Gremlin's reducing steps: aggregates and groups of all traversers, or of the items of a list."""

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
    is_local,
    only_argument,
    refused,
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
        if is_local(call) and here.many:
            of_list(reading, ir.Agg(name, (ir.Var("x"),)))
            return
        if call.args or here.many or (here.nullable and not here.null):
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
        counted = ir.Agg("count", (here.expr,) if here.null else ())
        items = (*last.items, ir.Item(counted, many))
        test = ir.Compare(ir.CompareOp.GT, ir.Var(many), ir.Literal(0))
        reading.clauses[-1] = replace(last, items=items, where=test)

    return make


def of_list(
    reading: Reading, agg: ir.Agg, *, order: tuple[ir.SortKey, ...] = (), many: bool = False
) -> None:
    """An aggregate of the items of the list that a traverser stands on."""
    here = current(reading, VALUE)
    item, name = reading.fresh("v"), reading.fresh("v")
    value = ir.Var(item)
    agg = replace(agg, args=(value,))
    clauses: list[ir.Clause] = [ir.Unwind(here.expr, item)]
    if order:
        keys = tuple(replace(key, expr=value) for key in order)
        clauses.append(ir.Project((ir.Item(value, item),), order=keys))
    items: tuple[ir.Item, ...] = (ir.Item(agg, name),)
    count = reading.fresh("v")
    if not many:
        items = (*items, ir.Item(ir.Agg("count", (value,)), count))
    clauses.append(ir.Project(items, final=True, group=()))
    reading.clauses.append(ir.Subquery(ir.Query(tuple(clauses)), tuple(sorted(reading.visible()))))
    reading.kinds[name] = VALUE
    reading.here = Object(ir.Var(name), many=many)
    if not many:
        reading.keep(ir.Compare(ir.CompareOp.GT, ir.Var(count), ir.Literal(0)))


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
    if here.many:
        name = reading.fresh("v")
        reading.clauses.append(ir.Unwind(here.expr, name))
        reading.here = Object(ir.Var(name), _items_of(reading, here))
        return
    whole = isinstance(last, ir.Project) and isinstance(last.items[0].expr, ir.Agg)
    if not whole or not isinstance(last, ir.Project) or not _collects(last.items[0].expr):
        raise refused("unfold()", "What is unfolded is not known to be a list.")
    name = reading.fresh("v")
    reading.clauses.append(ir.Unwind(here.expr, name))
    reading.here = Object(ir.Var(name), here.kind)


def _items_of(reading: Reading, here: Object) -> str:
    """The kind of a list's items: values, as far as nothing else is known."""
    match here.expr:
        case ir.Var(name=name):
            last = [c for c in reading.clauses if isinstance(c, ir.Project)]
            for clause in last[::-1]:
                for item in clause.items:
                    if item.alias == name and isinstance(item.expr, ir.Agg):
                        (arg,) = item.expr.args
                        return (
                            reading.kinds.get(arg.name, VALUE) if isinstance(arg, ir.Var) else VALUE
                        )
        case ir.ListOf(items=items):
            kinds = {
                reading.kinds.get(e.name, VALUE) if isinstance(e, ir.Var) else VALUE for e in items
            }
            if len(kinds) == 1:
                return kinds.pop()
            raise refused("unfold()", "A list of several kinds.")
    return VALUE


def _collects(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Agg) and expr.name == "collect"


def holds_values(reading: Reading, here: Object) -> bool:
    """Whether a list is of values, without null."""
    if isinstance(here.expr, ir.ListOf):
        return ir.Literal(None) not in here.expr.items
    return _items_of(reading, here) == VALUE


def _group(reading: Reading, call: Call, by: list[Call]) -> None:
    here = current(reading)
    if call.args or len(by) > 2:
        raise refused("group('a')", "A group kept aside.")
    key = modulated(reading, by[0] if by else None, here)
    if key.nullable and not key.null:
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
    "group": _group,
    "groupCount": _group,
}
