"""A tree that is no Graph-IR is an error that says so, in every dialect."""

from __future__ import annotations

from typing import Any

import pytest

from graph_ir import nodes as ir
from graph_ir.cypher.reader import parse
from graph_ir.serde import from_json, to_json
from graph_ir.shape import fault_of
from graphmill.errors import SchemaError
from translators.render import render


def returning(expr: Any, alias: Any = "a") -> ir.Query:
    return ir.Query((ir.Project((ir.Item(expr, alias),), final=True),))


@pytest.mark.parametrize("to", ["cypher", "gql", "gql-grafeo"])
@pytest.mark.parametrize(
    "statement",
    [
        *("RETURN 1 AS a", "MATCH (n RETURN n", "", None, 5, b"RETURN 1", [], {}),
        *(ir.Query(()), ir.Literal(1)),
        ir.Query(("RETURN 1",)),  # type: ignore[arg-type] # that is the fault
        ir.Query(None),  # type: ignore[arg-type] # that is the fault
        *(returning(ir.Literal(1), None), returning("a"), returning(ir.Var(None))),  # type: ignore[arg-type] # that is the fault
        returning(ir.Literal(object())),  # type: ignore[arg-type] # that is the fault
    ],
    ids=lambda statement: type(statement).__name__,
)
def test_what_is_no_statement_is_named(statement: Any, to: str) -> None:
    with pytest.raises(SchemaError):
        render(statement, to)


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a:A {x: 1})-[r:R*1..2]->(b) WHERE b.y > 1 OR a:B RETURN b.y AS y, count(*) AS c"
        " ORDER BY y DESC SKIP 1 LIMIT 2",
        "MATCH p = shortestPath((a)-[*..4]-(b)) RETURN [n IN nodes(p) | n {.x, k: 1.5}] AS l UNION"
        " ALL RETURN [null, true, 'x'] AS l",
        "CALL (*) { MATCH (a) RETURN a.x AS x } RETURN CASE x WHEN 1 THEN 2 END AS y, x[0..1] AS z",
    ],
)
def test_what_a_reader_makes_has_no_fault(text: str) -> None:
    statement = parse(text)
    assert fault_of(statement) == ""
    assert fault_of(from_json(to_json(statement))) == ""


def test_json_of_another_shape_is_named() -> None:
    raw = to_json(parse("RETURN 1 AS a"))
    raw["clauses"][0]["items"][0]["alias"] = 7
    with pytest.raises(SchemaError, match=r"Item\.alias"):
        render(from_json(raw), "cypher")  # type: ignore[arg-type] # a node, by its JSON
