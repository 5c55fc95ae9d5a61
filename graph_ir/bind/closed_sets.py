"""Constants that a property is compared with, beside the few values that it has.

A set of values is declared (CHECK, ENUM), or observed: a few texts that come again and again. A
constant outside it is allowed, and rarely meant; so this warns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from graph_ir import nodes as ir
from graph_ir.bind.report import Report
from graph_ir.walk import descend
from graphmill.errors import Diagnostic, did_you_mean
from schemagraph.model import Kind, SchemaGraph, Type

_SHOWN = 8  # values that a message lists
_FOLDS: dict[str, Callable[[str], str]] = {"toLower": str.lower, "toUpper": str.upper}


def outside(statement: ir.Statement, schema: SchemaGraph) -> tuple[Diagnostic, ...]:
    """Warnings for the constants of a bound statement that are no value of their property."""
    report = Report()
    aliases = _aliases(statement)
    for at, stored, constants in _compared(statement):
        fold: Callable[[str], str] = str
        if isinstance(stored, ir.Call) and stored.name in _FOLDS and len(stored.args) == 1:
            fold, stored = _FOLDS[stored.name], stored.args[0]
        if isinstance(stored, ir.Var):
            stored = aliases.get(stored.name, stored)
        if not isinstance(stored, ir.Prop):
            continue
        values, seen = _values(stored.base.type, stored.key, schema)
        known = {fold(value): None for value in values}
        for constant in constants if known else ():
            word = constant.value if isinstance(constant, ir.Literal) else None
            if isinstance(word, str) and word not in known:
                how = "observed" if seen else "declared"
                listed = ", ".join(f"'{value}'" for value in list(known)[:_SHOWN])
                more = ", …" if len(known) > _SHOWN else ""
                report.warning(
                    at,
                    "closed-set",
                    f"'{word}' is none of the values that are {how} of '{stored.key}': {listed}"
                    f"{more}.{did_you_mean(word, known)}",
                )
    return report.sorted()


def _aliases(statement: ir.Statement) -> dict[str, ir.Prop]:
    """Properties by the name that a WITH gives them, where nothing else has that name."""
    given: dict[str, ir.Prop | None] = {}
    for node in descend(statement):
        if isinstance(node, ir.Item):
            name, expr = node.alias, node.expr
            if isinstance(expr, ir.Var) and expr.name == name:
                continue  # handed on
            same = isinstance(expr, ir.Prop) and _place(given.get(name, expr)) == _place(expr)
            given[name] = expr if same and isinstance(expr, ir.Prop) else None
        else:
            for part in ("var", "alias"):
                other = getattr(node, part, None)
                if isinstance(other, str):
                    given[other] = None
    return {name: stored for name, stored in given.items() if stored is not None}


def _place(stored: ir.Expr | None) -> object:
    return (stored.base.type, stored.key) if isinstance(stored, ir.Prop) else None


type _Comparison = tuple[ir.Node, ir.Expr, Sequence[ir.Expr]]


def _compared(statement: ir.Statement) -> Iterator[_Comparison]:
    """Where something is compared for equality, with what it is compared."""
    for node in descend(statement):
        match node:
            case ir.Compare(ir.CompareOp.EQ | ir.CompareOp.NE, left, right):
                yield node, left, (right,)
                yield node, right, (left,)
            case ir.In(item, ir.ListOf(items)):
                yield node, item, items
            case ir.Case(whens, _, ir.Expr() as operand):
                yield node, operand, [when.condition for when in whens]
            case ir.NodePattern(props=ir.MapOf(entries)) | ir.EdgePattern(props=ir.MapOf(entries)):
                for entry in entries:
                    owner = ir.Var("", type=node.type)
                    yield entry, ir.Prop(owner, entry.key), (entry.value,)


def _values(owner: Type, key: str, schema: SchemaGraph) -> tuple[list[str], bool]:
    """All values of a property over the types that have it, and whether some were only observed;
    none where the set of one of them is open."""
    if owner.kind not in (Kind.NODE, Kind.EDGE):
        return [], False
    every = schema.node_by_name if owner.kind is Kind.NODE else schema.edge_by_name
    domain: dict[str, None] = {}
    seen = False
    for name in owner.of or every:
        given = every[name].property(key) if name in every else None
        if given is None:
            continue
        values = given.values or given.observed.values
        if not values:
            return [], False
        seen = seen or not given.values
        domain |= dict.fromkeys(values)
    return list(domain), seen
