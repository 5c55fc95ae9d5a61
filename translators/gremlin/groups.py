"""Aggregation: `group` by the keys, or one `fold` where there are none.

`group` gives a map from keys to groups, which is unfolded into rows. A group keeps the values that
its aggregates read, unless it has one aggregate, which is then reduced at once.
"""

from __future__ import annotations

from graph_ir import nodes as ir
from graph_ir.lowerings import aggregates, substitute
from graphmill.errors import Refused
from schemagraph.model import NUMERIC, Kind
from translators.gremlin.keys import one_float, refuse_mixed
from translators.gremlin.reductions import SHOWN_IN_MAPS, TOTAL, drops_empty
from translators.gremlin.rows import Binding, Compiler, Rows, inline
from translators.gremlin.steps.text import Label, Raw, Step, Traversal, by, is_plain, select, step

KEY, VALUE = "k", "v"
"""How the names of the parts of a group begin: `k1`, `k2` for its keys, `v1` for what it keeps."""

_SIMPLE = {"min": "min", "max": "max", "avg": "mean", "collect": "fold", TOTAL: "sum"}
_KEYS, _VALUES = Step("select", (Raw("keys"),)), Step("select", (Raw("values"),))


def grouped(
    cx: Compiler, node: ir.Project, rows: Rows
) -> tuple[dict[str, Binding], dict[ir.Expr, ir.Expr]]:
    """Append the grouping of a projection, after which the rows have its columns.

    Keys and aggregates get names that no query has: how each is reached, and its name.
    """
    keys = list(dict.fromkeys(node.group or ()))
    aggs = list(dict.fromkeys(a for item in node.items for a in aggregates(item.expr)))
    for key in node.order:
        aggs += [a for a in aggregates(key.expr) if a not in aggs]
    for agg in aggs:
        _check(cx, agg)
    label = cx.fresh(_label_of(node))
    cx.groups.add(label)
    bound: dict[ir.Expr, Binding] = {}
    if not keys:
        _all(cx, aggs, rows, label, bound, direct=_is_direct(cx, node, rows))
    else:
        _by_keys(cx, keys, aggs, rows, label, bound)
    return _columns(cx, node, rows, bound)


def _label_of(node: ir.Project) -> str:
    """The label of the only column of all rows, else of a group."""
    if not node.group and len(node.items) == 1 and node.items[0].alias.isidentifier():
        return node.items[0].alias
    return "group"


def _is_direct(cx: Compiler, node: ir.Project, rows: Rows) -> bool:
    """Whether the one aggregate of all rows may have no result, where Cypher has a row.

    An engine says the row of an answer that ends in a reduction; else what follows has to drop it.
    """
    (item, *more) = node.items
    if more or not isinstance(item.expr, ir.Agg) or node.order:
        return False
    if node.skip is not None or node.limit is not None:
        return False
    if node.final:
        if item.expr.type.kind in SHOWN_IN_MAPS:
            return False
        return not rows.inner and node.where is None and item.expr.name != "sum"
    columns = {item.alias: item.expr.name}
    return drops_empty(node.where, columns) or item.alias in cx.unread


def _columns(
    cx: Compiler, node: ir.Project, rows: Rows, bound: dict[ir.Expr, Binding]
) -> tuple[dict[str, Binding], dict[ir.Expr, ir.Expr]]:
    """Columns over what `bound` reaches: keys and aggregates under names of their own."""
    names = {expr: f" {number}" for number, expr in enumerate(bound)}
    scope = Rows({names[expr]: own for expr, own in bound.items()}, "", [], inner=True)
    mapping: dict[ir.Expr, ir.Expr] = {
        expr: ir.Var(name, type=expr.type) for expr, name in names.items()
    }
    columns = {}
    for item in node.items:
        if item.expr in bound:
            columns[item.alias] = bound[item.expr]
            continue
        changed = substitute(item.expr, mapping)
        nullable = cx.nullable(changed, scope)
        kind = item.expr.type
        columns[item.alias] = Binding((), kind, nullable, computed=changed, scope=scope)
    rows.vars = columns
    return scope.vars, mapping


