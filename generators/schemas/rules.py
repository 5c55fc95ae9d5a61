"""The schema author that needs no model: from the taxonomy and a seed to schema and distributions.

A part of the sub-domain is chosen (`blueprint`), everything in it gets a name in one style
(`style`, `names`), and the taxonomy's hints become the specification (`tell`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any, ClassVar

from generators.questions.lexicon.completion.complete import AUTHORED, parse_phrase
from generators.questions.lexicon.model import Lexicon, Noun, Path, Provenance, Thing
from generators.questions.lexicon.model import Property as Words
from generators.schemas.author import SchemaProposal, SchemaRequest
from generators.schemas.blueprint import Blueprint, blueprint, bounds_of, without_numbers
from generators.schemas.dependences import ABROAD, dependent
from generators.schemas.names import EdgeNames, Names, NodeNames, named
from generators.schemas.national import LOCALES
from generators.schemas.reified import needs
from generators.schemas.style import style
from generators.schemas.tell import Teller, edges, kind_of
from generators.schemas.timing import NO_START
from generators.synthesis import spec
from generators.taxonomy.model import (
    By,
    Cell,
    Choice,
    Code,
    Entity,
    Hint,
    Nothing,
    Phrase,
    Relation,
    Rows,
    SubDomain,
    Value,
)
from graphmill.english.inflection import a, plural
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type

_MOST_LISTED = 8
# The countries beside that of a graph that its suppliers are in, where no cities, airports or ports
# need others; people and companies are at home.
_TRADED = ("Germany", "France", "Italy", "United Kingdom", "Poland", "Türkiye", "India", "China")
_LONG = 8
_EVENT = re.compile(r"(\w+?)_(?:on|at)")  # closed_on, delivered_at


class RuleSchemaAuthor:
    """Writes schemas by rule: the same request and random generator give the same proposal."""

    name: ClassVar[str] = "rules"
    version: ClassVar[str] = "1"

    def generate(self, request: SchemaRequest, rng: Random) -> Iterator[SchemaProposal]:
        """One proposal after the other, each drawn anew.

        Raises:
            GraphmillError: there is no such level, or the sub-domain is too small for it.
        """
        bounds_of(request.level)
        while True:
            chosen = blueprint(request.domain, request.level, rng)
            drawn = style(rng)
            if drawn.keys != "natural":
                chosen = without_numbers(chosen)
            names = named(chosen, request.domain, drawn, rng)
            homes = [each for each, home in LOCALES.items() if home in request.domain.homes]
            locale = rng.choice(homes or list(LOCALES))
            yield _Proposal(request.domain, chosen, names, locale).made(rng)


class _Proposal:
    """Puts one proposal together."""

    def __init__(self, domain: SubDomain, chosen: Blueprint, names: Names, locale: str) -> None:
        self.domain = domain
        self.locale = locale
        self.chosen = chosen
        self.names = names
        self.entities = {e.name: e for e in chosen.entities}
        self.nodes: dict[str, NodeType] = {}

    def made(self, rng: Random) -> SchemaProposal:
        """Schema, specification and lexicon."""
        nodes: dict[str, spec.Nodes] = {}
        things: dict[str, Thing] = {}
        words: dict[str, dict[str, Words]] = {}
        for entity in self.chosen.entities:
            names = self.names.nodes[entity.name]
            node, columns = self._node(entity, names)
            self.nodes[entity.name] = node
            nodes[node.name] = spec.Nodes(
                weight=entity.share, fixed=self._fixed(entity, rng), properties=columns
            )
            things[node.name] = _thing(entity, names)
            words[node.name] = _properties(entity.properties, names.properties)
        links: dict[str, spec.Edges] = {}
        types = []
        paths: dict[str, Path] = {}
        for relation, edge_names in zip(self.chosen.relations, self.names.edges, strict=True):
            edge, link = self._edge(relation, edge_names)
            types.append(edge)
            links[edge.name] = link
            paths[edge.name] = _path(relation, edge_names, edge)
            words[edge.name] = _properties(relation.properties, edge_names.properties)
        schema = SchemaGraph(
            self.domain.name.replace("-", "_"), tuple(self.nodes.values()), tuple(types)
        )
        given = dependent(
            schema,
            spec.Specification(nodes=nodes, edges=links),
            self.chosen,
            self.names,
            self.locale,
            self.domain,
            self._teller,
        )
        lexicon = Lexicon(
            domain=self.domain.path,
            purpose=self.domain.purpose,
            questions=self.domain.questions,
            things=things,
            paths=paths,
            properties={owner: entries for owner, entries in words.items() if entries},
        )
        return SchemaProposal(schema, given, lexicon)

    # --- nodes ---------------------------------------------------------------------------

    def _node(self, entity: Entity, names: NodeNames) -> tuple[NodeType, dict[str, spec.Column]]:
        teller = self._teller(entity)
        properties = []
        columns = {}
        if names.identifier:
            kind = Kind.STRING if names.prefix else Kind.INTEGER
            properties.append(Property(names.identifier, Type(kind), False, "Key."))
            columns[names.identifier] = spec.Column(
                of=spec.Sequence(prefix=names.prefix, digits=6 if names.prefix else 0, start=1),
                unique=True,
            )
        for hint in entity.properties:
            made, column = self._property(entity, hint, names.properties[hint.name], teller)
            key = made.name == names.key
            listed = hint.unique and isinstance(hint.value, Choice)
            unique = column.unique or key or listed or self._distinct(entity, hint)
            properties.append(made)
            columns[made.name] = column.model_copy(update={"unique": unique})
        self._closed_by_status(entity, names, columns)
        _named_by_gender(entity, names, columns)
        _in_order(entity, names, columns)
        node = NodeType(
            names.labels, tuple(properties), (names.key,), entity.note or f"One {entity.singular}."
        )
        return node, columns

    def _closed_by_status(
        self, entity: Entity, names: NodeNames, columns: dict[str, spec.Column]
    ) -> None:
        """What is closed has a closing day and nothing else has: where a status says so."""
        for hint in entity.properties:
            event = _EVENT.fullmatch(hint.name)
            name = names.properties[hint.name]
            given = columns[name].of
            if event is None or not isinstance(given, spec.After) or not columns[name].null:
                continue
            for other in entity.properties:
                if not isinstance(other.value, Choice) or other.null:
                    continue
                statuses = [v for v, _ in other.value.values if v.split()[0].casefold() == event[1]]
                if statuses and len(statuses) < len(other.value.values):
                    status = spec.Conditional(
                        column=names.properties[other.name],
                        cases=dict.fromkeys(statuses, given),
                        otherwise=spec.Absent(),
                    )
                    columns[name] = spec.Column(of=status)
                    break

    def _rows(self, entity: Entity) -> Rows | None:
        """The table of an entity: of one country where nothing ties it to others. Of countries,
        then, few: those without anybody say nothing."""
        rows = self.domain.rows.get(entity.rows)
        more = self.domain.rows.get(entity.local)
        tied = any(
            relation.match and entity.name in (relation.source, relation.target)
            for relation in self.chosen.relations
        )
        home = LOCALES[self.locale]
        if rows is not None and entity.rows == "countries" and not tied:
            at = rows.columns.index("name")
            ours = tuple(r for r in rows.rows if r[at] == home)
            abroad = any(
                r.target == entity.name and r.source in ABROAD for r in self.chosen.relations
            )
            named = {
                value
                for relation in self.chosen.relations
                if relation.target == entity.name and relation.only is not None
                for value in relation.only[1]
            }
            named |= set(_TRADED) if abroad else set()
            others = tuple(r for r in rows.rows if r[at] in named and r[at] != home)
            return Rows(rows.columns, (*ours, *others))
        if rows is None or more is None or tied:
            return rows
        at = rows.columns.index("country")
        return Rows(rows.columns, tuple(r for r in (*rows.rows, *more.rows) if r[at] == home))

    def _distinct(self, entity: Entity, hint: Hint) -> bool:
        """Whether values are all different: those of a closed list or table, texts, long codes."""
        if not hint.unique:
            return False
        match hint.value:
            case Choice() | Phrase():
                return True
            case By(cases=cases, otherwise=otherwise):
                return all(isinstance(v, Phrase) for v in (*(c for _, c in cases), otherwise))
            case Code(pattern=pattern):
                return sum(mark in "#?*" for mark in pattern) >= _LONG
            case Cell(column):
                rows = self._rows(entity)
                return rows is not None and column == rows.columns[0]
        return False

    def _fixed(self, entity: Entity, rng: Random) -> int | None:
        """How many there are where a table, a closed list or the taxonomy says so."""
        room = [] if entity.most is None else [rng.randint(-(-entity.most // 2), entity.most)]
        rows = self._rows(entity)
        cells = [hint for hint in entity.properties if isinstance(hint.value, Cell)]
        if rows is not None and any(self._distinct(entity, hint) for hint in cells):
            room.append(len(rows.rows))
        for hint in entity.properties:
            match hint.value:
                case Choice(values) if hint.unique:
                    room.append(len(values))
                case Phrase(template) if hint.unique and template[1:-1] in self.domain.lists:
                    room.append(len(self.domain.lists[template[1:-1]].values))
        return min(room) if room else None

    def _teller(self, element: Entity | Relation) -> Teller:
        def spelt(name: str) -> str:
            end, dot, rest = name.partition(".")
            if dot and isinstance(element, Relation):
                return f"{end}.{self.names.nodes[getattr(element, end)].properties[rest]}"
            if name.startswith("row:") and isinstance(element, Entity):
                column = Cell(name.removeprefix("row:"))
                name = next(h.name for h in element.properties if h.value == column)
            if isinstance(element, Entity):
                return self.names.nodes[element.name].properties[name]
            at = self.chosen.relations.index(element)
            return self.names.edges[at].properties[name]

        def key(end: str) -> str:
            return f"{end}.{self.names.nodes[getattr(element, end)].key}"

        rows = self._rows(element) if isinstance(element, Entity) else None
        return Teller(self.domain, spelt, rows, self.locale, key)

    def _property(
        self, element: Entity | Relation, hint: Hint, name: str, teller: Teller
    ) -> tuple[Property, spec.Column]:
        kind = kind_of(hint.value, teller.rows)
        null = 0.0 if hint.key or hint.unique else hint.null
        column = spec.Column(
            of=teller.value(hint.value, key=hint.key or hint.unique), null=null, unique=hint.key
        )
        missing = null > 0 or self._inherits_null(element, hint) or _can_be_nothing(hint.value)
        made = Property(name, Type(kind), missing, "")
        return _noted(made, hint, column), column

    def _inherits_null(self, element: Entity | Relation, hint: Hint) -> bool:
        """Whether a property is missing where one that it is made of is."""
        for need in needs(hint.value):
            end, dot, rest = need.partition(".")
            owner = self.entities[getattr(element, end)] if dot else element
            other = next((p for p in owner.properties if p.name == (rest or need)), None)
            if other is not None and other.name != hint.name:
                missing = other.null > 0 and not (other.key or other.unique)
                if missing or self._inherits_null(owner, other):
                    return True
        return False

    # --- edges ---------------------------------------------------------------------------

    def _edge(self, relation: Relation, names: EdgeNames) -> tuple[EdgeType, spec.Edges]:
        teller = self._teller(relation)
        properties = []
        columns = {}
        for hint in relation.properties:
            made, column = self._property(relation, hint, names.properties[hint.name], teller)
            properties.append(made)
            columns[made.name] = column
        ends = [self.nodes[relation.source].name, self.nodes[relation.target].name]
        if names.turned:
            ends.reverse()
            columns = {name: _turned(column) for name, column in columns.items()}
        wording = relation.wording.passive if names.turned else relation.wording.active
        link = edges(
            relation,
            turned=names.turned,
            source=self.entities[relation.source],
            columns=columns,
            spelt=lambda entity, name: self.names.nodes[entity].properties[name],
        )
        nouns = [self.names.nodes[end].singular for end in (relation.source, relation.target)]
        if names.turned:
            nouns.reverse()
        note = f"{_capital(a(nouns[0]))} {wording} {a(nouns[1])}."
        return EdgeType(names.label, ends[0], ends[1], tuple(properties), note), link


def _can_be_nothing(value: Value) -> bool:
    match value:
        case Nothing():
            return True
        case By(cases=cases, otherwise=otherwise):
            return any(_can_be_nothing(v) for v in (*(c for _, c in cases), otherwise) if v)
    return False


def _named_by_gender(entity: Entity, names: NodeNames, columns: dict[str, spec.Column]) -> None:
    """First names of women and men, where the gender is told."""
    gender = next((h for h in entity.properties if h.name in ("gender", "sex")), None)
    if gender is None or not isinstance(gender.value, Choice):
        return
    values = {value for value, _ in gender.value.values}
    for hint in entity.properties:
        column = columns[names.properties[hint.name]]
        given = column.of
        if not isinstance(given, spec.Faker) or given.provider != "first_name":
            continue
        cases: dict[str, spec.Distribution] = {
            value: given.model_copy(update={"provider": f"first_name_{value}"})
            for value in ("female", "male")
            if value in values
        }
        if cases:
            of = spec.Conditional(
                column=names.properties[gender.name], cases=cases, otherwise=given
            )
            columns[names.properties[hint.name]] = column.model_copy(update={"of": of})


def _in_order(entity: Entity, names: NodeNames, columns: dict[str, spec.Column]) -> None:
    """Things are numbered as they come: the rows are in the order of the day that they began."""
    for hint in entity.properties:
        column = columns[names.properties[hint.name]]
        if (
            isinstance(column.of, spec.Dates)
            and not column.null
            and not column.unique
            and not NO_START.search(hint.name)
        ):
            of = column.of.model_copy(update={"ascending": True})
            columns[names.properties[hint.name]] = column.model_copy(update={"of": of})
            return


def _turned(column: spec.Column) -> spec.Column:
    """A column of an edge whose ends have changed sides."""
    return spec.Column.model_validate(_swapped(column.model_dump()))


def _swapped(value: Any, key: str = "") -> Any:
    """The JSON of a column with `source.` and `target.` exchanged in what it refers to."""
    if isinstance(value, dict):
        return {name: _swapped(inner, name) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_swapped(inner, key) for inner in value]
    if key in _REFERRING and isinstance(value, str):
        end, dot, rest = value.partition(".")
        other = {"source": "target", "target": "source"}.get(end)
        return f"{other}.{rest}" if dot and other else value
    return value


_REFERRING = frozenset({"column", "columns", "before", "minus", "start", "end", "by"})


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# --- words ---------------------------------------------------------------------------------


def _noted(made: Property, hint: Hint, column: spec.Column) -> Property:
    """A property with a sentence about it: its unit, the values it can have."""
    sentences = []
    if hint.unit:
        sentences.append(f"In {hint.unit}.")
    if isinstance(column.of, spec.Categorical) and made.type.kind is Kind.STRING:
        values = [str(value) for value in column.of.values]
        if len(values) <= _MOST_LISTED:
            sentences.append(f"One of: {', '.join(values)}.")
    if isinstance(column.of, spec.Pattern):
        sentences.append(f"Written as {column.of.text}, # a digit, ? a letter.")
    return Property(made.name, made.type, made.nullable, " ".join(sentences))


def _thing(entity: Entity, names: NodeNames) -> Thing:
    others = tuple(n for n in (entity.singular, *entity.also) if n != names.singular)
    return Thing(singular=names.singular, plural=names.plural, also=others, **_DOMAIN)


def _path(relation: Relation, names: EdgeNames, edge: EdgeType) -> Path:
    wordings = (relation.wording.active, relation.wording.passive)
    forward, backward = reversed(wordings) if names.turned else wordings
    noun = relation.noun
    return Path(
        along=(edge.source, f"{edge.label}>", edge.target),
        forward=parse_phrase(forward),
        backward=parse_phrase(backward),
        link=Noun(singular=noun, plural=plural(noun)) if noun not in ("", "link") else None,
        symmetric=relation.symmetric,
        **_DOMAIN,
    )


def _properties(hints: tuple[Hint, ...], names: dict[str, str]) -> dict[str, Words]:
    entries = {}
    for hint in hints:
        others = tuple(
            word.replace("_", " ")
            for word in (hint.name, *hint.also)
            if word.replace("_", "") != names[hint.name].replace("_", "").lower()
        )
        if hint.noun or hint.unit:
            entries[names[hint.name]] = Words(
                noun=hint.noun, unit=hint.unit, also=others, **_DOMAIN
            )
    return entries


_DOMAIN: dict[str, Any] = {"source": Provenance.DOMAIN, "sure": AUTHORED}
