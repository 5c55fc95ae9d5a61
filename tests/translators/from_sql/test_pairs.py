"""Runs every `tests/translators/from_sql/*.pairs` over the example database `library.sql`.

Cases are blocks between blank lines; lines that begin with `--` are comments. The first line of
a block is SQL, what follows is the Cypher expected, or `!code` for a refusal or an error. Line
breaks count as spaces. Each Cypher must read back as the same meaning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from graph_ir.cypher.reader import parse
from graphmill.errors import QueryTextError, Refused
from tests.blocks import blocks
from tests.translators.from_sql.conftest import Library
from translators.refusals import CODES
from translators.render import render

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """One block: where it stands, what goes in and what comes out."""

    place: str
    sql: str
    expected: str


def cases(*paths: Path) -> Iterator[Case]:
    """All blocks of the files."""
    for path in paths:
        for block in blocks(path):
            yield Case(block.place, block.lines[0], " ".join(block.lines[1:]))


CASES = list(cases(*sorted(HERE.glob("*.pairs"))))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.place)
def test_pair(case: Case, library: Library) -> None:
    """SQL becomes the Cypher of the fixture, or is refused with its code."""
    if case.expected.startswith("!"):
        with pytest.raises((Refused, QueryTextError)) as caught:
            library.translator.translate(case.sql)
        problem = caught.value
        assert isinstance(problem, Refused | QueryTextError)
        assert f"!{problem.code}" == case.expected
        assert isinstance(problem, QueryTextError) or problem.code in CODES
        return
    statement = library.translator.translate(case.sql)
    text = render(statement, "cypher", library.schema).text
    assert " ".join(text.split()) == case.expected
    assert parse(text) == statement
