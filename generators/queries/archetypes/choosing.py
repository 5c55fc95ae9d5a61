"""Which node types, edge types and properties of a schema fill the slots of an archetype.

A search over the schema in a random order, weighed by what was used least, so that all parts of
a schema get covered. Choices that a graph's figures tell to give nothing, or far too much, are
not made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from generators.queries.archetypes.estimates import Estimates
from generators.queries.archetypes.facets import Facets, Shown, Use
from generators.queries.archetypes.load import Archetype, EdgeRule
from generators.queries.archetypes.template import KEY, NAME, EdgeUse
from schemagraph.model import Kind, NodeType
from schemagraph.views import Hop

_TRIES = 12  # fillings of properties for one filling of the pattern
_STEPS = 300  # of a search for one filling
_TOTAL = 0.98  # of the nodes have an edge that none is said to lack
_SEVERAL = 1.5  # edges of a node that has any, of which somebody asks for an average
_FEW = 40  # edges of a node, all pairs of which can be looked at


@dataclass(frozen=True, slots=True)
class Choice:
    """What fills the slots: node types, hops and properties by slot.

    `rows` is how many the pattern may have, its nodes that are drawn by name taken into account,
    `place` the archetype with the types that fill it.
    """

    nodes: dict[str, NodeType]
    hops: dict[str, Hop]
    properties: dict[str, str]
    rows: float
    place: str = ""

    def owner(self, slot: str) -> str:
        """The name of the node or edge type in a slot of either kind."""
        return self.nodes[slot].name if slot in self.nodes else self.hops[slot].edge.name

    def label(self, slot: str) -> str:
        """The label of the node or edge type in a slot of either kind."""
        return self.nodes[slot].labels[0] if slot in self.nodes else self.hops[slot].edge.label


@dataclass(slots=True)
class Usage:
    """How often each part of a schema was used by what was proposed so far."""

    times: Counter[str] = field(default_factory=Counter)

    def add(self, choice: Choice) -> None:
        """Count what a proposal uses."""
        self.times.update({node.name for node in choice.nodes.values()})
        self.times.update({hop.edge.name for hop in choice.hops.values()})
        owners = choice.properties.items()
        self.times.update({f"{name} {slot}" for slot, name in owners})

    def order[T](self, items: Sequence[tuple[str, T]], rng: Random) -> list[T]:
        """The items in a random order in which those used least tend to come first."""
        weights = ((rng.random() ** (1 + self.times[name]), item) for name, item in items)
        return [item for _, item in sorted(weights, key=lambda pair: -pair[0])]


class Chooser:
    """Finds choices for archetypes on one graph."""

    def __init__(self, facets: Facets) -> None:
        self.facets = facets
        counts = facets.statistics
        self.estimates = Estimates(facets.schema, counts)
        self.hops = [
            Hop(edge, forward)
            for edge in facets.schema.edges
            if counts.edges[edge.name].count
            for forward in (True, False)
        ]
        self.nodes = [node for node in facets.schema.nodes if counts.nodes[node.name] > 1]

    def choose(
        self, archetype: Archetype, usage: Usage, rng: Random, closed: Container[str] = ()
    ) -> Choice | None:
        """A choice of types and properties in none of the `closed` places; None where the schema
        has none (or none was found)."""
        search = _Search(self, archetype, usage, rng)
        for nodes, hops in search.fillings():
            place = _place(archetype, nodes, hops)
            if place in closed:
                continue
            properties = search.properties(nodes, hops)
            if properties is not None:
                rows = self.estimates.rows(archetype, nodes, hops)
                return Choice(nodes, hops, properties, rows, place)
        return None


type _Nodes = dict[str, NodeType]
type _Hops = dict[str, Hop]


def _place(archetype: Archetype, nodes: _Nodes, hops: _Hops) -> str:
    types = [nodes[slot].name for slot in sorted(nodes)]
    edges = [f"{'' if hops[slot].forward else '-'}{hops[slot].edge.name}" for slot in sorted(hops)]
    return " ".join([archetype.name, *types, *edges])


class _Search:
    """The search for one archetype: a walk over the schema in random order, with backtracking."""

    def __init__(self, chooser: Chooser, archetype: Archetype, usage: Usage, rng: Random) -> None:
        self.chooser = chooser
        self.facets = chooser.facets
        self.estimates = chooser.estimates
        self.archetype = archetype
        self.template = archetype.template
        self.usage = usage
        self.rng = rng
        self.needs = _Needs(archetype, chooser.facets)
        self.steps = 0

    def fillings(self) -> Iterator[tuple[_Nodes, _Hops]]:
        """Fillings of the pattern, at most a few, each from a fresh start."""
        for _ in range(_TRIES):
            self.steps = _STEPS
            filling = next(self._extend({}, {}), None)
            if filling is not None:
                yield filling
            elif self.steps > 0:
                return  # the whole search was made: there is none

    def _extend(self, nodes: _Nodes, hops: _Hops) -> Iterator[tuple[_Nodes, _Hops]]:
        self.steps -= 1
        if self.steps <= 0:
            return
        open_edges = [each for each in self.template.edges if each.slot not in hops]
        if open_edges:
            known = [e for e in open_edges if e.start in nodes or e.end in nodes]
            edge = (known or open_edges)[0]
            for hop in self._hops_for(edge, nodes, hops):
                start, end = (self.facets.schema.node_by_name[name] for name in hop.ends)
                if edge.start == edge.end:  # also where the edge goes to and fro
                    end = start
                ends = {edge.start: start, edge.end: end}
                yield from self._extend({**nodes, **ends}, {**hops, edge.slot: hop})
            return
        free = [label for label in self.template.labels if label not in nodes]
        if free:
            for node in self._nodes_for(free[0], nodes):
                yield from self._extend({**nodes, free[0]: node}, hops)
        elif self.estimates.rows(self.archetype, nodes, hops):
            yield nodes, hops

    def _nodes_for(self, label: str, nodes: _Nodes) -> list[NodeType]:
        chosen = {slot: node.name for slot, node in nodes.items()}
        fit = [
            (node.name, node)
            for node in self.chooser.nodes
            if self.needs.met(label, node.name)
            and not _clashes(self.archetype, label, node.name, chosen)
        ]
        return self.usage.order(fit, self.rng)

    def _hops_for(self, edge: EdgeUse, nodes: _Nodes, hops: _Hops) -> list[Hop]:
        rule = self.archetype.edges.get(edge.slot, EdgeRule())
        alike = [each for each in self.template.edges if each.slot == edge.slot]
        types = {label: node.name for label, node in nodes.items()}
        chosen = {slot: hop.edge.name for slot, hop in hops.items()}
        fit = [
            (hop.edge.name, hop)
            for hop in self.chooser.hops
            if all(self._ends_fit(each, hop, rule, types) for each in alike)
            and self._allowed(edge, hop, rule)
            and self.needs.met(edge.slot, hop.edge.name)
            and not _clashes(self.archetype, edge.slot, hop.edge.name, chosen)
        ]
        return self.usage.order(fit, self.rng)

    def _allowed(self, edge: EdgeUse, hop: Hop, rule: EdgeRule) -> bool:
        """Whether the archetype's rule lets the edge be walked like that."""
        known = self.estimates
        if rule.forward and not hop.forward:
            return False
        if rule.shared:
            fits = known.is_shared(hop)
        elif hop.edge.name in known.symmetric:
            # it has a direction only where both ways are stored, so that it loses nothing
            fits = hop.forward and (edge.both or rule.symmetric or known.is_mirrored(hop.edge))
        else:
            fits = not (edge.both or rule.symmetric)
        return (
            fits
            and not (rule.many and known.most(hop) < 2)
            and not (rule.several and known.usual(hop) < _SEVERAL)
            and not (rule.few and known.most(hop) > _FEW)
            and not (rule.partial and known.share(hop) > _TOTAL)
        )

    def _ends_fit(self, edge: EdgeUse, hop: Hop, rule: EdgeRule, types: dict[str, str]) -> bool:
        start, end = hop.ends
        if rule.shared:
            end = start if edge.start == edge.end else end
        elif (edge.start == edge.end or edge.long) and start != end:
            return False
        for label, name in ((edge.start, start), (edge.end, end)):
            if types.get(label, name) != name or not self.needs.met(label, name):
                return False
            if label not in types and _clashes(self.archetype, label, name, types):
                return False
        return True

    def properties(self, nodes: _Nodes, hops: _Hops) -> dict[str, str] | None:
        """Properties for the slots, each owner's different ones; None where there are too few."""
        chosen: dict[str, str] = {}
        taken: set[tuple[str, str]] = set()
        for slot, owners in self.template.properties.items():
            names = [nodes[o].name if o in nodes else hops[o].edge.name for o in owners]
            fit = [
                name
                for name in self._common(names, self.archetype.properties[slot])
                if (names[0], name) not in taken
            ]
            if not fit:
                return None
            options = [(f"{name} {slot}", name) for name in fit]
            chosen[slot] = self.usage.order(options, self.rng)[0]
            taken.add((names[0], chosen[slot]))
        return chosen

    def _common(self, owners: list[str], use: Use) -> list[str]:
        """Properties that all owners have for this use; a detail is not what is shown anyway."""
        first, *others = (self.facets.properties(owner, use) for owner in owners)
        shown = self.facets.shown.get(owners[0])
        hidden = shown.whole if shown is not None and use is Use.DETAIL else ()
        return [n for n in first if n not in hidden and all(n in other for other in others)]


