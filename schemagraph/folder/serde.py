"""Stable JSON of schema and mapping, their fingerprints, and the two files of a graph folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from graphmill.errors import SchemaError, in_words
from graphmill.files import digest, missing, write_text
from graphmill.json_lines import read_json
from schemagraph.mapping import (
    Affinity,
    Column,
    EdgeTable,
    End,
    ForeignKey,
    Mapping,
    NodeTable,
    Semantics,
    TextForm,
)
from schemagraph.model import (
    UNSEEN,
    EdgeType,
    Kind,
    NodeType,
    Observed,
    Property,
    SchemaGraph,
    Type,
)

VERSION = 1
SCHEMA_FILE = "schema.json"
MAPPING_FILE = "mapping.json"


# --- types ---------------------------------------------------------------------------------


def type_to_json(kind: Type) -> Any:
    """A type: its kind, or an object where there is more to say.

    >>> type_to_json(Type(Kind.LIST, Type(Kind.STRING)))
    {'kind': 'LIST', 'item': 'STRING'}
    """
    written: dict[str, Any] = {"kind": kind.kind.value}
    if kind.item is not None:
        written["item"] = type_to_json(kind.item)
    if kind.of:
        written["of"] = list(kind.of)
    if not kind.nullable:
        written["nullable"] = False
    return written["kind"] if len(written) == 1 else written


def type_from_json(value: Any) -> Type:
    """The inverse of `type_to_json`."""
    if isinstance(value, str):
        return Type(Kind(value))
    item = value.get("item")
    return Type(
        Kind(value["kind"]),
        None if item is None else type_from_json(item),
        tuple(value.get("of", ())),
        value.get("nullable", True),
    )


# --- schema --------------------------------------------------------------------------------


def schema_to_json(schema: SchemaGraph) -> dict[str, Any]:
    """A schema as plain JSON values."""
    return {
        "version": VERSION,
        "name": schema.name,
        "nodes": [
            {
                "labels": list(node.labels),
                "key": list(node.key),
                "properties": [_property_to_json(p) for p in node.properties],
                **_note(node.note),
                **({"unique": [list(each) for each in node.unique]} if node.unique else {}),
            }
            for node in schema.nodes
        ],
        "edges": [
            {
                "label": edge.label,
                "source": edge.source,
                "target": edge.target,
                "properties": [_property_to_json(p) for p in edge.properties],
                **_note(edge.note),
                **({"targets": edge.targets} if edge.targets else {}),
                **({"sources": edge.sources} if edge.sources else {}),
                **_observed_ends(edge.observed_one),
            }
            for edge in schema.edges
        ],
    }


def _note(text: str) -> dict[str, str]:
    return {"note": text} if text else {}


def _observed_ends(one: tuple[bool, bool]) -> dict[str, Any]:
    names = ("targets", "sources")
    ends = {name: "0..1" for name, yes in zip(names, one, strict=True) if yes}
    return {"observed": ends} if ends else {}


def _property_to_json(given: Property) -> dict[str, Any]:
    return {
        "name": given.name,
        "type": type_to_json(given.type),
        "nullable": given.nullable,
        **_note(given.note),
        **({"unique": True} if given.unique else {}),
        **({"values": list(given.values)} if given.values else {}),
        **_observed_to_json(given.observed),
    }


def _observed_to_json(observed: Observed) -> dict[str, Any]:
    shown: dict[str, Any] = {} if observed.nullable else {"nullable": False}
    if observed.unique:
        shown["unique"] = True
    if observed.values:
        shown["values"] = list(observed.values)
    if observed.infinite:
        shown["infinite"] = True
    return {"observed": shown} if shown else {}


def _property_from_json(value: dict[str, Any]) -> Property:
    seen = value.get("observed", {})
    return Property(
        value["name"],
        type_from_json(value["type"]),
        value["nullable"],
        value.get("note", ""),
        value.get("unique", False),
        tuple(value.get("values", ())),
        Observed(
            seen.get("nullable", True),
            seen.get("unique", False),
            tuple(seen.get("values", ())),
            seen.get("infinite", False),
        ),
    )


def schema_from_json(value: dict[str, Any]) -> SchemaGraph:
    """The inverse of `schema_to_json`.

    Raises:
        SchemaError: the value is no schema of a version that we read.
    """
    return _read("schema", value, _schema)


def _schema(value: dict[str, Any]) -> SchemaGraph:
    nodes = tuple(
        NodeType(
            tuple(node["labels"]),
            tuple(_property_from_json(p) for p in node["properties"]),
            tuple(node["key"]),
            node.get("note", ""),
            tuple(tuple(each) for each in node.get("unique", ())),
        )
        for node in value["nodes"]
    )
    edges = tuple(
        EdgeType(
            edge["label"],
            edge["source"],
            edge["target"],
            tuple(_property_from_json(p) for p in edge["properties"]),
            edge.get("note", ""),
            edge.get("targets", ""),
            edge.get("sources", ""),
            ("targets" in edge.get("observed", ()), "sources" in edge.get("observed", ())),
        )
        for edge in value["edges"]
    )
    names = {node.name for node in nodes}
    for node in nodes:
        for key in node.key:
            if node.property(key) is None:
                raise ValueError(f"{node.name} has no property {key}, which is in its key")
    for edge in edges:
        for end in (edge.source, edge.target):
            if end not in names:
                raise ValueError(f"{edge.label} is an edge of {end}, which is no node type")
    return SchemaGraph(value["name"], nodes, edges)


def fingerprint(schema: SchemaGraph) -> str:
    """SHA-256 of the schema's JSON; the name of the graph and notes are no part of it."""
    value = schema_to_json(schema)
    del value["name"]
    for item in (*value["nodes"], *value["edges"]):
        item.pop("note", None)
        for given in item["properties"]:
            given.pop("note", None)
    return digest(value)


