"""The checker: `bind.pairs` says what it finds, and types are looked at here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graph_ir.walk import find
from schemagraph.model import SchemaGraph, Type
from tests.schema_text import read_schema

HERE = Path(__file__).parent
MUSIC = read_schema((HERE.parent / "translators" / "music.schema").read_text("utf-8"))


def cases() -> Iterator[tuple[str, SchemaGraph | None, str, list[str]]]:
    """Blocks of the file: place, schema, query, findings."""
    schema: SchemaGraph | None = None
    block: list[str] = []
    lines = (HERE / "bind.pairs").read_text("utf-8").splitlines()
    for number, line in enumerate([*lines, ""], 1):
        if line.startswith("-- schema: music"):
            schema = MUSIC
        elif line and not line.startswith("--"):
            block.append(line)
        elif block and not line:
            yield f"{number - len(block)}", schema, block[0], block[1:]
            block = []


CASES = list(cases())


@pytest.mark.parametrize(
    ("schema", "query", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_findings(schema: SchemaGraph | None, query: str, expected: list[str]) -> None:
    found = bind(parse(query), schema).diagnostics
    shown = [f"{d.severity} {d.code} {d.line}:{d.column}" for d in found]
    assert shown == ([] if expected == ["ok"] else expected)


def types(query: str, schema: SchemaGraph | None = None) -> list[str]:
    """The types of a query's columns, with `?` where they can be null."""
    return [_shown(type) for _, type in bind(parse(query), schema).columns]


def _shown(type: Type) -> str:
    name = str(type) if not type.of else f"{type.kind}({','.join(type.of)})"
    return name + ("?" if type.nullable else "")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1 + 2", "INTEGER"),
        ("1 + 2.0", "FLOAT"),
        ("7 / 2", "INTEGER"),
        ("2 ^ 2", "FLOAT"),
        ("'a' + 1", "STRING"),
        ("[1] + 2.5", "LIST<FLOAT>"),
        ("date() - duration('P1D')", "DATE"),
        ("duration('P1D') * 2", "DURATION"),
        ("1 = null", "BOOLEAN?"),
        ("null IS NULL", "BOOLEAN"),
        ("CASE WHEN true THEN 1 END", "INTEGER?"),
        ("CASE WHEN true THEN 1 ELSE 2.5 END", "FLOAT"),
        ("CASE WHEN true THEN 1 ELSE 'x' END", "ANY"),
        ("[x IN [1, 2] | toString(x)]", "LIST<STRING>"),
        ("head([1, 2])", "INTEGER?"),
        ("split('a b', ' ')[0]", "STRING?"),
        ("coalesce(null, 1)", "INTEGER"),
        ("count(*)", "INTEGER"),
        ("collect(1)", "LIST<INTEGER>"),
        ("avg(1)", "FLOAT?"),
        ("avg(duration('P1D'))", "DURATION?"),
        ("sum(1)", "INTEGER"),
        ("sum(null)", "ANY?"),
        ("max(1)", "INTEGER?"),
        ("1 = 2", "BOOLEAN"),
        ("1 = 'a'", "BOOLEAN"),
        ("1 < 2.5", "BOOLEAN"),
        ("1 < 'a'", "BOOLEAN?"),
        ("[1] = [null]", "BOOLEAN?"),
        ("duration('P1D') < duration('P2D')", "BOOLEAN?"),
        ("1 IN [1, 2]", "BOOLEAN"),
        ("1 IN [1, null]", "BOOLEAN?"),
        ("'a' STARTS WITH 'b'", "BOOLEAN"),
        ("'a' STARTS WITH 1", "BOOLEAN?"),
        ("range(1, 3)", "LIST<INTEGER>"),
        ("size('x')", "INTEGER"),
        ("date('2024-01-01').year", "INTEGER"),
        ("$p", "ANY?"),
    ],
)
def test_types_of_expressions(expression: str, expected: str) -> None:
    assert types(f"RETURN {expression} AS x") == [expected]


def test_types_come_from_the_schema() -> None:
    query = "MATCH (p:Person)-[m:MEMBER_OF]->(b) RETURN p, p.name, p.born, m, m.since, b, b.genres"
    assert types(query, MUSIC) == [
        "NODE(Person)",
        "STRING",
        "INTEGER?",
        "EDGE(Person-MEMBER_OF-Band)",
        "INTEGER?",
        "NODE(Band)",
        "LIST<STRING>",
    ]


def test_labels_edges_and_neighbours_narrow_each_other() -> None:
    assert types("MATCH (x)-[r]->(:Order) RETURN x, r", MUSIC) == [
        "NODE(Person)",
        "EDGE(Person-PLACED-Order)",
    ]
    assert types("MATCH (x)-->(y)-[:MADE]->() RETURN x, y", MUSIC) == ["NODE(Person)", "NODE(Band)"]
    assert types("MATCH (x)-[:MEMBER_OF|PRODUCED]-(y) RETURN x", MUSIC) == [
        "NODE(Person,Person&Producer,Band,Record)"
    ]
    assert types("MATCH (x:Person) RETURN x", MUSIC) == ["NODE(Person,Person&Producer)"]
    assert types("MATCH (x:!Person)<--(:Producer) RETURN x", MUSIC) == ["NODE(Record)"]
    assert types("MATCH (x) MATCH (x)-[:PLACED]->() RETURN x", MUSIC) == ["NODE(Person)"]


