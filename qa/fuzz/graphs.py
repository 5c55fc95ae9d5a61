"""Small graphs as values: drawn at random, written for engines, printed and read back as text.

    A(id!: INTEGER, s: STRING?)
    A-[R(w: INTEGER?)]->A

    A [1, "x"]
    A-R-A [1, 1, null]

The first block is the schema (`!` marks the key, `?` what may be null), the second has a row of
JSON a line: a node's properties, or the keys of both ends and an edge's properties. Temporal
values are ISO text.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from schemagraph.folder.graphdata import edge_layout, node_layout
from schemagraph.folder.small import column_types, stored
from schemagraph.folder.writer import GraphWriter
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type

KEY = Property("id", Type(Kind.INTEGER, nullable=False), nullable=False)

# Few values of a kind, so that joins, groups and comparisons find equal ones; all floats are
# exact in binary, so that sums do not depend on the order of their terms.
VALUES: Mapping[Kind, tuple[Any, ...]] = {
    Kind.BOOLEAN: (True, False),
    Kind.INTEGER: (0, 1, 2, 3, -1, 10, 7),
    Kind.FLOAT: (0.0, 1.0, 1.5, -2.5, 2.0, 10.25),
    Kind.STRING: ("a", "b", "ab", "Ann", "", "10", "2", "it's", "Zoë", "b a"),
    Kind.DATE: ("2020-01-31", "2020-02-29", "2019-12-30", "2021-06-15"),
    Kind.TIME: ("10:30:00", "23:59:59.5", "00:00:00"),
    Kind.DATETIME: ("2020-01-31T10:30:00", "2020-02-29T23:59:59.25", "2019-12-30T00:00:00"),
    Kind.ZONED_DATETIME: ("2020-01-31T10:30:00Z", "2020-01-31T12:30:00+02:00"),
    Kind.DURATION: ("P1D", "P1M", "PT12H", "P1Y2M3DT4H5M6S", "PT0S"),
}
_NAMES: Mapping[Kind, str] = {
    Kind.BOOLEAN: "ok",
    Kind.INTEGER: "i",
    Kind.FLOAT: "f",
    Kind.STRING: "s",
    Kind.DATE: "day",
    Kind.TIME: "time",
    Kind.DATETIME: "at",
    Kind.ZONED_DATETIME: "zoned",
    Kind.DURATION: "lasts",
}
_LISTS = {Kind.INTEGER: "numbers", Kind.STRING: "words"}

type Row = tuple[Any, ...]


@dataclass(frozen=True)
class SmallGraph:
    """A schema, and the rows of each node and edge type by its name.

    A node's row has its properties in their order; an edge's row has the keys of its source and
    target first.
    """

    schema: SchemaGraph
    rows: Mapping[str, tuple[Row, ...]]

    def __len__(self) -> int:
        return sum(map(len, self.rows.values()))

    def with_rows(self, name: str, rows: tuple[Row, ...]) -> SmallGraph:
        """The same graph with other rows of one type."""
        return replace(self, rows={**self.rows, name: rows})

    def write(self, out: Path) -> Path:
        """Write it as `graphmill convert` writes graphs."""
        with GraphWriter(out) as writer:
            for node in self.schema.nodes:
                types = column_types(self.schema, node)
                writer.nodes(node, self._batches(node.name, node_layout(node), types))
            for edge in self.schema.edges:
                types = column_types(self.schema, edge)
                layout = edge_layout(edge, self.schema)
                writer.edges(edge, self.schema, self._batches(edge.name, layout, types))
            writer.commit(self.schema, None, origin={"kind": "small"})
        return out

    def _batches(self, name: str, layout: Any, types: list[Type]) -> list[Any]:
        import pyarrow as pa

        rows = [
            {
                column: stored(type, value)
                for column, type, value in zip(layout.names, types, row, strict=True)
            }
            for row in self.rows.get(name, ())
        ]
        batches: list[Any] = pa.Table.from_pylist(rows, schema=layout).to_batches()
        return batches

    def text(self) -> str:
        """Schema and rows in the form that `read_graph` reads."""
        head = [_node_line(node) for node in self.schema.nodes]
        head += [
            f"{e.source}-[{e.label}{_listed(e.properties, ()) if e.properties else ''}]->{e.target}"
            for e in self.schema.edges
        ]
        body = [
            f"{name} {json.dumps(row, ensure_ascii=False)}"
            for name, rows in self.rows.items()
            for row in rows
        ]
        return "\n".join([*head, "", *body])


def _node_line(node: NodeType) -> str:
    return f"{node.name}{_listed(node.properties, node.key)}"


def _listed(properties: tuple[Property, ...], key: tuple[str, ...]) -> str:
    shown = [
        f"{p.name}{'!' if p.name in key else ''}: {p.type}{'?' if p.nullable else ''}"
        for p in properties
    ]
    return f"({', '.join(shown)})"


def read_graph(text: str) -> SmallGraph:
    """The graph of a text that `SmallGraph.text` wrote or a person.

    Raises:
        ValueError: a line is neither a type nor a row.
    """
    head, _, body = text.strip().partition("\n\n")
    nodes: list[NodeType] = []
    edges: list[EdgeType] = []
    for line in head.split("\n"):
        if edge := re.fullmatch(r"(.+?)-\[(.+?)(?:\((.*)\))?\]->(.+)", line):
            edges.append(EdgeType(edge[2], edge[1], edge[4], _properties(edge[3] or "")[0]))
        elif node := re.fullmatch(r"([^(]+)\((.*)\)", line):
            properties, key = _properties(node[2])
            nodes.append(NodeType(tuple(node[1].split("&")), properties, key))
        else:
            raise ValueError(f"not a line of a schema: {line}")
    schema = SchemaGraph("small", tuple(nodes), tuple(edges))
    names = (*schema.node_by_name, *schema.edge_by_name)
    rows: dict[str, tuple[Row, ...]] = dict.fromkeys(names, ())
    for line in filter(None, body.split("\n")):
        name, _, row = line.partition(" ")
        if name not in rows:
            raise ValueError(f"no type {name}: {line}")
        rows[name] = (*rows[name], tuple(json.loads(row)))
    return SmallGraph(schema, rows)


def _properties(text: str) -> tuple[tuple[Property, ...], tuple[str, ...]]:
    declarations = re.findall(r"([^,:]+?)(!?): (LIST<)?(\w+)>?(\?)?(?:, |$)", text)
    properties = []
    for name, _, listed, kind, null in declarations:
        type = Type(Kind(kind), nullable=bool(null))
        type = Type(Kind.LIST, Type(Kind(kind), nullable=False)) if listed else type
        properties.append(Property(name, type, bool(null)))
    return tuple(properties), tuple(name for name, mark, *_ in declarations if mark)


def random_graph(seed: int, *, nodes: int = 12, edges: int = 16) -> SmallGraph:
    """A random schema with random rows, at most so many of each; the same seed, the same graph.

    It has node types with one and with two labels that share properties, edge labels that run
    between several types, loops, parallel edges and nulls.
    """
    rng = random.Random(f"graph {seed}")  # noqa: S311 # no secret
    schema = _random_schema(rng)
    rows: dict[str, tuple[Row, ...]] = {}
    taken = 0
    for node in schema.nodes:
        count = rng.randint(0 if taken else 1, max(1, nodes // len(schema.nodes)))
        own = [
            (taken + number, *(_draw(p, rng) for p in node.properties[1:]))
            for number in range(count)
        ]
        taken += count
        rows[node.name] = tuple(own)
    for edge in schema.edges:
        ends = [[row[0] for row in rows[end]] for end in (edge.source, edge.target)]
        edge_rows: list[Row] = []
        for _ in range(rng.randint(0, max(1, edges // len(schema.edges))) if all(ends) else 0):
            row = (*map(rng.choice, ends), *(_draw(p, rng) for p in edge.properties))
            edge_rows += [row] * (2 if rng.random() < 0.12 else 1)
        rows[edge.name] = tuple(edge_rows)
    return SmallGraph(schema, rows)


def _random_schema(rng: random.Random) -> SchemaGraph:
    pool = [Property(name, Type(kind)) for kind, name in _NAMES.items()]
    pool += [
        Property(name, Type(Kind.LIST, Type(kind, nullable=False))) for kind, name in _LISTS.items()
    ]
    labels = rng.choice([("A", "B"), ("A", "B", "A&B"), ("A", "B", "A&C"), ("A", "A&B", "A&C")])
    nodes = []
    for name in labels:
        always = pool[1:4]  # integer, float, string: most queries need them
        more = rng.sample([p for p in pool if p not in always], rng.randint(1, 4))
        chosen = sorted({*always, *more}, key=pool.index)
        nodes.append(NodeType(tuple(name.split("&")), (KEY, *chosen), ("id",)))
    edges: dict[str, EdgeType] = {}
    for label in ("R", "S", "T"):
        own = rng.sample(pool[:4] + pool[4:5], rng.randint(0, 2))
        for _ in range(rng.randint(1, 2)):
            edge = EdgeType(label, rng.choice(nodes).name, rng.choice(nodes).name, tuple(own))
            edges[edge.name] = edge
    return SchemaGraph("random", tuple(nodes), tuple(edges.values()))


def _draw(prop: Property, rng: random.Random) -> Any:
    if rng.random() < 0.2:
        return None
    if prop.type.kind is Kind.LIST and prop.type.item is not None:
        pool = VALUES[prop.type.item.kind]
        return [rng.choice(pool) for _ in range(rng.randint(0, 3))]
    return rng.choice(VALUES[prop.type.kind])
