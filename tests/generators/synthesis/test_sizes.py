"""Numbers of nodes and edges: totals come out exactly, or are refused."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.synthesis.sizes import fewer_fixed, sized
from generators.synthesis.spec import load_specification
from graphmill.errors import ConfigError
from schemagraph.folder.serde import load_schema

PARCELS = Path(__file__).parent / "parcels"
SCHEMA = load_schema(PARCELS)
SPEC = load_specification(PARCELS)


@given(st.integers(200, 100_000), st.floats(2.5, 6))
def test_totals_come_out_exactly(nodes: int, density: float) -> None:
    edges = round(nodes * density)
    whole = sized(SCHEMA, SPEC, nodes, edges)
    counts = {name: part.count or 0 for name, part in whole.nodes.items()}
    assert sum(counts.values()) == nodes
    assert counts["Depot"] == 12  # fixed
    assert abs(counts["Parcel"] / (nodes - 12) - 0.67) < 0.01
    links = {name: part.count or 0 for name, part in whole.edges.items()}
    assert sum(links.values()) == edges
    assert links["Customer-SENT-Parcel"] == counts["Parcel"]  # each parcel has one sender
    assert links["Courier-REPORTS_TO-Courier"] == counts["Courier"] - 1  # all but the top
    assert links["Customer-KNOWS-Customer"] % 2 == 0  # both directions


def test_others_take_the_place_of_edges_without_ends() -> None:
    before, after = (sized(SCHEMA, SPEC, 2_000, 7_000, missing) for missing in (0, 300))
    counts = [{name: part.count or 0 for name, part in s.edges.items()} for s in (before, after)]
    assert [sum(each.values()) for each in counts] == [7_000, 7_300]
    bound = [name for name, part in SPEC.edges.items() if part.cardinality != "n:m"]
    assert all(counts[0][name] == counts[1][name] for name in bound)


def test_without_a_total_weights_mean_the_same_for_nodes_and_edges() -> None:
    whole = sized(SCHEMA, SPEC, 10_012)
    passed, parcels = whole.edges["Parcel-PASSED-Depot"].count, whole.nodes["Parcel"].count
    assert passed == pytest.approx(170 / 67 * (parcels or 0), rel=0.01)


def test_whole_numbers_get_no_decimals() -> None:
    whole = sized(SCHEMA, SPEC, 2_000)
    capacity = whole.nodes["Depot"].properties["capacity"].of
    assert capacity.kind == "lognormal"
    assert capacity.decimals == 0
    staff = whole.nodes["Depot"].properties["staff"].of
    assert staff.kind == "correlated"
    assert staff.of.kind == "normal"
    assert staff.of.decimals == 0


@pytest.mark.parametrize(
    ("nodes", "edges", "message"),
    [
        (10, None, "at least 15 nodes, not 10"),
        (2_000, 100, "this schema has from"),
        (2_000, 100_000_000, "not 100000000"),
    ],
)
def test_what_cannot_be_met_is_refused(nodes: int, edges: int | None, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        sized(SCHEMA, SPEC, nodes, edges)


def test_more_edges_than_pairs_are_refused() -> None:
    passed = SPEC.edges["Parcel-PASSED-Depot"].model_copy(update={"fixed": 10_000})
    given = SPEC.model_copy(update={"edges": {**SPEC.edges, "Parcel-PASSED-Depot": passed}})
    with pytest.raises(ConfigError, match=r"fixed is 10000, but .* form 2316 different pairs"):
        sized(SCHEMA, given, 300)  # 193 parcels (67 of 100 nodes that are no depots), 12 depots


def test_fixed_numbers_are_smaller_in_a_graph_that_has_no_room_for_them() -> None:
    assert fewer_fixed(SPEC, 15) is None  # 12 depots and one of each other type
    assert fewer_fixed(SPEC, 3) is None  # fewer than types
    given = fewer_fixed(SPEC, 10)
    assert given is not None
    counts = {name: part.count for name, part in sized(SCHEMA, given, 10).nodes.items()}
    assert counts["Depot"] == 5
    assert sum(n or 0 for n in counts.values()) == 10
