"""Adaptive Text2GQL: twig linking, evolving store, static error base, repair."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from math import log
from pathlib import Path
from typing import Any

import pytest

from benchmarks.simulated_model import KINDS
from evaluation.answering.catalogue import fills, templates
from evaluation.answering.critic import Checked, rule_names, static_fault
from evaluation.answering.evolving import Entry, Evolution, ShotStore
from evaluation.answering.twigs import Linker, Linking, idf
from evaluation.answering.values import Values
from evaluation.languages import Tools, tools
from evaluation.reading import read
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graphmill.errors import UnknownNameError
from graphmill.record import Record
from schemagraph.folder.serde import load_schema
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from tests.evaluation.test_systems import ask, predicted, served
from translators.language import Origin
from translators.render import render

pytestmark = pytest.mark.slow


RIGHT = dict.fromkeys(KINDS, 0.0)
LANGUAGES = ("cypher", "gremlin", "sparql")


def property_of(name: str, kind: Kind = Kind.STRING) -> Property:
    return Property(name, Type(kind))


MOVIES = SchemaGraph(
    "movies",
    (
        NodeType(("Person",), (property_of("name"), property_of("born", Kind.INTEGER))),
        NodeType(("Movie",), (property_of("title"), property_of("rating", Kind.FLOAT))),
        NodeType(("City",), (property_of("name"),)),
    ),
    (
        EdgeType("DIRECTED", "Person", "Movie"),
        EdgeType("ACTED_IN", "Person", "Movie"),
        EdgeType("FOLLOWS", "Person", "Person"),
        EdgeType("LIVES_IN", "Person", "City"),
    ),
)


# --- catalogues (AT-7, AT-8, AT-21, AT-22) -----------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_seven_rows_that_graph_ir_can_say(language: str) -> None:
    rows = templates(language)
    categories = [row.category for row in rows]
    assert categories == [*["node"] * 2, *["relation"] * 2, *["complex"] * 2, "aggregate"]
    for row in rows:
        parse(row.cypher)
        slots = {slot for fill in fills(row.shape, MOVIES) for slot in fill}
        assert set(row.tags) <= slots, row
        written = {slot for slot in "ABCRSk" if f"<{slot}>" in row.pattern}
        assert written <= slots, row


def test_a_language_without_catalogue_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="twigs"):
        templates("ngql")


def test_paths_of_sparql_begin_where_they_are_and_those_of_cypher_do_not() -> None:
    """AT-22."""
    path = {lang: next(r for r in templates(lang) if r.type == "path") for lang in LANGUAGES[::2]}
    assert "*1..3" in path["cypher"].cypher
    assert "*0.." in path["sparql"].cypher


def test_twigs_are_filled_only_where_the_ends_of_edges_fit() -> None:
    """AT-8: Valid."""
    chains = {(fill["R"], fill["S"]) for fill in fills("chain", MOVIES)}
    follows, directed = "Person-FOLLOWS-Person", "Person-DIRECTED-Movie"
    assert (follows, directed) in chains
    assert (directed, follows) not in chains
    assert {fill["R"] for fill in fills("loop", MOVIES)} == {follows}
    assert {fill["k"] for fill in fills("number", MOVIES)} == {"born", "rating"}


# --- linking (AT-4 to AT-10) -------------------------------------------------------------------


def linked(question: str, language: str = "cypher", **settings: Any) -> Any:
    return Linker(MOVIES, language, Linking(**settings)).link(question)


def test_words_map_to_the_element_of_the_best_cosine() -> None:
    """AT-4 to AT-6: content words, cosine, delta."""
    found = linked("What are the titles of the movies that were directed by a person?")
    assert {(link.text, link.element[1]) for link in found.links} == {
        ("title", "title"),
        ("movie", "Movie"),
        ("direct", "DIRECTED"),
        ("person", "Person"),
    }
    assert {link.element[1] for link in linked("Who produced it?").links} == set()
    few = linked("Which directors are there?", delta=0.99)
    assert few.links == ()


def test_the_score_is_equation_7() -> None:
    """Worked out by hand: gamma times the share of tags, the rest times the share of IDF."""
    question = "How many movies are there in total?"
    linker = Linker(MOVIES, "cypher", Linking(least=0.0, most=99, ends=False))
    rows = templates("cypher")
    row = next(r for r in rows if r.type == "directed")
    weights = idf(rows)
    assert weights["how many"] == pytest.approx(log(8 / 2) + 1)
    by_text = {twig.text: score for twig, score in linker.link(question).twigs}
    assert by_text["(:Person)-[:DIRECTED]->(:Movie)"] == 0.0
    assert row.tags == ("R",)
    named = {t.text: s for t, s in linker.link("movies with title named Alien").twigs}
    own = next(r for r in rows if r.type == "property")
    sound = weights["named"] / sum(weights[word] for word in own.words)
    wanted = 0.8 * 1.0 + 0.2 * sound
    assert named["(:Movie {title: □})"] == pytest.approx(wanted, abs=0.06)  # and its nearness


def test_the_best_twigs_are_those_of_the_question() -> None:
    found = linked("Which movies did a person act in, and what is their rating?")
    assert "(Person)-[:ACTED_IN]->(Movie)" in found.atoms
    assert "Movie.rating" in found.atoms
    assert not any("LIVES_IN" in atom for atom in found.atoms)


def test_a_value_of_the_graph_proves_the_property_that_holds_it() -> None:
    values = Values()
    values.texts["kiel"] = {"Kiel": {("City", "name")}}
    linker = Linker(MOVIES, "cypher", Linking(), values)
    assert linker.link("Who lives in Kiel?").atoms[0] == "City.name"


def test_the_number_of_twigs_is_bounded() -> None:
    """AT-10."""
    assert len(linked("person movie city name title born", most=2, least=0.0).twigs) == 2


# --- the store (AT-3, AT-11 to AT-16) ----------------------------------------------------------


def entry(name: str, elements: set[str], utility: float = 0.5, age: int = 0) -> Entry:
    return Entry(name, "db", name, "RETURN 1", frozenset(elements), utility, age)


def test_shots_are_chosen_by_equation_8() -> None:
    store = ShotStore(Evolution(alpha=1, beta=1, decay=0.1))
    old = entry("old", {"a", "b"}, 0.9, age=20)  # 1/3 + 0.9 e^-2 = 0.455
    new = entry("new", {"a"}, 0.4, age=0)  # 0/2... asked {b, c}: 0 + 0.4
    store.entries += [old, new]
    asked = frozenset({"b", "c"})
    assert store.score(old, asked) == pytest.approx(1 / 3 + 0.9 * 0.135335, abs=1e-5)
    assert store.score(new, asked) == pytest.approx(0.4)
    assert store.best(asked, 1) == [old]


def test_utility_and_age_follow_equation_10() -> None:
    store = ShotStore(Evolution(eta=0.3))
    used, other = entry("used", {"a"}), entry("other", {"b"})
    store.entries += [used, other]
    store.learn([used], valid=True)
    assert used.utility == pytest.approx(0.65)
    assert used.age == 1
    assert (other.utility, other.age) == (0.5, 1)
    store.learn([used], valid=False)
    assert used.utility == pytest.approx(0.455)


def test_the_worthless_leave_at_capacity() -> None:
    """AT-16: the lowest utility times decay, not the oldest."""
    store = ShotStore(Evolution(capacity=2, decay=0.001))
    store.add(entry("good", {"a"}, 0.9, age=50))
    store.add(entry("bad", {"a"}, 0.1))
    store.add(entry("new", {"a"}, 0.5))
    assert [each.id for each in store.entries] == ["good", "new"]


# --- the static error base (AT-17, AT-23) ------------------------------------------------------

SPARQL = "PREFIX label: <urn:graphmill:label:>\nPREFIX prop: <urn:graphmill:prop:>\n"
FAULTS = [
    ("cypher", "missing-colon", "MATCH (n Person) RETURN n.name"),
    ("cypher", "missing-colon", "MATCH (n:Person)-[:DIRECTED]->(m Movie {title: 'x'}) RETURN m"),
    ("cypher", "cartesian-product", "MATCH (a:Person), (m:Movie) RETURN a.name, m.title"),
    (
        "cypher",
        "cartesian-product",
        "MATCH (a:Person)-[:DIRECTED]->(m:Movie), (c:City) WHERE c.name = 'Kiel' RETURN m.title",
    ),
    ("gremlin", "invalid-chain", "g.V().hasLabel('Person').out('DIRECTED').in('LIVES_IN')"),
    ("gremlin", "invalid-chain", "g.V().hasLabel('Movie').out('DIRECTED').values('name')"),
    ("gremlin", "empty-modulator", "g.V().hasLabel('Person').as('a').select('a').by()"),
    ("gremlin", "sql-words", "SELECT name FROM Person WHERE born > 1950"),
    ("sparql", "open-triple", SPARQL + "SELECT ?n WHERE {\n?s a label:Person\n?s prop:name ?n\n}"),
    (
        "sparql",
        "string-equality",
        SPARQL + 'SELECT ?s WHERE { ?s prop:born ?b . FILTER (?b = "1950") }',
    ),
    ("sparql", "unbound-variable", SPARQL + "SELECT ?n ?x WHERE { ?s prop:name ?n . }"),
    (
        "sparql",
        "unbound-variable",
        SPARQL + "SELECT (AVG(?v) AS ?m) WHERE { ?s prop:rating ?w . }",
    ),
]
VALID = [  # what the printed text rules refuse, and their like (AT-23)
    ("cypher", "MATCH (n:Person) WITH n ORDER BY n.born LIMIT 3 RETURN n.name"),
    ("cypher", "MATCH (n:Person) ORDER BY n.born LIMIT 3 RETURN n.name"),
    ("cypher", "MATCH (n:Person {name: 'ORDER BY RETURN (n Person)'}) RETURN n.name"),
    ("cypher", "MATCH (a:Person), (b:Person) WHERE a.born = b.born RETURN a.name, b.name"),
    ("cypher", "MATCH (a:Person), (m:Movie) MATCH (a)-[:DIRECTED]->(m) RETURN a.name"),
    ("cypher", "MATCH (a:Movie), (b:Movie) RETURN a.rating - b.rating AS difference"),
    ("gremlin", "g.V().hasLabel('Person').out('ACTED_IN').in('DIRECTED').values('name')"),
    ("gremlin", "g.V().hasLabel('Person').where(__.out('LIVES_IN')).values('name')"),
    ("gremlin", "g.V().hasLabel('Person').outE('DIRECTED').inV().values('title')"),
    ("gremlin", "g.V().as('a').values('born').as('b').select('a','b').by('name').by()"),
    ("sparql", SPARQL + "SELECT ?n WHERE {\n?s a label:Person ;\nprop:name ?n\n}"),
    ("sparql", SPARQL + 'SELECT ?s WHERE { ?s prop:name ?n . FILTER (?n = "Ada") }'),
    ("sparql", SPARQL + "SELECT (AVG(?v) AS ?m) WHERE { ?s prop:rating ?v . }"),
    ("sparql", SPARQL + "SELECT * WHERE { ?s prop:name ?n }"),
]


@pytest.fixture(scope="module")
def judges() -> Iterator[dict[str, Tools]]:
    """What reads or judges the texts of each language; the one of SPARQL is a process."""
    with ExitStack() as stack:
        origin = Origin(None, MOVIES)
        yield {name: stack.enter_context(tools(name, origin)) for name in LANGUAGES}


def fault_of(found: Tools, text: str) -> str:
    def parses(other: str) -> bool:
        if found.read is not None:
            return read(other, found.read, MOVIES).parses
        return found.check is None or all(d.code != "syntax" for d in found.check(other))

    statement = None if found.read is None else read(text, found.read, MOVIES).statement
    fault = static_fault(found.language, Checked(text, statement, parses(text), MOVIES, parses))
    return "" if fault is None else fault.rule


@pytest.mark.parametrize(("language", "rule", "text"), FAULTS)
def test_a_fault_is_found_before_the_query_is_run(
    judges: dict[str, Tools], language: str, rule: str, text: str
) -> None:
    assert fault_of(judges[language], text) == rule


@pytest.mark.parametrize(("language", "text"), VALID)
def test_what_is_valid_has_no_fault(judges: dict[str, Tools], language: str, text: str) -> None:
    assert fault_of(judges[language], text) == ""


def test_every_rule_of_the_error_base_has_a_case() -> None:
    assert {rule for _, rule, _ in FAULTS} == set(rule_names())
    assert len(rule_names()) == 8


def test_gold_has_no_static_fault(corpus: Path, records: list[Record]) -> None:
    schema = load_schema(corpus / "graphs" / "ferries")
    for record in records:
        statement = bind(parse(record.queries["cypher"]), schema).statement
        for language in ("cypher", "gremlin"):
            text = render(statement, language, schema).text
            checked = Checked(text, statement, True, schema, lambda _: True)
            assert static_fault(language, checked) is None, text


# --- the system (AT-12, AT-18 to AT-20, AT-33, AT-41) ------------------------------------------


def run(corpus: Path, out: Path, *settings: str, **rates: Any) -> dict[str, Any]:
    _, server = served(corpus, **rates)
    more = [part for setting in settings for part in ("--set", setting)]
    with server:
        figures = ask(corpus, server.url, out, "--system", "adaptive", "--split", "train", *more)
    own: dict[str, Any] = figures["languages"]["cypher"]
    return own


def test_a_named_fault_is_repaired_and_a_switch_ends_that(corpus: Path, tmp_path: Path) -> None:
    rates: dict[str, Any] = {"errors": {**RIGHT, "label": 1.0}, "repair": 1.0}
    whole = run(corpus, tmp_path / "whole", **rates)
    assert whole["ex"] == 1.0
    assert whole["costs"]["repaired"] == 1.0
    without = run(corpus, tmp_path / "without", "verifier=no", "critic=no", **rates)
    assert without["ex"] == 0.0
    assert without["costs"]["repaired"] == 0.0


def test_two_repairs_at_most_and_the_last_is_tested(corpus: Path, tmp_path: Path) -> None:
    """AT-20, corrected: three queries are judged; a model that mends nothing is asked thrice."""
    run(corpus, tmp_path / "run", errors={**RIGHT, "label": 1.0}, repair=0.0)
    for line in predicted(tmp_path / "run"):
        assert len(line["calls"]) == 3
        assert line["trace"]["faults"] == ["semantic"] * 3
        assert line["trace"]["valid"] is False


def test_only_verified_pairs_become_shots(corpus: Path, tmp_path: Path) -> None:
    """AT-3, AT-15: empty at the start; nothing enters that failed."""
    run(corpus, tmp_path / "good", errors=RIGHT)
    lines = predicted(tmp_path / "good")
    assert lines[0]["trace"]["shots"] == []
    assert lines[0]["trace"]["store"] == 1
    assert any(line["trace"]["shots"] for line in lines)
    run(corpus, tmp_path / "bad", errors={**RIGHT, "label": 1.0}, repair=0.0)
    assert {line["trace"]["store"] for line in predicted(tmp_path / "bad")} == {0}
    run(corpus, tmp_path / "none", "store=none", errors=RIGHT)
    assert {tuple(line["trace"]["shots"]) for line in predicted(tmp_path / "none")} == {()}


def test_orders_give_a_mean_and_a_spread(corpus: Path, tmp_path: Path) -> None:
    _, server = served(corpus, errors={**RIGHT, "condition": 0.5})
    out = tmp_path / "run"
    with server:
        more = ("--system", "adaptive", "--split", "train", "--orders", "3")
        ask(corpus, server.url, out, *more)
    told = json.loads((out / "orders.json").read_text())
    assert told["orders"] == 3
    assert len(told["ex"]["each"]) == 3
    assert told["ex"]["least"] <= told["ex"]["mean"] <= told["ex"]["most"]
    first = predicted(out)
    other = predicted(out / "order-2")
    assert [line["id"] for line in first] == [line["id"] for line in other]
    assert [line["trace"]["shots"] for line in first] != [line["trace"]["shots"] for line in other]


def test_prompts_are_short(corpus: Path, tmp_path: Path) -> None:
    """AT-41: 326 tokens at most on average, with shots, repairs counted."""
    own = run(corpus, tmp_path / "run", errors=RIGHT)
    assert 0 < own["costs"]["prompt_tokens"] <= 326
    assert own["costs"]["prompt_parts"]["twigs"] > 0
