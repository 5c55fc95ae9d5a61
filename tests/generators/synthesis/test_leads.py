"""Columns over edges, columns made of others: drawn as specified, measured if they are not."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from generators.synthesis.sizes import sized
from generators.synthesis.spec import (
    After,
    Band,
    Banded,
    Before,
    Categorical,
    Column,
    Copied,
    Curve,
    Dates,
    Edges,
    Elapsed,
    End,
    LogNormal,
    Nodes,
    Ordinal,
    Point,
    Prefer,
    Product,
    Same,
    Sequence,
    Specification,
    Sum,
    Uniform,
    check_synthesis,
)  # fmt: skip
from qa.synthesis import verify_graph
from schemagraph.folder.graphdata import edge_file, node_file
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from tests.generators.synthesis.drawing import draw

PLACED, OF = "Order-PLACED_BY-Customer", "Line-OF-Order"


def made(name: str, kind: Kind, nullable: bool = False) -> Property:
    return Property(name, Type(kind), nullable)


def shop() -> tuple[SchemaGraph, Specification]:
    text, whole, real, day = Kind.STRING, Kind.INTEGER, Kind.FLOAT, Kind.DATE
    schema = SchemaGraph(
        "shop",
        (
            NodeType(
                ("Customer",),
                (made("id", whole), made("joined", day), made("country", text)),
                ("id",),
            ),
            NodeType(
                ("Order",),
                (
                    made("no", whole), made("placed", day), made("paid", day, True),
                    made("currency", text), made("state", text), made("days", whole, True),
                ),
                ("no",),
            ),
            NodeType(
                ("Line",),
                (
                    made("line_id", whole), made("number", whole), made("units", whole),
                    made("price", real), made("total", real),
                    made("tax", real), made("gross", real), made("country", text),
                    made("wind", real), made("power", real),
                ),
                ("line_id",),
            ),
        ),
        (
            EdgeType("PLACED_BY", "Order", "Customer", ()),
            EdgeType("OF", "Line", "Order", ()),
            EdgeType("BILLED_TO", "Line", "Customer", ()),
        ),
    )  # fmt: skip
    key = {"unique": True}
    spec = Specification(
        nodes={
            "Customer": Nodes(
                weight=2,
                properties={
                    "id": Column(of=Sequence(), **key),
                    "joined": Column(of=Dates(start="2020-01-01", end="2024-12-31")),
                    "country": Column(of=Categorical(values=("SE", "DE", "FR"))),
                },
            ),
            "Order": Nodes(
                weight=4,
                properties={
                    "no": Column(of=Sequence(start=100, by="placed"), **key),
                    "placed": Column(
                        of=After(
                            columns=(f"{PLACED}.joined",),
                            gap=LogNormal(median=200, sigma=1),
                            until="2025-12-31",
                        )
                    ),
                    "paid": Column(
                        of=After(columns=("placed",), gap=Uniform(low=1, high=30, decimals=0)),
                        null=0.1,
                    ),
                    "currency": Column(of=Copied(column=f"{PLACED}.country")),
                    "state": Column(
                        of=Banded(
                            column="placed",
                            bands=(Band(upto="2025-06-30", of=Categorical(values=("done",))),),
                            otherwise=Categorical(values=("open", "packed")),
                        )
                    ),
                    "days": Column(of=Elapsed(start="placed", end="paid")),
                },
            ),
            "Line": Nodes(
                weight=9,
                properties={
                    "line_id": Column(of=Sequence(), **key),
                    "number": Column(of=Ordinal(column=f"{OF}.no")),
                    "units": Column(of=Uniform(low=1, high=9, decimals=0)),
                    "price": Column(of=LogNormal(median=20, sigma=0.5)),
                    "total": Column(of=Product(columns=("units", "price"))),
                    "tax": Column(
                        of=Product(
                            columns=("units", "price"),
                            factor=Uniform(low=0.1, high=0.2, decimals=2),
                        )
                    ),
                    "gross": Column(of=Sum(columns=("total", "tax"))),
                    "country": Column(of=Copied(column=f"{OF}.{PLACED}.country")),
                    "wind": Column(of=Uniform(low=0, high=25, decimals=1)),
                    "power": Column(
                        of=Curve(
                            column="wind",
                            points=(Point(x=3, y=0), Point(x=12, y=3000), Point(x=20, y=3000)),
                            deviation=0.05,
                        )
                    ),
                },
            ),
        },
        edges={
            PLACED: Edges(
                cardinality="n:1",
                target=End(prefer=Prefer(column="country", values=("SE",), share=0.8)),
            ),
            OF: Edges(cardinality="n:1"),
            "Line-BILLED_TO-Customer": Edges(
                cardinality="n:1", same=(Same(source=f"{OF}.{PLACED}.id", target="id", share=1),)
            ),
        },
    )
    return schema, spec


def test_what_hangs_together_is_drawn_and_measured(tmp_path: Path) -> None:
    schema, spec = shop()
    assert check_synthesis(schema, spec) == []
    whole = sized(schema, spec, 3_000)
    draw(schema, whole, 5, tmp_path)
    report = verify_graph(tmp_path, schema, whole)
    assert report.ok, report.problem()
    customers, orders, lines = (pl.read_parquet(node_file(tmp_path, n)) for n in schema.nodes)
    placed_by, of, billed = (pl.read_parquet(edge_file(tmp_path, e)) for e in schema.edges)
    order = orders.join(placed_by, left_on="no", right_on="source.no").join(
        customers, left_on="target.id", right_on="id"
    )
    assert (order["placed"] >= order["joined"]).all()
    assert (order["currency"] == order["country"]).all()
    assert 0.75 < (order["country"] == "SE").mean() < 0.85  # type: ignore[operator]
    assert orders.sort("no")["placed"].is_sorted()
    old = orders["placed"] <= pl.Series([date(2025, 6, 30)])
    assert ((orders["state"] == "done") == old).all()
    line = lines.join(of, left_on="line_id", right_on="source.line_id")
    line = line.join(billed, left_on="line_id", right_on="source.line_id")
    line = line.join(placed_by, left_on="target.no", right_on="source.no", suffix=".order")
    assert (line["target.id"] == line["target.id.order"]).all()
    for _, group in line.group_by("target.no"):
        assert sorted(group["number"]) == list(range(1, len(group) + 1))
    assert ((lines["total"] + lines["tax"] - lines["gross"]).abs() < 0.011).all()
    assert (lines.filter(pl.col("wind") <= 3)["power"] == 0).all()
    assert (lines.filter(pl.col("wind") > 12.5)["power"] > 2800).all()


def spoil(tmp_path: Path, schema: SchemaGraph, node: int, change: Any) -> None:
    file = node_file(tmp_path, schema.nodes[node])
    pl.read_parquet(file).with_columns(change).write_parquet(file)


@pytest.mark.parametrize(
    ("node", "change", "what"),
    [
        (0, pl.col("joined") + pl.duration(days=4000), f"values before {PLACED}.joined"),
        (1, pl.lit("FR").alias("currency"), f"values other than {PLACED}.country"),
        (1, pl.lit("done").alias("state"), "values outside the enumeration"),
        (1, pl.col("days") + 1, "values that are not the days from placed to paid"),
        (2, pl.col("total") + 0.02, "values that are not units times price"),
        (2, pl.col("gross") * 2, "values that are not the sum of total, tax"),
        (2, pl.col("power") + 400, "values off the curve of wind"),
        (2, pl.lit(1).alias("number").cast(pl.Int64), "do not count within"),
        (2, pl.col("country").reverse(), f"values other than {OF}.{PLACED}.country"),
    ],
)
def test_what_does_not_hang_together_is_found(
    node: int, change: Any, what: str, tmp_path: Path
) -> None:
    schema, spec = shop()
    whole = sized(schema, spec, 600)
    draw(schema, whole, 5, tmp_path)
    spoil(tmp_path, schema, node, change)
    assert any(what in measure.what for measure in verify_graph(tmp_path, schema, whole).failures)


def changed(spec: Specification, node: str, name: str, of: Any) -> Specification:
    part = spec.nodes[node]
    columns = {**part.properties, name: Column(of=of, unique=part.properties[name].unique)}
    nodes = {**spec.nodes, node: part.model_copy(update={"properties": columns})}
    return spec.model_copy(update={"nodes": nodes})


@pytest.mark.parametrize(
    ("node", "name", "of", "code"),
    [
        ("Order", "currency", Copied(column=f"{PLACED}.land"), "unknown-column"),
        ("Customer", "country", Copied(column=f"{PLACED}.currency"), "unknown-column"),
        ("Order", "placed", After(columns=(f"{PLACED}.id",), until="2025-01-01"), "unknown-column"),
        ("Line", "total", Product(columns=("units", "country")), "unknown-column"),
        ("Line", "number", Sum(columns=("units", "number")), "unknown-column"),
        ("Order", "days", Elapsed(start="placed", end="no"), "unknown-column"),
        ("Customer", "id", Ordinal(column="nobody"), "unknown-column"),
    ],
)
def test_a_reference_that_leads_nowhere_is_refused(
    node: str, name: str, of: Any, code: str
) -> None:
    schema, spec = shop()
    assert code in {
        finding.code for finding in check_synthesis(schema, changed(spec, node, name, of))
    }


def test_columns_and_ends_that_need_each_other_are_refused() -> None:
    schema, spec = shop()
    edge = spec.edges[PLACED].model_copy(
        update={"order": (Before(first="target.joined", then="source.placed"),)}
    )
    round_ = spec.model_copy(update={"edges": {**spec.edges, PLACED: edge}})
    assert "circular-columns" in {finding.code for finding in check_synthesis(schema, round_)}
