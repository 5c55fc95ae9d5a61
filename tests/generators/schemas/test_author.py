"""The rule author over every sub-domain: valid, within its level, connected, repeatable, varied."""

from itertools import islice, product
from random import Random

import pytest

from generators.questions.lexicon.completion.store import load_lexicon
from generators.questions.lexicon.toml_file import save_lexicon
from generators.schemas.author import SchemaProposal, SchemaRequest
from generators.schemas.blueprint import LEVELS, blueprint
from generators.schemas.reified import reified
from generators.schemas.rules import RuleSchemaAuthor
from generators.synthesis.spec import Categorical, check_synthesis, specification_to_json
from generators.taxonomy import load_taxonomy
from graphmill.errors import GraphmillError
from schemagraph.folder.serde import fingerprint, schema_to_json
from schemagraph.model import SchemaGraph

pytestmark = pytest.mark.slow


TAXONOMY = load_taxonomy()
PATHS = TAXONOMY.names()
SEEDS = (1, 2)


def proposal(path: str, level: int, seed: int) -> SchemaProposal:
    request = SchemaRequest(TAXONOMY.subdomains[path], level)
    return next(RuleSchemaAuthor().generate(request, Random(f"{path} {level} {seed}")))


def structure(schema: SchemaGraph) -> tuple[object, ...]:
    """The schema without its words: degrees of node types, numbers and types of properties."""
    ends = [(edge.source, edge.target) for edge in schema.edges]
    return tuple(
        sorted(
            (
                sum(source == node.name for source, _ in ends),
                sum(target == node.name for _, target in ends),
                tuple(sorted(str(p.type) for p in node.properties)),
            )
            for node in schema.nodes
        )
    )


@pytest.mark.parametrize("path", PATHS)
def test_every_schema_is_valid_and_within_its_level(path: str) -> None:
    seen: set[str] = set()
    for level, bounds in LEVELS.items():
        shapes = []
        for seed in SEEDS if level in (2, 5) else SEEDS[:1]:
            made = proposal(path, level, seed)
            assert check_synthesis(made.schema, made.specification) == []
            assert bounds.nodes[0] <= len(made.schema.nodes) <= bounds.nodes[1]
            assert bounds.edges[0] <= len(made.schema.edges) <= bounds.edges[1]
            assert made.lexicon.things.keys() == made.schema.node_by_name.keys()
            assert made.lexicon.paths.keys() == made.schema.edge_by_name.keys()
            seen.add(fingerprint(made.schema))
            shapes.append(structure(made.schema))
        assert len(set(shapes)) == len(shapes)
    assert len(seen) == len(LEVELS) + 2


def test_the_same_seed_gives_the_same_proposals() -> None:
    for path in PATHS[::7]:
        one, two = proposal(path, 4, 5), proposal(path, 4, 5)
        assert schema_to_json(one.schema) == schema_to_json(two.schema)
        assert specification_to_json(one.specification) == specification_to_json(two.specification)
        assert one.lexicon == two.lexicon


def test_one_author_gives_proposal_after_proposal() -> None:
    request = SchemaRequest(TAXONOMY.subdomains[PATHS[0]], 2)
    made = list(islice(RuleSchemaAuthor().generate(request, Random(1)), 3))
    assert len({fingerprint(one.schema) for one in made}) == 3


def test_what_a_list_names_is_named_once() -> None:
    schemas = (proposal("government/parliament", 3, seed) for seed in range(20))
    parties = next(
        nodes
        for schema in schemas
        for name, nodes in schema.specification.nodes.items()
        if "arty" in name
    )
    named = [c for c in parties.properties.values() if isinstance(c.of, Categorical) and c.unique]
    assert named
    assert isinstance(named[0].of, Categorical)
    assert parties.fixed == len(named[0].of.values)


def test_names_keep_one_style() -> None:
    for path in PATHS[::5]:
        schema = proposal(path, 5, 1).schema
        names = [p.name for node in schema.nodes for p in node.properties]
        camel = any(letter.isupper() for name in names for letter in name)
        assert camel != any("_" in name for name in names)
        labels = {edge.label for edge in schema.edges}
        assert len({label.isupper() for label in labels}) == 1


def test_some_schemas_have_types_with_two_labels() -> None:
    made = [proposal(path, 4, seed).schema for path in PATHS[::3] for seed in SEEDS]
    two = [schema for schema in made if any(len(node.labels) > 1 for node in schema.nodes)]
    assert len(made) / 10 < len(two) < len(made)


def test_a_level_that_is_not_there_is_refused() -> None:
    request = SchemaRequest(TAXONOMY.subdomains[PATHS[0]], 6)
    with pytest.raises(GraphmillError, match=r"no level 6\. There are: 1, 2, 3, 4, 5"):
        next(RuleSchemaAuthor().generate(request, Random(1)))


def test_the_words_of_a_graph_survive_their_file(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("graph")
    made = proposal("finance/anti-money-laundering", 4, 1)
    assert load_lexicon(folder, made.schema) is None
    save_lexicon(folder / "lexicon.toml", made.lexicon)
    assert load_lexicon(folder, made.schema) == made.lexicon


def test_a_relation_that_is_always_there_is_there_with_its_ends() -> None:
    domain = TAXONOMY.subdomains["government/public-procurement"]
    always = [relation for relation in domain.relations if relation.always]
    assert any(relation.source == "bid" for relation in always)
    for seed, level in product(range(10), (2, 3, 4)):
        chosen = blueprint(domain, level, Random(seed))
        names = {entity.name for entity in chosen.entities}
        types = {(relation.source, relation.type) for relation in chosen.relations}
        there = [relation for relation in always if {relation.source, relation.target} <= names]
        assert all((relation.source, relation.type) in types for relation in there)


def test_a_node_that_a_relation_has_become_leads_to_both_ends() -> None:
    domain = TAXONOMY.subdomains["life-sciences/drug-discovery"]
    binds = next(relation for relation in domain.relations if relation.type == "BINDS")
    stores = next(
        relation
        for relation in TAXONOMY.subdomains["retail/e-commerce"].relations
        if relation.type == "STORED_IN"
    )
    assert not stores.always
    for path, relation in (("retail/e-commerce", stores), (domain.path, binds)):
        _, edges = reified(TAXONOMY.subdomains[path], relation)
        assert [edge.always for edge in edges] == [True, True]


@pytest.mark.parametrize("level", [2, 4])
def test_schemas_lead_on_among_things_of_one_kind(level: int) -> None:
    """Without such a relation nothing can be asked over any number of steps."""
    chains = 0
    domains = [
        each
        for each in TAXONOMY.subdomains.values()
        if any(r.source == r.target and not r.symmetric for r in each.relations)
    ]
    for domain in domains:
        chosen = blueprint(domain, level, Random(11))
        chains += any(r.source == r.target and not r.symmetric for r in chosen.relations)
    assert chains >= 0.9 * len(domains)
