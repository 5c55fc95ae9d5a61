"""Evolution by rule: what operators promise, that answers hold, lineage, ledger, same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from engines.base import Result
from generators.queries.archetypes.facets import Facets
from generators.queries.base import Proposal, Wanted
from generators.queries.evolution.evolve import HOPELESS, RuleEvolver
from generators.queries.evolution.operators import all_operators
from generators.queries.rewriting.operator import AGGREGATES, Operator, Step
from generators.queries.rewriting.site import Site
from generators.questions.levels.rules import RuleAuthor
from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graph_ir.difficulty import tier
from graph_ir.features import features
from graph_ir.walk import find
from tests.generators.queries.examples import examples_of
from tests.generators.queries.stages import Stages, written
from translators.render import render

pytestmark = pytest.mark.slow


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
        assert parse(render(step.statement, "cypher").text) == step.statement
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
        assert RuleAuthor().engineer(child, Random(7)), name


@pytest.mark.parametrize("operator", all_operators(), ids=lambda operator: operator.name)
def test_surrogate_keys_are_no_constants(ground: Stages, operator: Operator) -> None:
    for _, step in steps(ground, operator):
        for compare in find(step.statement, ir.Compare):
            assert not (
                isinstance(compare.left, ir.Prop)
                and compare.left.key.endswith("_id")
                and isinstance(compare.right, ir.Literal)
            )


TELLING = ("compare-pair", "close-cycle", "both-of", "union")


@pytest.mark.parametrize("name", TELLING)
def test_what_was_looked_up_before_changes_the_answer(ground: Stages, name: str) -> None:
    operator = next(each for each in all_operators() if each.name == name)
    made = 0
    for parent, step in steps(ground, operator):
        before, after = ground.ask(parent), ground.ask(step.statement)
        assert before is not None
        assert after is not None
        assert after.rows
        assert sorted(map(repr, after.rows)) != sorted(map(repr, before.rows)), step.statement
        made += 1
    assert made


@pytest.mark.parametrize(
    ("text", "narrows"),
    [
        ("MATCH (p:Play) RETURN p.title", True),
        ("MATCH (p:Play) RETURN count(*) AS plays", True),
        ("MATCH (p:Play) WHERE p.play_id = 3 RETURN p.title", False),
        ("MATCH (p:Play) WHERE p.play_id = 3 RETURN count(*) AS plays", False),
        ("MATCH (p:Play) RETURN max(p.ticket_price) AS highest", False),
        ("MATCH (p:Play) RETURN count(DISTINCT p.genre) AS genres", False),
        ("MATCH (p:Play) RETURN avg(p.ticket_price) AS average", True),
        ("MATCH (p:Play) RETURN p.title ORDER BY p.title LIMIT 1", True),
    ],
)
def test_nothing_is_narrowed_that_cannot_become_less(
    ground: Stages, text: str, narrows: bool
) -> None:
    assert site_of(ground, text).narrows is narrows


def test_what_is_optional_stays_in_sight(ground: Stages) -> None:
    text = """MATCH (p:Play) OPTIONAL MATCH (p)<-[:ACTS_IN]-(a:Actor) RETURN p.title, a.name"""
    site = site_of(ground, text)
    for operator in all_operators():
        for step in operator.steps(site, Random(3)) if operator.fits(site) else ():
            read = {
                var.name
                for project in find(step.statement, ir.Project)
                for var in find(project, ir.Var)
            }
            assert "a" in read, (operator.name, step.statement)


def site_of(ground: Stages, text: str) -> Site:
    parent = parse(text)
    answer = ground.ask(parent)
    assert answer is not None
    site = Site.of(ground, Facets(ground.schema, ground.statistics), parent, answer)
    assert site is not None
    return site


def test_values_are_those_of_the_rows_within_a_limit(ground: Stages) -> None:
    text = "MATCH (p:Play) RETURN p.title, p.ticket_price ORDER BY p.ticket_price DESC LIMIT 4"
    site = site_of(ground, text)
    (place,) = site.places
    price = place.type.property("ticket_price")
    assert price is not None
    found = site.observed(place, price)
    assert found is not None
    shown = sorted(row[1] for row in site.answer.rows)
    assert sorted(v for v, n in found.values for _ in range(n)) == shown
    assert site.population(place) == 4


def test_what_is_met_is_counted_at_once(ground: Stages) -> None:
    site = site_of(ground, "MATCH (a:Actor)-[:ACTS_IN]->(p:Play) RETURN DISTINCT a.name")
    tests = ["a.birth_year < 1960", "a.birth_year >= 1960", "a.birth_year < 0"]
    conditions = [parse(f"MATCH (a:Actor) WHERE {text} RETURN 1 AS one") for text in tests]
    wheres = [
        clause.where
        for query in conditions
        if isinstance(query, ir.Query)
        for clause in query.clauses
        if isinstance(clause, ir.Match) and clause.where
    ]
    asked = site.meeting(wheres)
    assert asked is not None
    whole, met = asked
    actors = ground.ask(parse("MATCH (a:Actor)-[:ACTS_IN]->(:Play) RETURN count(DISTINCT a) AS n"))
    assert actors is not None
    assert whole == actors.rows[0][0]
    assert met[0] + met[1] == whole
    assert met[2] == 0
    assert site.telling_of(wheres) == [0, 1]


def test_an_edge_of_an_earlier_stage_is_not_asked_for_again(ground: Stages) -> None:
    text = "MATCH (a:Actor)-[:ACTS_IN]->(p:Play) WITH a, count(p) AS plays RETURN a.name, plays"
    site = site_of(ground, text)
    (place,) = site.places
    walked = {
        (hop.edge.label, hop.forward) for hop in site.hops(place) if site.walked(place.var, hop)
    }
    assert walked == {("ACTS_IN", True)}


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


def test_an_operator_that_never_brought_anything_is_left_alone(ground: Stages) -> None:
    def used(released: int) -> set[str]:
        names = {operator.name for operator in all_operators()}
        tried = Wanted(
            proposed=dict.fromkeys(names, HOPELESS), released=dict.fromkeys(names, released)
        )
        made = [evolved(ground, seed, tried) for seed in range(3)]
        return {step.operation for each in made for one in each for step in one.trace}

    assert not used(released=0)
    assert used(released=1)


class Counted(Stages):
    """The ground of others, with what it was asked."""

    def __init__(self, other: Stages) -> None:
        self.__dict__.update(other.__dict__)
        self.asked: list[ir.Statement] = []

    def ask(self, statement: ir.Statement, limit: int | None = None) -> Result | None:
        self.asked.append(statement)
        return super().ask(statement, limit)


@pytest.mark.parametrize("text", [SEEDS[0], SEEDS[1], SEEDS[3]])
def test_nothing_is_looked_up_for_steps_that_have_no_words(ground: Stages, text: str) -> None:
    counted = Counted(ground)
    parent = Proposal(parse(text), "pairs")
    wordless = RuleEvolver(counted, asked=lambda _: False, sketched=lambda _: False)
    assert not list(wordless.evolve(parent, Random(1)))
    assert counted.asked == [parent.statement]
    worded = RuleEvolver(counted, asked=lambda _: False)
    assert not list(worded.evolve(parent, Random(1)))
    assert len(counted.asked) > 3  # the same steps, of which nobody knows that they have no words


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
