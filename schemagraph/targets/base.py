"""`Target`, what every engine's export offers, and the writing of what it asks for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from graphmill.errors import GraphmillError
from graphmill.files import whole_folder
from graphmill.registry import Registry
from schemagraph.folder.manifest import load_manifest
from schemagraph.folder.serde import load_schema
from schemagraph.folder.tables import distinct
from schemagraph.folder.tables_check import check_loadable
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from schemagraph.targets.cells import Row, read_rows, write_csv


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that the engine cannot hold as it is: where, and what became of it."""

    where: str
    what: str


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a data file: its header, and a row's value (None is an absent one)."""

    header: str
    value: Callable[[Row], Any]


@dataclass(frozen=True, slots=True)
class DataFile:
    """A CSV file with the rows of one node or edge type, with or without a line of headers."""

    path: str
    of: NodeType | EdgeType
    columns: tuple[Column, ...]
    header: bool = True


type Lines = Callable[[Path, SchemaGraph], Iterable[str]]
"""The text of a whole graph, piece by piece."""


@dataclass(slots=True)
class Export:
    """What a target writes: texts by path, data files, files of the whole graph, what is lost."""

    texts: dict[str, str] = field(default_factory=dict)
    data: list[DataFile] = field(default_factory=list)
    whole: dict[str, Lines] = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)
    empties: dict[tuple[str, str], Loss] = field(default_factory=dict)

    def lose(self, where: str, what: str) -> None:
        """Note a loss, once."""
        loss = Loss(where, what)
        if loss not in self.losses:
            self.losses.append(loss)

    def lose_empty(self, owner: str, name: str, what: str) -> None:
        """Note a loss of empty texts and lists, which is one where the data have any."""
        self.empties[owner, name] = Loss(f"{owner}.{name}", what)

    def lose_constraints(self, schema: SchemaGraph, held: Collection[str]) -> None:
        """Note what the schema declares and the engine does not enforce.

        `held` is what it does: `values` (closed sets), `required` and `unique` of nodes, those of
        edges as `edge-required` and `edge-unique`, `one` (at most one edge at an end).
        """
        types: list[NodeType | EdgeType] = [*schema.nodes, *schema.edges]
        for of in types:
            edge = "edge-" if isinstance(of, EdgeType) else ""
            key = () if isinstance(of, EdgeType) else of.key
            for given in of.properties:
                where = f"{of.name}.{given.name}"
                if given.values and not ("values" in held and is_listed(given)):
                    self.lose(where, "its closed set of values is not enforced")
                if not given.nullable and given.name not in key and f"{edge}required" not in held:
                    self.lose(where, "NOT NULL is not enforced")
                if given.unique and (given.name,) != key and f"{edge}unique" not in held:
                    self.lose(where, "UNIQUE is not enforced")
            for names in of.unique if isinstance(of, NodeType) and "unique" not in held else ():
                if names != key:
                    self.lose(of.name, f"UNIQUE ({', '.join(names)}) is not enforced")
        for each in schema.edges:
            for many, end in ((each.targets, each.source), (each.sources, each.target)):
                if many == "1":
                    self.lose(each.name, f"that each {end} has one is not enforced")
                if many and "one" not in held:
                    self.lose(each.name, f"that no {end} has two is not enforced")

    def met(self, of: NodeType | EdgeType, rows: Iterable[Row]) -> Iterator[Row]:
        """The same rows; what is lost of those that are empty is noted."""
        names = [name for owner, name in self.empties if owner == of.name]
        for row in rows:
            for name in names:
                if row.properties.get(name) in ("", []):
                    self.losses.append(self.empties.pop((of.name, name)))
                    names = [each for each in names if each != name]
            yield row


def is_listed(given: Property) -> bool:
    """Whether the closed set of a property is of values as its type holds them."""
    kinds = {Kind.STRING: str, Kind.INTEGER: int}
    kind = kinds.get(given.type.kind)
    return kind is not None and all(type(value) is kind for value in given.values)


class Target(Protocol):
    """One engine. `says` names it for people."""

    name: str
    says: str

    def type_of(self, of: Type) -> str | None:
        """The engine's type of a property; None where its text is stored."""
        ...

    def export(self, schema: SchemaGraph) -> Export:
        """DDL, import configuration and the layout of the data files for `schema`."""
        ...


