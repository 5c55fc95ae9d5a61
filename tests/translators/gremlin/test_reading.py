"""Gremlin read into Graph-IR: what it means in Cypher, what is refused, and what we write."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph_ir.cypher.reader import parse
from graphmill.errors import QueryTextError, Refused
from schemagraph.model import NodeType, SchemaGraph
from tests.schema_text import read_schema
from translators.gremlin.read.check import checker
from translators.gremlin.read.reader import reader
from translators.language import Origin
from translators.render import render

HERE = Path(__file__).parents[1]


def music() -> SchemaGraph:
    return read_schema((HERE / "music.schema").read_text("utf-8"))


def in_cypher(text: str) -> str:
    return " ".join(render(reader(Origin())(text), "cypher", None).text.split())


@pytest.mark.parametrize(
    ("text", "cypher"),
    [
        (
            "g.V().hasLabel('Person')",
            "MATCH (n1) WHERE n1:Person RETURN n1 AS value",
        ),
        (
            "g.V().hasLabel('Person').has('age', gt(30)).values('name')",
            "MATCH (n1) WHERE n1:Person AND n1.age IS NOT NULL AND coalesce(n1.age > 30, false) "
            "AND n1.name IS NOT NULL RETURN n1.name AS value",
        ),
        (
            "g.V().out('ACTED_IN').hasLabel('Movie')",
            "MATCH (n1) MATCH (n1)-[:ACTED_IN]->(n3) WHERE n3:Movie RETURN n3 AS value",
        ),
        (
            "g.V().out('PRODUCED').in('DIRECTED')",
            "MATCH (n1) MATCH (n1)-[:PRODUCED]->(n3) MATCH (n3)<-[:DIRECTED]-(n5) "
            "RETURN n5 AS value",
        ),
        (
            "g.V().both('FOLLOWS')",
            "MATCH (n1) CALL (n1) { MATCH (n1)-[:FOLLOWS]->(n2) RETURN n2 UNION ALL "
            "MATCH (n1)<-[:FOLLOWS]-(n2) RETURN n2 } RETURN n2 AS value",
        ),
        (  # what is null is absent
            "g.V().has('a', null)",
            "MATCH (n1) WHERE n1.a IS NOT NULL AND false RETURN n1 AS value",
        ),
        (
            "g.V().has('a', without(1, null))",
            "MATCH (n1) WHERE n1.a IS NOT NULL AND NOT n1.a IN [1] RETURN n1 AS value",
        ),
        (
            "g.V().bothE('R').otherV()",
            "MATCH (n1) CALL (n1) { MATCH (n1)-[e2:R]->(n3) RETURN e2, n3 UNION ALL "
            "MATCH (n1)<-[e2:R]-(n3) RETURN e2, n3 } RETURN n3 AS value",
        ),
        (
            "g.V().repeat(out('R')).emit().times(2)",
            "MATCH (n1) CALL (n1) { MATCH (n1)-[:R]->(n4) RETURN n4 AS u2 UNION ALL "
            "MATCH (n1)-[:R]->(n6) MATCH (n6)-[:R]->(n8) RETURN n8 AS u2 } RETURN u2 AS value",
        ),
        (
            "g.V().project('a', 'b').by(out('ACTED').count()).by('name')",
            "MATCH (n1) RETURN COUNT { MATCH (n1)-[:ACTED]->(n3) } AS a, n1.name AS b",
        ),
        (
            "g.V().values('rating').mean()",
            "MATCH (n1) WHERE n1.rating IS NOT NULL WITH avg(n1.rating) AS v2 RETURN v2 AS value",
        ),
        (
            "g.V().values('rating').mean().is(gt(3))",  # no traverser comes where there is nothing
            "MATCH (n1) WHERE n1.rating IS NOT NULL WITH avg(n1.rating) AS v2 "
            "WHERE v2 IS NOT NULL WITH v2 WHERE coalesce(v2 > 3, false) RETURN v2 AS value",
        ),
        (
            "g.V().groupCount().by('lang').unfold().project('k', 'n').by(keys).by(values)",
            None,
        ),
        (
            "g.V().as('a').out().as('b').where('a', neq('b')).select('a', 'b').by('name')",
            "MATCH (n1) MATCH (n1)-->(n3) WHERE n1 <> n3 AND n1.name IS NOT NULL "
            "AND n3.name IS NOT NULL RETURN n1.name AS a, n3.name AS b",
        ),
        (  # a child of its own: what gathers in it gathers for each traverser
            "g.V().local(out('R').limit(1))",
            "MATCH (n1) CALL (n1) { MATCH (n1)-[:R]->(n4) WITH n1, n4 LIMIT 1 RETURN n4 AS u2 } "
            "RETURN u2 AS value",
        ),
        (
            "g.V().optional(out('R'))",
            "MATCH (n1) CALL (n1) { WITH n1 WHERE EXISTS { MATCH (n1)-[:R]->(n3) } "
            "MATCH (n1)-[:R]->(n6) RETURN n6 AS u4 UNION ALL WITH n1 "
            "WHERE NOT coalesce(EXISTS { MATCH (n1)-[:R]->(n3) }, false) RETURN n1 AS u4 } "
            "RETURN u4 AS value",
        ),
        (
            "g.V().out('R').path().by('name')",
            "MATCH (n1) MATCH (n1)-[:R]->(n3) WHERE n1.name IS NOT NULL AND n3.name IS NOT NULL "
            "RETURN [n1.name, n3.name] AS value",
        ),
        (
            "g.V().out().simplePath()",
            "MATCH (n1) MATCH (n1)-->(n3) WHERE n1 <> n3 RETURN n3 AS value",
        ),
        (
            "g.withSack(1).V().sack(sum).by('a').sack()",
            "MATCH (n1) WHERE n1.a IS NOT NULL RETURN 1 + n1.a AS value",
        ),
        (  # the last in an order are the first in the opposite one
            "g.V().values('a').order().tail(2)",
            "MATCH (n1) WHERE n1.a IS NOT NULL WITH n1 ORDER BY n1.a DESC LIMIT 2 "
            "WITH n1 ORDER BY n1.a RETURN n1.a AS value",
        ),
        (
            "g.V().aggregate('x').by('a').out().cap('x')",
            "MATCH (n1) WHERE n1.a IS NOT NULL WITH collect(n1.a) AS v4 RETURN v4 AS value",
        ),
        (
            "g.inject(null, 1).is(neq(1))",
            "UNWIND [null, 1] AS v1 WITH v1 WHERE v1 IS NULL OR v1 IS NOT NULL "
            "AND coalesce(v1 <> 1, false) RETURN v1 AS value",
        ),
        (
            "g.V().as('a').out().where(__.as('a').has('x', 1))",
            "MATCH (n1) MATCH (n1)-->(n3) WHERE coalesce(n1.x IS NOT NULL AND "
            "coalesce(n1.x = 1, false), false) RETURN n3 AS value",
        ),
        (
            "g.V().not(out('KNOWS')).count()",
            "MATCH (n1) WHERE NOT EXISTS { MATCH (n1)-[:KNOWS]->(n3) } WITH count(*) AS v4 "
            "RETURN v4 AS value",
        ),
        (  # null is a value, too
            "g.V().coalesce(values('age'), constant(null)).count()",
            "MATCH (n1) WITH count(*) AS v2 RETURN v2 AS value",
        ),
        (
            "g.V().order().by(coalesce(values('age'), constant(null)), desc).out('R')",
            "MATCH (n1) WITH n1 ORDER BY coalesce(n1.age, null) IS NOT NULL DESC, "
            "coalesce(n1.age, null) DESC MATCH (n1)-[:R]->(n3) RETURN n3 AS value",
        ),
        (
            "g.V().project('x', 'y').by(coalesce(values('a'), constant(null))).by('a').select('x')",
            "MATCH (n1) RETURN coalesce(n1.a, null) AS value",
        ),
        (
            "g.V().project('x', 'y').by(coalesce(values('a'), constant(null))).by('a').select('y')",
            "MATCH (n1) WHERE n1.a IS NOT NULL RETURN n1.a AS value",
        ),
        (  # what is made of a list is made of the list
            "g.V().map(out('R').fold().count(local))",
            "MATCH (n1) RETURN size(COLLECT { MATCH (n1)-[:R]->(n3) RETURN n3 AS v }) AS value",
        ),
        (  # a child reduces to a row where it has nothing, which a WITH in EXISTS does not
            "g.V().where(out('R').fold().count(local).is(0))",
            "MATCH (n1) WHERE EXISTS { CALL (n1) { MATCH (n1)-[:R]->(n3) RETURN collect(n3) AS v4 "
            "} WITH v4 WHERE coalesce(size(v4) = 0, false) } RETURN n1 AS value",
        ),
        (
            "g.V().where(out('R').groupCount().by('city'))",
            "MATCH (n1) WHERE true RETURN n1 AS value",
        ),
        (  # distinct values stand where the first of each stood
            "g.V().order().by('id', desc).values('k').dedup()",
            "MATCH (n1) WHERE n1.id IS NOT NULL WITH n1 ORDER BY n1.id DESC "
            "WITH n1 WHERE n1.k IS NOT NULL WITH n1.k AS v2, max(n1.id) AS v3 ORDER BY v3 DESC "
            "RETURN v2 AS value",
        ),
        (
            "g.V().order().by('id').dedup().limit(2)",
            "MATCH (n1) WHERE n1.id IS NOT NULL WITH n1 ORDER BY n1.id "
            "WITH DISTINCT n1 AS v2 ORDER BY v2.id LIMIT 2 RETURN v2 AS value",
        ),
        (
            "g.V().order().by('k').by('id').values('k').dedup()",
            "MATCH (n1) WHERE n1.k IS NOT NULL AND n1.id IS NOT NULL WITH n1 ORDER BY n1.k, n1.id "
            "WITH n1 WHERE n1.k IS NOT NULL WITH DISTINCT n1.k AS v2 ORDER BY v2 "
            "RETURN v2 AS value",
        ),
        (  # a window of a window is one
            "g.V().order().by('id').skip(2).skip(1)",
            "MATCH (n1) WHERE n1.id IS NOT NULL WITH n1 ORDER BY n1.id SKIP 3 RETURN n1 AS value",
        ),
        (
            "g.V().order().by('id').limit(4).skip(1)",
            "MATCH (n1) WHERE n1.id IS NOT NULL WITH n1 ORDER BY n1.id SKIP 1 LIMIT 3 "
            "RETURN n1 AS value",
        ),
        ("g.V().range(1, 5).range(1, 2)", "MATCH (n1) WITH n1 SKIP 2 LIMIT 1 RETURN n1 AS value"),
        ("g.V().limit(1).skip(2)", "MATCH (n1) WITH n1 SKIP 2 LIMIT 0 RETURN n1 AS value"),
        (
            "g.V().project('c').by(out('R').hasLabel('T').count()).where(select('c').is(gt(1)))",
            "MATCH (n1) WHERE coalesce(coalesce(COUNT { MATCH (n1)-[:R]->(n3) WHERE n3:T } > 1, "
            "false), false) RETURN COUNT { MATCH (n1)-[:R]->(n3) WHERE n3:T } AS c",
        ),
        (
            "g.V().values('a').sum()",
            "MATCH (n1) WHERE n1.a IS NOT NULL WITH sum(n1.a) AS v2, count(*) AS v3 "
            "RETURN CASE WHEN v3 > 0 THEN v2 END AS value",
        ),
    ],
)
def test_what_a_traversal_means(text: str, cypher: str | None) -> None:
    if cypher is None:
        with pytest.raises(Refused):
            reader(Origin())(text)
        return
    assert in_cypher(text) == cypher
    assert " ".join(render(parse(cypher), "cypher", None).text.split()) == cypher


@pytest.mark.parametrize(
    "text",
    [
        "g.V(1)",
        "g.V().group().by('a')",
        "g.V().values('a').is(typeOf(GType.INT))",
        "g.V().bothE('R').inV()",
        "g.V().repeat(out()).emit(has('a')).times(2)",
        "g.V().hasId(1)",
        "g.V().order().by('a').out().limit(1)",
        "g.V().order().by('a').dedup().by('b')",
        "g.V().order().by('a').by('b').values('c').dedup()",
        "g.V().values('a').math('_ / 0')",
        "g.V().both('X').sideEffect(identity())",
        "g.inject(null).concat('a')",
        "g.V().repeat(out()).until(has('a', 1))",
        "g.V().values()",
        "g.V().limit()",
        "g.V().choose(out())",
        "g.V().choose(out(), __.in().limit(1), both())",
        "g.V().union(out().count(), __.in().count())",
        "g.V().path().by(out().path())",
        "g.V().aggregate('x').out().where(without('x'))",
        "g.V().repeat(aggregate('x').out()).times(2).cap('x')",
        "g.V().values('a').sack()",
        "g.V().values('name').all(gt(1))",
        "g.V().tail(1)",
        "g.V().as('a').where(__.as('b').out())",
        "g.V().repeat(dedup().out()).times(2)",
        "g.V().coalesce(values('a'), constant(null)).fold()",
        "g.V().math('_ + 1').by(coalesce(values('a'), constant(null)))",
    ],
)
def test_what_is_not_read_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        reader(Origin())(text)


@pytest.mark.parametrize("text", ["", "g", "g.", "g.V(", "g.V())", "V()", "g.V('a)", "g.V() x"])
def test_errors_have_a_place(text: str) -> None:
    with pytest.raises(QueryTextError) as caught:
        reader(Origin())(text)
    assert caught.value.line == 1
    assert caught.value.column >= 1


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("g.V().out('KNOWS').values('name')", []),
        ("g.V().has('name', TextP.startingWith('a')).order().by('born', desc)", []),
        ("g.V().out('KNOWZ')", ["unknown-name"]),
        ("g.V().hasLabel('Persn')", ["unknown-name"]),
        ("g.V().ouut()", ["unknown-step"]),
        ("g.V().has('a', P.gtt(1))", ["unknown-predicate"]),
        ("g.io('x').read()", ["beyond-reads", "beyond-reads"]),
        ("g.call('x')", ["beyond-reads"]),
        ("g.withComputer().V()", ["beyond-reads"]),
        ("g.withStrategies(ReadOnlyStrategy).V()", ["beyond-reads"]),
        ("g.V().where(addV('x'))", ["write"]),
        ("g.V().property('a', 1).drop()", ["write", "write"]),
        ("g.V().map{it.get()}", ["syntax"]),
        ("g.V().map(x -> x)", ["syntax"]),
        ("g.V(" * 500 + ")" * 500, ["nesting"]),
        ("g.V().where(" + "out(" * 300 + ")" * 301, ["nesting"]),
    ],
)
def test_the_check(text: str, codes: list[str]) -> None:
    assert [each.code for each in checker(music())(text)] == codes


def test_what_we_write_passes_our_check() -> None:
    schema = music()
    check = checker(schema)
    lines = (HERE / "gremlin" / "reads.pairs").read_text("utf-8").splitlines()
    texts = [line for line in lines if line.startswith("g.")]
    assert len(texts) > 30
    assert [text for text in texts if check(text)] == []


DATED = read_schema("""
Film(title: STRING, released: DATE, shown: DATETIME)
Person(name: STRING, shown: STRING)
""")


@pytest.mark.parametrize(
    ("predicate", "condition"),
    [
        ("gte('2020-01-01')", "coalesce(n1.released >= date('2020-01-01'), false)"),
        ("'2020-01-01'", "coalesce(n1.released = date('2020-01-01'), false)"),
        ("within('2020-01-01', '2020-01-02')", "[date('2020-01-01'), date('2020-01-02')]"),
        ("inside('2020-01-01', '2021-01-01')", "n1.released < date('2021-01-01')"),
    ],
)
def test_texts_beside_a_date_are_dates(predicate: str, condition: str) -> None:
    """TinkerGraph holds dates as texts, whose order is that of the dates."""
    text = f"g.V().hasLabel('Film').has('released', {predicate})"
    statement = reader(Origin(schema=DATED))(text)
    assert condition in " ".join(render(statement, "cypher", DATED).text.split())


@pytest.mark.parametrize(
    "test",
    ["has('released', '2020')", "has('released', gt('2020-02-30'))", "has('shown', lt('2020'))"],
)
def test_a_date_beside_a_text_that_is_none_has_no_meaning_here(test: str) -> None:
    with pytest.raises(Refused):
        reader(Origin(schema=DATED))(f"g.V().{test}")


LABELLED = read_schema("""
Person(name: STRING)
Person&Admin(name: STRING)
City(name: STRING)
Person-[KNOWS]->Person
""")


@pytest.mark.parametrize(
    ("step", "condition"),
    [
        ("hasLabel('Person', 'Person::Admin')", "n1:Person RETURN"),
        ("hasLabel('Person::Admin')", "n1:Person:Admin RETURN"),
        ("hasLabel('Person')", "n1:Person&!Admin RETURN"),
        ("hasLabel('Person', 'City')", "(n1:Person&!Admin|City) RETURN"),
    ],
)
def test_a_label_is_all_of_a_vertex(step: str, condition: str) -> None:
    """The label of a node with several joins them, and is no other's."""
    statement = reader(Origin(schema=LABELLED))(f"g.V().{step}")
    assert condition in " ".join(render(statement, "cypher", LABELLED).text.split())


