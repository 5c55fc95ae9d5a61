"""Answers as Arrow tables: every value comes back, whatever the column is made of."""

from __future__ import annotations

import json
import math
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.base import Result

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    SCALARS | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(st.lists(VALUES, max_size=5))
def test_every_value_comes_back(values: list[Any]) -> None:
    table = Result(("x",), tuple((value,) for value in values)).to_arrow()
    back = table["x"].to_pylist()
    if table.schema.field("x").metadata:
        back = [None if text is None else json.loads(text) for text in back]
    assert back == values


@given(st.lists(VALUES, max_size=5))
def test_polars_takes_every_column(values: list[Any]) -> None:
    frame = Result(("x",), tuple((value,) for value in values)).to_polars()
    assert frame.shape == (len(values), 1)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([], pa.null()),
        ([None], pa.null()),
        ([True, None], pa.bool_()),
        ([1, None], pa.int64()),
        ([1 << 63], pa.string()),
        ([1, 2.5], pa.float64()),
        ([(1 << 53) + 1, 2.5], pa.string()),
        ([10**400, 2.5], pa.string()),
        ([True, 1], pa.string()),
        (["a", None], pa.string()),
        ([["a"], None, []], pa.list_(pa.string())),
        ([[1], ["a"]], pa.string()),
        ([{"labels": ["A"]}], pa.string()),
        ([math.inf, math.nan], pa.float64()),
    ],
)
def test_the_type_of_a_column(values: list[Any], kind: pa.DataType) -> None:
    assert Result(("x",), tuple((value,) for value in values)).to_arrow()["x"].type == kind


def test_names_become_distinct() -> None:
    result = Result(("n", "n", "n_2", ""), ((1, "a", None, 2.0),))
    assert result.to_arrow().column_names == ["n", "n_3", "n_2", ""]
    assert result.to_polars().rows() == [(1, "a", None, 2.0)]


def test_no_columns() -> None:
    assert Result((), ((), ())).to_arrow().num_columns == 0
