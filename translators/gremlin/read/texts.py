"""Gremlin's functions of text."""

from __future__ import annotations

from graph_ir import nodes as ir
from translators.gremlin.read.traversal import (
    VALUE,
    Object,
    Reading,
    Step,
    constant_names,
    current,
    refused,
    whole_number,
)
from translators.gremlin.read.tree import Call


def _text_function(name: str) -> Step:
    def make(reading: Reading, call: Call, _: list[Call]) -> None:
        here = current(reading, VALUE)
        if call.args or here.nullable:
            raise refused(f"{call.name}()", "Arguments of this step.")
        reading.here = Object(ir.Call(name, (here.expr,)))

    return make


def _concat(reading: Reading, call: Call, _: list[Call]) -> None:
    here = current(reading, VALUE)
    if here.nullable:
        raise refused("concat()", "Gremlin joins null as if it were nothing.")
    made: ir.Expr = ir.Call("toString", (here.expr,))
    for text in constant_names(call):
        made = ir.Arith(ir.ArithOp.ADD, made, ir.Literal(text))
    reading.here = Object(made)


def _substring(reading: Reading, call: Call, _: list[Call]) -> None:
    here = current(reading, VALUE)
    numbers = [whole_number(each) for each in call.args]
    if here.nullable:
        raise refused("substring()", "A part of null.")
    arguments = [ir.Literal(numbers[0])]
    if len(numbers) == 2:
        arguments.append(ir.Literal(max(0, numbers[1] - numbers[0])))
    reading.here = Object(ir.Call("substring", (here.expr, *arguments)))


def _replace(reading: Reading, call: Call, _: list[Call]) -> None:
    here = current(reading, VALUE)
    old, new = constant_names(call)
    if here.nullable or not old:
        raise refused("replace()", "A part of null, or nothing, is replaced.")
    reading.here = Object(ir.Call("replace", (here.expr, ir.Literal(old), ir.Literal(new))))


STEPS: dict[str, Step] = {
    "toUpper": _text_function("toUpper"),
    "toLower": _text_function("toLower"),
    "length": _text_function("size"),
    "concat": _concat,
    "substring": _substring,
    "replace": _replace,
}
