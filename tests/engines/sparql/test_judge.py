"""The judge of SPARQL: what both parsers refuse, what reaches beyond the graph, unknown names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engines.judges.sparql import SparqlJudge
from engines.sparql_guard import refuse_others
from graphmill.errors import QueryError
from tests.engines.graphs import write_graph

pytestmark = pytest.mark.slow

LABELS = "PREFIX l: <https://graphmill.example/label/>\n"


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparqlJudge]:
    with SparqlJudge() as opened:
        opened.load(write_graph(tmp_path_factory.mktemp("judge") / "graph"))
        yield opened


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("SELECT ?n WHERE { ?n a ?l }", "", 0),
        (f"{LABELS}SELECT ?n WHERE {{ ?n a l:Person }}", "", 0),
        (f"{LABELS}SELECT ?n WHERE {{ ?n a l:Persn }}", "unknown-label", 2),
        (f"{LABELS}SELECT ('l:Persn' AS ?n) WHERE {{}} # l:Persn", "", 0),
        ("SELECT ?n WHERE {\n ?n ?p }", "syntax", 2),
        ("SELECT * WHERE { SERVICE <urn:x> { ?s ?p ?o } }", "not-a-read", 1),
    ],
)
def test_findings(judge: SparqlJudge, text: str, code: str, line: int) -> None:
    found = judge.run(text, language="sparql", timeout=5).rows
    assert [(row[0], row[2]) for row in found] == ([(code, line)] if code else [])


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * FROM <urn:g> WHERE { ?s ?p ?o }",
        "SELECT * WHERE { ?s ?p '\\'' } ; LOAD <urn:x>",
        "# a comment '\nDELETE WHERE { ?s ?p ?o }",
        "SELECT * { ?s ?p <urn:#'> SERVICE<urn:x> {} }",
        'SELECT * { ?s ?p """a " b""" SERVICE <urn:x> {} }',
        "SELECT (<http://jena.apache.org/ARQ/function#now>() AS ?x) {}",
        "PREFIX apf: <http://jena.hpl.hp.com/ARQ/property#> SELECT * { ?s apf:splitIRI (?a ?b) }",
    ],
)
def test_what_reaches_beyond_the_graph_is_refused(text: str) -> None:
    with pytest.raises(QueryError):
        refuse_others(text)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?from ?load WHERE { ?from ?load 'SERVICE' }",
        "PREFIX from: <urn:from/LOAD> SELECT * { ?s from:insert ?x } # DELETE",
        'SELECT * { ?s <http://x/FROM> """DROP""" }',
        "PREFIX pg: <https://graphmill.example/pg#> SELECT * { ?e pg:from ?s }",
    ],
)
def test_words_in_names_texts_and_comments_are_read(text: str) -> None:
    refuse_others(text)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * WHERE { " + "{ " * 10_000 + "?s ?p ?o" + " }" * 10_000 + " }",
        "SELECT (" + "abs(" * 1_000 + "1" + ")" * 1_000 + " AS ?x) {}",
        "SELECT (" + "!" * 10_000 + "true AS ?x) {}",
        "SELECT (" + "1+" * 10_000 + "1 AS ?x) {}",
        "SELECT * {" + "{} UNION " * 10_000 + "{}}",
        "SELECT * {?s ?p ?o " + "FILTER(?s != 1) " * 20_000 + "}",
    ],
)
def test_what_is_too_deep_for_the_stack_of_an_engine_is_refused(text: str) -> None:
    with pytest.raises(QueryError, match=r"nested deeper|are joined") as caught:
        refuse_others(text)
    assert caught.value.kind == "syntax"


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * WHERE { " + "{ " * 150 + "?s ?p ?o" + " }" * 150 + " }",
        "SELECT * {" + "?s ?p '((((' . {} " * 500 + "}",
        "SELECT * {?s ?p ?o " + "FILTER(?s != <urn:a-b+c/d>) " * 4_000 + "}",
    ],
)
def test_what_is_long_and_not_deep_is_run(text: str) -> None:
    refuse_others(text)
