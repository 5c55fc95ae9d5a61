"""Terms of the business that follow from the data: veterans, heavy items, busy venues."""

from __future__ import annotations

from math import log10
from typing import Any

from generators.questions.lexicon.derive.data import head_word, precision
from generators.questions.lexicon.derive.facts import Facts
from generators.questions.lexicon.model import Property, Provenance, Role, Term, Thing, ThingKind
from schemagraph.folder.statistics import PropertyStatistics
from schemagraph.model import NUMERIC, EdgeType, NodeType

_LEAST, _MOST = 0.1, 0.6  # the share of things of which a term may hold
_VETERAN = 40  # years
_REGULARS = frozenset({"client", "customer", "guest", "member", "passenger", "patient", "user"})
_ROWS = 8  # things below which a share says nothing
# role or head, kinds: adjective, frame of the definition
_HIGH = {
    "age": ("veteran", (ThingKind.PERSON,)),
    "price": ("premium", (ThingKind.PRODUCT, ThingKind.WORK, ThingKind.VEHICLE)),
    "cost": ("high-end", (ThingKind.PRODUCT, ThingKind.VEHICLE)),
    "weight": ("heavyweight", (ThingKind.PRODUCT, ThingKind.VEHICLE, ThingKind.PERSON)),
    "capacity": ("large", (ThingKind.PLACE,)),
    "population": ("major", (ThingKind.PLACE,)),
    "rating": ("top-rated", tuple(ThingKind)),
    "salary": ("well-paid", (ThingKind.PERSON,)),
}
_BUSY = {
    ThingKind.PLACE: ("busy", (ThingKind.EVENT, ThingKind.TRANSACTION)),
    ThingKind.PERSON: ("regular", (ThingKind.TRANSACTION,)),
    ThingKind.ORGANISATION: ("large", (ThingKind.PERSON,)),
}


def derive_glossary(
    facts: Facts, things: dict[str, Thing], properties: dict[str, dict[str, Property]]
) -> tuple[Term, ...]:
    """Terms that hold of a tenth to six tenths of the things, cut at a round number."""
    if facts.statistics is None:
        return ()
    terms: list[Term] = []
    for node in facts.schema.nodes:
        thing = things[node.name]
        if not thing.singular or thing.junction or facts.statistics.nodes[node.name] < _ROWS:
            continue
        terms += _of_properties(facts, node, thing, properties.get(node.name, {}))
        terms += _of_edges(facts, node, thing, things)
    return _apart(terms)


def _apart(terms: list[Term]) -> tuple[Term, ...]:
    """One term of each name."""
    return tuple({(term.of, term.term): term for term in reversed(terms)}.values())[::-1]


def _of_properties(
    facts: Facts, node: NodeType, thing: Thing, entries: dict[str, Property]
) -> list[Term]:
    terms = []
    for column in node.properties:
        entry = entries.get(column.name)
        if entry is None or entry.hidden or column.type.kind not in NUMERIC or not entry.above:
            continue
        high = _HIGH.get(entry.noun.lower())
        if high is None or thing.kind not in high[1] or entry.kind is Role.RANK:
            continue
        cut = _cut(facts.figures(node, column))
        if cut is None:
            continue
        if high[0] == "veteran" and cut < _VETERAN:
            continue
        frame = entry.above.replace("{}", _number(cut))
        name = column.name if column.name.isidentifier() else f"`{column.name}`"
        terms.append(_term(node, thing, high[0], f"n.{name} > {_number(cut)}", frame))
    return terms


def _of_edges(facts: Facts, node: NodeType, thing: Thing, things: dict[str, Thing]) -> list[Term]:
    busy = _BUSY.get(thing.kind)
    if busy is None or facts.statistics is None:
        return []
    if busy[0] == "regular" and head_word(thing.singular) not in _REGULARS:
        return []
    terms = []
    for edge in facts.schema.edges:
        other = things[edge.source]
        if edge.target != node.name or other.kind not in busy[1] or not other.plural:
            continue
        cut = _degree(facts, edge)
        if cut is not None:
            label = edge.label if edge.label.isidentifier() else f"`{edge.label}`"
            holds = f"COUNT {{ (n)<-[:{label}]-(:{_labels(edge.source)}) }} >= {cut}"
            terms.append(_term(node, thing, busy[0], holds, f"with at least {cut} {other.plural}"))
    return terms[:1]


def _labels(name: str) -> str:
    parts = name.split("&")
    return ":".join(part if part.isidentifier() else f"`{part}`" for part in parts)


def _term(node: NodeType, thing: Thing, adjective: str, holds: str, frame: str) -> Term:
    plural = f"{adjective} {thing.plural}"
    return Term(
        term=plural,
        singular=f"{adjective} {thing.singular}",
        of=node.name,
        holds=holds,
        means=f"{plural[0].upper()}{plural[1:]} are those {frame}.",
        source=Provenance.RULE,
        sure=min(precision("glossary"), thing.sure),
        rule="glossary",
    )


def _cut(figures: PropertyStatistics) -> Any:
    """A round number that a tenth to six tenths of the values are above; None without one."""
    steps = figures.quantiles
    if figures.count < _ROWS or len(steps) < 21 or figures.distinct < 5:
        return None
    low, high = steps[10], steps[17]
    if not isinstance(low, int | float) or low <= 0 or high <= low:
        return None
    size = 10 ** int(log10(high))
    for unit in (size, size / 2, size / 4, size / 10):
        cut = round(high / unit) * unit
        if unit >= 1 and low <= cut < steps[18]:
            return int(cut)
    return None


def _degree(facts: Facts, edge: EdgeType) -> int | None:
    """A number of edges that a tenth to six tenths of all targets have at least."""
    if facts.statistics is None:
        return None
    seen = facts.statistics.edges[edge.name]
    total = facts.statistics.nodes[edge.target]
    for place in range(10, 20):
        cut = seen.in_degrees[place] if seen.in_degrees else 0
        above = sum(1 for degree in seen.in_degrees if degree >= cut) / 21
        share = above * seen.targets / total
        if cut >= 2 and cut > seen.in_degrees[0] and _LEAST <= share <= _MOST:
            return cut
    return None


def _number(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
