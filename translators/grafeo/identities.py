"""Nodes are compared by their identities where one of them is computed.

To grafeo an item of `nodes(p)` is a map, one of a list that names them a number, and neither equals
the node that a pattern has bound; `id()` of a comprehension's variable is the same for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import unused_names
from graph_ir.walk import find, rewrite
from graphmill.errors import Refused
from schemagraph.model import Kind, Type
from translators.grafeo.primitives import equal, own

_EQUALITY = (ir.CompareOp.EQ, ir.CompareOp.NE)
_IDENTITY = Type(Kind.INTEGER)


def by_identity(statement: ir.Statement) -> ir.Statement:
    """The statement whose computed nodes, and lists of them, are compared by identity."""
    computed = computed_names(statement)
    if not computed:
        return statement
    free = unused_names(statement, "same")

    def compared(node: ir.Compare) -> ir.Compare:
        return replace(node, left=_identity(node.left, free), right=_identity(node.right, free))

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Compare(op=op, left=left, right=right) if op in _EQUALITY:
                return compared(node) if _are_compared(left, right, computed) else node
            case ir.In(item=item, list=listed):
                if _are_members(item, listed, computed):
                    return replace(node, item=_identity(item, free), list=_identity(listed, free))
            case ir.Case(operand=ir.Expr() as operand) if any(
                _are_compared(operand, when.condition, computed) for when in node.whens
            ):
                whens = tuple(
                    replace(when, condition=compared(equal(operand, when.condition)))
                    for when in node.whens
                )
                return replace(node, operand=None, whens=whens)
        return node

    return rewrite(statement, change)


def refuse_mixed(statement: ir.Statement) -> None:
    """Refuse what GQL of grafeo cannot compare: a node of a path or a subquery that a list or a map
    holds beside other things, as it is a map there, and a number no less than a node has one.

    Raises:
        Refused: such a thing is compared with a node.
    """
    computed = computed_names(statement)
    if not computed:
        return
    compared = [(each.left, each.right, each.span) for each in find(statement, ir.Compare)]
    compared += [(each.item, each.list, each.span) for each in find(statement, ir.In)]
    for *sides, span in compared:
        kinds = {_kind(side) for side in sides}
        if kinds == {Kind.NODE, Kind.ANY} and uses(computed, *sides):
            reason = "grafeo does not know a node again that a list or a map holds."
            raise Refused("engine-limit", "comparison", reason, span)


def _kind(node: ir.Expr) -> Kind:
    """That of a value, or of the items of a list."""
    type_ = node.type
    while type_.kind is Kind.LIST and type_.item is not None:
        type_ = type_.item
    return type_.kind


def computed_names(statement: ir.Statement) -> frozenset[str]:
    """The names that hold nodes, or lists of them, of paths, subqueries and comprehensions."""
    names: set[str] = set()
    for each in find(statement, *_BINDERS):
        name, value = _binding(each)
        made = any(call.name == "nodes" for call in find(value, ir.Call))
        made = made or any(find(value, ir.PatternComp, ir.CollectOf, ir.ListComp))
        if made or any(var.name in names for var in find(value, ir.Var)):
            names.add(name)
    return frozenset(names)


_BINDERS = (ir.Item, ir.Unwind, ir.ListComp, ir.Quantifier, ir.Reduce)


def _binding(node: ir.Node) -> tuple[str, ir.Expr]:
    """A name and the value, or the list of values, that it is given."""
    match node:
        case ir.Item(expr=value, alias=name) | ir.Unwind(expr=value, alias=name):
            return name, value
        case ir.ListComp(var=name, list=value) | ir.Quantifier(var=name, list=value):
            return name, value
        case ir.Reduce(var=name, list=value):
            return name, value
    raise AssertionError(node)


def _are_compared(left: ir.Expr, right: ir.Expr, computed: frozenset[str]) -> bool:
    depths = _depth(left), _depth(right)
    return depths[0] is not None and depths[0] == depths[1] and uses(computed, left, right)


def _are_members(item: ir.Expr, listed: ir.Expr, computed: frozenset[str]) -> bool:
    depths = _depth(item), _depth(listed)
    known = depths[0] is not None and depths[1] is not None and depths[0] + 1 == depths[1]
    return known and uses(computed, item, listed)


def uses(names: frozenset[str], *values: ir.Expr) -> bool:
    """Whether one of the names stands in the values."""
    return any(var.name in names for value in values for var in find(value, ir.Var))


def _depth(node: ir.Expr) -> int | None:
    """0 for a node, 1 for a list of nodes, 2 for a list of such lists; None for anything else."""
    depth, type_ = 0, node.type
    while type_.kind is Kind.LIST and type_.item is not None:
        depth, type_ = depth + 1, type_.item
    return depth if type_.kind is Kind.NODE else None


def _identity(node: ir.Expr, free: Iterator[str]) -> ir.Expr:
    """The identity of a node, those of a list of nodes in their order."""
    depth = _depth(node) or 0
    name = ir.Var(next(free), type=node.type if depth == 0 else node.type.item or node.type)
    if depth:
        of_each = _identity(name, free)
        return ir.ListComp(name.name, node, result=of_each, type=Type(Kind.LIST, of_each.type))
    if isinstance(node, ir.Var):
        return own("id", node, kind=Kind.INTEGER)
    return ir.Call("=let", (name, node, own("id", name, kind=Kind.INTEGER)), type=_IDENTITY)
