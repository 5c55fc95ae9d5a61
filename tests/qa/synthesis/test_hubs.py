"""Degrees under two power laws at once: as far as a simple graph has them, and no less."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.synthesis.library.edges import many_to_many
from generators.synthesis.library.rows import Rows
from qa.synthesis.hubs import expected_degrees, joined_once, within_groups
from qa.synthesis.pairs import measure_pairs, rooms_of
from qa.synthesis.report import Measure
from schemagraph.specification.model import Edges, End, PowerLaw, Same, Spread

LAWS = st.one_of(
    st.builds(PowerLaw, exponent=st.floats(1.6, 3)), st.builds(Spread, ratio=st.floats(1, 9))
)


@given(LAWS, LAWS, st.integers(40, 300), st.integers(40, 300), st.floats(0.01, 0.4))
def test_what_is_left_of_a_law_is_possible(
    one: PowerLaw | Spread, other: PowerLaw | Spread, nodes: int, partners: int, density: float
) -> None:
    edges = int(density * nodes * partners)
    wanted = expected_degrees(End(degree=one), nodes, edges, partners)
    theirs = expected_degrees(End(degree=other), partners, edges, nodes)
    left = joined_once(wanted, theirs)
    assert left.sum() == pytest.approx(edges, rel=0.01)
    # Gale and Ryser: the k highest have no more than all others together have for k nodes.
    size = np.arange(1, nodes + 1)
    most = np.minimum(theirs[None, :], size[:, None]).sum(axis=1)
    assert (np.cumsum(np.sort(left)[::-1]) <= 1.02 * most).all()
    if (np.cumsum(wanted) < 0.9 * np.minimum(most, edges))[: nodes // 2].all():
        assert left == pytest.approx(wanted, rel=0.1)


# About 4 edges a node, so that hubs of both ends would be joined again and again.
DENSE = Edges(
    cardinality="n:m",
    count=8_000,
    source=End(degree=PowerLaw(exponent=1.9)),
    target=End(degree=PowerLaw(exponent=1.8)),
)
SIZES = (2_000, 3_500)


def drawn(part: Edges) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    source, target = (Rows({}, size, rng) for size in SIZES)
    return many_to_many(part.model_dump(mode="json") | {"alike": False}, source, target, rng)


def failures(pairs: tuple[np.ndarray, np.ndarray]) -> list[Measure]:
    found = measure_pairs("edges.E", DENSE, *pairs, SIZES, alike=False)
    return [measure for measure in found if not measure.ok]


def test_hubs_of_both_ends_are_joined_as_far_as_they_can_be() -> None:
    assert failures(drawn(DENSE)) == []


@pytest.mark.parametrize("side", ["source", "target"])
def test_a_law_that_one_end_ignores_is_found_beside_the_other_law(side: str) -> None:
    pairs = drawn(DENSE.model_copy(update={side: End(degree=Spread(ratio=5))}))
    assert any("tenth of nodes" in f.what and f.place.endswith(side) for f in failures(pairs))


def test_a_law_that_both_ends_ignore_is_found_at_both() -> None:
    even = End(degree=Spread(ratio=5))
    found = failures(drawn(DENSE.model_copy(update={"source": even, "target": even})))
    assert {f.place for f in found} == {"edges.E.source", "edges.E.target"}


@given(LAWS, st.integers(40, 300), st.lists(st.integers(1, 40), min_size=1), st.floats(0.1, 0.9))
def test_no_node_has_more_partners_than_its_group(
    law: PowerLaw | Spread, nodes: int, groups: list[int], filled: float
) -> None:
    rooms = np.resize(np.array(groups, dtype=float), nodes)
    wanted = expected_degrees(End(degree=law), nodes, max(1, int(filled * rooms.sum())), None)
    left = within_groups(wanted, rooms)
    # A node has the degree at the middle of its place among falling ones: half of their range off.
    middle = (left.max() - left.min()) / 2
    edges = wanted.sum()
    assert left.sum() == pytest.approx(edges, abs=middle + 0.5 + 0.05 * edges)
    highest = np.sort(rooms)[::-1]
    assert (np.cumsum(left) <= np.cumsum(highest) + 1e-6).all()
    if wanted.max() <= rooms.min():
        assert left == pytest.approx(wanted, rel=0.35, abs=0.1)  # classes of few nodes are wide


def test_hubs_of_small_groups_are_as_large_as_their_groups() -> None:
    """Commits change files of their own repository, and most repositories have few files."""
    rng = np.random.default_rng(3)
    repository = pl.Series([f"r{number}" for number in rng.integers(260, size=3_000)])
    of_commit = pl.Series([f"r{number}" for number in rng.integers(260, size=6_000)])
    rule = Same(source="repository", target="repository", share=1.0, keys="source")
    part = Edges(
        cardinality="n:m",
        count=16_000,
        source=End(degree=PowerLaw(exponent=2.2)),
        target=End(degree=PowerLaw(exponent=1.9)),
        same=(rule,),
    )
    spec = part.model_dump(mode="json") | {"alike": False}
    source, target = Rows({}, 6_000, rng), Rows({}, 3_000, rng)
    source.columns["repository"], target.columns["repository"] = of_commit, repository
    pairs = many_to_many(spec, source, target, rng)
    tables = pl.DataFrame({"repository": of_commit}), pl.DataFrame({"repository": repository})
    rooms = rooms_of(part, *tables)
    assert rooms[0] is not None
    assert rooms[0].max() < 40

    def wrong(rooms: tuple[np.ndarray | None, np.ndarray | None]) -> list[Measure]:
        measures = measure_pairs("edges.E", part, *pairs, (6_000, 3_000), alike=False, rooms=rooms)
        return [measure for measure in measures if not measure.ok]

    assert wrong(rooms) == []
    assert wrong((None, None)) != []
