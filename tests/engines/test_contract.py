"""The one suite every engine runs: what it loads, what it answers, what it refuses.

A case has a text for each language; expected values come from the rows in `graphs.py`.
"""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import pytest

from engines import ENGINES
from engines.base import Result
from engines.compare import Verdict, same_bag
from engines.isolation import IsolatedEngine
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryError, QueryTextError, QueryTimeout, QueryTooLarge, Refused
from pipelines.engine_texts import EngineTexts
from tests.engines.conftest import HERE, HERE_TOO
from tests.engines.graphs import HOSTILE, SCHEMA
from translators.render import render

pytestmark = pytest.mark.slow

TIMEOUT = 60.0

WEIRD = HOSTILE.name.replace("`", "``")
WEIRD_TABLE = HOSTILE.name.replace('"', "%22").replace('"', '""')


class Case(NamedTuple):
    """One question in every language that can put it, and its answer."""

    texts: dict[str, str]
    rows: list[tuple[Any, ...]]


def graph_case(text: str, sql: str, *rows: tuple[Any, ...]) -> Case:
    """A case whose Cypher and GQL are the same text, and the others what is made of it."""
    texts = {"cypher": text, "gql": text}
    for language in ("sparql", "gremlin", "cypher-ladybug", "pgq-grafeo"):
        texts |= said_in(language, text)
    return Case({**texts, "sql": sql} if sql else texts, list(rows))


def said_in(language: str, text: str) -> dict[str, str]:
    """A Cypher text in another language, where it can be said."""
    try:
        return {language: render(parse(text), language, SCHEMA).text}
    except (Refused, QueryTextError):
        return {}


def case_of(case: Case, engine: str, language: str) -> Case | None:
    """The case with the text that an engine is given: some have a form of a language's own."""
    own = {("ladybug", "cypher"): "cypher-ladybug", ("grafeo", "pgq"): "pgq-grafeo"}
    key = own.get((engine, language), language)
    if key not in case.texts:
        return None
    return case._replace(texts={**case.texts, language: case.texts[key]})


def on_every_engine(cases: dict[str, Case]) -> pytest.MarkDecorator:
    """One test for each case, engine and language of that engine."""
    given = [
        pytest.param(name, language, own, id=f"{key}-{name}-{language}")
        for key, case in cases.items()
        for name in HERE_TOO
        for language in ENGINES.get(name).languages
        if (own := case_of(case, name, language)) is not None
    ]
    return pytest.mark.parametrize(("engine", "language", "case"), given, indirect=["engine"])


def ask(engine: IsolatedEngine, text: str, language: str) -> Result:
    return engine.run(text, language=language, timeout=TIMEOUT)


def check(engine: IsolatedEngine, found: Result, *rows: tuple[Any, ...]) -> None:
    wanted = Result(found.columns, tuple(rows))
    verdict: Verdict = same_bag(found, wanted, booleans=engine.name != "sqlite")
    assert verdict, verdict
    json.dumps(found.rows)  # plain values all through


# --- values --------------------------------------------------------------------------------

VALUES: dict[str, tuple[Any, Any, Any]] = {
    "boolean": (True, False, True),
    "integer": (42, -(2**63), 2**63 - 1),
    "float": (1.5, 5e-324, -1.7976931348623157e308),
    "string": ("text", "", "a'b\"c`d\\e\n\t\0🚲 %_"),
    "date": ("2024-02-29", "0001-01-01", "9999-12-31"),
    "time": ("10:30:15", "00:00:00", "23:59:59.999999"),
    "zoned_time": ("10:30:15+02:00", "00:00:00Z", "23:59:59.999999-11:30"),
    "datetime": ("2024-02-29T10:30:15.500000", "0001-01-01T00:00:00", "9999-12-31T23:59:59.999999"),
    "zoned_datetime": (
        "2024-02-29T10:30:15+02:00",
        "0001-01-01T00:00:00Z",
        "2024-06-30T23:59:59.999999-11:30",
    ),
    "duration": ("P1Y2M3DT4H5M6.5S", "PT0S", "P-1M-2DT-3.25S"),
    "bytes": (
        {"$bytes": "AP8="},
        {"$bytes": ""},
        {"$bytes": b64encode(bytes(range(256))).decode()},
    ),
    "integers": ([1, 2, 3], [], [2**63 - 1, -1]),
    "strings": (["a", "", "ü"], [], ["'", '"', "\\"]),
    "dates": (["2024-02-29"], [], []),
    "floats": ([0.1, 2.0], [], [-1.7976931348623157e308, 5e-324]),
}

