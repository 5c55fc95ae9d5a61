"""A database becomes a graph folder that holds all of it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from graphmill.errors import SourceError
from schemagraph.convert.service import convert
from schemagraph.folder.graphdata import edge_rows, graph_fingerprint, node_rows
from schemagraph.folder.serde import load_mapping, load_schema

SHOP = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, referred_by INTEGER
  REFERENCES customers);
CREATE TABLE products (code TEXT PRIMARY KEY, price DECIMAL(8, 2), sold BOOLEAN, since DATE);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id));
CREATE TABLE order_items (order_id INTEGER REFERENCES orders, product TEXT REFERENCES products,
  quantity INTEGER, PRIMARY KEY (order_id, product));
INSERT INTO customers VALUES (1, 'Ann', NULL), (2, 'Bob', 1);
INSERT INTO products VALUES ('a', 1.5, 1, '2024-01-31'), ('b', 2, 0, NULL);
INSERT INTO orders VALUES (10, 1), (11, NULL), (12, 99);
INSERT INTO order_items VALUES (10, 'a', 3), (11, 'b', 1);
"""


def database(folder: Path, text: str, name: str = "shop.sqlite") -> str:
    """A SQLite file made by the script `text`."""
    path = folder / name
    connection = sqlite3.connect(path)
    connection.executescript(text)
    connection.commit()
    connection.close()
    return str(path)


def test_tables_become_nodes_and_a_link_table_edges(tmp_path: Path) -> None:
    out = tmp_path / "graph"
    report = convert(database(tmp_path, SHOP), out)
    schema = load_schema(out)
    assert [node.name for node in schema.nodes] == ["Customer", "Product", "Order"]
    assert [edge.name for edge in schema.edges] == [
        "Customer-REFERRED_BY-Customer",
        "Order-HAS_CUSTOMER-Customer",
        "Order-HAS_PRODUCT-Product",
    ]
    sold = list(edge_rows(out, schema.edges[2], schema))
    assert [(row.source, row.target, row.properties) for row in sold] == [
        ((10,), ("a",), {"quantity": 3}),
        ((11,), ("b",), {"quantity": 1}),
    ]
    assert [row["customer_id"] for row in node_rows(out, schema.nodes[2])] == [1, None, 99]
    assert report.edges["Order-HAS_CUSTOMER-Customer"] == 1
    assert any("1 of 2 values find no row" in text for text in report.warnings)


def test_rows_that_refer_to_nothing_at_the_end_are_no_group_of_edges(tmp_path: Path) -> None:
    """SQLite's first batch has 256 rows, so that the second has no reference here."""
    out = tmp_path / "graph"
    people = "CREATE TABLE people (id INTEGER PRIMARY KEY, boss INTEGER REFERENCES people);"
    rows = ", ".join(f"({number}, {1 if number < 9 else 'NULL'})" for number in range(1, 301))
    convert(database(tmp_path, f"{people} INSERT INTO people VALUES {rows};"), out)
    schema = load_schema(out)
    assert len(list(edge_rows(out, schema.edges[0], schema))) == 8
    file = pq.ParquetFile(next((out / "edges").iterdir()))
    assert file.metadata.num_row_groups == 1


def test_mapping_is_read_back(tmp_path: Path) -> None:
    out = tmp_path / "graph"
    convert(database(tmp_path, SHOP), out)
    mapping = load_mapping(out)
    assert mapping is not None
    price = mapping.by_table["PRODUCTS".casefold()].columns[1]
    assert (str(price.type), price.integers, price.nullable) == ("FLOAT", True, False)


def test_same_source_same_bytes(tmp_path: Path) -> None:
    source = database(tmp_path, SHOP)
    found = []
    for name in ("one", "two"):
        convert(source, tmp_path / name)
        files = sorted((tmp_path / name).rglob("*.*"))
        found.append([(f.relative_to(tmp_path / name), f.read_bytes()) for f in files])
    assert found[0] == found[1]
    assert graph_fingerprint(tmp_path / "one") == graph_fingerprint(tmp_path / "two", deep=True)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("missing.sqlite", None, "There is no file"),
        ("empty.sqlite", b"", "is empty"),
        ("text.sqlite", b"hello", "none of the sources"),
        (
            "cut.sqlite",
            b"SQLite format 3\x00 and nothing more",
            "a damaged SQLite database: it has",
        ),
    ],
)
def test_what_is_no_database(
    tmp_path: Path, name: str, content: bytes | None, message: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceError, match=message):
        convert(str(tmp_path / name), tmp_path / "graph")
    assert not (tmp_path / "graph").exists()
