"""Names that LadybugDB keeps for itself, tables that have no such edge, nulls without a type."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engines.isolation import IsolatedEngine
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryUnsound, Refused
from qa.fuzz.graphs import SmallGraph, read_graph
from schemagraph.targets.ladybugdb import column_name
from translators.render import render

pytestmark = pytest.mark.slow

KEPT = (
    *("_id", "_label", "_src", "_dst", "_direction", "_nodes", "_rels", "_length"),
    *("_row_offset", "_src_offset", "_dst_offset", "_place_holder", "rowid"),
)
COLUMNS = ", ".join(f"{name}: INTEGER?" for name in (*KEPT, "rowid_"))
VALUES = ", ".join(map(str, range(10, 10 + len(KEPT) + 1)))
GRAPH = read_graph(
    f"A(id!: INTEGER, {COLUMNS})\nB(id!: INTEGER, f: FLOAT?)\nZ(id!: INTEGER)\n"
    f"A-[R({COLUMNS})]->B\nA-[S]->A\n\n"
    f"A [1, {VALUES}]\nA [2, {VALUES}]\nB [3, null]\nZ [4]\n"
    f"A-R-B [1, 3, {VALUES}]\nA-S-A [1, 2]"
)
WIDE = read_graph(
    "E(id!: INTEGER, i: INTEGER, f: FLOAT, k: INTEGER)\n\n"
    "E [1, 9007199254740993, 9007199254740992.0, 3]"
)


@pytest.fixture(scope="module")
def ladybug(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IsolatedEngine]:
    folder = tmp_path_factory.mktemp("graph")
    with IsolatedEngine("ladybug", GRAPH.write(folder / "graph")) as engine:
        yield engine


def _text_for_ladybug(text: str, graph: SmallGraph = GRAPH) -> str:
    return render(parse(text), "cypher-ladybug", graph.schema).text


def _rows(engine: IsolatedEngine, text: str) -> tuple[Any, ...]:
    return engine.run(_text_for_ladybug(text), language="cypher", timeout=60).rows


@pytest.mark.parametrize(("place", "name"), [*enumerate((*KEPT, "rowid_"))])
def test_a_property_has_any_name(ladybug: IsolatedEngine, place: int, name: str) -> None:
    value = 10 + place
    read = f"MATCH (n:A) WHERE n.{name} = {value} RETURN n.{name} AS x, count(n.{name}) AS c"
    assert _rows(ladybug, read) == ((value, 2),)
    assert _rows(ladybug, f"MATCH (:A {{{name}: {value}}})-[r:R]->() RETURN r.{name} AS x") == (
        (value,),
    )
    assert _rows(ladybug, f"MATCH (n:B) RETURN n.{name} IS NULL AS x") == ((True,),)
    assert _rows(ladybug, f"MATCH (n) RETURN n.{name} IS NULL AS x, count(*) AS c ORDER BY x") == (
        (False, 2),
        (True, 2),
    )
    ((node,),) = _rows(ladybug, "MATCH (n:A {id: 1}) RETURN n")
    assert node["properties"][name] == value


def test_names_of_columns_stay_different() -> None:
    assert len({column_name(name) for name in ("rowid", "rowid_", "rowid__", "id", "id_")}) == 5
    assert column_name("id_") == "id_"


@pytest.mark.parametrize(
    ("label", "edge"),
    [("a.b", "x.y"), ("_id", "R"), ("N", "_id"), ("rowid", "_src"), ("x|y", "x:y"), ("it's", "R")],
)
def test_a_label_has_any_name(tmp_path: Path, label: str, edge: str) -> None:
    schema = f"{label}(id!: INTEGER)\nB(id!: INTEGER)\nB-[{edge}(w: INTEGER)]->{label}"
    graph = read_graph(f"{schema}\n\n{label} [1]\nB [2]\nB-{edge}-{label} [2, 1, 3]")
    with IsolatedEngine("ladybug", graph.write(tmp_path / "graph")) as engine:
        text = _text_for_ladybug(
            f"MATCH (:B)-[r:`{edge}`]->(n:`{label}`) RETURN n.id AS id, r.w AS w", graph
        )
        assert engine.run(text, language="cypher", timeout=60).rows == ((1, 3),)


def test_keys_by_which_elements_are_told_are_refused() -> None:
    with pytest.raises(Refused, match="by such keys"):
        _text_for_ladybug("RETURN {_ID: 1, _LABEL: 'A'} AS m")


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a)-[:R*0..1]->(b) RETURN a.id AS id",
        "MATCH (a:Z)-[:R*0..1]->(b) RETURN a.id AS id",
        "MATCH (a)-[:S*0..0]->(b:B) RETURN a.id AS id",
        "MATCH p = (a)-[:R*0..2]->(b) RETURN length(p) AS l",
        "MATCH (a) OPTIONAL MATCH (a)-[:R*0..1]->(b) RETURN b.id AS id",
        "MATCH (a) WHERE EXISTS { (a)-[:R*0..1]->() } RETURN a.id AS id",
        "MATCH (a:Z) RETURN COUNT { (a)<-[:R*0..1]-() } AS c",
    ],
)
def test_a_path_of_no_edge_at_a_table_without_such_edges_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="paths of no edge"):
        _text_for_ladybug(text)


def test_such_a_path_is_lost(ladybug: IsolatedEngine) -> None:
    text = "MATCH (a)-[:R* TRAIL 0..1]->(b) RETURN a.id, b.id"
    rows = ladybug.run(text, language="cypher", timeout=60).rows
    assert (3, 3) in rows
    assert (4, 4) not in rows


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("MATCH (a:B)-[:R*0..1]->(b) RETURN b.id AS x", ((3,),)),
        ("MATCH (a:A)-[:R*0..1]->(b:B) RETURN b.id AS x", ((3,),)),
        ("MATCH (a:Z) RETURN collect(a.nothing) AS x, count(DISTINCT a.nothing) AS y", (([], 0),)),
        ("MATCH (a:Z) WITH a.nothing AS n RETURN collect(n) AS x, count(n) AS y", (([], 0),)),
        ("MATCH (a:A) RETURN collect(CASE WHEN a.id = 1 THEN null END) AS x", (([],),)),
        (
            "MATCH (a:A) RETURN a.id AS id, CASE a.id WHEN 1 THEN null END AS x",
            ((1, None), (2, None)),
        ),
        (
            "MATCH (a:Z) RETURN coalesce(a.nothing, null) AS x, coalesce(a.nothing, 2) AS y",
            ((None, 2),),
        ),
        ("MATCH (a:Z) UNWIND [a.nothing, 1] AS u RETURN u AS x", ((None,), (1,))),
        ("MATCH (a:Z) RETURN [x IN [1] | null] AS x, [x IN [1] WHERE null] AS y", (([None], []),)),
        ("MATCH (a:Z) RETURN a.nothing = 1 AS x", ((None,),)),
        ("MATCH (a:Z) RETURN [a.nothing, 1][0] AS x, head([null, 1]) AS y", ((None, None),)),
        (
            "MATCH (a) RETURN a.id AS id, [a.rowid, 1][0] AS x",
            ((1, 22), (2, 22), (3, None), (4, None)),
        ),
        ("MATCH (a:Z) RETURN [1, a.id][-1] AS x, [1, 2][2] AS y, [1][-2] AS z", ((4, None, None),)),
        ("MATCH (a:A) WITH DISTINCT 1 AS x RETURN x", ((1,),)),
        ("MATCH (a:A) WITH DISTINCT labels(a) AS x, a.nothing AS y RETURN x, y", ((["A"], None),)),
        ("WITH 1 AS k MATCH (a:A) WITH DISTINCT k RETURN count(*) AS c", ((1,),)),
        ("MATCH (a:A) WHERE a.id > 9 WITH DISTINCT 1 AS x RETURN x", ()),
        ("MATCH (a:A) WITH DISTINCT 1 AS x LIMIT 1 MATCH (b:A) RETURN b.id AS x", ((1,), (2,))),
    ],
)
def test_nulls_and_constants(
    ladybug: IsolatedEngine, text: str, rows: tuple[tuple[Any, ...], ...]
) -> None:
    assert sorted(_rows(ladybug, text), key=repr) == sorted(rows, key=repr)


@pytest.mark.parametrize("window", ["LIMIT 1", "SKIP 1"])
def test_a_part_of_rows_of_constants_is_refused(ladybug: IsolatedEngine, window: str) -> None:
    text = f"MATCH (a:A) WITH 1 AS x {window} RETURN x"
    with pytest.raises(Refused, match="rows of constants"):
        _text_for_ladybug(text)
    assert len(ladybug.run(text, language="cypher", timeout=60).rows) == 2


@pytest.mark.parametrize("read", ["count(r.w) AS x", "r.w IS NULL AS x", "r.w AS x"])
def test_a_property_of_several_types_of_one_label_is_refused(read: str) -> None:
    """Their table has one column, which holds no value of either."""
    graph = read_graph(
        "A(id!: INTEGER)\nB(id!: INTEGER)\nA-[R(w: INTEGER)]->A\nA-[R(w: STRING)]->B\n\nA [1]"
    )
    with pytest.raises(Refused, match="different types"):
        _text_for_ladybug(f"MATCH (:A)-[r:R]->(:A) RETURN {read}", graph)


WRONG = [
    "RETURN e.i = toFloat(e.i) AS x",
    "WHERE toFloat(e.i) <= e.i RETURN 1 AS x",
    "WHERE e.i > e.f RETURN toFloat(e.k) AS x",
    "WHERE e.i IN [1.5, e.f] RETURN toFloat(e.k) AS x",
    "MATCH (n:E {f: e.i}) RETURN toFloat(n.k) AS x",
]
RIGHT = [
    ("WHERE e.i > 3 RETURN toFloat(e.k) AS x", 3.0),
    ("WHERE e.f > 0.5 AND e.i > 3 RETURN toFloat(e.k) AS x", 3.0),
    ("WHERE e.f > toFloat(e.k) RETURN e.i AS x", 9007199254740993),
]


@pytest.mark.parametrize("text", WRONG)
def test_a_wide_integer_against_a_float_is_unsound(tmp_path: Path, text: str) -> None:
    said = _text_for_ladybug(f"MATCH (e:E) {text}", WIDE)
    with (
        IsolatedEngine("ladybug", WIDE.write(tmp_path / "graph")) as engine,
        pytest.raises(QueryUnsound, match="Beyond 2"),
    ):
        engine.run(said, language="cypher", timeout=60)


def test_wide_integers_that_meet_no_float_are_sound(tmp_path: Path) -> None:
    with IsolatedEngine("ladybug", WIDE.write(tmp_path / "graph")) as engine:
        for text, value in RIGHT:
            said = _text_for_ladybug(f"MATCH (e:E) {text}", WIDE)
            assert engine.run(said, language="cypher", timeout=60).rows == ((value,),)
