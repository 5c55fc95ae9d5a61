"""What a source declares and what its data show: sets of several columns, what is missing."""

from __future__ import annotations

from pathlib import Path

from schemagraph.convert.service import convert
from schemagraph.describe import Size, describe
from schemagraph.folder.serde import load_mapping, load_schema, mapping_from_json, mapping_to_json
from schemagraph.targets.neo4j import Neo4jTarget
from tests.schemagraph.test_convert import database

ROOMS = """
CREATE TABLE rooms (id INTEGER PRIMARY KEY, house TEXT, number INTEGER, door TEXT UNIQUE,
  UNIQUE (house, number), UNIQUE (number, door));
INSERT INTO rooms VALUES (1, 'a', 1, 'x'), (2, 'a', 2, 'y'), (3, 'b', 1, NULL), (4, NULL, 1, NULL);
"""
EXAMPLE = Path(__file__).parent / "sources" / "examples" / "tugraph"


def test_sets_of_several_columns_are_kept(tmp_path: Path) -> None:
    convert(database(tmp_path, ROOMS), tmp_path / "graph")
    schema, mapping = load_schema(tmp_path / "graph"), load_mapping(tmp_path / "graph")
    assert set(schema.nodes[0].unique) == {("house", "number"), ("number", "door")}
    assert [p.name for p in schema.nodes[0].properties if p.unique] == ["id", "door"]
    assert mapping is not None
    assert mapping_from_json(mapping_to_json(mapping)) == mapping
    full = describe(schema, Size.FULL)
    assert "UNIQUE (house, number)" in full
    assert "UNIQUE (" not in describe(schema, Size.TYPES)


def test_a_unique_foreign_key_of_a_link_table_is_a_declared_cardinality(tmp_path: Path) -> None:
    script = """
    CREATE TABLE a (id INTEGER PRIMARY KEY);
    CREATE TABLE p (id INTEGER PRIMARY KEY);
    CREATE TABLE first (a INTEGER NOT NULL UNIQUE REFERENCES a, p INTEGER NOT NULL REFERENCES p);
    CREATE TABLE second (a INTEGER NOT NULL REFERENCES a, p INTEGER NOT NULL UNIQUE REFERENCES p);
    CREATE TABLE third (a INTEGER NOT NULL REFERENCES a, p INTEGER NOT NULL REFERENCES p,
      UNIQUE (a, p));
    INSERT INTO a VALUES (1), (2);
    INSERT INTO p VALUES (1), (2);
    INSERT INTO first VALUES (1, 1), (2, 1);
    INSERT INTO second VALUES (1, 1), (1, 2);
    INSERT INTO third VALUES (1, 1), (1, 2), (2, 1);
    """
    convert(database(tmp_path, script), tmp_path / "graph")
    declared = {e.label: (e.targets, e.sources) for e in load_schema(tmp_path / "graph").edges}
    assert declared == {"FIRST": ("0..1", ""), "SECOND": ("", "0..1"), "THIRD": ("", "")}


def test_a_declared_property_may_not_be_missing(tmp_path: Path) -> None:
    convert(str(EXAMPLE / "import.json"), tmp_path / "out")
    schema = load_schema(tmp_path / "out")
    needed = {p.name for node in schema.nodes for p in node.properties if not p.nullable}
    assert needed == {"id", "name", "member", "名称", "code"}
    assert {p.name for p in schema.edges[0].properties if not p.nullable} == {"count"}
    born = schema.nodes[0].property("born")
    assert born is not None
    assert born.holds_null


def test_what_is_never_missing_is_seen_and_not_declared(tmp_path: Path) -> None:
    file = tmp_path / "friends.json"
    file.write_text(
        '{"directed": true, "multigraph": false, "graph": {}, "nodes": '
        '[{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bo"}], "links": []}',
        encoding="utf-8",
    )
    convert(str(file), tmp_path / "out")
    schema = load_schema(tmp_path / "out")
    name = schema.nodes[0].property("name")
    assert name is not None
    assert (name.nullable, name.observed.nullable, name.holds_null) == (True, False, False)
    assert "(observed: no null)" in describe(schema, Size.FULL)


