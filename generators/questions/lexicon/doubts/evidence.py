"""What of a graph answers a doubt at a glance: types, some values, codes that have no words."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any

from generators.questions.lexicon.model import Property, Role, value_key
from graphmill.english.lists import word_set
from schemagraph.folder.statistics import PropertyStatistics
from schemagraph.model import EdgeType, Kind, NodeType, SchemaGraph

_SHOWN = 3  # values
_COLUMNS = 5  # properties of a thing
_NAMES = (Kind.STRING, Kind.ANY, Kind.INTEGER)
_YES_NO = frozenset({"Y", "N", "T", "F"})
_LONG = 30  # characters of a value that are shown
_MOST = 12  # values of a closed set
_CODES = 40  # codes, of which more are no sorts of things
_SHORT = 4  # characters of a code


@dataclass(frozen=True, slots=True)
class Evidence:
    """A schema and the figures of its data, as far as they are known."""

    schema: SchemaGraph
    figures: Mapping[tuple[str, str], PropertyStatistics]

    def values(self, owner: str, name: str) -> str:
        """The type of a property and some of its values: "STRING, as 'CON', 'ORG'"."""
        element = self._element(owner)
        column = element.property(name) if element is not None else None
        if column is None:
            return ""
        shown = [_text(value) for value in self._common(owner, name)[:_SHOWN]]
        return f"{column.type.kind}, as {', '.join(shown)}" if shown else f"{column.type.kind}"

    def texts(self, node: NodeType, hidden: Container[str]) -> str:
        """The properties that may name a thing, each with a value: texts, then whole numbers."""
        columns = [p for p in node.properties if p.name not in hidden and p.type.kind in _NAMES]
        columns.sort(key=lambda p: p.type.kind is Kind.INTEGER)
        shown = [(p.name, self._common(node.name, p.name)) for p in columns]
        texts = [f"{name} ({_text(values[0])})" for name, values in shown if values]
        return f"has {', '.join(texts[:_COLUMNS])}" if texts else ""

    def wordless(self, owner: str, name: str, entry: Property) -> tuple[str, ...]:
        """The values of a closed set that sorts things and that have no word: codes, and what is
        left beside values that have one."""
        figures = self.figures.get((owner, name))
        sorts = entry.kind in (None, Role.CATEGORY, Role.CODE)
        most = _MOST if entry.values else _CODES
        if figures is None or not sorts or not 1 < figures.distinct <= most:
            return ()
        known = [value for value, _ in figures.common]
        if len(known) != figures.distinct or not all(isinstance(value, str) for value in known):
            return ()
        left = tuple(_plain(text) for text in known if value_key(text) not in entry.values)
        if entry.values:
            return left
        coded = entry.noun.endswith("code") or {*known} <= _YES_NO
        codes = all(_is_code(text, coded=coded) for text in known)
        return left if codes else ()

    def _element(self, owner: str) -> NodeType | EdgeType | None:
        return self.schema.node_by_name.get(owner) or self.schema.edge_by_name.get(owner)

    def _common(self, owner: str, name: str) -> list[Any]:
        figures = self.figures.get((owner, name))
        return [] if figures is None else [value for value, _ in figures.common]


def _is_code(text: str, *, coded: bool) -> bool:
    """Whether a value is one that only its database knows; `coded`: in a column of codes."""
    if not 0 < len(text) <= _SHORT or not text.isalnum() or text.islower():
        return False
    if text.lower() in word_set("known_codes") | word_set("acronyms"):
        return coded
    return text.isupper() and (coded or len(text) > 1)


def _plain(text: str) -> str:
    """A stored text without what would move a terminal's cursor."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _text(value: Any) -> str:
    text = _plain(f"{value}")
    text = text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"
    return f"'{text}'" if isinstance(value, str) else text
