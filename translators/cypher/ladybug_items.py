"""Lists of nodes, edges and maps, whose items LadybugDB 0.22 takes from the wrong rows.

It reads the parts of such items from where the list was made: behind a MATCH or a WHERE, and where
two filters look at two parts; so it does with plain items where a CASE looks at them. A slice
copies them (measured: docs/measurements.md).
"""

from __future__ import annotations

from graph_ir import nodes as ir
from graph_ir.walk import find
from schemagraph.model import Kind
from translators.gql.emit.values import kind_of

_WITH_PARTS = frozenset({Kind.NODE, Kind.EDGE, Kind.PATH, Kind.MAP, Kind.LIST, Kind.ANY})
_ALL = 2**63 - 1


def has_parts(items: ir.Expr) -> bool:
    """Whether the items of a list are, or may be, more than plain values."""
    of = items.type.item
    return of is None or of.kind in _WITH_PARTS


def copied(items: ir.Expr, *, also: bool = False) -> ir.Expr:
    """The list, or a copy of it where its items have parts, and `also` where they are plain."""
    if not (also or has_parts(items)) or kind_of(items) is not Kind.LIST:
        return items
    return ir.Slice(items, ir.Literal(0), ir.Literal(_ALL), type=items.type, span=items.span)


def reads_beside(node: ir.ListComp, part: ir.Expr) -> bool:
    """Whether a part of it looks at what is the same for all items of the list."""
    own = {each.var for each in find(node, ir.ListComp)}
    own |= {each.var for each in find(node, ir.Quantifier)}
    return any(var.name not in own for var in find(part, ir.Var))
