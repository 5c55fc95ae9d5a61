"""Runs every `*.answers`: Cypher, then the rows that its SQL must return, worked out by hand.

Blocks between blank lines: one line of Cypher, then a JSON list a row; no row is an empty
answer. `-- graph: name` takes `<name>.schema` of the folder above and `<name>.rows` of this one.
Rows are compared as a bag, and in order where the query ends in ORDER BY. `!error` expects that
DuckDB refuses to go on, as Cypher does, and `!refused` that there is no SQL.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest

from graph_ir import nodes as ir
from graph_ir.cypher.reader import parse
from graphmill.errors import Refused
from tests.translators.sql.graphs import answer, load
from tests.translators.test_pairs import schema_of
from translators.render import render

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """One block."""

    place: str
    graph: str
    query: str
    rows: tuple[str, ...]


def cases() -> Iterator[Case]:
    """All blocks of all files."""
    for path in sorted(HERE.glob("*.answers")):
        graph, start = "", 0
        block: list[str] = []
        for number, line in enumerate([*path.read_text("utf-8").splitlines(), ""], 1):
            if line.startswith("--"):
                found = re.match(r"-- graph: (\S+)", line)
                graph = found[1] if found else graph
            elif line.strip():
                start = start if block else number
                block.append(line)
            elif block:
                yield Case(f"{path.name}:{start}", graph, block[0], tuple(block[1:]))
                block = []


CASES = list(cases())


@cache
def graph(name: str) -> duckdb.DuckDBPyConnection:
    """The fixture graph, loaded once."""
    schema = schema_of(name)
    assert schema is not None
    return load(schema, HERE / f"{name}.rows")


@pytest.mark.parametrize("case", CASES, ids=[case.place for case in CASES])
def test_answer(case: Case) -> None:
    statement = parse(case.query)
    if case.rows == ("!refused",):
        with pytest.raises(Refused):
            render(statement, "sql", schema_of(case.graph))
        return
    text = render(statement, "sql", schema_of(case.graph)).text
    if case.rows == ("!error",):
        with pytest.raises(duckdb.Error):
            answer(graph(case.graph), text)
        return
    found = [canonical(row) for row in answer(graph(case.graph), text)]
    wanted = [canonical(json.loads(row)) for row in case.rows]
    if not ordered(statement):
        found, wanted = sorted(found), sorted(wanted)
    assert found == wanted, text


def ordered(statement: ir.Statement) -> bool:
    """Whether the result has an order."""
    if isinstance(statement, ir.Union):
        return False
    last = statement.clauses[-1]
    return isinstance(last, ir.Project) and bool(last.order)


def canonical(value: Any) -> str:
    """JSON text in which equal rows are equal; 1 and 1.0 are different."""
    return json.dumps(rounded(value), sort_keys=True, ensure_ascii=False)


def rounded(value: Any) -> Any:
    """Floats to nine digits."""
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, list):
        return [rounded(item) for item in value]
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return value
