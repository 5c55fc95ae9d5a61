"""The catalogue of archetypes: each one keeps what it claims, wherever it has a place."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from generators.queries.archetypes.load import Archetype, load_archetypes, own_archetypes
from generators.queries.archetypes.seeds import RuleSeeds, SeedRequest
from generators.queries.base import Proposal
from graph_ir.bind.statements import bind
from graph_ir.canonical import shape
from graph_ir.cypher.reader import parse
from graph_ir.difficulty import tier
from graph_ir.features import features
from graph_ir.nodes import Param
from graph_ir.walk import find
from graphmill.errors import ConfigError, Refused
from tests.generators.queries.choirs import Choirs
from tests.generators.queries.stages import Stages, written
from translators.render import render

CATALOGUE = own_archetypes()
FAMILIES = """
look-up filter range text-match counting grouping top-k having chain star variable-length
shortest-path common-neighbours existence optional set-operation compared-with-aggregate
nested-aggregation multi-stage temporal ratio group-average
symmetric
"""


@pytest.fixture(scope="module")
def seeds(choirs: Choirs) -> RuleSeeds:
    return RuleSeeds(choirs)


def drawn(seeds: RuleSeeds, archetype: Archetype) -> Proposal:
    for seed in range(5):
        found = seeds.propose(archetype, Random(seed))
        if found is not None:
            return found
    pytest.fail(f"{archetype.name} has no place on the graph of choirs")


def test_every_family_is_there() -> None:
    assert {each.family for each in CATALOGUE} >= set(FAMILIES.split())
    assert len(CATALOGUE) >= 60
    assert {each.hops for each in CATALOGUE if each.family == "chain"} == {2, 3, 4}


@pytest.mark.parametrize("archetype", CATALOGUE, ids=lambda each: each.name)
def test_an_archetype_keeps_its_claims(archetype: Archetype, seeds: RuleSeeds) -> None:
    proposal = drawn(seeds, archetype)
    assert (proposal.maker, proposal.archetype) == ("archetypes", archetype.name)
    statement = proposal.statement
    assert next(find(statement, Param), None) is None
    assert not bind(statement, seeds.ground.schema).errors
    assert parse(render(statement, "cypher", seeds.ground.schema).text) == statement
    found = features(statement)
    assert (found.hops, tier(found)) == (archetype.hops, archetype.tier)
    assert set(archetype.constructs) <= set(found.constructs)
    for language in ("cypher", "gql", "sql", "cypher-grafeo", "gql-grafeo"):
        if language in archetype.lacks:
            with pytest.raises(Refused):
                render(statement, language, seeds.ground.schema)
        else:
            render(statement, language, seeds.ground.schema)


def test_an_archetype_fits_where_it_can_be_proposed(seeds: RuleSeeds, tmp_path: Path) -> None:
    assert all(map(seeds.places, seeds.archetypes))
    with_stages = Stages(written(tmp_path))
    few = RuleSeeds(with_stages)
    misfits = [each for each in few.archetypes if not few.places(each)]
    with_stages.close()
    # no edge of the theatres has a property, and no relation is one of equals
    assert {"filter-on-edge"} <= {each.name for each in misfits}
    assert {each.name for each in few.archetypes if each.family == "symmetric"} <= {
        each.name for each in misfits
    }
    assert not any(few.propose(each, Random(1)) for each in misfits)


def test_nothing_is_proposed_at_a_place_that_is_closed(seeds: RuleSeeds) -> None:
    archetype = next(each for each in CATALOGUE if each.name == "chain-2-count")
    closed: set[str] = set()
    while proposal := seeds.propose(archetype, Random(len(closed)), closed=closed):
        assert proposal.place.startswith(f"{archetype.name} ")
        assert proposal.place not in closed
        closed.add(proposal.place)
    assert len(closed) > 1


def test_most_seeds_have_an_answer(seeds: RuleSeeds, choirs: Choirs) -> None:
    proposals = list(seeds.generate(SeedRequest(count=150), Random(3)))
    empty = [
        proposal.archetype
        for proposal in proposals
        if (answer := choirs.ask(proposal.statement)) is None
        or not answer.rows
        or (len(answer.rows) == 1 and set(answer.rows[0]) <= {0, None})
    ]
    assert len(proposals) == 150
    assert len(empty) <= 15, empty


def test_the_same_seed_gives_the_same_queries(seeds: RuleSeeds, choirs: Choirs) -> None:
    request = SeedRequest(count=60)
    first = list(seeds.generate(request, Random(1)))
    assert first == list(RuleSeeds(choirs).generate(request, Random(1)))
    assert first != list(seeds.generate(request, Random(2)))
    assert len({proposal.statement for proposal in first}) == 60


def test_shapes_are_many_and_all_parts_are_used(seeds: RuleSeeds) -> None:
    proposals = list(seeds.generate(SeedRequest(count=400), Random(4)))
    shapes = [shape(proposal.statement) for proposal in proposals]
    assert len(set(shapes)) >= 150
    assert max(shapes.count(each) for each in set(shapes)) <= 12
    texts = " ".join(render(p.statement, "cypher").text for p in proposals)
    schema = seeds.ground.schema
    for label in (*schema.labels, *schema.edge_labels):
        assert f":{label}" in texts


def test_a_request_chooses(seeds: RuleSeeds) -> None:
    only = seeds.wanted(SeedRequest(families=("chain",), tiers=("hard",)))
    assert only
    assert all(each.family == "chain" and each.tier == "hard" for each in only)
    negated = seeds.wanted(SeedRequest(constructs=("logic-not",)))
    assert {"absent", "one-without-other"} <= {each.name for each in negated}
    assert "text-contains" not in {each.name for each in seeds.wanted(SeedRequest())}
    all_languages = seeds.wanted(SeedRequest(languages=("cypher",)))
    assert "text-contains" in {each.name for each in all_languages}
    with pytest.raises(ConfigError, match="look-up"):
        seeds.wanted(SeedRequest(families=("lookup",)))


def test_every_fault_of_a_catalogue_is_said(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(
        """