def _check(cx: Compiler, agg: ir.Agg) -> None:
    if agg.name not in ("count", "sum", *_SIMPLE):
        raise Refused("aggregate", agg.name, f"Gremlin has no {agg.name}.", agg.span)
    kind = agg.args[0].type.kind if agg.args else Kind.ANY
    typed = kind is not Kind.ANY or cx.schema is not None
    if agg.name in ("sum", "avg", TOTAL) and kind not in NUMERIC and typed:
        raise Refused("aggregate", agg.name, "This is not known to be numbers.", agg.span)
    if agg.name in ("min", "max") and kind not in _ORDERED and typed:
        raise Refused("aggregate", agg.name, "Gremlin does not order these.", agg.span)
    if agg.name in ("min", "max") and agg.args[0].type.mixed:
        reason = "Gremlin makes floats of integers to compare them."
        raise Refused("mixed-numbers", agg.name, reason, agg.span)
    if agg.distinct and agg.args:
        refuse_mixed(cx, agg.args[0])
    if agg.args and aggregates(agg.args[0]):
        raise Refused("aggregate", agg.name, "An aggregate of an aggregate.", agg.span)


_ORDERED = frozenset({*NUMERIC, Kind.STRING, Kind.DATE, Kind.DATETIME, Kind.TIME})


def _reduced(agg: ir.Agg) -> Traversal:
    """Steps from the values that are there to the aggregate."""
    once = (step("dedup"),) if agg.distinct else ()
    if agg.name == "count":
        return (*once, step("count"))
    if agg.name == "sum":
        return (*once, step("sum"))
    return (*once, step(_SIMPLE[agg.name]))


def _in_order(agg: ir.Agg) -> Traversal:
    """Steps before a reduction within `group`, where a `dedup()` that is the first to wait for all
    values has them in no order: another waits before it."""
    if agg.distinct and agg.name == "collect":
        return step("fold"), step("unfold")
    return ()


def _of_list(agg: ir.Agg) -> Traversal:
    """Steps from the list of the values that are there to the aggregate."""
    if agg.distinct:
        return (step("unfold"), *_reduced(agg))
    if agg.name == "collect":
        return ()
    return (step(_SIMPLE.get(agg.name, agg.name), "local"),)


def reduction(cx: Compiler, agg: ir.Agg, rows: Rows) -> Traversal:
    """Steps from the rows to one aggregate of all of them, which may have no result."""
    _check(cx, agg)
    own = inline(_argument(cx, agg, rows)) if agg.args else ()
    return (*own, *_reduced(agg))


def _argument(cx: Compiler, agg: ir.Agg, rows: Rows) -> Traversal:
    own = cx.value(agg.args[0], rows)
    return one_float(agg.args[0], own) if agg.distinct else own


def _nullable(agg: ir.Agg) -> bool:
    return agg.name in ("min", "max", "avg", TOTAL)


def _lost(agg: ir.Agg) -> bool:
    """Whether Gremlin's reduction has no result of nothing."""
    return _nullable(agg) or agg.name == "sum"


def _all(
    cx: Compiler,
    aggs: list[ir.Agg],
    rows: Rows,
    label: str,
    bound: dict[ir.Expr, Binding],
    *,
    direct: bool,
) -> None:
    """Aggregates of all rows: one row, also of none unless it is `direct`."""
    if len(aggs) == 1 and (direct or not _lost(aggs[0])):
        (agg,) = aggs
        rows.move(label, *reduction(cx, agg, rows))
        bound[agg] = Binding((select(label),), agg.type, nullable=False, label=label)
        return
    if len(aggs) == 1 and aggs[0].name == "sum":
        nothing = Step("coalesce", ((step("unfold"),), cx.constant(0)))
        rows.move(label, *reduction(cx, aggs[0], rows), step("fold"), nothing)
        bound[aggs[0]] = Binding((select(label),), aggs[0].type, nullable=False, label=label)
        return
    made, read = _kept(cx, aggs, rows)
    rows.move(label, *made, step("fold"))
    _bind(cx, aggs, label, (), read, bound)


def _inputs(aggs: list[ir.Agg]) -> list[ir.Expr]:
    return list(dict.fromkeys(agg.args[0] for agg in aggs if agg.args))


