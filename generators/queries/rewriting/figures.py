"""Figures over the rows of a query: their numbers and averages, those of groups, bounds on them."""

from __future__ import annotations

from random import Random

from engines.compare import CLOSE
from generators.queries.archetypes.facets import Use
from generators.queries.archetypes.rounding import round_count, rounder
from generators.queries.rewriting.scope import Place
from generators.queries.rewriting.site import Site
from generators.questions.lexicon.derive.table_names import node_noun
from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from graph_ir.walk import find
from graphmill.english.inflection import plural
from schemagraph.model import Property
from schemagraph.naming import words

PREFIX = {"avg": "average", "max": "highest", "min": "lowest", "sum": "total"}


def plain(site: Site) -> bool:
    """Whether the rows can be aggregated: no aggregate yet, no window, nothing carried over."""
    free = not site.grouped and not site.windowed and not site.staged and not site.optional
    return free and bool(site.places)


def noun(text: str) -> str:
    """A name as an alias: `insured_value`."""
    return "_".join(words(text)).lower()


def many(place: Place) -> str:
    """What several nodes of a place are called, as an alias: `artworks`."""
    return noun(plural(node_noun(place.type.labels[0])))


def number_of(site: Site, place: Place) -> ir.Agg:
    """The aggregate that counts the nodes of a place, each once."""
    if site.once(place):
        return ir.Agg("count", (ir.Var(place.var),))
    return ir.Agg("count", (ir.Var(place.var),), distinct=True)


def measured(
    site: Site, place: Place, prop: Property, rng: Random, sums: tuple[str, ...]
) -> ir.Item:
    """A figure of a measure; `sums` are more names to choose from where it can be summed."""
    summed = prop in site.telling(place.type, Use.TOTAL)
    name = rng.choice(("avg", "avg", "max", "min", *(sums if summed else ())))
    value = ir.Prop(ir.Var(place.var), prop.name)
    return ir.Item(ir.Agg(name, (value,)), f"{PREFIX[name]}_{noun(prop.name)}")


def staged_figure(site: Site) -> tuple[int, ir.Item] | None:
    """The last WITH that groups, when nothing follows it but the end, and its figure."""
    if not site.body or site.windowed or site.grouped:
        return None
    last = site.body[-1]
    if not isinstance(last, ir.Project) or last.group is None or last.where is not None:
        return None
    aggregated = [item for item in last.items if has_aggregate(item.expr)]
    counted = {var.name for item in aggregated for var in find(item.expr, ir.Var)}
    if not counted >= _optional(site):
        return None
    return (len(site.body) - 1, aggregated[0]) if aggregated and last.limit is None else None


def _optional(site: Site) -> set[str]:
    """Node variables that only OPTIONAL MATCH clauses bring in."""
    sure = {place.var for place in site.places}
    clauses = [c for c in site.body if isinstance(c, ir.Match)]
    sure |= {n.var for c in clauses if not c.optional for n in find(c, ir.NodePattern) if n.var}
    every = {n.var for c in clauses if c.optional for n in find(c, ir.NodePattern) if n.var}
    return every - sure


def figures(site: Site, stage: ir.Project, figure: ir.Item) -> list[int | float]:
    """The observed figures of the groups, ascending."""
    last = ir.Project((ir.Item(ir.Var(figure.alias), "figure"),), final=True)
    body = site.body[:-1] if site.body and site.body[-1] == stage else site.body
    answer = site.ground.ask(ir.Query((*body, stage, last)), 2_000)
    if answer is None:
        return []
    return sorted(row[0] for row in answer.rows if isinstance(row[0], int | float))


def bound(seen: list[int | float], rng: Random) -> tuple[ir.CompareOp, int | float] | None:
    """A comparison that some of the figures pass and others do not."""
    if len(seen) < 3 or seen[0] == seen[-1]:
        return None
    place = int(len(seen) * rng.choice((0.3, 0.5, 0.7)))
    if any(isinstance(value, float) for value in seen):
        return _apart(seen, place)
    middle = round_count(int(seen[place]), int(seen[0]), int(seen[-1]))
    ways = [(ir.CompareOp.GT, middle)] if seen[-1] > middle else []
    if seen[0] < middle:
        ways += [(ir.CompareOp.GE, middle), (ir.CompareOp.LT, middle)]
    return rng.choice(ways) if ways else None


def _apart(seen: list[int | float], place: int) -> tuple[ir.CompareOp, int | float] | None:
    """A short number between two figures: engines round sums and averages otherwise."""
    low = seen[place]
    above = [value for value in seen if value - low > CLOSE * abs(value)]
    if not above:  # it is the greatest: between it and the next below
        above = [value for value in seen if low - value <= CLOSE * abs(low)]
        low = max((value for value in seen if value not in above), default=above[0])
    around = seen[max(0, place - 1) : place + 2]
    for near in sorted((n for value in around for n in rounder(value, whole=False)), key=_digits):
        clear = all(abs(near - value) > CLOSE * abs(value) for value in seen)
        if clear and seen[0] < near < seen[-1]:
            return ir.CompareOp.GT, int(near) if near == int(near) else near
    for digits in range(4):
        middle = round((low + above[0]) / 2, digits)
        if middle - low > CLOSE * abs(middle) and above[0] - middle > CLOSE * abs(middle):
            return ir.CompareOp.GT, int(middle) if middle == int(middle) else middle
    return None


def _digits(number: float) -> int:
    """How many digits a number has before its zeros."""
    return len(f"{number:.9g}".replace(".", "").strip("0"))
