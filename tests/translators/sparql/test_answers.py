"""The answers of `tests/translators/sql`, worked out by hand, from SPARQL on Oxigraph.

What SPARQL cannot say is passed over; how many it says is held below.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engines.backends.oxigraph import Oxigraph
from graph_ir.bind.statements import bound
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryError, Refused
from schemagraph.folder.serde import save_schema
from schemagraph.folder.tables import tables
from tests.translators.sql.test_answers import CASES, HERE, Case, canonical, ordered
from tests.translators.test_pairs import schema_of
from translators.render import render

pytestmark = pytest.mark.slow


@cache
def engine(name: str, folder: Path) -> Oxigraph:
    """Oxigraph with the fixture graph."""
    schema = schema_of(name)
    assert schema is not None
    found = tables(schema)
    stems = {table.stem: name for name, table in (*found.nodes.items(), *found.edges.items())}
    rows: dict[str, list[Any]] = {}
    table = ""
    for line in (HERE / f"{name}.rows").read_text("utf-8").splitlines():
        if line.startswith("["):
            rows.setdefault(table, []).append(json.loads(line))
        elif line and not line.startswith("--"):
            table = stems[line]
    (folder / name / "instances").mkdir(parents=True)
    save_schema(folder / name, schema)
    small = folder / name / "instances" / "rows.json"
    small.write_text(json.dumps(rows))
    made = Oxigraph().__enter__()
    made.load(small)
    return made


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sparql")


def said(case: Case) -> str:
    """The SPARQL of a case; empty where it is refused, or where Cypher raises."""
    if case.rows == ("!error",):
        return ""
    try:
        return render(parse(case.query), "sparql", schema_of(case.graph)).text
    except Refused:
        return ""


SAID = [(case, text) for case in CASES if (text := said(case))]


@pytest.mark.parametrize(("case", "text"), SAID, ids=[case.place for case, _ in SAID])
def test_answer(case: Case, text: str, folder: Path) -> None:
    statement = bound(parse(case.query), None).statement
    try:
        result = engine(case.graph, folder).run(text, language="sparql", timeout=10)
    except QueryError as problem:
        assert "longer than 64 bits" in str(problem)  # noqa: PT017 # no silent difference
        return
    if any(fault.applies(statement) for fault in Oxigraph.unsound):
        return
    rows = [canonical(whole(list(row))) for row in result.rows]
    wanted = [canonical(whole(json.loads(row))) for row in case.rows]
    if not ordered(statement):
        rows, wanted = sorted(rows), sorted(wanted)
    assert rows == wanted, text


def whole(value: Any) -> Any:
    """Floats without a fraction as integers: JSON tells them apart by luck alone."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if isinstance(value, list):
        return [whole(item) for item in value]
    if isinstance(value, dict):
        return {key: whole(item) for key, item in value.items()}
    return value


def test_many_have_a_form() -> None:
    """Of the cases that were not written for what breaks other languages."""
    plain = [case for case in CASES if not case.place.startswith("hostile")]
    rendered = [case for case, _ in SAID if case in plain]
    assert len(rendered) > len(plain) / 4
