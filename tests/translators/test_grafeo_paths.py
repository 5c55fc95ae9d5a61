"""Paths that close a pattern are said to grafeo step by step, in the pattern they belong to."""

from __future__ import annotations

import pytest

from graph_ir.cypher.reader import parsed
from translators.render import render


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        # It ends where the pattern has been: the node between gets a name.
        (
            "(a)-[:L]->(b), (a)<-[:M]-(:C)-[:M]->(b)",
            "(a)-[:L]->(b), (a)<-[:M]-(n:C), (n)-[:M]->(b)",
        ),
        ("(a)-[:L]->(b)-[:M]->(a)", "(a)-[:L]->(b), (b)-[:M]->(a)"),
        # What closes a path comes first, from where the path begins or something is known.
        (
            "(a:A {x: 1})-[:L]->(:C)<-[:L]-(b:B), (b)-[:M]->(a)",
            "(a:A {x: 1})<-[:M]-(b:B), (a)-[:L]->(n:C), (n)<-[:L]-(b)",
        ),
        (
            "(b)-[:K]->(d), (a)-[:L]->(c)<-[:L]-(b), (a)-[:M]-(b)",
            "(b)-[:K]->(d), (b)-[:M]-(a), (a)-[:L]->(c), (c)<-[:L]-(b)",
        ),
        # What it asks of its nodes itself, or reads of others, stays where it is.
        ("(a)-[:L]->(c)<-[:L]-(b), (a)-[:M]->(b:B)", None),
        ("(a)-[:L]->(c)<-[:L]-(b {x: a.x}), (a)-[:M]->(b)", None),
        ("(a)-[:L]->(c)<-[:L]-(b), (a)-[:M]->(c)", None),
        # What leads to new nodes, is one step, has many lengths or a name stays as it is.
        ("(a)-[:L]->(b)-[:M]->(c)", None),
        ("(a)-[:L]->(b), (b)-[:M]->(a)", None),
        ("(a)-[:L*1..2]->(b)-[:M]->(a)", None),
        ("p = (a)-[:L]->(b)-[:M]->(a)", None),
    ],
)
@pytest.mark.parametrize("dialect", ["cypher-grafeo", "gql-grafeo"])
def test_paths(pattern: str, said: str | None, dialect: str) -> None:
    text = render(parsed(f"MATCH {pattern} RETURN a.x AS x"), dialect).text
    wanted = pattern if said is None else said.replace("(n:", "(node1:").replace("(n)", "(node1)")
    if dialect == "gql-grafeo":
        wanted = wanted.replace("[:L*1..2]->", "[:L]->{1,2}")
    assert wanted in text


def test_a_pattern_after_with_has_names_of_its_own() -> None:
    query = (
        "MATCH (a)-[:L]->(b) WITH b AS node1 MATCH (node1)-[:L]->(:C)-[:M]->(node1) RETURN 1 AS x"
    )
    text = render(parsed(query), "cypher-grafeo").text
    assert "(node1)-[:L]->(node2:C), (node2)-[:M]->(node1)" in text


@pytest.mark.parametrize(
    ("query", "said"),
    [
        # grafeo looks at a WHERE when it has every named path from everywhere.
        (
            "MATCH p = (a)-[:L*1..3]->(b) WHERE a.x = 'k' AND length(p) > 1 RETURN b.x AS x",
            "p = (a {x: 'k'})-[:L",
        ),
        ("MATCH p = (a)-[:L]->(b) WHERE b.x = 'k' RETURN a.x AS x, length(p) AS n", "(b {x: 'k'})"),
        # Of two values of one property one stays a condition; without a name all do.
        (
            "MATCH p = (a)-[:L]->(b) WHERE a.x = 'k' AND a.x = 'l' RETURN length(p) AS n",
            "WHERE a.x = 'l'",
        ),
        ("MATCH (a)-[:L*1..3]->(b) WHERE a.x = 'k' RETURN b.x AS x", "WHERE a.x = 'k'"),
        ("MATCH p = (a)-[:L]->(b) WHERE a.x > 'k' RETURN length(p) AS n", "WHERE a.x > 'k'"),
    ],
)
@pytest.mark.parametrize("dialect", ["cypher-grafeo", "gql-grafeo"])
def test_named_paths_begin_at_their_constants(query: str, said: str, dialect: str) -> None:
    assert said in render(parsed(query), dialect).text


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        # It is walked from the end that is known, and first of its clause.
        ("(b:B)-[:M]->(c)<-[:L]-(a)", "(a)-[:L]->(c)<-[:M]-(b:B)"),
        ("(d:D)-[:K]->(b:B), (b)-[:M]-(a)", "(a)-[:M]-(b), (d:D)-[:K]->(b:B)"),
        ("(d:D)-[:K]->(b:B), (a)-[:M]->(b)", "(a)-[:M]->(b), (d:D)-[:K]->(b:B)"),
        ("(b:B {x: a.x})-[:M]->(a)", "(a)<-[:M]-(b:B {x: a.x})"),
        # What reads of another path stays after it; what is no row of edges stays as it is.
        ("(d:D), (b:B {x: d.x})-[:M]->(a)", None),
        ("(d:D), (a)-[:M]->(b:B {x: d.x})", None),
        ("(b:B)-[:M*1..2]->(a)", None),
        ("p = (b:B)-[:M]->(a)", None),
        ("(a)-[:M]->(b:B), (d:D)-[:M]->(a)", None),
    ],
)
@pytest.mark.parametrize("dialect", ["cypher-grafeo", "gql-grafeo"])
def test_a_pattern_begins_at_what_clauses_before_it_found(
    pattern: str, said: str | None, dialect: str
) -> None:
    query = f"MATCH (a:A) WITH a LIMIT 2 MATCH {pattern} RETURN b.x AS x"
    wanted = (said or pattern).replace("[:M*1..2]->", "[:M]->{1,2}") if dialect[0] == "g" else None
    assert (wanted or said or pattern) in render(parsed(query), dialect).text


def test_an_optional_pattern_begins_where_it_says() -> None:
    query = "MATCH (a:A) OPTIONAL MATCH (b:B)-[:M]->(a) RETURN b.x AS x"
    assert "(b:B)-[:M]->(a)" in render(parsed(query), "cypher-grafeo").text
