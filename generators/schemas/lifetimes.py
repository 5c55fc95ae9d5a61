"""Lives: what happens to a thing happens while it is there, and ends with it."""

from __future__ import annotations

import re

from generators.schemas.national import AS_OF
from generators.schemas.timing import begins, could_be_late, origin
from generators.schemas.triangles import Settings
from generators.synthesis import spec
from generators.taxonomy.model import Entity, Hint, Moment, Relation
from schemagraph.specification.distributions import Distribution

# A day on which a thing has ended, and not one on which something of it is due or done.
_END = re.compile(
    r"^(?:ends?|ended|clos\w*|finish\w*|complet\w*|expir\w*|left|terminat\w*|retir\w*|cancel\w*"
    r"|dissol\w*|harvested|discharg\w*|checked_out|check_out|departed|decommission\w*|withdr[ae]w\w*"
    r"|stopped|removed|scrapped|dis\w*missed|delisted|died|culled|dropped\w*|until|valid_(?:until|to)"
    r"|resigned|abandoned)(?:_|$)"
)
_ARRIVES = re.compile(r"(?:scheduled_|planned_)?(?:arriv|land|return|unload)")
# What comes when a thing is over, or tells of it.
_LATE = re.compile(
    r"review|report|certificate|invoice|payment|settlement|evaluation|feedback|complaint|refund"
    r"|audit|appraisal|survey|rating|return|transcript|publication|award|verdict|appeal|bill"
    r"|statement|reminder|collection|credit|article|post|dispute|chargeback"
)
_SELDOM = 0.5  # an end that most lack is none
_PER_DAY = {"days": 1, "hours": 24, "minutes": 24 * 60}
_EPISODE = 45  # days: what lasts no longer is an episode, in which all that belongs to it falls
_AFTERWARDS = re.compile(
    r"results? from|reviews|settles|based on|issued for|replac|follows|succeed|after|refers"
    r"|relates|is about|concerns|mentions|cites|renews|closes|ends"
)


