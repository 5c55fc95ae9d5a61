"""Words of grafeo's grammar as names: what the profiles write runs, and means the same."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from engines.isolation import IsolatedEngine
from graph_ir.cypher.reader import parse
from qa.fuzz.graphs import read_graph
from schemagraph.folder.serde import load_schema
from schemagraph.model import SchemaGraph
from translators.gql.emit.text import CYPHERS, RESERVED, UNRESERVED
from translators.render import render

# The words that a probe of every word of ISO GQL, Cypher 25 and openCypher found to matter.
MATTERING = CYPHERS | {
    *("ACYCLIC", "CURRENT_GRAPH", "GROUPS", "HOME_SCHEMA", "INF", "INFINITY", "LET", "NAN"),
    *("ORDINALITY", "SESSION_USER", "SHORTEST", "SIMPLE", "TRAIL", "WALK"),
}
# Some of the others, so that the list is not what the writers were made for.
WORDS = sorted(MATTERING | set(sorted(RESERVED | UNRESERVED)[::9]) | {"FOREACH", "XOR", "YIELD"})
REFUSED = {
    "cypher-grafeo": {"INF", "INFINITY", "NAN"},
    "gql-grafeo": set[str](),
}
QUERIES = (
    ("MATCH (`{w}`:N) WHERE `{w}`.id > 1 RETURN count(`{w}`) AS x", [[1]]),
    ("MATCH (n:N) RETURN n.id AS `{w}` ORDER BY `{w}` DESC", [[2], [1]]),
    ("MATCH (n:N) WITH n.id AS `{w}` WHERE `{w}` > 1 RETURN `{w}` + 1 AS x", [[3]]),
    ("UNWIND [5] AS `{w}` RETURN `{w}` AS x", [[5]]),
    ("MATCH (n:N) RETURN n.`{w}` AS `{w}`, count(*) AS c", [["v", 2]]),
    ("MATCH (a:N)-[`{w}`:`{w}`]->(b:`{w}`|N) RETURN b.id AS x", [[2]]),
    ("MATCH (n) WHERE n:`{w}` RETURN n.id AS x", [[7]]),
    ("MATCH `{w}` = (:N)-[:`{w}`*1..2]->(:N) RETURN length(`{w}`) AS x", [[1]]),
)


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[IsolatedEngine, SchemaGraph]]:
    """Grafeo with a graph that has every word as label, type and property."""
    names = [word.lower() for word in WORDS]
    lines = [f"N(id!: INTEGER, {', '.join(f'{name}: STRING' for name in names)})"]
    lines += [f"{name}(id!: INTEGER)" for name in names]
    lines += [f"N-[{name}]->N" for name in names]
    lines += ["", *(f"N {json.dumps([key, *['v'] * len(names)])}" for key in (1, 2))]
    lines += [f"{name} [7]" for name in names]
    lines += [f"N-{name}-N [1, 2]" for name in names]
    folder = tmp_path_factory.mktemp("words") / "g"
    read_graph("\n".join(lines)).write(folder)
    with IsolatedEngine("grafeo", graph=folder) as engine:
        yield engine, load_schema(folder)


@pytest.mark.parametrize("dialect", list(REFUSED))
@pytest.mark.parametrize("query", QUERIES, ids=[text for text, _ in QUERIES])
def test_a_word_as_a_name_is_read_as_the_name(
    words: tuple[IsolatedEngine, SchemaGraph], dialect: str, query: tuple[str, list[list[object]]]
) -> None:
    engine, schema = words
    text, wanted = query
    for word in WORDS:
        if word in REFUSED[dialect]:
            continue
        shown = render(parse(text.format(w=word.lower())), dialect, schema).text
        answer = engine.run(shown, language=dialect.split("-")[0])
        assert [list(row) for row in answer.rows] == wanted, shown
