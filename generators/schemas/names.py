"""The names of one schema: labels, types and properties in one style, none of them twice."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from generators.schemas.blueprint import Blueprint
from generators.schemas.style import Style, either
from generators.schemas.tell import kind_of
from generators.taxonomy.model import Entity, Hint, Relation, Rows, SubDomain
from graphmill.english.inflection import plural


@dataclass(frozen=True, slots=True)
class NodeNames:
    """The names of a node type; `identifier` is a key that is made up, "" where there is none.

    `prefix` begins the codes of a made-up key; without it they are numbers.
    """

    labels: tuple[str, ...]
    singular: str
    plural: str
    properties: dict[str, str]
    key: str
    identifier: str = ""
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class EdgeNames:
    """The names of an edge type; `turned` edges run from the relation's target to its source."""

    label: str
    turned: bool
    properties: dict[str, str]
    synonyms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Names:
    """Names of all entities (by their name) and of all relations (in their order)."""

    nodes: dict[str, NodeNames]
    edges: tuple[EdgeNames, ...]


def named(chosen: Blueprint, domain: SubDomain, style: Style, rng: Random) -> Names:
    """Names for everything in a blueprint."""
    maker = _Maker(domain, style, rng)
    singulars = {e.name: maker.noun(e) for e in chosen.entities}
    nodes = {e.name: maker.node(e, singulars[e.name], singulars) for e in chosen.entities}
    return Names(nodes, maker.edges(chosen.relations, singulars))


class _Maker:
    def __init__(self, domain: SubDomain, style: Style, rng: Random) -> None:
        self.rows = domain.rows
        self.style = style
        self.rng = rng
        self.labels: set[str] = set()
        self.kinds: dict[str, str] = {}  # a property has one type in the whole graph
        self.words: dict[tuple[str, ...], str] = {}

    # --- nodes ---------------------------------------------------------------------------

    def noun(self, entity: Entity) -> str:
        """The noun of an entity, another one than those of the others."""
        wanted = either(self.rng, entity.singular, entity.also, self.style.synonyms)
        for noun in (wanted, entity.singular, *entity.also):
            label = self.style.label(noun).casefold()
            if label not in self.labels:
                self.labels.add(label)
                return noun
        owner = entity.name.partition("#")[0].replace("_", " ")
        noun = f"{owner} {entity.singular}"
        self.labels.add(self.style.label(noun).casefold())
        return noun

    def node(self, entity: Entity, singular: str, singulars: dict[str, str]) -> NodeNames:
        """The names of an entity's node type."""
        own = self.style.label(singular)
        labels = [own]
        if self.style.parents and entity.parent:
            parent = self.style.label(singulars.get(entity.parent, entity.parent.replace("_", " ")))
            if parent.casefold() != own.casefold() and parent.casefold() not in (
                self.labels - {self.style.label(singulars.get(entity.parent, "")).casefold()}
            ):
                labels.append(parent)
        properties = self.properties(entity.properties, singular, self.rows.get(entity.rows))
        key = next((p for p in entity.properties if p.key), None)
        many = entity.plural if singular == entity.singular else plural(singular)
        if key is not None and self.style.keys == "natural":
            return NodeNames(tuple(labels), singular, many, properties, properties[key.name])
        identifier = self.style.identifier(singular)
        coded = self.style.keys == "named code"
        kind = "STRING" if coded else "INTEGER"
        if identifier in properties.values():
            taken = next(h for h in entity.properties if properties[h.name] == identifier)
            if taken.key:
                return NodeNames(tuple(labels), singular, many, properties, identifier)
            identifier = self.style.property(f"{identifier}_key")
        if self.kinds.setdefault(identifier, kind) != kind:
            identifier = self.style.property(f"{singular.lower().replace(' ', '_')}_key")
            self.kinds[identifier] = kind
        prefix = f"{_initials(singular)}-" if coded else ""
        return NodeNames(tuple(labels), singular, many, properties, identifier, identifier, prefix)

    # --- properties ----------------------------------------------------------------------

    def properties(
        self, hints: tuple[Hint, ...], owner: str, rows: Rows | None = None
    ) -> dict[str, str]:
        """A name for each property, unlike the others and of one type in the whole graph."""
        names: dict[str, str] = {}
        for hint in hints:
            group = (hint.name, *hint.also)
            if group not in self.words:
                self.words[group] = either(self.rng, hint.name, hint.also, self.style.synonyms)
            kind = kind_of(hint.value, rows).value
            longer = f"{owner.lower().replace(' ', '_').replace('-', '_')}_{hint.name}"
            for word in (self.words[group], hint.name, *hint.also, longer):
                name = self.style.property(word)
                taken = {other.casefold() for other in names.values()}
                if name.casefold() not in taken and self.kinds.get(name, kind) == kind:
                    break
            self.kinds[name] = kind
            names[hint.name] = name
        return names

    # --- edges ---------------------------------------------------------------------------

    def edges(
        self, relations: tuple[Relation, ...], singulars: dict[str, str]
    ) -> tuple[EdgeNames, ...]:
        """Names of all relations; the same word for all that the taxonomy calls the same."""
        chosen: dict[tuple[str, ...], tuple[str, bool]] = {}
        taken: set[tuple[str, str, str]] = set()
        edge_names = []
        for relation in relations:
            turned_types = tuple(turned.type for turned in relation.turned)
            group = (relation.type, *relation.also, *turned_types)
            if group not in chosen:
                others = [(t, False) for t in relation.also] + [(t, True) for t in turned_types]
                chosen[group] = either(
                    self.rng, (relation.type, False), others, self.style.synonyms
                )
            options = [chosen[group], (relation.type, False)]
            options += [(t, False) for t in relation.also]
            for word, turned in options:
                ends = (relation.source, relation.target)
                source, target = reversed(ends) if turned else ends
                if (source, word, target) not in taken:
                    break
            taken.add((source, word, target))
            synonyms = tuple(
                self.style.type(t)
                for t in (turned_types if turned else (relation.type, *relation.also))
                if t != word
            )
            properties = self.properties(relation.properties, relation.type.lower())
            edge_names.append(EdgeNames(self.style.type(word), turned, properties, synonyms))
        return tuple(edge_names)


def _initials(noun: str) -> str:
    """Three letters for the codes of a type: CUS of customer, SAR of suspicious activity report.

    >>> _initials("customer"), _initials("suspicious activity report"), _initials("IP address")
    ('CUS', 'SAR', 'IPA')
    """
    parts = [word for word in noun.upper().replace("-", " ").split() if word.isalnum()]
    if len(parts) >= 3:
        return "".join(part[0] for part in parts[:3])
    if len(parts) == 2:
        return (parts[0][:2] + parts[1][0]) if len(parts[0]) > 1 else parts[0] + parts[1][:2]
    return parts[0][:3]
