"""Which engines are held to small graphs with more edges than the schema declares."""

from __future__ import annotations

import pytest

from engines import ENGINES
from graph_ir.cypher.reader import parsed
from graph_ir.types import INTEGER, STRING
from graphmill.errors import Refused
from pipelines.build.suites import EMBEDDED, RELYING
from schemagraph.model import EdgeType, NodeType, Property, SchemaGraph
from translators.render import render

QUERIES = (
    "MATCH (i:Item)-[:IN_ORDER]->(o:Order) RETURN o.status AS s, count(DISTINCT i) AS n",
    "MATCH (i:Item)-[:IN_ORDER]->(o:Order) RETURN o.status AS s, count(i) AS n",
    "MATCH (i:Item)-[:IN_ORDER]->(o:Order) RETURN i.id AS i, o.id AS o",
    "MATCH (i:Item)-[:IN_ORDER]->(o:Order) RETURN DISTINCT i.id AS i",
    "MATCH (i:Item) OPTIONAL MATCH (i)-[:IN_ORDER]->(o:Order) RETURN i.id AS i, count(o) AS n",
)


def _schema(targets: str) -> SchemaGraph:
    key = Property("id", INTEGER)
    status = Property("status", STRING)
    item, order = NodeType(("Item",), (key,), ("id",)), NodeType(("Order",), (key, status), ("id",))
    edge = EdgeType("IN_ORDER", "Item", "Order", targets=targets)
    return SchemaGraph("shop", (item, order), (edge,))


def _texts(engine: str, schema: SchemaGraph) -> list[str]:
    texts = []
    for language in ENGINES.get(engine).languages:
        for query in QUERIES:
            try:
                texts.append(render(parsed(query), language, schema).text)
            except Refused as problem:
                texts.append(problem.code)
    return texts


@pytest.mark.parametrize("engine", EMBEDDED)
def test_texts_that_rely_on_declared_cardinalities_are_of_engines_named_so(engine: str) -> None:
    declared, any_number = _texts(engine, _schema("1")), _texts(engine, _schema(""))
    assert (declared != any_number) == (engine in RELYING)