@pytest.mark.parametrize(
    ("steps", "cypher"),
    [
        ("label()", "CASE WHEN n1:Person:Admin THEN 'Person::Admin' ELSE labels(n1)[0] END"),
        ("out('KNOWS').project('l').by(label)", "RETURN labels(n3)[0] AS l"),
        ("hasLabel('City').label()", "RETURN labels(n1)[0] AS value"),
        ("hasLabel('Person::Admin').label()", "CASE WHEN n1:Person:Admin THEN 'Person::Admin' END"),
    ],
)
def test_the_label_of_a_vertex_joins_those_of_its_node(steps: str, cypher: str) -> None:
    statement = reader(Origin(schema=LABELLED))(f"g.V().{steps}")
    assert cypher in " ".join(render(statement, "cypher", LABELLED).text.split())


def test_a_node_without_a_label_is_a_vertex() -> None:
    schema = SchemaGraph("fixture", (NodeType((), (), ()), *LABELLED.nodes), ())
    read = reader(Origin(schema=schema))
    labels = render(read("g.V().label()"), "cypher", schema).text
    assert "WHEN n1:!% THEN 'vertex'" in labels
    test = render(read("g.V().hasLabel('vertex', 'City')"), "cypher", schema).text
    assert "n1:!%|City" in test


