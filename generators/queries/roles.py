"""What a property is for: which ones name a node, sort it, measure it, date it.

Query authors return names beside figures, never sum years or codes, and never ask for surrogate
keys. The role comes from the name (`generators.questions.nouns` reads it), the type and the
figures of the data.
"""

from __future__ import annotations

from enum import StrEnum

from generators.questions.nouns import node_noun, property_words
from schemagraph.model import EdgeType, Kind, NodeType, Property
from schemagraph.naming import words
from schemagraph.statistics import GraphStatistics, PropertyStatistics


class Role(StrEnum):
    """What one may do with a property's values."""

    NAME = "name"  # tells a node from others, for people
    KEY = "key"  # identifies, says nothing: surrogate keys, references, codes, numbers
    CATEGORY = "category"  # few texts that many nodes share
    FLAG = "flag"
    MEASURE = "measure"  # a number that can be compared and averaged
    YEAR = "year"
    MOMENT = "moment"  # a date, with or without a time
    CLOCK = "clock"  # a time of day
    TEXT = "text"  # other text
    OTHER = "other"


_CODES_WORDS = """
code zip postal phone fax telephone mobile email mail url uri website link path hash token isbn
iban bic ssn ean sku uuid guid serial barcode licence license plate registration vin address ip
password latitude longitude lat lon lng version row seq sequence index
"""
_CODES = frozenset(_CODES_WORDS.split())
_UNSUMMED_WORDS = """
temperature humidity rate ratio percent percentage pct share age score rating rank grade level
height width depth length latitude longitude average avg mean index factor floor position order
priority speed pressure degree degrees index
"""
_UNSUMMED = frozenset(_UNSUMMED_WORDS.split())
_ORDINAL = frozenset({"order", "position", "rank", "row", "index", "sequence", "floor"})
_FREQUENT = 50  # so many values and fewer are a category


def role(
    owner: NodeType | EdgeType, prop: Property, statistics: GraphStatistics | None = None
) -> Role:
    """The role of a property of `owner`; without figures, texts are no categories."""
    kind = prop.type.kind
    noun = node_noun(owner.labels[0]) if isinstance(owner, NodeType) else ""
    said = property_words(prop.name, prop.type, noun)
    parts = {word.lower() for word in words(prop.name)}
    if kind is Kind.STRING and said.identity:
        return Role.NAME
    if isinstance(owner, NodeType) and prop.name in owner.key:
        return Role.KEY
    if kind is Kind.BOOLEAN:
        return Role.FLAG
    if kind in (Kind.DATE, Kind.DATETIME, Kind.ZONED_DATETIME):
        return Role.MOMENT
    if kind in (Kind.TIME, Kind.ZONED_TIME):
        return Role.CLOCK
    if said.reference or said.noun.endswith("number") or parts & _CODES or "id" in parts:
        return Role.KEY
    if kind is Kind.INTEGER and said.year:
        return Role.YEAR
    if kind in (Kind.INTEGER, Kind.FLOAT):
        return Role.KEY if parts & _ORDINAL else Role.MEASURE
    if kind is not Kind.STRING:
        return Role.OTHER
    known = statistics and statistics.properties.get((owner.name, prop.name))
    return Role.CATEGORY if known and _shared(known) else Role.TEXT


def _shared(known: PropertyStatistics) -> bool:
    return 1 < known.distinct <= _FREQUENT and known.count >= 2 * known.distinct


def is_summed(prop: Property) -> bool:
    """Whether a sum of this measure means something: amounts do, rates and ages do not."""
    return not {word.lower() for word in words(prop.name)} & _UNSUMMED


def names(owner: NodeType) -> tuple[str, ...]:
    """What one shows of a node: its name, first and last name, or its key where it has none."""
    texts = [p for p in owner.properties if p.type.kind is Kind.STRING]
    named = [p.name for p in texts if role(owner, p) is Role.NAME]
    if named:
        return tuple(named[:1])
    parts = {tuple(word.lower() for word in words(p.name)[-2:]): p.name for p in texts}
    if ("first", "name") in parts and ("last", "name") in parts:
        return parts["first", "name"], parts["last", "name"]
    calls = [name for found, name in parts.items() if found[-1:] in (("name",), ("title",))]
    return tuple(calls[:1]) or owner.key[:1]


def is_told(owner: NodeType) -> bool:
    """Whether nodes of this type have a name, and not only a key."""
    return not set(names(owner)) <= {p.name for p in owner.properties if role(owner, p) is Role.KEY}
