"""Equal answers are told from different ones: bags, tolerance, ties."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engines.base import Result
from engines.compare import allowed, answer_hash, normalise, same_bag

pytestmark = pytest.mark.slow

NODE = {"labels": ["A", "B"], "key": {"id": 1}, "properties": {"id": 1, "x": "one"}}


def answer(*rows: tuple[Any, ...], width: int = 1) -> Result:
    return Result(tuple(f"c{i}" for i in range(len(rows[0]) if rows else width)), rows)


EQUAL = [
    (1, 1.0),
    (0.1 + 0.2, 0.3),
    (1e300, 1e300 * (1 + 1e-12)),
    (0.0, -0.0),
    (float("nan"), float("nan")),
    (float("inf"), float("inf")),
    (2**53, float(2**53)),
    # 0.1234567890 and 0.1234567891 are next to each other in ten digits
    (0.12345678905, 0.12345678905000001),
    (None, None),
    ([1, [2.0, None]], [1.0, [2, None]]),
    (NODE, {**NODE, "labels": ["B", "A"], "properties": {}}),
    ({"a": 1, "b": 2}, {"b": 2.0, "a": 1}),
]

DIFFERENT = [
    (1, 2),
    (1, 1.001),
    (2**60, 2**60 + 1),
    (True, 1),
    (True, "true"),
    (None, 0),
    (None, ""),
    ("1", 1),
    ("a", "A"),
    (float("nan"), None),
    (float("inf"), 10**400),
    ([1, 2], [2, 1]),
    ([], None),
    (NODE, {**NODE, "key": {"id": 2}}),
    (NODE, {**NODE, "labels": ["A"]}),
    ({"a": 1}, {"a": 1, "b": None}),
    # without a key, the properties tell nodes apart
    (
        {"labels": ["A"], "key": {}, "properties": {"x": 1}},
        {"labels": ["A"], "key": {}, "properties": {"x": 2}},
    ),
]


@pytest.mark.parametrize(("a", "b"), EQUAL)
def test_equal_values(a: Any, b: Any) -> None:
    assert same_bag(answer((a,)), answer((b,)))
    assert allowed(answer((a,)), answer((b, 1)), keys=1)


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_different_values(a: Any, b: Any) -> None:
    verdict = same_bag(answer((a,)), answer((b,)))
    assert not verdict
    assert (verdict.extra, verdict.missing) == (((a,),), ((b,),))


def test_booleans_of_an_engine_without_any() -> None:
    ours, theirs = answer((True, [False])), answer((1, [0]))
    assert not same_bag(ours, theirs)
    assert same_bag(ours, theirs, booleans=False)


def test_lists_without_an_order() -> None:
    ours, theirs = answer(([1.0, "a", [3, 2]],)), answer((["a", [2, 3], 1],))
    assert not same_bag(ours, theirs)
    assert same_bag(ours, theirs, unordered_lists=True)


def test_a_path_keeps_its_order_among_lists_without_one() -> None:
    end = {**NODE, "key": {"id": 2}}
    there, back = {"nodes": [NODE, end], "edges": []}, {"nodes": [end, NODE], "edges": []}
    assert not same_bag(answer((there,)), answer((back,)), unordered_lists=True)


def test_bags_count_duplicates() -> None:
    verdict = same_bag(answer((1,), (1,), (2,)), answer((1,), (2,), (2,)))
    assert (verdict.extra, verdict.missing) == (((1,),), ((2,),))


def test_number_of_columns_and_rows() -> None:
    assert "columns" in same_bag(answer((1, 2)), answer((1,))).reason
    assert "2 rows, not 1" in same_bag(answer((1,), (1,)), answer((1,))).reason
    assert same_bag(answer(width=3), answer(width=3))


PROBE = answer(("a", 1), ("b", 2), ("c", 2), ("d", 2), ("e", 3))  # last column: the sort key


@pytest.mark.parametrize(
    ("names", "skip", "limit", "ok"),
    [
        ("abcde", 0, None, True),
        ("adcbe", 0, None, True),  # b, c, d are ties
        ("bacde", 0, None, False),  # against ORDER BY
        ("ab", 0, 2, True),
        ("ad", 0, 2, True),  # any of the ties that LIMIT cuts
        ("ae", 0, 2, False),
        ("aa", 0, 2, False),
        ("bb", 1, 2, False),  # twice from a tie that has it once
        ("dc", 1, 2, True),
        ("cde", 2, None, True),
        ("cdb", 2, 3, False),
        ("a", 0, 2, False),
        ("", 0, 0, True),
        ("", 9, 5, True),
        ("e", 4, 100, True),
    ],
)
def test_windows_and_ties(names: str, skip: int, limit: int | None, ok: bool) -> None:
    given = answer(*[(name,) for name in names])
    verdict = allowed(given, PROBE, keys=1, skip=skip, limit=limit)
    assert verdict.ok is ok, verdict
    assert bool(verdict.reason) is not ok


def test_limit_without_order_is_any_part() -> None:
    whole = answer(*[(n,) for n in "abcde"])
    assert allowed(answer(("e",), ("b",)), whole, limit=2)
    assert not allowed(answer(("e",), ("e",)), whole, limit=2)


def test_sort_keys_that_differ_by_rounding_are_ties() -> None:
    probe = answer(("a", 0.3), ("b", 0.1 + 0.2), ("c", 0.4))
    assert allowed(answer(("b",), ("a",), ("c",)), probe, keys=1)


def test_what_follows_a_key_that_may_be_rounded_otherwise_decides_nothing() -> None:
    probe = answer(("a", 0.3, "a"), ("b", 0.3, "b"), ("c", 1, "c"), ("d", 1, "d"))
    turned = answer(("b",), ("a",), ("c",), ("d",))
    assert not allowed(turned, probe, keys=2)
    assert allowed(turned, probe, keys=2, rough=(0,))
    whole = answer(("a",), ("b",), ("d",), ("c",))
    assert not allowed(whole, probe, keys=2, rough=(0,))


def test_a_wrong_order_is_told_from_wrong_rows() -> None:
    probe = answer(("a", 1), ("b", 2))
    assert "ORDER BY" in allowed(answer(("b",), ("a",)), probe, keys=1).reason
    assert "referee" in allowed(answer(("a",), ("x",)), probe, keys=1).reason


def test_hash_of_bags_and_lists() -> None:
    ours, theirs = answer((1, "x"), (2, "y")), answer((2.0, "y"), (1, "x"))
    assert answer_hash(ours, ordered=False) == answer_hash(theirs, ordered=False)
    assert answer_hash(ours, ordered=True) != answer_hash(theirs, ordered=True)
    assert answer_hash(answer(("1", "x")), ordered=False) != answer_hash(
        answer((1, "x")), ordered=False
    )


def test_a_hundred_thousand_rows() -> None:
    rows = [(number, f"name {number}", number / 7) for number in range(100_000)]
    noisy = [(a, b, c * (1 + 1e-13)) for a, b, c in reversed(rows)]
    wrong = [(a + 1, b, c) for a, b, c in rows]
    start = perf_counter()
    assert same_bag(Result(("a", "b", "c"), tuple(noisy)), Result(("a", "b", "c"), tuple(rows)))
    assert not same_bag(Result(("a", "b", "c"), tuple(wrong)), Result(("a", "b", "c"), tuple(rows)))
    keyed = Result(("a", "b", "c", "k"), tuple((*row, row[0]) for row in rows))
    assert allowed(Result(("a", "b", "c"), tuple(rows)), keyed, keys=1)
    assert perf_counter() - start < 60  # about 5 s; quadratic work would take hours


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=8,
)


@given(st.lists(st.tuples(plain, plain), max_size=6), st.randoms(use_true_random=False))
def test_an_answer_equals_itself_in_any_order(rows: list[tuple[Any, Any]], random: Any) -> None:
    shuffled = random.sample(rows, len(rows))
    ours, theirs = Result(("a", "b"), tuple(rows)), Result(("a", "b"), tuple(shuffled))
    assert same_bag(ours, theirs)
    assert answer_hash(ours, ordered=False) == answer_hash(theirs, ordered=False)
    assert same_bag(ours, theirs, unordered_lists=True)


@given(plain)
@example(1.7976931345e308)
def test_normalising_twice_changes_nothing(value: Any) -> None:
    once = normalise(value)
    assert repr(normalise(once)) == repr(once)
