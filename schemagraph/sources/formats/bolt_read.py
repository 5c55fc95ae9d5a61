"""A live graph by introspection: what there is, how its nodes are told apart, and all of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from graphmill.errors import SourceError
from schemagraph.convert.elements import Elements, Labels
from schemagraph.naming import distinct
from schemagraph.sources.formats.bolt_values import value_of

NO_LABEL = "Node"
OWN_KEY = "node_id"
_LIKELY = ("id", "uuid", "guid", "key", "code", "name", "title")

type Query = Callable[..., Iterator[tuple[Any, ...]]]
type Given = tuple[str, ...]
"""Labels as the server lists them, sorted."""


@dataclass
class Census:
    """How many there are: nodes by labels, edges by triple, and how many have which property."""

    nodes: Counter[Given] = field(default_factory=Counter)
    edges: Counter[tuple[Given, str, Given]] = field(default_factory=Counter)
    filled: Counter[tuple[Given, str]] = field(default_factory=Counter)
    edge_filled: Counter[tuple[str, str]] = field(default_factory=Counter)


def census(query: Query) -> Census:
    """Count everything."""
    counts = Census()
    for labels, count in query("MATCH (n) RETURN labels(n), count(*)"):
        counts.nodes[tuple(sorted(labels))] += count
    for labels, key, count in query("MATCH (n) UNWIND keys(n) AS k RETURN labels(n), k, count(*)"):
        counts.filled[tuple(sorted(labels)), key] += count
    for first, label, second, count in query(
        "MATCH (a)-[r]->(b) RETURN labels(a), type(r), labels(b), count(*)"
    ):
        counts.edges[tuple(sorted(first)), label, tuple(sorted(second))] += count
    for label, key, count in query(
        "MATCH ()-[r]->() UNWIND keys(r) AS k RETURN type(r), k, count(*)"
    ):
        counts.edge_filled[label, key] += count
    return counts


def read_database(elements: Elements, query: Query) -> None:
    """Add all nodes and edges.

    Raises:
        SourceError: there is none, a label cannot be held, or the database changes meanwhile.
    """
    before = census(query)
    if not before.nodes:
        raise SourceError(f"{elements.describe(0).split(', ')[0]} has no node.")
    names = _ordered(before)
    declared = _constraints(elements, query)
    unique = sorted(
        ((c.label, c.properties) for c in declared if c.unique and c.node),
        key=lambda item: (len(item[1]), item),
    )
    _declare(elements, declared, before, names)
    keys = {
        given: _key(elements, query, given, names[given], before, unique) for given in before.nodes
    }
    for given in sorted(before.nodes, key=lambda given: names[given]):
        _read_nodes(elements, query, given, names[given], keys[given])
    for triple in sorted(before.edges, key=lambda t: (names[t[0]], t[1], names[t[2]])):
        _read_edges(elements, query, triple, names, keys)
    if () in before.nodes:
        count = before.nodes[()]
        elements.warnings.append(f"{count} nodes have no labels and get {NO_LABEL}.")
    _compare(elements, before, names, keys)
    if census(query) != before:
        raise SourceError("The database changed while it was read; convert it when it is still.")


def _ordered(counts: Census) -> dict[Given, Labels]:
    """Labels with those that most nodes have first: `Person&Actor`, the specific last."""
    spread: Counter[str] = Counter()
    for given, count in counts.nodes.items():
        for label in given:
            if not label.strip() or "&" in label:
                raise SourceError(f"The label {label!r} cannot be held: it is blank or has a '&'.")
            spread[label] += count
    return {
        given: tuple(sorted(given, key=lambda label: (-spread[label], label))) or (NO_LABEL,)
        for given in counts.nodes
    }


# --- keys ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Key:
    """Properties that tell nodes apart; `own` is the server's number, which is added as one."""

    properties: tuple[str, ...]
    own: bool = False


@dataclass(frozen=True, slots=True)
class Constraint:
    """What the server declares of a label or (`node` is False) of a type of relationships."""

    label: str
    properties: tuple[str, ...]
    node: bool
    unique: bool
    needed: bool


def _constraints(elements: Elements, query: Query) -> list[Constraint]:
    """The declared constraints: what is unique, what every element has."""
    text = "SHOW CONSTRAINTS YIELD type, entityType, labelsOrTypes, properties"
    constraints = []
    try:
        for kind, entity, labels, properties in query(text):
            key = kind.endswith("_KEY")
            unique, needed = key or "UNIQUENESS" in kind, key or "EXISTENCE" in kind
            if unique or needed:
                node = entity == "NODE"
                constraints.append(Constraint(labels[0], tuple(properties), node, unique, needed))
    except SourceError:
        elements.notes.append("The server lists no constraints: keys are found in the data.")
    return constraints


