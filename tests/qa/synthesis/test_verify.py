"""The measures of a synthesised graph: a right one passes, each fault is found at its place."""

from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import numpy as np
import polars as pl
import pytest

from qa.synthesis import verify_graph
from qa.synthesis.curves import chi_square, curve, distance
from qa.synthesis.degrees import fit_exponent
from qa.synthesis.pairs import measure_preferred
from schemagraph.specification.distributions import LogNormal, Mixture, Normal, Uniform, Weighted
from schemagraph.specification.model import Prefer
from tests.generators.synthesis.drawing import draw, parcels

pytestmark = pytest.mark.slow

SCHEMA, SPEC = parcels(4_000)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("graph")
    draw(SCHEMA, SPEC, 5, folder)
    return folder


def test_a_graph_as_specified_passes(drawn: Path) -> None:
    report = verify_graph(drawn, SCHEMA, SPEC)
    assert report.ok, report.problem()
    places = {measure.place for measure in report.measures}
    for node in SCHEMA.nodes:
        assert {f"nodes.{node.name}.properties.{p.name}" for p in node.properties} <= places
    assert {f"edges.{edge.name}" for edge in SCHEMA.edges} <= places


def shuffled(name: str) -> pl.Expr:
    return pl.col(name).shuffle(seed=1)


CUSTOMER, PARCEL = "nodes/Customer", "nodes/Parcel"
KNOWS, SENT = "edges/Customer__KNOWS__Customer", "edges/Customer__SENT__Parcel"
REPORTS, PASSED = "edges/Courier__REPORTS_TO__Courier", "edges/Parcel__PASSED__Depot"
REFERRED = "edges/Customer__REFERRED__Customer"
PREFERS = "edges/Customer__PREFERS__Depot"

