"""`lexicon.json`, the words of a graph beside its schema, and what the question author takes of it.

Authors of schemas write it; people may edit it. What it does not say, the rules find from names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from generators.questions.lexicon.relations import EdgeWords, Lexicon, Predicate
from graphmill.english.inflection import plural
from graphmill.errors import SchemaError
from graphmill.files import write_text

FILE = "lexicon.json"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PropertyEntry(_Part):
    """Words of a property: its noun where the name is none, its unit, other names for it."""

    noun: str = ""
    unit: str = ""
    synonyms: tuple[str, ...] = ()


class NodeEntry(_Part):
    """Words of a node type: `singular` and `plural`, other nouns for it."""

    singular: str
    plural: str
    synonyms: tuple[str, ...] = ()
    properties: Mapping[str, PropertyEntry] = Field(default_factory=dict)


class EdgeEntry(_Part):
    """Words of an edge type.

    `forward` is what its source says of its target ("holds"), `backward` the other way round
    ("is held by"); `noun` names one edge.
    """

    forward: str
    backward: str
    noun: str = "link"
    synonyms: tuple[str, ...] = ()
    properties: Mapping[str, PropertyEntry] = Field(default_factory=dict)


class GraphLexicon(_Part):
    """The words of a graph, by `NodeType.name` and `EdgeType.name`.

    `questions` are examples of what people of the domain ask, `purpose` why they keep the graph.
    """

    version: Literal[1] = 1
    domain: str = ""
    purpose: str = ""
    questions: tuple[str, ...] = ()
    nodes: Mapping[str, NodeEntry] = Field(default_factory=dict)
    edges: Mapping[str, EdgeEntry] = Field(default_factory=dict)

    def words(self) -> Lexicon:
        """The form that question authors take."""
        properties = {}
        units = {}
        elements: list[tuple[str, NodeEntry | EdgeEntry]] = [
            *self.nodes.items(),
            *self.edges.items(),
        ]
        for element, entry in elements:
            for name, said in entry.properties.items():
                if said.noun:
                    properties[element, name] = said.noun
                if said.unit:
                    units[element, name] = said.unit
        return Lexicon(
            {name.partition("&")[0]: entry.singular for name, entry in self.nodes.items()},
            properties,
            {name: _edge_words(entry) for name, entry in self.edges.items()},
            units,
        )


def _edge_words(entry: EdgeEntry) -> EdgeWords:
    return EdgeWords(_predicate(entry.forward), _predicate(entry.backward), noun=entry.noun)


def _predicate(phrase: str) -> Predicate:
    said = phrase if "{}" in phrase else f"{phrase} {{}}"
    if found := _HAS_THE.fullmatch(phrase):
        said = f"has {{}} as {found[1]}"
    return Predicate(said, plural_verb(said))


_HAS_THE = re.compile(r"has (?:the|an?) (\w+)")
_ONE_OF = re.compile(r"(is|was) an? (.+) (of(?: \{\})?)")
_PLURALS = {"is": "are", "was": "were", "has": "have", "does": "do", "goes": "go"}


def plural_verb(phrase: str) -> str:
    """A verb phrase for many subjects.

    >>> [plural_verb(p) for p in ("is held by", "matches", "carries", "led to", "uses", "passes")]
    ['are held by', 'match', 'carry', 'led to', 'use', 'pass']
    >>> plural_verb("is a citizen of {}"), plural_verb("is a part of")
    ('are citizens of {}', 'are parts of')
    """
    first, blank, rest = phrase.partition(" ")
    if found := _ONE_OF.fullmatch(phrase):
        return f"{_PLURALS[found[1]]} {plural(found[2])} {found[3]}"
    if first in _PLURALS:
        first = _PLURALS[first]
    elif first.endswith("ies") and len(first) > 4:
        first = first[:-3] + "y"
    elif re.search(r"(?:ch|sh|ss|x|zz)es$", first):
        first = first[:-2]
    elif first.endswith("s") and not first.endswith("ss"):
        first = first[:-1]
    return f"{first}{blank}{rest}"


def lexicon_text(lexicon: GraphLexicon) -> str:
    """The text of `lexicon.json`; what has its default value is left out."""
    value = lexicon.model_dump(exclude_defaults=True)
    return json.dumps({"version": 1, **value}, ensure_ascii=False, indent=1) + "\n"


def save_lexicon(folder: Path, lexicon: GraphLexicon) -> None:
    """Write `lexicon.json`."""
    write_text(folder / FILE, lexicon_text(lexicon))


def load_lexicon(folder: Path) -> GraphLexicon | None:
    """The words of the graph in `folder`; None where it brings none.

    Raises:
        SchemaError: the file is damaged.
    """
    path = folder / FILE
    return read_lexicon(path) if path.exists() else None


def read_lexicon(path: Path) -> GraphLexicon:
    """The words in a file.

    Raises:
        SchemaError: it cannot be read, or is damaged.
    """
    try:
        return GraphLexicon.model_validate_json(path.read_bytes())
    except OSError as problem:
        raise SchemaError(f"Cannot read {path}: {problem.strerror}.") from problem
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(map(str, first["loc"])) or "top"
        raise SchemaError(f"{path}: {where}: {first['msg']}.") from problem
