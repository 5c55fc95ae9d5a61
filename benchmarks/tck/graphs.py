"""The graphs of the openCypher TCK as GraphData, with an inferred schema.

grafeo makes them from the CREATE statements of a scenario, or we do where it makes other values.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import grafeo
import pyarrow as pa

from graph_ir import nodes as ir
from graph_ir.cypher.reader import parse
from graph_ir.temporal.values import Moment, Span
from graph_ir.walk import find
from schemagraph.folder.graphdata import edge_layout, node_layout
from schemagraph.folder.writer import GraphWriter
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from translators.duckdb.model.constants import constant
from translators.duckdb.model.sql import Scope

KEY = "_key"

TEMPORAL = {"date", "time", "localtime", "datetime", "localdatetime", "duration"}


@dataclass(slots=True)
class Graph:
    """What a scenario's set-up made: labels and properties, and ends with type and properties."""

    nodes: list[tuple[tuple[str, ...], dict[str, Any]]]
    edges: list[tuple[int, int, str, dict[str, Any]]]


def build(setup: list[str]) -> Graph:
    """Run the set-up in grafeo and read the graph back."""
    database = grafeo.GrafeoDB()
    for text in setup:
        database.execute_cypher(text)
    places: dict[int, int] = {}
    graph = Graph([], [])
    for row in database.execute_cypher("MATCH (n) RETURN n AS n"):
        node = row["n"]
        places[node["_id"]] = len(graph.nodes)
        graph.nodes.append((tuple(node["_labels"]), properties_read(node)))
    for row in database.execute_cypher("MATCH ()-[r]->() RETURN r AS r"):
        edge = row["r"]
        ends = places[edge["_source"]], places[edge["_target"]]
        graph.edges.append((*ends, edge["_type"], properties_read(edge)))
    database.close()
    return graph


def created(setup: list[str]) -> Graph | None:
    """The graph of plain CREATE statements with constant properties, read by ourselves.

    grafeo makes other values of many temporal functions (see docs/measurements.md).
    """
    graph = Graph([], [])
    for text in setup:
        statement = parse(text)
        if not any(call.name.split(".")[0] in TEMPORAL for call in find(statement, ir.Call)):
            return None
        if not isinstance(statement, ir.Query):
            return None
        known: dict[str, int] = {}
        for clause in statement.clauses:
            if not isinstance(clause, ir.Create):
                return None
            for path in clause.paths:
                last = node_of(graph, path.head, known)
                for step in path.steps:
                    after = node_of(graph, step.node, known)
                    edge = step.edge
                    assert isinstance(edge, ir.EdgePattern)
                    ends = (last, after) if edge.direction is ir.Direction.OUT else (after, last)
                    assert isinstance(edge.types, ir.LabelName)
                    graph.edges.append((*ends, edge.types.name, constants(edge.props)))
                    last = after
    return graph


def node_of(graph: Graph, pattern: ir.NodePattern, known: dict[str, int]) -> int:
    """The place of a node, which is made when its variable is new."""
    if pattern.var in known:
        return known[pattern.var]
    labels = (
        tuple(label.name for label in find(pattern.labels, ir.LabelName)) if pattern.labels else ()
    )
    graph.nodes.append((labels, constants(pattern.props)))
    place = len(graph.nodes) - 1
    if pattern.var is not None:
        known[pattern.var] = place
    return place


def constants(props: ir.MapOf | ir.Param | None) -> dict[str, Any]:
    """Constant properties."""
    if not isinstance(props, ir.MapOf):
        return {}
    return {entry.key: value_of(entry.value) for entry in props.entries}


def value_of(expr: ir.Expr) -> Any:
    """A constant; temporal ones as GraphData stores them."""
    if isinstance(expr, ir.Literal):
        return expr.value
    if isinstance(expr, ir.ListOf):
        return [value_of(item) for item in expr.items]
    found = constant(expr, Scope())
    value = found.const if found else None
    if isinstance(value, Span):
        return value
    if not isinstance(value, Moment):
        raise TypeError(f"no constant: {expr}")
    if value.kind in (Kind.ZONED_TIME, Kind.ZONED_DATETIME):
        return value
    if value.nanos % 1000:
        raise TypeError("GraphData has no nanoseconds")
    made: dict[Kind, type[date | time]] = {
        Kind.DATE: date,
        Kind.TIME: time,
        Kind.DATETIME: datetime,
    }
    return made[value.kind].fromisoformat(str(value))


