"""Gremlin's sources and hops: where traversers come from, and where they go."""

from __future__ import annotations

from graph_ir import nodes as ir
from translators.gremlin.read.traversal import (
    EDGE,
    NODE,
    VALUE,
    Object,
    Reading,
    Step,
    comparable,
    constant,
    constant_names,
    current,
    refused,
)
from translators.gremlin.read.tree import Call, Many


def _vertices(reading: Reading, call: Call, _: list[Call]) -> None:
    name = reading.fresh("n")
    reading.clauses.append(ir.Match((ir.Path(ir.NodePattern(name)),)))
    reading.here = Object(ir.Var(name), NODE)
    if not call.args:
        return
    if not reading.key:
        raise refused("V(id)", "Without a graph whose nodes have one key, ids mean nothing.")
    listed = call.args[0] if len(call.args) == 1 else Many(call.args)
    own = ir.Prop(ir.Var(name), reading.key)
    if isinstance(listed, Many):
        if listed.unique:
            raise refused("V(set)")
        reading.keep(ir.In(own, ir.ListOf(tuple(map(comparable, listed.items)))))
    else:
        reading.keep(ir.Compare(ir.CompareOp.EQ, own, comparable(listed)))


def _edges(reading: Reading, call: Call, _: list[Call]) -> None:
    if call.args:
        raise refused("E(id)", "The ids of a server's edges are no part of a graph.")
    a, name, b = reading.fresh("n"), reading.fresh("e"), reading.fresh("n")
    reading.kinds[name] = EDGE
    step = ir.Step(ir.EdgePattern(name), ir.NodePattern(b))
    reading.clauses.append(ir.Match((ir.Path(ir.NodePattern(a), (step,)),)))
    reading.here = Object(ir.Var(name), EDGE, (a, b))


def _inject(reading: Reading, call: Call, _: list[Call]) -> None:
    if reading.here is not None:
        _join(reading, call)
        return
    name = reading.fresh("v")
    items = tuple(map(constant, call.args))
    null = ir.Literal(None) in items
    lists = [isinstance(each, ir.ListOf) for each in items]
    if any(lists) and not all(lists):
        raise refused("inject()", "Lists beside other values.")
    reading.clauses.append(ir.Unwind(ir.ListOf(items), name))
    reading.here = Object(ir.Var(name), nullable=null, null=null, many=bool(items) and all(lists))


def _join(reading: Reading, call: Call) -> None:
    """Constants beside the values that there are."""
    here = reading.here
    items = tuple(map(constant, call.args))
    plain = all(isinstance(each, ir.Literal) and each.value is not None for each in items)
    if here is None or here.kind != VALUE or here.many or here.nullable or not plain:
        raise refused("inject()", "What stands beside other objects.")
    if reading.outer or reading.passed is not None or not items:
        raise refused("inject()", "Within another traversal, or before a path.")
    name, item = reading.fresh("v"), reading.fresh("v")
    before = ir.Query((*reading.clauses, ir.Project((ir.Item(here.expr, name),), final=True)))
    given = ir.Query(
        (
            ir.Unwind(ir.ListOf(items), item),
            ir.Project((ir.Item(ir.Var(item), name),), final=True),
        )
    )
    reading.clauses = [ir.Subquery(ir.Union(given, before, all=True), ())]
    reading.forgot = reading.forgot or bool(reading.labels)
    reading.labels, reading.named, reading.sack = {}, {}, None
    reading.here = Object(ir.Var(name))


def _edge_types(call: Call) -> ir.LabelExpr | None:
    names = tuple(map(ir.LabelName, dict.fromkeys(constant_names(call))))
    if len(names) < 2:
        return names[0] if names else None
    return ir.LabelOr(names)


def _hop(reading: Reading, call: Call, direction: ir.Direction, *, edge: bool) -> None:
    here = current(reading, NODE)
    if not isinstance(here.expr, ir.Var):
        raise refused(call.name, "A computed node.")
    name, onward = reading.fresh("e"), reading.fresh("n")
    reading.kinds[name] = EDGE
    pattern = ir.EdgePattern(name if edge else None, _edge_types(call), direction)
    step = ir.Step(pattern, ir.NodePattern(onward))
    reading.clauses.append(ir.Match((ir.Path(ir.NodePattern(here.expr.name), (step,)),)))
    if not edge:
        reading.here = Object(ir.Var(onward), NODE)
        return
    ends = (here.expr.name, onward)
    if direction is ir.Direction.IN:
        ends = (onward, here.expr.name)
    reading.here = Object(ir.Var(name), EDGE, ends, start=here.expr.name)


def _towards(direction: ir.Direction, *, edge: bool) -> Step:
    return lambda reading, call, _: _hop(reading, call, direction, edge=edge)


def _both(*, edge: bool) -> Step:
    """A loop is met from both of its ends: two hops, one after the other."""

    def make(reading: Reading, call: Call, _: list[Call]) -> None:
        here = current(reading, NODE)
        if not isinstance(here.expr, ir.Var):
            raise refused(call.name, "A computed node.")
        onward, far = reading.fresh("e" if edge else "n"), reading.fresh("n")
        reading.kinds[onward] = EDGE if edge else NODE
        types = _edge_types(call)
        sides = []
        for direction in (ir.Direction.OUT, ir.Direction.IN):
            name, end = (onward, far) if edge else (None, onward)
            step = ir.Step(ir.EdgePattern(name, types, direction), ir.NodePattern(end))
            match = ir.Match((ir.Path(ir.NodePattern(here.expr.name), (step,)),))
            names = (onward, far) if edge else (onward,)
            items = tuple(ir.Item(ir.Var(each), each) for each in names)
            sides.append(ir.Query((match, ir.Project(items, final=True))))
        union = ir.Union(sides[0], sides[1], all=True)
        reading.clauses.append(ir.Subquery(union, (here.expr.name,)))
        if not edge:
            reading.here = Object(ir.Var(onward), NODE)
            return
        # which end is the source is not known, only from where the edge was met
        ends = (here.expr.name, far)
        reading.here = Object(ir.Var(onward), EDGE, ends, start=here.expr.name, undirected=True)

    return make


def _end(which: int | None) -> Step:
    def make(reading: Reading, call: Call, _: list[Call]) -> None:
        here = current(reading, EDGE)
        a, b = here.ends
        if not a:
            raise refused(call.name, "The ends of this edge are not known.")
        if which is not None and here.undirected:
            raise refused(call.name, "Which end of an edge in both directions is the source.")
        if which is not None:
            name = (a, b)[which]
        elif here.start:
            name = b if here.start == a else a
        else:
            raise refused("otherV()", "From which end the edge was met is not known.")
        reading.here = Object(ir.Var(name), NODE)

    return make


STEPS: dict[str, Step] = {
    "V": _vertices,
    "E": _edges,
    "inject": _inject,
    "out": _towards(ir.Direction.OUT, edge=False),
    "in": _towards(ir.Direction.IN, edge=False),
    "both": _both(edge=False),
    "outE": _towards(ir.Direction.OUT, edge=True),
    "inE": _towards(ir.Direction.IN, edge=True),
    "bothE": _both(edge=True),
    "outV": _end(0),
    "inV": _end(1),
    "otherV": _end(None),
}
