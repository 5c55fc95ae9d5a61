"""Figures over the rows: counted, summed, grouped, filtered by their figures, as a share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from generators.queries.facets import Use
from generators.queries.operator import Operator, Step, effect, shuffled
from generators.queries.operators.constraints import condition, evidence
from generators.queries.parts import column
from generators.queries.site import Place, Site
from generators.questions.english import plural
from generators.questions.lists import word_set
from generators.questions.nouns import node_noun
from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from graph_ir.walk import find, substitute
from schemagraph.model import Property
from schemagraph.naming import words


def _plain(site: Site) -> bool:
    """Whether the rows can be aggregated: no aggregate yet, no window, nothing carried over."""
    plain = not site.grouped and not site.windowed and not site.staged and not site.optional
    return plain and bool(site.places)


def noun(text: str) -> str:
    """A name as an alias: `insured_value`."""
    return "_".join(words(text)).lower()


def is_summed(prop: Property) -> bool:
    """Whether a sum of this amount means something: a sum of fees does, one of ages does not."""
    return not word_set("no_sums") & {word.lower() for word in words(prop.name)}


def many(place: Place) -> str:
    """What several nodes of a place are called, as an alias: `artworks`."""
    return noun(plural(node_noun(place.type.labels[0])))


def number_of(site: Site, place: Place) -> ir.Agg:
    """The aggregate that counts the nodes of a place, each once."""
    if site.once(place):
        return ir.Agg("count", (ir.Var(place.var),))
    return ir.Agg("count", (ir.Var(place.var),), distinct=True)


# --- one figure ----------------------------------------------------------------------------------


def _summarise(site: Site, rng: Random) -> Iterator[Step]:
    """How many, or one figure of a measure; a node counts once."""
    for place in _subjects(site, rng):
        measures = [p for p in site.free(place, Use.AMOUNT) if site.once(place)]
        for prop in shuffled(rng, measures)[:2]:
            found = site.observed(place, prop)
            if found is None or len(found.values) < 3:
                continue
            kinds = ("avg", "avg", "max", "min") + (("sum", "sum") if is_summed(prop) else ())
            name = rng.choice(kinds)
            value = ir.Prop(ir.Var(place.var), prop.name)
            item = ir.Item(ir.Agg(name, (value,)), f"{_PREFIX[name]}_{noun(prop.name)}")
            final = ir.Project((item,), final=True)
            yield Step(site.ending(site.body, final), evidence(place, prop, found))
        item = ir.Item(number_of(site, place), many(place))
        yield Step(site.ending(site.body, ir.Project((item,), final=True)), f"{place.var} counted")


_PREFIX = {"avg": "average", "max": "highest", "min": "lowest", "sum": "total"}


def _subjects(site: Site, rng: Random) -> list[Place]:
    subject = site.subject
    others = [place for place in site.places if place is not subject]
    return ([subject] if subject else []) + shuffled(rng, others)


def _can_count_values(site: Site) -> bool:
    subject = site.subject
    return _plain(site) and subject is not None and bool(site.free(subject, Use.CATEGORY))


def _count_values(site: Site, rng: Random) -> Iterator[Step]:
    """How many different values a property has among the nodes."""
    place = site.subject
    if place is None:
        return
    for prop in shuffled(rng, site.free(place, Use.CATEGORY)):
        found = site.observed(place, prop)
        if found is None or len(found.values) < 2:
            continue
        value = ir.Prop(ir.Var(place.var), prop.name)
        item = ir.Item(ir.Agg("count", (value,), True), f"different_{noun(plural(prop.name))}")
        query = site.ending(site.body, ir.Project((item,), final=True))
        yield Step(query, evidence(place, prop, found))


# --- a figure for each group ---------------------------------------------------------------------


def _figure(site: Site, place: Place, rng: Random, *, counted: bool = False) -> ir.Item:
    """A figure over the nodes of a place: their number, or an average."""
    measures = site.free(place, Use.AMOUNT) if site.once(place) and not counted else []
    if measures and rng.random() < 0.4:
        prop = rng.choice(measures)
        names = ["avg", "avg", "max", "min"] + (["sum"] if is_summed(prop) else [])
        name = rng.choice(names)
        value = ir.Prop(ir.Var(place.var), prop.name)
        return ir.Item(ir.Agg(name, (value,)), f"{_PREFIX[name]}_{noun(prop.name)}")
    return ir.Item(number_of(site, place), many(place))


def _can_group_values(site: Site) -> bool:
    return _plain(site) and any(site.free(p, Use.CATEGORY, Use.FLAG) for p in site.places)


def _group_values(site: Site, rng: Random) -> Iterator[Step]:
    """A figure for each value of a category."""
    subject = site.subject
    for place in shuffled(rng, site.places):
        for prop in shuffled(rng, site.free(place, Use.CATEGORY, Use.FLAG)):
            found = site.observed(place, prop)
            if found is None or len(found.values) < 2 or subject is None:
                continue
            key = column(ir.Prop(ir.Var(place.var), prop.name))
            figure = _figure(site, subject, rng)
            final = ir.Project((key, figure), final=True)
            yield Step(site.ending(site.body, final), evidence(place, prop, found))


def _groups(site: Site) -> list[tuple[Place, Place]]:
    """Pairs (what is counted, by what): places that a pattern joins, one to many."""
    return [
        (one, by)
        for one in site.places
        for by in site.places
        if one is not by and site.name(by.type) and not site.reaches(by, one)
    ]


def _can_group_entity(site: Site) -> bool:
    return _plain(site) and bool(_groups(site))


def _group_entity(site: Site, rng: Random) -> Iterator[Step]:
    """A figure for each node of another place, grouped by the node and shown by its name."""
    for one, by in shuffled(rng, _groups(site)):
        if not site.population(one) > site.population(by) > 1:
            continue
        figure = _figure(site, one, rng)
        keys = (ir.Item(ir.Var(by.var), by.var), figure)
        stage = ir.Project(keys, group=(ir.Var(by.var),))
        shown = (*site.name_items(by), ir.Item(ir.Var(figure.alias), figure.alias))
        final = ir.Project(shown, final=True)
        yield Step(
            ir.Query((*site.body, stage, final)),
            f"{site.population(one)} {one.var}, {site.population(by)} {by.var}",
        )


# --- groups filtered by their figure -------------------------------------------------------------


def _staged_figure(site: Site) -> tuple[int, ir.Item] | None:
    """The last WITH that groups, when nothing follows it but the end, and its figure."""
    if not site.body or site.windowed or site.grouped:
        return None
    last = site.body[-1]
    if not isinstance(last, ir.Project) or last.group is None or last.where is not None:
        return None
    found = [item for item in last.items if has_aggregate(item.expr)]
    counted = {var.name for item in found for var in find(item.expr, ir.Var)}
    if not counted >= _optional(site):
        return None
    return (len(site.body) - 1, found[0]) if found and last.limit is None else None


def _optional(site: Site) -> set[str]:
    """Node variables that only OPTIONAL MATCH clauses bring in."""
    sure = {place.var for place in site.places}
    clauses = [c for c in site.body if isinstance(c, ir.Match)]
    sure |= {n.var for c in clauses if not c.optional for n in find(c, ir.NodePattern) if n.var}
    every = {n.var for c in clauses if c.optional for n in find(c, ir.NodePattern) if n.var}
    return every - sure


def _can_filter(site: Site) -> bool:
    if len(site.answer.rows) < 3:
        return False
    if _staged_figure(site):
        return True
    aggregates = [item for item in site.final.items if has_aggregate(item.expr)]
    return bool(site.final.group) and len(aggregates) == 1 and not site.windowed


def _filter(site: Site, rng: Random) -> Iterator[Step]:
    """Only groups whose figure passes an observed bound (HAVING)."""
    staged = _staged_figure(site)
    if staged:
        place, figure = staged
        stage = site.body[place]
        assert isinstance(stage, ir.Project)  # noqa: S101 # `_staged_figure` looked
    else:
        stage, figure = _as_stage(site.final)
    seen = figures(site, stage, figure)
    chosen = bound(seen, rng)
    if chosen is None:
        return
    op, value = chosen
    test = ir.Compare(op, ir.Var(figure.alias), ir.Literal(value))
    told = f"{figure.alias}: {seen[0]} to {seen[-1]}"
    if staged:
        clauses = list(site.statement.clauses)
        clauses[staged[0]] = replace(stage, where=test)
        yield Step(ir.Query(tuple(clauses)), told)
        return
    items = tuple(ir.Item(ir.Var(item.alias), item.alias) for item in stage.items)
    order = tuple(_renamed(key, site.final, stage) for key in site.final.order)
    final = ir.Project(items, order=order, final=True)
    yield Step(ir.Query((*site.body, replace(stage, where=test), final)), told)


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
            return {"count": "number"}.get(name, _PREFIX.get(name, name.lower()))
    return "value"


def _renamed(key: ir.SortKey, final: ir.Project, stage: ir.Project) -> ir.SortKey:
    """A sort key of the final projection in the names of the WITH that took its place."""

    def change(node: ir.Node) -> ir.Node | None:
        for item, new in zip(final.items, stage.items, strict=True):
            if node == item.expr or node == ir.Var(item.alias):
                return ir.Var(new.alias)
        return None

    return replace(key, expr=substitute(key.expr, change))


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
    middle = seen[int(len(seen) * rng.choice((0.3, 0.5, 0.7)))]
    if isinstance(middle, float) and middle != int(middle):
        middle = round(middle, 1)
    else:
        middle = int(middle)
    ways = []
    if any(value > middle for value in seen) and any(value <= middle for value in seen):
        ways.append((ir.CompareOp.GT, middle))
    if isinstance(middle, int) and any(value < middle for value in seen):
        ways.append((ir.CompareOp.GE, middle))
        ways.append((ir.CompareOp.LT, middle))
    return rng.choice(ways) if ways else None


# --- figures of figures --------------------------------------------------------------------------


def _can_average_groups(site: Site) -> bool:
    return _staged_figure(site) is not None


def _average_groups(site: Site, rng: Random) -> Iterator[Step]:
    """One figure over the groups: the average number of artworks of a museum."""
    staged = _staged_figure(site)
    if staged is None:
        return
    figure = staged[1]
    name = rng.choice(("avg", "avg", "max"))
    item = ir.Item(ir.Agg(name, (ir.Var(figure.alias),)), f"{_PREFIX[name]}_{figure.alias}")
    final = ir.Project((item,), final=True)
    yield Step(site.ending(site.body, final), f"{figure.alias} over all groups")


def _can_share(site: Site) -> bool:
    subject = site.subject
    return (
        _plain(site)
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
        found = site.observed(subject, prop)
        made = found and condition(subject.var, prop, found, rng)
        if not found or not made:
            continue
        one = ir.Case((ir.When(made, ir.Literal(1)),), ir.Literal(0))
        part = ir.Arith(ir.ArithOp.MUL, ir.Literal(100.0), ir.Agg("sum", (one,)))
        item = ir.Item(ir.Arith(ir.ArithOp.DIV, part, ir.Agg("count")), "percentage")
        final = ir.Project((item,), final=True)
        yield Step(site.ending(site.body, final), evidence(subject, prop, found))


OPERATORS = (
    Operator(
        "summarise",
        "one figure over all of them",
        effect(turns=("aggregates",)),
        _plain,
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
    Operator(
        "share",
        "the percentage of them",
        effect("case", "arithmetic", turns=("aggregates",)),
        _can_share,
        _share,
    ),
)
