"""Nodes held against the average of all, or of their own group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from generators.queries.archetypes.facets import Use
from generators.queries.archetypes.parts import column, step_to
from generators.queries.rewriting.conditions import evidence
from generators.queries.rewriting.operator import Operator, Step, effect, shuffled
from generators.queries.rewriting.scope import Place
from generators.queries.rewriting.site import MAX_COLUMNS, Site
from graph_ir import nodes as ir
from graph_ir.walk import find
from schemagraph.views import Hop

PAIRS = 4  # of values that are looked at together


def _can_compare(site: Site) -> bool:
    return (
        not site.staged
        and site.narrows
        and any(site.free(place, Use.AMOUNT) for place in site.places)
    )


def _above_average(site: Site, rng: Random) -> Iterator[Step]:
    """Above, or below, the average of all nodes of the type."""
    subject = site.subject
    places = sorted(site.places, key=lambda place: (place is not subject, rng.random()))
    for place in places:
        for prop in shuffled(rng, site.free(place, Use.AMOUNT)):
            other = site.fresh(f"other {place.type.labels[0]}")
            average = site.fresh(f"average {prop.name}", (other,))
            head = ir.NodePattern(other, _labels(site, place))
            mean = ir.Agg("avg", (ir.Prop(ir.Var(other), prop.name),))
            query = _compared(
                site,
                place,
                (
                    ir.Match((ir.Path(head),)),
                    ir.Project((ir.Item(mean, average),), group=()),
                ),
                ir.Compare(_side(rng), ir.Prop(ir.Var(place.var), prop.name), ir.Var(average)),
            )
            observed = site.observed(place, prop) if site.sayable(query) else None
            if observed is not None and len(observed.values) >= 3:
                yield Step(query, evidence(place, prop, observed))


def _side(rng: Random) -> ir.CompareOp:
    return ir.CompareOp.GT if rng.random() < 0.75 else ir.CompareOp.LT


def _labels(site: Site, place: Place) -> ir.LabelExpr | None:
    for path in find(site.statement, ir.NodePattern):
        if path.var == place.var and path.labels is not None:
            return path.labels
    return None


def _compared(
    site: Site, place: Place, before: tuple[ir.Clause, ...], condition: ir.Expr
) -> ir.Query:
    query = site.where(place.var, condition)
    return replace(query, clauses=(*before, *query.clauses))


def _ties(site: Site) -> Iterator[tuple[Place, Place, Hop]]:
    """(node, group, hop between them): each node has one group."""
    for link in site.links:
        if link.edge.hops is not None:
            continue
        back = Hop(link.hop.edge, not link.hop.forward)
        for left, right, hop in ((link.left, link.right, link.hop), (link.right, link.left, back)):
            one, group = site.place(left), site.place(right)
            if one and group and site.is_single(hop) and not site.is_single(_turned(hop)):
                yield one, group, hop


def _turned(hop: Hop) -> Hop:
    return Hop(hop.edge, not hop.forward)


def _can_compare_group(site: Site) -> bool:
    plain = not site.staged and not site.grouped
    return plain and any(site.free(one, Use.AMOUNT) for one, _, _ in _ties(site))


def _above_group_average(site: Site, rng: Random) -> Iterator[Step]:
    """Above the average of those that share a neighbour."""
    for one, group, hop in shuffled(rng, list(_ties(site))):
        for prop in shuffled(rng, site.free(one, Use.AMOUNT)):
            other = site.fresh(f"other {one.type.labels[0]}")
            average = site.fresh(f"average {prop.name}", (other,))
            head = ir.NodePattern(group.var, _labels(site, group))
            step = step_to(_turned(hop), site.schema, other)
            mean = ir.Agg("avg", (ir.Prop(ir.Var(other), prop.name),))
            stage = ir.Project(
                (ir.Item(ir.Var(group.var), group.var), ir.Item(mean, average)),
                group=(ir.Var(group.var),),
            )
            value = ir.Prop(ir.Var(one.var), prop.name)
            query = _compared(
                site,
                one,
                (ir.Match((ir.Path(head, (step,)),)), stage),
                ir.Compare(_side(rng), value, ir.Var(average)),
            )
            query = _showing(site, query, one, value)
            observed = site.observed(one, prop) if site.sayable(query) else None
            if observed is not None and len(observed.values) >= 3:
                yield Step(query, evidence(one, prop, observed))


def _showing(site: Site, query: ir.Query, place: Place, value: ir.Prop) -> ir.Query:
    """The query with the compared value among its columns, where there is room."""
    last = query.clauses[-1]
    assert isinstance(last, ir.Project)  # noqa: S101 # a site ends so
    plain = not site.grouped and not last.distinct and site.shown(place.var)
    item = column(value)
    taken = any(known.alias == item.alias for known in last.items)
    if not plain or taken or len(last.items) >= MAX_COLUMNS:
        return query
    last = replace(last, items=(*last.items, item))
    return replace(query, clauses=(*query.clauses[:-1], last))


# --- two values of one row ---------------------------------------------------------------------


def _pairs(site: Site) -> list[tuple[Place, Place, str]]:
    """Two places of one type with a property that they can be compared by."""
    return [
        (left, right, prop.name)
        for left in site.places
        for right in site.places
        if left.var < right.var
        and left.type is right.type
        and not _compared_already(site, left, right)
        for prop in site.free(left, Use.NUMBER, Use.MOMENT)
        if (right.var, prop.name) not in site.tested
    ]


def _compared_already(site: Site, left: Place, right: Place) -> bool:
    """Whether a condition holds the two against each other."""
    return any(
        {var.name for var in find(test, ir.Var)} == {left.var, right.var}
        for test in find(site.statement, ir.Compare)
    )


def _can_compare_pair(site: Site) -> bool:
    return not site.staged and site.narrows and bool(_pairs(site))


def _compare_pair(site: Site, rng: Random) -> Iterator[Step]:
    """One node's value is larger than the other's, which holds of some rows and not of others."""
    larger: list[ir.Compare] = []
    sayable: list[tuple[ir.Query, str]] = []
    for left, right, name in shuffled(rng, _pairs(site)):
        later = max((left, right), key=lambda place: place.clause)
        for one, two in shuffled(rng, ((left, right), (right, left))):
            values = (ir.Prop(ir.Var(place.var), name) for place in (one, two))
            test = ir.Compare(ir.CompareOp.GT, *values)
            query = site.where(later.var, test)
            if site.sayable(query):
                larger.append(test)
                sayable.append((query, f"{left.var} and {right.var} by {name}"))
        if len(larger) >= 2 * PAIRS:
            break
    asked = site.meeting(larger) if larger else None
    for number, (query, seen) in enumerate(sayable if asked else ()):
        if asked is not None and 0 < asked[1][number] < asked[0]:
            yield Step(query, f"{seen}: {asked[1][number]} of {asked[0]}")


OPERATORS = (
    Operator(
        "compare-with-average",
        "above the average of all",
        effect("aggregate-avg", "comparison", stages=1, conditions=1),
        _can_compare,
        _above_average,
    ),
    Operator(
        "compare-with-group-average",
        "above the average of their group",
        effect("aggregate-avg", "comparison", "group-by", stages=1, conditions=1),
        _can_compare_group,
        _above_group_average,
    ),
    Operator(
        "compare-pair",
        "larger than that of the other",
        effect("comparison", conditions=1),
        _can_compare_pair,
        _compare_pair,
        0.4,
    ),
)