KINDS = {
    kind: graph_case(
        f"MATCH (n:Kinds) RETURN n.id AS id, n.`{kind}` AS v",
        f'SELECT "id", "{kind}" FROM "Kinds"',
        *[(number, value) for number, value in zip((1, 3, 4), values, strict=True)],
        (2, None),
    )
    for kind, values in VALUES.items()
}


@on_every_engine(KINDS)
def test_value(engine: IsolatedEngine, language: str, case: Case) -> None:
    """Every kind of value comes back as it went in, and so does its absence."""
    check(engine, ask(engine, case.texts[language], language), *case.rows)


# --- the shape of the graph ----------------------------------------------------------------

KNOWS_TABLE = '"Person__KNOWS__Person"'

SHAPE = {
    "nodes": graph_case(
        "MATCH (n:Person) RETURN n.name AS name",
        'SELECT "name" FROM "Person" UNION ALL SELECT "name" FROM "Person&Actor"',
        *[(name,) for name in ("Ann", "Bob", "Cid", "Dee")],
    ),
    "several labels": graph_case(
        "MATCH (n:Actor) RETURN n.name AS name, size(labels(n)) AS labels",
        'SELECT "name", 2 FROM "Person&Actor"',
        ("Dee", 2),
    ),
    "self-loop": graph_case(
        "MATCH (n:Person)-[e:KNOWS]->(n) RETURN n.name AS name, e.since AS since",
        f'SELECT "source.name", "since" FROM {KNOWS_TABLE} WHERE "source.name" = "target.name"',
        ("Bob", 2003),
    ),
    "parallel edges": graph_case(
        "MATCH (:Person {name: 'Ann'})-[e:KNOWS]->(b) RETURN b.name AS name, e.since AS since",
        f'SELECT "target.name", "since" FROM {KNOWS_TABLE} WHERE "source.name" = \'Ann\'',
        ("Bob", 2001),
        ("Bob", 2001),
        ("Bob", 2002),
    ),
    "edge type between other nodes": graph_case(
        "MATCH (a:Actor)-[:KNOWS]->(b) RETURN a.name AS a, b.name AS b",
        'SELECT "source.name", "target.name" FROM "Person&Actor__KNOWS__Person"',
        ("Dee", "Ann"),
    ),
    "composite key": graph_case(
        "MATCH (p:Person)-[:BOUGHT]->(l:`Order Line`) "
        "RETURN p.name AS p, l.`order` AS o, l.`line no` AS n, l.price AS price",
        'SELECT p."source.name", l."order", l."line no", l."price" '
        'FROM "Person__BOUGHT__Order Line" p JOIN "Order Line" l '
        'ON l."order" = p."target.order" AND l."line no" = p."target.line no"',
        ("Ann", 1, "b", 0.01),
        ("Ann", 2, "a", None),
        ("Bob", 1, "b", 0.01),
    ),
    "no key": graph_case(
        "MATCH (l:Log) RETURN l.message AS message, count(*) AS n",
        'SELECT "message", count(*) FROM "Log" GROUP BY "message"',
        ("started", 2),
        (None, 1),
    ),
    "null property of an edge": graph_case(
        "MATCH (:Person)-[e:KNOWS]->(:Person {name: 'Cid'}) RETURN e.since AS since",
        f'SELECT "since" FROM {KNOWS_TABLE} WHERE "target.name" = \'Cid\'',
        (None,),
    ),
    "hostile names": graph_case(
        "MATCH (n {`na me`: 'x'}) RETURN n.`select` AS a, n.`na me` AS b, "
        "n.`q\"uote's` AS d, n.`größe 日本` AS e, n._id AS f, n._labels AS g",
        f'SELECT "select", "na me", "q""uote\'s", "größe 日本", "_id", "_labels" '
        f'FROM "{WEIRD_TABLE}" WHERE "na me" = \'x\'',
        (1, "x", "quote", "日", 77, "mine"),
    ),
    "hostile label": graph_case(
        f"MATCH (n:`{WEIRD}`) RETURN count(*) AS n", f'SELECT count(*) FROM "{WEIRD_TABLE}"', (2,)
    ),
    "backtick in a property": graph_case(
        "MATCH (n {`na me`: 'x'}) RETURN n.`a``b` AS v",
        f'SELECT "a`b" FROM "{WEIRD_TABLE}" WHERE "na me" = \'x\'',
        ("tick",),
    ),
    "hostile edge type": graph_case(
        "MATCH (a)-[e:`is ``odd``__/&%`]->(b) RETURN a.`select` AS a, b.`select` AS b, e._id AS e",
        "",
        (1, 2, 5),
    ),
    "no rows": graph_case(
        "MATCH (n:Person) WHERE n.name = 'Nobody' RETURN n.name AS a, n.age AS b",
        'SELECT "name" AS a, "age" AS b FROM "Person" WHERE "name" = \'Nobody\'',
    ),
}


