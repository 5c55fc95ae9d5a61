"""Tables without a row: each kind of distribution gives a column that is empty."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
import pytest

from generators.synthesis import spec
from generators.synthesis.library.rows import Rows
from generators.synthesis.library.values import KINDS

UNIFORM = spec.Uniform(low=1, high=9)
COLUMNS: Mapping[str, tuple[Any, Any]] = {
    "word": (spec.Categorical(values=("a", "b")), pl.String),
    "day": (spec.Dates(start="2020-01-01", end="2020-12-31", workdays=True), pl.Date),
    "number": (UNIFORM, pl.Float64),
    "zipf": (spec.Zipf(values=("a", "b")), pl.String),
    "flag": (spec.Flag(share=0.5), pl.Boolean),
    "normal": (spec.Normal(mean=1, deviation=2), pl.Float64),
    "lognormal": (spec.LogNormal(median=1, sigma=1), pl.Int64),
    "mixture": (spec.Mixture(parts=(spec.Weighted(of=UNIFORM),) * 2), pl.Float64),
    "after": (spec.After(columns=("day",), until="2021-12-31", workdays=True), pl.Date),
    "sequence": (spec.Sequence(prefix="N", digits=4, by="day"), pl.String),
    "pattern": (spec.Pattern(text="DE## #### ####", check="iban"), pl.String),
    "faker": (spec.Faker(provider="name"), pl.String),
    "template": (
        spec.Template(text="{word:slug} {number:####}{list}", lists={"list": ("x",)}),
        pl.String,
    ),
    "correlated": (spec.Correlated(column="number", correlation=0.5, of=UNIFORM), pl.Float64),
    "scaled": (spec.Scaled(column="number", factor=UNIFORM), pl.Int64),
    "copied": (spec.Copied(column="day"), pl.Date),
    "conditional": (
        spec.Conditional(column="word", cases={"a": UNIFORM}, otherwise=UNIFORM),
        pl.Int64,
    ),
    "banded": (
        spec.Banded(column="number", bands=(spec.Band(upto=4, of=UNIFORM),), otherwise=UNIFORM),
        pl.Int64,
    ),
    "product": (spec.Product(columns=("number", "number")), pl.Float64),
    "annuity": (spec.Annuity(amount="number", rate="number", months="number"), pl.Float64),
    "sum": (spec.Sum(columns=("number", "number")), pl.Float64),
    "elapsed": (spec.Elapsed(start="day", end="after", unit="days"), pl.Float64),
    "curve": (
        spec.Curve(column="number", points=(spec.Point(x=0, y=1), spec.Point(x=9, y=2))),
        pl.Float64,
    ),
    "ordinal": (spec.Ordinal(column="word", by="day"), pl.Int64),
    "first": (
        spec.First(column="word", of=spec.Flag(share=1), otherwise=spec.Flag(share=0)),
        pl.Boolean,
    ),
    "allotted": (spec.Allotted(column="number", by="word", low=1, high=1), pl.Float64),
    "aggregated": (
        spec.Aggregated(edge="A-B-A", how="sum", column="number", otherwise=UNIFORM),
        pl.Float64,
    ),
    "several": (spec.Several(values=("a", "b"), fewest=1, most=2), pl.List(pl.String)),
}


def test_every_kind_but_absent_is_tried() -> None:
    assert {of.kind for of, _ in COLUMNS.values()} == set(KINDS) - {"absent"}


@pytest.mark.parametrize("unique", [False, True])
@pytest.mark.parametrize("name", COLUMNS)
def test_no_rows_have_an_empty_column(name: str, unique: bool) -> None:
    columns = {
        each: spec.Column(of=of, null=0.1, unique=unique and each == name).model_dump(mode="json")
        for each, (of, _) in COLUMNS.items()
    }
    none = np.array([], dtype=int)
    rng = np.random.default_rng(1)
    rows = Rows({"properties": columns}, 0, rng)
    rows.join("A-B-A", Rows({"properties": columns}, 0, rng), none)
    rows.joined["A-B-A"][0].add("number", pl.Float64)
    for each, (_, dtype) in COLUMNS.items():
        if each in ("word", "day", "number", "after", name) and each not in rows.columns:
            rows.add(each, dtype)
    assert rows.columns[name].dtype == COLUMNS[name][1]
    assert len(rows.columns[name]) == 0
