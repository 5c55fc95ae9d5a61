"""Measures numbers that are shared out among rows, and numbers made of all edges of a node."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from qa.synthesis.report import Measure, none_of
from schemagraph.specification.distributions import Aggregated, Allotted


def measure_allotted(
    place: str, of: Allotted, values: pl.Series, whole: pl.Series, by: pl.Series
) -> Iterator[Measure]:
    """The parts of each whole together are the share of it that they must be; none is negative."""
    table = pl.DataFrame({"by": by, "whole": whole.cast(pl.Float64), "part": values})
    sums = table.group_by("by").agg(
        pl.col("part").cast(pl.Float64).sum(), pl.col("whole").first(), pl.len().alias("parts")
    )
    step = 10.0**-of.decimals
    # Each part was rounded by itself.
    slack = 0.51 * step * (1 + 0.01 * sums["parts"]) + 1e-9 * sums["whole"].abs()
    low = pl.min_horizontal(sums["whole"] * of.low, sums["whole"] * of.high)
    high = pl.max_horizontal(sums["whole"] * of.low, sums["whole"] * of.high)
    bounds = sums.select(low=low, high=high)
    outside = (sums["part"] < bounds["low"] - slack) | (sums["part"] > bounds["high"] + slack)
    whole_name = of.column or f"{of.whole:g}"
    what = f"parts that are not {of.low:g} to {of.high:g} times {whole_name} together"
    yield none_of(place, what, int(outside.sum()))
    negative = int(((values < 0) & (whole > 0)).sum())
    yield none_of(place, f"negative parts of {whole_name}", negative)


def measure_aggregated(
    place: str,
    of: Aggregated,
    values: pl.Series,
    ends: np.ndarray,
    column: pl.Series,
) -> Measure:
    """Every value is what all edges of its row give. `ends` are the rows of the edges at this end,
    `column` is what they are made of, an entry for each edge."""
    rows = pl.DataFrame({"row": np.arange(len(values))})
    edges = pl.DataFrame({"row": ends})
    if of.how == "count":
        made = edges.group_by("row").agg(value=pl.len())
    else:
        how = {"sum": pl.col("value").sum(), "least": pl.col("value").min()}
        made = (
            edges.with_columns(value=column)
            .drop_nulls()
            .group_by("row")
            .agg(how.get(of.how, pl.col("value").max()))
        )
    wanted = rows.join(made, on="row", how="left", maintain_order="left")["value"]
    if of.how in ("count", "sum"):
        wanted = wanted.fill_null(0)
    if of.otherwise is not None:  # those without an edge are measured by themselves
        there = pl.Series(np.bincount(ends, minlength=len(values)) > 0)
        values, wanted = values.filter(there), wanted.filter(there)
    if wanted.dtype.is_float():
        slack = 0.51 * 10.0**-of.decimals + 1e-9 * values.abs()
        wrong = ((values - wanted).abs() > slack).fill_null(False)
        wrong = wrong | (values.is_null() != wanted.is_null())
    else:
        wrong = values.cast(wanted.dtype).ne_missing(wanted)
    made_of = f" of {of.column}" if of.column else ""
    what = f"values that are not the {of.how}{made_of} over {of.edge}"
    return none_of(place, what, int(wrong.sum()))
