"""Values of a graph that engines get wrong: texts over them are refused, and others are not.

Right answers are Neo4j's: -0.0 is before 0.0 and equal to it, 1.0 / -0.0 is -Infinity, integers and
floats are compared by value, texts by their characters, and a float over the integer 0 is an error.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from engines.backends.ladybug import Ladybug
from engines.backends.oxigraph import Oxigraph
from engines.hazards.gremlin import refuse_written, tinkergraph_hazards
from engines.hazards.stored import Place, StoredValues, refuse_hazards, stored_values
from engines.isolation import IsolatedEngine
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryUnsound
from qa.fuzz.graphs import SmallGraph, read_graph
from translators.render import render

HOSTILE = read_graph(
    "A(id!: INTEGER, f: FLOAT?, g: FLOAT?, i: INTEGER?, k: INTEGER?, s: STRING?, l: LIST<FLOAT>?)\n"
    "B(id!: INTEGER, f: FLOAT?, i: INTEGER?, s: STRING?)\n\n"
    'A [1, -0.0, 1.5, 9007199254740993, 0, "\\ud83d\\ude00", [1.0]]\n'
    'A [2, 0.0, 2.5, -9007199254740993, 2, "\\uffff", []]\n'
    'B [3, 1.5, 7, "a"]'
)
LANGUAGES = {"oxigraph": "sparql", "tinkergraph": "gremlin", "ladybug": "cypher"}
DIALECTS = {"oxigraph": "sparql", "tinkergraph": "gremlin", "ladybug": "cypher-ladybug"}
REFUSED = {
    "oxigraph": (
        "MATCH (a:A) WHERE a.f < 0.0 RETURN a.id AS id",
        "MATCH (a:A) RETURN a.id AS id ORDER BY a.f, id",
        "MATCH (a:A) RETURN DISTINCT a.f AS f",
        "MATCH (a:A), (b:A) WHERE a.i = b.g RETURN a.id AS id",
    ),
    "tinkergraph": (
        "MATCH (a:A) WHERE a.f < 0.0 RETURN a.id AS id",
        "MATCH (a:A) WHERE a.f >= 0 RETURN a.id AS id",
        "MATCH (a:A) RETURN 1.0 / a.f AS q",
        "MATCH (a:A) RETURN a.g / a.k AS q",
        "MATCH (a:A) RETURN a.s AS s ORDER BY s",
        "MATCH (a:A) RETURN max(a.s) AS s",
        "MATCH (a:A) RETURN a.id AS id, size(a.s) AS n",
        "MATCH (a:A) RETURN substring(a.s, 0, 1) AS s",
        "MATCH (a:A), (b:A) WHERE a.i = b.g RETURN a.id AS id",
        "MATCH (a:A) RETURN a.i <> a.g AS x",
        "MATCH (a:A) WITH avg(a.i) AS m MATCH (b:A) WHERE b.i > m RETURN b.id AS id",
        "MATCH (a:A) WITH collect(a.g) AS l MATCH (b:A) WHERE b.i IN l RETURN b.id AS id",
        "MATCH (a:A) RETURN a.id AS x ORDER BY coalesce(a.i, a.g)",
        "MATCH (a:A) WHERE a.i = 9007199254740992.0 RETURN a.id AS id",
    ),
    "ladybug": (
        "MATCH (a:A) WHERE a.f < 0.0 RETURN a.id AS id",
        "MATCH (a:A) RETURN a.id AS id ORDER BY a.f, id",
        "MATCH (a:A) RETURN DISTINCT a.f AS f",
        "MATCH (a:A) RETURN a.id AS id, sign(a.f) AS x",
    ),
}
ANSWERED = (
    ("MATCH (a:A) WHERE a.g < 2.0 RETURN a.id AS id", ((1,),)),
    ("MATCH (a:B) WHERE a.f < 2.0 RETURN a.id AS id", ((3,),)),
    ("MATCH (a:A) WHERE a.f > 1.0 RETURN a.id AS id", ()),
    ("MATCH (b:B) RETURN b.s AS s ORDER BY s", (("a",),)),
    ("MATCH (a:A) RETURN a.i AS i ORDER BY i", ((-9007199254740993,), (9007199254740993,))),
    ("MATCH (a:A) WHERE a.i > a.k RETURN a.id AS id", ((1,),)),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return HOSTILE.write(tmp_path_factory.mktemp("stored") / "graph")


@pytest.fixture(scope="module")
def engines(folder: Path) -> Iterator[dict[str, IsolatedEngine]]:
    with ExitStack() as stack:
        yield {
            name: stack.enter_context(IsolatedEngine(name, folder, memory_mb=1500))
            for name in LANGUAGES
        }


def places(values: set[Any]) -> set[str]:
    return {f"{'.'.join(labels)}.{name}" for labels, name in values}


def test_they_are_seen_in_folders(folder: Path) -> None:
    seen = stored_values(folder, HOSTILE.schema)
    assert places(seen.below_zero) == {"A.f"}
    assert places(seen.wide) == places(seen.cancelling) == {"A.i"}
    assert places(seen.zero) == {"A.k"}
    assert places(seen.orders_by_halves) == {"A.s"}
    assert not seen.infinite


def test_harmless_graphs_have_none(tmp_path: Path) -> None:
    plain = read_graph(
        'A(id!: INTEGER, f: FLOAT?, s: STRING?)\n\nA [1, 0.0, "é"]\nA [2, -1.5, "ß"]'
    )
    assert stored_values(plain.write(tmp_path / "g"), plain.schema) == StoredValues(
        _signs={(("A",), "id"): {False}}, zeros={(("A",), "f"): {False}}
    )


@pytest.mark.slow
@pytest.mark.parametrize(("name", "text"), [(n, t) for n, texts in REFUSED.items() for t in texts])
def test_a_text_that_would_be_wrong_is_refused(
    engines: dict[str, IsolatedEngine], name: str, text: str
) -> None:
    rendered = render(parse(text), DIALECTS[name], HOSTILE.schema).text
    with pytest.raises(QueryUnsound):
        engines[name].run(rendered, language=LANGUAGES[name], timeout=60)


@pytest.mark.slow
@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize(("text", "rows"), ANSWERED)
def test_others_are_answered(
    engines: dict[str, IsolatedEngine], name: str, text: str, rows: tuple[Any, ...]
) -> None:
    rendered = render(parse(text), DIALECTS[name], HOSTILE.schema).text
    assert engines[name].run(rendered, language=LANGUAGES[name], timeout=60).rows == rows


LISTS = read_graph(
    "A(id!: INTEGER, f: FLOAT?, l: LIST<FLOAT>?, m: LIST<FLOAT>?)\n\n"
    "A [1, Infinity, [-0.0], [0.0]]\nA [2, 1.5, [0.0], [1.0]]\nA [3, 0.0, [2.5], []]"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "dialect", "language"),
    [
        ("duckdb", "sql", "sql"),
        ("grafeo", "cypher-grafeo", "cypher"),
        ("grafeo", "gql-grafeo", "gql"),
    ],
)
def test_lists_with_two_zeros_are_not_grouped(
    name: str, dialect: str, language: str, tmp_path: Path
) -> None:
    """Neo4j has two values there, and one where the zeros are no items."""
    refused = (
        "MATCH (a:A) RETURN DISTINCT a.l AS l",
        "MATCH (a:A) RETURN count(DISTINCT a.l) AS n",
        "MATCH (a:A) RETURN a.l AS l, count(*) AS n",
    )
    answered = {
        "MATCH (a:A) RETURN a.l AS l": 3,
        "MATCH (a:A) RETURN DISTINCT a.m AS l": 3,
        "MATCH (a:A) RETURN DISTINCT a.f AS f": 3,
    }
    with IsolatedEngine(name, LISTS.write(tmp_path / "graph")) as engine:

        def rows(text: str) -> int:
            said = render(parse(text), dialect, LISTS.schema).text
            return len(engine.run(said, language=language, timeout=60).rows)

        assert {text: rows(text) for text in answered} == answered
        for text in refused:
            with pytest.raises(QueryUnsound, match="lists with"):
                rows(text)


@pytest.mark.slow
def test_ladybug_is_not_asked_what_is_infinity_less_infinity(tmp_path: Path) -> None:
    plain = read_graph("A(id!: INTEGER, f: FLOAT?)\n\nA [1, Infinity]\nA [2, 1.5]")
    with IsolatedEngine("ladybug", plain.write(tmp_path / "graph"), memory_mb=1500) as engine:

        def rows(test: str) -> tuple[Any, ...]:
            said = render(
                parse(f"MATCH (a:A) WHERE {test} RETURN a.id AS i"), "cypher-ladybug", plain.schema
            )
            return engine.run(said.text, language="cypher", timeout=60).rows

        for test in ("NOT (a.f - a.f < 1)", "NOT (a.f * 0 < 1)", "a.f + a.f > 2"):
            with pytest.raises(QueryUnsound, match="no number"):
                rows(test)
        assert rows("a.f + 1 > 3") == rows("2 * a.f > 4") == ((1,),)
        assert rows("a.f < 3 AND a.id - 1 = 1") == ((2,),)


@pytest.mark.slow
def test_characters_of_other_texts_are_counted(engines: dict[str, IsolatedEngine]) -> None:
    text = render(parse("MATCH (b:B) RETURN size(b.s) AS n"), "gremlin", HOSTILE.schema).text
    assert engines["tinkergraph"].run(text, language="gremlin", timeout=60).rows == ((1,),)


@pytest.mark.parametrize("engine", [Oxigraph, Ladybug])
def test_without_the_guard_the_answer_is_wrong(engine: Any, folder: Path) -> None:
    text = render(
        parse("MATCH (a:A) WHERE a.f < 0.0 RETURN a.id AS id"),
        DIALECTS[engine.name],
        HOSTILE.schema,
    ).text
    with engine() as opened:
        opened.load(folder)
        opened._stored = StoredValues()
        answer = opened.run(text, language=LANGUAGES[engine.name], timeout=60)
    assert answer.rows != ((1,),)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("g.V().values().is(lt(0.0d)).count()", 2),  # -0.0 and an integer
        ("g.inject(1.0d).sack(assign).by(constant(1.0d)).sack(div).by(constant(0)).sack()", None),
        ("g.inject(3, NaN, 1).sum()", math.nan),
    ],
)
def test_tinkergraph_is_wrong_about_such_values(
    engines: dict[str, IsolatedEngine], text: str, right: float | None
) -> None:
    """None is an error."""
    ((value,),) = engines["tinkergraph"].run(text, language="gremlin", timeout=60).rows
    assert repr(value) != repr(right)


WIDE = (2**53, -(2**53) + 1, 1, 0, 3, 2**62, -(2**62))


def wide_graph() -> SmallGraph:
    rows = "\n".join(f"A [{number}, {value}]" for number, value in enumerate(WIDE))
    return read_graph(f"A(id!: INTEGER, i: INTEGER)\n\n{rows}")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["duckdb", "tinkergraph", "ladybug"])
def test_the_mean_of_wide_integers_is_exact(name: str, tmp_path: Path) -> None:
    """Neo4j rounds it as it goes; the mean of the integers themselves is right."""
    graph = wide_graph()
    language = {"duckdb": "sql", **LANGUAGES}[name]
    text = render(
        parse("MATCH (a:A) RETURN avg(a.i) AS v"), {"duckdb": "sql", **DIALECTS}[name], graph.schema
    ).text
    with IsolatedEngine(name, graph.write(tmp_path / "g"), memory_mb=1500) as engine:
        ((mean,),) = engine.run(text, language=language, timeout=60).rows
    assert mean == float(Fraction(sum(WIDE), len(WIDE)))


@pytest.mark.parametrize("language", ["cypher", "gql"])
def test_grafeo_does_not_lose_what_is_left_of_such_a_mean(language: str, tmp_path: Path) -> None:
    graph = wide_graph()
    with IsolatedEngine("grafeo", graph.write(tmp_path / "g")) as engine:
        with pytest.raises(QueryUnsound):
            engine.run("MATCH (a:A) RETURN avg(a.i) AS v", language=language, timeout=60)
        answer = engine.run("MATCH (a:A) RETURN avg(a.id) AS v", language=language, timeout=60)
        assert answer.rows == ((3.0,),)


@pytest.mark.parametrize("language", ["cypher", "gql"])
def test_grafeo_does_not_add_to_infinity(language: str, tmp_path: Path) -> None:
    """Its compensated sums have inf - inf, which is NaN."""
    graph = read_graph("A(id!: INTEGER, f: FLOAT?)\n\nA [1, Infinity]\nA [2, 0.0]\nA [3, 2.0]")
    texts = (
        "MATCH (a:A) RETURN sum(a.f) AS s",
        "MATCH (a:A) WITH a.f AS f RETURN sum(f) AS s",
        "MATCH (a:A) WHERE a.id <> 2 RETURN sum(a.f) > 1.0 AS x",
    )
    with IsolatedEngine("grafeo", graph.write(tmp_path / "g")) as engine:
        for text in texts:
            own = render(parse(text), f"{language}-grafeo", graph.schema).text
            with pytest.raises(QueryUnsound):
                engine.run(own, language=language, timeout=60)
        chosen = "MATCH (a:A) RETURN sum(CASE WHEN a.f > 1 OR (a.f < 0) THEN 1 ELSE 0 END) AS s"
        own = render(parse(chosen), f"{language}-grafeo", graph.schema).text
        assert engine.run(own, language=language, timeout=60).rows == ((2,),)
        added = "MATCH (a:A) RETURN sum(CASE WHEN (a.id) > 1 THEN 1 ELSE a.f END) > 1 AS s"
        own = render(parse(added), f"{language}-grafeo", graph.schema).text
        with pytest.raises(QueryUnsound):
            engine.run(own, language=language, timeout=60)
        own = render(
            parse("MATCH (a:A) WHERE a.f > 1.0 RETURN count(a.f) AS c, avg(a.f) AS m"),
            f"{language}-grafeo",
            graph.schema,
        ).text
        assert engine.run(own, language=language, timeout=60).rows == ((2, math.inf),)


def test_keys_of_a_comparison_are_no_properties() -> None:
    """`project('x', 'y')` reads no properties of these names."""
    graph = read_graph("A(id!: INTEGER, n: INTEGER, x: INTEGER, y: FLOAT)\n")
    hazards, stored = tinkergraph_hazards(graph.schema), StoredValues(wide={(("A",), "x")})
    ends = "select('x', 'y').where('x', gt('y')))"
    counted = f"g.V().hasLabel('A').filter(project('x', 'y').by('n').by(out().count()).{ends}"
    refuse_hazards(hazards, stored, counted)
    with pytest.raises(QueryUnsound):
        refuse_hazards(hazards, stored, counted.replace("by('n')", "by('x')") + ".values('y')")


@pytest.mark.parametrize(
    ("text", "high", "late", "refused"),
    [
        ("g.inject('\U0001d4b3', '\ufffd').max()", False, False, True),
        ("g.inject('\\ud835\\udcb3').is(lt('\\uFFFD'))", False, False, True),
        ("g.V().has('s', gt('\U0001d4b3'))", False, True, True),
        ("g.V().has('s', gt('\ufffd'))", True, False, True),
        ("g.V().has('s', gt('\ufffd'))", False, True, False),
        ("g.V().has('s', '\U0001d4b3')", False, True, False),
        ("g.V().sack(assign).by('f').sack(div).by('g').sack().max()", False, False, True),
        (
            "g.V().sack(assign).by('f').sack(div).by(constant(0.0d)).sack().min()",
            False,
            False,
            True,
        ),
        ("g.V().sack(assign).by('f').sack(div).by(constant(20)).sack().max()", False, False, False),
        ("g.V().order().by('s')", True, True, False),  # which is the stored values' to refuse
    ],
)
def test_written_texts(text: str, high: bool, late: bool, refused: bool) -> None:
    place: set[Place] = {(("A",), "s")}
    stored = StoredValues(high=place if high else set(), late=place if late else set())
    try:
        refuse_written(text, stored)
    except QueryUnsound:
        assert refused
    else:
        assert not refused


@pytest.mark.parametrize(
    ("query", "declared"),
    [
        ("MATCH (a:A) RETURN max(a.i) AS m, sum(a.i) / toFloat(count(*)) AS q", False),
        ("MATCH (a:A) RETURN sum(a.i) / toFloat(count(*)) AS q, max(a.i) AS m", False),
        ("MATCH (a:A) RETURN a.s AS s, min(a.i) AS m, sum(a.f) / count(a.f) AS q", False),
        ("MATCH (a:A) RETURN max(a.i) / toFloat(min(a.i)) AS q", False),
        ("MATCH (a:A) WITH max(a.g) AS m MATCH (b:A) RETURN b.g / m AS q", False),
        ("MATCH (a:A) RETURN max(a.f / a.g) AS m", True),
        ("MATCH (a:A) RETURN count(*) AS n, min(a.f / a.g) AS m", True),
        ("MATCH (a:A) WITH a.s AS s, sum(a.f) / count(*) AS q RETURN max(q) AS m", True),
        ("MATCH (a:A) WITH max(a.f) AS m MATCH (b:A) RETURN max(b.f / m) AS q", True),
        ("MATCH (a:A) WITH a, a.f / a.g AS q MATCH (b:A) RETURN min(q) AS m, max(b.i) AS i", True),
    ],
)
def test_the_greatest_of_quotients_is_declared_and_not_what_is_beside_them(
    query: str, declared: bool
) -> None:
    text = render(parse(query), "gremlin", HOSTILE.schema).text
    try:
        refuse_written(text, StoredValues())
    except QueryUnsound:
        assert declared, text
    else:
        assert not declared, text


@pytest.mark.parametrize(
    "text",
    [
        "g.V().sack(assign).by('a').sack(div).by('b').sack().as('q').V().select('q').max()",
        "g.V().map(sack(assign).by('a').sack(div).by('b')).sack().fold().min(local)",
        "g.V().project('q').by(sack(assign).by('a').sack(div).by('b').sack()).select('q').max()",
        "g.V().sack(assign).by('a').sack(div).by('b').sack().aggregate('x').cap('x').max(local)",
        "g.V().sack(assign).by('a').sack(div).by('b').sack().union(identity(), constant(1)).max()",
        "g.V().sack(div).by('b').sack().path().unfold().max(",
    ],
)
def test_quotients_are_followed_by_whatever_way_they_go(text: str) -> None:
    with pytest.raises(QueryUnsound):
        refuse_written(text, StoredValues())