class _Needs:
    """What each slot's type must have for the archetype's properties; asked often, so cached."""

    def __init__(self, archetype: Archetype, facets: Facets) -> None:
        self._facets = facets
        self._uses: dict[str, list[Use]] = {}
        for slot, owners in archetype.template.properties.items():
            for owner in owners:
                self._uses.setdefault(owner, []).append(archetype.properties[slot])
        self._single = set(archetype.template.single)
        self._named = set(archetype.template.named)
        self._keys = archetype.keys
        self._known: dict[tuple[str, str], bool] = {}

    def met(self, slot: str, name: str) -> bool:
        """Whether a type has what the slot needs."""
        fits = self._known.get((slot, name))
        if fits is None:
            fits = self._known[slot, name] = self._check(slot, name)
        return fits

    def _check(self, slot: str, name: str) -> bool:
        for use in set(self._uses.get(slot, ())):
            if len(self._facets.properties(name, use)) < self._uses[slot].count(use):
                return False
        shown = self._facets.shown.get(name)
        if shown is None:
            return True
        if f"{slot}.{KEY}" in self._single and len(shown.key) != 1:
            return False
        if f"{slot}.{NAME}" in self._single:
            return bool(shown.sole) and (shown.sole not in shown.key or self._may_name(name, shown))
        return f"{slot}.{NAME}" not in self._named or bool(shown.name)

    def _may_name(self, name: str, shown: Shown) -> bool:
        """Whether a key can stand for the name: a number that only counts mostly cannot."""
        return self._keys or (self._facets.property(name, shown.sole).type.kind is not Kind.INTEGER)


def _clashes(archetype: Archetype, slot: str, name: str, chosen: dict[str, str]) -> bool:
    """Whether a slot that must differ from this one has the same already."""
    return any(
        slot in group and any(other != slot and chosen.get(other) == name for other in group)
        for group in archetype.different
    )
