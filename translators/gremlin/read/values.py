"""Gremlin's values, labels and modulators: what a traverser stands on becomes an expression."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.walk import rewrite
from graphmill.errors import Refused
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
    keep_present,
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
    null = made == ir.Literal(None)
    reading.here = Object(made, nullable=null, null=null)


def _as(reading: Reading, call: Call, _: list[Call]) -> None:
    for name in constant_names(call):
        if name in reading.labels and (reading.passed is not None or reading.outer):
            raise refused(f"as('{name}')", "A label names two objects of a path.")
        reading.labels[name] = current(reading)
        reading.named[name] = (*reading.named.get(name, ()), reading.labels[name])


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
    if isinstance(first, Token):
        _popped(reading, first.name, constant_names(replace(call, args=call.args[1:])), by)
        return
    names = constant_names(call)
    if here.kind == MAP and isinstance(here.expr, ir.MapOf):
        entries = {each.key: each.value for each in here.expr.entries}
        if set(names) <= entries.keys():
            given = {
                name: Object(
                    own,
                    _kind_of(reading, own),
                    nullable=_may_be_absent(own),
                    null=own in reading.present,
                )
                for name, own in ((name, entries[name]) for name in names)
            }
            _selected(reading, names, given, by)
            return
    if here.kind != MAP and any(_is_nowhere(reading, name) for name in names):
        _none(reading)
        return
    _selected(reading, names, {name: labelled(reading, name) for name in names}, by)


def _may_be_absent(entry: ir.Expr) -> bool:
    """Whether a map may lack an entry of this value."""
    return not isinstance(entry, ir.CountOf | ir.CollectOf)


def _is_nowhere(reading: Reading, name: str) -> bool:
    """Whether no step has a label, in a traversal of which each step is known."""
    return name not in reading.labels and not reading.outer and not reading.forgot


def _none(reading: Reading) -> None:
    """No traverser goes on."""
    reading.keep(ir.Literal(False))
    reading.here = Object(ir.Literal(None), null=True, nullable=True)


def _popped(reading: Reading, pop: str, names: list[str], by: list[Call]) -> None:
    """`select(first, 'a')` and its relatives: which of the objects that a label names."""
    if pop not in ("first", "last", "all", "mixed") or not names:
        raise refused("select()", "What is selected.")
    if any(_is_nowhere(reading, name) for name in names):
        _none(reading)
        return
    given = {}
    for name in names:
        every = reading.named.get(name, ())
        if not every or labelled(reading, name) != every[-1]:
            raise refused("select()", "What a label has named before is not known here.")
        if pop == "all" or (pop == "mixed" and len(every) > 1):
            given[name] = Object(ir.ListOf(tuple(each.expr for each in every)), many=True)
        else:
            given[name] = every[0 if pop == "first" else -1]
    _selected(reading, names, given, by)


def _kind_of(reading: Reading, expr: ir.Expr) -> str:
    """The kind of an expression that a group or a map holds."""
    return reading.kinds.get(expr.name, VALUE) if isinstance(expr, ir.Var) else VALUE


def _selected(reading: Reading, names: list[str], given: dict[str, Object], by: list[Call]) -> None:
    made = {}
    for number, name in enumerate(names):
        modulator = by[number % len(by)] if by else None
        made[name] = modulated(reading, modulator, given[name])
        if made[name].nullable and not made[name].null:
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
        return replace(here, nullable=True, null=False)
    made = _subquery_of(before, last)
    if made is not None and isinstance(last, ir.Project) and here.kind == VALUE:
        column = ir.Var(last.items[0].alias)
        expr = rewrite(here.expr, lambda node: made if node == column else node)
        return replace(here, expr=expr)
    raise refused("by()", "The first of several results.")


def _subquery_of(before: list[ir.Clause], last: ir.Clause) -> ir.Expr | None:
    """The number or the list that a traversal comes to, whatever is made of it then."""
    if not isinstance(last, ir.Project) or len(last.items) > 1 or last.where is not None:
        return None
    expr = last.items[0].expr
    if expr == ir.Agg("count") and not last.distinct:
        return ir.CountOf(ir.Query(tuple(before)))
    if isinstance(expr, ir.Agg) and expr.name == "collect" and not expr.distinct:
        item = ir.Item(expr.args[0], "v")
        return ir.CollectOf(ir.Query((*before, ir.Project((item,), final=True))))
    return None


def _is_presence_test(test: ir.Expr, here: Object) -> bool:
    """Whether a test only says that the value is there."""
    return isinstance(test, ir.IsNull) and test.negated and test.arg == here.expr


def _project_step(reading: Reading, call: Call, by: list[Call]) -> None:
    here = current(reading)
    entries = []
    for number, name in enumerate(constant_names(call)):
        value = modulated(reading, by[number % len(by)] if by else None, here)
        entries.append(ir.Entry(name, value.expr))
        if value.null:
            reading.present.add(value.expr)
    reading.here = Object(ir.MapOf(tuple(entries)), MAP)


def _id(reading: Reading, _: Call, __: list[Call]) -> None:
    here = current(reading, NODE)
    if not reading.key:
        raise refused("id()", "Without a graph whose nodes have one key, ids mean nothing.")
    reading.here = Object(ir.Prop(here.expr, reading.key))


def _path(reading: Reading, _: Call, by: list[Call]) -> None:
    """The list of what was stood on; one without a value of a modulator drops the traverser."""
    passed = reading.passed or ()
    if not passed:
        raise refused("path()", "Nothing was passed.")
    made = []
    for number, each in enumerate(passed):
        own = modulated(reading, by[number % len(by)] if by else None, each)
        if own.nullable or each.kind not in (NODE, EDGE, VALUE):
            if each.nullable or own.null or own.kind != VALUE:
                raise refused("path()", "What was passed may be null.")
            reading.keep(ir.IsNull(own.expr, negated=True))
        made.append(own.expr)
    reading.here = Object(ir.ListOf(tuple(made)), many=True)
    reading.passed = ()


_SACKED = {
    "sum": ir.ArithOp.ADD,
    "minus": ir.ArithOp.SUB,
    "mult": ir.ArithOp.MUL,
    "assign": None,
}


def _with_sack(reading: Reading, call: Call, _: list[Call]) -> None:
    made = constant(call.args[0])
    if not isinstance(made, ir.Literal) or type(made.value) not in (int, float):
        raise refused("withSack()", "What is no number.")
    reading.sack = made


def _sack(reading: Reading, call: Call, by: list[Call]) -> None:
    here = current(reading)
    if not call.args:
        if reading.sack is None:
            raise refused("sack()", "There is no sack.")
        reading.here = Object(reading.sack)
        return
    word = call.args[0]
    if not isinstance(word, Token) or word.name not in _SACKED or len(by) > 1:
        raise refused("sack()", "This operator is not read.")
    own = modulated(reading, by[0] if by else None, here)
    if own.kind != VALUE or own.many:
        raise refused("sack()", "What is no number.")
    keep_present(reading, own, "sack()")
    op = _SACKED[word.name]
    if op is not None and reading.sack is None:
        raise refused("sack()", "There is no sack yet.")
    reading.sack = own.expr if op is None else ir.Arith(op, reading.sack or own.expr, own.expr)


def _aggregate(reading: Reading, call: Call, by: list[Call]) -> None:
    """Keep aside what the traversers stand on; only `cap` reads it here."""
    here = current(reading)
    name = constant_names(call)[0] if len(call.args) == 1 else ""
    if not name or name in reading.aside or len(by) > 1:
        raise refused("aggregate()", "This form of it.")
    inner = reading.inner()
    inner.clauses = list(reading.clauses)
    own = modulated(inner, by[0] if by else None, here)
    keep_present(inner, own, "aggregate()")
    reading.aside[name] = (tuple(inner.clauses), replace(own, nullable=False))


def _cap(reading: Reading, call: Call, _: list[Call]) -> None:
    (name, *more) = constant_names(call)
    if more or name not in reading.aside or reading.outer:
        raise refused("cap()", "What is not kept aside by aggregate() of all traversers.")
    clauses, own = reading.aside[name]
    reading.clauses = list(clauses)
    reading.here = own
    reading.only(ir.Agg("collect", (own.expr,)))


_BEFORE = {"asString": "toString", "reverse": "reverse"}


def _of_value(reading: Reading, call: Call, _: list[Call]) -> None:
    here = current(reading, VALUE)
    if call.args or (here.many and call.name != "reverse") or (here.nullable and not here.null):
        raise refused(f"{call.name}()", "What it is of.")
    reading.here = replace(here, expr=ir.Call(_BEFORE[call.name], (here.expr,)))


def _split(reading: Reading, call: Call, _: list[Call]) -> None:
    """The parts of a text without those that are empty."""
    here = current(reading, VALUE)
    (at,) = constant_names(call) if len(call.args) == 1 else ("",)
    if not at or here.many or (here.nullable and not here.null):
        raise refused("split()", "Where it is split.")
    name = reading.fresh("v")
    parts = ir.Call("split", (here.expr, ir.Literal(at)))
    there = ir.Compare(ir.CompareOp.NE, ir.Var(name), ir.Literal(""))
    reading.here = replace(here, expr=ir.ListComp(name, parts, there), many=not here.null)


def _math(reading: Reading, call: Call, by: list[Call]) -> None:
    """A formula of floats; each name is a label, or the current object where it is `_`."""
    here = current(reading)
    (text,) = constant_names(call)
    try:
        tree = ast.parse(text.replace("^", "**").strip(), mode="eval").body
    except (SyntaxError, MemoryError) as problem:  # too deep a formula is MemoryError
        raise refused("math()", "This formula.") from problem
    names = list(dict.fromkeys(re.findall(r"[A-Za-z_]\w*(?!\w*\s*\()", text)))
    values: dict[str, ir.Expr] = {}
    for number, name in enumerate(names):
        own = here if name == "_" else labelled(reading, name)
        own = modulated(reading, by[number % len(by)] if by else None, own)
        if own.kind != VALUE or own.many:
            raise refused("math()", "What is no number.")
        keep_present(reading, own, "math()")
        values[name] = ir.Call("toFloat", (own.expr,))
    reading.here = Object(_formula(tree, values))


_SIGNS = {
    ast.Add: ir.ArithOp.ADD,
    ast.Sub: ir.ArithOp.SUB,
    ast.Mult: ir.ArithOp.MUL,
    ast.Div: ir.ArithOp.DIV,
    ast.Pow: ir.ArithOp.POW,
}
_FUNCTIONS = frozenset({"abs", "ceil", "floor", "sqrt", "exp", "sin", "cos", "tan"})


def _formula(tree: ast.expr, values: dict[str, ir.Expr]) -> ir.Expr:
    match tree:
        case ast.BinOp(op=ast.Div(), right=ast.Constant(value=value)) if value == 0:
            raise Refused("division-by-zero", "math", "TinkerPop has an error of a division by 0.")
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _SIGNS:
            sides = (_formula(left, values), _formula(right, values))
            return ir.Arith(_SIGNS[type(op)], *sides)
        case ast.Name(id=name) if name in values:
            return values[name]
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return ir.Literal(float(value))
        case ast.Call(func=ast.Name(id=name), args=[only], keywords=[]) if name in _FUNCTIONS:
            return ir.Call(name, (_formula(only, values),))
    raise refused("math()", "This formula.")


def _properties(reading: Reading, call: Call, _: list[Call]) -> None:
    raise refused(f"{call.name}()", "A property is no value of Graph-IR.")


def _value_map(reading: Reading, call: Call, by: list[Call]) -> None:
    """The named properties of a node as lists of one, or as `by(unfold())` has them."""
    here = current(reading, NODE, EDGE)
    names = constant_names(call)
    plain = here.kind == EDGE
    if by:
        (chain,) = by[0].args if len(by) == 1 and len(by[0].args) == 1 else (None,)
        if not isinstance(chain, Chain) or [c.name for c in chain.calls] != ["unfold"]:
            raise refused("valueMap()", "This modulator.")
        plain = True
    names = names or list(reading.properties.get(here.kind, ()))
    if not names:
        raise refused("valueMap()", "Properties that nobody names.")
    entries = []
    for name in names:
        own: ir.Expr = ir.Prop(here.expr, name)
        if not plain:
            there = ir.IsNull(own, negated=True)
            own = ir.Case((ir.When(there, ir.ListOf((own,))),))
        entries.append(ir.Entry(name, own))
    reading.here = Object(ir.MapOf(tuple(entries)), MAP)


STEPS: dict[str, Step] = {
    "id": _id,
    **dict.fromkeys(_BEFORE, _of_value),
    "split": _split,
    "math": _math,
    "labels": _label,
    "path": _path,
    "withSack": _with_sack,
    "sack": _sack,
    "aggregate": _aggregate,
    "cap": _cap,
    "properties": _properties,
    "valueMap": _value_map,
    "values": _values,
    "label": _label,
    "constant": _constant_step,
    "as": _as,
    "select": _select,
    "project": _project_step,
}
