"""Gremlin's functions of text."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from graph_ir import nodes as ir
from translators.gremlin.read.traversal import (
    EDGE,
    NODE,
    VALUE,
    Object,
    Reading,
    Step,
    constant_names,
    current,
    is_local,
    keep_present,
    refused,
    whole_number,
)
from translators.gremlin.read.tree import Call, Chain, Item, Value
from translators.gremlin.read.values import child_value, modulated


def _text_function(name: str) -> Step:
    def make(reading: Reading, call: Call, _: list[Call]) -> None:
        _of_text(reading, call, lambda text: ir.Call(name, (text,)), 0)

    return make


def _of_text(
    reading: Reading, call: Call, change: Callable[[ir.Expr], ir.Expr], arguments: int
) -> None:
    """What a function makes of the current text, or of each text of the current list."""
    here = current(reading, VALUE)
    local = is_local(call)
    if len(call.args) - local != arguments or (here.nullable and not here.null):
        raise refused(f"{call.name}()", "Arguments of this step.")
    if not here.many:
        reading.here = replace(here, expr=change(here.expr))
        return
    if not local:
        raise refused(f"{call.name}()", "A list is no text.")
    name = reading.fresh("v")
    made = ir.ListComp(name, here.expr, None, change(ir.Var(name)))
    reading.here = replace(here, expr=made)


def _arguments(call: Call) -> tuple[Item, ...]:
    return call.args[1:] if is_local(call) else call.args


def _concat(reading: Reading, call: Call, _: list[Call]) -> None:
    here = current(reading, VALUE)
    if here.nullable:
        raise refused("concat()", "Gremlin joins null as if it were nothing.")
    made: ir.Expr = ir.Call("toString", (here.expr,))
    for item in call.args:
        if isinstance(item, Chain):
            own = child_value(reading, item, here)
            if own.kind != VALUE or own.nullable:
                raise refused("concat()", "A text that may be absent.")
            made = ir.Arith(ir.ArithOp.ADD, made, own.expr)
            continue
        if not isinstance(item, Value) or not isinstance(item.value, str):
            raise refused("concat()", "What is joined is no text.")
        made = ir.Arith(ir.ArithOp.ADD, made, ir.Literal(item.value))
    reading.here = Object(made)


def _substring(reading: Reading, call: Call, _: list[Call]) -> None:
    numbers = [whole_number(each) for each in _arguments(call)]
    arguments = [ir.Literal(numbers[0])]
    if len(numbers) == 2:
        arguments.append(ir.Literal(max(0, numbers[1] - numbers[0])))
    _of_text(reading, call, lambda text: ir.Call("substring", (text, *arguments)), len(numbers))


def _replace(reading: Reading, call: Call, _: list[Call]) -> None:
    texts = [a.value for a in _arguments(call) if isinstance(a, Value) and isinstance(a.value, str)]
    if len(texts) != 2 or not texts[0]:
        raise refused("replace()", "A part of null, or nothing, is replaced.")
    pair = tuple(map(ir.Literal, texts))
    _of_text(reading, call, lambda text: ir.Call("replace", (text, *pair)), 2)


_PLACE = re.compile(r"%\{(\w+)\}")


def _format(reading: Reading, call: Call, by: list[Call]) -> None:
    """`format("%{name} is %{age}")`: properties first, then labels; `%{_}` takes a modulator."""
    here = current(reading)
    (text,) = constant_names(call)
    pieces = _PLACE.split(text)
    parts: list[ir.Expr] = [ir.Literal(pieces[0])] if pieces[0] else []
    asked = 0
    for name, literal in zip(pieces[1::2], pieces[2::2], strict=True):
        if name == "_":
            if not by:
                raise refused("format()", "A place without a modulator.")
            own = modulated(reading, by[asked % len(by)], here)
            asked += 1
        elif here.kind in (NODE, EDGE):
            own = Object(ir.Prop(here.expr, name), nullable=True)
            if (label := reading.labels.get(name)) is not None and label.kind == VALUE:
                own = Object(ir.Call("coalesce", (own.expr, label.expr)), nullable=label.nullable)
        elif name in reading.labels:
            own = reading.labels[name]
        else:
            raise refused("format()", f"What '{name}' stands for.")
        if own.kind != VALUE:
            raise refused("format()", "An element in a text.")
        keep_present(reading, own, "format()")
        parts.append(ir.Call("toString", (own.expr,)))
        parts += [ir.Literal(literal)] if literal else []
    made = parts[0] if parts else ir.Literal("")
    for part in parts[1:]:
        made = ir.Arith(ir.ArithOp.ADD, made, part)
    reading.here = Object(made)


STEPS: dict[str, Step] = {
    "toUpper": _text_function("toUpper"),
    "toLower": _text_function("toLower"),
    "length": _text_function("size"),
    "trim": _text_function("trim"),
    "lTrim": _text_function("lTrim"),
    "rTrim": _text_function("rTrim"),
    "format": _format,
    "concat": _concat,
    "substring": _substring,
    "replace": _replace,
}
