"""Names of two parts are whole: the first name of the only one with a last name is beside it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from generators.queries.archetypes.facets import Facets
from generators.queries.archetypes.full_names import FullNames
from graph_ir.cypher.reader import parse
from schemagraph.convert.service import convert
from tests.generators.queries.stages import Stages
from translators.render import render

MEMBERS = [(n, f"First{n}", f"Last{n}", max(0, n - 1)) for n in range(40)]
MEMBERS.append((40, "Ada", "Last7", 3))  # a second Last7


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FullNames]:
    folder = tmp_path_factory.mktemp("members")
    with closing(sqlite3.connect(folder / "members.sqlite")) as database, database:
        database.execute(
            "CREATE TABLE member (member_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, "
            "teacher_id INTEGER REFERENCES member)"
        )
        database.executemany("INSERT INTO member VALUES (?, ?, ?, ?)", MEMBERS)
    convert(str(folder / "members.sqlite"), folder / "graph")
    ground = Stages(folder / "graph")
    yield FullNames(ground, Facets(ground.schema, ground.statistics))
    ground.close()


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("m.last_name = 'Last5'", "m.first_name = 'First5' AND m.last_name = 'Last5'"),
        (
            "m.member_id > 3 AND m.last_name = 'Last5'",
            "m.member_id > 3 AND m.first_name = 'First5' AND m.last_name = 'Last5'",
        ),
        ("m.last_name = 'Last7'", "m.last_name = 'Last7'"),  # which of the two?
        ("m.last_name = 'Nobody'", "m.last_name = 'Nobody'"),
        ("m.last_name <> 'Last5'", "m.last_name <> 'Last5'"),
        ("m.first_name = 'First5'", "m.first_name = 'First5'"),
    ],
)
def test_a_last_name_has_its_first_name(names: FullNames, condition: str, expected: str) -> None:
    text = "MATCH (m:Member) WHERE {} RETURN m.member_id AS id"
    completed = names.completed(parse(text.format(condition)))
    assert completed == parse(text.format(expected))


def test_a_map_has_it_too(names: FullNames) -> None:
    text = "MATCH (m:Member {last_name: 'Last5'})-->(n) RETURN n.member_id AS id"
    completed = render(names.completed(parse(text)), "cypher").text
    assert "{first_name: 'First5', last_name: 'Last5'}" in completed
