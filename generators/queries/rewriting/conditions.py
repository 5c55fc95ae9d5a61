"""Conditions from observed values, and those that a query has, with what was observed of them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from generators.queries.archetypes.facets import Use
from generators.queries.archetypes.parts import conjuncts, constant, is_year
from generators.queries.archetypes.rounding import round_days, rounder
from generators.queries.rewriting.scope import Place
from generators.queries.rewriting.site import Observed, Site
from graph_ir import nodes as ir
from graph_ir.lowerings import conjunction
from graph_ir.walk import rewrite, substitute
from schemagraph.folder.statistics import are_dated
from schemagraph.model import NUMERIC, Kind, NodeType, Property

_DAY = len("2024-05-01")
TESTED = (Use.CATEGORY, Use.FLAG, Use.NUMBER, Use.MOMENT)
SHARES = (0.25, 0.4, 0.5, 0.6, 0.75)


def condition(
    var: str, prop: Property, observed: Observed, rng: Random, total: int = 0, *, rare: bool = False
) -> ir.Expr | None:
    """A condition that some of the observed nodes meet and others do not.

    `total` is the number of nodes where that is not the sum of those with each value. `rare`: of
    several neighbours few should meet it, as one of them is enough. Nobody asks what was on one
    day: days that are kept as texts are bounds, like dates; moments as texts are none.
    """
    total = total or observed.total
    value = ir.Prop(ir.Var(var), prop.name)
    texts = [text for text, _ in observed.values if isinstance(text, str) and text]
    dated = prop.type.kind is Kind.STRING and bool(texts) and are_dated(texts)
    if dated and any(len(text) > _DAY for text in texts):
        return None
    if prop.type.kind in (Kind.STRING, Kind.BOOLEAN) and not dated:
        some = [v for v, n in observed.values if 0 < n < total and v != ""]
        if not some:
            return None
        return ir.Compare(ir.CompareOp.EQ, value, constant(rng.choice(some), prop))
    above = rng.random() < 0.6
    share = (0.9 if above else 0.1) if rare else rng.choice(SHARES)
    limit = threshold(prop, observed, share)
    if limit is None:
        return None
    exact = is_year(prop) or prop.type.kind not in NUMERIC
    op = (ir.CompareOp.GE if exact else ir.CompareOp.GT) if above else ir.CompareOp.LT
    return ir.Compare(op, value, constant(limit, prop))


def usual(
    site: Site, type_: NodeType, var: str, prop: Property, *, rare: bool = False
) -> ir.Expr | None:
    """A condition like `condition` makes, from the figures of the graph alone: what a query with
    one would be like, before anything is looked up for it. None where they do not tell."""
    known = site.statistics.properties[type_.name, prop.name]
    values = known.common
    if prop.type.kind not in (Kind.STRING, Kind.BOOLEAN):
        values = tuple((value, 1) for value in dict.fromkeys(known.quantiles))
    observed = Observed(tuple(sorted(values)), known.nulls, whole=False)
    return condition(var, prop, observed, Random(0), known.count + 1, rare=rare)  # noqa: S311


def threshold(prop: Property, observed: Observed, share: float) -> int | float | str | None:
    """A value as people say it, with observed values on both sides of it; None: there is none."""
    if len(observed.values) < 3:
        return None
    low, high, middle = observed.values[0][0], observed.values[-1][0], observed.at(share)
    for wished in (*_rounder(prop, middle), middle):
        if low < wished < high:
            return wished  # type: ignore[no-any-return] # of the property's own kind
    return None


def _rounder(prop: Property, value: int | float | str) -> Iterator[int | float | str]:
    """The value rounded, the roundest first."""
    if isinstance(value, str):
        tail = value[10:] and "T00:00:00" + _zone(value)
        yield from (day + tail for day in round_days(value))
        return
    if is_year(prop):
        yield int(value) // 10 * 10
        return
    if not isinstance(value, bool):
        yield from rounder(value, whole=prop.type.kind is Kind.INTEGER)


def _zone(value: str) -> str:
    """What follows the seconds of a moment or time with a zone."""
    text = value.split("T")[-1]
    for sign in ("Z", "+", "-"):
        if sign in text:
            return text[text.index(sign) :]
    return ""


def comparisons(site: Site) -> Iterator[tuple[Place, Property, ir.Compare]]:
    """Conditions that compare a place's property with a constant, of those that must all hold."""
    for clause in site.body:
        assert isinstance(clause, ir.Match | ir.Project)  # noqa: S101 # a site has no others
        for part in conjuncts(clause.where):
            if (
                isinstance(part, ir.Compare)
                and isinstance(part.left, ir.Prop)
                and isinstance(part.left.base, ir.Var)
                and isinstance(part.right, ir.Literal | ir.Call)
            ):
                place = site.place(part.left.base.name)
                prop = place.type.property(part.left.key) if place else None
                if place is not None and prop is not None:
                    yield place, prop, part


def equalities(site: Site) -> Iterator[tuple[Place, Property, ir.Compare]]:
    """Those of them that ask for one value."""
    return (comparison for comparison in comparisons(site) if comparison[2].op is ir.CompareOp.EQ)


def replaced(site: Site, old: ir.Expr, new: ir.Expr) -> ir.Query:
    """The query with a condition (this very object) replaced; an AND within an AND is one."""
    return rewrite(substitute(site.statement, lambda node: new if node is old else None), _joined)


def _joined(node: ir.Node) -> ir.Node:
    if isinstance(node, ir.Bool) and node.op is ir.BoolOp.AND:
        return conjunction(*node.args) or node
    return node


def without(site: Site, part: ir.Expr) -> tuple[ir.Clause, ...]:
    """The clauses before the final one, with a condition taken away."""
    return replaced(site, part, ir.Literal(True)).clauses[:-1]


def evidence(place: Place, prop: Property, observed: Observed) -> str:
    """What was observed of a property, as a trace keeps it."""
    return f"{place.type.labels[0]}.{prop.name}: {observed}"
