"""What groups are measured by, and how it hangs together with them."""

from __future__ import annotations

from generators.questions.plan import Entity, Link, LinkRef
from graph_ir import nodes as ir
from graph_ir.walk import find


def valued(expr: ir.Expr, link: Link) -> bool:
    """Whether a property of the link is measured."""
    return any(p.base.link is link for p in find(expr, ir.Prop) if isinstance(p.base, LinkRef))


def simple(condition: ir.Expr) -> bool:
    """Whether a filter on groups compares an aggregate with a number."""
    match condition:
        case ir.Compare(_, ir.Agg() as agg, ir.Literal(int() | float())):
            return agg.name != "collect"
        case ir.Compare(_, ir.Literal(int()), ir.Agg("count")):
            return True
    return False


def between(way: list[Link], key: Entity, thing: Entity) -> list[Entity]:
    """The things on the way from a group to what is measured in it."""
    found: list[Entity] = []
    here = key
    for link in way:
        here = link.other(here)
        if here is not thing:
            found.append(here)
    return found
