"""Choirs, singers and concerts: a graph on which every archetype has a place, drawn by a seed."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa

from engines import ENGINES
from engines.base import Engine, Result
from graph_ir import nodes as ir
from schemagraph.folder.graphdata import edge_layout, node_layout
from schemagraph.folder.statistics import GraphStatistics, gather_statistics
from schemagraph.folder.writer import GraphWriter
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from translators.render import render

TEXT, WHOLE, REAL = Type(Kind.STRING), Type(Kind.INTEGER), Type(Kind.FLOAT)
DAY, FLAG = Type(Kind.DATE), Type(Kind.BOOLEAN)


def _node(label: str, **properties: Type) -> NodeType:
    own = tuple(Property(name, kind, name != "id") for name, kind in properties.items())
    return NodeType((label,), (Property("id", WHOLE, nullable=False), *own), ("id",))


def _edge(source: str, label: str, target: str, **properties: Type) -> EdgeType:
    own = tuple(Property(name, kind) for name, kind in properties.items())
    return EdgeType(label, source, target, own)


SINGER = _node(
    "Singer", name=TEXT, voice=TEXT, joined_on=DAY, fee=REAL, hours=WHOLE, paid=FLAG, nickname=TEXT
)
CHOIR = _node("Choir", name=TEXT, city=TEXT, members=WHOLE, budget=REAL, amateur=FLAG)
CONCERT = _node("Concert", title=TEXT, held_on=DAY, kind=TEXT, visitors=WHOLE, price=REAL)
PIECE = _node("Piece", title=TEXT, era=TEXT, minutes=WHOLE, royalty=REAL, mood=TEXT)
HALL = _node("Hall", name=TEXT, style=TEXT, seats=WHOLE, rent=REAL)
SCHEMA = SchemaGraph(
    "choirs",
    (SINGER, CHOIR, CONCERT, PIECE, HALL),
    (
        _edge("Singer", "SINGS_IN", "Choir", since=DAY, part=TEXT, dues=REAL),
        _edge("Singer", "KNOWS", "Singer", years=WHOLE),
        _edge("Singer", "MENTORS", "Singer", began=DAY, lessons=WHOLE),
        _edge("Singer", "SOLO_IN", "Concert"),
        _edge("Singer", "LIKES", "Piece", stars=WHOLE),
        _edge("Choir", "GAVE", "Concert"),
        _edge("Choir", "HOSTED", "Concert"),
        _edge("Choir", "BASED_AT", "Hall"),
        _edge("Concert", "HELD_AT", "Hall"),
        _edge("Concert", "FEATURES", "Piece", position=WHOLE),
        _edge("Singer", "SUCCEEDED", "Singer"),
    ),
)
SIZES = {"Singer": 80, "Choir": 14, "Concert": 60, "Piece": 40, "Hall": 8}
DEGREES = {"SINGS_IN": 1.6, "KNOWS": 2.5, "MENTORS": 3.0, "SOLO_IN": 1.2, "LIKES": 3.0}
DEGREES |= {"SUCCEEDED": 0.4}
DEGREES |= {"GAVE": 5.0, "HOSTED": 2.0, "BASED_AT": 0.8, "HELD_AT": 0.9, "FEATURES": 2.5}
WORDS = "amber birch cedar dune ember fjord grove heath inlet jetty knoll lagoon meadow north"
KINDS = {"voice": "alto bass soprano tenor", "city": "Bergen Kiel Oslo", "style": "brick glass"}
KINDS |= {"kind": "gala matinee serenade", "era": "baroque modern romantic"}
KINDS |= {"mood": "calm merry solemn"}
KINDS |= {"part": "first lead second third"}


def _value(prop: Property, row: int, rng: Random) -> Any:
    words = WORDS.split()
    match prop:
        case Property(name="id"):
            return row
        case Property(name="name" | "title"):
            first, second = words[row % 14], words[(row // 14 + row) % 14]
            return f"{first.title()} {second} {row // 14 + 2}"
        case Property(name="nickname"):
            return f"{rng.choice(words)} the {rng.choice(words)} {row}" if row % 3 else None
        case Property(type=Type(kind=Kind.STRING)):
            return rng.choice(KINDS[prop.name].split())
        case Property(type=Type(kind=Kind.DATE)):
            return date(2015, 1, 1) + timedelta(days=rng.randrange(3000))
        case Property(type=Type(kind=Kind.FLOAT)):
            return round(rng.uniform(5, 500), 2)
        case Property(type=Type(kind=Kind.BOOLEAN)):
            return rng.random() < 0.4
    return rng.randint(1, 120)


def write_choirs(folder: Path, seed: int = 5) -> Path:
    """The graph as a folder."""
    rng = Random(seed)
    with GraphWriter(folder) as writer:
        for node in SCHEMA.nodes:
            rows = [
                {p.name: _value(p, row, rng) for p in node.properties}
                for row in range(SIZES[node.name])
            ]
            writer.nodes(node, pa.Table.from_pylist(rows, node_layout(node)).to_batches())
        for edge in SCHEMA.edges:
            writer.edges(edge, SCHEMA, _links(edge, rng))
        writer.commit(SCHEMA, None, origin={"kind": "test"})
    return folder


def _links(edge: EdgeType, rng: Random) -> Any:
    layout = edge_layout(edge, SCHEMA)
    count = round(SIZES[edge.source] * DEGREES[edge.label])
    ends = {
        (rng.randrange(SIZES[edge.source]), rng.randrange(SIZES[edge.target])) for _ in range(count)
    }
    rows = [
        dict(
            zip(
                layout.names,
                (*pair, *(_value(p, 0, rng) for p in edge.properties)),
                strict=True,
            )
        )
        for pair in sorted(ends)
        if edge.source != edge.target or pair[0] != pair[1]
    ]
    return pa.Table.from_pylist(rows, layout).to_batches()


class Choirs:
    """A `Ground` over DuckDB."""

    def __init__(self, folder: Path) -> None:
        self.schema: SchemaGraph = SCHEMA
        self.statistics: GraphStatistics = gather_statistics(folder, SCHEMA, 7)
        self._engine: Engine = ENGINES.get("duckdb")()
        self._engine.__enter__()
        self._engine.load(folder)

    def ask(self, statement: ir.Statement, limit: int | None = None) -> Result | None:
        """DuckDB's answer."""
        text = render(statement, "sql", self.schema).text
        found = self._engine.run(text, language="sql", timeout=10)
        return Result(found.columns, found.rows[:limit])

    def close(self) -> None:
        """End the engine."""
        self._engine.__exit__(None, None, None)
