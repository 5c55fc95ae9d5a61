"""Gremlin's order, windows and distinct objects, of all traversers or within a list."""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import substitute
from graph_ir.lowerings import whole_number as whole_count
from graph_ir.variables import read_names
from translators.gremlin.read.aggregates import holds_values, of_list
from translators.gremlin.read.traversal import (
    EDGE,
    NODE,
    VALUE,
    Object,
    Reading,
    Step,
    current,
    is_local,
    keep_present,
    refused,
    whole_number,
)
from translators.gremlin.read.tree import Call, Item, Token
from translators.gremlin.read.values import modulated

_DIRECTIONS = ("asc", "desc")


def _dedup(reading: Reading, call: Call, by: list[Call]) -> None:
    here = current(reading, NODE, EDGE, VALUE)
    if is_local(call) and here.many and not by and holds_values(reading, here):
        of_list(reading, ir.Agg("collect", (), distinct=True), many=True)
        return
    if call.args or len(by) > 1:
        raise refused("dedup()", "Only of the current objects themselves.")
    if by and reading.ordered:
        # TinkerPop's FilterRankingStrategy has it before the order
        raise refused("dedup()", "The first of each by a modulator, behind an order.")
    if by:
        _first_of_each(reading, modulated(reading, by[0], here))
        return
    order = _order_before(reading)
    reading.only(here.expr, distinct=True)
    if order:
        _keep_order(reading, here.expr, order)


def _order_before(reading: Reading) -> tuple[ir.SortKey, ...]:
    """The order that the rows have, which no clause since has dropped."""
    if not reading.ordered:
        return ()
    ordered = [each for each in reading.clauses if isinstance(each, ir.Project) and each.order]
    order = ordered[-1].order if ordered else ()
    if not order or not read_names(*order) <= reading.bound() | reading.outer:
        raise refused("dedup()", "The order of the rows before it comes from further up.")
    return order


def _keep_order(reading: Reading, own: ir.Expr, order: tuple[ir.SortKey, ...]) -> None:
    """Put distinct values where the first of each stood, in the order of the rows before."""
    project = reading.clauses[-1]
    if not isinstance(project, ir.Project) or reading.here is None:
        return
    value = reading.here.expr
    keys = [substitute(key, {own: value}) for key in order]
    decisive = [place for place, key in enumerate(keys) if key.expr == value]
    keys = keys[: decisive[0] + 1] if decisive else keys  # no two have the same
    if read_names(*keys) <= read_names(value):
        reading.clauses[-1] = replace(project, order=tuple(keys))
        return
    if len(order) > 1:
        raise refused("dedup()", "The first of each by an order of several keys.")
    (key,) = order
    name = reading.fresh("v")
    first = ir.Item(ir.Agg("max" if key.descending else "min", (key.expr,)), name)
    reading.clauses[-1] = replace(
        project,
        items=(*project.items, first),
        distinct=False,
        group=(own,),
        order=(replace(key, expr=ir.Var(name)),),
    )


def _first_of_each(reading: Reading, key: Object) -> None:
    """One of the objects for each key: which one, nobody says."""
    here = current(reading, NODE, EDGE, VALUE)
    if key.kind != VALUE or key.many or here.null:
        raise refused("dedup()", "This modulator.")
    keep_present(reading, key, "dedup()")
    k, name = reading.fresh("k"), reading.fresh("n" if here.kind == NODE else "v")
    first = ir.Call("head", (ir.Agg("collect", (here.expr,)),))
    items = (ir.Item(key.expr, k), ir.Item(first, name))
    reading.clauses.append(ir.Project(items, group=(key.expr,)))
    reading.kinds[name] = here.kind
    reading.here = Object(ir.Var(name), here.kind)
    reading.forgot = reading.forgot or bool(reading.labels)
    reading.labels, reading.named, reading.sack = {}, {}, None
    if reading.passed is not None:
        raise refused("dedup()", "Paths of those that were kept.")


