"""Runs every `tests/translators/<dialect>/*.pairs`.

Cases are blocks between blank lines. Lines that begin with `--` are comments; `-- schema: name`
binds the cases of the file from there on against `tests/translators/<name>.schema`. The first
line of a block is Cypher, what follows is the text expected in that dialect, or `!code` for a
refusal or an error. Line breaks count as spaces. In `cypher/`, a block of one line comes back as
it is. Every Cypher text that a case yields is read back, and must mean the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from graph_ir.cypher.reader import parse
from graphmill.errors import QueryTextError, Refused
from schemagraph.model import SchemaGraph
from tests.blocks import blocks
from tests.schema_text import read_schema
from translators.language import DIALECTS
from translators.refusals import CODES
from translators.render import render

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """One block: where it stands, what goes in and what comes out."""

    place: str
    dialect: str
    schema: str
    query: str
    expected: str


def cases() -> Iterator[Case]:
    """All blocks of all files."""
    for path in sorted(HERE.glob("*/*.pairs")):
        if path.parent.name.startswith("from_"):  # SQL and GQL in: they have tests of their own
            continue
        for block in blocks(path):
            expected = " ".join(block.lines[1:]) or block.lines[0]
            schema = block.settings.get("schema", "")
            yield Case(block.place, path.parent.name, schema, block.lines[0], expected)


CASES = list(cases())


def schema_of(name: str) -> SchemaGraph | None:
    """The schema in `<name>.schema`; see `tests/schema_text.py`."""
    return read_schema((HERE / f"{name}.schema").read_text("utf-8")) if name else None


def flat(text: str) -> str:
    """`text` on one line."""
    return " ".join(text.split())


@pytest.mark.parametrize("case", CASES, ids=[case.place for case in CASES])
def test_pair(case: Case) -> None:
    schema = schema_of(case.schema)
    if case.expected.startswith("!"):
        code = case.expected[1:].split()[0]
        with pytest.raises((Refused, QueryTextError)) as caught:
            render(parse(case.query), case.dialect, schema)
        assert isinstance(caught.value, Refused | QueryTextError)
        assert caught.value.code == code
        if isinstance(caught.value, Refused):
            assert code in CODES, "every refusal's code is listed in translators/refusals.py"
        return
    statement = parse(case.query)
    assert flat(render(statement, case.dialect, schema).text) == flat(case.expected)
    text = render(statement, "cypher", schema).text
    assert parse(text) == statement
    assert render(parse(text), "cypher", schema).text == text


@pytest.mark.parametrize("name", DIALECTS.names())
def test_every_dialect_is_total_and_has_fixtures(name: str) -> None:
    assert DIALECTS.get(name).missing() == set()
    assert list((HERE / name).glob("*.pairs")), f"write tests/translators/{name}/*.pairs"
