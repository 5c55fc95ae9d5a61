"""Orders of nodes, edges and paths, which Neo4j makes by its own numbers of them.

No other engine has these numbers (measured with Neo4j 2026.08; openCypher, CIP2016-06-14, leaves
the order open).
"""

from __future__ import annotations

from collections.abc import Iterator

from graph_ir import nodes as ir
from graph_ir.numbers import ORDERED
from graph_ir.walk import find
from graphmill.errors import Refused
from schemagraph.model import Kind, Type

_ELEMENTS = frozenset({Kind.NODE, Kind.EDGE, Kind.PATH})


def refuse_ordered_elements(statement: ir.Statement, *, sorts: bool) -> None:
    """Refuse `a < b` and its kin of nodes, edges and paths, or of what may be one.

    `sorts`: ORDER BY, min() and max() of them too.

    Raises:
        Refused: the statement has one.
    """
    mixed = any(map(_is_mixed, find(statement, ir.ListOf)))
    for construct, node in _ordered(statement, sorts=sorts):
        if _is_element(node.type) or (mixed and node.type.kind is Kind.ANY):
            reason = "Nodes, edges and paths are ordered by numbers that only Neo4j has."
            raise Refused("element-comparison", construct, reason, node.span)


def _ordered(statement: ir.Statement, *, sorts: bool) -> Iterator[tuple[str, ir.Expr]]:
    """What orders values, and the values."""
    for compare in find(statement, ir.Compare):
        if compare.op in ORDERED:
            yield from ((compare.op, side) for side in (compare.left, compare.right))
    if not sorts:
        return
    yield from (("ORDER BY", key.expr) for key in find(statement, ir.SortKey))
    for agg in find(statement, ir.Agg):
        yield from ((agg.name, arg) for arg in agg.args if agg.name in ("min", "max"))


def _is_element(of: Type) -> bool:
    return of.kind in _ELEMENTS or (of.item is not None and _is_element(of.item))


def _is_mixed(listed: ir.ListOf) -> bool:
    """Whether nodes, edges or paths stand in a list beside other values."""
    elements = [_is_element(item.type) for item in listed.items]
    return any(elements) and not all(elements)