@on_every_engine(SHAPE)
def test_shape(engine: IsolatedEngine, language: str, case: Case) -> None:
    """Nodes and edges of every shape are there, each once."""
    check(engine, ask(engine, case.texts[language], language), *case.rows)


# --- elements in answers -------------------------------------------------------------------


def person(name: str, age: int | None, *labels: str) -> dict[str, Any]:
    stored = {"name": name, "age": age}
    kept = {key: value for key, value in stored.items() if value is not None}
    return {"labels": ["Person", *labels], "key": {"name": name}, "properties": kept}


def end(node: dict[str, Any]) -> dict[str, Any]:
    return {"labels": node["labels"], "key": node["key"]}


ANN, BOB, CID = person("Ann", 30), person("Bob", 40), person("Cid", None)
DEE = person("Dee", 50, "Actor")
EDGE = {
    "type": "KNOWS",
    "source": end(DEE),
    "target": end(ANN),
    "properties": {"since": 2004},
}
HOSTILE_NODE = {
    "labels": [HOSTILE.name],
    "key": {"select": 1},
    "properties": {
        **{"select": 1, "na me": "x", "a`b": "tick", "q\"uote's": "quote"},
        **{"größe 日本": "日", "_id": 77, "_labels": "mine"},
    },
}

ELEMENTS = {
    "node": graph_case("MATCH (n:Person {name: 'Cid'}) RETURN n AS v", "", (CID,)),
    "node of several labels": graph_case("MATCH (n:Actor) RETURN n AS v", "", (DEE,)),
    "node without key": graph_case(
        "MATCH (n:Log) RETURN n AS v",
        "",
        *[
            ({"labels": ["Log"], "key": {}, "properties": p},)
            for p in ({"message": "started"}, {"message": "started"}, {})
        ],
    ),
    "node of composite key": graph_case(
        "MATCH (n:`Order Line` {`order`: 2}) RETURN n AS v",
        "",
        (
            {
                "labels": ["Order Line"],
                "key": {"order": 2, "line no": "a"},
                "properties": {"order": 2, "line no": "a"},
            },
        ),
    ),
    "node of hostile names": graph_case(
        "MATCH (n {`na me`: 'x'}) RETURN n AS v", "", (HOSTILE_NODE,)
    ),
    "edge": graph_case("MATCH (:Actor)-[e:KNOWS]->() RETURN e AS v", "", (EDGE,)),
    "edge of hostile names": graph_case(
        "MATCH (n {`na me`: 'x'})-[e]->() RETURN e AS v",
        "",
        (
            {
                "type": "is `odd`__/&%",
                "source": end(HOSTILE_NODE),
                "target": {"labels": [HOSTILE.name], "key": {"select": 2}},
                "properties": {"_id": 5},
            },
        ),
    ),
    "path": graph_case(
        "MATCH p = (:Actor)-[:KNOWS]->() RETURN p AS v",
        "",
        ({"nodes": [DEE, ANN], "edges": [EDGE]},),
    ),
    "list of nodes": graph_case("MATCH (n:Actor) RETURN collect(n) AS v", "", ([DEE],)),
    "no node": graph_case(
        "MATCH (n:Log) OPTIONAL MATCH (n)-[e]->(m) RETURN DISTINCT e AS e, m AS m",
        "",
        (None, None),
    ),
}