def declared_fingerprint(schema: SchemaGraph) -> str:
    """`fingerprint` without what the data alone say, so that it stays as they grow."""
    nodes = tuple(
        replace(node, properties=tuple(map(_declared, node.properties))) for node in schema.nodes
    )
    edges = tuple(
        replace(
            edge,
            properties=tuple(map(_declared, edge.properties)),
            observed_one=(False, False),
        )
        for edge in schema.edges
    )
    return fingerprint(replace(schema, nodes=nodes, edges=edges))


def _declared(given: Property) -> Property:
    return replace(given, observed=UNSEEN, type=replace(given.type, mixed=False))


# --- mapping -------------------------------------------------------------------------------


def mapping_to_json(mapping: Mapping) -> dict[str, Any]:
    """A mapping as plain JSON values; what has its default value is left out of columns."""
    return {
        "version": mapping.version,
        "dialect": mapping.dialect,
        **({"ordering": mapping.ordering} if mapping.ordering != "BINARY" else {}),
        "nodes": [
            {
                "table": node.table,
                "label": node.label,
                "key": list(node.key),
                "row_key": node.row_key,
                "columns": [_column_to_json(column) for column in node.columns],
                "foreign_keys": [
                    {
                        "columns": list(reference.columns),
                        "table": reference.table,
                        "referenced": list(reference.referenced),
                        "edge": reference.edge,
                        "complete": reference.complete,
                    }
                    for reference in node.foreign_keys
                ],
                **({"unique": [list(each) for each in node.unique]} if node.unique else {}),
            }
            for node in mapping.nodes
        ],
        "edges": [
            {
                "table": edge.table,
                "edge": edge.edge,
                "key": list(edge.key),
                "order": list(edge.order),
                "source": _end_to_json(edge.source),
                "target": _end_to_json(edge.target),
                "columns": [_column_to_json(column) for column in edge.columns],
                "end_columns": [_column_to_json(column) for column in edge.end_columns],
            }
            for edge in mapping.edges
        ],
    }


def _end_to_json(end: End) -> dict[str, Any]:
    return {"columns": list(end.columns), "table": end.table, "referenced": list(end.referenced)}


def _end_from_json(value: dict[str, Any]) -> End:
    return End(tuple(value["columns"]), value["table"], tuple(value["referenced"]))


def _column_to_json(column: Column) -> dict[str, Any]:
    written: dict[str, Any] = {}
    for part in fields(Column):
        value = getattr(column, part.name)
        if part.name == "type":
            value = type_to_json(value)
        elif part.name == "affinity":
            value = value.value
        elif value == part.default:
            continue
        elif part.name in ("form", "semantics"):
            value = value.value
        written[part.name] = value
    return written


