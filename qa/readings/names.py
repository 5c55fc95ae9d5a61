"""Several things of one name: does a name stand for one thing, and a group for one thing?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import conjuncts
from graph_ir.rewrites import has_aggregate
from graph_ir.walk import find, rewrite
from qa.readings.shape import both, identifies, key_of, named_nodes, stages
from schemagraph.model import Kind, SchemaGraph

_NAMES = ("name", "title")


def by_thing(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """Groups of things, where the query groups by a name that several may have."""
    for stage in stages(query):
        project = stage.project
        if not project.group:
            continue
        names = _shared_names(project.group, named_nodes(stage.before), schema)
        if names:
            extra = tuple(ir.Item(ir.Var(name), f"{name}_thing") for name in names)
            items = (*project.items, *extra)
            grouped = replace(
                project,
                items=items,
                order=(),
                skip=None,
                limit=None,
                where=None,
                final=False,
                group=tuple(item.expr for item in items if not has_aggregate(item.expr)),
            )
            shown = tuple(replace(item, expr=ir.Var(item.alias)) for item in project.items)
            known: dict[ir.Expr, str] = {item.expr: item.alias for item in project.items}

            def aliased(node: ir.Node, known: dict[ir.Expr, str] = known) -> ir.Node:
                if isinstance(node, ir.Expr) and node in known:
                    return ir.Var(known[node])
                return node

            order = tuple(rewrite(key, aliased) for key in project.order)
            if any(True for key in order for _ in find(key, ir.Agg, ir.Prop)):
                continue
            after = replace(project, items=shown, order=order, group=None)
            yield stage.with_clauses(*stage.before, grouped, after)


def _shared_names(
    group: Sequence[ir.Expr], nodes: Collection[str], schema: SchemaGraph
) -> dict[str, None]:
    """Nodes that the keys of a group tell by a name, and by nothing that tells them apart."""
    props = [p for key in group for p in find(key, ir.Prop)]
    things = [p.base.name for p in props if isinstance(p.base, ir.Var) and p.base.name in nodes]
    whole = {key.name for key in group if isinstance(key, ir.Var)}
    apart = {p.base for p in props if identifies(p, schema)}
    spread = {n for n in things if n not in whole and ir.Var(n) not in apart}
    return dict.fromkeys(
        p.base.name
        for p in props
        if _is_name(p.key) and isinstance(p.base, ir.Var) and p.base.name in spread
    )


def one_of_the_name(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """One thing of a name, where the query means all that have it."""
    first = query.clauses[0]
    if not isinstance(first, ir.Match) or first.optional:
        return
    for name, node in named_nodes((first,)).items():
        tests = [part for part in conjuncts(first.where) if _names_it(part, name, schema)]
        if isinstance(node.props, ir.MapOf):
            tests += [
                ir.Compare(ir.CompareOp.EQ, ir.Prop(ir.Var(name), entry.key), entry.value)
                for entry in node.props.entries
                if _names_it(_equal(name, entry, node), name, schema)
            ]
        key = key_of(name, node, schema)
        if tests and key is not None:
            alone = ir.Match((ir.Path(replace(node, props=None, where=None)),), both(*tests))
            one = ir.Project(
                (ir.Item(ir.Var(name), name),),
                order=(ir.SortKey(key),),
                limit=ir.Literal(1),
            )
            yield replace(query, clauses=(alone, one, *query.clauses))


def _equal(name: str, entry: ir.Entry, node: ir.NodePattern) -> ir.Compare:
    return ir.Compare(
        ir.CompareOp.EQ, ir.Prop(ir.Var(name, type=node.type), entry.key), entry.value
    )


def _names_it(part: ir.Expr, name: str, schema: SchemaGraph) -> bool:
    match part:
        case ir.Compare(ir.CompareOp.EQ, ir.Prop(ir.Var(own), key) as prop, ir.Literal(str())) if (
            own == name and prop.base.type.kind is not Kind.EDGE
        ):
            return _is_name(key) and not identifies(prop, schema)
    return False


def _is_name(key: str) -> bool:
    return key.lower() in _NAMES or key.lower().endswith("name")
