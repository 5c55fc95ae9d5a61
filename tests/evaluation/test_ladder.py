"""The ladder of comparisons, each case worked out by hand (X-3: bag or set, order, ties, columns,
numbers, LIMIT)."""

from __future__ import annotations

from typing import Any

import pytest

from engines.base import Result
from engines.ladder import Gold, Rung, every_choice, rows_in_any_columns, rung

# (name, age), the last column is the sort key; ties: (b, c) and (d, e, f)
TIES = [("a", 1, 9), ("b", 2, 8), ("c", 2, 8), ("d", 3, 7), ("e", 3, 7), ("f", 3, 7)]


def result(rows: list[tuple[Any, ...]], width: int = 0) -> Result:
    width = width or (len(rows[0]) if rows else 1)
    return Result(tuple(f"c{n}" for n in range(width)), tuple(rows))


PLAIN = Gold(result([("a", 1), ("b", 2), ("b", 2)]))
EMPTY = Gold(result([], 2))
ORDERED = Gold(result([("a", 9), ("b", 8), ("c", 8), ("d", 7)]), keys=1)
TOP = Gold(result(TIES), keys=1, limit=4)  # a, b and c in any order, then one of d, e, f
PAGE = Gold(result(TIES), keys=1, skip=2, limit=2)  # one of b and c, one of d, e, f
ANY_TWO = Gold(result([("a",), ("b",), ("c",), ("c",)]), limit=2)
ONE_OF_TWO = Gold(result([("b",), ("c",)]), limit=1)
ONE_OF_THREE = Gold(result([("a",), ("b",), ("c",)]), limit=1)
LISTS = Gold(result([(["x", "y"],)]), unordered_lists=True)


@pytest.mark.parametrize(
    ("gold", "rows", "expected"),
    [
        (PLAIN, [("b", 2), ("a", 1), ("b", 2)], Rung.ORDERED),  # the gold does not order
        (PLAIN, [("b", 2.0), ("a", 1), ("b", 2)], Rung.ORDERED),
        (PLAIN, [("a", 1), ("b", 2)], Rung.SET),
        (PLAIN, [("a", 1), ("a", 1), ("b", 2)], Rung.SET),
        (PLAIN, [(1, "a"), (2, "b"), (2, "b")], Rung.COLUMNS),
        (PLAIN, [(2, "b"), (1, "a")], Rung.COLUMNS),
        (PLAIN, [("a", 1), ("b", 2), ("c", 2)], Rung.NONE),
        (PLAIN, [("a", 1), ("b", "2"), ("b", "2")], Rung.NONE),
        (PLAIN, [("a",), ("b",), ("b",)], Rung.NONE),
        (PLAIN, [("a", 1, 0), ("b", 2, 0), ("b", 2, 0)], Rung.NONE),
        (ORDERED, [("a",), ("b",), ("c",), ("d",)], Rung.ORDERED),
        (ORDERED, [("a",), ("c",), ("b",), ("d",)], Rung.ORDERED),  # b and c are a tie
        (ORDERED, [("d",), ("c",), ("b",), ("a",)], Rung.BAG),
        (ORDERED, [("d",), ("c",), ("b",), ("a",), ("a",)], Rung.SET),
        (TOP, [("a", 1), ("c", 2), ("b", 2), ("f", 3)], Rung.ORDERED),
        (TOP, [("f", 3), ("c", 2), ("b", 2), ("a", 1)], Rung.BAG),
        (TOP, [("a", 1), ("b", 2), ("c", 2), ("d", 3), ("e", 3)], Rung.NONE),  # one of d, e, f
        (TOP, [("a", 1), ("b", 2), ("c", 2), ("d", 3), ("d", 3)], Rung.SET),
        (TOP, [("a", 1), ("b", 2), ("d", 3), ("e", 3)], Rung.NONE),  # c is lost
        (TOP, [(1, "a"), (2, "c"), (2, "b"), (3, "e")], Rung.COLUMNS),
        (PAGE, [("c", 2), ("e", 3)], Rung.ORDERED),
        (PAGE, [("e", 3), ("c", 2)], Rung.BAG),
        (PAGE, [("d", 3), ("e", 3)], Rung.NONE),
        (PAGE, [("b", 2), ("c", 2)], Rung.NONE),
        (ANY_TWO, [("c",), ("c",)], Rung.ORDERED),
        (ANY_TWO, [("b",), ("b",)], Rung.SET),  # c, c would be one row, too
        (ANY_TWO, [("a",)], Rung.SET),
        (ANY_TWO, [("d",), ("a",)], Rung.NONE),
        (LISTS, [(["y", "x"],)], Rung.ORDERED),
        (LISTS, [(["y"],)], Rung.NONE),
        (EMPTY, [], Rung.ORDERED),
        (EMPTY, [("a", 1)], Rung.NONE),
    ],
)
def test_rungs(gold: Gold, rows: list[tuple[Any, ...]], expected: Rung) -> None:
    assert rung(result(rows, gold.width if not rows else 0), gold) is expected


@pytest.mark.parametrize(
    ("mine", "gold", "expected"),
    [
        (TOP, TOP, True),
        (PAGE, PAGE, True),
        (ANY_TWO, ANY_TWO, True),
        (Gold(result([("c",), ("c",)]), limit=1), Gold(result([("c",)])), True),  # either is c
        (ONE_OF_TWO, Gold(result([("c",)])), False),
        (ONE_OF_TWO, ONE_OF_THREE, True),  # fewer rows to choose from, each of them allowed
        (ONE_OF_THREE, ONE_OF_TWO, False),
        (Gold(result([("c",)] * 3), limit=2), ANY_TWO, True),
        (Gold(result([("b",)] * 3), limit=2), ANY_TWO, False),  # there is one b
    ],
)
def test_what_a_free_limit_chooses_is_right_whichever_it_is(
    mine: Gold, gold: Gold, expected: bool
) -> None:
    assert every_choice(mine, gold) is expected


def test_rows_are_judged_with_columns_in_the_best_order() -> None:
    assert rows_in_any_columns(
        result([(9, "a"), (8, "b")]), Gold(result([("a", 9), ("b", 8)]))
    ) is (Rung.ORDERED)
    ordered = Gold(result([("a", 1, 1), ("b", 2, 2)]), keys=1)
    assert rows_in_any_columns(result([(2, "b"), (1, "a")]), ordered) is Rung.BAG
    assert rows_in_any_columns(result([("a", 1, 1)]), ordered) is None


def test_many_equal_columns_end() -> None:
    """Twelve columns of the same values have 479,001,600 orders."""
    rows = [tuple(range(12)), tuple(range(12, 24))]
    wrong = [tuple([1] * 12), tuple([2] * 12)]
    assert rung(result(wrong), Gold(result(rows))) is Rung.NONE
    same = [tuple([1, 2] * 6), tuple([2, 1] * 6)]
    assert rung(result([tuple([1, 1, 2, 2] * 3), tuple([2, 2, 1, 1] * 3)]), Gold(result(same))) in (
        Rung.COLUMNS,
        Rung.NONE,
    )


def test_booleans_of_sqlite_are_numbers() -> None:
    gold = Gold(result([(True,), (False,)]))
    assert rung(result([(1,), (0,)]), gold, booleans=False) is Rung.ORDERED
    assert rung(result([(1,), (0,)]), gold) is Rung.NONE
