"""Facts over two edges: who is reached over one edge and over two is the same.

`Settings` is what all rules of a schema share: its parts by name, and how a distribution or a
setting is put in the place of another, unless columns would then need each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from generators.schemas.blueprint import LOCATED, Blueprint
from generators.schemas.names import Names
from generators.schemas.national import LOCALES
from generators.schemas.tell import Teller
from generators.schemas.timing import begins
from generators.synthesis import spec
from generators.taxonomy.model import Choice, Entity, Moment, Relation, SubDomain
from schemagraph.model import NodeType, SchemaGraph
from schemagraph.specification.distributions import Distribution
from schemagraph.specification.leads import steps

_ANSWER = re.compile(r"ANSWERS|REPLY_TO|REPLIES|DUPLICATE|CONTINUES")
_THING = re.compile(r"COUNTERS|RELIST|FOLLOWS_UP|APPEAL")
_BOSS = re.compile(r"REPORTS_TO|SUPERVISED_BY|MANAGED_BY")
_LOOSE = frozenset({"city", "country", "currency", "language", "address", "department"})


class Settings:
    """A specification in the making, and what rules look up and change."""

    def __init__(
        self,
        schema: SchemaGraph,
        given: spec.Specification,
        chosen: Blueprint,
        names: Names,
        locale: str,
        domain: SubDomain,
        teller: Callable[[Entity], Teller],
    ) -> None:
        self.domain = domain
        self.teller = teller
        self.rows = domain.rows
        self.schema = schema
        self.given = given
        self.chosen = chosen
        self.names = names
        self.home = LOCALES[locale]
        self.entities = {entity.name: entity for entity in chosen.entities}
        self.node: dict[str, NodeType] = {
            entity.name: schema.nodes[number] for number, entity in enumerate(chosen.entities)
        }
        self.anchored: set[str] = set()  # every one of the many has such an edge, and none is lost
        self.strangers: set[str] = set()  # leads to another than a path does: no seller buys
        self.edges = list(zip(chosen.relations, names.edges, schema.edges, strict=True))
        self.both: dict[tuple[str, str, str], str] = {}  # each edge type that leads to one element
        self.at_home = {edge.name for relation, _, edge in self.edges if relation.home}

    # --- what the rules share --------------------------------------------------------------

    def column(self, entity: str, hint: str) -> str:
        """The name of a property in the schema."""
        return self.names.nodes[entity].properties[hint]

    def ends(self, relation: Relation) -> tuple[str, str] | None:
        """The entities at the many and at the one side; None where there is no such side."""
        match relation.many.rstrip("?"):
            case "n:1" | "1:1":
                return relation.source, relation.target
            case "1:n":
                return relation.target, relation.source
        return None

    def put(self, node: str, column: str, of: Distribution, *, null: float | None = None) -> bool:
        """Another distribution for a column of nodes; False where columns then need each other."""
        part = self.given.nodes[node]
        before = part.properties[column]
        after = before.model_copy(update={"of": of, "null": before.null if null is None else null})
        return self._take_nodes(node, {**part.properties, column: after})

    def _take_nodes(self, node: str, columns: dict[str, spec.Column]) -> bool:
        part = self.given.nodes[node].model_copy(update={"properties": columns})
        return self._take(self.given.model_copy(update={"nodes": {**self.given.nodes, node: part}}))

    def put_edge(self, edge: str, **changes: object) -> bool:
        """Other settings for an edge type; False where columns then need each other."""
        if edge in self.anchored and not changes.keys().isdisjoint({"same", "order"}):
            return False
        return self._take_edge(edge, **changes)

    def _take_edge(self, edge: str, **changes: object) -> bool:
        part = self.given.edges[edge].model_copy(update=changes)
        return self._take(self.given.model_copy(update={"edges": {**self.given.edges, edge: part}}))

    def _take(self, given: spec.Specification) -> bool:
        if steps(self.schema, given) is None:
            return False
        self.given = given
        return True

    def yielding(self, edge: str, same: tuple[spec.Same, ...]) -> tuple[spec.Same, ...]:
        """What agrees over an edge, where every node must have one: with any where none does."""
        part = self.given.edges[edge]
        many = part.source if part.cardinality == "n:1" else part.target
        if part.cardinality != "1:1" and not many.least_one:
            return same
        return tuple(one.model_copy(update={"else_any": True}) for one in same)

    def _agree(self, edge: str) -> bool:
        """Whether the ends of an edge type have an equal property."""
        return any(not same.pairs for same in self.given.edges[edge].same)


class Triangles(Settings):
    """The rules for two edges that lead to one element."""

    # --- facts over two edges --------------------------------------------------------------

    def triangles(self) -> None:
        """Who is reached over one edge and over two is the same: the customer of an alert and of
        its account. What belongs to one owner is joined with what belongs to the same one."""
        leading = {
            (ends[0], ends[1], relation.type): edge.name
            for relation, _, edge in self.edges
            if (ends := self.ends(relation)) and relation.source != relation.target
        }
        both = dict(leading)  # one to one leads either way
        for relation, _, edge in self.edges:
            if relation.many.startswith("1:1") and relation.source != relation.target:
                both.setdefault((relation.target, relation.source, relation.type), edge.name)
        self.both = both
        any_of = dict(both)  # to one of several, which is the same for all that lead over it
        for relation, _, edge in self.edges:
            if relation.many == "n:m" and relation.source != relation.target:
                any_of.setdefault((relation.source, relation.target, relation.type), edge.name)
                any_of.setdefault((relation.target, relation.source, relation.type), edge.name)
        for relation, edge_names, edge in self.edges:
            self._via(relation, edge.name, edge_names.turned, any_of)
            self._order_over(relation, edge.name, edge_names.turned, both)
            self._apart(relation, edge.name, edge_names.turned, leading)
            self._once(relation, edge.name, turned=edge_names.turned)
        self._heads()
        self._closed(leading)
        self._in_place(leading)
        self._of_one_owner(leading)

    def _closed(self, leading: dict[tuple[str, str, str], str]) -> None:
        """From an element to another over one edge, and over one between."""
        for (many, one, _), edge in leading.items():
            if one in _LOOSE or "#" in one or self._agree(edge) or edge in self.strangers:
                continue
            over = [
                (first, second)
                for (a, middle, _), first in leading.items()
                if a == many and middle != one and middle not in _LOOSE
                for (b, c, _), second in leading.items()
                if b == middle and c == one
            ]
            key = self.node[one].key[0]
            alone = len([k for k in leading if k[:2] == (many, one)]) == 1
            if len(over) == 1 and alone:
                first, second = over[0]
                self._same(edge, many, f"{first}.{second}.{key}", key)
            if not over and alone:
                far = [
                    (first, second, third)
                    for (a, near, _), first in leading.items()
                    if a == many and near not in (one, many, *_LOOSE)
                    for (b, middle, _), second in leading.items()
                    if b == near and middle not in (one, many, near, *_LOOSE)
                    for (c, d, _), third in leading.items()
                    if c == middle and d == one
                ]
                if len(far) == 1:
                    self._same(edge, many, f"{'.'.join(far[0])}.{key}", key)

    def _heads(self) -> None:
        """Who heads a department works there: what one leads to alone, it belongs to."""
        for relation, _, edge in self.edges:
            if not relation.many.startswith("1:1") or relation.source == relation.target:
                continue
            for whole, head in (
                (relation.source, relation.target),
                (relation.target, relation.source),
            ):
                key = self.node[whole].key[0]
                for other, _, made in self.edges:
                    if self.ends(other) == (head, whole) and other.many in ("n:1", "1:n"):
                        self._same(made.name, head, f"{edge.name}.{key}", key)

    def _via(
        self,
        relation: Relation,
        edge: str,
        turned: bool,
        leading: dict[tuple[str, str, str], str],
    ) -> None:
        """What is equal over another relation: an order holds dishes of its restaurant."""
        agreeing = [(pair, None) for pair in relation.via]
        fits = [((fit.ours, fit.theirs), fit) for fit in relation.fits]
        for pair, fit in (*agreeing, *(each for each in fits if "." in "".join(each[0]))):
            columns = []
            for side, name in zip((relation.source, relation.target), pair, strict=True):
                column = self._over(side, name, leading)
                if column is None:
                    break
                columns.append(column)
            else:
                part = self.given.edges[edge]
                back = fit is not None and fit.back
                if turned:
                    columns.reverse()
                same = spec.Same(
                    source=columns[0],
                    target=columns[1],
                    share=1.0,
                    pairs=dict(fit.pairs) if fit is not None else {},
                    keys="target" if turned != back else "source",
                )
                agreed = (*part.same, same)
                if edge in self.anchored:
                    agreed = self.yielding(edge, agreed)
                self._take_edge(edge, same=agreed)

    def _order_over(
        self,
        relation: Relation,
        edge: str,
        turned: bool,
        leading: dict[tuple[str, str, str], str],
    ) -> None:
        """An order of which one date is that of what another relation leads to: who sits an exam
        was enrolled before."""
        for pair in relation.order:
            if all(reference.count(".") < 2 for reference in pair):
                continue
            columns = []
            for reference in pair:
                end, _, path = reference.partition(".")
                column = self._over(getattr(relation, end), path, leading)
                side = {"source": "target", "target": "source"}[end] if turned else end
                columns.append(f"{side}.{column}" if column else "")
            orders = self.given.edges[edge].order  # a distance is kept by the first order
            if all(columns) and not (orders and self.given.edges[edge].acyclic):
                gap, within = (0, None) if orders else (relation.gap, relation.within)
                order = spec.Before(first=columns[0], then=columns[1], gap=gap, within=within)
                self.put_edge(edge, order=(*orders, order))

    def _over(self, entity: str, path: str, leading: dict[tuple[str, str, str], str]) -> str | None:
        """The column that a path over relations leads to; None where the schema has it not."""
        *kinds, key = path.split(".")
        way = self._way(entity, kinds, key, leading)
        if way is None:
            return None
        lead, entity = way
        if self.entities[entity].property(key) is None:
            whole = self.domain.entities.get(entity)
            hint = whole.property(key) if whole else None
            if hint is None or not hint.key:
                return None
            return f"{lead}{self.node[entity].key[0]}"  # made-up keys tell nodes apart as well
        return f"{lead}{self.column(entity, key)}"

    def _way(
        self, entity: str, kinds: list[str], key: str, leading: dict[tuple[str, str, str], str]
    ) -> tuple[str, str] | None:
        """The edge types by which relations lead to another entity, best to one with the property
        `key`, and that entity; None where the schema has not all of them."""
        lead = ""
        for kind in kinds:
            over = [
                (edge, one) for (a, one, how), edge in leading.items() if (a, how) == (entity, kind)
            ]
            if not over:
                return None
            known = [each for each in over if self.entities[each[1]].property(key)] or over
            edge, entity = known[0]
            lead += f"{edge}."
        return lead, entity

    def _once(self, relation: Relation, edge: str, *, turned: bool) -> None:
        """What many of one lead to is another for each of them: no lawyer has both sides of a
        case, no guest comes twice in a season."""
        if not relation.once or edge in self.anchored:
            return
        ends = self.ends(relation) or (relation.target, relation.source)
        columns = []
        for path in relation.once:
            if path.rpartition(".")[2].islower():
                column = self._over(ends[0], path, self.both)
            else:
                way = self._way(ends[0], path.split("."), "", self.both)
                column = f"{way[0]}{self.node[way[1]].key[0]}" if way else None
            if column is None:
                return
            columns.append(column)
        dates = [h for h in self.entities[ends[0]].properties if isinstance(h.value, Moment)]
        if relation.once_days and not dates:
            return
        part = self.given.edges[edge]
        at = {"n:1": "target", "1:n": "source"}.get(part.cardinality)
        once = spec.Once(
            at=at or ("target" if turned else "source"),  # type: ignore[arg-type]  # the two
            columns=tuple(columns),
            start=self.column(ends[0], dates[0].name) if relation.once_days else None,
            days=relation.once_days or None,
        )
        self._take_edge(edge, once=(*part.once, once))

    def _apart(
        self,
        relation: Relation,
        edge: str,
        turned: bool,
        leading: dict[tuple[str, str, str], str],
    ) -> None:
        """Where a flight lands is not where it departs; who buys is not who sells."""
        for path in relation.apart:
            other = _led(relation, path, leading)
            if other is None or edge in self.anchored:
                continue
            key = self.node[relation.target].key[0]
            ends = (key, f"{other}.{key}") if turned else (f"{other}.{key}", key)
            self.put_edge(edge, apart=(spec.Apart(source=ends[0], target=ends[1]),))
            if "." in path:
                self.strangers.add(edge)

    def _in_place(self, leading: dict[tuple[str, str, str], str]) -> None:
        """What has an address, a city and a country has them in one place."""
        for (many, one, kind), edge in leading.items():
            if one not in ("city", "country") or not LOCATED.match(kind) or self._agree(edge):
                continue
            key = self.node[one].key[0]
            over = [
                f"{first}.{second}.{key}"
                for (a, middle, how), first in leading.items()
                if a == many and middle != one and LOCATED.match(how)
                for (b, c, then), second in leading.items()
                if b == middle and c == one and LOCATED.match(then)
            ]
            if over:
                self._same(edge, many, over[0], key)
                continue
            cities = [
                first
                for (a, middle, how), first in leading.items()
                if a == many and middle == "city" and LOCATED.match(how)
            ]
            country = self.entities["city"].property("country") if cities else None
            called = self.entities[one].property("name")
            if one == "country" and cities and country and called:
                mine = f"{cities[0]}.{self.column('city', country.name)}"
                self._same(edge, many, mine, self.column(one, called.name))

    def _of_one_owner(self, leading: dict[tuple[str, str, str], str]) -> None:
        """What belongs to one owner, and who works in one house, are joined among themselves."""
        for relation, _, edge in self.edges:
            if relation.source == relation.target:
                self._among_its_own(relation, edge.name, leading)
                continue
            ends = self.ends(relation)
            if ends is None or ends[1] in _LOOSE or self._agree(edge.name):
                continue
            shared = _owners(leading, ends) or _owners_over_one(leading, ends, edge.name)
            if len(shared) == 1 and edge.name not in shared[0]:
                mine, theirs, owner = shared[0]
                key = self.node[owner].key[0]
                first = mine.partition(".")[0]
                if not self._agree(first) and first not in self.strangers:
                    self._same(edge.name, ends[0], f"{mine}.{key}", f"{theirs}.{key}")

    def _among_its_own(
        self, relation: Relation, edge: str, leading: dict[tuple[str, str, str], str]
    ) -> None:
        """Elements of one type: what follows one another, what answers, who leads."""
        if self.given.edges[edge].cardinality == "1:1":
            self._chain(relation, edge, leading)
        if _ANSWER.search(relation.type):
            self._of_one_thread(relation, edge, leading)
        if _BOSS.search(relation.type):
            self._led_from_above(relation, edge)
            self._in_one_house(relation, edge, leading)

    def _of_one_thread(
        self, relation: Relation, edge: str, leading: dict[tuple[str, str, str], str]
    ) -> None:
        """What answers something is about the same: the same post, listing or case."""
        about = [
            (over, one)
            for (many, one, _), over in leading.items()
            if many == relation.source and one not in _LOOSE and "#" not in one
            if not (self.entities[one].property("first_name") or one == many)
        ]
        if len(about) == 1 and not self._agree(edge):
            over, one = about[0]
            name = f"{over}.{self.node[one].key[0]}"
            self._same(edge, relation.source, name, name)

    def _chain(
        self, relation: Relation, edge: str, leading: dict[tuple[str, str, str], str]
    ) -> None:
        """What follows one another is of one owner: the admissions of a patient."""
        owners = [
            (over, self.entities[one])
            for (many, one, _), over in leading.items()
            if many == relation.source and one not in _LOOSE and "#" not in one
        ]
        people = [o for o in owners if o[1].property("birth_date") and not begins(o[1])]
        things = [o for o in owners if o not in people and not o[1].property("first_name")]
        chosen = (things or people) if _THING.search(relation.type) else (people or owners)
        if len(chosen) == 1 and self.given.edges[edge].acyclic:
            over, owner = chosen[0]
            name = f"{over}.{self.node[owner.name].key[0]}"
            self.put_edge(edge, same=(spec.Same(source=name, target=name, share=1.0),))

    def _led_from_above(self, relation: Relation, edge: str) -> None:
        """Most report to somebody of the highest levels, few of whom are led by others: a line of
        three or four from the newest to the head, where there are as many levels."""
        level = self.entities[relation.source].property("job_level")
        part = self.given.edges[edge]
        if level is None or not isinstance(level.value, Choice) or part.cardinality == "1:1":
            return
        above = [value for value, _ in level.value.values[1:]]
        prefer = spec.Prefer(
            column=self.column(relation.source, level.name),
            values=tuple(above),
            weights=tuple(float(place**2) for place in range(1, len(above) + 1)),
            share=1.0,
        )
        side = "target" if part.cardinality == "n:1" else "source"
        self.put_edge(edge, **{side: getattr(part, side).model_copy(update={"prefer": prefer})})

    def _in_one_house(
        self, relation: Relation, edge: str, leading: dict[tuple[str, str, str], str]
    ) -> None:
        """People report to somebody of the same company, site or department."""
        houses = [
            (over, one)
            for (many, one, _), over in leading.items()
            if many == relation.source and one not in _LOOSE - {"department"} and "#" not in one
        ]
        employers = [house for house in houses if self.entities[house[1]].parent == "organization"]
        if len(houses) > 1:
            houses = employers[:1]
        if len(houses) == 1 and not self._agree(edge):
            over, one = houses[0]
            name = f"{over}.{self.node[one].key[0]}"
            self._same(edge, relation.source, name, name)

    def _same(self, edge: str, many: str, mine: str, theirs: str) -> None:
        part = self.given.edges[edge]
        if edge in self.at_home:
            return
        if part.cardinality not in ("n:1", "1:n") or part.symmetric or part.triangles:
            return
        made = self.schema.edge_by_name[edge]
        from_source = part.cardinality == "n:1"
        if made.source != made.target and (made.source == self.node[many].name) != from_source:
            return
        source, target = (mine, theirs) if from_source else (theirs, mine)
        self.put_edge(edge, same=(*part.same, spec.Same(source=source, target=target, share=1.0)))


def _led(relation: Relation, path: str, leading: dict[tuple[str, str, str], str]) -> str | None:
    """The edge types by which a path of relations leads from the source to what is of the type of
    the target; None where the schema has not all of them."""
    *between, last = path.split(".")
    entity, lead = relation.source, ""
    for kind in between:
        steps_on = [
            (edge, one) for (a, one, how), edge in leading.items() if (a, how) == (entity, kind)
        ]
        if not steps_on:
            return None
        edge, entity = steps_on[0]
        lead += f"{edge}."
    there = leading.get((entity, relation.target, last))
    return None if there is None else f"{lead}{there}"


def _owners(
    leading: dict[tuple[str, str, str], str], ends: tuple[str, str]
) -> list[tuple[str, str, str]]:
    """Owners that both ends lead to: the edges of either end, and the owner's type."""
    return [
        (mine, theirs, owner)
        for (a, owner, _), mine in leading.items()
        if a == ends[0] and owner not in (*_LOOSE, ends[1]) and "#" not in owner
        for (b, c, _), theirs in leading.items()
        if b == ends[1] and c == owner
    ]


def _owners_over_one(
    leading: dict[tuple[str, str, str], str], ends: tuple[str, str], edge: str
) -> list[tuple[str, str, str]]:
    """The same, where the first end leads to the owner over one element between."""
    return [
        (f"{first}.{second}", theirs, owner)
        for (a, middle, _), first in leading.items()
        if a == ends[0] and middle not in (*_LOOSE, ends[1]) and "#" not in middle
        for (b, owner, _), second in leading.items()
        if b == middle and owner not in (*_LOOSE, *ends) and "#" not in owner
        for (c, d, _), theirs in leading.items()
        if c == ends[1] and d == owner and edge not in (first, second, theirs)
    ]
