"""One figure over the rows: their number, an average, different values, a share."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from generators.queries.archetypes.facets import Use
from generators.queries.rewriting.conditions import condition, evidence, usual
from generators.queries.rewriting.figures import many, measured, noun, number_of, plain
from generators.queries.rewriting.operator import Operator, Step, effect, shuffled
from generators.queries.rewriting.scope import Place
from generators.queries.rewriting.site import Site
from graph_ir import nodes as ir
from graphmill.english.inflection import plural


def _summarise(site: Site, rng: Random) -> Iterator[Step]:
    """How many, or one figure of a measure; a node counts once."""
    for place in _subjects(site, rng):
        measures = [p for p in site.free(place, Use.AMOUNT) if site.once(place)]
        for prop in shuffled(rng, measures)[:2]:
            item = measured(site, place, prop, rng, ("sum", "sum"))
            query = site.ending(site.body, ir.Project((item,), final=True))
            observed = site.observed(place, prop) if site.sayable(query) else None
            if observed is not None and len(observed.values) >= 3:
                yield Step(query, evidence(place, prop, observed))
        item = ir.Item(number_of(site, place), many(place))
        yield Step(site.ending(site.body, ir.Project((item,), final=True)), f"{place.var} counted")


def _subjects(site: Site, rng: Random) -> list[Place]:
    subject = site.subject
    others = [place for place in site.places if place is not subject]
    return ([subject] if subject else []) + shuffled(rng, others)


def _can_count_values(site: Site) -> bool:
    subject = site.subject
    return plain(site) and subject is not None and bool(site.free(subject, Use.CATEGORY))


def _count_values(site: Site, rng: Random) -> Iterator[Step]:
    """How many different values a property has among the nodes."""
    place = site.subject
    if place is None:
        return
    for prop in shuffled(rng, site.free(place, Use.CATEGORY)):
        value = ir.Prop(ir.Var(place.var), prop.name)
        item = ir.Item(ir.Agg("count", (value,), True), f"different_{noun(plural(prop.name))}")
        query = site.ending(site.body, ir.Project((item,), final=True))
        observed = site.observed(place, prop) if site.sayable(query) else None
        if observed is not None and len(observed.values) >= 2:
            yield Step(query, evidence(place, prop, observed))


def _can_share(site: Site) -> bool:
    subject = site.subject
    return (
        plain(site)
        and subject is not None
        and site.once(subject)
        and bool(site.free(subject, Use.CATEGORY, Use.FLAG, Use.NUMBER))
    )


def _share(site: Site, rng: Random) -> Iterator[Step]:
    """The percentage of the nodes that meet a condition."""
    subject = site.subject
    if subject is None:
        return
    for prop in shuffled(rng, site.free(subject, Use.FLAG, Use.CATEGORY, Use.NUMBER)):
        guess = usual(site, subject.type, subject.var, prop)
        if guess is not None and not site.sayable(_percentage(site, guess)):
            continue
        observed = site.observed(subject, prop)
        test = observed and condition(subject.var, prop, observed, rng)
        if observed and test:
            yield Step(_percentage(site, test), evidence(subject, prop, observed))


def _percentage(site: Site, test: ir.Expr) -> ir.Query:
    one = ir.Case((ir.When(test, ir.Literal(1)),), ir.Literal(0))
    part = ir.Arith(ir.ArithOp.MUL, ir.Literal(100.0), ir.Agg("sum", (one,)))
    item = ir.Item(ir.Arith(ir.ArithOp.DIV, part, ir.Agg("count")), "percentage")
    return site.ending(site.body, ir.Project((item,), final=True))


OPERATORS = (
    Operator(
        "summarise",
        "one figure over all of them",
        effect(turns=("aggregates",)),
        plain,
        _summarise,
    ),
    Operator(
        "count-values",
        "how many different values",
        effect("aggregate-count", "aggregate-distinct", turns=("aggregates",)),
        _can_count_values,
        _count_values,
    ),
    Operator(
        "share",
        "the percentage of them",
        effect("case", "arithmetic", turns=("aggregates",)),
        _can_share,
        _share,
    ),
)
