"""Nested questions: neighbours that exist, that are missing, that are many."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from generators.queries.archetypes.parts import step_to
from generators.queries.rewriting.conditions import TESTED, condition, evidence, usual
from generators.queries.rewriting.operator import Operator, Step, effect, shuffled
from generators.queries.rewriting.scope import Place
from generators.queries.rewriting.site import Site
from graph_ir import nodes as ir
from schemagraph.views import Hop


def _ways(site: Site) -> Iterator[tuple[Place, Hop]]:
    for place in site.places:
        for hop in site.hops(place):
            if not site.walked(place.var, hop) and not site.nested(place.var, hop):
                yield place, hop


def _can_nest(site: Site) -> bool:
    return site.narrows and any(True for _ in _ways(site))


def _inner(site: Site, place: Place, hop: Hop, new: str, where: ir.Expr | None = None) -> ir.Query:
    path = ir.Path(ir.NodePattern(place.var), (step_to(hop, site.schema, new),))
    return ir.Query((ir.Match((path,), where),))


def about_neighbours(site: Site, rng: Random) -> list[tuple[Place, Hop]]:
    """Ways to neighbours, those of what the answer is about first."""
    ways = list(_ways(site))
    subject = site.subject
    return sorted(ways, key=lambda way: (way[0] is not subject, rng.random()))


def _some(
    site: Site, place: Place, hop: Hop, new: str, rng: Random, *, none: bool
) -> Iterator[Step]:
    """Nodes with a neighbour that has an observed property, or with none that has it."""
    far = site.schema.node_by_name[hop.ends[1]]
    body = site.beyond(place, hop, new)

    def made(condition: ir.Expr) -> ir.Query:
        test = ir.Exists(_inner(site, place, hop, new, condition))
        return site.where(place.var, ir.Not(test) if none else test)

    for prop in shuffled(rng, site.telling(far, *TESTED))[:2]:
        guess = usual(site, far, new, prop, rare=True)
        if guess is not None and not site.sayable(made(guess)):
            continue
        if site.population(place) < 2:
            return
        observed = site.observe(body, new, prop, place.var)
        if not observed:
            continue
        test = condition(new, prop, observed, rng, site.population(place), rare=True)
        if test is not None:
            yield Step(made(test), evidence(Place(new, far, 0), prop, observed))
            return


def _exists(site: Site, rng: Random) -> Iterator[Step]:
    """Some neighbour of several with an observed property; of an only one a path tells."""
    for place, hop in about_neighbours(site, rng):
        if not site.is_single(hop):
            yield from _some(site, place, hop, site.called(hop), rng, none=False)


def _absent(site: Site, rng: Random) -> Iterator[Step]:
    """No such neighbour: none at all where some nodes have none, else none of one kind."""
    for place, hop in about_neighbours(site, rng):
        far = site.schema.node_by_name[hop.ends[1]]
        new = site.called(hop)
        if not covers(site, place, hop):
            query = site.where(place.var, ir.Not(ir.Exists(_inner(site, place, hop, new))))
            if not site.sayable(query) or site.population(place) < 2:
                continue
            having = site.number(site.beyond(place, hop, new), place.var)
            if not having:
                continue
            if having < site.population(place):
                arrow = f"{hop.edge.label} {'to' if hop.forward else 'from'} {far.labels[0]}"
                seen = f"{arrow}: {having} of {site.population(place)} {place.var} have one"
                yield Step(query, seen)
                continue
        if not site.is_single(hop):
            yield from _some(site, place, hop, new, rng, none=True)


def covers(site: Site, place: Place, hop: Hop) -> bool:
    """Whether every node of the place's type has such an edge."""
    known = site.statistics.edges[hop.edge.name]
    ends = known.sources if hop.forward else known.targets
    return ends >= site.statistics.nodes.get(place.type.name, 0)


def _can_count(site: Site) -> bool:
    return site.narrows and any(not site.is_single(hop) for _, hop in _ways(site))


def _count(site: Site, rng: Random) -> Iterator[Step]:
    """At least so many neighbours, by their observed numbers."""
    for place, hop in about_neighbours(site, rng):
        if site.is_single(hop):
            continue
        far = site.schema.node_by_name[hop.ends[1]]
        new = site.called(hop)
        number = ir.CountOf(_inner(site, place, hop, new))
        two = ir.Compare(ir.CompareOp.GE, number, ir.Literal(2))
        if not site.sayable(site.where(place.var, two)) or site.population(place) < 2:
            continue
        seen = degrees(site, place, hop, new)
        if len(seen) < 2:
            continue
        least = seen[int(len(seen) * rng.choice((0.4, 0.6, 0.8)))]
        if least == seen[0]:
            least = next(n for n in seen if n > seen[0]) if seen[-1] > seen[0] else 0
        if least < 2:
            continue
        op, bound = rng.choice(((ir.CompareOp.GE, least), (ir.CompareOp.GT, least - 1)))
        test = ir.Compare(op, number, ir.Literal(bound))
        numbers = f"numbers of {far.labels[0]} by {hop.edge.label}: {seen[0]} to {seen[-1]}"
        yield Step(site.where(place.var, test), numbers)


def degrees(site: Site, place: Place, hop: Hop, new: str) -> list[int]:
    """How many neighbours the nodes of a place have, ascending, for those that have any."""
    body = site.beyond(place, hop, new)
    each = ir.Project(
        (
            ir.Item(ir.Var(place.var), place.var),
            ir.Item(ir.Agg("count", (ir.Var(new),), True), "number"),
        ),
        group=(ir.Var(place.var),),
    )
    number = ir.Var("number")
    last = ir.Project(
        (ir.Item(number, "number"), ir.Item(ir.Agg("count"), "nodes")),
        order=(ir.SortKey(number),),
        final=True,
        group=(number,),
    )
    answer = site.ground.ask(ir.Query((*body, each, last)), 500)
    return [] if answer is None else [row[0] for row in answer.rows for _ in range(min(row[1], 50))]


OPERATORS = (
    Operator(
        "require-neighbour",
        "that have such a neighbour",
        effect("exists-subquery", subqueries=1),
        _can_count,
        _exists,
    ),
    Operator(
        "forbid-neighbour",
        "that have no such neighbour",
        effect("exists-subquery", "logic-not", subqueries=1),
        _can_nest,
        _absent,
    ),
    Operator(
        "count-neighbours",
        "that have at least so many",
        effect("count-subquery", "comparison", subqueries=1),
        _can_count,
        _count,
    ),
)
