"""Reads of the openCypher TCK that end in a table."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from graph_ir import nodes as ir
from graph_ir.cypher.reader import parse
from graph_ir.walk import rewrite

SHARED = Path(os.environ.get("GRAPHMILL_SHARED", Path(__file__).parents[3] / "shared"))

TREES = {
    "the binary-tree-1 graph": ("X", "X"),
    "the binary-tree-2 graph": ("X", "Y"),
}


@dataclass(slots=True)
class Scenario:
    """A read with an expected table."""

    id: str
    setup: list[str]
    query: str
    parameters: dict[str, str]
    header: list[str]
    rows: list[list[str]]
    ordered: bool
    bags: bool


def scenarios(path: Path) -> Iterator[Scenario]:
    """Reads that end in a table; procedures of the kit are not there."""
    for line in path.read_text("utf-8").splitlines():
        given = json.loads(line)
        steps = given["steps"]
        texts = [step["text"] for step in steps]
        if given["write"] or any("should be raised" in t or "procedure" in t for t in texts):
            continue
        found = Scenario(given["id"], [], "", {}, [], [], False, False)
        for step in steps:
            text = step["text"]
            if text in TREES:
                found.setup.append(tree(*TREES[text]))
            elif text == "having executed:":
                found.setup.append(step["doc"])
            elif text == "parameters are:":
                found.parameters = dict(step["table"])
            elif text == "executing query:":
                found.query = step["doc"]
            elif text.startswith("the result should be") and step.get("table"):
                found.header, *found.rows = step["table"]
                found.ordered = "in order" in text
                found.bags = "ignoring element order" in text
        yield found


def tree(upper: str, lower: str) -> str:
    """The kit's binary trees, which differ in the label of the second leaves."""
    nodes = ["(a:A {name: 'a'})", *(f"(b{i}:X {{name: 'b{i}'}})" for i in range(1, 5))]
    for i in range(1, 5):
        nodes += [f"(c{i}1:{upper} {{name: 'c{i}1'}})", f"(c{i}2:{lower} {{name: 'c{i}2'}})"]
    edges = ["(a)-[:KNOWS]->(b1)", "(a)-[:KNOWS]->(b2)"]
    edges += ["(a)-[:FOLLOWS]->(b3)", "(a)-[:FOLLOWS]->(b4)"]
    for i in range(1, 5):
        edges += [f"(b{i})-[:FRIEND]->(c{i}1)", f"(b{i})-[:FRIEND]->(c{i}2)"]
        edges.append(f"(b{i})-[:FRIEND]->(b{i % 4 + 1})")
    return f"CREATE {', '.join(nodes + edges)}"


def with_parameters(statement: ir.Statement, given: dict[str, str]) -> ir.Statement:
    """The statement with its parameters' values, which the kit writes as Cypher."""

    def change(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.Param) and node.name in given:
            query = parse(f"RETURN {given[node.name]} AS x")
            assert isinstance(query, ir.Query)
            last = query.clauses[-1]
            assert isinstance(last, ir.Project)
            return last.items[0].expr
        return node

    return rewrite(statement, change)
