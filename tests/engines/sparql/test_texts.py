"""What the engines of SPARQL do with a text before they run it."""

from __future__ import annotations

import re

import pytest

from engines._oxigraph_text import for_oxigraph
from engines.backends.jena import Jena
from engines.rdf_values import JSON, Values
from engines.sparql_integers import Integers
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryError, Refused
from qa.fuzz.graphs import read_graph
from schemagraph.rdf.terms import Literal
from translators.render import render

INTEGER = "http://www.w3.org/2001/XMLSchema#integer"


@pytest.mark.parametrize(
    ("standard", "own"),
    [
        (r'REPLACE(?x, "(a)", "\\$1")', r'REPLACE(?x, "(a)", "\\$1")'.replace(r"\\$1", "$$1")),
        (r'REPLACE(?x, "(a)", "\\\\$1")', r'REPLACE(?x, "(a)", "\\${1}")'),
        ("REPLACE ( STR(?x), 'a', 'b\\\\\\\\' , 'i')", "REPLACE ( STR(?x), 'a', \"b\\\\\" , 'i')"),
        ('CONCAT("\\\\$1", REPLACE(?x, "a", "b"))', 'CONCAT("\\\\$1", REPLACE(?x, "a", "b"))'),
        ('?x ex:p "REPLACE(a, b, c)"', '?x ex:p "REPLACE(a, b, c)"'),
    ],
)
def test_replacements_are_those_of_the_standard(standard: str, own: str) -> None:
    assert for_oxigraph(standard) == own


@pytest.mark.parametrize("text", ['REPLACE(?x, "a", ?y)', r'REPLACE(?x, "a", "\\b")'])
def test_a_replacement_that_cannot_be_said_is_an_error(text: str) -> None:
    with pytest.raises(QueryError):
        for_oxigraph(text)


def integers() -> Integers:
    """A graph whose `big` nearly fills 64 bits."""
    known = Integers()
    lines = [
        f'<a:1> <https://x.example/property/big> "{2**62}"^^<{INTEGER}> .\n',
        f'<a:1> <https://x.example/property/small> "-7"^^<{INTEGER}> .\n',
    ]
    assert list(known.seen(lines)) == lines
    return known


@pytest.mark.parametrize(
    "text",
    [
        "SELECT (?b * 2 AS ?x) { ?n prop:big ?b }",
        "SELECT (?b + ?b AS ?x) { ?n <https://x.example/property/big> ?b }",
        "SELECT (SUM(?b) AS ?x) { ?n prop:big ?b }",
        "SELECT (SUM(?b) AS ?x) { ?n ?p ?b }",
        "SELECT * { ?n prop:big ?b FILTER(-?b < 1 && ABS(?b) - 4611686018427387904 < 0) }",
        "SELECT (?s * 9223372036854775807 AS ?x) { ?n prop:small ?s }",
        "SELECT (?c * ?c * ?c AS ?x) {{ SELECT (COUNT(?s) AS ?c) { ?n prop:small ?s } }}",
        "SELECT (SUM(?p) AS ?x) { ?n prop:small ?s BIND(?s * 2000000000 AS ?p) }",
        "SELECT ?n { ?n prop:small ?s } GROUP BY ?n HAVING (SUM(?s * ?s * ?s * ?s * ?s * ?s * ?s "
        "* ?s * ?s * ?s * ?s * ?s) > 1)",
        "SELECT (COUNT(?s) * COUNT(?s) * SUM(?s) AS ?x) { ?n prop:small ?s }",
        "SELECT (?c - ?d AS ?x) {{ SELECT (SUM(?b) AS ?c) (COUNT(*) AS ?d) { ?n prop:big ?b } }}",
        "SELECT (?c * ?d * 2 AS ?x) "
        "{{ SELECT (SUM(?s) AS ?c) (COUNT(*) AS ?d) { ?n prop:small ?s } }}",
        "SELECT (COUNT(*) - 7 * xsd:integer(SUM(?b) / 7) AS ?x) { ?n prop:big ?b }",
    ],
)
def test_integers_that_may_grow_too_long_are_refused(text: str) -> None:
    with pytest.raises(QueryError, match="64 bits"):
        integers().refuse_overflow(text)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { ?n prop:big ?b }",
        "SELECT (COUNT(*) AS ?c) { ?n prop:big ?b }",
        "SELECT (SUM(?s) AS ?x) (COUNT(*) AS ?c) { ?n prop:small ?s }",
        "SELECT (?s * 1000 - ?s * 60 AS ?x) { ?n prop:small ?s }",
        "SELECT (SUM(?s * ?t) AS ?x) (COUNT(?s) AS ?c) (SUM(?s) / COUNT(?s) AS ?a) { ?n prop:small "
        "?s, ?t }",
        "SELECT (SUM(?s) AS ?x) (?t * ?t * ?t AS ?y) { ?n prop:small ?s, ?t } GROUP BY ?t",
        "SELECT (COUNT(*) - (SUM(?s) - 7 * xsd:integer(SUM(?s) / 7)) AS ?x) { ?n prop:small ?s }",
        "SELECT (SUM(COALESCE(?s * ?s, 0)) - COUNT(*) * 3 + 1 AS ?x) { ?n prop:small ?s }",
        "SELECT (?c * 2 - ?d / 7 AS ?x) "
        "{{ SELECT (SUM(?s) AS ?c) (COUNT(*) AS ?d) { ?n prop:small ?s } }}",
        'SELECT ?n { ?n ex:next* ?m FILTER(?s > "2020-01-01+02:00"^^xsd:date) ?n prop:big ?b }',
        "SELECT ?n { ?n <https://x.example/next>+ ?m ; prop:big ?b }",
    ],
)
def test_other_texts_are_run(text: str) -> None:
    integers().refuse_overflow(text)