def test_a_count_of_a_row_is_tested() -> None:
    steps = "hasLabel('City').project('c').by(out().count()).where(select('c').is(gt(0)))"
    statement = reader(Origin(schema=LABELLED))(f"g.V().{steps}.count()")
    assert "COUNT { MATCH (n1)-->(" in render(statement, "cypher", LABELLED).text


@pytest.mark.parametrize("step", ["values('size').dedup().count()", "values('size').dedup()"])
def test_one_is_not_one_point_nought_among_keys(step: str) -> None:
    """TinkerGraph counts 1 and 1.0 as two, where every other engine counts one."""
    schema = read_schema("Box(id!: INTEGER, size: INTEGER)\nBag(id!: INTEGER, size: FLOAT)\n")
    with pytest.raises(Refused) as caught:
        reader(Origin(schema=schema))(f"g.V().hasLabel('Box', 'Bag').{step}")
    assert caught.value.code == "mixed-keys"
    reader(Origin(schema=schema))("g.V().hasLabel('Box').values('size').dedup().count()")


NUMBERED = read_schema("Box(id!: INTEGER, name: STRING, size: INTEGER, price: FLOAT)\n")


@pytest.mark.parametrize(
    "step",
    [
        "coalesce(values('size'), constant(2)).dedup()",
        "union(values('size'), constant(2)).dedup().count()",
        "union(values('size'), values('name').length()).dedup()",
        "project('k').by(coalesce(values('size'), constant(0))).select('k').dedup()",
    ],
)
def test_short_integers_beside_stored_ones_are_no_keys(step: str) -> None:
    """TinkerGraph tells the integer 2 of 32 bits from that of 64."""
    read = reader(Origin(schema=NUMBERED))
    with pytest.raises(Refused) as caught:
        read(f"g.V().{step}")
    assert caught.value.code == "mixed-keys"
    wide = step.replace("(2)", "(2L)").replace("(0)", "(0L)")
    if wide != step:
        read(f"g.V().{wide}")


@pytest.mark.parametrize(
    "step",
    [
        "choose(has('size', gt(3)), constant(1), constant(0)).dedup()",
        "values('name').length().dedup()",
        "coalesce(values('name'), constant('x')).dedup()",
        "coalesce(values('size'), constant(2)).order()",
    ],
)
def test_integers_of_one_width_are_keys(step: str) -> None:
    reader(Origin(schema=NUMBERED))(f"g.V().{step}")


def test_the_greatest_of_integers_and_floats_is_no_integer() -> None:
    with pytest.raises(Refused) as caught:
        reader(Origin(schema=NUMBERED))("g.V().values('size', 'price').max()")
    assert caught.value.code == "mixed-numbers"
