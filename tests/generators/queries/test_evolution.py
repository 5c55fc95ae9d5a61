"""Evolution by rule: what operators promise, that answers hold, lineage, ledger, same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from generators.queries.base import Proposal, Wanted
from generators.queries.evolution import RuleEvolver
from generators.queries.facets import Facets
from generators.queries.operator import AGGREGATES, Operator, Step
from generators.queries.operators import all_operators
from generators.queries.site import Site
from generators.questions.rules import RuleAuthor
from graph_ir import nodes as ir
from graph_ir.bind import bind
from graph_ir.cypher import parse
from graph_ir.difficulty import tier
from graph_ir.features import features
from graph_ir.walk import find
from tests.generators.queries.examples import examples_of
from tests.generators.queries.stages import Stages, written
from translators.render import render

EXAMPLES = Path(__file__).parent / "operators.cypher"
COUNTS = (
    "MATCH (a:Actor)-[:HAS_BIRTH_CITY]->(c:City) RETURN c.name, count(DISTINCT a) AS actors",
    "MATCH (p:Play)-[:HAS_THEATRE]->(t:Theatre) RETURN t.name, count(p) AS plays",
    "MATCH (a:Actor)-[:ACTS_IN]->(p:Play) RETURN p.genre, count(*) AS roles",
)
SEEDS = [
    line
    for line in (Path(__file__).parent / "seeds.cypher").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("--")
]


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stages]:
    stages = Stages(written(tmp_path_factory.mktemp("stages")))
    yield stages
    stages.close()


def steps(ground: Stages, operator: Operator) -> Iterator[tuple[ir.Statement, Step]]:
    """(parent, step) for the first steps of an operator on each seed."""
    facets = Facets(ground.schema, ground.statistics)
    for number, text in enumerate(SEEDS):
        parent = parse(text)
        answer = ground.ask(parent)
        assert answer is not None
        site = Site.of(ground, facets, parent, answer)
        if site is not None and operator.fits(site):
            for _, step in zip(range(3), operator.steps(site, Random(number)), strict=False):
                yield parent, step


@pytest.mark.parametrize("operator", all_operators(), ids=lambda operator: operator.name)
def test_an_operator_does_what_it_declares(ground: Stages, operator: Operator) -> None:
    made = 0
    for parent, step in steps(ground, operator):
        made += 1
        before, after = features(parent), features(step.statement)
        assert operator.effect.adds <= set(after.constructs)
        for name, least in operator.effect.grows.items():
            assert getattr(after, name) >= getattr(before, name) + least, name
        for name in operator.effect.turns:
            assert getattr(after, name), name
        assert AGGREGATES not in operator.effect.turns or after.aggregates
        assert not operator.effect.closes or after.shape in ("dag", "cyclic_or_dense")
        assert step.evidence
        assert not bind(step.statement, ground.schema).errors
        assert render(step.statement, "sql", ground.schema).text
    assert made, "no seed fits"


def test_examples_hold_and_can_be_said(ground: Stages) -> None:
    operators = {operator.name: operator for operator in all_operators()}
    examples = list(examples_of(EXAMPLES))
    assert sorted(name for name, _, _ in examples) == sorted(operators)
    for name, before, after in examples:
        parent, child = parse(before), parse(after)
        assert not bind(child, ground.schema).errors, name
        assert operators[name].effect.adds <= set(features(child).constructs), name
        first, second = ground.ask(parent), ground.ask(child)
        assert first is not None, name
        assert second is not None, name
        assert second.rows, name
        assert first != second, name
        assert RuleAuthor().write(child, ground.schema, Random(7)).questions.business, name


@pytest.mark.parametrize("operator", all_operators(), ids=lambda operator: operator.name)
def test_surrogate_keys_are_no_constants(ground: Stages, operator: Operator) -> None:
    for _, step in steps(ground, operator):
        for compare in find(step.statement, ir.Compare):
            assert not (
                isinstance(compare.left, ir.Prop)
                and compare.left.key.endswith("_id")
                and isinstance(compare.right, ir.Literal)
            )


NARROWING = ("extend-path", "close-cycle", "variable-length", "require-neighbour", "add-constraint")


@pytest.mark.parametrize("name", NARROWING)
def test_more_pattern_never_makes_a_count_larger(ground: Stages, name: str) -> None:
    facets = Facets(ground.schema, ground.statistics)
    operator = next(each for each in all_operators() if each.name == name)
    compared = 0
    for text in COUNTS:
        parent = parse(text)
        before = ground.ask(parent)
        assert before is not None
        site = Site.of(ground, facets, parent, before)
        assert site is not None
        if not operator.fits(site):
            continue
        for seed in range(2):
            for _, step in zip(range(3), operator.steps(site, Random(seed)), strict=False):
                after = ground.ask(step.statement)
                assert after is not None
                counts = dict(before.rows)
                assert all(number <= counts[key] for key, number in after.rows), step.statement
                compared += 1
    assert compared


def evolved(ground: Stages, seed: int, wanted: Wanted | None = None) -> list[Proposal]:
    evolver = RuleEvolver(ground)
    parent = Proposal(parse(SEEDS[seed % len(SEEDS)]), "pairs", "look-up")
    return list(evolver.evolve(parent, Random(seed), wanted or Wanted()))


def test_every_proposal_has_an_answer_unlike_that_of_its_parent(ground: Stages) -> None:
    made = 0
    for seed in range(7):
        before = ground.ask(parse(SEEDS[seed % len(SEEDS)]))
        for proposal in evolved(ground, seed):
            answer = ground.ask(proposal.statement)
            assert answer is not None
            assert before is not None
            assert any(value is not None for row in answer.rows for value in row)
            assert (answer.columns, sorted(map(repr, answer.rows))) != (
                before.columns,
                sorted(map(repr, before.rows)),
            )
            before = answer
            made += 1
    assert made > 15


def test_lineage_leads_back_to_the_seed(ground: Stages) -> None:
    proposals = evolved(ground, 3)
    assert len(proposals) > 2
    texts = [SEEDS[3], *(render(p.statement, "cypher").text for p in proposals)]
    for depth, proposal in enumerate(proposals, 1):
        assert proposal.maker == "evolution"
        assert proposal.archetype == "look-up"
        assert len(proposal.trace) == depth
        assert [" ".join(step.before.split()) for step in proposal.trace] == [
            " ".join(text.split()) for text in texts[:depth]
        ]


def test_same_seed_same_queries(ground: Stages) -> None:
    first = evolved(ground, 4)
    assert evolved(ground, 4) == first
    assert evolved(ground, 4 + len(SEEDS)) != first


@pytest.mark.parametrize("wanted", ["medium", "hard", "extra_hard"])
def test_tiers_that_are_wanted_are_all_that_comes(ground: Stages, wanted: str) -> None:
    found = [
        proposal
        for seed in range(0, len(SEEDS), 2)
        for proposal in evolved(ground, seed, Wanted(tiers={wanted: 1, "easy": 0}))  # type: ignore[dict-item]
    ]
    assert len(found) >= 2
    assert {tier(features(proposal.statement)) for proposal in found} == {wanted}


def test_what_fails_is_in_the_ledger_with_its_operator(ground: Stages) -> None:
    evolver = RuleEvolver(ground)
    nothing = Proposal(parse("MATCH (p:Play) WHERE p.minutes > 9000 RETURN p.title"), "pairs")
    assert not list(evolver.evolve(nothing, Random(1)))
    unwound = Proposal(parse("UNWIND [1, 2] AS x RETURN x"), "pairs")
    assert not list(evolver.evolve(unwound, Random(1)))
    assert [reject.code for reject in evolver.rejects] == ["empty", "no-site"]
    for seed in range(4):
        list(evolver.evolve(Proposal(parse(SEEDS[seed]), "pairs"), Random(seed)))
    makers = {reject.evidence["maker"] for reject in evolver.rejects}
    assert makers - {"evolution"} <= {operator.name for operator in all_operators()}
    assert any(reject.code == "same-answer" and reject.query for reject in evolver.rejects)
