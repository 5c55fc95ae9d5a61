"""`[duplicates]`: what is near, in a database and across; answers that differ keep both."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from graph_ir.cypher.pair import Pair
from graphmill.errors import ConfigError
from graphmill.record import Answer, Provenance, Questions, Record
from pipelines.configuration.config import load
from pipelines.configuration.duplicates import Duplicates


def pair(db: str, question: str, query: str, answer: str = "h") -> Pair:
    record = Record(
        schema="fp",
        db=db,
        questions=Questions(question),
        queries={"cypher": query},
        provenance=Provenance("test", "1", 7),
        answer=Answer(("n",), 1, answer, ((1,),)),
    )
    return Pair.read(record)


FORTH = "MATCH (a:Person)-[:FOLLOWS]->(b:Person {name: 'Ada'}) RETURN a.name"
BACK = "MATCH (a:Person)<-[:FOLLOWS]-(b:Person {name: 'Ada'}) RETURN a.name"


@pytest.mark.parametrize("similarity", ["trigrams", "minilm"])
def test_other_answers_are_other_pairs_however_alike_the_texts(similarity: str) -> None:
    """Embeddings are nearly blind to a reversed edge: the answers tell."""
    seen = Duplicates(similarity=similarity, threshold=0.9).seen()
    assert seen.judge(pair("a", "Who follows Ada?", FORTH)).ok
    assert seen.judge(pair("a", "Whom follows Ada?", BACK, "another")).ok
    assert seen.judge(pair("a", "By whom?", f"{FORTH} LIMIT 9")).code == "near-duplicate"


def test_embeddings_find_what_trigrams_do_not() -> None:
    one = pair("a", "How many museums are there in Oslo?", "MATCH (m:Museum) RETURN count(m)")
    two = pair("a", "How many museums exist in Oslo?", "MATCH (z:Hall) RETURN count(DISTINCT z)")
    by_letters, by_meaning = (
        Duplicates(threshold=0.9),
        Duplicates(similarity="minilm", threshold=0.9),
    )
    for given, code in ((by_letters, ""), (by_meaning, "near-duplicate")):
        seen = given.seen()
        assert seen.judge(one).ok
        assert seen.judge(two).code == code


def test_the_scope_of_a_corpus_reaches_across_databases() -> None:
    records = [
        pair("a", "How many museums are there?", "MATCH (m:Museum) RETURN count(m) AS n").record,
        pair("b", "How many museums are there?", "MATCH (m:Museum) RETURN count(m) AS n").record,
        pair(
            "c", "How many museums are there?", "MATCH (m:Museum) RETURN count(m) AS n", "5"
        ).record,
    ]
    assert Duplicates().across(lambda: records, [""] * len(records)) == {}
    gone = Duplicates(scope="corpus").across(lambda: records, [""] * len(records))
    assert {number: (each.db, each.code) for number, each in gone.items()} == {
        1: ("b", "near-duplicate")
    }


def test_grown_pairs_of_a_shape_are_so_many_in_the_whole_corpus() -> None:
    grown = pair("a", "How many museums are there?", "MATCH (m:Museum) RETURN count(m)").record
    grown = replace(grown, meta={"grown": {"round": 1}})
    given = replace(grown, meta={"line": 7})
    records, shapes = [grown, grown, grown, given, grown], ["x", "y", "x", "x", "y"]
    gone = Duplicates(per_shape=1).across(lambda: records, shapes)
    assert {number: each.code for number, each in gone.items()} == {
        2: "shape-full",
        4: "shape-full",
    }
    assert Duplicates(per_shape=3).across(lambda: records, shapes) == {}


def test_one_form_of_the_question_is_enough() -> None:
    """Queries of other words, asked alike at one level."""
    one = pair("a", "museums Oslo", "MATCH (m:Museum) RETURN count(m)")
    two = pair("b", "how many", "MATCH (z:Hall) RETURN count(DISTINCT z)")
    asked = {"business": "How many museums does Oslo have?"}
    records = [
        replace(p.record, questions=replace(p.record.questions, **asked)) for p in (one, two)
    ]
    assert list(Duplicates(scope="corpus").across(lambda: records, [""] * len(records))) == [1]
    seen = Duplicates().seen()
    findings = [
        seen.judge(Pair(record, p.statement)) for record, p in zip(records, (one, two), strict=True)
    ]
    assert [each.code for each in findings] == ["", "near-duplicate"]


def test_an_encoder_that_is_not_there_is_found_before_any_work(lakes: Path) -> None:
    lakes.write_text(f'{lakes.read_text()}\n[duplicates]\nsimilarity = "no/model"\n')
    with pytest.raises(ConfigError, match=r"duplicates\.similarity: no/model is no BERT model"):
        load(lakes)


@pytest.mark.parametrize(("given", "near"), [("trigram", "trigrams"), ("mini-lm", "minilm")])
def test_a_similarity_that_is_nearly_one_of_ours_is_named(
    lakes: Path, given: str, near: str
) -> None:
    lakes.write_text(f'{lakes.read_text()}\n[duplicates]\nsimilarity = "{given}"\n')
    with pytest.raises(ConfigError, match=rf"{given} is no BERT model.*Did you mean '{near}'\?"):
        load(lakes)
