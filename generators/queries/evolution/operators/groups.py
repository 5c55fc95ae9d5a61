"""A figure for each group; groups filtered by their figures; figures of the figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from generators.queries.archetypes.facets import Use
from generators.queries.archetypes.parts import column
from generators.queries.rewriting.conditions import evidence
from generators.queries.rewriting.figures import (
    PREFIX,
    bound,
    figures,
    many,
    measured,
    noun,
    number_of,
    plain,
    staged_figure,
)
from generators.queries.rewriting.operator import Operator, Step, effect, shuffled
from generators.queries.rewriting.scope import Place
from generators.queries.rewriting.site import Site
from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from graph_ir.walk import substitute


def _figure(site: Site, place: Place, rng: Random, *, counted: bool = False) -> ir.Item:
    """A figure over the nodes of a place: their number, or an average."""
    measures = site.free(place, Use.AMOUNT) if site.once(place) and not counted else []
    if measures and rng.random() < 0.4:
        return measured(site, place, rng.choice(measures), rng, ("sum",))
    return ir.Item(number_of(site, place), many(place))


def _can_group_values(site: Site) -> bool:
    return plain(site) and any(site.free(p, Use.CATEGORY, Use.FLAG) for p in site.places)


def _group_values(site: Site, rng: Random) -> Iterator[Step]:
    """A figure for each value of a category."""
    subject = site.subject
    for place in shuffled(rng, site.places):
        for prop in shuffled(rng, site.free(place, Use.CATEGORY, Use.FLAG)):
            if subject is None:
                return
            key = column(ir.Prop(ir.Var(place.var), prop.name))
            figure = _figure(site, subject, rng)
            query = site.ending(site.body, ir.Project((key, figure), final=True))
            observed = site.observed(place, prop) if site.sayable(query) else None
            if observed is not None and len(observed.values) >= 2:
                yield Step(query, evidence(place, prop, observed))


def _groups(site: Site) -> list[tuple[Place, Place]]:
    """Pairs (what is counted, by what): places that a pattern joins, one to many."""
    return [
        (one, by)
        for one in site.places
        for by in site.places
        if one is not by and site.name(by.type) and not site.reaches(by, one)
    ]


def _can_group_entity(site: Site) -> bool:
    return plain(site) and bool(_groups(site))


def _group_entity(site: Site, rng: Random) -> Iterator[Step]:
    """A figure for each node of another place, grouped by the node and shown by its name."""
    for one, by in shuffled(rng, _groups(site)):
        figure = _figure(site, one, rng)
        keys = (ir.Item(ir.Var(by.var), by.var), figure)
        stage = ir.Project(keys, group=(ir.Var(by.var),))
        shown = (*site.name_items(by), ir.Item(ir.Var(figure.alias), figure.alias))
        final = ir.Project(shown, final=True)
        query = ir.Query((*site.body, stage, final))
        if site.sayable(query) and site.population(one) > site.population(by) > 1:
            seen = f"{site.population(one)} {one.var}, {site.population(by)} {by.var}"
            yield Step(query, seen)


def _can_filter(site: Site) -> bool:
    if len(site.answer.rows) < 3:
        return False
    if staged_figure(site):
        return True
    aggregates = [item for item in site.final.items if has_aggregate(item.expr)]
    return bool(site.final.group) and len(aggregates) == 1 and not site.windowed


def _filter(site: Site, rng: Random) -> Iterator[Step]:
    """Only groups whose figure passes an observed bound (HAVING)."""
    staged = staged_figure(site)
    if staged:
        place, figure = staged
        stage = site.body[place]
        assert isinstance(stage, ir.Project)  # noqa: S101 # `staged_figure` looked
    else:
        stage, figure = _as_stage(site.final)

    def made(op: ir.CompareOp, value: float) -> ir.Query:
        test = ir.Compare(op, ir.Var(figure.alias), ir.Literal(value))
        if staged:
            clauses = list(site.statement.clauses)
            clauses[staged[0]] = replace(stage, where=test)
            return ir.Query(tuple(clauses))
        items = tuple(ir.Item(ir.Var(item.alias), item.alias) for item in stage.items)
        order = tuple(_renamed(key, site.final, stage) for key in site.final.order)
        final = ir.Project(items, order=order, final=True)
        return ir.Query((*site.body, replace(stage, where=test), final))

    if not site.sayable(made(ir.CompareOp.GT, 2)):
        return
    seen = figures(site, stage, figure)
    chosen = bound(seen, rng)
    if chosen is not None:
        yield Step(made(*chosen), f"{figure.alias}: {seen[0]} to {seen[-1]}")


def _as_stage(final: ir.Project) -> tuple[ir.Project, ir.Item]:
    """The final projection as a WITH whose columns have plain names, and its figure."""
    taken: set[str] = set()
    items = []
    for item in final.items:
        alias = item.alias if item.named else _alias(item.expr)
        while alias in taken:
            alias += "_2"
        taken.add(alias)
        items.append(ir.Item(item.expr, alias))
    stage = ir.Project(tuple(items), group=final.group)
    return stage, next(item for item in items if has_aggregate(item.expr))


def _alias(expr: ir.Expr) -> str:
    match expr:
        case ir.Prop(ir.Var(var), key):
            return f"{var}_{noun(key)}" if noun(key) in ("name", "title") else noun(key)
        case ir.Agg(name):
            return {"count": "number"}.get(name, PREFIX.get(name, name.lower()))
    return "value"


def _renamed(key: ir.SortKey, final: ir.Project, stage: ir.Project) -> ir.SortKey:
    """A sort key of the final projection in the names of the WITH that took its place."""

    def change(node: ir.Node) -> ir.Node | None:
        for item, new in zip(final.items, stage.items, strict=True):
            if node == item.expr or node == ir.Var(item.alias):
                return ir.Var(new.alias)
        return None

    return replace(key, expr=substitute(key.expr, change))


def _can_average_groups(site: Site) -> bool:
    return staged_figure(site) is not None


def _average_groups(site: Site, rng: Random) -> Iterator[Step]:
    """One figure over the groups: the average number of artworks of a museum."""
    staged = staged_figure(site)
    if staged is None:
        return
    figure = staged[1]
    name = rng.choice(("avg", "avg", "max"))
    item = ir.Item(ir.Agg(name, (ir.Var(figure.alias),)), f"{PREFIX[name]}_{figure.alias}")
    final = ir.Project((item,), final=True)
    yield Step(site.ending(site.body, final), f"{figure.alias} over all groups")


OPERATORS = (
    Operator(
        "group-by-value",
        "a figure for each value",
        effect("group-by", turns=("aggregates",)),
        _can_group_values,
        _group_values,
    ),
    Operator(
        "group-by-node",
        "a figure for each of them",
        effect("group-by", "with", turns=("aggregates",), projections=1),
        _can_group_entity,
        _group_entity,
    ),
    Operator(
        "filter-groups",
        "whose figure passes a bound",
        effect("with-where", "group-by", turns=("filtered_aggregate",)),
        _can_filter,
        _filter,
    ),
    Operator(
        "average-groups",
        "the average of the groups' figures",
        effect(turns=("nested_aggregate",)),
        _can_average_groups,
        _average_groups,
    ),
)
