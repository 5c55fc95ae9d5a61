"""What a record says of itself is held against its query, its execution and its place."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engines.base import Result
from graph_ir.cypher.reader import parsed
from graph_ir.rewrites import Probe, probe
from graphmill.record import Answer, Certificate
from pipelines.build.context import Graph
from pipelines.verification.integrity import Problem
from pipelines.verification.record_fields import (
    answer_problems,
    certificate_problems,
    gold_certificate,
    instance_problems,
    mutant_problems,
    place_problems,
    proving_engines,
    repeatable,
    sample_problems,
)
from schemagraph.model import Kind, NodeType, Property, SchemaGraph, Type
from tests.pipelines.pages.corpora import record

PROPERTIES = [("name", Kind.STRING), ("age", Kind.INTEGER)]
GRAFEO = Certificate("grafeo", "1", "cypher-grafeo", 3, "h", agrees=True)
REFEREE = Result(("n.name",), (("Ann",), ("Bob",), ("Ann",)))
GOLD = Answer(("n.name",), 3, "h", (("Bob",), ("Ann",), ("Ann",)))


def problems(
    answer: Answer, certificate: Certificate, run: Result | None, referee: Result, asked: Probe
) -> list[Problem]:
    one = replace(record(1), answer=answer, certificates=(certificate,))
    return [*answer_problems("r", one), *sample_problems("r", answer, run, referee, asked)]


def codes(answer: Answer, run: Result | None = REFEREE) -> list[str]:
    asked = probe(parsed("MATCH (n:Person) RETURN n.name"))
    assert asked is not None
    return [each.code for each in problems(answer, GRAFEO, run, REFEREE, asked)]


def test_an_answer_in_another_order_is_the_same() -> None:
    assert codes(GOLD) == []
    assert codes(GOLD, run=None) == []


@pytest.mark.parametrize("given", [{"$float": "nan"}, float("nan")])
def test_a_sample_may_say_what_json_has_no_number_for(given: object) -> None:
    """A corpus of before has it as a bare word, which Python reads."""
    asked = probe(parsed("RETURN 0.0 / 0.0 AS x"))
    assert asked is not None
    run, answer = Result(("x",), ((float("nan"),),)), Answer(("x",), 1, "h", ((given,),))
    certificate = replace(GRAFEO, rows=1)
    for again in (run, None):
        assert not list(problems(answer, certificate, again, run, asked))


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (replace(GOLD, rows=4), "gold"),
        (replace(GOLD, hash="x"), "gold"),
        (replace(GOLD, columns=("name",)), "columns"),
        (replace(GOLD, sample=(("Ann",), ("Ann",))), "sample"),
        (replace(GOLD, sample=(("Ann",), ("Bob",), ("Bob",))), "sample"),
        (replace(GOLD, sample=(("Ann", 1), ("Bob", 1), ("Ann", 1))), "sample"),
    ],
)
def test_what_is_not_the_answer_is_told(answer: Answer, code: str) -> None:
    assert code in codes(answer)


@pytest.mark.parametrize("value", [150.0, [150, 2.0], (150.0, 2), "150", True])
def test_a_sample_of_another_kind_is_told_though_it_is_equal(value: object) -> None:
    """The data hold 150, and whoever reads the sample learns that."""
    of = "[150, 2]" if isinstance(value, list | tuple) else "150"
    asked = probe(parsed(f"RETURN {of} AS x"))
    assert asked is not None
    run = Result(("x",), (((150, 2),) if of != "150" else (150,),))
    for given, codes in (((value,), ["sample"]), (run.rows[0], [])):
        answer = Answer(("x",), 1, "h", (given,))
        certificate = replace(GRAFEO, rows=1)
        told = {each.code for each in problems(answer, certificate, run, run, asked)}
        assert sorted(told) == codes


def test_the_sample_of_an_ordered_answer_is_its_head() -> None:
    """Ties may come in any order, and any of those that a LIMIT cuts may be there."""
    rows = tuple((f"p{number:02}", number // 3) for number in range(12))
    query = "MATCH (n:Person) RETURN n.name ORDER BY n.age LIMIT 11"
    referee = Result(("n.name", "sort_key_1"), rows)
    names = [(name,) for name, _ in rows]
    head = (*names[2::-1], *names[3:9], names[11])
    answer = Answer(("n.name",), 11, "h", head)
    given = replace(GRAFEO, rows=11)
    asked = probe(parsed(query))
    assert asked is not None
    assert not list(problems(answer, given, None, referee, asked))
    wrong = replace(answer, sample=(names[4], *head[1:]))
    (problem,) = problems(wrong, given, None, referee, asked)
    assert problem.code == "sample"


def test_a_record_without_an_answer_or_an_execution_is_told() -> None:
    for bare in (replace(record(1), answer=None), replace(record(1), certificates=())):
        assert [each.code for each in answer_problems("r", bare)] == ["no-gold"]


def test_a_record_that_is_there_twice_or_elsewhere_is_told() -> None:
    one, other = replace(record(0), split="train"), replace(record(1), split="test")
    rows = [("train", one.id, one), ("test", other.id, other)]
    assert not list(place_problems(rows))  # type: ignore[arg-type]
    twice = [*rows, ("validation", one.id, one)]
    told = {(each.where, each.code) for each in place_problems(twice)}  # type: ignore[arg-type]
    assert told == {(one.id, "split"), (one.id, "twice")}


def test_the_engines_are_those_of_the_configuration() -> None:
    lock = {"config": {"certify": {"engines": ["grafeo", "duckdb", "ladybug", "gone"]}}}
    assert proving_engines(lock) == ("grafeo", "duckdb", "ladybug")
    assert proving_engines({}) == ("grafeo", "duckdb")


def test_one_witness_proves_nothing() -> None:
    gql = replace(GRAFEO, dialect="gql-grafeo")
    duckdb = replace(GRAFEO, engine="duckdb", dialect="sql")
    shown = replace(record(0), queries={"cypher": "c", "gql": "g", "ngql": "n"})
    engines = ("grafeo", "duckdb")

    def problems_of(*certificates: Certificate) -> list[str]:
        proven = replace(shown, certificates=certificates)
        return [each.code for each in certificate_problems("r", proven, engines)]

    assert problems_of(GRAFEO, gql, duckdb) == []
    assert problems_of(GRAFEO, gql) == ["one-witness"]
    assert problems_of(GRAFEO, duckdb) == ["not-executed"]
    assert problems_of(GRAFEO, gql, replace(duckdb, agrees=False)) == ["disagrees"]
    shown = replace(shown, queries={**shown.queries, "pgq": "p"})
    assert problems_of(GRAFEO, gql, duckdb) == ["not-executed"]
    assert problems_of(GRAFEO, gql, replace(gql, dialect="pgq-grafeo"), duckdb) == []
    shown = replace(shown, queries={"cypher": "c", "gql": "g"})
    assert problems_of(GRAFEO, gql, duckdb, replace(gql, rows=9)) == ["certificate-twice"]
    # What an engine does not run is no witness.
    assert problems_of(GRAFEO, gql, replace(GRAFEO, engine="neo4j")) == ["engine", "one-witness"]


def test_only_what_an_engine_can_have_given_is_repeated() -> None:
    wrong = [
        replace(GRAFEO, engine="neo4j"),
        replace(GRAFEO, rows=9),
        replace(GRAFEO, engine="gone"),
    ]
    told = {"instances": ["shipped", "a", "../a"]}
    given = replace(record(0), certificates=(GRAFEO, *wrong), discrimination=told)
    kept = repeatable(given, {"a"})
    assert kept.certificates == (GRAFEO,)
    assert kept.discrimination["instances"] == ["a"]
    assert [each.code for each in instance_problems("r", given, {"a"})] == ["instance"]
    text = replace(given, discrimination={"instances": "shipped"})
    assert [each.code for each in instance_problems("r", text, {"a"})] == ["instance"]
    assert repeatable(text, {"a"}).discrimination["instances"] == []


def test_the_gold_is_the_first_execution_of_the_cypher_text() -> None:
    source = replace(GRAFEO, engine="sqlite", dialect="sqlite")
    shown = replace(record(0), certificates=(source, GRAFEO))
    assert gold_certificate(shown) == GRAFEO
    assert gold_certificate(replace(shown, certificates=(source,))) is None


@pytest.mark.parametrize(
    ("query", "codes"),
    [
        ("MATCH (p:Person) WHERE p.age > 3 RETURN p.name AS name", ["discrimination"]),
        ("RETURN", []),
    ],
)
def test_a_record_that_was_told_from_no_mutant_is_told(
    tmp_path: Path, query: str, codes: list[str]
) -> None:
    name, age = (Property(key, Type(kind)) for key, kind in PROPERTIES)
    person = NodeType(("Person",), (name, age), key=("name",))
    graph = Graph("g", tmp_path, "f")
    graph.__dict__["schema"] = SchemaGraph("g", (person,))
    nothing = {"score": 1.0, "told_apart": {}, "mutants": {}, "equivalent": [], "instances": []}
    one = replace(record(1), queries={"cypher": query}, discrimination=nothing)
    assert [each.code for each in mutant_problems("i", one, graph)] == codes
    for told in ({}, {**nothing, "mutants": {"a": 1}}):
        assert not list(mutant_problems("i", replace(one, discrimination=told), graph))
