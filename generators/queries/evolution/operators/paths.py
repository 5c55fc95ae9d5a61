"""More of the graph: a longer path, a branch, paths of several lengths."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from random import Random

from generators.queries.archetypes.parts import step_to
from generators.queries.rewriting.conditions import TESTED, condition, evidence, usual
from generators.queries.rewriting.operator import Operator, Step, effect, shuffled
from generators.queries.rewriting.scope import Link, Place
from generators.queries.rewriting.site import MAX_COLUMNS, Observed, Site
from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from graph_ir.walk import find, substitute
from schemagraph.model import NodeType, Property
from schemagraph.views import Hop

LONGEST = 6  # hops
MOST_WALKS = 250_000  # of several edges of one type on the whole graph


# --- one more hop ------------------------------------------------------------------------------


def _can_extend(site: Site) -> bool:
    return not site.staged and len(site.links) < LONGEST and any(True for _ in _ways(site))


def _ways(site: Site) -> Iterator[tuple[Place, Hop]]:
    """Hops that may be added: those that multiply rows only where that is harmless."""
    for place in site.places:
        for hop in site.hops(place):
            if site.nested(place.var, hop) or (site.used(place.var, hop) and site.is_single(hop)):
                continue  # a condition is about it, or it leads to what the pattern already has
            if site.is_single(hop) or may_multiply(site):
                yield place, hop


def may_multiply(site: Site) -> bool:
    """Whether more rows for one node change no figure that the query returns."""
    if not site.grouped:
        keys = {item.alias for item in site.final.items}
        exprs = [item.expr for item in site.final.items]
        return all(
            key.expr in exprs or (isinstance(key.expr, ir.Var) and key.expr.name in keys)
            for key in site.final.order
        )
    return all(
        agg.distinct or agg.name in ("min", "max")
        for item in site.final.items
        for agg in find(item.expr, ir.Agg)
    )


def _extend(site: Site, rng: Random) -> Iterator[Step]:
    ways = list(_ways(site))
    ends = {place.var for place in site.places[-1:]} | {
        place.var for place in (site.subject,) if place is not None
    }
    ways.sort(key=lambda way: (way[0].var not in ends, rng.random()))
    for place, hop in ways:
        far = site.schema.node_by_name[hop.ends[1]]
        new = site.called(hop)
        body = site.extended(place.var, hop, new)
        called = site.name(far)
        show = (
            not site.grouped
            and not site.final.distinct
            and called is not None
            and len(site.final.items) < MAX_COLUMNS
            and (rng.random() < 0.4 or not site.telling(far, *TESTED))
        )
        if show and called:
            final = replace(site.final, items=(*site.final.items, *site.name_items((new, far))))
            query = site.ending(body, final)
            observed = site.observe(body, new, called) if site.sayable(query) else None
            if observed and observed.values:
                yield Step(query, _seen(place, hop, new, far, observed, called))
            continue
        several = not site.is_single(hop)
        made = partial(_with, site, place, hop, new)
        beyond = site.beyond(place, hop, new)
        chosen = about(site, beyond, far, new, rng, place, made, several=several)
        if chosen:
            prop, observed, test = chosen
            yield Step(made(test), _seen(place, hop, new, far, observed, prop))


def _with(site: Site, place: Place, hop: Hop, new: str, test: ir.Expr) -> ir.Query:
    """The query with one more hop to a node that meets a condition."""
    final = site.final if site.is_single(hop) else distinct(site.final)
    return site.ending(site.extended(place.var, hop, new, test), final)


def about(
    site: Site,
    body: tuple[ir.Clause, ...],
    far: NodeType,
    new: str,
    rng: Random,
    place: Place,
    made: Callable[[ir.Expr], ir.Query],
    *,
    several: bool,
) -> tuple[Property, Observed, ir.Expr] | None:
    """A condition on a neighbour that not all nodes of the place have, from what was observed.

    `several`: a node may have more than one such neighbour, so that few of them should meet it.
    `made` gives the query with a condition.
    """
    who = site.holder(place)
    several = several or not site.reaches(who, place)
    if not site.narrows:
        return None
    name = site.name(far)
    options = shuffled(rng, site.telling(far, *TESTED))[:2]
    if name is not None and (not options or rng.random() < 0.3):
        options = [name, *options]
    for prop in options:
        guess = usual(site, far, new, prop, rare=several)
        if guess is not None and not site.sayable(made(guess)):
            continue
        total = site.population(who)
        if total < 2:
            return None
        observed = site.observe(body, new, prop, who.var)
        if not observed or not observed.values:
            continue
        if prop is name:
            common = [v for v, number in observed.common[:12] if v != "" and number < total]
            value = ir.Prop(ir.Var(new), prop.name)
            test: ir.Expr | None = None
            if common:
                test = ir.Compare(ir.CompareOp.EQ, value, ir.Literal(rng.choice(common)))
        else:
            test = condition(new, prop, observed, rng, total, rare=several)
        if test is not None:
            return prop, observed, test
    return None


def distinct(final: ir.Project) -> ir.Project:
    """The projection without doubles, where it does not aggregate."""
    return replace(final, distinct=not any(has_aggregate(item.expr) for item in final.items))


def _seen(
    place: Place,
    hop: Hop,
    new: str,
    far: NodeType,
    observed: Observed,
    prop: Property,
) -> str:
    arrow = f"-[:{hop.edge.label}]->" if hop.forward else f"<-[:{hop.edge.label}]-"
    values = evidence(Place(new, far, 0), prop, observed)
    return f"({place.var}){arrow}({new}), {values}"


# --- paths of several lengths ------------------------------------------------------------------


def _loops(site: Site) -> Iterator[tuple[Place, Hop]]:
    for place in site.places:
        for hop in site.hops(place):
            if hop.edge.source == hop.edge.target and not site.used(place.var, hop):
                yield place, hop


def _can_lengthen(site: Site) -> bool:
    if site.optional:
        return False
    loops = any(map(partial(_is_loop, site), site.links))
    reached = site.narrows and any(True for _ in _loops(site))
    return (loops or reached) and may_multiply(site)


def _is_loop(site: Site, link: Link) -> bool:
    """Whether a link of one hop can be one of several, and that changes what is asked."""
    edge = link.hop.edge
    plain = link.edge.hops is None and link.edge.var is None
    return edge.source == edge.target and plain and site.tells(link)


def _lengthen(site: Site, rng: Random) -> Iterator[Step]:
    """One edge becomes one to three, or a node is reached over several edges of one type."""
    for link in shuffled(rng, site.links):
        if not _is_loop(site, link):
            continue
        most = _longest(site, link.hop, rng)
        if not most:
            continue
        longer = replace(link.edge, hops=ir.Hops(1, most))
        query = substitute(site.statement, partial(swapped, link.edge, longer))
        final = query.clauses[-1]
        assert isinstance(final, ir.Project)  # noqa: S101 # the same one
        seen = f"{link.hop.edge.label}: {site.statistics.edges[link.hop.edge.name].count} edges"
        yield Step(site.ending(query.clauses[:-1], distinct(final)), seen)
    for place, hop in shuffled(rng, list(_loops(site))):
        yield from _reached(site, place, hop, rng)


def _longest(site: Site, hop: Hop, rng: Random) -> int:
    """Up to how many edges to walk, two or three; 0 where the graph has too many such walks.

    Where a few nodes have most of the edges, three steps lead from everywhere to everywhere.
    """
    figures = site.statistics.edges[hop.edge.name]
    onward = figures.turns / max(1, figures.count)
    many = {2: figures.turns, 3: figures.turns * (1 + onward)}
    most = rng.choice((2, 3))
    return next((steps for steps in range(most, 1, -1) if many[steps] <= MOST_WALKS), 0)


def swapped(old: ir.Node, new: ir.Node, node: ir.Node) -> ir.Node | None:
    return new if node is old else None


def _reached(site: Site, place: Place, hop: Hop, rng: Random) -> Iterator[Step]:
    """Rows whose node leads over one to three edges to a node with an observed property."""
    most = _longest(site, hop, rng)
    if not most:
        return
    far = place.type
    new = site.called(hop)
    step = step_to(hop, site.schema, new, ir.Hops(1, most))
    path = ir.Path(ir.NodePattern(place.var), (step,))
    body = (*site.seen, ir.Match((path,)))

    def made(test: ir.Expr) -> ir.Query:
        return site.ending((*site.body, ir.Match((path,), test)), distinct(site.final))

    chosen = about(site, body, far, new, rng, place, made, several=True)
    if chosen:
        prop, observed, test = chosen
        yield Step(made(test), _seen(place, hop, new, far, observed, prop))


OPERATORS = (
    Operator(
        "extend-path",
        "what a further node is like",
        effect(edge_patterns=1, hops=1),
        _can_extend,
        _extend,
    ),
    Operator(
        "variable-length",
        "over one to three steps",
        effect("variable-length", turns=("variable_length",)),
        _can_lengthen,
        _lengthen,
    ),
)
