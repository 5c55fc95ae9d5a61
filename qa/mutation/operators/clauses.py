"""Projections and stages: DISTINCT, aggregates, order, windows, columns, unions, whole stages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from qa.mutation.operators.context import Context, Variant
from schemagraph.model import NUMERIC, Kind, Type

NAMES = (
    "lost-distinct",
    "lost-aggregate-distinct",
    "wrong-aggregate",
    "changed-count",
    "lost-order",
    "flipped-order",
    "lost-limit",
    "changed-limit",
    "lost-skip",
    "changed-property",
    "dropped-grouping-key",
    "changed-union",
    "dropped-union-branch",
    "lost-stage",
)

_OTHER = {
    "sum": ("avg", "max"),
    "avg": ("sum", "max"),
    "min": ("max",),
    "max": ("min",),
    "stDev": ("avg",),
    "stDevP": ("avg",),
    "percentileCont": ("percentileDisc",),
    "percentileDisc": ("percentileCont",),
}


def variants(node: ir.Node, context: Context) -> Iterator[Variant]:
    """What this family makes of one node."""
    match node:
        case ir.Project():
            yield from _project(node)
        case ir.Agg():
            yield from _aggregate(node)
        case ir.Prop() if context.returned and node.base.type.kind in (Kind.NODE, Kind.EDGE):
            yield from _properties(node, context)
        case ir.Union():
            yield "changed-union", replace(node, all=not node.all)
            yield "dropped-union-branch", node.left
            if not isinstance(node.left, ir.Union):
                yield "dropped-union-branch", node.right
        case ir.Query(clauses) if len(clauses) > 1:
            for number, clause in enumerate(clauses):
                if not (isinstance(clause, ir.Project) and clause.final):
                    rest = (*clauses[:number], *clauses[number + 1 :])
                    yield "lost-stage", replace(node, clauses=rest)


def _project(project: ir.Project) -> Iterator[Variant]:
    if project.distinct:
        yield "lost-distinct", replace(project, distinct=False)
    if project.order:
        yield "lost-order", replace(project, order=())
        for number, key in enumerate(project.order):
            turned = replace(key, descending=not key.descending)
            order = (*project.order[:number], turned, *project.order[number + 1 :])
            yield "flipped-order", replace(project, order=order)
    if project.limit is not None:
        yield "lost-limit", replace(project, limit=None)
        if isinstance(project.limit, ir.Literal) and isinstance(project.limit.value, int):
            count = project.limit.value
            yield "changed-limit", replace(project, limit=ir.Literal(count + 1))
            if count > 1:
                yield "changed-limit", replace(project, limit=ir.Literal(count - 1))
    if project.skip is not None:
        yield "lost-skip", replace(project, skip=None)
    if project.group is not None and not project.final and len(project.group) > 1:
        for number, item in enumerate(project.items):
            if item.expr in project.group:
                items = (*project.items[:number], *project.items[number + 1 :])
                yield "dropped-grouping-key", replace(project, items=items)


def _aggregate(agg: ir.Agg) -> Iterator[Variant]:
    if agg.distinct:
        yield "lost-aggregate-distinct", replace(agg, distinct=False)
    for name in _OTHER.get(agg.name, ()):
        if name in ("min", "max") or agg.args[0].type.kind in NUMERIC:
            args = agg.args if name.startswith("percentile") else agg.args[:1]
            yield "wrong-aggregate", replace(agg, name=name, args=args)
    if agg.name == "count" and agg.args:
        if not agg.distinct:
            yield "changed-count", ir.Agg("count")
            if agg.args[0].type.kind in NUMERIC:
                yield "wrong-aggregate", replace(agg, name="sum")
        if isinstance(agg.args[0], ir.Prop):
            yield "changed-count", replace(agg, args=(agg.args[0].base,))


def _properties(prop: ir.Prop, context: Context) -> Iterator[Variant]:
    """Other properties of the same element and kind."""
    schema = context.schema
    of = prop.base.type.of
    owners = [schema.node_by_name.get(name) or schema.edge_by_name.get(name) for name in of]
    for owner in owners[:1]:
        for other in owner.properties if owner is not None else ():
            if other.name != prop.key and _alike(other.type, prop.type):
                yield "changed-property", replace(prop, key=other.name)


def _alike(a: Type, b: Type) -> bool:
    return a.kind is b.kind or (a.kind in NUMERIC and b.kind in NUMERIC)
