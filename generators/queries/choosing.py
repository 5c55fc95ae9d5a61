"""Which node types, edge types and properties of a schema fill the slots of an archetype.

A search over the schema in a random order, weighed by what was used least, so that all parts of
a schema get covered. Choices that a graph's figures tell to give nothing, or far too much, are
not made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from generators.queries.archetypes import Archetype
from generators.queries.facets import Facets, Shown, Use
from generators.queries.template import KEY, NAME, EdgeUse
from generators.questions.lists import word_set
from generators.questions.nouns import spoken
from schemagraph.model import EdgeType, Kind, NodeType
from schemagraph.views import Hop

_TRIES = 12  # fillings of properties for one filling of the pattern
_MOST_ROWS = 400_000  # that a pattern may have before anything is grouped
_FAR = 12  # steps of a path without a bound that are reckoned with
_READ = 900  # rows that somebody would read
_SELDOM = 0.05  # another edge of the same type, at a node that such an edge led to
_LIKELY = 0.4  # that a node drawn by its name has the rest of the pattern


@dataclass(frozen=True, slots=True)
class Choice:
    """What fills the slots: node types, hops and properties by slot.

    `rows` is how many the pattern may have, its nodes that are drawn by name taken into account.
    """

    nodes: dict[str, NodeType]
    hops: dict[str, Hop]
    properties: dict[str, str]
    rows: float

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
        self.schema = facets.schema
        counts = facets.statistics
        self._hops = [
            Hop(edge, forward)
            for edge in self.schema.edges
            if counts.edges[edge.name].count
            for forward in (True, False)
        ]
        self._nodes = [node for node in self.schema.nodes if counts.nodes[node.name] > 1]
        self._symmetric = {e.name for e in self.schema.edges if is_symmetric(e)}

    def choose(self, archetype: Archetype, usage: Usage, rng: Random) -> Choice | None:
        """A choice of types and properties; None where the schema has none (or none was found)."""
        needs = _Needs(archetype, self.facets)
        for nodes, hops in self._fill(archetype, needs, usage, rng):
            properties = self._properties(archetype, nodes, hops, usage, rng)
            if properties is not None:
                return Choice(nodes, hops, properties, self._rows(archetype, nodes, hops))
        return None

    # --- the pattern -------------------------------------------------------------------------

    def _fill(
        self, archetype: Archetype, needs: _Needs, usage: Usage, rng: Random
    ) -> Iterator[tuple[dict[str, NodeType], dict[str, Hop]]]:
        """Fillings of the pattern, at most a few: each is a fresh walk, backtracking inside."""
        for _ in range(_TRIES):
            steps = [300]
            found = next(self._extend(archetype, needs, usage, rng, {}, {}, steps), None)
            if found is None:
                if steps[0] > 0:
                    return  # the whole search was made: there is none
                continue
            yield found

    def _extend(
        self,
        archetype: Archetype,
        needs: _Needs,
        usage: Usage,
        rng: Random,
        nodes: dict[str, NodeType],
        hops: dict[str, Hop],
        steps: list[int],
    ) -> Iterator[tuple[dict[str, NodeType], dict[str, Hop]]]:
        steps[0] -= 1
        if steps[0] <= 0:
            return
        template = archetype.template
        open_edges = [each for each in template.edges if each.slot not in hops]
        if not open_edges:
            free = [label for label in template.labels if label not in nodes]
            if not free:
                if self._rows(archetype, nodes, hops):
                    yield dict(nodes), dict(hops)
                return
            for node in self._ordered(needs, free[0], nodes, archetype, usage, rng):
                yield from self._extend(
                    archetype, needs, usage, rng, {**nodes, free[0]: node}, hops, steps
                )
            return
        known = [e for e in open_edges if e.start in nodes or e.end in nodes]
        edge = (known or open_edges)[0]
        for hop in self._hops_for(archetype, edge, needs, nodes, hops, usage, rng):
            start, end = (self.schema.node_by_name[name] for name in hop.ends)
            if edge.start == edge.end:  # also where the edge goes to and fro
                end = start
            yield from self._extend(
                archetype,
                needs,
                usage,
                rng,
                {**nodes, edge.start: start, edge.end: end},
                {**hops, edge.slot: hop},
                steps,
            )

    def _ordered(
        self,
        needs: _Needs,
        label: str,
        nodes: dict[str, NodeType],
        archetype: Archetype,
        usage: Usage,
        rng: Random,
    ) -> list[NodeType]:
        fit = [
            (node.name, node)
            for node in self._nodes
            if needs.met(label, node.name)
            and not _clashes(archetype, label, node.name, {k: v.name for k, v in nodes.items()})
        ]
        return usage.order(fit, rng)

    def _hops_for(
        self,
        archetype: Archetype,
        edge: EdgeUse,
        needs: _Needs,
        nodes: dict[str, NodeType],
        hops: dict[str, Hop],
        usage: Usage,
        rng: Random,
    ) -> list[Hop]:
        rule = archetype.edges.get(edge.slot)
        alike = [each for each in archetype.template.edges if each.slot == edge.slot]
        chosen = {slot: hop.edge.name for slot, hop in hops.items()}
        fit = []
        for hop in self._hops:
            if not all(self._ends_fit(each, hop, needs, nodes, archetype) for each in alike):
                continue
            if rule is not None and rule.forward and not hop.forward:
                continue
            if rule is not None and rule.shared:
                if not self._is_shared(hop):
                    continue
            elif not self._direction_fits(hop, edge.both or (rule is not None and rule.symmetric)):
                continue
            if rule is not None and rule.many and self._most(hop) < 2:
                continue
            if rule is not None and rule.partial and self._share(hop) > 0.98:
                continue
            if not needs.met(edge.slot, hop.edge.name):
                continue
            if _clashes(archetype, edge.slot, hop.edge.name, chosen):
                continue
            fit.append((hop.edge.name, hop))
        return usage.order(fit, rng)

    def _direction_fits(self, hop: Hop, undirected: bool) -> bool:
        """Whether the edge may be walked like that.

        Without direction only relations of equals are; those have one only where both ways are
        stored, so that it loses nothing.
        """
        if hop.edge.name not in self._symmetric:
            return not undirected
        return hop.forward and (undirected or self._is_mirrored(hop.edge))

    def _is_shared(self, hop: Hop) -> bool:
        """Whether a path can go to and fro over this edge type, and over no other."""
        back = Hop(hop.edge, not hop.forward)
        alone = sum(edge.label == hop.edge.label for edge in self.schema.edges) == 1
        return alone and hop.edge.source != hop.edge.target and self._most(back) > 1

    def _is_mirrored(self, edge: EdgeType) -> bool:
        """Whether each edge seems to be stored once in each direction."""
        figures = self.facets.statistics.edges[edge.name]
        return figures.sources == figures.targets and figures.out_degrees == figures.in_degrees

    def _ends_fit(
        self,
        edge: EdgeUse,
        hop: Hop,
        needs: _Needs,
        nodes: dict[str, NodeType],
        archetype: Archetype,
    ) -> bool:
        start, end = hop.ends
        rule = archetype.edges.get(edge.slot)
        if rule is not None and rule.shared:
            end = start if edge.start == edge.end else end
        elif (edge.start == edge.end or edge.long) and start != end:
            return False
        names = {label: node.name for label, node in nodes.items()}
        for label, name in ((edge.start, start), (edge.end, end)):
            if names.get(label, name) != name or not needs.met(label, name):
                return False
            if label not in names and _clashes(archetype, label, name, names):
                return False
        return True

    # --- figures -----------------------------------------------------------------------------

    def _most(self, hop: Hop) -> int:
        """The most edges that one node has at the hop's beginning."""
        figures = self.facets.statistics.edges[hop.edge.name]
        return (figures.out_degrees if hop.forward else figures.in_degrees)[-1]

    def _share(self, hop: Hop) -> float:
        """The share of the nodes at the hop's beginning that have such an edge."""
        figures = self.facets.statistics.edges[hop.edge.name]
        having = figures.sources if hop.forward else figures.targets
        return having / max(1, self.facets.statistics.nodes[hop.ends[0]])

    def _fanout(self, hop: Hop, *, again: bool) -> float:
        """How many nodes a hop leads to; `again`: from a node that an edge of the type led to."""
        figures = self.facets.statistics.edges[hop.edge.name]
        if again:
            degrees = figures.out_degrees if hop.forward else figures.in_degrees
            return sum(d * d for d in degrees) / (sum(degrees) or 1) - 1
        return figures.count / max(1, self.facets.statistics.nodes[hop.ends[0]])

    def _walks(self, hop: Hop, edge: EdgeUse) -> float:
        """How many walks of the lengths that a pattern allows begin at a node."""
        figures = self.facets.statistics.edges[hop.edge.name]
        having = figures.sources if hop.forward else figures.targets
        fan = figures.count / max(1, having)
        if edge.both:
            fan = 2 * figures.count / max(1, figures.sources, figures.targets)
        longest = min(edge.hops.hi or _FAR, _FAR)
        if edge.both and hop.edge.source != hop.edge.target:
            back = Hop(hop.edge, not hop.forward)
            walks = [self._share(hop)]
            for step in range(longest):
                walks.append(walks[-1] * max(0.1, self._fanout((hop, back)[step % 2], again=True)))
            return sum(walks[edge.hops.lo :]) * 2
        return self._share(hop) * sum(fan**steps for steps in range(edge.hops.lo, longest + 1))

    def _rows(
        self, archetype: Archetype, nodes: dict[str, NodeType], hops: dict[str, Hop]
    ) -> float:
        """How many rows the pattern may have; 0 where it makes little sense by its degrees."""
        template = archetype.template
        size = self.facets.statistics.nodes
        rows = 1.0 if template.edges else float(size[nodes[template.labels[0]].name])
        chance: dict[str, float] = {}  # that a node is there, by variable
        came: dict[str, str] = {}  # the edge type by which a node was reached
        for edge in template.edges:
            left, right, hop = edge.left, edge.right, hops[edge.slot]
            if right in chance and left not in chance:
                left, right, hop = right, left, Hop(hop.edge, not hop.forward)
            if left not in chance:
                rows *= size[hop.ends[0]]
                chance[left] = 1.0
            if right in chance:
                edges = self.facets.statistics.edges[hop.edge.name].count
                rows *= min(1.0, 20 * edges / max(1, size[hop.ends[0]] * size[hop.ends[1]]))
                continue
            again = came.get(left) == hop.edge.name and not edge.long
            fan = self._fanout(hop, again=again)
            if again and fan < _SELDOM:
                return 0
            if not edge.search:
                rows *= self._walks(hop, edge) if edge.long else fan
            chance[right] = chance[left] * self._share(hop)
            came[right] = hop.edge.name
            if template.anchors and not archetype.joint and chance[right] < _LIKELY:
                return 0
        if not 0.5 <= rows <= _MOST_ROWS:
            return 0
        for variable in template.anchors:
            rows /= size[nodes[template.variables[variable]].name]
        lists_all = archetype.lists and not archetype.values
        return 0 if archetype.lists and rows > _READ * (1 if lists_all else 30) else rows

    # --- properties --------------------------------------------------------------------------

    def _properties(
        self,
        archetype: Archetype,
        nodes: dict[str, NodeType],
        hops: dict[str, Hop],
        usage: Usage,
        rng: Random,
    ) -> dict[str, str] | None:
        chosen: dict[str, str] = {}
        taken: set[tuple[str, str]] = set()
        for slot, owners in archetype.template.properties.items():
            names = [
                nodes[owner].name if owner in nodes else hops[owner].edge.name for owner in owners
            ]
            fit = [
                name
                for name in self.facets.properties(names[0], archetype.properties[slot])
                if all(
                    name in self.facets.properties(other, archetype.properties[slot])
                    for other in names[1:]
                )
                and (names[0], name) not in taken
                and not (
                    archetype.properties[slot] is Use.DETAIL
                    and names[0] in self.facets.shown
                    and name in self.facets.shown[names[0]].whole
                )
            ]
            if not fit:
                return None
            chosen[slot] = usage.order([(f"{name} {slot}", name) for name in fit], rng)[0]
            taken.add((names[0], chosen[slot]))
        return chosen


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
        found = self._known.get((slot, name))
        if found is None:
            found = self._known[slot, name] = self._check(slot, name)
        return found

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


def is_symmetric(edge: EdgeType) -> bool:
    """Whether an edge type is a relation of equals, by its name: nobody asks for its direction.

    >>> is_symmetric(EdgeType("KNOWS", "Person", "Person"))
    True
    >>> is_symmetric(EdgeType("REPORTS_TO", "Person", "Person"))
    False
    """
    words = {word.lower() for word in spoken(edge.label)}
    return edge.source == edge.target and bool(words & word_set("symmetric"))
