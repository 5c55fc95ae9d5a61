"""Seeds: queries made of archetypes on one graph, and of pairs that somebody gave."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from engines.base import Result
from generators.queries.archetypes.choosing import Choice, Chooser, Usage
from generators.queries.archetypes.constants import degree, draw, kept, literal
from generators.queries.archetypes.facets import MOMENTS, Facets
from generators.queries.archetypes.filling import fill
from generators.queries.archetypes.full_names import FullNames
from generators.queries.archetypes.gaps import at_gap
from generators.queries.archetypes.joint import skeleton
from generators.queries.archetypes.load import Archetype, Value, own_archetypes
from generators.queries.archetypes.periods import day, whole_days, whole_period
from generators.queries.archetypes.template import NAME
from generators.queries.base import Ground, Proposal
from generators.questions.lexicon.model import Lexicon
from graph_ir import nodes as ir
from graphmill import seed
from graphmill.errors import ConfigError, did_you_mean
from graphmill.record import Difficulty

_LOOKS = 4  # searches for places of an archetype
_MISSES = 6  # failures in a row after which an archetype is left alone


@dataclass(frozen=True, slots=True)
class SeedRequest:
    """How many seeds are wanted, and which; an empty choice means all.

    `constructs` are ids of `graph_ir.features`, of which a seed has at least one. `languages` are
    those that must be able to say it. `absence`: whether seeds may ask for what is not there.
    """

    count: int = 1
    archetypes: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    tiers: tuple[Difficulty, ...] = ()
    constructs: tuple[str, ...] = ()
    languages: tuple[str, ...] = ("cypher", "gql")
    absence: bool = True


class RuleSeeds:
    """Proposes queries from archetypes on the graph of `ground`.

    `lexicon` is what the graph's own file says: by which names things are shown, what is hidden.
    """

    name: ClassVar[str] = "archetypes"
    version: ClassVar[str] = "1"

    def __init__(
        self,
        ground: Ground,
        archetypes: Sequence[Archetype] | None = None,
        lexicon: Lexicon | None = None,
    ) -> None:
        self.ground = ground
        self.archetypes = tuple(own_archetypes() if archetypes is None else archetypes)
        self.facets = Facets(ground.schema, ground.statistics, lexicon)
        self._chooser = Chooser(self.facets)
        self._full_names = FullNames(ground, self.facets)
        self._rows: dict[ir.Query, Result | None] = {}  # what was asked once

    def generate(self, request: SeedRequest, rng: Random) -> Iterator[Proposal]:
        """Up to `request.count` different proposals; fewer where the graph allows no more.

        Archetypes take turns in a random order; the parts of the schema that were used least
        come first.

        Raises:
            ConfigError: the request names an archetype or a family that does not exist.
        """
        open_ones = {each.name: 0 for each in self.wanted(request)}
        known = {each.name: each for each in self.archetypes}
        usage = Usage()
        seen: set[ir.Statement] = set()
        while open_ones and len(seen) < request.count:
            turn = sorted(open_ones, key=lambda name: -(rng.random() ** (1 / known[name].weight)))
            for name in turn:
                if len(seen) >= request.count:
                    return
                proposal = self.propose(known[name], rng, usage)
                if proposal is None or proposal.statement in seen:
                    open_ones[name] += 1
                    if open_ones[name] >= _MISSES:
                        del open_ones[name]
                    continue
                open_ones[name] = 0
                seen.add(proposal.statement)
                yield proposal

    def wanted(self, request: SeedRequest) -> list[Archetype]:
        """The archetypes that a request allows.

        Raises:
            ConfigError: it names one that does not exist.
        """
        for asked, existing in (
            (request.archetypes, [each.name for each in self.archetypes]),
            (request.families, sorted({each.family for each in self.archetypes})),
        ):
            for name in asked:
                if name not in existing:
                    hint = did_you_mean(name, existing)
                    raise ConfigError(f"There is no archetype or family {name}.{hint}")
        return [
            each
            for each in self.archetypes
            if (not request.archetypes or each.name in request.archetypes)
            and (not request.families or each.family in request.families)
            and (not request.tiers or each.tier in request.tiers)
            and (not request.constructs or set(request.constructs) & set(each.features.constructs))
            and not set(request.languages) & set(each.lacks)
            and (request.absence or not each.absence)
        ]

    def places(self, archetype: Archetype) -> int:
        """How many places of the schema for an archetype some searches find; 0 where it has none.

        Places differ in their edge types, or in the node type where there are none.
        """
        places = set()
        for number in range(_LOOKS):
            choice = self._chooser.choose(archetype, Usage(), seed.rng(0, archetype.name, number))
            if choice is not None:
                types = choice.hops if choice.hops else choice.nodes
                places.add(tuple(choice.owner(slot) for slot in sorted(types)))
        return len(places)

    def propose(
        self,
        archetype: Archetype,
        rng: Random,
        usage: Usage | None = None,
        closed: Container[str] = (),
    ) -> Proposal | None:
        """One proposal of an archetype in none of the `closed` places; None where it does not fit
        the graph."""
        usage = usage if usage is not None else Usage()
        for _ in range(3):
            choice = self._chooser.choose(archetype, usage, rng, closed)
            if choice is None:
                return None
            constants = self._constants(archetype, choice, rng)
            if constants is not None:
                usage.add(choice)
                filled = whole_days(fill(archetype, choice, constants, self.facets))
                statement = self._full_names.completed(filled)
                whole = at_gap(statement, self.ground)
                if whole is None:
                    continue
                return Proposal(
                    whole,
                    self.name,
                    archetype.name,
                    may_be_empty=archetype.absence,
                    place=choice.place,
                )
        return None

    def _constants(
        self, archetype: Archetype, choice: Choice, rng: Random
    ) -> dict[str, ir.Expr] | None:
        """Expressions for the parameters; None where the data have none."""
        expressions: dict[str, ir.Expr] = {}
        together: dict[str, Any] = {}
        if archetype.joint:
            drawn = self._together(archetype, choice, rng)
            if drawn is None:
                return None
            together = drawn
        taken: dict[str, set[Any]] = {}
        values: dict[str, Any] = {}
        for name in archetype.template.parameters:
            way = archetype.values[name]
            if way.number is not None or way.degree is not None:
                number = self._number(way, choice, rng)
                if number is None:
                    return None
                expressions[name] = ir.Literal(number)
                continue
            owner, prop = self._source(archetype, choice, way.of)
            used = taken.setdefault(f"{owner}.{prop}", set())
            kind = self.facets.property(owner, prop).type
            value = together.get(name)
            if value is None or value in used:
                figures = self.facets.figures(owner, prop)
                if archetype.lists and not _is_bound(archetype, way):
                    way = kept(way, choice.rows, archetype.template.above(name))
                value = draw(way, figures, kind, used, rng)
            if value is None:
                return None
            used.add(value)
            values[name] = value
            expressions[name] = literal(value, kind)
        return {**expressions, **self._whole(archetype, values, choice)}

    def _whole(
        self, archetype: Archetype, drawn: dict[str, Any], choice: Choice
    ) -> dict[str, ir.Expr]:
        """Moments as people say them: days, and both ends of a month or a year."""
        expressions: dict[str, ir.Expr] = {}
        for name, value in drawn.items():
            owner, prop = self._source(archetype, choice, archetype.values[name].of)
            kind = self.facets.property(owner, prop).type
            if kind.kind in MOMENTS and archetype.values[name].at is not None:
                expressions[name] = literal(day(value), kind)
                if name == "hi" and "lo" in drawn:
                    lo, hi = whole_period(drawn["lo"], value)
                    expressions |= {"lo": literal(lo, kind), "hi": literal(hi, kind)}
        return expressions

    def _number(self, way: Value, choice: Choice, rng: Random) -> int | None:
        if way.number is not None:
            return rng.randint(*way.number)
        hop = choice.hops[way.of]
        return degree(way, self.ground.statistics.edges[hop.edge.name], hop.forward, rng)

    def _together(self, archetype: Archetype, choice: Choice, rng: Random) -> dict[str, Any] | None:
        """Values that one row of the pattern has; None where it has no row."""
        parameters: dict[str, ir.Expr] = {
            name: ir.Param(name) for name in archetype.template.parameters
        }
        for name, way in archetype.values.items():
            if way.number is not None:
                parameters[name] = ir.Literal(way.number[0])
        made = skeleton(fill(archetype, choice, parameters, self.facets))
        if made is None:
            return {}
        query, names = made
        if query not in self._rows:
            self._rows[query] = self.ground.ask(query)
        answer = self._rows[query]
        if answer is None:
            return {}
        rows = [row for row in answer.rows if None not in row and len(set(row)) == len(row)]
        return dict(zip(names, rng.choice(rows), strict=False)) if rows else None

    def _source(self, archetype: Archetype, choice: Choice, of: str) -> tuple[str, str]:
        """The type and the property that a value is drawn from."""
        slot, dot, which = of.partition(".")
        if dot:
            shown = self.facets.shown[choice.nodes[slot].name]
            return choice.nodes[slot].name, shown.sole if which == NAME else shown.key[0]
        owner = archetype.template.properties[of][0]
        return choice.owner(owner), choice.properties[of]


def _is_bound(archetype: Archetype, way: Value) -> bool:
    """Whether the value is one of two bounds of a range."""
    return sum(each.of == way.of and each.at is not None for each in archetype.values.values()) > 1