def properties_read(element: dict[str, Any]) -> dict[str, Any]:
    """The properties of grafeo's form of an element."""
    return {k: v for k, v in element.items() if not k.startswith("_") and v is not None}


def schema_of(graph: Graph) -> SchemaGraph:
    """Types by set of labels, and by type and ends of edges."""
    nodes: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for labels, properties in graph.nodes:
        nodes.setdefault(tuple(sorted(labels)), []).append(properties)
    edges: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for source, target, label, properties in graph.edges:
        ends = [type_name(graph.nodes[end][0]) for end in (source, target)]
        edges.setdefault((label, ends[0], ends[1]), []).append(properties)
    return SchemaGraph(
        "tck",
        tuple(
            NodeType(labels, (Property(KEY, Type(Kind.INTEGER)), *properties_of(rows)), (KEY,))
            for labels, rows in nodes.items()
        ),
        tuple(EdgeType(*key, properties_of(rows)) for key, rows in edges.items()),
    )


def type_name(labels: tuple[str, ...]) -> str:
    """The name of the node type with these labels."""
    return "&".join(sorted(labels))


def properties_of(rows: list[dict[str, Any]]) -> tuple[Property, ...]:
    """The properties of all rows, each with a type that holds all its values."""
    names = dict.fromkeys(name for row in rows for name in row)
    return tuple(
        Property(name, widest([row[name] for row in rows if name in row])) for name in names
    )


def widest(values: list[Any]) -> Type:
    """The type of all values, ANY where they differ."""
    kinds = {kind_of(value) for value in values}
    return kinds.pop() if len(kinds) == 1 else Type(Kind.ANY)


def kind_of(value: Any) -> Type:
    """The type of one value."""
    scalars = {
        bool: Kind.BOOLEAN,
        int: Kind.INTEGER,
        float: Kind.FLOAT,
        str: Kind.STRING,
        date: Kind.DATE,
    }
    if isinstance(value, Span):
        return Type(Kind.DURATION)
    if isinstance(value, Moment):
        return Type(value.kind)
    if isinstance(value, datetime):
        return Type(Kind.ZONED_DATETIME if value.tzinfo else Kind.DATETIME)
    if isinstance(value, time):
        return Type(Kind.ZONED_TIME if value.tzinfo else Kind.TIME)
    if isinstance(value, list):
        item = widest(value) if value else Type(Kind.STRING)
        return Type(Kind.LIST, item) if item.kind is not Kind.ANY else Type(Kind.ANY)
    return Type(scalars.get(type(value), Kind.ANY))


def write(graph: Graph, schema: SchemaGraph, folder: Path) -> None:
    """The graph as GraphData."""
    numbered = [{KEY: number, **properties} for number, (_, properties) in enumerate(graph.nodes)]
    with GraphWriter(folder) as writer:
        for node in schema.nodes:
            rows = [
                row
                for row, (labels, _) in zip(numbered, graph.nodes, strict=True)
                if type_name(labels) == node.name
            ]
            writer.nodes(node, batch(rows, node.properties, node_layout(node)))
        for edge in schema.edges:
            rows = [
                {f"source.{KEY}": a, f"target.{KEY}": b, **properties}
                for a, b, label, properties in graph.edges
                if (label, type_name(graph.nodes[a][0]), type_name(graph.nodes[b][0]))
                == (edge.label, edge.source, edge.target)
            ]
            writer.edges(edge, schema, batch(rows, edge.properties, edge_layout(edge, schema)))
        writer.commit(schema, None, origin={})


def batch(
    rows: list[dict[str, Any]], properties: tuple[Property, ...], layout: pa.Schema
) -> list[pa.RecordBatch]:
    """Rows as Arrow; values without one type as JSON text."""
    loose = {p.name for p in properties if p.type.kind is Kind.ANY}
    stored = [
        {
            name: json.dumps(row[name])
            if name in loose and name in row
            else as_stored(row.get(name))
            for name in layout.names
        }
        for row in rows
    ]
    return [pa.RecordBatch.from_pylist(stored, layout)]


def as_stored(value: Any) -> Any:
    """Durations and values with a zone as text."""
    if isinstance(value, Span | Moment):
        return str(value)
    if isinstance(value, datetime | time) and value.tzinfo:
        return value.isoformat()
    return value
