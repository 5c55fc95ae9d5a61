"""Rewrites that dialects share: what goes in and comes out, as Cypher."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graph_ir import nodes as ir
from graph_ir.cypher.reader import parse
from graph_ir.lowerings import (
    aggregates,
    conjunction,
    counting,
    keep_for_where,
    keeps_rows,
    move_predicates,
    sort_by_columns,
    split_grouping,
    substitute,
    unused_names,
    whole_number,
)
from translators.render import render


def shown(statement: ir.Statement) -> str:
    """The statement as Cypher on one line."""
    return " ".join(render(statement, "cypher").text.split())


def plain(labels: ir.LabelExpr, is_edge: bool) -> bool:
    """Only single labels stay."""
    return isinstance(labels, ir.LabelName)


def move(statement: ir.Statement) -> ir.Statement:
    return move_predicates(statement, plain)


def split(statement: ir.Statement) -> ir.Statement:
    return split_grouping(statement, lambda project: True)


PAIRS: list[tuple[Callable[[ir.Statement], ir.Statement], str, str]] = [
    (
        move,
        "MATCH (a:A|B)-[r:T WHERE r.x > 1]->(:C WHERE true) WHERE a.y = 1 RETURN a",
        "MATCH (a)-[r:T]->(element_1:C) WHERE (a:A|B) AND r.x > 1 AND true AND a.y = 1 RETURN a",
    ),
    (
        move,
        "MATCH (a) RETURN [(a)-[r:S|T]->(b:!B) WHERE b.x > 1 | 1] AS l",
        "MATCH (a) RETURN [(a)-[r]->(b) WHERE (r:S|T) AND b:!B AND b.x > 1 | 1] AS l",
    ),
    (
        move,
        "OPTIONAL MATCH (element_1:A)-[:S|T*1..2]->(:B|C) RETURN element_1",
        "OPTIONAL MATCH (element_1:A)-[:S|T*1..2]->(element_2) WHERE (element_2:B|C) "
        "RETURN element_1",
    ),
    (
        keep_for_where,
        "MATCH (a) WITH a.x AS x, 1 AS y WHERE a.z > x RETURN x, y",
        "MATCH (a) WITH a.x AS x, 1 AS y, a WHERE a.z > x WITH x, y RETURN x, y",
    ),
    (  # a pattern meets it again
        keep_for_where,
        "MATCH (a) WITH a.x AS x WHERE EXISTS { (a)-[:R]->() } RETURN x",
        "MATCH (a) WITH a.x AS x, a WHERE EXISTS { MATCH (a)-[:R]->() } WITH x RETURN x",
    ),
    (  # of a group nothing is left to meet
        keep_for_where,
        "MATCH (a) WITH a.x AS x, count(*) AS n WHERE EXISTS { (a)-[:R]->() } RETURN x",
        "MATCH (a) WITH a.x AS x, count(*) AS n WHERE EXISTS { MATCH (a)-[:R]->() } RETURN x",
    ),
    (
        keep_for_where,
        "MATCH (a) WITH a WHERE a.z > 1 RETURN a",
        "MATCH (a) WITH a WHERE a.z > 1 RETURN a",
    ),
    (
        split,
        "MATCH (a) RETURN a.x AS x, collect(a.y)[0] AS y ORDER BY x LIMIT 2",
        "MATCH (a) WITH a.x AS part_1, collect(a.y) AS part_2 "
        "RETURN part_1 AS x, part_2[0] AS y ORDER BY x LIMIT 2",
    ),
    (
        split,
        "MATCH (a) RETURN a, count(*) + count(a.x) AS n",
        "MATCH (a) WITH a, count(*) AS part_1, count(a.x) AS part_2 RETURN a, part_1 + part_2 AS n",
    ),
    (
        sort_by_columns,
        "MATCH (a) WITH a.x AS x, a.y AS y RETURN x AS z, y ORDER BY x * -1, y",
        "MATCH (a) WITH a.x AS x, a.y AS y RETURN x AS z, y ORDER BY z * -1, y",
    ),
    (
        sort_by_columns,
        "MATCH (a), (b) RETURN a AS b, b AS a ORDER BY a.x",
        "MATCH (a), (b) RETURN a AS b, b AS a ORDER BY a.x",
    ),
]


@pytest.mark.parametrize(("lower", "before", "after"), PAIRS)
def test_rewrite(lower: Callable[[ir.Statement], ir.Statement], before: str, after: str) -> None:
    assert shown(lower(parse(before))) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("MATCH (a) RETURN a.x AS x ORDER BY x", "MATCH (a) RETURN count(*) AS total"),
        (
            "MATCH (a) RETURN DISTINCT a.x AS x",
            "MATCH (a) WITH DISTINCT a.x AS x RETURN count(*) AS total",
        ),
        (
            "MATCH (a) RETURN a.x AS x LIMIT 3",
            "MATCH (a) WITH a.x AS x LIMIT 3 RETURN count(*) AS total",
        ),
    ],
)
def test_counting(before: str, after: str) -> None:
    query = counting(parse(before))
    assert query is not None
    assert shown(query) == after


def test_a_union_is_not_counted() -> None:
    assert counting(parse("RETURN 1 AS x UNION RETURN 2 AS x")) is None


def test_substitute_replaces_the_outermost() -> None:
    x, y = ir.Var("x"), ir.Var("y")
    inner = ir.Arith(ir.ArithOp.ADD, x, ir.Literal(1))
    outer = ir.Arith(ir.ArithOp.MUL, inner, x)
    assert substitute(outer, {inner: y, x: ir.Literal(2)}) == ir.Arith(
        ir.ArithOp.MUL, y, ir.Literal(2)
    )
    assert substitute(outer, {ir.Var("z"): y}) is outer


def test_substitute_puts_variables_into_patterns_too() -> None:
    asked = parse("MATCH (p) WHERE COUNT { (p)-[k]->(q) WHERE p.x = q.x } > 1 RETURN p")
    assert isinstance(asked, ir.Query)
    changed = substitute(asked, {ir.Var("p"): ir.Var("a"), ir.Var("k"): ir.Var("b")})
    wanted = parse("MATCH (a) WHERE COUNT { (a)-[b]->(q) WHERE a.x = q.x } > 1 RETURN a AS p")
    assert changed == wanted


def test_aggregates_leave_subqueries_alone() -> None:
    statement = parse("MATCH (a) RETURN count(a) + COUNT { MATCH (b) RETURN max(b.x) } AS n")
    assert isinstance(statement, ir.Query)
    last = statement.clauses[-1]
    assert isinstance(last, ir.Project)
    assert [found.name for found in aggregates(last.items[0].expr)] == ["count"]
    assert keeps_rows(last) is False


def test_names_that_are_not_used() -> None:
    statement = parse("MATCH (v_1)-[v_2]->() RETURN [v_3 IN [1] | v_3] AS v_4")
    assert next(unused_names(statement, "v")) == "v_5"


def test_conjunction_is_flat() -> None:
    a, b, c = (ir.Var(name) for name in "abc")
    both = ir.Bool(ir.BoolOp.AND, (a, b))
    assert conjunction(both, None, c) == ir.Bool(ir.BoolOp.AND, (a, b, c))
    assert conjunction(None, c) is c
    assert conjunction(None) is None


def test_whole_numbers() -> None:
    one = ir.Literal(1)
    assert whole_number(ir.Arith(ir.ArithOp.SUB, one, ir.Literal(3))) == -2
    assert whole_number(ir.Literal(True)) is None
    assert whole_number(ir.Arith(ir.ArithOp.DIV, one, one)) is None