def _kept(
    cx: Compiler, aggs: list[ir.Agg], rows: Rows
) -> tuple[Traversal, dict[ir.Expr, Traversal]]:
    """Steps to what a group keeps, and how the input of an aggregate is read from a list of it."""
    inputs = _inputs(aggs)
    if not inputs:
        return (), {}
    values = [cx.value(each, rows) for each in inputs]
    if len(inputs) == 1:
        own = inline(values[0])
        if all(agg.args for agg in aggs) or (own == values[0] and not cx.nullable(inputs[0], rows)):
            return own, {inputs[0]: ()}
    if all(is_plain(each) for each in values):
        pairs = zip(inputs, values, strict=True)
        return (), {each: (step("unfold"), *inline(own)) for each, own in pairs}
    names = [f"{VALUE}{number}" for number in range(1, len(inputs) + 1)]
    made = (Step("project", tuple(map(Label, names))), *map(by, values))
    read: dict[ir.Expr, Traversal] = {
        each: (step("unfold"), Step("select", (Label(name),)))
        for each, name in zip(inputs, names, strict=True)
    }
    return made, read


def _bind(
    cx: Compiler,
    aggs: list[ir.Agg],
    label: str,
    group: Traversal,
    read: dict[ir.Expr, Traversal],
    bound: dict[ir.Expr, Binding],
) -> None:
    for agg in aggs:
        steps: Traversal = (step("count", "local"),)
        if agg.args and not read[agg.args[0]]:
            steps = _of_list(agg)
        elif agg.args:
            steps = (*read[agg.args[0]], *_reduced(agg))
        if agg.name == "sum":  # fold(0, sum) would forget how many traversers are one
            steps = (step("coalesce", steps, cx.constant(0)),)
        path = (select(label), *group, *steps)
        bound[agg] = Binding(path, agg.type, nullable=_nullable(agg))


def _by_keys(
    cx: Compiler,
    keys: list[ir.Expr],
    aggs: list[ir.Agg],
    rows: Rows,
    label: str,
    bound: dict[ir.Expr, Binding],
) -> None:
    for each in keys:
        refuse_mixed(cx, each)
    nullable = [cx.nullable(each, rows) for each in keys]
    if len(keys) == 1:
        (key,) = keys
        own = one_float(key, cx.value(key, rows))
        if nullable[0]:
            own = (Step("coalesce", (own, (step("constant", "null"),))),)
        parts: Traversal = (by(own),)
        bound[key] = Binding((select(label), _KEYS), key.type, nullable[0], explicit=True)
    else:
        names = [f"{KEY}{number}" for number in range(1, len(keys) + 1)]
        columns = (by(one_float(each, cx.value(each, rows))) for each in keys)
        parts = (by((Step("project", tuple(map(Label, names))), *columns)),)
        for key, name, may in zip(keys, names, nullable, strict=True):
            path = (select(label), _KEYS, Step("select", (Label(name),)))
            bound[key] = Binding(path, key.type, may)
    if not aggs or (len(aggs) == 1 and not _input_of(cx, aggs[0], rows)):
        rows.add(step("groupCount"), *(each for each in parts if each.args))
        for agg in aggs:
            bound[agg] = Binding((select(label), _VALUES), agg.type, nullable=False)
    elif len(aggs) == 1 and _at_once(cx, aggs[0], rows):
        (agg,) = aggs
        own = _argument(cx, agg, rows)
        rows.add(step("group"), *parts, by((*own, *_in_order(agg), *_reduced(agg))))
        bound[agg] = Binding((select(label), _VALUES), agg.type, nullable=False)
    else:
        made, read = _kept(cx, aggs, rows)
        rows.add(step("group"), *parts, by((*made, step("fold"))))
        _bind(cx, aggs, label, (_VALUES,), read, bound)
    rows.here = ""
    rows.move(label, step("unfold"))


def _input_of(cx: Compiler, agg: ir.Agg, rows: Rows) -> bool:
    """Whether an aggregate is more than the number of rows."""
    if agg.name != "count" or agg.distinct:
        return True
    return bool(agg.args) and cx.nullable(agg.args[0], rows)


def _at_once(cx: Compiler, agg: ir.Agg, rows: Rows) -> bool:
    """Whether one aggregate can be reduced within `group`: a group without a value is lost."""
    if not agg.args:
        return True
    own = cx.value(agg.args[0], rows)
    streams = inline(own) == own
    return streams and (not _lost(agg) or not cx.nullable(agg.args[0], rows))
