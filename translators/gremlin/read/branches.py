"""Gremlin's branches and loops, and what runs a traversal within another."""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from graphmill.errors import Refused
from translators.gremlin.read.filters import has_result, predicate_test
from translators.gremlin.read.steps import PREDICATES
from translators.gremlin.read.traversal import (
    EDGE,
    GATHERING,
    NODE,
    VALUE,
    Object,
    Reading,
    Step,
    current,
    label_of,
    refused,
    walk,
    whole_number,
)
from translators.gremlin.read.tree import Call, Chain, Item, Token
from translators.gremlin.read.values import child_value

type _Branch = tuple[ir.Expr | None, Chain]
"""A condition, or none, and what is run where it holds."""

_SELF = Chain("__", (Call("identity"),))


def _choose(reading: Reading, call: Call, options: list[Call]) -> None:
    here = current(reading)
    if options:
        _by_option(reading, call, options)
        return
    test, *branches = call.args
    chains = [each for each in branches if isinstance(each, Chain)]
    if len(chains) < len(branches) or not 1 <= len(chains) <= 2:
        raise refused("choose()", "Branches that are no traversals.")
    met = _is_met(reading, test, here)
    yes, no = (*chains, _SELF)[:2]
    if len(chains) == 2 and _as_case(reading, met, yes, no):
        return
    _run_all(reading, [(met, yes), (_not_true(met), no)])


def _as_case(reading: Reading, met: ir.Expr, yes: Chain, no: Chain) -> bool:
    """Two branches of one value each as a CASE."""
    here = current(reading)
    try:
        a, b = child_value(reading, yes, here), child_value(reading, no, here)
    except Refused:
        return False
    if a.nullable or b.nullable or (a.kind, b.kind) != (VALUE, VALUE):
        return False
    reading.here = Object(ir.Case((ir.When(met, a.expr),), b.expr))
    return True


def _is_met(reading: Reading, test: Item, here: Object) -> ir.Expr:
    """Whether a traversal has a result, or the current value meets a predicate."""
    if not isinstance(test, Chain):
        raise refused("choose()", "What is chosen by.")
    if test.root == "P" or (test.root == "" and test.calls[0].name in PREDICATES - {"not"}):
        return predicate_test(reading, current(reading, VALUE).expr, test)
    return has_result(reading, test)


def _not_true(test: ir.Expr) -> ir.Expr:
    return ir.Not(ir.Call("coalesce", (test, ir.Literal(False))))


def _by_option(reading: Reading, call: Call, options: list[Call]) -> None:
    """The first option that fits; what fits none, or has no value to choose by, stays as it is."""
    here = current(reading)
    (item,) = call.args if len(call.args) == 1 else (None,)
    if isinstance(item, Token) and item.name == "label":
        own = Object(label_of(here))
    elif isinstance(item, Chain):
        own = child_value(reading, item, here)
    else:
        raise refused("choose()", "What is chosen by.")
    if own.kind != VALUE:
        raise refused("choose()", "Elements to choose by.")
    there = ir.IsNull(own.expr, negated=True)
    before: list[ir.Expr] = []
    others: dict[str, Chain] = {"none": _SELF, "unproductive": _SELF}
    branches: list[_Branch] = []
    for option in options:
        value, chain = option.args if len(option.args) == 2 else (None, None)
        if not isinstance(chain, Chain):
            raise refused("option()", "An option of this form.")
        if isinstance(value, Token):
            if value.name not in others:
                raise refused("option()", "Options that all fit.")
            others[value.name] = chain
            continue
        if value is None or (isinstance(value, Chain) and not _is_predicate(value)):
            raise refused("option()", "An option of this form.")
        met = predicate_test(reading, own.expr, value)
        branches.append((_all_of(there, met, *map(_not_true, before)), chain))
        before.append(met)
    branches.append((_all_of(there, *map(_not_true, before)), others["none"]))
    if own.nullable:
        branches.append((ir.IsNull(own.expr), others["unproductive"]))
    _run_all(reading, branches)


def _is_predicate(chain: Chain) -> bool:
    return chain.root in ("P", "TextP") or (
        chain.root == "" and chain.calls[0].name in PREDICATES - {"not"}
    )


def _all_of(*tests: ir.Expr) -> ir.Expr:
    return tests[0] if len(tests) == 1 else ir.Bool(ir.BoolOp.AND, tests)


def _run_all(reading: Reading, branches: list[_Branch]) -> None:
    """Branches that all traversers share: what gathers in one gathers of all."""
    if any({each.name for each in chain.calls} & GATHERING for _, chain in branches):
        raise refused("a branch", "What gathers the traversers of all in a branch.")
    _run(reading, branches)