def _order(reading: Reading, call: Call, by: list[Call]) -> None:
    here = current(reading)
    if is_local(call) and here.many and len(call.args) == 1 and holds_values(reading, here):
        args: tuple[Item, ...] = by[0].args if len(by) == 1 else ()
        if len(by) > 1 or any(not isinstance(a, Token) or a.name not in _DIRECTIONS for a in args):
            raise refused("order(local)", "What a list is ordered by.")
        down = bool(args) and isinstance(args[0], Token) and args[0].name == "desc"
        key = ir.SortKey(here.expr, down)
        of_list(reading, ir.Agg("collect"), order=(key,), many=True)
        return
    if call.args:
        raise refused("order(local)", "An order within a list.")
    keys = []
    for each in by or [Call("by")]:
        kept = [a for a in each.args if not (isinstance(a, Token) and a.name in _DIRECTIONS)]
        down = any(isinstance(a, Token) and a.name == "desc" for a in each.args)
        own = modulated(reading, replace(each, args=tuple(kept)), here)
        if own.kind != VALUE:
            raise refused("order()", "Elements are ordered by their ids.")
        if own.null:  # null comes before all values
            keys.append(ir.SortKey(ir.IsNull(own.expr, negated=True), down))
        elif own.nullable:
            reading.keep(ir.IsNull(own.expr, negated=True))
        keys.append(ir.SortKey(own.expr, down))
    reading.project(order=tuple(keys))
    reading.ordered = True


def _list_window(reading: Reading, call: Call, numbers: list[int]) -> None:
    """A window of the list that a traverser stands on."""
    here = current(reading, VALUE)
    if not here.many:
        raise refused(f"{call.name}(local)", "What it is of is not known to be a list.")
    lo: ir.Expr | None = None
    hi: ir.Expr | None = None
    if call.name == "limit":
        if not numbers[0]:
            raise refused("limit(local, 0)", "A list of nothing.")
        hi = ir.Literal(numbers[0])
    elif call.name == "skip":
        lo = ir.Literal(numbers[0])
    elif call.name == "range":
        lo, hi = ir.Literal(numbers[0]), ir.Literal(numbers[1])
    else:
        (number,) = numbers or [1]
        size = ir.Call("size", (here.expr,))
        least = ir.Arith(ir.ArithOp.SUB, size, ir.Literal(number))
        over = ir.When(ir.Compare(ir.CompareOp.GT, size, ir.Literal(number)), least)
        lo = ir.Case((over,), ir.Literal(0))
    reading.here = replace(here, expr=ir.Slice(here.expr, lo, hi))


def _tail(reading: Reading, number: int) -> None:
    """The last rows: those that come first in the opposite order, in the order they had."""
    last = reading.clauses[-1] if reading.clauses else None
    if not isinstance(last, ir.Project) or not last.order or last.where is not None:
        raise refused("tail()", "The last rows of no order.")
    if last.skip is not None or last.limit is not None:
        raise refused("tail()", "The last rows of a window.")
    turned = tuple(replace(key, descending=not key.descending) for key in last.order)
    reading.clauses[-1] = replace(last, order=turned, limit=ir.Literal(number))
    reading.project(order=last.order)


def _window(reading: Reading, call: Call, _: list[Call]) -> None:
    scoped = [a for a in call.args if isinstance(a, Token)]
    if scoped:
        counted = [whole_number(a) for a in call.args if not isinstance(a, Token)]
        if scoped[0].name == "local":
            _list_window(reading, call, counted)
            return
        call = replace(call, args=tuple(a for a in call.args if not isinstance(a, Token)))
    if call.name == "tail":
        (number,) = [whole_number(a) for a in call.args] or [1]
        _tail(reading, number)
        return
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
    if (
        isinstance(last, ir.Project)
        and last.where is None
        and (last.order or last.skip or last.limit)
    ):
        reading.clauses[-1] = _within(last, skip, limit)
        return
    if reading.ordered:
        raise refused(call.name, "A window of rows whose order came from further up.")
    reading.project(skip=_rows(skip or None), limit=_rows(limit))


def _rows(number: int | None) -> ir.Expr | None:
    return None if number is None else ir.Literal(number)


def _within(project: ir.Project, skip: int, limit: int | None) -> ir.Project:
    """The window of a projection's rows, of which some are left out already."""
    before = 0 if project.skip is None else whole_count(project.skip) or 0
    most = None if project.limit is None else whole_count(project.limit)
    if most is not None:
        rest = max(0, most - skip)
        limit = rest if limit is None else min(rest, limit)
    skip += before
    return replace(project, skip=_rows(skip or None), limit=_rows(limit))


STEPS: dict[str, Step] = {
    "dedup": _dedup,
    "order": _order,
    **dict.fromkeys(("limit", "skip", "range", "tail"), _window),
}
