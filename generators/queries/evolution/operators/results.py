"""What is returned: the first of an order, each only once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from generators.queries.archetypes.facets import Use
from generators.queries.archetypes.parts import column
from generators.queries.rewriting.conditions import evidence
from generators.queries.rewriting.operator import Operator, Step, effect, shuffled
from generators.queries.rewriting.scope import Place
from generators.queries.rewriting.site import MAX_COLUMNS, Site
from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from schemagraph.model import Property

FIRST = (1, 3, 3, 5, 5, 10)


def _can_rank(site: Site) -> bool:
    if site.windowed or site.final.order or site.final.distinct or len(site.answer.rows) < 4:
        return False
    figures = [item for item in site.final.items if _is_figure(site, item)]
    if figures:
        return len(site.final.items) > 1
    if site.grouped or len(site.final.items) >= MAX_COLUMNS:
        return False
    subject = site.subject
    return subject is not None and bool(site.free(subject, *_RANKED))


_RANKED = (Use.NUMBER, Use.MOMENT)


def _is_figure(site: Site, item: ir.Item) -> bool:
    """Whether a column is an aggregate, or was one in the stage before."""
    if has_aggregate(item.expr):
        return True
    carried = site.values.get(item.expr.name) if isinstance(item.expr, ir.Var) else None
    return carried is not None and has_aggregate(carried.expr)


def _rank(site: Site, rng: Random) -> Iterator[Step]:
    """The first few by a figure or a measure; those that tie are told apart by their names."""
    figures = [item for item in site.final.items if _is_figure(site, item)]
    rows = len(site.answer.rows)
    count = rng.choice([number for number in FIRST if number < rows])
    if figures:
        key = ir.SortKey(ir.Var(figures[0].alias), rng.random() < 0.8)
        for more in ((), _ties(site.final)):
            final = replace(site.final, order=(key, *more), limit=ir.Literal(count))
            yield Step(ir.Query((*site.body, final)), f"by {figures[0].alias}")
        return
    place = site.subject
    if place is None:
        return
    for prop in shuffled(rng, site.free(place, *_RANKED)):
        queries = list(_ranked(site, place, prop, count, down=False))
        if not any(map(site.sayable, queries)):
            continue
        observed = site.observed(place, prop)
        if observed is None or len(observed.values) <= count:
            continue
        if not observed.nulls and rng.random() < 0.7:
            queries = list(_ranked(site, place, prop, count, down=True))
        for query in queries:
            yield Step(query, evidence(place, prop, observed))


def _ranked(
    site: Site, place: Place, prop: Property, count: int, *, down: bool
) -> Iterator[ir.Query]:
    """The first few by a measure, which is shown; those that tie also by their names."""
    item = column(ir.Prop(ir.Var(place.var), prop.name))
    key = ir.SortKey(item.expr, down)
    items = site.final.items
    if all(known.expr != item.expr for known in items):
        items = (*items, item)
    for more in ((), _ties(site.final)):
        final = replace(site.final, items=items, order=(key, *more), limit=ir.Literal(count))
        yield ir.Query((*site.body, final))


def _ties(final: ir.Project) -> tuple[ir.SortKey, ...]:
    """A second key: the first column that is no figure."""
    plain = [item for item in final.items if not has_aggregate(item.expr)]
    return tuple(ir.SortKey(item.expr) for item in plain[:1])


def _can_distinct(site: Site) -> bool:
    return (
        not site.grouped
        and not site.final.distinct
        and not site.windowed
        and not site.final.order
        and len(site.final.items) <= 2
        and bool(site.places)
        and not any(isinstance(item.expr, ir.Var) for item in site.final.items)
    )


def _distinct(site: Site, rng: Random) -> Iterator[Step]:
    """Each row once; another column where the one that is there has no doubles."""
    rows = [repr(row) for row in site.answer.rows]
    if len(set(rows)) < len(rows):
        query = ir.Query((*site.body, replace(site.final, distinct=True)))
        yield Step(query, f"{len(set(rows))} different rows of {len(rows)}")
    if site.optional:
        return  # without its column nobody would see what is optional
    for place in shuffled(rng, site.places):
        for prop in shuffled(rng, site.free(place, Use.CATEGORY)):
            item = column(ir.Prop(ir.Var(place.var), prop.name))
            query = ir.Query((*site.body, ir.Project((item,), distinct=True, final=True)))
            observed = site.observed(place, prop) if site.sayable(query) else None
            if observed is not None and 2 <= len(observed.values) < observed.total:
                yield Step(query, evidence(place, prop, observed))
                return


OPERATORS = (
    Operator("rank", "the first few of an order", effect("order-by", "limit"), _can_rank, _rank),
    Operator("distinct", "each only once", effect("distinct"), _can_distinct, _distinct),
)