def _declare(
    elements: Elements, declared: list[Constraint], counts: Census, names: dict[Given, Labels]
) -> None:
    """Tell what constraints say of each type of nodes and edges."""
    for given, labels in names.items():
        own = [c for c in declared if c.node and c.label in given]
        elements.required[labels] = frozenset(p for c in own if c.needed for p in c.properties)
        elements.unique[labels] = tuple(
            dict.fromkeys(sorted(c.properties for c in own if c.unique))
        )
    for first, label, second in counts.edges:
        elements.required[names[first], label, names[second]] = frozenset(
            p
            for c in declared
            if not c.node and c.label == label and c.needed
            for p in c.properties
        )


def _key(
    elements: Elements,
    query: Query,
    given: Given,
    labels: Labels,
    counts: Census,
    unique: list[tuple[str, tuple[str, ...]]],
) -> Key:
    """A declared key that all nodes have, else a likely name that is unique, else the number."""
    total = counts.nodes[given]
    name = "&".join(labels)
    counted = {key: count for (owner, key), count in counts.filled.items() if owner == given}
    complete = {key for key, count in counted.items() if count == total}
    for label, properties in unique:
        if label in given and complete.issuperset(properties):
            shown = ", ".join(properties)
            elements.decisions.append(f"{name}: key {shown}, by a constraint on {label}.")
            return Key(properties)
    likely = (*_LIKELY, *(f"{label.lower()}id" for label in given))
    for wanted in likely:
        for key in sorted(complete):
            if key.lower().replace("_", "") == wanted and _is_unique(query, given, key, total):
                elements.decisions.append(
                    f"{name}: key {key}, by no constraint, but unique and never missing."
                )
                return Key((key,))
    own = distinct(OWN_KEY, counted)
    elements.decisions.append(
        f"{name}: nothing tells nodes apart, so {own} is added, the number that the server has "
        f"for the node."
    )
    return Key((own,), own=True)


def _is_unique(query: Query, given: Given, key: str, total: int) -> bool:
    of = f"n.{quoted(key)}"
    for count, sample in query(f"{_match('n', given)} RETURN count(DISTINCT {of}), min({of})"):
        is_plain = isinstance(sample, str | int) and not isinstance(sample, bool)
        return is_plain and count == total
    return False


def quoted(name: str) -> str:
    r"""A name in backticks; Neo4j decodes `\uXXXX` everywhere, so that is escaped as well."""
    return "`" + name.replace("\\u", "\\u005cu").replace("`", "``") + "`"


def _match(variable: str, given: Given) -> str:
    """MATCH of the nodes with exactly these labels."""
    return f"MATCH ({variable}{_labelled(given)}) WHERE {_exactly(variable, given)}"


def _labelled(given: Given) -> str:
    return "".join(f":{quoted(label)}" for label in given)


def _exactly(variable: str, given: Given) -> str:
    return f"size(labels({variable})) = {len(given)}"


# --- elements ------------------------------------------------------------------------------


def _read_nodes(elements: Elements, query: Query, given: Given, labels: Labels, key: Key) -> None:
    table = elements.node_table(labels, key.properties)
    own = ", id(n)" if key.own else ""
    text = f"{_match('n', given)} RETURN properties(n){own}"
    for number, (properties, *ids) in enumerate(query(text), 1):
        row = {name: value_of(value) for name, value in properties.items()}
        if ids:
            row[key.properties[0]] = ids[0]
        table.add(row, number)


def _read_edges(
    elements: Elements,
    query: Query,
    triple: tuple[Given, str, Given],
    names: dict[Given, Labels],
    keys: dict[Given, Key],
) -> None:
    first, label, second = triple
    table = elements.edge_table(names[first], label, names[second])
    ends = [*_ends("a", keys[first]), *_ends("b", keys[second])]
    text = (
        f"MATCH (a{_labelled(first)})-[r:{quoted(label)}]->(b{_labelled(second)}) "
        f"WHERE {_exactly('a', first)} AND {_exactly('b', second)} "
        f"RETURN properties(r), {', '.join(ends)}"
    )
    for number, (properties, *values) in enumerate(query(text), 1):
        row = {name: value_of(value) for name, value in properties.items()}
        table.add(row, number, tuple(map(value_of, values)))


def _ends(variable: str, key: Key) -> list[str]:
    if key.own:
        return [f"id({variable})"]
    return [f"{variable}.{quoted(name)}" for name in key.properties]


def _compare(
    elements: Elements, counts: Census, names: dict[Given, Labels], keys: dict[Given, Key]
) -> None:
    """What was read against what was counted: elements, and values of every property.

    Raises:
        SourceError: they differ.
    """
    elements.spool.flush()
    read: Census = Census()
    for given, labels in names.items():
        table = elements.nodes[labels]
        read.nodes[given] = table.rows
        for name, facts in table.facts.items():
            if not (keys[given].own and name == keys[given].properties[0]):
                read.filled[given, name] = facts.present
    for first, label, second in counts.edges:
        table = elements.edges[names[first], label, names[second]]
        read.edges[first, label, second] = table.rows
        for name, facts in table.facts.items():
            read.edge_filled[label, name] += facts.present
    if read != counts:
        raise SourceError("The database changed while it was read; convert it when it is still.")
