"""What a loaded graph holds that an engine gets wrong in some texts: found while it is loaded.

Most graphs have none of these values, and then no text is refused on their account: no -0.0, no
infinite float, no integer beyond 2^53, no characters of four bytes beside some of U+E000 and after.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from graphmill.errors import QueryUnsound
from schemagraph.folder.graphdata import (
    batches,
    edge_file,
    edge_layout,
    edge_rows,
    node_file,
    node_layout,
    node_rows,
)
from schemagraph.folder.small import is_small
from schemagraph.model import Kind, Property, SchemaGraph
from schemagraph.rdf.names import encode

EXACT = 2**53
_HIGH, _LATE = re.compile("[\U00010000-\U0010ffff]"), re.compile("[\ue000-\uffff]")


type Place = tuple[tuple[str, ...], str]
"""A property: the labels of what has it, and its name."""


@dataclass
class StoredValues:
    """The properties that hold such a value somewhere in the graph.

    `high` has characters beyond U+FFFF, `late` has some from U+E000 up to there: by their halves
    the first are before the second. `listed_zeros` are the zeros in lists, of each by its sign.
    """

    below_zero: set[Place] = field(default_factory=set)
    infinite: set[Place] = field(default_factory=set)
    zero: set[Place] = field(default_factory=set)
    wide: set[Place] = field(default_factory=set)
    high: set[Place] = field(default_factory=set)
    late: set[Place] = field(default_factory=set)
    listed_zeros: dict[Place, set[bool]] = field(default_factory=dict)
    zeros: dict[Place, set[bool]] = field(default_factory=dict)
    _signs: dict[Place, set[bool]] = field(default_factory=dict)

    def see(self, place: Place, value: Any) -> None:
        """Take a value of a property into account."""
        match value:
            case bool() | None:
                pass
            case float():
                if value == 0.0:
                    self.see_zero(place, value)
                elif math.isinf(value):
                    self.infinite.add(place)
            case int():
                self._see_integer(place, value)
            case str():
                if _HIGH.search(value):
                    self.high.add(place)
                if _LATE.search(value):
                    self.late.add(place)
            case list():
                for item in value:
                    self.see(place, item)
                    if isinstance(item, float) and item == 0.0:
                        self.see_listed_zero(place, item)

    def _see_integer(self, place: Place, value: int) -> None:
        if not value:
            self.zero.add(place)
            return
        self._signs.setdefault(place, set()).add(value < 0)
        if abs(value) >= EXACT:
            self.wide.add(place)

    def see_zero(self, place: Place, value: float) -> None:
        """Take a zero of a float into account."""
        below = math.copysign(1.0, value) < 0
        self.zeros.setdefault(place, set()).add(below)
        if below:
            self.below_zero.add(place)

    def see_listed_zero(self, place: Place, value: float) -> None:
        """Take a zero of a list into account."""
        self.listed_zeros.setdefault(place, set()).add(math.copysign(1.0, value) < 0)

    @property
    def both_zeros(self) -> set[Place]:
        """Floats of which some are -0.0 and some 0.0, of which either is the least or greatest."""
        return {place for place, signs in self.zeros.items() if len(signs) > 1}

    @property
    def two_zeros(self) -> set[Place]:
        """Lists of which some hold -0.0 and some 0.0, which Neo4j groups apart."""
        return {place for place, signs in self.listed_zeros.items() if len(signs) > 1}

    @property
    def below_integers(self) -> set[Place]:
        """Floats of which some are -0.0, where a property of the same name has the integer 0."""
        wholes = {name for _, name in self.zero}
        return {(labels, name) for labels, name in self.below_zero if name in wholes}

    @property
    def cancelling(self) -> set[Place]:
        """Wide integers below and above zero: a sum of floats may lose what is left of them."""
        return {place for place in self.wide if len(self._signs[place]) > 1}

    @property
    def orders_by_halves(self) -> set[Place]:
        """Texts that are in another order by halves of characters."""
        return self.high | self.late if self.high and self.late else set()


def stored_values(folder: Path, schema: SchemaGraph, *, texts: bool = True) -> StoredValues:
    """What is in the graph of `folder` (or in the file of a small graph); texts if asked for."""
    seen = StoredValues()
    small = is_small(folder)
    for node in schema.nodes:
        if small:
            for row in node_rows(folder, node):
                _see(seen, node.labels, node.properties, row)
        else:
            own = batches(node_file(folder, node), node_layout(node))
            _scan(seen, own, node.labels, node.properties, texts)
    for edge in schema.edges:
        if small:
            for each in edge_rows(folder, edge, schema):
                _see(seen, (edge.label,), edge.properties, each.properties)
        elif edge.properties:
            own = batches(edge_file(folder, edge), edge_layout(edge, schema))
            _scan(seen, own, (edge.label,), edge.properties, texts)
    return seen


def float_properties(schema: SchemaGraph) -> tuple[Place, ...]:
    """The properties that hold floats, or lists of them."""
    owners = [
        *((node.labels, node.properties) for node in schema.nodes),
        *(((edge.label,), edge.properties) for edge in schema.edges),
    ]
    return tuple(
        (labels, each.name)
        for labels, properties in owners
        for each in properties
        if (each.type.item or each.type).kind is Kind.FLOAT
    )


def _see(
    seen: StoredValues,
    labels: tuple[str, ...],
    properties: Iterable[Property],
    row: Mapping[str, Any],
) -> None:
    for each in properties:
        seen.see((labels, each.name), row[each.name])


def _scan(
    seen: StoredValues,
    blocks: Iterable[Any],
    labels: tuple[str, ...],
    properties: Iterable[Property],
    texts: bool,
) -> None:
    """A table, column by column: of each kind only the notable values are looked at singly."""
    kinds = {p.name: p.type for p in properties}
    for batch in blocks:
        for name, kind in kinds.items():
            notable = _NOTABLE.get((kind.item or kind).kind)
            if notable is None or (notable is _texts and not texts):
                continue
            values = [value for value in batch.column(name).to_pylist() if value is not None]
            if kind.item is not None:
                values = [item for value in values for item in value if item is not None]
            for value in notable(values):
                seen.see((labels, name), value)
                if kind.item is not None and isinstance(value, float) and value == 0.0:
                    seen.see_listed_zero((labels, name), value)


def _floats(values: Sequence[float]) -> Iterable[float]:
    return (value for value in values if value == 0.0 or math.isinf(value))


def _integers(values: Sequence[int]) -> Iterable[int]:
    return (min(values), max(values), *((0,) if 0 in values else ())) if values else ()


def _texts(values: Sequence[str]) -> Iterable[str]:
    return (value for value in values if not value.isascii())


_NOTABLE: Mapping[Kind, Callable[[Sequence[Any]], Iterable[Any]]] = {
    Kind.FLOAT: _floats,
    Kind.INTEGER: _integers,
    Kind.STRING: _texts,
}


@dataclass(frozen=True)
class Hazard:
    """Properties that hold such a value, the texts that get it wrong, and why in a sentence.

    `values` is the field of `StoredValues`. A text gets them wrong where `text` matches and
    `property` does, in which NAME stands for a property's name. Where `anywhere` does not match, a
    text names the labels of all that it looks at. With `beside` it has to read one of these
    properties, too, or match `instead`.
    """

    values: str
    property: str
    text: str
    why: str
    anywhere: str = ""
    beside: tuple[Place, ...] | None = None
    instead: str = ""


def refuse_hazards(hazards: Iterable[Hazard], stored: StoredValues, text: str) -> None:
    """Refuse a text that one of them is about.

    Raises:
        QueryUnsound: the engine would answer it wrongly.
    """
    for hazard in hazards:
        places: set[Place] = getattr(stored, hazard.values)
        if not places or not re.search(hazard.text, text):
            continue
        anywhere = re.search(hazard.anywhere, text) is not None
        if hazard.beside is not None and not (
            re.search(hazard.instead, text)
            or any(_reads(hazard, place, text, anywhere) for place in hazard.beside)
        ):
            continue
        if any(_reads(hazard, place, text, anywhere) for place in places):
            raise QueryUnsound(f"{hazard.why} This graph has such values.")


def _reads(hazard: Hazard, place: Place, text: str, anywhere: bool) -> bool:
    labels, name = place
    if not re.search(hazard.property.replace("NAME", _written(name)), text):
        return False
    # SQL reads names in any case.
    named = (re.search(rf"(?i)(?<!\w){_written(label)}(?!\w)", text) for label in labels)
    return anywhere or not labels or any(named)


@cache
def _written(name: str) -> str:
    """A pattern of the ways in which texts write a name: as it is, in an IRI, and with what
    quotation marks and backticks have of their own in it doubled or escaped."""
    ways = [name, encode(name), name.replace("`", "``"), name.replace('"', '""')]
    ways += [json.dumps(name)[1:-1], name.replace("\\", "\\\\").replace("'", "\\'")]
    return f"(?:{'|'.join(map(re.escape, dict.fromkeys(ways)))})"
