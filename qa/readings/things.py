"""Sum over rows or things: what is counted or added up is each thing once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import substitute, unused_names
from graph_ir.variables import introduced
from graph_ir.walk import find
from qa.readings.shape import Stage, hides, only, stages
from schemagraph.model import Kind, SchemaGraph

_SEES_REPEATS = frozenset(
    {"count", "sum", "avg", "stDev", "stDevP", "percentileCont", "percentileDisc"}
)


def each_thing_once(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """Aggregates over different things, which the pattern may match several times in a group, and
    counts of what is at the end of a pattern."""
    for subquery in dict.fromkeys(find(query, ir.CountOf)):
        counted = _different(subquery.query)
        if counted is not None:
            yield substitute(query, {subquery: replace(subquery, query=counted)})
    for stage in stages(query):
        kept = _kept(stage)
        if kept and hides(stage, kept):
            project = _count_distinct(stage, kept)
            if project is not None:
                yield stage.with_clauses(*stage.before, project)
            else:
                yield stage.with_clauses(*stage.before, only(kept), stage.project)


def _different(query: ir.Statement) -> ir.Query | None:
    """A subquery that matches one path, for the different nodes at its end."""
    match query:
        case ir.Query((ir.Match((ir.Path() as path,)) as match,)) if path.steps:
            last = path.steps[-1]
        case _:
            return None
    name = last.node.var or next(unused_names(query, "end"))
    steps = (*path.steps[:-1], replace(last, node=replace(last.node, var=name)))
    matched = replace(match, paths=(replace(path, steps=steps),))
    end = ir.Item(ir.Var(name, type=last.node.type), name)
    return replace(query, clauses=(matched, ir.Project((end,), distinct=True, final=True)))


def _kept(stage: Stage) -> tuple[str, ...]:
    """The variables of the grouping keys and of the one kind of thing that is aggregated."""
    group = stage.project.group
    if group is None:
        return ()
    aggregates = [agg for item in stage.project.items for agg in find(item, ir.Agg)]
    over = {var.name: var for agg in aggregates for arg in agg.args for var in find(arg, ir.Var)}
    if len(over) != 1 or any(not agg.args or agg.distinct for agg in aggregates):
        return ()
    if not any(agg.name in _SEES_REPEATS for agg in aggregates):
        return ()
    (thing,) = over.values()
    if thing.type.kind not in (Kind.NODE, Kind.EDGE):
        return ()
    keys = (var.name for key in group for var in find(key, ir.Var))
    outer = {name for clause in stage.before for name in introduced(clause)}
    if thing.name not in outer:
        return ()
    return tuple(dict.fromkeys((*keys, thing.name)))


def _count_distinct(stage: Stage, kept: tuple[str, ...]) -> ir.Project | None:
    """The projection with `count(DISTINCT thing)`, where nothing else is aggregated."""
    items = []
    for item in stage.project.items:
        match item.expr:
            case ir.Agg("count", (ir.Var(),)) as agg:
                items.append(replace(item, expr=replace(agg, distinct=True)))
            case expr if any(True for _ in find(expr, ir.Agg)):
                return None
            case _:
                items.append(item)
    if any(True for key in stage.project.order for _ in find(key, ir.Agg)):
        return None
    return replace(stage.project, items=tuple(items))
