"""Memgraph and TuGraph over Bolt: what they do otherwise than Neo4j, by their documents.

Neither has run here: no package of either is to be had. What is sent is held by a server of our own
that speaks Bolt (`tests/engines/bolt_server.py`); that the products take it is from
https://memgraph.com/docs and https://tugraph-db.readthedocs.io.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self

from engines.base import Engine, Needs, Result, Unsound
from engines.bolt import Bolt, quoted
from engines.graph import Key, edge_batches, key_of, node_batches
from engines.guard import refuse_files
from graphmill.errors import EngineUnavailable
from schemagraph.folder.serde import load_schema
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph
from schemagraph.targets.tugraph import TARGET as TUGRAPH

_PLAIN = frozenset({Kind.BOOLEAN, Kind.INTEGER, Kind.FLOAT, Kind.STRING, Kind.DATE, Kind.DATETIME})


class MemgraphBolt(Bolt):
    """Ids are numbers, the version is what the server calls itself, labels need no declaration."""

    IDENTITY = "id({})"
    ID = int
    QUIET: Mapping[str, Any] = {}  # Bolt before 5.2 cannot ask for fewer notifications
    SAYS: ClassVar[str] = "Memgraph"
    KINDS: ClassVar[frozenset[Kind]] = _PLAIN | {Kind.TIME}

    @cached_property
    def version(self) -> str:
        """What the server says it is when a connection begins."""
        return str(self._driver.get_server_info().agent)

    def load(self, graph: Path, schema: SchemaGraph) -> None:
        """Create all nodes and edges in a database that is empty.

        Raises:
            EngineUnavailable: it has no values of a property's type, or holds something else.
        """
        owners: list[NodeType | EdgeType] = [*schema.nodes, *schema.edges]
        for owner in owners:
            for given in owner.properties:
                self._check(owner.name, given)
        super().load(graph, schema)

    def _check(self, owner: str, given: Property) -> None:
        of = given.type.item or given.type
        if of.kind not in self.KINDS:
            text = f"{self.SAYS} is given no {of.kind.value} values, as {owner}.{given.name} has."
            raise EngineUnavailable(text)

    def _declare(self, session: Any, schema: SchemaGraph) -> None:
        """Nothing: a label is known when a node has it."""


class TugraphBolt(MemgraphBolt):
    """Labels are declared before anything has them: one for a node, with a primary property."""

    SAYS = "TuGraph"
    KINDS = _PLAIN

    def _check(self, owner: str, given: Property) -> None:
        if given.type.kind is Kind.LIST:
            raise EngineUnavailable(f"TuGraph is given no lists, as {owner}.{given.name} has.")
        super()._check(owner, given)

    def _declare(self, session: Any, schema: SchemaGraph) -> None:
        """Declare every label with its properties.

        Raises:
            EngineUnavailable: TuGraph cannot hold this schema as it is.
        """
        export = TUGRAPH.export(schema)
        if export.losses:
            loss = export.losses[0]
            raise EngineUnavailable(f"TuGraph does not hold {loss.where} as it is: {loss.what}.")
        for entry in json.loads(export.texts["import.json"])["schema"]:
            kind = "Vertex" if entry["type"] == "VERTEX" else "Edge"
            text = f"CALL db.create{kind}LabelByJson($json)"
            session.run(text, json=json.dumps(entry, ensure_ascii=False)).consume()

    def _create(self, graph: Path, schema: SchemaGraph) -> None:
        """Rows travel as maps; the ends of an edge are told by their primary property."""
        with self._driver.session() as session:
            self._declare(session, schema)
            for number, node in enumerate(schema.nodes):
                self._vertices(session, graph, node, number)
            for edge in schema.edges:
                text = self._edge_text(schema, edge)
                for batch in edge_batches(graph, schema, edge):
                    rows = [
                        {"a": row.source[0], "b": row.target[0], "p": self._given(row.properties)}
                        for row in batch
                    ]
                    session.run(text, rows=rows).consume()

    def _vertices(self, session: Any, graph: Path, node: NodeType, number: int) -> None:
        label, key = quoted(node.labels[0]), quoted(node.key[0])
        shown = ", ".join(f"{quoted(p.name)}: row.{quoted(p.name)}" for p in node.properties)
        for rows in node_batches(graph, node):
            given = [self._given(row) for row in rows]
            text = f"UNWIND $rows AS row CREATE (n:{label} {{{shown}}})"
            session.run(text, rows=given).consume()
        known: dict[Key, Key] = {
            (self._plain(self._parameter(k[0])),): k
            for rows in node_batches(graph, node)
            for k in (key_of(node, row) for row in rows)
        }
        text = f"MATCH (n:{label}) RETURN n.{key} AS key, id(n) AS id"
        for record in session.run(text):
            value, own = record.values()
            self._nodes[str(own)] = (number, known[(self._plain(value),)])
            self._created.append(str(own))

    def _edge_text(self, schema: SchemaGraph, edge: EdgeType) -> str:
        ends = [schema.node_by_name[name] for name in (edge.source, edge.target)]
        labels = [quoted(node.labels[0]) for node in ends]
        keys = [quoted(node.key[0]) for node in ends]
        a = f"{labels[0]} {{{keys[0]}: row.a}}"
        b = f"{labels[1]} {{{keys[1]}: row.b}}"
        shown = ", ".join(f"{quoted(p.name)}: row.p.{quoted(p.name)}" for p in edge.properties)
        made = f":{quoted(edge.label)} {{{shown}}}" if shown else f":{quoted(edge.label)}"
        return f"UNWIND $rows AS row MATCH (a:{a}), (b:{b}) CREATE (a)-[{made}]->(b)"

    def _given(self, row: Mapping[str, Any]) -> dict[str, Any]:
        return {name: self._parameter(value) for name, value in row.items()}


class Served(Engine):
    """An engine that is a server of the user's, by a URL of the environment."""

    BOLT: ClassVar[type[Bolt]] = Bolt
    languages: ClassVar[tuple[str, ...]] = ("cypher",)
    unsound: ClassVar[tuple[Unsound, ...]] = ()
    packages: ClassVar[tuple[str, ...]] = ("neo4j",)
    by_name: ClassVar[bool] = True

    def __init__(self, url: str = "") -> None:
        self.url = url or os.environ.get(f"{self._prefix()}_URL", "")
        self._bolt: Bolt | None = None

    @classmethod
    def _prefix(cls) -> str:
        return f"GRAPHMILL_{cls.name.upper()}"

    def __enter__(self) -> Self:
        prefix = self._prefix()
        if not self.url:
            text = f"The engine {self.name} is a server: give its Bolt URL as {prefix}_URL."
            raise EngineUnavailable(text)
        user, password = (os.environ.get(f"{prefix}_{word}", "") for word in ("USER", "PASSWORD"))
        self._bolt = self.BOLT(self.url, user, password)
        return self

    def __exit__(self, *exc: object) -> None:
        if self._bolt is not None:
            self._bolt.unload()
            self._bolt.close()
            self._bolt = None

    def version(self) -> str:
        """What the server calls itself."""
        return self._server().version

    def load(self, graph: Path) -> None:
        """Load the graph into the empty database, after what was loaded before is taken out."""
        self._server().unload()
        self._server().load(graph, load_schema(graph))

    def run(self, text: str, *, language: str, timeout: float) -> Result:
        """Run one read query."""
        refuse_files(text)
        return self._server().run(text, timeout)

    def _server(self) -> Bolt:
        if self._bolt is None:
            raise EngineUnavailable(f"The engine {self.name} is closed.")
        return self._bolt


def needs(name: str) -> Needs:
    """What a worker of a server's engine gets: where the server is, and who asks."""
    prefix = f"GRAPHMILL_{name.upper()}"
    variables: Iterator[str] = (f"{prefix}_{word}" for word in ("URL", "USER", "PASSWORD"))
    return Needs(environment=tuple(variables), grace=5.0, reloads=True, farewell=300.0)
