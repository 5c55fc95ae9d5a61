"""Schemas as text2cypher writes them, and small random graphs for them.

Values of a property come from the constants that queries compare it with, from the schema's
examples and from its bounds, so that most answers are not empty.
"""

from __future__ import annotations

import json
import math
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa

from schemagraph.folder.graphdata import edge_layout, node_layout
from schemagraph.folder.writer import GraphWriter
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type

KEY = "graph_key"
_KINDS = {"DATE_TIME": Kind.ZONED_DATETIME, "LOCAL_DATE_TIME": Kind.DATETIME}
type Pools = Mapping[str, list[Any]]


def read_schemas(path: Path) -> dict[str, dict[str, Any]]:
    """database -> its structured schema, from lines {"database", "structured_schema"}."""
    records = (json.loads(line) for line in path.read_text("utf-8").splitlines())
    return {record["database"]: record["structured_schema"] for record in records}


def schema_of(name: str, found: Mapping[str, Any]) -> SchemaGraph:
    """The SchemaGraph of a structured schema; every node gets an integer key."""
    key = Property(KEY, Type(Kind.INTEGER, nullable=False), nullable=False)
    labels = dict.fromkeys(found["node_props"])
    for edge in found["relationships"]:
        labels |= {edge["start"]: None, edge["end"]: None}
    nodes = tuple(
        NodeType((label,), (key, *_properties(found["node_props"].get(label, ()))), (KEY,))
        for label in labels
    )
    edges = tuple(
        EdgeType(
            edge["type"],
            edge["start"],
            edge["end"],
            _properties(found["rel_props"].get(edge["type"], ())),
        )
        for edge in found["relationships"]
    )
    return SchemaGraph(name, nodes, edges)


def _properties(found: Iterable[Mapping[str, Any]]) -> tuple[Property, ...]:
    return tuple(Property(p["property"], _type(p["type"])) for p in found)


def _type(name: str) -> Type:
    if name == "LIST":
        return Type(Kind.LIST, Type(Kind.STRING, nullable=False))
    return Type(_KINDS.get(name) or Kind(name))


def examples(found: Mapping[str, Any]) -> dict[str, list[Any]]:
    """property -> values that the schema shows."""
    pool: dict[str, list[Any]] = defaultdict(list)
    for properties in (*found["node_props"].values(), *found["rel_props"].values()):
        for p in properties:
            shown = [*p.get("values", ()), p.get("min"), p.get("max")]
            pool[p["property"]] += [value for value in shown if value is not None]
    return pool


def write_graph(
    schema: SchemaGraph,
    out: Path,
    seed: int,
    *,
    known: Pools,
    asked: Pools,
    nodes: int = 20,
    edges: int = 38,
    nulls: float = 0.08,
) -> None:
    """A random graph of `schema` in the folder `out`; the same seed, the same graph."""
    with GraphWriter(out) as writer:
        for node in schema.nodes:
            chance = random.Random(f"{seed} {node.name}")
            rows = [
                {KEY: number, **_row(node.properties[1:], chance, known, asked, nulls)}
                for number in range(nodes)
            ]
            writer.nodes(node, _batch(rows, node_layout(node)))
        for edge in schema.edges:
            chance = random.Random(f"{seed} {edge.name}")
            rows = [
                {
                    f"source.{KEY}": chance.randrange(nodes),
                    f"target.{KEY}": chance.randrange(nodes),
                    **_row(edge.properties, chance, known, asked, nulls),
                }
                for _ in range(edges)
            ]
            writer.edges(edge, schema, _batch(rows, edge_layout(edge, schema)))
        writer.commit(schema, None, origin={"random": seed})


def _batch(rows: list[dict[str, Any]], layout: Any) -> list[Any]:
    return [pa.RecordBatch.from_pylist(rows, schema=layout)]


def _row(
    properties: tuple[Property, ...],
    chance: random.Random,
    known: Pools,
    asked: Pools,
    nulls: float,
) -> dict[str, Any]:
    return {
        p.name: None if chance.random() < nulls else _value(p, chance, known, asked)
        for p in properties
    }


def _value(p: Property, chance: random.Random, known: Pools, asked: Pools) -> Any:
    pool = asked.get(p.name) if chance.random() < 0.6 else None
    pool = pool or known.get(p.name) or asked.get(p.name) or []
    if p.type.kind is Kind.LIST:
        texts = [str(value) for value in pool if isinstance(value, str)] or ["a", "b", "c"]
        return [chance.choice(texts) for _ in range(chance.randrange(4))]
    for _ in range(4):
        raw = chance.choice(pool) if pool else None
        value = _as(p.type.kind, raw, chance)
        if value is not None:
            return value
    return _as(p.type.kind, None, chance)


def _as(kind: Kind, raw: Any, chance: random.Random) -> Any:
    """`raw` or something near it as a value of `kind`, or None."""
    near = chance.randrange(-2, 3)
    try:
        match kind:
            case Kind.INTEGER:
                return min(int(float(raw if raw is not None else 5)) + near, 2**62)
            case Kind.FLOAT:
                value = float(raw if raw is not None else 1.5) + near / 2
                return value if math.isfinite(value) else None
            case Kind.BOOLEAN:
                return chance.random() < 0.5
            case Kind.DATE:
                text = str(raw or "2015-06-15")[:10]
                return date.fromisoformat(text) + timedelta(200 * near)
            case Kind.DATETIME:
                text = str(raw or "2015-06-15")[:10]
                return datetime.fromisoformat(text) + timedelta(200 * near, 3600 * near)
            case Kind.ZONED_DATETIME:
                text = str(raw or "2015-06-15")[:10]
                day = datetime.fromisoformat(text) + timedelta(200 * near, 3600 * near)
                return f"{day.isoformat()}Z"
            case Kind.STRING:
                return str(raw) if raw is not None else chance.choice("abcdef")
            case Kind.DURATION:
                return f"P{chance.randrange(1, 9)}D"
            case _:
                return None
    except (ValueError, OverflowError):
        return None
