"""The graph of the contract suite: every kind of value, hostile names, every shape of edge.

It is written as a graph folder, and its tables once more as a SQLite file of the same names, so
that one suite of queries runs on every engine.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import pyarrow as pa

from schemagraph.folder.graphdata import edge_layout, edge_table, node_layout, node_table
from schemagraph.folder.writer import GraphWriter
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type

INTEGER, FLOAT, STRING = Type(Kind.INTEGER), Type(Kind.FLOAT), Type(Kind.STRING)

KINDS = NodeType(
    ("Kinds",),
    (
        Property("id", INTEGER, nullable=False),
        Property("boolean", Type(Kind.BOOLEAN)),
        Property("integer", INTEGER),
        Property("float", FLOAT),
        Property("string", STRING),
        Property("date", Type(Kind.DATE)),
        Property("time", Type(Kind.TIME)),
        Property("zoned_time", Type(Kind.ZONED_TIME)),
        Property("datetime", Type(Kind.DATETIME)),
        Property("zoned_datetime", Type(Kind.ZONED_DATETIME)),
        Property("duration", Type(Kind.DURATION)),
        Property("bytes", Type(Kind.BYTES)),
        Property("integers", Type(Kind.LIST, INTEGER)),
        Property("strings", Type(Kind.LIST, STRING)),
        Property("dates", Type(Kind.LIST, Type(Kind.DATE))),
        Property("floats", Type(Kind.LIST, FLOAT)),
    ),
    ("id",),
)
PERSON = NodeType(("Person",), (Property("name", STRING), Property("age", INTEGER)), ("name",))
ACTOR = NodeType(("Person", "Actor"), PERSON.properties, ("name",))
LINE = NodeType(
    ("Order Line",),
    (Property("order", INTEGER), Property("line no", STRING), Property("price", FLOAT)),
    ("order", "line no"),
)
LOG = NodeType(("Log",), (Property("message", STRING),))
HOSTILE = NodeType(
    ("We\"ird` L'abel; --",),
    (
        Property("select", INTEGER),
        Property("na me", STRING),
        Property("a`b", STRING),
        Property("q\"uote's", STRING),
        Property("größe 日本", STRING),
        Property("_id", INTEGER),
        Property("_labels", STRING),
    ),
    ("select",),
)

KNOWS = EdgeType("KNOWS", "Person", "Person", (Property("since", INTEGER),))
PLAYS = EdgeType("KNOWS", "Person&Actor", "Person", (Property("since", INTEGER),))
BOUGHT = EdgeType("BOUGHT", "Person", "Order Line")
ODD = EdgeType("is `odd`__/&%", HOSTILE.name, HOSTILE.name, (Property("_id", INTEGER),))

SCHEMA = SchemaGraph(
    "contract", (KINDS, PERSON, ACTOR, LINE, LOG, HOSTILE), (KNOWS, PLAYS, BOUGHT, ODD)
)

NODES: dict[str, list[tuple[Any, ...]]] = {
    "Kinds": [
        (
            *(1, True, 42, 1.5, "text", date(2024, 2, 29), time(10, 30, 15), "10:30:15+02:00"),
            *(datetime(2024, 2, 29, 10, 30, 15, 500000), "2024-02-29T10:30:15+02:00"),
            *("P1Y2M3DT4H5M6.5S", b"\x00\xff", [1, 2, 3], ["a", "", "ü"], [date(2024, 2, 29)]),
            [0.1, 2.0],
        ),
        (2, *[None] * 15),
        (
            *(3, False, -(2**63), 5e-324, "", date(1, 1, 1), time(0), "00:00:00Z"),
            *(datetime(1, 1, 1), "0001-01-01T00:00:00Z", "PT0S", b"", [], [], [], []),
        ),
        (
            *(4, True, 2**63 - 1, -1.7976931348623157e308, "a'b\"c`d\\e\n\t\0🚲 %_"),
            *(date(9999, 12, 31), time(23, 59, 59, 999999), "23:59:59.999999-11:30"),
            *(datetime(9999, 12, 31, 23, 59, 59, 999999), "2024-06-30T23:59:59.999999-11:30"),
            *("P-1M-2DT-3.25S", bytes(range(256)), [2**63 - 1, -1], ["'", '"', "\\"], []),
            [-1.7976931348623157e308, 5e-324],
        ),
    ],
    "Person": [("Ann", 30), ("Bob", 40), ("Cid", None)],
    "Person&Actor": [("Dee", 50)],
    "Order Line": [(1, "a", 9.99), (1, "b", 0.01), (2, "a", None)],
    "Log": [("started",), ("started",), (None,)],
    HOSTILE.name: [(1, "x", "tick", "quote", "日", 77, "mine"), (2, *[None] * 6)],
}
EDGES: dict[str, list[tuple[Any, ...]]] = {
    KNOWS.name: [
        ("Ann", "Bob", 2001),
        ("Ann", "Bob", 2001),  # parallel, equal
        ("Ann", "Bob", 2002),  # parallel, different
        ("Bob", "Bob", 2003),  # to itself
        ("Bob", "Cid", None),
    ],
    PLAYS.name: [("Dee", "Ann", 2004)],
    BOUGHT.name: [("Ann", 1, "b"), ("Ann", 2, "a"), ("Bob", 1, "b")],
    ODD.name: [(1, 2, 5)],
}


def write_graph(folder: Path) -> Path:
    """The graph as `graphmill convert` writes graphs."""
    with GraphWriter(folder) as writer:
        for node in SCHEMA.nodes:
            writer.nodes(node, _batches(node_layout(node), NODES[node.name]))
        for edge in SCHEMA.edges:
            writer.edges(edge, SCHEMA, _batches(edge_layout(edge, SCHEMA), EDGES[edge.name]))
        writer.commit(SCHEMA, None, origin={"kind": "test"})
    return folder


def write_sqlite(path: Path) -> Path:
    """The same tables for SQLite, which has no lists and stores temporal values as text."""
    tables = [(node_table(n), node_layout(n).names, NODES[n.name]) for n in SCHEMA.nodes]
    tables += [(edge_table(e), edge_layout(e, SCHEMA).names, EDGES[e.name]) for e in SCHEMA.edges]
    connection = sqlite3.connect(path)
    for name, columns, rows in tables:
        names = ", ".join(map(_quoted, columns))
        marks = ", ".join("?" for _ in columns)
        connection.execute(f"CREATE TABLE {_quoted(name)} ({names})")
        stored = [tuple(map(_stored, row)) for row in rows]
        connection.executemany(f"INSERT INTO {_quoted(name)} VALUES ({marks})", stored)
    connection.commit()
    connection.close()
    return path


def _batches(layout: Any, rows: Sequence[tuple[Any, ...]]) -> list[Any]:
    dicts = [dict(zip(layout.names, row, strict=True)) for row in rows]
    batches: list[Any] = pa.Table.from_pylist(dicts, schema=layout).to_batches()
    return batches


def _stored(value: Any) -> Any:
    if isinstance(value, date | time):
        return value.isoformat()
    return None if isinstance(value, list) else value


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