LONG = "9" * 5000


@pytest.mark.parametrize(
    "text",
    [
        f"SELECT * {{}} LIMIT {LONG}",
        f"SELECT * {{}} OFFSET {LONG}",
        f"SELECT ({LONG} AS ?x) {{}}",
        f'SELECT ("{LONG}"^^<{INTEGER}> AS ?x) {{}}',
        f"SELECT (?s + {'0' * 5000}1 AS ?x) {{ ?n prop:small ?s }}",
    ],
)
def test_numbers_of_thousands_of_digits_are_left_to_the_engine(text: str) -> None:
    integers().refuse_overflow(text)


def test_calculating_with_thousands_of_digits_is_refused() -> None:
    for text in (f"SELECT ({LONG} * {LONG} AS ?x) {{}}", f"SELECT (?s + {LONG} AS ?x) {{}}"):
        with pytest.raises(QueryError, match="64 bits"):
            integers().refuse_overflow(text)


def test_integers_written_as_typed_texts_count() -> None:
    text = (
        f'SELECT (SUM(?x) AS ?s) WHERE {{ VALUES ?x {{ "-9223372036854775808"^^<{INTEGER}> -1 }} }}'
    )
    with pytest.raises(QueryError):
        integers().refuse_overflow(text)


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN max(n.v) AS m",
        "MATCH (a:A) RETURN a.l AS x UNION MATCH (a:A) RETURN a.l AS x",
    ],
)
def test_what_engines_tell_apart_otherwise_is_refused(text: str) -> None:
    graph = read_graph(
        "A(id!: INTEGER, v: INTEGER, l: LIST<INTEGER>)\nB(id!: INTEGER, v: STRING)\n\nA [1, 1, [1]]"
    )
    with pytest.raises(Refused):
        render(parse(text), "sparql", graph.schema)


def test_a_negation_of_a_negation_is_in_parentheses() -> None:
    """The grammar has no `!!x`, which Oxigraph takes and Jena does not."""
    graph = read_graph("A(id!: INTEGER, b: BOOLEAN)\n\nA [1, true]")
    text = render(
        parse("MATCH (a:A) WHERE NOT a.b XOR a.id = 1 RETURN a.id AS id"), "sparql", graph.schema
    ).text
    assert "XOR" not in text
    assert not re.search(r"!\s*!", text)
    assert "!(!" in text


def test_a_list_that_json_has_no_form_for_is_an_error_of_its_line() -> None:
    graph = read_graph("A(id!: INTEGER)\n\nA [1]")
    values = Values(graph.schema, lambda _: ())
    with pytest.raises(QueryError, match="cannot be read"):
        values.plain(Literal("[-INF]", JSON))
    assert values.plain(Literal("[1, null]", JSON)) == [1, None]


def test_jena_declares_an_order_of_integers_among_floats() -> None:
    """An integer and the float that equals it are one in an order; Jena ends the tie."""
    graph = read_graph("A(id!: INTEGER, i: INTEGER?, f: FLOAT?)\n\nA [1, 1, 1.0]")
    fault = next(each for each in Jena.unsound if each.code == "mixed-order")

    def applies(key: str) -> bool:
        text = f"MATCH (a:A) RETURN a.id AS id ORDER BY {key}, id"
        return fault.applies(bind(parse(text), graph.schema).statement)

    assert applies("coalesce(a.i, a.f)")
    assert not applies("a.i")
    assert not applies("a.f")