TARGETS: Registry[Target] = Registry(
    "engine", "schemagraph.targets", "TARGET", internal=frozenset({"base", "cells", "relations"})
)


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written: files relative to the folder, rows of data, and what is lost."""

    files: tuple[str, ...]
    rows: int
    losses: tuple[Loss, ...]

    def as_json(self) -> dict[str, Any]:
        """Plain values, for the command line."""
        losses = [{"where": loss.where, "what": loss.what} for loss in self.losses]
        return {"files": list(self.files), "rows": self.rows, "lost": losses}


def export(engine: str, graph: Path, out: Path, *, data: bool = True) -> Exported:
    """Write the files that make `engine` hold the graph in the folder `graph` to `out`: all, or
    none.

    Raises:
        UnknownNameError: there is no such engine.
        SchemaError: the graph cannot be read, or its tables are not what its schema and its
            manifest say.
        GraphmillError: `out` cannot be written.
    """
    target = TARGETS.get(engine)
    if data:
        check_loadable(graph)
    schema = load_schema(graph)
    exported = target.export(schema)
    rows = 0
    try:
        with whole_folder(out) as draft:
            if data:
                for file in exported.data:
                    place = draft / file.path
                    place.parent.mkdir(parents=True, exist_ok=True)
                    header = [column.header for column in file.columns] if file.header else None
                    values = [column.value for column in file.columns]
                    source = exported.met(file.of, read_rows(graph, schema, file.of))
                    rows += write_csv(place, header, values, source)
                for path, lines in exported.whole.items():
                    _write_lines(draft / path, lines(graph, schema))
                if exported.whole:
                    rows = sum(table.rows for table in load_manifest(graph).tables)
            for path, text in exported.texts.items():
                (draft / path).parent.mkdir(parents=True, exist_ok=True)
                _write_lines(draft / path, [text])
    except OSError as problem:
        raise GraphmillError(f"Cannot write {out}: {problem.strerror}.") from problem
    paths = [*exported.texts, *(file.path for file in exported.data if data)]
    paths += exported.whole if data else ()
    unseen = () if data else exported.empties.values()
    return Exported(tuple(sorted(paths)), rows, (*exported.losses, *unseen))


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        for text in lines:
            stream.write(text)


# --- what several engines need ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Key:
    """How an engine with one key column identifies nodes of a type.

    `name` is a property, or `made`: a text of all key properties, for composite keys.
    """

    name: str
    made: bool


def single_key(node: NodeType, export: Export) -> Key:
    """The key property of a node type, or a made one where the key is composite."""
    if len(node.key) == 1:
        return Key(node.key[0], made=False)
    taken = {p.name.casefold() for p in node.properties}
    name = "_key" if "_key" not in taken else distinct(["_key"], taken)[0]
    export.lose(node.name, f"the key ({', '.join(node.key)}) becomes one text property, {name}")
    return Key(name, made=True)


def own_label(schema: SchemaGraph, node: NodeType, export: Export) -> str | None:
    """A label that this node type alone has; constraints on a shared one would bind others."""
    others = {label for other in schema.nodes if other is not node for label in other.labels}
    own = next((label for label in node.labels if label not in others), None)
    if own is None:
        unbound = "key, UNIQUE and NOT NULL are not enforced, as no label is this type's alone"
        export.lose(node.name, unbound)
    return own


def renamed(
    names: Iterable[str], legal: Callable[[str], str], where: Callable[[str], str], export: Export
) -> dict[str, str]:
    """Legal names that stay different, by the old ones; what changes is noted as lost."""
    given = list(dict.fromkeys(names))
    names_by_old = dict(zip(given, distinct([legal(name) for name in given]), strict=True))
    for old, new in names_by_old.items():
        if old != new:
            export.lose(where(old), f"is called {new}")
    return names_by_old


def column_type(target: Target, given: Property, text: str, owner: str, export: Export) -> str:
    """The engine's type of a property; `text` is the type that holds the text of all others."""
    engine_type = target.type_of(given.type)
    if engine_type is None:
        export.lose(f"{owner}.{given.name}", f"{given.type} is stored as text")
    return engine_type or text


def comment(losses: Iterable[Loss], mark: str) -> list[str]:
    """Lines that tell in a file what is lost."""
    return [f"{mark} lost: {loss.where}: {loss.what}" for loss in losses]
