"""What the Cypher printer does with IR that no Cypher text says."""

from __future__ import annotations

import math

import pytest

from graph_ir import nodes as ir
from graph_ir.cypher.reader import parse
from graphmill.errors import Refused
from translators.cypher.dialect import Cypher


def text(statement: ir.Statement) -> str:
    """The text on one line."""
    return Cypher().generate(statement).text.replace("\n", " ")


def returning(*exprs: ir.Expr) -> ir.Query:
    """`RETURN` of some expressions."""
    items = tuple(ir.Item(expr, f"c{number}") for number, expr in enumerate(exprs))
    return ir.Query((ir.Project(items, final=True),))


def matching(path: ir.Path, mode: ir.MatchMode = ir.MatchMode.DIFFERENT_EDGES) -> ir.Query:
    """`MATCH path RETURN 1`."""
    project = ir.Project((ir.Item(ir.Literal(1), "x"),), final=True)
    return ir.Query((ir.Match((path,), mode=mode), project))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (-5, "-5"),
        (1e300, "1e+300"),
        (-0.0, "-0.0"),
        (math.inf, "(1.0 / 0.0)"),
        (-math.inf, "(-1.0 / 0.0)"),
        (math.nan, "(0.0 / 0.0)"),
        ("it's\n\\ \x00é", "'it\\'s\\n\\\\ \\u0000é'"),
    ],
)
def test_literals(value: float | str, expected: str) -> None:
    assert text(returning(ir.Literal(value))) == f"RETURN {expected} AS c0"


def test_operators_keep_their_operands() -> None:
    a, b = ir.Var("a"), ir.Var("b")
    minus = ir.Arith(ir.ArithOp.SUB, a, ir.Arith(ir.ArithOp.SUB, a, b))
    power = ir.Arith(ir.ArithOp.POW, ir.Literal(-2), ir.Literal(2))
    double = ir.Neg(ir.Neg(a))
    chain = ir.Compare(ir.CompareOp.EQ, ir.Compare(ir.CompareOp.EQ, a, b), ir.Literal(True))
    for expr in (minus, power, double, chain):
        statement = returning(expr)
        assert parse(text(statement)) == statement


def test_a_condition_on_each_edge_of_many_is_a_quantified_path() -> None:
    where = ir.Compare(ir.CompareOp.GT, ir.Prop(ir.Var("r"), "w"), ir.Literal(1))
    edge = ir.EdgePattern("r", ir.LabelName("T"), hops=ir.Hops(1, 3), where=where)
    path = ir.Path(ir.NodePattern("a"), (ir.Step(edge, ir.NodePattern("b")),))
    assert text(matching(path)) == ("MATCH (a)(()-[r:T WHERE r.w > 1]->()){1,3}(b) RETURN 1 AS x")


def test_columns_are_those_of_the_result() -> None:
    statement = parse(
        "MATCH (n) RETURN n.a, count(*) AS c UNION MATCH (m) RETURN 1 AS `n.a`, 2 AS c"
    )
    assert Cypher().generate(statement).columns == ("n.a", "c")


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        (returning(ir.Literal(2**63)), "integer-range"),
        (returning(ir.Prop(ir.Var("a"), "")), "empty-name"),
        (matching(ir.Path(ir.NodePattern()), mode=ir.MatchMode.REPEATABLE), "match-mode"),
        (matching(ir.Path(ir.NodePattern(), mode=ir.PathMode.ACYCLIC)), "path-mode"),
        (parse("MATCH shortestPath((a)-[:!T*]->(b)) RETURN 1 AS x"), "label-expression"),
        (parse("MATCH (a), ANY SHORTEST (b)-[:T]->+(c) RETURN 1 AS x"), "path-search"),
    ],
)
def test_refusals(statement: ir.Statement, code: str) -> None:
    with pytest.raises(Refused) as caught:
        text(statement)
    assert caught.value.code == code
