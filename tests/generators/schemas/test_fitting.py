"""Schemas drawn for the numbers asked: what can be met is met, the rest has its range."""

import pytest

from generators.schemas.author import SchemaProposal, SchemaRequest
from generators.schemas.fitting import fitted
from generators.schemas.rules import RuleSchemaAuthor
from generators.synthesis.sizes import sized
from generators.taxonomy.load import load_taxonomy, subdomain
from graphmill.errors import ConfigError
from graphmill.seed import rng

pytestmark = pytest.mark.slow

SIZES = ((20_000, 80_000), (500, 2_000), (2_000, 3_000), (50_000, 400_000))


def drawn_for(
    name: str, nodes: int, edges: int | None, seed: int = 7, level: int = 3
) -> SchemaProposal:
    request = SchemaRequest(subdomain(load_taxonomy(), name), level)
    random = rng(seed, "schema", name, level)
    return fitted(RuleSchemaAuthor().generate(request, random), nodes, edges)


@pytest.mark.parametrize(("number", "name"), list(enumerate(load_taxonomy().names())))
def test_every_sub_domain_is_drawn_for_the_numbers_asked(number: int, name: str) -> None:
    for nodes, edges in (SIZES[0], SIZES[1 + number % 3]):
        made = drawn_for(name, nodes, edges)
        whole = sized(made.schema, made.specification, nodes, edges)
        assert sum(part.count or 0 for part in whole.nodes.values()) == nodes
        assert sum(part.count or 0 for part in whole.edges.values()) == edges


def test_what_fits_is_not_changed_and_the_same_every_time() -> None:
    usual = drawn_for("agriculture/crop-farming", 20_000, None)
    assert drawn_for("agriculture/crop-farming", 20_000, 40_000) == usual
    shifted = drawn_for("energy/power-grid", 500, 2_000)
    assert drawn_for("energy/power-grid", 500, 2_000) == shifted


@pytest.mark.parametrize(
    ("nodes", "edges", "message"),
    [
        (2_000, 99, "has from .* edges, not 99.*other schemas of this domain"),
        (2_000, 10**14, "has from .* edges, not 100000000000000"),
        (3, None, "at least .* nodes, not 3"),
    ],
)
def test_what_cannot_be_is_refused_with_its_range(
    nodes: int, edges: int | None, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        drawn_for("legal/patents", nodes, edges)


@pytest.mark.parametrize("name", ["government/parliament", "telecommunications/mobile-network"])
@pytest.mark.parametrize("nodes", [30, 50, 100])
def test_few_nodes_have_fewer_of_a_fixed_number(name: str, nodes: int) -> None:
    made = drawn_for(name, nodes, None, seed=8)
    whole = sized(made.schema, made.specification, nodes)
    counts = {name: part.count or 0 for name, part in whole.nodes.items()}
    assert sum(counts.values()) == nodes
    assert min(counts.values()) >= 1
    assert drawn_for(name, nodes, None, seed=8) == made


def test_the_least_number_of_nodes_is_the_number_of_types() -> None:
    with pytest.raises(ConfigError, match=r"at least \d+ nodes, not 3") as refused:
        drawn_for("government/parliament", 3, None)
    least = int(str(refused.value).partition("at least ")[2].partition(" ")[0])
    made = drawn_for("government/parliament", least, None)
    whole = sized(made.schema, made.specification, least)
    assert {part.count for part in whole.nodes.values()} == {1}
