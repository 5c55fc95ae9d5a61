"""What grafeo gets wrong, said by its profiles so that it is right; answers are Neo4j's.

A case is a query, its rows as JSON, and before them, where only one profile says it, its name.
`!error` in place of rows: the profile refuses, or its text raises an error.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engines.backends.grafeo import Grafeo
from engines.base import Result
from engines.compare import same_bag
from engines.isolation import IsolatedEngine
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryError, Refused
from qa.fuzz.graphs import read_graph
from translators.render import render

HERE = Path(__file__).parent
GRAPH = read_graph((HERE / "profiles.graph").read_text("utf-8"))
LANGUAGES = {"cypher-grafeo": "cypher", "gql-grafeo": "gql"}


@dataclass(frozen=True)
class Case:
    """A query, the dialect that says it, and what it answers."""

    text: str
    dialect: str
    rows: tuple[tuple[Any, ...], ...] | None


def cases() -> Iterator[Any]:
    """Every case of `profiles.cases` in every dialect that says it."""
    for block in (HERE / "profiles.cases").read_text("utf-8").split("\n\n"):
        lines = [line for line in block.strip().splitlines() if not line.startswith("-- ")]
        *only, text, wanted = lines
        for dialect in only or LANGUAGES:
            rows = None if wanted == "!error" else tuple(map(tuple, json.loads(wanted)))
            yield pytest.param(Case(text, dialect, rows), id=f"{dialect}: {text}")


@pytest.fixture(scope="module")
def grafeo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IsolatedEngine]:
    """The engine over the graph of `profiles.graph`."""
    folder = GRAPH.write(tmp_path_factory.mktemp("profiles") / "graph")
    with IsolatedEngine("grafeo", folder) as engine:
        yield engine


@pytest.mark.parametrize("case", list(cases()))
def test_a_profile_is_right(grafeo: IsolatedEngine, case: Case) -> None:
    """The answer is right, and nobody declares that it is not."""
    statement = bind(parse(case.text), GRAPH.schema).statement
    if case.rows is None:
        with pytest.raises((Refused, QueryError)):
            grafeo.run(
                render(statement, case.dialect, GRAPH.schema).text,
                language=LANGUAGES[case.dialect],
                timeout=60,
            )
        return
    text = render(statement, case.dialect, GRAPH.schema).text
    found = grafeo.run(text, language=LANGUAGES[case.dialect], timeout=60)
    assert same_bag(found, Result(found.columns, case.rows)), f"{text}\n{found.rows}"
    declared = {
        fault.code
        for fault in Grafeo.unsound
        if case.dialect in fault.dialects and fault.applies(statement)
    }
    assert declared == set()


@pytest.mark.parametrize(
    "text", ["1" + " + 1" * 80, "NOT " * 80 + "true", "abs(" * 40 + "1" + ")" * 40]
)
@pytest.mark.parametrize("language", sorted(LANGUAGES.values()))
def test_what_nests_too_deep_is_no_error_of_the_text(
    grafeo: IsolatedEngine, text: str, language: str
) -> None:
    with pytest.raises(QueryError, match="more than 64 levels deep") as caught:
        grafeo.run(f"RETURN {text} AS x", language=language, timeout=60)
    assert caught.value.kind == "engine"
