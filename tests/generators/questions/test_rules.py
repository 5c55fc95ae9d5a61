"""The rule-based author: sentences that were read one by one, and what holds for all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from generators.questions.levels.authors import NotExpressible, author_named
from generators.questions.levels.business import MAX_WORDS
from generators.questions.levels.rules import RuleAuthor
from generators.questions.lexicon.entries import EdgeEntry, GraphLexicon, NodeEntry, PropertyEntry
from generators.questions.lexicon.relations import Lexicon, edge_words
from generators.questions.realise import style
from graph_ir import nodes as ir
from graph_ir.cypher.reader import parse
from graph_ir.values import lost
from graph_ir.walk import find
from graphmill.errors import UnknownNameError
from schemagraph.model import SchemaGraph
from tests.schema_text import read_schema

HERE = Path(__file__).parent
SCHEMA = read_schema((HERE / "library.schema").read_text(encoding="utf-8"))
OFFICE = read_schema((HERE / "office.schema").read_text(encoding="utf-8"))
SEEDS = (7, 8, 9)


@dataclass(frozen=True)
class Case:
    """One block of `questions.pairs`: a query, then lines `S:`, `L:`, `B:`, `K:`, or `!` and the
    construct that no sentence is known for."""

    line: int
    query: str
    expected: dict[str, str]


def cases(name: str) -> Iterator[Case]:
    block: list[str] = []
    start = 0
    text = (HERE.parent / name).read_text(encoding="utf-8")
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.startswith("--"):
            continue
        if line:
            start = start if block else number
            block.append(line)
        elif block:
            said = [re.fullmatch(r"([SLBK!]):? (.*)", each) for each in block[1:]]
            yield Case(start, block[0], {found[1]: found[2] for found in said if found})
            block = []


CASES = list(cases("questions.pairs"))
NAMES = list(cases("questions_names.pairs"))
SAID = [case for case in CASES if "!" not in case.expected]
IDS = [f"line {case.line}" for case in CASES]
SAID_IDS = [f"line {case.line}" for case in SAID]


def write(query: str, seed: int = 7, schema: SchemaGraph = SCHEMA) -> dict[str, str]:
    found = RuleAuthor().write(parse(query), schema, Random(seed))
    asked = found.questions
    levels = {"S": asked.syntactic, "L": asked.logical, "B": asked.business}
    return {**levels, **({"K": found.knowledge} if found.knowledge else {})}


def test_there_are_cases() -> None:
    assert len(CASES) > 40


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_sentences(case: Case) -> None:
    if "!" in case.expected:
        with pytest.raises(NotExpressible) as found:
            write(case.query)
        assert found.value.construct == case.expected["!"]
        assert found.value.code == "question-not-expressible"
    else:
        assert write(case.query) == case.expected


@pytest.mark.parametrize("case", NAMES, ids=[f"line {case.line}" for case in NAMES])
def test_names_of_old_systems(case: Case) -> None:
    assert write(case.query, schema=OFFICE) == case.expected


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("case", SAID, ids=SAID_IDS)
def test_every_level_carries_every_value(case: Case, seed: int) -> None:
    written = write(case.query, seed)
    for level in "SLB":
        assert lost(parse(case.query), f"{written[level]} {written.get('K', '')}") == ()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("case", SAID, ids=SAID_IDS)
def test_form(case: Case, seed: int) -> None:
    written = write(case.query, seed)
    for level in "SLB":
        text = written[level]
        assert re.match(r"[A-Z]", text), text
        assert text[-1] in ".?"
        assert "  " not in text
        assert not re.search(r"\b(\w{3,}) \1\b|\ba [aeio]\w|[\x00-\x1f{}]| [,.?]", text), text
    assert written["S"].startswith(
        ("Match", "First match", "Start by", "Begin by", "Unwind", "Call a")
    )
    knowledge = written.get("K", "")
    assert len(knowledge.split()) <= MAX_WORDS
    assert len(re.findall(r"[.?](?: |$)", knowledge)) <= 2


@pytest.mark.parametrize("case", SAID, ids=SAID_IDS)
def test_logical_names_every_entity_and_no_query_word(case: Case) -> None:
    text = write(case.query)["L"].casefold()
    labels = {found.name for found in find(parse(case.query), ir.LabelName)}
    nodes = {label for node in SCHEMA.nodes for label in node.labels if label in labels}
    for noun in nodes:
        stem = noun.casefold().removesuffix("y").removesuffix("ch")
        assert stem in text
    assert not re.search(r"\b(?:nodes?|edges?|match|limit|null|distinct)\b", text)


@pytest.mark.parametrize("case", SAID, ids=SAID_IDS)
def test_business_shows_no_topology(case: Case) -> None:
    text = write(case.query)["B"]
    assert not re.search(r"\b(?:nodes?|edges?|labels?|hops?|MATCH|RETURN)\b|[A-Z]+_[A-Z]+", text)


def test_same_seed_same_sentences_other_seed_other_words() -> None:
    queries = [case.query for case in SAID]
    first = [write(query) for query in queries]
    assert [write(query) for query in queries] == first
    others = [write(query, 11) for query in queries]
    changed = sum(one != other for one, other in zip(first, others, strict=True))
    assert changed > len(queries) / 2


def test_without_a_schema_names_alone_are_read() -> None:
    query = parse("MATCH (p:Person)-[:LIVES_IN]->(c:City {name: 'Oslo'}) RETURN p.name")
    text = RuleAuthor().write(query, None, Random(1)).questions.logical
    assert 'people who live in a city whose name is "Oslo"' in text


def test_a_lexicon_replaces_the_words_of_the_rules() -> None:
    lexicon = Lexicon(
        nouns={"Member": "reader"},
        properties={("Member", "joined_on"): "first visit"},
        edges={"FOLLOWS": edge_words("ADMIRES_BY_HEART", "reader", "author")},
    )
    query = parse("MATCH (m:Member)-[:FOLLOWS]->(a:Author) WHERE a.name = 'X' RETURN m.joined_on")
    text = RuleAuthor(lexicon).write(query, SCHEMA, Random(1)).questions.logical
    assert "first visits of" in text
    assert "readers who" in text


def test_the_words_beside_a_graph_replace_those_of_the_rules() -> None:
    words = GraphLexicon(
        nodes={
            "Member": NodeEntry(
                singular="reader",
                plural="readers",
                properties={"joined_on": PropertyEntry(noun="first visit")},
            )
        },
        edges={"Member-FOLLOWS-Author": EdgeEntry(forward="admires", backward="is admired by")},
    ).words()
    query = parse("MATCH (m:Member)-[:FOLLOWS]->(a:Author) WHERE a.name = 'X' RETURN m.joined_on")
    text = RuleAuthor(words).write(query, SCHEMA, Random(1)).questions.logical
    assert "first visits of" in text
    assert "readers who admire" in text


def test_an_unknown_author_is_named_with_those_that_exist() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'rules'"):
        author_named("rule")


def test_what_a_question_is_for_is_nothing_that_it_asks_about() -> None:
    asked = "How many claims does each customer have?"
    said = {style.analyst(asked, Random(seed)) for seed in range(400)}
    openers = {text.partition(",")[0].lower() for text in said if "," in text}
    assert len(openers) > 50
    assert not any("claim" in opener or "customer" in opener for opener in openers)
