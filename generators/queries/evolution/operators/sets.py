"""Two queries as one: either relation, or two neighbours at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

from generators.queries.archetypes.facets import Use
from generators.queries.archetypes.parts import both, conjuncts, constant, step_to
from generators.queries.evolution.operators.paths import distinct, swapped
from generators.queries.rewriting.conditions import (
    TESTED,
    comparisons,
    condition,
    equalities,
    evidence,
    usual,
    without,
)
from generators.queries.rewriting.operator import Operator, Step, effect, shuffled
from generators.queries.rewriting.scope import Link, Place
from generators.queries.rewriting.site import Site
from graph_ir import nodes as ir
from graph_ir.walk import find, substitute
from schemagraph.model import EdgeType, Property
from schemagraph.views import Hop


def _plain(site: Site) -> bool:
    return not site.grouped and not site.windowed and not site.staged and not site.final.order


# --- union -------------------------------------------------------------------------------------


def _twins(site: Site) -> list[tuple[Link, EdgeType]]:
    """Links with another edge type between the same node types."""
    return [
        (link, other)
        for link in site.links
        for other in site.schema.edges
        if (other.source, other.target) == (link.hop.edge.source, link.hop.edge.target)
        and other.name != link.hop.edge.name
        and link.edge.props is None
        and link.edge.where is None
        and link.edge.var is None
        and site.tells(link)
    ]


def _others(site: Site) -> list[tuple[Place, ir.Compare, Property]]:
    """The kind that is asked for, with other properties of the same node; none where more is
    asked for, which would be said twice."""
    clauses = (c for c in site.body if isinstance(c, ir.Match | ir.Project))
    asked = [part for clause in clauses for part in conjuncts(clause.where)]
    if len(site.links) > 2 or len(asked) > 1:
        return []
    return [
        (place, part, other)
        for place, prop, part in comparisons(site)
        for other in site.free(place, Use.CATEGORY, Use.NUMBER)
        if prop in site.telling(place.type, *TESTED)
    ]


def _can_unite(site: Site) -> bool:
    about = {var.name for item in site.final.items for var in find(item.expr, ir.Var)}
    return _plain(site) and len(about) == 1 and bool(_twins(site) or _others(site))


def _unite(site: Site, rng: Random) -> Iterator[Step]:
    """The same of another kind, or over another relation, in one answer without doubles."""
    left = replace(site.statement, clauses=(*site.body, replace(site.final, distinct=False)))
    for place, part, prop in shuffled(rng, _others(site)):
        guess = usual(site, place.type, place.var, prop)
        if guess is not None and not site.sayable(
            ir.Union(left, substitute(left, partial(swapped, part, guess)))
        ):
            continue
        observed = site.observe(without(site, part), place.var, prop)
        test = condition(place.var, prop, observed, rng) if observed else None
        if observed and test is not None:
            right = substitute(left, partial(swapped, part, test))
            yield Step(ir.Union(left, right), evidence(place, prop, observed))
    for link, other in shuffled(rng, _twins(site)):
        edge = replace(link.edge, types=ir.LabelName(other.label))
        right = substitute(left, partial(swapped, link.edge, edge))
        count = site.statistics.edges[other.name].count
        yield Step(ir.Union(left, right), f"{other.label}: {count} edges of the same kind")


# --- both of two neighbours ----------------------------------------------------------------------


def _chosen(site: Site) -> Iterator[tuple[Link, Place, Place, Property, ir.Compare]]:
    """A neighbour of several that is asked for by one value: (link, node, neighbour, …).

    Beside walks of many lengths a second one would multiply them.
    """
    if any(link.edge.hops is not None for link in site.links):
        return
    for place, prop, part in equalities(site):
        for link in site.links:
            back = Hop(link.hop.edge, not link.hop.forward)
            ends = ((link.left, link.right, link.hop), (link.right, link.left, back))
            for near, far, hop in ends:
                node = site.place(near)
                several = not site.is_single(hop)
                if far == place.var and node and several and site.shown(near):
                    yield Link(near, far, hop, link.edge, link.clause), node, place, prop, part


def _can_both(site: Site) -> bool:
    return _plain(site) and site.narrows and any(True for _ in _chosen(site))


def _both(site: Site, rng: Random) -> Iterator[Step]:
    """A second neighbour over the same relation, with another observed value."""
    for link, node, place, prop, part in shuffled(rng, list(_chosen(site))):
        if not isinstance(part.right, ir.Literal):
            continue
        new = site.called(link.hop)
        path = ir.Path(ir.NodePattern(node.var), (step_to(link.hop, site.schema, new),))
        clauses = list(site.body)
        match = clauses[link.clause]
        if not isinstance(match, ir.Match):
            continue
        wider = replace(match, paths=(*match.paths, path))
        clauses[link.clause] = wider
        known = site.statistics.properties[place.type.name, prop.name].common
        guess = next((value for value, _ in known if value not in (part.right.value, "")), None)
        if guess is not None and not site.sayable(
            _second(site, clauses, link.clause, new, prop, guess)
        ):
            continue
        observed = site.observe(tuple(clauses), new, prop, node.var)
        several = site.population(node)
        others = [
            value
            for value, nodes in (observed.common if observed else ())
            if value not in (part.right.value, "") and nodes < several
        ]
        if not observed or not others:
            continue
        query = _second(site, clauses, link.clause, new, prop, rng.choice(others[:6]))
        yield Step(query, evidence(Place(new, place.type, 0), prop, observed))


def _second(
    site: Site, clauses: Sequence[ir.Clause], at: int, new: str, prop: Property, value: Any
) -> ir.Query:
    """The query in which the second neighbour has a value."""
    match = clauses[at]
    assert isinstance(match, ir.Match)  # noqa: S101 # the caller looked
    own = ir.Prop(ir.Var(new), prop.name)
    test = ir.Compare(ir.CompareOp.EQ, own, constant(value, prop))
    asked = replace(match, where=both(match.where, test))
    return site.ending((*clauses[:at], asked, *clauses[at + 1 :]), distinct(site.final))


OPERATORS = (
    Operator(
        "union",
        "or over another relation, or of another kind",
        effect("union", unions=1),
        _can_unite,
        _unite,
    ),
    Operator(
        "both-of",
        "and another such neighbour at once",
        effect("distinct", edge_patterns=1, conditions=1),
        _can_both,
        _both,
    ),
)
