"""The traversal finds every node that a dataclass holds, and rebuilds as `replace` does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from graph_ir import nodes as ir
from graph_ir.cypher.reader import parse
from graph_ir.walk import children, descend, rewrite, substitute, with_fields
from qa.fuzz.graphs import random_graph
from qa.fuzz.statements import random_statement

SPECIAL = (
    "MATCH p = shortestPath((a:A|B {x: 1})-[:R*1..3]->(b)) WHERE any(n IN nodes(p) WHERE n.x > 1)"
    " RETURN CASE a.x WHEN 1 THEN [y IN [1, 2] WHERE y > 1 | y + 1] ELSE a {.*, z: 2} END AS q,"
    " reduce(s = 0, v IN [1] | s + v) AS r SKIP 1 LIMIT 2",
    "MATCH (a)-[e]->(b) CALL (a) { MATCH (a)--(c) RETURN count(c) AS n } WITH a, e, n"
    " WHERE EXISTS { (a)-->() } OR COUNT { (a) } > 1 RETURN COLLECT { MATCH (x) RETURN x } AS l"
    " UNION ALL UNWIND [1] AS l RETURN l",
    "MERGE (a:A {x: 1}) ON CREATE SET a.y = 1 REMOVE a.z DELETE a",
)
STATEMENTS = [
    *map(parse, SPECIAL),
    *(random_statement(seed, random_graph(seed).schema) for seed in range(40)),
]


def held(node: Any) -> Iterator[ir.Node]:
    """What a node holds, by looking at every field."""
    for field in fields(node):
        value = getattr(node, field.name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, ir.Node):
                yield item


def test_children_and_descend_miss_nothing() -> None:
    for statement in STATEMENTS:
        found = list(descend(statement))
        expected: list[ir.Node] = []
        stack: list[ir.Node] = [statement]
        while stack:
            node = stack.pop()
            assert is_dataclass(node)
            expected.append(node)
            below = list(held(node))
            assert list(map(id, children(node))) == list(map(id, below))
            stack += below[::-1]
        assert list(map(id, found)) == list(map(id, expected))


def test_what_is_changed_is_rebuilt_and_the_rest_stays() -> None:
    for statement in STATEMENTS:
        assert rewrite(statement, lambda node: node) is statement
        assert substitute(statement, lambda node: None) is statement
        changed = rewrite(
            statement,
            lambda node: ir.Literal(17) if isinstance(node, ir.Literal) else node,
        )
        kept = {id(n) for n in descend(statement)}
        for node in descend(changed):
            below = [id(n) in kept for n in held(node)]
            assert not below or all(below) is (id(node) in kept)
        assert {n.value for n in descend(changed) if isinstance(n, ir.Literal)} <= {17}


def test_other_values_in_some_fields() -> None:
    for statement in STATEMENTS:
        for node in descend(statement):
            if isinstance(node, ir.Prop | ir.NodePattern):
                updates: dict[str, Any] = {"span": None}
                if isinstance(node, ir.Prop):
                    updates["key"] = "other"
                found: ir.Node = with_fields(node, updates)
                assert found == replace(node, **updates)
                assert found.span is None
                assert found.type == node.type
