"""Numbers that rows share out, and numbers made of a node's edges: drawn, measured if wrong."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from generators.synthesis.sizes import sized
from generators.synthesis.spec import (
    Aggregated,
    Allotted,
    Column,
    Dates,
    Edges,
    LogNormal,
    Nodes,
    Product,
    Sequence,
    Specification,
    Uniform,
    check_synthesis,
)
from qa.synthesis import verify_graph
from schemagraph.folder.graphdata import edge_file, node_file
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from tests.generators.synthesis.drawing import draw

HOLDS, PAYS = "Order-HOLDS-Product", "Payment-PAYS-Order"


def made(name: str, kind: Kind, nullable: bool = False) -> Property:
    return Property(name, Type(kind), nullable)


def shop() -> tuple[SchemaGraph, Specification]:
    """Orders hold products: their totals are those of the edges, and payments share them out."""
    whole, real, day = Kind.INTEGER, Kind.FLOAT, Kind.DATE
    schema = SchemaGraph(
        "shop",
        (
            NodeType(("Product",), (made("sku", whole), made("price", real)), ("sku",)),
            NodeType(
                ("Order",),
                (
                    made("no", whole),
                    made("total", real),
                    made("items", whole),
                    made("dearest", real, True),
                    made("last_paid", day, True),
                ),
                ("no",),
            ),
            NodeType(
                ("Payment",),
                (made("id", whole), made("amount", real), made("paid_on", day)),
                ("id",),
            ),
        ),
        (
            EdgeType("HOLDS", "Order", "Product", (made("units", whole), made("line", real))),
            EdgeType("PAYS", "Payment", "Order", ()),
        ),
    )
    key = {"unique": True}
    total = Aggregated(edge=HOLDS, column="line")
    spec = Specification(
        nodes={
            "Product": Nodes(
                properties={
                    "sku": Column(of=Sequence(), **key),
                    "price": Column(of=LogNormal(median=20, sigma=0.8)),
                },
            ),
            "Order": Nodes(
                weight=4,
                properties={
                    "no": Column(of=Sequence(), **key),
                    "total": Column(of=total),
                    "items": Column(of=Aggregated(edge=HOLDS, how="count")),
                    "dearest": Column(of=Aggregated(edge=HOLDS, how="most", column="target.price")),
                    "last_paid": Column(
                        of=Aggregated(edge=PAYS, how="most", column="source.paid_on")
                    ),
                },
            ),
            "Payment": Nodes(
                weight=6,
                properties={
                    "id": Column(of=Sequence(), **key),
                    "amount": Column(
                        of=Allotted(column=f"{PAYS}.total", by=f"{PAYS}.no", low=0.5, high=1)
                    ),
                    "paid_on": Column(of=Dates(start="2020-01-01", end="2024-12-31")),
                },
            ),
        },
        edges={
            HOLDS: Edges(
                weight=12,
                properties={
                    "units": Column(of=Uniform(low=1, high=5, decimals=0)),
                    "line": Column(of=Product(columns=("units", "target.price"))),
                },
            ),
            PAYS: Edges(cardinality="n:1"),
        },
    )
    return schema, sized(schema, spec, 1_100, 2_000)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> tuple[SchemaGraph, Specification, Path]:
    schema, given = shop()
    folder = tmp_path_factory.mktemp("shop")
    draw(schema, given, 7, folder)
    return schema, given, folder


def test_the_specification_is_right() -> None:
    assert check_synthesis(*shop()) == []


def test_a_total_is_that_of_its_lines(drawn: tuple[SchemaGraph, Specification, Path]) -> None:
    schema, _, folder = drawn
    orders = pl.read_parquet(node_file(folder, schema.node_by_name["Order"]))
    lines = pl.read_parquet(edge_file(folder, schema.edge_by_name[HOLDS]))
    prices = pl.read_parquet(node_file(folder, schema.node_by_name["Product"]))
    lines = lines.join(prices, left_on="target.sku", right_on="sku")
    for no, total, items, dearest in orders.select("no", "total", "items", "dearest").iter_rows():
        own = lines.filter(pl.col("source.no") == no)
        assert total == pytest.approx(own["line"].sum(), abs=0.01)
        assert items == len(own)
        assert dearest == own["price"].max()
    assert max(orders["items"].to_list()) > 1


def test_parts_are_not_more_than_the_whole(
    drawn: tuple[SchemaGraph, Specification, Path],
) -> None:
    schema, _, folder = drawn
    orders = pl.read_parquet(node_file(folder, schema.node_by_name["Order"]))
    pays = pl.read_parquet(edge_file(folder, schema.edge_by_name[PAYS]))
    payments = pl.read_parquet(node_file(folder, schema.node_by_name["Payment"]))
    paid = pays.join(payments, left_on="source.id", right_on="id").group_by("target.no")
    sums = paid.agg(pl.col("amount").sum(), pl.len(), pl.col("paid_on").max())
    both = sums.join(orders, left_on="target.no", right_on="no")
    assert max(both["len"].to_list()) > 1
    for amount, last, total, kept in both.select("amount", "paid_on", "total", "last_paid").rows():
        assert 0.5 * total - 0.01 <= amount <= total + 0.01
        assert last == kept


def test_all_of_it_is_measured(drawn: tuple[SchemaGraph, Specification, Path]) -> None:
    report = verify_graph(drawn[2], drawn[0], drawn[1])
    assert report.ok, report.problem()
    places = {measure.place for measure in report.measures if "over" in measure.what}
    assert len(places) == 4


@pytest.mark.parametrize(
    ("node", "column", "wrong"),
    [
        ("Order", "total", pl.col("total") + 1),
        ("Order", "items", pl.col("items") + 1),
        ("Order", "dearest", pl.col("dearest") * 2),
        ("Payment", "amount", pl.col("amount") * 3),
    ],
)
def test_a_wrong_number_is_measured(
    drawn: tuple[SchemaGraph, Specification, Path],
    tmp_path: Path,
    node: str,
    column: str,
    wrong: pl.Expr,
) -> None:
    import shutil

    schema, given, folder = drawn
    shutil.copytree(folder, tmp_path / "graph")
    path = node_file(tmp_path / "graph", schema.node_by_name[node])
    table = pl.read_parquet(path).with_columns(wrong.alias(column))
    table.write_parquet(path)
    report = verify_graph(tmp_path / "graph", schema, given)
    assert f"nodes.{node}.properties.{column}" in {m.place for m in report.failures}


@pytest.mark.parametrize(
    ("of", "code"),
    [
        (Aggregated(edge="Order-HOLD-Product", column="line"), "unknown-column"),
        (Aggregated(edge=HOLDS, column="lines"), "unknown-column"),
        (Aggregated(edge=HOLDS, how="count"), "wrong-kind"),
        (Allotted(column=f"{PAYS}.total", by="no"), "unknown-column"),
    ],
)
def test_what_cannot_be_made_is_told(of: Aggregated | Allotted, code: str) -> None:
    schema, given = shop()
    part = given.nodes["Order"]
    columns = {**part.properties, "total": Column(of=of)}
    changed = part.model_copy(update={"properties": columns})
    given = given.model_copy(update={"nodes": {**given.nodes, "Order": changed}})
    assert code in {finding.code for finding in check_synthesis(schema, given)}


def test_a_circle_over_edges_is_told() -> None:
    schema, given = shop()
    part = given.nodes["Order"]
    columns = {**part.properties, "total": Column(of=Aggregated(edge=PAYS, column="source.amount"))}
    changed = part.model_copy(update={"properties": columns})
    given = given.model_copy(update={"nodes": {**given.nodes, "Order": changed}})
    assert "circular-columns" in {finding.code for finding in check_synthesis(schema, given)}
