"""A finished SELECT as people write it: one block for each subject, then the filters; no type that
the schema proves of a variable that has nothing else.

Every step keeps the answer. A filter is of its whole group, wherever it stands. A triple moves over
an OPTIONAL or a BIND to the others of its subject where those share no variable with it, or only
ones that are bound before; over anything else it does not move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from schemagraph.model import SchemaGraph
from translators.sparql.model import terms
from translators.sparql.model.group import Block, Group, Line, Part, Select, Triple

_STEPS = re.compile(r"(edge:[\w%-]+)(?:\+|(?:/\1\??)*)")
_VARIABLE = re.compile(r"\?\w+")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_BOUND = re.compile(
    r'FILTER\(((\?\w+) (?:<|<=|>|>=) (?:-?[\d.e+-]+|"(?:[^"\\]|\\.)*"(?:\^\^\w+:\w+)?))\)'
)


def tidy(select: Select, schema: SchemaGraph | None) -> None:
    """Put the parts of a SELECT's groups in order, in place."""
    _Tidy(_ends(schema)).group(select.group, exists=False)


type _Ends = dict[str, tuple[frozenset[str], frozenset[str]]]
"""The labels that every source and every target of an edge type has, as terms."""


def _ends(schema: SchemaGraph | None) -> _Ends:
    ends: _Ends = {}
    for each in schema.edges if schema is not None else ():
        assert schema is not None  # noqa: S101 # else there are none
        sides = tuple(
            frozenset(map(terms.label, schema.node_by_name[name].labels))
            for name in (each.source, each.target)
        )
        sources, targets = ends.get(terms.edge(each.label), sides)
        ends[terms.edge(each.label)] = (sources & sides[0], targets & sides[1])
    return ends


@dataclass(slots=True)
class _Segment:
    """What stands between two parts over which not everything moves; `opens` is the first."""

    opens: Part | None = None
    triples: list[Triple] = field(default_factory=list)
    filters: list[Part] = field(default_factory=list)

    def parts(self) -> Iterator[Part]:
        """The parts in order, the triples by subject."""
        if self.opens is not None:
            yield self.opens
        subjects: dict[str, list[Triple]] = {}
        for triple in self.triples:
            subjects.setdefault(triple.subject, []).append(triple)
        for block in subjects.values():
            yield from block
        lines = [part for part in self.filters if isinstance(part, Line)]
        yield from _between(lines)
        yield from (part for part in self.filters if not isinstance(part, Line))


@dataclass(frozen=True, slots=True)
class _Tidy:
    ends: _Ends

    def group(self, group: Group, *, exists: bool) -> None:
        """A group and those inside it."""
        for part in group.parts:
            match part:
                case Select():
                    self.group(part.group, exists=False)
                case Block():
                    for inner in part.groups:
                        self.group(inner, exists=exists or "EXISTS" in part.word)
        self._drop_types(group, exists=exists)
        group.parts = [part for segment in _segments(group) for part in segment.parts()]

    def _drop_types(self, group: Group, *, exists: bool) -> None:
        """Leave out the labels of a node that its edges prove, where the group says nothing else
        of it; in EXISTS, nothing but its edges."""
        triples = [part for part in group.parts if isinstance(part, Triple)]
        proven = set(self._proven(triples))
        for triple in triples:
            if triple.predicate != "a" or (triple.subject, triple.object) not in proven:
                continue
            others = [t for t in triples if t.subject == triple.subject and t.predicate != "a"]
            rest = [part for part in group.parts if part is not triple and not _filters(part)]
            if not Group(rest).binds(triple.subject):
                continue  # an OPTIONAL before its edges would leave out the nodes it does not find
            if not others or (exists and all(_STEPS.fullmatch(t.predicate) for t in others)):
                group.parts.remove(triple)

    def _proven(self, triples: Iterable[Triple]) -> Iterator[tuple[str, str]]:
        """Variables and labels that nodes have by their edges."""
        kinds = {t.subject: t.object for t in triples if t.object in self.ends}
        for triple in triples:
            steps = _STEPS.fullmatch(triple.predicate)
            if steps is not None and steps[1] in self.ends:
                sources, targets = self.ends[steps[1]]
                yield from ((triple.subject, label) for label in sources)
                yield from ((triple.object, label) for label in targets)
            elif triple.predicate in ("pg:from", "pg:to") and triple.subject in kinds:
                side = self.ends[kinds[triple.subject]][triple.predicate == "pg:to"]
                yield from ((triple.object, label) for label in side)


def _segments(group: Group) -> list[_Segment]:
    segments = [_Segment()]
    for part in group.parts:
        if isinstance(part, Triple):
            _place(segments, part).triples.append(part)
        elif _filters(part):
            segments[-1].filters.append(part)
        else:
            segments.append(_Segment(part))
    return segments


def _filters(part: Part) -> bool:
    match part:
        case Line():
            return part.text.startswith("FILTER")
        case Block():
            return part.word.startswith("FILTER")
    return False


def _place(segments: list[_Segment], triple: Triple) -> _Segment:
    """The segment of the other triples of its subject, if it can be there; else the last."""
    subjects = [{each.subject for each in segment.triples} for segment in segments]
    first = next((n for n, names in enumerate(subjects) if triple.subject in names), None)
    if first is None:
        return segments[-1]
    certain = {v for s in segments[: first + 1] for t in s.triples for v in _variables_of(t)}
    for segment in segments[first + 1 :]:
        movable = isinstance(segment.opens, Line) or (
            isinstance(segment.opens, Block) and segment.opens.word == "OPTIONAL"
        )
        assert segment.opens is not None  # noqa: S101 # only the first has none
        shared = set(_variables_of(triple)) & set(_variables(segment.opens))
        if not movable or not shared <= certain:
            return segments[-1]
    return segments[first]


def _variables_of(triple: Triple) -> Iterator[str]:
    terms_of = (triple.subject, triple.predicate, triple.object)
    yield from (text for text in terms_of if text.startswith("?"))


def _variables(part: Part) -> Iterator[str]:
    """All variables that a part speaks of."""
    match part:
        case Triple():
            yield from _variables_of(part)
        case Line():
            yield from _VARIABLE.findall(_STRING.sub('""', part.text))
        case Block():
            for group in part.groups:
                for inner in group.parts:
                    yield from _variables(inner)
        case Select():
            yield from _VARIABLE.findall(_STRING.sub('""', " ".join((part.head, *part.tail))))
            for inner in part.group.parts:
                yield from _variables(inner)


def _between(filters: list[Line]) -> Iterator[Line]:
    """Filters in order; the two bounds of one variable are one."""
    bounds = [_BOUND.fullmatch(line.text) for line in filters]
    place = 0
    while place < len(filters):
        now = bounds[place]
        after = bounds[place + 1] if place + 1 < len(filters) else None
        if now is not None and after is not None and now[2] == after[2]:
            yield Line(f"FILTER({now[1]} && {after[1]})")
            place += 2
        else:
            yield filters[place]
            place += 1
