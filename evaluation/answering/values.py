"""Which values of a graph a question names: the entity linking of systems."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from schemagraph.folder.graphdata import edge_rows, node_rows
from schemagraph.model import EdgeType, Kind, NodeType, SchemaGraph

LONGEST = 120  # characters of a value that is looked for in questions
MOST = 500_000  # different texts of a graph that are kept; the rest cannot be linked
WORDS = 14  # words of a value that is looked for

type Sort = Literal["text", "number", "date"]
type Place = tuple[str, str]  # the name of a node or edge type, and of its property

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"(?<![\w.-])-?\d[\d,]*(?:\.\d+)?(?!\w)")
_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?\b")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
_LONG_DATE = re.compile(rf"\b(\d{{1,2}}) ({'|'.join(_MONTHS)}) (\d{{4}})\b", re.IGNORECASE)
_QUOTED = re.compile(r"(?<!\w)(?:'([^']{1,120})'|\"([^\"]{1,120})\"|“([^”]{1,120})”)(?!\w)")
_SPELT = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen", "twenty"),
)
_SPELT_NUMBERS = {word: number for number, word in enumerate(_SPELT)}


@dataclass(frozen=True, slots=True)
class Mention:
    """A piece of a question that names a value: from `start` to `end`, of a sort.

    `places` are the properties that hold the value `value` in the graph, where it was found.
    """

    start: int
    end: int
    sort: Sort
    value: Any
    places: frozenset[Place] = frozenset()


@dataclass(slots=True)
class Values:
    """The texts of a graph: folded text → the values so written → the properties that hold it."""

    texts: dict[str, dict[str, set[Place]]] = field(default_factory=dict)

    @classmethod
    def of(cls, graph: Path, schema: SchemaGraph) -> Values:
        """All texts in the graph's folder, of nodes and edges; long ones are left out.

        Raises:
            SchemaError: a table is missing or damaged.
        """
        values = cls()
        for owner, rows in _tables(graph, schema):
            names = [p.name for p in owner.properties if _holds_text(p.type.kind, p.type.item)]
            if not names:
                continue
            for row in rows:
                for name in names:
                    values._add(row.get(name), (owner.name, name))
        return values

    def _add(self, value: Any, place: Place) -> None:
        if isinstance(value, list):
            for item in value:
                self._add(item, place)
        if not isinstance(value, str) or not value.strip() or len(value) > LONGEST:
            return
        key = folded(value)
        if key in self.texts or len(self.texts) < MOST:
            self.texts.setdefault(key, {}).setdefault(value, set()).add(place)

    def named(self, text: str) -> Mapping[str, set[Place]]:
        """The values that are written like `text`, case and spaces aside."""
        return self.texts.get(folded(text), {})

    def mentions(self, question: str) -> list[Mention]:
        """What the question names, from left to right: values of the graph, the longest first;
        then texts in quotation marks, dates and numbers. Pieces do not overlap.

        Texts of up to three letters count only as they are written in the graph.
        """
        taken = [False] * len(question)
        mentions: list[Mention] = []

        def take(start: int, end: int, sort: Sort, value: Any, places: set[Place]) -> None:
            if any(taken[start:end]):
                return
            taken[start:end] = [True] * (end - start)
            mentions.append(Mention(start, end, sort, value, frozenset(places)))

        for match in _QUOTED.finditer(question):
            text = next(filter(None, match.groups()))
            known = self.named(text)
            value = text if text in known or not known else min(known)
            sort: Sort = "date" if _DATE.fullmatch(text) else "text"
            take(match.start(), match.end(), sort, value, known.get(value, set()))
        for start, end, value, places in self._pieces(question):
            take(start, end, "text", value, places)
        for match in _DATE.finditer(question):
            take(match.start(), match.end(), "date", match[0], set())
        for match in _LONG_DATE.finditer(question):
            month = _MONTHS.index(match[2].casefold()) + 1
            value = f"{match[3]}-{month:02d}-{int(match[1]):02d}"
            take(match.start(), match.end(), "date", value, set())
        for match in _NUMBER.finditer(question):
            take(match.start(), match.end(), "number", number(match[0]), set())
        for match in _WORD.finditer(question):
            if match[0].casefold() in _SPELT_NUMBERS:
                spelt = _SPELT_NUMBERS[match[0].casefold()]
                take(match.start(), match.end(), "number", spelt, set())
        return sorted(mentions, key=lambda mention: mention.start)

    def _pieces(self, question: str) -> Iterator[tuple[int, int, str, set[Place]]]:
        """Pieces of whole words that are values of the graph, the longest first."""
        spans = [match.span() for match in _WORD.finditer(question)]
        for width in range(min(WORDS, len(spans)), 0, -1):
            for at in range(len(spans) - width + 1):
                start, end = spans[at][0], spans[at + width - 1][1]
                sign = not question[end : end + 1].isspace()
                for stop in (end + 1, end) if sign else (end,):  # with a sign behind it: "Inc."
                    text = question[start:stop]
                    known = self.named(text)
                    if known and (len(text) > 3 or text in known):
                        value = text if text in known else min(known)
                        yield start, min(stop, len(question)), value, known[value]
                        break


def number(text: str) -> int | float:
    """The number that a text of digits, commas and a dot writes.

    >>> number("1,200"), number("2.50")
    (1200, 2.5)
    """
    plain = text.replace(",", "")
    return float(plain) if "." in plain else int(plain)


def folded(text: str) -> str:
    """A text without its case, its spaces one each."""
    return " ".join(text.casefold().split())


def _holds_text(kind: Kind, item: Any) -> bool:
    return kind is Kind.STRING or (item is not None and item.kind is Kind.STRING)


def _tables(
    graph: Path, schema: SchemaGraph
) -> Iterator[tuple[NodeType | EdgeType, Iterator[dict[str, Any]]]]:
    for node in schema.nodes:
        yield node, node_rows(graph, node)
    for edge in schema.edges:
        if edge.properties:
            yield edge, (row.properties for row in edge_rows(graph, edge, schema))