def test_variable_length_is_followed() -> None:
    query = "MATCH (x)-[r*2]->(:Record) RETURN x, r"
    assert types(query, MUSIC) == ["NODE(Person)", "LIST<EDGE>"]
    bound = bind(parse("MATCH (:Person)-[r*2]->(:Record) RETURN r"), MUSIC).statement
    (edge,) = find(bound, ir.EdgePattern)
    assert edge.type.of == (
        "Person-MEMBER_OF-Band",
        "Band-MADE-Record",
        "Person-PLACED-Order",
        "Order-CONTAINS-Record",
    )


def test_ends_of_an_edge_have_the_types_of_its_ends() -> None:
    query = "MATCH ()-[r:PRODUCED|MADE]->() RETURN startNode(r), endNode(r).title"
    assert types(query, MUSIC) == ["NODE(Person&Producer,Band)", "STRING"]


def test_optional_variables_can_be_null() -> None:
    query = "MATCH (b:Band) OPTIONAL MATCH (b)-[:MADE]->(r) RETURN b, r, r.title"
    assert types(query, MUSIC) == ["NODE(Band)", "NODE(Record)?", "STRING?"]


def test_optional_does_not_narrow_what_is_bound() -> None:
    query = "MATCH (p) OPTIONAL MATCH (p)-[:PLACED]->(o) RETURN p"
    assert types(query, MUSIC) == ["NODE(Person,Person&Producer,Band,Record,Order)"]


def test_a_property_that_some_candidates_lack_can_be_null() -> None:
    assert types("MATCH (p:Person) RETURN p.fee, p.name, p.born", MUSIC) == [
        "FLOAT?",
        "STRING",
        "INTEGER?",
    ]


def test_group_variables_are_lists() -> None:
    query = "MATCH (a:Person) ((x)-[k:KNOWS]->(y)){1,3} (b) RETURN x, k, b"
    assert types(query, MUSIC) == ["LIST<NODE>", "LIST<EDGE>", "NODE(Person)"]


def test_binding_keeps_the_statement() -> None:
    statement = parse("MATCH (n:Person)-[:KNOWS*1..2]->(m) WHERE n.born < 1 RETURN n, count(*)")
    assert bind(statement, MUSIC).statement == statement


def test_a_column_that_hides_its_variable_is_what_order_by_sees() -> None:
    statement = bind(parse("MATCH (p:Person) RETURN p.name AS p ORDER BY p.name"), MUSIC).statement
    assert statement == parse("MATCH (p:Person) RETURN p.name AS p ORDER BY p")


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        (
            "MATCH (p) RETURN COUNT { (p)-->() } AS k, count(*) AS n ORDER BY COUNT { (p)-->() }",
            "MATCH (p) RETURN COUNT { (p)-->() } AS k, count(*) AS n ORDER BY k",
        ),
        (
            "MATCH (p) WITH DISTINCT [(p)-->(q) | q.x] AS l WHERE size([(p)-->(q) | q.x]) > 1 "
            "RETURN l",
            "MATCH (p) WITH DISTINCT [(p)-->(q) | q.x] AS l WHERE size(l) > 1 RETURN l",
        ),
    ],
)
def test_a_subquery_that_is_a_column_of_groups_is_read_as_the_column(
    query: str, wanted: str
) -> None:
    """What it meets is gone there: behind the groups the pattern would meet every node."""
    assert bind(parse(query)).statement == bind(parse(wanted)).statement


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("MATCH (o:Order) RETURN sum(o.total) AS x", "0"),
        ("MATCH (o:Order) RETURN abs(-sum(o.total)) AS x", "0"),
        ("MATCH (o:Order) WITH sum(o.total) AS s WITH s AS t LIMIT 3 RETURN t AS x", "0"),
        ("MATCH (o:Order) RETURN sum(o.total) + sum(o.total) AS x", "0"),
        ("MATCH (o:Order) RETURN sum(o.total) * 3 AS x", "0"),
        ("MATCH (o:Order) RETURN sum(o.total) / 3 AS x", "0"),
        ("MATCH (o:Order) RETURN sum(o.total) + 1 AS x", "any"),
        ("MATCH (o:Order) RETURN (sum(o.total) + 1) * 3 AS x", "any"),
        ("MATCH (o:Order) RETURN 7 / sum(o.total) AS x", "any"),
        ("MATCH (o:Order) RETURN CASE WHEN true THEN sum(o.total) ELSE 1.5 END AS x", "0"),
        ("MATCH (o:Order) RETURN [sum(o.total)][0] AS x", "0"),
        ("MATCH (o:Order) RETURN sum(o.total) + 1.0 AS x", ""),
        ("MATCH (o:Order) RETURN sum(o.total) ^ 2 AS x", ""),
        ("MATCH (o:Order) RETURN avg(o.total) AS x", ""),
        ("MATCH (o:Order) RETURN sum(o.id) AS x", ""),
        ("MATCH (p:Producer) RETURN p.id AS i, sum(p.fee) AS x", "0"),
        ("MATCH (o:Order) RETURN o.id AS i, sum(o.total) AS x", ""),
        (
            "MATCH (o:Order) RETURN CASE WHEN count(o.total) = 0 THEN null ELSE sum(o.total) END "
            "AS x",
            "",
        ),
        (
            "MATCH (o:Order) RETURN o.id AS i, max(COUNT { MATCH (q:Order) RETURN sum(q.total) AS "
            "s }) AS m, sum(o.total) AS x",
            "",
        ),
    ],
)
def test_a_sum_of_no_floats_is_an_integer(query: str, wanted: str) -> None:
    """The integer 0, and another where one is added; a group has some, if none is null."""
    types = dict(bind(parse(query), MUSIC).columns)
    assert types["x"].of_nothing == wanted