@on_every_engine(ELEMENTS)
def test_element(engine: IsolatedEngine, language: str, case: Case) -> None:
    """Nodes, edges and paths are told by labels, key and properties, nothing else."""
    found = ask(engine, case.texts[language], language)
    check(engine, found, *case.rows)
    exact = sorted(json.dumps(row, sort_keys=True) for row in case.rows)
    assert sorted(json.dumps(row, sort_keys=True) for row in found.rows) == exact


COLUMNS = {
    "some": graph_case("RETURN 1 AS b, 2 AS a", "SELECT 1 AS b, 2 AS a", (1, 2)),
    "none": graph_case(
        "MATCH (n:Person) WHERE n.age > 1000 RETURN n.name AS b, n.age AS a",
        'SELECT "name" AS b, "age" AS a FROM "Person" WHERE "age" > 1000',
    ),
}


@on_every_engine(COLUMNS)
def test_column_names(engine: IsolatedEngine, language: str, case: Case) -> None:
    """Columns keep their names and their order, with and without rows."""
    found = ask(engine, case.texts[language], language)
    assert found.columns == ("b", "a")
    assert found.rows == tuple(case.rows)


USERS = {
    "cypher": (
        "MATCH (n:Person) WHERE n.age > 1000 RETURN sum(n.age), count( * )",
        ("sum(n.age)", "count( * )"),
        ((0, 0),),
    ),
    "gql": (
        "MATCH (n:Person) WHERE n.age > 0 RETURN n.age AS a, n.name AS b ORDER BY -a, n.name",
        ("a", "b"),
        ((50, "Dee"), (40, "Bob"), (30, "Ann")),
    ),
}


@pytest.mark.parametrize(
    ("engine", "language"),
    [
        pytest.param(name, language, id=f"{name}-{language}")
        for name in HERE_TOO
        for language in ENGINES.get(name).languages
        if language in USERS
    ],
    indirect=["engine"],
)
def test_a_text_of_a_user(engine: IsolatedEngine, language: str, graph: Path) -> None:
    """A text means what its language says, in the dialect that `graphmill run` makes of it."""
    text, columns, rows = USERS[language]
    own = EngineTexts(ENGINES.get(engine.name), language, graph).ready(text)
    found = ask(engine, own.text, language)
    assert own.unsound == ()
    assert (own.columns or found.columns, found.rows) == (columns, rows)


TWICE = {"twice": graph_case("RETURN 1 AS a, 2 AS a", "SELECT 1 AS a, 2 AS a", (1, 2))}


@on_every_engine(TWICE)
def test_two_columns_of_one_name(engine: IsolatedEngine, language: str, case: Case) -> None:
    """SQL returns both; Cypher and GQL forbid it, and no value is lost silently."""
    if language == "sql":
        found = ask(engine, case.texts[language], language)
        assert (found.columns, found.rows) == (("a", "a"), ((1, 2),))
    else:
        with pytest.raises(QueryError) as caught:
            ask(engine, case.texts[language], language)
        assert caught.value.kind == "semantic"


BIG = {
    "big": graph_case(
        "UNWIND range(1, 100000) AS x RETURN x AS x, 'text ' + toString(x) AS t",
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100000) "
        "SELECT x, 'text ' || x FROM n",
    )
}


@on_every_engine(BIG)
def test_a_big_answer(engine: IsolatedEngine, language: str, case: Case) -> None:
    """A hundred thousand rows come through."""
    found = ask(engine, case.texts[language], language)
    assert len(found.rows) == 100_000
    assert set(found.rows) == {(x, f"text {x}") for x in range(1, 100_001)}


# --- errors --------------------------------------------------------------------------------

