"""Queries by a model: what is wrong never comes through, and stands in the ledger."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from generators.queries.base import Proposal, Wanted
from generators.queries.model.evolution import ModelEvolver
from generators.queries.model.reading import Unfit, read, worded
from generators.queries.model.seeds import ModelSeeds
from graph_ir.cypher.reader import parse
from graphmill.errors import LLMError
from graphmill.llm.base import Ask, Reply
from graphmill.llm.budget import Budget, Budgeted, Prices
from graphmill.llm.client import Client
from graphmill.llm.scripted import Line, Scripted
from graphmill.seed import rng
from tests.generators.queries.waters import Waters, written


@pytest.fixture(scope="module")
def waters(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Waters]:
    ground = Waters(written(tmp_path_factory.mktemp("waters")))
    yield ground
    ground.close()


LACKS = Wanted(groups={"optional": 3})
DEEP = "MATCH (l:Lake) WHERE l.depth > 110 RETURN l.name AS lake"
PAIR = {"question": "Which lakes are deeper than 110 metres?", "cypher": DEEP}
BAD: dict[str, tuple[str, str]] = {
    "unbalanced": ("Which lakes are there?", "MATCH (l:Lake RETURN l.name"),
    "writes": ("Remove all lakes.", "MATCH (l:Lake) DETACH DELETE l"),
    "has-parameters": ("Which lakes are deep?", "MATCH (l:Lake) WHERE l.depth > $d RETURN l.name"),
    "not-repeatable": ("Any lake?", "MATCH (l:Lake) WHERE rand() < 2 RETURN l.name"),
    "no-pattern": ("What is one?", "RETURN 1 AS n"),
    "unknown-label": ("Which seas are there?", "MATCH (s:Sea) RETURN s.name"),
    "impossible-direction": (
        "Which lakes flow into rivers?",
        "MATCH (l:Lake)-[:FLOWS_INTO]->(r:River) RETURN l.name",
    ),
    "empty-answer": (
        "Which lakes are deeper than 9000?",
        "MATCH (l:Lake) WHERE l.depth > 9000 RETURN l.name",
    ),
    "lone-zero": (
        "How many lakes are deeper than 9000?",
        "MATCH (l:Lake) WHERE l.depth > 9000 RETURN count(*) AS n",
    ),
    "only-nulls": ("What?", "MATCH (l:Lake) RETURN CASE WHEN l.depth < 0 THEN 1 END AS x"),
    "value-lost": ("Which lakes are deep?", DEEP),
    "no-question": (" ", DEEP),
}


def budgeted(model: Scripted) -> Client:
    budget = Budget(None, Prices(1.0, 1.0))
    return Client(Budgeted(model, budget), budget)


def seeds_from(waters: Waters, *lines: Line, count: int = 8) -> tuple[list[Proposal], ModelSeeds]:
    with budgeted(Scripted(lines)) as client:
        author = ModelSeeds(waters, client)
        return list(author.generate(LACKS, rng(7), count)), author


def pairs(*given: dict[str, str]) -> str:
    return json.dumps({"pairs": given})


@pytest.mark.parametrize("code", BAD)
def test_a_bad_pair_is_refused_with_its_code(code: str, waters: Waters) -> None:
    question, cypher = BAD[code]
    with pytest.raises(Unfit) as caught:
        worded(question, read(cypher, waters).statement)
    assert caught.value.code == code


def test_seeds_are_read_run_and_told_apart(waters: Waters) -> None:
    same = {
        "question": "Which lakes go below 110 m?",
        "cypher": "MATCH (x:Lake) WHERE 110 < x.depth RETURN x.name AS other",
    }
    given = [PAIR, same, *({"question": q, "cypher": c} for q, c in BAD.values())]
    batches = {"Write 8 pairs": given[:8], "Write 6 pairs": given[8:]}

    def answer(ask: Ask) -> str:
        if len(ask.messages) > 2:
            return pairs()
        return next(pairs(*b) for said, b in batches.items() if said in ask.messages[1].text)

    with budgeted(Scripted(answer)) as client:
        author = ModelSeeds(waters, client)
        made = list(author.generate(LACKS, rng(7), 14))
    assert [proposal.question for proposal in made] == [PAIR["question"]]
    assert made[0].statement == parse(DEEP)
    assert made[0].maker == "llm"
    assert [reject.code for reject in author.rejects] == ["duplicate", *BAD]
    assert client.budget.stages["seeds"].accepted == 1


def test_wrong_pairs_go_back_once_with_what_is_wrong(waters: Waters) -> None:
    question, cypher = BAD["impossible-direction"]
    river = "MATCH (r:River)-[:FLOWS_INTO]->(l:Lake) RETURN r.name AS river, l.name AS lake"
    better = {"question": "Which rivers flow into which lakes?", "cypher": f"```\n{river};\n```"}
    model = Scripted([pairs(PAIR, {"question": question, "cypher": cypher}), pairs(better)])
    with budgeted(model) as client:
        author = ModelSeeds(waters, client)
        made = list(author.generate(LACKS, rng(7), 2))
        books = client.budget.stages["seeds"]
    assert [proposal.statement for proposal in made] == [parse(DEEP), parse(river)]
    assert "[impossible-direction]" in model.asks[1].messages[-1].text
    assert [reject.code for reject in author.rejects] == ["impossible-direction"]
    assert author.rejects[0].query == cypher
    assert (books.calls, books.accepted) == (2, 2)
    assert books.usd > 0


def test_the_prompt_has_the_schema_with_a_value_a_property(waters: Waters) -> None:
    model = Scripted([pairs(PAIR)])
    with budgeted(model) as client:
        list(ModelSeeds(waters, client).generate(LACKS, rng(7), 1))
    text = model.asks[0].messages[1].text
    shown = r'\(:Lake \{id: STRING = "\S+", name: STRING = "\S+", depth: INTEGER = (106|128|453), '
    assert re.search(shown, text)
    assert "(:River)-[:FLOWS_INTO]->(:Lake)" in text
    assert "make each pair one of them:\n- of these, 3 with OPTIONAL MATCH" in text


def test_more_seeds_are_asked_for_in_batches_and_no_answer_is_a_line(waters: Waters) -> None:
    refusal = Reply("I must not.", "m", 10, 3, finish="refusal")
    made, author = seeds_from(waters, refusal, "no JSON", "again none", pairs(PAIR), count=24)
    assert len(made) == 1
    assert sorted(reject.code for reject in author.rejects) == ["not-json", "refusal"]


def test_what_is_no_matter_of_one_answer_ends_it(waters: Waters) -> None:
    with pytest.raises(LLMError, match="key"):
        seeds_from(waters, LLMError("The key is wrong.", "authentication"))


# --- evolution ------------------------------------------------------------------------------

PARENT = Proposal(parse(DEEP), "archetypes", archetype="filter", question=PAIR["question"])
HARDER = (
    "MATCH (r:River)-[:FLOWS_INTO]->(l:Lake) WHERE l.depth > 110 "
    "RETURN l.name AS lake, count(r) AS rivers"
)
STEP = {
    "operation": "extend-path",
    "question": "How many rivers flow into each lake that is deeper than 110 metres?",
    "cypher": HARDER,
}


def step(**changes: str) -> str:
    return json.dumps({**STEP, **changes})


def evolved(waters: Waters, *lines: Line, parent: Proposal = PARENT) -> dict[str, Any]:
    model = Scripted(lines)
    with budgeted(model) as client:
        evolver = ModelEvolver(waters, client)
        made = list(evolver.evolve(parent, rng(7), LACKS))
        codes = [reject.code for reject in evolver.rejects]
        return {"made": made, "codes": codes, "asks": model.asks, "evolver": evolver}


def test_a_harder_pair_keeps_its_lineage(waters: Waters) -> None:
    run = evolved(waters, step())
    (child,) = run["made"]
    assert child.statement == parse(HARDER)
    assert child.archetype == "filter"
    assert child.maker == "llm"
    assert child.trace[0].operation == "llm:extend-path"
    assert parse(child.trace[0].before) == PARENT.statement
    assert "Mjøsa" in child.trace[0].evidence
    text = run["asks"][0].messages[1].text
    assert all(each in text for each in ("(:River {", "Mjøsa", "Esk", "OPTIONAL MATCH", "110"))
    assert run["codes"] == []


@pytest.mark.parametrize(
    ("code", "cypher"),
    [
        ("same-query", "MATCH (water:Lake) WHERE 110 < water.depth RETURN water.name AS w"),
        ("same-shape", "MATCH (l:Lake) WHERE l.depth > 120 RETURN l.name AS lake"),
        ("same-answer", "MATCH (l:Lake) WHERE l.depth > 110 AND 110 < 120 RETURN l.name AS lake"),
        ("writes", "MATCH (l:Lake) WHERE l.depth > 110 SET l.depth = 0 RETURN l.name AS lake"),
        ("empty-answer", "MATCH (l:Lake) WHERE l.depth > 110 AND l.depth < 110 RETURN l.name"),
    ],
)
def test_no_step_goes_back_and_a_better_one_is_taken(
    code: str, cypher: str, waters: Waters
) -> None:
    run = evolved(waters, step(cypher=cypher), step())
    assert len(run["made"]) == 1
    assert run["codes"] == [code]
    assert f"[{code}]" in run["asks"][1].messages[-1].text
    ledger = run["evolver"].rejects[0]
    assert ledger.query == cypher
    assert ledger.evidence["round"] == 1
    assert parse(ledger.evidence["parent"]) == PARENT.statement


def test_three_repairs_are_the_end_of_it(waters: Waters) -> None:
    same = step(cypher=DEEP)
    run = evolved(waters, same, same, same, same, step())
    assert run["made"] == []
    assert run["codes"] == ["same-query"] * 4
    assert len(run["asks"]) == 4


def test_an_operation_that_there_is_not_is_a_wrong_answer(waters: Waters) -> None:
    run = evolved(waters, step(operation="drop"), step(operation="drop"))
    assert run["made"] == []
    assert run["codes"] == ["invalid"]


def test_many_parents_keep_their_own_children(waters: Waters) -> None:
    other = Proposal(parse("MATCH (r:River) RETURN r.name AS river"), "archetypes")
    longer = "MATCH (r:River) WHERE r.length > 13 RETURN r.name AS river"

    def answer(ask: Ask) -> str:
        if "The question: (not written yet)" not in ask.messages[1].text:
            return step()
        question = "Which rivers are longer than 13 km?"
        return step(operation="add-constraint", question=question, cypher=longer)

    with budgeted(Scripted(answer)) as client:
        evolver = ModelEvolver(waters, client)
        found = list(evolver.evolve_all([(PARENT, rng(1)), (other, rng(2))]))
    assert [(parent, child.statement) for parent, child in found] == [
        (PARENT, parse(HARDER)),
        (other, parse(longer)),
    ]
