"""What hangs together in a schema by rule: times over edges, what is open, who is at home where.

Each rule looks at what the schema shows only: a date that nobody sees contradicts nothing. A rule
that would close a circle with the others is left out. They are tried one after the other on one
specification, so that they are one class, and a module of over 600 lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

from generators.schemas.amounts import Amounts
from generators.schemas.blueprint import Blueprint
from generators.schemas.lifetimes import Lifetimes
from generators.schemas.names import Names
from generators.schemas.national import AS_OF
from generators.schemas.places import Places
from generators.schemas.tell import Teller, hours_of, season_of
from generators.schemas.timing import (
    BIRTH,
    begins,
    could_be_late,
    origin,
    year_of,
)
from generators.schemas.triangles import Triangles
from generators.synthesis import spec
from generators.taxonomy.model import (
    Anchor,
    Choice,
    Entity,
    Hint,
    Moment,
    Place,
    Relation,
    SubDomain,
)
from generators.taxonomy.options import OLDER_FIRST, YOUNGER_FIRST
from schemagraph.model import SchemaGraph
from schemagraph.specification.distributions import Distribution, Scalar

_MONEY = {"United Kingdom": "GBP", "United States": "USD", "Sweden": "SEK", "Poland": "PLN"}
_PEOPLE = {
    "Germany": "German", "United Kingdom": "British", "United States": "American",
    "Spain": "Spanish", "France": "French", "Italy": "Italian", "Netherlands": "Dutch",
    "Poland": "Polish", "Sweden": "Swedish",
}  # fmt: skip
_CODE = re.compile(r"[A-Z]{3}")
_EVER = "2200-12-31"
_AT_HOME = {"person": 1.0, "company": 1.0, "other": 1.0}  # names and legal forms are those of home
_FAR = f"{int(AS_OF[:4]) + 60}{AS_OF[4:]}"  # no plan reaches there; hours need an end
_RARE = 0.5  # an end that most lack is an accident, and no end of all
_GROWN_UP = 16 * 365
_EARLY = 0.6  # the share of its part in which a step begins, so that it is over before the next
_LONGEST = 800  # days: what ends later than that is no episode
# From when on others know of a thing, and can work on it.
_KNOWN = re.compile(r"(?:report|notif|receiv|register|announc|submit|filed)")
_ABLE = re.compile(r"licen[cs]ed|certified|qualified")  # from when on somebody does his work
_WORK = re.compile(r"assign|handl|decid|review|approv|answer|took|taken|since")
# What stays as it was decided, also of late.
_FINAL = re.compile(r"cancel|reject|fail|withdr|drop|declin|void|refus")
_GOING = re.compile(r"active|running|suspended|current|in force")
_MINORS = re.compile(
    r"patient|child|insured|individual|contact|case_person|victim|athlete|citizen|party|recipient"
)
ABROAD = frozenset(
    {
        "city",
        "airport",
        "port",
        "airline",
        "vessel",
        "exchange",
        "accumulation_zone",
        "ip_address",
        "network_address",
        "roaming_partner",
    }
)


def dependent(
    schema: SchemaGraph,
    given: spec.Specification,
    chosen: Blueprint,
    names: Names,
    locale: str,
    domain: SubDomain,
    teller: Callable[[Entity], Teller],
) -> spec.Specification:
    """The specification with the dependences that people expect. `teller` says the values of an
    entity."""
    rules = _Rules(schema, given, chosen, names, locale, domain, teller)
    rules.states()
    rules.anchors()
    Amounts(rules).numbers()
    rules.triangles()
    rules.orders()
    rules.within_lives()
    rules.one_at_a_time()
    rules.postal_codes()
    rules.named_after_towns()
    rules.edge_dates()
    rules.homes()
    rules.currencies()
    rules.kinds()
    return rules.given


@dataclass
class _Bounds:
    """What a date of an edge lies between: references to dates of its ends."""

    starts: list[tuple[str, Moment]] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)

    def on(self, of: spec.Distribution, value: Moment) -> spec.Distribution | None:
        """The distribution within the bounds; None where they change nothing."""
        late = [n for n, v in self.starts if value.after or v.last + 1 >= value.first]
        if isinstance(of, spec.After) and self.starts:
            columns = tuple(dict.fromkeys((*of.columns, *late)))
            until = of.until or AS_OF
            bounded = {"columns": columns, "before": tuple(self.ends), "until": until}
            return of.model_copy(update=bounded)
        if not isinstance(of, spec.Dates) or not (late or self.ends) or value.only:
            return None
        return spec.After(
            columns=tuple(late or [n for n, _ in self.starts]),
            before=tuple(self.ends),
            since=of.start[:10],
            until=of.end[:10],
            hours=of.hours if value.hours else (),
            workdays=value.workdays,
            shopdays=value.shopdays,
            every=value.every,
        )


class _Rules(Triangles, Places, Lifetimes):
    """The rules that look at a node type, or at an edge type and its ends."""

    # --- what is open ----------------------------------------------------------------------

    def states(self) -> None:
        """What is pending is so of late only; what has ended has an end, and nothing else has."""
        for entity in self.chosen.entities:
            for hint in entity.properties:
                if hint.recent is not None and isinstance(hint.value, Choice):
                    self._recent(entity, hint)
            self._ends(entity)

    def _recent(self, entity: Entity, hint: Hint) -> None:
        recent = hint.recent
        assert recent is not None  # noqa: S101 - the caller looks
        assert isinstance(hint.value, Choice)  # noqa: S101 - the caller looks
        since = entity.property(recent.of)
        if since is None:
            return
        open_ = {v for v, _ in recent.values.values if not _FINAL.search(v)}
        done = tuple((value, weight) for value, weight in hint.value.values if value not in open_)
        if not done:
            return
        node = self.node[entity.name].name
        of = spec.Banded(
            column=self.column(entity.name, recent.of),
            bands=(spec.Band(upto=_ago(recent.days), of=_list(done)),),
            otherwise=_list(recent.values.values),
        )
        column = self.column(entity.name, hint.name)
        self.put(node, column, of)
        # An end that the state tells follows it.
        for other in entity.properties:
            if self._end_of(entity, other) is not None and other.null:
                name = self.column(entity.name, other.name)
                given = self.given.nodes[node].properties[name].of
                if isinstance(given, spec.After):
                    ended_ones = [v for v, _ in done if not _GOING.search(v)] or [done[0][0]]
                    cases: dict[str, Distribution] = dict.fromkeys(ended_ones, given)
                    ended = spec.Conditional(column=column, cases=cases, otherwise=spec.Absent())
                    self.put(node, name, ended, null=0.0)

    def _end_of(self, entity: Entity, hint: Hint) -> Hint | None:
        """The date that a date of the same entity follows, if it is no planned one."""
        value = hint.value
        if not isinstance(value, Moment) or not value.after or value.planned:
            return None
        return entity.property(value.after)

    def _ends(self, entity: Entity) -> None:
        """Episodes that began long ago have ended; those of late may go on."""
        node = self.node[entity.name].name
        for hint in entity.properties:
            name = self.column(entity.name, hint.name)
            column = self.given.nodes[node].properties[name]
            value, start = hint.value, self._end_of(entity, hint)
            if start is None or start.null or not 0 < column.null <= _RARE:
                continue
            assert isinstance(value, Moment)  # noqa: S101 - an end is one
            days = value.gap[1] if value.unit == "days" else 2
            if isinstance(column.of, spec.After) and 0 < days <= _LONGEST:
                of = spec.Banded(
                    column=self.column(entity.name, start.name),
                    bands=(spec.Band(upto=_ago(days), of=column.of),),
                    otherwise=spec.Absent(),
                )
                self.put(node, name, of, null=0.0)

    # --- times over edges ------------------------------------------------------------------

    def anchors(self) -> None:
        """What is part of an episode lies within it, what follows something comes soon after."""
        done: set[str] = set()
        anchored = [row for row in self.edges if row[0].anchor is not None]
        others = [
            (replace(relation, anchor=Anchor()), edge_names, edge)
            for relation, edge_names, edge in self.edges
            if self.in_life(relation)
        ]
        for relation, _, edge in (*anchored, *others):
            ends = self.ends(relation)
            if ends is None or relation.source == relation.target:
                continue
            many, one = (self.entities[name] for name in ends)
            start = begins(many)
            if start is None or many.name in done or not isinstance(start.value, Moment):
                continue
            of = self._anchored(relation, one, start.value, edge.name)
            if of is None:
                continue
            node, column = self.node[many.name].name, self.column(many.name, start.name)
            usual = self.given.nodes[node].properties[column].of
            columns = dict(self.given.nodes[node].properties)
            loose = relation.many.endswith("?") or self._may_lack(relation.anchor, one)
            if loose and isinstance(usual, spec.Dates):
                usual = usual.model_copy(update={"ascending": False})
                drawn: Distribution = spec.Banded(
                    column=of.columns[0], bands=(spec.Band(upto=_EVER, of=of),), otherwise=usual
                )
            else:
                drawn = self._in_turn(of, relation, many)
            columns[column] = columns[column].model_copy(update={"of": drawn})
            chosen_by = self._chosen_by(relation, many)
            for name, other in columns.items():
                if name in chosen_by or not isinstance(other.of, spec.Sequence):
                    continue
                if other.of.by is None:
                    numbered = other.of.model_copy(update={"by": column})
                    columns[name] = other.model_copy(update={"of": numbered})
            before, same = self.given, self.given.edges[edge.name].same
            self.put_edge(edge.name, order=(), same=self.yielding(edge.name, same))
            if self._take_nodes(node, columns):
                done.add(many.name)
                self.anchored.add(edge.name)
                if relation.anchor == Anchor():
                    self.ends_with(relation, edge.name)
            else:
                self.given = before

    def _chosen_by(self, relation: Relation, many: Entity) -> set[str]:
        """The columns of the many by which their one is chosen: they are there before its dates."""
        side = 0 if relation.source == many.name else 1
        pairs = [*relation.match, *relation.via, *((f.ours, f.theirs) for f in relation.fits)]
        return {self.column(many.name, p[side]) for p in pairs if many.property(p[side])}

    def _anchored(
        self, relation: Relation, one: Entity, start: Moment, edge: str
    ) -> spec.After | None:
        """When the many begin, as the relation says; None where the one shows no such date."""
        anchor = relation.anchor
        assert anchor is not None  # noqa: S101 - the caller looks
        base = one.property(anchor.of) if anchor.of else begins(one)
        if base is None:
            return None
        until = AS_OF if not start.planned else _FAR if start.hours else None
        columns = (f"{edge}.{self.column(one.name, base.name)}",)
        shared: dict[str, Any] = {
            "columns": columns,
            "workdays": start.workdays,
            "shopdays": start.shopdays,
            "every": start.every,
            "months": season_of(start),
        }
        decimals = 3 if start.clock else 0
        if anchor.gap is not None:
            low, high = anchor.gap
            varied = anchor.unit == "days" and until and (low != high or start.hours)
            over = self.end_over(relation, edge) if until and base == begins(one) else ()
            return spec.After(
                **shared,
                gap=spec.Uniform(low=low, high=max(high, low), decimals=decimals),
                unit=anchor.unit,
                until=until,
                hours=hours_of(start) if varied else (),
                before=over,
                monthly=start.monthly,
                day=start.day,
            )
        last = [
            f"{edge}.{self.column(one.name, hint.name)}"
            for hint in one.properties
            if isinstance(hint.value, Moment) and hint.value.after == base.name
        ]
        hours = hours_of(start) if start.hours else ()
        unseen = self.unseen_end(one) if not last and base == begins(one) else None
        if unseen is not None:
            return spec.After(
                **shared,
                gap=spec.Uniform(low=0, high=unseen.gap[1], decimals=decimals),
                unit=unseen.unit if start.clock else "days",
                until=AS_OF,
                hours=hours if unseen.unit == "days" else (),
            )
        return spec.After(
            **shared,
            before=tuple(last[:1]),
            until=AS_OF,
            hours=hours,
            monthly=start.monthly,
            day=start.day,
        )

    def _in_turn(self, of: spec.After, relation: Relation, many: Entity) -> Distribution:
        """Steps begin one after the other where their number is shown, each early in its part."""
        anchor = relation.anchor
        hint = many.property(anchor.by) if anchor is not None and anchor.by else None
        if anchor is None or anchor.gap is None or hint is None:
            return of
        place = hint.value
        if not isinstance(place, Place) or place.otherwise.shape != "uniform":
            return of
        first, last = place.start, int(place.otherwise.parameters[1])
        low, high = anchor.gap
        part = (high - low) / (last - first + 1)

        def begin(number: int) -> spec.After:
            since = round(low + part * (number - first))
            until = since if anchor.sharp else max(int(since + part * _EARLY), since)
            gap = spec.Uniform(low=since, high=until, decimals=0 if anchor.unit == "days" else 3)
            return of.model_copy(update={"gap": gap})

        bands = tuple(spec.Band(upto=each, of=begin(each)) for each in range(first, last + 1))
        column = self.column(many.name, hint.name)
        return spec.Banded(column=column, bands=bands, otherwise=begin(last + 1))

    def _may_lack(self, anchor: Anchor | None, one: Entity) -> bool:
        """Whether what the many begin after may be missing."""
        base = one.property(anchor.of) if anchor is not None and anchor.of else None
        return base is not None and base.null > 0

    def orders(self) -> None:
        """Of many and one, the one is there first; people are born before what they do."""
        for relation, _, edge in self.edges:
            part = self.given.edges[edge.name]
            lone = not (part.order or part.symmetric or part.reciprocity or part.triangles)
            if edge.name in self.anchored or relation.anytime:
                continue
            if not lone:
                if (ends := self.ends(relation)) is not None and self._of_amounts(relation):
                    self.after_what_it_leads_to(edge.name, ends)
                continue
            if relation.source == relation.target:
                self._among_alike(relation, edge.name)
                continue
            ends = self.ends(relation)
            if ends is not None and relation.many.rstrip("?") != "1:1":
                first, then = self.entities[ends[1]], self.entities[ends[0]]
                one, other = origin(first) or year_of(first), begins(then)
                if one and other and could_be_late(one, other):
                    days = relation.gap, relation.within
                    self._order(edge.name, first, one, then, other, *days)
                    continue
            if relation.many.rstrip("?") == "1:1":
                continue
            if ends is not None and self.after_what_it_leads_to(edge.name, ends):
                continue
            for born, thing in (
                (relation.source, relation.target),
                (relation.target, relation.source),
            ):
                self._born_before(edge.name, self.entities[born], self.entities[thing])

    def _of_amounts(self, relation: Relation) -> bool:
        """Whether what a relation orders are numbers and no dates."""
        ends = {"source": relation.source, "target": relation.target}
        hints = (
            self.entities[ends[end]].property(name)
            for order in relation.order
            for end, _, name in (side.partition(".") for side in order)
        )
        return bool(relation.order) and all(
            hint is not None and not isinstance(hint.value, Moment) for hint in hints
        )

    def _among_alike(self, relation: Relation, edge: str) -> None:
        """Parents are older than their children, what is answered or cited is there before."""
        entity = self.entities[relation.source]
        birth = next((h for h in entity.properties if BIRTH.fullmatch(h.name)), None)
        start = begins(entity)
        number = next(n for n, (r, _, e) in enumerate(self.edges) if e.name == edge)
        back = self.names.edges[number].turned
        hint, gap = start, 0
        if re.search(r"PARENT|DAUGHTER|MOTHER|FATHER|CHILD", relation.type):
            hint, gap = birth, 18 * 365
            if entity.name == "cow" or birth is None or birth.name == "born_on":
                gap = 2 * 365
        if relation.within is not None:
            gap = max(gap, relation.gap, 1)  # two of one day could lead to one another
        if hint is None or relation.many not in ("n:1?", "1:n?", "1:n", "n:1", "n:m"):
            return
        older_first = OLDER_FIRST.fullmatch(relation.type)
        younger_first = YOUNGER_FIRST.fullmatch(relation.type)
        if not older_first and not younger_first:
            return
        column = self.column(entity.name, hint.name)
        ends = ("source", "target") if bool(older_first) != back else ("target", "source")
        order = spec.Before(
            first=f"{ends[0]}.{column}",
            then=f"{ends[1]}.{column}",
            gap=gap,
            within=relation.within,
        )
        self.put_edge(edge, order=(order,))

    def _born_before(self, edge: str, person: Entity, thing: Entity) -> None:
        birth = next((h for h in person.properties if BIRTH.fullmatch(h.name)), None)
        start = begins(thing)
        if birth is None or start is None or self.given.edges[edge].order:
            return
        grown = person.property("first_name") is not None and not _MINORS.search(person.name)
        assert isinstance(birth.value, Moment)  # noqa: S101 - a birth is a date
        assert isinstance(start.value, Moment)  # noqa: S101 - a begin is one
        if birth.value.last + (17 if grown else 0) < start.value.first:
            return
        self._order(edge, person, birth, thing, start, gap=_GROWN_UP if grown else 0)

    def _order(
        self,
        edge: str,
        first: Entity,
        one: Hint,
        then: Entity,
        other: Hint,
        gap: int = 0,
        within: int | None = None,
    ) -> None:
        made = self.schema.edge_by_name[edge]
        side = "source" if made.source == self.node[first.name].name else "target"
        across = "target" if side == "source" else "source"
        order = spec.Before(
            first=f"{side}.{self.column(first.name, one.name)}",
            then=f"{across}.{self.column(then.name, other.name)}",
            gap=gap,
            within=within,
        )
        self.put_edge(edge, order=(order,))

    def edge_dates(self) -> None:
        """A date of an edge lies between the begins and the ends of both its nodes."""
        for relation, edge_names, edge in self.edges:
            ends = (relation.source, relation.target)
            source, target = reversed(ends) if edge_names.turned else ends
            for hint in relation.properties:
                if not isinstance(hint.value, Moment) or hint.value.planned:
                    continue
                column = edge_names.properties[hint.name]
                bounds = _Bounds()
                self._bounds_of("source", source, hint.name, bounds)
                self._bounds_of("target", target, hint.name, bounds)
                part = self.given.edges[edge.name]
                of = bounds.on(part.properties[column].of, hint.value)
                if of is not None:
                    changed = part.properties[column].model_copy(update={"of": of})
                    self.put_edge(edge.name, properties={**part.properties, column: changed})

    def _bounds_of(self, side: str, name: str, date: str, bounds: _Bounds) -> None:
        """Add when the node of one side begins and ends, for the date of an edge."""
        entity = self.entities[name]
        births = (hint for hint in entity.properties if BIRTH.fullmatch(hint.name))
        start = origin(entity) or next(births, None)
        if start is None or start.null:
            return
        assert isinstance(start.value, Moment)  # noqa: S101 - begins and births are
        bounds.starts.append((f"{side}.{self.column(name, start.name)}", start.value))
        for known in entity.properties:
            if not isinstance(known.value, Moment) or known.value.after != start.name:
                continue
            reference = f"{side}.{self.column(name, known.name)}"
            able = _ABLE.match(known.name) is not None
            if not (able or _KNOWN.match(known.name)):
                bounds.ends.append(reference)
            elif not known.null and (able or _WORK.match(date)):
                bounds.starts.append((reference, known.value))

    # --- money ------------------------------------------------------------------------------

    def currencies(self) -> None:
        """Where most is in euros, it is in the money of the country; most are of its people."""
        own = _MONEY.get(self.home, "EUR")
        for entity in self.chosen.entities:
            node = self.node[entity.name].name
            for name, column in self.given.nodes[node].properties.items():
                of = column.of
                if isinstance(of, spec.Categorical) and set(of.values) >= {"German", "French"}:
                    others = tuple(v for v in of.values if v != _PEOPLE[self.home])
                    weights = (94.0, *([6.0 / len(others)] * len(others)))
                    values: tuple[Scalar, ...] = (_PEOPLE[self.home], *others)
                    self.put(node, name, spec.Categorical(values=values, weights=weights))
                    continue
                if not isinstance(of, spec.Categorical) or "EUR" not in of.values or own == "EUR":
                    continue
                if column.unique or not all(_CODE.fullmatch(str(v)) for v in of.values):
                    continue
                swap: dict[Scalar, Scalar] = {"EUR": own, own: "EUR"}
                swapped = tuple(swap.get(value, value) for value in of.values)
                self.put(node, name, of.model_copy(update={"values": swapped}))

    # --- lists that are nodes ----------------------------------------------------------------

    def kinds(self) -> None:
        """Of a list that has become nodes, each value is as frequent as the taxonomy says."""
        for relation, _, edge in self.edges:
            ends, part = self.ends(relation), self.given.edges[edge.name]
            if ends is None or "#" not in ends[1] or self._agree(edge.name):
                continue
            name = self.column(ends[1], "name")
            label = self.given.nodes[self.node[ends[1]].name].properties[name]
            if not isinstance(label.of, spec.Categorical) or len(set(label.of.weights)) < 2:
                continue
            side = "target" if part.cardinality == "n:1" else "source"
            prefer = spec.Prefer(
                column=name, values=label.of.values, weights=label.of.weights, share=1.0
            )
            end = getattr(part, side).model_copy(update={"prefer": prefer})
            self.put_edge(edge.name, **{side: end})

    # --- home ------------------------------------------------------------------------------

    def homes(self) -> None:
        """Most people, companies and places of a graph are at home in its country; a relation that
        holds for certain states only leads to these."""
        later = sorted(self.edges, key=lambda row: self._agree(row[2].name))
        for relation, _, edge in later:
            ends = self.ends(relation)
            if ends is not None and relation.only is not None and relation.many.startswith("1:1"):
                self._only_one(relation, edge.name)
            if ends is None or relation.many.startswith("1:1"):
                continue
            one = self.entities[ends[1]]
            if relation.only is not None:
                self._only(relation.only, one, edge.name)
                continue
            if relation.seat is not None and not (relation.via and self._agree(edge.name)):
                self._in_the_seat(relation.seat, one, edge.name)
                continue
            column = {"countries": "name", "cities": "country"}.get(one.rows)
            column = "country" if relation.home else column
            hint = one.property(column) if column else None
            many = self.entities[ends[0]]
            if hint is None or many.name in ABROAD or relation.match or self._elsewhere(edge.name):
                continue
            person = "person" in (many.name, many.parent) or many.property("first_name")
            prefer = spec.Prefer(
                column=self.column(one.name, hint.name),
                values=(self.home,),
                share=_AT_HOME[
                    "person"
                    if person and one.rows == "countries"
                    else "company"
                    if "organization" in (many.name, many.parent)
                    else "other"
                ],
            )
            part = self.given.edges[edge.name]
            side = "target" if part.cardinality == "n:1" else "source"
            end = getattr(part, side).model_copy(update={"prefer": prefer})
            self.put_edge(edge.name, **{side: end})

    def _in_the_seat(self, share: float, city: Entity, edge: str) -> None:
        """Most are in one town of the graph's country: the first that the taxonomy has of it."""
        called, cities = city.property("name"), self.rows.get(city.rows)
        if called is None or cities is None:
            return
        at = [cities.columns.index(name) for name in ("name", "country")]
        seat = next((row[at[0]] for row in cities.rows if row[at[1]] == self.home), None)
        if seat is None:
            return
        column = self.column(city.name, called.name)
        prefer = spec.Prefer(column=column, values=(seat,), share=share)
        part = self.given.edges[edge]
        side = "target" if part.cardinality == "n:1" else "source"
        end = getattr(part, side).model_copy(update={"prefer": prefer})
        self.put_edge(edge, **{side: end})

    def _elsewhere(self, edge: str) -> bool:
        """Whether an edge type leads where another one does, unless that is at home for certain:
        who lacks an address lives in the country, too."""
        for same in self.given.edges[edge].same:
            if same.pairs:
                continue
            way = max(same.source, same.target, key=lambda name: name.count(".")).split(".")
            part = self.given.edges.get(way[-2]) if len(way) > 1 else None
            prefer = part and (part.source.prefer or part.target.prefer)
            if not prefer or (prefer.values, prefer.share) != ((self.home,), 1.0):
                return True
        return False

    def _only_one(self, relation: Relation, edge: str) -> None:
        """Of two that are joined one to one, that which has the property is in such a state."""
        assert relation.only is not None  # noqa: S101 - the caller looks
        key, values = relation.only
        for name in (relation.source, relation.target):
            column = self._over(name, key, self.both)
            if column is None or relation.source == relation.target:
                continue
            made = self.schema.edge_by_name[edge]
            side = "source" if made.source == self.node[name].name else "target"
            prefer = spec.Prefer(column=column, values=values, share=1.0)
            end = getattr(self.given.edges[edge], side)
            self.put_edge(edge, **{side: end.model_copy(update={"prefer": prefer})})
            return

    def _only(self, only: tuple[str, tuple[str, ...]], one: Entity, edge: str) -> None:
        column = self._over(one.name, only[0], self.both)
        if column is None:
            return
        prefer = spec.Prefer(column=column, values=only[1], share=1.0)
        part = self.given.edges[edge]
        side = "target" if part.cardinality == "n:1" else "source"
        if part.cardinality in ("n:1", "1:n"):
            self.put_edge(edge, **{side: getattr(part, side).model_copy(update={"prefer": prefer})})


def _list(values: tuple[tuple[str, float], ...]) -> spec.Categorical:
    names: tuple[Scalar, ...] = tuple(value for value, _ in values)
    return spec.Categorical(values=names, weights=tuple(weight for _, weight in values))


def _ago(days: int) -> str:
    return (date.fromisoformat(AS_OF) - timedelta(days=days)).isoformat()
