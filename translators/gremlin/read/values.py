"""Gremlin's values, labels and modulators: what a traverser stands on becomes an expression."""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from translators.gremlin.read.traversal import (
    EDGE,
    MAP,
    NODE,
    PAIR,
    VALUE,
    Object,
    Reading,
    Step,
    constant,
    constant_names,
    current,
    label_of,
    labelled,
    refused,
    walk,
)
from translators.gremlin.read.tree import Call, Chain, Token, Value


def _values(reading: Reading, call: Call, _: list[Call]) -> None:
    here = current(reading, NODE, EDGE)
    names = constant_names(call)
    if not names:
        raise refused("values()", "Properties that nobody names.")
    if len(names) == 1:
        own: ir.Expr = ir.Prop(here.expr, names[0])
        reading.keep(ir.IsNull(own, negated=True))
    else:
        name = reading.fresh("v")
        listed = ir.ListOf(tuple(ir.Prop(here.expr, each) for each in names))
        reading.clauses.append(ir.Unwind(listed, name))
        own = ir.Var(name)
        reading.here = Object(own)
        reading.keep(ir.IsNull(own, negated=True))
    reading.here = Object(own)


def _label(reading: Reading, _: Call, __: list[Call]) -> None:
    reading.here = Object(label_of(current(reading, NODE, EDGE)))


def _constant_step(reading: Reading, call: Call, _: list[Call]) -> None:
    current(reading)
    made = constant(call.args[0])
    reading.here = Object(made, nullable=made == ir.Literal(None))


def _as(reading: Reading, call: Call, _: list[Call]) -> None:
    for name in constant_names(call):
        if name in reading.labels:
            raise refused(f"as('{name}')", "A label names two objects.")
        reading.labels[name] = current(reading)


def _select(reading: Reading, call: Call, by: list[Call]) -> None:
    here = current(reading)
    first = call.args[0] if call.args else None
    if isinstance(first, Token) and here.kind == PAIR and isinstance(here.expr, ir.ListOf):
        place = {"keys": 0, "values": 1}.get(first.name)
        if place is None or len(call.args) > 1:
            raise refused("select()", "Keys or values are selected from a group.")
        chosen = here.expr.items[place]
        own = Object(chosen, _kind_of(reading, chosen))
        reading.here = modulated(reading, by[0] if by else None, own)
        return
    names = constant_names(call)
    if here.kind == MAP and isinstance(here.expr, ir.MapOf):
        entries = {each.key: each.value for each in here.expr.entries}
        if set(names) <= entries.keys():
            given = {
                name: Object(entries[name], _kind_of(reading, entries[name]), nullable=True)
                for name in names
            }
            _selected(reading, names, given, by)
            return
    _selected(reading, names, {name: labelled(reading, name) for name in names}, by)


def _kind_of(reading: Reading, expr: ir.Expr) -> str:
    """The kind of an expression that a group or a map holds."""
    return reading.kinds.get(expr.name, VALUE) if isinstance(expr, ir.Var) else VALUE


def _selected(reading: Reading, names: list[str], given: dict[str, Object], by: list[Call]) -> None:
    made = {}
    for number, name in enumerate(names):
        modulator = by[number % len(by)] if by else None
        made[name] = modulated(reading, modulator, given[name])
        if made[name].nullable:
            reading.keep(ir.IsNull(made[name].expr, negated=True))
            made[name] = replace(made[name], nullable=False)
    if len(names) == 1:
        reading.here = made[names[0]]
        return
    entries = tuple(ir.Entry(name, each.expr) for name, each in made.items())
    reading.here = Object(ir.MapOf(entries), MAP)


def modulated(reading: Reading, by: Call | None, own: Object) -> Object:
    """What a modulator makes of an object: an expression of it."""
    if by is None or not by.args:
        return own
    (item, *more) = by.args
    if more:
        raise refused("by()", "An order is read of order() only.")
    match item:
        case Value(value=str() as key) if own.kind in (NODE, EDGE):
            return Object(ir.Prop(own.expr, key), nullable=True)
        case Token(name="label"):
            return Object(label_of(own))
        case Chain():
            return child_value(reading, item, own)
    raise refused("by()", "This modulator is not read.")


def child_value(reading: Reading, chain: Chain, own: Object) -> Object:
    """The first result of a traversal of an object, as an expression."""
    inner = reading.inner()
    inner.here = own
    walk(inner, chain)
    here = inner.here
    if here is None:
        raise refused("by()", "This modulator is not read.")
    if not inner.clauses:
        return here
    *before, last = inner.clauses
    tests = [each.where for each in inner.clauses if isinstance(each, ir.Project) and each.where]
    if len(tests) == len(inner.clauses) and all(_is_presence_test(each, here) for each in tests):
        return replace(here, nullable=True)
    if isinstance(last, ir.Project) and len(last.items) == 1 and last.where is None:
        expr = last.items[0].expr
        if expr == ir.Agg("count") and not last.distinct:
            return Object(ir.CountOf(ir.Query(tuple(before))))
        if isinstance(expr, ir.Agg) and expr.name == "collect":
            item = ir.Item(expr.args[0], "v")
            body = ir.Query((*before, ir.Project((item,), final=True)))
            return Object(ir.CollectOf(body))
    raise refused("by()", "The first of several results.")


def _is_presence_test(test: ir.Expr, here: Object) -> bool:
    """Whether a test only says that the value is there."""
    return isinstance(test, ir.IsNull) and test.negated and test.arg == here.expr


def _project_step(reading: Reading, call: Call, by: list[Call]) -> None:
    here = current(reading)
    entries = []
    for number, name in enumerate(constant_names(call)):
        value = modulated(reading, by[number % len(by)] if by else None, here)
        entries.append(ir.Entry(name, value.expr))
    reading.here = Object(ir.MapOf(tuple(entries)), MAP)


STEPS: dict[str, Step] = {
    "values": _values,
    "label": _label,
    "constant": _constant_step,
    "as": _as,
    "select": _select,
    "project": _project_step,
}
