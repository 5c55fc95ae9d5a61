"""Runs `readings.txt` and `vacuous.txt`; what a wording leaves open; what comes of a pair."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engines.base import Result
from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graphmill.record import Questions, Reading
from qa.fuzz.graphs import SmallGraph, read_graph
from qa.mutation.analysis import shown_text
from qa.mutation.interpreter.clauses import Program
from qa.mutation.interpreter.elements import MemoryGraph
from qa.readings.derive import NAMES, variants
from qa.readings.judge import Judgement, judge, repair
from qa.readings.legal import legal
from qa.readings.trial import Trial
from qa.readings.vacuous import vacuous_part
from qa.readings.wordings import LEVELS, Wording, wordings
from schemagraph.model import SchemaGraph
from tests.blocks import Block, blocks

HERE = Path(__file__).parent
BLOCKS = list(blocks(HERE / "readings.txt"))


def graph_of(name: str) -> SmallGraph:
    return read_graph((HERE / f"{name}.graph").read_text("utf-8"))


class Shipped:
    """A small graph that answers as the shipped one does, by the interpreter."""

    def __init__(self, graph: SmallGraph) -> None:
        self.graph = MemoryGraph(graph)
        self.schema = graph.schema

    def __call__(self, statement: ir.Statement, limit: int | None = None) -> Result | None:
        bound = bind(statement, self.schema).statement
        return Program(bound).result(self.graph)


def bound(text: str, schema: SchemaGraph) -> ir.Statement:
    return bind(parse(text), schema).statement


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.place)
@pytest.mark.parametrize("where", ["shipped", "small"])
def test_readings_come_out_as_the_fixture_says(block: Block, where: str) -> None:
    graph = graph_of(block.settings["graph"])
    query = bound(block.lines[0], graph.schema)
    small = [MemoryGraph(graph)] if where == "small" else []
    trial = Trial(query, small, Shipped(graph))
    for line in block.lines[1:]:
        name, outcome, *text = line.split(": ", 2)
        made = variants(query, graph.schema, (name,))
        if outcome == "none":
            assert not made, name
            continue
        differs = [trial.differs(each) for each in made]
        assert differs, name
        assert None not in differs
        assert any(differs) is (outcome == "differs"), name
        if text:
            assert [" ".join(shown_text(each.statement).split()) for each in made] == text


def test_every_reading_has_fixtures_that_differ_and_that_do_not_apply() -> None:
    named = {tuple(line.split(": ")[:2]) for block in BLOCKS for line in block.lines[1:]}
    assert {name for name, outcome in named if outcome == "differs"} == set(NAMES)
    assert {name for name, outcome in named if outcome in ("harmless", "none")} >= {*NAMES} - {
        "other-date"
    }


@pytest.mark.parametrize("block", [*blocks(HERE / "vacuous.txt")], ids=lambda block: block.place)
def test_vacuous_parts_are_seen(block: Block) -> None:
    schema = graph_of(block.settings["graph"]).schema
    finding = vacuous_part(bound(block.lines[0], schema), schema)
    assert finding.code == ("vacuous-part" if block.lines[1] == "vacuous" else ""), finding.detail


def test_an_optional_that_cannot_fail_is_vacuous_where_the_schema_says_so() -> None:
    schema = graph_of("library").schema
    text = "MATCH (b:Book) OPTIONAL MATCH (b)<-[:OWNS]-(p:Person) RETURN b.id AS id, p.id AS owner"
    assert vacuous_part(bound(text, schema), schema).ok
    edges = tuple(replace(e, sources="1") if e.label == "OWNS" else e for e in schema.edges)
    owned = replace(schema, edges=edges)
    assert vacuous_part(bound(text, owned), owned).code == "vacuous-part"
    some = text.replace("RETURN", "WHERE p.rank = 1 RETURN")
    assert vacuous_part(bound(some, owned), owned).ok


def judged(text: str, wordings: list[Wording], repaired: tuple[str, ...] = ()) -> Judgement:
    graph = graph_of("library")
    query = bound(text, graph.schema)
    return judge(query, graph.schema, wordings, [], Shipped(graph), repaired)


READERS = "MATCH (p:Person)-[:READ]->(b:Book) RETURN p.id AS id"


def test_what_a_wording_leaves_open_and_differs_is_ambiguous() -> None:
    made = judged(READERS, [Wording("logical", frozenset(), frozenset({"rows"}))])
    assert made.readings == (Reading("rows", "logical", "said"),)
    assert made.finding().ok
    made = judged(READERS, [Wording("business", frozenset({"rows", "ties"}))])
    assert made.readings == (Reading("rows", "business", "differs"),)
    assert made.finding().code == "ambiguous-reading"
    assert "WITH DISTINCT p" in made.finding().detail
    made = judged(READERS, [Wording("business", frozenset({"rows"}))], ("rows",))
    assert made.readings == (Reading("rows", "business", "repaired"),)
    assert made.finding().ok


def test_all_readings_that_apply_are_tried_unless_a_wording_says_which() -> None:
    schema = graph_of("library").schema
    query = bound("MATCH (p:Person)-[:KNOWS]->(q:Person) RETURN q.id AS id LIMIT 3", schema)
    assert [each.reading for each in variants(query, schema)] == ["rows", "oneself", "both-ways"]
    assert [each.reading for each in variants(query, schema, {"both-ways"})] == ["both-ways"]
    assert not variants(query, schema, ())


def test_a_reading_that_nothing_can_answer_is_unknown() -> None:
    graph = graph_of("library")
    query = bound(READERS, graph.schema)
    made = judge(query, graph.schema, [Wording("business", frozenset({"rows"}))], [], None)
    assert made.readings == (Reading("rows", "business", "unknown"),)
    assert made.finding().ok


def test_words_settle_readings_and_declarations_go_before_them() -> None:
    each = Questions(logical="Which people read a book?", business="List each reader of a book.")
    logical, business = wordings(each)
    assert [logical.level, business.level] == [*LEVELS]
    assert "rows" in logical.left_open
    assert "rows" in business.settled
    assert "rows" not in business.left_open
    quoted = Questions(business='Who read "Each other"?')
    assert {"rows"} <= wordings(quoted)[0].left_open
    assert "oneself" not in wordings(quoted)[0].left_open
    assert "oneself" in wordings(Questions(business="Who else read it?"))[0].left_open
    declared = wordings(each, {"business": ["attachment"]})
    assert declared[1] == Wording("business", frozenset({"attachment"}))
    assert declared[0] == logical


@pytest.mark.parametrize(
    ("text", "better", "readings"),
    [
        (READERS, READERS.replace("RETURN", "RETURN DISTINCT"), ("rows",)),
        (
            "MATCH (p:Person)-[:OWNS]->(b:Book) WHERE b.title = 'Fire' RETURN p.id AS id",
            "MATCH (p:Person)-[:OWNS]->(b:Book) WHERE b.title = 'Fire' RETURN p.id AS id",
            (),
        ),
        (
            "MATCH (p:Person)-[:READ]->(b:Book) RETURN count(p) AS n",
            "MATCH (p:Person)-[:READ]->(b:Book) RETURN count(DISTINCT p) AS n",
            ("things",),
        ),
    ],
)
def test_queries_are_repaired_where_the_shipped_data_tell(
    text: str, better: str, readings: tuple[str, ...]
) -> None:
    graph = graph_of("library")
    statement, done = repair(parse(text), graph.schema, Shipped(graph))
    assert done == readings
    assert " ".join(shown_text(statement).split()) == better


def test_small_graphs_keep_to_what_the_schema_says_of_relations() -> None:
    graph = graph_of("library")
    twice = {"Person": graph.rows["Person"], "Book": graph.rows["Book"]}
    twice["Person-OWNS-Book"] = ((1, 1), (1, 1), (2, 1))
    twice["Person-READ-Book"] = ((1, 1, "2024-05-01T00:00:00"), (1, 1, "2024-05-01T00:00:00"))
    assert legal(twice, graph.schema).rows["Person-OWNS-Book"] == ((1, 1), (2, 1))
    assert len(legal(twice, graph.schema).rows["Person-READ-Book"]) == 2
    edges = tuple(replace(edge, sources="0..1") for edge in graph.schema.edges)
    owned = replace(graph.schema, edges=edges)
    assert legal(twice, owned).rows["Person-OWNS-Book"] == ((1, 1),)
