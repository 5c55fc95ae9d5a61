"""Gremlin's branches and loops, and what runs a traversal within another."""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from translators.gremlin.read.filters import has_result
from translators.gremlin.read.traversal import (
    GATHERING,
    NODE,
    VALUE,
    Object,
    Reading,
    Step,
    current,
    refused,
    walk,
    whole_number,
)
from translators.gremlin.read.tree import Call, Chain
from translators.gremlin.read.values import child_value


def _choose(reading: Reading, call: Call, options: list[Call]) -> None:
    if options or len(call.args) != 3:
        raise refused("choose()", "Options by value.")
    test, yes, no = call.args
    if not isinstance(test, Chain) or not isinstance(yes, Chain) or not isinstance(no, Chain):
        raise refused("choose()", "Branches that are no traversals.")
    here = current(reading)
    a, b = child_value(reading, yes, here), child_value(reading, no, here)
    if a.nullable or b.nullable:
        raise refused("choose()", "A branch without a result.")
    whens = (ir.When(has_result(reading, test), a.expr),)
    reading.here = Object(ir.Case(whens, b.expr))


def _coalesce(reading: Reading, call: Call, _: list[Call]) -> None:
    here = current(reading)
    parts = [child_value(reading, a, here) for a in call.args if isinstance(a, Chain)]
    if any(each.kind != VALUE for each in parts):
        raise refused("coalesce()", "Branches of nodes.")
    made = ir.Call("coalesce", tuple(each.expr for each in parts))
    if all(each.nullable for each in parts):
        reading.keep(ir.IsNull(made, negated=True))
    reading.here = Object(made)


def _repeat(reading: Reading, call: Call, modulators: list[Call]) -> None:
    emits = [each for each in modulators if each.name == "emit"]
    counts = [each for each in modulators if each.name != "emit"]
    (times,) = counts if len(counts) == 1 else (Call(""),)
    if len(emits) > 1 or any(each.args for each in emits):
        raise refused("repeat()", "emit() with a condition.")
    if times.name != "times" or len(call.args) != 1 or not isinstance(call.args[0], Chain):
        raise refused("repeat()", "Only so many times, without emit() and until().")
    number = whole_number(times.args[0])
    if not 0 < number <= 10:
        raise refused("repeat()", "So many times is not written out.")
    body = call.args[0]
    if {each.name for each in body.calls} & GATHERING:
        raise refused("repeat()", "Labels within, or what gathers traversers of all turns.")
    if emits:
        # what each turn ends with, in turn
        turns = tuple(replace(body, calls=body.calls * turn) for turn in range(1, number + 1))
        if number > 1:
            _union(reading, Call("union", turns), [])
            return
    for _ in range(number):
        walk(reading, body)


def _inline(reading: Reading, call: Call, _: list[Call]) -> None:
    (chain,) = call.args
    if not isinstance(chain, Chain) or {each.name for each in chain.calls} & GATHERING:
        raise refused(f"{call.name}()", "What gathers traversers within.")
    walk(reading, chain)


def _union(reading: Reading, call: Call, _: list[Call]) -> None:
    """Branches that end in nodes, or in values, one after the other."""
    sides: list[ir.Query] = []
    kinds: set[str] = set()
    name = reading.fresh("u")
    imports = tuple(sorted(reading.visible()))
    for item in call.args:
        if not isinstance(item, Chain) or {each.name for each in item.calls} & GATHERING:
            raise refused("union()", "A branch that gathers traversers of all.")
        inner = reading.inner()
        walk(inner, item)
        here = inner.here
        if here is None or here.nullable or here.kind not in (NODE, VALUE):
            raise refused("union()", "A branch of this kind.")
        kinds.add(here.kind)
        column = ir.Project((ir.Item(here.expr, name),), final=True)
        sides.append(ir.Query((*inner.clauses, column)))
    if len(kinds) != 1 or len(sides) < 2:
        raise refused("union()", "Branches of several kinds.")
    whole: ir.Statement = sides[0]
    for side in sides[1:]:
        whole = ir.Union(whole, side, all=True)
    (kind,) = kinds
    reading.clauses.append(ir.Subquery(whole, imports))
    reading.kinds[name] = kind
    reading.here = Object(ir.Var(name), kind)


def _identity(_: Reading, __: Call, ___: list[Call]) -> None:
    """`identity()`, and what only changes how a traversal is run."""


STEPS: dict[str, Step] = {
    "choose": _choose,
    "coalesce": _coalesce,
    "repeat": _repeat,
    "flatMap": _inline,
    "local": _inline,
    "union": _union,
    "identity": _identity,
    "barrier": _identity,
}