class Lifetimes(Settings):
    """The rules for the begin and the end of what is joined."""

    def life_of(self, entity: Entity) -> tuple[Hint, Hint] | None:
        """The begin and the end of an entity, where both are shown."""
        start = begins(entity)
        if start is None:
            return None
        for hint in entity.properties:
            follows = isinstance(hint.value, Moment) and hint.value.after == start.name
            if follows and _END.match(hint.name):
                return start, hint
        return None

    def _busy(self, entity: Entity) -> tuple[Hint, Hint] | None:
        """From when to when what an entity needs is taken: as its life, or until it arrives."""
        start = begins(entity)
        if start is None:
            return None
        ends = [
            (_days(hint.value), hint)
            for hint in entity.properties
            if isinstance(hint.value, Moment) and hint.value.after == start.name
            if _END.match(hint.name) or _ARRIVES.match(hint.name)
        ]
        return (start, max(ends, key=lambda end: end[0])[1]) if ends else None

    def unseen_end(self, entity: Entity) -> Moment | None:
        """The end of an entity that the schema leaves out: how long it lasts is known all the same.
        Of several, the last."""
        whole, start = self.domain.entities.get(entity.name), begins(entity)
        if whole is None or start is None:
            return None
        ends = [
            hint.value
            for hint in whole.properties
            if isinstance(hint.value, Moment) and hint.value.after == start.name
            if not (hint.value.planned or entity.property(hint.name)) and hint.null <= _SELDOM
        ]
        return max(ends, key=_days, default=None)

    def in_life(self, relation: Relation) -> bool:
        """Whether the many of a relation begin while the one is there, though nobody says so."""
        ends = self.ends(relation)
        if ends is None or relation.source == relation.target or relation.anytime:
            return False
        if relation.anchor is not None or relation.role == "chain" or relation.many == "1:1":
            return False
        if relation.alone or relation.once or relation.apart or relation.within is not None:
            return False  # which is said of who is chosen: by dates that are there before
        if not self._alive(relation, ends):
            return False
        start = begins(self.entities[ends[0]])
        assert start is not None  # noqa: S101 - `_alive` looks
        assert isinstance(start.value, Moment)  # noqa: S101 - begins are
        return not start.value.only and (relation.timed or not relation.order)

    def _alive(self, relation: Relation, ends: tuple[str, str]) -> bool:
        many, one = (self.entities[name] for name in ends)
        if begins(many) is None or not (self.life_of(one) or self._episode(one)):
            return False
        wording = relation.wording
        phrase = wording.active if relation.source == many.name else wording.passive
        return not (_LATE.search(many.name) or _AFTERWARDS.search(phrase))

    def _episode(self, one: Entity) -> bool:
        """Whether an entity lasts a few days by the taxonomy, though the schema shows no end."""
        whole, start = self.domain.entities.get(one.name), begins(one)
        last = self.unseen_end(one)
        return (
            last is not None
            and whole is not None
            and start is not None
            and 0 < _days(last) <= _EPISODE
            and any(
                isinstance(h.value, Moment) and h.value.after == start.name and _END.match(h.name)
                for h in whole.properties
            )
        )

    def end_over(self, relation: Relation, edge: str) -> tuple[str, ...]:
        """The end of the one, which its many do not begin after."""
        ends = self.ends(relation)
        if ends is None or not self._alive(relation, ends):
            return ()
        life = self.life_of(self.entities[ends[1]])
        if life is None:
            return ()
        return (f"{edge}.{self.column(ends[1], life[1].name)}",)

    def within_lives(self) -> None:
        """Where an order says what is there first, it does not begin after the other's end."""
        for relation, _, edge in self.edges:
            ends = self.ends(relation)
            part = self.given.edges[edge.name]
            if ends is None or relation.source == relation.target or relation.anytime:
                continue
            if edge.name in self.anchored or len(part.order) != 1 or part.cardinality == "1:1":
                continue
            if relation.role == "chain" or not self._alive(relation, ends):
                continue
            many, one = (self.entities[name] for name in ends)
            life, start = self.life_of(one), begins(many)
            if life is None or start is None:
                continue
            side = "source" if edge.source == self.node[many.name].name else "target"
            across = "target" if side == "source" else "source"
            then = f"{across}.{self.column(one.name, life[1].name)}"
            first = f"{side}.{self.column(many.name, start.name)}"
            if part.order[0].then == first and not part.acyclic:
                self.put_edge(edge.name, order=(*part.order, spec.Before(first=first, then=then)))

    def one_at_a_time(self) -> None:
        """A bed has one patient at a time, where the schema shows when each comes and goes; a dam
        has no calf within the days of a gestation after another; a club plays once a day, as a
        host or as a guest."""
        for relation, _, edge in self.edges:
            ends = self.ends(relation)
            if not relation.alone or ends is None or relation.many.startswith("1:1"):
                continue
            many = self.entities[ends[0]]
            if relation.alone_days:  # from its first date on, which may be that of its birth
                dates = [hint for hint in many.properties if isinstance(hint.value, Moment)]
                if relation.alone_by:
                    dates = [hint for hint in dates if hint.name == relation.alone_by]
                if dates:
                    start, days = self.column(many.name, dates[0].name), relation.alone_days
                    alone = spec.Alone(start=start, days=days)
                    also = self._counted_as_well(relation, ends)
                    if not self.put_edge(edge.name, alone=alone.model_copy(update={"also": also})):
                        self.put_edge(edge.name, alone=alone)
            elif (life := self._busy(many)) is not None:
                start, end = (self.column(many.name, hint.name) for hint in life)
                also = self._counted_as_well(relation, ends)
                alone = spec.Alone(start=start, end=end)
                if not self.put_edge(edge.name, alone=alone.model_copy(update={"also": also})):
                    self.put_edge(edge.name, alone=alone)

    def _counted_as_well(self, relation: Relation, ends: tuple[str, str]) -> tuple[spec.Also, ...]:
        """The other edge types over which the one has of the many, one at a time with these."""
        key = self.node[ends[1]].key[0]
        return tuple(
            spec.Also(many=f"{edge.name}.{key}", one=key)
            for other, _, edge in self.edges
            if other.type in relation.alone_over and self.ends(other) == ends
            if not other.many.startswith("1:1")
        )

    def after_what_it_leads_to(self, edge: str, ends: tuple[str, str]) -> bool:
        """Of many and one, where the one has no begin: the many are not before what it is part of;
        whoever is in an arm of a trial came when that had started."""
        many, one = (self.entities[name] for name in ends)
        start = begins(many)
        if start is None or origin(one) is not None:
            return False
        leads = [
            (over.name, owner)
            for relation, _, over in self.edges
            if (far := self.ends(relation)) and far[0] == one.name and far[0] != far[1]
            if relation.many in ("n:1", "1:n") and (owner := self.entities[far[1]]) is not many
            if begins(owner) is not None and not owner.property("first_name")
        ]
        if len(leads) != 1:
            return False
        lead, owner = leads[0]
        known = begins(owner)
        if known is None or not could_be_late(known, start):
            return False
        side = (
            "source"
            if self.schema.edge_by_name[edge].source == self.node[one.name].name
            else "target"
        )
        across = "target" if side == "source" else "source"
        order = spec.Before(
            first=f"{side}.{lead}.{self.column(owner.name, known.name)}",
            then=f"{across}.{self.column(many.name, start.name)}",
        )
        orders = [*self.given.edges[edge].order, order]
        life = self.life_of(owner)
        if life is not None and not _LATE.search(many.name):
            over_by = f"{side}.{lead}.{self.column(owner.name, life[1].name)}"
            orders.append(spec.Before(first=order.then, then=over_by))
        return self.put_edge(edge, order=tuple(orders))

    def ends_with(self, relation: Relation, edge: str) -> None:
        """What is part of an episode is over when that is."""
        ends = self.ends(relation)
        if ends is None:
            return
        many, one = (self.entities[name] for name in ends)
        life, start = self.life_of(one), begins(many)
        if life is None or start is None:
            return
        last = f"{edge}.{self.column(one.name, life[1].name)}"
        node = self.node[many.name].name
        for hint in many.properties:
            value = hint.value
            if isinstance(value, Moment) and value.after == start.name and not value.planned:
                name = self.column(many.name, hint.name)
                of = self.given.nodes[node].properties[name].of
                self.put(node, name, _until(of, last))


def _days(end: Moment) -> float:
    """How many days after the begin an end is at most."""
    return end.gap[1] / _PER_DAY[end.unit]


def _until(of: Distribution, last: str) -> Distribution:
    """A date that is also not after another; in every case of it."""
    match of:
        case spec.After():
            until = of.until or f"{_far(of)}"
            return of.model_copy(update={"before": (*of.before, last), "until": until})
        case spec.Conditional():
            cases = {case: _until(part, last) for case, part in of.cases.items()}
            return of.model_copy(update={"cases": cases, "otherwise": _until(of.otherwise, last)})
        case spec.Banded():
            bands = tuple(
                band.model_copy(update={"of": _until(band.of, last)}) for band in of.bands
            )
            return of.model_copy(update={"bands": bands, "otherwise": _until(of.otherwise, last)})
    return of


def _far(of: spec.After) -> str:
    """The end of what is planned, which nothing bounds by itself."""
    return f"{int(AS_OF[:4]) + 60}{AS_OF[4:]}" if of.gap is not None else AS_OF
