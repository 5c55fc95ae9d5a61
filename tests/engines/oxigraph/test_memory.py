"""What a load reserves is no memory: a cap that holds the graph many times over loads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.isolation import IsolatedEngine
from graphmill.errors import QueryTooLarge

CAP = 400  # megabytes; a load takes 0.1 GB and reserves 1.6
EVERY_TWO = "SELECT ?a ?d WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l } ORDER BY ?a ?l"


@pytest.mark.slow
def test_a_graph_loads_below_what_its_load_reserves(graph: Path) -> None:
    with IsolatedEngine("oxigraph", graph, memory_mb=CAP) as engine:
        count = "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }"
        before = engine.run(count, language="sparql").rows
        with pytest.raises(QueryTooLarge):
            engine.run(EVERY_TWO, language="sparql", timeout=200)
        assert engine.run(count, language="sparql").rows == before  # a new worker has it, too
