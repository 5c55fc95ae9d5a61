"""Each check lets a good record pass and names what is wrong with a bad one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engines.base import Result
from graph_ir.cypher.pair import Pair
from graph_ir.cypher.reader import parse
from graph_ir.features import features
from graph_ir.rewrites import probe
from graphmill.errors import QueryError
from graphmill.record import Answer, Finding, Provenance, Questions, Record
from qa.base import Subject
from qa.certify import Execution, certify, tried
from qa.checks import CHECKS, all_checks
from qa.dedup import Seen
from qa.levels import check_levels
from schemagraph.model import Kind, NodeType, Property, SchemaGraph, Type

SCHEMA = SchemaGraph(
    "lakes",
    (
        NodeType(
            ("Lake",), (Property("name", Type(Kind.STRING)), Property("area", Type(Kind.FLOAT)))
        ),
    ),
)
QUERY = "MATCH (l:Lake) WHERE l.area > 10 RETURN l.name AS name"


def record(query: str = QUERY, question: str = "Which lakes?", **changes: Any) -> Record:
    """A record that all checks let pass, but for what is changed."""
    base = Record(
        schema="fp",
        db="lakes",
        questions=Questions(question),
        queries={"cypher": query},
        provenance=Provenance("test", "1", 7),
        answer=Answer(("name",), 1, "h", (("Vänern",),)),
    )
    return replace(base, **changes)


def findings(judged: Record) -> dict[str, Finding]:
    statement = parse(judged.queries["cypher"])
    assert judged.answer is not None
    subject = Subject(judged, statement, features(statement), SCHEMA, judged.answer)
    return {check.name: check.check(subject) for check in all_checks()}


def test_a_good_record_passes_every_check() -> None:
    found = findings(record())
    assert all(finding.ok for finding in found.values())
    assert {name.replace("_", "-") for name in CHECKS.names()} == set(found)


@pytest.mark.parametrize(
    ("query", "check", "code"),
    [
        ("MATCH (l:Lake) SET l.area = 1 RETURN l.name AS name", "read-only", "writes"),
        ("CALL db.labels() YIELD label RETURN label", "read-only", "writes"),
        ("MATCH (l:Lake) RETURN date() AS d", "repeatable", "not-repeatable"),
        ("MATCH (l:Lak) RETURN l.name AS name", "binds", "unknown-label"),
    ],
)
def test_a_bad_query_is_named(query: str, check: str, code: str) -> None:
    found = findings(record(query))[check]
    assert (found.ok, found.code) == (False, code)


@pytest.mark.parametrize(
    ("question", "rows", "code"),
    [
        ("Which lakes?", (), "empty-answer"),
        ("How many lakes?", ((0,),), "lone-zero"),
        ("What is the mean area?", ((None,),), "lone-zero"),
        ("Is there a lake in Malta?", (), ""),
        ("How many lakes?", ((3,),), ""),
        ("Which lakes?", ((0,), (0,)), ""),
    ],
)
def test_trivial_answers(question: str, rows: tuple[tuple[Any, ...], ...], code: str) -> None:
    judged = record(question=question, answer=Answer(("x",), len(rows), "h", rows))
    assert findings(judged)["nontrivial"].code == code


def test_levels_keep_values_and_their_words() -> None:
    good = Questions("", "Match lakes above 10.", "Lakes larger than 10?", "Big lakes, over 10")
    assert check_levels(Pair.read(record(questions=good))).ok
    lost = replace(good, business="Which big lakes?")
    assert check_levels(Pair.read(record(questions=lost))).code == "value-lost"
    bridged = record(questions=lost, external_knowledge="Big is above 10.")
    assert check_levels(Pair.read(bridged)).ok
    mixed = replace(good, logical="RETURN lakes larger than 10")
    assert check_levels(Pair.read(record(questions=mixed))).code == "level-mixed"
    silent = record(questions=replace(good, logical=" "))
    assert check_levels(Pair.read(silent)).code == "level-missing"


def _runs(*answers: tuple[str, str, Any]) -> list[Execution]:
    return [
        Execution(engine, "1", language, language, "text", outcome)
        for engine, language, outcome in answers
    ]


ROWS = Result(("name",), (("a",), ("b",)))
OTHER = Result(("name",), (("a",), ("c",)))


def _proof(runs: list[Execution], query: str = QUERY, referee: Result = ROWS) -> Finding:
    asked = probe(parse(query))
    assert asked is not None
    return certify(tried(runs, referee, asked), ["cypher", "gql"])[1]


def test_a_certificate_needs_every_language_and_two_witnesses() -> None:
    whole = _runs(("grafeo", "cypher", ROWS), ("grafeo", "gql", ROWS), ("duckdb", "sql", ROWS))
    assert _proof(whole).ok
    assert _proof(whole[:2]).code == "one-witness"
    assert _proof([whole[0], whole[2]]).code == "not-executed"
    failed = [*whole, *_runs(("neo4j", "gql", QueryError("no")))]
    assert _proof(failed).ok


def test_one_other_answer_is_a_disagreement_with_both_sides() -> None:
    runs = _runs(("grafeo", "cypher", OTHER), ("grafeo", "gql", ROWS), ("duckdb", "sql", ROWS))
    found = _proof(runs)
    assert found.code == "disagrees"
    assert found.evidence["only_there"] == [["c"]]
    assert found.evidence["only_referee"] == [["b"]]


@pytest.mark.parametrize(
    ("query", "rough"),
    [
        ("MATCH (n:T) RETURN n.k, avg(n.p) AS m ORDER BY m DESC, n.k", (0,)),
        ("MATCH (n:T) WITH n.k AS k, sum(n.p) AS s RETURN k, s ORDER BY k, s", (1,)),
        ("MATCH (n:T) RETURN n.k, count(*) AS c, max(n.p) AS m ORDER BY c, m", ()),
    ],
)
def test_sums_and_averages_are_rough_sort_keys(query: str, rough: tuple[int, ...]) -> None:
    asked = probe(parse(query))
    assert asked is not None
    assert asked.rough == rough


def test_ties_at_a_limit_are_no_disagreement() -> None:
    query = "MATCH (l:Lake) RETURN l.name AS name ORDER BY l.area DESC LIMIT 1"
    referee = Result(("name", "sort_key_1"), (("a", 5), ("b", 5), ("c", 1)))
    for name, ok in (("a", True), ("b", True), ("c", False)):
        one = Result(("name",), ((name,),))
        runs = _runs(("grafeo", "cypher", one), ("neo4j", "gql", one), ("duckdb", "sql", one))
        assert _proof(runs, query, referee).ok is ok


def _selected(*records: Record) -> list[str]:
    seen = Seen()
    return [seen.judge(Pair.read(each)).code for each in records]


def test_duplicates() -> None:
    long = "Which of the lakes in the northern plain are larger than ten square kilometres{}"
    first = record(question=long.format("?"))
    renamed = record(QUERY.replace("l.", "x.").replace("(l:", "(x:"), "Differently?")
    near = record("MATCH (l:Lake) WHERE l.area > 11 RETURN l.name AS name", long.format("!"))
    apart = replace(near, answer=Answer(("name",), 2, "other", ()))
    ambiguous = replace(apart, questions=Questions(f"  {long.format('?').upper()}"))
    assert _selected(first, renamed) == ["", "duplicate-query"]
    assert _selected(first, near) == ["", "near-duplicate"]
    assert _selected(first, apart) == ["", ""]
    assert _selected(first, ambiguous) == ["", "same-question"]
