"""GO, LOOKUP and FETCH texts: worked out by hand from the manual; and what has no such text."""

from __future__ import annotations

import pytest

from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from tests.schema_text import read_schema
from tests.translators.test_pairs import schema_of
from translators.ngql.emit.native import native_form
from translators.ngql.grammar.check import check

IDIOMS = {
    # A constant key is the vertex id.
    "MATCH (o:Order {id: 7}) RETURN o.total": (
        'FETCH PROP ON `Order` "Order/7" YIELD `Order`.total'
    ),
    "MATCH (o:Order) WHERE o.id = 7 RETURN o": (
        'FETCH PROP ON `Order` "Order/7" YIELD vertex AS o'
    ),
    "MATCH (b:Band {name: 'AC/DC 100%'})-[m:MADE]->(r) RETURN r.title AS t, m.sales AS s": (
        'GO FROM "Band/AC%2FDC 100%25" OVER MADE YIELD $$.Record.title AS t, MADE.sales AS s'
    ),
    # The tests that are left are conditions.
    "MATCH (o:Order {id: 7})-[c:CONTAINS]->(r:Record {live: true}) "
    "WHERE o.total > c.quantity RETURN r.id": (
        'GO FROM "Order/7" OVER `CONTAINS` '
        "WHERE $^.`Order`.total > `CONTAINS`.quantity AND $$.Record.live == true "
        "YIELD $$.Record.id"
    ),
    # Other properties are looked up.
    "MATCH (r:Record) RETURN r.title": "LOOKUP ON Record YIELD Record.title",
    "MATCH (r:Record) WHERE r.seconds > 60 AND r.title STARTS WITH 'x' RETURN r.seconds / 60": (
        'LOOKUP ON Record WHERE Record.seconds > 60 AND Record.title STARTS WITH "x" '
        "YIELD Record.seconds / 60"
    ),
    "MATCH (r:Record) WHERE NOT r.id IN [1, 2] OR r.id = 1 RETURN DISTINCT r.live AS l": (
        "LOOKUP ON Record WHERE Record.id NOT IN [1, 2] OR Record.id == 1 "
        "YIELD DISTINCT Record.live AS l"
    ),
    "MATCH (r:Record) WHERE r.released < date('2000-01-01') RETURN count(*)": (
        'LOOKUP ON Record WHERE Record.released < date("2000-01-01") '
        "YIELD id(vertex) AS vid | YIELD count(*) AS count"
    ),
    # A walk begins where the condition is.
    "MATCH (b:Band)-[:MADE]->(r:Record {title: 'x'}) RETURN b.name": (
        'LOOKUP ON Record WHERE Record.title == "x" YIELD id(vertex) AS vid '
        "| GO FROM $-.vid OVER MADE REVERSELY YIELD $$.Band.name"
    ),
    "MATCH (r:Record)<-[m:MADE]-(b:Band) WHERE b.name STARTS WITH 'x' RETURN b, m, r": (
        'LOOKUP ON Band WHERE Band.name STARTS WITH "x" YIELD id(vertex) AS vid '
        "| GO FROM $-.vid OVER MADE YIELD $^ AS b, edge AS m, $$ AS r"
    ),
    "MATCH (p:Person {name: 'x'})-[:KNOWS]->(q:Person) WHERE q.name <> p.name RETURN q.name": (
        'LOOKUP ON Person WHERE Person.name == "x" YIELD id(vertex) AS vid '
        "| GO FROM $-.vid OVER KNOWS WHERE $$.Person.name != $^.Person.name "
        "YIELD $$.Person.name"
    ),
    # Grouping, sorting and cutting are pipes.
    "MATCH (b:Band)-[:MADE]->(r:Record) RETURN b.name, count(*) AS n ORDER BY n DESC "
    "SKIP 1 LIMIT 2": (
        "LOOKUP ON Band YIELD id(vertex) AS vid | GO FROM $-.vid OVER MADE "
        "YIELD $^.Band.name AS name | GROUP BY $-.name YIELD $-.name AS name, count(*) AS n "
        "| ORDER BY $-.n DESC | LIMIT 1, 2"
    ),
    "MATCH (o:Order)-[c:CONTAINS]->(r) WITH r.title AS t, sum(c.quantity) AS q "
    "WHERE q > 3 RETURN q, t ORDER BY t": (
        "LOOKUP ON `Order` YIELD id(vertex) AS vid | GO FROM $-.vid OVER `CONTAINS` "
        "YIELD $$.Record.title AS t, `CONTAINS`.quantity AS value_2 "
        "| GROUP BY $-.t YIELD $-.t AS t, sum($-.value_2) AS q "
        "| YIELD $-.q AS q, $-.t AS t WHERE $-.q > 3 | ORDER BY $-.t"
    ),
    "MATCH (o:Order)-[c:CONTAINS]->(r:Record) "
    "RETURN count(c) AS value_3, count(DISTINCT r) AS m, max(c.quantity) AS q": (
        "LOOKUP ON `Order` YIELD id(vertex) AS vid | GO FROM $-.vid OVER `CONTAINS` "
        "YIELD id($$) AS value_2, `CONTAINS`.quantity AS value_3_ "
        "| YIELD count(*) AS value_3, count(DISTINCT $-.value_2) AS m, max($-.value_3_) AS q"
    ),
    "MATCH (r:Record) WITH r.title AS t, r.id AS i ORDER BY i LIMIT 3 RETURN t, i": (
        "LOOKUP ON Record YIELD Record.title AS t, Record.id AS i | ORDER BY $-.i | LIMIT 3"
    ),
}

