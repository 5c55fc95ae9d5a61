"""Nearest train neighbours: a leak that was put in is found, and what is none is not."""

from __future__ import annotations

from dataclasses import replace

from evaluation.answering.leaks import neighbours
from graphmill.record import Record


def with_query(record: Record, cypher: str, question: str) -> Record:
    questions = replace(record.questions, original=question)
    return replace(record, queries={"cypher": cypher}, questions=questions)


def test_neighbours_tell_question_and_query_apart(records: list[Record]) -> None:
    base = records[0]
    train = [
        with_query(base, "MATCH (s:Ship) WHERE s.built > 2000 RETURN s.name", "Ships after 2000?"),
        with_query(base, "MATCH (p:Port) RETURN p.name", "Which ports are there?"),
    ]
    test = [
        # The same query under other variables, asked in other words.
        with_query(base, "MATCH (x:Port) RETURN x.name", "Name all harbours"),
        # The nearest question, and the same query but for a constant.
        with_query(base, "MATCH (s:Ship) WHERE s.built > 1990 RETURN s.name", "Ships after 1990?"),
        with_query(base, "MATCH (s:Ship) RETURN count(*) AS n", "How many ships are there?"),
    ]
    first, second, third = neighbours(train, test, "original")
    assert first.known == "same"
    assert first.cosine < 0.5
    assert (second.query, second.known, second.nearest) == ("shape", "shape", train[0].id)
    assert second.cosine > 0.7
    assert third.known == "other"


def test_equal_queries_of_two_databases_are_no_leak(records: list[Record]) -> None:
    own = with_query(records[0], "MATCH (p:Port) RETURN p.name", "Which ports are there?")
    (found,) = neighbours([replace(own, db="elsewhere")], [own], "original")
    assert (found.query, found.same_database) == ("other", False)
    assert found.cosine > 0.99


def test_without_train_there_is_no_neighbour(records: list[Record]) -> None:
    assert list(neighbours([], records, "original")) == []
