"""Content hashes: the order of rows does not matter, everything else does."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from schemagraph.staging.hashing import TableDigest
from schemagraph.storage_classes import RawText, lanes, values

CELLS = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=130),
    st.sampled_from(["", "\0", "\0\0", "a\0", "a", 0, 0.0, b"", b"a", 1, 1.0, "1"]),
    st.binary(max_size=130),
)
ROWS = st.lists(st.tuples(CELLS, CELLS), max_size=8)


def digest(*batches: list[tuple[Any, ...]]) -> TableDigest:
    found = TableDigest(("a", "b"))
    for batch in batches:
        if batch:
            found.add([lanes(column) for column in zip(*batch, strict=True)], len(batch))
    return found


def exact(rows: list[tuple[Any, ...]]) -> list[Any]:
    """Rows such that 1, 1.0 and '1' differ, sorted; -0.0 is not 0.0."""
    return sorted([(type(v).__name__, repr(v)) for v in row] for row in rows)


@settings(deadline=None)
@given(ROWS, st.randoms(use_true_random=False), st.integers(0, 8))
def test_neither_order_nor_batches_matter(rows: list[Any], random: Any, cut: int) -> None:
    shuffled = random.sample(rows, len(rows))
    assert digest(rows) == digest(shuffled[:cut], shuffled[cut:])


@settings(max_examples=300, deadline=None)
@given(ROWS, ROWS)
def test_other_rows_have_another_hash(one: list[Any], two: list[Any]) -> None:
    assert (digest(one) == digest(two)) == (exact(one) == exact(two))


def test_values_that_change_places_show_in_the_rows_alone() -> None:
    one, two = digest([(1, "a"), (2, "b")]), digest([(1, "b"), (2, "a")])
    assert one.columns == two.columns
    assert one.text != two.text
    assert digest([("a", "b")]).text != digest([("b", "a")]).text


def test_text_that_is_not_utf8_is_text() -> None:
    long = b"\xff" * 100
    assert digest([(RawText(long), 1)]) != digest([(long, 1)])
    assert digest([(RawText("ü".encode()), 1)]) == digest([("ü", 1)])


@given(st.lists(CELLS, max_size=6))
def test_lanes_hold_the_values(given_values: list[Any]) -> None:
    back = values(lanes(given_values), len(given_values))
    assert [(type(v), repr(v)) for v in back] == [(type(v), repr(v)) for v in given_values]
