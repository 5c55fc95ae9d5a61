"""Gremlin's steps of two lists: joined, or as sets, whose items come in no order."""

from __future__ import annotations

from graph_ir import nodes as ir
from translators.gremlin.read.traversal import (
    VALUE,
    Object,
    Reading,
    Step,
    comparable,
    current,
    only_argument,
    refused,
)
from translators.gremlin.read.tree import Call, Chain, Many
from translators.gremlin.read.values import child_value


def _lists(reading: Reading, call: Call) -> tuple[ir.Expr, ir.Expr]:
    """The list that a traverser stands on, and the one that is given."""
    here = current(reading, VALUE)
    item = only_argument(call)
    if not here.many or here.nullable:
        raise refused(f"{call.name}()", "What it is of is not known to be a list.")
    match item:
        case Many(items=items):
            return here.expr, ir.ListOf(tuple(map(comparable, items)))
        case Chain():
            own = child_value(reading, item, here)
            if own.many and own.kind == VALUE and not own.nullable:
                return here.expr, own.expr
    raise refused(f"{call.name}()", "What is given is not known to be a list.")


def _combine(reading: Reading, call: Call, _: list[Call]) -> None:
    one, other = _lists(reading, call)
    reading.here = Object(ir.Arith(ir.ArithOp.ADD, one, other), many=True)


def _kept(name: str) -> Step:
    def make(reading: Reading, call: Call, _: list[Call]) -> None:
        one, other = _lists(reading, call)
        item, made = reading.fresh("v"), reading.fresh("v")
        own = ir.Var(item)
        here, there = ir.In(own, one), ir.In(own, other)
        whole: ir.Expr = one
        test: ir.Expr | None = None
        if name in ("merge", "disjunct"):
            whole = ir.Arith(ir.ArithOp.ADD, one, other)
        if name == "difference":
            test = ir.Not(there)
        elif name == "intersect":
            test = there
        elif name == "disjunct":
            test = ir.Not(ir.Bool(ir.BoolOp.AND, (here, there)))
        outer = sorted(reading.visible() | set(_names(other)))
        kept = (ir.Item(own, item), *(ir.Item(ir.Var(each), each) for each in outer))
        clauses: list[ir.Clause] = [ir.Unwind(whole, item)]
        if test is not None:
            clauses.append(ir.Project(kept, where=test))
        agg = ir.Agg("collect", (own,), distinct=True)
        clauses.append(ir.Project((ir.Item(agg, made),), final=True, group=()))
        reading.clauses.append(ir.Subquery(ir.Query(tuple(clauses)), tuple(outer)))
        reading.kinds[made] = VALUE
        reading.here = Object(ir.Var(made), many=True)

    return make


def _names(expr: ir.Expr) -> list[str]:
    """The variables that a given list reads, where it is one itself."""
    return [expr.name] if isinstance(expr, ir.Var) else []


def _product(reading: Reading, call: Call, _: list[Call]) -> None:
    one, other = _lists(reading, call)
    a, b, made = reading.fresh("v"), reading.fresh("v"), reading.fresh("v")
    pair = ir.ListOf((ir.Var(a), ir.Var(b)))
    agg = ir.Agg("collect", (pair,))
    last = ir.Project((ir.Item(agg, made),), final=True, group=())
    body = ir.Query((ir.Unwind(one, a), ir.Unwind(other, b), last))
    reading.clauses.append(ir.Subquery(body, tuple(sorted(reading.visible()))))
    reading.kinds[made] = VALUE
    reading.here = Object(ir.Var(made), many=True)


STEPS: dict[str, Step] = {
    "combine": _combine,
    **{name: _kept(name) for name in ("merge", "difference", "intersect", "disjunct")},
    "product": _product,
}