FAULTS: dict[str, tuple[str, Callable[[pl.DataFrame], pl.DataFrame], str, str]] = {
    "a row less": (CUSTOMER, lambda t: t[1:], "nodes.Customer", "rows"),
    "a key twice": (
        "nodes/Courier",
        lambda t: t.with_columns(
            badge=pl.when(pl.int_range(pl.len()) == 1)
            .then(pl.col("badge").first())
            .otherwise("badge")
        ),
        "nodes.Courier",
        "keys that come again",
    ),
    "a value outside the enumeration": (
        PARCEL,
        lambda t: t.with_columns(status=pl.lit("eaten")),
        "status",
        "outside the enumeration",
    ),
    "other weights": (
        PARCEL,
        lambda t: t.with_columns(
            status=pl.when(pl.int_range(pl.len()) % 5 == 0)
            .then(pl.lit("lost"))
            .otherwise("status")
        ),
        "status",
        "effect size",
    ),
    "another shape": (
        PARCEL,
        lambda t: t.with_columns(price=pl.col("price").mean()),
        "price",
        "distance from lognormal",
    ),
    "no correlation": (
        PARCEL, lambda t: t.with_columns(price=shuffled("price")), "price", "rank correlation",
    ),
    "a broken derivation": (
        PARCEL, lambda t: t.with_columns(vat=pl.col("vat") + 1), "vat", "times price",
    ),
    "no seasons": (
        CUSTOMER,
        lambda t: t.with_columns(joined_on=pl.date(2024, 12, 31)),
        "joined_on",
        "distance from the seasons",
    ),
    "delivered before posted": (
        PARCEL,
        lambda t: t.with_columns(delivered_at=pl.col("posted_at") - pl.duration(hours=1)),
        "delivered_at",
        "values before posted_at",
    ),
    "no NULLs": (
        CUSTOMER,
        lambda t: t.with_columns(email=pl.col("email").fill_null("a.b@mail.example")),
        "email",
        "share of NULL",
    ),
    "a NULL where none may be": (
        CUSTOMER,
        lambda t: t.with_columns(city=pl.when(pl.int_range(pl.len()) > 0).then("city")),
        "city",
        "values that are NULL",
    ),
    "a text of another form": (
        PARCEL,
        lambda t: t.with_columns(tracking_no="x" + pl.col("tracking_no")),
        "tracking_no",
        "values of another form",
    ),
    "a list too long": (
        CUSTOMER,
        lambda t: t.with_columns(languages=pl.lit(["pt", "en", "es", "fr"])),
        "languages",
        "lists without 1 to 3 values",
    ),
    "a dangling edge": (
        PASSED,
        lambda t: t.with_columns(pl.lit(999).cast(pl.Int64).alias("target.depot_no")),
        "edges.Parcel-PASSED-Depot",
        "edges without their target",
    ),
    "two senders of a parcel": (
        SENT,
        lambda t: t.with_columns(pl.col("target.tracking_no").first()),
        "edges.Customer-SENT-Parcel",
        "targets with several edges",
    ),
    "no hubs": (
        SENT,
        lambda t: t.with_columns(
            pl.Series(
                "source.customer_id", [f"C-{1 + n % 1000:07}" for n in range(len(t))]
            )
        ),
        "edges.Customer-SENT-Parcel.source",
        "tenth of nodes with most",
    ),
    "the same edge again": (
        PASSED,
        lambda t: t.with_columns(pl.all().first()),
        "edges.Parcel-PASSED-Depot",
        "edges that come again",
    ),
    "a loop": (
        REFERRED,
        lambda t: t.with_columns(pl.col("source.customer_id").alias("target.customer_id")),
        "edges.Customer-REFERRED-Customer",
        "loops",
    ),
    "a cycle": (
        REPORTS,
        lambda t: pl.concat([t[:-1], t[:1].select(
            pl.col("target.badge").alias("source.badge"),
            pl.col("source.badge").alias("target.badge"),
        )]),
        "edges.Courier-REPORTS_TO-Courier",
        "cycle",
    ),
    "one direction only": (
        KNOWS,
        lambda t: t.with_columns(shuffled("target.customer_id")),
        "edges.Customer-KNOWS-Customer",
        "without their reverse",
    ),
    "no triangles": (
        KNOWS,
        lambda t: t.with_columns(shuffled("target.customer_id")),
        "edges.Customer-KNOWS-Customer",
        "close a triangle",
    ),
    "other cities": (
        PREFERS,
        lambda t: t.with_columns(shuffled("target.depot_no")),
        "edges.Customer-PREFERS-Depot",
        "source.city = target.city",
    ),
    "referred before joining": (
        REFERRED,
        lambda t: t.rename({
            "source.customer_id": "target.customer_id", "target.customer_id": "source.customer_id"
        }),
        "edges.Customer-REFERRED-Customer",
        "source.joined_on after target.joined_on",
    ),
    "conditions ignored": (
        REFERRED,
        lambda t: t.with_columns(bonus=pl.lit(5.0)),
        "bonus[target.segment=shop]",
        "values outside 15 to 40",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_at_its_place(drawn: Path, tmp_path: Path, fault: str) -> None:
    table, change, place, what = FAULTS[fault]
    copytree(drawn, tmp_path / "g")
    path = tmp_path / "g" / f"{table}.parquet"
    change(pl.read_parquet(path)).write_parquet(path)
    failures = verify_graph(tmp_path / "g", SCHEMA, SPEC).failures
    assert any(place in f.place and what in f.what for f in failures), [
        failure.sentence() for failure in failures
    ]


@pytest.mark.parametrize("exponent", [1.9, 2.3, 3.0])
def test_the_exponent_of_a_known_power_law_is_found(exponent: float) -> None:
    rng = np.random.default_rng(3)
    # Devroye's sampler of the zeta distribution is numpy's own, not what programs draw with.
    found = fit_exponent(rng.zipf(exponent, 40_000).astype(np.int64))
    assert found is not None
    assert abs(found[0] - exponent) < 0.12


def test_no_exponent_is_told_of_even_or_few_degrees() -> None:
    assert fit_exponent(np.full(1_000, 7)) is None
    assert fit_exponent(np.arange(1, 30)) is None


@pytest.mark.parametrize(
    "of",
    [
        Uniform(low=-3, high=8, decimals=1),
        Normal(mean=10, deviation=4, low=6),
        LogNormal(median=90, sigma=1.2, high=2_000, decimals=0),
        Mixture(
            parts=(Weighted(of=Normal(mean=0, deviation=1)), Weighted(of=Uniform(low=5, high=9)))
        ),
    ],
)  # fmt: skip
def test_a_curve_is_that_of_the_textbook(of: Uniform | Normal | LogNormal | Mixture) -> None:
    rng = np.random.default_rng(1)
    size = 50_000

    def numbers(given: object) -> np.ndarray:
        match given:
            case Uniform(low=low, high=high):
                return rng.uniform(low, high, size)
            case Normal(mean=mean, deviation=deviation):
                return rng.normal(mean, deviation, size)
            case LogNormal(median=median, sigma=sigma):
                return rng.lognormal(np.log(median), sigma, size)
        raise AssertionError

    if isinstance(of, Mixture):
        first = rng.random(size) < 0.5
        values = np.where(first, numbers(of.parts[0].of), numbers(of.parts[1].of))
    else:
        values = numbers(of)
        low = -np.inf if of.low is None else of.low
        values = values[(values >= low) & (values <= (np.inf if of.high is None else of.high))]
    assert distance(values, curve(of), 0.0) < 0.02
    assert distance(values * 1.2 + 0.3, curve(of), 0.0) > 0.03


def test_chi_square_is_significant_and_large_or_passes() -> None:
    effect, most = chi_square([5_100, 4_900], [0.5, 0.5])
    assert effect == pytest.approx(0.02)
    assert effect < most  # significant, and too small to matter
    effect, most = chi_square([8, 2], [0.5, 0.5])
    assert effect < most  # large, and may be chance
    effect, most = chi_square([700, 300], [0.5, 0.5])
    assert effect > most


@pytest.mark.parametrize(
    ("leads", "free", "narrowed"), [(11, True, True), (20, False, True), (40, False, False)]
)
def test_who_is_chosen_among_few_may_miss_the_weights(
    leads: int, free: bool, narrowed: bool
) -> None:
    """Of a house with few of the highest grade not as many report to one as the weights ask."""
    prefer = Prefer(column="grade", values=("lead", "senior"), weights=(1.0, 9.0), share=1.0)
    values = pl.Series(["lead"] * 10 * leads + ["senior"] * (1000 - 10 * leads))
    for given, ok in ((False, free), (True, narrowed)):
        measures = measure_preferred("end", prefer, values, values, narrowed=given)
        assert all(measure.ok for measure in measures) is ok
