"""Graphs of a few nodes, of domains whose tables then have nobody at an end, or no row at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.synthesis_small import outcome
from generators.synthesis.sizes import sized
from pipelines.synth.domains import order_for_domain
from pipelines.synth.synthesis import draws_of

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("name", "nodes", "seed"),
    [
        ("education/research-publications", 50, 1),  # nobody fits by chance
        ("energy/power-grid", 50, 2),  # a conditional column of no edges
        ("finance/consumer-lending", 30, 6),  # what must have a value is made over an edge
        ("government/parliament", 30, 8),  # more of a fixed number than nodes
        ("healthcare/clinical-trials", 30, 2),
        ("manufacturing/automotive-supply-chain", 50, 2),  # one source, and targets that need one
        ("retail/online-marketplace", 30, 1),
        ("telecommunications/mobile-network", 30, 1),
    ],
)
def test_a_few_nodes_are_drawn(name: str, nodes: int, seed: int, tmp_path: Path) -> None:
    order = order_for_domain(name, tmp_path / "graph", nodes=nodes, seed=seed)
    kind, why = outcome(order)
    assert kind == "drawn", why


def test_small_graphs_are_tried_more_often(tmp_path: Path) -> None:
    small, large = (
        order_for_domain("finance/consumer-lending", tmp_path / "graph", nodes=nodes)
        for nodes in (30, 10_000)
    )
    draws = [draws_of(sized(o.schema, o.specification, o.nodes)) for o in (small, large)]
    assert draws == [12, 3]
