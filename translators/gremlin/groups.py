"""Aggregation: `group` by the keys, or one `fold` where there are none.

`group` gives a map from keys to groups, which is unfolded into rows. A group keeps the values that
its aggregates read, unless it has one aggregate, which is then reduced at once.
"""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import aggregates, substitute
from graphmill.errors import Refused
from schemagraph.model import NUMERIC, Kind
from translators.gremlin.keys import refuse_mixed, whole_type
from translators.gremlin.rows import Binding, Compiler, Rows, inline
from translators.gremlin.text import Label, Raw, Step, Traversal, by, select, step

_SIMPLE = {"min": "min", "max": "max", "avg": "mean", "collect": "fold"}
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
    label = cx.fresh("group")
    cx.groups.add(label)
    bound: dict[ir.Expr, Binding] = {}
    if not keys:
        _all(cx, aggs, rows, label, bound)
    else:
        _by_keys(cx, keys, aggs, rows, label, bound)
    return _columns(cx, node, rows, bound)


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
    if agg.name in ("sum", "avg") and kind not in NUMERIC and typed:
        raise Refused("aggregate", agg.name, "This is not known to be numbers.", agg.span)
    if agg.name in ("min", "max") and kind not in _ORDERED and typed:
        raise Refused("aggregate", agg.name, "Gremlin does not order these.", agg.span)
    if agg.distinct and kind is Kind.ANY and cx.schema is not None and agg.args:
        raise Refused("mixed-keys", agg.name, "Gremlin tells 1 from 1.0 among keys.", agg.span)
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


def _argument(cx: Compiler, agg: ir.Agg, rows: Rows) -> Traversal:
    own = cx.value(agg.args[0], rows)
    return whole_type(agg.args[0], own) if agg.distinct else own


def _nullable(agg: ir.Agg) -> bool:
    return agg.name in ("min", "max", "avg")


def _lost(agg: ir.Agg) -> bool:
    """Whether Gremlin's reduction has no result of nothing."""
    return _nullable(agg) or agg.name == "sum"


def _all(
    cx: Compiler,
    aggs: list[ir.Agg],
    rows: Rows,
    label: str,
    bound: dict[ir.Expr, Binding],
) -> None:
    """Aggregates of all rows: one row, also of none."""
    if len(aggs) == 1 and not _lost(aggs[0]):
        (agg,) = aggs
        own = inline(_argument(cx, agg, rows)) if agg.args else ()
        rows.add(*own, *_reduced(agg))
        rows.move(label)
        bound[agg] = Binding((select(label),), agg.type, nullable=False, label=label)
        return
    inputs = _inputs(aggs)
    if len(inputs) == 1 and all(agg.args for agg in aggs):
        rows.add(*inline(_argument(cx, replace(aggs[0], distinct=False), rows)), step("fold"))
        rows.move(label)
        read: dict[ir.Expr, Traversal] = {inputs[0]: (step("unfold"),)}
    else:
        made, read = _kept(cx, inputs, rows)
        rows.add(*made, step("fold"))
        rows.move(label)
    _bind(aggs, label, (), read, bound)


def _inputs(aggs: list[ir.Agg]) -> list[ir.Expr]:
    return list(dict.fromkeys(agg.args[0] for agg in aggs if agg.args))


def _kept(
    cx: Compiler, inputs: list[ir.Expr], rows: Rows
) -> tuple[Traversal, dict[ir.Expr, Traversal]]:
    """Steps to a map of the inputs of aggregates, and how each is read from a list of them."""
    if not inputs:
        return (), {}
    names = [f"v{number}" for number in range(1, len(inputs) + 1)]
    parts = (by(cx.value(each, rows)) for each in inputs)
    made = (Step("project", tuple(map(Label, names))), *parts)
    read: dict[ir.Expr, Traversal] = {
        each: (step("unfold"), Step("select", (Label(name),)))
        for each, name in zip(inputs, names, strict=True)
    }
    return made, read


def _bind(
    aggs: list[ir.Agg],
    label: str,
    group: Traversal,
    read: dict[ir.Expr, Traversal],
    bound: dict[ir.Expr, Binding],
) -> None:
    for agg in aggs:
        steps: Traversal = (step("count", "local"),)
        if agg.args:
            steps = (*read[agg.args[0]], *_reduced(agg))
        if agg.name == "sum":  # fold(0, sum) would forget how many traversers are one
            steps = (step("coalesce", steps, (step("constant", "0"),)),)
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
    rows.add(step("group"))
    nullable = [cx.nullable(each, rows) for each in keys]
    if len(keys) == 1:
        (key,) = keys
        own = whole_type(key, cx.value(key, rows))
        if nullable[0]:
            own = (Step("coalesce", (own, (step("constant", "null"),))),)
        rows.add(by(own))
        bound[key] = Binding((select(label), _KEYS), key.type, nullable[0], explicit=True)
    else:
        names = [f"k{number}" for number in range(1, len(keys) + 1)]
        parts = (by(whole_type(each, cx.value(each, rows))) for each in keys)
        rows.add(by((Step("project", tuple(map(Label, names))), *parts)))
        for key, name, may in zip(keys, names, nullable, strict=True):
            path = (select(label), _KEYS, Step("select", (Label(name),)))
            bound[key] = Binding(path, key.type, may)
    if not aggs:
        rows.add(by((step("count"),)))
    elif len(aggs) == 1 and _at_once(cx, aggs[0], rows):
        (agg,) = aggs
        own = _argument(cx, agg, rows) if agg.args else ()
        rows.add(by((*own, *_reduced(agg))))
        bound[agg] = Binding((select(label), _VALUES), agg.type, nullable=False)
    else:
        made, read = _kept(cx, _inputs(aggs), rows)
        rows.add(by((*made, step("fold"))))
        _bind(aggs, label, (_VALUES,), read, bound)
    rows.here = ""
    rows.move(label, step("unfold"))


def _at_once(cx: Compiler, agg: ir.Agg, rows: Rows) -> bool:
    """Whether one aggregate can be reduced within `group`: a group without a value is lost."""
    if not agg.args:
        return True
    own = cx.value(agg.args[0], rows)
    streams = inline(own) == own
    return streams and (not _lost(agg) or not cx.nullable(agg.args[0], rows))
