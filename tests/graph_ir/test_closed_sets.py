"""Constants outside a closed set of values are warned of, wherever a property meets them."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemagraph.convert.service import convert
from schemagraph.describe import Size, describe
from schemagraph.folder.serde import load_schema
from tests.schemagraph.cases import database
from translators.language import checker

SHOP = """
CREATE TABLE customer (id INTEGER PRIMARY KEY, full_name TEXT, email TEXT UNIQUE, tier TEXT);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, customer INTEGER NOT NULL REFERENCES customer(id), note TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'shipped', 'it''s lost')) -- CHECK (note IN ('x'))
);
CREATE TABLE empty (id INTEGER PRIMARY KEY, full_name TEXT, code TEXT NOT NULL);
CREATE TABLE crate (id INTEGER PRIMARY KEY, size INTEGER CHECK (size IN (1, 2, 4)),
  grade TEXT CHECK (grade IN (1, 2)), share REAL CHECK (share IN (0, 1)));
INSERT INTO crate VALUES (1, 1, '1', 0), (2, 4, '2', 1);
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
INSERT INTO customer SELECT i, 'name ' || i, 'mail' || i,
  CASE i % 2 WHEN 0 THEN 'gold' ELSE 'basic' END FROM n;
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
INSERT INTO orders SELECT i, i, 'note ' || i, 'open' FROM n;
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The graph of the shop."""
    folder = tmp_path_factory.mktemp("shop")
    convert(str(database(folder, SHOP)), folder / "graph")
    return folder / "graph"


WRONG = [
    "MATCH (o:Order {status: 'shiped'}) RETURN o.id",
    "MATCH (o:Order) WHERE o.status = 'shiped' RETURN o.id",
    "MATCH (o:Order) WHERE 'shiped' <> o.status RETURN o.id",
    "MATCH (o:Order WHERE o.status = 'shiped') RETURN o.id",
    "MATCH (o:Order) WHERE o.status IN ['open', 'shiped'] RETURN o.id",
    "MATCH (o:Order) WHERE NOT o.status IN ['shiped'] RETURN o.id",
    "MATCH (c:Customer) WHERE EXISTS { (c)<--(:Order {status: 'shiped'}) } RETURN c.id",
    "MATCH (o:Order) RETURN CASE o.status WHEN 'shiped' THEN 1 ELSE 0 END AS x",
    "MATCH (o:Order) WHERE toLower(o.status) = 'shiped' RETURN o.id",
    "MATCH (o) WHERE o.status = 'shiped' RETURN count(*) AS n",
    "MATCH (o:Order) WITH o.status AS s WHERE s = 'shiped' RETURN s",
    "MATCH (o:Order) WITH o.status AS status WITH status, count(*) AS n "
    "WHERE status IN ['shiped'] RETURN n",
    "MATCH (o:Order) WHERE any(x IN ['open', 'shiped'] WHERE o.status = x) RETURN o.id",
    "MATCH (o:Order) WHERE none(x IN ['shiped'] WHERE x = o.status) "
    "AND any(x IN ['y'] WHERE x = o.note) RETURN o.id",
    "MATCH (o:Order) RETURN [x IN ['shiped'] WHERE o.status = x | x] AS l",
    "MATCH (o:Order) WITH o, 'shiped' AS w WHERE o.status = w RETURN o.id",
    "WITH 'shiped' AS w WITH w AS v MATCH (o:Order {status: v}) RETURN o.id",
    "UNWIND ['open', 'shiped'] AS w MATCH (o:Order) WHERE o.status = w RETURN o.id",
    "UNWIND ['open', 'shiped'] AS w WITH w MATCH (o:Order {status: w}) RETURN o.id",
    "WITH ['open', 'shiped'] AS l MATCH (o:Order) WHERE o.status IN l RETURN o.id",
    "WITH ['open', 'shiped'] AS l UNWIND l AS w MATCH (o:Order {status: w}) RETURN o.id",
    "WITH ['shiped'] AS l MATCH (o:Order) WHERE any(x IN l WHERE o.status = x) RETURN o.id",
    "MATCH (o:Order) WHERE o['status'] = 'shiped' RETURN o.id",
    "MATCH (o:Order) WITH o['status'] AS s WHERE s IN ['shiped'] RETURN s",
    "MATCH (o:Order) SET o.status = 'shiped'",
    "MATCH (o:Order) SET o.note = 'x', o += {status: 'shiped'}",
]
RIGHT = [
    "MATCH (o:Order {status: 'it\\'s lost'}) WHERE o.note = 'x' RETURN o.id",
    "MATCH (o:Order) WHERE o.status STARTS WITH 'ship' OR o.status > 'a' RETURN o.id",
    "MATCH (c:Customer) WHERE c.full_name = 'nobody' AND c.tier IN ['gold', 'basic'] RETURN c.id",
    "MATCH (o:Order {status: $status}) RETURN o.id",
    "MATCH (o:Order) WITH o.note AS s WHERE s = 'shiped' RETURN s",
    "MATCH (o:Order) WITH o.status AS s WITH s + 'x' AS s WHERE s = 'shiped' RETURN s",
    "MATCH (o:Order) WITH o.status AS t UNWIND ['shiped'] AS s WITH s WHERE s = 'shiped' RETURN s",
    "MATCH (o:Order) WHERE any(x IN ['open'] WHERE o.status = x) "
    "AND any(x IN ['y'] WHERE o.note = x) RETURN o.id",
    "MATCH (o:Order) WITH o, 'x' AS w WHERE o.note = w RETURN o.id",
    "WITH 'x' AS w MATCH (o:Order) WITH o, 'open' AS w WHERE o.status = w RETURN o.id",
    "WITH 'x' AS w MATCH (o:Order) WHERE any(w IN [o.note] WHERE o.status = w) RETURN o.id",
    "UNWIND [{status: 'x'}] AS m MATCH (o:Order) WHERE m['status'] = 'y' RETURN o.id",
    "MATCH (o:Order) WHERE o[o.note] = 'x' RETURN o.id",
]


@pytest.mark.parametrize("text", WRONG)
def test_what_no_order_can_be_is_warned_of(text: str, shop: Path) -> None:
    (found,) = checker("cypher", load_schema(shop))(text)
    assert (found.severity, found.code) == ("warning", "closed-set")
    assert "declared" in found.message
    assert "Did you mean 'shipped'?" in found.message


@pytest.mark.parametrize("text", RIGHT)
def test_what_can_be_is_not(text: str, shop: Path) -> None:
    assert checker("cypher", load_schema(shop))(text) == []


def test_integers_are_closed_sets_where_the_values_are_integers(shop: Path) -> None:
    schema = load_schema(shop)
    crate = schema.node_by_name["Crate"]
    assert {p.name: p.values for p in crate.properties if p.values} == {"size": (1, 2, 4)}
    assert "size: INTEGER? IN [1, 2, 4]" in describe(schema, Size.FULL)
    check = checker("cypher", schema)
    (found,) = check("MATCH (c:Crate) WHERE c.size IN [1, 3] RETURN c.id")
    assert found.code == "closed-set"
    assert "3 is none of the values that are declared of 'size': 1, 2, 4" in found.message
    assert check("MATCH (c:Crate {size: 4, grade: '7'}) WHERE c.size <> 2.0 RETURN c.id") == []


def test_what_was_only_observed_is_said_so(shop: Path) -> None:
    text = "MATCH (c:Customer)\nWHERE c.tier = 'golden' RETURN c.id"
    (found,) = checker("cypher", load_schema(shop))(text)
    assert (found.severity, found.line) == ("warning", 2)
    assert "observed of 'tier': 'basic', 'gold'. Did you mean 'gold'?" in found.message


def test_declared_and_observed_are_told_apart(shop: Path) -> None:
    """A column without NULL in the data may have one; a table without rows says nothing."""
    schema = load_schema(shop)
    customer, orders, empty = (schema.node_by_name[n] for n in ("Customer", "Order", "Empty"))
    facts = {p.name: (p.nullable, p.holds_null) for p in customer.properties}
    assert facts["id"] == (False, False)
    assert facts["full_name"] == (True, False)
    assert {p.name: p.nullable for p in orders.properties}["status"] is False
    assert {p.name: (p.nullable, p.holds_null) for p in empty.properties} == {
        "id": (False, False),
        "full_name": (True, True),
        "code": (False, False),
    }
    email, name = customer.property("email"), customer.property("full_name")
    assert email is not None
    assert (email.unique, email.observed.unique) == (True, False)
    assert name is not None
    assert (name.unique, name.observed.unique) == (False, True)
    (edge,) = schema.edges
    assert (edge.targets, edge.sources, edge.observed_one) == ("1", "", (True, True))
    said = describe(schema, Size.FULL)
    assert "full_name: STRING? (observed: no null)" in said
    assert 'tier: STRING? (observed: no null, IN ["basic", "gold"])' in said
    assert 'status: STRING IN ["open", "shipped", "it\'s lost"]' in said