ERRORS = {
    "syntax": (
        "MATCH (n RETURN n",
        "SELECT FROM WHERE",
        "SELECT ?n WHERE { ?n ?p }",
        "g.V(.count()",
        "SELECT FROM WHERE",
    ),
    "syntax at the end": (
        "MATCH (n:Person) RETURN",
        'SELECT "name" FROM',
        "SELECT ?n WHERE {",
        "g.V().",
        "SELECT n FROM GRAPH_TABLE (MATCH (p:Person)",
    ),
    "nothing": ("", "", "", "", ""),
    "semantic": (
        "MATCH (n:Person) RETURN m.name AS x",
        'SELECT nmae FROM "Person"',
        "ASK { ?n ?p ?o }",
        "g.V().where(eq('m'))",
        "SELECT g.n FROM GRAPH_TABLE (MATCH (p:Person) COLUMNS (m.name AS n)) AS g",
    ),
    "semantic function": (
        "RETURN nosuch(1) AS x",
        "SELECT nosuch(1)",
        "SELECT (<java:java.lang.Math.nosuch>(1) AS ?x) WHERE {}",
        "g.inject(1).where('n', eq('m'))",
        "SELECT g.n FROM GRAPH_TABLE (MATCH (p:Person) COLUMNS (nosuch(1) AS n)) AS g",
    ),
}
FORMS = {"sql": 1, "sparql": 2, "gremlin": 3, "pgq": 4}


@pytest.mark.parametrize("fault", sorted(ERRORS))
@pytest.mark.parametrize("engine", HERE_TOO, indirect=True)
def test_error_kind(engine: IsolatedEngine, fault: str) -> None:
    """A bad text is an error of the right kind, and the next query runs."""
    for language in ENGINES.get(engine.name).languages:
        text = ERRORS[fault][FORMS.get(language, 0)]
        with pytest.raises(QueryError) as caught:
            ask(engine, text, language)
        kind = fault.split()[0]
        assert caught.value.kind == (kind if kind != "nothing" else "syntax"), caught.value
        assert str(caught.value).strip()


def count(engine: IsolatedEngine, language: str) -> int:
    text = "MATCH (n) RETURN count(*) AS n"
    if language == "sparql":
        text = said_in("sparql", text)["sparql"]
    if language == "sql":
        text = 'SELECT (SELECT count(*) FROM "Person") + (SELECT count(*) FROM "Log")'
    if language == "gremlin":
        text = "g.V().count()"
    if language == "pgq":
        text = "SELECT COUNT(*) AS n FROM GRAPH_TABLE (MATCH (n) COLUMNS (1 AS one)) AS g"
    (n,) = ask(engine, text, language).rows[0]
    return int(n)


WRITES = {
    "cypher": (
        "CREATE (:Log {message: 'new'})",
        "MATCH (n:Log) SET n.message = 'x' RETURN n",
        "MATCH (n:Log) DETACH DELETE n",
        "MATCH (n:Log) REMOVE n.message",
        "MERGE (n:New {id: 1}) RETURN n.id AS id",
        "FOREACH (x IN [1] | CREATE (:Log))",
        "CREATE INDEX some FOR (n:Log) ON (n.message)",
        "MATCH (n) CALL (n) { CREATE (:Log) } RETURN count(*) AS n",
    ),
    "gql": (
        "INSERT (:Log {message: 'new'})",
        "MATCH (n:Log) SET n.message = 'x' RETURN n",
        "MATCH (n:Log) DETACH DELETE n",
        "MATCH (n:Log) REMOVE n.message",
        "/* a comment */ CREATE GRAPH other",
        "DROP GRAPH other",
        "START TRANSACTION",
        "SESSION SET TIME ZONE '+02:00'",
    ),
    "sql": (
        'DELETE FROM "Log"',
        "INSERT INTO \"Log\" VALUES ('new')",
        'UPDATE "Log" SET "message" = \'x\'',
        'DROP TABLE "Log"',
        "CREATE TABLE other (x INTEGER)",
        'CREATE VIEW other AS SELECT * FROM "Log"',
        "PRAGMA user_version = 7",
        "VACUUM",
        "BEGIN",
    ),
    "sparql": (
        "INSERT DATA { <urn:a> <urn:b> 1 }",
        "DELETE WHERE { ?s ?p ?o }",
        "CLEAR ALL",
        "DROP DEFAULT",
        "PREFIX x: <urn:x> CREATE GRAPH x:g",
        "SELECT * WHERE { ?s ?p ?o } ; INSERT DATA { <urn:a> <urn:b> 1 }",
    ),
    "gremlin": (
        "g.addV('Log').property('message', 'new')",
        "g.V().hasLabel('Log').property('message', 'x')",
        "g.V().hasLabel('Log').drop()",
        "g.mergeV([(T.label): 'Log'])",
        "g.V().addE('x').to(__.V())",
        "g.withoutStrategies(ReadOnlyStrategy).V().drop()",
        "g.tx().commit()",
    ),
    "pgq": (
        "INSERT (:Log {message: 'new'})",
        "CREATE (:Log {message: 'new'})",
        "MATCH (n:Log) SET n.message = 'x'",
        "CREATE PROPERTY GRAPH g NODE TABLES (Log (message STRING))",
        "DROP GRAPH g",
        "SELECT g.n FROM GRAPH_TABLE (MATCH (n:Log) DELETE n COLUMNS (1 AS n)) AS g",
    ),
}


