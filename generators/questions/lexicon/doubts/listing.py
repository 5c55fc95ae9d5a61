"""What a lexicon is unsure of, in the order of how much each answer unlocks, and what it covers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from generators.questions.lexicon.derive.data import heads
from generators.questions.lexicon.doubts.evidence import Evidence
from generators.questions.lexicon.model import (
    CONFIDENCE,
    Entry,
    Lexicon,
    Path,
    Property,
    Provenance,
    Role,
)
from graphmill.english.inflection import listing
from graphmill.messages import one_line
from schemagraph.folder.statistics import PropertyStatistics
from schemagraph.model import EdgeType, NodeType, SchemaGraph

# Kinds of question that one property's words open, where it is not hidden: filters, ranks,
# figures, groups. A thing opens those of all its properties and paths, a path those of both ends.
_OPENS = {Role.NAME: 3, Role.CATEGORY: 4, Role.PLACE: 4, Role.FLAG: 3, Role.TEXT: 1}
_OPENS |= {Role.CONTACT: 1, Role.CODE: 1, Role.KEY: 1, Role.REFERENCE: 0}
_ANY = 5  # a quantity or a moment
_TERM = 1
_OTHER_WAY = 2  # the direction of a path that is said from its other end
_CODES = 6  # that one doubt shows
_OPEN = 0.5  # how sure a rule is of what it leaves open


@dataclass(frozen=True, slots=True)
class Doubt:
    """One entry, or part of it, that is too unsure to be used.

    `place` is where it stands in the file, `asks` the question to answer there, `unlocks` how many
    kinds of question wait for the answer. `shows` has what the answer is seen from: the type and
    some values of a property, the texts of a thing. `write` is the key that answers it.
    """

    place: str
    asks: str
    sure: float
    unlocks: int
    shows: str = ""
    write: str = ""

    def text(self) -> str:
        """For people: one line, and a second of what it is seen from and where to answer it."""
        hints = [self.shows] if self.shows else []
        hints += [f"write {self.write}"] if self.write else []
        below = f"\n      {one_line('; '.join(hints))}" if hints else ""
        asks = one_line(f"{self.place}: {self.asks}")
        return f"{self.unlocks:4}  {asks} (sure {self.sure:g}){below}"

    def to_json(self) -> dict[str, Any]:
        """The form that the command prints."""
        known = {"place": self.place, "asks": self.asks, "sure": self.sure, "unlocks": self.unlocks}
        hints = {"shows": self.shows, "write": self.write}
        return {**known, **{name: hint for name, hint in hints.items() if hint}}


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of the schema's parts have words that are sure enough, and how many there are.

    `one_way` are those paths with words that are said from one end alone.
    """

    things: tuple[int, int]
    properties: tuple[int, int]
    paths: tuple[int, int]
    one_way: int = 0

    def to_json(self) -> dict[str, dict[str, int]]:
        """The form that the command prints."""
        parts = {"things": self.things, "properties": self.properties, "paths": self.paths}
        counts = {name: {"sure": sure, "of": total} for name, (sure, total) in parts.items()}
        counts["paths"]["one_way"] = self.one_way
        return counts

    def text(self) -> str:
        """One line for people."""
        parts = self.to_json().items()
        covered = ", ".join(f"{c['sure']} of {c['of']} {name}" for name, c in parts)
        return (
            f"{covered} ({self.one_way} of them in one direction alone)"
            if self.one_way
            else covered
        )


def coverage(lexicon: Lexicon, schema: SchemaGraph, confidence: float = CONFIDENCE) -> Coverage:
    """How much of a schema a lexicon has words for; what is hidden is covered."""
    sure = lexicon.at(confidence)
    elements: list[NodeType | EdgeType] = [*schema.nodes, *schema.edges]
    columns = [(e.name, p.name) for e in elements for p in e.properties]
    edges = [(e.source, f"{e.label}>", e.target) for e in schema.edges]
    paths = [path for along in edges if (path := sure.path(along)) is not None]
    worded = sum(1 for path in paths if _has_phrase(path))
    one_way = sum(_lacking(path) != "" for path in paths)
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
        one_way,
    )


def _worded(lexicon: Lexicon, along: tuple[str, ...]) -> bool:
    path = lexicon.path(along)
    return path is not None and _has_phrase(path)


def _has_phrase(path: Path) -> bool:
    return path.forward is not None or path.backward is not None


def _lacking(path: Path) -> str:
    """The direction that a path has no phrase for, where it has one for the other; "" else."""
    if path.symmetric or (path.forward is None) == (path.backward is None):
        return ""
    return "backward" if path.backward is None else "forward"


