"""Pieces of results and conditions that goals are recognised by."""

from __future__ import annotations

from generators.questions.author import NoWording
from generators.questions.goals.model import Bound, Op, Relation, Test, Thing
from generators.questions.goals.trees import OPS
from generators.questions.plan.constants import FLIPPED, constant
from generators.questions.plan.model import Derived, Entity, EntityRef, LinkRef
from graph_ir import nodes as ir
from graph_ir.walk import find


def held_against(condition: ir.Expr) -> tuple[Op, str, Entity, Derived, int | float]:
    """A property held against a figure of the stage before."""
    match condition:
        case ir.Compare(op, ir.Prop(EntityRef(entity=one), key), Derived() as figure):
            return OPS[op], key, one, figure, 1
        case ir.Compare(
            op,
            ir.Prop(EntityRef(entity=one), key),
            ir.Arith(ir.ArithOp.MUL, ir.Literal(int() | float() as times), Derived() as figure),
        ):
            return OPS[op], key, one, figure, times
    raise NoWording("a comparison with a figure of groups")


def derived_in(expr: ir.Node) -> list[Derived]:
    return [expr] if isinstance(expr, Derived) else list(find(expr, Derived))


def merge_only(thing: Thing) -> None:
    """There are some of a kind, and none of another: only those."""
    for none in [r for r in thing.relations if r.how == "no"]:
        for some in [r for r in thing.relations if r.how == "some" and r.along == none.along]:
            one, other = some.other, none.other
            if len(one.tests) != 1 or len(other.tests) != 1 or one.relations or other.relations:
                continue
            yes, no = one.tests[0], other.tests[0]
            if not isinstance(yes, Test) or not isinstance(no, Test) or some.tests or none.tests:
                continue
            opposite = {"=": "<>", "in": "not in"}.get(yes.op)
            if yes.key == no.key and no.op == opposite and yes.values == no.values:
                some.how = "only"
                thing.relations.remove(none)
                break


def are_alike(some: list[Relation], none: list[Relation]) -> bool:
    return len(some) == 1 and len(none) == 1 and some[0].along == none[0].along


def property_of(expr: ir.Expr) -> tuple[Entity | object, str]:
    match expr:
        case EntityRef(entity=entity):
            return entity, ""
        case ir.Prop(EntityRef(entity=entity), key):
            return entity, key
        case ir.Prop(LinkRef(link=link), key):
            return link, key
    raise NoWording("a computed result")


def is_figure(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Agg | Derived)


def aggregate_of(expr: ir.Expr) -> ir.Agg:
    if isinstance(expr, ir.Agg):
        return expr
    raise NoWording("a computed figure")


def aggregates_in(expr: ir.Node) -> list[ir.Agg]:
    return list(find(expr, ir.Agg))


def bound_of(condition: ir.Expr) -> Bound:
    match condition:
        case ir.Compare(op, ir.Agg(), right) if value := constant(right):
            return Bound(OPS[op], value)
        case ir.Compare(op, left, ir.Agg()) if value := constant(left):
            return Bound(OPS[FLIPPED[op]], value)
    raise NoWording("a filter on groups")
