"""What may be missing is shown as well: a neighbour if there is one, a number that may be 0."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from generators.queries.archetypes.parts import step_to
from generators.queries.evolution.operators.subqueries import about_neighbours, covers
from generators.queries.rewriting.figures import many
from generators.queries.rewriting.operator import Operator, Step, effect
from generators.queries.rewriting.scope import Place
from generators.queries.rewriting.site import MAX_COLUMNS, Site
from graph_ir import nodes as ir
from graph_ir.walk import find
from schemagraph.views import Hop


def _ways(site: Site, rng: Random, *, single: bool) -> list[tuple[Place, Hop]]:
    """Hops that some nodes lack, with one neighbour at most or with several."""
    return [
        (place, hop)
        for place, hop in about_neighbours(site, rng)
        if site.is_single(hop) is single
        and not covers(site, place, hop)
        and not _shown_already(site, hop)
    ]


def _shown_already(site: Site, hop: Hop) -> bool:
    """Whether an optional part goes along such an edge; a second would pair what both find."""
    optional = (clause for clause in site.body if isinstance(clause, ir.Match) and clause.optional)
    label = ir.LabelName(hop.edge.label)
    return any(label in find(clause, ir.LabelName) for clause in optional)


def _can_show(site: Site) -> bool:
    return (
        not site.grouped
        and not site.staged
        and not site.windowed
        and not site.final.distinct
        and len(site.final.items) < MAX_COLUMNS
        and bool(site.places)
    )


def _show(site: Site, rng: Random) -> Iterator[Step]:
    """The name of a neighbour that not every node has."""
    ways = _ways(site, rng, single=True) + _ways(site, rng, single=False)
    for place, hop in ways:
        far = site.schema.node_by_name[hop.ends[1]]
        if site.name(far) is None or not site.shown(place.var):
            continue
        new = site.called(hop)
        path = ir.Path(ir.NodePattern(place.var), (step_to(hop, site.schema, new),))
        body = (*site.body, ir.Match((path,), optional=True))
        final = replace(site.final, items=(*site.final.items, *site.name_items((new, far))))
        yield Step(site.ending(body, final), _lacking(site, place, hop))


def _can_count(site: Site) -> bool:
    subject = site.subject
    return (
        _can_show(site)
        and len(site.final.items) < 3
        and subject is not None
        and site.once(subject)
        and not site.final.order
    )


def _count(site: Site, rng: Random) -> Iterator[Step]:
    """How many neighbours each node has, none included."""
    subject = site.subject
    for place, hop in _ways(site, rng, single=False):
        if place is not subject:
            continue
        far = site.schema.node_by_name[hop.ends[1]]
        new = site.called(hop)
        path = ir.Path(ir.NodePattern(place.var), (step_to(hop, site.schema, new),))
        figure = site.fresh(many(Place(new, far, 0)), (new,))
        kept = tuple(
            ir.Item(ir.Var(p.var), p.var) for p in site.places if p is place or site.shown(p.var)
        )
        counted = ir.Item(ir.Agg("count", (ir.Var(new),)), figure)
        stage = ir.Project((*kept, counted), group=tuple(item.expr for item in kept))
        shown = (*site.final.items, ir.Item(ir.Var(figure), figure))
        clauses = (*site.body, ir.Match((path,), optional=True), stage)
        yield Step(
            ir.Query((*clauses, replace(site.final, items=shown))), _lacking(site, place, hop)
        )


def _lacking(site: Site, place: Place, hop: Hop) -> str:
    known = site.statistics.edges[hop.edge.name]
    ends = known.sources if hop.forward else known.targets
    nodes = site.statistics.nodes[place.type.name]
    return f"{ends} of {nodes} {place.type.labels[0]} nodes have {hop.edge.label}"


OPERATORS = (
    Operator(
        "optional-neighbour",
        "with a neighbour, where there is one",
        effect("optional-match", edge_patterns=1),
        _can_show,
        _show,
    ),
    Operator(
        "optional-count",
        "with the number of neighbours, none included",
        effect(
            "optional-match", "aggregate-count", "group-by", turns=("aggregates",), projections=1
        ),
        _can_count,
        _count,
    ),
)
