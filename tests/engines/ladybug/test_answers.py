"""What LadybugDB does otherwise than Cypher, in the text that is rendered for it.

The rows follow from the graph of the contract suite: Ann knows Bob three times, Bob himself and
Cid, Dee (an actor) Ann.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engines.backends.ladybug import Ladybug
from engines.base import Result
from engines.compare import same_bag
from engines.isolation import IsolatedEngine
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryError, Refused
from qa.fuzz.graphs import read_graph
from tests.engines.graphs import SCHEMA
from translators.render import render

pytestmark = pytest.mark.slow

NAMES = "RETURN x.name AS name"
ANN = "MATCH (p:Person) OPTIONAL MATCH (p)-[:KNOWS]->(t:Person {name: 'Ann'})"
CASES: dict[str, tuple[str, list[tuple[Any, ...]]]] = {
    "a loop is met once by an undirected edge": (
        f"MATCH (:Person {{name: 'Bob'}})-[:KNOWS]-(x) {NAMES}",
        [("Ann",), ("Ann",), ("Ann",), ("Bob",), ("Cid",)],
    ),
    "two edges are two": (
        f"MATCH (:Person {{name: 'Bob'}})-[:KNOWS]->()-[:KNOWS]->(x) {NAMES}",
        [("Cid",)],
    ),
    "a trail passes an edge once": (
        f"MATCH (:Person {{name: 'Bob'}})-[:KNOWS*1..3]->(x) {NAMES}",
        [("Bob",), ("Cid",), ("Cid",)],
    ),
    "a trail of no edge stays": (
        f"MATCH (:Person {{name: 'Cid'}})-[:KNOWS*0..2]->(x) {NAMES}",
        [("Cid",)],
    ),
    "a label on what is bound keeps rows": (
        "MATCH (p:Person) OPTIONAL MATCH (p:Actor)-[:KNOWS]->(x) RETURN p.name AS p, x.name AS x",
        [("Ann", None), ("Bob", None), ("Cid", None), ("Dee", "Ann")],
    ),
    "groups are sorted by a column that is called like a variable": (
        "MATCH (a:Person)-[:KNOWS]->(b) RETURN a.name AS b, count(b) AS a ORDER BY a DESC, b",
        [("Ann", 3), ("Bob", 2), ("Dee", 1)],
    ),
    "distinct rows are sorted by a column that is called like a variable": (
        "MATCH (a:Person)-[:KNOWS]->(b) RETURN DISTINCT a.name AS b ORDER BY b DESC",
        [("Dee",), ("Bob",), ("Ann",)],
    ),
    "sums and counts are united": (
        "MATCH (p:Person) RETURN sum(p.age) AS x UNION ALL MATCH (p:Person) RETURN count(p) AS x",
        [(120,), (4,)],
    ),
    "a sum of nothing is zero": (
        "MATCH (p:Person) WHERE p.age > 1000 RETURN sum(p.age) AS s",
        [(0,)],
    ),
    "a text joined to null is null": (
        "MATCH (p:Person) WHERE p.name + '!' + p.age IS NULL RETURN p.name AS name",
        [("Cid",)],
    ),
    "a test stands behind a whole sum": (
        "MATCH (p:Person) RETURN p.age + 1 IS NULL AS x, p.name + 'a' STARTS WITH 'A' AS y",
        [(False, True), (False, False), (True, False), (False, False)],
    ),
    "nulls sort last": (
        "MATCH (p:Person) RETURN p.age AS age ORDER BY age LIMIT 3",
        [(30,), (40,), (50,)],
    ),
    "an aggregate reads the rows of a sorted window": (
        "MATCH (p:Person) WITH p.name AS n ORDER BY n DESC LIMIT 2 "
        "RETURN collect(n) AS l, min(n) AS m, count(*) AS c",
        [(["Dee", "Cid"], "Cid", 2)],
    ),
    "so it does where a condition stands behind the window": (
        "MATCH (p:Person) WITH p.name AS n ORDER BY n DESC LIMIT 3 WHERE n < 'Dee' "
        "WITH n AS m RETURN collect(m) AS l",
        [(["Cid", "Bob"],)],
    ),
    "columns of a union are put together by name": (
        "MATCH (p:Person) WHERE p.name = 'Ann' RETURN p.name AS a, 'x' AS b "
        "UNION ALL MATCH (p:Person) WHERE p.name = 'Bob' RETURN 'y' AS b, p.name AS a",
        [("Ann", "x"), ("Bob", "y")],
    ),
    "halves go up, integers are cut": (
        "RETURN round(-2.5) AS a, toInteger(-2.7) AS b, 7 / 2 AS c",
        [(-2.0, -2, 3)],
    ),
    "what is rounded is no larger than an integer": (
        "RETURN round(1e300) AS a, round(-1e300) AS b, 1.0 / round(-0.3) > 0 AS c, "
        "toString(round(0.0 / 0.0) = 1.0) AS d",
        [(9.223372036854775807e18, -9.223372036854775807e18, True, "false")],
    ),
    "a count of nothing is a group": (
        "MATCH (p:Person) RETURN COUNT { (p)-[:KNOWS]->() } AS k, count(*) AS n",
        [(3, 1), (2, 1), (1, 1), (0, 1)],
    ),
    "a count of nothing is not that of the row before": (
        "MATCH (:Person)-[:KNOWS]->(p) RETURN p.name AS name, "
        "COUNT { (p)<-[:KNOWS]-(x) WHERE x.age = p.age } AS k",
        [*[("Bob", 1)] * 4, ("Cid", 0), ("Ann", 0)],
    ),
    "a count of nothing is a distinct row": (
        "MATCH (p:Person) RETURN DISTINCT COUNT { (p)-[:KNOWS]->() } > 2 AS k",
        [(True,), (False,)],
    ),
    "a count of nothing is among what is averaged": (
        "MATCH (p:Person) RETURN avg(COUNT { (p)-[:KNOWS]->() }) AS k",
        [(1.5,)],
    ),
    "a count of nothing goes through a WITH": (
        "MATCH (p:Person) WITH p.name AS name, COUNT { (p)-[:KNOWS]->() } AS k "
        "WITH name, k WHERE k < 1 RETURN name, k",
        [("Cid", 0)],
    ),
    "a subquery is asked where a value from outside is null": (
        "MATCH (p:Person) RETURN p.name AS name, "
        "COUNT { MATCH (q:Person) WHERE q.age < p.age OR p.age IS NULL } AS n",
        [("Ann", 0), ("Bob", 1), ("Cid", 4), ("Dee", 2)],
    ),
    "so it is in a condition": (
        "MATCH (p:Person) WHERE NOT EXISTS { MATCH (q:Person) WHERE q.age = p.age "
        "OR p.age IS NULL } RETURN p.name AS name",
        [],
    ),
    "so it is where the subquery goes through the row": (
        "MATCH (p:Person) WHERE EXISTS { MATCH (p)<-[:KNOWS]-(q) WHERE q.age > p.age "
        "OR p.age IS NULL } RETURN p.name AS name",
        [("Cid",), ("Ann",)],
    ),
    "so it is for a null among the items of a list": (
        "UNWIND [30, null] AS i RETURN i, "
        "COUNT { MATCH (q:Person) WHERE q.age = i OR i IS NULL } AS n",
        [(30, 1), (None, 4)],
    ),
    "rows that a null is among have a count of their own": (
        "MATCH (p:Person) WITH p.age AS a RETURN a, COUNT { MATCH (q:Person {age: a}) } AS n",
        [(30, 1), (40, 1), (50, 1), (None, 0)],
    ),
    "a node of a subquery is compared with one outside": (
        "MATCH (p:Person) RETURN p.name AS name, COUNT { MATCH (q:Person) WHERE q = p } AS n, "
        "EXISTS { MATCH (q:Person) WHERE p = q AND q.age > 35 } AS e",
        [("Ann", 1, False), ("Bob", 1, True), ("Cid", 1, False), ("Dee", 1, True)],
    ),
    "an optional node alone is a pattern": (
        f"{ANN} RETURN p.name AS name, COUNT {{ MATCH (t) }} AS n, EXISTS {{ MATCH (t) }} AS e",
        [("Ann", 0, False), ("Bob", 0, False), ("Cid", 0, False), ("Dee", 1, True)],
    ),
    "so it is with properties and a condition": (
        f"{ANN} RETURN p.name AS name, EXISTS {{ MATCH (t {{age: 30}}) WHERE p.age > 30 }} AS e, "
        "COUNT { MATCH (p {age: 30}) } AS n",
        [("Ann", False, 1), ("Bob", False, 0), ("Cid", False, 0), ("Dee", True, 0)],
    ),
    "so it is beside another pattern": (
        f"{ANN} RETURN p.name AS name, COUNT {{ MATCH (t), (q:Person) WHERE q <> t }} AS n",
        [("Ann", 0), ("Bob", 0), ("Cid", 0), ("Dee", 3)],
    ),
    "so it is in a group": (
        f"{ANN} RETURN COUNT {{ MATCH (t) }} AS n, count(*) AS c",
        [(0, 3), (1, 1)],
    ),
    "so it is in a subquery of a subquery": (
        f"{ANN} RETURN p.name AS name, "
        "EXISTS { MATCH (q:Person) WHERE NOT EXISTS { MATCH (t) } } AS e",
        [("Ann", True), ("Bob", True), ("Cid", True), ("Dee", False)],
    ),
    "a pattern through an optional node is asked in a subquery of a subquery": (
        f"{ANN} RETURN p.name AS name, EXISTS {{ MATCH (q:Person) WHERE q.name = 'Dee' "
        "AND NOT EXISTS { (q)-[:KNOWS]->(t) } } AS e",
        [("Ann", True), ("Bob", True), ("Cid", True), ("Dee", False)],
    ),
    "a node from outside is there in a subquery": (
        "MATCH (p:Person) RETURN p.name AS name, COUNT { MATCH (q:Person) WHERE p IS NOT NULL } "
        "AS n, EXISTS { MATCH (q:Person) WHERE p IS NULL } AS e",
        [("Ann", 4, False), ("Bob", 4, False), ("Cid", 4, False), ("Dee", 4, False)],
    ),
    "a CASE is a condition of a CASE": (
        "MATCH (p:Person) RETURN p.name AS name, CASE WHEN CASE WHEN p.age > 35 THEN true "
        "ELSE false END THEN 'y' ELSE 'n' END AS s, "
        "CASE WHEN EXISTS { MATCH (q:Person) WHERE q.age < p.age } THEN 'y' ELSE 'n' END AS o",
        [("Ann", "n", "n"), ("Bob", "y", "y"), ("Cid", "n", "n"), ("Dee", "y", "y")],
    ),
    "nodes out of a list are matched": (
        "MATCH (p:Person) WITH collect(p) AS l UNWIND l AS x WITH x "
        "MATCH (x)-[:KNOWS]->(y) RETURN x.name AS x, y.name AS y",
        [*[("Ann", "Bob")] * 3, ("Bob", "Bob"), ("Bob", "Cid"), ("Dee", "Ann")],
    ),
    "conditions hold of each of the nodes out of a list": (
        "MATCH (p:Person) WITH collect(p) AS l UNWIND l AS x WITH x "
        f"WHERE NOT EXISTS {{ (x)-[:KNOWS]->() }} {NAMES}",
        [("Cid",)],
    ),
    "several subqueries meet a node out of a list": (
        "MATCH (p:Person) WITH collect(p) AS l UNWIND l AS x RETURN x.name AS name, "
        "EXISTS { (x)-[:KNOWS]->() } AS e, COUNT { (x)<-[:KNOWS]-() } AS n",
        [("Ann", True, 1), ("Bob", True, 4), ("Cid", False, 1), ("Dee", True, 0)],
    ),
    "a condition of coalesce() tells rows apart": (
        "MATCH (p:Person)-[:KNOWS]->(x) WITH p, x WHERE coalesce(p.age >= 40, false) "
        "RETURN p.name AS name",
        [("Bob",), ("Bob",), ("Dee",)],
    ),
    "sorted rows have counts by values from outside": (
        "MATCH (p:Person) RETURN p.name AS name, 1 + COUNT { MATCH (q:Person) "
        "WHERE q.age > p.age OR p.age IS NULL AND q.age IS NOT NULL } AS rank ORDER BY name",
        [("Ann", 3), ("Bob", 2), ("Cid", 4), ("Dee", 1)],
    ),
    "each item is in a map of its own": (
        "RETURN [x IN [1, 2] | {k: x, l: [x], m: {n: x}}] AS l, [x IN ['a'] | {k: x}] AS m",
        [([{"k": 1, "l": [1], "m": {"n": 1}}, {"k": 2, "l": [2], "m": {"n": 2}}], [{"k": "a"}])],
    ),
    "so it is in a map beside what is of the row": (
        "MATCH (p:Person) WITH p, collect(p.age) AS l "
        "RETURN p.name AS name, [x IN l | {k: x, n: p.name}] AS a, [x IN l | [x, p.age]] AS b",
        [
            ("Ann", [{"k": 30, "n": "Ann"}], [[30, 30]]),
            ("Bob", [{"k": 40, "n": "Bob"}], [[40, 40]]),
            ("Cid", [], []),
            ("Dee", [{"k": 50, "n": "Dee"}], [[50, 50]]),
        ],
    ),
    "so it is of filtered items": (
        "MATCH (p:Person) WITH p, collect(p.age) AS l "
        "RETURN p.name AS name, [x IN l WHERE x > 30 | {k: x, n: p.name}] AS a",
        [
            ("Ann", []),
            ("Bob", [{"k": 40, "n": "Bob"}]),
            ("Cid", []),
            ("Dee", [{"k": 50, "n": "Dee"}]),
        ],
    ),
    "two lists read what is of the row": (
        "MATCH (p:Person) WITH p.age > 35 AS old, collect(p.age) AS l RETURN old, "
        "[x IN l | {k: x * 0, o: old}] AS a, [x IN l | {k: x * 0 + 1, o: old}] AS b",
        [
            (False, [{"k": 0, "o": False}], [{"k": 1, "o": False}]),
            (True, [{"k": 0, "o": True}] * 2, [{"k": 1, "o": True}] * 2),
            (None, [], []),
        ],
    ),
}


@pytest.mark.parametrize("engine", ["ladybug"], indirect=True)
@pytest.mark.parametrize("case", CASES)
def test_the_rendered_text_answers_as_cypher(engine: IsolatedEngine, case: str) -> None:
    text, wanted = CASES[case]
    said = render(parse(text), "cypher-ladybug", SCHEMA).text
    found = engine.run(said, language="cypher", timeout=60)
    verdict = same_bag(found, Result(found.columns, tuple(wanted)))
    assert verdict, f"{said}\n{verdict}"


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (p:Person) RETURN p.name AS n, p.age AS a UNION "
        "MATCH (p:Person) RETURN p.name AS n, p.age + 1 AS a",
        "RETURN [1] AS x UNION RETURN ['a'] AS x",
    ],
)
def test_a_union_that_ladybug_gets_wrong_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        render(parse(text), "cypher-ladybug", SCHEMA)


@pytest.mark.parametrize("engine", ["ladybug"], indirect=True)
def test_what_is_refused_or_rewritten_would_be_wrong(engine: IsolatedEngine) -> None:
    def rows(text: str) -> tuple[Any, ...]:
        return engine.run(text, language="cypher", timeout=60).rows

    twice = "MATCH (p:Person) RETURN p.name AS n, 1 AS a UNION MATCH (p:Person) RETURN p.name AS n"
    assert len(rows(f"{twice}, 2 AS a")) == 2 * len(rows("MATCH (p:Person) RETURN p.name"))
    dependent = twice.replace("1 AS a", "p.age AS a")
    assert len(rows(f"{dependent}, 100 AS a")) < len(rows(f"{twice}, 2 AS a"))
    window = "MATCH (p:Person) WITH p.name AS n ORDER BY n DESC LIMIT 1 RETURN "
    assert rows(f"{window} n") != rows(f"{window} max(n)")


@pytest.mark.parametrize("engine", ["ladybug"], indirect=True)
def test_a_sum_beyond_64_bits_is_an_error(engine: IsolatedEngine) -> None:
    text = "UNWIND [9223372036854775807, 1] AS x RETURN sum(x) AS s"
    said = render(parse(text), "cypher-ladybug", SCHEMA).text
    with pytest.raises(QueryError, match="INT64"):
        engine.run(said, language="cypher", timeout=60)


@pytest.mark.parametrize("engine", ["ladybug"], indirect=True)
def test_what_is_declared_unsound_is_wrong(engine: IsolatedEngine) -> None:
    """What is no number is not less than 1; LadybugDB says that it is."""
    text = "RETURN 0.0 / 0.0 < 1.0 AS x"
    fault = next(each for each in Ladybug.unsound if each.code == "nan")
    assert fault.applies(bind(parse(text), SCHEMA).statement)
    assert engine.run(text, language="cypher", timeout=60).rows == ((True,),)


@pytest.mark.parametrize("engine", ["ladybug"], indirect=True)
@pytest.mark.parametrize(
    ("code", "text", "right"),
    [
        ("letter-case", "RETURN toUpper('straße') AS x", "STRASSE"),
        ("wide-comparison", "RETURN 9007199254740993 = 9007199254740992.0 AS x", False),
        ("wide-comparison", "RETURN 9007199254740993 IN [9007199254740992.0] AS x", False),
        ("zero-order", "WITH -0.0 AS a RETURN a < 0.0 AS x", True),
        ("zero-order", "UNWIND [0.0] AS a WITH a * -1 AS b RETURN b >= 0.0 AS x", False),
        ("trim", "RETURN trim('\u2003a\u2003') AS x", "a"),
    ],
)
def test_texts_that_are_declared_unsound_are_wrong(
    engine: IsolatedEngine, code: str, text: str, right: Any
) -> None:
    fault = next(each for each in Ladybug.unsound if each.code == code)
    assert fault.applies(bind(parse(text), SCHEMA).statement)
    assert engine.run(text, language="cypher", timeout=60).rows != ((right,),)


@pytest.mark.parametrize("engine", ["ladybug"], indirect=True)
@pytest.mark.parametrize(
    "text",
    [
        "LOAD FROM '/etc/hostname' (file_format='csv') RETURN *",
        "MATCH (n) CALL show_tables() RETURN *",
        "COPY (MATCH (n) RETURN n) TO 'out.csv'",
        "RETURN 1 AS a; CREATE (:Log)",
        "INSTALL httpfs",
    ],
)
def test_what_is_no_read_is_refused(engine: IsolatedEngine, text: str) -> None:
    with pytest.raises(QueryError):
        engine.run(text, language="cypher", timeout=60)


def test_a_column_without_a_value_loads(tmp_path: Path) -> None:
    """LadybugDB takes the type of a null from nowhere: it would be a text."""
    graph = read_graph(
        "A(id!: INTEGER, n: INTEGER?)\nA-[R(w: FLOAT?)]->A\n\nA [1, null]\nA-R-A [1, 1, null]"
    )
    with IsolatedEngine("ladybug", graph.write(tmp_path / "graph")) as engine:
        text = "MATCH (a:A)-[r:R]->() RETURN a.id AS id, a.n AS n, r.w AS w"
        assert engine.run(text, language="cypher", timeout=60).rows == ((1, None, None),)


def test_a_circle_of_parallel_edges_loses_rows(tmp_path: Path) -> None:
    """Two edges each way make eight rows; LadybugDB joins the third side without its number."""
    schema = "O(id!: INTEGER)\nP(id!: INTEGER)\nO-[M]->P\nO-[C]->P\nO-[K]->O"
    edges = "\n".join(["O-M-P [0, 0]", "O-C-P [1, 0]", "O-K-O [0, 1]"] * 2)
    graph = read_graph(f"{schema}\n\nO [0]\nO [1]\nP [0]\n{edges}")
    text = "MATCH (a:O)-[:M]->(p:P)<-[:C]-(b:O), (a)-[:K]->(b) RETURN a.id AS a, b.id AS b"
    fault = next(each for each in Ladybug.unsound if each.code == "closing-path")
    assert fault.applies(bind(parse(text), graph.schema).statement)
    with IsolatedEngine("ladybug", graph.write(tmp_path / "graph")) as engine:
        assert len(engine.run(text, language="cypher", timeout=60).rows) < 8


@pytest.mark.parametrize(
    "start",
    [
        "MATCH (p:P)-[r:K]->(q:P)-[e:K]->(z:P) WHERE r.w IS NOT NULL AND p.c IS NOT NULL",
        "MATCH (p:P) WHERE p.c IS NOT NULL MATCH (p)-[r:K]->(q:P)-[e:K]->(z:P) "
        "WHERE r.w IS NOT NULL",
    ],
)
def test_a_condition_on_an_edge_and_on_its_end_adds_rows(tmp_path: Path, start: str) -> None:
    """The edge from c to d has no weight, and yet it is in a row."""
    nodes = 'P [0, "x"]\nP [1, "x"]\nP [2, ""]\nP [3, null]'
    edges = (
        "P-K-P [0, 1, 1]\nP-K-P [1, 2, 1]\nP-K-P [2, 3, null]\nP-K-P [3, 0, 2]\nP-K-P [2, 0, -1]"
    )
    graph = read_graph(f"P(id!: INTEGER, c: STRING?)\nP-[K(w: INTEGER?)]->P\n\n{nodes}\n{edges}")
    pattern = "MATCH (p:P)-[r:K]->(q:P)-[e:K]->(z:P)"
    back = "RETURN p.id AS p, q.id AS q, z.id AS z"
    text = f"{start} {back}"
    fault = next(each for each in Ladybug.unsound if each.code == "conditioned-end")
    assert fault.applies(bind(parse(text), graph.schema).statement)
    apart = "MATCH (p:P) WITH p WHERE p.c IS NOT NULL MATCH (p)-[r:K]->(q:P)-[e:K]->(z:P)"
    for sound in (
        f"{pattern} WHERE r.w > 0 AND q.c = 'x' {back}",
        f"{apart} WHERE r.w > 0 {back}",
        f"{pattern} {back}",
    ):
        assert not fault.applies(bind(parse(sound), graph.schema).statement)
    with IsolatedEngine("ladybug", graph.write(tmp_path / "graph")) as engine:
        rows = engine.run(text, language="cypher", timeout=60).rows
    assert set(rows) != {(0, 1, 2), (1, 2, 3), (1, 2, 0), (2, 0, 1)}
