"""What a node type and a property say of a thing is the same, where a schema has both."""

from __future__ import annotations

from random import Random

from generators.schemas.blueprint import blueprint
from generators.taxonomy import load_taxonomy


def test_a_list_that_values_elsewhere_depend_on_agrees_with_its_node_type() -> None:
    network = load_taxonomy().subdomains["telecommunications/mobile-network"]
    matches = []
    for seed in range(60):
        chosen = blueprint(network, 4, Random(seed))
        sites = next((e for e in chosen.entities if e.name == "cell_site"), None)
        kind = next((r for r in chosen.relations if r.target == "cell_site#technology"), None)
        if sites and kind and sites.property("technology"):
            matches.append(kind.match)
    assert matches
    assert set(matches) == {(("technology", "name"),)}
