"""Lists of nodes, edges and maps, whose items LadybugDB 0.22 takes from the wrong rows.

It reads the parts of such items from where the list was made: behind a MATCH or a WHERE, and where
two filters look at two parts; so it does with plain items where a CASE looks at them, and where a
result reads what is beside the list. A slice copies them (measured: docs/measurements.md). In a map
it has the first item for every bare item; the only item of a list is worked out for each.
"""

from __future__ import annotations

from graph_ir import nodes as ir
from graph_ir.walk import find
from schemagraph.model import Kind
from translators.gql.emit.values import kind_of

_WITH_PARTS = frozenset({Kind.NODE, Kind.EDGE, Kind.PATH, Kind.MAP, Kind.LIST, Kind.ANY})
_ALL = 2**63 - 1

type Items = ir.ListComp | ir.Quantifier


def has_parts(items: ir.Expr) -> bool:
    """Whether the items of a list are, or may be, more than plain values."""
    of = items.type.item
    return of is None or of.kind in _WITH_PARTS


def copy_of(text: str) -> str:
    """The text of a copy of a list."""
    return f"list_slice({text}, 1, {_ALL})"


def copied(items: ir.Expr, *, also: bool = False) -> ir.Expr:
    """The list, or a copy of it where its items have parts, and `also` where they are plain."""
    if not (also or has_parts(items)) or kind_of(items) is not Kind.LIST:
        return items
    return ir.Slice(items, ir.Literal(0), ir.Literal(_ALL), type=items.type, span=items.span)


def reads_beside(node: Items, part: ir.Expr) -> bool:
    """Whether a part of it looks at what is the same for all items of the list."""
    own = {each.var for each in find(node, ir.ListComp)}
    own |= {each.var for each in find(node, ir.Quantifier)}
    return any(var.name not in own for var in find(part, ir.Var))


def gathers(node: Items, part: ir.Expr | None) -> bool:
    """Whether a part of it puts an item beside others, in a list or coalesce()."""
    if part is None:
        return False
    item = ir.Var(node.var)
    together = (*find(part, ir.ListOf), *(c for c in find(part, ir.Call) if c.name == "coalesce"))
    return any(var == item for each in together for var in find(each, ir.Var))
