"""The catalogues of twigs (AT-7, AT-21): patterns of a language whose slots a schema's parts fill.

They are data: `data/archetypes/twigs/LANGUAGE.toml`, after Tables 5 to 7 of Adaptive Text2GQL.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from graphmill.errors import ConfigError, unknown_name
from graphmill.files import data_folder
from schemagraph.model import NUMERIC, SchemaGraph

type Fill = Mapping[str, str]
"""What stands in each slot: names of node types (A, B, C), of edge types (R, S), a property (k)."""

KEYS = ("category", "type", "shape", "pattern", "tags", "words", "cypher")


@dataclass(frozen=True, slots=True)
class Template:
    """One row: `tags` are the slots whose names are T_s, `words` are T_nl; `cypher` says the same
    with the slots' letters as names."""

    category: str
    type: str
    shape: str
    pattern: str
    tags: tuple[str, ...]
    words: tuple[str, ...]
    cypher: str


@cache
def templates(language: str) -> tuple[Template, ...]:
    """The catalogue of a language.

    Raises:
        UnknownNameError: there is none for it.
        ConfigError: a file is damaged.
    """
    folder = data_folder() / "archetypes" / "twigs"
    names = sorted(path.stem for path in folder.glob("*.toml"))
    if language not in names:
        raise unknown_name("language with a catalogue of twigs", language, names)
    return tuple(_rows(folder / f"{language}.toml"))


def _rows(path: Path) -> Iterator[Template]:
    for row in tomllib.loads(path.read_text(encoding="utf-8"))["twig"]:
        if set(row) != set(KEYS) or row["shape"] not in SHAPES:
            raise ConfigError(
                f"{path}: a twig has {', '.join(KEYS)}; its shape is one of {', '.join(SHAPES)}."
            )
        yield Template(
            row["category"],
            row["type"],
            row["shape"],
            row["pattern"],
            tuple(row["tags"]),
            tuple(row["words"]),
            row["cypher"],
        )


def fills(shape: str, schema: SchemaGraph) -> Iterator[Fill]:
    """Every way to fill a shape (eq 6): only edges whose ends fit."""
    yield from SHAPES[shape](schema)


def _nodes(schema: SchemaGraph) -> Iterator[Fill]:
    for node in schema.nodes:
        yield {"A": node.name}


def _properties(schema: SchemaGraph) -> Iterator[Fill]:
    for node in schema.nodes:
        for given in node.properties:
            yield {"A": node.name, "k": given.name}


def _numbers(schema: SchemaGraph) -> Iterator[Fill]:
    for node in schema.nodes:
        for given in node.properties:
            if given.type.kind in NUMERIC:
                yield {"A": node.name, "k": given.name}


def _edges(schema: SchemaGraph) -> Iterator[Fill]:
    for edge in schema.edges:
        yield {"A": edge.source, "R": edge.name, "B": edge.target}


def _loops(schema: SchemaGraph) -> Iterator[Fill]:
    for edge in schema.edges:
        if edge.source == edge.target:
            yield {"A": edge.source, "R": edge.name, "B": edge.target}


def _chains(schema: SchemaGraph) -> Iterator[Fill]:
    for one in schema.edges:
        for two in schema.edges:
            if one.target == two.source:
                ends = {"A": one.source, "B": one.target, "C": two.target}
                yield {**ends, "R": one.name, "S": two.name}


def _converging(schema: SchemaGraph) -> Iterator[Fill]:
    for one in schema.edges:
        for two in schema.edges:
            if one.target == two.target:
                ends = {"A": one.source, "B": one.target, "C": two.source}
                yield {**ends, "R": one.name, "S": two.name}


def _fans(schema: SchemaGraph) -> Iterator[Fill]:
    for number, one in enumerate(schema.edges):
        for two in schema.edges[number + 1 :]:
            if one.source == two.source:
                ends = {"A": one.source, "B": one.target, "C": two.target}
                yield {**ends, "R": one.name, "S": two.name}


def _stars(schema: SchemaGraph) -> Iterator[Fill]:
    for number, one in enumerate(schema.edges):
        for two in schema.edges[number + 1 :]:
            for centre in sorted({one.source, one.target} & {two.source, two.target}):
                far = one.target if one.source == centre else one.source
                other = two.target if two.source == centre else two.source
                yield {"A": centre, "B": far, "C": other, "R": one.name, "S": two.name}


SHAPES: Mapping[str, Callable[[SchemaGraph], Iterator[Fill]]] = {
    "node": _nodes,
    "property": _properties,
    "number": _numbers,
    "edge": _edges,
    "loop": _loops,
    "chain": _chains,
    "converging": _converging,
    "fan": _fans,
    "star": _stars,
}