@pytest.mark.parametrize("engine", HERE_TOO, indirect=True)
def test_writes_are_refused(engine: IsolatedEngine) -> None:
    """No text changes the data, the schema or the session."""
    for language in ENGINES.get(engine.name).languages:
        before = count(engine, language)
        for text in WRITES[language]:
            with pytest.raises(QueryError):
                ask(engine, text, language)
        assert count(engine, language) == before


def outside(path: Path, stolen: Path) -> dict[str, tuple[str, ...]]:
    """Texts that read the file `path` or write the file `stolen`."""
    return {
        "cypher": (
            f"LOAD CSV FROM '{path}' AS row RETURN row",
            f"LOAD CSV FROM 'file://{path}' AS row RETURN row",
            f"LOAD /* */ CSV FROM 'file://{path}' AS row RETURN row",
            f"MATCH (n:Log) CALL {{ LOAD CSV FROM '{path}' AS row RETURN row }} RETURN row",
            "CALL dbms.listConfig() YIELD name RETURN name",
        ),
        "gql": (
            f"LOAD CSV FROM '{path}' AS row RETURN row",
            f"LOAD DATA FROM '{path}' FORMAT CSV AS row RETURN row",
            f"MATCH (n:Log) LOAD DATA FROM '{path}' FORMAT CSV AS row RETURN row",
        ),
        "sql": (
            f"SELECT * FROM read_csv('{path}')",
            f"SELECT * FROM '{path}'",
            f"SELECT readfile('{path}')",
            f"ATTACH '{path}' AS other",
            f"COPY (SELECT 1) TO '{stolen}'",
            f"VACUUM INTO '{stolen}'",
            "SELECT load_extension('x')",
        ),
        "sparql": (
            f"LOAD <file://{path}>",
            f"SELECT * FROM <file://{path}> WHERE {{ ?s ?p ?o }}",
            f"SELECT * FROM NAMED <file://{path}> WHERE {{ GRAPH ?g {{ ?s ?p ?o }} }}",
            "SELECT * WHERE { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }",
            "SELECT * WHERE { SERVICE SILENT <http://127.0.0.1/> { ?s ?p ?o } }",
            r"SELECT * WHERE { \u0053ERVICE <http://127.0.0.1/> { ?s ?p ?o } }",
            "SELECT (<java:java.lang.System.exit>(1) AS ?x) WHERE {}",
            "PREFIX j: <java:java.lang.System.> SELECT (j:exit(1) AS ?x) WHERE {}",
        ),
        "gremlin": (
            f"g.io('{path}').read()",
            f"g.io('{stolen}').write()",
            f"g.io('{path}').with(IO.reader, IO.graphml).read().iterate()",
            "g.call('--list')",
            f"g.V().map(Lambda.function('new File(\"{path}\").text'))",
        ),
        "pgq": (
            f"LOAD CSV FROM '{path}' AS row RETURN row",
            f"SELECT * FROM '{path}'",
            f"SELECT * FROM read_csv('{path}')",
            f"COPY (SELECT 1) TO '{stolen}'",
        ),
    }