def _column_from_json(value: dict[str, Any]) -> Column:
    return Column(
        **{
            **value,
            "affinity": Affinity(value["affinity"]),
            "form": TextForm(value.get("form", "")),
            "semantics": Semantics(value.get("semantics", "")),
            "type": type_from_json(value["type"]),
            "values": tuple(value.get("values", ())),
        }
    )


def mapping_from_json(value: dict[str, Any]) -> Mapping:
    """The inverse of `mapping_to_json`.

    Raises:
        SchemaError: the value is no mapping of a version that we read.
    """
    return _read("mapping", value, _mapping)


def _mapping(value: dict[str, Any]) -> Mapping:
    nodes = tuple(
        NodeTable(
            node["table"],
            node["label"],
            tuple(_column_from_json(column) for column in node["columns"]),
            tuple(node["key"]),
            node["row_key"],
            tuple(
                ForeignKey(
                    tuple(reference["columns"]),
                    reference["table"],
                    tuple(reference["referenced"]),
                    reference["edge"],
                    reference["complete"],
                )
                for reference in node["foreign_keys"]
            ),
            tuple(tuple(each) for each in node.get("unique", ())),
        )
        for node in value["nodes"]
    )
    edges = tuple(
        EdgeTable(
            edge["table"],
            edge["edge"],
            _end_from_json(edge["source"]),
            _end_from_json(edge["target"]),
            tuple(_column_from_json(column) for column in edge["columns"]),
            tuple(_column_from_json(column) for column in edge["end_columns"]),
            tuple(edge["key"]),
            tuple(edge["order"]),
        )
        for edge in value["edges"]
    )
    ordering = value.get("ordering", "BINARY")
    return Mapping(value["dialect"], nodes, edges, value["version"], ordering)


# --- files ---------------------------------------------------------------------------------


def _read[T](what: str, value: dict[str, Any], make: Callable[[dict[str, Any]], T]) -> T:
    version = value.get("version") if isinstance(value, dict) else None
    if not isinstance(version, int) or isinstance(version, bool):
        why = "it has no number as its version" if isinstance(value, dict) else "it is no object"
        raise SchemaError(f"This is no {what}: {why}.")
    if version != VERSION:
        raise SchemaError(
            f"This {what} has the version {version!r}; this graphmill reads version {VERSION}."
        )
    try:
        return make(value)
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise SchemaError(f"This {what} is damaged: {in_words(problem)}.") from problem


def no_graph(path: Path) -> SchemaError:
    """A folder that lacks a graph's file `path`."""
    return SchemaError(
        f"{path.parent} is no graph. {missing(path)} `graphmill convert` and `graphmill synth` "
        "write graphs."
    )


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _load[T](path: Path, make: Callable[[Any], T]) -> T:
    if not path.exists():
        raise no_graph(path)
    value = read_json(path, SchemaError)
    try:
        return make(value)
    except SchemaError as problem:
        raise SchemaError(f"{path}: {problem} Write the graph again.") from problem


def save_schema(folder: Path, schema: SchemaGraph) -> None:
    """Write `schema.json`."""
    write_text(folder / SCHEMA_FILE, _dump(schema_to_json(schema)))


def load_schema(folder: Path) -> SchemaGraph:
    """The schema of the graph in `folder`, or in a file of any name.

    Raises:
        SchemaError: there is none, or it is damaged.
    """
    path = folder if folder.is_file() else folder / SCHEMA_FILE
    return _load(path, schema_from_json)


def save_mapping(folder: Path, mapping: Mapping) -> None:
    """Write `mapping.json`."""
    write_text(folder / MAPPING_FILE, _dump(mapping_to_json(mapping)))


def load_mapping(folder: Path) -> Mapping | None:
    """How tables became the graph in `folder`; None where it has no relational origin.

    Raises:
        SchemaError: the folder is no graph, or the mapping is damaged.
    """
    if not (folder / MAPPING_FILE).exists():
        load_schema(folder)
        return None
    return _load(folder / MAPPING_FILE, mapping_from_json)
