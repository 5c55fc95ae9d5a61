"""Several stages: first the top few, or a figure for each; then what belongs to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from generators.queries.archetypes.facets import Use
from generators.queries.archetypes.parts import step_to
from generators.queries.evolution.operators.results import FIRST
from generators.queries.evolution.operators.subqueries import about_neighbours
from generators.queries.rewriting.conditions import evidence
from generators.queries.rewriting.figures import bound, figures, many
from generators.queries.rewriting.operator import Operator, Step, effect, shuffled
from generators.queries.rewriting.scope import Place
from generators.queries.rewriting.site import MAX_COLUMNS, Site
from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from graph_ir.walk import find, substitute
from schemagraph.views import Hop


def _onward(site: Site, rng: Random, only: Place) -> Iterator[tuple[Hop, str, ir.Match]]:
    """MATCH clauses from a place to neighbours that have a name."""
    for place, hop in about_neighbours(site, rng):
        if place is not only:
            continue
        far = site.schema.node_by_name[hop.ends[1]]
        if site.name(far) is not None:
            new = site.called(hop)
            path = ir.Path(ir.NodePattern(place.var), (step_to(hop, site.schema, new),))
            yield hop, new, ir.Match((path,))


# --- the top few, then what belongs to them -----------------------------------------------------


def _can_top(site: Site) -> bool:
    subject = site.subject
    if subject is None or site.grouped or site.staged or site.final.distinct:
        return False
    if not site.once(subject):
        return False
    if site.windowed:
        keys = [key.expr for key in site.final.order]
        return site.final.skip is None and all(_is_of(key, subject) for key in keys)
    return not site.final.order and bool(site.free(subject, Use.NUMBER, Use.MOMENT))


def _is_of(expr: ir.Expr, place: Place) -> bool:
    return (
        isinstance(expr, ir.Prop) and isinstance(expr.base, ir.Var) and expr.base.name == place.var
    )


def _top(site: Site, rng: Random) -> Iterator[Step]:
    """Of the first few nodes of an order, the neighbours."""
    subject = site.subject
    if subject is None:
        return
    if site.windowed and site.final.limit is not None:
        for query in _belonging(site, rng, subject, site.final.order, site.final.limit):
            yield Step(query, "the rows of the query before")
        return
    for prop in shuffled(rng, site.free(subject, Use.NUMBER, Use.MOMENT)):
        count = rng.choice(FIRST)
        key = ir.SortKey(ir.Prop(ir.Var(subject.var), prop.name))
        name = site.name(subject.type)
        ties = (ir.SortKey(ir.Prop(ir.Var(subject.var), name.name)),) if name else ()
        for more in ((), ties):
            queries = _belonging(site, rng, subject, (key, *more), ir.Literal(count))
            for query in filter(site.sayable, queries):
                observed = site.observed(subject, prop)
                if observed is None or len(observed.values) <= count:
                    break
                seen = evidence(subject, prop, observed)
                turned = not observed.nulls and rng.random() < 0.7
                yield Step(_descending(query, key) if turned else query, seen)


def _belonging(
    site: Site,
    rng: Random,
    subject: Place,
    order: tuple[ir.SortKey, ...],
    limit: ir.Expr,
) -> Iterator[ir.Query]:
    """The neighbours of the first few of an order, and how many each of them has."""
    kept = ir.Project((ir.Item(ir.Var(subject.var), subject.var),), order=order, limit=limit)
    for hop, new, match in _onward(site, rng, subject):
        far = site.schema.node_by_name[hop.ends[1]]
        items = (*site.name_items(subject), *site.name_items((new, far)))
        final = ir.Project(items[:MAX_COLUMNS], final=True)
        yield ir.Query((*site.body, kept, match, final))
        if site.is_single(hop):
            continue
        counted = ir.Item(ir.Agg("count", (ir.Var(new),)), many(Place(new, far, 0)))
        stage = ir.Project(
            (ir.Item(ir.Var(subject.var), subject.var), counted),
            group=(ir.Var(subject.var),),
        )
        shown = (*site.name_items(subject), ir.Item(ir.Var(counted.alias), counted.alias))
        last = ir.Project(shown, final=True)
        yield ir.Query((*site.body, kept, match, stage, last))


def _descending(query: ir.Query, key: ir.SortKey) -> ir.Query:
    """The query with this very sort key the other way."""
    down = replace(key, descending=True)
    return substitute(query, lambda node: down if node is key else None)


# --- a figure for each, then what belongs to them -----------------------------------------------


def _counted(site: Site) -> tuple[ir.Project, Place] | None:
    """The WITH before the end that groups by one node, and that node."""
    stage = site.body[-1] if site.body else None
    if not isinstance(stage, ir.Project) or stage.group is None or site.windowed:
        return None
    keys = [item for item in stage.items if not has_aggregate(item.expr)]
    place = site.place(keys[0].alias) if len(keys) == 1 else None
    return (stage, place) if place is not None and not site.grouped else None


def _can_go_on(site: Site) -> bool:
    return _counted(site) is not None and len(site.final.items) < MAX_COLUMNS


def _go_on(site: Site, rng: Random) -> Iterator[Step]:
    """Of the groups whose figure passes a bound, a neighbour of each group's node."""
    counted = _counted(site)
    if counted is None:
        return
    stage, place = counted
    body, bounds = site.body, ""
    if stage.where is None:
        figure = next(item for item in stage.items if has_aggregate(item.expr))
        some = ir.Compare(ir.CompareOp.GT, ir.Var(figure.alias), ir.Literal(2))
        guess = (*site.body[:-1], replace(stage, where=some))
        if not any(site.sayable(query) for query, _ in _gone_on(site, rng, place, guess)):
            return
        seen = figures(site, stage, figure)
        chosen = bound(seen, rng)
        if chosen is None:
            return
        test = ir.Compare(chosen[0], ir.Var(figure.alias), ir.Literal(chosen[1]))
        body = (*site.body[:-1], replace(stage, where=test))
        bounds = f", {figure.alias}: {seen[0]} to {seen[-1]}"
    for query, arrow in _gone_on(site, rng, place, body):
        yield Step(query, f"{arrow} of each {place.var}{bounds}")


def _gone_on(
    site: Site, rng: Random, place: Place, body: tuple[ir.Clause, ...]
) -> Iterator[tuple[ir.Query, str]]:
    """Queries for the neighbours of the groups' nodes, with the way to these."""
    for hop, new, match in _onward(site, rng, place):
        if _walked(site, hop):
            continue
        far = site.schema.node_by_name[hop.ends[1]]
        items = (*site.final.items, *site.name_items((new, far)))
        arrow = f"{hop.edge.label} {'to' if hop.forward else 'from'} {far.labels[0]}"
        yield ir.Query((*body, match, replace(site.final, items=items[:MAX_COLUMNS]))), arrow


def _walked(site: Site, hop: Hop) -> bool:
    """Whether an earlier stage walked this edge type."""
    return any(
        isinstance(edge.types, ir.LabelName) and edge.types.name == hop.edge.label
        for edge in find(site.statement, ir.EdgePattern)
    )


OPERATORS = (
    Operator(
        "top-then-match",
        "what belongs to the first few",
        effect("limit", "order-by", "with", stages=1),
        _can_top,
        _top,
    ),
    Operator(
        "group-then-match",
        "what belongs to each group",
        effect("with", "with-where", "group-by", stages=1, turns=("filtered_aggregate",)),
        _can_go_on,
        _go_on,
    ),
)