def doubts(
    lexicon: Lexicon,
    schema: SchemaGraph,
    confidence: float = CONFIDENCE,
    figures: Mapping[tuple[str, str], PropertyStatistics] | None = None,
) -> list[Doubt]:
    """What is below `confidence`, and what the rules leave open: codes without words, paths with
    one direction, numbers without a unit. What unlocks most comes first, without what a user
    refused. `figures` are those of the data (`GraphStatistics.properties`), where there are any.
    """
    evidence = Evidence(schema, figures or {})
    all_doubts = [*_things(lexicon, evidence, confidence), *_paths(lexicon, confidence)]
    for owner, entries in lexicon.properties.items():
        for name, entry in entries.items():
            all_doubts += _property(evidence, owner, name, entry, confidence)
    all_doubts += [
        Doubt(
            *(f"glossary {term.term}", "does anybody say so?", term.sure, _TERM),
            shows=f"{term.of}: {term.holds}",
            write="sure",
        )
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


def _things(lexicon: Lexicon, evidence: Evidence, confidence: float) -> Iterator[Doubt]:
    for name, thing in lexicon.things.items():
        if thing.refused():
            continue
        node = evidence.schema.node_by_name.get(name)
        links = sum(name in (path.start, path.end) for path in lexicon.paths.values())
        worth = _of_node(lexicon, name) + 2 * links
        if thing.sure < confidence:
            asks = f'is one of them "{thing.singular}", many "{thing.plural}"?'
            place = f"things.{name}"
            yield Doubt(place, asks, thing.sure, worth, write=f"{place}.singular and .plural")
        elif not (thing.name or thing.nameless or thing.junction) and isinstance(node, NodeType):
            asks = "which properties are its name (name = [] says none)?"
            place = f"things.{name}"
            entries = lexicon.properties.get(name, {})
            texts = evidence.texts(node, {each for each, entry in entries.items() if entry.hidden})
            yield Doubt(place, asks, 0.5, links + 1, shows=texts, write=f"{place}.name")


def _paths(lexicon: Lexicon, confidence: float) -> Iterator[Doubt]:
    for name, path in lexicon.paths.items():
        if path.refused():
            continue
        place = f"paths.{name}"
        ends = [lexicon.things.get(end) for end in (path.start, path.end)]
        one, other = (end.plural or end.singular if end is not None else "…" for end in ends)
        one, other = one or path.start, other or path.end
        if path.sure < confidence or _unsure(path, confidence):
            worth = _of_node(lexicon, path.start) + _of_node(lexicon, path.end)
            asks = f"what do {one} do with {other}, or these with them?"
            along, write = " ".join(path.along), f"{place}.forward and .backward"
            yield Doubt(place, asks, path.sure, worth, along, write)
        elif (lacking := _lacking(path)) and path.source is Provenance.RULE:
            if path.refused(lacking):
                continue
            one, other = (one, other) if lacking == "forward" else (other, one)
            asks = f"and the other way: what do {one} do with {other}?"
            yield Doubt(
                place, asks, path.sure, _OTHER_WAY, _phrase_shown(path), f"{place}.{lacking}"
            )


def _phrase_shown(path: Path) -> str:
    """The direction that a path has words for, with them."""
    for way, phrase in (("forward", path.forward), ("backward", path.backward)):
        if phrase is not None:
            be = "be" if phrase.be else "role" if phrase.noun else ""
            words = (be, phrase.verb, phrase.be, phrase.noun, phrase.particle)
            return f'{way} is "{" ".join(filter(None, words))}"'
    return ""


def _unsure(entry: Entry, confidence: float) -> list[str]:
    """The parts below `confidence` that a user did not refuse."""
    low = (part for part, sure in entry.unsure.items() if sure < confidence)
    return sorted(part for part in low if not entry.refused(part))


def _property(
    evidence: Evidence, owner: str, name: str, entry: Property, confidence: float
) -> Iterator[Doubt]:
    if entry.refused():
        return
    place = f"properties.{owner}.{name}"
    shows = evidence.values(owner, name)
    wordless = () if entry.source is Provenance.USER else evidence.wordless(owner, name, entry)
    low = _unsure(entry, confidence)
    if wordless and not entry.hidden:
        more = f" and {len(wordless) - _CODES} more" * (len(wordless) > _CODES)
        asks = f"what do {', '.join(wordless[:_CODES])}{more} mean?"
        if entry.values:
            asks = f"what is {listing(wordless, 'or')} called, beside {_words(entry)}?"
        sure = min(entry.sure, _OPEN)
        yield Doubt(place, asks, sure, _OPENS[Role.CATEGORY], shows, f"{place}.values")
    elif entry.sure < confidence:
        asks = f'is it the "{entry.noun}"?' if not entry.hidden else "does nobody ask about it?"
        write = f"{place}.hidden" if entry.hidden else f"{place}.noun and .kind"
        yield Doubt(place, asks, entry.sure, _opens(entry), shows, write)
    elif low:
        asks = "; ".join(f'{part} "{getattr(entry, part)}"?' for part in low)
        least = min(entry.unsure[part] for part in low)
        write = f"{place}.{' and .'.join(low)}"
        yield Doubt(place, asks, least, len(low), shows, write)
    elif _is_bare_measure(entry):
        asks = f'what does "{entry.noun}" measure, and in what?'
        yield Doubt(place, asks, _OPEN, 1, shows, f"{place}.noun and .unit")


def _words(entry: Property) -> str:
    return listing([f'"{word}"' for word in dict.fromkeys(entry.values.values())])


def _is_bare_measure(entry: Property) -> bool:
    """Whether a number is called by one word that says neither what it measures nor in what."""
    measured = entry.kind is Role.MEASURE and entry.source is Provenance.RULE
    if not measured or entry.unit or entry.hidden or " " in entry.noun:
        return False
    return not any(entry.noun in head.words for head in heads())