about = "Wrong in many ways."
[[archetype]]
name = "no-cypher"
tier = "easy"
cypher = "MATCH (a:A RETURN a.name"
[[archetype]]
name = "undeclared"
tier = "easy"
hops = 2
constructs = ["union"]
cypher = "MATCH (a:A)-[:R]->(b:B) WHERE a.p > $v RETURN a.name"
properties = { q = "number" }
edges = { S = { many = true } }
[[archetype]]
name = "unlabelled"
tier = "easy"
cypher = "MATCH (a:A)-[:R]->(b) RETURN b.name"
""",
        encoding="utf-8",
    )
    with pytest.raises(ConfigError) as raised:
        load_archetypes([tmp_path])
    said = "\n".join(raised.value.violations)
    for fault in (
        "no-cypher: ",
        "the property p is not declared",
        "the value v is not declared",
        "the property q is not used",
        "there is no edge S",
        "it claims 2 hops and has 1",
        "it claims to be easy and is medium",
        "it claims union and does not use it",
        "the node b has no label",
    ):
        assert fault in said


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ('values = { v = { of = "p" } }', "give one of"),
        ('values = { v = { number = [1, 2], of = "p" } }', "`of` names"),
        ('properties = { p = "colour" }', "Input should be"),
        ('speed = "fast"', "Extra inputs are not permitted"),
    ],
)
def test_a_wrong_entry_is_said(tmp_path: Path, wrong: str, said: str) -> None:
    text = f'about = "x"\n[[archetype]]\nname = "a"\ntier = "easy"\ncypher = "RETURN 1"\n{wrong}\n'
    (tmp_path / "own.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=said):
        load_archetypes([tmp_path])


def test_archetypes_that_are_nested_too_deeply_are_said(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text("about = " + "[" * 5_000 + "]" * 5_000, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"own\.toml:1: nested too deeply"):
        load_archetypes((tmp_path,))