@pytest.mark.parametrize("engine", HERE_TOO, indirect=True)
def test_files_are_out_of_reach(engine: IsolatedEngine, tmp_path: Path) -> None:
    """No text reads or writes a file."""
    path, stolen = tmp_path / "secret.csv", tmp_path / "stolen.csv"
    path.write_text("secret\n")
    for language in ENGINES.get(engine.name).languages:
        for text in outside(path, stolen)[language]:
            with pytest.raises(QueryError):
                ask(engine, text, language)
    assert not stolen.exists()


# --- limits --------------------------------------------------------------------------------

PRODUCT = "MATCH " + ", ".join(f"(n{i}:Person)" for i in range(20))
SUM = " + ".join(f"n{i}.age" for i in range(20))  # needs all twenty, so nothing can be cut short
TRIPLES = " ".join(f"?s{i} ?p{i} ?o{i} ." for i in range(9))
RUNAWAYS = {
    "cypher": f"{PRODUCT} WHERE {SUM} < 0 RETURN count(*) AS n",
    "gql": f"{PRODUCT} FILTER {SUM} < 0 RETURN count(*) AS n",
    "sql": "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n",
    "sparql": f"SELECT (COUNT(*) AS ?n) WHERE {{ {TRIPLES}"
    f" FILTER(CONCAT({', '.join(f'STR(?o{i})' for i in range(9))}) = 'none') }}",
    "gremlin": "g.V().repeat(V()).times(20).path().count()",
    "pgq": f"SELECT COUNT(*) AS n FROM GRAPH_TABLE ({PRODUCT} WHERE {SUM} < 0"
    " COLUMNS (1 AS one)) AS g",
}


@pytest.mark.parametrize("engine", HERE_TOO, indirect=True)
def test_a_runaway_is_stopped(engine: IsolatedEngine) -> None:
    """The limit holds, and the next query runs."""
    for language in ENGINES.get(engine.name).languages:
        start = monotonic()
        with pytest.raises(QueryTimeout):
            engine.run(RUNAWAYS[language], language=language, timeout=1.0)
        assert monotonic() - start < 20
        assert count(engine, language) > 0


HOGS = {
    "cypher": "UNWIND range(1, 1000000000) AS x RETURN collect(toString(x)) AS c",
    "gql": "UNWIND range(1, 1000000000) AS x RETURN collect(toString(x)) AS c",
    "sql": "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
    f"SELECT '{'long ' * 200}' || x AS t FROM n ORDER BY t DESC",
    "sparql": f"SELECT (GROUP_CONCAT(CONCAT(STR(?s0), '{'long ' * 400}')) AS ?t)"
    f" WHERE {{ {TRIPLES} }}",
    "gremlin": "g.inject('long text').repeat(concat(identity())).times(40).length()",
}


@pytest.mark.parametrize("engine", HERE_TOO, indirect=True)
def test_a_memory_hog_is_stopped(engine: IsolatedEngine) -> None:
    """The cap holds, and the next query runs."""
    language = ENGINES.get(engine.name).languages[0]
    with pytest.raises(QueryTooLarge):
        engine.run(HOGS[language], language=language, timeout=300.0)
    assert count(engine, language) > 0


# --- the suite itself ----------------------------------------------------------------------


def test_every_engine_has_its_folder() -> None:
    """An engine says what it is known to fail, even when that is nothing."""
    missing = [name for name in ENGINES.names() if not (HERE / name / "expected.toml").is_file()]
    assert not missing


def test_every_engine_declares_itself() -> None:
    """Names, languages and profiles are those that the rest of graphmill goes by."""
    for name in ENGINES.names():
        kind = ENGINES.get(name)
        assert kind.name == name
        assert set(kind.languages) <= {"cypher", "gql", "gremlin", "ngql", "pgq", "sql", "sparql"}
        assert set(kind.profiles) == set(kind.languages)