def _run(reading: Reading, branches: list[_Branch]) -> None:
    """Each branch for the traversers that it is for, all results one after the other."""
    if len(branches) == 1 and branches[0][0] is None:
        chain = branches[0][1]
        if not {each.name for each in chain.calls} & (GATHERING - {"as"}):
            walk(reading, chain)
            return
    if reading.passed is not None:
        raise refused("path()", "The path within a branch.")
    name = reading.fresh("u")
    imports = tuple(sorted(reading.visible()))
    sides: list[ir.Query] = []
    ends: list[Object] = []
    for test, chain in branches:
        inner = reading.inner()
        if test is not None:
            inner.keep(test)
        walk(inner, chain)
        end = inner.here
        if end is None or end.nullable or end.kind not in (NODE, EDGE, VALUE):
            raise refused("a branch", "A branch of this kind.")
        if inner.sack != reading.sack or inner.labels.keys() - reading.labels.keys():
            raise refused("a branch", "Labels and sacks of a branch.")
        ends.append(end)
        column = ir.Project((ir.Item(end.expr, name),), final=True)
        sides.append(ir.Query((*inner.clauses, column)))
    if len({each.kind for each in ends}) > 1 or len({each.many for each in ends}) > 1:
        raise refused("a branch", "Branches of several kinds.")
    whole: ir.Statement = sides[0]
    for side in sides[1:]:
        whole = ir.Union(whole, side, all=True)
    reading.clauses.append(ir.Subquery(whole, imports))
    reading.kinds[name] = ends[0].kind
    reading.here = Object(ir.Var(name), ends[0].kind, many=ends[0].many)


def _coalesce(reading: Reading, call: Call, _: list[Call]) -> None:
    here = current(reading)
    chains = [each for each in call.args if isinstance(each, Chain)]
    if len(chains) < len(call.args):
        raise refused("coalesce()", "Its arguments are no traversals.")
    try:
        parts = [child_value(reading, each, here) for each in chains]
    except Refused:
        parts = []
    if not parts or any(each.kind != VALUE for each in parts):
        before: list[ir.Expr] = []
        branches: list[_Branch] = []
        for chain in chains:
            met = None if chain is chains[-1] else has_result(reading, chain)
            tests = [*([met] if met is not None else []), *map(_not_true, before)]
            branches.append((_all_of(*tests) if tests else None, chain))
            before += [met] if met is not None else []
        _run(reading, branches)
        return
    ends = [place for place, each in enumerate(parts) if each.null or not each.nullable]
    parts = parts[: ends[0] + 1] if ends else parts
    made = ir.Call("coalesce", tuple(each.expr for each in parts))
    if not ends:
        reading.keep(ir.IsNull(made, negated=True))
    reading.here = Object(made, nullable=parts[-1].null, null=parts[-1].null)


def _optional(reading: Reading, call: Call, _: list[Call]) -> None:
    (chain,) = call.args
    if not isinstance(chain, Chain):
        raise refused("optional()", "Its argument is no traversal.")
    met = has_result(reading, chain)
    _run(reading, [(met, chain), (_not_true(met), _SELF)])


def _map(reading: Reading, call: Call, _: list[Call]) -> None:
    (chain,) = call.args
    if not isinstance(chain, Chain):
        raise refused("map()", "Its argument is no traversal.")
    own = child_value(reading, chain, current(reading))
    if own.nullable and not own.null:
        reading.keep(ir.IsNull(own.expr, negated=True))
    reading.here = replace(own, nullable=own.null)


def _repeat(reading: Reading, call: Call, modulators: list[Call]) -> None:
    modulators = [*reading.turns, *modulators]
    reading.turns = []
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
    first = reading.emits
    reading.emits = False
    if first and emits:
        raise refused("emit()", "What is emitted twice.")
    if emits or first:
        # what each turn ends with, in turn
        turns = [replace(body, calls=body.calls * turn) for turn in range(1, number + 1)]
        if first:
            turns.insert(0, _SELF)
        if len(turns) > 1:
            _run_all(reading, [(None, turn) for turn in turns])
            return
    for _ in range(number):
        walk(reading, body)


def _emit(reading: Reading, call: Call, modulators: list[Call]) -> None:
    """`emit()` before `repeat`: what a loop begins with is a result, too."""
    if call.args or any(each.name != "times" for each in modulators):
        raise refused("emit()", "emit() with a condition.")
    reading.emits = True
    reading.turns = modulators


def _inline(reading: Reading, call: Call, _: list[Call]) -> None:
    (chain,) = call.args
    if not isinstance(chain, Chain):
        raise refused(f"{call.name}()", "Its argument is no traversal.")
    _run(reading, [(None, chain)])


def _union(reading: Reading, call: Call, _: list[Call]) -> None:
    """Branches that end in nodes, or in values, one after the other."""
    chains = [each for each in call.args if isinstance(each, Chain)]
    if len(chains) < len(call.args) or not chains:
        raise refused("union()", "Branches that are no traversals of the current object.")
    _run_all(reading, [(None, chain) for chain in chains])


def _identity(_: Reading, __: Call, ___: list[Call]) -> None:
    """`identity()`, and what only changes how a traversal is run."""


STEPS: dict[str, Step] = {
    "choose": _choose,
    "coalesce": _coalesce,
    "repeat": _repeat,
    "emit": _emit,
    "optional": _optional,
    "map": _map,
    "flatMap": _inline,
    "local": _inline,
    "union": _union,
    "identity": _identity,
    "barrier": _identity,
}
