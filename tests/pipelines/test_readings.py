"""Given pairs with another plain reading are marked; grown ones are repaired, or go."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from generators.queries.base import Proposal
from graph_ir.cypher.pair import Pair
from graph_ir.cypher.reader import parse
from graphmill.record import Provenance, Questions, Reading, Record, Reject
from pipelines.build.candidates import Grown
from pipelines.build.context import DatabaseContext, Graph
from pipelines.build.readings import plain, read_otherwise
from qa.fuzz.graphs import read_graph

LIBRARY = Path(__file__).parents[1] / "qa" / "readings" / "library.graph"
READERS = "MATCH (p:Person)-[:READ]->(b:Book) RETURN p.id AS id"
ASKED = Questions(logical="Which people read a book?", business="Who are readers, each time?")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DatabaseContext]:
    folder = tmp_path_factory.mktemp("library")
    read_graph(LIBRARY.read_text("utf-8")).write(folder)
    with DatabaseContext(Graph("library", folder, "f"), ("cypher",)) as database:
        yield database


def pair(**meta: object) -> Pair:
    made = Provenance("t", "1", 1)
    return Pair.read(Record("s", "library", ASKED, {"cypher": READERS}, made, meta=meta))


def test_a_given_pair_is_marked_and_a_grown_one_goes(library: DatabaseContext) -> None:
    given, grown = read_otherwise([pair(line=1), pair(grown={"maker": "archetypes"})], library)
    assert isinstance(given, Pair)
    assert given.record.readings == (
        Reading("rows", "logical", "differs"),
        Reading("rows", "business", "said"),
    )
    assert isinstance(grown, Reject)
    assert (grown.stage, grown.code) == ("readings", "ambiguous-reading")
    assert [each["reading"] for each in grown.evidence["readings"]] == ["rows"]


def test_what_a_question_declares_goes_before_its_words(library: DatabaseContext) -> None:
    settled: dict[str, list[str]] = {"logical": [], "business": []}
    (made,) = read_otherwise([pair(grown={}, left_open=settled)], library)
    assert isinstance(made, Pair)
    assert made.record.readings == ()


def test_a_grown_query_is_repaired_before_it_is_rendered(library: DatabaseContext) -> None:
    made = plain(Grown(Proposal(parse(READERS), "archetypes")), library)
    assert isinstance(made, Pair)
    assert "DISTINCT" in made.gold
    made = read_otherwise([made], library)[0]
    assert isinstance(made, Pair)
    assert {each.outcome for each in made.record.readings} <= {"repaired"}


def test_a_grown_query_with_a_vacuous_part_goes(library: DatabaseContext) -> None:
    text = "MATCH (p:Person) WHERE p.name IS NOT NULL RETURN p.id AS id"
    made = plain(Grown(Proposal(parse(text), "archetypes")), library)
    assert isinstance(made, Reject)
    assert (made.stage, made.code) == ("readings", "vacuous-part")
