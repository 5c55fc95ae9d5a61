"""Aggregates: over values that are not null, as Cypher's are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.walk import find
from schemagraph.model import NUMERIC, Kind, Type
from translators.sparql.expressions import json
from translators.sparql.expressions.core import (
    FLOAT,
    INTEGER,
    OPERATORS,
    expression,
    refused,
)
from translators.sparql.model import terms
from translators.sparql.model.compiler import Compiler, Emits, Sx
from translators.sparql.model.numbers import holds_lists, two_forms

EMITS = Emits()

_ORDERED = NUMERIC | {Kind.STRING, Kind.DATE, Kind.DATETIME, Kind.BOOLEAN}


@EMITS.of(ir.Agg)
def _aggregate(cx: Compiler, node: ir.Agg) -> Sx:
    emit = _AGGREGATES.get(node.name)
    if emit is None:
        raise refused("aggregate", node, f"SPARQL has no {node.name}().")
    keys, cx.keys = cx.keys, None
    try:
        return emit(cx, node)
    finally:
        cx.keys = keys


def _argument(cx: Compiler, node: ir.Agg) -> tuple[Sx, str]:
    arg = expression(cx, node.args[0])
    return arg, "DISTINCT " if node.distinct else ""


def _count(cx: Compiler, node: ir.Agg) -> Sx:
    if not node.args:
        return Sx("COUNT(*)", INTEGER, null=False)
    arg, distinct = _argument(cx, node)
    if node.distinct and (arg.form == "stored" or holds_lists(arg.type)):
        raise refused("nested-list", node, "Stored lists are told apart by their heads.")
    _alike(arg, node)
    if not arg.null and not node.distinct:
        # what is calculated may be too long an integer, which the engine has to see
        whole = not arg.variable and not any(find(node, ir.Arith))
        return Sx("COUNT(*)" if whole else f"COUNT({arg.text})", INTEGER, null=False)
    if not distinct:
        return Sx(_present(arg), INTEGER, null=False)
    text = arg.text
    if not arg.variable:
        text = cx.name("value", own=True)
        cx.group.line(f"BIND({arg.text} AS {text})")
    return Sx(f"COUNT(DISTINCT {text})", INTEGER, null=False)


def _present(arg: Sx) -> str:
    """How many rows have the value.

    Oxigraph (0.5.13) lets one error among its values undo a COUNT of an expression, where SPARQL
    leaves the row out; an unbound variable it leaves out too.
    """
    if arg.variable or not arg.null:
        return f"COUNT({arg.text})"
    return f"SUM(COALESCE(IF(ISBLANK({arg.text}), 1, 1), 0))"


def _alike(arg: Sx, node: ir.Agg) -> None:
    """Refuse to tell apart numbers of two kinds, which are equal and different terms."""
    if node.distinct and two_forms(arg.type):
        raise refused("mixed-numbers", node, "Equal numbers may have different forms here.")


def _number(cx: Compiler, node: ir.Agg) -> tuple[Sx, str]:
    arg, distinct = _argument(cx, node)
    if arg.type.kind not in NUMERIC and arg.type.kind is not Kind.ANY:
        raise refused("aggregate", node, "Only numbers are added.")
    if arg.type.kind is Kind.ANY and not isinstance(node.args[0], ir.Prop):
        raise refused("dynamic-value", node, "What is added is not known.")
    _alike(arg, node)
    return arg, distinct


def _sum(cx: Compiler, node: ir.Agg) -> Sx:
    arg, distinct = _number(cx, node)
    if arg.type.kind is Kind.ANY and arg.null:
        raise refused("dynamic-value", node, "Whether these are numbers is not known.")
    of = arg.type if arg.type.kind in NUMERIC else Type(Kind.FLOAT, mixed=True)
    shown = f"COALESCE({arg.text}, 0)" if arg.null else arg.text
    of = replace(of, of_nothing=node.type.of_nothing)
    return Sx(f"SUM({distinct}{shown})", of, null=False)


def _avg(cx: Compiler, node: ir.Agg) -> Sx:
    arg, distinct = _number(cx, node)
    if arg.type.kind is Kind.ANY and arg.null:
        raise refused("dynamic-value", node, "Whether these are numbers is not known.")
    if arg.null and node.distinct:
        raise refused("aggregate", node, "The average of different values that may be absent.")
    if not arg.null and (cx.grouped or (cx.matched and _required(node))):
        text, null = f"AVG({distinct}{arg.text})", not cx.grouped
    elif not arg.null:
        # each row has a value: how many there are is the number of rows
        count = f"COUNT({distinct}{arg.text})" if distinct or arg.variable else "COUNT(*)"
        text, null = OPERATORS["/"](f"SUM({distinct}{arg.text})", count), True
    else:
        text, null = OPERATORS["/"](f"SUM(COALESCE({arg.text}, 0))", _present(arg)), True
    if arg.type.kind is not Kind.FLOAT or arg.type.mixed:
        return Sx(f"xsd:double({text})", FLOAT, null)
    return Sx(text, FLOAT, null)


def _required(node: ir.Agg) -> bool:
    """Whether no row lacks the value, by the schema."""
    props = list(find(node, ir.Prop))
    return not any(prop.type.nullable or prop.type.kind is Kind.ANY for prop in props)


_LOWEST: dict[Kind, str] = {
    Kind.INTEGER: '"-INF"^^xsd:double',
    Kind.FLOAT: '"-INF"^^xsd:double',
    Kind.STRING: '""',
    Kind.DATE: '"0001-01-01"^^xsd:date',
    Kind.DATETIME: '"0001-01-01T00:00:00"^^xsd:dateTime',
    Kind.BOOLEAN: "false",
}
_HIGHEST: dict[Kind, str] = {
    Kind.INTEGER: '"INF"^^xsd:double',
    Kind.FLOAT: '"INF"^^xsd:double',
    Kind.DATE: '"9999-12-31"^^xsd:date',
    Kind.DATETIME: '"9999-12-31T23:59:59.999999999"^^xsd:dateTime',
    Kind.BOOLEAN: "true",
}


def _extreme(cx: Compiler, node: ir.Agg) -> Sx:
    """The least or greatest; where values may be absent, a bound of their type stands for them."""
    arg, _ = _argument(cx, node)
    name = node.name.upper()
    if arg.type.kind not in _ORDERED and arg.type.kind is not Kind.ANY:
        raise refused("order", node, "These values have no order in SPARQL, or another one.")
    if arg.type.kind is Kind.ANY:
        raise refused("dynamic-value", node, "The type of these values is not known.")
    if arg.type.mixed:
        raise refused("mixed-numbers", node, "Of 1 and 1.0 SPARQL takes any for the greatest.")
    if not arg.null:
        return Sx(f"{name}({arg.text})", arg.type, not cx.grouped)
    stand_in = (_LOWEST if node.name == "max" else _HIGHEST).get(arg.type.kind)
    if stand_in is None:
        raise refused("order", node, "No text is the last of all.")
    shown = f"{name}(COALESCE({arg.text}, {stand_in}))"
    return Sx(f"IF({_present(arg)} > 0, {shown}, {terms.ERROR})", arg.type)


def _collect(cx: Compiler, node: ir.Agg) -> Sx:
    arg, distinct = _argument(cx, node)
    if node.distinct and (arg.form or two_forms(arg.type)):
        raise refused("aggregate", node, "Lists, maps and mixed numbers are told apart otherwise.")
    if cx.ordered:
        raise refused("collected-order", node, "SPARQL collects in an order of its own.")
    if arg.type.kind is Kind.NULL:
        return Sx(
            'CONCAT("[", GROUP_CONCAT(""; SEPARATOR=""), "]")',
            Type(Kind.LIST, arg.type),
            null=False,
            form="json",
        )
    made = json.text(arg, node)
    if arg.null:
        each = f'COALESCE(CONCAT(",", {made}), "")'
        shown = f'SUBSTR(GROUP_CONCAT({distinct}{each}; SEPARATOR=""), 2)'
    else:
        shown = f'GROUP_CONCAT({distinct}{made}; SEPARATOR=",")'
    return Sx(f'CONCAT("[", {shown}, "]")', Type(Kind.LIST, arg.type), null=False, form="json")


_AGGREGATES: dict[str, Callable[[Compiler, ir.Agg], Sx]] = {
    "count": _count,
    "sum": _sum,
    "avg": _avg,
    "min": _extreme,
    "max": _extreme,
    "collect": _collect,
}