OTHERS = {
    "a key of another type": "MATCH (o:Order {id: 7.0}) RETURN o.total",
    "a key of two node types": "MATCH (p:Person {id: 7})-[:KNOWS]-(q) RETURN q",
    "a vertex with tags besides the one asked for": "MATCH (p:Producer) RETURN p",
    "no tag to begin at": "MATCH (n)-[:MADE]->(m) RETURN m.title",
    "both directions": "MATCH (p:Person {name: 'x'})-[:KNOWS]-(q) RETURN q.name",
    "any edge type": "MATCH (b:Band {name: 'x'})-[e]->(r) RETURN r.title",
    "edges of several types": "MATCH (b:Person)-[:KNOWS|PLACED]->(r) RETURN r",
    "several hops": "MATCH (p:Person {name: 'x'})-[:KNOWS*1..2]->(q) RETURN q.name",
    "two steps": "MATCH (b:Band)-[:MADE]->(r)<-[:CONTAINS]-(o) RETURN o.id",
    "one node at both ends": "MATCH (p:Person)-[:KNOWS]->(p) RETURN p.name",
    "two paths": "MATCH (p:Person), (b:Band) RETURN p.name, b.name",
    "a path": "MATCH x = (p:Order)-[:CONTAINS]->(r) RETURN x",
    "two matches": "MATCH (b:Band) MATCH (b)-[:MADE]->(r) RETURN r.title",
    "an optional match": "MATCH (b:Band) OPTIONAL MATCH (b)-[:MADE]->(r) RETURN r.title",
    "a union": "MATCH (b:Band) RETURN b.name AS x UNION MATCH (r:Record) RETURN r.title AS x",
    "an end with another tag": "MATCH (p:Person)-[:KNOWS]->(q:Producer) RETURN p.id",
    "a pattern in the condition": "MATCH (b:Band) WHERE (b)-[:MADE]->() RETURN b.name",
    "a condition that no index serves": "MATCH (r:Record) WHERE r.live RETURN r.title",
    "another test of text": "MATCH (r:Record) WHERE r.title CONTAINS 'x' RETURN r.title",
    "two properties compared": "MATCH (r:Record) WHERE r.id = r.seconds RETURN r.title",
    "alternatives of two properties": "MATCH (r:Record) WHERE r.id = 1 OR r.seconds = 1 RETURN r",
    "a constant of another type": "MATCH (r:Record) WHERE r.id > 1.5 RETURN r.title",
    "inequality with nulls": "MATCH (r:Record) WHERE r.seconds <> 1 RETURN r.title",
    "a test for null": "MATCH (r:Record) WHERE r.seconds IS NULL RETURN r.title",
    "a constant condition": "MATCH (r:Record) WHERE 1 = 1 RETURN r.title",
    "a sum of aggregates": "MATCH (r:Record) RETURN count(*) + 1 AS n",
    "grouping twice": "MATCH (r:Record) WITH r.live AS l, count(*) AS n RETURN max(n) AS m",
    "elements collected": "MATCH (b:Band)-[:MADE]->(r) RETURN collect(r) AS rs",
    "a function of an element": "MATCH (r:Record) RETURN labels(r) AS l",
    "an element used later": "MATCH (r:Record) WITH r, r.id AS i ORDER BY i LIMIT 1 RETURN r.title",
    "an offset without end": "MATCH (r:Record) RETURN r.title AS t ORDER BY t SKIP 2",
    "a parameter": "MATCH (r:Record) WHERE r.title = $t RETURN r.id",
}


def native(query: str) -> str | None:
    schema = schema_of("music")
    assert schema
    return native_form(bind(parse(query), schema).statement, schema)


@pytest.mark.parametrize("query", IDIOMS)
def test_idiom(query: str) -> None:
    text = native(query)
    assert text == IDIOMS[query]
    assert check(text) == []


@pytest.mark.parametrize("query", OTHERS.values(), ids=OTHERS)
def test_match_is_the_idiom(query: str) -> None:
    assert native(query) is None


def test_a_key_of_several_properties_keeps_its_order() -> None:
    schema = read_schema("Seat(row!: STRING, number!: INTEGER, price: FLOAT)")
    query = "MATCH (s:Seat {number: 4, row: 'A/'}) WHERE s.price < 3.5 RETURN s.price"
    found = native_form(bind(parse(query), schema).statement, schema)
    # The price must hold as well, so the seat is looked up.
    assert found == (
        'LOOKUP ON Seat WHERE Seat.number == 4 AND Seat.row == "A/" AND Seat.price < 3.5 '
        "YIELD Seat.price"
    )
    only = bind(parse("MATCH (s:Seat {number: 4, row: 'A/'}) RETURN s.price"), schema).statement
    assert native_form(only, schema) == 'FETCH PROP ON Seat "Seat/A%2F/4" YIELD Seat.price'