def test_infinite_floats_are_seen(tmp_path: Path) -> None:
    gauges = """
    CREATE TABLE gauges (id INTEGER PRIMARY KEY, high REAL, low REAL, price REAL);
    INSERT INTO gauges VALUES (1, 1.5, 2.5, 1.5), (2, 9e999, -9e999, 1e300), (3, NULL, NULL, NULL);
    """
    convert(database(tmp_path, gauges), tmp_path / "graph")
    schema = load_schema(tmp_path / "graph")
    assert [p.name for p in schema.nodes[0].properties if p.observed.infinite] == ["high", "low"]
    assert "infinite" not in describe(schema, Size.FULL)


SHOP = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id));
CREATE TABLE bays (hall TEXT, number INTEGER, PRIMARY KEY (hall, number));
CREATE TABLE pallets (id INTEGER PRIMARY KEY, hall TEXT, number INTEGER,
  order_id INTEGER REFERENCES orders(id),
  FOREIGN KEY (hall, number) REFERENCES bays(hall, number));
INSERT INTO customers VALUES (1, 'Ann'), (2, 'Bo');
INSERT INTO orders VALUES (1, 1), (2, 1), (3, 2);
INSERT INTO bays VALUES ('a', 1), ('a', 2), ('b', 1);
INSERT INTO pallets VALUES (1, 'a', 1, 1), (2, 'a', 2, 2), (3, 'b', 1, 3);
"""


def test_how_many_an_end_has_is_seen_at_that_end(tmp_path: Path) -> None:
    convert(database(tmp_path, SHOP), tmp_path / "graph")
    seen = {edge.label: edge.observed_one for edge in load_schema(tmp_path / "graph").edges}
    assert seen["HAS_CUSTOMER"] == (True, False)  # Ann has two orders
    assert seen["HAS_ORDER"] == (True, True)
    assert seen["HAS_BAY"] == (True, True)  # by a key of two columns


def test_unique_sets_are_exported(tmp_path: Path) -> None:
    convert(database(tmp_path, ROOMS), tmp_path / "graph")
    text = Neo4jTarget().export(load_schema(tmp_path / "graph")).texts["schema.cypher"]
    assert "REQUIRE (n.`house`, n.`number`) IS UNIQUE" in text
    assert "REQUIRE (n.`door`) IS UNIQUE" in text


def test_what_conditions_of_sqlite_declare(tmp_path: Path) -> None:
    path = database(
        tmp_path,
        """CREATE TABLE t (
          id INTEGER PRIMARY KEY, st TEXT CHECK (st = 'open' OR [st] = 'closed'),
          "a b" TEXT CHECK ("A B" IN ('(', 'it''s)')), n INTEGER CHECK (n IS NOT NULL),
          m TEXT CHECK (m IS NOT NULL AND m IN ('x', 'y')), o TEXT CHECK (o = 'a' OR st = 'b'),
          p TEXT CHECK (p IS NOT NULL OR n > 1), q TEXT COLLATE NOCASE CHECK (q IN ('x')),
          r TEXT, s TEXT, -- CHECK (r IN ('x'))
          CONSTRAINT c CHECK (r IN ('x') AND length(r) > 0), CHECK (s <> 'CHECK (s IN (''x''))')
        );
        INSERT INTO t VALUES (1, 'open', '(', 1, 'x', 'a', 'p', 'x', 'x', 's')""",
    )
    convert(str(path), tmp_path / "graph")
    (node,) = load_schema(tmp_path / "graph").nodes
    assert {p.name: p.values for p in node.properties if p.values} == {
        "st": ("open", "closed"),
        "a_b": ("(", "it's)"),
        "m": ("x", "y"),
        "r": ("x",),
    }
    assert {p.name for p in node.properties if not p.nullable} == {"id", "n", "m"}


def test_rows_are_believed_before_a_condition(tmp_path: Path) -> None:
    path = database(
        tmp_path,
        """PRAGMA ignore_check_constraints = 1;
        CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER CHECK (n IS NOT NULL));
        INSERT INTO t VALUES (1, NULL)""",
    )
    convert(str(path), tmp_path / "graph")
    (node,) = load_schema(tmp_path / "graph").nodes
    assert {p.name: p.nullable for p in node.properties} == {"id": False, "n": True}
