"""The kinds of question that are asked of a sub-schema, as queries with masks.

A path begins at a masked entity and ends at what is asked for: `MATCH (s:Stock {name: $s})-…-(i)`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from generators.masked.base import Mask, fresh_names, mask_property
from generators.queries.archetypes.constants import literal
from generators.queries.archetypes.facets import Facets, Use
from generators.queries.archetypes.filling import labels_of
from graph_ir import nodes as ir
from schemagraph.folder.statistics import GraphStatistics
from schemagraph.model import EdgeType, NodeType, Property, SchemaGraph
from schemagraph.views import SubSchema

type Form = Literal["names", "value", "edge-value", "count", "above", "equal"]

_COMPARED = (Use.NUMBER, Use.MOMENT)
_EDGE = "link"


@dataclass(frozen=True, slots=True)
class Asked:
    """A query for one path, with all that a sentence about it needs.

    `prop` is the property that is shown or compared, of the last node or of the last edge;
    `constant` what it is compared with, `moment` whether that is one; `called` are the properties
    that name the last node.
    """

    form: Form
    path: SubSchema
    statement: ir.Query
    masks: tuple[Mask, ...]
    called: tuple[str, ...] = ()
    owner: NodeType | EdgeType | None = None
    prop: Property | None = None
    constant: Any = None
    moment: bool = False

    @property
    def properties(self) -> tuple[tuple[str, str], ...]:
        """What it reads: the property, and those that masks and names are."""
        read = [(mask.owner, mask.property) for mask in self.masks]
        if self.owner is not None and self.prop is not None:
            read.append((self.owner.name, self.prop.name))
        return tuple(dict.fromkeys(read))


class Forms:
    """Draws queries for paths; what was read least often comes first."""

    def __init__(self, schema: SchemaGraph, statistics: GraphStatistics) -> None:
        self.schema = schema
        self.statistics = statistics
        self.facets = Facets(schema, statistics)
        self.used: Counter[tuple[str, str]] = Counter()
        self.drawn: Counter[Form] = Counter()

    def draw(self, path: SubSchema, rng: Random) -> Asked:
        """One query for a path, walked from either end."""
        if path.hops and rng.random() < 0.5:
            path = path.reversed()
        options = self._options(path, rng)
        least = min(self._worn(option) for option in options)
        chosen = rng.choice([each for each in options if self._worn(each) == least])
        self.drawn[chosen.form] += 1
        self.used.update(chosen.properties)
        return chosen

    def _worn(self, asked: Asked) -> int:
        """How often its property was read so far; forms without one take turns with them."""
        if asked.owner is None or asked.prop is None:
            return self.drawn[asked.form] // max(1, len(self.schema.nodes))
        return self.used[asked.owner.name, asked.prop.name]

    def _options(self, path: SubSchema, rng: Random) -> list[Asked]:
        end = self.schema.node_by_name[path.nodes[-1]]
        called = self._called(end)
        options = []
        if path.hops:
            options += [self._asked("names", path), self._asked("count", path)]
            edge = path.hops[-1].edge
            options += [self._asked("edge-value", path, edge, prop) for prop in edge.properties]
        for prop in end.properties:
            if prop.name in called and path.hops:
                continue
            if path.hops or prop.name != mask_property(self.facets, end):
                options.append(self._asked("value", path, end, prop))
            compared = self._compared(end, prop, rng)
            if compared is not None:
                options.append(self._asked(compared[0], path, end, prop, compared[1]))
        return options or [self._asked("count", path)]

    def _compared(self, end: NodeType, prop: Property, rng: Random) -> tuple[Form, Any] | None:
        known = self.statistics.properties.get((end.name, prop.name))
        if known is None:
            return None
        if prop.name in self.facets.properties(end.name, Use.CATEGORY) and known.common:
            return "equal", rng.choice([value for value, _ in known.common[:5]])
        compared = {name for use in _COMPARED for name in self.facets.properties(end.name, use)}
        if prop.name in compared and len(known.quantiles) == 21:
            return "above", known.quantiles[rng.choice((5, 8, 10))]
        return None

    def _called(self, node: NodeType) -> tuple[str, ...]:
        return self.facets.shown[node.name].name or node.key[:1]

    def _asked(
        self,
        form: Form,
        path: SubSchema,
        owner: NodeType | EdgeType | None = None,
        prop: Property | None = None,
        constant: Any = None,
    ) -> Asked:
        called = self._called(self.schema.node_by_name[path.nodes[-1]])
        statement, masks = _query(self.facets, form, path, prop, constant, called)
        moments = self.facets.properties(path.nodes[-1], Use.MOMENT) if form == "above" else ()
        moment = prop is not None and prop.name in moments
        return Asked(form, path, statement, masks, called, owner, prop, constant, moment)


def _query(
    facets: Facets,
    form: Form,
    path: SubSchema,
    prop: Property | None,
    constant: Any,
    called: tuple[str, ...],
) -> tuple[ir.Query, tuple[Mask, ...]]:
    schema = facets.schema
    variables = fresh_names(path, schema)
    start = schema.node_by_name[path.start]
    masks: tuple[Mask, ...] = ()
    props = None
    if path.hops or form in ("value", "names"):
        masks = (Mask(variables[0], start.name, mask_property(facets, start)),)
        props = ir.MapOf((ir.Entry(masks[0].property, ir.Param(masks[0].name)),))
    head = ir.NodePattern(variables[0], labels_of(start, schema), props)
    steps = []
    for place, hop in enumerate(path.hops):
        last = form == "edge-value" and place == len(path.hops) - 1
        edge = ir.EdgePattern(
            _EDGE if last else None,
            ir.LabelName(hop.edge.label),
            ir.Direction.OUT if hop.forward else ir.Direction.IN,
        )
        node = schema.node_by_name[hop.ends[1]]
        steps.append(ir.Step(edge, ir.NodePattern(variables[place + 1], labels_of(node, schema))))
    target = ir.Var(variables[-1])
    where = None
    if prop is not None and form in ("above", "equal"):
        op = ir.CompareOp.GT if form == "above" else ir.CompareOp.EQ
        where = ir.Compare(op, ir.Prop(target, prop.name), literal(constant, prop.type))
    match = ir.Match((ir.Path(head, tuple(steps)),), where)
    shows = [ir.Prop(target, name) for name in called]
    if form == "count":
        count = ir.Item(ir.Agg("count", (target,), distinct=True), "number")
        return ir.Query((match, ir.Project((count,), final=True, group=()))), masks
    if prop is not None and form == "value":
        value = ir.Prop(target, prop.name)
        shows = [*shows, value] if path.hops else [value]
    if prop is not None and form == "edge-value":
        shows.append(ir.Prop(ir.Var(_EDGE), prop.name))
    taken: Counter[str] = Counter()
    items = []
    for expr in dict.fromkeys(shows):
        taken[expr.key] += 1
        alias = expr.key if taken[expr.key] == 1 else f"{expr.key}_{taken[expr.key]}"
        items.append(ir.Item(expr, alias))
    return ir.Query((match, ir.Project(tuple(items), distinct=True, final=True))), masks
