"""What a lexicon is unsure of, in the order of how much each answer unlocks, and what it covers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generators.questions.lexicon.model import CONFIDENCE, Entry, Lexicon, Path, Property, Role
from schemagraph.model import EdgeType, NodeType, SchemaGraph

# Kinds of question that one property's words open, where it is not hidden: filters, ranks,
# figures, groups. A thing opens those of all its properties and paths, a path those of both ends.
_OPENS = {Role.NAME: 3, Role.CATEGORY: 4, Role.PLACE: 4, Role.FLAG: 3, Role.TEXT: 1}
_OPENS |= {Role.CONTACT: 1, Role.CODE: 1, Role.KEY: 1, Role.REFERENCE: 0}
_ANY = 5  # a quantity or a moment
_TERM = 1


@dataclass(frozen=True, slots=True)
class Doubt:
    """One entry, or part of it, that is too unsure to be used.

    `place` is where it stands in the file, `asks` the question to answer there, `unlocks` how many
    kinds of question wait for the answer.
    """

    place: str
    asks: str
    sure: float
    unlocks: int

    def text(self) -> str:
        """One line for people."""
        return f"{self.unlocks:4}  {self.place}: {self.asks} (sure {self.sure:g})"


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of the schema's parts have words that are sure enough, and how many there are."""

    things: tuple[int, int]
    properties: tuple[int, int]
    paths: tuple[int, int]

    def to_json(self) -> dict[str, dict[str, int]]:
        """The form that the command prints."""
        parts = {"things": self.things, "properties": self.properties, "paths": self.paths}
        return {name: {"sure": sure, "of": total} for name, (sure, total) in parts.items()}

    def text(self) -> str:
        """One line for people."""
        parts = self.to_json().items()
        return ", ".join(f"{c['sure']} of {c['of']} {name}" for name, c in parts)


def coverage(lexicon: Lexicon, schema: SchemaGraph, confidence: float = CONFIDENCE) -> Coverage:
    """How much of a schema a lexicon has words for; what is hidden is covered."""
    sure = lexicon.at(confidence)
    elements: list[NodeType | EdgeType] = [*schema.nodes, *schema.edges]
    columns = [(e.name, p.name) for e in elements for p in e.properties]
    edges = [(e.source, f"{e.label}>", e.target) for e in schema.edges]
    paths = [path for along in edges if (path := sure.path(along)) is not None]
    worded = sum(1 for path in paths if _has_phrase(path))
    contracted = {step for p in sure.paths.values() if len(p.along) > 3 for step in p.along[2:-2:2]}
    inside = sum(
        1
        for source, label, target in edges
        if source in contracted and not _worded(sure, (source, label, target))
    )
    return Coverage(
        (sum(n.name in sure.things for n in schema.nodes), len(schema.nodes)),
        (sum(sure.property(*column) is not None for column in columns), len(columns)),
        (worded + inside, len(edges)),
    )


def _worded(lexicon: Lexicon, along: tuple[str, ...]) -> bool:
    path = lexicon.path(along)
    return path is not None and _has_phrase(path)


def _has_phrase(path: Path) -> bool:
    return path.forward is not None or path.backward is not None


def doubts(lexicon: Lexicon, schema: SchemaGraph, confidence: float = CONFIDENCE) -> list[Doubt]:
    """What is below `confidence`, what unlocks most first, without what a user refused."""
    all_doubts = [*_things(lexicon, schema, confidence), *_paths(lexicon, confidence)]
    for owner, entries in lexicon.properties.items():
        for name, entry in entries.items():
            all_doubts += _property(f"properties.{owner}", name, entry, confidence)
    all_doubts += [
        Doubt(f"glossary {term.term}", "does anybody say so?", term.sure, _TERM)
        for term in lexicon.glossary
        if term.sure < confidence and not term.refused()
    ]
    return sorted(all_doubts, key=lambda doubt: (-doubt.unlocks, doubt.place))


def _opens(entry: Property | None) -> int:
    if entry is None or entry.hidden:
        return 0
    return _OPENS.get(entry.kind, _ANY) if entry.kind is not None else _ANY


def _of_node(lexicon: Lexicon, node: str) -> int:
    return sum(_opens(entry) for entry in lexicon.properties.get(node, {}).values())


def _things(lexicon: Lexicon, schema: SchemaGraph, confidence: float) -> Iterator[Doubt]:
    for name, thing in lexicon.things.items():
        if thing.refused():
            continue
        node = schema.node_by_name.get(name)
        links = sum(name in (path.start, path.end) for path in lexicon.paths.values())
        worth = _of_node(lexicon, name) + 2 * links
        if thing.sure < confidence:
            asks = f'is one of them "{thing.singular}", many "{thing.plural}"?'
            yield Doubt(f"things.{name}", asks, thing.sure, worth)
        elif not (thing.name or thing.nameless or thing.junction) and isinstance(node, NodeType):
            asks = "which properties are its name (name = [] says none)?"
            yield Doubt(f"things.{name}", asks, 0.5, links + 1)


def _paths(lexicon: Lexicon, confidence: float) -> Iterator[Doubt]:
    for name, path in lexicon.paths.items():
        if path.refused() or (path.sure >= confidence and not _unsure(path, confidence)):
            continue
        ends = [lexicon.things.get(end) for end in (path.start, path.end)]
        one, other = (end.plural or end.singular if end is not None else "…" for end in ends)
        worth = _of_node(lexicon, path.start) + _of_node(lexicon, path.end)
        asks = f"what do {one or path.start} do with {other or path.end}, or these with them?"
        yield Doubt(f"paths.{name}", asks, path.sure, worth)


def _unsure(entry: Entry, confidence: float) -> list[str]:
    """The parts below `confidence` that a user did not refuse."""
    low = (part for part, sure in entry.unsure.items() if sure < confidence)
    return sorted(part for part in low if not entry.refused(part))


def _property(place: str, name: str, entry: Property, confidence: float) -> Iterator[Doubt]:
    if entry.refused():
        return
    if entry.sure < confidence:
        asks = f'is it the "{entry.noun}"?' if not entry.hidden else "does nobody ask about it?"
        yield Doubt(f"{place}.{name}", asks, entry.sure, _opens(entry))
        return
    low = _unsure(entry, confidence)
    if low:
        asks = "; ".join(f'{part} "{getattr(entry, part)}"?' for part in low)
        least = min(entry.unsure[part] for part in low)
        yield Doubt(f"{place}.{name}", asks, least, len(low))
